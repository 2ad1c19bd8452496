"""Ore City's words leave out nothing that its events hold."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import strategies
from simcore.game import find_game
from simcore.transcript import play_transcript

GAME = find_game("ore_city")
VARIANTS = (
    (2, ()),
    (3, ("factory_limit=0", "cost=0,0,0,0,0,0,0,0,0,0,0,0,4,6,2,1,1")),
    (6, ("turn_limit_per_seat=9",)),
)
TRIED_PER_KIND = 3
IMPLIED = {("end", "finished"): "whether it was won", ("final", "win_share"): "who wins"}


@cache
def played(number: int) -> dict[str, Any]:
    seats, changes = VARIANTS[number % len(VARIANTS)]
    table = [strategies.load_once("ore_city", "random")] * seats
    return play_transcript(GAME, GAME.rules.parse(changes), table, 5, number)


def eventful() -> Iterator[dict[str, Any]]:
    """Games until every kind of event has come up."""
    seen: set[str] = set()
    for number in range(12):
        yield played(number)
        seen |= {event["kind"] for event in played(number)["events"]}
        if seen == set(GAME.events):
            return
    pytest.fail(f"12 games without {set(GAME.events) - seen}")


def test_lines_are_short_and_end() -> None:
    for document in eventful():
        text = GAME.wording(document)
        assert text.endswith("\n")
        assert max(map(len, text.split("\n"))) <= 100


def test_every_number_and_card_is_told() -> None:
    tried: Counter[tuple[str, str]] = Counter()
    for document in eventful():
        whole = GAME.wording(document)
        for at, event in enumerate(document["events"]):
            for field, value in event["data"].items():
                key = (event["kind"], field)
                if tried[key] >= TRIED_PER_KIND or key in IMPLIED:
                    continue
                tried[key] += 1
                changed = copy.copy(document)
                changed["events"] = list(document["events"])
                changed["events"][at] = {**event, "data": {**event["data"], field: other(field, value)}}
                assert GAME.wording(changed) != whole, key
    assert set(tried) == {(k, f) for k, fields in GAME.events.items() for f, _ in fields} - set(IMPLIED)


def other(field: str, value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, dict):
        return {**value, "airport": 7}
    if field == "name":
        return "park" if value != "park" else "single_house"
    if field == "pile":
        return "industrial" if value != "industrial" else "commercial"
    if field == "place":
        return 3 - value
    return (value or 0) + 1


def test_the_end_is_told() -> None:
    won, stopped = GAME.wording(played(0)), GAME.wording(played(2))
    assert ": wins." in won
    assert "broken off by the turn limit: nobody wins" in stopped
    assert ": wins." not in stopped


def test_a_game_that_broke_off_says_so() -> None:
    document = {**played(0), "outcome": None, "events": played(0)["events"][:50]}
    assert GAME.wording(document).endswith("The game breaks off here.\n")
