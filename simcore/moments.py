"""Exact sums over blocks of games, from which every mean, variance and interval follows in any order of merging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add, index

import numpy as np
from numpy.typing import ArrayLike

MAX_BLOCK_VALUE = 2**26

Weights = Sequence[int]


@dataclass(frozen=True)
class Moments:
    """Exact sums over `n` blocks: of each column, and of the products of each two columns."""

    n: int
    total: tuple[int, ...]
    cross: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, blocks: ArrayLike) -> Moments:
        """Moments of an integer array of shape (n_blocks, n_columns), every |value| at most 2**26."""
        values = np.asarray(blocks)
        if values.ndim != 2 or not np.issubdtype(values.dtype, np.integer):
            raise ValueError(f"blocks must be a 2-D integer array, got {values.ndim}-D {values.dtype}")
        peak = max(int(values.max()), -int(values.min())) if values.size else 0
        if peak > MAX_BLOCK_VALUE:
            raise ValueError(f"blocks must lie within +-{MAX_BLOCK_VALUE}, got {peak}")
        # Float products are exact in any order while all partial sums stay within 2**53, and much faster.
        n_rows = 2**53 // max(peak**2, 1)
        cross = np.zeros((values.shape[1], values.shape[1]), dtype=object)
        for start in range(0, len(values), n_rows):
            slab = values[start : start + n_rows].astype(np.float64)
            cross += (slab.T @ slab).astype(np.int64)
        total = values.sum(axis=0, dtype=np.int64).tolist()
        return cls(len(values), tuple(total), tuple(tuple(map(int, row)) for row in cross))

    def __add__(self, other: Moments) -> Moments:
        """Moments of both sets of blocks together."""
        if len(self.total) != len(other.total):
            raise ValueError(f"columns differ: {len(self.total)} and {len(other.total)}")
        rows = zip(self.cross, other.cross, strict=True)
        cross = tuple(tuple(map(add, mine, theirs)) for mine, theirs in rows)
        return Moments(self.n + other.n, tuple(map(add, self.total, other.total)), cross)

    def sum(self, weights: Weights) -> int:
        """Weighted sum of the columns over all blocks."""
        return sum(w * self.total[i] for i, w in self._terms(weights))

    def mean(self, weights: Weights) -> float:
        """Mean per block of the weighted columns."""
        return self.sum(weights) / self.n

    def variance(self, weights: Weights) -> float:
        """Sample variance between blocks of the weighted columns; exactly 0 if all blocks are equal."""
        if self.n < 2:
            raise ValueError(f"a variance needs at least 2 blocks, got {self.n}")
        terms = self._terms(weights)
        squares = sum(a * b * self.cross[i][j] for i, a in terms for j, b in terms)
        return (self.n * squares - self.sum(weights) ** 2) / (self.n * (self.n - 1))

    def is_constant(self, weights: Weights) -> bool:
        """Whether no spread between blocks was seen."""
        return self.n < 2 or self.variance(weights) == 0

    def _terms(self, weights: Weights) -> list[tuple[int, int]]:
        """Column and weight, a Python integer, where the weight is not 0."""
        if len(weights) != len(self.total):
            raise ValueError(f"weights must be one per column, {len(self.total)}, got {len(weights)}")
        return [(i, index(w)) for i, w in enumerate(weights) if w != 0]
