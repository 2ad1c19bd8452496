"""Goes for technology first: Wind Turbines and factories, acquired with few book-closings, make the costly works and
every later card cheap; spare cards of technology become Airports.

Origin: the rule that technology is cumulative and lasts.
Weakness: slow; while it invests, others score with coins alone.
"""

from simcore.ore_city.engine import INDUSTRIAL, NOBODY, PUBLIC_WORKS
from strategies.ore_city._common import option_of
from strategies.ore_city.baseline import best_pile

WEIGHTS = {"enough": (3.0, 0.0, 12.0, "technology from which it stops drawing Industrial cards for their own sake")}
BASELINE = {"tech": 9.0, "plant": 16.0, "later": 0.8}


def draw(v, r):
    p = v.public
    work = option_of(v, PUBLIC_WORKS)
    if work != NOBODY and p.coins[v.seat] >= 4:
        return work
    industry = option_of(v, INDUSTRIAL)
    if industry != NOBODY and p.technology[v.seat] < v.weights[0]:
        if p.hand_types[v.seat, INDUSTRIAL] == 0:
            return industry
    return best_pile(v, r)
