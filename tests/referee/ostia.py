"""Referee for Ostia: replays a transcript from the rulebook and the rulings alone.

The referee shares no code with the engine. It keeps the table as a rulebook reader would (piles of cards,
purses, storehouses, loans), reads the events one by one and demands that each is what the rules require, or,
where the rules leave a choice, one that they allow. Comments `OST-n` cite the rulings. A pile is a list of
six counts in the order of `RESOURCES`. All numbers come from the document's own `rules`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

RESOURCES = ("ivory", "wood", "wine", "olive_oil", "textiles", "grain")
# fmt: off
RULES = {
    "start_money", "advanced_start_money", "start_storehouses", "start_cards", "deal_cards",
    "auction_cards", "minimum_price", "copies", "forum_price", "talon", "senate_cards", "senate_award",
    "money_award", "rounds", "max_types", "max_storehouses", "storehouse_cost", "storehouse_resale",
    "mortgage_value", "loan_value", "loan_repayment", "loan_interest", "max_loans", "commission_percent",
    "forced_percent", "own_lot_raise", "first_game", "advanced_discard", "advanced_price",
    "advanced_start", "redraw_senate",
}
# fmt: on
# The Senate values that are not reconstructed; a redraw may not change them (None: drawn).
KNOWN_SENATE_CARDS = ((5, 4, 3, 0, 2, 1), (4, 0, 2, None, None, 5))
EVENT_KEYS = {"round", "phase", "kind", "seat", "data"}
# What each event says it moved into (+) or out of (-) the purse of its seat; `sold` has two sides.
MONEY_FLOWS = {
    "seat_ready": ("money", 1),
    "mortgaged": ("raised", 1),
    "borrowed": ("raised", 1),
    "own_lot": ("price", -1),
    "forced": ("paid", -1),
    "forum_sale": ("income", 1),
    "repaid": ("paid", -1),
    "interest": ("paid", -1),
    "built": ("paid", -1),
    "resold": ("raised", 1),
}

Pile = list[int]
Event = dict[str, Any]


class Foul(Exception):  # noqa: N818 - the referee's own word
    """A transcript departs from the rules; the message names the event and what the rules demand."""


# --- Rules as pure functions --------------------------------------------------------------------------------


def percent_rounded_up(amount: int, percent: int) -> int:
    """Return `percent` of `amount` denarii, rounded up (OST-6)."""
    return -(-amount * percent // 100)


def lot_minimum(cards: Sequence[int], minimum_price: Sequence[int]) -> int:
    """Return the least bid allowed for the lot `cards`."""
    return sum(n * price for n, price in zip(cards, minimum_price, strict=True))


def means(money: int, storehouses: int, loans: int, rules: dict[str, Any]) -> int:
    """Return all that a player can pay with cash, mortgages and loans (OST-2)."""
    mortgages: int = storehouses * rules["mortgage_value"]
    new_loans: int = (rules["max_loans"] - loans) * rules["loan_value"]
    return money + mortgages + new_loans


def money_to_raise(price: int, money: int, storehouses: int, loans: int, rules: dict[str, Any]) -> tuple[int, int]:
    """Return the storehouses to mortgage and the loans to take before `price` is paid (OST-3)."""
    mortgages = new_loans = 0
    while money < price and mortgages < storehouses:
        mortgages += 1
        money += rules["mortgage_value"]
    while money < price and loans + new_loans < rules["max_loans"]:
        new_loans += 1
        money += rules["loan_value"]
    return mortgages, new_loans


def offer_sizes(n_cards: int, cycle: int, is_advanced: bool) -> set[int]:
    """Return the lot sizes allowed to a seller with `n_cards` left to auction (OST-18a, OST-20, OST-23)."""
    if not is_advanced:
        return {min(2, n_cards)}
    if cycle == 2 or n_cards == 1:
        return {n_cards}
    return {size for size in (1, 2) if 1 <= n_cards - size <= 2}


def overextension(
    forum: Sequence[int], senate: Sequence[int], values: Sequence[int], max_types: int
) -> list[tuple[int, int, int]]:
    """Return (resource, Forum cards, Senate cards) of each type removed, in order of removal (OST-9)."""
    both = [f + s for f, s in zip(forum, senate, strict=True)]
    by_removal = sorted((i for i in range(len(both)) if both[i]), key=lambda i: (values[i], both[i], -i), reverse=True)
    return [(i, forum[i], senate[i]) for i in by_removal[: max(0, len(by_removal) - max_types)]]


def forum_price(n_cards: int, table: Sequence[int]) -> int:
    """Return the price per card when `n_cards` >= 1 of a type are sold; the last entry is open-ended."""
    return table[min(n_cards, len(table)) - 1]


def donation_worth(cards: Sequence[int], values: Sequence[int]) -> int:
    """Return the worth of `cards` by a Senate card's `values`."""
    return sum(n * value for n, value in zip(cards, values, strict=True))


def shared_awards(amounts: Sequence[int | None], award: Sequence[int]) -> list[int]:
    """Return the points of each seat for the first places; None takes no part, ties share (OST-11)."""
    points = []
    for mine in amounts:
        if mine is None:
            points.append(0)
            continue
        n_above = sum(other is not None and other > mine for other in amounts)
        n_tied = amounts.count(mine)
        points.append(sum(award[n_above : n_above + n_tied]) // n_tied)
    return points


def start_chooser(points: Sequence[int], start: int) -> int:
    """Return the seat (from 1) that chooses the next starting player (OST-18c, OST-20)."""
    n = len(points)
    clockwise = [(start - 1 + step) % n + 1 for step in range(n)]
    return min(clockwise, key=lambda seat: points[seat - 1])


def final_ranks(places: Sequence[tuple[bool, int, int, int, int]]) -> list[int]:
    """Return ranks from 1 of (is debt-free, points, storehouses, cards, tie worth) (OST-14, OST-21)."""
    return [1 + sum(other > mine for other in places) for mine in places]


def recorded_money(events: Sequence[Event], n_seats: int) -> dict[int, int]:
    """Return seat -> money as the flows written in `events` add up, whatever the rules say of them."""
    money = dict.fromkeys(range(1, n_seats + 1), 0)
    for event in events:
        kind, seat, data = event["kind"], event["seat"], event["data"]
        if kind == "sold":
            money[data["buyer"]] -= data["price"]
            money[seat] += data["to_seller"]
        elif kind in MONEY_FLOWS:
            key, sign = MONEY_FLOWS[kind]
            money[seat] += sign * data[key]
    return money


# --- The table ----------------------------------------------------------------------------------------------


def no_cards() -> Pile:
    """Return an empty pile."""
    return [0] * len(RESOURCES)


def as_cards(pile: Sequence[int]) -> dict[str, int]:
    """Return `pile` as a transcript writes it: resource -> count without zeros."""
    return {resource: n for resource, n in zip(RESOURCES, pile, strict=True) if n}


def as_values(values: Sequence[int] | None) -> dict[str, int] | None:
    """Return a Senate card's values as a transcript writes them: all six resources, or None."""
    return None if values is None else dict(zip(RESOURCES, values, strict=True))


def is_whole(value: object, least: int = 0) -> bool:
    """Return whether `value` is an integer (no bool, no float) of at least `least`."""
    return type(value) is int and value >= least


@dataclass
class Player:
    """What one seat has before it."""

    money: int = 0
    storehouses: int = 0
    loans: int = 0
    points: int = 0
    hand: Pile = field(default_factory=no_cards)  # kept, bought and stored cards (OST-22)
    dock: Pile = field(default_factory=no_cards)  # cards dealt this round and still to be auctioned
    forum: Pile = field(default_factory=no_cards)
    senate: Pile = field(default_factory=no_cards)


class Referee:
    """One transcript under replay; the methods follow the rulebook's sections in their order.

    Parameters
    ----------
    document : dict
        The transcript; it is read, never changed.

    Raises
    ------
    Foul
        If seats or rules are outside what the rulebook and the rulings cover.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.rules, self.n_seats, self.events = self._open(document)
        self.index = -1  # the event last read
        self.round, self.phase = 0, "setup"
        self.start = 1
        self.players = {seat: Player() for seat in range(1, self.n_seats + 1)}
        self.deck = list(self.rules["copies"])
        if self.rules["first_game"]:
            self.deck[RESOURCES.index("ivory")] = 0  # OST-17
        self.all_cards = tuple(self.deck)
        self.discards, self.talon, self.lot = no_cards(), no_cards(), no_cards()
        self.drawn = no_cards()  # last cards of an old deck, on their way to the seat that made it run out
        self.piles = [self.deck, self.discards, self.talon, self.lot, self.drawn]
        for player in self.players.values():
            self.piles += [player.hand, player.dock, player.forum, player.senate]
        self.senate_values: dict[int, Pile] = {}  # the Senate cards seen so far, by number
        self.aside = 0
        self.active = 0
        self.following: int | None = None

    @staticmethod
    def _open(document: dict[str, Any]) -> tuple[dict[str, Any], int, list[Event]]:
        """Check the document's frame and that the rules cover its seats and rules."""
        missing = {"game", "seats", "strategies", "rules", "events", "outcome"} - set(document)
        if missing:
            raise Foul(f"document: {sorted(missing)} missing")
        rules, n_seats, events = document["rules"], document["seats"], document["events"]
        is_framed = all(isinstance(document[key], dict) for key in ("rules", "outcome"))
        if document["game"] != "ostia" or not is_framed or not isinstance(events, list):
            raise Foul("document: not a transcript of ostia")
        strategies = document["strategies"]
        if n_seats not in (3, 4, 5) or not isinstance(strategies, list) or len(strategies) != n_seats:
            raise Foul(f"document: seats is {n_seats}; 3 to 5 play, each with a strategy (OST-23)")
        if RULES - set(rules):
            raise Foul(f"document: rules {sorted(RULES - set(rules))} missing")
        if not 1 <= rules["rounds"] < len(rules["senate_cards"]):
            raise Foul(f"document: rounds is {rules['rounds']}; each needs a Senate card")
        if not 0 <= rules["auction_cards"] <= 4:
            raise Foul(f"document: auction_cards is {rules['auction_cards']}; two auctions take at most 4")
        return rules, n_seats, events

    # --- Reading events -------------------------------------------------------------------------------------

    def _foul(self, demand: str, index: int | None = None) -> NoReturn:
        """Blow the whistle on the event last read, or on the one at `index`."""
        index = self.index if index is None else index
        content = self.events[index] if 0 <= index < len(self.events) else "(the transcript ends)"
        raise Foul(f"event {index} {content}: {demand}")

    def _next(self, kind: str, seat: int | None, *keys: str) -> dict[str, Any]:
        """Return the data, having exactly `keys`, of the next event, which must be `kind` of `seat`."""
        self._conserve_cards()
        self.index += 1
        demand = f"the rules demand {kind} of seat {seat} in round {self.round}, phase {self.phase}"
        if self.index >= len(self.events):
            self._foul(demand)
        event = self.events[self.index]
        if not isinstance(event, dict) or event.keys() != EVENT_KEYS or not isinstance(event["data"], dict):
            self._foul(f"an event has {sorted(EVENT_KEYS)}, its data named values")
        found = (event["round"], event["phase"], event["kind"], event["seat"])
        if found != (self.round, self.phase, kind, seat):
            self._foul(demand)
        if event["data"].keys() != set(keys):
            self._foul(f"{kind} has exactly {sorted(keys)}")
        return event["data"]

    def _expect(self, kind: str, seat: int | None, **data: Any) -> None:
        """Read the next event, which the rules fix in full."""
        found = self._next(kind, seat, *data)
        if found != data:
            self._foul(f"the rules demand {data}")

    def _kind(self, index: int) -> Any:
        """Return the kind of the event at `index`, None where there is none."""
        event = self.events[index] if index < len(self.events) else None
        return event.get("kind") if isinstance(event, dict) else None

    def _comes(self, kind: str, seat: int) -> bool:
        """Return whether the next event, one the rules leave to the player, is `kind` of `seat`."""
        index = self.index + 1
        return self._kind(index) == kind and self.events[index].get("seat") == seat

    def _cards(self, cards: object) -> Pile:
        """Return cards as written in the event last read as a pile."""
        if not isinstance(cards, dict) or not cards.keys() <= set(RESOURCES):
            self._foul(f"cards are counts of {RESOURCES}")
        if not all(is_whole(n, 1) for n in cards.values()):
            self._foul("cards are counts of at least one")
        return [cards.get(resource, 0) for resource in RESOURCES]

    def _move(self, cards: Sequence[int], source: Pile, target: Pile, whence: str) -> None:
        """Move `cards` between two piles; they must lie in the first."""
        if any(n > held for n, held in zip(cards, source, strict=True)):
            self._foul(f"{whence} holds only {as_cards(source)}")
        for i, n in enumerate(cards):
            source[i] -= n
            target[i] += n

    def _discard(self, pile: Pile) -> None:
        """Put a whole pile on the discards."""
        self._move(list(pile), pile, self.discards, "the pile")

    def _conserve_cards(self) -> None:
        """Account for every card of the box."""
        if tuple(map(sum, zip(*self.piles, strict=True))) != self.all_cards:
            self._foul(f"all of {as_cards(self.all_cards)} lie somewhere")

    def _conserve_money(self) -> None:
        """Compare every purse with the flows the transcript has written down so far."""
        recorded = recorded_money(self.events[: self.index + 1], self.n_seats)
        purses = {seat: player.money for seat, player in self.players.items()}
        if recorded != purses:
            self._foul(f"the flows recorded leave {recorded}, the rules {purses}")

    def _turn_order(self) -> list[int]:
        """Return all seats clockwise from the starting player."""
        return self._clockwise(self.start)

    def _clockwise(self, first: int) -> list[int]:
        return [(first - 1 + step) % self.n_seats + 1 for step in range(self.n_seats)]

    def _draw(self, count: int, kind: str, seat: int | None, target: Pile) -> None:
        """Draw from the deck into `target`; discards replace an empty deck at need (OST-16, OST-23)."""
        if count > sum(self.deck) and any(self.discards):
            self._expect("reshuffle", None, cards=as_cards(self.discards))
            self._move(list(self.deck), self.deck, self.drawn, "the deck")
            self._move(list(self.discards), self.discards, self.deck, "the discards")
        count = min(count, sum(self.drawn) + sum(self.deck))
        cards = self._cards(self._next(kind, seat, "cards")["cards"])
        if sum(cards) != count:
            self._foul(f"{count} cards are drawn")
        fresh = [n - old for n, old in zip(cards, self.drawn, strict=True)]
        if min(fresh) < 0:
            self._foul(f"the last of the old deck, {as_cards(self.drawn)}, are drawn first (OST-16)")
        self._move(list(self.drawn), self.drawn, target, "the old deck")
        self._move(fresh, self.deck, target, "the deck")

    # --- B. Game preparation --------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Senate cards, money, storehouses and the cards dealt before the first round."""
        self.round, self.phase = 0, "setup"
        self.aside = self._senate_slot("aside")
        self.active = self._senate_slot("active")
        self.following = self._senate_slot("next")
        is_advanced = self.rules["advanced_price"]  # OST-18b
        money = self.rules["advanced_start_money" if is_advanced else "start_money"]
        for seat, player in self.players.items():
            player.money = money[seat - 1]
            player.storehouses = self.rules["start_storehouses"][seat - 1]
            self._expect("seat_ready", seat, money=player.money, storehouses=player.storehouses)
        for seat, player in self.players.items():
            self._draw(self.rules["start_cards"][seat - 1], "start_card", seat, player.hand)

    def _senate_slot(self, slot: str) -> int:
        """Read one of the three Senate cards laid out at the start (OST-15)."""
        data = self._next("senate_card", None, "card", "slot", "values")
        if data["slot"] != slot:
            self._foul(f"the card for slot {slot} comes here (OST-15)")
        return self._see_senate_card(data["card"], data["values"])

    def _see_senate_card(self, card: Any, values: Any) -> int:
        """Check a Senate card when it is first seen; return its number."""
        rows = self.rules["senate_cards"]
        if not is_whole(card, 1) or card > len(rows) or card in self.senate_values:
            self._foul(f"a card of 1..{len(rows)} beside {list(self.senate_values)} is turned (OST-15)")
        if not isinstance(values, dict) or values.keys() != set(RESOURCES):
            self._foul("a Senate card values all six resources")
        row = [values[resource] for resource in RESOURCES]
        if self.rules["redraw_senate"]:
            self._check_redrawn(rows[card - 1], row)
        elif row != list(rows[card - 1]):
            self._foul(f"Senate card {card} is {as_values(rows[card - 1])}")
        self.senate_values[card] = row
        return int(card)

    def _check_redrawn(self, printed: Sequence[int], row: Pile) -> None:
        """Check a drawn Senate card: a permutation, no value twice for a resource, known values kept."""
        if not all(map(is_whole, row)) or sorted(row) != list(range(len(RESOURCES))):
            self._foul("a redrawn Senate card is a permutation of 0..5")
        for other, seen in self.senate_values.items():
            if any(a == b for a, b in zip(row, seen, strict=True)):
                self._foul(f"a resource takes each value once over the six cards, see card {other}")
        for known in KNOWN_SENATE_CARDS:
            if self._fits(printed, known) and not self._fits(row, known):
                self._foul(f"a redraw keeps the values that are known: {known}")

    @staticmethod
    def _fits(row: Sequence[int], known: Sequence[int | None]) -> bool:
        return all(k is None or k == value for value, k in zip(row, known, strict=True))

    # --- D.1 Harbor -----------------------------------------------------------------------------------------

    def start_round(self, number: int) -> None:
        """Turn the Senate cards for the round and hand over the starting player's token."""
        self.round, self.phase = number, "harbor"
        data = self._next("round_start", self.start, "card", "next", "senate", "senate_next")
        if number > 1:
            self.active, self.following = self._following_card(), None
            if len(self.senate_values) < len(self.rules["senate_cards"]):  # OST-15
                self.following = self._see_senate_card(data["next"], data["senate_next"])
        upcoming = None if self.following is None else self.senate_values[self.following]
        wanted = {
            "card": self.active,
            "next": self.following,
            "senate": as_values(self.senate_values[self.active]),
            "senate_next": as_values(upcoming),
        }
        if data != wanted:
            self._foul(f"the rules demand {wanted}")

    def _following_card(self) -> int:
        if self.following is None:
            self._foul("no Senate card is left for this round")
        return self.following

    def harbor(self) -> None:
        """Deal, keep, discard (advanced) and hold both auctions."""
        self.phase = "harbor"
        order = self._turn_order()
        for seat in order:
            self._draw(self.rules["deal_cards"], "dealt", seat, self.players[seat].dock)
        for seat in order:
            self._keep(seat)
        if self.rules["advanced_discard"]:
            for seat in order:
                self._discard_unseen(seat)
        for cycle in (1, 2):
            for seat in order:
                self.auction(seat, cycle)

    def _keep(self, seat: int) -> None:
        """Keep all but the auction cards of those just dealt."""
        player = self.players[seat]
        cards = self._cards(self._next("kept", seat, "cards")["cards"])
        n_kept = max(0, sum(player.dock) - self.rules["auction_cards"])
        if sum(cards) != n_kept:
            self._foul(f"{n_kept} of the cards dealt are kept")
        self._move(cards, player.dock, player.hand, "the deal")

    def _discard_unseen(self, seat: int) -> None:
        """Discard up to two auction cards, so many that one is left for each auction (OST-18a, OST-20)."""
        player = self.players[seat]
        cards = self._cards(self._next("discarded", seat, "cards")["cards"])
        most = max(0, min(2, sum(player.dock) - 2))
        if sum(cards) > most:
            self._foul(f"at most {most} auction cards may be discarded (OST-18a)")
        self._move(cards, player.dock, self.discards, "the auction side")

    def auction(self, seller: int, cycle: int) -> None:
        """One seller's turn: lot, bids, and who buys."""
        if not any(self.players[seller].dock):
            self._expect("no_offer", seller, cycle=cycle)  # OST-23
            return
        minimum = self._offer(seller, cycle)
        bids = self._bids(seller, minimum)
        buyer = seller
        if not any(bids.values()):
            self._forced_purchase(seller, minimum)
        elif self._kind(self._settlement()) == "own_lot":
            self._own_lot(seller, max(bids.values()))
        else:
            buyer = self._sale(seller, minimum, bids)
        self._move(list(self.lot), self.lot, self.players[buyer].hand, "the lot")

    def _offer(self, seller: int, cycle: int) -> int:
        """Put up a lot and return its minimum."""
        dock = self.players[seller].dock
        data = self._next("offered", seller, "cycle", "cards", "minimum")
        cards = self._cards(data["cards"])
        sizes = offer_sizes(sum(dock), cycle, bool(self.rules["advanced_discard"]))
        if sum(cards) not in sizes:
            self._foul(f"a lot of {sorted(sizes)} cards is offered from {sum(dock)} (OST-20, OST-23)")
        minimum = lot_minimum(cards, self.rules["minimum_price"])
        if (data["cycle"], data["minimum"]) != (cycle, minimum):
            self._foul(f"the rules demand cycle {cycle} and minimum {minimum}")
        self._move(cards, dock, self.lot, "the auction side")
        return minimum

    def _bids(self, seller: int, minimum: int) -> dict[int, int]:
        """Take one bid or pass of everyone else, from the seller's left (OST-1, OST-2)."""
        bids = {}
        for seat in self._clockwise(seller)[1:]:
            amount = self._next("bid", seat, "amount")["amount"]
            most = self._means(seat)
            if not is_whole(amount) or (amount and not minimum <= amount <= most):
                self._foul(f"a bid is 0 or from {minimum} to the bidder's means, {most} (OST-1, OST-2)")
            bids[seat] = amount
        return bids

    def _settlement(self) -> int:
        """Return the index of the event that closes the lot, behind the money raised for it, if any."""
        index = self.index + 1
        while self._kind(index) in ("mortgaged", "borrowed"):
            index += 1
        if self._kind(index) not in ("sold", "own_lot"):
            self._foul("somebody bid, so the lot is sold or bought in here", index)
        return index

    def _sale(self, seller: int, minimum: int, bids: dict[int, int]) -> int:
        """Sell to any bidder at his bid, the bank taking its part (OST-6, OST-18b); return the buyer."""
        settlement = self._settlement()
        data = self.events[settlement].get("data")
        buyer: Any = data.get("buyer") if isinstance(data, dict) else None
        if not is_whole(buyer) or not bids.get(buyer):
            self._foul(f"the buyer is one of those who bid: {bids}", settlement)
        price = bids[buyer]
        to_bank = minimum
        if not self.rules["advanced_price"]:
            to_bank = percent_rounded_up(price, self.rules["commission_percent"])
        self._pay(buyer, price)
        self.players[seller].money += price - to_bank
        self._expect("sold", seller, buyer=buyer, price=price, to_bank=to_bank, to_seller=price - to_bank)
        return int(buyer)

    def _own_lot(self, seller: int, highest: int) -> None:
        """Buy one's own lot over the highest bid, if one can pay (OST-5)."""
        price = highest + self.rules["own_lot_raise"]
        if self._means(seller) < price:
            self._foul(f"the seller cannot pay {price} (OST-5)", self._settlement())
        self._pay(seller, price)
        self._expect("own_lot", seller, price=price)

    def _forced_purchase(self, seller: int, minimum: int) -> None:
        """Nobody bid: the seller buys, as far as he can (OST-4, OST-6, OST-18b)."""
        price = minimum
        if not self.rules["advanced_price"]:
            price = percent_rounded_up(minimum, self.rules["forced_percent"])
        paid = self._pay(seller, price)
        self._expect("forced", seller, price=price, paid=paid, waived=price - paid)

    def _means(self, seat: int) -> int:
        player = self.players[seat]
        return means(player.money, player.storehouses, player.loans, self.rules)

    def _pay(self, seat: int, price: int) -> int:
        """Raise what cash lacks, storehouses first, and return what could be paid (OST-3, OST-4)."""
        player = self.players[seat]
        mortgages, loans = money_to_raise(price, player.money, player.storehouses, player.loans, self.rules)
        if mortgages:
            raised = mortgages * self.rules["mortgage_value"]
            self._expect("mortgaged", seat, storehouses=mortgages, raised=raised)
            player.storehouses -= mortgages
            player.money += raised
        if loans:
            raised = loans * self.rules["loan_value"]
            self._expect("borrowed", seat, loans=loans, raised=raised)
            player.loans += loans
            player.money += raised
        paid = min(price, player.money)
        player.money -= paid
        return paid

    # --- D.2 Office -----------------------------------------------------------------------------------------

    def office(self) -> None:
        """Turn up the talon, assign all hands, then punish overextension."""
        self.phase = "office"
        n_talon = self.rules["talon"][self.n_seats - 3]
        if n_talon:
            self._draw(n_talon, "talon", None, self.talon)  # OST-10
        for seat in self._turn_order():
            self._assign(seat)
        for seat in self._turn_order():
            self._punish_overextension(seat)

    def _assign(self, seat: int) -> None:
        """Divide the whole hand into Forum, Senate and stored cards, the last staying in hand."""
        player = self.players[seat]
        data = self._next("assigned", seat, "forum", "senate", "stored")
        forum, senate, stored = (self._cards(data[key]) for key in ("forum", "senate", "stored"))
        if [sum(parts) for parts in zip(forum, senate, stored, strict=True)] != player.hand:
            self._foul(f"the hand {as_cards(player.hand)} is assigned, no more and no less")
        self._move(forum, player.hand, player.forum, "the hand")
        self._move(senate, player.hand, player.senate, "the hand")

    def _punish_overextension(self, seat: int) -> None:
        """Remove the types the Senate values most until few enough are left (OST-9)."""
        player = self.players[seat]
        values = self.senate_values[self.active]
        removals = overextension(player.forum, player.senate, values, self.rules["max_types"])
        for i, n_forum, n_senate in removals:
            self._expect("overextended", seat, resource=RESOURCES[i], forum=n_forum, senate=n_senate)
            player.forum[i] = player.senate[i] = 0
            self.discards[i] += n_forum + n_senate

    # --- D.3 Forum ------------------------------------------------------------------------------------------

    def forum(self) -> None:
        """Price each type by its number in all Forum piles and the talon, and pay for it (OST-10)."""
        self.phase = "forum"
        for i, resource in enumerate(RESOURCES):
            n_cards = self.talon[i] + sum(player.forum[i] for player in self.players.values())
            if n_cards:
                price = forum_price(n_cards, self.rules["forum_price"])
                self._expect("forum_price", None, resource=resource, cards=n_cards, price=price)
                self._sell(i, price)
        self._discard(self.talon)

    def _sell(self, i: int, price: int) -> None:
        """Pay every seat for its cards of one type and discard them."""
        for seat in self._turn_order():
            player = self.players[seat]
            n = player.forum[i]
            if n:
                self._expect("forum_sale", seat, resource=RESOURCES[i], cards=n, income=n * price)
                player.money += n * price
                player.forum[i] = 0
                self.discards[i] += n

    # --- D.4 Senate -----------------------------------------------------------------------------------------

    def senate(self) -> None:
        """Award the most valuable donations; one worth 0 takes no part (OST-11)."""
        self.phase = "senate"
        values = self.senate_values[self.active]
        worths = {seat: donation_worth(player.senate, values) for seat, player in self.players.items()}
        awards = shared_awards([worth or None for worth in worths.values()], self.rules["senate_award"])
        for seat in self._turn_order():
            player = self.players[seat]
            points = awards[seat - 1]
            self._expect("donation", seat, worth=worths[seat], points=points)
            player.points += points
            self._discard(player.senate)

    # --- D.5 Storehouses ------------------------------------------------------------------------------------

    def storehouses(self) -> None:
        """Loans, building and spoilage, one seat after the other (OST-12)."""
        self.phase = "storehouses"
        for seat in self._turn_order():
            self._settle_loans(seat)
            self._build(seat)
            self._store(seat)

    def _settle_loans(self, seat: int) -> None:
        """Repay while cash allows, then pay interest as far as cash goes (OST-12, OST-21)."""
        player = self.players[seat]
        price = self.rules["loan_repayment"]
        n_repaid = 0
        while n_repaid < player.loans and (n_repaid + 1) * price <= player.money:
            n_repaid += 1
        if n_repaid:
            self._expect("repaid", seat, loans=n_repaid, paid=n_repaid * price)
            player.loans -= n_repaid
            player.money -= n_repaid * price
        if player.loans:
            due = player.loans * self.rules["loan_interest"]
            paid = min(due, player.money)
            self._expect("interest", seat, due=due, paid=paid, waived=due - paid)
            player.money -= paid

    def _build(self, seat: int) -> None:
        """Build storehouses if the player wants to, up to the limit and his cash."""
        if not self._comes("built", seat):
            return
        player = self.players[seat]
        data = self._next("built", seat, "storehouses", "paid")
        n_built = data["storehouses"]
        n_sites = self.rules["max_storehouses"] - player.storehouses
        if not is_whole(n_built, 1) or n_built > n_sites:
            self._foul(f"one to {n_sites} storehouses may be built (OST-12)")
        cost = n_built * self.rules["storehouse_cost"]
        if data["paid"] != cost or cost > player.money:
            self._foul(f"{n_built} storehouses cost {cost}, the player has {player.money} (OST-12)")
        player.storehouses += n_built
        player.money -= cost

    def _store(self, seat: int) -> None:
        """Keep one card per storehouse, let the rest spoil (OST-12)."""
        player = self.players[seat]
        data = self._next("stored", seat, "kept", "spoiled")
        kept, spoiled = self._cards(data["kept"]), self._cards(data["spoiled"])
        if [k + s for k, s in zip(kept, spoiled, strict=True)] != player.hand:
            self._foul(f"the stored cards are {as_cards(player.hand)}")
        n_kept = min(player.storehouses, sum(player.hand))
        if sum(kept) != n_kept:
            self._foul(f"{n_kept} cards are kept in {player.storehouses} storehouses (OST-12)")
        self._move(spoiled, player.hand, self.discards, "the hand")

    # --- E. End of the round --------------------------------------------------------------------------------

    def end_of_round(self) -> None:
        """Show where everyone stands and pass the token (OST-18c, OST-20, OST-23)."""
        self._conserve_money()
        for seat, player in self.players.items():
            self._expect(
                "standing",
                seat,
                money=player.money,
                points=player.points,
                storehouses=player.storehouses,
                loans=player.loans,
                cards=sum(player.hand),
            )
        if self.round == self.rules["rounds"]:
            return
        if not self.rules["advanced_start"]:
            self.start = self._clockwise(self.start)[1]
            return
        chooser = start_chooser([player.points for player in self.players.values()], self.start)
        start = self._next("start_chosen", chooser, "start")["start"]
        if not is_whole(start, 1) or start > self.n_seats:
            self._foul(f"a seat 1..{self.n_seats} is chosen")
        self.start = start

    # --- F. Final scoring -----------------------------------------------------------------------------------

    def final_scoring(self) -> None:
        """Score the variety of goods, sell empty storehouses, award the most money (OST-13, OST-21)."""
        self.phase = "final"
        for seat in self._turn_order():
            self._score_variety(seat)
        for seat in self._turn_order():
            self._resell(seat)
        self._conserve_money()
        amounts = [None if player.loans else player.money for player in self.players.values()]
        awards = shared_awards(amounts, self.rules["money_award"])
        for (seat, player), points in zip(self.players.items(), awards, strict=True):
            self._expect("money_award", seat, money=player.money, points=points)
            player.points += points

    def _score_variety(self, seat: int) -> None:
        """Choose the cards to keep, one point for each different type."""
        player = self.players[seat]
        data = self._next("scored", seat, "kept", "dropped", "points")
        kept, dropped = self._cards(data["kept"]), self._cards(data["dropped"])
        if [k + d for k, d in zip(kept, dropped, strict=True)] != player.hand:
            self._foul(f"the cards to score or drop are {as_cards(player.hand)}")
        n_types = sum(n > 0 for n in kept)
        if data["points"] != n_types:
            self._foul(f"{n_types} different types are kept")
        player.points += n_types
        self._move(dropped, player.hand, self.discards, "the hand")

    def _resell(self, seat: int) -> None:
        """Sell storehouses that hold no card if the player wants to."""
        if not self._comes("resold", seat):
            return
        player = self.players[seat]
        data = self._next("resold", seat, "storehouses", "raised")
        n_sold = data["storehouses"]
        n_empty = player.storehouses - sum(player.hand)
        if not is_whole(n_sold, 1) or n_sold > n_empty:
            self._foul(f"one to {n_empty} empty storehouses may be sold (OST-13)")
        raised = n_sold * self.rules["storehouse_resale"]
        if data["raised"] != raised:
            self._foul(f"{n_sold} storehouses bring {raised} (OST-13)")
        player.storehouses -= n_sold
        player.money += raised

    # --- G. Victory -----------------------------------------------------------------------------------------

    def victory(self, outcome: dict[str, Any]) -> None:
        """Rank all seats with the tie-breaks, share a tied win (OST-13, OST-14, OST-21)."""
        aside = self.senate_values[self.aside]
        ranks = final_ranks(
            [
                (not p.loans, p.points, p.storehouses, sum(p.hand), donation_worth(p.hand, aside))
                for p in self.players.values()
            ]
        )
        shares = [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]
        for seat, player in self.players.items():
            self._final(seat, player, donation_worth(player.hand, aside), ranks[seat - 1], shares[seat - 1])
        self._conserve_cards()
        if self.index + 1 < len(self.events):
            self._foul("the game is over", self.index + 1)
        self._check_outcome(outcome, shares)

    def _final(self, seat: int, player: Player, tie_worth: int, rank: int, share: float) -> None:
        """Compare one seat's last line."""
        wanted = {
            "points": player.points,
            "money": player.money,
            "storehouses": player.storehouses,
            "loans": player.loans,
            "cards": sum(player.hand),
            "tie_worth": tie_worth,
            "rank": rank,
            "win_share": share,
        }
        data = self._next("final", seat, *wanted)
        if not self._same_share(data["win_share"], share) or data | {"win_share": share} != wanted:
            self._foul(f"the rules demand {wanted}")

    @staticmethod
    def _same_share(found: object, share: float) -> bool:
        return isinstance(found, int | float) and math.isclose(found, share, abs_tol=1e-9)

    def _check_outcome(self, outcome: dict[str, Any], shares: list[float]) -> None:
        """Compare the document's outcome with the game just replayed."""
        found = outcome.get("win_share", [])
        if len(found) != self.n_seats or not all(map(self._same_share, found, shares)):
            raise Foul(f"outcome {outcome}: the rules demand win_share {shares}")
        points = [player.points for player in self.players.values()]
        if outcome.get("score") != points:
            raise Foul(f"outcome {outcome}: the rules demand score {points}")

    # --- C. Game play ---------------------------------------------------------------------------------------

    def replay(self, outcome: dict[str, Any]) -> None:
        """Replay the whole game."""
        self.set_up()
        for number in range(1, self.rules["rounds"] + 1):
            self.start_round(number)
            self.harbor()
            self.office()
            self.forum()
            self.senate()
            self.storehouses()
            self.end_of_round()
        self.final_scoring()
        self.victory(outcome)


def check(document: dict[str, Any]) -> None:
    """Replay a transcript of Ostia from the rules alone.

    Parameters
    ----------
    document : dict
        One transcript: `game`, `seats`, `strategies`, `rules`, `events`, `outcome`. It is not changed.

    Raises
    ------
    Foul
        At the first event, or in the outcome, where the transcript departs from the rules.

    Notes
    -----
    Source: the printed rulebook of Ostia and the rulings OST-1 to OST-23.
    """
    Referee(document).replay(document["outcome"])
