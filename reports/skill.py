"""Skill or luck: the ladder, the parts of the variance, and how many games tell the better player."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from analyses.skill import Skill
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.tables import NOTHING, Cell, Table, View, number_cell, one
from reports.terminal import bold, share_cells, table

EVENINGS = 5  # games an evening
TABLES = {"weak": "weakest table", "strong": "strongest table"}


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Skill) -> str:
    """The ladder, seats at a weak and a strong table, parts of the variance, games that tell."""
    plan = result.plan
    head = (
        f"{plan.game.title}, {plan.seats} seats, {plan.deals:,} deals a pair, {result.games:,} games, seed {plan.seed}"
    )
    told = {row["weaker"]: row for row in result.games_to_lead}
    ladder = [
        [row["name"], *share_cells(row["win_share"]), row["below"] or "", _alone(row), _games(told.get(row["name"]))]
        for row in reversed(result.ladder)
    ]
    parts = [[row["part"], *share_cells(row["share"]), row["about"]] for row in result.variance]
    seats = [[TABLES[row["table"]], row["strategy"], *share_cells(row["spread"])] for row in result.balance]
    return "\n".join(
        [
            bold(head),
            table(["ladder", "wins", "interval", "next below", "alone among them", "games to lead"], ladder, "lrrlrr"),
            "",
            table(["variance of a win", "share", "interval", ""], parts, "lrrl"),
            "",
            table(["seats differ by", "all seats", "", "interval"], seats, "llrr"),
            *sentences(result),
        ]
    )


def _alone(row: dict[str, Any]) -> str:
    return f"{100 * row['alone'].estimate:.1f} %" if "alone" in row else ""


def _games(row: dict[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{_number(row['games'])} ({_number(row['low'])} to {_number(row['high'])})"


def _number(games: float) -> str:
    return form.about(games) if math.isfinite(games) else "∞"


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Skill) -> list[str]:
    """What luck is, how long it takes to tell, and whether the seats shift with skill."""
    parts = {row["part"]: row["share"] for row in result.variance}
    lines = [
        f"Of what makes one seat win and another not, {_percent(parts['strategy'])} is how it is played, {_percent(parts['deal'])} "
        f"what the deal gives it, {_percent(parts['seat'])} where it sits; the rest is the play of the others and chance in play."
    ]
    lines += _lead_sentences(result)
    weak, strong = result.balance
    gap = "closer together" if strong["spread"].high < weak["spread"].low else "further apart"
    is_sure = strong["spread"].high < weak["spread"].low or weak["spread"].high < strong["spread"].low
    lines.append(
        f"Seats differ by {_percent(weak['spread'])} of wins at a table of {weak['strategy']}, by {_percent(strong['spread'])} at one of "
        f"{strong['strategy']}{': skill brings them ' + gap if is_sure else ''}."
    )
    return lines


def _percent(estimate: Any) -> str:
    return form.estimate(estimate, "share")


def _lead_sentences(result: Skill) -> list[str]:
    rows = result.games_to_lead
    known = [row for row in rows if math.isfinite(row["games"])]
    if not known:
        return ["The best strategy cannot be told from any other by counting wins."]
    near, far = known[0], known[-1]
    lines = [
        f"{form.capital(near['better'])} has more wins than {near['weaker']}, the next below it that it beats, after {form.about(near['games'])} games "
        f"with 95{form.NBSP}% probability: {_evenings(near['games'])}."
    ]
    if far is not near:
        lines.append(f"Against {far['weaker']}, the lowest, {form.count(int(far['games']), 'game')} will do.")
    return lines


def _evenings(games: float) -> str:
    n = math.ceil(games / EVENINGS)
    return "an evening" if n <= 1 else f"{form.count(n, 'evening')} of five games"


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Skill) -> list[Verdict]:
    """How much is skill."""
    first, *rest = sentences(result)
    return [Verdict(first, rest[0], "", "skill")]


def questions(view: View, result: Skill) -> Iterable[Question]:
    """The question on the page."""
    plan = result.plan
    yield Question(
        "skill",
        "Skill or luck?",
        tuple(sentences(result)),
        _picture(view, result),
        tuple(_tables(view, result)),
        (
            f"The round robin of {plan.games:,} games, {result.square_plan.games:,} games of tables in which all kinds meet in every seating, and "
            f"{sum(r.plan.games for r in result.tables.values()):,} of the weakest and the strongest table; seed {plan.seed}. "
            "The parts are those of an analysis of variance of Latin squares, with the jackknife over groups of deals.",
            "Skill is what lies between these strategies; people may differ less, or more.",
        ),
        ("skill_ladder", "skill_variance", "skill_balance", "skill_games"),
    )


def _picture(view: View, result: Skill) -> Picture:
    ladder = view.rows("skill_ladder", measure="win_share").iloc[::-1]
    parts = view.frames["skill_variance"]
    names = list(ladder["name"])
    margin = draw.name_margin(names)
    height = 66 + 17 * len(names)

    def rungs(axes: Sequence[Any]) -> None:
        draw.plot_names(ladder, axes[0], name="name", unit="share", label="share of wins")

    def shares(axes: Sequence[Any]) -> None:
        draw.plot_names(parts, axes[0], name="part", unit="share", label="share of the variance")
        axes[0].set_xlim(left=0)

    told = "; ".join(f"{row.part} {form.value(row, 'share')}" for row in parts.itertuples())
    return Picture(
        "skill",
        f"Left: the ladder of strategies, share of wins in the round robin. Right: what a seat's win varies with. {result.games:,} games, "
        f"{result.plan.seats} players, seed {result.plan.seed}.",
        f"Dots with intervals. Parts of the variance: {told}.",
        (
            Panel("The ladder", rungs, 230 + margin, height, (margin, 14, 36, 26)),
            Panel("What a win varies with", shares, 280, height, (70, 14, 36, 26)),
        ),
        2,
    )


def _tables(view: View, result: Skill) -> Iterable[Table]:
    ladder, games = view.frames["skill_ladder"], view.frames["skill_games"]
    body = []
    for row in view.rows("skill_ladder", measure="win_share").iloc[::-1].itertuples():
        alone = ladder[(ladder["name"] == row.name) & (ladder["measure"] == "alone")]
        told = games[games["weaker"] == row.name]
        body.append(
            (
                Cell(row.name),
                number_cell(row, "share"),
                Cell(row.below if isinstance(row.below, str) else "–"),
                number_cell(one(alone), "share") if len(alone) else NOTHING,
                _games_cell(one(told)) if len(told) else NOTHING,
            )
        )
    yield Table(
        "The ladder, the best first: wins in the round robin; wins of one among players of the rung below; and games after which the best has "
        "more wins than one of these with 95 % probability.",
        "skill_ladder",
        ("strategy", "wins", "below it", "alone among them", "games to lead"),
        tuple(body),
    )
    yield Table(
        "What a seat's win varies with.",
        "skill_variance",
        ("part", "what it is", "share of the variance"),
        tuple(
            (Cell(r.part), Cell(r.about), number_cell(r, "share")) for r in view.frames["skill_variance"].itertuples()
        ),
        2,
    )
    yield Table(
        "Wins of the best seat less those of the worst, at a table of the weakest and of the strongest strategy.",
        "skill_balance",
        ("table", "strategy", "seats differ by"),
        tuple(
            (Cell(TABLES[r.table]), Cell(r.strategy), number_cell(r, "share"))
            for r in view.frames["skill_balance"].itertuples()
        ),
        2,
    )


def _games_cell(row: Any) -> Cell:
    return Cell(f"{_number(row.games)} ({_number(row.low)} to {_number(row.high)})")
