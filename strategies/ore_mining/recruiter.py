"""Recruits as early as it can pay for, and keeps its dollars together until then.

Origin: the thought that a worker more for the rest of the game outweighs its price.
Weakness: the price falls for those who wait, and the first rounds go by without cards or a cage.
"""

from simcore.ore_mining.engine import CAGE, PRIVATE, RECRUIT
from strategies.ore_mining._common import used_space
from strategies.ore_mining.baseline import best_permit, space_value

WEIGHTS = {
    "recruit": (20.0, 0.0, 90.0, "value of the worker beyond what it brings"),
    "until": (4.0, 1.0, 7.0, "the last round in which it recruits"),
    "save": (8.0, 0.0, 40.0, "value lost by a space that costs dollars, while it saves"),
}


def place(v, r):
    p = v.public
    saves = p.recruited[v.seat] == 0 and p.round_no <= v.weights[1]
    best = 0
    most = -1e9
    for i in range(v.n_options):
        space = used_space(v, i)
        value = space_value(v, r, v.options[i, 0], v.options[i, 1])
        if saves and space == RECRUIT:
            value += v.weights[0]
        if saves and (space == CAGE or space == PRIVATE):
            value -= v.weights[2]
        if value > most:
            best = i
            most = value
    return best


def apply(v, r):
    p = v.public
    return 0 if p.recruited[v.seat] == 0 and p.round_no <= v.weights[1] else best_permit(v, r)
