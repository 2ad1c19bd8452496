"""Takes the risk if and only if it is behind the leader.

Origin: made for the tests.
"""

WEIGHTS = {"margin": (1.0, 1.0, 20.0, "coins behind the leader from which it takes the risk")}


def throw(v, r):
    most = 0
    for seat in range(v.public.n_seats):
        most = max(most, v.public.coins[seat])
    return 1 if most - v.public.coins[v.seat] >= v.weights[0] else 0
