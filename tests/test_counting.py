"""The kernels over outcome rows, against what the same tables say when counted game by game in plain Python."""

from __future__ import annotations

import functools
import operator
from collections import Counter

import numpy as np
import pytest

from simcore.counting import count_standings, sum_blocks
from simcore.game import SIXTIETHS, WIN, find_game
from simcore.standings import MAX_LEAD, standing_tallies

GAME = find_game("ostia")


def random_outcomes(deals: int, rotations: int, seats: int) -> np.ndarray:
    """Rows with few different standings, so that all ties come up, and some wide leads."""
    rng = np.random.default_rng(seats * 10 + rotations)
    rows = rng.integers(0, 4, (deals, rotations, seats, len(GAME.outcome_columns)), dtype=np.int32)
    rows[rng.random(rows.shape) < 0.05] += MAX_LEAD
    last = rows[..., GAME.standing_columns[-1]]
    is_first = last == last.max(axis=2, keepdims=True)
    rows[..., WIN] = np.where(is_first, SIXTIETHS // is_first.sum(axis=2, keepdims=True), 0)
    is_upset = rng.random((deals, rotations)) < 0.2  # someone wins who was not in the lead
    rows[is_upset, :, WIN] = [SIXTIETHS] + [0] * (seats - 1)
    return rows


def counted_by_hand(outcomes: np.ndarray, groups: np.ndarray) -> dict[str, Counter[tuple[int, ...]]]:
    """The tallies of `simcore.standings`, by position."""
    found: dict[str, Counter[tuple[int, ...]]] = {tally.name: Counter() for tally in standing_tallies(GAME)}
    for deal, group in enumerate(groups.tolist()):
        for game in outcomes[deal].tolist():
            wins = [row[WIN] for row in game]
            standings = [[row[column] for row in game] for column in GAME.standing_columns]
            leaders = [{seat for seat, mine in enumerate(points) if mine == max(points)} for points in standings]
            leaders.append({seat for seat, win in enumerate(wins) if win})
            for at, points in enumerate(standings):
                first, second = sorted(points, reverse=True)[:2]
                lead = min(first - second, MAX_LEAD)
                found["lead_size"][group, at, lead, 0] += 1
                for seat, mine in enumerate(points):
                    place = sum(other > mine for other in points)
                    found["place"][group, at, place, 0] += 1
                    found["place"][group, at, place, 1] += wins[seat]
                for seat in leaders[at]:
                    found["lead_seat"][group, at, seat] += SIXTIETHS // len(leaders[at])
                    found["lead_size"][group, at, lead, 1] += wins[seat]
                now, then = leaders[at], leaders[at + 1]
                found["lead_change"][group, at, 0 if now == then else 1 if now & then else 2] += 1
    return found


@pytest.mark.parametrize(("seats", "rotations"), [(3, 1), (4, 4), (5, 1), (5, 5)])
def test_standings(seats: int, rotations: int) -> None:
    outcomes = random_outcomes(60, rotations, seats)
    groups = np.arange(60) * 3 // 60
    tallies = {tally.name: np.zeros((3, *tally.shape), np.int64) for tally in standing_tallies(GAME)}
    count_standings(outcomes, np.array(GAME.standing_columns), groups, *tallies.values())
    by_hand = counted_by_hand(outcomes, groups)
    for name, counts in tallies.items():
        places = zip(*(axis.tolist() for axis in counts.nonzero()), strict=True)
        assert {place: int(counts[place]) for place in places} == {k: n for k, n in by_hand[name].items() if n}, name


@pytest.mark.parametrize("is_duplicate", [False, True])
def test_blocks(is_duplicate: bool) -> None:
    seats, rotations, at = 4, 4 if is_duplicate else 1, 3
    outcomes = random_outcomes(20, rotations, seats)
    measures = [WIN, 5, 7]
    width = len(measures) * seats * (2 if is_duplicate else 1)
    blocks = np.zeros((20, at + width), np.int64)
    squares = np.zeros(seats, np.int64)
    sum_blocks(outcomes, np.array(measures), is_duplicate, at, blocks, squares)
    expected = []
    for deal in outcomes.tolist():
        by_seat = [[sum(game[seat][m] for game in deal) for seat in range(seats)] for m in measures]
        by_player = [
            [sum(game[(player - k) % seats][m] for k, game in enumerate(deal)) for player in range(seats)]
            for m in measures
        ]
        expected.append([0] * at + functools.reduce(operator.iadd, (by_player if is_duplicate else []) + by_seat, []))
    assert blocks.tolist() == expected
    assert squares.tolist() == [
        sum(game[(player - k) % seats][WIN] ** 2 for deal in outcomes.tolist() for k, game in enumerate(deal))
        for player in range(seats)
    ]
