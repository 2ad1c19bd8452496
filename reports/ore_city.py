"""Ore City's economy in the words of its players: what a report asks, shows and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import SEEN_AT_LEAST, Question, Verdict, caption, sure
from reports.economy import measure_table
from reports.figures import Key, Panel, Picture
from reports.tables import View, estimates, one
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

COINS = "coins"
HOMES = ("single_house", "apartment_house", "condominium", "park")
PAYOUTS = tuple(f"payout_{home}" for home in HOMES)
CURVES = tuple(
    f"{kind}_{home}" for kind in ("due", "payout_own", "payout_closer", "payout_per_action") for home in HOMES
)
SOURCES = ("homes", "stores constructed", "stores closed", "Highways beside stores")
MOST_CARDS = 15
TURNS_SEEN = 0.02  # of all income, or of the turns seen most; later turns are not drawn


def verdicts(view: View) -> list[Verdict]:
    """The findings on coins and works in short."""
    word = say.firm_word(view.firmness(["income_by_source", "card_coins"]), view.reconstructed)
    works_word = say.firm_word(view.firmness(["works", "work_turn"]), view.reconstructed)
    return [
        Verdict(_source_sentence(view), _card_sentence(view), word, "income-source"),
        Verdict(_length_sentence(view), _works_sentence(view), works_word, "works"),
    ]


def questions(view: View) -> list[Question]:
    """The economy, from the payout tables to the public works."""
    return [question(view) for question in (_payouts, _closings, _cards, _income, _industry, _works, _pace)]


def seat_rule(rules: RuleSet) -> str:
    """The rule that gives a seat its coins at the start."""
    return "start_coins"


def _rows_of(view: View, figure: str, **labels: Any) -> pd.DataFrame:
    """Rows that were seen often enough to be drawn."""
    rows = view.economy(figure, **labels)
    return rows[rows["n"] >= SEEN_AT_LEAST]


def _both(view: View, *figures: str) -> pd.DataFrame:
    """Rows of several figures together, told apart by `figure`."""
    import pandas as pd

    return pd.concat([_rows_of(view, figure) for figure in figures])


# --- homes -------------------------------------------------------------------------------------------------


def _payouts(view: View) -> Question:
    share = {row.home: row for row in view.economy("payout_share").itertuples()}
    least = min(share.values(), key=lambda row: row.estimate)
    answer = (
        "The first holder is paid by the table for all cards of the name in the space, the second less; drawn is what "
        "they got in play, after factories.",
        _per_action_sentence(view),
        f"Of what the tables give, holders get {form.estimate(one(view.economy('payout_share', home='single_house')), 'share')} "
        f"for single houses; least for {form.words(least.home)} cards, {form.estimate(least, 'share')}.",
        _reconstructed_sentence(view),
    )
    panels = tuple(
        Panel(
            f"{form.capital(form.words(home))}, coins",
            _payout_panel(view, f"payout_{home}"),
            300,
            190,
            (40, 66, 36, 26),
        )
        for home in HOMES
    )
    about = "Mean coins of a holder of homes at book-closing, by the cards of that name in the space and his place."
    return Question(
        "payout-curves",
        "What does a set of homes pay?",
        tuple(text for text in answer if text),
        Picture("payouts", caption(view, about), f"{about} {answer[2]}", panels, 2),
        tuple(measure_table(view, figure) for figure in (*PAYOUTS, *CURVES, "payout_share")),
        sure(view, [*PAYOUTS, "payout_share"], view.economy(PAYOUTS[0]), "holders"),
        ("economy", "redrawn"),
        (*PAYOUTS, *CURVES, "payout_share"),
    )


def _per_action_sentence(view: View) -> str:
    """At how many cards the first holder of each home gets most for each construction."""
    told = []
    for home in HOMES:
        rows = [row for row in _rows_of(view, f"payout_per_action_{home}").itertuples() if row.place == "first"]
        if rows:
            best = max(rows, key=lambda row: row.estimate)
            told.append(f"{form.words(home)} at {best.total} ({form.value(best, COINS)})")
    return f"Most coins for each construction go to the first holder of {form.listed(told)}." if told else ""


def _reconstructed_sentence(view: View) -> str:
    """How many cells of the payout tables are printed."""
    rules = [view.game.rules.rules[name] for name in ("first_amount", "second_amount")]
    n_printed = sum(int((rule.provenance == "printed").sum()) for rule in rules)
    return f"Only {form.count(n_printed, 'amount')} of these tables are printed; the others are reconstructed."


def _payout_panel(view: View, figure: str) -> Any:
    rows = _rows_of(view, figure)
    paid = rows[rows["place"] != "none"]

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_by(paid, axes[0], x="total", unit=COINS, by="place", is_from_zero=True, label="cards of that name")

    return paint


def _closings(view: View) -> Question:
    homes = view.economy("closing_coins", type="residential")
    seen = homes[homes["n"] >= SEEN_AT_LEAST]
    per_action = _rows_of(view, "closing_coins_per_action", type="residential")
    best = max(per_action.itertuples(), key=lambda row: row.estimate)
    usual = max(seen.itertuples(), key=lambda row: row.n)
    others = one(view.economy("closing_coins_others", type="residential", cards=usual.cards))
    answer = (
        f"Homes are closed most often at {form.count(int(usual.cards), 'card')}: the closer gets "
        f"{form.estimate(usual, COINS)}, the neighbours {form.estimate(others, COINS)}.",
        f"Per action of his own, the closing counted, {_homes(best.cards)} pay best: {form.estimate(best, COINS)}.",
    )
    both = _both(view, "closing_coins", "closing_coins_others")
    both = both[both["type"] == "residential"].assign(
        who=lambda rows: ["closer" if f == "closing_coins" else "neighbours" for f in rows["figure"]]
    )
    panels = (
        Panel(
            "Coins at a closing of homes",
            lambda axes: draw.plot_by(
                both, axes[0], x="cards", unit=COINS, by="who", is_from_zero=True, label="homes in the space"
            ),
            310,
            210,
            (40, 78, 36, 26),
        ),
        Panel(
            "Coins of the closer for each of his actions",
            lambda axes: draw.plot_by(
                per_action, axes[0], x="cards", unit=COINS, is_from_zero=True, label="homes in the space"
            ),
            310,
            210,
            (40, 14, 36, 26),
        ),
    )
    about = "What a book-closing of homes brings, by the cards in the space, at once and per action spent there."
    figures = ("closing_coins", "closing_coins_others", "closing_coins_per_action", "closings")
    return Question(
        "when-to-close",
        "When does it pay to close the books?",
        answer,
        Picture("closings", caption(view, about), f"{about} {' '.join(answer)}", panels, 2),
        tuple(measure_table(view, figure) for figure in figures),
        sure(view, list(figures), seen, "closings"),
        ("economy", "redrawn"),
        figures,
    )


def _homes(n: int) -> str:
    """The last number of the tally also holds what lies beyond it."""
    return f"{n} or more cards" if n == MOST_CARDS else form.count(int(n), "card")


# --- cards -------------------------------------------------------------------------------------------------


def _card_sentence(view: View) -> str:
    rows = list(_rows_of(view, "card_coins").itertuples())
    if not rows:
        return ""
    best = max(rows, key=lambda row: row.estimate)
    return f"The card that earns its builder most is the {form.words(best.card)}: {form.estimate(best, COINS)} in its life."


def _net_sentence(view: View) -> str:
    """What is left when the cost is taken off."""
    rows = list(_rows_of(view, "card_coins_net").itertuples())
    if not rows:
        return ""
    best, worst = (choose(rows, key=lambda row: row.estimate) for choose in (max, min))
    return (
        f"Less what was paid for it (a set of several cards costs once), the {form.words(best.card)} leaves its builder most, "
        f"{form.estimate(best, COINS)}, and the {form.words(worst.card)} least, {form.estimate(worst, COINS)}."
    )


def _cards(view: View) -> Question:
    mine, theirs = _rows_of(view, "card_coins"), _rows_of(view, "card_coins_others")
    feeding = max(theirs.itertuples(), key=lambda row: row.estimate)
    answer = (
        _card_sentence(view),
        f"The {form.words(feeding.card)} brings others most: {form.estimate(feeding, COINS)}, to stores and Highways beside it.",
        _net_sentence(view),
    )
    both = _both(view, "card_coins", "card_coins_others").assign(
        who=lambda rows: ["builder" if f == "card_coins" else "others" for f in rows["figure"]],
    )
    named = both.assign(name=[form.capital(form.words(card)) for card in both["card"]])
    margin = draw.name_margin(list(named["name"]))
    panel = Panel(
        "Coins that a card brings in its life",
        lambda axes: draw.plot_dumbbells(named, axes[0], name="name", by="who", pair=("others", "builder"), unit=COINS),
        260 + margin,
        300,
        (margin, 14, 36, 26),
    )
    stores = _rows_of(view, "store_coins_by_homes")
    shops = Panel(
        "Coins of a store when constructed",
        lambda axes: draw.plot_by(
            stores, axes[0], x="homes", unit=COINS, by="store", is_from_zero=True, label="homes in adjacent spaces"
        ),
        320,
        300,
        (40, 130, 36, 26),
    )
    about = "What a card earns its builder (filled) and brings others (open); and what stores earn by the homes beside them."
    figures = (
        "card_coins",
        "card_coins_net",
        "card_coins_others",
        "cards_constructed",
        "next_door_share",
        "cards_at_once",
        "store_coins_by_homes",
    )
    return Question(
        "cards-earn",
        "What does each card earn, and for whom?",
        answer,
        Picture("cards", caption(view, about), f"{about} {' '.join(answer)}", (panel, shops), 2),
        tuple(measure_table(view, figure) for figure in figures),
        sure(view, ["card_coins", "card_coins_others"], mine, "cards"),
        ("economy", "redrawn"),
        figures,
    )


# --- coins -------------------------------------------------------------------------------------------------


def _source_sentence(view: View) -> str:
    rows = [row for row in view.economy("income_by_source").itertuples() if row.source in SOURCES]
    best = max(rows, key=lambda row: row.estimate)
    total = sum(row.estimate for row in rows)
    share = form.fixed(100 * best.estimate / total, 0) if total else "0"
    return f"A seat earns {form.estimate(best, COINS)} a game from {best.source}, {share}{form.NBSP}% of what its cards bring."


def _income(view: View) -> Question:
    turns, stock = view.economy("income_by_turn"), _rows_of(view, "coins_by_turn")
    stock = stock[stock["n"] >= TURNS_SEEN * stock["n"].max()]
    drawn = turns[turns["source"].isin(SOURCES)]
    by_turn = drawn.groupby("turn")["estimate"].sum()
    kept = by_turn[by_turn >= TURNS_SEEN * by_turn.sum()].index
    drawn = drawn[drawn["turn"].isin(kept)]
    answer = (
        _source_sentence(view),
        f"What a seat holds at the end of its turn {say.trend(list(stock.itertuples()), COINS, lambda row: f'about turn {row.turn}')}.",
    )
    panels = (
        Panel(
            "Coins a seat takes in, by its turn",
            lambda axes: draw.plot_by(
                drawn,
                axes[0],
                x="turn",
                unit=COINS,
                by="source",
                names=SOURCES,
                is_from_zero=True,
                ylabel="coins in five turns",
            ),
            320,
            220,
            (44, 138, 36, 26),
        ),
        Panel(
            "Coins a seat holds",
            lambda axes: draw.plot_by(stock, axes[0], x="turn", unit=COINS, is_from_zero=True),
            280,
            220,
            (40, 14, 36, 26),
        ),
    )
    about = "Income by source over the turns of a seat, games that have ended counted as nothing; and coins in hand of those who still play."
    figures = ("income_by_source", "income_by_turn", "coins_by_turn", "outlay")
    return Question(
        "income-source",
        "Where do coins come from?",
        answer,
        Picture("income", caption(view, about), f"{about} {' '.join(answer)}", panels, 2),
        (
            measure_table(view, "income_by_source"),
            estimates(
                turns,
                "economy",
                "Coins a seat takes in, by turn.",
                down={"source": "source"},
                unit=COINS,
                across="turn",
                head=lambda turn: f"turn {turn}",
                is_long=True,
            ),
            measure_table(view, "coins_by_turn"),
            measure_table(view, "outlay"),
        ),
        sure(view, ["income_by_source", "coins_by_turn"], view.economy("income_by_source"), "seats"),
        ("economy", "redrawn"),
        figures,
    )


def _amount(view: View, figure: str, **labels: Any) -> str:
    rows = view.economy(figure, **labels)
    return form.estimate(one(rows), COINS) if len(rows) else "no coins"


def _industry(view: View) -> Question:
    lost = view.economy("suppressed")
    answer = (
        f"Highways skim {_amount(view, 'income_by_source', source='Highways beside stores')} a seat and game from stores beside them.",
        f"Factories keep {_amount(view, 'suppressed', income='homes')} from a seat's homes and "
        f"{_amount(view, 'suppressed', income='stores constructed')} from its stores.",
        f"Technology saves {_amount(view, 'outlay', outlay='saved on construction')} on construction and "
        f"{_amount(view, 'outlay', outlay='saved on public works')} on public works.",
    )
    figures = ("suppressed", "acquired")
    return Question(
        "industry",
        "What do Industrial cards do?",
        answer,
        None,
        tuple(measure_table(view, figure) for figure in figures),
        sure(view, list(figures), lost if len(lost) else view.economy("outlay"), "seats"),
        ("economy", "redrawn"),
        figures,
    )


# --- public works ------------------------------------------------------------------------------------------


def _works_sentence(view: View) -> str:
    rows = {row.work: row for row in view.economy("works").itertuples()}
    told = [f"{form.value(row, 'works')} {form.words(work)}" for work, row in rows.items()]
    return f"A seat accomplishes {form.listed(told)} cards a game."


def _works(view: View) -> Question:
    counts, turns = view.economy("works"), view.economy("work_turn")
    prices = {row.work: row for row in view.economy("work_price").itertuples()}
    dear = max(prices.values(), key=lambda row: row.estimate)
    answer = (_works_sentence(view), f"The dearest is the {form.words(dear.work)}, at {form.estimate(dear, COINS)}.")
    named = [rows.assign(name=[form.capital(form.words(work)) for work in rows["work"]]) for rows in (counts, turns)]
    margin = draw.name_margin(list(named[0]["name"]))
    panels = tuple(
        Panel(title, _named_panel(rows, unit), 220 + margin, 150, (margin, 14, 36, 26))
        for rows, title, unit in zip(
            named, ("Works of a seat in a game", "Turn at which it is accomplished"), ("works", "turns"), strict=True
        )
    )
    about = "How many public works of each kind a seat accomplishes, and when."
    figures = ("works", "work_price", "work_turn", "stolen")
    return Question(
        "works",
        "Which public works are accomplished, when and at what price?",
        answer,
        Picture("works", caption(view, about), f"{about} {' '.join(answer)}", panels, 2),
        tuple(measure_table(view, figure) for figure in figures if len(view.economy(figure))),
        sure(view, ["works", "work_price", "work_turn"], counts, "seats"),
        ("economy", "redrawn"),
        figures,
    )


def _named_panel(rows: pd.DataFrame, unit: str) -> Any:
    def paint(axes: Sequence[Any]) -> None:
        draw.plot_names(rows, axes[0], name="name", unit=unit)
        axes[0].set_xlim(left=0)

    return paint


# --- pace --------------------------------------------------------------------------------------------------


def _length_sentence(view: View) -> str:
    seats = view.rows("seats", measure="turns", table=view.base, players=view.main)
    turns = form.estimate(one(seats), "turns") if len(seats) else ""
    stalled = one(view.economy("unfinished"))
    return f"A game takes {turns} of all players together; {form.estimate(stalled, 'share')} never end before the turn limit."


def _pace(view: View) -> Question:
    rows = view.economy("actions")
    named = rows.assign(name=[form.capital(form.words(action)) for action in rows["action"]])
    most = max(rows.itertuples(), key=lambda row: row.estimate)
    unfinished = view.rows("economy", figure="unfinished", players=view.main)
    worst = max(unfinished.itertuples(), key=lambda row: row.estimate)
    answer = (
        _length_sentence(view),
        f"A seat's commonest action is to {form.words(most.action)}: {form.estimate(most, 'turns')} a game.",
        f"Games stall most at the table of {worst.table}: {form.estimate(worst, 'share')} of them."
        if worst.estimate > 0
        else "No table stalls.",
    )
    margin = draw.name_margin(list(named["name"]))
    panel = Panel(
        "Actions of a seat in a game", _named_panel(named, "actions"), 240 + margin, 160, (margin, 14, 36, 26)
    )
    about = "What a seat does with its turns."
    figures = ("actions", "unfinished", "reshuffles")
    return Question(
        "pace",
        "How long is a game, and does it stall?",
        answer,
        Picture(
            "pace", caption(view, about), f"{about} {' '.join(answer)}", (panel,), 1, (Key(view.base, draw.ACCENT),)
        ),
        tuple(measure_table(view, figure) for figure in figures),
        sure(view, ["actions", "unfinished"], rows, "seats"),
        ("economy",),
        figures,
    )
