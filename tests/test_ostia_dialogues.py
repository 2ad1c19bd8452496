"""Scenes in which each strategy of Ostia shows what it is: a view set by hand, and the answer its plan demands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strategies
from simcore.game import find_game

GAME = find_game("ostia")
IVORY, WOOD, WINE, OIL, TEXTILES, GRAIN = range(6)
ME = 0


class Scene:
    """What one seat of four sees; lists over resources are ivory, wood, wine, oil, textiles, grain."""

    def __init__(self, name: str) -> None:
        self.strategy = strategies.load_once("ostia", name)
        self.views = np.zeros(1, GAME.engine.VIEW)
        self.v = self.views[0]
        self.p = self.v.public
        self.rules = GAME.fill_rules(GAME.rules.defaults(), 4)
        self.v.seat = ME
        self.v.weights[: len(self.strategy.values)] = self.strategy.values
        self.v.baseline[: len(self.strategy.baseline)] = self.strategy.baseline
        self.v.whim = (1, 2, 3, 4)
        self.p.n_seats, self.p.round_no, self.p.seller = 4, 2, 3
        self.v.bids[:] = -1
        self.p.senate[:] = (3, 2, 2, 1, 0, 0)
        self.p.senate_next[:] = (0, 0, 1, 2, 2, 3)
        self.money(60)

    def money(self, cash: int, credit: int = 30) -> None:
        self.v.cash, self.v.can_pay = cash, cash + credit

    def lot(self, first: int, second: int, minimum: int, cycle: int = 1) -> None:
        self.p.lot[:] = 0
        self.p.lot[first] += 1
        self.p.lot[second] += 1
        self.p.first_card, self.p.second_card = min(first, second), max(first, second)
        self.p.minimum, self.p.cycle = minimum, cycle

    def bids(self, **by_seat: int) -> None:
        """`seat1=12`: what other seats have bid."""
        for name, bid in by_seat.items():
            self.v.bids[int(name[-1])] = bid

    def options(self, *pairs: tuple[int, int]) -> None:
        self.v.n_options = len(pairs)
        self.v.options[: len(pairs)] = pairs

    def ask(self, decision: str) -> int:
        return int(self.strategy.hooks[decision](self.v, self.rules[0]))


def bid_of(name: str, **changes: Any) -> int:
    """What a strategy bids for two ivory (minimum 8) with 60 denarii, others yet to bid."""
    scene = Scene(name)
    scene.lot(changes.pop("first", IVORY), changes.pop("second", IVORY), 8, changes.pop("cycle", 1))
    for field, value in changes.items():
        if field in ("cash", "can_pay"):
            setattr(scene.v, field, value)
        else:
            getattr(scene.p, field)[...] = value
    return scene.ask("bid")


def test_random_takes_any_option() -> None:
    scene = Scene("random")
    scene.options((IVORY, -1), (WOOD, -1), (GRAIN, -1))
    assert {scene.ask("keep") for _ in range(60)} == {0, 1, 2}


@pytest.mark.parametrize(("cash", "bid"), [(60, 8), (16, 8), (15, 0)])
def test_miser_bids_the_minimum_while_it_leaves_half_its_money(cash: int, bid: int) -> None:
    assert bid_of("miser", cash=cash) == bid


def test_baseline_bids_just_above_the_best_if_it_speaks_last() -> None:
    scene = Scene("baseline")
    scene.lot(IVORY, WOOD, 8)
    scene.bids(seat1=9, seat2=0)
    assert scene.ask("bid") == 10


def test_baseline_takes_the_best_price_and_keeps_a_lot_worth_more() -> None:
    scene = Scene("baseline")
    scene.lot(GRAIN, GRAIN, 8)
    scene.bids(seat1=12, seat2=30, seat3=0)
    scene.options((1, -1), (2, -1), (ME, -1))
    assert scene.ask("sell") == 1
    scene = Scene("baseline")
    scene.lot(IVORY, IVORY, 8)
    scene.bids(seat1=1, seat2=0, seat3=0)
    scene.p.minimum = 1
    scene.options((1, -1), (ME, -1))
    assert scene.ask("sell") == 1  # 2 denarii for two ivory


def test_senator_pays_by_worth_alone() -> None:
    scene = Scene("senator")
    scene.lot(IVORY, WOOD, 8)
    assert asked_above(scene, 10)
    scene.lot(OIL, OIL, 8)
    assert not asked_above(scene, 10)
    assert bid_of("senator", first=TEXTILES, second=TEXTILES, senate_next=0) == 0
    scene.options((GRAIN, -1), (OIL, -1), (IVORY, -1))
    assert scene.ask("keep") == 2


def test_trader_asks_what_the_forum_pays_not_what_the_senate_honours() -> None:
    assert bid_of("trader", senate=0) == bid_of("trader", senate=3)
    assert bid_of("trader", bought_n=np.array([9, 0, 0, 0, 0, 0])) < bid_of("trader")


def test_hoarder_keeps_and_stores_for_the_next_card() -> None:
    scene = Scene("hoarder")
    scene.options((IVORY, -1), (GRAIN, -1), (OIL, -1))
    assert scene.ask("keep") == 1
    scene.v.hand[[IVORY, GRAIN]] = 2, 2
    scene.p.storehouses[ME] = 1
    scene.money(16)  # one storehouse, and six to keep
    assert scene.ask("store") == 1
    assert scene.v.kept.tolist() == [0, 0, 0, 0, 0, 2]


def test_banker_keeps_its_own_lot_when_the_table_is_too_poor() -> None:
    scene = Scene("banker")
    scene.lot(IVORY, IVORY, 8, cycle=2)
    scene.bids(seat1=8, seat2=0, seat3=0)
    scene.options((1, -1), (ME, -1))
    assert scene.ask("sell") == 1
    scene.bids(seat1=40)
    assert scene.ask("sell") == 0


def test_banker_never_spends_more_than_its_purse_allows() -> None:
    assert bid_of("banker", cash=20) <= 9
    assert 0 < bid_of("banker", cash=60) < bid_of("opportunist", cash=60, cycle=2) + 20


def test_opportunist_waits_for_the_second_cycle() -> None:
    scene = Scene("opportunist")
    scene.lot(IVORY, IVORY, 8)
    highest = next(bid for bid in range(8, 60) if not asked_above(scene, bid))
    scene.p.cycle = 2
    assert asked_above(scene, highest)


def asked_above(scene: Scene, bid: int) -> bool:
    """Whether it outbids a rival."""
    scene.bids(seat1=bid)
    return scene.ask("bid") > bid


def test_opportunist_sells_cheap_cards_first() -> None:
    scene = Scene("opportunist")
    scene.options((IVORY, WOOD), (GRAIN, GRAIN), (WOOD, OIL))
    cheapest = min(range(3), key=lambda i: sum(scene.rules[0].minimum_price[scene.v.options[i]]))
    assert scene.ask("offer") == cheapest


def test_counter_shuns_what_rivals_bought() -> None:
    plenty = np.zeros((5, 6), int)
    plenty[1, IVORY] = plenty[2, IVORY] = 3
    scene = Scene("counter")
    scene.lot(IVORY, IVORY, 8)
    highest = max((bid for bid in range(8, 60) if asked_above(scene, bid)), default=0)
    scene.p.bought[:] = plenty
    scene.p.bought_n[:] = plenty.sum(axis=0)
    assert highest > max((bid for bid in range(8, 60) if asked_above(scene, bid)), default=0)


def test_spoiler_does_not_sell_to_the_leader_while_another_bid_is_near() -> None:
    scene = Scene("spoiler")
    scene.p.seller = ME
    scene.lot(GRAIN, GRAIN, 8)
    scene.p.points[:4] = 2, 9, 3, 4
    scene.bids(seat1=20, seat2=15, seat3=0)
    scene.options((1, -1), (2, -1))
    assert scene.ask("sell") == 1
    scene.bids(seat2=13)  # below seven tenths: too far
    assert scene.ask("sell") == 0


def test_spoiler_outbids_the_leader_for_what_the_senate_values() -> None:
    scene = Scene("spoiler")
    scene.lot(IVORY, IVORY, 8)
    limit = max((bid for bid in range(8, 60) if asked_above(scene, bid)), default=0)
    scene.p.points[1] = 9
    assert max((bid for bid in range(8, 60) if asked_above(scene, bid)), default=0) > limit


def test_debtor_bids_beyond_its_money_but_not_at_the_end() -> None:
    scene = Scene("debtor")
    scene.lot(IVORY, IVORY, 8)
    scene.money(9, 60)
    scene.bids(seat1=12)
    assert scene.ask("bid") == 13
    scene.p.round_no = 5
    assert scene.ask("bid") <= 9


def test_each_strategy_has_its_scene() -> None:
    told = {line.split("_")[1] for line in globals() if line.startswith("test_")} | {"random"}
    assert set(strategies.names(GAME)) <= told
