"""What several strategies of Ore: The Mining Game reckon with. Values are in dollars."""

from simcore.ore_mining.engine import DECK, FIRST_MINE, FIRST_SLOT, NOBODY, OVERTIME, PRIVATE, kernel
from strategies.ore_mining.baseline import contract_value, space_value


@kernel.small
def used_space(v, i):
    """The space whose action an option of `place` takes."""
    return v.options[i, 1] if v.options[i, 0] == OVERTIME else v.options[i, 0]


@kernel.small
def is_mine(space):
    """Whether a space is one of the board's mines."""
    return FIRST_MINE <= space < PRIVATE


@kernel.small
def is_contract(space):
    """Whether a space is that of a face-up contract or of their deck."""
    return space >= FIRST_SLOT or space == DECK


@kernel
def best_but(v, r, space, bonus):
    """The option of `place` worth most if one space were worth so many tenths of a dollar more."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        value = space_value(v, r, v.options[i, 0], v.options[i, 1])
        if used_space(v, i) == space:
            value += 0.1 * bonus
        if value > most:
            best = i
            most = value
    return best


@kernel
def best_by_length(v, r, bonus):
    """The option of `place` worth most if each row of a contract were worth so many tenths of a dollar more."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        space = v.options[i, 0]
        value = space_value(v, r, space, v.options[i, 1])
        if space >= FIRST_SLOT:
            value += 0.1 * bonus * r.n_rows[v.public.shown[space - FIRST_SLOT]]
        if value > most:
            best = i
            most = value
    return best


@kernel
def longest_or_shortest(v, r, bonus):
    """The contract looked at that is worth most if each of its rows were worth so many tenths of a dollar more."""
    best = 0
    most = -1e9
    for i in range(v.n_options):
        name = v.options[i, 0]
        value = 0.0
        if name != NOBODY:
            value = contract_value(v, r, name, v.public.workers[v.seat]) + 0.1 * bonus * r.n_rows[name]
        if value > most:
            best = i
            most = value
    return best
