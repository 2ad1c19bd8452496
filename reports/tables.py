"""Tables of the page, and the rows they are taken from: every number keeps its file, row and column."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from analyses.survey import MIXED_FIELD, Survey
from reports import format as form

if TYPE_CHECKING:
    import pandas as pd


STRATEGY_LABELS = ("table", "name", "others")
LISTED_AT_MOST = 6  # components that a sentence lists


@dataclass(frozen=True)
class Cell:
    """One cell: what is read, its interval, and where the number stands in the data (row and column of a file)."""

    text: str
    interval: str = ""
    value: str = ""
    row: int | None = None
    column: str = "estimate"
    note: str = ""


NOTHING = Cell("–", note="none")


@dataclass(frozen=True)
class Table:
    """A table of the page.

    Attributes
    ----------
    source : the data file its numbers are from
    heads : a head per column; the first `n_labels` columns head their rows
    is_long : folded until asked for
    """

    caption: str
    source: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_labels: int = 1
    is_long: bool = False


class View:
    """A survey's frames, asked for by label."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.game = survey.game
        self.frames = survey.frames
        self.base, self.main = survey.base, survey.main
        self.mixed = MIXED_FIELD

    def rows(self, name: str, /, **labels: Any) -> pd.DataFrame:
        """Rows of a frame with these labels, under their row numbers; none if the frame lacks a label."""
        table = self.frames[name]
        for label, value in labels.items():
            if label not in table.columns:
                return table.iloc[:0]
            table = table[(table[label] == value).fillna(value=False).astype(bool)]
        return table

    def economy(self, figure: str, table: str | None = None, players: int | None = None, **labels: Any) -> pd.DataFrame:
        """Rows of one figure, of the first strategy's table at the main number of seats unless told otherwise."""
        return self.rows("economy", figure=figure, table=table or self.base, players=players or self.main, **labels)

    def tension(self, figure: str, table: str | None = None, players: int | None = None, **labels: Any) -> pd.DataFrame:
        """Rows of one figure of tension, as for `economy`."""
        return self.rows("tension", figure=figure, table=table or self.base, players=players or self.main, **labels)

    def unit(self, figure: str) -> str:
        """The unit of a figure of the economy."""
        return next(measure.unit for measure in self.game.economy if measure.name == figure)

    def about(self, figure: str) -> str:
        """What a figure of the economy is."""
        return next(measure.about for measure in self.game.economy if measure.name == figure)

    def firmness(self, figures: Sequence[str], players: int | None = None) -> dict[str, int]:
        """How many numbers of these figures are firm, dependent on reconstructed components, or open."""
        table = self.frames["redrawn"]
        if not len(table):
            return {}
        chosen = table[(table["players"] == (players or self.main)) & table["figure"].isin(list(figures))]
        return {str(word): int(n) for word, n in chosen["firmness"].value_counts().items()}

    @cached_property
    def has_mixed(self) -> bool:
        """Whether there is a mixed field at the main number of seats."""
        return self.survey.sizes[self.main].mixed is not None

    @cached_property
    def has_mixed_seats(self) -> bool:
        """Whether the mixed field tells about seats."""
        return bool((self.frames["seats"]["table"] == self.mixed).any())

    @cached_property
    def reconstructed(self) -> list[str]:
        """Components some of whose numbers are reconstructed, as one reads them; more than a sentence holds, counted."""
        rules = self.game.rules.rules.values()
        names = [form.words(rule.name) for rule in rules if not rule.is_switch and "reconstructed" in rule.provenances]
        return names if len(names) <= LISTED_AT_MOST else [f"numbers of {len(names)} rules"]


def one(rows: pd.DataFrame) -> Any:
    """The only row, or the first."""
    return next(rows.itertuples())


def ends(rows: pd.DataFrame) -> tuple[Any, Any]:
    """The first and the last row."""
    found = list(rows.itertuples())
    return found[0], found[-1]


def number_cell(row: Any, unit: str, most: int = form.MOST_DECIMALS) -> Cell:
    """A cell of an estimate, from a row with its number as `Index`."""
    return Cell(form.value(row, unit, most), form.interval(row, unit, most), exact(row.estimate), int(row.Index))


def value_cell(row: Any, column: str, text: str) -> Cell:
    """A cell of any other number of a row."""
    return Cell(text, "", exact(getattr(row, column)), int(row.Index), column)


def exact(number: Any) -> str:
    """A number as the data file holds it."""
    return "" if isinstance(number, float) and not math.isfinite(number) else repr(float(number))


def _label(name: str, label: Any) -> str:
    """A label as it is read; names of strategies as they are typed."""
    return str(label) if name in STRATEGY_LABELS else form.words(label)


def estimates(
    rows: pd.DataFrame,
    source: str,
    caption: str,
    *,
    down: dict[str, str],
    unit: str | Callable[[Any], str],
    across: str | None = None,
    head: str | Callable[[Any], str] = "",
    is_long: bool = False,
) -> Table:
    """A table of estimates.

    Parameters
    ----------
    down : labels that head the rows, with what stands above them
    unit : of all, or of a column by its label
    across : label whose values are the columns; without it there is one column
    head : of the only column, or of a column by its label
    """
    columns = [None] if across is None else list(dict.fromkeys(rows[across]))
    unit_of = unit if callable(unit) else lambda _: unit
    head_of = (
        head if callable(head) else (lambda label: form.capital(form.words(label))) if across else (lambda _: head)
    )
    found: dict[tuple, dict[Any, Any]] = {}
    for row in rows.itertuples():
        labels = tuple(getattr(row, name) for name in down)
        found.setdefault(labels, {})[None if across is None else getattr(row, across)] = row
    digits = {c: form.column_decimals([line[c] for line in found.values() if c in line], unit_of(c)) for c in columns}
    body = []
    for labels, line in found.items():
        cells = [number_cell(line[c], unit_of(c), digits[c]) if c in line else NOTHING for c in columns]
        body.append((*(Cell(_label(name, label)) for name, label in zip(down, labels, strict=True)), *cells))
    heads = (*down.values(), *(head_of(c) for c in columns))
    return Table(caption, source, heads, tuple(body), len(down), is_long)
