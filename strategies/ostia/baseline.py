"""Values every card by the best use it has: what it adds to Forum income, what it adds to the chance of points at the
Senate, what it is worth stored; bids part of that value, sells to the best price, and divides its cards by trying
several stakes on the Senate.

Origin: the sums a careful player makes with the price table and both Senate cards in view; its weights were tuned
in duplicate play against earlier versions of itself.
Weakness: takes rivals as average players whose unseen cards are alike, and never bluffs, waits or denies.
"""

from numba import types

from simcore.ostia.engine import kernel
from strategies.ostia._common import (
    NOBODY,
    TYPES,
    best_bidder,
    extra_income,
    highest_bid,
    own_option,
    price,
    to_bank,
    types_held,
)

WEIGHTS = {
    "point": (1624.0, 100.0, 8000.0, "value of a point, in hundredths of a denarius"),
    "last_point": (1694.0, 100.0, 8000.0, "the same in the last round"),
    "contest": (21.0, 0.0, 100.0, "hundredths of a point that one worth of a donation is taken to bring"),
    "later": (62.0, 0.0, 300.0, "per cent of that for worth to the next Senate card"),
    "supply": (227.0, 0.0, 800.0, "cards of a resource that others bring to the Forum, in hundredths"),
    "seen": (24.0, 0.0, 100.0, "the same for each card that rivals bought"),
    "saved": (12.0, 0.0, 100.0, "fewer for each worth to the next Senate card"),
    "shade": (91.0, 10.0, 400.0, "per cent of a lot's value that it bids at most"),
    "eager": (27.0, 0.0, 100.0, "per cent of the way there while others are still to bid"),
    "purse": (100.0, 5.0, 100.0, "per cent of its money that a lot may cost"),
    "crowd": (52.0, 0.0, 100.0, "per cent of a card's value if its resource is one too many"),
    "spread": (6.0, 1.0, 40.0, "per cent by which a worth more than a rival's raises the chance to pass it"),
    "unknown": (123.0, 0.0, 800.0, "worth of a rival's unseen card, in hundredths"),
    "modest": (409.0, 0.0, 1000.0, "worth that a rival does not donate, in hundredths"),
    "depot": (675.0, 0.0, 3000.0, "value of a storehouse for each round to come, in hundredths of a denarius"),
    "variety": (192.0, 0.0, 1000.0, "value of storing a resource not stored yet, in hundredths of a denarius"),
}
(
    POINT,
    LAST_POINT,
    CONTEST,
    LATER,
    SUPPLY,
    SEEN,
    SAVED,
    SHADE,
    EAGER,
    PURSE,
    CROWD,
    SPREAD,
    UNKNOWN,
    MODEST,
    DEPOT,
    VARIETY,
) = range(16)
STAKES = 3  # tried by `assign`: multiples of half of what a worth is taken to bring
# rows of v.scratch in `assign`
AS_FIRST, AS_MORE, GAIN, FORUM, DONATED, INCOME = range(6)  # from INCOME on: Forum income of 0, 1, ... cards
MOST_ON_SALE = 9  # more of a resource are never brought to the Forum at once

rival_kernel = kernel.extended(rivals=types.UniTuple(types.int64, 4))


# --- what a card is worth ----------------------------------------------------------------------------------


@kernel
def weight(v, i):
    """A weight as a whole number."""
    return int(v.baseline[i])


@kernel
def point_value(v, r):
    """Value of a point."""
    return weight(v, LAST_POINT) if v.public.round_no == r.rounds else weight(v, POINT)


@kernel
def supply_of(v, r, kind):
    """Cards of a resource that others are expected to bring to the Forum, in hundredths."""
    p = v.public
    n = -p.bought[v.seat, kind]
    for seat in range(p.n_seats):
        n += p.bought[seat, kind]
    supply = weight(v, SUPPLY) - weight(v, SAVED) * p.senate_next[kind] + n * weight(v, SEEN)
    return max(supply, 0) + 100 * p.talon[kind]


@kernel
def stored_value(v, r, kind, n_stored):
    """Value of storing a card beside `n_stored` of its resource."""
    p = v.public
    if p.round_no == r.rounds:
        return weight(v, LAST_POINT) if n_stored == 0 else 0
    first = weight(v, VARIETY) if n_stored == 0 else 0
    donated = p.senate_next[kind] * weight(v, CONTEST) * weight(v, POINT) // 100
    return donated * weight(v, LATER) // 100 + first


@kernel
def card_value(v, r, kind, n_have, n_types):
    """Value of one more card of a resource, with `n_have` of it and `n_types` resources in hand."""
    best = extra_income(r, supply_of(v, r, kind), n_have + 1)
    best = max(best, v.public.senate[kind] * weight(v, CONTEST) * point_value(v, r) // 100)
    if n_have == 0 and n_types >= r.max_types:
        best = best * weight(v, CROWD) // 100
    if n_types <= r.max_storehouses:
        best = max(best, stored_value(v, r, kind, n_have))
    return best


@kernel
def lot_value(v, r):
    """Value of the lot on the table."""
    n_types = types_held(v)
    value = 0
    for kind in range(TYPES):
        n = v.public.lot[kind]
        if n > 0:
            n_have = v.hand[kind]
            value += card_value(v, r, kind, n_have, n_types)
            if n > 1:
                value += card_value(v, r, kind, n_have + 1, n_types)
            elif n_have == 0:
                n_types += 1
    return value


# --- harbor ------------------------------------------------------------------------------------------------


def keep(v, r):
    """The card of most value."""
    best = 0
    best_value = -1
    n_types = types_held(v)
    for i in range(v.n_options):
        kind = v.options[i, 0]
        value = card_value(v, r, kind, v.hand[kind], n_types)
        if value > best_value:
            best = i
            best_value = value
    return best


def discard(v, r):
    """Nothing."""
    return 0


def offer(v, r):
    """What the Senate values most: it sells best while all have money."""
    best = 0
    best_worth = -1
    for i in range(v.n_options):
        worth = v.public.senate[v.options[i, 0]]
        if v.options[i, 1] != NOBODY:
            worth += v.public.senate[v.options[i, 1]]
        if worth > best_worth:
            best = i
            best_worth = worth
    return best


def bid(v, r):
    """Just above the best bid if it speaks last, else part of the way to what the lot is worth."""
    p = v.public
    least = max(p.minimum, 1)
    most = v.cash * weight(v, PURSE) // 100
    if most < least:
        return 0
    most = min(most, lot_value(v, r) * weight(v, SHADE) // 10000)
    if most < least:
        return 0
    n_later = -2  # the seller and the bidder are not asked
    for seat in range(p.n_seats):
        if p.bids[seat] < 0:
            n_later += 1
    floor = max(least, highest_bid(v) + 1)
    if floor >= most:
        return most
    if n_later <= 0:
        return floor
    return floor + (most - floor) * weight(v, EAGER) // 100


def sell(v, r):
    """To the highest bidder, unless the lot is worth more than it costs and the price forgone."""
    best = best_bidder(v)
    bid = v.public.bids[v.options[best, 0]]
    own = own_option(v)
    if own != NOBODY:
        cost = bid + r.own_lot_raise
        if cost <= v.cash and lot_value(v, r) * weight(v, SHADE) // 100 > 100 * (cost + bid - to_bank(v, r, bid)):
            return own
    return best


# --- office ------------------------------------------------------------------------------------------------


@kernel
def rival_worth(v, seat):
    """Worth a rival is expected to donate, in hundredths."""
    p = v.public
    n_unseen = p.hand_n[seat]
    worth = 0
    for kind in range(TYPES):
        n_unseen -= p.bought[seat, kind]
        worth += p.bought[seat, kind] * p.senate[kind]
    return 100 * worth + n_unseen * weight(v, UNKNOWN) - weight(v, MODEST)


@kernel
def all_rivals(v):
    """What each of up to four rivals is expected to donate."""
    me = v.seat
    n = v.public.n_seats
    nothing = -1_000_000
    return (
        rival_worth(v, (me + 1) % n),
        rival_worth(v, (me + 2) % n),
        rival_worth(v, (me + 3) % n) if n > 3 else nothing,
        rival_worth(v, (me + 4) % n) if n > 4 else nothing,
    )


@rival_kernel
def senate_value(v, r, rivals, donation):
    """Value of the points a donation of that worth is expected to bring."""
    if donation <= 0:
        return 0
    spread = weight(v, SPREAD)
    ahead = 0  # rivals ahead, in hundredths
    for i in range(4):
        ahead += min(max(50 + (rivals[i] - 100 * donation) * spread // 100, 0), 100)
    place = ahead // 100
    if place >= r.senate_award.size:
        return 0
    here = r.senate_award[place]
    next_award = r.senate_award[place + 1] if place + 1 < r.senate_award.size else 0
    points = 100 * here + (ahead - 100 * place) * (next_award - here)
    return points * point_value(v, r) // 100


@kernel
def divide(v, kind, stake):
    """Divide one resource among Forum and Senate (or store) if a worth brings `stake`; returns the gain over storing."""
    n = v.hand[kind]
    first = v.scratch[AS_FIRST, kind]
    more = v.scratch[AS_MORE, kind]
    donated = v.public.senate[kind] * stake
    elsewhere = max(donated, more)
    bonus = max(first - elsewhere, 0)
    best = n * elsewhere + bonus
    best_forum = 0
    for n_forum in range(1, min(n, MOST_ON_SALE) + 1):
        gain = (n - n_forum) * elsewhere + v.scratch[INCOME + n_forum, kind]
        if n_forum < n:
            gain += bonus
        if gain > best:
            best = gain
            best_forum = n_forum
    n_left = n - best_forum
    n_donated = 0
    if donated >= first:
        n_donated = n_left
    elif donated >= more:
        n_donated = max(n_left - 1, 0)
    v.scratch[FORUM, kind] = best_forum
    v.scratch[DONATED, kind] = n_donated
    if n_donated + best_forum == 0:
        return 0
    return best - n * more - first + more + 1


@rival_kernel
def plan(v, r, stake, rivals, n_room):
    """Use the resources that gain most, store the others (their GAIN is left at 0 or more); returns the value of it all."""
    for kind in range(TYPES):
        v.scratch[GAIN, kind] = divide(v, kind, stake) if v.hand[kind] > 0 else 0
    donation = 0
    value = 0
    for _ in range(r.max_types):
        best = 0
        for kind in range(1, TYPES):
            if v.scratch[GAIN, kind] > v.scratch[GAIN, best]:
                best = kind
        if v.scratch[GAIN, best] <= 0:
            break
        v.scratch[GAIN, best] = -1
        value += v.scratch[INCOME + v.scratch[FORUM, best], best]
        donation += v.scratch[DONATED, best] * v.public.senate[best]
    n_stored = 0
    stored = 0
    for kind in range(TYPES):
        n = v.hand[kind]
        if v.scratch[GAIN, kind] < 0:
            n -= v.scratch[FORUM, kind] + v.scratch[DONATED, kind]
        if n > 0:
            n_stored += n
            stored += v.scratch[AS_FIRST, kind] + (n - 1) * v.scratch[AS_MORE, kind]
    if n_stored > n_room:
        stored = stored * n_room // n_stored
    return value + stored + senate_value(v, r, rivals, donation)


def assign(v, r):
    """The best of several plans, each made for another stake on the Senate."""
    rivals = all_rivals(v)
    n_room = v.public.storehouses[v.seat]
    if r.storehouse_cost > 0:
        n_room += v.cash // r.storehouse_cost
    n_room = min(n_room, r.max_storehouses)
    for kind in range(TYPES):
        if v.hand[kind] > 0:
            v.scratch[AS_FIRST, kind] = stored_value(v, r, kind, 0)
            v.scratch[AS_MORE, kind] = stored_value(v, r, kind, 1)
            supply = supply_of(v, r, kind)
            v.scratch[INCOME, kind] = 0
            for n in range(1, min(v.hand[kind], MOST_ON_SALE) + 1):
                v.scratch[INCOME + n, kind] = n * price(r, supply, n)
    unit = weight(v, CONTEST) * point_value(v, r) // 100
    best = -1
    for step in range(STAKES):
        value = plan(v, r, unit * step // 2, rivals, n_room)
        if value > best:
            best = value
            for kind in range(TYPES):
                is_used = v.scratch[GAIN, kind] < 0
                v.to_forum[kind] = v.scratch[FORUM, kind] if is_used else 0
                v.to_senate[kind] = v.scratch[DONATED, kind] if is_used else 0
    return 0


# --- storehouses -------------------------------------------------------------------------------------------


@kernel
def next_to_store(v, r):
    """The resource of which a card is best stored next, or NOBODY."""
    best = NOBODY
    best_value = -1
    for kind in range(TYPES):
        if v.hand[kind] > v.kept[kind]:
            value = stored_value(v, r, kind, v.kept[kind])
            if value > best_value:
                best = kind
                best_value = value
    return best


def store(v, r):
    """Build while the next card is worth more than the storehouse costs."""
    p = v.public
    n_stores = p.storehouses[v.seat]
    n_built = 0
    cash = v.cash
    to_come = r.rounds - p.round_no
    for n_kept in range(TYPES * TYPES):
        kind = next_to_store(v, r)
        if kind == NOBODY:
            break
        if n_kept == n_stores:
            value = stored_value(v, r, kind, v.kept[kind]) + to_come * weight(v, DEPOT)
            if n_stores >= r.max_storehouses or cash < r.storehouse_cost or value < 100 * r.storehouse_cost:
                break
            n_stores += 1
            n_built += 1
            cash -= r.storehouse_cost
        v.kept[kind] += 1
    return n_built


# --- game end ----------------------------------------------------------------------------------------------


def score(v, r):
    """One card of each resource, as many as there is room for."""
    n_left = v.public.storehouses[v.seat]
    for kind in range(TYPES):
        if v.hand[kind] > 0 and n_left > 0:
            v.kept[kind] = 1
            n_left -= 1
    return 0


def resell(v, r):
    """All that are empty, unless debt keeps it out of the money award anyway."""
    if v.public.loans[v.seat] > 0:
        return 0
    return v.public.storehouses[v.seat] - v.public.hand_n[v.seat]


def choose_start(v, r):
    """Itself: who starts sells first, while all have money."""
    return v.seat
