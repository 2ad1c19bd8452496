"""What survives when what is reconstructed is drawn anew: each finding with its word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyses.robust import DEPENDENT, FIRM, LEANING, OPEN, Robustness
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.tables import Cell, Table, View, number_cell, value_cell
from reports.terminal import bold, paragraphs, table

if TYPE_CHECKING:
    import pandas as pd

WORDS = (FIRM, LEANING, DEPENDENT, OPEN)
MEANING = {
    FIRM: "holds in nearly all draws",
    LEANING: "holds in most draws",
    DEPENDENT: "hangs on the reconstruction",
    OPEN: "not known well enough with these games, whatever the draw",
}
LONGEST = 72  # letters of a finding, so that a line of the table fits a screen
KINDS = {
    "seats-favoured": "seats",
    "strategies-win": "strategies",
    "tension-last": "tension",
}  # by the id of a question
SEAT = re.compile(r"seat (\d) wins")
MOST_NAMED = 3


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Robustness) -> str:
    """Each finding, the firmest first, with the share of draws in which it holds."""
    head = (
        f"{result.game.title}, {result.seats} seats, {result.strategy} at the table, {len(result.drawn)} draws of what is reconstructed, "
        f"{result.deals:,} deals each, {result.games:,} games, seed {result.seed}"
    )
    rows = [
        [
            row["word"],
            f"{100 * row['value'].estimate:.0f} %",
            f"{100 * row['control']:.0f} %",
            _cut(row["finding"]),
        ]
        for row in ordered(result.rows)
    ]
    body = table(["", "draws", "control", "finding"], rows, "lrrl")
    told = "The control: the shipped values on as many other sets of deals; what fails there is open."
    return "\n".join([*map(bold, paragraphs([head])), body, told, *paragraphs(sentences(result))])


def _cut(text: str) -> str:
    """A finding within a line; what is left out is of what the figure is, not of what is said of it."""
    about, colon, said = text.rpartition(": ")
    free = LONGEST - len(said) - 2
    return text if len(text) <= LONGEST or not colon else f"{about[: max(free - 1, 20)].rstrip()}…: {said}"


def ordered(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """By word, then by the share of draws."""
    return sorted(rows, key=lambda row: (WORDS.index(row["word"]), -row["value"].estimate))


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Robustness) -> list[str]:
    """How many findings are firm, and the ones that are not."""
    by_word = {word: [row for row in result.rows if row["word"] == word] for word in WORDS}
    n = len(result.rows)
    told = form.listed([f"{len(by_word[word])} {word}" for word in WORDS if by_word[word]])
    lines = [f"Of {form.count(n, 'finding')} under {len(result.drawn)} other completions: {told}."]
    for word, verb in ((DEPENDENT, "Hanging on the reconstruction"), (LEANING, "Holding in most completions only")):
        if by_word[word]:
            lines.append(
                f"{verb}: {form.listed([_named(row) for row in by_word[word][:MOST_NAMED]])}{_more(by_word[word])}."
            )
    return lines


def _named(row: dict[str, Any]) -> str:
    return f"“{row['finding']}” ({100 * row['value'].estimate:.0f}{form.NBSP}% of draws)"


def _more(rows: Sequence[Any]) -> str:
    left = len(rows) - MOST_NAMED
    return f" and {form.count(left, 'other')}" if left > 0 else ""


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Robustness) -> list[Verdict]:
    """How much of it all survives."""
    first, *rest = sentences(result)
    return [Verdict(first, rest[0] if rest else "None hangs on the reconstruction.", "", "robust")]


def questions(view: View, result: Robustness) -> Iterable[Question]:
    """The question on the page."""
    rows = view.rows("robust")
    yield Question(
        "robust",
        "What survives other reconstructed components?",
        tuple(sentences(result)),
        _picture(result, rows),
        (_table(rows),),
        (
            f"From {result.games:,} games: {len(result.drawn)} draws of the reconstructed {form.listed(view.reconstructed)} on the same deals, and as many "
            f"other sets of deals under the shipped values, {result.deals:,} deals each, {result.strategy} at every seat, seed {result.seed}; Wilson's intervals over draws.",
            "A finding that fails on other deals already is open, whatever the draws say.",
        ),
        ("robust",),
    )


def marked(view: View, question: Question) -> Question:
    """The question, with what was looked for again of it: each finding, and how firm it is."""
    return replace(question, marks=tuple((row["finding"], _mark(view, row)) for row in _rows_of(view, question)))


def verdict_word(view: View, verdict: Verdict, question: Question | None) -> str:
    """How firm a verdict is: as its first finding, of a seat as the finding about that seat.

    One that is open there, for the draws are played on fewer deals, keeps the word it has.
    """
    rows = [] if question is None else _rows_of(view, question)
    seat = SEAT.search(verdict.text)
    if seat is not None:
        rows = [row for row in rows if row["finding"].startswith(f"Seat {seat.group(1)} ")]
    return _mark(view, rows[0]) if rows and rows[0]["word"] != OPEN else verdict.word


def _mark(view: View, row: dict[str, Any]) -> str:
    n = len(view.survey.further["robust"].drawn)
    return f"{row['word']}: holds in {round(n * row['value'].estimate)} of {n} draws"


def _rows_of(view: View, question: Question) -> list[dict[str, Any]]:
    """The findings that a question tells."""
    result = view.survey.further.get("robust")
    kind = KINDS.get(question.id)
    rows = [] if result is None else result.rows
    return [row for row in rows if row["question"] == kind or row["figure"] in question.figures]


def _picture(result: Robustness, rows: pd.DataFrame) -> Picture:
    counts = {word: int((rows["word"] == word).sum()) for word in WORDS}
    shown = rows[rows["word"].isin([DEPENDENT, LEANING])].sort_values("estimate", kind="stable").head(12)
    if not len(shown):
        shown = rows.sort_values("estimate", kind="stable").head(6)
    names = [_cut(text) for text in shown["finding"]]
    some = shown.assign(shown=names)

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_names(some, axes[0], name="shown", unit="share", label="draws in which it holds")
        axes[0].set_xlim(-2, 102)

    told = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
    margin = draw.name_margin(names)
    return Picture(
        "robust",
        f"The findings that hang most on the reconstruction: in how many of {len(result.drawn)} draws each holds, with its interval. All findings: {told}.",
        "Dots with intervals: " + "; ".join(f"{r.finding} {100 * r.estimate:.0f} %" for r in some.itertuples()),
        (Panel("In how many draws it holds", paint, 250 + margin, 66 + 17 * len(some), (margin, 14, 36, 26)),),
        1,
    )


def _table(rows: pd.DataFrame) -> Table:
    order = sorted(rows.itertuples(), key=lambda row: (WORDS.index(row.word), -row.estimate))
    body = tuple(
        (
            Cell(row.finding),
            Cell(row.word),
            number_cell(row, "share"),
            value_cell(row, "control", f"{100 * row.control:.0f}{form.NBSP}%"),
        )
        for row in order
    )
    told = "; ".join(f"{word}: {meaning}" for word, meaning in MEANING.items())
    return Table(
        f"Every finding looked for again ({told}).",
        "robust",
        ("finding", "", "draws", "other deals"),
        body,
        1,
        is_long=True,
    )
