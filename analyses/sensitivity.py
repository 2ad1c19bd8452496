"""Which rules matter? Every rule is turned, many together, and what moves is laid to each.

Screening by elementary effects (Morris 1991, Technometrics 33), or Sobol indices (Saltelli et al. 2010, Computer Physics
Communications 181), both by SALib. All points play the same deals. Beside the rules stands a dummy that changes none of
them but which deals are played: its index is what chance alone does, and no index below it is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyses.field import N_CIRCLES, field
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_table
from analyses.knobs import Knob, find_knobs, playable
from analyses.paired import WIN_SHARE, Key, half_time, single_figures, strategy_figures
from analyses.run import Run, run
from analyses.statistics import Estimate
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import Game, find_game
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

MORRIS, SOBOL = "morris", "sobol"
METHODS = (MORRIS, SOBOL)
DEFAULT_DEALS = 400
DEFAULT_POINTS = 10  # trajectories, or base points of Sobol's design
LEVELS = 4
DUMMY = "(chance)"
DUMMY_SEEDS = 4
FIELD_DEALS = 8
SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS = "seat_spread", "strategy_spread", "leader_wins"
MOST_POINTS = 20_000

Outputs = dict[str, float]


@dataclass(frozen=True)
class Sensitivity:
    """What each rule does.

    Attributes
    ----------
    inputs : positions from 0 to 1, shape (points, knobs + 1); the last is the dummy's
    outputs : by name, shape (points,)
    units : of the outputs
    n_kept_back : knob settings that could not be played with the others and stayed as they were
    """

    game: Game
    rules: RuleSet
    seats: int
    deals: int
    seed: int
    strategy: str
    method: str
    knobs: tuple[Knob, ...]
    inputs: NDArray[np.float64]
    outputs: Mapping[str, NDArray[np.float64]]
    units: Mapping[str, str]
    games: int
    n_kept_back: int

    @cached_property
    def rows(self) -> Rows:
        """A row an output and knob, the strongest first: `output`, `unit`, `knob`, `low`, `high` (the range), `effect`,
        `trend`, `is_heard`.

        `effect` is the mean absolute elementary effect, in units of the output over the range, or the total index, a
        share of the variance; `trend` the signed mean effect, or the first-order index. `is_heard`: above the dummy's.
        """
        names = [*(knob.name for knob in self.knobs), DUMMY]
        analyse = _morris if self.method == MORRIS else _sobol
        rows = []
        for output, values in self.outputs.items():
            if values.std() == 0:
                continue
            found = analyse(names, self.inputs, values, self.seed)
            floor = found[-1][0].estimate
            order = sorted(range(len(self.knobs)), key=lambda k: -found[k][0].estimate)
            unit = self.units[output] if self.method == MORRIS else "share of variance"
            for k in (*order, len(self.knobs)):
                effect, trend = found[k]
                knob = self.knobs[k] if k < len(self.knobs) else None
                ends = {} if knob is None else {"from": knob.low, "to": knob.high}
                is_heard = knob is not None and effect.low > floor
                row = {"output": output, "unit": unit, "knob": names[k], **ends, "effect": effect}
                rows.append({**row, "trend": trend, "is_heard": is_heard})
        return rows

    def heard(self, output: str) -> Rows:
        """The knobs that are heard above chance, the strongest first."""
        return [row for row in self.rows if row["output"] == output and row["is_heard"]]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {"sensitivity": frame(self.rows)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay sensitivity --json` prints it."""
        return {
            "game": self.game.name,
            "seats": self.seats,
            "strategy": self.strategy,
            "method": self.method,
            "seed": self.seed,
            "deals": self.deals,
            "points": len(self.inputs),
            "games": self.games,
            "kept_back": self.n_kept_back,
            "rules": self.rules.changes(),
            "effects": self.rows,
        }


def sensitivity(
    game: str,
    knobs: Sequence[str] = (),
    *,
    method: str = MORRIS,
    strategy: str = "baseline",
    names: Sequence[str] = (),
    points: int = DEFAULT_POINTS,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Sensitivity:
    """Turn rules, many together, on the same deals.

    Parameters
    ----------
    knobs : `rule`, `rule[entry]`, each with `=low:high` or not; all rules unless given, a table's numbers scaled as one
    method : "morris" or "sobol"
    names : strategies of a mixed field, whose spread is an output too; none without it
    points : trajectories of Morris's design (each a point a knob and one more), or base points of Sobol's, a power of two
        (each two a knob and four more)
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    given: dict[str, Any] = {
        "points": points,
        "seats": seats,
        "deals": deals,
        "seed": seed,
        "changes": changes,
        "rules": rules,
    }
    return prepare(game, knobs, method=method, strategy=strategy, names=names, **given).play(work or Work())


def prepare(
    game: str,
    knobs: Sequence[str] = (),
    *,
    method: str = MORRIS,
    strategy: str = "baseline",
    names: Sequence[str] = (),
    points: int = DEFAULT_POINTS,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
) -> Screening:
    """What `sensitivity` is asked, checked and ready to be played."""
    chosen = find_game(game)
    if method not in METHODS:
        raise AssayError(f"unknown method '{method}' (known: {', '.join(METHODS)})")
    rule_set = find_rules(chosen, changes, rules)
    found = find_knobs(chosen, rule_set, chosen.check_seats(seats), knobs)
    n = design_size(method, len(found) + 1, points)
    if points < 2 or n > MOST_POINTS:
        raise AssayError(f"{points} points make a design of {n:,}: at least 2, and a design of at most {MOST_POINTS:,}")
    if method == SOBOL and points & (points - 1):
        raise AssayError(f"Sobol's design takes a power of two as its points (8, 16, 32 ...), not {points}")
    if names and len(names) < seats:
        raise AssayError(f"a mixed field of {seats} seats needs at least {seats} different strategies")
    chosen.fill_rules(rule_set, seats)
    find_table(chosen, seats, strategy)
    inputs = design(method, len(found) + 1, points, seed)
    settings, n_back = [], 0
    for point in inputs:
        wanted = [k.change(v) for k, x in zip(found, point, strict=False) if (v := k.at(float(x))) != k.now]
        kept, left = playable(chosen, changes, rules, seats, wanted)
        n_back += left
        settings.append((tuple(kept), min(math.floor(point[-1] * DUMMY_SEEDS), DUMMY_SEEDS - 1)))
    per_field = FIELD_DEALS * seats * N_CIRCLES * len(names)
    steps = []
    for at, (turned, shift) in enumerate(dict.fromkeys(settings)):
        given = {"seats": seats, "seed": seed + shift, "changes": [*changes, *turned], "rules": rules}
        play = partial(play_outputs, chosen, strategy, tuple(names), deals, given)
        steps.append(Step(f"point-{at}", deals + per_field, play))
    about: dict[str, Any] = {"game": chosen, "rules": rule_set, "seats": seats, "deals": deals, "seed": seed}
    about |= {"strategy": strategy, "method": method, "knobs": tuple(found), "inputs": inputs, "n_kept_back": n_back}
    return Screening(about, tuple(settings), tuple(steps))


@dataclass(frozen=True)
class Screening:
    """A design that is ready to be played: the settings of its points, and a step for each that differs."""

    about: Mapping[str, Any]
    settings: tuple[tuple[tuple[str, ...], int], ...]
    steps: tuple[Step, ...]

    @property
    def games(self) -> int:
        """How many games it takes."""
        return sum(step.games for step in self.steps)

    def play(self, work: Work) -> Sensitivity:
        """Play it."""
        results = list(play_steps(self.steps, work, side_by_side=True).values())
        by_setting = dict(zip(dict.fromkeys(self.settings), results, strict=True))
        kinds = [name for name in results[0] if all(name in result for result in results)]
        outputs = {name: np.array([by_setting[one][name] for one in self.settings]) for name in kinds}
        return Sensitivity(**self.about, outputs=outputs, units=output_units(self.about["game"]), games=self.games)


def design_size(method: str, n_inputs: int, points: int) -> int:
    """Points of a design, some of which may coincide."""
    return points * (n_inputs + 1) if method == MORRIS else points * (2 * n_inputs + 2)


def design(method: str, n_inputs: int, points: int, seed: int) -> NDArray[np.float64]:
    """Positions from 0 to 1, shape (design size, inputs)."""
    problem = _problem([f"x{k}" for k in range(n_inputs)])
    if method == MORRIS:
        from SALib.sample import morris

        return np.asarray(morris.sample(problem, points, num_levels=LEVELS, seed=seed % 2**32))
    from SALib.sample import sobol

    return np.asarray(sobol.sample(problem, points, calc_second_order=True, seed=seed % 2**32))


def _problem(names: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _morris(
    names: Sequence[str], inputs: NDArray[np.float64], outputs: NDArray[np.float64], seed: int
) -> list[tuple[Estimate, float]]:
    """Mean absolute elementary effect over the whole range, and the signed mean, of each input."""
    from SALib.analyze import morris

    found = morris.analyze(
        _problem(names), inputs, outputs, num_levels=LEVELS, seed=seed % 2**32, print_to_console=False
    )
    n = len(inputs) // (len(names) + 1)
    method = f"elementary effects over {n} trajectories, bootstrap"
    return [
        (Estimate(float(m), max(float(m - c), 0.0), float(m + c), len(inputs), float(n), method), float(signed))
        for m, c, signed in zip(found["mu_star"], found["mu_star_conf"], found["mu"], strict=True)
    ]


def _sobol(
    names: Sequence[str], inputs: NDArray[np.float64], outputs: NDArray[np.float64], seed: int
) -> list[tuple[Estimate, float]]:
    """Total and first-order index of each input."""
    from SALib.analyze import sobol

    found = sobol.analyze(_problem(names), outputs, calc_second_order=True, seed=seed % 2**32, print_to_console=False)
    n = len(inputs) // (2 * len(names) + 2)
    method = f"total index, {n} base points, bootstrap"
    return [
        (Estimate(float(t), max(float(t - c), 0.0), float(t + c), len(inputs), float(n), method), float(first))
        for t, c, first in zip(found["ST"], found["ST_conf"], found["S1"], strict=True)
    ]


# --- outputs -----------------------------------------------------------------------------------------------


def play_outputs(
    game: Game,
    strategy: str,
    names: Sequence[str],
    deals: int,
    given: Mapping[str, Any],
    work: Work,
    mixed_deals: int = FIELD_DEALS,
) -> Outputs:
    """Play one point and tell its outputs: a table of one strategy, and a mixed field of others where there are any."""
    half = Work(work.jobs, work.backend)
    found = outputs_of(run(game.name, strategies=strategy, deals=deals, work=half, **given))
    if names:
        mixed = field(game.name, names, deals=mixed_deals, has_tallies=False, work=half, **given)
        shares = [figure.value for figure in strategy_figures(mixed)]
        found[STRATEGY_SPREAD] = max(shares) - min(shares)
    if work.progress is not None:
        work.progress(1, 1)
    return found


def outputs_of(played: Run) -> Outputs:
    """The numbers of a run that rules are judged by: how far seats differ, leaders half-way, means of what the game
    measures, figures of the economy that are one number.
    """
    plan, found = played.plan, single_figures(played)
    values: Outputs = {}
    wins = [f.value for key, f in found.items() if key[0] == WIN_SHARE]
    values[SEAT_SPREAD] = max(wins) - min(wins)
    leader = leader_key(plan.game, plan.rules)
    if leader in found:
        values[LEADER_WINS] = found[leader].value
    for measure in plan.game.measures:
        means = [f.value for key, f in found.items() if key[0] == measure]
        values[measure] = sum(means) / len(means)
    return values | {f.name: f.value for f in found.values() if not f.labels}


def leader_key(game: Game, rules: RuleSet) -> Key:
    """The figure of a leader's wins half-way through."""
    return "win_by_place", (("round", half_time(game, rules)), ("place", "1"))


def output_units(game: Game) -> dict[str, str]:
    """The outputs that a game may have, and their units."""
    shares = dict.fromkeys((SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS), "share of wins")
    return {**shares, **game.measures, **{m.name: m.unit for m in game.economy}}


Evaluate = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def indices(
    method: str, names: Sequence[str], evaluate: Evaluate, points: int, seed: int
) -> list[tuple[Estimate, float]]:
    """Effects of the inputs of any function of positions from 0 to 1, by the methods used here."""
    inputs = design(method, len(names), points, seed)
    return (_morris if method == MORRIS else _sobol)(names, inputs, evaluate(inputs), seed)
