"""Streams of chance: published vectors, uniform draws, addresses that have nothing to do with each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from simcore.chance import GAMMA, below, draw_word, mix, open_stream, unit
from simcore.records import STREAM

LEAST_P = 1e-4  # seeds are fixed: a test either always passes or never
WORD = 2**64
HEAVY = 3 * 2**29  # a quarter of the words is rejected
SPLITMIX64_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
XOSHIRO256PP_1234 = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


@pytest.fixture(autouse=True)
def _words_wrap_around() -> Iterator[None]:
    """Un-jitted, 64-bit words wrap around with a warning."""
    with np.errstate(over="ignore"):
        yield


def stream(seed: int = 0, deal: int = 0, purpose: int = 0) -> Any:
    g = np.zeros(1, STREAM)[0]
    open_stream(g, seed, deal, purpose)
    return g


def words(g: Any, n: int) -> list[int]:
    return [int(draw_word(g)) for _ in range(n)]


def sample() -> list[Any]:
    """Draws of every kind, for comparing jitted with plain Python."""
    with np.errstate(over="ignore"):
        drawn: list[Any] = []
        for address in product((0, 7, 2**63 - 1), (0, 3, 10**10), (0, 1_000, 1_000_004)):
            g = stream(*address)
            drawn += words(g, 3)
            drawn += [int(below(g, n)) for n in (1, 2, 51, HEAVY, 2**31 - 1)]
            drawn.append(float(unit(g)).hex())
        return drawn


# --- against the published algorithms ----------------------------------------------------------------------


def test_splitmix64_gives_the_published_numbers():
    inputs = [(1234567 + step * int(GAMMA)) % WORD for step in range(1, 6)]
    assert [int(mix(np.uint64(z))) for z in inputs] == SPLITMIX64_1234567


def test_xoshiro256pp_gives_the_published_numbers():
    g = np.zeros(1, STREAM)[0]
    g.w0, g.w1, g.w2, g.w3 = 1, 2, 3, 4
    assert words(g, 10) == XOSHIRO256PP_1234


def test_a_stream_starts_with_four_splitmix64_words_of_its_address():
    g = stream(11, 22, 33)
    start = 0
    for part in (11, 22, 33):
        start = int(mix(np.uint64(((start ^ part) + int(GAMMA)) % WORD)))
    expected = [int(mix(np.uint64((start + step * int(GAMMA)) % WORD))) for step in range(1, 5)]
    assert [int(g.w0), int(g.w1), int(g.w2), int(g.w3)] == expected


@pytest.mark.parametrize("n", [1, 2, 3, 6, 51, 1000, 2**16, 2**30, HEAVY, 2**31 - 1])
def test_below_is_lemires_method(n):
    """The same numbers as arithmetic without word size, word for word."""
    g, twin = stream(5, n, 1), stream(5, n, 1)
    n_rejected = 0
    for _ in range(200):
        product_ = (int(draw_word(twin)) >> 32) * n
        while product_ % 2**32 < 2**32 % n:
            n_rejected += 1
            product_ = (int(draw_word(twin)) >> 32) * n
        assert below(g, n) == product_ >> 32
    assert g.tobytes() == twin.tobytes()
    assert (n_rejected > 20) == (n == HEAVY)


# --- uniform draws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 6, 7, 51])
def test_below_is_uniform(n):
    g = stream(1, n)
    drawn = [below(g, n) for _ in range(400 * n)]
    counts = np.bincount(drawn, minlength=n)
    assert counts.size == n
    assert stats.chisquare(counts).pvalue > LEAST_P


@pytest.mark.parametrize("n", [HEAVY, 2**31 - 1])
def test_below_is_uniform_where_words_are_rejected(n):
    """Without rejection, two of three neighbours would come up half again as often as the third."""
    g = stream(2, n)
    drawn = np.array([below(g, n) for _ in range(6000)])
    assert drawn.min() >= 0
    assert drawn.max() < n
    assert stats.chisquare(np.bincount(drawn % 3)).pvalue > LEAST_P
    assert stats.chisquare(np.bincount(drawn * 20 // n, minlength=20)).pvalue > LEAST_P


def test_below_1_is_0():
    g = stream(3)
    assert {below(g, 1) for _ in range(100)} == {0}


def test_unit_is_uniform_in_steps_of_the_53rd_bit():
    g, twin = stream(4), stream(4)
    drawn = np.array([unit(g) for _ in range(4000)])
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert (drawn * 2**53 == np.floor(drawn * 2**53)).all()
    assert drawn.tolist() == [(word >> 11) / 2**53 for word in words(twin, 4000)]
    assert stats.kstest(drawn, "uniform").pvalue > LEAST_P


def test_unit_stays_below_one_at_the_largest_word():
    g = np.zeros(1, STREAM)[0]
    g.w0 = WORD - 1  # w0 + w3 has all bits set, and rotated with w0 added gives 2**64 - 2
    assert unit(g) == 1.0 - 2**-53


def test_each_bit_of_the_words_is_fair():
    g = stream(6)
    drawn = np.array(words(g, 4000), dtype=np.uint64)
    bits = drawn[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    ones = bits.sum(axis=0).astype(float)
    assert (abs(ones - 2000) < 5 * np.sqrt(1000)).all()


def test_shuffles_are_uniform_over_the_orders():
    """The decks of deals that follow one another: 24 orders of four cards."""
    from simcore.ostia import engine

    s = np.zeros(1, engine.STATE)[0]
    s.deck_n = 4
    orders: Counter[tuple[int, ...]] = Counter()
    for deal in range(24 * 200):
        s.deck[:4] = range(4)
        open_stream(s.chance, 12, deal, 0)
        engine.shuffle_deck(s)
        orders[tuple(s.deck[:4].tolist())] += 1
    assert set(orders) == set(permutations(range(4)))
    assert stats.chisquare(list(orders.values())).pvalue > LEAST_P


# --- addresses ---------------------------------------------------------------------------------------------


def test_every_part_of_the_address_counts():
    addresses = [
        (1, 2, 3),
        (2, 1, 3),
        (3, 2, 1),
        (1, 3, 2),
        (1, 2, 4),
        (1, 3, 3),
        (2, 2, 3),
        (0, 0, 0),
        (2**63 - 1, 2, 3),
    ]
    starts = {stream(*address).tobytes() for address in addresses}
    assert len(starts) == len(addresses)


def test_addresses_that_are_close_share_no_words():
    seen: list[int] = []
    for seed, deal, purpose in product(range(4), range(30), (0, 1, 2, 1_000, 1_001, 1_000_000, 1_000_001)):
        seen += words(stream(seed, deal, purpose), 10)
    assert len(set(seen)) == len(seen) == 8400
    assert 0 not in seen


@pytest.mark.parametrize("step", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_neighbouring_streams_are_uncorrelated(step):
    """Half the bits of two words differ, wherever in the streams they stand."""
    streams = [stream(*(9 + k * s for s in step)) for k in range(40)]
    drawn = np.array([words(g, 50) for g in streams], dtype=np.uint64)
    for earlier, later in pairwise(drawn):
        differing = [int(a ^ b).bit_count() for a, b in zip(earlier.tolist(), later.tolist(), strict=True)]
        assert abs(np.mean(differing) - 32) < 5 * 4 / np.sqrt(50)  # a word's bits: 64 coins, deviation 4
    units = drawn.astype(float) / WORD
    for lag in (0, 1):
        pairs = np.corrcoef(units[:-1, : 50 - lag].ravel(), units[1:, lag:].ravel())
        assert abs(pairs[0, 1]) < 5 / np.sqrt(39 * (50 - lag))


@pytest.mark.parametrize("position", [0, 1, 5])
def test_the_same_draw_of_many_deals_is_uniform(position):
    """What a study averages over: the n-th draw of each deal, not the draws of one stream."""
    drawn = []
    for deal in range(3600):
        g = stream(31, deal, 2)
        drawn.append([below(g, 6) for _ in range(position + 1)][-1])
    pairs = np.array(drawn[::2]) * 6 + np.array(drawn[1::2])
    assert stats.chisquare(np.bincount(drawn, minlength=6)).pvalue > LEAST_P
    assert stats.chisquare(np.bincount(pairs, minlength=36)).pvalue > LEAST_P


def test_the_order_of_opening_does_not_matter():
    addresses = [(3, deal, purpose) for deal in range(5) for purpose in range(3)]
    forwards = {address: words(stream(*address), 4) for address in addresses}
    g = np.zeros(1, STREAM)[0]
    for address in reversed(addresses):
        open_stream(g, *address)  # over a stream that is in use
        assert words(g, 4) == forwards[address]


def test_one_draw_more_shifts_no_other_stream():
    first, second = stream(3, 1, 0), stream(3, 1, 1)
    expected = words(stream(3, 1, 1), 4)
    words(first, 17)
    assert words(second, 4) == expected


def test_plain_python_draws_the_same():
    root = Path(__file__).parents[1]
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")]),
    }
    code = "import json, test_chance; print(json.dumps(test_chance.sample()))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == sample()
