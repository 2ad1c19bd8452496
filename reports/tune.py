"""Which value is fairest: sentences, a figure and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.sensitivity import LEADER_WINS, SEAT_SPREAD, STRATEGY_SPREAD
from analyses.tune import Goal, Tuning
from analyses.vary import Variant
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.format import is_share, scale
from reports.tables import Cell, Table, View, number_cell
from reports.terminal import bold, paragraphs, table
from reports.vary import most_moved

if TYPE_CHECKING:
    import pandas as pd

MOST_COSTS, MOST_NAMED = 3, 4
NOW = "in force"
ABOUT = {
    SEAT_SPREAD: "seats differ by",
    STRATEGY_SPREAD: "strategies differ by",
    LEADER_WINS: "a half-time leader wins",
}


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Tuning) -> str:
    """What each measured setting reaches, then sentences."""
    n_looked = len(result.searched)
    head = (
        f"{result.game.title}, {result.seats} seats, {result.strategy} at the table, {n_looked} settings, "
        f"{result.deals[-1]:,} fresh deals each for the best, {result.games:,} games, seed {result.seed}"
    )
    names = [form.knob(result.game, knob.name) for knob in result.knobs]
    body = []
    for at in range(len(result.measured.variants) + 1):
        rows = _rows_of(result, at)
        values = [rows[0][knob.name] + (" *" if at == 0 and k == 0 else "") for k, knob in enumerate(result.knobs)]
        cells = []
        for row in rows:
            sure = row["gain"].low > 0 or row["gain"].high < 0
            gain = f" ({_signed(row['gain'], row['unit'])})" if at and sure else ""
            cells.append(f"{form.value(row['level'], row['unit'])}{gain}")
        body.append([*values, *cells])
    heads = [*names, *(_about(goal) for goal in result.goals)]
    lines = [bold(head), table(heads, body, "l" * len(names) + "r" * len(result.goals))]
    lines.append("* the rules in force; in brackets how much nearer to the goal, where it is sure; the proposed first")
    return "\n".join([*lines, "", *paragraphs(sentences(result))])


def _rows_of(result: Tuning, at: int) -> list[dict[str, Any]]:
    """The rows of the rules in force, 0, or of a measured setting."""
    k = len(result.goals)
    return result.rows[at * k : (at + 1) * k]


def _about(goal: Goal) -> str:
    if goal.output in ABOUT:
        return ABOUT[goal.output]
    target = form.fixed(scale(goal.unit) * goal.target, 0 if goal.target == int(goal.target) else 2)
    return f"{form.words(goal.name)} (wanted {target}{' %' if is_share(goal.unit) else ''})"


def _signed(estimate: Any, unit: str) -> str:
    sign = "+" if estimate.estimate > 0 else ""
    return f"{sign}{form.value(estimate, unit)}"


def setting_text(result: Tuning, variant: Variant) -> str:
    """A setting as one reads it: only what differs from the rules in force."""
    changed = [knob for knob in result.knobs if variant.values[knob.name] != str(knob.now)]
    return form.listed(
        [f"{form.knob(result.game, knob.name)} {variant.values[knob.name]}{_percent(knob)}" for knob in changed]
    )


def _percent(knob: Any) -> str:
    return f"{form.NBSP}% of its numbers" if knob.cells else ""


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Tuning) -> list[str]:
    """What is proposed, what it reaches, what it costs."""
    told = setting_text(result, result.best)
    scope = "every setting" if result.is_all else f"{len(result.searched)} settings"
    goals = form.listed([goal.name for goal in result.goals])
    if not result.is_better:
        lines = [
            f"Of {scope} looked at, none is surely better for {goals} than the rules in force; of the others {told} came nearest."
        ]
    else:
        lines = [f"Of {scope} looked at, {told} does best for {goals}."]
    for row, was in zip(_rows_of(result, 1), _rows_of(result, 0), strict=True):
        lines.append(_reached(result, row, was))
    if result.is_better:
        lines.append(cost_sentence(result))
        command = " ".join(f"--set {change}" for change in result.command)
        lines.append(f"To play it: assay run {result.game.name} {command}")
    return lines


def _reached(result: Tuning, row: dict[str, Any], was: dict[str, Any]) -> str:
    goal = next(goal for goal in result.goals if goal.name == row["goal"])
    unit = row["unit"]
    gain = row["gain"]
    verdict = (
        "which is surely nearer"
        if gain.low > 0
        else "which is surely farther"
        if gain.high < 0
        else "which is not surely different"
    )
    return (
        f"{form.capital(_about(goal))}: {form.estimate(row['level'], unit, '')} on fresh deals, "
        f"{form.estimate(was['level'], unit, '')} under the rules in force, {verdict}."
    )


def cost_sentence(result: Tuning) -> str:
    """What else the proposed setting surely moves, the surest first."""
    goals = {goal.output for goal in result.goals}
    names = [knob.name for knob in result.knobs]
    moved = [
        row
        for row in most_moved(result.measured, 40)
        if row["figure"] not in goals and all(row[name] == result.best.values[name] for name in names)
    ][:MOST_COSTS]
    if not moved:
        return "Nothing else is sure to move with it."
    told = [_moved(row) for row in moved]
    return f"Elsewhere it moves {form.listed(told)}."


def _moved(row: dict[str, Any]) -> str:
    at = f" ({form.words(row['at'])})" if row["at"] else ""
    return f"{form.words(row['figure'])}{at} by {_signed(row['change'], row['unit'])}"


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Tuning) -> list[Verdict]:
    """What is proposed."""
    first, *rest = sentences(result)
    return [Verdict(first, rest[0], "", "tune")]


def questions(view: View, result: Tuning) -> Iterable[Question]:
    """The question on the page."""
    searched, again, deals = result.deals
    names = form.listed([form.knob(result.game, knob.name) for knob in result.knobs])
    how = "all settings" if result.is_all else f"{len(result.searched)} settings, led by an evolution strategy (CMA-ES)"
    yield Question(
        "tune",
        f"Which {names} is fairest?",
        tuple(sentences(result)),
        _picture(result, view.rows("tuned_search")),
        (_table(result, view.rows("tuned")),),
        (
            f"From {result.games:,} games: {how}, {searched:,} deals each; the best {len(result.finalists) - 1} again on {again:,} other deals; "
            f"the best of these on {deals:,} fresh deals, beside the rules in force. {form.capital(result.strategy)} at every seat, seed {result.seed}.",
            "A spread among seats leans upwards where the true one is near nothing, as the largest of several noisy numbers does.",
            "Strategies play on as written: people would adapt to the changed rule.",
        ),
        ("tuned", "tuned_search", "tuned_elsewhere", "tuned_moved"),
    )


def _picture(result: Tuning, rows: pd.DataFrame) -> Picture:
    some = rows[rows["stage"] == "searched"]
    first, *others = result.goals
    panels: list[Panel] = []
    if others:
        panels += [_front_panel(some, first, other) for other in others[:2]]
        text = "Each dot is a setting that was looked at; the line joins those that no other beats in both goals; the cross is the rules in force."
    else:
        shown = result.knobs[:MOST_NAMED]
        panels += [
            _knob_panel(some, knob.name, form.knob(result.game, knob.name), first, is_named=len(shown) > 1)
            for knob in shown
        ]
        text = "Each dot is a setting that was looked at: a value of the rule, and how far the goal was missed; the cross is the rules in force."
    return Picture(
        "tune",
        f"{text} {len(some)} settings, {result.deals[0]:,} deals each, {result.seats} players, seed {result.seed}.",
        " ".join(sentences(result)),
        tuple(panels),
        2,
    )


def _off(goal: Goal) -> str:
    return f"misses {goal.name} by" + ("" if is_share(goal.unit) else f", {goal.unit}")


def _front_panel(rows: pd.DataFrame, x: Goal, y: Goal) -> Panel:
    def paint(axes: Sequence[Any]) -> None:
        draw.plot_front(rows, axes[0], x=f"off {x.name}", y=f"off {y.name}", units=(x.unit, y.unit))
        axes[0].set_xlabel(_off(x))
        axes[0].set_ylabel(_off(y))

    return Panel("What can be had together", paint, 330, 230, (56, 16, 40, 26))


def _knob_panel(rows: pd.DataFrame, knob: str, name: str, goal: Goal, is_named: bool) -> Panel:
    def paint(axes: Sequence[Any]) -> None:
        draw.plot_front(rows, axes[0], x=knob, y=f"off {goal.name}", units=("", goal.unit), is_joined=False)
        axes[0].set_xlabel(name)
        axes[0].set_ylabel(_off(goal))

    title = form.capital(name) if is_named else "How far from the goal"
    return Panel(title, paint, 300, 200, (56, 16, 40, 26))


def _table(result: Tuning, rows: pd.DataFrame) -> Table:
    names = [knob.name for knob in result.knobs]
    columns: dict[tuple[str, str], dict[int, Any]] = {}
    k = len(result.goals)
    for at, (_, one) in enumerate(rows.groupby("measure", sort=False)):
        measure = ("level", "off", "gain")[at]
        for position, row in enumerate(one.itertuples()):
            columns.setdefault((result.goals[position % k].name, measure), {})[position // k] = row
    body = []
    for at in range(len(result.measured.variants) + 1):
        values = _rows_of(result, at)[0]
        cells = []
        for goal in result.goals:
            cells.append(number_cell(columns[goal.name, "level"][at], goal.unit))
            gain = columns[goal.name, "gain"][at]
            cells.append(number_cell(gain, goal.unit) if at else Cell("–", note="none"))
        body.append(
            (Cell(NOW if at == 0 else "proposed" if at == 1 else "also"), *(Cell(values[n]) for n in names), *cells)
        )
    heads = ["", *(form.knob(result.game, name) for name in names)]
    for goal in result.goals:
        heads += [_about(goal), "nearer by"]
    return Table(
        "What was measured on fresh deals, and how much nearer to the goal than the rules in force, paired on the same deals.",
        "tuned",
        tuple(heads),
        tuple(body),
        1 + len(names),
    )
