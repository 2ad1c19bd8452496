"""Figures of any game's economy, drawn and listed from what its contract says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports.content import SEEN_AT_LEAST, Question, caption, sure
from reports.figures import Panel, Picture
from reports.tables import Table, View, estimates, one

if TYPE_CHECKING:
    import pandas as pd


def other_figures(view: View, told: Sequence[Question]) -> list[Question]:
    """A question for every figure of the economy that the game's own words leave out."""
    shown = {figure for question in told for figure in question.figures}
    left = [m for m in view.game.economy if m.name not in shown and len(view.economy(m.name))]
    if not left:
        return []
    if told:
        return [
            Question(
                "economy-more",
                "What else was measured?",
                ("Figures that no question above needs.",),
                None,
                tuple(_measure_tables(view, left)),
                sure(view, [m.name for m in left], view.economy(left[0].name)),
                ("economy",),
            )
        ]
    return [_measure_question(view, m) for m in left]


def _measure_tables(view: View, measures: Iterable[Any]) -> Iterable[Table]:
    for measure in measures:
        yield measure_table(view, measure.name)


def measure_table(view: View, name: str, caption_text: str = "", *, is_long: bool = True) -> Table:
    """A figure of the economy as a table: its labels down, the mixed field beside the first strategy's table."""
    measure = next(m for m in view.game.economy if m.name == name)
    rows = view.economy(name)
    text = caption_text or f"{form.capital(measure.about)}, in {measure.unit}."
    if len(measure.by) == 2:
        return estimates(
            rows,
            "economy",
            text,
            down={measure.by[0]: form.words(measure.by[0])},
            unit=measure.unit,
            across=measure.by[1],
            is_long=is_long,
            head=lambda label: f"{form.words(measure.by[1])} {form.words(label)}",
        )
    tables = [view.base, *([view.mixed] if view.has_mixed else [])]
    both = view.rows("economy", figure=name, players=view.main)
    both = both[both["table"].isin(tables)]
    down = {label: form.words(label) for label in measure.by} or {"unit": "unit"}
    return estimates(
        both, "economy", text, down=down, unit=lambda _: measure.unit, across="table", is_long=is_long, head=str
    )


def _measure_question(view: View, measure: Any) -> Question:
    rows = view.economy(measure.name)
    first = one(rows)
    answer = f"{form.capital(measure.about)}: {form.estimate(first, measure.unit)}" + (
        "."
        if len(rows) == 1
        else f" at the first label, {form.estimate(one(rows.iloc[[-1]]), measure.unit)} at the last."
    )
    return Question(
        f"economy-{measure.name.replace('_', '-')}",
        f"{form.capital(measure.about)}?",
        (answer,),
        _measure_picture(view, measure, rows) if measure.by else None,
        (measure_table(view, measure.name, is_long=len(rows) > 12),),
        sure(view, [measure.name], rows),
        ("economy",),
        (measure.name,),
    )


def _measure_picture(view: View, measure: Any, rows: pd.DataFrame) -> Picture:
    seen = rows[rows["n"] >= SEEN_AT_LEAST]
    is_named = isinstance(seen[measure.by[0]].iloc[0], str) and len(measure.by) == 1

    def paint(axes: Sequence[Any]) -> None:
        if is_named:
            draw.plot_names(seen, axes[0], name=measure.by[0], unit=measure.unit)
        else:
            by = measure.by[1] if len(measure.by) > 1 else None
            draw.plot_by(seen, axes[0], x=measure.by[0], unit=measure.unit, by=by, ylabel=measure.unit)

    margin = draw.name_margin([form.words(label) for label in seen[measure.by[0]]]) if is_named else 52
    height = 62 + 15 * len(seen) if is_named else 220
    panel = Panel(
        form.capital(form.words(measure.name)), paint, 330, height, (margin, 90 if len(measure.by) > 1 else 14, 36, 26)
    )
    about = f"{form.capital(measure.about)} in {measure.unit}, with intervals."
    return Picture(f"economy-{measure.name.replace('_', '-')}", caption(view, about), about, (panel,), 1)
