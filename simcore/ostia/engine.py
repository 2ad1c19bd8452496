"""Ostia's rules, in the rulebook's order. `OST-n` cites a ruling on what the rulebook leaves open.

Bluff cards change nothing that can be acted on, because all piles are revealed together; they are not played (OST-8).
"""

from __future__ import annotations

from simcore import seating, state
from simcore.chance import below, open_stream, shuffle
from simcore.game import RANK, SCORE, SIXTIETHS, WIN
from simcore.kernel import game_kernels, types
from simcore.ostia import DECISIONS, EVENTS, GAME, LEAST_PREMIUM, MAX_ROUNDS, OUTCOMES
from simcore.records import record
from simcore.state import (
    CARDS,
    COMPLETION,
    DECK,
    NOT_A_PARTITION,
    NOT_AFFORDABLE,
    NOT_AN_OPTION,
    OUT_OF_RANGE,
    RESHUFFLE,
    TOO_FEW_CARDS,
    TOO_MANY_CARDS,
)

__all__ = ["PUBLIC", "STATE", "VIEW", "kernel", "play"]

SEATS = 5  # the most that can play
TYPES = 6  # resources
CARDS_IN_ALL = 120
FORUM_CARDS = 20  # last position of the Forum tally
NOBODY = -1

SETUP, HARBOR, OFFICE, FORUM, SENATE, STOREHOUSES, FINAL = range(7)
KEEP, DISCARD, OFFER, BID, SELL, ASSIGN, STORE, SCORE_CARDS, RESELL, CHOOSE_START = range(len(DECISIONS))
BEST_BID, LOWER_BID, OWN_LOT, FORCED_LOT = range(4)
UNABLE, PASSED, BID_MADE, BID_CAPPED = range(4)
(
    FLOW_SOLD,
    FLOW_BOUGHT,
    FLOW_OWN,
    FLOW_FORCED,
    FLOW_FORUM,
    FLOW_BUILT,
    FLOW_BORROWED,
    FLOW_REPAID,
    FLOW_INTEREST,
    FLOW_MORTGAGED,
    FLOW_WAIVED,
) = range(11)
(
    E_SENATE_CARD,
    E_SEAT_READY,
    E_START_CARD,
    E_ROUND_START,
    E_DEALT,
    E_RESHUFFLE,
    E_KEPT,
    E_DISCARDED,
    E_OFFERED,
    E_NO_OFFER,
    E_BID,
    E_MORTGAGED,
    E_BORROWED,
    E_SOLD,
    E_OWN_LOT,
    E_FORCED,
    E_TALON,
    E_ASSIGNED,
    E_OVEREXTENDED,
    E_FORUM_PRICE,
    E_FORUM_SALE,
    E_DONATION,
    E_REPAID,
    E_INTEREST,
    E_BUILT,
    E_STORED,
    E_STANDING,
    E_START_CHOSEN,
    E_SCORED,
    E_RESOLD,
    E_MONEY_AWARD,
    E_FINAL,
) = range(len(EVENTS))
COL_MONEY, COL_SENATE, COL_VARIETY, COL_MONEY_POINTS, COL_STORES, COL_LOANS, COL_CARDS = (
    OUTCOMES.index(name)
    for name in ("money", "senate_points", "variety_points", "money_points", "storehouses", "loans", "cards")
)
COL_AFTER = OUTCOMES.index("after_1")
BIDDING, OVERBIDDING, OWN_LOTS, SELLING, DONATING, FORESEEING = range(6)  # columns of the rule `barred`


# --- state -------------------------------------------------------------------------------------------------

# what lies open to all (OST-7); lists over seats have an entry a seat, lists over resources one a resource. Open too
# are bids and revealed piles: they stand in the view itself, since all of this is copied for every decision
PUBLIC = record(
    [
        ("n_seats", "i4"),
        ("round_no", "i4"),  # 1 to 5
        ("start", "i4"),  # the starting player's seat
        ("cycle", "i4"),  # auction cycle, 1 or 2; 0 outside the auctions
        ("seller", "i4"),  # seat whose lot is on the table
        ("minimum", "i4"),  # least bid for that lot
        ("lot", "i4", (TYPES,)),  # cards of the lot
        ("first_card", "i4"),  # the same by resource, -1 for a card that is not there
        ("second_card", "i4"),
        ("senate", "i4", (TYPES,)),  # worth of each resource to the active Senate card
        ("senate_next", "i4", (TYPES,)),  # to the next one; zero in the last round
        ("points", "i4", (SEATS,)),
        ("storehouses", "i4", (SEATS,)),
        ("loans", "i4", (SEATS,)),
        ("hand_n", "i4", (SEATS,)),  # cards a seat owns, those up for auction apart
        ("bought", "i4", (SEATS, TYPES)),  # cards a seat got at this round's auctions
        ("bought_n", "i4", (TYPES,)),  # cards that all seats got there
        ("spent", "i4", (SEATS,)),  # money a seat paid at this round's auctions
        ("earned", "i4", (SEATS,)),  # money a seat got at this round's auctions
        ("talon", "i4", (TYPES,)),  # cards revealed before resources are assigned
    ]
)

VIEW = state.view_record(
    PUBLIC,
    [
        ("bids", "i4", (SEATS,)),  # for the lot on the table; -1 not asked yet, 0 passed
        ("forum", "i4", (SEATS, TYPES)),  # Forum piles revealed last
        ("donated", "i4", (SEATS, TYPES)),  # Senate piles revealed last
        ("cash", "i4"),
        ("can_pay", "i4"),  # cash, storehouses to mortgage and loans still allowed (OST-2)
        ("hand", "i4", (TYPES,)),  # stored, kept and bought cards (OST-22)
        ("dock", "i4", (TYPES,)),  # cards still to be auctioned; before `keep`, the cards just dealt
        ("to_forum", "i4", (TYPES,)),  # answer of `assign`
        ("to_senate", "i4", (TYPES,)),  # answer of `assign`
        ("kept", "i4", (TYPES,)),  # answer of `store` and `score`
        ("scratch", "f8", (16, TYPES)),  # a strategy's own, to reckon in while it answers
    ],
)

STATE = state.state_record(
    PUBLIC,
    VIEW,
    SEATS,
    len(OUTCOMES),
    [
        ("cash", "i4", (SEATS,)),
        ("bids", "i4", (SEATS,)),
        ("hand", "i4", (SEATS, TYPES)),
        ("dock", "i4", (SEATS, TYPES)),
        ("forum", "i4", (SEATS, TYPES)),
        ("donated", "i4", (SEATS, TYPES)),
        ("senate_cards", "i4", (TYPES, TYPES)),  # rows as in the rules
        ("senate_order", "i4", (TYPES,)),  # row numbers; the first is set aside
        ("deck", "i4", (CARDS_IN_ALL,)),
        ("deck_n", "i4"),
        ("discard", "i4", (TYPES,)),  # a pile that is only ever reshuffled: counts will do
        ("n_reshuffles", "i4"),
        ("held", "i4", (SEATS,)),  # resources that a seat got at an auction at any time, as bits
        ("n_auction", "i4", (SEATS,)),  # auction cards of a seat when the auctions begin
        ("resold", "i4", (SEATS,)),
        ("worth", "i4", (SEATS,)),  # what an award or a tie-break compares
        ("kept", "i4", (TYPES,)),  # cards kept by the seat just asked
        ("scored", "i4", (SEATS, TYPES)),  # cards chosen for final scoring
        ("no_values", "i4", (TYPES,)),
    ],
)

kernel = game_kernels(
    GAME,
    STATE,
    VIEW,
    one=("hook", "offer_hook", "sell_hook"),
    each=(
        "keepers", "discarders", "offerers", "bidders", "sellers", "assigners", "storers", "scorers", "resellers", "choosers",
    ),
    award=types.int32[:],
    lot=types.int32[:],
)  # fmt: skip

note = kernel(state.note)
note_list = kernel(state.note_list)
refuse = kernel(state.refuse)
seat_players = kernel(seating.seat_players)
add_option = kernel.small(state.add_option)
show_options = kernel.small(state.show_options)
award_share = kernel(state.award_share)


@kernel.small
def seat_after(s, seat, n):
    """The seat `n` places to the left; cheaper than a division."""
    after = seat + n
    return after if after < s.public.n_seats else after - s.public.n_seats


# --- cards -------------------------------------------------------------------------------------------------


@kernel
def shuffle_deck(s):
    """The deck in a new order."""
    shuffle(s.chance, s.deck, s.deck_n)


@kernel.small
def draw(s):
    """The top card; an empty deck is replaced by the shuffled discards first (OST-16); none left: NOBODY (OST-23)."""
    if s.deck_n == 0:
        for kind in range(TYPES):
            for _ in range(s.discard[kind]):
                s.deck[s.deck_n] = kind
                s.deck_n += 1
        if s.deck_n == 0:
            return NOBODY
        note(s, E_RESHUFFLE, NOBODY, 0, 0, 0, 0)
        note_list(s, 0, s.discard)
        s.discard[:] = 0
        open_stream(s.chance, s.seed, s.deal, RESHUFFLE + s.n_reshuffles)
        s.n_reshuffles += 1
        shuffle_deck(s)
    s.deck_n -= 1
    return s.deck[s.deck_n]


@kernel
def put_on_top(s, kind):
    """Swap the topmost card of that resource with the top card of the deck; nothing if the deck has none."""
    top = s.deck_n - 1
    for i in range(top, -1, -1):
        if s.deck[i] == kind:
            s.deck[i] = s.deck[top]
            s.deck[top] = kind
            break


# --- asking ------------------------------------------------------------------------------------------------


@kernel.small
def can_pay(s, r, seat):
    """Cash, storehouses to mortgage and loans still allowed (OST-2)."""
    loans = max(r.max_loans - s.public.loans[seat], 0)
    return s.cash[seat] + r.mortgage_value * s.public.storehouses[seat] + r.loan_value * loans


@kernel.small
def look(s, r, seat, decision):
    """Show a seat what it may know, and nothing else (OST-7, OST-19)."""
    v = s.views[seat]
    v.public = s.public
    if r.barred[seat, FORESEEING]:
        v.public.senate_next[:] = 0
    for other in range(SEATS):
        v.bids[other] = s.bids[other]
    v.cash = s.cash[seat]
    v.can_pay = can_pay(s, r, seat)
    for kind in range(TYPES):
        v.hand[kind] = s.hand[seat, kind]
        v.dock[kind] = s.dock[seat, kind]
    v.n_options = 0
    s.asked_seat = seat
    s.asked_decision = decision


@kernel.small
def ask(s, r, hook, seat):
    """The strategy's answer to what `look` has shown."""
    s.n_asked += 1
    return hook(s.views[seat], r)


@kernel.small
def choose(s, r, hook, seat, decision):
    """The position, among the options listed, of the one chosen; a single option is not asked about."""
    if s.n_options == 1:
        return 0
    look(s, r, seat, decision)
    show_options(s, s.views[seat])
    answer = ask(s, r, hook, seat)
    if answer < 0 or answer >= s.n_options:
        refuse(s, NOT_AN_OPTION, answer)
    return answer


# --- game preparation --------------------------------------------------------------------------------------


@kernel
def prepare_senate(s, r):
    """Shuffle the Senate cards; one is set aside unseen, two are revealed (OST-15)."""
    if r.n_completions > 0:
        open_stream(s.chance, s.seed, s.deal, COMPLETION)
        which = below(s.chance, r.n_completions)
        for card in range(TYPES):
            for kind in range(TYPES):
                s.senate_cards[card, kind] = r.completions[which, card, kind]
    else:
        s.senate_cards[:] = r.senate_cards
    open_stream(s.chance, s.seed, s.deal, CARDS)
    for i in range(TYPES):
        j = below(s.chance, i + 1)
        s.senate_order[i] = s.senate_order[j]
        s.senate_order[j] = i
    for slot in range(3):
        note(s, E_SENATE_CARD, NOBODY, s.senate_order[slot] + 1, slot, 0, 0)
        note_list(s, 2, s.senate_cards[s.senate_order[slot]])


@kernel
def prepare(s, r):
    """Deck, Senate, and what each seat receives."""
    p = s.public
    s.phase = SETUP
    s.n_reshuffles = 0
    p.round_no = 0
    p.start = 0
    p.cycle = 0
    p.seller = NOBODY
    p.first_card = NOBODY
    p.second_card = NOBODY
    p.senate[:] = 0
    p.senate_next[:] = 0
    p.talon[:] = 0
    s.discard[:] = 0
    s.hand[:] = 0
    s.held[:] = 0
    s.dock[:] = 0
    s.outcome[:] = 0
    prepare_senate(s, r)
    s.deck_n = 0
    for kind in range(r.first_game, TYPES):  # ivory, the first resource, is left out of a first game (OST-17)
        for _ in range(r.copies[kind]):
            s.deck[s.deck_n] = kind
            s.deck_n += 1
    open_stream(s.chance, s.seed, s.deal, DECK)
    shuffle_deck(s)
    for seat in range(p.n_seats):
        s.cash[seat] = r.advanced_start_money[seat] if r.advanced_price else r.start_money[seat]
        p.points[seat] = 0
        p.storehouses[seat] = r.start_storehouses[seat]
        p.loans[seat] = 0
        p.hand_n[seat] = 0
        note(s, E_SEAT_READY, seat, s.cash[seat], p.storehouses[seat], 0, 0)
    for seat in range(p.n_seats):
        for i in range(r.start_cards[seat]):
            if i == 0 and r.start_card[seat] > 0:
                put_on_top(s, r.start_card[seat] - 1)
            card = draw(s)
            if card != NOBODY:
                s.hand[seat, card] += 1
                p.hand_n[seat] += 1
        note(s, E_START_CARD, seat, 0, 0, 0, 0)
        note_list(s, 0, s.hand[seat])


@kernel
def begin_round(s, r, number):
    """The Senate cards of the round; what was open in the last round is cleared."""
    p = s.public
    p.round_no = number
    s.phase = HARBOR
    is_last = number == TYPES - 1  # the Senate cards have run out (OST-15)
    active = s.senate_order[number]
    following = s.senate_order[number + 1] if not is_last else NOBODY
    p.senate[:] = s.senate_cards[active]
    if is_last:
        p.senate_next[:] = 0
    else:
        p.senate_next[:] = s.senate_cards[following]
    p.talon[:] = 0
    p.bought[:] = 0
    p.bought_n[:] = 0
    p.spent[:] = 0
    p.earned[:] = 0
    note(s, E_ROUND_START, p.start, active + 1, following + 1, 0, 0)
    note_list(s, 2, p.senate)
    if is_last:
        note_list(s, 8, s.no_values)
    else:
        note_list(s, 8, p.senate_next)


# --- 1. harbor ---------------------------------------------------------------------------------------------


@kernel
def distribute(s, r):
    """a) Cards to each seat in turn order."""
    for turn in range(s.public.n_seats):
        seat = seat_after(s, s.public.start, turn)
        for _ in range(r.deal_cards):
            card = draw(s)
            if card != NOBODY:
                s.dock[seat, card] += 1
        note(s, E_DEALT, seat, 0, 0, 0, 0)
        note_list(s, 0, s.dock[seat])


@kernel
def keep_cards(s, r, hook, seat):
    """b) Set aside what is not auctioned, one card at a time; all seats do so at once (OST-22)."""
    n_cards = 0
    for kind in range(TYPES):
        n_cards += s.dock[seat, kind]
    s.kept[:] = 0
    for _ in range(n_cards - r.auction_cards):
        s.n_options = 0
        for kind in range(TYPES):
            if s.dock[seat, kind] > 0:
                add_option(s, kind, NOBODY)
        kind = s.options[choose(s, r, hook, seat, KEEP), 0]
        s.dock[seat, kind] -= 1
        s.hand[seat, kind] += 1
        s.kept[kind] += 1
        s.public.hand_n[seat] += 1
    note(s, E_KEPT, seat, 0, 0, 0, 0)
    note_list(s, 0, s.kept)
    s.n_auction[seat] = min(n_cards, r.auction_cards)


@kernel
def discard_unseen(s, r, hook, seat):
    """Advanced rules (a): up to two auction cards go under the discards, one stays for each auction turn (OST-20)."""
    n_most = min(2, s.n_auction[seat] - 2)
    s.n_options = 0
    add_option(s, NOBODY, NOBODY)
    if n_most >= 1:
        for kind in range(TYPES):
            if s.dock[seat, kind] > 0:
                add_option(s, kind, NOBODY)
    if n_most >= 2:
        for kind in range(TYPES):
            for other in range(kind, TYPES):
                if s.dock[seat, kind] > 0 and s.dock[seat, other] > (1 if other == kind else 0):
                    add_option(s, kind, other)
    choice = choose(s, r, hook, seat, DISCARD)
    s.kept[:] = 0
    for i in range(2):
        kind = s.options[choice, i]
        if kind != NOBODY:
            s.kept[kind] += 1
            s.dock[seat, kind] -= 1
            s.discard[kind] += 1
            s.n_auction[seat] -= 1
    note(s, E_DISCARDED, seat, 0, 0, 0, 0)
    note_list(s, 0, s.kept)


@kernel
def pay(s, r, t, seat, due):
    """Cash first, then storehouses one at a time, then loans (OST-3); returns what is waived (OST-4)."""
    p = s.public
    row = p.round_no - 1
    n_mortgaged = 0
    while s.cash[seat] < due and p.storehouses[seat] > 0:
        p.storehouses[seat] -= 1
        s.cash[seat] += r.mortgage_value
        n_mortgaged += 1
    if n_mortgaged > 0:
        note(s, E_MORTGAGED, seat, n_mortgaged, n_mortgaged * r.mortgage_value, 0, 0)
        t.cash_flow[row, FLOW_MORTGAGED] += n_mortgaged * r.mortgage_value
    n_loans = 0
    while s.cash[seat] < due and p.loans[seat] < r.max_loans:
        p.loans[seat] += 1
        s.cash[seat] += r.loan_value
        n_loans += 1
    if n_loans > 0:
        note(s, E_BORROWED, seat, n_loans, n_loans * r.loan_value, 0, 0)
        t.cash_flow[row, FLOW_BORROWED] += n_loans * r.loan_value
    paid = min(due, s.cash[seat])
    s.cash[seat] -= paid
    p.spent[seat] += paid
    t.cash_flow[row, FLOW_WAIVED] += due - paid
    return due - paid


@kernel.small
def offer_lot(s, r, hook, seller):
    """c) The seller puts two of his auction cards on the table (one or two under the advanced rules)."""
    p = s.public
    n_left = 0
    for kind in range(TYPES):
        n_left += s.dock[seller, kind]
    n_most = min(n_left, 2)
    n_least = n_most
    if r.advanced_discard:
        if p.cycle == 1:  # at least one card stays for the second turn, at most two (OST-20)
            n_most = min(n_most, max(n_left - 1, 1))
            n_least = min(max(n_left - 2, 1), n_most)
        else:
            n_least = n_most
    s.n_options = 0
    for kind in range(TYPES):
        if s.dock[seller, kind] > 0:
            if n_least <= 1:
                add_option(s, kind, NOBODY)
            if n_most == 2:
                for other in range(kind, TYPES):
                    if s.dock[seller, other] > (1 if other == kind else 0):
                        add_option(s, kind, other)
    choice = choose(s, r, hook, seller, OFFER)
    first = s.options[choice, 0]
    second = s.options[choice, 1]
    p.seller = seller
    p.lot[:] = 0
    p.lot[first] += 1
    p.first_card = first
    p.second_card = second
    p.minimum = r.minimum_price[first]
    if second != NOBODY:
        p.lot[second] += 1
        p.minimum += r.minimum_price[second]
    for kind in range(TYPES):
        s.dock[seller, kind] -= p.lot[kind]
    note(s, E_OFFERED, seller, p.cycle, 0, 0, 0)
    note_list(s, 1, p.lot)
    if s.is_logged:
        s.event_data[s.n_events - 1, 1 + TYPES] = p.minimum


@kernel.small
def take_bid(s, r, t, hook, seat):
    """One bid or a pass; it may equal or undercut earlier bids, never the minimum (OST-1, OST-2)."""
    p = s.public
    row = p.round_no - 1
    least = max(p.minimum, 1)
    look(s, r, seat, BID)
    most = s.views[seat].can_pay  # as just written, before the strategy has it
    bid = 0
    if most < least or r.barred[seat, BIDDING]:
        t.bids[row, UNABLE] += 1
    else:
        bid = ask(s, r, hook, seat)
        if r.barred[seat, OVERBIDDING]:
            bid = min(bid, least)
        if bid != 0 and (bid < least or bid > most):
            refuse(s, OUT_OF_RANGE if bid < least else NOT_AFFORDABLE, bid)
        if bid == 0:
            t.bids[row, PASSED] += 1
        elif bid == most:
            t.bids[row, BID_CAPPED] += 1
        else:
            t.bids[row, BID_MADE] += 1
    s.bids[seat] = bid
    note(s, E_BID, seat, bid, 0, 0, 0)


@kernel.small
def lot_number(lot):
    """Position of a lot in the tally's list: pairs in lexicographic order, then single cards."""
    first = -1
    second = -1
    for kind in range(TYPES):
        if lot[kind] > 0:
            if first < 0:
                first = kind
                if lot[kind] > 1:
                    second = kind
            else:
                second = kind
    if second < 0:
        return TYPES * (TYPES + 1) // 2 + first
    return first * TYPES - first * (first - 1) // 2 + second - first


@kernel.small
def count_sale(s, t, sale, price, turn):
    """Tally what a lot went for."""
    p = s.public
    row = p.round_no - 1
    worth = 0
    for kind in range(TYPES):
        worth += p.lot[kind] * p.senate[kind]
    bin_price = min(price, t.price_by_lot.shape[2] - 1)
    premium = min(max(price - p.minimum - LEAST_PREMIUM, 0), t.premium_by_worth.shape[3] - 1)
    t.price_by_lot[lot_number(p.lot), sale, bin_price] += 1
    t.price_by_seller[row, p.cycle - 1, turn, sale, bin_price] += 1
    t.premium_by_worth[row, min(worth, t.premium_by_worth.shape[1] - 1), sale, premium] += 1


@kernel
def sell_to(s, r, t, seller, buyer, turn, highest):
    """The buyer pays his bid; the bank keeps its commission, or the minimum under the advanced rules (OST-6, OST-18)."""
    p = s.public
    price = s.bids[buyer]
    pay(s, r, t, buyer, price)
    to_bank = (price * r.commission_percent + 99) // 100
    if r.advanced_price:
        to_bank = p.minimum
    s.cash[seller] += price - to_bank
    p.earned[seller] += price - to_bank
    note(s, E_SOLD, seller, buyer + 1, price, to_bank, price - to_bank)
    t.cash_flow[p.round_no - 1, FLOW_SOLD] += price - to_bank
    t.cash_flow[p.round_no - 1, FLOW_BOUGHT] += price
    count_sale(s, t, BEST_BID if price == highest else LOWER_BID, price, turn)


@kernel
def buy_own(s, r, t, seller, turn, highest):
    """The seller keeps the lot for the highest bid and one more, or must buy it when nobody bid (OST-4, OST-5)."""
    p = s.public
    if highest > 0:
        price = highest + r.own_lot_raise
        pay(s, r, t, seller, price)
        note(s, E_OWN_LOT, seller, price, 0, 0, 0)
        t.cash_flow[p.round_no - 1, FLOW_OWN] += price
        count_sale(s, t, OWN_LOT, price, turn)
    else:
        price = p.minimum if r.advanced_price else (p.minimum * r.forced_percent + 99) // 100
        waived = pay(s, r, t, seller, price)
        note(s, E_FORCED, seller, price, price - waived, waived, 0)
        t.cash_flow[p.round_no - 1, FLOW_FORCED] += price - waived
        count_sale(s, t, FORCED_LOT, price - waived, turn)


@kernel
def auction_lot(s, r, t, seller, turn, offer_hook, bidders, sell_hook):
    """c) One lot: offered, bid for in turn order from the seller's left, sold."""
    p = s.public
    s.bids[:] = -1
    offer_lot(s, r, offer_hook, seller)
    highest = 0
    n_bids = 0
    for step in range(1, p.n_seats):
        seat = seat_after(s, seller, step)
        take_bid(s, r, t, bidders[s.player[seat]], seat)
        if s.bids[seat] > 0:
            n_bids += 1
            highest = max(highest, s.bids[seat])
    t.bidders[p.round_no - 1, n_bids] += 1
    buyer = seller
    if highest > 0:
        s.n_options = 0
        for step in range(1, p.n_seats):
            seat = seat_after(s, seller, step)
            if s.bids[seat] > 0:
                add_option(s, seat, NOBODY)
        if highest + r.own_lot_raise <= can_pay(s, r, seller) and not r.barred[seller, OWN_LOTS]:
            add_option(s, seller, NOBODY)
        buyer = s.options[choose(s, r, sell_hook, seller, SELL), 0]
    if buyer == seller:
        buy_own(s, r, t, seller, turn, highest)
    else:
        sell_to(s, r, t, seller, buyer, turn, highest)
    for kind in range(TYPES):
        s.hand[buyer, kind] += p.lot[kind]
        p.bought[buyer, kind] += p.lot[kind]
        p.bought_n[kind] += p.lot[kind]
        p.hand_n[buyer] += p.lot[kind]
        if p.lot[kind] > 0:
            s.held[buyer] |= 1 << kind


@kernel
def harbor(s, r, t, keepers, discarders, offerers, bidders, sellers):
    """1. Harbor: new resources, then two auction cycles."""
    p = s.public
    distribute(s, r)
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        keep_cards(s, r, keepers[s.player[seat]], seat)
    if r.advanced_discard:
        for turn in range(p.n_seats):
            seat = seat_after(s, p.start, turn)
            discard_unseen(s, r, discarders[s.player[seat]], seat)
    for cycle in range(1, 3):
        p.cycle = cycle
        for turn in range(p.n_seats):
            seller = seat_after(s, p.start, turn)
            n_left = 0
            for kind in range(TYPES):
                n_left += s.dock[seller, kind]
            if n_left == 0:
                note(s, E_NO_OFFER, seller, cycle, 0, 0, 0)
            else:
                player = s.player[seller]
                auction_lot(s, r, t, seller, turn, offerers[player], bidders, sellers[player])
    p.cycle = 0
    p.seller = NOBODY
    p.lot[:] = 0
    p.first_card = NOBODY
    p.second_card = NOBODY


# --- 2. office ---------------------------------------------------------------------------------------------


@kernel
def reveal_talon(s, r):
    """Fewer than five players: cards from the deck that count at the Forum (OST-10)."""
    p = s.public
    for _ in range(r.talon[p.n_seats - 3]):
        card = draw(s)
        if card != NOBODY:
            p.talon[card] += 1
    if r.talon[p.n_seats - 3] > 0:
        note(s, E_TALON, NOBODY, 0, 0, 0, 0)
        note_list(s, 0, p.talon)


@kernel
def assign(s, r, hook, seat):
    """Each seat divides its cards among Forum, Senate and storehouses, all at once."""
    look(s, r, seat, ASSIGN)
    v = s.views[seat]
    v.to_forum[:] = 0
    v.to_senate[:] = 0
    answer = ask(s, r, hook, seat)
    for kind in range(TYPES):
        forum = v.to_forum[kind]
        donated = v.to_senate[kind]
        if forum < 0 or donated < 0 or forum > s.hand[seat, kind] - donated:
            refuse(s, NOT_A_PARTITION, answer)
        forum = 0 if r.barred[seat, SELLING] else forum
        donated = 0 if r.barred[seat, DONATING] else donated
        s.forum[seat, kind] = forum
        s.donated[seat, kind] = donated
        s.hand[seat, kind] -= forum + donated
    note(s, E_ASSIGNED, seat, 0, 0, 0, 0)
    note_list(s, 0, s.forum[seat])
    note_list(s, TYPES, s.donated[seat])
    note_list(s, 2 * TYPES, s.hand[seat])


@kernel
def punish_overextension(s, r, t, seat):
    """More than three resources: the one worth most to the Senate goes, again until three are left (OST-9)."""
    p = s.public
    n_types = 0
    for kind in range(TYPES):
        if s.forum[seat, kind] + s.donated[seat, kind] > 0:
            n_types += 1
    n_removed = 0
    while n_types > r.max_types:
        worst = -1
        for kind in range(TYPES):
            n = s.forum[seat, kind] + s.donated[seat, kind]
            if n > 0 and (
                worst < 0
                or p.senate[kind] > p.senate[worst]
                or (p.senate[kind] == p.senate[worst] and n > s.forum[seat, worst] + s.donated[seat, worst])
            ):
                worst = kind
        note(s, E_OVEREXTENDED, seat, worst, s.forum[seat, worst], s.donated[seat, worst], 0)
        s.discard[worst] += s.forum[seat, worst] + s.donated[seat, worst]
        p.hand_n[seat] -= s.forum[seat, worst] + s.donated[seat, worst]
        s.forum[seat, worst] = 0
        s.donated[seat, worst] = 0
        n_types -= 1
        n_removed += 1
    t.overextended[p.round_no - 1, n_removed] += 1


@kernel
def office(s, r, t, assigners):
    """2. Office: resources are assigned, then revealed."""
    p = s.public
    s.phase = OFFICE
    reveal_talon(s, r)
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        assign(s, r, assigners[s.player[seat]], seat)
    for turn in range(p.n_seats):
        punish_overextension(s, r, t, seat_after(s, p.start, turn))
    for seat in range(p.n_seats):
        s.views[seat].forum[:] = s.forum
        s.views[seat].donated[:] = s.donated


# --- 3. forum ----------------------------------------------------------------------------------------------


@kernel
def forum(s, r, t):
    """3. Forum: the more cards of a resource are on sale, the less each brings."""
    p = s.public
    s.phase = FORUM
    row = p.round_no - 1
    for kind in range(TYPES):
        n_seat_cards = 0
        for seat in range(p.n_seats):
            n_seat_cards += s.forum[seat, kind]
        n_cards = n_seat_cards + p.talon[kind]
        if n_cards == 0:
            continue
        price = r.forum_price[min(n_cards, r.forum_price.size) - 1]
        note(s, E_FORUM_PRICE, NOBODY, kind, n_cards, price, 0)
        t.forum[row, min(n_cards, FORUM_CARDS)] += 1
        t.forum_revenue[min(n_cards, FORUM_CARDS), min(n_seat_cards * price, t.forum_revenue.shape[1] - 1)] += 1
        t.forum_price[row, price] += n_seat_cards
        t.cash_flow[row, FLOW_FORUM] += n_seat_cards * price
        for turn in range(p.n_seats):
            seat = seat_after(s, p.start, turn)
            n = s.forum[seat, kind]
            if n > 0:
                s.cash[seat] += n * price
                p.hand_n[seat] -= n
                note(s, E_FORUM_SALE, seat, kind, n, n * price, 0)
        s.discard[kind] += n_cards


# --- 4. senate ---------------------------------------------------------------------------------------------


@kernel
def senate(s, r, t):
    """4. Senate: points for the donations worth most; those tied share, rounded down (OST-11)."""
    p = s.public
    s.phase = SENATE
    for seat in range(p.n_seats):
        s.worth[seat] = 0
        for kind in range(TYPES):
            n = s.donated[seat, kind]
            s.worth[seat] += n * p.senate[kind]
            s.discard[kind] += n
            p.hand_n[seat] -= n
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        points = award_share(s.worth, r.senate_award, seat, 1, p.n_seats)
        p.points[seat] += points
        s.outcome[seat, COL_SENATE] += points
        note(s, E_DONATION, seat, s.worth[seat], points, 0, 0)
        t.donation[
            p.round_no - 1,
            min(s.worth[seat], t.donation.shape[1] - 1),
            min(points, t.donation.shape[2] - 1),
        ] += 1


# --- 5. storehouses ----------------------------------------------------------------------------------------


@kernel
def settle_loans(s, r, t, seat):
    """Loans are repaid while cash allows, interest is due on the rest (OST-12, OST-21)."""
    p = s.public
    n_repaid = 0
    while p.loans[seat] > 0 and s.cash[seat] >= r.loan_repayment:
        p.loans[seat] -= 1
        s.cash[seat] -= r.loan_repayment
        n_repaid += 1
    if n_repaid > 0:
        note(s, E_REPAID, seat, n_repaid, n_repaid * r.loan_repayment, 0, 0)
        t.cash_flow[p.round_no - 1, FLOW_REPAID] += n_repaid * r.loan_repayment
    if p.loans[seat] > 0:
        due = p.loans[seat] * r.loan_interest
        paid = min(due, s.cash[seat])
        s.cash[seat] -= paid
        note(s, E_INTEREST, seat, due, paid, due - paid, 0)
        t.cash_flow[p.round_no - 1, FLOW_INTEREST] += paid
        t.cash_flow[p.round_no - 1, FLOW_WAIVED] += due - paid


@kernel
def take_kept(s, seat, n_least, n_most, answer):
    """Move the cards a seat keeps from its hand to `s.kept`; at most one a storehouse."""
    v = s.views[seat]
    n_kept = 0
    for kind in range(TYPES):
        kept = v.kept[kind]
        if kept < 0 or kept > s.hand[seat, kind]:
            refuse(s, NOT_A_PARTITION, answer)
        s.kept[kind] = kept
        s.hand[seat, kind] -= kept
        n_kept += kept
    if n_kept > n_most:
        refuse(s, TOO_MANY_CARDS, answer)
    if n_kept < n_least:
        refuse(s, TOO_FEW_CARDS, answer)
    return n_kept


@kernel
def store(s, r, t, hook, seat):
    """Build storehouses, keep a card in each, discard the rest (OST-12)."""
    p = s.public
    n_sites = max(r.max_storehouses - p.storehouses[seat], 0)
    n_most = n_sites
    if r.storehouse_cost > 0:
        n_most = min(n_sites, s.cash[seat] // r.storehouse_cost)
    n_built = 0
    s.kept[:] = 0
    n_cards = 0
    for kind in range(TYPES):
        n_cards += s.hand[seat, kind]
    if n_most > 0 or (n_cards > 0 and p.storehouses[seat] > 0):
        look(s, r, seat, STORE)
        s.views[seat].kept[:] = 0
        n_built = ask(s, r, hook, seat)
        if n_built < 0 or n_built > n_sites:
            refuse(s, OUT_OF_RANGE, n_built)
        if n_built > n_most:
            refuse(s, NOT_AFFORDABLE, n_built)
        p.storehouses[seat] += n_built
        s.cash[seat] -= n_built * r.storehouse_cost
        p.hand_n[seat] = take_kept(s, seat, min(n_cards, p.storehouses[seat]), p.storehouses[seat], n_built)
    else:
        p.hand_n[seat] = 0
    if n_built > 0:
        note(s, E_BUILT, seat, n_built, n_built * r.storehouse_cost, 0, 0)
        t.cash_flow[p.round_no - 1, FLOW_BUILT] += n_built * r.storehouse_cost
    note(s, E_STORED, seat, 0, 0, 0, 0)
    note_list(s, 0, s.kept)
    note_list(s, TYPES, s.hand[seat])
    for kind in range(TYPES):  # spoiled cards are discarded face down (OST-23)
        s.discard[kind] += s.hand[seat, kind]
        s.hand[seat, kind] = s.kept[kind]


@kernel
def storehouses(s, r, t, storers):
    """5. Storehouses, in turn order."""
    p = s.public
    s.phase = STOREHOUSES
    row = p.round_no - 1
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        settle_loans(s, r, t, seat)
        store(s, r, t, storers[s.player[seat]], seat)
    for seat in range(p.n_seats):
        s.outcome[seat, COL_AFTER + row] = p.points[seat]
        t.money[row, min(s.cash[seat], t.money.shape[1] - 1)] += 1
        t.storehouses[row, min(p.storehouses[seat], t.storehouses.shape[1] - 1)] += 1
        t.loans[row, min(p.loans[seat], t.loans.shape[1] - 1)] += 1
        note(s, E_STANDING, seat, s.cash[seat], p.points[seat], p.storehouses[seat], p.loans[seat])
        if s.is_logged:
            s.event_data[s.n_events - 1, 4] = p.hand_n[seat]


# --- end of the round --------------------------------------------------------------------------------------


@kernel
def pass_start(s, r, choosers):
    """The token goes left; under the advanced rules (c) the seat with fewest points chooses (OST-18, OST-20)."""
    p = s.public
    if not r.advanced_start:
        p.start = seat_after(s, p.start, 1)
        return
    chooser = p.start
    for step in range(1, p.n_seats):
        seat = seat_after(s, p.start, step)
        if p.points[seat] < p.points[chooser]:
            chooser = seat
    s.n_options = 0
    for seat in range(p.n_seats):
        add_option(s, seat, NOBODY)
    p.start = s.options[choose(s, r, choosers[s.player[chooser]], chooser, CHOOSE_START), 0]
    note(s, E_START_CHOSEN, chooser, p.start + 1, 0, 0, 0)


# --- game end and final scoring ----------------------------------------------------------------------------


@kernel
def score_cards(s, r, scorers):
    """All choose their cards at once; a point for each different resource kept (OST-13, OST-21)."""
    p = s.public
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        s.scored[seat, :] = 0
        if p.hand_n[seat] > 0 and p.storehouses[seat] > 0:
            look(s, r, seat, SCORE_CARDS)
            s.views[seat].kept[:] = 0
            answer = ask(s, r, scorers[s.player[seat]], seat)
            take_kept(s, seat, 0, p.storehouses[seat], answer)
            s.scored[seat, :] = s.kept
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        points = 0
        n_cards = 0
        for kind in range(TYPES):
            s.discard[kind] += s.hand[seat, kind]
            n_cards += s.scored[seat, kind]
            if s.scored[seat, kind] > 0:
                points += 1
        note(s, E_SCORED, seat, 0, 0, 0, 0)
        note_list(s, 0, s.scored[seat])
        note_list(s, TYPES, s.hand[seat])
        if s.is_logged:
            s.event_data[s.n_events - 1, 2 * TYPES] = points
        s.hand[seat, :] = s.scored[seat]
        p.hand_n[seat] = n_cards
        p.points[seat] += points
        s.outcome[seat, COL_VARIETY] = points
        s.outcome[seat, COL_CARDS] = n_cards


@kernel
def resell(s, r, hook, seat):
    """Storehouses that hold no card may be sold."""
    p = s.public
    n_most = p.storehouses[seat] - p.hand_n[seat]
    if n_most == 0:
        return
    look(s, r, seat, RESELL)
    n_sold = ask(s, r, hook, seat)
    if n_sold < 0 or n_sold > n_most:
        refuse(s, OUT_OF_RANGE, n_sold)
    if n_sold > 0:
        p.storehouses[seat] -= n_sold
        s.cash[seat] += n_sold * r.storehouse_resale
        note(s, E_RESOLD, seat, n_sold, n_sold * r.storehouse_resale, 0, 0)


@kernel
def award_money(s, r):
    """Points for the most money; a seat in debt takes no part (OST-13, OST-21)."""
    p = s.public
    for seat in range(p.n_seats):
        s.worth[seat] = s.cash[seat] if p.loans[seat] == 0 else -1
    for seat in range(p.n_seats):
        points = award_share(s.worth, r.money_award, seat, 0, p.n_seats)
        p.points[seat] += points
        s.outcome[seat, COL_MONEY_POINTS] = points
        note(s, E_MONEY_AWARD, seat, s.cash[seat], points, 0, 0)


@kernel
def tie_worth(s, seat):
    """Worth of the scored cards to the Senate card set aside at the start (OST-14)."""
    worth = 0
    for kind in range(TYPES):
        worth += s.scored[seat, kind] * s.senate_cards[s.senate_order[0], kind]
    return worth


@kernel
def rank_seats(s, t):
    """Points, then storehouses, cards in them, their worth; debtors below the rest; still tied: shared (OST-14, OST-21)."""
    p = s.public
    for seat in range(p.n_seats):
        key = ((p.points[seat] * 10 + p.storehouses[seat]) * 10 + p.hand_n[seat]) * 100 + tie_worth(s, seat)
        s.worth[seat] = key if p.loans[seat] == 0 else key - 1_000_000_000
    for seat in range(p.n_seats):
        n_better = 0
        n_equal = 0
        for other in range(p.n_seats):
            if s.worth[other] > s.worth[seat]:
                n_better += 1
            elif s.worth[other] == s.worth[seat]:
                n_equal += 1
        s.outcome[seat, RANK] = n_better + 1
        s.outcome[seat, WIN] = SIXTIETHS // n_equal if n_better == 0 else 0
    for seat in range(p.n_seats):
        s.outcome[seat, SCORE] = p.points[seat]
        s.outcome[seat, COL_MONEY] = s.cash[seat]
        s.outcome[seat, COL_STORES] = p.storehouses[seat]
        s.outcome[seat, COL_LOANS] = p.loans[seat]
        is_winner = 1 if s.outcome[seat, RANK] == 1 else 0
        most = t.points_by_source.shape[2] - 1
        for source in range(3):
            points = s.outcome[seat, COL_SENATE + source]
            t.points_by_source[source, is_winner, min(points, most)] += 1
        note(s, E_FINAL, seat, p.points[seat], s.cash[seat], p.storehouses[seat], p.loans[seat])
        if s.is_logged:
            i = s.n_events - 1
            s.event_data[i, 4] = p.hand_n[seat]
            s.event_data[i, 5] = tie_worth(s, seat)
            s.event_data[i, 6] = s.outcome[seat, RANK]
            s.event_data[i, 7] = s.outcome[seat, WIN]


@kernel
def finish(s, r, t, scorers, resellers):
    """Final scoring, in the turn order of the last round."""
    p = s.public
    s.phase = FINAL
    score_cards(s, r, scorers)
    for turn in range(p.n_seats):
        seat = seat_after(s, p.start, turn)
        resell(s, r, resellers[s.player[seat]], seat)
    award_money(s, r)
    rank_seats(s, t)
    for row in range(r.rounds, MAX_ROUNDS):  # rounds not played repeat the last standings
        for seat in range(p.n_seats):
            s.outcome[seat, COL_AFTER + row] = s.outcome[seat, COL_AFTER + r.rounds - 1]
    t.reshuffles[min(s.n_reshuffles, t.reshuffles.size - 1)] += 1
    for seat in range(p.n_seats):
        for kind in range(TYPES):
            if s.held[seat] >> kind & 1:
                t.held[kind, 0] += 1
                t.held[kind, 1] += s.outcome[seat, WIN]


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
    keepers,
    discarders,
    offerers,
    bidders,
    sellers,
    assigners,
    storers,
    scorers,
    resellers,
    choosers,
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
    s.no_values[:] = -1
    for game in range(out.shape[0]):
        t = tallies[groups[game // n_rotations]]
        s.deal = first + game // n_rotations
        s.n_events = 0
        seat_players(s, game % n_rotations)
        prepare(s, r)
        for number in range(1, r.rounds + 1):
            begin_round(s, r, number)
            harbor(s, r, t, keepers, discarders, offerers, bidders, sellers)
            office(s, r, t, assigners)
            forum(s, r, t)
            senate(s, r, t)
            storehouses(s, r, t, storers)
            if number < r.rounds:
                pass_start(s, r, choosers)
        finish(s, r, t, scorers, resellers)
        for seat in range(n_seats):
            for column in range(out.shape[2]):
                out[game, seat, column] = s.outcome[seat, column]
