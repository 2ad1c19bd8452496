"""The one decorator for kernels. Nothing else in the project but `simcore.cache` imports numba."""

from __future__ import annotations

import inspect
import pickle
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning

from simcore.cache import CORE_FOLDER, HAS_CACHE
from simcore.records import STREAM

warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)

IS_JITTED = not numba.config.DISABLE_JIT
CACHE_FAULTS = (
    pickle.UnpicklingError,
    EOFError,
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
    OSError,
)


def record_type(dtype: np.dtype) -> types.Type:
    """The numba type of one item of a record array of this dtype."""
    return numba.from_dtype(dtype)


# --- the decorator ---------------------------------------------------------------------------------------


class Kernels:
    """A decorator that compiles a function at once, its argument types read off the arguments' names.

    Parameters
    ----------
    by_name : numba types
        The type of every argument of that name; arguments of other names are int64.

    One explicit signature per helper keeps numba from compiling it anew for each literal and integer width.
    Kernels release the GIL, keep IEEE arithmetic, and are cached on disk.
    """

    def __init__(self, **by_name: types.Type) -> None:
        self.by_name = by_name

    def extended(self, **by_name: types.Type) -> Kernels:
        """The same decorator with more names."""
        return Kernels(**{**self.by_name, **by_name})

    def signature(self, function: Callable) -> tuple[types.Type, ...]:
        """Argument types of a function, by the names of its arguments."""
        names = inspect.signature(function).parameters
        return tuple(self.by_name.get(name, types.int64) for name in names)

    def __call__(self, function: Callable) -> Callable:
        return compiled(function, self.signature(function))

    def once(self, function: Callable) -> Callable:
        """For a step that one kernel takes in one place: its body is written into that kernel and compiled only there.

        The compiler works through all that a kernel calls anew for each kernel above it; a quarter of an engine's
        compilation goes with these. Not for the largest steps: the time of one kernel grows faster than its length.
        """
        if not IS_JITTED:
            function.is_kernel = True  # type: ignore[attr-defined]
            return function
        return numba.njit(inline="always")(function)

    def small(self, function: Callable) -> Callable:
        """For a helper on the way of every decision: its body is put into its callers (a fifth faster in all)."""
        return compiled(function, self.signature(function), forceinline=True)


def game_kernels(
    game: Any, state: np.dtype, view: np.dtype, one: Sequence[str], each: Sequence[str], **more: types.Type
) -> Kernels:
    """The decorator of a game's engine, which knows the arguments that all games have.

    They are `s` STATE, `r` RULES, `t` TALLY, `v` VIEW, `g` a stream of chance, `numbers` a list of int32, and those of
    `play`: `states`, `rules`, `tallies`, `out`, `groups`.

    Parameters
    ----------
    one : names of arguments that are one strategy's function
    each : names of arguments that are a function for each player of the table, up to the game's largest
    more : types of further arguments by their names
    """
    rules = game.rules.dtype
    hook = hook_type(view, rules)
    return Kernels(
        s=record_type(state),
        r=record_type(rules),
        t=record_type(game.tally_dtype),
        v=record_type(view),
        g=record_type(STREAM),
        numbers=types.int32[:],  # any layout: a field of a record is not plain C to numba
        states=record_type(state)[::1],
        rules=record_type(rules)[::1],
        tallies=record_type(game.tally_dtype)[::1],
        out=types.int32[:, :, ::1],
        groups=types.int64[::1],
        **dict.fromkeys(one, hook),
        **dict.fromkeys(each, types.UniTuple(hook, game.max_seats)),
        **more,
    )


def compiled(function: Callable, signature: Any, **options: bool) -> Callable:
    """Compile or load `function` for one signature. A cache file that cannot be read is removed and made anew.

    `options` are numba's, beyond those that all kernels have.
    """
    if not IS_JITTED:
        function.is_kernel = True  # type: ignore[attr-defined]  # as a dispatcher would tell
        return function
    options = {"nogil": True, "cache": HAS_CACHE, **options}
    try:
        return numba.njit(signature, **options)(function)
    except CACHE_FAULTS as fault:
        if CORE_FOLDER is None or isinstance(fault, NumbaError):
            raise
        shutil.rmtree(numba.config.CACHE_DIR, ignore_errors=True)  # the folder of this code alone
        Path(numba.config.CACHE_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
        return numba.njit(signature, **options)(function)


def entry(kernel: Callable) -> Callable:
    """The machine code of a kernel of one signature, for a caller that is sure of its arguments' types.

    The dispatcher would work out the type of every strategy's function anew: some milliseconds a call.
    """
    return next(iter(kernel.overloads.values())).entry_point if IS_JITTED else kernel  # type: ignore[attr-defined]


def return_type(function: Callable, arguments: tuple[types.Type, ...]) -> types.Type:
    """The type that numba infers for a function's result."""
    return numba.njit(arguments)(function).nopython_signatures[0].return_type


def is_integer(kind: types.Type) -> bool:
    """Whether a result of this type is a whole number."""
    return isinstance(kind, types.Integer | types.Boolean)


def hook_type(view: np.dtype, rules: np.dtype) -> types.FunctionType:
    """The type of a strategy's functions: `int64(VIEW, RULES)`."""
    return types.FunctionType(types.int64(record_type(view), record_type(rules)))
