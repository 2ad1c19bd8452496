"""How numbers are written, in one place: never more decimals than the interval warrants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simcore.game import Game

NBSP = "\u00a0"
MINUS = "\u2212"
ROUNDING = 1e-9  # 10.1 - 9.9 is a little less than 0.2
MOST_DECIMALS = 2
UNKNOWN_DECIMALS = 1  # where there is no interval, or one of no width
SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def decimals(half_width: float, most: int = MOST_DECIMALS) -> int:
    """Digits after the point that an interval of this half-width warrants: those that it leaves more or less sure."""
    if not math.isfinite(half_width) or half_width <= 0:
        return UNKNOWN_DECIMALS
    return min(max(0, -math.floor(math.log10(half_width) + ROUNDING)), most)


def is_share(unit: str) -> bool:
    """Whether a unit is a share of something, written in per cent."""
    return unit.startswith("share")


def scale(unit: str) -> int:
    """What a value of this unit is multiplied by before it is written."""
    return 100 if is_share(unit) else 1


def fixed(value: float, digits: int) -> str:
    """A number with a true minus sign, never minus nothing, and thousands apart."""
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def column_decimals(rows: Sequence[Any], unit: str) -> int:
    """The digits that the middle row of a column warrants; no row of it gets more."""
    digits = sorted(row_decimals(row, unit) for row in rows if half_width(row, unit) > 0)
    return digits[len(digits) // 2] if digits else UNKNOWN_DECIMALS


def row_decimals(row: Any, unit: str, most: int = MOST_DECIMALS) -> int:
    """The digits that a row warrants; of per cent one is enough, but for shares below one."""
    if is_share(unit) and abs(row.estimate) >= 0.01:
        most = min(most, 1)
    return decimals(half_width(row, unit), most)


def half_width(row: Any, unit: str) -> float:
    """Half the width of a row's interval, in what is written."""
    return scale(unit) * (row.high - row.low) / 2


def value(row: Any, unit: str, most: int = MOST_DECIMALS) -> str:
    """The figure alone: `27.4 %`, `14.5`."""
    text = fixed(scale(unit) * row.estimate, row_decimals(row, unit, most))
    return f"{text}{NBSP}%" if is_share(unit) else text


def interval(row: Any, unit: str, most: int = MOST_DECIMALS) -> str:
    """The interval alone: `27.1 to 27.7`; empty where there is none."""
    if not math.isfinite(row.low) or not math.isfinite(row.high):
        return ""
    digits = row_decimals(row, unit, most)
    return f"{fixed(scale(unit) * row.low, digits)} to {fixed(scale(unit) * row.high, digits)}"


def estimate(row: Any, unit: str, noun: str | None = None) -> str:
    """`27.4 % (27.1 to 27.7)`, `14.5 denarii (14.4 to 14.6)`."""
    named = "" if is_share(unit) else f" {unit if noun is None else noun}".rstrip()
    span = interval(row, unit)
    return f"{value(row, unit)}{named}" + (f" ({span})" if span else "")


def count(n: int, noun: str, plural: str | None = None) -> str:
    """`one game`, `12 games`, `1,200 games`."""
    number = SMALL_NUMBERS[n] if 0 <= n < len(SMALL_NUMBERS) else f"{n:,}"
    return f"{number} {noun if n == 1 else plural or noun + 's'}"


def about(n: float) -> str:
    """A number to two digits, with thousands apart: `1,200`."""
    if n < 10:
        return str(max(1, round(n)))
    unit = 10 ** (len(str(int(n))) - 2)
    return f"{round(n / unit) * unit:,}"


def words(label: Any) -> str:
    """A label as one reads it: `olive_oil+wine` is `olive oil + wine`."""
    text = str(label)
    return text.replace("_", " ").replace("+", " + ") if isinstance(label, str) else text


def knob(game: Game, name: str) -> str:
    """A rule, or an entry of its table, as one reads it: `start_money[4]` is `start money (seat 4)`."""
    rule, _, entry = name.rstrip("]").partition("[")
    parts = [part.strip() for part in entry.split(",") if part.strip()]
    axes = game.rules.rule(rule).axes
    told = [f"{words(axis)} {part}" if part.isdigit() else words(part) for axis, part in zip(axes, parts, strict=False)]
    return words(rule) + (f" ({', '.join(told)})" if told else "")


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
