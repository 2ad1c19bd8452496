"""Who leads when: tallies that every game has, from the standings after each round in its outcome rows.

`simcore.counting` fills them.
"""

from __future__ import annotations

from simcore.game import Axis, Game, Tally, counted

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
