"""Plays any legal answer, each as likely as any other.

Origin: the usual yardstick of playing strength.
Weakness: everything; it takes contracts that it cannot fill and pays for whatever it can.
"""

from simcore.chance import below


def place(v, r):
    return below(v.whim, v.n_options)


def keep(v, r):
    return below(v.whim, v.n_options)


def trade(v, r):
    return below(v.whim, v.n_options)


def follow(v, r):
    return below(v.whim, v.n_options)


def permit(v, r):
    return below(v.whim, v.n_options)


def apply(v, r):
    return below(v.whim, v.n_options)


def order(v, r):
    return below(v.whim, v.n_options)


def fill(v, r):
    return below(v.whim, v.n_options)


def finish(v, r):
    return below(v.whim, v.n_options)


def build(v, r):
    return below(v.whim, v.n_options)


def accept(v, r):
    return below(v.whim, v.n_options)


def gain(v, r):
    return below(v.whim, v.n_options)


def sell(v, r):
    return below(v.whim, v.n_options)


def hurry(v, r):
    return below(v.whim, v.n_options)


def take(v, r):
    return below(v.whim, v.n_options)
