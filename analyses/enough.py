"""Is it enough? Play on, look by look, until what is asked is known, and no further.

A study is played in stages, each with its own later deals; after each the sums so far are looked at, in the order of
the deals, so that it stops at the same deal with any number of workers. What is looked at holds at every look, see
`analyses.sequential`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from analyses.inputs import Work
from analyses.sequential import looks
from simcore.errors import AssayError
from simcore.plan import GROUPS, MAX_DEALS, Part, Plan

FIRST_LOOK = 8 * GROUPS  # deals
GROWTH = 1.2
LEAST_PRECISION, MOST_PRECISION = 1e-4, 0.25
NARROWEST = 1.55  # width of a confidence sequence where it is narrowest, over that of an interval for fixed n
NORMAL_95 = 1.96


@dataclass(frozen=True)
class Stop:
    """How a study came to its end.

    Attributes
    ----------
    looks : times that the sums were looked at
    is_decided : whether what was asked is known; otherwise the most deals were played
    """

    looks: int
    is_decided: bool


Judge = Callable[[Plan, Part], tuple[bool, int]]


def play_until(plan: Plan, judge: Judge, play: Callable[[Plan, Work], Part], work: Work) -> tuple[Plan, Part, Stop]:
    """Play a plan's deals from the first on until the judge is content, or all are played.

    Parameters
    ----------
    plan : its `deals` are the most that are played, rounded up to whole groups
    play : plays a plan, such as `analyses.run.play_plan`
    judge : told the deals so far as a plan and their sums; says whether they are enough, and a guess at how many are

    Returns
    -------
    plan, part, stop
        As if the plan had asked for these deals from the start.
    """
    limit = -(-plan.deals // GROUPS) * GROUPS
    at_looks = looks(min(FIRST_LOOK, limit), GROWTH, limit, GROUPS)
    whole = Part.nothing(replace(plan, deals=GROUPS))
    done, so_far, is_enough = 0, plan, False
    guess = at_looks[0]
    n_looks = 0
    for deals in at_looks:
        stage = replace(plan, first=plan.first + done, deals=deals - done)
        so_far = replace(plan, deals=deals)
        whole.add(so_far, play(stage, _stage_work(work, stage, done, guess)))
        done = deals
        n_looks += 1
        is_enough, guess = judge(so_far, whole)
        if is_enough:
            break
    return so_far, whole, Stop(n_looks, is_enough)


def _stage_work(work: Work, stage: Plan, done: int, guess: int) -> Work:
    """Results in a folder of the stage's own; progress towards the guess."""
    out: Path | None = work.out / f"from-deal-{stage.first}" if work.out is not None else None
    told = work.progress
    if told is None:
        return replace(work, out=out)
    total = max(guess, done + stage.deals)
    return replace(work, out=out, progress=lambda n, _: told(done + n, total))


def check_precision(precision: float) -> float:
    """The precision if it can be asked for."""
    if not LEAST_PRECISION <= precision <= MOST_PRECISION:
        raise AssayError(
            f"the precision must lie between {LEAST_PRECISION:g} and {MOST_PRECISION:g} (0.002 is 0.2 points in 100), not {precision:g}"
        )
    return precision


def narrowest_at(share: float, precision: float) -> int:
    """Deals at which a share's confidence sequence is to be narrowest: about as many as the precision takes."""
    return min(max(math.ceil(share * (1 - share) * (NORMAL_95 * NARROWEST / precision) ** 2), FIRST_LOOK), MAX_DEALS)
