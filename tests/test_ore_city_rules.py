"""Ore City's engine against the rulebook and the rulings (`ORC-n`): every card alone and with others, every action.

Each test lays a table out by hand, seats players that answer as they are told, and has the engine's kernels play turns.
A table is written down as `A 2 park, condominium; A/B park`: in A's space two Parks and a Condominium of A's own, and a
Park that B built there.
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
from simcore.transcript import decode_events, play_transcript

GAME = find_game("ore_city")
ENGINE = GAME.engine
NUMBER = {name: number for number, name in enumerate(CARDS)}
SEATS = "ABCDEF"
A, B, C, D, E, F = range(6)
NOBODY = -1
NEVER = -9  # matches no option
QUEUE = 11  # answers that a view's weights have room for
RESIDENTIAL, COMMERCIAL, INDUSTRIAL, PUBLIC_WORKS = range(4)
CONSTRUCT, CLOSE, ACCOMPLISH, EXCHANGE, FLUSH, PASS = range(6)
TECHNOLOGY = {"wind_turbine": 1, "small_factory": 1, "chemical_factory": 2}
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

    `coins` from seat A on; `spaces`, `acquired` and `hands` by seat, `piles` by type, the first card on top; Public
    Works cards among the `common` ones lie face down and unseen.
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
            space, builder = SEATS.index(place[0]), SEATS.index(place[-1])
            self.p.space_type[space] = NUMBER[name] // 4
            self.p.space_n[space] += n
            self.p.built[space, self.owners(space).index(builder), NUMBER[name] % 4] += n

    def put_acquired(self, text: str) -> None:
        for place, name, n in parts(text):
            self.p.acquired[SEATS.index(place), NUMBER[name] - 8] += n
            self.p.technology[SEATS.index(place)] += n * TECHNOLOGY[name]

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
            for _ in range(n):
                if NUMBER[name] < 12:
                    self.p.common[NUMBER[name]] += 1
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

    def close(self, seat: int) -> None:
        self.turn(seat, CLOSE)

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
    for line in filter(str.strip, text.splitlines()):
        scene, what = line.split(" #")
        fields, numbers = scene.rsplit("=", 1)
        found.append(pytest.param(*map(str.strip, fields.split("|")), [*map(int, numbers.split())], id=what.strip()))
    return found


# --- components --------------------------------------------------------------------------------------------


def test_costs_copies_points_and_technology_are_the_printed_ones() -> None:
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
        (125, [1, 3, 5, 8, 10, 11, 18, 21, 26, 31], [0, 0, 3, 5, 8]),  # 2.5, 7.5, 17.5 and 7.5 are halves
        (50, [1, 1, 2, 3, 4, 11, 7, 9, 11, 13], [0, 0, 3, 2, 3]),  # 0.5, 8.5, 10.5 and 12.5
        (0, [0, 0, 0, 0, 0, 11, 0, 0, 0, 0], [0, 0, 3, 0, 0]),
    ],
)
def test_scaled_amounts_round_half_up_and_printed_ones_stay(
    scale: int, first: list[int], apartments_second: list[int]
) -> None:
    """ORC-25; a closing pays them."""
    table = Table(4, f"payout_scale={scale}", spaces="A 10 single_house")
    assert table.r.first_paid[0].tolist() == first
    assert table.r.second_paid[1, :5].tolist() == apartments_second
    table.close(A)
    assert table.coins()[A] == first[9]


@pytest.mark.parametrize(
    ("changes", "seats", "words"),
    [
        ("copies=16,0,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0", 4, "too few construction cards"),
        ("copies=10,5,5,5,10,5,5,5,10,5,5,5,0,0,0,0,0", 4, "no Public Works card"),
        ("points=0,0,0,0,0", 4, "no Public Works card that scores"),
        ("points=0,3,3,3,3 copies=10,5,5,5,10,5,5,5,10,5,5,5,9,0,0,0,0", 4, "no Public Works card that scores"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes: str, seats: int, words: str) -> None:
    with pytest.raises(AssayError, match=words):
        GAME.fill_rules(GAME.rules.parse(changes.split()), seats)


@pytest.mark.parametrize("seats", [2, 4])
def test_three_cards_a_seat_and_five_common_ones_are_enough(seats: int) -> None:
    copies = f"copies={3 * seats},5,0,0,0,0,0,0,0,0,0,0,9,0,0,0,0"
    assert GAME.fill_rules(GAME.rules.parse([copies]), seats).shape == (1,)
    with pytest.raises(AssayError, match="too few"):
        GAME.fill_rules(GAME.rules.parse([copies]), seats + 1)


# --- game preparation --------------------------------------------------------------------------------------


def prepared(seats: int, changes: str = "") -> Table:
    """A table set up by players that discard their first card: Residential ones, as long as they have any."""
    table = Table(seats, changes)
    ENGINE.prepare(table.s, table.r, table.t, all_of(takes_first))
    assert table.p.hand_types[:seats].tolist() == [[1, 1, 1, 0]] * seats
    assert table.p.common[:4].sum() == table.p.common.sum() == 5
    return table


@pytest.mark.parametrize(("seats", "extra"), [(2, 1), (3, 3), (4, 6), (5, 10)])
def test_later_seats_draw_and_discard_more(seats: int, extra: int) -> None:
    """ORC-2: the discards stay where they are until a pile runs out."""
    table = prepared(seats)
    drawn = [(seat, sum(data["cards"].values())) for _, seat, data in table.events("extra_drawn")]
    assert drawn == [(seat, seat) for seat in range(1, seats)]
    assert table.p.pile_n.tolist() == [25 - seats - extra - 5, 25 - seats, 25 - seats, 35]
    assert table.p.discards[:4].sum() == table.p.discards.sum() == extra
    assert table.events("reshuffle") == []


def test_six_players_reshuffle_the_homes_at_the_fifth_common_card() -> None:
    """ORC-20: 6 and 15 of 25 are drawn, four come into the common space, the fifth is one of 15 discards."""
    table = prepared(6)
    assert [kind for kind, *_ in table.events()][-2:] == ["reshuffle", "common_dealt"]
    assert sum(table.events("reshuffle")[0][2]["cards"].values()) == 15
    assert (table.p.pile_n[RESIDENTIAL], table.p.discards.sum()) == (14, 0)


def test_without_compensation_all_start_with_the_three_cards_dealt() -> None:
    table = prepared(6, "compensation=0")
    assert table.events("extra_drawn", "extra_discarded", "reshuffle") == []
    assert table.s.n_asked == 0
    assert table.p.pile_n.tolist() == [14, 19, 19, 35]


def test_any_card_may_be_discarded_in_the_preparation() -> None:
    table = Table(2, hands="B highway", piles="residential park")
    table.tell(B, "highway")
    ENGINE.draw_extra(table.s, table.r, table.t, hook(obeys), B)
    assert table.hand(B) == {"park": 1}
    assert named(table.p.discards) == {"highway": 1}


# --- construction: where -----------------------------------------------------------------------------------


def test_as_many_cards_of_a_name_as_one_likes_at_home_or_next_door() -> None:
    """ORC-3: not beyond the neighbours."""
    table = Table(5, spaces="B park; C park; D park; E park", hands="A 2 single_house")
    table.turn(A, (CONSTRUCT, "single_house"), (E, 1))
    assert pairs(table.s.views[A]) == [(A, 1), (A, 2), (B, 1), (B, 2), (E, 1), (E, 2)]
    assert table.space(E) == {E: {"park": 1}, A: {"single_house": 1}}
    assert table.hand(A) == {"single_house": 1}


def test_two_players_are_each_others_neighbour_once() -> None:
    """ORC-1."""
    table = Table(2, spaces="A park; B park")
    for seat, other in ((A, B), (B, A)):
        table.build(seat, "single_house", other)
        assert sorted(pairs(table.s.views[seat])) == [(A, 1), (B, 1)]
        assert table.space(other) == {other: {"park": 1}, seat: {"single_house": 1}}


@pytest.mark.parametrize("space", [B, C, D])
def test_nobody_builds_into_an_empty_space_but_its_owner(space: int) -> None:
    """Nor into C's, two seats on, whatever it holds."""
    table = Table(4, spaces="C park", hands="A 2 park")  # two: so that A is asked how many
    with refused(table, A):
        table.turn(A, (CONSTRUCT, "park"), (space, 1))
    assert pairs(table.s.views[A]) == [(A, 1), (A, 2)]


def test_a_space_takes_all_names_of_one_type_until_it_is_closed() -> None:
    table = Table(4, coins=(9,), spaces="A highway; B small_store", hands="A park, restaurant, wind_turbine")
    assert table.can(A, CONSTRUCT) == {"restaurant", "wind_turbine"}  # next door, at home
    table.close(A)
    assert table.can(A, CONSTRUCT) == {"park", "restaurant", "wind_turbine"}
    table.turn(A, (CONSTRUCT, "park"))
    for name in ("single_house", "apartment_house", "condominium"):
        table.build(A, name)
    assert table.space(A) == {A: {"single_house": 1, "apartment_house": 1, "condominium": 1, "park": 1}}


def test_an_empty_space_cannot_be_closed() -> None:
    table = Table(4, spaces="B/A park")
    assert (table.can(A, CLOSE), table.can(B, CLOSE)) == (set(), {None})


@pytest.mark.parametrize(("name", "cost"), list(zip(CARDS, [0, 1, 3, 0, 0, 0, 3, 5, 0, 3, 4, 9], strict=False)))
def test_a_card_is_constructed_once_it_can_be_paid(name: str, cost: int) -> None:
    """A set of two for one cost; technology 2 makes it cheaper, never below 0 (ORC-3, ORC-10)."""
    for acquired, price in (("", cost), ("A chemical_factory", max(cost - 2, 0))):
        table = Table(4, coins=(price - 1,), hands=f"A 2 {name}", acquired=acquired)
        assert (name in table.can(A, CONSTRUCT)) == (price == 0 and table.p.coins[A] >= 0)
        table.p.coins[A] = price + 1
        table.turn(A, (CONSTRUCT, name), (A, 2))
        assert table.coins()[A] == 1
        assert table.space(A) == {A: {name: 2}}
        assert table.hand(A) == {}


# --- homes -------------------------------------------------------------------------------------------------


def test_chapter_8() -> None:
    """Six Single Houses: A 3, you 2, B 1; three Apartment Houses: you 2, B 1."""
    table = Table(
        4, spaces="B/A 3 single_house; B 2 single_house, 2 apartment_house; B/C single_house, apartment_house"
    )
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
    assert named(table.p.discards) == {"single_house": 6, "apartment_house": 3}


@pytest.mark.parametrize(
    ("name", "counts", "paid", "without_second"),
    [
        ("single_house", (1, 0, 0), (1, 0, 0), (1, 0, 0)),
        ("single_house", (6, 0, 0), (11, 0, 0), (11, 0, 0)),  # a sole builder: no second amount
        ("single_house", (1, 1, 0), (2, 2, 0), (2, 2, 0)),
        ("single_house", (1, 1, 1), (4, 4, 4), (4, 4, 4)),
        ("single_house", (3, 2, 1), (11, 4, 0), (11, 4, 0)),
        ("single_house", (3, 3, 0), (11, 11, 0), (11, 11, 0)),
        ("single_house", (4, 1, 1), (11, 4, 4), (11, 4, 4)),  # all tied for second in full (ORC-24)
        ("single_house", (2, 2, 1), (8, 8, 3), (8, 8, 0)),  # the next lower count after a tie (ORC-9)
        ("single_house", (5, 4, 1), (25, 9, 0), (25, 9, 0)),
        ("apartment_house", (2, 1, 0), (5, 3, 0), (5, 3, 0)),
        ("apartment_house", (1, 1, 1), (5, 5, 5), (5, 5, 5)),
        ("apartment_house", (2, 2, 1), (11, 11, 6), (11, 11, 0)),
        ("condominium", (2, 1, 1), (14, 6, 6), (14, 6, 6)),
        ("park", (2, 2, 1), (6, 6, 2), (6, 6, 0)),
    ],
)
def test_majorities(name: str, counts: tuple[int, ...], paid: tuple[int, ...], without_second: tuple[int, ...]) -> None:
    """Whichever of the three sits where; switch `second_after_tie`."""
    for changes, amounts in (("", paid), ("second_after_tie=0", without_second)):
        for builders in permutations("ABC"):
            table = Table(3, changes)
            for builder, n in zip(builders, counts, strict=True):
                table.put_spaces(f"A/{builder} {n} {name}")
            table.close(A)
            assert [table.p.coins[SEATS.index(builder)] for builder in builders] == list(amounts)


@pytest.mark.parametrize("name", FIRST)
def test_each_home_pays_by_its_own_table(name: str) -> None:
    """Only at book-closing, beside homes or not."""
    for n in range(1, 6):
        table = Table(4, coins=(3,), spaces="B 4 single_house; D small_store")
        table.build(A, f"{n} {name}")
        before = table.coins()
        assert before == [3 - {"apartment_house": 1, "condominium": 3}.get(name, 0), 0, 0, 0]
        table.close(A)
        assert table.coins() == [before[A] + FIRST[name][n - 1], 0, 0, 0]


def test_more_than_ten_cards_pay_like_ten() -> None:
    table = Table(4, "copies=20,5,5,5,10,5,5,5,10,5,5,5,10,5,5,5,10", spaces="A 12 single_house")
    table.close(A)
    assert table.coins()[A] == 25


# --- book-closing: what A's cards and those around them bring all seats ------------------------------------

CLOSINGS = """
A 2 single_house; A/B 4 single_house = 4 11                           # two players share a majority (ORC-1)
A 2 small_store, restaurant; A/B department_store; A/D 4 convenience_store; B 9 park = 3 1 0 4  # a coin a store
A small_store; B 2 highway = 1 2                                      # two players' Highways earn once (ORC-1)
A 2 small_store; B 2 highway; B/A highway; D highway; D/C highway = 3 2 1 1  # Highways by the card (ORC-21)
A small_store; A/B small_store; B highway = 1 2 0 0                   # stores of two players are one event (ORC-5)
A small_store; C 5 highway = 1 0 0 0                                  # Highways two seats on earn nothing
A single_house; B 3 highway = 1 0 0 0                                 # Highways beside homes earn nothing
A 2 highway; B 3 highway = 2 0 0 0                                    # Highways beside Highways earn nothing
A 3 highway; A/D 2 highway; B chemical_factory = 3 0 0 2              # a factory does not limit closed Highways
A 3 small_store, 2 restaurant; A/B small_store; D small_factory = 1 1 0 0  # a factory limits stores
A 2 small_store; D small_factory, highway; B/A 3 highway = 4 0 0 1    # but not Highways beside them (ORC-5)
A 3 single_house, 2 apartment_house, condominium; B small_factory = 1 0 0 0  # all names together (chapter 9.5.3)
A 5 park, 5 condominium; B small_factory; D 3 chemical_factory = 24 0 0 0  # Parks against factories on both sides
A 2 condominium; A/B condominium; A/D condominium; B small_factory, chemical_factory; D small_factory = 1 1 0 1  # as one
A 5 condominium; B highway; B/A small_factory = 1 0 0 0               # a factory limits its owner (ORC-6)
A single_house; B small_factory = 1 0 0 0                             # the coin a factory leaves is not a second one
A 6 single_house; C 2 chemical_factory; B highway, 3 wind_turbine = 11 0 0 0  # other industry, factories far off
A 4 single_house; A/B 2 single_house; A/D park; B small_factory = 11 4 0 1  # any Park protects all (ORC-7)
A 6 single_house; C park; B small_factory = 1 0 0 0                   # a Park in another space does not
A 6 single_house; D park; B small_factory = 1 0 0 0                   # nor next door
A 6 single_house; B small_factory; C chemical_factory = 1 0 0         # three players
A 4 small_store; B small_factory, highway = 1 1                       # two players
"""


@pytest.mark.parametrize(("spaces", "coins"), scenes(CLOSINGS))
def test_a_closing_brings(spaces: str, coins: list[int]) -> None:
    table = Table(len(coins), spaces=spaces)
    table.close(A)
    assert table.coins() == coins
    assert table.space(A) == {}


@pytest.mark.parametrize(("changes", "a", "b"), [("", 5, 4), ("highway_per_set=1", 2, 1)])
def test_highways_of_a_builder_in_a_space_may_be_a_set(changes: str, a: int, b: int) -> None:
    """Switch `highway_per_set` (ORC-21): A's in two spaces are two sets; closed, each card still earns."""
    table = Table(3, changes, spaces="A small_store; B 4 highway; B/A 2 highway; C/A 3 highway")
    table.close(A)
    assert table.coins() == [1 + a, b, 0]
    table.close(B)
    assert table.coins() == [1 + a + 2, b + 4, 0]


def test_a_closing_pays_then_acquires_then_discards() -> None:
    """ORC-8, ORC-24: Wind Turbines and factories to their builders; Chemical and Small Factory are technology 3."""
    table = Table(4)
    table.put_spaces("A highway, small_factory, chemical_factory; A/B 2 wind_turbine; A/D chemical_factory, 2 highway")
    table.close(A)
    assert table.events()[:-1] == [
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
    assert named(table.p.discards) == {"highway": 3}


def test_what_has_left_a_space_has_no_effect_any_more() -> None:
    """A Park that was closed, then a factory that was acquired."""
    table = Table(4, spaces="A park; B small_factory")
    table.close(A)
    table.put_spaces("A 6 single_house")
    table.close(A)
    assert table.coins()[A] == 1 + 1
    table.close(B)
    table.put_spaces("A 6 single_house")
    table.close(A)
    assert table.coins()[A] == 2 + 11


# --- construction of stores: what a card of A's brings all seats -------------------------------------------

BUILDINGS = """
0 | small_store | C 5 park; D restaurant = 0 0 0 0             # no homes beside it: those two seats on do not count
0 | small_store | B park = 2 0 0 0                             # any home
0 | small_store | B 9 park = 2 0 0 0                           # flat
0 | convenience_store | B 4 park; B/A 3 single_house; D/C 2 condominium = 9 0 0 0  # whoever built them (ORC-4)
0 | convenience_store | B 6 park; D 4 single_house = 10 0 0 0  # ten
0 | convenience_store | B 6 park; D 5 single_house = 10 0 0 0  # at most ten
3 | restaurant | B park = 2 0 0 0                              # two a home
3 | restaurant | B 6 park; D 4 single_house = 20 0 0 0         # twenty
3 | restaurant | B 6 park; D 5 single_house = 20 0 0 0         # at most twenty
3 | restaurant | C park = 0 0 0 0                              # a Restaurant without homes
5 | department_store | B park = 10 0 0 0                       # a Department Store beside a home
5 | department_store | B 5 park; D 5 park = 10 0 0 0           # beside ten
5 | department_store | A restaurant; C park = 0 0 0 0          # without
0 | 3 small_store | B 3 park = 2 0 0 0                         # a set of Small Stores fires once (ORC-3)
0 | 3 convenience_store | B 3 park; D 5 park = 8 0 0 0         # of Convenience Stores
3 | 3 restaurant | B 3 park; D 5 park = 16 0 0 0               # of Restaurants, for one cost
5 | 2 department_store | B 3 park = 10 0 0 0                   # of Department Stores
0 | convenience_store | B 4 park = 4 0                         # two players: B's homes once (ORC-1)
0 | convenience_store in B | A park; B small_store = 1 0       # two players, next door: no space beyond
0 | convenience_store | B 4 park; C 3 single_house = 7 0 0     # three players
0 | convenience_store in B | A park; B small_store; C 3 park = 4 0 0  # three players, next door
0 | convenience_store in C | A park; B 4 park; C small_store = 5 0 0  # three players, the other way
0 | convenience_store in B | A park; B small_store; C 2 park; D 4 park = 3 0 0 0  # next door: one's own and the one beyond
0 | convenience_store in D | A park; B 4 park; C 2 park; D small_store = 3 0 0 0  # on the right
0 | convenience_store in F | A park; B 5 park; D 5 park; E 2 park; F small_store = 3 0 0 0 0 0  # six players
5 | department_store in B | A 2 highway; B small_store; C park = 12 0 0 0  # one's own Highways beside one's store
0 | small_store | B 3 highway = 0 0 0 0                        # a store that earns nothing brings Highways nothing
0 | 2 small_store | B 2 highway; B/C highway; D park = 2 2 1 0 # a set is one event for Highways (ORC-5)
3 | restaurant | B small_factory = 0 0 0 0                     # no coin for a factory to leave
0 | small_store | B small_factory; D park = 1 0 0 0            # a factory limits a Small Store
0 | convenience_store | B/A chemical_factory; D 4 park = 1 0 0 0  # a Convenience Store, and its owner
3 | restaurant | B small_factory, chemical_factory; D 4 park = 1 0 0 0  # a Restaurant; two are as one
5 | 2 department_store | B small_factory; D 4 park = 1 0 0 0   # a set of Department Stores
3 | restaurant in B | A small_factory; B small_store; C 4 park = 1 0 0 0  # from one's own space (ORC-6)
3 | restaurant in B | B small_store; C 4 park; E small_factory = 8 0 0 0 0  # beside its builder only: no
3 | restaurant | B small_factory, 3 highway; B/A highway; D 5 park = 2 3 0 0  # not its Highways (ORC-5)
3 | restaurant | B small_factory; D park, 3 single_house = 1 0 0 0  # a Park does not shield the store beside it (ORC-7)
"""


@pytest.mark.parametrize(("before", "cards", "spaces", "coins"), scenes(BUILDINGS))
def test_a_store_brings(before: str, cards: str, spaces: str, coins: list[int]) -> None:
    table = Table(len(coins), coins=(int(before),), spaces=spaces)
    cards, *place = cards.split(" in ")
    table.build(A, cards, SEATS.index(*place or "A"))
    assert table.coins() == coins


def test_the_same_name_again_is_paid_and_fires_again() -> None:
    table = Table(4, coins=(6,), spaces="B 4 single_house; D small_factory")
    for after in (6 - 3 + 1, 6 - 2 * (3 - 1)):  # two constructions are two events
        table.build(A, "restaurant")
        assert table.coins()[A] == after
        if after == 4:
            table.hand(A)
    table.close(D)
    table.p.coins[A] = 3
    table.build(A, "restaurant")
    assert table.coins()[A] == 8


# --- technology --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("acquired", "name", "paid"),
    [
        ("wind_turbine", "small_factory", 3),
        ("small_factory, chemical_factory", "chemical_factory", 6),  # chapter 9.5.2
        ("2 wind_turbine", "condominium", 1),
        ("3 wind_turbine", "restaurant", 0),
        ("3 chemical_factory", "department_store", 0),  # 6 off 5: never below 0
        ("2 wind_turbine", "city_hall", 2),
        ("4 wind_turbine", "city_hall", 0),
        ("3 chemical_factory", "city_hall", 0),
        ("small_factory, chemical_factory", "police_station", 4),
    ],
)
def test_technology_lowers_costs(acquired: str, name: str, paid: int) -> None:
    """ORC-10: A's own and acquired; cards still standing in a space are no technology."""
    table = Table(4, coins=(9,), acquired=f"A {acquired}; B 2 chemical_factory", spaces="B/A 3 wind_turbine")
    if NUMBER[name] < 12:
        table.build(A, f"2 {name}")
    else:
        table.accomplish(A, name, (NOBODY, NOBODY))
    assert table.events("constructed", "accomplished")[0][2]["paid"] == paid
    assert table.coins()[A] == 9 - paid


# --- public works ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ("", (4, 0, 9, 10), (5, 5, 9, 5)),  # paid down to exactly 0 gives 5; 10 lose 5 and do not then gain
        ("", (13, 1, 11, 15), (9, 1, 6, 10)),  # 13 - 4 = 9: what counts is left after the cost
        ("", (14, 0, 0, 99), (5, 5, 5, 94)),
        ("", (5, 9, 9, 9), (1, 9, 9, 9)),
        ("hall_threshold=5", (9, 5, 0, 4), (0, 0, 5, 4)),  # whom it has just ruined gets nothing
    ],
)
def test_city_hall(changes: str, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """ORC-11: for all players, its own included, once each."""
    table = Table(4, changes, coins=before)
    table.accomplish(A, "city_hall")
    assert table.coins() == list(after)
    assert (table.p.points[A], table.hand(A), named(table.p.works[A], 12)) == (1, {}, {"city_hall": 1})


@pytest.mark.parametrize(
    ("name", "spaces", "is_met"),
    [
        ("hospital", "A/B single_house, park; A/D 2 condominium; A apartment_house", True),  # others' cards (ORC-11)
        ("hospital", "A/B 5 single_house", True),
        ("hospital", "A/B single_house, park; A/D 2 condominium", False),
        ("hospital", "A single_house; B/A 4 single_house", False),  # not those next door
        ("hospital", "A 6 small_store", False),
        ("university", "A/D convenience_store", True),
        ("university", "B/A small_store", False),
        ("university", "A 6 park", False),
        ("university", "", False),
    ],
)
def test_hospital_and_university_need_cards_in_ones_own_space(name: str, spaces: str, is_met: bool) -> None:
    cost = {"hospital": 6, "university": 12}[name]
    table = Table(4, coins=(cost - 1,), spaces=spaces, hands=f"A {name}")
    assert table.can(A, ACCOMPLISH) == set()
    table.p.coins[A] = cost
    assert table.can(A, ACCOMPLISH) == ({name} if is_met else set())
    if is_met:
        before = table.space(A)
        table.turn(A, (ACCOMPLISH, name))
        assert (table.coins()[A], table.p.points[A], table.space(A)) == (0, 3, before)


def airport_table(coins: int) -> Table:
    """A's cards with technology, two acquired, one at home, one next door, among other cards of A's and others'."""
    spaces = "A chemical_factory, highway; A/B small_factory; B/A small_factory; B/C wind_turbine; D wind_turbine"
    acquired = "A wind_turbine, chemical_factory; B small_factory"
    return Table(4, coins=(coins,), spaces=spaces, acquired=acquired, hands="A airport, wind_turbine")


@pytest.mark.parametrize(("coins", "n_offered"), [(4, 0), (5, 2), (6, 3), (7, 4), (50, 4)])
def test_airport_offers_the_cards_it_can_then_be_paid_with(coins: int, n_offered: int) -> None:
    """ORC-19: technology 3 makes it 5; without the turbine 6, without the Chemical Factory 7. Others' cards, never."""
    cards = [(A, "chemical_factory"), (B, "small_factory"), (NOBODY, "wind_turbine"), (NOBODY, "chemical_factory")]
    table = airport_table(coins)
    assert table.can(A, ACCOMPLISH) == ({"airport"} if n_offered else set())
    ENGINE.list_scraps(table.s, table.r, A)
    assert sorted(pairs(table.s)) == sorted((space, NUMBER[name]) for space, name in cards[:n_offered])


@pytest.mark.parametrize(
    ("space", "name", "paid", "technology"),
    [
        (NOBODY, "wind_turbine", 6, 2),
        (NOBODY, "chemical_factory", 7, 1),
        (A, "chemical_factory", 5, 3),
        (B, "small_factory", 5, 3),
    ],
)
def test_airport_discards_one_card_and_costs_by_the_technology_left(
    space: int, name: str, paid: int, technology: int
) -> None:
    """ORC-19."""
    table = airport_table(9)
    table.turn(A, (ACCOMPLISH, "airport"), (space, name))
    assert (table.coins()[A], table.p.points[A], table.p.technology[A]) == (9 - paid, 3, technology)
    assert named(table.p.discards) == {name: 1}
    own = {"highway": 1} if space == A else {"chemical_factory": 1, "highway": 1}
    assert table.space(A) == {A: own, B: {"small_factory": 1}}
    assert table.space(B) == {C: {"wind_turbine": 1}} | ({} if space == B else {A: {"small_factory": 1}})
    acquired = Counter({"wind_turbine": 1, "chemical_factory": 1}) - Counter([name] * (space == NOBODY))
    assert named(table.p.acquired[A], 8) == dict(acquired)


def test_airport_may_empty_a_neighbours_space() -> None:
    """ORC-19: then the factory limits no more, and only its owner may build there."""
    table = Table(4, coins=(8,), spaces="B/A chemical_factory", hands="A wind_turbine; B park")
    table.accomplish(A, "airport")  # one card to discard: nothing is asked
    assert table.space(B) == {}
    table.p.coins[A] = 3
    table.turn(A, (CONSTRUCT, "wind_turbine"))
    assert table.space(A) == {A: {"wind_turbine": 1}}  # the only space left
    assert (table.can(B, CLOSE), table.can(B, CONSTRUCT)) == (set(), {"park"})
    table.close(A)
    table.put_spaces("A 6 single_house")
    table.close(A)
    assert table.coins()[A] == 11


@pytest.mark.parametrize("spaces", ["", "A 3 highway", "A/B small_factory; B wind_turbine"])
def test_airport_needs_a_card_with_technology_of_ones_own(spaces: str) -> None:
    """None in hand."""
    table = Table(4, coins=(50,), spaces=spaces, hands="A airport, wind_turbine")
    assert table.can(A, ACCOMPLISH) == set()


def police(theft: tuple[int, int], hands: str, piles: str = "", points: int = 0, drawn: int = NEVER) -> Table:
    """A plays a Police Station; B draws from a pile."""
    table = Table(4, coins=(7,), hands=f"A 2 highway; {hands}", piles=piles)
    table.p.points[A] = points
    table.tell(B, drawn)
    table.accomplish(A, "police_station", theft)
    return table


FULL = "residential park; public_works airport"


def test_police_takes_a_card_by_its_back_and_the_victim_draws() -> None:
    """ORC-12: any type of any opponent, or none."""
    table = police((B, RESIDENTIAL), "B single_house, 2 wind_turbine; C restaurant", FULL, drawn=PUBLIC_WORKS)
    options = [(NOBODY, NOBODY), (B, RESIDENTIAL), (B, INDUSTRIAL), (C, COMMERCIAL)]
    assert sorted(pairs(table.s.views[A])) == options
    assert table.events("stolen", "drawn") == [
        ("stolen", A, {"from": B + 1, "name": "single_house"}),
        ("drawn", B, {"name": "airport"}),
    ]
    assert table.hand(A) == {"highway": 2, "single_house": 1}
    assert table.hand(B) == {"wind_turbine": 2, "airport": 1}
    assert (table.p.points[A], table.coins()[A]) == (1, 0)


def test_the_victim_with_a_public_works_card_draws_no_other() -> None:
    hands = "B single_house, hospital"
    table = police((B, RESIDENTIAL), hands, FULL)  # one pile is left: nothing is asked
    assert table.hand(B) == {"hospital": 1, "park": 1}
    table = police((B, RESIDENTIAL), hands, "residential park; commercial restaurant; " + FULL[18:], drawn=COMMERCIAL)
    assert pairs(table.s.views[B]) == [(RESIDENTIAL, NOBODY), (COMMERCIAL, NOBODY)]
    assert table.hand(B) == {"hospital": 1, "restaurant": 1}
    table = police((B, RESIDENTIAL), hands, "public_works airport")  # nothing that he may draw
    assert table.hand(B) == {"hospital": 1}


def test_a_stolen_public_works_card_is_the_thiefs_only_one_and_may_be_replaced() -> None:
    table = police((B, PUBLIC_WORKS), "B single_house, hospital", FULL, drawn=PUBLIC_WORKS)
    assert table.hand(A) == {"highway": 2, "hospital": 1}
    assert table.hand(B) == {"single_house": 1, "airport": 1}


def test_police_may_take_nothing() -> None:
    table = police((NOBODY, NOBODY), "B single_house")
    assert table.events("stolen", "drawn") == []
    assert (table.hand(B), table.p.points[A]) == ({"single_house": 1}, 1)


def test_which_card_of_a_type_is_taken_is_chance() -> None:
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


# --- exchange ----------------------------------------------------------------------------------------------

COMMON = "single_house, 2 small_store, airport, city_hall"


def test_as_many_cards_come_back_as_are_put_down() -> None:
    table = Table(4, common=COMMON, hands="A 2 park, highway")
    table.turn(A, EXCHANGE, "park", "highway", NOBODY, "small_store", "airport")
    assert table.hand(A) == {"park": 1, "small_store": 1, "airport": 1}
    assert named(table.p.common) == {"single_house": 1, "small_store": 1, "park": 1, "highway": 1}
    assert table.p.common_works == 1
    moved = [data["cards"] for _, _, data in table.events("laid", "taken")]
    assert moved == [{"park": 1, "highway": 1}, {"small_store": 1, "airport": 1}]


def test_cards_put_down_may_come_back() -> None:
    """ORC-14; who has put down his whole hand is not asked whether to stop."""
    table = Table(4, common=COMMON, hands="A park, hospital")
    table.turn(A, EXCHANGE, "hospital", "park", "park", "hospital")
    assert table.hand(A) == {"park": 1, "hospital": 1}
    assert table.p.common_works == 2


@pytest.mark.parametrize(
    ("hands", "answers"),
    [
        ("A park, hospital", ("park", NOBODY, "airport")),
        ("A 2 park", ("park", "park", "airport", "city_hall")),
        ("A park, hospital", ("hospital", "park", "hospital", "airport")),
    ],
)
def test_one_public_works_card_at_most_is_taken(hands: str, answers: tuple[Any, ...]) -> None:
    """ORC-14: none while one is in hand, kept or just taken."""
    table = Table(4, common=COMMON, hands=hands)
    with refused(table, A):
        table.turn(A, EXCHANGE, *answers)
    offered = {CARDS[name] for name, _ in pairs(table.s.views[A])}
    assert offered == {"single_house", "small_store", "park"}
    assert table.s.views[A].n_left == 1


def test_who_sees_which_face() -> None:
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


def test_a_public_works_card_put_down_is_known_to_its_layer_before_he_ever_looks_again() -> None:
    table = Table(4, hands="A hospital", common="park")
    table.turn(A, EXCHANGE, "hospital", "park")
    assert table.seen(A, B) == [{"hospital": 1}, {}]


# --- flush -------------------------------------------------------------------------------------------------


def test_a_flush_deals_eight_homes() -> None:
    """Three to the hand, five to the common space; hand and common space are discarded first."""
    table = Table(4, common=COMMON, hands="A highway, hospital")
    table.put_piles("residential 3 park, 5 single_house, condominium")
    table.turn(A, FLUSH)
    assert table.hand(A) == {"park": 3}
    assert named(table.p.common) == {"single_house": 5}
    assert (table.p.common_works, table.p.pile_n[RESIDENTIAL]) == (0, 1)
    flushed = {"single_house": 1, "small_store": 2, "highway": 1, "airport": 1, "city_hall": 1, "hospital": 1}
    assert named(table.p.discards) == {name: flushed[name] for name in CARDS if name in flushed}
    assert table.s.n_asked == 1  # the action


def test_a_flush_reshuffles_the_homes_just_discarded() -> None:
    """ORC-15, ORC-20: once the pile is empty, not before."""
    table = Table(4, hands="A 3 park", common="park", discards="park, airport", piles="residential 4 single_house")
    table.turn(A, FLUSH)
    assert table.hand(A) == {"single_house": 3}
    assert named(table.p.common) == {"single_house": 1, "park": 4}
    assert (named(table.p.discards), table.p.pile_n[RESIDENTIAL]) == ({"airport": 1}, 1)
    assert [data["cards"] for _, _, data in table.events("reshuffle")] == [{"park": 5}]


def test_without_homes_the_flusher_names_the_piles() -> None:
    """ORC-22: card by card; Public Works cards come into the common space face down and unseen by all."""
    table = Table(4, piles="residential park; commercial 2 small_store; industrial 2 highway")
    table.put_piles("public_works 2 airport, 3 city_hall")
    answers = PUBLIC_WORKS, INDUSTRIAL, PUBLIC_WORKS, COMMERCIAL, PUBLIC_WORKS, PUBLIC_WORKS, INDUSTRIAL
    table.turn(A, FLUSH, *answers)
    assert table.hand(A) == {"park": 1, "airport": 1, "highway": 1}
    assert named(table.p.common) == {"small_store": 1, "highway": 1}
    assert table.p.common_works == 3
    assert table.seen(A, B, C, D) == [{}] * 4
    table = Table(4, piles="commercial 3 small_store; industrial highway; public_works 3 airport")
    with refused(table, A):  # one at most in hand
        table.turn(A, FLUSH, PUBLIC_WORKS, PUBLIC_WORKS)


def test_what_a_flush_cannot_draw_stays_missing() -> None:
    """ORC-22: the second card of the hand is the Highway just flushed, a third is not there, nor by refilling."""
    table = Table(4, hands="A highway", piles="public_works airport, city_hall, hospital")
    table.turn(A, FLUSH, PUBLIC_WORKS)
    assert table.hand(A) == {"airport": 1, "highway": 1}
    assert (table.p.common.sum(), table.p.common_works) == (0, 2)
    assert table.p.pile_n.sum() == table.p.discards.sum() == 0


# --- drawing and the end of a turn -------------------------------------------------------------------------


def test_a_hand_is_filled_card_by_card() -> None:
    """ORC-13: each is seen before the next pile is chosen; a second Public Works card is not on offer."""
    table = Table(4, hands="B park", piles="residential 2 park; commercial restaurant; public_works airport, hospital")
    table.turn(A, PASS, PUBLIC_WORKS, COMMERCIAL)
    view = table.s.views[A]
    assert named(view.hand) == {"airport": 1}
    assert pairs(view) == [(RESIDENTIAL, NOBODY), (COMMERCIAL, NOBODY)]
    assert view.n_left == 2
    assert table.hand(A) == {"airport": 1, "restaurant": 1, "park": 1}
    assert table.p.pile_n.tolist() == [1, 0, 0, 1]
    assert table.hand(B) == {"park": 1}  # only one's own turn fills one's hand


def test_a_pile_is_reshuffled_only_when_a_card_is_needed() -> None:
    """ORC-20."""
    table = Table(4, hands="A 2 highway; B 2 highway", piles="residential park", discards="2 condominium")
    table.turn(A, PASS)
    assert table.hand(A) == {"highway": 2, "park": 1}
    assert table.events("reshuffle") == []
    assert (table.p.pile_n[RESIDENTIAL], named(table.p.discards)) == (0, {"condominium": 2})
    table.turn(B, PASS)
    assert table.hand(B) == {"highway": 2, "condominium": 1}
    assert (table.p.pile_n[RESIDENTIAL], named(table.p.discards)) == (1, {})


def test_a_hand_stays_short_when_nothing_may_be_drawn() -> None:
    table = Table(4, hands="A hospital", piles="public_works 2 airport")
    assert [table.can(A, action) for action in range(6)] == [set(), set(), set(), {None}, {None}, {None}]
    table.turn(A, PASS)
    assert table.hand(A) == {"hospital": 1}
    table.turn(B, PASS)
    assert table.hand(B) == {"airport": 1}


# --- what a view shows -------------------------------------------------------------------------------------


def test_a_view_does_not_depend_on_what_is_secret() -> None:
    """ORC-18: faces in others' hands and in the piles, and those in the common space that a seat has not seen."""
    plain = Table(4, hands="A park; B highway", piles="residential condominium, park")
    other = Table(4, hands="A single_house; B highway", piles="residential 2 single_house")
    ENGINE.lay_work(plain.s, NUMBER["airport"], 1 << A)
    ENGINE.lay_work(other.s, NUMBER["hospital"], 1 << C)
    assert plain.look(B).tobytes() == other.look(B).tobytes()
    assert plain.look(D).tobytes() == other.look(D).tobytes()
    assert (named(plain.look(A).hand), named(other.look(A).hand)) == ({"park": 1}, {"single_house": 1})
    assert (plain.seen(A, C), other.seen(A, C)) == ([{"airport": 1}, {}], [{}, {"hospital": 1}])


def test_a_view_shows_what_lies_open() -> None:
    """ORC-18: the types on the backs, coins, points, spaces, acquired cards, the common space, discards."""
    table = Table(4, coins=(7,), hands="A 2 park, hospital", spaces="C/B small_factory", common="2 restaurant")
    table.put_acquired("D chemical_factory")
    table.put_discards("airport")
    table.p.points[D], table.p.works[D, 1] = 3, 1
    p = table.look(B).public
    assert (p.hand_n[A], p.hand_types[A].tolist(), p.coins[A]) == (3, [2, 0, 0, 1], 7)
    assert (p.space_type[C], p.built[C, 2].tolist()) == (INDUSTRIAL, [0, 0, 1, 0])
    assert (p.technology[D], p.acquired[D].tolist()) == (2, [0, 0, 0, 1])
    assert (p.points[D], p.works[D].tolist()) == (3, [0, 1, 0, 0, 0])
    assert (named(p.common), named(p.discards)) == ({"restaurant": 2}, {"airport": 1})


def test_a_view_does_not_tell_what_was_stolen_from_another() -> None:
    """ORC-27."""
    views = [police((B, RESIDENTIAL), f"B {name}", FULL, drawn=0).look(D) for name in ("single_house", "condominium")]
    assert views[0].tobytes() == views[1].tobytes()


# --- end of game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "name", "coins", "after"),
    [
        (9, "city_hall", 4, 0),  # no gift, and C keeps his 20 (ORC-26)
        (7, "hospital", 6, 0),
        (9, "hospital", 6, 0),
        (9, "police_station", 7, 0),
    ],
)
def test_ten_points_end_the_game_at_once(points: int, name: str, coins: int, after: int) -> None:
    """ORC-16, ORC-26: no ability, no card is drawn."""
    table = Table(4, coins=(coins, 0, 20), spaces="A 5 single_house", hands="B park", piles="residential 3 park")
    table.p.points[A] = points
    table.accomplish(A, name, (B, RESIDENTIAL))
    assert table.s.is_over == 1
    assert table.coins() == [after, 0, 20, 0]
    assert (table.hand(A), table.hand(B)) == ({}, {"park": 1})
    assert [kind for kind, *_ in table.events()] == ["accomplished"]


def test_nine_points_do_not_end_the_game() -> None:
    table = Table(4, coins=(4,))
    table.p.points[A] = 8
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
    table = Table(4, coins=coins)
    table.p.points[:4], table.s.is_over = points, is_over
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
    rows = play_batch(GAME, rules, GAME.fill_rules(rules, 3), randoms(3), 1, 0, 20).outcomes
    assert (rows[..., [WIN, GAME.column("finished")]] == 0).all()
    assert (rows[..., GAME.column("turns")] == 6).all()


def test_the_game_ends_with_the_work_that_reaches_the_points() -> None:
    document = play_transcript(GAME, GAME.rules.parse(["win_points=3"]), randoms(3), 4, 0)
    last, end = document["events"][-5:-3]
    assert (last["kind"], end["kind"], end["data"]["finished"]) == ("accomplished", "end", 1)
    winner = last["seat"] - 1
    assert document["outcome"]["win_share"] == [float(seat == winner) for seat in range(3)]
    assert [score >= 3 for score in document["outcome"]["score"]] == [seat == winner for seat in range(3)]


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
def test_no_card_is_lost(seats: int) -> None:
    """All 110, in games cut off at any length."""
    for deal, limit in enumerate((1, 7, 60)):
        rules = GAME.rules.parse([f"turn_limit_per_seat={limit}"])
        found = play_batch(GAME, rules, GAME.fill_rules(rules, seats), randoms(seats), 9, deal, 1).state[0]
        cards = census(found, seats)
        assert cards.tolist() == rules["copies"].tolist()
        assert cards.sum() == 110


@pytest.mark.parametrize("seats", [2, 6])
def test_hands_stay_within_their_limits(seats: int) -> None:
    """ORC-12, ORC-13: three cards, one of them Public Works at most, at every question after the preparation."""
    rules = GAME.rules.parse(["turn_limit_per_seat=60", "win_points=30", f"cost={','.join('0' * 17)}"])
    states, tallies = np.zeros(1, ENGINE.STATE), np.zeros(1, GAME.tally_dtype)
    out = np.zeros((3, seats, len(GAME.outcome_columns)), np.int32)
    hooks = all_of(takes_any), *[all_of(watches)] * 7
    ENGINE.play(states, GAME.fill_rules(rules, seats), tallies, out, np.zeros(3, np.int64), 2, 0, 1, *hooks)
    assert tallies["stolen"][0, :4].sum() > 0
    assert tallies["actions"][0].sum(axis=0).all()  # every action was taken
