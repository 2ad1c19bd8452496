"""Several studies played one after the other, with one progress for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analyses.inputs import Work


@dataclass(frozen=True)
class Step:
    """One study: the folder its results may be kept in, how many games it takes, and how it is played.

    `play` takes `work`, how to do it, by name.
    """

    name: str
    games: int
    play: Callable[..., Any]


def play_steps(steps: Sequence[Step], work: Work) -> dict[str, Any]:
    """The results by name; progress is told in games over all steps, results are kept in a folder each."""
    total = sum(step.games for step in steps)
    results: dict[str, Any] = {}
    done = 0
    for step in steps:
        progress = partial(_tell, work, done, step.games, total) if work.progress is not None else None
        out = work.out / step.name if work.out is not None else None
        results[step.name] = step.play(work=replace(work, out=out, progress=progress))
        done += step.games
    return results


def _tell(work: Work, before: int, games: int, total: int, deals_done: int, deals: int) -> None:
    if work.progress is not None:
        work.progress(before + games * deals_done // deals, total)
