"""When is it decided? Lead changes, comebacks, the decisive moment, runaway leaders, and losers who choose the winner.

All of it from the standings that every game keeps. `analyses.tension` tells who leads when; here whole games are
followed, from outcome rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_table, make_plan
from analyses.paired import Figure, jackknife
from analyses.statistics import Estimate, histogram_quantiles
from analyses.steps import Step, play_steps
from analyses.tallied import Rows, grouped_ratio, grouped_share
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, WIN, Game, find_game
from simcore.plan import Plan, play_part

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 5_000
END = "end"
QUANTILES = (0.5, 0.9, 0.99)
SINGLE = {
    "lead_changes": (
        "changes",
        "times in a game that the lead is lost wholly from one standing to the next, the end counted",
    ),
    "decided_at": (
        "share of the standings",
        "part of the standings, the end counted, after which the winner no longer loses the lead",
    ),
    "kingmaking": (
        "share of games",
        "games in which a seat that wins neither way decides, by playing another plan, which other seat wins",
    ),
}


@dataclass(frozen=True)
class Followed:
    """Standings and wins of one table: int arrays, shapes (deals, standings, seats) and (deals, seats); wins in sixtieths."""

    standings: NDArray[np.int32]
    wins: NDArray[np.int32]

    @cached_property
    def leads(self) -> NDArray[np.bool_]:
        """Who leads, alone or with others, shape (deals, standings + 1, seats); last, who wins."""
        best = self.standings == self.standings.max(axis=2, keepdims=True)
        return np.concatenate([best, (self.wins > 0)[:, None]], axis=1)


@dataclass(frozen=True)
class Decided:
    """What became of leads.

    Attributes
    ----------
    table : what was followed; games without a winner are left out
    deals_of : the deal that each game of the table is
    swapped : by seat, the wins on all deals with `rival` there, shape (deals, seats); none without a rival
    wins : of all deals of the table
    """

    game: Game
    plan: Plan
    labels: tuple[str, ...]
    table: Followed
    deals_of: NDArray[np.int64]
    wins: NDArray[np.int32]
    swapped: Mapping[int, NDArray[np.int32]]
    rival: str | None

    @property
    def games(self) -> int:
        """Games played in all."""
        return self.plan.deals * (1 + len(self.swapped))

    @property
    def seats(self) -> int:
        return self.plan.seats

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """The group of deals of each game followed."""
        return np.asarray(self.plan.group_of(self.deals_of))

    def _sums(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """Totals of whole numbers by group of deals."""
        found = np.zeros(self.plan.n_groups, np.int64)
        np.add.at(found, self.groups, values.astype(np.int64))
        return found

    @cached_property
    def _ones(self) -> NDArray[np.int64]:
        return self._sums(np.ones(len(self.deals_of), np.int64))

    @cached_property
    def moment(self) -> NDArray[np.int64]:
        """By game: the first standing from which on a winner always leads; as many as there are for the end."""
        wins = self.table.leads[:, -1:]
        is_led = np.asarray((self.table.leads[:, :-1] & wins).any(axis=2))
        return is_led.shape[1] - np.cumprod(is_led[:, ::-1], axis=1).sum(axis=1)

    @cached_property
    def moment_rows(self) -> Rows:
        """A row a standing: `decided` (its label, or `end`), `share` of games that are decided there, `until` of those by then."""
        rows = []
        for at, label in enumerate((*self.labels, END)):
            here, by_then = self._sums(self.moment == at), self._sums(self.moment <= at)
            found = {"share": self._share(here), "until": self._share(by_then)}
            rows.append({"decided": label, **found})
        return rows

    def _share(self, counts: NDArray[np.int64], scale: int = 1) -> Estimate:
        return grouped_share(counts, self._ones, self.plan.deals, scale=scale)

    @cached_property
    def round_rows(self) -> Rows:
        """A row a standing: `round`, `behind` and `last`, shares of games won from behind and from the last place, and `runaway`.

        The runaway index is 0 where those who lead win no more often than any other, and 1 where they always win.
        """
        rows = []
        for at, label in enumerate(self.labels):
            leads, now = self.table.leads[:, at], self.table.standings[:, at]
            is_last = (now == now.min(axis=1, keepdims=True)) & ~leads
            behind = self._sums((self.table.wins * ~leads).sum(axis=1))
            last = self._sums((self.table.wins * is_last).sum(axis=1))
            figures = [
                Figure("won", {}, "share", self._ones * SIXTIETHS - behind, self._ones, SIXTIETHS),
                Figure("leaders", {}, "seats", self._sums(leads.sum(axis=1)), self._ones),
            ]
            estimates = {"behind": self._share(behind, SIXTIETHS), "last": self._share(last, SIXTIETHS)}
            rows.append({"round": label, **estimates, "runaway": jackknife(self._runaway, figures)})
        return rows

    def _runaway(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        chance = values[1] / self.seats
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(chance < 1, (values[0] - chance) / (1 - chance), 0.0)

    @cached_property
    def single(self) -> dict[str, Estimate]:
        """The figures that are one number, by name; see `SINGLE`."""
        leads = self.table.leads
        changes = (~(leads[:, 1:] & leads[:, :-1]).any(axis=2)).sum(axis=1)
        found = {
            "lead_changes": grouped_ratio(self._sums(changes), self._ones),
            "decided_at": grouped_ratio(self._sums(self.moment + 1), self._ones, scale=len(self.labels) + 1),
        }
        if self.kingmaking is not None:
            found["kingmaking"] = self.kingmaking
        return found

    @cached_property
    def kingmaking(self) -> Estimate | None:
        """Of games with a seat that wins neither way: those in which who wins hangs on how it plays."""
        if not self.swapped:
            return None
        above = np.zeros(self.plan.n_groups, np.int64)
        below = np.zeros(self.plan.n_groups, np.int64)
        groups = np.asarray(self.plan.group_of(np.arange(self.plan.deals)))
        is_whole = self.wins.any(axis=1)
        for seat, wins in self.swapped.items():
            loses = (self.wins[:, seat] == 0) & (wins[:, seat] == 0) & is_whole & wins.any(axis=1)
            changed = loses & ((self.wins > 0) != (wins > 0)).any(axis=1)
            np.add.at(below, groups, loses.astype(np.int64))
            np.add.at(above, groups, changed.astype(np.int64))
        return grouped_share(above, below, self.plan.deals) if below.any() else None

    @cached_property
    def deficit_rows(self) -> Rows:
        """A row a quantile: `quantile`, and `value`, the largest lead of others over the winner that was made good in a game."""
        standings, wins = self.table.standings, self.table.wins > 0
        gap = standings.max(axis=2, keepdims=True) - standings
        worst = (
            np.where(wins[:, None], gap, np.iinfo(np.int32).max).min(axis=2).max(axis=1)
        )  # of several winners the nearest
        values, counts = np.unique(worst, return_counts=True)
        estimates = histogram_quantiles(counts, values, QUANTILES, n_effective=len(worst))
        return [{"quantile": q, "value": value} for q, value in zip(QUANTILES, estimates, strict=True)]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        single = [
            {"figure": n, "unit": SINGLE[n][0], "about": SINGLE[n][1], "value": v} for n, v in self.single.items()
        ]
        return {
            "decided": frame(single),
            "decided_moment": frame(self.moment_rows),
            "decided_rounds": frame(self.round_rows),
            "decided_deficits": frame(self.deficit_rows),
        }

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay decided --json` prints it."""
        plan = self.plan
        return {
            "game": self.game.name,
            "seats": plan.seats,
            "strategies": [strategy.name for strategy in plan.tables[0]],
            "rival": self.rival,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": self.games,
            "rules": plan.rules.changes(),
            **self.single,
            "moment": self.moment_rows,
            "rounds": self.round_rows,
            "deficits": self.deficit_rows,
        }


def decided(
    game: str,
    *,
    strategies: str | Sequence[str] = "baseline",
    rival: str | None = None,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Decided:
    """Follow whole games of a table.

    Parameters
    ----------
    strategies : of the table, as in `analyses.run.run`
    rival : the plan that each seat plays instead to see whether a loser decides who wins; without it that is left out
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    if deals < 2:
        raise AssayError(f"following games takes 2 deals at least, not {deals}")
    rule_set = find_rules(chosen, changes, rules)
    table = find_table(chosen, seats, strategies)
    options: dict[str, Any] = {"has_rows": True, "has_tallies": False}
    plans = {-1: make_plan(chosen, [table], rule_set, deals, seed, **options)}
    if rival is not None:
        (other,) = find_table(chosen, seats, rival)[:1]
        for seat in range(seats):
            swapped = [other if at == seat else one for at, one in enumerate(table)]
            plans[seat] = make_plan(chosen, [swapped], rule_set, deals, seed, **options)
    labels = chosen.reached(rule_set)
    columns = [chosen.column(f"after_{label}") for label in labels]
    steps = [Step(str(seat), deals, partial(_rows, plan, columns if seat < 0 else [])) for seat, plan in plans.items()]
    results = play_steps(steps, work or Work())
    standings, wins = results["-1"]
    ended = np.flatnonzero(wins.any(axis=1))
    if not len(ended):
        raise AssayError("none of these games has a winner: there is nothing to follow")
    return Decided(
        game=chosen,
        plan=plans[-1],
        labels=labels,
        table=Followed(standings[ended], wins[ended]),
        deals_of=ended,
        wins=wins,
        swapped={seat: results[str(seat)][1] for seat in plans if seat >= 0},
        rival=None if rival is None else plans[0].tables[0][0].name,
    )


def _rows(plan: Plan, columns: Sequence[int], work: Work) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Standings in these columns, and wins, of every deal of a table."""
    standings, wins = [], []
    for start, count in plan.parts():
        rows = play_part(plan, start, count).rows
        assert rows is not None
        standings.append(rows[0, :, 0][:, :, columns].transpose(0, 2, 1))
        wins.append(rows[0, :, 0, :, WIN])
        if work.progress is not None:
            work.progress(start + count, plan.deals)
    return np.concatenate(standings), np.concatenate(wins)
