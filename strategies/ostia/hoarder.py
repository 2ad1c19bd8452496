"""Builds storehouses early and fills them: what the next Senate card values is stored for a rich donation, and at the
end a different resource lies in each storehouse.

Origin: players who noticed that the next Senate card lies open a round ahead.
Weakness: its money is in storehouses while others buy; a rival who stores the same resource spoils the donation.
"""

from strategies.ostia._common import NOBODY, TYPES

WEIGHTS = {
    "reserve": (6.0, 0.0, 60.0, "money it keeps when building"),
    "variety": (2.0, 0.0, 10.0, "value of a resource not yet stored, in worth to the next Senate card"),
}
BASELINE = {"later": 1.1, "depot": 15.0, "variety": 4.5}


def keep(v, r):
    best = 0
    for i in range(1, v.n_options):
        if v.public.senate_next[v.options[i, 0]] > v.public.senate_next[v.options[best, 0]]:
            best = i
    return best


def store(v, r):
    p = v.public
    me = v.seat
    n_stores = p.storehouses[me]
    n_built = 0
    cash = v.cash
    for n_kept in range(TYPES * TYPES):
        best = NOBODY
        best_worth = -1.0
        for kind in range(TYPES):
            if v.hand[kind] > v.kept[kind]:
                worth = float(p.senate_next[kind])
                if v.kept[kind] == 0:
                    worth += v.weights[1]
                if worth > best_worth:
                    best = kind
                    best_worth = worth
        if best == NOBODY:
            break
        if n_kept == n_stores:
            is_wanted = best_worth >= 2.0 or (p.round_no == r.rounds and v.kept[best] == 0)
            if n_stores >= r.max_storehouses or not is_wanted or cash - r.storehouse_cost < v.weights[0]:
                break
            n_stores += 1
            n_built += 1
            cash -= r.storehouse_cost
        v.kept[best] += 1
    return n_built
