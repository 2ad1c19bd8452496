"""When is it decided? Who leads after each round, how long leads last, whether the last can come back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from analyses.tallied import Rows, grouped_share, measure_totals
from simcore.game import SIXTIETHS, Measure
from simcore.plan import Part, Plan
from simcore.standings import MAX_LEAD

FIGURES = ("lead_share", "lead_lost", "lead_shared", "win_by_place", "win_by_lead")
LEAD_CHANGES = Measure(
    "lead_change",
    "what became of the lead between two standings: kept, shared with or by others, or lost wholly",
    "share of games",
    "lead_change",
    ("until",),
    share=("lead", ("lost",)),
)


def tension_rows(plan: Plan, part: Part) -> dict[str, Rows]:
    """Rows of each figure, by name.

    `lead_share`: share of games led by each seat after a round; `lead_lost`, `lead_shared`: share of games in which
    the lead was lost wholly, or partly, by the next standing ("end" is the winner); `win_by_place`: chance that a
    seat in that place after a round wins; `win_by_lead`: chance that the leaders win, by their lead.
    """
    rows: dict[str, Rows] = {name: [] for name in FIGURES}
    for name, labels, above, below, scale in tension_totals(plan, part):
        rows[name].append({**labels, "value": grouped_share(above, below, plan.deals, scale=scale)})
    return rows


def tension_totals(plan: Plan, part: Part) -> Iterator[tuple[str, dict[str, Any], np.ndarray, np.ndarray, int]]:
    """Name, labels, numerators and denominators by group, and the numerators' scale, of all that occurred."""
    yield from _lead_shares(plan, part)
    reached = (*plan.game.reached(plan.rules), "end")
    for name, fate in (("lead_lost", "lost"), ("lead_shared", "shared")):
        measure = replace(LEAD_CHANGES, name=name, share=("lead", (fate,)))
        for labels, above, below in measure_totals(plan, part, measure):
            if below.any() and labels["until"] in reached:
                yield name, labels, above, below, 1
    yield from _chances(plan, part, "win_by_place", "place", "place", range(1, plan.seats + 1))
    yield from _chances(plan, part, "win_by_lead", "lead_size", "lead", range(MAX_LEAD + 1))


def _lead_shares(plan: Plan, part: Part) -> Iterator[tuple[str, dict[str, Any], np.ndarray, np.ndarray, int]]:
    games = plan.group_sizes() * plan.games_per_deal
    for at, label in enumerate(plan.game.reached(plan.rules)):
        counts = part.tallies["lead_seat"][:, at]
        for seat in range(plan.seats):
            yield "lead_share", {"round": label, "seat": seat + 1}, counts[:, seat], games, SIXTIETHS


def _chances(
    plan: Plan, part: Part, name: str, tally: str, axis: str, labels: range
) -> Iterator[tuple[str, dict[str, Any], np.ndarray, np.ndarray, int]]:
    for at, label in enumerate(plan.game.reached(plan.rules)):
        for position, number in enumerate(labels):
            seen, won = part.tallies[tally][:, at, position, 0], part.tallies[tally][:, at, position, 1]
            if seen.any():
                yield name, {"round": label, axis: number}, won, seen, SIXTIETHS
