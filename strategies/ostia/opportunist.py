"""Waits: bids low in the first auction cycle, and in the second, when the others have spent, pays just above the best
bid for whatever is cheap for what it brings.

Origin: the advice to buy when the table is poor.
Weakness: the best lots are gone when it wakes, and against others who wait there is nothing to wait for.
"""

from strategies.ostia._common import highest_bid
from strategies.ostia.baseline import lot_value

WEIGHTS = {
    "early": (0.6, 0.0, 1.5, "share of a lot's value it bids in the first cycle"),
    "late": (0.95, 0.0, 1.5, "share of a lot's value it bids in the second cycle"),
}


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    share = v.weights[0] if p.cycle == 1 else v.weights[1]
    most = int(min(share * lot_value(v, r), float(v.cash)))
    if most < least:
        return 0
    return min(most, max(least, highest_bid(v) + 1))


def offer(v, r):
    """Cheap cards first: dear ones sell better when bidders know what they need."""
    best = 0
    best_price = 1_000_000
    for i in range(v.n_options):
        price = r.minimum_price[v.options[i, 0]]
        if v.options[i, 1] >= 0:
            price += r.minimum_price[v.options[i, 1]]
        if price < best_price:
            best = i
            best_price = price
    return best
