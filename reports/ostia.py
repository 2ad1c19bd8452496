"""Ostia's economy in the words of its players: what a report asks, shows and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import SEEN_AT_LEAST, Question, Verdict, caption, sure
from reports.economy import measure_table
from reports.figures import Key, Panel, Picture
from reports.tables import View, ends, estimates, one
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DENARII = "denarii"
WORTH_SEEN = 0.01  # of a round's lots; worths that are rarer are not drawn
FLOWS_IN = ("forum", "lots sold", "loans taken", "storehouses mortgaged")
FLOWS_OUT = ("lots bought from others", "own lots", "forced lots", "storehouses built", "loans repaid", "interest")
ORDER = {1: "first", 2: "second"}
FLOW_SEEN = 0.5  # denarii a seat and round; smaller flows are in the table only
SOURCES = {"senate": "the Senate", "variety": "variety of goods", "money": "most money"}


def verdicts(view: View) -> list[Verdict]:
    """The findings on money and points in short."""
    price = one(view.economy("price"))
    text = f"A lot costs {form.estimate(price, DENARII)}. {_forced_sentence(view)}"
    meaning = _premium_sentence(view)
    word = say.firm_word(view.firmness(["price", "forced_share", "premium_by_worth"]), view.reconstructed)
    points_word = say.firm_word(view.firmness(["points_by_source_and_rank"]), view.reconstructed)
    return [
        Verdict(text, meaning, word, "lots-senate"),
        Verdict(_source_sentence(view), _source_totals(view), points_word, "points-source"),
    ]


def questions(view: View) -> list[Question]:
    """The economy, from the Harbor to the final scoring."""
    made = (_lots, _rounds, _senate, _buyers, _forum, _money, _flows, _points)
    return [question(view) for question in made]


def seat_rule(rules: RuleSet) -> str:
    """The rule that gives a seat its money at the start."""
    return "advanced_start_money" if rules["advanced_price"] else "start_money"


# --- auctions ----------------------------------------------------------------------------------------------


def _lots(view: View) -> Question:
    rows = view.economy("price_by_lot").sort_values("estimate", ascending=False, kind="stable")
    dear, cheap = ends(rows)
    sales = {row.sale: row for row in view.economy("price_by_sale").itertuples()}
    price = one(view.economy("price"))
    answer = [
        f"A lot costs {form.estimate(price, DENARII)} on average: most for {form.words(dear.lot)}, {form.estimate(dear, DENARII)}, "
        f"least for {form.words(cheap.lot)}, {form.estimate(cheap, DENARII)}."
    ]
    if "best bid" in sales and "forced" in sales:
        answer.append(
            f"Sold to the best bid, a lot brings {form.estimate(sales['best bid'], DENARII)}; "
            f"a seller whom nobody bids pays {form.estimate(sales['forced'], DENARII)}, {_forced_words(view.survey.rules)}."
        )
    least = {row.lot: _least_bid(view.survey.rules, row.lot) for row in rows.itertuples()}
    quantiles = view.rows("quantiles", figure="price_by_lot")
    lots = list(rows["lot"])
    margin = draw.name_margin([form.words(lot) for lot in lots])
    panel = Panel(
        "Price paid, by the cards of the lot",
        lambda axes: draw.plot_lots(rows, axes[0], quantiles=quantiles, least=least, unit=DENARII),
        214 + margin,
        62 + 14.5 * len(lots),
        (margin, 14, 36, 26),
    )
    about = (
        "Mean price of each lot, dearest first, with the middle 80 % of its prices and its least bid; "
        f"lots that the seller had to buy are included, at {_forced_words(view.survey.rules)}."
    )
    return Question(
        "lots-price",
        "What does a lot cost?",
        tuple(answer),
        Picture("price-by-lot", caption(view, about), f"{about} {' '.join(answer)}", (panel,), 1),
        (
            estimates(
                _at_all_sizes(view, "price"),
                "economy",
                "Mean price of a lot in denarii, by number of players.",
                down={"players": "players"},
                unit=DENARII,
                across="table",
                head=str,
            ),
            measure_table(view, "price_by_sale", "Price of a lot in denarii, by how it was sold.", is_long=False),
            measure_table(view, "price_by_lot", "Price of a lot in denarii, by its cards."),
        ),
        sure(view, ["price", "price_by_lot", "price_by_sale"], rows, "lots"),
        ("economy", "quantiles", "redrawn"),
        ("price", "price_by_lot", "price_by_sale"),
    )


def _at_all_sizes(view: View, figure: str) -> pd.DataFrame:
    rows = view.rows("economy", figure=figure)
    return rows[rows["table"].isin([view.base, view.mixed])]


def _forced_words(rules: RuleSet) -> str:
    """What a lot that nobody bids on costs its seller."""
    percent = 100 if rules["advanced_price"] else rules["forced_percent"]
    named = {50: "half the least bid", 100: "the least bid"}
    return named.get(percent, f"{percent}{form.NBSP}% of the least bid")


def _least_bid(rules: RuleSet, lot: str) -> int:
    """The least bid for a lot: the minimum prices of its cards."""
    labels = rules.book.labels["resource"]
    return sum(int(rules["minimum_price"][labels.index(card)]) for card in lot.split("+"))


def _rounds(view: View) -> Question:
    rows = view.economy("price_by_round")
    sellers = view.economy("price_by_seller")
    cycles = {cycle: sellers[sellers["cycle"] == cycle] for cycle in sorted(sellers["cycle"].unique())}
    answer = [f"The mean price {say.trend(_all(rows), DENARII, _in_round)}."]
    for cycle, some in cycles.items():
        answer.append(
            f"In the {ORDER[cycle]} auction cycle it {say.trend(_all(some), DENARII, lambda row: f'for seller {row.turn}')}."
        )
    named = sellers.assign(cycle=[f"cycle {cycle}" for cycle in sellers["cycle"]])
    panels = (
        Panel(
            "By round",
            lambda axes: draw.plot_by(
                _both(view, "price_by_round"), axes[0], x="round", unit=DENARII, by="table", ylabel=DENARII
            ),
            310,
            200,
            (46, 74, 36, 26),
        ),
        Panel(
            "By cycle and the seller's turn",
            lambda axes: draw.plot_by(
                named, axes[0], x="turn", unit=DENARII, by="cycle", label="seller's turn in the cycle"
            ),
            310,
            200,
            (44, 60, 36, 26),
        ),
    )
    about = "Mean price of a lot with its interval, by round and by the seller's turn in the first and second auction cycle."
    return Question(
        "lots-rounds",
        "Do prices move over the game, and does it matter who sells first?",
        tuple(answer),
        Picture("price-by-round", caption(view, about), f"{about} {' '.join(answer)}", panels, 2),
        (
            measure_table(view, "price_by_round", "Mean price of a lot in denarii, by round.", is_long=False),
            measure_table(
                view, "price_by_seller", "Mean price of a lot in denarii, by auction cycle and the seller's turn."
            ),
        ),
        sure(view, ["price_by_round", "price_by_seller"], rows, "lots"),
        ("economy",),
        ("price_by_round", "price_by_seller"),
    )


def _all(rows: pd.DataFrame) -> list[Any]:
    return list(rows.itertuples())


def _in_round(row: Any) -> str:
    return f"in round {row.round}"


def _both(view: View, figure: str) -> pd.DataFrame:
    """Rows of the first strategy's table, then of the mixed field."""
    rows = view.rows("economy", figure=figure, players=view.main)
    return rows[rows["table"].isin([view.base, view.mixed])]


def _seen_worths(rows: pd.DataFrame) -> pd.DataFrame:
    """Worths that are not too rare to show."""
    return rows[rows["n"] >= max(SEEN_AT_LEAST, WORTH_SEEN * rows["n"].sum())]


def _premium_sentence(view: View) -> str:
    rows = _seen_worths(view.economy("premium_by_worth"))
    low, high = ends(rows)
    slope = (high.estimate - low.estimate) / max(high.worth - low.worth, 1)
    return (
        f"A lot worth {low.worth} to the Senate goes for {_over(low)}, one worth {high.worth} for {_over(high)}: "
        f"about {form.fixed(slope, 1)} denarii for each point of worth."
    )


def _over(row: Any) -> str:
    """A price against the least bid: `2.1 denarii (2.0 to 2.2) over the least bid`."""
    if row.estimate >= 0:
        return f"{form.estimate(row, DENARII)} over the least bid"
    digits = form.decimals(form.half_width(row, DENARII))
    span = f"{form.fixed(-row.high, digits)} to {form.fixed(-row.low, digits)}"
    return f"{form.fixed(-row.estimate, digits)} denarii ({span}) under the least bid"


def _senate(view: View) -> Question:
    rows = view.economy("premium_by_round_and_worth")
    rounds = sorted(rows["round"].unique())
    seen = {r: _seen_worths(rows[rows["round"] == r]) for r in rounds}
    edges = [edge for some in seen.values() for edge in (*some["low"], *some["high"])]
    shares = {name: view.economy(f"{name}_share_by_worth") for name in ("forced", "own_lot")}
    top_share = 100 * max(
        float(some[(some["round"] == r) & some["worth"].isin(seen[r]["worth"])]["high"].max())
        for some in shares.values()
        for r in rounds
    )

    def panel(r: int) -> Panel:
        def paint(axes: Sequence[Any]) -> None:
            draw.plot_premium(seen[r], axes[0], unit=DENARII)
            axes[0].set_ylim(min(0, min(edges)) - 1, max(edges) + 1)
            lots = [
                (name, some[(some["round"] == r) & some["worth"].isin(seen[r]["worth"])], colour)
                for (name, some), colour in zip(shares.items(), (draw.SECOND, draw.SEATS[2]), strict=True)
            ]
            draw.plot_lot_shares(lots, axes[1])
            axes[1].set_ylim(0, max(1.08 * top_share, 1))
            axes[1].set_xlim(-0.6, 10.6)
            axes[1].set_xticks(range(0, 11, 2))
            axes[1].set_xlabel("worth to the active Senate card")
            axes[0].set_ylabel("denarii over least bid")
            axes[1].set_ylabel("share of lots")

        return Panel(f"Round {r}", paint, 270, 270, (48, 10, 36, 26), (1.5, 1))

    answer = [_premium_sentence(view), _worth_sentence(view, shares["forced"], seen)]
    about = "Above: price over the lot's least bid by its worth to the active Senate card, a panel each round, lots nobody bid on included. Below: the share of lots that the seller had to buy, and that the seller kept."
    return Question(
        "lots-senate",
        "Do bidders pay for the Senate?",
        tuple(answer),
        Picture(
            "price-by-senate-worth",
            caption(view, about),
            f"{about} {' '.join(answer)}",
            tuple(panel(r) for r in rounds),
            3,
            (
                Key("price over the least bid", draw.ACCENT),
                Key("seller had to buy", draw.SECOND),
                Key("seller kept the lot", draw.SEATS[2], "s", is_open=True),
            ),
        ),
        (
            measure_table(
                view,
                "premium_by_worth",
                "Price over the least bid in denarii, by worth to the active Senate card.",
                is_long=False,
            ),
            estimates(
                rows,
                "economy",
                "Price over the least bid in denarii, by worth and round.",
                down={"worth": "worth"},
                unit=DENARII,
                across="round",
                head=lambda r: f"round {r}",
                is_long=True,
            ),
            estimates(
                shares["forced"],
                "economy",
                "Share of lots that the seller had to buy, by worth and round.",
                down={"worth": "worth"},
                unit="share",
                across="round",
                head=lambda r: f"round {r}",
                is_long=True,
            ),
            estimates(
                shares["own_lot"],
                "economy",
                "Share of lots that the seller kept, by worth and round.",
                down={"worth": "worth"},
                unit="share",
                across="round",
                head=lambda r: f"round {r}",
                is_long=True,
            ),
        ),
        sure(view, ["premium_by_worth", "premium_by_round_and_worth"], rows, "lots"),
        ("economy", "redrawn"),
        (
            "premium_by_worth",
            "premium_by_round_and_worth",
            "premium_by_round",
            "forced_share_by_worth",
            "own_lot_share_by_worth",
        ),
    )


def _worth_sentence(view: View, forced: pd.DataFrame, seen: dict[int, pd.DataFrame]) -> str:
    """What the last round's least and most wanted lots risk."""
    r = max(seen)
    some = forced[(forced["round"] == r) & forced["worth"].isin(seen[r]["worth"])]
    low, high = ends(some)
    return (
        f"In round {r} the seller has to buy {form.estimate(low, 'share')} of lots worth {low.worth}, "
        f"and {form.estimate(high, 'share')} of those worth {high.worth}."
    )


def _forced_sentence(view: View) -> str:
    rows = _all(view.economy("forced_share"))
    return f"The share of lots that nobody bids on, so that the seller has to buy them, {say.trend(rows, 'share', _in_round)}."


def _buyers(view: View) -> Question:
    shown = {
        "forced_share": "Seller has to buy",
        "own_lot_share": "Seller keeps it",
        "lower_bid_share": "Sold, not to the highest bid",
        "capped_bid_share": "Bids of all one can raise",
        "cannot_bid_share": "Cannot raise the least bid",
    }
    words = {
        "own_lot_share": ("A seller {} keeps the lot over the highest bid", "of lots"),
        "lower_bid_share": ("A seller {} takes less than the highest bid", "of sales to others"),
        "capped_bid_share": ("A bid is {} all that the bidder can raise", "of bids"),
    }
    answer = [_forced_sentence(view)]
    for figure, (start, of) in words.items():
        peak = max(view.economy(figure).itertuples(), key=lambda row: row.estimate)
        if peak.estimate == 0:
            answer.append(f"{start.format('never')}.")
        else:
            answer.append(f"{start.format('most often')} in round {peak.round}: {form.estimate(peak, 'share')} {of}.")
    panels = tuple(
        Panel(title, _share_by_round(view, figure, view.unit(figure)), 270, 190, (46, 14, 36, 26))
        for figure, title in shown.items()
    )
    key = (
        Key(view.base, draw.ACCENT),
        *((Key("mixed field", draw.SECOND, "s", is_open=True),) if view.has_mixed else ()),
    )
    about = "Share by round of lots that the seller has to buy or keeps, of sales that passed over the highest bid, of bids capped by what the bidder can raise, and of seats that cannot raise the least bid."
    return Question(
        "lots-buyers",
        "Who ends up with the lots, and does money limit the bids?",
        tuple(answer),
        Picture("who-buys", caption(view, about), f"{about} {' '.join(answer)}", panels, 3, key),
        tuple(measure_table(view, figure, is_long=at > 0) for at, figure in enumerate((*shown, "bidders"))),
        sure(view, list(shown), view.economy("forced_share"), "lots"),
        ("economy",),
        (*shown, "bidders"),
    )


def _share_by_round(view: View, figure: str, ylabel: str) -> Any:
    rows = _both(view, figure)

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_by(
            rows, axes[0], x="round", unit="share", by="table", is_from_zero=True, is_labelled=False, ylabel=ylabel
        )

    return paint


# --- Forum, money, points ----------------------------------------------------------------------------------


def _forum(view: View) -> Question:
    rows = view.economy("forum_revenue_by_cards")
    common = max(rows.itertuples(), key=lambda row: row.n)
    seen = rows[rows["n"] >= max(SEEN_AT_LEAST, 0.001 * rows["n"].sum())]
    best = max(seen.itertuples(), key=lambda row: row.estimate)
    prices = [int(price) for price in view.survey.rules["forum_price"]]
    totals = [(n + 1) * price for n, price in enumerate(prices)]
    answer = [
        f"The table pays most for a resource, {max(totals)} denarii, when {form.count(totals.index(max(totals)) + 1, 'card')} of it are on sale; "
        f"the seats together took most, {form.estimate(best, DENARII)}, with {best.cards}.",
        f"Most often there {'is' if common.cards == 1 else 'are'} {form.count(int(common.cards), 'card')}: in {form.fixed(100 * common.n / rows['n'].sum(), 0)}{form.NBSP}% of sales.",
    ]
    quantiles = view.rows("quantiles", figure="forum_revenue_by_cards")

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_forum(seen, axes[0], quantiles=quantiles, prices=prices, unit=DENARII)
        axes[0].set_xlabel("")
        draw.plot_counts(
            rows[rows["cards"] <= max(seen["cards"])],
            axes[1],
            x="cards",
            label="cards of the resource on sale, talon included",
        )
        axes[1].set_ylabel("of sales")

    panel = Panel("What one resource brings at the Forum", paint, 340, 270, (48, 12, 36, 26), (2.2, 1))
    key = (
        Key("taken by the seats", draw.ACCENT),
        Key("price in the table times cards", draw.SECOND, "s", is_open=True),
    )
    about = "Above: what all seats together take for one resource by the number of its cards on sale (blue, with the middle 80 % of sales), and what the table pays for that many (orange); cards from the talon lower the price and bring nobody money. Below: how often each number occurs."
    return Question(
        "forum-revenue",
        "What does the Forum pay?",
        tuple(answer),
        Picture("forum-revenue", caption(view, about), f"{about} {' '.join(answer)}", (panel,), 1, key),
        (
            measure_table(
                view, "forum_price_by_round", "Price of a card sold at the Forum in denarii, by round.", is_long=False
            ),
            measure_table(
                view,
                "forum_revenue_by_cards",
                "What the seats together took for one resource in denarii, by its cards on sale.",
            ),
        ),
        sure(view, ["forum_revenue_by_cards", "forum_price_by_round"], seen, "sales"),
        ("economy", "quantiles"),
        ("forum_revenue_by_cards", "forum_price_by_round"),
    )


def _money(view: View) -> Question:
    money, debt = view.economy("money_by_round"), view.economy("debt_share")
    stores = view.economy("storehouses_by_round")
    start, end = ends(stores)
    peak = max(debt.itertuples(), key=lambda row: row.estimate)
    answer = [
        f"The mean money of a seat {say.trend(_all(money), DENARII, lambda row: f'after round {row.round}')}.",
        f"Its storehouses: {form.estimate(start, '')} after round 1, {form.estimate(end, '')} after round {end.round}.",
        f"Debt is at its worst after round {peak.round}: {form.estimate(peak, 'share')} of seats owe a loan.",
    ]
    quantiles = view.rows("quantiles", figure="money_by_round")
    counts = view.rows("counts", figure="storehouses_by_round")
    panels = (
        Panel(
            "Money after the round, denarii",
            lambda axes: draw.plot_bands(quantiles, axes[0], x="round", unit=DENARII, mean=money),
            290,
            220,
            (40, 50, 36, 26),
        ),
        Panel(
            "Storehouses after the round",
            lambda axes: draw.plot_stock(counts, axes[0], x="round", of="storehouses"),
            270,
            220,
            (48, 12, 36, 26),
        ),
        Panel(
            "Seats in debt after the round",
            _share_by_round(view, "debt_share", "share of seats"),
            270,
            220,
            (46, 14, 36, 26),
        ),
    )
    key = (
        Key(view.base, draw.ACCENT),
        *((Key("mixed field (debt only)", draw.SECOND, "s", is_open=True),) if view.has_mixed else ()),
    )
    about = "Money: the middle 80 % and the middle half of seats, median and mean. Storehouses: share of seats by their number. Debt: share of seats that owe a loan."
    return Question(
        "money-rounds",
        "Is money tight?",
        tuple(answer),
        Picture("money", caption(view, about), f"{about} {' '.join(answer)}", panels, 3, key),
        (
            measure_table(view, "money_by_round", "Money of a seat in denarii, after each round.", is_long=False),
            measure_table(view, "storehouses_by_round", "Storehouses of a seat, after each round."),
            measure_table(view, "debt_share", "Share of seats in debt, after each round."),
            measure_table(view, "loans_by_round", "Loans of a seat, after each round."),
        ),
        sure(view, ["money_by_round", "storehouses_by_round", "debt_share"], money, "seats"),
        ("economy", "quantiles", "counts"),
        ("money_by_round", "storehouses_by_round", "debt_share", "loans_by_round"),
    )


def _flows(view: View) -> Question:
    rows = view.economy("cash_flow")
    totals = rows.groupby("flow")["estimate"].sum()
    parts = []
    for verb, flows in (("takes in", FLOWS_IN), ("pays", FLOWS_OUT)):
        found = sorted(((float(totals.get(flow, 0)), flow) for flow in flows), reverse=True)[:3]
        told = [f"{form.fixed(amount, 0)} ({flow})" for amount, flow in found if amount >= 1]
        parts.append(f"{verb} about {form.listed(told)} denarii")
    answer = f"Over a game a seat {' and '.join(parts)}."
    panels = tuple(
        Panel(title, _flow_panel(rows, flows), 320, 210, (44, 122, 36, 26))
        for title, flows in (("Money in", FLOWS_IN), ("Money out", FLOWS_OUT))
    )
    about = f"Denarii a seat takes in and pays out in each round, with intervals; flows of less than {FLOW_SEEN:g} denarii a round are in the table only."
    return Question(
        "money-flows",
        "Where does money come from, and where does it go?",
        (answer,),
        Picture("cash-flow", caption(view, about), f"{about} {answer}", panels, 2),
        (
            estimates(
                rows,
                "economy",
                "Denarii a seat takes in or pays out, by round.",
                down={"flow": "flow"},
                unit=DENARII,
                across="round",
                head=lambda r: f"round {r}",
                is_long=True,
            ),
        ),
        sure(view, ["cash_flow"], rows, "seats"),
        ("economy",),
        ("cash_flow",),
    )


def _flow_panel(rows: pd.DataFrame, flows: Sequence[str]) -> Any:
    seen = [flow for flow in flows if rows[rows["flow"] == flow]["estimate"].max() >= FLOW_SEEN]
    some = rows[rows["flow"].isin(seen)]
    top = rows[rows["flow"].isin((*FLOWS_IN, *FLOWS_OUT))]["high"].max()

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_by(
            some,
            axes[0],
            x="round",
            unit=DENARII,
            by="flow",
            names=seen,
            is_from_zero=True,
            top=1.06 * top,
            ylabel=f"{DENARII} a seat",
        )

    return paint


def _source_rows(view: View) -> dict[tuple[str, str], Any]:
    return {(row.source, row.seats): row for row in view.economy("points_by_source_and_rank").itertuples()}


def _source_sentence(view: View) -> str:
    """Which source tells winners from others."""
    found = _source_rows(view)
    leads = {source: found[source, "winners"].estimate - found[source, "others"].estimate for source, _ in found}
    most = max(leads, key=lambda source: leads[source])
    won, lost = found[most, "winners"], found[most, "others"]
    return (
        f"What sets winners apart most is {SOURCES.get(most, most)}: {form.estimate(won, 'points')} for winners, "
        f"{form.estimate(lost, 'points')} for the others."
    )


def _source_totals(view: View) -> str:
    rows = list(view.economy("points_by_source").itertuples())
    told = [f"{form.value(row, 'points')} from {SOURCES.get(row.source, row.source)}" for row in rows]
    return f"A seat makes {form.listed(told)}."


def _points(view: View) -> Question:
    rows = view.economy("points_by_source_and_rank")
    answer = (_source_sentence(view), _source_totals(view))
    named = rows.assign(
        source=[form.capital(SOURCES.get(source, source)).removeprefix("The ") for source in rows["source"]]
    )
    margin = draw.name_margin(list(named["source"]))
    panel = Panel(
        "Points by source, winners and others",
        lambda axes: draw.plot_dumbbells(
            named, axes[0], name="source", by="seats", pair=("others", "winners"), unit="points"
        ),
        236 + margin,
        150,
        (margin, 14, 36, 26),
    )
    about = "Mean points from each source at the end, of winners (filled) and others (open), with intervals too short to see where a dot hides them."
    return Question(
        "points-source",
        "Where do points come from?",
        answer,
        Picture("points", caption(view, about), f"{about} {' '.join(answer)}", (panel,), 1),
        (
            estimates(
                rows,
                "economy",
                "Points by source, of winners and others.",
                down={"source": "source"},
                unit="points",
                across="seats",
            ),
            measure_table(view, "points_by_source", "Points by source, of all seats."),
            measure_table(view, "donation_by_points", "Worth of a donation, by the points it won."),
        ),
        sure(view, ["points_by_source", "points_by_source_and_rank"], rows, "seats"),
        ("economy", "redrawn"),
        ("points_by_source", "points_by_source_and_rank", "donation_by_points"),
    )
