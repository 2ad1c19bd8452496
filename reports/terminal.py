"""Results as a screen of text, numbers never wider than their interval warrants."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from analyses.comparison import Comparison
from analyses.run import Run
from analyses.seats import fairness, seat_share
from analyses.sequential import A_IS_BETTER, B_IS_BETTER, NO_SUCH_DIFFERENCE, OPEN
from analyses.statistics import Estimate, deals_needed
from reports.format import count, decimals
from simcore.rules import RuleSet

WIDTH = 100
TOLERANCE = 0.01
MANY_ENTRIES = 20  # of a rule, which are then told one by one
MANY_CHANGES = 6


def games(rows: Sequence[dict[str, Any]]) -> str:
    """The games and their seats."""
    return table(
        ["game", "seats", "title"], [[r["name"], f"{r['seats'][0]}-{r['seats'][-1]}", r["title"]] for r in rows], "lll"
    )


def strategies(rows: Sequence[dict[str, Any]]) -> str:
    """Each strategy's plan and weights."""
    blocks = []
    for row in rows:
        lines = [bold(row["name"]), *textwrap.wrap(row["plan"], WIDTH - 2, initial_indent="  ", subsequent_indent="  ")]
        for weight in row["parameters"]:
            head = f"{weight['name']}={weight['default']:g}"
            lines.append(f"    {head:24} {weight['low']:g} to {weight['high']:g}  {weight['about']}")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def rules(rows: Sequence[dict[str, Any]]) -> str:
    """Each rule with its value, bounds and provenance."""
    cells = []
    for row in rows:
        value = _rule_value(row["value"]) + ("" if row["value"] == row["default"] else " *")
        words = row["provenance"]
        if not isinstance(words, str):
            flat = np.ravel(words).tolist()
            words = ", ".join(f"{flat.count(word)} {word}" for word in dict.fromkeys(flat))
        cells.append([row["name"], value, f"{row['low']}-{row['high']}", row["unit"], words, row["about"]])
    changed = "\n* changed from the default" if any(row["value"] != row["default"] for row in rows) else ""
    return table(["rule", "value", "allowed", "unit", "provenance", "about"], cells, "llllll") + changed


def run(result: Run) -> str:
    """Wins, points and the game's other measures by seat, and whether the seats are fair."""
    plan = result.plan
    head = f"{plan.game.title}, {plan.seats} seats, {plan.deals:,} deals, seed {plan.seed}{_changed(result)}"
    extra = [m for m in plan.measures if m != "win"]
    rows = [
        [str(r["seat"]), r["strategy"], *share_cells(r["win_share"]), *(number(r[m]) for m in extra)]
        for r in result.seat_rows
    ]
    names = ["points" if m == "score" else m for m in extra]
    body = table(["seat", "strategy", "wins", "95 % interval", *names], rows, "ll" + "r" * (2 + len(extra)))
    return "\n".join([bold(head), body, _worth(result), *_precise(result), *_verdict(result), *_stalled(result)])


def compare(result: Comparison) -> str:
    """Shares, who beats whom, and the differences that are sure."""
    plan = result.plan
    saved = f", duplicate play saved {result.saved:.1f} times as many" if result.saved and result.saved > 1.05 else ""
    head = f"{plan.game.title}, {plan.seats} seats, {plan.deals:,} deals, {plan.games:,} games{saved}, seed {plan.seed}"
    ordered = sorted(result.strategy_rows, key=lambda row: -row["win_share"].estimate)
    shares = table(
        ["strategy", "wins", "interval"], [[r["name"], *share_cells(r["win_share"])] for r in ordered], "lrr"
    )
    sure = sum(row["p_value"] < 0.05 for row in result.pair_rows)
    fair = f"fair share {100 * result.fair_share:.1f} %; {sure} of {len(result.pair_rows)} differences are sure (Holm, 5 %)"
    return "\n".join(
        [
            bold(head),
            *_decided(result),
            shares,
            fair,
            "",
            "wins as the only one of its kind among others:",
            _matrix(result),
        ]
    )


def _decided(result: Comparison) -> list[str]:
    """The verdict of a comparison that was played until it was decided."""
    if result.decision is None or result.stop is None:
        return []
    a, b = result.names
    words = {
        A_IS_BETTER: f"{a} is better than {b}",
        B_IS_BETTER: f"{b} is better than {a}",
        NO_SUCH_DIFFERENCE: "No such difference: neither leads by that much",
        OPEN: "Open: the most deals were played",
    }
    looked = f"looked at {result.stop.looks} times; {result.decision.method}"
    return [f"{words[result.decision.verdict]} ({looked})", "The shares are those at the stop, and lean towards it:"]


def _matrix(result: Comparison) -> str:
    names = [row["name"] for row in sorted(result.strategy_rows, key=lambda row: -row["win_share"].estimate)]
    found = {(row["name"], row["others"]): row["win_share"].estimate for row in result.alone_rows}
    rows = [
        [name, *(f"{100 * found[name, other]:.0f}" if (name, other) in found else "." for other in names)]
        for name in names
    ]
    return table(["% among", *(name[:8] for name in names)], rows, "l" + "r" * len(names))


def _verdict(result: Run) -> list[str]:
    """Which seats are fair within a point, which not, and what would tell."""
    plan = result.plan
    if len({strategy.name for table_ in plan.tables for strategy in table_}) > 1 or plan.deals < 2:
        return []
    _, each = fairness(plan, result.part, TOLERANCE)
    lines = []
    for word in ("fair", "not fair", "open"):
        seats = [str(seat + 1) for seat, verdict in enumerate(each) if verdict == word]
        if seats:
            lines.append(f"{'seat' if len(seats) == 1 else 'seats'} {', '.join(seats)} {word}")
    text = f"Fair within 1 point in 100: {'; '.join(lines)}"
    if "open" in each:
        shares = [seat_share(plan, result.part, seat) for seat, verdict in enumerate(each) if verdict == "open"]
        gaps = [abs(abs(share.estimate - 1 / plan.seats) - TOLERANCE) for share in shares]
        needed = max(
            deals_needed(share, max(gap, TOLERANCE / 5), plan.deals) for share, gap in zip(shares, gaps, strict=True)
        )
        text += f" (about {_rounded(max(needed, 2 * plan.deals)):,} deals would tell: --deals {_rounded(max(needed, 2 * plan.deals))})"
    return [text]


def _worth(result: Run) -> str:
    """How many games stand behind the shares, and how many independent ones they are worth."""
    worth = sorted(row["win_share"].n_effective for row in result.seat_rows)
    span = " to ".join(dict.fromkeys(f"{n:,.0f}" for n in (worth[0], worth[-1])))
    return f"Each share rests on {result.plan.games:,} games, worth {span} independent ones with a single winner."


def _precise(result: Run) -> list[str]:
    """How a run to a precision came to its end."""
    if result.stop is None:
        return []
    end = "Precise enough" if result.stop.is_decided else "Not yet as precise as asked: the most deals were played"
    return [f"{end} (looked at {result.stop.looks} times; the intervals hold at every look)"]


def _stalled(result: Run) -> list[str]:
    """How many games ended without a winner, of a game that can."""
    if result.unfinished is None:
        return []
    share, interval = share_cells(result.unfinished)
    return [f"Games that ended without a winner: {share} ({interval})"]


def _rounded(n: int) -> int:
    """To one significant digit, upwards."""
    unit = 10 ** (len(str(n)) - 1)
    return -(-n // unit) * unit


def _changed(result: Run) -> str:
    """What was changed: values, of a table only the entries that differ, and how many where they are many."""
    rules = result.plan.rules
    return "".join(f", {change}" for name in rules.changes() for change in _changes_of(rules, name))


def _changes_of(rules: RuleSet, name: str) -> list[str]:
    rule = rules.book.rule(name)
    value, shipped = rules.values[name], rule.default
    if len(rule.axes) < 2 and value.size <= MANY_ENTRIES:
        return [f"{name}={_rule_value(value.tolist())}"]
    cells = zip(rules.book.cells(rule), value.ravel().tolist(), shipped.ravel().tolist(), strict=True)
    differing = [f"{name}[{','.join(labels)}]={now}" for labels, now, then in cells if now != then]
    return (
        differing
        if len(differing) <= MANY_CHANGES
        else [f"{name} ({count(len(differing), 'entry', 'entries')} changed)"]
    )


def _rule_value(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if isinstance(value[0], list):
        return " ".join(",".join(map(_row, line)) for line in value)
    return str(value[0]) if len(set(value)) == 1 else ",".join(map(str, value))


def _row(value: Any) -> str:
    """An entry of a table, or a row of entries that is one."""
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)


# --- cells -------------------------------------------------------------------------------------------------


def share_cells(estimate: Estimate) -> list[str]:
    """A share in per cent and its interval."""
    half = 50 * (estimate.high - estimate.low)
    digits = decimals(half)
    return [
        f"{100 * estimate.estimate:.{digits}f} %",
        f"{100 * estimate.low:.{digits}f}-{100 * estimate.high:.{digits}f}",
    ]


def number(estimate: Estimate) -> str:
    """A mean, as precise as its interval."""
    return f"{estimate.estimate:.{decimals((estimate.high - estimate.low) / 2)}f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> str:
    """Aligned columns, two blanks apart."""
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        parts = [c.rjust(w) if a == "r" else c.ljust(w) for c, w, a in zip(cells, widths, align, strict=True)]
        return (" " + "  ".join(parts)).rstrip()

    return "\n".join([line(head), *(line(row) for row in rows)])


def paragraphs(texts: Sequence[str]) -> list[str]:
    """Texts broken at the width of a screen, one after the other."""
    return [line for text in texts for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False)]


def bold(text: str) -> str:
    """Bold on a terminal that takes it."""
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        return f"\x1b[1m{text}\x1b[0m"
    return text
