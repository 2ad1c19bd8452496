"""Throws either way, each as likely.

Origin: made for the tests.
"""

from simcore.chance import below


def throw(v, r):
    return below(v.whim, v.n_options)
