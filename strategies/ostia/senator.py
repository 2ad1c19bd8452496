"""Lives for the Senate: pays well for what the active card values, donates all of it, and stores for the next card.

Origin: the plan a first reader of the rules makes, since the Senate is the one place that pays points every round.
Weakness: short of money; it pays for the first place when the second would be cheap, and neglects the Forum.
"""

from strategies.ostia._common import TYPES, highest_bid

WEIGHTS = {
    "pay": (2.3, 0.5, 6.0, "denarii it pays for one worth of a lot to the Senate"),
    "ahead": (0.9, 0.0, 4.0, "the same for the next Senate card"),
    "purse": (0.8, 0.2, 1.0, "share of its money that a lot may cost"),
}
BASELINE = {"point": 40.0, "last_point": 30.0}


def keep(v, r):
    best = 0
    for i in range(1, v.n_options):
        mine = 2 * v.public.senate[v.options[i, 0]] + v.public.senate_next[v.options[i, 0]]
        other = 2 * v.public.senate[v.options[best, 0]] + v.public.senate_next[v.options[best, 0]]
        if mine > other:
            best = i
    return best


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    worth = 0.0
    for kind in range(TYPES):
        worth += p.lot[kind] * (v.weights[0] * p.senate[kind] + v.weights[1] * p.senate_next[kind])
    most = int(min(worth, v.weights[2] * v.cash))
    if most < least or most > v.can_pay:
        return 0
    return min(most, max(least, highest_bid(v) + 2))
