"""What a report asks beyond seats, strategies and economy: the deeper questions, each at a budget that fits the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyses import metagame as meta
from analyses import robust as survival
from analyses import vary as variants
from analyses import worth as experiments
from analyses.field import N_CIRCLES
from analyses.steps import Step
from simcore.errors import AssayError
from simcore.game import Game
from simcore.rules import Rule, RuleSet

FACTORS = (0.6, 0.8, 1.0, 1.2, 1.4)  # of a rule's value, when it is varied


@dataclass(frozen=True)
class Budget:
    """Deals and draws of each question."""

    meta: int
    vary: int
    vary_field: int
    worth: int
    robust: int
    draws: int

    @classmethod
    def of(cls, deals: int) -> Budget:
        """For a report of so many deals; a tenth of them and less a study."""
        return cls(
            meta=min(max(deals // 1000, meta.LEAST_DEALS), 400),
            vary=max(deals // 10, 64),
            vary_field=variants.LEAST_FIELD,
            worth=max(deals // 100, 64),
            robust=max(deals // 50, 64),
            draws=min(max(deals // 5_000, 4), 40),
        )


@dataclass(frozen=True)
class Asked:
    """What the deeper questions are asked of: the game under its rules, at one number of seats."""

    game: Game
    rules: RuleSet
    seats: int
    strategy: str
    field: tuple[str, ...]
    tolerance: float
    options: Mapping[str, Any]


def further_steps(asked: Asked, budget: Budget) -> list[Step]:
    """The questions that this game and these strategies allow, in the order in which they are played."""
    found = [_meta(asked, budget), _vary(asked, budget), _worth(asked, budget), _robust(asked, budget)]
    return [step for step in found if step is not None]


def _step(name: str, games: int, play: Callable[..., Any], **options: Any) -> Step:
    return Step(name, games, partial(play, **options))


def _can_field(asked: Asked) -> bool:
    return len(asked.field) >= asked.seats


def _meta(asked: Asked, budget: Budget) -> Step | None:
    names = list(asked.field)
    while math.comb(len(names) + asked.seats - 1, asked.seats) > meta.MAX_PROFILES:
        names.pop()
    if len(names) < 2:
        return None
    games = math.comb(len(names) + asked.seats - 1, asked.seats) * asked.seats * budget.meta
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
    mixed = survival.mixed_deals(budget.robust) * asked.seats * N_CIRCLES * len(field)
    games = (budget.robust + mixed) * (1 + 2 * budget.draws)
    play = partial(survival.robust, asked.game.name, draws=budget.draws, tolerance=asked.tolerance)
    return _step("robust", games, play, **given)
