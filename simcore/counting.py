"""Kernels that sum up outcome rows, for every game alike: block sums and the tallies of `simcore.standings`."""

from __future__ import annotations

from numba import types

from simcore.game import SIXTIETHS, WIN
from simcore.kernel import Kernels
from simcore.standings import JOINED, KEPT, LOST, MAX_LEAD

kernel = Kernels(
    outcomes=types.int32[:, :, :, ::1],  # deals, rotations, seats, outcome columns
    columns=types.int64[::1],
    groups=types.int64[::1],
    blocks=types.int64[:, ::1],
    squares=types.int64[::1],
    lead_seat=types.int64[:, :, ::1],
    place=types.int64[:, :, :, ::1],
    lead_change=types.int64[:, :, ::1],
    lead_size=types.int64[:, :, :, ::1],
)


@kernel
def sum_blocks(outcomes, columns, is_duplicate, at, blocks, squares):
    """Sum the columns over the games of each deal, by player if the deal is played in all rotations, and by seat.

    Fills `blocks`, shape (deals, ...), from column `at` on as `Plan.columns` says, and `squares`, shape (seats,), with
    each player's squared wins. In rotation k the player p sits at seat (p - k) mod seats.
    """
    n_seats = outcomes.shape[2]
    for deal in range(outcomes.shape[0]):
        for rotation in range(outcomes.shape[1]):
            for seat in range(n_seats):
                player = seat + rotation
                player = player if player < n_seats else player - n_seats
                win = outcomes[deal, rotation, seat, WIN]
                squares[player] += win * win
                for i in range(columns.size):
                    value = outcomes[deal, rotation, seat, columns[i]]
                    to = at + i * n_seats
                    if is_duplicate:
                        blocks[deal, to + player] += value
                        to += columns.size * n_seats
                    blocks[deal, to + seat] += value


@kernel.small
def lead_of(outcomes, deal, rotation, column):
    """The leaders as a set of bits, how many they are, and by how much they lead the next seat, at most MAX_LEAD."""
    best = outcomes[deal, rotation, 0, column]
    second = best
    leaders = 1
    n_leaders = 1
    for seat in range(1, outcomes.shape[2]):
        points = outcomes[deal, rotation, seat, column]
        if points > best:
            second = best
            best = points
            leaders = 1 << seat
            n_leaders = 1
        elif points == best:
            second = points
            leaders |= 1 << seat
            n_leaders += 1
        elif seat == 1 or points > second:
            second = points
    return leaders, n_leaders, min(best - second, MAX_LEAD)


@kernel
def count_standings(outcomes, columns, groups, lead_seat, place, lead_change, lead_size):
    """Fill the tallies of `simcore.standings`, each with an axis of groups before its own.

    `columns` are the outcome columns of the standings; `groups` tells for each deal where it is counted.
    """
    n_seats = outcomes.shape[2]
    for deal in range(outcomes.shape[0]):
        group = groups[deal]
        for rotation in range(outcomes.shape[1]):
            winners = 0
            for seat in range(n_seats):
                if outcomes[deal, rotation, seat, WIN] > 0:
                    winners |= 1 << seat
            leaders, n_leaders, lead = lead_of(outcomes, deal, rotation, columns[0])
            for at in range(columns.size):
                column = columns[at]
                lead_size[group, at, lead, 0] += 1
                for seat in range(n_seats):
                    win = outcomes[deal, rotation, seat, WIN]
                    n_ahead = 0
                    for other in range(n_seats):
                        if outcomes[deal, rotation, other, column] > outcomes[deal, rotation, seat, column]:
                            n_ahead += 1
                    place[group, at, n_ahead, 0] += 1
                    place[group, at, n_ahead, 1] += win
                    if n_ahead == 0:
                        lead_seat[group, at, seat] += SIXTIETHS // n_leaders
                        lead_size[group, at, lead, 1] += win
                before = leaders
                leaders = winners
                if at + 1 < columns.size:
                    leaders, n_leaders, lead = lead_of(outcomes, deal, rotation, columns[at + 1])
                fate = KEPT if before == leaders else JOINED if before & leaders else LOST
                lead_change[group, at, fate] += 1
