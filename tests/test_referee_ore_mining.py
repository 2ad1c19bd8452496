"""Tests of the Ore: The Mining Game referee: it accepts legal games, and fouls every kind of tampering with them."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import joblib
import numpy as np
import pytest
from referee import ore_mining
from referee.ore_mining import Foul, check

import strategies
from simcore.game import find_game
from simcore.transcript import play_transcript

NAMES = ("random", "baseline")
REFEREED, VERY_MANY = 3_000, 100_000
ONE_EACH = "mine_copies=" + ",".join(["1", "0", "0", "0", "0", "0"] * 5)
# Rules that bring about what is rare, or refereed by numbers of their own.
VARIANTS: tuple[tuple[str, ...], ...] = (
    (),
    ("start_ore=12", "seat_money=60", "start_buildings=6"),
    ("rounds=3", "recall_miners=1", "pay_scale=115", "building_scale=85"),
    ("last_round_open=0", "market_shift=2", "two_player=0", "rounds=5"),
    ("start_ore=9", "gain_row[B01]=2", "gain_contract[B02]=2", "gain_look[B03]=3", "gain_any[B04]=1"),
    ("contract_copies=" + ",".join(["1"] * 10 + ["0"] * 20), "start_ore=9", "start_workers=7"),
    (ONE_EACH, "seat_money=60", "drill_bits=2", "market_floor=3", "market_shift=-4"),
    ("barred[1,mines]=1", "barred[2,building]=1", "barred[1,reacting]=1", "start_building=3,4,9,16,20", "start_ore=9"),
    ("barred[1,contracts]=1", "barred[2,overtime]=1", "barred[2,permit_office]=1", "recruit_price=5,4,3,2,1"),
    ("building_copies=" + ",".join(["1"] * 20), "advanced_draw=3", "start_buildings=3", "contracts_shown=1"),
)
RICH, FEW, POOR = VARIANTS[1], VARIANTS[5], VARIANTS[6]
Document = dict[str, Any]
Tampering = Callable[[Document], object]


@cache
def played(seats: int, name: str = "baseline", changes: tuple[str, ...] = (), deal: int = 0) -> Document:
    """Return a transcript of the engine; it is shared, so it must be copied before it is changed."""
    game = find_game("ore_mining")
    table = [strategies.load_once("ore_mining", name)] * seats
    return play_transcript(game, game.rules.parse(list(changes)), table, 31, deal)


def refereed(first: int, count: int) -> Counter[str]:
    """Have games of all kinds checked; count their events."""
    game, seen = find_game("ore_mining"), Counter[str]()
    for number in range(first, first + count):
        chance = np.random.default_rng(number)
        seats, changes = 2 + number % 4, VARIANTS[number // 4 % len(VARIANTS)]
        table = [strategies.load_once("ore_mining", NAMES[at]) for at in chance.integers(0, len(NAMES), seats)]
        document = play_transcript(game, game.rules.parse(list(changes)), table, 32, number)
        try:
            check(document)
        except Foul as foul:
            raise AssertionError(f"deal {number}, {[s.name for s in table]}, {changes}: {foul}") from foul
        seen.update(event["kind"] for event in document["events"])
    return seen


# --- A game written by hand ---------------------------------------------------------------------------------


class Pen:
    """Writes a game of three down event by event; every number is given by hand."""

    def __init__(self, **changes: Any) -> None:
        self.rules = copy.deepcopy(played(3)["rules"]) | changes
        self.events: list[dict[str, Any]] = []
        self.round, self.phase = 0, "setup"

    def say(self, kind: str, seat: int | None, **data: Any) -> None:
        self.events.append({"round": self.round, "phase": self.phase, "kind": kind, "seat": seat, "data": data})

    def place(self, seat: int, space: str, used: str = "", box: int = 0, paid: int = 0) -> None:
        self.say("placed", seat, space=space, used=used or space, box=box, bits=int(box > 1), paid=paid)

    def permit(self, seat: int, paid: int, *names: str) -> None:
        self.say("permits", seat, cards=len(names), paid=paid)
        for name in names:
            self.say("building_drawn", seat, name=name)

    def order(self, seat: int, name: str) -> None:
        self.say("marker_taken", seat)
        self.say("building_drawn", seat, name=name)


def ore(*cubes: int) -> dict[str, int]:
    return {name: n for name, n in zip(ore_mining.ORES, cubes, strict=True) if n}


def hand_game() -> Document:
    """Recruits at 20, then 18; a cage raised twice; permits; the marker moves twice by Overtime and stays."""
    pen = Pen(rounds=2, seat_money=[60] * 5, start_workers=[3] * 4, start_buildings=0, mine_copies=[1, *[0] * 5] * 5)
    for seat in (1, 2, 3):
        pen.say("seat_ready", seat, money=60, workers=3, ore=ore(1, 1, 1, 1, 1))
    for name in ("lead1", "coal1", "copper1", "iron1", "gold1"):
        pen.say("mine_opened", None, name=name)
    for slot, name in enumerate(("C01", "C02", "C03", "C04"), 1):
        pen.say("contract_shown", None, slot=slot, name=name)
    pen.say("first_player", 1)
    pen.round, pen.phase = 1, "tasking"
    pen.place(1, "recruit", paid=20)
    pen.say("recruited", 1, number=1)
    pen.place(2, "overtime", "recruit", paid=18)
    pen.say("recruited", 2, number=2)
    pen.place(3, "mine_cage", paid=10)
    pen.say("cage_raised", 3, level="II")
    pen.place(1, "advanced_orders")
    pen.order(1, "B01")
    pen.place(2, "permit_office")
    pen.permit(2, 4, "B02", "B03")
    pen.permit(3, 7, "B04", "B05")
    pen.permit(1, 0)
    pen.place(3, "gold_mine", box=1)
    pen.place(1, "lead_mine", box=1)
    pen.place(2, "drill_bit")
    pen.say("bits_gained", 2, bits=1, money=3)
    pen.place(3, "coal_mine", box=1)
    pen.phase = "collection"
    for seat, name, cubes in ((1, "lead1", 2), (3, "coal1", 1), (3, "gold1", 1)):
        pen.say("dug", seat, name=name, box=1, cubes=cubes)
    for name in ("lead1", "coal1", "gold1"):
        pen.say("advanced", None, name=name)
    pen.phase = "round_end"
    pen.say("marker", 1, taken=1)
    for seat, workers in ((1, 3), (2, 4), (3, 1)):
        pen.say("recalled", seat, workers=workers)
    pen.say("standing", 1, points=4, money=40, ore=ore(3, 1, 1, 1, 1))
    pen.say("standing", 2, points=4, money=41, ore=ore(1, 1, 1, 1, 1))
    pen.say("standing", 3, points=5, money=43, ore=ore(1, 2, 1, 1, 2))
    pen.round, pen.phase = 2, "tasking"
    pen.place(1, "advanced_orders")
    pen.order(1, "B06")
    pen.place(2, "overtime", "advanced_orders")
    pen.order(2, "B07")
    pen.place(3, "mine_cage", paid=10)
    pen.say("cage_raised", 3, level="III")
    pen.place(1, "mine_cage", paid=10)  # in town, in the last round
    pen.say("cage_raised", 1, level="II")
    pen.place(2, "iron_mine", box=2)
    pen.place(1, "permit_office")
    pen.permit(1, 0, "B08")
    pen.permit(2, 0)
    pen.permit(3, 3, "B09")
    pen.place(2, "contract_1")
    pen.say("contract_taken", 2, slot=1, name="C01")
    pen.say("contract_shown", None, slot=1, name="C05")
    pen.place(2, "drill_bit")
    pen.say("bits_gained", 2, bits=1, money=3)
    pen.phase = "collection"
    for seat, name, cubes in ((1, "lead1", 2), (3, "coal1", 2), (2, "iron1", 1), (3, "gold1", 1)):
        pen.say("dug", seat, name=name, box=2, cubes=cubes)
    pen.say("advanced", None, name="lead1")
    pen.say("advanced", None, name="coal1")
    pen.say("exhausted", None, name="iron1", by="cage")
    pen.say("mine_opened", None, name="iron1")
    pen.say("advanced", None, name="gold1")
    pen.phase = "business"
    pen.say("contract_lost", 2, name="C01")
    pen.phase = "round_end"
    pen.say("marker", 2, taken=1)
    for seat, workers in ((1, 3), (2, 4), (3, 1)):
        pen.say("recalled", seat, workers=workers)
    pen.say("standing", 1, points=4, money=30, ore=ore(5, 1, 1, 1, 1))
    pen.say("standing", 2, points=4, money=44, ore=ore(1, 1, 1, 2, 1))
    pen.say("standing", 3, points=6, money=30, ore=ore(1, 4, 1, 1, 3))
    pen.phase = "final"
    ends = ((1, 4, 3, 1, 9, 30, 2, 0.0), (2, 4, 4, 0, 6, 44, 3, 0.0), (3, 6, 3, 3, 10, 30, 1, 1.0))
    keys = ("points", "dollars", "cage", "ore_left", "money", "rank", "win_share")
    for seat, *end in ends:
        pen.say("final", seat, contracts=0, buildings=0, **dict(zip(keys, end, strict=True)))
    outcome: dict[str, Any] = {"win_share": [0.0, 0.0, 1.0], "score": [4, 4, 6], "rank": [2, 3, 1]}
    outcome |= {"money_points": [3, 4, 3], "cage_points": [1, 0, 3], "money": [30, 44, 30], "ore": [9, 6, 10]}
    outcome |= {name: [0, 0, 0] for name in ("contract_points", "building_points", "contracts", "buildings")}
    outcome |= {"recruited": [1, 1, 0], "after_1": [4, 4, 5]} | {f"after_{n}": [4, 4, 6] for n in range(2, 8)}
    frame: Document = {"game": "ore_mining", "seats": 3, "seed": 1, "deal": 0, "strategies": ["pen"] * 3}
    return frame | {"rules": pen.rules, "events": pen.events, "outcome": outcome}


GAMES: dict[str, Callable[[], Document]] = {
    "hand": hand_game,
    "two": lambda: played(2),
    "three": lambda: played(3, "random"),
    "four": lambda: played(4),
    "five": lambda: played(5, "random"),
    "rich": lambda: played(3, "baseline", RICH),
    "few": lambda: played(5, "baseline", FEW),
    "poor": lambda: played(4, "random", POOR),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_legal_game_is_accepted_and_left_alone(name):
    game = copy.deepcopy(GAMES[name]())
    before = copy.deepcopy(game)
    check(game)
    assert game == before


def test_some_thousand_games_of_all_kinds_are_accepted():
    seen = refereed(0, REFEREED)
    assert set(seen) >= set(find_game("ore_mining").events)


@pytest.mark.slow
def test_very_many_games_are_accepted():
    starts = range(REFEREED, REFEREED + VERY_MANY, 1_000)
    found = joblib.Parallel(-1)(joblib.delayed(refereed)(first, 1_000) for first in starts)
    assert sum(counts["final"] for counts in found) > 3 * VERY_MANY


# --- Rules, one by one --------------------------------------------------------------------------------------


def test_small_rules():
    assert [ore_mining.scaled(amount, 110) for amount in (4, 5, 14, 15)] == [4, 6, 15, 17]
    assert ore_mining.option_of("lead_mine") == "mines"
    assert ore_mining.option_of("private_mine") == "private_mine"
    assert ore_mining.option_of("contract_deck") == "contract_deck"
    assert ore_mining.option_of("contract_5") == "contracts"
    assert ore_mining.final_ranks([(9, 1, 1), (9, 2, 0), (9, 2, 0), (8, 9, 9)]) == [3, 1, 1, 4]


def test_the_topmost_card_is_known_once_only_returned_ones_are_left():
    deck = ore_mining.Deck(["C01", "C02"])
    deck.under += ["C09", "C08"]
    assert deck.tops() == ["C01", "C02"]
    deck.draw("C02")
    deck.draw("C01")
    assert deck.tops() == ["C09"]
    assert len(deck) == 2


# --- Tamperings that hold for every event -------------------------------------------------------------------


def altered(value: Any) -> Iterator[Any]:
    """Yield copies of an event's data with one number in it one higher or lower."""
    for key, part in value.items():
        if type(part) is int:
            yield from (value | {key: part + 1}, value | {key: part - 1})
        elif isinstance(part, dict):
            yield from (value | {key: inner} for inner in altered(part))


def with_event(game: Document, index: int, *events: Any) -> Document:
    """Return the game with the event at `index` replaced."""
    return game | {"events": [*game["events"][:index], *events, *game["events"][index + 1 :]]}


def is_free(event: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether two events may come in either order: a seat chooses in which it sees to its contracts."""
    kinds = {event["kind"], after["kind"]}
    return event["kind"] == after["kind"] or kinds == {"row_filled", "contract_lost"}


def spoilings(game: Document, step: int) -> Iterator[Document]:
    """Yield the game with one event dropped, doubled, swapped, or with a single value changed."""
    events = game["events"]
    for index in range(0, len(events), step):
        event = events[index]
        yield with_event(game, index)
        yield with_event(game, index, event, event)
        if index + 1 < len(events) and not is_free(event, events[index + 1]):
            swapped = with_event(game, index, events[index + 1], event)
            yield with_event(swapped, index + 2)
        yield with_event(game, index, event | {"round": event["round"] + 1})
        yield with_event(game, index, event | {"phase": "harbor"})
        yield with_event(game, index, event | {"kind": "flooded"})
        yield with_event(game, index, event | {"seat": 2 if event["seat"] in (1, None) else 1})
        yield with_event(game, index, event | {"data": event["data"] | {"note": 1}})
        for data in altered(event["data"]):
            yield with_event(game, index, event | {"data": data})


@pytest.mark.parametrize("name", GAMES)
def test_every_event_altered_is_a_foul(name):
    game = GAMES[name]()
    step = 1 if name == "hand" else 7
    n_spoilt = 0
    for spoilt in spoilings(game, step):
        n_spoilt += 1
        try:
            check(spoilt)
        except Foul:
            continue
        pytest.fail(f"accepted: {[e for e in spoilt['events'] if e not in game['events']]}")
    assert n_spoilt > 7 * (len(game["events"]) // step)


# --- Documents that are no transcripts ----------------------------------------------------------------------

JUNK = (None, True, 1.5, -7, "", "lead", [], {}, [None], {"lead": None}, float("nan"))


def junk_in(part: Any) -> Iterator[Any]:
    """Yield copies of a list or dict with one entry replaced by junk or, from a dict, taken away."""
    keys = list(part) if isinstance(part, dict) else range(len(part))
    for key in keys:
        for junk in JUNK:
            if type(part[key]) is not type(junk) or part[key] != junk:
                changed = copy.copy(part)
                changed[key] = junk
                yield changed
        if isinstance(part, dict):
            yield {other: value for other, value in part.items() if other != key}


def malformed(game: Document) -> Iterator[Any]:
    """Yield documents with junk in every place."""
    yield from JUNK
    yield from junk_in(game)
    for name in ("rules", "outcome"):
        yield from (game | {name: changed} for changed in junk_in(game[name]))
    for number in range(len(game["strategies"])):
        yield game | {"strategies": game["strategies"][:number]}
    for index, event in enumerate(game["events"]):
        yield from (with_event(game, index, junk) for junk in JUNK)
        yield from (with_event(game, index, changed) for changed in junk_in(event))
        yield from (with_event(game, index, event | {"data": data}) for data in junk_in(event["data"]))


@pytest.mark.parametrize("name", ["hand", "rich"])
def test_a_malformed_document_is_a_foul_and_nothing_else(name):
    game = GAMES[name]()
    if name == "rich":  # its first round
        game = game | {"events": [event for event in game["events"] if event["round"] < 2]}
    for document in malformed(game):
        with pytest.raises(Foul):
            check(document)


@pytest.mark.parametrize("name", ["mine_level", "contract_need", "barred", "permit_price"])
def test_junk_deep_in_a_rule_is_a_foul(name):
    game = hand_game()
    for junk in (None, True, 1.5, -7, "1", [], [1], {}):
        values = copy.deepcopy(game["rules"][name])
        inner = values
        while isinstance(inner[-1], list):
            inner = inner[-1]
        inner[-1] = junk
        with pytest.raises(Foul, match=f"rule {name}"):
            check(game | {"rules": game["rules"] | {name: values}})


# --- Tamperings that break one rule, and the reason the referee gives ---------------------------------------


def find(game: Document, kind: str, nth: int = 0, **wanted: Any) -> int:
    """Return the index of the nth event of a kind that has what is wanted of it or of its data."""

    def is_wanted(event: dict[str, Any]) -> bool:
        found = event | event["data"]
        return event["kind"] == kind and all(found.get(key) == value for key, value in wanted.items())

    return [index for index, event in enumerate(game["events"]) if is_wanted(event)][nth]


def put(kind: str, nth: int = 0, changed: dict[str, Any] | None = None, **wanted: Any) -> Tampering:
    """Return a tampering that overwrites data of one event."""
    return lambda game: game["events"][find(game, kind, nth, **wanted)]["data"].update(changed or {})


def seat(kind: str, nth: int, number: int | None) -> Tampering:
    return lambda game: game["events"][find(game, kind, nth)].update(seat=number)


def drop(kind: str, nth: int = 0, **wanted: Any) -> Tampering:
    return lambda game: game["events"].pop(find(game, kind, nth, **wanted))


def slip(before: str, nth: int, kind: str, number: int | None, **data: Any) -> Tampering:
    """Return a tampering that slips in an event before another, in its round and phase."""

    def tamper(game: Document) -> None:
        at = find(game, before, nth)
        game["events"].insert(at, game["events"][at] | {"kind": kind, "seat": number, "data": data})

    return tamper


def instead(of: str, nth: int, kind: str, **data: Any) -> Tampering:
    """Return a tampering that puts an event in the place of another."""
    return lambda game: game["events"][find(game, of, nth)].update(kind=kind, data=data)


def rule(**changes: Any) -> Tampering:
    return lambda game: game["rules"].update(changes)


def rule_at(name: str, value: int, *at: int) -> Tampering:
    """Return a tampering with one number of a rule."""

    def tamper(game: Document) -> None:
        inner = game["rules"][name]
        for index in at[:-1]:
            inner = inner[index]
        inner[at[-1]] = value

    return tamper


def outcome(**changes: Any) -> Tampering:
    return lambda game: game["outcome"].update(changes)


def both(*tamperings: Tampering) -> Tampering:
    return lambda game: [tamper(game) for tamper in tamperings]


def having(kind: str, seats: int = 3, changes: tuple[str, ...] = RICH, **wanted: Any) -> Callable[[], Document]:
    """Return a source of the first game in which a kind of event occurs."""

    def source() -> Document:
        for deal in range(100):
            game = played(seats, NAMES[deal % 2], changes, deal)
            try:
                find(game, kind, **wanted)
            except IndexError:
                continue
            return game
        raise AssertionError(f"no game has {kind} {wanted}")

    return source


def run_of(game: Document, *kinds: str) -> int:
    """Return the index of the first events that have these kinds one after another; `|` parts alternatives."""
    told = [event["kind"] for event in game["events"]]
    starts = range(len(told) - len(kinds))
    return next(i for i in starts if all(told[i + n] in kind.split("|") for n, kind in enumerate(kinds)))


def put_in_run(at: int, changed: dict[str, Any], *kinds: str) -> Tampering:
    """Return a tampering that overwrites data of one event of such a run."""
    return lambda game: game["events"][run_of(game, *kinds) + at]["data"].update(changed)


def shown_first(game: Document) -> dict[str, str]:
    return {"name": game["events"][find(game, "contract_shown")]["data"]["name"]}


def swap_returned(game: Document) -> None:
    """Return the contracts under the deck in another order."""
    at = run_of(game, "contract_returned", "contract_returned")
    first, second = (game["events"][at + step]["data"] for step in (0, 1))
    first["name"], second["name"] = second["name"], first["name"]


def build_unknown(game: Document) -> None:
    """Build a building that nobody has drawn before."""
    at = find(game, "built")
    drawn = {event["data"]["name"] for event in game["events"][:at] if event["kind"] == "building_drawn"}
    game["events"][at]["data"]["name"] = next(name for name in ore_mining.BUILDINGS if name not in drawn)


def fill_again(game: Document) -> None:
    """Fill two rows of a contract in one activation of Advanced Orders."""
    at = find(game, "row_filled", phase="advanced_orders", row=1)
    event = copy.deepcopy(game["events"][at])
    event["data"]["row"] = 2
    game["events"].insert(at + 1, event)


def open_again(game: Document) -> None:
    """Open a second private mine while the first is worked."""
    at = find(game, "advanced", seat=1)
    number = game["events"][at]["round"] + 1
    game["events"][find(game, "placed", seat=1, round=number)]["data"].update(space="private_mine", used="private_mine")


def lose_fresh(game: Document) -> None:
    """Lose a contract in the Business phase of the round in which a building brought it."""
    taken = game["events"][find(game, "contract_taken", phase="advanced_orders")]
    at = next(i for i, e in enumerate(game["events"]) if (e["phase"], e["round"]) == ("business", taken["round"]))
    while (game["events"][at]["seat"], game["events"][at]["phase"]) != (taken["seat"], "business"):
        at += 1
    lost = game["events"][at] | {"kind": "contract_lost", "data": {"name": taken["data"]["name"]}}
    game["events"].insert(at, lost)


def poor_seats(money: int) -> Tampering:
    """Return a tampering by which all start with so much money."""

    def tamper(game: Document) -> None:
        game["rules"]["seat_money"] = [money] * 5
        for number in (1, 2, 3):
            put("seat_ready", 0, {"money": money}, seat=number)(game)

    return tamper


def bar(number: int, option: str) -> Tampering:
    return rule_at("barred", 1, number - 1, ore_mining.OPTIONS.index(option))


def keep_private(game: Document) -> None:
    """Let a private mine advance that is exhausted."""
    event = game["events"][find(game, "exhausted", seat=1)]
    event.update(kind="advanced", data={"name": event["data"]["name"]})


def turn(name: str) -> Tampering:
    """Return a tampering by which each seat has another's number in a column of the outcome."""
    return lambda game: game["outcome"][name].append(game["outcome"][name].pop(0))


TURNED = ("win_share", "score", "money_points", "cage_points", "money", "ore", "recruited", "after_1", "after_7")
TRADE = ("placed", "bought|sold", "bought|sold")
# fmt: off
TABLE: dict[str, tuple[str | Callable[[], Document], Tampering, str]] = {
    # the document
    "another game": ("hand", lambda game: game.update(game="ore_city"), "not a transcript"),
    "six seats": ("hand", lambda game: game.update(seats=6, strategies=["pen"] * 6), "2 to 5"),
    "two seats, three strategies": ("hand", lambda game: game.update(seats=2), "2 to 5"),
    "a rule too short": ("hand", rule(cage_price=[10]), "rule cage_price"),
    "eight rounds": ("hand", rule(rounds=8), "rounds from 1 to 7"),
    "no dollars for a point": ("hand", rule(dollars_per_point=0), "one dollar for a point"),
    "no mine": ("hand", rule(mine_copies=[1] * 24 + [0] * 6), "need a gold mine"),
    "a contract twice": ("hand", rule_at("contract_copies", 2, 0), "each contract once"),
    "a gap between boxes": ("hand", rule_at("mine_level", 0, 0, 1), "without a gap"),
    # set-up
    "seat money": ("hand", put("seat_ready", 2, {"money": 62}), "'money': 60"),
    "five workers": ("hand", put("seat_ready", 0, {"workers": 5}), "'workers': 3"),
    "copper left out": ("hand", put("seat_ready", 0, {"ore": ore(1, 1, 0, 1, 1)}), "'copper': 1"),
    "copper with two": ("two", rule(two_player=0), "'copper': 1"),
    "unmarked contracts with two": ("two", rule(contract_two=[0] * 30), "the rules demand"),
    "unmarked buildings with two": ("two", rule(building_two=[0] * 20), "the rules demand"),
    "a third building": ("three", slip("building_drawn", 0, "building_drawn", 1, name="B01"), "the rules demand"),
    "a building that is not in the deck": ("rich", rule(building_copies=[0] * 20), "the rules demand"),
    "another building promised": ("hand", rule(start_buildings=1, start_building=[1] * 5), "building"),
    "a mine of another ore": ("hand", put("mine_opened", 0, {"name": "coal1"}), "topmost lead mine"),
    "a contract twice face up": ("hand", put("contract_shown", 1, {"name": "C01"}), "topmost contract"),
    "a contract short": ("hand", drop("contract_shown", 3), "demand contract_shown"),
    "a slot too many": ("hand", rule(contracts_shown=[3] * 4), "demand first_player"),
    "seat 2 first": ("hand", seat("first_player", 0, 2), "first_player of seat 1"),
    # tasking
    "out of turn": ("hand", seat("placed", 0, 2), "placed of seat 1"),
    "a pass for nothing": ("hand", instead("placed", 0, "passed"), "demand placed"),
    "no pass": (having("passed", 5, FEW), drop("passed"), "demand passed|demand placed"),
    "placed where nothing is free": (
        having("passed", 5, FEW),
        instead("passed", 0, "placed", space="drill_bit", used="drill_bit", box=0, bits=0, paid=0), "demand passed",
    ),
    "a worker too many": ("hand", rule(start_workers=[4] * 4), "'workers': 4"),
    "no such space": ("hand", put("placed", 0, {"space": "river", "used": "river"}), "a space is one of"),
    "an occupied space": ("hand", put("placed", 3, {"space": "recruit", "used": "recruit"}), "recruit is occupied"),
    "in town is closed in the last round": ("hand", rule(last_round_open=0), "mine_cage is occupied"),
    "used is another space": ("hand", put("placed", 0, {"used": "drill_bit"}), "space used"),
    "overtime on an empty space": ("hand", put("placed", 1, {"used": "drill_bit"}), "drill_bit is empty"),
    "overtime in a mine": ("hand", put("placed", 1, {"used": "gold_mine"}), "space used"),
    "no overtime": ("hand", rule(overtime_places=[0] * 4), "overtime is occupied"),
    "overtime barred": ("hand", bar(2, "overtime"), "kept from overtime"),
    "overtime for what is barred": ("hand", bar(2, "recruit"), "recruit is empty, barred"),
    "recruit barred": ("hand", bar(1, "recruit"), "kept from recruit"),
    "mines barred": ("hand", bar(3, "mines"), "kept from gold_mine"),
    "contracts barred": ("hand", bar(2, "contracts"), "kept from contract_1"),
    "reacting barred": ("hand", bar(3, "reacting"), r"can draw \[0\]"),
    # the spaces of the board
    "the first worker for 18": ("hand", put("placed", 0, {"paid": 18}), "recruit costs 20"),
    "the second worker for 20": ("hand", put("placed", 1, {"paid": 20}), "recruit costs 18"),
    "no money for a worker": ("hand", poor_seats(19), "recruit costs 20, seat 1 has 19"),
    "the second worker called the first": ("hand", put("recruited", 1, {"number": 1}), "'number': 2"),
    "two workers for one seat": ("hand", both(
        put("placed", 3, {"space": "overtime", "used": "recruit", "paid": 16}), rule(overtime_places=[2] * 4),
    ), "barred or of no use"),
    "level III at once": ("hand", put("cage_raised", 0, {"level": "III"}), "'level': 'II'"),
    "level II twice": ("hand", put("cage_raised", 1, {"level": "II"}), "'level': 'III'"),
    "a cage for nothing": ("hand", put("placed", 2, {"paid": 0}), "mine_cage costs 10"),
    "the price of level III": ("hand", rule(cage_price=[10, 12]), "mine_cage costs 12"),
    "two bits": ("hand", put("bits_gained", 0, {"bits": 2}), "'bits': 1"),
    "no money with a bit": ("hand", put("bits_gained", 0, {"money": 0}), "'money': 3"),
    "a bit from an empty supply": ("hand", rule(drill_bits=0), "'bits': 0"),
    "box 2 without a bit": ("hand", put("placed", 0, {"box": 2, "bits": 1}, space="gold_mine"), "drill bit is needed"),
    "box 2 for nothing": ("hand", put("placed", 0, {"bits": 0}, space="iron_mine"), "takes 1 drill bits"),
    "box 3 without a cage": ("hand", put("placed", 0, {"box": 3}, space="iron_mine"), "box 3 needs a Mine Cage"),
    "an occupied box": ("hand", put("placed", 0, {"space": "gold_mine", "used": "gold_mine"}, box=2), "no empty box 2"),
    "box 4": ("hand", put("placed", 0, {"box": 4}, space="iron_mine"), "box 1, 2 or 3"),
    "a fee for a mine": ("hand", put("placed", 0, {"paid": 1}, space="gold_mine"), "no dollars"),
    "a private mine too cheap": (having("private_opened"), rule(private_price=6), "costs"),
    "a private mine of a card face up": (
        having("private_opened"), lambda game: put("private_opened", 0, {"name": game["events"][find(
            game, "mine_opened")]["data"]["name"]})(game), "the topmost mine card|private lead mine costs",
    ),
    "two private mines": (having("advanced", seat=1), open_again, "occupied|no more use"),
    "another contract than the slot's": ("hand", put("contract_taken", 0, {"name": "C02"}), "'name': 'C01'"),
    "a taken contract is not replaced": ("hand", drop("contract_shown", 4), "demand contract_shown"),
    "another slot is filled": ("hand", put("contract_shown", 4, {"slot": 2}), "'slot': 1"),
    "a contract face up is looked at": (
        having("contract_looked"), lambda game: put("contract_looked", 0, shown_first(game))(game), "topmost contract",
    ),
    "a contract kept that was not looked at": (
        having("contract_kept"), lambda game: put("contract_kept", 0, shown_first(game))(game), "contract kept",
    ),
    "four contracts looked at": (having("contract_looked"), rule(deck_look=4), "demand contract_looked"),
    "two contracts kept": (having("contract_kept"), drop("contract_returned"), "demand"),
    "contracts returned in another order": (having("contract_returned"), swap_returned, "the rules demand"),
    "no reshuffle": (having("contracts_reshuffled"), drop("contracts_reshuffled"), "contracts_reshuffled"),
    "a reshuffle of too few": (
        having("contracts_reshuffled"), put("contracts_reshuffled", 0, {"cards": 1000}), "'cards'"),
    "a reshuffle of a deck": (
        having("contract_looked"), slip("contract_looked", 0, "contracts_reshuffled", None, cards=1),
        "contract_looked"),
    "three cubes traded": (having("sold", 3, ()), put_in_run(1, {"cubes": 3}, *TRADE), "trades up to 2"),
    "no cubes traded": (having("sold", 3, ()), put_in_run(1, {"cubes": 0}, *TRADE), "trades up to 2"),
    "two cubes traded by another": (having("sold", 3, ()), put_in_run(2, {"cubes": 2}, *TRADE), "trades up to 1"),
    "another ore traded": (having("sold", 3, ()), lambda game: put_in_run(2, {"name": "lead" if game["events"][run_of(
        game, *TRADE)  + 1]["data"]["name"] != "lead" else "coal"}, *TRADE)(game), "the ore traded"),
    "a market of 1": (having("sold", 3, ()), rule(mine_market=[0] * 30), "is worth 1|costs"),
    "another does not react": (having("not_traded", 3, ()), drop("not_traded"), "demand"),
    "more sold than owned": (having("sold", 3, ()), both(
        rule(market_active=99, market_other=99), put("sold", 0, {"cubes": 99})), "has .*, not"),
    "two permits for 3": ("hand", put("permits", 0, {"paid": 3}), "2 cards cost seat 2 4"),
    "permits for others as for oneself": ("hand", put("permits", 1, {"paid": 4}), "2 cards cost seat 3 7"),
    "three permits for another": ("hand", put("permits", 1, {"cards": 3}), r"can draw \[0, 1, 2\]"),
    "no permit for oneself": ("hand", put("permits", 3, {"cards": 0}), r"can draw \[1, 2, 3\]"),
    "permits that cannot be paid": ("hand", poor_seats(20), r"seat 2 can draw \[1\]"),
    "a permit drawn by nobody": ("hand", drop("building_drawn", 1), "demand building_drawn"),
    "the marker is not taken": ("hand", drop("marker_taken"), "demand marker_taken"),
    "two buildings for Advanced Orders": ("hand", rule(advanced_draw=2), "demand building_drawn"),
    "two rows of a contract at once": (
        having("row_filled", phase="advanced_orders", row=1), fill_again, "row may be filled"),
    # collection
    "more dug": ("hand", put("dug", 0, {"cubes": 3}), "'cubes': 2"),
    "nothing dug": ("hand", drop("dug", 1), "'name': 'coal1'"),
    "dug by another": ("hand", seat("dug", 0, 2), "dug of seat 1"),
    "advanced without a cage": ("hand", instead("exhausted", 0, "advanced", name="iron1"), "demand exhausted"),
    "exhausted with a cage": ("hand", instead("advanced", 3, "exhausted", name="lead1", by="cage"), "demand advanced"),
    "exhausted at the bottom": ("hand", put("exhausted", 0, {"by": "bottom"}), "'by': 'cage'"),
    "cards of two boxes": ("hand", rule_at("mine_level", 0, 0, 2), "'by': 'bottom'|demand exhausted"),
    "another card turned up": ("hand", put("mine_opened", 5, {"name": "iron2"}), "topmost iron mine"),
    "no card turned up": ("hand", drop("mine_opened", 5), "demand mine_opened"),
    "a private mine stays": (having("exhausted", seat=1), keep_private, "demand exhausted"),
    # business
    "a contract kept open": ("hand", drop("contract_lost"), "demand row_filled"),
    "another contract lost": ("hand", put("contract_lost", 0, {"name": "C02"}), "contract to fill or lose"),
    "a row filled without ore": (
        "hand", instead("contract_lost", 0, "row_filled", name="C01", row=1, money=5), "seat 2 has .*, not"),
    "the second row first": (
        "hand", instead("contract_lost", 0, "row_filled", name="C01", row=2, money=6), "row 1 of C01 is the topmost"),
    "a row pays more": (having("row_filled"), rule(pay_scale=200), "pays"),
    "rows take more": (having("row_filled"), rule(contract_need=[[[9] * 5] * 4] * 30), "not {"),
    "a contract is not completed": (having("contract_completed"), drop("contract_completed"), "contract_completed"),
    "a contract completed early": (
        having("contract_completed"), slip("row_filled", 0, "contract_completed", 1, name="C01", points=2),
        "the rules demand"),
    "a contract scores more": (having("contract_completed"), rule(contract_points=[19] * 30), "scores 19"),
    "no building allowed": (having("built"), rule(contract_buildings=[0] * 30), "the rules demand"),
    "building barred": (having("built", seat=2), bar(2, "building"), "kept from building"),
    "a building that nobody drew": (having("built"), build_unknown, "a building in hand"),
    "built for nothing": (having("built"), put("built", 0, {"money": 0, "ore": {}}), "costs"),
    "built in money and ore": (having("built"), put("built", 0, {"money": 3, "ore": ore(1, 0, 0, 0, 0)}), "costs"),
    "a building scores more": (having("built"), rule(building_scale=300), "scores"),
    "a fresh contract lost": (having("contract_taken", phase="advanced_orders"), lose_fresh, "fill or lose"),
    # once-abilities
    "more money gained": (having("gained", money=4, bits=0), rule(gain_money=[9] * 20), "'money': 9|demand gained"),
    "nothing to decline": (having("declined"), both(
        rule(gain_ore=[[0] * 5] * 20), *(rule(**{f"gain_{of}": [0] * 20}) for of in ("money", "bits", "draw", "cage")),
    ), "the rules demand"),
    "another building declined": (having("declined"), put("declined", 0, {"name": "none"}), "'name'"),
    "more cubes of any ore": (having("built", name="B07"), rule(gain_any=[0] * 20), "the rules demand"),
    "two cubes for one": (having("built", name="B07"), lambda game: game["events"][run_of(
        game, "built", "gained", "gained") + 2]["data"].update(ore=ore(2, 0, 0, 0, 0)), "one of|the rules demand"),
    "a sale without its bonus": (having("sold", phase="business"), rule(sale_bonus=0), "is worth"),
    "a sale of more": (
        having("sold", phase="business"), put("sold", 0, {"cubes": 4}, phase="business"), "trades up to 3"),
    "a cage not raised": (having("cage_raised", phase="advanced_orders"), rule(gain_cage=[0] * 20), "the rules demand"),
    "another contract taken": (
        having("contract_taken", phase="advanced_orders"),
        put("contract_taken", 0, {"slot": 9}, phase="advanced_orders"), "a face-up contract"),
    # the round's end
    "the marker is passed though taken": ("hand", seat("marker", 0, 2), "marker of seat 1"),
    "the marker goes to the first who took it": ("hand", seat("marker", 1, 1), "marker of seat 2"),
    "the marker is not said to be taken": ("hand", put("marker", 0, {"taken": 0}), "'taken': 1"),
    "a recruit forgotten": ("hand", put("recalled", 1, {"workers": 3}), "'workers': 4"),
    "miners recalled": ("hand", rule(recall_miners=1), "'workers': 4"),
    "money out of nowhere": ("hand", put("standing", 0, {"money": 41}), "'money': 40"),
    "ore out of nowhere": ("hand", put("standing", 0, {"ore": ore(3, 1, 1, 1, 2)}), "'lead': 3"),
    "points out of nowhere": ("hand", put("standing", 2, {"points": 4}), "'points': 5"),
    # the end
    "a round more": ("hand", rule(rounds=3), "mine_cage is occupied"),
    "points of a cage": ("hand", rule(cage_points=[0, 1, 4]), "'points': 6"),
    "a dollar more for a point": ("hand", rule(dollars_per_point=11), "'points'"),
    "a tie that ore decides": ("hand", put("final", 1, {"rank": 2}), "'rank': 3"),
    "a shared win": ("hand", put("final", 2, {"win_share": 0.5}), "win_share 1.0"),
    "an event after the end": ("hand", lambda game: game["events"].append(game["events"][-1]), "the game is over"),
    **{f"outcome {name}": ("hand", turn(name), f"demand {name}") for name in TURNED},
    "outcome rank": ("hand", outcome(rank=[2, 2, 1]), "demand rank"),
    "outcome contracts": ("hand", outcome(contracts=[0, 1, 0]), "demand contracts"),
    "outcome buildings": ("hand", outcome(buildings=[0, 0]), "demand buildings"),
    "outcome contract_points": ("hand", outcome(contract_points=[0.0, 0.0, 0.0]), "demand contract_points"),
    "outcome building_points": ("hand", lambda game: game["outcome"].pop("building_points"), "demand building_points"),
}
# fmt: on


@pytest.mark.parametrize("name", TABLE)
def test_a_broken_rule_is_a_foul(name):
    source, tamper, reason = TABLE[name]
    game = copy.deepcopy((GAMES[source] if isinstance(source, str) else source)())
    check(game)
    tamper(game)
    with pytest.raises(Foul, match=reason):
        check(game)
