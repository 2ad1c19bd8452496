"""What a report is made of: questions with their answers, verdicts, advice; and how sure an answer is."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from reports import format as form
from reports import sentences as say
from reports.figures import Picture
from reports.tables import Table, View

if TYPE_CHECKING:
    import pandas as pd

SEEN_AT_LEAST = 30  # observations; fewer are not drawn
MOST_ADVICE = 5


@dataclass(frozen=True)
class Question:
    """One question of the report: what a designer asks, the answer, a figure, tables, and how sure it is.

    Attributes
    ----------
    files : data files behind it
    figures : figures of the economy that it tells
    marks : what it says, each with the draws of reconstructed components in which it holds
    """

    id: str
    title: str
    answer: tuple[str, ...]
    picture: Picture | None = None
    tables: tuple[Table, ...] = ()
    sure: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Section:
    """Questions of one kind."""

    id: str
    title: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Verdict:
    """One sentence for those who have a minute: the finding, what it means at the table, how firm it is, where it is shown."""

    text: str
    meaning: str
    word: str
    question: str


@dataclass(frozen=True)
class Advice:
    """What to try next, and the command for it."""

    text: str
    command: str


def sure(view: View, figures: Sequence[str], rows: pd.DataFrame, of: str = "") -> tuple[str, ...]:
    """n, the effective n, the method, and whether reconstructed components matter."""
    plan = view.survey.sizes[view.main].alone[view.base].plan
    table = f"{view.base} in all {plan.seats} seats"
    lines = [
        f"From {plan.games:,} games of {table}, seed {plan.seed}; intervals of 95 %: {methods(rows)}.",
        effective(rows, of),
    ]
    return tuple(line for line in (*lines, say.firmness(view.firmness(figures), view.reconstructed)) if line)


def methods(rows: pd.DataFrame) -> str:
    """The methods behind rows, the commonest first."""
    return "; ".join(str(method) for method in rows["method"].value_counts().index[:2])


def effective(rows: pd.DataFrame, of: str = "") -> str:
    """How many observations, and how many independent ones they are worth."""
    known = rows[rows["n_effective"].notna()]
    if not len(known):
        return ""
    least, most = int(known["n"].min()), int(known["n"].max())
    span = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    worth = [form.about(known["n_effective"].min()), form.about(known["n_effective"].max())]
    told = " to ".join(dict.fromkeys(worth))
    return f"Each number rests on {span} {of or 'observations'}, worth {told} independent ones."


def caption(view: View, text: str, players: int | None = None) -> str:
    """A caption: what to see, then n and seed."""
    plan = view.survey.sizes[players or view.main].alone[view.base].plan
    return f"{text} {plan.games:,} games with {form.count(plan.seats, 'player')}, {view.base} at every seat, seed {plan.seed}."


def farthest(rows: pd.DataFrame, fair: float) -> Any:
    """The row farthest from the fair share."""
    return max(rows.itertuples(), key=lambda row: abs(row.estimate - fair))


def own_words(game: str) -> ModuleType | None:
    """The module in which a game tells its economy in its own words, if there is one."""
    name = f"reports.{game}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
