"""What gifts and throws are worth in Coin Race: known exactly, as a seat that is barred from the one throws the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from scipy import stats

import analyses.worth
import tests.toy.coin_race
from analyses.frames import plain
from analyses.inputs import Work
from analyses.paired import WIN_SHARE
from analyses.play import play
from analyses.run import run
from analyses.statistics import Estimate
from analyses.worth import DEAD, FORBIDDEN, GIVEN, HELPS, HURTS, OPEN, Worth, worth
from reports import figures as draw
from reports.cli import main
from reports.tables import View
from reports.terminal import WIDTH
from reports.worth import HARDLY, NEARLY, ordered, questions, sentences, verdicts, words
from simcore.errors import AssayError
from simcore.game import GAMES, SIXTIETHS, WIN, find_game
from simcore.plan import play_part
from tests.referee.coin_race import Foul, check
from tests.test_toy import Race, shared_win, widened

NAME = "coin_race"
GIFTS = {"one coin": 1, "two coins": 2, "three coins": 3}
OTHER = {"throwing safe": "gambler", "throwing risky": "baseline"}  # what who is barred from it plays like
MEASURES = (WIN_SHARE, "score", "risky_throws", "coins_risked")


# --- what is known -----------------------------------------------------------------------------------------


def figures(race: Race) -> dict[str, list[float]]:
    """Means of each seat."""
    risky = np.sum([race.risky_throws(number) for number in range(1, race.rounds + 1)], axis=0)
    return {
        WIN_SHARE: race.win_shares,
        "score": race.scores,
        "risky_throws": list(risky),
        "coins_risked": list(risky * race.risky_coins),
    }


@cache
def known(race: Race) -> dict[str, dict[str, float]]:
    """The effect of each item on each measure, mean over the seats that are given it or kept from it."""
    found: dict[str, dict[str, float]] = {}
    base = figures(race)
    for item in (*GIFTS, *OTHER):
        changed = [figures(with_item(race, item, seat)) for seat in range(race.seats)]
        sign = 1 if item in GIFTS else -1
        found[item] = {
            measure: sign
            * float(np.mean([changed[seat][measure][seat] - base[measure][seat] for seat in range(race.seats)]))
            for measure in MEASURES
        }
    return found


def with_item(race: Race, item: str, seat: int) -> Race:
    """The race in which a seat was given a gift, or is barred from a throw."""
    if item in GIFTS:
        start = list(race.head_start)
        start[seat] = GIFTS[item]
        return replace(race, head_start=tuple(start))
    return replace(race, table=(*race.table[:seat], OTHER[item], *race.table[seat + 1 :]))


def known_held(race: Race, coins: int) -> float | None:
    """The share of wins of seats that end with so many coins or more, if any do; coins are never lost."""
    seen = won = 0.0
    for end, chance in race.standings[-1].items():
        for have, share in zip(end, shared_win(end), strict=True):
            seen += chance * (have >= coins)
            won += chance * share * (have >= coins)
    return won / seen if seen else None


def race_of(strategy: str, seats: int, rules: Mapping[str, Any] = MappingProxyType({})) -> Race:
    return Race((strategy,) * seats, **rules)


# --- known answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "seats", "rules"),
    [
        ("random", 2, {"risk_percent": 40, "risky_coins": 3}),
        ("random", 4, {}),
        ("follower", 3, {"risk_percent": 60}),
        ("gambler", 3, {"risk_percent": 35}),
        ("baseline", 3, {"rounds": 2}),
    ],
)
def test_what_everything_is_worth_is_found(strategy: str, seats: int, rules: dict[str, int]) -> None:
    race = race_of(strategy, seats, rules)
    changes = [f"{name}={value}" for name, value in rules.items()]
    result = worth(NAME, strategy=strategy, seats=seats, deals=20_000, changes=changes)
    true = known(race)
    assert [(row["kind"], row["item"]) for row in result.rows] == [
        *((GIVEN, item) for item in GIFTS),
        *((FORBIDDEN, item) for item in OTHER),
    ]
    n_sure = 0
    for row in result.rows:
        for measure in MEASURES:
            estimate = row["effect" if measure == WIN_SHARE else measure]
            wide = widened(estimate)
            assert wide.low - 1e-9 <= true[row["item"]][measure] <= wide.high + 1e-9
            assert wide.high - wide.low < (0.06 if measure == WIN_SHARE else 0.3)
        effect = true[row["item"]][WIN_SHARE]
        if abs(effect) > 0.03:
            assert row["verdict"] == (HELPS if effect > 0 else HURTS)
            n_sure += 1
        if abs(effect) < 1e-9:
            assert row["verdict"] in (DEAD, OPEN)
        held = known_held(race, GIFTS[row["item"]]) if row["kind"] == GIVEN else None
        if held is not None:
            wide = widened(row["held"])
            assert wide.low - 1e-9 <= held <= wide.high + 1e-9
            assert row["held_gap"] == row["held"].estimate - 1 / seats
        else:
            assert "held" not in row
    assert n_sure >= 3
    for row in result.swap_rows:
        effect = true[row["item"]][WIN_SHARE] - true[row["instead_of"]][WIN_SHARE]
        wide = widened(row["effect"])
        assert wide.low - 1e-9 <= effect <= wide.high + 1e-9


def test_who_always_holds_a_card_tells_nothing_of_what_it_is_worth() -> None:
    """Three coins at the end are much the better, and a coin at the start as good as two if nobody else throws."""
    race = race_of("baseline", 3)
    result = worth(NAME, list(GIFTS), strategy="baseline", seats=3, deals=320)
    assert [known_held(race, coins) for coins in (1, 2, 3)] == pytest.approx([1 / 3] * 3)
    for row in result.rows:
        assert row["held"].estimate == pytest.approx(1 / 3)
        assert row["effect"].estimate == pytest.approx(2 / 3)
        assert known(race)[row["item"]][WIN_SHARE] == pytest.approx(2 / 3)
    assert result.agreement is None  # all are alike


def test_an_option_that_a_strategy_never_takes_is_worth_exactly_nothing() -> None:
    for strategy, item in (("baseline", "throwing risky"), ("gambler", "throwing safe")):
        result = worth(NAME, [item], strategy=strategy, seats=4, deals=1_000)
        (row,) = result.rows
        assert row["effect"].estimate == 0
        assert [row[measure].estimate for measure in MEASURES[1:]] == [0, 0, 0]
        assert row["verdict"] == DEAD
        assert row["effect"].high == -row["effect"].low == pytest.approx(1 - 0.025 ** (1 / 1_000))


def test_deals_unseen_may_need_an_option() -> None:
    """With few deals nothing is known to be missed by nobody; an interval of no width would say that it is."""
    (row,) = worth(NAME, ["throwing risky"], seats=4, deals=64).rows
    assert (row["effect"].estimate, row["verdict"]) == (0, OPEN)
    assert row["effect"].high > 0.05
    (row,) = worth(NAME, ["throwing risky"], strategy="gambler", seats=2, deals=64, changes=["risk_percent=0"]).rows
    u = 1 - 0.025 ** (1 / 64)
    assert row["effect"].estimate == pytest.approx(-1 / 2)  # a tie of nobody's coins becomes a win
    assert (row["effect"].low, row["effect"].high) == pytest.approx((-0.5 - 0.5 * u, -0.5 + 1.5 * u))
    assert row["verdict"] == HURTS


def test_a_gift_that_a_seat_has_anyway_brings_exactly_nothing() -> None:
    result = worth(NAME, ["two coins"], strategy="random", seats=3, deals=640, changes=["head_start=2"])
    (row,) = result.rows
    assert (row["effect"].estimate, row["score"].estimate) == (0, 0)
    for given in result.played[GIVEN, "two coins"]:
        assert (given.part.tallies["sums"] == result.base.part.tallies["sums"]).all()


def test_verdicts_follow_from_the_interval_and_the_tolerance() -> None:
    found = {
        tolerance: worth(NAME, strategy="random", seats=3, deals=3_200, tolerance=tolerance)
        for tolerance in (0.0001, 0.01, 0.45)
    }
    seen = {row["verdict"] for row in worth(NAME, ["throwing risky"], strategy="random", seats=2, deals=32).rows}
    assert seen == {OPEN}
    for tolerance, result in found.items():
        for row in result.rows:
            low, high = row["effect"].low, row["effect"].high
            expected = HELPS if low > 0 else HURTS if high < 0 else OPEN
            if max(abs(low), abs(high)) < tolerance:
                expected = DEAD
            assert row["verdict"] == expected
            seen.add(expected)
        assert [row["effect"] for row in result.rows] == [row["effect"] for row in found[0.01].rows]
    assert seen >= {HELPS, DEAD, OPEN}


# --- identities --------------------------------------------------------------------------------------------


@cache
def study() -> Worth:
    return worth(NAME, strategy="random", seats=3, deals=3_200)


def test_effects_are_means_over_seats_of_separate_runs() -> None:
    """Each experiment played by itself, as a run of the changed rules."""
    result = study()
    base = run(NAME, seats=3, strategies="random", deals=3_200)
    for row in result.rows:
        change = {**find_game(NAME).forced, **find_game(NAME).barred}[row["item"]]
        gaps = []
        for seat in range(3):
            other = run(NAME, seats=3, strategies="random", deals=3_200, changes=[change.format(seat=seat + 1)])
            pair = [one.seat_rows[seat]["win_share"].estimate for one in (other, base)]
            gaps.append(pair[0] - pair[1])
        sign = 1 if row["kind"] == GIVEN else -1
        assert row["effect"].estimate == pytest.approx(sign * np.mean(gaps), abs=1e-12)
    assert result.games == 3_200 * (1 + 5 * 3)


def test_what_one_wins_the_others_lose() -> None:
    result = study()
    for played in (result.base, *(one for runs in result.played.values() for one in runs)):
        wins = [column.measure == "win" for column in played.plan.columns]
        assert (played.part.tallies["sums"][:, wins].sum(axis=1) == SIXTIETHS * played.plan.group_sizes()).all()


def test_to_swap_is_to_lose_the_one_and_get_the_other() -> None:
    result = study()
    effects = {row["item"]: row["effect"].estimate for row in result.rows}
    swaps = {(row["item"], row["instead_of"]): row["effect"] for row in result.swap_rows}
    assert list(swaps) == list(combinations(GIFTS, 2))
    for (one, other), swap in swaps.items():
        assert swap.estimate == pytest.approx(effects[one] - effects[other], abs=1e-12)
    turned = worth(NAME, [*reversed(GIFTS)], strategy="random", seats=3, deals=3_200)
    for row in turned.swap_rows:
        there = swaps[row["instead_of"], row["item"]]
        assert (row["effect"].low, row["effect"].high) == pytest.approx((-there.high, -there.low), abs=1e-12)


def test_intervals_hold_together_over_the_items() -> None:
    every, (one,) = study(), worth(NAME, ["one coin"], strategy="random", seats=3, deals=3_200).rows
    wide, narrow = (next(row["effect"] for row in rows if row["item"] == "one coin") for rows in (every.rows, [one]))
    assert wide.estimate == narrow.estimate
    ratio = stats.t.ppf(1 - 0.025 / 5, 31) / stats.t.ppf(1 - 0.025, 31)
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(ratio)


def test_the_error_is_that_of_paired_deals() -> None:
    """Groups by themselves: the effect in each, and Student's t over them, as the groups are of one size."""
    result = study()
    means = {
        item: np.mean([group_shares(one, seat) for seat, one in enumerate(runs)], axis=0)
        for (_, item), runs in result.played.items()
    }
    base = np.mean([group_shares(result.base, seat) for seat in range(3)], axis=0)
    for row in result.rows:
        sign = 1 if row["kind"] == GIVEN else -1
        assert_t(row["effect"], sign * (means[row["item"]] - base), 5)
    for row in result.swap_rows:
        assert_t(row["effect"], means[row["item"]] - means[row["instead_of"]], 3)


def assert_t(estimate: Estimate, gaps: np.ndarray, together: int) -> None:
    """Student's t of the mean of the gaps, at 95 % for so many intervals together."""
    half = gaps.std(ddof=1) / np.sqrt(len(gaps)) * stats.t.ppf(1 - 0.025 / together, len(gaps) - 1)
    middle = gaps.mean()
    assert (estimate.low, estimate.high) == pytest.approx((middle - half, middle + half), abs=1e-12)


def group_shares(played: Any, seat: int) -> np.ndarray:
    """Shares of wins of a seat, group by group."""
    (column,) = [at for at, c in enumerate(played.plan.columns) if (c.measure, c.index) == ("win", seat)]
    shares = played.part.tallies["sums"][:, column] / SIXTIETHS / played.plan.group_sizes()
    return np.asarray(shares)


def test_the_share_when_held_is_that_of_the_games_themselves() -> None:
    """Told from the rows of outcomes, game by game."""
    result = worth(NAME, strategy="random", seats=3, deals=200)
    plan = replace(result.base.plan, has_rows=True)
    rows = play_part(plan, 0, 200).rows
    assert rows is not None
    outcomes = rows[0, :, 0]
    score = find_game(NAME).column("score")
    for row in result.rows:
        if row["kind"] == GIVEN:
            has = outcomes[..., score] >= GIFTS[row["item"]]
            assert row["held"].n == has.sum()
            assert row["held"].estimate == pytest.approx(outcomes[..., WIN][has].sum() / SIXTIETHS / has.sum())


def test_the_rank_correlation_of_what_gifts_bring_and_of_who_has_them() -> None:
    result = study()
    rows = [row for row in result.rows if row["kind"] == GIVEN]
    pairs = [(row["effect"].estimate, row["held"].estimate) for row in rows]
    assert result.agreement == pytest.approx(stats.spearmanr(*zip(*pairs, strict=True)).statistic)
    assert result.agreement == 1
    assert worth(NAME, ["one coin", "two coins"], seats=2, deals=32).agreement is None


def test_items_that_are_equal_share_their_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    result = study()
    rows = [
        {**row, "effect": replace(row["effect"], estimate=effect), "held_gap": gap}
        for row, effect, gap in zip(result.rows, (0.1, 0.2, 0.3), (0.5, 0.5, 0.7), strict=False)
    ]
    monkeypatch.setitem(result.__dict__, "rows", rows)
    monkeypatch.delitem(result.__dict__, "agreement", raising=False)
    assert result.agreement == pytest.approx(1.5 / (2 * 1.5) ** 0.5)  # ranks 1, 2, 3 and 1.5, 1.5, 3
    monkeypatch.delitem(result.__dict__, "agreement")


def test_barred_throws_are_not_thrown_and_the_referee_sees_it() -> None:
    for name, throw in (("random", "risky"), ("random", "safe"), ("gambler", "risky"), ("baseline", "safe")):
        kinds = set()
        for deal in range(20):
            document = play(NAME, seats=3, strategies=name, deal=deal, changes=[f"barred[2,{throw}]=1"])
            check(document)
            kinds |= {(e["seat"] == 2, e["data"]["throw"]) for e in document["events"] if e["kind"] == "thrown"}
        assert (True, throw) not in kinds
        assert name != "random" or (False, throw) in kinds
        document["rules"]["barred"] = [[1, 0] if throw == "risky" else [0, 1]] * 4
        with pytest.raises(Foul, match="is barred from a throw"):
            check(document)


# --- bad input ---------------------------------------------------------------------------------------------

KNOWN = "(known: one coin, two coins, three coins, throwing safe, throwing risky)"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"items": ["throwing"]},
            f"unknown card or option of coin_race 'throwing'; did you mean 'throwing safe'? {KNOWN}",
        ),
        ({"items": ["one coin", ""]}, f"unknown card or option of coin_race '' {KNOWN}"),
        ({"tolerance": 0.0}, "the tolerance must lie between 0 and 0.5, not 0"),
        ({"tolerance": 0.5}, "the tolerance must lie between 0 and 0.5, not 0.5"),
        ({"tolerance": -0.01}, "the tolerance must lie between 0 and 0.5, not -0.01"),
        ({"tolerance": float("nan")}, "the tolerance must lie between 0 and 0.5, not nan"),
        ({"seats": 5}, "coin_race seats 2 to 4 players, not 5"),
        ({"deals": 0}, "deals must be a whole number from 1 to 10,000,000,000, not 0"),
        ({"seed": -1}, "the seed must be a whole number from 0 to 9223372036854775807, not -1"),
        ({"strategy": "nobody"}, "unknown strategy of coin_race 'nobody' (known: baseline, random, follower, gambler)"),
        ({"changes": ["rounds=0"]}, "rule 'rounds' cannot be 0: it allows a whole number from 1 to 10 (rounds)"),
        ({"changes": ["barred[2,risky]=1"]}, "rule 'barred' leaves seat 2 without a throw"),
        ({"rules": "no such.toml"}, "cannot read 'no such.toml': No such file or directory"),
        ({"work": Work(jobs=-1)}, "jobs must be a whole number from 0 (one a processor) to 1024, not -1"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssayError) as fault:
        worth(NAME, **{"deals": 32, **given})
    assert str(fault.value) == said


def test_a_game_without_experiments_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(find_game(NAME), forced={}, barred={})
    monkeypatch.setattr(tests.toy.coin_race, "GAME", bare)
    with pytest.raises(AssayError) as fault:
        worth(NAME)
    assert str(fault.value) == "coin_race names no card to give and no option to forbid"


def test_what_cannot_be_played_is_refused_before_any_game() -> None:
    with pytest.raises(AssayError, match="without a throw"):
        worth(NAME, changes=["barred[4,safe]=1"], work=Work(progress=lambda *_: pytest.fail("a game was played")))


# --- the same bits -----------------------------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs() -> None:
    told: list[tuple[int, int]] = []
    first, again, spread = (
        worth(NAME, ["one coin", "throwing safe"], strategy="random", seats=2, deals=50_000, work=work)
        for work in (Work(1, progress=lambda *n: told.append(n)), Work(1), Work(2))
    )
    assert len(list(first.base.plan.parts())) > 1
    assert first.as_dict() == again.as_dict() == spread.as_dict()
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    json.dumps(plain(study().as_dict()), allow_nan=False)


def test_a_folder_for_results_changes_nothing(tmp_path: Path) -> None:
    bare, kept, found_again = (
        worth(NAME, ["one coin"], seats=3, deals=64, work=Work(out=out)) for out in (None, tmp_path, tmp_path)
    )
    assert bare.as_dict() == kept.as_dict() == found_again.as_dict()
    assert list(tmp_path.iterdir())


def test_items_named_twice_are_played_once() -> None:
    told: list[tuple[int, int]] = []
    result = worth(NAME, ["one coin", "one coin"], seats=2, deals=32, work=Work(progress=lambda *n: told.append(n)))
    assert told[-1] == (32 * 3, 32 * 3)
    assert [row["item"] for row in result.rows] == ["one coin"]
    assert result.swap_rows == []
    assert result.games == 32 * 3


def test_a_single_deal_has_no_interval() -> None:
    result = worth(NAME, strategy="random", seats=2, deals=1)
    assert {row["verdict"] for row in result.rows} == {OPEN}
    json.dumps(plain(result.as_dict()), allow_nan=False)


# --- in words and on the page ------------------------------------------------------------------------------


def view_of(result: Worth) -> View:
    """A view of these frames alone."""
    view = object.__new__(View)
    view.frames = result.frames
    return view


def test_words_hold_the_numbers_of_the_rows() -> None:
    result = study()
    lines = words(result).splitlines()
    assert max(map(len, lines)) <= WIDTH
    for row in result.rows:
        (line,) = [line for line in lines if line.strip().startswith(row["item"] + " ")]
        effect = row["effect"]
        assert f" {100 * effect.estimate:+.1f} " in line
        assert f" {100 * effect.low:+.1f} to {100 * effect.high:+.1f} " in line
        assert row["verdict"] in line
        assert line.endswith(f"{100 * row['held'].estimate:.1f} %" if row["kind"] == GIVEN else row["verdict"])
    for kind in (GIVEN, FORBIDDEN):
        effects = [row["effect"].estimate for row in ordered(result, kind)]
        assert effects == sorted(effects, reverse=True)


@pytest.mark.parametrize("game", sorted({*GAMES} - {NAME}))
def test_other_games_are_told_too(game: str) -> None:
    chosen = find_game(game)
    items = [*list(chosen.forced)[:3], *list(chosen.barred)[:2]]
    result = worth(game, items, seats=min(chosen.seats), deals=32)
    assert max(map(len, words(result).splitlines())) <= WIDTH
    assert [row["item"] for row in result.rows] == items
    assert all("held" in row for row in result.rows if row["kind"] == GIVEN)


@pytest.mark.parametrize("items", [[], ["one coin"], ["throwing risky"], ["one coin", "two coins", "three coins"]])
@pytest.mark.parametrize("strategy", ["random", "baseline"])
def test_the_page_tells_the_numbers_of_the_frames(items: list[str], strategy: str) -> None:
    result = worth(NAME, items, strategy=strategy, seats=3, deals=640)
    view = view_of(result)
    (question,) = questions(view, result)
    rows = result.frames["worth"]
    seen = set()
    for table in question.tables:
        frame = result.frames[table.source]
        for line in table.rows:
            cells = [cell for cell in line if cell.row is not None]
            assert all(float(frame.loc[cell.row, cell.column]) == float(cell.value) for cell in cells)
            if table.source == "worth":
                first, *rest = cells
                assert (rows.loc[first.row, "item"], rows.loc[first.row, "measure"]) == (line[0].text, "effect")
                assert rows.loc[first.row, "verdict"] == line[2].text
                assert [rows.loc[cell.row, "measure"] for cell in rest] == ["held"] * len(rest)
                assert [rows.loc[cell.row, "item"] for cell in rest] == [line[0].text] * len(rest)
                seen.add(line[0].text)
            else:
                assert frame.loc[cells[0].row, "low"] > 0 or frame.loc[cells[0].row, "high"] < 0
                assert [frame.loc[cells[0].row, name] for name in ("item", "instead_of")] == [c.text for c in line[:2]]
    assert seen == set(items or (*GIFTS, *OTHER))
    assert question.picture is not None
    assert len(question.picture.panels) == len({row["kind"] for row in result.rows})
    draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))
    (verdict,) = verdicts(view, result)
    assert verdict.question == question.id
    assert all("nan" not in text for text in (*question.answer, *question.sure, verdict.text, verdict.meaning))


def test_sentences_name_what_helps_hurts_and_is_missed_by_nobody() -> None:
    text = " ".join(sentences(worth(NAME, strategy="gambler", seats=3, deals=3_200, changes=["risk_percent=80"])))
    assert "To be given a card matters for sure with three coins (" in text
    assert "The option that is missed most is throwing risky: without it a player wins " in text
    assert "Nobody misses throwing safe (by 1 point in 100 at most)." in text
    never = worth(NAME, strategy="gambler", seats=3, deals=3_200, changes=["risk_percent=10"])
    text = " ".join(sentences(never))
    assert "No option is sure to be missed by a player who may not use it." in text
    assert "Throwing risky: players of this plan do better without; it uses them badly." in text
    (verdict,) = verdicts(view_of(never), never)
    assert verdict.meaning == "Options nobody misses: throwing safe. Options better left alone: throwing risky."
    (verdict,) = verdicts(view_of(study()), worth(NAME, ["one coin"], strategy="random", seats=3, deals=320))
    assert verdict.meaning == ""
    text = " ".join(sentences(worth(NAME, ["one coin"], deals=32, changes=["head_start=1"])))
    widest = 100 * (1 - 0.025 ** (1 / 32))
    assert text == (
        "No card is sure to help or hurt whoever is given it at the start; "
        f"the widest guess is {widest:.1f} points of wins."
    )


@pytest.mark.parametrize(
    ("agreement", "said"),
    [
        (NEARLY, "ranks the cards much as this experiment does (rank correlation 0.80)"),
        (HARDLY, "misleads in part"),
        (HARDLY - 0.01, "misleads: it says nothing of what the card brings (rank correlation 0.29)"),
        (-1.0, "misleads: it says nothing of what the card brings (rank correlation \u22121.00)"),
    ],
)
def test_sentences_say_whether_what_is_held_misleads(
    agreement: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(study().__dict__, "agreement", agreement)
    assert said in " ".join(sentences(study()))


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
    items = ["three coins", "throwing risky"]
    options = ("--seats", "3", "--deals", "320", "--strategy", "random", "--seed", "4", "--tolerance", "2.5")
    command = ("worth", NAME, *items, *options, "--set", "rounds=2")
    result = worth(NAME, items, strategy="random", seats=3, deals=320, seed=4, tolerance=0.025, changes=["rounds=2"])
    assert json.loads(told(*command, "--json")) == plain(result.as_dict())
    assert told(*command) == words(result) + "\n"
    folder = tmp_path / "kept"
    assert told(*command, "--out", str(folder)) == words(result) + "\n"
    assert {path.stem for path in folder.glob("*.csv")} == {"worth", "worth_swaps"}
    complaint = told("worth", NAME, "throwing", code=2)
    assert (
        complaint == f"assay: unknown card or option of coin_race 'throwing'; did you mean 'throwing safe'? {KNOWN}\n"
    )


def test_default_settings_are_those_of_the_command(told: Callable[..., str]) -> None:
    document = json.loads(told("worth", NAME, "one coin", "--json"))
    assert (document["seats"], document["strategy"], document["deals"]) == (4, "baseline", analyses.worth.DEFAULT_DEALS)
    assert document["tolerance"] == analyses.worth.TOLERANCE
