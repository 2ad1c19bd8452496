"""Every shipped strategy: described, legal at the bounds of its weights, better than random, unlike the others."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import strategies
from analyses.comparison import compare
from simcore.batch import play_batch
from simcore.game import GAMES, Game, find_game
from simcore.kernel import IS_JITTED

DEALS = 60 if IS_JITTED else 2
SHIPPED = [name for name in GAMES if find_game(name).package.startswith("simcore.")]  # not the toy game of the tests
CASES = [(name, strategy) for name in SHIPPED for strategy in strategies.names(find_game(name))]


def outcomes(game: Game, name: str, seats: int, deals: int, changes: tuple[str, ...] = ()) -> np.ndarray:
    """Outcome rows of one strategy at every seat."""
    rules = game.rules.parse(changes)
    player = strategies.load_once(game.name, name)
    return play_batch(game, rules, game.fill_rules(rules, seats), [player] * seats, 3, 0, deals).outcomes


@pytest.mark.parametrize(("game", "name"), CASES)
def test_its_docstring_tells_plan_origin_and_weakness(game: str, name: str) -> None:
    about, weights = strategies.describe(find_game(game), name)
    assert len(about.split("\n\n")[0]) > 40
    assert "\nOrigin: " in about
    assert "\nWeakness: " in about
    assert all(weight.about and weight.low < weight.high for weight in weights)


@pytest.mark.parametrize(("game", "name"), CASES)
def test_it_plays_legally_at_the_bounds_of_every_weight(game: str, name: str) -> None:
    chosen = find_game(game)
    switches = [rule.name for rule in chosen.rules.rules.values() if rule.is_switch and not rule.axes]
    variants = [(), *((f"{switch}=1",) for switch in switches), tuple(f"{switch}=1" for switch in switches)]
    weights = strategies.describe(chosen, name)[1]
    bounds = [f":{weight.name}={bound:g}" for weight in weights for bound in (weight.low, weight.high)]
    for number, setting in enumerate(["", *bounds]):
        seats = chosen.seats[number % len(chosen.seats)]
        for changes in variants:
            assert outcomes(chosen, name + setting, seats, 10 if IS_JITTED else 1, changes).size


@pytest.mark.parametrize(("game", "name"), [case for case in CASES if case[1] != "random"])
def test_it_beats_random(game: str, name: str) -> None:
    """Four seats, duplicate play: alone among three random players, the lower end of a 99 % interval lies above 25 %."""
    result = compare(game, [name, "random"], deals=DEALS)
    alone = next(row for row in result.alone_rows if row["name"] == result.names[0])
    assert alone["win_share"].estimate > 0.25
    if IS_JITTED:
        result = type(result)(result.names, result.plan, result.part, confidence=0.98)  # two intervals at 99 % each
        assert result.alone_rows[0]["win_share"].low > 0.25
        assert result.pair_rows[0]["difference"].low > 0


@pytest.mark.parametrize("game", SHIPPED)
def test_any_two_differ_on_the_same_deals(game: str) -> None:
    chosen = find_game(game)
    played = {name: outcomes(chosen, name, 4, DEALS) for name in strategies.names(chosen)}
    for one, other in combinations(played, 2):
        is_same = (played[one] == played[other]).all(axis=(1, 2, 3))
        assert is_same.mean() < 0.1, (one, other)
