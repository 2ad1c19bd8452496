"""How players touch each other: what a guest of each kind does to those beside him."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.neighbours import LEFT, OTHERS, RIGHT, SELF, Neighbours
from analyses.paired import WIN_SHARE
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.tables import Cell, Table, View, number_cell
from reports.terminal import bold, table

if TYPE_CHECKING:
    import pandas as pd

PLACES = {SELF: "the guest himself", LEFT: "left (next)", RIGHT: "right (before)", OTHERS: "others"}


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Neighbours) -> str:
    """A line a guest: what happens to the wins of those beside him."""
    plan = result.plan
    head = (
        f"{plan.game.title}, {plan.seats} seats, guests among {result.host}, {plan.deals:,} deals in every seating, "
        f"{result.games:,} games, seed {plan.seed}"
    )
    places = [place for place in PLACES if place in result.places]
    rows = [[guest, *(_cell(result.wins(place)[guest]) for place in places)] for guest in _ordered(result)]
    body = table(["guest", *(PLACES[place] for place in places)], rows, "l" + "r" * len(places))
    note = "Points of wins in 100 gained or lost by those there, beside hosts alone on the same deals; * sure, all together."
    return "\n".join([bold(head), body, note, *sentences(result)])


def _cell(effect: Any) -> str:
    return f"{100 * effect.estimate:+.1f} ({100 * effect.low:+.1f} to {100 * effect.high:+.1f}){'*' if _is_sure(effect) else ' '}"


def _is_sure(effect: Any) -> bool:
    return effect.low > 0 or effect.high < 0


def _ordered(result: Neighbours) -> list[str]:
    return sorted(result.guests, key=lambda guest: result.wins(SELF)[guest].estimate)


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Neighbours) -> list[str]:
    """Who hurts or helps whom, and whether it matters on which side one sits."""
    lines = []
    beside = [place for place in (LEFT, RIGHT, OTHERS) if place in result.places]
    every = [(guest, place, result.wins(place)[guest]) for place in beside for guest in result.guests]
    sure = [one for one in every if _is_sure(one[2])]
    if not sure:
        return ["No guest is sure to change what those beside him win."]
    for choose, verb, than in ((min, "costs", -1), (max, "gives", 1)):
        guest, place, effect = choose(sure, key=lambda one: one[2].estimate)
        if than * effect.estimate > 0:
            points = form.fixed(abs(100 * effect.estimate), form.decimals(50 * (effect.high - effect.low), 1))
            lines.append(f"{form.capital(guest)} {verb} {_whom(place)} most: {points} points of wins.")
    if LEFT in beside and RIGHT in beside:
        lines.append(_sides(result))
    return lines


def _whom(place: str) -> str:
    return {LEFT: "whoever sits on its left", RIGHT: "whoever sits on its right", OTHERS: "those who sit apart"}[place]


def _sides(result: Neighbours) -> str:
    """Guests whose left and right neighbours fare differently for sure."""
    found = []
    for guest in result.guests:
        left, right = result.wins(LEFT)[guest], result.wins(RIGHT)[guest]
        if left.low > right.high or right.low > left.high:
            better = "left" if left.estimate > right.estimate else "right"
            found.append(f"{guest} (better on its {better})")
    if not found:
        return "On which side of a guest one sits is not seen to matter."
    return f"The side matters beside {form.listed(found)}."


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Neighbours) -> list[Verdict]:
    """Whether neighbours matter."""
    first, *rest = sentences(result)
    return [Verdict(first, rest[-1] if rest else "", "", "neighbours")]


def questions(view: View, result: Neighbours) -> Iterable[Question]:
    """The question on the page."""
    rows = view.rows("neighbours", figure=WIN_SHARE)
    plan = result.plan
    yield Question(
        "neighbours",
        "How do players touch each other?",
        tuple(sentences(result)),
        _picture(result, rows),
        tuple(_tables(view, result)),
        (
            f"From {result.games:,} games: a guest of each kind among {result.host}, {plan.deals:,} deals in every seating, and {result.host} alone on the same deals, "
            f"seed {plan.seed}; the intervals hold together. Left is who moves next.",
        ),
        ("neighbours",),
    )


def _picture(result: Neighbours, rows: pd.DataFrame) -> Picture:
    order = _ordered(result)
    margin = draw.name_margin(order)
    panels = []
    for place in (LEFT, RIGHT, OTHERS):
        if place in result.places:
            some = rows[rows["place"] == place].set_index("guest", drop=False).loc[order]
            panels.append(_panel(some, PLACES[place], margin))
    told = "; ".join(f"{r.guest} {r.place} {100 * r.estimate:+.1f}" for r in rows.itertuples())
    return Picture(
        "neighbours",
        f"Points of wins that players of {result.host} gain or lose by where they sit from a guest, beside tables without one, on the same deals. "
        f"{result.games:,} games, {result.plan.seats} players, seed {result.plan.seed}.",
        f"Dots with intervals, in points of wins: {told}.",
        tuple(panels),
        3,
    )


def _panel(rows: pd.DataFrame, title: str, margin: float) -> Panel:
    def paint(axes: Sequence[Any]) -> None:
        axes[0].axvline(0, color=draw.FAINT, linewidth=1)
        draw.plot_names(rows, axes[0], name="guest", unit="share", label="points of wins in 100")

    return Panel(form.capital(title), paint, 190 + margin, 66 + 17 * len(rows), (margin, 14, 36, 26))


def _tables(view: View, result: Neighbours) -> Iterable[Table]:
    places = [place for place in PLACES if place in result.places]
    for figure, unit in dict.fromkeys((row["figure"], row["unit"]) for row in result.rows):
        rows = view.rows("neighbours", figure=figure)
        body = []
        for guest in _ordered(result):
            found = {row.place: row for row in rows[rows["guest"] == guest].itertuples()}
            body.append((Cell(guest), *(number_cell(found[place], unit) for place in places)))
        what = "share of wins, in points of 100" if figure == WIN_SHARE else f"{form.words(figure)} ({unit})"
        yield Table(
            f"What a guest changes for those at each place: {what}.",
            "neighbours",
            ("guest", *(PLACES[place] for place in places)),
            tuple(body),
            1,
            is_long=figure != WIN_SHARE,
        )
