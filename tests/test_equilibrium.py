"""Equilibria held to games whose answers are known by hand, and to a published solver for two players."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analyses.equilibrium import (
    SymmetricGame,
    all_profiles,
    best_responses,
    bootstrap,
    deviation_payoffs,
    dominated,
    equilibria,
    next_profile,
    plackett_luce,
    population,
    regrets,
)

Payoff = Callable[[int, tuple[int, ...]], float]
PAPER = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def built(names: str, seats: int, payoff: Payoff) -> SymmetricGame:
    """A game by what a seat of a strategy gets among so many others of each."""
    profiles = all_profiles(len(names), seats)
    payoffs = np.full(profiles.shape, np.nan)
    for row, counts in enumerate(profiles.tolist()):
        for k, count in enumerate(counts):
            if count:
                payoffs[row, k] = payoff(k, tuple(n - (j == k) for j, n in enumerate(counts)))
    return SymmetricGame(tuple(names), seats, profiles, payoffs)


def of_two(matrix: np.ndarray) -> SymmetricGame:
    """A two-player game by the matrix of what the row gets."""
    names = "abcdefgh"[: len(matrix)]
    return built(names, 2, lambda k, others: float(matrix[k, others.index(1)]))


def mixes(game: SymmetricGame) -> list[list[float]]:
    return [[round(float(x), 6) + 0.0 for x in found.mix] for found in equilibria(game, seed=1)]


# --- two players -------------------------------------------------------------------------------------------


def test_rock_paper_scissors_is_played_in_equal_parts():
    (found,) = equilibria(of_two(PAPER), seed=1)
    assert found.mix == pytest.approx([1 / 3] * 3)
    assert (found.value, found.regret) == (pytest.approx(0, abs=1e-12), pytest.approx(0, abs=1e-9))
    assert (found.entropy, found.effective) == (pytest.approx(1), pytest.approx(3))
    assert not found.is_stable  # populations go round it and never come nearer
    assert found.support == (0, 1, 2)
    assert regrets(of_two(PAPER), [1, 0, 0]).tolist() == [1, 0, 2]
    assert [row["answer"] for row in best_responses(of_two(PAPER))] == ["b", "c", "a"]


@pytest.mark.parametrize(("prize", "cost"), [(2.0, 6.0), (1.0, 4.0), (3.0, 4.0)])
def test_hawks_are_as_common_as_prize_to_cost(prize: float, cost: float):
    game = of_two(np.array([[(prize - cost) / 2, prize], [0, prize / 2]]))
    (found,) = equilibria(game, seed=1)
    assert found.mix == pytest.approx([prize / cost, 1 - prize / cost])
    assert found.is_stable
    assert found.basin == 1
    path = population(game, [0.02, 0.98])
    assert path.is_settled
    assert path.mixes[-1] == pytest.approx(found.mix, abs=1e-5)
    assert np.diff(path.times).min() > 0


def test_prisoners_tell_on_each_other():
    game = of_two(np.array([[3.0, 0.0], [5.0, 1.0]]))
    (found,) = equilibria(game, seed=1)
    assert found.mix.tolist() == [0, 1]
    assert found.value == 1
    assert (repr(found.entropy), found.effective) == ("0.0", 1)  # not minus nothing
    (row,) = dominated(game)
    assert (row["name"], row["single"], row["mixture"]) == ("a", "b", {"b": 1.0})
    assert row["gap"] == pytest.approx(1)
    assert best_responses(game)[1] == {"name": "b", "answer": "b", "gain": 0.0}


def test_a_coordination_game_has_two_pure_equilibria_and_one_between():
    game = of_two(np.array([[2.0, 0.0], [0.0, 1.0]]))
    assert sorted(mixes(game)) == [[0.0, 1.0], [round(1 / 3, 6), round(2 / 3, 6)], [1.0, 0.0]]
    stable = {tuple(map(float, found.mix)): found.is_stable for found in equilibria(game, seed=1)}
    assert sum(stable.values()) == 2
    assert stable[1.0, 0.0]
    assert stable[0.0, 1.0]
    basins = sum(found.basin for found in equilibria(game, seed=1))
    assert basins == pytest.approx(1)


def test_what_only_a_mixture_beats_is_dominated():
    game = of_two(np.array([[3.0, 0, 2], [0, 3, 2], [1, 1, 1.0]]))
    (row,) = dominated(game)
    assert (row["name"], row["single"]) == ("c", None)
    assert row["gap"] == pytest.approx(0.5)
    assert row["mixture"] == {"a": pytest.approx(0.5), "b": pytest.approx(0.5)}
    assert dominated(of_two(PAPER)) == []


# --- more players ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("cost", [0.1, 0.4])
def test_volunteers_are_as_rare_as_the_dilemma_says(seats: int, cost: float):
    """One volunteer, at a cost, is enough for all; each stands back with the chance cost ** (1 / (seats - 1))."""
    game = built("vf", seats, lambda k, others: 1 - cost if k == 0 else float(others[0] > 0))
    (found,) = equilibria(game, seed=1)
    back = cost ** (1 / (seats - 1))
    assert found.mix == pytest.approx([1 - back, back])
    assert found.value == pytest.approx(1 - cost)
    assert found.is_stable


def test_deviation_payoffs_are_those_of_the_binomial_law():
    game = built("ab", 4, lambda k, others: (k + 1.0) * others[0] ** 2)
    x = 0.3
    mean_square = 3 * x * (1 - x) + (3 * x) ** 2
    assert deviation_payoffs(game, [x, 1 - x]) == pytest.approx([mean_square, 2 * mean_square])


def test_twins_share_as_they_like():
    game = built("abc", 3, lambda k, others: [0.4, 0.4, 0.1][k])
    for found in equilibria(game, seed=1):
        assert found.mix[2] == 0
        assert found.regret == pytest.approx(0, abs=1e-12)
    assert {row["name"] for row in dominated(game)} == {"c"}


# --- against a published solver ----------------------------------------------------------------------------


def solved(matrix: np.ndarray) -> list[np.ndarray]:
    """The symmetric equilibria that nashpy finds by vertex enumeration (its support enumeration misses some)."""
    import nashpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of degenerate games, of which there are none here
        found = list(nashpy.Game(matrix, matrix.T).vertex_enumeration())
    return [row for row, column in found if np.allclose(row, column, atol=1e-9)]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_symmetric_equilibria_of_a_published_solver_are_found_and_no_others(size: int):
    for seed in range(12):
        matrix = np.random.default_rng([size, seed]).normal(size=(size, size))
        theirs = sorted(tuple(np.round(mix, 6)) for mix in solved(matrix))
        ours = sorted(tuple(np.round(found.mix, 6)) for found in equilibria(of_two(matrix), seed=1))
        assert len(ours) == len(theirs)
        assert np.allclose(ours, theirs, atol=2e-6)


# --- intervals, what to sample, strengths ------------------------------------------------------------------


def hawks(rng: np.random.Generator, error: float) -> np.ndarray:
    game = of_two(np.array([[-1.0, 2.0], [0, 1.0]]))
    return game.payoffs + rng.normal(0, error, game.payoffs.shape)


def test_tables_that_are_all_alike_leave_no_doubt():
    game = of_two(np.array([[-1.0, 2.0], [0, 1.0]]))
    found = bootstrap(game, np.repeat(game.payoffs[None], 20, axis=0), seed=1)
    for row in found.rows:
        assert row["share"].low == pytest.approx(row["share"].estimate) == pytest.approx(row["share"].high)
        assert row["presence"] == 1
    assert found.exploitability.high == pytest.approx(0, abs=1e-9)


def test_intervals_of_shares_hold_the_truth_as_often_as_they_say():
    """Of 120 tables measured with error, resampled by that error; the true part of hawks is a half."""
    game = of_two(np.array([[-1.0, 2.0], [0, 1.0]]))
    held = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        measured = SymmetricGame(game.names, 2, game.profiles, hawks(rng, 0.1))
        tables = measured.payoffs + rng.normal(0, 0.1, (60, *measured.payoffs.shape))
        share = bootstrap(measured, tables, seed=1, n_starts=2).rows[0]["share"]
        held += share.low <= 0.5 <= share.high
    assert 104 <= held <= 120  # binomial, 95 %: below 104 once in ten thousand


def test_the_profile_to_sample_is_the_one_known_worst():
    game = of_two(np.array([[-1.0, 2.0], [0, 1.0]]))
    errors = np.where(game.profiles > 0, 0.01, np.nan)
    errors[1] = 0.2  # one of each
    rows = next_profile(game, errors, [0.5, 0.5])
    assert rows[0]["counts"] == {"a": 1, "b": 1}
    assert sum(row["part"] for row in rows) == pytest.approx(1)
    tired = next_profile(game, errors, [0.5, 0.5], deals=[1, 10_000, 1])
    assert tired[0]["counts"] != {"a": 1, "b": 1}


def test_strengths_are_those_that_made_the_shares():
    strengths = np.array([4.0, 2.0, 1.0, 0.5])
    profiles = all_profiles(4, 3)
    shares = profiles * strengths / (profiles @ strengths)[:, None]
    found = plackett_luce(profiles, shares)
    assert found == pytest.approx(strengths / np.exp(np.log(strengths).mean()), rel=1e-6)


def test_who_never_wins_has_no_strength():
    with pytest.raises(ValueError, match="won"):
        plackett_luce([[1, 1]], [[1.0, 0.0]])


BAD: dict[str, Callable[[], Any]] = {
    "one strategy": lambda: SymmetricGame(("a",), 2, np.array([[2]]), np.array([[0.5]])),
    "a name twice": lambda: SymmetricGame(("a", "a"), 2, all_profiles(2, 2), np.zeros((3, 2))),
    "a profile missing": lambda: SymmetricGame(("a", "b"), 2, np.array([[2, 0]]), np.array([[0.5, np.nan]])),
    "a payoff of nobody": lambda: SymmetricGame(("a", "b"), 2, all_profiles(2, 2), np.full((3, 2), 0.5)),
    "no seats": lambda: all_profiles(2, 0),
    "a mix that is none": lambda: regrets(of_two(PAPER), [1, 1, 1]),
    "a mix of another game": lambda: regrets(of_two(PAPER), [0.5, 0.5]),
    "errors of another game": lambda: next_profile(of_two(PAPER), np.zeros((2, 2)), [1, 0, 0]),
    "tables of another game": lambda: bootstrap(of_two(PAPER), np.zeros((4, 2, 2)), seed=1),
    "shares of a strategy without a seat": lambda: plackett_luce([[2, 0]], [[0.5, 0.5]]),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_game_is_refused(case: str):
    with pytest.raises(ValueError, match=r".+"):
        BAD[case]()


def test_the_same_seed_finds_the_same():
    matrix = np.random.default_rng(3).normal(size=(5, 5))
    one, two = (equilibria(of_two(matrix), seed=7) for _ in range(2))
    assert [found.mix.tolist() for found in one] == [found.mix.tolist() for found in two]
    assert all(math.isfinite(found.entropy) for found in one)
