"""Rules for experiments, in every game: what a seat is sure to get at the start, what it may not do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore.batch import play_batch
from simcore.game import GAMES, WIN, Game, find_game
from simcore.kernel import IS_JITTED
from simcore.transcript import play_transcript

SEATS = 4
DEALS = 12 if IS_JITTED else 1
KNOWN_EXACTLY = {"coin_race"}  # what its experiments must find is in test_worth
OPENING = {"ostia": "start_card", "ore_city": "dealt", "ore_mining": "building_drawn"}
SHORT = {"ostia": (), "ore_city": ("turn_limit_per_seat=60",), "ore_mining": ()}
Event = dict[str, Any]


def of_kind(events: list[Event], kind: str) -> Iterator[dict[str, Any]]:
    return (event["data"] for event in events if event["kind"] == kind)


def next_door(events: list[Event]) -> bool:
    return any(e["data"]["space"] != e["seat"] for e in events if e["kind"] == "constructed")


def accomplished(name: str) -> Callable[[list[Event]], bool]:
    return lambda events: any(data["name"] == name for data in of_kind(events, "accomplished"))


def used(*spaces: str) -> Callable[[list[Event]], bool]:
    return lambda events: any({data["space"], data["used"]} & set(spaces) for data in of_kind(events, "placed"))


def reacted(events: list[Event]) -> bool:
    """Whether a seat bought, sold or drew cards on another's turn: not right after it placed a worker itself."""
    before = ""
    for event in events:
        is_own = before == "placed"
        if event["kind"] in ("bought", "sold") and event["phase"] == "tasking" and not is_own:
            return True
        if event["kind"] == "permits" and event["data"]["cards"] > 0 and not is_own:
            return True
        before = event["kind"]
    return False


# whether a seat's events show that it took the option
TAKEN: dict[str, dict[str, Callable[[list[Event]], bool]]] = {
    "ostia": {
        "bidding": lambda events: any(data["amount"] > 0 for data in of_kind(events, "bid")),
        "bidding above the minimum": lambda events: any(data["amount"] > 25 for data in of_kind(events, "bid")),
        "keeping its own lots": lambda events: any(of_kind(events, "own_lot")),
        "selling at the Forum": lambda events: any(data["forum"] for data in of_kind(events, "assigned")),
        "giving to the Senate": lambda events: any(data["senate"] for data in of_kind(events, "assigned")),
    },
    "ore_city": {
        "constructing next door": next_door,
        "constructing several cards at once": lambda events: any(
            d["count"] > 1 for d in of_kind(events, "constructed")
        ),
        "exchanging": lambda events: any(e["kind"] == "laid" for e in events),
        "flushing": lambda events: any(e["kind"] == "flushed_hand" for e in events),
        **{
            f"accomplishing {work}": accomplished(work)
            for work in ("city_hall", "hospital", "university", "airport", "police_station")
        },
    },
    "ore_mining": {
        "buying the Mine Cage": used("mine_cage"),
        "taking drill bits": used("drill_bit"),
        "going into the mines": used("lead_mine", "coal_mine", "copper_mine", "iron_mine", "gold_mine"),
        "opening a private mine": used("private_mine"),
        "taking face-up contracts": used(*(f"contract_{slot}" for slot in range(1, 6))),
        "looking through the contract deck": used("contract_deck"),
        "going to the Commodity Market": used("commodity_market"),
        "going to the Permit Office": used("permit_office"),
        "recruiting": used("recruit"),
        "Advanced Orders": used("advanced_orders"),
        "Overtime": used("overtime"),
        "building": lambda events: any(of_kind(events, "built")),
        "trading and drawing on others' turns": reacted,
    },
}

KNOWING = {
    "ostia": {"knowing the next Senate card"},
    "ore_city": set[str](),
    "ore_mining": set[str](),
}  # nothing that a seat does


@cache
def transcript(game_name: str, name: str, deal: int, changes: tuple[str, ...] = ()) -> dict[str, Any]:
    game = find_game(game_name)
    table = [strategies.load_once(game_name, name)] * SEATS
    return play_transcript(game, game.rules.parse([*SHORT[game_name], *changes]), table, 5, deal)


def at_seat(document: dict[str, Any], seat: int) -> list[Event]:
    return [event for event in document["events"] if event["seat"] == seat]


def opening(document: dict[str, Any]) -> dict[int, Counter[str]]:
    """The cards that each seat is dealt."""
    kind = OPENING[document["game"]]
    found: dict[int, Counter[str]] = {}
    for event in document["events"]:
        if event["kind"] == kind and event["phase"] == "setup" and "name" in event["data"]:  # card by card
            found.setdefault(event["seat"], Counter())[event["data"]["name"]] += 1
        elif event["kind"] == kind and event["seat"] not in found:
            found[event["seat"]] = Counter(event["data"]["cards"])
    return found


def test_every_game_is_covered() -> None:
    assert set(OPENING) == set(TAKEN) == set(SHORT) == set(GAMES) - KNOWN_EXACTLY
    for name in OPENING:
        assert set(TAKEN[name]) | KNOWING[name] == set(find_game(name).barred)
        assert not set(TAKEN[name]) & KNOWING[name]


@pytest.mark.parametrize("name", OPENING)
def test_a_seat_gets_the_card_and_little_else_changes(name: str) -> None:
    game = find_game(name)
    n_moved = 0
    for deal, (card, change) in enumerate(game.forced.items()):
        seat = deal % SEATS + 1
        usual = opening(transcript(name, "random", deal))
        forced = opening(transcript(name, "random", deal, (change.format(seat=seat),)))
        assert forced[seat][card] >= 1
        gone = sum(((usual[p] - forced[p]).total() for p in usual), 0)
        assert gone <= 2  # the card of this seat, and that of another who would have had the one it gets
        n_moved += gone
        assert all((forced[p] == usual[p]) or p >= seat for p in usual)
    assert n_moved > 0


@pytest.mark.parametrize("name", OPENING)
def test_a_seat_does_not_take_what_it_is_barred_from_and_others_do(name: str) -> None:
    game = find_game(name)
    for option, taken in TAKEN[name].items():
        change = game.barred[option]
        played = [transcript(name, "random", deal, (change.format(seat=2),)) for deal in range(DEALS)]
        assert not any(taken(at_seat(document, 2)) for document in played), option
        if IS_JITTED:
            others = [taken(at_seat(document, seat)) for document in played for seat in (1, 3, 4)]
            assert any(others) or option.startswith("accomplishing"), option


PROPHET = '''"""Bids the minimum just when it sees what the next Senate card is worth."""


def bid(v, r):
    seen = 0
    for kind in range(6):
        seen += v.public.senate_next[kind]
    return v.public.minimum if seen > 0 and v.public.minimum <= v.can_pay else 0
'''


def test_a_seat_that_may_not_know_the_next_senate_card_sees_none(tmp_path: Any) -> None:
    """It bids never, where otherwise it bids in every round but the last, in which there is no next card."""
    path = tmp_path / "prophet.py"
    path.write_text(PROPHET, encoding="utf-8")
    game = find_game("ostia")
    table = [strategies.load_once("ostia", str(path))] * SEATS
    change = game.barred["knowing the next Senate card"].format(seat=2)
    for deal in range(DEALS):
        document = play_transcript(game, game.rules.parse([change]), table, 5, deal)
        bids: dict[int, set[int]] = {seat: set() for seat in range(1, SEATS + 1)}
        for event in document["events"]:
            if event["kind"] == "bid" and event["data"]["amount"] > 0:
                bids[event["seat"]].add(event["round"])
        last = max(event["round"] or 0 for event in document["events"])
        assert not bids[2]
        assert all(bids[seat] and last not in bids[seat] for seat in (1, 3, 4))


@pytest.mark.parametrize("name", OPENING)
def test_the_bids_of_a_seat_barred_from_overbidding_are_minimums(name: str) -> None:
    if name != "ostia":
        assert "bidding above the minimum" not in find_game(name).barred
        return
    change = find_game(name).barred["bidding above the minimum"].format(seat=2)
    n_bids = 0
    for deal in range(DEALS):
        minimum = 0
        for event in transcript(name, "baseline", deal, (change,))["events"]:
            if event["kind"] == "offered":
                minimum = max(event["data"]["minimum"], 1)
            if event["kind"] == "bid" and event["seat"] == 2:
                assert event["data"]["amount"] in (0, minimum)
                n_bids += event["data"]["amount"] > 0
    assert n_bids > 0


@pytest.mark.parametrize("name", OPENING)
def test_what_was_held_is_counted_with_its_wins(name: str) -> None:
    """Of one game the tally can be told from the transcript: every card that came into a hand, or from an auction."""
    game = find_game(name)
    table = [strategies.load_once(name, "random")] * SEATS
    rules = game.rules.parse(SHORT[name])
    for deal in range(DEALS):
        batch = play_batch(game, rules, game.fill_rules(rules, SEATS), table, 5, deal, 1)
        wins = batch.outcomes[0, 0, :, WIN]
        expected = np.zeros(game.tally("held").shape, np.int64)
        items = game.tally("held").axes[0].labels
        for seat, held in holdings(game, transcript(name, "random", deal)).items():
            for item in held:
                expected[items.index(item)] += (1, wins[seat - 1])
        assert batch.tallies["held"][0].tolist() == expected.tolist()


def holdings(game: Game, document: dict[str, Any]) -> dict[int, set[str]]:
    """What each seat had in hand at any time, or got at an auction."""
    held: dict[int, set[str]] = {seat: set() for seat in range(1, SEATS + 1)}
    lot: dict[str, int] = {}
    for event in document["events"]:
        seat, kind, data = event["seat"], event["kind"], event["data"]
        if game.name == "ostia":
            if kind == "offered":
                lot = data["cards"]
            elif kind == "sold":
                held[data["buyer"]] |= set(lot)
            elif kind in ("own_lot", "forced"):
                held[seat] |= set(lot)
        elif game.name == "ore_mining":
            if kind in ("building_drawn", "contract_taken", "contract_kept"):
                held[seat].add(data["name"])
        elif kind in ("dealt", "extra_drawn", "taken"):
            held[seat] |= set(data["cards"])
        elif kind in ("drawn", "stolen"):
            held[seat] |= {data["name"]} - {None}
    return held
