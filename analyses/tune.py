"""Which value is fairest? Rules are turned until the game comes nearest to what is wanted of it.

A first search plays few deals at many settings: all of them where they are few, else where CMA-ES leads. The best are
played again on other deals, more of them, and what is best there is measured on deals that nobody has chosen by, beside
the rules in force: what it reaches, and what it costs elsewhere. Several goals at once have no single best; the settings
that no other beats in every goal make a front.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyses import vary as variants
from analyses.field import N_CIRCLES
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_table
from analyses.knobs import Knob, find_knobs, is_playable
from analyses.paired import Figure, jackknife, spread, spread_estimate
from analyses.search import all_settings, evolve, front, ranked
from analyses.sensitivity import (
    LEADER_WINS,
    SEAT_SPREAD,
    STRATEGY_SPREAD,
    Outputs,
    leader_key,
    output_units,
    play_outputs,
)
from analyses.statistics import Estimate
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from analyses.vary import Variant, Variation, play_variants
from simcore.errors import AssayError, unknown
from simcore.game import Game, find_game
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 20_000
DEFAULT_EVALUATIONS = 60
LEAST_DEALS, LEAST_EVALUATIONS, MOST_EVALUATIONS = 640, 3, 5_000
SEARCHED_PART, FINAL_PART = 10, 4  # of the deals: what a setting is searched with, and played again with
LEAST_SEARCHED, LEAST_MIXED = 64, 8
MIXED_PART = 40  # of a setting's deals, one in so many is played by the mixed field
FINALISTS, MEASURED = 6, 3
SEATS, STRATEGIES, LENGTH = "seats", "strategies", "length"
LENGTHS = ("turns", "rounds")  # units of a measure that tells how long a game is
GOAL = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=\s*(-?\d+(?:\.\d+)?)\s*)?")

Setting = tuple[int, ...]


@dataclass(frozen=True)
class Goal:
    """What is wanted: a figure, and the number it should be near.

    Attributes
    ----------
    name : as the command names it
    output : the figure, see `analyses.sensitivity`
    """

    name: str
    output: str
    target: float
    unit: str

    def miss(self, outputs: Outputs) -> float:
        """How far off."""
        if self.output not in outputs:
            raise AssayError(f"the goal '{self.name}' cannot be told of every setting: its figure is missing from some")
        return abs(outputs[self.output] - self.target)


@dataclass(frozen=True)
class Looked:
    """A setting that was looked at: the values of the knobs, and by goal how far off it is."""

    setting: Setting
    misses: tuple[float, ...]


@dataclass(frozen=True)
class Tuning:
    """What was looked at, what did best, and what that is worth on fresh deals.

    Attributes
    ----------
    searched : every setting of the first search, the rules in force first
    finalists : the best of them and the rules in force, played again on other deals; the best first
    measured : the best of these beside the rules in force, on fresh deals; the first is the one proposed
    deals : of `searched`, `finalists` and `measured`
    is_all : whether every setting was looked at
    """

    game: Game
    rules: RuleSet
    seats: int
    seed: int
    strategy: str
    field_names: tuple[str, ...]
    knobs: tuple[Knob, ...]
    goals: tuple[Goal, ...]
    searched: tuple[Looked, ...]
    finalists: tuple[Looked, ...]
    measured: Variation
    deals: tuple[int, int, int]
    is_all: bool
    games: int

    @cached_property
    def best(self) -> Variant:
        """The setting proposed."""
        return self.measured.variants[0]

    @property
    def now(self) -> Setting:
        """The rules in force."""
        return tuple(knob.now for knob in self.knobs)

    @cached_property
    def search_rows(self) -> Rows:
        """A row a setting and stage: `stage`, each knob, `is_now`, `is_front`, and by goal how far off."""
        rows = []
        for stage, looked in (("searched", self.searched), ("again", self.finalists)):
            kept = set(front(np.array([one.misses for one in looked])))
            for at, one in enumerate(looked):
                named = {knob.name: value for knob, value in zip(self.knobs, one.setting, strict=True)}
                misses = {f"off {goal.name}": miss for goal, miss in zip(self.goals, one.misses, strict=True)}
                rows.append(
                    {"stage": stage, **named, "is_now": one.setting == self.now, "is_front": at in kept, **misses}
                )
        return rows

    @cached_property
    def rows(self) -> Rows:
        """A row a goal and measured setting: each knob, `goal`, `unit`, `target`, `is_now`, `level` on fresh deals, `off`,
        how far that is from the target, and `gain`, how much nearer than the rules in force, paired on the same deals.
        """
        rows = []
        for at, variant in enumerate((self.measured.now, *self.measured.variants)):
            values = {k.name: str(k.now) for k in self.knobs} if at == 0 else dict(variant.values)
            for goal in self.goals:
                told = {"goal": goal.name, "unit": goal.unit, "target": goal.target, "is_now": at == 0}
                level, off, gain = _reached(goal, variant, self.measured.now)
                rows.append({**values, **told, "level": level, "off": off, "gain": gain})
        return rows

    @property
    def is_better(self) -> bool:
        """Whether the proposed setting is surely nearer in some goal, and surely farther in none."""
        gains = [row["gain"] for row in self.rows[len(self.goals) : 2 * len(self.goals)]]
        return any(gain.low > 0 for gain in gains) and not any(gain.high < 0 for gain in gains)

    @property
    def command(self) -> list[str]:
        """The changes of rules that the proposed setting means."""
        return [knob.change(int(self.best.values[knob.name])) for knob in self.knobs]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {
            "tuned": frame(self.rows),
            "tuned_search": frame(self.search_rows),
            "tuned_elsewhere": frame(self.measured.rows),
            "tuned_moved": frame(self.measured.moved),
        }

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay tune --json` prints it."""
        return {
            "game": self.game.name,
            "seats": self.seats,
            "strategy": self.strategy,
            "field": self.field_names,
            "seed": self.seed,
            "deals": self.deals[-1],
            "games": self.games,
            "rules": self.rules.changes(),
            "goals": {goal.name: goal.target for goal in self.goals},
            "is_all": self.is_all,
            "is_better": self.is_better,
            "proposed": self.command,
            "reached": self.rows,
            "searched": self.search_rows,
            "elsewhere": self.measured.rows,
            "moved": self.measured.moved,
        }


def tune(
    game: str,
    knobs: Sequence[str],
    *,
    goals: Sequence[str] = (SEATS,),
    strategy: str = "baseline",
    names: Sequence[str] = (),
    evaluations: int = DEFAULT_EVALUATIONS,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Tuning:
    """Turn rules towards goals.

    Parameters
    ----------
    knobs : `rule`, `rule[entry]`, `rule[*]` for every seat, each with `=low:high` or not; see `analyses.knobs`
    goals : "seats" and "strategies", that these should not differ; `figure=number` for a figure that is one number
    strategy : sits at every seat of the table
    names : strategies of the mixed field that the goal "strategies" needs
    evaluations : settings of the first search at most
    deals : of the last measurement; of these the first search plays one in `SEARCHED_PART` at each setting
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    given: dict[str, Any] = {"seats": seats, "deals": deals, "seed": seed, "changes": changes, "rules": rules}
    return prepare(game, knobs, goals=goals, strategy=strategy, names=names, evaluations=evaluations, **given).play(
        work or Work()
    )


def prepare(
    game: str,
    knobs: Sequence[str],
    *,
    goals: Sequence[str] = (SEATS,),
    strategy: str = "baseline",
    names: Sequence[str] = (),
    evaluations: int = DEFAULT_EVALUATIONS,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
) -> Search:
    """What `tune` is asked, checked and ready to be played."""
    chosen = find_game(game)
    if not knobs:
        example = next(rule.name for rule in chosen.rules.rules.values() if not rule.is_switch)
        raise AssayError(f"name a rule to turn, for example --knob {example} (`assay rules {game}` lists them)")
    if deals < LEAST_DEALS:
        raise AssayError(f"tuning needs at least {LEAST_DEALS} deals, not {deals}")
    if not LEAST_EVALUATIONS <= evaluations <= MOST_EVALUATIONS:
        raise AssayError(f"tuning looks at {LEAST_EVALUATIONS} to {MOST_EVALUATIONS:,} settings, not {evaluations}")
    rule_set = find_rules(chosen, changes, rules)
    found = find_knobs(chosen, rule_set, chosen.check_seats(seats), knobs)
    wanted = [read_goal(chosen, goal) for goal in goals]
    _check_goals(wanted, names, seats)
    chosen.fill_rules(rule_set, seats)
    find_table(chosen, seats, strategy)
    given: dict[str, Any] = {"seats": seats, "changes": list(changes), "rules": rules}
    return Search(
        chosen, rule_set, tuple(found), tuple(wanted), strategy, tuple(names), evaluations, deals, seed, given
    )


def read_goal(game: Game, text: str) -> Goal:
    """A goal as a command names it."""
    match = GOAL.fullmatch(text)
    if match is None:
        raise AssayError(f"cannot read the goal '{text}': write seats, strategies or figure=number")
    name, told = match.groups()
    units = output_units(game)
    output = {SEATS: SEAT_SPREAD, STRATEGIES: STRATEGY_SPREAD, LENGTH: _length(game)}.get(name, name)
    if output is None:
        raise AssayError(
            f"no game of {game.name} is longer than another in what it measures; its figures: {_known(units)}"
        )
    if output not in units:
        raise unknown("goal", name, [SEATS, STRATEGIES, *units])
    unit = units[output]
    if told is None and name not in (SEATS, STRATEGIES):
        raise AssayError(f"the goal '{name}' needs a number to be near: {name}=...")
    target = 0.0 if told is None else float(told)
    return Goal(name, output, target / 100 if unit.startswith("share") else target, unit)


def _length(game: Game) -> str | None:
    return next((name for name, unit in game.measures.items() if unit in LENGTHS), None)


def _known(units: Mapping[str, str]) -> str:
    return ", ".join(units)


def _check_goals(goals: Sequence[Goal], names: Sequence[str], seats: int) -> None:
    if not goals:
        raise AssayError("name a goal: seats, strategies or figure=number")
    twice = [goal.name for goal in goals if [g.output for g in goals].count(goal.output) > 1]
    if twice:
        raise AssayError(f"the goal '{twice[0]}' is named twice")
    if any(goal.output == STRATEGY_SPREAD for goal in goals) and not names:
        raise AssayError("the goal 'strategies' needs a mixed field of strategies")
    if names and len(names) < seats:
        raise AssayError(f"a mixed field of {seats} seats needs at least {seats} different strategies")


# --- searching ---------------------------------------------------------------------------------------------


@dataclass
class Search:
    """A search in three stages. Every setting of a stage plays the same deals; no two stages share any.

    Attributes
    ----------
    games : how many it takes; fewer are played only where no further setting can be found
    """

    game: Game
    rules: RuleSet
    knobs: tuple[Knob, ...]
    goals: tuple[Goal, ...]
    strategy: str
    names: tuple[str, ...]
    evaluations: int
    deals: int
    seed: int
    given: dict[str, Any]
    work: Work = field(default_factory=Work)
    played: int = 0
    looked: dict[Setting, Looked] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Decide how many of what is looked at."""
        self.searched = max(self.deals // SEARCHED_PART, LEAST_SEARCHED)
        self.again = max(self.deals // FINAL_PART, LEAST_SEARCHED)
        self.now = tuple(knob.now for knob in self.knobs)
        self.every = self._all(self.evaluations, self.now)
        n = self.evaluations if self.every is None else len(self.every)
        if n < 2:
            raise AssayError("no other setting of these rules can be played: name a wider range")
        self.n_again, self.n_measured = min(FINALISTS, n), min(MEASURED, n - 1)
        last = (1 + self.n_measured) * variants_cost(self.deals, self.names, self.given["seats"])
        self.games = n * self._cost(self.searched) + self.n_again * self._cost(self.again) + last

    def play(self, work: Work) -> Tuning:
        """All of it."""
        self.work, self.played, self.looked = work, 0, {}
        if self.every is None:
            self._evolve(self.now, self.evaluations, self.searched)
        else:
            self._look(self.every, self.searched)
        first = list(self.looked.values())
        order = ranked(_relative(first))
        best = [first[at].setting for at in order if first[at].setting != self.now][: self.n_again - 1]
        self.looked = {}
        finalists = self._look([self.now, *best], self.again, self.seed + 1)
        finalists = [finalists[at] for at in ranked(_relative(finalists))]
        proposed = [one.setting for one in finalists if one.setting != self.now][: self.n_measured]
        measured = self._measure(proposed)
        self._tell(self.games)
        return Tuning(
            game=self.game,
            rules=self.rules,
            seats=self.given["seats"],
            seed=self.seed,
            strategy=self.strategy,
            field_names=self.names,
            knobs=self.knobs,
            goals=self.goals,
            searched=tuple(first),
            finalists=tuple(finalists),
            measured=measured,
            deals=(self.searched, self.again, self.deals),
            is_all=self.every is not None,
            games=self.played,
        )

    def _all(self, most: int, now: Setting) -> list[Setting] | None:
        """Every setting that can be played, the rules in force first, where they are at most so many."""
        positions = all_settings([knob.n_values for knob in self.knobs], most)
        if positions is None:
            return None
        settings = [tuple(k.low + at for k, at in zip(self.knobs, some, strict=True)) for some in positions]
        return [now, *(one for one in settings if one != now and self._is_playable(one))]

    def _evolve(self, now: Setting, evaluations: int, deals: int) -> None:
        """Look at so many settings: towards each goal alone, then towards all together."""
        self._look([now], deals)
        k = len(self.goals)
        weightings = [np.ones(k)] if k == 1 else [*np.eye(k) * (1 - 1 / k) + 1 / k**2, np.ones(k)]
        seen = {now}
        for at, weights in enumerate(weightings):
            budget = (evaluations - len(self.looked)) // (len(weightings) - at)
            best = min(self.looked.values(), key=lambda one: self._score(one, now, weights))
            start = np.array([k.position(value) for k, value in zip(self.knobs, best.setting, strict=True)])

            def evaluate(settings: Sequence[Setting], weights: NDArray[np.float64] = weights) -> list[float]:
                return [self._score(one, now, weights) for one in self._look(settings, deals)]

            evolve(start, self._read, evaluate, budget, self.seed + at, seen)

    def _read(self, point: NDArray[np.float64]) -> Setting | None:
        setting = tuple(knob.at(float(x)) for knob, x in zip(self.knobs, point, strict=True))
        return setting if self._is_playable(setting) else None

    def _score(self, one: Looked, now: Setting, weights: NDArray[np.float64]) -> float:
        """How far off in all, each goal in units of how far off the rules in force are."""
        scale = np.array(self.looked[now].misses)
        return float((weights * np.array(one.misses) / np.where(scale > 0, scale, 1.0)).sum())

    def _is_playable(self, setting: Setting) -> bool:
        return is_playable(
            self.game, [*self.given["changes"], *self._changes(setting)], self.given["rules"], self.given["seats"]
        )

    def _changes(self, setting: Setting) -> list[str]:
        return [k.change(value) for k, value in zip(self.knobs, setting, strict=True) if value != k.now]

    def _cost(self, deals: int) -> int:
        return deals + self._mixed(deals) * self.given["seats"] * N_CIRCLES * len(self._field)

    @property
    def _field(self) -> tuple[str, ...]:
        """The mixed field, where a goal asks for it."""
        return self.names if any(goal.output == STRATEGY_SPREAD for goal in self.goals) else ()

    def _mixed(self, deals: int) -> int:
        return max(deals // MIXED_PART, LEAST_MIXED)

    def _look(self, settings: Sequence[Setting], deals: int, seed: int | None = None) -> list[Looked]:
        """Play settings and keep how far off each is."""
        steps = []
        for setting in settings:
            changes = [*self.given["changes"], *self._changes(setting)]
            given = {**self.given, "changes": changes, "seed": self.seed if seed is None else seed}
            play = partial(
                play_outputs, self.game, self.strategy, self._field, deals, given, mixed_deals=self._mixed(deals)
            )
            steps.append(Step(str(setting), self._cost(deals), play))
        played = play_steps(steps, self._part(), side_by_side=True)
        self.played += sum(step.games for step in steps)
        found = [Looked(s, tuple(goal.miss(played[str(s)]) for goal in self.goals)) for s in settings]
        self.looked |= {one.setting: one for one in found}
        return found

    def _measure(self, settings: Sequence[Setting]) -> Variation:
        told = [
            ({k.name: str(v) for k, v in zip(self.knobs, setting, strict=True)}, self._changes(setting))
            for setting in settings
        ]
        shown = [
            variants.Knob(k.name, tuple(dict.fromkeys(str(s[at]) for s in settings))) for at, k in enumerate(self.knobs)
        ]
        found = play_variants(
            self.game,
            shown,
            told,
            strategies=self.strategy,
            names=self.names,
            deals=self.deals,
            seed=self.seed + 2,
            work=self._part(),
            **self.given,
        )
        self.played += found.games
        return found

    def _part(self) -> Work:
        """Work that tells its progress as part of the whole."""
        before = self.played

        def tell(done: int, total: int) -> None:
            self._tell(before + done)

        return Work(self.work.jobs, self.work.backend, None, tell if self.work.progress else None, self.work.notes)

    def _tell(self, done: int) -> None:
        if self.work.progress is not None:
            self.work.progress(min(done, self.games), self.games)


def variants_cost(deals: int, names: Sequence[str], seats: int) -> int:
    """Games of one variant of `analyses.vary`."""
    return deals + max(deals // variants.FIELD_PART, variants.LEAST_FIELD) * seats * N_CIRCLES * len(names)


def _relative(looked: Sequence[Looked]) -> NDArray[np.float64]:
    """How far off, in units of how far off settings are on the average; shape (settings, goals)."""
    misses = np.array([one.misses for one in looked])
    scale = misses.mean(axis=0)
    return np.asarray(misses / np.where(scale > 0, scale, 1.0))


# --- measuring ---------------------------------------------------------------------------------------------


def _reached(goal: Goal, variant: Variant, now: Variant) -> tuple[Estimate, Estimate, Estimate]:
    """The figure on fresh deals, how far it is from the target, and how much nearer than now."""
    some, was = _parts(goal, variant), _parts(goal, now)
    is_spread = goal.output in (SEAT_SPREAD, STRATEGY_SPREAD)
    level = spread if is_spread else _mean

    def off(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(level(values) - goal.target)

    def gain(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return off(values[len(some) :]) - off(values[: len(some)])

    reached = spread_estimate(some) if is_spread else jackknife(level, some)
    missed = jackknife(off, some)
    return reached, replace(missed, low=max(missed.low, 0.0)), jackknife(gain, [*some, *was])


def _parts(goal: Goal, variant: Variant) -> list[Figure]:
    """The figures that a goal is made of: those whose spread it is, those of each seat, or one."""
    if goal.output == SEAT_SPREAD:
        return variant.seat_wins
    if goal.output == STRATEGY_SPREAD:
        return variant.strategy_wins
    if goal.output == LEADER_WINS:
        plan = variant.run.plan
        return [variant.figures[leader_key(plan.game, plan.rules)]]
    return [figure for (name, _), figure in variant.figures.items() if name == goal.output]


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values.mean(axis=0))
