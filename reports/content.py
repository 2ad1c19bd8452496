"""What a report says of any game: verdicts, what to try next, and a section for each kind of question."""

from __future__ import annotations

import importlib
import importlib.util
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyses.statistics import deals_needed
from analyses.survey import YARDSTICK
from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.figures import Key, Panel, Picture
from reports.tables import NOTHING, Cell, Table, View, estimates, number_cell, one, value_cell

if TYPE_CHECKING:
    import pandas as pd

    from analyses.comparison import Comparison

SEEN_AT_LEAST = 30  # observations; fewer are not drawn
MOST_ADVICE = 5


@dataclass(frozen=True)
class Question:
    """One question of the report: what a designer asks, the answer, a figure, tables, and how sure it is.

    Attributes
    ----------
    files : data files behind it
    figures : figures of the economy that it tells
    """

    id: str
    title: str
    answer: tuple[str, ...]
    picture: Picture | None = None
    tables: tuple[Table, ...] = ()
    sure: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


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


def own_words(game: str) -> ModuleType | None:
    """The module in which a game tells its economy in its own words, if there is one."""
    name = f"reports.{game}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def sections(view: View) -> list[Section]:
    """All questions, by kind."""
    own = own_words(view.game.name)
    told: list[Question] = own.questions(view) if own else []
    found = [
        Section("seats", "Seats", tuple(seat_questions(view))),
        Section("strategies", "Strategies", tuple(strategy_questions(view))),
        Section("economy", "Economy", (*told, *other_figures(view, told))),
        Section("tension", "Pace and tension", tuple(tension_questions(view))),
        Section("games", "Games worth reading", tuple(game_questions(view))),
    ]
    return [section for section in found if section.questions]


def verdicts(view: View) -> list[Verdict]:
    """The findings in short."""
    own = own_words(view.game.name)
    found = [*seat_verdicts(view), *strategy_verdicts(view), *(own.verdicts(view) if own else []), *tension_verdicts(view)]
    return found[:6]


# --- how sure ----------------------------------------------------------------------------------------------


def sure(view: View, figures: Sequence[str], rows: pd.DataFrame, of: str = "") -> tuple[str, ...]:
    """n, the effective n, the method, and whether reconstructed components matter."""
    plan = view.survey.sizes[view.main].alone[view.base].plan
    table = f"{form.words(view.base)} in all {plan.seats} seats"
    lines = [f"From {plan.games:,} games of {table}, seed {plan.seed}; intervals of 95 %: {methods(rows)}.", effective(rows, of)]
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
    worth = [int(known["n_effective"].min()), int(known["n_effective"].max())]
    told = f"{form.about(worth[0])}" if worth[0] == worth[1] else f"{form.about(worth[0])} to {form.about(worth[1])}"
    return f"Each number rests on {span} {of or 'observations'}, worth {told} independent ones."


def caption(view: View, text: str, players: int | None = None) -> str:
    """A caption: what to see, then n and seed."""
    plan = view.survey.sizes[players or view.main].alone[view.base].plan
    return f"{text} {plan.games:,} games with {form.count(plan.seats, 'player')}, {form.words(view.base)} at every seat, seed {plan.seed}."


# --- seats -------------------------------------------------------------------------------------------------


def farthest(rows: pd.DataFrame, fair: float) -> Any:
    """The row farthest from the fair share."""
    return max(rows.itertuples(), key=lambda row: abs(row.estimate - fair))


def seat_word(view: View, players: int, seat: int) -> str:
    """How firm a seat's share is."""
    rows = view.rows("redrawn", players=players, figure="win_share", seat=seat)
    return say.firm_word({one(rows).firmness: 1}, view.reconstructed) if len(rows) else ""


def whole_verdict(view: View, players: int, table: str) -> str:
    return str(one(view.rows("verdicts", players=players, table=table, seat="all")).verdict)


def seat_verdicts(view: View) -> list[Verdict]:
    survey = view.survey
    found = []
    rows = view.rows("seats", players=view.main, table=view.base, measure="win_share")
    row, fair = farthest(rows, 1 / view.main), 1 / view.main
    verdict = whole_verdict(view, view.main, view.base)
    text = say.seat_verdict(row, view.main, verdict, survey.tolerance)
    meaning = f"{say.in_ten_games(row, fair)} {say.noticing(row, fair)}"
    found.append(Verdict(text, meaning, seat_word(view, view.main, row.seat), "seats-favoured"))
    if len(survey.sizes) > 1:
        each = {n: whole_verdict(view, n, view.base) for n in survey.sizes}
        worst = max(
            (farthest(view.rows("seats", players=n, table=view.base, measure="win_share"), 1 / n) for n in survey.sizes if n != view.main),
            key=lambda row: abs(row.estimate - 1 / row.players),
        )
        rest = f"Farthest off elsewhere: seat {worst.seat} with {form.estimate(worst, 'share')} of {say.table_of(worst.players)}."
        word = seat_word(view, worst.players, worst.seat)
        found.append(Verdict(say.seat_counts(each, survey.tolerance), rest, word, "seats-favoured"))
    return found


def seat_questions(view: View) -> Iterable[Question]:
    survey = view.survey
    rows = view.rows("seats", measure="win_share")
    yield Question(
        "seats-favoured",
        "Is any seat favoured?",
        (*(_seat_answer(view, n) for n in survey.sizes), *_other_tables(view, rows), say.by_chance(view.main)),
        _seat_picture(view, rows),
        (_seat_table(view), _seat_strategies(view)),
        _seat_sure(view, rows),
        ("seats", "verdicts", "redrawn"),
    )


def _seat_answer(view: View, players: int) -> str:
    rows = view.rows("seats", players=players, table=view.base, measure="win_share")
    text = say.seat_verdict(farthest(rows, 1 / players), players, whole_verdict(view, players, view.base), view.survey.tolerance)
    mixed = view.rows("seats", players=players, table=view.mixed, measure="win_share")
    if len(mixed):
        row = farthest(mixed, 1 / players)
        text += f" At a mixed table the farthest off is seat {row.seat} with {form.estimate(row, 'share')}."
    return text


def _other_tables(view: View, rows: pd.DataFrame) -> Iterable[str]:
    others = rows[(rows["players"] == view.main) & ~rows["table"].isin([view.base, view.mixed])]
    if len(others):
        yield say.other_tables(farthest(others, 1 / view.main), view.main)


def _seat_picture(view: View, rows: pd.DataFrame) -> Picture:
    survey = view.survey
    bounds = [
        100 * (row_edge - 1 / n)
        for n in survey.sizes
        for name in (view.base, view.mixed)
        for row_edge in view.rows("seats", players=n, table=name, measure="win_share")[["low", "high"]].to_numpy().ravel()
    ]
    edge = 1.15 * max([*(abs(bound) for bound in bounds), 200 * survey.tolerance])
    panels = []
    for n in survey.sizes:
        some = rows[rows["players"] == n]

        def paint(axes: Sequence[Any], some: pd.DataFrame = some) -> None:
            draw.plot_seats(some, axes[0], base=view.base, mixed=view.mixed, tolerance=survey.tolerance)
            axes[0].set_ylim(-edge, edge)
            axes[0].set_ylabel("points from the fair share")

        panels.append(Panel(f"{n} players: fair is {form.fixed(100 / n, 0 if 100 % n == 0 else 1)} %", paint))
    key = [Key(form.words(view.base), draw.ACCENT)]
    key += [Key("mixed field", draw.SECOND, "s", is_open=True)] if view.has_mixed else []
    key += [Key("other strategies, each against itself", draw.FAINT, ".")] if len(survey.names) > 1 else []
    told = "; ".join(_seat_answer(view, n) for n in survey.sizes)
    return Picture(
        "seats",
        caption(view, "How far each seat's share of wins lies from the fair share; the green band is "
                f"{say.tolerance_words(survey.tolerance)} either way. Faint tables beyond the edge are in the table below."),
        f"A panel for each number of players, a dot with its interval for each seat. {told}",
        tuple(panels),
        3,
        tuple(key),
    )  # fmt: skip


def _seat_table(view: View) -> Table:
    """Wins, points and the game's other measures of each seat."""
    measures = {"win_share": ("share of wins", "wins"), **{m: (u, _measure_head(m, u)) for m, u in view.game.measures.items()}}
    columns: list[tuple[str, str]] = [(view.base, m) for m in measures]
    columns += [(view.mixed, "win_share")] if view.has_mixed else []
    body = []
    for n in view.survey.sizes:
        for seat in range(1, n + 1):
            cells = []
            for table, measure in columns:
                rows = view.rows("seats", players=n, seat=seat, table=table, measure=measure)
                cells.append(number_cell(one(rows), measures[measure][0]) if len(rows) else NOTHING)
            verdict = one(view.rows("verdicts", players=n, table=view.base, seat=str(seat))).verdict
            body.append((Cell(str(n)), Cell(str(seat)), *cells, Cell(str(verdict))))
    heads = [measures[m][1] if table == view.base else f"{measures[m][1]}, mixed field" for table, m in columns]
    within = say.tolerance_words(view.survey.tolerance)
    return Table(
        f"What each seat wins with {form.words(view.base)} at every seat, and at a mixed table; mean with 95 % interval.",
        "seats",
        ("players", "seat", *heads, f"fair within {within}"),
        tuple(body),
        2,
    )


def _measure_head(name: str, unit: str) -> str:
    label = "points" if name == "score" else form.words(name)
    return label if label == unit else f"{label}, {unit}"


def _seat_strategies(view: View) -> Table:
    """Each strategy against itself, by seat."""
    rows = view.rows("seats", measure="win_share").sort_values(["players", "table", "seat"], kind="stable")
    rows = rows[rows["table"] != view.mixed]
    return estimates(
        rows, "seats", "Share of wins by seat of each strategy against itself.",
        down={"players": "players", "table": "strategy"}, unit="share", across="seat",
        head=lambda seat: f"seat {seat}", is_long=True,
    )  # fmt: skip


def _seat_sure(view: View, rows: pd.DataFrame) -> tuple[str, ...]:
    base = rows[rows["table"] == view.base]
    plan = view.survey.sizes[view.main].alone[view.base].plan
    lines = [
        f"From {plan.games:,} games at each number of players with {form.words(view.base)}, "
        f"fewer with the others, seed {plan.seed}; intervals of 95 %: {methods(base)}.",
        effective(base, "games"),
        "A table's verdict holds for all its seats together: an equivalence test at 5 %, corrected for their number.",
        say.firmness(view.firmness(["win_share"]), view.reconstructed),
    ]
    return tuple(line for line in lines if line)


# --- strategies --------------------------------------------------------------------------------------------


def ranking(view: View) -> pd.DataFrame:
    """The round robin, best first."""
    return view.rows("strategies", design="round robin").sort_values("estimate", ascending=False, kind="stable")


def standing_against(view: View, name: str) -> tuple[list[str], list[str], list[str]]:
    """Strategies that one beats, that differ too little to tell, and that beat it (Holm, 5 %)."""
    beaten, unsure, beats = [], [], []
    for row in view.frames["pairs"].itertuples():
        if name not in (row.a, row.b):
            continue
        other, sign = (row.b, 1) if row.a == name else (row.a, -1)
        where = unsure if row.p_value >= 0.05 else beaten if sign * row.estimate > 0 else beats
        where.append(form.words(other))
    return beaten, unsure, beats


def strategy_verdicts(view: View) -> list[Verdict]:
    comparison = view.survey.comparison
    if comparison is None:
        return []
    best = one(ranking(view))
    text = say.best_strategy(best, comparison.fair_share, comparison.plan.seats)
    return [Verdict(text, say.dominance(form.words(best.name), *standing_against(view, best.name)), "", "strategies-win")]


def strategy_questions(view: View) -> Iterable[Question]:
    comparison = view.survey.comparison
    if comparison is None:
        return
    order = ranking(view)
    best = one(order)
    answer = [
        say.best_strategy(best, comparison.fair_share, comparison.plan.seats),
        say.dominance(form.words(best.name), *standing_against(view, best.name)),
    ]
    if YARDSTICK in set(order["name"]):
        answer.append(say.skill(one(order[order["name"] == YARDSTICK])))
    yield Question(
        "strategies-win", "Which way of playing wins?", tuple(answer), _strategy_picture(view, order), (_strategy_table(view, order),),
        _strategy_sure(view, comparison, order), ("strategies",),
    )  # fmt: skip
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
    panels = [Panel(f"Round robin, {seats} players", _share_panel(view, order, 1 / seats), 240 + margin, height, (margin, 14, 36, 26))]
    for n in view.survey.sizes:
        rows = view.rows("strategies", design=view.mixed, players=n)
        if len(rows):
            some = rows.set_index("name", drop=False).reindex([name for name in names if name in set(rows["name"])])
            size = (240 + margin, 66 + 17 * len(some), (margin, 14, 36, 26))
            panels.append(Panel(f"Mixed field, {n} players", _share_panel(view, some, 1 / n), *size))
    told = ", ".join(f"{form.words(row.name)} {form.value(row, 'share')}" for row in order.itertuples())
    games = view.survey.comparison.plan.games if view.survey.comparison else 0
    return Picture(
        "strategies",
        f"Share of wins of each strategy with its interval, {form.words(view.base)} in blue, best in the round robin first: against one kind of opponent at a time, "
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
        body.append((Cell(form.words(row.name)), *cells, Cell(view.survey.plans.get(row.name, ""))))
    heads = ("strategy", "round robin", *(f"mixed, {n} players" for n in sizes), "its plan")
    return Table("Share of wins of each strategy; the intervals of a column hold together.", "strategies", heads, tuple(body))


def _strategy_sure(view: View, comparison: Comparison, rows: pd.DataFrame) -> tuple[str, ...]:
    plan = comparison.plan
    saved = comparison.saved
    lines = [
        f"From {plan.games:,} games on {plan.deals:,} deals, each deal in every seating of every pair, seed {plan.seed}; "
        f"intervals: {methods(rows)}.",
        f"Duplicate play needed {form.fixed(saved, 1)} times fewer games than independent ones would." if saved and saved > 1.05 else "",
    ]
    return tuple(line for line in lines if line)


def _beats_answer(view: View, names: Sequence[str]) -> str:
    pairs = view.frames["pairs"]
    sure_ones = int((pairs["p_value"] < 0.05).sum())
    text = f"{sure_ones} of {form.count(len(pairs), 'pair')} differ for sure (Holm, 5 %)."
    ring = _cycle(view, names)
    if ring:
        return f"{text} There is a circle: {form.words(ring[0])} beats {form.words(ring[1])}, which beats {form.words(ring[2])}, which beats {form.words(ring[0])}."
    return f"{text} No three of them beat one another in a circle."


def _cycle(view: View, names: Sequence[str]) -> tuple[str, str, str] | None:
    """Three strategies each of which surely beats the next."""
    wins = {
        (row.a, row.b) if row.estimate > 0 else (row.b, row.a)
        for row in view.frames["pairs"].itertuples()
        if row.p_value < 0.05
    }
    rings = ((a, b, c) for a in names for b in names for c in names if (a, b) in wins and (b, c) in wins and (c, a) in wins)
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
    )  # fmt: skip


def _alone_table(view: View, names: list[str]) -> Table:
    rows = view.frames["alone"]
    place = {name: at for at, name in enumerate(names)}
    ordered = rows.assign(_a=rows["name"].map(place), _b=rows["others"].map(place)).sort_values(["_b", "_a"], kind="stable")
    table = estimates(
        ordered, "alone", "Share of wins of one strategy (row) among others of one kind (column).",
        down={"name": "one among others"}, unit="share", across="others", is_long=True,
    )  # fmt: skip
    return Table(table.caption, table.source, table.heads, tuple(sorted(table.rows, key=lambda line: names.index(_original(names, line[0].text)))), 1, is_long=True)


def _original(names: Sequence[str], shown: str) -> str:
    return next(name for name in names if form.words(name) == shown)


def _pair_table(view: View) -> Table:
    rows = view.frames["pairs"]
    order = rows.assign(_size=-rows["estimate"].abs()).sort_values("_size", kind="stable")
    body = []
    for row in order.itertuples():
        up, down = (row.a, row.b) if row.estimate >= 0 else (row.b, row.a)
        p = row.p_value
        text = "below 0.001" if p < 0.001 else f"{p:.3f}"
        body.append((Cell(form.words(row.a)), Cell(form.words(row.b)), _points(row), value_cell(row, "p_value", text), Cell(f"{form.words(up)} over {form.words(down)}" if p < 0.05 else "open")))
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


# --- the economy of any game -------------------------------------------------------------------------------


def other_figures(view: View, told: Sequence[Question]) -> list[Question]:
    """A question for every figure of the economy that the game's own words leave out."""
    shown = {figure for question in told for figure in question.figures}
    left = [m for m in view.game.economy if m.name not in shown and len(view.economy(m.name))]
    if not left:
        return []
    if told:
        return [Question("economy-more", "What else was measured?", ("Figures that no question above needs.",), None, tuple(_measure_tables(view, left)), sure(view, [m.name for m in left], view.economy(left[0].name)), ("economy",))]
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
        return estimates(rows, "economy", text, down={measure.by[0]: form.words(measure.by[0])}, unit=measure.unit, across=measure.by[1], is_long=is_long, head=lambda label: f"{form.words(measure.by[1])} {form.words(label)}")  # fmt: skip
    tables = [view.base, *([view.mixed] if view.has_mixed else [])]
    both = view.rows("economy", figure=name, players=view.main)
    both = both[both["table"].isin(tables)]
    down = {label: form.words(label) for label in measure.by} or {"unit": "unit"}
    return estimates(both, "economy", text, down=down, unit=lambda _: measure.unit, across="table", is_long=is_long, head=lambda name: form.words(name))


def _measure_question(view: View, measure: Any) -> Question:
    rows = view.economy(measure.name)
    first = one(rows)
    answer = f"{form.capital(measure.about)}: {form.estimate(first, measure.unit)}" + ("." if len(rows) == 1 else f" at the first label, {form.estimate(one(rows.iloc[[-1]]), measure.unit)} at the last.")
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

    margin = draw.name_margin(list(seen[measure.by[0]])) if is_named else 52
    height = 62 + 15 * len(seen) if is_named else 220
    panel = Panel(form.capital(form.words(measure.name)), paint, 330, height, (margin, 90 if len(measure.by) > 1 else 14, 36, 26))
    about = f"{form.capital(measure.about)} in {measure.unit}, with intervals."
    return Picture(f"economy-{measure.name.replace('_', '-')}", caption(view, about), about, (panel,), 1)


# --- pace and tension --------------------------------------------------------------------------------------


def tension_verdicts(view: View) -> list[Verdict]:
    row = _last_row(view)
    lost = view.tension("lead_lost")
    if row is None or not len(lost):
        return []
    final = one(lost.iloc[[-1]])
    return [Verdict(say.comeback(row, row.round, 1 / view.main), say.lead_change(final, is_final=True), "", "tension-last")]


def _last_row(view: View, at: int = 0) -> Any:
    """Chance of the last to win, half-way through or `at` standings later."""
    rounds = view.game.rounds
    label = rounds[min(max(len(rounds) // 2 - 1, 0) + at, len(rounds) - 1)]
    rows = view.tension("win_by_place", round=label, place=view.main)
    return one(rows) if len(rows) else None


def tension_questions(view: View) -> Iterable[Question]:
    lost, shared = view.tension("lead_lost"), view.tension("lead_shared")
    leaders, places = view.tension("lead_share"), view.tension("win_by_place")
    if len(leaders):
        yield Question(
            "tension-lead",
            "Who leads, and does the lead hold?",
            tuple(_lead_answers(view, lost, leaders)),
            _lead_picture(view, leaders, lost, shared),
            (
                estimates(lost, "tension", "Share of games in which the lead is lost wholly, by the standing at which it is lost.", down={"until": "by round"}, unit="share", head="lost"),
                estimates(leaders, "tension", "Share of games led by each seat after each round; shared leads are split.", down={"round": "after round"}, unit="share", across="seat", head=lambda seat: f"seat {seat}", is_long=True),
            ),
            sure(view, [], lost, "games"),
            ("tension",),
        )  # fmt: skip
    if len(places):
        yield Question(
            "tension-last",
            "Can the last still win?",
            tuple(say.comeback(row, row.round, 1 / view.main) for row in (_last_row(view), _last_row(view, 1)) if row is not None),
            _place_picture(view, places),
            (
                estimates(places, "tension", "Chance of winning by place after each round; last means last alone.", down={"round": "after round"}, unit="share", across="place", head=lambda place: f"place {place}"),
                estimates(view.tension("win_by_lead")[lambda rows: rows["n"] >= SEEN_AT_LEAST], "tension", "Chance that the leaders win, by their lead over the next seat.", down={"lead": "lead in points"}, unit="share", across="round", head=lambda r: f"after round {r}", is_long=True),
            ),
            sure(view, [], places, "seats in that place"),
            ("tension",),
        )  # fmt: skip


def _lead_answers(view: View, lost: pd.DataFrame, leaders: pd.DataFrame) -> Iterable[str]:
    steps = list(lost.itertuples())
    if len(steps) > 1:
        yield say.lead_change(steps[-2], is_final=False) + " " + say.lead_change(steps[-1], is_final=True)
    top = farthest(leaders, 1 / view.main)
    yield f"The most uneven lead: seat {top.seat} leads after round {top.round} in {form.estimate(top, 'share')} of games."


def _lead_picture(view: View, leaders: pd.DataFrame, lost: pd.DataFrame, shared: pd.DataFrame) -> Picture:
    panels = (
        Panel("Games led by each seat", lambda axes: draw.plot_leaders(leaders, axes[0]), 310, 210, (44, 52, 36, 26)),
        Panel("Games in which the lead is …", lambda axes: draw.plot_lead_changes(lost, shared, axes[0]), 310, 210, (44, 52, 36, 26)),
    )
    about = "First who leads after each round, dashed the fair share; then how often the lead is lost wholly, or comes to be shared or unshared, by the next standing."
    return Picture("lead", caption(view, about), about, panels, 2)


def _place_picture(view: View, places: pd.DataFrame) -> Picture:
    panel = Panel("Chance of winning by place after the round", lambda axes: draw.plot_win_by_place(places, axes[0], fair=1 / view.main), 340, 220, (44, 54, 36, 26))
    row = _last_row(view)
    told = f" {say.comeback(row, row.round, 1 / view.main)}" if row is not None else ""
    about = "The chance of winning of whoever is first, second, last after each round; dashed: the chance at the start."
    return Picture("comeback", caption(view, about), about + told, (panel,), 1)


# --- games worth reading -----------------------------------------------------------------------------------


def game_questions(view: View) -> Iterable[Question]:
    rows = view.frames["extremes"]
    if not len(rows):
        return
    body = tuple(
        (Cell(form.capital(row.what)), value_cell(row, "value", f"{row.value:,} {row.unit}"), value_cell(row, "deal", f"{row.deal:,}"), Cell(row.command, note="command"))
        for row in rows.itertuples()
    )
    searched = int(rows["searched"].iloc[0])
    yield Question(
        "games-read",
        "Which games should one read?",
        (f"The most remarkable of the first {searched:,} games with {form.count(view.main, 'player')}; each command tells its game move by move.",),
        None,
        (Table("Remarkable games, and the command that tells each.", "extremes", ("what", "how much", "deal", "command"), body),),
        ("Outliers are there to be read, not to be counted: they say what can happen, not what usually does.",),
        ("extremes",),
    )


# --- what to try -------------------------------------------------------------------------------------------


def advice(view: View) -> list[Advice]:
    """What to try next, the most useful first."""
    found = [*_seat_advice(view), *_strategy_advice(view), *_component_advice(view), *_reading_advice(view)]
    return found[:MOST_ADVICE]


def _command(view: View, verb: str, *parts: str, with_rules: bool = True) -> str:
    """A command for this game under these rules."""
    words = ["assay", verb, view.game.name, *parts]
    for name, value in view.survey.rules.changes().items() if with_rules else ():
        flat = value if isinstance(value, list) else [value]
        words += ["--set", f"{name}={','.join(str(n) for line in flat for n in (line if isinstance(line, list) else [line]))}"]
    return shlex.join(words)


def _seat_advice(view: View) -> Iterable[Advice]:
    survey = view.survey
    is_told = False
    for n in sorted(survey.sizes, key=lambda n: n != view.main):
        rows = view.rows("seats", players=n, table=view.base, measure="win_share")
        verdict, row, plan = whole_verdict(view, n, view.base), farthest(rows, 1 / n), survey.sizes[n].alone[view.base].plan
        if verdict == "open" and not is_told:
            is_told = True
            slack = abs(abs(row.estimate - 1 / n) - survey.tolerance)
            needed = deals_needed(row, max(slack, survey.tolerance / 5), plan.deals)
            deals = _rounded_up(max(needed, 2 * plan.deals))
            yield Advice(
                f"Settle whether the seats are fair with {form.count(n, 'player')}: about {deals:,} deals would tell.",
                _command(view, "run", "--seats", str(n), "--deals", str(deals), "--seed", str(survey.seed)),
            )
        if verdict == "not fair":
            knob = _seat_knob(view, row.seat)
            if knob is not None:
                rule, value, unit = knob
                step = max(1, round(0.05 * value)) * (-1 if row.estimate > 1 / n else 1)
                verb = "Take" if step < 0 else "Give"
                yield Advice(
                    f"{verb} {abs(step)} {unit} {'from' if step < 0 else 'to'} seat {row.seat} at the start with {form.count(n, 'player')} "
                    f"({rule.replace('_', ' ')}, a first guess) and see whether its share moves towards {form.fixed(100 / n, 0 if 100 % n == 0 else 1)}{form.NBSP}%.",
                    _command(view, "run", "--seats", str(n), "--deals", str(plan.deals), "--seed", str(survey.seed), "--set", f"{rule}[{row.seat}]={value + step}"),
                )  # fmt: skip


def _seat_knob(view: View, seat: int) -> tuple[str, int, str] | None:
    """A rule that gives each seat some of what the game measures at the end, its value and its unit."""
    units = set(view.game.measures.values())
    for rule in view.game.rules.rules.values():
        if rule.axes == ("seat",) and rule.unit in units:
            return rule.name, int(view.survey.rules.values[rule.name][seat - 1]), rule.unit
    return None


def _rounded_up(n: int) -> int:
    """To one significant digit, upwards."""
    unit = 10 ** (len(str(n)) - 1)
    return -(-n // unit) * unit


def _strategy_advice(view: View) -> Iterable[Advice]:
    comparison = view.survey.comparison
    if comparison is None:
        return
    names = list(ranking(view)["name"])
    pairs = view.frames["pairs"]
    close = pairs[(pairs["p_value"] >= 0.05) & (pairs["a"].isin(names[:2]) & pairs["b"].isin(names[:2]))]
    if len(close):
        text = f"Tell {form.words(names[0])} from {form.words(names[1])}: their difference is still open."
    else:
        text = f"Look for an answer to {form.words(names[0])}: write a strategy file and play it against the best two."
    deals = 10 * comparison.plan.deals
    extra = () if len(close) else ("mine.py",)
    yield Advice(text, _command(view, "compare", *names[:2], *extra, "--seats", str(comparison.plan.seats), "--deals", str(deals), "--seed", str(view.survey.seed)))


def _component_advice(view: View) -> Iterable[Advice]:
    if view.reconstructed and len(view.frames["redrawn"]):
        yield Advice(f"Put in the true {form.listed(view.reconstructed)} if you own the game: the rules list shows which numbers are reconstructed.", _command(view, "rules", with_rules=False))


def _reading_advice(view: View) -> Iterable[Advice]:
    rows = view.frames["extremes"]
    if len(rows):
        row = one(rows)
        yield Advice("Read one game move by move to see whether these strategies play as people do.", row.command)
