"""Which way of playing wins, and who beats whom?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.survey import REDRAWN_ROBIN, ROUND_ROBIN, YARDSTICK
from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import Question, Verdict, methods
from reports.figures import Panel, Picture
from reports.tables import NOTHING, Cell, Table, View, estimates, number_cell, one, value_cell

if TYPE_CHECKING:
    import pandas as pd

    from analyses.comparison import Comparison


def ranking(view: View) -> pd.DataFrame:
    """The round robin, best first."""
    return view.rows("strategies", design=ROUND_ROBIN).sort_values("estimate", ascending=False, kind="stable")


def standing_against(view: View, name: str) -> tuple[list[str], list[str], list[str]]:
    """Strategies that one beats, that differ too little to tell, and that beat it (Holm, 5 %)."""
    beaten: list[str] = []
    unsure: list[str] = []
    beats: list[str] = []
    for row in view.frames["pairs"].itertuples():
        if name not in (row.a, row.b):
            continue
        other, sign = (row.b, 1) if row.a == name else (row.a, -1)
        where = unsure if row.p_value >= 0.05 else beaten if sign * row.estimate > 0 else beats
        where.append(other)
    return beaten, unsure, beats


def strategy_verdicts(view: View) -> list[Verdict]:
    comparison = view.survey.comparison
    if comparison is None:
        return []
    best = one(ranking(view))
    text = say.best_strategy(best, comparison.fair_share, comparison.plan.seats)
    meaning = say.dominance(best.name, *standing_against(view, best.name))
    return [Verdict(text, meaning, say.firm_word(best_firmness(view), view.reconstructed), "strategies-win")]


def best_firmness(view: View) -> dict[str, int]:
    """Whether the same strategy wins most when reconstructed components are redrawn."""
    rows = view.rows("strategies", design=REDRAWN_ROBIN).sort_values("estimate", ascending=False, kind="stable")
    if not len(rows):
        return {}
    first, second = list(rows.itertuples())[:2]
    if first.low <= second.high:
        return {"open": 1}
    return {"firm" if first.name == one(ranking(view)).name else "dependent": 1}


def strategy_questions(view: View) -> Iterable[Question]:
    comparison = view.survey.comparison
    if comparison is None:
        return
    order = ranking(view)
    best = one(order)
    answer = [
        say.best_strategy(best, comparison.fair_share, comparison.plan.seats),
        say.dominance(best.name, *standing_against(view, best.name)),
    ]
    answer += _best_mixed(view)
    if YARDSTICK in set(order["name"]):
        answer.append(say.skill(one(order[order["name"] == YARDSTICK])))
    yield Question(
        "strategies-win",
        "Which way of playing wins?",
        tuple(answer),
        _strategy_picture(view, order),
        (_strategy_table(view, order), _plan_table(view, order)),
        _strategy_sure(view, comparison, order),
        ("strategies",),
    )
    names = list(order["name"])
    yield Question(
        "strategies-beat",
        "Who beats whom?",
        (_beats_answer(view, names),),
        _beats_picture(view, comparison, names),
        (_alone_table(view, names), _pair_table(view)),
        _strategy_sure(view, comparison, view.frames["pairs"]),
        ("alone", "pairs"),
    )


def _strategy_picture(view: View, order: pd.DataFrame) -> Picture:
    names = list(order["name"])
    margin = draw.name_margin(names)
    height = 66 + 17 * len(names)
    seats = view.survey.comparison.plan.seats if view.survey.comparison else view.main
    panels = [
        Panel(
            f"Round robin, {seats} players",
            _share_panel(view, order, 1 / seats),
            240 + margin,
            height,
            (margin, 14, 36, 26),
        )
    ]
    for n in view.survey.sizes:
        rows = view.rows("strategies", design=view.mixed, players=n)
        if len(rows):
            some = rows.set_index("name", drop=False).reindex([name for name in names if name in set(rows["name"])])
            size = (240 + margin, 66 + 17 * len(some), (margin, 14, 36, 26))
            panels.append(Panel(f"Mixed field, {n} players", _share_panel(view, some, 1 / n), *size))
    told = ", ".join(f"{row.name} {form.value(row, 'share')}" for row in order.itertuples())
    games = view.survey.comparison.plan.games if view.survey.comparison else 0
    return Picture(
        "strategies",
        f"Share of wins of each strategy with its interval, {view.base} in blue, best in the round robin first: against one kind of opponent at a time, "
        f"and at mixed tables. {games:,} games in the round robin, seed {view.survey.seed}.",
        f"Dots with intervals, best first. Round robin: {told}.",
        tuple(panels),
        2,
    )


def _share_panel(view: View, rows: pd.DataFrame, fair: float) -> Callable[[Sequence[Any]], Any]:
    return lambda axes: draw.plot_shares(rows, axes[0], fair=fair, accent=view.base)


def _strategy_table(view: View, order: pd.DataFrame) -> Table:
    mixed = view.rows("strategies", design=view.mixed)
    sizes = [n for n in view.survey.sizes if len(mixed) and (mixed["players"] == n).any()]
    columns = [order, *(mixed[mixed["players"] == n] for n in sizes)]
    digits = [form.column_decimals(list(rows.itertuples()), "share") for rows in columns]
    body = []
    for row in order.itertuples():
        cells = []
        for rows, most in zip(columns, digits, strict=True):
            found = rows[rows["name"] == row.name]
            cells.append(number_cell(one(found), "share", most) if len(found) else NOTHING)
        body.append((Cell(row.name), *cells))
    heads = ("strategy", "round robin", *(f"mixed, {n} players" for n in sizes))
    return Table(
        "Share of wins of each strategy; the intervals of a column hold together.", "strategies", heads, tuple(body)
    )


def _plan_table(view: View, order: pd.DataFrame) -> Table:
    body = tuple((Cell(name), Cell(view.survey.plans[name])) for name in order["name"])
    return Table("What each strategy sets out to do.", "strategies", ("strategy", "its plan"), body, is_long=True)


def _best_mixed(view: View) -> Iterable[str]:
    found = {}
    for n in view.survey.sizes:
        rows = view.rows("strategies", design=view.mixed, players=n)
        if len(rows):
            found[n] = max(rows.itertuples(), key=lambda row: row.estimate)
    if found:
        yield say.best_mixed(found)


def _strategy_sure(view: View, comparison: Comparison, rows: pd.DataFrame) -> tuple[str, ...]:
    plan = comparison.plan
    saved = comparison.saved
    lines = [
        f"From {plan.games:,} games on {plan.deals:,} deals, each deal in every seating of every pair, seed {plan.seed}; "
        f"intervals: {methods(rows)}.",
        f"Duplicate play needed {form.fixed(saved, 1)} times fewer games than independent ones would."
        if saved and saved > 1.05
        else "",
        say.best_again(best_firmness(view), view.reconstructed),
    ]
    return tuple(line for line in lines if line)


def _beats_answer(view: View, names: Sequence[str]) -> str:
    pairs = view.frames["pairs"]
    sure_ones = int((pairs["p_value"] < 0.05).sum())
    text = f"{sure_ones} of {form.count(len(pairs), 'pair')} differ for sure (Holm, 5 %)."
    ring = _cycle(view, names)
    if ring:
        return f"{text} There is a circle: {ring[0]} beats {ring[1]}, which beats {ring[2]}, which beats {ring[0]}."
    return f"{text} No three of them beat one another in a circle."


def _cycle(view: View, names: Sequence[str]) -> tuple[str, str, str] | None:
    """Three strategies each of which surely beats the next."""
    wins = {
        (row.a, row.b) if row.estimate > 0 else (row.b, row.a)
        for row in view.frames["pairs"].itertuples()
        if row.p_value < 0.05
    }
    rings = (
        (a, b, c) for a in names for b in names for c in names if (a, b) in wins and (b, c) in wins and (c, a) in wins
    )
    return next(rings, None)


def _beats_picture(view: View, comparison: Comparison, names: list[str]) -> Picture:
    rows = view.frames["alone"]
    left = draw.name_margin(names) + 14
    size = (left + 24 * len(names) + 10, 44 + 22 * len(names), (left, 10, 10, 34))

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_who_beats_whom(rows, axes[0], names=names, fair=comparison.fair_share)
        axes[0].set_title("")

    plan = comparison.plan
    games = plan.deals * plan.seats
    return Picture(
        "who-beats-whom",
        f"Wins in 100 games of one strategy (row) among {form.SMALL_NUMBERS[plan.seats - 1]} of another kind (column, by number): blue is more than the fair "
        f"{form.fixed(100 * comparison.fair_share, 0)}, orange less, bold where the interval is clear of it. {games:,} games a cell, seed {plan.seed}.",
        "A square of numbers, the strategies in the order of the round robin down and across; the same numbers are in the table below.",
        (Panel("", paint, *size),),
        1,
    )


def _alone_table(view: View, names: list[str]) -> Table:
    rows = view.frames["alone"]
    place = {name: at for at, name in enumerate(names)}
    ordered = rows.assign(_a=rows["name"].map(place), _b=rows["others"].map(place)).sort_values(
        ["_b", "_a"], kind="stable"
    )
    table = estimates(
        ordered,
        "alone",
        "Share of wins of one strategy (row) among others of one kind (column).",
        down={"name": "one among others"},
        unit="share",
        across="others",
        head=str,
        is_long=True,
    )
    lines = tuple(sorted(table.rows, key=lambda line: place[line[0].text]))
    return Table(table.caption, table.source, table.heads, lines, 1, is_long=True)


def _pair_table(view: View) -> Table:
    rows = view.frames["pairs"]
    order = rows.assign(_size=-rows["estimate"].abs()).sort_values("_size", kind="stable")
    body = []
    for row in order.itertuples():
        up, down = (row.a, row.b) if row.estimate >= 0 else (row.b, row.a)
        p = row.p_value
        text = "below 0.001" if p < 0.001 else f"{p:.3f}"
        body.append(
            (
                Cell(row.a),
                Cell(row.b),
                _points(row),
                value_cell(row, "p_value", text),
                Cell(f"{up} over {down}" if p < 0.05 else "open"),
            )
        )
    return Table(
        "Paired differences of shares of wins, first minus second, in points of 100; the intervals hold together.",
        "pairs",
        ("first", "second", "difference", "p (Holm)", "verdict"),
        tuple(body),
        2,
        is_long=True,
    )


def _points(row: Any) -> Cell:
    """A difference of shares, in points of 100."""
    cell = number_cell(row, "share", 1)
    return Cell(cell.text.removesuffix(f"{form.NBSP}%"), cell.interval, cell.value, cell.row, cell.column)
