"""A transcript of Coin Race in words."""

from __future__ import annotations

from typing import Any

from simcore.wording import count, title, wrapped
from tests.toy.coin_race import GAME


def tell(document: dict[str, Any]) -> str:
    """The whole game, a line an event."""
    lines = title(GAME, document)
    round_no = None
    for event in document["events"]:
        if event["phase"] == "throws" and event["round"] != round_no:
            round_no = event["round"]
            lines += ["", f"Round {round_no}"]
        elif event["kind"] == "placed" and event["seat"] == 1:
            lines += ["", "The end"]
        lines += wrapped(sentence(event))
    return "\n".join(lines) + "\n"


def sentence(event: dict[str, Any]) -> str:
    """One event."""
    seat, data = f"Seat {event['seat']}", event["data"]
    if event["kind"] == "seat_ready":
        return f"{seat} starts with {count(data['coins'], 'coin')}."
    if event["kind"] == "thrown":
        outcome = "" if data["throw"] == "safe" else " and succeeds" if data["luck"] == "succeeded" else " and fails"
        kind = "safely" if data["throw"] == "safe" else "riskily"
        return f"{seat} throws {kind}{outcome}: {count(data['gained'], 'coin')}."
    won = f", {data['win']:.0%} of the win" if data["win"] else ""
    return f"{seat} has {count(data['coins'], 'coin')}, place {data['rank']}{won}."
