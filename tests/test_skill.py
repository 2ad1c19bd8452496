"""Skill and luck: components of variance on simulated rows and in Coin Race, games to lead by brute force, the ladder."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from analyses import games_to_lead as leading
from analyses.components import REST, SEAT, SOURCES, STRATEGY, STRATEGY_SEAT, Sums, distinct_tables
from analyses.frames import plain
from analyses.games_to_lead import EXACT_GAMES, games_to_lead, lead_probability, tilted
from analyses.inputs import Work
from analyses.paired import WIN_SHARE
from analyses.skill import EVERYBODY, PLANNED, RANDOM, STRONG, WEAK, Skill, skill
from analyses.statistics import Estimate, student_quantile
from reports import figures as draw
from reports.skill import questions, verdicts, words
from reports.tables import View
from reports.terminal import WIDTH
from simcore.errors import AssayError
from simcore.game import GAMES, SIXTIETHS, find_game
from simcore.plan import GROUPS
from tests.test_toy import Race, alone, shared_win

NAME = "coin_race"
STANDARD_ERRORS = 5


def widened(one: Estimate, groups: int = GROUPS) -> Estimate:
    """An interval of 95 % made one of five standard errors."""
    by = STANDARD_ERRORS / student_quantile(0.95, groups - 1)
    return replace(
        one, low=one.estimate - by * (one.estimate - one.low), high=one.estimate + by * (one.high - one.estimate)
    )


# --- components of variance on simulated rows --------------------------------------------------------------


def centred(effects: np.ndarray, axis: int) -> np.ndarray:
    return effects - effects.mean(axis=axis, keepdims=True)


def by_rotation(results: np.ndarray) -> np.ndarray:
    """From (tables, deals, players, seats) to (tables, deals, rotations, seats)."""
    seats = results.shape[-1]
    rotations = [
        np.stack([results[:, :, (seat + turn) % seats, seat] for seat in range(seats)], axis=-1)
        for turn in range(seats)
    ]
    return np.stack(rotations, axis=2)


def simulated(
    chance: np.random.Generator, tables: int, seats: int, deals: int, sizes: dict[str, float]
) -> tuple[np.ndarray, dict[str, float]]:
    """Rows with known effects, shape (tables, deals, rotations, seats), and the component of each source.

    The effects of strategies and seats are the same in every call, those of deals and the rest are drawn.
    """
    fixed = np.random.default_rng(5)
    strategy = centred(fixed.normal(size=(tables, 1, seats, 1)), 2) * sizes["strategy"]
    seat = centred(fixed.normal(size=(1, 1, 1, seats)), 3) * sizes["seat"]
    both = by_rotation(fixed.normal(size=(tables, 1, seats, seats)))
    both = centred(both, 3)  # by rotation: what a game has in common is none of it
    free = (seats - 1) / seats
    deal = centred(chance.normal(size=(1, deals, 1, seats)), 3) * sizes["deal"]
    strategy_deal = centred(chance.normal(size=(tables, deals, seats, 1)), 2) * sizes["strategy x deal"]
    rest = centred(chance.normal(size=(tables, deals, seats, seats)), 3) * sizes["rest"]
    # what is left of strategy x seat when rows and columns are taken out, arranged by player
    cells = np.zeros((tables, 1, seats, seats))
    for turn, place in product(range(seats), range(seats)):
        cells[:, :, (place + turn) % seats, place] = both[:, :, turn, place]
    cells = cells - cells.mean(axis=3, keepdims=True) - cells.mean(axis=(0, 2), keepdims=True)
    cells *= sizes["strategy x seat"]
    rows = by_rotation(strategy + seat + cells + deal + strategy_deal) + rest
    true = {
        "strategy": float((strategy**2).mean()),
        "seat": float((seat**2).mean()),
        "deal": free * sizes["deal"] ** 2,
        "strategy x deal": free * sizes["strategy x deal"] ** 2,
        "strategy x seat": float((cells**2).mean()),
        "rest": free * sizes["rest"] ** 2,
    }
    return np.rint(1_000 * rows).astype(np.int64), true


SIZES = {"strategy": 0.6, "seat": 0.4, "deal": 0.5, "strategy x deal": 0.4, "strategy x seat": 0.3, "rest": 1.0}
SHAPES = [(3, 2), (1, 3), (4, 3), (1, 4), (5, 4), (3, 6)]  # tables, seats


def taken_in(rows: np.ndarray, n_groups: int = GROUPS) -> Sums:
    tables, deals, _, seats = rows.shape
    sums = Sums.nothing(n_groups, tables, seats)
    sums.add(rows, np.arange(deals) * n_groups // deals)
    return sums


@pytest.mark.parametrize(("tables", "seats"), SHAPES)
@pytest.mark.parametrize("missing", ["", *(source for source in SIZES if source != REST)])
def test_components_put_in_are_found(tables: int, seats: int, missing: str) -> None:
    sizes = {**SIZES, **({missing: 0.0} if missing else {})}
    rows, true = simulated(np.random.default_rng(1), tables, seats, 3_000, sizes)
    sums = taken_in(rows)
    whole = sum(true.values())
    for source, one in zip(SOURCES, sums.shares(), strict=True):
        wide = widened(one)
        assert wide.low - 1e-4 <= true[source] / whole <= wide.high + 1e-4, source
        assert wide.high - wide.low < 0.25, source
    assert sums.components() * 1e-6 == pytest.approx([true[source] for source in SOURCES], abs=0.05 * whole)


@pytest.mark.parametrize(("tables", "seats"), SHAPES)
def test_components_sum_to_the_mean_square(tables: int, seats: int) -> None:
    rows = np.random.default_rng(2).integers(-50, 90, (tables, 40, seats, seats))
    sums = taken_in(rows)
    assert sums.components().sum() == pytest.approx(centred(rows.astype(float), 3).var())
    assert sum(one.estimate for one in sums.shares()) == pytest.approx(1)


@pytest.mark.parametrize(("tables", "seats"), SHAPES)
def test_components_are_those_of_a_plain_analysis(tables: int, seats: int) -> None:
    """Sums of squares by taking means out one after the other; degrees of freedom as ranks of what can be spanned."""
    rows = np.random.default_rng(3).integers(0, 100, (tables, 3, seats, seats))
    deals = rows.shape[1]

    def pieces(results: np.ndarray) -> dict[str, np.ndarray]:
        """The array split into effects, each of the whole shape (tables, deals, players, seats)."""
        y = np.zeros((tables, deals, seats, seats))
        games = results - results.mean(axis=3, keepdims=True)
        for turn, seat in product(range(seats), range(seats)):
            y[:, :, (seat + turn) % seats, seat] = games[:, :, turn, seat]
        mean = y.mean(axis=1, keepdims=True)
        found = {"strategy": mean.mean(axis=3, keepdims=True), "seat": mean.mean(axis=(0, 2), keepdims=True)}
        found["strategy x seat"] = mean - found["strategy"] - found["seat"]
        found["deal"] = y.mean(axis=(0, 2), keepdims=True) - found["seat"]
        found["strategy x deal"] = y.mean(axis=3, keepdims=True) - found["strategy"]
        found["rest"] = y - mean - found["deal"] - found["strategy x deal"]
        return {name: np.broadcast_to(effect, y.shape).ravel() for name, effect in found.items()}

    units = np.eye(rows.size).reshape(rows.size, *rows.shape)
    spanned = [pieces(unit) for unit in units]
    df = {name: np.linalg.matrix_rank(np.array([one[name] for one in spanned])) for name in SOURCES}
    squares = {name: float((effect**2).sum()) for name, effect in pieces(rows.astype(float)).items()}
    means = {name: squares[name] / df[name] for name in SOURCES if df[name]}
    free, n = (seats - 1) / seats, rows.size
    plain_ones = {
        "strategy": (squares["strategy"] - df["strategy"] * means["strategy x deal"]) / n,
        "seat": (squares["seat"] - df["seat"] * means["deal"]) / n,
        "deal": free * (means["deal"] - means["rest"]) / (tables * seats),
        "strategy x deal": free * (means["strategy x deal"] - means["rest"]) / seats,
        "strategy x seat": (squares["strategy x seat"] - df["strategy x seat"] * means["rest"]) / n,
        "rest": free * means["rest"],
    }
    assert taken_in(rows, 3).components() == pytest.approx([plain_ones[source] for source in SOURCES])


def test_where_there_is_nothing_nothing_is_found_on_the_average() -> None:
    """Noise alone, a thousand times: no source but the rest, however few the deals."""
    chance = np.random.default_rng(4)
    sizes = dict.fromkeys(SIZES, 0.0) | {"rest": 1.0}
    found = np.array([taken_in(simulated(chance, 2, 3, 8, sizes)[0], 4).components() for _ in range(1_000)]) * 1e-6
    errors = found.std(axis=0) / math.sqrt(len(found))
    true = np.array([2 / 3 if source == REST else 0.0 for source in SOURCES])
    assert (np.abs(found.mean(axis=0) - true) < 4 * errors).all()


@pytest.mark.parametrize("sizes", [SIZES, {**SIZES, "seat": 0.0, "strategy x seat": 0.0}])
def test_intervals_of_parts_hold_19_times_in_20(sizes: dict[str, float]) -> None:
    chance = np.random.default_rng(6)
    n_runs, held = 300, np.zeros(len(SOURCES))
    for _ in range(n_runs):
        rows, true = simulated(chance, 3, 3, 96, sizes)
        whole = sum(true.values())
        held += [
            one.low <= true[source] / whole <= one.high
            for source, one in zip(SOURCES, taken_in(rows).shares(), strict=True)
        ]
    shares = dict(zip(SOURCES, held / n_runs, strict=True))
    assert min(shares.values()) > 0.9
    for source in SOURCES:
        if source not in (STRATEGY, SEAT, STRATEGY_SEAT):  # these are widened near nothing
            assert shares[source] < 0.99


def test_a_seat_that_is_worth_nothing_is_not_held_for_surer_than_it_is() -> None:
    """With two seats and no effect the jackknife alone leaves nothing out of its interval one time in six."""
    chance = np.random.default_rng(10)
    sizes = {**SIZES, "seat": 0.0}
    shares = [taken_in(simulated(chance, 3, 2, 96, sizes)[0]).shares() for _ in range(300)]
    assert np.mean([one[SOURCES.index(SEAT)].low <= 0 <= one[SOURCES.index(SEAT)].high for one in shares]) > 0.93


def test_parts_of_deals_add_up_in_any_order() -> None:
    rows, _ = simulated(np.random.default_rng(7), 2, 3, 64, SIZES)
    groups = np.arange(64) * GROUPS // 64
    cut = Sums.nothing(GROUPS, 2, 3)
    for start in (40, 0, 17):
        end = {40: 64, 0: 17, 17: 40}[start]
        cut.add(rows[:, start:end], groups[start:end])
    assert cut.shares() == taken_in(rows).shares()


def test_a_table_in_other_seats_is_the_same_table() -> None:
    assert distinct_tables([[0, 1, 2], [1, 2, 0], [0, 2, 1], [2, 1, 0], [0, 0, 1]]) == [[0, 1, 2], [0, 2, 1], [0, 0, 1]]


# --- components of variance in Coin Race -------------------------------------------------------------------


def outcome(names: Sequence[str], luck: Sequence[int], whims: Sequence[int]) -> tuple[list[float], list[float]]:
    """Wins and coins of a game of one round, by seat, from which throws succeed and how random play throws."""
    coins: list[int] = [0] * len(names)
    for seat, name in enumerate(names):
        is_risky = {"baseline": 0, "gambler": 1, "random": whims[seat], "follower": int(max(coins) > coins[seat])}[name]
        coins[seat] = 2 * luck[seat] if is_risky else 1
    return shared_win(tuple(coins)), [float(n) for n in coins]


@cache
def study(seats: int, deals: int) -> Skill:
    return skill(NAME, seats=seats, deals=deals, changes=["rounds=1"])


@pytest.mark.parametrize("seats", [2, 3])
def test_parts_of_a_game_that_can_be_counted_out_are_found(seats: int) -> None:
    """A throw succeeds by the deal and seat alone, and random play throws by them: all deals can be gone through."""
    result = study(seats, 4_000)
    assert set(result.fields) == {EVERYBODY, PLANNED}
    found = {(row["field"], row["result"], row["source"]): row["value"] for row in result.component_rows}
    assert len(found) == 2 * 2 * len(SOURCES)
    for name, mixed in result.fields.items():
        tables = [[player.name for player in table] for table in mixed.plan.tables]
        kinds = list(product(product((0, 1), repeat=seats), repeat=2))
        arrays = np.zeros((2, len(kinds), len(tables), seats, seats))
        for at, (luck, whims) in enumerate(kinds):
            for table, turn in product(range(len(tables)), range(seats)):
                sitting = [tables[table][(seat + turn) % seats] for seat in range(seats)]
                for kind, values in enumerate(outcome(sitting, luck, whims)):
                    for seat in range(seats):
                        arrays[kind, at, table, (seat + turn) % seats, seat] = values[seat] - np.mean(values)
        for kind, measure in enumerate((WIN_SHARE, "score")):
            true = of_all_deals(arrays[kind])
            whole = float((arrays[kind] ** 2).mean())
            assert sum(true.values()) == pytest.approx(whole)
            for source in SOURCES:
                one = widened(found[name, measure, source])
                assert one.low - 1e-9 <= true[source] / whole <= one.high + 1e-9, (name, measure, source)
                assert one.high - one.low < 0.15


def of_all_deals(y: np.ndarray) -> dict[str, float]:
    """The components of results (deals, tables, players, seats), where these deals are all there are."""
    tables, seats = y.shape[1:3]
    mean = y.mean(axis=0)
    strategy, seat = mean.mean(axis=2, keepdims=True), mean.mean(axis=(0, 1), keepdims=True)
    both = mean - strategy - seat
    moved = y - mean
    of_deal = moved.mean(axis=(1, 2), keepdims=True)
    of_strategy = moved.mean(axis=3, keepdims=True)
    df = tables * (seats - 1)

    def mean_square(effect: np.ndarray, n: int) -> float:
        return float((np.broadcast_to(effect, y.shape) ** 2).sum() / len(y) / n)

    deal, strategy_deal = mean_square(of_deal, seats - 1), mean_square(of_strategy, df)
    rest = mean_square(moved - of_deal - of_strategy, (seats - 1) * (df - 1))
    free = (seats - 1) / seats
    return {
        "strategy": float((strategy**2).mean()),
        "seat": float((seat**2).mean()),
        "strategy x seat": float((both**2).mean()),
        "deal": free * (deal - rest) / (tables * seats),
        "strategy x deal": free * (strategy_deal - rest) / seats,
        "rest": free * rest,
    }


# --- games to lead -----------------------------------------------------------------------------------------


def binomial_lead(p: float, n: int) -> float:
    """Chance of more than half of n games, each won with a chance of p and lost otherwise."""
    logs = [math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)]
    return math.fsum(math.exp(logs[k] + k * math.log(p) + (n - k) * math.log1p(-p)) for k in range(n // 2 + 1, n + 1))


def trinomial_lead(win: float, lose: float, n: int) -> float:
    """Chance of more games won than lost, others being neither."""
    total = 0.0
    for wins in range(n + 1):
        for losses in range(min(wins, n - wins + 1)):
            ways = math.comb(n, wins) * math.comb(n - wins, losses)
            total += ways * win**wins * lose**losses * (1 - win - lose) ** (n - wins - losses)
    return total


@pytest.mark.parametrize("p", [0.95, 0.9, 0.8, 0.7, 0.62, 0.58, 0.56])
def test_games_to_lead_are_those_of_the_binomial(p: float) -> None:
    n = int(games_to_lead({60: p, -60: 1 - p}))
    assert n <= EXACT_GAMES
    assert binomial_lead(p, n) >= 0.95 - 1e-12
    assert all(binomial_lead(p, fewer) < 0.95 + 1e-12 for fewer in range(1, n))
    assert lead_probability({1: p, -1: 1 - p}, n) == pytest.approx(binomial_lead(p, n))


@pytest.mark.parametrize(("win", "lose"), [(0.6, 0.1), (0.5, 0.25), (0.4, 0.2), (0.3, 0.1), (0.9, 0.05)])
def test_games_to_lead_are_those_of_the_trinomial(win: float, lose: float) -> None:
    n = int(games_to_lead({60: win, 0: 1 - win - lose, -60: lose}))
    assert trinomial_lead(win, lose, n) >= 0.95 - 1e-12
    assert all(trinomial_lead(win, lose, fewer) < 0.95 for fewer in range(1, n))


@pytest.mark.parametrize("p", [0.535, 0.53, 0.525, 0.515])
def test_beyond_the_exact_the_normal_approximation_is_near(p: float) -> None:
    from scipy import stats

    n = games_to_lead({60: p, -60: 1 - p})
    assert n > EXACT_GAMES
    tries = np.arange(1, 2 * int(n))
    exact = int(tries[np.argmax(stats.binom.sf(tries // 2, tries, p) >= 0.95)])
    assert abs(n - exact) <= 2
    three = {60: p / 2, 0: 0.5, -60: (1 - p) / 2}
    many = games_to_lead(three)
    before, at, after = (_trinomial_by_fourier(three, int(share * many)) for share in (0.99, 1, 1.01))
    assert before < 0.95 < after
    assert at == pytest.approx(0.95, abs=2e-4)


def _trinomial_by_fourier(chances: dict[int, float], n: int) -> float:
    """Chance of a sum above 0, by the characteristic function."""
    size = 1 << (2 * n + 2).bit_length()
    once = np.zeros(size)
    for step, p in chances.items():
        once[step // 60 % size] = p
    sums = np.fft.irfft(np.fft.rfft(once) ** n, size)
    return float(sums[1 : n + 1].sum())


@pytest.mark.parametrize(
    ("chances", "n"),
    [
        ({60: 1.0}, 1),
        ({60: 0.95, -60: 0.05}, 1),
        ({60: 0.5, 0: 0.5}, 5),  # 1 - 1/32
        ({60: 1, 0: 9}, 29),  # 0.9**29 is the first below 0.05
        ({60: 0.5, -60: 0.5}, math.inf),
        ({60: 0.4, -60: 0.6}, math.inf),
        ({0: 1.0}, math.inf),
        ({-60: 1.0}, math.inf),
        ({30: 0.6, -60: 0.3, 0: 0.1}, math.inf),
    ],
)
def test_games_to_lead_of_plain_cases(chances: dict[int, float], n: float) -> None:
    assert games_to_lead(chances) == n


def test_shared_wins_count_as_their_part() -> None:
    """Steps of a half and of a third: the sums gone through one by one."""
    chances = {60: 0.3, 30: 0.2, 20: 0.1, 0: 0.1, -20: 0.1, -30: 0.1, -60: 0.1}
    n = int(games_to_lead(chances))
    sums = {0: 1.0}
    for games in range(1, n + 1):
        after: dict[int, float] = defaultdict(float)
        for total, p in sums.items():
            for step, q in chances.items():
                after[total + step] += p * q
        sums = after
        lead = sum(p for total, p in sums.items() if total > 0)
        assert (lead >= 0.95) == (games == n)
    assert games_to_lead({d // 10: p for d, p in chances.items()}) == n
    assert lead_probability(chances, n) == pytest.approx(lead)


@pytest.mark.parametrize("bad", [{}, {60: 0.0}, {60: 0.5, -60: -0.1}])
def test_chances_that_are_none_are_refused(bad: dict[int, float]) -> None:
    with pytest.raises(ValueError, match="chances must not"):
        games_to_lead(bad)
    with pytest.raises(ValueError, match="sure must lie"):
        games_to_lead({60: 1.0}, sure=1.0)


def test_tilted_chances_have_the_mean_asked_for_and_need_fewer_games_the_greater_it_is() -> None:
    chances = {60: 0.3, 30: 0.1, 0: 0.4, -30: 0.05, -60: 0.15}
    numbers = []
    for mean in (1.0, 3.0, 9.0, 15.0, 30.0, 59.0):
        found = tilted(chances, mean)
        assert sum(found.values()) == pytest.approx(1)
        assert sum(d * p for d, p in found.items()) == pytest.approx(mean, abs=1e-6)
        numbers.append(games_to_lead(found))
    assert numbers == sorted(numbers, reverse=True)
    same = tilted(chances, sum(d * p for d, p in chances.items()))
    assert list(same.values()) == pytest.approx(list(chances.values()))
    assert max(tilted(chances, 100.0), key=lambda d: tilted(chances, 100.0)[d]) == 60


def test_intervals_of_games_to_lead_hold_19_times_in_20() -> None:
    chance = np.random.default_rng(8)
    true = games_to_lead({60: 0.42, 0: 0.3, -60: 0.28})
    n_runs, held = 400, 0
    for _ in range(n_runs):
        counts = chance.multinomial(40, [0.42, 0.3, 0.28], size=GROUPS).T
        one = leading.estimate(dict(zip((60, 0, -60), counts, strict=True)), 40 * GROUPS)
        assert one.low <= one.estimate <= one.high
        held += one.low <= true <= one.high
    assert abs(held / n_runs - 0.95) < 0.045


def test_two_that_cannot_be_told_apart_have_no_end() -> None:
    counts = {60: np.full(GROUPS, 10), -60: np.arange(GROUPS) % 20}
    one = leading.estimate(counts, 500)
    assert math.isinf(one.high)
    assert math.isfinite(one.low)


# --- the ladder --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_the_ladder_of_coin_race_is_found(seats: int) -> None:
    result = skill(NAME, seats=seats, deals=8_000)
    shares = [row["value"].estimate for row in result.strength_rows]
    assert shares == sorted(shares, reverse=True)
    assert [row["name"] for row in result.strength_rows] == list(result.names)
    steps = list(zip(result.names, result.names[1:], strict=False))
    assert [(row["upper"], row["lower"]) for row in result.ladder_rows] == [*steps, (result.names[0], result.names[-1])]
    assert [row["is_step"] for row in result.ladder_rows] == [True] * len(steps) + [False]
    for row in result.ladder_rows:
        upper, lower = row["upper"], row["lower"]
        true = (alone(upper, lower, seats) + 1 - alone(lower, upper, seats)) / 2
        one = widened(row["wins"])
        assert one.low <= true <= one.high
        assert one.high - one.low < 0.06
        if abs(true - 0.5) > 0.02:
            assert row["p_value"] < 0.01
        if abs(true - 0.5) < 1e-9:
            assert row["p_value"] > 1e-4
        chances = pair_chances(upper, lower, seats)
        seen = {d - SIXTIETHS: n for d, n in enumerate(result.ladder.differences.sum(axis=0)[at(result, upper, lower)])}
        total = sum(seen.values())
        assert total == 2 * seats * (seats - 1) * 8_000
        for d, n in seen.items():
            assert n / total == pytest.approx(chances.get(d, 0.0), abs=0.01)
        assert row["games"].n == 2 * seats * 8_000
        need = games_to_lead(chances)
        if math.isfinite(need):
            mean = sum(d * p for d, p in chances.items())
            wide = 3 / student_quantile(0.95, GROUPS - 1)
            assert row["games"].low / wide**2 <= need
            assert need <= row["games"].high * wide**2 or math.isinf(row["games"].high) or mean < 1


def at(result: Skill, upper: str, lower: str) -> int:
    return result.ladder.pairs.index((result.names.index(upper), result.names.index(lower)))


def pair_chances(upper: str, lower: str, seats: int) -> dict[int, float]:
    """Chances of the differences of wins of one of each, at a table of either kind, any seats."""
    found: dict[int, float] = defaultdict(float)
    for lone, rest, sign in ((upper, lower, 1), (lower, upper, -1)):
        for mine in range(seats):
            race = Race(tuple(lone if seat == mine else rest for seat in range(seats)))
            for coins, p in race.standings[-1].items():
                wins = [round(SIXTIETHS * share) for share in shared_win(coins)]
                for seat in range(seats):
                    if seat != mine:
                        found[sign * (wins[mine] - wins[seat])] += p / (2 * seats * (seats - 1))
    return dict(found)


def test_the_order_and_the_ladder_are_of_different_deals() -> None:
    result = study(3, 4_000)
    assert (result.plan.first, result.plan.deals) == (0, 4_000)
    assert (result.ladder.plan.first, result.ladder.plan.deals) == (4_000, 4_000)


def test_seats_of_the_weak_and_the_strong_table_are_found() -> None:
    changes = ["head_start=1,0,0,0", "rounds=2"]
    result = skill(NAME, seats=3, deals=500, changes=changes)
    assert result.kinds == {WEAK: RANDOM, STRONG: result.names[0]}
    spreads = {}
    for name, kind in result.kinds.items():
        race = Race((kind,) * 3, head_start=(1, 0, 0, 0), rounds=2)
        rows = [row for row in result.seat_rows if row["table"] == name]
        assert [row["seat"] for row in rows] == [1, 2, 3]
        for row, true in zip(rows, race.win_shares, strict=True):
            one = widened(row["value"])
            assert one.low <= true <= one.high
        spreads[name] = max(race.win_shares) - min(race.win_shares)
    spreads["difference"] = spreads[STRONG] - spreads[WEAK]
    for row in result.spread_rows:
        one = widened(row["value"])
        assert one.low <= spreads[row["table"]] <= one.high


def test_the_spread_by_chance_is_that_of_seats_that_are_alike() -> None:
    """What the yardstick stands for, seats that win as if by lot, drawn many times."""
    chance = np.random.default_rng(9)
    result = study(3, 4_000)
    row = result.spread_rows[0]
    games = result.tables[WEAK][0].games
    wins = chance.multinomial(games, [1 / 3] * 3, size=4_000) / games
    assert row["by_chance"] == pytest.approx(np.ptp(wins, axis=1).mean(), rel=0.03)


# --- the same bits, bad input ------------------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs() -> None:
    told: list[tuple[int, int]] = []
    first, again, spread = (
        skill(NAME, ["gambler", "follower"], seats=2, deals=4_000, work=work)
        for work in (Work(1, progress=lambda *n: told.append(n)), Work(1), Work(2))
    )
    assert len(list(first.plan.parts())) > 1
    assert repr(first.as_dict()) == repr(again.as_dict()) == repr(spread.as_dict())
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    json.dumps(plain(first.as_dict()), allow_nan=False)
    assert RANDOM in first.names


def test_a_folder_for_results_changes_nothing(tmp_path: Any) -> None:
    bare, kept, found_again = (skill(NAME, seats=3, deals=64, work=Work(out=out)) for out in (None, tmp_path, tmp_path))
    assert repr(bare.as_dict()) == repr(kept.as_dict()) == repr(found_again.as_dict())
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"names": ["baseline"]}, "3 to 40 strategies with random play, not 2"),
        ({"names": ["random"]}, "3 to 40 strategies with random play, not 1"),
        ({"names": ["baseline"] * 41}, "3 to 40 strategies with random play, not 42"),
        ({"names": ["baseline", "baseline"]}, "the strategy 'baseline' is named twice"),
        ({"names": ["baseline", "nobody"]}, "nobody"),
        ({"deals": 31}, "at least 32 deals, not 31"),
        ({"seats": 5}, "seats 2 to 4 players, not 5"),
        ({"seed": -1}, "seed"),
        ({"changes": ["nothing=1"]}, "nothing"),
        ({"work": Work(jobs=-1)}, "jobs"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssayError, match=said) as fault:
        skill(NAME, **given)
    assert "\n" not in str(fault.value)


# --- in words and on the page ------------------------------------------------------------------------------


def view_of(result: Skill) -> View:
    """A view of these frames alone."""
    view = object.__new__(View)
    view.frames = result.frames
    return view


def check_told(result: Skill) -> str:
    """Words and the part of the report, and that every number of a table is the one in its frame."""
    text = words(result)
    assert max(len(line) for line in text.splitlines()) <= WIDTH
    view = view_of(result)
    (question,) = questions(view, result)
    (verdict,) = verdicts(view, result)
    assert verdict.question == question.id
    assert all("nan" not in line and "inf " not in line for line in (*question.answer, *question.sure, verdict.text))
    assert set(question.files) == set(result.frames) == {table.source for table in question.tables}
    for table in question.tables:
        rows = result.frames[table.source]
        for cell in (cell for line in table.rows for cell in line if cell.row is not None and cell.value):
            assert float(rows.loc[cell.row, cell.column]) == float(cell.value)
    assert question.picture is not None
    draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))
    return " ".join(text.split())


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_told(game: str) -> None:
    for seats in (min(find_game(game).seats), max(find_game(game).seats)):
        result = skill(
            game, ["baseline", "gambler"] if game == NAME else ["baseline", *_one_more(game)], seats=seats, deals=32
        )
        assert "Who wins, if everybody plays" in check_told(result)
        assert set(result.fields) == {EVERYBODY}
    if game == NAME:
        result = study(3, 4_000)
        assert "Who wins among those who do not play at random" in check_told(result)


def _one_more(game: str) -> list[str]:
    names = sorted(file.stem for file in find_game(game).strategy_folder.glob("[a-z]*.py"))
    return [name for name in names if name not in ("baseline", "random")][:1]


def test_a_game_in_which_all_end_alike_has_nothing_to_take_apart() -> None:
    result = skill(NAME, seats=3, deals=32, changes=["safe_coins=0", "risky_coins=0"])
    assert result.component_rows == []
    text = check_told(result)
    assert "All games end alike for all seats" in text
    for row in result.ladder_rows:
        assert row["wins"].estimate == 0.5
        assert row["p_value"] == 1
        assert (row["games"].low, row["games"].high) == (math.inf, math.inf)


def test_a_ladder_that_random_play_is_not_the_foot_of_says_so() -> None:
    """A safe throw always wins against one that cannot succeed."""
    result = skill(NAME, ["baseline", "gambler"], seats=2, deals=64, changes=["risk_percent=0", "rounds=1"])
    assert result.names == ("baseline", "random", "gambler")
    text = check_told(result)
    assert "Random play is not the weakest: it stands above gambler." in text
    top = result.ladder_rows[-1]
    assert (top["upper"], top["lower"], top["games"].estimate) == ("baseline", "gambler", 1)
    assert "After one game baseline has won more than gambler" in text
