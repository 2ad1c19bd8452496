"""The command line: what it prints, what it answers to bad input, and that it can be stopped and goes on."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import analyses.comparison
import analyses.play
import analyses.run
import analyses.survey
import simcore.store
import strategies
from reports.cli import main
from simcore import __version__, cache
from simcore.errors import AssayError
from simcore.game import GAMES, find_game

ROOT = Path(__file__).parent.parent
GAME = next(iter(GAMES))
SEATS = find_game(GAME).seats
QUESTIONS = (
    "meta", "exploit", "vary", "sensitivity", "tune", "worth", "decided", "skill", "neighbours", "robust"
)  # fmt: skip
COMMANDS = ("games", "strategies", "rules", "play", "run", "compare", *QUESTIONS, "report", "study")
ESTIMATE = {"estimate", "low", "high", "n", "n_effective", "method"}
FEW = ["--deals", "40", "--strategies", "random"]
PARTS = 12
LONG_DEALS = 20_000 * PARTS
PATIENCE = 300  # seconds until a subprocess is given up
needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and devices of POSIX")

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *argv: str) -> str:
    """What a command that succeeds prints."""
    assert main(list(argv)) == 0
    out, complaint = capsys.readouterr()
    assert complaint == ""
    return out


def document(capsys: Capture, *argv: str) -> Any:
    """What a command prints as JSON: one document and nothing else."""
    return json.loads(told(capsys, *argv, "--json"))


def refused(capsys: Capture, *argv: str) -> str:
    """The one line that a command answers bad input with."""
    assert main(list(argv)) == 2
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.startswith("assay: ")
    assert complaint.endswith("\n")
    assert len(complaint.splitlines()) == 1
    assert "Traceback" not in complaint
    return complaint


def estimates(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document that holds an estimate."""
    if isinstance(value, dict):
        if "estimate" in value:
            yield value
        for item in value.values():
            yield from estimates(item)
    elif isinstance(value, list):
        for item in value:
            yield from estimates(item)


def started(*argv: str, **options: Any) -> subprocess.Popen[str]:
    """A command in a process of its own, which can be interrupted even where the tests themselves cannot."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        return subprocess.Popen([sys.executable, "-m", "reports.cli", *argv], cwd=ROOT, text=True, **pipes)
    finally:
        signal.signal(signal.SIGINT, before)


# --- help --------------------------------------------------------------------------------------------------


def test_help_lists_all_commands(capsys):
    for argv in ([], ["--help"]):
        if argv:
            with pytest.raises(SystemExit) as done:
                main(argv)
            assert done.value.code == 0
        else:
            assert main(argv) == 0
        out, complaint = capsys.readouterr()
        assert [name for name in COMMANDS if not re.search(rf"^    {name}\s", out, re.MULTILINE)] == []
        assert complaint == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit) as done:
        main([command, "--help"])
    assert done.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_version(capsys):
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out == f"assay {__version__}\n"


# --- documents ---------------------------------------------------------------------------------------------


def test_games(capsys):
    rows = document(capsys, "games")
    assert [row["name"] for row in rows] == list(GAMES)
    assert all(set(row) == {"name", "title", "seats"} for row in rows)
    text = told(capsys, "games")
    assert all(row["title"] in text for row in rows)


@pytest.mark.parametrize("game", GAMES)
def test_strategies(capsys, game):
    rows = document(capsys, "strategies", game)
    assert [row["name"] for row in rows] == strategies.names(find_game(game))
    for row in rows:
        assert {"name", "plan", "parameters"} <= set(row)
        assert row["plan"]
        for weight in row["parameters"]:
            assert {"name", "default", "low", "high", "about"} == set(weight)
    text = told(capsys, "strategies", game)
    assert all(row["name"] in text for row in rows)


@pytest.mark.parametrize("game", GAMES)
def test_rules(capsys, game):
    rows = document(capsys, "rules", game)
    assert [row["name"] for row in rows] == list(find_game(game).rules.rules)
    assert all({"name", "default", "unit", "low", "high", "provenance"} <= set(row) for row in rows)
    text = told(capsys, "rules", game)
    assert all(row["name"] in text for row in rows)
    assert "* changed" not in text
    switch = next((row for row in rows if row["unit"] == "switch" and isinstance(row["default"], int)), None)
    if switch is None:
        return
    assert "* changed" in told(capsys, "rules", game, "--set", f"{switch['name']}={1 - switch['default']}")


@pytest.mark.parametrize("game", GAMES)
def test_play(capsys, game):
    played = document(capsys, "play", game, "--strategies", "random", "--seed", "3", "--deal", "5")
    assert {"game", "seed", "deal", "strategies", "events", "outcome"} <= set(played)
    assert (played["game"], played["seed"], played["deal"]) == (game, 3, 5)
    assert {"win_share", "score"} <= set(played["outcome"])
    assert sum(played["outcome"]["win_share"]) == pytest.approx(1)
    assert len(played["outcome"]["score"]) == len(played["strategies"]) == 4
    text = told(capsys, "play", game, "--strategies", "random", "--seed", "3", "--deal", "5")
    assert text.rstrip("\n") == find_game(game).wording(played).rstrip("\n")


@pytest.mark.parametrize("game", GAMES)
def test_run(capsys, game):
    result = document(capsys, "run", game, *FEW)
    assert {"game", "seats", "seed", "deals", "games", "by_seat", "economy"} <= set(result)
    assert (result["game"], result["seats"], result["deals"], result["games"]) == (game, 4, 40, 40)
    for seat, row in enumerate(result["by_seat"], 1):
        assert {"seat", "strategy", "win_share", "score"} <= set(row)
        assert (row["seat"], row["strategy"]) == (seat, "random")
        assert set(row["win_share"]) == set(row["score"]) == ESTIMATE
    assert set(result["economy"]) == {measure.name for measure in find_game(game).economy}
    found = list(estimates(result))
    assert len(found) > 50
    assert all(set(one) == ESTIMATE for one in found)
    assert all(one["n"] > 0 for one in found)
    assert "95 % interval" in told(capsys, "run", game, *FEW)


@pytest.mark.parametrize("game", GAMES)
def test_compare(capsys, game):
    result = document(capsys, "compare", game, "random", "baseline", "--deals", "10", "--seats", str(SEATS[0]))
    assert {"game", "seats", "seed", "deals", "games", "strategies", "pairs"} <= set(result)
    assert [row["name"] for row in result["strategies"]] == ["random", "baseline"]
    assert all(set(row["win_share"]) == ESTIMATE for row in result["strategies"])
    (pair,) = result["pairs"]
    assert (pair["a"], pair["b"]) == ("random", "baseline")
    assert set(pair["difference"]) == ESTIMATE
    assert all(set(one) == ESTIMATE for one in estimates(result))
    assert "fair share" in told(capsys, "compare", game, "random", "baseline", "--deals", "10")


@pytest.mark.parametrize("game", GAMES)
def test_compare_takes_all_strategies_by_default(capsys, game):
    result = document(capsys, "compare", game, "--deals", "2", "--seats", str(SEATS[0]))
    assert [row["name"] for row in result["strategies"]] == strategies.names(find_game(game))


def test_report_names_its_page(capsys, monkeypatch, tmp_path):
    import reports.page

    class Survey:
        games = 12_345

    asked = {}
    monkeypatch.setattr(analyses.survey, "survey", lambda game, **options: asked.update(options, game=game) or Survey())
    monkeypatch.setattr(reports.page, "write_report", lambda result, folder: folder / "index.html")
    folder = str(tmp_path / "report")
    page = document(capsys, "report", GAME, "--out", folder, "--tolerance", "2", "--strategies", "random,baseline")
    assert page == {"page": str(tmp_path / "report" / "index.html"), "games": 12_345}
    assert (asked["tolerance"], asked["strategies"], asked["seats"]) == (0.02, ["random", "baseline"], None)


def test_the_same_seed_gives_the_same_document_and_another_one_does_not(capsys):
    first = told(capsys, "run", GAME, *FEW, "--json")
    assert told(capsys, "run", GAME, *FEW, "--json", "--jobs", "2", "--seed", "1") == first
    assert told(capsys, "run", GAME, *FEW, "--json", "--seed", "0") != first


def test_jobs_of_nought_is_one_a_processor(capsys):
    assert told(capsys, "run", GAME, *FEW, "--jobs", "0") == told(capsys, "run", GAME, *FEW, "--jobs", "1")


def test_results_are_kept_where_asked(capsys, tmp_path):
    folder = tmp_path / "results"
    first = told(capsys, "run", GAME, *FEW, "--out", str(folder))
    assert {path.stem for path in folder.glob("*.csv")} >= {"by_seat", "economy", "tension"}
    assert told(capsys, "run", GAME, *FEW, "--out", str(folder)) == first


# --- bad input ---------------------------------------------------------------------------------------------

HUGE = str(10**40)
BAD_INPUT = {
    "no such command": (["rn", GAME], "did you mean 'run'"),
    "no command at all but an option": (["--jsn"], "--jsn"),
    "no game": (["run"], "GAME"),
    "unknown game": (["run", GAME[:-1]], f"did you mean '{GAME}'"),
    "unknown game to list": (["strategies", "chess"], "unknown game 'chess'"),
    "unknown option": (["run", GAME, "--sets", "1"], "--sets"),
    "too few seats": (["run", GAME, "--seats", str(SEATS[0] - 1)], f"seats {SEATS[0]} to {SEATS[-1]}"),
    "too many seats": (["play", GAME, "--seats", str(SEATS[-1] + 1)], f"seats {SEATS[0]} to {SEATS[-1]}"),
    "seats below nought": (["compare", GAME, "random", "baseline", "--seats", "-3"], "not -3"),
    "seats in words": (["run", GAME, "--seats", "four"], "'four' is not a whole number"),
    "no deals": (["run", GAME, "--deals", "0"], "deals"),
    "fewer deals than none": (["run", GAME, "--deals", "-5"], "deals"),
    "too many deals": (["run", GAME, "--deals", str(10**12)], "deals"),
    "no deals to compare": (["compare", GAME, "random", "baseline", "--deals", "0"], "deals"),
    "deals in words": (["run", GAME, "--deals", "1e5"], "'1e5' is not a whole number"),
    "no deals to report": (["report", GAME, "--deals", "0"], "deals"),
    "seed below nought": (["run", GAME, "--seed", "-1"], "seed"),
    "huge seed": (["play", GAME, "--seed", HUGE], "seed"),
    "seed in words": (["play", GAME, "--seed", "x"], "'x' is not a whole number"),
    "deal below nought": (["play", GAME, "--deal", "-1"], "deal"),
    "huge deal": (["play", GAME, "--deal", HUGE], "deal"),
    "unknown strategy": (["run", GAME, "--strategies", "randm"], "did you mean 'random'"),
    "no strategy": (["run", GAME, "--strategies", ""], "strategy"),
    "unknown strategy to compare": (["compare", GAME, "random", "basline"], "did you mean 'baseline'"),
    "one strategy to compare": (["compare", GAME, "random"], "2 to"),
    "too few strategies": (["run", GAME, "--strategies", "random,random"], "2 strategies for 4 seats"),
    "unknown weight": (["run", GAME, "--strategies", "random:courage=1"], "weight"),
    "unknown rule": (["rules", GAME, "--set", "start_mony=5"], "did you mean"),
    "no value": (["rules", GAME, "--set", "rounds"], "name=value"),
    "negative jobs": (["run", GAME, "--jobs", "-1"], "jobs"),
    "too many jobs": (["run", GAME, "--jobs", "100000"], "jobs"),
    "unknown backend": (
        ["run", GAME, "--deals", "1000000", "--jobs", "2", "--backend", "abacus", "--strategies", "random"],
        "abacus",
    ),
    "no such rules file": (["run", GAME, "--rules", "no/such.toml"], "no/such.toml"),
    "no such study": (["study", "no/such.toml"], "no/such.toml"),
    "no such strategy file": (["run", GAME, "--strategies", "no/such.py"], "no/such.py"),
    "rules of all games": (["report", "all", "--set", "rounds=3"], "'--set' belongs to one game"),
    "names behind options": (["compare", GAME, "--seats", "3", "random", "nobody"], "nobody"),
    "more than one game": (["run", GAME, "ore_city"], "ore_city"),
    "an unknown option behind names": (["compare", GAME, "random", "baseline", "--sprts"], "--sprts"),
    "a rule to vary without values": (["vary", GAME, "rounds"], "write rule=6:14:2"),
    "no rule to tune": (["tune", GAME], "name a rule to turn"),
    "an unknown goal": (["tune", GAME, "--knob", "rounds", "--goal", "fame=3"], "fame"),
    "an unknown card": (["worth", GAME, "gold"], "gold"),
    "no draws": (["robust", GAME, "--draws", "0"], "draws"),
    "tolerance in words": (["report", GAME, "--tolerance", "some"], "some"),
    "tolerance that is no number": (["report", GAME, "--tolerance", "nan"], "tolerance"),
    "tolerance below nought": (["report", GAME, "--tolerance", "-1"], "tolerance"),
}


@pytest.mark.parametrize("what", BAD_INPUT)
def test_bad_input_is_answered_in_one_line(capsys, what):
    argv, words = BAD_INPUT[what]
    assert words in refused(capsys, *argv)


BAD_FILES = {
    "broken": (b"rounds = = 3", "not valid TOML"),
    "binary": (bytes(range(256)), "not valid TOML"),
    "too large": (b"#" * 1_000_001, "larger than"),
    "deeply nested": (b"rounds = " + b"[" * 20_000, "not valid TOML"),
    "unknown name": (b"roundz = 3", "did you mean"),
    "wrong type": (b'rounds = "three"', "rounds"),
    "a date": (b"rounds = 2020-01-01", "rounds"),
    "a table": (b"[rounds]\nx = 1", "rounds"),
    "out of bounds": (b"rounds = 99", "rounds"),
}


@pytest.mark.parametrize("what", BAD_FILES)
@pytest.mark.parametrize("command", ["rules", "run", "study"])
def test_a_bad_file_is_answered_in_one_line(capsys, tmp_path, command, what):
    content, words = BAD_FILES[what]
    file = tmp_path / "file.toml"
    file.write_bytes(
        content
        if command != "study" or words not in ("did you mean", "rounds")
        else f'game = "{GAME}"\n[rules]\n'.encode() + content.replace(b"[rounds]\nx = 1", b"rounds = {x = 1}")
    )
    argv = ["study", str(file)] if command == "study" else [command, GAME, "--rules", str(file)]
    assert words in refused(capsys, *argv)


def test_a_folder_is_no_file(capsys, tmp_path):
    for argv in (
        ["rules", GAME, "--rules", str(tmp_path)],
        ["study", str(tmp_path)],
        ["run", GAME, "--strategies", f"{tmp_path}/"],
    ):
        assert str(tmp_path) in refused(capsys, *argv)


def test_rules_that_cannot_be_played_are_refused(capsys):
    assert "no card" in refused(capsys, "run", "ostia", "--set", "copies=0,0,0,0,0,0")
    assert "auction_cards" in refused(capsys, "play", "ostia", "--set", "deal_cards=2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def bid(v, r:\n", "does not import"),
        ("import no_such_module\n", "does not import"),
        ("x = 1\n", "defines none"),
        ("def bid(v):\n    return 0\n", "two arguments"),
        ("def bid(v, r):\n    return 0.5\n", "not a whole number"),
        ("def bid(v, r):\n    return v.no_such_field\n", "does not compile"),
        ("WEIGHTS = 3\ndef bid(v, r):\n    return 0\n", "WEIGHTS"),
        ("def bidd(v, r):\n    return 0\n", "did you mean 'bid'"),
    ],
)
def test_a_strategy_file_that_cannot_be_used_is_refused(capsys, tmp_path, text, words):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert words in refused(capsys, "run", "ostia", "--strategies", str(path))


def test_a_results_folder_that_cannot_be_used_is_refused(capsys, monkeypatch, tmp_path):
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("mine")
    assert "foreign" in refused(capsys, "run", GAME, *FEW, "--out", str(foreign))
    assert "letter.txt" in refused(capsys, "run", GAME, *FEW, "--out", str(foreign / "letter.txt"))
    other = tmp_path / "other"
    told(capsys, "run", GAME, *FEW, "--out", str(other))
    assert "seed" in refused(capsys, "run", GAME, *FEW, "--seed", "2", "--out", str(other))

    def denied(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(simcore.store, "_write_aside", denied)
    assert "ermission" in refused(capsys, "run", GAME, *FEW, "--out", str(tmp_path / "locked"))
    assert sorted(path.name for path in foreign.iterdir()) == ["letter.txt"]


# --- studies -----------------------------------------------------------------------------------------------


def study(folder: Path, text: str) -> str:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_study_is_the_command_it_describes(capsys, tmp_path):
    file = study(
        tmp_path, f'game = "{GAME}"\nseats = 3\nstrategies = "random"\ndeals = 40\nseed = 9\n[rules]\nrounds = 3\n'
    )
    command = [
        "run",
        GAME,
        "--seats",
        "3",
        "--strategies",
        "random",
        "--deals",
        "40",
        "--seed",
        "9",
        "--set",
        "rounds=3",
    ]
    assert document(capsys, "study", file) == document(capsys, *command)
    assert document(capsys, "study", file, "--deals", "20")["deals"] == 20
    file = study(
        tmp_path,
        f'game = "{GAME}"\nquestion = "compare"\nstrategies = ["random", "baseline"]\ndeals = 5\njson = true\n',
    )
    compared = document(capsys, "compare", GAME, "random", "baseline", "--deals", "5")
    assert json.loads(told(capsys, "study", file)) == compared


BAD_STUDIES = {
    "unknown key": (f'game = "{GAME}"\nseets = 4', "did you mean 'seats'"),
    "no game": ("seats = 4", "no game"),
    "unknown game": ('game = "chess"', "unknown game"),
    "unknown question": (f'game = "{GAME}"\nquestion = "why"', "question"),
    "seats in words": (f'game = "{GAME}"\nseats = "four"', "'seats'"),
    "seats that are no number": (f'game = "{GAME}"\nseats = true', "'seats'"),
    "deals that are not whole": (f'game = "{GAME}"\ndeals = 1.5', "'deals'"),
    "huge deals": (f'game = "{GAME}"\ndeals = {10**30}', "deals"),
    "strategies of the wrong type": (f'game = "{GAME}"\nstrategies = 3', "'strategies'"),
    "a list of numbers": (f'game = "{GAME}"\nstrategies = [1, 2]', "'strategies'"),
    "a strategy file": (f'game = "{GAME}"\nstrategies = ["./mine.py"]', "names the strategy file"),
    "a strategy file among names": (f'game = "{GAME}"\nstrategies = "random,/tmp/mine.py"', "names the strategy file"),
    "rules that are no table": (f'game = "{GAME}"\nrules = 3', "'rules'"),
    "folder of the wrong type": (f'game = "{GAME}"\nout = 3', "'out'"),
    "json of the wrong type": (f'game = "{GAME}"\njson = "no"', "'json'"),
    "an impossible folder": (f'game = "{GAME}"\nstrategies = "random"\ndeals = 4\nout = "a\\u0000b"', "folder"),
}


@pytest.mark.parametrize("what", BAD_STUDIES)
def test_a_bad_study_is_refused(capsys, tmp_path, what):
    text, words = BAD_STUDIES[what]
    assert words in refused(capsys, "study", study(tmp_path, text))


# --- stopping ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["run", "compare"])
def test_a_command_that_is_stopped_says_so(capsys, monkeypatch, command):
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(analyses.run, "play_plan", stop)
    monkeypatch.setattr(analyses.comparison, "play_plan", stop)
    names = ["random", "baseline"] if command == "compare" else []
    assert main([command, GAME, *names]) == 130
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.startswith("assay: stopped")
    assert len(complaint.splitlines()) == 1


@needs_posix
def test_a_stopped_run_goes_on_to_the_same_document(capsys, monkeypatch, tmp_path):
    folder = tmp_path / "results"
    command = [
        "run",
        GAME,
        "--seats",
        "3",
        "--strategies",
        "random",
        "--deals",
        str(LONG_DEALS),
        "--json",
        "--jobs",
        "1",
    ]
    process = started(*command, "--out", str(folder))
    until = time.monotonic() + PATIENCE
    while not list(folder.glob("parts/part-*.npz")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, complaint = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert complaint.startswith("assay: stopped")
    assert len(complaint.splitlines()) == 1
    kept = list(folder.glob("parts/part-*.npz"))
    assert 1 <= len(kept) < PARTS
    played = []
    play_part = simcore.plan.play_part
    monkeypatch.setattr(simcore.plan, "play_part", lambda *part: played.append(part) or play_part(*part))
    continued = told(capsys, *command, "--out", str(folder))
    assert len(played) == PARTS - len(kept)
    assert continued == told(capsys, *command)


@needs_posix
def test_a_reader_that_leaves_early_is_no_error():
    process = started("rules", GAME)
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_an_output_that_is_full_is_told_in_one_line():
    with open("/dev/full", "w") as full:
        process = started("games", stdout=full)
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert complaint.startswith("assay: output: ")
    assert len(complaint.splitlines()) == 1


# --- colour ------------------------------------------------------------------------------------------------


def test_escape_codes_only_on_a_terminal_that_takes_them(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in told(capsys, "run", GAME, *FEW)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[1m" in told(capsys, "run", GAME, *FEW)
    assert "\x1b" not in told(capsys, "run", GAME, *FEW, "--json")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in told(capsys, "run", GAME, *FEW)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in told(capsys, "run", GAME, *FEW)


def test_progress_goes_to_the_terminal_not_into_the_document(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("reports.cli.SHOW_PROGRESS_AFTER", 0.0)
    assert main(["run", GAME, "--deals", "600", "--strategies", "random", "--json"]) == 0
    out, bar = capsys.readouterr()
    assert json.loads(out)["deals"] == 600
    assert "deals" in bar


# --- the cache of machine code -----------------------------------------------------------------------------


def run_with_cache(capsys: Capture, home: Path, temporary: Path | None = None) -> tuple[int, str]:
    """Exit code and complaint of a small run with its cache elsewhere; its result is that of this process."""
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "NUMBA_CACHE_DIR")}
    environment |= {"XDG_CACHE_HOME": str(home), "LOCALAPPDATA": str(home)}
    if temporary is not None:
        environment["TMPDIR"] = str(temporary)
    process = started("run", GAME, *FEW, "--json", env=environment)
    out, complaint = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in complaint
    assert process.returncode in (0, 2)
    if process.returncode == 0:
        assert out == told(capsys, "run", GAME, *FEW, "--json")
    return process.returncode, complaint


def copy_cache(folder: Path) -> None:
    """The machine code in use, copied to another root."""
    folder.mkdir(parents=True, mode=0o700)
    shutil.copytree(cache.CORE_FOLDER, folder / cache.CORE_FOLDER.name)


def spoil(folder: Path) -> int:
    """Fill cache files with rubbish; how many."""
    files = [path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc")]
    for path in files:
        path.write_bytes(b"rubbish" * 9)
    return len(files)


def test_a_spoilt_cache_of_strategies_is_made_anew(capsys, tmp_path):
    told(capsys, "run", GAME, *FEW)  # all that is needed is in the cache
    root = tmp_path / "assay"
    copy_cache(root)
    assert sum(spoil(folder) for folder in root.glob("code-*/strategy-*")) > 0
    assert run_with_cache(capsys, tmp_path) == (0, "")


def test_the_engine_is_cached_apart_from_strategies(capsys, tmp_path):
    """Whichever is imported first: an edited strategy must leave the engine compiled."""
    told(capsys, "run", GAME, *FEW)
    root = tmp_path / "assay"
    copy_cache(root)
    code = f"import strategies; strategies.load_once({GAME!r}, 'random')"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=PATIENCE)
    assert list(root.glob("code-*/*/engine.*.nbi"))
    assert not list(root.glob(f"code-*/strategy-*/{GAME}_*/engine.*"))  # a game elsewhere has its own such folder


@pytest.mark.slow
def test_a_spoilt_cache_is_made_anew(capsys, tmp_path):
    told(capsys, "run", GAME, *FEW)
    root = tmp_path / "assay"
    copy_cache(root)
    assert spoil(root) > 0
    assert run_with_cache(capsys, tmp_path) == (0, "")


@needs_posix
def test_without_a_home_the_temporary_folder_serves(capsys, tmp_path):
    told(capsys, "run", GAME, *FEW)
    copy_cache(tmp_path / f"assay-{os.getuid()}")
    (tmp_path / "file").write_text("no folder")
    assert run_with_cache(capsys, tmp_path / "file", tmp_path) == (0, "")


@pytest.mark.slow
def test_without_any_writable_folder_nothing_is_kept(capsys, tmp_path):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / f"assay-{os.getuid()}").write_text("no folder")
    assert run_with_cache(capsys, tmp_path / "file", tmp_path) == (0, "")


# --- any text ----------------------------------------------------------------------------------------------

OPTIONS = {
    "strategies": [],
    "rules": ["--set", "--rules"],
    "play": ["--seats", "--seed", "--deal", "--strategies", "--set", "--rules"],
    "run": ["--seats", "--seed", "--deals", "--strategies", "--set", "--rules", "--jobs", "--backend", "--out"],
    "compare": ["--seats", "--seed", "--deals", "--set", "--rules", "--jobs", "--out"],
    "report": ["--seats", "--seed", "--deals", "--strategies", "--set", "--rules", "--tolerance", "--out"],
    "study": ["--strategies", "--deals", "--jobs", "--out"],
    **{name: ["--seats", "--seed", "--deals", "--set", "--jobs"] for name in QUESTIONS},
    "vary": ["--strategies", "--field", "--set", "--deals"],
    "sensitivity": ["--strategy", "--field", "--method", "--points", "--deals"],
    "tune": ["--knob", "--goal", "--strategy", "--field", "--evaluations", "--deals"],
    "exploit": ["--rival", "--evaluations", "--deals"],
    "robust": ["--strategy", "--field", "--draws", "--tolerance", "--deals"],
}
WORDS = st.one_of(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["random", "baseline", "random,baseline", "random:", ":", ",", "=", "rounds=3", "rounds=", "rounds[1]=2", "copies=1,2",
                     "copies[wine]=3", "nan", "1e9", ".py", "x.py:", "./", "-", "--", "--json", "--help"]),
)  # fmt: skip


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    command = draw(st.sampled_from(sorted(OPTIONS)))
    argv = [command, draw(st.one_of(st.just(GAME), st.just(GAME), WORDS))]
    for option in draw(st.lists(st.sampled_from(OPTIONS[command] or ["--json"]), max_size=3)):
        argv += [option, draw(WORDS)]
    return argv


@pytest.fixture
def _nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def stub(*_: Any, **__: Any) -> None:
        raise AssayError("stub")

    for module, name in (
        (analyses.run, "play_plan"),
        (analyses.comparison, "play_plan"),
        (analyses.play, "play_transcript"),
        (analyses.survey, "survey"),
    ):
        monkeypatch.setattr(module, name, stub)
    for name in QUESTIONS:
        module = importlib.import_module(f"analyses.{'metagame' if name == 'meta' else name}")
        monkeypatch.setattr(module, "play_steps", stub)
    monkeypatch.setattr("analyses.tune.Search.play", stub)


@pytest.mark.usefixtures("_nothing_is_played")
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(argv=command_lines())
def test_no_text_leads_to_a_traceback(capsys, argv):
    try:
        code = main(argv)
    except SystemExit as done:  # --help
        code = done.code
    out, complaint = capsys.readouterr()
    assert code in (0, 2)
    assert (complaint == "") == (code == 0)
    if code == 2:
        assert out == ""
        assert complaint.startswith("assay: ")
        assert len(complaint.splitlines()) == 1
