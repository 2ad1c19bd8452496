"""Coin Race: the rules. Every round every seat throws, safe or risky; after the last the most coins win."""

from __future__ import annotations

from simcore import seating, state
from simcore.chance import below, open_stream
from simcore.game import RANK, SCORE, SIXTIETHS, WIN
from simcore.kernel import game_kernels
from simcore.records import record
from simcore.state import NOT_AN_OPTION, state_record, view_record
from tests.toy.coin_race import GAME, GIFTS, LUCK, MAX_COINS, MAX_ROUNDS, THROW

MAX_SEATS = GAME.max_seats
N_COLUMNS = len(GAME.outcome_columns)
RISKY_THROWS, COINS_RISKED, AFTER = (GAME.column(name) for name in ("risky_throws", "coins_risked", "after_1"))
SAFE, RISKY = (THROW.labels.index(label) for label in ("safe", "risky"))
N_GIFTS = len(GIFTS)
FAILED, SUCCEEDED = (LUCK.labels.index(label) for label in ("failed", "succeeded"))
START, THROWS, END = range(len(GAME.phases))
SEAT_READY, THROWN, PLACED = range(len(GAME.events))
DECIDE_THROW = 0
DICE = 0  # purpose of the stream of chance
MAX_EVENTS = MAX_SEATS * (MAX_ROUNDS + 2)

PUBLIC = record(
    [
        ("n_seats", "i4"),
        ("round_no", "i4"),  # from 1; 0 before the first
        ("coins", "i4", (MAX_SEATS,)),
    ]
)
VIEW = view_record(PUBLIC, [])
STATE = state_record(PUBLIC, VIEW, MAX_SEATS, N_COLUMNS, [], MAX_EVENTS)

kernel = game_kernels(GAME, STATE, VIEW, one=(), each=("throwers",))
note = kernel.small(state.note)
refuse = kernel(state.refuse)
add_option = kernel.small(state.add_option)
show_options = kernel.small(state.show_options)
seat_players = kernel(seating.seat_players)


# --- the start ---------------------------------------------------------------------------------------------


@kernel
def set_up(s, r, rotation):
    """Seat the players and give them their head starts."""
    s.n_events = 0
    s.phase = START
    s.public.round_no = 0
    s.outcome[:] = 0
    seat_players(s, rotation)
    open_stream(s.chance, s.seed, s.deal, DICE)
    for seat in range(s.public.n_seats):
        s.public.coins[seat] = r.head_start[seat]
        note(s, SEAT_READY, seat, s.public.coins[seat], 0, 0, 0)


# --- a round -----------------------------------------------------------------------------------------------


@kernel
def look(s, r, seat, decision):
    """Show a seat what it may know."""
    v = s.views[seat]
    v.public = s.public
    show_options(s, v)


@kernel
def list_throws(s, r, seat):
    """Either throw is legal, but for a seat that is barred from it."""
    s.n_options = 0
    for kind in (SAFE, RISKY):
        if not r.barred[seat, kind]:
            add_option(s, kind, 0)


@kernel
def throw(s, r, t, seat, kind):
    """The die is cast for a safe throw too, so that a seat's luck in a round does not depend on what others do."""
    is_lucky = below(s.chance, 100) < r.risk_percent
    gained = r.safe_coins
    luck = SUCCEEDED
    if kind == RISKY:
        s.outcome[seat, RISKY_THROWS] += 1
        s.outcome[seat, COINS_RISKED] += r.risky_coins
        gained = r.risky_coins if is_lucky else 0
        luck = SUCCEEDED if is_lucky else FAILED
    s.public.coins[seat] += gained
    t.throws[s.public.round_no - 1, kind, luck] += 1
    t.gains[kind, min(gained, MAX_COINS)] += 1
    note(s, THROWN, seat, kind, luck, gained, 0)


# --- the end -----------------------------------------------------------------------------------------------


@kernel
def keep_standing(s, label):
    """Note the coins as the standing after a round."""
    for seat in range(s.public.n_seats):
        s.outcome[seat, AFTER + label] = s.public.coins[seat]


@kernel
def finish(s, t):
    """The most coins win; ties share the win."""
    s.phase = END
    n_seats = s.public.n_seats
    n_first = 0
    for seat in range(n_seats):
        rank = 1
        for other in range(n_seats):
            if s.public.coins[other] > s.public.coins[seat]:
                rank += 1
        s.outcome[seat, RANK] = rank
        s.outcome[seat, SCORE] = s.public.coins[seat]
        if rank == 1:
            n_first += 1
    for seat in range(n_seats):
        rank = s.outcome[seat, RANK]
        s.outcome[seat, WIN] = SIXTIETHS // n_first if rank == 1 else 0
        for coins in range(1, min(s.public.coins[seat], N_GIFTS) + 1):
            t.held[coins - 1, 0] += 1
            t.held[coins - 1, 1] += s.outcome[seat, WIN]
        note(s, PLACED, seat, s.public.coins[seat], rank, s.outcome[seat, WIN], 0)


# --- the game ----------------------------------------------------------------------------------------------


@kernel
def decide_throw(s, r, seat, throwers):
    """Ask a seat how it throws."""
    list_throws(s, r, seat)
    if s.n_options == 1:
        return s.options[0, 0]
    look(s, r, seat, DECIDE_THROW)
    s.asked_seat = seat
    s.asked_decision = DECIDE_THROW
    s.n_asked += 1
    answer = throwers[s.player[seat]](s.views[seat], r)
    if answer < 0 or answer >= s.n_options:
        refuse(s, NOT_AN_OPTION, answer)
    return s.options[answer, 0]


@kernel
def play_game(s, r, t, rotation, throwers):
    """One game, from the start to the final standing."""
    set_up(s, r, rotation)
    s.phase = THROWS
    for label in range(MAX_ROUNDS):
        if label < r.rounds:
            s.public.round_no = label + 1
            for seat in range(s.public.n_seats):
                throw(s, r, t, seat, decide_throw(s, r, seat, throwers))
        keep_standing(s, label)
    finish(s, t)


@kernel
def play(states, rules, tallies, out, groups, seed, first, n_rotations, throwers):
    """Play deals in all their rotations."""
    s = states[0]
    s.seed = seed
    s.public.n_seats = out.shape[1]
    for game in range(out.shape[0]):
        deal = game // n_rotations
        s.deal = first + deal
        play_game(s, rules[0], tallies[groups[deal]], game % n_rotations, throwers)
        for seat in range(out.shape[1]):
            for column in range(out.shape[2]):
                out[game, seat, column] = s.outcome[seat, column]
