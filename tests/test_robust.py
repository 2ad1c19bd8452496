"""What survives: findings of Coin Race under drawn rules, of which it is known where each holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analyses import robust as module
from analyses.paired import WIN_SHARE, Figure
from analyses.robust import (
    DEPENDENT,
    FIRM,
    LEANING,
    MOST_DRAWS,
    OPEN,
    Finding,
    Played,
    Robustness,
    assignments,
    findings,
    firmness,
    mixed_deals,
    robust,
)
from reports import robust as told
from reports.cli import main
from simcore.errors import AssayError
from simcore.game import find_game
from simcore.rules import RuleSet
from tests.questions import assert_refused, assert_same_bits, assert_told

NAME = "coin_race"
TABLE = {"strategy": "gambler", "seats": 2}


def drawn_by(change: Callable[[int], dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Coin Race whose draws change its rules so."""

    def alternative(rules: RuleSet, number: int) -> RuleSet:
        for name, value in change(number).items():
            rules = rules.replaced(name, np.array(value, np.int32))
        return rules

    game = replace(find_game(NAME), alternative=alternative)
    monkeypatch.setattr(module, "find_game", lambda name: game)


def words_of(result: Robustness) -> dict[str, str]:
    return {row["finding"]: row["word"] for row in result.rows}


def test_what_a_draw_cannot_change_is_firm(monkeypatch: pytest.MonkeyPatch):
    drawn_by(lambda number: {"risky_coins": 2 + number % 2}, monkeypatch)  # a gambler wins as often with either
    result = robust(NAME, draws=8, deals=40_000, **TABLE)
    words = words_of(result)
    assert words["Seat 1 wins its share (within 1 in 100)"] == FIRM
    assert words["Seat 2 wins its share (within 1 in 100)"] == FIRM
    assert result.games == 40_000 * (1 + 2 * 8)


def test_what_half_the_draws_change_depends_on_them(monkeypatch: pytest.MonkeyPatch):
    drawn_by(lambda number: {"head_start": [number % 2, 0, 0, 0]}, monkeypatch)
    result = robust(NAME, draws=8, deals=40_000, **TABLE)
    (row,) = [row for row in result.rows if row["finding"].startswith("Seat 1 wins its share")]
    assert (row["word"], row["value"].estimate, row["control"]) == (DEPENDENT, 0.5, 1)
    assert row["value"].low < 0.5 < row["value"].high
    success = next(row for row in result.rows if "succeed" in row["finding"])
    assert success["word"] == FIRM


def test_a_rare_exception_makes_it_leaning(monkeypatch: pytest.MonkeyPatch):
    drawn_by(lambda number: {"head_start": [int(number == 3), 0, 0, 0]}, monkeypatch)
    result = robust(NAME, draws=5, deals=40_000, **TABLE)
    (row,) = [row for row in result.rows if row["finding"].startswith("Seat 1 wins its share")]
    assert (row["word"], row["value"].estimate) == (LEANING, 0.8)


def test_too_few_games_leave_it_open(monkeypatch: pytest.MonkeyPatch):
    drawn_by(lambda number: {"risky_coins": 2 + number % 2}, monkeypatch)
    result = robust(NAME, draws=20, deals=64, **TABLE)
    assert OPEN in words_of(result).values()
    for row in result.rows:
        assert row["word"] != OPEN or row["control"] < 0.95


@pytest.mark.parametrize(
    ("share", "control", "word"),
    [
        (1.0, 1.0, FIRM),
        (0.95, 1.0, FIRM),
        (0.949, 1.0, LEANING),
        (0.7, 1.0, LEANING),
        (0.699, 1.0, DEPENDENT),
        (0.0, 1.0, DEPENDENT),
        (0.5, 0.94, OPEN),
        (1.0, 0.94, FIRM),
        (0.5, 0.95, DEPENDENT),
    ],
)
def test_words_of_firmness(share: float, control: float, word: str):
    assert firmness(share, control) == word


def figure(name: str, value: float, **labels: str) -> Figure:
    return Figure(name, labels, "share of wins", np.array([round(1e6 * value)]), np.array([10**6]))


def played(first: float, strategies: dict[str, float] | None = None, success: float = 0.5) -> Played:
    """A table of two of which this is known."""
    found = [figure(WIN_SHARE, first, seat="1"), figure(WIN_SHARE, 1 - first, seat="2"), figure("success", success)]
    return Played({one.key: one for one in found}, strategies or {})


def findings_of(shipped: Played) -> dict[str, Finding]:
    game = find_game(NAME)
    return {one.text: one for one in findings(game, game.rules.parse([]), 2, shipped, 0.01)}


def test_findings_hold_where_they_are_true():
    found = findings_of(played(0.6, {"a": 0.5, "b": 0.3, "c": 0.2}))
    first = found["Seat 1 wins more than its share (within 1 in 100)"]
    assert [first.holds(played(x)) for x in (0.6, 0.52, 0.505, 0.4)] == [True, True, False, False]
    best = found["a wins most in the mixed field"]
    two = found["a and b are the best two"]
    last = found["c wins least in the mixed field"]
    turned = played(0.6, {"a": 0.3, "b": 0.5, "c": 0.2})
    assert [one.holds(turned) for one in (best, two, last)] == [False, True, True]
    (success,) = [one for text, one in found.items() if "succeed" in text]
    assert [success.holds(played(0.6, success=x)) for x in (0.5, 0.54, 0.56, 0.44)] == [True, True, False, False]


def test_the_share_of_draws_is_a_count():
    game = find_game(NAME)
    shipped = played(0.6)
    drawn = tuple(played(x) for x in (0.6, 0.7, 0.5, 0.55, 0.4))
    named = tuple(findings(game, game.rules.parse([]), 2, shipped, 0.01))
    rules = game.rules.parse([])
    result = Robustness(game, rules, "gambler", 2, 100, 1, 1, named, drawn, (shipped,) * 5)
    (row,) = [row for row in result.rows if row["finding"].startswith("Seat 1")]
    assert (row["value"].estimate, row["control"], row["word"]) == (3 / 5, 1, DEPENDENT)


def test_a_draw_is_played_as_rules_that_a_command_can_name():
    game = find_game("ostia")
    assert game.alternative is not None
    rules = game.alternative(game.rules.parse(["start_money=50"]), 3)
    again = game.rules.parse(assignments(rules))
    assert again.key() == rules.key()
    assert assignments(game.rules.parse([])) == []


def test_a_game_of_nothing_reconstructed_is_refused():
    with pytest.raises(AssayError, match="nothing to draw anew"):
        robust(NAME)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"draws": 1}, f"2 to {MOST_DRAWS}, not 1"),
        ({"draws": MOST_DRAWS + 1}, f"2 to {MOST_DRAWS}"),
        ({"strategy": "nobody"}, "nobody"),
        ({"seats": 2}, "seats 3 to 5 players, not 2"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(robust, said, **{"game": "ostia", "deals": 64, "draws": 2, **given})


def test_the_same_bits_again_and_with_other_jobs(monkeypatch: pytest.MonkeyPatch):
    drawn_by(lambda number: {"risk_percent": 40 + 10 * number}, monkeypatch)
    names = ("baseline", "gambler", "follower")
    result = assert_same_bits(lambda work: robust(NAME, names=names, draws=3, deals=640, work=work, **TABLE))
    assert result.games == 7 * (640 + mixed_deals(640) * 3 * 2)


def test_it_is_told(capsys: Any):
    result = robust("ostia", seats=3, deals=64, draws=3)
    text = assert_told(result, told, find_game("ostia"))
    assert "under 3 other completions" in text
    assert main(["robust", "ostia", "--seats", "3", "--deals", "64", "--draws", "2", "--json"]) == 0
    assert '"findings"' in capsys.readouterr().out
