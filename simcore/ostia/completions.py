"""Every way to complete the reconstructed Senate values.

A card gives the six resources the worths 0 to 5 in some order, and over the six cards each resource takes each worth
once. Cells that are printed, photographed or inferred stay; cards of which nothing is known are interchangeable.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

MAX_COMPLETIONS = 512


def completions(cards: np.ndarray, provenance: np.ndarray) -> np.ndarray:
    """All decks that agree with the known cells.

    Parameters
    ----------
    cards, provenance : shape (6, 6), a row a card, a column a resource

    Returns
    -------
    int8 array, shape (n, 6, 6), in lexicographic order
    """
    known = np.where(provenance == "reconstructed", -1, cards)
    rows = [
        [p for p in permutations(range(6)) if all(k in (-1, v) for k, v in zip(row, p, strict=True))] for row in known
    ]
    found: list[tuple[tuple[int, ...], ...]] = []
    _extend((), rows, known, found)
    return np.array(found, dtype=np.int8)


def _extend(deck: tuple, rows: list, known: np.ndarray, found: list) -> None:
    """Add to `found` every deck that begins with the cards of `deck`; `rows` holds what each later card may be."""
    if not rows:
        found.append(deck)
        return
    at = len(deck)
    is_twin = at + 1 < len(known) and (known[at : at + 2] == -1).all()
    for row in rows[0]:
        later = [[r for r in rest if all(a != b for a, b in zip(r, row, strict=True))] for rest in rows[1:]]
        if is_twin:  # unknown cards in one order only
            later[0] = [r for r in later[0] if r > row]
        _extend((*deck, row), later, known, found)
