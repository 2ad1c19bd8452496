"""What survives another chance of success in Coin Race, known exactly, and the words for it held to their thresholds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import analyses.robust
import tests.toy.coin_race
from analyses.field import field
from analyses.frames import plain
from analyses.inputs import Work
from analyses.paired import WIN_SHARE, Figure, Key
from analyses.robust import (
    DEPENDENT,
    FIRM,
    LEANING,
    LEAST_MIXED,
    OPEN,
    Finding,
    Played,
    Robustness,
    assignments,
    findings,
    firmness,
    mixed_deals,
    robust,
)
from analyses.run import run
from analyses.statistics import proportion
from reports import figures as draw
from reports.cli import main
from reports.robust import LONGEST, ordered, questions, sentences, verdicts, words
from reports.tables import View
from reports.terminal import WIDTH
from simcore.errors import AssayError
from simcore.game import GAMES, find_game
from simcore.plan import MAX_SEED
from simcore.rules import RuleSet
from tests.test_toy import Race
from tests.test_vary import field_shares, halved, known
from tests.toy.coin_race import LEAST_RISK, RISKS

NAME = "coin_race"
FIELD = ("baseline", "gambler", "follower")
SEATS, DRAWS, DEALS = 3, 14, 40_000
TOLERANCE, SLACK = 0.01, 0.1
SURE_TABLE, SURE_FIELD = 0.013, 0.025  # no share of wins is likely to be found farther off


def risk_of(number: int) -> int:
    """The chance of success in a draw."""
    return LEAST_RISK + 7 * number % RISKS


# --- what is known -----------------------------------------------------------------------------------------


@cache
def truth(risk_percent: int) -> tuple[Mapping[Key, float], Mapping[str, float]]:
    """Figures of a table of followers, and the shares of a mixed field."""
    race = Race(("follower",) * SEATS, risk_percent=risk_percent)
    return known(race), field_shares(race, FIELD)


Margin = Callable[[int], float]  # by how much a finding holds under a chance of success; below 0 it does not


def known_findings() -> list[tuple[str, Margin, float]]:
    """What is to be found of 50 per cent: the finding's words up to its number, its margin, and what is sure of that."""
    shipped, field_there = truth(50)
    found: list[tuple[str, Margin, float]] = []
    for seat in range(1, SEATS + 1):
        key: Key = (WIN_SHARE, (("seat", str(seat)),))
        side = 1 if shipped[key] > 1 / SEATS else -1
        assert abs(shipped[key] - 1 / SEATS) > 0.02
        text = f"Seat {seat} wins {'more' if side > 0 else 'less'} than its share (within 1 in 100)"
        found.append((text, partial(beyond, key, side), SURE_TABLE))
    order = sorted(FIELD, key=lambda name: -field_there[name])
    found += [
        (f"{order[0]} wins most in the mixed field", partial(gap, order[:1]), SURE_FIELD),
        (f"{order[-1]} wins least in the mixed field", partial(gap, order[:-1]), SURE_FIELD),
        (f"{order[0]} and {order[1]} are the best two", partial(gap, order[:2]), SURE_FIELD),
    ]
    leader = halved(Race(("follower",) * SEATS))
    found.append(("A leader after round 1 wins about ", partial(near, leader, 0.02), SURE_TABLE))
    found.append(("The final scoring takes the lead away in about 0 of 100 games", lambda p: 1.0, 0.0))
    for name, text in (
        ("risky_share", "Share of throws that are risky: about "),
        ("success", "Share of risky throws that succeed: about "),
    ):
        found.append((text, partial(near, (name, ()), 0), 0.01))
    rounds = [("risky_by_round", (("round", str(number)),)) for number in (1, 2, 3)]
    top = max(rounds, key=lambda key: shipped[key])
    text = f"Share of throws that are risky, by round: most at round {top[1][0][1]}"
    found.append((text, lambda p: truth(p)[0][top] - max(truth(p)[0][key] for key in rounds if key != top), 0.01))
    return found


def beyond(key: Key, side: int, risk_percent: int) -> float:
    """How far a seat is on that side of its share and of what counts as none."""
    return side * (truth(risk_percent)[0][key] - 1 / SEATS) - TOLERANCE


def gap(best: list[str], risk_percent: int) -> float:
    """By how much the worst of these strategies wins more than the best of the rest."""
    shares = truth(risk_percent)[1]
    return min(shares[name] for name in best) - max(share for name, share in shares.items() if name not in best)


def near(key: Key, least: float, risk_percent: int) -> float:
    """How far a number is from moving too far from what it is at 50 per cent."""
    was, now = truth(50)[0][key], truth(risk_percent)[0][key]
    return max(least, SLACK * was) - abs(now - was)


# --- known answers -----------------------------------------------------------------------------------------


@cache
def study() -> Robustness:
    return robust(NAME, strategy="follower", names=FIELD, draws=DRAWS, seats=SEATS, deals=DEALS)


def test_the_share_of_draws_in_which_a_finding_holds_is_found() -> None:
    rows = {row["finding"]: row for row in study().rows}
    risks = [risk_of(number) for number in range(DRAWS)]
    assert len(set(risks)) == DRAWS
    n_open, seen = 0, set()
    for text, margin, sure in known_findings():
        (row,) = [row for finding, row in rows.items() if finding.startswith(text)]
        margins = [margin(risk) for risk in risks]
        low, high = (sum(one > edge for one in margins) for edge in (sure, -sure))
        n_open += high - low
        held = round(row["value"].estimate * DRAWS)
        assert low <= held <= high
        one = proportion(held, DRAWS)
        assert (row["value"].low, row["value"].high) == (one.low, one.high)
        if margin(50) > 1.5 * sure:
            assert row["control"] == 1
            assert row["word"] == word_of(held / DRAWS)
            seen.add(row["word"])
    assert len(rows) == len(known_findings()) + 1  # by chance, which of the two throws brings more
    assert n_open <= DRAWS
    assert seen >= {FIRM, DEPENDENT}


def word_of(share: float) -> str:
    return FIRM if share >= 0.95 else LEANING if share >= 0.7 else DEPENDENT


def test_a_finding_that_other_deals_do_not_bear_out_is_open() -> None:
    """At 50 per cent a risky throw brings what a safe one does, and what is found is chance."""
    (row,) = [row for row in study().rows if row["finding"].startswith("Coins that a throw brings")]
    assert 0 < row["control"] < 0.95
    assert row["word"] == OPEN


def test_chance_that_the_draws_share_is_no_finding() -> None:
    """All draws play the same deals: with few of them a seat that won by luck does so in every draw, and it is open."""
    result = robust(NAME, strategy="random", draws=8, seats=2, deals=32, changes=["rounds=1"], seed=3)
    rows = [row for row in result.rows if row["question"] == "seats"]
    assert any(row["value"].estimate > row["control"] for row in rows)
    assert all(row["word"] == OPEN for row in rows)


def test_seats_that_are_even_are_firm_at_any_chance_of_success() -> None:
    result = robust(NAME, strategy="gambler", draws=6, seats=2, deals=DEALS)
    for seat in (1, 2):
        (row,) = [row for row in result.rows if row["finding"].startswith(f"Seat {seat} ")]
        assert row["finding"] == f"Seat {seat} wins its share (within 1 in 100)"
        assert (row["word"], row["value"].estimate, row["control"]) == (FIRM, 1, 1)


def test_counts_of_draws_and_controls_are_those_of_separate_runs() -> None:
    """Every draw and every control played by itself, and counted by hand."""
    given: dict[str, Any] = {"strategies": "follower", "seats": SEATS, "deals": 320}
    result = robust(NAME, strategy="follower", names=FIELD, draws=9, seats=SEATS, deals=320, seed=5)
    shipped = run(NAME, seed=5, **given)
    drawn = [run(NAME, seed=5, changes=[f"risk_percent={risk_of(number)}"], **given) for number in range(9)]
    control = [run(NAME, seed=6 + number, **given) for number in range(9)]
    rows = {row["finding"]: row for row in result.rows}
    for seat in range(SEATS):
        (text,) = [text for text in rows if text.startswith(f"Seat {seat + 1} ")]
        where = side(shipped, seat)
        assert text.split(" wins ")[1].split()[0] == {-1: "less", 0: "its", 1: "more"}[where]
        assert rows[text]["value"].estimate == sum(side(one, seat) == where for one in drawn) / 9
        assert rows[text]["control"] == sum(side(one, seat) == where for one in control) / 9
    (text,) = [text for text in rows if text.startswith("Share of risky throws that succeed: about ")]
    was, *now = (one.economy_rows["success"][0]["value"].estimate for one in (shipped, *drawn, *control))
    held = [abs(one - was) <= SLACK * was for one in now]
    assert (rows[text]["value"].estimate, rows[text]["control"]) == (sum(held[:9]) / 9, sum(held[9:]) / 9)
    assert text.endswith(f"about {100 * was:.3g} in 100")
    fields = [
        field(NAME, FIELD, seats=SEATS, deals=LEAST_MIXED, seed=seed, n_circles=1, changes=[f"risk_percent={risk}"])
        for seed, risk in [(5, 50), *((5, risk_of(n)) for n in range(9)), *((6 + n, 50) for n in range(9))]
    ]
    winners = [max(one.strategy_rows, key=lambda row: row["win_share"].estimate)["name"] for one in fields]
    row = rows[f"{winners[0]} wins most in the mixed field"]
    assert (row["value"].estimate, row["control"]) == (
        winners[1:10].count(winners[0]) / 9,
        winners[10:].count(winners[0]) / 9,
    )
    assert result.games == 19 * (320 + sum(one.plan.games for one in fields[:1]))


def side(played: Any, seat: int) -> int:
    """Whether a seat wins less than its share, its share, or more."""
    gap = played.seat_rows[seat]["win_share"].estimate - 1 / SEATS
    return 0 if abs(gap) <= TOLERANCE else 1 if gap > 0 else -1


# --- words for made-up results -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "again", "word"),
    [
        (20, 20, FIRM),
        (19, 20, FIRM),
        (18, 20, LEANING),
        (14, 20, LEANING),
        (13, 20, DEPENDENT),
        (0, 20, DEPENDENT),
        (20, 19, FIRM),
        (15, 19, LEANING),
        (2, 19, DEPENDENT),
        (20, 18, OPEN),
        (19, 18, OPEN),
        (15, 18, OPEN),
        (0, 18, OPEN),
        (20, 0, OPEN),
        (0, 0, OPEN),
    ],
)
def test_a_finding_gets_the_word_that_its_counts_call_for(held: int, again: int, word: str) -> None:
    def played(n: int) -> tuple[Played, ...]:
        return tuple(Played({}, {"it holds": float(at < n)}) for at in range(20))

    finding = Finding("seats", WIN_SHARE, "It holds", lambda one: one.strategies["it holds"] > 0)
    result = replace(study(), findings=(finding,), drawn=played(held), control=played(again))
    (row,) = result.rows
    assert (row["word"], row["value"].estimate, row["control"]) == (word, held / 20, again / 20)
    assert row["value"].n == 20
    assert firmness(held / 20, again / 20) == word


def made_up(
    seats: list[int],
    success: int = 50,
    throws: tuple[int, int] = (10, 20),
    shares: Mapping[str, float] = MappingProxyType({}),
) -> Played:
    """What 1,000 games might have given: wins of the seats, successes in 100 risky throws, coins of throws."""

    def figure(name: str, above: int, below: int, **labels: str) -> Figure:
        return Figure(name, labels, "share", np.array([above]), np.array([below]))

    made = [figure(WIN_SHARE, wins, 1_000, seat=str(at)) for at, wins in enumerate(seats, 1)]
    made += [figure("success", success, 100)]
    made += [figure("coins_by_throw", n, 10, throw=throw) for n, throw in zip(throws, ("safe", "risky"), strict=True)]
    return Played({one.key: one for one in made}, shares)


def found_in(shipped: Played, tolerance: float = 0.01) -> dict[str, Finding]:
    game = find_game(NAME)
    seats = sum(key[0] == WIN_SHARE for key in shipped.table)
    return {one.text: one for one in findings(game, game.rules.defaults(), seats, shipped, tolerance)}


def test_seats_are_looked_for_where_they_were() -> None:
    found = found_in(made_up([300, 334, 366]))
    less, fair, more = (found[f"Seat {at} wins {text} (within 1 in 100)"] for at, text in (
        (1, "less than its share"), (2, "its share"), (3, "more than its share")
    ))  # fmt: skip
    assert less.question == "seats"
    for wins, holds in ((0, (1, 0, 0)), (323, (1, 0, 0)), (324, (0, 1, 0)), (343, (0, 1, 0)), (344, (0, 0, 1))):
        again = made_up([wins] * 3)
        assert tuple(one.holds(again) for one in (less, fair, more)) == holds
    assert "Seat 1 wins its share (within 5 in 100)" in found_in(made_up([300, 334, 366]), 0.05)
    assert "Seat 1 wins less than its share (within 0.5 in 100)" in found_in(made_up([300, 334, 366]), 0.005)


def test_strategies_are_looked_for_in_their_order() -> None:
    found = found_in(made_up([500, 500], shares={"a": 0.3, "b": 0.5, "c": 0.2}))
    most, least, best = (
        found[text]
        for text in ("b wins most in the mixed field", "c wins least in the mixed field", "b and a are the best two")
    )
    for shares, holds in (
        ({"a": 0.3, "b": 0.5, "c": 0.2}, (1, 1, 1)),
        ({"a": 0.5, "b": 0.3, "c": 0.2}, (0, 1, 1)),
        ({"a": 0.2, "b": 0.5, "c": 0.3}, (1, 0, 0)),
        ({"a": 0.1, "b": 0.2, "c": 0.7}, (0, 0, 0)),
    ):
        again = made_up([500, 500], shares=shares)
        assert tuple(one.holds(again) for one in (most, least, best)) == holds
    assert not [text for text in found_in(made_up([500, 500])) if "mixed" in text]
    assert not [
        text for text in found_in(made_up([500, 500], shares={"a": 0.6, "b": 0.4})) if "best two" in text
    ]  # they always are


def test_numbers_may_move_by_a_tenth_and_the_greatest_must_stay_it() -> None:
    found = found_in(made_up([500, 500], success=40))
    about = found["Share of risky throws that succeed: about 40 in 100"]
    assert [about.holds(made_up([500, 500], success=n)) for n in (35, 37, 40, 43, 45)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    most = found["Coins that a throw brings, by its kind: most at throw risky"]
    assert [most.holds(made_up([500, 500], throws=n)) for n in ((10, 20), (20, 19), (0, 1))] == [True, False, True]
    assert not about.holds(Played({}, {}))
    assert not most.holds(Played({}, {}))


def test_leaders_may_win_a_tenth_more_or_twice_the_tolerance() -> None:
    for key, text in (
        (("win_by_place", (("round", "1"), ("place", "1"))), "A leader after round 1 wins about {} of 100 games"),
        (("lead_lost", (("until", "end"),)), "The final scoring takes the lead away in about {} of 100 games"),
    ):
        for wins, apart in ((600, 60), (100, 20)):
            one = found_in(with_share(key, wins))[text.format(wins // 10)]
            assert one.question == "tension"
            held = [
                one.holds(with_share(key, wins + change)) for change in (-apart - 1, 1 - apart, apart - 1, apart + 1)
            ]
            assert held == [False, True, True, False]


def with_share(key: Key, wins: int) -> Played:
    """What 1,000 games might have given of one more figure."""
    shipped = made_up([500, 500])
    figure = Figure(key[0], dict(key[1]), "share", np.array([wins]), np.array([1_000]))
    return replace(shipped, table={**shipped.table, key: figure})


def test_large_numbers_are_told_in_full() -> None:
    key: Key = ("success", ())
    figure = Figure("success", {}, "coins", np.array([1_234_567]), np.array([100]))
    shipped = made_up([500, 500])
    game = find_game(NAME)
    economy = tuple(replace(m, unit="coins") if m.name == "success" else m for m in game.economy)
    found = findings(
        replace(game, economy=economy),
        game.rules.defaults(),
        2,
        replace(shipped, table={**shipped.table, key: figure}),
        0.01,
    )
    assert "Share of risky throws that succeed: about 12,346 coins" in [one.text for one in found]


# --- other completions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(GAMES))
def test_only_what_is_reconstructed_is_drawn_anew(name: str) -> None:
    game = find_game(name)
    assert game.alternative is not None
    shipped = game.rules.defaults()
    keys = set()
    for number in range(12):
        drawn = game.alternative(shipped, number)
        for rule in game.rules.rules.values():
            moved = drawn.values[rule.name] != rule.default
            assert set(rule.provenance[moved].ravel().tolist()) <= {"reconstructed"}
        for seats in game.seats:
            game.fill_rules(drawn, seats)
        assert game.alternative(shipped, number).key() == drawn.key()
        assert game.rules.parse(assignments(drawn)).key() == drawn.key()
        keys.add(drawn.key())
    assert len(keys) >= 10


def test_changed_rules_stay_changed_in_draws_and_controls(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("safe_coins = 0\nrisky_coins = 3\n")
    changes = ["rounds=1", "head_start=0,20", "barred[1,safe]=1", "barred[2,risky]=1"]
    result = robust(NAME, draws=3, seats=2, deals=64, changes=changes, rules=file)
    assert result.rules.changes() == {
        "rounds": 1,
        "safe_coins": 0,
        "risky_coins": 3,
        "head_start": [0, 20, 20, 20],
        "barred": [[1, 0], [0, 1], [0, 0], [0, 0]],
    }
    for played in (*result.drawn, *result.control):
        assert played.table[WIN_SHARE, (("seat", "2"),)].value == 1
        assert played.table["risky_share", ()].value == 0.5
        assert {key for key in played.table if key[0] == "risky_by_round"} == {("risky_by_round", (("round", "1"),))}


def test_the_draws_are_of_the_chance_of_success_alone() -> None:
    result = robust(NAME, strategy="gambler", draws=4, seats=2, deals=20_000)
    found = [one.table["success", ()].value for one in result.drawn]
    assert found == pytest.approx([risk_of(number) / 100 for number in range(4)], abs=0.01)
    again = [one.table["success", ()].value for one in result.control]
    assert again == pytest.approx([0.5] * 4, abs=0.01)
    assert len(set(again)) == 4  # other deals


# --- bad input ---------------------------------------------------------------------------------------------

TOO_FEW = "a mixed field of 4 seats needs at least 4 different strategies"
NEVER = Work(progress=lambda *_: pytest.fail("a game was played"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"draws": 1}, "draws must be a whole number from 2 to 200, not 1"),
        ({"draws": 201}, "draws must be a whole number from 2 to 200, not 201"),
        ({"tolerance": 0.0}, "the tolerance must lie between 0 and 0.5, not 0"),
        ({"tolerance": 0.5}, "the tolerance must lie between 0 and 0.5, not 0.5"),
        ({"names": FIELD}, TOO_FEW),
        ({"names": ["baseline"] * 4}, TOO_FEW),
        (
            {"names": [*FIELD, "nobody"], "work": NEVER},
            "unknown strategy of coin_race 'nobody' (known: baseline, random, follower, gambler)",
        ),
        ({"strategy": "nobody"}, "unknown strategy of coin_race 'nobody' (known: baseline, random, follower, gambler)"),
        ({"seats": 5}, "coin_race seats 2 to 4 players, not 5"),
        ({"deals": 0}, "deals must be a whole number from 1 to 10,000,000,000, not 0"),
        ({"seed": -1}, "the seed must be a whole number from 0 to 9223372036854775807, not -1"),
        ({"changes": ["rounds=0"]}, "rule 'rounds' cannot be 0: it allows a whole number from 1 to 10 (rounds)"),
        ({"changes": ["barred[2]=1,1"], "work": NEVER}, "rule 'barred' leaves seat 2 without a throw"),
        ({"rules": "no such.toml"}, "cannot read 'no such.toml': No such file or directory"),
        ({"work": Work(jobs=-1)}, "jobs must be a whole number from 0 (one a processor) to 1024, not -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssayError) as fault:
        robust(NAME, **{"deals": 32, "draws": 2, **given})
    assert str(fault.value) == said


def test_a_game_of_which_nothing_is_reconstructed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tests.toy.coin_race, "GAME", replace(find_game(NAME), alternative=None))
    with pytest.raises(AssayError) as fault:
        robust(NAME)
    assert str(fault.value) == "coin_race has no reconstructed components: there is nothing to draw anew"


def test_a_draw_that_cannot_be_played_is_refused_before_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(rules: RuleSet, number: int) -> RuleSet:
        return rules.replaced("barred", np.full((4, 2), int(number == 2)))

    monkeypatch.setattr(tests.toy.coin_race, "GAME", replace(find_game(NAME), alternative=spoilt))
    with pytest.raises(AssayError, match="rule 'barred' leaves seat 1 without a throw"):
        robust(NAME, draws=3, seats=2, deals=32, work=NEVER)


# --- the same bits -----------------------------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs() -> None:
    told: list[tuple[int, int]] = []
    first, again, spread = (
        robust(NAME, strategy="random", names=FIELD, draws=2, seats=3, deals=40_000, work=work)
        for work in (Work(1, progress=lambda *n: told.append(n)), Work(1), Work(2))
    )
    assert first.as_dict() == again.as_dict() == spread.as_dict()
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    json.dumps(plain(first.as_dict()), allow_nan=False)


def test_a_folder_for_results_changes_nothing(tmp_path: Path) -> None:
    bare, kept, found_again = (
        robust(NAME, draws=2, seats=2, deals=64, work=Work(out=out)) for out in (None, tmp_path, tmp_path)
    )
    assert bare.as_dict() == kept.as_dict() == found_again.as_dict()
    assert len(list(tmp_path.iterdir())) == 5


def test_more_draws_begin_with_the_same_ones() -> None:
    few, more = (robust(NAME, strategy="random", draws=draws, seats=2, deals=64) for draws in (2, 4))
    for one, other in zip((*few.drawn, *few.control), (*more.drawn[:2], *more.control[:2]), strict=True):
        assert {key: figure.value for key, figure in one.table.items()} == {
            key: figure.value for key, figure in other.table.items()
        }


def test_the_last_seed_has_controls_too() -> None:
    result = robust(NAME, strategy="random", draws=2, seats=2, deals=32, seed=MAX_SEED)
    other = robust(NAME, strategy="random", draws=2, seats=2, deals=32, seed=MAX_SEED - 1)
    values = [
        [one.table[WIN_SHARE, (("seat", "1"),)].above.tolist() for one in played.control] for played in (result, other)
    ]
    assert values[1][1] == values[0][0]


def test_a_mixed_field_plays_fewer_deals() -> None:
    assert (mixed_deals(2_000), mixed_deals(40_000), mixed_deals(32)) == (166, 3_333, LEAST_MIXED)


# --- in words and on the page ------------------------------------------------------------------------------


def view_of(result: Robustness) -> View:
    """A view of these frames alone."""
    view = object.__new__(View)
    view.frames, view.game = result.frames, result.game
    return view


def test_words_hold_the_numbers_of_the_rows() -> None:
    result = study()
    text = words(result)
    lines = text.splitlines()
    assert max(map(len, lines)) <= WIDTH
    for row in result.rows:
        (line,) = [line for line in lines if line.endswith("  " + row["finding"])]
        told = [f"{100 * row['value'].estimate:.0f}", "%", f"{100 * row['control']:.0f}", "%"]
        assert line.split()[:5] == [row["word"], *told]
    order = [(row["word"], row["value"].estimate) for row in ordered(result.rows)]
    rank = (FIRM, LEANING, DEPENDENT, OPEN)
    assert order == sorted(order, key=lambda pair: (rank.index(pair[0]), -pair[1]))
    assert text.count(f"under {DRAWS} other completions: ") == 1


@pytest.mark.parametrize("game", sorted({*GAMES} - {NAME}))
def test_other_games_are_told_too(game: str) -> None:
    result = robust(game, draws=2, seats=min(find_game(game).seats), deals=32)
    assert max(map(len, words(result).splitlines())) <= WIDTH
    assert len(result.rows) > len(result.game.economy)


def test_findings_too_long_for_a_line_keep_what_is_said() -> None:
    long = "Share of something that takes a great many words to say what it is and where: most at round 3"
    row = {**study().rows[0], "finding": long}
    result = replace(study(), findings=())
    result.__dict__["rows"] = [row]
    (line,) = [line for line in words(result).splitlines() if "Share of something" in line and "…" in line]
    assert line.endswith("…: most at round 3")
    assert len(line) <= WIDTH
    assert len(line[line.index("Share") :]) <= LONGEST


def test_sentences_count_the_findings_by_word() -> None:
    rows = [
        {"question": "seats", "finding": f"Finding {at}", "word": word, "value": proportion(n, 20), "control": 1.0}
        for at, (word, n) in enumerate([(FIRM, 20), (LEANING, 15), *[(DEPENDENT, 3)] * 4, (OPEN, 1), (OPEN, 2)])
    ]
    result = replace(study(), findings=())
    result.__dict__["rows"] = rows
    first, hanging, most = sentences(result)
    assert first == f"Of eight findings under {DRAWS} other completions: 1 firm, 1 leaning, 4 dependent and 2 open."
    named = ", ".join(f"“Finding {at}” (15\u00a0% of draws)" for at in (2, 3))
    assert hanging == f"Hanging on the reconstruction: {named} and “Finding 4” (15\u00a0% of draws) and one other."
    assert most == "Holding in most completions only: “Finding 1” (75\u00a0% of draws)."
    result.__dict__["rows"] = rows[:1]
    (verdict,) = verdicts(view_of(result), result)
    assert verdict.meaning == "None hangs on the reconstruction."


@pytest.mark.parametrize("strategy", ["follower", "baseline"])
def test_the_page_tells_the_numbers_of_the_frame(strategy: str) -> None:
    result = study() if strategy == "follower" else robust(NAME, strategy=strategy, draws=3, seats=2, deals=64)
    view = view_of(result)
    (question,) = questions(view, result)
    (table,) = question.tables
    rows = result.frames["robust"]
    assert set(question.files) == set(result.frames) == {table.source}
    assert len(table.rows) == len(rows) == len(result.rows)
    for finding, word, share, control in table.rows:
        row = rows.loc[share.row]
        assert (row["finding"], row["word"]) == (finding.text, word.text)
        assert (float(share.value), float(control.value)) == (row["estimate"], row["control"])
        assert (share.row, control.column) == (control.row, "control")
    assert any("the reconstructed risk percent" in text for text in question.sure)
    assert question.picture is not None
    draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))
    (verdict,) = verdicts(view, result)
    assert verdict.question == question.id
    assert all("nan" not in text for text in (*question.answer, *question.sure, verdict.text, verdict.meaning))


# --- the command -------------------------------------------------------------------------------------------


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a command prints, or complains of."""

    def run_command(*argv: str, code: int = 0) -> str:
        assert main(list(argv)) == code
        said, complaint = capsys.readouterr()
        assert (complaint == "") == (code == 0)
        return complaint if code else said

    return run_command


def test_the_command_tells_and_keeps_what_the_analysis_finds(told: Callable[..., str], tmp_path: Path) -> None:
    options = ("--strategy", "follower", "--draws", "3", "--tolerance", "2.5", "--seats", "3", "--deals", "320")
    command = ("robust", NAME, *options, "--seed", "4", "--set", "rounds=2")
    result = robust(
        NAME,
        strategy="follower",
        names=FIELD,
        draws=3,
        tolerance=0.025,
        seats=3,
        deals=320,
        seed=4,
        changes=["rounds=2"],
    )
    named = (*command, "--field", ",".join(FIELD))
    assert json.loads(told(*named, "--json")) == plain(result.as_dict())
    assert told(*named) == words(result) + "\n"
    folder = tmp_path / "kept"
    assert told(*named, "--out", str(folder)) == words(result) + "\n"
    assert {path.stem for path in folder.glob("*.csv")} == {"robust"}
    assert told(*command, "--field", "gambler,random", code=2) == (
        "assay: a mixed field of 3 seats needs at least 3 different strategies\n"
    )


def test_the_command_plays_a_mixed_field_where_strategies_fill_the_seats(told: Callable[..., str]) -> None:
    for seats, has_field in ((3, True), (4, False)):
        document = json.loads(told("robust", NAME, "--draws", "2", "--seats", str(seats), "--deals", "32", "--json"))
        assert any(row["question"] == "strategies" for row in document["findings"]) == has_field
        assert document["draws"] == 2
        assert document["games"] == 5 * (32 + has_field * LEAST_MIXED * 3 * 3)
    assert analyses.robust.DEFAULT_DRAWS == 20
