"""From tallies to figures: means, shares and amounts per seat, each with an interval.

The deals of a study fall into groups of consecutive deals, tallied apart. A figure is a ratio of two totals; its
interval follows from the spread between groups (delta method, Student's t), so that lots of one game may be as
correlated as they like.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from analyses.statistics import Estimate, student_quantile, wilson
from simcore.game import Measure, Tally
from simcore.plan import Part, Plan

Rows = list[dict[str, Any]]


def measure_rows(plan: Plan, part: Part, measure: Measure, confidence: float = 0.95) -> Rows:
    """One row for each combination of labels that occurred: the labels by axis, and `value`, an `Estimate`."""
    tally = plan.tally(measure.tally)
    counts = _restricted(tally, part.tallies[tally.name], measure)
    kept = [tally.position(axis) for axis in measure.by]
    rows = []
    for cell, (labels, above, below) in enumerate(_cells(plan, tally, counts, measure, kept)):
        if below.any():
            if measure.share is not None:
                estimate = grouped_share(above, below, plan.deals, confidence=confidence)
            else:
                spread = _single_variance(tally, counts, measure, kept, cell)
                estimate = grouped_ratio(above, below, spread, confidence=confidence)
            rows.append({**labels, "value": estimate})
    return rows


def measure_totals(plan: Plan, part: Part, measure: Measure) -> list[tuple[dict[str, Any], np.ndarray, np.ndarray]]:
    """Labels, numerators and denominators, each of shape (groups,), for each combination of labels."""
    tally = plan.tally(measure.tally)
    counts = _restricted(tally, part.tallies[tally.name], measure)
    return _cells(plan, tally, counts, measure, [tally.position(axis) for axis in measure.by])


def _cells(
    plan: Plan, tally: Tally, counts: np.ndarray, measure: Measure, kept: list[int]
) -> list[tuple[dict[str, Any], np.ndarray, np.ndarray]]:
    below, above = _totals(plan, tally, counts, measure, kept)
    names = product(*(tally.axes[position].labels for position in kept))
    return [
        (dict(zip(measure.by, labels, strict=True)), above[:, cell], below[:, cell])
        for cell, labels in enumerate(names)
    ]


def grouped_ratio(
    numerator: np.ndarray,
    denominator: np.ndarray,
    single_variance: float | None = None,
    *,
    scale: int = 1,
    confidence: float = 0.95,
) -> Estimate:
    """Total over total, with Student's t over the groups' residuals (Cochran 1977, Sampling Techniques, ch. 6).

    Parameters
    ----------
    numerator, denominator : int arrays, one entry a group; the numerator in units of 1 / `scale`
    single_variance : variance of a single observation, for the number of independent ones of the same precision
    """
    value, error, n, n_groups = _ratio(numerator, denominator, scale)
    if n_groups < 2:
        return Estimate(value, math.nan, math.nan, n, math.nan, "no interval: a single group of deals")
    half = error * student_quantile(confidence, n_groups - 1)
    n_effective = single_variance / error**2 if single_variance and error > 0 else float(n)
    return Estimate(value, value - half, value + half, n, n_effective, f"Student t over {n_groups} groups of deals")


def grouped_share(
    numerator: np.ndarray, denominator: np.ndarray, n_deals: int, *, scale: int = 1, confidence: float = 0.95
) -> Estimate:
    """Total over total where the one is part of the other: Wilson's interval on the effective number.

    Where no group strays from 0 or 1 the deals are taken as the independent observations.
    """
    value, error, n, n_groups = _ratio(numerator, denominator, scale)
    if n_groups < 2:
        return Estimate(value, 0.0, 1.0, n, math.nan, "no interval: a single group of deals")
    n_effective = value * (1 - value) / error**2 if error > 0 else float(min(n_deals, n))
    low, high = wilson(value, n_effective, student_quantile(confidence, n_groups - 1))
    return Estimate(value, low, high, n, n_effective, f"Wilson, effective n over {n_groups} groups of deals")


def _ratio(numerator: np.ndarray, denominator: np.ndarray, scale: int) -> tuple[float, float, int, int]:
    """Ratio, its standard error, the denominator's total, and the number of groups."""
    above, below = [int(n) for n in numerator], [int(n) for n in denominator]
    total, n, n_groups = sum(above), sum(below), len(above)
    residuals = sum((a * n - b * total) ** 2 for a, b in zip(above, below, strict=True))  # exact; n squared times
    error = math.sqrt(n_groups / (n_groups - 1) * (residuals / n**4)) / scale if n_groups > 1 else math.nan
    return total / n / scale, error, n, n_groups


def histogram(plan: Plan, part: Part, name: str, by: Sequence[str], value: str) -> Rows:
    """Counts of a tally summed over groups and all other axes: a row a label of `by` and a label of `value`."""
    tally = plan.tally(name)
    kept = [tally.position(axis) for axis in (*by, value)]
    counts = _marginal(part.tallies[name].sum(axis=0)[None], kept)[0]
    labels = product(*(tally.axes[position].labels for position in kept))
    return [
        {**dict(zip((*by, value), names, strict=True)), "count": int(count)}
        for names, count in zip(labels, counts.ravel(), strict=True)
        if count
    ]


def _restricted(tally: Tally, counts: np.ndarray, measure: Measure) -> np.ndarray:
    """Counts with the labels outside `where` left out."""
    for axis, labels in measure.where:
        position = tally.position(axis)
        mask = np.array([label in labels for label in tally.axes[position].labels])
        shape = [1] * counts.ndim
        shape[position + 1] = mask.size
        counts = counts * mask.reshape(shape)
    return counts


def _marginal(counts: np.ndarray, kept: Sequence[int]) -> np.ndarray:
    """Sum over all axes but the groups' (the first) and the kept ones, in the order asked for."""
    gone = tuple(a + 1 for a in range(counts.ndim - 1) if a not in kept)
    summed = counts.sum(axis=gone)
    order = sorted(kept)
    return np.transpose(summed, (0, *(order.index(position) + 1 for position in kept)))


def _totals(
    plan: Plan, tally: Tally, counts: np.ndarray, measure: Measure, kept: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Denominators and numerators, shape (groups, cells)."""
    n_groups = len(counts)
    flat = (n_groups, -1)
    if measure.value is not None:
        position = tally.position(measure.value)
        table = _marginal(counts, [*kept, position])
        values = np.array(tally.axes[position].labels, np.int64)
        return table.sum(axis=-1).reshape(flat), (table * values).sum(axis=-1).reshape(flat)
    parts = measure.ratio if measure.share is None else (*measure.share, None)
    if parts is not None:
        axis, above, below = parts
        position = tally.position(axis)
        table = _marginal(counts, [*kept, position])
        names = tally.axes[position].labels
        chosen = np.array([label in above for label in names])
        base = np.array([below is None or label in below for label in names])
        return (table * base).sum(axis=-1).reshape(flat), (table * chosen).sum(axis=-1).reshape(flat)
    table = _marginal(counts, kept).reshape(flat)
    seats = plan.group_sizes() * plan.games_per_deal * plan.seats
    return np.where(table.any(axis=0), seats[:, None], 0), table


def _single_variance(tally: Tally, counts: np.ndarray, measure: Measure, kept: list[int], cell: int) -> float | None:
    """Variance of one observation of a cell, where the tally tells it."""
    if measure.value is None:
        return None
    position = tally.position(measure.value)
    values = np.array(tally.axes[position].labels, np.float64)
    seen = _marginal(counts, [*kept, position]).sum(axis=0).reshape(-1, values.size)[cell]
    mean = float(seen @ values) / float(seen.sum())
    return float(seen @ (values - mean) ** 2) / float(seen.sum())
