"""Denies the leader: will not sell to the seat with most points while another bid is near, and outbids it for lots
the Senate values.

Origin: kingmakers and watchdogs of every table game with open scores.
Weakness: pays for denying; with no clear leader it is a baseline with worse prices.
"""

from strategies.ostia._common import NOBODY, TYPES, best_bidder, highest_bid, own_option, to_bank
from strategies.ostia.baseline import lot_value

WEIGHTS = {
    "near": (0.7, 0.0, 1.0, "share of the leader's bid at which another is preferred"),
    "deny": (0.6, 0.0, 4.0, "denarii more for one worth of a lot that the leader has bid on"),
    "shade": (0.9, 0.2, 1.5, "share of a lot's value that it bids"),
}


def sell(v, r):
    p = v.public
    most = 0
    for seat in range(p.n_seats):
        if seat != v.seat:
            most = max(most, p.points[seat])
    best = best_bidder(v)
    other = NOBODY
    for i in range(v.n_options):
        seat = v.options[i, 0]
        if seat != v.seat and p.points[seat] < most and (other == NOBODY or v.bids[seat] > v.bids[v.options[other, 0]]):
            other = i
    price = v.bids[v.options[best, 0]]
    if p.points[v.options[best, 0]] == most and most > p.points[v.seat]:
        if other != NOBODY and v.bids[v.options[other, 0]] >= v.weights[0] * price:
            return other
    lost = price - to_bank(v, r, price)
    own = own_option(v)
    if own != NOBODY and price + r.own_lot_raise <= v.cash:
        if lot_value(v, r) > price + r.own_lot_raise + lost:
            return own
    return best


def bid(v, r):
    p = v.public
    least = max(p.minimum, 1)
    most_points = 0
    for seat in range(p.n_seats):
        if seat != v.seat:
            most_points = max(most_points, p.points[seat])
    value = v.weights[2] * lot_value(v, r)
    for seat in range(p.n_seats):
        if v.bids[seat] > 0 and p.points[seat] == most_points and most_points > p.points[v.seat]:
            for kind in range(TYPES):
                value += v.weights[1] * p.lot[kind] * p.senate[kind]
    most = int(min(value, float(v.cash)))
    if most < least:
        return 0
    return min(most, max(least, highest_bid(v) + 1))
