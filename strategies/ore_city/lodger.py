"""Builds next door: puts its cards into the neighbours' spaces, where others wait for them and close them, and shares
the payouts without spending a closing of its own.

Origin: the rule that a book-closing pays everybody with cards in the space.
Weakness: the neighbours choose the moment, and an empty space is closed to it.
"""

from strategies.ore_city.baseline import site_value

WEIGHTS = {"bonus": (1.5, 0.0, 8.0, "coins by which it prefers a neighbour's space")}
BASELINE = {"later": 0.6, "away": 1.1, "feed": 0.0}


def build(v, r):
    best = 0
    most = -1e9
    for i in range(v.n_options):
        value = site_value(v, r, v.card, v.options[i, 0], v.options[i, 1])
        if v.options[i, 0] != v.seat:
            value += v.weights[0]
        if value > most:
            best = i
            most = value
    return best
