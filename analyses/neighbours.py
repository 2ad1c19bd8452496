"""How do players touch each other? What one of another kind costs or gives those beside him and the rest of the table.

A guest of each strategy sits among players of one host strategy, in every seat of every deal; beside it the same deals
are played by hosts alone. What the host on the guest's left (who moves next), on his right (who moved before) and the
others win and earn then, less what they do among themselves, is what the guest does to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.paired import WIN_SHARE, Figure, jackknife
from analyses.run import play_plan
from analyses.statistics import Estimate, simultaneous_confidence
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import Part, Plan

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 500
SELF, LEFT, RIGHT, OTHERS = "guest", "left", "right", "others"


@dataclass(frozen=True)
class Neighbours:
    """What guests do to a table of hosts.

    Attributes
    ----------
    host, guests : names of strategies
    base : what hosts do alone, as a plan and its sums
    played : the same with a guest as the first player, by guest
    """

    host: str
    guests: tuple[str, ...]
    base: tuple[Plan, Part]
    played: Mapping[str, tuple[Plan, Part]]

    @property
    def plan(self) -> Plan:
        """The plan of the hosts alone."""
        return self.base[0]

    @property
    def games(self) -> int:
        """Games played in all."""
        return sum(plan.games for plan, _ in (self.base, *self.played.values()))

    @property
    def places(self) -> dict[str, list[int]]:
        """The players at each place beside the guest, who is player 0; in a table of two left and right are one."""
        n = self.plan.seats
        found = {SELF: [0], LEFT: [1], RIGHT: [n - 1], OTHERS: list(range(2, n - 1))}
        if n == 2:
            found = {SELF: [0], LEFT: [1]}
        return {name: players for name, players in found.items() if players}

    @cached_property
    def rows(self) -> Rows:
        """A row a guest, measure and place: `guest`, `figure`, `unit`, `place`, `effect`; the intervals hold together.

        `figure` is the share of wins or one of the game's measures; `effect` is the mean of the players there with the
        guest less without.
        """
        level = simultaneous_confidence(0.95, max(1, len(self.guests) * len(self.places)))
        units = {"win": "share of wins", **self.plan.game.measures}
        rows = []
        for guest, (plan, part) in self.played.items():
            for measure in plan.measures:
                for place, players in self.places.items():
                    named = {"figure": WIN_SHARE if measure == "win" else measure, "unit": units[measure]}
                    effect = self._effect(plan, part, measure, players, level)
                    rows.append({"guest": guest, **named, "place": place, "effect": effect})
        return rows

    def _effect(self, plan: Plan, part: Part, measure: str, players: Sequence[int], level: float) -> Estimate:
        n = len(players)
        chosen = [_of_player(*which, measure, p) for which in ((plan, part), self.base) for p in players]

        def gap(values: np.ndarray) -> np.ndarray:
            return values[:n].mean(axis=0) - values[n:].mean(axis=0)

        return jackknife(gap, chosen, level)

    def wins(self, place: str) -> dict[str, Estimate]:
        """The effect on the share of wins of those at a place, by guest."""
        return {r["guest"]: r["effect"] for r in self.rows if r["figure"] == WIN_SHARE and r["place"] == place}

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {"neighbours": frame([{**row, "host": self.host} for row in self.rows])}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay neighbours --json` prints it."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "host": self.host,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": self.games,
            "rules": plan.rules.changes(),
            "effects": self.rows,
        }


def _of_player(plan: Plan, part: Part, measure: str, player: int) -> Figure:
    """A measure of a player wherever he sits, by groups of deals."""
    columns = [(c.role, c.measure, c.index) == ("player", measure, player) for c in plan.columns]
    total = part.tallies["sums"][:, columns].sum(axis=1)
    scale = SIXTIETHS if measure == "win" else 1
    return Figure(measure, {}, measure, total, plan.group_sizes() * plan.n_rotations, scale, plan.deals)


def neighbours(
    game: str,
    guests: Iterable[str],
    *,
    host: str = "baseline",
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Neighbours:
    """Seat a guest of each strategy among hosts, and hosts alone, on the same deals in every rotation.

    Parameters
    ----------
    guests : names, or paths of strategy files; the host among them is left out
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    rule_set = find_rules(chosen, changes, rules)
    hosting, *visiting = find_strategies(chosen, [host, *(name for name in dict.fromkeys(guests) if name != host)])
    if not visiting:
        raise AssayError("name a strategy other than the host's to sit among them")
    options: dict[str, Any] = {"measures": ("win", *chosen.measures), "is_duplicate": True, "has_tallies": False}
    plans = {
        one.name: make_plan(chosen, [[one, *[hosting] * (seats - 1)]], rule_set, deals, seed, **options)
        for one in (hosting, *visiting)
    }
    steps = [Step(f"guest-{at}", plan.games, partial(_play, plan)) for at, plan in enumerate(plans.values())]
    parts = play_steps(steps, work or Work())
    found = {name: (plan, parts[step.name]) for (name, plan), step in zip(plans.items(), steps, strict=True)}
    base = found.pop(hosting.name)
    return Neighbours(hosting.name, tuple(found), base, found)


def _play(plan: Plan, work: Work) -> Part:
    return play_plan(plan, work)
