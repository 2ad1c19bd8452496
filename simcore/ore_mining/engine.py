"""Ore: The Mining Game's rules, in the rulebook's order. `ORE-n` cites a ruling on what the rulebook leaves open."""

from __future__ import annotations

from simcore import seating, state
from simcore.chance import open_stream, shuffle
from simcore.game import RANK, SCORE, SIXTIETHS, WIN
from simcore.kernel import game_kernels, record_type
from simcore.ore_mining import (
    BOXES,
    BUILDINGS,
    CONTRACTS,
    DECISIONS,
    EVENTS,
    GAME,
    MAX_EVENTS,
    MINES,
    ORES,
    OUTCOMES,
    PLACES,
)
from simcore.records import record
from simcore.state import NOT_AN_OPTION, RESHUFFLE

__all__ = ["PUBLIC", "STATE", "VIEW", "kernel", "play"]

SEATS = 5  # the most that can play
N_ORES = len(ORES)
N_CONTRACTS = len(CONTRACTS)
N_BUILDINGS = len(BUILDINGS)
PER_ORE = len(MINES) // N_ORES  # mine cards of an ore
SLOTS = 5  # spaces of face-up contracts
MINE_ROOM = 16  # a deck of mines goes round in it: a power of two
CONTRACT_ROOM = 32  # the same
BUILDING_ROOM = 4 * N_BUILDINGS
COPPER = ORES.index("copper")
NOBODY = -1
LOST, DONE = -2, -3  # a contract's holder, beside a seat and NOBODY

CAGE, DRILL, FIRST_MINE = range(3)
PRIVATE, DECK, MARKET, PERMIT, RECRUIT, ADVANCED, OVERTIME, FIRST_SLOT = range(FIRST_MINE + N_ORES, len(PLACES))
N_SPACES = FIRST_SLOT + SLOTS
# columns of the rule `barred`
NO_CAGE, NO_DRILL, NO_MINES, NO_PRIVATE, NO_DECK, NO_MARKET, NO_PERMIT, NO_RECRUIT, NO_ADVANCED, NO_OVERTIME = range(10)
NO_CONTRACTS, NO_BUILDING, NO_REACTING = range(10, 13)

SETUP, TASKING, ORDERS, COLLECTION, BUSINESS, ROUND_END, FINAL = range(7)
(
    PLACE, KEEP, TRADE, FOLLOW, PERMITS, APPLY, ORDER, FILL, FINISH, BUILD, ACCEPT, GAIN, SELL, HURRY, TAKE,
) = range(len(DECISIONS))  # fmt: skip
(
    E_SEAT_READY,
    E_BUILDING_DRAWN,
    E_MINE_OPENED,
    E_CONTRACT_SHOWN,
    E_CONTRACTS_RESHUFFLED,
    E_FIRST_PLAYER,
    E_PLACED,
    E_CAGE_RAISED,
    E_BITS_GAINED,
    E_PRIVATE_OPENED,
    E_CONTRACT_TAKEN,
    E_CONTRACT_LOOKED,
    E_CONTRACT_KEPT,
    E_CONTRACT_RETURNED,
    E_BOUGHT,
    E_SOLD,
    E_NOT_TRADED,
    E_PERMITS,
    E_RECRUITED,
    E_MARKER_TAKEN,
    E_PASSED,
    E_ROW_FILLED,
    E_CONTRACT_LOST,
    E_CONTRACT_COMPLETED,
    E_BUILT,
    E_GAINED,
    E_DECLINED,
    E_DUG,
    E_ADVANCED,
    E_EXHAUSTED,
    E_MARKER,
    E_RECALLED,
    E_STANDING,
    E_FINAL,
) = range(len(EVENTS))

# positions in tallies, see `TALLIES`
N_PLACED, DOLLARS, ORE_WORTH, POINTS = range(4)  # `placement`, and `built` but for its last
GAINS = 4
THERE, USED, TURNS, BLOCKED = range(4)
TAKEN, ROWS_FILLED, COMPLETED, FORFEITED, LEFT_OPEN = range(5)
FROM_ROWS, FROM_SALES, FROM_DRILL, FROM_BUILDINGS = range(4)
FOR_CAGE, FOR_PRIVATE, FOR_ORE, FOR_PERMITS, FOR_RECRUIT, FOR_BUILDINGS = range(6)

COL_CONTRACT_POINTS = OUTCOMES.index("contract_points")  # then of buildings, money and cage
COL_MONEY, COL_ORE, COL_CONTRACTS, COL_BUILDINGS, COL_RECRUITED = (
    OUTCOMES.index(name) for name in ("money", "ore", "contracts", "buildings", "recruited")
)
COL_AFTER = OUTCOMES.index("after_1")

# purposes of streams of chance
MINE_DECK = 10  # and one for each ore
CONTRACT_DECK = 20
BUILDING_DECK = 21


# --- state -------------------------------------------------------------------------------------------------

# What lies open to all (ORE-17); cards are numbered as in `MINES`, `CONTRACTS`, `BUILDINGS`. It is copied at every
# question, so what is only compared is kept in a byte, small counts in two: un-jitted, a byte's arithmetic overflows.
PUBLIC = record(
    [
        ("n_seats", "i4"),
        ("round_no", "i4"),
        ("active", "i4"),  # whose turn it is
        ("first", "i4"),  # the first player of this round
        ("marker", "i4"),  # who took the first-player marker this round, or NOBODY
        ("n_recruited", "i4"),  # workers bought by all so far
        ("bits_left", "i4"),
        ("contracts_left", "i4"),  # cards in the deck
        ("buildings_left", "i4"),
        ("n_lost", "i4"),  # contracts in the discard pile
        ("money", "i4", (SEATS,)),
        ("ore", "i4", (SEATS, N_ORES)),
        ("cage", "i2", (SEATS,)),  # 0, or 1 and 2 for levels II and III
        ("bits", "i2", (SEATS,)),
        ("workers", "i2", (SEATS,)),  # in front of the player
        ("recruited", "i2", (SEATS,)),  # the round in which a seat recruited, or 0
        ("contract_points", "i4", (SEATS,)),
        ("building_points", "i4", (SEATS,)),
        ("n_contracts", "i2", (SEATS,)),  # completed
        ("n_buildings", "i2", (SEATS,)),  # built
        ("n_held", "i2", (SEATS,)),  # contracts in front of the player
        ("hand_n", "i2", (SEATS,)),  # building cards in hand
        ("in_play", "i1", (N_ORES,)),  # ores of this game
        ("mine_card", "i4", (N_ORES,)),  # face up; NOBODY for an ore that is not in play
        ("mine_left", "i2", (N_ORES,)),  # cards in the deck
        ("box", "i1", (N_ORES, BOXES)),  # whose worker stands there, or NOBODY
        ("private_card", "i4", (SEATS,)),  # or NOBODY
        ("private_box", "i4", (SEATS,)),  # where the temporary worker stands
        ("occupied", "i2", (N_SPACES,)),  # workers on a space; mines have boxes
        ("shown", "i4", (SLOTS,)),  # face-up contracts, or NOBODY
        ("holder", "i1", (N_CONTRACTS,)),  # a seat, LOST, DONE, or NOBODY: face up, in the deck or not in the game
        ("filled", "i2", (N_CONTRACTS,)),  # rows filled
        ("fresh", "i1", (N_CONTRACTS,)),  # the round in which a building brought it: not demanded in it (ORE-20)
        ("built", "i2", (N_BUILDINGS,)),  # by anybody
    ]
)

VIEW = state.view_record(
    PUBLIC,
    [
        ("hand", "i2", (N_BUILDINGS,)),
        ("card", "i4"),  # the contract or building that is asked about, or what else the decision says
        ("n_left", "i4"),  # cubes, cards or buildings still allowed, this one included
    ],
)

STATE = state.state_record(
    PUBLIC,
    VIEW,
    SEATS,
    len(OUTCOMES),
    [
        ("hand", "i2", (SEATS, N_BUILDINGS)),
        ("mine_deck", "i4", (N_ORES, MINE_ROOM)),
        ("mine_top", "i4", (N_ORES,)),
        ("contract_deck", "i4", (CONTRACT_ROOM,)),
        ("contract_top", "i4"),
        ("building_deck", "i4", (BUILDING_ROOM,)),  # its last card is the top one
        ("n_reshuffles", "i4"),
        ("card", "i4"),  # being asked about
        ("looked", "i4", (CONTRACT_ROOM,)),  # contracts looked at
        ("moved", "i4", (N_ORES,)),  # ore that moves together
        ("done", "i4", (N_CONTRACTS,)),  # rows filled already in this step
        ("n_ready", "i4", (SEATS,)),  # contracts whose last row is filled, not yet completed
        ("place", "i4"),  # where the worker stands that is being placed, as the tallies count
        ("taken_place", "i4", (N_CONTRACTS,)),  # the space that a contract came from, or NOBODY
        ("taken_round", "i4", (N_CONTRACTS,)),
        ("n_turns", "i4"),  # of all seats in this phase, those with workers left
        ("full_since", "i4", (N_SPACES,)),  # the turn after which a space was full; NOBODY: it is not
        ("is_used", "i4", (N_SPACES,)),
        ("since", "i4", (N_ORES, BOXES)),  # the round in which a worker entered a mine, and what it has dug
        ("cubes", "i4", (N_ORES, BOXES)),
        ("worth", "i4", (N_ORES, BOXES)),
        ("private_since", "i4", (SEATS,)),
        ("private_cubes", "i4", (SEATS,)),
        ("private_worth", "i4", (SEATS,)),
        ("held_contracts", "i4", (SEATS,)),  # cards that a seat has had, as bits
        ("held_buildings", "i4", (SEATS,)),
    ],
    MAX_EVENTS,
)

HOOKS = ("finish", "build", "accept", "gain", "sell", "hurry", "take", "keep")  # what completing a contract may ask
kernel = game_kernels(
    GAME,
    STATE,
    VIEW,
    one=("hook", "place_hook", "trade_hook", "permit_hook", "fill_hook", "order_hook", *(f"{name}_hook" for name in HOOKS)),
    each=(
        "placers", "keepers", "traders", "followers", "permitters", "appliers", "orderers", "fillers", "finishers",
        "builders", "accepters", "gainers", "sellers", "hurriers", "takers",
    ),
    p=record_type(PUBLIC),
)  # fmt: skip

note = kernel.small(state.note)
note_list = kernel(state.note_list)
refuse = kernel(state.refuse)
seat_players = kernel(seating.seat_players)
add_option = kernel.small(state.add_option)
show_options = kernel.small(state.show_options)


# --- small things ------------------------------------------------------------------------------------------


@kernel.small
def next_seat(p, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < p.n_seats else 0


@kernel.small
def market_value(p, r, ore):
    """Of an ore, as its face-up mine card has it."""
    return r.value[p.mine_card[ore]]


@kernel.small
def worth_of(p, r, numbers):
    """What so many cubes of each ore are worth at market value."""
    worth = 0
    for ore in range(N_ORES):
        if numbers[ore] > 0 and p.in_play[ore]:
            worth += numbers[ore] * r.value[p.mine_card[ore]]
    return worth


@kernel.small
def has_ore(p, seat, numbers):
    """Whether a seat has so many cubes of each ore."""
    ore = p.ore
    return (
        ore[seat, 0] >= numbers[0]
        and ore[seat, 1] >= numbers[1]
        and ore[seat, 2] >= numbers[2]
        and ore[seat, 3] >= numbers[3]
        and ore[seat, 4] >= numbers[4]
    )


@kernel.small
def points_of(p, r, seat):
    """Contracts, buildings, whole lots of dollars, the Mine Cage (ORE-16)."""
    return (
        p.contract_points[seat]
        + p.building_points[seat]
        + p.money[seat] // r.dollars_per_point
        + r.cage_points[p.cage[seat]]
    )


@kernel.small
def place_of(space):
    """A space as the tallies count it: those of face-up contracts are one."""
    return min(space, FIRST_SLOT)


@kernel.small
def credit(s, t, kind, amount):
    """Count what the worker just placed brought: dollars, worth of ore, points."""
    t.placement[s.place, s.public.round_no - 1, kind] += amount


# --- asking ------------------------------------------------------------------------------------------------


@kernel.small
def look(s, r, seat, decision):
    """Show a seat what it may know, and nothing else (ORE-17)."""
    v = s.views[seat]
    v.public = s.public
    for name in range(N_BUILDINGS):
        v.hand[name] = s.hand[seat, name]
    v.card = s.card
    v.n_options = 0
    s.asked_seat = seat
    s.asked_decision = decision


@kernel
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


# --- decks -------------------------------------------------------------------------------------------------


@kernel.small
def draw_mine(s, ore):
    """The top card of a deck of mines."""
    name = s.mine_deck[ore, s.mine_top[ore]]
    s.mine_top[ore] = (s.mine_top[ore] + 1) & (MINE_ROOM - 1)
    s.public.mine_left[ore] -= 1
    return name


@kernel.small
def return_mine(s, ore, name):
    """An exhausted card goes under its deck."""
    s.mine_deck[ore, (s.mine_top[ore] + s.public.mine_left[ore]) & (MINE_ROOM - 1)] = name
    s.public.mine_left[ore] += 1


@kernel
def reshuffle_contracts(s):
    """Lost contracts become the deck, once a card is needed and the deck is empty (ORE-18)."""
    p = s.public
    s.contract_top = 0
    n = 0
    for name in range(N_CONTRACTS):
        if p.holder[name] == LOST:
            p.holder[name] = NOBODY
            s.contract_deck[n] = name
            n += 1
    p.contracts_left = n
    p.n_lost = 0
    note(s, E_CONTRACTS_RESHUFFLED, NOBODY, n, 0, 0, 0)
    open_stream(s.chance, s.seed, s.deal, RESHUFFLE + s.n_reshuffles)
    s.n_reshuffles += 1
    shuffle(s.chance, s.contract_deck, n)


@kernel.small
def next_contract(s):
    """The top card of the contract deck, which has one."""
    name = s.contract_deck[s.contract_top]
    s.contract_top = (s.contract_top + 1) & (CONTRACT_ROOM - 1)
    s.public.contracts_left -= 1
    return name


@kernel
def show_contract(s, slot):
    """Fill a slot from the deck; without a card it stays empty (ORE-18, ORE-21)."""
    p = s.public
    p.shown[slot] = NOBODY
    if p.contracts_left == 0 and p.n_lost > 0:
        reshuffle_contracts(s)
    if p.contracts_left > 0:
        p.shown[slot] = next_contract(s)
        note(s, E_CONTRACT_SHOWN, NOBODY, slot + 1, p.shown[slot], 0, 0)


@kernel
def draw_buildings(s, seat, n):
    """Building cards into a hand, as far as there are any (ORE-19)."""
    p = s.public
    for _ in range(min(n, p.buildings_left)):
        p.buildings_left -= 1
        name = s.building_deck[p.buildings_left]
        s.hand[seat, name] += 1
        p.hand_n[seat] += 1
        s.held_buildings[seat] |= 1 << name
        note(s, E_BUILDING_DRAWN, seat, name, 0, 0, 0)


@kernel
def hold_contract(s, r, t, seat, name, place):
    """A contract comes before a player."""
    p = s.public
    p.holder[name] = seat
    p.filled[name] = 0
    p.fresh[name] = p.round_no if place == NOBODY else 0
    p.n_held[seat] += 1
    s.taken_place[name] = place
    s.taken_round[name] = p.round_no
    s.held_contracts[seat] |= 1 << name
    t.contracts[r.n_rows[name] - 1, TAKEN] += 1
    t.contract_round[p.round_no - 1, TAKEN] += 1


@kernel
def take_shown(s, r, t, seat, slot, place):
    """A face-up contract, its slot filled at once (ORE-7, ORE-20)."""
    name = s.public.shown[slot]
    note(s, E_CONTRACT_TAKEN, seat, slot + 1, name, 0, 0)
    hold_contract(s, r, t, seat, name, place)
    show_contract(s, slot)


@kernel
def look_through(s, r, t, keep_hook, seat, n, place):
    """Look at the top contracts, keep one, the others under the deck; a building's may all go there (ORE-7, ORE-20)."""
    p = s.public
    if p.contracts_left == 0 and p.n_lost > 0:
        reshuffle_contracts(s)
    n_looked = min(n, p.contracts_left)
    if n_looked == 0:
        return
    s.n_options = 0
    for i in range(n_looked):
        name = next_contract(s)
        s.looked[i] = name
        note(s, E_CONTRACT_LOOKED, seat, name, 0, 0, 0)
        add_option(s, name, NOBODY)
    if place == NOBODY:
        add_option(s, NOBODY, NOBODY)
    kept = s.options[choose(s, r, keep_hook, seat, KEEP, 1), 0]
    if kept != NOBODY:
        note(s, E_CONTRACT_KEPT, seat, kept, 0, 0, 0)
        hold_contract(s, r, t, seat, kept, place)
    for i in range(n_looked):
        name = s.looked[i]
        if name != kept:
            s.contract_deck[(s.contract_top + p.contracts_left) & (CONTRACT_ROOM - 1)] = name
            p.contracts_left += 1
            note(s, E_CONTRACT_RETURNED, seat, name, 0, 0, 0)


# --- set-up ------------------------------------------------------------------------------------------------


@kernel.once
def prepare_mines(s, r):
    """A deck for each ore, its top card face up; no copper with two players (ORE-15)."""
    p = s.public
    for ore in range(N_ORES):
        p.in_play[ore] = 0 if ore == COPPER and p.n_seats == 2 and r.two_player else 1
        s.mine_top[ore] = 0
        p.mine_left[ore] = 0
        p.mine_card[ore] = NOBODY
        if p.in_play[ore] == 0:
            continue
        for name in range(ore * PER_ORE, (ore + 1) * PER_ORE):
            for _ in range(r.mine_copies[name]):
                s.mine_deck[ore, p.mine_left[ore]] = name
                p.mine_left[ore] += 1
        open_stream(s.chance, s.seed, s.deal, MINE_DECK + ore)
        shuffle(s.chance, s.mine_deck[ore], p.mine_left[ore])


@kernel.once
def prepare_contracts(s, r):
    """The deck; with two players only cards with the mark (ORE-15)."""
    p = s.public
    s.contract_top = 0
    p.contracts_left = 0
    p.n_lost = 0
    for name in range(N_CONTRACTS):
        p.holder[name] = NOBODY
        p.filled[name] = 0
        p.fresh[name] = 0
        if r.contract_copies[name] and (p.n_seats > 2 or not r.two_player or r.contract_two[name]):
            s.contract_deck[p.contracts_left] = name
            p.contracts_left += 1
    open_stream(s.chance, s.seed, s.deal, CONTRACT_DECK)
    shuffle(s.chance, s.contract_deck, p.contracts_left)


@kernel
def give_building(s, r, seat, name, n):
    """Swap a card of that name with the first that a seat is dealt: one from further down, else one of an earlier seat."""
    target = n - 1 - seat * r.start_buildings
    for i in range(target, -1, -1):
        if s.building_deck[i] == name:
            s.building_deck[i] = s.building_deck[target]
            s.building_deck[target] = name
            return
    for i in range(n - 1, target, -1):
        other = (n - 1 - i) // r.start_buildings
        is_given = (n - 1 - i) % r.start_buildings == 0 and r.start_building[other] > 0
        if s.building_deck[i] == name and not is_given:
            s.building_deck[i] = s.building_deck[target]
            s.building_deck[target] = name
            return


@kernel.once
def prepare_buildings(s, r):
    """The deck, likewise; a building that an experiment gives a seat lies where its first card is dealt from."""
    p = s.public
    n = 0
    for name in range(N_BUILDINGS):
        for _ in range(r.building_copies[name]):
            if p.n_seats > 2 or not r.two_player or r.building_two[name]:
                s.building_deck[n] = name
                n += 1
    open_stream(s.chance, s.seed, s.deal, BUILDING_DECK)
    shuffle(s.chance, s.building_deck, n)
    p.buildings_left = n
    for seat in range(p.n_seats):
        if r.start_building[seat] > 0 and r.start_buildings > 0:
            give_building(s, r, seat, r.start_building[seat] - 1, n)


@kernel.once
def prepare_seat(s, r, seat):
    """Money by turn order, a cube of each ore, workers (ORE-1, ORE-25)."""
    p = s.public
    p.money[seat] = r.seat_money[seat]
    p.workers[seat] = r.start_workers[p.n_seats - 2]
    for ore in range(N_ORES):
        p.ore[seat, ore] = r.start_ore if p.in_play[ore] else 0
        s.moved[ore] = p.ore[seat, ore]
    p.cage[seat] = 0
    p.bits[seat] = 0
    p.recruited[seat] = 0
    p.contract_points[seat] = 0
    p.building_points[seat] = 0
    p.n_contracts[seat] = 0
    p.n_buildings[seat] = 0
    p.n_held[seat] = 0
    p.hand_n[seat] = 0
    p.private_card[seat] = NOBODY
    p.private_box[seat] = 0
    note(s, E_SEAT_READY, seat, p.money[seat], p.workers[seat], 0, 0)
    note_list(s, 2, s.moved)


@kernel
def prepare(s, r):
    """Decks, purses, hands, the board."""
    p = s.public
    s.phase = SETUP
    p.round_no = 0
    p.active = 0
    p.first = 0
    p.marker = NOBODY
    p.n_recruited = 0
    p.bits_left = r.drill_bits
    p.box[:] = NOBODY
    p.occupied[:] = 0
    p.shown[:] = NOBODY
    p.built[:] = 0
    s.hand[:] = 0
    s.n_ready[:] = 0
    s.held_contracts[:] = 0
    s.held_buildings[:] = 0
    s.n_reshuffles = 0
    s.card = NOBODY
    prepare_mines(s, r)
    prepare_contracts(s, r)
    prepare_buildings(s, r)
    for seat in range(p.n_seats):
        prepare_seat(s, r, seat)
    for seat in range(p.n_seats):
        draw_buildings(s, seat, r.start_buildings)
    for ore in range(N_ORES):
        if p.in_play[ore]:
            p.mine_card[ore] = draw_mine(s, ore)
            note(s, E_MINE_OPENED, NOBODY, p.mine_card[ore], 0, 0, 0)
    for slot in range(r.contracts_shown[p.n_seats - 2]):
        show_contract(s, slot)
    note(s, E_FIRST_PLAYER, 0, 0, 0, 0, 0)


# --- contracts and buildings -------------------------------------------------------------------------------


@kernel
def can_fill(p, r, seat, name):
    """Whether a seat has the ore for the next row of a contract."""
    return has_ore(p, seat, r.contract_need[name, p.filled[name]])


@kernel
def fill_row(s, r, t, seat, name):
    """Ore onto the topmost open row, which pays (ORE-14)."""
    p = s.public
    row = p.filled[name]
    need = r.contract_need[name, row]
    pay = r.row_pay[name, row]
    for ore in range(N_ORES):
        p.ore[seat, ore] -= need[ore]
    p.money[seat] += pay
    p.filled[name] = row + 1
    if row + 1 == r.n_rows[name]:
        s.n_ready[seat] += 1
    since = s.taken_round[name] - 1
    if s.taken_place[name] != NOBODY:
        t.placement[s.taken_place[name], since, DOLLARS] += pay
        t.placement[s.taken_place[name], since, ORE_WORTH] -= worth_of(p, r, need)
    t.contracts[r.n_rows[name] - 1, ROWS_FILLED] += 1
    t.contract_round[since, ROWS_FILLED] += 1
    t.income[p.round_no - 1, FROM_ROWS] += pay
    note(s, E_ROW_FILLED, seat, name, row + 1, pay, 0)


@kernel.small
def add_gain(s, r, t, seat, name, money, numbers):
    """Dollars and ore that a building gives."""
    p = s.public
    p.money[seat] += money
    for ore in range(N_ORES):
        p.ore[seat, ore] += numbers[ore]
    t.income[p.round_no - 1, FROM_BUILDINGS] += money
    t.built[name, GAINS] += money + worth_of(p, r, numbers)


@kernel
def give_fixed(s, r, t, accept_hook, seat, name):
    """Dollars, ore, drill bits, levels of the Mine Cage, cards: taken whole or declined (ORE-20)."""
    p = s.public
    n_cubes = 0
    for ore in range(N_ORES):
        s.moved[ore] = r.gain_ore[name, ore] if p.in_play[ore] else 0
        n_cubes += s.moved[ore]
    money = r.gain_money[name]
    bits = min(r.gain_bits[name], p.bits_left)
    levels = min(r.gain_cage[name], 2 - p.cage[seat])
    n_cards = min(r.gain_draw[name], p.buildings_left)
    if money + n_cubes + bits + levels + n_cards == 0:
        return
    s.card = name
    s.n_options = 0
    add_option(s, 1, NOBODY)
    add_option(s, 0, NOBODY)
    if s.options[choose(s, r, accept_hook, seat, ACCEPT, 1), 0] == 0:
        note(s, E_DECLINED, seat, name, 0, 0, 0)
        return
    if money + n_cubes + bits > 0:
        add_gain(s, r, t, seat, name, money, s.moved)
        p.bits[seat] += bits
        p.bits_left -= bits
        note(s, E_GAINED, seat, money, bits, 0, 0)
        note_list(s, 2, s.moved)
    if levels > 0:
        p.cage[seat] += levels
        note(s, E_CAGE_RAISED, seat, p.cage[seat], 0, 0, 0)
    draw_buildings(s, seat, n_cards)


@kernel.once
def give_any(s, r, t, gain_hook, seat, name):
    """Cubes of any ore, one by one (ORE-20)."""
    p = s.public
    for n_left in range(r.gain_any[name], 0, -1):
        s.card = name
        s.n_options = 0
        for ore in range(N_ORES):
            if p.in_play[ore]:
                add_option(s, ore, NOBODY)
        add_option(s, NOBODY, NOBODY)
        ore = s.options[choose(s, r, gain_hook, seat, GAIN, n_left), 0]
        if ore == NOBODY:
            break
        s.moved[:] = 0
        s.moved[ore] = 1
        add_gain(s, r, t, seat, name, 0, s.moved)
        note(s, E_GAINED, seat, 0, 0, 0, 0)
        note_list(s, 2, s.moved)


@kernel.once
def sell_well(s, r, t, sell_hook, seat, name):
    """Cubes of one ore above market value."""
    p = s.public
    s.card = name
    s.n_options = 0
    add_option(s, NOBODY, 0)
    for ore in range(N_ORES):
        for n in range(1, min(r.gain_sale[name], p.ore[seat, ore]) + 1):
            add_option(s, ore, n)
    choice = choose(s, r, sell_hook, seat, SELL, r.gain_sale[name])
    ore = s.options[choice, 0]
    n = s.options[choice, 1]
    if ore == NOBODY:
        return
    price = market_value(p, r, ore) + r.sale_bonus
    p.ore[seat, ore] -= n
    p.money[seat] += n * price
    t.income[p.round_no - 1, FROM_BUILDINGS] += n * price
    t.built[name, GAINS] += n * r.sale_bonus
    note(s, E_SOLD, seat, ore, n, price, 0)


@kernel.once
def fill_early(s, r, t, hurry_hook, seat, name):
    """The next row of a contract held before (ORE-20)."""
    p = s.public
    s.done[:] = 0
    for n_left in range(r.gain_row[name], 0, -1):
        s.card = name
        s.n_options = 0
        add_option(s, NOBODY, NOBODY)
        for contract in range(N_CONTRACTS):
            if p.holder[contract] == seat and p.filled[contract] < r.n_rows[contract] and s.done[contract] == 0:
                if can_fill(p, r, seat, contract):
                    add_option(s, contract, NOBODY)
        contract = s.options[choose(s, r, hurry_hook, seat, HURRY, n_left), 0]
        if contract == NOBODY:
            break
        s.done[contract] = 1
        fill_row(s, r, t, seat, contract)


@kernel.once
def take_more(s, r, t, take_hook, seat, name):
    """Face-up contracts."""
    p = s.public
    for n_left in range(r.gain_contract[name], 0, -1):
        s.card = name
        s.n_options = 0
        add_option(s, NOBODY, NOBODY)
        for slot in range(SLOTS):
            if p.shown[slot] != NOBODY:
                add_option(s, p.shown[slot], slot)
        slot = s.options[choose(s, r, take_hook, seat, TAKE, n_left), 1]
        if slot == NOBODY:
            break
        take_shown(s, r, t, seat, slot, NOBODY)


@kernel
def activate(s, r, t, accept_hook, gain_hook, sell_hook, hurry_hook, take_hook, keep_hook, seat, name):
    """The once-ability of a building just paid (ORE-20)."""
    give_fixed(s, r, t, accept_hook, seat, name)
    if r.gain_any[name] > 0:
        give_any(s, r, t, gain_hook, seat, name)
    if r.gain_sale[name] > 0:
        sell_well(s, r, t, sell_hook, seat, name)
    if r.gain_row[name] > 0:
        fill_early(s, r, t, hurry_hook, seat, name)
    if r.gain_contract[name] > 0:
        take_more(s, r, t, take_hook, seat, name)
    if r.gain_look[name] > 0:
        s.card = name
        look_through(s, r, t, keep_hook, seat, r.gain_look[name], NOBODY)


@kernel.once
def list_buildings(s, r, seat):
    """What a seat can build: cash or ore, each whole (ORE-14)."""
    p = s.public
    s.n_options = 0
    add_option(s, NOBODY, NOBODY)
    for name in range(N_BUILDINGS):
        if s.hand[seat, name] == 0:
            continue
        if r.building_cash[name] <= p.money[seat]:
            add_option(s, name, 0)
        cost = r.building_cost[name]
        if cost[0] + cost[1] + cost[2] + cost[3] + cost[4] > 0 and has_ore(p, seat, cost):
            add_option(s, name, 1)


@kernel.once
def pay_building(s, r, t, seat, name, is_in_ore):
    """A building leaves the hand, is paid and scores."""
    p = s.public
    s.moved[:] = 0
    paid = 0
    if is_in_ore:
        for ore in range(N_ORES):
            s.moved[ore] = r.building_cost[name, ore]
            p.ore[seat, ore] -= s.moved[ore]
        t.built[name, ORE_WORTH] += worth_of(p, r, s.moved)
    else:
        paid = r.building_cash[name]
        p.money[seat] -= paid
        t.built[name, DOLLARS] += paid
        t.outlay[p.round_no - 1, FOR_BUILDINGS] += paid
    s.hand[seat, name] -= 1
    p.hand_n[seat] -= 1
    p.n_buildings[seat] += 1
    p.built[name] += 1
    p.building_points[seat] += r.built_points[name]
    t.built[name, N_PLACED] += 1
    t.built[name, POINTS] += r.built_points[name]
    t.building_round[p.round_no - 1] += 1
    note(s, E_BUILT, seat, name, paid, 0, 0)
    note_list(s, 2, s.moved)
    if s.is_logged:
        s.event_data[s.n_events - 1, 2 + N_ORES] = r.built_points[name]


@kernel
def build_some(
    s, r, t, build_hook, accept_hook, gain_hook, sell_hook, hurry_hook, take_hook, keep_hook, seat, n_allowed
):
    """Build as many as a completed contract allows."""
    for n_left in range(n_allowed, 0, -1):
        if s.public.hand_n[seat] == 0:
            break
        list_buildings(s, r, seat)
        choice = choose(s, r, build_hook, seat, BUILD, n_left)
        name = s.options[choice, 0]
        if name == NOBODY:
            break
        pay_building(s, r, t, seat, name, s.options[choice, 1])
        activate(s, r, t, accept_hook, gain_hook, sell_hook, hurry_hook, take_hook, keep_hook, seat, name)


@kernel
def complete_contracts(
    s, r, t, finish_hook, build_hook, accept_hook, gain_hook, sell_hook, hurry_hook, take_hook, keep_hook, seat
):
    """Completed contracts score one by one, each with its buildings (ORE-14, ORE-23)."""
    p = s.public
    while s.n_ready[seat] > 0:
        s.card = NOBODY
        s.n_options = 0
        for name in range(N_CONTRACTS):
            if p.holder[name] == seat and p.filled[name] == r.n_rows[name]:
                add_option(s, name, NOBODY)
        name = s.options[choose(s, r, finish_hook, seat, FINISH, s.n_ready[seat]), 0]
        s.n_ready[seat] -= 1
        p.holder[name] = DONE
        p.n_held[seat] -= 1
        p.n_contracts[seat] += 1
        p.contract_points[seat] += r.contract_points[name]
        t.contracts[r.n_rows[name] - 1, COMPLETED] += 1
        t.contract_round[s.taken_round[name] - 1, COMPLETED] += 1
        if s.taken_place[name] != NOBODY:
            t.placement[s.taken_place[name], s.taken_round[name] - 1, POINTS] += r.contract_points[name]
        note(s, E_CONTRACT_COMPLETED, seat, name, r.contract_points[name], 0, 0)
        if not r.barred[seat, NO_BUILDING]:
            build_some(
                s, r, t, build_hook, accept_hook, gain_hook, sell_hook, hurry_hook, take_hook, keep_hook, seat,
                r.contract_buildings[name],
            )  # fmt: skip


# --- phase 1: tasking --------------------------------------------------------------------------------------


@kernel.small
def is_free(p, r, space):
    """Whether a worker may stand on a space in town: it is empty, or the last round is on (ORE-3)."""
    return p.occupied[space] == 0 or (r.last_round_open and p.round_no == r.rounds)


@kernel.small
def can_cage(p, r, seat):
    """Whether a seat can pay for the next level of its Mine Cage (ORE-5)."""
    return p.cage[seat] < 2 and p.money[seat] >= r.cage_price[min(p.cage[seat], 1)]


@kernel.small
def can_recruit(p, r, seat):
    """Whether a seat has not recruited yet and can pay for a worker (ORE-10)."""
    n = p.n_recruited
    return p.recruited[seat] == 0 and n < r.recruit_price.size and p.money[seat] >= r.recruit_price[min(n, 4)]


@kernel.small
def can_permit(p, r, seat):
    """Whether a seat can pay for a building card; with none left there is nothing to pay for (ORE-9, ORE-22)."""
    if p.buildings_left == 0 or p.money[seat] >= r.permit_price[0]:
        return True
    for n in range(2, min(r.permit_price.size, p.buildings_left) + 1):
        if p.money[seat] >= r.permit_price[n - 1]:
            return True
    return False


@kernel.small
def list_mines(s, r, seat):
    """Mines with their topmost box empty, or a lower one that a drill bit and the Mine Cage open (ORE-4)."""
    p = s.public
    for ore in range(N_ORES):
        if p.in_play[ore] == 0:
            continue
        if p.box[ore, 0] == NOBODY:
            add_option(s, FIRST_MINE + ore, 0)
        if p.bits[seat] > 0:
            card = p.mine_card[ore]
            for box in range(1, min(3, r.n_boxes[card])):
                if p.box[ore, box] == NOBODY and r.mine_level[card, box] <= p.cage[seat] + 1:
                    add_option(s, FIRST_MINE + ore, box)


@kernel.small
def list_private(s, r, seat):
    """Ores of which a private mine can be paid and drawn (ORE-6, ORE-24)."""
    p = s.public
    for ore in range(N_ORES):
        if p.mine_left[ore] > 0 and r.private_price + market_value(p, r, ore) <= p.money[seat]:
            add_option(s, PRIVATE, ore)


@kernel.small
def list_overtime(s, r, seat):
    """Spaces in town that are occupied and whose action can be taken (ORE-12, ORE-22)."""
    p = s.public
    barred = r.barred
    if p.occupied[CAGE] > 0 and can_cage(p, r, seat) and not barred[seat, NO_CAGE]:
        add_option(s, OVERTIME, CAGE)
    if p.occupied[DRILL] > 0 and not barred[seat, NO_DRILL]:
        add_option(s, OVERTIME, DRILL)
    if p.occupied[MARKET] > 0 and not barred[seat, NO_MARKET]:
        add_option(s, OVERTIME, MARKET)
    if p.occupied[PERMIT] > 0 and can_permit(p, r, seat) and not barred[seat, NO_PERMIT]:
        add_option(s, OVERTIME, PERMIT)
    if p.occupied[RECRUIT] > 0 and can_recruit(p, r, seat) and not barred[seat, NO_RECRUIT]:
        add_option(s, OVERTIME, RECRUIT)
    if p.occupied[ADVANCED] > 0 and not barred[seat, NO_ADVANCED]:
        add_option(s, OVERTIME, ADVANCED)


@kernel
def list_spaces(s, r, seat):
    """Where a seat may place a worker: spaces that are free and whose action can be paid and done (ORE-22)."""
    p = s.public
    barred = r.barred
    s.n_options = 0
    if is_free(p, r, CAGE) and can_cage(p, r, seat) and not barred[seat, NO_CAGE]:
        add_option(s, CAGE, NOBODY)
    if is_free(p, r, DRILL) and not barred[seat, NO_DRILL]:
        add_option(s, DRILL, NOBODY)
    if not barred[seat, NO_MINES]:
        list_mines(s, r, seat)
    if p.occupied[PRIVATE] == 0 and p.private_card[seat] == NOBODY and not barred[seat, NO_PRIVATE]:
        list_private(s, r, seat)
    if p.occupied[DECK] == 0 and p.contracts_left + p.n_lost > 0 and not barred[seat, NO_DECK]:
        add_option(s, DECK, NOBODY)
    if is_free(p, r, MARKET) and not barred[seat, NO_MARKET]:
        add_option(s, MARKET, NOBODY)
    if is_free(p, r, PERMIT) and can_permit(p, r, seat) and not barred[seat, NO_PERMIT]:
        add_option(s, PERMIT, NOBODY)
    if is_free(p, r, RECRUIT) and can_recruit(p, r, seat) and not barred[seat, NO_RECRUIT]:
        add_option(s, RECRUIT, NOBODY)
    if is_free(p, r, ADVANCED) and not barred[seat, NO_ADVANCED]:
        add_option(s, ADVANCED, NOBODY)
    if p.occupied[OVERTIME] < r.overtime_places[p.n_seats - 2] and not barred[seat, NO_OVERTIME]:
        list_overtime(s, r, seat)
    if not barred[seat, NO_CONTRACTS]:
        for slot in range(SLOTS):
            if p.shown[slot] != NOBODY and p.occupied[FIRST_SLOT + slot] == 0:
                add_option(s, FIRST_SLOT + slot, NOBODY)


@kernel.once
def raise_cage(s, r, t, seat):
    """Mine Cage: the next level (ORE-5)."""
    p = s.public
    paid = r.cage_price[p.cage[seat]]
    p.cage[seat] += 1
    p.money[seat] -= paid
    credit(s, t, DOLLARS, -paid)
    credit(s, t, POINTS, r.cage_points[p.cage[seat]] - r.cage_points[p.cage[seat] - 1])
    t.outlay[p.round_no - 1, FOR_CAGE] += paid
    note(s, E_CAGE_RAISED, seat, p.cage[seat], 0, 0, 0)


@kernel.once
def take_bit(s, r, t, seat):
    """Drill Bit: one, and some dollars even if none is left (ORE-25)."""
    p = s.public
    n = min(1, p.bits_left)
    p.bits[seat] += n
    p.bits_left -= n
    p.money[seat] += r.drill_money
    credit(s, t, DOLLARS, r.drill_money)
    t.income[p.round_no - 1, FROM_DRILL] += r.drill_money
    note(s, E_BITS_GAINED, seat, n, r.drill_money, 0, 0)


@kernel.once
def enter_mine(s, t, seat, ore, box):
    """A worker goes down a mine; a drill bit lets it start below the top (ORE-4)."""
    p = s.public
    p.box[ore, box] = seat
    s.since[ore, box] = p.round_no
    s.cubes[ore, box] = 0
    s.worth[ore, box] = 0
    if box > 0:
        p.bits[seat] -= 1
        p.bits_left += 1
    t.entered[ore, box] += 1


@kernel.once
def open_private(s, r, t, seat, ore):
    """Private Mine: the top card of a deck, with the temporary worker on it (ORE-6)."""
    p = s.public
    paid = r.private_price + market_value(p, r, ore)
    p.money[seat] -= paid
    p.private_card[seat] = draw_mine(s, ore)
    p.private_box[seat] = 0
    s.private_since[seat] = p.round_no
    s.private_cubes[seat] = 0
    s.private_worth[seat] = 0
    credit(s, t, DOLLARS, -paid)
    t.outlay[p.round_no - 1, FOR_PRIVATE] += paid
    note(s, E_PRIVATE_OPENED, seat, p.private_card[seat], 0, 0, 0)


@kernel
def exchange(s, r, t, seat, ore, n, is_active):
    """Buy (n above 0) or sell cubes at market value."""
    p = s.public
    if n == 0:
        note(s, E_NOT_TRADED, seat, 0, 0, 0, 0)
        return
    price = market_value(p, r, ore)
    p.ore[seat, ore] += n
    p.money[seat] -= n * price
    way = 0 if n > 0 else 1
    who = 0 if is_active else 1
    t.market[ore, who, way, 0] += abs(n)
    t.market[ore, who, way, 1] += abs(n) * price
    if n > 0:
        t.outlay[p.round_no - 1, FOR_ORE] += n * price
    else:
        t.income[p.round_no - 1, FROM_SALES] -= n * price
    if is_active:
        credit(s, t, DOLLARS, -n * price)
        credit(s, t, ORE_WORTH, n * price)
    note(s, E_BOUGHT if n > 0 else E_SOLD, seat, ore, abs(n), price, 0)


@kernel.small
def list_trades(s, r, seat, ore, most):
    """Cubes of an ore that a seat can buy or sell."""
    p = s.public
    price = market_value(p, r, ore)
    for n in range(1, most + 1):
        if n * price <= p.money[seat]:
            add_option(s, ore, n)
        if n <= p.ore[seat, ore]:
            add_option(s, ore, -n)


@kernel.once
def go_to_market(s, r, t, trade_hook, followers, seat):
    """Commodity Market: trade one ore, then each other player may trade it too (ORE-8)."""
    p = s.public
    s.card = NOBODY
    s.n_options = 0
    add_option(s, NOBODY, 0)
    for ore in range(N_ORES):
        if p.in_play[ore]:
            list_trades(s, r, seat, ore, r.market_active)
    choice = choose(s, r, trade_hook, seat, TRADE, r.market_active)
    ore = s.options[choice, 0]
    exchange(s, r, t, seat, ore, s.options[choice, 1], True)
    if ore == NOBODY:
        return
    other = next_seat(p, seat)
    while other != seat:
        s.card = ore
        s.n_options = 0
        add_option(s, ore, 0)
        if not r.barred[other, NO_REACTING]:
            list_trades(s, r, other, ore, r.market_other)
        choice = choose(s, r, followers[s.player[other]], other, FOLLOW, r.market_other)
        exchange(s, r, t, other, ore, s.options[choice, 1], False)
        other = next_seat(p, other)


@kernel.small
def draw_permits(s, t, seat, n, paid, who):
    """Building cards bought."""
    p = s.public
    p.money[seat] -= paid
    t.permits[who, n] += 1
    t.outlay[p.round_no - 1, FOR_PERMITS] += paid
    note(s, E_PERMITS, seat, n, paid, 0, 0)
    draw_buildings(s, seat, n)


@kernel.once
def go_to_permit_office(s, r, t, permit_hook, appliers, seat):
    """Permit Office: building cards, then each other player may draw some too (ORE-9, ORE-19)."""
    p = s.public
    s.card = NOBODY
    s.n_options = 0
    for n in range(1, min(r.permit_price.size, p.buildings_left) + 1):
        if r.permit_price[n - 1] <= p.money[seat]:
            add_option(s, n, r.permit_price[n - 1])
    if s.n_options == 0:
        add_option(s, 0, 0)
    choice = choose(s, r, permit_hook, seat, PERMITS, p.buildings_left)
    paid = s.options[choice, 1]
    credit(s, t, DOLLARS, -paid)
    draw_permits(s, t, seat, s.options[choice, 0], paid, 0)
    other = next_seat(p, seat)
    while other != seat:
        s.n_options = 0
        add_option(s, 0, 0)
        if not r.barred[other, NO_REACTING]:
            for n in range(1, min(r.permit_other_price.size, p.buildings_left) + 1):
                if r.permit_other_price[n - 1] <= p.money[other]:
                    add_option(s, n, r.permit_other_price[n - 1])
        choice = choose(s, r, appliers[s.player[other]], other, APPLY, p.buildings_left)
        draw_permits(s, t, other, s.options[choice, 0], s.options[choice, 1], 1)
        other = next_seat(p, other)


@kernel.once
def recruit(s, r, t, seat):
    """Recruit: a worker for the next round, cheaper for each bought before (ORE-10)."""
    p = s.public
    paid = r.recruit_price[p.n_recruited]
    p.money[seat] -= paid
    p.n_recruited += 1
    p.recruited[seat] = p.round_no
    credit(s, t, DOLLARS, -paid)
    t.outlay[p.round_no - 1, FOR_RECRUIT] += paid
    t.recruits[p.round_no - 1, 0] += 1
    t.recruits[p.round_no - 1, 1] += paid
    note(s, E_RECRUITED, seat, p.n_recruited, 0, 0, 0)


@kernel
def fill_orders(s, r, t, order_hook, seat):
    """A row of each contract that a seat wants to fill now; nothing is lost (ORE-11)."""
    p = s.public
    s.done[:] = 0
    for n_left in range(p.n_held[seat], 0, -1):
        s.card = NOBODY
        s.n_options = 0
        add_option(s, NOBODY, NOBODY)
        for name in range(N_CONTRACTS):
            if p.holder[name] == seat and s.done[name] == 0 and can_fill(p, r, seat, name):
                add_option(s, name, NOBODY)
        name = s.options[choose(s, r, order_hook, seat, ORDER, n_left), 0]
        if name == NOBODY:
            break
        s.done[name] = 1
        fill_row(s, r, t, seat, name)


@kernel.once
def call_advanced_orders(
    s, r, t, orderers, finishers, builders, accepters, gainers, sellers, hurriers, takers, keepers, seat
):
    """Advanced Orders: the marker, a building card, then rows for all from the active player on (ORE-11, ORE-23)."""
    p = s.public
    p.marker = seat
    note(s, E_MARKER_TAKEN, seat, 0, 0, 0, 0)
    draw_buildings(s, seat, r.advanced_draw)
    s.phase = ORDERS
    other = seat
    for _ in range(p.n_seats):
        if p.n_held[other] > 0:
            player = s.player[other]
            fill_orders(s, r, t, orderers[player], other)
            complete_contracts(
                s, r, t, finishers[player], builders[player], accepters[player], gainers[player], sellers[player],
                hurriers[player], takers[player], keepers[player], other,
            )  # fmt: skip
        other = next_seat(p, other)
    s.phase = TASKING


@kernel.once
def occupy(s, r, t, seat, space):
    """A worker stands on a space; how much each is used is counted."""
    p = s.public
    p.workers[seat] -= 1
    s.place = place_of(space)
    s.is_used[space] = 1
    t.placement[s.place, p.round_no - 1, N_PLACED] += 1
    if 0 < p.recruited[seat] < p.round_no:
        t.recruits[p.recruited[seat] - 1, 2] += 1
    if FIRST_MINE <= space < PRIVATE:
        return
    p.occupied[space] += 1
    is_full = p.occupied[space] == 1
    if space == OVERTIME:
        is_full = p.occupied[space] == r.overtime_places[p.n_seats - 2]
    if is_full:
        s.full_since[space] = s.n_turns


@kernel.small
def paid_for(p, r, seat, space, detail):
    """Dollars that a worker's action costs at once."""
    if space == CAGE:
        return r.cage_price[p.cage[seat]]
    if space == PRIVATE:
        return r.private_price + market_value(p, r, detail)
    if space == RECRUIT:
        return r.recruit_price[p.n_recruited]
    return 0


@kernel.small
def town_position(space):
    """Where the tally `overtime` counts a space in town."""
    return space if space < FIRST_MINE else space - MARKET + 2


@kernel.once
def place_worker(
    s, r, t, place_hook, keep_hook, trade_hook, permit_hook, followers, appliers, orderers, finishers, builders,
    accepters, gainers, sellers, hurriers, takers, keepers, seat,
):  # fmt: skip
    """A seat puts a worker onto a space and carries out its action; returns whether there was a space for it."""
    p = s.public
    s.card = NOBODY
    s.n_turns += 1
    list_spaces(s, r, seat)
    if s.n_options == 0:
        t.passes[p.round_no - 1] += 1
        note(s, E_PASSED, seat, 0, 0, 0, 0)
        return False
    choice = choose(s, r, place_hook, seat, PLACE, p.workers[seat])
    space = s.options[choice, 0]
    detail = s.options[choice, 1]
    used = detail if space == OVERTIME else space
    if s.is_logged:
        box = detail + 1 if FIRST_MINE <= space < PRIVATE else 0
        note(s, E_PLACED, seat, space, used, box, 1 if box > 1 else 0)
        s.event_data[s.n_events - 1, 4] = paid_for(p, r, seat, used, detail)
    occupy(s, r, t, seat, space)
    if space == OVERTIME:
        t.overtime[town_position(used)] += 1
    if FIRST_MINE <= used < PRIVATE:
        enter_mine(s, t, seat, used - FIRST_MINE, detail)
        if detail == 0:
            s.full_since[used] = s.n_turns
    elif used >= FIRST_SLOT:
        take_shown(s, r, t, seat, used - FIRST_SLOT, s.place)
    elif used == CAGE:
        raise_cage(s, r, t, seat)
    elif used == DRILL:
        take_bit(s, r, t, seat)
    elif used == PRIVATE:
        open_private(s, r, t, seat, detail)
    elif used == DECK:
        look_through(s, r, t, keep_hook, seat, r.deck_look, s.place)
    elif used == MARKET:
        go_to_market(s, r, t, trade_hook, followers, seat)
    elif used == PERMIT:
        go_to_permit_office(s, r, t, permit_hook, appliers, seat)
    elif used == RECRUIT:
        recruit(s, r, t, seat)
    else:
        call_advanced_orders(
            s, r, t, orderers, finishers, builders, accepters, gainers, sellers, hurriers, takers, keepers, seat
        )
    return True


@kernel.once
def count_use(s, r, t):
    """How many turns of the phase each space was taken."""
    p = s.public
    is_open = r.last_round_open and p.round_no == r.rounds
    n_spaces = FIRST_SLOT + r.contracts_shown[p.n_seats - 2]
    for space in range(n_spaces):
        if FIRST_MINE <= space < PRIVATE and p.in_play[space - FIRST_MINE] == 0:
            continue
        if space == OVERTIME and r.overtime_places[p.n_seats - 2] == 0:
            continue
        place = place_of(space)
        is_town = space < FIRST_MINE or MARKET <= space < OVERTIME
        t.use[place, p.round_no - 1, THERE] += 1
        t.use[place, p.round_no - 1, USED] += s.is_used[space]
        t.use[place, p.round_no - 1, TURNS] += s.n_turns
        if s.full_since[space] != NOBODY and not (is_town and is_open):
            t.use[place, p.round_no - 1, BLOCKED] += s.n_turns - s.full_since[space]


@kernel
def tasking(
    s, r, t, placers, keepers, traders, followers, permitters, appliers, orderers, finishers, builders, accepters,
    gainers, sellers, hurriers, takers,
):  # fmt: skip
    """Phase 1: workers are placed one by one until every player in a row passes (ORE-22)."""
    p = s.public
    s.phase = TASKING
    s.n_turns = 0
    s.is_used[:] = 0
    for space in range(N_SPACES):
        s.full_since[space] = NOBODY
    for ore in range(N_ORES):
        if p.box[ore, 0] != NOBODY:
            s.full_since[FIRST_MINE + ore] = 0
    seat = p.first
    n_passes = 0
    while n_passes < p.n_seats:
        is_placed = False
        if p.workers[seat] > 0:
            p.active = seat
            player = s.player[seat]
            is_placed = place_worker(
                s, r, t, placers[player], keepers[player], traders[player], permitters[player], followers, appliers,
                orderers, finishers, builders, accepters, gainers, sellers, hurriers, takers, keepers, seat,
            )  # fmt: skip
        n_passes = 0 if is_placed else n_passes + 1
        seat = next_seat(p, seat)
    count_use(s, r, t)


# --- phase 2: collection -----------------------------------------------------------------------------------


@kernel.once
def gather(s, r, t):
    """Every worker on a mine earns its box's ore."""
    p = s.public
    for ore in range(N_ORES):
        for box in range(BOXES):
            seat = p.box[ore, box]
            if seat == NOBODY:
                continue
            cubes = r.mine_yield[p.mine_card[ore], box]
            worth = cubes * market_value(p, r, ore)
            p.ore[seat, ore] += cubes
            s.cubes[ore, box] += cubes
            s.worth[ore, box] += worth
            t.dug[p.round_no - 1, ore] += cubes
            t.placement[FIRST_MINE + ore, s.since[ore, box] - 1, ORE_WORTH] += worth
            note(s, E_DUG, seat, p.mine_card[ore], box + 1, cubes, 0)
    seat = p.first
    for _ in range(p.n_seats):
        card = p.private_card[seat]
        if card != NOBODY:
            ore = card // PER_ORE
            cubes = r.mine_yield[card, p.private_box[seat]]
            worth = cubes * market_value(p, r, ore)
            p.ore[seat, ore] += cubes
            s.private_cubes[seat] += cubes
            s.private_worth[seat] += worth
            t.dug[p.round_no - 1, ore] += cubes
            t.placement[PRIVATE, s.private_since[seat] - 1, ORE_WORTH] += worth
            note(s, E_DUG, seat, card, p.private_box[seat] + 1, cubes, 0)
        seat = next_seat(p, seat)


@kernel.small
def can_descend(p, r, card, box, seat):
    """Whether there is a box below, of a level that the player's Mine Cage allows (ORE-13)."""
    return box + 1 < r.n_boxes[card] and r.mine_level[card, min(box + 1, BOXES - 1)] <= p.cage[seat] + 1


@kernel
def come_home(s, t, ore, box):
    """A worker returns from a mine to its player (ORE-13)."""
    p = s.public
    seat = p.box[ore, box]
    rounds = min(p.round_no - s.since[ore, box] + 1, BOXES)
    t.stay[0, p.cage[seat], rounds - 1, 0] += 1
    t.stay[0, p.cage[seat], rounds - 1, 1] += s.cubes[ore, box]
    t.stay[0, p.cage[seat], rounds - 1, 2] += s.worth[ore, box]
    p.workers[seat] += 1
    p.box[ore, box] = NOBODY


@kernel.once
def advance_mine(s, r, t, ore):
    """All workers on a card go down a box; if one cannot, the card is exhausted and all go home (ORE-13, ORE-24)."""
    p = s.public
    card = p.mine_card[ore]
    n_workers = 0
    is_stuck = False
    is_bottom = False
    for box in range(BOXES):
        if p.box[ore, box] == NOBODY:
            continue
        n_workers += 1
        is_bottom |= box + 1 == r.n_boxes[card]
        is_stuck |= not can_descend(p, r, card, box, p.box[ore, box])
    if n_workers == 0:
        return
    if is_stuck:
        t.exhausted[0, 0 if is_bottom else 1] += 1
        note(s, E_EXHAUSTED, NOBODY, card, 0 if is_bottom else 1, 0, 0)
        for box in range(BOXES):
            if p.box[ore, box] != NOBODY:
                come_home(s, t, ore, box)
        return_mine(s, ore, card)
        p.mine_card[ore] = draw_mine(s, ore)
        note(s, E_MINE_OPENED, NOBODY, p.mine_card[ore], 0, 0, 0)
        return
    for box in range(BOXES - 1, 0, -1):
        p.box[ore, box] = p.box[ore, box - 1]
        s.since[ore, box] = s.since[ore, box - 1]
        s.cubes[ore, box] = s.cubes[ore, box - 1]
        s.worth[ore, box] = s.worth[ore, box - 1]
    p.box[ore, 0] = NOBODY
    note(s, E_ADVANCED, NOBODY, card, 0, 0, 0)


@kernel.once
def advance_private(s, r, t, seat):
    """The same for a private mine, whose worker and card go back (ORE-6, ORE-24)."""
    p = s.public
    card = p.private_card[seat]
    box = p.private_box[seat]
    if can_descend(p, r, card, box, seat):
        p.private_box[seat] = box + 1
        note(s, E_ADVANCED, seat, card, 0, 0, 0)
        return
    is_bottom = box + 1 == r.n_boxes[card]
    rounds = min(p.round_no - s.private_since[seat] + 1, BOXES)
    t.stay[1, p.cage[seat], rounds - 1, 0] += 1
    t.stay[1, p.cage[seat], rounds - 1, 1] += s.private_cubes[seat]
    t.stay[1, p.cage[seat], rounds - 1, 2] += s.private_worth[seat]
    t.exhausted[1, 0 if is_bottom else 1] += 1
    note(s, E_EXHAUSTED, seat, card, 0 if is_bottom else 1, 0, 0)
    return_mine(s, card // PER_ORE, card)
    p.private_card[seat] = NOBODY


@kernel
def collect(s, r, t):
    """Phase 2: ore is gathered, workers go down, exhausted mines are replaced."""
    p = s.public
    s.phase = COLLECTION
    gather(s, r, t)
    for ore in range(N_ORES):
        if p.in_play[ore]:
            advance_mine(s, r, t, ore)
    seat = p.first
    for _ in range(p.n_seats):
        if p.private_card[seat] != NOBODY:
            advance_private(s, r, t, seat)
        seat = next_seat(p, seat)


# --- phase 3: business -------------------------------------------------------------------------------------


@kernel.small
def lose_contract(s, r, t, seat, name):
    """A contract whose row is not filled is discarded, with the ore on it (ORE-14, ORE-18)."""
    p = s.public
    p.holder[name] = LOST
    p.n_lost += 1
    p.n_held[seat] -= 1
    t.contracts[r.n_rows[name] - 1, FORFEITED] += 1
    t.contract_round[s.taken_round[name] - 1, FORFEITED] += 1
    note(s, E_CONTRACT_LOST, seat, name, 0, 0, 0)


@kernel
def fill_rows(s, r, t, fill_hook, seat):
    """The next row of every contract is filled, or the contract is lost (ORE-14; ORE-20: not one just gained)."""
    p = s.public
    n_left = p.n_held[seat]
    for name in range(N_CONTRACTS):
        if p.holder[name] != seat:
            continue
        s.card = name
        s.n_options = 0
        if can_fill(p, r, seat, name):
            add_option(s, 1, NOBODY)
        add_option(s, 0, NOBODY)
        if s.options[choose(s, r, fill_hook, seat, FILL, n_left), 0]:
            fill_row(s, r, t, seat, name)
        elif p.fresh[name] != p.round_no:
            lose_contract(s, r, t, seat, name)
        n_left -= 1


@kernel
def do_business(s, r, t, fillers, finishers, builders, accepters, gainers, sellers, hurriers, takers, keepers):
    """Phase 3: in turn order each player fills rows, then completes contracts (ORE-23)."""
    p = s.public
    s.phase = BUSINESS
    seat = p.first
    for _ in range(p.n_seats):
        p.active = seat
        if p.n_held[seat] > 0:
            player = s.player[seat]
            fill_rows(s, r, t, fillers[player], seat)
            complete_contracts(
                s, r, t, finishers[player], builders[player], accepters[player], gainers[player], sellers[player],
                hurriers[player], takers[player], keepers[player], seat,
            )  # fmt: skip
        seat = next_seat(p, seat)


@kernel
def end_round(s, r, t):
    """The marker passes on unless it was taken; workers come home from all spaces but the mines (ORE-13)."""
    p = s.public
    s.phase = ROUND_END
    is_taken = p.marker != NOBODY
    p.first = p.marker if is_taken else next_seat(p, p.first)
    p.marker = NOBODY
    p.occupied[:] = 0
    note(s, E_MARKER, p.first, is_taken, 0, 0, 0)
    n_owned = r.start_workers[p.n_seats - 2]
    if r.recall_miners:
        for ore in range(N_ORES):
            for box in range(BOXES):
                if p.box[ore, box] != NOBODY:
                    come_home(s, t, ore, box)
    for seat in range(p.n_seats):
        p.workers[seat] = n_owned + (1 if p.recruited[seat] > 0 else 0)
    for ore in range(N_ORES):
        for box in range(BOXES):
            if p.box[ore, box] != NOBODY:
                p.workers[p.box[ore, box]] -= 1
    for seat in range(p.n_seats):
        note(s, E_RECALLED, seat, p.workers[seat], 0, 0, 0)
    for seat in range(p.n_seats):
        points = points_of(p, r, seat)
        s.outcome[seat, COL_AFTER + p.round_no - 1] = points
        t.money[p.round_no - 1, min(p.money[seat], t.money.shape[1] - 1)] += 1
        t.cage[p.round_no - 1, p.cage[seat]] += 1
        note(s, E_STANDING, seat, points, p.money[seat], 0, 0)
        note_list(s, 2, p.ore[seat])


# --- end of game -------------------------------------------------------------------------------------------


@kernel.small
def ore_left(p, seat):
    """Cubes that a seat has."""
    n = 0
    for ore in range(N_ORES):
        n += p.ore[seat, ore]
    return n


@kernel.small
def is_ahead(p, r, seat, other):
    """Points, then ore left, then money (ORE-16)."""
    mine, theirs = points_of(p, r, seat), points_of(p, r, other)
    if mine != theirs:
        return mine > theirs
    mine, theirs = ore_left(p, seat), ore_left(p, other)
    if mine != theirs:
        return mine > theirs
    return p.money[seat] > p.money[other]


@kernel.once
def count_final(s, r, t, seat):
    """What a seat's game adds to the tallies."""
    p = s.public
    won = s.outcome[seat, WIN]
    for i in range(4):
        t.points[i] += s.outcome[seat, COL_CONTRACT_POINTS + i]
    if p.recruited[seat] > 0:
        t.recruits[p.recruited[seat] - 1, 3] += won
    for name in range(N_CONTRACTS):
        if p.holder[name] == seat:
            t.contracts[r.n_rows[name] - 1, LEFT_OPEN] += 1
            t.contract_round[s.taken_round[name] - 1, LEFT_OPEN] += 1
        if s.held_contracts[seat] >> name & 1:
            t.held[name, 0] += 1
            t.held[name, 1] += won
    for name in range(N_BUILDINGS):
        if s.held_buildings[seat] >> name & 1:
            t.held[N_CONTRACTS + name, 0] += 1
            t.held[N_CONTRACTS + name, 1] += won


@kernel
def finish(s, r, t):
    """Points, ties, winners (ORE-16)."""
    p = s.public
    s.phase = FINAL
    n_first = 0
    for seat in range(p.n_seats):
        n_better = 0
        for other in range(p.n_seats):
            if is_ahead(p, r, other, seat):
                n_better += 1
        s.outcome[seat, RANK] = n_better + 1
        if n_better == 0:
            n_first += 1
    for seat in range(p.n_seats):
        rank = s.outcome[seat, RANK]
        points = points_of(p, r, seat)
        s.outcome[seat, WIN] = SIXTIETHS // n_first if rank == 1 else 0
        s.outcome[seat, SCORE] = points
        s.outcome[seat, COL_CONTRACT_POINTS] = p.contract_points[seat]
        s.outcome[seat, COL_CONTRACT_POINTS + 1] = p.building_points[seat]
        s.outcome[seat, COL_CONTRACT_POINTS + 2] = p.money[seat] // r.dollars_per_point
        s.outcome[seat, COL_CONTRACT_POINTS + 3] = r.cage_points[p.cage[seat]]
        s.outcome[seat, COL_MONEY] = p.money[seat]
        s.outcome[seat, COL_ORE] = ore_left(p, seat)
        s.outcome[seat, COL_CONTRACTS] = p.n_contracts[seat]
        s.outcome[seat, COL_BUILDINGS] = p.n_buildings[seat]
        s.outcome[seat, COL_RECRUITED] = 1 if p.recruited[seat] > 0 else 0
        for i in range(p.round_no, s.outcome.shape[1] - COL_AFTER):  # rounds never reached repeat the last standing
            s.outcome[seat, COL_AFTER + i] = points
        count_final(s, r, t, seat)
        note(
            s,
            E_FINAL,
            seat,
            points,
            p.contract_points[seat],
            p.building_points[seat],
            p.money[seat] // r.dollars_per_point,
        )
        if s.is_logged:
            event = s.event_data[s.n_events - 1]
            event[4] = r.cage_points[p.cage[seat]]
            event[5] = ore_left(p, seat)
            event[6] = p.money[seat]
            event[7] = rank
            event[8] = s.outcome[seat, WIN]


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
    placers,
    keepers,
    traders,
    followers,
    permitters,
    appliers,
    orderers,
    fillers,
    finishers,
    builders,
    accepters,
    gainers,
    sellers,
    hurriers,
    takers,
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
        prepare(s, r)
        for round_no in range(1, r.rounds + 1):
            s.public.round_no = round_no
            tasking(
                s, r, t, placers, keepers, traders, followers, permitters, appliers, orderers, finishers, builders,
                accepters, gainers, sellers, hurriers, takers,
            )  # fmt: skip
            collect(s, r, t)
            do_business(s, r, t, fillers, finishers, builders, accepters, gainers, sellers, hurriers, takers, keepers)
            end_round(s, r, t)
        finish(s, r, t)
        for seat in range(n_seats):
            for column in range(out.shape[2]):
                out[game, seat, column] = s.outcome[seat, column]
