"""Opens stores beside other people's homes: keeps its own space for stores, draws Commercial cards while there are
homes next door, and looks for a University.

Origin: the Restaurant, which can earn twenty coins in one action.
Weakness: nobody's homes, no income; two shopkeepers side by side starve each other.
"""

from simcore.ore_city.engine import COMMERCIAL, NOBODY, PUBLIC_WORKS, RESIDENTIAL, homes_beside
from strategies.ore_city._common import option_of

WEIGHTS = {"homes": (3.0, 0.0, 12.0, "homes next door from which it draws Commercial cards")}
BASELINE = {"later": 0.4, "away": 0.4, "store": 9.0, "free": 1.0}


def draw(v, r):
    work = option_of(v, PUBLIC_WORKS)
    if work != NOBODY:
        return work
    wanted = COMMERCIAL if homes_beside(v.public, v.seat) >= v.weights[0] else RESIDENTIAL
    at = option_of(v, wanted)
    return at if at != NOBODY else 0
