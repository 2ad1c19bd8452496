"""The page that compares reports: made for every game, its numbers those of the data beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reports.cli import main
from reports.index import COMPARED
from simcore.game import GAMES, find_game

NAME = "coin_race"
CELL = re.compile(r'<td class="number" data-row="(\d+)" data-column="(\w+)" data-value="([^"]*)">')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports of all games, which are one here."""
    package = GAMES[NAME]
    for name in list(GAMES):
        monkeypatch.delitem(GAMES, name)
    monkeypatch.setitem(GAMES, NAME, package)
    return tmp_path / "all"


def test_reports_of_all_games_and_a_page_that_compares_them(folder: Path, capsys: Any):
    assert main(["report", "all", "--deals", "640", "--seats", "3", "--out", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["page"] == str(folder / "index.html")
    assert told["pages"] == {NAME: str(folder / NAME / "index.html")}
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert f'<a href="{NAME}/index.html">{find_game(NAME).title}</a>' in page
    assert (folder / NAME / "index.html").exists()
    assert "assay report all --seats 3 --deals 640 --seed 1" in page
    rows = pd.read_parquet(folder / "data" / "games.parquet")
    assert set(rows["figure"]) == {one.head for one in COMPARED}
    cells = CELL.findall(page)
    assert len(cells) == len(rows)
    for row, column, value in cells:
        assert float(rows.loc[int(row), column]) == float(value)
    assert rows["games"].iloc[0] == told["games"]
    assert (rows["low"] <= rows["estimate"]).all()
    assert (rows["estimate"] <= rows["high"]).all()
    seats = pd.read_parquet(folder / NAME / "data" / "seats.parquet")
    mine = seats[(seats["table"] == "baseline") & (seats["measure"] == "win_share")]
    farthest = (mine["estimate"] - 1 / 3).abs().max()
    assert rows.set_index("figure").loc["farthest seat", "estimate"] == pytest.approx(farthest)


@pytest.mark.parametrize("option", [["--set", "rounds=2"], ["--strategies", "random"], ["--rules", "mine.toml"]])
def test_what_belongs_to_one_game_is_refused(option: list[str], capsys: Any):
    assert main(["report", "all", *option]) == 2
    assert f"'{option[0]}' belongs to one game: name it instead of 'all'" in capsys.readouterr().err
