"""Builds factories when many homes stand next door, to cap what those earn at one coin; its Police Stations take from
the seat with most points, a public work if they can.

Origin: the cards that earn nothing themselves.
Weakness: pays for hindering one rival what all others gain by.
"""

from simcore.ore_city.engine import (
    INDUSTRIAL,
    NOBODY,
    PUBLIC_WORKS,
    RESIDENTIAL,
    SMALL_FACTORY,
    is_by_factory,
    n_neighbours,
    neighbour,
)
from strategies.ore_city._common import CONSTRUCT, option_of
from strategies.ore_city.baseline import best_action, best_pile

WEIGHTS = {
    "homes": (3.0, 1.0, 12.0, "homes next door that are worth a factory"),
    "spare": (2.0, 0.0, 20.0, "coins it keeps when it builds one"),
}
BASELINE = {"tech": 5.0}


def act(v, r):
    p = v.public
    target = 0
    for i in range(n_neighbours(p)):
        beside = neighbour(p, v.seat, i)
        if p.space_type[beside] == RESIDENTIAL and not is_by_factory(p, beside):
            target = max(target, p.space_n[beside])
    if target >= v.weights[0]:
        for i in range(v.n_options):
            name = v.options[i, 1]
            if v.options[i, 0] == CONSTRUCT and name >= SMALL_FACTORY:
                if p.coins[v.seat] - r.cost[name] + p.technology[v.seat] >= v.weights[1]:
                    return i
    return best_action(v, r)


def steal(v, r):
    p = v.public
    best = 0
    most = -1
    for i in range(1, v.n_options):
        value = 2 * p.points[v.options[i, 0]] + (1 if v.options[i, 1] == PUBLIC_WORKS else 0)
        if value > most:
            best = i
            most = value
    return best


def draw(v, r):
    industry = option_of(v, INDUSTRIAL)
    n_homes = 0
    for i in range(n_neighbours(v.public)):
        beside = neighbour(v.public, v.seat, i)
        if v.public.space_type[beside] == RESIDENTIAL:
            n_homes = max(n_homes, v.public.space_n[beside])
    if industry != NOBODY and n_homes >= v.weights[0] and v.public.hand_types[v.seat, INDUSTRIAL] == 0:
        if v.public.coins[v.seat] >= 4:
            return industry
    return best_pile(v, r)
