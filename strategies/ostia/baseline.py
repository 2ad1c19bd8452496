"""Values every card by the best use it has: what it adds to Forum income, what it adds to the chance of points at the
Senate, what it is worth stored; bids part of that value, sells to the best price, and divides its cards by what a
great donation would bring.

Origin: the sums a careful player makes with the price table and both Senate cards in view; its weights were tuned
in duplicate play against earlier versions of itself.
Weakness: takes rivals as average players whose unseen cards are alike, and never bluffs, waits or denies.
"""

from simcore.ostia.engine import kernel
from strategies.ostia._common import (
    NOBODY,
    TYPES,
    best_bidder,
    extra_income,
    own_option,
    price,
    to_bank,
    types_held,
    value_kernel,
)

WEIGHTS = {
    "point": (16.24, 1.0, 80.0, "value of a point, in denarii"),
    "last_point": (16.94, 1.0, 80.0, "the same in the last round"),
    "contest": (0.21, 0.0, 1.0, "points that one worth of a donation is taken to bring"),
    "later": (0.62, 0.0, 3.0, "times that for worth to the next Senate card"),
    "supply": (2.27, 0.0, 8.0, "cards of a resource that others bring to the Forum"),
    "seen": (0.24, 0.0, 1.0, "the same for each card that rivals bought"),
    "saved": (0.12, 0.0, 1.0, "fewer for each worth to the next Senate card"),
    "shade": (0.91, 0.1, 4.0, "share of a lot's value that it bids at most"),
    "eager": (0.27, 0.0, 1.0, "how far it goes there while others are still to bid"),
    "purse": (1.0, 0.05, 1.0, "share of its money that a lot may cost"),
    "crowd": (0.52, 0.0, 1.0, "share of a card's value left if its resource is one too many"),
    "spread": (0.06, 0.01, 0.4, "chance to pass a rival that one worth more brings"),
    "unknown": (1.23, 0.0, 8.0, "worth of a rival's unseen card"),
    "modest": (4.09, 0.0, 10.0, "worth that a rival does not donate"),
    "depot": (6.75, 0.0, 30.0, "value of a storehouse for each round to come, in denarii"),
    "variety": (1.92, 0.0, 10.0, "value of storing a resource not stored yet, in denarii"),
    "reach": (0.85, 0.1, 1.5, "share of its cards' worth it thinks of donating"),
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
    REACH,
) = range(17)
# rows of v.scratch in `assign`
AS_FIRST, AS_MORE, GAIN, INCOME = range(4)  # from INCOME on: Forum income of 0, 1, ... cards
MOST_ON_SALE = 9  # more of a resource are never brought to the Forum at once


# --- what a card is worth ----------------------------------------------------------------------------------


@kernel.small
def point_value(v, r):
    """Value of a point."""
    return v.baseline[LAST_POINT] if v.public.round_no == r.rounds else v.baseline[POINT]


@kernel.small
def supply_of(v, r, kind):
    """Cards of a resource that others are expected to bring to the Forum."""
    p = v.public
    n = p.bought_n[kind] - p.bought[v.seat, kind]
    supply = v.baseline[SUPPLY] - v.baseline[SAVED] * p.senate_next[kind] + v.baseline[SEEN] * n
    return max(supply, 0.0) + p.talon[kind]


@kernel.small
def stored_value(v, r, kind, n_stored):
    """Value of storing a card beside `n_stored` of its resource."""
    p = v.public
    if p.round_no == r.rounds:
        return v.baseline[LAST_POINT] if n_stored == 0 else 0.0
    first = v.baseline[VARIETY] if n_stored == 0 else 0.0
    return p.senate_next[kind] * v.baseline[CONTEST] * v.baseline[POINT] * v.baseline[LATER] + first


@kernel.small
def card_value(v, r, kind, n_have, n_types):
    """Value of one more card of a resource, with `n_have` of it and `n_types` resources in hand."""
    best = extra_income(r, supply_of(v, r, kind), n_have + 1)
    best = max(best, v.public.senate[kind] * v.baseline[CONTEST] * point_value(v, r))
    best *= v.baseline[CROWD] if n_have == 0 and n_types >= r.max_types else 1.0
    if n_types <= r.max_storehouses:
        best = max(best, stored_value(v, r, kind, n_have))
    return best


@kernel.small
def lot_value(v, r):
    """Value of the lot on the table."""
    first = v.public.first_card
    second = v.public.second_card
    n_types = types_held(v)
    n_have = v.hand[first]
    value = card_value(v, r, first, n_have, n_types)
    if second == NOBODY:
        return value
    n_again = n_have + 1 if second == first else v.hand[second]
    n_types += 1 if n_have == 0 and second != first else 0
    return value + card_value(v, r, second, n_again, n_types)


# --- harbor ------------------------------------------------------------------------------------------------


def keep(v, r):
    """The card of most value."""
    best = 0
    best_value = -1.0
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
    most = int(v.cash * v.baseline[PURSE])
    if most < least:
        return 0
    most = min(most, int(lot_value(v, r) * v.baseline[SHADE]))
    if most < least:
        return 0
    n_later = -2  # the seller and the bidder are not asked
    highest = 0
    for seat in range(p.n_seats):
        n_later += 1 if v.bids[seat] < 0 else 0
        highest = max(highest, v.bids[seat])
    floor = max(least, highest + 1)
    if floor >= most:
        return most
    if n_later <= 0:
        return floor
    return floor + int((most - floor) * v.baseline[EAGER])


def sell(v, r):
    """To the highest bidder, unless the lot is worth more than it costs and the price forgone."""
    best = best_bidder(v)
    bid = v.bids[v.options[best, 0]]
    own = own_option(v)
    if own != NOBODY:
        cost = bid + r.own_lot_raise
        if cost <= v.cash and lot_value(v, r) * v.baseline[SHADE] > cost + bid - to_bank(v, r, bid):
            return own
    return best


# --- office ------------------------------------------------------------------------------------------------


@kernel.small
def rival_worth(v, seat):
    """Worth a rival is expected to donate."""
    p = v.public
    n_unseen = p.hand_n[seat]
    worth = 0
    for kind in range(TYPES):
        n_unseen -= p.bought[seat, kind]
        worth += p.bought[seat, kind] * p.senate[kind]
    return worth + n_unseen * v.baseline[UNKNOWN] - v.baseline[MODEST]


@kernel.small
def rival_on_left(v, steps):
    """Worth expected of the rival so many places to the left, or far below nothing where none sits."""
    n = v.public.n_seats
    if steps >= n:
        return -1e6
    seat = v.seat + steps
    return rival_worth(v, seat if seat < n else seat - n)


@kernel.small
def all_rivals(v):
    """What each of up to four rivals is expected to donate."""
    return rival_on_left(v, 1), rival_on_left(v, 2), rival_on_left(v, 3), rival_on_left(v, 4)


@value_kernel.small
def senate_value(v, r, rivals, donation):
    """Value of the points a donation of that worth is expected to bring."""
    if donation <= 0.0:
        return 0.0
    ahead = 0.0  # rivals expected to be ahead
    for i in range(4):
        ahead += min(max(0.5 + (rivals[i] - donation) * v.baseline[SPREAD], 0.0), 1.0)
    place = int(ahead)
    if place >= r.senate_award.size:
        return 0.0
    here = r.senate_award[place]
    next_award = r.senate_award[place + 1] if place + 1 < r.senate_award.size else 0
    return (here + (ahead - place) * (next_award - here)) * point_value(v, r)


@value_kernel.small
def divide(v, kind, stake):
    """Divide one resource among Forum and Senate (or store) if a worth brings `stake`; returns the gain over storing."""
    n = v.hand[kind]
    first = v.scratch[AS_FIRST, kind]
    more = v.scratch[AS_MORE, kind]
    donated = v.public.senate[kind] * stake
    elsewhere = max(donated, more)
    bonus = max(first - elsewhere, 0.0)  # for the first card stored
    best = n * elsewhere + bonus
    n_forum = 0
    for i in range(1, min(n, MOST_ON_SALE) + 1):
        gain = (n - i) * elsewhere + v.scratch[INCOME + i, kind] + (bonus if i < n else 0.0)
        n_forum = i if gain > best else n_forum
        best = max(gain, best)
    n_donated = 0
    if donated >= more:
        n_donated = n - n_forum - (1 if donated < first and n_forum < n else 0)
    v.to_forum[kind] = n_forum
    v.to_senate[kind] = n_donated
    if n_donated + n_forum == 0:
        return 0.0
    return best - n * more - first + more + 0.01


@kernel.small
def reckon(v, r):
    """Fill the scratch rows that `divide` reads: what each resource brings stored and sold."""
    for kind in range(TYPES):
        if v.hand[kind] > 0:
            v.scratch[AS_FIRST, kind] = stored_value(v, r, kind, 0)
            v.scratch[AS_MORE, kind] = stored_value(v, r, kind, 1)
            supply = supply_of(v, r, kind)
            v.scratch[INCOME, kind] = 0.0
            for n in range(1, min(v.hand[kind], MOST_ON_SALE) + 1):
                v.scratch[INCOME + n, kind] = n * price(r, supply, n)


@kernel.small
def worth_in_hand(v):
    """Worth of all its cards to the Senate."""
    worth = 0
    for kind in range(TYPES):
        worth += v.hand[kind] * v.public.senate[kind]
    return worth


def assign(v, r):
    """Each resource to its best use, a worth taken to bring what it would on average as part of a great donation."""
    reckon(v, r)
    stake = 0.0
    donation = worth_in_hand(v) * v.baseline[REACH]
    if donation > 0.0:
        stake = senate_value(v, r, all_rivals(v), donation) / donation
    n_used = 0
    for kind in range(TYPES):
        v.scratch[GAIN, kind] = divide(v, kind, stake) if v.hand[kind] > 0 else 0.0
        n_used += 1 if v.scratch[GAIN, kind] > 0.0 else 0
    for _ in range(n_used - r.max_types):  # the resources that gain least are stored instead
        least = NOBODY
        for kind in range(TYPES):
            gain = v.scratch[GAIN, kind]
            if gain > 0.0 and (least == NOBODY or gain <= v.scratch[GAIN, least]):
                least = kind
        v.scratch[GAIN, least] = 0.0
        v.to_forum[least] = 0
        v.to_senate[least] = 0
    return 0


# --- storehouses -------------------------------------------------------------------------------------------


@kernel.small
def next_to_store(v, r):
    """The resource of which a card is best stored next, or NOBODY."""
    best = NOBODY
    best_value = -1.0
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
        if n_kept == n_stores and (n_stores >= r.max_storehouses or cash < r.storehouse_cost):
            break
        kind = next_to_store(v, r)
        if kind == NOBODY:
            break
        if n_kept == n_stores:
            if stored_value(v, r, kind, v.kept[kind]) + to_come * v.baseline[DEPOT] < r.storehouse_cost:
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
