"""When is it decided? Who leads after each round, how long leads last, whether the last can come back."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyses.statistics import Estimate
from analyses.tallied import Rows, grouped_share, measure_rows
from simcore.game import SIXTIETHS, Measure
from simcore.plan import Part, Plan
from simcore.standings import MAX_LEAD

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
    return {
        "lead_share": _lead_shares(plan, part),
        "lead_lost": measure_rows(plan, part, LEAD_CHANGES),
        "lead_shared": measure_rows(plan, part, _shared()),
        "win_by_place": _chances(plan, part, "place", "place", range(1, plan.seats + 1)),
        "win_by_lead": _chances(plan, part, "lead_size", "lead", range(MAX_LEAD + 1)),
    }


def _shared() -> Measure:
    return Measure(
        "lead_shared", LEAD_CHANGES.about, LEAD_CHANGES.unit, "lead_change", ("until",), share=("lead", ("shared",))
    )


def _lead_shares(plan: Plan, part: Part) -> Rows:
    rows = []
    games = plan.group_sizes() * plan.games_per_deal
    for at, label in enumerate(plan.game.rounds):
        counts = part.tallies["lead_seat"][:, at]
        if not counts.any():
            continue  # a round that was not played
        for seat in range(plan.seats):
            rows.append({"round": label, "seat": seat + 1, "value": _share(plan, counts[:, seat], games)})
    return rows


def _chances(plan: Plan, part: Part, tally: str, axis: str, labels: range) -> Rows:
    rows: list[dict[str, Any]] = []
    for at, label in enumerate(plan.game.rounds):
        for position, name in enumerate(labels):
            seen, won = part.tallies[tally][:, at, position, 0], part.tallies[tally][:, at, position, 1]
            if seen.any():
                rows.append({"round": label, axis: name, "value": _share(plan, won, seen)})
    return rows


def _share(plan: Plan, sixtieths: np.ndarray, games: np.ndarray) -> Estimate:
    return grouped_share(sixtieths, games, plan.deals, scale=SIXTIETHS)
