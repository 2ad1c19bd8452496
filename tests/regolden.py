"""Writes the golden transcripts and totals anew; run `python -m tests.regolden` in the root.

Only after a change that is meant to change results or words; look at the difference before committing it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

import strategies
import tests.toy  # noqa: F401  the toy game has golden files too
from simcore.batch import play_batch
from simcore.game import GAMES, SCORE, WIN, find_game
from simcore.transcript import play_transcript

FOLDER = Path(__file__).parent / "golden"
STRATEGY, SEED, DEAL = "random", 7, 3
SEATS = {"ostia": 4, "ore_city": 3, "ore_mining": 3, "coin_race": 3}
DEALS = (20, 2_000)  # the few are for un-jitted runs
CHANGES = {
    "ostia": ("advanced_discard=1", "advanced_price=1", "advanced_start=1"),
    "ore_city": ("win_points=4",),
    "ore_mining": ("rounds=5", "start_ore=4"),
    "coin_race": ("rounds=4",),
}


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


def count_totals(name: str, seats: int, deals: int) -> dict[str, Any]:
    """Exact totals of a game's first deals: wins and scores by seat, and a checksum of every tally."""
    game = find_game(name)
    rules = game.rules.defaults()
    table = [strategies.load_once(name, STRATEGY)] * seats
    batch = play_batch(game, rules, game.fill_rules(rules, seats), table, SEED, 0, deals)
    sums = batch.outcomes.astype(np.int64).sum(axis=(0, 1))
    counts = {tally.name: np.ascontiguousarray(batch.tallies[tally.name], "<i8").tobytes() for tally in game.tallies}
    return {
        "wins": sums[:, WIN].tolist(),
        "scores": sums[:, SCORE].tolist(),
        "tallies": {tally: hashlib.sha256(data).hexdigest() for tally, data in counts.items()},
    }


def totals_file(name: str) -> Path:
    """Where a game's golden totals are kept."""
    return FOLDER / f"{name}_totals.json"


def golden_totals(name: str) -> str:
    """What the file of a game's golden totals should hold."""
    game = find_game(name)
    totals = {str(deals): {str(seats): count_totals(name, seats, deals) for seats in game.seats} for deals in DEALS}
    return json.dumps({"version": game.version, "totals": totals}, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in GAMES:
        for path, content in {**golden_files(game_name), totals_file(game_name): golden_totals(game_name)}.items():
            path.write_text(content, encoding="utf-8")
            print(f"wrote {path.name}, {len(content.splitlines())} lines")
