"""Is it enough? How far the games of a report carry, and how many more would tell more."""

from __future__ import annotations

import math
from collections.abc import Iterable

from reports import format as form
from reports import sentences as say
from reports.content import Question
from reports.tables import Cell, Table, View, value_cell

WORTH_TELLING = 1.1  # times as many games


def enough_questions(view: View) -> Iterable[Question]:
    """The question on the page."""
    rows = view.frames["precision"]
    main = rows[(rows["players"] == view.main) & (rows["study"] == view.base)]
    first = next(main.itertuples())
    tolerance = view.survey.tolerance
    games = math.ceil(first.games * (first.half_width / tolerance * 2) ** 2)
    answer = [
        f"Shares of wins at the table of {view.base} are known to within {form.fixed(100 * first.half_width, 2)} points in 100 with "
        f"{form.count(view.main, 'player')}.",
        f"That is fine enough to call a seat fair within {say.tolerance_words(tolerance)} where it lies near its share."
        if 2 * first.half_width <= tolerance
        else f"To call a seat fair within {say.tolerance_words(tolerance)} takes about {form.about(games)} games a table.",
    ]
    robins = rows[rows["saved"].notna()]
    if len(robins):
        best = next(robins.itertuples())
        if best.saved >= WORTH_TELLING:
            answer.append(
                f"In the {best.study} every deal is played in every seating, so that luck cancels out; independent games would have had to be "
                f"{form.fixed(best.saved, 1)} times as many."
            )
    yield Question(
        "enough",
        "Are these games enough?",
        tuple(answer),
        None,
        (_table(view),),
        (
            "An independent game is one of a deal of its own that a single seat wins; games of one deal may be worth more, or less, "
            "than as many of them.",
            f"`assay run {view.game.name} --precision 0.002` plays until every share is known to within 0.2 points in 100.",
        ),
        ("precision",),
    )


def _table(view: View) -> Table:
    body = []
    for row in view.frames["precision"].itertuples():
        saved = (
            value_cell(row, "saved", form.fixed(row.saved, 1)) if math.isfinite(row.saved) else Cell("–", note="none")
        )
        body.append(
            (
                Cell(str(row.players)),
                Cell(row.study),
                value_cell(row, "games", f"{row.games:,}"),
                value_cell(row, "worth", f"{row.worth:,.0f}"),
                value_cell(row, "half_width", f"{form.fixed(100 * row.half_width, 2)}{form.NBSP}%"),
                saved,
            )
        )
    return Table(
        "Each study: its games, how many independent ones its least sure share of wins is worth, half of the widest interval, and how many times as many games duplicate play saved.",
        "precision",
        ("players", "study", "games", "worth", "within", "saved"),
        tuple(body),
        2,
        is_long=len(body) > 8,
    )
