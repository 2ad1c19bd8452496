"""Is any seat favoured? Verdicts, figure and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import Question, Verdict, caption, effective, farthest, methods
from reports.figures import Key, Panel, Picture
from reports.tables import NOTHING, Cell, Table, View, estimates, number_cell, one

if TYPE_CHECKING:
    import pandas as pd


def seat_word(view: View, players: int, seat: int) -> str:
    """How firm a seat's share is."""
    rows = view.rows("redrawn", players=players, figure="win_share", seat=str(seat))
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
    mixed = view.rows("seats", players=view.main, table=view.mixed, measure="win_share")
    if len(mixed):
        meaning += f" {say.mixed_seat(farthest(mixed, fair))}"
    found.append(Verdict(text, meaning, seat_word(view, view.main, row.seat), "seats-favoured"))
    if len(survey.sizes) > 1:
        each = {n: whole_verdict(view, n, view.base) for n in survey.sizes}
        worst = max(
            (
                farthest(view.rows("seats", players=n, table=view.base, measure="win_share"), 1 / n)
                for n in survey.sizes
                if n != view.main
            ),
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
    yield from _levelling(view)


def _levelling(view: View) -> Iterable[Question]:
    """What the rules that are meant to make the seats even do."""
    rows = view.frames["uneven"]
    if not len(rows):
        return
    answers = []
    for n in view.survey.sizes:
        some = rows[rows["players"] == n]
        now, bare = (farthest(some[some["rules"] == word], 1 / n) for word in ("in force", "without"))
        answers.append(
            f"{form.capital(form.count(n, 'player'))}: farthest from the fair share is seat {now.seat} with "
            f"{form.estimate(now, 'share')}; without, seat {bare.seat} with {form.estimate(bare, 'share')}."
        )
    changes = ", ".join(view.game.uneven)
    yield Question(
        "seats-levelled",
        "Do the rules that even out the seats do so?",
        (
            "How far apart the best and the worst seat are, in shares of wins.",
            *(form.capital(text) for text in answers),
        ),
        None,
        (
            estimates(
                rows.assign(place=[f"{row.players} players, seat {row.seat}" for row in rows.itertuples()]),
                "uneven",
                f"Share of wins of each seat with {view.base} at every seat, with the rules in force and with {changes}.",
                down={"place": "seat"},
                unit="share",
                across="rules",
                head=str,
                is_long=True,
            ),
        ),
        (f"The games with {changes} are fewer, on the first of the same deals.",),
        ("uneven",),
    )


def _seat_answer(view: View, players: int) -> str:
    rows = view.rows("seats", players=players, table=view.base, measure="win_share")
    text = say.seat_verdict(
        farthest(rows, 1 / players), players, whole_verdict(view, players, view.base), view.survey.tolerance
    )
    mixed = view.rows("seats", players=players, table=view.mixed, measure="win_share")
    if len(mixed):
        row = farthest(mixed, 1 / players)
        text += f" {say.mixed_seat(row)}"
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
        for row_edge in view.rows("seats", players=n, table=name, measure="win_share")[["low", "high"]]
        .to_numpy()
        .ravel()
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
    key = [Key(view.base, draw.ACCENT)]
    key += [Key("mixed field", draw.SECOND, "s", is_open=True)] if view.has_mixed_seats else []
    key += [Key("other strategies, each against itself", draw.FAINT, ".")] if len(survey.names) > 1 else []
    told = "; ".join(_seat_answer(view, n) for n in survey.sizes)
    return Picture(
        "seats",
        caption(
            view,
            "How far each seat's share of wins lies from the fair share; the green band is "
            f"{say.tolerance_words(survey.tolerance)} either way. Faint tables beyond the edge are in the table below.",
        ),
        f"A panel for each number of players, a dot with its interval for each seat. {told}",
        tuple(panels),
        3,
        tuple(key),
    )


def _seat_table(view: View) -> Table:
    """Wins, points and the game's other measures of each seat."""
    measures = {
        "win_share": ("share of wins", "wins"),
        **{m: (u, _measure_head(m, u)) for m, u in view.game.measures.items()},
    }
    columns: list[tuple[str, str]] = [(view.base, m) for m in measures]
    columns += [(view.mixed, "win_share")] if view.has_mixed_seats else []
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
        f"What each seat wins with {view.base} at every seat{', and at a mixed table' if view.has_mixed_seats else ''}; mean with 95 % interval.",
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
        rows,
        "seats",
        "Share of wins by seat of each strategy against itself.",
        down={"players": "players", "table": "strategy"},
        unit="share",
        across="seat",
        head=lambda seat: f"seat {seat}",
        is_long=True,
    )


def _seat_sure(view: View, rows: pd.DataFrame) -> tuple[str, ...]:
    base = rows[rows["table"] == view.base]
    plan = view.survey.sizes[view.main].alone[view.base].plan
    lines = [
        f"From {plan.games:,} games at each number of players with {view.base}, "
        f"fewer with the others, seed {plan.seed}; intervals of 95 %: {methods(base)}.",
        effective(base, "games"),
        "A table's verdict holds for all its seats together: an equivalence test at 5 %, corrected for their number.",
        say.firmness(view.firmness(["win_share"]), view.reconstructed),
    ]
    return tuple(line for line in lines if line)
