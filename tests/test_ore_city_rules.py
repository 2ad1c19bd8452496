"""Ore City's engine against the rulebook and the rulings (`ORC-n`): every card alone and with others, every action.

Each test lays a table out by hand, seats players that answer as they are told, and has the engine's kernels play turns.
A table is written down as `A 2 park, condominium; A/B park; B+ wind_turbine`: in A's space two Parks and a Condominium
of A's own and a Park that B built there, and in B's acquisition space a Wind Turbine.
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
from simcore.ore_city import CARDS, PILES
from simcore.transcript import decode_events

GAME = find_game("ore_city")
ENGINE = GAME.engine
NUMBER = {name: number for number, name in enumerate(CARDS)}
SEATS = "ABCDEF"
A, B, C, D, E, F = range(6)
NOBODY = -1
NEVER = -9  # matches no option
QUEUE = 10  # answers that a view's weights have room for
RESIDENTIAL, COMMERCIAL, INDUSTRIAL, PUBLIC_WORKS = range(4)
CONSTRUCT, CLOSE, ACCOMPLISH, EXCHANGE, FLUSH, PASS = range(6)
TECHNOLOGY = {"wind_turbine": 1, "small_factory": 1, "chemical_factory": 2}
LEAST_P = 1e-4  # seeds are fixed: a test of chance either always passes or never
PRINTED = {("single_house", 6): (11, 4), ("apartment_house", 3): (5, 3)}


@pytest.fixture(autouse=True)
def _words_wrap_around() -> Iterator[None]:
    """Un-jitted, the streams' 64-bit words wrap around with a warning."""
    with np.errstate(over="ignore"):
        yield


# --- scripted players --------------------------------------------------------------------------------------


def obeys(v, r):
    """Any decision: the option it was told next; the first weight counts its answers."""
    at = min(int(v.weights[0]), QUEUE)  # there is no further answer
    v.weights[0] = at + 1
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[1 + 2 * at] and v.options[i, 1] == v.weights[2 + 2 * at]:
            return i
    return -1


def takes_first(v, r):
    return 0


def watches(v, r):
    """Any option, but none once a hand breaks a limit (ORC-12, ORC-13)."""
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


def cards_of(text: str) -> dict[str, int]:
    """`2 park, condominium`."""
    words = [part.split() for part in text.split(",") if part.strip()]
    return {name: int(*n or [1]) for *n, name in words}


def parts(text: str) -> list[tuple[str, str, int]]:
    """`A 2 park, condominium; A/B park`: place, card, number."""
    split = [part.strip().split(" ", 1) for part in text.split(";") if part.strip()]
    return [(place, name, n) for place, cards in split for name, n in cards_of(cards).items()]


class Table:
    """A state made by hand, the rules in force, and what was logged.

    `coins` from seat A on; `spaces` and `hands` by seat, `piles` by type, the first card on top; Public Works cards
    among the `common` ones lie face down and unseen.
    """

    def __init__(self, seats: int = 4, changes: str = "", coins: tuple[int, ...] = (), **cards: str) -> None:
        self.seats = seats
        self.states = np.zeros(1, ENGINE.STATE)
        self.s = self.states[0]
        self.r = GAME.fill_rules(GAME.rules.parse(changes.split()), seats)[0]
        self.t = np.zeros(1, GAME.tally_dtype)[0]
        self.p = self.s.public
        self.p.n_seats = seats
        self.p.space_type[:] = self.s.card = NOBODY
        self.p.coins[: len(coins)] = coins
        self.s.player[:] = self.s.views["seat"] = range(6)
        self.s.is_logged = 1
        open_stream(self.s.theft, 5, 0, 20)
        for seat in range(6):
            self.tell(seat)
        for kind, text in cards.items():
            getattr(self, f"put_{kind}")(text)

    def put_spaces(self, text: str) -> None:
        for place, name, n in parts(text):
            space, kind = SEATS.index(place[0]), NUMBER[name] % 4
            if place[-1] == "+":
                self.p.acquired[space, kind] += n
                self.p.technology[space] += n * TECHNOLOGY[name]
            else:
                self.p.space_type[space] = NUMBER[name] // 4
                self.p.space_n[space] += n
                self.p.built[space, self.owners(space).index(SEATS.index(place[-1])), kind] += n

    def put_hands(self, text: str) -> None:
        for place, name, n in parts(text):
            for _ in range(n):
                ENGINE.take_in(self.s, SEATS.index(place), NUMBER[name])

    def put_piles(self, text: str) -> None:
        for place, name, n in reversed(parts(text)):
            at = PILES.index(place)
            self.s.pile[at, self.p.pile_n[at] : self.p.pile_n[at] + n] = NUMBER[name]
            self.p.pile_n[at] += n

    def put_discards(self, text: str) -> None:
        for name, n in cards_of(text).items():
            self.p.discards[NUMBER[name]] += n

    def put_common(self, text: str) -> None:
        for name, n in cards_of(text).items():
            if NUMBER[name] < 12:
                self.p.common[NUMBER[name]] += n
            else:
                ENGINE.lay_work(self.s, NUMBER[name], 0)

    def tell(self, seat: int, *answers: Any) -> None:
        """Script a seat's next answers: a card's name, a number, or a pair of them."""
        pairs = [answer if isinstance(answer, tuple) else (answer, NOBODY) for answer in answers]
        weights = self.s.views[seat].weights
        weights[:] = NEVER
        weights[0] = 0
        weights[1 : 1 + 2 * len(pairs)] = [NUMBER.get(n, n) for pair in pairs for n in pair]

    def turn(self, seat: int, *answers: Any) -> None:
        """A whole turn; the first answer is the action."""
        self.tell(seat, *answers)
        ENGINE.take_turn(self.s, self.r, self.t, *all_of(obeys), hook(obeys), all_of(obeys), seat)

    def build(self, seat: int, cards: str, space: int | None = None) -> None:
        """The seat gets cards of a name, as `2 park`, and constructs them, by default in its own space."""
        ((name, n),) = cards_of(cards).items()
        self.put_hands(f"{SEATS[seat]} {cards}")
        self.turn(seat, (CONSTRUCT, name), (seat if space is None else space, n))

    def accomplish(self, seat: int, name: str, *answers: Any) -> None:
        """The seat gets that card and plays it."""
        self.put_hands(f"{SEATS[seat]} {name}")
        self.turn(seat, (ACCOMPLISH, name), *answers)

    def can(self, seat: int, action: int) -> set[str | None]:
        """The cards with which the seat may take an action."""
        ENGINE.list_actions(self.s, self.r, seat)
        return {CARDS[name] if name >= 0 else None for what, name in pairs(self.s) if what == action}

    def look(self, seat: int) -> Any:
        """What a seat sees now."""
        ENGINE.look(self.s, self.r, seat, 1)
        return self.s.views[seat]

    def seen(self, *seats: int) -> list[dict[str, int]]:
        """Faces each seat knows of the Public Works cards in the common space."""
        return [named(self.look(seat).seen_works, 12) for seat in seats]

    def events(self, *kinds: str) -> list[tuple[str, int | None, dict[str, Any]]]:
        """What was logged: kind, seat from 0, data."""
        found = [event for event in decode_events(GAME, self.s) if event["kind"] in kinds or not kinds]
        return [(e["kind"], None if e["seat"] is None else e["seat"] - 1, e["data"]) for e in found]

    def coins(self) -> list[int]:
        return self.p.coins[: self.seats].tolist()

    def hand(self, seat: int) -> dict[str, int]:
        assert self.p.hand_n[seat] == self.s.hand[seat].sum() == self.p.hand_types[seat].sum()
        return named(self.s.hand[seat])

    def owners(self, space: int) -> tuple[int, ...]:
        """Who may build in a space: its owner, his left and his right neighbour."""
        return tuple(dict.fromkeys((space, (space + 1) % self.seats, (space - 1) % self.seats)))

    def space(self, space: int) -> dict[int, dict[str, int]]:
        """Cards in a space by the seats that built them."""
        built, kind = self.p.built[space], self.p.space_type[space]
        assert self.p.space_n[space] == built.sum()
        assert (kind == NOBODY) == (built.sum() == 0)
        return {who: named(row, 4 * kind) for who, row in zip(self.owners(space), built, strict=False) if row.any()}


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


def scenes(text: str) -> list[Any]:
    """Lines of `field | field = numbers # what it shows`, as parameters."""
    found = []
    for line in text.strip().splitlines():
        scene, what = line.split(" #")
        fields, numbers = scene.split("=")
        found.append(pytest.param(*map(str.strip, fields.split("|")), [*map(int, numbers.split())], id=what.strip()))
    return found


# --- components and preparation ----------------------------------------------------------------------------


def test_the_components_are_the_printed_ones():
    """Of the amounts four are printed, the others marked as reconstructed."""
    rules, marks = GAME.rules.defaults(), GAME.rules.rules
    assert rules["cost"].tolist() == [0, 1, 3, 0, 0, 0, 3, 5, 0, 3, 4, 9, 4, 6, 12, 8, 7]
    assert rules["copies"].tolist() == [10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10, 5, 5, 5, 10]
    assert rules["points"].tolist() == [1, 3, 3, 3, 1]
    assert rules["technology"].tolist() == [0, 1, 1, 2]
    for name, place in (("first_amount", 0), ("second_amount", 1)):
        is_printed = np.broadcast_to(marks[name].provenance, (4, 10)) == "printed"
        assert {(CARDS[i], j + 1) for i, j in np.argwhere(is_printed)} == set(PRINTED)
        for (home, total), amounts in PRINTED.items():
            assert rules[name][NUMBER[home], total - 1] == amounts[place]


@pytest.mark.parametrize(
    ("scale", "first", "apartments_second"),
    [
        (125, [1, 3, 5, 8, 10, 11, 18, 21, 26, 31], [0, 0, 3, 5, 8]),  # 2.5, 7.5, 17.5 and 7.5 are halves
        (50, [1, 1, 2, 3, 4, 11, 7, 9, 11, 13], [0, 0, 3, 2, 3]),  # 0.5, 8.5, 10.5 and 12.5
    ],
)
def test_scaled_amounts_round_half_up_and_printed_ones_stay(scale, first, apartments_second):
    """ORC-25; a closing pays them."""
    table = Table(4, f"payout_scale={scale}", spaces="A 10 single_house")
    assert table.r.first_paid[0].tolist() == first
    assert table.r.second_paid[1, :5].tolist() == apartments_second
    table.turn(A, CLOSE)
    assert table.coins()[A] == first[9]


@pytest.mark.parametrize("seats", [2, 4])
def test_rules_that_cannot_be_played_are_refused(seats):
    """Three cards a seat and five common ones are enough."""
    enough = f"copies={3 * seats},5,0,0,0,0,0,0,0,0,0,0,10,0,0,0,0"
    assert GAME.fill_rules(GAME.rules.parse([enough]), seats).shape == (1,)
    with pytest.raises(AssayError, match="leaves too few construction cards"):
        GAME.fill_rules(GAME.rules.parse([enough]), seats + 1)
    no_works, only_city_hall = (f"copies=10,5,5,5,10,5,5,5,10,5,5,5,{n},0,0,0,0" for n in (0, 9))
    for changes in ([no_works], ["points=0,0,0,0,0"], ["points=0,3,3,3,3", only_city_hall]):
        with pytest.raises(AssayError, match=r"all Public Works together score 0$"):
            GAME.fill_rules(GAME.rules.parse(changes), seats)


def prepared(seats: int, changes: str = "") -> Table:
    """A table set up by players that discard their first card: Residential ones, as long as they have any."""
    table = Table(seats, changes)
    ENGINE.prepare(table.s, table.r, table.t, all_of(takes_first))
    assert table.p.hand_types[:seats].tolist() == [[1, 1, 1, 0]] * seats
    assert table.p.common[:4].sum() == table.p.common.sum() == 5
    return table


@pytest.mark.parametrize(("seats", "extra"), [(2, 1), (3, 3), (4, 6), (5, 10)])
def test_later_seats_draw_and_discard_more(seats, extra):
    """ORC-2: the discards stay where they are until a pile runs out."""
    table = prepared(seats)
    drawn = [(seat, sum(data["cards"].values())) for _, seat, data in table.events("extra_drawn")]
    assert drawn == [(seat, seat) for seat in range(1, seats)]
    assert table.p.pile_n.tolist() == [25 - seats - extra - 5, 25 - seats, 25 - seats, 35]
    assert table.p.discards[:4].sum() == table.p.discards.sum() == extra
    assert table.events("reshuffle") == []


def test_six_players_reshuffle_the_homes_at_the_fifth_common_card():
    """ORC-20: 6 and 15 of 25 are drawn, four come into the common space, the fifth is one of 15 discards."""
    table = prepared(6)
    assert [kind for kind, *_ in table.events()][-2:] == ["reshuffle", "common_dealt"]
    assert sum(table.events("reshuffle")[0][2]["cards"].values()) == 15
    assert (table.p.pile_n[RESIDENTIAL], table.p.discards.sum()) == (14, 0)
    table = prepared(6, "compensation=0")
    assert table.events("extra_drawn", "extra_discarded", "reshuffle") == []
    assert table.s.n_asked == 0
    assert table.p.pile_n.tolist() == [14, 19, 19, 35]


# --- construction: where, and at what cost -----------------------------------------------------------------


@pytest.mark.parametrize(("seats", "spaces"), [(2, {A, B}), (3, {A, B, C}), (5, {A, B, E})])
def test_as_many_cards_of_a_name_as_one_likes_at_home_or_next_door(seats, spaces):
    """ORC-3: not beyond the neighbours; two players are each other's neighbour once (ORC-1)."""
    table = Table(seats, spaces="; ".join(f"{seat} park" for seat in SEATS[1:seats]), hands="A 2 single_house")
    space = max(spaces)
    table.turn(A, (CONSTRUCT, "single_house"), (space, 1))
    assert sorted(pairs(table.s.views[A])) == [(space, n) for space in sorted(spaces) for n in (1, 2)]
    assert table.space(space) == {space: {"park": 1}, A: {"single_house": 1}}
    assert table.hand(A) == {"single_house": 1}


def test_nobody_builds_into_an_empty_space_but_its_owner():
    table = Table(4, spaces="C park", hands="A 2 park")
    with refused(table, A):
        table.turn(A, (CONSTRUCT, "park"), (B, 1))
    assert pairs(table.s.views[A]) == [(A, 1), (A, 2)]


def test_a_space_takes_all_names_of_one_type_until_it_is_closed():
    table = Table(4, coins=(9,), spaces="A highway; B small_store", hands="A park, restaurant, wind_turbine")
    assert table.can(A, CONSTRUCT) == {"restaurant", "wind_turbine"}  # next door, at home
    table.turn(A, CLOSE)
    assert table.can(A, CONSTRUCT) == {"park", "restaurant", "wind_turbine"}
    table.turn(A, (CONSTRUCT, "park"))
    for name in ("single_house", "apartment_house", "condominium"):
        table.build(A, name)
    assert table.space(A) == {A: {"single_house": 1, "apartment_house": 1, "condominium": 1, "park": 1}}


@pytest.mark.parametrize(("name", "cost"), list(zip(CARDS, [0, 1, 3, 0, 0, 0, 3, 5, 0, 3, 4, 9], strict=False)))
def test_a_card_is_constructed_once_it_can_be_paid(name, cost):
    """A set of two for one cost; technology 2 or 6 makes it cheaper, never below 0 (ORC-3, ORC-10)."""
    for acquired, technology in (("", 0), ("A+ chemical_factory", 2), ("A+ 2 chemical_factory, 2 small_factory", 6)):
        price = max(cost - technology, 0)
        table = Table(4, coins=(max(price - 1, 0),), hands=f"A 2 {name}", spaces=f"{acquired}; C highway")
        assert (name in table.can(A, CONSTRUCT)) == (price == 0)
        table.p.coins[A] = price + 1
        table.turn(A, (CONSTRUCT, name), (A, 2))
        assert (table.coins()[A], table.space(A), table.hand(A)) == (1, {A: {name: 2}}, {})


# --- book-closing ------------------------------------------------------------------------------------------


def test_chapter_8():
    """Six Single Houses: A 3, you 2, B 1; three Apartment Houses: you 2, B 1."""
    table = Table(4, hands="B 3 highway")
    table.put_spaces("B/A 3 single_house; B 2 single_house, 2 apartment_house; B/C single_house, apartment_house")
    table.turn(B, CLOSE)
    assert [(seat, data["due"]) for _, seat, data in table.events("home_due")] == [(A, 11), (B, 4), (B, 5), (C, 3)]
    assert table.coins() == [11, 4 + 5, 3, 0]
    assert table.space(B) == {}
    assert named(table.p.discards) == {"single_house": 6, "apartment_house": 3}


# cards of three builders, what they are paid, and with the switch `second_after_tie` off
MAJORITIES = """
single_house | 6 0 0 | 11 0 0 = 11 0 0      # a sole builder: no second amount
single_house | 12 0 0 | 25 0 0 = 25 0 0     # more than ten pay like ten
single_house | 1 1 1 | 4 4 4 = 4 4 4        # all tied for first in full
single_house | 3 2 1 | 11 4 0 = 11 4 0      # the third gets nothing
single_house | 3 3 0 | 11 11 0 = 11 11 0    # no lower count
single_house | 4 1 1 | 11 4 4 = 11 4 4      # all tied for second in full (ORC-24)
single_house | 2 2 1 | 8 8 3 = 8 8 0        # the next lower count after a tie (ORC-9)
apartment_house | 2 1 0 | 5 3 0 = 5 3 0     # Apartment Houses
apartment_house | 2 2 1 | 11 11 6 = 11 11 0 # after a tie
condominium | 2 1 1 | 14 6 6 = 14 6 6       # Condominiums
park | 2 2 1 | 6 6 2 = 6 6 0                # Parks
"""


@pytest.mark.parametrize(("name", "counts", "paid", "without_second"), scenes(MAJORITIES))
def test_majorities(name, counts, paid, without_second):
    """Whichever of the three sits where."""
    for changes, amounts in (("", list(map(int, paid.split()))), ("second_after_tie=0", without_second)):
        for builders in permutations("ABC"):
            table = Table(3, changes)
            for builder, n in zip(builders, counts.split(), strict=True):
                table.put_spaces(f"A/{builder} {n} {name}")
            table.turn(A, CLOSE)
            assert [table.p.coins[SEATS.index(builder)] for builder in builders] == amounts


# what A's closing brings all seats, by the cards there and around
CLOSINGS = """
A single_house, park = 2 0 0 0                                        # each name for itself
A 5 apartment_house = 11 0 0 0                                        # Apartment Houses
A condominium; A/B apartment_house = 4 2 0 0                          # Condominiums
A 2 single_house; A/B 4 single_house = 4 11                           # two players share a majority (ORC-1)
A 2 small_store, restaurant; A/B department_store; A/D 4 convenience_store; B 9 park = 3 1 0 4  # a coin a store
A small_store; B 2 highway = 1 2                                      # two players' Highways earn once (ORC-1)
A 2 small_store; B 2 highway; B/A highway; D highway; D/C highway = 3 2 1 1  # Highways by the card (ORC-21)
A small_store; A/B small_store; B highway = 1 2 0 0                   # stores of two players are one event (ORC-5)
A small_store; C 5 highway = 1 0 0 0                                  # Highways two seats on earn nothing
A single_house; B 3 highway = 1 0 0 0                                 # Highways beside homes earn nothing
A 3 highway; A/D 2 highway; B chemical_factory = 3 0 0 2              # a factory does not limit closed Highways
A 3 small_store, 2 restaurant; A/B small_store; D small_factory = 1 1 0 0  # a factory limits stores
A 2 small_store; D small_factory, highway; B/A 3 highway = 4 0 0 1    # but not Highways beside them (ORC-5)
A 3 single_house, 2 apartment_house, condominium; B small_factory = 1 0 0 0  # all names together (chapter 9.5.3)
A 2 condominium; A/B condominium; A/D condominium; B small_factory, chemical_factory; D small_factory = 1 1 0 1  # three
A 5 condominium; B highway; B/A small_factory = 1 0 0 0               # a factory limits its owner (ORC-6)
A single_house; B small_factory = 1 0 0 0                             # a single coin is left
A 6 single_house; C 2 chemical_factory; B highway, 3 wind_turbine = 11 0 0 0  # other industry, factories far off
A 5 park, 5 condominium; B small_factory; D 3 chemical_factory = 24 0 0 0  # Parks against factories on both sides
A 4 single_house; A/B 2 single_house; A/D park; B small_factory = 11 4 0 1  # any Park protects all (ORC-7)
A 6 single_house; D park; B small_factory = 1 0 0 0                   # a Park next door does not
A 4 small_store; B small_factory, highway = 1 1                       # two players
"""


@pytest.mark.parametrize(("spaces", "coins"), scenes(CLOSINGS))
def test_a_closing_brings(spaces, coins):
    table = Table(len(coins), spaces=spaces)
    table.turn(A, CLOSE)
    assert table.coins() == coins
    assert table.space(A) == {}


@pytest.mark.parametrize(("changes", "a", "b"), [("", 5, 4), ("highway_per_set=1", 2, 1)])
def test_highways_of_a_builder_in_a_space_may_be_a_set(changes, a, b):
    """Switch `highway_per_set` (ORC-21): A's in two spaces are two sets; closed, each card still earns."""
    table = Table(3, changes, spaces="A small_store; B 4 highway; B/A 2 highway; C/A 3 highway")
    table.turn(A, CLOSE)
    assert table.coins() == [1 + a, b, 0]
    table.turn(B, CLOSE)
    assert table.coins() == [1 + a + 2, b + 4, 0]


def test_a_closing_pays_then_acquires_then_discards():
    """ORC-8, ORC-24: Wind Turbines and factories to their builders; Chemical and Small Factory are technology 3."""
    table = Table(4, hands="A 3 park")
    table.put_spaces("A highway, small_factory, chemical_factory; A/B 2 wind_turbine; A/D chemical_factory, 2 highway")
    table.turn(A, CLOSE)
    earned, acquired = [("highway_closing", A), ("highway_closing", D)], [("acquired", seat) for seat in (A, B, D)]
    order = [("closed", A), *earned, *acquired, ("space_cleared", A), ("turn_end", A)]
    assert [(kind, seat) for kind, seat, _ in table.events()] == order
    assert table.coins() == [1, 0, 0, 2]
    assert table.p.technology[:4].tolist() == [3, 2, 0, 2]
    assert table.p.acquired[:4].tolist() == [[0, 0, 1, 1], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert named(table.p.discards) == {"highway": 3}


def test_what_has_left_a_space_has_no_effect_any_more():
    """A Park that was closed, then a factory that was acquired."""
    table = Table(4, spaces="A park; B small_factory", hands="A 3 park; B 3 park")
    table.turn(A, CLOSE)
    for coins in (1 + 1, 1 + 1 + 11):
        table.put_spaces("A 6 single_house")
        table.turn(A, CLOSE)
        assert table.coins()[A] == coins
        table.put_spaces("B highway")
        table.turn(B, CLOSE)


# --- construction: what A's cards bring all seats, by coins before, cards and spaces -----------------------

BUILDINGS = """
1 | 2 apartment_house | B park; D 2 small_store = 0 0 0 0      # homes earn nothing
3 | condominium in B | B park; C small_store = 0 0 0 0         # nor next door
0 | small_store | C 5 park; D restaurant = 0 0 0 0             # homes two seats on do not count
0 | small_store | B park = 2 0 0 0                             # any home
0 | convenience_store | B 4 park; B/A 3 single_house; D/C 2 condominium = 9 0 0 0  # whoever built them (ORC-4)
0 | convenience_store | B 6 park; D 5 single_house = 10 0 0 0  # at most ten
3 | restaurant | B 6 park; D 5 single_house = 20 0 0 0         # at most twenty
5 | department_store | B park = 10 0 0 0                       # a Department Store beside a home
5 | department_store | A restaurant; C park = 0 0 0 0          # without
0 | 3 small_store | B 3 park = 2 0 0 0                         # a set of Small Stores fires once (ORC-3)
0 | 3 convenience_store | B 3 park; D 5 park = 8 0 0 0         # of Convenience Stores
3 | 3 restaurant | B 3 park; D 5 park = 16 0 0 0               # of Restaurants, for one cost
5 | 2 department_store | B 3 park = 10 0 0 0                   # of Department Stores
0 | convenience_store | B 4 park = 4 0                         # two players: B's homes once (ORC-1)
0 | convenience_store in B | A park; B small_store = 1 0       # two players, next door: no space beyond
0 | convenience_store | B 4 park; C 3 single_house = 7 0 0     # three players
0 | convenience_store in B | A park; B small_store; C 3 park = 4 0 0  # three players, next door
0 | convenience_store in B | A park; B small_store; C 2 park; D 4 park = 3 0 0 0  # one's own space and the one beyond
0 | convenience_store in F | A park; B 5 park; D 5 park; E 2 park; F small_store = 3 0 0 0 0 0  # six players
5 | department_store in B | A 2 highway; B small_store; C park = 12 0 0 0  # one's own Highways beside one's store
0 | small_store | B 3 highway = 0 0 0 0                        # a store that earns nothing brings Highways nothing
0 | 2 small_store | B 2 highway; B/C highway; D park = 2 2 1 0 # a set is one event for Highways (ORC-5)
3 | restaurant | B small_factory = 0 0 0 0                     # no coin for a factory to leave
0 | small_store | B small_factory; D park = 1 0 0 0            # a factory limits a Small Store
0 | convenience_store | B/A chemical_factory; D 4 park = 1 0 0 0  # a Convenience Store, and its owner
3 | restaurant | B small_factory, chemical_factory; D 4 park = 1 0 0 0  # a Restaurant; two are as one
5 | 2 department_store | B small_factory; D 4 park = 1 0 0 0   # a set of Department Stores
5 | restaurant | A restaurant; B small_factory; D 4 park = 3 0 0 0  # each construction is an event of its own
3 | restaurant in B | A small_factory; B small_store; C 4 park = 1 0 0 0  # from one's own space (ORC-6)
3 | restaurant in B | B small_store; C 4 park; E small_factory = 8 0 0 0 0  # beside its builder only: no
3 | restaurant | B small_factory, 3 highway; B/A highway; D 5 park = 2 3 0 0  # not its Highways (ORC-5)
3 | restaurant | B small_factory; D park, 3 single_house = 1 0 0 0  # a Park does not shield the store beside it (ORC-7)
1 | 2 restaurant | A+ chemical_factory; D park; B+ small_factory = 2 0 0 0  # acquired factories limit nothing
"""


@pytest.mark.parametrize(("before", "cards", "spaces", "coins"), scenes(BUILDINGS))
def test_a_construction_brings(before, cards, spaces, coins):
    table = Table(len(coins), coins=(int(before),), spaces=spaces)
    cards, *place = cards.split(" in ")
    table.build(A, cards, SEATS.index(*place or "A"))
    assert table.coins() == coins


# --- public works: the coins of all seats before and after A's; nothing after it if it cannot be played ----

WORKS = """
4 0 9 10 | city_hall | = 5 5 9 5                           # paid down to exactly 0 gives 5; 10 lose 5 and do not gain
13 1 11 15 | city_hall | = 9 1 6 10                        # what counts is left after the cost
14 0 0 99 | city_hall | = 5 5 5 94                         # 14 - 4 - 5
3 0 0 0 | city_hall | =                                    # City Hall costs 4
3 1 1 1 | city_hall | A+ wind_turbine = 5 1 1 1            # technology 1 (ORC-10)
2 1 1 1 | city_hall | A+ wind_turbine; B+ 3 wind_turbine; A 3 wind_turbine =  # others' and cards not yet acquired: none
6 1 1 1 | city_hall | A+ 3 chemical_factory = 6 1 1 1      # never below 0
6 0 0 0 | hospital | A/B single_house, park; A/D 2 condominium; A apartment_house = 0 0 0 0  # others' count (ORC-11)
6 0 0 0 | hospital | A/B single_house, park; A/D 2 condominium =  # four
5 0 0 0 | hospital | A 6 park =                            # it costs 6
5 0 0 0 | hospital | A 6 park; A+ wind_turbine = 0 0 0 0   # 5 with technology
6 0 0 0 | hospital | A single_house; B/A 4 single_house =  # not those next door
6 0 0 0 | hospital | A 6 small_store =                     # nor stores
12 0 0 0 | university | A/D convenience_store = 0 0 0 0    # another's store (ORC-11)
11 0 0 0 | university | A small_store =                    # it costs 12
12 0 0 0 | university | B/A small_store =                  # not next door
12 0 0 0 | university | A 6 park =                         # nor homes
9 0 0 0 | airport | A+ wind_turbine = 1 0 0 0              # 8, the technology gone (ORC-19)
7 0 0 0 | airport | A+ wind_turbine =                      # so 7 are not enough
7 0 0 0 | airport | A+ chemical_factory; A small_factory = 1 0 0 0  # technology that stays counts
50 0 0 0 | airport | A 3 highway; A/B small_factory; B wind_turbine =  # Highways, others' cards, one in hand: none
"""


@pytest.mark.parametrize(("before", "name", "spaces", "after"), scenes(WORKS))
def test_public_works(before, name, spaces, after):
    table = Table(4, coins=tuple(map(int, before.split())), spaces=spaces, hands=f"A {name}, wind_turbine")
    assert table.can(A, ACCOMPLISH) == ({name} if after else set())
    points = 1 if name == "city_hall" else 3
    table.p.points[A] = 9 - points
    if after:
        space = table.space(A)
        table.turn(A, (ACCOMPLISH, name), (A, "small_factory"))
        assert table.coins() == after
        assert (table.p.points[A], named(table.p.works[A], 12), table.s.is_over) == (9, {name: 1}, 0)
        assert name == "airport" or table.space(A) == space


def test_city_hall_gives_nothing_to_whom_it_has_just_ruined():
    table = Table(4, "hall_threshold=5", coins=(9, 5, 0, 4))
    table.accomplish(A, "city_hall")
    assert table.coins() == [0, 0, 5, 4]


def airport_table(coins: int) -> Table:
    """A's cards with technology, two acquired, one at home, one next door, among other cards of A's and others'."""
    spaces = "A chemical_factory, highway; A/B small_factory; B/A small_factory; B/C wind_turbine; D wind_turbine"
    acquired = "A+ wind_turbine, chemical_factory; B+ small_factory"
    return Table(4, coins=(coins,), spaces=f"{spaces}; {acquired}", hands="A airport, 2 park", piles="residential park")


@pytest.mark.parametrize(("coins", "n_offered"), [(4, 0), (5, 2), (6, 3), (7, 4), (50, 4)])
def test_airport_offers_the_cards_it_can_then_be_paid_with(coins, n_offered):
    """ORC-19: technology 3 makes it 5; without the turbine 6, without the Chemical Factory 7. Others' cards, never."""
    cards = [(A, "chemical_factory"), (B, "small_factory"), (NOBODY, "wind_turbine"), (NOBODY, "chemical_factory")]
    table = airport_table(coins)
    assert table.can(A, ACCOMPLISH) == ({"airport"} if n_offered else set())
    ENGINE.list_scraps(table.s, table.r, A)
    assert sorted(pairs(table.s)) == sorted((space, NUMBER[name]) for space, name in cards[:n_offered])


@pytest.mark.parametrize(
    ("space", "name", "paid"),
    [(NOBODY, "wind_turbine", 6), (NOBODY, "chemical_factory", 7), (A, "chemical_factory", 5), (B, "small_factory", 5)],
)
def test_airport_discards_one_card_and_costs_by_the_technology_left(space, name, paid):
    """ORC-19: 8 less technology."""
    table = airport_table(9)
    table.turn(A, (ACCOMPLISH, "airport"), (space, name), RESIDENTIAL)
    assert (table.coins()[A], table.p.points[A], table.p.technology[A]) == (9 - paid, 3, 8 - paid)
    assert named(table.p.discards) == {name: 1}
    own = {"highway": 1} if space == A else {"chemical_factory": 1, "highway": 1}
    assert table.space(A) == {A: own, B: {"small_factory": 1}}
    assert table.space(B) == {C: {"wind_turbine": 1}} | ({} if space == B else {A: {"small_factory": 1}})
    acquired = Counter({"wind_turbine": 1, "chemical_factory": 1}) - Counter([name] * (space == NOBODY))
    assert named(table.p.acquired[A], 8) == dict(acquired)


def test_airport_may_empty_a_neighbours_space():
    """ORC-19: then the factory limits no more, and only its owner may build there."""
    table = Table(4, coins=(8,), spaces="A 6 single_house; B/A chemical_factory", hands="A wind_turbine; B park")
    assert table.can(A, CONSTRUCT) == {"wind_turbine"}  # in B's space
    table.accomplish(A, "airport")  # one card to discard: nothing is asked
    assert table.space(B) == {}
    table.p.coins[A] = 3
    assert (table.can(A, CONSTRUCT), table.can(B, CLOSE), table.can(B, CONSTRUCT)) == (set(), set(), {"park"})
    table.turn(A, CLOSE)
    assert table.coins()[A] == 3 + 11


FULL = "residential park; public_works airport"


def police(theft: tuple[int, int], hands: str, piles: str = FULL, drawn: int = PUBLIC_WORKS) -> Table:
    """A plays a Police Station; B draws from a pile, and A a home if he took nothing."""
    table = Table(4, coins=(7,), hands=f"A 2 highway; {hands}", piles=piles)
    table.tell(B, drawn)
    table.accomplish(A, "police_station", theft, RESIDENTIAL)
    return table


def test_police_takes_a_card_by_its_back_and_the_victim_draws():
    """ORC-12: any type of any opponent."""
    table = police((B, RESIDENTIAL), "B single_house, 2 wind_turbine; C restaurant")
    options = [(NOBODY, NOBODY), (B, RESIDENTIAL), (B, INDUSTRIAL), (C, COMMERCIAL)]
    assert sorted(pairs(table.s.views[A])) == options
    assert table.events("stolen") == [("stolen", A, {"from": B + 1, "name": "single_house"})]
    assert table.hand(A) == {"highway": 2, "single_house": 1}
    assert table.hand(B) == {"wind_turbine": 2, "airport": 1}
    assert (table.p.points[A], table.coins()[A]) == (1, 0)


@pytest.mark.parametrize(
    ("kind", "piles", "drawn", "left"),
    [
        (RESIDENTIAL, FULL, NEVER, {"park": 1, "hospital": 1}),  # one pile is left: nothing is asked
        (RESIDENTIAL, f"{FULL}; commercial restaurant", COMMERCIAL, {"restaurant": 1, "hospital": 1}),
        (RESIDENTIAL, "public_works airport", NEVER, {"hospital": 1}),  # none is
        (PUBLIC_WORKS, FULL, PUBLIC_WORKS, {"single_house": 1, "airport": 1}),  # his only one was stolen
        (NOBODY, FULL, NEVER, {"single_house": 1, "hospital": 1}),  # the thief declines
    ],
)
def test_a_victim_with_a_public_works_card_draws_no_other(kind, piles, drawn, left):
    """ORC-12; the thief's own limit never binds, as he has just played his."""
    table = police((NOBODY if kind == NOBODY else B, kind), "B single_house, hospital", piles, drawn)
    assert table.hand(B) == left
    offered = {pile for pile, _ in pairs(table.s.views[B])}
    assert offered == {NEVER: set(), COMMERCIAL: {RESIDENTIAL, COMMERCIAL}}.get(drawn, {RESIDENTIAL, PUBLIC_WORKS})
    assert table.p.hand_types[A].tolist() == [kind < COMMERCIAL, 0, 2, kind == PUBLIC_WORKS]


def test_which_card_of_a_type_is_taken_is_chance():
    """ORC-12: two Single Houses and a Park."""
    table = Table(2, hands="B 2 single_house, park")
    taken = Counter[str]()
    for _ in range(600):
        table.p.coins[A], table.p.points[A], table.s.n_events = 7, 0, 0
        table.accomplish(A, "police_station", (B, RESIDENTIAL))
        (name,) = table.hand(A)
        taken[name] += 1
        ENGINE.give_up(table.s, A, NUMBER[name])
        ENGINE.take_in(table.s, B, NUMBER[name])
    assert set(taken) == {"single_house", "park"}
    assert stats.binomtest(taken["park"], 600, 1 / 3).pvalue > LEAST_P


# --- exchange, flush, drawing, views -----------------------------------------------------------------------

COMMON = "single_house, 2 small_store, airport, city_hall"


def test_as_many_cards_come_back_as_are_put_down():
    """One's own may (ORC-14); who has put down his whole hand is not asked whether to stop."""
    table = Table(4, common=COMMON, hands="A 2 park, highway; B park, hospital")
    table.turn(A, EXCHANGE, "park", "highway", NOBODY, "small_store", "airport")
    assert table.hand(A) == {"park": 1, "small_store": 1, "airport": 1}
    assert named(table.p.common) == {"single_house": 1, "small_store": 1, "park": 1, "highway": 1}
    assert table.p.common_works == 1
    table.turn(B, EXCHANGE, "hospital", "park", "park", "hospital")
    assert (table.hand(B), table.p.common_works) == ({"park": 1, "hospital": 1}, 1)


@pytest.mark.parametrize(
    "answers", [["park", NOBODY], ["hospital", "park", "airport"], ["hospital", "park", "hospital"]]
)
def test_one_public_works_card_at_most_is_taken(answers):
    """ORC-14: none while one is in hand, kept or just taken."""
    table = Table(4, common=COMMON, hands="A park, hospital")
    with refused(table, A):
        table.turn(A, EXCHANGE, *answers, "city_hall")
    assert {CARDS[name] for name, _ in pairs(table.s.views[A])} == {"single_house", "small_store", "park"}


def test_who_sees_which_face():
    """ORC-14, ORC-23, ORC-27: B looks before A lays a Hospital, C after; what leaves is forgotten."""
    table = Table(4, common=COMMON, hands="A hospital; B park; C highway")
    assert table.seen(A, B, C, D) == [{}] * 4
    table.turn(B, EXCHANGE, NOBODY)
    both = {"airport": 1, "city_hall": 1}
    assert named(table.s.views[B].seen_works, 12) == both  # when he was asked
    assert table.seen(A, B, C, D) == [{}, both, {}, {}]
    table.turn(A, EXCHANGE, "hospital", "single_house")
    assert table.seen(A, B, C, D) == [{**both, "hospital": 1}, both, {}, {}]
    table.turn(C, EXCHANGE, "highway", "airport")
    left = {"city_hall": 1, "hospital": 1}
    assert table.seen(A, B, C, D) == [left, {"city_hall": 1}, left, {}]
    assert table.p.common_works == 2


def test_a_flush_discards_all_and_deals_eight_homes():
    """Three to the hand, five to the common space; those just discarded once the pile is empty (ORC-15, ORC-20)."""
    table = Table(4, hands="A 2 park, hospital", common="park, 2 small_store, airport, city_hall", discards="2 park")
    table.put_piles("residential 4 single_house")
    table.turn(A, FLUSH)
    assert (table.hand(A), named(table.p.common)) == ({"single_house": 3}, {"single_house": 1, "park": 4})
    assert (table.p.common_works, table.p.pile_n[RESIDENTIAL]) == (0, 1)
    assert named(table.p.discards) == {"small_store": 2, "city_hall": 1, "hospital": 1, "airport": 1}


def test_without_homes_the_flusher_names_the_piles():
    """ORC-22: card by card; Public Works cards come into the common space face down and unseen by all."""
    table = Table(4, piles="residential park; commercial 2 small_store; industrial 2 highway")
    table.put_piles("public_works 2 airport, 3 city_hall")
    answers = PUBLIC_WORKS, INDUSTRIAL, PUBLIC_WORKS, COMMERCIAL, PUBLIC_WORKS, PUBLIC_WORKS, INDUSTRIAL
    table.turn(A, FLUSH, *answers)
    assert table.hand(A) == {"park": 1, "airport": 1, "highway": 1}
    assert named(table.p.common) == {"small_store": 1, "highway": 1}
    assert table.p.common_works == 3
    assert table.seen(A, B, C, D) == [{}] * 4


def test_what_a_flush_cannot_draw_stays_missing():
    """ORC-22: a second Public Works card is not for the hand, nor is there a third card to fill it with."""
    table = Table(4, hands="A highway", piles="public_works airport, city_hall, hospital")
    table.turn(A, FLUSH, PUBLIC_WORKS)
    assert table.hand(A) == {"airport": 1, "highway": 1}
    assert (table.p.common.sum(), table.p.common_works) == (0, 2)
    assert table.p.pile_n.sum() == table.p.discards.sum() == 0


def test_a_hand_is_filled_card_by_card():
    """ORC-13: each is seen before the next pile is chosen; a second Public Works card is not on offer."""
    table = Table(4, hands="B park", piles="residential 2 park; commercial restaurant; public_works airport, hospital")
    table.turn(A, PASS, PUBLIC_WORKS, COMMERCIAL)
    view = table.s.views[A]
    assert (named(view.hand), view.n_left) == ({"airport": 1}, 2)
    assert pairs(view) == [(RESIDENTIAL, NOBODY), (COMMERCIAL, NOBODY)]
    assert table.hand(A) == {"airport": 1, "restaurant": 1, "park": 1}
    assert table.p.pile_n.tolist() == [1, 0, 0, 1]
    assert table.hand(B) == {"park": 1}  # only one's own turn fills one's hand


def test_a_pile_is_reshuffled_only_when_a_card_is_needed():
    """ORC-20."""
    table = Table(4, hands="A 2 highway; B 2 highway", piles="residential park", discards="2 condominium")
    table.turn(A, PASS)
    assert table.hand(A) == {"highway": 2, "park": 1}
    assert (table.p.pile_n[RESIDENTIAL], named(table.p.discards)) == (0, {"condominium": 2})
    table.turn(B, PASS)
    assert table.hand(B) == {"highway": 2, "condominium": 1}
    assert (table.p.pile_n[RESIDENTIAL], named(table.p.discards)) == (1, {})


def test_a_hand_stays_short_when_nothing_may_be_drawn():
    """And what is always open, or not: A's space is empty, B's is not."""
    table = Table(4, hands="A hospital", piles="public_works 2 airport", spaces="B/A park")
    assert [table.can(A, action) for action in range(6)] == [set(), set(), set(), {None}, {None}, {None}]
    assert table.can(B, CLOSE) == {None}
    table.turn(A, PASS)
    assert table.hand(A) == {"hospital": 1}
    table.turn(B, PASS)
    assert table.hand(B) == {"airport": 1}


def test_a_view_does_not_depend_on_what_is_secret():
    """ORC-18: faces in others' hands and in the piles, and those in the common space that a seat has not seen."""
    plain = Table(4, hands="A park; B highway", piles="residential condominium, park")
    other = Table(4, hands="A single_house; B highway", piles="residential 2 single_house")
    ENGINE.lay_work(plain.s, NUMBER["airport"], 1 << A)
    ENGINE.lay_work(other.s, NUMBER["hospital"], 1 << C)
    assert plain.look(B).tobytes() == other.look(B).tobytes()
    assert plain.look(D).tobytes() == other.look(D).tobytes()
    assert (named(plain.look(A).hand), named(other.look(A).hand)) == ({"park": 1}, {"single_house": 1})
    assert (plain.seen(A, C), other.seen(A, C)) == ([{"airport": 1}, {}], [{}, {"hospital": 1}])


def test_a_view_shows_what_lies_open():
    """ORC-18: the types on the backs, coins, points, spaces, acquired cards, the common space, discards."""
    table = Table(4, coins=(7,), hands="A 2 park, hospital", common="2 restaurant", discards="airport")
    table.put_spaces("C/B small_factory; D+ chemical_factory")
    shown = {"coins", "points", "hand_n", "hand_types", "built", "acquired", "works", "common", "discards"}
    assert shown <= set(table.p.dtype.names)
    assert table.look(B).public.tobytes() == table.p.tobytes()


def test_a_view_does_not_tell_what_was_stolen_from_another():
    """ORC-27."""
    views = [police((B, RESIDENTIAL), f"B {name}").look(D) for name in ("single_house", "condominium")]
    assert views[0].tobytes() == views[1].tobytes()


# --- end of game, whole games ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "name", "cost"), [(9, "city_hall", 4), (7, "hospital", 6), (9, "police_station", 7)]
)
def test_ten_points_end_the_game_at_once(points, name, cost):
    """ORC-16, ORC-26: no ability, no card is drawn."""
    table = Table(4, coins=(cost, 0, 20), spaces="A 5 single_house", hands="B park", piles="residential 3 park")
    table.p.points[A] = points
    table.accomplish(A, name, (B, RESIDENTIAL))
    assert table.s.is_over == 1
    assert table.coins() == [0, 0, 20, 0]
    assert (table.hand(A), table.hand(B)) == ({}, {"park": 1})
    assert [kind for kind, *_ in table.events()] == ["accomplished"]


@pytest.mark.parametrize(
    ("is_over", "points", "coins", "ranks", "wins"),
    [
        (0, (3, 5, 5, 0), (9, 2, 7, 99), [3, 2, 1, 4], [0, 0, 0, 0]),  # nobody wins out of turns
        (0, (4, 4, 4, 1), (6, 6, 8, 0), [2, 2, 1, 4], [0, 0, 0, 0]),
        (1, (9, 12, 0, 0), (50, 0, 3, 4), [2, 1, 4, 3], [0, 60, 0, 0]),
    ],
)
def test_ranks_and_win_shares(is_over, points, coins, ranks, wins):
    """ORC-16, ORC-24: by points, then coins."""
    table = Table(4, coins=coins)
    table.p.points[:4], table.s.is_over = points, is_over
    ENGINE.finish(table.s, table.r, table.t)
    assert table.s.outcome[:4, RANK].tolist() == ranks
    assert table.s.outcome[:4, WIN].tolist() == wins
    assert table.s.outcome[:4, GAME.column("finished")].tolist() == [is_over] * 4


def census(found: Any, seats: int) -> np.ndarray:
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
    return cards


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("limit", [1, 3, 60])
def test_no_card_is_lost(seats, limit):
    """All 110, in games cut off at any length; three turns are too few for ten points, so nobody wins (ORC-16)."""
    rules = GAME.rules.parse([f"turn_limit_per_seat={limit}"])
    players = [strategies.load_once("ore_city", "random")] * seats
    batch = play_batch(GAME, rules, GAME.fill_rules(rules, seats), players, 9, limit, 1)
    cards = census(batch.state[0], seats)
    assert cards.tolist() == rules["copies"].tolist()
    assert cards.sum() == 110
    if limit <= 3:
        assert (batch.outcomes[..., [WIN, GAME.column("finished")]] == 0).all()
        assert (batch.outcomes[..., GAME.column("turns")] == limit * seats).all()


@pytest.mark.parametrize("seats", [2, 6])
def test_hands_stay_within_their_limits_and_points_win(seats):
    """ORC-12, ORC-13: three cards, one of them Public Works, at every question after the preparation; ORC-16."""
    rules = GAME.rules.parse(["turn_limit_per_seat=60", "win_points=4", f"cost={','.join('0' * 17)}"])
    states, tallies = np.zeros(1, ENGINE.STATE), np.zeros(1, GAME.tally_dtype)
    out = np.zeros((20, seats, len(GAME.outcome_columns)), np.int32)
    hooks = all_of(takes_first), *[all_of(watches)] * 7
    ENGINE.play(states, GAME.fill_rules(rules, seats), tallies, out, np.zeros(20, np.int64), 2, 0, 1, *hooks)
    assert tallies["stolen"][0, :4].sum() > 0
    assert tallies["actions"][0].sum(axis=0).all()  # every action was taken
    finished = out[..., GAME.column("finished")]
    assert set(finished.ravel()) == {0, 1}
    assert (out[..., WIN] == 60 * (out[..., GAME.column("score")] >= 4)).all()
    assert (out[..., WIN].sum(axis=1) == 60 * finished[:, 0]).all()
