"""Worked examples of Ore City: chapter 8, and each card alone and with others. `ORC-n` cites a ruling."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import kernel
from simcore.batch import play_batch
from simcore.errors import AssayError
from simcore.game import WIN, find_game
from simcore.ore_city import CARDS, PILES
from simcore.transcript import decode_events, play_transcript

GAME = find_game("ore_city")
ENGINE = GAME.engine
NUMBER = {name: number for number, name in enumerate(CARDS)}
OWN, LEFT, RIGHT = range(3)
A, B, C, D = range(4)
TYPES = dict(zip((*PILES, "nothing"), (0, 1, 2, 3, -1), strict=True))


def answers(v, r):
    """The option that the first two weights name, else the first."""
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[0] and v.options[i, 1] == v.weights[1]:
            return i
    return 0


def draws(v, r):
    """A Public Works card if it may, else from the pile in the third weight."""
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[2]:
            return i
    return 0


@cache
def hook(function: Callable) -> Callable:
    view, rules = kernel.record_type(ENGINE.VIEW), kernel.record_type(GAME.rules.dtype)
    return kernel.compiled(function, kernel.types.int64(view, rules))


class Table:
    """A state made by hand, the rules in force, and what was logged."""

    def __init__(self, seats: int = 4, *changes: str) -> None:
        self.states = np.zeros(1, ENGINE.STATE)
        self.s = self.states[0]
        self.r = GAME.fill_rules(GAME.rules.parse(changes), seats)[0]
        self.t = np.zeros(1, GAME.tally_dtype)[0]
        self.p = self.s.public
        self.p.n_seats = seats
        self.p.space_type[:] = -1
        self.s.player[:] = range(6)
        self.s.is_logged = 1
        self.s.theft = (1, 2, 3, 4)

    def hold(self, seat: int, **cards: int) -> None:
        for name, n in cards.items():
            for _ in range(n):
                ENGINE.take_in(self.s, seat, NUMBER[name])

    def lay(self, space: int, builder: int, **cards: int) -> None:
        """Cards in a space, by their builder as its owner sees him."""
        for name, n in cards.items():
            self.p.space_type[space] = NUMBER[name] // 4
            self.p.space_n[space] += n
            self.p.built[space, builder, NUMBER[name] % 4] += n

    def pile(self, kind: str, *names: str) -> None:
        """A pile that gives these cards, the first one first."""
        at = TYPES[kind]
        self.p.pile_n[at] = len(names)
        self.s.pile[at, : len(names)] = [NUMBER[name] for name in names[::-1]]

    def choose(self, seat: int, first: int, second: int = -1, draw: int = 0) -> None:
        self.s.views[seat].weights[:3] = first, second, draw

    def build(self, seat: int, name: str, n: int, space: int) -> None:
        """Construct cards the seat holds."""
        self.choose(seat, space, n)
        ENGINE.construct(self.s, self.r, self.t, hook(answers), seat, NUMBER[name])

    def close(self, seat: int) -> None:
        ENGINE.close_books(self.s, self.r, self.t, seat)

    def can(self, seat: int, name: str) -> bool:
        return bool(ENGINE.can_accomplish(self.s, self.r, seat, NUMBER[name]))

    def accomplish(self, seat: int, name: str) -> None:
        assert self.can(seat, name)
        drawers = (hook(draws),) * 6
        ENGINE.accomplish(self.s, self.r, self.t, hook(answers), hook(answers), drawers, seat, NUMBER[name])

    def coins(self) -> list[int]:
        return self.p.coins[: self.p.n_seats].tolist()

    def data(self, kind: str) -> list[tuple[int | None, dict[str, Any]]]:
        return [(e["seat"], e["data"]) for e in decode_events(GAME, self.s) if e["kind"] == kind]

    def actions(self, seat: int) -> set[tuple[int, int]]:
        ENGINE.list_actions(self.s, self.r, seat)
        return {tuple(pair) for pair in self.s.options[: self.s.n_options].tolist()}


# --- book-closing of homes ---------------------------------------------------------------------------------


def test_chapter_8() -> None:
    """Six Single Houses pay the first holder 11 and the second 4, three Apartment Houses 5 and 3."""
    table = Table(4)
    table.lay(B, RIGHT, single_house=3)  # A sits on B's right, C on the left
    table.lay(B, OWN, single_house=2, apartment_house=2)
    table.lay(B, LEFT, single_house=1, apartment_house=1)
    table.close(B)
    assert table.coins() == [11, 4 + 5, 3, 0]
    assert table.p.space_type[B] == -1
    assert table.p.space_n[B] == table.p.built[B].sum() == 0
    assert table.p.discards[:2].tolist() == [6, 3]


@pytest.mark.parametrize(
    ("counts", "changes", "paid"),
    [
        ((1, 0, 0), (), [1, 0, 0]),
        ((2, 2, 1), (), [8, 8, 3]),  # tied for first: both in full, the next gets the second amount (ORC-9)
        ((2, 2, 1), ("second_after_tie=0",), [8, 8, 0]),
        ((3, 1, 1), (), [8, 3, 3]),  # tied for second: both in full (ORC-24)
        ((1, 1, 1), (), [4, 4, 4]),
        ((2, 0, 1), (), [4, 0, 1]),
        ((6, 5, 4), (), [25, 9, 0]),  # beyond ten the last amount
    ],
)
def test_majorities(counts: tuple[int, ...], changes: tuple[str, ...], paid: list[int]) -> None:
    table = Table(3, *changes)
    for builder, n in zip((OWN, LEFT, RIGHT), counts, strict=True):
        if n:
            table.lay(A, builder, single_house=n)
    table.close(A)
    assert table.coins() == paid


@pytest.mark.parametrize(
    ("name", "n", "paid"), [("apartment_house", 3, 5), ("condominium", 1, 4), ("park", 5, 6), ("single_house", 6, 11)]
)
def test_each_home_by_its_own_table(name: str, n: int, paid: int) -> None:
    table = Table(4)
    table.lay(D, OWN, **{name: n})
    table.close(D)
    assert table.coins() == [0, 0, 0, paid]


def test_scaled_amounts_round_half_up_and_printed_ones_stay() -> None:
    """ORC-25."""
    r = Table(4, "payout_scale=125").r
    assert r.first_paid[0].tolist() == [1, 3, 5, 8, 10, 11, 18, 21, 26, 31]  # 1.25, 2.5, 5, 7.5, 10, 11 printed, ...
    assert r.second_paid[1, :5].tolist() == [0, 0, 3, 5, 8]


# --- stores ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "homes", "earned"),
    [
        ("small_store", 0, 0),
        ("small_store", 7, 2),
        ("convenience_store", 4, 4),
        ("convenience_store", 12, 10),
        ("restaurant", 4, 8),
        ("restaurant", 12, 20),
        ("department_store", 0, 0),
        ("department_store", 1, 10),
    ],
)
def test_stores_earn_by_the_homes_beside_them(name: str, homes: int, earned: int) -> None:
    """Whoever built them (ORC-4)."""
    table = Table(4)
    if homes:
        table.lay(B, OWN, single_house=homes - homes // 2)
    if homes > 1:
        table.lay(D, RIGHT, park=homes // 2)
    table.lay(C, OWN, single_house=9)  # not adjacent to A
    table.p.coins[A] = 9
    table.hold(A, **{name: 1})
    table.build(A, name, 1, A)
    assert table.p.coins[A] == 9 - table.r.cost[NUMBER[name]] + earned


def test_a_set_costs_once_and_earns_once() -> None:
    """ORC-3, ORC-21."""
    table = Table(4)
    table.lay(B, OWN, single_house=3)
    table.p.coins[A] = 3
    table.hold(A, restaurant=3)
    table.build(A, "restaurant", 3, A)
    assert table.coins() == [6, 0, 0, 0]
    assert table.p.built[A, OWN].tolist() == [0, 0, 3, 0]
    assert table.p.hand_n[A] == 0
    table.close(A)
    assert table.p.coins[A] == 9  # a coin a card


@pytest.mark.parametrize(("seats", "earned"), [(2, 2), (3, 3), (4, 3), (5, 3)])
def test_a_store_next_door_looks_at_ones_own_space_and_the_one_beyond(seats: int, earned: int) -> None:
    """ORC-4; in a circle of two there is no space beyond (ORC-1)."""
    table = Table(seats)
    table.lay(B, OWN, small_store=1)
    table.lay(A, OWN, single_house=2)
    if seats > 2:
        table.lay(C, OWN, single_house=1)
    table.hold(A, convenience_store=1)
    table.build(A, "convenience_store", 1, B)
    assert table.p.coins[A] == earned
    assert table.p.built[B, LEFT if seats == 2 else RIGHT, 1] == 1


# --- where cards may stand ---------------------------------------------------------------------------------


def test_spaces_hold_one_type_and_an_empty_one_is_its_owners() -> None:
    table = Table(4)
    table.p.coins[A] = 9
    table.lay(B, OWN, park=1)
    table.hold(A, single_house=1, small_store=1, wind_turbine=1)
    table.lay(A, OWN, highway=1)
    assert {name for action, name in table.actions(A) if action == 0} == {
        NUMBER["single_house"],
        NUMBER["wind_turbine"],
    }
    table.choose(A, -9)
    ENGINE.construct(table.s, table.r, table.t, hook(answers), A, NUMBER["single_house"])
    assert table.p.built[B, RIGHT, 0] == 1  # the only space that takes it; D's is empty
    table.p.coins[A] = 2
    assert (0, NUMBER["wind_turbine"]) not in table.actions(A)


# --- Industrial cards --------------------------------------------------------------------------------------


def test_highways_earn_when_stores_beside_them_do() -> None:
    """A coin a card and event, for whoever built it (ORC-5, ORC-21)."""
    table = Table(4)
    table.lay(B, OWN, highway=2)
    table.lay(B, LEFT, highway=1)
    table.lay(D, OWN, single_house=1)
    table.hold(A, small_store=1)
    table.build(A, "small_store", 1, A)
    assert table.coins() == [2, 2, 1, 0]
    table.close(A)
    assert table.coins() == [3, 4, 2, 0]
    table.close(B)
    assert table.coins() == [3, 6, 3, 0]
    assert table.p.discards[NUMBER["highway"]] == 3  # none is acquired (ORC-24)


def test_highways_of_a_set_may_earn_as_one() -> None:
    table = Table(4, "highway_per_set=1")
    table.lay(B, OWN, highway=2)
    table.lay(A, OWN, small_store=1)
    table.close(A)
    assert table.coins() == [1, 1, 0, 0]


def test_a_factory_does_not_limit_highways() -> None:
    """ORC-5, ORC-6: the store earns one coin, the Highways of the same space still theirs."""
    table = Table(4)
    table.lay(B, OWN, small_factory=1, highway=3)
    table.lay(D, OWN, single_house=5)
    table.p.coins[A] = 3
    table.hold(A, restaurant=1)
    table.build(A, "restaurant", 1, A)
    assert table.coins() == [1, 3, 0, 0]
    assert table.data("store_income") == [(1, {"due": 10, "coins": 1})]


def test_two_factories_limit_once_each_player_to_one_coin() -> None:
    """Chapter 9.5: all income of a book-closing is one; the owner of a factory is limited too (ORC-6)."""
    table = Table(4)
    table.lay(B, OWN, small_factory=1)
    table.lay(D, OWN, chemical_factory=1)
    table.lay(A, OWN, single_house=3, apartment_house=3)
    table.lay(A, LEFT, single_house=2)
    table.close(A)
    assert table.coins() == [1, 1, 0, 0]
    assert [data for _, data in table.data("closing_income")] == [{"due": 8 + 5, "coins": 1}, {"due": 3, "coins": 1}]


def test_a_factory_two_spaces_away_limits_nothing() -> None:
    table = Table(4)
    table.lay(C, OWN, chemical_factory=2)
    table.lay(A, OWN, single_house=3)
    table.close(A)
    assert table.coins() == [4, 0, 0, 0]


def test_a_park_protects_its_space() -> None:
    """ORC-7."""
    table = Table(4)
    table.lay(B, OWN, small_factory=1)
    table.lay(A, OWN, single_house=3)
    table.lay(A, RIGHT, park=1)
    table.close(A)
    assert table.coins() == [4, 0, 0, 1]


def test_turbines_and_factories_are_acquired_by_their_builders() -> None:
    """Chapter 9.5.2: a Chemical and a Small Factory are technology 3."""
    table = Table(4)
    table.lay(A, OWN, chemical_factory=1, small_factory=1, highway=1)
    table.lay(A, LEFT, wind_turbine=1)
    table.close(A)
    assert table.p.technology[:4].tolist() == [3, 1, 0, 0]
    assert table.p.acquired[A].tolist() == [0, 0, 1, 1]
    assert table.p.acquired[B].tolist() == [0, 1, 0, 0]
    assert table.coins() == [1, 0, 0, 0]
    assert table.p.discards[8:12].tolist() == [1, 0, 0, 0]
    table.hold(A, condominium=1, chemical_factory=1)
    table.build(A, "condominium", 1, A)
    assert table.p.coins[A] == 1  # costs are never below 0
    assert ENGINE.price_of(table.p, table.r, A, NUMBER["chemical_factory"]) == 6


# --- public works ------------------------------------------------------------------------------------------


def test_city_hall_takes_from_the_rich_and_gives_to_those_without() -> None:
    """After its cost is paid, its player included (ORC-11)."""
    table = Table(4)
    table.p.coins[:4] = 4, 0, 9, 10
    table.hold(A, city_hall=1)
    table.accomplish(A, "city_hall")
    assert table.coins() == [5, 5, 9, 5]
    assert table.p.points[A] == 1


def test_hospital_counts_homes_whoever_built_them() -> None:
    table = Table(4)
    table.p.coins[A] = 6
    table.hold(A, hospital=1)
    table.lay(A, OWN, single_house=2)
    table.lay(A, LEFT, park=2)
    assert not table.can(A, "hospital")
    table.lay(A, RIGHT, condominium=1)
    table.accomplish(A, "hospital")
    assert (table.p.points[A], table.p.coins[A], table.p.space_n[A]) == (3, 0, 5)


def test_university_needs_a_store_in_ones_own_space() -> None:
    table = Table(4)
    table.p.coins[A] = 12
    table.hold(A, university=1)
    table.lay(B, RIGHT, small_store=1)
    assert not table.can(A, "university")
    table.lay(A, LEFT, small_store=1)
    table.p.coins[A] = 11
    assert not table.can(A, "university")
    table.p.technology[A] = 1
    table.accomplish(A, "university")
    assert (table.p.points[A], table.p.coins[A]) == (3, 0)


def test_airport_discards_technology_and_costs_what_is_left() -> None:
    """ORC-19: from the acquisition space the technology goes first."""
    table = Table(4)
    table.hold(A, airport=1)
    table.p.coins[A] = 7
    table.lay(A, OWN, highway=1)
    assert not table.can(A, "airport")  # a Highway has no technology
    table.p.acquired[A, 3], table.p.technology[A] = 1, 2
    assert not table.can(A, "airport")  # 8 once the Chemical Factory is gone
    table.p.acquired[A, 1], table.p.technology[A] = 1, 3
    table.accomplish(A, "airport")  # the turbine: 8 - 2 = 6; the Chemical Factory would leave 7
    assert table.p.coins[A] == 1
    assert table.p.technology[A] == 2
    assert table.p.discards[NUMBER["wind_turbine"]] == 1


def test_airport_may_empty_a_neighbours_space() -> None:
    table = Table(4)
    table.hold(A, airport=1)
    table.p.coins[A] = 8
    table.lay(B, RIGHT, small_factory=1)
    table.lay(C, OWN, chemical_factory=1)
    table.accomplish(A, "airport")
    assert table.data("scrapped") == [(1, {"name": "small_factory", "space": 2})]
    assert (table.p.space_type[B], table.p.space_n[B], table.p.space_n[C]) == (-1, 0, 1)
    assert table.p.coins[A] == 0


@pytest.mark.parametrize("has_work", [False, True])
def test_police_takes_a_card_by_its_back(has_work: bool) -> None:
    """ORC-12: the victim draws within the limit of one Public Works card."""
    table = Table(4)
    table.p.coins[A] = 7
    table.hold(A, police_station=1)
    table.hold(C, single_house=1, **({"hospital": 1} if has_work else {}))
    table.pile("residential", "park")
    table.pile("public_works", "airport")
    table.choose(C, -9, draw=TYPES["public_works"])
    table.choose(A, C, TYPES["residential"])
    table.accomplish(A, "police_station")
    assert table.data("stolen") == [(1, {"from": 3, "name": "single_house"})]
    assert table.data("drawn") == [(3, {"name": "park" if has_work else "airport"})]
    assert table.p.hand_types[A].tolist() == [1, 0, 0, 0]
    assert table.p.hand_n[C] == 1 + has_work


def test_police_may_take_nothing() -> None:
    table = Table(4)
    table.p.coins[A] = 7
    table.hold(A, police_station=1)
    table.hold(C, single_house=1)
    table.choose(A, -1, -1)
    table.accomplish(A, "police_station")
    assert table.data("stolen") == []
    assert (table.p.points[A], table.p.hand_n[C]) == (1, 1)


def test_the_tenth_point_ends_the_game_before_the_ability() -> None:
    """ORC-26."""
    table = Table(4)
    table.p.points[A], table.p.coins[:4] = 9, (4, 0, 20, 0)
    table.hold(A, city_hall=1)
    table.accomplish(A, "city_hall")
    assert table.s.is_over == 1
    assert table.coins() == [0, 0, 20, 0]


# --- exchange, flush, drawing ------------------------------------------------------------------------------


def test_an_exchange_shows_faces_to_the_one_who_looks() -> None:
    """ORC-14, ORC-23, ORC-27."""
    table = Table(4)
    ENGINE.lay_work(table.s, NUMBER["airport"], 0)
    table.hold(A, park=1)
    table.choose(A, -1)
    ENGINE.exchange(table.s, table.r, hook(answers), hook(answers), A)
    ENGINE.look(table.s, table.r, A, 0)
    ENGINE.look(table.s, table.r, B, 0)
    assert table.s.views[A].seen_works.tolist() == [0, 0, 0, 1, 0]
    assert table.s.views[B].seen_works.sum() == 0
    assert table.p.common_works == 1
    assert [data for _, data in table.data("laid") + table.data("taken")] == [{"cards": {}}, {"cards": {}}]


def test_as_many_cards_are_taken_as_put_down_and_one_public_work_at_most() -> None:
    table = Table(4)
    ENGINE.lay_work(table.s, NUMBER["airport"], 0)
    table.p.common[0] = 1
    table.hold(A, hospital=1, park=1)
    table.choose(A, NUMBER["park"])
    laid = ENGINE.lay_cards(table.s, table.r, hook(answers), A)
    assert laid == 1
    table.choose(A, NUMBER["airport"])  # not listed: a Hospital is in hand
    ENGINE.take_cards(table.s, table.r, hook(answers), A, laid)
    assert table.data("taken") == [(1, {"cards": {"single_house": 1}})]
    assert table.p.common[3] == 1


def test_a_flush_deals_homes_and_other_cards_only_when_they_run_out() -> None:
    """ORC-15, ORC-22: eight cards; the pile is named by the flusher when homes and their discards are gone."""
    table = Table(4)
    table.hold(A, hospital=1, park=1)
    table.p.common[4] = 2
    table.pile("residential", *["single_house"] * 4)
    table.pile("public_works", "airport", "city_hall")
    table.choose(A, -9, draw=TYPES["public_works"])
    ENGINE.flush(table.s, table.r, table.t, hook(draws), A)
    assert table.s.hand[A, :4].tolist() == [3, 0, 0, 0]
    assert table.p.common[:5].tolist() == [1, 0, 0, 1, 0]  # the fourth house, then the Park out of the discards
    assert table.p.common_works == 3  # Airport and City Hall, then the Hospital that was just flushed
    assert table.p.discards.sum() == 2  # what cannot be named stays: the stores


def test_refilling_stops_when_only_public_works_are_left_and_one_is_held() -> None:
    table = Table(4)
    table.hold(A, hospital=1)
    table.pile("public_works", "airport")
    ENGINE.refill(table.s, table.r, table.t, hook(draws), A)
    assert table.p.hand_n[A] == 1
    table.p.discards[NUMBER["park"]] = 1
    ENGINE.refill(table.s, table.r, table.t, hook(draws), A)
    assert table.p.hand_n[A] == 2
    assert table.data("reshuffle") == [(None, {"pile": "residential", "cards": {"park": 1}})]


# --- whole games -------------------------------------------------------------------------------------------


def events_of(seats: int, *changes: str, name: str = "random", deal: int = 0) -> list[dict[str, Any]]:
    table = [strategies.load_once("ore_city", name)] * seats
    return play_transcript(GAME, GAME.rules.parse(changes), table, 3, deal)["events"]


def test_six_players_use_up_the_homes_before_the_fifth_common_card() -> None:
    """ORC-20: 6 + 15 of 25 are drawn; the pile is empty when the fifth card is needed."""
    setup = [event for event in events_of(6) if event["phase"] == "setup"]
    assert [event["kind"] for event in setup][-2:] == ["reshuffle", "common_dealt"]
    drawn = [sum(event["data"]["cards"].values()) for event in setup if event["kind"] == "extra_drawn"]
    assert drawn == [1, 2, 3, 4, 5]


def test_without_compensation_nobody_draws_more() -> None:
    kinds = {event["kind"] for event in events_of(6, "compensation=0")}
    assert "extra_drawn" not in kinds
    assert "extra_discarded" not in kinds


def test_a_game_that_runs_out_of_turns_has_no_winner() -> None:
    """ORC-16, ORC-24."""
    rules = GAME.rules.parse(["turn_limit_per_seat=3"])
    table = [strategies.load_once("ore_city", "random")] * 4
    rows = play_batch(GAME, rules, GAME.fill_rules(rules, 4), table, 1, 0, 50).outcomes[:, 0]
    assert (rows[:, :, WIN] == 0).all()
    assert (rows[:, :, GAME.column("turns")] == 12).all()
    assert (rows[:, :, GAME.column("finished")] == 0).all()
    keys = rows[:, :, GAME.column("score")] * 1000 + rows[:, :, GAME.column("coins")]
    assert (rows[:, :, GAME.column("rank")] == 1 + (keys[:, None, :] > keys[:, :, None]).sum(axis=2)).all()


def test_no_card_is_lost() -> None:
    """All 110, wherever they lie, after any game."""
    rules = GAME.rules.defaults()
    for seats in GAME.seats:
        table = [strategies.load_once("ore_city", "random")] * seats
        for deal in range(4):
            state = play_batch(GAME, rules, GAME.fill_rules(rules, seats), table, 9, deal, 1).state[0]
            p = state["public"]
            held = state["hand"][:seats].sum(axis=0) + p["discards"]
            held[:12] += p["common"]
            held[8:12] += p["acquired"][:seats].sum(axis=0)
            held[12:] += p["works"][:seats].sum(axis=0)
            for space in range(seats):
                if p["space_type"][space] >= 0:
                    first = 4 * p["space_type"][space]
                    held[first : first + 4] += p["built"][space].sum(axis=0)
            for pile in range(4):
                np.add.at(held, state["pile"][pile, : p["pile_n"][pile]], 1)
            np.add.at(held, state["work_name"][: p["common_works"]], 1)
            assert held.tolist() == rules["copies"].tolist()
            assert held.sum() == 110


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (("copies=0,0,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0",), "too few construction cards"),
        (("copies=10,5,5,5,10,5,5,5,10,5,5,5,0,0,0,0,0",), "all Public Works together score 0"),
        (("points=0",), "wrong shape"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes: tuple[str, ...], words: str) -> None:
    with pytest.raises(AssayError, match=words):
        GAME.fill_rules(GAME.rules.parse(changes), 4)


# --- what is tallied ---------------------------------------------------------------------------------------


def test_a_payout_is_tallied_by_name_place_and_action() -> None:
    """B puts two Single Houses down at once and one more; A one next door; B closes: 3 + 1 of four, in three actions."""
    table = Table(4)
    table.p.coins[:] = 20
    cost = int(table.r.cost[NUMBER["single_house"]])
    table.hold(B, single_house=3)
    table.hold(A, single_house=1)
    table.build(B, "single_house", 2, B)
    table.build(B, "single_house", 1, B)
    table.build(A, "single_house", 1, B)
    table.close(B)
    first, second = table.p.coins[B] - 20 + 2 * cost, table.p.coins[A] - 20 + cost
    place = {name: at for at, name in enumerate(GAME.tally("payout").axes[3].labels)}
    closer, neighbour = range(2)
    payout = table.t["payout"][NUMBER["single_house"], 3]  # four cards of that name
    assert payout[2, place["first"], closer].tolist() == [1, first, first, 2]
    assert payout[0, place["second"], neighbour].tolist() == [1, second, second, 1]
    assert payout.sum(axis=(0, 1, 2)).tolist() == [2, first + second, first + second, 3]
    assert table.t["card_income"][NUMBER["single_house"]].tolist() == [4, first + second, 0, first + second - 3 * cost]
    table.hold(B, single_house=1)
    table.build(B, "single_house", 1, B)
    table.close(B)
    alone = table.t["payout"][NUMBER["single_house"], 0, 0, place["first"], closer]
    assert alone[3] == 1  # what was put down before the space was cleared no longer counts
