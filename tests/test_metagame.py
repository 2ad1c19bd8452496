"""The meta-game of Coin Race: what every profile wins is known by going through all states, so is its equilibrium."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from analyses import metagame as module
from analyses.equilibrium import SymmetricGame, all_profiles, equilibria, regrets
from analyses.metagame import (
    LEAST_DEALS,
    MAX_PROFILES,
    count_profiles,
    metagame,
    players_for,
    profiles_to_play,
)
from reports import metagame as told
from simcore.game import SIXTIETHS, find_game
from tests.questions import assert_refused, assert_same_bits, assert_told
from tests.test_toy import Race

NAME = "coin_race"
NAMES = ("baseline", "follower", "gambler")
CHANGES = ["risk_percent=55", "rounds=2"]
DEALS = {2: 40_000, 3: 20_000}


def known_share(counts: tuple[int, ...], k: int) -> float:
    """What a seat of strategy k wins in a profile, over all orders of the table in which it is rotated."""
    table = [name for name, n in zip(NAMES, counts, strict=True) for _ in range(n)]
    seats = len(table)
    found = []
    for turn in range(seats):
        turned = table[turn:] + table[:turn]
        shares = Race(tuple(turned), rounds=2, risk_percent=55).win_shares
        found += [share for share, name in zip(shares, turned, strict=True) if name == NAMES[k]]
    return float(np.mean(found))


def known_game(seats: int) -> SymmetricGame:
    profiles = all_profiles(len(NAMES), seats)
    payoffs = [[known_share(tuple(p), k) if p[k] else np.nan for k in range(len(NAMES))] for p in profiles.tolist()]
    return SymmetricGame(NAMES, seats, profiles, np.array(payoffs))


@pytest.mark.parametrize("seats", DEALS)
def test_what_every_profile_wins_is_found(seats: int):
    result = metagame(NAME, NAMES, seats=seats, deals=DEALS[seats], changes=CHANGES)
    truth = known_game(seats)
    assert (result.profiles == truth.profiles).all()
    seen = result.profiles > 0
    gaps = np.abs(result.game.payoffs - truth.payoffs)[seen]
    errors = result.errors[seen]
    assert (gaps <= 5 * errors + 1e-12).all()
    assert errors.max() < 0.004
    assert (gaps[errors > 0] > 0).any()  # something is measured


@pytest.mark.parametrize("seats", DEALS)
def test_the_equilibrium_is_that_of_the_true_table(seats: int):
    result = metagame(NAME, NAMES, seats=seats, deals=DEALS[seats], changes=CHANGES)
    (truth, *_) = equilibria(known_game(seats), seed=1)
    found = result.equilibria[0]
    assert regrets(known_game(seats), found.mix) @ found.mix < 0.004
    for row, part in zip(result.strategy_rows, truth.mix, strict=True):
        reach = 2 * (row["share"].high - row["share"].low) + 1e-9
        assert abs(row["share"].estimate - part) <= reach
        assert 0 <= row["presence"] <= 1
    assert result.resampled.exploitability.estimate < 0.01


def test_a_strategy_that_never_throws_risky_is_dominated_where_risk_pays():
    result = metagame(NAME, ("baseline", "gambler"), seats=2, deals=2_000, changes=["risk_percent=90"])
    (row,) = result.dominated_rows
    assert (row["name"], row["single"], row["mixture"]) == ("baseline", "gambler", "1.00 gambler")
    assert result.equilibria[0].mix.tolist() == [0, 1]
    assert [row["answer"] for row in result.strategy_rows] == ["gambler", "gambler"]
    path = result.paths[0]
    assert path.is_settled
    assert path.mixes[-1][1] > 0.999


def test_strategies_that_are_one_by_another_name_share_every_deal(tmp_path: Any):
    twin = tmp_path / "twin.py"
    twin.write_bytes((find_game(NAME).strategy_folder / "gambler.py").read_bytes())
    result = metagame(NAME, ["gambler", str(twin)], seats=3, deals=64)
    sizes = result.plan.group_sizes()
    for at, counts in enumerate(result.profiles.tolist()):
        for k, n in enumerate(counts):  # each player sits everywhere: it wins one game's worth in every deal
            assert (result.group_wins[:, at, k] == SIXTIETHS * n * sizes).all()
    assert np.nanmax(np.abs(result.game.payoffs - 1 / 3)) < 1e-15
    assert np.nan_to_num(result.errors).max() == 0
    assert all(row["regret"].high < 1e-12 for row in result.strategy_rows)
    assert result.next_rows == []


def test_wins_of_a_profile_are_all_there_are():
    result = metagame(NAME, NAMES, seats=3, deals=64)
    wins = result.group_wins.sum(axis=2)
    assert (wins == SIXTIETHS * 3 * result.plan.group_sizes()[:, None]).all()
    tables = [tuple(player.name for player in plan.tables[0]) for plan in result.plans]
    assert len(set(tables)) == len(tables) == len(result.profiles) == 10
    assert not any(set(permutations(one)) & {other} for one in tables for other in tables if one != other)


def test_a_sample_measures_what_a_single_seat_gains(monkeypatch: pytest.MonkeyPatch):
    """Two players for four seats: one seat of a strategy among three of another, or of its own."""
    monkeypatch.setattr(module, "MAX_PROFILES", 9)
    result = metagame(NAME, NAMES, seats=4, deals=20_000, changes=CHANGES)
    assert (result.players, result.is_sample, len(result.plans)) == (2, True, 9)
    assert sorted(map(tuple, result.profiles.tolist())) == sorted(
        {tuple(3 * (j == other) + (j == k) for j in range(3)) for k in range(3) for other in range(3)}
    )
    for at, counts in enumerate(result.game.profiles.tolist()):
        for k in np.flatnonzero(counts).tolist():
            others = [j for j, n in enumerate(counts) for _ in range(n - (j == k))]
            full = tuple(3 * (j == others[0]) + (j == k) for j in range(3))
            assert result.game.payoffs[at, k] == pytest.approx(known_share(full, k), abs=0.01)
    assert "A sample: of 15 ways to fill the seats" in assert_told(result, told, find_game(NAME))


@pytest.mark.parametrize(("n_names", "seats"), [(3, 3), (4, 5), (6, 4), (10, 6), (11, 4), (20, 5)])
def test_profiles_of_a_sample_are_as_many_as_counted(n_names: int, seats: int):
    players = players_for(n_names, seats)
    assert (seats - 1) % (players - 1) == 0
    profiles = profiles_to_play(n_names, seats, players)
    assert len(profiles) == count_profiles(n_names, seats, players) <= MAX_PROFILES
    assert (profiles.sum(axis=1) == seats).all()
    assert len({tuple(one) for one in profiles.tolist()}) == len(profiles)


def test_the_same_bits_again_and_with_other_jobs():
    assert_same_bits(lambda work: metagame(NAME, NAMES, seats=2, deals=64, work=work))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"names": ["baseline"]}, "two strategies or more"),
        ({"names": ["baseline", "baseline"]}, "each named once"),
        ({"names": ["baseline", "nobody"]}, "nobody"),
        ({"deals": LEAST_DEALS - 1}, f"at least {LEAST_DEALS} deals"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
        ({"changes": ["nothing=1"]}, "nothing"),
        (
            {"names": [f"baseline:x={n}" for n in range(40)], "seats": 4},
            f"at most {MAX_PROFILES:,} are played: name at most 31",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(metagame, said, **{"game": NAME, "names": NAMES, "seats": 3, **given})


@pytest.mark.parametrize(("game", "seats"), [(NAME, 4), ("ostia", 3)])
def test_it_is_told(game: str, seats: int):
    names = NAMES if game == NAME else ("baseline", "miser", "senator")
    text = assert_told(metagame(game, names, seats=seats, deals=64), told, find_game(game))
    assert all(name in text for name in names)
