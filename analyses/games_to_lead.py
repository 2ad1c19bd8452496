"""How many games does the better of two players need to lead? From what the two win of each other in a game.

In a game the better player wins by a difference d of wins (in sixtieths; a shared win counts as its part). The games are
taken as independent, seats and deals drawn anew. The number is the smallest n for which P(d_1 + ... + d_n > 0) reaches
95 %: a draw after n games is no lead. Up to `EXACT_GAMES` games the distribution of the sum is computed by convolution;
beyond, by the normal approximation with the correction for the steps that a sum can take.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist

import numpy as np

from analyses.statistics import Estimate, student_quantile

EXACT_GAMES = 500
SURE = 0.95
METHOD = f"exact up to {EXACT_GAMES} games, beyond normal with continuity correction"

Chances = Mapping[int, float]


def games_to_lead(chances: Chances, sure: float = SURE) -> float:
    """The smallest number of games after which the first leads with a probability of `sure`; inf if it never does.

    Parameters
    ----------
    chances : of each difference of wins in a game, the first player's less the second's, in any whole units; they are
        taken in proportion to their sum

    Raises
    ------
    ValueError
        If there is no chance above 0, or `sure` does not lie in [0.5, 1).
    """
    if not 0.5 <= sure < 1:
        raise ValueError(f"sure must lie in [0.5, 1), got {sure}")
    steps, weights = _table(chances)
    mean = float(steps @ weights)
    if mean <= 0:
        return math.inf
    found = _exact(steps, weights, sure)
    return float(found) if found else float(max(_normal(steps, weights, sure), EXACT_GAMES + 1))


def lead_probability(chances: Chances, n_games: int) -> float:
    """Chance that the first player has won more than the second after so many games, by convolution."""
    steps, weights = _table(chances)
    sums = np.ones(1)
    for _ in range(n_games):
        sums = _next(sums, steps, weights)
    return float(_above(sums, n_games * max(0, -int(steps.min()))))


def estimate(counts: Mapping[int, np.ndarray], n_games: int, confidence: float = 0.95) -> Estimate:
    """Games to lead from counts of differences by group of deals, each of shape (groups,).

    The mean difference has an interval by Student's t over the groups; the chances are tilted exponentially to its ends,
    which keeps the differences that can occur, and the games counted there. Where the interval of the mean reaches 0
    the most is infinite: the two cannot be told apart.
    """
    steps = np.array(sorted(counts), np.int64)
    table = np.array([counts[int(step)] for step in steps], np.float64)
    seen, won = table.sum(axis=0), steps @ table
    mean = float(won.sum() / seen.sum())
    n_groups = len(seen)
    error = math.sqrt(n_groups / (n_groups - 1) * math.fsum((won - mean * seen) ** 2)) / float(seen.sum())
    half = error * student_quantile(confidence, n_groups - 1)
    chances = {int(step): float(p) for step, p in zip(steps, table.sum(axis=1) / seen.sum(), strict=True)}
    low, high = (games_to_lead(tilted(chances, mean + sign * half)) for sign in (1, -1))
    method = f"{METHOD}; Student t over {n_groups} groups of deals"
    return Estimate(games_to_lead(chances), low, high, n_games, float(n_groups), method)


def tilted(chances: Chances, mean: float) -> Chances:
    """The chances times exp(t d), with t such that the mean difference is this, or as near as those that occur allow."""
    steps, weights = np.array(list(chances), np.float64), np.array(list(chances.values()), np.float64)
    steps, weights = steps[weights > 0], weights[weights > 0]
    width = float(np.ptp(steps))
    if width == 0:
        return chances

    def at(t: float) -> np.ndarray:
        logs = np.log(weights) + t * steps
        found = np.exp(logs - logs.max())
        return found / found.sum()

    low, high = -700 / width, 700 / width
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) @ steps < mean else (low, middle)
    return {int(step): float(p) for step, p in zip(steps, at((low + high) / 2), strict=True)}


def _table(chances: Chances) -> tuple[np.ndarray, np.ndarray]:
    """Differences in their largest common unit, and their chances, of those that can occur."""
    kept = {int(step): float(p) for step, p in sorted(chances.items()) if p > 0}
    if not kept or any(p < 0 for p in chances.values()):
        raise ValueError(f"chances must not be negative, nor all 0, got {dict(chances)}")
    unit = math.gcd(*kept) or 1
    weights = np.array(list(kept.values()))
    return np.array(list(kept), np.int64) // unit, weights / weights.sum()


def _next(sums: np.ndarray, steps: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The distribution after one more game; it starts at the least sum, or at 0 if no step is below it."""
    least, most = min(int(steps.min()), 0), max(int(steps.max()), 0)
    after = np.zeros(len(sums) + most - least)
    for step, p in zip(steps.tolist(), weights.tolist(), strict=True):
        after[step - least : step - least + len(sums)] += p * sums
    return after


def _above(sums: np.ndarray, zero: int) -> float:
    """Chance of a sum above 0, which stands at `zero`."""
    return float(sums[zero + 1 :].sum())


def _exact(steps: np.ndarray, weights: np.ndarray, sure: float) -> int:
    """The number of games if it is at most `EXACT_GAMES`, otherwise 0."""
    below = max(0, -int(steps.min()))
    if _normal(steps, weights, sure) > 2 * EXACT_GAMES:
        return 0
    sums = np.ones(1)
    for n in range(1, EXACT_GAMES + 1):
        sums = _next(sums, steps, weights)
        if _above(sums, n * below) >= sure:
            return n
    return 0


def _normal(steps: np.ndarray, weights: np.ndarray, sure: float) -> int:
    """The number of games by the normal approximation.

    After n games the sum is n times any step, give or take multiples of `apart`. Half-way between the least sum above 0
    and the next below lies the line that the sum must clear, so that n mean - line >= z spread sqrt(n). The line is the
    same for every n of one remainder by `apart`; the least n of all remainders is taken.
    """
    mean = float(steps @ weights)
    spread = math.sqrt(max(float(steps**2 @ weights) - mean**2, 0.0))
    apart = math.gcd(*(steps - steps[0]).tolist()) or 1
    reach = NormalDist().inv_cdf(sure) * spread
    found = []
    for remainder in range(apart):
        least = remainder * int(steps[0]) % apart or apart  # the least sum above 0
        line = least - apart / 2
        root = (reach + math.sqrt(max(reach**2 + 4 * mean * line, 0.0))) / (2 * mean)
        n = max(1, math.ceil(root**2))
        found.append(n + (remainder - n) % apart)
    return min(found)
