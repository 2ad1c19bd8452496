"""What every game must hold to, tested from its contract alone; un-jitted too, on fewer games (`make test-plain`)."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import joblib
import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields

import strategies
import tests.toy  # noqa: F401  for the process that plays the other way
from analyses.comparison import compare
from reports.cli import main
from simcore import cache as core_cache
from simcore.batch import Batch, play_batch
from simcore.errors import AssayError, IllegalAnswerError
from simcore.game import COMMON_COLUMNS, GAMES, RANK, SIXTIETHS, WIN, Game, find_game
from simcore.kernel import IS_JITTED
from simcore.plan import Part, Plan, play_part, run_plan
from simcore.rules import PROVENANCES, RuleSet
from simcore.state import EVENT_WIDTH
from simcore.transcript import event_width, play_transcript
from tests.regolden import DEALS, count_totals, totals_file

ROOT = Path(__file__).parent.parent
LAYERS = ("simcore", "strategies", "analyses", "reports")  # each uses those before it
FEWER = 1 if IS_JITTED else 100  # un-jitted play is some thousand times slower
PLAIN_GAMES = 240  # played un-jitted as well
REFEREED = 3_000
STATES = 25 if IS_JITTED else 1  # games broken off for each decision
HIDINGS = 4  # other secrets for each of them


# --- what the contract does not say about a game -----------------------------------------------------------


def hide_ostia(s: Any, seat: int, chance: np.random.Generator) -> None:
    """Change all of a state that a seat may not know (OST-7, OST-8, OST-15, OST-19)."""
    for other in range(len(s.cash)):
        if other == seat:
            continue
        s.cash[other] = chance.integers(0, 200)
        for pile in (s.hand, s.dock, s.forum, s.donated, s.scored):
            pile[other] = chance.integers(0, 5, 6)
        s.n_auction[other] = chance.integers(0, 5)
        s.resold[other] = chance.integers(0, 5)
        s.views[other] = np.frombuffer(chance.bytes(s.views.dtype.itemsize), s.views.dtype)[0]
    s.worth[:] = chance.integers(0, 99, len(s.worth))
    s.discard[:] = chance.integers(0, 9, 6)
    chance.shuffle(s.deck)
    s.deck_n = chance.integers(0, len(s.deck))
    for word in ("w0", "w1", "w2", "w3"):
        s.chance[word] = chance.integers(0, 2**63)
    order = s.senate_order.tolist()
    secret = [0, *range(s.public.round_no + 2, len(order))]  # set aside, or not yet turned up
    turned = chance.permutation([order[slot] for slot in secret])
    for slot, card in zip(secret, turned, strict=True):
        s.senate_order[slot] = card
        s.senate_cards[card] = chance.integers(0, 5, 6)


def hide_ore_city(s: Any, seat: int, chance: np.random.Generator) -> None:
    """Change all of a state that a seat may not know (ORC-18, ORC-23): faces of others' cards, of piles, of works."""
    firsts, counts = (0, 4, 8, 12), (4, 4, 4, 5)
    for other in range(s.public.n_seats):
        if other == seat:
            continue
        s.hand[other] = 0
        for pile in range(4):
            names = chance.integers(firsts[pile], firsts[pile] + counts[pile], s.public.hand_types[other, pile])
            np.add.at(s.hand[other], names, 1)
        s.views[other] = np.frombuffer(chance.bytes(s.views.dtype.itemsize), s.views.dtype)[0]
    for pile in range(4):
        s.pile[pile] = chance.integers(firsts[pile], firsts[pile] + counts[pile], s.pile.shape[1])
    for at in range(s.public.common_works):
        if not s.work_seen[at] >> seat & 1:
            s.work_name[at] = chance.integers(12, 17)
        s.work_seen[at] = s.work_seen[at] & 1 << seat | chance.integers(0, 64) & ~(1 << seat)
    for stream in (s.chance, s.theft):
        for word in ("w0", "w1", "w2", "w3"):
            stream[word] = chance.integers(0, 2**63)


def hide_ore_mining(s: Any, seat: int, chance: np.random.Generator) -> None:
    """Change all of a state that a seat may not know (ORE-17): buildings in others' hands, and the decks."""
    for other in range(s.public.n_seats):
        if other == seat:
            continue
        s.hand[other] = 0
        np.add.at(s.hand[other], chance.integers(0, s.hand.shape[1], s.public.hand_n[other]), 1)
        s.held_buildings[other] = chance.integers(0, 2**20)
        s.views[other] = np.frombuffer(chance.bytes(s.views.dtype.itemsize), s.views.dtype)[0]
    for ore in range(len(s.mine_deck)):
        s.mine_deck[ore] = chance.integers(6 * ore, 6 * ore + 6, s.mine_deck.shape[1])
    s.contract_deck[:] = chance.integers(0, s.public.holder.size, s.contract_deck.size)
    s.building_deck[:] = chance.integers(0, s.hand.shape[1], s.building_deck.size)
    for word in ("w0", "w1", "w2", "w3"):
        s.chance[word] = chance.integers(0, 2**63)


def hide_coin_race(s: Any, seat: int, chance: np.random.Generator) -> None:
    """Change all of a state that a seat may not know: the dice to come, and what others are shown."""
    for other in range(s.public.n_seats):
        if other != seat:
            s.views[other] = np.frombuffer(chance.bytes(s.views.dtype.itemsize), s.views.dtype)[0]
    for word in ("w0", "w1", "w2", "w3"):
        s.chance[word] = chance.integers(0, 2**63)


ORE_CITY_BOTS = {
    "builder": '''"""Builds whatever it can, wherever it can, factories first, and flushes when it cannot."""

from simcore.chance import below


def act(v, r):
    best = -1
    for i in range(v.n_options):
        if v.options[i, 0] == 2:
            return i
        if v.options[i, 0] == 0:
            best = i
    if best >= 0 and below(v.whim, 8) > 0:
        return best
    return v.n_options - 2


def build(v, r):
    return below(v.whim, v.n_options)


def draw(v, r):
    return v.n_options - 1
''',
    "closer": '''"""Closes as soon as anything stands in its space, builds single cards next door, and keeps few coins."""

from simcore.chance import below


def act(v, r):
    for i in range(v.n_options):
        if v.options[i, 0] == 1 or v.options[i, 0] == 2:
            return i
    return below(v.whim, v.n_options)


def build(v, r):
    return 0


def steal(v, r):
    return v.n_options - 1


def draw(v, r):
    return below(v.whim, v.n_options)
''',
    "flusher": '''"""Hoards Public Works cards in the common space and flushes them away, to run piles dry."""

from simcore.chance import below


def act(v, r):
    if below(v.whim, 3) == 0:
        return below(v.whim, v.n_options)
    return max(v.n_options - 2 - below(v.whim, 2), 0)


def lay(v, r):
    return v.n_options - 1


def take(v, r):
    return 0


def draw(v, r):
    return v.n_options - 1
''',
}
ORE_MINING_BOTS = {
    "grabber": '''"""Takes contracts, fills and builds whatever it can, and works overtime."""

from simcore.chance import below


def place(v, r):
    if below(v.whim, 3) == 0:
        return below(v.whim, v.n_options)
    return v.n_options - 1


def fill(v, r):
    return 0


def order(v, r):
    return v.n_options - 1


def build(v, r):
    return v.n_options - 1


def hurry(v, r):
    return v.n_options - 1


def take(v, r):
    return v.n_options - 1
''',
    "digger": '''"""Goes down with drill bits and cages, opens private mines, and leaves its contracts to be lost."""

from simcore.chance import below


def place(v, r):
    if below(v.whim, 4) == 0:
        return below(v.whim, v.n_options)
    best = 0
    for i in range(v.n_options):
        if v.options[i, 0] <= 7:
            best = i
    return best


def fill(v, r):
    return v.n_options - 1


def accept(v, r):
    return 1


def gain(v, r):
    return v.n_options - 1
''',
    "caller": '''"""Calls Advanced Orders, trades all it can and buys every building card, to run the decks dry."""

from simcore.chance import below


def place(v, r):
    if below(v.whim, 3) == 0:
        return below(v.whim, v.n_options)
    for i in range(v.n_options):
        if v.options[i, 0] == 12 or v.options[i, 0] == 8 or v.options[i, 0] == 10:
            return i
    return below(v.whim, v.n_options)


def trade(v, r):
    return v.n_options - 1


def follow(v, r):
    return v.n_options - 1


def permit(v, r):
    return v.n_options - 1


def apply(v, r):
    return v.n_options - 1


def keep(v, r):
    return v.n_options - 1
''',
}
OSTIA_BOTS = {
    "debtor": '''"""Bids all it can raise and keeps its own lots, whatever they cost."""

from simcore.chance import below


def bid(v, r):
    return max(v.can_pay - below(v.whim, 4), v.public.minimum, 1)


def sell(v, r):
    return v.n_options - 1


def resell(v, r):
    return 0
''',
    "spreader": '''"""Uses every resource it has, as many as there are, half for the Forum and half for the Senate."""

from simcore.chance import below


def bid(v, r):
    return max(v.public.minimum, 1)


def assign(v, r):
    for kind in range(6):
        n = v.hand[kind]
        v.to_forum[kind] = (n + below(v.whim, 2)) // 2
        v.to_senate[kind] = n - v.to_forum[kind]
    return 0
''',
    "miser": '''"""Never bids and never builds if it can help it; gives everything away."""

from simcore.chance import below


def bid(v, r):
    return 0


def sell(v, r):
    return below(v.whim, v.n_options)


def assign(v, r):
    for kind in range(6):
        v.to_senate[kind] = v.hand[kind]
    return 0
''',
}


@dataclass(frozen=True)
class Case:
    """What these tests need to know of a game besides its contract.

    Attributes
    ----------
    hide : changes all of a STATE that a seat may not know
    answers : fields of the VIEW that a strategy fills
    illegal : for decisions whose answer is filled in, the line that fills in something illegal
    all_asked : rules under which every decision is asked
    variants : rules that lead to rare situations
    bots : sources of strategies that do so
    winners : how many may win a game
    very_many : games that the referee checks in the slow run
    in_short : rules that keep games short, for un-jitted play
    """

    hide: Callable[[Any, int, np.random.Generator], None]
    answers: tuple[str, ...]
    illegal: dict[str, str]
    all_asked: tuple[str, ...]
    variants: tuple[tuple[str, ...], ...]
    bots: dict[str, str]
    winners: tuple[int, ...]
    very_many: int
    in_short: tuple[str, ...] = ()


CASES = {
    "ostia": Case(
        hide_ostia,
        answers=("to_forum", "to_senate", "kept"),
        illegal={"assign": "v.to_forum[0] = -1", "score": "v.kept[0] = -1"},
        all_asked=("advanced_discard=1", "advanced_price=1", "advanced_start=1"),
        variants=(
            ("rounds=3",),
            ("rounds=1", "first_game=1"),
            ("copies=4,3,4,3,4,3",),
            ("copies=2,2,2,2,2,2", "advanced_discard=1"),
            ("copies=0,0,0,0,0,1", "start_storehouses=0,1,2,3,4"),
            ("talon=7,2,8",),
            ("deal_cards=6", "auction_cards=3", "advanced_discard=1"),
            ("deal_cards=3", "auction_cards=2"),
            ("max_types=1", "senate_award=9,5,2"),
            ("max_loans=0", "start_money=9"),
            ("storehouse_cost=0", "loan_interest=17", "own_lot_raise=0"),
            ("barred[2,bid]=1", "barred[1,overbid]=1", "barred[3,own_lot]=1", "start_card=1,2,3,4,5"),
            (
                "barred[1,forum]=1",
                "barred[2,senate]=1",
                "barred[3,own_lot]=1",
                "start_card=6,6,6,6,6",
                "copies=1,2,3,4,5,6",
            ),
            ("commission_percent=33", "forced_percent=70", "mortgage_value=3", "loan_value=5", "loan_repayment=11"),
        ),
        bots=OSTIA_BOTS,
        winners=(1, 2),
        very_many=200_000,
    ),
    "ore_city": Case(
        hide_ore_city,
        answers=(),
        illegal={},
        all_asked=("compensation=1",),
        variants=(
            ("payout_scale=80",),
            ("payout_scale=125", "compensation=0", "second_after_tie=0"),
            ("win_points=3",),
            ("turn_limit_per_seat=20",),
            ("turn_limit_per_seat=12", "start_coins=30"),
            ("copies=6,3,3,3,2,1,2,1,6,5,5,5,2,2,2,2,2", "start_coins=9"),
            ("hand_size=5", "common_size=8"),
            ("hand_size=2", "common_size=0"),
            ("factory_limit=0", "cost=0,0,0,0,0,0,0,0,0,0,0,0,4,6,12,8,7"),
            ("factory_limit=3", "highway_income=2", "highway_closing=3", "store_closing=2,1,0,3", "start_coins=8"),
            ("hospital_homes=2", "university_stores=0", "hall_threshold=4", "hall_loss=6", "hall_gift=1"),
            ("technology=1,0,3,2", "points=2,1,4,0,3"),
            ("barred[1,next_door]=1", "barred[2,sets]=1", "barred[1,flush]=1", "start_card=1,5,9,12,4,7"),
            ("barred[2,exchange]=1", "barred[1,hospital]=1", "barred[2,city_hall]=1", "start_coins=20"),
        ),
        bots=ORE_CITY_BOTS,
        winners=(0, 1),
        very_many=100_000,
        in_short=("turn_limit_per_seat=25",),
    ),
    "ore_mining": Case(
        hide_ore_mining,
        answers=(),
        illegal={},
        all_asked=("start_ore=8", "start_buildings=5", "start_workers=6"),
        variants=(
            ("rounds=3", "recall_miners=1"),
            ("rounds=1", "start_ore=6", "last_round_open=0", "seat_money=20"),
            ("pay_scale=110", "market_shift=1", "building_scale=80"),
            ("market_shift=-3", "two_player=0", "seat_money=30"),
            ("seat_money=60,50,40,30,20", "start_buildings=6", "start_ore=12"),
            ("contracts_shown=1,1,1,1", "deck_look=8", "overtime_places=5,5,5,5"),
            ("contract_copies=" + ",".join(["1", "1"] * 6 + ["0"] * 18), "start_workers=7", "contracts_shown=5"),
            ("building_copies=" + ",".join(["1"] * 20), "permit_price=0,0,0", "permit_other_price=0,0"),
            ("mine_copies=" + ",".join(["1", "0", "0", "0", "0", "0"] * 5), "seat_money=40", "private_price=0"),
            ("drill_bits=1", "drill_money=0", "cage_price=1,1", "cage_points=0,5,4", "dollars_per_point=7"),
            ("drill_bits=0", "market_active=4", "market_other=3", "advanced_draw=3"),
            (
                "gain_row[B01]=2",
                "gain_contract[B01]=2",
                "gain_look[B02]=3",
                "gain_any[B03]=1",
                "gain_sale[B04]=2",
                "start_ore=9",
            ),
            ("barred[1,mines]=1", "barred[2,building]=1", "barred[2,reacting]=1", "start_building=1,4,9,16,20"),
            ("barred[1,contracts]=1", "barred[2,contract_deck]=1", "barred[1,overtime]=1", "recruit_price=0,0,0,0,0"),
        ),
        bots=ORE_MINING_BOTS,
        winners=(1, 2),
        very_many=100_000,
    ),
    "coin_race": Case(
        hide_coin_race,
        answers=(),
        illegal={},
        all_asked=(),
        variants=(
            ("rounds=1",),
            ("rounds=10", "risk_percent=20"),
            ("head_start=3,0,1,2",),
            ("safe_coins=3", "risky_coins=20", "risk_percent=90"),
            ("risky_coins=1", "risk_percent=1"),
            ("barred[1,risky]=1", "barred[3,safe]=1", "head_start=0,1,0,2"),
        ),
        bots={},
        winners=(1, 2, 3, 4),
        very_many=20_000,
    ),
}


# --- what the tests share ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


@pytest.fixture(scope="module")
def case(game: Game) -> Case:
    return CASES[game.name]


@cache
def player(game_name: str, name: str) -> strategies.Strategy:
    return strategies.load_once(game_name, name)


def tables(game: Game, seats: int) -> list[tuple[strategies.Strategy, ...]]:
    """Each strategy against itself, and mixed tables in which each sits somewhere."""
    every = [player(game.name, name) for name in strategies.names(game)]
    mixed = [tuple(every[(at + seat) % len(every)] for seat in range(seats)) for at in range(0, len(every), seats)]
    return [(one,) * seats for one in every] + mixed


def variants(game: Game) -> list[tuple[str, ...]]:
    """The shipped rules, each switch alone, all of them together, and the game's own list."""
    switches = [f"{rule.name}=1" for rule in game.rules.rules.values() if rule.is_switch and not rule.axes]
    return [(), *((switch,) for switch in switches), tuple(switches), *CASES[game.name].variants]


def play_one(game: Game, rules: RuleSet, table: Sequence[Any], seed: int, deal: int) -> Batch:
    return play_batch(game, rules, game.fill_rules(rules, len(table)), table, seed, deal, 1, is_logged=True)


def outcomes(game: Game, table: Sequence[Any], changes: Sequence[str], deals: int) -> np.ndarray:
    """Outcome rows, shape (deals, seats, columns)."""
    rules = game.rules.parse(changes)
    return play_batch(game, rules, game.fill_rules(rules, len(table)), table, 1, 0, deals).outcomes[:, 0]


def finished(game: Game, rows: np.ndarray) -> np.ndarray:
    """For each game whether it was played out; shape (games, seats, columns) to (games,)."""
    return rows[:, 0, game.column("finished")] if "finished" in game.outcome_columns else np.ones(len(rows), np.int32)


def written(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


STOPS, ANSWERS_WRONGLY, FORGES_VIEW, FORGES_RULES = range(1, 5)


def rogue_text(game: Game) -> str:
    """A strategy file that plays as `random` does and breaks the rules in the way and at the decision of its weights."""
    names = [decision.name for decision in game.decisions]
    own = {"seat", "weights", "baseline", "whim", *CASES[game.name].answers}  # of a view; no news to the game
    forged = [
        line for line in forged_fields(game.engine.VIEW, "v") if line.split(".")[1].split("[")[0].split()[0] not in own
    ]
    rule = next(rule.name for rule in game.rules.rules.values() if not rule.axes)
    lines = [
        '"""Breaks the rules."""',
        "from simcore.chance import below",
        f"from {game.package}.engine import kernel",
        f"from {game.strategy_package} import random",
        "WEIGHTS = {'way': (0, 0, 9, 'how'), 'which': (0, 0, 99, 'the decision'), 'odds': (1, 1, 99, 'one in so many times')}",
        *(f"play_{name} = kernel(random.{name})" for name in names),
        "@kernel",
        "def forge(v):",
        *(f"    {line}" for line in forged),
        "    return 0",
    ]
    for number, name in enumerate(names):
        lines += [
            f"def {name}(v, r):",
            "    way = v.weights[0]",
            f"    if v.weights[1] == {number}:",
            f"        if way == {STOPS} and below(v.whim, int(v.weights[2])) == 0:",
            "            raise ValueError('stopped')",
            f"        if way == {FORGES_RULES}:",
            f"            r.{rule} += 1",
            f"    answer = play_{name}(v, r)",
            f"    if way == {FORGES_VIEW}:",
            "        forge(v)",
            f"    if way == {ANSWERS_WRONGLY} and v.weights[1] == {number}:",
            f"        {CASES[game.name].illegal.get(name, 'answer = -99')}",
            "    return answer",
        ]
    return "\n".join(lines) + "\n"


def forged_fields(dtype: np.dtype, at: str) -> list[str]:
    """Lines that overwrite each field of a record."""
    lines = []
    for name in dtype.names:
        kind, shape = dtype[name].base, dtype[name].shape
        if kind.names is not None:
            lines += forged_fields(kind, f"{at}.{name}")
        else:
            lines.append(f"{at}.{name}{'[:]' if shape else ''} = 77")
    return lines


Rogue = Callable[..., strategies.Strategy]


@pytest.fixture(scope="module")
def rogue(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Rogue:
    """Makes the file's strategy with any weights; it is compiled once."""
    path = written(tmp_path_factory.mktemp("rogue"), "rogue", rogue_text(game))
    loaded = player(game.name, path)

    def weighted(way: int, which: int = 0, odds: int = 1) -> strategies.Strategy:
        name = f"rogue:way={way}:which={which}:odds={odds}"
        return replace(loaded, values=(float(way), float(which), float(odds)), name=name)

    return weighted


# --- the contract ------------------------------------------------------------------------------------------


def test_every_game_has_its_case():
    assert set(CASES) == set(GAMES)


def test_decisions_are_named_once_and_taken_by_the_engine(game):
    names = [decision.name for decision in game.decisions]
    assert names
    assert len(set(names)) == len(names)
    assert all(
        name.isidentifier() and decision.asks and decision.answer
        for name, decision in zip(names, game.decisions, strict=True)
    )
    function = getattr(game.engine.play, "py_func", game.engine.play)
    arguments = list(inspect.signature(function).parameters)
    assert len(arguments[arguments.index("n_rotations") + 1 :]) == len(names)


def test_outcome_columns(game):
    columns = game.outcome_columns
    assert columns[:3] == COMMON_COLUMNS
    assert len(set(columns)) == len(columns)
    assert [columns[at] for at in game.standing_columns] == [f"after_{label}" for label in game.rounds]
    assert set(game.measures) <= set(columns)


def test_seats_title_and_version(game):
    assert list(game.seats) == list(range(game.seats[0], game.seats[-1] + 1))
    assert game.title == game.rules.title
    assert game.version >= 1
    assert all(SIXTIETHS % seats == 0 for seats in game.seats)


def test_figures_of_the_economy_are_taken_from_tallies_there_are(game):
    assert len({tally.name for tally in game.tallies}) == len(game.tallies)
    assert len({measure.name for measure in game.economy}) == len(game.economy)
    for measure in game.economy:
        axes = {axis.name: axis.labels for axis in game.tally(measure.tally).axes}
        assert set(measure.by) <= set(axes), measure.name
        assert measure.unit
        assert measure.about
        if measure.value is not None:
            assert all(isinstance(label, int) for label in axes[measure.value]), measure.name
        for axis, labels in (*measure.where, *([measure.share] if measure.share else [])):
            assert set(labels) <= set(axes[axis]), measure.name


@pytest.mark.skipif(not IS_JITTED, reason="what is rare takes more games than the plain interpreter plays")
def test_every_tally_counts_something(game):
    played = Counter()
    for changes in variants(game)[:21]:
        for seats in game.seats:
            table = [player(game.name, "random")] * seats
            rules = game.rules.parse(changes)
            batch = play_batch(game, rules, game.fill_rules(rules, seats), table, 2, 0, 100)
            played.update({name: int(np.abs(batch.tallies[name]).sum()) for name in batch.tallies.dtype.names})
    assert {name for name, count in played.items() if count} == {tally.name for tally in game.tallies}


def test_events_fit_their_records(game):
    assert event_width(game) <= EVENT_WIDTH
    assert len(set(game.phases)) == len(game.phases)


def test_rules_say_where_they_come_from_and_what_they_allow(game):
    for rule in game.rules.rules.values():
        assert set(rule.provenance.ravel().tolist()) <= set(PROVENANCES)
        assert rule.low <= rule.default.min()
        assert rule.default.max() <= rule.high
        assert rule.about
        assert rule.unit
        assert not rule.is_switch or (rule.low, rule.high) == (0, 1)


@pytest.mark.parametrize("bound", ["low", "high"])
def test_a_rule_at_its_bound_can_be_played_or_is_refused(game, bound):
    n_played = 0
    for rule in game.rules.rules.values():
        rules = game.rules.defaults().replaced(rule.name, np.full(rule.default.shape, getattr(rule, bound)))
        for seats in game.seats[:: 1 if IS_JITTED else 2]:
            try:
                filled = game.fill_rules(rules, seats)
            except AssayError:
                continue
            table = [player(game.name, "random")] * seats
            rows = play_batch(game, rules, filled, table, 5, 0, max(60 // FEWER, 1), is_logged=True).outcomes
            assert (rows[:, 0, :, WIN].sum(axis=1) == SIXTIETHS * finished(game, rows[:, 0])).all(), rule.name
            n_played += 1
    assert n_played > len(game.rules.rules)


def test_every_strategy_is_in_the_readme(game):
    if not game.package.startswith("simcore."):
        return  # it does not ship
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    names = strategies.names(game)
    assert names[:2] == ["baseline", "random"]
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


# --- the repository ----------------------------------------------------------------------------------------


def sources() -> Iterator[tuple[str, Path]]:
    """The layer and path of every module."""
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            yield layer, path


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add((node.module or "").split(".")[0])
    return found


def test_imports_go_one_way():
    wrong = []
    for layer, path in sources():
        above = LAYERS[LAYERS.index(layer) + 1 :]
        wrong += [(str(path.relative_to(ROOT)), name) for name in (*above, "tests") if name in imported(path)]
    assert wrong == []


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import simcore, simcore.game, simcore.errors", ("numba", "matplotlib", "pandas")),
        ("import strategies, analyses.catalogue", ("numba", "matplotlib", "pandas")),
        (
            "from reports.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass",
            ("numpy", "numba", "pandas", "matplotlib"),
        ),
    ],
)
def test_heavy_libraries_load_only_where_they_are_used(code, heavy):
    check = f"{code}\nimport sys\nprint('loaded:', *[name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_worker_processes_share_the_cache():
    """Joblib sets the first of these flags in its workers; other flags change the machine code."""
    code = "from simcore import cache; print(cache.CORE_DIGEST)"
    found = []
    for flag in ("NUMBA_NUM_THREADS", "NUMBA_OPT"):
        environment = {**os.environ, flag: "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        found.append(done.stdout.strip())
    assert found[0] == core_cache.CORE_DIGEST
    assert found[1] != core_cache.CORE_DIGEST


def test_no_file_points_outside_the_repository():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    assert Path(__file__) in files or len(files) > 40
    outside = re.compile("|".join(("/" + "work/", r"\.\./" + "shared", "/" + "home/", "/" + "Users/")))
    told = []
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        told += [f"{path.relative_to(ROOT)}: {found[0]}" for found in outside.finditer(text)]
    assert told == []


# --- outcomes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [0, 1, 2])
def test_wins_are_shared_by_the_first_and_add_up(game, numbers):
    seats = game.seats[numbers % len(game.seats)]
    for table, changes in product(
        tables(game, seats)[:: 1 if IS_JITTED else 3], variants(game)[:: 3 if IS_JITTED else 9]
    ):
        rows = outcomes(game, table, changes, max(300 // FEWER, 2))
        wins, ranks = rows[:, :, WIN], rows[:, :, RANK]
        played_out = finished(game, rows)[:, None]
        assert (wins.sum(axis=1) == SIXTIETHS * played_out[:, 0]).all()
        n_first = (ranks == 1).sum(axis=1, keepdims=True)
        assert (wins == np.where(ranks == 1, SIXTIETHS * played_out // n_first, 0)).all()
        better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
        assert (ranks == better + 1).all()


def test_copies_of_a_strategy_win_alike_in_duplicate_play(game):
    for name in strategies.names(game)[:: 1 if IS_JITTED else 4]:
        for seats in game.seats:
            plan = Plan(
                game, game.rules.defaults(), ((player(game.name, name),) * seats,), 3, max(100 // FEWER, 2),
                is_duplicate=True, has_rows=True, measures=("win", *game.measures),
            )  # fmt: skip
            part = play_part(plan, 0, plan.deals)
            by_player = [np.roll(part.rows[0][:, k], k, axis=1) for k in range(seats)]  # player p sits at p - k
            totals = np.sum(by_player, axis=0)[..., : len(COMMON_COLUMNS)]
            assert (totals == totals[:, :1]).all()
            assert (totals[..., WIN] == SIXTIETHS * finished(game, part.rows[0][:, 0])[:, None]).all()
            wins = [c.index if c.role == "player" and c.measure == "win" else -1 for c in plan.columns]
            weights = [{0: 1, 1: -1}.get(index, 0) for index in wins]
            assert part.moments.is_constant(weights)


def test_a_strategy_compared_with_itself_gets_the_fair_share(game):
    seats = game.seats[0]
    result = compare(game.name, ["random", "random"], seats=seats, deals=max(60 // FEWER, 2))
    for row in result.strategy_rows:
        share = row["win_share"]
        assert share.low == share.estimate == share.high == 1 / seats
    (pair,) = result.pair_rows
    assert pair["difference"].low == pair["difference"].estimate == pair["difference"].high == 0
    assert result.saved is None


# --- the same bits -----------------------------------------------------------------------------------------


def same_plan(game: Game, **options: Any) -> Plan:
    """A plan with every strategy at one table or another."""
    seats = game.seats[-1]
    return Plan(
        game, game.rules.parse(CASES[game.name].all_asked), tuple(tables(game, seats)[-2:]), 8, options.pop("deals", max(300 // FEWER, 4)),
        measures=("win", *game.measures), **options,
    )  # fmt: skip


def assert_same(one: Part, other: Part) -> None:
    assert one.moments == other.moments
    assert (one.first, one.count, one.n_asked) == (other.first, other.count, other.n_asked)
    assert (one.squares == other.squares).all()
    assert one.tallies.keys() == other.tallies.keys()
    for name, counts in one.tallies.items():
        assert (counts == other.tallies[name]).all(), name


@pytest.mark.parametrize("is_duplicate", [False, True])
@pytest.mark.parametrize(("jobs", "backend"), [(2, "threading"), (2, "loky")])
def test_same_bits_for_any_workers(game, jobs, backend, is_duplicate):
    size = max(70 // FEWER, 1)
    alone = run_plan(same_plan(game, is_duplicate=is_duplicate), 1)
    assert_same(alone, run_plan(same_plan(game, is_duplicate=is_duplicate, part_deals=size), jobs, backend))


@pytest.mark.parametrize("part_deals", [1, 3, 128])
def test_same_bits_for_any_size_of_parts(game, part_deals):
    deals = max(130 // FEWER, 4)
    assert_same(run_plan(same_plan(game, deals=deals)), run_plan(same_plan(game, deals=deals, part_deals=part_deals)))


def test_a_game_told_alone_is_the_game_of_the_plan(game):
    plan = same_plan(game, has_rows=True, deals=max(50 // FEWER, 2))
    rows = play_part(plan, 0, plan.deals).rows
    for at, table in enumerate(plan.tables):
        for deal in range(plan.deals):
            outcome = play_transcript(game, plan.rules, table, plan.seed, deal)["outcome"]
            told = np.array([outcome[column] for column in ("score", "rank", *game.outcome_columns[3:])]).T
            columns = [game.column(name) for name in ("score", "rank", *game.outcome_columns[3:])]
            assert (rows[at, deal, 0][:, columns] == told).all()
            assert [round(share * SIXTIETHS) for share in outcome["win_share"]] == rows[at, deal, 0, :, WIN].tolist()


def test_deals_do_not_depend_on_the_plan_they_are_part_of(game):
    half = max(100 // FEWER, 2)
    whole = same_plan(game, has_rows=True, deals=2 * half, is_duplicate=True)
    later = same_plan(game, has_rows=True, deals=half, first=half, is_duplicate=True)
    assert (play_part(whole, 0, 2 * half).rows[:, half:] == play_part(later, 0, half).rows).all()


# --- jitted and un-jitted ----------------------------------------------------------------------------------


def sampled(game: Game, number: int) -> tuple[list[str], tuple[str, ...]]:
    """The strategies and the rules of one of the games played both ways."""
    chance = np.random.default_rng(number)
    seats = game.seats[number % len(game.seats)]
    names = strategies.names(game)
    every = variants(game)
    changes = every[number // len(game.seats) % len(every)]
    return [names[at] for at in chance.integers(0, len(names), seats)], (*CASES[game.name].in_short, *changes)


def sample(game: Game, number: int) -> str:
    """A digest of all that one game gave: rows, tallies, events."""
    names, changes = sampled(game, number)
    rules = game.rules.parse(changes)
    batch = play_one(game, rules, [player(game.name, name) for name in names], 11, number)
    sha = hashlib.sha256(batch.outcomes.tobytes())
    for tally in game.tallies:
        sha.update(np.ascontiguousarray(batch.tallies[tally.name]).tobytes())
    state = batch.state[0]
    n_events = int(state["n_events"])
    sha.update(state["event_head"][:n_events].tobytes() + state["event_data"][:n_events].tobytes())
    return sha.hexdigest()


def write_samples(name: str, path: str) -> None:
    """What the other process runs."""
    game = find_game(name)
    np.savez(path, digests=np.array([sample(game, number) for number in range(PLAIN_GAMES)]), is_jitted=IS_JITTED)


def test_jitted_and_plain_games_are_equal(game, tmp_path):
    path = tmp_path / "samples.npz"
    code = f"from tests.test_conformance import write_samples; write_samples({game.name!r}, {str(path)!r})"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(IS_JITTED))}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
    with np.load(path, allow_pickle=False) as other:
        assert bool(other["is_jitted"]) != IS_JITTED
        digests = other["digests"].tolist()
    here = [sample(game, number) for number in range(PLAIN_GAMES)]
    assert [sampled(game, n) for n, pair in enumerate(zip(here, digests, strict=True)) if pair[0] != pair[1]] == []
    assert {name for number in range(PLAIN_GAMES) for name in sampled(game, number)[0]} == set(strategies.names(game))
    assert len(set(here)) > 0.8 * PLAIN_GAMES  # in a small game some come out alike


# --- what a seat may know ----------------------------------------------------------------------------------


def broken_off(game: Game, rogue: Rogue, number: int) -> Iterator[tuple[np.ndarray, Any]]:
    """STATEs of games stopped at a decision, with their rules."""
    for n in range(STATES):
        seats = game.seats[n % len(game.seats)]
        changes = [
            CASES[game.name].all_asked,
            *[c for c in variants(game) if set(CASES[game.name].all_asked) <= set(c)],
        ]
        rules = game.rules.parse(changes[-1 - n % len(changes)])
        filled = game.fill_rules(rules, seats)
        table = [rogue(STOPS, number, 1 + n % 7)] * seats
        with pytest.raises(IllegalAnswerError, match="stopped") as caught:
            play_batch(game, rules, filled, table, 6, 100_000 * n, 20_000)
        yield caught.value.state, filled[0]


def test_a_seat_sees_nothing_that_is_hidden(game, case, rogue):
    chance = np.random.default_rng(0)
    every = [player(game.name, name) for name in strategies.names(game)]
    for number, decision in enumerate(game.decisions):
        n_changed = 0
        for states, r in broken_off(game, rogue, number):
            s = states[0]
            seat = int(s["asked_seat"])
            assert s["asked_decision"] == number
            shown = content(s["views"][seat])
            n_options = int(s["views"][seat]["n_options"])
            for _ in range(HIDINGS):
                other = states.copy()
                case.hide(other[0], seat, chance)
                n_changed += bool((other != states).any())
                game.engine.look(other[0], r, seat, number)
                other[0]["views"][seat]["n_options"] = n_options
                assert content(other[0]["views"][seat]) == shown, decision.name
            for strategy in every:
                answer = reply(game, strategy, states[0]["views"][seat], r, number)
                assert answer == reply(game, strategy, other[0]["views"][seat], r, number), (
                    strategy.name,
                    decision.name,
                )
        assert n_changed == STATES * HIDINGS


def reply(game: Game, strategy: strategies.Strategy, shown: Any, r: Any, number: int) -> tuple[int, bytes]:
    """The strategy's answer to a view, and the view as it left it."""
    view = np.array([shown], game.engine.VIEW)[0]
    view["weights"][: len(strategy.values)] = strategy.values
    view["baseline"][: len(strategy.baseline)] = strategy.baseline
    for name in CASES[game.name].answers:
        view[name] = 0
    with np.errstate(over="ignore"):
        answer = strategy.hooks[game.decisions[number].name](view, r)
    return int(answer), content(view)


def content(view: Any) -> bytes:
    """A view's fields; what lies between them in memory may differ."""
    return np.array(view).astype(repack_fields(view.dtype, recurse=True)).tobytes()


# --- strategies that do not keep to the rules --------------------------------------------------------------


def test_writing_into_the_view_gains_nothing(game, case, rogue):
    for seats in game.seats:
        honest = [player(game.name, "random")] * seats
        cheating = [rogue(FORGES_VIEW), *honest[1:]]
        for changes in ((), case.all_asked):
            deals = max(300 // FEWER, 2)
            assert (outcomes(game, cheating, changes, deals) == outcomes(game, honest, changes, deals)).all()


def test_writing_into_the_rules_is_refused(game, rogue):
    table = [rogue(FORGES_RULES)] * game.seats[0]
    rules = game.rules.defaults()
    filled = game.fill_rules(rules, game.seats[0])
    before = filled.copy()
    with pytest.raises(AssayError, match=r"wrote into the rules.*rogue:way"):
        play_batch(game, rules, filled, table, 1, 0, 2)
    assert (filled == before).all()


def test_an_illegal_answer_stops_the_run_and_can_be_played_again(game, case, rogue, capsys):
    seats = game.seats[-1]
    rules = game.rules.parse(case.all_asked)
    for number, decision in enumerate(game.decisions):
        table = [player(game.name, "random")] * seats
        table[number % seats] = rogue(ANSWERS_WRONGLY, number)
        with pytest.raises(IllegalAnswerError) as caught:
            play_batch(game, rules, game.fill_rules(rules, seats), table, 4, 0, 200, seats)
        message = str(caught.value)
        told = re.fullmatch(
            r"strategy 'rogue:.*which=(\d+):.*' at seat (\d+) of deal \d+ answered '(\w+)' with .*; replay: assay (.*)",
            message,
        )
        assert told is not None, message
        assert (int(told[1]), told[3]) == (number, decision.name)
        assert int(told[2]) == int(caught.value.state[0]["asked_seat"]) + 1
        if decision.name not in (game.decisions[0].name, *case.illegal):  # each replay compiles the file once more
            continue
        assert main(shlex.split(told[4])) == 2
        words, complaint = capsys.readouterr()
        assert complaint == f"assay: {message}\n"
        assert len(words.splitlines()) > 5
        assert main([*shlex.split(told[4]), "--json"]) == 2
        document = json.loads(capsys.readouterr().out)
        assert document["outcome"] is None
        assert document["events"]


# --- golden totals -----------------------------------------------------------------------------------------


def test_golden_totals_still_hold(game):
    kept = json.loads(totals_file(game.name).read_text(encoding="utf-8"))
    assert kept["version"] == game.version, "run tests/regolden.py"
    for deals in [n for n in DEALS if IS_JITTED or n < 100]:
        for seats in game.seats:
            now = count_totals(game.name, seats, deals)
            then = kept["totals"][str(deals)][str(seats)]
            advice = (
                f"{game.name}, {seats} seats, {deals} deals: results changed; raise version and run tests/regolden.py"
            )
            assert now == then, advice


# --- the referee -------------------------------------------------------------------------------------------


def referee(game: Game) -> ModuleType:
    return __import__(f"tests.referee.{game.name}", fromlist=["check"])


def refereed(name: str, bots: Sequence[str], first: int, count: int) -> Counter[str | int]:
    """Have games checked by the referee; counts what came up: every field that was not nought, by event; winners."""
    game = find_game(name)
    check, names, changes = referee(game).check, [*strategies.names(game), *bots], variants(game)
    seen: Counter[str | int] = Counter()
    for number in range(first, first + count):
        chance = np.random.default_rng(number)
        seats = int(chance.choice(game.seats))
        table = [player(name, names[at]) for at in chance.integers(0, len(names), seats)]
        document = play_transcript(game, game.rules.parse(changes[number % len(changes)]), table, 12, number)
        try:
            check(document)
        except Exception as foul:
            raise AssertionError(
                f"deal {number}, {[s.name for s in table]}, {changes[number % len(changes)]}: {foul}"
            ) from foul
        seen.update(
            {
                f"{event['kind']}.{field}"
                for event in document["events"]
                for field, value in event["data"].items()
                if value
            }
        )
        seen.update({sum(share > 0 for share in document["outcome"]["win_share"])})
    return seen


def written_bots(game: Game, folder: Path) -> list[str]:
    return [written(folder, name, text) for name, text in CASES[game.name].bots.items()]


def test_the_referee_accepts_games_of_all_kinds(game, case, tmp_path):
    seen = refereed(game.name, written_bots(game, tmp_path), 0, REFEREED // FEWER)
    assert seen[1] > 0
    if IS_JITTED:  # every event came up, with every field of it not nought; so did shared wins
        fields = {f"{kind}.{field}" for kind, entries in game.events.items() for field, _ in entries}
        assert fields - set(seen) == set()
        assert {n for n in seen if isinstance(n, int)} >= set(case.winners)
    else:
        assert len(seen) > len(game.events)


@pytest.mark.slow
def test_the_referee_accepts_very_many_games(game, case, tmp_path):
    bots = written_bots(game, tmp_path)
    size = 2_000 // FEWER
    parts = range(REFEREED, REFEREED + case.very_many // FEWER, size)
    found = joblib.Parallel(-1)(joblib.delayed(refereed)(game.name, bots, first, size) for first in parts)
    assert all(sum(counts[n] for counts in found) > 0 for n in case.winners)
