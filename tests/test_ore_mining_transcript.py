"""Ore: The Mining Game's words leave out nothing that its events hold."""

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

GAME = find_game("ore_mining")
VARIANTS = (
    (4, "random", ()),
    (4, "baseline", ("seat_money=60,60,60,60,60", "drill_bits=1")),
    (2, "random", ("rounds=3",)),
    (3, "builder", ()),
    (5, "contractor", ("contract_copies=" + ",".join(["1"] * 12 + ["0"] * 18),)),
)
GAMES = 15
TRIED_PER_KIND = 3
IMPLIED = {("final", "win_share"): "who wins"}
OTHERS = {  # another value where adding one makes none
    "space": ("permit_office", "recruit"),
    "used": ("permit_office", "recruit"),
    "by": ("bottom", "cage"),
    "level": ("II", "III"),
}
NAMES = {"mine": ("lead1", "gold5"), "contract": ("C01", "C30"), "building": ("B01", "B20"), "ore": ("lead", "gold")}


@cache
def played(number: int) -> dict[str, Any]:
    seats, strategy, changes = VARIANTS[number % len(VARIANTS)]
    table = [strategies.load_once("ore_mining", strategy)] * seats
    return play_transcript(GAME, GAME.rules.parse(changes), table, 5, number)


def eventful() -> Iterator[dict[str, Any]]:
    """Games until every kind of event has come up."""
    seen: set[str] = set()
    for number in range(GAMES):
        yield played(number)
        seen |= {event["kind"] for event in played(number)["events"]}
        if seen == set(GAME.events):
            return
    pytest.fail(f"{GAMES} games without {set(GAME.events) - seen}")


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
                if tried[key] >= TRIED_PER_KIND or key in IMPLIED or (key == ("final", "rank") and value == 1):
                    continue  # somebody has to win
                tried[key] += 1
                kind = dict(GAME.events[event["kind"]])[field]
                changed = copy.copy(document)
                changed["events"] = list(document["events"])
                changed["events"][at] = {**event, "data": {**event["data"], field: other(kind, field, value)}}
                assert GAME.wording(changed) != whole, key
    assert set(tried) == {(k, f) for k, fields in GAME.events.items() for f, _ in fields} - set(IMPLIED)


def other(kind: str, field: str, value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, dict):
        return {**value, "gold": 7}
    if isinstance(value, str):
        first, second = OTHERS.get(field) or NAMES[kind]
        return second if value == first else first
    if field == "taken":
        return 1 - value
    return (value or 0) + 1


def test_the_end_is_told() -> None:
    text = GAME.wording(played(0))
    final = [event for event in played(0)["events"] if event["kind"] == "final"]
    winners = [event["seat"] for event in final if event["data"]["rank"] == 1]
    assert f"Seat {winners[0]} wins with " in text or "share the win" in text


def test_a_shared_win_is_told() -> None:
    document = copy.deepcopy(played(0))
    best = next(e["data"] for e in document["events"] if e["kind"] == "final" and e["data"]["rank"] == 1)
    rival = next(e["data"] for e in document["events"] if e["kind"] == "final" and e["data"]["rank"] == 2)
    rival.update({**best, "win_share": 0.5})
    best["win_share"] = 0.5
    assert "share the win" in GAME.wording(document)


def test_a_tie_broken_is_told() -> None:
    document = copy.deepcopy(played(0))
    best = next(e["data"] for e in document["events"] if e["kind"] == "final" and e["data"]["rank"] == 1)
    rival = next(e["data"] for e in document["events"] if e["kind"] == "final" and e["data"]["rank"] == 2)
    rival.update({"points": best["points"], "ore_left": best["ore_left"], "money": best["money"] - 1})
    assert "broken by more money" in GAME.wording(document)


def test_a_game_that_broke_off_says_so() -> None:
    document = {**played(0), "outcome": None, "events": played(0)["events"][:50]}
    assert GAME.wording(document).endswith("The game breaks off here.\n")


def test_wherever_a_game_breaks_off_it_is_told() -> None:
    for n_events in range(0, len(played(2)["events"]), 7):
        assert GAME.wording({**played(2), "outcome": None, "events": played(2)["events"][:n_events]})
