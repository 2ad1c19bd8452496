"""What survives? The findings of a study, looked for again under other values of what is reconstructed.

A finding is a sentence that can be true or false of a game: this seat wins more than its share, that strategy wins most,
this label of a figure is the greatest. Each is looked for under many draws of the reconstructed values
(`Game.alternative`), on the same deals, and, as a control, under the shipped values on as many other sets of deals. What
fails on other deals already is open, whatever the draws say: there are too few games to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.field import Field, field
from analyses.frames import frame
from analyses.inputs import DEFAULT_SEATS, DEFAULT_SEED, Work, find_rules, find_strategies
from analyses.paired import WIN_SHARE, Figure, Key, figures, half_time, strategy_figures
from analyses.run import Run, run
from analyses.statistics import proportion
from analyses.steps import Step, play_steps
from analyses.tallied import Rows
from simcore.errors import AssayError
from simcore.game import Game, find_game
from simcore.plan import MAX_SEED
from simcore.rules import RuleSet

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_DEALS = 2_000
DEFAULT_DRAWS = 20
LEAST_DRAWS, MOST_DRAWS = 2, 200
MIXED_PART = 12  # of the deals of the table, one in so many is played by the mixed field, which takes many games a deal
LEAST_MIXED = 64
FIRM, LEANING, DEPENDENT, OPEN = "firm", "leaning", "dependent", "open"
FIRM_SHARE, LEANING_SHARE = 0.95, 0.7
SLACK = 0.1  # a number that moves by less than this part of itself stays what it is

Found = Mapping[Key, Figure]


@dataclass(frozen=True)
class Played:
    """What one set of rules gave: figures of the table, and shares of the strategies of a mixed field."""

    table: Found
    strategies: Mapping[str, float]


@dataclass(frozen=True)
class Finding:
    """A sentence about a game and the test of it: `question` it answers, the `figure` it is about, `text`, `holds` of what
    was played.
    """

    question: str
    figure: str
    text: str
    holds: Callable[[Played], bool]


@dataclass(frozen=True)
class Robustness:
    """Findings, and where they hold.

    Attributes
    ----------
    findings : of the shipped values
    drawn, control : what was played under each draw, and under the shipped values on other deals
    """

    game: Game
    rules: RuleSet
    strategy: str
    seats: int
    deals: int
    seed: int
    games: int
    findings: tuple[Finding, ...]
    drawn: tuple[Played, ...]
    control: tuple[Played, ...]

    @cached_property
    def rows(self) -> Rows:
        """A row a finding: `question`, `figure`, `finding`, `word`, `value`, the share of draws in which it holds, `control`."""
        rows = []
        for finding in self.findings:
            held = sum(finding.holds(played) for played in self.drawn)
            again = sum(finding.holds(played) for played in self.control)
            share, control = held / len(self.drawn), again / len(self.control)
            rows.append(
                {
                    "question": finding.question,
                    "figure": finding.figure,
                    "finding": finding.text,
                    "word": firmness(share, control),
                    "value": proportion(held, len(self.drawn)),
                    "control": control,
                }
            )
        return rows

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Tidy frames by name."""
        return {"robust": frame(self.rows)}

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `assay robust --json` prints it."""
        return {
            "game": self.game.name,
            "seats": self.seats,
            "strategy": self.strategy,
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "draws": len(self.drawn),
            "rules": self.rules.changes(),
            "findings": self.rows,
        }


def firmness(share: float, control: float) -> str:
    """How firm a finding is that holds in this share of the draws, and of the other sets of deals."""
    if control < FIRM_SHARE:
        return OPEN
    return FIRM if share >= FIRM_SHARE else LEANING if share >= LEANING_SHARE else DEPENDENT


def robust(
    game: str,
    *,
    strategy: str = "baseline",
    names: Sequence[str] = (),
    draws: int = DEFAULT_DRAWS,
    seats: int = DEFAULT_SEATS,
    deals: int = DEFAULT_DEALS,
    tolerance: float = 0.01,
    seed: int = DEFAULT_SEED,
    changes: Sequence[str] = (),
    rules: str | Path | None = None,
    work: Work | None = None,
) -> Robustness:
    """Look for the findings of a table and of a mixed field again under other reconstructed values.

    Parameters
    ----------
    strategy : sits at every seat of the table
    names : strategies of the mixed field, at least as many as seats; none without it
    draws : of the reconstructed values, and other sets of deals for the control
    tolerance : how far from its fair share a seat may be and still count as fair
    others : as in `analyses.run.run`

    Raises
    ------
    AssayError
        For a game without reconstructed values, and for anything that cannot be played, in one line.
    """
    chosen = find_game(game)
    if chosen.alternative is None:
        raise AssayError(f"{chosen.name} has no reconstructed components: there is nothing to draw anew")
    if not LEAST_DRAWS <= draws <= MOST_DRAWS:
        raise AssayError(f"draws must be a whole number from {LEAST_DRAWS} to {MOST_DRAWS}, not {draws}")
    chosen.check_seats(seats)
    if not 0 < tolerance < 0.5:
        raise AssayError(f"the tolerance must lie between 0 and 0.5, not {tolerance:g}")
    if names and (len(names) < seats or len(set(names)) < len(names)):
        raise AssayError(f"a mixed field of {seats} seats needs at least {seats} different strategies")
    find_strategies(chosen, names)
    shipped = find_rules(chosen, changes, rules)
    drawn = [chosen.alternative(shipped, number) for number in range(draws)]
    for one in (shipped, *drawn):
        chosen.fill_rules(one, seats)
    options = {"seats": seats}
    plays = {"shipped": (shipped, seed)}
    plays |= {f"draw-{number}": (one, seed) for number, one in enumerate(drawn)}
    plays |= {f"control-{number}": (shipped, (seed + 1 + number) % (MAX_SEED + 1)) for number in range(draws)}
    in_field = mixed_deals(deals)
    steps = []
    for name, (one, its_seed) in plays.items():
        given: dict[str, Any] = {**options, "seed": its_seed, "changes": assignments(one)}
        steps.append(Step(f"{name}-table", deals, partial(run, game, strategies=[strategy], deals=deals, **given)))
        if names:
            n_games = in_field * len(names) * seats
            steps.append(
                Step(
                    f"{name}-mixed",
                    n_games,
                    partial(field, game, names, deals=in_field, has_tallies=False, n_circles=1, **given),
                )
            )
    results = play_steps(steps, work or Work(), side_by_side=True)
    played = {name: _played(results[f"{name}-table"], results.get(f"{name}-mixed")) for name in plays}
    games = sum(result.plan.games for result in results.values())
    return Robustness(
        game=chosen,
        rules=shipped,
        strategy=strategy,
        seats=seats,
        deals=deals,
        seed=seed,
        games=games,
        findings=tuple(findings(chosen, shipped, seats, played["shipped"], tolerance)),
        drawn=tuple(played[f"draw-{number}"] for number in range(draws)),
        control=tuple(played[f"control-{number}"] for number in range(draws)),
    )


def mixed_deals(deals: int) -> int:
    """Deals of the mixed field beside so many of the table."""
    return max(deals // MIXED_PART, LEAST_MIXED)


def assignments(rules: RuleSet) -> list[str]:
    """The changes of rules as `name=value`."""
    found = []
    for name in rules.changes():
        found.append(f"{name}={','.join(map(str, rules.values[name].ravel().tolist()))}")
    return found


def _played(table: Run, mixed: Field | None) -> Played:
    shares = {} if mixed is None else {f.labels["strategy"]: f.value for f in strategy_figures(mixed)}
    return Played(figures(table), shares)


# --- findings ----------------------------------------------------------------------------------------------


def findings(game: Game, rules: RuleSet, seats: int, shipped: Played, tolerance: float) -> list[Finding]:
    """All that is looked for again."""
    found = [_seat(seat, 1 / seats, shipped, tolerance) for seat in range(1, seats + 1)]
    found += _strategies(shipped)
    found += _tension(game, rules, shipped, tolerance)
    for measure in game.economy:
        found += _figure(measure.name, measure.about, measure.unit, shipped)
    return found


def _seat(seat: int, fair: float, shipped: Played, tolerance: float) -> Finding:
    key: Key = (WIN_SHARE, (("seat", str(seat)),))

    def place(played: Played) -> int:
        gap = played.table[key].value - fair
        return 0 if abs(gap) <= tolerance else 1 if gap > 0 else -1

    where = place(shipped)
    words = {0: "wins its share", 1: "wins more than its share", -1: "wins less than its share"}
    return Finding(
        "seats",
        WIN_SHARE,
        f"Seat {seat} {words[where]} (within {100 * tolerance:g} in 100)",
        lambda p: place(p) == where,
    )


def _strategies(shipped: Played) -> list[Finding]:
    if not shipped.strategies:
        return []

    def ranked(played: Played) -> list[str]:
        return sorted(played.strategies, key=lambda name: -played.strategies[name])

    order = ranked(shipped)
    ends = [
        Finding(
            "strategies", WIN_SHARE, f"{order[0]} wins most in the mixed field", lambda p: ranked(p)[0] == order[0]
        ),
        Finding(
            "strategies", WIN_SHARE, f"{order[-1]} wins least in the mixed field", lambda p: ranked(p)[-1] == order[-1]
        ),
    ]
    if len(order) < 3:
        return ends
    best = set(order[:2])
    text = f"{' and '.join(order[:2])} are the best two"
    return [
        *ends,
        Finding("strategies", WIN_SHARE, text, lambda p: set(ranked(p)[:2]) == best),
    ]


def _tension(game: Game, rules: RuleSet, shipped: Played, tolerance: float) -> list[Finding]:
    label = half_time(game, rules)
    when = game.pace.when.format(label)
    wanted: list[tuple[Key, str]] = [
        (("win_by_place", (("round", label), ("place", "1"))), f"a leader {when} wins {{}} of 100 games"),
        (("lead_lost", (("until", "end"),)), f"{game.pace.ending} takes the lead away in {{}} of 100 games"),
    ]
    return [
        _about(key, text, shipped, max(2 * tolerance, SLACK * shipped.table[key].value), "tension", 100)
        for key, text in wanted
        if key in shipped.table
    ]


def _about(key: Key, text: str, shipped: Played, slack: float, question: str, times: int) -> Finding:
    """That a number stays within a slack of what it is."""
    value = shipped.table[key].value

    def holds(played: Played) -> bool:
        return key in played.table and abs(played.table[key].value - value) <= slack

    told = text.format(f"about {_short(times * value)}")
    return Finding(question, key[0], told[0].upper() + told[1:], holds)


def _short(value: float) -> str:
    """A number to three digits, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _figure(name: str, about: str, unit: str, shipped: Played) -> list[Finding]:
    """What can be said of a figure: which label has the most of it, or how much it is."""
    keys = [key for key in shipped.table if key[0] == name]
    if not keys:
        return []
    if len(keys) == 1:
        share = unit.startswith("share")
        told = f"{about}: {{}}{' in 100' if share else ' ' + unit}"
        slack = SLACK * abs(shipped.table[keys[0]].value)
        return [_about(keys[0], told, shipped, slack, "economy", 100 if share else 1)]

    def greatest(played: Played) -> Key | None:
        here = [key for key in keys if key in played.table]
        return max(here, key=lambda key: played.table[key].value) if here else None

    top = greatest(shipped)
    assert top is not None
    label = ", ".join(f"{axis} {value}" for axis, value in top[1]).replace("_", " ")
    return [Finding("economy", name, f"{about[0].upper() + about[1:]}: most at {label}", lambda p: greatest(p) == top)]
