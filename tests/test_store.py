"""The results store: kills, damage, full disks, other plans and planted files."""

import contextlib
import errno
import io
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import strategies
from simcore import plan as plan_module
from simcore import store as store_module
from simcore.errors import AssayError
from simcore.game import find_game
from simcore.moments import Moments
from simcore.plan import Part, Plan, play_part, run_plan
from simcore.store import Store, outcome_table, write_frames

ROOT = Path(__file__).resolve().parents[1]
GAME = find_game("ostia")
N_KILLS = 5
KILL_DEALS, KILL_PART_DEALS = 1500, 10
needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals, links and file locks of POSIX")


def stub(name, digest="d1"):
    """A strategy that is never asked: opening a store needs names and digests only."""
    return SimpleNamespace(name=name, digest=digest)


def stub_plan(**changes) -> Plan:
    table = (stub("a"), stub("b"), stub("b"))
    return replace(Plan(GAME, GAME.rules.defaults(), (table,), seed=1, deals=100, part_deals=50), **changes)


@cache
def real_plan(deals=6, part_deals=3) -> Plan:
    """Two tables in every rotation, with rows; by default two small parts."""
    one = strategies.load(GAME, "random")
    other = replace(one, name="other")
    tables = ((one, other, other), (other, one, one))
    return Plan(
        GAME, GAME.rules.defaults(), tables, seed=5, deals=deals, first=1000, is_duplicate=True,
        measures=("win", "score"), part_deals=part_deals, has_rows=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def plan() -> Plan:
    return real_plan()


@pytest.fixture(scope="module")
def whole(plan) -> Part:
    return run_plan(plan)


@pytest.fixture(scope="module")
def finished(plan, tmp_path_factory) -> dict[str, bytes]:
    """The files of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("finished") / "x"
    run(folder, plan)
    return contents(folder)


def run(folder, plan) -> Part:
    with Store(folder, plan) as store:
        return run_plan(plan, store=store)


def contents(folder) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def stems(folder, suffix) -> set[str]:
    return {path.stem for path in folder.glob(f"part-*{suffix}")}


def lay_out(folder, files) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def is_same(one: Part, other: Part) -> bool:
    numbers = [(p.count, p.moments, p.n_asked, p.squares.tolist()) for p in (one, other)]
    tallies = [np.array_equal(one.tallies[name], counts) for name, counts in other.tallies.items()]
    return numbers[0] == numbers[1] and one.tallies.keys() == other.tallies.keys() and all(tallies)


def refusal(folder, plan) -> str:
    """The one line with which a folder is refused."""
    with pytest.raises(AssayError) as raised, Store(folder, plan):
        pass
    assert "\n" not in str(raised.value)
    return str(raised.value)


class Killed(BaseException):
    """Stands for the end of the process."""


class FaultyOs:
    """The module os, in which the `n`-th operation of some names fails, a write halfway.

    With `Killed` nothing works from there on, so that no clean-up can be done.
    """

    def __init__(self, n, fault, names=("open", "write", "fsync", "replace", "unlink", "makedirs")) -> None:
        self.n, self.fault, self.names = n, fault, names
        self.n_seen = 0
        self.failed = ""

    def __getattr__(self, name):
        return self._watched(name) if name in self.names else getattr(os, name)

    def _watched(self, name):
        def operation(*given, **named):
            self.n_seen += 1
            if self.n_seen == self.n:
                self.failed = name
                if name == "write":
                    os.write(given[0], bytes(given[1])[: len(given[1]) // 2])
                raise self.fault
            if self.n_seen > self.n and isinstance(self.fault, Killed):
                raise self.fault
            return getattr(os, name)(*given, **named)

        return operation


# --- continuing ------------------------------------------------------------------------------------------


def test_a_finished_plan_is_read_back_and_not_played(tmp_path, plan, whole, monkeypatch):
    assert is_same(run(tmp_path, plan), whole)
    monkeypatch.setattr(plan_module, "play_part", None)
    with Store(tmp_path, plan) as store:
        assert is_same(run_plan(plan, store=store), whole)
        assert [(part.first, part.count) for part in store.parts()] == list(plan.parts())
        assert store.notes == []


def test_stored_parts_equal_the_played_ones(tmp_path):
    """With parts that end within a group of deals, and a last part that is smaller."""
    plan = real_plan(deals=1010, part_deals=250)
    played = [play_part(plan, *part) for part in plan.parts()]
    with Store(tmp_path, plan) as store:
        for part in reversed(played):
            store.save(part)
    with Store(tmp_path, plan) as store:
        stored = list(store.parts())
    assert len(stored) == len(played) == 5
    assert all(map(is_same, stored, played))
    assert [(p.first, p.count) for p in stored] == [(p.first, p.count) for p in played]
    dense = sum(counts.nbytes for part in played for counts in part.tallies.values())
    assert sum(f.stat().st_size for f in (tmp_path / "parts").iterdir()) < dense / 10


def test_killed_at_any_file_operation(tmp_path, plan, whole, finished, monkeypatch):
    deaths = []
    for n in range(1, 1000):
        folder = tmp_path / str(n)
        with monkeypatch.context() as patch:
            faulty = FaultyOs(n, Killed())
            patch.setattr(store_module, "os", faulty)
            try:
                run(folder, plan)
            except Killed:
                deaths.append(faulty.failed)
        assert stems(folder / "parts", ".npz") <= stems(folder / "outcomes", ".parquet")
        assert is_same(run(folder, plan), whole), f"killed at operation {n}, {faulty.failed}"
        assert contents(folder) == finished, f"killed at operation {n}, {faulty.failed}"
        if not faulty.failed:
            break
    # the manifest, and a rows file and a part's file of each of two parts, are written aside and renamed
    assert all(deaths.count(name) == 5 for name in ("write", "replace"))
    assert deaths.count("fsync") == 10


def test_rows_without_their_part_are_written_anew(tmp_path, plan, whole, finished):
    files = {name: data for name, data in finished.items() if not name.endswith(".npz")}
    assert is_same(run(lay_out(tmp_path, files), plan), whole)
    assert contents(tmp_path) == finished


def play_slowly(folder) -> None:
    """Print a line a part; run in a process of its own."""
    plan = real_plan(KILL_DEALS, KILL_PART_DEALS)
    with Store(folder, plan) as store:
        run_plan(plan, jobs=2, store=store, progress=lambda done, _: print(done, flush=True))


def start(call, *given) -> subprocess.Popen:
    """Call a function of this file in another process."""
    script = f"import test_store; test_store.{call}(*{[str(g) for g in given]})"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    return subprocess.Popen(
        [sys.executable, "-c", script], env=env, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


@needs_posix
def test_killed_for_real(tmp_path):
    rng = random.Random(17)
    n_parts = KILL_DEALS // KILL_PART_DEALS
    n_stored = [0]
    for _ in range(N_KILLS):
        with start("play_slowly", tmp_path / "killed") as process:
            n_more = rng.randint(2, n_parts // N_KILLS - 5)
            for _ in range(n_stored[-1] + n_more):
                assert process.stdout.readline()
            process.stdout.read(rng.randint(0, 3))
            os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        n_stored.append(len(list((tmp_path / "killed" / "parts").glob("part-*.npz"))))
        assert n_stored[-1] < n_parts
    assert n_stored == sorted(set(n_stored))
    plan = real_plan(KILL_DEALS, KILL_PART_DEALS)
    assert is_same(run(tmp_path / "killed", plan), run(tmp_path / "whole", plan))
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


# --- damage ----------------------------------------------------------------------------------------------

FIRST = "part-00000000000-3"
SECOND = "part-00000000003-3"
NPZ, ROWS = f"parts/{FIRST}.npz", f"outcomes/{FIRST}.parquet"


def flipped(data: bytes, position: int, bit: int = 0) -> bytes:
    return data[:position] + bytes([data[position] ^ 1 << bit]) + data[position + 1 :]


def npz_of(**arrays) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


DAMAGES = {
    "an empty part": (NPZ, lambda files: b""),
    "half a part": (NPZ, lambda files: files[NPZ][: len(files[NPZ]) // 2]),
    "all but a byte": (NPZ, lambda files: files[NPZ][:-1]),
    "zeros": (NPZ, lambda files: bytes(len(files[NPZ]))),
    "another part": (NPZ, lambda files: files[f"parts/{SECOND}.npz"]),
    "other arrays": (NPZ, lambda files: npz_of(total=np.arange(3))),
    "floats": (NPZ, lambda files: npz_of(**{**np.load(io.BytesIO(files[NPZ])), "total": np.ones(24)})),
    "changed rows": (ROWS, lambda files: flipped(files[ROWS], 1000)),
    "half of the rows": (ROWS, lambda files: files[ROWS][: len(files[ROWS]) // 2]),
    "rows of another part": (ROWS, lambda files: files[f"outcomes/{SECOND}.parquet"]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_played_again(tmp_path, plan, whole, finished, damage):
    name, damaged = DAMAGES[damage]
    lay_out(tmp_path, {**finished, name: damaged(finished)})
    with Store(tmp_path, plan) as store:
        assert [part.first for part in store.parts()] == [3]
        (note,) = store.notes
        assert f"{FIRST}.npz' was damaged (" in note
        assert "\n" not in note
        assert pd.read_parquet(store.outcomes)["deal"].unique().tolist() == [1003, 1004, 1005]
        assert is_same(run_plan(plan, store=store), whole)
    assert contents(tmp_path) == finished


def test_a_part_that_unpacks_to_too_much_is_not_unpacked(tmp_path, plan, finished):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("total.npy", bytes(10**8))
    with Store(lay_out(tmp_path, {**finished, NPZ: bomb.getvalue()}), plan) as store:
        assert [part.first for part in store.parts()] == [3]
        assert "was damaged (it is larger than any part)" in store.notes[0]


def test_missing_rows_are_played_again(tmp_path, plan, whole, finished):
    files = {name: data for name, data in finished.items() if name != ROWS}
    with Store(lay_out(tmp_path, files), plan) as store:
        assert is_same(run_plan(plan, store=store), whole)
        assert "its outcome rows are missing" in store.notes[0]
    assert contents(tmp_path) == finished


def test_no_flipped_bit_changes_a_result(tmp_path, plan, finished):
    """Where a bit means nothing, as in a date of the archive, the numbers must be the same."""
    lay_out(tmp_path, finished)
    rng = random.Random(3)
    n_noticed = 0
    with Store(tmp_path, plan) as store:
        sound = list(store.parts())
        for _ in range(250):
            data = finished[NPZ]
            (tmp_path / NPZ).write_bytes(flipped(data, rng.randrange(len(data)), rng.randrange(8)))
            (tmp_path / ROWS).write_bytes(finished[ROWS])
            found = list(store.parts())
            assert is_same(found[-1], sound[1])
            n_noticed += len(found) == 1
            assert len(found) == 1 or is_same(found[0], sound[0])
    assert n_noticed == len(store.notes) > 100


def test_a_part_of_other_rules_is_not_taken(tmp_path, plan, finished):
    other = replace(plan, rules=STOREHOUSES_AT_8)
    run(tmp_path, other)
    (tmp_path / "manifest.json").write_bytes(finished["manifest.json"])
    with Store(tmp_path, plan) as store:
        assert list(store.parts()) == []
        assert len(store.notes) == 2


def test_files_of_others_are_left_alone(tmp_path, plan, whole, finished):
    strange = {"parts/.DS_Store": b"1", "parts/part-7-3.npz": b"2", "report.html": b"3", "tables/a.csv": b"4"}
    with Store(lay_out(tmp_path, {**finished, **strange}), plan) as store:
        assert is_same(run_plan(plan, store=store), whole)
        (note,) = store.notes
        assert note.endswith("parts', not of these results: .DS_Store, part-7-3.npz")
    assert contents(tmp_path) == {**finished, **strange}


# --- other plans -----------------------------------------------------------------------------------------

TABLE = (stub("a"), stub("b"), stub("b"))
STOREHOUSES_AT_8 = GAME.rules.parse(["storehouse_cost=8"])
OTHERS = {
    "rules": ({"rules": STOREHOUSES_AT_8}, "with other rules: storehouse_cost 10, now 8"),
    "strategy": ({"tables": ((*TABLE[:2], stub("c")),)}, "other strategies: table 1 a, b, b, now a, b, c"),
    "seats": ({"tables": ((*TABLE, TABLE[0]),)}, "other strategies: table 1 a, b, b, now a, b, b, a"),
    "tables": ({"tables": (TABLE, TABLE)}, "with other strategies: table 2 none, now a, b, b"),
    "code": ({"tables": ((stub("a", "d2"), *TABLE[1:]),)}, "NumPy have changed): a d1, now d2"),
    "seed": ({"seed": 0}, "with another seed: seed 1, now 0"),
    "first": ({"first": 7}, "from another first deal: first deal 0, now 7"),
    "deals": ({"deals": 200}, "on which the groups of the tallies depend: deals 100, now 200"),
    "rotations": ({"is_duplicate": True}, "with other seatings: every rotation no, now yes"),
    "measures": ({"measures": ("win", "score")}, "with other measures: measures[2] none, now score"),
    "parts": ({"part_deals": 10}, "in parts of another size: deals in a part 50, now 10"),
    "rows": ({"has_rows": True}, "with another choice of outcome rows: outcome rows no, now yes"),
    "version": ({"game": replace(GAME, version=99)}, f"game_version {GAME.version}, now 99"),
    "game": ({"game": replace(GAME, name="other"), "seed": 3}, "for another game: game ostia, now other"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_plan_is_refused_with_the_reason(tmp_path, monkeypatch, what):
    monkeypatch.chdir(tmp_path)
    changes, told = OTHERS[what]
    Store("x", stub_plan()).close()
    before = contents(tmp_path)
    line = refusal("x", stub_plan(**changes))
    assert line.startswith("results in 'x' were made ")
    assert line.endswith(f"{told}; choose another --out folder")
    assert contents(tmp_path) == before
    Store("x", stub_plan()).close()


def test_all_that_differs_is_told(tmp_path):
    Store(tmp_path, stub_plan()).close()
    rules = GAME.rules.parse(["storehouse_cost=8", "start_money=1,2,3,4,5"])
    line = refusal(tmp_path, stub_plan(rules=rules, seed=2))
    start_money = GAME.rules.defaults()["start_money"]
    assert f"start_money[1] {start_money[0]}, now 1" in line
    assert "and 3 more" in line
    assert "; with another seed: seed 1, now 2; choose" in line


# --- folders that cannot be used -------------------------------------------------------------------------


def test_a_folder_of_something_else_is_refused_untouched(tmp_path):
    (tmp_path / "thesis.docx").write_text("years of work")
    assert refusal(tmp_path, stub_plan()) == f"folder '{tmp_path}' is not empty and holds no results of Assay"
    assert contents(tmp_path) == {"thesis.docx": b"years of work"}


def test_a_file_is_not_a_folder(tmp_path):
    (tmp_path / "x").write_text("")
    assert refusal(tmp_path / "x", stub_plan()) == f"'{tmp_path}/x' is not a folder"
    assert "Not a directory" in refusal(tmp_path / "x" / "y", stub_plan())
    assert "cannot be the name of a folder" in refusal("x\0y", stub_plan())
    assert "File name too long" in refusal(tmp_path / ("x" * 300), stub_plan())


def test_a_missing_folder_is_made(tmp_path):
    Store(tmp_path / "a" / "b", stub_plan()).close()
    manifest = json.loads((tmp_path / "a" / "b" / "manifest.json").read_text())
    assert manifest["identity"] == json.loads(json.dumps(stub_plan().identity()))


OURS = {"format": "assay results", "version": 1}


def manifest_of(**changes) -> bytes:
    return json.dumps({**OURS, "identity": {**stub_plan().identity(), **changes}}).encode()


MANIFESTS = {
    b"": "is damaged",
    b"{": "is damaged",
    b"\xff\xfe": "is damaged",
    b"[" * 10**5: "is damaged",
    b"[]": "is not of Assay",
    b'{"name": "a web app", "version": 1}': "is not of Assay",
    json.dumps({**OURS, "version": 2}).encode(): "are kept in format 2; this Assay reads format 1",
    json.dumps({**OURS, "version": "\n" * 900}).encode(): "this Assay reads format 1",
    json.dumps(OURS).encode(): "is damaged",
    json.dumps({**OURS, "identity": {}}).encode(): "game none, now ostia",
    manifest_of(game={"\n": [[[["x" * 999]]]]}): "for another game",
    manifest_of(tables=1): "with other strategies",
    manifest_of(tables=[1, [[]]], rules=[], strategies=None, deals="x" * 999): "with other strategies",
    manifest_of(more=1): "with another more: more 1, now none",
}


@pytest.mark.parametrize("data", MANIFESTS, ids=range(len(MANIFESTS)))
def test_a_manifest_that_is_not_ours_is_refused(tmp_path, data):
    (tmp_path / "manifest.json").write_bytes(data)
    line = refusal(tmp_path, stub_plan())
    assert MANIFESTS[data] in line
    assert len(line) < 1000
    assert (tmp_path / "manifest.json").read_bytes() == data


@needs_posix
@pytest.mark.parametrize("name", [NPZ, ROWS, "manifest.json", "lock", "parts", "outcomes"])
def test_links_are_not_followed(tmp_path, plan, finished, name):
    folder = lay_out(tmp_path / "x", finished)
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    before = contents(tmp_path)
    assert f"{name}' is a link; Assay keeps results in plain files" in refusal(folder, plan)
    assert contents(tmp_path) == before


@needs_posix
@pytest.mark.parametrize("name", [NPZ, ROWS])
@pytest.mark.parametrize("make", ["mkfifo", "mkdir"])
def test_pipes_and_folders_are_not_read(tmp_path, plan, finished, name, make):
    lay_out(tmp_path, {other: data for other, data in finished.items() if other != name})
    getattr(os, make)(tmp_path / name)
    with Store(tmp_path, plan) as store, pytest.raises(AssayError, match=r"is not a file$"):
        list(store.parts())


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EPERM])
def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch, code):
    """Simulated, as modes do not bind the superuser."""
    fault = OSError(code, os.strerror(code))
    for names in (("makedirs",), ("open",), ("replace",)):
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "os", FaultyOs(1, fault, names))
            line = refusal(tmp_path / names[0], stub_plan())
        assert line.startswith("cannot ")
        assert line.endswith(f"': {os.strerror(code)}")
        assert str(tmp_path / names[0]) in line
    assert not [name for name in contents(tmp_path) if name.endswith((".tmp", ".json"))]


def test_a_part_that_cannot_be_read_or_removed(tmp_path, plan, finished, monkeypatch):
    lay_out(tmp_path, {**finished, NPZ: b""})
    with Store(tmp_path, plan) as store:
        for name, told in (("open", "cannot read '"), ("unlink", "cannot remove '")):
            with monkeypatch.context() as patch:
                faulty = FaultyOs(1, OSError(errno.EIO, "Input/output error"), (name,))
                patch.setattr(store_module, "os", faulty)
                with pytest.raises(AssayError, match=told):
                    list(store.parts())
    assert contents(tmp_path) == {**finished, NPZ: b""}


# --- a full disk -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize("name", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_earlier_parts(tmp_path, plan, whole, finished, monkeypatch, code, name):
    is_folder_synced = 2 if name == "fsync" else 1  # a file, then its folder
    for file, at in (("outcomes", 1), ("parts", 1 + is_folder_synced)):
        folder = tmp_path / file
        with Store(folder, plan) as store:
            store.save(play_part(plan, 0, 3))
            with monkeypatch.context() as patch:
                patch.setattr(store_module, "os", FaultyOs(at, OSError(code, os.strerror(code)), (name,)))
                with pytest.raises(AssayError, match=rf"cannot write '.*{file}.*: make room") as raised:
                    store.save(play_part(plan, 3, 3))
            assert "\n" not in str(raised.value)
            assert not list(folder.rglob("*.tmp"))
            assert [part.first for part in store.parts()] == [0]
            assert is_same(run_plan(plan, store=store), whole)
        assert contents(folder) == finished


def play_with_little_room(folder) -> None:
    """Files may not grow once a part is stored; run in a process of its own."""
    import resource

    plan = real_plan(1500, 500)

    def limit(done: int, deals: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    try:
        with Store(folder, plan) as store:
            run_plan(plan, store=store, progress=limit)
    except AssayError as fault:
        print(fault)


@needs_posix
def test_a_limit_on_the_size_of_files(tmp_path):
    with start("play_with_little_room", tmp_path) as process:
        told = process.stdout.read()
    assert process.returncode == 0
    assert "File too large; what is stored is kept: make room and run the same command again" in told
    plan = real_plan(1500, 500)
    with Store(tmp_path, plan) as store:
        assert [part.first for part in store.parts()] == [0]
        assert is_same(run_plan(plan, store=store), run_plan(plan))
        assert store.notes == []


# --- two runs --------------------------------------------------------------------------------------------


def hold(folder, must_fork) -> None:
    """Keep a folder open, and a forked worker alive; run in a process of its own."""
    store = Store(folder, stub_plan())
    if must_fork == "True" and os.fork() == 0:
        print("forked", flush=True)  # it has let go of the lock by now
        signal.pause()
    print("held", flush=True)
    signal.pause()
    store.close()


@needs_posix
@pytest.mark.parametrize("must_fork", [False, True])
def test_two_runs_in_one_folder(tmp_path, must_fork):
    """The second is refused while the first lives, even if workers outlive it."""
    with start("hold", tmp_path, must_fork) as process:
        try:
            told = {process.stdout.readline() for _ in range(2 if must_fork else 1)}
            assert told == ({"held\n", "forked\n"} if must_fork else {"held\n"})
            assert refusal(tmp_path, stub_plan()) == f"folder '{tmp_path}' is in use by another run of Assay"
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            Store(tmp_path, stub_plan()).close()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@needs_posix
def test_a_store_holds_its_folder_until_it_is_closed(tmp_path):
    with Store(tmp_path, stub_plan()) as store:
        assert "in use" in refusal(tmp_path, stub_plan())
    Store(tmp_path, stub_plan()).close()
    store.close()


@needs_posix
def test_a_refused_folder_is_not_held(tmp_path):
    Store(tmp_path, stub_plan()).close()
    for _ in range(2):
        assert "another seed" in refusal(tmp_path, stub_plan(seed=2))


@needs_posix
def test_a_file_system_without_locks(tmp_path, monkeypatch):
    def flock(file, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(store_module.fcntl, "flock", flock)
    with Store(tmp_path, stub_plan()) as store:
        (note,) = store.notes
        assert "cannot be locked (No locks available)" in note


# --- planted files ---------------------------------------------------------------------------------------


class Bomb:
    def __init__(self, mark) -> None:
        self.mark = str(mark)

    def __reduce__(self):
        return (os.mkdir, (self.mark,))


def test_nothing_planted_is_executed(tmp_path, plan, whole, finished):
    mark = tmp_path / "executed"
    bomb = pickle.dumps(Bomb(mark))
    objects = np.empty(1, object)
    objects[0] = Bomb(mark)
    npy, npz = io.BytesIO(), io.BytesIO()
    np.save(npy, objects, allow_pickle=True)
    with zipfile.ZipFile(io.BytesIO(finished[NPZ])) as sound, zipfile.ZipFile(npz, "w") as planted:
        for entry in sound.namelist():
            planted.writestr(entry, npy.getvalue() if entry == "total.npy" else sound.read(entry))
    script = f"import os; os.mkdir({str(mark)!r})".encode()
    strange = {
        f"{folder}{name}": data
        for folder in ("", "parts/", "outcomes/")
        for name, data in {
            "a.pkl": bomb, "a.joblib": bomb, "a.npy": npy.getvalue(), "a.npz": npz.getvalue(),
            "a.py": script, "__init__.py": script, "conftest.py": script, "a.pth": script,
        }.items()
    }  # fmt: skip
    bombs = (bomb, npy.getvalue(), npz.getvalue())
    for n, (name, data) in enumerate(product((NPZ, ROWS, "lock", "manifest.json"), bombs)):
        folder = lay_out(tmp_path / str(n), {**finished, **strange, name: data})
        if name == "manifest.json":
            assert "is damaged" in refusal(folder, plan)
        else:
            assert is_same(run(folder, plan), whole)
        assert not mark.exists(), f"{name} was executed"
    pickle.loads(bomb)
    assert mark.exists()


# --- outcome rows ----------------------------------------------------------------------------------------


def test_rows_are_the_outcomes_of_the_games(plan):
    part = play_part(plan, 3, 3)
    frame = outcome_table(plan, part).to_pandas()
    assert len(frame) == part.rows[..., 0].size
    for row in frame.itertuples():
        outcome = part.rows[row.table, row.deal - plan.first - 3, row.rotation, row.seat - 1]
        assert row.win_share == outcome[0] / 60
        assert [getattr(row, name) for name in GAME.outcome_columns[1:]] == outcome[1:].tolist()
        assert row.strategy == plan.tables[row.table][(row.seat - 1 + row.rotation) % plan.seats].name
    assert not frame.duplicated(["table", "deal", "rotation", "seat"]).any()


def test_pandas_reads_all_rows_and_they_sum_up_to_the_moments(tmp_path):
    plan = real_plan(deals=1010, part_deals=250)
    part = run(tmp_path, plan)
    frame = pd.read_parquet(tmp_path / "outcomes")
    assert list(frame.columns) == [
        "deal", "table", "rotation", "seat", "strategy", "win_share", *GAME.outcome_columns[1:],
    ]  # fmt: skip
    assert isinstance(frame["strategy"].dtype, pd.CategoricalDtype)
    assert frame["deal"].drop_duplicates().tolist() == list(range(1000, 2010))
    frame["win"] = (frame["win_share"] * 60).round().astype(int)
    frame["player"] = (frame["seat"] - 1 + frame["rotation"]) % plan.seats
    frame["seat"] -= 1
    for column, total in zip(plan.columns, part.moments.total, strict=True):
        games = frame[(frame["table"] == column.table) & (frame[column.role] == column.index)]
        assert games[column.measure].sum() == total
    squares = (frame["win"] ** 2).groupby([frame["table"], frame["player"]]).sum()
    assert squares.to_numpy().reshape(2, 3).tolist() == part.squares.tolist()


def test_a_plan_without_rows_writes_none(tmp_path, plan, whole):
    assert is_same(run(tmp_path, replace(plan, has_rows=False)), whole)
    assert not (tmp_path / "outcomes").exists()


def test_what_is_not_a_part_is_not_saved(tmp_path, plan):
    part = play_part(plan, 0, 3)
    with Store(tmp_path, plan) as store:
        with pytest.raises(ValueError, match="not a part of this plan"):
            store.save(replace(part, count=2))
        with pytest.raises(ValueError, match="has rows"):
            store.save(replace(part, rows=None))
        n = len(plan.columns)
        huge = Moments(3, (2**63,) * n, ((2**63,) * n,) * n)
        with pytest.raises(AssayError, match="exceed 64 bits"):
            store.save(replace(part, moments=huge))
        assert list(store.parts()) == []


# --- tidy results ----------------------------------------------------------------------------------------

FRAME = pd.DataFrame(
    {
        "name": ["=1+1", "+1", "-1", "@x", "\tx", "plain", 'it\'s, "quoted"', None],
        "kind": pd.Categorical(["-a", "b"] * 4),
        "share": [0.1, -0.5, 1 / 3, 1e-300, float("nan"), 2.0, 3.0, 4.0],
        "n": range(-4, 4),
    },
    index=range(8, 0, -1),
)


def test_frames_are_written_as_parquet_and_csv(tmp_path):
    written = write_frames(tmp_path / "x", {"shares": FRAME})
    assert [path.name for path in written] == ["shares.parquet", "shares.csv"]
    pd.testing.assert_frame_equal(pd.read_parquet(written[0]), FRAME.reset_index(drop=True))
    assert written[1].read_bytes().decode().splitlines() == [
        "name,kind,share,n",
        "'=1+1,'-a,0.1,-4",
        "'+1,b,-0.5,-3",
        "'-1,'-a,0.3333333333333333,-2",
        "'@x,b,1e-300,-1",
        "'\tx,'-a,,0",
        "plain,b,2.0,1",
        '"it\'s, ""quoted""",\'-a,3.0,2',
        ",b,4.0,3",
    ]
    before = contents(tmp_path)
    write_frames(tmp_path / "x", {"shares": FRAME.copy()})
    assert contents(tmp_path) == before
    assert FRAME["name"][8] == "=1+1"


def test_a_formula_in_a_header(tmp_path):
    (_, csv) = write_frames(tmp_path, {"x": pd.DataFrame({"=cmd": [1]})})
    assert csv.read_text() == "'=cmd\n1\n"


def test_frames_are_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    write_frames(tmp_path, {"a": FRAME})
    before = contents(tmp_path)
    for n in range(1, 100):
        with monkeypatch.context() as patch:
            faulty = FaultyOs(n, Killed(), ("open", "write", "fsync", "replace", "unlink"))
            patch.setattr(store_module, "os", faulty)
            try:
                write_frames(tmp_path, {"a": FRAME.head(2)})
            except Killed:
                pd.read_csv(tmp_path / "a.csv")
                assert len(pq.read_table(tmp_path / "a.parquet")) in (2, 8)
        write_frames(tmp_path, {"a": FRAME})
        assert contents(tmp_path) == before
        if not faulty.failed:
            break
    assert n > 8
    with monkeypatch.context() as patch:
        faulty = FaultyOs(1, OSError(errno.ENOSPC, "No space left on device"), ("write",))
        patch.setattr(store_module, "os", faulty)
        with pytest.raises(AssayError, match="No space left on device"):
            write_frames(tmp_path, {"a": FRAME.head(2)})
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".a", "A", "a.b", "a\n", "x" * 65])
def test_names_that_are_not_file_names(tmp_path, name):
    with pytest.raises(ValueError, match="cannot be named"):
        write_frames(tmp_path / "x", {"good": FRAME, name: FRAME})
    assert not (tmp_path / "x").exists()
