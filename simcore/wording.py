"""What the transcripts of all games share: their title, lists, and lines of bearable width."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from simcore.game import Game

WIDTH = 100
INDENT = "  "
HELD = re.compile(r"(?<=[Ss]eat) (?=\d)|(?<=\d) (?=[a-z])")  # `seat 2` and `3 wine` stay on one line


def title(game: Game, document: Mapping[str, Any]) -> list[str]:
    """What was played, by whom, under which rules."""
    seats = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(document["strategies"], 1))
    shipped = game.rules.defaults().as_dict()
    changes = [f"{n} = {plain(v)}" for n, v in document["rules"].items() if v != shipped.get(n)]
    head = f"{game.title} for {document['seats']} players, seed {document['seed']}, deal {document['deal']}"
    return [
        *wrap(head, WIDTH),
        *wrap(f"Strategies: {seats}", WIDTH, subsequent_indent=INDENT),
        *wrap(f"Changed rules: {'; '.join(changes) or 'none'}", WIDTH, subsequent_indent=INDENT),
    ]


def plain(value: Any) -> str:
    """A rule's value: a number, a list, or rows of a table."""
    if not isinstance(value, list):
        return str(value)
    return (" / " if isinstance(value[0], list) else ", ").join(map(plain, value))


def wrapped(text: str) -> list[str]:
    """A paragraph broken at the page's width; a table's line, begun with `|`, stays as it is."""
    if text.startswith("|"):
        return [(INDENT + text[1:]).rstrip()]
    lines = wrap(HELD.sub("\u00a0", text), WIDTH, initial_indent=INDENT, subsequent_indent=2 * INDENT)
    return [line.replace("\u00a0", " ") for line in lines]


def count(n: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
