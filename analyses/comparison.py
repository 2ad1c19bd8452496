"""Which way of playing wins? A round robin in duplicate play.

For each two strategies a and b every deal is played at the tables (a, b, ..., b) and (b, a, ..., a), each in every
rotation of the seats. A block is one deal with all of these games, so seats and deals cancel out. A strategy's share
of a pair counts every seat it takes in these games; the shares of a pair sum to twice the fair share, and of a
strategy against itself the difference is exactly zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.enough import Stop, play_until
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.run import play_plan
from analyses.sequential import OPEN, Decision, better
from analyses.statistics import (
    Estimate,
    difference,
    holm,
    p_value,
    share,
    simultaneous_confidence,
    variance_reduction_factor,
)
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import Part, Plan

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 1_000
MOST_DEALS = 1_000_000  # until it is decided
MAX_STRATEGIES = 40


@dataclass(frozen=True)
class Comparison:
    """The results of a round robin.

    Attributes
    ----------
    names : the strategies, in the order given
    plan, part : what was played, and the exact sums it gave; tables 2p and 2p + 1 belong to the p-th pair
    stop, decision : how a comparison that was played until it was decided came to its end
    """

    names: tuple[str, ...]
    plan: Plan
    part: Part
    confidence: float = 0.95
    stop: Stop | None = None
    decision: Decision | None = None

    @property
    def fair_share(self) -> float:
        """What every seat would win if all played alike."""
        return 1 / self.plan.seats

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Positions of the two strategies of each pair."""
        return list(combinations(range(len(self.names)), 2))

    @cached_property
    def strategy_rows(self) -> Rows:
        """A row a strategy: `name`, `win_share` over all its seats in all its pairs; intervals hold together."""
        level = simultaneous_confidence(self.confidence, len(self.names))
        rows = []
        for me, name in enumerate(self.names):
            weights = self._sum(self._seats_of(pair, me) for pair in range(len(self.pairs)) if me in self.pairs[pair])
            n_pairs = len(self.names) - 1
            rows.append({"name": name, "win_share": self._share(weights, n_pairs, level)})
        return rows

    @cached_property
    def pair_rows(self) -> Rows:
        """A row a pair: `a`, `b`, `difference` of their shares (a minus b), `p_value` after Holm; intervals hold together."""
        level = simultaneous_confidence(self.confidence, len(self.pairs))
        rows, raw = [], []
        for pair, (a, b) in enumerate(self.pairs):
            of_a, of_b = self.sides(pair)
            estimate = difference(
                self.part.moments,
                of_a,
                of_b,
                self.plan.seats**2,
                scale=SIXTIETHS,
                confidence=level,
                bounds=self._bounds(a, b),
            )
            raw.append(p_value(self.part.moments, [x - y for x, y in zip(of_a, of_b, strict=True)]))
            rows.append({"a": self.names[a], "b": self.names[b], "difference": self._counted(estimate, 1)})
        for row, adjusted in zip(rows, holm(raw), strict=True):
            row["p_value"] = float(adjusted)
        return rows

    @cached_property
    def alone_rows(self) -> Rows:
        """Who beats whom: `name` as the only one of its kind among `others`, its `win_share`."""
        level = simultaneous_confidence(self.confidence, 2 * len(self.pairs))
        rows = []
        for pair, (a, b) in enumerate(self.pairs):
            for table, (me, other) in ((2 * pair, (a, b)), (2 * pair + 1, (b, a))):
                weights = self._players(table, (0,))
                estimate = share(
                    self.part.moments, weights, self.plan.seats, confidence=level, is_exact=self._is_exact(a, b)
                )
                rows.append({"name": self.names[me], "others": self.names[other], "win_share": estimate})
        return rows

    @cached_property
    def saved(self) -> float | None:
        """How many times fewer games duplicate play needed than independent games; the median over tables."""
        factors = []
        for table in range(len(self.plan.tables)):
            weights = self._players(table, (0,))
            if not self.part.moments.is_constant(weights):
                square = int(self.part.squares[table, 0])
                factors.append(variance_reduction_factor(self.part.moments, weights, self.plan.seats, square))
        return sorted(factors)[len(factors) // 2] if factors else None

    @property
    def strategies(self) -> pd.DataFrame:
        """A row a strategy, best first."""
        return frame(sorted(self.strategy_rows, key=lambda row: -row["win_share"].estimate))

    @property
    def differences(self) -> pd.DataFrame:
        """A row a pair."""
        return frame(self.pair_rows)

    @property
    def alone(self) -> pd.DataFrame:
        """A row for each strategy among others of each kind."""
        return frame(self.alone_rows)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay compare --json` prints it."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": plan.games,
            "rules": plan.rules.changes(),
            "fair_share": self.fair_share,
            "strategies": self.strategy_rows,
            "pairs": self.pair_rows,
            "alone": self.alone_rows,
            "games_saved_factor": self.saved,
            **(
                {}
                if self.stop is None or self.decision is None
                else {"looks": self.stop.looks, "decision": self.decision.as_dict()}
            ),
        }

    def sides(self, pair: int) -> tuple[list[int], list[int]]:
        """Selects all seats of the one and of the other strategy of a pair."""
        a, b = self.pairs[pair]
        return self._seats_of(pair, a), self._seats_of(pair, b, is_second=True)

    def _seats_of(self, pair: int, me: int, is_second: bool | None = None) -> list[int]:
        """Selects all seats of a strategy at both tables of a pair."""
        second = self.pairs[pair][1] == me if is_second is None else is_second
        many = range(1, self.plan.seats)
        one, rest = self._players(2 * pair + second, (0,)), self._players(2 * pair + (not second), many)
        return self._sum([one, rest])

    def _players(self, table: int, players: Sequence[int]) -> list[int]:
        """Selects the wins of some players of a table."""
        return [int(c.table == table and c.role == "player" and c.index in players) for c in self.plan.columns]

    @staticmethod
    def _sum(weights: Any) -> list[int]:
        return [sum(column) for column in zip(*weights, strict=True)]

    def _is_exact(self, a: int, b: int) -> bool:
        """Whether the design fixes every block: both are the same strategy."""
        same = self.plan.tables[2 * self.pairs.index((a, b))]
        return all(player.digest == same[0].digest and player.name == same[0].name for player in same)

    def _bounds(self, a: int, b: int) -> tuple[float, float] | None:
        return None if self._is_exact(a, b) else (-1.0, 1.0)

    def _share(self, weights: list[int], n_pairs: int, level: float) -> Estimate:
        is_exact = all(self._is_exact(a, b) for a, b in self.pairs)
        seats_taken = n_pairs * self.plan.seats**2
        estimate = share(self.part.moments, weights, seats_taken, confidence=level, is_exact=is_exact)
        return self._counted(estimate, n_pairs)

    def _counted(self, estimate: Estimate, n_pairs: int) -> Estimate:
        """The estimate with the number of games behind it instead of the seats taken in them."""
        games = 2 * self.plan.seats * self.plan.deals * n_pairs
        together = len(self.names) if n_pairs > 1 or len(self.names) == 2 else len(self.pairs)
        ratio = games / estimate.n
        suffix = f"; {together} intervals hold together" if together > 1 else ""
        n_effective = estimate.n_effective * ratio if estimate.n_effective == estimate.n else estimate.n_effective
        return replace(estimate, n=games, n_effective=n_effective, method=estimate.method + suffix)


def compare(
    game: str,
    names: Sequence[str],
    *,
    seats: int = DEFAULT_SEATS,
    deals: int | None = None,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    gap: float | None = None,
    work: Work | None = None,
) -> Comparison:
    """Round robin of strategies in duplicate play.

    Parameters
    ----------
    names : two strategies or more; names, or paths of strategy files
    deals : deals that every table plays, `DEFAULT_DEALS` unless given; a pair takes 2 x seats games a deal
    gap : of two strategies, play until it is decided which is better, if one is by this share of wins (0.01 is a point
        in 100), `MOST_DEALS` at most unless `deals` is given; both kinds of error have a chance of 5 %
    others : as in `analyses.run.run`

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    if not 2 <= len(names) <= MAX_STRATEGIES:
        raise AssayError(f"compare takes 2 to {MAX_STRATEGIES} strategies, not {len(names)}")
    rule_set = find_rules(chosen, changes, rules)
    players = find_strategies(chosen, names)
    tables = [t for a, b in combinations(players, 2) for t in ((a, *[b] * (seats - 1)), (b, *[a] * (seats - 1)))]
    most = DEFAULT_DEALS if gap is None else MOST_DEALS
    plan = make_plan(
        chosen, tables, rule_set, most if deals is None else deals, seed, is_duplicate=True, has_tallies=False
    )
    named = tuple(player.name for player in players)
    if gap is None:
        return Comparison(named, plan, play_plan(plan, work or Work()))
    if len(named) != 2:
        raise AssayError(f"a comparison until it is decided takes two strategies, not {len(named)}")
    if not 0 < gap < 1:
        raise AssayError(f"the gap must lie between 0 and 1 (0.01 is a point in 100), not {gap:g}")
    judge = partial(_is_decided, named, gap)
    played, part, stop = play_until(plan, judge, play_plan, work or Work())
    return Comparison(named, played, part, stop=stop, decision=_decision(named, gap, played, part))


def _decision(names: tuple[str, ...], gap: float, plan: Plan, part: Part) -> Decision:
    of_a, of_b = Comparison(names, plan, part).sides(0)
    return better(part.moments, of_a, of_b, plan.seats**2, gap=gap)


def _is_decided(names: tuple[str, ...], gap: float, plan: Plan, part: Part) -> tuple[bool, int]:
    """Whether it is known who is better; about how many deals that takes nobody knows before."""
    return _decision(names, gap, plan, part).verdict != OPEN, 2 * plan.deals
