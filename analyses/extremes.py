"""Which games should one read? The closest, the most one-sided, the greatest comeback, each by its deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analyses.inputs import make_plan
from analyses.tallied import Rows
from simcore.batch import replay_command
from simcore.game import RANK, SCORE, WIN, Game
from simcore.plan import play_part
from simcore.rules import RuleSet

LENGTHS = ("length", "turns")  # outcome columns that tell how long a game was


def extreme_rows(
    game: Game, table: Sequence[Any], rules: RuleSet, deals: int, seed: int, names: Sequence[str] | None = None
) -> Rows:
    """A row a remarkable game of the first `deals`: `what`, `value`, `unit`, `deal`, `searched`, `command`.

    Parameters
    ----------
    table : a strategy per seat
    names : how the strategies are named on a command line
    """
    plan = make_plan(game, [table], rules, deals, seed, has_rows=True, part_deals=deals)
    outcomes = play_part(plan, 0, deals).rows
    assert outcomes is not None
    named = list(names or [strategy.name for strategy in table])
    rows = []
    for what, unit, score, toward in _searches(game, rules):
        values = score(outcomes[0, :, 0])
        if values.min() == values.max():
            continue  # nothing stands out
        deal = int(np.argmax(values * toward))
        command = replay_command(game, rules, named, seed, deal)
        if len(set(named)) == 1:  # one name stands for all seats
            command = command.replace(",".join(named), named[0])
        row = {
            "what": what,
            "value": int(values[deal]),
            "unit": unit,
            "deal": deal,
            "searched": deals,
            "command": command,
        }
        rows.append(row)
    return rows


def _searches(game: Game, rules: RuleSet) -> list[tuple[str, str, Callable[[np.ndarray], np.ndarray], int]]:
    """What is looked for, its unit, a number per game of outcomes (games, seats, columns), and 1 for the greatest."""
    unit = game.measures.get("score", "points")
    found: list[tuple[str, str, Callable[[np.ndarray], np.ndarray], int]] = [
        ("closest finish: from first to last", unit, _spread, -1),
        ("most one-sided: lead of the winner", unit, _margin, 1),
        ("lowest winning score", unit, lambda rows: rows[:, :, SCORE].max(axis=1), -1),
    ]
    reached = game.reached(rules)
    for label, column in list(zip(reached, game.standing_columns, strict=False))[len(reached) // 2 : -1]:
        found.append((f"greatest comeback: winner's gap after round {label}", unit, _gap(column), 1))
    for name in LENGTHS:
        if name in game.outcome_columns:
            at = game.column(name)
            found += [("longest game", name, _most(at), 1), ("shortest game", name, _most(at), -1)]
    for name, of in game.measures.items():
        if name != "score":
            found.append((f"most {name} at the end", of, _most(game.column(name)), 1))
    return found


def _spread(rows: np.ndarray) -> np.ndarray:
    return np.ptp(rows[:, :, SCORE], axis=1)


def _margin(rows: np.ndarray) -> np.ndarray:
    """Score of the winner less the best of the others; 0 where a win is shared."""
    first = rows[:, :, RANK] == 1
    best = np.where(first, rows[:, :, SCORE], np.iinfo(np.int32).min).max(axis=1)
    others = np.where(first, np.iinfo(np.int32).min, rows[:, :, SCORE]).max(axis=1)
    return np.where(first.sum(axis=1) == 1, best - others, 0)


def _gap(column: int) -> Callable[[np.ndarray], np.ndarray]:
    """How far the winner lay behind the leader of that standing; the least of those who share a win."""

    def gap(rows: np.ndarray) -> np.ndarray:
        behind = rows[:, :, column].max(axis=1, keepdims=True) - rows[:, :, column]
        return np.where(rows[:, :, WIN] > 0, behind, np.iinfo(np.int32).max).min(axis=1)

    return gap


def _most(column: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: rows[:, :, column].max(axis=1)
