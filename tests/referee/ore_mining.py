"""Referee for Ore: The Mining Game: replays a transcript from the rulebook and the rulings alone.

The referee shares no code with the engine. It keeps the table as a rulebook reader would (decks, hands, purses,
workers, contracts and their filled rows), reads the events one by one and demands that each is what the rules
require, or, where the rules leave a choice, one that they allow. Comments `ORE-n` cite the rulings. Of a deck the
referee knows which cards lie in it and the order of those that were put under it. All numbers come from the
document's own `rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

ORES = ("lead", "coal", "copper", "iron", "gold")
MINES = tuple(f"{ore}{number}" for ore in ORES for number in range(1, 7))
CONTRACTS = tuple(f"C{number:02}" for number in range(1, 31))
BUILDINGS = tuple(f"B{number:02}" for number in range(1, 21))
MINE = {name: number for number, name in enumerate(MINES)}
CONTRACT = {name: number for number, name in enumerate(CONTRACTS)}
BUILDING = {name: number for number, name in enumerate(BUILDINGS)}
ORE_OF = {name: name[:-1] for name in MINES}
LEVELS = ("none", "II", "III")  # of a Mine Cage; a box of level n needs a cage of index n - 1
IN_TOWN = ("mine_cage", "drill_bit", "commodity_market", "permit_office", "recruit", "advanced_orders")  # ORE-3
# fmt: off
OPTIONS = (
    "mine_cage", "drill_bit", "mines", "private_mine", "contract_deck", "commodity_market", "permit_office", "recruit",
    "advanced_orders", "overtime", "contracts", "building", "reacting",
)
# Every rule the referee reads: the lengths of its lists, () for a single number.
SHAPES: dict[str, tuple[int, ...]] = {
    "seat_money": (5,), "start_ore": (), "start_buildings": (), "start_workers": (4,), "rounds": (),
    "two_player": (), "contracts_shown": (4,), "overtime_places": (4,), "last_round_open": (), "recall_miners": (),
    "cage_price": (2,), "cage_points": (3,), "drill_bits": (), "drill_money": (), "private_price": (),
    "deck_look": (), "market_active": (), "market_other": (), "permit_price": (3,), "permit_other_price": (2,),
    "recruit_price": (5,), "advanced_draw": (), "dollars_per_point": (), "market_floor": (), "market_shift": (),
    "pay_scale": (), "building_scale": (), "mine_copies": (30,), "mine_market": (30,), "mine_level": (30, 5),
    "mine_yield": (30, 5), "contract_copies": (30,), "contract_need": (30, 4, 5), "contract_pay": (30, 4),
    "contract_buildings": (30,), "contract_points": (30,), "contract_two": (30,), "building_copies": (20,),
    "building_cash": (20,), "building_cost": (20, 5), "building_points": (20,), "building_two": (20,),
    "gain_money": (20,), "gain_ore": (20, 5), "gain_any": (20,), "gain_bits": (20,), "gain_cage": (20,),
    "gain_draw": (20,), "gain_sale": (20,), "sale_bonus": (), "gain_row": (20,), "gain_contract": (20,),
    "gain_look": (20,), "start_building": (5,), "barred": (5, 13),
}
# fmt: on
FRAME = {"game", "seats", "seed", "deal", "strategies", "rules", "events", "outcome"}
EVENT_KEYS = {"round", "phase", "kind", "seat", "data"}
N_ROUNDS = 7  # rounds that the outcome has columns for

Pile = list[int]  # cubes in the order of ORES
Event = dict[str, Any]


class Foul(Exception):  # noqa: N818 - the referee's own word
    """A transcript departs from the rules; the message names the event and what the rules demand."""


# --- Rules as pure functions --------------------------------------------------------------------------------


def scaled(amount: int, percent: int) -> int:
    """Return `amount` scaled and rounded half up."""
    return (amount * percent + 50) // 100


def boxes_of(levels: Sequence[int]) -> int:
    """Return how many boxes a mine card has."""
    return sum(level > 0 for level in levels)


def option_of(space: str) -> str:
    """Return the option, as `barred` names it, that a space belongs to."""
    if space.removesuffix("_mine") in ORES:
        return "mines"
    return "contracts" if space.removeprefix("contract_").isdigit() else space


def final_ranks(places: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return ranks from 1 of (points, ore left, money); equals share a rank (ORE-16)."""
    return [1 + sum(other > mine for other in places) for mine in places]


def is_whole(value: object, least: int | None = 0) -> bool:
    """Return whether `value` is an integer (no bool, no float) of at least `least`."""
    return type(value) is int and (least is None or value >= least)


def fits(value: object, shape: tuple[int, ...], least: int | None = 0) -> bool:
    """Return whether `value` is a whole number, or nested lists of them with the lengths of `shape`."""
    if not shape:
        return is_whole(value, least)
    if not isinstance(value, list | tuple) or len(value) != shape[0]:
        return False
    return all(fits(item, shape[1:], least) for item in value)


def is_same(found: Any, wanted: Any) -> bool:
    """Return whether two values are equal and of equal types, all the way down."""
    if isinstance(wanted, dict):
        is_like = isinstance(found, dict) and found.keys() == wanted.keys()
        return is_like and all(is_same(found[key], part) for key, part in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list | tuple) and len(found) == len(wanted) and all(map(is_same, found, wanted))
    return type(found) is type(wanted) and bool(found == wanted)


def is_same_share(found: Any, share: float) -> bool:
    """Return whether `found` is the share of a win."""
    return type(found) in (int, float) and 0 <= found <= 1 and abs(found - share) < 1e-9


def as_ore(pile: Iterable[int]) -> dict[str, int]:
    """Return `pile` as a transcript writes it: ore -> cubes without zeros."""
    return {ore: n for ore, n in zip(ORES, pile, strict=True) if n}


# --- The table ----------------------------------------------------------------------------------------------


@dataclass
class Deck:
    """A face-down deck: `unseen` cards in unknown order lie on cards put `under` it, the first of them topmost."""

    unseen: list[str]
    under: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.unseen) + len(self.under)

    def tops(self) -> list[str]:
        """Return the cards that can be the topmost one."""
        return self.unseen or self.under[:1]

    def draw(self, name: str) -> None:
        """Take the topmost card, one of `tops`."""
        (self.unseen or self.under).remove(name)


@dataclass
class Mine:
    """A face-up mine card and the seats whose workers stand in its boxes, the topmost being box 1."""

    name: str
    levels: Sequence[int]
    boxes: dict[int, int] = field(default_factory=dict)

    def is_open(self, box: int) -> bool:
        """Return whether the card has that box and nobody stands in it."""
        return 1 <= box <= boxes_of(self.levels) and box not in self.boxes


@dataclass
class Player:
    """What one seat has before it."""

    money: int
    ore: Pile
    in_front: int  # workers ready
    workers: int  # workers owned, on Recruit and not bought excluded
    bits: int = 0
    cage: int = 0  # index of LEVELS
    is_recruited: bool = False
    hand: list[str] = field(default_factory=list)
    contracts: dict[str, int] = field(default_factory=dict)  # name -> rows filled
    fresh: set[str] = field(default_factory=set)  # contracts not demanded this round (ORE-20)
    private: Mine | None = None
    completed: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)

    def may_enter(self, level: int) -> bool:
        """Return whether the Mine Cage gives passage to a box of that level."""
        return level <= self.cage + 1


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
        rules, by_seats = self.rules, self.n_seats - 2
        self.index = -1  # the event last read
        self.round, self.phase = 0, "setup"
        self.first, self.is_marker_taken, self.marker = 1, False, 1
        self.is_short = bool(self.n_seats == 2 and rules["two_player"])  # no copper, marked cards only (ORE-15)
        self.ores = self._ores_in_play(rules, self.n_seats)
        self.mines: dict[str, Mine] = {}
        self.mine_decks = {ore: Deck(self._cards(MINES, "mine", ore)) for ore in self.ores}
        self.contract_deck = Deck(self._cards(CONTRACTS, "contract"))
        self.building_deck = Deck(self._cards(BUILDINGS, "building"))
        decks = (*self.mine_decks.values(), self.contract_deck, self.building_deck)
        self.box = sorted(name for deck in decks for name in deck.unseen)  # all cards of the game
        self.slots: dict[int, str | None] = dict.fromkeys(range(1, rules["contracts_shown"][by_seats] + 1))
        self.lost: list[str] = []  # discarded contracts (ORE-18)
        self.bits = rules["drill_bits"]
        self.n_recruited = 0
        self.n_overtime = rules["overtime_places"][by_seats]
        mines = [f"{ore}_mine" for ore in self.ores]
        contracts = [f"contract_{slot}" for slot in self.slots]
        self.spaces = [*IN_TOWN, *mines, "private_mine", "contract_deck", "overtime", *contracts]  # ORE-2
        self.standing: dict[str, list[int]] = {space: [] for space in self.spaces}  # workers but those in mines
        self.after: list[list[int]] = []  # points by round and seat
        n_workers = rules["start_workers"][by_seats]
        ore = [rules["start_ore"] * (name in self.ores) for name in ORES]
        self.players = {
            seat: Player(rules["seat_money"][seat - 1], list(ore), n_workers, n_workers)
            for seat in range(1, self.n_seats + 1)
        }

    @staticmethod
    def _open(document: Any) -> tuple[dict[str, Any], int, list[Event]]:
        """Check the document's frame and that the rules cover its seats."""
        if not isinstance(document, dict) or not document.keys() >= FRAME:
            raise Foul(f"document: a transcript has {sorted(FRAME)}")
        rules, n_seats, events = document["rules"], document["seats"], document["events"]
        is_framed = all(isinstance(document[key], dict) for key in ("rules", "outcome"))
        if document["game"] != "ore_mining" or not is_framed or not isinstance(events, list):
            raise Foul("document: not a transcript of ore_mining")
        if not is_whole(document["seed"]) or not is_whole(document["deal"]):
            raise Foul("document: seed and deal are whole numbers")
        strategies = document["strategies"]
        is_table = is_whole(n_seats, 2) and n_seats <= 5
        if not is_table or not isinstance(strategies, list | tuple) or len(strategies) != n_seats:
            raise Foul(f"document: seats is {n_seats}; 2 to 5 play, each with a strategy")
        for name, shape in SHAPES.items():
            if not fits(rules.get(name), shape, None if name == "market_shift" else 0):
                raise Foul(f"document: rule {name} is {rules.get(name)}; whole numbers of shape {shape} are needed")
        Referee._check_rules(rules, n_seats)
        return rules, n_seats, events

    @staticmethod
    def _check_rules(rules: dict[str, Any], n_seats: int) -> None:
        """Check the few rules that cannot have just any number."""
        levels = [row for row, copies in zip(rules["mine_level"], rules["mine_copies"], strict=True) if copies]
        demands = {
            f"rounds from 1 to {N_ROUNDS}": 1 <= rules["rounds"] <= N_ROUNDS,
            "at least one dollar for a point": rules["dollars_per_point"] >= 1,
            "market values shifted down by 5 at most": rules["market_shift"] >= -5,
            "at least one contract looked at": rules["deck_look"] >= 1,
            "one to five contracts face up": all(1 <= n <= 5 for n in rules["contracts_shown"]),
            "each contract once at most": max(rules["contract_copies"]) <= 1,
            "up to 99 copies of a card": max(*rules["mine_copies"], *rules["building_copies"]) <= 99,
            "levels up to III": max(map(max, rules["mine_level"])) <= 3,
            "boxes from the top without a gap": all(row[0] and all(row[: boxes_of(row)]) for row in levels),
            "numbers of buildings": max(rules["start_building"]) <= len(BUILDINGS),
        }
        for ore in Referee._ores_in_play(rules, n_seats):
            copies = [n for name, n in zip(MINES, rules["mine_copies"], strict=True) if ORE_OF[name] == ore]
            demands[f"a {ore} mine"] = any(copies)
        for demand, is_met in demands.items():
            if not is_met:
                raise Foul(f"document: the rules need {demand}")

    @staticmethod
    def _ores_in_play(rules: dict[str, Any], n_seats: int) -> list[str]:
        """Return the ores of the game, without copper if two play (ORE-15)."""
        return [ore for ore in ORES if ore != "copper" or n_seats > 2 or not rules["two_player"]]

    def _cards(self, names: Sequence[str], deck: str, ore: str | None = None) -> list[str]:
        """Return the cards of a deck, or of one ore's mine deck, with copies (ORE-15)."""
        copies = self.rules[f"{deck}_copies"]
        if self.is_short and deck != "mine":
            copies = [n * bool(mark) for n, mark in zip(copies, self.rules[f"{deck}_two"], strict=True)]
        kept = [(name, n) for name, n in zip(names, copies, strict=True) if ore in (None, ORE_OF.get(name))]
        return [name for name, n in kept for _ in range(n)]

    # --- Reading events -------------------------------------------------------------------------------------

    def _foul(self, demand: str, index: int | None = None) -> NoReturn:
        """Blow the whistle on the event last read, or on the one at `index`."""
        index = self.index if index is None else index
        event = self.events[index] if 0 <= index < len(self.events) else None
        kind = event.get("kind") if isinstance(event, dict) else "none"
        raise Foul(f"event {index} ({kind}): {demand}; the transcript has {event}")

    def _next(self, kind: str, seat: int | None, *keys: str) -> dict[str, Any]:
        """Return the data, having exactly `keys`, of the next event, which must be `kind` of `seat`."""
        self.index += 1
        event = self.events[self.index] if self.index < len(self.events) else None
        if not isinstance(event, dict) or event.keys() != EVENT_KEYS or not isinstance(event["data"], dict):
            self._foul(f"{kind} of seat {seat} follows, an event with {sorted(EVENT_KEYS)}")
        found = [event["round"], event["phase"], event["kind"], event["seat"]]
        if not is_same(found, [self.round, self.phase, kind, seat]):
            self._foul(f"the rules demand {kind} of seat {seat} in round {self.round}, phase {self.phase}")
        data: dict[str, Any] = event["data"]
        if data.keys() != set(keys):
            self._foul(f"{kind} has exactly {sorted(keys)}")
        return data

    def _expect(self, kind: str, seat: int | None, **data: Any) -> None:
        """Read the next event, which the rules fix in full."""
        if not is_same(self._next(kind, seat, *data), data):
            self._foul(f"the rules demand {data}")

    def _comes(self, kind: str, seat: int | None) -> bool:
        """Return whether the next event is `kind` of `seat` in this phase."""
        event = self.events[self.index + 1] if self.index + 1 < len(self.events) else None
        found = [event.get(key) for key in ("round", "phase", "kind", "seat")] if isinstance(event, dict) else None
        return is_same(found, [self.round, self.phase, kind, seat])

    def _times(self, most: int, kind: str, seat: int) -> Iterator[int]:
        """Yield, up to `most` times, as often as the next event is `kind` of `seat`."""
        number = 0
        while number < most and self._comes(kind, seat):
            number += 1
            yield number

    def _one_of(self, name: object, names: Collection[str], what: str) -> str:
        """Return a name given in the event last read, which must be one of `names`."""
        if not isinstance(name, str) or name not in names:
            self._foul(f"{what} is one of {sorted(set(names))}")
        return name

    def _draw(self, deck: Deck, kind: str, seat: int | None, what: str, **data: Any) -> str:
        """Read that the topmost card of a deck is turned up or drawn; return its name."""
        found = self._next(kind, seat, "name", *data)
        name = self._one_of(found["name"], deck.tops(), f"the topmost {what}")
        if not is_same(found, {"name": name} | data):
            self._foul(f"the rules demand {data}")
        deck.draw(name)
        return name

    def _draw_buildings(self, seat: int, count: int) -> None:
        """Read `count` building cards drawn, or as many as there are (ORE-19)."""
        for _ in range(min(count, len(self.building_deck))):
            name = self._draw(self.building_deck, "building_drawn", seat, "building")
            self.players[seat].hand.append(name)

    def _pay(self, seat: int, money: int) -> None:
        """Take dollars that a seat must have."""
        if self.players[seat].money < money:
            self._foul(f"seat {seat} has {self.players[seat].money} dollars, not {money}")
        self.players[seat].money -= money

    def _pay_ore(self, seat: int, cubes: Sequence[int]) -> None:
        """Take cubes that a seat must have."""
        ore = self.players[seat].ore
        if any(n > own for n, own in zip(cubes, ore, strict=True)):
            self._foul(f"seat {seat} has {as_ore(ore)}, not {as_ore(cubes)}")
        self.players[seat].ore = [own - n for n, own in zip(cubes, ore, strict=True)]

    def _give_ore(self, seat: int, cubes: Sequence[int]) -> None:
        """Give cubes from the supply, which is never short (ORE-16)."""
        ore = self.players[seat].ore
        self.players[seat].ore = [own + n for n, own in zip(cubes, ore, strict=True)]

    def _order(self, first: int) -> list[int]:
        """Return the seats in turn order from `first`."""
        return [(first - 1 + step) % self.n_seats + 1 for step in range(self.n_seats)]

    def _is_barred(self, seat: int, option: str) -> bool:
        """Return whether an experiment keeps the seat from an option."""
        return bool(self.rules["barred"][seat - 1][OPTIONS.index(option)])

    def _value(self, ore: str) -> int:
        """Return an ore's market value on its face-up mine card (ORE-25)."""
        printed, shift = self.rules["mine_market"][MINE[self.mines[ore].name]], self.rules["market_shift"]
        return int(max(printed + shift, self.rules["market_floor"]))

    def _mine(self, name: str) -> Mine:
        """Return a mine card freshly turned up."""
        return Mine(name, self.rules["mine_level"][MINE[name]])

    # --- Set-up ---------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Read workers, money, ore and buildings of each, then the cards turned up (ORE-1, ORE-2)."""
        for seat, player in self.players.items():
            self._expect("seat_ready", seat, money=player.money, workers=player.in_front, ore=as_ore(player.ore))
        for seat in self.players:
            self._draw_buildings(seat, self.rules["start_buildings"])
            self._check_start_building(seat)
        for ore in self.ores:
            self._turn_up(ore)
        for slot in self.slots:
            if len(self.contract_deck):
                self._show(slot)
        self._expect("first_player", 1)
        self._conserve()

    def _check_start_building(self, seat: int) -> None:
        """Check the building that an experiment deals to a seat, if there are enough of it."""
        wishes = self.rules["start_building"][:seat]
        if not wishes[-1] or not self.rules["start_buildings"]:
            return
        name = BUILDINGS[wishes[-1] - 1]
        is_there = self.box.count(name) >= wishes.count(wishes[-1])
        if is_there and name not in self.players[seat].hand:
            self._foul(f"seat {seat} is dealt {name}, as the rules have it")

    def _turn_up(self, ore: str) -> None:
        """Read the next mine card of an ore turned up onto the board."""
        self.mines[ore] = self._mine(self._draw(self.mine_decks[ore], "mine_opened", None, f"{ore} mine"))

    def _show(self, slot: int) -> None:
        """Read a contract turned up into a slot."""
        self.slots[slot] = self._draw(self.contract_deck, "contract_shown", None, "contract", slot=slot)

    # --- Phase 1: Tasking -----------------------------------------------------------------------------------

    def tasking(self) -> None:
        """Read turns until every seat in a row passes or has no worker (ORE-22)."""
        self.phase = "tasking"
        seat, n_idle = self.first, 0
        while n_idle < self.n_seats:
            n_idle = 0 if self._turn(seat) else n_idle + 1
            seat = seat % self.n_seats + 1

    def _turn(self, seat: int) -> bool:
        """Read one turn; return whether a worker was placed."""
        if not self.players[seat].in_front:
            return False
        is_stuck = all(self._closed(seat, space) or self._undoable(seat, space) for space in self.spaces)
        if is_stuck:
            self._expect("passed", seat)
        else:
            self._place(seat)
        return not is_stuck

    def _closed(self, seat: int, space: str) -> str:
        """Return why a seat may not put a worker on a space, '' if it may (ORE-2, ORE-3)."""
        if self._is_barred(seat, option_of(space)):
            return f"seat {seat} is kept from {space}"
        if option_of(space) == "mines":
            return ""
        is_crowd = bool(space in IN_TOWN and self.rules["last_round_open"] and self.round == self.rules["rounds"])
        n_places = self.n_overtime if space == "overtime" else 1
        if len(self.standing[space]) >= n_places and not is_crowd:
            return f"{space} is occupied (ORE-2)"
        return ""

    def _undoable(self, seat: int, space: str) -> str:
        """Return why the action of a space cannot be paid and done, '' if it can (ORE-22)."""
        player, kind = self.players[seat], option_of(space)
        if kind == "mines":
            boxes = range(1, 4 if player.bits else 2)
            is_entered = any(not self._box_shut(player, self.mines[space.removesuffix("_mine")], box) for box in boxes)
            return "" if is_entered else f"seat {seat} finds no box in {space} (ORE-4)"
        if kind == "contracts":
            return "" if self.slots[int(space.removeprefix("contract_"))] else "the slot is empty (ORE-18)"
        if kind == "contract_deck":
            return "" if len(self.contract_deck) or self.lost else "no contract is left (ORE-18)"
        if kind == "permit_office":
            is_able = not len(self.building_deck) or self._permits(seat, self.rules["permit_price"])
            return "" if is_able else f"seat {seat} cannot pay for a building card (ORE-9)"
        if kind == "overtime":
            is_useful = any(self._is_overtime(seat, other) for other in IN_TOWN)
            return "" if is_useful else "no occupied space in town can be used (ORE-12)"
        price = self._price(player, kind)
        if price is None:
            return f"{kind} is of no more use to seat {seat} (ORE-5, ORE-6, ORE-10)"
        return "" if player.money >= price else f"{kind} costs {price}, seat {seat} has {player.money}"

    def _is_overtime(self, seat: int, space: str) -> bool:
        """Return whether Overtime gives a seat the use of a space (ORE-12, ORE-23)."""
        is_there = bool(self.standing[space]) and not self._is_barred(seat, space)
        return is_there and not self._undoable(seat, space)

    def _box_shut(self, player: Player, mine: Mine, box: int) -> str:
        """Return why a worker cannot enter a mine in a box, '' if it can (ORE-4)."""
        if not mine.is_open(box):
            return f"{mine.name} has no empty box {box}"
        if box > 1 and not player.bits:
            return "a drill bit is needed"
        if box > 1 and not player.may_enter(mine.levels[box - 1]):
            return f"box {box} needs a Mine Cage of level {mine.levels[box - 1]}"
        return ""

    def _place(self, seat: int) -> None:
        """Read a worker placed and what its space's action does."""
        data = self._next("placed", seat, "space", "used", "box", "bits", "paid")
        space = self._one_of(data["space"], self.spaces, "a space")
        used = self._one_of(data["used"], IN_TOWN if space == "overtime" else (space,), "the space used (ORE-12)")
        if space == "overtime" and not self._is_overtime(seat, used):
            self._foul(f"{used} is empty, barred or of no use to seat {seat} (ORE-12)")
        reason = self._closed(seat, space) or self._undoable(seat, space)
        if reason:
            self._foul(reason)
        self.players[seat].in_front -= 1
        kind = option_of(used)
        if kind == "mines":
            self._enter(seat, self.mines[used.removesuffix("_mine")], data)
            return
        self.standing[space].append(seat)
        if not is_same([data["box"], data["bits"]], [0, 0]):
            self._foul("box and bits are for mines")
        paid, price = data["paid"], self._price(self.players[seat], kind)
        if not is_whole(paid) or (paid != price and kind != "private_mine"):  # that price is seen when it opens
            self._foul(f"{kind} costs {price}")
        self._pay(seat, paid)
        if kind == "contracts":
            self._take_contract(seat, int(used.removeprefix("contract_")))
        elif kind == "private_mine":
            self._use_private_mine(seat, paid)
        else:
            action: Callable[[int], None] = getattr(self, f"_use_{kind}")
            action(seat)

    def _price(self, player: Player, kind: str) -> int | None:
        """Return the least that a space costs at once, None if it is of no more use (ORE-5, ORE-6, ORE-10)."""
        if kind == "mine_cage":
            return None if player.cage == len(LEVELS) - 1 else self.rules["cage_price"][player.cage]
        if kind == "recruit":
            return None if player.is_recruited else self.rules["recruit_price"][self.n_recruited]
        if kind == "private_mine":
            values = [self._value(ore) for ore in self.ores if len(self.mine_decks[ore])]  # ORE-24
            return None if player.private or not values else self.rules["private_price"] + min(values)
        return 0

    # --- Board spaces in detail -----------------------------------------------------------------------------

    def _use_mine_cage(self, seat: int) -> None:
        """Read the Mine Cage raised by a level (ORE-5)."""
        self.players[seat].cage += 1
        self._expect("cage_raised", seat, level=LEVELS[self.players[seat].cage])

    def _use_drill_bit(self, seat: int) -> None:
        """Read the drill bit and the dollars taken; an empty supply still pays (ORE-25)."""
        money, bits = self.rules["drill_money"], min(1, self.bits)
        self._expect("bits_gained", seat, bits=bits, money=money)
        self._give_bits(seat, bits)
        self.players[seat].money += money

    def _give_bits(self, seat: int, bits: int) -> None:
        """Move drill bits from the supply to a seat, or back if negative (ORE-4)."""
        self.players[seat].bits += bits
        self.bits -= bits

    def _enter(self, seat: int, mine: Mine, data: dict[str, Any]) -> None:
        """Check the box that a worker enters a mine in, and the drill bit it takes (ORE-4)."""
        box = data["box"]
        if not is_whole(box, 1) or box > 3:
            self._foul("a worker enters box 1, 2 or 3 of a mine (ORE-4)")
        reason = self._box_shut(self.players[seat], mine, box)
        if reason:
            self._foul(f"{reason} (ORE-4)")
        if not is_same([data["bits"], data["paid"]], [int(box > 1), 0]):
            self._foul(f"entering box {box} takes {int(box > 1)} drill bits and no dollars (ORE-4)")
        self._give_bits(seat, -data["bits"])
        mine.boxes[box] = seat

    def _use_private_mine(self, seat: int, paid: int) -> None:
        """Read the card of the private mine and check what was paid for it (ORE-6)."""
        tops = [name for deck in self.mine_decks.values() for name in deck.tops()]
        name = self._one_of(self._next("private_opened", seat, "name")["name"], tops, "the topmost mine card")
        ore = ORE_OF[name]
        price = self.rules["private_price"] + self._value(ore)
        if paid != price:
            self._foul(f"a private {ore} mine costs {price}, not {paid} (ORE-6)")
        self.mine_decks[ore].draw(name)
        mine = self.players[seat].private = self._mine(name)
        mine.boxes[1] = seat

    def _take_contract(self, seat: int, slot: int) -> str:
        """Read a face-up contract taken and its slot refilled at once (ORE-7, ORE-18, ORE-21)."""
        name = self.slots[slot]
        self._expect("contract_taken", seat, slot=slot, name=name)
        assert name is not None
        self.players[seat].contracts[name] = 0
        self.slots[slot] = None
        self._reshuffle()
        if len(self.contract_deck):
            self._show(slot)
        return name

    def _reshuffle(self) -> None:
        """Read the lost contracts shuffled into an empty deck, if there are any (ORE-18)."""
        if not len(self.contract_deck) and self.lost:
            self._expect("contracts_reshuffled", None, cards=len(self.lost))
            self.contract_deck.unseen, self.lost = self.lost, []

    def _use_contract_deck(self, seat: int) -> None:
        """Read the contracts looked at and the one kept (ORE-7)."""
        self._look(seat, self.rules["deck_look"], is_free=False)

    def _look(self, seat: int, count: int, is_free: bool) -> str | None:
        """Read contracts looked at, one kept, or none if `is_free`, the others put under the deck (ORE-18)."""
        self._reshuffle()
        count = min(count, len(self.contract_deck))
        seen = [self._draw(self.contract_deck, "contract_looked", seat, "contract") for _ in range(count)]
        kept = None
        if seen and (not is_free or self._comes("contract_kept", seat)):
            kept = self._one_of(self._next("contract_kept", seat, "name")["name"], seen, "the contract kept")
            seen.remove(kept)
            self.players[seat].contracts[kept] = 0
        for name in seen:
            self._expect("contract_returned", seat, name=name)
            self.contract_deck.under.append(name)
        return kept

    def _use_commodity_market(self, seat: int) -> None:
        """Read the active player's trade, then what each other trades of the same ore (ORE-8)."""
        ore = self._trade(seat, self.rules["market_active"], self.ores)
        if ore:
            for other in self._order(seat)[1:]:
                most = 0 if self._is_barred(other, "reacting") else self.rules["market_other"]
                self._trade(other, most, [ore])

    def _trade(self, seat: int, most: int, ores: Collection[str]) -> str | None:
        """Read cubes bought or sold at market value, or nothing traded; return the ore."""
        if self._comes("not_traded", seat):
            self._expect("not_traded", seat)
            return None
        return self._deal(seat, "sold" if self._comes("sold", seat) else "bought", most, 0, ores)

    def _deal(self, seat: int, kind: str, most: int, bonus: int, ores: Collection[str]) -> str:
        """Read cubes of one ore bought or sold, at market value and a bonus; return the ore."""
        data = self._next(kind, seat, "name", "cubes", "price")
        ore = self._one_of(data["name"], ores, "the ore traded")
        cubes, price = data["cubes"], self._value(ore) + bonus
        if not is_whole(cubes, 1) or cubes > most:
            self._foul(f"seat {seat} trades up to {most} cubes (ORE-8)")
        if not is_same(data["price"], price):
            self._foul(f"a cube of {ore} is worth {price} (ORE-8)")
        pile = [cubes * (name == ore) for name in ORES]
        if kind == "sold":
            self._pay_ore(seat, pile)
            self.players[seat].money += cubes * price
        else:
            self._pay(seat, cubes * price)
            self._give_ore(seat, pile)
        return ore

    def _use_permit_office(self, seat: int) -> None:
        """Read the building cards that the active player draws, then those of each other (ORE-9)."""
        prices = self.rules["permit_price"]
        self._draw_permits(seat, self._permits(seat, prices) if len(self.building_deck) else [0], prices)
        for other in self._order(seat)[1:]:
            prices = [] if self._is_barred(other, "reacting") else self.rules["permit_other_price"]
            self._draw_permits(other, [0, *self._permits(other, prices)], prices)

    def _permits(self, seat: int, prices: Sequence[int]) -> list[int]:
        """Return how many cards, at least one, a seat can pay for and the deck still has (ORE-19)."""
        counts = enumerate(prices[: len(self.building_deck)], 1)
        return [n for n, price in counts if price <= self.players[seat].money]

    def _draw_permits(self, seat: int, counts: Collection[int], prices: Sequence[int]) -> None:
        """Read the building cards announced, paid and drawn."""
        data = self._next("permits", seat, "cards", "paid")
        n_cards = data["cards"]
        if not is_whole(n_cards) or n_cards not in counts:
            self._foul(f"seat {seat} can draw {counts} cards (ORE-9, ORE-19)")
        price = prices[n_cards - 1] if n_cards else 0
        if not is_same(data["paid"], price):
            self._foul(f"{n_cards} cards cost seat {seat} {price} (ORE-9)")
        self._pay(seat, price)
        self._draw_buildings(seat, n_cards)

    def _use_recruit(self, seat: int) -> None:
        """Read the worker bought, who comes home with the others (ORE-10)."""
        self.n_recruited += 1
        self._expect("recruited", seat, number=self.n_recruited)
        self.players[seat].is_recruited = True
        self.players[seat].workers += 1

    def _use_advanced_orders(self, seat: int) -> None:
        """Read the marker taken, the building drawn, and the rows that all fill if they wish (ORE-11)."""
        self._expect("marker_taken", seat)
        self.marker, self.is_marker_taken = seat, True
        self._draw_buildings(seat, self.rules["advanced_draw"])
        self.phase = "advanced_orders"
        for other in self._order(seat):
            held = set(self.players[other].contracts)
            while self._comes("row_filled", other):
                held.remove(self._fill(other, held))
            self._complete_all(other)
        self.phase = "tasking"

    # --- Phase 2: Collection --------------------------------------------------------------------------------

    def collection(self) -> None:
        """Read the resources gathered, the workers advanced and the exhausted cards replaced (ORE-13, ORE-24)."""
        self.phase = "collection"
        board = [self.mines[ore] for ore in self.ores]
        owners = [(seat, mine) for seat in self._order(self.first) if (mine := self.players[seat].private)]
        for mine in (*board, *(mine for _, mine in owners)):
            self._dig(mine)
        for ore in self.ores:
            if self.mines[ore].boxes and self._is_exhausted(self.mines[ore], None):
                self._send_home(self.mines[ore])
                self.mine_decks[ore].under.append(self.mines[ore].name)
                self._turn_up(ore)
        for seat, mine in owners:
            if self._is_exhausted(mine, seat):
                self.mine_decks[ORE_OF[mine.name]].under.append(mine.name)
                self.players[seat].private = None

    def _dig(self, mine: Mine) -> None:
        """Read what each worker on a card earns, from the top box down."""
        for box, seat in sorted(mine.boxes.items()):
            cubes = self.rules["mine_yield"][MINE[mine.name]][box - 1]
            self._expect("dug", seat, name=mine.name, box=box, cubes=cubes)
            self._give_ore(seat, [cubes * (ore == ORE_OF[mine.name]) for ore in ORES])

    def _is_exhausted(self, mine: Mine, owner: int | None) -> bool:
        """Read all workers on a card advanced, or the card exhausted; return which (ORE-13)."""
        if boxes_of(mine.levels) in mine.boxes:
            self._expect("exhausted", owner, name=mine.name, by="bottom")
            return True
        if not all(self.players[seat].may_enter(mine.levels[box]) for box, seat in mine.boxes.items()):
            self._expect("exhausted", owner, name=mine.name, by="cage")
            return True
        self._expect("advanced", owner, name=mine.name)
        mine.boxes = {box + 1: seat for box, seat in mine.boxes.items()}
        return False

    def _send_home(self, mine: Mine) -> None:
        """Return the workers on a card to their owners."""
        for seat in mine.boxes.values():
            self.players[seat].in_front += 1
        mine.boxes = {}

    # --- Phase 3: Business ----------------------------------------------------------------------------------

    def business(self) -> None:
        """Read each seat's contracts filled or lost, then completed, in turn order (ORE-14, ORE-23)."""
        self.phase = "business"
        for seat in self._order(self.first):
            self._sell_rows(seat)
            self._complete_all(seat)
        for player in self.players.values():
            player.fresh.clear()

    def _sell_rows(self, seat: int) -> None:
        """Read the next row of every contract filled or the contract lost; a fresh one may be left (ORE-20)."""
        player = self.players[seat]
        held = set(player.contracts)
        while held - player.fresh or self._comes("row_filled", seat):
            if self._comes("contract_lost", seat):
                data = self._next("contract_lost", seat, "name")
                name = self._one_of(data["name"], held - player.fresh, "a contract to fill or lose (ORE-14)")
                del player.contracts[name]
                self.lost.append(name)
            else:
                name = self._fill(seat, held)
            held.remove(name)

    def _fill(self, seat: int, held: Collection[str]) -> str:
        """Read the topmost open row of one of the contracts `held` filled and paid (ORE-14)."""
        player = self.players[seat]
        data = self._next("row_filled", seat, "name", "row", "money")
        name = self._one_of(data["name"], held, "a contract whose row may be filled")
        open_rows = self._open_rows(name, player.contracts[name])
        if not open_rows:
            self._foul(f"{name} has no open row")
        at = open_rows[0] - 1
        money = scaled(self.rules["contract_pay"][CONTRACT[name]][at], self.rules["pay_scale"])
        if not is_same([data["row"], data["money"]], [at + 1, money]):
            self._foul(f"row {at + 1} of {name} is the topmost open one and pays {money} (ORE-14)")
        self._pay_ore(seat, self.rules["contract_need"][CONTRACT[name]][at])
        player.money += money
        player.contracts[name] += 1
        return name

    def _open_rows(self, name: str, n_filled: int) -> list[int]:
        """Return the open rows of a contract, from 1: those that take any cube and are not filled."""
        need = enumerate(self.rules["contract_need"][CONTRACT[name]], 1)
        return [row for row, cubes in need if any(cubes)][n_filled:]

    def _complete_all(self, seat: int) -> None:
        """Read the full contracts completed one by one, each with the buildings it allows (ORE-14, ORE-23)."""
        player = self.players[seat]
        while full := [name for name, n in player.contracts.items() if n and not self._open_rows(name, n)]:
            data = self._next("contract_completed", seat, "name", "points")
            name = self._one_of(data["name"], full, "a full contract")
            if not is_same(data["points"], self.rules["contract_points"][CONTRACT[name]]):
                self._foul(f"{name} scores {self.rules['contract_points'][CONTRACT[name]]}")
            del player.contracts[name]
            player.fresh.discard(name)
            player.completed.append(name)
            for _ in self._times(self.rules["contract_buildings"][CONTRACT[name]], "built", seat):
                self._build(seat)

    def _build(self, seat: int) -> None:
        """Read one building paid whole in cash or whole in ore, and its once-ability (ORE-14)."""
        player = self.players[seat]
        data = self._next("built", seat, "name", "money", "ore", "points")
        if self._is_barred(seat, "building"):
            self._foul(f"seat {seat} is kept from building")
        name = self._one_of(data["name"], player.hand, "a building in hand")
        at = BUILDING[name]
        cash, cost = self.rules["building_cash"][at], self.rules["building_cost"][at]
        if any(cost) and is_same([data["money"], data["ore"]], [0, as_ore(cost)]):
            self._pay_ore(seat, cost)
        elif is_same([data["money"], data["ore"]], [cash, {}]):
            self._pay(seat, cash)
        else:
            self._foul(f"{name} costs {cash} dollars or else {as_ore(cost)}")
        if not is_same(data["points"], self._building_points(name)):
            self._foul(f"{name} scores {self._building_points(name)}")
        player.hand.remove(name)
        player.built.append(name)
        self._activate(seat, name, at)

    def _building_points(self, name: str) -> int:
        """Return the points of a built building."""
        return scaled(self.rules["building_points"][BUILDING[name]], self.rules["building_scale"])

    # --- Once-abilities -------------------------------------------------------------------------------------

    def _activate(self, seat: int, name: str, at: int) -> None:
        """Read what a building does once; all of it may be declined (ORE-20)."""
        player = self.players[seat]
        self._gain_fixed(seat, name, at)
        for _ in self._times(self.rules["gain_any"][at], "gained", seat):
            self._gain_cube(seat)
        if self.rules["gain_sale"][at] and self._comes("sold", seat):
            self._deal(seat, "sold", self.rules["gain_sale"][at], self.rules["sale_bonus"], self.ores)
        held = set(player.contracts)
        for _ in self._times(self.rules["gain_row"][at], "row_filled", seat):
            held.remove(self._fill(seat, held))
        for _ in self._times(self.rules["gain_contract"][at], "contract_taken", seat):
            player.fresh.add(self._take_any(seat))
        if self.rules["gain_look"][at]:
            kept = self._look(seat, self.rules["gain_look"][at], is_free=True)
            player.fresh |= {kept} if kept else set()

    def _gain_fixed(self, seat: int, name: str, at: int) -> None:
        """Read the fixed gains: all of them as far as possible, or none if declined."""
        player = self.players[seat]
        money, bits = self.rules["gain_money"][at], min(self.rules["gain_bits"][at], self.bits)
        ore = [n * (of in self.ores) for of, n in zip(ORES, self.rules["gain_ore"][at], strict=True)]
        levels = min(self.rules["gain_cage"][at], len(LEVELS) - 1 - player.cage)
        n_cards = min(self.rules["gain_draw"][at], len(self.building_deck))
        if not (money or bits or any(ore) or levels or n_cards):
            return
        if self._comes("declined", seat):
            self._expect("declined", seat, name=name)
            return
        if money or bits or any(ore):
            self._expect("gained", seat, money=money, bits=bits, ore=as_ore(ore))
        player.money += money
        self._give_bits(seat, bits)
        self._give_ore(seat, ore)
        if levels:
            player.cage += levels
            self._expect("cage_raised", seat, level=LEVELS[player.cage])
        self._draw_buildings(seat, n_cards)

    def _gain_cube(self, seat: int) -> None:
        """Read one cube of any ore in play gained."""
        data = self._next("gained", seat, "money", "bits", "ore")
        cubes = [as_ore(int(of == ore) for of in ORES) for ore in self.ores]
        if not is_same([data["money"], data["bits"]], [0, 0]) or not any(is_same(data["ore"], cube) for cube in cubes):
            self._foul(f"one of {cubes} is gained (ORE-20)")
        self._give_ore(seat, [data["ore"].get(ore, 0) for ore in ORES])

    def _take_any(self, seat: int) -> str:
        """Read a face-up contract taken by a building's ability; its space is not occupied (ORE-20)."""
        slot = self.events[self.index + 1].get("data", {})
        slot = slot.get("slot") if isinstance(slot, dict) else None
        if type(slot) is not int or not self.slots.get(slot):
            self._foul(f"a face-up contract of {self.slots} is taken (ORE-20)", self.index + 1)
        return self._take_contract(seat, slot)

    # --- Pass 1st player, Recall Workers --------------------------------------------------------------------

    def round_end(self) -> None:
        """Read the marker passed, the workers recalled and how everyone stands (ORE-11, ORE-13)."""
        self.phase = "round_end"
        self.first = self.marker if self.is_marker_taken else self.first % self.n_seats + 1
        self._expect("marker", self.first, taken=int(self.is_marker_taken))
        self.marker, self.is_marker_taken = self.first, False
        if self.rules["recall_miners"]:
            for mine in self.mines.values():
                self._send_home(mine)
        for workers in self.standing.values():
            workers.clear()
        for seat, player in self.players.items():
            player.in_front = player.workers - self._n_mining(seat)
            self._expect("recalled", seat, workers=player.in_front)
        for seat, player in self.players.items():
            points = sum(self._points(player))
            self._expect("standing", seat, points=points, money=player.money, ore=as_ore(player.ore))
        self.after.append([sum(self._points(player)) for player in self.players.values()])
        self._conserve()

    def _n_mining(self, seat: int) -> int:
        """Return the workers of a seat on the board's mines."""
        return sum(list(mine.boxes.values()).count(seat) for mine in self.mines.values())

    def _conserve(self) -> None:
        """Account for every mine, contract and building card, every drill bit and worker."""
        players = self.players.values()
        mines = [mine.name for mine in (*self.mines.values(), *(p.private for p in players)) if mine]
        for deck in self.mine_decks.values():
            mines += [*deck.unseen, *deck.under]
        deck = self.contract_deck
        contracts = [*deck.unseen, *deck.under, *self.lost, *filter(None, self.slots.values())]
        contracts += [name for player in players for name in (*player.contracts, *player.completed)]
        buildings = list(self.building_deck.unseen)
        buildings += [name for player in players for name in (*player.hand, *player.built)]
        if sorted([*mines, *contracts, *buildings]) != self.box:
            self._foul("every card lies in one place")
        if self.bits < 0 or self.bits + sum(player.bits for player in players) != self.rules["drill_bits"]:
            self._foul("all drill bits lie somewhere")
        if any(p.in_front < 0 or p.in_front + self._n_mining(seat) != p.workers for seat, p in self.players.items()):
            self._foul("all workers are somewhere")

    # --- End game -------------------------------------------------------------------------------------------

    def _points(self, player: Player) -> tuple[int, int, int, int]:
        """Return a seat's points for contracts, buildings, money and Mine Cage (ORE-16)."""
        contracts = sum(self.rules["contract_points"][CONTRACT[name]] for name in player.completed)
        buildings = sum(map(self._building_points, player.built))
        dollars = player.money // self.rules["dollars_per_point"]
        return contracts, buildings, dollars, self.rules["cage_points"][player.cage]

    def finish(self, outcome: dict[str, Any]) -> None:
        """Rank all seats, share the win and compare the outcome (ORE-16)."""
        self.phase = "final"
        points = [self._points(player) for player in self.players.values()]
        purses = [(sum(player.ore), player.money) for player in self.players.values()]
        ranks = final_ranks([(sum(own), *purse) for own, purse in zip(points, purses, strict=True)])
        shares = [(rank == 1) / ranks.count(1) for rank in ranks]
        for seat in self.players:
            at = seat - 1
            self._final(seat, points[at], purses[at], ranks[at], shares[at])
        if self.index + 1 < len(self.events):
            self._foul("the game is over", self.index + 1)
        self._check_outcome(outcome, points, ranks, shares)

    def _final(self, seat: int, points: tuple[int, ...], purse: tuple[int, int], rank: int, share: float) -> None:
        """Compare one seat's last line."""
        wanted = dict(zip(("contracts", "buildings", "dollars", "cage"), points, strict=True))
        wanted |= {"points": sum(points), "ore_left": purse[0], "money": purse[1], "rank": rank}
        data = self._next("final", seat, *wanted, "win_share")
        if not is_same_share(data["win_share"], share) or not is_same(data, wanted | {"win_share": data["win_share"]}):
            self._foul(f"the rules demand {wanted}, win_share {share}")

    def _check_outcome(
        self, outcome: dict[str, Any], points: list[tuple[int, int, int, int]], ranks: list[int], shares: list[float]
    ) -> None:
        """Compare the document's outcome with the game just replayed."""
        players = list(self.players.values())
        found = outcome.get("win_share")
        is_list = isinstance(found, list | tuple) and len(found) == self.n_seats
        if not is_list or not all(map(is_same_share, found or (), shares)):
            raise Foul(f"outcome {outcome}: the rules demand win_share {shares}")
        wanted = {"score": [sum(own) for own in points], "rank": ranks}
        names = ("contract_points", "building_points", "money_points", "cage_points")
        wanted |= {name: [own[at] for own in points] for at, name in enumerate(names)}
        wanted["money"] = [player.money for player in players]
        wanted["ore"] = [sum(player.ore) for player in players]
        wanted["contracts"] = [len(player.completed) for player in players]
        wanted["buildings"] = [len(player.built) for player in players]
        wanted["recruited"] = [int(player.is_recruited) for player in players]
        for number in range(1, N_ROUNDS + 1):
            wanted[f"after_{number}"] = self.after[min(number, len(self.after)) - 1]
        for name, column in wanted.items():
            if not is_same(outcome.get(name), column):
                raise Foul(f"outcome {outcome}: the rules demand {name} {column}")

    def replay(self, outcome: dict[str, Any]) -> None:
        """Replay the whole game."""
        self.set_up()
        for number in range(1, self.rules["rounds"] + 1):
            self.round = number
            self.tasking()
            self.collection()
            self.business()
            self.round_end()
        self.finish(outcome)


def check(document: dict[str, Any]) -> None:
    """Replay a transcript of Ore: The Mining Game from the rules alone.

    Parameters
    ----------
    document : dict
        One transcript: `game`, `seats`, `seed`, `deal`, `strategies`, `rules`, `events`, `outcome`. It is not changed.

    Raises
    ------
    Foul
        At the first event, or in the outcome, where the transcript departs from the rules.

    Notes
    -----
    Source: the printed rulebook of Ore: The Mining Game and the rulings ORE-1 to ORE-25.
    """
    Referee(document).replay(document["outcome"])
