"""What every game's state holds, and the small steps every engine takes. A game compiles them with its own decorator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.records import STREAM, record

MAX_WEIGHTS = 24
MAX_OPTIONS = 48
MAX_EVENTS = 2048
EVENT_WIDTH = 18

# purposes of streams of chance, a game's own among them from 3 to 999; the n-th reshuffle and each seat have their own
DECK, CARDS, COMPLETION = range(3)
RESHUFFLE = 1_000
SEAT = 1_000_000

# what can be wrong with an answer
NOT_AN_OPTION, OUT_OF_RANGE, NOT_A_PARTITION, TOO_MANY_CARDS, NOT_AFFORDABLE, TOO_FEW_CARDS = range(1, 7)
FAULTS = {
    NOT_AN_OPTION: "is not the index of an option",
    OUT_OF_RANGE: "is out of range",
    NOT_A_PARTITION: "assigns cards the seat does not have",
    TOO_MANY_CARDS: "keeps more cards than the seat may",
    NOT_AFFORDABLE: "costs more than the seat can pay",
    TOO_FEW_CARDS: "spoils cards that there is room for",
}


def view_record(public: np.dtype, fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """The VIEW record of a game: open information, the options, weights, a stream of the seat's own, and `fields`."""
    return record(
        [
            ("public", public),
            ("seat", "i4"),
            ("n_options", "i4"),  # listed answers; 0 where the answer is a number or fields to fill
            ("options", "i4", (MAX_OPTIONS, 2)),
            ("weights", "f8", (MAX_WEIGHTS,)),  # of the strategy that sits here
            ("baseline", "f8", (MAX_WEIGHTS,)),  # of the game's baseline, for the functions taken from it
            ("whim", STREAM),  # the seat's own chance
            *fields,
        ]
    )


def state_record(
    public: np.dtype,
    view: np.dtype,
    n_seats: int,
    n_columns: int,
    fields: Sequence[tuple[Any, ...]],
    max_events: int = MAX_EVENTS,
) -> np.dtype:
    """The STATE record of a game: the game's own `fields` between what every game holds."""
    return record(
        [
            ("seed", "i8"),
            ("deal", "i8"),
            ("phase", "i4"),
            ("asked_seat", "i4"),  # who is being asked, for the report of a fault
            ("asked_decision", "i4"),
            ("fault", "i4"),
            ("fault_answer", "i8"),
            ("n_asked", "i8"),  # decisions asked since the batch began
            ("n_options", "i4"),  # the engine's own list: a view is never read back as fact
            ("options", "i4", (MAX_OPTIONS, 2)),
            ("player", "i4", (n_seats,)),  # which strategy of the table sits at each seat
            ("weights", "f8", (n_seats, MAX_WEIGHTS)),  # by player
            ("baseline", "f8", (n_seats, MAX_WEIGHTS)),
            ("chance", STREAM),
            ("public", public),
            *fields,
            ("outcome", "i4", (n_seats, n_columns)),
            ("blank", view),
            ("views", view, (n_seats,)),
            ("is_logged", "i4"),
            ("n_events", "i4"),
            ("event_head", "i4", (max_events, 4)),  # kind, round, phase, seat (-1: nobody)
            ("event_data", "i4", (max_events, EVENT_WIDTH)),
        ]
    )


# --- bodies of kernels; `s` is a STATE, `v` a VIEW ---------------------------------------------------------


def note(s, kind, seat, a, b, c, d):
    """Log an event with up to four numbers."""
    if s.is_logged:
        i = s.n_events
        if i == s.event_head.shape[0]:
            raise ValueError("more events than a transcript holds")
        s.n_events = i + 1
        s.event_head[i, 0] = kind
        s.event_head[i, 1] = s.public.round_no
        s.event_head[i, 2] = s.phase
        s.event_head[i, 3] = seat
        s.event_data[i, 0] = a
        s.event_data[i, 1] = b
        s.event_data[i, 2] = c
        s.event_data[i, 3] = d


def note_list(s, at, numbers):
    """Write a list of numbers into the event logged last, from position `at` on."""
    if s.is_logged:
        for i in range(numbers.size):
            s.event_data[s.n_events - 1, at + i] = numbers[i]


def refuse(s, fault, answer):
    """Stop the batch: the strategy asked last gave an answer that the rules do not allow."""
    s.fault = fault
    s.fault_answer = answer
    raise ValueError("illegal answer")


def add_option(s, a, b):
    """List one more legal answer."""
    s.options[s.n_options, 0] = a
    s.options[s.n_options, 1] = b
    s.n_options += 1


def show_options(s, v):
    """Copy the engine's list into the view."""
    v.n_options = s.n_options
    for i in range(s.n_options):
        v.options[i, 0] = s.options[i, 0]
        v.options[i, 1] = s.options[i, 1]


def award_share(numbers, award, place_of, least, n):
    """What one of `n` takes of an award: those tied share the places they cover, rounded down; below `least` none."""
    mine = numbers[place_of]
    if mine < least:
        return 0
    n_better = 0
    n_equal = 0
    for i in range(n):
        if numbers[i] > mine:
            n_better += 1
        elif numbers[i] == mine:
            n_equal += 1
    if n_equal == 1:
        return award[n_better] if n_better < award.size else 0
    total = 0
    for place in range(n_better, min(n_better + n_equal, award.size)):
        total += award[place]
    return total // n_equal
