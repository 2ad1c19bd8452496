"""Ostia: the game's contract. The rules are in `engine.py`, the numbers in `components.toml`."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from simcore.errors import AssayError
from simcore.game import Axis, Decision, Game, Measure, Tally, counted, held_tally
from simcore.ostia.completions import MAX_COMPLETIONS, completions
from simcore.rules import RuleSet

RESOURCES = ("ivory", "wood", "wine", "olive_oil", "textiles", "grain")
PAIRS = tuple(combinations_with_replacement(RESOURCES, 2))
MAX_ROUNDS = 5
MAX_PRICE = 79
LEAST_PREMIUM = -20
MAX_MONEY = 299

DECISIONS = (
    Decision("keep", "which of the cards just dealt to keep", "an index into the options (resource, -1)"),
    Decision("discard", "which auction cards to discard unseen", "an index into the options (resource or -1 twice)"),
    Decision("offer", "which auction cards to offer", "an index into the options (resource, resource or -1)"),
    Decision("bid", "what to bid for the lot on the table", "0 to pass, or from the minimum up to what you can pay"),
    Decision("sell", "whose bid to accept", "an index into the options (seat, -1); your own seat keeps the lot"),
    Decision("assign", "what goes to Forum and Senate", "0; fill v.to_forum and v.to_senate, the rest is stored"),
    Decision(
        "store",
        "what to build and what to keep",
        "storehouses to build; fill v.kept with as many cards as there is room for",
    ),
    Decision("score", "which cards to score at the end", "0; fill v.kept"),
    Decision("resell", "how many empty storehouses to sell at the end", "their number"),
    Decision("choose_start", "who starts the next round", "an index into the options (seat, -1)"),
)

EVENTS = {
    "senate_card": (("card", "position"), ("slot", "slot"), ("values", "values")),
    "seat_ready": (("money", "number"), ("storehouses", "number")),
    "start_card": (("cards", "cards"),),
    "round_start": (("card", "position"), ("next", "position"), ("senate", "values"), ("senate_next", "values")),
    "dealt": (("cards", "cards"),),
    "reshuffle": (("cards", "cards"),),
    "kept": (("cards", "cards"),),
    "discarded": (("cards", "cards"),),
    "offered": (("cycle", "position"), ("cards", "cards"), ("minimum", "number")),
    "no_offer": (("cycle", "position"),),
    "bid": (("amount", "number"),),
    "mortgaged": (("storehouses", "number"), ("raised", "number")),
    "borrowed": (("loans", "number"), ("raised", "number")),
    "sold": (("buyer", "position"), ("price", "number"), ("to_bank", "number"), ("to_seller", "number")),
    "own_lot": (("price", "number"),),
    "forced": (("price", "number"), ("paid", "number"), ("waived", "number")),
    "talon": (("cards", "cards"),),
    "assigned": (("forum", "cards"), ("senate", "cards"), ("stored", "cards")),
    "overextended": (("resource", "resource"), ("forum", "number"), ("senate", "number")),
    "forum_price": (("resource", "resource"), ("cards", "number"), ("price", "number")),
    "forum_sale": (("resource", "resource"), ("cards", "number"), ("income", "number")),
    "donation": (("worth", "number"), ("points", "number")),
    "repaid": (("loans", "number"), ("paid", "number")),
    "interest": (("due", "number"), ("paid", "number"), ("waived", "number")),
    "built": (("storehouses", "number"), ("paid", "number")),
    "stored": (("kept", "cards"), ("spoiled", "cards")),
    "standing": (
        ("money", "number"),
        ("points", "number"),
        ("storehouses", "number"),
        ("loans", "number"),
        ("cards", "number"),
    ),
    "start_chosen": (("start", "position"),),
    "scored": (("kept", "cards"), ("dropped", "cards"), ("points", "number")),
    "resold": (("storehouses", "number"), ("raised", "number")),
    "money_award": (("money", "number"), ("points", "number")),
    "final": (
        ("points", "number"),
        ("money", "number"),
        ("storehouses", "number"),
        ("loans", "number"),
        ("cards", "number"),
        ("tie_worth", "number"),
        ("rank", "number"),
        ("win_share", "share"),
    ),
}

PHASES = ("setup", "harbor", "office", "forum", "senate", "storehouses", "final")

ROUND = counted("round", range(1, MAX_ROUNDS + 1))
CYCLE = counted("cycle", (1, 2))
SALE = Axis("sale", ("best bid", "lower bid", "own lot", "forced"))
PRICE = counted("price", range(MAX_PRICE + 1))
PREMIUM = counted("premium", range(LEAST_PREMIUM, 40))
WORTH = counted("worth", range(11))
LOT = Axis("lot", (*("+".join(pair) for pair in PAIRS), *RESOURCES))

TALLIES = (
    Tally("price_by_lot", "price paid for a lot, by its cards", (LOT, SALE, PRICE)),
    Tally(
        "price_by_seller",
        "price paid for a lot, by auction cycle and the seller's place in turn order",
        (ROUND, CYCLE, counted("turn", range(1, 6)), SALE, PRICE),
    ),
    Tally(
        "premium_by_worth",
        "price over the lot's minimum, by the lot's worth to the active Senate card",
        (ROUND, WORTH, SALE, PREMIUM),
    ),
    Tally(
        "bids",
        "answers of those asked to bid; capped: all a bidder can raise",
        (ROUND, Axis("bid", ("cannot pay the minimum", "pass", "bid", "capped bid"))),
    ),
    Tally("bidders", "bids made for a lot", (ROUND, counted("bidders", range(5)))),
    Tally(
        "forum",
        "cards of one resource on sale at the Forum, those from the talon among them",
        (ROUND, counted("cards", range(21))),
    ),
    Tally("forum_price", "price of one card sold at the Forum", (ROUND, counted("price", range(101)))),
    Tally(
        "forum_revenue",
        "what all seats together took for one resource, by its cards on sale",
        (counted("cards", range(21)), counted("revenue", range(200))),
    ),
    Tally("money", "money of a seat after the round", (ROUND, counted("money", range(MAX_MONEY + 1)))),
    Tally("storehouses", "storehouses of a seat after the round", (ROUND, counted("storehouses", range(9)))),
    Tally("loans", "loans of a seat after the round", (ROUND, counted("loans", range(9)))),
    Tally(
        "donation",
        "worth of a donation, by points won",
        (ROUND, counted("worth", range(61)), counted("points", range(21))),
    ),
    Tally(
        "overextended",
        "resources taken from a seat that used too many",
        (ROUND, counted("resources", range(7))),
    ),
    Tally(
        "points_by_source",
        "points of a seat at the end, by where they come from",
        (
            Axis("source", ("senate", "variety", "money")),
            Axis("seats", ("others", "winners")),
            counted("points", range(31)),
        ),
    ),
    Tally(
        "cash_flow",
        "sum of money that all seats took in or paid out",
        (
            ROUND,
            Axis(
                "flow",
                (
                    "lots sold",
                    "lots bought from others",
                    "own lots",
                    "forced lots",
                    "forum",
                    "storehouses built",
                    "loans taken",
                    "loans repaid",
                    "interest",
                    "storehouses mortgaged",
                    "waived",
                ),
            ),
        ),
    ),
    Tally("reshuffles", "reshuffles of the deck in a game", (counted("reshuffles", range(21)),)),
    held_tally(RESOURCES, "a resource from an auction at any time"),
)

SOLD = ("best bid", "lower bid")
ECONOMY = (
    Measure("price", "price paid for a lot", "denarii", "price_by_lot", value="price"),
    Measure("price_by_round", "price paid for a lot", "denarii", "price_by_seller", ("round",), value="price"),
    Measure(
        "price_by_sale", "price paid for a lot, by how it went", "denarii", "price_by_lot", ("sale",), value="price"
    ),
    Measure("price_by_lot", "price paid for a lot, by its cards", "denarii", "price_by_lot", ("lot",), value="price"),
    Measure(
        "price_by_seller",
        "price paid for a lot, by auction cycle and the seller's place in turn order",
        "denarii",
        "price_by_seller",
        ("cycle", "turn"),
        value="price",
    ),
    Measure(
        "premium_by_round", "price over the lot's minimum", "denarii", "premium_by_worth", ("round",), value="premium"
    ),
    Measure(
        "premium_by_worth",
        "price over the lot's minimum, by its worth to the active Senate card",
        "denarii",
        "premium_by_worth",
        ("worth",),
        value="premium",
    ),
    Measure(
        "premium_by_round_and_worth",
        "price over the lot's minimum, by round and worth to the active Senate card",
        "denarii",
        "premium_by_worth",
        ("round", "worth"),
        value="premium",
    ),
    Measure(
        "forced_share",
        "lots the seller had to buy because nobody bid",
        "share of lots",
        "premium_by_worth",
        ("round",),
        share=("sale", ("forced",)),
    ),
    Measure(
        "own_lot_share",
        "lots the seller kept over the highest bid",
        "share of lots",
        "premium_by_worth",
        ("round",),
        share=("sale", ("own lot",)),
    ),
    Measure(
        "lower_bid_share",
        "sales to others that did not go to the highest bid",
        "share of sales",
        "premium_by_worth",
        ("round",),
        share=("sale", ("lower bid",)),
        where=(("sale", SOLD),),
    ),
    Measure(
        "forced_share_by_worth",
        "lots the seller had to buy, by round and worth to the active Senate card",
        "share of lots",
        "premium_by_worth",
        ("round", "worth"),
        share=("sale", ("forced",)),
    ),
    Measure(
        "own_lot_share_by_worth",
        "lots the seller kept over the highest bid, by round and worth to the active Senate card",
        "share of lots",
        "premium_by_worth",
        ("round", "worth"),
        share=("sale", ("own lot",)),
    ),
    Measure(
        "capped_bid_share",
        "bids of all that the bidder can raise",
        "share of bids",
        "bids",
        ("round",),
        share=("bid", ("capped bid",)),
        where=(("bid", ("bid", "capped bid")),),
    ),
    Measure(
        "cannot_bid_share",
        "seats asked to bid that cannot raise the minimum",
        "share of seats asked",
        "bids",
        ("round",),
        share=("bid", ("cannot pay the minimum",)),
    ),
    Measure("bidders", "bids made for a lot", "bids", "bidders", ("round",), value="bidders"),
    Measure(
        "forum_price_by_round", "price of a card sold at the Forum", "denarii", "forum_price", ("round",), value="price"
    ),
    Measure(
        "forum_revenue_by_cards",
        "what the seats together took for one resource, by its cards on sale (talon included)",
        "denarii",
        "forum_revenue",
        ("cards",),
        value="revenue",
    ),
    Measure("money_by_round", "money of a seat after the round", "denarii", "money", ("round",), value="money"),
    Measure(
        "storehouses_by_round",
        "storehouses of a seat after the round",
        "storehouses",
        "storehouses",
        ("round",),
        value="storehouses",
    ),
    Measure("loans_by_round", "loans of a seat after the round", "loans", "loans", ("round",), value="loans"),
    Measure(
        "debt_share",
        "seats in debt after the round",
        "share of seats",
        "loans",
        ("round",),
        share=("loans", tuple(range(1, 9))),
    ),
    Measure(
        "points_by_source", "points of a seat at the end", "points", "points_by_source", ("source",), value="points"
    ),
    Measure(
        "points_by_source_and_rank",
        "points of a seat at the end, for winners and others",
        "points",
        "points_by_source",
        ("source", "seats"),
        value="points",
    ),
    Measure(
        "donation_by_points", "worth of a donation, by points won", "worth", "donation", ("points",), value="worth"
    ),
    Measure(
        "cash_flow", "money of a seat in a game, by round and where it goes", "denarii", "cash_flow", ("round", "flow")
    ),
    Measure(
        "overextended_share",
        "seats punished for using too many resources",
        "share of seats",
        "overextended",
        ("round",),
        share=("resources", tuple(range(1, 7))),
    ),
    Measure("reshuffles", "reshuffles of the deck in a game", "reshuffles", "reshuffles", value="reshuffles"),
)

OUTCOMES = (
    "win",
    "rank",
    "score",
    "money",
    "senate_points",
    "variety_points",
    "money_points",
    "storehouses",
    "loans",
    "cards",
    *(f"after_{number}" for number in range(1, MAX_ROUNDS + 1)),
)


def check(rules: RuleSet, seats: int) -> None:
    """Refuse rules that cannot be played by this many seats."""
    copies = rules["copies"] * (np.arange(6) > 0 if rules["first_game"] else 1)
    if int(copies.sum()) == 0:
        raise AssayError("rule 'copies' leaves no card in the deck: at least one resource needs a copy")
    if rules["auction_cards"] > rules["deal_cards"]:
        raise AssayError(
            f"rule 'auction_cards' is {rules['auction_cards']} but only {rules['deal_cards']} cards are dealt (deal_cards)"
        )
    if int(rules["start_storehouses"][:seats].max()) > rules["max_storehouses"]:
        raise AssayError("rule 'start_storehouses' exceeds max_storehouses")
    shipped = rules.book.rules["senate_cards"].default
    if rules["redraw_senate"] and not np.array_equal(rules["senate_cards"], shipped):
        raise AssayError(
            "rule 'redraw_senate' redraws the shipped Senate cards: it cannot go with senate_cards of your own"
        )


def complete(rules: RuleSet, filled: np.ndarray) -> None:
    """Lay out the possible Senate decks when they are to be redrawn."""
    if rules["redraw_senate"]:
        decks = _all_decks()
        filled["n_completions"] = len(decks)
        filled["completions"][0, : len(decks)] = decks


@lru_cache(maxsize=1)
def _all_decks() -> np.ndarray:
    """Every deck that agrees with the known Senate cards."""
    rule = GAME.rules.rules["senate_cards"]
    return completions(rule.default, rule.provenance)


def alternative(rules: RuleSet, number: int) -> RuleSet:
    """The rules with another possible completion of the Senate cards."""
    decks = _all_decks()
    order = np.random.default_rng(0).permutation(len(decks))
    return rules.replaced("senate_cards", decks[order[number % len(decks)]].astype(np.int32))


GAME = Game(
    name="ostia",
    title="Ostia: The Harbor of Rome",
    seats=(3, 4, 5),
    version=1,
    package=__name__,
    decisions=DECISIONS,
    outcome_columns=OUTCOMES,
    rounds=tuple(str(number) for number in range(1, MAX_ROUNDS + 1)),
    measures={"score": "points", "money": "denarii"},
    tallies=TALLIES,
    economy=ECONOMY,
    phases=PHASES,
    events=EVENTS,
    check=check,
    complete=complete,
    n_rounds=lambda rules: int(rules["rounds"]),
    cards="resource",
    redrawn=("redraw_senate=1",),
    alternative=alternative,
    forced={resource: f"start_card[{{seat}}]={at + 1}" for at, resource in enumerate(RESOURCES)},
    barred={
        "bidding": "barred[{seat},bid]=1",
        "bidding above the minimum": "barred[{seat},overbid]=1",
        "keeping its own lots": "barred[{seat},own_lot]=1",
        "selling at the Forum": "barred[{seat},forum]=1",
        "giving to the Senate": "barred[{seat},senate]=1",
        "knowing the next Senate card": "barred[{seat},next_senate]=1",
    },
    extra_rule_fields=(("n_completions", "i4"), ("completions", "i1", (MAX_COMPLETIONS, 6, 6))),
)
