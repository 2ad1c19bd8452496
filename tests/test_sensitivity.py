"""Which rules matter: indices of functions in closed form, and of Coin Race, where some rules do nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analyses.knobs import Knob, find_knobs, is_playable, playable
from analyses.run import run
from analyses.sensitivity import (
    DUMMY,
    LEADER_WINS,
    MORRIS,
    SEAT_SPREAD,
    SOBOL,
    STRATEGY_SPREAD,
    design_size,
    indices,
    output_units,
    outputs_of,
    prepare,
    sensitivity,
)
from reports import sensitivity as told
from reports.cli import main
from simcore.errors import AssayError
from simcore.game import find_game
from tests.questions import assert_refused, assert_same_bits, assert_told

NAME = "coin_race"
Points = NDArray[np.float64]


# --- functions in closed form ------------------------------------------------------------------------------


def ishigami(x: Points, a: float = 7.0, b: float = 0.1) -> Points:
    """Ishigami and Homma 1990, of positions from 0 to 1."""
    at = math.pi * (2 * x - 1)
    return np.asarray(np.sin(at[:, 0]) + a * np.sin(at[:, 1]) ** 2 + b * at[:, 2] ** 4 * np.sin(at[:, 0]))


def test_indices_of_ishigami_are_found():
    a, b, pi = 7.0, 0.1, math.pi
    first = [0.5 * (1 + b * pi**4 / 5) ** 2, a**2 / 8, 0.0]
    joint = b**2 * pi**8 * (1 / 18 - 1 / 50)
    variance = sum(first) + joint
    total = [first[0] + joint, first[1], joint]
    found = indices(SOBOL, ["x", "y", "z"], ishigami, 2048, seed=1)
    for (effect, alone), known_total, known_first in zip(found, total, first, strict=True):
        assert effect.estimate == pytest.approx(known_total / variance, abs=0.02)
        assert alone == pytest.approx(known_first / variance, abs=0.03)
        assert effect.low <= known_total / variance + 0.01
        assert effect.high >= known_total / variance - 0.01


def test_indices_of_sobols_function_are_found():
    weights = np.array([0.0, 1.0, 9.0, 99.0])
    parts = 1 / (3 * (1 + weights) ** 2)
    variance = np.prod(1 + parts) - 1
    total = parts * np.prod(1 + parts) / (1 + parts) / variance

    def evaluate(x: Points) -> Points:
        return np.asarray(np.prod((np.abs(4 * x - 2) + weights) / (1 + weights), axis=1))

    found = indices(SOBOL, list("abcd"), evaluate, 2048, seed=1)
    assert [effect.estimate for effect, _ in found] == pytest.approx(total.tolist(), abs=0.03)
    assert [alone for _, alone in found] == pytest.approx((parts / variance).tolist(), abs=0.03)


def test_effects_of_a_line_are_its_slopes():
    slopes = np.array([5.0, -2.0, 0.0, 0.5])
    found = indices(MORRIS, list("abcd"), lambda x: x @ slopes, 10, seed=1)
    assert [effect.estimate for effect, _ in found] == pytest.approx(np.abs(slopes).tolist())
    assert [signed for _, signed in found] == pytest.approx(slopes.tolist())
    assert all(effect.high - effect.low < 1e-9 for effect, _ in found)


# --- rules of the toy --------------------------------------------------------------------------------------


def test_rules_that_do_nothing_are_not_heard():
    """Whoever throws safe is moved by neither the chance nor the coins of a risky throw."""
    result = sensitivity(NAME, strategy="baseline", seats=2, points=6, deals=64)
    for output in result.outputs:
        heard = {row["knob"] for row in result.heard(output)}
        assert not heard & {"risk_percent", "risky_coins", DUMMY}
    scores = {row["knob"]: row["effect"].estimate for row in result.rows if row["output"] == "score"}
    assert scores["rounds"] > 0
    assert scores["safe_coins"] > 0
    assert scores["risk_percent"] == scores["risky_coins"] == scores[DUMMY] == 0
    assert SEAT_SPREAD not in {row["output"] for row in result.rows}  # never anything but 0


def test_a_rule_that_decides_is_heard_first():
    result = sensitivity(
        NAME, ["head_start[1]=0:6", "safe_coins=1:2"], strategy="gambler", seats=2, points=8, deals=400
    )
    first, *rest = result.heard(SEAT_SPREAD)
    assert first["knob"] == "head_start[1]"
    assert (first["from"], first["to"]) == (0, 6)
    assert first["effect"].estimate > 0.3
    assert not rest  # gamblers never throw safe
    score = next(row for row in result.rows if (row["output"], row["knob"]) == ("score", "head_start[1]"))
    assert score["effect"].estimate == pytest.approx(3.0, rel=0.35)  # six coins for one of two seats, in four levels
    assert score["trend"] == pytest.approx(score["effect"].estimate)


def test_sobols_method_tells_shares_of_the_variance():
    """A head start of 0 to 6 for one of two is a variance of (7**2 - 1) / 12 / 4 = 1; six coins a game at a chance of
    40 to 60 per cent are one of 0.06**2 * (21**2 - 1) / 12 = 0.132.
    """
    knobs = ["head_start[1]=0:6", "risk_percent=40:60"]
    result = sensitivity(NAME, knobs, method=SOBOL, strategy="gambler", seats=2, points=256, deals=200)
    rows = {row["knob"]: row for row in result.rows if row["output"] == "score"}
    assert rows["head_start[1]"]["effect"].estimate == pytest.approx(1 / 1.132, abs=0.05)
    assert rows["risk_percent"]["effect"].estimate == pytest.approx(0.132 / 1.132, abs=0.03)
    assert rows["head_start[1]"]["unit"] == "share of variance"
    assert len(result.inputs) == design_size(SOBOL, 3, 256) == 256 * 8


def test_a_field_tells_how_far_strategies_differ():
    names = ("baseline", "gambler")
    result = sensitivity(NAME, ["risk_percent=20:90"], strategy="gambler", names=names, seats=2, points=4, deals=64)
    assert STRATEGY_SPREAD in result.outputs
    assert result.heard(STRATEGY_SPREAD)[0]["knob"] == "risk_percent"


def test_outputs_are_those_of_the_run():
    played = run(NAME, strategies="gambler", seats=2, deals=640)
    found = outputs_of(played)
    shares = [row["win_share"].estimate for row in played.seat_rows]
    assert found[SEAT_SPREAD] == pytest.approx(max(shares) - min(shares))
    assert found["score"] == pytest.approx(sum(row["score"].estimate for row in played.seat_rows) / 2)
    assert found["success"] == pytest.approx(played.economy_rows["success"][0]["value"].estimate)
    assert LEADER_WINS in found
    assert set(found) <= set(output_units(find_game(NAME)))


# --- knobs -------------------------------------------------------------------------------------------------


def knobs_of(*texts: str, seats: int = 3, changes: tuple[str, ...] = ()) -> list[Knob]:
    game = find_game(NAME)
    return find_knobs(game, game.rules.parse(changes), seats, texts)


def test_every_value_of_a_knob_has_an_equal_part_of_the_way():
    (knob,) = knobs_of("risk_percent=40:49")
    values = [knob.at(x) for x in np.linspace(0, 1, 1001)[:-1]]
    assert [values.count(v) for v in range(40, 50)] == [100] * 10
    assert knob.at(1.0) == 49
    assert all(knob.at(knob.position(v)) == v for v in range(40, 50))


def test_knobs_are_rules_entries_and_tables():
    names = [knob.name for knob in knobs_of()]
    assert names == ["rounds", "safe_coins", "risky_coins", "risk_percent"]  # a table of nothing is no knob
    every = knobs_of("head_start[*]=0:3")
    assert [knob.name for knob in every] == [f"head_start[{seat}]" for seat in (1, 2, 3)]
    assert every[1].change(2) == "head_start[2]=2"
    (table,) = knobs_of("head_start=50:200", changes=("head_start=1,2,3,4",))
    assert (table.now, table.low, table.high, table.unit) == (100, 50, 200, "% of its numbers")
    assert table.change(150) == "head_start=2,3,4,6"
    (default,) = knobs_of("risk_percent")
    assert (default.low, default.now, default.high) == (35, 50, 65)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "nothing"),
        ("rounds=5", "cannot read the knob 'rounds=5'"),
        ("rounds=5:2", "must lie within 1 to 10 and not be empty, not 5:2"),
        ("rounds=3:3", "not be empty"),
        ("rounds=0:5", "within 1 to 10"),
        ("head_start", "its numbers are all 0: name an entry"),
        ("head_start[9]=0:1", "head_start"),
        ("rounds[1]=1:2", "rounds"),
    ],
)
def test_bad_knobs_are_refused_in_one_line(text: str, said: str):
    with pytest.raises(AssayError, match=said) as fault:
        knobs_of(text)
    assert "\n" not in str(fault.value)


def test_a_knob_named_twice_is_refused():
    with pytest.raises(AssayError, match="named twice"):
        knobs_of("rounds", "rounds=1:2")


def test_what_cannot_be_played_is_left_out_and_counted():
    game = find_game("ostia")
    alone = ["start_cards=0", "rounds=4"]
    assert all(is_playable(game, [one], None, 4) for one in alone)
    bad = next(f"deal_cards={n}" for n in range(40, 0, -1) if not _can_be(game, n))
    kept, left = playable(game, [], None, 4, [bad, "rounds=4"])
    assert (kept, left) == (["rounds=4"], 1)
    assert playable(game, [], None, 4, alone) == (alone, 0)


def _can_be(game: Any, n: int) -> bool:
    """Whether so many cards can be dealt; False too where the rule's own bounds forbid it."""
    try:
        game.rules.parse([f"deal_cards={n}"])
    except AssayError:
        return True
    return is_playable(game, [f"deal_cards={n}"], None, 4)


# --- the same bits, bad input, words -----------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs():
    given: dict[str, Any] = {"strategy": "gambler", "seats": 2, "points": 3, "deals": 64}
    result = assert_same_bits(lambda work: sensitivity(NAME, work=work, **given))
    assert prepare(NAME, **given).games == result.games


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "guess"}, "unknown method 'guess'"),
        ({"points": 1}, "at least 2"),
        ({"method": SOBOL, "points": 12}, "power of two"),
        ({"points": 100_000}, "at most 20,000"),
        ({"names": ["baseline"]}, "at least 2 different"),
        ({"strategy": "nobody"}, "nobody"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
        ({"changes": ["nothing=1"]}, "nothing"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(sensitivity, said, **{"game": NAME, "seats": 2, "deals": 64, **given})


@pytest.mark.parametrize(("game", "seats", "method"), [(NAME, 2, MORRIS), (NAME, 2, SOBOL), ("ostia", 3, MORRIS)])
def test_it_is_told(game: str, seats: int, method: str):
    strategy = "gambler" if game == NAME else "baseline"
    knobs = [] if game == NAME else ["start_money[1]=30:80", "rounds", "money_award"]
    result = sensitivity(game, knobs, method=method, strategy=strategy, seats=seats, points=8, deals=64)
    text = assert_told(result, told, find_game(game))
    assert "chance alone" in text


def test_the_command_prints_it(capsys: Any, tmp_path: Any):
    argv = ["sensitivity", NAME, "rounds", "--seats", "2", "--points", "2", "--deals", "64", "--out", str(tmp_path)]
    assert main(argv) == 0
    assert "rounds" in capsys.readouterr().out
    assert (tmp_path / "sensitivity.parquet").exists()
