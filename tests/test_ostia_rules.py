"""Ostia's engine against the rulebook's worked examples and the rulings (`OST-n`), phase by phase.

Each test lays a table out by hand, seats players that answer as they are told, and calls the engine's own kernels.
"""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

import strategies
from simcore import kernel, state
from simcore.batch import play_batch
from simcore.chance import open_stream
from simcore.errors import AssayError, IllegalAnswerError
from simcore.game import RANK, WIN, find_game
from simcore.ostia import LOT, RESOURCES, completions
from simcore.records import STREAM
from simcore.transcript import decode_events, play_transcript

GAME = find_game("ostia")
ENGINE = GAME.engine
A, B, C, D, E = range(5)
IVORY, WOOD, WINE, OIL, TEXTILES, GRAIN = range(6)
NOBODY = -1
PHOTO, EXAMPLE = GAME.rules.rules["senate_cards"].default[:2]
ADVANCED = ("advanced_discard", "advanced_price", "advanced_start")
LEAST_P = 1e-4  # seeds are fixed: a test of chance either always passes or never

# where a scripted player finds its answers among the weights of its view
FORUM, SENATE, COUNT, BID, FIRST, SECOND = 0, 6, 12, 13, 14, 15
KEPT, SALE = FORUM, SENATE


@pytest.fixture(autouse=True)
def _words_wrap_around() -> Iterator[None]:
    """Un-jitted, the streams' 64-bit words wrap around with a warning."""
    with np.errstate(over="ignore"):
        yield


# --- scripted players --------------------------------------------------------------------------------------


def takes_pair(v, r):
    """`offer`, `discard`: the option that is the pair it was told."""
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[FIRST] and v.options[i, 1] == v.weights[SECOND]:
            return i
    return -1


def takes_one(v, r):
    """`keep`, `choose_start`: the option it was told."""
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[FIRST]:
            return i
    return -1


def sells(v, r):
    for i in range(v.n_options):
        if v.options[i, 0] == v.weights[SALE]:
            return i
    return -1


def bids(v, r):
    return int(v.weights[BID])


def outbids(v, r):
    """One more than the best bid it sees."""
    highest = v.public.minimum - 1
    for seat in range(v.public.n_seats):
        highest = max(highest, v.bids[seat])
    return highest + 1


def assigns(v, r):
    for kind in range(6):
        v.to_forum[kind] = int(v.weights[FORUM + kind])
        v.to_senate[kind] = int(v.weights[SENATE + kind])
        for seat in range(5):
            v.scratch[0, kind] += v.forum[seat, kind] + v.donated[seat, kind]  # what it sees of the piles
    return 0


def keeps(v, r):
    """`store`, `score`."""
    for kind in range(6):
        v.kept[kind] = int(v.weights[KEPT + kind])
    return int(v.weights[COUNT])


def counts(v, r):
    return int(v.weights[COUNT])


def takes_first(v, r):
    return 0


@cache
def hook(function: Callable) -> Callable:
    """The player's function as the engine takes it."""
    view, rules = kernel.record_type(ENGINE.VIEW), kernel.record_type(GAME.rules.dtype)
    return kernel.compiled(function, kernel.types.int64(view, rules))


def all_of(function: Callable) -> tuple[Callable, ...]:
    return (hook(function),) * 5


# --- a table -----------------------------------------------------------------------------------------------


def cards(**counts: int) -> list[int]:
    """A pile: `cards(wine=2, oil=1)`."""
    names = ("ivory", "wood", "wine", "oil", "textiles", "grain")
    return [counts.pop(name, 0) for name in names] + list(counts)


NONE = cards()


class Table:
    """A state made by hand, the rules in force, and what was logged."""

    def __init__(
        self, seats: int, *changes: str, start: int = A, round_no: int = 1, senate: Sequence[int] = EXAMPLE
    ) -> None:
        self.states = np.zeros(1, ENGINE.STATE)
        self.s = self.states[0]
        self.r = GAME.fill_rules(GAME.rules.parse(changes), seats)[0]
        self.t = np.zeros(1, GAME.tally_dtype)[0]
        self.p = self.s.public
        self.p.n_seats = seats
        self.p.start = start
        self.p.round_no = round_no
        self.p.senate[:] = senate
        self.p.seller = NOBODY
        self.s.player[:] = range(5)
        self.s.no_values[:] = -1
        self.s.is_logged = 1

    @property
    def play(self) -> tuple[Any, Any, Any]:
        """What most kernels begin with."""
        return self.s, self.r, self.t

    def tell(self, seat: int, **answers: Any) -> None:
        """Script a seat: `pair`, `one`, `bid`, `sale`, `count`, `kept`, `forum`, `senate`."""
        places = {"pair": FIRST, "one": FIRST, "bid": BID, "sale": SALE, "count": COUNT, "kept": KEPT}
        places |= {"forum": FORUM, "senate": SENATE}
        for name, answer in answers.items():
            values = np.atleast_1d(answer)
            self.s.views[seat].weights[places[name] : places[name] + values.size] = values

    def stack(self, *kinds: int) -> None:
        """A deck that gives these cards, the first one first."""
        self.s.deck_n = len(kinds)
        self.s.deck[: len(kinds)] = kinds[::-1]

    def events(self, *kinds: str) -> list[tuple[str, int | None, dict[str, Any]]]:
        """What was logged: kind, seat from 0, data."""
        found = decode_events(GAME, self.s)
        wanted = [event for event in found if event["kind"] in kinds or not kinds]
        return [(e["kind"], None if e["seat"] is None else e["seat"] - 1, e["data"]) for e in wanted]

    def data(self, kind: str) -> list[dict[str, Any]]:
        return [data for _, _, data in self.events(kind)]

    def options(self) -> list[tuple[int, int]]:
        """The options listed last."""
        return [tuple(pair) for pair in self.s.options[: self.s.n_options].tolist()]

    def auction(self, seller: int, pair: tuple[int, int], bids_: Sequence[int], sale: int | None = None) -> None:
        """One lot; `bids_` from the seller's left."""
        self.tell(seller, pair=pair, sale=seller if sale is None else sale)
        for step, bid in enumerate(bids_, 1):
            self.tell((seller + step) % self.p.n_seats, bid=bid)
        turn = (seller - self.p.start) % self.p.n_seats
        ENGINE.auction_lot(*self.play, seller, turn, hook(takes_pair), all_of(bids), hook(sells))

    def flow(self, name: str) -> int:
        """Money counted in the tally of flows."""
        return int(self.t.cash_flow[self.p.round_no - 1, GAME.tally("cash_flow").axes[1].labels.index(name)])


@contextmanager
def refused(table: Table, fault: int) -> Iterator[None]:
    """The answer given inside is refused as this fault."""
    with pytest.raises(ValueError, match="illegal answer"):
        yield
    assert table.s.fault == fault


def numbers(array: Any, seats: int) -> list[int]:
    return [int(n) for n in array[:seats]]


# --- the example round -------------------------------------------------------------------------------------


def example_harbor() -> Table:
    """Players A to D with the cards of the example round dealt, 55 denarii and a storehouse each."""
    table = Table(4, start=A, senate=EXAMPLE)
    s = table.s
    s.cash[:] = 55
    table.p.storehouses[:] = 1
    s.hand[A] = cards(wine=1)
    table.p.hand_n[A] = 1
    s.dock[A] = cards(oil=2, ivory=1, grain=1, wine=1)
    s.dock[B] = cards(grain=1, ivory=1, wood=2)
    s.dock[C] = cards(grain=2, textiles=2)
    return table


def example_lots() -> Table:
    """The example's auctions: three lots of the first cycle, then A's second."""
    table = example_harbor()
    table.tell(A, one=GRAIN)
    ENGINE.keep_cards(table.s, table.r, hook(takes_one), A)
    table.p.cycle = 1
    table.auction(A, (IVORY, WINE), (0, 0, 0))
    table.auction(B, (IVORY, GRAIN), (18, 19, 16), sale=B)
    table.auction(C, (GRAIN, GRAIN), (18, 21, 22), sale=A)
    table.p.cycle = 2
    table.auction(A, (OIL, OIL), (0, 0, 0))
    return table


def example_office() -> Table:
    """The example's piles, assigned and revealed, two wine on the talon."""
    table = Table(4, start=A, senate=EXAMPLE)
    piles = {
        A: (cards(grain=1, wine=1), cards(grain=2, ivory=1), cards(wine=1, oil=2)),
        B: (cards(ivory=2, oil=1, grain=1), cards(wood=1, grain=1), NONE),
        C: (cards(oil=1, textiles=2), cards(ivory=3), NONE),
        D: (cards(textiles=1, wine=3), cards(wine=1, grain=2), NONE),
    }
    for seat, (forum, senate, stored) in piles.items():
        table.s.hand[seat] = np.sum((forum, senate, stored), axis=0)
        table.p.hand_n[seat] = table.s.hand[seat].sum()
        table.tell(seat, forum=forum, senate=senate)
    table.stack(WINE, WINE, GRAIN)
    ENGINE.office(*table.play, all_of(assigns))
    return table


def test_example_a_keeps_grain_and_auctions_the_rest():
    table = example_harbor()
    table.tell(A, one=GRAIN)
    ENGINE.keep_cards(table.s, table.r, hook(takes_one), A)
    assert table.s.hand[A].tolist() == cards(wine=1, grain=1)
    assert table.s.dock[A].tolist() == cards(oil=2, ivory=1, wine=1)
    assert table.p.hand_n[A] == 2


def test_example_lots():
    """A is forced to pay 8; B keeps his lot for 20; C sells to A for 21, of which the bank gets 11 (OST-4, 5, 6)."""
    table = example_lots()
    assert [data["minimum"] for data in table.data("offered")] == [16, 13, 8, 12]
    outcomes = table.events("forced", "own_lot", "sold")
    assert outcomes == [
        ("forced", A, {"price": 8, "paid": 8, "waived": 0}),
        ("own_lot", B, {"price": 20}),
        ("sold", C, {"buyer": A + 1, "price": 21, "to_bank": 11, "to_seller": 10}),
        ("forced", A, {"price": 6, "paid": 6, "waived": 0}),
    ]
    assert numbers(table.s.cash, 4) == [55 - 8 - 21 - 6, 55 - 20, 55 + 10, 55]


def test_example_hand_of_a_after_the_harbor():
    table = example_lots()
    assert table.s.hand[A].tolist() == cards(ivory=1, wine=2, grain=3, oil=2)
    assert table.s.dock[A].tolist() == NONE
    assert table.p.hand_n[A] == 8
    assert table.s.hand[B].tolist() == cards(ivory=1, grain=1)
    assert table.s.dock[C].tolist() == cards(textiles=2)


def test_lots_bids_and_buyers_are_open_to_all():
    """Who bought what for how much lies open (OST-7)."""
    table = example_lots()
    assert table.p.bought[A].tolist() == cards(ivory=1, wine=1, grain=2, oil=2)
    assert table.p.bought[B].tolist() == cards(ivory=1, grain=1)
    assert numbers(table.p.spent, 4) == [8 + 21 + 6, 20, 0, 0]
    assert numbers(table.p.earned, 4) == [0, 0, 10, 0]


def test_example_b_loses_both_grain():
    """A fourth resource: the one worth most to the Senate goes from both piles (OST-9)."""
    table = example_office()
    assert table.events("overextended") == [("overextended", B, {"resource": "grain", "forum": 1, "senate": 1})]
    assert table.s.forum[B].tolist() == cards(ivory=2, oil=1)
    assert table.s.donated[B].tolist() == cards(wood=1)
    assert table.s.discard.tolist() == cards(grain=2)
    assert table.p.hand_n[B] == 4
    assert table.t.overextended[0].tolist() == [3, 1, 0, 0, 0, 0, 0]


def test_example_forum_incomes():
    table = example_office()
    ENGINE.forum(*table.play)
    incomes: dict[int, list[int]] = {seat: [] for seat in range(4)}
    for _, seat, data in table.events("forum_sale"):
        incomes[seat].append(data["income"])
    assert {seat: sorted(paid) for seat, paid in incomes.items()} == {A: [4, 15], B: [12, 24], C: [12, 20], D: [10, 12]}
    assert numbers(table.s.cash, 4) == [19, 36, 32, 22]
    prices = {data["resource"]: (data["cards"], data["price"]) for data in table.data("forum_price")}
    assert prices == {"ivory": (2, 12), "wine": (6, 4), "olive_oil": (2, 12), "textiles": (3, 10), "grain": (1, 15)}
    # sold cards, the talon's two wine among them, are discarded (OST-10); two grain were before
    assert table.s.discard.tolist() == cards(ivory=2, wine=6, oil=2, textiles=3, grain=3)
    assert table.flow("forum") == 19 + 36 + 32 + 22


def test_example_donations():
    table = example_office()
    ENGINE.forum(*table.play)
    before = table.s.discard.copy()
    ENGINE.senate(*table.play)
    gifts = [(seat, data["worth"], data["points"]) for _, seat, data in table.events("donation")]
    assert gifts == [(A, 14, 3), (B, 0, 0), (C, 12, 1), (D, 12, 1)]
    assert numbers(table.p.points, 4) == [3, 0, 1, 1]
    assert (table.s.discard - before).tolist() == cards(grain=4, ivory=4, wood=1, wine=1)
    assert numbers(table.p.hand_n, 4) == [3, 0, 0, 0]
    assert np.argwhere(table.t.donation).tolist() == [[0, 0, 0], [0, 12, 1], [0, 14, 3]]
    assert table.t.donation[0, 12, 1] == 2


def test_example_a_builds_two_storehouses_and_keeps_three_cards():
    table = example_office()
    ENGINE.forum(*table.play)
    ENGINE.senate(*table.play)
    table.s.cash[A] = 25
    table.p.storehouses[A] = 1
    table.tell(A, count=2, kept=cards(wine=1, oil=2))
    ENGINE.store(*table.play, hook(keeps), A)
    assert table.events("built") == [("built", A, {"storehouses": 2, "paid": 20})]
    assert table.s.cash[A] == 5
    assert table.p.storehouses[A] == 3
    assert table.s.hand[A].tolist() == cards(wine=1, oil=2)
    assert table.data("stored") == [{"kept": {"wine": 1, "olive_oil": 2}, "spoiled": {}}]
    assert table.flow("storehouses built") == 20


def test_example_end_of_game():
    """Points 9, 11, 12, 12; C wins on storehouses, 4 to 2; A sells a storehouse (18 to 25), B's two wood score 1."""
    table = Table(4, start=A, round_no=5)
    s, p = table.s, table.p
    goods = (cards(ivory=2), cards(wood=2), cards(ivory=1, textiles=1, grain=1, wine=1), cards(oil=1, wine=1))
    kept = (cards(ivory=1), *goods[1:])
    for seat in range(4):
        s.hand[seat] = goods[seat]
        p.hand_n[seat] = sum(goods[seat])
        table.tell(seat, kept=kept[seat], count=1 if seat == A else 0)
    p.storehouses[:4] = (2, 4, 4, 2)
    p.points[:4] = (6, 10, 7, 7)
    s.cash[:4] = (18, 4, 24, 31)
    s.n_reshuffles = 2
    ENGINE.finish(*table.play, all_of(keeps), all_of(counts))
    assert [data["points"] for data in table.data("scored")] == [1, 1, 4, 2]
    assert numbers(p.storehouses, 4) == [1, 4, 4, 2]
    assert numbers(s.cash, 4) == [25, 4, 24, 31]
    assert [data["points"] for data in table.data("money_award")] == [2, 0, 1, 3]
    assert numbers(p.points, 4) == [9, 11, 12, 12]
    assert s.outcome[:4, RANK].tolist() == [4, 3, 1, 2]
    assert s.outcome[:4, WIN].tolist() == [0, 0, 60, 0]
    assert [data["rank"] for data in table.data("final")] == [4, 3, 1, 2]
    assert s.discard.tolist() == cards(ivory=1)
    variety, money = table.t.points_by_source[1:, :, :5].tolist()
    assert variety == [[0, 2, 1, 0, 0], [0, 0, 0, 0, 1]]  # three others, then the winner
    assert money == [[1, 0, 1, 1, 0], [0, 1, 0, 0, 0]]
    assert np.flatnonzero(table.t.reshuffles).tolist() == [2]


# --- game preparation --------------------------------------------------------------------------------------


def prepared(seats: int, *changes: str, deal: int = 0) -> Table:
    table = Table(seats, *changes)
    table.s.seed, table.s.deal = 5, deal
    ENGINE.prepare(table.s, table.r)
    return table


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_seat_starts_with_55_denarii_a_storehouse_and_a_card(seats):
    table = prepared(seats)
    assert numbers(table.s.cash, seats) == [55] * seats
    assert numbers(table.p.storehouses, seats) == [1] * seats
    assert table.s.hand[:seats].sum(axis=1).tolist() == [1] * seats
    assert table.s.deck_n == 51 - seats
    deck = np.bincount(table.s.deck[: table.s.deck_n], minlength=6)
    assert (deck + table.s.hand.sum(axis=0)).tolist() == [6, 7, 8, 9, 10, 11]


def test_what_a_seat_starts_with_can_be_its_own():
    table = prepared(3, "start_money=50,55,60", "start_storehouses=0,1,2", "start_cards=0,1,3")
    assert [tuple(data.values()) for data in table.data("seat_ready")] == [(50, 0), (55, 1), (60, 2)]
    assert [sum(data["cards"].values()) for data in table.data("start_card")] == [0, 1, 3]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_first_game_has_no_ivory(seats):
    """OST-17."""
    table = prepared(seats, "first_game=1")
    assert table.s.deck_n == 45 - seats
    assert IVORY not in table.s.deck[: table.s.deck_n]
    assert table.s.hand[:, IVORY].sum() == 0


def test_five_players_without_ivory_have_exactly_25_cards_to_deal():
    """All storehouses full: 20 of 45 cards are stored, and 25 are dealt."""
    table = Table(5, "first_game=1", round_no=2)
    kinds = np.repeat(range(6), [0, 7, 8, 9, 10, 11])
    for seat in range(5):
        table.s.hand[seat] = np.bincount(kinds[4 * seat : 4 * seat + 4], minlength=6)
    table.stack(*kinds[20:30])
    table.s.discard[:] = np.bincount(kinds[30:], minlength=6)
    ENGINE.distribute(table.s, table.r)
    assert [sum(data["cards"].values()) for data in table.data("dealt")] == [5] * 5
    assert table.s.deck_n == 0
    assert table.s.discard.sum() == 0
    assert (table.s.hand + table.s.dock).sum(axis=0).tolist() == [0, 7, 8, 9, 10, 11]


def test_senate_cards_of_the_rounds():
    """One is set aside, the active one and the next lie open, none is next in round 5 (OST-15)."""
    table = prepared(4)
    order = table.s.senate_order.tolist()
    assert sorted(order) == [0, 1, 2, 3, 4, 5]
    slots = [(data["slot"], data["card"]) for data in table.data("senate_card")]
    assert slots == [("aside", order[0] + 1), ("active", order[1] + 1), ("next", order[2] + 1)]
    shipped = GAME.rules.rules["senate_cards"].default.tolist()
    for number in range(1, 6):
        ENGINE.begin_round(table.s, table.r, number)
        assert table.p.senate.tolist() == shipped[order[number]]
        data = table.data("round_start")[-1]
        assert data["card"] == order[number] + 1
        assert list(data["senate"].values()) == shipped[order[number]]
        if number < 5:
            assert table.p.senate_next.tolist() == shipped[order[number + 1]]
            assert data["next"] == order[number + 1] + 1
            assert list(data["senate_next"].values()) == shipped[order[number + 1]]
        else:
            assert table.p.senate_next.tolist() == [0] * 6
            assert data["next"] is None
            assert data["senate_next"] is None


# --- the six Senate cards: completions ---------------------------------------------------------------------


def test_there_are_344_completions():
    """176 with the example card as shipped, 168 with its two unknown values swapped."""
    rule = GAME.rules.rules["senate_cards"]
    decks = completions(rule.default, rule.provenance)
    assert len({deck.tobytes() for deck in decks}) == len(decks) == 344
    assert Counter(map(tuple, decks[:, 1, OIL : TEXTILES + 1].tolist())) == {(1, 3): 176, (3, 1): 168}
    assert (np.sort(decks, axis=1) == np.arange(6)[:, None]).all()  # over the cards, a resource has each worth once
    assert (np.sort(decks, axis=2) == np.arange(6)).all()  # a card has each worth once
    assert (decks[:, 0] == PHOTO).all()
    known = rule.provenance[1] != "reconstructed"
    assert known.tolist() == [True, True, True, False, False, True]
    assert (decks[:, 1, known] == EXAMPLE[known]).all()
    assert any(
        (deck == rule.default).all() or (np.sort(deck[2:], 0) == np.sort(rule.default[2:], 0)).all() for deck in decks
    )
    rows = [[tuple(row) for row in deck[2:].tolist()] for deck in decks]
    assert all(row == sorted(row) for row in rows)  # unknown cards in one order only


def test_redrawn_senate_cards_are_uniform_over_the_completions():
    table = Table(4, "redraw_senate=1")
    assert table.r.n_completions == 344
    table.s.is_logged = 0
    decks: Counter[bytes] = Counter()
    order = np.zeros((6, 6))
    for deal in range(344 * 15):
        table.s.deal = deal
        ENGINE.prepare_senate(table.s, table.r)
        decks[table.s.senate_cards.astype(np.int8).tobytes()] += 1
        order[table.s.senate_order[0], table.s.senate_order[1]] += 1
    assert set(decks) == {deck.tobytes() for deck in table.r.completions[:344]}
    assert stats.chisquare(list(decks.values())).pvalue > LEAST_P
    off_diagonal = order[~np.eye(6, dtype=bool)]
    assert order.trace() == 0
    assert stats.chisquare(off_diagonal).pvalue > LEAST_P


def test_senate_cards_stay_as_shipped_unless_redrawn():
    decks = {prepared(4, deal=deal).s.senate_cards.tobytes() for deal in range(20)}
    assert decks == {GAME.rules.rules["senate_cards"].default.tobytes()}


def test_redrawn_values_are_those_in_force():
    table = prepared(4, "redraw_senate=1", deal=3)
    ENGINE.begin_round(table.s, table.r, 1)
    active = table.s.senate_cards[table.s.senate_order[1]]
    assert table.p.senate.tolist() == active.tolist()
    assert list(table.data("round_start")[0]["senate"].values()) == active.tolist()


def test_redraw_does_not_go_with_cards_of_ones_own():
    rules = GAME.rules.parse(["redraw_senate=1", "senate_cards[photo,ivory]=4"])
    with pytest.raises(AssayError, match="redraw_senate"):
        GAME.fill_rules(rules, 4)


# --- harbor: cards -----------------------------------------------------------------------------------------


def test_cards_are_dealt_in_turn_order():
    table = Table(4, start=C)
    table.stack(*[IVORY] * 5, *[WOOD] * 5, *[WINE] * 5, *[OIL] * 5)
    ENGINE.distribute(table.s, table.r)
    assert [seat for _, seat, _ in table.events("dealt")] == [C, D, A, B]
    assert [table.s.dock[seat].tolist() for seat in (C, D, A, B)] == [
        cards(ivory=5),
        cards(wood=5),
        cards(wine=5),
        cards(oil=5),
    ]


def test_deck_is_reshuffled_only_when_a_card_is_needed():
    """OST-16: not when the last card is taken, but when the next one is wanted."""
    table = Table(3)
    table.stack(*[WOOD] * 15)
    table.s.discard[:] = cards(wine=2, grain=1)
    ENGINE.distribute(table.s, table.r)
    assert table.s.deck_n == 0
    assert table.s.discard.tolist() == cards(wine=2, grain=1)
    assert table.events("reshuffle") == []
    drawn = [ENGINE.draw(table.s) for _ in range(3)]
    assert sorted(drawn) == [WINE, WINE, GRAIN]
    assert table.data("reshuffle") == [{"cards": {"wine": 2, "grain": 1}}]
    assert table.s.n_reshuffles == 1
    assert ENGINE.draw(table.s) == NOBODY  # both piles empty (OST-23)


def test_reshuffle_falls_in_the_middle_of_a_hand():
    table = Table(3)
    table.stack(*[WOOD] * 7)
    table.s.discard[:] = cards(grain=8)
    ENGINE.distribute(table.s, table.r)
    assert [kind for kind, _, _ in table.events()] == ["dealt", "reshuffle", "dealt", "dealt"]
    assert table.data("dealt")[1]["cards"] == {"wood": 2, "grain": 3}


def test_reshuffled_decks_differ():
    """Each reshuffle of a deal has its own chance."""
    table = Table(3)
    orders = []
    for _ in range(2):
        table.s.discard[:] = [6, 7, 8, 9, 10, 11]
        orders.append([ENGINE.draw(table.s) for _ in range(51)])
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    assert orders[0] != sorted(orders[0])


def test_missing_cards_are_not_dealt_and_sellers_offer_what_they_have():
    """OST-23: seven cards for three seats; the first sells two, then none; one card is a lot; no card is no lot."""
    table = Table(3, "auction_cards=2", "deal_cards=4")
    table.s.cash[:] = 50
    table.stack(*[GRAIN] * 4, *[WINE] * 3)
    ENGINE.harbor(*table.play, *[all_of(f) for f in (takes_first, takes_first, takes_first, bids, sells)])
    assert [data["cards"] for data in table.data("dealt")] == [{"grain": 4}, {"wine": 3}, {}]
    assert [data["cards"] for data in table.data("kept")] == [{"grain": 2}, {"wine": 1}, {}]
    assert [data["cards"] for data in table.data("offered")] == [{"grain": 2}, {"wine": 2}]
    nothing = [(seat, data["cycle"]) for _, seat, data in table.events("no_offer")]
    assert nothing == [(C, 1), (A, 2), (B, 2), (C, 2)]
    assert table.s.hand[:3].tolist() == [cards(grain=4), cards(wine=3), NONE]


def test_a_single_card_left_is_a_lot():
    """OST-23."""
    table = Table(3, "deal_cards=3", "auction_cards=3")
    table.s.cash[:] = 50
    table.stack(GRAIN, GRAIN, GRAIN)
    ENGINE.harbor(*table.play, *[all_of(f) for f in (takes_first, takes_first, takes_first, bids, sells)])
    offered = [(seat, data["cycle"], data["cards"], data["minimum"]) for _, seat, data in table.events("offered")]
    assert offered == [(A, 1, {"grain": 2}, 8), (A, 2, {"grain": 1}, 4)]


def test_auctions_run_in_two_cycles_in_turn_order():
    table = Table(3, start=B)
    table.s.cash[:] = 50
    table.stack(*[GRAIN] * 15)
    ENGINE.harbor(*table.play, *[all_of(f) for f in (takes_first, takes_first, takes_first, bids, sells)])
    offered = [(seat, data["cycle"]) for _, seat, data in table.events("offered")]
    assert offered == [(B, 1), (C, 1), (A, 1), (B, 2), (C, 2), (A, 2)]
    assert table.s.hand[:3].tolist() == [cards(grain=5)] * 3
    assert table.p.seller == NOBODY
    assert table.p.cycle == 0


# --- harbor: bids ------------------------------------------------------------------------------------------


def lot_table(seats: int = 4, *changes: str, start: int = A) -> Table:
    """Everyone with 100 denarii and two wood and two wine to sell."""
    table = Table(seats, *changes, start=start)
    table.s.cash[:] = 100
    table.s.dock[:] = cards(wood=2, wine=2)
    table.s.n_auction[:] = 4
    table.p.cycle = 1
    return table


def test_minimum_of_wood_and_wine_is_15():
    table = lot_table()
    table.auction(A, (WOOD, WINE), (0, 0, 0))
    assert table.data("offered") == [{"cycle": 1, "cards": {"wood": 1, "wine": 1}, "minimum": 15}]


def test_bids_are_open_and_go_round_from_the_sellers_left():
    """OST-1: each sees the bids before its own, and none after."""
    table = lot_table()
    table.tell(C, pair=(WOOD, WINE), sale=B)
    ENGINE.auction_lot(*table.play, C, 2, hook(takes_pair), all_of(outbids), hook(sells))
    made = [(seat, data["amount"]) for _, seat, data in table.events("bid")]
    assert made == [(D, 15), (A, 16), (B, 17)]
    assert numbers(table.s.views[D].bids, 4) == [-1, -1, -1, -1]
    assert numbers(table.s.views[A].bids, 4) == [-1, -1, -1, 15]
    assert numbers(table.s.views[B].bids, 4) == [16, -1, -1, 15]
    assert table.data("sold")[0]["buyer"] == B + 1


@pytest.mark.parametrize("amounts", [(20, 20, 20), (40, 30, 15), (15, 0, 15)])
def test_a_bid_may_equal_or_undercut_earlier_ones(amounts):
    """OST-1; any of the bids may be taken."""
    for buyer in range(1, 4):
        if amounts[buyer - 1] == 0:
            continue
        table = lot_table()
        table.auction(A, (WOOD, WINE), amounts, sale=buyer)
        assert table.data("sold")[0]["price"] == amounts[buyer - 1]
        assert table.s.hand[buyer].tolist() == cards(wood=1, wine=1)
        assert table.s.cash[buyer] == 100 - amounts[buyer - 1]
        # one question a bidder, the lot, the sale
        assert table.s.n_asked == 5


@pytest.mark.parametrize("bid", [1, 14, -1, -15])
def test_a_bid_below_the_minimum_is_refused(bid):
    table = lot_table()
    with refused(table, state.OUT_OF_RANGE):
        table.auction(A, (WOOD, WINE), (bid, 0, 0))
    assert table.s.fault_answer == bid
    assert table.s.asked_seat == B


def test_a_bid_may_take_all_a_seat_can_raise_and_no_more():
    """OST-2: cash, 7 a storehouse, 7 a loan still allowed."""
    for bid in (26, 27):
        table = lot_table()
        table.s.cash[B], table.p.storehouses[B], table.p.loans[B] = 5, 1, 2
        if bid == 26:
            table.auction(A, (WOOD, WINE), (bid, 0, 0), sale=B)
            assert (table.s.cash[B], table.p.storehouses[B], table.p.loans[B]) == (0, 0, 4)
            assert table.s.views[B].can_pay == 26
        else:
            with refused(table, state.NOT_AFFORDABLE):
                table.auction(A, (WOOD, WINE), (bid, 0, 0), sale=B)


def test_who_cannot_pay_the_minimum_is_not_asked():
    table = lot_table()
    table.s.cash[B], table.p.loans[B] = 14, 4
    table.auction(A, (WOOD, WINE), (99, 0, 0))
    assert [data["amount"] for data in table.data("bid")] == [0, 0, 0]
    assert table.s.n_asked == 3
    assert table.t.bids[0].tolist() == [1, 2, 0, 0]


def test_bids_are_tallied():
    table = lot_table()
    table.auction(A, (WOOD, WINE), (0, 50, 128), sale=C)
    assert table.t.bids[0].tolist() == [0, 1, 1, 1]  # 128: all that D can raise with four loans
    assert table.t.bidders[0].tolist() == [0, 0, 1, 0, 0]


# --- harbor: paying ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "due", "after", "waived"),
    [
        ((20, 1, 0), 15, (5, 1, 0), 0),  # cash first
        ((15, 1, 0), 15, (0, 1, 0), 0),
        ((10, 2, 0), 15, (2, 1, 0), 0),  # only as many storehouses as needed; the rest stays with the player
        ((10, 2, 0), 24, (0, 0, 0), 0),
        ((10, 2, 0), 25, (6, 0, 1), 0),  # then loans
        ((0, 0, 0), 28, (0, 0, 4), 0),  # up to four
        ((0, 0, 3), 9, (0, 0, 4), 2),  # the rest is waived (OST-4)
        ((3, 1, 4), 20, (0, 0, 4), 10),
    ],
)
def test_paying_takes_cash_then_storehouses_then_loans(before, due, after, waived):
    """OST-3; a mortgage loses no card (OST-22)."""
    table = Table(4)
    s, p = table.s, table.p
    s.cash[B], p.storehouses[B], p.loans[B] = before
    s.hand[B] = cards(wine=2)
    p.hand_n[B] = 2
    assert ENGINE.pay(*table.play, B, due) == waived
    assert (s.cash[B], p.storehouses[B], p.loans[B]) == after
    assert s.hand[B].tolist() == cards(wine=2)
    assert p.hand_n[B] == 2
    assert p.spent[B] == due - waived
    mortgaged, borrowed = before[1] - after[1], after[2] - before[2]
    assert table.data("mortgaged") == [{"storehouses": mortgaged, "raised": 7 * mortgaged}] * (mortgaged > 0)
    assert table.data("borrowed") == [{"loans": borrowed, "raised": 7 * borrowed}] * (borrowed > 0)
    flows = [table.flow(name) for name in ("storehouses mortgaged", "loans taken", "waived")]
    assert flows == [7 * mortgaged, 7 * borrowed, waived]


def test_a_forced_purchase_takes_what_can_be_raised():
    """OST-4: the lot is bought all the same; what is waived is tallied."""
    table = lot_table()
    table.s.cash[A], table.p.loans[A] = 1, 4
    table.auction(A, (WOOD, WOOD), (0, 0, 0))
    assert table.data("forced") == [{"price": 8, "paid": 1, "waived": 7}]
    assert table.s.cash[A] == 0
    assert table.s.hand[A].tolist() == cards(wood=2)
    assert table.flow("waived") == 7
    assert table.flow("forced lots") == 1


@pytest.mark.parametrize(("pair", "price"), [((WINE, WINE), 7), ((WOOD, WINE), 8), ((WOOD, WOOD), 8)])
def test_a_forced_purchase_costs_half_the_minimum_rounded_up(pair, price):
    """OST-6: minimum 14, 15, 16."""
    table = lot_table()
    table.auction(A, pair, (0, 0, 0))
    assert table.s.cash[A] == 100 - price


@pytest.mark.parametrize(("price", "to_bank"), [(15, 8), (16, 8), (21, 11), (99, 50)])
def test_the_commission_is_half_the_bid_rounded_up(price, to_bank):
    """OST-6."""
    table = lot_table()
    table.auction(A, (WOOD, WINE), (price, 0, 0), sale=B)
    assert table.data("sold") == [{"buyer": 2, "price": price, "to_bank": to_bank, "to_seller": price - to_bank}]
    assert numbers(table.s.cash, 4) == [100 + price - to_bank, 100 - price, 100, 100]


def test_sales_are_rounded_up_for_any_share():
    for percent, to_bank in ((0, 0), (1, 1), (33, 7), (34, 8), (100, 21)):
        table = lot_table(4, f"commission_percent={percent}")
        table.auction(A, (WOOD, WINE), (21, 0, 0), sale=B)
        assert table.data("sold")[0]["to_bank"] == to_bank


def test_the_seller_may_take_any_bid_or_keep_the_lot_for_one_more():
    """OST-5: the highest bid plus one, all of it to the bank."""
    table = lot_table()
    table.auction(A, (WOOD, WINE), (20, 30, 15), sale=A)
    assert sorted(table.options()) == [(A, -1), (B, -1), (C, -1), (D, -1)]
    assert table.data("own_lot") == [{"price": 31}]
    assert numbers(table.s.cash, 4) == [69, 100, 100, 100]
    assert table.s.hand[A].tolist() == cards(wood=1, wine=1)
    assert table.flow("own lots") == 31


@pytest.mark.parametrize(("cash", "is_offered"), [(2, False), (3, True)])
def test_the_seller_may_keep_the_lot_only_if_he_can_pay(cash, is_offered):
    """OST-5: 31 from cash and four loans."""
    table = lot_table()
    table.s.cash[A] = cash
    table.auction(A, (WOOD, WINE), (20, 30, 15), sale=B)
    assert ((A, -1) in table.options()) == is_offered


def test_a_pass_cannot_be_accepted():
    table = lot_table()
    with refused(table, state.NOT_AN_OPTION):
        table.auction(A, (WOOD, WINE), (20, 0, 0), sale=C)


def test_prices_are_tallied_by_lot_and_sale():
    table = lot_table()
    table.auction(A, (WOOD, WINE), (20, 30, 15), sale=B)
    table.auction(B, (WINE, WINE), (20, 30, 15), sale=D)
    table.auction(C, (WOOD, WINE), (15, 0, 0), sale=C)
    table.auction(D, (WOOD, WOOD), (0, 0, 0))
    found = [(LOT.labels[lot], sale, price) for lot, sale, price in np.argwhere(table.t.price_by_lot).tolist()]
    assert found == [("wood+wood", 3, 8), ("wood+wine", 1, 20), ("wood+wine", 2, 16), ("wine+wine", 0, 30)]
    by_seller = np.argwhere(table.t.price_by_seller[0, 0]).tolist()
    assert by_seller == [[0, 1, 20], [1, 0, 30], [2, 2, 16], [3, 3, 8]]


def test_every_lot_has_its_own_place_in_the_tally():
    for number, label in enumerate(LOT.labels):
        lot = np.bincount([RESOURCES.index(name) for name in label.split("+")], minlength=6)
        assert ENGINE.lot_number(lot.astype(np.int32)) == number


# --- advanced rules ----------------------------------------------------------------------------------------


def test_advanced_price_gives_the_bank_the_minimum():
    """OST-18 (b): wine and ivory, minimum 16, sold at 21: 16 to the bank, 5 to the seller; no bid costs 16."""
    for amounts, cash in (((21, 0, 0), [105, 79, 100, 100]), ((0, 0, 0), [84, 100, 100, 100])):
        table = lot_table(4, "advanced_price=1")
        table.s.dock[A] = cards(ivory=1, wine=1)
        table.auction(A, (IVORY, WINE), amounts, sale=B)
        assert numbers(table.s.cash, 4) == cash
    assert table.data("forced") == [{"price": 16, "paid": 16, "waived": 0}]


def test_advanced_price_leaves_own_lots_as_they_are():
    table = lot_table(4, "advanced_price=1")
    table.auction(A, (WOOD, WINE), (20, 30, 15), sale=A)
    assert numbers(table.s.cash, 4) == [69, 100, 100, 100]


def test_advanced_price_starts_with_70():
    assert numbers(prepared(4, "advanced_price=1").s.cash, 4) == [70] * 4
    assert numbers(prepared(4, "advanced_discard=1", "advanced_start=1").s.cash, 4) == [55] * 4


def discards(dock: list[int], *changes: str, pair: tuple[int, int] = (NOBODY, NOBODY)) -> Table:
    table = Table(4, "advanced_discard=1", *changes)
    table.s.dock[B] = dock
    table.s.n_auction[B] = sum(dock)
    table.tell(B, pair=pair)
    ENGINE.discard_unseen(table.s, table.r, hook(takes_pair), B)
    return table


def test_up_to_two_auction_cards_may_be_discarded_unseen():
    """OST-18 (a), OST-20."""
    table = discards(cards(ivory=1, wood=1, wine=2), pair=(WOOD, WINE))
    none, one = [(-1, -1)], [(IVORY, -1), (WOOD, -1), (WINE, -1)]
    two = [(IVORY, WOOD), (IVORY, WINE), (WOOD, WINE), (WINE, WINE)]
    assert table.options() == none + one + two
    assert table.s.dock[B].tolist() == cards(ivory=1, wine=1)
    assert table.s.discard.tolist() == cards(wood=1, wine=1)
    assert table.s.n_auction[B] == 2
    assert table.data("discarded") == [{"cards": {"wood": 1, "wine": 1}}]


def test_one_card_stays_for_each_auction_turn():
    """OST-20: three auction cards leave one to discard, two leave none and no question."""
    assert discards(cards(ivory=1, wood=2)).options() == [(-1, -1), (IVORY, -1), (WOOD, -1)]
    table = discards(cards(ivory=1, wood=1))
    assert table.options() == [(-1, -1)]
    assert table.s.n_asked == 0
    assert table.data("discarded") == [{"cards": {}}]


def offer_options(dock: list[int], cycle: int, *changes: str) -> list[tuple[int, int]]:
    table = Table(4, *changes)
    table.s.dock[B] = dock
    table.s.n_auction[B] = sum(dock)
    table.p.cycle = cycle
    ENGINE.offer_lot(table.s, table.r, hook(takes_first), B)
    assert (table.s.dock[B] + table.p.lot).tolist() == dock
    return table.options()


def test_lots_of_one_or_two_cards_with_unseen_discards():
    """OST-20: four as 2 + 2, three as 1 + 2 or 2 + 1, two as 1 + 1; the second turn offers all the rest."""
    on = "advanced_discard=1"
    ww, wi, ii = (WOOD, WOOD), (WOOD, WINE), (WINE, WINE)
    w, i = (WOOD, -1), (WINE, -1)
    assert offer_options(cards(wood=2, wine=2), 1, on) == [ww, wi, ii]
    assert sorted(offer_options(cards(wood=2, wine=1), 1, on)) == sorted([w, i, ww, wi])
    assert offer_options(cards(wood=1, wine=1), 1, on) == [w, i]
    assert offer_options(cards(wood=1, wine=1), 2, on) == [wi]
    assert offer_options(cards(wine=1), 2, on) == [i]


def test_lots_are_pairs_without_unseen_discards():
    assert offer_options(cards(ivory=1, wood=2, wine=1), 1) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert offer_options(cards(wood=1, wine=1), 2) == [(WOOD, WINE)]
    assert offer_options(cards(wood=2, wine=1), 1) == [(WOOD, WOOD), (WOOD, WINE)]


@pytest.mark.parametrize(
    ("points", "start", "chooser"),
    [
        ((3, 1, 2, 4), A, B),
        ((3, 1, 1, 2), A, B),  # tied: the first clockwise from the old starting player
        ((3, 1, 1, 2), C, C),  # who is nearest to himself (OST-20)
        ((3, 1, 1, 2), D, B),
        ((0, 0, 0, 0), D, D),
        ((1, 1, 5, 5), C, A),
    ],
)
def test_the_seat_with_fewest_points_chooses_who_starts(points, start, chooser):
    """OST-18 (c)."""
    table = Table(4, "advanced_start=1", start=start)
    table.p.points[:4] = points
    table.p.points[E] = -1  # no such seat
    table.tell(chooser, one=C)
    ENGINE.pass_start(table.s, table.r, all_of(takes_one))
    assert table.options() == [(A, -1), (B, -1), (C, -1), (D, -1)]
    assert table.events("start_chosen") == [("start_chosen", chooser, {"start": C + 1})]
    assert table.p.start == C


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_starting_player_token_goes_left(seats):
    """OST-23: round r starts with seat (r - 1) mod n."""
    table = Table(seats)
    for number in range(1, 6):
        assert table.p.start == (number - 1) % seats
        ENGINE.pass_start(table.s, table.r, all_of(takes_one))
    assert table.s.n_asked == 0
    document = played(seats, ())
    starts = [event["seat"] for event in document["events"] if event["kind"] == "round_start"]
    assert starts == [(number - 1) % seats + 1 for number in range(1, 6)]


@cache
def played(seats: int, changes: tuple[str, ...], deal: int = 2) -> dict[str, Any]:
    """A random game's transcript."""
    with np.errstate(over="ignore"):
        table = [strategies.load_once("ostia", "random")] * seats
        return play_transcript(GAME, GAME.rules.parse(changes), table, 3, deal)


@pytest.mark.parametrize("switches", range(8))
def test_each_advanced_rule_works_alone_and_with_the_others(switches):
    """OST-18: what each switch changes happens when it is on, and only then."""
    on = [bool(switches >> place & 1) for place in range(3)]
    document = played(4, tuple(f"{name}=1" for name, is_on in zip(ADVANCED, on, strict=True) if is_on))
    events: dict[str, list[Any]] = {kind: [] for kind in GAME.events}
    lot_sizes, minimums = Counter(), {}
    for event in document["events"]:
        events[event["kind"]].append(event)
        if event["kind"] == "offered":
            lot_sizes[sum(event["data"]["cards"].values())] += 1
            minimum = event["data"]["minimum"]
        if event["kind"] == "sold":
            minimums[event["data"]["price"], event["data"]["to_bank"]] = minimum
    discarded = [sum(event["data"]["cards"].values()) for event in events["discarded"]]
    if on[0]:
        assert len(discarded) == 20
        assert set(discarded) == {0, 1, 2}
        assert set(lot_sizes) == {1, 2}
        assert lot_sizes[1] + 2 * lot_sizes[2] == 4 * 20 - sum(discarded)
    else:
        assert discarded == []
        assert lot_sizes == {2: 40}
    assert {event["data"]["money"] for event in events["seat_ready"]} == {70 if on[1] else 55}
    for (price, to_bank), minimum in minimums.items():
        assert to_bank == (minimum if on[1] else (price + 1) // 2)
    chosen = [event["data"]["start"] for event in events["start_chosen"]]
    starts = [event["seat"] for event in events["round_start"]]
    assert len(chosen) == (4 if on[2] else 0)
    assert starts == ([1, *chosen] if on[2] else [1, 2, 3, 4, 1])


# --- office ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "n_cards"), [(3, 4), (4, 2), (5, 0)])
def test_the_talon_depends_on_the_number_of_players(seats, n_cards):
    """OST-10."""
    table = Table(seats)
    table.stack(WINE, WINE, GRAIN, OIL, WOOD)
    ENGINE.reveal_talon(table.s, table.r)
    assert table.s.deck_n == 5 - n_cards
    assert table.p.talon.tolist() == [cards(), cards(wine=2), cards(wine=2, grain=1, oil=1)][n_cards // 2]
    assert len(table.events("talon")) == (n_cards > 0)


def test_talon_cards_count_at_the_forum_and_are_discarded():
    """OST-10; a talon alone has a price but earns nobody anything."""
    table = Table(3)
    table.s.forum[A] = cards(grain=1)
    table.p.hand_n[A] = 1
    table.p.talon[:] = cards(grain=2, wine=1)
    ENGINE.forum(*table.play)
    assert table.data("forum_price") == [
        {"resource": "wine", "cards": 1, "price": 15},
        {"resource": "grain", "cards": 3, "price": 10},
    ]
    assert numbers(table.s.cash, 3) == [10, 0, 0]
    assert table.s.discard.tolist() == cards(grain=3, wine=1)
    assert table.p.hand_n[A] == 0
    assert table.t.forum[0, [1, 3]].tolist() == [1, 1]


def overextended(forum: list[int], senate: list[int], worths: Sequence[int], *changes: str) -> Table:
    table = Table(4, *changes, senate=worths)
    table.s.forum[B], table.s.donated[B] = forum, senate
    table.p.hand_n[B] = sum(forum) + sum(senate)
    ENGINE.punish_overextension(*table.play, B)
    return table


def test_three_resources_are_not_too_many():
    table = overextended(cards(ivory=3, grain=2), cards(wine=1, grain=4), EXAMPLE)
    assert table.events("overextended") == []
    assert table.t.overextended[0].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_the_penalty_is_repeated_until_three_resources_remain():
    """OST-9: on the example card grain 5, ivory 4, textiles 3 go, in this order."""
    table = overextended(cards(ivory=1, wood=1, wine=1), cards(oil=1, textiles=2, grain=1, ivory=1), EXAMPLE)
    removed = [(data["resource"], data["forum"], data["senate"]) for data in table.data("overextended")]
    assert removed == [("grain", 0, 1), ("ivory", 1, 1), ("textiles", 0, 2)]
    assert table.s.forum[B].tolist() == cards(wood=1, wine=1)
    assert table.s.donated[B].tolist() == cards(oil=1)
    assert table.s.discard.tolist() == cards(grain=1, ivory=2, textiles=2)
    assert table.p.hand_n[B] == 3
    assert table.t.overextended[0].tolist() == [0, 0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("forum", "senate", "removed"),
    [
        (cards(ivory=1, wood=2, wine=1, oil=1), NONE, "wood"),  # more cards
        (cards(ivory=1, wood=1, wine=1, oil=1), cards(wine=1), "wine"),  # in both piles together
        (cards(wood=2, wine=2, oil=1, grain=1), NONE, "wood"),  # then the first in the list
        (cards(ivory=1, wood=1, oil=1, grain=9), NONE, "ivory"),  # a worth of 5 goes before more cards of less
    ],
)
def test_equal_worth_to_the_senate(forum, senate, removed):
    """OST-9, on a card where ivory, wood and wine are worth 5."""
    table = overextended(forum, senate, [5, 5, 5, 1, 2, 0])
    assert [data["resource"] for data in table.data("overextended")] == [removed]


def test_the_number_of_resources_allowed_is_a_rule():
    assert len(overextended(cards(ivory=1, wine=1), NONE, EXAMPLE, "max_types=1").events("overextended")) == 1
    assert overextended(cards(ivory=1, wine=1), cards(oil=1, grain=1), EXAMPLE, "max_types=4").events() == []


@pytest.mark.parametrize(
    ("forum", "senate"),
    [
        (cards(wine=3), NONE),
        (cards(wine=1), cards(wine=2)),
        (NONE, cards(grain=1)),
        ([0, 0, -1, 0, 0, 0], cards(wine=2)),
        (cards(wine=2), [0, 0, -1, 0, 0, 0]),
        ([0, 0, 2**31 - 1, 0, 0, 0], [0, 0, 2**31 - 1, 0, 0, 0]),
    ],
)
def test_only_cards_in_hand_can_be_assigned(forum, senate):
    table = Table(4)
    table.s.hand[B] = cards(wine=2)
    table.tell(B, forum=forum, senate=senate)
    with refused(table, state.NOT_A_PARTITION):
        ENGINE.assign(table.s, table.r, hook(assigns), B)


# --- forum and senate --------------------------------------------------------------------------------------

REVENUE = {1: 15, 2: 24, 3: 30, 4: 32, 5: 30, 6: 24, 7: 21, 8: 16, 9: 9, 10: 10, 11: 11, 20: 20}


@pytest.mark.parametrize("kind", [IVORY, GRAIN])
@pytest.mark.parametrize(("n", "revenue"), REVENUE.items())
def test_forum_revenue_of_n_cards(n, revenue, kind):
    """The resource plays no part in its price; from 9 cards on each brings 1."""
    table = Table(4)
    table.s.forum[A, kind] = n - n // 2
    table.s.forum[D, kind] = n // 2
    ENGINE.forum(*table.play)
    assert table.s.cash.sum() == revenue
    assert table.s.cash[A] * n == revenue * (n - n // 2)


def test_what_the_nth_card_adds():
    revenue = [0, *(REVENUE[n] for n in range(1, 10))]
    assert np.diff(revenue).tolist() == [15, 9, 6, 2, -2, -6, -3, -5, -7]


def test_donated_cards_do_not_count_at_the_forum():
    table = Table(4)
    table.s.forum[A] = cards(grain=1)
    table.s.donated[B] = cards(grain=5)
    ENGINE.forum(*table.play)
    assert table.s.cash[A] == 15


def test_worth_of_three_wine_and_a_wood():
    """9 on the photographed card, 13 with the wood."""
    table = Table(4, senate=PHOTO)
    table.s.donated[A] = cards(wine=3)
    table.s.donated[B] = cards(wine=3, wood=1)
    ENGINE.senate(*table.play)
    assert [data["worth"] for data in table.data("donation")] == [9, 13, 0, 0]


AWARDS = [
    ((12, 9, 9), (3, 1, 1)),
    ((9, 9, 9), (2, 2, 2)),
    ((9, 9, 9, 0), (2, 2, 2, 0)),
    ((5, 4, 3, 3), (3, 2, 0, 0)),
    ((3, 4, 3, 5), (0, 2, 0, 3)),
    ((7, 7, 7, 7), (1, 1, 1, 1)),
    ((7, 7, 7, 7, 7), (1, 1, 1, 1, 1)),
    ((7, 7, 2), (2, 2, 1)),
    ((9, 3, 3, 3), (3, 1, 1, 1)),
    ((9, 3, 3, 3, 3), (3, 0, 0, 0, 0)),
    ((5, 4, 3, 2, 1), (3, 2, 1, 0, 0)),
]


@pytest.mark.parametrize(
    ("worths", "points"), [*AWARDS, ((0, 0, 0), (0, 0, 0)), ((0, 6, 0), (0, 3, 0)), ((1, 0, 1), (2, 0, 2))]
)
def test_points_for_donations(worths, points):
    """Tied seats share the places they cover, rounded down; a donation worth 0 takes no part (OST-11)."""
    table = Table(len(worths), senate=[1, 0, 0, 0, 0, 0], round_no=4)
    table.s.donated[: len(worths), IVORY] = worths
    ENGINE.senate(*table.play)
    assert tuple(numbers(table.p.points, len(worths))) == points
    assert table.s.outcome[: len(worths), GAME.column("senate_points")].tolist() == list(points)
    assert table.t.donation[3].sum() == table.t.donation.sum() == len(worths)


@pytest.mark.parametrize(("money", "points"), [*AWARDS, ((0, 0, 0), (2, 2, 2)), ((0, 6, 0), (1, 3, 1))])
def test_points_for_money(money, points):
    """As at the Senate, but 0 takes part (OST-11, OST-21)."""
    table = Table(len(money))
    table.s.cash[: len(money)] = money
    ENGINE.award_money(table.s, table.r)
    assert tuple(numbers(table.p.points, len(money))) == points


def test_awards_are_rules():
    table = Table(3, "senate_award=10,5,1", "money_award=0,0,7", senate=[1, 0, 0, 0, 0, 0])
    table.s.donated[:3, IVORY] = (3, 2, 2)
    table.s.cash[:3] = (3, 2, 1)
    ENGINE.senate(*table.play)
    assert numbers(table.p.points, 3) == [10, 3, 3]
    ENGINE.award_money(table.s, table.r)
    assert numbers(table.p.points, 3) == [10, 3, 10]


# --- storehouses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "repaid", "interest"),
    [
        ((35, 3), (5, 0), 3, None),
        ((10, 1), (0, 0), 1, None),
        ((25, 3), (3, 1), 2, (2, 2, 0)),  # what is left of the cash pays interest
        ((9, 2), (5, 2), 0, (4, 4, 0)),
        ((3, 2), (0, 2), 0, (4, 3, 1)),  # and what it cannot pay is waived
        ((0, 4), (0, 4), 0, (8, 0, 8)),
        ((30, 0), (30, 0), 0, None),
    ],
)
def test_loans_and_interest(before, after, repaid, interest):
    """OST-12, OST-21: repaid at 10 while cash allows, then 2 a loan, the rest waived and tallied."""
    table = Table(4, round_no=3)
    table.s.cash[C], table.p.loans[C] = before
    ENGINE.settle_loans(*table.play, C)
    assert (table.s.cash[C], table.p.loans[C]) == after
    assert table.data("repaid") == ([{"loans": repaid, "paid": 10 * repaid}] if repaid else [])
    due, paid, waived = interest or (0, 0, 0)
    assert table.data("interest") == ([{"due": due, "paid": paid, "waived": waived}] if interest else [])
    assert [table.flow(name) for name in ("loans repaid", "interest", "waived")] == [10 * repaid, paid, waived]


def stored(cash: int, stores: int, hand: list[int], built: int, kept: list[int], *changes: str) -> Table:
    """Seat C builds and keeps."""
    table = Table(4, *changes)
    table.s.cash[C], table.p.storehouses[C] = cash, stores
    table.s.hand[C] = hand
    table.p.hand_n[C] = sum(hand)
    table.tell(C, count=built, kept=kept)
    ENGINE.store(*table.play, hook(keeps), C)
    return table


def test_a_card_for_each_storehouse_is_kept_and_the_rest_spoils():
    """OST-12; spoiled cards are discarded (OST-23)."""
    table = stored(15, 1, cards(ivory=1, wine=2), 1, cards(ivory=1, wine=1))
    assert (table.s.cash[C], table.p.storehouses[C], table.p.hand_n[C]) == (5, 2, 2)
    assert table.s.hand[C].tolist() == cards(ivory=1, wine=1)
    assert table.s.discard.tolist() == cards(wine=1)
    assert table.data("stored") == [{"kept": {"ivory": 1, "wine": 1}, "spoiled": {"wine": 1}}]


def test_a_seat_without_room_or_money_keeps_nothing_unasked():
    table = stored(9, 0, cards(ivory=1), 0, NONE)
    assert table.s.n_asked == 0
    assert table.s.discard.tolist() == cards(ivory=1)
    assert table.p.hand_n[C] == 0


@pytest.mark.parametrize(
    ("cash", "stores", "built", "fault"),
    [
        (100, 2, 3, state.OUT_OF_RANGE),  # at most four
        (100, 4, 1, state.OUT_OF_RANGE),
        (100, 2, -1, state.OUT_OF_RANGE),
        (19, 1, 2, state.NOT_AFFORDABLE),
    ],
)
def test_storehouses_that_cannot_be_built(cash, stores, built, fault):
    table = Table(4)
    with refused(table, fault):
        table.s.cash[C], table.p.storehouses[C] = cash, stores
        table.s.hand[C] = cards(wine=9)
        table.tell(C, count=built, kept=cards(wine=min(stores + built, 4)))
        ENGINE.store(*table.play, hook(keeps), C)


def test_four_storehouses_can_be_built():
    table = stored(40, 0, cards(wine=9), 4, cards(wine=4))
    assert (table.s.cash[C], table.p.storehouses[C]) == (0, 4)


@pytest.mark.parametrize(
    ("hand", "kept", "fault"),
    [
        (cards(wine=3), cards(wine=3), state.TOO_MANY_CARDS),
        (cards(wine=1, oil=2), cards(wine=2), state.NOT_A_PARTITION),
        (cards(wine=2), [0, 0, 2, -1, 1, 0], state.NOT_A_PARTITION),
        (cards(wine=3), cards(wine=1), state.TOO_FEW_CARDS),  # "keep one card per storehouse"
        (cards(wine=1), NONE, state.TOO_FEW_CARDS),
    ],
)
def test_cards_that_cannot_be_kept(hand, kept, fault):
    table = Table(4)
    with refused(table, fault):
        table.s.cash[C], table.p.storehouses[C] = 0, 2
        table.s.hand[C] = hand
        table.tell(C, kept=kept)
        ENGINE.store(*table.play, hook(keeps), C)


def test_loans_come_before_building_in_turn_order():
    """OST-12."""
    table = Table(3, start=C)
    s, p = table.s, table.p
    s.cash[:3] = (25, 30, 10)
    p.loans[:3] = (1, 0, 0)
    p.points[:3] = (4, 5, 6)
    for seat, built in ((A, 1), (B, 3), (C, 1)):
        table.tell(seat, count=built)
    ENGINE.storehouses(*table.play, all_of(keeps))
    told = [(kind, seat) for kind, seat, _ in table.events()]
    assert told == [
        ("built", C),
        ("stored", C),
        ("repaid", A),
        ("built", A),
        ("stored", A),
        ("built", B),
        ("stored", B),
        ("standing", A),
        ("standing", B),
        ("standing", C),
    ]
    assert [tuple(data.values()) for data in table.data("standing")] == [
        (5, 4, 1, 0, 0),
        (0, 5, 3, 0, 0),
        (0, 6, 1, 0, 0),
    ]
    assert s.outcome[:3, GAME.column("after_1")].tolist() == [4, 5, 6]
    assert np.argwhere(table.t.money[0]).tolist() == [[0], [5]]
    assert table.t.money[0, 0] == 2


def test_money_that_repays_a_loan_cannot_build():
    table = Table(3)
    table.s.cash[A], table.p.loans[A] = 25, 1
    table.tell(A, count=2)
    with refused(table, state.NOT_AFFORDABLE):
        ENGINE.storehouses(*table.play, all_of(keeps))


# --- final scoring -----------------------------------------------------------------------------------------


def final_table(seats: int = 3, start: int = A, *changes: str) -> Table:
    table = Table(seats, *changes, start=start, round_no=5)
    table.p.storehouses[:seats] = 2
    table.s.senate_cards[:] = GAME.rules.rules["senate_cards"].default
    table.s.senate_order[:] = range(6)
    return table


def test_all_choose_their_cards_then_sell_in_turn_order():
    """OST-21: nobody sees another's choice before all are made; sales follow, each seen by the next."""
    table = final_table(start=B)
    for seat in range(3):
        table.s.hand[seat] = cards(wine=2)
        table.p.hand_n[seat] = 2
        table.tell(seat, kept=cards(wine=1), count=1)
    ENGINE.finish(*table.play, all_of(keeps), all_of(counts))
    told = [(kind, seat) for kind, seat, _ in table.events("scored", "resold", "money_award", "final")]
    assert told[:6] == [("scored", B), ("scored", C), ("scored", A), ("resold", B), ("resold", C), ("resold", A)]
    assert [kind for kind, _ in told[6:]] == ["money_award"] * 3 + ["final"] * 3
    # what A saw last: all choices, and that B and C had sold
    assert numbers(table.s.views[A].public.hand_n, 3) == [1, 1, 1]
    assert numbers(table.s.views[A].public.storehouses, 3) == [2, 1, 1]
    table = final_table(start=B)
    table.s.hand[:3] = cards(wine=2)
    table.p.hand_n[:3] = 2
    ENGINE.score_cards(table.s, table.r, all_of(keeps))
    assert numbers(table.s.views[A].public.hand_n, 3) == [2, 2, 2]
    assert table.p.hand_n[:3].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("kept", "points"),
    [(NONE, 0), (cards(wine=2), 1), (cards(ivory=1, wine=1), 2), (cards(ivory=2, wood=1, grain=1), 3)],
)
def test_a_point_for_each_different_resource(kept, points):
    """OST-13; cards not chosen are discarded."""
    table = final_table()
    table.p.storehouses[B] = 4
    table.s.hand[B] = cards(ivory=2, wood=1, wine=2, grain=1)
    table.p.hand_n[B] = 6
    table.tell(B, kept=kept)
    ENGINE.score_cards(table.s, table.r, all_of(keeps))
    assert table.p.points[B] == points
    assert (table.s.discard + kept).tolist() == cards(ivory=2, wood=1, wine=2, grain=1)
    assert table.s.outcome[B, GAME.column("variety_points")] == points
    assert table.s.outcome[B, GAME.column("cards")] == sum(kept)


def test_no_more_cards_score_than_there_are_storehouses():
    table = final_table()
    table.s.hand[B] = cards(ivory=1, wood=1, wine=1)
    table.p.hand_n[B] = 3
    table.tell(B, kept=cards(ivory=1, wood=1, wine=1))
    with refused(table, state.TOO_MANY_CARDS):
        ENGINE.score_cards(table.s, table.r, all_of(keeps))


@pytest.mark.parametrize(("n_kept", "sold", "is_allowed"), [(1, 1, True), (0, 2, True), (1, 2, False), (0, -1, False)])
def test_only_empty_storehouses_are_sold(n_kept, sold, is_allowed):
    """OST-13: at 7 each."""
    table = final_table()
    table.p.hand_n[B] = n_kept
    table.tell(B, count=sold)
    if is_allowed:
        ENGINE.resell(table.s, table.r, hook(counts), B)
        assert (table.s.cash[B], table.p.storehouses[B]) == (7 * sold, 2 - sold)
    else:
        with refused(table, state.OUT_OF_RANGE):
            ENGINE.resell(table.s, table.r, hook(counts), B)


def test_a_seat_with_full_storehouses_is_not_asked_to_sell():
    table = final_table()
    table.p.hand_n[B] = 2
    ENGINE.resell(table.s, table.r, hook(counts), B)
    assert table.s.n_asked == 0


@pytest.mark.parametrize(
    ("money", "loans", "points"),
    [
        ((90, 20, 10), (1, 0, 0), (0, 3, 2)),
        ((90, 20, 20), (1, 0, 0), (0, 2, 2)),
        ((0, 90, 90), (0, 1, 4), (3, 0, 0)),
        ((90, 80, 70), (1, 1, 1), (0, 0, 0)),  # all in debt: no award
    ],
)
def test_debt_shuts_out_of_the_money_award(money, loans, points):
    """OST-13, OST-21."""
    table = final_table()
    table.s.cash[:3] = money
    table.p.loans[:3] = loans
    ENGINE.award_money(table.s, table.r)
    assert tuple(numbers(table.p.points, 3)) == points


def ranked(*seats: tuple[int, ...], loans: Sequence[int] = ()) -> tuple[list[int], list[int]]:
    """Ranks and sixtieths of a win, given points, storehouses, and cards scored of ivory and grain."""
    table = final_table(len(seats))
    for seat, (points, stores, ivory, grain) in enumerate(seats):
        table.p.points[seat], table.p.storehouses[seat] = points, stores
        table.p.hand_n[seat] = ivory + grain
        table.s.scored[seat] = cards(ivory=ivory, grain=grain)
    table.p.loans[: len(loans)] = loans
    ENGINE.rank_seats(table.s, table.t)
    outcome = table.s.outcome[: len(seats)]
    assert [data["rank"] for data in table.data("final")] == outcome[:, RANK].tolist()
    assert [60 * data["win_share"] for data in table.data("final")] == outcome[:, WIN].tolist()
    return outcome[:, RANK].tolist(), outcome[:, WIN].tolist()


def test_each_level_of_the_tie_break():
    """OST-14; the card set aside is the photographed one: ivory 5, grain 1."""
    assert ranked((9, 4, 2, 2), (10, 0, 0, 0), (8, 4, 4, 0)) == ([2, 1, 3], [0, 60, 0])
    assert ranked((9, 3, 3, 0), (9, 4, 0, 1), (9, 2, 2, 0)) == ([2, 1, 3], [0, 60, 0])
    assert ranked((9, 4, 2, 0), (9, 4, 0, 3), (9, 4, 1, 0)) == ([2, 1, 3], [0, 60, 0])
    assert ranked((9, 4, 1, 1), (9, 4, 2, 0), (9, 4, 0, 2)) == ([2, 1, 3], [0, 60, 0])


def test_the_worth_that_breaks_a_tie_is_that_of_the_card_set_aside():
    """OST-14: neither the active card nor the next."""
    table = final_table()
    table.s.senate_order[:] = (5, 0, 1, 2, 3, 4)
    table.s.scored[B] = cards(ivory=1, wood=1, wine=1, oil=1)
    assert ENGINE.tie_worth(table.s, B) == 1 + 2 + 0 + 4


@pytest.mark.parametrize(("seats", "share"), [(3, 20), (4, 15), (5, 12)])
def test_a_win_is_shared_by_all_who_stay_tied(seats, share):
    """OST-14."""
    assert ranked(*[(9, 4, 1, 1)] * seats) == ([1] * seats, [share] * seats)
    ranks, wins = ranked(*[(9, 4, 1, 1)] * 2, *[(9, 4, 1, 0)] * (seats - 2))
    assert ranks == [1, 1] + [3] * (seats - 2)
    assert wins == [30, 30] + [0] * (seats - 2)


def test_a_seat_in_debt_ranks_below_the_rest():
    """OST-13, OST-21; tie-breaks order all places."""
    assert ranked((20, 4, 0, 0), (1, 0, 0, 0), (30, 4, 4, 0), loans=(1, 0, 4)) == ([3, 1, 2], [0, 60, 0])
    assert ranked((9, 4, 0, 0), (9, 3, 0, 0), (1, 0, 0, 0), loans=(1, 1, 0)) == ([2, 3, 1], [0, 0, 60])


def test_all_in_debt_rank_as_usual():
    """OST-13."""
    assert ranked((9, 4, 0, 0), (9, 3, 0, 0), (11, 0, 0, 0), loans=(1, 1, 4)) == ([2, 3, 1], [0, 0, 60])
    assert ranked((9, 4, 0, 0), (9, 4, 0, 0), (1, 0, 0, 0), loans=(1, 2, 1)) == ([1, 1, 3], [30, 30, 0])


def test_the_last_round_is_played_to_its_end():
    """OST-13: the storehouse phase of round 5 comes before final scoring."""
    document = played(4, ())
    phases = list(dict.fromkeys((event["round"], event["phase"]) for event in document["events"]))
    assert phases[0] == (0, "setup")
    assert phases[1:-1] == [(n, phase) for n in range(1, 6) for phase in GAME.phases[1:-1]]
    assert phases[-1] == (5, "final")
    assert len(played(4, ("rounds=3",))["events"]) < len(document["events"])
    assert played(4, ("rounds=3",))["events"][-1]["round"] == 3


def test_a_game_leaves_nothing_behind_for_the_next():
    """Deals played one after another are what each is alone, in a fresh state, whoever sat where before."""
    rules = GAME.rules.parse([f"{name}=1" for name in ADVANCED])
    table = [strategies.load_once("ostia", "random")] * 3
    filled = GAME.fill_rules(rules, 3)
    batch = play_batch(GAME, rules, filled, table, 4, 0, 6)
    tallies = np.zeros(1, GAME.tally_dtype)
    for deal in range(6):
        alone = play_batch(GAME, rules, filled, table, 4, deal, 1, is_logged=True)
        assert (batch.outcomes[deal] == alone.outcomes[0]).all()
        for name in GAME.tally_dtype.names:
            tallies[name] += alone.tallies[name]
    assert tallies.tobytes() == batch.tallies.tobytes()
    logged = play_batch(GAME, rules, filled, table, 4, 0, 6, is_logged=True)
    assert decode_events(GAME, logged.state[0]) == decode_events(GAME, alone.state[0])


def test_a_round_begins_with_what_was_open_put_away():
    table = prepared(4)
    p = table.p
    for facts in (p.talon, p.bought, p.spent, p.earned):
        facts[:] = 9
    ENGINE.begin_round(table.s, table.r, 2)
    for facts in (p.talon, p.bought, p.spent, p.earned):
        assert not facts.any()
    assert p.round_no == 2


def test_answers_left_in_a_view_do_not_count_again():
    """Fields to fill are blank when a seat is asked."""
    table = final_table()
    view = table.s.views[B]
    view.to_forum[:], view.to_senate[:], view.kept[:] = cards(wine=1), cards(wine=1), cards(wine=1)
    table.s.hand[B] = cards(wine=2)
    table.p.hand_n[B] = 2
    ENGINE.assign(table.s, table.r, hook(takes_first), B)
    assert table.data("assigned") == [{"forum": {}, "senate": {}, "stored": {"wine": 2}}]
    with refused(table, state.TOO_FEW_CARDS):
        ENGINE.store(*table.play, hook(takes_first), B)
    view.kept[:] = cards(wine=1)
    ENGINE.score_cards(table.s, table.r, all_of(takes_first))
    assert table.data("scored")[1] == {"kept": {}, "dropped": {"wine": 2}, "points": 0}


def test_players_take_their_seats_with_blank_views():
    """A game's views hold nothing of the last; weights go with the player, chance with the seat."""
    table = Table(4)
    s = table.s
    s.weights[:, 0], s.baseline[:, 1] = range(10, 15), range(20, 25)
    s.seed, s.deal = 6, 8
    for seat in range(4):
        s.views[seat].hand[:] = 7
        s.views[seat].weights[:] = 7
    ENGINE.seat_players(s, 3)
    twin = np.zeros(1, STREAM)[0]
    for seat in range(4):
        view, player = s.views[seat], (seat + 3) % 4
        assert s.player[seat] == player
        assert view.seat == seat
        assert not view.hand.any()
        assert view.weights.tolist() == s.weights[player].tolist()
        assert view.baseline.tolist() == s.baseline[player].tolist()
        open_stream(twin, 6, 8, state.SEAT + seat)
        assert view.whim.tobytes() == twin.tobytes()


def test_deck_and_senate_have_streams_of_their_own():
    """Neither is shifted by what else a game draws."""
    for changes in ((), ("redraw_senate=1",), ("start_cards=3",)):
        table, twin = prepared(4, *changes, deal=9), Table(4)
        twin.s.deck_n = 51
        twin.s.deck[:51] = np.repeat(range(6), [6, 7, 8, 9, 10, 11])
        open_stream(twin.s.chance, 5, 9, state.DECK)
        ENGINE.shuffle_deck(twin.s)
        assert table.s.deck[:51].tolist() == twin.s.deck[:51].tolist()
        assert table.s.senate_order.tolist() == prepared(4, deal=9).s.senate_order.tolist()
        assert table.s.deck_n == 51 - table.s.hand.sum()
    assert prepared(4, deal=10).s.senate_order.tolist() != table.s.senate_order.tolist()


# --- what a seat may know ----------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", range(len(GAME.decisions)))
def test_a_view_hides_what_is_secret(decision):
    """OST-7, OST-19: money, hands, stored cards, piles not yet revealed, the deck and the card set aside."""
    shown = []
    for hidden in (1, 2):
        table = example_lots()
        s = table.s
        s.cash[C], s.hand[C], s.dock[C] = 10 * hidden, cards(wine=hidden), cards(oil=hidden)
        s.forum[C], s.donated[C] = cards(grain=hidden), cards(ivory=hidden)
        s.n_auction[C] = s.scored[C, 0] = s.kept[0] = s.worth[C] = hidden
        s.deck[:] = hidden
        s.discard[:] = hidden
        s.senate_order[0] = hidden
        s.senate_cards[:] = hidden
        ENGINE.look(s, table.r, B, decision)
        shown.append(s.views[B].tobytes())
    assert shown[0] == shown[1]


def test_a_view_shows_ones_own_and_what_lies_open():
    """OST-7."""
    table = example_lots()
    ENGINE.look(table.s, table.r, A, 0)
    view = table.s.views[A]
    assert view.cash == 55 - 8 - 21 - 6
    assert view.can_pay == view.cash + 7 + 4 * 7
    assert view.hand.tolist() == cards(ivory=1, wine=2, grain=3, oil=2)
    assert view.public.tobytes() == table.p.tobytes()


def test_piles_are_revealed_when_all_have_assigned():
    """OST-7, OST-8: the last to assign sees the talon and no pile."""
    table = example_office()
    public = table.s.views[D].public
    assert public.talon.tolist() == cards(wine=2)
    assert numbers(public.hand_n, 4) == [8, 6, 6, 7]
    assert not table.s.views["scratch"].any()
    for seat in (A, B, C, D):
        assert table.s.views[seat].forum[A].tolist() == cards(grain=1, wine=1)
        assert table.s.views[seat].donated[C].tolist() == cards(ivory=3)


# --- illegal answers of a strategy file --------------------------------------------------------------------

FAULTY = '''"""Answers as the rules do not allow, in the way its weight says."""

WEIGHTS = {"way": (0, 0, 99, "which answer is illegal")}


def keep(v, r):
    if v.weights[0] == 20:
        return v.hand[v.seat + 20]
    return -1 if v.weights[0] == 1 else 0


def discard(v, r):
    return v.n_options if v.weights[0] == 2 else 0


def offer(v, r):
    return 16 if v.weights[0] == 3 else 0


def bid(v, r):
    way = v.weights[0]
    if way == 4:
        return v.public.minimum - 1
    if way == 5:
        return v.can_pay + 1
    return -5 if way == 6 else v.public.minimum


def sell(v, r):
    return v.n_options if v.weights[0] == 7 else 0


def assign(v, r):
    way = v.weights[0]
    if way == 8:
        v.to_forum[0] = v.hand[0] + 1
    if way == 9:
        v.to_senate[5] = -1
    return 0


def store(v, r):
    way = v.weights[0]
    stores = v.public.storehouses[v.seat]
    if way == 10:
        return -1
    if way == 11:
        return r.max_storehouses + 1
    if way == 12 and v.cash < r.storehouse_cost:
        return 1
    room = stores
    for kind in range(6):
        v.kept[kind] = min(v.hand[kind], room)
        room -= v.kept[kind]
        if way == 13:
            v.kept[kind] = v.hand[kind] + 1
        if way == 14:
            v.kept[kind] = 0
        if way == 15:
            v.kept[kind] = v.hand[kind]
    return 0


def score(v, r):
    if v.weights[0] == 16:
        v.kept[2] = -1
    return 0


def resell(v, r):
    return v.public.storehouses[v.seat] + 1 if v.weights[0] == 17 else 0


def choose_start(v, r):
    return -1 if v.weights[0] == 18 else 0
'''

FAULTS = [
    (1, "keep", "with -1, which is not the index of an option"),
    (2, "discard", "which is not the index of an option"),
    (3, "offer", "with 16, which is not the index of an option"),
    (4, "bid", "which is out of range"),
    (5, "bid", "which costs more than the seat can pay"),
    (6, "bid", "with -5, which is out of range"),
    (7, "sell", "which is not the index of an option"),
    (8, "assign", "which assigns cards the seat does not have"),
    (9, "assign", "which assigns cards the seat does not have"),
    (10, "store", "with -1, which is out of range"),
    (11, "store", "with 5, which is out of range"),
    (12, "store", "with 1, which costs more than the seat can pay"),
    (13, "store", "which assigns cards the seat does not have"),
    (14, "store", "which spoils cards that there is room for"),
    (15, "store", "which keeps more cards than the seat may"),
    (16, "score", "which assigns cards the seat does not have"),
    (17, "resell", "which is out of range"),
    (18, "choose_start", "with -1, which is not the index of an option"),
    (20, "keep", "failed in 'keep': IndexError: "),
]
FAULTY_RULES = ("advanced_discard=1", "advanced_start=1")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory) -> strategies.Strategy:
    path = tmp_path_factory.mktemp("strategies") / "faulty.py"
    path.write_text(FAULTY, encoding="utf-8")
    return strategies.load(GAME, str(path))


def fault_of(faulty: strategies.Strategy, way: int, n_rotations: int = 1) -> str:
    """The complaint about a table where the second player answers illegally in this way."""
    other = strategies.load_once("ostia", "random")
    strategy = dataclasses.replace(faulty, values=(float(way),), name=f"faulty:way={way}")
    rules = GAME.rules.parse(FAULTY_RULES)
    table = (other, strategy, other, other)
    with pytest.raises(IllegalAnswerError) as caught:
        play_batch(GAME, rules, GAME.fill_rules(rules, 4), table, 9, 0, 40, n_rotations)
    return str(caught.value)


@pytest.mark.parametrize(("way", "decision", "words"), FAULTS)
def test_an_illegal_answer_is_told_in_one_line(faulty, way, decision, words):
    message = fault_of(faulty, way)
    assert "\n" not in message
    pattern = r"strategy 'faulty:way=(\d+)' at seat 2 of deal \d+ (answered|failed in) '(\w+)'(.*); replay: assay (.*)"
    match = re.fullmatch(pattern, message)
    assert match is not None, message
    assert (match[1], match[3]) == (str(way), decision)
    assert words in message


@pytest.mark.parametrize(("way", "n_rotations"), [(5, 1), (15, 4), (18, 4)])
def test_the_replay_command_shows_the_same_fault(faulty, way, n_rotations):
    message = fault_of(faulty, way, n_rotations)
    words = shlex.split(message.split("; replay: ")[1])
    assert words[:3] == ["assay", "play", "ostia"]
    options: dict[str, list[str]] = {}
    for name, value in zip(words[3::2], words[4::2], strict=True):
        options.setdefault(name, []).append(value)
    assert sorted(options["--set"]) == sorted(FAULTY_RULES)
    table = [strategies.load(GAME, name) for name in options["--strategies"][0].split(",")]
    assert len(table) == int(options["--seats"][0]) == 4
    with pytest.raises(IllegalAnswerError) as caught:
        play_transcript(
            GAME, GAME.rules.parse(options["--set"]), table, int(options["--seed"][0]), int(options["--deal"][0])
        )
    assert str(caught.value) == message


def test_the_same_file_answers_legally_otherwise(faulty):
    rules = GAME.rules.parse(FAULTY_RULES)
    other = strategies.load_once("ostia", "random")
    batch = play_batch(GAME, rules, GAME.fill_rules(rules, 4), (other, faulty, other, other), 9, 0, 40)
    assert (batch.outcomes[:, 0, :, WIN].sum(axis=1) == 60).all()


# --- rules that no game can be played by -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (("copies=0,0,0,0,0,0",), "'copies' leaves no card"),
        (("copies=3,0,0,0,0,0", "first_game=1"), "'copies' leaves no card"),
        (("deal_cards=3",), "'auction_cards' is 4 but only 3 cards are dealt"),
        (("start_storehouses=5",), "'start_storehouses' exceeds max_storehouses"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(changes, words):
    with pytest.raises(AssayError, match=re.escape(words)):
        GAME.fill_rules(GAME.rules.parse(changes), 4)


def test_seats_are_three_to_five():
    """OST-23."""
    for seats in (3, 4, 5):
        assert GAME.check_seats(seats) == seats
    for seats in (0, 1, 2, 6):
        with pytest.raises(AssayError, match="seats 3 to 5 players"):
            GAME.check_seats(seats)
