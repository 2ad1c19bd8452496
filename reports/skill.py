"""Skill or luck? The ladder of strategies, games to lead, where the spread of results comes from, seats of weak and strong tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from analyses.components import DEAL, REST, SEAT, SOURCES, STRATEGY, STRATEGY_DEAL, STRATEGY_SEAT
from analyses.paired import WIN_SHARE
from analyses.skill import EVERYBODY, PLANNED, RANDOM, STRONG, WEAK, Skill
from analyses.statistics import Estimate
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict, methods
from reports.figures import Key, Panel, Picture
from reports.tables import Cell, Table, View, estimates, number_cell, one, value_cell
from reports.terminal import bold, paragraphs, share_cells, table

if TYPE_CHECKING:
    import pandas as pd

SURE = 0.05  # Holm
ABOUT = {
    STRATEGY: "who plays how, and against whom",
    SEAT: "the seat",
    DEAL: "what a deal gives a seat, whoever sits there",
    STRATEGY_DEAL: "which way of playing a deal suits, wherever it sits",
    STRATEGY_SEAT: "which way of playing a seat suits",
    REST: "how players, seats and chance happen to meet",
}
RESULT_WORDS = {WIN_SHARE: "winning", "score": "points"}

Row = dict[str, Any]


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Skill) -> str:
    """The ladder, the parts, the seats, and what that says."""
    plan = result.plan
    head = (
        f"{plan.game.title}, {plan.seats} seats, {len(result.names)} strategies, {plan.deals:,} deals a table in every seating, "
        f"{result.games:,} games, seed {plan.seed}"
    )
    blocks = [
        "\n".join(bold(line) for line in paragraphs([head])),
        _ladder_grid(result),
        *_component_grid(result),
        _seat_grid(result),
        "\n".join(paragraphs(_sentences(result))),
    ]
    return "\n\n".join(blocks)


def _ladder_grid(result: Skill) -> str:
    steps = {row["upper"]: row for row in result.ladder_rows if row["is_step"]}
    body = []
    for row in result.strength_rows:
        line = [row["name"], share_cells(row["value"])[0]]
        if row["name"] in steps:
            step = steps[row["name"]]
            told, span = share_cells(step["wins"])
            line += [told, span, "yes" if step["p_value"] < SURE else "no", _games(step["games"])]
        else:
            line += [""] * 4
        body.append(line)
    heads = ["strategy", "in the field", "against next", "95 % interval", "sure", "games to lead it"]
    told = (
        "against next: its part of the wins of the two when they meet on other deals, 50 % if alike; games to lead it: until it "
        "has won more in 95 of 100 groups of players"
    )
    return "\n".join([table(heads, body, "lrrrlr"), *paragraphs([told])])


def _component_grid(result: Skill) -> list[str]:
    """Parts of the variance, if there is any."""
    found = {(row["field"], row["result"], row["source"]): row["value"] for row in result.component_rows}
    columns = list(dict.fromkeys((row["field"], row["result"]) for row in result.component_rows))
    if not columns:
        return []
    heads = [f"{RESULT_WORDS[measure]}, {'all' if name == EVERYBODY else 'no random'}" for name, measure in columns]
    body = [[source, *(_part(found[(*column, source)]) for column in columns)] for source in SOURCES]
    return [table(["part of spread", *heads], body, "l" + "r" * len(columns))]


def _part(share: Estimate) -> str:
    """`42.6 % ±0.4`."""
    digits = form.row_decimals(share, "share")
    text = f"{100 * share.estimate:.{digits}f}"
    text = text.lstrip("-") if float(text) == 0 else text
    return f"{text} % ±{form.half_width(share, 'share'):.{digits}f}"


def _seat_grid(result: Skill) -> str:
    spreads = {row["table"]: row for row in result.spread_rows}
    body = []
    for name in (WEAK, STRONG):
        shares = [row["value"] for row in result.seat_rows if row["table"] == name]
        spread = spreads[name]
        cells = [share_cells(share)[0] for share in shares]
        apart = share_cells(spread["value"])
        body.append([result.kinds[name], *cells, *apart, f"{100 * spread['by_chance']:.1f} %"])
    seats = [f"seat {seat}" for seat in range(1, result.plan.seats + 1)]
    heads = ["at every seat", *seats, "apart", "95 % interval", "by chance"]
    return table(heads, body, "l" + "r" * (len(heads) - 1))


def _games(games: Estimate) -> str:
    """`135 (98-200)`, `over 1,600` where the most is infinite, `never` where the other leads."""
    if math.isinf(games.low):
        return "never"
    if math.isinf(games.high):
        return f"over {form.about(games.low)}"
    return f"{form.about(games.estimate)} ({form.about(games.low)}-{form.about(games.high)})"


# --- in sentences ------------------------------------------------------------------------------------------


def _sentences(result: Skill) -> list[str]:
    """What the study says."""
    return [*_ladder(result), *_leads(result), *_parts(result), *_seats(result)]


def _ladder(result: Skill) -> list[str]:
    """How many steps there are, which is the greatest, and which go the other way."""
    steps = [row for row in result.ladder_rows if row["is_step"]]
    sure = [row for row in steps if row["p_value"] < SURE]
    up = [row for row in sure if row["wins"].estimate > 0.5]
    lines = [
        f"From {result.names[-1]} up to {result.names[0]} the ladder has {form.count(len(steps), 'step')}; "
        f"{form.count(len(up), 'is', 'are')} sure to be one upwards."
    ]
    if up:
        most = max(up, key=lambda row: row["wins"].estimate)
        lines[0] += (
            f" The greatest is from {most['lower']} to {most['upper']}, which takes {_hundred(most['wins'])} of 100 wins between them."
        )
    for row in sure:
        if row["wins"].estimate < 0.5:
            lines.append(
                f"{form.capital(row['upper'])} wins more than {row['lower']} in the mixed field, but only {_hundred(row['wins'])} "
                f"of 100 wins between them when the two meet."
            )
    below = result.names[result.names.index(RANDOM) + 1 :]
    if below:
        lines.append(f"Random play is not the weakest: it stands above {form.listed(below)}.")
    return lines


def _hundred(share: Estimate) -> str:
    """`58 (56 to 59)`."""
    digits = form.row_decimals(share, "share")
    span = f"{form.fixed(100 * share.low, digits)} to {form.fixed(100 * share.high, digits)}"
    return f"{form.fixed(100 * share.estimate, digits)} ({span})"


def _leads(result: Skill) -> list[str]:
    """How soon one sees who is better."""
    rows = result.ladder_rows
    whole = rows[-1]
    lines = [_lead(whole)]
    steps = [row for row in rows if row["is_step"] and math.isfinite(row["games"].high)]
    if steps:
        hardest = max(steps, key=lambda row: row["games"].estimate)
        lines[0] += f" {form.capital(_lead(hardest, is_short=True))}"
    close = [row for row in rows if row["is_step"] and row["p_value"] >= SURE]
    if close:
        told = "; ".join(f"{row['upper']} and {row['lower']}" for row in close)
        lines.append(f"Too close to tell who is better: {told}.")
    return lines


def _lead(row: Row, is_short: bool = False) -> str:
    games = row["games"]
    if math.isinf(games.high):
        return f"How soon {row['upper']} leads over {row['lower']} cannot be told."
    span = f"{form.about(games.low)} to {form.about(games.high)}"
    told = form.about(games.estimate) + ("" if games.low == games.high else f" ({span})")
    if is_short:
        return f"{row['upper']} over {row['lower']}, the slowest of the steps that can be told, takes about {told}."
    after = "one game" if games.estimate == games.high == 1 else f"about {told} games"
    return f"After {after} {row['upper']} has won more than {row['lower']} in 95 of 100 groups of players."


def _parts(result: Skill) -> list[str]:
    """What decides who wins."""
    lines = []
    for name in result.fields:
        rows = {
            row["source"]: row["value"]
            for row in result.component_rows
            if (row["field"], row["result"]) == (name, WIN_SHARE)
        }
        if not rows:
            continue
        where = (
            "Who wins, if everybody plays" if name == EVERYBODY else "Who wins among those who do not play at random"
        )
        lines.append(
            f"{where}: {_percent(rows[STRATEGY])} is how one plays and against whom, {_percent(rows[DEAL])} what the deal "
            f"gives a seat, {_percent(rows[SEAT])} the seat; {_percent(_sum(rows))} is how players, deals and chance happen to meet."
        )
    return lines or ["All games end alike for all seats: there is no spread to take apart."]


def _sum(rows: dict[str, Estimate]) -> float:
    """All that is left."""
    return 1 - sum(max(rows[source].estimate, 0.0) for source in (STRATEGY, DEAL, SEAT))


def _percent(share: Estimate | float) -> str:
    """A part, never below 0; to whole per cent, or as fine as its interval warrants below one."""
    value = share if isinstance(share, float) else max(share.estimate, 0.0)
    digits = 0 if isinstance(share, float) or value >= 0.01 else min(1, form.row_decimals(share, "share"))
    return f"{form.fixed(100 * value, digits)}{form.NBSP}%"


def _seats(result: Skill) -> list[str]:
    """Whether the seat matters more to those who play well."""
    spreads = {row["table"]: row for row in result.spread_rows}
    weak, strong, both = (spreads[name]["value"] for name in (WEAK, STRONG, "difference"))
    if result.kinds[WEAK] == result.kinds[STRONG]:
        return [f"The best and the worst seat are {_apart(weak)} points apart with {result.kinds[WEAK]} at every seat."]
    text = (
        f"The best and the worst seat are {_apart(weak)} points apart with {result.kinds[WEAK]} at every seat, "
        f"{_apart(strong)} with {result.kinds[STRONG]} (by chance alone {100 * spreads[WEAK]['by_chance']:.1f})"
    )
    if both.low > 0:
        return [f"{text}: the seat matters more to those who play well."]
    if both.high < 0:
        return [f"{text}: the seat matters less to those who play well."]
    return [f"{text}: no sure difference."]


def _apart(spread: Estimate) -> str:
    digits = form.row_decimals(spread, "share")
    low = max(spread.low, 0.0)
    span = f"{form.fixed(100 * low, digits)} to {form.fixed(100 * spread.high, digits)}"
    return f"{form.fixed(100 * spread.estimate, digits)} ({span})"


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Skill) -> list[Verdict]:
    """How much is skill, and how soon it shows."""
    return [Verdict(_parts(result)[-1], _leads(result)[0], "", "skill")]


def questions(view: View, result: Skill) -> Iterable[Question]:
    """The question on the page."""
    plan = result.plan
    ladder = view.rows("skill_ladder", measure="wins")
    yield Question(
        "skill",
        "Skill or luck?",
        tuple(_sentences(result)),
        _picture(view, result),
        tuple(_tables(view, result)),
        (
            f"From {result.games:,} games: mixed fields of {len(result.names)} strategies, {plan.deals:,} deals a table in every seating; as many "
            f"other deals for the ladder; {result.tables[WEAK][0].deals:,} deals for each table of one kind; seed {plan.seed}. "
            f"Intervals of 95 %: {methods(ladder)}.",
            "How large a part skill is depends on who plays: the parts are those among these strategies.",
            "Games to lead: the fewest after which the better of two has won more, a draw being no lead, with a chance of 95 %; "
            "the other seats are taken by players of either kind, seats and deals are drawn anew.",
        ),
        tuple(result.frames),
    )


def _picture(view: View, result: Skill) -> Picture:
    ladder = view.rows("skill_ladder", measure="wins")
    steps = ladder.assign(name=[f"{row.upper} over {row.lower}" for row in ladder.itertuples()])
    margin = draw.name_margin(list(steps["name"]))

    def rungs(axes: Sequence[Any]) -> None:
        draw.plot_shares(steps, axes[0], fair=0.5, accent=str(steps["name"].iloc[-1]))
        axes[0].set_xlabel("of the wins of the two; dashed: alike")

    panels = [
        Panel("Each strategy over the next one down", rungs, 230 + margin, 66 + 17 * len(steps), (margin, 14, 36, 26))
    ]
    for measure, told in RESULT_WORDS.items():
        rows = view.rows("skill_components", result=measure) if "skill_components" in result.frames else None
        if rows is None or not len(rows):
            continue
        wide = draw.name_margin(SOURCES)

        def parts(axes: Sequence[Any], rows: pd.DataFrame = rows) -> None:
            if PLANNED in result.fields:
                draw.plot_dumbbells(rows, axes[0], name="source", by="field", pair=(PLANNED, EVERYBODY), unit="share")
            else:
                draw.plot_names(rows, axes[0], name="source", unit="share")
            axes[0].set_xlabel("per cent of the variance")

        panels.append(
            Panel(
                f"Where the spread of {told} comes from", parts, 250 + wide, 66 + 22 * len(SOURCES), (wide, 14, 36, 26)
            )
        )

    def seats(axes: Sequence[Any]) -> None:
        draw.plot_seats(view.rows("skill_seats"), axes[0], base=STRONG, mixed=WEAK)
        axes[0].set_ylabel("points from the fair share")

    panels.append(Panel("Seats where all play alike", seats, 270, 200))
    plan = result.plan
    key = (
        Key(f"all strategies; {result.kinds[STRONG]} at every seat", draw.ACCENT),
        Key(f"all but random; {result.kinds[WEAK]} at every seat", draw.SECOND, "s", is_open=True),
    )
    return Picture(
        "skill",
        "What each strategy wins of the wins of itself and the next one down; from where the spread of results comes; and each seat's distance from "
        f"the fair share at a weak and at a strong table. {result.games:,} games, {plan.seats} players, seed {plan.seed}.",
        f"Dots with intervals. {' '.join(_sentences(result))}",
        tuple(panels),
        2,
        key,
    )


def _tables(view: View, result: Skill) -> Iterable[Table]:
    yield _ladder_table(view)
    if "skill_components" in result.frames:
        yield from _component_tables(view, result)
    yield estimates(
        view.rows("skill_seats"),
        "skill_seats",
        "Share of wins of each seat with one strategy at every seat: random play, and the strongest.",
        down={"strategy": "at every seat"} if result.kinds[WEAK] != result.kinds[STRONG] else {"table": "table"},
        unit="share",
        across="seat",
        head=lambda seat: f"seat {seat}",
        is_long=True,
    )
    spread = view.rows("skill_spread")
    body = tuple(
        (
            Cell(f"{row.strategy} at every seat" if row.strategy else "strong less weak"),
            number_cell(row, "share"),
            Cell(f"{100 * row.by_chance:.2f}{form.NBSP}%" if math.isfinite(row.by_chance) else "–"),
        )
        for row in spread.itertuples()
    )
    yield Table(
        "How far the best seat is from the worst, and how far it would be on the average if they were alike.",
        "skill_spread",
        ("table", "apart", "by chance"),
        body,
        is_long=True,
    )
    yield estimates(
        view.rows("skill_strength"),
        "skill_strength",
        "Share of wins of each strategy in the mixed field of all, over the seats it takes; the order of the ladder.",
        down={"name": "strategy"},
        unit="share",
        head="wins",
        is_long=True,
    )


def _ladder_table(view: View) -> Table:
    body = []
    rows = view.frames["skill_ladder"]
    for row in rows[rows["measure"] == "wins"].itertuples():
        same = (rows["upper"] == row.upper) & (rows["lower"] == row.lower) & (rows["measure"] == "games")
        p = row.p_value
        body.append(
            (
                Cell(row.upper),
                Cell(row.lower),
                number_cell(row, "share", 1),
                value_cell(row, "p_value", "below 0.001" if p < 0.001 else form.fixed(p, 3)),
                _games_cell(one(rows[same])),
            )
        )
    return Table(
        "Each strategy against the next one down, and the first against the last: what it wins of the wins of the two, the p-value (Holm over "
        "the steps), and after how many games it has won more than the other with a chance of 95 %.",
        "skill_ladder",
        ("strategy", "against", "wins", "p-value", "games to lead"),
        tuple(body),
        2,
    )


def _games_cell(row: Any) -> Cell:
    """A number of games, or words where it is infinite."""
    if math.isinf(row.low):
        return Cell("never", note="the other leads")
    if math.isinf(row.high):
        return Cell(f"over {form.about(row.low)}", note="the two cannot be told apart")
    return Cell(f"{row.estimate:,.0f}", f"{row.low:,.0f} to {row.high:,.0f}", repr(float(row.estimate)), int(row.Index))


def _component_tables(view: View, result: Skill) -> Iterable[Table]:
    about = "; ".join(f"{source}: {ABOUT[source]}" for source in SOURCES)
    rows = view.rows("skill_components")
    for name in result.fields:
        some = rows[rows["field"] == name]
        if len(some):
            yield estimates(
                some,
                "skill_components",
                f"Parts of the variance of results {'of the field of all' if name == EVERYBODY else 'of the field without random play'} "
                f"({about}). A small part may come out below 0.",
                down={"source": "part"},
                unit="share",
                across="result",
                head=lambda measure: RESULT_WORDS[measure],
                is_long=name != EVERYBODY,
            )
