"""Where does the spread of results come from? Components of variance of games in duplicate play.

Several tables play the same deals, each in every rotation of the seats, so that for each deal every player of every table
has sat at every seat exactly once: a complete array of line-ups (a player of a table, with those around it), deals and
seats, without repetition. What is taken apart is a result less the mean of its game: a share of the win, or a score
against the others' scores. Line-ups and seats are what they are (fixed), deals are drawn (random).

With T tables, n seats and D deals, C = T n line-ups, the sums of squares are orthogonal and add up to the whole. As the
results of a game sum to nothing there is no effect of the deal as such, and these are the degrees of freedom:

================= ================================ =========================================
source            degrees of freedom               expected mean square, for what is random
================= ================================ =========================================
strategy          T (n - 1)
seat              n - 1
strategy x seat   (n - 1) (T (n - 1) - 1)
deal (x seat)     (n - 1) (D - 1)                  rest + C x deal
strategy x deal   T (n - 1) (D - 1)                rest + n x strategy x deal
rest              (n - 1) (T (n - 1) - 1) (D - 1)  rest
================= ================================ =========================================

A component is what its source adds to the variance of one result. For the fixed ones it is the mean square of the
effects, freed of what the deals add to it; so it is free of bias whatever the deals do. That the rest is spread over all
degrees of freedom alike is an assumption. The six sum exactly to the mean square of the results (method of moments:
Searle, Casella & McCulloch 1992, Variance Components, ch. 4 and 5). A small one may come out below 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyses.statistics import Estimate, student_quantile

STRATEGY, SEAT, DEAL = "strategy", "seat", "deal"
STRATEGY_DEAL, STRATEGY_SEAT, REST = "strategy x deal", "strategy x seat", "rest"
SOURCES = (STRATEGY, SEAT, DEAL, STRATEGY_DEAL, STRATEGY_SEAT, REST)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sums:
    """Exact sums by group of deals, of results times the number of seats less the total of their game.

    Attributes
    ----------
    deals : shape (groups,)
    totals : sums over deals, shape (groups, tables, players, seats)
    squares : sums of squares, shape (groups,)
    by_seat, by_player : sums over deals of the squared totals of each seat, and of each player, shape (groups,)
    """

    deals: Ints
    totals: Ints
    squares: Ints
    by_seat: Ints
    by_player: Ints

    @classmethod
    def nothing(cls, n_groups: int, n_tables: int, seats: int) -> Sums:
        """The sums of no deals."""
        empty = [np.zeros(n_groups, np.int64) for _ in range(4)]
        return cls(empty[0], np.zeros((n_groups, n_tables, seats, seats), np.int64), *empty[1:])

    def add(self, results: Ints, groups: Ints) -> None:
        """Take in results of some deals.

        Parameters
        ----------
        results : whole numbers by the seat at which they came about, shape (tables, deals, rotations, seats); in
            rotation k the seat p is taken by player (p + k) mod seats
        groups : the group of each deal, shape (deals,)
        """
        seats = results.shape[-1]
        centred = seats * results.astype(np.int64)
        centred -= results.sum(axis=-1, keepdims=True, dtype=np.int64)
        seat = np.arange(seats)
        by_player = centred[:, :, (seat[:, None] - seat) % seats, seat]  # tables, deals, players, seats
        np.add.at(self.deals, groups, 1)
        np.add.at(self.totals, groups, by_player.transpose(1, 0, 2, 3))
        np.add.at(self.squares, groups, (by_player**2).sum(axis=(0, 2, 3)))
        np.add.at(self.by_seat, groups, (by_player.sum(axis=(0, 2)) ** 2).sum(axis=-1))
        np.add.at(self.by_player, groups, (by_player.sum(axis=3) ** 2).sum(axis=(0, 2)))

    def components(self, times: Ints | None = None) -> Floats:
        """The components in the order of `SOURCES`, in units of a result squared; `times` counts each group so often."""
        return self._analysis(times)[0]

    def _analysis(self, times: Ints | None = None) -> tuple[Floats, Floats]:
        """The components, and the errors that those of the fixed sources have where there is no effect."""
        n_groups, n_tables, seats = self.totals.shape[:3]
        once = np.ones(n_groups, np.int64) if times is None else times
        deals, lineups = int(once @ self.deals), n_tables * seats
        totals = np.tensordot(once, self.totals, axes=1).astype(np.float64)
        whole, of_seats, of_players = (float(once @ one) for one in (self.squares, self.by_seat, self.by_player))
        # sums of squares: strategy, seat, and strategy x seat; the same with deals, where the last is the rest
        seat = float((totals.sum(axis=(0, 1)) ** 2).sum()) / (lineups * deals)
        strategy = float((totals.sum(axis=2) ** 2).sum()) / (seats * deals)
        cells = float((totals**2).sum()) / deals
        fixed = np.array([strategy, seat, cells - seat - strategy])
        drawn = np.array([of_players / seats, of_seats / lineups, 0.0]) - fixed
        drawn[2] = whole - cells - drawn[0] - drawn[1]
        df = n_tables * (seats - 1) * np.array([1, 0, seats - 1]) + (seats - 1) * np.array([0, 1, -1])
        means = drawn / (df * (deals - 1))
        n_results = lineups * seats * deals
        of_strategy, of_seat, of_both = (fixed - df * means) / n_results
        free = (seats - 1) / seats  # of the numbers of a game, as many are free
        deal = free * (means[1] - means[2]) / lineups
        strategy_deal = free * (means[0] - means[2]) / seats
        found = np.array([of_strategy, of_seat, deal, strategy_deal, of_both, free * means[2]])
        by_chance = np.sqrt(2 * df) * means / n_results
        errors = np.array([by_chance[0], by_chance[1], 0.0, 0.0, by_chance[2], 0.0])
        return found / seats**2, errors / seats**2

    def shares(self, confidence: float = 0.95) -> list[Estimate]:
        """What part of the variance each source is, in the order of `SOURCES`; none if all games are alike.

        The interval is the jackknife's over groups of deals (Tukey 1958), with Student's t. Near nothing the jackknife
        takes a fixed source for surer than it is, so that the error it has where there is no effect is added in square.
        """
        n_groups, n_tables, seats = self.totals.shape[:3]
        if not self.squares.any():
            return []
        once = np.ones(n_groups, np.int64)
        components, by_chance = self._analysis()
        whole = _shares(components)
        left = np.array([_shares(self.components(once - np.eye(n_groups, dtype=np.int64)[g])) for g in range(n_groups)])
        jackknifed = (n_groups - 1) / n_groups * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
        errors = np.sqrt(jackknifed + (by_chance / math.fsum(components)) ** 2)
        halves = errors * student_quantile(confidence, n_groups - 1)
        n_games = int(self.deals.sum()) * n_tables * seats
        method = f"components of variance by moments, jackknife over {n_groups} groups of deals"
        return [
            Estimate(float(one), float(one - half), float(one + half), n_games, float(n_groups), method)
            for one, half in zip(whole, halves, strict=True)
        ]


def _shares(components: Floats) -> Floats:
    """Parts of their sum."""
    return components / math.fsum(components)


def distinct_tables(tables: list[list[int]]) -> list[list[int]]:
    """Those that are no rotation of one before them: in every rotation of the seats they are the same games."""
    seen: set[tuple[int, ...]] = set()
    kept = []
    for table in tables:
        turned = min(tuple(table[at:] + table[:at]) for at in range(len(table)))
        if turned not in seen:
            seen.add(turned)
            kept.append(table)
    return kept
