"""Which findings survive when reconstructed components are redrawn?

A game whose component file holds reconstructed values names changes of rules (`Game.redrawn`) that draw those values
anew in each deal, or scale them. A figure that moves under them is a figure of the reconstruction, not of the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from analyses.run import Run
from analyses.statistics import Estimate, equivalence
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import Game
from simcore.rules import RuleSet

FIRM, DEPENDENT, OPEN = "firm", "dependent", "open"
WORDS = {"fair": FIRM, "not fair": DEPENDENT, "open": OPEN}
TENSION = ("lead_share", "lead_lost", "win_by_place")
SLACK = 0.05  # of a figure's largest value: less does not change what a designer would do


def redraw_changes(game: Game, rules: RuleSet, seats: Iterable[int]) -> list[str]:
    """The changes that redraw what is reconstructed; empty where nothing is, or where these rules do not allow it."""
    return further_changes(game, rules, seats, game.redrawn)


def further_changes(game: Game, rules: RuleSet, seats: Iterable[int], wanted: Iterable[str]) -> list[str]:
    """Those `name=value` changes whose rules are as shipped; none if the rules cannot be played with them."""
    changed = rules.changes()
    changes = [change for change in wanted if change.partition("=")[0] not in changed]
    further = rules
    for change in changes:
        name, _, value = change.partition("=")
        further = further.replaced(name, int(value))
    try:
        for n_seats in seats:
            game.check(further, n_seats)
    except AssayError:
        return []
    return changes


def robustness_rows(shipped: Run, redrawn: Run, tolerance: float) -> Rows:
    """A row a figure and label: `figure`, `unit`, its labels, `shipped`, `redrawn`, `firmness`, and `value`.

    `value` is redrawn minus shipped. Firm if its interval lies within the tolerance, dependent if wholly outside: for
    shares of wins `tolerance`, for all else `SLACK` of the figure's largest value (shares: `tolerance` at least).
    """
    rows: Rows = []
    for figure, unit, pairs in _figures(shipped, redrawn):
        largest = max((abs(was.estimate) for _, was, _ in pairs), default=0.0)
        band = SLACK * largest
        if unit.startswith("share"):
            band = tolerance if figure == "win_share" else max(tolerance, band)
        for labels, was, now in pairs:
            change = _difference(was, now)
            known = math.isfinite(change.low) and math.isfinite(change.high)
            word = WORDS[equivalence(change, target=0, tolerance=band)] if known else OPEN
            values = {"shipped": was.estimate, "redrawn": now.estimate, "firmness": word, "value": change}
            rows.append({"figure": figure, "unit": unit, **labels, **values})
    return rows


def _figures(shipped: Run, redrawn: Run) -> Iterator[tuple[str, str, list[tuple[dict, Estimate, Estimate]]]]:
    """Name, unit, and pairs of estimates of every figure that both have."""
    both = zip(shipped.seat_rows, redrawn.seat_rows, strict=True)
    yield "win_share", "share of wins", [({"seat": str(a["seat"])}, a["win_share"], b["win_share"]) for a, b in both]
    for measure in shipped.plan.game.economy:
        name = measure.name
        yield name, measure.unit, _pairs(shipped.economy_rows[name], redrawn.economy_rows[name])
    for name in TENSION:
        yield name, "share", _pairs(shipped.tension_rows[name], redrawn.tension_rows[name])


def _pairs(shipped: Rows, redrawn: Rows) -> list[tuple[dict, Estimate, Estimate]]:
    """Labels, as words, and both estimates of the rows that both have."""
    found = {tuple(_labels(row).values()): row["value"] for row in redrawn}
    pairs = ((_labels(row), row["value"], found.get(tuple(_labels(row).values()))) for row in shipped)
    return [(labels, was, now) for labels, was, now in pairs if now is not None]


def _labels(row: dict) -> dict[str, str]:
    return {name: str(value) for name, value in row.items() if name != "value"}


def _difference(was: Estimate, now: Estimate) -> Estimate:
    """Now minus was. The deals are the same, so that adding the variances errs on the wide side."""
    change = now.estimate - was.estimate
    half = math.hypot((was.high - was.low) / 2, (now.high - now.low) / 2)
    n_effective = min(was.n_effective, now.n_effective)
    return Estimate(change, change - half, change + half, was.n + now.n, n_effective, "difference, variances added")
