"""Tuning: the fairest rules of Coin Race are known, and so are the weights of a rival that cannot be beaten."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from analyses.exploit import FIELD, Exploits, exploit
from analyses.exploit import prepare as prepare_attack
from analyses.inputs import Work
from analyses.search import all_settings, evolve, front, ranked
from analyses.sensitivity import SEAT_SPREAD
from analyses.steps import Step, play_steps
from analyses.tune import LENGTH, SEATS, prepare, read_goal, tune
from reports import exploit as told_exploit
from reports import tune as told
from reports.cli import main
from simcore.errors import AssayError
from simcore.game import find_game
from tests.questions import assert_refused, assert_same_bits, assert_told
from tests.test_toy import Race, widened

NAME = "coin_race"
GAMBLERS: dict[str, Any] = {"strategy": "gambler", "seats": 2}

# a rival that throws risky in so many of a hundred cases, by its weight
DIAL = '''"""Throws risky with a chance that is a weight."""

WEIGHTS = {"risk": (0.5, 0.0, 1.0, "0: always safe, 1: always risky")}


def throw(v, r):
    """Risky from the round on that the weight names."""
    return 1 if v.weights[0] >= 0.5 else 0
'''


@pytest.fixture
def dial(tmp_path: Any) -> str:
    path = tmp_path / "dial.py"
    path.write_text(DIAL, encoding="utf-8")
    return str(path)


# --- searching ---------------------------------------------------------------------------------------------


def bowl(setting: tuple[int, ...]) -> float:
    return float(sum((x - at) ** 2 for x, at in zip(setting, (30, 70, 55), strict=False)))


def lowest(n: int, budget: int, seed: int) -> tuple[float, set[tuple[int, ...]]]:
    seen: set[tuple[int, ...]] = set()

    def read(point: np.ndarray) -> tuple[int, ...]:
        return tuple(round(100 * float(x)) for x in point)

    evolve(np.full(n, 0.5), read, lambda some: [bowl(one) for one in some], budget, seed, seen)
    return min(map(bowl, seen)), seen


@pytest.mark.parametrize(("n", "budget"), [(1, 40), (2, 150), (3, 250)])
def test_an_evolution_finds_the_bottom_of_a_bowl(n: int, budget: int):
    state = np.random.get_state()[1].tolist()
    least, seen = lowest(n, budget, seed=1)
    assert least <= 4
    assert len(seen) == budget  # no setting twice
    assert lowest(n, budget, seed=1)[1] == seen
    assert lowest(n, budget, seed=2)[1] != seen
    assert np.random.get_state()[1].tolist() == state


def test_an_evolution_stops_where_there_is_nothing_new():
    seen: set[tuple[int, ...]] = set()
    asked: list[tuple[int, ...]] = []

    def evaluate(some: Any) -> list[float]:
        asked.extend(some)
        return [0.0 for _ in some]

    evolve(np.array([0.5]), lambda point: (min(int(4 * float(point[0])), 3),), evaluate, 100, 1, seen)
    assert sorted(asked) == [(0,), (1,), (2,), (3,)]


def test_settings_and_fronts():
    assert all_settings([2, 3], 6) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert all_settings([2, 3], 5) is None
    misses = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 2.0], [3.0, 0.0], [1.0, 1.0]])
    assert front(misses) == [0, 1, 3, 4]
    assert ranked(misses) == [1, 4, 0, 3, 2]


# --- rules -------------------------------------------------------------------------------------------------


def test_the_head_start_that_makes_seats_even_is_found():
    """The first of two gamblers is two coins behind: two coins make them even."""
    result = tune(NAME, ["head_start[1]=0:5"], changes=["head_start=0,2,0,0"], deals=40_000, **GAMBLERS)
    assert result.is_all
    assert len(result.searched) == 6
    assert dict(result.best.values) == {"head_start[1]": "2"}
    assert result.is_better
    assert result.command == ["head_start[1]=2"]
    now, best = result.rows[0], result.rows[1]
    true = Race(("gambler",) * 2, (0, 2, 0, 0)).win_shares
    level = widened(now["level"])
    assert level.low <= true[1] - true[0] <= level.high
    assert best["level"].low == 0
    gain = widened(best["gain"])
    assert gain.low <= true[1] - true[0] <= gain.high + 0.01
    assert (now["gain"].estimate, now["is_now"], best["is_now"]) == (0, True, False)


def test_rules_that_are_even_already_are_left_alone():
    result = tune(NAME, ["head_start[1]=0:2"], deals=20_000, **GAMBLERS)
    assert not result.is_better
    assert "none is surely better" in told.sentences(result)[0]


def test_a_figure_is_brought_to_its_number():
    result = tune(
        NAME, ["risk_percent=10:90", "rounds=1:6"], goals=["score=7"], deals=20_000, evaluations=40, **GAMBLERS
    )
    assert not result.is_all
    assert len(result.searched) == 40
    risk, rounds = (int(result.best.values[name]) for name in ("risk_percent", "rounds"))
    assert abs(2 * rounds * risk / 100 - 7) < 0.25  # two coins a success
    assert result.is_better
    assert result.rows[1]["off"].low >= 0


def test_several_goals_make_a_front():
    """A share of successes wants risk, short scores want none: no setting is best for both."""
    goals = ["success=90", "score=1"]
    knobs = ["risk_percent=10:90", "rounds=2:3"]
    result = tune(NAME, knobs, goals=goals, deals=6_400, evaluations=30, **GAMBLERS)
    kept = [row for row in result.search_rows if row["stage"] == "searched" and row["is_front"]]
    assert len(kept) >= 3
    for row in kept:
        for other in result.search_rows:
            if other["stage"] == "searched":
                assert not all(other[f"off {g}"] < row[f"off {g}"] for g in ("success", "score"))
    assert_told(result, told, find_game(NAME))


def test_strategies_are_brought_together():
    result = tune(
        NAME, ["risk_percent=20:80"], goals=["strategies"], names=["baseline", "gambler"], deals=20_000, evaluations=61,
        **GAMBLERS, changes=["risk_percent=80"],
    )  # fmt: skip
    value = int(result.best.values["risk_percent"])
    spreads = {}
    for percent in (value, 80):
        shares = Race(("gambler", "baseline"), risk_percent=percent).win_shares
        spreads[percent] = max(shares) - min(shares)
    assert spreads[value] < 0.1 < spreads[80]
    assert result.is_better


def test_stages_share_no_deals_and_games_are_counted():
    knobs = ["head_start[1]=0:3"]
    search = prepare(NAME, knobs, deals=6_400, **GAMBLERS)
    result = search.play(Work())
    assert result.deals == (640, 1_600, 6_400)
    assert result.games == search.games == 4 * 640 + 4 * 1_600 + 4 * 6_400
    assert result.measured.seed == 3
    assert [one.setting for one in result.searched] == [(0,), (1,), (2,), (3,)]
    again = {one.setting: one.misses for one in result.finalists}
    first = {one.setting: one.misses for one in result.searched}
    assert set(again) == set(first)
    assert all(again[s] != first[s] for s in again)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"knobs": []}, "name a rule to turn"),
        ({"knobs": ["nothing"]}, "nothing"),
        ({"deals": 639}, "at least 640 deals, not 639"),
        ({"evaluations": 2}, "3 to 5,000 settings, not 2"),
        ({"goals": []}, "name a goal"),
        ({"goals": ["seats", "seats"]}, "'seats' is named twice"),
        ({"goals": ["wealth=3"]}, "wealth"),
        ({"goals": ["score"]}, "needs a number to be near: score="),
        ({"goals": ["score=many"]}, "cannot read the goal 'score=many'"),
        ({"goals": ["strategies"]}, "needs a mixed field"),
        ({"goals": ["strategies"], "names": ["baseline"]}, "at least 2 different"),
        ({"goals": ["length=3"]}, "its figures"),
        ({"strategy": "nobody"}, "nobody"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(tune, said, **{"game": NAME, "knobs": ["rounds"], "deals": 640, **GAMBLERS, **given})


def test_goals_are_read():
    game = find_game("ore_city")
    assert (read_goal(game, "length=60").output, read_goal(game, "length=60").target) == ("turns", 60)
    seats = read_goal(game, SEATS)
    assert (seats.output, seats.target, seats.miss({SEAT_SPREAD: 0.03})) == (SEAT_SPREAD, 0, 0.03)
    assert read_goal(game, "leader_wins=40").target == pytest.approx(0.4)
    with pytest.raises(AssayError, match="missing from some"):
        read_goal(game, f"{LENGTH}=60").miss({})


def test_the_same_bits_again_and_with_other_jobs():
    knobs = ["risk_percent=10:90", "rounds=1:6"]
    assert_same_bits(
        lambda work: tune(NAME, knobs, goals=["score=4"], deals=640, evaluations=12, work=work, **GAMBLERS)
    )


@pytest.mark.parametrize(("game", "knob"), [(NAME, "head_start[*]=0:3"), ("ostia", "start_money[4]=50:60")])
def test_it_is_told(game: str, knob: str):
    seats, strategy = (2, "gambler") if game == NAME else (4, "baseline")
    result = tune(game, [knob], strategy=strategy, seats=seats, deals=640, evaluations=20)
    text = assert_told(result, told, find_game(game))
    assert "seat" in text
    assert "in force" in text


def test_the_command_prints_it(capsys: Any, tmp_path: Any):
    argv = ["tune", NAME, "--knob", "head_start[1]=0:2", "--seats", "2", "--deals", "640", "--out", str(tmp_path)]
    assert main([*argv, "--goal", "seats", "--strategy", "gambler"]) == 0
    assert "seats differ by" in capsys.readouterr().out
    assert (tmp_path / "tuned.parquet").exists()


# --- weights -----------------------------------------------------------------------------------------------


def rows_of(result: Exploits) -> dict[str, dict[str, Any]]:
    return {row["against"]: row for row in result.rows}


def test_a_rival_learns_to_take_the_risk_that_pays(dial: str):
    """At a chance of nine in ten, risky throws win nearly always; the dial ships turned to safe."""
    result = exploit(
        NAME, ["baseline"], rival=f"{dial}:risk=0.1", evaluations=20, seats=2, deals=6_400, changes=["risk_percent=90"]
    )
    row = rows_of(result)["baseline"]
    true = Race(("gambler", "baseline"), risk_percent=90).win_shares[0]
    found = widened(row["tuned"])
    assert found.low <= true <= found.high
    assert row["untuned"].estimate == 0.5
    assert row["gain"].low > 0.2
    assert row["is_exploited"]
    assert float(row["weights"].partition("=")[2]) >= 0.5


def test_who_cannot_be_exploited_is_not(dial: str):
    """Where risk never pays, safe throws against safe throws are all that can be had."""
    result = exploit(
        NAME, ["baseline", "gambler"], rival=f"{dial}:risk=0.1", evaluations=12, seats=2, deals=640,
        changes=["risk_percent=20"],
    )  # fmt: skip
    row = rows_of(result)["baseline"]
    assert (row["weights"], row["is_exploited"], row["gain"].estimate) == ("", False, 0)
    assert row["tuned"].estimate == row["untuned"].estimate == 0.5
    assert list(rows_of(result)) == [FIELD, "baseline", "gambler"]
    assert rows_of(result)["gambler"]["is_exploited"]


def test_an_attack_knows_its_games_and_repeats_itself(dial: str):
    given: dict[str, Any] = {"rival": dial, "evaluations": 10, "seats": 2, "deals": 64}
    result = assert_same_bits(lambda work: exploit(NAME, ["baseline", "random"], work=work, **given))
    assert prepare_attack(NAME, ["baseline", "random"], **given).games == result.games


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rival": "baseline"}, "has no weights to tune"),
        ({"rival": "nobody"}, "nobody"),
        ({"names": []}, "name a strategy"),
        ({"names": ["random", "random"]}, "named twice"),
        ({"deals": 63}, "at least 64 deals, not 63"),
        ({"evaluations": 7}, "8 to 1,000 settings of its weights, not 7"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
    ],
)
def test_a_bad_attack_is_refused_in_one_line(dial: str, given: dict[str, Any], said: str):
    assert_refused(exploit, said, **{"game": NAME, "names": ["baseline"], "rival": dial, "seats": 2, **given})


def test_an_attack_is_told(capsys: Any):
    result = exploit("ostia", ["miser", "senator"], evaluations=8, seats=3, deals=64)
    text = assert_told(result, told_exploit, find_game("ostia"))
    assert "Most exploited is" in text
    argv = ["exploit", "ostia", "miser", "--seats", "3", "--deals", "64", "--evaluations", "8", "--json"]
    assert main(argv) == 0
    assert '"is_exploited"' in capsys.readouterr().out


# --- side by side ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 4])
def test_steps_side_by_side_come_in_their_order(jobs: int, tmp_path: Any):
    told: list[tuple[int, int]] = []

    def play(number: int, work: Work) -> tuple[int, Any, int]:
        time.sleep(0.002 * (5 - number))  # the first takes longest
        assert work.progress is not None
        work.progress(1, 2)
        work.progress(2, 2)
        return number, work.out, work.jobs

    steps = [Step(f"s{n}", 10 * n, lambda work, n=n: play(n, work)) for n in range(1, 6)]
    work = Work(jobs, out=tmp_path, progress=lambda *n: told.append(n))
    found = play_steps(steps, work, side_by_side=True)
    assert [(name, result[0], result[1]) for name, result in found.items()] == [
        (f"s{n}", n, tmp_path / f"s{n}") for n in range(1, 6)
    ]
    assert told == sorted(told)
    assert told[-1] == (150, 150)


def test_a_fault_in_one_step_is_told():
    def fail(work: Work) -> None:
        raise AssayError("this one cannot be played")

    steps = [Step("good", 1, lambda work: 1), Step("bad", 1, fail), Step("other", 1, lambda work: 2)]
    with pytest.raises(AssayError, match="this one cannot be played"):
        play_steps(steps, Work(2), side_by_side=True)
