"""What a game offers. Everything above the engines works from these few things alone, for every game alike."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from simcore.errors import AssayError, unknown
from simcore.records import record
from simcore.rules import RuleBook, RuleSet

GAMES = {  # the package that each is in
    "ostia": "simcore.ostia",
    "ore_city": "simcore.ore_city",
    "ore_mining": "simcore.ore_mining",
}
SIXTIETHS = 60  # a win shared by k seats is 60/k each: whole for k up to 6

# outcome columns that every game has, in this order
WIN, RANK, SCORE = range(3)
COMMON_COLUMNS = ("win", "rank", "score")


@dataclass(frozen=True)
class Axis:
    """One axis of a tally: a name and a label per position; whole-number labels are values that can be averaged."""

    name: str
    labels: tuple[Any, ...]


@dataclass(frozen=True)
class Tally:
    """Counts that the kernel fills, an int64 array with named axes.

    The last position of a numeric axis also holds what lies beyond it.
    """

    name: str
    about: str
    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis.labels) for axis in self.axes)

    def position(self, axis: str) -> int:
        """Where the axis of that name stands."""
        return [a.name for a in self.axes].index(axis)


@dataclass(frozen=True)
class Measure:
    """A figure that follows from a tally: a mean, a share, or an amount per seat and game.

    Attributes
    ----------
    tally : the tally it is taken from
    by : axes it is told apart by
    value : axis whose labels are averaged (a mean)
    share : labels of an axis whose share of all counts is taken (a share); (axis, labels)
    ratio : sums of some labels of an axis over sums of others (a mean); (axis, labels above, labels below)
    where : labels to which an axis is restricted first
    With none of value, share and ratio it is the count per seat and game.
    """

    name: str
    about: str
    unit: str
    tally: str
    by: tuple[str, ...] = ()
    value: str | None = None
    share: tuple[str, tuple[Any, ...]] | None = None
    ratio: tuple[str, tuple[Any, ...], tuple[Any, ...]] | None = None
    where: tuple[tuple[str, tuple[Any, ...]], ...] = ()


@dataclass(frozen=True)
class Decision:
    """One question a strategy is asked: the name of its function, what is asked, and what an answer means."""

    name: str
    asks: str
    answer: str


@dataclass(frozen=True)
class Pace:
    """How a game's standings are told, with `{}` for a label of `Game.rounds`.

    Attributes
    ----------
    when : the moment of a standing
    step : what leads to it from the one before
    ending : what leads to the end from the last one
    axis : what the labels count
    """

    when: str = "after round {}"
    step: str = "round {}"
    ending: str = "the final scoring"
    axis: str = "after round"


def _no_check(rules: RuleSet, seats: int) -> None:
    """Whatever the component file allows can be played."""


def _no_completion(rules: RuleSet, record: np.ndarray) -> None:
    """No field is derived."""


@dataclass(frozen=True)
class Game:
    """A game's contract.

    Attributes
    ----------
    name, title : as on the command line, and in words
    seats : the numbers of seats it allows
    version : raised when, and only when, results change
    package : where component file, engine and wording are: the `__name__` of the module that makes the contract
    decisions : the questions strategies answer, in the order of the kernel's arguments
    outcome_columns : per game and seat; the first three are `win` (sixtieths), `rank`, `score`
    rounds : labels of the points in a game after which standings are kept (outcome columns `after_<label>`)
    measures : outcome columns whose means per seat a report shows
    tallies : what the kernel counts
    economy : the figures of its economy, each taken from a tally
    phases, events : the words of a transcript; an event's fields are (name, kind) pairs
    pace : how the standings are told
    uneven : changes of rules that take away what is meant to make the seats even, as `name=value`
    redrawn : changes of rules under which what is reconstructed takes other values, as `name=value`
    alternative : the rules with what is reconstructed drawn anew, for each whole number another draw
    forced : what a seat can be given at the start, and the change of rules that does so, as `name[{seat}]=value`
    barred : what a seat can be kept from, and the change of rules that does so
    n_rounds : how many of `rounds` are reached under some rules; all unless given
    report_deals : deals of a first report, so many that it takes about a minute
    cards : the labels of the component file that an event's piles of cards are counted by, if it has such
    strategies : the package of its strategies, by default `strategies.<name>`
    check : raises AssayError for rules that cannot be played by that many seats
    complete : fills derived fields of a RULES record
    """

    name: str
    title: str
    seats: tuple[int, ...]
    version: int
    package: str
    decisions: tuple[Decision, ...]
    outcome_columns: tuple[str, ...]
    rounds: tuple[str, ...]
    measures: Mapping[str, str]
    tallies: tuple[Tally, ...]
    economy: tuple[Measure, ...]
    phases: tuple[str, ...]
    events: Mapping[str, tuple[tuple[str, str], ...]]
    check: Callable[[RuleSet, int], None] = _no_check
    complete: Callable[[RuleSet, np.ndarray], None] = _no_completion
    n_rounds: Callable[[RuleSet], int] | None = None
    pace: Pace = Pace()
    uneven: tuple[str, ...] = ()
    redrawn: tuple[str, ...] = ()
    alternative: Callable[[RuleSet, int], RuleSet] | None = None
    forced: Mapping[str, str] = field(default_factory=dict)
    barred: Mapping[str, str] = field(default_factory=dict)
    report_deals: int = 40_000
    cards: str = ""
    strategies: str = ""
    extra_rule_fields: tuple[tuple, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Only its package crosses process borders."""
        return add_game, (self.package,)

    @cached_property
    def folder(self) -> Path:
        """Where component file, engine and wording are."""
        return _folder(self.package)

    @cached_property
    def strategy_package(self) -> str:
        """The package of its strategies."""
        return self.strategies or f"strategies.{self.name}"

    @cached_property
    def strategy_folder(self) -> Path:
        """Where its strategies are."""
        return _folder(self.strategy_package)

    @cached_property
    def digest(self) -> str:
        """Of all sources that its results depend on, strategies aside."""
        from simcore import cache  # brings in the compiler

        if self.package.startswith("simcore."):
            return cache.CORE_DIGEST
        return cache.digest_of([f for f in self.folder.rglob("*.py") if f.name != "wording.py"], cache.CORE_DIGEST)

    @cached_property
    def rules(self) -> RuleBook:
        """The rules, read from the component file."""
        return RuleBook.load(self.name, self.folder / "components.toml", self.extra_rule_fields)

    @cached_property
    def engine(self) -> ModuleType:
        """The compiled engine: `STATE`, `VIEW`, `play`; imported, and so compiled, on first use."""
        from simcore import cache

        if self.digest == cache.CORE_DIGEST:
            return importlib.import_module(f"{self.package}.engine")
        with cache.cache_subfolder(self.digest):
            return importlib.import_module(f"{self.package}.engine")

    @cached_property
    def wording(self) -> Callable[[dict[str, Any]], str]:
        """Tells a transcript in the rulebook's words."""
        return importlib.import_module(f"{self.package}.wording").tell

    @cached_property
    def tally_dtype(self) -> np.dtype:
        """The TALLY record."""
        return record([(tally.name, "i8", tally.shape) for tally in self.tallies])

    @property
    def max_seats(self) -> int:
        return max(self.seats)

    @property
    def standing_columns(self) -> list[int]:
        """Outcome columns that hold the standings after each round."""
        return [self.outcome_columns.index(f"after_{label}") for label in self.rounds]

    def reached(self, rules: RuleSet) -> tuple[str, ...]:
        """The labels of `rounds` that a game can reach under these rules."""
        return self.rounds[: self.n_rounds(rules)] if self.n_rounds is not None else self.rounds

    def column(self, name: str) -> int:
        """The position of an outcome column."""
        return self.outcome_columns.index(name)

    def tally(self, name: str) -> Tally:
        """The tally of that name."""
        return next(tally for tally in self.tallies if tally.name == name)

    def decision(self, name: str) -> Decision:
        """The decision of that name."""
        return next(decision for decision in self.decisions if decision.name == name)

    def check_seats(self, seats: int) -> int:
        """`seats` if the game allows that many."""
        if seats not in self.seats:
            raise AssayError(f"{self.name} seats {self.seats[0]} to {self.seats[-1]} players, not {seats}")
        return seats

    def fill_rules(self, rules: RuleSet, seats: int) -> np.ndarray:
        """The RULES record, shape (1,), of rules that this many seats can play."""
        self.check(rules, seats)
        filled = rules.fill()
        self.complete(rules, filled)
        return filled


def find_game(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise unknown("game", name, GAMES)
    return importlib.import_module(GAMES[name]).GAME


def add_game(package: str) -> Game:
    """Make a game known that lies in another package, which has its contract as `GAME`; returns it."""
    game = importlib.import_module(package).GAME
    GAMES[game.name] = package
    return game


def _folder(package: str) -> Path:
    return Path(str(importlib.import_module(package).__file__)).parent


def counted(name: str, values: Sequence[Any] | range) -> Axis:
    """An axis over whole numbers or labels."""
    return Axis(name, tuple(values))


def held_tally(items: Sequence[str], what: str) -> Tally:
    """The tally `held`: seats that had an item, and their wins; what most trackers take an item's worth from."""
    return Tally(
        "held",
        f"seats that had {what}, and their wins in sixtieths",
        (Axis("item", tuple(items)), Axis("sum", ("seats", "wins"))),
    )
