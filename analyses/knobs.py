"""Rules as knobs: numbers that an analysis may turn, each with a range and the change of rules that a position means."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from simcore.errors import AssayError
from simcore.game import Game
from simcore.rules import Rule, RuleSet

SPREAD = 0.3  # of a number, to either side
PERCENT = 100
TEXT = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\[([^\]]*)\])?\s*(?:=\s*(-?\d{1,9})\s*:\s*(-?\d{1,9})\s*)?")


@dataclass(frozen=True)
class Knob:
    """One number that can be turned.

    Attributes
    ----------
    name : as a command names it: `rule`, `rule[entry]`
    now : where it stands
    low, high : the ends of its range, whole numbers
    cells : of a table that is scaled as one, its entries; the knob is then a percentage of them
    """

    name: str
    rule: str
    now: int
    low: int
    high: int
    unit: str
    cells: tuple[int, ...] = field(default=(), repr=False)
    bounds: tuple[int, int] = (0, 0)

    @property
    def n_values(self) -> int:
        return self.high - self.low + 1

    def at(self, unit_position: float) -> int:
        """The value at a position from 0 to 1; every value has an equal part of the way."""
        return self.low + min(math.floor(unit_position * self.n_values), self.n_values - 1)

    def position(self, value: int) -> float:
        """The middle of a value's part of the way from 0 to 1."""
        return (value - self.low + 0.5) / self.n_values

    def change(self, value: int) -> str:
        """The change of rules that sets it."""
        if not self.cells:
            return f"{self.name}={value}"
        low, high = self.bounds
        scaled = [min(max(round(cell * value / PERCENT), low), high) for cell in self.cells]
        return f"{self.name}={','.join(map(str, scaled))}"


def find_knobs(game: Game, rules: RuleSet, seats: int, texts: Sequence[str] = ()) -> list[Knob]:
    """The knobs named, or all that the game has: `rule`, `rule[entry]`, `rule[*]` for every seat, each with `=low:high` or not.

    Raises
    ------
    AssayError
        For a rule that is not there, an empty range, or one beyond what the rule allows.
    """
    if not texts:
        found = [_whole(rule, rules) for rule in game.rules.rules.values() if "experiment" not in rule.provenances]
        return [knob for knob in found if knob is not None]
    knobs = [knob for text in texts for knob in _read(game, rules, seats, text)]
    names = [knob.name for knob in knobs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise AssayError(f"knob '{twice[0]}' is named twice")
    return knobs


def _read(game: Game, rules: RuleSet, seats: int, text: str) -> list[Knob]:
    match = TEXT.fullmatch(text)
    if match is None:
        raise AssayError(f"cannot read the knob '{text}': write rule, rule[entry] or rule=low:high")
    name, entry, low, high = match.groups()
    rule = game.rules.rule(name)
    ends = None if low is None else (int(low), int(high))
    if entry is None:
        knob = _whole(rule, rules, ends)
        if knob is None:
            raise AssayError(f"rule '{name}' cannot be scaled, its numbers are all 0: name an entry, as {name}[1]=0:5")
        return [knob]
    entries = (
        [str(seat) for seat in range(1, seats + 1)] if entry.strip() == "*" and rule.axes == ("seat",) else [entry]
    )
    return [_entry(game, rule, rules, one, ends) for one in entries]


def _whole(rule: Rule, rules: RuleSet, ends: tuple[int, int] | None = None) -> Knob | None:
    """A rule as one knob: its number, or all numbers of its table scaled; None for a table of nothing."""
    values = rules.values[rule.name]
    if not rule.axes:
        return _number(rule, rule.name, int(values), ends)
    if not values.any() or rule.is_switch:
        return None
    low, high = ends or (round(PERCENT * (1 - SPREAD)), round(PERCENT * (1 + SPREAD)))
    _check(rule.name, low, high, 0, 1000)
    cells = tuple(values.ravel().tolist())
    return Knob(rule.name, rule.name, PERCENT, low, high, "% of its numbers", cells, (rule.low, rule.high))


def _entry(game: Game, rule: Rule, rules: RuleSet, entry: str, ends: tuple[int, int] | None) -> Knob:
    name = f"{rule.name}[{entry.strip()}]"
    marked = game.rules.parse([f"{name}={rule.low}"]).values[rule.name]
    other = game.rules.parse([f"{name}={rule.high}"]).values[rule.name]
    where = np.flatnonzero(marked.ravel() != other.ravel())
    if where.size != 1:
        raise AssayError(f"'{name}' is not a single number of rule '{rule.name}'")
    return _number(rule, name, int(rules.values[rule.name].ravel()[where[0]]), ends)


def _number(rule: Rule, name: str, now: int, ends: tuple[int, int] | None) -> Knob:
    if ends is None:
        reach = max(1, round(SPREAD * abs(now)))
        ends = (0, 1) if rule.is_switch else (max(now - reach, rule.low), min(now + reach, rule.high))
    _check(name, *ends, rule.low, rule.high)
    return Knob(name, rule.name, now, *ends, rule.unit)


def _check(name: str, low: int, high: int, least: int, most: int) -> None:
    if not least <= low < high <= most:
        raise AssayError(f"the range of '{name}' must lie within {least} to {most} and not be empty, not {low}:{high}")


def playable(
    game: Game, changes: Sequence[str], file: object, seats: int, further: Sequence[str]
) -> tuple[list[str], int]:
    """Further changes that can be played together, and how many had to be left out.

    Left out is one that alone stands in the way, the last such one; else the last.
    """
    kept = list(further)
    while not is_playable(game, [*changes, *kept], file, seats):
        if not kept:
            game.fill_rules(game.rules.parse(changes, file), seats)  # type: ignore[arg-type]  # says what is wrong
        for at in reversed(range(len(kept))):
            if is_playable(game, [*changes, *kept[:at], *kept[at + 1 :]], file, seats):
                break
        else:
            at = len(kept) - 1
        del kept[at]
    return kept, len(further) - len(kept)


def is_playable(game: Game, changes: Sequence[str], file: object, seats: int) -> bool:
    """Whether a game can be played under these changes."""
    try:
        game.fill_rules(game.rules.parse(changes, file), seats)  # type: ignore[arg-type]
    except AssayError:
        return False
    return True
