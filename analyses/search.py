"""The least of a noisy function over settings: all of them where they are few, else by CMA-ES.

CMA-ES (Hansen 2016, arXiv:1604.00772) as the library `cma` has it. Functions here are measured by play on the same deals
at every setting, so that what is compared is the setting and not the deals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

TRIES = 200  # to find a setting that was not looked at yet

Setting = TypeVar("Setting", bound=Hashable)
Evaluate = Callable[[Sequence[Setting]], list[float]]
Read = Callable[[NDArray[np.float64]], Setting]


def all_settings(n_values: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
    """Every combination of positions, where they are at most so many."""
    if math.prod(n_values) > most:
        return None
    return list(itertools.product(*(range(n) for n in n_values)))


def evolve(
    start: NDArray[np.float64],
    read: Callable[[NDArray[np.float64]], Setting | None],
    evaluate: Evaluate[Setting],
    budget: int,
    seed: int,
    seen: set[Setting],
    spread: float = 0.3,
) -> None:
    """Look at up to `budget` settings that were not seen before, towards the least of a function.

    Parameters
    ----------
    start : position from 0 to 1, shape (inputs,)
    read : the setting at a position, or None for one that cannot be played
    evaluate : the function's values at some settings
    seen : settings looked at already; added to
    spread : of the first settings around the start, as a part of the way from end to end
    """
    import cma

    n = len(start)
    padded = np.append(start, 0.5) if n == 1 else start  # the library takes two dimensions at least
    chance = np.random.default_rng([seed, 1])
    own = np.random.default_rng([seed, 2])
    options = {
        "bounds": [0, 1],
        "seed": math.nan,  # numpy's global generator, which several searches would share, is left alone
        "randn": lambda *shape: own.standard_normal(shape),
        "verbose": -9,
    }
    search = cma.CMAEvolutionStrategy(padded.tolist(), spread, options)
    while budget > 0:
        found = _fresh(search.ask()[:budget], n, read, seen, chance)
        if not found:
            return
        values = evaluate([setting for _, setting in found])
        budget -= len(found)
        if len(found) < search.popsize:
            return
        search.tell([np.append(point, 0.5) if n == 1 else point for point, _ in found], values)


def _fresh(
    points: Sequence[NDArray[np.float64]],
    n: int,
    read: Callable[[NDArray[np.float64]], Setting | None],
    seen: set[Setting],
    chance: np.random.Generator,
) -> list[tuple[NDArray[np.float64], Setting]]:
    """Positions whose settings were not seen yet: those asked for, or ones near by."""
    found = []
    for asked in points:
        point, reach = np.asarray(asked, np.float64)[:n], 0.05
        for _ in range(TRIES):
            setting = read(point)
            if setting is not None and setting not in seen:
                seen.add(setting)
                found.append((point, setting))
                break
            point = np.clip(np.asarray(asked)[:n] + chance.normal(0, reach, n), 0, 1)
            reach = min(reach * 1.05, 1.0)
    return found


def front(misses: NDArray[np.float64]) -> list[int]:
    """Rows that no other row beats in one column without losing in another, in their order.

    Parameters
    ----------
    misses : shape (settings, goals), less is better
    """
    kept = []
    for at, row in enumerate(misses):
        is_beaten = (misses <= row).all(axis=1) & (misses < row).any(axis=1)
        if not is_beaten.any():
            kept.append(at)
    return kept


def ranked(misses: NDArray[np.float64]) -> list[int]:
    """All rows, those of the front first, then those of the front of the rest, and so on; within one by their sums."""
    left, order = list(range(len(misses))), list[int]()
    while left:
        some = [left[at] for at in front(misses[left])]
        order += sorted(some, key=lambda at: (float(misses[at].sum()), at))
        left = [at for at in left if at not in some]
    return order
