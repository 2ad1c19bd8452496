"""What a card or an option is worth: known exactly where Coin Race gives a coin or forbids a kind of throw."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Any

import pytest

from analyses import worth as module
from analyses.inputs import Work
from analyses.run import run
from analyses.statistics import Estimate
from analyses.worth import DEAD, FORBIDDEN, GIVEN, HELPS, HURTS, OPEN, Worth, worth
from reports import worth as told
from reports.cli import main
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from tests.questions import assert_refused, assert_same_bits, assert_told
from tests.test_toy import Race, widened

NAME = "coin_race"
COIN, TWO, NOTHING, THREE = "a coin", "two coins", "nothing", "the third coin"


@pytest.fixture
def gifts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coin Race with coins as cards to give, and as an option that which nobody may do without: nothing."""
    game = replace(
        find_game(NAME),
        forced={COIN: "head_start[{seat}]=1", TWO: "head_start[{seat}]=2", NOTHING: "head_start[{seat}]=0"},
        barred={THREE: "head_start[{seat}]=3"},
    )
    monkeypatch.setattr(module, "find_game", lambda name: game)


def known_effect(coins: int, strategy: str = "gambler", seats: int = 3) -> float:
    """What a seat wins more on the average for being given so many coins."""
    found = []
    for seat in range(seats):
        start = tuple(coins if at == seat else 0 for at in range(4))
        race = Race((strategy,) * seats, start)
        found.append(race.win_shares[seat])
    return sum(found) / seats - 1 / seats


def row_of(result: Worth, item: str) -> dict[str, Any]:
    (row,) = [row for row in result.rows if row["item"] == item]
    return dict(row)


@pytest.mark.parametrize("strategy", ["gambler", "follower"])
@pytest.mark.usefixtures("gifts")
def test_what_a_coin_is_worth_is_found(strategy: str):
    result = worth(NAME, strategy=strategy, seats=3, deals=40_000)
    base = Race((strategy,) * 3)
    assert sum(base.win_shares) == pytest.approx(1)
    for item, coins in ((COIN, 1), (TWO, 2)):
        row = row_of(result, item)
        effect = widened(row["effect"])
        assert effect.low <= known_effect(coins, strategy) <= effect.high
        assert row["effect"].high - row["effect"].low < 0.03
        assert (row["kind"], row["verdict"]) == (GIVEN, HELPS)
    assert "hold" not in row_of(result, COIN)


@pytest.mark.usefixtures("gifts")
def test_nothing_is_worth_nothing_and_what_is_forbidden_turns_the_sign():
    result = worth(NAME, strategy="gambler", seats=3, deals=20_000)
    nothing = row_of(result, NOTHING)
    assert (nothing["effect"].estimate, nothing["effect"].low, nothing["effect"].high) == (0, 0, 0)
    assert nothing["score"].estimate == 0
    assert nothing["verdict"] == DEAD
    row = row_of(result, THREE)  # three coins as what a seat gets where the option is forbidden: it is better off
    effect = widened(row["effect"])
    assert effect.low <= -known_effect(3) <= effect.high
    assert (row["kind"], row["verdict"]) == (FORBIDDEN, HURTS)
    assert widened(row["score"]).low <= -3 <= widened(row["score"]).high


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.001, 0.02, HELPS), (-0.02, -0.001, HURTS), (-0.02, 0.02, OPEN), (-0.009, 0.009, DEAD), (0.001, 0.009, DEAD)],
)
@pytest.mark.usefixtures("gifts")
def test_verdicts_look_at_the_whole_interval(low: float, high: float, verdict: str):
    result = worth(NAME, [COIN], seats=2, deals=64, tolerance=0.01)
    assert result._verdict(Estimate((low + high) / 2, low, high, 1, 1.0, "")) == verdict


@pytest.mark.usefixtures("gifts")
def test_a_swap_is_the_difference_of_two_gifts():
    result = worth(NAME, [COIN, TWO, NOTHING], strategy="gambler", seats=3, deals=20_000)
    effects = {row["item"]: row["effect"].estimate for row in result.rows}
    assert len(result.swap_rows) == comb(3, 2)
    for row in result.swap_rows:
        assert row["effect"].estimate == pytest.approx(effects[row["item"]] - effects[row["instead_of"]])
    one = next(row for row in result.swap_rows if {row["item"], row["instead_of"]} == {COIN, TWO})
    assert abs(one["effect"].estimate) == pytest.approx(known_effect(2) - known_effect(1), abs=0.01)


@pytest.mark.usefixtures("gifts")
def test_games_are_a_table_and_one_for_each_item_and_seat():
    result = worth(NAME, seats=3, deals=64)
    assert result.games == 64 * (1 + 4 * 3)
    assert {len(runs) for runs in result.played.values()} == {3}
    for (_, item), runs in result.played.items():
        starts = [played.plan.rules["head_start"][:3].tolist() for played in runs]
        coins = {COIN: 1, TWO: 2, NOTHING: 0, THREE: 3}[item]
        assert starts == [[coins if at == seat else 0 for at in range(3)] for seat in range(3)]


def test_shares_of_those_who_held_a_card_are_counted():
    """Ostia counts who starts with each card; the share of wins of its holders is what outcome rows say."""
    result = worth("ostia", ["ivory"], seats=3, deals=64)
    row = row_of(result, "ivory")
    held = run("ostia", seats=3, deals=64).part.tallies["held"]
    tally = next(tally for tally in find_game("ostia").tallies if tally.name == "held")
    seen, won = held[:, tally.axes[0].labels.index("ivory")].sum(axis=0)
    assert row["held"].estimate == pytest.approx(won / seen / SIXTIETHS)
    assert row["held_gap"] == pytest.approx(row["held"].estimate - 1 / 3)


def test_a_game_without_cards_or_options_is_refused():
    with pytest.raises(AssayError, match="names no card to give and no option to forbid"):
        worth(NAME)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"items": ["gold"]}, "gold"),
        ({"tolerance": 0.7}, "tolerance"),
        ({"strategy": "nobody"}, "nobody"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
        ({"deals": 0}, "deals"),
    ],
)
@pytest.mark.usefixtures("gifts")
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(worth, said, **{"game": NAME, "deals": 64, **given})


@pytest.mark.usefixtures("gifts")
def test_the_same_bits_again_and_with_other_jobs():
    assert_same_bits(lambda work: worth(NAME, seats=2, deals=64, work=work))


def test_it_is_told(capsys: Any, tmp_path: Any):
    result = worth("ostia", ["ivory", "wine", "bidding"], seats=3, deals=64, work=Work(1))
    text = assert_told(result, told, find_game("ostia"))
    assert "ivory" in text
    assert main(["worth", "ostia", "ivory", "--seats", "3", "--deals", "64", "--out", str(tmp_path)]) == 0
    assert "ivory" in capsys.readouterr().out
    assert (tmp_path / "worth.parquet").exists()
