"""A batch: (rules, table, seed, first deal, count) to outcome rows and tallies. A pure function."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from simcore.errors import AssayError, IllegalAnswerError
from simcore.game import Game
from simcore.rules import RuleSet
from simcore.state import FAULTS


class Player(Protocol):
    """What a batch needs of a strategy."""

    name: str
    path: Any
    values: Sequence[float]
    baseline: Sequence[float]
    hooks: Any


@dataclass(frozen=True)
class Batch:
    """What a batch gives.

    Attributes
    ----------
    outcomes : int32 array, shape (deals, rotations, seats, outcome columns)
    tallies : TALLY records, one a group of deals
    n_asked : decisions asked
    state : STATE record, shape (1,), after the last game
    """

    outcomes: np.ndarray
    tallies: np.ndarray
    n_asked: int
    state: np.ndarray


def play_batch(
    game: Game,
    rules: RuleSet,
    filled: np.ndarray,
    table: Sequence[Player],
    seed: int,
    first: int,
    count: int,
    n_rotations: int = 1,
    groups: np.ndarray | None = None,
    is_logged: bool = False,
) -> Batch:
    """Play `count` deals from `first` on at one table.

    Parameters
    ----------
    filled : RULES record, shape (1,), as `game.fill_rules` makes it of `rules`
    table : a strategy per seat; in rotation k the seat p is taken by strategy (p + k) mod seats
    n_rotations : 1, or the number of seats for duplicate play
    groups : int64 array, shape (count,); whole numbers from 0 that tell which tallies each deal is counted in

    Raises
    ------
    IllegalAnswerError
        If a strategy answers what the rules do not allow, or fails; it says how to replay that game.
    AssayError
        If a strategy changed the rules.
    """
    engine = game.engine
    states = np.zeros(1, engine.STATE)
    states["is_logged"] = is_logged
    for player, strategy in enumerate(table):
        states["weights"][0, player, : len(strategy.values)] = strategy.values
        states["baseline"][0, player, : len(strategy.baseline)] = strategy.baseline
    groups = np.zeros(count, np.int64) if groups is None else groups
    tallies = np.zeros(int(groups[-1]) + 1, game.tally_dtype)
    seats = len(table)
    outcomes = np.zeros((count * n_rotations, seats, len(game.outcome_columns)), np.int32)
    padded = [*table, *[table[0]] * (game.max_seats - seats)]
    hooks = [tuple(player.hooks[decision.name] for player in padded) for decision in game.decisions]
    from simcore.kernel import IS_JITTED, entry  # here with the engine, not before: it brings in the compiler

    overflow_allowed = np.errstate(over="ignore") if not IS_JITTED else nullcontext()
    in_force = filled.copy()  # strategies see it, and could write into it
    try:
        with overflow_allowed:
            play = entry(engine.play)
            play(states, in_force, tallies, outcomes, groups, seed, first, n_rotations, *hooks)
    except Exception as fault:
        illegal = _illegal(game, rules, table, states[0], seed, fault)
        illegal.state = states
        raise illegal from fault
    if (in_force != filled).any():
        names = ", ".join(dict.fromkeys(player.name for player in table))
        raise AssayError(f"a strategy wrote into the rules, which it may only read: one of {names}")
    shape = (count, n_rotations, *outcomes.shape[1:])
    return Batch(outcomes.reshape(shape), tallies, int(states["n_asked"][0]), states)


def replay_command(game: Game, rules: RuleSet, table: Sequence[str], seed: int, deal: int) -> str:
    """The command that tells one game."""
    parts = ["assay", "play", game.name, "--seats", str(len(table)), "--seed", str(seed), "--deal", str(deal)]
    parts += ["--strategies", ",".join(table)]
    for name, value in rules.changes().items():
        flat = np.array(value).ravel().tolist()
        parts += ["--set", f"{name}={','.join(map(str, flat))}"]
    return shlex.join(parts)


def _given_name(game: Game, player: Player) -> str:
    """How a player is named on the command line: a user's file by its path."""
    from_file = player.path.parent != game.strategy_folder
    stem, _, settings = player.name.partition(":")
    given = str(player.path) if from_file else stem
    return f"{given}:{settings}" if settings else given


def _illegal(
    game: Game, rules: RuleSet, table: Sequence[Player], s: Any, seed: int, fault: Exception
) -> IllegalAnswerError:
    seats = len(table)
    seat, deal = int(s["asked_seat"]), int(s["deal"])
    by_seat = [table[int(s["player"][p])] for p in range(seats)]
    decision = game.decisions[int(s["asked_decision"])].name
    if s["fault"]:
        wrong = f"answered '{decision}' with {int(s['fault_answer'])}, which {FAULTS[int(s['fault'])]}"
    else:
        wrong = f"failed in '{decision}': {type(fault).__name__}: {fault}"
    replay = replay_command(game, rules, [_given_name(game, p) for p in by_seat], seed, deal)
    return IllegalAnswerError(
        f"strategy '{by_seat[seat].name}' at seat {seat + 1} of deal {deal} {wrong}; replay: {replay}"
    )
