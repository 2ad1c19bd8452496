"""Studies as plans: which tables play which deals. A plan is played in parts that merge exactly in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from simcore.batch import play_batch
from simcore.errors import AssayError
from simcore.game import Game, Tally, counted
from simcore.moments import Moments
from simcore.rules import RuleSet
from simcore.standings import standing_tallies

GROUPS = 32  # consecutive deals in groups, whose spread gives the intervals of what is tallied
PART_GAMES = 20_000  # games in a part: some tenths of a second
LEAST_PART = 250  # deals: fewer at a time are slow, more are lost by a kill
MAX_DEALS = 10**10
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Column:
    """One column of the block sums: what is summed over the games of a deal."""

    table: int
    role: str  # "player": a strategy of the table wherever it sits; "seat": whoever sits there
    index: int
    measure: str


@dataclass(frozen=True)
class Plan:
    """Tables that all play the same deals.

    Attributes
    ----------
    tables : strategies by player; without rotation player p sits at seat p
    is_duplicate : each deal is played in every rotation of the seats
    seed, first, deals : the deals `first` to `first + deals - 1` of the study seed
    measures : outcome columns summed per deal
    part_deals : deals in a part; any number gives the same results
    has_tallies : whether the game's tallies are kept; without them only the block sums are
    """

    game: Game
    rules: RuleSet
    tables: tuple[tuple[Any, ...], ...]
    seed: int
    deals: int
    first: int = 0
    is_duplicate: bool = False
    measures: tuple[str, ...] = ("win",)
    part_deals: int = 0
    has_rows: bool = False
    has_tallies: bool = True

    def __post_init__(self) -> None:
        if not self.tables or len({len(table) for table in self.tables}) != 1:
            raise AssayError("a plan needs tables of equal size")
        self.game.check_seats(self.seats)
        if not 1 <= self.deals <= MAX_DEALS:
            raise AssayError(f"deals must be a whole number from 1 to {MAX_DEALS:,}, not {self.deals:,}")
        if not 0 <= self.seed <= MAX_SEED:
            raise AssayError(f"the seed must be a whole number from 0 to {MAX_SEED}, not {self.seed}")
        if not 0 <= self.first <= MAX_DEALS:
            raise AssayError(f"the first deal must be a whole number from 0 to {MAX_DEALS:,}, not {self.first}")

    @property
    def seats(self) -> int:
        return len(self.tables[0])

    @property
    def n_rotations(self) -> int:
        return self.seats if self.is_duplicate else 1

    @property
    def games_per_deal(self) -> int:
        return len(self.tables) * self.n_rotations

    @property
    def games(self) -> int:
        return self.deals * self.games_per_deal

    @cached_property
    def filled_rules(self) -> np.ndarray:
        """The RULES record, shape (1,)."""
        return self.game.fill_rules(self.rules, self.seats)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What the block sums hold, in order."""
        roles = ("player", "seat") if self.is_duplicate else ("seat",)
        return tuple(
            Column(table, role, index, measure)
            for table in range(len(self.tables))
            for role in roles
            for measure in self.measures
            for index in range(self.seats)
        )

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The game's tallies and those every game has; `sums` are the block sums by group, to pair studies by."""
        sums = Tally("sums", "sums of each column over the blocks", (counted("column", range(len(self.columns))),))
        return (*self.game.tallies, *standing_tallies(self.game), sums) if self.has_tallies else (sums,)

    def tally(self, name: str) -> Tally:
        """The tally of that name."""
        return next(tally for tally in self.tallies if tally.name == name)

    @property
    def n_groups(self) -> int:
        return min(GROUPS, self.deals)

    def group_sizes(self) -> np.ndarray:
        """Deals in each group, shape (groups,)."""
        edges = [-(-group * self.deals // self.n_groups) for group in range(self.n_groups + 1)]
        return np.diff(edges)

    def group_of(self, deal: np.ndarray | int) -> Any:
        """The group of the `deal`-th deal of the plan, counted from 0."""
        return deal * self.n_groups // self.deals

    def parts(self) -> Iterator[tuple[int, int]]:
        """First deal and number of deals of each part, counted within the plan."""
        size = self.part_deals or max(PART_GAMES // self.games_per_deal, LEAST_PART)
        for start in range(0, self.deals, size):
            yield start, min(size, self.deals - start)

    def identity(self) -> dict[str, Any]:
        """All that the results depend on, as plain data."""
        return {
            "game": self.game.name,
            "game_version": self.game.version,
            "rules": self.rules.as_dict(),
            "tables": [[strategy.name for strategy in table] for table in self.tables],
            "strategies": {s.name: s.digest for table in self.tables for s in table},
            "seed": self.seed,
            "first": self.first,
            "deals": self.deals,
            "is_duplicate": self.is_duplicate,
            "measures": list(self.measures),
            "part_deals": next(self.parts())[1],
            "has_rows": self.has_rows,
            "has_tallies": self.has_tallies,
        }


@dataclass
class Part:
    """The results of some deals of a plan, or of all: integers that add up exactly in any order.

    Attributes
    ----------
    first, count : deals, counted within the plan
    moments : of the block sums, columns as in `Plan.columns`
    squares : sum over single games of the squared win of each player (seat, without rotation) of each table,
        shape (tables, seats)
    tallies : int64 arrays, shape (groups that the deals fall in, *tally axes)
    n_asked : decisions asked
    rows : outcome rows, shape (tables, deals, rotations, seats, columns); only of a part that has just been played
    """

    first: int
    count: int
    moments: Moments
    squares: np.ndarray
    tallies: dict[str, np.ndarray]
    n_asked: int
    rows: np.ndarray | None = field(default=None, repr=False)

    @classmethod
    def nothing(cls, plan: Plan) -> Part:
        """The sum of no parts, with room for all groups."""
        n_columns = len(plan.columns)
        moments = Moments(0, (0,) * n_columns, ((0,) * n_columns,) * n_columns)
        squares = np.zeros((len(plan.tables), plan.seats), np.int64)
        tallies = {tally.name: np.zeros((plan.n_groups, *tally.shape), np.int64) for tally in plan.tallies}
        return cls(0, 0, moments, squares, tallies, 0)

    def add(self, plan: Plan, other: Part) -> None:
        """Take in another part of the same plan; `self` has room for all groups."""
        group = int(plan.group_of(other.first))
        self.count += other.count
        self.moments = self.moments + other.moments
        self.squares = self.squares + other.squares
        for name, counts in other.tallies.items():
            self.tallies[name][group : group + len(counts)] += counts
        self.n_asked += other.n_asked


def play_part(plan: Plan, start: int, count: int) -> Part:
    """Play `count` deals of a plan from its `start`-th on, at every table."""
    from simcore.counting import count_standings, sum_blocks  # brings in the compiler

    deals = np.arange(start, start + count)
    groups = plan.group_of(deals) - plan.group_of(start)
    counted = {tally.name for tally in plan.game.tallies} if plan.has_tallies else set()
    tallies = {
        tally.name: np.zeros((int(groups[-1]) + 1, *tally.shape), np.int64)
        for tally in plan.tallies
        if tally.name not in counted
    }
    counted_in = groups if plan.has_tallies else np.zeros(count, np.int64)
    standings = np.array(plan.game.standing_columns, np.int64)
    measures = np.array([plan.game.column(measure) for measure in plan.measures], np.int64)
    blocks = np.zeros((count, len(plan.columns)), np.int64)
    squares = np.zeros((len(plan.tables), plan.seats), np.int64)
    rows = []
    n_asked = 0
    at = 0
    for table, strategies in enumerate(plan.tables):
        batch = play_batch(
            plan.game, plan.rules, plan.filled_rules, strategies, plan.seed, plan.first + start, count,
            plan.n_rotations, counted_in,
        )  # fmt: skip
        n_asked += batch.n_asked
        sum_blocks(batch.outcomes, measures, plan.is_duplicate, at, blocks, squares[table])
        at += len(plan.columns) // len(plan.tables)
        if plan.has_tallies:
            count_standings(batch.outcomes, standings, groups, *(tallies[t.name] for t in standing_tallies(plan.game)))
            for tally in plan.game.tallies:
                if table == 0:
                    tallies[tally.name] = np.ascontiguousarray(batch.tallies[tally.name])
                else:
                    tallies[tally.name] += batch.tallies[tally.name]
        if plan.has_rows:
            rows.append(batch.outcomes)
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    tallies["sums"] += np.add.reduceat(blocks, starts, axis=0)
    return Part(start, count, Moments.of(blocks), squares, tallies, n_asked, np.stack(rows) if rows else None)


Progress = Callable[[int, int], None]


def run_plan(
    plan: Plan,
    jobs: int = 1,
    backend: str = "threading",
    store: Any = None,
    progress: Progress | None = None,
) -> Part:
    """Play all of a plan.

    Parameters
    ----------
    jobs : parts played at a time
    backend : a joblib backend; threads share the compiled code and are the usual choice
    store : where finished parts are kept and found again, see `simcore.store`
    progress : called with the deals done and the deals in all

    Returns
    -------
    Part
        The whole; the same bits for any `jobs`, `backend` and `part_deals`.
    """
    import simcore.counting  # noqa: F401  compiled once, as is the engine, before the work is spread out

    plan.game.engine.play  # noqa: B018
    plan.filled_rules  # noqa: B018
    whole: Part | None = None
    for part in _finished(plan, jobs, backend, store):
        if part.count == plan.deals:
            whole = replace(part, rows=None)
        else:
            whole = whole or Part.nothing(plan)
            whole.add(plan, part)
        if progress is not None:
            progress(whole.count, plan.deals)
    return whole or Part.nothing(plan)


def _finished(plan: Plan, jobs: int, backend: str, store: Any) -> Iterable[Part]:
    """Parts, the stored ones first, the others as they are done."""
    kept: set[tuple[int, int]] = set()
    if store is not None:
        for part in store.parts():
            kept.add((part.first, part.count))
            yield part
    missing = [part for part in plan.parts() if part not in kept]
    for part in _played(plan, missing, jobs, backend):
        if store is not None:
            store.save(part)
        yield part


def _played(plan: Plan, missing: Sequence[tuple[int, int]], jobs: int, backend: str) -> Iterable[Part]:
    if jobs == 1 or len(missing) < 2:
        for start, count in missing:
            yield play_part(plan, start, count)
        return
    import joblib

    try:
        parallel = joblib.Parallel(jobs, backend=backend, return_as="generator_unordered", pre_dispatch="2 * n_jobs")
        tasks = (joblib.delayed(play_part)(plan, start, count) for start, count in missing)
        yield from parallel(tasks)
    except ValueError as fault:
        if "backend" in str(fault).lower():
            raise AssayError(f"joblib cannot use backend '{backend}': {fault}") from None
        raise
