"""Ore: The Mining Game's economy in the words of its players: what a report asks, shows and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.content import SEEN_AT_LEAST, Question, Verdict, caption, effective, methods, sure
from reports.economy import measure_table
from reports.figures import Panel, Picture
from reports.tables import View, one
from simcore.ore_mining import PLACES
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DOLLARS = "dollars"
CARDS = ("mines", "contracts", "buildings")  # the components of which every card is reconstructed
WORTH = ("dollars", "ore", "points")
CAGES = {"none": "no Mine Cage", "II": "Mine Cage II", "III": "Mine Cage III"}
FATES = ("completed", "lost", "open")
SPACES = {  # as a sentence has them
    "mine_cage": "Mine Cage",
    "drill_bit": "Drill Bit",
    "contract_deck": "the contract deck",
    "commodity_market": "the Commodity Market",
    "permit_office": "the Permit Office",
    "recruit": "Recruit",
    "advanced_orders": "Advanced Orders",
    "overtime": "Overtime",
    "private_mine": "a private mine",
    "contract": "a face-up contract",
}


def verdicts(view: View) -> list[Verdict]:
    """The findings on workers and points in short."""
    worth = say.firm_word(view.firmness([f"placement_{name}" for name in WORTH]), CARDS)
    points = say.firm_word(view.firmness(["points_by_source"]), CARDS)
    return [
        Verdict(_worth_sentence(view), _blocked_sentence(view), worth, "placement-worth"),
        Verdict(_points_sentence(view), _fates_sentence(view), points, "points-source"),
    ]


def questions(view: View) -> list[Question]:
    """The economy, from the spaces to the final scoring."""
    made = (_worth, _use, _stays, _contracts, _buildings, _recruits, _overtime, _market, _money, _points)
    return [question(view) for question in made]


def seat_rule(rules: RuleSet) -> str:
    """The rule that gives a seat its money at the start."""
    return "seat_money"


# --- what questions share ----------------------------------------------------------------------------------


def _seen(view: View, figure: str, **labels: Any) -> pd.DataFrame:
    """Rows that were seen often enough to be drawn and told."""
    rows = view.economy(figure, **labels)
    return rows[rows["n"] >= SEEN_AT_LEAST]


def _sure(view: View, figures: Sequence[str], of: str, table: str) -> tuple[str, ...]:
    """How sure an answer is; its components by kind, for there are too many tables of them to list."""
    rows = view.economy(figures[0], table=table)
    if table == view.base:
        told = [*sure(view, (), rows, of), say.firmness(view.firmness(figures), CARDS)]
    else:  # which is not played again with other cards
        told = [f"From the games of the {table}; intervals of 95 %: {methods(rows)}.", effective(rows, of)]
    return tuple(text for text in told if text)


def _asked(
    view: View,
    name: str,
    title: str,
    answer: Sequence[str],
    figures: Sequence[str],
    of: str,
    about: str = "",
    panels: tuple[Panel, ...] = (),
    table: str = "",
) -> Question:
    """A question with its answer, a picture if there are panels, and a table for every figure, from games of `table`."""
    table = table or view.base
    told = tuple(text for text in answer if text) or ("Too seldom seen to tell.",)
    shown = tuple(figure for figure in figures if len(view.economy(figure)))
    seen = about if table == view.mixed else caption(view, about)
    picture = Picture(name, seen, f"{about} {' '.join(told)}", panels, 2) if panels else None
    return Question(
        name,
        title,
        told,
        picture,
        tuple(measure_table(view, figure) for figure in shown),
        _sure(view, shown or figures, of, table),
        ("economy", "redrawn"),
        tuple(figures),
    )


def _space(name: str) -> str:
    """A space as a sentence has it: `the Permit Office`, `the Gold Mine`."""
    return SPACES.get(name) or f"the {' '.join(word.capitalize() for word in name.split('_'))}"


def _most(rows: pd.DataFrame) -> Any:
    return max(rows.itertuples(), key=lambda row: row.estimate)


def _least(rows: pd.DataFrame) -> Any:
    return min(rows.itertuples(), key=lambda row: row.estimate)


def _dollars(amount: float, digits: int = 1) -> str:
    """A sum of several figures, which has no interval of its own."""
    return f"about {form.fixed(amount, digits)} dollars"


def _heat(rows: pd.DataFrame, unit: str) -> Callable[[Sequence[Any]], None]:
    """A map of spaces down and rounds across: blue above nothing, orange below, stronger the farther off."""
    by = form.scale(unit)
    names = [place for place in PLACES if place in set(rows["space"])]
    rounds = sorted(set(rows["round"]))
    most = max(float(rows["estimate"].abs().max()), 1e-9)

    def paint(axes: Sequence[Any]) -> None:
        ax = axes[0]
        for row in rows.itertuples():
            x, y = rounds.index(row.round), names.index(row.space)
            strength = abs(float(row.estimate)) / most
            colour = draw.ACCENT if row.estimate >= 0 else draw.SECOND
            ax.barh([y], [1], left=x - 0.5, height=1, color=colour, alpha=0.05 + 0.8 * strength, linewidth=0)
            ink = "white" if strength > 0.6 else draw.INK
            ax.text(x, y, form.fixed(by * row.estimate, 0), ha="center", va="center", fontsize=7.5, color=ink)
        ax.set_yticks(range(len(names)), [form.capital(form.words(name)) for name in names])
        ax.set_xticks(range(len(rounds)), [str(label) for label in rounds])
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xlim(-0.5, len(rounds) - 0.5)
        ax.set_xlabel("round")
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)

    return paint


def _map_panel(title: str, rows: pd.DataFrame, unit: str) -> Panel:
    margin = draw.name_margin([form.words(name) for name in PLACES])
    return Panel(title, _heat(rows, unit), 230 + margin, 62 + 16 * rows["space"].nunique(), (margin, 14, 36, 26))


def _names_panel(title: str, rows: pd.DataFrame, name: str, unit: str, label: str = "") -> Panel:
    named = rows.assign(name=[form.capital(form.words(value)) for value in rows[name]])
    margin = draw.name_margin(list(named["name"]))

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_names(named, axes[0], name="name", unit=unit, label=label)
        axes[0].set_xlim(left=min(0, axes[0].get_xlim()[0]))

    return Panel(title, paint, 220 + margin, 62 + 14.5 * len(named), (margin, 14, 36, 26))


def _lines_panel(title: str, rows: pd.DataFrame, unit: str, x: str, by: str | None, label: str = "") -> Panel:
    right = 14 + (5.4 * max(len(form.words(name)) for name in rows[by]) if by else 0)

    def paint(axes: Sequence[Any]) -> None:
        draw.plot_by(rows, axes[0], x=x, unit=unit, by=by, is_from_zero=True, label=label or form.words(x))

    return Panel(title, paint, 280 + right, 210, (44, right, 36, 26))


# --- spaces ------------------------------------------------------------------------------------------------


def _worths(view: View, suffix: str = "", labels: Sequence[str] = ("space",)) -> pd.DataFrame:
    """Dollars, ore and points that a worker brings, as one sum in dollars; only where it was seen often enough."""
    rate = int(view.survey.rules["dollars_per_point"])
    parts = [_seen(view, f"placement_{name}{suffix}").set_index(list(labels)) for name in WORTH]
    total = parts[0]["estimate"] + parts[1]["estimate"] + rate * parts[2]["estimate"]
    return parts[0].assign(estimate=total).reset_index()


def _worth_sentence(view: View) -> str:
    rows = _worths(view)
    if not len(rows):
        return ""
    rate = int(view.survey.rules["dollars_per_point"])
    best = _most(rows)
    points = one(view.economy("placement_points", space=best.space))
    return (
        f"The worker that brings most stands on {_space(best.space)}: {_dollars(best.estimate)} of money, ore and points, "
        f"a point at {rate} dollars; {form.estimate(points, 'points')} are part of it."
    )


def _worth(view: View) -> Question:
    rows, by_round = _worths(view), _worths(view, "_by_round", ("round", "space"))
    answer = [_worth_sentence(view)]
    mines = rows[rows["space"].str.endswith("_mine") & (rows["space"] != "private_mine")]
    if len(mines):
        best, worst = _most(mines), _least(mines)
        ore = [one(view.economy("placement_ore", space=row.space)) for row in (best, worst)]
        answer.append(
            f"Of the mines, {_space(best.space)} gives most ore, {form.estimate(ore[0], DOLLARS)} at market value, "
            f"{_space(worst.space)} least, {form.estimate(ore[1], DOLLARS)}: mine cards decide that, and they are reconstructed."
        )
    answer.append(
        "Counted is what comes of the placement itself, later too: ore that a contract takes counts against it. What a "
        "building scores, a drill bit reaches or a recruit does counts for no space."
    )
    panels = (_map_panel("Worth of a worker in dollars", by_round, DOLLARS),) if len(by_round) else ()
    about = (
        "What a worker brings in the end by space and round placed: dollars, ore at market value and points together."
    )
    figures = tuple(f"placement_{name}{suffix}" for suffix in ("", "_by_round") for name in WORTH)
    return _asked(view, "placement-worth", "What is a placement worth?", answer, figures, "placements", about, panels)


def _blocked_sentence(view: View) -> str:
    rows = _seen(view, "space_blocked")
    if not len(rows):
        return ""
    most = _most(rows)
    return f"Taken most often when somebody wants to place is {_space(most.space)}: {form.estimate(most, 'share')} of turns."


def _use(view: View) -> Question:
    used = _seen(view, "space_used")
    stuck = view.economy("stuck")
    idle = _least(used)
    answer = (
        _blocked_sentence(view),
        f"{form.capital(_space(idle.space))} is used least, in {form.estimate(idle, 'share')} of rounds.",
        f"A seat that still has workers finds no space for them most often in round {_most(stuck).round}: "
        f"{form.estimate(_most(stuck), 'turns')} a game."
        if len(stuck) and _most(stuck).estimate > 0
        else "No seat is left with a worker and no space for it.",
    )
    panels = (
        _map_panel("Turns on which a space is taken, %", _seen(view, "space_blocked_by_round"), "share of turns"),
        _names_panel("Rounds in which it is used", used, "space", "share of rounds", "share of rounds"),
    )
    about = "How often a space is taken when somebody has a worker to place, by round, and how often anybody uses it."
    figures = (
        "space_used",
        "space_blocked",
        "space_blocked_by_round",
        "placements",
        "placements_by_round",
        "stuck",
    )
    return _asked(
        view,
        "space-use",
        "Which spaces are fought for, and which stand empty?",
        answer,
        figures,
        "turns",
        about,
        panels,
    )


# --- mines -------------------------------------------------------------------------------------------------


def _stays(view: View) -> Question:
    values, rounds = _seen(view, "stay_value", mine="board"), view.economy("stay_rounds", mine="board")
    told = []
    for row in values.itertuples():
        stay = one(rounds[rounds["cage"] == row.cage])
        told.append(
            f"with {CAGES[row.cage]} {form.estimate(stay, 'rounds')} for {form.estimate(row, DOLLARS)} of ore, "
            f"{_dollars(row.estimate / stay.estimate)} a round"
        )
    stopped = view.economy("exhausted_by_cage", mine="board")
    cages = _seen(view, "cages_by_round")
    answer = (
        f"A worker stays in a mine of the board {'; '.join(told)}." if told else "",
        f"Of the board's mines, {form.estimate(one(stopped), 'share')} are exhausted by a worker whose cage goes no "
        "deeper, not at the bottom."
        if len(stopped)
        else "",
        f"The share of seats with a Mine Cage {say.trend(list(cages.itertuples()), 'share', lambda row: f'after round {row.round}')}."
        if len(cages)
        else "",
        "Seats with a cage are other seats in later rounds, so the difference is not the cage's work alone; and levels "
        "and cubes of every mine are reconstructed.",
    )
    by_rounds = _seen(view, "stay_value_by_rounds")
    panels = (
        *((_lines_panel("Ore brought home, dollars", by_rounds, DOLLARS, "rounds", "cage", "rounds in the mine"),) if len(by_rounds) else ()),
        *((_lines_panel("Seats with a Mine Cage", cages, "share of seats", "round", None, "after round"),) if len(cages) else ()),
    )  # fmt: skip
    about = "Market value of what a worker brings home, by the rounds it was down and its player's cage; and who has a cage when."
    figures = (
        "stay_value",
        "stay_rounds",
        "stay_value_by_rounds",
        "stays",
        "exhausted_by_cage",
        "entered_box",
        "cages_by_round",
        "dug",
        "dug_by_round",
    )
    return _asked(
        view,
        "mine-stays",
        "How long do workers stay down, and what is it worth?",
        answer,
        figures,
        "workers",
        about,
        panels,
    )


# --- contracts and buildings -------------------------------------------------------------------------------


def _fates_sentence(view: View) -> str:
    rows = _seen(view, "contracts_completed")
    if not len(rows):
        return ""
    told = [
        f"{form.estimate(row, 'share')} of those with {form.count(int(row.rows), 'row')}" for row in rows.itertuples()
    ]
    return f"Completed are {form.listed(told)}."


def _contracts(view: View) -> Question:
    import pandas as pd

    taken, lost = view.economy("contracts_taken"), _seen(view, "contracts_lost")
    later = _seen(view, "contracts_completed_by_round")
    answer = (
        f"A seat takes {form.fixed(taken['estimate'].sum(), 1)} contracts a game, most of them with "
        f"{form.count(int(_most(taken).rows), 'row')}: {form.estimate(_most(taken), 'contracts')}."
        if len(taken)
        else "",
        _fates_sentence(view),
        f"Lost most often are those with {form.count(int(_most(lost).rows), 'row')}, {form.estimate(_most(lost), 'share')}."
        if len(lost) and _most(lost).estimate > 0
        else "",
        f"The share completed {say.trend(list(later.itertuples()), 'share', lambda row: f'of those taken in round {row.round}')}."
        if len(later)
        else "",
    )
    fates = pd.concat([_seen(view, f"contracts_{fate}").assign(fate=fate) for fate in FATES])
    panels = (
        *((_lines_panel("What becomes of contracts", fates, "share of contracts", "rows", "fate", "rows of the contract"),) if len(fates) else ()),
        *((_lines_panel("Completed, by round taken", later, "share of contracts", "round", None, "round taken"),) if len(later) else ()),
    )  # fmt: skip
    about = (
        "Of the contracts taken, how many are completed, lost, or still open at the end, by length and by round taken."
    )
    figures = (
        "contracts_taken",
        "contracts_completed",
        "contracts_lost",
        "contracts_open",
        "rows_filled",
        "contracts_completed_by_round",
    )
    return _asked(view, "contracts", "Which contracts get completed?", answer, figures, "contracts", about, panels)


def _buildings(view: View) -> Question:
    import pandas as pd

    back = _seen(view, "built_payback").sort_values("estimate", ascending=False, kind="stable")
    figures = ("built_payback", "built_price", "built_gain", "built")
    title = "Which buildings pay?"
    if not len(back):
        return _asked(view, "buildings", title, (), figures, "buildings")
    rate = int(view.survey.rules["dollars_per_point"])
    kept = f"{1 / rate:.2g} points for each dollar"
    best, worst = _most(back), _least(back)
    gains = _seen(view, "built_gain")
    giver = _most(gains)
    beats = sum(row.low > 1 / rate for row in back.itertuples())
    sure_ones = "all" if beats == len(back) else f"{beats} of {len(back)}"
    answer = (
        f"Money kept to the end gives {kept}; {sure_ones} of the buildings seen often enough are sure to give more.",
        f"{best.building} gives most, {form.estimate(best, 'points')} for each dollar of cash or ore paid; {worst.building} least, "
        f"{form.estimate(worst, 'points')}.",
        f"{giver.building} gives most back at once: {form.estimate(giver, DOLLARS)} in money and ore."
        if giver.estimate > 0
        else "",
        "All building cards are reconstructed: this ranks these cards, not those of the printed game.",
    )
    order = list(back["building"])
    both = pd.concat([gains.assign(what="given at once"), _seen(view, "built_price").assign(what="paid")])
    both = both[both["building"].isin(order)]
    both = both.assign(place=[order.index(name) for name in both["building"]]).sort_values("place", kind="stable")
    pair = Panel(
        "Dollars paid, and given at once (open)",
        lambda axes: draw.plot_dumbbells(both, axes[0], name="building", by="what", pair=("given at once", "paid"), unit=DOLLARS),
        290,
        62 + 14.5 * len(back),
        (44, 20, 36, 26),
    )  # fmt: skip
    panels = (_names_panel("Points for each dollar paid", back, "building", "points"), pair)
    about = "Points that a building scores for each dollar paid, in cash or in ore at market value, and what it gives at once."
    return _asked(view, "buildings", title, answer, figures, "buildings", about, panels)


# --- workers -----------------------------------------------------------------------------------------------


def _recruiting_table(view: View) -> str:
    """The table at which most recruits were seen: the first strategy's own, or the mixed field."""
    tables = [view.base, *([view.mixed] if view.has_mixed else [])]
    return max(tables, key=lambda table: int(view.economy("recruit_placements", table=table)["n"].sum()))


def _recruits(view: View) -> Question:
    import pandas as pd

    figures = ("recruits", "recruit_price", "recruit_placements")
    title = "Is a recruit worth its price?"
    table = _recruiting_table(view)
    bought = view.economy("recruits", table=table)
    prices, after = (_seen(view, figure, table=table) for figure in ("recruit_price", "recruit_placements"))
    where = f"at the table of {table}"
    answer = [f"A seat {where} recruits {form.fixed(bought['estimate'].sum(), 2)} workers a game."]
    if not len(after):
        answer.append("That is too seldom to say what a recruit brings.")
        return _asked(view, "recruits", title, answer, figures, "seats", table=table)
    placed = view.economy("placements_by_round", table=table)
    usual = {number: placed[placed["round"] > number]["estimate"].sum() for number in after["round"]}
    early, late = one(after), one(after.iloc[[-1]])
    for row in (early, late) if early.round != late.round else (early,):
        price = one(prices[prices["round"] == row.round])
        answer.append(
            f"Bought in round {row.round} it costs {form.estimate(price, DOLLARS)}; its seat then places "
            f"{form.estimate(row, 'workers')}, where any seat there places {form.fixed(usual[row.round], 1)} in the rounds after."
        )
    answer.append(
        "Seats that recruit may play otherwise too: `assay worth` keeps a seat from recruiting on the same deals."
    )
    common = after.assign(who="any seat", estimate=[usual[number] for number in after["round"]])
    common = common.assign(low=common["estimate"], high=common["estimate"])
    both = pd.concat([after.assign(who="a seat that recruited"), common])
    panels = (
        _lines_panel("Price of a recruit, dollars", prices, DOLLARS, "round", None, "round bought"),
        _lines_panel("Workers placed afterwards", both, "workers", "round", "who", "round bought"),
    )
    about = f"What a recruit costs by the round it is bought, and how many workers its seat places afterwards, {where}."
    return _asked(view, "recruits", title, answer, figures, "seats", about, panels, table)


def _overtime(view: View) -> Question:
    rows = view.economy("overtime")
    rows = rows[rows["estimate"] > 0]
    title = "What is Overtime used for?"
    if not len(rows):
        return _asked(view, "overtime", title, ("Overtime is not used.",), ("overtime",), "seats")
    most = _most(rows)
    blocked = view.economy("space_blocked", space="overtime")
    answer = (
        f"A seat uses Overtime {form.fixed(rows['estimate'].sum(), 1)} times a game, most for {_space(most.space)}: "
        f"{form.estimate(most, 'uses')}.",
        f"It is taken itself on {form.estimate(one(blocked), 'share')} of turns." if len(blocked) else "",
    )
    panels = (_names_panel("Uses of a seat in a game", rows, "space", "uses"),)
    about = "The spaces that Overtime is used for."
    return _asked(view, "overtime", title, answer, ("overtime",), "seats", about, panels)


# --- money and points --------------------------------------------------------------------------------------


def _market(view: View) -> Question:
    cubes = view.economy("cubes_traded")
    told = []
    for way in ("bought", "sold"):
        rows = cubes[cubes["way"] == way]
        if len(rows) and _most(rows).estimate > 0:
            told.append(f"{_most(rows).ore} is {way} most, {form.estimate(_most(rows), 'cubes')} a seat and game")
    permits = {row.who: row for row in _seen(view, "permits").itertuples()}
    answer = (
        f"At the Commodity Market {form.listed(told)}; market values are those of the reconstructed mines."
        if told
        else "",
        f"At the Permit Office a worker draws {form.estimate(permits['active'], 'cards')}, each other seat "
        f"{form.estimate(permits['other'], 'cards')}."
        if len(permits) == 2
        else "",
    )
    panels = (_lines_panel("Cubes traded by a seat", cubes, "cubes", "ore", "way"),) if len(cubes) else ()
    about = "Cubes of each ore that a seat buys and sells at the Commodity Market, on its own turns and on others'."
    figures = ("cubes_traded", "trade_price", "permits")
    return _asked(
        view, "market", "What is traded at the market and the office?", answer, figures, "seats", about, panels
    )


def _money(view: View) -> Question:
    income, paid, stock = view.economy("income_by_source"), view.economy("outlay"), _seen(view, "money_by_round")
    turns = view.economy("income_by_round")
    best, dear = _most(income), _most(paid)
    total = income["estimate"].sum()
    share = form.fixed(100 * best.estimate / total, 0) if total else "0"
    answer = (
        f"Most money comes from {best.source}, {form.estimate(best, DOLLARS)} a seat and game, {share}{form.NBSP}% of all; "
        f"most goes into {dear.outlay}, {form.estimate(dear, DOLLARS)}.",
        f"What a seat holds {say.trend(list(stock.itertuples()), DOLLARS, lambda row: f'after round {row.round}')}."
        if len(stock)
        else "",
        "What rows pay and buildings cost is reconstructed.",
    )
    panels = (
        _lines_panel("Dollars that come in", turns, DOLLARS, "round", "source"),
        _lines_panel("Dollars held", stock, DOLLARS, "round", None, "after round"),
    )
    about = "What a seat takes in by round and source, and what it holds at the end of a round."
    figures = ("income_by_source", "outlay", "money_by_round", "income_by_round")
    return _asked(
        view, "money", "Where does money come from, and where does it go?", answer, figures, "seats", about, panels
    )


def _points_sentence(view: View) -> str:
    rows = view.economy("points_by_source")
    best, total = _most(rows), rows["estimate"].sum()
    share = form.fixed(100 * best.estimate / total, 0) if total else "0"
    return (
        f"Most points come from {best.source}: {form.estimate(best, 'points')} of a seat, {share}{form.NBSP}% of all."
    )


def _points(view: View) -> Question:
    rows = view.economy("points_by_source").sort_values("estimate", ascending=False, kind="stable")
    told = [f"{row.source} {form.value(row, 'points')}" for row in rows.itertuples()]
    answer = (
        _points_sentence(view),
        f"By source a seat ends with {form.listed(told)}; points of contracts and buildings are reconstructed.",
    )
    panels = (_names_panel("Points of a seat at the end", rows, "source", "points"),)
    about = "Where the points of a seat come from."
    return _asked(
        view, "points-source", "Where do points come from?", answer, ("points_by_source",), "seats", about, panels
    )
