"""Pace and tension, and the games worth reading."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import SEEN_AT_LEAST, Question, Verdict, caption, farthest, sure
from reports.figures import Panel, Picture
from reports.tables import Cell, Table, View, estimates, one, value_cell

if TYPE_CHECKING:
    import pandas as pd


def tension_verdicts(view: View) -> list[Verdict]:
    row = _last_row(view)
    lost = view.tension("lead_lost")
    if row is None or not len(lost):
        return []
    final = one(lost.iloc[[-1]])
    word = say.firm_word(view.firmness(["win_by_place", "lead_lost"]), view.reconstructed)
    text = say.comeback(view.game.pace, row, 1 / view.main)
    return [Verdict(text, say.lead_change(view.game.pace, final, is_final=True), word, "tension-last")]


def _last_row(view: View, at: int = 0) -> Any:
    """Chance of the last to win, half-way through or `at` standings later."""
    rounds = view.game.reached(view.survey.rules)
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
                estimates(
                    lost,
                    "tension",
                    "Share of games in which the lead is lost wholly, by the standing at which it is lost.",
                    down={"until": f"until {view.game.pace.axis}"},
                    unit="share",
                    head="lost",
                ),
                estimates(
                    leaders,
                    "tension",
                    "Share of games led by each seat at each standing; shared leads are split.",
                    down={"round": view.game.pace.axis},
                    unit="share",
                    across="seat",
                    head=lambda seat: f"seat {seat}",
                    is_long=True,
                ),
            ),
            sure(view, ["lead_lost", "lead_share"], lost, "games"),
            ("tension",),
        )
    if len(places):
        yield Question(
            "tension-last",
            "Can the last still win?",
            tuple(
                say.comeback(view.game.pace, row, 1 / view.main)
                for row in (_last_row(view), _last_row(view, 1))
                if row is not None
            ),
            _place_picture(view, places),
            (
                estimates(
                    places,
                    "tension",
                    "Chance of winning by place at each standing; last means last alone.",
                    down={"round": view.game.pace.axis},
                    unit="share",
                    across="place",
                    head=lambda place: f"place {place}",
                ),
                estimates(
                    view.tension("win_by_lead")[lambda rows: rows["n"] >= SEEN_AT_LEAST],
                    "tension",
                    "Chance that the leaders win, by their lead over the next seat.",
                    down={"lead": "lead in points"},
                    unit="share",
                    across="round",
                    head=view.game.pace.when.format,
                    is_long=True,
                ),
            ),
            sure(view, ["win_by_place"], places, "seats in that place"),
            ("tension",),
        )


def _lead_answers(view: View, lost: pd.DataFrame, leaders: pd.DataFrame) -> Iterable[str]:
    steps = list(lost.itertuples())
    if len(steps) > 1:
        yield (
            say.lead_change(view.game.pace, steps[-2], is_final=False)
            + " "
            + say.lead_change(view.game.pace, steps[-1], is_final=True)
        )
    top = farthest(leaders, 1 / view.main)
    yield f"The most uneven lead: seat {top.seat} leads {view.game.pace.when.format(top.round)} in {form.estimate(top, 'share')} of games."


def _lead_picture(view: View, leaders: pd.DataFrame, lost: pd.DataFrame, shared: pd.DataFrame) -> Picture:
    panels = (
        Panel(
            "Games led by each seat",
            lambda axes: draw.plot_leaders(leaders, axes[0], label=view.game.pace.axis),
            310,
            210,
            (44, 52, 36, 26),
        ),
        Panel(
            "Games in which the lead is …",
            lambda axes: draw.plot_lead_changes(lost, shared, axes[0], label=view.game.pace.axis),
            310,
            210,
            (44, 52, 36, 26),
        ),
    )
    about = "First who leads at each standing, dashed the fair share; then how often the lead is lost wholly, or comes to be shared or unshared, by the next standing."
    return Picture("lead", caption(view, about), about, panels, 2)


def _place_picture(view: View, places: pd.DataFrame) -> Picture:
    panel = Panel(
        "Chance of winning by place",
        lambda axes: draw.plot_win_by_place(places, axes[0], fair=1 / view.main, label=view.game.pace.axis),
        340,
        220,
        (44, 54, 36, 26),
    )
    row = _last_row(view)
    told = f" {say.comeback(view.game.pace, row, 1 / view.main)}" if row is not None else ""
    about = "The chance of winning of whoever is first, second, last at each standing; dashed: the chance at the start."
    return Picture("comeback", caption(view, about), about + told, (panel,), 1)


def game_questions(view: View) -> Iterable[Question]:
    rows = view.frames["extremes"]
    if not len(rows):
        return
    body = tuple(
        (
            Cell(form.capital(row.what)),
            value_cell(row, "value", f"{row.value:,} {row.unit}"),
            value_cell(row, "deal", f"{row.deal:,}"),
            Cell(row.command, note="command"),
        )
        for row in rows.itertuples()
    )
    searched = int(rows["searched"].iloc[0])
    yield Question(
        "games-read",
        "Which games should one read?",
        (
            f"The most remarkable of the first {searched:,} games with {form.count(view.main, 'player')}; each command tells its game move by move.",
        ),
        None,
        (
            Table(
                "Remarkable games, and the command that tells each.",
                "extremes",
                ("what", "how much", "deal", "command"),
                body,
            ),
        ),
        ("Outliers are there to be read, not to be counted: they say what can happen, not what usually does.",),
        ("extremes",),
    )
