"""The folder that machine code is cached in.

It is named by a digest of simcore's sources, so that an edit in any file selects a new folder: numba itself does not
notice an edit in an imported file. Its files are sealed with their checksums, since numba would run a damaged one.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from platformdirs import user_cache_dir

SCIPY_PART = "scipy.linalg"
sys.modules.setdefault(SCIPY_PART, None)  # type: ignore[arg-type]  # numba would import it to look for BLAS: 0.4 s
import numba  # noqa: E402
import numba.np.arraymath  # noqa: E402

if sys.modules[SCIPY_PART] is None:
    del sys.modules[SCIPY_PART]

KEPT_FOLDERS = 4  # older versions of the code whose machine code is kept, for going back and forth between branches
SEAL = "seal.json"
NO_FLAGS = ("NUMBA_NUM_THREADS", "NUMBA_CACHE_DIR")  # change no machine code; joblib sets the first in its workers


def digest_of(files: list[Path], *more: str) -> str:
    """A short digest of files' names and contents and of `more`."""
    sha = hashlib.sha256()
    for file in sorted(files):
        sha.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for text in more:
        sha.update(text.encode() + b"\0")
    return sha.hexdigest()[:16]


def _core_digest() -> str:
    flags = [
        f"{name}={os.environ[name]}"
        for name in sorted(os.environ)
        if name.startswith("NUMBA_") and name not in NO_FLAGS
    ]
    sources = [file for file in Path(__file__).parent.rglob("*.py") if file.name != "wording.py"]  # compiles nothing
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


def _core_folder(root: Path | None) -> Path | None:
    if root is None:
        return None
    folder = root / f"code-{CORE_DIGEST}"
    with contextlib.suppress(OSError):
        is_new = not folder.exists()
        folder.mkdir(mode=0o700, exist_ok=True)
        if is_new:
            _prune(root, folder)
        os.utime(folder)
        _drop_damaged(folder)
        return folder
    return None


def _sealed(folder: Path) -> dict[str, str]:
    """Checksums of cached files as last sealed, by path within the folder."""
    with contextlib.suppress(OSError, ValueError):
        seal = json.loads((folder / SEAL).read_text(encoding="utf-8"))
        if isinstance(seal, dict):
            return {name: value for name, value in seal.items() if isinstance(value, str)}
    return {}


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _drop_damaged(folder: Path) -> None:
    """Remove cached files that are not as they were sealed; they are compiled again."""
    for name, checksum in _sealed(folder).items():
        file = folder / name
        with contextlib.suppress(OSError):
            if file.is_file() and _checksum(file) != checksum:
                file.unlink()


def _seal(folder: Path, since: float) -> None:
    """At exit: note the checksums of files that were written meanwhile."""
    with contextlib.suppress(OSError):
        sealed = _sealed(folder)
        files = [
            f for f in folder.rglob("*.nb?") if f.stat().st_mtime >= since or str(f.relative_to(folder)) not in sealed
        ]
        if files:
            sealed.update({str(file.relative_to(folder)): _checksum(file) for file in files})
            draft = folder / f"{SEAL}.{os.getpid()}"
            draft.write_text(json.dumps(sealed, indent=0), encoding="utf-8")
            draft.replace(folder / SEAL)


CORE_DIGEST = _core_digest()
CACHE_ROOT = _cache_root()
IS_OURS = "NUMBA_CACHE_DIR" not in os.environ  # a user who set it knows why
CORE_FOLDER = _core_folder(CACHE_ROOT) if IS_OURS else None
HAS_CACHE = CORE_FOLDER is not None or not IS_OURS
if CORE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CORE_FOLDER)
    atexit.register(_seal, CORE_FOLDER, CORE_FOLDER.stat().st_mtime)


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
