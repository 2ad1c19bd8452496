"""Counts what rivals bought this round: avoids resources they will bring to the Forum, bids for those nobody has, and
donates just enough to pass the donations their purchases can make.

Origin: card counters; every purchase is made in the open.
Weakness: stored and kept cards are hidden, so its counts are too low late in the game.
"""

from strategies.ostia._common import TYPES, highest_bid, price
from strategies.ostia.baseline import lot_value

WEIGHTS = {
    "glut": (1.3, 0.0, 6.0, "denarii a lot loses for each card of its resources that rivals bought"),
    "shade": (0.85, 0.2, 1.5, "share of a lot's value that it bids"),
}
BASELINE = {"seen": 0.6, "unknown": 1.6}


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    crowded = 0
    for kind in range(TYPES):
        if p.lot[kind] > 0:
            for seat in range(p.n_seats):
                if seat != v.seat:
                    crowded += p.lot[kind] * p.bought[seat, kind]
    most = int(min(v.weights[1] * lot_value(v, r) - v.weights[0] * crowded + 2.0, float(v.cash)))
    if most < least:
        return 0
    return min(most, max(least, highest_bid(v) + 1))


def offer(v, r):
    """What rivals have most of goes first: they pay for a third card what it is worth to them."""
    p = v.public
    best = 0
    best_count = -1
    for i in range(v.n_options):
        count = 0
        for j in range(2):
            kind = v.options[i, j]
            if kind >= 0:
                for seat in range(p.n_seats):
                    if seat != v.seat:
                        count += p.bought[seat, kind]
                if price(r, v.hand[kind], 1) < 8.0:
                    count += 1
        if count > best_count:
            best = i
            best_count = count
    return best
