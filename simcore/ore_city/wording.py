"""Ore City's transcript in the rulebook's words: a line or two a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from simcore.ore_city import GAME
from simcore.wording import count, listed, title, wrapped

PLACES = {1: "first", 2: "second"}

Event = Mapping[str, Any]


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
    for number, events in groupby(document["events"], lambda event: (event["round"], event["phase"] == "final")):
        lines += ["", _heading(*number)]
        for text in _final(list(events)) if number[1] else _turns(list(events)):
            lines += wrapped(text)
    if document["outcome"] is None:
        lines += ["", "The game breaks off here."]
    return "\n".join(lines) + "\n"


def _heading(number: int, is_final: bool) -> str:
    if is_final:
        return "End of the game"
    return f"Round {number}" if number else "Game preparation"


def _turns(events: list[Event]) -> Iterator[str]:
    """A paragraph a turn; in the preparation a line an event."""
    told: list[str] = []
    is_prelude = events[0]["round"] == 0
    for (kind, seat), same in groupby(events, lambda event: (event["kind"], event["seat"])):
        if kind in DRAWS:
            told.append(DRAWS[kind].format(seat=seat, cards=listed([_card(event["data"]["name"]) for event in same])))
            continue
        told += [_sentence(event) for event in same]
        if is_prelude:
            yield from told
            told = []
        elif kind == "turn_end":
            yield " ".join(told)
            told = []
    if told:
        yield " ".join(told)


def _final(events: list[Event]) -> Iterator[str]:
    ends = [event for event in events if event["kind"] == "end"]
    finals = [event for event in events if event["kind"] == "final"]
    for event in ends:
        data = event["data"]
        yield (
            f"After {count(data['turns'], 'turn')} of all players the game is "
            f"{'won' if data['finished'] else 'broken off by the turn limit: nobody wins'}."
        )
    for event in sorted(finals, key=lambda event: (event["data"]["rank"], event["seat"])):
        data = event["data"]
        wins = (
            ": wins" if data["win_share"] == 1 else f": {data['win_share']:g} of the win" if data["win_share"] else ""
        )
        yield (
            f"Seat {event['seat']}, rank {data['rank']}, has {count(data['points'], 'point')} and {_coins(data['coins'])}{wins}."
        )


# --- words -------------------------------------------------------------------------------------------------


def _card(name: str) -> str:
    """`Single House`."""
    return name.replace("_", " ").title()


def _cards(cards: Mapping[str, int]) -> str:
    """`2 Single House, 1 Park`."""
    return ", ".join(f"{n} {_card(name)}" for name, n in cards.items()) or "nothing"


def _coins(n: int) -> str:
    return f"{n}G"


def _earned(data: Mapping[str, Any]) -> str:
    """`4G`, or `1G instead of 4G, limited by a factory`."""
    if data["coins"] < data["due"]:
        return f"{_coins(data['coins'])} instead of {_coins(data['due'])}, limited by a factory"
    return _coins(data["coins"])


def _sentence(event: Event) -> str:
    return SENTENCES[event["kind"]](event["seat"], event["data"])


def _constructed(seat: int, data: Mapping[str, Any]) -> str:
    where = "its own space" if data["space"] == seat else f"the space of seat {data['space']}"
    return f"Seat {seat} constructs {data['count']} {_card(data['name'])} in {where} for {_coins(data['paid'])}."


def _home_due(seat: int, data: Mapping[str, Any]) -> str:
    return (
        f"Seat {seat}, {PLACES[data['place']]} holder with {data['own']} of {data['total']} {_card(data['name'])}, is due "
        f"{_coins(data['due'])}."
    )


def _scrapped(seat: int, data: Mapping[str, Any]) -> str:
    where = f"from the space of seat {data['space']}" if data["space"] else "from its acquisition space"
    return f"Seat {seat} discards a {_card(data['name'])} {where}."


def _accomplished(seat: int, data: Mapping[str, Any]) -> str:
    return f"Seat {seat} accomplishes a {_card(data['name'])} for {_coins(data['paid'])}: {count(data['points'], 'point')}."


def _turn_end(seat: int, data: Mapping[str, Any]) -> str:
    technology = f", technology {data['technology']}" if data["technology"] else ""
    return (
        f"Seat {seat} ends with {_coins(data['coins'])}, {count(data['points'], 'point')}{technology} and "
        f"{count(data['hand'], 'card')} in hand."
    )


def _moving(words: str) -> Callable[[int, Mapping[str, Any]], str]:
    """A sentence that names cards."""
    return lambda seat, data: words.format(seat=seat, cards=_cards(data["cards"]))


# cards that come one by one and are told together
DRAWS = {"drawn": "Seat {seat} draws {cards}.", "common_card": "The common space gets {cards}."}
SENTENCES: dict[str, Callable[[Any, Mapping[str, Any]], str]] = {
    "seat_ready": lambda seat, data: f"Seat {seat} starts with {_coins(data['coins'])}.",
    "dealt": _moving("Seat {seat} draws {cards}."),
    "extra_drawn": _moving("Seat {seat} draws {cards} more."),
    "extra_discarded": _moving("Seat {seat} discards {cards}."),
    "reshuffle": lambda seat, data: (
        f"The {data['pile'].replace('_', ' ')} pile is empty: its discards become the pile ({_cards(data['cards'])})."
    ),
    "common_dealt": _moving("The common space gets {cards}."),
    "constructed": _constructed,
    "store_income": lambda seat, data: f"It earns {_earned(data)}.",
    "highway_income": lambda seat, data: (
        f"Seat {seat} earns {_coins(data['coins'])} with {count(data['cards'], 'Highway')} next to it."
    ),
    "closed": lambda seat, data: f"Seat {seat} closes its books.",
    "home_due": _home_due,
    "store_due": lambda seat, data: (
        f"Seat {seat} is due {_coins(data['due'])} for {data['cards']} {_card(data['name'])}."
    ),
    "closing_income": lambda seat, data: f"Seat {seat} earns {_earned(data)}.",
    "highway_closing": lambda seat, data: (
        f"Seat {seat} earns {_coins(data['coins'])} for {count(data['cards'], 'Highway')} in the space."
    ),
    "acquired": _moving("Seat {seat} acquires {cards}."),
    "space_cleared": _moving("Discarded: {cards}."),
    "scrapped": _scrapped,
    "accomplished": _accomplished,
    "hall_loss": lambda seat, data: f"Seat {seat} loses {_coins(data['coins'])}.",
    "hall_gift": lambda seat, data: f"Seat {seat} gets {_coins(data['coins'])}.",
    "stolen": lambda seat, data: f"Seat {seat} takes a {_card(data['name'])} from the hand of seat {data['from']}.",
    "laid": _moving("Seat {seat} puts {cards} into the common space"),
    "taken": _moving("and takes {cards}."),
    "flushed_hand": _moving("Seat {seat} flushes its hand ({cards})"),
    "flushed_common": _moving("and the common space ({cards})."),
    "passed": lambda seat, data: f"Seat {seat} passes.",
    "turn_end": _turn_end,
}
