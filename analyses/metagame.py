"""Which way of playing wins, when everybody may choose? The game of choosing a strategy, in duplicate play.

Every way to fill the seats from a field of strategies (a profile) is played on the same deals, each deal in every rotation
of the seats, so that neither seat nor deal favours anyone. What a seat of each strategy wins in each profile makes a
symmetric game, whose equilibria `analyses.equilibrium` finds. All profiles share their deals and their groups of deals;
resampling whole groups carries the error of the table over to everything found in it.

Where there are too many profiles, a sample of them stands for all: those in which all seats but one are split over fewer
players, each of whom plays one strategy at several seats (deviation-preserving reduction: Wiedenbeck & Wellman 2012,
AAMAS). What a single seat gains by playing another way is still measured, among others who change in steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.equilibrium import (
    Bootstrap,
    Equilibrium,
    Population,
    SymmetricGame,
    all_profiles,
    best_responses,
    bootstrap,
    dominated,
    equilibria,
    next_profile,
    plackett_luce,
    population,
)
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.run import play_plan
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import Part, Plan

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 64
LEAST_DEALS = 32  # as many as there are groups of deals to resample
MAX_PROFILES = 1_000
RESAMPLED = 100  # tables
LEAST_WIN = 0.5  # of a win in all, credited to a strategy that never won, for the ratings alone
ROUNDING = 1e-14  # an error of payoffs that is no more than this is none
SHOWN_NEXT = 3  # profiles to play on with


@dataclass(frozen=True)
class Metagame:
    """The meta-game of a field of strategies.

    Attributes
    ----------
    names : the strategies
    plans, parts : what was played, and the exact sums it gave, for each row of `profiles`
    profiles : int64 array, shape (profiles, strategies), the seats of each strategy
    players : of the game that is solved: as many as seats, or fewer that stand for them
    """

    names: tuple[str, ...]
    plans: tuple[Plan, ...]
    parts: tuple[Part, ...]
    profiles: np.ndarray
    players: int

    @property
    def plan(self) -> Plan:
        """One of the plans: they differ in their tables alone."""
        return self.plans[0]

    @property
    def games(self) -> int:
        """Games played in all."""
        return sum(plan.games for plan in self.plans)

    @property
    def fair_share(self) -> float:
        """What every seat would win if all played alike."""
        return 1 / self.plan.seats

    @cached_property
    def group_wins(self) -> np.ndarray:
        """Sixtieths won by all seats of a strategy, int64, shape (groups, profiles, strategies)."""
        found = np.zeros((self.plan.n_groups, len(self.plans), len(self.names)), np.int64)
        for at, (plan, part) in enumerate(zip(self.plans, self.parts, strict=True)):
            for column, c in enumerate(plan.columns):
                if c.role == "player":
                    player = self.names.index(plan.tables[0][c.index].name)
                    found[:, at, player] += part.tallies["sums"][:, column]
        return found

    @cached_property
    def game(self) -> SymmetricGame:
        """The table of all deals."""
        profiles = all_profiles(len(self.names), self.players)
        return SymmetricGame(self.names, self.players, profiles, self.reduced(self.payoffs(self._once)))

    @property
    def is_sample(self) -> bool:
        """Whether fewer players stand for the seats."""
        return self.players < self.plan.seats

    @cached_property
    def _places(self) -> np.ndarray:
        """By profile of the players and strategy: the profile of the seats that tells what it wins; 0 where it has none."""
        row_of = {tuple(counts): at for at, counts in enumerate(self.profiles.tolist())}
        wanted = all_profiles(len(self.names), self.players).tolist()
        found = np.zeros((len(wanted), len(self.names)), np.int64)
        for at, counts in enumerate(wanted):
            for k, n in enumerate(counts):
                if n:
                    found[at, k] = row_of[_seats_of(counts, k, self.plan.seats, self.players)]
        return found

    def reduced(self, payoffs: np.ndarray) -> np.ndarray:
        """Of numbers by profile of the seats and strategy, those by profile of the players, the last two axes."""
        wanted = all_profiles(len(self.names), self.players)
        return np.where(wanted > 0, payoffs[..., self._places, np.arange(len(self.names))], np.nan)

    @property
    def _once(self) -> np.ndarray:
        return np.ones(self.plan.n_groups, np.int64)

    def payoffs(self, times: np.ndarray) -> np.ndarray:
        """Win share of a seat, shape (profiles, strategies), with each group of deals counted so many times."""
        wins = np.tensordot(times, self.group_wins, axes=1)
        games = int(times @ self.plan.group_sizes()) * self.plan.seats
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.profiles > 0, wins / (self.profiles * games * SIXTIETHS), np.nan)

    @cached_property
    def equilibria(self) -> list[Equilibrium]:
        """The symmetric equilibria, that of the greatest entropy first."""
        return equilibria(self.game, seed=self.plan.seed)

    @cached_property
    def resampled(self) -> Bootstrap:
        """The first equilibrium with intervals, from whole groups of deals drawn with replacement."""
        chance = np.random.default_rng(self.plan.seed)
        n_groups = self.plan.n_groups
        draws = [np.bincount(chance.integers(0, n_groups, n_groups), minlength=n_groups) for _ in range(RESAMPLED)]
        tables = np.array([self.reduced(self.payoffs(times)) for times in draws])
        return bootstrap(self.game, tables, seed=self.plan.seed, n_games=self.games)

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of the payoffs, shape (profiles, strategies): the jackknife over groups of deals."""
        n_groups = self.plan.n_groups
        left = np.array([self.payoffs(self._once - np.eye(n_groups, dtype=np.int64)[g]) for g in range(n_groups)])
        with np.errstate(invalid="ignore"):
            errors = np.sqrt((n_groups - 1) / n_groups * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
        return np.where(errors < ROUNDING, 0.0, errors)

    # --- rows ------------------------------------------------------------------------------------------------

    @cached_property
    def strategy_rows(self) -> Rows:
        """A row a strategy: `name`, `share` in the equilibrium, `regret` against it, `presence`, `strength`, `answer`."""
        answers = {row["name"]: row for row in best_responses(self.game)}
        rows = []
        for row, strength in zip(self.resampled.rows, self.strengths, strict=True):
            answer = answers[row["name"]]
            rows.append({**row, "strength": float(strength), "answer": answer["answer"], "gain": answer["gain"]})
        return rows

    @cached_property
    def equilibrium_rows(self) -> Rows:
        """A row an equilibrium and strategy in use: `equilibrium`, `name`, `share`, `entropy`, `effective`, `basin`, `is_stable`."""
        return [
            {
                "equilibrium": number,
                "name": self.names[k],
                "share": float(found.mix[k]),
                "entropy": found.entropy,
                "effective": found.effective,
                "regret": found.regret,
                "basin": found.basin,
                "is_stable": found.is_stable,
            }
            for number, found in enumerate(self.equilibria, 1)
            for k in found.support
        ]

    @cached_property
    def dominated_rows(self) -> Rows:
        """A row a dominated strategy: `name`, `gap`, `by` (shares by name), `single`, `presence` in resampled equilibria."""
        presence = {row["name"]: row["presence"] for row in self.resampled.rows}
        rows = []
        for row in dominated(self.game):
            by = " + ".join(f"{share:.2f} {name}" for name, share in row["mixture"].items())
            rows.append({**row, "mixture": by, "presence": presence[row["name"]]})
        return rows

    @cached_property
    def next_rows(self) -> Rows:
        """The profiles whose deals would narrow the regrets most: `counts` by name, `part` of the variance."""
        deals = np.full(len(self.game.profiles), self.plan.deals)
        errors = np.nan_to_num(self.reduced(self.errors))
        rows = next_profile(self.game, errors, self.equilibria[0].mix, deals=deals)
        told = ((row, ", ".join(f"{n} {name}" for name, n in row["counts"].items())) for row in rows[:SHOWN_NEXT])
        return [{"profile": text, "part": row["part"]} for row, text in told if row["variance"] > 0]

    @cached_property
    def strengths(self) -> np.ndarray:
        """Plackett and Luce's ratings, shape (strategies,): for display, as one number cannot show a circle."""
        wins = self.group_wins.sum(axis=0).astype(np.float64)
        wins += (self.profiles > 0) * (LEAST_WIN * SIXTIETHS * (wins.sum(axis=0) == 0))
        return plackett_luce(self.profiles, wins / wins.sum(axis=1, keepdims=True))

    @cached_property
    def paths(self) -> list[Population]:
        """What a population settles on that begins with all strategies equally common."""
        return [population(self.game, np.full(len(self.names), 1 / len(self.names)))]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        path = self.paths[0]
        steps = [
            {"time": float(time), "name": name, "share": float(share)}
            for time, mix in zip(path.times, path.mixes, strict=True)
            for name, share in zip(self.names, mix, strict=True)
        ]
        return {
            "metagame": frame(self.strategy_rows),
            "metagame_equilibria": frame(self.equilibrium_rows),
            "metagame_dominated": frame(self.dominated_rows),
            "metagame_population": frame(steps),
            "metagame_table": frame(self.table_rows),
        }

    @cached_property
    def table_rows(self) -> Rows:
        """A row a profile and strategy in it: `profile`, `name`, `seats`, `win_share`, `error`."""
        rows = []
        payoffs = self.payoffs(self._once)
        for at, counts in enumerate(self.profiles):
            told = ", ".join(f"{n} {name}" for n, name in zip(counts.tolist(), self.names, strict=True) if n)
            for k in np.flatnonzero(counts).tolist():
                rows.append(
                    {
                        "profile": told,
                        "name": self.names[k],
                        "seats": int(counts[k]),
                        "win_share": float(payoffs[at, k]),
                        "error": float(self.errors[at, k]),
                    }
                )
        return rows

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay meta --json` prints it."""
        plan = self.plan
        return {
            "game": plan.game.name,
            "seats": plan.seats,
            "seed": plan.seed,
            "deals": plan.deals,
            "games": self.games,
            "profiles": len(self.plans),
            "players": self.players,
            "rules": plan.rules.changes(),
            "fair_share": self.fair_share,
            "strategies": self.strategy_rows,
            "equilibria": self.equilibrium_rows,
            "entropy": self.resampled.entropy,
            "effective": self.resampled.effective,
            "exploitability": self.resampled.exploitability,
            "dominated": self.dominated_rows,
            "next": self.next_rows,
        }


def metagame(
    game: str,
    names: Sequence[str],
    *,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Metagame:
    """Play every profile of a field of strategies and look for what nobody gains by leaving.

    Parameters
    ----------
    names : two strategies or more; names, or paths of strategy files
    deals : deals that every profile plays, each in every rotation of the seats
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line; for so many strategies that a sample has more than `MAX_PROFILES`.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    if len(names) < 2 or len(set(names)) != len(names):
        raise AssayError("a meta-game takes two strategies or more, each named once")
    if deals < LEAST_DEALS:
        raise AssayError(f"a meta-game needs at least {LEAST_DEALS} deals, not {deals}")
    n_players = players_for(len(names), seats)
    rule_set = find_rules(chosen, changes, rules)
    players = find_strategies(chosen, names)
    profiles = profiles_to_play(len(players), seats, n_players)
    plans = []
    for counts in profiles:
        table = [player for player, n in zip(players, counts.tolist(), strict=True) for _ in range(n)]
        plans.append(make_plan(chosen, [table], rule_set, deals, seed, is_duplicate=True, has_tallies=False))
    steps = [Step(f"profile-{at}", plan.games, partial(_play, plan)) for at, plan in enumerate(plans)]
    parts = play_steps(steps, work or Work(), side_by_side=True)
    named = tuple(player.name for player in players)
    return Metagame(named, tuple(plans), tuple(parts[step.name] for step in steps), profiles, n_players)


def players_for(n_names: int, seats: int) -> int:
    """How many players stand for the seats: all, or the most that keep to `MAX_PROFILES` profiles.

    One deviates, and each of the others plays for as many seats.
    """
    for players in range(seats, 1, -1):
        if (seats - 1) % (players - 1) == 0 and count_profiles(n_names, seats, players) <= MAX_PROFILES:
            return players
    most = next(k for k in range(n_names, 1, -1) if count_profiles(k, seats, 2) <= MAX_PROFILES)
    raise AssayError(
        f"{n_names} strategies make too many pairs, of which at most {MAX_PROFILES:,} are played: name at most {most}"
    )


def count_profiles(n_names: int, seats: int, players: int) -> int:
    """Profiles to play; a whole multiset of others, and one more seat of any strategy."""
    if players == seats:
        return math.comb(n_names + seats - 1, seats)
    return n_names * math.comb(n_names + players - 2, players - 1)


def profiles_to_play(n_names: int, seats: int, players: int) -> np.ndarray:
    """The profiles of the seats behind all profiles of the players, shape (profiles, strategies)."""
    if players == seats:
        return all_profiles(n_names, seats)
    wanted = {
        _seats_of(counts, k, seats, players): None
        for counts in all_profiles(n_names, players).tolist()
        for k, n in enumerate(counts)
        if n
    }
    return np.array(list(wanted), np.int64)


def _seats_of(counts: Sequence[int], k: int, seats: int, players: int) -> tuple[int, ...]:
    """The seats where one player of strategy `k` has one, and every other player as many as the rest allow."""
    each = (seats - 1) // (players - 1)
    return tuple(each * (n - (at == k)) + (at == k) for at, n in enumerate(counts))


def _play(plan: Plan, work: Work) -> Part:
    return play_plan(plan, work)
