"""Estimates with intervals, computed from exact integer sums over blocks.

A block is one deal played in every rotation of the seats; it is the unit of the design, so every interval
rests on the spread between blocks, not between games. A column is an integer summed over the games of a
block: a win share in sixtieths, a score, a count of lots. A figure is a combination of columns given by
integer `weights`, one per column, so that sums, merges and variances are exact in any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from operator import index
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simcore.moments import Moments, Weights

SHARE_SCALE = 60  # lcm(1..6): a win split among up to six players is a whole number of sixtieths
MAX_SERIES_DF = 200  # beyond, the normal form of Student's t is good to five digits

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure with its confidence interval.

    `n` counts the games behind it (for histograms and plain counts, observations). `n_effective` is, for a
    share, the number of independent games of the same precision; otherwise the blocks or the independent
    observations the interval rests on.
    """

    estimate: float
    low: float
    high: float
    n: int
    n_effective: float
    method: str

    def as_dict(self) -> dict[str, float | int | str]:
        """The six fields by name, as plain Python values."""
        return asdict(self)


def share(
    moments: Moments,
    weights: Weights,
    games_per_block: int,
    *,
    scale: int = SHARE_SCALE,
    confidence: float = 0.95,
    is_exact: bool = False,
) -> Estimate:
    """Win share in [0, 1] with the Wilson interval on the effective number of games.

    The effective number, p(1-p) over the variance of p between blocks, allows for split wins and for the
    correlation of games on one deal; Student's t stands for the normal quantile as that variance is itself
    estimated (Wilson 1927, doi:10.1080/01621459.1927.10502953; Korn & Graubard 1998, Survey Methodology 24).

    Blocks that are all equal show no spread. The share is exact only if the design fixes every block, as when
    one strategy sits in all seats: the caller says so by `is_exact`, and n_effective is then n. Otherwise a
    share u of all blocks may differ unseen and lie anywhere in [0, 1], where u is the exact upper limit for 0
    in n_blocks (Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404): the interval is [p(1-u), p + u(1-p)].

    Raises
    ------
    ValueError
        If blocks lie outside [0, games_per_block * scale], or differ although `is_exact`.
    """
    (n_games, unit), n = _sizes(moments, games_per_block, scale), moments.n
    p = moments.sum(weights) / (n * unit)
    if moments.is_constant(weights):
        if is_exact:
            return Estimate(p, p, p, n_games, n_games, "exact: the design fixes every block")
        return _of_equal_blocks(p, (0.0, 1.0), n, n_games, confidence)
    if is_exact:
        raise ValueError("is_exact was given, but the blocks differ")
    n_effective = p * (1 - p) * n * unit**2 / moments.variance(weights)
    if n_effective < (n - 1) * (1 - 1e-9):  # impossible for blocks in their range
        raise ValueError(f"blocks must lie in [0, games_per_block * scale = {unit}]")
    low, high = wilson(p, n_effective, student_quantile(confidence, n - 1))
    return Estimate(p, low, high, n_games, n_effective, "Wilson, effective n over blocks")


def mean(
    moments: Moments,
    weights: Weights,
    games_per_block: int,
    *,
    scale: int = 1,
    confidence: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """Mean per game, in units of `scale`, with Student's t interval over blocks.

    Blocks that are all equal give zero width, right where the design fixes them. Where it does not, pass
    `bounds`, the least and greatest mean of a block, for the interval described under `share`.
    """
    (n_games, unit), n = _sizes(moments, games_per_block, scale), moments.n
    value = moments.sum(weights) / (n * unit)
    if bounds is not None and moments.is_constant(weights):
        return _of_equal_blocks(value, bounds, n, n_games, confidence)
    error = math.sqrt(moments.variance(weights) / n) / unit
    half = error * student_quantile(confidence, n - 1)
    method = "Student t over blocks" if error else "every block equal"
    return Estimate(value, value - half, value + half, n_games, n, method)


def difference(
    moments: Moments,
    weights_a: Weights,
    weights_b: Weights,
    games_per_block: int,
    *,
    scale: int = 1,
    confidence: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """Mean of a minus b, paired within blocks; see `mean`. For win shares, scale is SHARE_SCALE."""
    weights = [a - b for a, b in zip(weights_a, weights_b, strict=True)]
    paired = mean(moments, weights, games_per_block, scale=scale, confidence=confidence, bounds=bounds)
    return replace(paired, method=f"{paired.method}, paired over deals")


def ratio(
    moments: Moments,
    weights_a: Weights,
    weights_b: Weights,
    games_per_block: int,
    *,
    scale: int = 1,
    confidence: float = 0.95,
) -> Estimate:
    """Total of a over total of b, such as a mean price per lot, in units of `scale`.

    Student's t over the block residuals a - rb, the delta method (Cochran 1977, Sampling Techniques, ch. 6),
    so that b may vary from block to block and the lots of one deal may be correlated.
    """
    (n_games, _), n = _sizes(moments, games_per_block, scale), moments.n
    a, b = moments.sum(weights_a), moments.sum(weights_b)
    if b == 0:
        raise ValueError("weights_b: the denominator of a ratio must not total 0")
    # b times the residual, which keeps it an integer
    residual = [b * index(wa) - a * index(wb) for wa, wb in zip(weights_a, weights_b, strict=True)]
    half = math.sqrt(n * moments.variance(residual)) / (b**2 * scale) * student_quantile(confidence, n - 1)
    value = a / (b * scale)
    return Estimate(value, value - half, value + half, n_games, n, "Student t over blocks, ratio of totals")


def variance_reduction_factor(moments: Moments, weights: Weights, games_per_block: int, square_total: int) -> float:
    """How many times fewer games the blocks need than independent games: one over Kish's design effect.

    `square_total` is the sum over single games of the weighted columns squared. Infinite if blocks are equal.
    """
    (n_games, n_rotations), total = _sizes(moments, games_per_block, 1), moments.sum(weights)
    square_total = index(square_total)
    if n_games * square_total < total**2:
        raise ValueError(f"square_total must be at least {total**2 / n_games}, got {square_total}")
    if moments.is_constant(weights):
        return math.inf
    single = (n_games * square_total - total**2) / (n_games * (n_games - 1))
    return n_rotations * single / moments.variance(weights)


def proportion(successes: int, n: int, *, confidence: float = 0.95, n_effective: int | None = None) -> Estimate:
    """Share of `n` yes/no observations with Wilson's interval.

    `n_effective` is the number of independent ones among them, `n` unless given. Where the games of a deal
    are counted together, the number of deals is the safe choice.
    """
    successes, n = index(successes), index(n)
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"n must be at least 1 and successes lie in 0..n, got {successes} of {n}")
    m = _effective(n_effective, n)
    low, high = wilson(successes / n, m, _normal_quantile(confidence))
    return Estimate(successes / n, low, high, n, m, "Wilson")


def histogram_mean(
    counts: ArrayLike, values: ArrayLike, *, confidence: float = 0.95, n_effective: int | None = None
) -> Estimate:
    """Mean of integer `values` seen `counts` times, with Student's t; `n_effective` as in `proportion`."""
    pairs = _histogram(counts, values)
    n, total, squares = (sum(c * v**power for c, v in pairs) for power in (0, 1, 2))
    m = _effective(n_effective, n)
    if m < 2:
        raise ValueError(f"an interval of a mean needs at least 2 independent observations, got {m}")
    error = math.sqrt((n * squares - total**2) / (n * (n - 1)) / m)
    half = error * student_quantile(confidence, m - 1)
    return Estimate(total / n, total / n - half, total / n + half, n, m, "Student t over observations")


def histogram_quantiles(
    counts: ArrayLike,
    values: ArrayLike,
    quantiles: Sequence[float],
    *,
    confidence: float = 0.95,
    n_effective: int | None = None,
) -> list[Estimate]:
    """Quantiles q (least value with a share q at or below it) of integer `values` seen `counts` times.

    The interval runs between order statistics of exact binomial rank (David & Nagaraja 2003, Order
    Statistics, 7.1). `values` must be the whole range possible: its ends stand in where the sample is too
    small for a rank. `n_effective` as in `proportion`.
    """
    pairs = _histogram(counts, values)
    value, cumulative = [v for _, v in pairs], np.cumsum([c for c, _ in pairs])
    n = int(cumulative[-1])
    m = _effective(n_effective, n)

    def ranked(rank: int) -> float:
        return float(value[min(int(np.searchsorted(cumulative, rank)), len(value) - 1)])

    estimates = []
    for q in quantiles:
        below, above = _binomial_ranks(m, q, confidence)
        low = ranked((below - 1) * n // m + 1) if below else float(value[0])
        middle = ranked(math.ceil(round(q * n, 6)))  # 0.07 * 100 is 7.000000000000001
        estimates.append(Estimate(middle, low, ranked(-(-above * n // m)), n, m, "order statistics"))
    return estimates


def simultaneous_confidence(confidence: float, k: int) -> float:
    """Level at which to make each of `k` intervals for all to hold together with `confidence`.

    Bonferroni's, valid under any dependence; Wilson's interval at this level is Goodman's for the k shares
    of a multinomial (1965, doi:10.1080/00401706.1965.10490252).
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return 1 - _error_rate(confidence) / k


def p_value(moments: Moments, weights: Weights, null: int = 0) -> float:
    """Two-sided p-value of the mean per block being `null`; for a difference, weights are a's minus b's.

    Student's t: below 1 - confidence just when the interval of `mean` excludes `null`. Equal blocks away
    from `null` get the sign test's 2**(1 - n_blocks).
    """
    excess = moments.sum(weights) - null * moments.n
    if excess == 0:
        return 1.0
    if moments.is_constant(weights):
        return 0.5 ** (moments.n - 1)
    return _student_tail(abs(excess) / math.sqrt(moments.n * moments.variance(weights)), moments.n - 1)


def holm(p_values: ArrayLike) -> FloatArray:
    """Adjusted p-values of Holm (1979, Scand. J. Statist. 6): family-wise error of planned claims."""
    return _adjusted(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Adjusted p-values of Benjamini & Hochberg (1995, JRSS B 57): false discovery rate of a screen."""
    return _adjusted(p_values, lambda p: np.minimum.accumulate((p * len(p) / np.arange(1, len(p) + 1))[::-1])[::-1])


def equivalence(*estimates: Estimate, target: float, tolerance: float) -> str:
    """Whether all estimates lie within `tolerance` of `target`: 'fair', 'not fair' or 'open'.

    Fair if every interval lies inside the band (Schuirmann 1987: two one-sided tests, each at half the error
    of the interval; no correction for several). Not fair if any lies wholly outside: for several, make the
    intervals at `simultaneous_confidence`.
    """
    if not estimates or tolerance < 0:
        raise ValueError(f"needs an estimate and a tolerance of at least 0, got {estimates}, {tolerance}")
    lowest, highest = target - tolerance, target + tolerance
    if any(e.high < lowest or e.low > highest for e in estimates):
        return "not fair"
    return "fair" if all(lowest <= e.low and e.high <= highest for e in estimates) else "open"


def deals_needed(estimate: Estimate, gap: float, n_deals: int, *, confidence: float = 0.95, power: float = 0.9) -> int:
    """About how many deals clear the interval of a line `gap` away with probability `power`.

    `estimate` came from `n_deals` blocks at `confidence`. The gap is the bias to find; or the distance to the
    nearest edge of the band; or the tolerance, to find a fair figure fair with probability P (there are two
    edges to clear, so power = (1 + P) / 2).
    """
    if gap <= 0 or not 0.5 <= power < 1:
        raise ValueError(f"gap must be above 0 and power in [0.5, 1), got {gap} and {power}")
    z = _normal_quantile(confidence)
    error = (estimate.high - estimate.low) / (2 * z)
    return max(2, math.ceil(n_deals * ((z + NormalDist().inv_cdf(power)) * error / gap) ** 2))


def _sizes(moments: Moments, games_per_block: int, scale: int) -> tuple[int, int]:
    """Number of games, and units in a block, as Python integers; both must be positive."""
    sizes = (moments.n, index(games_per_block), index(scale))
    if min(sizes) < 1:
        raise ValueError(f"blocks, games_per_block and scale must be at least 1, got {sizes}")
    return sizes[0] * sizes[1], sizes[1] * sizes[2]


def _effective(n_effective: int | None, n: int) -> int:
    """Number of independent observations among n."""
    if n_effective is not None and not 1 <= n_effective <= n:
        raise ValueError(f"n_effective must lie in 1..{n}, got {n_effective}")
    return n if n_effective is None else index(n_effective)


def _histogram(counts: ArrayLike, values: ArrayLike) -> list[tuple[int, int]]:
    """Pairs of count and value as Python integers, checked."""
    count, value = np.asarray(counts), np.asarray(values)
    if not np.issubdtype(count.dtype, np.integer) or not np.issubdtype(value.dtype, np.integer):
        raise ValueError(f"counts and values must be integers, got {count.dtype} and {value.dtype}")
    if count.ndim != 1 or count.shape != value.shape or np.any(value[1:] <= value[:-1]):
        raise ValueError("counts and values must be 1-D and of one length, and values increase")
    if np.any(count < 0) or not np.any(count):
        raise ValueError("counts must not be negative, nor all 0")
    return list(zip(count.tolist(), value.tolist(), strict=True))


def _adjusted(p_values: ArrayLike, step: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Adjust the p-values in ascending order and put them back in place."""
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"p_values must be 1-D and lie in [0, 1], got {p}")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(step(p[order]), 1.0)
    return adjusted


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's score interval; n need not be whole."""
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding must not push the limits past 0, 1 or p.
    return (0.0 if p == 0 else min(centre - half, p)), (1.0 if p == 1 else max(centre + half, p))


def _of_equal_blocks(value: float, bounds: tuple[float, float], n: int, n_games: int, confidence: float) -> Estimate:
    """Estimate when all n blocks equal `value` by chance, not by design; see `share`."""
    low, high = bounds
    if not low <= value <= high:
        raise ValueError(f"blocks must lie within {bounds}, got {value}")
    u = 1 - (_error_rate(confidence) / 2) ** (1 / n)
    method = "every block equal, exact limit on unseen blocks"
    return Estimate(value, value - u * (value - low), value + u * (high - value), n_games, n, method)


def _error_rate(confidence: float) -> float:
    """One minus the confidence, checked."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie in (0, 1), got {confidence}")
    return 1 - float(confidence)


def _normal_quantile(confidence: float) -> float:
    """Two-sided normal quantile."""
    return -NormalDist().inv_cdf(_error_rate(confidence) / 2)


def _student_tail(t: float, df: int) -> float:
    """P(|T| > t): the series of Abramowitz & Stegun 26.7.3-4, or the normal form of Peizer & Pratt (1968)."""
    if df > MAX_SERIES_DF:
        z = (df - 2 / 3 + 0.1 / df) * math.sqrt(math.log1p(t * t / df) / (df - 5 / 6))
        return math.erfc(z / math.sqrt(2))
    theta, is_odd = math.atan(t / math.sqrt(df)), df % 2
    term = math.cos(theta) if is_odd else 1.0
    series = term if df > 1 else 0.0
    for k in range(2 + is_odd, df, 2):
        term *= math.cos(theta) ** 2 * (k - 1) / k
        series += term
    inside = math.sin(theta) * series
    return max(0.0, 1 - (2 / math.pi * (theta + inside) if is_odd else inside))


@lru_cache(maxsize=1024)
def student_quantile(confidence: float, df: int) -> float:
    """Two-sided Student quantile, by bisection of the tail on the angle atan(t / sqrt(df))."""
    low, high = 0.0, math.pi / 2
    for _ in range(64):
        middle = (low + high) / 2
        is_inside = _student_tail(math.sqrt(df) * math.tan(middle), df) > _error_rate(confidence)
        low, high = (middle, high) if is_inside else (low, middle)
    return math.sqrt(df) * math.tan(low)


def _binomial_ranks(n: int, q: float, confidence: float) -> tuple[int, int]:
    """Ranks, of n observations, that enclose the quantile q; 0 and n + 1 mean that none is far enough."""
    if not 0 < q < 1:
        raise ValueError(f"quantiles must lie in (0, 1), got {q}")
    alpha = _error_rate(confidence)
    reach = 10 * math.sqrt(n * q * (1 - q)) + 20  # the probability beyond is lost in rounding
    k = np.arange(max(0, math.floor(n * q - reach)), min(n, math.ceil(n * q + reach)) + 1)
    log_pmf = np.cumsum(np.concatenate([[0.0], np.log((n - k[:-1]) / k[1:] * (q / (1 - q)))]))
    pmf = np.exp(log_pmf - log_pmf.max())
    cdf = np.cumsum(pmf / pmf.sum())
    n_below = int(np.searchsorted(cdf, alpha / 2))
    above = int(np.searchsorted(cdf, 1 - alpha / 2))
    return int(k[0]) + n_below, int(k[min(above, len(k) - 1)]) + 1
