"""What if I change this rule? The same deals under each variant, and what moves, paired deal by deal.

A variant gives one or more rules other values; several rules make a grid. Under each the same table plays the same deals
as under the rules in force, and so does a mixed field of strategies where one is asked for. Differences are paired over
groups of deals, so that a few thousand games show what independent games would need many times as many for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.field import N_CIRCLES, Field, field
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies, find_table
from analyses.paired import (
    WIN_SHARE,
    Figure,
    Key,
    difference,
    figures,
    half_time,
    jackknife,
    spread_difference,
    spread_estimate,
    strategy_figures,
)
from analyses.run import Run, run
from analyses.statistics import simultaneous_confidence
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import Game, find_game
from simcore.rules import ASSIGNMENT, RuleSet

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 10_000
FIELD_PART = (
    100  # of the deals of the table, one in so many is played by the mixed field, which takes many games a deal
)
LEAST_FIELD = 64
MAX_VALUES, MAX_VARIANTS = 50, 200
SEAT_SPREAD, STRATEGY_SPREAD, LEADER_WINS, LATE_LOSS = (
    "seat_spread",
    "strategy_spread",
    "leader_wins",
    "lead_lost_at_end",
)
ABOUT = {
    SEAT_SPREAD: "wins of the best seat less those of the worst",
    STRATEGY_SPREAD: "wins of the best strategy less those of the worst",
    LEADER_WINS: "wins of a leader half-way through",
    LATE_LOSS: "games in which the lead is lost at the very end",
}


@dataclass(frozen=True)
class Knob:
    """A rule, or one entry of its table as `rule[entry]`, and the values to try as a command names them."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """What was played under one set of rules; `values` by knob, none for the rules in force."""

    values: Mapping[str, str]
    rules: RuleSet
    run: Run
    mixed: Field | None

    @cached_property
    def figures(self) -> dict[Key, Figure]:
        """Figures of the table by key."""
        return figures(self.run)

    @property
    def seat_wins(self) -> list[Figure]:
        """Share of wins of each seat."""
        return [figure for key, figure in self.figures.items() if key[0] == WIN_SHARE]

    @cached_property
    def strategy_wins(self) -> list[Figure]:
        """Share of wins of each strategy of the mixed field."""
        return [] if self.mixed is None else strategy_figures(self.mixed)


@dataclass(frozen=True)
class Variation:
    """The variants of a game, beside the rules in force."""

    game: Game
    seats: int
    deals: int
    seed: int
    strategies: tuple[str, ...]
    field_names: tuple[str, ...]
    knobs: tuple[Knob, ...]
    now: Variant
    variants: tuple[Variant, ...]

    @property
    def games(self) -> int:
        """Games played in all; the rules in force among the variants are played once."""
        played = {id(v.run): v for v in (self.now, *self.variants)}.values()
        return sum(v.run.plan.games + (0 if v.mixed is None else v.mixed.plan.games) for v in played)

    @cached_property
    def rows(self) -> Rows:
        """The figures that tell most: a row a variant and figure.

        Columns: each knob, `figure`, `about`, `unit`, `is_now` (the rules in force), `level`, `change` from the rules in
        force. Of a spread the level leans upwards where the true one is near 0, as the largest of several noisy
        numbers does. What it is compared with leans as much where its seats are as even; else the change is understated.
        """
        return [row for variant in self.variants for row in self._rows(variant)]

    def _rows(self, variant: Variant) -> Rows:
        labels = {**variant.values, "is_now": variant.rules.key() == self.now.rules.key()}
        rows = []
        for name, seats, was in (
            (SEAT_SPREAD, variant.seat_wins, self.now.seat_wins),
            (STRATEGY_SPREAD, variant.strategy_wins, self.now.strategy_wins),
        ):
            if seats:
                told = {"figure": name, "about": ABOUT[name], "unit": "share of wins"}
                change = jackknife(spread_difference, [*seats, *was])
                rows.append({**labels, **told, "level": spread_estimate(seats), "change": change})
        there, here = self._single(variant), self._single(self.now)
        for one in (one for one in there if one in here):
            (figure, told), (before, _) = there[one], here[one]
            rows.append({**labels, **told, "level": figure.estimate, "change": difference(figure, before)})
        return rows

    def _single(self, variant: Variant) -> dict[str, tuple[Figure, dict[str, str]]]:
        """The figures of a variant that are one number, by name, with `figure`, `about`, `unit`."""
        label = half_time(self.game, variant.rules)
        wanted: list[tuple[Key, dict[str, str]]] = [
            (("win_by_place", (("round", label), ("place", "1"))), _told(LEADER_WINS, "share")),
            (("lead_lost", (("until", "end"),)), _told(LATE_LOSS, "share of games")),
        ]
        for measure in self.game.economy:
            if not measure.by:
                told = {"figure": measure.name, "about": measure.about, "unit": measure.unit}
                wanted.append(((measure.name, ()), told))
        return {told["figure"]: (variant.figures[key], told) for key, told in wanted if key in variant.figures}

    @cached_property
    def moved(self) -> Rows:
        """Every figure of the table that a variant surely moves: `figure`, its labels as `at`, `unit`, `level`, `change`.

        The intervals of `change` hold together over all figures of a variant (Bonferroni).
        """
        rows = []
        for variant in self.variants:
            both = [key for key in variant.figures if key in self.now.figures]
            level = simultaneous_confidence(0.95, max(len(both), 1))
            for key in both:
                figure = variant.figures[key]
                change = difference(figure, self.now.figures[key], level)
                if change.low > 0 or change.high < 0:
                    at = ", ".join(f"{axis} {label}" for axis, label in key[1])
                    told = {"figure": key[0], "at": at, "unit": figure.unit}
                    rows.append({**variant.values, **told, "level": figure.estimate, "change": change})
        return rows

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {"variants": frame(self.rows), "variants_moved": frame(self.moved)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay vary --json` prints it."""
        return {
            "game": self.game.name,
            "seats": self.seats,
            "strategies": self.strategies,
            "field": self.field_names,
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "rules": self.now.rules.changes(),
            "knobs": {knob.name: knob.values for knob in self.knobs},
            "variants": self.rows,
            "moved": self.moved,
        }


def _told(name: str, unit: str) -> dict[str, str]:
    return {"figure": name, "about": ABOUT[name], "unit": unit}


def vary(
    game: str,
    knobs: Sequence[str],
    *,
    strategies: str | Sequence[str] = "baseline",
    names: Sequence[str] = (),
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Variation:
    """Play every variant on the same deals as the rules in force.

    Parameters
    ----------
    knobs : `rule=6:14:2` (from, to, step), `rule=45,55,65` or, for a rule with an entry a seat, `rule=45,46,47;50,50,50`;
        an entry of a table as `rule[entry]=...`; several make a grid
    strategies : of the table, as in `analyses.run.run`
    names : strategies of a mixed field, at least as many as seats; none without it
    others : as in `analyses.run.run`; `work.progress` is told games done and games in all

    Raises
    ------
    AssayError
        For anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    find_rules(chosen, changes, rules)
    found = read_knobs(chosen, knobs)
    grid = [dict(zip([k.name for k in found], values, strict=True)) for values in product(*(k.values for k in found))]
    if len(grid) > MAX_VARIANTS:
        raise AssayError(
            f"these rules make {len(grid):,} variants; at most {MAX_VARIANTS} are played: name fewer values"
        )
    return play_variants(
        chosen,
        found,
        [(values, [f"{name}={value}" for name, value in values.items()]) for values in grid],
        strategies=strategies,
        names=names,
        seats=seats,
        deals=deals,
        seed=seed,
        changes=changes,
        rules=rules,
        work=work,
    )


def play_variants(
    chosen: Game,
    knobs: Sequence[Knob],
    settings: Sequence[tuple[Mapping[str, str], Sequence[str]]],
    *,
    strategies: str | Sequence[str],
    names: Sequence[str],
    seats: int,
    deals: int,
    seed: int,
    changes: Sequence[str],
    rules: str | Path | None,
    work: Work | None = None,
) -> Variation:
    """Play settings of knobs beside the rules in force, each its values by the name of the knob and the changes they mean."""
    base = find_rules(chosen, changes, rules)
    table = [player.name for player in find_table(chosen, seats, strategies)]
    if names and (len(names) < seats or len(set(names)) < len(names)):
        raise AssayError(f"a mixed field of {seats} seats needs at least {seats} different strategies")
    find_strategies(chosen, names)
    turned = [[*changes, *further] for _, further in settings]
    rule_sets = [find_rules(chosen, some, rules) for some in turned]
    for rule_set in (base, *rule_sets):
        chosen.fill_rules(rule_set, seats)
    options: dict[str, Any] = {"seats": seats, "seed": seed, "rules": rules}
    mixed_deals = max(deals // FIELD_PART, LEAST_FIELD)
    plays = {base.key(): list(changes)} | {one.key(): some for one, some in zip(rule_sets, turned, strict=True)}
    steps = []
    for key, some in plays.items():
        given = {**options, "changes": some}
        steps.append(
            Step(f"table-{key}", deals, partial(run, chosen.name, strategies=strategies, deals=deals, **given))
        )
        if names:
            n_games = mixed_deals * seats * N_CIRCLES * len(names)
            steps.append(
                Step(
                    f"field-{key}",
                    n_games,
                    partial(field, chosen.name, names, deals=mixed_deals, has_tallies=False, **given),
                )
            )
    steps = [Step(f"study-{at}", step.games, step.play) for at, step in enumerate(steps)]
    results = list(play_steps(steps, work or Work(), side_by_side=True).values())
    each = 2 if names else 1
    played = {key: (results[each * at], results[each * at + 1] if names else None) for at, key in enumerate(plays)}
    return Variation(
        game=chosen,
        seats=seats,
        deals=deals,
        seed=seed,
        strategies=tuple(dict.fromkeys(table)),
        field_names=tuple(names),
        knobs=tuple(knobs),
        now=Variant({}, base, *played[base.key()]),
        variants=tuple(
            Variant(values, one, *played[one.key()]) for (values, _), one in zip(settings, rule_sets, strict=True)
        ),
    )


# --- reading knobs -----------------------------------------------------------------------------------------


def read_knobs(game: Game, texts: Sequence[str]) -> list[Knob]:
    """The knobs of a command; see `vary`."""
    if not texts:
        example = next(rule.name for rule in game.rules.rules.values() if not rule.is_switch)
        raise AssayError(
            f"name a rule and its values, for example {example}=1,2,3 (`assay rules {game.name}` lists them)"
        )
    found = [read_knob(game, text) for text in texts]
    names = [knob.name for knob in found]
    for name in names:
        if names.count(name) > 1:
            raise AssayError(f"rule '{name}' is named twice: give all its values at once, comma-separated")
    for one, other in combinations(found, 2):
        if _collide(game, one, other):
            raise AssayError(f"'{one.name}' and '{other.name}' set the same number: name it in one of them only")
    return found


def _collide(game: Game, one: Knob, other: Knob) -> bool:
    """Whether it makes a difference which of two knobs is turned last."""
    if one.name.partition("[")[0] != other.name.partition("[")[0]:
        return False
    pairs = [(f"{one.name}={a}", f"{other.name}={b}") for a, b in product(one.values, other.values)]
    return any(game.rules.parse([a, b]).key() != game.rules.parse([b, a]).key() for a, b in pairs)


def read_knob(game: Game, text: str) -> Knob:
    """One knob, its values checked against the rule's bounds and shape."""
    match = ASSIGNMENT.fullmatch(text)
    if match is None:
        raise AssayError(f"cannot read '{text}': write rule=6:14:2 or rule=45,55,65")
    rule, entry, told = match.groups()
    name = rule if entry is None else f"{rule}[{entry}]"
    values = tuple(dict.fromkeys(_values(name, told)))
    if not values:
        raise AssayError(f"cannot read '{text}': write rule=6:14:2 or rule=45,55,65")
    if len(values) > MAX_VALUES:
        raise AssayError(f"'{name}' has {len(values):,} values; at most {MAX_VALUES} are played")
    for value in values:
        game.rules.parse([f"{name}={value}"])
    return Knob(name, values)


def _values(name: str, text: str) -> list[str]:
    if ";" in text:
        return [part.strip() for part in text.split(";") if part.strip()]
    if ":" not in text:
        return [part.strip() for part in text.split(",")]
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
        low, high, step = numbers if len(numbers) == 3 else (*numbers, 1)
        if step < 1 or high < low or (high - low) // step >= 10**6:
            raise ValueError
    except ValueError:
        raise AssayError(f"cannot read '{name}={text}': a range is from:to:step, for example 6:14:2") from None
    return [str(value) for value in range(low, high + 1, step)]
