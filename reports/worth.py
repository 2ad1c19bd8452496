"""What cards and options are worth: sentences, figure and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.worth import DEAD, FORBIDDEN, GIVEN, HELPS, HURTS, Worth
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.sentences import tolerance_words
from reports.tables import Cell, Table, View, number_cell
from reports.terminal import bold, paragraphs, table

if TYPE_CHECKING:
    import pandas as pd

NEARLY, HARDLY = 0.8, 0.3  # rank correlations
ENOUGH_SURE = 3  # cards with a sure effect; of fewer a rank correlation says nothing


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Worth) -> str:
    """What each card brings and each option is worth, the most first."""
    head = (
        f"{result.game.title}, {result.seats} seats, {result.strategy} at the table, {result.deals:,} deals an item and seat, "
        f"{result.games:,} games, seed {result.seed}"
    )
    lines = [*map(bold, paragraphs([head]))]
    for kind, heads in (
        (GIVEN, ["given at the start", "wins more by", "interval", "", "share when held"]),
        (FORBIDDEN, ["option", "is worth", "interval", "", ""]),
    ):
        rows = ordered(result, kind)
        if rows:
            cells = [
                [form.words(r["item"]), _points(r["effect"].estimate), _span(r["effect"]), r["verdict"], _held(r)]
                for r in rows
            ]
            lines += [table(heads, cells, "lrrlr"), ""]
    lines.append("In points of wins in 100, on the same deals with and without; the intervals hold together.")
    return "\n".join([*lines, *paragraphs(sentences(result))])


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _span(estimate: Any) -> str:
    return f"{100 * estimate.low:+.1f} to {100 * estimate.high:+.1f}"


def _held(row: dict[str, Any]) -> str:
    return f"{100 * row['held'].estimate:.1f} %" if "held" in row else ""


# --- in sentences ------------------------------------------------------------------------------------------


def ordered(result: Worth, kind: str) -> list[dict[str, Any]]:
    """The rows of a kind, the most valuable first."""
    rows = [row for row in result.rows if row["kind"] == kind]
    return sorted(rows, key=lambda row: -row["effect"].estimate)


def sentences(result: Worth) -> list[str]:
    """What stands out."""
    found = []
    given, options = ordered(result, GIVEN), ordered(result, FORBIDDEN)
    if given:
        sure = [row for row in given if row["verdict"] in (HELPS, HURTS)]
        if sure:
            told = [f"{form.words(row['item'])} ({_points_told(row)})" for row in (sure[0], *sure[1:][-1:])]
            found.append(f"To be given a card matters for sure with {form.listed(told)}.")
        else:
            found.append(
                f"No card is sure to help or hurt whoever is given it at the start; the widest guess is {_widest(given)}."
            )
        if result.agreement is not None and len(sure) >= ENOUGH_SURE:
            found.append(_misleads(result.agreement))
    if options:
        top = options[0]
        if top["verdict"] == HELPS:
            found.append(
                f"The option that is missed most is {form.words(top['item'])}: without it a player wins {_amount(top)} points less."
            )
        else:
            found.append("No option is sure to be missed by a player who may not use it.")
        dead = [form.words(row["item"]) for row in options if row["verdict"] == DEAD]
        if dead:
            found.append(f"Nobody misses {form.listed(dead)} (by {tolerance_words(result.tolerance)} in 100 at most).")
        traps = [form.words(row["item"]) for row in options if row["verdict"] == HURTS]
        if traps:
            found.append(
                f"{form.capital(form.listed(traps))}: players of this plan do better without; it uses them badly."
            )
    return found


def _points_told(row: dict[str, Any]) -> str:
    return f"{_amount(row)} points of wins {'more' if row['effect'].estimate > 0 else 'less'}"


def _amount(row: dict[str, Any]) -> str:
    return form.fixed(
        abs(100 * row["effect"].estimate), form.decimals(50 * (row["effect"].high - row["effect"].low), 1)
    )


def _widest(rows: Sequence[dict[str, Any]]) -> str:
    """The largest effect that the intervals leave open."""
    most = max(max(abs(row["effect"].low), abs(row["effect"].high)) for row in rows)
    return f"{form.fixed(100 * most, 1)} points of wins"


def _misleads(agreement: float) -> str:
    told = f"(rank correlation {form.fixed(agreement, 2)})"
    if agreement >= NEARLY:
        return f"The share of wins of those who held a card ranks the cards much as this experiment does {told}."
    if agreement >= HARDLY:
        return f"The share of wins of those who held a card misleads in part: it ranks the cards only roughly as this experiment does {told}."
    return f"The share of wins of those who held a card misleads: it says nothing of what the card brings {told}."


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Worth) -> list[Verdict]:
    """The best card or the option missed most."""
    found = sentences(result)
    return [Verdict(found[0], _meaning(ordered(result, FORBIDDEN)), "", "worth")] if found else []


def _meaning(options: Sequence[dict[str, Any]]) -> str:
    """What the options come to."""
    named = {word: [form.words(r["item"]) for r in options if r["verdict"] == word] for word in (DEAD, HURTS)}
    told = [
        f"{text}: {form.listed(named[word])}."
        for word, text in ((DEAD, "Options nobody misses"), (HURTS, "Options better left alone"))
        if named[word]
    ]
    if told or not options:
        return " ".join(told)
    return "Every option is missed by those who may not use it, or it is open."


def questions(view: View, result: Worth) -> Iterable[Question]:
    """The question on the page."""
    rows = view.rows("worth", measure="effect").sort_values("estimate", ascending=False, kind="stable")
    yield Question(
        "worth",
        "What is a card or an option worth?",
        tuple(sentences(result)),
        _picture(result, rows),
        tuple(_tables(view, rows)),
        (
            f"From {result.games:,} games: {result.deals:,} deals for each item and seat, {result.strategy} at every seat, seed {result.seed}, each deal also "
            "played as it is; the intervals hold together.",
            "Players play on as written: somebody who is used to doing without an option would miss it less.",
        ),
        ("worth", "worth_swaps"),
    )


def _picture(result: Worth, rows: pd.DataFrame) -> Picture:
    panels = []
    for kind, title, label in (
        (GIVEN, "Given at the start", "wins gained, in 100 games"),
        (FORBIDDEN, "Options: worth of being allowed", "wins lost without it, in 100 games"),
    ):
        some = rows[rows["kind"] == kind]
        if len(some):
            panels.append(_panel(some, title, label))
    told = "; ".join(f"{form.words(row.item)} {100 * row.estimate:+.1f}" for row in rows.itertuples())
    return Picture(
        "worth",
        "What it brings a player in points of wins to be given a card, or to be allowed an option, on the same deals with and without it. "
        f"{result.games:,} games, {result.seats} players, {result.strategy} at every seat, seed {result.seed}.",
        f"Dots with intervals, in points of wins: {told}.",
        tuple(panels),
        2,
    )


def _panel(rows: pd.DataFrame, title: str, label: str) -> Panel:
    margin = draw.name_margin([form.words(item) for item in rows["item"]])

    def paint(axes: Sequence[Any]) -> None:
        axes[0].axvline(0, color=draw.FAINT, linewidth=1)
        draw.plot_names(rows, axes[0], name="item", unit="share", label=label)

    return Panel(title, paint, 240 + margin, 66 + 17 * len(rows), (margin, 14, 36, 26))


def _tables(view: View, rows: pd.DataFrame) -> Iterable[Table]:
    every = view.frames["worth"]
    for kind, text in (
        (
            GIVEN,
            "Given at the start: wins gained, and beside it the share of wins of all who held it in ordinary play.",
        ),
        (FORBIDDEN, "Options: wins lost by a player who may not use it."),
    ):
        some = rows[rows["kind"] == kind]
        if not len(some):
            continue
        body = []
        for row in some.itertuples():
            held = (
                every[(every["item"] == row.item) & (every["measure"] == "held")]
                if "held" in set(every["measure"])
                else some.iloc[:0]
            )
            cells = [Cell(form.words(row.item)), number_cell(row, "share"), Cell(row.verdict)]
            if kind == GIVEN:
                cells.append(number_cell(next(held.itertuples()), "share") if len(held) else Cell("–", note="none"))
            body.append(tuple(cells))
        heads = ("item", "effect", "verdict", *(["share when held"] if kind == GIVEN else []))
        yield Table(text, "worth", heads, tuple(body), 1, is_long=len(body) > 12)
    swaps = view.frames["worth_swaps"]
    if len(swaps):
        sure = swaps[(swaps["low"] > 0) | (swaps["high"] < 0)]
        lines = tuple(
            (Cell(form.words(row.item)), Cell(form.words(row.instead_of)), number_cell(row, "share"))
            for row in sure.itertuples()
        )
        if lines:
            yield Table(
                "Swaps that matter for sure: what it brings to be given the one instead of the other.",
                "worth_swaps",
                ("given", "instead of", "wins gained"),
                lines,
                2,
                is_long=True,
            )
