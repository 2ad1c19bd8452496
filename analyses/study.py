"""A study as a file: what a command line would say, in TOML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simcore.errors import AssayError, unknown
from simcore.game import find_game
from simcore.rules import read_toml

QUESTIONS = ("run", "compare")
KEYS = ("game", "question", "seats", "strategies", "deals", "seed", "rules", "jobs", "backend", "out", "json")
DEFAULT_DEALS = {"run": 20_000, "compare": 1_000}


def read_study(file: str | Path) -> dict[str, Any]:
    """The settings of a study, complete and of the right types.

    Strategy files are not taken from a study: a file that is merely read must not run code. They are named on the
    command line.

    Raises
    ------
    AssayError
        For unknown keys and wrong types, naming the key.
    """
    data = read_toml(file)
    for key in data:
        if key not in KEYS:
            raise unknown(f"key in '{file}'", key, KEYS)
    question = _text(data, "question", "run", file)
    if question not in QUESTIONS:
        raise unknown(f"question in '{file}'", question, QUESTIONS)
    if "game" not in data:
        raise AssayError(f"'{file}' names no game: add game = \"ostia\"")
    game = find_game(_text(data, "game", "", file))
    return {
        "question": question,
        "game": game.name,
        "seats": _whole(data, "seats", 4, file),
        "strategies": _names(data, file),
        "deals": _whole(data, "deals", DEFAULT_DEALS[question], file),
        "seed": _whole(data, "seed", 1, file),
        "changes": _changes(data, file),
        "rules": None,
        "jobs": _whole(data, "jobs", 0, file),
        "backend": _text(data, "backend", "threading", file),
        "out": _text(data, "out", "", file) or None,
        "json": _switch(data, "json", file),
    }


def _whole(data: Mapping[str, Any], key: str, default: int, file: str | Path) -> int:
    value = data.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise AssayError(f"'{key}' in '{file}' must be a whole number, not {value!r}")
    return value


def _switch(data: Mapping[str, Any], key: str, file: str | Path) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise AssayError(f"'{key}' in '{file}' must be true or false, not {value!r}")
    return value


def _text(data: Mapping[str, Any], key: str, default: str, file: str | Path) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise AssayError(f"'{key}' in '{file}' must be text, not {value!r}")
    return value


def _names(data: Mapping[str, Any], file: str | Path) -> str:
    given = data.get("strategies", ["baseline"])
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise AssayError(f"'strategies' in '{file}' must be a name or a list of names")
    for name in names:
        if "/" in name or "\\" in name or ".py" in name:
            raise AssayError(
                f"'{file}' names the strategy file '{name}': a study names shipped strategies only; use --strategies"
            )
    return ",".join(names)


def _changes(data: Mapping[str, Any], file: str | Path) -> list[str]:
    rules = data.get("rules", {})
    if not isinstance(rules, Mapping):
        raise AssayError(f"'rules' in '{file}' must be a table of name = value lines")
    return [f"{name}={_value(value)}" for name, value in rules.items()]


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_value(item) for item in value)
    return str(int(value)) if isinstance(value, bool) else str(value)
