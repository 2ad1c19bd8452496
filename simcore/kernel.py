"""The one decorator for kernels and the folder their machine code is cached in.

Nothing else in the project imports numba. The cache folder is named by a digest of simcore's sources, so an
edit in any file selects a new folder: numba itself does not notice an edit in an imported file.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning
from platformdirs import user_cache_dir

warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)

IS_JITTED = not numba.config.DISABLE_JIT
KEPT_FOLDERS = 4  # older versions of the code whose machine code is kept, for going back and forth between branches


def record_type(dtype: np.dtype) -> types.Type:
    """The numba type of one item of a record array of this dtype."""
    return numba.from_dtype(dtype)


# --- the cache folder ------------------------------------------------------------------------------------


def digest_of(files: list[Path], *more: str) -> str:
    """A short digest of files' names and contents and of `more`."""
    sha = hashlib.sha256()
    for file in sorted(files):
        sha.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for text in more:
        sha.update(text.encode() + b"\0")
    return sha.hexdigest()[:16]


def _core_digest() -> str:
    flags = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if name.startswith("NUMBA_")]
    sources = list(Path(__file__).parent.rglob("*.py"))
    return digest_of(sources, numba.__version__, np.__version__, sys.version, *flags)


def _is_private(folder: Path) -> bool:
    """Ours alone: a cache holds machine code, so a folder that others can write to is not used."""
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode):
        return False
    return not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & 0o022)


def _cache_root() -> Path | None:
    """A private writable folder: in the user's cache folder, else in the temporary one, else none."""
    name = f"assay-{os.getuid()}" if hasattr(os, "getuid") else "assay"
    for root in (Path(user_cache_dir("assay", appauthor=False)), Path(tempfile.gettempdir()) / name):
        with contextlib.suppress(OSError):
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _is_private(root) and os.access(root, os.W_OK):
                return root
    return None


def _prune(root: Path, kept: Path) -> None:
    folders = [f for f in root.iterdir() if f.is_dir() and f.name.startswith("code-") and f != kept]
    folders.sort(key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


def _core_folder() -> Path | None:
    root = CACHE_ROOT
    if root is None:
        return None
    folder = root / f"code-{CORE_DIGEST}"
    with contextlib.suppress(OSError):
        is_new = not folder.exists()
        folder.mkdir(mode=0o700, exist_ok=True)
        if is_new:
            _prune(root, folder)
        os.utime(folder)
        return folder
    return None


CORE_DIGEST = _core_digest()
CACHE_ROOT = _cache_root()
IS_CACHE_OURS = "NUMBA_CACHE_DIR" not in os.environ  # a user who set it knows why
CORE_FOLDER = _core_folder() if IS_CACHE_OURS else None
if CORE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CORE_FOLDER)
HAS_CACHE = CORE_FOLDER is not None or not IS_CACHE_OURS


@contextlib.contextmanager
def cache_subfolder(digest: str) -> Iterator[None]:
    """Kernels decorated inside are cached apart, so that an edited strategy leaves the core's cache alone."""
    if CORE_FOLDER is None:
        yield
        return
    numba.config.CACHE_DIR = str(CORE_FOLDER / f"strategy-{digest}")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = str(CORE_FOLDER)


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


def compiled(function: Callable, signature: Any, boundscheck: bool | None = None) -> Callable:
    """Compile or load `function` for one signature. A cache file that cannot be read is removed and made anew."""
    if not IS_JITTED:
        return function
    options: dict[str, Any] = {"nogil": True, "cache": HAS_CACHE}
    if boundscheck:
        options["boundscheck"] = True
    try:
        return numba.njit(signature, **options)(function)
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError, OSError) as fault:
        if CORE_FOLDER is None or isinstance(fault, numba.core.errors.NumbaError):
            raise
        shutil.rmtree(numba.config.CACHE_DIR, ignore_errors=True)
        Path(numba.config.CACHE_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
        return numba.njit(signature, **options)(function)


def return_type(function: Callable, arguments: tuple[types.Type, ...]) -> types.Type:
    """The type that numba infers for a function's result."""
    return numba.njit(arguments)(function).nopython_signatures[0].return_type


def is_integer(kind: types.Type) -> bool:
    """Whether a result of this type is a whole number."""
    return isinstance(kind, types.Integer | types.Boolean)


def hook_type(view: np.dtype, rules: np.dtype) -> types.FunctionType:
    """The type of a strategy's functions: `int64(VIEW, RULES)`."""
    return types.FunctionType(types.int64(record_type(view), record_type(rules)))


def hooks_type(view: np.dtype, rules: np.dtype, n_seats: int) -> types.UniTuple:
    """The type of one decision's functions, one a seat."""
    return types.UniTuple(hook_type(view, rules), n_seats)
