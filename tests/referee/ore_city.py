"""Referee for Ore City: replays a transcript from the rulebook and the rulings alone.

The referee shares no code with the engine. It keeps the table as a rulebook reader would (draw piles and
discards, hands, spaces, purses), reads the events one by one and demands that each is what the rules require,
or, where the rules leave a choice, one that they allow. Comments `ORC-n` cite the rulings. A pile is a list of
counts in the order of `CARDS`; since a transcript names every card drawn, each draw pile is known exactly, but
for its order. All numbers come from the document's own `rules`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

TYPES = ("residential", "commercial", "industrial", "public_works")
# fmt: off
CARDS = (
    "single_house", "apartment_house", "condominium", "park",
    "small_store", "convenience_store", "restaurant", "department_store",
    "highway", "wind_turbine", "small_factory", "chemical_factory",
    "city_hall", "hospital", "university", "airport", "police_station",
)
# fmt: on
NUMBER = {name: number for number, name in enumerate(CARDS)}
TYPE_OF = (0,) * 4 + (1,) * 4 + (2,) * 4 + (3,) * 5  # the type of each card, by number
RESIDENTIAL, COMMERCIAL, INDUSTRIAL, PUBLIC_WORKS = range(4)
FIRST_OF = (0, 4, 8, 12)  # the first card of each type
N_BUILT = FIRST_OF[PUBLIC_WORKS]  # cards before this one are construction cards
MEMBERS = (range(0, 4), range(4, 8), range(8, 12), range(12, 17))  # the cards of each type
PARK, HIGHWAY = NUMBER["park"], NUMBER["highway"]
FACTORIES = (NUMBER["small_factory"], NUMBER["chemical_factory"])
ACQUIRED = (NUMBER["wind_turbine"], *FACTORIES)  # the cards their builders acquire (ORC-24)
PRINTED = (("single_house", 6), ("apartment_house", 3))  # name and total of the payouts that are printed
# Every rule the referee reads: the lengths of its lists, () for a single number.
SHAPES: dict[str, tuple[int, ...]] = {
    "cost": (17,),
    "copies": (17,),
    "points": (5,),
    "first_amount": (4, 10),
    "second_amount": (4, 10),
    "payout_scale": (),
    "store_flat": (4,),
    "store_per_home": (4,),
    "store_most": (4,),
    "store_closing": (4,),
    "highway_income": (),
    "highway_closing": (),
    "technology": (4,),
    "factory_limit": (),
    "hall_threshold": (),
    "hall_loss": (),
    "hall_gift": (),
    "hospital_homes": (),
    "university_stores": (),
    "start_coins": (6,),
    "start_extra": (6,),
    "compensation": (),
    "hand_size": (),
    "common_size": (),
    "win_points": (),
    "turn_limit_per_seat": (),
    "second_after_tie": (),
    "highway_per_set": (),
}
EVENT_KEYS = {"round", "phase", "kind", "seat", "data"}

Pile = list[int]
Cards = dict[int, int]  # card number -> count, no zeros
Event = dict[str, Any]


class Foul(Exception):  # noqa: N818 - the referee's own word
    """A transcript departs from the rules; the message names the event and what the rules demand."""


# --- Rules as pure functions --------------------------------------------------------------------------------


def circle(n_seats: int) -> dict[int, tuple[int, ...]]:
    """Return seat -> its neighbours in seat order; with two players the one neighbour counts once (ORC-1)."""
    pairs = {seat: {(seat - 2) % n_seats + 1, seat % n_seats + 1} for seat in range(1, n_seats + 1)}
    return {seat: tuple(sorted(pair)) for seat, pair in pairs.items()}


def scaled_amounts(amounts: Sequence[Sequence[int]], percent: int) -> list[Pile]:
    """Return the payouts in force: reconstructed cells scaled and rounded half up, printed ones kept (ORC-25)."""
    scaled = [[(2 * amount * percent + 100) // 200 for amount in row] for row in amounts]
    for name, total in PRINTED:
        row = NUMBER[name]
        scaled[row][total - 1] = amounts[row][total - 1]
    return scaled


def majorities(counts: dict[int, int], is_second_after_tie: bool) -> dict[int, int]:
    """Return seat -> place, 1 or 2, of the builders that are paid for one name (ORC-9, ORC-24)."""
    levels = sorted(set(counts.values()) - {0}, reverse=True)
    places = {seat: 1 for seat, own in counts.items() if own == levels[0]}
    if len(levels) > 1 and (len(places) == 1 or is_second_after_tie):
        places |= {seat: 2 for seat, own in counts.items() if own == levels[1]}
    return places


def amount_for(total: int, row: Sequence[int]) -> int:
    """Return the payout for `total` >= 1 cards of a name; the last column is open-ended."""
    return row[min(total, len(row)) - 1]


def store_due(n_homes: int, flat: int, per_home: int, most: int) -> int:
    """Return what one construction of Commercial cards brings before any factory (ORC-3, ORC-4)."""
    return min(most, flat + per_home * n_homes) if n_homes else 0


def reduced(cost: int, technology: int) -> int:
    """Return `cost` less technology, never below 0 (ORC-10)."""
    return max(0, cost - technology)


def hall_effect(coins: int, rules: dict[str, Any]) -> int:
    """Return what City Hall adds to (or, negative, takes from) a purse of `coins` (ORC-11)."""
    loss: int = rules["hall_loss"]
    gift: int = rules["hall_gift"]
    if coins >= rules["hall_threshold"]:
        return -min(coins, loss)
    return gift if coins == 0 else 0


def final_ranks(places: Sequence[tuple[bool, int, int]]) -> list[int]:
    """Return ranks from 1 of (has won, points, coins); equals share a rank (ORC-24)."""
    return [1 + sum(other > mine for other in places) for mine in places]


# --- The table ----------------------------------------------------------------------------------------------


def no_cards() -> Pile:
    """Return an empty pile."""
    return [0] * len(CARDS)


def as_cards(pile: Sequence[int]) -> dict[str, int]:
    """Return `pile` as a transcript writes it: card name -> count without zeros."""
    return {CARDS[card]: n for card, n in enumerate(pile) if n}


def is_whole(value: object, least: int = 0) -> bool:
    """Return whether `value` is an integer (no bool, no float) of at least `least`."""
    return type(value) is int and value >= least


def fits(value: object, shape: tuple[int, ...]) -> bool:
    """Return whether `value` is a whole number, or nested lists of them with the lengths of `shape`."""
    if not shape:
        return is_whole(value)
    if not isinstance(value, list | tuple) or len(value) != shape[0]:
        return False
    return all(fits(item, shape[1:]) for item in value)


class Space:
    """A construction space: the cards that lie in it, by the seat that built them and in total."""

    def __init__(self, seats: Iterable[int]) -> None:
        self.built = {seat: no_cards() for seat in seats}
        self.total = no_cards()

    def add(self, builder: int, card: int, n: int) -> None:
        """Put `n` cards of `builder` into the space, or with `n` < 0 take them away."""
        self.built[builder][card] += n
        self.total[card] += n

    def type(self) -> int | None:
        """Return the one type of the cards here, None for an empty space (ORC-3)."""
        for card, n in enumerate(self.total):
            if n:
                return TYPE_OF[card]
        return None

    def count(self, kind: int) -> int:
        """Return the number of cards of one type, whoever built them."""
        return sum(self.total[card] for card in MEMBERS[kind])

    def has_factory(self) -> bool:
        """Return whether a factory stands here."""
        return any(self.total[card] for card in FACTORIES)

    def clear(self) -> None:
        """Take all cards away."""
        for pile in (self.total, *self.built.values()):
            pile[:] = no_cards()


@dataclass
class Player:
    """What one seat has before it."""

    space: Space
    coins: int = 0
    points: int = 0
    hand: Pile = field(default_factory=no_cards)
    acquired: Pile = field(default_factory=no_cards)

    def n_public_works(self) -> int:
        """Return the Public Works cards in hand."""
        return sum(self.hand[N_BUILT:])


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
        self.turns = 0  # player turns completed
        self.winner: int | None = None
        seats = range(1, self.n_seats + 1)
        self.neighbours = circle(self.n_seats)
        self.players = {seat: Player(Space(seats)) for seat in seats}
        self.pile = list(self.rules["copies"])  # the four draw piles
        self.discards, self.common = no_cards(), no_cards()
        self.n_pile = [sum(self.pile[card] for card in members) for members in MEMBERS]  # cards by type
        self.n_discards = [0] * len(TYPES)
        percent = self.rules["payout_scale"]
        self.first = scaled_amounts(self.rules["first_amount"], percent)
        self.second = scaled_amounts(self.rules["second_amount"], percent)

    @staticmethod
    def _open(document: dict[str, Any]) -> tuple[dict[str, Any], int, list[Event]]:
        """Check the document's frame and that the rules cover its seats."""
        missing = {"game", "seats", "strategies", "rules", "events", "outcome"} - set(document)
        if missing:
            raise Foul(f"document: {sorted(missing)} missing")
        rules, n_seats, events = document["rules"], document["seats"], document["events"]
        is_framed = all(isinstance(document[key], dict) for key in ("rules", "outcome"))
        if document["game"] != "ore_city" or not is_framed or not isinstance(events, list):
            raise Foul("document: not a transcript of ore_city")
        strategies = document["strategies"]
        is_table = is_whole(n_seats, 2) and n_seats <= 6
        if not is_table or not isinstance(strategies, list) or len(strategies) != n_seats:
            raise Foul(f"document: seats is {n_seats}; 2 to 6 play, each with a strategy")
        for name, shape in SHAPES.items():
            if not fits(rules.get(name), shape):
                raise Foul(f"document: rule {name} is {rules.get(name)}; whole numbers of shape {shape} are needed")
        for name in ("win_points", "turn_limit_per_seat"):
            if rules[name] < 1:
                raise Foul(f"document: rule {name} is {rules[name]}; at least 1 is needed")
        return rules, n_seats, events

    # --- Reading events -------------------------------------------------------------------------------------

    def _foul(self, demand: str, index: int | None = None) -> NoReturn:
        """Blow the whistle on the event last read, or on the one at `index`."""
        index = self.index if index is None else index
        event = self.events[index] if 0 <= index < len(self.events) else None
        raise Foul(f"event {index} ({self._kind(index) or 'none'}): {demand}; the transcript has {event}")

    def _next(self, kind: str, seat: int | None, *keys: str) -> dict[str, Any]:
        """Return the data, having exactly `keys`, of the next event, which must be `kind` of `seat`."""
        self.index += 1
        event = self.events[self.index] if self.index < len(self.events) else None
        if not isinstance(event, dict) or event.keys() != EVENT_KEYS or not isinstance(event["data"], dict):
            self._foul(f"{kind} of seat {seat} follows, an event with {sorted(EVENT_KEYS)}")
        found = (event["round"], event["phase"], event["kind"], event["seat"])
        if found != (self.round, self.phase, kind, seat):
            self._foul(f"the rules demand {kind} of seat {seat} in round {self.round}, phase {self.phase}")
        data: dict[str, Any] = event["data"]
        if len(data) != len(keys) or any(key not in data for key in keys):
            self._foul(f"{kind} has exactly {sorted(keys)}")
        return data

    def _expect(self, kind: str, seat: int | None, **data: Any) -> None:
        """Read the next event, which the rules fix in full."""
        if self._next(kind, seat, *data) != data:
            self._foul(f"the rules demand {data}")

    def _kind(self, index: int) -> Any:
        """Return the kind of the event at `index`, None where there is none."""
        event = self.events[index] if 0 <= index < len(self.events) else None
        return event.get("kind") if isinstance(event, dict) else None

    def _comes(self, kind: str) -> bool:
        """Return whether the next event is of `kind`."""
        return bool(self._kind(self.index + 1) == kind)

    def _card(self, name: object) -> int:
        """Return the number of the card named in the event last read."""
        if not isinstance(name, str) or name not in NUMBER:
            self._foul(f"{name!r} is no card")
        return NUMBER[name]

    def _seat(self, seat: object) -> int:
        """Return a seat named in the data of the event last read."""
        if type(seat) is not int or seat not in self.players:
            self._foul(f"a seat 1..{self.n_seats} is named")
        return seat

    def _cards(self, cards: object) -> Cards:
        """Return cards as written in the event last read by their numbers."""
        if not isinstance(cards, dict):
            self._foul("cards are counts by card name")
        if not all(is_whole(n, 1) for n in cards.values()):
            self._foul("cards are counts of at least one")
        return {self._card(name): n for name, n in cards.items()}

    def _take(self, cards: Cards, source: Pile, whence: str) -> None:
        """Take `cards` from a pile in which they must lie."""
        for card, n in cards.items():
            if n > source[card]:
                self._foul(f"{whence} holds only {as_cards(source)}")
            source[card] -= n

    def _discard(self, cards: Cards) -> None:
        """Put `cards` on the discards of their types."""
        for card, n in cards.items():
            self.discards[card] += n
            self.n_discards[TYPE_OF[card]] += n

    def _conserve_cards(self) -> None:
        """Account for every card of the box."""
        piles = [self.pile, self.discards, self.common]
        for player in self.players.values():
            piles += [player.hand, player.acquired, *player.space.built.values()]
        if list(map(sum, zip(*piles, strict=True))) != list(self.rules["copies"]):
            self._foul(f"all of {as_cards(self.rules['copies'])} lie somewhere")

    # --- Draw piles -----------------------------------------------------------------------------------------

    def _drawable(self, is_public_works_allowed: bool) -> list[int]:
        """Return the types of which a card may be drawn, from the pile or from reshuffled discards."""
        types = range(4 if is_public_works_allowed else 3)
        return [kind for kind in types if self.n_pile[kind] or self.n_discards[kind]]

    def _reshuffle(self) -> int:
        """Read a reshuffle: an empty pile takes up all discards of its type (ORC-20); return the type."""
        data = self._next("reshuffle", None, "pile", "cards")
        if data["pile"] not in TYPES:
            self._foul(f"a pile is one of {TYPES}")
        kind = TYPES.index(data["pile"])
        if self.n_pile[kind]:
            self._foul(f"the {TYPES[kind]} pile still holds {self.n_pile[kind]} cards (ORC-20)")
        if not self.n_discards[kind]:
            self._foul(f"there are no {TYPES[kind]} discards")
        discards = {CARDS[card]: self.discards[card] for card in MEMBERS[kind] if self.discards[card]}
        if data["cards"] != discards:
            self._foul(f"all {TYPES[kind]} discards, {discards}, are reshuffled (ORC-20)")
        for card in MEMBERS[kind]:
            self.pile[card], self.discards[card] = self.discards[card], 0
        self.n_pile[kind], self.n_discards[kind] = self.n_discards[kind], 0
        return kind

    def _draw(self, kind: str, seat: int, types: Sequence[int], target: Pile) -> None:
        """Read the draw of one card of one of `types` into `target`, after the reshuffle it may need."""
        reshuffled = self._reshuffle() if self._comes("reshuffle") else None
        card = self._card(self._next(kind, seat, "name")["name"])
        drawn_from = TYPE_OF[card]
        if drawn_from not in types:
            self._foul(f"a card of {[TYPES[t] for t in types]} is drawn")
        if reshuffled not in (None, drawn_from):
            self._foul("only the pile that is drawn from is reshuffled (ORC-20)")
        if not self.pile[card]:
            holds = {CARDS[member]: self.pile[member] for member in MEMBERS[drawn_from] if self.pile[member]}
            self._foul(f"the {TYPES[drawn_from]} pile holds {holds} (ORC-20)")
        self.pile[card] -= 1
        self.n_pile[drawn_from] -= 1
        target[card] += 1

    def _draw_homes(self, count: int, kind: str, seat: int | None, target: Pile) -> int:
        """Read one event of the set-up with `count` Residential cards, or all there are; return how many."""
        old: Cards = {}
        if count > self.n_pile[RESIDENTIAL] and self.n_discards[RESIDENTIAL]:
            old = {card: self.pile[card] for card in MEMBERS[RESIDENTIAL] if self.pile[card]}
            self._leave_pile(old)
            if self._reshuffle() != RESIDENTIAL:
                self._foul("the residential pile is reshuffled (ORC-20)")
        count = min(count, sum(old.values()) + self.n_pile[RESIDENTIAL])
        cards = self._cards(self._next(kind, seat, "cards")["cards"])
        if sum(cards.values()) != count or any(TYPE_OF[card] != RESIDENTIAL for card in cards):
            self._foul(f"{count} residential cards are drawn")
        if any(cards.get(card, 0) < n for card, n in old.items()):
            self._foul("the last cards of the old pile are drawn first (ORC-20)")
        self._leave_pile({card: n - old.get(card, 0) for card, n in cards.items()})
        for card, n in cards.items():
            target[card] += n
        return count

    def _leave_pile(self, cards: Cards) -> None:
        """Take `cards` from the draw piles."""
        self._take(cards, self.pile, "the draw pile")
        for card, n in cards.items():
            self.n_pile[TYPE_OF[card]] -= n

    # --- 5. Game preparation --------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Coins, three cards for everyone, the later seats' extra choice, the common space (ORC-2)."""
        for seat, player in self.players.items():
            player.coins = self.rules["start_coins"][seat - 1]
            self._expect("seat_ready", seat, coins=player.coins)
        for seat, player in self.players.items():
            self._deal(seat, player)
        for seat, player in self.players.items():
            n_extra = self.rules["start_extra"][seat - 1]
            if self.rules["compensation"] and n_extra:
                self._choose_extra(seat, player, n_extra)
        self._draw_homes(self.rules["common_size"], "common_dealt", None, self.common)
        self._conserve_cards()

    def _deal(self, seat: int, player: Player) -> None:
        """Read one seat's three cards, one of each construction type that is left."""
        cards = self._cards(self._next("dealt", seat, "cards")["cards"])
        types = [kind for kind in range(PUBLIC_WORKS) if self.n_pile[kind]]
        if sorted(TYPE_OF[card] for card in cards) != types or any(n != 1 for n in cards.values()):
            self._foul(f"one card each of {[TYPES[kind] for kind in types]} is dealt")
        self._leave_pile(cards)
        for card in cards:
            player.hand[card] += 1

    def _choose_extra(self, seat: int, player: Player, n_extra: int) -> None:
        """Read a later seat's extra draw and its discards, as many as it drew (ORC-2)."""
        n_drawn = self._draw_homes(n_extra, "extra_drawn", seat, player.hand)
        cards = self._cards(self._next("extra_discarded", seat, "cards")["cards"])
        if sum(cards.values()) != n_drawn:
            self._foul(f"{n_drawn} cards are discarded, as many as were drawn")
        self._take(cards, player.hand, "the hand")
        self._discard(cards)

    # --- 6. Turn procedure ----------------------------------------------------------------------------------

    def turn(self) -> None:
        """Read the next player's one action and, unless it won the game, the refill of the hand."""
        seat = self.turns % self.n_seats + 1
        self.round = 1 + self.turns // self.n_seats
        if seat == 1:
            self._conserve_cards()
        actions: dict[str, tuple[str, Callable[[int, Player], None]]] = {
            "constructed": ("construction", self._construct),
            "closed": ("book_closing", self._close),
            "scrapped": ("accomplishment", self._accomplish),
            "accomplished": ("accomplishment", self._accomplish),
            "laid": ("exchange", self._exchange),
            "flushed_hand": ("flush", self._flush),
            "passed": ("passing", self._pass),
        }
        kind = self._kind(self.index + 1)
        if not isinstance(kind, str) or kind not in actions:
            self._foul(f"seat {seat} takes one action, which begins with one of {sorted(actions)}", self.index + 1)
        self.phase, act = actions[kind]
        act(seat, self.players[seat])
        self.turns += 1
        if self.winner is None:
            self._refill(seat, self.players[seat])

    def _refill(self, seat: int, player: Player) -> None:
        """Draw card by card while the hand is short and something may be drawn (ORC-13, ORC-15)."""
        self.phase = "refill"
        for _ in range(self.rules["hand_size"] - sum(player.hand)):
            types = self._drawable(not player.n_public_works())
            if not types:
                break
            self._draw("drawn", seat, types, player.hand)
        self._expect(
            "turn_end",
            seat,
            coins=player.coins,
            points=player.points,
            technology=self._technology(player),
            hand=sum(player.hand),
        )

    def _technology(self, player: Player) -> int:
        """Return the technology of a seat: of the cards in its acquisition space (ORC-10)."""
        values: Pile = self.rules["technology"]
        return sum(player.acquired[card] * values[card - FIRST_OF[INDUSTRIAL]] for card in MEMBERS[INDUSTRIAL])

    def _pay(self, seat: int, player: Player, card: int, paid: object) -> None:
        """Compare `paid` with the cost of `card` less technology, and pay it (ORC-10)."""
        cost = reduced(self.rules["cost"][card], self._technology(player))
        if paid != cost or cost > player.coins:
            self._foul(f"{CARDS[card]} costs seat {seat} {cost}, it has {player.coins} (ORC-10)")
        player.coins -= cost

    def _earn(self, kind: str, seat: int, cards: int, coins: int) -> None:
        """Read what Highways bring; where the rules in force make that nothing, the event may be left out."""
        if coins or (self._comes(kind) and self.events[self.index + 1].get("seat") == seat):
            self._expect(kind, seat, cards=cards, coins=coins)
            self.players[seat].coins += coins

    def _limited(self, due: int, space: int) -> int:
        """Return what a player earns of `due` in one event in a seat's space (ORC-6, ORC-7)."""
        if self.players[space].space.total[PARK]:
            return due
        if any(self.players[seat].space.has_factory() for seat in self.neighbours[space]):
            return min(due, int(self.rules["factory_limit"]))
        return due

    def _highways(self, space: int) -> None:
        """Read the income of all Highways adjacent to a space in which Commercial cards earned (ORC-5, ORC-21)."""
        for seat in self.players:
            adjacent = [self.players[other].space.built[seat][HIGHWAY] for other in self.neighbours[space]]
            n_cards = sum(adjacent)
            if n_cards:
                n_paid = sum(n > 0 for n in adjacent) if self.rules["highway_per_set"] else n_cards
                self._earn("highway_income", seat, n_cards, n_paid * self.rules["highway_income"])

    # --- 6.a Construction -----------------------------------------------------------------------------------

    def _construct(self, seat: int, player: Player) -> None:
        """Read one construction and the income it brings (ORC-3)."""
        data = self._next("constructed", seat, "name", "count", "space", "paid")
        card, n, owner = self._card(data["name"]), data["count"], self._seat(data["space"])
        if card >= N_BUILT or not is_whole(n, 1) or n > player.hand[card]:
            self._foul(f"one or more construction cards of one name from the hand, {as_cards(player.hand)}, are built")
        self._check_space(seat, owner, TYPE_OF[card])
        self._pay(seat, player, card, data["paid"])
        player.hand[card] -= n
        self.players[owner].space.add(seat, card, n)
        if TYPE_OF[card] == COMMERCIAL:
            self._sell(seat, player, card, owner)

    def _check_space(self, seat: int, owner: int, kind: int) -> None:
        """Check that a seat may build cards of type `kind` in the space of `owner` (ORC-3)."""
        lying = self.players[owner].space.type()
        if owner != seat and owner not in self.neighbours[seat]:
            self._foul(f"seat {seat} builds at home or in the spaces of {self.neighbours[seat]}")
        if owner != seat and lying is None:
            self._foul("nobody builds in a neighbour's empty space (ORC-3)")
        if lying not in (None, kind):
            self._foul(f"the space of seat {owner} holds {TYPES[lying or 0]} cards only (ORC-3)")

    def _sell(self, seat: int, player: Player, card: int, owner: int) -> None:
        """Read the construction income of Commercial cards and of the Highways beside them (ORC-4, ORC-5)."""
        row = card - FIRST_OF[COMMERCIAL]
        n_homes = sum(self.players[other].space.count(RESIDENTIAL) for other in self.neighbours[owner])
        due = store_due(n_homes, *(self.rules[name][row] for name in ("store_flat", "store_per_home", "store_most")))
        if not due:
            return
        coins = self._limited(due, owner)
        self._expect("store_income", seat, due=due, coins=coins)
        player.coins += coins
        if coins:
            self._highways(owner)

    # --- 6.b Book-closing -----------------------------------------------------------------------------------

    def _close(self, seat: int, player: Player) -> None:
        """Read the closing of a seat's own space: income, then cards acquired, then discards (ORC-8)."""
        self._expect("closed", seat)
        space = player.space
        kind = space.type()
        if kind is None:
            self._foul("an empty space is not closed (ORC-8)")
        if kind == INDUSTRIAL:
            self._close_highways(space)
        else:
            dues = self._home_dues(space) if kind == RESIDENTIAL else self._store_dues(space)
            n_earned = self._pay_dues(dues, seat)
            if kind == COMMERCIAL and n_earned:
                self._highways(seat)
        self._clear_space(seat, space)

    def _home_dues(self, space: Space) -> dict[int, int]:
        """Read the majorities of each Residential name; return what is due to each seat (ORC-9, ORC-24)."""
        dues = dict.fromkeys(self.players, 0)
        for card in MEMBERS[RESIDENTIAL]:
            total = space.total[card]
            if not total:
                continue
            counts = {seat: pile[card] for seat, pile in space.built.items()}
            places = majorities(counts, bool(self.rules["second_after_tie"]))
            for seat in sorted(places):
                place = places[seat]
                due = amount_for(total, (self.first if place == 1 else self.second)[card])
                if due:
                    self._expect(
                        "home_due", seat, name=CARDS[card], total=total, own=counts[seat], place=place, due=due
                    )
                    dues[seat] += due
        return dues

    def _store_dues(self, space: Space) -> dict[int, int]:
        """Read what each seat's Commercial cards bring; return what is due to each seat."""
        dues = dict.fromkeys(self.players, 0)
        for card in MEMBERS[COMMERCIAL]:
            each = self.rules["store_closing"][card - FIRST_OF[COMMERCIAL]]
            for seat, pile in space.built.items():
                if pile[card] and each:
                    due = pile[card] * each
                    self._expect("store_due", seat, name=CARDS[card], cards=pile[card], due=due)
                    dues[seat] += due
        return dues

    def _pay_dues(self, dues: dict[int, int], owner: int) -> int:
        """Read the income of each seat, all earned at once; return the coins earned by all (ORC-6, ORC-7)."""
        n_earned = 0
        for seat, due in dues.items():
            if due:
                coins = self._limited(due, owner)
                self._expect("closing_income", seat, due=due, coins=coins)
                self.players[seat].coins += coins
                n_earned += coins
        return n_earned

    def _close_highways(self, space: Space) -> None:
        """Read what the space's own Highways bring on closing."""
        for seat, pile in space.built.items():
            if pile[HIGHWAY]:
                self._earn("highway_closing", seat, pile[HIGHWAY], pile[HIGHWAY] * self.rules["highway_closing"])

    def _clear_space(self, owner: int, space: Space) -> None:
        """Read which cards their builders acquire and which are discarded (ORC-8, ORC-24)."""
        for seat, pile in space.built.items():
            cards = {card: pile[card] for card in ACQUIRED if pile[card]}
            if cards:
                self._expect("acquired", seat, cards={CARDS[card]: n for card, n in cards.items()})
                for card, n in cards.items():
                    self.players[seat].acquired[card] += n
        rest = {card: n for card, n in enumerate(space.total) if n and card not in ACQUIRED}
        self._expect("space_cleared", owner, cards={CARDS[card]: n for card, n in rest.items()})
        self._discard(rest)
        space.clear()

    # --- 6.c Accomplishment ---------------------------------------------------------------------------------

    def _accomplish(self, seat: int, player: Player) -> None:
        """Read one accomplishment; the last point ends the game before the card's ability (ORC-26)."""
        is_scrapped = self._comes("scrapped")
        if is_scrapped:
            self._scrap(seat, player)
        data = self._next("accomplished", seat, "name", "paid", "points")
        card = self._card(data["name"])
        if card < N_BUILT or not player.hand[card]:
            self._foul(f"a Public Works card is played from the hand, {as_cards(player.hand)}")
        if is_scrapped != (CARDS[card] == "airport"):
            self._foul("the Airport, and no other card, is played after an Industrial card is discarded (ORC-19)")
        self._check_condition(CARDS[card], player.space)
        self._pay(seat, player, card, data["paid"])  # ORC-19: with the technology that remains
        points = self.rules["points"][card - N_BUILT]
        if data["points"] != points:
            self._foul(f"{CARDS[card]} scores {points}")
        player.hand[card] -= 1
        player.acquired[card] += 1
        player.points += points
        if player.points >= self.rules["win_points"]:
            self.winner = seat
        elif CARDS[card] == "city_hall":
            self._hold_hall()
        elif CARDS[card] == "police_station" and self._comes("stolen"):
            self._steal(seat, player)

    def _scrap(self, seat: int, player: Player) -> None:
        """Read the Industrial card with technology that is discarded for the Airport (ORC-19)."""
        data = self._next("scrapped", seat, "name", "space")
        card = self._card(data["name"])
        if TYPE_OF[card] != INDUSTRIAL or not self.rules["technology"][card - FIRST_OF[INDUSTRIAL]]:
            self._foul("an Industrial card with technology is discarded (ORC-19)")
        if data["space"] is None:
            self._take({card: 1}, player.acquired, "the acquisition space")
        else:
            space = self.players[self._seat(data["space"])].space
            if not space.built[seat][card]:
                self._foul(f"of seat {seat} that space holds only {as_cards(space.built[seat])} (ORC-19)")
            space.add(seat, card, -1)
        self._discard({card: 1})

    def _check_condition(self, name: str, space: Space) -> None:
        """Check what the Hospital and the University demand of the player's space (ORC-11)."""
        if name == "hospital" and space.count(RESIDENTIAL) < self.rules["hospital_homes"]:
            self._foul(f"a Hospital needs {self.rules['hospital_homes']} Residential cards (ORC-11)")
        if name == "university" and space.count(COMMERCIAL) < self.rules["university_stores"]:
            self._foul(f"a University needs {self.rules['university_stores']} Commercial cards (ORC-11)")

    def _hold_hall(self) -> None:
        """Read who loses and who gains by City Hall, its player included (ORC-11)."""
        for seat, player in self.players.items():
            change = hall_effect(player.coins, self.rules)
            if change:
                self._expect("hall_loss" if change < 0 else "hall_gift", seat, coins=abs(change))
                player.coins += change

    def _steal(self, seat: int, player: Player) -> None:
        """Read the Police Station's theft and the card its victim draws (ORC-12)."""
        data = self._next("stolen", seat, "from", "name")
        victim_seat, card = self._seat(data["from"]), self._card(data["name"])
        if victim_seat == seat:
            self._foul("a card is taken from an opponent (ORC-12)")
        victim = self.players[victim_seat]
        self._take({card: 1}, victim.hand, f"the hand of seat {victim_seat}")
        player.hand[card] += 1
        self._check_hand(player)
        types = self._drawable(not victim.n_public_works())
        if types:
            self._draw("drawn", victim_seat, types, victim.hand)

    def _check_hand(self, player: Player) -> None:
        """Check that there is at most one Public Works card in a hand."""
        if player.n_public_works() > 1:
            self._foul("a hand holds at most one Public Works card")

    # --- 6.d Exchange, 6.e Flush, 6.f Pass ------------------------------------------------------------------

    def _exchange(self, seat: int, player: Player) -> None:
        """Read the cards laid into the common space and as many taken from it (ORC-14)."""
        laid = self._cards(self._next("laid", seat, "cards")["cards"])
        self._take(laid, player.hand, "the hand")
        for card, n in laid.items():
            self.common[card] += n
        taken = self._cards(self._next("taken", seat, "cards")["cards"])
        if sum(taken.values()) != sum(laid.values()):
            self._foul(f"as many cards are taken as were laid, {sum(laid.values())} (ORC-14)")
        self._take(taken, self.common, "the common space")
        for card, n in taken.items():
            player.hand[card] += n
        self._check_hand(player)

    def _flush(self, seat: int, player: Player) -> None:
        """Read the discarding of hand and common space and the cards that replace them (ORC-22)."""
        for kind, pile in (("flushed_hand", player.hand), ("flushed_common", self.common)):
            self._expect(kind, seat, cards=as_cards(pile))
            self._discard({card: n for card, n in enumerate(pile) if n})
            pile[:] = no_cards()
        for _ in range(self.rules["hand_size"]):
            self._draw_flushed("drawn", seat, player.hand, not player.n_public_works())
        for _ in range(self.rules["common_size"]):
            self._draw_flushed("common_card", seat, self.common, True)

    def _draw_flushed(self, kind: str, seat: int, target: Pile, is_public_works_allowed: bool) -> None:
        """Read one card of a flush: Residential while there are any, else of a pile chosen (ORC-15, ORC-22)."""
        types = self._drawable(is_public_works_allowed)
        if RESIDENTIAL in types:
            types = [RESIDENTIAL]
        if types:
            self._draw(kind, seat, types, target)

    def _pass(self, seat: int, player: Player) -> None:
        """Read a turn without any action."""
        self._expect("passed", seat)

    # --- 7. End of the game ---------------------------------------------------------------------------------

    def finish(self, outcome: dict[str, Any]) -> None:
        """Rank all seats, share the win and compare the outcome (ORC-16, ORC-24)."""
        self.phase = "final"
        self._expect("end", None, turns=self.turns, finished=int(self.winner is not None))
        ranks = final_ranks([(seat == self.winner, p.points, p.coins) for seat, p in self.players.items()])
        shares = [float(seat == self.winner) for seat in self.players]
        for seat, player in self.players.items():
            self._final(seat, player, ranks[seat - 1], shares[seat - 1])
        self._conserve_cards()
        if self.index + 1 < len(self.events):
            self._foul("the game is over", self.index + 1)
        self._check_outcome(outcome, ranks, shares)

    def _final(self, seat: int, player: Player, rank: int, share: float) -> None:
        """Compare one seat's last line."""
        wanted = {"points": player.points, "coins": player.coins, "rank": rank, "win_share": share}
        data = self._next("final", seat, *wanted)
        if not self._same_share(data["win_share"], share) or data | {"win_share": share} != wanted:
            self._foul(f"the rules demand {wanted}")

    @staticmethod
    def _same_share(found: object, share: float) -> bool:
        return isinstance(found, int | float) and math.isclose(found, share, abs_tol=1e-9)

    def _check_outcome(self, outcome: dict[str, Any], ranks: list[int], shares: list[float]) -> None:
        """Compare the document's outcome with the game just replayed."""
        found = outcome.get("win_share")
        is_list = isinstance(found, list | tuple) and len(found) == self.n_seats
        if not is_list or not all(map(self._same_share, found or (), shares)):
            raise Foul(f"outcome {outcome}: the rules demand win_share {shares}")
        points = [player.points for player in self.players.values()]
        if outcome.get("score") != points:
            raise Foul(f"outcome {outcome}: the rules demand score {points}")
        if outcome.get("rank") != ranks:
            raise Foul(f"outcome {outcome}: the rules demand rank {ranks}")

    def replay(self, outcome: dict[str, Any]) -> None:
        """Replay the whole game."""
        self.set_up()
        turn_limit = self.rules["turn_limit_per_seat"] * self.n_seats  # ORC-16
        while self.winner is None and self.turns < turn_limit:
            self.turn()
        self.finish(outcome)


def check(document: dict[str, Any]) -> None:
    """Replay a transcript of Ore City from the rules alone.

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
    Source: the printed rulebook of Ore City and the rulings ORC-1 to ORC-27.
    """
    Referee(document).replay(document["outcome"])
