"""Lives on credit: mortgages storehouses and takes loans for lots it wants, donates every resource of worth and lets
the Senate take what it deems too much.

Origin: the loans of the rules, which cost three denarii a round and look cheap beside a point.
Weakness: a seat still in debt at the end cannot win; it stops borrowing before the last round, often too late.
"""

from strategies.ostia._common import TYPES, highest_bid
from strategies.ostia.baseline import lot_value

WEIGHTS = {
    "shade": (1.0, 0.2, 2.0, "share of a lot's value that it bids"),
    "credit": (0.6, 0.0, 1.0, "share of what it can raise beyond its money that it uses"),
    "greed": (3.0, 0.0, 6.0, "worth to the Senate from which a fourth resource is donated all the same"),
}


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    funds = float(v.cash)
    if p.round_no + 1 < r.rounds:
        funds += v.weights[1] * (v.can_pay - v.cash)
    most = int(min(v.weights[0] * lot_value(v, r), funds))
    if most < least or most > v.can_pay:
        return 0
    return min(most, max(least, highest_bid(v) + 1))


def assign(v, r):
    """The Senate's favourites are donated; two more resources go to the Forum, in their right number or not."""
    p = v.public
    n_types = 0
    for _ in range(TYPES):
        best = -1
        for kind in range(TYPES):
            if v.hand[kind] > 0 and v.to_senate[kind] == 0 and (best < 0 or p.senate[kind] > p.senate[best]):
                best = kind
        if best < 0 or p.senate[best] < v.weights[2] or n_types > r.max_types:
            break
        v.to_senate[best] = v.hand[best]
        n_types += 1
    while n_types < r.max_types:
        most = -1
        for kind in range(TYPES):
            n = v.hand[kind] - v.to_senate[kind] - v.to_forum[kind]
            if n > 0 and (most < 0 or n > v.hand[most]):
                most = kind
        if most < 0:
            break
        v.to_forum[most] = v.hand[most]
        n_types += 1
    return 0
