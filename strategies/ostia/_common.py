"""What several strategies of Ostia reckon with. Values are in denarii."""

from numba import types

from simcore.ostia.engine import kernel

TYPES = 6
NOBODY = -1

# the same decorator, for helpers that also take these whole or broken numbers
value_kernel = kernel.extended(
    supply=types.float64, stake=types.float64, donation=types.float64, rivals=types.UniTuple(types.float64, 4)
)


@value_kernel.small
def price(r, supply, n):
    """Forum price when `n` cards join a supply that need not be whole, read between the lines of the table."""
    at = supply + n - 1.0
    i = int(at)
    last = r.forum_price.size - 1
    if i >= last:
        return float(r.forum_price[last])
    return r.forum_price[i] + (at - i) * (r.forum_price[i + 1] - r.forum_price[i])


@value_kernel.small
def extra_income(r, supply, n):
    """What the `n`-th own card of a resource adds at the Forum, the fall in price of the others counted.

    The supply is rounded to whole cards: it is asked for every card of every lot.
    """
    at = int(supply + 0.5) + n - 1
    last = r.forum_price.size - 1
    before = r.forum_price[min(max(at - 1, 0), last)]  # of no account for the first card
    return float(n * r.forum_price[min(at, last)] - (n - 1) * before)


@kernel.small
def types_held(v):
    """Resources in hand."""
    n = 0
    for kind in range(TYPES):
        if v.hand[kind] > 0:
            n += 1
    return n


@kernel.small
def to_bank(v, r, bid):
    """What the bank keeps of a bid, in denarii."""
    if r.advanced_price:
        return v.public.minimum
    return (bid * r.commission_percent + 99) // 100


@kernel.small
def highest_bid(v):
    """The best bid so far, in denarii; 0 if there is none."""
    highest = 0
    for seat in range(v.public.n_seats):
        highest = max(highest, v.bids[seat])
    return highest


@kernel.small
def best_bidder(v):
    """The option that sells to the highest bidder, the first of equals."""
    best = -1
    for i in range(v.n_options):
        seat = v.options[i, 0]
        if seat != v.seat and (best < 0 or v.bids[seat] > v.bids[v.options[best, 0]]):
            best = i
    return best


@kernel.small
def own_option(v):
    """The option that keeps the lot, or NOBODY; it is listed last."""
    last = v.n_options - 1
    return last if v.options[last, 0] == v.seat else NOBODY
