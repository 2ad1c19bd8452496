"""What a user asks for, checked and made ready: games, seats, strategies, rules, deals, seeds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import strategies
from simcore.errors import AssayError
from simcore.game import Game
from simcore.plan import Plan, Progress
from simcore.rules import RuleSet

DEFAULT_SEATS = 4
DEFAULT_SEED = 1
MAX_JOBS = 1024


@dataclass(frozen=True)
class Work:
    """How to do the work; changes no result.

    Attributes
    ----------
    jobs : parts played at a time; 0 is one a processor
    backend : a joblib backend
    out : folder where finished parts, rows and frames are kept
    progress : told deals done and deals in all
    notes : told what the user should know, a line each
    """

    jobs: int = 0
    backend: str = "threading"
    out: Path | None = None
    progress: Progress | None = None
    notes: Callable[[str], None] | None = None

    def tell(self, note: str) -> None:
        """Pass on what the user should know."""
        if self.notes is not None:
            self.notes(note)

    @property
    def n_jobs(self) -> int:
        """Parts played at a time."""
        if not 0 <= self.jobs <= MAX_JOBS:
            raise AssayError(f"jobs must be a whole number from 0 (one a processor) to {MAX_JOBS}, not {self.jobs}")
        return self.jobs or n_processors()


def n_processors() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def find_rules(game: Game, changes: Sequence[str] = (), file: str | Path | None = None) -> RuleSet:
    """The shipped rules with a file's changes, then `name=value` ones."""
    return game.rules.parse(changes, file)


def find_strategy(game_name: str, name: str) -> strategies.Strategy:
    """A compiled strategy, by name or path."""
    return strategies.load_once(game_name, _absolute(name.strip()))


def find_strategies(game: Game, given: Sequence[str]) -> list[strategies.Strategy]:
    """Compiled strategies, by name or path; files of one name are told apart by their paths."""
    found = [find_strategy(game.name, name) for name in given]
    digests: dict[str, set[str]] = {}
    for one in found:
        digests.setdefault(one.name, set()).add(one.digest)
    return [
        replace(one, name=name.strip()) if len(digests[one.name]) > 1 else one
        for one, name in zip(found, given, strict=True)
    ]


def _absolute(name: str) -> str:
    """A path from the root, so that what was loaded once is found again from another folder."""
    path, dot, settings = name.partition(".py")
    return str(Path(path + dot).absolute()) + settings if dot and Path(path + dot).exists() else name


def find_table(game: Game, seats: int, chosen: str | Sequence[str]) -> tuple[strategies.Strategy, ...]:
    """A strategy for each seat, from one for all or one for each."""
    given = chosen.split(",") if isinstance(chosen, str) else list(chosen)
    game.check_seats(seats)
    return tuple(find_strategies(game, strategies.seat_table(game, seats, given)))


def make_plan(
    game: Game, tables: Sequence[Sequence[strategies.Strategy]], rules: RuleSet, deals: int, seed: int, **options: Any
) -> Plan:
    """A plan of tables of compiled strategies; its rules are checked at once."""
    plan = Plan(game, rules, tuple(tuple(table) for table in tables), seed, deals, **options)
    plan.filled_rules  # noqa: B018
    return plan
