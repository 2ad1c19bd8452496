"""What to try next: a sentence and the command for it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

from analyses.statistics import deals_needed
from analyses.survey import changed_rules
from reports import format as form
from reports.content import Advice, farthest, own_words
from reports.seats import whole_verdict
from reports.strategies import ranking, standing_against
from reports.tables import View, one
from reports.tune import setting_text
from simcore.rules import Rule
from strategies import BASELINE

MOST_ADVICE = 5
FIRST_GUESS = 0.05  # of what a seat starts with
MORE_DEALS = 10  # times as many as in the report


def advice(view: View) -> list[Advice]:
    """What to try next, the most useful first."""
    found = [
        *_tuned_advice(view),
        *_seat_advice(view),
        *_strategy_advice(view),
        *_component_advice(view),
        *_reading_advice(view),
    ]
    return found[:MOST_ADVICE]


def _command(view: View, verb: str, *parts: str, seats: int, deals: int) -> str:
    """A command for this game under these rules."""
    words = ["assay", verb, view.game.name, *parts, "--seats", str(seats), "--deals", str(deals)]
    words += ["--seed", str(view.survey.seed), *changed_rules(view.survey.rules)]
    return shlex.join(words)


def _run_command(view: View, seats: int, deals: int, *more: str) -> str:
    """A command that plays the table of the first strategy again."""
    base = [] if view.base == BASELINE else ["--strategies", view.survey.commands[view.base]]
    plain = _command(view, "run", *base, seats=seats, deals=deals)
    return f"{plain} {shlex.join(more)}" if more else plain


def _seat_advice(view: View) -> Iterable[Advice]:
    """Even out a seat that is not fair; play more where it is open, at one number of players."""
    verdicts = {n: whole_verdict(view, n, view.base) for n in sorted(view.survey.sizes, key=lambda n: n != view.main)}
    tuned = view.survey.further.get("tune")
    for n in [n for n, verdict in verdicts.items() if verdict == "not fair"]:
        if not (tuned is not None and tuned.is_better and n == tuned.seats):  # a search knows better than a first guess
            yield from _even_out(view, n)
    for n in [n for n, verdict in verdicts.items() if verdict == "open"][:1]:
        yield _settle(view, n)


def _tuned_advice(view: View) -> Iterable[Advice]:
    """The setting that a search found better on fresh deals."""
    tuned = view.survey.further.get("tune")
    if tuned is not None and tuned.is_better:
        row, unit = tuned.rows[len(tuned.goals)], tuned.goals[0].unit
        changes = [part for change in tuned.command for part in ("--set", change)]
        yield Advice(
            f"Try {setting_text(tuned, tuned.best)}: the seats then differ by {form.estimate(row['level'], unit)} on fresh deals.",
            _run_command(view, tuned.seats, view.survey.deals, *changes),
        )


def _farthest_seat(view: View, players: int) -> Any:
    return farthest(view.rows("seats", players=players, table=view.base, measure="win_share"), 1 / players)


def _even_out(view: View, players: int) -> Iterable[Advice]:
    row = _farthest_seat(view, players)
    rule = _seat_rule(view)
    if rule is None:
        return
    value = int(view.survey.rules.values[rule.name][row.seat - 1])
    step = max(1, round(FIRST_GUESS * value)) * (-1 if row.estimate > 1 / players else 1)
    unit = rule.unit.removesuffix("s") if abs(step) == 1 else rule.unit
    act = f"Take {-step} {unit} from" if step < 0 else f"Give {step} {unit} to"
    fair = form.fixed(100 / players, 0 if 100 % players == 0 else 1)
    yield Advice(
        f"{act} seat {row.seat} at the start with {form.count(players, 'player')} "
        f"({form.words(rule.name)}; a first guess), and see whether its share moves towards {fair}{form.NBSP}%.",
        _run_command(
            view,
            players,
            view.survey.deals,
            "--set",
            f"{rule.name}[{row.seat}]={min(max(value + step, rule.low), rule.high)}",
        ),
    )


def _settle(view: View, players: int) -> Advice:
    row, tolerance, played = _farthest_seat(view, players), view.survey.tolerance, view.survey.deals
    slack = abs(abs(row.estimate - 1 / players) - tolerance)
    needed = deals_needed(row, max(slack, tolerance / 5), played)
    deals = _rounded_up(max(needed, 2 * played))
    return Advice(
        f"Settle whether the seats are fair with {form.count(players, 'player')}: about {deals:,} deals would tell.",
        _run_command(view, players, deals),
    )


def _seat_rule(view: View) -> Rule | None:
    """The rule that gives each seat some of what the game measures at the end, such as money."""
    own = own_words(view.game.name)
    if own is not None:
        return view.game.rules.rule(own.seat_rule(view.survey.rules))
    units = set(view.game.measures.values())
    rules = view.game.rules.rules.values()
    return next((rule for rule in rules if rule.axes == ("seat",) and rule.unit in units), None)


def _rounded_up(n: int) -> int:
    """To one significant digit, upwards."""
    unit = 10 ** (len(str(n)) - 1)
    return -(-n // unit) * unit


def _strategy_advice(view: View) -> Iterable[Advice]:
    comparison = view.survey.comparison
    if comparison is None:
        return
    best, second = list(ranking(view)["name"])[:2]
    names = [view.survey.commands[best], view.survey.commands[second]]
    if second in standing_against(view, best)[1]:
        text = f"Tell {best} from {second}: their difference is still open."
    else:
        text = f"Look for an answer to {best}: write a strategy in a file of your own and play it against the best two."
        names.append("mine.py")
    deals = MORE_DEALS * comparison.plan.deals
    yield Advice(text, _command(view, "compare", *names, seats=comparison.plan.seats, deals=deals))


def _component_advice(view: View) -> Iterable[Advice]:
    if view.reconstructed and len(view.frames["redrawn"]):
        yield Advice(
            f"Put in the true {form.listed(view.reconstructed)} if you own the game: the rules list shows which numbers are reconstructed.",
            f"assay rules {view.game.name}",
        )


def _reading_advice(view: View) -> Iterable[Advice]:
    rows = view.frames["extremes"]
    if len(rows):
        row = one(rows)
        yield Advice("Read one game move by move to see whether these strategies play as people do.", row.command)
