"""Takes small contracts and completes them fast, many of them.

Origin: players' advice to keep few rows open, since a row not filled loses the whole card.
Weakness: small contracts score little and allow one building each.
"""

from strategies.ore_mining._common import best_by_length, longest_or_shortest

WEIGHTS = {"row": (4.0, 0.0, 40.0, "dollars by which a row more makes a contract worse")}


def place(v, r):
    return best_by_length(v, r, -int(10 * v.weights[0]))


def keep(v, r):
    return longest_or_shortest(v, r, -int(10 * v.weights[0]))
