"""One figure under two sets of rules, on the same deals: the difference, paired by groups of deals.

Every figure of a run is a total over a total, by groups of deals. Two runs of as many deals from the same seed have the
same deals in each group, so that their difference rests on how each group differs from itself. Figures that are no such
ratio, like the spread between seats, are told by the jackknife: left out are one group of deals after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analyses.field import Field
from analyses.run import Run
from analyses.statistics import Estimate, student_quantile
from analyses.tallied import grouped_ratio, grouped_share, measure_totals
from analyses.tension import tension_totals
from simcore.game import SIXTIETHS, Game, Measure
from simcore.plan import Part, Plan
from simcore.rules import RuleSet

WIN_SHARE = "win_share"

Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Figure:
    """A figure as totals by group of deals.

    Attributes
    ----------
    name, labels, unit : what it is; labels by axis, as words
    above, below : int64 arrays, shape (groups,); the figure is their totals' ratio over `scale`
    """

    name: str
    labels: Mapping[str, str]
    unit: str
    above: NDArray[np.int64]
    below: NDArray[np.int64]
    scale: int = 1
    deals: int = 0

    @property
    def key(self) -> Key:
        """What tells figures of one run apart."""
        return self.name, tuple(self.labels.items())

    @property
    def value(self) -> float:
        return int(self.above.sum()) / int(self.below.sum()) / self.scale

    @property
    def estimate(self) -> Estimate:
        """With its interval of 95 %."""
        if self.unit.startswith("share"):
            return grouped_share(self.above, self.below, self.deals, scale=self.scale)
        return grouped_ratio(self.above, self.below, scale=self.scale)

    @property
    def without(self) -> NDArray[np.float64]:
        """The figure without one group after the other, shape (groups,)."""
        below = (self.below.sum() - self.below).astype(np.float64)
        return (self.above.sum() - self.above) / np.where(below > 0, below, np.nan) / self.scale

    @property
    def residuals(self) -> NDArray[np.float64]:
        """How far each group's total lies from what the whole leads one to expect, in units of the figure."""
        n = int(self.below.sum())
        exact = [int(a) * n - int(b) * int(self.above.sum()) for a, b in zip(self.above, self.below, strict=True)]
        return np.array([residual / n / n for residual in exact]) / self.scale


# --- the figures of a study --------------------------------------------------------------------------------


def figures(run: Run) -> dict[Key, Figure]:
    """All figures of a run by key: seats, economy, tension; those whose denominator is not 0."""
    plan, part = run.plan, run.part
    found = [*seat_figures(plan, part), *_economy(plan, part, plan.game.economy), *_tension(plan, part)]
    return {figure.key: figure for figure in found if figure.below.any()}


def single_figures(run: Run) -> dict[Key, Figure]:
    """As `figures`, but of the economy only what is one number, which is soon told."""
    plan, part = run.plan, run.part
    single = [measure for measure in plan.game.economy if not measure.by]
    found = [*seat_figures(plan, part), *_economy(plan, part, single), *_tension(plan, part)]
    return {figure.key: figure for figure in found if figure.below.any()}


def seat_figures(plan: Plan, part: Part) -> list[Figure]:
    """Share of wins and means of each seat, whoever sits there."""
    games = plan.group_sizes() * plan.games_per_deal
    units = {"win": "share of wins", **plan.game.measures}
    rows = []
    for measure in plan.measures:
        name, scale = (WIN_SHARE, SIXTIETHS) if measure == "win" else (measure, 1)
        for seat in range(plan.seats):
            total = _summed(part, [(c.role, c.measure, c.index) == ("seat", measure, seat) for c in plan.columns])
            rows.append(Figure(name, {"seat": str(seat + 1)}, units[measure], total, games, scale, plan.deals))
    return rows


def strategy_figures(field: Field) -> list[Figure]:
    """Share of wins of each strategy of a mixed field."""
    plan = field.plan
    rows = []
    for name in field.names:
        chosen = [
            c.role == "player" and c.measure == "win" and plan.tables[c.table][c.index].name == name
            for c in plan.columns
        ]
        total = _summed(field.part, chosen)
        seats = plan.group_sizes() * sum(chosen) * plan.seats
        rows.append(Figure(WIN_SHARE, {"strategy": name}, "share of wins", total, seats, SIXTIETHS, plan.deals))
    return rows


def _summed(part: Part, chosen: Sequence[bool]) -> NDArray[np.int64]:
    """Sums by group over the columns chosen."""
    return part.tallies["sums"][:, chosen].sum(axis=1)


def _economy(plan: Plan, part: Part, measures: Iterable[Measure]) -> Iterable[Figure]:
    for measure in measures:
        for labels, above, below in measure_totals(plan, part, measure):
            yield Figure(measure.name, _words(labels), measure.unit, above, below, 1, plan.deals)


def _tension(plan: Plan, part: Part) -> Iterable[Figure]:
    for name, labels, above, below, scale in tension_totals(plan, part):
        yield Figure(name, _words(labels), "share", above, below, scale, plan.deals)


def _words(labels: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in labels.items()}


# --- differences -------------------------------------------------------------------------------------------


def difference(now: Figure, was: Figure, confidence: float = 0.95) -> Estimate:
    """Now minus was, on the same deals: Student's t over the groups' paired residuals."""
    n_groups = len(was.above)
    change = now.value - was.value
    n = int(now.below.sum()) + int(was.below.sum())
    if n_groups < 2:
        return Estimate(change, math.nan, math.nan, n, math.nan, "no interval: a single group of deals")
    gaps = now.residuals - was.residuals
    error = math.sqrt(n_groups / (n_groups - 1) * math.fsum(gaps**2))
    half = error * student_quantile(confidence, n_groups - 1)
    method = f"Student t over {n_groups} groups of deals, paired" if error else "every group of deals equal"
    return Estimate(change, change - half, change + half, n, float(n_groups), method)


def p_value(now: Figure, was: Figure) -> float:
    """Two-sided, of no difference: below 1 - confidence just when the interval of `difference` excludes 0.

    Groups that all differ by the same get the sign test's 2**(1 - n_groups).
    """
    from scipy import stats

    n_groups = len(now.above)
    change = difference(now, was)
    if change.estimate == 0 or n_groups < 2:
        return 1.0
    error = (change.high - change.estimate) / student_quantile(0.95, n_groups - 1)
    return float(2 * stats.t.sf(abs(change.estimate) / error, n_groups - 1)) if error else 0.5 ** (n_groups - 1)


def jackknife(
    function: Callable[[NDArray[np.float64]], NDArray[np.float64]], chosen: Sequence[Figure], confidence: float = 0.95
) -> Estimate:
    """A function of several figures of the same deals, its interval by leaving out each group (Tukey 1958).

    Parameters
    ----------
    function : of an array (figures, n) to one (n,), each column a set of values of the figures
    """
    values = np.array([[figure.value] for figure in chosen])
    whole = float(function(values)[0])
    n_groups = len(chosen[0].above)
    n = max(int(figure.below.sum()) for figure in chosen)
    if n_groups < 2:
        return Estimate(whole, math.nan, math.nan, n, math.nan, "no interval: a single group of deals")
    left = function(np.array([figure.without for figure in chosen]))
    error = math.sqrt((n_groups - 1) / n_groups * math.fsum((left - math.fsum(left) / n_groups) ** 2))
    half = error * student_quantile(confidence, n_groups - 1)
    return Estimate(whole, whole - half, whole + half, n, float(n_groups), f"jackknife over {n_groups} groups of deals")


def spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the least to the greatest."""
    return values.max(axis=0) - values.min(axis=0)


def spread_estimate(chosen: Sequence[Figure]) -> Estimate:
    """From the least of some figures to the greatest, with its interval, which does not go below 0."""
    found = jackknife(spread, chosen)
    return replace(found, low=max(found.low, 0.0)) if found.low < 0 else found


def spread_difference(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The spread of the first half of the figures less that of the second."""
    half = len(values) // 2
    return spread(values[:half]) - spread(values[half:])


def half_time(game: Game, rules: RuleSet | None = None) -> str:
    """The standing half-way through, of those that these rules reach."""
    rounds = game.rounds if rules is None else game.reached(rules)
    return rounds[max(len(rounds) // 2 - 1, 0)]
