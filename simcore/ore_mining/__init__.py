"""Ore: The Mining Game: the game's contract. The rules are in `engine.py`, the numbers in `components.toml`."""

from __future__ import annotations

import numpy as np

from simcore.errors import AssayError
from simcore.game import Axis, Decision, Game, Measure, Tally, counted, held_tally
from simcore.rules import RuleSet

ORES = ("lead", "coal", "copper", "iron", "gold")
MINES = tuple(f"{ore}{number}" for ore in ORES for number in range(1, 7))
CONTRACTS = tuple(f"C{number:02}" for number in range(1, 31))
BUILDINGS = tuple(f"B{number:02}" for number in range(1, 21))
BOXES = 5
ROWS = 4
PLACES = (
    "mine_cage",
    "drill_bit",
    *(f"{ore}_mine" for ore in ORES),
    "private_mine",
    "contract_deck",
    "commodity_market",
    "permit_office",
    "recruit",
    "advanced_orders",
    "overtime",
    "contract",
)  # spaces in the engine's order, those of face-up contracts last and taken together
IN_TOWN = ("mine_cage", "drill_bit", "commodity_market", "permit_office", "recruit", "advanced_orders")  # ORE-3
ROUNDS = 7
MAX_EVENTS = 20_000

DECISIONS = (
    Decision(
        "place",
        "where to put a worker",
        "an index into the options (space, box of a mine from 0, ore of a private mine or space that Overtime uses)",
    ),
    Decision("keep", "which contract of those looked at to keep", "an index into the options (contract, -1)"),
    Decision(
        "trade", "what to buy (above 0) or sell at the Commodity Market", "an index into the options (ore, cubes)"
    ),
    Decision("follow", "what to buy or sell after another player's trade", "an index into the options (ore, cubes)"),
    Decision(
        "permit", "how many building cards to draw at the Permit Office", "an index into the options (cards, dollars)"
    ),
    Decision("apply", "how many to draw when another player is there", "an index into the options (cards, dollars)"),
    Decision(
        "order", "which contract's next row to fill in Advanced Orders", "an index into the options (contract, -1)"
    ),
    Decision(
        "fill",
        "whether to fill the next row of the contract shown in the Business phase",
        "an index into the options (0 or 1, -1)",
    ),
    Decision("finish", "which completed contract to score first", "an index into the options (contract, -1)"),
    Decision(
        "build", "what to build, in cash (0) or in ore (1)", "an index into the options (building, how); (-1, -1) stops"
    ),
    Decision("accept", "whether to take what the building shown gives", "an index into the options (0 or 1, -1)"),
    Decision("gain", "which ore to gain", "an index into the options (ore, -1); -1 takes none"),
    Decision("sell", "what to sell above market value", "an index into the options (ore, cubes); (-1, 0) sells none"),
    Decision("hurry", "which contract's next row to fill at once", "an index into the options (contract, -1)"),
    Decision(
        "take", "which face-up contract to take", "an index into the options (contract, slot); (-1, -1) takes none"
    ),
)

EVENTS = {
    "seat_ready": (("money", "number"), ("workers", "number"), ("ore", "cards")),
    "building_drawn": (("name", "building"),),
    "mine_opened": (("name", "mine"),),
    "contract_shown": (("slot", "number"), ("name", "contract")),
    "contracts_reshuffled": (("cards", "number"),),
    "first_player": (),
    "placed": (("space", "space"), ("used", "space"), ("box", "number"), ("bits", "number"), ("paid", "number")),
    "cage_raised": (("level", "cage"),),
    "bits_gained": (("bits", "number"), ("money", "number")),
    "private_opened": (("name", "mine"),),
    "contract_taken": (("slot", "number"), ("name", "contract")),
    "contract_looked": (("name", "contract"),),
    "contract_kept": (("name", "contract"),),
    "contract_returned": (("name", "contract"),),
    "bought": (("name", "ore"), ("cubes", "number"), ("price", "number")),
    "sold": (("name", "ore"), ("cubes", "number"), ("price", "number")),
    "not_traded": (),
    "permits": (("cards", "number"), ("paid", "number")),
    "recruited": (("number", "number"),),
    "marker_taken": (),
    "passed": (),
    "row_filled": (("name", "contract"), ("row", "number"), ("money", "number")),
    "contract_lost": (("name", "contract"),),
    "contract_completed": (("name", "contract"), ("points", "number")),
    "built": (("name", "building"), ("money", "number"), ("ore", "cards"), ("points", "number")),
    "gained": (("money", "number"), ("bits", "number"), ("ore", "cards")),
    "declined": (("name", "building"),),
    "dug": (("name", "mine"), ("box", "number"), ("cubes", "number")),
    "advanced": (("name", "mine"),),
    "exhausted": (("name", "mine"), ("by", "reason")),
    "marker": (("taken", "number"),),
    "recalled": (("workers", "number"),),
    "standing": (("points", "number"), ("money", "number"), ("ore", "cards")),
    "final": (
        ("points", "number"),
        ("contracts", "number"),
        ("buildings", "number"),
        ("dollars", "number"),
        ("cage", "number"),
        ("ore_left", "number"),
        ("money", "number"),
        ("rank", "number"),
        ("win_share", "share"),
    ),
}

PHASES = ("setup", "tasking", "advanced_orders", "collection", "business", "round_end", "final")

ROUND = counted("round", range(1, ROUNDS + 1))
SPACE = Axis("space", PLACES)
ORE = Axis("ore", ORES)
LENGTH = counted("rows", range(1, ROWS + 1))
SUM = "sum"
PLACED = ("placements", "dollars", "ore", "points")
FATES = ("taken", "rows filled", "completed", "lost", "open at the end")
SOURCES = ("rows of contracts", "ore sold", "Drill Bit", "buildings")
OUTLAYS = ("Mine Cage", "private mine", "ore bought", "building cards", "recruit", "buildings")
POINTS = ("contracts", "buildings", "money", "Mine Cage")

TALLIES = (
    Tally(
        "placement",
        "workers placed on a space, by round, and what came of it later too: dollars in less dollars out, ore at market "
        "value, points of contracts and of the Mine Cage",
        (SPACE, ROUND, Axis(SUM, PLACED)),
    ),
    Tally(
        "use",
        "rounds in which a space was there, in which it was used, turns of all seats to place, and those on which it was "
        "taken or blocked",
        (SPACE, ROUND, Axis(SUM, ("rounds", "used", "turns", "blocked"))),
    ),
    Tally("passes", "turns of a seat with workers left and no space for them", (ROUND,)),
    Tally(
        "stay",
        "workers come home from mines, by their player's cage at that time, and rounds they stayed: how many, cubes they "
        "earned, their market value",
        (
            Axis("mine", ("board", "private")),
            Axis("cage", ("none", "II", "III")),
            counted("rounds", range(1, BOXES + 1)),
            Axis(SUM, ("workers", "cubes", "dollars")),
        ),
    ),
    Tally(
        "exhausted",
        "mine cards exhausted, by what stopped the worker",
        (Axis("mine", ("board", "private")), Axis("by", ("bottom", "cage"))),
    ),
    Tally("entered", "workers put into a mine, by box", (ORE, counted("box", range(1, 4)))),
    Tally("contracts", "contracts by their rows and what became of them", (LENGTH, Axis("fate", FATES))),
    Tally("contract_round", "contracts taken, by round, and what became of them", (ROUND, Axis("fate", FATES))),
    Tally(
        "built",
        "buildings built: how many, dollars paid, ore paid at market value, points, what the once-ability gave in dollars "
        "and ore",
        (Axis("building", BUILDINGS), Axis(SUM, ("buildings", "dollars", "ore", "points", "gains"))),
    ),
    Tally("building_round", "buildings built, by round", (ROUND,)),
    Tally(
        "recruits",
        "workers recruited, by round: how many, dollars paid, placements by the same seat afterwards, wins of the seat in "
        "sixtieths",
        (ROUND, Axis(SUM, ("workers", "dollars", "placements", "wins"))),
    ),
    Tally("overtime", "uses of Overtime, by the space used", (Axis("space", IN_TOWN),)),
    Tally(
        "market",
        "cubes traded, by who began and which way, and their price",
        (
            ORE,
            Axis("who", ("active", "other")),
            Axis("way", ("bought", "sold")),
            Axis(SUM, ("cubes", "dollars")),
        ),
    ),
    Tally(
        "permits",
        "building cards drawn at the Permit Office",
        (Axis("who", ("active", "other")), counted("cards", range(4))),
    ),
    Tally("income", "dollars that came in", (ROUND, Axis("source", SOURCES))),
    Tally("outlay", "dollars paid", (ROUND, Axis("outlay", OUTLAYS))),
    Tally("dug", "cubes dug", (ROUND, ORE)),
    Tally("money", "dollars of a seat at the end of a round", (ROUND, counted("dollars", range(101)))),
    Tally("cage", "Mine Cages at the end of a round", (ROUND, Axis("cage", ("none", "II", "III")))),
    Tally("points", "points at the end, by source", (Axis("source", POINTS),)),
    held_tally((*CONTRACTS, *BUILDINGS), "a contract or building card in hand at any time"),
)

PER_PLACEMENT = ("placements",)
ECONOMY = (
    *(
        Measure(
            f"placement_{name}",
            f"{what} that a worker on a space brings in the end",
            unit,
            "placement",
            ("space",),
            ratio=(SUM, (name,), PER_PLACEMENT),
        )
        for name, what, unit in (
            ("dollars", "dollars, in less out,", "dollars"),
            ("ore", "ore, in less out, at market value,", "dollars"),
            ("points", "points of contracts and Mine Cage", "points"),
        )
    ),
    *(
        Measure(
            f"placement_{name}_by_round",
            f"{what} that a worker brings, by the round it is placed",
            unit,
            "placement",
            ("round", "space"),
            ratio=(SUM, (name,), PER_PLACEMENT),
        )
        for name, what, unit in (
            ("dollars", "dollars, in less out,", "dollars"),
            ("ore", "ore, in less out, at market value,", "dollars"),
            ("points", "points of contracts and Mine Cage", "points"),
        )
    ),
    Measure(
        "placements",
        "workers placed, of a seat in a game",
        "workers",
        "placement",
        ("space",),
        where=((SUM, PER_PLACEMENT),),
    ),
    Measure(
        "placements_by_round",
        "workers placed, of a seat in a game, by round",
        "workers",
        "placement",
        ("round", "space"),
        where=((SUM, PER_PLACEMENT),),
    ),
    Measure(
        "space_used",
        "rounds in which somebody uses a space",
        "share of rounds",
        "use",
        ("space",),
        ratio=(SUM, ("used",), ("rounds",)),
    ),
    Measure(
        "space_blocked",
        "turns to place on which a space is taken",
        "share of turns",
        "use",
        ("space",),
        ratio=(SUM, ("blocked",), ("turns",)),
    ),
    Measure(
        "space_blocked_by_round",
        "turns to place on which a space is taken, by round",
        "share of turns",
        "use",
        ("round", "space"),
        ratio=(SUM, ("blocked",), ("turns",)),
    ),
    Measure(
        "stuck", "turns with a worker left and no space for it, of a seat in a game", "turns", "passes", ("round",)
    ),
    Measure("stay_rounds", "rounds that a worker stays in a mine", "rounds", "stay", ("cage", "mine"), value="rounds"),
    Measure(
        "stay_value",
        "market value of the ore that a worker brings home from a mine",
        "dollars",
        "stay",
        ("cage", "mine"),
        ratio=(SUM, ("dollars",), ("workers",)),
    ),
    Measure(
        "stay_value_by_rounds",
        "market value of the ore that a worker brings home, by the rounds it stayed",
        "dollars",
        "stay",
        ("rounds", "cage"),
        ratio=(SUM, ("dollars",), ("workers",)),
    ),
    Measure(
        "stays",
        "workers come home from mines, of a seat in a game",
        "workers",
        "stay",
        ("cage", "rounds"),
        where=((SUM, ("workers",)),),
    ),
    Measure(
        "exhausted_by_cage",
        "mines that a cage exhausts before the bottom",
        "share of mines",
        "exhausted",
        ("mine",),
        share=("by", ("cage",)),
    ),
    Measure("entered_box", "box in which a worker enters a mine", "boxes", "entered", ("ore",), value="box"),
    Measure(
        "contracts_taken",
        "contracts taken, of a seat in a game",
        "contracts",
        "contracts",
        ("rows",),
        where=(("fate", ("taken",)),),
    ),
    Measure(
        "contracts_completed",
        "contracts completed, of those taken",
        "share of contracts",
        "contracts",
        ("rows",),
        ratio=("fate", ("completed",), ("taken",)),
    ),
    Measure(
        "contracts_lost",
        "contracts lost, of those taken",
        "share of contracts",
        "contracts",
        ("rows",),
        ratio=("fate", ("lost",), ("taken",)),
    ),
    Measure(
        "contracts_open",
        "contracts still open at the end, of those taken",
        "share of contracts",
        "contracts",
        ("rows",),
        ratio=("fate", ("open at the end",), ("taken",)),
    ),
    Measure(
        "rows_filled",
        "rows filled of a contract taken",
        "rows",
        "contracts",
        ("rows",),
        ratio=("fate", ("rows filled",), ("taken",)),
    ),
    Measure(
        "contracts_completed_by_round",
        "contracts completed, of those taken, by the round they were taken",
        "share of contracts",
        "contract_round",
        ("round",),
        ratio=("fate", ("completed",), ("taken",)),
    ),
    Measure(
        "built", "buildings of a seat in a game", "buildings", "built", ("building",), where=((SUM, ("buildings",)),)
    ),
    Measure(
        "built_price",
        "dollars and ore at market value paid for a building",
        "dollars",
        "built",
        ("building",),
        ratio=(SUM, ("dollars", "ore"), ("buildings",)),
    ),
    Measure(
        "built_gain",
        "dollars and ore at market value that a building gives at once",
        "dollars",
        "built",
        ("building",),
        ratio=(SUM, ("gains",), ("buildings",)),
    ),
    Measure(
        "built_payback",
        "points of a building for each dollar paid in cash or ore",
        "points",
        "built",
        ("building",),
        ratio=(SUM, ("points",), ("dollars", "ore")),
    ),
    Measure(
        "recruits",
        "workers recruited, of a seat in a game",
        "workers",
        "recruits",
        ("round",),
        where=((SUM, ("workers",)),),
    ),
    Measure(
        "recruit_price",
        "dollars paid for a recruit, by round",
        "dollars",
        "recruits",
        ("round",),
        ratio=(SUM, ("dollars",), ("workers",)),
    ),
    Measure(
        "recruit_placements",
        "workers that a seat places after it recruited, by round",
        "workers",
        "recruits",
        ("round",),
        ratio=(SUM, ("placements",), ("workers",)),
    ),
    Measure("overtime", "uses of Overtime, of a seat in a game", "uses", "overtime", ("space",)),
    Measure(
        "cubes_traded",
        "cubes traded, of a seat in a game",
        "cubes",
        "market",
        ("ore", "way"),
        where=((SUM, ("cubes",)),),
    ),
    Measure(
        "trade_price",
        "price of a cube at the Commodity Market",
        "dollars",
        "market",
        ("ore", "way"),
        ratio=(SUM, ("dollars",), ("cubes",)),
    ),
    Measure(
        "permits", "building cards drawn at the Permit Office at once", "cards", "permits", ("who",), value="cards"
    ),
    Measure("income_by_source", "dollars that come in, of a seat in a game", "dollars", "income", ("source",)),
    Measure(
        "income_by_round",
        "dollars that come in, of a seat in a game, by round",
        "dollars",
        "income",
        ("round", "source"),
    ),
    Measure("outlay", "dollars paid, of a seat in a game", "dollars", "outlay", ("outlay",)),
    Measure("dug", "cubes dug, of a seat in a game", "cubes", "dug", ("ore",)),
    Measure("dug_by_round", "cubes dug, of a seat in a game, by round", "cubes", "dug", ("round", "ore")),
    Measure(
        "money_by_round", "dollars of a seat at the end of a round", "dollars", "money", ("round",), value="dollars"
    ),
    Measure(
        "cages_by_round",
        "seats with a Mine Cage at the end of a round",
        "share of seats",
        "cage",
        ("round",),
        share=("cage", ("II", "III")),
    ),
    Measure("points_by_source", "points of a seat at the end", "points", "points", ("source",)),
)

OUTCOMES = (
    "win",
    "rank",
    "score",
    "contract_points",
    "building_points",
    "money_points",
    "cage_points",
    "money",
    "ore",
    "contracts",
    "buildings",
    "recruited",
    *(f"after_{number}" for number in range(1, ROUNDS + 1)),
)


def check(rules: RuleSet, seats: int) -> None:
    """Refuse rules that cannot be played by this many seats, a deck that makes no sense above all."""
    is_two = seats == 2 and bool(rules["two_player"])
    _check_mines(rules, is_two)
    needs = rules["contract_need"].sum(axis=2) > 0
    for name, rows, pays in zip(CONTRACTS, needs, rules["contract_pay"], strict=True):
        if not rows[0] or np.any(rows[1:] & ~rows[:-1]):
            raise AssayError(f"rule 'contract_need[{name}]' needs rows without a gap from the first on")
        if np.any(pays[~rows]):
            raise AssayError(f"rule 'contract_pay[{name}]' pays for a row that 'contract_need' does not have")
    if is_two:
        used = rules["contract_two"] * rules["contract_copies"]
        for name, mark, need in zip(CONTRACTS, used, rules["contract_need"], strict=True):
            if mark and need[:, ORES.index("copper")].any():
                raise AssayError(f"rule 'contract_two[{name}]' marks a contract for two players that needs copper")
    contracts, buildings = rules["contract_copies"] > 0, rules["building_copies"].astype(int)
    if is_two:
        contracts, buildings = contracts & (rules["contract_two"] > 0), buildings * (rules["building_two"] > 0)
    shown = int(rules["contracts_shown"][seats - 2])
    if contracts.sum() < shown:
        raise AssayError(f"rule 'contract_copies' leaves {contracts.sum()} contracts, but {shown} lie face up")
    if buildings.sum() < seats * rules["start_buildings"]:
        raise AssayError(f"rule 'building_copies' leaves too few cards to deal {rules['start_buildings']} to each seat")
    if not rules["start_buildings"] and rules["start_building"].any():
        raise AssayError("rule 'start_building' gives a card, but 'start_buildings' deals none")
    for number, name in enumerate(BUILDINGS, 1):
        n_given = int((rules["start_building"][:seats] == number).sum())
        if n_given > buildings[number - 1]:
            raise AssayError(
                f"rule 'start_building' gives {name} to {n_given} seats, but the deck has {buildings[number - 1]}"
            )


def _check_mines(rules: RuleSet, is_two: bool) -> None:
    """Each ore needs a card, each card boxes without a gap, the first of level 1."""
    levels = rules["mine_level"]
    for name, level, cubes in zip(MINES, levels, rules["mine_yield"], strict=True):
        is_box = level > 0
        if level[0] != 1:
            raise AssayError(f"rule 'mine_level[{name}]' begins with level {level[0]}: the topmost box is of level 1")
        if np.any(is_box[1:] & ~is_box[:-1]):
            raise AssayError(f"rule 'mine_level[{name}]' has a gap: boxes follow each other from the top")
        if np.any(cubes[~is_box]):
            raise AssayError(f"rule 'mine_yield[{name}]' has cubes where 'mine_level' has no box")
    for number, ore in enumerate(ORES):
        is_out = is_two and ore == "copper"
        if not is_out and not rules["mine_copies"][6 * number : 6 * number + 6].any():
            raise AssayError(f"rule 'mine_copies' leaves no {ore} mine: each ore needs a card")


def complete(rules: RuleSet, filled: np.ndarray) -> None:
    """Derived numbers: rows of a contract, what a row pays and a building scores at the scale chosen, market values."""
    filled["n_rows"][0] = (rules["contract_need"].sum(axis=2) > 0).sum(axis=1)
    filled["n_boxes"][0] = (rules["mine_level"] > 0).sum(axis=1)
    filled["row_pay"][0] = (rules["contract_pay"] * rules["pay_scale"] + 50) // 100
    filled["built_points"][0] = (rules["building_points"] * rules["building_scale"] + 50) // 100
    filled["value"][0] = np.maximum(rules["mine_market"] + rules["market_shift"], rules["market_floor"])


def alternative(rules: RuleSet, number: int) -> RuleSet:
    """The rules with the reconstructed cards drawn anew.

    The market value of each mine moves by -1, 0 or 1, what each contract pays by a factor of its own between 0.87 and
    1.13 (rows at 1.0 to 1.3 times the worth of their ore), the points of each building by one between 0.8 and 1.2.
    """
    chance = np.random.default_rng(number)
    market = np.maximum(rules["mine_market"] + chance.integers(-1, 2, len(MINES)), 1)
    pay = np.floor(rules["contract_pay"] * chance.uniform(0.87, 1.13, (len(CONTRACTS), 1)) + 0.5)
    points = np.floor(rules["building_points"] * chance.uniform(0.8, 1.2, len(BUILDINGS)) + 0.5)
    return (
        rules.replaced("mine_market", np.minimum(market, 50).astype(int))
        .replaced("contract_pay", np.minimum(pay, 100).astype(int))
        .replaced("building_points", np.minimum(points, 50).astype(int))
    )


GAME = Game(
    name="ore_mining",
    title="Ore: The Mining Game",
    seats=(2, 3, 4, 5),
    version=1,
    package=__name__,
    decisions=DECISIONS,
    outcome_columns=OUTCOMES,
    rounds=tuple(str(number) for number in range(1, ROUNDS + 1)),
    measures={
        "score": "points",
        "contract_points": "points",
        "building_points": "points",
        "money": "dollars",
        "contracts": "contracts",
        "buildings": "buildings",
        "recruited": "workers",
    },
    tallies=TALLIES,
    economy=ECONOMY,
    phases=PHASES,
    events=EVENTS,
    check=check,
    complete=complete,
    n_rounds=lambda rules: rules["rounds"],
    cards="ore",
    uneven=("seat_money=7",),
    redrawn=("pay_scale=110", "market_shift=1"),
    alternative=alternative,
    report_deals=15_000,
    forced={name: f"start_building[{{seat}}]={number}" for number, name in enumerate(BUILDINGS, 1)},
    barred={
        "buying the Mine Cage": "barred[{seat},mine_cage]=1",
        "taking drill bits": "barred[{seat},drill_bit]=1",
        "going into the mines": "barred[{seat},mines]=1",
        "opening a private mine": "barred[{seat},private_mine]=1",
        "taking face-up contracts": "barred[{seat},contracts]=1",
        "looking through the contract deck": "barred[{seat},contract_deck]=1",
        "going to the Commodity Market": "barred[{seat},commodity_market]=1",
        "going to the Permit Office": "barred[{seat},permit_office]=1",
        "recruiting": "barred[{seat},recruit]=1",
        "Advanced Orders": "barred[{seat},advanced_orders]=1",
        "Overtime": "barred[{seat},overtime]=1",
        "building": "barred[{seat},building]=1",
        "trading and drawing on others' turns": "barred[{seat},reacting]=1",
    },
    extra_rule_fields=(
        ("n_rows", "i4", (len(CONTRACTS),)),
        ("n_boxes", "i4", (len(MINES),)),
        ("row_pay", "i4", (len(CONTRACTS), ROWS)),
        ("built_points", "i4", (len(BUILDINGS),)),
        ("value", "i4", (len(MINES),)),
    ),
)
