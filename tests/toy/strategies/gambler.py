"""Always takes the risk.

Origin: made for the tests.
"""


def throw(v, r):
    return 1
