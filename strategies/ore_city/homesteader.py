"""Lives off homes: fills its own space and its neighbours' with sets of one name, so as to hold the majority, and
draws nothing but homes once it holds a public work, but for what a University or an Airport asks.

Origin: the payout tables, whose last cards bring more than their first.
Weakness: its homes feed the stores next door, and a factory beside them costs a whole set.
"""

from simcore.ore_city.engine import AIRPORT, NOBODY, PUBLIC_WORKS, RESIDENTIAL, UNIVERSITY
from strategies.ore_city._common import option_of
from strategies.ore_city.baseline import best_pile

BASELINE = {"later": 1.1, "away": 0.8, "homes": 6.0, "free": 0.0}


def draw(v, r):
    work = option_of(v, PUBLIC_WORKS)
    if work != NOBODY:
        return work
    if v.hand[AIRPORT] + v.hand[UNIVERSITY] > 0:
        return best_pile(v, r)
    home = option_of(v, RESIDENTIAL)
    return home if home != NOBODY else 0
