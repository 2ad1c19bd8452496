"""What there is: games, strategies, rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import strategies as shipped
from simcore.game import GAMES, find_game

Rows = list[dict[str, Any]]


def games() -> Rows:
    """A row a game: `name`, `title`, `seats`."""
    found = [find_game(name) for name in GAMES]
    return [{"name": game.name, "title": game.title, "seats": list(game.seats)} for game in found]


def strategies(game: str) -> Rows:
    """A row a strategy: `name`, `plan`, `about`, `parameters` (name, default, low, high, about)."""
    chosen = find_game(game)
    rows = []
    for name in shipped.names(chosen):
        about, weights = shipped.describe(chosen, name)
        plan = " ".join(about.split("\n\n")[0].split())
        rows.append({"name": name, "plan": plan, "about": about, "parameters": [asdict(weight) for weight in weights]})
    return rows


def rules(game: str, changes: Sequence[str] = (), file: str | Path | None = None) -> Rows:
    """A row a rule: `name`, `about`, `default`, `value`, `unit`, `low`, `high`, `per`, `provenance`."""
    chosen = find_game(game)
    values = chosen.rules.parse(changes, file)
    return [
        {
            "name": rule.name,
            "about": rule.about,
            "default": rule.default.tolist(),
            "value": values.values[rule.name].tolist(),
            "unit": rule.unit,
            "low": rule.low,
            "high": rule.high,
            "per": {axis: list(chosen.rules.labels[axis]) for axis in rule.axes},
            "provenance": rule.provenance.tolist()
            if len(set(rule.provenance.ravel().tolist())) > 1
            else rule.provenances,
        }
        for rule in chosen.rules.rules.values()
    ]
