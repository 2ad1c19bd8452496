"""Ore: The Mining Game's engine against the rulebook and the rulings (`ORE-n`): each space where workers go.

Each test lays a table out by hand, seats players that answer as they are told, and has the engine's kernels play a step.
A script that is not used up fails the test, as does an answer that is not on offer. Cards are given as `A C01, C13+2`:
before A lie the contract C01 and the contract C13 with two rows filled. Boxes count from 0, as in answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest

from simcore import kernel, state
from simcore.game import find_game
from simcore.ore_mining import BUILDINGS, CONTRACTS, IN_TOWN, MINES, ORES
from simcore.transcript import decode_events

GAME = find_game("ore_mining")
ENGINE = GAME.engine
SPACES = GAME.rules.labels["space"]
NUMBER = {
    name: number for names in (SPACES, ORES, MINES, CONTRACTS, BUILDINGS) for number, name in enumerate(names)
} | {"cash": 0, "in ore": 1, "no": 0, "yes": 1, "none": -1}
SEATS = "ABCDE"
A, B, C, D, E = range(5)
NOBODY = -1
NEVER = -9  # matches no option
QUEUE = 10  # answers that a view's weights have room for
MINE_SPACES = [f"{ore}_mine" for ore in ORES]
CONTRACT_SPACES = [f"contract_{slot}" for slot in range(1, 6)]


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


@cache
def hook(function: Callable) -> Callable:
    """The player's function as the engine takes it."""
    view, rules = kernel.record_type(ENGINE.VIEW), kernel.record_type(GAME.rules.dtype)
    return kernel.compiled(function, kernel.types.int64(view, rules))


def all_of(function: Callable) -> tuple[Callable, ...]:
    return (hook(function),) * GAME.max_seats


# --- a table -----------------------------------------------------------------------------------------------


def parts(text: str) -> list[tuple[int, str, int]]:
    """`A 2 lead, coal; B gold`: seat, name, number."""
    found = []
    for part in filter(None, map(str.strip, text.split(";"))):
        seat, cards = part.split(" ", 1)
        for card in cards.split(","):
            *n, name = card.split()
            found.append((SEATS.index(seat), name, int(*n or [1])))
    return found


def listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def pair(answer: Any) -> tuple[int, int]:
    """An answer as the engine lists it: names or numbers, the second one nobody's unless given."""
    first, second = answer if isinstance(answer, tuple) else (answer, NOBODY)
    return NUMBER.get(first, first), NUMBER.get(second, second)


def pairs(options: Any) -> list[tuple[int, int]]:
    """Options listed last, by the engine or in a view."""
    return [tuple(option) for option in options.options[: options.n_options].tolist()]


def option(answer: tuple[int, int]) -> Any:
    """A place to put a worker, by name."""
    space, detail = SPACES[answer[0]], answer[1]
    if space in MINE_SPACES:
        return space, detail
    if space == "private_mine":
        return space, ORES[detail]
    return (space, SPACES[detail]) if space == "overtime" else space


class Table:
    """A state made by hand, the rules in force, and what was logged.

    `money`, `cage` and `bits` from seat A on; what else lies there as text, the first card of a deck on top. The first
    card of each ore is face up unless `mines` says otherwise, the others lie in its deck by number.
    """

    def __init__(
        self,
        seats: int = 3,
        changes: str = "",
        money: tuple[int, ...] = (),
        cage: tuple[int, ...] = (),
        bits: tuple[int, ...] = (),
        round_no: int = 1,
        **cards: str,
    ) -> None:
        self.seats = seats
        self.states = np.zeros(1, ENGINE.STATE)
        self.rules = GAME.fill_rules(GAME.rules.parse(changes.split()), seats)
        self.tallies = np.zeros(1, GAME.tally_dtype)
        self.s, self.r, self.t = self.states[0], self.rules[0], self.tallies[0]
        self.p = p = self.s.public
        p.n_seats, p.round_no = seats, round_no
        for name in ("mine_card", "box", "private_card", "shown", "holder"):
            p[name][:] = NOBODY
        p.marker = self.s.card = NOBODY
        self.s.taken_place[:] = self.s.full_since[:] = NOBODY
        self.s.taken_round[:] = self.s.since[:] = self.s.private_since[:] = 1
        self.s.player[:] = self.s.views["seat"] = range(GAME.max_seats)
        self.s.is_logged = 1
        p.money[: len(money)] = money
        p.cage[: len(cage)] = cage
        p.bits[: len(bits)] = bits
        p.bits_left = self.r.drill_bits - sum(bits)
        for ore, name in enumerate(ORES):
            p.in_play[ore] = 0 if name == "copper" and seats == 2 and self.r.two_player else 1
            if p.in_play[ore]:
                p.mine_card[ore] = 6 * ore
                self.put_stack(name, *(f"{name}{number}" for number in range(2, 7)))
        self.told = [0] * GAME.max_seats
        for seat in range(GAME.max_seats):
            self.tell(seat)
        for kind, text in cards.items():
            getattr(self, f"put_{kind}")(text)

    # what lies where

    def put_ore(self, text: str) -> None:
        for seat, name, n in parts(text):
            self.p.ore[seat, NUMBER[name]] += n

    def put_contracts(self, text: str) -> None:
        for seat, card, _ in parts(text):
            name, _, rows = card.partition("+")
            self.p.holder[NUMBER[name]] = seat
            self.p.filled[NUMBER[name]] = int(rows or 0)
            self.p.n_held[seat] += 1

    def put_hands(self, text: str) -> None:
        for seat, name, n in parts(text):
            self.s.hand[seat, NUMBER[name]] += n
            self.p.hand_n[seat] += n

    def put_shown(self, text: str) -> None:
        """Face-up contracts, slot by slot."""
        for slot, name in enumerate(listed(text)):
            self.p.shown[slot] = NUMBER[name]

    def put_deck(self, text: str) -> None:
        """The contract deck."""
        names = listed(text)
        self.s.contract_deck[: len(names)] = [NUMBER[name] for name in names]
        self.p.contracts_left = len(names)

    def put_lost(self, text: str) -> None:
        for name in listed(text):
            self.p.holder[NUMBER[name]] = ENGINE.LOST
            self.p.n_lost += 1

    def put_cards(self, text: str) -> None:
        """The deck of buildings."""
        names = listed(text)
        self.s.building_deck[: len(names)] = [NUMBER[name] for name in reversed(names)]
        self.p.buildings_left = len(names)

    def put_mines(self, text: str) -> None:
        """Mine cards face up; the others of their ore lie in its deck by number."""
        for name in listed(text):
            ore = NUMBER[name] // 6
            self.p.mine_card[ore] = NUMBER[name]
            self.put_stack(ORES[ore], *(MINES[n] for n in range(6 * ore, 6 * ore + 6) if n != NUMBER[name]))

    def put_stack(self, ore: str, *names: str) -> None:
        """The deck of mines of an ore."""
        self.s.mine_deck[NUMBER[ore], : len(names)] = [NUMBER[name] for name in names]
        self.s.mine_top[NUMBER[ore]] = 0
        self.p.mine_left[NUMBER[ore]] = len(names)

    def dig(self, seat: int, ore: str, box: int) -> None:
        """A worker in a mine of the board."""
        assert self.p.box[NUMBER[ore], box] == NOBODY
        self.p.box[NUMBER[ore], box] = seat

    def dig_alone(self, seat: int, name: str, box: int = 0) -> None:
        """A private mine."""
        self.p.private_card[seat] = NUMBER[name]
        self.p.private_box[seat] = box

    def occupy(self, *spaces: str) -> None:
        for space in spaces:
            self.p.occupied[NUMBER[space]] += 1

    # steps

    def tell(self, seat: int, *answers: Any) -> None:
        """Script a seat's next answers: a name or number, or a pair of them."""
        weights = self.s.views[seat].weights
        weights[:] = NEVER
        weights[0] = 0
        weights[1 : 1 + 2 * len(answers)] = [n for answer in answers for n in pair(answer)]
        self.told[seat] = len(answers)

    def step(self, phase: Callable, *hooks: Any) -> None:
        """Play a step; nobody keeps an answer back."""
        phase(self.s, self.r, self.t, *hooks)
        asked = [int(n) for n in self.s.views["weights"][:, 0]]
        assert asked == self.told, "answers given and told"
        for seat in range(GAME.max_seats):
            self.tell(seat)

    def tasking(self, first: int, *workers: int) -> None:
        """Phase 1, with so many workers in front of each seat."""
        self.p.first = first
        self.p.workers[: len(workers)] = workers
        self.step(ENGINE.tasking, *[all_of(obeys)] * 14)

    def place(self, seat: int, *answers: Any) -> None:
        """A seat places a worker and answers what else it is asked; others as they have been told."""
        self.tell(seat, *answers)
        self.place_unasked(seat)

    def place_unasked(self, seat: int) -> None:
        """The same where the script has been written before, or there is one option only."""
        workers = self.p.workers.copy()
        self.tasking(int(self.p.first), *(int(other == seat) for other in range(GAME.max_seats)))
        assert self.p.workers.sum() == 0
        self.p.workers[:] = workers

    def collect(self) -> None:
        self.step(ENGINE.collect)

    def business(self, first: int = A) -> None:
        self.p.first = first
        self.step(ENGINE.do_business, *[all_of(obeys)] * 9)

    def end_round(self) -> None:
        self.step(ENGINE.end_round)

    def next_round(self) -> None:
        """The rest of a round without business, and the beginning of the next."""
        self.collect()
        self.end_round()
        self.p.round_no += 1

    def build(self, *answers: Any, n_allowed: int = 1, seat: int = A) -> None:
        """What a completed contract lets its holder do."""
        self.tell(seat, *answers)
        hooks = [hook(obeys)] * 7

        def build_some(s: Any, r: Any, t: Any) -> None:
            ENGINE.build_some(s, r, t, *hooks, seat, n_allowed)

        self.step(build_some)

    # what came of it

    def spaces(self, seat: int) -> list[Any]:
        """Where a seat may place a worker now."""
        ENGINE.list_spaces(self.s, self.r, seat)
        return [option(answer) for answer in pairs(self.s)]

    def offered(self, seat: int) -> list[tuple[int, int]]:
        """The options of the seat's last question."""
        return pairs(self.s.views[seat])

    def events(self, *kinds: str) -> list[tuple[str, int | None, dict[str, Any]]]:
        """What was logged: kind, seat from 0, data."""
        found = [event for event in decode_events(GAME, self.s) if event["kind"] in kinds or not kinds]
        return [(e["kind"], None if e["seat"] is None else e["seat"] - 1, e["data"]) for e in found]

    def money(self) -> list[int]:
        return self.p.money[: self.seats].tolist()

    def ore(self, seat: int) -> dict[str, int]:
        return {name: int(n) for name, n in zip(ORES, self.p.ore[seat], strict=True) if n}

    def hand(self, seat: int) -> list[str]:
        assert self.p.hand_n[seat] == self.s.hand[seat].sum()
        return [name for name, n in zip(BUILDINGS, self.s.hand[seat], strict=True) for _ in range(n)]

    def contracts(self, seat: int) -> list[str]:
        """Open contracts before a seat, rows filled as in `put_contracts`."""
        held = [name for name in range(len(CONTRACTS)) if self.p.holder[name] == seat]
        assert self.p.n_held[seat] == len(held)
        return [CONTRACTS[name] + (f"+{n}" if (n := self.p.filled[name]) else "") for name in held]

    def lost(self) -> list[str]:
        lost = [CONTRACTS[name] for name in np.flatnonzero(self.p.holder == ENGINE.LOST)]
        assert self.p.n_lost == len(lost)
        return lost

    def shown(self) -> list[str | None]:
        return [CONTRACTS[name] if name >= 0 else None for name in self.p.shown]

    def deck(self) -> list[str]:
        """The contract deck from the top."""
        at = [(self.s.contract_top + i) % ENGINE.CONTRACT_ROOM for i in range(self.p.contracts_left)]
        return [CONTRACTS[name] for name in self.s.contract_deck[at]]

    def cards(self) -> list[str]:
        """The building deck from the top."""
        return [BUILDINGS[name] for name in self.s.building_deck[: self.p.buildings_left][::-1]]

    def mine(self, ore: str) -> str:
        """The mine face up."""
        return MINES[self.p.mine_card[NUMBER[ore]]]

    def stack(self, ore: str) -> list[str]:
        """An ore's deck from the top."""
        at = NUMBER[ore]
        room = [(self.s.mine_top[at] + i) % ENGINE.MINE_ROOM for i in range(self.p.mine_left[at])]
        return [MINES[name] for name in self.s.mine_deck[at, room]]

    def diggers(self, ore: str) -> dict[int, int]:
        """Boxes of a mine of the board that are taken, and whose worker stands there."""
        return {box: int(seat) for box, seat in enumerate(self.p.box[NUMBER[ore]]) if seat != NOBODY}

    def private(self, seat: int) -> tuple[str, int] | None:
        """A private mine and its worker's box."""
        card = self.p.private_card[seat]
        return None if card == NOBODY else (MINES[card], int(self.p.private_box[seat]))


@contextmanager
def refused(table: Table, seat: int) -> Iterator[None]:
    """The answer that this seat gives inside is refused."""
    with pytest.raises(ValueError, match="illegal answer"):
        yield
    assert (table.s.fault, table.s.asked_seat) == (state.NOT_AN_OPTION, seat)


# --- Mine Cage and Drill Bit -------------------------------------------------------------------------------


def test_the_mine_cage_takes_two_workers():
    """Level II for 10, then III for 10 with another worker (ORE-5)."""
    table = Table(3, money=(29,))
    table.place(A, "mine_cage")
    assert (table.p.cage[A], table.money()[A]) == (1, 19)
    assert "mine_cage" not in table.spaces(A)  # its first worker stands there
    table.end_round()
    table.place(A, "mine_cage")
    assert (table.p.cage[A], table.money()[A]) == (2, 9)
    table.end_round()
    table.p.money[A] = 99
    assert "mine_cage" not in table.spaces(A)  # there is no level beyond III


@pytest.mark.parametrize("cage", [0, 1])
def test_a_mine_cage_that_cannot_be_paid_is_no_space(cage):
    """ORE-22; the levels may have prices of their own."""
    table = Table(3, "cage_price=8,13", money=((8, 13)[cage] - 1,), cage=(cage,))
    assert "mine_cage" not in table.spaces(A)
    table.p.money[A] += 1
    table.place(A, "mine_cage")
    assert (table.p.cage[A], table.money()[A]) == (cage + 1, 0)


def test_the_drill_bit_space_gives_a_bit_and_three_dollars():
    table = Table(3, money=(5, 7))
    table.place(B, "drill_bit")
    assert (table.p.bits[:3].tolist(), table.p.bits_left) == ([0, 1, 0], 9)
    assert table.money() == [5, 10, 0]


def test_an_empty_supply_of_drill_bits_still_pays():
    """ORE-25."""
    table = Table(3, bits=(4, 6))
    table.place(A, "drill_bit")
    assert (table.p.bits[A], table.p.bits_left, table.money()[A]) == (4, 0, 3)


# --- mines -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ore", ORES)
def test_a_worker_enters_the_topmost_box_of_a_mine(ore):
    """And nobody else, until it has moved on (ORE-4); the other mines stay open."""
    table = Table(3)
    space = f"{ore}_mine"
    table.place(A, (space, 0))
    assert table.diggers(ore) == {0: A}
    mines = [place for place in table.spaces(B) if place[0] in MINE_SPACES]
    assert mines == [(other, 0) for other in MINE_SPACES if other != space]
    table.collect()
    assert table.diggers(ore) == {1: A}
    table.place(B, (space, 0))
    assert table.diggers(ore) == {0: B, 1: A}


@pytest.mark.parametrize(
    ("name", "cage", "boxes"),
    [
        ("lead1", 0, [0, 1]),  # levels I I II
        ("lead1", 1, [0, 1, 2]),
        ("lead4", 0, [0]),  # I II III
        ("lead4", 1, [0, 1]),
        ("lead4", 2, [0, 1, 2]),
        ("lead3", 0, [0, 1, 2]),  # I I I II III
        ("lead3", 2, [0, 1, 2]),  # never below the third box
        ("lead2", 0, [0, 1]),  # I I II III
        ("lead5", 2, [0, 1, 2]),  # I I II II III
    ],
)
def test_a_drill_bit_opens_boxes_that_the_cage_allows(name, cage, boxes):
    """ORE-4."""
    table = Table(3, cage=(cage, cage), bits=(1, 0), mines=name)
    assert [place[1] for place in table.spaces(A) if place[0] == "lead_mine"] == boxes
    assert [place[1] for place in table.spaces(B) if place[0] == "lead_mine"] == [0]  # without a bit


@pytest.mark.parametrize("box", [0, 1, 2])
def test_the_drill_bit_used_returns_to_the_supply(box):
    """One for either box; none for the topmost, even in hand."""
    table = Table(3, bits=(2,), mines="gold3")
    table.place(A, ("gold_mine", box))
    assert table.diggers("gold") == {box: A}
    assert (table.p.bits[A], table.p.bits_left) == ((2, 8) if box == 0 else (1, 9))


def test_a_drill_bit_opens_no_box_that_is_taken_or_missing():
    """A bit is good for the second box also while the topmost is taken."""
    shallow = "mine_level[iron1]=1,0,0,0,0 mine_yield[iron1]=1,0,0,0,0"
    table = Table(3, shallow, bits=(1,), mines="lead3")
    table.dig(B, "lead", 1)
    table.dig(C, "coal", 0)
    found = table.spaces(A)
    assert [box for place, box in (f for f in found if f[0] == "lead_mine")] == [0, 2]
    assert [box for place, box in (f for f in found if f[0] == "coal_mine")] == [1]
    assert [box for place, box in (f for f in found if f[0] == "iron_mine")] == [0]
    with refused(table, A):
        table.place(A, ("lead_mine", 1))


# --- private mines -----------------------------------------------------------------------------------------


def test_a_private_mine_costs_five_and_the_market_value_of_the_face_up_card():
    """ORE-6: not that of the card drawn, which is the top one of its deck; the worker placed stays on the space."""
    table = Table(3, money=(20,), mines="lead1")
    table.put_stack("lead", "lead5", "lead2")
    table.place(A, ("private_mine", "lead"))
    assert table.money()[A] == 20 - (5 + 1)
    assert table.private(A) == ("lead5", 0)
    assert (table.mine("lead"), table.stack("lead"), table.diggers("lead")) == ("lead1", ["lead2"], {})
    table.collect()
    assert table.ore(A) == {"lead": 2}
    assert table.private(A) == ("lead5", 1)
    table.end_round()
    assert table.p.workers[A] == 4  # the worker in it is a temporary one


def test_one_private_mine_at_a_time():
    """The space takes one worker a round; whoever has a private mine may not use it."""
    table = Table(3, money=(99, 99))
    table.place(A, ("private_mine", "gold"))
    assert all(place[0] != "private_mine" for seat in (A, B) for place in table.spaces(seat))
    table.next_round()
    assert all(place[0] != "private_mine" for place in table.spaces(A))
    table.place(B, ("private_mine", "gold"))
    assert (table.private(A), table.private(B)) == (("gold2", 1), ("gold3", 0))


def test_no_drill_bit_goes_into_a_private_mine():
    """ORE-6: an ore is all that is chosen."""
    table = Table(3, money=(99,), bits=(3,), cage=(2,), mines="coal3")
    assert [place for place in table.spaces(A) if place[0] == "private_mine"] == [("private_mine", ore) for ore in ORES]
    table.place(A, ("private_mine", "coal"))
    assert (table.private(A), table.p.bits[A]) == (("coal1", 0), 3)


def test_a_private_mine_needs_its_price_and_a_card_in_the_deck():
    """ORE-22, ORE-24: 5 and 1, 2, 3, 4, 5 are asked; the lead deck is empty."""
    table = Table(3, money=(9,))
    table.put_stack("lead")
    assert [place[1] for place in table.spaces(A) if place[0] == "private_mine"] == ["coal", "copper", "iron"]
    table.p.money[A] = 10
    assert ("private_mine", "gold") in table.spaces(A)
    table.p.money[A] = 6
    assert all(place[0] != "private_mine" for place in table.spaces(A))


def test_the_worker_in_a_private_mine_needs_a_cage_as_well():
    """ORE-6: coal4 has the levels I, II, III. What is exhausted goes under its deck, and another may be opened."""
    for cage, dug in ((0, 2), (1, 2 + 3), (2, 2 + 3 + 4)):
        table = Table(3, money=(99,), cage=(cage,))
        table.dig_alone(A, "coal4")
        table.put_stack("coal", "coal2", "coal3")
        for _ in range(cage):
            table.collect()
            assert table.stack("coal") == ["coal2", "coal3"]
            assert ("private_mine", "coal") not in table.spaces(A)
        table.collect()
        assert (table.ore(A), table.private(A)) == ({"coal": dug}, None)
        assert table.stack("coal") == ["coal2", "coal3", "coal4"]
        assert ("private_mine", "coal") in table.spaces(A)
        assert table.events("exhausted")[-1][1:] == (A, {"name": "coal4", "by": "bottom" if cage == 2 else "cage"})


# --- contracts ---------------------------------------------------------------------------------------------


def test_a_contract_taken_is_replaced_at_once():
    """ORE-7; its space stays occupied until recall (ORE-21)."""
    table = Table(3, shown="C01, C02, C03, C04", deck="C05, C06")
    table.place(A, "contract_2")
    assert table.contracts(A) == ["C02"]
    assert table.shown() == ["C01", "C05", "C03", "C04", None]
    assert table.deck() == ["C06"]
    assert [place for place in table.spaces(B) if place in CONTRACT_SPACES] == [
        "contract_1",
        "contract_3",
        "contract_4",
    ]
    with refused(table, B):
        table.place(B, "contract_2")
    table.end_round()
    assert [place for place in table.spaces(B) if place in CONTRACT_SPACES] == CONTRACT_SPACES[:4]


@pytest.mark.parametrize(
    ("deck", "looked", "left"),
    [
        ("C05, C06, C07, C08, C09", ["C05", "C06", "C07"], ["C08", "C09", "C05", "C07"]),
        ("C05, C06, C07", ["C05", "C06", "C07"], ["C05", "C07"]),
        ("C05, C06", ["C05", "C06"], ["C05"]),
    ],
)
def test_the_contract_deck_lets_look_at_three_and_keep_one(deck, looked, left):
    """ORE-7: the other two go under it; one must be kept. Two cards left are looked at (ORE-18)."""
    table = Table(3, deck=deck)
    table.place(A, "contract_deck", "C06")
    assert table.offered(A) == [pair(name) for name in looked]
    assert (table.contracts(A), table.deck()) == (["C06"], left)
    assert "contract_deck" not in table.spaces(B)  # occupied, or empty as well


def test_the_last_contract_of_the_deck_is_kept_unasked():
    """ORE-18: lost contracts stay apart while the deck has a card."""
    table = Table(3, deck="C05", lost="C06")
    table.place(A, "contract_deck")
    assert (table.contracts(A), table.deck(), table.lost()) == (["C05"], [], ["C06"])


def test_what_lies_under_the_contract_deck_comes_up_last():
    table = Table(3, shown="C01", deck="C05, C06, C07, C08")
    table.place(A, "contract_deck", "C05")
    for name in ("C08", "C06", "C07"):
        table.end_round()
        table.place(B, "contract_1")
        assert table.shown()[0] == name


def test_lost_contracts_become_the_deck_when_a_card_is_needed():
    """ORE-18: not before; completed ones never return."""
    table = Table(3, shown="C01, C02", deck="C03", lost="C10, C11, C12")
    table.p.holder[NUMBER["C20"]] = ENGINE.DONE
    table.place(A, "contract_1")
    assert (table.shown()[:2], table.deck(), table.lost()) == (["C03", "C02"], [], ["C10", "C11", "C12"])
    assert table.events("contracts_reshuffled") == []
    table.place(B, "contract_2")
    assert {table.shown()[1], *table.deck()} == {"C10", "C11", "C12"}
    assert (table.lost(), table.p.filled[[9, 10, 11]].tolist()) == ([], [0, 0, 0])
    assert table.events("contracts_reshuffled") == [("contracts_reshuffled", None, {"cards": 3})]
    assert table.p.holder[NUMBER["C20"]] == ENGINE.DONE


def test_the_deck_space_reshuffles_lost_contracts_too():
    """ORE-18."""
    table = Table(3, lost="C10, C11, C12, C13")
    assert "contract_deck" in table.spaces(A)
    table.tell(A, "contract_deck", NEVER)
    with refused(table, A):
        table.place_unasked(A)
    looked = {name for name, _ in table.offered(A)}
    assert len(looked) == 3
    assert looked < {NUMBER[name] for name in ("C10", "C11", "C12", "C13")}


def test_chance_orders_the_lost_contracts_anew():
    """ORE-18: the first card turned up is not always the same."""
    first = set()
    for deal in range(12):
        table = Table(3, shown="C01", lost="C10, C11, C12")
        table.s.deal = deal
        table.place(A, "contract_1")
        first.add(table.shown()[0])
    assert first == {"C10", "C11", "C12"}


def test_a_slot_stays_empty_without_contracts():
    """ORE-18: its space and the deck space are closed."""
    table = Table(3, shown="C01, C02")
    table.place(A, "contract_1")
    assert table.shown()[:2] == [None, "C02"]
    table.end_round()
    found = [place for place in table.spaces(B) if place == "contract_deck" or place in CONTRACT_SPACES]
    assert found == ["contract_2"]


# --- Commodity Market --------------------------------------------------------------------------------------


def test_the_commodity_market_serves_all_in_turn_order():
    """The active player up to two of an ore, each other one of the same, from his left on (ORE-8)."""
    table = Table(3, money=(9, 30, 0), ore="A gold; B lead; C 3 gold", mines="gold1")  # at 5
    table.tell(C, ("gold", -1))
    table.tell(A, ("gold", 1))
    table.place(B, "commodity_market", ("gold", 2))
    trades = [(seat, kind, data["cubes"], data["price"]) for kind, seat, data in table.events("bought", "sold")]
    assert trades == [(B, "bought", 2, 5), (C, "sold", 1, 5), (A, "bought", 1, 5)]
    assert table.money() == [4, 20, 5]
    assert [table.ore(seat) for seat in (A, B, C)] == [{"gold": 2}, {"lead": 1, "gold": 2}, {"gold": 2}]
    gold = NUMBER["gold"]
    assert sorted(table.offered(A)) == [(gold, -1), (gold, 0), (gold, 1)]
    assert sorted(table.offered(C)) == [(gold, -1), (gold, 0)]  # nothing to buy with, and one of three to sell


def test_two_of_one_ore_are_bought_or_sold_at_most():
    """As far as money and ore go (ORE-8); the five ores are at 1, 2, 3, 4, 5."""
    table = Table(3, money=(7,), ore="A 3 lead, gold")
    table.place(A, "commodity_market", ("lead", -2))
    offered = [(ORES[ore], n) for ore, n in table.offered(A) if ore != NOBODY]
    bought = [(ore, n) for ore, n in offered if n > 0]
    dearer = [("coal", 1), ("coal", 2), ("copper", 1), ("copper", 2), ("iron", 1), ("gold", 1)]
    assert bought == [("lead", 1), ("lead", 2), *dearer]
    assert [(ore, n) for ore, n in offered if n < 0] == [("lead", -1), ("lead", -2), ("gold", -1)]
    assert (table.money()[A], table.ore(A)) == (9, {"lead": 1, "gold": 1})


def test_the_market_value_is_that_of_the_mine_face_up():
    """One and the same for all who trade, whichever way."""
    for name, value in (("iron1", 4), ("iron3", 5), ("iron6", 6)):
        table = Table(2, money=(0, 10), ore="A 2 iron", mines=name)
        table.tell(B, ("iron", 1))
        table.place(A, "commodity_market", ("iron", -2))
        assert table.money() == [2 * value, 10 - value]


def test_the_market_may_be_used_to_trade_nothing():
    """ORE-25; then there is no ore for the others."""
    table = Table(3, money=(9, 9, 9), ore="B 2 lead")
    table.place(A, "commodity_market", ("none", 0))
    assert table.money() == [9, 9, 9]
    assert "commodity_market" not in table.spaces(B)


def test_others_need_not_follow_a_trade():
    table = Table(3, money=(9, 9, 9), ore="C lead")
    table.tell(B, ("lead", 0))
    table.tell(C, ("lead", 0))
    table.place(A, "commodity_market", ("lead", 1))
    assert (table.money(), table.ore(B), table.ore(C)) == ([8, 9, 9], {}, {"lead": 1})


# --- Permit Office -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "paid", "others", "others_paid"), [(1, 0, 0, 0), (2, 4, 1, 3), (3, 10, 2, 7), (1, 0, 2, 7)]
)
def test_permits_cost_nothing_four_or_ten_and_others_three_or_seven(own, paid, others, others_paid):
    """ORE-9."""
    table = Table(3, money=(20, 20, 20), cards=", ".join(BUILDINGS))
    for seat in (A, C):
        table.tell(seat, (others, others_paid))
    table.place(B, "permit_office", (own, paid))
    assert table.money() == [20 - others_paid, 20 - paid, 20 - others_paid]
    assert table.offered(B) == [(1, 0), (2, 4), (3, 10)]
    assert table.offered(A) == table.offered(C) == [(0, 0), (1, 3), (2, 7)]
    assert table.hand(B) + table.hand(C) + table.hand(A) == list(BUILDINGS[: own + 2 * others])  # in turn order


def test_nobody_draws_permits_that_he_cannot_pay():
    """C is not asked; from the active player on in turn order."""
    table = Table(3, money=(3, 6, 2), cards="B01, B02, B03, B04")
    table.tell(A, (1, 3))
    table.place(B, "permit_office", (2, 4))
    assert table.offered(B) == [(1, 0), (2, 4)]
    assert table.offered(A) == [(0, 0), (1, 3)]
    assert (table.hand(A), table.hand(B), table.hand(C)) == (["B03"], ["B01", "B02"], [])
    assert table.money() == [0, 2, 2]


def test_no_more_permits_are_paid_than_there_are():
    """ORE-19: an empty deck gives nothing and costs nothing."""
    table = Table(3, money=(20, 20, 20), cards="B01, B02")
    table.tell(B, (1, 3))
    table.place(A, "permit_office", (1, 0))
    assert (table.offered(A), table.offered(B)) == ([(1, 0), (2, 4)], [(0, 0), (1, 3)])
    assert (table.hand(A), table.hand(B), table.hand(C)) == (["B01"], ["B02"], [])
    table.end_round()
    table.place(C, "permit_office")
    assert (table.hand(C), table.money()) == ([], [20, 17, 20])


def test_the_permit_office_opens_to_who_can_pay_for_a_card():
    """ORE-9, ORE-22: the shipped first card is free; where it is not, Overtime follows. An empty deck asks nothing."""
    assert "permit_office" in Table(3, cards="B01").spaces(A)
    table = Table(3, "permit_price=6,4,10", money=(3, 5), cards="B01, B02")
    assert "permit_office" not in table.spaces(A)
    assert "permit_office" in table.spaces(B)  # two cards cost less than one
    table.p.money[B] = 3
    table.put_cards("B01")
    assert "permit_office" not in table.spaces(B)
    table.occupy("permit_office")
    table.p.money[B] = 6
    assert ("overtime", "permit_office") not in table.spaces(A)
    assert ("overtime", "permit_office") in table.spaces(B)
    table.p.buildings_left = 0
    assert ("overtime", "permit_office") in table.spaces(A)


# --- Recruit -----------------------------------------------------------------------------------------------


def test_recruits_cost_20_then_18_and_work_from_the_next_round_on():
    """ORE-10: all five prices in a game of five, one worker a seat."""
    table = Table(5, money=(30, 30, 30, 30, 30))
    for n, (seat, price) in enumerate(((B, 20), (A, 18), (E, 16), (C, 14), (D, 12)), 1):
        table.p.money[seat] = price - 1
        assert "recruit" not in table.spaces(seat)
        table.p.money[seat] = 30
        table.place(seat, "recruit")
        assert (table.p.money[seat], table.p.workers[seat]) == (30 - price, 0)
        table.end_round()
        assert table.p.workers[seat] == 4
        assert table.p.workers[:5].sum() == 5 * 3 + n
        table.p.workers[:] = 0
        table.p.round_no += 1
        table.p.money[seat] = 99
        assert "recruit" not in table.spaces(seat)


# --- Advanced Orders ---------------------------------------------------------------------------------------


def test_advanced_orders_takes_the_marker_and_a_card_and_serves_all():
    """Rows from the active player on, not from the first one (ORE-11, ORE-23); the marker moves in the next round."""
    table = Table(3, contracts="A C01; B C02; C C03", ore="A 2 lead; B 2 lead; C 2 coal", cards="B07, B08")
    table.p.first = A
    for seat, name in ((A, "C01"), (B, "C02"), (C, "C03")):
        table.tell(seat, *(["advanced_orders"] if seat == B else []), name)
    table.place_unasked(B)
    assert [seat for _, seat, _ in table.events("row_filled")] == [B, C, A]
    assert table.money() == [5, 5, 7]
    assert (table.hand(A), table.hand(B), table.hand(C)) == ([], ["B07"], [])
    assert [table.contracts(seat) for seat in (A, B, C)] == [["C01+1"], ["C02+1"], ["C03+1"]]
    assert (table.p.first, table.p.marker) == (A, B)
    table.end_round()
    assert (table.p.first, table.p.marker) == (B, NOBODY)


def test_in_advanced_orders_nothing_is_lost():
    """One row of a contract at most, whichever one likes (ORE-11)."""
    table = Table(3, contracts="A C01, C02, C13; B C03", ore="A 6 lead, coal; B 2 coal", cards="B07")
    table.tell(B, "none")
    table.place(A, "advanced_orders", "C13", "none")
    assert table.offered(A) == [pair("none"), pair("C01"), pair("C02")]  # C13 has had its row
    assert (table.contracts(A), table.contracts(B)) == (["C01", "C02", "C13+1"], ["C03"])
    assert (table.lost(), table.money(), table.ore(A)) == ([], [5, 0, 0], {"lead": 4, "coal": 1})


def test_business_demands_the_next_row_after_advanced_orders():
    """ORE-11."""
    table = Table(3, contracts="A C13", ore="A 4 lead, coal", cards="B07")
    table.place(A, "advanced_orders", "C13")
    table.tell(A, "yes")
    table.business()
    assert (table.contracts(A), table.money()[A], table.ore(A)) == (["C13+2"], 5 + 9, {})
    table.p.round_no += 1
    table.business()
    assert (table.contracts(A), table.lost()) == ([], ["C13"])


def test_a_contract_completed_in_advanced_orders_lets_build():
    """ORE-11: its points, its buildings at once, the card just drawn among them; for other players too."""
    table = Table(3, money=(4, 0), contracts="A C01+1; B C02+1", ore="A lead, coal; B 2 coal", cards="B03, B01")
    table.put_hands("B B01")
    table.tell(B, "C02", ("B01", "cash"), "yes")
    table.place(A, "advanced_orders", "C01", ("B03", "cash"), "yes")
    assert table.p.n_contracts[:3].tolist() == [1, 1, 0]
    assert table.p.contract_points[:3].tolist() == [2, 2, 0]
    assert table.p.building_points[:3].tolist() == [2, 1, 0]
    assert table.money() == [4 + 6 - 6, 8 - 5 + 4, 0]
    assert (table.hand(A), table.hand(B)) == (["B01"], [])
    assert (table.contracts(A), table.contracts(B), table.lost()) == ([], [], [])


def test_advanced_orders_begin_with_the_active_player():
    """ORE-23: B is the active player, A the first one."""
    table = Table(3, contracts="A C01; B C02; C C13", ore="A 2 lead; B 2 lead; C 2 lead")
    table.tell(A, "C01")
    table.tell(B, "advanced_orders", "C02")
    table.tell(C, "C13")
    table.tasking(A, 0, 1, 0)
    assert [seat for _, seat, _ in table.events("row_filled")] == [B, C, A]


def test_advanced_orders_fill_one_row_of_a_contract():
    """ORE-11: A has the ore for C14's second row too, and none for C03; there is nothing more to ask."""
    table = Table(3, contracts="A C03, C14", ore="A 2 lead, 3 coal")
    table.place(A, "advanced_orders", "C14")
    assert (table.contracts(A), table.money()[A]) == (["C03", "C14+1"], 7)
    assert table.ore(A) == {"lead": 2, "coal": 1}


# --- Overtime ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [A, B])
def test_overtime_uses_spaces_in_town_that_are_occupied(seat):
    """One's own too (ORE-12, ORE-23); nothing outside the town."""
    table = Table(3, money=(99, 99), shown="C01, C02", deck="C03, C04")
    assert all(place[0] != "overtime" for place in table.spaces(seat))
    outside = ("private_mine", "contract_deck", "contract_1")
    for space in (*outside, *IN_TOWN):
        table.occupy(space)
        used = [place[1] for place in table.spaces(seat) if place[0] == "overtime"]
        assert used == ([] if space in outside else [*IN_TOWN[: IN_TOWN.index(space) + 1]])


def test_overtime_acts_like_a_worker_on_the_space():
    """A has the drill bit, then once more by Overtime; the Overtime place is taken then."""
    table = Table(3)
    table.place(A, "drill_bit")
    table.place(A, ("overtime", "drill_bit"))
    assert (table.p.bits[A], table.money()[A]) == (2, 6)
    assert all(place[0] != "overtime" for place in table.spaces(B))
    table.end_round()
    assert "drill_bit" in table.spaces(B)
    assert all(place[0] != "overtime" for place in table.spaces(B))  # nothing to use yet


@pytest.mark.parametrize(
    ("space", "money", "cage", "recruited"),
    [("mine_cage", 9, 0, 0), ("mine_cage", 99, 2, 0), ("recruit", 19, 0, 0), ("recruit", 99, 0, 1)],
)
def test_overtime_needs_what_the_space_needs(space, money, cage, recruited):
    """ORE-22: alone occupied, it leaves Overtime closed; with 20 dollars a player without either may."""
    table = Table(3, money=(money, 20), cage=(cage,))
    table.p.recruited[A] = recruited
    table.occupy(space)
    assert all(place[0] != "overtime" for place in table.spaces(A))
    assert ("overtime", space) in table.spaces(B)


def test_cage_and_recruit_by_overtime_cost_the_same():
    table = Table(5, money=(30, 30))
    table.occupy("mine_cage", "recruit")
    table.place(A, ("overtime", "mine_cage"))
    table.place(B, ("overtime", "recruit"))  # a second place: five players
    assert (table.money()[:2], table.p.cage[A], table.p.recruited[B]) == ([20, 10], 1, 1)


@pytest.mark.parametrize(("seats", "places"), [(2, 0), (3, 1), (4, 1), (5, 2)])
def test_overtime_has_places_by_the_number_of_players(seats, places):
    """ORE-2."""
    table = Table(seats)
    table.occupy("drill_bit")
    for _ in range(places):
        table.place(A, ("overtime", "drill_bit"))
    assert table.p.bits[A] == places
    assert all(place[0] != "overtime" for place in table.spaces(B))


def test_the_marker_moves_twice_by_overtime_and_is_then_not_passed():
    """A calls Advanced Orders, C by Overtime (ORE-11, ORE-12): C begins the next round, where A would be next."""
    table = Table(3, cards="B01, B02, B03")
    table.tell(A, "advanced_orders")
    table.tell(C, ("overtime", "advanced_orders"))
    table.tell(B, "drill_bit")
    table.tasking(A, 1, 1, 1)
    assert [seat for _, seat, _ in table.events("marker_taken")] == [A, C]
    assert (table.hand(A), table.hand(C)) == (["B01"], ["B02"])
    table.end_round()
    assert table.p.first == C


# --- turns to place a worker -------------------------------------------------------------------------------


def test_workers_are_placed_one_by_one_in_turn_order():
    """From the first player on; who has none left is skipped."""
    table = Table(3)
    table.tell(B, "drill_bit", ("lead_mine", 0), ("coal_mine", 0), ("copper_mine", 0))
    table.tell(C, "advanced_orders")
    table.tell(A, ("gold_mine", 0), ("iron_mine", 0))
    table.tasking(B, 2, 4, 1)
    placed = [(seat, data["space"]) for _, seat, data in table.events("placed")]
    assert placed == [
        (B, "drill_bit"), (C, "advanced_orders"), (A, "gold_mine"), (B, "lead_mine"), (A, "iron_mine"), (B, "coal_mine"),
        (B, "copper_mine"),
    ]  # fmt: skip
    assert table.p.workers[:3].tolist() == [0, 0, 0]


def closed(table: Table, *but: str) -> Table:
    """No space left in town, no mine, no private mine, but those named."""
    table.occupy(*({*IN_TOWN, "private_mine", "overtime"} - {*but}))
    for ore in ORES:
        if f"{ore}_mine" not in but:
            table.dig(C, ore, 0)
    return table


def test_a_worker_must_be_placed_if_there_is_a_space():
    """ORE-22: the last space open is taken unasked."""
    table = closed(Table(3), "copper_mine")
    table.place_unasked(A)
    assert table.diggers("copper") == {0: A}
    assert table.s.n_asked == 0


def test_who_has_no_space_passes_and_keeps_the_workers():
    """ORE-22: the phase ends when every player in a row passes."""
    table = closed(Table(3), "copper_mine", "gold_mine")
    table.tell(A, ("copper_mine", 0))
    table.tasking(A, 2, 3, 0)
    kinds = [(kind, seat) for kind, seat, _ in table.events("placed", "passed")]
    assert kinds == [("placed", A), ("placed", B), ("passed", A), ("passed", B)]
    assert table.p.workers[:3].tolist() == [1, 2, 0]


def test_who_passed_is_asked_again():
    """ORE-22: B, kept from Advanced Orders, has no space; A's fills a row of B's, which pays for the Mine Cage."""
    table = Table(3, "barred[2,advanced_orders]=1", contracts="B C22", ore="B copper, iron")
    closed(table, "advanced_orders", "mine_cage")
    table.tell(B, "C22")
    table.tasking(B, 1, 1, 0)
    kinds = [(kind, seat) for kind, seat, _ in table.events("placed", "passed")]
    assert kinds == [("passed", B), ("placed", A), ("placed", B)]
    assert (table.p.cage[B], table.money()[B]) == (1, 0)


@pytest.mark.parametrize(("round_no", "is_open"), [(6, False), (7, True)])
def test_in_the_last_round_spaces_in_town_take_any_number(round_no, is_open):
    """ORE-3: one's own worker does not matter; outside the town one worker is all."""
    table = Table(3, money=(99, 99), round_no=round_no, shown="C01, C02", deck="C03, C04")
    table.occupy(*IN_TOWN, "private_mine", "contract_deck", "contract_1", "overtime")
    table.place(A, ("lead_mine", 0))
    for seat in (A, B):
        found = table.spaces(seat)
        assert {place for place in found if place in IN_TOWN} == (set(IN_TOWN) if is_open else set())
        others = {place if isinstance(place, str) else place[0] for place in found} - set(IN_TOWN)
        assert others == {"coal_mine", "copper_mine", "iron_mine", "gold_mine", "contract_2"}


@pytest.mark.parametrize(("changes", "is_open"), [("rounds=3", True), ("rounds=3 last_round_open=0", False)])
def test_the_last_round_is_that_of_the_rules(changes, is_open):
    table = Table(3, changes, round_no=3)
    table.place(A, "drill_bit")
    assert ("drill_bit" in table.spaces(A)) == is_open
    if is_open:
        table.place(A, "drill_bit")
        table.place(B, "drill_bit")
        assert table.p.bits[:3].tolist() == [2, 1, 0]
