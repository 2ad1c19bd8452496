"""When games are decided: worked by hand, by a plain twin on random games, and in Coin Race by going through all states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analyses.decided import END, QUANTILES, Decided, Followed, decided
from analyses.inputs import find_rules, find_table, make_plan
from reports import decided as told
from reports.cli import main
from simcore.game import SIXTIETHS, find_game
from tests.questions import assert_refused, assert_same_bits, assert_told
from tests.test_toy import Coins, Race, leaders, shared_win, widened

NAME = "coin_race"
LABELS = ("1", "2", "3")

Game = tuple[list[list[int]], list[int]]  # standings by round, and sixtieths won


def followed(games: list[Game], swapped: dict[int, list[list[int]]] | None = None) -> Decided:
    """What became of leads in games written down; those without a winner are left out, as `decided` does."""
    game = find_game(NAME)
    seats = len(games[0][1])
    plan = make_plan(game, [find_table(game, seats, "baseline")], find_rules(game), len(games), 1)
    wins = np.array([won for _, won in games], np.int32)
    ended = np.flatnonzero(wins.any(axis=1))
    standings = np.array([standing for standing, _ in games], np.int32)
    return Decided(
        game,
        plan,
        LABELS[: standings.shape[1]],
        Followed(standings[ended], wins[ended]),
        ended,
        wins,
        {seat: np.array(rows, np.int32) for seat, rows in (swapped or {}).items()},
        "random" if swapped else None,
    )


WORKED: list[Game] = [
    ([[3, 1, 0], [4, 2, 1], [5, 3, 2]], [60, 0, 0]),  # led from the start
    ([[1, 3, 0], [2, 4, 1], [9, 4, 2]], [60, 0, 0]),  # the lead changes in round 3, and holds
    ([[1, 3, 0], [4, 3, 1], [5, 6, 2]], [60, 0, 0]),  # and twice; the final scoring takes it away
    ([[2, 2, 0], [3, 2, 1], [4, 4, 2]], [30, 30, 0]),  # two lead together, and win together
    ([[0, 1, 2], [0, 1, 2], [0, 1, 2]], [60, 0, 0]),  # the last wins
]


def test_games_worked_by_hand():
    result = followed(WORKED)
    assert result.moment.tolist() == [0, 2, 3, 0, 3]
    shares = {row["decided"]: (row["share"].estimate, row["until"].estimate) for row in result.moment_rows}
    assert shares == {"1": (0.4, 0.4), "2": (0, 0.4), "3": (0.2, 0.6), END: (0.4, 1)}
    assert result.single["decided_at"].estimate == pytest.approx((1 + 3 + 4 + 1 + 4) / 5 / 4)
    # changes of who leads: 0, one, three (the end counted), 0 (one of two stays), one
    assert result.single["lead_changes"].estimate == pytest.approx((0 + 1 + 3 + 0 + 1) / 5)
    behind = [row["behind"].estimate for row in result.round_rows]
    assert behind == pytest.approx([3 / 5, 2.5 / 5, 2 / 5])
    assert [row["last"].estimate for row in result.round_rows] == pytest.approx([1 / 5, 1 / 5, 1 / 5])
    assert [row["value"].estimate for row in result.deficit_rows] == pytest.approx([2, 2, 2])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_runaway_index_is_0_by_chance_and_1_by_right(seats: int):
    rng = np.random.default_rng(seats)
    sure: list[Game] = []
    for _ in range(300):
        standing = rng.permutation(seats).tolist()
        sure.append(([standing], [SIXTIETHS * (have == seats - 1) for have in standing]))
    assert followed(sure).round_rows[0]["runaway"].estimate == pytest.approx(1)
    whoever: list[Game] = [
        (standing, [SIXTIETHS * (seat == at % seats) for seat in range(seats)])
        for at, (standing, _) in enumerate([one for one in sure for _ in range(seats)])
    ]
    assert followed(whoever).round_rows[0]["runaway"].estimate == pytest.approx(0, abs=1e-12)
    all_lead: list[Game] = [([[1] * seats], [60] + [0] * (seats - 1))] * 4
    assert followed(all_lead).round_rows[0]["runaway"].estimate == 0


def plain_twin(games: list[Game]) -> dict[str, float]:
    """The same from the definitions, game by game."""
    found: dict[str, float] = defaultdict(float)
    for standings, wins in games:
        leads = [leaders(tuple(one)) for one in standings] + [frozenset(s for s, won in enumerate(wins) if won)]
        winners = leads[-1]
        moment = next(at for at in range(len(leads)) if all(leads[k] & winners for k in range(at, len(leads))))
        found["decided_at"] += (moment + 1) / len(leads)
        found["lead_changes"] += sum(not one & other for one, other in pairwise(leads))
        for at, standing in enumerate(standings):
            lowest = min(standing)
            for seat, won in enumerate(wins):
                if seat not in leads[at]:
                    found[f"behind {at}"] += won / SIXTIETHS
                    found[f"last {at}"] += won / SIXTIETHS * (standing[seat] == lowest)
        gaps = [max(max(one) - one[seat] for one in standings) for seat in winners]
        if len(winners) == 1:
            found["deficit"] += gaps[0]
    return {name: total / len(games) for name, total in found.items()}


def random_games(n: int, seats: int) -> Iterator[Game]:
    rng = np.random.default_rng(n)
    for _ in range(n):
        steps = rng.integers(0, 4, (3, seats))
        standings = np.cumsum(steps, axis=0)
        final = standings[-1] + rng.integers(0, 4, seats)
        best = np.flatnonzero(final == final.max())
        wins = [SIXTIETHS // len(best) if seat in best else 0 for seat in range(seats)]
        yield standings.tolist(), wins


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_plain_twin_agrees(seats: int):
    games = list(random_games(400, seats))
    result, known = followed(games), plain_twin(games)
    assert result.single["decided_at"].estimate == pytest.approx(known["decided_at"])
    assert result.single["lead_changes"].estimate == pytest.approx(known["lead_changes"])
    for at, row in enumerate(result.round_rows):
        assert row["behind"].estimate == pytest.approx(known[f"behind {at}"])
        assert row["last"].estimate == pytest.approx(known.get(f"last {at}", 0.0))
    single = [one for one in games if max(one[1]) == SIXTIETHS]
    assert len(single) > 100
    worst = sorted(max(max(s) - s[won.index(SIXTIETHS)] for s in standings) for standings, won in single)
    found = followed(single).deficit_rows[0]
    assert found["quantile"] == QUANTILES[0] == 0.5
    assert found["value"].estimate == pytest.approx(float(np.median(worst)), abs=0.5)


# --- kingmaking --------------------------------------------------------------------------------------------


def test_kings_are_made_by_those_who_win_neither_way():
    games: list[Game] = [([[1, 1, 1]], won) for won in ([60, 0, 0], [60, 0, 0], [0, 60, 0], [0, 0, 0], [30, 30, 0])]
    swapped = [[0, 60, 0], [60, 0, 0], [0, 0, 60], [60, 0, 0], [60, 0, 0]]
    # seat 3 loses either way in games 1, 2 and 5, and sways 1 and 5; in 3 it wins by the swap; game 4 had no winner
    result = followed(games, {2: swapped})
    assert result.kingmaking is not None
    assert result.kingmaking.estimate == pytest.approx(2 / 3)
    assert len(result.table.wins) == 4
    assert followed(games).kingmaking is None
    assert result.games == 5 * 2


def test_a_rival_that_plays_alike_makes_no_kings():
    result = decided(NAME, strategies="gambler", rival="gambler", seats=3, deals=640)
    assert result.single["kingmaking"].estimate == 0
    assert result.games == 640 * 4


def test_whoever_looks_at_nobody_sways_nobody():
    """Gamblers throw alike whatever the others do; a third that throws safe changes only whether it wins itself."""
    result = decided(NAME, strategies="gambler", rival="baseline", seats=3, deals=6_400)
    looked = 0
    for seat, wins in result.swapped.items():
        loses = (result.wins[:, seat] == 0) & (wins[:, seat] == 0)
        looked += int(loses.sum())
        assert ((result.wins > 0) == (wins > 0))[loses].all()
    assert looked > 1_000
    assert result.single["kingmaking"].estimate == 0


# --- Coin Race ---------------------------------------------------------------------------------------------


def known(race: Race) -> dict[str, float]:
    """What becomes of leads, over all paths of standings and their chances."""
    paths: dict[tuple[Coins, ...], float] = {(): 1.0}
    state: dict[tuple[Coins, ...], Coins] = {(): race.start}
    for _ in range(race.rounds):
        after: dict[tuple[Coins, ...], float] = defaultdict(float)
        for path, chance in paths.items():
            for coins, likely in race.next_round({path[-1] if path else state[()]: 1.0}).items():
                after[(*path, coins)] += chance * likely
        paths = dict(after)
    found: dict[str, float] = defaultdict(float)
    for path, chance in paths.items():
        wins = [round(SIXTIETHS * share) for share in shared_win(path[-1])]
        for name, value in plain_twin([([list(coins) for coins in path], wins)]).items():
            found[name] += chance * value
    return found


@pytest.mark.parametrize("table", [("gambler", "gambler"), ("follower", "random", "gambler")])
def test_coin_race_is_decided_when_its_states_say(table: tuple[str, ...]):
    result = decided(NAME, strategies=table, seats=len(table), deals=60_000)
    true = known(Race(table))
    for name in ("decided_at", "lead_changes"):
        found = widened(result.single[name])
        assert found.low <= true[name] <= found.high
        assert found.high - found.low < 0.1
    for at, row in enumerate(result.round_rows):
        for name in ("behind", "last"):
            found = widened(row[name])
            assert found.low - 1e-9 <= true.get(f"{name} {at}", 0.0) <= found.high + 1e-9


# --- the same bits, bad input, words -----------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs():
    assert_same_bits(lambda work: decided(NAME, strategies="gambler", rival="random", seats=3, deals=640, work=work))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"deals": 1}, "2 deals at least, not 1"),
        ({"strategies": "nobody"}, "nobody"),
        ({"rival": "nobody"}, "nobody"),
        ({"strategies": ["baseline", "random"]}, "2 strategies for 3 seats"),
        ({"seats": 9}, "seats 2 to 4 players, not 9"),
        ({"changes": ["nothing=1"]}, "nothing"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str):
    assert_refused(decided, said, **{"game": NAME, "seats": 3, "deals": 64, **given})


@pytest.mark.parametrize("rival", [None, "random"])
@pytest.mark.parametrize(("game", "seats"), [(NAME, 2), ("ostia", 3)])
def test_it_is_told(game: str, seats: int, rival: str | None):
    result = decided(game, rival=rival, seats=seats, deals=64)
    text = assert_told(result, told, find_game(game))
    assert "runaway index" in text
    assert (" decides which other seat wins" in text) == (rival is not None and seats > 2)


def test_the_command_prints_it(capsys: Any, tmp_path: Any):
    argv = ["decided", NAME, "--rival", "random", "--seats", "3", "--deals", "64", "--out", str(tmp_path)]
    assert main(argv) == 0
    assert "runaway" in capsys.readouterr().out
    assert (tmp_path / "decided.parquet").exists()
