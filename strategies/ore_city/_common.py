"""What several strategies of Ore City reckon with. Values are in coins."""

from simcore.ore_city.engine import (
    CITY_HALL,
    COMMERCIAL,
    FIRST_STORE,
    INDUSTRIAL,
    NAMES,
    NOBODY,
    PARK,
    PER_TYPE,
    RESIDENTIAL,
    builder_at,
    cards_of,
    home_amount,
    homes_beside,
    is_by_factory,
    kernel,
)

# actions, as the options of `act` list them
CONSTRUCT, CLOSE, ACCOMPLISH, EXCHANGE, FLUSH, PASS = range(6)


@kernel.small
def option_of(v, what):
    """Where the options list that action or card first, or NOBODY."""
    for i in range(v.n_options):
        if v.options[i, 0] == what:
            return i
    return NOBODY


@kernel.small
def idle_option(v):
    """Where the options list a flush or, if that is barred, the pass."""
    flush = option_of(v, FLUSH)
    return flush if flush != NOBODY else v.n_options - 1


@kernel.small
def work_in_hand(v):
    """The Public Works card in hand, or NOBODY."""
    for name in range(CITY_HALL, NAMES):
        if v.hand[name] > 0:
            return name
    return NOBODY


@kernel
def store_coins(p, r, space, name):
    """What a store earns when it is constructed in a space."""
    kind = name - FIRST_STORE
    n_homes = homes_beside(p, space)
    if n_homes == 0:
        return 0
    due = min(r.store_flat[kind] + r.store_per_home[kind] * n_homes, r.store_most[kind])
    return min(due, r.factory_limit) if is_by_factory(p, space) else due


@kernel
def closing_due(p, r, space, seat):
    """What a seat would get if a space were closed now; technology not counted."""
    builder = builder_at(p, space, seat)
    due = 0
    for kind in range(PER_TYPE):
        if p.space_type[space] == RESIDENTIAL:
            due += home_amount(p, r, space, kind, builder, 0)[0]
        elif p.space_type[space] == COMMERCIAL:
            due += p.built[space, builder, kind] * r.store_closing[kind]
    if p.space_type[space] == INDUSTRIAL:
        return p.built[space, builder, 0] * r.highway_closing
    is_immune = p.space_type[space] == RESIDENTIAL and cards_of(p, space, PARK) > 0
    return min(due, r.factory_limit) if due > 0 and not is_immune and is_by_factory(p, space) else due
