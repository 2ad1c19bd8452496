"""One game, told move by move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, find_rules, find_table, make_plan
from simcore.game import find_game
from simcore.transcript import play_transcript


def play(
    game: str,
    *,
    seats: int = DEFAULT_SEATS,
    strategies: str | Sequence[str] = "baseline",
    seed: int = DEFAULT_SEED,
    deal: int = 0,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
) -> dict[str, Any]:
    """Play one game.

    Parameters
    ----------
    deal : which deal of the seed
    others : as in `analyses.run.run`

    Returns
    -------
    dict
        `game`, `seats`, `seed`, `deal`, `strategies`, `rules`, `events`, `outcome`; see `simcore.transcript`.

    Raises
    ------
    IllegalAnswerError
        If a strategy answers what the rules do not allow; its `document` holds the events so far.
    AssayError
        For anything else that cannot be played, in one line.
    """
    chosen = find_game(game)
    rule_set = find_rules(chosen, changes, rules)
    table = find_table(chosen, seats, strategies)
    make_plan(chosen, [table], rule_set, 1, seed, first=deal)  # refuses what cannot be played
    return play_transcript(chosen, rule_set, table, seed, deal)
