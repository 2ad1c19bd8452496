"""Plays only the cheap works: City Halls and Police Stations, a point each; a work it cannot pay at once goes back
into the common space for another look, and its coins are spent down to nothing before a City Hall.

Origin: twenty of the thirty-five Public Works cards have no condition.
Weakness: ten works instead of four; every City Hall feeds the poor.
"""

from simcore.chance import unit
from simcore.ore_city.engine import CITY_HALL, HOSPITAL, NOBODY, POLICE_STATION
from strategies.ore_city._common import ACCOMPLISH, EXCHANGE, idle_option, option_of, work_in_hand
from strategies.ore_city.baseline import best_action, card_to_lay, card_to_take

WEIGHTS = {"flush": (0.25, 0.02, 1.0, "chance to flush away a dear work when no cheap one lies in the common space")}
BASELINE = {"homes": 0.0, "store": 0.0, "plant": 0.0, "need": 0.0}


def act(v, r):
    done = option_of(v, ACCOMPLISH)
    if done != NOBODY:
        return done
    work = work_in_hand(v)
    is_dear = work != NOBODY and work != CITY_HALL and work != POLICE_STATION
    if is_dear:
        n_cheap = v.seen_works[0] + v.seen_works[POLICE_STATION - CITY_HALL]
        n_seen = n_cheap
        for other in range(HOSPITAL - CITY_HALL, POLICE_STATION - CITY_HALL):
            n_seen += v.seen_works[other]
        if (n_cheap > 0 or n_seen < v.public.common_works) and option_of(v, EXCHANGE) != NOBODY:
            return option_of(v, EXCHANGE)
        if unit(v.whim) < v.weights[0]:
            return idle_option(v)
    return best_action(v, r)


def lay(v, r):
    """A dear work, when a cheap one lies there."""
    if v.seen_works[0] + v.seen_works[POLICE_STATION - CITY_HALL] > 0:
        for i in range(v.n_options):
            if CITY_HALL < v.options[i, 0] < POLICE_STATION:
                return i
    return card_to_lay(v, r)


def take(v, r):
    for i in range(v.n_options):
        if v.options[i, 0] == CITY_HALL or v.options[i, 0] == POLICE_STATION:
            return i
    return card_to_take(v, r)
