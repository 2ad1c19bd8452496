"""Referee for Coin Race: replays a transcript from the rules alone, and shares no code with the engine.

The rules. Every seat starts with its head start. Each round every seat throws once, in the order of the seats: a safe
throw brings the safe coins; a risky one brings the risky coins with the chance given, else nothing. A seat may be
barred from the one or the other. After the last round the most coins win; those who have equally many share the win.
"""

from __future__ import annotations

from typing import Any

LABELS = 10  # standings that an outcome keeps; after the last round they stay as they are


class Foul(Exception):  # noqa: N818 - the referee's own word
    """A transcript departs from the rules; the message names what they demand."""


def check(document: dict[str, Any]) -> None:
    """Replay a transcript of Coin Race.

    Parameters
    ----------
    document : dict
        One transcript: `seats`, `rules`, `events`, `outcome`. It is not changed.

    Raises
    ------
    Foul
        At the first event, or in the outcome, where the transcript departs from the rules.
    """
    rules, events = document["rules"], iter(document["events"])
    seats = range(document["seats"])
    coins = [rules["head_start"][seat] for seat in seats]
    for seat in seats:
        demand(next(events, None), 0, "start", "seat_ready", seat, {"coins": coins[seat]})
    n_risky = [0 for _ in seats]
    standings = []
    for round_no in range(1, rules["rounds"] + 1):
        for seat in seats:
            event = next(events, None)
            is_risky, gained = thrown(rules, event)
            if rules["barred"][seat][is_risky]:
                raise Foul(f"seat {seat + 1} is barred from a throw that is {'risky' if is_risky else 'safe'}")
            demand(event, round_no, "throws", "thrown", seat, event["data"] if event else {})
            n_risky[seat] += is_risky
            coins[seat] += gained
        standings.append(list(coins))
    outcome = ending(coins)
    for seat in seats:
        placed = {"coins": coins[seat], "rank": outcome["rank"][seat], "win": outcome["win_share"][seat]}
        demand(next(events, None), rules["rounds"], "end", "placed", seat, placed)
    if next(events, None) is not None:
        raise Foul("the game goes on after its end")
    outcome["risky_throws"] = n_risky
    outcome["coins_risked"] = [n * rules["risky_coins"] for n in n_risky]
    for label in range(1, LABELS + 1):
        outcome[f"after_{label}"] = standings[min(label, len(standings)) - 1]
    if document["outcome"] != outcome:
        raise Foul(f"the outcome is {document['outcome']}, not {outcome}")


def thrown(rules: dict[str, Any], event: dict[str, Any] | None) -> tuple[bool, int]:
    """Whether a throw is risky, and the coins that it brings."""
    data = event["data"] if event else {}
    kinds = {
        ("safe", "succeeded"): rules["safe_coins"],
        ("risky", "succeeded"): rules["risky_coins"] if rules["risk_percent"] > 0 else None,
        ("risky", "failed"): 0 if rules["risk_percent"] < 100 else None,
    }
    gained = kinds.get((data.get("throw"), data.get("luck")))
    if gained is None or set(data) != {"throw", "luck", "gained"} or data["gained"] != gained:
        raise Foul(f"no throw is {data}; this one brings {gained}")
    return data["throw"] == "risky", gained


def ending(coins: list[int]) -> dict[str, Any]:
    """Shares of the win, scores and places."""
    n_first = coins.count(max(coins))
    return {
        "win_share": [1 / n_first if have == max(coins) else 0 for have in coins],
        "score": list(coins),
        "rank": [1 + sum(other > have for other in coins) for have in coins],
    }


def demand(event: dict[str, Any] | None, round_no: int, phase: str, kind: str, seat: int, data: dict[str, Any]) -> None:
    """The event that has to come now."""
    due = {"round": round_no, "phase": phase, "kind": kind, "seat": seat + 1, "data": data}
    if event != due:
        raise Foul(f"{event} instead of {due}")
