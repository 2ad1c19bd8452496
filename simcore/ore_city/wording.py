"""Ore City's transcript in the rulebook's words: a paragraph of one to three lines a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from simcore.ore_city import CARDS, GAME
from simcore.wording import count, listed, title, wrapped

PLACES = {1: "first", 2: "second"}
HELD = "\u00a0"  # keeps a number and its card on one line

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
    costs = dict(zip(CARDS, document["rules"]["cost"], strict=True))
    priced = [_priced(event, costs) for event in document["events"]]
    for heading, events in groupby(priced, lambda event: HEADINGS.get(event["phase"], "Turns")):
        lines += ["", heading]
        for text in SECTIONS[heading](list(events)):
            lines += wrapped(text)
    if document["outcome"] is None:
        lines += ["", "The game breaks off here."]
    return "\n".join(lines) + "\n"


def _priced(event: Event, costs: Mapping[str, int]) -> Event:
    """Where a card is paid, its cost before technology goes with it."""
    data = event["data"]
    return {**event, "data": {**data, "cost": costs[data["name"]]}} if "paid" in data else event


# --- sections ----------------------------------------------------------------------------------------------


def _tell_setup(events: Sequence[Event]) -> Iterator[str]:
    """A line a seat and step."""
    for (teller, _), same in groupby(events, lambda event: (TELLERS[event["kind"]], _own_line(event))):
        yield _sentence(teller(list(same)))


def _own_line(event: Event) -> int | None:
    return None if event["kind"] == "seat_ready" else event["seat"]


def _tell_turns(events: Sequence[Event]) -> Iterator[str]:
    for turn in _turns(events):
        clauses = [teller(list(same)) for teller, same in groupby(turn, lambda event: TELLERS[event["kind"]])]
        told = " ".join([f"{clauses[0]}.", *map(_sentence, clauses[1:])])
        yield f"Round {turn[0]['round']}, seat {turn[0]['seat']}: {told}"


def _turns(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The last one may have been cut short, by the winner or by the transcript's end."""
    turn = []
    for event in events:
        turn.append(event)
        if event["kind"] == "turn_end":
            yield turn
            turn = []
    if turn:
        yield turn


def _tell_final(events: Sequence[Event]) -> Iterator[str]:
    """How the game ended, and who stands where."""
    for event in events:
        if event["kind"] == "end":
            data = event["data"]
            how = "won" if data["finished"] else "broken off by the turn limit: nobody wins"
            yield f"After {count(data['turns'], 'turn')} of all players the game is {how}."
    finals = [event for event in events if event["kind"] == "final"]
    for event in sorted(finals, key=lambda event: (event["data"]["rank"], event["seat"])):
        data = event["data"]
        wins = ": wins" if data["win_share"] else ""
        points = count(data["points"], "point")
        yield f"Seat {event['seat']}, rank {data['rank']}, has {points} and {_coins(data['coins'])}{wins}."


HEADINGS = {"setup": "Game preparation", "final": "End of the game"}
SECTIONS = {"Game preparation": _tell_setup, "Turns": _tell_turns, "End of the game": _tell_final}


# --- words -------------------------------------------------------------------------------------------------


def _sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def _card(name: str) -> str:
    """`Single House`."""
    return name.replace("_", " ").title()


def _plural(name: str) -> str:
    """`Small Factories`, `Highways`."""
    card = _card(name)
    return f"{card[:-1]}ies" if card.endswith(("ry", "ty")) else f"{card}s"


def _a(name: str) -> str:
    """`a Park`, `an Airport`."""
    return f"{'an' if name[0] == 'a' else 'a'} {_card(name)}"


def _number(n: int, name: str) -> str:
    """`1 Park`, `2 Parks`."""
    return f"{n}{HELD}{_card(name) if n == 1 else _plural(name)}"


def _cards(cards: Mapping[str, int]) -> str:
    """`2 Single Houses, Park`."""
    return ", ".join(_card(name) if n == 1 else _number(n, name) for name, n in cards.items()) or "nothing"


def _coins(n: int) -> str:
    return f"{n}G"


def _cost(data: Data) -> str:
    """`2G`, or `2G (3G less technology)`."""
    less = f" ({_coins(data['cost'])} less technology)" if data["paid"] < data["cost"] else ""
    return f"{_coins(data['paid'])}{less}"


def _earned(data: Data) -> str:
    """`4G`, or `1G by a factory, not 4G` (ORC-6)."""
    limited = f" by a factory, not {_coins(data['due'])}" if data["coins"] != data["due"] else ""
    return f"{_coins(data['coins'])}{limited}"


def _space(event: Event) -> str:
    space = event["data"]["space"]
    return "its own space" if space == event["seat"] else f"seat {space}'s space"


def _by_seat(words: str, between: str = ", ", start: str = "") -> Callable[[Sequence[Event]], str]:
    """One clause for all seats that an event came to."""

    def told(events: Sequence[Event]) -> str:
        return start + between.join(words.format(seat=event["seat"], **_worded(event["data"])) for event in events)

    return told


def _worded(data: Data) -> dict[str, str]:
    """Data as a clause names it."""
    words = {"coins": _coins(data["coins"])} if "coins" in data else {}
    if "due" in data:
        words["earned"] = _earned(data)
    if "cards" in data:
        cards = data["cards"]
        words |= {"highways": _number(cards, "highway")} if isinstance(cards, int) else {"cards": _cards(cards)}
    return words


# --- preparation and piles ---------------------------------------------------------------------------------


def _extra(events: Sequence[Event]) -> str:
    steps = {"extra_drawn": "draws {} more", "extra_discarded": "discards {}"}
    told = [steps[event["kind"]].format(_cards(event["data"]["cards"])) for event in events]
    return f"seat {events[0]['seat']} {listed(told)}"


def _reshuffle(events: Sequence[Event]) -> str:
    piles = [(_card(event["data"]["pile"]), _cards(event["data"]["cards"])) for event in events]
    return "; ".join(f"{pile} discards reshuffled: {cards}" for pile, cards in piles)


def _drawn(events: Sequence[Event]) -> str:
    """The victim of a Police Station is named; others draw in their own turn (ORC-12, ORC-13)."""
    told = []
    for (seat, phase), same in groupby(events, lambda event: (event["seat"], event["phase"])):
        who = f"seat {seat} draws" if phase == "accomplishment" else "draws"
        told.append(f"{who} {', '.join(_card(event['data']['name']) for event in same)}")
    return "; ".join(told)


def _common(events: Sequence[Event]) -> str:
    return f"common space: {_cards(Counter(event['data']['name'] for event in events))}"


# --- actions -----------------------------------------------------------------------------------------------


def _constructed(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    cards = _a(data["name"]) if data["count"] == 1 else _number(data["count"], data["name"])
    return f"constructs {cards} in {_space(events[0])} for {_cost(data)}"


def _home_due(events: Sequence[Event]) -> str:
    """`6 Single Houses: seat 1 (first, 3 cards) 11G, seat 2 (second, 2 cards) 4G` (ORC-9)."""
    told = []
    for (name, total), same in groupby(events, lambda event: (event["data"]["name"], event["data"]["total"])):
        told.append(f"{_number(total, name)}: {', '.join(map(_holder, same))}")
    return "; ".join(told)


def _holder(event: Event) -> str:
    data = event["data"]
    return f"seat {event['seat']} ({PLACES[data['place']]}, {count(data['own'], 'card')}) {_coins(data['due'])}"


def _store_due(events: Sequence[Event]) -> str:
    """`2 Small Stores: seat 1 2G`."""
    return "; ".join(
        f"{_number(event['data']['cards'], event['data']['name'])}: seat {event['seat']} {_coins(event['data']['due'])}"
        for event in events
    )


def _scrapped(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    where = "its acquisition space" if data["space"] is None else _space(events[0])
    return f"discards {_a(data['name'])} from {where}"


def _accomplished(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    return f"accomplishes {_a(data['name'])} for {_cost(data)}: {count(data['points'], 'point')}"


def _hall(events: Sequence[Event]) -> str:
    verbs = {"hall_loss": "loses", "hall_gift": "gets"}
    return ", ".join(
        f"seat {event['seat']} {verbs[event['kind']]} {_coins(event['data']['coins'])}" for event in events
    )


def _stolen(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    return f"takes {_a(data['name'])} from seat {data['from']}'s hand"


def _exchanged(events: Sequence[Event]) -> str:
    """`exchanges 2 Parks for Highway, Park`; until cards are taken, only what is laid."""
    laid, *taken = (_cards(event["data"]["cards"]) for event in events)
    if not taken:
        return f"lays {laid} into the common space"
    return "exchanges nothing" if laid == taken[0] == "nothing" else f"exchanges {laid} for {taken[0]}"


def _flushed(events: Sequence[Event]) -> str:
    hand, *common = (_cards(event["data"]["cards"]) for event in events)
    return f"flushes its hand ({hand})" + "".join(f" and the common space ({cards})" for cards in common)


def _turn_end(events: Sequence[Event]) -> str:
    data = events[0]["data"]
    technology = [f"technology {data['technology']}"] if data["technology"] else []
    has = [_coins(data["coins"]), count(data["points"], "point"), *technology, f"{data['hand']} in hand"]
    return f"now {', '.join(has)}"


# events in a row that have one teller are told together
TELLERS: dict[str, Callable[[Sequence[Event]], str]] = {
    "seat_ready": _by_seat("seat {seat} {coins}", start="coins: "),
    "dealt": _by_seat("seat {seat} draws {cards}"),
    "extra_drawn": _extra,
    "extra_discarded": _extra,
    "reshuffle": _reshuffle,
    "common_dealt": _by_seat("common space: {cards}"),
    "constructed": _constructed,
    "store_income": _by_seat("earns {earned} with adjacent Residential cards"),
    "highway_income": _by_seat("seat {seat} earns {coins} with {highways} adjacent"),
    "closed": lambda _: "closes its books",
    "home_due": _home_due,
    "store_due": _store_due,
    "closing_income": _by_seat("seat {seat} {earned}", "; ", start="earned: "),
    "highway_closing": _by_seat("seat {seat} earns {coins} for {highways}"),
    "acquired": _by_seat("seat {seat} acquires {cards}", "; "),
    "space_cleared": _by_seat("discarded: {cards}"),
    "scrapped": _scrapped,
    "accomplished": _accomplished,
    "hall_loss": _hall,
    "hall_gift": _hall,
    "stolen": _stolen,
    "drawn": _drawn,
    "common_card": _common,
    "laid": _exchanged,
    "taken": _exchanged,
    "flushed_hand": _flushed,
    "flushed_common": _flushed,
    "passed": lambda _: "passes",
    "turn_end": _turn_end,
}
