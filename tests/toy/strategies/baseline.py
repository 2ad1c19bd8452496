"""Always throws safely.

Origin: made for the tests.
"""


def throw(v, r):
    return 0
