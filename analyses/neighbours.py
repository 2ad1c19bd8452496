"""How do players touch each other? What one guest costs or gives the seats around it, in duplicate play.

All seats but one are taken by copies of a host strategy, the last by a guest; every deal is played in every rotation of
the seats, so that each player sits everywhere. What the hosts around the guest win and have at the end is compared with
the same deals among hosts only. The left neighbour is the next in turn order, who plays right after the guest; the right
neighbour plays right before it. In rotation k player p sits at seat (p + seats - k) mod seats, so that the player listed
after the guest is its left neighbour in every rotation, and the one listed last its right neighbour.

What the guest wins less than a host the others win more between them; which of them shows who is touched. The difference
between the left and the right neighbour of the same games is free of how strong the guest is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import strategies as shipped
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.paired import WIN_SHARE, Figure, difference, p_value
from analyses.run import play_plan
from analyses.statistics import Estimate, holm, simultaneous_confidence
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import Part, Plan

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 1_000
LEAST_DEALS = 32  # as many as there are groups of deals
MAX_GUESTS = 40
LEFT, RIGHT, OTHERS = "left", "right", "others"
ONLY = "opponent"  # at a table of two both neighbours are one
GUEST, NOBODY = "guest", "nobody"


@dataclass(frozen=True)
class Neighbours:
    """What each guest does to the hosts around it.

    Attributes
    ----------
    host, names : the strategy at all other seats, and the guests
    alone, alone_part : hosts only, each deal played once (its rotations are the same game), and the sums it gave
    plans, parts : the same for each guest; player 0 is the guest
    """

    host: str
    names: tuple[str, ...]
    alone: Plan
    alone_part: Part
    plans: tuple[Plan, ...]
    parts: tuple[Part, ...]
    confidence: float = 0.95

    @property
    def plan(self) -> Plan:
        """The plan of the table of hosts only; the others have its rules, deals and seed."""
        return self.alone

    @property
    def games(self) -> int:
        """Games played in all."""
        return self.alone.games + sum(plan.games for plan in self.plans)

    @property
    def fair_share(self) -> float:
        """What every seat would win if all played alike."""
        return 1 / self.plan.seats

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The kinds of neighbours that a table of this size has."""
        return tuple(places(self.plan.seats))

    @cached_property
    def units(self) -> dict[str, str]:
        """What is measured, by name, with its unit."""
        return {WIN_SHARE: "share of wins", **self.plan.game.measures}

    # --- rows ------------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Rows:
        """A row a measure, guest and neighbour: how much more the neighbour has than a host among hosts.

        `measure`, `unit`, `guest`, `neighbour`, `value`, `p_value` after Holm; of one measure the intervals of all guests
        and neighbours hold together, and the p-values are corrected for as many.
        """
        found: Rows = []
        for measure in self.units:
            claims = [(at, place) for at in range(len(self.names)) for place in self.neighbours]
            pairs = [(self.figure(at, place, measure), self.host_figure(measure)) for at, place in claims]
            labels = [{"guest": self.names[at], "neighbour": place} for at, place in claims]
            found += self._claims(measure, labels, pairs)
        return found

    @cached_property
    def side_rows(self) -> Rows:
        """A row a measure and guest: how much more its left neighbour has than its right one; none at a table of two.

        `measure`, `unit`, `guest`, `value`, `p_value` after Holm over the guests.
        """
        if RIGHT not in self.neighbours:
            return []
        found: Rows = []
        for measure in self.units:
            pairs = [(self.figure(at, LEFT, measure), self.figure(at, RIGHT, measure)) for at in range(len(self.names))]
            found += self._claims(measure, [{"guest": name} for name in self.names], pairs)
        return found

    @cached_property
    def guest_rows(self) -> Rows:
        """A row a measure and guest: how much more the guest itself has than a host among hosts; as `side_rows`."""
        found: Rows = []
        for measure in self.units:
            was = self.host_figure(measure)
            pairs = [(self.figure(at, GUEST, measure), was) for at in range(len(self.names))]
            found += self._claims(measure, [{"guest": name} for name in self.names], pairs)
        return found

    def _claims(self, measure: str, labels: Rows, pairs: Sequence[tuple[Figure, Figure]]) -> Rows:
        """Differences that are looked at together."""
        level = simultaneous_confidence(self.confidence, len(pairs))
        changes = [_change(now, was, level) for now, was in pairs]
        adjusted = holm([p_value(now, was) for now, was in pairs])
        return [
            {
                "measure": measure,
                "unit": self.units[measure],
                **label,
                "value": _together(change, len(pairs)),
                "p_value": float(p),
            }
            for label, change, p in zip(labels, changes, adjusted, strict=True)
        ]

    # --- figures ---------------------------------------------------------------------------------------------

    def figure(self, at: int, place: str, measure: str) -> Figure:
        """What a neighbour of a guest, or the guest, has: totals by group of deals."""
        plan, part = self.plans[at], self.parts[at]
        players = {GUEST: [0], **places(plan.seats)}[place]
        column, scale = _column(measure)
        chosen = [c.role == "player" and c.measure == column and c.index in players for c in plan.columns]
        above = part.tallies["sums"][:, chosen].sum(axis=1)
        below = plan.group_sizes() * plan.seats * len(players)
        return Figure(measure, {"neighbour": place}, self.units[measure], above, below, scale, plan.deals)

    def host_figure(self, measure: str) -> Figure:
        """What a host among hosts has, over all seats."""
        plan, part = self.alone, self.alone_part
        column, scale = _column(measure)
        above = part.tallies["sums"][:, [c.measure == column for c in plan.columns]].sum(axis=1)
        below = plan.group_sizes() * plan.seats
        return Figure(measure, {"neighbour": NOBODY}, self.units[measure], above, below, scale, plan.deals)

    # --- as data ---------------------------------------------------------------------------------------------

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        found = {
            "neighbours": frame(self.rows),
            "neighbours_sides": frame(self.side_rows),
            "neighbours_guests": frame(self.guest_rows),
        }
        return {name: rows for name, rows in found.items() if len(rows)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": self.games,
            "rules": plan.rules.changes(),
            "host": self.host,
            "fair_share": self.fair_share,
            "neighbours": self.rows,
            "sides": self.side_rows,
            "guests": self.guest_rows,
        }


def places(seats: int) -> dict[str, list[int]]:
    """The players of each kind of neighbour, by their place behind player 0, the guest."""
    if seats == 2:
        return {ONLY: [1]}
    others = {OTHERS: list(range(2, seats - 1))} if seats > 3 else {}
    return {LEFT: [1], RIGHT: [seats - 1], **others}


def _column(measure: str) -> tuple[str, int]:
    """The outcome column of a measure, and its units in one."""
    return ("win", SIXTIETHS) if measure == WIN_SHARE else (measure, 1)


def _together(change: Estimate, n: int) -> Estimate:
    return replace(change, method=f"{change.method}; {n} intervals hold together") if n > 1 else change


def _change(now: Figure, was: Figure, confidence: float) -> Estimate:
    """The difference; where no group of deals strays, a share of wins may do so in deals unseen, as in `statistics.share`.

    A part u of all deals at most, the exact limit of none in so many, may give the one all wins and the other none.
    Among themselves hosts win their fair share in every deal.
    """
    one = difference(now, was, confidence)
    if one.low < one.high or not now.unit.startswith("share"):
        return one
    u = 1 - ((1 - confidence) / 2) ** (1 / now.deals)
    least, most = (-was.value, 1 - was.value) if was.labels["neighbour"] == NOBODY else (-1.0, 1.0)
    low, high = one.estimate - u * (one.estimate - least), one.estimate + u * (most - one.estimate)
    return replace(one, low=low, high=high, method="every group of deals equal, exact limit on unseen deals")


def neighbours(
    game: str,
    names: Sequence[str] | None = None,
    *,
    host: str = "baseline",
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Neighbours:
    """Play each guest among hosts and tell what it costs or gives them.

    Parameters
    ----------
    names : the guests; all strategies that ship with the game, but the host, unless given; names, or paths of files
    host : the strategy at all other seats
    deals : deals that every table plays, each in every rotation of the seats
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line; for a guest that is the host, or named twice.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    if deals < LEAST_DEALS:
        raise AssayError(f"neighbours need at least {LEAST_DEALS} deals, not {deals}")
    guests = [name for name in shipped.names(chosen) if name != host.strip()] if names is None else list(names)
    if not 1 <= len(guests) <= MAX_GUESTS:
        raise AssayError(f"neighbours take 1 to {MAX_GUESTS} guests, not {len(guests)}")
    rule_set = find_rules(chosen, changes, rules)
    at_home, *players = find_strategies(chosen, [host, *guests])
    named = [player.name for player in players]
    if at_home.name in named:
        raise AssayError(f"the guest '{at_home.name}' is the host: name another host, or leave it out")
    if len(set(named)) != len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise AssayError(f"the guest '{twice}' is named twice")
    measures = ("win", *chosen.measures)
    hosts = [at_home] * seats
    alone = make_plan(chosen, [hosts], rule_set, deals, seed, measures=measures, has_tallies=False)
    plans = [
        make_plan(
            chosen,
            [[player, *hosts[1:]]],
            rule_set,
            deals,
            seed,
            measures=measures,
            is_duplicate=True,
            has_tallies=False,
        )
        for player in players
    ]
    steps = [Step("hosts", alone.games, partial(_play, alone))]
    steps += [Step(f"guest-{at}", plan.games, partial(_play, plan)) for at, plan in enumerate(plans)]
    parts = play_steps(steps, work or Work(), side_by_side=True)
    found = tuple(parts[step.name] for step in steps)
    return Neighbours(at_home.name, tuple(named), alone, found[0], tuple(plans), found[1:])


def _play(plan: Plan, work: Work) -> Part:
    return play_plan(plan, work)
