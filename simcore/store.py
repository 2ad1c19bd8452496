"""Where the finished parts of a plan are kept: a run killed at any moment loses at most the parts under way.

A folder holds `manifest.json` (what the results depend on), `parts/part-<first>-<count>.npz` (the exact
integers of a part), `outcomes/part-<first>-<count>.parquet` (its outcome rows, if the plan keeps them) and
`lock`. Every file is written aside, flushed to the disk and renamed into place. A part counts as stored once
its `.npz` stands there, which is written last; a checksum over its integers, its rows file and the plan's
identity tells whether it is sound. One that is not is removed and played again. Nothing is ever unpickled.

The same plan continues to the same bits. A plan of other deals is refused: tallies are kept in
`Plan.n_groups` groups of consecutive deals, and their bounds depend on the number of deals.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore import __version__
from simcore.errors import StoreError
from simcore.game import SIXTIETHS, WIN
from simcore.moments import Moments
from simcore.plan import Part, Plan

try:
    import fcntl
except ImportError:  # not on Windows: two runs in one folder would write the same bits twice
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import pandas
    import pyarrow

FORMAT = "assay results"
VERSION = 1  # of the folder's layout
MANIFEST, LOCK, PARTS, OUTCOMES = "manifest.json", "lock", "parts", "outcomes"
MAX_MANIFEST_BYTES = 2**26
HEADER_BYTES = 2**16  # room for the headers in a part's file
TEMPORARY = re.compile(r"\.assay-.+\.tmp")  # a leading dot hides them from `pandas.read_parquet(folder)`
FRAME_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet may take for a formula

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MAX_TOLD = 3  # differences named of each kind

# keys of `Plan.identity`, in the order in which differences are told
KINDS = {
    "game": "for another game",
    "game_version": "with another version of the game",
    "rules": "with other rules",
    "tables": "with other strategies",
    "strategies": "with other code (strategies, simcore, Python, numba or NumPy have changed)",
    "seed": "with another seed",
    "first": "from another first deal",
    "deals": "for another number of deals, on which the groups of the tallies depend",
    "is_duplicate": "with other seatings",
    "measures": "with other measures",
    "part_deals": "in parts of another size",
    "has_rows": "with another choice of outcome rows",
}
WORDS = {
    "is_duplicate": "every rotation",
    "has_rows": "outcome rows",
    "first": "first deal",
    "part_deals": "deals in a part",
}


class Store:
    """The finished parts of one plan, in one folder, held by one process at a time.

    Parameters
    ----------
    folder : made if it is missing; must be empty or hold results of this very plan
    plan : all results in the folder are of it

    Attributes
    ----------
    notes : what the user should know, one line each: damaged parts, files that were ignored
    outcomes : the folder of outcome rows, which `pandas.read_parquet` reads whole; only if the plan has rows

    Raises
    ------
    StoreError
        In one line, if the folder cannot be used, holds something else, was made by another plan (what
        differs is named), or is in use by another run. Saving raises it too; parts stored before stay.
    """

    def __init__(self, folder: Path | str, plan: Plan) -> None:
        self.folder = Path(folder)
        self.plan = plan
        self.notes: list[str] = []
        self._identity = json.loads(json.dumps(plan.identity()))
        self._names = {_part_name(first, count): (first, count) for first, count in plan.parts()}
        self._lock = -1
        _make_folder(self.folder)
        self._check_empty_or_ours()
        try:
            self._take_lock()
            self._open()
        except BaseException:
            self.close()
            raise

    @property
    def outcomes(self) -> Path:
        return self.folder / OUTCOMES

    def parts(self) -> Iterator[Part]:
        """The stored parts, in deal order. A damaged one is removed, with a note, to be played again."""
        for name in self._names:
            path = self.folder / PARTS / f"{name}.npz"
            data = self._read_part(path)
            part = self._sound_part(path, data) if data is not None else None
            if part is not None:
                yield part

    def save(self, part: Part) -> None:
        """Store a part that has just been played; from then on it survives a kill and a loss of power."""
        name = _part_name(part.first, part.count)
        if name not in self._names:
            raise ValueError(f"{name} is not a part of this plan")
        rows_sha = bytes(32)
        if self.plan.has_rows:
            data = _parquet(outcome_table(self.plan, part))
            rows_sha = hashlib.sha256(data).digest()
            _write(self.outcomes / f"{name}.parquet", data)
        _write(self.folder / PARTS / f"{name}.npz", self._packed(name, part, rows_sha))

    def close(self) -> None:
        """Let other runs use the folder."""
        if self._lock >= 0:
            _held.discard(self._lock)
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # --- opening -----------------------------------------------------------------------------------------

    def _check_empty_or_ours(self) -> bool:
        """Whether the folder has a manifest; without one it must be empty. Until then nothing is written."""
        with _telling("read", self.folder):
            found = os.listdir(self.folder)
        if MANIFEST in found:
            return True
        if any(name != LOCK and not TEMPORARY.fullmatch(name) for name in found):
            raise StoreError(f"folder '{_told(self.folder)}' is not empty and holds no results of Assay")
        return False

    def _take_lock(self) -> None:
        path = self.folder / LOCK
        with _telling("write", path):
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT | SAFE_OPEN, 0o666)
        _held.add(self._lock)
        if fcntl is None:
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"folder '{_told(self.folder)}' is in use by another run of Assay") from None
        except OSError as fault:  # some network file systems have no locks
            told = f"folder '{_told(self.folder)}' cannot be locked ({fault.strerror})"
            self.notes.append(f"{told}: run only one study in it at a time")

    def _open(self) -> None:
        path = self.folder / MANIFEST
        has_manifest = self._check_empty_or_ours()
        if has_manifest:
            self._check_manifest(path)
        _remove_temporary(self.folder)
        if not has_manifest:
            about = {"format": FORMAT, "version": VERSION, "assay": __version__}
            _write(path, json.dumps({**about, "identity": self._identity}, indent=1).encode())
        self._open_folder(PARTS, ".npz")
        if self.plan.has_rows:
            self._open_folder(OUTCOMES, ".parquet")

    def _open_folder(self, folder: str, suffix: str) -> None:
        """Make the folder or clear what a killed run left in it; files of others are left alone."""
        path = self.folder / folder
        if path.is_symlink():
            raise _link_error(path)
        _make_folder(path)
        _remove_temporary(path)
        with _telling("read", path), os.scandir(path) as entries:
            found = sorted((entry.name, entry.is_symlink()) for entry in entries)
        for name, is_link in found:
            if is_link:
                raise _link_error(path / name)
        ours = {f"{name}{suffix}" for name in self._names}
        strange = [name for name, _ in found if name not in ours]
        if strange:
            more = ", ..." if len(strange) > MAX_TOLD else ""
            told = ", ".join(_told(name) for name in strange[:MAX_TOLD])
            self.notes.append(f"ignored in '{_told(path)}', not of these results: {told}{more}")

    def _check_manifest(self, path: Path) -> None:
        try:
            with _telling("read", path), _open_plain(path) as file:
                data = file.read(MAX_MANIFEST_BYTES)
            manifest = json.loads(data)
        except (ValueError, RecursionError):
            raise StoreError(f"'{_told(path)}' is damaged; choose another --out folder") from None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise StoreError(f"'{_told(path)}' is not of Assay; choose another --out folder")
        if manifest.get("version") != VERSION:
            told = f"results in '{_told(self.folder)}' are kept in format {_told(manifest.get('version'))}"
            raise StoreError(f"{told}; this Assay reads format {VERSION}")
        identity = manifest.get("identity")
        if not isinstance(identity, dict):
            raise StoreError(f"'{_told(path)}' is damaged; choose another --out folder")
        if identity != self._identity:
            told = f"results in '{_told(self.folder)}' were made {difference(identity, self._identity)}"
            raise StoreError(f"{told}; choose another --out folder")

    # --- parts as bytes ----------------------------------------------------------------------------------

    def _packed(self, name: str, part: Part, rows_sha: bytes) -> bytes:
        tallies = np.concatenate([part.tallies[tally.name].ravel() for tally in self.plan.tallies])
        cells = np.flatnonzero(tallies)
        cross = _int64(part.moments.cross, part.count)
        arrays = {
            "head": _int64([part.first, part.count, part.moments.n, part.n_asked], part.count),
            "total": _int64(part.moments.total, part.count),
            "cross": cross[np.triu_indices(len(cross))],  # the rest mirrors it
            "squares": part.squares,
            "tally_cells": cells,
            "tally_counts": tallies[cells],
            "rows_sha256": np.frombuffer(rows_sha, "<i8"),
        }
        arrays["sha256"] = np.frombuffer(self._checksum(name, arrays), "<i8")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for key, array in arrays.items():
                with archive.open(f"{key}.npy", "w") as file:
                    np.lib.format.write_array(file, array.astype("<i8", copy=False), allow_pickle=False)
        return packed.getvalue()

    def _sound_part(self, path: Path, data: bytes) -> Part | None:
        """The part in the bytes of its file; if they are damaged it is removed."""
        try:
            return self._unpacked(path.stem, data)
        except StoreError:
            raise
        except Exception as fault:  # whatever numpy and zipfile make of damaged bytes
            kind = "" if type(fault) is ValueError else f"{type(fault).__name__}: "
            self._drop(path, f"{kind}{fault}")
            return None

    def _unpacked(self, name: str, data: bytes) -> Part:
        """The part in the bytes of its file; any exception says that they are damaged."""
        arrays = _load_arrays(data, self._most_bytes())
        if self._checksum(name, arrays) != arrays["sha256"].tobytes():
            raise ValueError("the checksum differs")
        first, count, n, n_asked = arrays["head"].tolist()
        if (first, count) != self._names[name]:
            raise ValueError("it holds other deals")
        if self.plan.has_rows:
            self._check_rows(name, arrays["rows_sha256"].tobytes())
        k = len(self.plan.columns)
        cross = np.zeros((k, k), np.int64)
        upper = np.triu_indices(k)
        cross[upper] = cross.T[upper] = arrays["cross"]
        total = arrays["total"].reshape(k).tolist()
        moments = Moments(n, tuple(total), tuple(map(tuple, cross.tolist())))
        squares = arrays["squares"].reshape(len(self.plan.tables), self.plan.seats)
        tallies = self._spread(first, count, arrays["tally_cells"], arrays["tally_counts"])
        return Part(first, count, moments, squares, tallies, n_asked)

    def _spread(self, first: int, count: int, cells: np.ndarray, filled: np.ndarray) -> dict[str, np.ndarray]:
        """The tallies of some deals from their cells that are not 0."""
        n_groups = int(self.plan.group_of(first + count - 1) - self.plan.group_of(first)) + 1
        shapes = {tally.name: (n_groups, *tally.shape) for tally in self.plan.tallies}
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        flat = np.zeros(ends[-1], np.int64)
        flat[cells] = filled
        pieces = np.split(flat, ends[:-1])
        return {name: piece.reshape(shapes[name]) for name, piece in zip(shapes, pieces, strict=True)}

    def _most_bytes(self) -> int:
        """No part of the plan unpacks to more."""
        n_cells = self.plan.n_groups * sum(int(np.prod(tally.shape)) for tally in self.plan.tallies)
        k = len(self.plan.columns)
        return 8 * (2 * n_cells + k * (k + 1) + len(self.plan.tables) * self.plan.seats) + HEADER_BYTES

    def _checksum(self, name: str, arrays: Mapping[str, np.ndarray]) -> bytes:
        """Over the other arrays, and over the identity, so that a part of another plan fails."""
        sha = hashlib.sha256(json.dumps([self._identity, name], sort_keys=True).encode())
        for key in sorted(arrays.keys() - {"sha256"}):
            sha.update(f"{key} {arrays[key].shape} ".encode())
            sha.update(arrays[key].astype("<i8").tobytes())
        return sha.digest()

    # --- files -------------------------------------------------------------------------------------------

    def _read_part(self, path: Path) -> bytes | None:
        """The bytes of a part's file; None if there is none."""
        try:
            with _telling("read", path, FileNotFoundError), _open_plain(path) as file:
                return file.read(2 * self._most_bytes())
        except FileNotFoundError:
            return None

    def _check_rows(self, name: str, rows_sha: bytes) -> None:
        path = self.outcomes / f"{name}.parquet"
        try:
            with _telling("read", path, FileNotFoundError), _open_plain(path) as file:
                is_same = hashlib.file_digest(file, "sha256").digest() == rows_sha
        except FileNotFoundError:
            raise ValueError("its outcome rows are missing") from None
        if not is_same:
            raise ValueError("its outcome rows have changed")

    def _drop(self, path: Path, reason: str) -> None:
        """Remove a damaged part, and its rows, which might keep the others from being read."""
        rows = [self.outcomes / f"{path.stem}.parquet"] if self.plan.has_rows else []
        for file in (path, *rows):
            with _telling("remove", file), contextlib.suppress(FileNotFoundError):
                os.unlink(file)
        self.notes.append(f"'{_told(path)}' was damaged ({_told(reason)}) and is played again")


def outcome_table(plan: Plan, part: Part) -> pyarrow.Table:
    """The outcome rows of a part that has just been played, one row a game and seat.

    Returns
    -------
    pyarrow.Table
        Ordered by table (from 0), deal (counted as in `assay play --deal`), rotation (from 0), seat (from 1);
        `strategy` sits there, `win_share` is its share of the win; the game's other outcome columns follow.
    """
    import pyarrow as pa

    if part.rows is None:
        raise ValueError("only a part that has just been played has rows")
    shape = part.rows.shape[:-1]
    n_tables, n_deals, n_rotations, n_seats = shape
    flat = part.rows.reshape(-1, part.rows.shape[-1])
    first = plan.first + part.first
    deal = np.arange(first, first + n_deals).reshape(1, -1, 1, 1)
    table = np.arange(n_tables, dtype=np.int32).reshape(-1, 1, 1, 1)
    rotation = np.arange(n_rotations, dtype=np.int32).reshape(-1, 1)
    seat = np.arange(1, n_seats + 1, dtype=np.int32)
    names = list(dict.fromkeys(strategy.name for strategies in plan.tables for strategy in strategies))
    players = np.array([[names.index(s.name) for s in strategies] for strategies in plan.tables], np.int32)
    sitting = players[:, (rotation + seat - 1) % n_seats].reshape(n_tables, 1, n_rotations, n_seats)

    def spread(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, shape).ravel()

    columns: dict[str, Any] = {
        "deal": spread(deal),
        "table": spread(table),
        "rotation": spread(rotation),
        "seat": spread(seat),
        "strategy": pa.DictionaryArray.from_arrays(spread(sitting), pa.array(names, pa.string())),
        "win_share": flat[:, WIN] / SIXTIETHS,
    }
    for at, name in enumerate(plan.game.outcome_columns):
        if at != WIN:
            columns[name] = np.ascontiguousarray(flat[:, at])
    return pa.table(columns)


def write_frames(folder: Path | str, frames: Mapping[str, pandas.DataFrame]) -> list[Path]:
    """Write tidy results as `<name>.parquet` and `<name>.csv`, the same bytes for the same frames.

    Indexes are left out.     In the CSV, text that a spreadsheet might take for a formula gets a leading
    apostrophe.

    Raises
    ------
    StoreError
        If the folder cannot be made or written; a file is replaced whole or not at all.
    ValueError
        For a name that is not made of a-z, 0-9, `_` and `-`.
    """
    import pyarrow as pa

    for name in frames:
        if not FRAME_NAME.fullmatch(name):
            raise ValueError(f"a frame cannot be named {name!r}")
    target = Path(folder)
    _make_folder(target)
    _remove_temporary(target)
    written = []
    for name, frame in frames.items():
        table = pa.Table.from_pandas(frame, preserve_index=False)
        text = _without_formulas(frame).to_csv(index=False, lineterminator="\n")
        for suffix, data in ((".parquet", _parquet(table)), (".csv", text.encode())):
            written.append(target / f"{name}{suffix}")
            _write(written[-1], data)
    return written


def difference(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What differs between the identities of two plans, in words, with both values."""
    told: list[str] = []
    for key in [*KINDS, *sorted((was.keys() | now.keys()) - KINDS.keys())]:
        if key == "part_deals" and told:  # it follows from the others
            continue
        before, after = _leaves(key, was.get(key)), _leaves(key, now.get(key))
        names = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]
        if key == "strategies":  # one that only one plan has is told with the tables
            names = [name for name in names if name in before and name in after]
        if names:
            told.append(f"{KINDS.get(key, f'with another {_told(key)}')}: {_changes(names, before, after)}")
        if told and key == "game":  # nothing else can be compared
            break
    return "; ".join(told) or "with other settings"


def _changes(names: list[str], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    told = [f"{name} {_told(before.get(name))}, now {_told(after.get(name))}" for name in names[:MAX_TOLD]]
    more = f" and {len(names) - MAX_TOLD} more" if len(names) > MAX_TOLD else ""
    return ", ".join(told) + more


def _leaves(key: str, value: Any) -> dict[str, Any]:
    """The single values under a key of an identity by name; positions count from 1."""
    if key == "tables" and isinstance(value, list):
        tables = [", ".join(map(str, table)) if isinstance(table, list) else table for table in value]
        return {f"table {i}": names for i, names in enumerate(tables, 1)}
    if isinstance(value, dict):
        return {name: leaf for top, below in value.items() for name, leaf in _cells(_told(top), below, ())}
    return dict(_cells(WORDS.get(key, key), value, ()))


def _cells(name: str, value: Any, position: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list) and len(position) < 3:
        for i, item in enumerate(value, 1):
            yield from _cells(name, item, (*position, i))
    else:
        yield f"{name}[{','.join(map(str, position))}]" if position else name, value


def _told(value: Any) -> str:
    """Any value in a few printable characters; what a file holds cannot break the line."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= 200 else text[:197] + "..."


# --- arrays ----------------------------------------------------------------------------------------------


def _int64(values: Any, count: int) -> np.ndarray:
    try:
        return np.array(values, np.int64)
    except OverflowError:
        raise StoreError(f"sums over a part of {count} deals exceed 64 bits; choose smaller parts") from None


def _load_arrays(data: bytes, most_bytes: int) -> dict[str, np.ndarray]:
    """The int64 arrays of an `.npz` file; one that would unpack to more than `most_bytes` is not read."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > most_bytes:
            raise ValueError("it is larger than any part")
        arrays = {}
        for entry in entries:
            with archive.open(entry) as file:
                name = entry.filename.removesuffix(".npy")
                arrays[name] = np.lib.format.read_array(file, allow_pickle=False)
    if any(array.dtype != np.dtype("<i8") for array in arrays.values()):
        raise ValueError("it holds something else than whole numbers")
    return arrays


def _parquet(table: pyarrow.Table) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def _without_formulas(frame: pandas.DataFrame) -> pandas.DataFrame:
    from pandas.api.types import is_numeric_dtype

    def plain(value: Any) -> Any:
        return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value

    told = frame.rename(columns=plain)
    for at, dtype in enumerate(frame.dtypes):
        if not is_numeric_dtype(dtype):
            told.isetitem(at, frame.iloc[:, at].astype(object).map(plain).to_numpy(object))
    return told


# --- files -----------------------------------------------------------------------------------------------

# A link or a pipe in the place of a file is never followed or waited for.
SAFE_OPEN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

_held: set[int] = set()  # locks of this process


def _let_go() -> None:
    """A forked worker must not keep the folder locked when the run itself is killed."""
    for lock in _held:
        with contextlib.suppress(OSError):
            os.close(lock)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _part_name(first: int, count: int) -> str:
    """Padded, so that files sort in deal order."""
    return f"part-{first:011d}-{count}"


@contextlib.contextmanager
def _telling(action: str, path: Path, *but: type[Exception]) -> Iterator[None]:
    """Tell an error of the operating system in one line, all but some."""
    try:
        yield
    except but:
        raise
    except OSError as fault:
        if fault.errno == errno.ELOOP:
            raise _link_error(path) from None
        kept = "; what is stored is kept: make room and run the same command again"
        told = f"cannot {action} '{_told(path)}': {fault.strerror or fault}"
        raise StoreError(told + (kept if fault.errno in DISK_FULL else "")) from None


def _link_error(path: Path) -> StoreError:
    return StoreError(f"'{_told(path)}' is a link; Assay keeps results in plain files and folders only")


def _make_folder(path: Path) -> None:
    try:
        with _telling("make folder", path, FileExistsError):
            os.makedirs(path)
    except FileExistsError:
        if not path.is_dir():
            raise StoreError(f"'{_told(path)}' is not a folder") from None
    except ValueError:  # a null character
        raise StoreError(f"'{_told(path)}' cannot be the name of a folder") from None


def _open_plain(path: Path) -> io.BufferedReader:
    """A file to read, and nothing else than a file."""
    file = os.open(path, os.O_RDONLY | SAFE_OPEN)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise StoreError(f"'{_told(path)}' is not a file")
    return os.fdopen(file, "rb")


def _write(path: Path, data: bytes) -> None:
    """Put a file in its place whole or not at all, for good."""
    temporary = path.with_name(f".assay-{path.name}.{os.getpid()}.tmp")
    with _telling("write", path):
        try:
            _write_aside(temporary, data)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    _sync_folder(path.parent)


def _write_aside(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFE_OPEN, 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(file, left) :]
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(path: Path) -> None:
    """Make renames outlast a loss of power, where the file system can; checksums notice where it cannot."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove_temporary(folder: Path) -> None:
    """Remove what a killed run was writing."""
    with _telling("clear", folder):
        with os.scandir(folder) as entries:
            files = [entry.name for entry in entries if not entry.is_dir(follow_symlinks=False)]
        for name in filter(TEMPORARY.fullmatch, files):
            os.unlink(folder / name)
