"""Bids the bare minimum for any lot that leaves it half its money, and takes the best price for its own.

It spends no thought on the table: what the Senate values highest is donated, the next two resources in hand go to
the Forum, and what comes first is stored.

Origin: the frugal player every group knows; it is also the lightest strategy, which shows the engine's own speed.
Weakness: loses every contested lot, and donates without looking at what others can give.
"""

TYPES = 6
WEIGHTS = {"share": (0.5, 0.1, 1.0, "share of its money that the minimum of a lot may take")}


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
        if v.bids[v.options[i, 0]] > v.bids[v.options[best, 0]]:
            best = i
    return best


def assign(v, r):
    donated = 0
    most = -1
    for kind in range(TYPES):
        worth = v.public.senate[kind]
        if v.hand[kind] > 0 and worth > most:
            donated = kind
            most = worth
    v.to_senate[donated] = v.hand[donated]
    n_more = r.max_types - 1
    for kind in range(TYPES):
        if n_more > 0 and v.hand[kind] > 0 and kind != donated:
            v.to_forum[kind] = v.hand[kind]
            n_more -= 1
    return 0


def store(v, r):
    n_left = v.public.storehouses[v.seat]
    for kind in range(TYPES):
        v.kept[kind] = min(v.hand[kind], n_left)
        n_left -= v.kept[kind]
    return 0
