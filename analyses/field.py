"""A mixed field: every strategy at every seat of every deal, among as many others as the table holds.

With K strategies in a circle and n seats, the K tables that start at each strategy of the circle are each played in
every rotation of the seats. All play the same deals, so the shares of seats are free of strategies, neighbours and
deals, and those of strategies free of seats. A few circles in other orders change who sits beside whom.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.run import Run, play_plan
from analyses.statistics import share, simultaneous_confidence
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import find_game

DEFAULT_DEALS = 500
N_CIRCLES = 3


@dataclass(frozen=True)
class Field(Run):
    """The results of a mixed field; `by_seat`, `economy` and `tension` as for a run, over all its tables."""

    names: tuple[str, ...] = ()

    @cached_property
    def strategy_rows(self) -> Rows:
        """A row a strategy: `name`, `win_share`; the intervals hold together."""
        level = simultaneous_confidence(0.95, len(self.names))
        rows = []
        for name in self.names:
            weights = [
                int(c.role == "player" and c.measure == "win" and self.plan.tables[c.table][c.index].name == name)
                for c in self.plan.columns
            ]
            n_seats = sum(weights) * self.plan.seats
            rows.append({"name": name, "win_share": share(self.part.moments, weights, n_seats, confidence=level)})
        return rows


def circles(n: int, n_circles: int = N_CIRCLES) -> list[list[int]]:
    """Orders of `n` strategies: as given, then shuffled by a fixed seed."""
    shuffler = random.Random(0)
    orders = [list(range(n))]
    while len(orders) < n_circles:
        order = list(range(n))
        shuffler.shuffle(order)
        orders.append(order)
    return orders


def field(
    game: str,
    names: Sequence[str],
    *,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    has_tallies: bool = True,
    n_circles: int = N_CIRCLES,
    work: Work | None = None,
) -> Field:
    """Play a mixed field of strategies.

    Parameters
    ----------
    names : at least as many different strategies as seats
    deals : deals that every table plays; each takes `n_circles` x seats games a strategy
    n_circles : orders in which the strategies sit round
    has_tallies : whether economy and tension are wanted too
    others : as in `analyses.run.run`

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    if len(set(names)) != len(names) or len(names) < seats:
        raise AssayError(f"a mixed field of {seats} seats needs at least {seats} different strategies")
    rule_set = find_rules(chosen, changes, rules)
    players = find_strategies(chosen, names)
    tables = [
        [players[order[(start + seat) % len(order)]] for seat in range(seats)]
        for order in circles(len(players), n_circles)
        for start in range(len(order))
    ]
    plan = make_plan(
        chosen, tables, rule_set, deals, seed, measures=("win", *chosen.measures), is_duplicate=True, has_tallies=has_tallies
    )  # fmt: skip
    return Field(plan, play_plan(plan, work or Work()), names=tuple(player.name for player in players))
