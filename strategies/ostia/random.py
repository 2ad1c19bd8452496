"""Plays any legal answer, each as likely as any other.

A bid is a pass or any price from the minimum to all it can pay, each number as likely; every number of cards of a
resource goes to Forum, Senate and store in every way that is possible, each as likely.

Origin: the usual yardstick of playing strength.
Weakness: everything; it runs into debt, over-extends and wins by accident.
"""

from simcore.chance import below
from simcore.ostia.engine import kernel

TYPES = 6


def keep(v, r):
    return below(v.whim, v.n_options)


def discard(v, r):
    return below(v.whim, v.n_options)


def offer(v, r):
    return below(v.whim, v.n_options)


def bid(v, r):
    least = max(v.public.minimum, 1)
    choice = below(v.whim, v.can_pay - least + 2)
    return 0 if choice == 0 else least + choice - 1


def sell(v, r):
    return below(v.whim, v.n_options)


def assign(v, r):
    for kind in range(TYPES):
        n = v.hand[kind]
        # the (n + 1)(n + 2) / 2 ways to divide n cards in three
        way = below(v.whim, (n + 1) * (n + 2) // 2)
        forum = 0
        while way > n - forum:
            way -= n - forum + 1
            forum += 1
        v.to_forum[kind] = forum
        v.to_senate[kind] = way
    return 0


@kernel
def keep_cards(v, n):
    """Keep `n` cards, each time one drawn at random."""
    n_left = 0
    for kind in range(TYPES):
        n_left += v.hand[kind]
    for n_drawn in range(min(n, n_left)):
        pick = below(v.whim, n_left - n_drawn)
        for kind in range(TYPES):
            pick -= v.hand[kind] - v.kept[kind]
            if pick < 0:
                v.kept[kind] += 1
                break
    return 0


def store(v, r):
    mine = v.seat
    n_sites = max(r.max_storehouses - v.public.storehouses[mine], 0)
    n_most = n_sites
    if r.storehouse_cost > 0:
        n_most = min(n_sites, v.cash // r.storehouse_cost)
    n_built = below(v.whim, n_most + 1)
    keep_cards(v, v.public.storehouses[mine] + n_built)
    return n_built


def score(v, r):
    mine = v.seat
    n_most = min(v.public.storehouses[mine], v.public.hand_n[mine])
    return keep_cards(v, below(v.whim, n_most + 1))


def resell(v, r):
    mine = v.seat
    return below(v.whim, v.public.storehouses[mine] - v.public.hand_n[mine] + 1)


def choose_start(v, r):
    return below(v.whim, v.n_options)
