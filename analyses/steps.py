"""Several studies played one after the other or side by side, with one progress for all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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


@dataclass
class _Told:
    """Games done by step, told as one number that never falls; `lock` because steps may be played side by side."""

    work: Work
    total: int
    done: dict[str, int] = field(default_factory=dict)
    lock: Any = field(default_factory=threading.Lock)

    def __call__(self, step: Step, deals_done: int, deals: int) -> None:
        with self.lock:
            self.done[step.name] = step.games * deals_done // deals
            if self.work.progress is not None:
                self.work.progress(sum(self.done.values()), self.total)


def play_steps(steps: Sequence[Step], work: Work, *, side_by_side: bool = False) -> dict[str, Any]:
    """The results by name; progress is told in games over all steps, results are kept in a folder each.

    Small studies have too few parts to share among workers; `side_by_side` plays as many studies at a time as there
    are workers. The results are the same.
    """
    told = _Told(work, sum(step.games for step in steps))
    if side_by_side and work.n_jobs > 1 and len(steps) > 1:
        from joblib import Parallel, delayed

        first, *rest = steps  # compiles what the others need too
        single = replace(work, jobs=1)
        results = [_play(first, work, told)]
        results += Parallel(n_jobs=work.n_jobs, backend="threading")(
            delayed(_play)(step, single, told) for step in rest
        )
    else:
        results = [_play(step, work, told) for step in steps]
    return {step.name: result for step, result in zip(steps, results, strict=True)}


def _play(step: Step, work: Work, told: _Told) -> Any:
    progress = partial(told, step) if work.progress is not None else None
    out = work.out / step.name if work.out is not None else None
    return step.play(work=replace(work, out=out, progress=progress))
