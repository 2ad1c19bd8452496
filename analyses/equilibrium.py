"""Which mixes of strategies hold their ground: empirical game theory on a table of win shares.

Every seat picks a strategy; the table says what a seat of each strategy wins on average in every combination, or
profile. As seats are rotated the game is symmetric, and a population of players is one `mix` of strategies. A mix
is a symmetric Nash equilibrium if no strategy wins more against it than it wins itself; the regret of a strategy is
what it falls short of the best answer to the mix (Wellman 2006, AAAI; Tuyls et al. 2018, arXiv:1803.06376). All of
it holds for the strategies in the table, and says nothing of strategies that nobody has written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analyses.statistics import Estimate

DEFAULT_STARTS = 20
MAX_SUPPORTS = 4095  # every subset of 12 strategies
MAX_SUPPORTS_RESAMPLED = 255  # every subset of 8, tried again for each resampled table
REGRET_TOLERANCE = 1e-9  # of an equilibrium, and below of dominance, as a share of the table's range
SETTLED_REGRET = 1e-6  # of a population that moves no further, likewise
SAME_MIX = 1e-6  # two equilibria nearer than this are one
LEAST_SHARE = 1e-9  # of a strategy in use
MAX_STEPS = 1000  # of a population
ERROR_PER_WAY = 0.001  # error of a step of a population, of the way it makes
MAX_STEP = 1e5  # in time, for a table of range 1; shares that vanish at such a pace stay within a float's logarithm
PURE_START = 0.99  # a population of one strategy with a few of the others, as none appears from nothing
CHUNK_NUMBERS = 2**22  # floats of tables in memory at a time

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class SymmetricGame:
    """A symmetric game of `seats` n players as a table over profiles.

    Attributes
    ----------
    names : the K strategies, at least two
    profiles : (P, K), how many seats each strategy takes, in any order of rows; P = C(K + n - 1, n)
    payoffs : (P, K), expected win share of one seat of that strategy in that profile, nan where it has no seat

    Raises
    ------
    ValueError
        If a profile is missing or given twice, or a payoff is not where it should be.
    """

    names: tuple[str, ...]
    seats: int
    profiles: IntArray
    payoffs: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "profiles", _frozen(np.array(self.profiles)))
        object.__setattr__(self, "payoffs", _frozen(np.array(self.payoffs, dtype=np.float64)))
        if len(self.names) < 2 or len(set(self.names)) < len(self.names):
            raise ValueError(f"names must be at least two and all different, got {self.names}")
        _check_profiles(self.names, self.seats, self.profiles)
        _check_payoffs(self.payoffs, self.profiles)

    @property
    def n_strategies(self) -> int:
        """Number of strategies, K."""
        return len(self.names)

    @cached_property
    def table(self) -> FloatArray:
        """(K, Q): what each strategy wins against each multiset of the n - 1 others; see `deviation_payoffs`."""
        return _tables(self, self.payoffs)

    @cached_property
    def scale(self) -> float:
        """Range of the payoffs, the unit of the tolerances."""
        return float(np.ptp(self.table)) or 1.0


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A symmetric equilibrium.

    `value` is the win share of a player in it and `regret` the most a deviation gains, in win share: 0 up to
    rounding, or what is left where no equilibrium was found. `basin` is the share of random populations that end
    there under the replicator dynamic; shares short of 1 in all mean that the rest kept moving. `is_stable` says
    whether all small disturbances die out (all eigenvalues negative, and every absent strategy loses): cycles that
    neither grow nor shrink do not count.
    """

    mix: FloatArray
    value: float
    regret: float
    basin: float
    is_stable: bool

    @property
    def support(self) -> tuple[int, ...]:
        """The strategies in use, by number."""
        return tuple(np.flatnonzero(self.mix).tolist())

    @property
    def entropy(self) -> float:
        """Shannon's, normalised: 1 if all strategies are equally common, 0 if there is one."""
        return float(_entropy(self.mix)) / math.log(len(self.mix))

    @property
    def effective(self) -> float:
        """Effective number of strategies, exp of the entropy (Hill 1973, doi:10.2307/1934352)."""
        return math.exp(float(_entropy(self.mix)))


@dataclass(frozen=True, eq=False)
class Population:
    """A path of the replicator dynamic: `times` (T,), `mixes` (T, K), and whether it came to rest at its end.

    Time is such that a strategy ahead of the average by a win share g grows at the rate g.
    """

    times: FloatArray
    mixes: FloatArray
    is_settled: bool


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Intervals for the equilibrium of the greatest entropy, and what it rests on.

    `rows` has one row a strategy: `name`; `share` in the mix and `regret` against it, as `Estimate`s; `presence`,
    the part of the resampled tables in whose equilibrium it is in use. `exploitability` is the most a deviation
    gains against the mix found, were the resampled tables the truth: their mean and percentiles. It is how far the
    mix may be from an equilibrium of the game itself.
    """

    rows: Rows
    entropy: Estimate
    effective: Estimate
    exploitability: Estimate


def all_profiles(n_strategies: int, seats: int) -> IntArray:
    """Every way to fill the seats: (P, K) counts, the first strategy's most seats first."""
    if n_strategies < 1 or seats < 1:
        raise ValueError(f"n_strategies and seats must be at least 1, got {n_strategies} and {seats}")
    return _counts(_draws(n_strategies, seats).lists, n_strategies)


def deviation_payoffs(game: SymmetricGame, mix: ArrayLike) -> FloatArray:
    """Expected win share of one player of each strategy against n - 1 others drawn from `mix`: (K,)."""
    return game.table @ _weights(game.n_strategies, game.seats - 1, _checked_mix(game, mix))


def regrets(game: SymmetricGame, mix: ArrayLike) -> FloatArray:
    """What each strategy falls short of the best answer to `mix`, in win share: (K,), at least 0."""
    payoffs = deviation_payoffs(game, mix)
    return payoffs.max() - payoffs


def equilibria(game: SymmetricGame, n_starts: int = DEFAULT_STARTS, *, seed: int) -> list[Equilibrium]:
    """The symmetric Nash equilibria found, that of the greatest entropy first.

    Populations start near each pure strategy, uniform, and at `n_starts` random mixes (uniform on the simplex)
    and follow the replicator dynamic; then every support, up to `MAX_SUPPORTS` nearest to where they ended, is
    tried for a mix that leaves its strategies indifferent (support enumeration by Levenberg-Marquardt, from
    several starts). For two players and a table without ties that finds all; for more players it may miss one. Of
    a continuum of equilibria, members are listed whose middle is none. Should nothing reach the tolerance, the
    mix of the least regret is the only one returned.
    """
    starts = _starts(game.n_strategies, n_starts, seed)
    ends, is_settled = _settle(game, starts)
    jobs = [*_support_jobs(_supports(game.n_strategies, MAX_SUPPORTS, ends), game.seats > 2), *_jobs_at(ends)]
    mixes, regret = (of_one[0] for of_one in _solve(game, game.table[None], jobs))
    is_found = regret <= REGRET_TOLERANCE * game.scale
    if not is_found.any():
        return [_described(game, ends[_regret(game, ends).argmin()], 0.0)]
    kept = _distinct(game, mixes[is_found])
    n_ended = _count_ends(game, kept, ends[game.n_strategies + 1 :][is_settled[game.n_strategies + 1 :]])
    found = [_described(game, mix, n / max(n_starts, 1)) for mix, n in zip(kept, n_ended.tolist(), strict=True)]
    return sorted(found, key=lambda e: (-round(e.entropy, 9), -e.basin))


def dominated(game: SymmetricGame) -> Rows:
    """The strategies that another, or a mixture of others, beats whatever the other seats play.

    One row a strategy: `name`; `gap`, the win share by which `mixture` (shares by name) is ahead at the least, the
    mixture being the one with the largest gap; `single`, the one strategy that dominates by the most alone, or
    None. The mixture is found by linear programming over all multisets of the others.
    """
    rows: Rows = []
    for k, name in enumerate(game.names):
        rivals = [j for j in range(game.n_strategies) if j != k]
        lead = game.table[rivals] - game.table[k]
        gap, shares = _best_mixture(lead / game.scale)
        if gap <= REGRET_TOLERANCE:
            continue
        mixture = {game.names[j]: float(y) for j, y in zip(rivals, shares, strict=True) if y > 0}
        alone = int(lead.min(axis=1).argmax())
        single = game.names[rivals[alone]] if lead[alone].min() > REGRET_TOLERANCE * game.scale else None
        rows.append({"name": name, "gap": gap * game.scale, "mixture": mixture, "single": single})
    return rows


def best_responses(game: SymmetricGame) -> Rows:
    """One row a strategy that all others play: `name`, the best `answer` and its `gain` over playing the same.

    A strategy is its own answer, with gain 0, just when all playing it is an equilibrium.
    """
    rows: Rows = []
    for k, name in enumerate(game.names):
        payoffs = deviation_payoffs(game, np.eye(game.n_strategies)[k])
        answer = k if payoffs[k] == payoffs.max() else int(payoffs.argmax())
        rows.append({"name": name, "answer": game.names[answer], "gain": float(payoffs[answer] - payoffs[k])})
    return rows


def population(
    game: SymmetricGame, start: ArrayLike, *, tolerance: float = 1e-4, max_steps: int = MAX_STEPS
) -> Population:
    """Follow the replicator dynamic from `start` (K,) until no strategy present has a regret left to speak of.

    Bogacki & Shampine's pair of orders 3 and 2 (1989, doi:10.1016/0893-9659(89)90079-7) on the logarithms of the
    shares, with at most `tolerance` of error in a share and step. A strategy absent from `start` stays absent.
    """
    path = [(0.0, _checked_mix(game, start))]
    flow = _Flow(game, path[0][1][None], tolerance)
    for _ in range(max_steps):
        if flow.is_settled[0]:
            break
        flow.step()
        if flow.times[0, 0] > path[-1][0]:  # else the step was taken back, to be tried shorter
            path.append((float(flow.times[0, 0]), flow.mixes[0].copy()))
    times, mixes = zip(*path, strict=True)
    return Population(np.array(times), np.array(mixes), bool(flow.is_settled[0]))


def bootstrap(
    game: SymmetricGame,
    tables: ArrayLike,
    *,
    seed: int,
    n_starts: int = DEFAULT_STARTS,
    n_games: int | None = None,
    confidence: float = 0.95,
) -> Bootstrap:
    """Percentile intervals of the equilibrium from resampled tables (Efron & Tibshirani 1993, ch. 13).

    Each table is solved from the same starts: all supports (or the `MAX_SUPPORTS_RESAMPLED` nearest to those of the
    game's own equilibria) and the game's own equilibria. The equilibrium of the greatest entropy counts in each,
    as in the game itself; where tables differ on which equilibria there are, intervals are wide.

    Parameters
    ----------
    game : the table of all the data, for the estimates
    tables : (B, P, K) payoffs of resampled data, rows as in `game.profiles`
    seed, n_starts : as in `equilibria`
    n_games : games behind the table, for the `n` of the estimates; B unless given
    """
    stack = _checked_tables(game, tables)
    own = equilibria(game, n_starts, seed=seed)
    point = own[0].mix
    supports = _supports(game.n_strategies, MAX_SUPPORTS_RESAMPLED, np.array([e.mix for e in own]))
    jobs = [*_support_jobs(supports, False), *_jobs_at([e.mix for e in own])]
    mixes = _resampled_mixes(game, stack, jobs, n_starts, seed)
    payoffs = _payoffs(stack, _weights(game.n_strategies, game.seats - 1, mixes))
    shortfall = payoffs.max(axis=1, keepdims=True) - payoffs
    against_point = stack @ _weights(game.n_strategies, game.seats - 1, point)
    gains = against_point.max(axis=1) - against_point @ point

    def interval(value: float, sample: FloatArray) -> Estimate:
        low, high = np.quantile(sample, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
        return Estimate(value, low, high, n_games or len(stack), len(stack), "bootstrap, percentiles")

    regret, entropy = regrets(game, point), _entropy(mixes)
    rows: Rows = [
        {
            "name": name,
            "share": interval(float(point[k]), mixes[:, k]),
            "regret": interval(float(regret[k]), shortfall[:, k]),
            "presence": float(np.mean(mixes[:, k] > 0)),
        }
        for k, name in enumerate(game.names)
    ]
    return Bootstrap(
        rows,
        interval(own[0].entropy, entropy / math.log(game.n_strategies)),
        interval(own[0].effective, np.exp(entropy)),
        interval(float(gains.mean()), gains),
    )


def next_profile(game: SymmetricGame, errors: ArrayLike, mix: ArrayLike, *, deals: ArrayLike | None = None) -> Rows:
    """Which profile's sampling would narrow the regrets against `mix` most: rows, the best to sample first.

    Each row has `profile` (its row in `game.profiles`), `counts` (seats by name), `variance` (what the profile adds
    to the variances of the K regrets, in all), `part` (of that total) and `gain` (how much of it one more deal
    would take away, if a variance falls as one over the deals). The mix is held fixed and payoffs are taken as
    uncorrelated: (x_j - [j = k]) times the chance of the profile is the weight of payoff j in the regret of k.

    Parameters
    ----------
    errors : (P, K) standard errors of the payoffs; read only where a strategy has a seat
    mix : (K,), an equilibrium
    deals : (P,) deals behind each profile; 1 each unless given, so that `gain` ranks as `variance`
    """
    error = np.asarray(errors, dtype=np.float64)
    if error.shape != game.payoffs.shape or not np.all(error[game.profiles > 0] >= 0):
        raise ValueError(f"errors must have shape {game.payoffs.shape} and be at least 0 where a strategy sits")
    n_deals = np.ones(len(error)) if deals is None else np.asarray(deals, dtype=np.float64)
    if n_deals.shape != (len(error),) or not np.all(n_deals >= 1):
        raise ValueError(f"deals must be {len(error)} numbers of at least 1, got {n_deals.tolist()}")
    x = _checked_mix(game, mix)
    spread = (1 - x) ** 2 + (game.n_strategies - 1) * x**2
    weights = _weights(game.n_strategies, game.seats - 1, x)
    by_payoff = spread[:, None] * (weights * _tables(game, error)) ** 2
    variance = np.zeros(len(error))
    np.add.at(variance, _table_rows(game), by_payoff)
    gain = variance / (n_deals + 1)
    total = float(variance.sum()) or 1.0
    return [
        {
            "profile": int(p),
            "counts": {name: int(c) for name, c in zip(game.names, game.profiles[p], strict=True) if c},
            "variance": float(variance[p]),
            "part": float(variance[p]) / total,
            "gain": float(gain[p]),
        }
        for p in np.argsort(-gain, kind="stable")
    ]


def plackett_luce(
    profiles: ArrayLike, shares: ArrayLike, weights: ArrayLike | None = None, *, tolerance: float = 1e-10
) -> FloatArray:
    """Strengths (K,) such that a seat comes first with the chance of its strength among those at the table.

    Maximum likelihood of who comes first, by the MM algorithm of Hunter (2004, doi:10.1214/aos/1079120141); a shared
    win counts in parts. Logarithms of the strengths average 0. For display: one number a strategy cannot show that
    strategies beat each other in a circle.

    Parameters
    ----------
    profiles : (P, K) seats of each strategy
    shares : (P, K) part of the wins that all seats of a strategy took together; rows sum to 1
    weights : (P,) games, 1 each unless given

    Raises
    ------
    ValueError
        If a group of strategies never, or always, won against the rest: then there is no maximum.
    """
    seats, won = np.asarray(profiles, dtype=np.float64), np.nan_to_num(np.asarray(shares, dtype=np.float64))
    games = np.ones(len(seats)) if weights is None else np.asarray(weights, dtype=np.float64)
    if won.shape != seats.shape or games.shape != (len(seats),) or np.any(games < 0):
        raise ValueError("shares must have the shape of profiles, and weights be one per profile and at least 0")
    if np.any((won > 0) & (seats == 0)) or np.any(won < 0) or not np.allclose(won.sum(axis=1), 1):
        raise ValueError("each row of shares must sum to 1 over strategies with a seat")
    wins = games @ won
    _check_connected(((won * games[:, None]).T @ (seats > 0)) > 0)
    strengths = np.ones(seats.shape[1])
    change = math.inf
    while change > tolerance:
        updated = wins / ((games / (seats @ strengths)) @ seats)
        updated /= np.exp(np.log(updated).mean())
        change = float(np.abs(np.log(updated / strengths)).max())
        strengths = updated
    return strengths


# --- Profiles and tables --------------------------------------------------------------------------------------


class _Draws(NamedTuple):
    """Multisets of m players over K strategies: `lists` (Q, m) ascending; `ways` (Q,) to draw each in order."""

    lists: IntArray
    ways: FloatArray


@lru_cache(maxsize=256)
def _draws(n_strategies: int, m: int) -> _Draws:
    lists = np.array(list(combinations_with_replacement(range(n_strategies), m)), dtype=np.int64)
    factorial = np.array([math.factorial(i) for i in range(m + 1)], dtype=np.float64)
    ways = factorial[m] / factorial[_counts(lists, n_strategies)].prod(axis=1)
    return _Draws(_frozen(lists), _frozen(ways))


@lru_cache(maxsize=256)
def _without_one(n_strategies: int, m: int) -> IntArray:
    """(Q, K): where the multiset of m less a player of strategy j stands among those of m - 1, or at their end."""
    lists = _draws(n_strategies, m).lists
    fewer = np.full((len(lists), n_strategies), len(_draws(n_strategies, m - 1).lists))
    for i in range(m):
        fewer[np.arange(len(lists)), lists[:, i]] = _ranks(np.delete(lists, i, axis=1), n_strategies)
    return _frozen(fewer)


def _counts(lists: IntArray, n_strategies: int) -> IntArray:
    """(..., K) how often each strategy is in each list (..., m)."""
    return (lists[..., None] == np.arange(n_strategies)).sum(axis=-2)


def _ranks(lists: IntArray, n_strategies: int) -> IntArray:
    """Row in `_draws` of each list (..., m), which may be in any order."""
    place = n_strategies ** np.arange(lists.shape[-1])[::-1]
    every = _draws(n_strategies, lists.shape[-1]).lists @ place
    return np.searchsorted(every, np.sort(lists, axis=-1) @ place)


def _profile_ranks(profiles: IntArray, seats: int) -> IntArray:
    """Row in `all_profiles` of each profile."""
    n, k = profiles.shape
    return _ranks(np.repeat(np.tile(np.arange(k), n), profiles.ravel()).reshape(n, seats), k)


def _table_rows(game: SymmetricGame) -> IntArray:
    """(K, Q): the row of `game.profiles` in which one player of k meets each multiset of others."""
    others = _draws(game.n_strategies, game.seats - 1).lists
    own = np.broadcast_to(np.arange(game.n_strategies)[:, None, None], (game.n_strategies, len(others), 1))
    full = np.concatenate([np.broadcast_to(others, (game.n_strategies, *others.shape)), own], axis=-1)
    return np.argsort(_profile_ranks(game.profiles, game.seats))[_ranks(full, game.n_strategies)]


def _tables(game: SymmetricGame, values: FloatArray) -> FloatArray:
    """Values (..., P, K) by profile as values (..., K, Q) by strategy and multiset of others."""
    return values[..., _table_rows(game), np.arange(game.n_strategies)[:, None]]


def _weights(n_strategies: int, m: int, mixes: FloatArray) -> FloatArray:
    """(..., Q): chance of each multiset of m players drawn from the mixes (..., K); a polynomial beyond them too."""
    lists, ways = _draws(n_strategies, m)
    weights = np.broadcast_to(ways, (*mixes.shape[:-1], len(ways)))
    for i in range(m):
        weights = weights * mixes[..., lists[:, i]]
    return weights


def _weight_slopes(n_strategies: int, m: int, mixes: FloatArray) -> FloatArray:
    """(..., Q, K): derivatives of `_weights` by each share: m times the chance of the m - 1 others."""
    fewer = m * _weights(n_strategies, m - 1, mixes)
    padded = np.concatenate([fewer, np.zeros((*fewer.shape[:-1], 1))], axis=-1)
    return padded[..., _without_one(n_strategies, m)]


def _payoffs(tables: FloatArray, weights: FloatArray) -> FloatArray:
    """(..., K) from tables (..., K, Q) and weights (..., Q)."""
    return (tables @ weights[..., None])[..., 0]


def _frozen(array: Any) -> Any:
    """The array, read-only."""
    array.setflags(write=False)
    return array


def _check_profiles(names: Sequence[str], seats: int, profiles: IntArray) -> None:
    """Raise unless every profile is there once."""
    if seats < 2:
        raise ValueError(f"seats must be at least 2, got {seats}")
    if not np.issubdtype(profiles.dtype, np.integer) or profiles.ndim != 2 or profiles.shape[1] != len(names):
        raise ValueError(f"profiles must be integers of shape (P, {len(names)}), got {profiles.dtype} {profiles.shape}")
    if np.any(profiles < 0) or np.any(profiles.sum(axis=1) != seats):
        raise ValueError(f"profiles: each row must hold counts of at least 0 that sum to {seats} seats")
    every = all_profiles(len(names), seats)
    n_times = np.bincount(_profile_ranks(profiles, seats), minlength=len(every))
    for problem, rows in (("missing", every[n_times == 0]), ("given twice", every[n_times > 1])):
        if len(rows):
            first = " + ".join(f"{c} x {name}" for name, c in zip(names, rows[0], strict=True) if c)
            raise ValueError(f"profiles: {len(rows)} of {len(every)} are {problem}, such as {first}")


def _check_payoffs(payoffs: FloatArray, profiles: IntArray) -> None:
    """Raise unless there is a finite payoff just where a strategy has a seat."""
    if payoffs.shape[-2:] != profiles.shape:
        raise ValueError(f"payoffs must have shape {profiles.shape}, got {payoffs.shape}")
    if not np.all(np.where(profiles > 0, np.isfinite(payoffs), np.isnan(payoffs))):
        raise ValueError("payoffs must be finite where a strategy has a seat and nan where it has none")


def _checked_tables(game: SymmetricGame, tables: ArrayLike) -> FloatArray:
    """(B, K, Q) from resampled payoffs (B, P, K)."""
    payoffs = np.asarray(tables, dtype=np.float64)
    if payoffs.ndim != 3 or not len(payoffs):
        raise ValueError(f"tables must have shape (B, P, K) with B at least 1, got {payoffs.shape}")
    _check_payoffs(payoffs, game.profiles)
    return _tables(game, payoffs)


def _checked_mix(game: SymmetricGame, mix: ArrayLike) -> FloatArray:
    """The mix as an array that sums to 1 exactly."""
    x = np.asarray(mix, dtype=np.float64)
    if x.shape != (game.n_strategies,) or not np.all(x >= 0) or not math.isclose(x.sum(), 1, abs_tol=1e-6):
        raise ValueError(f"a mix must be {game.n_strategies} shares of at least 0 that sum to 1, got {x.tolist()}")
    return x / x.sum()


def _entropy(mixes: FloatArray) -> FloatArray:
    """Shannon's entropy in nats of mixes (..., K)."""
    return np.asarray(-np.sum(mixes * np.log(np.where(mixes > 0, mixes, 1.0)), axis=-1) + 0.0)  # never minus nothing


# --- Populations ----------------------------------------------------------------------------------------------


class _Flow:
    """Populations (S, K) that follow the replicator dynamic side by side, each at steps of its own size."""

    def __init__(self, game: SymmetricGame, starts: FloatArray, tolerance: float) -> None:
        self.game, self.tolerance = game, tolerance
        with np.errstate(divide="ignore"):
            self._logs = np.log(starts)
        self.times = np.zeros((len(starts), 1))
        self._steps = np.full_like(self.times, 0.1 / game.scale)
        self.mixes, self._rates = self._at(self._logs)

    @property
    def is_settled(self) -> NDArray[np.bool_]:
        """(S,) whether no strategy present does better than the average."""
        best = np.where(self.mixes > 0, self._rates, -np.inf).max(axis=1)
        return best <= SETTLED_REGRET * self.game.scale

    def step(self) -> None:
        """Try one step of each population still on its way, and take those that are exact enough."""
        live = np.flatnonzero(~self.is_settled)
        h, k1, old_logs = self._steps[live], self._rates[live], self._logs[live]
        _, k2 = self._at(old_logs + h / 2 * k1)
        _, k3 = self._at(old_logs + 3 / 4 * h * k2)
        logs = old_logs + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
        mixes, k4 = self._at(logs)
        error = np.abs(mixes * h * (-5 * k1 + 6 * k2 + 8 * k3 - 9 * k4) / 72).max(axis=1, keepdims=True)
        # relative to the way made too: long steps would throw a population off its rest, or wind a cycle up
        way = np.abs(mixes - self.mixes[live]).max(axis=1, keepdims=True)
        ratio = (error + 1e-300) / (np.minimum(self.tolerance, ERROR_PER_WAY * way) + 1e-14)
        is_taken = ratio[:, 0] <= 1
        taken = live[is_taken]
        self._logs[taken], self.mixes[taken], self._rates[taken] = logs[is_taken], mixes[is_taken], k4[is_taken]
        self.times[taken] += h[is_taken]
        self._steps[live] = np.minimum(h * np.clip(0.9 * ratio ** (-1 / 3), 0.2, 5), MAX_STEP / self.game.scale)

    def _at(self, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mixes, and how far each strategy is ahead of the average."""
        mixes = np.exp(logs - logs.max(axis=1, keepdims=True))
        mixes /= mixes.sum(axis=1, keepdims=True)
        payoffs = _weights(self.game.n_strategies, self.game.seats - 1, mixes) @ self.game.table.T
        return mixes, payoffs - (mixes * payoffs).sum(axis=1, keepdims=True)


def _starts(n_strategies: int, n_random: int, seed: int) -> FloatArray:
    """Nearly pure populations, the uniform one, and random ones."""
    near = (1 - PURE_START) / (n_strategies - 1)
    pure = np.full((n_strategies, n_strategies), near) + (PURE_START - near) * np.eye(n_strategies)
    random = np.random.default_rng(seed).dirichlet(np.ones(n_strategies), size=n_random)
    return np.vstack([pure, np.full(n_strategies, 1 / n_strategies), random])


def _settle(game: SymmetricGame, starts: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Where populations end, and which have come to rest."""
    flow = _Flow(game, starts, 1e-4)
    for _ in range(MAX_STEPS):
        if flow.is_settled.all():
            break
        flow.step()
    return flow.mixes, flow.is_settled


# --- Equilibria -----------------------------------------------------------------------------------------------

Job = tuple[tuple[int, ...], FloatArray]  # a support and shares on it to start from


def _supports(n_strategies: int, n_most: int, near: FloatArray) -> list[tuple[int, ...]]:
    """Sets of strategies: all, or the `n_most` that differ least from those in use in the mixes `near`."""
    used = {tuple(np.flatnonzero(mix > 1e-3).tolist()) for mix in near}
    if 2**n_strategies - 1 <= n_most:
        sizes = range(1, n_strategies + 1)
        return [s for size in sizes for s in combinations(range(n_strategies), size)]
    ring, seen = sorted(used), set(used)
    for support in ring:  # grows as it is walked: breadth first
        for k in range(n_strategies):
            other = tuple(sorted(set(support) ^ {k}))
            if other and other not in seen and len(ring) < n_most:
                seen.add(other)
                ring.append(other)
    return ring


def _support_jobs(supports: Iterable[tuple[int, ...]], is_thorough: bool) -> list[Job]:
    """Start from equal shares; to be thorough, also from most of each strategy in turn."""
    jobs: list[Job] = []
    for support in supports:
        size = len(support)
        jobs.append((support, np.full(size, 1 / size)))
        if is_thorough and size > 1:
            jobs += [(support, 0.2 / size + 0.8 * np.eye(size)[i]) for i in range(size)]
    return jobs


def _jobs_at(mixes: Iterable[FloatArray]) -> list[Job]:
    """Start from the mixes themselves."""
    jobs: list[Job] = []
    for mix in mixes:
        support = np.flatnonzero(mix > 1e-3)
        jobs.append((tuple(support.tolist()), mix[support] / mix[support].sum()))
    return jobs


def _solve(game: SymmetricGame, stack: FloatArray, jobs: Sequence[Job]) -> tuple[FloatArray, FloatArray]:
    """Mixes (B, J, K) that leave their supports indifferent in tables (B, K, Q), and their regrets (B, J).

    Where there is none, nor any inside the simplex, the regret is infinite.
    """
    found, order = [], []
    for size in sorted({len(support) for support, _ in jobs}):
        chosen = [i for i, (support, _) in enumerate(jobs) if len(support) == size]
        supports = np.array([jobs[i][0] for i in chosen])
        starts = np.array([jobs[i][1] for i in chosen])
        found.append(_solve_supports(game, stack, supports, starts))
        order += chosen
    mixes = np.concatenate(found, axis=1)[:, np.argsort(order)]
    weights = _weights(game.n_strategies, game.seats - 1, mixes)
    payoffs = weights @ np.swapaxes(stack, 1, 2)
    regret = payoffs.max(axis=2) - (payoffs * mixes).sum(axis=2)
    return mixes, np.where(mixes.sum(axis=2) > 0, regret, np.inf)


def _solve_supports(game: SymmetricGame, stack: FloatArray, supports: IntArray, starts: FloatArray) -> FloatArray:
    """Mixes (B, J, K) on supports (J, s), from starts (J, s); all 0 where there is none."""
    n_tables, (n_jobs, size), m = len(stack), supports.shape, game.seats - 1
    columns = _ranks(supports[:, _draws(size, m).lists], game.n_strategies)
    mixes = np.zeros((n_tables, n_jobs, game.n_strategies))
    at_a_time = max(1, CHUNK_NUMBERS // (n_jobs * size * columns.shape[1]))
    for first in range(0, n_tables, at_a_time):
        part = stack[first : first + at_a_time]
        inner = part[:, supports[:, :, None], columns[:, None, :]] / game.scale
        roots = _indifferent(inner.reshape(-1, *inner.shape[2:]), np.tile(starts, (len(part), 1)), m).reshape(
            len(part), n_jobs, size
        )
        is_mix = (roots > LEAST_SHARE).all(axis=2, keepdims=True)
        shares = np.where(is_mix, roots / np.where(is_mix, roots.sum(axis=2, keepdims=True), 1), 0.0)
        np.put_along_axis(mixes[first : first + at_a_time], np.broadcast_to(supports, shares.shape), shares, axis=2)
    return mixes


def _indifferent(tables: FloatArray, starts: FloatArray, m: int) -> FloatArray:
    """Roots (M, s) of "all payoffs are equal and shares sum to 1", by Levenberg-Marquardt; nan where it failed.

    Tables (M, s, Q); unknown are the shares and the common payoff.
    """
    size = starts.shape[1]
    values = _payoffs(tables, _weights(size, m, starts)).mean(axis=1, keepdims=True)
    points, damping = np.hstack([starts, values]), np.full(len(starts), 1e-4)
    residual, slopes = _indifference(tables, points, m)
    norm = np.abs(residual).max(axis=1)
    live = np.flatnonzero(norm > 1e-14)
    for _ in range(60):
        if not len(live):
            break
        slope = slopes[live]
        turned = np.swapaxes(slope, 1, 2)
        normal = turned @ slope + damping[live, None, None] * np.eye(size + 1)
        trial = points[live] - np.linalg.solve(normal, turned @ residual[live][..., None])[..., 0]
        new_residual, new_slopes = _indifference(tables[live], trial, m)
        new_norm = (new_residual**2).sum(axis=1)
        is_better = new_norm < (residual[live] ** 2).sum(axis=1)
        better = live[is_better]
        points[better], residual[better] = trial[is_better], new_residual[is_better]
        slopes[better] = new_slopes[is_better]
        damping[live] = np.where(is_better, np.maximum(damping[live] * 0.03, 1e-15), damping[live] * 10)
        norm[live] = np.abs(residual[live]).max(axis=1)
        live = live[(norm[live] > 1e-14) & (damping[live] < 1e4)]
    return np.where(norm[:, None] < REGRET_TOLERANCE, points[:, :-1], np.nan)


def _indifference(tables: FloatArray, points: FloatArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Residuals (M, s + 1) and their derivatives (M, s + 1, s + 1)."""
    shares, values = points[:, :-1], points[:, -1:]
    size = shares.shape[1]
    slopes = np.zeros((len(points), size + 1, size + 1))
    slopes[:, :size, :size] = tables @ _weight_slopes(size, m, shares)
    payoffs = (slopes[:, :size, :size] @ shares[..., None])[..., 0] / m  # Euler: homogeneous of degree m
    slopes[:, :size, size], slopes[:, size, :size] = -1, 1
    return np.hstack([payoffs - values, shares.sum(axis=1, keepdims=True) - 1]), slopes


def _regret(game: SymmetricGame, mixes: FloatArray) -> FloatArray:
    """(S,): the most a deviation gains against each mix."""
    payoffs = _weights(game.n_strategies, game.seats - 1, mixes) @ game.table.T
    return payoffs.max(axis=1) - (payoffs * mixes).sum(axis=1)


def _distinct(game: SymmetricGame, mixes: FloatArray) -> FloatArray:
    """Mixes of which no two are the same or ends of a line of equilibria; the greatest entropies stay."""
    kept: list[FloatArray] = []
    for mix in mixes[np.argsort(-_entropy(mixes), kind="stable")]:
        if not kept or not _is_one(game, np.array(kept), mix, SAME_MIX, REGRET_TOLERANCE).any():
            kept.append(mix)
    return np.array(kept)


def _is_one(
    game: SymmetricGame, kept: FloatArray, mix: FloatArray, distance: float, tolerance: float
) -> NDArray[np.bool_]:
    """Which of `kept` the mix is the same as, or is joined with as the middle is an equilibrium too."""
    is_near = np.abs(kept - mix).max(axis=1) <= distance
    return is_near | (_regret(game, (kept + mix) / 2) <= tolerance * game.scale)


def _count_ends(game: SymmetricGame, kept: FloatArray, ends: FloatArray) -> IntArray:
    """How many populations ended at each equilibrium: the nearest within reach, or the one it is joined with."""
    counts = np.zeros(len(kept), dtype=np.int64)
    for end in ends:
        distance = np.abs(kept - end).max(axis=1)
        is_one = _is_one(game, kept, end, 0.01, SETTLED_REGRET)
        if is_one.any():
            counts[np.where(is_one, distance, np.inf).argmin()] += 1
    return counts


def _described(game: SymmetricGame, mix: FloatArray, basin: float) -> Equilibrium:
    """The equilibrium with its figures."""
    payoffs = deviation_payoffs(game, mix)
    value = float(payoffs @ mix)
    return Equilibrium(_frozen(mix.copy()), value, float(payoffs.max()) - value, basin, _is_stable(game, mix))


def _is_stable(game: SymmetricGame, mix: FloatArray) -> bool:
    """Whether the linearised replicator dynamic returns: absent strategies lose, and the rest draws in."""
    payoffs, margin = deviation_payoffs(game, mix), REGRET_TOLERANCE * game.scale
    used = mix > 0
    if np.any(payoffs[~used] >= payoffs @ mix - margin):
        return False
    slopes = game.table @ _weight_slopes(game.n_strategies, game.seats - 1, mix)
    x, inner = mix[used], slopes[np.ix_(used, used)]
    if len(x) == 1:
        return True
    pull = x[:, None] * (inner - x @ inner)
    # an orthonormal basis of the changes that sum to 0
    basis = np.linalg.svd(np.ones((1, len(x))))[2][1:]
    return bool(np.linalg.eigvals(basis @ pull @ basis.T).real.max() < -margin)


# --- The rest -------------------------------------------------------------------------------------------------


def _resampled_mixes(
    game: SymmetricGame, stack: FloatArray, jobs: Sequence[Job], n_starts: int, seed: int
) -> FloatArray:
    """(B, K): of each table, the equilibrium of the greatest entropy; a full search where the jobs find none."""
    mixes, regret = _solve(game, stack, jobs)
    is_found = regret <= REGRET_TOLERANCE * game.scale
    best = np.where(is_found, _entropy(mixes), -np.inf).argmax(axis=1)
    chosen = mixes[np.arange(len(stack)), best]
    for b in np.flatnonzero(~is_found.any(axis=1)):
        chosen[b] = equilibria(_with_table(game, stack[b]), n_starts, seed=seed)[0].mix
    return chosen


def _with_table(game: SymmetricGame, table: FloatArray) -> SymmetricGame:
    """The game with the payoffs of another table (K, Q)."""
    payoffs = np.full(game.payoffs.shape, np.nan)
    payoffs[_table_rows(game), np.arange(game.n_strategies)[:, None]] = table
    return SymmetricGame(game.names, game.seats, game.profiles, payoffs)


def _best_mixture(lead: FloatArray) -> tuple[float, FloatArray]:
    """The mixture of rivals (K - 1,) whose least lead, of leads (K - 1, Q), is largest; and that lead."""
    from scipy.optimize import linprog

    n_rivals, n_others = lead.shape
    result = linprog(
        np.append(np.zeros(n_rivals), -1.0),
        A_ub=np.hstack([-lead.T, np.ones((n_others, 1))]),
        b_ub=np.zeros(n_others),
        A_eq=[np.append(np.ones(n_rivals), 0.0)],
        b_eq=[1.0],
        bounds=[(0, None)] * n_rivals + [(None, None)],
    )
    if not result.success:
        raise RuntimeError(f"linear programme: {result.message}")
    shares = np.where(result.x[:-1] > LEAST_SHARE, result.x[:-1], 0.0)
    shares /= shares.sum()
    return float((shares @ lead).min()), shares


def _check_connected(has_won: NDArray[np.bool_]) -> None:
    """Raise unless each strategy is linked to each other by wins (K, K): i won at a table with j."""
    reach = has_won | np.eye(len(has_won), dtype=bool)
    for _ in range(len(reach)):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    if not reach.all():
        raise ValueError("some strategies never won, or never lost, against the rest: there are no finite strengths")
