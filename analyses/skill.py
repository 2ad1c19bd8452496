"""Skill or luck? A ladder of strategies, what luck and skill do to a result, and how many games tell the better player.

What a seat wins varies with the seat, with how it is played, with what the deal gives that seat, and with all else (how
the others play into it, how a plan fits a deal, a strategy's own whims). Tables of different strategies play each deal
in every rotation, a Latin square, in which these parts can be told apart by the method of moments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyses.comparison import Comparison, compare
from analyses.field import circles
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, make_plan
from analyses.paired import WIN_SHARE, jackknife, seat_figures, spread
from analyses.run import Run, run
from analyses.statistics import Estimate, student_quantile
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import SIXTIETHS, find_game
from simcore.plan import Plan, play_part

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 400
TABLE_PART = 10  # times as many deals for the tables of one strategy, which take one game a deal
SQUARE_PART = 4  # one of so many deals for the Latin squares, which take many games
LEAST_SQUARE = 32
SURE = 0.95
MOST_EXACT, MOST_GAMES = 4_000, 10**7
PARTS = ("strategy", "seat", "deal", "rest")
ABOUT = {
    "strategy": "how it is played",
    "seat": "where one sits",
    "deal": "what the deal gives the seat",
    "rest": "all else: how the others play into it, how plan and deal fit, whims",
}


@dataclass(frozen=True)
class Skill:
    """What was played: the round robin, the weakest and the strongest table, and the Latin squares.

    Attributes
    ----------
    squares : share of the win by table, deal, rotation and seat, shape (tables, deals, seats, seats)
    """

    comparison: Comparison
    tables: Mapping[str, Run]
    square_plan: Plan
    squares: NDArray[np.float64]
    n_reused: int

    @property
    def plan(self) -> Plan:
        """The plan of the round robin."""
        return self.comparison.plan

    @property
    def games(self) -> int:
        """Games played for it, those of a round robin that was there already left out."""
        played = [*self.tables.values()]
        return self.plan.games + sum(r.plan.games for r in played) + self.square_plan.games - self.n_reused

    @cached_property
    def ladder(self) -> Rows:
        """A row a strategy, the weakest first: `name`, `win_share` in the round robin, and how it does against the rung
        below: `below`, its name, and `alone`, the share of wins of one among players of that kind.
        """
        order = sorted(self.comparison.strategy_rows, key=lambda row: row["win_share"].estimate)
        alone = {(row["name"], row["others"]): row["win_share"] for row in self.comparison.alone_rows}
        rows = []
        for at, row in enumerate(order):
            below = order[at - 1]["name"] if at else None
            found = {"name": row["name"], "below": below, "win_share": row["win_share"]}
            rows.append({**found, **({} if below is None else {"alone": alone[row["name"], below]})})
        return rows

    @cached_property
    def balance(self) -> Rows:
        """A row a table: `table` (weak or strong), `strategy`, and `spread`, wins of the best seat less those of the worst."""
        rows = []
        for table, played in self.tables.items():
            wins = [f for f in seat_figures(played.plan, played.part) if f.name == WIN_SHARE]
            rows.append({"table": table, "strategy": played.plan.tables[0][0].name, "spread": jackknife(spread, wins)})
        return rows

    @cached_property
    def variance(self) -> Rows:
        """A row a part of the variance of a seat's win: `part`, `about`, `share`; see `components`."""
        shares = components(self.squares)
        n_deals = self.squares.shape[1]
        n_groups = min(32, n_deals)
        group = np.arange(n_deals) * n_groups // n_deals
        left = np.array([components(self.squares[:, group != g]) for g in range(n_groups)])
        error = np.sqrt((n_groups - 1) / n_groups * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
        half = error * student_quantile(0.95, n_groups - 1)
        method = f"Latin squares, method of moments; jackknife over {n_groups} groups of deals"
        n = self.square_plan.games
        return [
            {
                "part": part,
                "about": ABOUT[part],
                "share": Estimate(share, max(share - h, 0.0), min(share + h, 1.0), n, float(n_groups), method),
            }
            for part, share, h in zip(PARTS, shares.tolist(), half.tolist(), strict=True)
        ]

    @cached_property
    def games_to_lead(self) -> Rows:
        """A row a rival of the best strategy: `better`, `weaker`, `better_wins`, `weaker_wins` a game, and `games`, `low`,
        `high`: after so many games together the better player leads in wins with 95 % probability.

        At a table of one of the better kind among players of the weaker; infinite where they cannot be told apart.
        """
        best = self.ladder[-1]["name"]
        alone = {(row["name"], row["others"]): row["win_share"] for row in self.comparison.alone_rows}
        others = self.plan.seats - 1
        rows = []
        for rung in reversed(self.ladder[:-1]):
            share = alone[best, rung["name"]]
            found = [games_to_lead(p, (1 - p) / others) for p in (share.estimate, share.high, share.low)]
            named = {"better": best, "weaker": rung["name"], "better_wins": share.estimate}
            rows.append(
                {
                    **named,
                    "weaker_wins": (1 - share.estimate) / others,
                    **dict(zip(("games", "low", "high"), found, strict=True)),
                }
            )
        return rows

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {
            "skill_ladder": frame(self.ladder),
            "skill_balance": frame(self.balance),
            "skill_variance": frame(self.variance),
            "skill_games": frame(self.games_to_lead),
        }

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay skill --json` prints it."""
        return {
            "game": self.plan.game.name,
            "seats": self.plan.seats,
            "seed": self.plan.seed,
            "games": self.games,
            "rules": self.plan.rules.changes(),
            "ladder": self.ladder,
            "balance": self.balance,
            "variance": self.variance,
            "games_to_lead": self.games_to_lead,
        }


def components(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the variance of a seat's win due to strategy, seat, deal and all else, shape (4,).

    Parameters
    ----------
    wins : shape (tables, deals, rotations, seats), rotations as many as seats; in rotation k seat p is played by
        player (p + k) mod seats

    The means over a deal's rotations vary between deals by what the deal gives the seat and by a part of the rest; the
    residual within deals tells the rest (analysis of variance of a replicated Latin square: Cochran & Cox 1957,
    Experimental Designs, ch. 4). Negative components count as none. At two seats deal and rest cannot be told apart:
    the deal takes both.
    """
    n_tables, n_deals, n, _ = wins.shape
    rotation, seat = np.indices((n, n))
    by_player = np.empty_like(wins)  # the same with players where seats were
    by_player[:, :, rotation, (seat + rotation) % n] = wins
    grand = wins.mean(axis=(1, 2, 3), keepdims=True)
    totals = np.zeros(4)
    for table in range(n_tables):
        y, mean = wins[table], float(grand[table].item())
        deal = y.mean(axis=(1, 2))
        seat_deal, player_deal = y.mean(axis=1), by_player[table].mean(axis=1)
        game = y.mean(axis=2)
        seat_mean, player_mean = seat_deal.mean(axis=0), player_deal.mean(axis=0)
        ss_seat = n * n_deals * ((seat_mean - mean) ** 2).sum()
        ss_player = n * n_deals * ((player_mean - mean) ** 2).sum()
        ss_seat_deal = n * ((seat_deal - deal[:, None] - seat_mean + mean) ** 2).sum()
        ss_player_deal = n * ((player_deal - deal[:, None] - player_mean + mean) ** 2).sum()
        ss_game = n * ((game - mean) ** 2).sum()
        ss_rest = ((y - mean) ** 2).sum() - ss_seat - ss_player - ss_seat_deal - ss_player_deal - ss_game
        df_deal = max((n_deals - 1) * (n - 1), 1)
        ms_seat_deal, ms_player_deal = ss_seat_deal / df_deal, ss_player_deal / df_deal
        ms_rest = ss_rest / (n_deals * (n - 1) * (n - 2)) if n > 2 else 0.0
        from_deal = max((ms_seat_deal - ms_rest) / n, 0.0)
        from_fit = max((ms_player_deal - ms_rest) / n, 0.0)
        from_seat = max(ss_seat / (n - 1) - ms_seat_deal, 0.0) * (n - 1) / (n * n * n_deals)
        from_player = max(ss_player / (n - 1) - ms_player_deal, 0.0) * (n - 1) / (n * n * n_deals)
        totals += (from_player, from_seat, from_deal, max(ms_rest, 0.0) + from_fit)
    return totals / totals.sum() if totals.sum() > 0 else np.full(4, np.nan)


def games_to_lead(better: float, weaker: float, sure: float = SURE) -> float:
    """The fewest games after which the better player has more wins than the weaker with probability `sure`.

    Each game is won by the better, the weaker or neither. Exact up to `MOST_EXACT` games, by the normal approximation
    beyond; infinite where the better wins no more, or beyond `MOST_GAMES`.
    """
    gap = better - weaker
    if gap <= 0:
        return math.inf
    if weaker == 0 and better == 1:
        return 1.0
    variance = better + weaker - gap * gap
    z = NormalDist().inv_cdf(sure)
    # n gap - 1/2 = z sqrt(n variance), solved for sqrt(n)
    root = (z * math.sqrt(variance) + math.sqrt(z * z * variance + 2 * gap)) / (2 * gap)
    n = math.ceil(root * root)
    if n > MOST_GAMES:
        return math.inf
    if n > MOST_EXACT:
        return float(n)
    while n > 1 and lead_chance(better, weaker, n - 1) >= sure:
        n -= 1
    while lead_chance(better, weaker, n) < sure:
        n += 1
    return float(n)


def lead_chance(better: float, weaker: float, n: int) -> float:
    """Chance that the better has more wins than the weaker after `n` games, exact."""
    step = np.zeros(2 * n + 1)
    step[[0, 1, 2]] = weaker, 1 - better - weaker, better
    chances = np.fft.irfft(np.fft.rfft(step, 2 * n + 2) ** n, 2 * n + 2)[: 2 * n + 1]
    return float(chances[n + 1 :].sum())


def skill(
    game: str,
    names: Sequence[str],
    *,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    comparison: Comparison | None = None,
    work: Work | None = None,
) -> Skill:
    """Play what tells skill from luck.

    Parameters
    ----------
    names : two strategies or more, random among them to see what skill is worth
    deals : deals of the round robin; the tables of one strategy play `TABLE_PART` times as many
    comparison : a round robin of these strategies under these rules that was played already
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    chosen.check_seats(seats)
    if len(names) < 2 or len(set(names)) != len(names):
        raise AssayError("a ladder takes two strategies or more, each named once")
    chosen.fill_rules(find_rules(chosen, changes, rules), seats)
    work = work or Work()
    options: dict[str, Any] = {"seats": seats, "seed": seed, "changes": changes, "rules": rules}
    square = square_plan(game, names, deals, **options)
    games = deals * seats * len(names) * (len(names) - 1)
    first = [Step("robin", games, partial(compare, game, names, deals=deals, **options))] if comparison is None else []
    steps = [
        *first,
        *(
            Step(f"table-{at}", TABLE_PART * deals, partial(_table, game, at, deals, options))
            for at in ("weak", "strong")
        ),
        Step("squares", square.games, partial(_squares, square)),
    ]
    kept: dict[str, Any] = {"robin": comparison} if comparison is not None else {}
    steps = [Step(s.name, s.games, partial(_keep, kept, s)) for s in steps]
    play_steps(steps, work)
    return Skill(
        comparison=kept["robin"],
        tables={at: kept[f"table-{at}"] for at in ("weak", "strong")},
        square_plan=square,
        squares=kept["squares"],
        n_reused=0 if comparison is None else comparison.plan.games,
    )


def square_plan(
    game: str, names: Sequence[str], deals: int, *, seats: int, seed: int, changes: Sequence[str], rules: Any
) -> Plan:
    """The plan of the Latin squares: tables of different strategies, in circles as far as they reach."""
    chosen = find_game(game)
    players = find_strategies(chosen, names)
    (order,) = circles(len(players), 1)
    starts = range(len(order)) if len(order) > seats else range(1)
    tables = [[players[order[(start + seat) % len(order)]] for seat in range(seats)] for start in starts]
    some = max(deals // SQUARE_PART, LEAST_SQUARE)
    rule_set = find_rules(chosen, changes, rules)
    return make_plan(chosen, tables, rule_set, some, seed, is_duplicate=True, has_rows=True, has_tallies=False)


def _keep(kept: dict[str, Any], step: Step, work: Work) -> Any:
    """Play a step that may need what an earlier one found."""
    play = step.play
    needs_robin = step.name.startswith("table-")
    kept[step.name] = play(work=work, **({"robin": kept["robin"]} if needs_robin else {}))
    return kept[step.name]


def _table(game: str, which: str, deals: int, options: dict[str, Any], robin: Comparison, work: Work) -> Run:
    """The weakest or the strongest strategy of a round robin at every seat."""
    choose = min if which == "weak" else max
    name = choose(robin.strategy_rows, key=lambda row: row["win_share"].estimate)["name"]
    one = next(player for table in robin.plan.tables for player in table if player.name == name)
    given = str(one.path) if one.path.parent != find_game(game).strategy_folder else name
    return run(game, strategies=[given], deals=TABLE_PART * deals, work=work, **options)


def _squares(plan: Plan, work: Work) -> NDArray[np.float64]:
    """Share of the win by table, deal, rotation and seat."""
    found = []
    for start, count in plan.parts():
        rows = play_part(plan, start, count).rows
        assert rows is not None
        found.append(rows[..., 0] / SIXTIETHS)
        if work.progress is not None:
            work.progress(start + count, plan.deals)
    return np.concatenate(found, axis=1)
