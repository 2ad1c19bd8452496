"""Rows with estimates as tidy data frames and as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyses.statistics import Estimate

if TYPE_CHECKING:
    import pandas as pd


def frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """A tidy frame: one row an estimate, with its interval and method in columns of their own.

    Labels come first; where a row holds several estimates, `measure` names them.
    """
    import pandas as pd

    tidy = []
    for row in rows:
        labels = {name: value for name, value in row.items() if not isinstance(value, Estimate)}
        estimates = {name: value for name, value in row.items() if isinstance(value, Estimate)}
        for name, estimate in estimates.items():
            named = {} if name == "value" else {"measure": name}
            tidy.append({**labels, **named, **estimate.as_dict()})
        if not estimates:
            tidy.append(labels)
    return pd.DataFrame(tidy)


def plain(value: Any) -> Any:
    """Results as what JSON holds: estimates as objects, numbers that are none as null."""
    if isinstance(value, Estimate):
        return plain(value.as_dict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
