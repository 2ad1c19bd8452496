"""Every command and snippet of the README runs as it stands there, in order."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reports import cli

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)(?: title=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str, str]]:
    """Language, file name or "", and text of every block of code."""
    return BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def test_every_block_is_understood() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(blocks())
    assert {language for language, _, _ in blocks()} == {"sh", "python", "toml"}


def test_the_tour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Files are written, snippets executed, commands given; only the full report is made smaller."""
    monkeypatch.chdir(tmp_path)
    n_commands = 0
    for language, name, text in blocks():
        if name:
            Path(name).write_text(text, encoding="utf-8")
        elif language == "python":
            exec(compile(text, "README.md", "exec"), {"__name__": "readme"})
            assert capsys.readouterr().out.strip()
        else:
            for line in text.splitlines():
                n_commands += run_line(line, capsys)
    assert n_commands >= 15
    assert (tmp_path / "results/first/by_seat.parquet").exists()
    assert (tmp_path / "report/ostia/index.html").exists()


def run_line(line: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Give one command; `make` is asked what it would do."""
    words = shlex.split(line)
    if words[0] == "make":
        if shutil.which("make"):
            command = ["make", "-n", "-C", str(ROOT), "VENV=fresh", words[1]]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            assert "-m venv fresh" in told
            assert {"report": "assay report ostia", "test": "-m pytest"}[words[1]] in told
        return 0
    assert words[0] == "assay"
    small = ["--deals", "64", "--seats", "4", "--strategies", "baseline,random"] if words[1] == "report" else []
    assert cli.main([*words[1:], *small]) == 0, line
    printed = capsys.readouterr()
    assert printed.out.strip(), line
    assert not printed.err, printed.err
    return 1


def test_commands_are_installed() -> None:
    """The entry point of the distribution is the command line's `main`."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'assay = "reports.cli:main"' in text
    assert subprocess.run([sys.executable, "-m", "reports.cli", "--version"], cwd=ROOT, check=False).returncode == 0
