"""Values every construction by what it earns at once and at book-closing, closes its books when that pays more than
to go on building, keeps a Public Works card in hand, and accomplishes it as soon as it can.

Origin: the sums a careful player makes with the payout tables, the homes next door and the cards in view.
Weakness: looks one action ahead, takes little notice of what its homes earn the stores next door, never hinders.
"""

from simcore.ore_city.engine import (
    AIRPORT,
    CITY_HALL,
    COMMERCIAL,
    CONSTRUCTIONS,
    FIRST_STORE,
    HIGHWAY,
    HOSPITAL,
    INDUSTRIAL,
    NOBODY,
    PER_TYPE,
    PUBLIC_WORKS,
    RESIDENTIAL,
    UNIVERSITY,
    builder_at,
    home_amount,
    kernel,
    n_neighbours,
    neighbour,
    price_of,
    type_of,
)
from strategies.ore_city._common import (
    ACCOMPLISH,
    CLOSE,
    CONSTRUCT,
    EXCHANGE,
    closing_due,
    idle_option,
    option_of,
    store_coins,
)

WEIGHTS = {
    "point": (6.0, 0.0, 40.0, "value of a point"),
    "later": (0.8, 0.0, 1.5, "value of a coin at the next closing of its own space"),
    "away": (0.7, 0.0, 1.5, "value of a coin at the next closing of a neighbour's space"),
    "feed": (0.3, 0.0, 1.0, "coins that a coin of a neighbour costs it"),
    "homes": (6.0, 0.0, 6.0, "value of a home that brings it nearer to its Hospital"),
    "store": (6.0, 0.0, 12.0, "value of the first store when it holds a University"),
    "tech": (8.2, 0.0, 20.0, "value of one technology"),
    "plant": (20.0, 0.0, 40.0, "value of a first card with technology when it holds an Airport"),
    "free": (0.2, 0.0, 10.0, "value of an empty space"),
    "swap": (1.5, 0.0, 10.0, "how much better a card must be to be exchanged for"),
    "dull": (0.35, 0.0, 10.0, "value of a hand below which it flushes"),
    "works": (6.0, 0.0, 20.0, "value of drawing a Public Works card when it has none"),
    "fresh": (0.32, 0.0, 3.0, "share of a card's value that counts when it may be drawn"),
    "enough": (8.0, 1.0, 40.0, "technology at which more is worth nothing"),
    "need": (6.0, 0.0, 30.0, "value of an empty space when the work in hand needs other cards there"),
    "cheap": (1.0, 0.0, 10.0, "value of a City Hall or Police Station card above the other works in hand, a coin less"),
}
(POINT, LATER, AWAY, FEED, HOMES, STORE, TECH, PLANT, FREE, SWAP, DULL, WORKS, FRESH, ENOUGH, NEED, CHEAP) = range(16)


# --- what a construction is worth --------------------------------------------------------------------------


@kernel
def tech_value(v, r, n):
    """What so much more technology is worth."""
    share = 1.0 - v.public.technology[v.seat] / v.baseline[ENOUGH]
    return n * v.baseline[TECH] * max(share, 0.0)


@kernel
def is_in_the_way(v, kind, space):
    """Whether cards of a type in its own space keep it from what the work in hand needs there."""
    if space != v.seat:
        return False
    return (v.hand[HOSPITAL] > 0 and kind != RESIDENTIAL) or (v.hand[UNIVERSITY] > 0 and kind != COMMERCIAL)


@kernel
def home_value(v, r, name, space, n):
    """What homes add to its part of a space at the next closing."""
    p = v.public
    builder = builder_at(p, space, v.seat)
    gain = home_amount(p, r, space, name, builder, n)[0] - home_amount(p, r, space, name, builder, 0)[0]
    value = gain * (v.baseline[LATER] if space == v.seat else v.baseline[AWAY])
    if space == v.seat and v.hand[HOSPITAL] > 0 and p.space_n[space] < r.hospital_homes:
        value += v.baseline[HOMES] * min(n, r.hospital_homes - p.space_n[space])
    return value - price_of(p, r, v.seat, name)


@kernel
def store_value(v, r, name, space, n):
    """What a store earns at once, and a little at the next closing."""
    p = v.public
    value = store_coins(p, r, space, name) + n * r.store_closing[name - FIRST_STORE] * v.baseline[AWAY]
    if space == v.seat and v.hand[UNIVERSITY] > 0 and p.space_type[space] == NOBODY:
        value += v.baseline[STORE]
    return value - price_of(p, r, v.seat, name)


@kernel
def industry_value(v, r, name, space, n):
    """Technology at the next closing."""
    p = v.public
    kind = name - HIGHWAY
    value = tech_value(v, r, n * r.technology[kind]) * (1.0 if space == v.seat else v.baseline[AWAY])
    if kind == 0:
        value += n * (r.highway_closing * v.baseline[AWAY] + 0.5)
    if v.hand[AIRPORT] > 0 and r.technology[kind] > 0 and p.technology[v.seat] == 0:
        value += v.baseline[PLANT]
    return value - price_of(p, r, v.seat, name)


@kernel
def site_value(v, r, name, space, n):
    """What constructing `n` cards of a name in a space is worth; far below nothing where it cannot be done."""
    p = v.public
    kind = p.space_type[space]
    if kind != type_of(name) and (kind != NOBODY or space != v.seat):
        return -99.0
    if price_of(p, r, v.seat, name) > p.coins[v.seat]:
        return -99.0
    if name < FIRST_STORE:
        value = home_value(v, r, name, space, n)
    elif name < HIGHWAY:
        value = store_value(v, r, name, space, n)
    else:
        value = industry_value(v, r, name, space, n)
    return value - v.baseline[NEED] if is_in_the_way(v, type_of(name), space) else value


@kernel
def card_value(v, r, name, n):
    """What `n` cards of a name are worth at the best site."""
    best = site_value(v, r, name, v.seat, n)
    for i in range(n_neighbours(v.public)):
        best = max(best, site_value(v, r, name, neighbour(v.public, v.seat, i), n))
    return best


@kernel
def close_value(v, r):
    """What closing its own space brings now, beyond what it counts for already; others' gains count against it."""
    p = v.public
    me = v.seat
    value = closing_due(p, r, me, me) + v.baseline[FREE]
    for i in range(n_neighbours(p)):
        value -= v.baseline[FEED] * closing_due(p, r, me, neighbour(p, me, i))
    if p.space_type[me] == INDUSTRIAL:
        for kind in range(PER_TYPE):
            value += tech_value(v, r, p.built[me, builder_at(p, me, me), kind] * r.technology[kind])
    if v.hand[HOSPITAL] > 0:
        value += v.baseline[NEED] if p.space_type[me] != RESIDENTIAL else -v.baseline[HOMES] * p.space_n[me]
    if v.hand[UNIVERSITY] > 0:
        value += v.baseline[NEED] if p.space_type[me] != COMMERCIAL else -v.baseline[STORE]
    return value


@kernel
def work_value(v, r, name):
    """What a Public Works card in hand is worth: its points, less what it costs."""
    p = v.public
    return r.points[name - CITY_HALL] * v.baseline[POINT] - price_of(p, r, v.seat, name) * v.baseline[CHEAP]


@kernel
def n_to_lay(v, name):
    """Construction cards of other names in hand, those already put down in this exchange counted."""
    n = 0
    for other in range(CONSTRUCTIONS):
        if other != name:
            n += v.hand[other]
    return n


@kernel
def swap_value(v, r, name, n_laid):
    """What a construction would be worth with the cards of a name in the common space taken for others."""
    n_taken = min(v.public.common[name], n_laid + n_to_lay(v, name))
    if n_taken == 0:
        return -99.0
    return card_value(v, r, name, v.hand[name] + n_taken)


@kernel
def swap_target(v, r, n_laid):
    """The card in the common space most worth an exchange, or NOBODY."""
    best = NOBODY
    most = -99.0
    for name in range(CONSTRUCTIONS):
        if v.public.common[name] > 0:
            value = swap_value(v, r, name, n_laid)
            if value > most:
                best = name
                most = value
    return best


@kernel
def n_acquired(v, name):
    """Cards of a name that lie in acquisition spaces for good."""
    n = 0
    if HIGHWAY <= name < CONSTRUCTIONS:
        for seat in range(v.public.n_seats):
            n += v.public.acquired[seat, name - HIGHWAY]
    return n


# --- the answers -------------------------------------------------------------------------------------------


def discard(v, r):
    """The card worth least."""
    worst = 0
    least = 1e9
    for i in range(v.n_options):
        name = v.options[i, 0]
        value = card_value(v, r, name, v.hand[name])
        if value < least:
            worst = i
            least = value
    return worst


@kernel
def best_action(v, r):
    """The action worth most."""
    done = option_of(v, ACCOMPLISH)
    if done != NOBODY:
        return done
    best = idle_option(v)
    most = v.baseline[DULL]
    for i in range(v.n_options):
        action = v.options[i, 0]
        value = -99.0
        if action == CONSTRUCT:
            name = v.options[i, 1]
            value = card_value(v, r, name, v.hand[name])
        elif action == CLOSE:
            value = close_value(v, r)
        elif action == EXCHANGE:
            target = swap_target(v, r, 0)
            if target != NOBODY:
                value = swap_value(v, r, target, 0) - v.baseline[SWAP]
        if value > most:
            best = i
            most = value
    return best


def build(v, r):
    """The best site, with as many cards as are worth it."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        value = site_value(v, r, v.card, v.options[i, 0], v.options[i, 1])
        if value > most:
            best = i
            most = value
    return best


def scrap(v, r):
    """What gives least technology, a card that lies in a space before an acquired one."""
    best = 0
    least = 1e9
    for i in range(v.n_options):
        loss = float(r.technology[v.options[i, 1] - HIGHWAY])
        if v.options[i, 0] != NOBODY:
            loss -= 0.5
        if loss < least:
            best = i
            least = loss
    return best


def steal(v, r):
    """From the seat with most points, a Public Works card if it has one."""
    p = v.public
    best = 0
    most = -1.0
    for i in range(1, v.n_options):
        value = float(p.points[v.options[i, 0]])
        if v.options[i, 1] == PUBLIC_WORKS:
            value += v.baseline[WORKS]
        if value > most:
            best = i
            most = value
    return best


@kernel
def card_to_lay(v, r):
    """Cards of other names, as many as there are of the one it wants, those worth least first."""
    n_laid = max(r.hand_size - v.public.hand_n[v.seat], 0)
    target = swap_target(v, r, n_laid)
    worst = option_of(v, NOBODY)
    if target == NOBODY or n_laid >= v.public.common[target]:
        return worst
    least = 1e9
    for i in range(v.n_options):
        name = v.options[i, 0]
        if name != NOBODY and name < CONSTRUCTIONS and name != target:
            value = card_value(v, r, name, v.hand[name])
            if value < least:
                worst = i
                least = value
    return worst


@kernel
def card_to_take(v, r):
    """The card worth most together with those of its name in hand."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        name = v.options[i, 0]
        if name < CONSTRUCTIONS:
            value = card_value(v, r, name, v.hand[name] + min(v.public.common[name], v.n_left))
        else:
            value = work_value(v, r, name)
        if value > most:
            best = i
            most = value
    return best


@kernel
def best_pile(v, r):
    """A Public Works card if it has none; else the pile whose cards are worth most on average."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        pile = v.options[i, 0]
        value = v.baseline[WORKS]
        if pile != PUBLIC_WORKS:
            total = 0.0
            n_cards = 0
            for kind in range(PER_TYPE):
                name = pile * PER_TYPE + kind
                n = max(r.copies[name] - v.public.discards[name] - n_acquired(v, name), 0)
                total += n * max(card_value(v, r, name, v.hand[name] + 1), 0.0)
                n_cards += n
            value = v.baseline[FRESH] * total / max(n_cards, 1)
        if value > most:
            best = i
            most = value
    return best


def act(v, r):
    return best_action(v, r)


def lay(v, r):
    return card_to_lay(v, r)


def take(v, r):
    return card_to_take(v, r)


def draw(v, r):
    return best_pile(v, r)
