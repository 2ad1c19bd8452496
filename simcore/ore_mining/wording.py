"""Ore: The Mining Game's transcript in the rulebook's words: a paragraph a worker placed, a line a seat elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from simcore.ore_mining import GAME
from simcore.wording import count, listed, title, wrapped

HELD = "\u00a0"  # keeps a card's kind and its number on one line
IDLE = {  # how one seat, and how several, do nothing
    "passed": ("passes", "pass"),
    "not_traded": ("trades nothing", "trade nothing"),
    "no_permits": ("draws no building", "draw no building"),
}
ORDINALS = ("first", "second", "third", "fourth", "fifth")
WITH_ARTICLE = ("mine", "deck", "market", "office")  # the last word of spaces named with `the`
CAUSES = {"bottom": "at the bottom", "cage": "for want of a deeper Mine Cage"}
TIE_BREAKS = {"ore_left": "more ore left", "money": "more money"}  # in order (ORE-16)

Event = Mapping[str, Any]
Data = Mapping[str, Any]


def tell(document: Mapping[str, Any]) -> str:
    """A game in words.

    Parameters
    ----------
    document : as `simcore.transcript.play_transcript` returns it; the events of an unfinished game may stop
        anywhere, its `outcome` is None

    Returns
    -------
    str
        Lines of at most 100 characters, the last one ended too.
    """
    lines = title(GAME, document)
    number = None
    for (round_number, phase), events in groupby(_noted(document["events"]), _part):
        if round_number != number or phase == "final":
            lines.append("")
        number = round_number
        lines.append(HEADINGS.get(phase) or f"Round {number} — {PARTS[phase]}")
        for text in PHASES[phase](list(events)):
            lines += wrapped(text)
    if document["outcome"] is None:
        lines += ["", "The game breaks off here."]
    return "\n".join(lines) + "\n"


def _part(event: Event) -> tuple[int, str]:
    """Advanced Orders are told where the worker was placed."""
    return event["round"], "tasking" if event["phase"] == "advanced_orders" else event["phase"]


def _noted(events: Sequence[Event]) -> Iterator[Event]:
    """To contracts taken and shown goes `at`: the slot that the reader has just been told of."""
    slot = ""
    for event in events:
        data = event["data"]
        if event["kind"] == "placed":
            slot = data["used"].removeprefix("contract_")
        elif event["kind"] in ("contract_taken", "contract_shown"):
            data = {**data, "at": slot}
            slot = str(data["slot"]) if event["kind"] == "contract_taken" else ""
        yield {**event, "data": data}


# --- phases ------------------------------------------------------------------------------------------------


def _tell_setup(events: Sequence[Event]) -> Iterator[str]:
    """A line a seat, one for the mines, one for the contracts."""
    seats: dict[int, list[str]] = {}
    mines, contracts = [], []
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "seat_ready":
                workers = count(data["workers"], "worker")
                seats[event["seat"]] = [f"starts with ${data['money']}, {workers}, {_ore(data['ore'])}"]
            case "mine_opened":
                mines.append(_mine(data["name"]))
            case "contract_shown":
                contracts.append(f"{data['name']} on space {data['slot']}")
    for (seat, kind), same in groupby(events, itemgetter("seat", "kind")):
        if kind == "building_drawn":
            seats.setdefault(seat, []).append(_drawn(list(same)))
    yield from (f"Seat {seat} {'; '.join(clauses)}." for seat, clauses in seats.items())
    if mines:
        yield f"Open are {listed(mines)}."
    if contracts:
        yield f"Contracts face up: {', '.join(contracts)}."
    yield from (f"Seat {event['seat']} is first player." for event in events if event["kind"] == "first_player")


def _tell_tasking(events: Sequence[Event]) -> Iterator[str]:
    """A paragraph a worker, with what others do thereupon; passes in a row in one."""
    kinds = [event["kind"] for event in events]
    starts = [
        at
        for at, kind in enumerate(kinds)
        if kind == "placed" or (kind == "passed" and (at == 0 or kinds[at - 1] != "passed")) or at == 0
    ]
    for start, end in pairwise([*starts, len(events)]):
        yield _told(events[start:end])


def _tell_collection(events: Sequence[Event]) -> Iterator[str]:
    """Who digs what, where workers move down, which mines are exhausted and why."""
    dug: dict[int, list[str]] = {}
    down = []
    exhausted: dict[str, list[str]] = {}
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "dug":
                cubes = f"{data['cubes']} {data['name'][:-1]} ({_mine(data['name'])}, box{HELD}{data['box']})"
                dug.setdefault(event["seat"], []).append(cubes)
            case "advanced":
                down.append(_mine(data["name"], event["seat"]))
            case "exhausted":
                last = exhausted.setdefault(CAUSES[data["by"]], [])
                last.append(_mine(data["name"], event["seat"]))
            case "mine_opened":
                last[-1] += f" (now {_mine(data['name'])})"
    yield from (f"Seat {seat} digs {listed(dug[seat])}." for seat in sorted(dug))
    sentences = [f"Workers move down in {listed(down)}."] if down else []
    sentences += [f"Exhausted {cause}: {', '.join(mines)}." for cause, mines in exhausted.items()]
    if sentences:
        yield " ".join(sentences)


def _tell_business(events: Sequence[Event]) -> Iterator[str]:
    """A paragraph a seat."""
    turn: list[Event] = []
    for event in events:
        if turn and event["seat"] not in (None, turn[0]["seat"]):
            yield _told(turn)
            turn = []
        turn.append(event)
    yield _told(turn)


def _tell_round_end(events: Sequence[Event]) -> Iterator[str]:
    """Who is first player, and a line a seat."""
    seats: dict[int, list[str]] = {}
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "marker":
                how = "has taken the 1st player marker" if data["taken"] else "is passed the 1st player marker"
                yield f"Seat {event['seat']} {how}."
            case "recalled":
                seats.setdefault(event["seat"], []).append(f"{count(data['workers'], 'worker')} to place")
            case "standing":
                has = f"{count(data['points'], 'point')}, ${data['money']}, {_ore(data['ore'])}"
                seats.setdefault(event["seat"], []).insert(0, has)
    yield from (f"Seat {seat}: {'; '.join(parts)}." for seat, parts in seats.items())


def _tell_final(events: Sequence[Event]) -> Iterator[str]:
    """The seats by rank; once all are told, who wins and why."""
    final = {event["seat"]: event["data"] for event in events}
    by_rank = sorted(final, key=lambda seat: (final[seat]["rank"], seat))
    for seat in by_rank:
        data = final[seat]
        sources = (
            f"{data['contracts']} for contracts, {data['buildings']} for buildings, "
            f"{data['dollars']} for ${data['money']}, {data['cage']} for its cage"
        )
        yield f"Seat {seat}, rank {data['rank']}: {count(data['points'], 'point')} ({sources}); {data['ore_left']} ore."
    if sum(data["win_share"] for data in final.values()) < 0.99:
        return
    points = count(final[by_rank[0]]["points"], "point")
    winners = [str(seat) for seat in by_rank if final[seat]["rank"] == 1]
    if len(winners) > 1:
        yield f"Seats {listed(winners)} share the win with {points} each, equal in ore and money too."
    else:
        yield " ".join([f"Seat {winners[0]} wins with {points}.", *_tell_tie(final, by_rank)])


def _tell_tie(final: Mapping[int, Data], by_rank: Sequence[int]) -> Iterator[str]:
    """Which tie-break parts the winner from others with as many points."""
    best = final[by_rank[0]]
    tied = [seat for seat in by_rank[1:] if final[seat]["points"] == best["points"]]
    for name, words in TIE_BREAKS.items():
        beaten = [seat for seat in tied if final[seat][name] < best[name]]
        if beaten:
            numbers = listed([str(final[seat][name]) for seat in beaten])
            rivals = ("seat " if len(beaten) == 1 else "seats ") + listed([str(seat) for seat in beaten])
            yield f"The tie with {rivals} is broken by {words}: {best[name]} to {numbers}."
        tied = [seat for seat in tied if seat not in beaten]


HEADINGS = {"setup": "Game preparation", "final": "End of the game"}
PARTS = {"tasking": "Tasking", "collection": "Collection", "business": "Business", "round_end": "End"}
PHASES: dict[str, Callable[[Sequence[Event]], Iterable[str]]] = {
    "setup": _tell_setup,
    "tasking": _tell_tasking,
    "collection": _tell_collection,
    "business": _tell_business,
    "round_end": _tell_round_end,
    "final": _tell_final,
}


# --- words -------------------------------------------------------------------------------------------------


def _told(events: Sequence[Event]) -> str:
    """A sentence for what each seat does in a row, one for what befalls the board, one for all that do nothing."""
    sentences = []
    for (idle, _), run in groupby(events, _subject):
        same = list(run)
        if idle:
            told = _idlers([event["seat"] for event in same], *idle)
        else:
            told = listed([teller(list(alike)) for teller, alike in groupby(same, _teller)])
            if same[0]["seat"] is not None:
                told = f"seat {same[0]['seat']} {told}"
        sentences.append(f"{told[0].upper()}{told[1:]}.")
    return " ".join(sentences)


def _subject(event: Event) -> tuple[tuple[str, str] | None, int | None]:
    """Whom a sentence is about: the seat, or all that do nothing in a row."""
    is_none = event["kind"] == "permits" and not any(event["data"].values())
    idle = IDLE.get("no_permits" if is_none else event["kind"])
    return idle, None if idle else event["seat"]


def _idlers(seats: Sequence[int], one: str, many: str) -> str:
    """`seat 2 trades nothing`, `seats 3 and 4 trade nothing`."""
    return f"seat {seats[0]} {one}" if len(seats) == 1 else f"seats {listed([str(seat) for seat in seats])} {many}"


def _teller(event: Event) -> Callable[[Sequence[Event]], str]:
    return TELLERS[event["kind"]]


def _ore(cubes: Mapping[str, int]) -> str:
    """`2 lead, 1 gold`."""
    return ", ".join(f"{n} {ore}" for ore, n in cubes.items()) or "no ore"


def _mine(name: str, owner: int | None = None) -> str:
    """`Iron Mine 3`, `seat 2's Iron Mine 3`."""
    whose = "" if owner is None else f"seat {owner}'s "
    return f"{whose}{name[:-1].capitalize()}{HELD}Mine{HELD}{name[-1]}"


def _named(noun: str, events: Sequence[Event]) -> str:
    """`contract C07`, `contracts C07 and C12`."""
    names = [event["data"]["name"] for event in events]
    return f"{noun}{HELD}{names[0]}" if len(names) == 1 else f"{noun}s {listed(names)}"


def _space(name: str) -> str:
    """`the Permit Office`, `Overtime`, `contract space 3`."""
    words = name.split("_")
    if words[-1].isdigit():
        return f"contract space {words[-1]}"
    told = "contract deck" if name == "contract_deck" else " ".join(word.capitalize() for word in words)
    has_article = words[-1] in WITH_ARTICLE and name != "private_mine"
    return f"the {told}" if has_article else told


def _each(words: str) -> Callable[[Sequence[Event]], str]:
    """Data in a pattern."""
    return lambda events: listed([words.format(**event["data"]) for event in events])


def _cards(verb: str, noun: str = "contract") -> Callable[[Sequence[Event]], str]:
    """`keeps contract C05`; cards in a row are listed."""
    return lambda events: f"{verb} {_named(noun, events)}"


# --- placing -----------------------------------------------------------------------------------------------


def _placed(events: Sequence[Event]) -> str:
    """`puts a worker in box 2 of the Coal Mine with 1 drill bit`."""
    data = events[0]["data"]
    where = f"in box {data['box']} of {_space(data['space'])}" if data["box"] else f"on {_space(data['space'])}"
    bits = f" with {count(data['bits'], 'drill bit')}" if data["bits"] else ""
    uses = f" to use {_space(data['used'])}" if data["used"] != data["space"] else ""
    paid = f" for ${data['paid']}" if data["paid"] else ""
    return f"puts a worker {where}{bits}{uses}{paid}"


def _bits(events: Sequence[Event]) -> str:
    """An empty supply still pays (ORE-25)."""
    data = events[0]["data"]
    bits = count(data["bits"], "drill bit") if data["bits"] else "no drill bit, the supply being empty,"
    return f"takes {bits} and ${data['money']}"


def _taken(events: Sequence[Event]) -> str:
    """The space is named unless the worker stands there."""
    data = events[0]["data"]
    space = "" if str(data["slot"]) == data["at"] else f" from space {data['slot']}"
    return f"takes contract{HELD}{data['name']}{space}"


def _shown(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    where = "takes its place" if str(data["slot"]) == data["at"] else f"is shown on space {data['slot']}"
    return f"contract{HELD}{data['name']} {where}"


def _traded(events: Sequence[Event]) -> str:
    """`buys 2 coal at $3 each`."""
    told = []
    for event in events:
        data = event["data"]
        verb = {"bought": "buys", "sold": "sells"}[event["kind"]]
        each = " each" if data["cubes"] > 1 else ""
        told.append(f"{verb} {data['cubes']} {data['name']} at ${data['price']}{each}")
    return listed(told)


def _drawn(events: Sequence[Event]) -> str:
    """`draws building B03`, or after an announcement `draws 2 cards for $4: B03 and B11` (ORE-9)."""
    cards = [event for event in events if event["kind"] == "building_drawn"]
    if events[0]["kind"] == "building_drawn":
        return f"draws {_named('building', cards)}"
    data = events[0]["data"]
    price = f"${data['paid']}" if data["paid"] else "nothing"
    names = f": {listed([event['data']['name'] for event in cards])}" if cards else ""
    return f"draws {count(data['cards'], 'building')} for {price}{names}"


def _recruited(events: Sequence[Event]) -> str:
    return f"recruits the {ORDINALS[events[0]['data']['number'] - 1]} worker of the game"


# --- contracts and buildings -------------------------------------------------------------------------------


def _filled(events: Sequence[Event]) -> str:
    """`fills row 1 of contract C04 for $7 and row 2 of contract C09 for $12`."""
    rows = ["row {row} of contract{held}{name} for ${money}".format(held=HELD, **event["data"]) for event in events]
    return f"fills {listed(rows)}"


def _completed(events: Sequence[Event]) -> str:
    points = count(events[0]["data"]["points"], "point")
    return f"completes contract{HELD}{events[0]['data']['name']} for {points}"


def _built(events: Sequence[Event]) -> str:
    """`builds B03 with $8 (2 points)`."""
    data = events[0]["data"]
    paid = [f"${data['money']}"] if data["money"] else []
    paid += [_ore(data["ore"])] if data["ore"] else []
    points = count(data["points"], "point")
    return f"builds {data['name']} with {' and '.join(paid) or 'nothing'} ({points})"


def _gained(events: Sequence[Event]) -> str:
    """`gains $4, 1 drill bit, 2 coal`."""
    told = []
    for event in events:
        data = event["data"]
        money = [f"${data['money']}"] if data["money"] else []
        bits = [count(data["bits"], "drill bit")] if data["bits"] else []
        ore = [_ore(data["ore"])] if data["ore"] else []
        told.append(", ".join([*money, *bits, *ore]) or "nothing")
    return f"gains {listed(told)}"


# events in a row that have one teller are told together
TELLERS: dict[str, Callable[[Sequence[Event]], str]] = {
    "placed": _placed,
    "cage_raised": _each(f"now has Mine{HELD}Cage{HELD}{{level}}"),
    "bits_gained": _bits,
    "private_opened": lambda events: f"opens {_mine(events[0]['data']['name'])} as its own",
    "contracts_reshuffled": _each("the {cards} lost contracts are shuffled into a new deck"),
    "contract_taken": _taken,
    "contract_shown": _shown,
    "contract_looked": _cards("looks at"),
    "contract_kept": _cards("keeps"),
    "contract_returned": _cards("puts back"),
    "bought": _traded,
    "sold": _traded,
    "permits": _drawn,
    "building_drawn": _drawn,
    "recruited": _recruited,
    "marker_taken": _each("takes the 1st player marker"),
    "row_filled": _filled,
    "contract_lost": _cards("loses"),
    "contract_completed": _completed,
    "built": _built,
    "gained": _gained,
    "declined": _each("declines what {name} gives"),
}
