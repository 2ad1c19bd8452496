"""Ore City: the game's contract. The rules are in `engine.py`, the numbers in `components.toml`."""

from __future__ import annotations

import numpy as np

from simcore.errors import AssayError
from simcore.game import Axis, Decision, Game, Measure, Pace, Tally, counted, held_tally
from simcore.rules import RuleSet

HOMES = ("single_house", "apartment_house", "condominium", "park")
STORES = ("small_store", "convenience_store", "restaurant", "department_store")
INDUSTRY = ("highway", "wind_turbine", "small_factory", "chemical_factory")
WORKS = ("city_hall", "hospital", "university", "airport", "police_station")
CARDS = (*HOMES, *STORES, *INDUSTRY, *WORKS)
PILES = ("residential", "commercial", "industrial", "public_works")
ACTIONS = ("construct", "close", "accomplish", "exchange", "flush", "pass")
MILESTONES = (2, 4, 6, 8)  # points of the best seat at which standings are kept
TURNS_PER_BIN = 5
TURN_BINS = 20
MAX_EVENTS = 60_000

DECISIONS = (
    Decision("discard", "which card to discard after drawing more", "an index into the options (card, -1)"),
    Decision(
        "act",
        "what to do in a turn: construct (0), close (1), accomplish (2), exchange (3), flush (4), pass (5)",
        "an index into the options (action, card or -1)",
    ),
    Decision("build", "where to construct how many of that card", "an index into the options (seat, cards)"),
    Decision(
        "scrap",
        "which Industrial card to discard for an Airport",
        "an index into the options (seat of the space or -1 for an acquired one, card)",
    ),
    Decision(
        "steal",
        "whose card the Police Station takes, by its back",
        "an index into the options (seat, type); (-1, -1) takes none",
    ),
    Decision("lay", "which card to put into the common space", "an index into the options (card, -1); -1 stops"),
    Decision("take", "which card to take from the common space", "an index into the options (card, -1)"),
    Decision("draw", "which pile to draw from", "an index into the options (type, -1)"),
)

EVENTS = {
    "seat_ready": (("coins", "number"),),
    "dealt": (("cards", "cards"),),
    "extra_drawn": (("cards", "cards"),),
    "extra_discarded": (("cards", "cards"),),
    "reshuffle": (("pile", "pile"), ("cards", "cards")),
    "common_dealt": (("cards", "cards"),),
    "constructed": (("name", "card"), ("count", "number"), ("space", "position"), ("paid", "number")),
    "store_income": (("due", "number"), ("coins", "number")),
    "highway_income": (("cards", "number"), ("coins", "number")),
    "closed": (),
    "home_due": (
        ("name", "home"),
        ("total", "number"),
        ("own", "number"),
        ("place", "number"),
        ("due", "number"),
    ),
    "store_due": (("name", "card"), ("cards", "number"), ("due", "number")),
    "closing_income": (("due", "number"), ("coins", "number")),
    "highway_closing": (("cards", "number"), ("coins", "number")),
    "acquired": (("cards", "cards"),),
    "space_cleared": (("cards", "cards"),),
    "scrapped": (("name", "card"), ("space", "position")),
    "accomplished": (("name", "card"), ("paid", "number"), ("points", "number")),
    "hall_loss": (("coins", "number"),),
    "hall_gift": (("coins", "number"),),
    "stolen": (("from", "position"), ("name", "card")),
    "drawn": (("name", "card"),),
    "laid": (("cards", "cards"),),
    "taken": (("cards", "cards"),),
    "flushed_hand": (("cards", "cards"),),
    "flushed_common": (("cards", "cards"),),
    "common_card": (("name", "card"),),
    "passed": (),
    "turn_end": (("coins", "number"), ("points", "number"), ("technology", "number"), ("hand", "number")),
    "end": (("turns", "number"), ("finished", "number")),
    "final": (("points", "number"), ("coins", "number"), ("rank", "number"), ("win_share", "share")),
}

PHASES = (
    "setup",
    "construction",
    "book_closing",
    "accomplishment",
    "exchange",
    "flush",
    "passing",
    "refill",
    "final",
)

TURN = counted(
    "turn", range(3, 3 + TURN_BINS * TURNS_PER_BIN, TURNS_PER_BIN)
)  # a seat's turns in fives, by their middle
TOTAL = counted("total", range(1, 11))
OWN = counted("own", range(1, 11))
BUILT = Axis("card", (*HOMES, *STORES, *INDUSTRY))

TALLIES = (
    Tally(
        "payout",
        "homes of one name at book-closing: seats that hold some, coins due, coins they got, constructions of that name",
        (
            Axis("home", HOMES),
            TOTAL,
            OWN,
            Axis("place", ("none", "first", "second")),
            Axis("holder", ("closer", "neighbour")),
            Axis("sum", ("seats", "due", "coins", "constructions")),
        ),
    ),
    Tally(
        "closing",
        "book-closings by the cards in the space: how many, coins to the closer and to others, constructions there",
        (
            Axis("type", PILES[:3]),
            counted("cards", range(1, 16)),
            Axis("sum", ("closings", "to the closer", "to others", "actions of the closer", "actions of others")),
        ),
    ),
    Tally(
        "income",
        "coins that came in, and what City Hall took",
        (
            TURN,
            Axis(
                "source",
                (
                    "homes",
                    "stores constructed",
                    "stores closed",
                    "Highways beside stores",
                    "Highways closed",
                    "City Hall",
                    "lost to City Hall",
                ),
            ),
        ),
    ),
    Tally(
        "outlay",
        "coins paid, and saved by technology",
        (
            TURN,
            Axis("outlay", ("construction", "public works", "saved on construction", "saved on public works")),
        ),
    ),
    Tally(
        "constructed",
        "constructions of a card, in one's own space or a neighbour's, by the number of cards at once",
        (BUILT, Axis("where", ("own space", "neighbour's space")), counted("at_once", range(1, 6))),
    ),
    Tally(
        "card_income",
        "cards of a name constructed, coins they earned their builders, and others: Highways, stores beside homes; less cost",
        (BUILT, Axis("sum", ("cards", "to the builder", "to others", "to the builder less cost"))),
    ),
    Tally(
        "store_opened",
        "stores constructed by the homes beside them: how many, coins due, coins earned",
        (Axis("store", STORES), counted("homes", range(16)), Axis("sum", ("constructions", "due", "coins"))),
    ),
    Tally(
        "suppressed",
        "incomes that a factory limited, and the coins lost",
        (Axis("income", ("homes", "stores constructed", "stores closed")), Axis("sum", ("incomes", "coins"))),
    ),
    Tally(
        "works",
        "public works accomplished, by a seat's turn and price paid",
        (Axis("work", WORKS), TURN, counted("price", range(21))),
    ),
    Tally("actions", "actions of a turn", (TURN, Axis("action", ACTIONS))),
    Tally("technology", "cards with technology acquired", (TURN, Axis("industry", INDUSTRY))),
    Tally("coins", "coins of a seat at the end of its turn", (TURN, counted("coins", range(61)))),
    Tally(
        "length",
        "games by the share of the turn limit they took, in percent",
        (counted("share", range(101)), Axis("end", ("unfinished", "finished"))),
    ),
    Tally("stolen", "cards taken by a Police Station, by type", (Axis("type", (*PILES, "none")),)),
    Tally("reshuffles", "reshuffles of a pile", (Axis("pile", PILES),)),
    held_tally(CARDS, "a card in hand at any time"),
)

SUM = "sum"
CLOSER, OTHERS = ("to the closer",), ("to others",)
# payout curves: name, what it is, by what, over what
CURVES = (
    (
        "payout",
        "coins a holder of {} cards gets at book-closing, by their total and his place",
        ("total", "place"),
        "coins",
        "seats",
    ),
    (
        "due",
        "coins the table gives a holder of {} cards, by their total and his place",
        ("total", "place"),
        "due",
        "seats",
    ),
    (
        "payout_own",
        "coins a holder of {} cards gets at book-closing, by his own and his place",
        ("own", "place"),
        "coins",
        "seats",
    ),
    (
        "payout_closer",
        "coins a holder of {} cards gets at book-closing, by their total and who closes",
        ("total", "holder"),
        "coins",
        "seats",
    ),
    (
        "payout_per_action",
        "coins a holder of {} cards gets for each action that put some there, by their total and his place",
        ("total", "place"),
        "coins",
        "constructions",
    ),
)
ECONOMY = (
    *(
        Measure(
            f"{name}_{home}",
            about.format(home.replace("_", " ")),
            "coins",
            "payout",
            by,
            ratio=(SUM, (above,), (below,)),
            where=(("home", (home,)),),
        )
        for name, about, by, above, below in CURVES
        for home in HOMES
    ),
    Measure(
        "payout_share",
        "of the coins that the table gives holders of homes, those they get",
        "share of coins",
        "payout",
        ("home",),
        ratio=(SUM, ("coins",), ("due",)),
    ),
    Measure(
        "closing_coins",
        "coins to the closer at a book-closing, by the cards in the space",
        "coins",
        "closing",
        ("cards", "type"),
        ratio=(SUM, CLOSER, ("closings",)),
    ),
    Measure(
        "closing_coins_others",
        "coins to the neighbours at a book-closing, by the cards in the space",
        "coins",
        "closing",
        ("cards", "type"),
        ratio=(SUM, OTHERS, ("closings",)),
    ),
    Measure(
        "closing_coins_per_action",
        "coins to the closer for each action he spent on the space, the closing itself included",
        "coins",
        "closing",
        ("cards", "type"),
        ratio=(SUM, CLOSER, ("closings", "actions of the closer")),
    ),
    Measure(
        "closings",
        "book-closings of a seat in a game, by type",
        "closings",
        "closing",
        ("type",),
        where=((SUM, ("closings",)),),
    ),
    Measure(
        "card_coins",
        "coins that a card of that name earns its builder in its life",
        "coins",
        "card_income",
        ("card",),
        ratio=(SUM, ("to the builder",), ("cards",)),
    ),
    Measure(
        "card_coins_net",
        "coins that a card of that name earns its builder in its life, less what was paid for it",
        "coins",
        "card_income",
        ("card",),
        ratio=(SUM, ("to the builder less cost",), ("cards",)),
    ),
    Measure(
        "card_coins_others",
        "coins that a card of that name brings others: Highways beside stores, stores beside homes",
        "coins",
        "card_income",
        ("card",),
        ratio=(SUM, ("to others",), ("cards",)),
    ),
    Measure(
        "cards_constructed", "cards of a seat in a game", "cards", "card_income", ("card",), where=((SUM, ("cards",)),)
    ),
    Measure(
        "next_door_share",
        "constructions in a neighbour's space",
        "share of constructions",
        "constructed",
        ("card",),
        share=("where", ("neighbour's space",)),
    ),
    Measure("cards_at_once", "cards put down in one construction", "cards", "constructed", ("card",), value="at_once"),
    Measure(
        "store_coins_by_homes",
        "coins a store earns when it is constructed, by the homes beside it",
        "coins",
        "store_opened",
        ("homes", "store"),
        ratio=(SUM, ("coins",), ("constructions",)),
    ),
    Measure("income_by_source", "coins that come in, of a seat in a game", "coins", "income", ("source",)),
    Measure(
        "income_by_turn",
        "coins that come in, of a seat in a game, by its turn and their source",
        "coins",
        "income",
        ("turn", "source"),
    ),
    Measure("outlay", "coins paid, and saved by technology, of a seat in a game", "coins", "outlay", ("outlay",)),
    Measure(
        "suppressed",
        "coins that factories keep from a seat in a game",
        "coins",
        "suppressed",
        ("income",),
        where=((SUM, ("coins",)),),
    ),
    Measure("coins_by_turn", "coins of a seat at the end of its turn", "coins", "coins", ("turn",), value="coins"),
    Measure("works", "public works of a seat in a game", "works", "works", ("work",)),
    Measure("work_price", "price paid for a public work", "coins", "works", ("work",), value="price"),
    Measure(
        "work_turn", "turn of a seat at which it accomplishes a public work", "turns", "works", ("work",), value="turn"
    ),
    Measure("actions", "actions of a seat in a game", "actions", "actions", ("action",)),
    Measure("acquired", "cards with technology that a seat acquires in a game", "cards", "technology", ("industry",)),
    Measure("stolen", "cards that Police Stations take, of a seat in a game", "cards", "stolen", ("type",)),
    Measure("reshuffles", "reshuffles of a pile, a seat and game", "reshuffles", "reshuffles", ("pile",)),
    Measure(
        "unfinished", "games that the turn limit ended", "share of games", "length", share=("end", ("unfinished",))
    ),
)

OUTCOMES = (
    "win",
    "rank",
    "score",
    "coins",
    "technology",
    "turns",
    "finished",
    *WORKS,
    *(f"after_{points}" for points in MILESTONES),
)


def check(rules: RuleSet, seats: int) -> None:
    """Refuse rules that cannot be played by this many seats."""
    copies = rules["copies"]
    if int(copies[:12].sum()) < seats * 3 + rules["common_size"]:
        raise AssayError("rule 'copies' leaves too few construction cards to deal")
    if int(copies[:4].sum()) == 0:
        raise AssayError("rule 'copies' leaves no Residential card: at least one name needs a copy")
    points = int((copies[12:] * rules["points"]).sum())
    if points < rules["win_points"]:
        raise AssayError(f"rule 'win_points' is {rules['win_points']} but all Public Works together score {points}")


def complete(rules: RuleSet, filled: np.ndarray) -> None:
    """Scale the reconstructed amounts, halves up; printed ones stay (ORC-25)."""
    for name, paid in (("first_amount", "first_paid"), ("second_amount", "second_paid")):
        scaled = (rules[name] * rules["payout_scale"] + 50) // 100
        is_printed = rules.book.rules[name].provenance == "printed"
        filled[paid][0] = np.where(is_printed, rules[name], scaled)


def alternative(rules: RuleSet, number: int) -> RuleSet:
    """The rules with the reconstructed amounts of each home scaled by 70 to 130 percent, each home by its own factor.

    Amounts still rise with the total, and the second holder's stay below the first's; printed ones stay (ORC-25).
    """
    chance = np.random.default_rng(number)
    factors = chance.uniform(0.7, 1.3, (2, len(HOMES), 1))
    drawn = rules
    most = np.full((len(HOMES), 10), rules.book.rules["first_amount"].high)
    for name, factor in zip(("first_amount", "second_amount"), factors, strict=True):
        is_printed = rules.book.rules[name].provenance == "printed"
        scaled = np.where(is_printed, rules[name], np.floor(rules[name] * factor + 0.5).astype(np.int32))
        later = np.where(is_printed, rules[name], most)  # no amount exceeds a printed one further on
        ceiling = np.minimum.accumulate(later[:, ::-1], axis=1)[:, ::-1]
        scaled = np.maximum.accumulate(np.minimum(scaled, ceiling), axis=1)
        drawn = drawn.replaced(name, scaled)
        most = scaled
    return drawn


GAME = Game(
    name="ore_city",
    title="Ore City",
    seats=(2, 3, 4, 5, 6),
    version=1,
    package=__name__,
    decisions=DECISIONS,
    outcome_columns=OUTCOMES,
    rounds=tuple(str(points) for points in MILESTONES),
    measures={"score": "points", "coins": "coins", "turns": "turns"},
    tallies=TALLIES,
    economy=ECONOMY,
    phases=PHASES,
    events=EVENTS,
    check=check,
    complete=complete,
    n_rounds=lambda rules: sum(points <= rules["win_points"] for points in MILESTONES),
    cards="card",
    uneven=("compensation=0",),
    redrawn=("payout_scale=125",),
    alternative=alternative,
    report_deals=15_000,
    forced={card: f"start_card[{{seat}}]={at + 1}" for at, card in enumerate(CARDS[:12])},
    barred={
        "constructing next door": "barred[{seat},next_door]=1",
        "constructing several cards at once": "barred[{seat},sets]=1",
        "exchanging": "barred[{seat},exchange]=1",
        "flushing": "barred[{seat},flush]=1",
        **{f"accomplishing {work}": f"barred[{{seat}},{work}]=1" for work in WORKS},
    },
    pace=Pace(
        when="when somebody first has {} points",
        step="the way to {} points",
        ending="the way to the end",
        axis="points of the best seat",
    ),
    extra_rule_fields=(("first_paid", "i4", (4, 10)), ("second_paid", "i4", (4, 10))),
)
