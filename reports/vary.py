"""Variants of the rules: what each value does, beside the rules in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.vary import LEADER_WINS, SEAT_SPREAD, STRATEGY_SPREAD, Variation
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.format import is_share, scale
from reports.tables import Cell, Table, View, number_cell
from reports.terminal import WIDTH, bold, paragraphs, table

if TYPE_CHECKING:
    import pandas as pd

MOST_SHOWN = 6  # figures on a terminal, and panels of a figure
HEADS = {SEAT_SPREAD: "seats differ by", STRATEGY_SPREAD: "strategies by", LEADER_WINS: "half-time leader wins"}
MOST_MOVED = 8


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Variation) -> str:
    """A line a variant, a column a figure; then what moved most."""
    table_of = "; ".join(result.strategies)
    head = (
        f"{result.game.title}, {result.seats} seats, {table_of} at the table, {result.deals:,} deals a variant, "
        f"{result.games:,} games, seed {result.seed}"
    )
    shown = chosen_figures(result)
    body = _grid(result, shown)
    while len(body.splitlines()[0]) > WIDTH and len(shown) > 1:
        shown = shown[:-1]
        body = _grid(result, shown)
    lines = [*map(bold, paragraphs([head])), body]
    lines.append("* the rules in force; in brackets the change from them, paired on the same deals, where it is sure")
    return "\n".join([*lines, "", *paragraphs(_moved_lines(result))])


def _grid(result: Variation, shown: Sequence[str]) -> str:
    """The table of variants and figures; its lines are as long as the longest."""
    names = [knob.name for knob in result.knobs]
    body = []
    for variant in result.variants:
        rows = {row["figure"]: row for row in result.rows if all(row[name] == variant.values[name] for name in names)}
        is_now = variant.rules.key() == result.now.rules.key()
        cells = [variant.values[name] + (" *" if is_now and at == 0 else "") for at, name in enumerate(names)]
        body.append([*cells, *(_cell(rows.get(figure)) for figure in shown)])
    heads = [
        *(form.knob(result.game, name) for name in names),
        *(HEADS.get(figure, form.words(figure)) for figure in shown),
    ]
    return table(heads, body, "l" * len(names) + "r" * len(shown))


def _cell(row: Any) -> str:
    if row is None:
        return "."
    level, change = row["level"], row["change"]
    text = _number(level, row["unit"])
    if change.low > 0 or change.high < 0:
        sign = "+" if change.estimate > 0 else ""
        text += f" ({sign}{_number(change, row['unit'])})"
    return text


def _number(estimate: Any, unit: str) -> str:
    digits = form.decimals(form.half_width(estimate, unit))
    return f"{scale(unit) * estimate.estimate:.{digits}f}{' %' if is_share(unit) else ''}"


def _moved_lines(result: Variation) -> list[str]:
    """The figures that moved most, each at the variant where it did."""
    found = most_moved(result)
    if not found:
        return ["No other figure is sure to move."]
    lines = ["moved most, for sure:"]
    for row in found:
        at = f" at {form.words(row['at'])}" if row["at"] else ""
        where = ", ".join(f"{knob.name}={row[knob.name]}" for knob in result.knobs)
        change = _number(row["change"], row["unit"])
        unit = "" if is_share(row["unit"]) else f" {row['unit']}"
        sign = "+" if row["change"].estimate > 0 else ""
        lines.append(f" {form.words(row['figure'])}{at}: {sign}{change}{unit} with {where}")
    return lines


def most_moved(result: Variation, most: int = MOST_MOVED) -> list[dict[str, Any]]:
    """Of each figure the label and variant that moved most against its error, the surest first."""
    best: dict[str, dict[str, Any]] = {}
    for row in result.moved:
        if row["figure"] not in best or _sureness(row) > _sureness(best[row["figure"]]):
            best[row["figure"]] = row
    return sorted(best.values(), key=_sureness, reverse=True)[:most]


def _sureness(row: dict[str, Any]) -> float:
    change = row["change"]
    half = (change.high - change.low) / 2
    return abs(change.estimate) / half if half > 0 else float("inf")


def chosen_figures(result: Variation, most: int = MOST_SHOWN) -> list[str]:
    """The figures worth a column: seats, strategies, leaders; then those that move most."""
    first = [
        name for name in (SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS) if any(r["figure"] == name for r in result.rows)
    ]
    sure: dict[str, float] = {}
    for row in result.rows:
        sure[row["figure"]] = max(sure.get(row["figure"], 0.0), _sureness(row) if row["change"].estimate else 0.0)
    rest = sorted((name for name in sure if name not in first), key=lambda name: -sure[name])
    return [*first, *rest][:most]


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Variation) -> list[Verdict]:
    """What the most telling rule does to the seats."""
    text = seat_sentence(result)
    return [Verdict(text, _advice(result), "", "vary")] if text else []


def seat_sentence(result: Variation) -> str:
    """Which value of the first knob makes the seats most even."""
    rows = [row for row in result.rows if row["figure"] == SEAT_SPREAD]
    if len(rows) < 2 or len(result.knobs) != 1:
        return ""
    name = result.knobs[0].name
    moved = [row for row in rows if row["change"].low > 0 or row["change"].high < 0]
    if not moved:
        return f"{form.capital(form.knob(result.game, name))} from {rows[0][name]} to {rows[-1][name]} is not seen to change how far seats differ."
    best, worst = (choose(rows, key=lambda row: row["level"].estimate) for choose in (min, max))
    return (
        f"{form.capital(form.knob(result.game, name))} moves the seats: they differ by {_percent(best)} of wins at {best[name]}, "
        f"by {_percent(worst)} at {worst[name]}."
    )


def _percent(row: dict[str, Any]) -> str:
    return form.estimate(row["level"], "share")


def _advice(result: Variation) -> str:
    found = most_moved(result, 1)
    if not found:
        return "Nothing else is sure to move with it."
    row = found[0]
    at = f" ({form.words(row['at'])})" if row["at"] else ""
    verb = "rises" if row["change"].estimate > 0 else "falls"
    return f"What moves most surely with it: {form.words(row['figure'])}{at} {verb} at {row[result.knobs[0].name]}."


def questions(view: View, result: Variation) -> Iterable[Question]:
    """The question on the page."""
    name = result.knobs[0].name
    rows = view.rows("variants")
    levels = rows[rows["measure"] == "level"]
    shown = chosen_figures(result)
    yield Question(
        "vary",
        f"What if {form.knob(result.game, name)} were another?",
        tuple(text for text in (seat_sentence(result), _advice(result)) if text),
        _picture(result, levels, shown),
        tuple(_tables(result, rows, shown)),
        (
            f"From {result.games:,} games, {result.deals:,} deals a value with {form.listed(result.strategies)} at every seat, seed {result.seed}; "
            f"every value plays the same deals. The field of strategies plays fewer: {form.listed(result.field_names) or 'none'}.",
            "Strategies play on as written: people would adapt to the changed rule.",
        ),
        ("variants", "variants_moved"),
    )


def _picture(result: Variation, levels: pd.DataFrame, shown: Sequence[str]) -> Picture:
    first, *others = (knob.name for knob in result.knobs)
    panels = []
    for figure in shown:
        some = levels[levels["figure"] == figure]
        if len(some):
            label = form.knob(result.game, first)
            panels.append(_panel(some, figure, first, label, others[0] if len(others) == 1 else None))
    return Picture(
        "vary",
        f"Each panel: one figure at each value of {form.knob(result.game, first)}, with its interval, on the same deals. Now in force: "
        f"{_in_force(result)}. {result.games:,} games, {result.seats} players, seed {result.seed}.",
        f"Curves of {form.listed([form.words(name) for name in shown])} over the values of {form.knob(result.game, first)}.",
        tuple(panels),
        3,
    )


def _in_force(result: Variation) -> str:
    now = [variant for variant in result.variants if variant.rules.key() == result.now.rules.key()]
    return ", ".join(f"{form.knob(result.game, k)} {v}" for k, v in now[0].values.items()) if now else "another value"


def _panel(rows: pd.DataFrame, figure: str, x: str, label: str, by: str | None) -> Panel:
    unit = str(rows["unit"].iloc[0])

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_by(rows, axes[0], x=x, unit=unit, by=by, label=label, ylabel="" if is_share(unit) else unit)

    title = {
        SEAT_SPREAD: "How far seats differ",
        STRATEGY_SPREAD: "How far strategies differ",
        LEADER_WINS: "A half-time leader wins",
    }
    return Panel(title.get(figure, form.capital(form.words(figure))), paint, 250, 180, (50, 60 if by else 12, 36, 26))


def _tables(result: Variation, rows: pd.DataFrame, shown: Sequence[str]) -> Iterable[Table]:
    names = [knob.name for knob in result.knobs]
    for measure, text in (
        ("level", "Each variant: the figures at it."),
        ("change", "What changes from the rules in force, paired on the same deals."),
    ):
        some = rows[rows["measure"] == measure]
        body = []
        for variant in result.variants:
            mask = (some[names] == [variant.values[name] for name in names]).all(axis=1)
            found = {row.figure: row for row in some[mask].itertuples()}
            cells = [number_cell(found[f], found[f].unit) if f in found else Cell("–", note="none") for f in shown]
            body.append((*(Cell(variant.values[name]) for name in names), *cells))
        heads = (
            *(form.knob(result.game, n) for n in names),
            *(form.capital(HEADS.get(f, form.words(f))) for f in shown),
        )
        yield Table(text, "variants", heads, tuple(body), len(names), is_long=measure == "change")
