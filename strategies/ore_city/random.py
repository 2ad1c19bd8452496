"""Plays any legal answer, each as likely as any other.

Origin: the usual yardstick of playing strength.
Weakness: everything; it closes its books at any time and accomplishes public works by accident.
"""

from simcore.chance import below


def discard(v, r):
    return below(v.whim, v.n_options)


def act(v, r):
    return below(v.whim, v.n_options)


def build(v, r):
    return below(v.whim, v.n_options)


def scrap(v, r):
    return below(v.whim, v.n_options)


def steal(v, r):
    return below(v.whim, v.n_options)


def lay(v, r):
    return below(v.whim, v.n_options)


def take(v, r):
    return below(v.whim, v.n_options)


def draw(v, r):
    return below(v.whim, v.n_options)
