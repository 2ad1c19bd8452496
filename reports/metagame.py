"""The meta-game: which strategies hold their ground when everybody may choose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.metagame import Metagame
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.tables import Cell, Table, View, number_cell, one, value_cell
from reports.terminal import bold, number, table

if TYPE_CHECKING:
    import pandas as pd

CLOSE = 0.01  # a strategy that falls short by less than a point in 100 could as well be played
KEPT = 0.05  # of the resampled tables: a strategy in use in fewer is not


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Metagame) -> str:
    """Who is in the equilibrium, what the others lose against it, what is dominated."""
    plan = result.plan
    head = (
        f"{plan.game.title}, {plan.seats} seats, {len(result.plans)} ways to fill them, {plan.deals:,} deals each, "
        f"{result.games:,} games, seed {plan.seed}"
    )
    order = sorted(result.strategy_rows, key=lambda row: (-row["share"].estimate, row["regret"].estimate))
    rows = [
        [
            row["name"],
            f"{100 * row['share'].estimate:.0f} %",
            _points(row["regret"]),
            f"{100 * row['regret'].low:.1f}-{100 * row['regret'].high:.1f}",
            f"{100 * row['presence']:.0f} %",
            row["answer"] if row["answer"] != row["name"] else "itself",
        ]
        for row in order
    ]
    body = table(
        ["strategy", "share", "loses", "95 % interval", "in use in", "best answer to a table of it"], rows, "lrrrrl"
    )
    return "\n".join([bold(head), body, *_sentences(result), *_next(result), *_sampled(result)])


def _points(estimate: Any) -> str:
    return f"{100 * estimate.estimate:.1f}"


def _sampled(result: Metagame) -> list[str]:
    """How few profiles stand for all, where they do."""
    if not result.is_sample:
        return []
    each = (result.plan.seats - 1) // (result.players - 1)
    all_of_them = math.comb(len(result.names) + result.plan.seats - 1, result.plan.seats)
    return [
        f"A sample: of {all_of_them:,} ways to fill the seats those were played in which all seats but one change by {form.count(each, 'seat')} "
        f"at a time (deviation-preserving reduction to {form.count(result.players, 'player')})."
    ]


def _next(result: Metagame) -> list[str]:
    if not result.next_rows:
        return []
    row = result.next_rows[0]
    return [f"More deals of '{row['profile']}' would tell most ({100 * row['part']:.0f} % of what is unsure)."]


# --- in sentences ------------------------------------------------------------------------------------------


def _sentences(result: Metagame) -> list[str]:
    """What the meta-game says."""
    first = result.equilibria[0]
    mix = ", ".join(
        f"{result.names[k]} {100 * first.mix[k]:.0f}{form.NBSP}%"
        for k in sorted(first.support, key=lambda k: -first.mix[k])
    )
    if len(first.support) == 1:
        text = f"If everybody may choose, everybody ends with {result.names[first.support[0]]}: nobody gains by leaving it."
    else:
        text = f"If everybody may choose, nobody gains by leaving this mix: {mix}."
    lines = [text, _choice(result)]
    if len(result.equilibria) > 1:
        others = [form.listed([result.names[k] for k in found.support]) for found in result.equilibria[1:4]]
        lines.append(
            f"There {_other_mixes(len(result.equilibria) - 1)}: {'; '.join(others)}. Which one comes about hangs on where players begin."
        )
    if result.dominated_rows:
        lines.append(
            f"Never a good choice, whatever the others do: {form.listed([row['name'] for row in result.dominated_rows])}."
        )
    return lines


def _other_mixes(n: int) -> str:
    return "is one other such mix" if n == 1 else f"are {form.count(n, 'other such mix', 'other such mixes')}"


def _choice(result: Metagame) -> str:
    """How much of a choice there is."""
    near = [row["name"] for row in result.strategy_rows if row["regret"].high < CLOSE]
    effective = result.resampled.effective
    told = f"That is a choice among {number(effective)} strategies ({number_span(effective)}; effective number, {len(result.names)} being the most)"
    close = f"; within a point in 100 of the best for sure: {form.listed(near)}." if near else "."
    return told + close


def number_span(estimate: Any) -> str:
    """The interval of a number of strategies."""
    return f"{estimate.low:.1f} to {estimate.high:.1f}"


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Metagame) -> list[Verdict]:
    """Whether there is more than one good way to play."""
    effective = result.resampled.effective
    in_use = [row["name"] for row in result.strategy_rows if row["presence"] >= KEPT]
    if len(in_use) == 1:
        text, meaning = (
            f"One way of playing drives out the others: {in_use[0]}.",
            "A table of players who learn ends up alike.",
        )
    else:
        text = (
            f"{form.capital(form.count(len(in_use), 'way'))} of playing can live side by side: {form.listed(in_use)}."
        )
        meaning = f"Players who learn are left with a choice worth {effective.low:.1f} to {effective.high:.1f} equal strategies."
    return [Verdict(text, meaning, "", "metagame")]


def questions(view: View, result: Metagame) -> Iterable[Question]:
    """The question on the page."""
    rows = view.rows("metagame")
    regrets = rows[rows["measure"] == "regret"].sort_values("estimate", kind="stable")
    yield Question(
        "metagame",
        "If everybody may choose, who plays what?",
        tuple(_sentences(result)),
        _picture(view, result, regrets),
        tuple(_tables(view, rows, regrets)),
        (
            f"From {result.games:,} games: {'' if result.is_sample else 'all '}{len(result.plans)} ways to fill {result.plan.seats} seats, {result.plan.deals:,} deals each in every "
            f"seating, seed {result.plan.seed}; intervals from {int(regrets['n_effective'].iloc[0])} tables of resampled groups of deals.",
            f"Were the resampled tables the truth, somebody would gain {100 * result.resampled.exploitability.high:.1f} points at most by leaving the mix.",
            *_sampled(result),
            "The equilibrium is one among these strategies; a better one that nobody has written may beat it.",
        ),
        ("metagame", "metagame_equilibria", "metagame_dominated", "metagame_population", "metagame_table"),
    )


def _picture(view: View, result: Metagame, regrets: pd.DataFrame) -> Picture:
    names = list(regrets["name"])
    margin = draw.name_margin(names)
    height = 66 + 17 * len(names)

    def lost(axes: Sequence[Any]) -> None:
        draw.plot_names(regrets, axes[0], name="name", unit="share", label="points of wins lost")

    def path(axes: Sequence[Any]) -> None:
        steps = view.rows("metagame_population")
        ends = steps.groupby("name")["share"].max()
        shown = [name for name in result.names if ends[name] > 1.5 / len(result.names)] or [names[0]]
        draw.plot_paths(steps, axes[0], names=shown, x="time", y="share", label="time", ylabel="share of players")

    told = "; ".join(f"{row.name} loses {form.value(row, 'share')}" for row in regrets.itertuples())
    return Picture(
        "metagame",
        "Left: what one player of each strategy loses against a table of the equilibrium, with its interval. Right: a population that begins with all "
        f"strategies alike common and in which what wins spreads. {result.games:,} games, {result.plan.seats} players, seed {result.plan.seed}.",
        f"Dots with intervals: {told}. Curves of the shares of strategies in a population over time.",
        (
            Panel("Wins lost against the equilibrium", lost, 240 + margin, height, (margin, 14, 36, 26)),
            Panel("A population that learns", path, 300, height, (44, 80, 36, 26)),
        ),
        2,
    )


def _tables(view: View, rows: pd.DataFrame, regrets: pd.DataFrame) -> Iterable[Table]:
    body = []
    for row in regrets.itertuples():
        found = one(rows[(rows["name"] == row.name) & (rows["measure"] == "share")])
        body.append(
            (
                Cell(row.name),
                number_cell(found, "share", 1),
                number_cell(row, "share", 1),
                value_cell(row, "presence", f"{100 * row.presence:.0f}{form.NBSP}%"),
                value_cell(row, "strength", form.fixed(row.strength, 2)),
                Cell(row.answer if row.answer != row.name else "itself"),
            )
        )
    yield Table(
        "Each strategy: its share in the equilibrium, what it loses against it, in how many resampled equilibria it is in use, its rating "
        "(Plackett and Luce; a display, ratings cannot show a circle), and the best answer to a table of it.",
        "metagame",
        ("strategy", "share", "loses", "in use", "rating", "best answer"),
        tuple(body),
    )
    found = view.rows("metagame_dominated")
    if len(found):
        lines = tuple(
            (Cell(row.name), Cell(row.mixture), value_cell(row, "gap", f"{100 * row.gap:.1f}{form.NBSP}%"))
            for row in found.itertuples()
        )
        yield Table(
            "Dominated strategies: a mixture that wins more whatever the others play, and by how many points of 100 at least.",
            "metagame_dominated",
            ("strategy", "dominated by", "by"),
            lines,
            2,
            is_long=True,
        )
