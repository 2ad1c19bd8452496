"""Is a seat favoured? Shares of wins and means per seat, with the order of play as the only difference."""

from __future__ import annotations

from analyses.sequential import running_share
from analyses.statistics import Estimate, equivalence, mean, share, simultaneous_confidence
from analyses.tallied import Rows
from simcore.plan import Part, Plan

FAIR = "fair"


def by_seat(plan: Plan, part: Part, confidence: float = 0.95, tuned_at: int | None = None) -> Rows:
    """A row a seat: `seat`, `strategy` (or "mixed"), `win_share`, `score` and the game's further measures.

    With `tuned_at`, the intervals of the shares of wins hold at every look, and are narrowest at so many deals.
    """
    rows = []
    for seat in range(plan.seats):
        names = {table[seat].name for table in plan.tables} if not plan.is_duplicate else {"rotated"}
        row = {"seat": seat + 1, "strategy": names.pop() if len(names) == 1 else "mixed"}
        row["win_share"] = seat_share(plan, part, seat, confidence, tuned_at)
        for measure in plan.measures:
            if measure != "win":
                row[measure] = mean(
                    part.moments, _weights(plan, seat, measure), plan.games_per_deal, confidence=confidence
                )
        rows.append(row)
    return rows


def seat_share(plan: Plan, part: Part, seat: int, confidence: float = 0.95, tuned_at: int | None = None) -> Estimate:
    """Share of wins of whoever sits at a seat, over all tables; with `tuned_at` its interval holds at every look."""
    weights = _weights(plan, seat, "win")
    if tuned_at is not None:
        return running_share(part.moments, weights, plan.games_per_deal, tuned_at=tuned_at, confidence=confidence)
    return share(part.moments, weights, plan.games_per_deal, confidence=confidence)


def fairness(plan: Plan, part: Part, tolerance: float, confidence: float = 0.95) -> tuple[str, list[str]]:
    """Whether every seat wins its share within `tolerance`: the verdict on all seats, and on each.

    The intervals hold together at `confidence`; 'fair' and 'not fair' are equivalence verdicts, 'open' is neither.
    """
    together = simultaneous_confidence(confidence, plan.seats)
    shares = [seat_share(plan, part, seat, together) for seat in range(plan.seats)]
    target = 1 / plan.seats
    return (
        equivalence(*shares, target=target, tolerance=tolerance),
        [equivalence(one, target=target, tolerance=tolerance) for one in shares],
    )


def _weights(plan: Plan, seat: int, measure: str) -> list[int]:
    """Selects a seat's columns of one measure, over all tables."""
    return [int(c.role == "seat" and c.index == seat and c.measure == measure) for c in plan.columns]
