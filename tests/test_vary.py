"""Variants of Coin Race: what a rule moves is known exactly; and how sure paired differences are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analyses.paired import (
    WIN_SHARE,
    Figure,
    difference,
    figures,
    jackknife,
    p_value,
    seat_figures,
    single_figures,
    spread,
    spread_difference,
    spread_estimate,
)
from analyses.run import run
from analyses.statistics import Estimate
from analyses.vary import (
    LATE_LOSS,
    LEADER_WINS,
    MAX_VALUES,
    MAX_VARIANTS,
    SEAT_SPREAD,
    STRATEGY_SPREAD,
    read_knob,
    vary,
)
from reports import vary as told
from reports.cli import main
from simcore.game import find_game
from tests.questions import assert_refused, assert_same_bits, assert_told
from tests.test_toy import Race, widened

NAME = "coin_race"
GAMBLERS = {"strategies": "gambler", "seats": 2}
GROUPS = 32


def row_of(result: Any, figure: str, **values: str) -> dict[str, Any]:
    (row,) = [r for r in result.rows if r["figure"] == figure and all(r[k] == v for k, v in values.items())]
    return dict(row)


def known_spread(race: Race) -> float:
    return max(race.win_shares) - min(race.win_shares)


# --- known answers -----------------------------------------------------------------------------------------


def test_what_a_head_start_does_is_found():
    result = vary(NAME, ["head_start[1]=0:3"], deals=100_000, **GAMBLERS)
    races = {str(n): Race(("gambler",) * 2, (n, 0, 0, 0)) for n in range(4)}
    for value, race in races.items():
        row = row_of(result, SEAT_SPREAD, **{"head_start[1]": value})
        level, change = widened(row["level"]), widened(row["change"])
        assert level.low - 1e-9 <= known_spread(race) <= level.high
        assert change.low - 1e-9 <= known_spread(race) - known_spread(races["0"]) <= change.high + 1e-9 or value == "0"
        assert row["is_now"] == (value == "0")
    assert row_of(result, SEAT_SPREAD, **{"head_start[1]": "3"})["change"].low > 0.2
    moved = {(row["figure"], row["at"], row["head_start[1]"]) for row in result.moved}
    assert ("score", "seat 1", "1") in moved
    assert ("score", "seat 2", "1") not in moved
    assert ("success", "", "2") not in moved


def test_figures_of_the_economy_are_found_in_every_variant():
    result = vary(NAME, ["risk_percent=20,50,80"], deals=40_000, **GAMBLERS)
    for percent in (20, 50, 80):
        row = row_of(result, "success", risk_percent=str(percent))
        level = widened(row["level"])
        assert level.low <= percent / 100 <= level.high
        assert row["level"].high - row["level"].low < 0.01
    assert {LEADER_WINS, LATE_LOSS, SEAT_SPREAD} <= {row["figure"] for row in result.rows}
    share = row_of(result, LEADER_WINS, risk_percent="50")["level"]
    race = Race(("gambler",) * 2)
    after = race.standings[1]  # half-way through three rounds
    leading = {coins: chance for coins, chance in after.items()}
    won = seats = 0.0
    for coins, chance in leading.items():
        wins = race.final_wins(coins, 1)
        lead = [seat for seat, have in enumerate(coins) if have == max(coins)]
        won += chance * sum(wins[seat] for seat in lead)
        seats += chance * len(lead)
    wide = widened(share)
    assert wide.low <= won / seats <= wide.high


def test_the_rules_in_force_differ_from_themselves_by_nothing():
    result = vary(NAME, ["risk_percent=50,60"], names=("baseline", "gambler"), deals=3_200, **GAMBLERS)
    rows = [row for row in result.rows if row["risk_percent"] == "50"]
    assert rows
    for row in rows:
        assert (row["change"].estimate, row["change"].low, row["change"].high) == (0, 0, 0)
        assert row["is_now"]
    assert not [row for row in result.moved if row["risk_percent"] == "50"]
    assert result.variants[0].run is result.now.run  # played once
    assert result.games == 2 * 3_200 + 2 * 64 * 2 * 3 * 2


def test_a_spread_between_strategies_is_found():
    result = vary(NAME, ["risk_percent=30:90:60"], names=("baseline", "gambler"), deals=200_000, **GAMBLERS)
    for percent in (30, 90):
        level = widened(row_of(result, STRATEGY_SPREAD, risk_percent=str(percent))["level"])
        race = Race(("gambler", "baseline"), risk_percent=percent)
        assert level.low <= known_spread(race) <= level.high
        assert level.high - level.low < 0.2


def test_two_rules_make_a_grid():
    result = vary(NAME, ["rounds=1,2", "risk_percent=40:60:10"], deals=64, **GAMBLERS)
    assert [dict(v.values) for v in result.variants] == [
        {"rounds": rounds, "risk_percent": percent} for rounds in ("1", "2") for percent in ("40", "50", "60")
    ]
    assert result.games == 7 * 64  # the rules in force have three rounds
    assert all(variant.rules["rounds"] == int(variant.values["rounds"]) for variant in result.variants)


# --- the same deals ----------------------------------------------------------------------------------------


def outcome_groups(worth: float, rng: np.random.Generator, per_group: int) -> tuple[Figure, Figure]:
    """Wins of seat 1 of two under a rule and without it, drawn on common deals: the rule turns a few losses to wins."""
    luck = rng.random((GROUPS, per_group))
    was, now = (luck < 0.5).sum(axis=1), (luck < 0.5 + worth).sum(axis=1)
    games = np.full(GROUPS, per_group)
    return (
        Figure(WIN_SHARE, {"seat": "1"}, "share of wins", now, games, 1, GROUPS * per_group),
        Figure(WIN_SHARE, {"seat": "1"}, "share of wins", was, games, 1, GROUPS * per_group),
    )


def test_a_bias_of_three_in_a_thousand_is_found_at_the_advertised_size():
    """10,000 deals a variant: paired on the same deals, 99 of 100 studies must find it."""
    rng = np.random.default_rng(1)
    found = sum(difference(*outcome_groups(0.003, rng, 10_000 // GROUPS)).low > 0 for _ in range(1_000))
    assert found >= 990
    alone = 0
    for _ in range(200):
        now, _ = outcome_groups(0.003, rng, 10_000 // GROUPS)
        _, was = outcome_groups(0.003, rng, 10_000 // GROUPS)
        alone += difference(now, was).low > 0
    assert alone < 60  # what independent deals find


def test_common_deals_show_what_others_hide():
    """One throw of two gamblers, the first a coin ahead: with a chance q of success that is worth 1/2 - q(1 - q) of a win.

    At 90 % it is 0.41, at 91 % 0.4181. The 0.0081 between them are found on common deals, and lost on others.
    """
    result = vary(NAME, ["risk_percent=90,91"], deals=20_000, changes=["rounds=1", "head_start=1,0,0,0"], **GAMBLERS)
    one, other = (figures(v.run)[WIN_SHARE, (("seat", "1"),)] for v in result.variants)
    change = widened(difference(other, one))
    assert change.low <= 0.0081 <= change.high
    assert difference(other, one).low > 0
    apart = run(NAME, deals=20_000, seed=2, changes=["rounds=1", "head_start=1,0,0,0", "risk_percent=91"], **GAMBLERS)
    other = figures(apart)[WIN_SHARE, (("seat", "1"),)]
    wide, narrow = difference(other, one), difference(figures(result.variants[1].run)[one.key], one)
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def covered(estimates: list[Estimate], true: float) -> int:
    return sum(one.low <= true <= one.high for one in estimates)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of 2,000 studies: between 1,865 and 1,935 by the binomial law, once in ten thousand not."""
    rng = np.random.default_rng(2)
    pairs = [outcome_groups(0.1, rng, 50) for _ in range(2_000)]
    assert 1_860 <= covered([difference(*pair) for pair in pairs], 0.1) <= 1_938
    assert 1_860 <= covered([jackknife(lambda v: v[0] - v[1], pair) for pair in pairs], 0.1) <= 1_938
    nulls = []
    for _ in range(2_000):
        now, _ = outcome_groups(0, rng, 50)
        _, was = outcome_groups(0, rng, 50)
        nulls.append((now, was))
    assert 62 <= sum(p_value(*pair) < 0.05 for pair in nulls) <= 140
    for pair in nulls[:200]:
        one = difference(*pair)
        assert (p_value(*pair) < 0.05) == (not one.low <= 0 <= one.high)


def test_a_jackknife_of_one_figure_is_its_own():
    rng = np.random.default_rng(3)
    now, was = outcome_groups(0.2, rng, 40)
    one, other = jackknife(lambda v: v[0], [now]), now.estimate
    assert one.estimate == pytest.approx(now.value)
    assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.2)
    assert jackknife(spread, [now, was]).estimate == pytest.approx(abs(now.value - was.value))
    assert spread_difference(np.array([[3.0], [1.0], [5.0], [4.0]])) == pytest.approx([1.0])
    assert spread_estimate([now, now]).low == 0


def test_single_figures_are_those_of_all_that_are_one_number():
    played = run(NAME, deals=640, **GAMBLERS)
    every = figures(played)
    single = {key: figure for key, figure in every.items() if key in single_figures(played)}
    assert {key: f.value for key, f in single_figures(played).items()} == {k: f.value for k, f in single.items()}
    assert {key for key in every if not key[1]} <= set(single)
    seats = [figure for figure in seat_figures(played.plan, played.part) if figure.name == WIN_SHARE]
    assert sum(figure.value for figure in seats) == pytest.approx(1)


# --- the same bits, bad input, words -----------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs():
    assert_same_bits(
        lambda work: vary(NAME, ["rounds=1:4"], names=("baseline", "random"), deals=640, work=work, **GAMBLERS)
    )


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ([], "name a rule and its values"),
        (["round=1"], "rounds"),
        (["rounds"], "write rule=6:14:2"),
        (["rounds=1:x"], "from:to:step"),
        (["rounds=4:1"], "from:to:step"),
        (["rounds=1:4:0"], "from:to:step"),
        (["rounds=0"], "rounds"),
        (["rounds=1", "rounds=2"], "named twice"),
        (["head_start[9]=1"], "head_start"),
        ([f"risk_percent=0:{MAX_VALUES}"], f"at most {MAX_VALUES} are played"),
        (["risk_percent=1:40", "safe_coins=1:6"], f"240 variants; at most {MAX_VARIANTS}"),
    ],
)
def test_bad_knobs_are_refused_in_one_line(knobs: list[str], said: str):
    assert_refused(vary, said, game=NAME, knobs=knobs, deals=64)


def test_a_field_that_is_too_small_is_refused():
    assert_refused(vary, "at least 4 different", game=NAME, knobs=["rounds=1"], names=["baseline"], deals=64)


def test_ranges_are_read():
    game = find_game(NAME)
    assert read_knob(game, "risk_percent=6:14:2").values == ("6", "8", "10", "12", "14")
    assert read_knob(game, "risk_percent=6:14:3").values == ("6", "9", "12")
    assert read_knob(game, "risk_percent=4:6").values == ("4", "5", "6")
    assert read_knob(game, "risk_percent=40,30,40").values == ("40", "30")
    assert read_knob(game, "head_start=0,1,0,0;1,0,0,0").values == ("0,1,0,0", "1,0,0,0")


@pytest.mark.parametrize(("game", "knob"), [(NAME, "risk_percent=40:60:10"), ("ostia", "storehouse_cost=8,10")])
def test_it_is_told(game: str, knob: str):
    names = ("baseline", "random") if game == NAME else ()
    seats = 2 if game == NAME else 3
    result = vary(game, [knob], names=names, deals=128, seats=seats)
    text = assert_told(result, told, find_game(game))
    assert "* the rules in force" in text


def test_the_command_prints_it(capsys: Any, tmp_path: Any):
    argv = ["vary", NAME, "rounds=1,2", "--deals", "64", "--seats", "2", "--out", str(tmp_path)]
    assert main(argv) == 0
    assert "rounds" in capsys.readouterr().out
    assert (tmp_path / "variants.parquet").exists()
