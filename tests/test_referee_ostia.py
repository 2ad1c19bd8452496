"""Tests of the Ostia referee: it accepts legal games, and fouls every kind of tampering with them."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from referee import ostia
from referee.ostia import Foul, Referee, check

GOODS = ["ivory", "wood", "wine", "olive_oil", "textiles", "grain"]
PRICES = dict(zip(GOODS, [9, 8, 7, 6, 5, 4], strict=True))
PHOTO, EXAMPLE, THIRD = [5, 4, 3, 0, 2, 1], [4, 0, 2, 1, 3, 5], [2, 3, 1, 5, 4, 0]
RULES: dict[str, Any] = {
    "start_money": [55] * 5,
    "advanced_start_money": [70] * 5,
    "start_storehouses": [1] * 5,
    "start_cards": [1] * 5,
    "deal_cards": 5,
    "auction_cards": 4,
    "minimum_price": [9, 8, 7, 6, 5, 4],
    "copies": [6, 7, 8, 9, 10, 11],
    "forum_price": [15, 12, 10, 8, 6, 4, 3, 2, 1],
    "talon": [4, 2, 0],
    "senate_cards": [PHOTO, EXAMPLE, THIRD, [3, 1, 5, 2, 0, 4], [0, 5, 4, 3, 1, 2], [1, 2, 0, 4, 5, 3]],
    "senate_award": [3, 2, 1],
    "money_award": [3, 2, 1],
    "rounds": 5,
    "max_types": 3,
    "max_storehouses": 4,
    "storehouse_cost": 10,
    "storehouse_resale": 7,
    "mortgage_value": 7,
    "loan_value": 7,
    "loan_repayment": 10,
    "loan_interest": 2,
    "max_loans": 4,
    "commission_percent": 50,
    "forced_percent": 50,
    "own_lot_raise": 1,
    "first_game": 0,
    "advanced_discard": 0,
    "advanced_price": 0,
    "advanced_start": 0,
    "redraw_senate": 0,
}
Document = dict[str, Any]
Event = dict[str, Any]
Tampering = Callable[[Document], object]


def valued(row: list[int]) -> dict[str, int]:
    return dict(zip(GOODS, row, strict=True))


def document(n_seats: int, rules: dict[str, Any], events: list[Event], outcome: dict[str, Any]) -> Document:
    return {
        "game": "ostia",
        "seats": n_seats,
        "seed": 1,
        "deal": 0,
        "strategies": ["scribe"] * n_seats,
        "rules": rules,
        "events": events,
        "outcome": outcome,
    }


# --- A one-round game of three, written by hand -------------------------------------------------------------


def hand_made() -> Document:
    """Seat 2 starts poor: it mortgages, borrows and is left in debt; seat 3 wins by storehouses, 2 to 1."""
    events: list[Event] = []

    def say(kind: str, seat: int | None, **data: Any) -> None:
        number = 0 if phase == "setup" else 1
        events.append({"round": number, "phase": phase, "kind": kind, "seat": seat, "data": data})

    def lot(seller: int, cycle: int, minimum: int, bids: list[tuple[int, int]], **cards: int) -> None:
        say("offered", seller, cycle=cycle, cards=cards, minimum=minimum)
        for seat, amount in bids:
            say("bid", seat, amount=amount)

    phase = "setup"
    say("senate_card", None, card=3, slot="aside", values=valued(THIRD))
    say("senate_card", None, card=2, slot="active", values=valued(EXAMPLE))
    say("senate_card", None, card=1, slot="next", values=valued(PHOTO))
    for seat, money in ((1, 55), (2, 10), (3, 55)):
        say("seat_ready", seat, money=money, storehouses=1)
    say("start_card", 1, cards={"wine": 1})
    say("start_card", 2, cards={"textiles": 1})
    say("start_card", 3, cards={"grain": 1})
    phase = "harbor"
    say("round_start", 1, card=2, next=1, senate=valued(EXAMPLE), senate_next=valued(PHOTO))
    say("dealt", 1, cards={"olive_oil": 2, "ivory": 1, "grain": 1, "wine": 1})
    say("dealt", 2, cards={"grain": 1, "ivory": 1, "wood": 1, "textiles": 2})
    say("dealt", 3, cards={"grain": 2, "wood": 1, "wine": 1, "olive_oil": 1})
    say("kept", 1, cards={"grain": 1})
    say("kept", 2, cards={"textiles": 1})
    say("kept", 3, cards={"wood": 1})
    lot(1, 1, 16, [(2, 0), (3, 0)], ivory=1, wine=1)
    say("forced", 1, price=8, paid=8, waived=0)
    lot(2, 1, 13, [(3, 18), (1, 19)], grain=1, ivory=1)
    say("mortgaged", 2, storehouses=1, raised=7)
    say("borrowed", 2, loans=1, raised=7)
    say("own_lot", 2, price=20)
    lot(3, 1, 8, [(1, 21), (2, 0)], grain=2)
    say("sold", 3, buyer=1, price=21, to_bank=11, to_seller=10)
    lot(1, 2, 12, [(2, 0), (3, 12)], olive_oil=2)
    say("sold", 1, buyer=3, price=12, to_bank=6, to_seller=6)
    lot(2, 2, 13, [(3, 0), (1, 0)], wood=1, textiles=1)
    say("borrowed", 2, loans=1, raised=7)
    say("forced", 2, price=7, paid=7, waived=0)
    lot(3, 2, 13, [(1, 15), (2, 14)], wine=1, olive_oil=1)
    say("borrowed", 2, loans=2, raised=14)
    say("sold", 3, buyer=2, price=14, to_bank=7, to_seller=7)
    phase = "office"
    say("talon", None, cards={"wine": 2, "wood": 1, "textiles": 1})
    say("assigned", 1, forum={"grain": 1, "wine": 1}, senate={"grain": 2, "ivory": 1}, stored={"wine": 1})
    say(
        "assigned",
        2,
        forum={"textiles": 2, "wood": 1},
        senate={"ivory": 1, "grain": 1},
        stored={"textiles": 1, "wine": 1, "olive_oil": 1},
    )
    say("assigned", 3, forum={"olive_oil": 1}, senate={"grain": 1}, stored={"wood": 1, "olive_oil": 1})
    say("overextended", 2, resource="grain", forum=0, senate=1)
    phase = "forum"
    say("forum_price", None, resource="wood", cards=2, price=12)
    say("forum_sale", 2, resource="wood", cards=1, income=12)
    say("forum_price", None, resource="wine", cards=3, price=10)
    say("forum_sale", 1, resource="wine", cards=1, income=10)
    say("forum_price", None, resource="olive_oil", cards=1, price=15)
    say("forum_sale", 3, resource="olive_oil", cards=1, income=15)
    say("forum_price", None, resource="textiles", cards=3, price=10)
    say("forum_sale", 2, resource="textiles", cards=2, income=20)
    say("forum_price", None, resource="grain", cards=1, price=15)
    say("forum_sale", 1, resource="grain", cards=1, income=15)
    phase = "senate"
    say("donation", 1, worth=14, points=3)
    say("donation", 2, worth=4, points=1)
    say("donation", 3, worth=5, points=2)
    phase = "storehouses"
    say("stored", 1, kept={"wine": 1}, spoiled={})
    say("repaid", 2, loans=3, paid=30)
    say("interest", 2, due=2, paid=2, waived=0)
    say("stored", 2, kept={}, spoiled={"textiles": 1, "wine": 1, "olive_oil": 1})
    say("built", 3, storehouses=2, paid=20)
    say("stored", 3, kept={"wood": 1, "olive_oil": 1}, spoiled={})
    say("standing", 1, money=57, points=3, storehouses=1, loans=0, cards=1)
    say("standing", 2, money=4, points=1, storehouses=0, loans=1, cards=0)
    say("standing", 3, money=55, points=2, storehouses=3, loans=0, cards=2)
    phase = "final"
    say("scored", 1, kept={"wine": 1}, dropped={}, points=1)
    say("scored", 2, kept={}, dropped={}, points=0)
    say("scored", 3, kept={"olive_oil": 1}, dropped={"wood": 1}, points=1)
    say("resold", 3, storehouses=1, raised=7)
    say("money_award", 1, money=57, points=2)
    say("money_award", 2, money=4, points=0)
    say("money_award", 3, money=62, points=3)
    for seat, points, money, storehouses, loans, cards, worth, rank, share in (
        (1, 6, 57, 1, 0, 1, 1, 2, 0),
        (2, 1, 4, 0, 1, 0, 0, 3, 0),
        (3, 6, 62, 2, 0, 1, 5, 1, 1),
    ):
        wealth = {"points": points, "money": money, "storehouses": storehouses, "loans": loans}
        say("final", seat, **wealth, cards=cards, tie_worth=worth, rank=rank, win_share=share)
    rules = RULES | {"rounds": 1, "start_money": [55, 10, 55, 55, 55]}
    return document(3, rules, events, {"win_share": [0, 0, 1], "score": [6, 1, 6]})


def test_a_game_written_by_hand_is_accepted_and_left_alone():
    game = hand_made()
    check(game)
    assert game == hand_made()


# --- Random legal games, written by a scribe that plays with real cards -------------------------------------


class Scribe:
    """Plays a random legal game with lists of cards and writes it down; shares nothing with the referee."""

    def __init__(self, n_seats: int, seed: int, changes: dict[str, Any]) -> None:
        self.rng = random.Random(seed)
        self.rules = RULES | changes
        self.seats = list(range(1, n_seats + 1))
        self.events: list[Event] = []
        self.round, self.phase, self.first = 0, "setup", 1
        self.deck = [g for g, n in zip(GOODS, self.rules["copies"], strict=True) for _ in range(n)]
        if self.rules["first_game"]:
            self.deck = [good for good in self.deck if good != "ivory"]
        self.rng.shuffle(self.deck)
        self.discards: list[str] = []
        self.cash: dict[int, int] = {}
        self.sheds: dict[int, int] = {}
        self.loans = dict.fromkeys(self.seats, 0)
        self.points = dict.fromkeys(self.seats, 0)
        self.hands: dict[int, list[str]] = {}

    def note(self, kind: str, seat: int | None, **data: Any) -> None:
        event = {"round": self.round, "phase": self.phase, "kind": kind, "seat": seat, "data": data}
        self.events.append(event)

    def from_seat(self, seat: int) -> list[int]:
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def split(self, cards: list[str], n: int) -> tuple[list[str], list[str]]:
        shuffled = self.rng.sample(cards, len(cards))
        return shuffled[:n], shuffled[n:]

    def draw(self, n: int, kind: str, seat: int | None) -> list[str]:
        cards: list[str] = []
        while len(cards) < n and (self.deck or self.discards):
            if not self.deck:
                self.note("reshuffle", None, cards=dict(Counter(self.discards)))
                self.deck, self.discards = self.split(self.discards, len(self.discards))
            cards.append(self.deck.pop())
        self.note(kind, seat, cards=dict(Counter(cards)))
        return cards

    def means(self, seat: int) -> int:
        loans = (self.rules["max_loans"] - self.loans[seat]) * self.rules["loan_value"]
        return self.cash[seat] + self.sheds[seat] * self.rules["mortgage_value"] + loans

    def pay(self, seat: int, price: int) -> int:
        pawned = borrowed = 0
        while self.cash[seat] < price and self.sheds[seat]:
            self.sheds[seat] -= 1
            self.cash[seat] += self.rules["mortgage_value"]
            pawned += 1
        while self.cash[seat] < price and self.loans[seat] < self.rules["max_loans"]:
            self.loans[seat] += 1
            self.cash[seat] += self.rules["loan_value"]
            borrowed += 1
        if pawned:
            self.note("mortgaged", seat, storehouses=pawned, raised=pawned * self.rules["mortgage_value"])
        if borrowed:
            self.note("borrowed", seat, loans=borrowed, raised=borrowed * self.rules["loan_value"])
        paid = min(price, self.cash[seat])
        self.cash[seat] -= paid
        return paid

    def prepare(self) -> None:
        rows = copy.deepcopy(self.rules["senate_cards"])
        if self.rules["redraw_senate"]:
            rows[2:] = self.rng.sample(rows[2:], 4)
        self.rows = dict(enumerate(rows, 1))
        self.order = self.rng.sample(list(self.rows), 6)
        for slot, card in zip(("aside", "active", "next"), self.order, strict=False):
            self.note("senate_card", None, card=card, slot=slot, values=valued(self.rows[card]))
        start_money = self.rules["advanced_start_money" if self.rules["advanced_price"] else "start_money"]
        for seat in self.seats:
            self.cash[seat] = start_money[seat - 1]
            self.sheds[seat] = self.rules["start_storehouses"][seat - 1]
            self.note("seat_ready", seat, money=self.cash[seat], storehouses=self.sheds[seat])
        for seat in self.seats:
            self.hands[seat] = self.draw(self.rules["start_cards"][seat - 1], "start_card", seat)

    def harbor(self, number: int) -> None:
        self.round, self.phase = number, "harbor"
        shown = [*self.order, None][number : number + 2]
        senate, senate_next = (None if card is None else valued(self.rows[card]) for card in shown)
        where = {"card": shown[0], "next": shown[1], "senate": senate, "senate_next": senate_next}
        self.note("round_start", self.first, **where)
        turn = self.from_seat(self.first)
        docks = {seat: self.draw(self.rules["deal_cards"], "dealt", seat) for seat in turn}
        for seat in turn:
            docks[seat], kept = self.split(docks[seat], self.rules["auction_cards"])
            self.note("kept", seat, cards=dict(Counter(kept)))
            self.hands[seat] += kept
        if self.rules["advanced_discard"]:
            for seat in turn:
                most = max(0, min(2, len(docks[seat]) - 2))
                gone, docks[seat] = self.split(docks[seat], self.rng.randint(0, most))
                self.note("discarded", seat, cards=dict(Counter(gone)))
                self.discards += gone
        for cycle in (1, 2):
            for seat in turn:
                self.auction(seat, cycle, docks)

    def auction(self, seller: int, cycle: int, docks: dict[int, list[str]]) -> None:
        n = len(docks[seller])
        if not n:
            self.note("no_offer", seller, cycle=cycle)
            return
        size = min(2, n)
        if self.rules["advanced_discard"] and cycle == 1:
            size = {4: 2, 3: self.rng.randint(1, 2), 2: 1, 1: 1}[n]
        lot, docks[seller] = self.split(docks[seller], size)
        prices = valued(self.rules["minimum_price"])
        minimum = sum(prices[good] for good in lot)
        self.note("offered", seller, cycle=cycle, cards=dict(Counter(lot)), minimum=minimum)
        bids = {}
        for seat in self.from_seat(seller)[1:]:
            can = self.means(seat) >= minimum and self.rng.random() < 0.5
            bids[seat] = self.rng.randint(minimum, min(self.means(seat), minimum + 8)) if can else 0
            self.note("bid", seat, amount=bids[seat])
        self.hands[self.close(seller, minimum, bids)] += lot

    def close(self, seller: int, minimum: int, bids: dict[int, int]) -> int:
        is_full = self.rules["advanced_price"]
        best = max(bids.values())
        if not best:
            price = minimum if is_full else -(-minimum * self.rules["forced_percent"] // 100)
            paid = self.pay(seller, price)
            self.note("forced", seller, price=price, paid=paid, waived=price - paid)
            return seller
        own_price = best + self.rules["own_lot_raise"]
        if self.means(seller) >= own_price and self.rng.random() < 0.3:
            self.note("own_lot", seller, price=self.pay(seller, own_price))
            return seller
        buyer = self.rng.choice([seat for seat, bid in bids.items() if bid])
        price = self.pay(buyer, bids[buyer])
        bank = minimum if is_full else -(-price * self.rules["commission_percent"] // 100)
        self.cash[seller] += price - bank
        self.note("sold", seller, buyer=buyer, price=price, to_bank=bank, to_seller=price - bank)
        return buyer

    def office(self) -> dict[str, dict[int, list[str]]]:
        self.phase = "office"
        n_talon = self.rules["talon"][len(self.seats) - 3]
        talon = self.draw(n_talon, "talon", None) if n_talon else []
        piles: dict[str, dict[int, list[str]]] = {"forum": {0: talon}, "senate": {}}
        for seat in self.from_seat(self.first):
            areas: dict[str, list[str]] = {"forum": [], "senate": [], "stored": []}
            for card in self.hands[seat]:
                areas[self.rng.choice(list(areas))].append(card)
            self.note("assigned", seat, **{area: dict(Counter(cards)) for area, cards in areas.items()})
            piles["forum"][seat], piles["senate"][seat] = areas["forum"], areas["senate"]
            self.hands[seat] = areas["stored"]
        for seat in self.from_seat(self.first):
            self.punish(seat, piles["forum"], piles["senate"])
        return piles

    def punish(self, seat: int, forum: dict[int, list[str]], senate: dict[int, list[str]]) -> None:
        worth = valued(self.rows[self.order[self.round]])
        while len(types := set(both := forum[seat] + senate[seat])) > self.rules["max_types"]:
            top = max(worth[good] for good in types)
            most = max(both.count(good) for good in types if worth[good] == top)
            worst = next(g for g in GOODS if g in types and worth[g] == top and both.count(g) == most)
            lost = {"forum": forum[seat].count(worst), "senate": senate[seat].count(worst)}
            self.note("overextended", seat, resource=worst, **lost)
            self.discards += [worst] * most
            forum[seat] = [good for good in forum[seat] if good != worst]
            senate[seat] = [good for good in senate[seat] if good != worst]

    def market(self, forum: dict[int, list[str]]) -> None:
        self.phase = "forum"
        shown = [card for cards in forum.values() for card in cards]
        for good in GOODS:
            if n := shown.count(good):
                price = self.rules["forum_price"][min(n, 9) - 1]
                self.note("forum_price", None, resource=good, cards=n, price=price)
                for seat in self.from_seat(self.first):
                    if own := forum[seat].count(good):
                        self.note("forum_sale", seat, resource=good, cards=own, income=own * price)
                        self.cash[seat] += own * price
        self.discards += shown

    def share(self, amounts: dict[int, int], award: list[int]) -> dict[int, int]:
        places = sorted(amounts.values(), reverse=True)
        paid = [*award, *[0] * len(places)]
        pots = {a: [paid[i] for i, other in enumerate(places) if other == a] for a in places}
        return {seat: sum(pots[a]) // len(pots[a]) for seat, a in amounts.items()}

    def donate(self, senate: dict[int, list[str]]) -> None:
        self.phase = "senate"
        worth = valued(self.rows[self.order[self.round]])
        worths = {seat: sum(worth[good] for good in senate[seat]) for seat in self.seats}
        won = self.share({seat: w for seat, w in worths.items() if w}, self.rules["senate_award"])
        for seat in self.from_seat(self.first):
            self.note("donation", seat, worth=worths[seat], points=won.get(seat, 0))
            self.points[seat] += won.get(seat, 0)
            self.discards += senate[seat]

    def store(self) -> None:
        self.phase = "storehouses"
        for seat in self.from_seat(self.first):
            repaid = min(self.loans[seat], self.cash[seat] // self.rules["loan_repayment"])
            if repaid:
                self.cash[seat] -= repaid * self.rules["loan_repayment"]
                self.loans[seat] -= repaid
                self.note("repaid", seat, loans=repaid, paid=repaid * self.rules["loan_repayment"])
            if self.loans[seat]:
                due = self.loans[seat] * self.rules["loan_interest"]
                paid = min(due, self.cash[seat])
                self.cash[seat] -= paid
                self.note("interest", seat, due=due, paid=paid, waived=due - paid)
            cost = self.rules["storehouse_cost"]
            most = min(self.cash[seat] // cost, self.rules["max_storehouses"] - self.sheds[seat])
            built = self.rng.randint(0, most)
            if built:
                self.sheds[seat] += built
                self.cash[seat] -= built * cost
                self.note("built", seat, storehouses=built, paid=built * cost)
            self.hands[seat], spoiled = self.split(self.hands[seat], self.sheds[seat])
            self.discards += spoiled
            kept = dict(Counter(self.hands[seat]))
            self.note("stored", seat, kept=kept, spoiled=dict(Counter(spoiled)))

    def stand(self) -> None:
        for seat in self.seats:
            wealth = {"money": self.cash[seat], "storehouses": self.sheds[seat], "loans": self.loans[seat]}
            self.note("standing", seat, points=self.points[seat], cards=len(self.hands[seat]), **wealth)
        if self.round == self.rules["rounds"]:
            return
        turn = self.from_seat(self.first)
        self.first = turn[1]
        if self.rules["advanced_start"]:
            chooser = sorted(turn, key=lambda seat: self.points[seat])[0]
            self.first = self.rng.choice(self.seats)
            self.note("start_chosen", chooser, start=self.first)

    def score(self) -> dict[str, Any]:
        self.phase = "final"
        for seat in self.from_seat(self.first):
            kept, dropped = self.split(self.hands[seat], self.rng.randint(0, len(self.hands[seat])))
            cards = {"kept": dict(Counter(kept)), "dropped": dict(Counter(dropped))}
            self.note("scored", seat, **cards, points=len(set(kept)))
            self.points[seat] += len(set(kept))
            self.hands[seat] = kept
        for seat in self.from_seat(self.first):
            if sold := self.rng.randint(0, self.sheds[seat] - len(self.hands[seat])):
                raised = sold * self.rules["storehouse_resale"]
                self.sheds[seat] -= sold
                self.cash[seat] += raised
                self.note("resold", seat, storehouses=sold, raised=raised)
        free = {seat: self.cash[seat] for seat in self.seats if not self.loans[seat]}
        won = self.share(free, self.rules["money_award"])
        for seat in self.seats:
            self.points[seat] += won.get(seat, 0)
            self.note("money_award", seat, money=self.cash[seat], points=won.get(seat, 0))
        return self.rank()

    def rank(self) -> dict[str, Any]:
        aside = valued(self.rows[self.order[0]])
        worth = {seat: sum(aside[good] for good in self.hands[seat]) for seat in self.seats}
        keys = {
            s: (self.loans[s] > 0, -self.points[s], -self.sheds[s], -len(self.hands[s]), -worth[s]) for s in self.seats
        }
        places = sorted(keys.values())
        ranks = {seat: places.index(keys[seat]) + 1 for seat in self.seats}
        n_first = list(ranks.values()).count(1)
        shares = {seat: 1 / n_first if rank == 1 else 0 for seat, rank in ranks.items()}
        for seat in self.seats:
            wealth = {"money": self.cash[seat], "storehouses": self.sheds[seat], "loans": self.loans[seat]}
            place = {"tie_worth": worth[seat], "rank": ranks[seat], "win_share": shares[seat]}
            self.note("final", seat, points=self.points[seat], cards=len(self.hands[seat]), **wealth, **place)
        return {"win_share": list(shares.values()), "score": list(self.points.values())}

    def play(self) -> Document:
        self.prepare()
        for number in range(1, self.rules["rounds"] + 1):
            self.harbor(number)
            piles = self.office()
            self.market(piles["forum"])
            self.donate(piles["senate"])
            self.store()
            self.stand()
        outcome = self.score()
        return document(len(self.seats), self.rules, self.events, outcome)


VARIANTS: dict[str, dict[str, Any]] = {
    "basic": {},
    "first game": {"first_game": 1},
    "advanced discard": {"advanced_discard": 1},
    "advanced price": {"advanced_price": 1},
    "advanced start": {"advanced_start": 1},
    "advanced": {"advanced_discard": 1, "advanced_price": 1, "advanced_start": 1},
    "drawn Senate cards": {"redraw_senate": 1},
    "two rounds": {"rounds": 2},
    "poor": {"start_money": [3, 0, 9, 1, 5], "start_storehouses": [0, 1, 2, 0, 1]},
    "poor and dear": {"start_money": [0] * 5, "minimum_price": [29] * 6, "forum_price": [1] * 9},
    "scarce": {"copies": [2, 1, 3, 2, 2, 4]},
    "scarce and advanced": {"copies": [2, 1, 3, 2, 2, 4], "advanced_discard": 1},
    "nothing to win": {
        "senate_award": [0, 0, 0],
        "money_award": [0, 0, 0],
        "start_storehouses": [0] * 5,
        "max_storehouses": 0,
    },
    "equal Senate values": {"senate_cards": [[1, 2, 2, 2, 0, 1]] * 6, "max_types": 2},
    "other numbers": {
        "storehouse_cost": 8,
        "storehouse_resale": 5,
        "mortgage_value": 6,
        "loan_value": 5,
        "loan_repayment": 9,
        "loan_interest": 3,
        "max_loans": 2,
        "commission_percent": 35,
        "forced_percent": 70,
        "own_lot_raise": 2,
        "talon": [6, 3, 1],
        "forum_price": [18, 13, 10, 7, 6, 5, 3, 3, 2],
        "deal_cards": 4,
        "auction_cards": 3,
        "start_cards": [2, 1, 0, 1, 3],
        "senate_award": [4, 2, 1],
        "money_award": [2, 2, 2],
    },
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_random_legal_games_are_accepted(variant, n_seats):
    for seed in range(5):
        check(Scribe(n_seats, seed, VARIANTS[variant]).play())


def situations(game: Document) -> Iterator[str]:
    """Name what is rare in a game."""
    events = game["events"]
    kinds = Counter(event["kind"] for event in events)
    yield from (kind for kind in kinds)
    for event, following in pairwise(events):
        kind, data = event["kind"], event["data"]
        if kind in ("forced", "interest") and data["waived"]:
            yield f"waived {kind}"
        if kind == "overextended" and (following["kind"], following["seat"]) == (kind, event["seat"]):
            yield "overextended twice"
        if kind == "reshuffle":
            yield f"reshuffle before {following['kind']}"
        if kind == "dealt" and sum(data["cards"].values()) < game["rules"]["deal_cards"]:
            yield "short deal"
        if kind == "final" and data["rank"] == 1 and data["loans"]:
            yield "all in debt"
        if kind == "final" and 0 < data["win_share"] < 1:
            yield "shared win"


def test_the_random_games_reach_the_rare_rules():
    reached = set()
    for changes in VARIANTS.values():
        for seed in range(5):
            reached |= set(situations(Scribe(3 + seed % 3, seed, changes).play()))
    wanted = {"discarded", "no_offer", "own_lot", "mortgaged", "borrowed", "resold", "start_chosen", "repaid"}
    wanted |= {"waived forced", "waived interest", "overextended twice", "short deal", "all in debt"}
    wanted |= {"shared win", "reshuffle before dealt", "reshuffle before talon"}
    assert wanted <= reached


# --- Tampering, one rule at a time --------------------------------------------------------------------------


def find(game: Document, kind: str, nth: int = 0) -> int:
    return [i for i, event in enumerate(game["events"]) if event["kind"] == kind][nth]


def data_of(game: Document, kind: str, nth: int = 0) -> dict[str, Any]:
    return game["events"][find(game, kind, nth)]["data"]


def change(kind: str, nth: int = 0, **changes: Any) -> Tampering:
    """Return a tampering that overwrites data of the nth event of a kind."""
    return lambda game: data_of(game, kind, nth).update(changes)


def drop(kind: str, nth: int = 0) -> Tampering:
    return lambda game: game["events"].pop(find(game, kind, nth))


def swap(kind: str, nth: int = 0) -> Tampering:
    """Return a tampering that swaps the nth event of a kind with the one after it."""

    def tamper(game: Document) -> None:
        i = find(game, kind, nth)
        game["events"][i : i + 2] = game["events"][i : i + 2][::-1]

    return tamper


def insert(before: str, nth: int, kind: str, seat: int | None, **data: Any) -> Tampering:
    def tamper(game: Document) -> None:
        i = find(game, before, nth)
        game["events"].insert(i, game["events"][i] | {"kind": kind, "seat": seat, "data": data})

    return tamper


def reseat(kind: str, nth: int, seat: int) -> Tampering:
    return lambda game: game["events"][find(game, kind, nth)].update(seat=seat)


def rule(**changes: Any) -> Tampering:
    return lambda game: game["rules"].update(changes)


def whole(**changes: Any) -> Tampering:
    return lambda game: game.update(changes)


TAMPERINGS: dict[str, tuple[Tampering, str]] = {
    # set-up
    "wrong slot": (change("senate_card", 1, slot="next"), "slot active"),
    "Senate card twice": (change("senate_card", 1, card=3, values=valued(THIRD)), "OST-15"),
    "Senate card beyond the box": (change("senate_card", 1, card=7), "OST-15"),
    "wrong Senate value": (change("senate_card", 1, values=valued([4, 0, 2, 3, 1, 5])), "Senate card 2 is"),
    "Senate value missing": (change("senate_card", 1, values={"grain": 5}), "all six"),
    "a coin too much": (change("seat_ready", 0, money=56), "'money': 55"),
    "a storehouse too much": (change("seat_ready", 2, storehouses=2), "'storehouses': 1"),
    "two start cards": (change("start_card", 0, cards={"wine": 2}), "1 cards are drawn"),
    "unknown resource": (change("start_card", 0, cards={"silk": 1}), "cards are counts"),
    "zero entry": (change("start_card", 0, cards={"wine": 1, "wood": 0}), "at least one"),
    # harbor
    "wrong starting player": (reseat("round_start", 0, 2), "round_start of seat 1"),
    "wrong next Senate card": (change("round_start", 0, next=4), "'next': 1"),
    "no next Senate card": (change("round_start", 0, next=None, senate_next=None), "'next': 1"),
    "six cards dealt": (
        change("dealt", 1, cards={"grain": 2, "ivory": 1, "textiles": 3}),
        "5 cards are drawn",
    ),
    "more cards than the box holds": (change("dealt", 2, cards={"ivory": 5}), "the deck holds only"),
    "dealt out of turn": (swap("dealt", 0), "dealt of seat 1"),
    "two kept": (change("kept", 0, cards={"grain": 1, "wine": 1}), "1 of the cards dealt"),
    "kept but not dealt": (change("kept", 0, cards={"textiles": 1}), "the deal holds only"),
    "discard in the basic game": (insert("offered", 0, "discarded", 1, cards={}), "rules demand offered"),
    "lot of one": (change("offered", 0, cards={"ivory": 1}, minimum=9), "lot of \\[2\\]"),
    "lot not on the auction side": (change("offered", 0, cards={"grain": 2}, minimum=8), "holds only"),
    "kept card offered": (change("offered", 0, cards={"grain": 1, "wine": 1}, minimum=11), "holds only"),
    "wrong minimum": (change("offered", 0, minimum=15), "minimum 16"),
    "wrong cycle": (change("offered", 3, cycle=1), "cycle 2"),
    "bid under the minimum": (change("bid", 5, amount=7), "OST-1"),
    "bid beyond the means": (change("bid", 11, amount=19), "means, 18"),
    "bid that is no whole number": (change("bid", 2, amount=18.5), "OST-1"),
    "negative bid": (change("bid", 0, amount=-1), "OST-1"),
    "bid out of turn": (swap("bid", 0), "bid of seat 2"),
    "bid missing": (drop("bid", 1), "bid of seat 3"),
    "seller bids": (insert("forced", 0, "bid", 1, amount=0), "forced of seat 1"),
    "forced price rounded down": (change("forced", 1, price=6, paid=6), "'price': 7"),
    "forced at the full minimum": (change("forced", 0, price=16, paid=16), "'price': 8"),
    "waived though it can be raised": (change("forced", 1, paid=4, waived=3), "'waived': 0"),
    "forced though somebody bid": (change("bid", 1, amount=16), "bought in here"),
    "own lot at the highest bid": (change("own_lot", 0, price=19), "'price': 20"),
    "own lot though nobody bid": (change("bid", 4, amount=0), "forced of seat 3"),
    "commission rounded down": (change("sold", 0, to_bank=10, to_seller=11), "'to_bank': 11"),
    "no commission": (change("sold", 1, to_bank=0, to_seller=12), "'to_bank': 6"),
    "sold above the bid": (change("sold", 0, price=22, to_bank=11, to_seller=11), "'price': 21"),
    "sold to one who passed": (change("sold", 0, buyer=2), "one of those who bid"),
    "sold to the seller": (change("sold", 0, buyer=3), "one of those who bid"),
    "sold to nobody": (change("sold", 0, buyer=None), "one of those who bid"),
    "sold to another bidder's price": (change("sold", 2, buyer=1), "sold of seat 3"),
    "loan before the mortgage": (swap("mortgaged", 0), "mortgaged of seat 2"),
    "loan instead of the mortgage": (drop("mortgaged", 0), "mortgaged of seat 2"),
    "too many loans": (change("borrowed", 0, loans=2, raised=14), "'loans': 1"),
    "mortgage at the cost of building": (change("mortgaged", 0, raised=10), "'raised': 7"),
    "mortgage without need": (insert("sold", 0, "mortgaged", 1, storehouses=1, raised=7), "sold of seat 3"),
    "loan missing": (drop("borrowed", 2), "borrowed of seat 2"),
    "second auction missing": (drop("offered", 5), "offered of seat 3"),
    # office
    "talon missing": (drop("talon"), "talon of seat None"),
    "talon of two": (change("talon", 0, cards={"wine": 2}), "4 cards are drawn"),
    "another talon turned": (change("talon", 0, cards={"ivory": 4}), "'resource': 'ivory', 'cards': 4"),
    "card forgotten": (change("assigned", 0, stored={}), "no more and no less"),
    "card added": (change("assigned", 2, senate={"grain": 2}), "no more and no less"),
    "overextension unpunished": (drop("overextended"), "overextended of seat 2"),
    "overextension, another type removed": (
        change("overextended", 0, resource="ivory", forum=0, senate=1),
        "'resource': 'grain'",
    ),
    "overextension, one pile spared": (change("overextended", 0, senate=0), "'senate': 1"),
    "punished without fault": (
        insert("forum_price", 0, "overextended", 3, resource="grain", forum=0, senate=1),
        "forum_price of seat None",
    ),
    # forum
    "talon not counted": (change("forum_price", 0, cards=1, price=15), "'cards': 2"),
    "wrong price": (change("forum_price", 1, price=12), "'price': 10"),
    "wrong income": (change("forum_sale", 3, income=10), "'income': 20"),
    "sale missing": (drop("forum_sale", 2), "forum_sale of seat 3"),
    "sale of nothing": (
        insert("forum_price", 1, "forum_sale", 3, resource="wood", cards=0, income=0),
        "forum_price of seat None",
    ),
    # senate
    "wrong worth": (change("donation", 1, worth=9), "'worth': 4"),
    "wrong award": (change("donation", 1, points=2), "'points': 1"),
    "donations out of turn": (swap("donation", 1), "donation of seat 2"),
    # storehouses
    "loan not repaid": (drop("repaid"), "repaid of seat 2"),
    "too few loans repaid": (change("repaid", 0, loans=2, paid=20), "'loans': 3"),
    "interest forgotten": (drop("interest"), "interest of seat 2"),
    "interest waived though cash is left": (change("interest", 0, paid=0, waived=2), "'paid': 2"),
    "built too cheap": (change("built", 0, paid=14), "cost 20"),
    "built nothing": (change("built", 0, storehouses=0, paid=0), "may be built"),
    "built over the limit": (change("built", 0, storehouses=4, paid=40), "may be built"),
    "built without cash": (insert("stored", 1, "built", 2, storehouses=1, paid=10), "the player has 4"),
    "built out of turn": (insert("stored", 0, "built", 3, storehouses=1, paid=10), "stored of seat 1"),
    "more kept than storehouses": (
        change("stored", 1, kept={"wine": 1}, spoiled={"textiles": 1, "olive_oil": 1}),
        "0 cards are kept",
    ),
    "spoiled though there is room": (change("stored", 0, kept={}, spoiled={"wine": 1}), "1 cards are kept"),
    "another card kept": (change("stored", 0, kept={"grain": 1}), "the stored cards are"),
    "wrong standing": (change("standing", 1, loans=2), "'loans': 1"),
    "standing missing": (drop("standing", 2), "standing of seat 3"),
    "start chosen in the basic game": (insert("scored", 0, "start_chosen", 2, start=3), "scored of seat 1"),
    # final
    "scored a card not held": (change("scored", 0, kept={"ivory": 1}), "to score or drop"),
    "points for a card dropped": (change("scored", 2, points=2), "1 different types"),
    "full storehouse sold": (change("resold", 0, storehouses=3, raised=21), "may be sold"),
    "resale at the cost of building": (change("resold", 0, raised=10), "bring 7"),
    "resale out of turn": (insert("scored", 1, "resold", 1, storehouses=1, raised=7), "scored of seat 2"),
    "debtor awarded for money": (change("money_award", 1, points=1), "'points': 0"),
    "wrong money award": (change("money_award", 0, points=3), "'points': 2"),
    "wrong tie-break": (change("final", 0, rank=1), "'rank': 2"),
    "tie not broken": (change("final", 2, win_share=0.5), "'win_share': 1.0"),
    "wrong tie worth": (change("final", 2, tie_worth=0), "'tie_worth': 5"),
    "debtor above the rest": (change("final", 1, rank=1), "'rank': 3"),
    "no last line": (drop("final", 2), "the transcript ends"),
    "play goes on": (lambda game: game["events"].append(game["events"][-1]), "the game is over"),
    # the frame
    "additional value": (change("talon", 0, value=3), "talon has exactly"),
    "value missing": (lambda game: data_of(game, "sold").pop("to_bank"), "sold has exactly"),
    "wrong round": (lambda game: game["events"][20].update(round=2), "in round 1"),
    "wrong phase": (lambda game: game["events"][40].update(phase="office"), "phase harbor"),
    "no event": (lambda game: game["events"].insert(7, "dealt"), "an event has"),
    "wrong win share": (whole(outcome={"win_share": [0.5, 0, 0.5], "score": [6, 1, 6]}), "demand win_share"),
    "win share of a fourth seat": (
        whole(outcome={"win_share": [0, 0, 1, 0], "score": [6, 1, 6]}),
        "demand win_share",
    ),
    "no outcome": (whole(outcome=None), "not a transcript"),
    "wrong score": (whole(outcome={"win_share": [0, 0, 1], "score": [6, 1, 7]}), "demand score"),
    "another game": (whole(game="portus"), "not a transcript"),
    "two seats": (whole(seats=2), "OST-23"),
    "no events": (lambda game: game.pop("events"), "missing"),
    "rule missing": (lambda game: game["rules"].pop("talon"), "missing"),
    "more rounds than Senate cards": (rule(rounds=6), "rounds is 6"),
    "more auction cards than two auctions take": (rule(auction_cards=5), "auction_cards is 5"),
    # other rules than those played by
    "dearer storehouses": (rule(storehouse_cost=8), "cost 16"),
    "another talon": (rule(talon=[3, 2, 0]), "3 cards are drawn"),
    "other Forum prices": (rule(forum_price=[14, 12, 10, 8, 6, 4, 3, 2, 1]), "'price': 14"),
    "no ivory": (rule(first_game=1), "the deck holds only"),
    "advanced price": (rule(advanced_price=1, advanced_start_money=[55, 10, 55, 55, 55]), "'price': 16"),
    "advanced start money": (rule(advanced_price=1), "'money': 70"),
    "advanced discard": (rule(advanced_discard=1), "discarded of seat 1"),
    "another round to play": (rule(rounds=2), "round_start of seat 2 in round 2"),
    "dearer own lot": (rule(own_lot_raise=30), "cannot pay 49 \\(OST-5\\)"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_a_foul(name):
    tamper, message = TAMPERINGS[name]
    game = hand_made()
    tamper(game)
    with pytest.raises(Foul, match=message):
        check(game)


def test_the_message_names_index_event_and_demand():
    game = hand_made()
    change("sold", 0, to_bank=10, to_seller=11)(game)
    i = find(game, "sold")
    with pytest.raises(Foul) as caught:
        check(game)
    demand = "{'buyer': 1, 'price': 21, 'to_bank': 11, 'to_seller': 10}"
    assert str(caught.value) == f"event {i} {game['events'][i]}: the rules demand {demand}"


def test_a_discard_that_leaves_no_lot_for_the_second_auction_is_a_foul():
    game = hand_made()
    game["rules"].update(advanced_discard=1, auction_cards=3)
    for seat, cards in ((1, {"grain": 1, "wine": 1}), (2, {"textiles": 2}), (3, {"wood": 1, "wine": 1})):
        data_of(game, "kept", seat - 1)["cards"] = cards
    insert("offered", 0, "discarded", 1, cards={"olive_oil": 2})(game)
    with pytest.raises(Foul, match="at most 1 auction cards"):
        check(game)


@pytest.mark.parametrize(
    ("amount", "kept", "message"),
    [
        (3, {}, "at most 2 auction cards"),
        (1, {"grain": 1}, "the auction side holds only"),
    ],
)
def test_discards_come_from_the_auction_side_and_are_two_at_most(amount, kept, message):
    game = hand_made()
    game["rules"]["advanced_discard"] = 1
    cards = kept or {"olive_oil": 2, "wine": amount - 2}
    insert("offered", 0, "discarded", 1, cards=cards)(game)
    with pytest.raises(Foul, match=message):
        check(game)


def discarding(discards: dict[str, int], *lots: dict[str, int]) -> None:
    """Let seat 1 discard before the auctions, then try its lots with everyone passing."""
    game = hand_made()
    game["rules"]["advanced_discard"] = 1
    referee = Referee(game)
    referee.round, referee.phase = 1, "harbor"
    referee.players[1].money = 55
    for good, n in (("olive_oil", 2), ("ivory", 1), ("wine", 1)):
        referee.deck[GOODS.index(good)] -= n
        referee.players[1].dock[GOODS.index(good)] += n
    events: list[tuple[str, int, dict[str, Any]]] = [("discarded", 1, {"cards": discards})]
    for cycle, cards in enumerate(lots, 1):
        minimum = sum(PRICES[good] * n for good, n in cards.items())
        price = (minimum + 1) // 2
        events += [("offered", 1, {"cycle": cycle, "cards": cards, "minimum": minimum})]
        events += [("bid", seat, {"amount": 0}) for seat in (2, 3)]
        events += [("forced", 1, {"price": price, "paid": price, "waived": 0})]
    referee.events = [
        {"round": 1, "phase": "harbor", "kind": kind, "seat": seat, "data": data} for kind, seat, data in events
    ]
    referee._discard_unseen(1)
    for cycle, _ in enumerate(lots, 1):
        referee.auction(1, cycle)


def test_advanced_lots_are_split_as_the_cards_left_allow():
    discarding({}, {"olive_oil": 2}, {"ivory": 1, "wine": 1})
    discarding({"wine": 1}, {"olive_oil": 2}, {"ivory": 1})
    discarding({"wine": 1}, {"olive_oil": 1}, {"ivory": 1, "olive_oil": 1})
    discarding({"olive_oil": 2}, {"wine": 1}, {"ivory": 1})
    with pytest.raises(Foul, match=r"lot of \[2\] cards is offered from 4"):
        discarding({}, {"olive_oil": 1})
    with pytest.raises(Foul, match=r"lot of \[1\] cards is offered from 2"):
        discarding({"olive_oil": 2}, {"wine": 1, "ivory": 1})
    with pytest.raises(Foul, match=r"lot of \[2\] cards is offered from 2"):
        discarding({"wine": 1}, {"olive_oil": 1}, {"ivory": 1})


def reshuffled() -> Document:
    """Return a game of five, where 51 - 30 - 20 cards are left for the last seat dealt to in round 2."""
    game = Scribe(5, 1, {}).play()
    i = find(game, "reshuffle")
    assert [event["kind"] for event in game["events"][i - 1 : i + 3]] == [
        "dealt",
        "reshuffle",
        "dealt",
        "kept",
    ]
    return game


def swap_before(game: Document) -> None:
    i = find(game, "reshuffle")
    game["events"][i - 1 : i + 1] = game["events"][i - 1 : i + 1][::-1]


def less_one(cards: dict[str, int]) -> None:
    good = next(iter(cards))
    cards[good] -= 1
    if not cards[good]:
        del cards[good]


RESHUFFLES: dict[str, tuple[Tampering, str]] = {
    "missing": (drop("reshuffle"), "reshuffle of seat None"),
    "one deal too early": (swap_before, "rules demand dealt"),
    "one deal too late": (swap("reshuffle"), "reshuffle of seat None"),
    "a card too few": (
        lambda game: less_one(data_of(game, "reshuffle")["cards"]),
        "the rules demand {'cards'",
    ),
    "without need": (insert("dealt", 0, "reshuffle", None, cards={}), "rules demand dealt"),
}


@pytest.mark.parametrize("name", RESHUFFLES)
def test_a_wrong_reshuffle_is_a_foul(name):
    tamper, message = RESHUFFLES[name]
    game = reshuffled()
    check(game)
    tamper(game)
    with pytest.raises(Foul, match=message):
        check(game)


@pytest.mark.parametrize(
    ("dealt", "message"),
    [
        ({"wine": 2, "grain": 1}, None),
        ({"wine": 1, "grain": 2}, "drawn first"),
        ({"wine": 3}, "the deck holds only"),
        ({"wine": 2}, "3 cards are drawn"),
    ],
)
def test_the_last_of_the_old_deck_is_drawn_before_the_reshuffled_cards(dealt, message):
    told = [("reshuffle", None, {"cards": {"grain": 4}}), ("dealt", 1, {"cards": dealt})]
    referee = at_table(3, "harbor", told, copies=[0, 0, 2, 0, 0, 4])
    referee._move(pile(grain=4), referee.deck, referee.discards, "the deck")
    target = referee.players[1].dock
    if message is None:
        referee._draw(3, "dealt", 1, target)
        assert (target, referee.deck) == (pile(wine=2, grain=1), pile(grain=3))
        return
    with pytest.raises(Foul, match=message):
        referee._draw(3, "dealt", 1, target)


def test_a_wrong_chooser_of_the_starting_player_is_a_foul():
    game = Scribe(3, 1, {"advanced_start": 1}).play()
    event = game["events"][find(game, "start_chosen")]
    for seat in {1, 2, 3} - {event["seat"]}:
        with pytest.raises(Foul, match="start_chosen of seat"):
            check(game | {"events": [e | {"seat": seat} if e is event else e for e in game["events"]]})
    event["data"]["start"] = 4
    with pytest.raises(Foul, match=r"a seat 1\.\.3 is chosen"):
        check(game)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([5, 4, 3, 2, 1, 1], "a permutation of 0..5"),
        ([2, 3, 1, 5, 4, 0], "keeps the values that are known"),
        ([4, 3, 2, 0, 1, 5], "keeps the values that are known"),
        ([4, 0, 2, 1, 3, 5], "takes each value once"),
    ],
)
def test_a_redrawn_senate_card_stays_a_completion(values, message):
    game = hand_made()
    game["rules"]["redraw_senate"] = 1
    check(game)
    data_of(game, "senate_card", 0)["values"] = valued([2, 3, 1, 5, 4, 0][::-1])
    data_of(game, "senate_card", 1)["values"] = valued(values)
    with pytest.raises(Foul, match=message):
        check(game)


def test_the_examples_two_open_values_may_be_drawn_the_other_way_round():
    game = hand_made()
    game["rules"]["redraw_senate"] = 1
    swapped = valued([4, 0, 2, 3, 1, 5])
    data_of(game, "senate_card", 1)["values"] = swapped
    data_of(game, "round_start")["senate"] = swapped
    check(game)


# --- Tampering, everywhere ----------------------------------------------------------------------------------


def everywhere(game: Document) -> Iterator[tuple[str, int, list[Event]]]:
    """Yield (what, index, events) of each event dropped, doubled, swapped, renamed or given away."""
    events = game["events"]
    for i, event in enumerate(events):
        before, after = events[:i], events[i + 1 :]
        yield "dropped", i, before + after
        yield "doubled", i, [*before, event, event, *after]
        if after and after[0] != event:
            yield "swapped", i, [*before, after[0], event, *after[1:]]
        others = {"seat": 9, "round": 9, "phase": "agora", "kind": "gift", "data": {}}
        for key, value in others.items():
            yield key, i, [*before, event | {key: value}, *after]
        for name in event["data"]:
            for value in (None, "x", [], 2.5):
                yield name, i, [*before, event | {"data": event["data"] | {name: value}}, *after]


def one_more_or_less(game: Document) -> Iterator[tuple[int, int, list[Event]]]:
    """Yield (index, step, events) of each number in any event's data changed by one."""
    events = game["events"]
    for i, event in enumerate(events):
        for name, value in event["data"].items():
            for step in (-1, 1):
                changed: list[Any] = [value + step] if isinstance(value, int) else []
                if isinstance(value, dict):
                    changed = [+Counter(value | {good: value[good] + step}) for good in value]
                for other in changed:
                    data = event["data"] | {name: other}
                    yield i, step, [*events[:i], event | {"data": data}, *events[i + 1 :]]


ONE_ROUND = [
    hand_made(),
    Scribe(5, 4, {"rounds": 1, "advanced_discard": 1, "advanced_price": 1}).play(),
    Scribe(3, 5, VARIANTS["poor"] | {"rounds": 1}).play(),
]


def is_foul(game: Document) -> bool:
    """Whether the referee refuses a document."""
    try:
        check(game)
    except Foul:
        return True
    return False


@pytest.mark.parametrize("game", ONE_ROUND)
def test_no_event_can_be_dropped_doubled_swapped_or_spoilt(game):
    for what, i, events in everywhere(game):
        assert is_foul(game | {"events": events}), f"accepted with {what} at event {i}: {game['events'][i]}"


@pytest.mark.parametrize("game", ONE_ROUND)
def test_no_number_is_free_but_a_bid_that_fails(game):
    accepted = set()
    for i, _, events in one_more_or_less(game):
        try:
            check(game | {"events": events})
        except Foul:
            continue
        accepted.add(game["events"][i]["kind"])
    assert accepted <= {"bid"}


@pytest.mark.parametrize("game", ONE_ROUND)
def test_no_card_can_change_its_resource(game):
    events = game["events"]
    for i, event in enumerate(events):
        for name, cards in event["data"].items():
            if not isinstance(cards, dict) or not cards or name in ("values", "senate_next"):
                continue
            good = next(iter(cards))
            other = GOODS[GOODS.index(good) - 1]
            moved = Counter(cards) - Counter([good]) + Counter([other])
            changed = event | {"data": event["data"] | {name: dict(moved)}}
            spoilt = game | {"events": [*events[:i], changed, *events[i + 1 :]]}
            assert is_foul(spoilt), f"accepted with {good} as {other} in {name} at event {i}: {event}"


def test_the_referee_counts_cards_and_coins_itself():
    referee = Referee(hand_made())
    referee.deck[0] += 1
    with pytest.raises(Foul, match="lie somewhere"):
        referee.set_up()
    referee = Referee(hand_made())
    referee.set_up()
    referee.players[1].money += 1
    with pytest.raises(Foul, match="flows recorded"):
        referee.end_of_round()


def test_recorded_money_adds_up_the_hand_made_game():
    assert ostia.recorded_money(hand_made()["events"], 3) == {1: 57, 2: 4, 3: 62}


# --- The rulebook's worked examples -------------------------------------------------------------------------


def pile(**cards: int) -> list[int]:
    return [cards.get(good, 0) for good in GOODS]


def at_table(n_seats: int, phase: str, told: list[tuple[Any, ...]], **rules: Any) -> Referee:
    """Return a referee in round 1 with empty hands, `EXAMPLE` active, about to read events as told."""
    events = [{"round": 1, "phase": phase, "kind": k, "seat": seat, "data": data} for k, seat, data in told]
    referee = Referee(document(n_seats, RULES | rules, events, {}))
    referee.round, referee.phase = 1, phase
    referee.senate_values = {3: THIRD, 2: EXAMPLE, 1: PHOTO}
    referee.aside, referee.active, referee.following = 3, 2, 1
    return referee


def hand_out(referee: Referee, where: str, *hands: dict[str, int]) -> None:
    """Move cards from the deck to one pile of each seat."""
    for player, cards in zip(referee.players.values(), hands, strict=False):
        for good, n in cards.items():
            referee.deck[GOODS.index(good)] -= n
            getattr(player, where)[GOODS.index(good)] += n


def finish(referee: Referee) -> None:
    assert referee.index == len(referee.events) - 1


A_HAND = {"ivory": 1, "wine": 2, "grain": 3, "olive_oil": 2}
OFFICE_EXAMPLE = [
    ("talon", None, {"cards": {"wine": 2}}),
    (
        "assigned",
        1,
        {
            "forum": {"grain": 1, "wine": 1},
            "senate": {"grain": 2, "ivory": 1},
            "stored": {"wine": 1, "olive_oil": 2},
        },
    ),
    (
        "assigned",
        2,
        {"forum": {"ivory": 2, "olive_oil": 1, "grain": 1}, "senate": {"wood": 1, "grain": 1}, "stored": {}},
    ),
    ("assigned", 3, {"forum": {"olive_oil": 1, "textiles": 2}, "senate": {"ivory": 3}, "stored": {}}),
    ("assigned", 4, {"forum": {"textiles": 1, "wine": 3}, "senate": {"wine": 1, "grain": 2}, "stored": {}}),
    ("overextended", 2, {"resource": "grain", "forum": 1, "senate": 1}),
]
FORUM_EXAMPLE = [
    ("forum_price", None, {"resource": "ivory", "cards": 2, "price": 12}),
    ("forum_sale", 2, {"resource": "ivory", "cards": 2, "income": 24}),
    ("forum_price", None, {"resource": "wine", "cards": 6, "price": 4}),
    ("forum_sale", 1, {"resource": "wine", "cards": 1, "income": 4}),
    ("forum_sale", 4, {"resource": "wine", "cards": 3, "income": 12}),
    ("forum_price", None, {"resource": "olive_oil", "cards": 2, "price": 12}),
    ("forum_sale", 2, {"resource": "olive_oil", "cards": 1, "income": 12}),
    ("forum_sale", 3, {"resource": "olive_oil", "cards": 1, "income": 12}),
    ("forum_price", None, {"resource": "textiles", "cards": 3, "price": 10}),
    ("forum_sale", 3, {"resource": "textiles", "cards": 2, "income": 20}),
    ("forum_sale", 4, {"resource": "textiles", "cards": 1, "income": 10}),
    ("forum_price", None, {"resource": "grain", "cards": 1, "price": 15}),
    ("forum_sale", 1, {"resource": "grain", "cards": 1, "income": 15}),
]
SENATE_EXAMPLE = [
    ("donation", 1, {"worth": 14, "points": 3}),
    ("donation", 2, {"worth": 0, "points": 0}),
    ("donation", 3, {"worth": 12, "points": 1}),
    ("donation", 4, {"worth": 12, "points": 1}),
]


def test_example_round_auctions():
    """Lots go at 8 (nobody bids on 16), 20 (own lot over 18, 19, 16), 21 (of 18, 21, 22; 11 to the bank)."""
    told = [
        ("offered", 1, {"cycle": 1, "cards": {"ivory": 1, "wine": 1}, "minimum": 16}),
        *[("bid", seat, {"amount": 0}) for seat in (2, 3, 4)],
        ("forced", 1, {"price": 8, "paid": 8, "waived": 0}),
        ("offered", 2, {"cycle": 1, "cards": {"ivory": 1, "grain": 1}, "minimum": 13}),
        *[("bid", seat, {"amount": amount}) for seat, amount in ((3, 18), (4, 19), (1, 16))],
        ("own_lot", 2, {"price": 20}),
        ("offered", 3, {"cycle": 1, "cards": {"grain": 2}, "minimum": 8}),
        *[("bid", seat, {"amount": amount}) for seat, amount in ((4, 18), (1, 21), (2, 22))],
        ("sold", 3, {"buyer": 1, "price": 21, "to_bank": 11, "to_seller": 10}),
    ]
    referee = at_table(4, "harbor", told)
    docks = [{"ivory": 1, "wine": 1, "olive_oil": 2}, {"ivory": 1, "grain": 1}, {"grain": 2}]
    hand_out(referee, "dock", *docks)
    hand_out(referee, "hand", {"wine": 1, "grain": 1})
    for player in referee.players.values():
        player.money = 55
    for seller in (1, 2, 3):
        referee.auction(seller, 1)
    finish(referee)
    assert referee.players[1].hand == pile(ivory=1, wine=2, grain=3)
    assert [player.money for player in referee.players.values()] == [26, 35, 65, 55]


def test_example_round_office_forum_and_senate():
    """Incomes are 15+4, 24+12, 12+20 and 12+10; donations of 14, 0, 12, 12 win 3, 0, 1, 1 points."""
    referee = at_table(4, "office", OFFICE_EXAMPLE)
    b, c = {"ivory": 2, "olive_oil": 1, "grain": 2, "wood": 1}, {"olive_oil": 1, "textiles": 2, "ivory": 3}
    hand_out(referee, "hand", A_HAND, b, c, {"textiles": 1, "wine": 4, "grain": 2})
    referee.office()
    for phase, told in (("forum", FORUM_EXAMPLE), ("senate", SENATE_EXAMPLE)):
        referee.events += [{"round": 1, "phase": phase, "kind": k, "seat": s, "data": d} for k, s, d in told]
    referee.forum()
    referee.senate()
    finish(referee)
    assert [player.money for player in referee.players.values()] == [19, 36, 32, 22]
    assert [player.points for player in referee.players.values()] == [3, 0, 1, 1]
    assert referee.players[1].hand == pile(wine=1, olive_oil=2)


def test_example_round_storehouses():
    """Two storehouses are built for 20, and all three cards kept."""
    told = [
        ("built", 1, {"storehouses": 2, "paid": 20}),
        ("stored", 1, {"kept": {"wine": 1, "olive_oil": 2}, "spoiled": {}}),
        *[("stored", seat, {"kept": {}, "spoiled": {}}) for seat in (2, 3)],
    ]
    referee = at_table(3, "storehouses", told)
    hand_out(referee, "hand", {"wine": 1, "olive_oil": 2})
    referee.players[1].money, referee.players[1].storehouses = 25, 1
    referee.storehouses()
    finish(referee)
    assert (referee.players[1].money, referee.players[1].storehouses) == (5, 3)


END_EXAMPLE = [
    ("scored", 1, {"kept": {"ivory": 1}, "dropped": {"ivory": 1}, "points": 1}),
    ("scored", 2, {"kept": {"wood": 2}, "dropped": {}, "points": 1}),
    ("scored", 3, {"kept": {"ivory": 1, "textiles": 1, "grain": 1, "wine": 1}, "dropped": {}, "points": 4}),
    ("scored", 4, {"kept": {"olive_oil": 1, "wine": 1}, "dropped": {}, "points": 2}),
    ("resold", 1, {"storehouses": 1, "raised": 7}),
    *[
        ("money_award", seat, {"money": money, "points": points})
        for seat, money, points in ((1, 25, 2), (2, 4, 0), (3, 24, 1), (4, 31, 3))
    ],
]


def end_example(told: list[tuple[Any, ...]]) -> Referee:
    """Return a referee at the end of the last round, all money counted in as start money."""
    table = list(zip([18, 4, 24, 31], [2, 4, 4, 2], [6, 10, 7, 7], strict=True))
    start = [("seat_ready", seat, {"money": money}) for seat, (money, _, _) in enumerate(table, 1)]
    referee = at_table(4, "final", [*start, *told])
    referee.index = len(start) - 1
    goods = {"ivory": 1, "textiles": 1, "grain": 1, "wine": 1}
    hand_out(referee, "hand", {"ivory": 2}, {"wood": 2}, goods, {"olive_oil": 1, "wine": 1})
    for (money, storehouses, points), player in zip(table, referee.players.values(), strict=True):
        player.money, player.storehouses, player.points = money, storehouses, points
    return referee


def test_example_end_of_game():
    """Points are 9, 11, 12, 12, ranks 4, 3, 1, 2: C wins by four storehouses to two."""
    finals = [
        (1, 9, 25, 1, 1, 2, 4, 0),
        (2, 11, 4, 4, 2, 6, 3, 0),
        (3, 12, 24, 4, 4, 7, 1, 1),
        (4, 12, 31, 2, 2, 6, 2, 0),
    ]
    names = ("points", "money", "storehouses", "cards", "tie_worth", "rank", "win_share")
    told = [("final", seat, dict(zip(names, line, strict=True)) | {"loans": 0}) for seat, *line in finals]
    referee = end_example([*END_EXAMPLE, *told])
    referee.final_scoring()
    referee.victory({"win_share": [0, 0, 1, 0], "score": [9, 11, 12, 12]})
    finish(referee)


def test_five_without_ivory_deal_the_last_card():
    """With all twenty storehouses full exactly 25 of 45 cards are left for 25 to deal."""
    told = [("reshuffle", None, {"cards": {"wood": 7, "wine": 8, "olive_oil": 9, "textiles": 1}})]
    told += [("dealt", seat, {"cards": {"wood": 1, "wine": 1, "olive_oil": 3}}) for seat in (1, 2, 3)]
    told += [("dealt", 4, {"cards": {"wood": 2, "wine": 3}})]
    told += [("dealt", 5, {"cards": {"wood": 2, "wine": 2, "textiles": 1}})]
    referee = at_table(5, "harbor", told, first_game=1)
    hand_out(
        referee,
        "hand",
        {"grain": 4},
        {"grain": 4},
        {"grain": 3, "textiles": 1},
        {"textiles": 4},
        {"textiles": 4},
    )
    referee._discard(referee.deck)
    for seat in range(1, 6):
        referee._draw(5, "dealt", seat, referee.players[seat].dock)
    finish(referee)
    assert referee.deck == referee.discards == pile()


def test_advanced_price_example():
    """Wine and ivory at 21 bring the bank 16 and the seller 5; without a bid they cost the seller 16."""
    told = [
        ("offered", 1, {"cycle": 1, "cards": {"ivory": 1, "wine": 1}, "minimum": 16}),
        ("bid", 2, {"amount": 21}),
        ("bid", 3, {"amount": 0}),
        ("sold", 1, {"buyer": 2, "price": 21, "to_bank": 16, "to_seller": 5}),
        ("offered", 1, {"cycle": 2, "cards": {"ivory": 1, "wine": 1}, "minimum": 16}),
        ("bid", 2, {"amount": 0}),
        ("bid", 3, {"amount": 0}),
        ("forced", 1, {"price": 16, "paid": 16, "waived": 0}),
    ]
    referee = at_table(3, "harbor", told, advanced_price=1)
    hand_out(referee, "dock", {"ivory": 2, "wine": 2})
    for player in referee.players.values():
        player.money = 70
    referee.auction(1, 1)
    referee.auction(1, 2)
    finish(referee)
    assert [player.money for player in referee.players.values()] == [59, 49, 70]


def test_forum_revenue_of_one_type():
    revenue = [n * ostia.forum_price(n, RULES["forum_price"]) for n in range(1, 10)]
    assert revenue == [15, 24, 30, 32, 30, 24, 21, 16, 9]
    assert [b - a for a, b in pairwise([0, *revenue])] == [15, 9, 6, 2, -2, -6, -3, -5, -7]
    assert [ostia.forum_price(n, RULES["forum_price"]) for n in (9, 10, 30)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("worths", "points"),
    [
        ([14, None, 12, 12], [3, 0, 1, 1]),
        ([12, 9, 9], [3, 1, 1]),
        ([7, 7, 7], [2, 2, 2]),
        ([5, 4, 3, 3], [3, 2, 0, 0]),
        ([4, 4, 4, 4], [1, 1, 1, 1]),
        ([4, 4, 4, 4, 4], [1, 1, 1, 1, 1]),
        ([8, 8, 3], [2, 2, 1]),
        ([None, 1, None], [0, 3, 0]),
        ([None, None, None], [0, 0, 0]),
        ([0, 0, 5], [1, 1, 3]),
    ],
)
def test_shared_awards(worths, points):
    assert ostia.shared_awards(worths, [3, 2, 1]) == points


def test_donation_and_lot_figures():
    assert ostia.donation_worth(pile(wine=3), PHOTO) == 9
    assert ostia.donation_worth(pile(wine=3, wood=1), PHOTO) == 13
    assert ostia.lot_minimum(pile(wood=1, wine=1), RULES["minimum_price"]) == 15
    assert [ostia.percent_rounded_up(n, 50) for n in (16, 13, 21, 22)] == [8, 7, 11, 11]


@pytest.mark.parametrize(
    ("forum", "senate", "values", "removed"),
    [
        (pile(ivory=2, olive_oil=1, grain=1), pile(wood=1, grain=1), EXAMPLE, [(5, 1, 1)]),
        (pile(ivory=2, wood=1), pile(wine=9), EXAMPLE, []),
        (
            pile(ivory=1, wood=1, wine=1, olive_oil=1, textiles=1, grain=1),
            pile(),
            PHOTO,
            [(0, 1, 0), (1, 1, 0), (2, 1, 0)],
        ),
        (pile(ivory=1, wood=1, wine=1, grain=1), pile(wood=1), [2, 2, 0, 0, 0, 2], [(1, 1, 1)]),
        (pile(wood=1, wine=1, grain=1), pile(ivory=1), [0, 2, 0, 0, 0, 2], [(1, 1, 0)]),
    ],
)
def test_overextension(forum, senate, values, removed):
    assert ostia.overextension(forum, senate, values, 3) == removed


def test_money_is_raised_storehouse_by_storehouse_then_by_loans():
    assert ostia.money_to_raise(20, 20, 2, 0, RULES) == (0, 0)
    assert ostia.money_to_raise(20, 10, 2, 0, RULES) == (2, 0)
    assert ostia.money_to_raise(14, 10, 2, 0, RULES) == (1, 0)
    assert ostia.money_to_raise(25, 10, 1, 0, RULES) == (1, 2)
    assert ostia.money_to_raise(99, 10, 1, 3, RULES) == (1, 1)
    assert ostia.means(10, 2, 1, RULES) == 45


def test_the_fewest_points_choose_the_start_ties_from_the_old_one():
    assert ostia.start_chooser([3, 1, 2], 1) == 2
    assert ostia.start_chooser([1, 1, 1], 2) == 2
    assert ostia.start_chooser([0, 4, 0, 4], 2) == 3
    assert ostia.start_chooser([0, 4, 4, 0], 4) == 4


@pytest.mark.parametrize(
    ("places", "ranks"),
    [
        ([(True, 9, 1, 1, 1), (True, 11, 4, 2, 0), (True, 12, 4, 4, 9), (True, 12, 2, 2, 9)], [4, 3, 1, 2]),
        ([(True, 9, 1, 1, 1), (True, 9, 1, 1, 1), (True, 9, 1, 0, 5)], [1, 1, 3]),
        ([(True, 9, 1, 1, 1), (True, 9, 1, 1, 2), (True, 9, 0, 3, 5)], [2, 1, 3]),
        ([(False, 20, 4, 4, 9), (True, 1, 0, 0, 0), (False, 21, 4, 4, 9)], [3, 1, 2]),
        ([(False, 5, 0, 0, 0), (False, 7, 0, 0, 0), (False, 7, 0, 0, 0)], [3, 1, 1]),
    ],
)
def test_final_ranks(places, ranks):
    assert ostia.final_ranks(places) == ranks
