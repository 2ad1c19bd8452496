"""What is a card or an option worth? The same deals with it given, and with it forbidden.

Whoever holds a good card may hold it because he was winning already: the share of wins of those who held it tells little
of what it is worth. Here a seat is given the card at the start, or kept from an option throughout (Jaffe et al. 2012,
Evaluating Competitive Game Balance with Restricted Play), in deals that are else the same; every seat in turn, the rest
of the table as ever. The difference is what the card brings, or what the option is worth to this way of playing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_table
from analyses.paired import WIN_SHARE, Figure, jackknife, seat_figures
from analyses.run import Run, run
from analyses.statistics import Estimate, simultaneous_confidence
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError, unknown
from simcore.game import SIXTIETHS, Game, find_game
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 2_000
GIVEN, FORBIDDEN = "given", "forbidden"
HELPS, HURTS, DEAD, OPEN = "helps", "hurts", "dead", "open"
TOLERANCE = 0.01  # of all wins: an option whose loss costs less is missed by nobody


@dataclass(frozen=True)
class Worth:
    """Experiments on cards and options.

    Attributes
    ----------
    base : the table as it is
    played : what was played with an item given to, or an option forbidden to, a seat; by (kind, item), a run a seat
    """

    game: Game
    rules: RuleSet
    seats: int
    deals: int
    seed: int
    strategy: str
    tolerance: float
    base: Run
    played: Mapping[tuple[str, str], tuple[Run, ...]]

    @property
    def games(self) -> int:
        """Games played in all."""
        return self.base.plan.games + sum(one.plan.games for runs in self.played.values() for one in runs)

    @cached_property
    def rows(self) -> Rows:
        """A row an item: `kind`, `item`, `effect` on the share of wins, `verdict`, the effect on each other measure of
        the game; for what is given also `held`, the share of wins of seats that had it, and `held_gap`, by how much
        that is above the fair share.

        `effect` is with the item less without it: of an option, what is lost where it is forbidden, with the sign
        turned. Its intervals hold together (Bonferroni).
        """
        level = simultaneous_confidence(0.95, max(len(self.played), 1))
        rows = []
        for (kind, item), runs in self.played.items():
            effect = self._unseen(self._effect(kind, runs, WIN_SHARE, level), level)
            row: dict[str, Any] = {"kind": kind, "item": item, "verdict": self._verdict(effect), "effect": effect}
            for measure in self.game.measures:
                row[measure] = self._effect(kind, runs, measure, level)
            if kind == GIVEN:
                row |= self._held(item)
            rows.append(row)
        return rows

    def _effect(self, kind: str, runs: Sequence[Run], measure: str, level: float) -> Estimate:
        """With less without, mean over the seats that were given it, or kept from it."""
        sign = 1 if kind == GIVEN else -1
        with_it = [_figure(one, measure, seat) for seat, one in enumerate(runs)]
        without = [_figure(self.base, measure, seat) for seat in range(self.seats)]

        def gap(values: np.ndarray) -> np.ndarray:
            return sign * (values[: self.seats].mean(axis=0) - values[self.seats :].mean(axis=0))

        return jackknife(gap, [*with_it, *without], level)

    def _unseen(self, effect: Estimate, confidence: float) -> Estimate:
        """The effect on the share of wins; where no group of deals strays, deals unseen may do so.

        A part u of them at most, the exact limit of none in so many, may win all or lose all; see `statistics.share`.
        """
        if effect.low != effect.high:
            return effect
        value, u = effect.estimate, 1 - ((1 - confidence) / 2) ** (1 / self.deals)
        method = "every group of deals equal, exact limit on unseen deals"
        return replace(effect, low=value - u * (value + 1), high=value + u * (1 - value), method=method)

    def _verdict(self, effect: Estimate) -> str:
        if -self.tolerance < effect.low and effect.high < self.tolerance:
            return DEAD
        return HELPS if effect.low > 0 else HURTS if effect.high < 0 else OPEN

    def _held(self, item: str) -> dict[str, Any]:
        """What most trackers report: the share of wins of those who held it."""
        tally = next((t for t in self.game.tallies if t.name == "held"), None)
        if tally is None or item not in tally.axes[0].labels:
            return {}
        at = tally.axes[0].labels.index(item)
        counts = self.base.part.tallies["held"][:, at]
        seen, won = counts[:, 0], counts[:, 1]
        if not seen.any():
            return {}
        held = Figure("held", {}, "share of wins", won, seen, SIXTIETHS, self.deals).estimate
        return {"held": held, "held_gap": held.estimate - 1 / self.seats}

    @cached_property
    def swap_rows(self) -> Rows:
        """What it brings a seat to be given one item instead of another: `item`, `instead_of`, `effect` on its share of wins."""
        items = [item for kind, item in self.played if kind == GIVEN]
        pairs = list(combinations(items, 2))
        level = simultaneous_confidence(0.95, max(len(pairs), 1))
        n = self.seats

        def gap(values: np.ndarray) -> np.ndarray:
            return values[:n].mean(axis=0) - values[n:].mean(axis=0)

        rows = []
        for one, other in pairs:
            chosen = [
                _figure(played, WIN_SHARE, seat)
                for item in (one, other)
                for seat, played in enumerate(self.played[GIVEN, item])
            ]
            rows.append({"item": one, "instead_of": other, "effect": jackknife(gap, chosen, level)})
        return rows

    @cached_property
    def agreement(self) -> float | None:
        """Spearman's rank correlation between what items bring and the share of wins of those who held them.

        Items that are equal share their ranks; where all of them are there is no correlation.
        """
        from scipy import stats

        both = [(row["effect"].estimate, row["held_gap"]) for row in self.rows if "held_gap" in row]
        if len(both) < 3:
            return None
        ranks = [stats.rankdata(column) for column in zip(*both, strict=True)]
        if any(np.ptp(column) == 0 for column in ranks):
            return None
        return float(np.asarray(np.corrcoef(ranks))[0, 1])

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {"worth": frame(self.rows), "worth_swaps": frame(self.swap_rows)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay worth --json` prints it."""
        return {
            "game": self.game.name,
            "seats": self.seats,
            "strategy": self.strategy,
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "tolerance": self.tolerance,
            "rules": self.rules.changes(),
            "fair_share": 1 / self.seats,
            "items": self.rows,
            "swaps": self.swap_rows,
            "agreement": self.agreement,
        }


def worth(
    game: str,
    items: Sequence[str] = (),
    *,
    strategy: str = "baseline",
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    tolerance: float = TOLERANCE,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Worth:
    """Give a seat each card, forbid a seat each option, and see what it wins.

    Parameters
    ----------
    items : names of cards (`Game.forced`) and options (`Game.barred`); all that the game has unless given
    strategy : sits at every seat
    deals : deals for each item and seat
    tolerance : an effect on the share of wins that is surely smaller than this is none
    others : as in `analyses.run.run`

    Raises
    ------
    AssayError
        For a game that names neither cards to give nor options to forbid, and for what cannot be played, in one line.
    """
    chosen = find_game(game)
    base = find_rules(chosen, changes, rules)
    known = {
        **{item: (GIVEN, rule) for item, rule in chosen.forced.items()},
        **{item: (FORBIDDEN, rule) for item, rule in chosen.barred.items()},
    }
    if not known:
        raise AssayError(f"{chosen.name} names no card to give and no option to forbid")
    for item in items:
        if item not in known:
            raise unknown(f"card or option of {chosen.name}", item, known)
    if not 0 < tolerance < 0.5:
        raise AssayError(f"the tolerance must lie between 0 and 0.5, not {tolerance:g}")
    find_table(chosen, seats, strategy)
    wanted = list(dict.fromkeys(items or known))
    options: dict[str, Any] = {"strategies": strategy, "seats": seats, "deals": deals, "seed": seed, "rules": rules}
    steps = [Step("base", deals, partial(run, game, changes=changes, **options))]
    for at, item in enumerate(wanted):
        for seat in range(1, seats + 1):
            some = [*changes, known[item][1].format(seat=seat)]
            chosen.fill_rules(find_rules(chosen, some, rules), seats)
            steps.append(
                Step(f"item-{at}-{seat}", deals, partial(run, game, changes=some, has_tallies=False, **options))
            )
    results = play_steps(steps, work or Work(), side_by_side=True)
    return Worth(
        game=chosen,
        rules=base,
        seats=seats,
        deals=deals,
        seed=seed,
        strategy=strategy,
        tolerance=tolerance,
        base=results["base"],
        played={
            (known[item][0], item): tuple(results[f"item-{at}-{seat}"] for seat in range(1, seats + 1))
            for at, item in enumerate(wanted)
        },
    )


def _figure(played: Run, measure: str, seat: int) -> Figure:
    """A measure of a seat, by groups of deals."""
    chosen = [figure for figure in seat_figures(played.plan, played.part) if figure.name == measure]
    return chosen[seat]
