"""Ore City's engine against the rulebook and the rulings (`ORC-n`): every card alone and with others, every action.

Each test lays a table out by hand, seats players that answer as they are told, and calls the engine's own kernels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import strategies
from simcore import kernel, state
from simcore.batch import play_batch
from simcore.chance import below, open_stream
from simcore.errors import AssayError
from simcore.game import RANK, WIN, find_game
from simcore.ore_city import CARDS
from simcore.transcript import decode_events, play_transcript

GAME = find_game("ore_city")
ENGINE = GAME.engine
NUMBER = {name: number for number, name in enumerate(CARDS)}
A, B, C, D, E, F = range(6)
NOBODY = -1
RESIDENTIAL, COMMERCIAL, INDUSTRIAL, PUBLIC_WORKS = range(4)
CONSTRUCT, CLOSE, ACCOMPLISH, EXCHANGE, FLUSH, PASS = range(6)
NEVER = -9  # matches no option
QUEUE = 11  # answers that a view's weights have room for
LEAST_P = 1e-4  # seeds are fixed: a test of chance either always passes or never
FIRST = {  # coins to the first majority holder, by the cards of that name
    "single_house": [1, 2, 4, 6, 8, 11, 14, 17, 21, 25],
    "apartment_house": [2, 3, 5, 8, 11],
    "condominium": [4, 7, 10, 14, 18],
    "park": [1, 2, 3, 4, 6],
}
PRINTED = {("single_house", 6): (11, 4), ("apartment_house", 3): (5, 3)}


@pytest.fixture(autouse=True)
def _words_wrap_around() -> Iterator[None]:
    """Un-jitted, the streams' 64-bit words wrap around with a warning."""
    with np.errstate(over="ignore"):
        yield


# --- scripted players --------------------------------------------------------------------------------------


def obeys(v, r):
    """Any decision: the option it was told next; the first weight counts its answers."""
    at = int(v.weights[0])
    if at >= QUEUE:
        return -1
    v.weights[0] = at + 1
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[1 + 2 * at] and v.options[i, 1] == v.weights[2 + 2 * at]:
            return i
    return -1


def takes_first(v, r):
    return 0


def takes_any(v, r):
    return below(v.whim, v.n_options)


def watches(v, r):
    """Any option, but none once a hand in sight breaks a limit (ORC-12, ORC-13)."""
    for seat in range(v.public.n_seats):
        if v.public.hand_n[seat] > 3 or v.public.hand_types[seat, 3] > 1 or v.public.coins[seat] < 0:
            return -1
    return below(v.whim, v.n_options)


@cache
def hook(function: Callable) -> Callable:
    """The player's function as the engine takes it."""
    view, rules = kernel.record_type(ENGINE.VIEW), kernel.record_type(GAME.rules.dtype)
    return kernel.compiled(function, kernel.types.int64(view, rules))


def all_of(function: Callable) -> tuple[Callable, ...]:
    return (hook(function),) * 6


# --- a table -----------------------------------------------------------------------------------------------


class Table:
    """A state made by hand, the rules in force, and what was logged."""

    def __init__(self, seats: int = 4, *changes: str) -> None:
        self.states = np.zeros(1, ENGINE.STATE)
        self.s = self.states[0]
        self.r = GAME.fill_rules(GAME.rules.parse(changes), seats)[0]
        self.t = np.zeros(1, GAME.tally_dtype)[0]
        self.p = self.s.public
        self.seats = seats
        self.p.n_seats = seats
        self.p.space_type[:] = NOBODY
        self.s.card = NOBODY
        self.s.player[:] = range(6)
        self.s.views["seat"] = range(6)
        self.s.is_logged = 1
        open_stream(self.s.theft, 5, 0, 20)
        for seat in range(6):
            self.tell(seat)

    def tell(self, seat: int, *answers: Any) -> None:
        """Script a seat's next answers: a card's name, a number, or a pair of them."""
        pairs = [answer if isinstance(answer, tuple) else (answer, NOBODY) for answer in answers]
        weights = self.s.views[seat].weights
        weights[:] = NEVER
        weights[0] = 0
        weights[1 : 1 + 2 * len(pairs)] = [NUMBER.get(n, n) for pair in pairs for n in pair]

    def hold(self, seat: int, **cards: int) -> None:
        """Cards come into a hand."""
        for name in spread(cards):
            ENGINE.take_in(self.s, seat, NUMBER[name])

    def lay(self, space: int, builder: int, **cards: int) -> None:
        """Cards that a seat has built in a space."""
        where = {space: 0, (space + 1) % self.seats: 1}.get(builder, 2)
        for name, n in cards.items():
            self.p.space_type[space] = NUMBER[name] // 4
            self.p.space_n[space] += n
            self.p.built[space, where, NUMBER[name] % 4] += n

    def acquire(self, seat: int, **cards: int) -> None:
        for name, n in cards.items():
            self.p.acquired[seat, NUMBER[name] - 8] += n
            self.p.technology[seat] += n * {"wind_turbine": 1, "small_factory": 1, "chemical_factory": 2}[name]

    def stack(self, pile: int, *names: str) -> None:
        """A pile that gives these cards, the first one first."""
        self.p.pile_n[pile] = len(names)
        self.s.pile[pile, : len(names)] = [NUMBER[name] for name in names[::-1]]

    def build(self, seat: int, name: str, n: int = 1, space: int | None = None, coins: int | None = None) -> None:
        """The seat gets the cards, and coins if told, and constructs them, by default in its own space."""
        if coins is not None:
            self.p.coins[seat] = coins
        self.hold(seat, **{name: n})
        self.tell(seat, (seat if space is None else space, n))
        ENGINE.construct(self.s, self.r, self.t, hook(obeys), seat, NUMBER[name])

    def close(self, seat: int) -> None:
        ENGINE.close_books(self.s, self.r, self.t, seat)

    def accomplish(self, seat: int, name: str, *answers: Any) -> None:
        """Play a Public Works card the seat holds."""
        assert (ACCOMPLISH, NUMBER[name]) in self.actions(seat)
        self.tell(seat, *answers)
        hooks = hook(obeys), hook(obeys), all_of(obeys)
        ENGINE.accomplish(self.s, self.r, self.t, *hooks, seat, NUMBER[name])

    def exchange(self, seat: int, *answers: Any) -> None:
        self.tell(seat, *answers)
        ENGINE.exchange(self.s, self.r, hook(obeys), hook(obeys), seat)

    def flush(self, seat: int, *answers: Any) -> None:
        self.tell(seat, *answers)
        ENGINE.flush(self.s, self.r, self.t, hook(obeys), seat)

    def refill(self, seat: int, *answers: Any) -> None:
        self.tell(seat, *answers)
        ENGINE.refill(self.s, self.r, self.t, hook(obeys), seat)

    def turn(self, seat: int, *answers: Any) -> None:
        """A whole turn, the first answer the action."""
        self.tell(seat, *answers)
        ENGINE.take_turn(self.s, self.r, self.t, *all_of(obeys), hook(obeys), all_of(obeys), seat)

    def actions(self, seat: int) -> set[tuple[int, int]]:
        ENGINE.list_actions(self.s, self.r, seat)
        return set(pairs(self.s))

    def look(self, seat: int) -> Any:
        """What a seat sees now."""
        ENGINE.look(self.s, self.r, seat, 1)
        return self.s.views[seat]

    def seen(self, seat: int) -> dict[str, int]:
        return named(self.look(seat).seen_works, 12)

    def events(self, *kinds: str) -> list[tuple[str, int | None, dict[str, Any]]]:
        """What was logged: kind, seat from 0, data."""
        found = [event for event in decode_events(GAME, self.s) if event["kind"] in kinds or not kinds]
        return [(e["kind"], None if e["seat"] is None else e["seat"] - 1, e["data"]) for e in found]

    def coins(self) -> list[int]:
        return self.p.coins[: self.seats].tolist()

    def hand(self, seat: int) -> dict[str, int]:
        assert self.p.hand_n[seat] == self.s.hand[seat].sum() == self.p.hand_types[seat].sum()
        return named(self.s.hand[seat])

    def discards(self) -> dict[str, int]:
        return named(self.p.discards)

    def space(self, space: int) -> dict[int, dict[str, int]]:
        """Cards in a space by the seats that built them."""
        owners = space, (space + 1) % self.seats, (space - 1) % self.seats
        kind = self.p.space_type[space]
        if kind == NOBODY:
            assert self.p.space_n[space] == self.p.built[space].sum() == 0
            return {}
        assert self.p.space_n[space] == self.p.built[space].sum()
        found = {seat: named(row, 4 * kind) for seat, row in zip(owners, self.p.built[space], strict=True) if row.any()}
        assert len(found) == self.p.built[space].any(axis=1).sum()
        return found


def spread(cards: dict[str, int]) -> list[str]:
    return [name for name, n in cards.items() for _ in range(n)]


def named(numbers: Any, first: int = 0) -> dict[str, int]:
    """Numbers of cards by name."""
    return {CARDS[first + i]: int(n) for i, n in enumerate(numbers) if n}


def pairs(options: Any) -> list[tuple[int, int]]:
    """Options listed last, by the engine or in a view."""
    return [tuple(pair) for pair in options.options[: options.n_options].tolist()]


@contextmanager
def refused(table: Table, seat: int) -> Iterator[None]:
    """The answer that this seat gives inside is refused."""
    with pytest.raises(ValueError, match="illegal answer"):
        yield
    assert (table.s.fault, table.s.asked_seat) == (state.NOT_AN_OPTION, seat)


# --- components --------------------------------------------------------------------------------------------


def test_costs_copies_and_points_are_the_printed_ones() -> None:
    rules = GAME.rules.defaults()
    assert rules["cost"].tolist() == [0, 1, 3, 0, 0, 0, 3, 5, 0, 3, 4, 9, 4, 6, 12, 8, 7]
    assert rules["copies"].tolist() == [10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10]
    assert rules["points"].tolist() == [1, 3, 3, 3, 1]
    assert rules["technology"].tolist() == [0, 1, 1, 2]


def test_amounts_and_which_of_them_are_printed() -> None:
    rules = GAME.rules.rules
    for rule, place in ((rules["first_amount"], 0), (rules["second_amount"], 1)):
        marks = np.broadcast_to(rule.provenance, (4, 10))
        assert {(CARDS[i], j + 1) for i, j in zip(*np.nonzero(marks == "printed"), strict=True)} == set(PRINTED)
        for (name, total), amounts in PRINTED.items():
            assert np.array(rule.default)[NUMBER[name], total - 1] == amounts[place]
    for name, amounts in FIRST.items():
        assert list(rules["first_amount"].default[NUMBER[name]][: len(amounts)]) == amounts


@pytest.mark.parametrize(
    ("scale", "first", "apartments_second"),
    [
        (125, [1, 3, 5, 8, 10, 11, 18, 21, 26, 31], [0, 0, 3, 5, 8]),  # 2.5, 7.5 and 17.5 are halves
        (80, [1, 2, 3, 5, 6, 11, 11, 14, 17, 20], [0, 0, 3, 3, 5]),
        (50, [1, 1, 2, 3, 4, 11, 7, 9, 11, 13], [0, 0, 3, 2, 3]),  # 8.5, 10.5 and 12.5
        (0, [0, 0, 0, 0, 0, 11, 0, 0, 0, 0], [0, 0, 3, 0, 0]),
    ],
)
def test_scaled_amounts_are_rounded_half_up_and_printed_ones_stay(
    scale: int, first: list[int], apartments_second: list[int]
) -> None:
    """ORC-25."""
    r = Table(4, f"payout_scale={scale}").r
    assert r.first_paid[0].tolist() == first
    assert r.second_paid[1, :5].tolist() == apartments_second


def test_a_scaled_amount_is_what_a_closing_pays() -> None:
    table = Table(4, "payout_scale=50")
    table.lay(A, A, single_house=6, condominium=1)
    table.close(A)
    assert table.coins()[A] == 11 + 2


@pytest.mark.parametrize(
    ("changes", "seats", "words"),
    [
        ("copies=16,0,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0", 4, "too few construction cards"),
        ("copies=20,2,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0", 6, "too few construction cards"),
        ("copies=10,5,5,5,10,5,5,5,10,5,5,5,0,0,0,0,0", 4, "no Public Works card"),
        ("points=0,0,0,0,0", 4, "no Public Works card that scores"),
        ("points=0,3,3,3,3 copies=10,5,5,5,10,5,5,5,10,5,5,5,9,0,0,0,0", 4, "no Public Works card that scores"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes: str, seats: int, words: str) -> None:
    with pytest.raises(AssayError, match=words):
        GAME.fill_rules(GAME.rules.parse(changes.split()), seats)


@pytest.mark.parametrize("seats", [2, 4])
def test_rules_with_just_enough_cards_are_accepted(seats: int) -> None:
    """Three a seat and five to the common space."""
    copies = f"copies={3 * seats},5,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0"
    assert GAME.fill_rules(GAME.rules.parse([copies]), seats).shape == (1,)
    with pytest.raises(AssayError, match="too few"):
        GAME.fill_rules(GAME.rules.parse([copies]), seats + 1)


# --- game preparation --------------------------------------------------------------------------------------


def prepared(seats: int, *changes: str) -> Table:
    """A table set up by players that discard their first card: Residential ones, as long as they have any."""
    table = Table(seats, *changes)
    ENGINE.prepare(table.s, table.r, table.t, all_of(takes_first))
    return table


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_later_seats_draw_and_discard_more(seats: int) -> None:
    """ORC-2: the discards stay where they are until a pile runs out."""
    table = prepared(seats)
    extra = [n * (n - 1) // 2 for n in range(7)][seats]  # 0 + 1 + 2 + ...
    drawn = [(seat, sum(data["cards"].values())) for _, seat, data in table.events("extra_drawn")]
    assert drawn == [(seat, seat) for seat in range(1, seats)]
    assert table.p.hand_types[:seats].tolist() == [[1, 1, 1, 0]] * seats
    assert table.p.pile_n.tolist() == [25 - seats - extra - 5, 25 - seats, 25 - seats, 35]
    assert table.p.discards[:4].sum() == table.p.discards.sum() == extra
    assert table.p.common[:4].sum() == table.p.common.sum() == 5
    assert table.events("reshuffle") == []
    assert table.coins() == [0] * seats


def test_six_players_reshuffle_the_homes_at_the_fifth_common_card() -> None:
    """ORC-20: 6 and 15 of 25 are drawn, four lie in the common space, the fifth is one of 15 discards."""
    table = prepared(6)
    assert [kind for kind, *_ in table.events()][-2:] == ["reshuffle", "common_dealt"]
    assert sum(table.events("reshuffle")[0][2]["cards"].values()) == 15
    assert table.p.pile_n[RESIDENTIAL] == 14
    assert table.p.discards.sum() == 0
    assert table.p.common.sum() == 5


def test_without_compensation_all_start_with_three_cards_dealt() -> None:
    table = prepared(6, "compensation=0")
    assert table.events("extra_drawn", "extra_discarded", "reshuffle") == []
    assert table.s.n_asked == 0
    assert table.p.hand_types.tolist() == [[1, 1, 1, 0]] * 6
    assert table.p.pile_n.tolist() == [14, 19, 19, 35]


def test_any_card_may_be_discarded_in_the_preparation() -> None:
    table = Table(2)
    table.hold(B, highway=1)
    table.stack(RESIDENTIAL, "park")
    table.tell(B, "highway")
    ENGINE.draw_extra(table.s, table.r, table.t, hook(obeys), B)
    assert table.hand(B) == {"park": 1}
    assert table.discards() == {"highway": 1}


# --- construction: where -----------------------------------------------------------------------------------


def test_a_card_may_go_to_ones_own_space_or_next_door() -> None:
    """ORC-3: as many of the name as one likes; not beyond the neighbours."""
    table = Table(5)
    for space in (B, C, D, E):
        table.lay(space, space, park=1)
    table.hold(A, single_house=1)
    table.build(A, "single_house", 1, E)
    assert pairs(table.s.views[A]) == [(A, 1), (A, 2), (B, 1), (B, 2), (E, 1), (E, 2)]
    assert table.space(E) == {E: {"park": 1}, A: {"single_house": 1}}
    assert table.hand(A) == {"single_house": 1}


def test_two_players_are_each_others_only_neighbour_once() -> None:
    """ORC-1."""
    table = Table(2)
    table.lay(B, B, park=1)
    table.build(A, "single_house", 1, B)
    assert pairs(table.s.views[A]) == [(A, 1), (B, 1)]
    assert table.space(B) == {B: {"park": 1}, A: {"single_house": 1}}
    table.lay(A, A, park=1)
    table.build(B, "single_house", 1, A)
    assert table.space(A) == {A: {"park": 1}, B: {"single_house": 1}}


@pytest.mark.parametrize("space", [B, C, D])
def test_nobody_builds_into_an_empty_space_but_its_owner(space: int) -> None:
    """Nor into a space two seats on, whatever it holds."""
    table = Table(4)
    table.lay(C, C, park=1)
    with refused(table, A):
        table.hold(A, park=1)  # two options in A's own space, so that it is asked
        table.build(A, "park", 1, space)


def test_a_space_takes_one_type_until_it_is_closed() -> None:
    table = Table(4)
    table.lay(A, A, highway=1)
    table.lay(B, B, small_store=1)
    table.hold(A, park=1, restaurant=1, wind_turbine=1)
    table.p.coins[A] = 9
    built = {CARDS[name] for action, name in table.actions(A) if action == CONSTRUCT}
    assert built == {"restaurant", "wind_turbine"}  # the store next door, the turbine at home, the Park nowhere
    table.close(A)
    built = {CARDS[name] for action, name in table.actions(A) if action == CONSTRUCT}
    assert built == {"park", "restaurant", "wind_turbine"}


def test_a_space_takes_all_names_of_its_type() -> None:
    table = Table(4)
    for name in ("single_house", "apartment_house", "condominium", "park"):
        table.build(A, name, coins=3)
    assert table.space(A) == {A: {"single_house": 1, "apartment_house": 1, "condominium": 1, "park": 1}}


def test_an_empty_space_cannot_be_closed_and_a_full_one_only_by_its_owner() -> None:
    table = Table(4)
    table.lay(B, A, park=1)
    assert (CLOSE, NOBODY) not in table.actions(A)
    assert (CLOSE, NOBODY) in table.actions(B)


@pytest.mark.parametrize(
    "name", ["apartment_house", "condominium", "restaurant", "department_store", "wind_turbine", "small_factory"]
)
def test_a_construction_card_is_listed_once_it_can_be_paid(name: str) -> None:
    cost = {"apartment_house": 1, "condominium": 3, "restaurant": 3, "department_store": 5, "wind_turbine": 3}.get(
        name, 4
    )
    table = Table(4)
    table.hold(A, **{name: 1})
    table.p.coins[A] = cost - 1
    assert (CONSTRUCT, NUMBER[name]) not in table.actions(A)
    table.p.coins[A] = cost
    assert (CONSTRUCT, NUMBER[name]) in table.actions(A)


# --- homes -------------------------------------------------------------------------------------------------


def test_chapter_8() -> None:
    """Six Single Houses: A 3, you 2, B 1; three Apartment Houses: you 2, B 1."""
    table = Table(4)
    table.lay(B, A, single_house=3)
    table.lay(B, B, single_house=2, apartment_house=2)
    table.lay(B, C, single_house=1, apartment_house=1)
    table.close(B)
    assert table.coins() == [11, 4 + 5, 3, 0]
    dues = [(seat, data["name"], data["own"], data["place"], data["due"]) for _, seat, data in table.events("home_due")]
    assert dues == [
        (A, "single_house", 3, 1, 11),
        (B, "single_house", 2, 2, 4),
        (B, "apartment_house", 2, 1, 5),
        (C, "apartment_house", 1, 2, 3),
    ]
    assert table.space(B) == {}
    assert table.discards() == {"single_house": 6, "apartment_house": 3}


@pytest.mark.parametrize(
    ("name", "counts", "paid", "without_second"),
    [
        ("single_house", (1, 0, 0), (1, 0, 0), (1, 0, 0)),
        ("single_house", (6, 0, 0), (11, 0, 0), (11, 0, 0)),  # a sole builder: no second amount
        ("single_house", (1, 1, 0), (2, 2, 0), (2, 2, 0)),
        ("single_house", (1, 1, 1), (4, 4, 4), (4, 4, 4)),
        ("single_house", (3, 2, 1), (11, 4, 0), (11, 4, 0)),
        ("single_house", (3, 3, 0), (11, 11, 0), (11, 11, 0)),
        ("single_house", (2, 2, 2), (11, 11, 11), (11, 11, 11)),
        ("single_house", (4, 1, 1), (11, 4, 4), (11, 4, 4)),  # all tied for second in full (ORC-24)
        ("single_house", (2, 2, 1), (8, 8, 3), (8, 8, 0)),  # the next lower count after a tie (ORC-9)
        ("apartment_house", (2, 1, 0), (5, 3, 0), (5, 3, 0)),
        ("apartment_house", (1, 1, 1), (5, 5, 5), (5, 5, 5)),
        ("apartment_house", (2, 2, 1), (11, 11, 6), (11, 11, 0)),
        ("condominium", (2, 1, 1), (14, 6, 6), (14, 6, 6)),
        ("park", (2, 2, 1), (6, 6, 2), (6, 6, 0)),
        ("single_house", (5, 4, 1), (25, 9, 0), (25, 9, 0)),
    ],
)
def test_majorities(name: str, counts: tuple[int, ...], paid: tuple[int, ...], without_second: tuple[int, ...]) -> None:
    """Whichever of the three sits where; switch `second_after_tie`."""
    for changes, amounts in (((), paid), (("second_after_tie=0",), without_second)):
        for builders in permutations((A, B, C)):
            table = Table(3, *changes)
            for builder, n in zip(builders, counts, strict=True):
                if n:
                    table.lay(A, builder, **{name: n})
            table.close(A)
            assert [table.p.coins[builder] for builder in builders] == list(amounts)


def test_two_players_share_a_majority() -> None:
    """ORC-1."""
    table = Table(2)
    table.lay(B, B, single_house=2)
    table.lay(B, A, single_house=4)
    table.close(B)
    assert table.coins() == [11, 4]


def test_more_than_ten_cards_pay_like_ten() -> None:
    table = Table(4, "copies=20,5,5,5,10,5,5,5,10,5,5,5,10,5,5,5,10")
    table.lay(A, A, single_house=12)
    table.close(A)
    assert table.coins()[A] == 25


@pytest.mark.parametrize(
    ("name", "cost"), [("single_house", 0), ("apartment_house", 1), ("condominium", 3), ("park", 0)]
)
def test_each_home_costs_and_pays_by_its_own_table(name: str, cost: int) -> None:
    """It earns at book-closing only, beside homes or not."""
    for n in range(1, 6):
        table = Table(4)
        table.lay(B, B, single_house=4)
        table.build(A, name, n, coins=cost + 1)
        assert table.coins() == [1, 0, 0, 0]
        table.close(A)
        assert table.coins() == [1 + FIRST[name][n - 1], 0, 0, 0]
        assert table.discards() == {name: n}


# --- stores ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cost", "homes", "earned"),
    [
        ("small_store", 0, 0, 0),
        ("small_store", 0, 1, 2),
        ("small_store", 0, 9, 2),
        ("convenience_store", 0, 0, 0),
        ("convenience_store", 0, 1, 1),
        ("convenience_store", 0, 9, 9),
        ("convenience_store", 0, 10, 10),
        ("convenience_store", 0, 11, 10),
        ("restaurant", 3, 0, 0),
        ("restaurant", 3, 1, 2),
        ("restaurant", 3, 9, 18),
        ("restaurant", 3, 10, 20),
        ("restaurant", 3, 11, 20),
        ("department_store", 5, 0, 0),
        ("department_store", 5, 1, 10),
        ("department_store", 5, 9, 10),
    ],
)
def test_stores_earn_by_the_homes_beside_them(name: str, cost: int, homes: int, earned: int) -> None:
    """Whoever built them (ORC-4); homes two seats on and stores beside count for nothing; one coin at book-closing."""
    table = Table(4)
    table.lay(C, C, single_house=5)
    table.lay(D, D, restaurant=2)
    if homes:
        table.lay(B, B, single_house=homes - homes // 2)
        table.lay(B, A, condominium=homes // 4)
        table.lay(B, C, park=homes // 2 - homes // 4)
    table.build(A, name, coins=cost)
    assert table.coins() == [earned, 0, 0, 0]
    assert len(table.events("store_income")) == (earned > 0)
    table.close(A)
    assert table.coins() == [earned + 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "cost", "earned"),
    [("small_store", 0, 2), ("convenience_store", 0, 8), ("restaurant", 3, 16), ("department_store", 5, 10)],
)
def test_a_set_is_paid_once_and_earns_once(name: str, cost: int, earned: int) -> None:
    """ORC-3: eight homes on both sides; at book-closing each card earns."""
    table = Table(4)
    table.lay(B, B, single_house=3)
    table.lay(D, C, park=5)
    table.build(A, name, 3, coins=cost)
    assert table.events("constructed", "store_income") == [
        ("constructed", A, {"name": name, "count": 3, "space": A + 1, "paid": cost}),
        ("store_income", A, {"due": earned, "coins": earned}),
    ]
    table.close(A)
    assert table.coins() == [earned + 3, 0, 0, 0]


def test_the_same_name_again_is_paid_and_fires_again() -> None:
    table = Table(4)
    table.lay(B, B, single_house=4)
    table.build(A, "restaurant", 1, coins=6)
    table.build(A, "restaurant", 1)
    assert table.coins()[A] == 6 + 2 * (8 - 3)


def test_a_store_with_homes_only_where_it_stands_next_to_none_may_earn_nothing_and_still_close() -> None:
    table = Table(4)
    table.build(A, "department_store", coins=5)
    assert table.coins() == [0, 0, 0, 0]
    table.close(A)
    assert table.coins() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("seats", "space", "earned"),
    [
        (2, A, 4),  # B's homes once (ORC-1)
        (2, B, 1),  # A's own; no space beyond
        (3, A, 4 + 16),
        (3, B, 1 + 16),
        (3, C, 1 + 4),
        (4, B, 1 + 16),
        (4, D, 1 + 16),
        (6, A, 4 + 32),
        (6, B, 1 + 16),
        (6, F, 1 + 8),
    ],
)
def test_a_store_looks_at_the_spaces_beside_the_one_it_stands_in(seats: int, space: int, earned: int) -> None:
    """ORC-4: in a neighbour's space, at one's own and the one beyond."""
    homes = {2: (1, 4), 3: (1, 4, 16), 4: (1, 4, 16, 64), 6: (1, 4, 16, 64, 8, 32)}[seats]
    table = Table(seats, "store_most=2,100,20,10")
    for seat, n in enumerate(homes):
        if seat != space:
            table.lay(seat, seat, park=n)
    if space != A:
        table.lay(space, space, small_store=1)
    table.build(A, "convenience_store", 1, space)
    assert table.p.coins[A] == earned


def test_each_closes_for_the_stores_he_built() -> None:
    table = Table(4)
    table.lay(A, A, small_store=2, restaurant=1)
    table.lay(A, B, department_store=1)
    table.lay(A, D, convenience_store=4)
    table.lay(B, B, single_house=5)  # at book-closing homes beside it do not matter
    table.close(A)
    assert table.coins() == [3, 1, 0, 4]
    assert table.discards() == {"small_store": 2, "convenience_store": 4, "restaurant": 1, "department_store": 1}


# --- Highways ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("changes", "earned"), [((), (3, 2, 1, 1)), (("highway_per_set=1",), (1, 2, 1, 1))])
def test_highways_earn_by_the_card_at_each_event(changes: tuple[str, ...], earned: tuple[int, ...]) -> None:
    """ORC-5, ORC-21: for whoever built them; per set, one coin for each builder and space."""
    a, b, c, d = earned
    table = Table(4, *changes)
    table.lay(B, A, highway=3)
    table.lay(B, B, highway=1)
    table.lay(B, C, highway=1)
    table.lay(D, D, highway=1, small_store=0)
    table.lay(A, B, small_store=2)  # B closes with two; the event is one
    table.lay(A, A, restaurant=1)
    table.lay(D, D, wind_turbine=1)
    table.close(A)
    assert table.coins() == [1 + a, 2 + b - 1, c, d]


def test_highways_of_one_builder_in_two_spaces_are_two_sets() -> None:
    """Switch `highway_per_set`."""
    for changes, earned in (((), 5), (("highway_per_set=1",), 2)):
        table = Table(3, *changes)
        table.lay(B, B, highway=2)
        table.lay(C, B, highway=3)
        table.lay(A, A, small_store=1)
        table.close(A)
        assert table.coins() == [1, earned, 0]


def test_highways_earn_when_a_store_beside_them_is_built_and_earns() -> None:
    """Not when it finds no homes, not from two seats away, and two players' Highways once (ORC-1)."""
    table = Table(4)
    table.lay(B, B, highway=2)
    table.lay(C, C, highway=1)
    table.build(A, "small_store")
    assert table.coins() == [0, 0, 0, 0]
    table.lay(D, D, park=1)
    table.build(A, "small_store")
    assert table.coins() == [2, 2, 0, 0]
    pair = Table(2)
    pair.lay(B, B, highway=2)
    pair.lay(A, A, small_store=1)
    pair.close(A)
    assert pair.coins() == [1, 2]


def test_ones_own_highways_earn_from_ones_store_next_door() -> None:
    table = Table(4)
    table.lay(A, A, highway=2)
    table.lay(B, B, small_store=1)
    table.lay(C, C, single_house=1)
    table.build(A, "department_store", 1, B, coins=5)
    assert table.coins() == [10 + 2, 0, 0, 0]
    table.close(B)  # and from his neighbour's closing
    assert table.coins() == [12 + 1 + 2, 1, 0, 0]


def test_highways_do_not_earn_from_homes_or_industry() -> None:
    table = Table(4)
    table.lay(B, B, highway=3)
    table.lay(A, A, single_house=1)
    table.close(A)
    assert table.coins() == [1, 0, 0, 0]
    table.lay(A, A, highway=2)
    table.close(A)
    assert table.coins() == [3, 0, 0, 0]


def test_highways_earn_a_coin_each_when_closed_and_are_discarded() -> None:
    """ORC-24; a factory beside them does not limit Industrial cards (chapter 9.3)."""
    table = Table(4)
    table.lay(B, B, small_factory=1)
    table.lay(A, A, highway=3)
    table.lay(A, D, highway=2)
    table.close(A)
    assert table.coins() == [3, 0, 0, 2]
    assert table.discards() == {"highway": 5}
    assert table.p.technology.sum() == table.p.acquired.sum() == 0


# --- factories and Parks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "factories", [{"small_factory": 1}, {"chemical_factory": 1}, {"small_factory": 2, "chemical_factory": 3}]
)
@pytest.mark.parametrize("both_sides", [False, True])
def test_factories_act_as_one_and_leave_each_player_a_coin_an_event(
    factories: dict[str, int], both_sides: bool
) -> None:
    """Chapter 9.5.3, ORC-6: all names of a closing together."""
    table = Table(4)
    table.lay(B, B, **factories)
    if both_sides:
        table.lay(D, D, **factories)
    table.lay(A, A, single_house=3, apartment_house=2, condominium=1)
    table.lay(A, D, single_house=2)
    table.lay(A, B, apartment_house=1)
    table.close(A)
    assert table.coins() == [1, 1, 0, 1]
    incomes = [(seat, data["due"], data["coins"]) for _, seat, data in table.events("closing_income")]
    assert incomes == [(A, 8 + 5 + 4, 1), (B, 3, 1), (D, 3, 1)]


@pytest.mark.parametrize(
    ("name", "cost"), [("small_store", 0), ("convenience_store", 0), ("restaurant", 3), ("department_store", 5)]
)
def test_a_factory_limits_each_store_when_built(name: str, cost: int) -> None:
    """Two constructions are two events; without homes there is no coin to limit."""
    table = Table(4)
    table.lay(B, B, chemical_factory=1)
    table.build(A, name, coins=cost)
    assert table.coins() == [0, 0, 0, 0]
    table.lay(D, D, single_house=4)
    table.build(A, name, 2, coins=cost)
    assert table.coins() == [1, 0, 0, 0]
    table.build(A, name, coins=cost + 1)
    assert table.coins() == [2, 0, 0, 0]


def test_a_factory_limits_stores_at_book_closing() -> None:
    table = Table(4)
    table.lay(D, A, small_factory=1)
    table.lay(A, A, small_store=3, restaurant=2)
    table.lay(A, B, small_store=1)
    table.close(A)
    assert table.coins() == [1, 1, 0, 0]


def test_a_factory_limits_the_one_who_built_it() -> None:
    """ORC-6: in his own space next to his store, and in the neighbour's next to his homes."""
    table = Table(4)
    table.lay(A, A, small_factory=1)
    table.lay(B, B, small_store=1)
    table.lay(C, C, single_house=4)
    table.build(A, "restaurant", 1, B, coins=3)
    assert table.coins() == [1, 0, 0, 0]
    table = Table(4)
    table.lay(B, B, highway=1)
    table.lay(B, A, small_factory=1)
    table.lay(A, A, condominium=5)
    table.close(A)
    assert table.coins() == [1, 0, 0, 0]


def test_a_factory_reaches_no_farther_than_next_door() -> None:
    """Its own space and the one two seats on are free; other Industrial cards limit nothing."""
    table = Table(4)
    table.lay(C, C, chemical_factory=2)
    table.lay(B, B, highway=1, wind_turbine=3)
    table.lay(A, A, single_house=6)
    table.close(A)
    assert table.coins() == [11, 0, 0, 0]


def test_a_store_is_limited_by_factories_beside_its_space_not_beside_its_builder() -> None:
    table = Table(5)
    table.lay(E, E, small_factory=1)  # A's other neighbour
    table.lay(B, B, small_store=1)
    table.lay(C, C, single_house=4)
    table.build(A, "restaurant", 1, B, coins=3)
    assert table.coins()[A] == 8


def test_a_factory_does_not_limit_highways() -> None:
    """ORC-5: the store earns one coin, Highways beside it one a card."""
    table = Table(4)
    table.lay(B, B, small_factory=1, highway=3)
    table.lay(B, A, highway=1)
    table.lay(D, D, single_house=5)
    table.build(A, "restaurant", 1, coins=3)
    assert table.coins() == [1 + 1, 3, 0, 0]
    table.close(A)
    assert table.coins() == [3 + 1, 6, 0, 0]


def test_a_factory_limits_no_longer_once_it_is_acquired() -> None:
    table = Table(4)
    table.lay(B, B, small_factory=1)
    table.close(B)
    table.lay(A, A, single_house=6)
    table.close(A)
    assert table.coins() == [11, 0, 0, 0]


@pytest.mark.parametrize("builder", [A, B, D])
def test_a_park_protects_its_whole_space(builder: int) -> None:
    """ORC-7: whoever built it, for all who built there, against factories on both sides."""
    table = Table(4)
    table.lay(B, B, small_factory=1)
    table.lay(D, D, chemical_factory=2)
    table.lay(A, A, single_house=4)
    table.lay(A, B, single_house=2)
    table.lay(A, builder, park=1)
    table.close(A)
    assert table.coins() == [11 + (builder == A), 4 + (builder == B), 0, int(builder == D)]


def test_a_park_protects_no_other_space_and_only_while_it_stands() -> None:
    table = Table(4)
    table.lay(B, B, small_factory=1)
    table.lay(D, D, park=1, single_house=3)
    table.build(A, "restaurant", 1, coins=3)  # it sees four homes; the Park does not shield the store
    assert table.coins()[A] == 1
    table = Table(4)
    table.lay(B, B, small_factory=1)
    table.lay(A, A, park=1)
    table.close(A)
    table.lay(A, A, single_house=6)
    table.close(A)
    assert table.coins()[A] == 1 + 1


# --- book-closing of industry, technology ------------------------------------------------------------------


def test_a_closing_pays_then_acquires_then_discards() -> None:
    """ORC-8, ORC-24: Wind Turbines and factories to their builders; Chemical and Small Factory are technology 3."""
    table = Table(4)
    table.lay(A, A, highway=1, small_factory=1, chemical_factory=1)
    table.lay(A, B, wind_turbine=2)
    table.lay(A, D, chemical_factory=1, highway=2)
    table.close(A)
    assert table.events() == [
        ("closed", A, {}),
        ("highway_closing", A, {"cards": 1, "coins": 1}),
        ("highway_closing", D, {"cards": 2, "coins": 2}),
        ("acquired", A, {"cards": {"small_factory": 1, "chemical_factory": 1}}),
        ("acquired", B, {"cards": {"wind_turbine": 2}}),
        ("acquired", D, {"cards": {"chemical_factory": 1}}),
        ("space_cleared", A, {"cards": {"highway": 3}}),
    ]
    assert table.coins() == [1, 0, 0, 2]
    assert table.p.technology[:4].tolist() == [3, 2, 0, 2]
    assert table.p.acquired[:4].tolist() == [[0, 0, 1, 1], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert table.discards() == {"highway": 3}
    assert table.space(A) == {}


def test_stores_and_homes_pay_before_the_space_is_cleared() -> None:
    for cards in ({"small_store": 1}, {"park": 1}):
        table = Table(4)
        table.lay(B, B, highway=1)
        table.lay(A, A, **cards)
        table.close(A)
        assert table.events()[-1] == ("space_cleared", A, {"cards": cards})
        assert table.coins()[:2] == [1, "small_store" in cards]
        assert table.discards() == cards


@pytest.mark.parametrize(
    ("technology", "name", "paid"),
    [
        ({"wind_turbine": 1}, "small_factory", 3),
        ({"small_factory": 1, "chemical_factory": 1}, "chemical_factory", 6),
        ({"chemical_factory": 1}, "condominium", 1),
        ({"wind_turbine": 3}, "restaurant", 0),
        ({"chemical_factory": 3}, "department_store", 0),  # 6 off 5: never below 0
        ({"chemical_factory": 3}, "park", 0),
    ],
)
def test_technology_lowers_the_cost_of_construction(technology: dict[str, int], name: str, paid: int) -> None:
    """ORC-10: once for a set; cards still standing in a space are no technology."""
    table = Table(4)
    table.acquire(A, **technology)
    table.lay(B, A, wind_turbine=3)
    table.build(A, name, 2, coins=9)
    assert table.events("constructed")[0][2]["paid"] == paid
    assert table.coins()[A] == 9 - paid


@pytest.mark.parametrize(("technology", "before", "after"), [(1, 3, 0), (3, 1, 0), (4, 2, 2), (6, 2, 2)])
def test_technology_lowers_the_cost_of_public_works(technology: int, before: int, after: int) -> None:
    """City Hall costs 4, never below 0."""
    table = Table(4, "hall_gift=0")
    table.acquire(A, wind_turbine=technology)
    table.hold(A, city_hall=1)
    if technology < 4:
        table.p.coins[A] = before - 1
        assert (ACCOMPLISH, NUMBER["city_hall"]) not in table.actions(A)
    table.p.coins[A] = before
    table.accomplish(A, "city_hall")
    assert table.coins()[A] == after


# --- public works ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((4, 0, 9, 10), (5, 5, 9, 5)),  # paid down to exactly 0 gives 5; 10 lose 5 and do not then gain
        ((13, 1, 11, 15), (9, 1, 6, 10)),  # 13 - 4 = 9: what counts is left after the cost
        ((14, 0, 0, 99), (5, 5, 5, 94)),
        ((5, 9, 9, 9), (1, 9, 9, 9)),
    ],
)
def test_city_hall(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """ORC-11: for all players, once each."""
    table = Table(4)
    table.p.coins[:4] = before
    table.hold(A, city_hall=1)
    table.accomplish(A, "city_hall")
    assert table.coins() == list(after)
    assert (table.p.points[A], table.hand(A), named(table.p.works[A], 12)) == (1, {}, {"city_hall": 1})


def test_city_hall_gives_nothing_to_whom_it_has_just_ruined() -> None:
    table = Table(4, "hall_threshold=5")
    table.p.coins[:4] = 9, 5, 0, 4
    table.hold(A, city_hall=1)
    table.accomplish(A, "city_hall")
    assert table.coins() == [0, 0, 5, 4]


def test_hospital_needs_five_homes_in_ones_own_space() -> None:
    """ORC-11: whoever built them; they stay. Those next door do not count."""
    table = Table(4)
    table.p.coins[A] = 6
    table.hold(A, hospital=1)
    table.lay(B, A, single_house=5)
    table.lay(A, B, single_house=1, park=1)
    table.lay(A, D, condominium=2)
    hospital = (ACCOMPLISH, NUMBER["hospital"])
    assert hospital not in table.actions(A)
    table.lay(A, A, apartment_house=1)
    table.p.coins[A] = 5
    assert hospital not in table.actions(A)
    table.p.coins[A] = 6
    table.accomplish(A, "hospital")
    assert (table.coins()[A], table.p.points[A], table.p.space_n[A]) == (0, 3, 5)


def test_hospital_does_not_count_stores() -> None:
    table = Table(4)
    table.p.coins[A] = 6
    table.hold(A, hospital=1)
    table.lay(A, A, small_store=6)
    assert (ACCOMPLISH, NUMBER["hospital"]) not in table.actions(A)


def test_university_needs_a_store_in_ones_own_space() -> None:
    """ORC-11."""
    table = Table(4)
    table.p.coins[A] = 12
    table.hold(A, university=1)
    table.lay(B, A, small_store=1)
    university = (ACCOMPLISH, NUMBER["university"])
    assert university not in table.actions(A)
    table.lay(A, D, convenience_store=1)
    table.accomplish(A, "university")
    assert (table.coins()[A], table.p.points[A]) == (0, 3)
    assert table.space(A) == {D: {"convenience_store": 1}}
    table.hold(A, university=1)
    table.p.coins[A] = 11
    assert university not in table.actions(A)


def test_university_does_not_count_homes() -> None:
    table = Table(4)
    table.p.coins[A] = 12
    table.hold(A, university=1)
    table.lay(A, A, single_house=6)
    assert (ACCOMPLISH, NUMBER["university"]) not in table.actions(A)


@pytest.mark.parametrize(
    ("coins", "offered"),
    [
        (4, []),
        (5, [(A, "chemical_factory"), (B, "small_factory")]),
        (6, [(NOBODY, "wind_turbine"), (A, "chemical_factory"), (B, "small_factory")]),
        (7, [(NOBODY, "wind_turbine"), (A, "chemical_factory"), (B, "small_factory"), (NOBODY, "chemical_factory")]),
    ],
)
def test_airport_offers_the_cards_it_can_then_be_paid_with(coins: int, offered: list[tuple[int, str]]) -> None:
    """ORC-19: technology 3 makes it 5; without the turbine 6, without the Chemical Factory 7. Others' cards, never."""
    table = Table(4)
    table.acquire(A, wind_turbine=1, chemical_factory=1)
    table.acquire(B, small_factory=1)
    table.lay(A, A, chemical_factory=1, highway=1)
    table.lay(A, B, small_factory=1)
    table.lay(B, A, small_factory=1)
    table.lay(B, C, wind_turbine=1)
    table.lay(D, D, wind_turbine=1)
    table.hold(A, airport=1)
    table.p.coins[A] = coins
    assert ((ACCOMPLISH, NUMBER["airport"]) in table.actions(A)) == bool(offered)
    ENGINE.list_scraps(table.s, table.r, A)
    assert sorted(pairs(table.s)) == sorted((space, NUMBER[name]) for space, name in offered)


@pytest.mark.parametrize(
    ("space", "name", "left", "technology"),
    [
        (NOBODY, "wind_turbine", 9 - 6, 2),
        (NOBODY, "chemical_factory", 9 - 7, 1),
        (A, "small_factory", 9 - 5, 3),
        (B, "small_factory", 9 - 5, 3),
    ],
)
def test_airport_discards_one_card_and_costs_by_the_technology_left(
    space: int, name: str, left: int, technology: int
) -> None:
    """ORC-19."""
    table = Table(4)
    table.acquire(A, wind_turbine=1, chemical_factory=1)
    table.lay(A, A, small_factory=2)
    table.lay(B, A, small_factory=1)
    table.lay(B, B, highway=1)
    table.hold(A, airport=1)
    table.p.coins[A] = 9
    table.accomplish(A, "airport", (space, name))
    assert table.coins()[A] == left
    assert (table.p.points[A], table.p.technology[A]) == (3, technology)
    assert table.discards() == {name: 1}
    assert table.space(A) == {A: {"small_factory": 2 - (space == A)}}
    assert table.space(B) == {B: {"highway": 1}} | ({} if space == B else {A: {"small_factory": 1}})
    acquired = Counter({"wind_turbine": 1, "chemical_factory": 1}) - Counter([name] * (space == NOBODY))
    assert named(table.p.acquired[A], 8) == dict(acquired)


def test_airport_may_empty_a_neighbours_space() -> None:
    """ORC-19: then the factory limits no more, and only its owner may build there again."""
    table = Table(4)
    table.lay(B, A, chemical_factory=1)
    table.hold(A, airport=1, park=1)
    table.p.coins[A] = 8
    table.accomplish(A, "airport")  # one card to discard: nothing is asked
    assert table.space(B) == {}
    assert (CLOSE, NOBODY) not in table.actions(B)
    table.hold(B, park=1)
    assert (CONSTRUCT, NUMBER["park"]) in table.actions(B)
    table.lay(A, A, single_house=6)
    table.close(A)
    assert table.coins()[A] == 11


@pytest.mark.parametrize("kept", [{}, {"highway": 3}])
def test_airport_needs_a_card_with_technology(kept: dict[str, int]) -> None:
    table = Table(4)
    table.lay(A, A, **kept)
    table.hold(A, airport=1, wind_turbine=1)  # one in hand is none
    table.p.coins[A] = 50
    assert (ACCOMPLISH, NUMBER["airport"]) not in table.actions(A)


def police(table: Table, *answers: Any, **cards: int) -> None:
    """A plays a Police Station against C, who holds these cards; piles give a Park or an Airport."""
    table.p.coins[A] = 7
    table.hold(A, police_station=1, highway=2)
    table.hold(C, **cards)
    table.stack(RESIDENTIAL, "park")
    table.stack(PUBLIC_WORKS, "airport")
    table.accomplish(A, "police_station", *answers)


def test_police_takes_a_card_by_its_back_and_the_victim_draws() -> None:
    """ORC-12: any type of any opponent, or none."""
    table = Table(4)
    table.hold(B, restaurant=1)
    table.tell(C, PUBLIC_WORKS)
    police(table, (C, RESIDENTIAL), single_house=1, wind_turbine=2)
    options = [(NOBODY, NOBODY), (B, COMMERCIAL), (C, RESIDENTIAL), (C, INDUSTRIAL)]
    assert sorted(pairs(table.s.views[A])) == options
    assert table.events("stolen", "drawn") == [
        ("stolen", A, {"from": C + 1, "name": "single_house"}),
        ("drawn", C, {"name": "airport"}),
    ]
    assert table.hand(A) == {"highway": 2, "single_house": 1}
    assert table.hand(C) == {"wind_turbine": 2, "airport": 1}
    assert (table.p.points[A], table.coins()[A]) == (1, 0)


def test_the_victim_with_a_public_works_card_draws_no_other() -> None:
    table = Table(4)
    police(table, (C, RESIDENTIAL), single_house=1, hospital=1)  # one pile is left: nothing is asked
    assert table.hand(C) == {"hospital": 1, "park": 1}
    table = Table(4)
    table.tell(C, PUBLIC_WORKS)
    table.p.pile_n[COMMERCIAL] = 1
    with refused(table, C):
        police(table, (C, RESIDENTIAL), single_house=1, hospital=1)


def test_a_stolen_public_works_card_is_the_thiefs_only_one_and_may_be_replaced() -> None:
    table = Table(4)
    table.tell(C, PUBLIC_WORKS)
    police(table, (C, PUBLIC_WORKS), single_house=1, hospital=1)
    assert table.hand(A) == {"highway": 2, "hospital": 1}
    assert table.hand(C) == {"single_house": 1, "airport": 1}


def test_police_may_take_nothing() -> None:
    table = Table(4)
    police(table, (NOBODY, NOBODY), single_house=1)
    assert table.events("stolen", "drawn") == []
    assert table.hand(C) == {"single_house": 1}
    assert table.p.points[A] == 1


def test_the_victim_may_find_nothing_to_draw() -> None:
    table = Table(2)
    table.p.coins[A] = 7
    table.hold(A, police_station=1)
    table.hold(B, park=2, hospital=1)
    table.stack(PUBLIC_WORKS, "airport")  # barred by his Hospital
    table.accomplish(A, "police_station", (B, RESIDENTIAL))
    assert table.hand(B) == {"park": 1, "hospital": 1}


def test_which_card_of_a_type_is_taken_is_chance() -> None:
    """ORC-12: two Single Houses and a Park."""
    table = Table(2, "win_points=30")
    table.hold(B, single_house=2, park=1)
    taken = Counter[str]()
    for _ in range(600):
        table.hold(A, police_station=1)
        table.p.coins[A], table.p.points[A], table.s.n_events = 7, 0, 0
        table.accomplish(A, "police_station", (B, RESIDENTIAL))
        (name,) = table.hand(A)
        taken[name] += 1
        ENGINE.give_up(table.s, A, NUMBER[name])
        ENGINE.take_in(table.s, B, NUMBER[name])
    assert set(taken) == {"single_house", "park"}
    assert stats.binomtest(taken["park"], 600, 1 / 3).pvalue > LEAST_P


# --- exchange ----------------------------------------------------------------------------------------------


def common_table() -> Table:
    """A Single House and two stores lie in the common space, and face down an Airport and a City Hall."""
    table = Table(4)
    table.p.common[NUMBER["single_house"]] = 1
    table.p.common[NUMBER["small_store"]] = 2
    for name in ("airport", "city_hall"):
        ENGINE.lay_work(table.s, NUMBER[name], 0)
    return table


def test_as_many_cards_come_back_as_are_put_down() -> None:
    table = common_table()
    table.hold(A, park=2, highway=1)
    table.exchange(A, "park", "highway", NOBODY, "small_store", "airport")
    assert table.hand(A) == {"park": 1, "small_store": 1, "airport": 1}
    assert named(table.p.common) == {"single_house": 1, "small_store": 1, "park": 1, "highway": 1}
    assert table.p.common_works == 1
    assert [data["cards"] for _, _, data in table.events("laid", "taken")] == [
        {"park": 1, "highway": 1},
        {"small_store": 1, "airport": 1},
    ]


def test_a_whole_hand_may_be_exchanged_without_being_asked_to_stop() -> None:
    table = common_table()
    table.hold(A, park=1, highway=1)
    table.exchange(A, "park", "highway", "small_store", "small_store")
    assert table.hand(A) == {"small_store": 2}


def test_cards_put_down_may_come_back() -> None:
    """ORC-14."""
    table = common_table()
    table.hold(A, park=1, hospital=1)
    table.exchange(A, "hospital", "park", "park", "hospital")
    assert table.hand(A) == {"park": 1, "hospital": 1}
    assert table.p.common_works == 2


def test_one_public_works_card_at_most_is_taken() -> None:
    """ORC-14: none while one is in hand; the second never."""
    table = common_table()
    table.hold(A, park=1, hospital=1)
    with refused(table, A):
        table.exchange(A, "park", NOBODY, "airport")
    assert {name for name, _ in pairs(table.s.views[A])} == {
        NUMBER["single_house"],
        NUMBER["small_store"],
        NUMBER["park"],
    }
    table = common_table()
    table.hold(A, park=2)
    with refused(table, A):
        table.exchange(A, "park", "park", "airport", "city_hall")


def test_who_exchanges_sees_the_faces_and_keeps_seeing_them() -> None:
    """ORC-14, ORC-23: also when he puts nothing down; the others do not."""
    table = common_table()
    table.hold(A, park=1)
    assert [table.seen(seat) for seat in range(4)] == [{}] * 4
    table.exchange(A, NOBODY)
    assert named(table.s.views[A].seen_works, 12) == {"airport": 1, "city_hall": 1}  # when he was asked
    assert [table.seen(seat) for seat in range(4)] == [{"airport": 1, "city_hall": 1}, {}, {}, {}]


def test_who_lays_a_public_works_card_knows_it_and_no_other() -> None:
    """ORC-23: B looks before A lays, C after; what leaves is forgotten (ORC-27)."""
    table = common_table()
    table.hold(A, hospital=1)
    table.hold(B, park=1)
    table.hold(C, highway=1)
    table.exchange(B, NOBODY)
    table.exchange(A, "hospital", "single_house")
    both = {"airport": 1, "city_hall": 1}
    assert [table.seen(seat) for seat in (A, B, C, D)] == [{**both, "hospital": 1}, both, {}, {}]
    table.exchange(C, "highway", "airport")
    left = {"city_hall": 1, "hospital": 1}
    assert [table.seen(seat) for seat in (A, B, C, D)] == [left, {"city_hall": 1}, left, {}]
    assert table.p.common_works == 2


# --- flush -------------------------------------------------------------------------------------------------


def test_a_flush_deals_eight_homes() -> None:
    """Three to the hand, five to the common space; hand and common space are discarded first."""
    table = common_table()
    table.hold(A, highway=1, hospital=1)
    table.stack(RESIDENTIAL, *["park"] * 3, *["single_house"] * 5, "condominium")
    table.flush(A)
    assert table.hand(A) == {"park": 3}
    assert named(table.p.common) == {"single_house": 5}
    assert table.p.common_works == 0
    assert table.p.pile_n[RESIDENTIAL] == 1
    assert table.discards() == {
        **{"single_house": 1, "small_store": 2, "highway": 1},
        **{"airport": 1, "city_hall": 1, "hospital": 1},
    }
    assert table.s.n_asked == 0


def test_a_flush_reshuffles_the_homes_just_discarded() -> None:
    """ORC-15, ORC-20: once the pile is empty, not before."""
    table = Table(4)
    table.hold(A, park=3)
    table.p.common[NUMBER["park"]] = 1
    table.p.discards[NUMBER["park"]] = 1
    table.stack(RESIDENTIAL, *["single_house"] * 4)
    table.flush(A)
    assert table.hand(A) == {"single_house": 3}
    assert named(table.p.common) == {"single_house": 1, "park": 4}
    assert table.discards() == {}
    assert table.p.pile_n[RESIDENTIAL] == 1
    assert [data["cards"] for _, _, data in table.events("reshuffle")] == [{"park": 5}]


def test_without_homes_the_flusher_names_the_piles() -> None:
    """ORC-22: card by card, a Public Works card at most in hand, in the common space face down and unseen by all."""
    table = Table(4)
    table.stack(RESIDENTIAL, "park")
    table.stack(COMMERCIAL, *["small_store"] * 2)
    table.stack(INDUSTRIAL, *["highway"] * 2)
    table.stack(PUBLIC_WORKS, *["airport"] * 2, *["city_hall"] * 3)
    table.flush(A, PUBLIC_WORKS, INDUSTRIAL, PUBLIC_WORKS, COMMERCIAL, PUBLIC_WORKS, PUBLIC_WORKS, INDUSTRIAL)
    assert table.hand(A) == {"park": 1, "airport": 1, "highway": 1}
    assert named(table.p.common) == {"small_store": 1, "highway": 1}
    assert table.p.common_works == 3
    assert [table.seen(seat) for seat in range(4)] == [{}] * 4
    table = Table(4)
    table.stack(COMMERCIAL, *["small_store"] * 3)
    table.stack(INDUSTRIAL, "highway")
    table.stack(PUBLIC_WORKS, *["airport"] * 3)
    with refused(table, A):
        table.flush(A, PUBLIC_WORKS, PUBLIC_WORKS)


def test_what_a_flush_cannot_draw_stays_missing() -> None:
    """ORC-22: the second card of the hand is the Highway just flushed, the third is not there; nor by refilling."""
    table = Table(4)
    table.hold(A, highway=1)
    table.stack(PUBLIC_WORKS, "airport", "city_hall", "hospital")
    table.turn(A, FLUSH, PUBLIC_WORKS)
    assert table.hand(A) == {"airport": 1, "highway": 1}
    assert (table.p.common.sum(), table.p.common_works) == (0, 2)
    assert table.p.pile_n.sum() == table.p.discards.sum() == 0
    assert table.events("turn_end")[0][2]["hand"] == 2


# --- drawing, passing, the end of a turn -------------------------------------------------------------------


def test_a_hand_is_filled_card_by_card() -> None:
    """ORC-13: each is seen before the next pile is chosen; a second Public Works card is not on offer."""
    table = Table(4)
    table.stack(RESIDENTIAL, "park", "park")
    table.stack(COMMERCIAL, "restaurant")
    table.stack(PUBLIC_WORKS, "airport", "hospital")
    table.refill(A, PUBLIC_WORKS, COMMERCIAL)
    view = table.s.views[A]
    assert named(view.hand) == {"airport": 1}
    assert pairs(view) == [(RESIDENTIAL, NOBODY), (COMMERCIAL, NOBODY)]
    assert view.n_left == 2
    assert table.hand(A) == {"airport": 1, "restaurant": 1, "park": 1}
    assert table.p.pile_n.tolist() == [1, 0, 0, 1]


def test_a_pile_is_reshuffled_only_when_a_card_is_needed() -> None:
    """ORC-20."""
    table = Table(4)
    table.hold(A, highway=2)
    table.stack(RESIDENTIAL, "park")
    table.p.discards[NUMBER["condominium"]] = 2
    table.refill(A)
    assert table.hand(A) == {"highway": 2, "park": 1}
    assert table.events("reshuffle") == []
    assert (table.p.pile_n[RESIDENTIAL], table.discards()) == (0, {"condominium": 2})
    ENGINE.give_up(table.s, A, NUMBER["park"])
    table.refill(A)
    assert table.hand(A) == {"highway": 2, "condominium": 1}
    assert (table.p.pile_n[RESIDENTIAL], table.discards()) == (1, {})


def test_a_hand_stays_short_when_nothing_may_be_drawn() -> None:
    table = Table(4)
    table.hold(A, hospital=1)
    table.stack(PUBLIC_WORKS, "airport", "airport")
    table.turn(A, PASS)
    assert table.hand(A) == {"hospital": 1}
    table.turn(B, PASS)
    assert table.hand(B) == {"airport": 1}


def test_only_the_hand_of_the_one_whose_turn_ends_is_filled() -> None:
    """ORC-13; a pass changes nothing else."""
    table = Table(4)
    table.hold(A, park=2)
    table.hold(B, park=1)
    table.stack(INDUSTRIAL, *["highway"] * 5)
    table.turn(A, PASS)
    assert table.hand(A) == {"park": 2, "highway": 1}
    assert table.hand(B) == {"park": 1}
    end = ("turn_end", A, {"coins": 0, "points": 0, "technology": 0, "hand": 3})
    assert [table.events()[0], table.events()[-1]] == [("passed", A, {}), end]


def test_exchange_flush_and_pass_are_always_open() -> None:
    assert Table(4).actions(A) == {(EXCHANGE, NOBODY), (FLUSH, NOBODY), (PASS, NOBODY)}


# --- what a view shows -------------------------------------------------------------------------------------


def secrets(a_home: str, work: str, top: str, knower: int) -> Table:
    """A's home, a face-down card that one seat knows, and the top of a pile are what tables differ in."""
    table = Table(4)
    table.hold(A, **{a_home: 1})
    table.hold(B, highway=1)
    ENGINE.lay_work(table.s, NUMBER[work], 1 << knower)
    table.stack(RESIDENTIAL, top, "park")
    return table


def test_a_view_does_not_depend_on_what_is_secret() -> None:
    """ORC-18: faces in others' hands and in the piles, and those in the common space that a seat has not seen."""
    plain = secrets("park", "airport", "condominium", knower=A)
    other = secrets("single_house", "hospital", "single_house", knower=C)
    assert plain.look(B).tobytes() == other.look(B).tobytes()
    assert plain.look(D).tobytes() == other.look(D).tobytes()
    assert named(plain.look(A).hand) == {"park": 1}
    assert plain.seen(A) == {"airport": 1}
    assert (other.seen(A), other.seen(C)) == ({}, {"hospital": 1})


def test_a_view_shows_what_lies_open() -> None:
    """ORC-18: the types on the backs, coins, points, spaces, acquired cards, the common space, discards."""
    table = Table(4)
    table.hold(A, park=2, hospital=1)
    table.lay(C, B, small_factory=1)
    table.acquire(D, chemical_factory=1)
    table.p.coins[A], table.p.points[D], table.p.works[D, 1] = 7, 3, 1
    table.p.common[NUMBER["restaurant"]] = 2
    table.p.discards[NUMBER["airport"]] = 1
    p = table.look(B).public
    assert (p.hand_n[A], p.hand_types[A].tolist(), p.coins[A]) == (3, [2, 0, 0, 1], 7)
    assert (p.space_type[C], p.built[C, 2].tolist()) == (INDUSTRIAL, [0, 0, 1, 0])
    assert (p.technology[D], p.acquired[D].tolist(), p.points[D], p.works[D].tolist()) == (
        *(2, [0, 0, 0, 1]),
        *(3, [0, 1, 0, 0, 0]),
    )
    assert (named(p.common), named(p.discards)) == ({"restaurant": 2}, {"airport": 1})


def test_a_view_does_not_remember_cards_taken_or_stolen() -> None:
    """ORC-27: B has seen the Airport that A then takes; D does not learn which home was stolen from C."""
    table = common_table()
    table.hold(B, park=1)
    table.hold(A, park=1)
    table.exchange(B, NOBODY)
    table.exchange(A, "park", "airport")
    assert table.seen(B) == {"city_hall": 1}
    views = []
    for name in ("single_house", "condominium"):
        table = Table(4)
        table.tell(C, PUBLIC_WORKS)
        police(table, (C, RESIDENTIAL), **{name: 1})
        views.append(table.look(D).tobytes())
    assert views[0] == views[1]


# --- end of game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "name", "coins"), [(9, "city_hall", 4), (7, "hospital", 6), (9, "hospital", 6)])
def test_ten_points_end_the_game_at_once(points: int, name: str, coins: int) -> None:
    """ORC-16, ORC-26: no ability, no card is drawn."""
    table = Table(4)
    table.lay(A, A, single_house=5)
    table.p.points[A], table.p.coins[:4] = points, (coins, 0, 20, 0)
    table.hold(A, **{name: 1})
    table.stack(RESIDENTIAL, "park", "park", "park")
    table.turn(A, (ACCOMPLISH, name))
    assert table.s.is_over == 1
    assert table.coins() == [0, 0, 20, 0]
    assert table.hand(A) == {}
    assert [kind for kind, *_ in table.events()] == ["accomplished"]


def test_a_police_station_that_wins_takes_nothing() -> None:
    """ORC-26."""
    table = Table(4)
    table.p.points[A] = 9
    police(table, (C, RESIDENTIAL), single_house=1)
    assert table.s.is_over == 1
    assert table.hand(C) == {"single_house": 1}


def test_nine_points_do_not_end_the_game() -> None:
    table = Table(4)
    table.p.points[A], table.p.coins[A] = 8, 4
    table.hold(A, city_hall=1)
    table.accomplish(A, "city_hall")
    assert (table.s.is_over, table.p.points[A], table.coins()[A]) == (0, 9, 5)


@pytest.mark.parametrize(
    ("is_over", "points", "coins", "ranks", "wins"),
    [
        (0, (3, 5, 5, 0), (9, 2, 7, 99), [3, 2, 1, 4], [0, 0, 0, 0]),  # nobody wins out of turns
        (0, (4, 4, 4, 1), (6, 6, 8, 0), [2, 2, 1, 4], [0, 0, 0, 0]),
        (1, (9, 12, 0, 0), (50, 0, 3, 4), [2, 1, 4, 3], [0, 60, 0, 0]),
    ],
)
def test_ranks_and_win_shares(
    is_over: int, points: tuple[int, ...], coins: tuple[int, ...], ranks: list[int], wins: list[int]
) -> None:
    """ORC-16, ORC-24: by points, then coins."""
    table = Table(4)
    table.p.points[:4], table.p.coins[:4], table.s.is_over = points, coins, is_over
    ENGINE.finish(table.s, table.r, table.t)
    assert table.s.outcome[:4, RANK].tolist() == ranks
    assert table.s.outcome[:4, WIN].tolist() == wins
    assert table.s.outcome[:4, GAME.column("finished")].tolist() == [is_over] * 4


# --- whole games -------------------------------------------------------------------------------------------


def randoms(seats: int) -> list[Any]:
    return [strategies.load_once("ore_city", "random")] * seats


def test_a_game_out_of_turns_has_no_winner() -> None:
    """ORC-16: two turns a seat are too few for ten points."""
    rules = GAME.rules.parse(["turn_limit_per_seat=2"])
    rows = play_batch(GAME, rules, GAME.fill_rules(rules, 3), randoms(3), 1, 0, 20).outcomes[:, 0]
    assert (rows[:, :, WIN] == 0).all()
    assert (rows[:, :, GAME.column("finished")] == 0).all()
    assert (rows[:, :, GAME.column("turns")] == 6).all()
    worth = rows[:, :, GAME.column("score")] * 1000 + rows[:, :, GAME.column("coins")]
    assert (rows[:, :, RANK] == 1 + (worth[:, None, :] > worth[:, :, None]).sum(axis=2)).all()


def test_the_game_ends_with_the_work_that_reaches_the_points() -> None:
    document = play_transcript(GAME, GAME.rules.parse(["win_points=3"]), randoms(3), 4, 0)
    last, end = document["events"][-5:-3]
    assert (last["kind"], end["kind"], end["data"]["finished"]) == ("accomplished", "end", 1)
    winner = last["seat"] - 1
    assert document["outcome"]["win_share"] == [float(seat == winner) for seat in range(3)]
    assert document["outcome"]["score"][winner] >= 3
    assert max(score for seat, score in enumerate(document["outcome"]["score"]) if seat != winner) < 3


def census(found: Any, seats: int) -> list[int]:
    """All cards of a state by name, wherever they lie."""
    p = found["public"]
    cards = found["hand"][:seats].sum(axis=0) + p["discards"]
    cards[:12] += p["common"]
    cards[8:12] += p["acquired"][:seats].sum(axis=0)
    cards[12:] += p["works"][:seats].sum(axis=0)
    for space in range(seats):
        if p["space_type"][space] != NOBODY:
            first = 4 * p["space_type"][space]
            cards[first : first + 4] += p["built"][space].sum(axis=0)
    for pile in range(4):
        np.add.at(cards, found["pile"][pile, : p["pile_n"][pile]], 1)
    np.add.at(cards, found["work_name"][: p["common_works"]], 1)
    return cards.tolist()


@pytest.mark.parametrize("seats", range(2, 7))
def test_no_card_is_lost(seats: int) -> None:
    """All 110, after games cut off at any length."""
    for deal, limit in enumerate((1, 7, 60)):
        rules = GAME.rules.parse([f"turn_limit_per_seat={limit}"])
        found = play_batch(GAME, rules, GAME.fill_rules(rules, seats), randoms(seats), 9, deal, 1).state[0]
        cards = census(found, seats)
        assert cards == rules["copies"].tolist()
        assert sum(cards) == 110


def test_hands_stay_within_their_limits() -> None:
    """ORC-12, ORC-13: three cards, one Public Works card, at every question after the preparation."""
    rules = GAME.rules.parse(["turn_limit_per_seat=60", "cost=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "win_points=30"])
    for seats in (2, 6):
        states, tallies = np.zeros(1, ENGINE.STATE), np.zeros(1, GAME.tally_dtype)
        states["player"] = range(6)
        out = np.zeros((3, seats, len(GAME.outcome_columns)), np.int32)
        hooks = all_of(takes_any), *[all_of(watches)] * 7
        ENGINE.play(states, GAME.fill_rules(rules, seats), tallies, out, np.zeros(3, np.int64), 2, 0, 1, *hooks)
        assert tallies["stolen"].sum() > 0
        assert tallies["actions"].sum(axis=1).all()  # every action was taken
