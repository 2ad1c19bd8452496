"""Goes to Advanced Orders for the first-player marker, a building card, and rows filled before their time.

Origin: the first choice of the next round, which everybody else then waits for.
Weakness: a worker a round that neither digs nor takes a contract.
"""

from simcore.ore_mining.engine import ADVANCED
from strategies.ore_mining._common import best_but

WEIGHTS = {"orders": (6.0, 0.0, 60.0, "value of Advanced Orders beyond what it brings, while rounds are left")}
BASELINE = {"early": 8.0}


def place(v, r):
    return best_but(v, r, ADVANCED, int(10 * v.weights[0]) if v.public.round_no < r.rounds else 0)
