"""Ore: The Mining Game's engine against the rulebook and the rulings (`ORE-n`): set-up, collection, business, the end.

The tables, and players that answer as they are told, are those of `test_ore_mining_examples`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.chance import below
from simcore.errors import AssayError
from simcore.game import RANK, SCORE, WIN
from simcore.ore_mining import BUILDINGS, CONTRACTS, IN_TOWN, MINES, ORES
from simcore.rules import RuleSet
from tests.test_ore_mining_examples import (
    CONTRACT_SPACES,
    ENGINE,
    GAME,
    MINE_SPACES,
    NOBODY,
    NUMBER,
    A,
    B,
    C,
    E,
    Table,
    _words_wrap_around,  # noqa: F401
    all_of,
    pair,
)

MARKED = [name for name in BUILDINGS if name not in ("B05", "B07", "B11", "B14")]  # for two players


# --- set-up ------------------------------------------------------------------------------------------------


def prepared(seats: int, changes: str = "", deal: int = 0) -> Table:
    """A table as the game sets it up."""
    table = Table(seats, changes)
    table.s.seed, table.s.deal = 4, deal
    ENGINE.prepare(table.s, table.r)
    return table


@pytest.mark.parametrize(
    ("seats", "money", "shown", "workers"),
    [(2, [5, 6], 3, 4), (3, [5, 6, 7], 4, 4), (4, [5, 6, 7, 8], 4, 3), (5, [5, 6, 7, 8, 9], 5, 3)],
)
def test_set_up(seats, money, shown, workers):
    """Money by turn order, contracts face up, workers (ORE-1), two buildings and a cube of each ore."""
    table = prepared(seats)
    assert table.money() == money
    assert table.p.workers[:seats].tolist() == [workers] * seats
    assert [name is not None for name in table.shown()] == [True] * shown + [False] * (5 - shown)
    ores = [ore for ore in ORES if seats > 2 or ore != "copper"]
    for seat in range(seats):
        assert (table.ore(seat), len(table.hand(seat))) == (dict.fromkeys(ores, 1), 2)
        assert (table.p.cage[seat], table.p.bits[seat], table.contracts(seat)) == (0, 0, [])
    for ore in ores:
        assert sorted([table.mine(ore), *table.stack(ore)]) == [f"{ore}{number}" for number in range(1, 7)]
    contracts = [*table.deck(), *filter(None, table.shown())]
    assert sorted(contracts) == [name for name in CONTRACTS if seats > 2 or not needs_copper(table.rules, name)]
    buildings = [*table.cards(), *(name for seat in range(seats) for name in table.hand(seat))]
    assert Counter(buildings) == dict.fromkeys(BUILDINGS if seats > 2 else MARKED, 2)
    assert (table.p.bits_left, table.p.first, table.p.n_recruited) == (10, A, 0)


def needs_copper(rules: Any, name: str) -> bool:
    return bool(rules["contract_need"][0, NUMBER[name], :, NUMBER["copper"]].any())


def test_two_players_have_no_copper():
    """Neither a mine nor a market for it (ORE-15); the switch brings all of it back."""
    table = prepared(2)
    table.p.round_no, table.p.money[A] = 1, 99
    assert len(table.ore(A)) == 4
    places = [place for place in table.spaces(A) if not isinstance(place, str)]
    assert [name for name, _ in places if name in MINE_SPACES] == [f"{ore}_mine" for ore in ORES if ore != "copper"]
    assert [ore for name, ore in places if name == "private_mine"] == [ore for ore in ORES if ore != "copper"]
    table.place(A, "commodity_market", ("none", 0))
    assert NUMBER["copper"] not in {ore for ore, _ in table.offered(A)}
    table = prepared(2, "two_player=0")
    assert table.ore(A) == dict.fromkeys(ORES, 1)
    assert len(table.deck()) == 30 - 3
    assert len(table.cards()) == 40 - 4
    assert len(table.stack("copper")) == 5


def test_every_deck_is_shuffled():
    """Any card may come first, and one deck does not tell of another."""
    tables = [prepared(3, deal=deal) for deal in range(120)]
    for ore in ORES:
        assert {table.mine(ore) for table in tables} == {f"{ore}{number}" for number in range(1, 7)}
    assert len({table.mine("lead")[-1] + table.mine("gold")[-1] for table in tables}) > 25  # of 36
    assert len({table.shown()[0] for table in tables}) > 24  # of 30
    assert len({table.cards()[0] for table in tables}) == 20


# --- collection --------------------------------------------------------------------------------------------


def test_each_worker_earns_what_its_box_gives_then_all_go_down():
    """ORE-13: lead3 gives 2, 2, 3, 4, 5."""
    table = Table(3, cage=(2, 0, 0), mines="lead3, gold2")
    table.dig(A, "lead", 3)
    table.dig(B, "lead", 1)
    table.dig(C, "lead", 0)
    table.dig(C, "gold", 0)
    table.collect()
    assert [table.ore(seat) for seat in (A, B, C)] == [{"lead": 4}, {"lead": 2}, {"lead": 2, "gold": 1}]
    assert (table.diggers("lead"), table.diggers("gold")) == ({4: A, 2: B, 1: C}, {1: C})
    assert table.p.workers.sum() == 0
    assert table.events("exhausted") == []


@pytest.mark.parametrize(
    ("name", "box", "cage", "by"),
    [
        ("lead1", 1, 0, "cage"),  # I I II
        ("lead1", 2, 2, "bottom"),
        ("lead4", 0, 0, "cage"),  # I II III
        ("lead4", 1, 1, "cage"),
        ("lead4", 2, 2, "bottom"),
        ("lead3", 4, 2, "bottom"),  # I I I II III
        ("lead6", 3, 1, "bottom"),  # I I I II
    ],
)
def test_a_mine_is_exhausted_by_the_cage_or_the_bottom(name, box, cage, by):
    """ORE-13: after its yield; the card goes under its deck, and the next is turned up."""
    table = Table(3, cage=(cage,), mines=name)
    table.dig(A, "lead", box)
    deck = table.stack("lead")
    table.collect()
    assert table.ore(A) == {"lead": table.r.mine_yield[NUMBER[name], box]}
    assert table.events("exhausted") == [("exhausted", None, {"name": name, "by": by})]
    assert (table.diggers("lead"), table.p.workers[A]) == ({}, 1)
    assert (table.mine("lead"), table.stack("lead")) == (deck[0], [*deck[1:], name])


@pytest.mark.parametrize(("cage", "box"), [(0, 0), (1, 1), (1, 3), (2, 3)])
def test_a_cage_lets_a_worker_down(cage, box):
    """ORE-13: lead5 has the levels I I II II III."""
    table = Table(3, cage=(cage,), mines="lead5")
    table.dig(A, "lead", box)
    table.collect()
    is_stuck = (cage, box) == (1, 3)
    assert table.diggers("lead") == ({} if is_stuck else {box + 1: A})
    assert table.mine("lead") == ("lead1" if is_stuck else "lead5")


def test_a_rival_without_a_cage_sends_all_home():
    """ORE-13: A could go on to level III, B cannot enter II; the other mines stay as they are."""
    table = Table(3, cage=(2, 0), mines="lead2")  # I I II III
    table.dig(A, "lead", 2)
    table.dig(B, "lead", 1)
    table.dig(A, "coal", 0)
    table.collect()
    assert (table.ore(A), table.ore(B)) == ({"lead": 4, "coal": 1}, {"lead": 2})
    assert (table.diggers("lead"), table.diggers("coal")) == ({}, {1: A})
    assert table.p.workers[:3].tolist() == [1, 1, 0]
    assert table.mine("lead") == "lead1"


def test_a_rival_at_the_bottom_sends_all_home():
    """The mine is exhausted under the worker that has just entered."""
    table = Table(3, cage=(0, 1), mines="lead1")
    table.dig(A, "lead", 0)
    table.dig(B, "lead", 2)
    table.collect()
    assert (table.ore(A), table.ore(B)) == ({"lead": 2}, {"lead": 4})
    assert table.p.workers[:3].tolist() == [1, 1, 0]
    assert table.events("exhausted") == [("exhausted", None, {"name": "lead1", "by": "bottom"})]


def test_an_empty_deck_turns_the_same_mine_up_again():
    """ORE-24."""
    table = Table(3, mines="gold4")
    table.put_stack("gold")
    table.dig(A, "gold", 0)
    table.collect()
    assert (table.mine("gold"), table.stack("gold"), table.diggers("gold")) == ("gold4", [], {})
    table.place(B, ("gold_mine", 0))
    table.collect()
    assert (table.ore(A), table.ore(B)) == ({"gold": 1}, {"gold": 1})


def test_a_mine_without_workers_is_never_exhausted():
    table = Table(3, mines="lead4")
    table.collect()
    assert [table.mine(ore) for ore in ORES] == ["lead4", "coal1", "copper1", "iron1", "gold1"]
    assert table.events() == []


def test_exhausted_mines_of_the_board_go_under_their_decks_before_private_ones():
    """ORE-24: private ones in turn order, here from B on."""
    table = Table(3, mines="lead4")
    table.put_stack("lead", "lead2")
    table.dig(C, "lead", 0)
    table.dig_alone(A, "lead6", 2)
    table.dig_alone(B, "lead1", 1)
    table.p.first = B
    table.collect()
    assert [data["name"] for _, _, data in table.events("exhausted")] == ["lead4", "lead1", "lead6"]
    assert (table.mine("lead"), table.stack("lead")) == ("lead2", ["lead4", "lead1", "lead6"])


def test_a_private_mine_that_comes_back_is_not_yet_under_the_deck_for_the_board():
    """ORE-24: with an empty deck the exhausted card of the board is turned up again, not the private one."""
    table = Table(3, mines="lead4")
    table.put_stack("lead")
    table.dig(A, "lead", 0)
    table.dig_alone(B, "lead1", 1)
    table.collect()
    assert (table.mine("lead"), table.stack("lead")) == ("lead4", ["lead1"])


def test_workers_in_mines_stay_over_rounds():
    """ORE-13: A's worker digs 2, 2, 3 in lead3 (I I I II III), then the cage stops it."""
    table = Table(3, mines="lead3")
    table.tell(A, ("lead_mine", 0), "drill_bit")
    table.tasking(A, 2)
    for box, workers, lead in ((1, 3, 2), (2, 3, 4)):
        table.next_round()
        assert (table.diggers("lead"), table.p.workers[:3].tolist()) == ({box: A}, [workers, 4, 4])
        assert table.ore(A) == {"lead": lead}
    table.next_round()
    assert (table.diggers("lead"), table.p.workers[:3].tolist()) == ({}, [4, 4, 4])
    assert (table.ore(A), table.mine("lead")) == ({"lead": 7}, "lead1")


def test_with_recall_miners_they_come_home_every_round():
    """The switch of ORE-13; the mine stays face up, private ones go on."""
    table = Table(3, "recall_miners=1", mines="lead3")
    table.dig(A, "lead", 0)
    table.dig(B, "lead", 1)
    table.dig_alone(A, "gold3")
    table.next_round()
    assert (table.diggers("lead"), table.p.workers[:3].tolist()) == ({}, [4, 4, 4])
    assert (table.ore(A), table.ore(B)) == ({"lead": 2, "gold": 1}, {"lead": 2})
    assert (table.mine("lead"), table.private(A)) == ("lead3", ("gold3", 1))


@pytest.mark.parametrize("recruited", [0, 1])
def test_recall_brings_home_all_workers_but_those_in_mines(recruited):
    """Spaces are free again; a recruit comes too (ORE-10, ORE-13)."""
    table = Table(4, shown="C01")
    table.occupy("drill_bit", "contract_1", "overtime", "private_mine")
    table.dig(B, "iron", 0)
    table.p.recruited[B] = recruited
    table.end_round()
    assert table.p.occupied.sum() == 0
    assert table.p.workers[:4].tolist() == [3, 2 + recruited, 3, 3]


@pytest.mark.parametrize(("seats", "first", "following"), [(2, A, B), (2, B, A), (3, B, C), (5, E, A)])
def test_the_first_player_marker_passes_to_the_left(seats, first, following):
    table = Table(seats)
    table.p.first = first
    table.end_round()
    assert table.p.first == following


# --- business ----------------------------------------------------------------------------------------------


def test_a_row_is_filled_or_the_contract_is_lost():
    """ORE-14: A fills C01, lets C02 go although he could fill it, and cannot fill C03 and C13."""
    table = Table(3, contracts="A C01, C02, C03, C13+2", ore="A 4 lead, coal")
    table.tell(A, "yes", "no")
    table.business()
    assert (table.contracts(A), table.lost()) == (["C01+1"], ["C02", "C03", "C13"])
    assert (table.money()[A], table.ore(A)) == (5, {"lead": 2, "coal": 1})  # ore on a lost contract is gone


def test_one_row_a_round_from_the_top():
    """C13 takes 2 lead for 5, then 2 lead and a coal for 9, then a lead and 2 coal for 11; 4 points."""
    table = Table(3, contracts="A C13", ore="A 9 lead, 9 coal")
    for held, money, lead, coal in ((["C13+1"], 5, 7, 9), (["C13+2"], 14, 5, 8), ([], 25, 4, 6)):
        table.tell(A, "yes")
        table.business()
        assert (table.contracts(A), table.money()[A], table.ore(A)) == (held, money, {"lead": lead, "coal": coal})
    assert (table.p.n_contracts[A], table.p.contract_points[A], table.lost()) == (1, 4, [])


def test_ore_serves_one_contract_only():
    """Two lead, two contracts that take them: which one is filled is the player's choice."""
    for answers, held, lost in ((["yes"], "C01+1", "C02"), (["no", "yes"], "C02+1", "C01")):
        table = Table(3, contracts="A C01, C02", ore="A 2 lead")
        table.tell(A, *answers)
        table.business()
        assert (table.contracts(A), table.lost()) == ([held], [lost])


def test_a_lost_contract_begins_anew():
    """ORE-18: from the discard pile by way of the deck to another player."""
    table = Table(3, contracts="A C13+2", shown="C01")
    table.business()
    assert table.lost() == ["C13"]
    table.place(A, "contract_1")
    table.end_round()
    table.place(B, "contract_1")
    assert (table.contracts(A), table.contracts(B), table.shown()[0]) == (["C01"], ["C13"], None)


def test_business_goes_in_turn_order():
    """Each player fills and completes before the next one (ORE-23): B takes the contract that C would have taken."""
    table = Table(3, money=(0, 10, 20), contracts="A C02+1; B C01+1; C C04+1", hands="B B06; C B06")
    table.put_ore("A 2 coal; B lead, coal; C iron")
    table.put_shown("C20")
    table.tell(A, "yes")
    table.tell(B, "yes", ("B06", "cash"), ("C20", 0))
    table.tell(C, "yes", ("B06", "cash"))
    table.business(B)
    events = [(kind, seat) for kind, seat, _ in table.events("row_filled", "contract_completed", "contract_taken")]
    assert events == [
        *(("row_filled", B), ("contract_completed", B), ("contract_taken", B)),
        *(("row_filled", C), ("contract_completed", C), ("row_filled", A), ("contract_completed", A)),
    ]
    assert table.money() == [8, 6, 20 + 6 - 10]
    assert table.contracts(B) == ["C20"]


def test_all_rows_are_paid_before_a_contract_is_completed():
    """ORE-23: with 6 dollars of C01's last row and 5 of C02's first one a building for 10 can be paid."""
    table = Table(3, contracts="A C01+1, C02", ore="A 3 lead, coal", hands="A B08")
    table.tell(A, "yes", "yes", ("B08", "cash"))
    table.business()
    assert (table.money()[A], table.hand(A), table.contracts(A)) == (11 - 10, [], ["C02+1"])


def test_contracts_are_completed_in_the_order_one_likes():
    """ORE-23: C19 with its two buildings before C01 with its one."""
    table = Table(3, money=(18 * 3,), contracts="A C01+1, C19+2", ore="A 2 lead, coal, 2 iron", hands="A 3 B15")
    table.tell(A, "yes", "yes", "C19", ("B15", "cash"), ("B15", "cash"), ("B15", "cash"))
    table.business()
    kinds = [data["name"] for _, _, data in table.events("contract_completed", "built")]
    assert kinds == ["C19", "B15", "B15", "C01", "B15"]
    assert (table.p.contract_points[A], table.p.building_points[A]) == (5 + 2, 3 * 6)


@pytest.mark.parametrize(("contract", "ore", "n"), [("C01+1", "lead, coal", 1), ("C19+2", "lead, 2 iron", 2)])
@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_contract_lets_build_as_many_as_it_says(contract, ore, n, is_stopped):
    """Up to that number (ORE-14)."""
    table = Table(3, money=(99,), contracts=f"A {contract}", ore=f"A {ore}", hands="A 4 B15")
    built = n - 1 if is_stopped else n
    table.tell(A, "yes", *[("B15", "cash")] * built, *["none"] * is_stopped)
    table.business()
    assert (table.p.n_buildings[A], table.hand(A)) == (built, ["B15"] * (4 - built))


def test_only_a_completed_contract_lets_build():
    """Neither a row nor a hand full of buildings does."""
    table = Table(3, money=(99, 99), contracts="A C01", ore="A 2 lead", hands="A 2 B01; B B02")
    table.tell(A, "yes")
    table.business()
    assert (table.p.n_buildings[:2].tolist(), len(table.hand(A))) == ([0, 0], 2)


def test_a_contract_gained_in_business_is_not_demanded_in_this_round():
    """ORE-20: it cannot be filled any more, and is lost in the next round unless it is filled then."""
    table = Table(3, money=(10,), contracts="A C01+1", ore="A 3 lead, coal", hands="A B06", shown="C02")
    table.tell(A, "yes", ("B06", "cash"), ("C02", 0))
    table.business()
    assert (table.contracts(A), table.lost(), table.ore(A)) == (["C02"], [], {"lead": 2})
    table.p.round_no += 1
    table.tell(A, "no")
    table.business()
    assert (table.contracts(A), table.lost()) == ([], ["C02"])


@pytest.mark.parametrize("answers", [[], ["no"], ["yes"]])
def test_a_contract_gained_in_advanced_orders_may_be_filled_in_business(answers):
    """ORE-20: but it is not demanded, whether its row could be filled or not."""
    lead = 2 if answers else 0
    table = Table(3, money=(10,), contracts="A C01+1", ore="A lead, coal", hands="A B06", shown="C02", cards="B15")
    table.put_ore(f"A {lead} lead")
    table.place(A, "advanced_orders", "C01", ("B06", "cash"), ("C02", 0))
    assert (table.contracts(A), table.ore(A)) == (["C02"], {"lead": 2} if lead else {})
    table.tell(A, *answers)
    table.business()
    assert (table.contracts(A), table.lost()) == (["C02+1" if answers == ["yes"] else "C02"], [])


def test_a_contract_taken_by_a_worker_is_demanded_in_the_same_round():
    """ORE-14: from a slot and from the deck alike."""
    table = Table(3, shown="C02, C03", deck="C04, C05")
    table.place(A, "contract_1")
    table.place(B, "contract_deck")
    assert (table.contracts(A), table.contracts(B)) == (["C02"], ["C05"])
    table.business()
    assert (table.contracts(A), table.contracts(B), table.lost()) == ([], [], ["C02", "C05"])


# --- buildings: payment ------------------------------------------------------------------------------------

ALL_BUILT = """
B01 | 5 | iron | 1
B02 | 6 | 3 lead | 1
B03 | 6 | 2 coal | 2
B04 | 8 | 4 lead | 2
B05 | 8 | 2 copper | 2
B06 | 10 | 2 iron | 3
B07 | 10 | 2 coal, copper | 3
B08 | 10 | 5 lead | 3
B09 | 12 | 2 gold | 3
B10 | 12 | 4 coal | 3
B11 | 14 | 2 iron, copper | 4
B12 | 15 | 5 coal | 4
B13 | 15 | 3 iron | 4
B14 | 16 | 4 copper | 3
B15 | 18 | 2 gold, iron | 6
B16 | 20 | 4 iron | 5
B17 | 20 | 3 gold | 7
B18 | 22 | 2 gold, 2 iron | 6
B19 | 25 | 5 iron | 8
B20 | 28 | 4 gold | 9
"""
GAINS = ("money", "any", "bits", "cage", "draw", "sale", "row", "contract", "look")
NO_GAINS = " ".join(f"gain_{what}={','.join('0' * 20)}" for what in GAINS) + f" gain_ore={','.join('0' * 100)}"


@pytest.mark.parametrize("line", ALL_BUILT.strip().splitlines())
def test_a_building_is_paid_whole_in_cash_or_whole_in_ore(line):
    """ORE-14: with a dollar and a cube less it cannot be built."""
    name, cash, ore, points = (part.strip() for part in line.split("|"))
    for money, how, left in ((int(cash), "cash", 0), (int(cash) - 1, "in ore", int(cash) - 1)):
        table = Table(3, NO_GAINS, money=(money,), ore=f"A {ore}", hands=f"A {name}")
        stock = table.ore(A)
        table.build((name, how))
        assert table.offered(A) == [pair(("none", "none")), *[pair((name, "cash"))] * (how == "cash"), pair((name, 1))]
        assert (table.money()[A], table.ore(A)) == (left, stock if how == "cash" else {})
        assert (table.hand(A), table.p.building_points[A], table.p.n_buildings[A]) == ([], int(points), 1)
    short = Table(3, NO_GAINS, money=(int(cash) - 1,), ore=f"A {ore}", hands=f"A {name}")
    short.p.ore[A, short.p.ore[A].argmax()] -= 1
    short.build()
    assert (short.s.n_asked, short.hand(A)) == (0, [name])


# --- buildings: what each gives once -----------------------------------------------------------------------


def building(name: str, **given: Any) -> Table:
    """A has that building, and 30 dollars to pay it."""
    return Table(3, given.pop("changes", ""), money=(30,), hands=f"A {name}", **given)


PRICE = {part[0]: int(part[1]) for part in (line.split(" | ") for line in ALL_BUILT.strip().splitlines())}


@pytest.mark.parametrize(("name", "dollars"), [("B01", 4), ("B12", 6)])
def test_a_building_gives_dollars(name, dollars):
    table = building(name)
    table.build((name, "cash"), "yes")
    assert (table.money()[A], table.ore(A)) == (30 - PRICE[name] + dollars, {})


@pytest.mark.parametrize(
    ("name", "ore"), [("B02", {"gold": 1}), ("B05", {"lead": 2, "coal": 2}), ("B10", {"iron": 2}), ("B13", {"gold": 2})]
)
def test_a_building_gives_ore(name, ore):
    table = building(name)
    table.build((name, "cash"), "yes")
    assert (table.money()[A], table.ore(A)) == (30 - PRICE[name], ore)


@pytest.mark.parametrize(
    ("name", "answers", "ore"),
    [
        ("B07", ["iron", "iron"], {"iron": 2}),
        ("B07", ["lead", "gold"], {"lead": 1, "gold": 1}),
        ("B07", ["gold", "none"], {"gold": 1}),
        ("B16", ["copper", "coal", "copper"], {"coal": 1, "copper": 2}),
        ("B16", ["none"], {}),
    ],
)
def test_a_building_gives_any_ore(name, answers, ore):
    """Any mix, and fewer if one likes (ORE-20)."""
    table = building(name)
    table.build((name, "cash"), *answers)
    assert (table.money()[A], table.ore(A)) == (30 - PRICE[name], ore)


def test_any_ore_is_no_copper_with_two_players():
    """ORE-20."""
    table = Table(2, money=(20,), hands="A B16")
    table.build(("B16", "cash"), "gold", "gold", "gold")
    assert {ORES[ore] for ore, _ in table.offered(A) if ore != NOBODY} == {*ORES} - {"copper"}


@pytest.mark.parametrize(("bits", "gained"), [((0, 9), 1), ((0, 10), 0)])
def test_building_4_gives_a_drill_bit_and_dollars(bits, gained):
    """The dollars also when no bit is left (ORE-20)."""
    table = building("B04", bits=bits)
    table.build(("B04", "cash"), "yes")
    assert (table.p.bits[A], table.p.bits_left, table.money()[A]) == (gained, 0, 30 - 8 + 3)


@pytest.mark.parametrize(("cage", "answers"), [(0, ["yes"]), (1, ["yes"]), (2, [])])
def test_building_14_raises_the_mine_cage_for_nothing(cage, answers):
    """Nothing at III (ORE-20)."""
    table = building("B14", cage=(cage,))
    table.build(("B14", "cash"), *answers)
    assert (table.p.cage[A], table.money()[A]) == (min(cage + 1, 2), 30 - 16)


def test_building_3_draws_cards_that_may_be_built_at_once():
    """With what is left of the allowance (ORE-20)."""
    table = building("B03", cards="B15, B01, B02")
    table.build(("B03", "cash"), "yes", ("B15", "cash"), n_allowed=2)
    assert (table.hand(A), table.cards(), table.money()[A]) == (["B01"], ["B02"], 30 - 6 - 18)
    assert table.p.building_points[A] == 2 + 6


@pytest.mark.parametrize(("cards", "answers", "hand"), [("B19", ["yes"], ["B19"]), ("", [], [])])
def test_building_3_draws_as_far_as_there_are_cards(cards, answers, hand):
    """ORE-19."""
    table = building("B03", cards=cards)
    table.build(("B03", "cash"), *answers)
    assert (table.hand(A), table.cards()) == (hand, [])


def test_building_8_sells_one_ore_above_market_value():
    """Up to three at a dollar more each (ORE-20); gold2 is at 6."""
    table = building("B08", ore="A 2 lead, 4 gold", mines="gold2")
    table.build(("B08", "cash"), ("gold", 3))
    lead, gold = NUMBER["lead"], NUMBER["gold"]
    offered = [(ore, n) for ore, n in table.offered(A) if ore != NOBODY]
    assert offered == [(lead, 1), (lead, 2), (gold, 1), (gold, 2), (gold, 3)]
    assert (table.money()[A], table.ore(A)) == (30 - 10 + 3 * 7, {"lead": 2, "gold": 1})


def test_building_9_fills_the_next_row_of_a_contract():
    """One that can be filled, held before (ORE-20); C03's coal is missing."""
    table = building("B09", contracts="A C01+1, C03, C13; B C02", ore="A 3 lead, coal")
    table.build(("B09", "cash"), "C13")
    assert table.offered(A) == [pair("none"), pair("C01"), pair("C13")]
    assert table.contracts(A) == ["C01+1", "C03", "C13+1"]
    assert (table.money()[A], table.ore(A)) == (30 - 12 + 5, {"lead": 1, "coal": 1})


def test_building_9_completes_a_contract_that_lets_build_in_its_turn():
    """ORE-20: C02's first row is filled in this phase, its second by the building that C01 allows."""
    table = Table(3, money=(10,), contracts="A C01+1, C02", ore="A 3 lead, 3 coal", hands="A B01, B09")
    table.tell(A, "yes", "yes", ("B09", "cash"), "C02", ("B01", "cash"), "yes")
    table.business()
    kinds = [data["name"] for _, _, data in table.events("contract_completed", "built")]
    assert kinds == ["C01", "B09", "C02", "B01"]
    assert table.money()[A] == 10 + 6 + 5 - 12 + 8 - 5 + 4
    assert (table.p.n_contracts[A], table.contracts(A), table.hand(A)) == (2, [], [])


def test_building_9_fills_no_contract_that_is_full():
    """C02 waits for its completion: there is no row to choose."""
    table = Table(3, money=(12,), contracts="A C01+1, C02+1", ore="A lead, 3 coal", hands="A B09")
    table.tell(A, "yes", "yes", "C01", ("B09", "cash"))
    table.business()
    assert (table.p.n_contracts[A], table.hand(A), table.money()[A]) == (2, [], 12 + 6 + 8 - 12)


def test_a_building_that_fills_and_takes_cannot_fill_what_it_takes():
    """ORE-20: a contract gained is none held before."""
    table = building("B06", changes="gain_row[B06]=1", ore="A 2 lead", shown="C02")
    table.build(("B06", "cash"), ("C02", 0))
    assert (table.contracts(A), table.ore(A)) == (["C02"], {"lead": 2})


@pytest.mark.parametrize("name", ["B06", "B18"])
def test_a_building_takes_a_contract_face_up(name):
    """Any, also one whose space is occupied; its slot is filled at once (ORE-20)."""
    table = building(name, shown="C01, C02, none", deck="C05, C06")
    table.occupy("contract_2")
    table.build((name, "cash"), ("C02", 1))
    assert table.offered(A) == [(NOBODY, NOBODY), (NUMBER["C01"], 0), (NUMBER["C02"], 1)]
    assert (table.contracts(A), table.shown()[:3], table.deck()) == (["C02"], ["C01", "C05", None], ["C06"])


@pytest.mark.parametrize(
    ("deck", "kept", "held", "left"),
    [
        ("C05, C06, C07", "C06", ["C06"], ["C07", "C05"]),
        ("C05, C06, C07", "none", [], ["C07", "C05", "C06"]),
        ("C05", "C05", ["C05"], []),
        ("C05", "none", [], ["C05"]),
    ],
)
def test_building_11_looks_at_two_contracts_and_keeps_one_or_none(deck, kept, held, left):
    """ORE-20."""
    table = building("B11", deck=deck)
    table.build(("B11", "cash"), kept)
    assert table.offered(A) == [*[pair(name) for name in deck.split(", ")[:2]], pair("none")]
    assert (table.contracts(A), table.deck()) == (held, left)


@pytest.mark.parametrize("name", ["B15", "B17", "B19", "B20"])
def test_a_building_without_ability_gives_its_points_alone(name):
    table = building(name, contracts="A C01", ore="A 9 lead", shown="C02", deck="C03", cards="B01")
    table.build((name, "cash"))
    assert (table.money()[A], table.ore(A), table.hand(A)) == (30 - PRICE[name], {"lead": 9}, [])
    assert [kind for kind, *_ in table.events()] == ["built"]


@pytest.mark.parametrize(
    ("name", "declined"),
    [
        *((name, "no") for name in ("B01", "B02", "B03", "B04", "B05", "B10", "B12", "B13", "B14")),
        *((name, "none") for name in ("B06", "B07", "B09", "B11", "B16", "B18")),
        ("B08", ("none", 0)),
    ],
)
def test_what_a_building_gives_may_be_declined(name, declined):
    """ORE-20: nothing changes but the payment."""
    table = building(name, contracts="A C01", ore="A 9 lead", shown="C02", deck="C03, C04", cards="B01, B02")
    table.build((name, "cash"), declined)
    assert (table.money()[A], table.ore(A), table.hand(A)) == (30 - PRICE[name], {"lead": 9}, [])
    assert (table.contracts(A), table.shown()[0], sorted(table.deck())) == (["C01"], "C02", ["C03", "C04"])
    assert (table.p.bits[A], table.p.cage[A], table.cards()) == (0, 0, ["B01", "B02"])


# --- the end of the game -----------------------------------------------------------------------------------


def scored(table: Table, *columns: str) -> list[Any]:
    """Outcome columns after the final scoring, seat by seat."""
    table.step(ENGINE.finish)
    return [table.s.outcome[: table.seats, GAME.column(name)].tolist() for name in columns]


@pytest.mark.parametrize(("money", "points"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, 2), (107, 10)])
def test_a_point_for_each_ten_dollars(money, points):
    """Full tens only (ORE-16)."""
    assert scored(Table(2, money=(money,)), "score", "money_points") == [[points, 0], [points, 0]]


def test_the_mine_cage_scores_one_or_three():
    """ORE-16: in all, not one more for level II."""
    assert scored(Table(3, cage=(0, 1, 2)), "score", "cage_points") == [[0, 1, 3]] * 2


def test_points_come_from_contracts_buildings_dollars_and_cage():
    """ORE-16: cards in hand, open contracts, ore and bits score nothing."""
    table = Table(3, money=(25,), cage=(2,), bits=(3,), ore="A 30 gold", hands="A 3 B20; B B20", contracts="A C30+3")
    table.p.contract_points[A], table.p.building_points[A] = 11, 17
    columns = ("score", "contract_points", "building_points", "money_points", "cage_points", "ore", "money")
    assert [values[A] for values in scored(table, *columns)] == [33, 11, 17, 2, 3, 30, 25]
    assert table.s.outcome[B, SCORE] == 0


@pytest.mark.parametrize(
    ("points", "ore", "money", "ranks", "wins"),
    [
        ((9, 8, 7), (0, 5, 9), (0, 5, 9), [1, 2, 3], [60, 0, 0]),  # points first
        ((7, 7, 7), (1, 3, 2), (9, 0, 5), [3, 1, 2], [0, 60, 0]),  # then ore left
        ((7, 7, 6), (2, 2, 9), (4, 6, 9), [2, 1, 3], [0, 60, 0]),  # then money
        ((7, 7, 6), (2, 2, 2), (5, 5, 9), [1, 1, 3], [30, 30, 0]),  # then both win
        ((7, 7, 7), (2, 2, 2), (5, 5, 5), [1, 1, 1], [20, 20, 20]),
        ((6, 7, 7), (2, 2, 2), (12, 3, 3), [1, 2, 2], [60, 0, 0]),  # 7 each, a point of them for 12 dollars
    ],
)
def test_ties_go_by_ore_then_by_money(points, ore, money, ranks, wins):
    """ORE-16; the ores count alike."""
    table = Table(3, money=money)
    table.p.contract_points[:3] = points
    for seat, n in enumerate(ore):
        table.p.ore[seat, seat] = n
    table.step(ENGINE.finish)
    assert table.s.outcome[:3, RANK].tolist() == ranks
    assert table.s.outcome[:3, WIN].tolist() == wins


# --- whole games -------------------------------------------------------------------------------------------


def watches(v, r):
    """Any option, but none once a worker, a drill bit or a dollar is one too many or too few."""
    p = v.public
    n_bits = p.bits_left
    n_workers = 0
    for seat in range(p.n_seats):
        if p.money[seat] < 0 or p.workers[seat] < 0 or p.cage[seat] > 2 or p.ore[seat].min() < 0:
            return -1
        n_bits += p.bits[seat]
        n_workers += p.workers[seat] - r.start_workers[p.n_seats - 2]
        if 0 < p.recruited[seat] < p.round_no:
            n_workers -= 1
    for space in range(p.occupied.size):
        n_workers += p.occupied[space]
    for ore in range(p.box.shape[0]):
        for box in range(p.box.shape[1]):
            if p.box[ore, box] >= 0:
                n_workers += 1
    if n_bits != r.drill_bits or n_workers != 0:
        return -1
    return below(v.whim, v.n_options)


def played(seats: int, rules: RuleSet, deal: int = 0) -> Table:
    """A game of players that do anything."""
    table = Table(seats)
    table.rules[:] = GAME.fill_rules(rules, seats)
    out, groups = np.zeros((1, seats, len(GAME.outcome_columns)), np.int32), np.zeros(1, np.int64)
    ENGINE.play(table.states, table.rules, table.tallies, out, groups, 6, deal, 1, *[all_of(watches)] * 15)
    return table


RICH = ["seat_money=60", "start_ore=9"]  # contracts are completed, and buildings built


def assert_all_cards_are_there(table: Table, rules: RuleSet) -> None:
    """Each card of the game in one place."""
    p, two = table.p, table.seats == 2 and rules["two_player"]
    mines = Counter(
        name for ore in range(5) if p.in_play[ore] for name in (table.mine(ORES[ore]), *table.stack(ORES[ore]))
    )
    mines.update(held[0] for seat in range(table.seats) if (held := table.private(seat)))
    copies = zip(MINES, rules["mine_copies"].tolist(), strict=True)
    assert +mines == +Counter({name: n for name, n in copies if not (two and name.startswith("copper"))})
    contracts = Counter([*table.deck(), *filter(None, table.shown())])
    contracts.update(CONTRACTS[name] for name in np.flatnonzero(p.holder != NOBODY))
    marks = rules["contract_two"] if two else np.ones(len(CONTRACTS), int)
    assert contracts == +Counter(dict(zip(CONTRACTS, (rules["contract_copies"] * marks).tolist(), strict=True)))
    assert sum(len(table.contracts(seat)) for seat in range(table.seats)) == (p.holder >= 0).sum()
    buildings = Counter(table.cards())
    for seat in range(table.seats):
        buildings.update(table.hand(seat))
    buildings.update(dict(zip(BUILDINGS, p.built.tolist(), strict=True)))
    marks = rules["building_two"] if two else np.ones(len(BUILDINGS), int)
    assert +buildings == +Counter(dict(zip(BUILDINGS, (rules["building_copies"] * marks).tolist(), strict=True)))


@pytest.mark.parametrize("seats", GAME.seats)
def test_no_card_worker_or_drill_bit_is_lost(seats):
    """At every question and after games of any length."""
    seen = np.zeros(5, np.int64)
    for rounds in range(1, 8):
        for changes in ([], RICH, [*RICH, "recall_miners=1", "contracts_shown=2"]):
            rules = GAME.rules.parse([f"rounds={rounds}", *changes])
            table = played(seats, rules, deal=rounds)
            assert_all_cards_are_there(table, rules)
            p = table.p
            assert p.bits_left + p.bits.sum() == 10
            recruits = np.count_nonzero(p.recruited[:seats])
            assert p.workers[:seats].sum() + (p.box != NOBODY).sum() == seats * (4 if seats < 4 else 3) + recruits
            seen += [p.n_buildings.sum(), p.n_contracts.sum(), p.n_lost, recruits, (p.private_card[:seats] >= 0).sum()]
    assert seen.all()  # all of it happened


class Books:
    """Dollars, ore and points of each seat as its events have them, at prices worked out from the rules."""

    def __init__(self, seats: int, rules: RuleSet) -> None:
        self.rules, self.value = rules, dict.fromkeys(ORES, 0)
        self.money, self.ore = [0] * seats, [Counter[str]() for _ in range(seats)]
        self.cage, self.points, self.n_recruited = [0] * seats, [0] * seats, 0

    def price(self, seat: int, used: str, opened: str) -> int:
        if used == "mine_cage":
            return int(self.rules["cage_price"][self.cage[seat]])
        if used == "recruit":
            return int(self.rules["recruit_price"][self.n_recruited])
        return self.rules["private_price"] + self.value[opened] if used == "private_mine" else 0

    def enter(self, kind: str, seat: Any, data: dict[str, Any], after: dict[str, Any]) -> None:
        rules, name = self.rules, data.get("name", "")
        if kind == "mine_opened":
            self.value[name[:-1]] = int(rules["mine_market"][NUMBER[name]])
        elif kind == "seat_ready":
            self.money[seat] = int(rules["seat_money"][seat])
            self.ore[seat].update(data["ore"])
        elif kind == "placed":
            assert data["paid"] == self.price(seat, data["used"], after.get("name", "")[:-1])
            self.money[seat] -= data["paid"]
        elif kind == "cage_raised":
            self.cage[seat] += 1
        elif kind == "recruited":
            self.n_recruited += 1
        elif kind == "bits_gained":
            self.money[seat] += rules["drill_money"]
        elif kind in ("bought", "sold"):
            sign = 1 if kind == "bought" else -1
            self.ore[seat][name] += sign * data["cubes"]
            self.money[seat] -= sign * data["cubes"] * data["price"]
            assert data["price"] in (self.value[name], self.value[name] + rules["sale_bonus"])
        elif kind == "permits":
            self.money[seat] -= data["paid"]
        elif kind == "row_filled":
            self.money[seat] += int(rules["contract_pay"][NUMBER[name], data["row"] - 1])
            need = rules["contract_need"][NUMBER[name], data["row"] - 1].tolist()
            self.ore[seat].subtract(dict(zip(ORES, need, strict=True)))
        elif kind == "contract_completed":
            self.points[seat] += int(rules["contract_points"][NUMBER[name]])
        elif kind == "built":
            self.points[seat] += int(rules["building_points"][NUMBER[name]])
            self.money[seat] -= data["money"]
            self.ore[seat].subtract(data["ore"])
            assert data["money"] in (0, rules["building_cash"][NUMBER[name]])
        elif kind == "gained":
            self.money[seat] += data["money"]
            self.ore[seat].update(data["ore"])
        elif kind == "dug":
            self.ore[seat][name[:-1]] += int(rules["mine_yield"][NUMBER[name], data["box"] - 1])
        elif kind in ("standing", "final"):
            own = self.money[seat]
            assert data["money"] == own >= 0
            assert data["points"] == self.points[seat] + own // 10 + (0, 1, 3)[self.cage[seat]]
            if kind == "standing":
                assert data["ore"] == dict(+self.ore[seat])
            else:
                assert data["ore_left"] == self.ore[seat].total()


def assert_books_are_right(table: Table, rules: RuleSet) -> Counter[str]:
    """Add up a game's events; returns how many there are of each kind."""
    books, events = Books(table.seats, rules), table.events()
    for (kind, seat, data), (_, _, after) in zip(events, [*events[1:], ("", None, {})], strict=True):
        books.enter(kind, seat, data, after)
    return Counter(kind for kind, *_ in events)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("changes", [[], RICH], ids=["as printed", "rich"])
def test_the_books_are_right_after_every_round(seats, changes):
    """Each dollar, cube and point of a game follows from what was told of it."""
    rules = GAME.rules.parse(changes)
    for deal in range(3):
        kinds = assert_books_are_right(played(seats, rules, deal), rules)
        assert kinds["standing"] == 7 * seats
        assert kinds["final"] == seats
        assert not changes or min(kinds["built"], kinds["row_filled"], kinds["dug"], kinds["placed"]) > 0


def test_a_game_has_seven_rounds_and_the_marker_goes_round():
    """Left of the first player unless it was taken (ORE-11)."""
    n_taken = 0
    for deal in range(4):
        first, takers = A, [NOBODY]
        for kind, seat, data in played(3, GAME.rules.defaults(), deal).events("marker_taken", "marker"):
            if kind == "marker_taken":
                takers.append(seat)
                continue
            assert data["taken"] == (len(takers) > 1)
            first = takers[-1] if data["taken"] else (first + 1) % 3
            assert seat == first
            n_taken += data["taken"]
            takers = [NOBODY]
    assert 0 < n_taken < 4 * 7


# --- rules and decks ---------------------------------------------------------------------------------------

TEN = ",".join("0" * 10)


@pytest.mark.parametrize(
    ("seats", "changes", "words"),
    [
        (3, "mine_level[lead1]=1,0,2,0,0 mine_yield[lead1]=2,0,4,0,0", r"'mine_level\[lead1\]' has a gap"),
        (3, "mine_level[gold6]=2,2,3,0,0 mine_yield[gold6]=1,1,1,0,0", r"'mine_level\[gold6\]' begins with level 2"),
        (3, f"mine_level[coal2]=0,0,0,0,0 mine_yield[coal2]={TEN[:9]}", r"'mine_level\[coal2\]' begins with level 0"),
        (3, "mine_yield[iron1]=1,1,2,1,0", r"'mine_yield\[iron1\]' has cubes where 'mine_level' has no box"),
        (3, "contract_need[C13,2]=0,0,0,0,0", r"'contract_need\[C13\]' needs rows without a gap"),
        (3, "contract_need[C01,1]=0,0,0,0,0", r"'contract_need\[C01\]' needs rows without a gap"),
        (3, "contract_pay[C01,3]=5", r"'contract_pay\[C01\]' pays for a row that 'contract_need' does not have"),
        (3, "contract_need[C30,4]=0,0,0,0,0", r"'contract_pay\[C30\]' pays for a row"),
        (3, "mine_copies=" + ",".join(["1"] * 24 + ["0"] * 6), "'mine_copies' leaves no gold mine"),
        (2, "mine_copies=" + ",".join(["0"] * 6 + ["1"] * 24), "'mine_copies' leaves no lead mine"),
        (5, "contract_copies=" + ",".join(["1"] * 4 + ["0"] * 26), "'contract_copies' leaves 4 contracts, but 5"),
        (2, "contract_two=" + ",".join(["1"] * 2 + ["0"] * 28), "'contract_copies' leaves 2 contracts, but 3"),
        (2, "contract_two[C07]=1", r"'contract_two\[C07\]' marks a contract for two players that needs copper"),
        (5, "start_buildings=5 building_copies=" + ",".join(["1"] * 20), "'building_copies' leaves too few cards"),
        (
            3,
            "start_building=7,0,0 start_buildings=0",
            "'start_building' gives a card, but 'start_buildings' deals none",
        ),
        (3, "start_building=7,7,7", "'start_building' gives B07 to 3 seats, but the deck has 2"),
        (2, "start_building=5,0", "'start_building' gives B05 to 1 seats, but the deck has 0"),
    ],
)
def test_a_deck_that_makes_no_sense_is_refused(seats, changes, words):
    """In one line that names the rule."""
    with pytest.raises(AssayError, match=words) as refusal:
        GAME.fill_rules(GAME.rules.parse(changes.split()), seats)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("seats", "changes"),
    [
        (2, "mine_copies=" + ",".join(["1"] * 12 + ["0"] * 6 + ["1"] * 12)),  # no copper is needed
        (3, "contract_two[C07]=1"),
        (2, "contract_two[C07]=1 contract_copies[C07]=0"),  # not in the deck
        (4, "contract_copies=" + ",".join(["1"] * 4 + ["0"] * 26)),
        (4, "start_buildings=5 building_copies=" + ",".join(["1"] * 20)),
        (3, "start_building=7,7,8"),
        (2, "start_building=6,6,6,6,6"),  # three of those seats are empty
        (3, "mine_level[lead1]=1,1,1,1,1 mine_yield[lead1]=0,0,0,0,0"),
    ],
)
def test_a_deck_at_the_edge_of_sense_is_played(seats, changes):
    rules = GAME.rules.parse(changes.split())
    table = played(seats, rules)
    assert_all_cards_are_there(table, rules)


def test_a_whole_deck_comes_from_a_file(tmp_path: Path):
    """Twelve contracts of a row each, mines of three boxes, buildings for 3 dollars or a coal: no code is touched."""
    deck = {
        "mine_level": [[1, 2, 3, 0, 0]] * 30,
        "mine_yield": [[3, 4, 6, 0, 0]] * 30,
        "mine_market": [7] * 30,
        "mine_copies": [1, 1, 0, 0, 0, 0] * 5,
        "contract_copies": [1] * 12 + [0] * 18,
        "contract_need": [[[2, 0, 0, 0, 1]] + [[0] * 5] * 3] * 30,
        "contract_pay": [[21, 0, 0, 0]] * 30,
        "contract_points": [4] * 30,
        "contract_buildings": [2] * 30,
        "building_copies": [3] * 10 + [0] * 10,
        "building_cash": [3] * 20,
        "building_cost": [[0, 1, 0, 0, 0]] * 20,
        "building_points": [5] * 20,
        **{f"gain_{what}": [0] * 20 for what in GAINS},
        "gain_money": [2] * 20,
        "gain_ore": [[0] * 5] * 20,
    }
    path = tmp_path / "my_deck.toml"
    path.write_text("".join(f"{name} = {value}\n" for name, value in deck.items()), encoding="utf-8")
    rules = GAME.rules.parse(file=path)
    table = Table(3, contracts="A C05", ore="A 2 lead, gold", hands="A B02, B09", bits=(0, 1))
    table.rules[:] = GAME.fill_rules(rules, 3)
    table.p.cage[B] = 1
    table.place(B, ("lead_mine", 1))
    table.collect()
    assert table.ore(B) == {"lead": 4}
    table.tell(A, "yes", ("B02", "cash"), "yes", ("B09", "cash"), "yes")
    table.business()
    assert table.money()[A] == 21 - 2 * 3 + 2 * 2
    assert (table.p.contract_points[A], table.p.building_points[A]) == (4, 10)
    kinds = Counter[str]()
    for deal in range(3):
        game = played(3, rules, deal)
        assert_all_cards_are_there(game, rules)
        kinds += assert_books_are_right(game, rules)
    assert kinds["row_filled"] == kinds["contract_completed"] > 0


@pytest.mark.parametrize(
    ("changes", "name", "at", "value"),
    [
        ("market_shift=1", "value", NUMBER["lead1"], 2),
        ("market_shift=-3", "value", NUMBER["lead1"], 1),  # the floor (ORE-25)
        ("market_shift=-3 market_floor=0", "value", NUMBER["lead1"], 0),
        ("pay_scale=130", "row_pay", (NUMBER["C01"], 0), 7),  # 6.5
        ("pay_scale=90", "row_pay", (NUMBER["C01"], 1), 5),  # 5.4
        ("building_scale=120", "built_points", NUMBER["B08"], 4),  # 3.6
        ("building_scale=50", "built_points", NUMBER["B20"], 5),  # 4.5
    ],
)
def test_scales_and_shifts(changes, name, at, value):
    """Rounded half up."""
    assert Table(3, changes).rules[name][0][at] == value


def test_scaled_rows_and_buildings_pay_and_score():
    """C01's last row 7.8 dollars, B08 3.6 points; points of contracts stay."""
    table = Table(
        3, "pay_scale=130 building_scale=120", money=(10,), contracts="A C01+1", ore="A lead, coal", hands="A B08"
    )
    table.tell(A, "yes", ("B08", "cash"))
    table.business()
    assert (table.money()[A], table.p.building_points[A], table.p.contract_points[A]) == (8, 4, 2)


def test_decks_drawn_anew_can_be_played():
    """Market values by -1 to 1 from 1 on, a factor for each contract's rows, one for each building's points."""
    default, moved = GAME.rules.defaults(), []
    drawn = {"mine_market", "contract_pay", "building_points"}
    for number in range(12):
        rules = GAME.alternative(default, number)
        assert set(rules.changes()) <= drawn
        assert rules.key() == GAME.alternative(default, number).key()
        market = rules["mine_market"] - default["mine_market"]
        assert abs(market).max() == 1
        assert rules["mine_market"].min() >= 1
        moved.append(rules.key())
        pay, printed = rules["contract_pay"], default["contract_pay"]
        assert (abs(pay - printed) <= 0.13 * printed + 0.5).all()
        assert (
            abs(rules["building_points"] - default["building_points"]) <= 0.2 * default["building_points"] + 0.5
        ).all()
        seats = GAME.seats[number % 4]
        game = played(seats, rules, number)
        assert_all_cards_are_there(game, rules)
        assert_books_are_right(game, rules)
    assert len(set(moved)) == 12


# --- experiments -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("start_buildings", [1, 2])
def test_a_seat_is_dealt_the_building_given_to_it(seats, start_buildings):
    """Whichever it is; all hands have their number of cards, and no card of the deck is lost."""
    names = BUILDINGS if seats > 2 else MARKED
    for deal, name in enumerate(names):
        for seat in {0, seats - 1}:
            change = GAME.forced[name].format(seat=seat + 1)
            table = prepared(seats, f"{change} start_buildings={start_buildings}", deal)
            hands = [table.hand(other) for other in range(seats)]
            assert name in hands[seat]
            assert {len(hand) for hand in hands} == {start_buildings}
            assert Counter([*table.cards(), *(held for hand in hands for held in hand)]) == dict.fromkeys(names, 2)


@pytest.mark.parametrize("given", ["1,1,2,2,3", "7,8,8,7,9", "20,19,20,19,1"])
def test_both_copies_may_be_given(given):
    """Also when chance has dealt them elsewhere, to a seat that is given one as well."""
    numbers = sorted({int(number) for number in given.split(",")})
    few = [*numbers, *(number for number in range(1, 21) if number not in numbers)][:5]  # all ten cards are dealt
    copies = "building_copies=" + ",".join("2" if number in few else "0" for number in range(1, 21))
    for deal in range(40):
        table = prepared(5, f"start_building={given} {copies}", deal)
        for seat, number in enumerate(given.split(",")):
            assert f"B{int(number):02}" in table.hand(seat)
        hands = Counter(name for seat in range(5) for name in table.hand(seat))
        assert hands == {f"B{number:02}": 2 for number in few}


PLACES = {
    **{name: [name] for name in (*IN_TOWN, "private_mine", "contract_deck", "overtime")},
    "mines": MINE_SPACES,
    "contracts": CONTRACT_SPACES[:2],
}
OPTIONS = {rule.split(",")[1].split("]")[0]: rule for rule in GAME.barred.values()}


def test_a_seat_can_be_kept_from_every_option():
    assert set(OPTIONS) == {*PLACES, "building", "reacting"} == {*GAME.rules.labels["option"]}
    assert len(OPTIONS) == len(GAME.barred)


def names_of(places: list[Any]) -> set[str]:
    return {place if isinstance(place, str) else place[0] for place in places}


@pytest.mark.parametrize("name", PLACES)
def test_a_barred_seat_is_not_offered_the_space(name):
    """Neither by Overtime; all other seats are, and it the other spaces."""
    table = Table(3, OPTIONS[name].format(seat=2), money=(99, 99, 99), bits=(1, 1, 1), shown="C01, C02", deck="C03")
    every = {space for spaces in PLACES.values() for space in spaces}
    for round_no in (1, 7):
        table.p.round_no = round_no
        assert names_of(table.spaces(A)) == names_of(table.spaces(C)) == every - {"overtime"}
        assert names_of(table.spaces(B)) == every - {"overtime"} - {*PLACES[name]}
    table.p.round_no = 1
    table.occupy(*IN_TOWN)
    found = {seat: {place[1] for place in table.spaces(seat) if place[0] == "overtime"} for seat in (A, B, C)}
    assert found[A] == found[C] == {*IN_TOWN}
    assert found[B] == (set() if name == "overtime" else {*IN_TOWN} - {name})


def test_a_seat_barred_from_building_builds_nothing():
    """It completes its contracts all the same."""
    table = Table(2, OPTIONS["building"].format(seat=1), money=(30, 30), contracts="A C01+1; B C02+1")
    table.put_ore("A lead, coal; B 2 coal")
    table.put_hands("A B15; B B15")
    table.tell(A, "yes")
    table.tell(B, "yes", ("B15", "cash"))
    table.business()
    assert (table.p.n_contracts[:2].tolist(), table.p.n_buildings[:2].tolist()) == ([1, 1], [0, 1])


def test_a_seat_barred_from_reacting_is_passed_over():
    """At the market and in the Permit Office of others; not when it goes there itself."""
    table = Table(3, OPTIONS["reacting"].format(seat=2), money=(30, 30, 30), cards=", ".join(BUILDINGS))
    table.tell(C, ("lead", 1))
    table.place(A, "commodity_market", ("lead", 2))
    table.tell(C, (1, 3))
    table.place(A, "permit_office", (1, 0))
    assert (table.money(), table.ore(B), table.hand(B)) == ([28, 30, 26], {}, [])
    table.end_round()
    table.tell(A, ("gold", 0))
    table.tell(C, ("gold", 0))
    table.place(B, "commodity_market", ("gold", 1))
    table.tell(A, (0, 0))
    table.tell(C, (0, 0))
    table.place(B, "permit_office", (3, 10))
    assert (table.money()[B], table.ore(B), len(table.hand(B))) == (15, {"gold": 1}, 3)
