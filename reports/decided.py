"""When a game is decided: sentences, figure and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from analyses.decided import END, SINGLE, Decided
from reports import figures as draw
from reports import format as form
from reports.content import Question, Verdict
from reports.figures import Panel, Picture
from reports.tables import Cell, Table, View, estimates, number_cell
from reports.terminal import bold, share_cells, table

RUNAWAY, LOOSE = 0.6, 0.25  # of the index half-way: a leader is hardly caught, or hardly ahead


# --- on a terminal -----------------------------------------------------------------------------------------


def words(result: Decided) -> str:
    """By standing: games decided there, won from behind and from the last place, the runaway index; then sentences."""
    plan = result.plan
    kinds = list(dict.fromkeys(strategy.name for strategy in plan.tables[0]))
    head = f"{result.game.title}, {plan.seats} seats, {form.listed(kinds)}, {plan.deals:,} deals, {result.games:,} games, seed {plan.seed}"
    found = {row["round"]: row for row in result.round_rows}
    rows = []
    for row in result.moment_rows:
        here = found.get(row["decided"])
        cells = [_number(here["runaway"])] if here else [""]
        shares = [share_cells(here[name])[0] for name in ("behind", "last")] if here else ["", ""]
        rows.append([row["decided"], *share_cells(row["share"]), share_cells(row["until"])[0], *shares, *cells])
    heads = [
        result.game.pace.axis,
        "decided here",
        "interval",
        "by then",
        "won from behind",
        "by the last",
        "runaway index",
    ]
    return "\n".join([bold(head), table(heads, rows, "lrrrrrr"), *sentences(result)])


def _number(estimate: Any) -> str:
    digits = form.decimals((estimate.high - estimate.low) / 2)
    return f"{form.fixed(estimate.estimate, digits)}"


# --- in sentences ------------------------------------------------------------------------------------------


def sentences(result: Decided) -> list[str]:
    """When, how tightly, and by whom."""
    pace, middle = result.game.pace, result.round_rows[max(len(result.labels) // 2 - 1, 0)]
    usual = max(result.moment_rows, key=lambda row: row["share"].estimate)
    when = pace.ending if usual["decided"] == END else pace.when.format(usual["decided"])
    verb = "by" if usual["decided"] == END else ""
    lines = [
        f"Games are decided most often {verb + ' ' if verb else ''}{when}: {_share(usual['share'])} of them, after {_share(result.single['decided_at'])} of the way on average.",
        f"The lead changes hands {form.estimate(result.single['lead_changes'], 'times')} a game; {_share(middle['behind'])} are won by somebody who was behind "
        f"{pace.when.format(middle['round'])}, {_share(middle['last'])} by one who was last.",
        f"A leader {pace.when.format(middle['round'])} {_runaway(middle['runaway'])}.",
    ]
    if result.kingmaking is not None:
        lines.append(
            f"A seat that wins neither way decides which other seat wins in {_share(result.kingmaking)} of games, by playing {result.rival} instead."
        )
    return lines


def _share(estimate: Any) -> str:
    return form.estimate(estimate, "share")


def _runaway(index: Any) -> str:
    told = f"(runaway index {_number(index)}: 0 a leader wins no more than others, 1 always)"
    if index.low > RUNAWAY:
        return f"is hardly ever caught {told}"
    if index.high < LOOSE:
        return f"has little to show for it {told}"
    return f"is ahead but not home {told}"


# --- in the report -----------------------------------------------------------------------------------------


def verdicts(view: View, result: Decided) -> list[Verdict]:
    """When it is decided."""
    first, _, third, *_ = sentences(result)
    return [Verdict(first, third, "", "decided")]


def questions(view: View, result: Decided) -> Iterable[Question]:
    """The question on the page."""
    plan = result.plan
    kinds = list(dict.fromkeys(strategy.name for strategy in plan.tables[0]))
    king = (
        (
            f"Kingmaking: the same deals with {result.rival} at each seat in turn; counted are games in which that seat wins neither way. It shows how much "
            "a loser's play sways who wins, not whether he means it.",
        )
        if result.rival
        else ()
    )
    yield Question(
        "decided",
        "When is it decided, and can a loser choose the winner?",
        tuple(sentences(result)),
        _picture(view, result),
        tuple(_tables(view, result)),
        (
            f"From {result.games:,} games, {plan.deals:,} deals with {form.listed(kinds)} at the table, seed {plan.seed}. Decided is a game at the first standing from "
            "which on a winner leads, alone or with others.",
            *king,
        ),
        ("decided", "decided_moment", "decided_rounds", "decided_deficits"),
    )


def _picture(view: View, result: Decided) -> Picture:
    moments = view.rows("decided_moment", measure="share")
    rounds = view.rows("decided_rounds", measure="runaway")
    label = result.game.pace.axis

    def where(axes: Sequence[Any]) -> None:
        draw.plot_by(moments, axes[0], x="decided", unit="share", is_from_zero=True, label=label)

    def runaway(axes: Sequence[Any]) -> None:
        draw.plot_by(rounds, axes[0], x="round", unit="", label=label, ylabel="0: even, 1: always")
        axes[0].set_ylim(min(0, axes[0].get_ylim()[0]), 1.03)

    told = "; ".join(f"{row.decided} {form.value(row, 'share')}" for row in moments.itertuples())
    return Picture(
        "decided",
        f"Left: where games are decided, share of games. Right: the runaway index, how much more than others those who lead win. {result.plan.deals:,} games, "
        f"{result.seats} players, seed {result.plan.seed}.",
        f"Share of games decided at each standing: {told}.",
        (
            Panel("Decided at", where, 290, 200, (48, 14, 36, 26)),
            Panel("Runaway index", runaway, 290, 200, (48, 14, 36, 26)),
        ),
        2,
    )


def _tables(view: View, result: Decided) -> Iterable[Table]:
    single = view.frames["decided"]
    yield Table(
        "Whole games.",
        "decided",
        ("figure", "value"),
        tuple((Cell(form.capital(SINGLE[row.figure][1])), number_cell(row, row.unit)) for row in single.itertuples()),
        1,
    )
    heads = {"behind": "won from behind", "last": "won by the last", "runaway": "runaway index"}
    yield estimates(
        view.frames["decided_rounds"],
        "decided_rounds",
        "By standing: games won by somebody who was behind then, or last; and the runaway index.",
        down={"round": result.game.pace.axis},
        unit=lambda measure: "" if measure == "runaway" else "share",
        across="measure",
        head=lambda measure: heads[measure],
        is_long=len(result.labels) > 8,
    )
    yield estimates(
        view.frames["decided_deficits"],
        "decided_deficits",
        "The largest lead of others over the winner that was made good in a game: quantiles over games.",
        down={"quantile": "quantile"},
        unit=next(iter(view.game.measures.values()), ""),
        head="made good",
        is_long=True,
    )
