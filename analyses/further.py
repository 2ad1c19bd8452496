"""What a report asks beyond seats, strategies and economy: the deeper questions, each at a budget that fits the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyses import decided as follow
from analyses import exploit as exploits
from analyses import metagame as meta
from analyses import neighbours as beside
from analyses import robust as survival
from analyses import sensitivity as screening
from analyses import skill as skilled
from analyses import tune as tuning
from analyses import vary as variants
from analyses import worth as experiments
from analyses.field import N_CIRCLES
from analyses.inputs import find_strategy
from analyses.steps import Step
from simcore.errors import AssayError
from simcore.game import Game
from simcore.rules import Rule, RuleSet

MOST_TRIED = 21  # values of a rule that is tuned
EXPLOITED = 100  # settings of a rival's weights
FACTORS = (0.6, 0.8, 1.0, 1.2, 1.4)  # of a rule's value, when it is varied


@dataclass(frozen=True)
class Budget:
    """Deals and draws of each question."""

    meta: int
    vary: int
    vary_field: int
    sensitivity: int
    points: int
    tune: int
    worth: int
    decided: int
    skill: int
    neighbours: int
    robust: int
    draws: int
    exploit: int

    @classmethod
    def of(cls, deals: int, is_thorough: bool = False) -> Budget:
        """For a report of so many deals; a tenth of them and less a study."""
        return cls(
            meta=min(max(deals // 1000, meta.LEAST_DEALS), 400),
            vary=max(deals // 10, 64),
            vary_field=variants.LEAST_FIELD,
            sensitivity=max(deals // 250, 32),
            points=20 if is_thorough else 4,
            tune=max(deals // 8, tuning.LEAST_DEALS),
            worth=max(deals // 100, 64),
            decided=max(deals // 20, 64),
            skill=max(deals // 500, skilled.LEAST_DEALS),
            neighbours=max(deals // 200, beside.LEAST_DEALS),
            robust=max(deals // 50, 64),
            draws=min(max(deals // 5_000, 4), 40),
            exploit=max(deals // 400, exploits.LEAST_DEALS) if is_thorough else 0,
        )


@dataclass(frozen=True)
class Asked:
    """What the deeper questions are asked of: the game under its rules, at one number of seats.

    Attributes
    ----------
    strategy : sits at every seat of the tables
    field : strategies as a command names them, for mixed tables
    names : of all strategies of the report
    """

    game: Game
    rules: RuleSet
    seats: int
    strategy: str
    field: tuple[str, ...]
    names: tuple[str, ...]
    tolerance: float
    options: Mapping[str, Any]

    @property
    def others(self) -> tuple[str, ...]:
        """The field without the strategy of the tables."""
        return tuple(name for name in self.field if name != self.strategy)

    def given(self, deals: int, **more: Any) -> dict[str, Any]:
        """What every question takes."""
        return {**self.options, "seats": self.seats, "deals": deals, **more}


def further_steps(asked: Asked, budget: Budget) -> list[Step]:
    """The questions that this game and these strategies allow, in the order in which they are played."""
    questions = (
        _meta,
        _exploit,
        _vary,
        _sensitivity,
        _tune,
        _worth,
        _decided,
        _skill,
        _neighbours,
        _robust,
    )
    found = [question(asked, budget) for question in questions]
    return [step for step in found if step is not None]


def _step(name: str, games: int, play: Callable[..., Any], **options: Any) -> Step:
    return Step(name, games, partial(play, **options))


def _prepared(name: str, study: Any) -> Step:
    """A study that knows how many games it takes."""
    return Step(name, study.games, study.play)


def _can_field(asked: Asked) -> bool:
    return len(asked.field) >= asked.seats


def _meta(asked: Asked, budget: Budget) -> Step | None:
    names = list(asked.field)
    if len(names) < 2:
        return None
    n_profiles = len(meta.profiles_to_play(len(names), asked.seats, meta.players_for(len(names), asked.seats)))
    games = n_profiles * asked.seats * budget.meta
    given = {**asked.options, "seats": asked.seats, "deals": budget.meta}
    return _step("metagame", games, partial(meta.metagame, asked.game.name, names), **given)


def _vary(asked: Asked, budget: Budget) -> Step | None:
    knob = telling_rule(asked.game)
    if knob is None:
        return None
    entry = "[1]" if knob.axes else ""
    values = around(knob, int(asked.rules.values[knob.name].ravel()[0]))
    playable = [v for v in values if _is_playable(asked, f"{knob.name}{entry}={v}")]
    if len(playable) < 2:
        return None
    field = asked.field if _can_field(asked) else ()
    each = budget.vary + (budget.vary_field * asked.seats * N_CIRCLES * len(field) if field else 0)
    text = f"{knob.name}{entry}={','.join(map(str, playable))}"
    given = {**asked.options, "seats": asked.seats, "deals": budget.vary}
    play = partial(variants.vary, asked.game.name, [text], strategies=asked.strategy, names=field)
    return _step("vary", each * len(playable), play, **given)


def _sensitivity(asked: Asked, budget: Budget) -> Step | None:
    given = asked.given(budget.sensitivity, points=budget.points, strategy=asked.strategy)
    return _prepared("sensitivity", screening.prepare(asked.game.name, **given))


def _tune(asked: Asked, budget: Budget) -> Step | None:
    """The fairest value of one number: what the last seat gets, or the rule to vary first."""
    knob = telling_rule(asked.game)
    if knob is None:
        return None
    values = asked.rules.values[knob.name].ravel()
    at = min(asked.seats, len(values)) - 1
    tried = around(knob, int(values[at]))
    name = f"{knob.name}[{at + 1}]" if knob.axes else knob.name
    given = asked.given(budget.tune, strategy=asked.strategy)
    texts = [f"{name}={tried[0]}:{tried[-1]}"]
    try:
        return _prepared("tune", tuning.prepare(asked.game.name, texts, evaluations=MOST_TRIED, **given))
    except AssayError:
        return None


def _exploit(asked: Asked, budget: Budget) -> Step | None:
    if not budget.exploit or not find_strategy(asked.game.name, asked.strategy).weights:
        return None
    given = asked.given(budget.exploit, rival=asked.strategy, evaluations=EXPLOITED)
    return _prepared("exploit", exploits.prepare(asked.game.name, asked.field, **given))


def _decided(asked: Asked, budget: Budget) -> Step | None:
    rival = next(iter(asked.others), None)
    given = asked.given(budget.decided, strategies=asked.strategy, rival=rival)
    games = budget.decided * (1 + (asked.seats if rival else 0))
    return _step("decided", games, partial(follow.decided, asked.game.name), **given)


def _skill(asked: Asked, budget: Budget) -> Step | None:
    names = [*asked.field, skilled.RANDOM]
    if skilled.RANDOM not in asked.names or not skilled.LEAST_NAMES <= len(names) <= skilled.MAX_NAMES:
        return None
    return _prepared("skill", skilled.prepare(asked.game.name, names, **asked.given(budget.skill)))


def _neighbours(asked: Asked, budget: Budget) -> Step | None:
    guests = asked.others
    if not 1 <= len(guests) <= beside.MAX_GUESTS:
        return None
    given = asked.given(budget.neighbours, host=asked.strategy)
    games = budget.neighbours * (1 + len(guests) * asked.seats)
    return _step("neighbours", games, partial(beside.neighbours, asked.game.name, guests), **given)


def telling_rule(game: Game) -> Rule | None:
    """The rule to vary first: one that differs by seat, else the first number of the game."""
    rules = [r for r in game.rules.rules.values() if not r.is_switch and "experiment" not in r.provenances]
    by_seat = [rule for rule in rules if rule.axes == ("seat",)]
    return next(iter([*by_seat, *(rule for rule in rules if not rule.axes)]), None)


def around(rule: Rule, value: int) -> list[int]:
    """Some values around one, within what the rule allows."""
    found = {round(value * factor) for factor in FACTORS} if abs(value) >= 5 else set(range(value - 2, value + 3))
    return sorted({min(max(v, rule.low), rule.high) for v in found} | {value})


def _is_playable(asked: Asked, change: str) -> bool:
    try:
        rules = asked.game.rules.parse([*asked.options["changes"], change], asked.options["rules"])
        asked.game.fill_rules(rules, asked.seats)
    except AssayError:
        return False
    return True


def _worth(asked: Asked, budget: Budget) -> Step | None:
    n_items = len(asked.game.forced) + len(asked.game.barred)
    if n_items == 0:
        return None
    given = {**asked.options, "seats": asked.seats, "deals": budget.worth, "strategy": asked.strategy}
    games = budget.worth * (1 + n_items * asked.seats)
    return _step("worth", games, partial(experiments.worth, asked.game.name), **given)


def _robust(asked: Asked, budget: Budget) -> Step | None:
    if asked.game.alternative is None:
        return None
    field = asked.field if _can_field(asked) else ()
    given = {**asked.options, "seats": asked.seats, "deals": budget.robust, "strategy": asked.strategy, "names": field}
    mixed = survival.mixed_deals(budget.robust) * asked.seats * len(field)
    games = (budget.robust + mixed) * (1 + 2 * budget.draws)
    play = partial(survival.robust, asked.game.name, draws=budget.draws, tolerance=asked.tolerance)
    return _step("robust", games, play, **given)
