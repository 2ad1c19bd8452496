"""Who leads when: tallies that every game fills from the standings after each round in its outcome rows."""

from __future__ import annotations

import numpy as np

from simcore.game import SIXTIETHS, WIN, Axis, Game, Tally, counted

MAX_LEAD = 20
KEPT, JOINED, LOST = range(3)  # the lead was kept, shared with or by others, or passed on wholly


def standing_tallies(game: Game) -> tuple[Tally, ...]:
    """The tallies, for a game's rounds and its largest table."""
    rounds = Axis("round", game.rounds)
    seat = counted("seat", range(1, game.max_seats + 1))
    place = counted("place", range(1, game.max_seats + 1))
    steps = Axis("until", (*game.rounds[1:], "end"))
    what = Axis("sum", ("seats", "wins"))
    return (
        Tally("lead_seat", "games led by a seat after the round, in sixtieths; leads are shared", (rounds, seat)),
        Tally("place", "seats in that place after the round, and their wins in sixtieths", (rounds, place, what)),
        Tally(
            "lead_change",
            "what became of the lead by the next standing",
            (steps, Axis("lead", ("kept", "shared", "lost"))),
        ),
        Tally(
            "lead_size",
            "games by the leader's lead over the next seat, and wins of the leaders in sixtieths",
            (rounds, counted("lead", range(MAX_LEAD + 1)), Axis("sum", ("games", "wins"))),
        ),
    )


def count_standings(game: Game, outcomes: np.ndarray) -> dict[str, np.ndarray]:
    """Fill the tallies.

    Parameters
    ----------
    outcomes : int32 array, shape (games, seats, outcome columns)

    Returns
    -------
    dict of int64 arrays, shaped as `standing_tallies` says
    """
    filled = {tally.name: np.zeros(tally.shape, np.int64) for tally in standing_tallies(game)}
    n_seats = outcomes.shape[1]
    wins = outcomes[:, :, WIN].astype(np.int64)
    leaders = [(outcomes[:, :, c] == outcomes[:, :, c].max(axis=1, keepdims=True)) for c in game.standing_columns]
    for at, column in enumerate(game.standing_columns):
        points = outcomes[:, :, column]
        is_leader = leaders[at]
        n_leaders = is_leader.sum(axis=1, keepdims=True)
        filled["lead_seat"][at, :n_seats] = (is_leader * (SIXTIETHS // n_leaders)).sum(axis=0)
        places = (points[:, None, :] > points[:, :, None]).sum(axis=2)
        filled["place"][at, :, 0] = np.bincount(places.ravel(), minlength=game.max_seats)
        for place in range(n_seats):
            filled["place"][at, place, 1] = wins[places == place].sum()
        ordered = np.sort(points, axis=1)
        lead = np.minimum(ordered[:, -1] - ordered[:, -2], MAX_LEAD)
        filled["lead_size"][at, :, 0] = np.bincount(lead, minlength=MAX_LEAD + 1)
        leader_wins = (wins * is_leader).sum(axis=1)
        for size in np.unique(lead):
            filled["lead_size"][at, size, 1] = leader_wins[lead == size].sum()
        following = leaders[at + 1] if at + 1 < len(leaders) else wins > 0
        filled["lead_change"][at] = np.bincount(_fate(is_leader, following), minlength=3)
    return filled


def _fate(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """What became of each game's lead; shapes (games, seats) to (games,)."""
    stays = (before & after).any(axis=1)
    same = (before == after).all(axis=1)
    return np.where(same, KEPT, np.where(stays, JOINED, LOST))
