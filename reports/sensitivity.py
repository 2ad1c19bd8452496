"""Which rules matter: sentences, a tornado figure and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.sensitivity import DUMMY, LEADER_WINS, MORRIS, SEAT_SPREAD, STRATEGY_SPREAD, Sensitivity
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.format import is_share, scale
from reports.tables import Cell, Table, View, number_cell
from reports.terminal import bold, table

if TYPE_CHECKING:
    import pandas as pd

    from simcore.game import Game

OUTPUTS = {
    SEAT_SPREAD: "how far seats differ",
    STRATEGY_SPREAD: "how far strategies differ",
    LEADER_WINS: "what a half-time leader wins",
}
MOST_BARS, MOST_NAMED = 10, 3


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Sensitivity) -> str:
    """By output, the rules that are heard above chance, the strongest first."""
    head = (
        f"{result.game.title}, {result.seats} seats, {result.strategy} at the table, {len(result.inputs):,} points of {result.deals:,} deals, "
        f"{result.games:,} games, seed {result.seed}"
    )
    lines = [bold(head)]
    for output in result.outputs:
        rows = result.heard(output)
        floor = next((row for row in result.rows if row["output"] == output and row["knob"] == DUMMY), None)
        if floor is None:
            continue
        cells = [
            [
                form.knob(result.game, r["knob"]),
                f"{r['from']}-{r['to']}",
                _number(r["effect"].estimate, r),
                _span(r),
                _trend(result, r),
            ]
            for r in rows[:MOST_BARS]
        ]
        told = f"{_about(output)}: chance alone {_number(floor['effect'].estimate, floor)}, {len(rows)} of {len(result.knobs)} rules above it"
        lines += [
            told,
            *([table(["rule", "range", "moves it by", "interval", "raised"], cells, "llrrr")] if cells else []),
            "",
        ]
    if result.n_kept_back:
        lines.append(
            f"{result.n_kept_back:,} settings could not be played together with others and stayed as they are."
        )
    return "\n".join([*lines, *sentences(result)])


def _about(output: str) -> str:
    return OUTPUTS.get(output, form.words(output))


def _number(value: float, row: dict[str, Any]) -> str:
    by = scale(row["unit"])
    half = by * (row["effect"].high - row["effect"].low) / 2
    return f"{form.fixed(by * value, form.decimals(half))}{' %' if is_share(row['unit']) else ''}"


def _span(row: dict[str, Any]) -> str:
    return f"{_number(row['effect'].low, row)} to {_number(row['effect'].high, row)}"


def _trend(result: Sensitivity, row: dict[str, Any]) -> str:
    """What raising the rule does, where its effects mostly point one way."""
    if result.method != MORRIS:
        return f"alone {100 * row['trend']:.0f} %"
    if abs(row["trend"]) < 0.5 * row["effect"].estimate:
        return "either way"
    return "up" if row["trend"] > 0 else "down"


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Sensitivity) -> list[str]:
    """The rules that matter most for seats, strategies and leaders."""
    lines = []
    for output in (SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS):
        if output in result.outputs:
            rows = result.heard(output)[:MOST_NAMED]
            told = form.listed(
                [f"{form.knob(result.game, row['knob'])} ({_number(row['effect'].estimate, row)})" for row in rows]
            )
            lines.append(
                f"For {_about(output)}, what matters most is {told}."
                if rows
                else f"No rule is heard above chance in {_about(output)}."
            )
    return lines


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Sensitivity) -> list[Verdict]:
    """The rules to turn first."""
    first, *rest = sentences(result)
    return [Verdict(first, rest[-1] if rest else "", "", "sensitivity")]


def questions(view: View, result: Sensitivity) -> Iterable[Question]:
    """The question on the page."""
    rows = view.frames["sensitivity"]
    what = "elementary effects (Morris)" if result.method == MORRIS else "Sobol indices"
    yield Question(
        "sensitivity",
        "Which rules matter?",
        tuple(sentences(result)),
        _picture(result, rows),
        (_table(rows, result),),
        (
            f"From {result.games:,} games: {len(result.inputs):,} points of {result.deals:,} deals each, {result.strategy} at every seat, seed {result.seed}; {what}, "
            f"every rule turned by up to three tenths (tables scaled as one), all on the same deals.",
            "What chance alone does is measured by a dummy that changes only which deals are played; rules below it are left out.",
            *(
                (f"{result.n_kept_back:,} settings could not be played together with others and stayed as they are.",)
                if result.n_kept_back
                else ()
            ),
        ),
        ("sensitivity",),
    )


def _picture(result: Sensitivity, rows: pd.DataFrame) -> Picture | None:
    panels: list[Panel] = []
    for output in [
        o for o in dict.fromkeys((SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS, *result.outputs)) if result.heard(o)
    ][:3]:
        panels.append(_panel(result.game, rows[rows["output"] == output], output))
    if not panels:
        return None
    return Picture(
        "sensitivity",
        f"How much each rule moves a figure when it is turned through its range, the strongest on top; the dotted line is what chance alone does. "
        f"{result.games:,} games, {result.seats} players, seed {result.seed}.",
        " ".join(sentences(result)),
        tuple(panels),
        2,
    )


def _panel(game: Game, rows: pd.DataFrame, output: str) -> Panel:
    unit = str(rows["unit"].iloc[0])
    shown = rows[rows["is_heard"].astype(bool)].head(MOST_BARS)
    floor = rows[rows["knob"] == DUMMY]["estimate"]
    names = [form.knob(game, knob) for knob in shown["knob"]]
    margin = draw.name_margin(names)

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_tornado(shown.assign(knob=names), axes[0], name="knob", unit=unit, floor=float(floor.iloc[0]))

    return Panel(form.capital(_about(output)), paint, 220 + margin, 70 + 17 * len(shown), (margin, 14, 36, 26))


def _table(rows: pd.DataFrame, result: Sensitivity) -> Table:
    body = []
    for row in rows[rows["is_heard"].astype(bool)].itertuples():
        one = {"trend": row.trend, "effect": row}
        body.append(
            (
                Cell(_about(row.output)),
                Cell(form.knob(result.game, row.knob)),
                Cell(f"{int(rows.loc[row.Index, 'from'])} to {int(row.to)}"),
                number_cell(row, row.unit),
                Cell(_trend(result, one)),
            )
        )
    return Table(
        "Rules heard above chance: the range each was turned through, by how much it moves the figure, and which way when it is raised.",
        "sensitivity",
        ("figure", "rule", "range", "moves it by", "raised"),
        tuple(body),
        2,
        is_long=True,
    )
