"""Estimates and tests that stay valid however often one looks, to play on until a question is settled.

An interval made for a fixed number of deals fails when the study stops at the first look that pleases: at 60
looks about four in ten such 95 % intervals miss at some look. Here are two ways that keep their error rate:

- `running_share` and `running_difference`, confidence sequences: "play until the share is known to 0.2 points";
- `better` and `sprt`, sequential probability ratio tests: "play until it is clear whether a beats b by a gap".

Blocks and columns are those of `analyses.statistics`. Fix confidence, `tuned_at`, hypotheses and looks before
the first look, and merge the parts in their order, so that the same study stops at the same deal anywhere.
An interval holds at any stop; the estimate itself is biased towards what made the study stop.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyses.statistics import SHARE_SCALE, Estimate, difference, share, wilson
from simcore.moments import Moments, Weights

A_IS_BETTER = "a is better"
B_IS_BETTER = "b is better"
NO_SUCH_DIFFERENCE = "no such difference"
OPEN = "open"

MAX_ITERATIONS = 1000
PROBABILITY_TOLERANCE = 1e-13  # change of a probability at which the iteration has converged

FloatArray = NDArray[np.float64]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Decision:
    """Where a sequential test stands after `n` blocks.

    The log-likelihood ratio `llr` of the difference against none decides at `low` or below for 'no such
    difference' and at `high` or above for the difference; between them the verdict is 'open'.
    """

    verdict: str
    llr: float
    low: float
    high: float
    n: int
    method: str

    def as_dict(self) -> dict[str, float | int | str]:
        """The six fields by name, as plain Python values."""
        return asdict(self)


# --- Confidence sequences -----------------------------------------------------------------------------------


def half_width(n: int, variance: float, confidence: float, tuned_at: int) -> float:
    """Half-width of the asymptotic confidence sequence of a mean after `n` blocks.

    Waudby-Smith et al. (arXiv:2103.06476, theorem 2.2), with their rho such that it is narrowest, for its
    error rate, at `tuned_at` blocks: there 1.55 times the fixed-n interval at 95 %, and wider either side.

    Parameters
    ----------
    n : blocks so far
    variance : of a block, in squared units of the result
    tuned_at : number of blocks, chosen before the first look
    """
    if n < 1 or variance < 0:
        raise ValueError(f"n must be at least 1 and variance at least 0, got {n} and {variance}")
    return math.sqrt(variance / n) * _boundary(n, confidence, tuned_at)


def deals_needed(variance: float, half_width: float, confidence: float, tuned_at: int) -> int:
    """Least number of blocks, at least 2, at which `half_width` is no wider than the one asked for.

    With the variance so far, a forecast of where the study will stop.
    """
    if variance < 0 or not half_width > 0:
        raise ValueError(f"variance must be at least 0 and half_width above 0, got {variance} and {half_width}")

    def is_enough(n: int) -> bool:
        return math.sqrt(variance / n) * _boundary(n, confidence, tuned_at) <= half_width

    enough = 2
    while not is_enough(enough):
        enough *= 2
    too_few = 1 if enough == 2 else enough // 2
    while enough - too_few > 1:  # the width falls as n grows
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if is_enough(middle) else (middle, enough)
    return enough


def running_share(
    moments: Moments,
    weights: Weights,
    games_per_block: int,
    *,
    tuned_at: int,
    scale: int = SHARE_SCALE,
    confidence: float = 0.95,
    is_exact: bool = False,
) -> Estimate:
    """Win share in [0, 1] with an interval that holds at every look; see `analyses.statistics.share`.

    The confidence sequence of `half_width`, widened to the Wilson interval of the same boundary where that
    reaches further, as the symmetric one is too short towards 1/2 for rare wins. The variance counts one
    block more, a whole range from the mean (as Waudby-Smith & Ramdas 2023, doi:10.1093/jrsssb/qkad009, add a
    quarter of that): without, the error rate is up to three times nominal where wins are rare or blocks
    seldom differ. Its weight falls as 1/n.

    Blocks that are all equal get the exact limit of `share`. It holds at every look as it stands: a share u
    of unlike blocks is denied from some look on only if none came up to there.

    Raises
    ------
    ValueError
        If blocks lie outside [0, games_per_block * scale], or differ although `is_exact`.
    """
    fixed = share(moments, weights, games_per_block, scale=scale, confidence=confidence, is_exact=is_exact)
    boundary, p = _boundary(moments.n, confidence, tuned_at), fixed.estimate
    if moments.is_constant(weights):
        return fixed if is_exact else replace(fixed, method=f"{fixed.method}, holds at every look")
    squared_error = _guarded_variance(moments, weights, _unit(games_per_block, scale), (0.0, 1.0)) / moments.n
    low, high = wilson(p, p * (1 - p) / squared_error, boundary)
    half = math.sqrt(squared_error) * boundary
    low, high = max(0.0, min(low, p - half)), min(1.0, max(high, p + half))
    return replace(fixed, low=low, high=high, method="confidence sequence over blocks, holds at every look")


def running_difference(
    moments: Moments,
    weights_a: Weights,
    weights_b: Weights,
    games_per_block: int,
    *,
    tuned_at: int,
    scale: int = 1,
    confidence: float = 0.95,
    bounds: Bounds | None = None,
) -> Estimate:
    """Mean of a minus b, paired within blocks, with an interval that holds at every look.

    See `analyses.statistics.difference`. `bounds`, the least and greatest difference of a block's means, such
    as (-1, 1) for win shares, give blocks that seldom differ the guard of `running_share`, and the interval
    then lies within them. Without bounds there is no guard, nor a width while all blocks are equal.
    """
    sizes = {"scale": scale, "confidence": confidence, "bounds": bounds}
    fixed = difference(moments, weights_a, weights_b, games_per_block, **sizes)  # type: ignore[arg-type]
    boundary = _boundary(moments.n, confidence, tuned_at)
    weights = _paired(weights_a, weights_b)
    if moments.is_constant(weights):
        return fixed if bounds is None else replace(fixed, method=f"{fixed.method}, holds at every look")
    variance = _guarded_variance(moments, weights, _unit(games_per_block, scale), bounds)
    half = math.sqrt(variance / moments.n) * boundary
    least, greatest = bounds or (-math.inf, math.inf)
    return replace(
        fixed,
        low=max(least, fixed.estimate - half),
        high=min(greatest, fixed.estimate + half),
        method="confidence sequence over blocks, holds at every look, paired over deals",
    )


# --- Sequential tests ---------------------------------------------------------------------------------------


def sprt(
    moments: Moments,
    weights_a: Weights,
    weights_b: Weights,
    games_per_block: int,
    *,
    d0: float,
    d1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    scale: int = SHARE_SCALE,
    bounds: Bounds = (-1.0, 1.0),
) -> Decision:
    """Test of a minus b being `d0` against the greater `d1`, to be repeated at every look until it decides.

    Wald's test (1945, Ann. Math. Statist. 16) with the nuisance, the shape of the distribution of a block,
    maximised under each hypothesis (GSPRT; Li, Liu & Ying 2014, Sequential Analysis 33): `difference_llr` on
    blocks, their variance guarded as in `running_share`. Blocks that are all equal get the exact ratio of the
    likeliest distributions of mean d0 and d1 within the bounds.

    Parameters
    ----------
    d0, d1 : differences of the means per game in units of `scale`, by default of win shares
    alpha : chance of 'a is better' if the difference is d0
    beta : chance of 'no such difference' if it is d1
    bounds : least and greatest difference of a block's means
    """
    if not bounds[0] < d0 < d1 < bounds[1]:
        raise ValueError(f"d0 must be below d1 and both within {bounds}, got {d0} and {d1}")
    weights, unit = _paired(weights_a, weights_b), _unit(games_per_block, scale)
    ratio = _block_llr(moments, weights, unit, bounds, (d0, d1))
    method = f"GSPRT over blocks, {d0:g} against {d1:g}, alpha {alpha:g}, beta {beta:g}"
    return _decide(ratio, wald_bounds(alpha, beta), A_IS_BETTER, moments.n, method)


def better(
    moments: Moments,
    weights_a: Weights,
    weights_b: Weights,
    games_per_block: int,
    *,
    gap: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    scale: int = SHARE_SCALE,
    bounds: Bounds = (-1.0, 1.0),
) -> Decision:
    """Test of who is better, if anyone by as much as `gap`, to be repeated at every look until it decides.

    Two of `sprt`, of 0 against a's lead of `gap` and against b's, each at half of `alpha`. Where neither is
    better, `alpha` is the chance to name one; where one leads by `gap`, `beta` is the chance of the verdict
    'no such difference', for which both tests must have turned the lead down. A smaller lead may get either
    verdict. The `llr` is the greater of the two.
    """
    if not bounds[0] < -gap < 0 < gap < bounds[1]:
        raise ValueError(f"gap must be above 0 and within {bounds} either way, got {gap}")
    weights, unit = _paired(weights_a, weights_b), _unit(games_per_block, scale)
    for_a, for_b = (_block_llr(moments, weights, unit, bounds, (0.0, d)) for d in (gap, -gap))
    method = f"GSPRT over blocks, 0 against +-{gap:g}, alpha {alpha:g}, beta {beta:g}"
    name = A_IS_BETTER if for_a >= for_b else B_IS_BETTER
    return _decide(max(for_a, for_b), wald_bounds(alpha / 2, beta), name, moments.n, method)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Log-likelihood ratios at which Wald's test decides for the null and for the alternative."""
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"alpha and beta must be above 0 and total below 1, got {alpha} and {beta}")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def normalised_llr(n: int, t: float, t0: float, t1: float) -> float:
    """Log-likelihood ratio of mean over standard deviation of a block being t1 against t0, seen `t`.

    The normal approximation of the GSPRT; of two-player matches, normalised Elo (M. Van den Bergh, "A
    practical introduction to the GSPRT", https://www.cantate.be/Fishtest/GSPRT_approximation.pdf).
    """
    return n / 2 * (math.log1p((t - t0) ** 2) - math.log1p((t - t1) ** 2))


def difference_llr(n: int, mean: float, variance: float, d0: float, d1: float) -> float:
    """Log-likelihood ratio of the mean of n blocks being d1 against d0, normal with the variance unknown.

    `variance` is the mean square about the mean seen, with divisor n.
    """
    if not variance > 0:
        raise ValueError(f"variance must be above 0, got {variance}")
    sd = math.sqrt(variance)
    return normalised_llr(n, mean / sd, d0 / sd, d1 / sd)


def multinomial_llr(counts: ArrayLike, scores: ArrayLike, m0: float, m1: float) -> float:
    """Exact GSPRT ratio of the mean being m1 against m0, of blocks with a finite set of scores.

    Parameters
    ----------
    counts : how often each score was seen, of shape (n_scores,); may be 0
    scores : all scores that a block can have, of shape (n_scores,)
    m0, m1 : between the least and the greatest score
    """
    count, score = _counted(counts, scores)
    return _likelihood_ratio(count, _likeliest(count, score - m0), _likeliest(count, score - m1))


def multinomial_normalised_llr(
    counts: ArrayLike, scores: ArrayLike, t0: float, t1: float, *, centre: float = 0.0
) -> float:
    """Exact GSPRT ratio of (mean - centre) / standard deviation being t1 against t0; see `multinomial_llr`."""
    count, score = _counted(counts, scores)
    null, alternative = (_likeliest_normalised(count, score - centre, t) for t in (t0, t1))
    return _likelihood_ratio(count, null, alternative)


def looks(first: int, growth: float, limit: int, part: int = 1) -> list[int]:
    """Numbers of blocks at which to look: from `first`, each about `growth` times the last, to `limit`.

    All but the last are multiples of `part`, so that a look falls between the same parts for any workers.
    """
    first, limit, part = index(first), index(limit), index(part)
    if min(first, limit, part) < 1 or not growth > 1:
        raise ValueError(
            f"first, limit and part must be at least 1 and growth above 1, got {first}, {limit}, {part}, {growth}"
        )
    found, n = [], -(-first // part) * part
    while n < limit:
        found.append(n)
        n = max(n + part, math.ceil(round(n * growth / part, 6)) * part)  # 100 * 1.1 is 110.00000000000001
    return [*found, limit]


# --- Parts of them ------------------------------------------------------------------------------------------


def _boundary(n: int, confidence: float, tuned_at: int) -> float:
    """Half-width in standard errors after n blocks."""
    if not 0 < confidence < 1 or tuned_at < 1:
        raise ValueError(f"confidence must lie in (0, 1) and tuned_at be at least 1, got {confidence} and {tuned_at}")
    growth = n * _growth_at_best(confidence) / tuned_at  # n rho**2
    return math.sqrt((1 + 1 / growth) * (math.log1p(growth) - 2 * math.log(1 - confidence)))


@lru_cache(maxsize=64)
def _growth_at_best(confidence: float) -> float:
    """The n rho**2 at which the sequence is narrowest: its equation is x = ln(1 + x) - 2 ln(1 - confidence)."""
    x = level = -2 * math.log(1 - confidence)
    for _ in range(MAX_ITERATIONS):  # a contraction
        previous, x = x, math.log1p(x) + level
        if x - previous <= 1e-15 * x:
            break
    return x


def _guarded_variance(moments: Moments, weights: Weights, unit: int, bounds: Bounds | None) -> float:
    """Variance of a block's mean; given bounds, checked against them and with one block more, a range away."""
    n, mean, variance = moments.n, moments.mean(weights) / unit, moments.variance(weights) / unit**2
    if bounds is None:
        return variance
    low, high = bounds
    seen = variance * (n - 1) / n
    if not low <= mean <= high or seen > (high - mean) * (mean - low) * (1 + 1e-9):  # impossible within bounds
        raise ValueError(f"blocks must lie within {bounds}, got mean {mean} and variance {seen}")
    return seen + (high - low) ** 2 / n


def _paired(weights_a: Weights, weights_b: Weights) -> list[int]:
    """Weights of a minus b."""
    return [index(a) - index(b) for a, b in zip(weights_a, weights_b, strict=True)]


def _unit(games_per_block: int, scale: int) -> int:
    """Units of a column in a block, as a Python integer."""
    sizes = (index(games_per_block), index(scale))
    if min(sizes) < 1:
        raise ValueError(f"games_per_block and scale must be at least 1, got {sizes}")
    return sizes[0] * sizes[1]


def _block_llr(moments: Moments, weights: Weights, unit: int, bounds: Bounds, means: tuple[float, float]) -> float:
    """Log-likelihood ratio of the second mean against the first."""
    if moments.n < 1:
        raise ValueError("a test needs at least 1 block, got 0")
    mean = moments.mean(weights) / unit
    if moments.is_constant(weights):
        null, alternative = (_equal_blocks_log_likelihood(moments.n, mean, bounds, m) for m in means)
        return alternative - null
    variance = _guarded_variance(moments, weights, unit, bounds)
    return difference_llr(moments.n, mean, variance, *means)


def _equal_blocks_log_likelihood(n: int, value: float, bounds: Bounds, mean: float) -> float:
    """Greatest log-likelihood of n blocks of one value under the mean: the rest lies at the end beyond it."""
    end = bounds[1] if mean > value else bounds[0]
    if not bounds[0] <= value <= bounds[1]:
        raise ValueError(f"blocks must lie within {bounds}, got {value}")
    return 0.0 if mean == value else n * math.log1p(-(mean - value) / (end - value))


def _decide(llr: float, bounds: tuple[float, float], name: str, n: int, method: str) -> Decision:
    """Compare the ratio with Wald's bounds."""
    low, high = bounds
    verdict = name if llr >= high else NO_SUCH_DIFFERENCE if llr <= low else OPEN
    return Decision(verdict, llr, low, high, n, method)


def _counted(counts: ArrayLike, scores: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Counts and scores as arrays, checked."""
    count, score = np.asarray(counts, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if count.ndim != 1 or count.shape != score.shape or not np.all(count >= 0) or not np.any(count):
        raise ValueError("counts and scores must be 1-D and of one length, counts not negative, nor all 0")
    return count, score


def _likeliest(counts: FloatArray, excess: FloatArray) -> FloatArray:
    """Likeliest probabilities for which the mean of `excess` is 0: c / (n (1 + theta excess)).

    (Owen 1988, doi:10.1093/biomet/75.2.237.) A score not seen gets a probability only at the end of the
    range, where theta stops short of the root.
    """
    if not excess.min() < 0 < excess.max():
        raise ValueError("the hypothesis must lie between the least and the greatest score")
    seen = counts > 0
    count, x = counts[seen], excess[seen]
    low, high = -1 / excess.max(), -1 / excess.min()
    for _ in range(100):
        theta = (low + high) / 2
        if not low < theta < high:
            break
        is_below = float(np.sum(count * x / (1 + theta * x))) > 0
        low, high = (theta, high) if is_below else (low, theta)
    p = np.zeros_like(excess)
    p[seen] = count / (count.sum() * (1 + (low + high) / 2 * x))
    end = int(np.argmax(excess) if low < 0 else np.argmin(excess))
    if not seen[end]:
        p[end] = max(0.0, 1 - p.sum())
    return p


def _likeliest_normalised(counts: FloatArray, scores: FloatArray, t: float) -> FloatArray:
    """Likeliest probabilities for which mean = t * standard deviation, by the constraint made linear in p."""
    p = np.full(len(scores), 1 / len(scores))
    for _ in range(MAX_ITERATIONS):
        mean = p @ scores
        sd = math.sqrt(p @ (scores - mean) ** 2)
        # derivative of the standard deviation by p: ((score - mean)**2 + sd**2) / (2 sd)
        new = _likeliest(counts, scores - t * ((scores - mean) ** 2 + sd**2) / (2 * sd))
        if np.max(np.abs(new - p)) < PROBABILITY_TOLERANCE:
            return new
        p = new
    raise ValueError(f"no likeliest distribution found at {t}: the hypothesis is too far from the counts")


def _likelihood_ratio(counts: FloatArray, null: FloatArray, alternative: FloatArray) -> float:
    """Log-likelihood ratio of the counts."""
    seen = counts > 0
    return float(counts[seen] @ np.log(alternative[seen] / null[seen]))
