"""Builds one Hospital after another: five homes stay in its space while stores and homes next door bring the coins;
other works go back into the common space when a Hospital is known to lie there.

Origin: the Hospital asks for homes, not for closing them: the same five serve all game long.
Weakness: five Hospitals for everybody; others see the homes and put stores beside them.
"""

from simcore.ore_city.engine import AIRPORT, CITY_HALL, HOSPITAL, NOBODY, PUBLIC_WORKS, RESIDENTIAL, UNIVERSITY
from strategies.ore_city._common import ACCOMPLISH, EXCHANGE, option_of
from strategies.ore_city.baseline import best_action, best_pile, card_to_lay, card_to_take

BASELINE = {"homes": 4.0, "later": 0.9, "away": 0.8}


def act(v, r):
    """A Hospital that it knows to lie in the common space is fetched before anything is built."""
    if option_of(v, ACCOMPLISH) == NOBODY and v.hand[HOSPITAL] == 0 and v.seen_works[HOSPITAL - CITY_HALL] > 0:
        exchange = option_of(v, EXCHANGE)
        if exchange != NOBODY:
            return exchange
    return best_action(v, r)


def lay(v, r):
    """A work that is no Hospital, when a Hospital lies there."""
    if v.seen_works[HOSPITAL - CITY_HALL] > 0:
        for i in range(v.n_options):
            name = v.options[i, 0]
            if name > HOSPITAL or name == CITY_HALL:
                return i
    return card_to_lay(v, r)


def take(v, r):
    for i in range(v.n_options):
        if v.options[i, 0] == HOSPITAL:
            return i
    return card_to_take(v, r)


def draw(v, r):
    work = option_of(v, PUBLIC_WORKS)
    if work != NOBODY:
        return work
    home = option_of(v, RESIDENTIAL)
    is_free = v.hand[AIRPORT] + v.hand[UNIVERSITY] == 0
    if is_free and v.public.space_n[v.seat] < r.hospital_homes and home != NOBODY:
        return home
    return best_pile(v, r)
