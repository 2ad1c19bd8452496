"""Variants of rules on the same deals: figures and paired differences, held against what is known of Coin Race."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analyses.field import N_CIRCLES, circles
from analyses.frames import plain
from analyses.inputs import Work
from analyses.paired import WIN_SHARE, Figure, Key, difference, half_time, jackknife, p_value, spread, spread_difference
from analyses.vary import (
    FIELD_PART,
    LATE_LOSS,
    LEADER_WINS,
    LEAST_FIELD,
    SEAT_SPREAD,
    STRATEGY_SPREAD,
    Variation,
    read_knob,
    vary,
)
from reports import figures as draw
from reports.cli import main
from reports.format import scale
from reports.tables import View
from reports.terminal import WIDTH
from reports.vary import chosen_figures, most_moved, questions, seat_sentence, verdicts, words
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import GROUPS
from tests.test_toy import Race, lead_wins, leaders, place_wins, seat_leads, widened

NAME = "coin_race"
TABLE = ("gambler", "random", "follower")
DEALS = 40_000
MANY = 2_000  # observations behind a figure of which its interval of five standard errors is to be trusted


# --- what is known -----------------------------------------------------------------------------------------


@cache
def known(race: Race) -> dict[Key, float]:
    """Every figure of a table, by its key."""
    found: dict[Key, float] = {}
    risks = np.array([race.risky_throws(number) for number in range(1, race.rounds + 1)])
    for seat in range(race.seats):
        at = (("seat", str(seat + 1)),)
        thrown = float(risks[:, seat].sum())
        found[WIN_SHARE, at] = race.win_shares[seat]
        found["score", at] = race.scores[seat]
        found["risky_throws", at] = thrown
        found["coins_risked", at] = thrown * race.risky_coins
    found["risky_share", ()] = float(risks.mean())
    found["success", ()] = race.risk_percent / 100
    found["coins_by_throw", (("throw", "safe"),)] = race.safe_coins
    found["coins_by_throw", (("throw", "risky"),)] = race.risky_coins * race.risk_percent / 100
    for number in range(1, race.rounds + 1):
        found["risky_by_round", (("round", str(number)),)] = float(risks[number - 1].mean())
        found.update(known_tension(race, number))
    return found | known_ends(race)


def known_tension(race: Race, number: int) -> dict[Key, float]:
    """Who leads after a round and what it is worth."""
    now = race.standings[number]
    wins = {coins: race.final_wins(coins, number) for coins in now}
    at = ("round", str(number))
    found: dict[Key, float] = {}
    found |= {("lead_share", (at, ("seat", str(seat)))): share for seat, share in seat_leads(race, now).items()}
    found |= {("win_by_place", (at, ("place", str(place)))): p for place, p in place_wins(now, wins).items()}
    return found | {("win_by_lead", (at, ("lead", str(size)))): p for size, p in lead_wins(now, wins).items()}


def known_ends(race: Race) -> dict[Key, float]:
    """How often the lead is lost or shared by the next standing; whoever leads after the last round wins."""
    found: dict[Key, float] = {}
    for number in range(2, race.rounds + 1):
        lost: dict[bool, float] = defaultdict(float)
        for coins, chance in race.standings[number - 1].items():
            for later, likely in race.next_round({coins: 1.0}).items():
                before, after = leaders(coins), leaders(later)
                if before != after:
                    lost[not before & after] += chance * likely
        found["lead_lost", (("until", str(number)),)] = lost[True]
        found["lead_shared", (("until", str(number)),)] = lost[False]
    return found | {(name, (("until", "end"),)): 0.0 for name in ("lead_lost", "lead_shared")}


def field_shares(race: Race, names: Sequence[str]) -> dict[str, float]:
    """What each strategy wins in a mixed field, under the rules of a race."""
    sums: dict[str, list[float]] = {name: [] for name in names}
    for order in circles(len(names), N_CIRCLES):
        for start in range(len(order)):
            table = [names[order[(start + seat) % len(order)]] for seat in range(race.seats)]
            for turn in range(race.seats):
                turned = (*table[turn:], *table[:turn])
                for name, share in zip(turned, replace(race, table=turned).win_shares, strict=True):
                    sums[name].append(share)
    return {name: float(np.mean(shares)) for name, shares in sums.items()}


def halved(race: Race) -> Key:
    """The key of the leaders' wins half-way through."""
    return "win_by_place", (("round", str(max(race.rounds // 2, 1))), ("place", "1"))


# --- known answers -----------------------------------------------------------------------------------------

KNOBS: list[tuple[list[str], list[dict[str, Any]]]] = [
    (["risk_percent=30:70:20"], [{"risk_percent": p} for p in (30, 50, 70)]),
    (["rounds=1,2,4,6"], [{"rounds": n} for n in (1, 2, 4, 6)]),
    (["head_start[2]=0:2"], [{"head_start": (0, n, 0, 0)} for n in (0, 1, 2)]),
    (["head_start=0,1,1;2,0,1"], [{"head_start": (0, 1, 1, 1)}, {"head_start": (2, 0, 1, 1)}]),
    (
        ["risk_percent=40,60", "risky_coins=2:3"],
        [{"risk_percent": p, "risky_coins": n} for p in (40, 60) for n in (2, 3)],
    ),
]


@pytest.mark.parametrize(("knobs", "variants"), KNOBS)
def test_figures_of_variants_and_their_changes_are_found(knobs: list[str], variants: list[dict[str, Any]]) -> None:
    result = vary(NAME, knobs, strategies=TABLE, seats=3, deals=DEALS)
    was, now = known(Race(TABLE)), [known(Race(TABLE, **values)) for values in variants]
    assert len(result.variants) == len(variants)
    for variant, true in zip(result.variants, now, strict=True):
        rare = [key for key, figure in variant.figures.items() if figure.below.sum() < MANY]
        assert set(variant.figures) <= set(true)
        assert {name for name, _ in set(true) - set(variant.figures)} <= {"win_by_lead"}  # leads that are hardly seen
        for key, figure in variant.figures.items():
            if key not in rare:
                assert_holds(figure.estimate, true[key])
                if key in was:
                    assert_holds(difference(figure, result.now.figures[key]), true[key] - was[key])
        assert {name for name, _ in rare} <= {"win_by_lead"}
        assert len(variant.figures) >= 20


def assert_holds(estimate: Any, true: float) -> None:
    wide = widened(estimate)
    assert wide.low - 1e-9 <= true <= wide.high + 1e-9


@pytest.mark.parametrize(("knobs", "variants"), KNOBS)
def test_the_figures_that_tell_most_are_found(knobs: list[str], variants: list[dict[str, Any]]) -> None:
    result = vary(NAME, knobs, strategies=TABLE, seats=3, deals=DEALS)
    base = Race(TABLE)
    names = [knob.name for knob in result.knobs]
    seen = 0
    for variant, values in zip(result.variants, variants, strict=True):
        race = Race(TABLE, **values)
        for row in (row for row in result.rows if all(row[name] == variant.values[name] for name in names)):
            figure = row["figure"]
            if figure == SEAT_SPREAD:
                level, change = (max(r.win_shares) - min(r.win_shares) for r in (race, base))
            else:
                level, change = (known_single(r)[figure] for r in (race, base))
            assert_holds(row["level"], level)
            assert_holds(row["change"], level - change)
            assert row["is_now"] == (race == base)
            seen += 1
        assert set(known_single(race)) | {SEAT_SPREAD} == {row["figure"] for row in result.rows}
    assert seen == len(variants) * 5


def known_single(race: Race) -> dict[str, float]:
    true = known(race)
    return {
        LEADER_WINS: true[halved(race)],
        LATE_LOSS: 0.0,
        "risky_share": true["risky_share", ()],
        "success": true["success", ()],
    }


def test_the_spread_of_strategies_in_a_mixed_field_is_found() -> None:
    names = ("baseline", "random", "gambler", "follower")
    result = vary(NAME, ["risk_percent=20,50"], strategies="random", names=names, seats=3, deals=400_000)
    (before, after) = (field_shares(Race(TABLE, risk_percent=p), names) for p in (50, 20))
    (row,) = [r for r in result.rows if r["figure"] == STRATEGY_SPREAD and not r["is_now"]]
    wide = {side: max(shares.values()) - min(shares.values()) for side, shares in (("was", before), ("is", after))}
    assert wide["is"] - wide["was"] > 0.1
    assert_holds(row["level"], wide["is"])
    assert_holds(row["change"], wide["is"] - wide["was"])
    for figure in result.variants[0].strategy_wins:
        assert_holds(figure.estimate, after[figure.labels["strategy"]])
    (mixed,) = [v.mixed for v in result.variants if v.mixed is not None and v.values["risk_percent"] == "20"]
    assert mixed.plan.deals == 400_000 // FIELD_PART
    few = vary(NAME, ["risk_percent=20"], names=names, seats=3, deals=100)
    assert [v.mixed.plan.deals for v in (few.now, *few.variants) if v.mixed is not None] == [LEAST_FIELD] * 2


def test_what_surely_moves_is_what_a_paired_t_says_with_bonferroni() -> None:
    """Computed anew, in floating point and from the textbook."""
    result = vary(NAME, ["risk_percent=48,51,60"], strategies=TABLE, seats=3, deals=4_000)
    expected = []
    for variant in result.variants:
        both = [key for key in variant.figures if key in result.now.figures]
        for key in both:
            now, was = variant.figures[key], result.now.figures[key]
            change, error = textbook(now, was)
            half = error * stats.t.ppf(1 - 0.025 / len(both), GROUPS - 1)
            if abs(change) > half:
                at = ", ".join(f"{axis} {label}" for axis, label in key[1])
                expected.append((variant.values["risk_percent"], key[0], at, change - half, change + half))
    found = [
        (row["risk_percent"], row["figure"], row["at"], row["change"].low, row["change"].high) for row in result.moved
    ]
    assert [one[:3] for one in found] == [one[:3] for one in expected]
    assert np.array([one[3:] for one in found]) == pytest.approx(np.array([one[3:] for one in expected]))
    assert {value for value, *_ in found} == {"48", "60"} | ({"51"} & {value for value, *_ in expected})
    assert ("60", "success", "") in [one[:3] for one in found]


def textbook(now: Figure, was: Figure) -> tuple[float, float]:
    """The difference of two ratios and its standard error, over groups."""
    residuals = []
    for figure in (now, was):
        above, below = figure.above / figure.scale, figure.below.astype(float)
        residuals.append((above - above.sum() / below.sum() * below) / below.sum())
    gaps = residuals[0] - residuals[1]
    return now.value - was.value, math.sqrt(len(gaps) / (len(gaps) - 1) * (gaps**2).sum())


def test_the_rules_in_force_differ_from_themselves_by_exactly_nothing() -> None:
    changes = ["rounds=4", "head_start=1,0,0"]
    knobs = ["rounds=4", "head_start[1]=1"]
    names = ("baseline", "gambler", "random")
    result = vary(NAME, knobs, strategies=TABLE, names=names, seats=3, deals=320, changes=changes)
    assert {row["figure"] for row in result.rows} >= {SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS, LATE_LOSS}
    for row in result.rows:
        change = row["change"]
        assert row["is_now"]
        assert (change.estimate, change.low, change.high) == (0, 0, 0)
    (variant,) = result.variants
    for key, figure in variant.figures.items():
        one = difference(figure, result.now.figures[key])
        assert (one.estimate, one.low, one.high, one.method) == (0, 0, 0, "every group of deals equal")
        assert p_value(figure, result.now.figures[key]) == 1
    assert result.moved == []
    assert variant.run is result.now.run
    assert result.games == 320 + LEAST_FIELD * 3 * N_CIRCLES * 3
    assert "No other figure is sure to move." in words(result)


def test_rules_spelled_apart_that_are_the_same_are_played_once() -> None:
    result = vary(NAME, ["head_start=0;0,0,0,0", "rounds=2,3"], strategies="random", seats=4, deals=100)
    assert [v.values for v in result.variants] == [
        {"head_start": a, "rounds": b} for a in ("0", "0,0,0,0") for b in "23"
    ]
    assert result.games == 200
    assert [row["is_now"] for row in result.rows if row["figure"] == SEAT_SPREAD] == [False, True, False, True]


# --- what pairing is good for ------------------------------------------------------------------------------


def test_the_same_deals_tell_of_a_small_change_what_other_deals_cannot() -> None:
    seat = (WIN_SHARE, (("seat", "1"),))
    result = vary(NAME, ["risk_percent=51"], strategies=TABLE, seats=3, deals=DEALS)
    others = vary(NAME, ["risk_percent=51"], strategies=TABLE, seats=3, deals=DEALS, seed=2)
    paired = difference(result.variants[0].figures[seat], result.now.figures[seat])
    apart = difference(others.variants[0].figures[seat], result.now.figures[seat])
    assert (apart.high - apart.low) / (paired.high - paired.low) > 4  # 16 times as many


def test_a_bias_of_three_in_a_thousand_is_found_in_forty_thousand_deals() -> None:
    """A gambler before a follower that answers: one per cent more luck brings it 0.305 points of wins in 100."""
    table = ("gambler", "follower")
    was, now = (Race(table, rounds=1, risk_percent=p).win_shares[0] for p in (69, 70))
    assert now - was == pytest.approx(0.00305)
    n_seeds, n_found, n_unpaired = 30, 0, 0
    changes = ["rounds=1", "risk_percent=69"]
    last: Figure | None = None
    for seed in range(n_seeds):
        result = vary(NAME, ["risk_percent=70"], strategies=table, seats=2, deals=DEALS, seed=seed, changes=changes)
        rows = {row["at"]: row["change"] for row in result.moved if row["figure"] == WIN_SHARE}
        n_found += "seat 1" in rows and rows["seat 1"].low > 0
        figure = result.variants[0].figures[WIN_SHARE, (("seat", "1"),)]
        if last is not None:
            apart = difference(figure, last)
            n_unpaired += apart.low > 0
        last = result.now.figures[WIN_SHARE, (("seat", "1"),)]
    assert n_found >= 0.99 * n_seeds
    assert n_unpaired <= n_seeds / 2


def test_a_bias_of_three_in_a_thousand_is_found_in_ten_thousand_deals_if_it_helps_alone() -> None:
    """Games of which 3 in 1,000 are lost before and won after, as a multinomial draws them, through the same estimator."""
    chance = np.random.default_rng(3)
    joint = [0.25, 0.747, 0.003]  # won both ways, lost both ways, won after the change only
    per_group = vary(NAME, ["rounds=1"], seats=2, deals=10_000).now.run.plan.group_sizes()
    n_runs, n_found, held = 1_000, 0, 0
    for _ in range(n_runs):
        both, _, gained = np.array([chance.multinomial(n, joint) for n in per_group]).T
        now, was = (counted(wins, per_group) for wins in (both + gained, both))
        one = difference(now, was)
        n_found += one.low > 0
        held += one.low <= 0.003 <= one.high
    assert n_found >= 0.99 * n_runs
    assert abs(held / n_runs - 0.95) < 0.03


def counted(wins: np.ndarray, games: np.ndarray) -> Figure:
    """Wins of so many games, as a figure."""
    return Figure(WIN_SHARE, {}, "share of wins", SIXTIETHS * wins, games, SIXTIETHS, int(games.sum()))


# --- coverage ----------------------------------------------------------------------------------------------

STUDIES = 2_000
STRAYS = 3.9 * math.sqrt(STUDIES * 0.95 * 0.05)  # 99.99 %


def test_intervals_of_a_difference_of_ratios_hold_19_times_in_20() -> None:
    """Totals over totals that vary from group to group, half of what is drawn being common to both, nothing changed."""
    chance = np.random.default_rng(4)
    held = {0.95: 0, 0.8: 0}
    n_small = 0
    for _ in range(STUDIES):
        pair = []
        shared = chance.poisson(150, GROUPS)
        shared_wins = chance.binomial(shared, 0.3)
        for _ in range(2):
            seen = chance.poisson(150, GROUPS)
            wins = chance.binomial(seen, 0.3) + shared_wins
            pair.append(Figure("share", {}, "share", wins, seen + shared))
        for level in held:
            one = difference(pair[0], pair[1], level)
            held[level] += one.low <= 0 <= one.high
        n_small += p_value(pair[0], pair[1]) < 0.05
        assert (one.low + one.high) / 2 == pytest.approx(one.estimate)
    assert abs(held[0.95] - 0.95 * STUDIES) < STRAYS
    assert n_small == STUDIES - held[0.95]
    assert abs(held[0.8] - 0.8 * STUDIES) < 3.9 * math.sqrt(STUDIES * 0.8 * 0.2)


@pytest.mark.parametrize(
    ("now", "was", "is_exact"),
    [
        ((0.4, 0.3, 0.3 - 1e-9), (0.3, 0.4, 0.3 - 1e-9), False),  # the worst two are alike
        ((0.45, 0.33, 0.22), (0.45, 0.33, 0.22), True),
        ((0.45, 0.33, 0.22), (0.4, 0.33, 0.27), True),
        ((1 / 3,) * 3, (1 / 3,) * 3, False),
    ],
)
def test_intervals_of_a_spread_hold_19_times_in_20(now: Sequence[float], was: Sequence[float], is_exact: bool) -> None:
    """Where the extreme seats stand apart; where they do not the intervals hold more often still, nothing being changed."""
    chance = np.random.default_rng(5)
    true = (max(now) - min(now)) - (max(was) - min(was))
    games = np.full(GROUPS, 400)
    held = apart = 0
    for _ in range(STUDIES):
        seats = [
            counted(wins, games) for shares in (now, was) for wins in chance.multinomial(400, shares, size=GROUPS).T
        ]
        one = jackknife(spread_difference, seats)
        held += one.low <= true + 1e-8 and true - 1e-8 <= one.high
        level = jackknife(spread, seats[:3])
        apart += level.low <= max(now) - min(now) <= level.high
    assert held > 0.95 * STUDIES - STRAYS
    if is_exact:
        assert held < 0.95 * STUDIES + STRAYS
        assert abs(apart - 0.95 * STUDIES) < STRAYS


def test_the_jackknife_of_a_mean_is_the_paired_t() -> None:
    """Of a linear function of groups of one size nothing else can come out."""
    chance = np.random.default_rng(6)
    games = np.full(GROUPS, 50)
    one, other = (counted(chance.binomial(50, p, GROUPS), games) for p in (0.3, 0.5))
    for level in (0.8, 0.95, 0.999):
        found = jackknife(lambda values: values[0] - values[1], [one, other], level)
        paired = difference(one, other, level)
        assert (found.low, found.high) == pytest.approx((paired.low, paired.high), abs=1e-12)


def test_a_difference_by_hand() -> None:
    """Two groups: 3 of 10 and 7 of 10 after 2 of 10 and 4 of 10; residuals -0.1 and 0.1 after -0.05 and 0.05."""
    ten = np.array([10, 10])
    now, was = (Figure("share", {}, "share", np.array(above), ten) for above in ([3, 7], [2, 4]))
    assert list(now.residuals) == pytest.approx([-0.1, 0.1])
    assert list(was.residuals) == pytest.approx([-0.05, 0.05])
    assert list(now.without) == pytest.approx([0.7, 0.3])
    one = difference(now, was)
    assert one.estimate == pytest.approx(0.2)
    error = math.sqrt(2 / 1 * 2 * 0.05**2)
    assert one.high - one.estimate == pytest.approx(12.7062047 * error)
    assert p_value(now, was) == pytest.approx(1 - 2 / math.pi * math.atan(0.2 / error))  # Cauchy
    assert one.n == 40
    shifted = Figure("share", {}, "share", np.array([3, 5]), ten)
    assert difference(shifted, was).method == "every group of deals equal"
    assert (difference(shifted, was).low, difference(shifted, was).high) == pytest.approx((0.1, 0.1))
    assert p_value(shifted, was) == 0.5
    assert (now.key, replace(now, labels={"round": "1"}).key) == (("share", ()), ("share", (("round", "1"),)))


def test_a_single_group_has_no_interval() -> None:
    one, other = (Figure("share", {}, "share", np.array([n]), np.array([10])) for n in (3, 7))
    for found in (difference(one, other), jackknife(lambda values: values[0] - values[1], [one, other])):
        assert found.estimate == pytest.approx(-0.4)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert "single group" in found.method
    assert p_value(one, other) == 1
    result = vary(NAME, ["rounds=1,2"], strategies="random", seats=2, deals=1)
    assert result.moved == []
    json.dumps(plain(result.as_dict()), allow_nan=False)
    assert "nan" not in words(result)


def test_half_way_is_after_half_the_rounds_that_are_played() -> None:
    game = find_game(NAME)
    for rounds, label in ((1, "1"), (2, "1"), (3, "1"), (4, "2"), (5, "2"), (10, "5")):
        assert half_time(game, game.rules.parse([f"rounds={rounds}"])) == label
    assert half_time(game) == "5"


# --- reading what is asked ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("rounds=6:10:2", "rounds", "6 8 10"),
        ("rounds=6:9:2", "rounds", "6 8"),
        ("rounds=2:4", "rounds", "2 3 4"),
        ("rounds=4:4", "rounds", "4"),
        ("rounds = 1, 3 ,2", "rounds", "1 3 2"),
        ("rounds=2,2,1,2", "rounds", "2 1"),
        ("rounds=7", "rounds", "7"),
        ("risk_percent=0:98:2", "risk_percent", " ".join(str(n) for n in range(0, 99, 2))),
        ("head_start=1,0,0;0", "head_start", "1,0,0 0"),
        ("head_start[2]=0,5", "head_start[2]", "0 5"),
    ],
)
def test_a_knob_is_read(text: str, name: str, values: str) -> None:
    knob = read_knob(find_game(NAME), text)
    assert (knob.name, knob.values) == (name, tuple(values.split()))


READ = "write rule=6:14:2 or rule=45,55,65"
RANGE = "a range is from:to:step, for example 6:14:2"
WHOLE = "it allows a whole number from 1 to 10 (rounds)"
RULES = "(known: rounds, safe_coins, risky_coins, risk_percent, head_start"


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ([], "name a rule and its values, for example rounds=1,2,3 (`assay rules coin_race` lists them)"),
        (["rounds"], f"cannot read 'rounds': {READ}"),
        ([""], f"cannot read '': {READ}"),
        (["=3"], f"cannot read '=3': {READ}"),
        (["rounds=;"], f"cannot read 'rounds=;': {READ}"),
        (["rounds=3:1"], f"cannot read 'rounds=3:1': {RANGE}"),
        (["rounds=1:3:0"], f"cannot read 'rounds=1:3:0': {RANGE}"),
        (["rounds=1:3:-1"], f"cannot read 'rounds=1:3:-1': {RANGE}"),
        (["rounds=1:x"], f"cannot read 'rounds=1:x': {RANGE}"),
        (["rounds=1:2:3:4"], f"cannot read 'rounds=1:2:3:4': {RANGE}"),
        (["rounds=:"], f"cannot read 'rounds=:': {RANGE}"),
        (["rounds=1:9999999"], f"cannot read 'rounds=1:9999999': {RANGE}"),
        (["rounds=1:100"], "'rounds' has 100 values; at most 50 are played"),
        (["rounds="], f"rule 'rounds' cannot be : {WHOLE}"),
        (["rounds=0,1"], f"rule 'rounds' cannot be 0: {WHOLE}"),
        (["rounds=9:11"], f"rule 'rounds' cannot be 11: {WHOLE}"),
        (["rounds=1.5"], f"rule 'rounds' cannot be 1.5: {WHOLE}"),
        (["rounds[1]=2"], "rule 'rounds' is a single number without labels, got '[1]'"),
        (["round=1"], "unknown rule of coin_race 'round'; did you mean 'rounds'? " + RULES),
        (["head_start[9]=1"], "unknown seat of rule 'head_start' '9' (known: 1, 2, 3, 4)"),
        (["rounds=1", "rounds=2"], "rule 'rounds' is named twice: give all its values at once, comma-separated"),
        (
            ["head_start[1]=0,1", "rounds=2", "head_start=0;2"],
            "'head_start[1]' and 'head_start' set the same number: name it in one of them only",
        ),
        (
            ["rounds=1:10", "risk_percent=0:20"],
            "these rules make 210 variants; at most 200 are played: name fewer values",
        ),
    ],
)
def test_knobs_that_say_nothing_are_refused_in_one_line(knobs: list[str], said: str) -> None:
    with pytest.raises(AssayError) as fault:
        vary(NAME, knobs, deals=32)
    told = str(fault.value)
    assert told.startswith(said) if said.endswith(RULES) else told == said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seats": 5}, "coin_race seats 2 to 4 players, not 5"),
        ({"deals": 0}, "deals must be a whole number from 1 to 10,000,000,000, not 0"),
        ({"seed": -1}, "the seed must be a whole number from 0 to 9223372036854775807, not -1"),
        (
            {"strategies": "nobody"},
            "unknown strategy of coin_race 'nobody' (known: baseline, random, follower, gambler)",
        ),
        ({"strategies": "random,random,random"}, "3 strategies for 4 seats: give one for all, or one for each seat"),
        ({"names": ["baseline", "random"]}, "a mixed field of 4 seats needs at least 4 different strategies"),
        ({"names": ["random"] * 5}, "a mixed field of 4 seats needs at least 4 different strategies"),
        (
            {
                "names": ["baseline", "random", "gambler", "nobody"],
                "work": Work(progress=lambda *_: pytest.fail("a game was played")),
            },
            "unknown strategy of coin_race 'nobody' (known: baseline, random, follower, gambler)",
        ),
        ({"changes": ["rounds=99"]}, "rule 'rounds' cannot be 99: it allows a whole number from 1 to 10 (rounds)"),
        ({"rules": "no such.toml"}, "cannot read 'no such.toml': No such file or directory"),
        ({"work": Work(jobs=-1)}, "jobs must be a whole number from 0 (one a processor) to 1024, not -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssayError) as fault:
        vary(NAME, ["rounds=1,2"], **{"deals": 32, **given})
    assert str(fault.value) == said


def test_a_variant_that_cannot_be_played_is_refused_before_any_game() -> None:
    work = Work(progress=lambda *_: pytest.fail("a game was played"))
    with pytest.raises(AssayError, match="rule 'barred' leaves seat 3 without a throw"):
        vary(NAME, ["barred[3,safe]=0,1"], changes=["barred[3,risky]=1"], work=work)


def test_knobs_that_set_other_entries_of_a_table_go_together() -> None:
    result = vary(NAME, ["head_start[1]=0,1", "head_start[2]=0,2"], seats=2, deals=32)
    starts = [variant.rules["head_start"].tolist() for variant in result.variants]
    assert starts == [[0, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [1, 2, 0, 0]]


def test_rules_of_a_file_hold_for_all_variants(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("risk_percent = 10\n")
    result = vary(NAME, ["rounds=1,2"], seats=2, deals=32, rules=file, changes=["safe_coins=3"])
    for variant in (result.now, *result.variants):
        assert (variant.rules["risk_percent"], variant.rules["safe_coins"]) == (10, 3)
        assert variant.run.plan.rules.key() == variant.rules.key()


# --- the same bits -----------------------------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs() -> None:
    told: list[tuple[int, int]] = []
    names = ("baseline", "random", "gambler")
    first, again, spread_out = (
        vary(NAME, ["rounds=2,3"], strategies=TABLE, names=names, seats=3, deals=30_000, work=work)
        for work in (Work(1, progress=lambda *n: told.append(n)), Work(1), Work(2))
    )
    assert len(list(first.now.run.plan.parts())) > 1
    assert first.as_dict() == again.as_dict() == spread_out.as_dict()
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    json.dumps(plain(first.as_dict()), allow_nan=False)


def test_a_folder_for_results_changes_nothing(tmp_path: Path) -> None:
    bare, kept, found_again = (
        vary(NAME, ["rounds=2"], strategies=TABLE, seats=3, deals=64, work=Work(out=out))
        for out in (None, tmp_path, tmp_path)
    )
    assert bare.as_dict() == kept.as_dict() == found_again.as_dict()
    assert list(tmp_path.iterdir())


# --- in words and on the page ------------------------------------------------------------------------------


def view_of(result: Variation) -> View:
    """A view of these frames alone."""
    view = object.__new__(View)
    view.frames = result.frames
    return view


def test_words_hold_the_numbers_of_the_rows() -> None:
    result = vary(NAME, ["risk_percent=30,50,70"], strategies=TABLE, seats=3, deals=DEALS)
    lines = words(result).splitlines()
    assert max(len(line) for line in lines) <= WIDTH
    assert "* the rules in force; in brackets the change from them" in words(result)
    levels = {(row["figure"], row["risk_percent"]): row for row in result.rows}
    for value in ("30", "50", "70"):
        (line,) = [line for line in lines if line.split()[:1] == [value]]
        assert ("*" in line) == (value == "50")
        for figure in (SEAT_SPREAD, LEADER_WINS):
            row = levels[figure, value]
            assert any(near(text, 100 * row["level"].estimate) for text in line.replace("*", " ").split()[1:])
            change = row["change"]
            is_sure = change.low > 0 or change.high < 0
            assert any(near(text.strip("(+"), 100 * change.estimate) for text in line.split() if "(" in text) == is_sure
    best = most_moved(result)
    assert [row["figure"] for row in best][:1] == ["success"]
    assert len({row["figure"] for row in best}) == len(best) <= 8
    told = " ".join(words(result).split())
    assert "success: +20.0 % with risk_percent=70" in told or "success: -20.0 % with risk_percent=30" in told


@pytest.mark.parametrize(("game", "knob"), [("ostia", "loan_repayment=10,14"), ("ore_city", "win_points=4,5")])
def test_other_games_are_told_too(game: str, knob: str) -> None:
    result = vary(game, [knob], seats=min(find_game(game).seats), deals=32)
    assert max(len(line) for line in words(result).splitlines()) <= WIDTH
    assert {SEAT_SPREAD, LEADER_WINS} <= {row["figure"] for row in result.rows}


def near(text: str, number: float) -> bool:
    """Whether a text is a number rounded to its digits."""
    try:
        value = float(text)
    except ValueError:
        return False
    digits = len(text.partition(".")[2])
    return abs(value - number) <= 0.5001 * 10**-digits


@pytest.mark.parametrize(
    "knobs", [["risk_percent=30,50,70"], ["head_start[1]=0:2"], ["rounds=1,3", "risk_percent=20,80"]]
)
def test_the_page_tells_the_numbers_of_the_frames(knobs: list[str]) -> None:
    result = vary(NAME, knobs, strategies="random", names=("baseline", "random", "gambler"), seats=3, deals=6_400)
    view = view_of(result)
    (question,) = questions(view, result)
    assert set(question.files) == set(result.frames)
    assert [table.source for table in question.tables] == ["variants"] * 2
    rows = result.frames["variants"]
    shown = chosen_figures(result)
    for table, measure in zip(question.tables, ("level", "change"), strict=True):
        assert len(table.rows) == len(result.variants)
        for line, variant in zip(table.rows, result.variants, strict=True):
            assert [cell.text for cell in line[: len(knobs)]] == list(variant.values.values())
            for cell, figure in zip(line[len(knobs) :], shown, strict=True):
                assert cell.row is not None
                row = rows.loc[cell.row]
                assert (row["figure"], row["measure"]) == (figure, measure)
                assert all(row[name] == value for name, value in variant.values.items())
                assert float(row[cell.column]) == float(str(cell.value))
    assert question.picture is not None
    assert len(question.picture.panels) == len(shown)
    draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))
    for verdict in verdicts(view, result):
        assert verdict.question == question.id
        assert "nan" not in verdict.text + verdict.meaning


def test_the_figure_has_a_dot_for_each_value() -> None:
    result = vary(NAME, ["risk_percent=30,50,70"], strategies=TABLE, seats=3, deals=6_400)
    rows = result.frames["variants"]
    some = rows[(rows["figure"] == SEAT_SPREAD) & (rows["measure"] == "level")]
    ax = draw.plot_by(some, x="risk_percent", unit="share of wins")
    drawn = [list(np.asarray(line.get_ydata(), float)) for line in ax.lines]
    assert pytest.approx(list(scale("share") * some["estimate"])) in drawn


def test_sentences_say_which_value_makes_seats_even() -> None:
    result = vary(NAME, ["head_start[1]=0,1,2"], strategies="random", seats=3, deals=DEALS)
    text = seat_sentence(result)
    spreads = [max(r.win_shares) - min(r.win_shares) for r in (Race(("random",) * 3, (n, 0, 0, 0)) for n in (0, 2))]
    assert spreads[1] > 0.3
    assert text.startswith("Head start (seat 1) moves the seats: they differ by 0")
    assert " of wins at 0, by " in text
    assert text.endswith(" at 2.")
    still = vary(NAME, ["safe_coins=1,2"], strategies="baseline", seats=3, deals=640)
    assert seat_sentence(still) == "Safe coins from 1 to 2 is not seen to change how far seats differ."
    assert seat_sentence(vary(NAME, ["rounds=1,2", "risk_percent=1,2"], seats=2, deals=32)) == ""
    assert seat_sentence(vary(NAME, ["rounds=2"], seats=2, deals=32)) == ""


# --- the command -------------------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> str:
    """What a command prints, or complains of."""
    assert main(list(argv)) == code
    words_, complaint = capsys.readouterr()
    assert (complaint == "") == (code == 0)
    return str(complaint if code else words_)


def test_the_command_tells_and_keeps_what_the_analysis_finds(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ("--seats", "3", "--deals", "640", "--strategies", ",".join(TABLE), "--set", "rounds=2", "--seed", "4")
    command = ("vary", NAME, "risk_percent=40:60:10", *options, "--field", "all")
    result = vary(
        NAME,
        ["risk_percent=40:60:10"],
        strategies=TABLE,
        names=["baseline", "follower", "gambler"],
        seats=3,
        deals=640,
        seed=4,
        changes=["rounds=2"],
    )
    document = json.loads(told(capsys, *command, "--json"))
    assert set(document["field"]) == set(result.field_names)
    same = {"field", "strategies", "variants", "moved"}
    assert {k: v for k, v in document.items() if k not in same} == {
        k: v for k, v in plain(result.as_dict()).items() if k not in same
    }
    assert_rows(document["variants"], [row for row in plain(result.as_dict())["variants"]], STRATEGY_SPREAD)
    assert document["strategies"] == list(TABLE)
    folder = tmp_path / "kept"
    assert "seats differ by" in told(capsys, *command, "--out", str(folder))
    assert {path.stem for path in folder.glob("*.csv")} == {"variants", "variants_moved"}
    complaint = told(capsys, "vary", NAME, code=2)
    assert complaint.strip() == (
        "assay: name a rule and its values, for example rounds=1,2,3 (`assay rules coin_race` lists them)"
    )
    complaint = told(capsys, "vary", NAME, "rounds=1,2", "--field", "random,gambler", code=2)
    assert "a mixed field of 4 seats needs at least 4 different strategies" in complaint


def assert_rows(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]], but: str) -> None:
    """The same rows; a mixed field depends on the order in which its strategies are named."""
    assert [row["figure"] for row in one] == [row["figure"] for row in other]
    for a, b in zip(one, other, strict=True):
        assert a["figure"] == but or a == b
