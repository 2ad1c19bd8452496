"""Lives off the Forum: buys what few others have, sells three different resources a few cards each, and hoards money.

Points come from the money award and from whatever second or third place in the Senate its leftovers reach.

Origin: the printed price table, which pays most for the first three or four cards of a resource.
Weakness: wins little at the Senate; suffers when others sell the same resources.
"""

from strategies.ostia._common import TYPES, extra_income, highest_bid
from strategies.ostia.baseline import supply_of

WEIGHTS = {
    "share": (0.75, 0.2, 1.5, "share of the Forum income of a lot's cards that it bids"),
    "purse": (0.6, 0.1, 1.0, "share of its money that a lot may cost"),
}
BASELINE = {"point": 9.0, "last_point": 14.0, "contest": 0.14}


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    income = 0.0
    for kind in range(TYPES):
        for n in range(p.lot[kind]):
            income += max(extra_income(r, supply_of(v, r, kind), v.hand[kind] + n + 1), 0.0)
    most = int(min(v.weights[0] * income, v.weights[1] * v.cash))
    if most < least:
        return 0
    return min(most, max(least, highest_bid(v) + 1))
