"""Everything a first report asks of a game, played in one go: seats, strategies, economy, tension, robustness."""

from __future__ import annotations

import math
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import strategies as shipped
from analyses.comparison import Comparison, compare
from analyses.extremes import extreme_rows
from analyses.field import N_CIRCLES, Field, field
from analyses.frames import frame
from analyses.further import Asked, Budget, further_steps
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategy
from analyses.robustness import further_changes, redraw_changes, robustness_rows
from analyses.run import Run, run
from analyses.seats import fairness
from analyses.statistics import Estimate, histogram_quantiles
from analyses.steps import Step, play_steps
from analyses.tallied import Rows, histogram
from simcore.errors import AssayError
from simcore.game import Game, Measure, find_game
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

LEAST_DEALS = 64
REDRAWN, OTHERS, MIXED, PAIRED, PAIRED_REDRAWN = 2, 40, 200, 150, 600  # one of so many deals is played there
THOROUGH = 10  # times as many deals
TIMED_DEALS = 2_000  # to tell how long a thorough report takes
READ_DEALS = 2_000  # searched for games worth reading
YARDSTICK = "random"  # shows how much skill there is; at a mixed table it would decide who wins
MIXED_FIELD, ROUND_ROBIN, REDRAWN_ROBIN = "mixed field", "round robin", "round robin, redrawn"
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
ESTIMATE = ("estimate", "low", "high", "n", "n_effective", "method")


@dataclass(frozen=True)
class Size:
    """The studies at one number of seats.

    Attributes
    ----------
    alone : each strategy in all seats, by its name
    mixed : the mixed field, where there are strategies enough
    redrawn : the first strategy in all seats with reconstructed components redrawn
    uneven : the same without what is meant to make the seats even
    """

    seats: int
    alone: Mapping[str, Run]
    mixed: Field | None
    redrawn: Run | None
    uneven: Run | None

    @property
    def seat_tables(self) -> dict[str, Run]:
        """Those that tell about seats: in a mixed field only if every table is played in every rotation.

        Otherwise who sits with whom differs between the seats, and strong strategies side by side look like strong seats.
        """
        is_balanced = self.mixed is not None and self.mixed.plan.is_duplicate
        return {name: table for name, table in self.tables.items() if name != MIXED_FIELD or is_balanced}

    @property
    def tables(self) -> dict[str, Run]:
        """All of them by name, the redrawn apart."""
        return {**self.alone, **({} if self.mixed is None else {MIXED_FIELD: self.mixed})}


@dataclass(frozen=True)
class Survey:
    """What a report is made of.

    Attributes
    ----------
    names : the strategies; the first is the one whose tables tell about seats, economy and tension
    plans : each strategy's plan in words
    sizes : the studies by number of seats
    commands : each strategy as a command names it
    comparison : the round robin at `main` seats, where there are two strategies
    comparison_redrawn : the same with reconstructed components redrawn
    tolerance : how far from its fair share a seat may be and still count as fair
    command : remakes the report
    further : results of the deeper questions, by the name of their module
    """

    game: Game
    rules: RuleSet
    seed: int
    deals: int
    tolerance: float
    names: tuple[str, ...]
    plans: Mapping[str, str]
    commands: Mapping[str, str]
    sizes: Mapping[int, Size]
    comparison: Comparison | None
    comparison_redrawn: Comparison | None
    extremes: Rows
    command: str
    further: Mapping[str, Any]

    @property
    def base(self) -> str:
        """The strategy whose tables tell about seats, economy and tension."""
        return self.names[0]

    @property
    def main(self) -> int:
        """The number of seats the report dwells on."""
        return main_seats(list(self.sizes))

    @property
    def games(self) -> int:
        """Games played in all."""
        played: list[Run | Comparison | None] = [self.comparison, self.comparison_redrawn]
        for size in self.sizes.values():
            played += [*size.tables.values(), size.redrawn, size.uneven]
        return sum(one.plan.games for one in played if one is not None) + sum(
            one.games for one in self.further.values()
        )

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name: all numbers that a report shows."""
        found = {
            "seats": frame(self._seat_rows()),
            "verdicts": frame(self._verdict_rows()),
            "uneven": frame(self._uneven_rows()),
            "strategies": frame(self._strategy_rows()),
            "pairs": _paired(self.comparison, "pair_rows"),
            "alone": _paired(self.comparison, "alone_rows"),
            "economy": _whole_labels(frame(self._economy_rows())),
            "quantiles": _whole_labels(frame(self._quantile_rows())),
            "counts": _whole_labels(frame(self._count_rows())),
            "tension": _whole_labels(frame(self._tension_rows())),
            "redrawn": frame(self._redrawn_rows()),
            "extremes": frame(self.extremes),
            "rules": frame(rule_rows(self.game, self.rules)),
            "precision": frame(self._precision_rows()),
        }
        for result in self.further.values():
            found |= {name: _whole_labels(table) for name, table in result.frames.items()}
        return found

    def _seat_rows(self) -> Rows:
        return [
            {"players": n, "table": name, **{k: v for k, v in row.items() if k != "strategy"}}
            for n, size in self.sizes.items()
            for name, table in size.seat_tables.items()
            for row in table.seat_rows
        ]

    def _precision_rows(self) -> Rows:
        """How far each study carries: games, the independent ones they are worth, the widest half-interval of a share."""
        rows = []
        for n, size in self.sizes.items():
            for name, table in size.tables.items():
                shares = [row["win_share"] for row in table.seat_rows]
                rows.append({"players": n, "study": name, **_worth_of(table.plan.games, shares)})
        for name, robin in ((ROUND_ROBIN, self.comparison), (REDRAWN_ROBIN, self.comparison_redrawn)):
            if robin is not None:
                shares = [row["win_share"] for row in robin.strategy_rows]
                saved = float(robin.saved) if robin.saved and math.isfinite(robin.saved) else math.nan
                rows.append(
                    {"players": self.main, "study": name, **_worth_of(robin.plan.games, shares), "saved": saved}
                )
        return rows

    def _verdict_rows(self) -> Rows:
        rows = []
        for n, size in self.sizes.items():
            named = {name: table for name, table in size.seat_tables.items() if name in (self.base, MIXED_FIELD)}
            if size.redrawn is not None:
                named["redrawn"] = size.redrawn
            for name, table in named.items():
                whole, each = fairness(table.plan, table.part, self.tolerance)
                for seat, verdict in (("all", whole), *((str(i + 1), word) for i, word in enumerate(each))):
                    rows.append(
                        {"players": n, "table": name, "seat": seat, "verdict": verdict, "tolerance": self.tolerance}
                    )
        return rows

    def _uneven_rows(self) -> Rows:
        """Shares of wins with and without what is meant to make the seats even."""
        return [
            {"players": n, "seat": row["seat"], "rules": rules, "value": row["win_share"]}
            for n, size in self.sizes.items()
            if size.uneven is not None
            for rules, table in (("in force", size.alone[self.base]), ("without", size.uneven))
            for row in table.seat_rows
        ]

    def _strategy_rows(self) -> Rows:
        rows = []
        for design, robin in ((ROUND_ROBIN, self.comparison), (REDRAWN_ROBIN, self.comparison_redrawn)):
            for row in robin.strategy_rows if robin is not None else ():
                rows.append({"players": self.main, "design": design, **row})
        for n, size in self.sizes.items():
            for row in size.mixed.strategy_rows if size.mixed is not None else ():
                rows.append({"players": n, "design": MIXED_FIELD, **row})
        return rows

    def _economy_rows(self) -> Rows:
        units = {measure.name: measure.unit for measure in self.game.economy}
        return [
            {"players": n, "table": name, "figure": figure, "unit": units[figure], **row}
            for n, size in self.sizes.items()
            for name, table in self._main_tables(size)
            for figure, rows in table.economy_rows.items()
            for row in rows
        ]

    def _tension_rows(self) -> Rows:
        return [
            {"players": n, "table": name, "figure": figure, **row}
            for n, size in self.sizes.items()
            for name, table in self._main_tables(size)
            for figure, rows in table.tension_rows.items()
            for row in rows
        ]

    def _count_rows(self) -> Rows:
        """Histograms behind the averages, of the first strategy's table at `main` seats."""
        table = self.sizes[self.main].alone[self.base]
        return [
            {
                "figure": measure.name,
                "unit": measure.unit,
                **_labels(row, measure),
                "value": row[str(measure.value)],
                "count": row["count"],
            }
            for measure in averages(self.game)
            for row in histogram(table.plan, table.part, measure.tally, measure.by, str(measure.value))
        ]

    def _quantile_rows(self) -> Rows:
        plan = self.sizes[self.main].alone[self.base].plan
        groups: dict[tuple, list[dict[str, Any]]] = {}
        for row in self._count_rows():
            groups.setdefault(tuple((k, v) for k, v in row.items() if k not in ("value", "count")), []).append(row)
        tallies = {measure.name: measure for measure in averages(self.game)}
        rows = []
        for labels, found in groups.items():
            measure = tallies[dict(labels)["figure"]]
            tally = plan.tally(measure.tally)
            values = np.array(tally.axes[tally.position(str(measure.value))].labels, np.int64)
            seen = {row["value"]: row["count"] for row in found}
            counts = np.array([seen.get(int(value), 0) for value in values], np.int64)
            independent = min(plan.deals, int(counts.sum()))
            estimates = histogram_quantiles(counts, values, QUANTILES, n_effective=independent)
            for quantile, estimate in zip(QUANTILES, estimates, strict=True):
                rows.append({**dict(labels), "quantile": quantile, "value": estimate})
        return rows

    def _redrawn_rows(self) -> Rows:
        return [
            {"players": n, **row}
            for n, size in self.sizes.items()
            if size.redrawn is not None
            for row in robustness_rows(size.alone[self.base], size.redrawn, self.tolerance)
        ]

    def _main_tables(self, size: Size) -> list[tuple[str, Run]]:
        return [(name, table) for name, table in size.tables.items() if name in (self.base, MIXED_FIELD)]


def _worth_of(games: int, shares: Sequence[Estimate]) -> dict[str, Any]:
    return {
        "games": games,
        "worth": min(share.n_effective for share in shares),
        "half_width": max((share.high - share.low) / 2 for share in shares),
        "saved": math.nan,
    }


def averages(game: Game) -> list[Measure]:
    """The figures of a game's economy that average a whole tally, by at most one label."""
    return [m for m in game.economy if m.value is not None and not m.where and len(m.by) <= 1]


def main_seats(seats: Sequence[int]) -> int:
    """The usual number of seats, or the largest below it, or the smallest there is."""
    return max((n for n in seats if n <= DEFAULT_SEATS), default=min(seats))


def rule_rows(game: Game, rules: RuleSet) -> Rows:
    """A row a number of the rules: `rule`, `cell`, `value`, `default`, `unit`, `provenance`, `about`."""
    rows = []
    for rule in game.rules.rules.values():
        flat = zip(
            game.rules.cells(rule),
            rules.values[rule.name].ravel().tolist(),
            rule.default.ravel().tolist(),
            rule.provenance.ravel().tolist(),
            strict=True,
        )
        for cell, value, default, provenance in flat:
            named = {"rule": rule.name, "cell": ", ".join(cell), "value": value, "default": default}
            source = provenance if value == default else "changed"
            rows.append({**named, "unit": rule.unit, "provenance": source, "about": rule.about})
    return rows


# --- playing it all ----------------------------------------------------------------------------------------


def survey(
    game: str,
    *,
    seats: int | Sequence[int] | None = None,
    strategies: Sequence[str] | None = None,
    deals: int | None = None,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
    tolerance: float = 0.01,
    is_thorough: bool = False,
) -> Survey:
    """Play all that a report shows.

    Parameters
    ----------
    seats : numbers of players; all the game allows unless given
    strategies : names, or paths of strategy files; all that ship with the game unless given
    deals : deals of the first strategy against itself at each number of players, `Game.report_deals` unless given; of the other studies each takes a
        fixed part of them, `LEAST_DEALS` at least
    tolerance : how far from its fair share a seat may be and still count as fair
    is_thorough : play `THOROUGH` times as many deals, and say first how long that takes
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    sizes = _sizes(chosen, seats)
    deals = chosen.report_deals if deals is None else deals
    if deals < LEAST_DEALS:
        raise AssayError(f"a report needs at least {LEAST_DEALS} deals, not {deals}")
    if not 0 < tolerance < 0.5:
        raise AssayError(f"the tolerance must lie between 0 and 0.5, not {tolerance:g}")
    given = [name.strip() for name in (shipped.names(chosen) if strategies is None else strategies)]
    rule_set = find_rules(chosen, changes, rules)
    players = [find_strategy(chosen.name, name) for name in given]
    _check_names([player.name for player in players])
    options = {"seed": seed, "changes": list(changes), "rules": rules}
    asked_deals = deals
    deals *= THOROUGH if is_thorough else 1
    redraws = redraw_changes(chosen, rule_set, sizes)
    levelled = further_changes(chosen, rule_set, sizes, chosen.uneven)
    steps = _steps(chosen, sizes, given, [player.name for player in players], deals, redraws, levelled, options)
    n = main_seats(sizes)
    field_names = tuple(name for name, one in zip(given, players, strict=True) if one.name != YARDSTICK)
    named = tuple(player.name for player in players)
    asked = Asked(chosen, rule_set, n, given[0], field_names, named, tolerance, options)
    further = further_steps(asked, Budget.of(deals, is_thorough))
    work = work or Work()
    if is_thorough:
        work.tell(_forecast(chosen, given[0], n, sum(step.games for step in (*steps, *further)), work, options))
    played = play_steps([*steps, *further], work, side_by_side=True)
    base_table = [players[0]] * main_seats(sizes)
    return Survey(
        game=chosen,
        rules=rule_set,
        seed=seed,
        deals=deals,
        tolerance=tolerance,
        names=tuple(player.name for player in players),
        plans={player.name: player.plan for player in players},
        sizes={
            n: Size(
                n,
                {player.name: played[f"{n}-alone-{at}"] for at, player in enumerate(players)},
                played.get(f"{n}-mixed"),
                played.get(f"{n}-redrawn"),
                played.get(f"{n}-uneven"),
            )
            for n in sizes
        },
        commands={player.name: _shown(name) for name, player in zip(given, players, strict=True)},
        comparison=played.get("pairs"),
        comparison_redrawn=played.get("pairs-redrawn"),
        extremes=extreme_rows(
            chosen, base_table, rule_set, min(deals, READ_DEALS), seed, [_shown(given[0])] * len(base_table)
        ),
        command=_command(chosen, seats, strategies, asked_deals, seed, rule_set, tolerance, is_thorough),
        further={step.name: played[step.name] for step in further},
    )


def _forecast(game: Game, strategy: str, seats: int, games: int, work: Work, options: Mapping[str, Any]) -> str:
    """How long so many games will take on this machine, from a few that are timed."""
    table: dict[str, Any] = {
        "strategies": strategy,
        "seats": seats,
        **options,
        "work": replace(work, out=None, progress=None),
    }
    run(game.name, deals=TIMED_DEALS, **table)  # compiles what is not compiled yet
    start = time.perf_counter()
    run(game.name, deals=TIMED_DEALS, **table)
    seconds = (time.perf_counter() - start) / TIMED_DEALS * games
    return f"{games:,} games are to be played: about {_duration(seconds)} on this machine"


def _duration(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} minute{'s' if minutes > 1 else ''}"


def _sizes(game: Game, seats: int | Sequence[int] | None) -> list[int]:
    wanted = game.seats if seats is None else [seats] if isinstance(seats, int) else seats
    sizes = sorted({game.check_seats(n) for n in wanted})
    if not sizes:
        raise AssayError("a report needs at least one number of seats")
    return sizes


def _check_names(names: Sequence[str]) -> None:
    if not names:
        raise AssayError("a report needs at least one strategy")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise AssayError(f"strategy '{twice[0]}' is named twice")


def _steps(
    game: Game,
    sizes: Sequence[int],
    given: Sequence[str],
    names: Sequence[str],
    deals: int,
    redraws: Sequence[str],
    levelled: Sequence[str],
    options: dict[str, Any],
) -> list[Step]:
    """All studies, in the order in which they are played."""
    again, fewer, mixed, paired = (max(deals // part, LEAST_DEALS) for part in (REDRAWN, OTHERS, MIXED, PAIRED))
    steps = []
    for n in sizes:
        table = {**options, "seats": n}
        for at, name in enumerate(given):
            some = deals if at == 0 else fewer
            steps.append(Step(f"{n}-alone-{at}", some, partial(run, game.name, strategies=[name], deals=some, **table)))
        field_names = [name for name, shown in zip(given, names, strict=True) if shown != YARDSTICK]
        if len(field_names) >= n:
            games = mixed * n * N_CIRCLES * len(field_names)
            steps.append(Step(f"{n}-mixed", games, partial(field, game.name, field_names, deals=mixed, **table)))
        for name, changes in (("redrawn", redraws), ("uneven", levelled)):
            if changes:
                table["changes"] = [*options["changes"], *changes]
                steps.append(
                    Step(f"{n}-{name}", again, partial(run, game.name, strategies=[given[0]], deals=again, **table))
                )
    if len(given) > 1:
        n = main_seats(sizes)
        games = paired * n * len(given) * (len(given) - 1)
        steps.append(Step("pairs", games, partial(compare, game.name, given, deals=paired, seats=n, **options)))
        if redraws:
            table = {**options, "seats": n, "changes": [*options["changes"], *redraws]}
            some = max(deals // PAIRED_REDRAWN, LEAST_DEALS)
            games = games // paired * some
            steps.append(Step("pairs-redrawn", games, partial(compare, game.name, given, deals=some, **table)))
    return steps


def _shown(name: str) -> str:
    """A strategy as a command names it: a file without the folders of this machine."""
    head, dot, settings = name.partition(".py")
    return re.split(r"[/\\]", head)[-1] + dot + settings


def _command(
    game: Game,
    seats: int | Sequence[int] | None,
    strategies: Sequence[str] | None,
    deals: int,
    seed: int,
    rules: RuleSet,
    tolerance: float,
    is_thorough: bool,
) -> str:
    """What remakes the report: every choice that is not the default."""
    parts = ["assay", "report", game.name]
    for n in [] if seats is None else [seats] if isinstance(seats, int) else seats:
        parts += ["--seats", str(n)]
    if strategies is not None:
        parts += ["--strategies", ",".join(_shown(name) for name in strategies)]
    if deals != game.report_deals:
        parts += ["--deals", str(deals)]
    if tolerance != 0.01:
        parts += ["--tolerance", f"{100 * tolerance:g}"]
    if is_thorough:
        parts.append("--thorough")
    parts += ["--seed", str(seed)]
    return shlex.join([*parts, *changed_rules(rules)])


def changed_rules(rules: RuleSet) -> list[str]:
    """The changed rules as parts of a command."""
    parts = []
    for name, value in rules.changes().items():
        parts += ["--set", f"{name}={','.join(map(str, np.array(value).ravel().tolist()))}"]
    return parts


# --- frames ------------------------------------------------------------------------------------------------


def _labels(row: Mapping[str, Any], measure: Measure) -> dict[str, Any]:
    return {name: row[name] for name in measure.by}


def _paired(comparison: Comparison | None, rows: str) -> pd.DataFrame:
    return frame([] if comparison is None else getattr(comparison, rows))


def _whole_labels(table: pd.DataFrame) -> pd.DataFrame:
    """Whole-number labels stay whole beside rows that lack them."""
    for name in table.columns:
        column = table[name]
        is_label = name not in (*ESTIMATE, "value", "shipped", "redrawn", "quantile")
        if is_label and column.dtype == float and (column.dropna() % 1 == 0).all():
            table[name] = column.astype("Int64")
    return table
