"""Who sits where: the body of a kernel that every engine compiles with its own decorator."""

from __future__ import annotations

from simcore.chance import open_stream
from simcore.state import SEAT


def seat_players(s, rotation):
    """Seat the table's strategies, `rotation` seats on; each view starts blank, its stream of whims at its address."""
    n_seats = s.public.n_seats
    for seat in range(n_seats):
        player = (seat + rotation) % n_seats
        s.player[seat] = player
        s.views[seat] = s.blank
        v = s.views[seat]
        v.seat = seat
        v.weights[:] = s.weights[player]
        v.baseline[:] = s.baseline[player]
        open_stream(v.whim, s.seed, s.deal, SEAT + seat)
