"""Ore City's rules, in the rulebook's order. `ORC-n` cites a ruling on what the rulebook leaves open."""

from __future__ import annotations

from simcore import seating, state
from simcore.chance import below, open_stream, shuffle
from simcore.game import RANK, SCORE, SIXTIETHS, WIN
from simcore.kernel import game_kernels, record_type
from simcore.ore_city import (
    CARDS,
    DECISIONS,
    EVENTS,
    GAME,
    MAX_EVENTS,
    MILESTONES,
    OUTCOMES,
    TURN_BINS,
    TURNS_PER_BIN,
)
from simcore.records import STREAM, record
from simcore.state import NOT_AN_OPTION

__all__ = ["PUBLIC", "STATE", "VIEW", "kernel", "play"]

SEATS = 6  # the most that can play
NAMES = len(CARDS)
PER_TYPE = 4  # names of each type of construction card
CONSTRUCTIONS = 3 * PER_TYPE
WORKS = NAMES - CONSTRUCTIONS
PILES = 4
PILE_ROOM = 100
COMMON_ROOM = 24  # face-down cards the common space has room for
NOBODY = -1

RESIDENTIAL, COMMERCIAL, INDUSTRIAL, PUBLIC_WORKS = range(PILES)
PARK = 3
FIRST_STORE, HIGHWAY, SMALL_FACTORY, CHEMICAL_FACTORY = 4, 8, 10, 11
CITY_HALL, HOSPITAL, UNIVERSITY, AIRPORT, POLICE_STATION = range(CONSTRUCTIONS, NAMES)
OWN, LEFT, RIGHT = range(3)  # who built a card in a space, as the space's owner sees them

SETUP, CONSTRUCTION, BOOK_CLOSING, ACCOMPLISHMENT, EXCHANGE, FLUSH, PASSING, REFILL, FINAL = range(9)
CONSTRUCT, CLOSE, ACCOMPLISH, SWAP, RENEW, PASS = range(6)  # actions, as `act` lists them
DISCARD, ACT, BUILD, SCRAP, STEAL, LAY, TAKE, DRAW = range(len(DECISIONS))
(
    E_SEAT_READY,
    E_DEALT,
    E_EXTRA_DRAWN,
    E_EXTRA_DISCARDED,
    E_RESHUFFLE,
    E_COMMON_DEALT,
    E_CONSTRUCTED,
    E_STORE_INCOME,
    E_HIGHWAY_INCOME,
    E_CLOSED,
    E_HOME_DUE,
    E_STORE_DUE,
    E_CLOSING_INCOME,
    E_HIGHWAY_CLOSING,
    E_ACQUIRED,
    E_SPACE_CLEARED,
    E_SCRAPPED,
    E_ACCOMPLISHED,
    E_HALL_LOSS,
    E_HALL_GIFT,
    E_STOLEN,
    E_DRAWN,
    E_LAID,
    E_TAKEN,
    E_FLUSHED_HAND,
    E_FLUSHED_COMMON,
    E_COMMON_CARD,
    E_PASSED,
    E_TURN_END,
    E_END,
    E_FINAL,
) = range(len(EVENTS))
FROM_HOMES, FROM_BUILDING, FROM_CLOSING, FROM_SKIMMING, FROM_HIGHWAYS, FROM_HALL, TO_HALL = range(7)  # tally `income`
COL_COINS, COL_TECHNOLOGY, COL_TURNS, COL_FINISHED = (
    OUTCOMES.index(name) for name in ("coins", "technology", "turns", "finished")
)
COL_WORKS = OUTCOMES.index("city_hall")
COL_AFTER = OUTCOMES.index(f"after_{MILESTONES[0]}")

NEXT_DOOR, SETS, EXCHANGING, FLUSHING, FIRST_WORK = range(5)  # columns of the rule `barred`

# purposes of streams of chance
PILE = 10
THEFT = 20
RESHUFFLE = 1_000


# --- state -------------------------------------------------------------------------------------------------

# what lies open to all (ORC-18); names are numbered as in `CARDS`, and within a type from 0
PUBLIC = record(
    [
        ("n_seats", "i4"),
        ("round_no", "i4"),  # the turn of each seat that is being played, from 1
        ("turn_no", "i4"),  # turns that all seats have played
        ("active", "i4"),  # the seat whose turn it is
        ("common_works", "i4"),  # face-down cards in the common space
        ("coins", "i4", (SEATS,)),
        ("points", "i4", (SEATS,)),
        ("technology", "i4", (SEATS,)),
        ("hand_n", "i4", (SEATS,)),
        ("hand_types", "i4", (SEATS, PILES)),  # the backs
        ("space_type", "i4", (SEATS,)),  # of the cards in a seat's construction space; -1 if it is empty
        ("space_n", "i4", (SEATS,)),  # cards there
        ("built", "i4", (SEATS, 3, PER_TYPE)),  # by whom: the owner, his left and his right neighbour
        ("acquired", "i4", (SEATS, PER_TYPE)),  # Industrial cards in the acquisition spaces
        ("works", "i4", (SEATS, WORKS)),  # public works accomplished
        ("common", "i4", (CONSTRUCTIONS,)),  # face-up cards in the common space
        ("pile_n", "i4", (PILES,)),
        ("discards", "i4", (NAMES,)),
    ]
)

VIEW = state.view_record(
    PUBLIC,
    [
        ("hand", "i4", (NAMES,)),
        ("seen_works", "i4", (WORKS,)),  # faces it knows of the Public Works cards in the common space (ORC-23)
        ("card", "i4"),  # the card that `build` is about
        ("n_left", "i4"),  # cards still to put down, take or draw, this one included
    ],
)

STATE = state.state_record(
    PUBLIC,
    VIEW,
    SEATS,
    len(OUTCOMES),
    [
        ("hand", "i4", (SEATS, NAMES)),
        ("pile", "i4", (PILES, PILE_ROOM)),
        ("n_reshuffles", "i4", (PILES,)),
        ("held", "i4", (SEATS,)),  # names that were in a seat's hand at any time, as bits
        ("work_name", "i4", (COMMON_ROOM,)),  # face-down cards in the common space, the one there longest first
        ("work_seen", "i4", (COMMON_ROOM,)),  # the seats that know its face, as bits
        ("theft", STREAM),
        ("due", "i4", (SEATS, PER_TYPE)),  # coins of one book-closing, before factories limit them
        ("place", "i4", (SEATS, PER_TYPE)),  # 1 or 2 for first or second majority holder
        ("moved", "i4", (NAMES,)),  # cards that move together
        ("returned", "i4", (NAMES,)),  # cards that become a pile again
        ("milestone", "i4"),  # standings kept
        ("space_actions", "i4", (SEATS, 2)),  # constructions in a space since it was cleared: the owner's, others'
        ("puts", "i4", (SEATS, 3, PER_TYPE)),  # the same by builder and name
        ("card", "i4"),  # being constructed
        ("is_over", "i4"),
    ],
    MAX_EVENTS,
)

kernel = game_kernels(
    GAME,
    STATE,
    VIEW,
    one=(
        "hook", "act_hook", "build_hook", "scrap_hook", "steal_hook", "lay_hook", "take_hook", "draw_hook",
    ),
    each=("discarders", "actors", "builders", "scrappers", "thieves", "layers", "takers", "drawers"),
    p=record_type(PUBLIC),
)  # fmt: skip

note = kernel(state.note)
note_list = kernel(state.note_list)
refuse = kernel(state.refuse)
seat_players = kernel(seating.seat_players)
add_option = kernel.small(state.add_option)
show_options = kernel.small(state.show_options)


# --- who sits where ----------------------------------------------------------------------------------------


@kernel.small
def left_of(p, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < p.n_seats else 0


@kernel.small
def right_of(p, seat):
    """The seat before."""
    return seat - 1 if seat > 0 else p.n_seats - 1


@kernel.small
def n_neighbours(p):
    """Two players have one neighbour each (ORC-1)."""
    return 1 if p.n_seats == 2 else 2


@kernel.small
def neighbour(p, seat, i):
    """The left neighbour (0) or the right one (1)."""
    return left_of(p, seat) if i == 0 else right_of(p, seat)


@kernel.small
def builder_at(p, space, seat):
    """Where the cards of a seat stand among the builders of a space."""
    if seat == space:
        return OWN
    return LEFT if seat == left_of(p, space) else RIGHT


@kernel.small
def seat_of(p, space, builder):
    """Which seat a builder of a space is."""
    if builder == OWN:
        return space
    return left_of(p, space) if builder == LEFT else right_of(p, space)


# --- cards -------------------------------------------------------------------------------------------------


@kernel.small
def type_of(name):
    """The type of a card, which is its pile."""
    return min(name // PER_TYPE, PUBLIC_WORKS)


@kernel.small
def take_in(s, seat, name):
    """A card comes into a hand."""
    s.held[seat] |= 1 << name
    s.hand[seat, name] += 1
    s.public.hand_n[seat] += 1
    s.public.hand_types[seat, type_of(name)] += 1


@kernel.small
def give_up(s, seat, name):
    """A card leaves a hand."""
    s.hand[seat, name] -= 1
    s.public.hand_n[seat] -= 1
    s.public.hand_types[seat, type_of(name)] -= 1


@kernel
def n_discards(s, pile):
    """Cards of a type in the discards."""
    n = 0
    for name in range(pile * PER_TYPE, NAMES if pile == PUBLIC_WORKS else (pile + 1) * PER_TYPE):
        n += s.public.discards[name]
    return n


@kernel
def reshuffle(s, t, pile):
    """The discards of a type become its pile, once a card is needed and the pile is empty (ORC-20)."""
    p = s.public
    s.returned[:] = 0
    for name in range(pile * PER_TYPE, NAMES if pile == PUBLIC_WORKS else (pile + 1) * PER_TYPE):
        s.returned[name] = p.discards[name]
        for _ in range(p.discards[name]):
            s.pile[pile, p.pile_n[pile]] = name
            p.pile_n[pile] += 1
        p.discards[name] = 0
    note(s, E_RESHUFFLE, NOBODY, pile, 0, 0, 0)
    note_list(s, 1, s.returned)
    open_stream(s.chance, s.seed, s.deal, RESHUFFLE + PILES * s.n_reshuffles[pile] + pile)
    s.n_reshuffles[pile] += 1
    t.reshuffles[pile] += 1
    shuffle(s.chance, s.pile[pile], p.pile_n[pile])


@kernel.small
def can_draw(s, pile):
    """Whether a pile or its discards hold a card."""
    return s.public.pile_n[pile] > 0 or n_discards(s, pile) > 0


@kernel
def draw_from(s, t, pile):
    """The top card of a pile, or NOBODY if there is none."""
    p = s.public
    if p.pile_n[pile] == 0:
        if n_discards(s, pile) == 0:
            return NOBODY
        reshuffle(s, t, pile)
    p.pile_n[pile] -= 1
    return s.pile[pile, p.pile_n[pile]]


# --- asking ------------------------------------------------------------------------------------------------


@kernel.small
def look(s, r, seat, decision):
    """Show a seat what it may know, and nothing else (ORC-18, ORC-23, ORC-27)."""
    v = s.views[seat]
    v.public = s.public
    for name in range(NAMES):
        v.hand[name] = s.hand[seat, name]
    v.seen_works[:] = 0
    for i in range(s.public.common_works):
        if (s.work_seen[i] >> seat) & 1:
            v.seen_works[s.work_name[i] - CITY_HALL] += 1
    v.card = s.card
    v.n_options = 0
    s.asked_seat = seat
    s.asked_decision = decision


@kernel.small
def choose(s, r, hook, seat, decision, n_left):
    """The position, among the options listed, of the one chosen; a single option is not asked about."""
    if s.n_options == 1:
        return 0
    look(s, r, seat, decision)
    v = s.views[seat]
    v.n_left = n_left
    show_options(s, v)
    s.n_asked += 1
    answer = hook(s.views[seat], r)
    if answer < 0 or answer >= s.n_options:
        refuse(s, NOT_AN_OPTION, answer)
    return answer


@kernel
def draw_card(s, r, t, hook, seat, is_for_hand, n_left):
    """A card from a pile of the seat's choice; for a hand only one Public Works card; NOBODY if there is none to draw."""
    s.n_options = 0
    for pile in range(PILES):
        is_barred = is_for_hand and pile == PUBLIC_WORKS and s.public.hand_types[seat, PUBLIC_WORKS] > 0
        if not is_barred and can_draw(s, pile):
            add_option(s, pile, NOBODY)
    if s.n_options == 0:
        return NOBODY
    return draw_from(s, t, s.options[choose(s, r, hook, seat, DRAW, n_left), 0])


# --- game preparation --------------------------------------------------------------------------------------


@kernel.once
def prepare_piles(s, r):
    """Shuffle the four piles, each by a stream of its own."""
    p = s.public
    for pile in range(PILES):
        p.pile_n[pile] = 0
        for name in range(pile * PER_TYPE, NAMES if pile == PUBLIC_WORKS else (pile + 1) * PER_TYPE):
            for _ in range(r.copies[name]):
                s.pile[pile, p.pile_n[pile]] = name
                p.pile_n[pile] += 1
        open_stream(s.chance, s.seed, s.deal, PILE + pile)
        shuffle(s.chance, s.pile[pile], p.pile_n[pile])


@kernel
def put_on_top(s, name):
    """Swap the topmost card of that name with the top card of its pile; nothing if the pile has none."""
    pile = type_of(name)
    top = s.public.pile_n[pile] - 1
    for i in range(top, -1, -1):
        if s.pile[pile, i] == name:
            s.pile[pile, i] = s.pile[pile, top]
            s.pile[pile, top] = name
            break


@kernel.once
def prepare_hand(s, r, t, seat):
    """One Residential, one Commercial and one Industrial card."""
    if r.start_card[seat] > 0:
        put_on_top(s, r.start_card[seat] - 1)
    s.moved[:] = 0
    for pile in range(PUBLIC_WORKS):
        if s.public.pile_n[pile] > 0:
            name = draw_from(s, t, pile)
            take_in(s, seat, name)
            s.moved[name] += 1
    note(s, E_DEALT, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)


@kernel.once
def draw_extra(s, r, t, hook, seat):
    """Later seats draw Residential cards and discard as many, face up (ORC-2)."""
    p = s.public
    s.moved[:] = 0
    n_drawn = 0
    for _ in range(r.start_extra[seat]):
        name = draw_from(s, t, RESIDENTIAL)
        if name == NOBODY:
            break
        take_in(s, seat, name)
        s.moved[name] += 1
        n_drawn += 1
    note(s, E_EXTRA_DRAWN, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)
    s.moved[:] = 0
    for i in range(n_drawn):
        s.n_options = 0
        for name in range(NAMES):
            if s.hand[seat, name] > 0:
                add_option(s, name, NOBODY)
        name = s.options[choose(s, r, hook, seat, DISCARD, n_drawn - i), 0]
        give_up(s, seat, name)
        p.discards[name] += 1
        s.moved[name] += 1
    note(s, E_EXTRA_DISCARDED, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)


@kernel
def prepare(s, r, t, discarders):
    """Piles, hands, the common space."""
    p = s.public
    s.phase = SETUP
    p.round_no = 0
    p.turn_no = 0
    p.active = 0
    p.common_works = 0
    p.points[:] = 0
    p.technology[:] = 0
    p.hand_n[:] = 0
    p.hand_types[:] = 0
    p.space_type[:] = NOBODY
    p.space_n[:] = 0
    p.built[:] = 0
    p.acquired[:] = 0
    p.works[:] = 0
    p.common[:] = 0
    p.discards[:] = 0
    s.hand[:] = 0
    s.held[:] = 0
    s.n_reshuffles[:] = 0
    s.space_actions[:] = 0
    s.puts[:] = 0
    s.outcome[:] = 0
    s.milestone = 0
    s.card = NOBODY
    s.is_over = 0
    open_stream(s.theft, s.seed, s.deal, THEFT)
    prepare_piles(s, r)
    for seat in range(p.n_seats):
        p.coins[seat] = r.start_coins[seat]
        note(s, E_SEAT_READY, seat, p.coins[seat], 0, 0, 0)
    for seat in range(p.n_seats):
        prepare_hand(s, r, t, seat)
    if r.compensation:
        for seat in range(p.n_seats):
            if r.start_extra[seat] > 0:
                draw_extra(s, r, t, discarders[s.player[seat]], seat)
    for _ in range(r.common_size):
        name = draw_from(s, t, RESIDENTIAL)
        if name != NOBODY:
            p.common[name] += 1
    s.moved[:] = 0
    s.moved[:CONSTRUCTIONS] = p.common
    note(s, E_COMMON_DEALT, NOBODY, 0, 0, 0, 0)
    note_list(s, 0, s.moved)


# --- what spaces hold --------------------------------------------------------------------------------------


@kernel.small
def cards_of(p, space, kind):
    """Cards of one name in a space, whoever built them; `kind` counts within the type."""
    built = p.built
    return built[space, OWN, kind] + built[space, LEFT, kind] + built[space, RIGHT, kind]


@kernel.small
def homes_beside(p, space):
    """Residential cards in the adjacent spaces, whoever built them (ORC-4)."""
    n = 0
    for i in range(n_neighbours(p)):
        beside = neighbour(p, space, i)
        if p.space_type[beside] == RESIDENTIAL:
            n += p.space_n[beside]
    return n


@kernel.small
def is_by_factory(p, space):
    """Whether a factory stands in an adjacent space (ORC-6)."""
    is_limited = False
    for i in range(n_neighbours(p)):
        beside = neighbour(p, space, i)
        if p.space_type[beside] == INDUSTRIAL:
            for kind in range(SMALL_FACTORY - HIGHWAY, PER_TYPE):
                if cards_of(p, beside, kind) > 0:
                    is_limited = True
    return is_limited


@kernel
def clear_space(s, space):
    """Nothing is left there."""
    p = s.public
    p.space_type[space] = NOBODY
    p.space_n[space] = 0
    for builder in range(3):
        for kind in range(PER_TYPE):
            p.built[space, builder, kind] = 0
    s.space_actions[space, 0] = 0
    s.space_actions[space, 1] = 0
    s.puts[space] = 0


@kernel.small
def price_of(p, r, seat, name):
    """What a card costs a seat, technology taken off (ORC-10)."""
    return max(r.cost[name] - p.technology[seat], 0)


@kernel.small
def turn_bin(s):
    """Where a turn of a seat is counted in the tallies."""
    return min(s.public.turn_no // s.public.n_seats // TURNS_PER_BIN, TURN_BINS - 1)


@kernel.small
def earn(s, t, seat, source, coins):
    """Coins come in."""
    s.public.coins[seat] += coins
    t.income[turn_bin(s), source] += coins


@kernel.small
def credit(t, name, coins):
    """Tally what cards of a name earn their builder."""
    t.card_income[name, 1] += coins
    t.card_income[name, 3] += coins


@kernel
def skim(s, r, t, space):
    """Highways beside a space whose Commercial cards have just earned coins (ORC-5, ORC-21); returns what they earn."""
    p = s.public
    skimmed = 0
    for seat in range(p.n_seats):
        n_cards = 0
        n_earning = 0
        for i in range(n_neighbours(p)):
            beside = neighbour(p, space, i)
            if p.space_type[beside] == INDUSTRIAL:
                for builder in range(3):
                    if seat_of(p, beside, builder) == seat:
                        n = p.built[beside, builder, 0]
                        n_cards += n
                        n_earning += min(n, 1) if r.highway_per_set else n
        if n_cards > 0:
            coins = n_earning * r.highway_income
            earn(s, t, seat, FROM_SKIMMING, coins)
            credit(t, HIGHWAY, coins)
            note(s, E_HIGHWAY_INCOME, seat, n_cards, coins, 0, 0)
            skimmed += coins
    return skimmed


# --- a) construction ---------------------------------------------------------------------------------------


@kernel.small
def is_open_to(p, seat, space, name):
    """Whether a seat may construct that card in a space (ORC-3)."""
    kind = p.space_type[space]
    if kind == NOBODY:
        return space == seat
    return kind == type_of(name)


@kernel.small
def can_construct(s, r, seat, name):
    """Whether a card in hand can be paid and some space takes it."""
    if s.hand[seat, name] == 0 or price_of(s.public, r, seat, name) > s.public.coins[seat]:
        return False
    if is_open_to(s.public, seat, seat, name):
        return True
    if r.barred[seat, NEXT_DOOR]:
        return False
    for i in range(n_neighbours(s.public)):
        if is_open_to(s.public, seat, neighbour(s.public, seat, i), name):
            return True
    return False


@kernel.once
def open_store(s, r, t, seat, space, name):
    """A Commercial card, or a set, earns once by the homes beside its space; then Highways (ORC-4, ORC-6, ORC-21)."""
    kind = name - FIRST_STORE
    n_homes = homes_beside(s.public, space)
    due = r.store_per_home[kind] * n_homes
    if n_homes > 0:
        due += r.store_flat[kind]
    due = min(due, r.store_most[kind])
    t.store_opened[kind, min(n_homes, t.store_opened.shape[1] - 1), 0] += 1
    t.store_opened[kind, min(n_homes, t.store_opened.shape[1] - 1), 1] += due
    if due == 0:
        return
    coins = min(due, r.factory_limit) if is_by_factory(s.public, space) else due
    note(s, E_STORE_INCOME, seat, due, coins, 0, 0)
    earn(s, t, seat, FROM_BUILDING, coins)
    t.store_opened[kind, min(n_homes, t.store_opened.shape[1] - 1), 2] += coins
    credit(t, name, coins)
    t.suppressed[1, 0] += 1 if coins < due else 0
    t.suppressed[1, 1] += due - coins
    for i in range(n_neighbours(s.public)):
        beside = neighbour(s.public, space, i)
        if s.public.space_type[beside] == RESIDENTIAL:
            for home in range(PER_TYPE):
                t.card_income[home, 2] += coins * cards_of(s.public, beside, home) // n_homes
    if coins > 0:
        t.card_income[name, 2] += skim(s, r, t, space)


@kernel
def construct(s, r, t, build_hook, seat, name):
    """a) One card, or several of one name for one cost, into one's own space or a neighbour's that is not empty."""
    p = s.public
    s.card = name
    s.n_options = 0
    n_most = 1 if r.barred[seat, SETS] else s.hand[seat, name]
    for i in range(-1, 0 if r.barred[seat, NEXT_DOOR] else n_neighbours(p)):
        space = seat if i < 0 else neighbour(p, seat, i)
        if is_open_to(p, seat, space, name):
            for n in range(1, n_most + 1):
                add_option(s, space, n)
    choice = choose(s, r, build_hook, seat, BUILD, n_most)
    s.card = NOBODY
    space = s.options[choice, 0]
    n = s.options[choice, 1]
    s.phase = CONSTRUCTION
    paid = price_of(p, r, seat, name)
    p.coins[seat] -= paid
    t.outlay[turn_bin(s), 0] += paid
    t.outlay[turn_bin(s), 2] += r.cost[name] - paid
    for _ in range(n):
        give_up(s, seat, name)
    p.space_type[space] = type_of(name)
    p.space_n[space] += n
    p.built[space, builder_at(p, space, seat), name % PER_TYPE] += n
    s.space_actions[space, 0 if space == seat else 1] += 1
    s.puts[space, builder_at(p, space, seat), name % PER_TYPE] += 1
    note(s, E_CONSTRUCTED, seat, name, n, space + 1, paid)
    t.constructed[name, 0 if space == seat else 1, min(n, t.constructed.shape[2]) - 1] += 1
    t.card_income[name, 0] += n
    t.card_income[name, 3] -= paid
    if type_of(name) == COMMERCIAL:
        open_store(s, r, t, seat, space, name)


# --- b) book-closing ---------------------------------------------------------------------------------------


@kernel
def home_amount(p, r, space, kind, builder, n_more):
    """What a builder is due for the Residential cards of one name in a space, if he had `n_more` there (ORC-9, ORC-24).

    The first and the second place pay the amounts for all cards of that name; returns the coins and the place.
    """
    own = p.built[space, builder, kind] + n_more
    if own == 0:
        return 0, 0
    best = own
    n_best = 1
    second = 0  # the highest count below the best
    for other in range(3):
        n = p.built[space, other, kind]
        if other == builder:
            continue
        if n > best:
            second = best
            best = n
            n_best = 1
        elif n == best:
            n_best += 1
        else:
            second = max(second, n)
    row = min(cards_of(p, space, kind) + n_more, r.first_paid.shape[1]) - 1
    if own == best:
        return r.first_paid[kind, row], 1
    if own == second and (n_best == 1 or r.second_after_tie):
        return r.second_paid[kind, row], 2
    return 0, 0


@kernel.small
def may_build_in(p, seat, space):
    """Whether a space is a seat's own or a neighbour's."""
    return seat == space or seat == left_of(p, space) or seat == right_of(p, space)


@kernel.once
def reckon_homes(s, r, space):
    """What each seat is due for its Residential cards in a space."""
    p = s.public
    for kind in range(PER_TYPE):
        total = cards_of(p, space, kind)
        if total == 0:
            continue
        for seat in range(p.n_seats):
            if may_build_in(p, seat, space):
                builder = builder_at(p, space, seat)
                due, place = home_amount(p, r, space, kind, builder, 0)
                s.due[seat, kind] = due
                s.place[seat, kind] = place
                if due > 0:
                    note(s, E_HOME_DUE, seat, kind, total, p.built[space, builder, kind], place)
                    if s.is_logged:
                        s.event_data[s.n_events - 1, 4] = due


@kernel.once
def reckon_stores(s, r, space):
    """What each seat is due for its Commercial cards in a space."""
    for kind in range(PER_TYPE):
        for seat in range(s.public.n_seats):
            if may_build_in(s.public, seat, space):
                n = s.public.built[space, builder_at(s.public, space, seat), kind]
                s.due[seat, kind] = n * r.store_closing[kind]
                if s.due[seat, kind] > 0:
                    note(s, E_STORE_DUE, seat, FIRST_STORE + kind, n, s.due[seat, kind], 0)


@kernel.once
def book(s, t, space, seat, coins):
    """Tally what a seat earned by the names of its cards; what a factory left goes to the first of them."""
    p = s.public
    role = 0 if seat == space else 1
    kind_of_space = p.space_type[space]
    left = coins
    for kind in range(PER_TYPE):
        part = min(s.due[seat, kind], left)
        left -= part
        credit(t, kind_of_space * PER_TYPE + kind, part)
        own = p.built[space, builder_at(p, space, seat), kind]
        if kind_of_space == RESIDENTIAL and own > 0:
            row = min(cards_of(p, space, kind), t.payout.shape[1]) - 1
            column = min(own, t.payout.shape[2]) - 1
            place = s.place[seat, kind]
            t.payout[kind, row, column, place, role, 0] += 1
            t.payout[kind, row, column, place, role, 1] += s.due[seat, kind]
            t.payout[kind, row, column, place, role, 2] += part
            t.payout[kind, row, column, place, role, 3] += s.puts[space, builder_at(p, space, seat), kind]
    t.closing[kind_of_space, min(p.space_n[space], t.closing.shape[1]) - 1, 1 + role] += coins


@kernel
def pay_out(s, r, t, space, source, row):
    """Pay at once all that is due, limited by a factory beside the space; returns what comes in (ORC-6 to ORC-8)."""
    is_immune = s.public.space_type[space] == RESIDENTIAL and cards_of(s.public, space, PARK) > 0
    is_limited = not is_immune and is_by_factory(s.public, space)
    paid = 0
    for seat in range(s.public.n_seats):
        due = 0
        for kind in range(PER_TYPE):
            due += s.due[seat, kind]
        coins = min(due, r.factory_limit) if is_limited else due
        if due > 0:
            note(s, E_CLOSING_INCOME, seat, due, coins, 0, 0)
            earn(s, t, seat, source, coins)
            t.suppressed[row, 0] += 1 if coins < due else 0
            t.suppressed[row, 1] += due - coins
            paid += coins
        if may_build_in(s.public, seat, space):
            book(s, t, space, seat, coins)
    return paid


@kernel.once
def close_industry(s, r, t, space):
    """Highways earn; Wind Turbines and factories go to their builders' acquisition spaces (ORC-8, ORC-24)."""
    p = s.public
    for seat in range(p.n_seats):
        if may_build_in(p, seat, space):
            n = p.built[space, builder_at(p, space, seat), 0]
            coins = n * r.highway_closing
            if coins > 0:
                note(s, E_HIGHWAY_CLOSING, seat, n, coins, 0, 0)
                earn(s, t, seat, FROM_HIGHWAYS, coins)
                credit(t, HIGHWAY, coins)
                t.closing[INDUSTRIAL, min(p.space_n[space], t.closing.shape[1]) - 1, 1 if seat == space else 2] += coins
    for seat in range(p.n_seats):
        if may_build_in(p, seat, space):
            s.moved[:] = 0
            n_acquired = 0
            for kind in range(1, PER_TYPE):
                n = p.built[space, builder_at(p, space, seat), kind]
                p.acquired[seat, kind] += n
                p.technology[seat] += n * r.technology[kind]
                p.built[space, builder_at(p, space, seat), kind] = 0
                s.moved[HIGHWAY + kind] = n
                n_acquired += n
                t.technology[turn_bin(s), kind] += n
            if n_acquired > 0:
                note(s, E_ACQUIRED, seat, 0, 0, 0, 0)
                note_list(s, 0, s.moved)


@kernel
def close_books(s, r, t, seat):
    """b) All book-closing abilities in one's own space are resolved, then it is cleared (ORC-8)."""
    p = s.public
    s.phase = BOOK_CLOSING
    kind_of_space = p.space_type[seat]
    note(s, E_CLOSED, seat, 0, 0, 0, 0)
    row = min(p.space_n[seat], t.closing.shape[1]) - 1
    t.closing[kind_of_space, row, 0] += 1
    t.closing[kind_of_space, row, 3] += s.space_actions[seat, 0]
    t.closing[kind_of_space, row, 4] += s.space_actions[seat, 1]
    s.due[:] = 0
    s.place[:] = 0
    if kind_of_space == RESIDENTIAL:
        reckon_homes(s, r, seat)
        pay_out(s, r, t, seat, FROM_HOMES, 0)
    elif kind_of_space == COMMERCIAL:
        reckon_stores(s, r, seat)
        if pay_out(s, r, t, seat, FROM_CLOSING, 2) > 0:
            skim(s, r, t, seat)
    else:
        close_industry(s, r, t, seat)
    s.moved[:] = 0
    for kind in range(PER_TYPE):
        n = cards_of(p, seat, kind)
        s.moved[kind_of_space * PER_TYPE + kind] = n
        p.discards[kind_of_space * PER_TYPE + kind] += n
    clear_space(s, seat)
    note(s, E_SPACE_CLEARED, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)


# --- c) accomplishment -------------------------------------------------------------------------------------


@kernel
def list_scraps(s, r, seat):
    """List the Industrial cards with technology that a seat can discard for an Airport it can then pay (ORC-19)."""
    p = s.public
    s.n_options = 0
    for kind in range(PER_TYPE):
        worth = r.technology[kind]
        if worth == 0:
            continue
        after = max(r.cost[AIRPORT] - (p.technology[seat] - worth), 0)
        if p.acquired[seat, kind] > 0 and after <= p.coins[seat]:
            add_option(s, NOBODY, HIGHWAY + kind)
        if price_of(p, r, seat, AIRPORT) > p.coins[seat]:
            continue
        for i in range(-1, n_neighbours(p)):
            space = seat if i < 0 else neighbour(p, seat, i)
            if p.space_type[space] == INDUSTRIAL and p.built[space, builder_at(p, space, seat), kind] > 0:
                add_option(s, space, HIGHWAY + kind)
    return s.n_options


@kernel
def can_accomplish(s, r, seat, name):
    """Whether a Public Works card in hand meets its condition and can be paid (ORC-11, ORC-19)."""
    p = s.public
    if name == AIRPORT:
        return list_scraps(s, r, seat) > 0
    if name == HOSPITAL and r.hospital_homes > 0:
        if p.space_type[seat] != RESIDENTIAL or p.space_n[seat] < r.hospital_homes:
            return False
    if name == UNIVERSITY and r.university_stores > 0:
        if p.space_type[seat] != COMMERCIAL or p.space_n[seat] < r.university_stores:
            return False
    return price_of(p, r, seat, name) <= p.coins[seat]


@kernel.once
def scrap(s, r, scrap_hook, seat):
    """Discard an Industrial card for an Airport."""
    p = s.public
    list_scraps(s, r, seat)
    choice = choose(s, r, scrap_hook, seat, SCRAP, 1)
    space = s.options[choice, 0]
    name = s.options[choice, 1]
    kind = name - HIGHWAY
    p.discards[name] += 1
    note(s, E_SCRAPPED, seat, name, space + 1, 0, 0)
    if space == NOBODY:
        p.acquired[seat, kind] -= 1
        p.technology[seat] -= r.technology[kind]
        return
    p.built[space, builder_at(p, space, seat), kind] -= 1
    p.space_n[space] -= 1
    if p.space_n[space] == 0:
        clear_space(s, space)


@kernel.once
def run_city_hall(s, r, t):
    """Rich players lose coins, those without any get some (ORC-11)."""
    p = s.public
    for seat in range(p.n_seats):
        if p.coins[seat] >= r.hall_threshold:
            lost = min(r.hall_loss, p.coins[seat])
            p.coins[seat] -= lost
            t.income[turn_bin(s), TO_HALL] += lost
            note(s, E_HALL_LOSS, seat, lost, 0, 0, 0)
        elif p.coins[seat] == 0:
            earn(s, t, seat, FROM_HALL, r.hall_gift)
            note(s, E_HALL_GIFT, seat, r.hall_gift, 0, 0, 0)


@kernel.once
def send_police(s, r, t, steal_hook, drawers, seat):
    """A card, chosen by its back, from one opponent's hand, who then draws one (ORC-12)."""
    p = s.public
    s.n_options = 0
    add_option(s, NOBODY, NOBODY)
    for other in range(p.n_seats):
        for pile in range(PILES):
            if other != seat and p.hand_types[other, pile] > 0:
                add_option(s, other, pile)
    choice = choose(s, r, steal_hook, seat, STEAL, 1)
    victim = s.options[choice, 0]
    pile = s.options[choice, 1]
    t.stolen[pile if victim != NOBODY else PILES] += 1
    if victim == NOBODY:
        return
    at = below(s.theft, p.hand_types[victim, pile])
    name = pile * PER_TYPE
    while at >= s.hand[victim, name]:
        at -= s.hand[victim, name]
        name += 1
    give_up(s, victim, name)
    take_in(s, seat, name)
    note(s, E_STOLEN, seat, victim + 1, name, 0, 0)
    drawn = draw_card(s, r, t, drawers[s.player[victim]], victim, 1, 1)
    if drawn != NOBODY:
        take_in(s, victim, drawn)
        note(s, E_DRAWN, victim, drawn, 0, 0, 0)


@kernel.once
def keep_standings(s, best):
    """Keep the points of all seats once the best has so many."""
    for i in range(len(MILESTONES)):
        if i == s.milestone and best >= MILESTONES[i]:
            for seat in range(s.public.n_seats):
                s.outcome[seat, COL_AFTER + i] = s.public.points[seat]
            s.milestone += 1


@kernel
def accomplish(s, r, t, scrap_hook, steal_hook, drawers, seat, name):
    """c) Pay for a public work and score it; then its ability, unless it has won the game (ORC-26)."""
    p = s.public
    s.phase = ACCOMPLISHMENT
    if name == AIRPORT:
        scrap(s, r, scrap_hook, seat)
    work = name - CITY_HALL
    paid = price_of(p, r, seat, name)
    p.coins[seat] -= paid
    give_up(s, seat, name)
    p.works[seat, work] += 1
    p.points[seat] += r.points[work]
    note(s, E_ACCOMPLISHED, seat, name, paid, r.points[work], 0)
    t.works[work, turn_bin(s), min(paid, t.works.shape[2] - 1)] += 1
    t.outlay[turn_bin(s), 1] += paid
    t.outlay[turn_bin(s), 3] += r.cost[name] - paid
    keep_standings(s, p.points[seat])
    if p.points[seat] >= r.win_points:
        s.is_over = 1
    elif name == CITY_HALL:
        run_city_hall(s, r, t)
    elif name == POLICE_STATION:
        send_police(s, r, t, steal_hook, drawers, seat)


# --- d) exchange -------------------------------------------------------------------------------------------


@kernel.small
def lay_work(s, name, seen):
    """A Public Works card comes into the common space, face down."""
    at = s.public.common_works
    if at == COMMON_ROOM:
        raise ValueError("more face-down cards than the common space has room for")
    s.work_name[at] = name
    s.work_seen[at] = seen
    s.public.common_works = at + 1


@kernel.small
def pick_work(s, name):
    """The Public Works card of that name which has lain longest leaves the common space."""
    is_found = False
    for i in range(s.public.common_works):
        if is_found:
            s.work_name[i - 1] = s.work_name[i]
            s.work_seen[i - 1] = s.work_seen[i]
        elif s.work_name[i] == name:
            is_found = True
    s.public.common_works -= 1


@kernel.once
def lay_cards(s, r, lay_hook, seat):
    """Put down cards one at a time until the seat stops; returns how many."""
    p = s.public
    s.moved[:] = 0
    n_laid = 0
    while True:
        s.n_options = 0
        add_option(s, NOBODY, NOBODY)
        for name in range(NAMES):
            if s.hand[seat, name] > 0:
                add_option(s, name, NOBODY)
        name = s.options[choose(s, r, lay_hook, seat, LAY, p.hand_n[seat]), 0]
        if name == NOBODY:
            break
        give_up(s, seat, name)
        if name < CONSTRUCTIONS:
            p.common[name] += 1
        else:
            lay_work(s, name, 1 << seat)
        s.moved[name] += 1
        n_laid += 1
    note(s, E_LAID, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)
    return n_laid


@kernel.once
def take_cards(s, r, take_hook, seat, n_cards):
    """Take as many, one at a time, at most one Public Works card in hand (ORC-14)."""
    p = s.public
    s.moved[:] = 0
    for i in range(n_cards):
        s.n_options = 0
        for name in range(CONSTRUCTIONS):
            if p.common[name] > 0:
                add_option(s, name, NOBODY)
        if p.hand_types[seat, PUBLIC_WORKS] == 0:
            for name in range(CONSTRUCTIONS, NAMES):
                is_there = False
                for at in range(p.common_works):
                    is_there |= s.work_name[at] == name
                if is_there:
                    add_option(s, name, NOBODY)
        name = s.options[choose(s, r, take_hook, seat, TAKE, n_cards - i), 0]
        if name < CONSTRUCTIONS:
            p.common[name] -= 1
        else:
            pick_work(s, name)
        take_in(s, seat, name)
        s.moved[name] += 1
    note(s, E_TAKEN, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)


@kernel
def exchange(s, r, lay_hook, take_hook, seat):
    """d) Look at the face-down cards, put some cards down, take as many (ORC-14, ORC-23)."""
    s.phase = EXCHANGE
    for i in range(s.public.common_works):
        s.work_seen[i] |= 1 << seat
    n_laid = lay_cards(s, r, lay_hook, seat)
    take_cards(s, r, take_hook, seat, n_laid)


# --- e) flush ----------------------------------------------------------------------------------------------


@kernel
def flush(s, r, t, draw_hook, seat):
    """e) Hand and common space are discarded and dealt anew from the Residential pile (ORC-15, ORC-22)."""
    p = s.public
    s.phase = FLUSH
    s.moved[:] = s.hand[seat]
    for name in range(NAMES):
        p.discards[name] += s.hand[seat, name]
        s.hand[seat, name] = 0
    p.hand_n[seat] = 0
    for pile in range(PILES):
        p.hand_types[seat, pile] = 0
    note(s, E_FLUSHED_HAND, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)
    s.moved[:] = 0
    for name in range(CONSTRUCTIONS):
        s.moved[name] = p.common[name]
        p.common[name] = 0
    for i in range(p.common_works):
        s.moved[s.work_name[i]] += 1
    p.common_works = 0
    for name in range(NAMES):
        p.discards[name] += s.moved[name]
    note(s, E_FLUSHED_COMMON, seat, 0, 0, 0, 0)
    note_list(s, 0, s.moved)
    n_cards = r.hand_size + r.common_size
    for i in range(n_cards):
        is_for_hand = 1 if i < r.hand_size else 0
        if can_draw(s, RESIDENTIAL):
            name = draw_from(s, t, RESIDENTIAL)
        else:
            name = draw_card(s, r, t, draw_hook, seat, is_for_hand, n_cards - i)
        if name == NOBODY:
            continue
        if is_for_hand:
            take_in(s, seat, name)
        elif name < CONSTRUCTIONS:
            p.common[name] += 1
        else:
            lay_work(s, name, 0)
        note(s, E_DRAWN if is_for_hand else E_COMMON_CARD, seat, name, 0, 0, 0)


# --- a turn ------------------------------------------------------------------------------------------------


@kernel
def list_actions(s, r, seat):
    """List what a seat may do in its turn: an action, and the card it takes."""
    work = NOBODY
    for name in range(CONSTRUCTIONS, NAMES):
        if r.barred[seat, FIRST_WORK + name - CONSTRUCTIONS]:
            continue
        if s.hand[seat, name] > 0 and can_accomplish(s, r, seat, name):  # may list options of its own
            work = name
    s.n_options = 0
    for name in range(CONSTRUCTIONS):
        if can_construct(s, r, seat, name):
            add_option(s, CONSTRUCT, name)
    if s.public.space_n[seat] > 0:
        add_option(s, CLOSE, NOBODY)
    if work != NOBODY:
        add_option(s, ACCOMPLISH, work)
    if not r.barred[seat, EXCHANGING]:
        add_option(s, SWAP, NOBODY)
    if not r.barred[seat, FLUSHING]:
        add_option(s, RENEW, NOBODY)
    add_option(s, PASS, NOBODY)


@kernel
def refill(s, r, t, draw_hook, seat):
    """Draw, card by card, up to a full hand (ORC-13)."""
    s.phase = REFILL
    for n_left in range(r.hand_size - s.public.hand_n[seat], 0, -1):
        name = draw_card(s, r, t, draw_hook, seat, 1, n_left)
        if name == NOBODY:
            break
        take_in(s, seat, name)
        note(s, E_DRAWN, seat, name, 0, 0, 0)


@kernel.once
def take_turn(s, r, t, act_hook, build_hook, scrap_hook, steal_hook, lay_hook, take_hook, draw_hook, drawers, seat):
    """One action, then the hand is filled."""
    p = s.public
    list_actions(s, r, seat)
    choice = choose(s, r, act_hook, seat, ACT, 0)
    action = s.options[choice, 0]
    name = s.options[choice, 1]
    t.actions[turn_bin(s), action] += 1
    if action == CONSTRUCT:
        construct(s, r, t, build_hook, seat, name)
    elif action == CLOSE:
        close_books(s, r, t, seat)
    elif action == ACCOMPLISH:
        accomplish(s, r, t, scrap_hook, steal_hook, drawers, seat, name)
    elif action == SWAP:
        exchange(s, r, lay_hook, take_hook, seat)
    elif action == RENEW:
        flush(s, r, t, draw_hook, seat)
    else:
        s.phase = PASSING
        note(s, E_PASSED, seat, 0, 0, 0, 0)
    if s.is_over:
        return
    refill(s, r, t, draw_hook, seat)
    t.coins[turn_bin(s), min(p.coins[seat], t.coins.shape[1] - 1)] += 1
    note(s, E_TURN_END, seat, p.coins[seat], p.points[seat], p.technology[seat], p.hand_n[seat])


# --- end of game -------------------------------------------------------------------------------------------


@kernel
def finish(s, r, t):
    """The winner, or nobody if the turns ran out (ORC-16); the others by points, then coins (ORC-24)."""
    p = s.public
    s.phase = FINAL
    note(s, E_END, NOBODY, p.turn_no, s.is_over, 0, 0)
    share = 100 * p.turn_no // (r.turn_limit_per_seat * p.n_seats)
    t.length[share, s.is_over] += 1
    for seat in range(p.n_seats):
        n_better = 0
        for other in range(p.n_seats):
            if p.points[other] > p.points[seat] or (
                p.points[other] == p.points[seat] and p.coins[other] > p.coins[seat]
            ):
                n_better += 1
        is_winner = s.is_over and p.points[seat] >= r.win_points
        s.outcome[seat, RANK] = n_better + 1
        s.outcome[seat, WIN] = SIXTIETHS if is_winner else 0
        s.outcome[seat, SCORE] = p.points[seat]
        s.outcome[seat, COL_COINS] = p.coins[seat]
        s.outcome[seat, COL_TECHNOLOGY] = p.technology[seat]
        s.outcome[seat, COL_TURNS] = p.turn_no
        s.outcome[seat, COL_FINISHED] = s.is_over
        for work in range(WORKS):
            s.outcome[seat, COL_WORKS + work] = p.works[seat, work]
        for i in range(s.milestone, len(MILESTONES)):  # standings never reached repeat the last ones
            s.outcome[seat, COL_AFTER + i] = p.points[seat]
        for name in range(NAMES):
            if s.held[seat] >> name & 1:
                t.held[name, 0] += 1
                t.held[name, 1] += s.outcome[seat, WIN]
        note(s, E_FINAL, seat, p.points[seat], p.coins[seat], n_better + 1, s.outcome[seat, WIN])


# --- play --------------------------------------------------------------------------------------------------


@kernel
def play(
    states,
    rules,
    tallies,
    out,
    groups,
    seed,
    first,
    n_rotations,
    discarders,
    actors,
    builders,
    scrappers,
    thieves,
    layers,
    takers,
    drawers,
):
    """Play deals from `first` on, each with the table in `n_rotations` seatings; fills `out` and `tallies`.

    `states` and `rules` have one entry; `groups` says for each deal which of the `tallies` counts it; `out` is
    (deals * n_rotations, seats, outcome columns).
    """
    s = states[0]
    r = rules[0]
    s.seed = seed
    n_seats = out.shape[1]
    s.public.n_seats = n_seats
    for game in range(out.shape[0]):
        t = tallies[groups[game // n_rotations]]
        s.deal = first + game // n_rotations
        s.n_events = 0
        seat_players(s, game % n_rotations)
        prepare(s, r, t, discarders)
        p = s.public
        while not s.is_over and p.turn_no < r.turn_limit_per_seat * n_seats:
            seat = p.turn_no % n_seats
            p.active = seat
            p.round_no = p.turn_no // n_seats + 1
            player = s.player[seat]
            take_turn(
                s, r, t, actors[player], builders[player], scrappers[player], thieves[player], layers[player],
                takers[player], drawers[player], drawers, seat,
            )  # fmt: skip
            p.turn_no += 1
        finish(s, r, t)
        for seat in range(n_seats):
            for column in range(out.shape[2]):
                out[game, seat, column] = s.outcome[seat, column]
