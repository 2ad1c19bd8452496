"""Answers in a sentence, and numbers turned into evenings at a table. Every sentence is built here from rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

from reports import format as form
from simcore.game import Pace

NOTICED, RECORDED = 150, 1_000  # games: a group notices in a year; only somebody who keeps records would
Z = NormalDist().inv_cdf


# --- in a table's words ------------------------------------------------------------------------------------


def games_to_notice(share: float, fair: float) -> float:
    """Games after which a count of wins would show that a share is not the fair one, nine times in ten (5 % error)."""
    gap = abs(share - fair)
    if gap == 0:
        return math.inf
    return ((Z(0.975) * math.sqrt(fair * (1 - fair)) + Z(0.9) * math.sqrt(share * (1 - share))) / gap) ** 2


def evening(players: int, games: int = 5, wins: int = 3) -> float:
    """Chance that somebody wins at least `wins` of `games`, more than half, in a perfectly fair game."""
    p = 1 / players
    return players * sum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in range(wins, games + 1))


def in_ten_games(row: Any, fair: float) -> str:
    """What a share means in ten games."""
    return (
        f"In ten games that is {form.fixed(10 * row.estimate, 1)} wins where {form.fixed(10 * fair, 1)} would be fair."
    )


def noticing(row: Any, fair: float) -> str:
    """Who would notice."""
    games = games_to_notice(row.estimate, fair)
    if row.low <= fair <= row.high:
        return "Nobody could tell it from chance."
    if games <= NOTICED:
        return f"A regular group notices: the count is clear after about {form.about(games)} games."
    if games <= RECORDED:
        return f"Only a group that keeps records notices: the count is clear after about {form.about(games)} games."
    return f"Nobody notices at the table: the count is clear only after about {form.about(games)} games."


def skill(row: Any) -> str:
    """What random play wins."""
    return f"Skill counts: {row.name}, which takes any legal choice, wins {form.estimate(row, 'share')} of the seats it takes."


def other_tables(row: Any, players: int) -> str:
    """The least even of the other strategies' tables, told by its seat that is farthest off."""
    fair = 1 / players
    return (
        f"Other ways of playing shift the balance: least even is {row.table} against itself, "
        f"where seat {row.seat} wins {form.estimate(row, 'share')} of {table_of(players)}, {gap(row, fair)}."
    )


def by_chance(players: int) -> str:
    """How unfair a fair game looks."""
    share = evening(players)
    return (
        f"Chance alone looks unfair: with {form.count(players, 'player')} in a perfectly fair game, "
        f"{form.fixed(100 * share, 0)} of 100 evenings of five games see one of them win three or more."
    )


# --- seats -------------------------------------------------------------------------------------------------


def table_of(players: int) -> str:
    """`four-player games`."""
    return f"{form.SMALL_NUMBERS[players]}-player games"


def gap(row: Any, fair: float) -> str:
    """How far a share is from the fair one, in points."""
    points = 100 * (row.estimate - fair)
    text = form.fixed(abs(points), form.decimals(form.half_width(row, "share")))
    if float(text) == 0:
        return "just its fair share"
    return f"{text} points {'more' if points > 0 else 'less'} than its fair share"


def tolerance_words(tolerance: float) -> str:
    """`1 point`, `0.5 points`."""
    points = f"{100 * tolerance:g}"
    return f"{points} point{'' if points == '1' else 's'}"


def seat_verdict(row: Any, players: int, verdict: str, tolerance: float) -> str:
    """The verdict on the seats of a table, told by the seat that is farthest off."""
    fair, within = 1 / players, tolerance_words(tolerance)
    told = f"seat {row.seat} wins {form.estimate(row, 'share')} of {table_of(players)}, {gap(row, fair)}"
    if verdict == "fair":
        return f"The seats are fair within {within}: the farthest off, {told}."
    if verdict == "not fair":
        return f"The seats are not fair within {within}: {told}."
    return f"Whether the seats are fair within {within} is open: {told}."


def mixed_seat(row: Any) -> str:
    """The seat that is farthest off where strategies are mixed."""
    return f"At a mixed table the farthest off is seat {row.seat} with {form.estimate(row, 'share')}."


def best_mixed(rows: Mapping[int, Any]) -> str:
    """Which strategy wins most at mixed tables, by number of players."""
    told = [f"{row.name} with {players} players, {form.estimate(row, 'share')}" for players, row in rows.items()]
    return f"At mixed tables, where all kinds meet, the most wins go to {'; to '.join(told)}."


def seat_counts(verdicts: Mapping[int, str], tolerance: float) -> str:
    """The verdicts at several numbers of players."""
    within = tolerance_words(tolerance)
    found = {
        word: form.listed([str(n) for n, verdict in verdicts.items() if verdict == word]) for word in verdicts.values()
    }
    known = [f"{word} with {found[word]}" for word in ("fair", "not fair") if word in found]
    if not known:
        return f"Whether the seats are fair within {within} is open with {found['open']} players."
    rest = f"; with {found['open']} it is open" if "open" in found else ""
    return f"Within {within}, the seats are {form.listed(known)} players{rest}."


# --- strategies --------------------------------------------------------------------------------------------


def best_strategy(row: Any, fair: float, players: int) -> str:
    """Which strategy wins most."""
    return (
        f"In duplicate play with {form.count(players, 'player')}, {row.name} wins most: {form.estimate(row, 'share')} of the seats it takes "
        f"against the others, one kind at a time; its fair share is {form.fixed(100 * fair, 0 if (100 * fair).is_integer() else 1)}{form.NBSP}%."
    )


def dominance(name: str, beaten: Sequence[str], unsure: Sequence[str], beats: Sequence[str]) -> str:
    """Whether a strategy beats all others; `unsure` differ too little to tell, `beats` beat it."""
    if not unsure and not beats and len(beaten) == 1:
        return f"It beats {beaten[0]}, the only other one."
    if not unsure and not beats:
        return f"It beats each of the other {form.count(len(beaten), 'strategy', 'strategies')}: none of those tried is an answer to it."
    parts = []
    if beats:
        parts.append(f"loses to {form.listed(beats)}")
    if unsure:
        parts.append(f"cannot be told from {form.listed(unsure)}")
    return f"{name} {' and '.join(parts)}: it is no answer to everything."


# --- tension -----------------------------------------------------------------------------------------------


def comeback(pace: Pace, row: Any, fair: float) -> str:
    """Whether the last can still win."""
    when = pace.when.format(row.round)
    return f"Whoever is last alone {when} still wins {form.estimate(row, 'share')} of such games, against {form.fixed(100 * fair, 0)}{form.NBSP}% at the start."


def lead_change(pace: Pace, row: Any, is_final: bool) -> str:
    """How often the lead is lost."""
    when = pace.ending if is_final else pace.step.format(row.until)
    return f"{form.capital(when)} takes the lead away in {form.estimate(row, 'share')} of games."


# --- how sure ----------------------------------------------------------------------------------------------


def firmness(counts: Mapping[str, int], components: Sequence[str]) -> str:
    """Whether numbers depend on reconstructed components."""
    if not counts:
        return ""
    total, firm, dependent = sum(counts.values()), counts.get("firm", 0), counts.get("dependent", 0)
    what = form.listed(components)
    if dependent:
        return f"Depends on the reconstructed {what}: {dependent} of {form.count(total, 'number')} change when they are redrawn."
    if firm == total:
        return f"Firm: no number changes when the reconstructed {what} are redrawn."
    return f"Mostly firm: with the reconstructed {what} redrawn no number is sure to change; {total - firm} of {total} are not known well enough to say."


def best_again(counts: Mapping[str, int], components: Sequence[str]) -> str:
    """Whether the best strategy is best with reconstructed components redrawn."""
    if not counts:
        return ""
    what = f"with the reconstructed {form.listed(components)} redrawn"
    if counts.get("dependent"):
        return f"Depends on them: {what} another strategy wins most."
    return (
        f"Firm: {what} the same strategy wins most."
        if counts.get("firm")
        else f"Open: {what} no strategy is sure to win most."
    )


def firm_word(counts: Mapping[str, int], components: Sequence[str]) -> str:
    """In a word, whether numbers depend on reconstructed components."""
    if not counts:
        return ""
    if counts.get("dependent"):
        return f"depends on the reconstructed {form.listed(components)}"
    is_firm = counts.get("firm", 0) == sum(counts.values())
    return "firm" if is_firm else f"may depend on the reconstructed {form.listed(components)}"


def trend(rows: Sequence[Any], unit: str, when: Callable[[Any], str]) -> str:
    """`falls from 15.5 (..) in round 1 to 12.8 (..) in round 5`, rises, or hardly moves; with the peak or low between."""
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        return f"is {form.estimate(first, unit)} {when(first)}"
    if last.low > first.high or last.high < first.low:
        verb = "rises" if last.low > first.high else "falls"
        text = f"{verb} from {form.estimate(first, unit)} {when(first)} to {form.estimate(last, unit)} {when(last)}"
    else:
        text = f"is much the same at both ends, {form.estimate(first, unit)} {when(first)} and {form.estimate(last, unit)} {when(last)}"
    peak, low = (choose(rows, key=lambda row: row.estimate) for choose in (max, min))
    if peak.low > max(first.high, last.high):
        text += f", with a peak of {form.estimate(peak, unit)} {when(peak)}"
    if low.high < min(first.low, last.low):
        text += f", with a low of {form.estimate(low, unit)} {when(low)}"
    return text
