"""Tests of the Ore City referee: it accepts legal games, and fouls every kind of tampering with them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from referee import ore_city
from referee.ore_city import Foul, check

HOME, FLAT, CONDO, PARK = "single_house", "apartment_house", "condominium", "park"
STORE, CORNER, DINER, MALL = "small_store", "convenience_store", "restaurant", "department_store"
ROAD, TURBINE, SMALL, CHEMICAL = "highway", "wind_turbine", "small_factory", "chemical_factory"
HALL, HOSPITAL, SCHOOL, AIRPORT, POLICE = "city_hall", "hospital", "university", "airport", "police_station"
# fmt: off
RULES: dict[str, Any] = {
    "cost": [0, 1, 3, 0, 0, 0, 3, 5, 0, 3, 4, 9, 4, 6, 12, 8, 7],
    "copies": [10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10],
    "points": [1, 3, 3, 3, 1],
    "first_amount": [
        [1, 2, 4, 6, 8, 11, 14, 17, 21, 25], [2, 3, 5, 8, 11] + [11] * 5,
        [4, 7, 10, 14, 18] + [18] * 5, [1, 2, 3, 4, 6] + [6] * 5,
    ],
    "second_amount": [
        [0, 0, 1, 2, 3, 4, 5, 6, 7, 9], [0, 0, 3, 4, 6] + [6] * 5,
        [0, 0, 4, 6, 8] + [8] * 5, [0, 0, 1, 2, 2] + [2] * 5,
    ],
    "payout_scale": 100, "store_flat": [2, 0, 0, 10], "store_per_home": [0, 1, 2, 0],
    "store_most": [2, 10, 20, 10], "store_closing": [1, 1, 1, 1], "highway_income": 1, "highway_closing": 1,
    "technology": [0, 1, 1, 2], "factory_limit": 1, "hall_threshold": 10, "hall_loss": 5, "hall_gift": 5,
    "hospital_homes": 5, "university_stores": 1, "start_coins": [0] * 6, "start_extra": [0, 1, 2, 3, 4, 5],
    "compensation": 1, "hand_size": 3, "common_size": 5, "win_points": 10, "turn_limit_per_seat": 500,
    "second_after_tie": 1, "highway_per_set": 0,
}
PHASES = {
    "constructed": "construction", "closed": "book_closing", "scrapped": "accomplishment",
    "accomplished": "accomplishment", "laid": "exchange", "flushed_hand": "flush", "passed": "passing",
}
# fmt: on
RESHUFFLED: dict[str, Any] = {"pile": "residential", "cards": {CONDO: 1, HOME: 2, FLAT: 2, PARK: 2}}
Document = dict[str, Any]
Tampering = Callable[[Document], object]


class Pen:
    """Writes a game down event by event; every number is given by hand."""

    def __init__(self, n_seats: int, **changes: Any) -> None:
        self.rules = copy.deepcopy(RULES) | changes
        self.seats = range(1, n_seats + 1)
        self.events: list[dict[str, Any]] = []
        self.turns, self.phase = 0, "setup"

    def say(self, kind: str, seat: int | None, **data: Any) -> None:
        number = 0 if self.phase == "setup" else 1 + (self.turns - 1) // len(self.seats)
        self.events.append({"round": number, "phase": self.phase, "kind": kind, "seat": seat, "data": data})

    def deal(self, *hands: list[str]) -> None:
        for seat in self.seats:
            self.say("seat_ready", seat, coins=self.rules["start_coins"][seat - 1])
        for seat, hand in zip(self.seats, hands, strict=True):
            self.say("dealt", seat, cards=dict.fromkeys(hand, 1))

    def extra(self, seat: int, drawn: dict[str, int], discarded: dict[str, int]) -> None:
        self.say("extra_drawn", seat, cards=drawn)
        self.say("extra_discarded", seat, cards=discarded)

    def act(self, kind: str, seat: int, **data: Any) -> None:
        """Begin the next turn."""
        self.turns += 1
        self.phase = PHASES[kind]
        self.say(kind, seat, **data)

    def build(self, seat: int, name: str, space: int, paid: int = 0, count: int = 1) -> None:
        self.act("constructed", seat, name=name, count=count, space=space, paid=paid)

    def end(self, seat: int, *drawn: str, coins: int, points: int = 0, tech: int = 0, hand: int = 3) -> None:
        self.phase = "refill"
        for name in drawn:
            self.say("drawn", seat, name=name)
        self.say("turn_end", seat, coins=coins, points=points, technology=tech, hand=hand)

    def idle(self, seat: int, coins: int, points: int = 0, tech: int = 0) -> None:
        self.act("passed", seat)
        self.end(seat, coins=coins, points=points, tech=tech)

    def close(self, finished: int, points: list[int], coins: list[int], ranks: list[int]) -> Document:
        """Write the final lines and return the document."""
        self.phase = "final"
        self.say("end", None, turns=self.turns, finished=finished)
        shares = [int(finished and rank == 1) for rank in ranks]
        for seat, p, c, rank, share in zip(self.seats, points, coins, ranks, shares, strict=True):
            self.say("final", seat, points=p, coins=c, rank=rank, win_share=share)
        outcome = {"win_share": shares, "score": points, "rank": ranks}
        frame: Document = {"game": "ore_city", "seats": len(self.seats), "seed": 1, "deal": 0}
        frame |= {"strategies": ["pen"] * len(self.seats), "rules": self.rules}
        return frame | {"events": self.events, "outcome": outcome}


# --- Games written by hand ----------------------------------------------------------------------------------


def won_game() -> Document:
    """Seat 1 of three wins with City Hall, which is not carried out; the Residential pile runs out in a flush."""
    pen = Pen(3, win_points=4, start_coins=[9] * 6, copies=[9, 5, 3, 2, *RULES["copies"][4:]])
    pen.deal([HOME, STORE, TURBINE], [PARK, DINER, ROAD], [FLAT, CORNER, SMALL])
    pen.extra(2, {HOME: 1}, {DINER: 1})
    pen.extra(3, {HOME: 1, CONDO: 1}, {CONDO: 1, CORNER: 1})
    pen.say("common_dealt", None, cards={HOME: 2, FLAT: 2, PARK: 1})
    pen.build(1, HOME, 1)
    pen.end(1, HALL, coins=9)
    pen.build(2, ROAD, 2)
    pen.end(2, POLICE, coins=9)
    pen.build(3, HOME, 1)
    pen.end(3, HOME, coins=9)
    pen.act("laid", 1, cards={HALL: 1, STORE: 1})
    pen.say("taken", 1, cards={HALL: 1, HOME: 1})
    pen.end(1, coins=9)
    pen.act("accomplished", 2, name=POLICE, paid=7, points=1)
    pen.say("stolen", 2, **{"from": 1, "name": HALL})
    pen.say("drawn", 1, name=SCHOOL)
    pen.end(2, coins=2, points=1)
    pen.build(3, SMALL, 3, paid=4)
    pen.end(3, TURBINE, coins=5)
    pen.build(1, TURBINE, 2, paid=3)
    pen.end(1, STORE, coins=6)
    pen.act("closed", 2)
    pen.say("highway_closing", 2, cards=1, coins=1)
    pen.say("acquired", 1, cards={TURBINE: 1})
    pen.say("space_cleared", 2, cards={ROAD: 1})
    pen.end(2, coins=3, points=1)
    pen.act("closed", 3)
    pen.say("acquired", 3, cards={SMALL: 1})
    pen.say("space_cleared", 3, cards={})
    pen.end(3, coins=5, tech=1)
    pen.build(1, HOME, 1)
    pen.end(1, DINER, coins=6, tech=1)
    pen.act("flushed_hand", 2, cards={PARK: 1, HOME: 1, HALL: 1})
    pen.say("flushed_common", 2, cards={HOME: 1, FLAT: 2, PARK: 1, STORE: 1})
    for name in (FLAT, CONDO, HOME):
        pen.say("drawn", 2, name=name)
    for name in (HOME, HOME, CONDO, FLAT):
        pen.say("common_card", 2, name=name)
    pen.say("reshuffle", None, **RESHUFFLED)
    pen.say("common_card", 2, name=PARK)
    pen.end(2, coins=3, points=1)
    pen.build(3, FLAT, 1)  # 1 coin less 1 technology
    pen.end(3, AIRPORT, coins=5, tech=1)
    pen.act("closed", 1)
    pen.say("home_due", 1, name=HOME, total=3, own=2, place=1, due=4)
    pen.say("home_due", 3, name=HOME, total=3, own=1, place=2, due=1)
    pen.say("home_due", 3, name=FLAT, total=1, own=1, place=1, due=2)
    pen.say("closing_income", 1, due=4, coins=4)
    pen.say("closing_income", 3, due=3, coins=3)
    pen.say("space_cleared", 1, cards={HOME: 3, FLAT: 1})
    pen.end(1, coins=10, tech=1)
    pen.idle(2, coins=3, points=1)
    pen.act("scrapped", 3, name=SMALL, space=None)
    pen.say("accomplished", 3, name=AIRPORT, paid=8, points=3)
    pen.end(3, HALL, coins=0, points=3)
    pen.build(1, STORE, 1)  # no home in sight: no income
    pen.end(1, STORE, coins=10, tech=1)
    pen.build(2, CONDO, 2, paid=3)
    pen.end(2, HOME, coins=0, points=1)
    pen.build(3, HOME, 2)
    pen.end(3, ROAD, coins=0, points=3)
    pen.build(1, DINER, 1, paid=2)
    pen.say("store_income", 1, due=4, coins=4)
    pen.end(1, CHEMICAL, coins=12, tech=1)
    pen.build(2, HOME, 2, count=2)
    pen.end(2, FLAT, PARK, coins=0, points=1)
    pen.build(3, ROAD, 3)
    pen.end(3, ROAD, coins=0, points=3)
    pen.build(1, STORE, 1)
    pen.say("store_income", 1, due=2, coins=2)
    pen.say("highway_income", 3, cards=1, coins=1)
    pen.end(1, STORE, coins=14, tech=1)
    pen.idle(2, coins=0, points=1)
    pen.idle(3, coins=1, points=3)
    pen.act("accomplished", 1, name=SCHOOL, paid=11, points=3)
    pen.end(1, HALL, coins=3, points=3, tech=1)
    pen.idle(2, coins=0, points=1)
    pen.idle(3, coins=1, points=3)
    pen.act("accomplished", 1, name=HALL, paid=3, points=1)
    return pen.close(1, [4, 1, 3], [0, 0, 1], [1, 3, 2])


def closing_example(has_factories: bool = False, has_park: bool = False, **changes: Any) -> Document:
    """Chapter 8 with A in seat 1, you in seat 2 and B in seat 3, as printed or with factories, with a Park."""
    pen = Pen(3, start_coins=[14, 7, 1, 0, 0, 0], start_extra=[2] * 6, turn_limit_per_seat=4, **changes)
    pen.deal([HOME, STORE, SMALL], [HOME, STORE, ROAD], [HOME, STORE, ROAD])
    if has_factories:
        pen.extra(1, {HOME: 1, CONDO: 1}, {STORE: 1, CONDO: 1})
    else:
        pen.extra(1, {HOME: 2}, {STORE: 1, SMALL: 1})
    pen.extra(2, {HOME: 1, FLAT: 1}, {STORE: 1, ROAD: 1})
    pen.extra(3, {PARK: 1, FLAT: 1}, {STORE: 1, ROAD: 1})
    pen.say("common_dealt", None, cards={PARK: 2, CONDO: 3})
    if has_factories:
        pen.build(1, SMALL, 1, paid=4)
        pen.end(1, HOME, coins=10)
    else:
        pen.idle(1, coins=14)
    pen.build(2, HOME, 2, count=2)
    pen.end(2, FLAT, HOSPITAL, coins=7)
    pen.build(3, HOME, 2)
    pen.end(3, ROAD, coins=1)
    pen.build(1, HOME, 2, count=3)
    pen.end(1, CHEMICAL, ROAD, MALL, coins=10 if has_factories else 14)
    pen.build(2, FLAT, 2, paid=1, count=2)
    pen.end(2, CORNER, CORNER, coins=6)
    pen.build(3, FLAT, 2, paid=1)
    pen.end(3, ROAD, coins=0)
    if has_factories:
        pen.build(1, CHEMICAL, 1, paid=9)
        pen.end(1, TURBINE, coins=1)
    else:
        pen.idle(1, coins=14)
    pen.act("accomplished", 2, name=HOSPITAL, paid=6, points=3)  # neighbours' homes count
    pen.end(2, HALL, coins=0, points=3)
    if has_park:
        pen.build(3, PARK, 2)
        pen.end(3, HOSPITAL, coins=0)
    else:
        pen.idle(3, coins=0)
    saved = 1 if has_factories else 14
    pen.idle(1, coins=saved)
    pen.act("closed", 2)
    pen.say("home_due", 1, name=HOME, total=6, own=3, place=1, due=11)
    pen.say("home_due", 2, name=HOME, total=6, own=2, place=2, due=4)
    pen.say("home_due", 2, name=FLAT, total=3, own=2, place=1, due=5)
    pen.say("home_due", 3, name=FLAT, total=3, own=1, place=2, due=3)
    if has_park:
        pen.say("home_due", 3, name=PARK, total=1, own=1, place=1, due=1)
    dues = [11, 9, 4 if has_park else 3]
    incomes = [1, 1, 1] if has_factories and not has_park else dues
    for seat, due, income in zip((1, 2, 3), dues, incomes, strict=True):
        pen.say("closing_income", seat, due=due, coins=income)
    pen.say("space_cleared", 2, cards={HOME: 6, FLAT: 3} | ({PARK: 1} if has_park else {}))
    pen.end(2, coins=incomes[1], points=3)
    pen.idle(3, coins=incomes[2])
    return pen.close(0, [0, 3, 0], [saved + incomes[0], *incomes[1:]], [2, 1, 3])


def hall_game() -> Document:
    """City Hall meets a payer down to exactly 0, 10, 0 and 9 coins (ORC-11)."""
    pen = Pen(4, start_coins=[4, 10, 0, 9, 0, 0], compensation=0, turn_limit_per_seat=2)
    pen.deal([HOME, STORE, ROAD], [HOME, STORE, ROAD], [HOME, STORE, ROAD], [PARK, MALL, CHEMICAL])
    pen.say("common_dealt", None, cards={HOME: 5})
    pen.build(1, HOME, 1)
    pen.end(1, HALL, coins=4)
    pen.idle(2, coins=10)
    pen.idle(3, coins=0)
    pen.idle(4, coins=9)
    pen.act("accomplished", 1, name=HALL, paid=4, points=1)
    pen.say("hall_gift", 1, coins=5)
    pen.say("hall_loss", 2, coins=5)
    pen.say("hall_gift", 3, coins=5)
    pen.end(1, HOME, coins=5, points=1)
    for seat, coins in ((2, 5), (3, 5), (4, 9)):
        pen.idle(seat, coins=coins)
    return pen.close(0, [1, 0, 0, 0], [5, 5, 5, 9], [1, 3, 3, 2])


def highway_game(per_set: int = 0) -> Document:
    """Two players: the one neighbour counts once; Highways of both earn at a closing (ORC-1, ORC-5, ORC-21)."""
    pen = Pen(2, start_coins=[3] * 6, compensation=0, turn_limit_per_seat=5, highway_per_set=per_set)
    pen.deal([HOME, DINER, ROAD], [HOME, STORE, ROAD])
    pen.say("common_dealt", None, cards={HOME: 5})
    pen.idle(1, coins=3)
    pen.build(2, HOME, 2)
    pen.end(2, ROAD, coins=3)
    pen.build(1, DINER, 1, paid=3)
    pen.say("store_income", 1, due=2, coins=2)
    pen.end(1, HALL, coins=2)
    pen.act("closed", 2)
    pen.say("home_due", 2, name=HOME, total=1, own=1, place=1, due=1)
    pen.say("closing_income", 2, due=1, coins=1)
    pen.say("space_cleared", 2, cards={HOME: 1})
    pen.end(2, coins=4)
    pen.idle(1, coins=2)
    pen.build(2, ROAD, 2, count=2)
    pen.end(2, STORE, STORE, coins=4)
    pen.build(1, ROAD, 2)
    pen.end(1, STORE, coins=2)
    pen.idle(2, coins=4)
    pen.act("closed", 1)
    pen.say("store_due", 1, name=DINER, cards=1, due=1)
    pen.say("closing_income", 1, due=1, coins=1)
    pen.say("highway_income", 1, cards=1, coins=1)
    pen.say("highway_income", 2, cards=2, coins=1 if per_set else 2)
    pen.say("space_cleared", 1, cards={DINER: 1})
    pen.end(1, coins=4)
    pen.act("closed", 2)
    pen.say("highway_closing", 1, cards=1, coins=1)
    pen.say("highway_closing", 2, cards=2, coins=2)
    pen.say("space_cleared", 2, cards={ROAD: 3})
    coins = 7 if per_set else 8
    pen.end(2, coins=coins)
    return pen.close(0, [0, 0], [5, coins], [2, 1])


def airport_game() -> Document:
    """The Industrial card for the Airport comes out of the neighbour's space (ORC-19)."""
    pen = Pen(2, start_coins=[11, 0, 0, 0, 0, 0], compensation=0, turn_limit_per_seat=3)
    pen.deal([HOME, STORE, TURBINE], [HOME, STORE, ROAD])
    pen.say("common_dealt", None, cards={HOME: 5})
    pen.build(1, HOME, 1)
    pen.end(1, AIRPORT, coins=11)
    pen.build(2, ROAD, 2)
    pen.end(2, ROAD, coins=0)
    pen.build(1, TURBINE, 2, paid=3)
    pen.end(1, ROAD, coins=8)
    pen.idle(2, coins=0)
    pen.act("scrapped", 1, name=TURBINE, space=2)
    pen.say("accomplished", 1, name=AIRPORT, paid=8, points=3)
    pen.end(1, POLICE, coins=0, points=3)
    pen.act("closed", 2)
    pen.say("highway_closing", 2, cards=1, coins=1)
    pen.say("space_cleared", 2, cards={ROAD: 1})
    pen.end(2, coins=1)
    return pen.close(0, [3, 0], [0, 1], [1, 2])


def dry_game() -> Document:
    """So few cards that the flusher must choose piles and hands stay short (ORC-15, ORC-22)."""
    copies = [4, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0]
    pen = Pen(2, copies=copies, common_size=2, compensation=0, turn_limit_per_seat=3)
    pen.deal([HOME, STORE, ROAD], [HOME, STORE, ROAD])
    pen.say("common_dealt", None, cards={HOME: 2})
    pen.build(1, HOME, 1)
    pen.end(1, HALL, coins=0)
    pen.act("flushed_hand", 2, cards={HOME: 1, STORE: 1, ROAD: 1})
    pen.say("flushed_common", 2, cards={HOME: 2})
    pen.say("reshuffle", None, pile="residential", cards={HOME: 3})
    for _ in range(3):
        pen.say("drawn", 2, name=HOME)
    pen.say("reshuffle", None, pile="commercial", cards={STORE: 1})
    pen.say("common_card", 2, name=STORE)
    pen.say("common_card", 2, name=HALL)
    pen.end(2, coins=0)
    pen.act("laid", 1, cards={ROAD: 1})
    pen.say("taken", 1, cards={STORE: 1})
    pen.end(1, coins=0)
    pen.build(2, HOME, 2, count=3)
    pen.phase = "refill"
    pen.say("reshuffle", None, pile="industrial", cards={ROAD: 1})
    pen.end(2, ROAD, coins=0, hand=1)
    pen.act("closed", 1)
    pen.say("home_due", 1, name=HOME, total=1, own=1, place=1, due=1)
    pen.say("closing_income", 1, due=1, coins=1)
    pen.say("space_cleared", 1, cards={HOME: 1})
    pen.end(1, coins=1)
    pen.act("passed", 2)
    pen.phase = "refill"
    pen.say("reshuffle", None, pile="residential", cards={HOME: 1})
    pen.end(2, HOME, coins=0, hand=2)
    return pen.close(0, [0, 0], [1, 0], [1, 2])


def six_game() -> Document:
    """The Residential pile runs out at the fifth common card of six players (ORC-20)."""
    pen = Pen(6, turn_limit_per_seat=1)
    pen.deal(*[[HOME, STORE, ROAD]] * 6)
    pen.extra(2, {HOME: 1}, {STORE: 1})
    pen.extra(3, {FLAT: 2}, {FLAT: 2})
    pen.extra(4, {FLAT: 3}, {FLAT: 3})
    pen.extra(5, {CONDO: 4}, {CONDO: 4})
    pen.extra(6, {CONDO: 1, PARK: 4}, {STORE: 1, ROAD: 1, HOME: 1, CONDO: 1, PARK: 1})
    pen.say("reshuffle", None, pile="residential", cards={HOME: 1, FLAT: 5, CONDO: 5, PARK: 1})
    pen.say("common_dealt", None, cards={HOME: 3, PARK: 1, FLAT: 1})
    for seat in pen.seats:
        pen.idle(seat, coins=0)
    return pen.close(0, [0] * 6, [0] * 6, [1] * 6)


GAMES: dict[str, Callable[[], Document]] = {"won": won_game, "closing": closing_example, "hall": hall_game}
GAMES |= {"highway": highway_game, "sets": lambda: highway_game(per_set=1), "airport": airport_game}
GAMES |= {"dry": dry_game, "six": six_game, "factories": lambda: closing_example(has_factories=True)}
GAMES |= {"park": lambda: closing_example(has_factories=True, has_park=True)}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_written_by_hand_is_accepted_and_left_alone(name):
    game = GAMES[name]()
    check(game)
    assert game == GAMES[name]()


# --- Rules, one by one --------------------------------------------------------------------------------------


def test_printed_payouts_are_not_scaled_and_others_are_rounded_half_up():
    for percent in (80, 125):
        check(closing_example(payout_scale=percent))  # chapter 8 shows the printed cells only
    rows = ore_city.scaled_amounts(RULES["first_amount"], 150)
    assert rows[0] == [2, 3, 6, 9, 12, 11, 21, 26, 32, 38]
    assert rows[1][:5] == [3, 5, 5, 12, 17]
    game = closing_example(has_factories=True, has_park=True, payout_scale=150)
    with pytest.raises(Foul, match="'due': 2"):  # a Park's 1 becomes 1.5, rounded up
        check(game)


MAJORITIES = [
    ([3, 2, 1], True, {1: 1, 2: 2}),
    ([2, 2, 1], True, {1: 1, 2: 1, 3: 2}),
    ([2, 2, 1], False, {1: 1, 2: 1}),
    ([3, 1, 1], False, {1: 1, 2: 2, 3: 2}),
    ([0, 4, 0], True, {2: 1}),
]


@pytest.mark.parametrize(("counts", "is_second_after_tie", "places"), MAJORITIES)
def test_majorities(counts, is_second_after_tie, places):
    assert ore_city.majorities(dict(enumerate(counts, 1)), is_second_after_tie) == places


def test_small_rules():
    assert ore_city.circle(2) == {1: (2,), 2: (1,)}
    assert ore_city.circle(4) == {1: (2, 4), 2: (1, 3), 3: (2, 4), 4: (1, 3)}
    assert [ore_city.hall_effect(coins, RULES) for coins in (0, 1, 9, 10, 30)] == [5, 0, 0, -5, -5]
    assert [ore_city.reduced(4, technology) for technology in (0, 3, 5)] == [4, 1, 0]
    for row, incomes in enumerate(([0, 2, 2, 2], [0, 1, 10, 10], [0, 2, 20, 20], [0, 10, 10, 10])):
        rule = [RULES[name][row] for name in ("store_flat", "store_per_home", "store_most")]
        assert [ore_city.store_due(n_homes, *rule) for n_homes in (0, 1, 10, 14)] == incomes


# --- Tamperings that hold for every event -------------------------------------------------------------------


def altered(value: Any) -> Iterator[Any]:
    """Yield copies of an event's data with one number in it one higher or lower."""
    for key, part in value.items():
        if type(part) is int:
            yield from (value | {key: part + 1}, value | {key: part - 1})
        elif isinstance(part, dict):
            yield from (value | {key: inner} for inner in altered(part))


def with_event(game: Document, index: int, *events: dict[str, Any]) -> Document:
    """Return the game with the event at `index` replaced."""
    return game | {"events": [*game["events"][:index], *events, *game["events"][index + 1 :]]}


def spoilings(game: Document) -> Iterator[Document]:
    """Yield the game with one event dropped, doubled, swapped, or with a single value changed."""
    events = game["events"]
    for index, event in enumerate(events):
        yield with_event(game, index)
        yield with_event(game, index, event, event)
        if index + 1 < len(events) and event["kind"] != events[index + 1]["kind"]:
            swapped = with_event(game, index, events[index + 1], event)
            yield with_event(swapped, index + 2)
        yield with_event(game, index, event | {"round": event["round"] + 1})
        yield with_event(game, index, event | {"phase": "harbor"})
        yield with_event(game, index, event | {"kind": "sold"})
        yield with_event(game, index, event | {"seat": 2 if event["seat"] in (1, None) else 1})
        yield with_event(game, index, event | {"data": event["data"] | {"note": 1}})
        for data in altered(event["data"]):
            yield with_event(game, index, event | {"data": data})


@pytest.mark.parametrize("name", GAMES)
def test_every_event_altered_is_a_foul(name):
    game = GAMES[name]()
    n_spoilt = 0
    for spoilt in spoilings(game):
        n_spoilt += 1
        try:
            check(spoilt)
        except Foul:
            continue
        pytest.fail(f"accepted: {[e for e in spoilt['events'] if e not in game['events']]}")
    assert n_spoilt > 8 * len(game["events"])


# --- Tamperings that break one rule, and the reason the referee gives ---------------------------------------


def find(game: Document, kind: str, nth: int = 0, seat: int | None = None) -> int:
    """Return the index of the nth event of a kind (of a seat)."""
    found = [i for i, e in enumerate(game["events"]) if e["kind"] == kind and seat in (None, e["seat"])]
    return found[nth]


def put(kind: str, nth: int = 0, seat: int | None = None, **data: Any) -> Tampering:
    """Return a tampering that overwrites data of one event."""
    return lambda game: game["events"][find(game, kind, nth, seat)]["data"].update(data)


def drop(kind: str, nth: int = 0) -> Tampering:
    return lambda game: game["events"].pop(find(game, kind, nth))


def slip(after: str, nth: int, kind: str, seat: int | None, **data: Any) -> Tampering:
    """Return a tampering that slips in an event after another, in its round and phase."""

    def tamper(game: Document) -> None:
        at = find(game, after, nth)
        game["events"].insert(at + 1, game["events"][at] | {"kind": kind, "seat": seat, "data": data})

    return tamper


def rule(**changes: Any) -> Tampering:
    return lambda game: game["rules"].update(changes)


def outcome(**changes: Any) -> Tampering:
    return lambda game: game["outcome"].update(changes)


def both(*tamperings: Tampering) -> Tampering:
    return lambda game: [tamper(game) for tamper in tamperings]


TABLE: list[tuple[str, Tampering, str]] = [
    ("won", lambda game: game.pop("rules"), "missing"),
    ("won", lambda game: game.update(game="ostia"), "not a transcript"),
    ("won", lambda game: game.update(seats=7, strategies=["pen"] * 7), "2 to 6"),
    ("won", lambda game: game.update(seats=2), "2 to 6"),
    ("won", rule(cost=[1] * 16), "rule cost"),
    ("won", rule(second_amount=[[0] * 10] * 3 + [[0] * 9]), "rule second_amount"),
    ("won", rule(win_points=0), "rule win_points"),
    # set-up
    ("won", put("dealt", cards={HOME: 1, FLAT: 1, STORE: 1}), "one card each"),
    ("won", put("extra_drawn", cards={STORE: 1}), "1 residential cards are drawn"),
    ("won", put("extra_discarded", cards={MALL: 1}), "the hand holds only"),
    ("won", put("extra_discarded", cards={ROAD: 1, DINER: 1}), "1 cards are discarded"),
    ("won", put("common_dealt", cards={HOME: 2, PARK: 3}), "the draw pile holds only"),
    ("won", rule(compensation=0), "the rules demand common_dealt"),
    ("six", drop("reshuffle"), "rules demand reshuffle"),
    ("six", put("common_dealt", cards={HOME: 3, FLAT: 2}), "the last cards of the old pile"),
    # turns and construction
    ("won", put("turn_end", coins=1), r"^event 13 \(turn_end\): the rules demand .*'coins': 9"),
    ("won", slip("turn_end", 0, "passed", 1), "seat 1 in round|of seat 2"),
    ("won", put("constructed", 5, name=HALL), "from the hand"),
    ("won", put("constructed", space=2), "neighbour's empty space"),
    ("won", put("constructed", 4, space=1), "residential cards only"),
    ("won", put("constructed", 6, paid=1), "costs seat 3 0"),
    ("hall", put("constructed", space=3), "at home or in the spaces"),
    ("won", put("store_income", due=6, coins=6), "'due': 4"),
    ("won", slip("store_income", 0, "highway_income", 3, cards=1, coins=1), "demand drawn of seat 1"),
    # the end of a turn
    ("won", put("drawn", 5, name=HOSPITAL), "a card of .'residential', 'commercial', 'industrial'. is drawn"),
    # book-closing
    ("closing", put("home_due", 1, place=1, due=11), "'place': 2"),
    ("factories", put("closing_income", coins=11), "'coins': 1"),
    ("factories", rule(factory_limit=2), "'coins': 2"),
    ("park", put("closing_income", coins=1), "'coins': 11"),
    ("closing", rule(second_amount=RULES["first_amount"]), "'due': 11"),
    ("highway", put("store_income", due=4, coins=4), "'due': 2"),
    # accomplishment
    ("won", put("accomplished", name=HOSPITAL), "from the hand"),
    ("won", both(put("drawn", 3, name=HOSPITAL), put("accomplished", 2, name=HOSPITAL)), "Hospital needs 5"),
    ("closing", rule(hospital_homes=10), "Hospital needs 10"),
    ("won", rule(university_stores=4), "University needs 4"),
    ("won", put("stolen", name=SCHOOL), "the hand of seat 1 holds only"),
    ("won", put("stolen", **{"from": 2}), "from an opponent"),
    ("won", drop("scrapped"), "no other card"),
    ("won", put("scrapped", name=CHEMICAL), "acquisition space holds only"),
    ("won", put("accomplished", 1, paid=7), "costs seat 3 8"),
    ("airport", put("scrapped", name=ROAD), "with technology"),
    ("airport", both(rule(technology=[1, 1, 1, 2]), put("scrapped", name=ROAD)), "that space holds only"),
    ("hall", slip("hall_loss", 0, "hall_gift", 2, coins=5), "hall_gift of seat 3"),
    ("hall", rule(hall_threshold=9), "hall_loss of seat 4"),
    ("won", both(rule(cost=[*RULES["cost"][:14], 16, 8, 7]), put("accomplished", 2, paid=15)), "it has 14"),
    # exchange and flush
    ("won", put("laid", cards={HALL: 2}), "the hand holds only"),
    ("won", put("taken", cards={HALL: 1}), "as many cards"),
    ("won", put("taken", cards={HALL: 1, CONDO: 1}), "the common space holds only"),
    ("dry", put("taken", cards={HALL: 1}), "at most one Public Works"),
    ("won", put("common_card", name=STORE), "a card of .'residential'. is drawn"),
    ("won", drop("reshuffle"), "pile holds"),
    ("won", put("reshuffle", cards={CONDO: 1, HOME: 2, FLAT: 2, PARK: 1}), "all residential discards"),
    ("won", slip("drawn", 0, "reshuffle", None, pile="residential", cards={CONDO: 1}), "turn_end"),
    ("won", slip("flushed_common", 0, "reshuffle", None, **RESHUFFLED), "still holds 7"),
    ("dry", both(put("common_card", name=HALL), put("common_card", 1, name=STORE)), "only the pile"),
    ("dry", put("common_card", 1, name=ROAD), "pile holds"),
    # the end
    ("won", slip("accomplished", 3, "hall_gift", 1, coins=5), "rules demand end"),
    ("won", rule(win_points=5), "hall_gift of seat 1"),
    ("won", rule(win_points=3), "rules demand end"),
    ("hall", rule(turn_limit_per_seat=3), "one action"),
    ("won", lambda game: game["events"].append(game["events"][-1]), "the game is over"),
    ("won", outcome(win_share=[0, 0, 1]), "win_share"),
    ("won", outcome(score=[5, 1, 3]), "score"),
    ("won", outcome(rank=[1, 2, 3]), "rank"),
]


@pytest.mark.parametrize(("name", "tamper", "reason"), TABLE, ids=[f"{i}-{row[2]}" for i, row in enumerate(TABLE)])
def test_a_broken_rule_is_a_foul(name, tamper, reason):
    game = GAMES[name]()
    tamper(game)
    with pytest.raises(Foul, match=reason):
        check(game)
