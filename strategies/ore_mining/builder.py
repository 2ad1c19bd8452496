"""Builds: draws building cards early and often, and takes the contracts that allow most buildings.

Origin: the points of buildings, of which each costs fewer dollars than it is worth at the end.
Weakness: cards in hand score nothing, and each needs a contract completed and the money ready.
"""

from simcore.ore_mining.engine import PERMIT
from strategies.ore_mining._common import best_but

WEIGHTS = {"office": (2.0, 0.0, 30.0, "value of the Permit Office beyond that of its card, while few are in hand")}
BASELINE = {"allowance": 16.0, "card": 12.0, "spend": 1.0}


def place(v, r):
    is_short = v.public.hand_n[v.seat] < 4
    return best_but(v, r, PERMIT, int(10 * v.weights[0]) if is_short else 0)
