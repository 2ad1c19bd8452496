"""Takes contracts whose rows it can fill, digs or buys the ore that they need next, and builds what scores more than it
costs; each space is worth what it brings in dollars, a point being so many dollars.

Origin: the sums a careful player makes: the rows due, the ore at hand and in the mines, the rounds left.
Weakness: plans no further than the contracts in front of it, and takes no notice of what the others need.
"""

from simcore.ore_mining.engine import (
    ADVANCED,
    BOXES,
    CAGE,
    DECK,
    DRILL,
    FIRST_MINE,
    FIRST_SLOT,
    MARKET,
    N_CONTRACTS,
    N_ORES,
    NOBODY,
    OVERTIME,
    PER_ORE,
    PERMIT,
    PRIVATE,
    RECRUIT,
    has_ore,
    kernel,
    market_value,
)

WEIGHTS = {
    "point": (4.6, 0.0, 30.0, "dollars that a point is worth before the last round"),
    "allowance": (12.0, 0.0, 60.0, "value of being allowed a building"),
    "cost": (1.6, 0.0, 3.0, "value of the ore that a contract takes, by its market value"),
    "missing": (5.5, 0.0, 20.0, "value lost for each cube that the first row of a contract lacks"),
    "distant": (2.0, 0.0, 10.0, "value lost for each cube that its later rows lack"),
    "row": (3.4, 0.0, 30.0, "value lost for each row of a contract, which has to be filled in its round"),
    "urgent": (18.0, 0.0, 40.0, "value beyond market value of a cube that a row due this round lacks"),
    "useful": (1.7, 0.0, 4.0, "value of a cube that a later row needs, by its market value"),
    "surplus": (0.7, 0.0, 2.0, "value of a cube that no row needs, by its market value"),
    "worker": (5.3, 0.0, 30.0, "value of placing a worker"),
    "cage": (0.8, 0.0, 20.0, "value of a level of the Mine Cage for each round left, its points aside"),
    "bit": (1.2, 0.0, 20.0, "value of a drill bit"),
    "card": (9.2, 0.0, 40.0, "value of a building card for an empty hand"),
    "deck": (44.0, 0.0, 60.0, "value of looking through the contract deck"),
    "marker": (2.7, 0.0, 20.0, "value of being first in the next round"),
    "early": (6.4, 0.0, 30.0, "value of filling a row in Advanced Orders"),
    "spend": (1.1, 0.0, 3.0, "value of a dollar or of ore's market value paid for a building"),
    "gains": (1.3, 0.0, 3.0, "value of a dollar that a building gives"),
    "private": (1.5, 0.0, 3.0, "value of the ore of a private mine, by its market value"),
}
(
    POINT, ALLOWANCE, COST, MISSING, DISTANT, ROW, URGENT, USEFUL, SURPLUS, WORKER, CAGE_ROUND, BIT, CARD, LOOK, MARKER,
    EARLY, SPEND, GAINS, OWN_MINE,
) = range(19)  # fmt: skip


# --- what is at hand and what is due -----------------------------------------------------------------------


@kernel.small
def rounds_left(v, r):
    """This round included."""
    return r.rounds - v.public.round_no + 1


@kernel.small
def point_value(v, r):
    """Dollars that a point is worth: at the end as many as score one."""
    return v.baseline[POINT] if rounds_left(v, r) > 1 else float(r.dollars_per_point)


@kernel
def dug_soon(v, r, ore):
    """Cubes of an ore that its workers dig in this round's Collection phase."""
    p = v.public
    cubes = 0
    if p.mine_card[ore] == NOBODY:
        return 0
    for box in range(BOXES):
        if p.box[ore, box] == v.seat:
            cubes += r.mine_yield[p.mine_card[ore], box]
    card = p.private_card[v.seat]
    if card != NOBODY and card // PER_ORE == ore:
        cubes += r.mine_yield[card, p.private_box[v.seat]]
    return cubes


@kernel
def need_now(v, r, ore):
    """Cubes that the next rows of its contracts take."""
    p = v.public
    cubes = 0
    if p.n_held[v.seat] == 0:
        return 0
    for name in range(N_CONTRACTS):
        if p.holder[name] == v.seat and p.filled[name] < r.n_rows[name]:
            cubes += r.contract_need[name, p.filled[name], ore]
    return cubes


@kernel
def need_later(v, r, ore):
    """Cubes that the rows after those take, as far as there are rounds for them."""
    p = v.public
    cubes = 0
    if p.n_held[v.seat] == 0:
        return 0
    for name in range(N_CONTRACTS):
        if p.holder[name] == v.seat:
            for row in range(p.filled[name] + 1, min(r.n_rows[name], p.filled[name] + rounds_left(v, r))):
                cubes += r.contract_need[name, row, ore]
    return cubes


@kernel
def cubes_value(v, r, ore, n, have):
    """What `n` more cubes are worth if it has so many: those due now most, those that nothing needs least."""
    p = v.public
    price = market_value(p, r, ore)
    now = need_now(v, r, ore)
    n_urgent = min(n, max(now - have, 0))
    n_useful = min(n - n_urgent, max(now + need_later(v, r, ore) - have - n_urgent, 0))
    n_surplus = n - n_urgent - n_useful
    spare = v.baseline[SURPLUS] if rounds_left(v, r) > 1 else 0.1
    return n_urgent * (price + v.baseline[URGENT]) + n_useful * price * v.baseline[USEFUL] + n_surplus * price * spare


# --- what a contract is worth ------------------------------------------------------------------------------


@kernel
def contract_value(v, r, name, n_workers):
    """Points, buildings and dollars of a contract, less its ore; little if it cannot be completed or begun in time."""
    p = v.public
    n_rows = r.n_rows[name]
    time = rounds_left(v, r)
    value = 0.0
    if n_rows <= time:
        value += r.contract_points[name] * point_value(v, r)
        value += v.baseline[ALLOWANCE] * min(r.contract_buildings[name], p.hand_n[v.seat] + 1)
    for row in range(min(n_rows, time)):
        value += r.row_pay[name, row]
    value -= v.baseline[ROW] * n_rows
    n_missing = 0
    n_distant = 0
    for ore in range(N_ORES):
        need = r.contract_need[name, 0, ore]
        later = 0
        for row in range(1, min(n_rows, time)):
            later += r.contract_need[name, row, ore]
        if need + later == 0:
            continue
        if p.in_play[ore] == 0:
            return -99.0
        free = p.ore[v.seat, ore] + dug_soon(v, r, ore) - need_now(v, r, ore)
        value -= v.baseline[COST] * (need + later) * market_value(p, r, ore)
        lack = min(need, max(need - free, 0))
        n_missing += lack
        n_distant += max(later - max(free - need, 0), 0)
    if n_missing > 3 * n_workers:
        return -99.0
    return value - v.baseline[MISSING] * n_missing - v.baseline[DISTANT] * n_distant


@kernel
def rows_left(v, r, name):
    """Rows of a contract still open."""
    return r.n_rows[name] - v.public.filled[name]


@kernel
def held_value(v, r, name):
    """What a contract in front of it still brings."""
    value = float(r.row_pay[name, min(v.public.filled[name], r.n_rows[name] - 1)])
    if rows_left(v, r, name) <= rounds_left(v, r):
        value += (
            r.contract_points[name] * point_value(v, r) + r.contract_buildings[name] * v.baseline[ALLOWANCE]
        ) / max(rows_left(v, r, name), 1)
    return value


@kernel
def is_ripe(v, r, name):
    """Whether a row filled before its time leaves enough for the next one, which is due all the same."""
    p = v.public
    if rows_left(v, r, name) == 1:
        return True
    row = p.filled[name]
    for ore in range(N_ORES):
        need = r.contract_need[name, row, ore] + r.contract_need[name, row + 1, ore]
        if need > 0 and need > p.ore[v.seat, ore] + dug_soon(v, r, ore):
            return False
    return True


# --- what a space is worth ---------------------------------------------------------------------------------


@kernel
def mine_value(v, r, ore, box):
    """Cubes of a worker on its way down, less the placements that the rounds below cost."""
    p = v.public
    card = p.mine_card[ore]
    have = p.ore[v.seat, ore] + dug_soon(v, r, ore)
    value = cubes_value(v, r, ore, r.mine_yield[card, box], have)
    if box > 0:
        value -= v.baseline[BIT]
    have += r.mine_yield[card, box]
    for below in range(box + 1, min(r.n_boxes[card], box + rounds_left(v, r))):
        if r.mine_level[card, below] > p.cage[v.seat] + 1:
            break
        cubes = r.mine_yield[card, below]
        price = market_value(p, r, ore)
        value += cubes * price * (v.baseline[USEFUL] if need_later(v, r, ore) > have else v.baseline[SURPLUS])
        value -= v.baseline[WORKER]
        have += cubes
    return value


@kernel
def private_value(v, r, ore):
    """What the cards of an ore bring on average down to the bottom, less the price."""
    p = v.public
    total = 0
    n_cards = 0
    for card in range(ore * PER_ORE, (ore + 1) * PER_ORE):
        if r.mine_copies[card] == 0 or card == p.mine_card[ore]:
            continue
        n_cards += 1
        for box in range(min(r.n_boxes[card], rounds_left(v, r))):
            if r.mine_level[card, box] > p.cage[v.seat] + 1:
                break
            total += r.mine_yield[card, box]
    price = market_value(p, r, ore)
    have = p.ore[v.seat, ore] + dug_soon(v, r, ore)
    first = cubes_value(v, r, ore, 1, have) - v.baseline[OWN_MINE] * price
    return v.baseline[OWN_MINE] * price * total / max(n_cards, 1) + first - r.private_price - price


@kernel
def cards_value(v, r, n):
    """What `n` more building cards are worth: less the more it has, and the fewer contracts it can still complete."""
    p = v.public
    if rounds_left(v, r) == 1 and p.n_held[v.seat] == 0:
        return 0.0
    value = 0.0
    for i in range(n):
        value += v.baseline[CARD] / (1 + p.hand_n[v.seat] + i)
    return value


@kernel
def trade_value(v, r, ore, n):
    """What buying (`n` above 0) or selling cubes is worth."""
    p = v.public
    price = market_value(p, r, ore)
    have = p.ore[v.seat, ore] + dug_soon(v, r, ore)
    if n >= 0:
        return cubes_value(v, r, ore, n, have) - n * price
    return -n * price - cubes_value(v, r, ore, -n, have + n)


@kernel
def market_trade_value(v, r):
    """The best trade at the Commodity Market."""
    p = v.public
    best = 0.0
    for ore in range(N_ORES):
        if p.in_play[ore] == 0:
            continue
        for n in range(1, r.market_active + 1):
            if n * market_value(p, r, ore) <= p.money[v.seat]:
                best = max(best, trade_value(v, r, ore, n))
            if n <= p.ore[v.seat, ore]:
                best = max(best, trade_value(v, r, ore, -n))
    return best


@kernel
def cage_value(v, r):
    """Points of the next level and deeper mines, less the price."""
    p = v.public
    level = p.cage[v.seat]
    value = (r.cage_points[level + 1] - r.cage_points[level]) * point_value(v, r) - r.cage_price[level]
    return value + v.baseline[CAGE_ROUND] * (rounds_left(v, r) - 1)


@kernel
def orders_value(v, r):
    """The marker, a card, and rows that it can fill before their time."""
    p = v.public
    value = cards_value(v, r, r.advanced_draw)
    if rounds_left(v, r) > 1:
        value += v.baseline[MARKER]
    if p.n_held[v.seat] == 0:
        return value
    for name in range(N_CONTRACTS):
        if p.holder[name] == v.seat and has_ore(p, v.seat, r.contract_need[name, p.filled[name]]):
            if is_ripe(v, r, name):
                value += v.baseline[EARLY]
                if rows_left(v, r, name) == rounds_left(v, r) + 1:
                    value += r.contract_points[name] * point_value(v, r)
    return value


@kernel
def space_value(v, r, space, detail):
    """What a worker on a space brings, in dollars."""
    p = v.public
    if space == OVERTIME:
        space = detail
    if space >= FIRST_SLOT:
        return contract_value(v, r, p.shown[space - FIRST_SLOT], p.workers[v.seat] - 1)
    if FIRST_MINE <= space < PRIVATE:
        return mine_value(v, r, space - FIRST_MINE, detail)
    if space == CAGE:
        return cage_value(v, r)
    if space == DRILL:
        return r.drill_money + v.baseline[BIT] * min(rounds_left(v, r) - 1, 1)
    if space == PRIVATE:
        return private_value(v, r, detail)
    if space == DECK:
        return v.baseline[LOOK] * (rounds_left(v, r) - 1) / r.rounds
    if space == MARKET:
        return market_trade_value(v, r)
    if space == PERMIT:
        return cards_value(v, r, 1)
    if space == RECRUIT:
        return v.baseline[WORKER] * (rounds_left(v, r) - 1) - r.recruit_price[p.n_recruited]
    if space == ADVANCED:
        return orders_value(v, r)
    return 0.0


@kernel
def best_space(v, r):
    """The space worth most."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        value = space_value(v, r, v.options[i, 0], v.options[i, 1])
        if value > most:
            best = i
            most = value
    return best


# --- buildings ---------------------------------------------------------------------------------------------


@kernel
def building_value(v, r, name, is_in_ore):
    """Points and gains of a building, less what is paid."""
    p = v.public
    value = r.built_points[name] * point_value(v, r) + v.baseline[GAINS] * r.gain_money[name]
    paid = 0
    for ore in range(N_ORES):
        if p.in_play[ore]:
            value += v.baseline[GAINS] * r.gain_ore[name, ore] * market_value(p, r, ore)
            paid += r.building_cost[name, ore] * market_value(p, r, ore)
    value += v.baseline[GAINS] * (4 * r.gain_any[name] + r.gain_sale[name])
    value += cards_value(v, r, r.gain_draw[name]) + v.baseline[BIT] * r.gain_bits[name]
    if r.gain_cage[name] > 0 and p.cage[v.seat] < 2:
        value += (r.cage_points[p.cage[v.seat] + 1] - r.cage_points[p.cage[v.seat]]) * point_value(v, r)
    value += v.baseline[EARLY] * (r.gain_row[name] + r.gain_contract[name] + r.gain_look[name])
    if is_in_ore:
        if rounds_left(v, r) == 1:
            paid = 0
        return value - v.baseline[SPEND] * paid
    return value - v.baseline[SPEND] * r.building_cash[name]


# --- the answers -------------------------------------------------------------------------------------------


def place(v, r):
    return best_space(v, r)


@kernel
def best_contract(v, r, n_workers):
    """The option with the contract worth most, if any is worth something; else the one that takes none."""
    best = v.n_options - 1 if v.options[v.n_options - 1, 0] == NOBODY else 0
    most = 0.0 if v.options[best, 0] == NOBODY else -1e9
    if v.options[0, 0] == NOBODY:
        best = 0
        most = 0.0
    for i in range(v.n_options):
        if v.options[i, 0] != NOBODY:
            value = contract_value(v, r, v.options[i, 0], n_workers)
            if value > most:
                best = i
                most = value
    return best


def keep(v, r):
    return best_contract(v, r, v.public.workers[v.seat])


@kernel
def best_trade(v, r):
    """The trade worth most; none if it is worth nothing."""
    best = 0
    most = 0.0
    for i in range(1, v.n_options):
        value = trade_value(v, r, v.options[i, 0], v.options[i, 1])
        if value > most:
            best = i
            most = value
    return best


def trade(v, r):
    return best_trade(v, r)


def follow(v, r):
    return best_trade(v, r)


@kernel
def best_permit(v, r):
    """As many cards as are worth their price."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        value = cards_value(v, r, v.options[i, 0]) - v.options[i, 1]
        if value > most:
            best = i
            most = value
    return best


def permit(v, r):
    return best_permit(v, r)


def apply(v, r):
    return best_permit(v, r)


@kernel
def best_row(v, r):
    """The contract that brings most, of those whose next row can wait no longer or leaves enough for the one after."""
    best = 0
    most = 0.0
    for i in range(1, v.n_options):
        name = v.options[i, 0]
        if is_ripe(v, r, name):
            value = held_value(v, r, name)
            if value > most:
                best = i
                most = value
    return best


def order(v, r):
    return best_row(v, r)


@kernel
def is_worth_more(v, r, name):
    """Whether a row takes ore that a contract worth more lacks then."""
    p = v.public
    for other in range(name + 1, N_CONTRACTS):
        if p.holder[other] != v.seat or held_value(v, r, other) <= held_value(v, r, name):
            continue
        can = True
        can_both = True
        for ore in range(N_ORES):
            need = r.contract_need[other, min(p.filled[other], r.n_rows[other] - 1), ore]
            both = need + r.contract_need[name, p.filled[name], ore]
            can &= need <= p.ore[v.seat, ore]
            can_both &= need == 0 or both <= p.ore[v.seat, ore]
        if can and not can_both:
            return True
    return False


def fill(v, r):
    """Fill it, unless a contract worth more needs that ore."""
    return 1 if is_worth_more(v, r, v.card) else 0


def finish(v, r):
    """The one with fewest buildings first, so that rows filled early may bring more allowances."""
    return 0


@kernel
def best_building(v, r):
    """The building and payment worth most, if worth something."""
    best = 0
    most = 0.0
    for i in range(1, v.n_options):
        value = building_value(v, r, v.options[i, 0], v.options[i, 1])
        if value > most:
            best = i
            most = value
    return best


def build(v, r):
    return best_building(v, r)


def accept(v, r):
    return 0


@kernel
def best_gain(v, r):
    """The ore worth most."""
    p = v.public
    best = 0
    most = -1.0
    for i in range(v.n_options):
        ore = v.options[i, 0]
        if ore != NOBODY:
            value = cubes_value(v, r, ore, 1, p.ore[v.seat, ore])
            if value > most:
                best = i
                most = value
    return best


def gain(v, r):
    return best_gain(v, r)


@kernel
def best_sale(v, r):
    """The sale worth most above market value."""
    best = 0
    most = 0.0
    for i in range(1, v.n_options):
        n = v.options[i, 1]
        value = trade_value(v, r, v.options[i, 0], -n) + n * r.sale_bonus
        if value > most:
            best = i
            most = value
    return best


def sell(v, r):
    return best_sale(v, r)


def hurry(v, r):
    return best_row(v, r)


def take(v, r):
    return best_contract(v, r, v.public.workers[v.seat])
