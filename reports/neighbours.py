"""How do players touch each other? What each strategy gives or costs the seats around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.neighbours import LEFT, ONLY, OTHERS, RIGHT, Neighbours
from analyses.paired import WIN_SHARE
from analyses.statistics import Estimate
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict, methods
from reports.figures import PLACES, Key, Panel, Picture
from reports.tables import Table, View, estimates
from reports.terminal import bold, paragraphs, table

if TYPE_CHECKING:
    import pandas as pd

SURE = 0.05  # Holm
WHERE = {
    LEFT: "right after {} (its left neighbour)",
    RIGHT: "right before {} (its right neighbour)",
    OTHERS: "at the table of {} but not beside it",
    ONLY: "against {}",
}
HEADS = {LEFT: "left", RIGHT: "right", OTHERS: "others", ONLY: "opponent"}
KEYS = {
    LEFT: "left neighbour, plays right after it",
    RIGHT: "right neighbour, plays right before it",
    OTHERS: "the others",
    ONLY: "its opponent",
}

Row = dict[str, Any]


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Neighbours) -> str:
    """What each guest does to its neighbours, a table a measure, and what that says."""
    plan = result.plan
    head = (
        f"{plan.game.title}, {plan.seats} seats, one guest among {result.host}, {plan.deals:,} deals in every seating, "
        f"{result.games:,} games, seed {plan.seed}"
    )
    lines = [bold(line) for line in paragraphs([head])]
    for measure, unit in result.units.items():
        told = "wins of 100 games" if measure == WIN_SHARE else _named(measure, unit)
        lines += paragraphs([f"{told}, more or less than a {result.host} among its like on the same deals:"])
        lines.append(_grid(result, measure))
    lines += paragraphs([f"± bounds 95 % for a table as a whole; * is sure (Holm, 5 %){_left(result)}"])
    return "\n".join([*lines, "", *paragraphs(_sentences(result))])


def _left(result: Neighbours) -> str:
    return "" if ONLY in result.neighbours else "; the left neighbour plays right after the strategy"


def _grid(result: Neighbours, measure: str) -> str:
    found = {(row["guest"], row["neighbour"]): row for row in result.rows if row["measure"] == measure}
    own = {row["guest"]: row for row in result.guest_rows if row["measure"] == measure}
    sides = {row["guest"]: row for row in result.side_rows if row["measure"] == measure}
    heads = ["strategy", "itself", *(HEADS[place] for place in result.neighbours)]
    heads += ["left less right"] if sides else []
    body = []
    for name in _order(result):
        rows = [own[name], *(found[name, place] for place in result.neighbours)]
        rows += [sides[name]] if sides else []
        body.append([name, *(_cell(row) for row in rows)])
    return table(heads, body, "l" + "r" * (len(heads) - 1))


def _cell(row: Row) -> str:
    """`+1.2 ±0.4*`."""
    one, unit = row["value"], row["unit"]
    digits = form.row_decimals(one, unit)
    by = form.scale(unit)
    text = f"{by * one.estimate:+.{digits}f}"
    text = text.lstrip("+-") if float(text) == 0 else text
    reach = by * max(one.high - one.estimate, one.estimate - one.low)
    return f"{text} ±{reach:.{digits}f}{'*' if row['p_value'] < SURE else ' '}"


def _order(result: Neighbours) -> list[str]:
    """The guests, those that give their neighbours most wins first."""
    gain: dict[str, float] = dict.fromkeys(result.names, 0.0)
    for row in result.guest_rows:
        if row["measure"] == WIN_SHARE:
            gain[row["guest"]] = -row["value"].estimate
    return sorted(result.names, key=lambda name: -gain[name])


def _named(measure: str, unit: str) -> str:
    """A measure as one reads it."""
    name = "points" if measure == "score" else form.words(measure)
    return name if name == unit else f"{name}, {unit}"


# --- in sentences ------------------------------------------------------------------------------------------


def _sentences(result: Neighbours) -> list[str]:
    """Where it is good to sit, where bad, and whether the side matters."""
    wins = [row for row in result.rows if row["measure"] == WIN_SHARE]
    lines = [*_places(result, wins), *_sides(result)]
    lines += [
        line for measure, unit in result.units.items() if measure != WIN_SHARE for line in _of(result, measure, unit)
    ]
    return lines


def _places(result: Neighbours, wins: Sequence[Row]) -> list[str]:
    """The best and the worst place for wins, of those that are sure."""
    best, worst = _extremes(wins)
    if best is None and worst is None:
        widest = max(max(abs(row["value"].low), abs(row["value"].high)) for row in wins)
        return [
            f"No strategy is sure to give or cost the wins of those around it; at most it is {_number(100 * widest)} of 100 games."
        ]
    lines = []
    if best is not None:
        lines.append(
            f"The best place is {_where(best)}: there a {result.host} wins {_by(best['value'], 'more')} than among its like."
        )
    if worst is not None:
        lines.append(
            f"The worst place is {_where(worst)}: there a {result.host} wins {_by(worst['value'], 'fewer')} than among its like."
        )
    else:
        lines.append("No place beside any of them is sure to cost wins.")
    return lines


def _sides(result: Neighbours) -> list[str]:
    """Whether it matters on which hand of a strategy one sits."""
    rows = [row for row in result.side_rows if row["measure"] == WIN_SHARE]
    if not rows:
        return []
    sure = sorted((row for row in rows if row["p_value"] < SURE), key=lambda row: -abs(row["value"].estimate))
    if not sure:
        widest = max(max(abs(row["value"].low), abs(row["value"].high)) for row in rows)
        return [
            "On which side of a strategy one sits makes no sure difference; "
            f"at most it is {_number(100 * widest)} of 100 games."
        ]
    first = sure[0]
    better, other = ("left", "right") if first["value"].estimate > 0 else ("right", "left")
    text = (
        f"The side matters: the {better} neighbour of {first['guest']} wins {_by(first['value'], 'more')} "
        f"than its {other} one."
    )
    lines = [text]
    for side, sign in (("left", 1), ("right", -1)):
        rest = [row["guest"] for row in sure[1:] if sign * row["value"].estimate > 0]
        if rest:
            lines.append(f"The {side} side is also the better one of {form.listed(rest)}.")
    return lines


def _of(result: Neighbours, measure: str, unit: str) -> Iterable[str]:
    """Where most of another measure is gained and lost."""
    rows = [row for row in result.rows if row["measure"] == measure]
    most, least = _extremes(rows)
    name = form.capital(_named(measure, unit))
    parts = [
        f"most {word} {_where(row)}, {_by_unit(row['value'], unit)}"
        for row, word in ((most, "gained"), (least, "lost"))
        if row is not None
    ]
    yield f"{name}: {'; '.join(parts)}." if parts else f"{name}: nobody is sure to gain or lose by a neighbour."


def _extremes(rows: Sequence[Row]) -> tuple[Row | None, Row | None]:
    """The greatest gain and the greatest loss among those that are sure."""
    sure = [row for row in rows if row["p_value"] < SURE]
    gains = [row for row in sure if row["value"].estimate > 0]
    losses = [row for row in sure if row["value"].estimate < 0]
    most = max(gains, key=lambda row: row["value"].estimate, default=None)
    least = min(losses, key=lambda row: row["value"].estimate, default=None)
    return most, least


def _where(row: Row) -> str:
    return WHERE[row["neighbour"]].format(row["guest"])


def _by(one: Estimate, word: str) -> str:
    """`12 more of 100 games (9 to 15)`."""
    value, span = _size(one, "share")
    return f"{value} {word} of 100 games ({span})"


def _by_unit(one: Estimate, unit: str) -> str:
    """`3.1 (2.5 to 3.7)`; shares in points of 100."""
    value, span = _size(one, unit)
    return f"{value} ({span})"


def _size(one: Estimate, unit: str) -> tuple[str, str]:
    """A difference without its sign, and its interval."""
    digits, by = form.row_decimals(one, unit), form.scale(unit)
    low, high = (one.low, one.high) if one.estimate >= 0 else (-one.high, -one.low)
    return form.fixed(
        by * abs(one.estimate), digits
    ), f"{form.fixed(by * low, digits)} to {form.fixed(by * high, digits)}"


def _number(value: float) -> str:
    return form.fixed(value, 0 if value >= 10 else 1)


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Neighbours) -> list[Verdict]:
    """Whether it matters whom one sits beside."""
    wins = [row for row in result.rows if row["measure"] == WIN_SHARE]
    found = [*_sides(result)[:1], *_places(result, wins)]
    return [Verdict(found[0], found[1] if len(found) > 1 else "", "", "neighbours")]


def questions(view: View, result: Neighbours) -> Iterable[Question]:
    """The question on the page."""
    rows = view.rows("neighbours")
    wins = rows[rows["measure"] == WIN_SHARE]
    plan = result.plan
    yield Question(
        "neighbours",
        "How do players touch each other?",
        tuple(_sentences(result)),
        _picture(view, result, rows),
        tuple(_tables(view, result, rows)),
        (
            f"From {result.games:,} games: one guest among {result.host}, {plan.deals:,} deals each in every seating, and the same deals "
            f"among {result.host} only, seed {plan.seed}; {methods(wins)}.",
            "Sure is what stays below 5 % after Holm's correction over all guests and neighbours of a measure. "
            "The greatest of many differences looks a little greater than it is.",
            "What a guest does depends on who is around it: these are its neighbours of one kind.",
        ),
        tuple(name for name in ("neighbours", "neighbours_sides", "neighbours_guests") if name in result.frames),
    )


def _picture(view: View, result: Neighbours, rows: pd.DataFrame) -> Picture:
    names = _order(result)
    margin = draw.name_margin(names)
    panels = []
    for measure, unit in result.units.items():
        some = rows[rows["measure"] == measure]
        title = "Wins" if measure == WIN_SHARE else form.capital(_named(measure, unit))
        label = "wins of 100 games, more or less" if measure == WIN_SHARE else f"{unit}, more or less"

        def paint(axes: Sequence[Any], some: pd.DataFrame = some, unit: str = unit, label: str = label) -> None:
            draw.plot_neighbours(some, axes[0], names=names, unit=unit, label=label)

        panels.append(Panel(title, paint, 240 + margin, 66 + 25 * len(names), (margin, 14, 36, 26)))
    key = tuple(Key(KEYS[place], *PLACES[place][:3]) for place in result.neighbours)
    plan = result.plan
    return Picture(
        "neighbours",
        f"What one guest among {result.host} gives (right of the line) or costs (left of it) those around it, against the same deals without it. "
        f"{result.games:,} games, {plan.seats} players, seed {plan.seed}.",
        f"Dots with intervals, a row a guest, a mark a kind of neighbour. {' '.join(_sentences(result))}",
        tuple(panels),
        2,
        key,
    )


def _tables(view: View, result: Neighbours, rows: pd.DataFrame) -> Iterable[Table]:
    at = {name: place for place, name in enumerate(_order(result))}
    for measure, unit in result.units.items():
        some = rows[rows["measure"] == measure]
        some = some.sort_values("guest", key=lambda names: names.map(at), kind="stable")
        what = "wins" if measure == WIN_SHARE else _named(measure, unit)
        yield estimates(
            some,
            "neighbours",
            f"How much more {what} the neighbours of each guest have than a {result.host} among its like, on the same deals"
            f"{' (% of all wins)' if measure == WIN_SHARE else ''}. {_together(result)}",
            down={"guest": "guest"},
            unit=unit,
            across="neighbour",
            head=lambda place: HEADS[place],
            is_long=measure != WIN_SHARE,
        )
    for source, what in (
        ("neighbours_sides", "How much more the left neighbour of each guest has than its right neighbour."),
        ("neighbours_guests", f"How much more the guest itself has than a {result.host} in its place."),
    ):
        if source in result.frames:
            some = view.rows(source)
            some = some.sort_values("guest", key=lambda names: names.map(at), kind="stable")
            yield estimates(
                some,
                source,
                what,
                down={"guest": "guest"},
                unit=lambda measure: result.units[measure],
                across="measure",
                head=lambda measure: "wins" if measure == WIN_SHARE else _named(measure, result.units[measure]),
                is_long=True,
            )


def _together(result: Neighbours) -> str:
    n = len(result.names) * len(result.neighbours)
    return f"The {n} intervals hold together." if n > 1 else ""
