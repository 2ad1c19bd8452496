"""Runs a private mine as long as it can and trades at the Commodity Market: sells what is dear, buys what its rows lack.

Origin: the temporary worker, which digs without taking a worker from the board.
Weakness: pays for every card anew, and prices in dollars give no points but one in ten.
"""

from simcore.ore_mining.engine import MARKET, PRIVATE
from strategies.ore_mining._common import used_space
from strategies.ore_mining.baseline import space_value

WEIGHTS = {
    "mine": (3.0, 0.0, 40.0, "value of a private mine beyond what it brings"),
    "market": (1.0, 0.0, 40.0, "value of the Commodity Market beyond what it brings"),
}
BASELINE = {"surplus": 0.8, "private": 1.6, "missing": 4.0}


def place(v, r):
    p = v.public
    best = 0
    most = -1e9
    for i in range(v.n_options):
        space = used_space(v, i)
        value = space_value(v, r, v.options[i, 0], v.options[i, 1])
        if space == PRIVATE and p.round_no < r.rounds:
            value += v.weights[0]
        if space == MARKET:
            value += v.weights[1]
        if value > most:
            best = i
            most = value
    return best
