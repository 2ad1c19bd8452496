"""The one builder of records: structured dtypes that compiled and plain Python code read alike."""

from __future__ import annotations

from typing import Any

import numpy as np

RESERVED = frozenset(name for name in dir(np.record) if not name.startswith("_"))


def record(fields: list[tuple]) -> np.dtype:
    """An aligned structured dtype whose items read as attributes, jitted or not.

    Parameters
    ----------
    fields : list of (name, type) or (name, type, shape)
        A type may itself be a record.

    Raises
    ------
    ValueError
        If a name is one that `np.record` owns (`round`, `take`, `size`, ...): un-jitted it would read as a method.
    """
    taken = [field[0] for field in fields if field[0] in RESERVED]
    if taken:
        raise ValueError(f"field names {taken} belong to np.record; choose others")
    plain = [(name, _plain(kind), *shape) for name, kind, *shape in fields]
    return np.dtype((np.record, np.dtype(plain, align=True)))


def _plain(kind: Any) -> Any:
    """A nested record loses its alignment while the outer one claims it: nest plain aligned dtypes."""
    dtype = np.dtype(kind)
    if dtype.names is None:
        return kind
    return np.dtype([(name, dtype.fields[name][0]) for name in dtype.names], align=True)


STREAM = record([("w0", "u8"), ("w1", "u8"), ("w2", "u8"), ("w3", "u8")])  # a stream of chance, see `simcore.chance`
