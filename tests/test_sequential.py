"""Sequential estimates and tests against known answers, brute force and synthetic studies of known truth."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
import scipy.optimize

from analyses import sequential, statistics
from analyses.sequential import better, looks, running_difference, running_share, sprt
from simcore.moments import Moments

SEED = 20261
N_STUDIES = 2_000
ALPHA = 0.05
LOOKS = looks(250, 1.0905, 50_000, 10)
TUNED_AT = 5_000


def ceiling(rate: float) -> float:
    """The rate and three standard errors of its count over all studies."""
    return rate + 3 * math.sqrt(rate * (1 - rate) / N_STUDIES)


def block_of(*seats: dict[int, float]) -> dict[int, float]:
    """Distribution of a block's total, the sum of independent results of its seats."""
    block = {0: 1.0}
    for seat in seats:
        total: dict[int, float] = {}
        for done, p in block.items():
            for value, q in seat.items():
                total[done + value] = total.get(done + value, 0) + p * q
        block = total
    return block


def seat(p: float) -> dict[int, float]:
    """A seat that shares in the win with chance p, one time in ten with one other or two."""
    return {0: 1 - p, 60: 0.9 * p, 30: 0.06 * p, 20: 0.04 * p}


def lead(by: float) -> dict[int, float]:
    """Sixtieths of a minus b in one game, of mean `by` wins, where somebody else wins every second game."""
    return {0: 0.5, 60: (0.5 + by / 0.96) / 2 * 0.9, -60: (0.5 - by / 0.96) / 2 * 0.9} | {
        sign * 36: (0.5 + sign * by / 0.96) / 2 * 0.1 for sign in (1, -1)
    }


@dataclass
class Studies:
    """Sums of every study at every look, of shape (looks, studies)."""

    n: list[int]
    total: np.ndarray
    squares: np.ndarray

    def moments(self, look: int, study: int) -> Moments:
        return Moments(self.n[look], (int(self.total[look, study]),), ((int(self.squares[look, study]),),))

    def looks_of(self, study: int, step: int = 1) -> Iterator[Moments]:
        return (self.moments(look, study) for look in range(0, len(self.n), step))

    def means(self, unit: int) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard error at every look of every study."""
        n = np.array(self.n)[:, None]
        variance = (self.squares - self.total**2 / n) / (n - 1)
        return self.total / n / unit, np.sqrt(np.maximum(variance, 0) / n) / unit


@lru_cache(maxsize=8)
def studies(cells: tuple[tuple[int, float], ...], at: tuple[int, ...]) -> Studies:
    """Studies of independent blocks, each with one of the values of `cells` by its chance."""
    values, chances = np.array([v for v, _ in cells]), np.array([p for _, p in cells])
    steps = np.diff([0, *at])
    counts = np.random.default_rng(SEED).multinomial(steps[:, None], chances / chances.sum(), (len(at), N_STUDIES))
    return Studies(list(at), *(np.cumsum(counts @ values**power, axis=0) for power in (1, 2)))


def studies_of(block: dict[int, float], at: Sequence[int] = LOOKS) -> Studies:
    return studies(tuple(block.items()), tuple(at))


def mean_of(block: dict[int, float], unit: int) -> float:
    return sum(v * p for v, p in block.items()) / unit


def false_alarms(many: Studies, interval, truth: float, unit: int) -> float:
    """Share of the studies whose interval misses the truth at some look; none is under 1.9 standard errors."""
    mean, error = many.means(unit)
    is_missed = np.zeros(N_STUDIES, bool)
    for look, study in np.argwhere((abs(mean - truth) > 1.9 * error) | (error == 0)):
        if not is_missed[study]:
            estimate = interval(many.moments(look, study))
            is_missed[study] = not estimate.low <= truth <= estimate.high
    return float(is_missed.mean())


TYPICAL = block_of(*map(seat, (0.2, 0.25, 0.3, 0.25)))
RARE = block_of(*[seat(0.001)] * 4)
SELDOM_UNLIKE = {60: 0.997, 120: 0.003}
RARE_SINGLE = {0: 0.997, 60: 0.003}


# --- Confidence sequences -----------------------------------------------------------------------------------


HARD = [
    pytest.param(RARE, 4, id="rare"),
    pytest.param(SELDOM_UNLIKE, 4, id="seldom"),
    pytest.param(RARE_SINGLE, 1, id="single"),
]


@pytest.mark.parametrize(("block", "n_games"), [pytest.param(TYPICAL, 4, id="typical"), *HARD])
def test_sixty_looks_raise_no_more_false_alarms_than_one(block, n_games):
    assert len(LOOKS) == 60
    unit = n_games * 60
    many, truth = studies_of(block), mean_of(block, unit)
    rate = false_alarms(many, lambda m: running_share(m, [1], n_games, tuned_at=TUNED_AT), truth, unit)
    assert 0 < rate <= ceiling(ALPHA)


def test_looking_sixty_times_at_a_fixed_interval_raises_false_alarms():
    many, truth = studies_of(TYPICAL), mean_of(TYPICAL, 240)
    assert false_alarms(many, lambda m: statistics.share(m, [1], 4), truth, 240) > 6 * ALPHA


@pytest.mark.parametrize(("block", "n_games"), HARD)
def test_rare_wins_need_more_than_the_bare_closed_form(block, n_games):
    mean, error = studies_of(block).means(n_games * 60)
    width = np.array([math.sqrt(n) * sequential.half_width(n, 1, 0.95, TUNED_AT) for n in LOOKS])[:, None]
    is_missed = (error > 0) & (abs(mean - mean_of(block, n_games * 60)) > width * error)
    assert is_missed.any(axis=0).mean() > ceiling(ALPHA)


@pytest.mark.parametrize("block", [block_of(*[lead(0)] * 4), {0: 0.997, 60: 0.003}], ids=["typical", "seldom"])
def test_differences_hold_at_every_look(block):
    options = {"scale": 60, "tuned_at": TUNED_AT, "bounds": (-1, 1)}
    truth = mean_of(block, 240)
    rate = false_alarms(studies_of(block), lambda m: running_difference(m, [1], [0], 4, **options), truth, 240)
    assert 0 < rate <= ceiling(ALPHA)


def test_intervals_cover_where_the_study_stops():
    """A study that stops when its share is known to be unfair, or to a point, stops on the luckiest deals."""
    block = block_of(*[seat(0.27)] * 4)
    many, truth = studies_of(block), mean_of(block, 240)

    def coverage(interval) -> float:
        is_covered = np.zeros(N_STUDIES, bool)
        for i in range(N_STUDIES):
            for moments in many.looks_of(i, step=3):
                estimate = interval(moments)
                if estimate.low > 0.25 or estimate.high < 0.25 or estimate.high - estimate.low < 0.02:
                    break
            is_covered[i] = estimate.low <= truth <= estimate.high
        return float(is_covered.mean())

    assert 1 - coverage(lambda m: running_share(m, [1], 4, tuned_at=TUNED_AT)) <= ceiling(ALPHA)
    assert 1 - coverage(lambda m: statistics.share(m, [1], 4)) > ceiling(ALPHA)


@pytest.mark.parametrize(("confidence", "ratio"), [(0.95, 1.5486), (0.99, 1.3866)])
def test_width_where_it_is_tuned(confidence, ratio):
    n, variance = 10**6, 0.04
    tuned = sequential.half_width(n, variance, confidence, n)
    fixed = statistics.student_quantile(confidence, n - 1) * math.sqrt(variance / n)
    assert tuned / fixed == pytest.approx(ratio, abs=1e-4)
    for other in (n * 0.98, n * 1.02):
        assert sequential.half_width(n, variance, confidence, other) > tuned


@pytest.mark.parametrize(("n", "rho", "width"), [(100, 0.3, 0.311713), (5000, 0.02, 0.059231)])
def test_closed_form_of_the_paper(n, rho, width, monkeypatch):
    monkeypatch.setattr(sequential, "_growth_at_best", lambda _: rho**2)
    x = n * rho**2 + 1
    paper = math.sqrt(2 * x / (n * rho) ** 2 * math.log(math.sqrt(x) / 0.05))
    assert sequential.half_width(n, 1, 0.95, 1) == pytest.approx(paper, rel=1e-12)


def test_large_studies_get_the_closed_form():
    moments = studies_of(TYPICAL).moments(-1, 0)
    variance = moments.variance([1]) / 240**2
    half = sequential.half_width(moments.n, variance, 0.95, TUNED_AT)
    share = running_share(moments, [1], 4, tuned_at=TUNED_AT)
    paired = running_difference(moments, [1], [0], 4, scale=60, tuned_at=TUNED_AT)
    assert share.estimate == paired.estimate == statistics.share(moments, [1], 4).estimate
    assert (share.n, share.n_effective) == (200_000, statistics.share(moments, [1], 4).n_effective)
    assert (share.high - share.low) / 2 == pytest.approx(half, rel=0.004)
    assert paired.high - paired.estimate == pytest.approx(half, rel=1e-12)
    assert paired.estimate - paired.low == pytest.approx(half, rel=1e-9)
    assert all("holds at every look" in e.method for e in (share, paired))
    assert "paired over deals" in paired.method
    assert json.loads(json.dumps(share.as_dict()))["low"] == share.low


def test_few_blocks_stay_within_their_bounds():
    for blocks in ([[0], [240]], [[0], [0], [60]], [[240], [180]]):
        share = running_share(Moments.of(np.array(blocks)), [1], 4, tuned_at=TUNED_AT)
        assert (share.low, share.high) == (0, 1)
    paired = running_difference(Moments.of([[0, 60], [60, 0]]), [1, 0], [0, 1], 1, scale=60, tuned_at=9, bounds=(-1, 1))
    assert (paired.low, paired.high) == (-1, 1)


def test_equal_blocks_get_the_exact_limit():
    moments = Moments.of(np.full((300, 1), 60))
    share, fixed = running_share(moments, [1], 4, tuned_at=100), statistics.share(moments, [1], 4)
    assert (share.estimate, share.low, share.high) == (fixed.estimate, fixed.low, fixed.high)
    assert share.low < 0.25 < share.high
    assert share.method == "every block equal, exact limit on unseen blocks, holds at every look"
    exact = running_share(moments, [1], 4, tuned_at=100, is_exact=True)
    assert (exact.low, exact.high, exact.method) == (0.25, 0.25, "exact: the design fixes every block")
    options = {"scale": 60, "tuned_at": 100}
    bounded = running_difference(moments, [1], [0], 4, bounds=(-1, 1), **options)
    assert bounded.low == pytest.approx(0.25 - 1.25 * (1 - 0.025 ** (1 / 300)))
    assert bounded.method.endswith("paired over deals, holds at every look")
    free = running_difference(moments, [1], [0], 4, **options)
    assert (free.low, free.high) == (0.25, 0.25)


def test_forecast_is_the_inverse_of_the_width():
    for variance in (1e-6, 0.03, 0.25, 40.0):
        for target in (0.002, 0.01, 0.3):
            for tuned_at in (50, 10**4):
                n = sequential.deals_needed(variance, target, 0.95, tuned_at)
                assert sequential.half_width(n, variance, 0.95, tuned_at) <= target
                assert n == 2 or sequential.half_width(n - 1, variance, 0.95, tuned_at) > target
    assert sequential.deals_needed(0.0, 0.01, 0.95, 100) == 2
    n = sequential.deals_needed(0.04, 0.002, 0.95, 90_000)
    assert sequential.deals_needed(0.04, 0.001, 0.95, 90_000) > 4 * n  # past its best, it is wider


# --- Sequential tests ---------------------------------------------------------------------------------------

# Two-player matches, game pairs by score; fastchess prints this ratio and this normalised Elo (0 against 2).
PENTANOMIAL = [379, 10170, 21828, 10640, 343]
PAIR_SCORES = [0, 0.25, 0.5, 0.75, 1]
NORMALISED_ELO = math.sqrt(2) * math.log(10) / 800  # in standard deviations of the score of a pair


def pentanomial() -> tuple[int, float, float]:
    n, counts, scores = sum(PENTANOMIAL), np.array(PENTANOMIAL), np.array(PAIR_SCORES)
    mean = counts @ scores / n
    return n, mean, counts @ (scores - mean) ** 2 / n


def test_ratio_of_fastchess():
    n, mean, variance = pentanomial()
    t = (mean - 0.5) / math.sqrt(variance)
    assert t / NORMALISED_ELO == pytest.approx(3.0505, abs=5e-5)
    assert sequential.normalised_llr(n, t, 0, 2 * NORMALISED_ELO) == pytest.approx(2.945978, abs=5e-7)
    exact = sequential.multinomial_normalised_llr(PENTANOMIAL, PAIR_SCORES, 0, 2 * NORMALISED_ELO, centre=0.5)
    assert exact == pytest.approx(2.94550, abs=6e-6)


def test_ratio_in_units_of_the_score():
    n, mean, variance = pentanomial()
    d = 2 * NORMALISED_ELO * math.sqrt(variance)
    assert sequential.difference_llr(n, mean - 0.5, variance, 0, d) == pytest.approx(2.945978, abs=5e-7)
    assert sequential.multinomial_llr(PENTANOMIAL, PAIR_SCORES, 0.5, 0.5 + d) == pytest.approx(2.9454, abs=5e-5)
    by_hand = n / 2 * math.log((variance + (mean - 0.5) ** 2) / (variance + (mean - 0.5 - d) ** 2))
    assert sequential.difference_llr(n, mean - 0.5, variance, 0, d) == pytest.approx(by_hand, rel=1e-9)


def brute_force(counts, constraint) -> float:
    """Greatest log-likelihood under a constraint on the probabilities."""
    counts = np.array(counts, dtype=float)
    found = scipy.optimize.minimize(
        lambda p: -(counts @ np.log(np.maximum(p, 1e-300))) / counts.sum(),
        np.full(len(counts), 1 / len(counts)),
        bounds=[(1e-9, 1)] * len(counts),
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": constraint}],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -float(found.fun) * counts.sum()


@pytest.mark.parametrize("counts", [[5, 9, 3, 4], [0, 9, 3, 0], [7, 0, 0, 1], [12, 0, 0, 0]])
def test_multinomial_ratio_equals_brute_force(counts):
    scores = np.array([0, 1, 2, 4])
    for m0, m1 in ((1.0, 1.5), (0.2, 3.0)):
        slow = [brute_force(counts, lambda p, m=m: p @ scores - m) for m in (m0, m1)]
        assert sequential.multinomial_llr(counts, scores, m0, m1) == pytest.approx(slow[1] - slow[0], abs=2e-4)


@pytest.mark.parametrize("counts", [[5, 9, 3, 4], [0, 9, 3, 2]])
def test_normalised_multinomial_ratio_equals_brute_force(counts):
    scores = np.array([0, 1, 2, 4])

    def gap(p, t):
        mean = p @ scores
        return mean - 1.5 - t * math.sqrt(max(p @ (scores - mean) ** 2, 1e-12))

    slow = [brute_force(counts, lambda p, t=t: gap(p, t)) for t in (-0.2, 0.3)]
    fast = sequential.multinomial_normalised_llr(counts, scores, -0.2, 0.3, centre=1.5)
    assert fast == pytest.approx(slow[1] - slow[0], abs=2e-4)


GAP = 0.04
GAP_LOOKS = tuple(looks(250, 1.1, 10_000, 10))
PAIRED = {"games_per_block": 4, "weights_a": [1], "weights_b": [0]}


@lru_cache(maxsize=8)
def stops(by: float) -> tuple[dict[str, float], float]:
    """Share of each verdict of `better` where a leads by so much, and the mean number of blocks it took."""
    verdicts, total = dict.fromkeys(("a is better", "b is better", "no such difference", "open"), 0), 0
    many = studies_of(block_of(*[lead(by)] * 4), GAP_LOOKS)
    for i in range(N_STUDIES):
        for moments in many.looks_of(i):
            decision = better(moments, gap=GAP, **PAIRED)
            if decision.verdict != "open":
                break
        verdicts[decision.verdict] += 1
        total += moments.n
    return {name: count / N_STUDIES for name, count in verdicts.items()}, total / N_STUDIES


def test_equal_strategies_are_seldom_told_apart():
    verdicts, _ = stops(0)
    assert verdicts["open"] == 0
    for name in ("a is better", "b is better"):
        assert 0 < verdicts[name] <= ceiling(ALPHA / 2)
    assert verdicts["a is better"] + verdicts["b is better"] <= ceiling(ALPHA)


@pytest.mark.parametrize(("by", "name"), [(GAP, "a is better"), (-GAP, "b is better")])
def test_a_lead_of_the_gap_is_seldom_missed(by, name):
    assert mean_of(block_of(*[lead(by)] * 4), 240) == pytest.approx(by)
    verdicts, _ = stops(by)
    assert verdicts["open"] == 0
    assert 0 < 1 - verdicts[name] <= ceiling(ALPHA)


def test_a_sequential_test_takes_fewer_deals_than_a_fixed_one():
    block = block_of(*[lead(0)] * 4)
    variance = sum(v * v * p for v, p in block.items()) / 240**2
    fixed = variance * ((1.959964 + 1.644854) / GAP) ** 2
    for by, most in ((0, 0.95), (GAP, 0.8), (2 * GAP, 0.4)):  # at 0 a lead of either side must be ruled out
        assert stops(by)[1] < most * fixed


@pytest.mark.parametrize(("by", "wrong", "rate"), [(0.01, "a is better", 0.02), (0.05, "no such difference", 0.1)])
def test_each_error_rate_of_the_one_sided_test(by, wrong, rate):
    n_wrong = n_open = 0
    many = studies_of(block_of(*[lead(by)] * 4), GAP_LOOKS)
    for i in range(N_STUDIES):
        for moments in many.looks_of(i):
            verdict = sprt(moments, d0=0.01, d1=0.05, alpha=0.02, beta=0.1, **PAIRED).verdict
            if verdict != "open":
                break
        n_wrong += verdict == wrong
        n_open += verdict == "open"
    assert n_open == 0
    assert rate / 4 < n_wrong / N_STUDIES <= ceiling(rate)


def test_better_is_symmetric_and_names_its_bounds():
    blocks = np.random.default_rng(SEED).choice([0, 60, 120], (800, 2), p=[0.5, 0.3, 0.2])
    blocks[:, 0] += 30
    moments = Moments.of(blocks)
    a, b = better(moments, [1, 0], [0, 1], 4, gap=0.05), better(moments, [0, 1], [1, 0], 4, gap=0.05)
    assert (a.verdict, b.verdict) == ("a is better", "b is better")
    assert (a.llr, a.low, a.high, a.n) == (b.llr, b.low, b.high, 800)
    assert (a.low, a.high) == (pytest.approx(math.log(0.05 / 0.975)), pytest.approx(math.log(0.95 / 0.025)))
    assert a.method == "GSPRT over blocks, 0 against +-0.05, alpha 0.05, beta 0.05"
    one = sprt(moments, [1, 0], [0, 1], 4, d0=0, d1=0.05)
    assert one.llr == a.llr
    assert (one.low, one.high) == sequential.wald_bounds(0.05, 0.05)
    assert json.loads(json.dumps(one.as_dict()))["verdict"] == "a is better"


def test_ratio_of_blocks_is_the_closed_form_for_many():
    moments = studies_of(block_of(*[lead(0)] * 4)).moments(-1, 3)
    n, mean = moments.n, moments.mean([1]) / 240
    bare = sequential.difference_llr(n, mean, moments.variance([1]) / 240**2 * (n - 1) / n, 0, 0.003)
    assert sprt(moments, d0=0, d1=0.003, **PAIRED).llr == pytest.approx(bare, rel=0.002)


def test_equal_blocks_are_decided_by_the_exact_ratio():
    def of(n, value=0):
        return better(Moments.of(np.full((n, 1), value)), gap=0.01, **PAIRED)

    exact = sequential.multinomial_llr([200, 0, 0], [0, -1, 1], 0, 0.01)
    assert of(200).llr == pytest.approx(exact, rel=1e-9) == pytest.approx(200 * math.log(0.99))
    assert (of(1).verdict, of(294).verdict, of(296).verdict) == ("open", "open", "no such difference")
    assert (of(370, 60).verdict, of(370, -60).verdict) == ("a is better", "b is better")
    exact = sequential.multinomial_llr([300, 0, 0], [0.25, -1, 1], 0, 0.01)
    assert of(300, 60).llr == pytest.approx(exact, rel=1e-6)


def test_blocks_that_seldom_differ_are_not_decided_early():
    """At 242 blocks as good as equal, a lead of 0.01 by whole games may well have come up just once."""
    blocks = np.zeros((200, 1), dtype=int)
    blocks[0] = 240
    assert better(Moments.of(blocks), gap=0.01, **PAIRED).verdict == "open"


# --- Looks and refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "growth", "limit", "part"),
    [(250, 1.1, 10**6, 250), (1, 1.0001, 500, 1), (90, 2, 1001, 100), (7, 1.3, 4, 3), (5, 1.5, 5, 10)],
)
def test_looks_grow_on_whole_parts(first, growth, limit, part):
    found = looks(first, growth, limit, part)
    assert found[-1] == limit
    assert all(b > a for a, b in pairwise(found))
    assert all(n % part == 0 and n >= first for n in found[:-1])
    assert all(b < a * growth + part for a, b in pairwise(found))
    assert all(b >= a * growth * (1 - 1e-6) for a, b in pairwise(found[:-1]))
    assert all(type(n) is int for n in found)


def test_looks_are_those_expected():
    assert looks(100, 1.1, 160, 10) == [100, 110, 130, 150, 160]
    assert looks(90, 2, 1001, 100) == [100, 200, 400, 800, 1001]
    assert looks(50, 2, 30) == [30]


MOMENTS = Moments.of([[0], [60], [240]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: running_share(MOMENTS, [1], 4, tuned_at=0), "tuned_at"),
        (lambda: running_share(MOMENTS, [1], 4, tuned_at=9, confidence=1.0), "confidence"),
        (lambda: running_share(MOMENTS, [1], 3, tuned_at=9), "blocks must lie"),
        (lambda: running_share(MOMENTS, [1], 4, tuned_at=9, is_exact=True), "is_exact"),
        (lambda: running_difference(MOMENTS, [1], [0], 2, scale=60, tuned_at=9, bounds=(-1, 1)), "blocks must lie"),
        (lambda: sequential.half_width(0, 1, 0.95, 9), "n must"),
        (lambda: sequential.half_width(5, -1, 0.95, 9), "variance"),
        (lambda: sequential.deals_needed(1, 0, 0.95, 9), "half_width"),
        (lambda: sprt(MOMENTS, [1], [0], 4, d0=0.1, d1=0.1), "d0 must"),
        (lambda: sprt(MOMENTS, [1], [0], 4, d0=0, d1=1), "within"),
        (lambda: sprt(MOMENTS, [1], [0], 4, d0=0, d1=0.1, alpha=0), "alpha"),
        (lambda: better(MOMENTS, [1], [0], 4, gap=0), "gap"),
        (lambda: better(MOMENTS, [1], [0], 4, gap=0.1, alpha=0.6, beta=0.8), "alpha"),
        (lambda: better(MOMENTS, [1], [0], 2, gap=0.1), "blocks must lie"),
        (lambda: better(MOMENTS, [1], [0], 0, gap=0.1), "games_per_block"),
        (lambda: better(Moments.of([[500]]), [1], [0], 4, gap=0.1), "blocks must lie"),
        (lambda: better(Moments.of(np.zeros((0, 1), int)), [1], [0], 4, gap=0.1), "at least 1 block"),
        (lambda: sequential.difference_llr(9, 0, 0, 0, 1), "variance"),
        (lambda: sequential.multinomial_llr([1, 2], [0, 1], 0.5, 1), "between the least"),
        (lambda: sequential.multinomial_llr([1, -2], [0, 1], 0.2, 0.5), "counts"),
        (lambda: sequential.multinomial_llr([0, 0], [0, 1], 0.2, 0.5), "counts"),
        (lambda: looks(0, 2, 9), "first"),
        (lambda: looks(1, 1, 9), "growth"),
    ],
)
def test_unfit_arguments_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_scipy_is_not_needed():
    code = "import sys, analyses.sequential; print('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
