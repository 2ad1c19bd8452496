"""What several strategies of Ostia reckon with. Values are hundredths of a denarius unless a name says otherwise."""

from simcore.ostia.engine import kernel

TYPES = 6
NOBODY = -1


@kernel
def price(r, supply, n):
    """Forum price when `n` cards join a supply given in hundredths of a card, read between the lines of the table."""
    at = max(supply, 0) + 100 * n - 100
    i = at // 100
    last = r.forum_price.size - 1
    if i >= last:
        return 100 * r.forum_price[last]
    return 100 * r.forum_price[i] + (at - 100 * i) * (r.forum_price[i + 1] - r.forum_price[i])


@kernel
def extra_income(r, supply, n):
    """What the `n`-th own card of a resource adds at the Forum, the fall in price of the others counted."""
    if n == 1:
        return price(r, supply, 1)
    return n * price(r, supply, n) - (n - 1) * price(r, supply, n - 1)


@kernel
def types_held(v):
    """Resources in hand."""
    n = 0
    for kind in range(TYPES):
        if v.hand[kind] > 0:
            n += 1
    return n


@kernel
def to_bank(v, r, bid):
    """What the bank keeps of a bid, in denarii."""
    if r.advanced_price:
        return v.public.minimum
    return (bid * r.commission_percent + 99) // 100


@kernel
def highest_bid(v):
    """The best bid so far, in denarii; 0 if there is none."""
    highest = 0
    for seat in range(v.public.n_seats):
        highest = max(highest, v.public.bids[seat])
    return highest


@kernel
def best_bidder(v):
    """The option that sells to the highest bidder, the first of equals."""
    p = v.public
    best = -1
    for i in range(v.n_options):
        seat = v.options[i, 0]
        if seat != v.seat and (best < 0 or p.bids[seat] > p.bids[v.options[best, 0]]):
            best = i
    return best


@kernel
def own_option(v):
    """The option that keeps the lot, or NOBODY; it is listed last."""
    last = v.n_options - 1
    return last if v.options[last, 0] == v.seat else NOBODY
