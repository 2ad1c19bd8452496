"""Streams of chance: xoshiro256++ words, addressed by (seed, deal, purpose) through SplitMix64.

A stream depends on its address alone, so any deal can be played again by itself, by another table or under other
rules, on any machine; one draw more or less in one stream shifts no other.

Sources: Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021); Steele, Lea
and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; Lemire, "Fast random integer generation
in an interval", ACM TOMACS 29 (2019).
"""

from __future__ import annotations

import numpy as np
from numba import types

from simcore.kernel import Kernels, record_type
from simcore.records import STREAM

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64's step
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)
U11, U17, U19, U23, U27, U30, U31, U32, U41, U45, U64 = (
    np.uint64(n) for n in (11, 17, 19, 23, 27, 30, 31, 32, 41, 45, 64)
)
TO_UNIT = 1.0 / 9007199254740992.0  # 2**-53

kernel = Kernels(g=record_type(STREAM), z=types.uint64, cards=types.int32[:])


@kernel
def mix(z):
    """SplitMix64's output function, a bijection of 64-bit words."""
    z = (z ^ (z >> U30)) * MIX_1
    z = (z ^ (z >> U27)) * MIX_2
    return z ^ (z >> U31)


@kernel
def open_stream(g, seed, deal, purpose):
    """Set a stream to the start of its address; three bijective steps keep the addresses of one seed apart."""
    z = mix(np.uint64(seed) + GAMMA)
    z = mix((z ^ np.uint64(deal)) + GAMMA)
    z = mix((z ^ np.uint64(purpose)) + GAMMA)
    g.w0 = mix(z + GAMMA)
    g.w1 = mix(z + GAMMA + GAMMA)
    g.w2 = mix(z + GAMMA + GAMMA + GAMMA)
    g.w3 = mix(z + GAMMA + GAMMA + GAMMA + GAMMA)


@kernel
def draw_word(g):
    """The next 64 random bits (xoshiro256++)."""
    total = g.w0 + g.w3
    word = ((total << U23) | (total >> U41)) + g.w0
    shifted = g.w1 << U17
    g.w2 ^= g.w0
    g.w3 ^= g.w1
    g.w1 ^= g.w2
    g.w0 ^= g.w3
    g.w2 ^= shifted
    g.w3 = (g.w3 << U45) | (g.w3 >> U19)
    return word


@kernel
def below(g, n):
    """A whole number from 0 to n - 1, each equally likely (Lemire's method with rejection); 0 < n < 2**31."""
    span = np.uint64(n)
    product = (draw_word(g) >> U32) * span
    if (product & LOW_32) < span:
        floor = (LOW_32 + np.uint64(1) - span) % span
        while (product & LOW_32) < floor:
            product = (draw_word(g) >> U32) * span
    return np.int64(product >> U32)


@kernel
def shuffle(g, cards, n):
    """Put the first `n` entries into one of their orders, each equally likely (Fisher-Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(g, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def unit(g):
    """A number in [0, 1), a multiple of 2**-53."""
    return np.float64(draw_word(g) >> U11) * TO_UNIT
