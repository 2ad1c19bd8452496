"""Keeps its money: bids little while others are flush, takes its own lots when the table is too poor to contest them,
and goes for the money award.

Origin: the rulebook's example, whose first player waits until the others have spent.
Weakness: hands the Senate to others in the first rounds.
"""

from strategies.ostia._common import NOBODY, best_bidder, own_option, to_bank
from strategies.ostia.baseline import lot_value

WEIGHTS = {
    "shade": (0.62, 0.1, 1.5, "share of a lot's value that it bids"),
    "own": (0.95, 0.1, 3.0, "share of a lot's value at which it keeps its own"),
    "purse": (0.45, 0.05, 1.0, "share of its money that a lot may cost"),
}
BASELINE = {"depot": 4.0, "last_point": 20.0}


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    most = int(min(v.weights[0] * lot_value(v, r), v.weights[2] * v.cash))
    if most < least:
        return 0
    return least + (most - least) // 4


def sell(v, r):
    best = best_bidder(v)
    own = own_option(v)
    price = v.bids[v.options[best, 0]]
    lost = price - to_bank(v, r, price)
    if own != NOBODY and price + r.own_lot_raise <= v.cash:
        if v.weights[1] * lot_value(v, r) > price + r.own_lot_raise + lost:
            return own
    return best
