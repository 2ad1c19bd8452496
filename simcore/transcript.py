"""One game told move by move: the events the kernel logged, decoded into plain data and into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simcore.batch import play_batch
from simcore.errors import IllegalAnswerError
from simcore.game import COMMON_COLUMNS, RANK, SCORE, SIXTIETHS, WIN, Game
from simcore.rules import RuleSet


def play_transcript(game: Game, rules: RuleSet, table: Sequence[Any], seed: int, deal: int) -> dict[str, Any]:
    """One game as a document of plain data.

    Parameters
    ----------
    table : a strategy per seat
    seed, deal : the address of its chance

    Returns
    -------
    dict
        `game`, `seats`, `seed`, `deal`, `strategies`, `rules`, `events`, `outcome`; seats and rounds count from 1.

    Raises
    ------
    IllegalAnswerError
        If a strategy answers what the rules do not allow; its `document` holds the events so far.
    """
    document: dict[str, Any] = {
        "game": game.name,
        "seats": len(table),
        "seed": seed,
        "deal": deal,
        "strategies": [strategy.name for strategy in table],
        "rules": rules.as_dict(),
        "events": [],
        "outcome": None,
    }
    filled = game.fill_rules(rules, len(table))
    try:
        batch = play_batch(game, rules, filled, table, seed, deal, 1, is_logged=True)
    except IllegalAnswerError as fault:
        document["events"] = decode_events(game, fault.state[0])
        fault.document = document
        raise
    rows = batch.outcomes[0, 0]
    document["events"] = decode_events(game, batch.state[0])
    document["outcome"] = {
        "win_share": [int(win) / SIXTIETHS for win in rows[:, WIN]],
        "score": [int(score) for score in rows[:, SCORE]],
        "rank": [int(rank) for rank in rows[:, RANK]],
        **{name: [int(v) for v in rows[:, game.column(name)]] for name in game.outcome_columns[len(COMMON_COLUMNS) :]},
    }
    return document


def decode_events(game: Game, state: Any) -> list[dict[str, Any]]:
    """The logged events of a state's last game: `round`, `phase`, `kind`, `seat`, `data`."""
    readers = _readers(game)
    kinds = [(kind, [(name, *readers[of]) for name, of in fields]) for kind, fields in game.events.items()]
    n_events = int(state["n_events"])
    heads, rows = state["event_head"][:n_events].tolist(), state["event_data"][:n_events].tolist()
    events = []
    for (number, round_no, phase, seat), numbers in zip(heads, rows, strict=True):
        kind, fields = kinds[number]
        data, at = {}, 0
        for name, width, read in fields:
            data[name] = read(numbers[at : at + width])
            at += width
        events.append(
            {
                "round": round_no,
                "phase": game.phases[phase],
                "kind": kind,
                "seat": seat + 1 if seat >= 0 else None,
                "data": data,
            }
        )
    return events


def _readers(game: Game) -> dict[str, tuple[int, Callable[[list[int]], Any]]]:
    """For each kind of field, how many numbers wide it is and how they are read; a kind may be any labels of the rules."""
    labels = game.rules.labels
    cards = labels[game.cards] if game.cards else ()

    def read_label(names: Sequence[str]) -> Callable[[list[int]], Any]:
        return lambda n: names[n[0]]

    return {
        **{kind: (1, read_label(names)) for kind, names in labels.items()},
        "number": (1, lambda n: n[0]),
        "position": (1, lambda n: n[0] or None),  # counted from 1; 0 is none
        "share": (1, lambda n: n[0] / SIXTIETHS),
        "cards": (len(cards), lambda n: {r: k for r, k in zip(cards, n, strict=True) if k}),
        "values": (len(cards), lambda n: dict(zip(cards, n, strict=True)) if min(n) >= 0 else None),
    }


def event_width(game: Game) -> int:
    """The widest event of a game, in numbers."""
    readers = _readers(game)
    return max(sum(readers[kind][0] for _, kind in fields) for fields in game.events.values())
