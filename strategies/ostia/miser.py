"""Bids the bare minimum for any lot that leaves it half its money, and takes the best price for its own.

It spends no thought on the table: what the Senate values highest is donated, the rest of its three largest
resources goes to the Forum, and one card of the next Senate card's favourite is stored.

Origin: the frugal player every group knows; it is also the lightest strategy, which shows the engine's own speed.
Weakness: loses every contested lot, and donates without looking at what others can give.
"""

from simcore.ostia.engine import kernel

TYPES = 6
WEIGHTS = {"share": (0.7, 0.1, 1.0, "share of its money that the minimum of a lot may take")}


@kernel
def dearest(v, r):
    """The resource in hand that is worth most to the Senate; -1 for an empty hand."""
    best = -1
    for kind in range(TYPES):
        if v.hand[kind] > 0 and (best < 0 or v.public.senate[kind] > v.public.senate[best]):
            best = kind
    return best


def keep(v, r):
    best = 0
    for i in range(1, v.n_options):
        if v.public.senate[v.options[i, 0]] > v.public.senate[v.options[best, 0]]:
            best = i
    return best


def offer(v, r):
    return 0


def bid(v, r):
    least = max(v.public.minimum, 1)
    if least > v.weights[0] * v.cash:
        return 0
    return least


def sell(v, r):
    best = 0
    for i in range(1, v.n_options):
        if v.public.bids[v.options[i, 0]] > v.public.bids[v.options[best, 0]]:
            best = i
    return best


def assign(v, r):
    donated = dearest(v, r)
    if donated < 0:
        return 0
    v.to_senate[donated] = v.hand[donated]
    for _ in range(r.max_types - 1):
        most = -1
        for kind in range(TYPES):
            if kind != donated and v.to_forum[kind] == 0 and v.hand[kind] > 0:
                if most < 0 or v.hand[kind] > v.hand[most]:
                    most = kind
        if most < 0:
            break
        v.to_forum[most] = v.hand[most]
    return 0


def store(v, r):
    n_left = v.public.storehouses[v.seat]
    for _ in range(n_left):
        best = -1
        for kind in range(TYPES):
            if v.hand[kind] > v.kept[kind]:
                if best < 0 or v.public.senate_next[kind] > v.public.senate_next[best]:
                    best = kind
        if best < 0:
            break
        v.kept[best] += 1
    return 0
