"""Ostia's transcript in the rulebook's words: a section a phase, a sentence or two an event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from simcore.ostia import GAME
from simcore.wording import count, listed, title, wrapped

# outcome columns that break a tie, in order, and how a sentence names them (OST-14)
TIE_BREAKS = {
    "storehouses": "more storehouses",
    "cards": "more cards in storehouses",
    "tie_worth": "cards worth more to the Senate card set aside",
}

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
    for (number, phase), events in groupby(document["events"], itemgetter("round", "phase")):
        if phase in ("setup", "harbor", "final"):
            lines.append("")
        lines.append(_heading(number, phase))
        for text in PHASES[phase](list(events)):
            lines += wrapped(text)
    if document["outcome"] is None:
        lines += ["", "The game breaks off here."]
    return "\n".join(lines) + "\n"


def _heading(number: int, phase: str) -> str:
    outside = {"setup": "Game preparation", "final": "Final scoring"}
    return outside.get(phase, f"Round {number} — {phase.capitalize()}")


# --- words -------------------------------------------------------------------------------------------------


def _resource(name: str) -> str:
    return name.replace("_", "-")


def _cards(cards: Mapping[str, int]) -> str:
    """`2 wine, 1 grain`."""
    return ", ".join(f"{n} {_resource(name)}" for name, n in cards.items()) or "nothing"


def _lot(cards: Mapping[str, int]) -> str:
    """`ivory and wine`, `2 wine`, `grain`."""
    return " and ".join(_resource(name) if n == 1 else f"{n} {_resource(name)}" for name, n in cards.items())


def _worths(values: Mapping[str, int]) -> str:
    """What a Senate card pays, the best first."""
    best_first = sorted(values.items(), key=lambda item: -item[1])
    return ", ".join(f"{_resource(name)} {n}" for name, n in best_first)


def _seats(seats: Sequence[int]) -> str:
    """`Seat 2`, `Seats 1, 2 and 4`."""
    return ("Seat " if len(seats) == 1 else "Seats ") + listed([str(seat) for seat in seats])


def _table(head: str, columns: Sequence[str], rows: Mapping[int, Sequence[object]]) -> list[str]:
    """A row per seat, numbers flush right under their column's name."""
    widths = [max(len(name), 5) for name in columns]
    lines = []
    for name, cells in {head: columns, **{f"seat {seat}": cells for seat, cells in rows.items()}}.items():
        flush = (f"  {cell!s:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"|{name:<14}" + "".join(flush))
    return lines


class _BySeat:
    """Sentences collected a line per seat, in the order in which seats and other lines first come up."""

    def __init__(self) -> None:
        self.lines: dict[int | str, list[str]] = {}

    def add(self, seat: int, text: str) -> None:
        self.lines.setdefault(seat, []).append(text)

    def line(self, text: str) -> None:
        self.lines[f"{len(self.lines)} {text}"] = [text]

    def told(self, start: str = "Seat {} ", between: str = ", ") -> list[str]:
        return [
            start.format(key) + between.join(texts) + "." if isinstance(key, int) else texts[0]
            for key, texts in self.lines.items()
        ]


def _reshuffled(event: Event) -> str:
    return f"The deck is empty: the discards are shuffled into a new one ({_cards(event['data']['cards'])})."


# --- setup and harbor --------------------------------------------------------------------------------------

SLOTS = {"aside": "is set aside unseen", "active": "is active first", "next": "follows"}


def _tell_setup(events: Sequence[Event]) -> Iterable[str]:
    seats = _BySeat()
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "senate_card":
                yield f"Senate card {data['card']} {SLOTS[data['slot']]}: {_worths(data['values'])}."
            case "seat_ready":
                stores = count(data["storehouses"], "storehouse")
                seats.add(event["seat"], f"{data['money']} denarii, {stores}")
            case "start_card":
                seats.add(event["seat"], _cards(data["cards"]))
            case "reshuffle":
                seats.line(_reshuffled(event))
    yield from seats.told("Seat {} starts with ")


def _tell_harbor(events: Sequence[Event]) -> Iterable[str]:
    is_auction = [event["kind"] in ("offered", "no_offer") for event in events]
    first = is_auction.index(True) if any(is_auction) else len(events)
    yield from _tell_arrivals(events[:first])
    starts = [at for at, is_start in enumerate(is_auction) if is_start]
    cycle = 0
    for at, end in pairwise([*starts, len(events)]):
        if events[at]["data"]["cycle"] != cycle:
            cycle = events[at]["data"]["cycle"]
            yield f"Auction cycle {cycle}:"
        yield " ".join(_tell_lot(events[at:end]))


def _tell_arrivals(events: Sequence[Event]) -> Iterable[str]:
    """a) and b): what each seat is dealt, keeps and discards."""
    seats = _BySeat()
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "round_start":
                yield f"Seat {event['seat']} starts. Senate card {data['card']}: {_worths(data['senate'])}."
                if data["next"]:
                    yield f"Next round's Senate card {data['next']}: {_worths(data['senate_next'])}."
            case "dealt":
                seats.add(event["seat"], f"is dealt {_cards(data['cards'])}")
            case "kept":
                seats.add(event["seat"], f"keeps {_cards(data['cards'])}")
            case "discarded":
                seats.add(event["seat"], f"discards {_cards(data['cards'])}")
            case "reshuffle":
                seats.line(_reshuffled(event))
    yield from seats.told(between="; ")


def _tell_lot(events: Sequence[Event]) -> Iterable[str]:
    """c) One lot: offer, bids, how it is paid, whose it is."""
    seller = events[0]["seat"]
    if events[0]["kind"] == "no_offer":
        yield f"Seat {seller} has no cards to offer."
        return
    yield f"Seat {seller} offers {_lot(events[0]['data']['cards'])} (minimum {events[0]['data']['minimum']})."
    bids = [(event["seat"], event["data"]["amount"]) for event in events if event["kind"] == "bid"]
    if bids:
        yield "Bids: " + ", ".join(f"seat {seat} {amount or 'passes'}" for seat, amount in bids) + "."
    raised = [event for event in events if event["kind"] in ("mortgaged", "borrowed")]
    if raised:
        yield f"Seat {raised[0]['seat']} {listed([_raised(event) for event in raised])}."
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "sold":
                yield f"Sold to seat {data['buyer']} for {data['price']}:"
                yield f"{data['to_bank']} to the bank, {data['to_seller']} to seat {seller}."
            case "own_lot":
                yield f"Seat {seller} keeps the lot for {data['price']}, all to the bank."
            case "forced":
                yield f"Seat {seller} must buy it for {data['price']}{_shortfall(data)}."


def _raised(event: Event) -> str:
    """How a payer found the money."""
    data = event["data"]
    if event["kind"] == "mortgaged":
        return f"mortgages {count(data['storehouses'], 'storehouse')} for {data['raised']}"
    return f"takes {count(data['loans'], 'loan')} for {data['raised']}"


def _shortfall(data: Mapping[str, Any]) -> str:
    """What a forced buyer could not raise."""
    return f", pays all it has, {data['paid']}; {data['waived']} is waived" if data["waived"] else ""


# --- office to storehouses ---------------------------------------------------------------------------------


def _tell_office(events: Sequence[Event]) -> Iterable[str]:
    seats = _BySeat()
    for event in events:
        data = event["data"]
        match event["kind"]:
            case "reshuffle":
                yield _reshuffled(event)
            case "talon":
                yield f"Talon: {_cards(data['cards'])}."
            case "assigned":
                piles = (f"{where} {_cards(data[pile])}" for where, pile in ASSIGNED.items())
                seats.add(event["seat"], "; ".join(piles))
            case "overextended":
                name = _resource(data["resource"])
                seats.add(event["seat"], f"Over-extended, it loses all {name}: {_lost(data, name)}")
    yield from seats.told("Seat {}: ", between=". ")


ASSIGNED = {"Forum": "forum", "Senate": "senate", "stores": "stored"}


def _lost(data: Mapping[str, Any], name: str) -> str:
    piles = [pile for pile in ("forum", "senate") if data[pile]]
    return listed([f"{data[pile]} {name} from the {pile.capitalize()}" for pile in piles])


def _tell_forum(events: Sequence[Event]) -> Iterable[str]:
    """A line per resource: its price, and what each seat sells."""
    at = 0
    while at < len(events):
        data = events[at]["data"]
        name = _resource(data["resource"]).capitalize()
        sales = []
        at += 1
        while at < len(events) and events[at]["kind"] == "forum_sale":
            sale = events[at]["data"]
            sales.append(f"seat {events[at]['seat']} gets {sale['income']} for {sale['cards']}")
            at += 1
        told = ", ".join(sales) or "all from the talon"
        yield f"{name}, {count(data['cards'], 'card')} at {data['price']}: {told}."


def _tell_senate(events: Sequence[Event]) -> Iterable[str]:
    yield f"Donations are worth: {', '.join(_awarded(event, 'worth') for event in events)}."


def _awarded(event: Event, what: str) -> str:
    """`seat 2 5 (2 points)`."""
    points = event["data"]["points"]
    return f"seat {event['seat']} {event['data'][what]}" + (f" ({count(points, 'point')})" if points else "")


def _tell_storehouses(events: Sequence[Event]) -> Iterable[str]:
    seats = _BySeat()
    standings: dict[int, list[int]] = {}
    chosen = ""
    for event in events:
        seat, data = event["seat"], event["data"]
        match event["kind"]:
            case "repaid":
                seats.add(seat, f"repays {count(data['loans'], 'loan')} for {data['paid']}")
            case "interest":
                waived = f" of {data['due']} ({data['waived']} waived)" if data["waived"] else ""
                seats.add(seat, f"pays interest {data['paid']}{waived}")
            case "built":
                seats.add(seat, f"builds {count(data['storehouses'], 'storehouse')} for {data['paid']}")
            case "stored":
                spoiled = f"; {_cards(data['spoiled'])} spoiled" if data["spoiled"] else ""
                seats.add(seat, f"keeps {_cards(data['kept'])}{spoiled}")
            case "standing":
                standings[seat] = list(data.values())
            case "start_chosen":
                chosen = f"Seat {seat}, with fewest points, chooses seat {data['start']} to start next."
    yield from seats.told()
    if standings:
        yield from _table(f"after round {events[0]['round']}", STANDING, standings)
    if chosen:
        yield chosen


STANDING = ("money", "points", "storehouses", "loans", "cards")


# --- final scoring -----------------------------------------------------------------------------------------


def _tell_final(events: Sequence[Event]) -> Iterable[str]:
    seats = _BySeat()
    awards: list[str] = []
    final: dict[int, Mapping[str, Any]] = {}
    for event in events:
        seat, data = event["seat"], event["data"]
        match event["kind"]:
            case "scored":
                dropped = f"; drops {_cards(data['dropped'])}" if data["dropped"] else ""
                points = count(data["points"], "point")
                seats.add(seat, f"scores {_cards(data['kept'])} for {points}{dropped}")
            case "resold":
                seats.add(seat, f"sells {count(data['storehouses'], 'storehouse')} for {data['raised']}")
            case "money_award":
                awards.append(_awarded(event, "money"))
            case "final":
                final[seat] = data
    yield from seats.told(between="; ")
    if awards:
        yield f"Most money: {', '.join(awards)}."
    if final:
        yield from _tell_result(final)


RESULT = ("points", "money", "storehouses", "loans", "cards", "tie_worth", "rank")


def _tell_result(final: Mapping[int, Mapping[str, Any]]) -> Iterable[str]:
    """The final table; once all are in it, who wins and why."""
    rows = {seat: [data[name] for name in RESULT] for seat, data in final.items()}
    yield from _table("at the end", [name.replace("_", " ") for name in RESULT], rows)
    if sum(data["win_share"] for data in final.values()) < 0.99:
        return
    debtors = [seat for seat, data in final.items() if data["loans"]]
    if len(debtors) == len(final):
        yield "All are in debt: no points for money, and each can win."
    elif debtors:
        yield f"In debt, with no points for money and no win: {_seats(debtors).lower()}."
    winners = [seat for seat, data in final.items() if data["rank"] == 1]
    barred = [] if winners[0] in debtors else debtors
    rivals = [seat for seat in final if seat not in (*winners, *barred)]
    points = count(final[winners[0]]["points"], "point")
    if len(winners) > 1:
        yield f"{_seats(winners)} share the win with {points} each, equal in every tie-break."
    else:
        yield f"Seat {winners[0]} wins with {points}."
    yield from _tell_tie(final, winners[0], rivals)


def _tell_tie(final: Mapping[int, Mapping[str, Any]], winner: int, rivals: Sequence[int]) -> Iterable[str]:
    """Which tie-break parts the winner from others with as many points."""
    best = final[winner]
    tied = [seat for seat in rivals if final[seat]["points"] == best["points"]]
    for name, words in TIE_BREAKS.items():
        beaten = [seat for seat in tied if final[seat][name] < best[name]]
        if beaten:
            numbers = listed([str(final[seat][name]) for seat in beaten])
            yield f"The tie with {_seats(beaten).lower()} is broken by {words}: {best[name]} to {numbers}."
        tied = [seat for seat in tied if seat not in beaten]


PHASES = {
    "setup": _tell_setup,
    "harbor": _tell_harbor,
    "office": _tell_office,
    "forum": _tell_forum,
    "senate": _tell_senate,
    "storehouses": _tell_storehouses,
    "final": _tell_final,
}
