"""Skill or luck? A ladder of strategies, games to lead, and where the spread of results comes from.

Four things are played. A mixed field of all strategies, each table in every rotation of the seats, puts them in order of
strength, and its results fall into parts: strategy, seat, deal and the rest (`analyses.components`). The same field
without random play shows the parts among players who have a plan. On other deals, so that the order does not flatter
itself, each strategy meets the next one down in duplicate play (the tables (a, b, ..., b) and (b, a, ..., a), each in
every rotation): what it wins of the two's wins, and after how many games it leads (`analyses.games_to_lead`). Last, two
tables of one kind each, random play and the strongest strategy, show whether the seat matters more to those who play well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import strategies as shipped
from analyses import games_to_lead as leading
from analyses.components import SOURCES, Sums, distinct_tables
from analyses.field import circles
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.paired import (
    WIN_SHARE,
    Figure,
    jackknife,
    p_value,
    seat_figures,
    spread_difference,
    spread_estimate,
)
from analyses.run import play_plan
from analyses.statistics import Estimate, holm
from analyses.steps import Step, play_steps
from analyses.tallied import Rows, grouped_share
from simcore.errors import AssayError
from simcore.game import SCORE, SIXTIETHS, WIN, Game, find_game
from simcore.plan import Part, Plan, run_plan
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

    from strategies import Strategy

DEFAULT_DEALS = 500
LEAST_DEALS = 32  # as many as there are groups of deals
LEAST_NAMES, MAX_NAMES = 3, 40
RANDOM = "random"  # takes any legal choice: the foot of the ladder
SPREAD_DEALS = 40  # times as many deals are played by the tables of one kind, which take one game a deal
EVERYBODY, PLANNED = "everybody", "without random"  # the fields
WEAK, STRONG = "weak", "strong"  # the tables of one kind: random play, and the strongest strategy
RESULTS = {WIN_SHARE: WIN, "score": SCORE}  # outcome columns whose spread is taken apart
RANGE = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326, 6: 2.534}  # mean range of so many normal numbers, in their spread


@dataclass(frozen=True)
class Mixed:
    """A mixed field: what was played, the sums it gave, and what the components are made of, by result."""

    names: tuple[str, ...]
    plan: Plan
    part: Part
    sums: dict[str, Sums]


@dataclass(frozen=True)
class Ladder:
    """Pairs of strategies, the stronger first: table 2p is one of it among the weaker, table 2p + 1 the other way round.

    Attributes
    ----------
    pairs : positions in the order of strength, the strongest being 0
    won : sixtieths won by all seats of the stronger and of the weaker, int64, shape (groups, pairs, 2)
    differences : games of one of the stronger and one of the weaker, by the difference of their wins from -60 to 60
        sixtieths, int64, shape (groups, pairs, 121)
    """

    pairs: tuple[tuple[int, int], ...]
    plan: Plan
    won: np.ndarray
    differences: np.ndarray


@dataclass(frozen=True)
class Skill:
    """How much of a game is skill.

    Attributes
    ----------
    names : the strategies, the strongest of the mixed field first
    fields : the mixed fields by name; that of everybody gives the order
    ladder : each strategy against the next one down, and the first against the last
    tables : plan and sums of the tables of one kind
    """

    names: tuple[str, ...]
    fields: dict[str, Mixed]
    ladder: Ladder
    tables: dict[str, tuple[Plan, Part]]

    @property
    def plan(self) -> Plan:
        """The plan of the mixed field of everybody."""
        return self.fields[EVERYBODY].plan

    @property
    def games(self) -> int:
        """Games played in all."""
        plans = [self.ladder.plan, *(mixed.plan for mixed in self.fields.values())]
        return sum(plan.games for plan in [*plans, *(plan for plan, _ in self.tables.values())])

    @property
    def fair_share(self) -> float:
        """What every seat would win if all played alike."""
        return 1 / self.plan.seats

    @property
    def kinds(self) -> dict[str, str]:
        """The strategy of the tables of one kind."""
        return {name: plan.tables[0][0].name for name, (plan, _) in self.tables.items()}

    # --- rows ------------------------------------------------------------------------------------------------

    @cached_property
    def strength_rows(self) -> Rows:
        """A row a strategy, the strongest first: `name`, `value`, its share of wins in the mixed field of everybody."""
        mixed = self.fields[EVERYBODY]
        shares = {figure.labels["strategy"]: figure.estimate for figure in strength_figures(mixed.names, mixed)}
        return [{"name": name, "value": shares[name]} for name in self.names]

    @cached_property
    def ladder_rows(self) -> Rows:
        """A row a pair, from the top: `upper`, `lower`, `is_step`, `p_value`, `wins`, `games`.

        `wins` is what the upper one wins of all wins of the two, a half if they are alike; its p-value is corrected by
        Holm over the steps. `games` are those to lead, see `analyses.games_to_lead`. The last row, which is no step, is
        the first strategy against the last.
        """
        ladder, rows, raw = self.ladder, list[dict[str, Any]](), list[float]()
        plan = ladder.plan
        n_games = 2 * plan.seats * plan.deals
        for at, (upper, lower) in enumerate(ladder.pairs):
            of_upper, of_both = ladder.won[:, at, 0], ladder.won[:, at].sum(axis=1)
            wins = grouped_share(of_upper, of_both, plan.deals) if of_both.any() else None
            both = [Figure(WIN_SHARE, {}, "share", ladder.won[:, at, side], of_both) for side in (0, 1)]
            raw.append(p_value(*both) if of_both.any() else 1.0)
            counts = {d - SIXTIETHS: ladder.differences[:, at, d] for d in range(2 * SIXTIETHS + 1)}
            seen = {d: n for d, n in counts.items() if n.any()}
            rows.append(
                {
                    "upper": self.names[upper],
                    "lower": self.names[lower],
                    "is_step": lower == upper + 1,
                    "wins": _nothing(n_games) if wins is None else replace(wins, n=n_games),
                    "games": leading.estimate(seen, n_games),
                }
            )
        steps = [at for at, row in enumerate(rows) if row["is_step"]]
        adjusted = dict(zip(steps, holm([raw[at] for at in steps]).tolist(), strict=True))
        return [{**row, "p_value": float(adjusted.get(at, raw[at]))} for at, row in enumerate(rows)]

    @cached_property
    def component_rows(self) -> Rows:
        """A row a field, result and source: `field`, `result`, `source`, `value`, its part of the variance.

        None of a result that is the same for all seats in all games.
        """
        return [
            {"field": name, "result": result, "source": source, "value": share}
            for name, mixed in self.fields.items()
            for result, sums in mixed.sums.items()
            for source, share in zip(SOURCES, sums.shares(), strict=False)
        ]

    @cached_property
    def seat_rows(self) -> Rows:
        """A row a table of one kind and seat: `table`, `strategy`, `seat`, `value`, its share of wins."""
        return [
            {"table": name, "strategy": self.kinds[name], "seat": int(figure.labels["seat"]), "value": figure.estimate}
            for name, (plan, part) in self.tables.items()
            for figure in seat_figures(plan, part)
        ]

    @cached_property
    def spread_rows(self) -> Rows:
        """A row a table of one kind, and their `difference`: `table`, `strategy`, `by_chance`, `value`.

        `value` is the share of wins of the best seat less that of the worst, `by_chance` what it would be on the average
        if the seats were alike. The difference is that of the strong table less the weak one, on the same deals.
        """
        found = {name: seat_figures(plan, part) for name, (plan, part) in self.tables.items()}
        rows: Rows = []
        for name, figures in found.items():
            plan = self.tables[name][0]
            chance = RANGE[plan.seats] * math.sqrt(1 / plan.seats / plan.games)
            rows.append(
                {
                    "table": name,
                    "strategy": self.kinds[name],
                    "by_chance": chance,
                    "value": spread_estimate(figures),
                }
            )
        both = jackknife(spread_difference, [*found[STRONG], *found[WEAK]])
        return [*rows, {"table": "difference", "strategy": "", "by_chance": math.nan, "value": both}]

    # --- as data ---------------------------------------------------------------------------------------------

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        found = {
            "skill_strength": frame(self.strength_rows),
            "skill_ladder": frame(self.ladder_rows),
            "skill_components": frame(self.component_rows),
            "skill_seats": frame(self.seat_rows),
            "skill_spread": frame(self.spread_rows),
        }
        return {name: rows for name, rows in found.items() if len(rows)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it; a number of games that is infinite becomes null there."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": self.games,
            "rules": plan.rules.changes(),
            "fair_share": self.fair_share,
            "strength": self.strength_rows,
            "ladder": self.ladder_rows,
            "components": self.component_rows,
            "seats_by_table": self.seat_rows,
            "spread": self.spread_rows,
        }


def _nothing(n_games: int) -> Estimate:
    """Of a pair none of whose games was won."""
    return Estimate(0.5, 0.0, 1.0, n_games, math.nan, "no game was won")


def strength_figures(names: Sequence[str], mixed: Mixed) -> list[Figure]:
    """Share of wins of each strategy in a mixed field, over all seats it takes."""
    plan, sums = mixed.plan, mixed.part.tallies["sums"]
    found = []
    for name in names:
        chosen = [c.role == "player" and plan.tables[c.table][c.index].name == name for c in plan.columns]
        seats = plan.group_sizes() * sum(chosen) * plan.seats
        above = sums[:, chosen].sum(axis=1)
        found.append(Figure(WIN_SHARE, {"strategy": name}, "share of wins", above, seats, SIXTIETHS, plan.deals))
    return found


# --- playing it all ----------------------------------------------------------------------------------------


def skill(
    game: str,
    names: Sequence[str] | None = None,
    *,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Skill:
    """Play a field of strategies, its ladder, and tables of one kind.

    Parameters
    ----------
    names : the strategies, all that ship with the game unless given; names, or paths of files; random play is always
        one of them
    deals : deals that each table of the fields and of the ladder plays, in every rotation of the seats; the tables of one
        kind play `SPREAD_DEALS` times as many, once each
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all; of the fields and the ladder
        no parts are kept in `work.out`

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line; for fewer than `LEAST_NAMES` strategies.
    """
    given: dict[str, Any] = {"seats": seats, "deals": deals, "seed": seed, "changes": changes, "rules": rules}
    return prepare(game, names, **given).play(work or Work())


def prepare(
    game: str,
    names: Sequence[str] | None = None,
    *,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
) -> Study:
    """What `skill` is asked, checked and ready to be played."""
    chosen = find_game(game)
    chosen.check_seats(seats)
    if deals < LEAST_DEALS:
        raise AssayError(f"a ladder needs at least {LEAST_DEALS} deals, not {deals}")
    given = [name.strip() for name in (shipped.names(chosen) if names is None else names)]
    given += [RANDOM] if RANDOM not in given else []
    if not LEAST_NAMES <= len(given) <= MAX_NAMES:
        raise AssayError(f"a ladder takes {LEAST_NAMES} to {MAX_NAMES} strategies with random play, not {len(given)}")
    rule_set = find_rules(chosen, changes, rules)
    players = find_strategies(chosen, given)
    named = [player.name for player in players]
    if len(set(named)) != len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise AssayError(f"the strategy '{twice}' is named twice")
    return Study(chosen, players, rule_set, seats, deals, seed)


@dataclass
class Study:
    """The steps of the study; the later ones rest on the order of strength that the first finds."""

    game: Game
    players: list[Strategy]
    rules: RuleSet
    seats: int
    deals: int
    seed: int
    order: list[Strategy] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many games it takes."""
        return sum(step.games for step in self.steps())

    def play(self, work: Work) -> Skill:
        """Play it."""
        found = play_steps(self.steps(), work)
        return Skill(
            tuple(player.name for player in self.order),
            {name: found[name] for name in self.fields},
            found["ladder"],
            {name: found[name] for name in (WEAK, STRONG)},
        )

    @cached_property
    def fields(self) -> dict[str, list[Strategy]]:
        """The strategies of each mixed field."""
        planned = [player for player in self.players if player.name != RANDOM]
        return {EVERYBODY: self.players, **({PLANNED: planned} if len(planned) >= LEAST_NAMES else {})}

    def steps(self) -> list[Step]:
        """All that is played, in order."""
        steps = [
            Step(name, self.field_plan(some).games, partial(self.play_field, name))
            for name, some in self.fields.items()
        ]
        n_pairs = len(self.players)  # as many as steps, and the first against the last
        steps.append(Step("ladder", 2 * n_pairs * self.seats * self.deals, self.play_ladder))
        for name in (WEAK, STRONG):
            steps.append(Step(name, SPREAD_DEALS * self.deals, partial(self.play_table, name)))
        return steps

    def field_plan(self, some: Sequence[Strategy]) -> Plan:
        """Tables of neighbours in a few circles, as in `analyses.field`, less those that are the same in other seats."""
        tables = distinct_tables(
            [
                [order[(start + seat) % len(order)] for seat in range(self.seats)]
                for order in circles(len(some))
                for start in range(len(order))
            ]
        )
        named = [[some[at] for at in table] for table in tables]
        return make_plan(
            self.game, named, self.rules, self.deals, self.seed, is_duplicate=True, has_rows=True, has_tallies=False
        )

    def play_field(self, name: str, work: Work) -> Mixed:
        some = self.fields[name]
        plan = self.field_plan(some)
        sums = {result: Sums.nothing(plan.n_groups, len(plan.tables), plan.seats) for result in RESULTS}

        def take(rows: np.ndarray, groups: np.ndarray) -> None:
            for result, column in RESULTS.items():
                sums[result].add(rows[..., column], groups)

        part = play_rows(plan, take, work)
        mixed = Mixed(tuple(player.name for player in some), plan, part, sums)
        if name == EVERYBODY:
            shares = [figure.value for figure in strength_figures(mixed.names, mixed)]
            self.order = [some[at] for at in sorted(range(len(some)), key=lambda at: -shares[at])]
        return mixed

    def play_ladder(self, work: Work) -> Ladder:
        last = len(self.order) - 1
        pairs = (*((at, at + 1) for at in range(last)), (0, last))
        players = [(self.order[upper], self.order[lower]) for upper, lower in pairs]
        tables = [t for a, b in players for t in ([a, *[b] * (self.seats - 1)], [b, *[a] * (self.seats - 1)])]
        plan = make_plan(
            self.game,
            tables,
            self.rules,
            self.deals,
            self.seed,
            first=self.deals,
            is_duplicate=True,
            has_rows=True,
            has_tallies=False,
        )
        won = np.zeros((plan.n_groups, len(pairs), 2), np.int64)
        differences = np.zeros((plan.n_groups, len(pairs), 2 * SIXTIETHS + 1), np.int64)
        take = partial(count_pairs, won=won, differences=differences)
        play_rows(plan, take, work)
        return Ladder(pairs, plan, won, differences)

    def play_table(self, name: str, work: Work) -> tuple[Plan, Part]:
        player = self.order[0] if name == STRONG else next(one for one in self.players if one.name == RANDOM)
        plan = make_plan(self.game, [[player] * self.seats], self.rules, SPREAD_DEALS * self.deals, self.seed)
        return plan, play_plan(plan, work)


def count_pairs(rows: np.ndarray, groups: np.ndarray, *, won: np.ndarray, differences: np.ndarray) -> None:
    """Add up the wins of the two strategies of each pair of tables, and the differences of wins of one of each.

    Parameters
    ----------
    rows : outcome rows, shape (2 x pairs, deals, rotations, seats, columns)
    groups : the group of each deal
    won, differences : as in `Ladder`, added to
    """
    wins = rows[..., WIN].astype(np.int64)
    seats = wins.shape[-1]
    turn = np.arange(seats)[:, None]
    seat_of_player = (np.arange(seats) - turn) % seats  # by rotation and player
    by_player = wins[:, :, turn, seat_of_player]
    lone, rest = by_player[..., :1], by_player[..., 1:]
    for pair in range(len(wins) // 2):
        for table, sign in ((2 * pair, 1), (2 * pair + 1, -1)):
            np.add.at(won[:, pair, 0 if sign > 0 else 1], groups, lone[table].sum(axis=(1, 2)))
            np.add.at(won[:, pair, 1 if sign > 0 else 0], groups, rest[table].sum(axis=(1, 2)))
            gaps = sign * (lone[table] - rest[table]) + SIXTIETHS
            np.add.at(differences[:, pair], (groups[:, None, None], gaps), 1)


def play_rows(plan: Plan, take: Callable[[np.ndarray, np.ndarray], None], work: Work) -> Part:
    """Play a plan that has rows and hand those of each part, with the groups of its deals, to `take`; parts in any order."""
    reader = _Reader(plan, take)
    return run_plan(plan, work.n_jobs, work.backend, reader, work.progress)


@dataclass(frozen=True)
class _Reader:
    """Stands where results would be kept, and looks at the rows of each part while they are there."""

    plan: Plan
    take: Callable[[np.ndarray, np.ndarray], None]

    def parts(self) -> Iterator[Part]:
        """Nothing has been kept."""
        return iter(())

    def save(self, part: Part) -> None:
        """Look at the rows."""
        assert part.rows is not None
        self.take(part.rows, self.plan.group_of(np.arange(part.first, part.first + part.count)))
