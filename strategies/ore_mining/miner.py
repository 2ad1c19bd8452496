"""Digs deep: buys the Mine Cage early, leaves its workers in the mines for the rich boxes, and sells what it does not need.

Origin: the lower boxes, which yield twice what the upper ones do.
Weakness: workers down in the mines place nothing, and any player without a cage in the same mine brings them home.
"""

from simcore.ore_mining.engine import CAGE
from strategies.ore_mining._common import best_but

WEIGHTS = {"cage": (6.0, 0.0, 60.0, "value of the Mine Cage beyond what it brings, in the first half of the game")}
BASELINE = {"surplus": 0.8, "cage": 3.0, "bit": 2.0}


def place(v, r):
    is_early = 2 * v.public.round_no <= r.rounds + 1
    return best_but(v, r, CAGE, int(10 * v.weights[0]) if is_early else 0)
