"""Writes the golden transcripts anew, in words and as JSON; run `python -m tests.regolden` in the root.

Only after a change that is meant to change results or words; look at the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import strategies
from simcore.game import GAMES, find_game
from simcore.transcript import play_transcript

FOLDER = Path(__file__).parent / "golden"
STRATEGY, SEED, DEAL = "random", 7, 3
SEATS = {"ostia": 4}
CHANGES = {"ostia": ("advanced_discard=1", "advanced_price=1", "advanced_start=1")}


def play_golden(name: str) -> dict[str, Any]:
    """The document of a game's golden transcript."""
    game = find_game(name)
    table = [strategies.load(game, STRATEGY)] * SEATS[name]
    return play_transcript(game, game.rules.parse(CHANGES[name]), table, SEED, DEAL)


def in_json(document: dict[str, Any]) -> str:
    """The document with its keys sorted, an event a line."""
    parts = []
    for key, value in sorted(document.items()):
        text = json.dumps(value, sort_keys=True)
        if key == "events":
            text = "[\n" + ",\n".join(json.dumps(event, sort_keys=True) for event in value) + "\n]"
        parts.append(f'"{key}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def golden_files(name: str) -> dict[Path, str]:
    """What each golden file of a game should hold."""
    document = play_golden(name)
    return {
        FOLDER / f"{name}.json": in_json(document),
        FOLDER / f"{name}.txt": find_game(name).wording(document),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in GAMES:
        for path, content in golden_files(game_name).items():
            path.write_text(content, encoding="utf-8")
            print(f"wrote {path.name}, {len(content.splitlines())} lines")
