"""One table on many deals: what happens to each seat, what the economy does, when the game is decided."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses import seats as seat_question
from analyses.enough import Stop, check_precision, narrowest_at, play_until
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_table, make_plan
from analyses.statistics import Estimate
from analyses.tallied import Rows, measure_rows
from analyses.tension import tension_rows
from simcore.errors import StoreError
from simcore.game import find_game
from simcore.plan import Part, Plan, run_plan

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 20_000
MOST_DEALS = 20_000_000  # to a precision
LONG_RUN = 500_000  # games; a run of this size is kept while it is under way


@dataclass(frozen=True)
class Run:
    """The results of one table, or of several that play the same deals.

    Attributes
    ----------
    plan, part : what was played, and the exact sums it gave
    tuned_at : deals at which the intervals of the seats are narrowest, where the run was to a precision
    stop : how a run to a precision came to its end
    """

    plan: Plan
    part: Part
    tuned_at: int | None = None
    stop: Stop | None = None

    @cached_property
    def seat_rows(self) -> Rows:
        """A row a seat, with estimates; see `analyses.seats.by_seat`."""
        return seat_question.by_seat(self.plan, self.part, tuned_at=self.tuned_at)

    @cached_property
    def economy_rows(self) -> dict[str, Rows]:
        """Rows of every figure of the game's economy, by its name."""
        return {m.name: measure_rows(self.plan, self.part, m) for m in self.plan.game.economy}

    @cached_property
    def tension_rows(self) -> dict[str, Rows]:
        """Rows on who leads when, by the name of the figure; see `analyses.tension`."""
        return tension_rows(self.plan, self.part)

    @property
    def by_seat(self) -> pd.DataFrame:
        """A row a seat and measure: seat, strategy, measure, estimate, low, high, n, n_effective, method."""
        return frame(self.seat_rows)

    @property
    def economy(self) -> pd.DataFrame:
        """A row a figure and label: figure, unit, its labels, estimate, low, high, n, n_effective, method."""
        units = {m.name: m.unit for m in self.plan.game.economy}
        return frame([{"figure": n, "unit": units[n], **row} for n, rows in self.economy_rows.items() for row in rows])

    @property
    def tension(self) -> pd.DataFrame:
        """A row a figure and label: figure, round, place or lead, estimate, low, high, n, n_effective, method."""
        return frame([{"figure": n, **row} for n, rows in self.tension_rows.items() for row in rows])

    @property
    def unfinished(self) -> Estimate | None:
        """Share of games that ended without a winner; None if the game cannot."""
        rows = self.economy_rows.get("unfinished")
        return rows[0]["value"] if rows else None

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay run --json` prints it."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": plan.games,
            "rules": plan.rules.changes(),
            **({} if self.stop is None else {"looks": self.stop.looks, "is_precise": self.stop.is_decided}),
            **({} if self.unfinished is None else {"unfinished": self.unfinished}),
            "by_seat": self.seat_rows,
            "economy": self.economy_rows,
            "tension": self.tension_rows,
        }


def run(
    game: str,
    *,
    seats: int = DEFAULT_SEATS,
    strategies: str | Sequence[str] = "baseline",
    deals: int | None = None,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    precision: float | None = None,
    has_tallies: bool = True,
    work: Work | None = None,
) -> Run:
    """Play one table on many deals.

    Parameters
    ----------
    game : a game's name, such as "ostia"
    seats : number of players
    strategies : one for all seats or one for each; names, or paths of strategy files
    deals : games played, one a deal, `DEFAULT_DEALS` unless given; with a precision, the most, `MOST_DEALS`
    seed : of the study; the same seed gives the same bits
    changes : changed rules, as `name=value`
    rules : TOML file of changed rules
    precision : play until the share of wins of every seat is known to within this, 0.002 being 0.2 points in 100
    has_tallies : whether economy and tension are wanted too
    work : jobs, joblib backend, folder for results, progress

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    rule_set = find_rules(chosen, changes, rules)
    work = work or Work()
    if precision is not None:
        check_precision(precision)
    most = DEFAULT_DEALS if precision is None else MOST_DEALS
    plan = make_plan(
        chosen, [find_table(chosen, seats, strategies)], rule_set, most if deals is None else deals, seed,
        measures=("win", *chosen.measures), has_rows=work.out is not None, has_tallies=has_tallies,
    )  # fmt: skip
    if precision is None:
        return Run(plan, play_plan(plan, work))
    tuned_at = narrowest_at(1 / seats, precision)
    judge = partial(_is_precise, precision, tuned_at)
    played, part, stop = play_until(plan, judge, play_plan, work)
    return Run(played, part, tuned_at, stop)


def _is_precise(precision: float, tuned_at: int, plan: Plan, part: Part) -> tuple[bool, int]:
    """Whether every seat's share is known to within the precision, and about how many deals that takes."""
    widths = []
    for seat in range(plan.seats):
        share = seat_question.seat_share(plan, part, seat, tuned_at=tuned_at)
        widths.append((share.high - share.low) / 2)
    return max(widths) <= precision, math.ceil(plan.deals * (max(widths) / precision) ** 2)


def play_plan(plan: Plan, work: Work) -> Part:
    """Play a plan, keeping finished parts in `work.out` if given.

    Without it the parts of a long run are kept in the user's cache folder until the run is done, so that one that was
    stopped goes on where it was.
    """
    if work.out is not None:
        return _play_kept(plan, work, work.out)
    folder = _pending_folder(plan)
    if folder is not None:
        with contextlib.suppress(StoreError):  # another process is at the same run, or the disk is full
            part = _play_kept(plan, work, folder)
            shutil.rmtree(folder, ignore_errors=True)
            return part
    return run_plan(plan, work.n_jobs, work.backend, None, work.progress)


def _play_kept(plan: Plan, work: Work, folder: Path) -> Part:
    """Play a plan, keeping finished parts in a folder."""
    from simcore.store import Store

    with Store(folder, plan) as store:
        part = run_plan(plan, work.n_jobs, work.backend, store, work.progress)
        for note in store.notes:
            work.tell(note)
    return part


def _pending_folder(plan: Plan) -> Path | None:
    """Where the parts of a long run are kept while it is under way; None for a short one, or without a cache folder."""
    if plan.games < LONG_RUN:
        return None
    from simcore.cache import CACHE_ROOT

    if CACHE_ROOT is None:
        return None
    identity = json.dumps(plan.identity(), sort_keys=True)
    return CACHE_ROOT / "pending" / hashlib.sha256(identity.encode()).hexdigest()[:16]
