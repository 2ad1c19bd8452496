"""Takes big contracts early and feeds them row by row to their end.

Origin: the points of long contracts and the two or three buildings that they allow.
Weakness: one row missed loses all that was put on them; late in the game they cannot be completed.
"""

from strategies.ore_mining._common import best_by_length, longest_or_shortest

WEIGHTS = {"row": (3.0, 0.0, 40.0, "dollars by which a row more makes a contract better")}


def place(v, r):
    return best_by_length(v, r, int(10 * v.weights[0]))


def keep(v, r):
    return longest_or_shortest(v, r, int(10 * v.weights[0]))
