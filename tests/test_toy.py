"""The analyses tested on a game of which everything is known: Coin Race, added from `tests.toy.coin_race`.

What a seat wins, how often a lead is lost, what a throw brings are computed here from the rules of the game, by
convolution where throws are independent and by going through all states where a strategy looks at the others' coins.
The analyses must find the same from play. Deals are so many that half a point in a hundred would be noticed.
"""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
import pytest

import analyses.run
import strategies
from analyses.comparison import Comparison, compare
from analyses.inputs import Work
from analyses.play import play
from analyses.run import Run, run
from analyses.seats import by_seat, fairness
from analyses.statistics import Estimate, student_quantile
from analyses.tallied import measure_rows
from reports.cli import main
from simcore.game import GAMES, SIXTIETHS, Game, add_game
from simcore.plan import GROUPS
from simcore.standings import MAX_LEAD
from tests.referee.coin_race import Foul, check

PACKAGE, NAME = "tests.toy.coin_race", "coin_race"
STRATEGIES = ("baseline", "random", "follower", "gambler")
NEARLY_SURE = 1 - 1e-5  # of an interval that must hold the true value; some hundreds are looked at
TOGETHER = 0.999  # of intervals that must hold theirs together
STANDARD_ERRORS = 5  # where the analysis tells intervals of 95 % alone
HALF_A_POINT = 0.005
MANY = 400_000  # games

Coins = tuple[int, ...]
Spread = dict[Coins, float]


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[Game]:
    """The game, known while these tests run; long runs leave nothing in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, NAME, PACKAGE)
        patch.setattr(analyses.run, "LONG_RUN", 10**12)
        yield add_game(PACKAGE)


# --- what is known -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Race:
    """A table of Coin Race: a strategy per seat, and the rules."""

    table: tuple[str, ...]
    head_start: tuple[int, ...] = (0, 0, 0, 0)
    rounds: int = 3
    safe_coins: int = 1
    risky_coins: int = 2
    risk_percent: int = 50

    @property
    def seats(self) -> int:
        return len(self.table)

    @property
    def start(self) -> Coins:
        return self.head_start[: self.seats]

    @property
    def changes(self) -> list[str]:
        """As the analyses take them."""
        plain = [f"{name}={getattr(self, name)}" for name in ("rounds", "safe_coins", "risky_coins", "risk_percent")]
        return [*plain, f"head_start={','.join(map(str, self.head_start))}"]

    def risk(self, seat: int, coins: Coins) -> float:
        """Chance that the seat throws risky."""
        is_behind = coins[seat] < max(coins)
        return {"baseline": 0.0, "random": 0.5, "gambler": 1.0, "follower": float(is_behind)}[self.table[seat]]

    def gains(self, risk: float) -> list[tuple[int, float]]:
        """What a throw brings, with its chance, if it is risky with a chance of `risk`."""
        success = self.risk_percent / 100
        return [(self.safe_coins, 1 - risk), (self.risky_coins, risk * success), (0, risk * (1 - success))]

    def thrown(self, spread: Spread, seat: int) -> Spread:
        """The chances of all states after one more throw."""
        after: Spread = defaultdict(float)
        for coins, chance in spread.items():
            for gain, likely in self.gains(self.risk(seat, coins)):
                if likely:
                    after[(*coins[:seat], coins[seat] + gain, *coins[seat + 1 :])] += chance * likely
        return dict(after)

    def next_round(self, spread: Spread) -> Spread:
        for seat in range(self.seats):
            spread = self.thrown(spread, seat)
        return spread

    @cached_property
    def standings(self) -> list[Spread]:
        """The chances of all states after each round, at the start first."""
        spreads = [{self.start: 1.0}]
        for _ in range(self.rounds):
            spreads.append(self.next_round(spreads[-1]))
        return spreads

    @cached_property
    def win_shares(self) -> list[float]:
        """What each seat wins."""
        return expected(self.standings[-1], shared_win)

    @cached_property
    def scores(self) -> list[float]:
        return expected(self.standings[-1], lambda coins: coins)

    def risky_throws(self, round_no: int) -> list[float]:
        """Chance that each seat throws risky in a round."""
        spread, risks = self.standings[round_no - 1], []
        for seat in range(self.seats):
            risks.append(sum(chance * self.risk(seat, coins) for coins, chance in spread.items()))
            spread = self.thrown(spread, seat)
        return risks

    def final_wins(self, coins: Coins, round_no: int) -> list[float]:
        """What each seat wins on the average if the coins are these after a round."""
        spread = {coins: 1.0}
        for _ in range(round_no, self.rounds):
            spread = self.next_round(spread)
        return expected(spread, shared_win)


def expected(spread: Spread, numbers: Callable[[Coins], Sequence[float]]) -> list[float]:
    """Means of numbers by seat."""
    return sum(chance * np.array(numbers(coins), float) for coins, chance in spread.items()).tolist()


def shared_win(coins: Coins) -> list[float]:
    return [float(seat in leaders(coins)) / len(leaders(coins)) for seat in range(len(coins))]


def leaders(coins: Coins) -> frozenset[int]:
    return frozenset(seat for seat, have in enumerate(coins) if have == max(coins))


def lead(coins: Coins) -> int:
    """By how much the first leads the second."""
    last, first = sorted(coins)[-2:]
    return first - last


def convolved(race: Race, seat: int) -> np.ndarray:
    """The chance of each number of coins at the end, of a seat that does not look at the others."""
    throw = np.zeros(max(race.safe_coins, race.risky_coins) + 1)
    for gain, chance in race.gains(race.risk(seat, (0,) * race.seats)):
        throw[gain] += chance
    total = np.eye(1, max(race.start) + 1, race.start[seat])[0]
    for _ in range(race.rounds):
        total = np.convolve(total, throw)
    return total


def convolved_shares(race: Race) -> list[float]:
    """What each seat wins: by how many equal it, given that nobody is better; throws must be independent."""
    totals = [convolved(race, seat) for seat in range(race.seats)]
    shares = []
    for seat, total in enumerate(totals):
        others = [other for at, other in enumerate(totals) if at != seat]
        share = 0.0
        for coins, chance in enumerate(total):
            equals = np.array([1.0])
            for other in others:
                equals = np.convolve(equals, [other[:coins].sum(), other[coins]])
            share += chance * (equals / np.arange(1, len(equals) + 1)).sum()
        shares.append(float(share))
    return shares


def alone(me: str, other: str, seats: int) -> float:
    """What one strategy wins among others of one kind, over all seats that it may sit at."""
    shares = []
    for seat in range(seats):
        table = tuple(me if at == seat else other for at in range(seats))
        race = Race(table)
        shares.append((race.win_shares if "follower" in table else convolved_shares(race))[seat])
    return sum(shares) / seats


INDEPENDENT = [
    Race(("gambler", "baseline")),
    Race(("gambler", "random"), head_start=(0, 1, 0, 0)),
    Race(("random", "gambler", "baseline"), rounds=4, risk_percent=30, risky_coins=3),
    Race(("gambler", "gambler", "random", "random"), head_start=(1, 0, 2, 0), safe_coins=2, risky_coins=5),
]


@pytest.mark.parametrize("race", INDEPENDENT)
def test_both_ways_to_know_agree(race):
    assert convolved_shares(race) == pytest.approx(race.win_shares, abs=1e-12)
    assert sum(race.win_shares) == pytest.approx(1)
    totals = [convolved(race, seat) for seat in range(race.seats)]
    means = [float(total @ np.arange(len(total))) for total in totals]
    assert means == pytest.approx(race.scores)


# --- how what is found is held against it ------------------------------------------------------------------


def assert_found(estimate: Estimate, true: float, precision: float = HALF_A_POINT) -> None:
    """An interval that holds nearly surely holds the true value, and none that is farther off."""
    assert estimate.low - 1e-12 <= true <= estimate.high + 1e-12
    assert estimate.low > true - precision
    assert estimate.high < true + precision


def widened(estimate: Estimate) -> Estimate:
    """An interval of 95 % from groups of deals, made one of five standard errors."""
    middle, half = (estimate.low + estimate.high) / 2, (estimate.high - estimate.low) / 2
    reach = half * STANDARD_ERRORS / student_quantile(0.95, GROUPS - 1)
    return replace(estimate, low=middle - reach, high=middle + reach)


def found(race: Race, deals: int = MANY, seed: int = 1) -> Run:
    return run(NAME, seats=race.seats, strategies=race.table, deals=deals, seed=seed, changes=race.changes)


def assert_seats_found(race: Race, result: Run) -> None:
    """Shares of wins, coins and risky throws of every seat."""
    risky = np.sum([race.risky_throws(number) for number in range(1, race.rounds + 1)], axis=0)
    for seat, row in enumerate(by_seat(result.plan, result.part, NEARLY_SURE)):
        assert row["strategy"] == race.table[seat]
        assert_found(row["win_share"], race.win_shares[seat])
        assert_found(row["score"], race.scores[seat], precision=0.05)
        assert_found(row["risky_throws"], risky[seat], precision=0.02)
        assert_found(row["coins_risked"], risky[seat] * race.risky_coins, precision=0.1)


# --- which way of playing wins -----------------------------------------------------------------------------

DEALS = {2: 150_000, 3: 120_000, 4: 70_000}  # a deal is played in every seating


@pytest.mark.parametrize("seats", DEALS)
def test_a_comparison_finds_what_strategies_win_of_each_other(seats):
    result = replace(compare(NAME, STRATEGIES, seats=seats, deals=DEALS[seats]), confidence=TOGETHER)
    true = {(me, other): alone(me, other, seats) for me in STRATEGIES for other in STRATEGIES if me != other}

    def pair_share(me: str, other: str) -> float:
        """A strategy's share of all seats of two tables: one seat at the one, all but one at the other."""
        return (true[me, other] + 1 - true[other, me]) / seats

    assert {(row["name"], row["others"]) for row in result.alone_rows} == set(true)
    for row in result.alone_rows:
        assert_found(row["win_share"], true[row["name"], row["others"]])
    for row in result.pair_rows:
        a, b = row["a"], row["b"]
        gap = pair_share(a, b) - pair_share(b, a)
        assert_found(row["difference"], gap, 2 * HALF_A_POINT)  # what the one gains the other loses
        assert row["p_value"] < 1e-6 or abs(gap) < HALF_A_POINT
    for row in result.strategy_rows:
        shares = [pair_share(row["name"], other) for other in STRATEGIES if other != row["name"]]
        assert_found(row["win_share"], sum(shares) / len(shares))


def test_a_strategy_that_is_another_by_name_alone_differs_from_it_by_nothing(toy, tmp_path):
    for name in ("gambler", "follower", "random"):
        twin = tmp_path / f"{name}_twin.py"
        twin.write_bytes((toy.strategy_folder / f"{name}.py").read_bytes())
        for seats in toy.seats:
            of_twins = compare(NAME, [name, str(twin)], seats=seats, deals=200)
            (pair,) = of_twins.pair_rows
            assert (pair["difference"].estimate, pair["p_value"]) == (0, 1)
            assert {row["win_share"].estimate for row in of_twins.strategy_rows} == {1 / seats}
            of_one = compare(NAME, [name, name], seats=seats, deals=200)
            (pair,) = of_one.pair_rows
            assert (pair["difference"].low, pair["difference"].high) == (0, 0)
            assert_constant(of_twins)
            assert_constant(of_one)


def assert_constant(result: Comparison) -> None:
    """Every player of a table of one kind wins one game's worth in every block, neither more nor less."""
    plan, moments = result.plan, result.part.moments
    players = [at for at, column in enumerate(plan.columns) if column.role == "player"]
    assert len(players) == 2 * plan.seats
    for at in players:
        assert moments.total[at] == SIXTIETHS * plan.deals
        assert moments.cross[at][at] == SIXTIETHS**2 * plan.deals


# --- what the seats win ------------------------------------------------------------------------------------

RACES = [
    Race(("gambler", "gambler"), head_start=(0, 1, 0, 0)),
    Race(("random", "follower", "gambler"), head_start=(1, 1, 0, 0), rounds=2),
    Race(("follower", "random", "follower"), head_start=(0, 0, 2, 0), risk_percent=35, risky_coins=3),
    Race(("random", "random", "random", "random"), head_start=(0, 1, 2, 3), risky_coins=4, risk_percent=40, rounds=2),
    Race(("follower", "gambler", "baseline", "random"), safe_coins=2, risky_coins=5, risk_percent=45),
]


@pytest.mark.parametrize("race", RACES)
def test_a_run_finds_what_every_seat_wins(race):
    assert_seats_found(race, found(race))


@pytest.mark.parametrize("points", [26, 29, 34, 41])
def test_a_head_start_worth_so_many_points_is_found(points):
    """One throw of two gamblers for two coins: one coin ahead, seat 1 loses if it fails and seat 2 does not.

    With a chance q of success the head start is worth 1/2 - q(1 - q); q = 1/2 - sqrt(worth - 1/4) makes it `points`.
    """
    percent = 50 - 10 * isqrt(points - 25)
    race = Race(("gambler", "gambler"), (1, 0, 0, 0), rounds=1, risk_percent=percent)
    result = found(race)
    assert_found(by_seat(result.plan, result.part, NEARLY_SURE)[0]["win_share"], 0.5 + points / 100)
    assert fairness(result.plan, result.part, tolerance=0.01) == ("not fair", ["not fair", "not fair"])


@pytest.mark.parametrize("points", [1, 2])
def test_a_small_head_start_is_found_on_the_same_deals(points):
    """A safe throw for one coin against a risky one for two: a coin ahead makes a tie of what was lost, half a win."""
    ahead = Race(("baseline", "gambler"), (1, 0, 0, 0), rounds=1, risk_percent=2 * points)
    level = replace(ahead, head_start=(0, 0, 0, 0))
    shares = [found(race).seat_rows[0]["win_share"] for race in (ahead, level)]
    assert shares[0].estimate - shares[1].estimate == pytest.approx(1 - shares[0].estimate)
    assert_found(shares[0], 1 - points / 100)
    assert shares[0].low > shares[1].high


def favoured(least: float, most: float) -> Race:
    """A race in which seat 1 is favoured by so much."""
    races = (
        Race(("gambler", "baseline"), rounds=rounds, risky_coins=coins, risk_percent=percent)
        for rounds in (1, 2, 3, 4)
        for coins in (2, 3, 4)
        for percent in range(1, 100)
    )
    return next(race for race in races if least < convolved_shares(race)[0] - 0.5 < most)


@pytest.mark.parametrize(
    ("race", "verdict"),
    [
        (favoured(0.003, 0.006), "fair"),
        (favoured(-0.006, -0.003), "fair"),
        (favoured(0.014, 0.017), "not fair"),
        (favoured(-0.017, -0.014), "not fair"),
        (Race(("gambler",) * 3), "fair"),
        (Race(("random",) * 4), "fair"),
        (Race(("random",) * 4, head_start=(0, 0, 1, 0)), "not fair"),
    ],
)
def test_half_a_point_is_fair_and_one_and_a_half_are_not(race, verdict):
    result = found(race, deals=200_000)
    assert fairness(result.plan, result.part, tolerance=0.01)[0] == verdict


# --- the economy -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("race", RACES[1:])
def test_a_run_finds_what_throws_are_and_bring(toy, race):
    result = found(race)
    risks = np.array([race.risky_throws(number) for number in range(1, race.rounds + 1)])
    success = race.risk_percent / 100
    known = {
        "risky_share": {(): risks.mean()},
        "risky_by_round": {(number,): risk for number, risk in enumerate(risks.mean(axis=1), 1)},
        "success": {(): success},
        "coins_by_throw": {("safe",): race.safe_coins, ("risky",): success * race.risky_coins},
    }
    assert set(known) == {measure.name for measure in toy.economy}
    for measure in toy.economy:
        rows = measure_rows(result.plan, result.part, measure, NEARLY_SURE)
        assert {tuple(row[axis] for axis in measure.by) for row in rows} == set(known[measure.name])
        for row in rows:
            precision = 0.02 if measure.value else HALF_A_POINT
            assert_found(row["value"], known[measure.name][tuple(row[axis] for axis in measure.by)], precision)


# --- when it is decided ------------------------------------------------------------------------------------


@pytest.mark.parametrize("race", [Race(("gambler", "gambler"), rounds=4), Race(("random", "follower", "gambler"))])
def test_a_run_finds_who_leads_and_wins(race):
    rows = found(race).tension_rows
    for label in range(1, race.rounds + 1):
        now, number = race.standings[label], label
        wins = {coins: race.final_wins(coins, number) for coins in now}
        assert_figure(rows["lead_share"], "round", str(label), "seat", seat_leads(race, now))
        assert_figure(rows["win_by_lead"], "round", str(label), "lead", lead_wins(now, wins))
        assert_figure(rows["win_by_place"], "round", str(label), "place", place_wins(now, wins))


def assert_figure(rows: Sequence[dict[str, Any]], axis: str, label: str, by: str, known: dict[Any, float]) -> None:
    """The rows of a figure at one label hold the true values; those behind many games hold them closely."""
    here = {row[by]: row["value"] for row in rows if row[axis] == label}
    assert set(here) == set(known)
    assert max(one.n for one in here.values()) > MANY / 4
    for name, true in known.items():
        interval = widened(here[name])
        assert interval.low - 1e-9 <= true <= interval.high + 1e-9
        if here[name].n > MANY / 4:
            assert interval.high - interval.low < 4 * HALF_A_POINT


def seat_leads(race: Race, now: Spread) -> dict[int, float]:
    shares = expected(now, shared_win)
    return {seat + 1: share for seat, share in enumerate(shares)}


def lead_wins(now: Spread, wins: dict[Coins, list[float]]) -> dict[int, float]:
    """Chance that one of the leaders wins, by their lead."""
    seen, won = defaultdict(float), defaultdict(float)
    for coins, chance in now.items():
        size = min(lead(coins), MAX_LEAD)
        seen[size] += chance
        won[size] += chance * sum(wins[coins][seat] for seat in leaders(coins))
    return {size: won[size] / seen[size] for size in seen}


def place_wins(now: Spread, wins: dict[Coins, list[float]]) -> dict[int, float]:
    """Chance that a seat in a place wins."""
    seen, won = defaultdict(float), defaultdict(float)
    for coins, chance in now.items():
        for seat, have in enumerate(coins):
            place = 1 + sum(other > have for other in coins)
            seen[place] += chance
            won[place] += chance * wins[coins][seat]
    return {place: won[place] / seen[place] for place in seen}


@pytest.mark.parametrize("race", [Race(("gambler", "gambler"), rounds=4), Race(("random", "follower", "gambler"))])
def test_a_run_finds_how_often_the_lead_changes(race):
    rows = found(race).tension_rows
    for label in range(2, race.rounds + 2):
        until = str(label) if label <= race.rounds else "end"
        lost = shared = 0.0
        for coins, chance in race.standings[label - 1].items():
            for later, likely in race.next_round({coins: 1.0}).items() if label <= race.rounds else ():
                lost += chance * likely * (not leaders(coins) & leaders(later))
                shared += chance * likely * bool(leaders(coins) & leaders(later)) * (leaders(coins) != leaders(later))
        for figure, true in (("lead_lost", lost), ("lead_shared", shared)):
            (one,) = [row["value"] for row in rows[figure] if row["until"] == until]
            assert_found(widened(one), true)
            assert one.estimate == 0 or label <= race.rounds


# --- intervals ---------------------------------------------------------------------------------------------


def test_intervals_of_95_percent_hold_the_true_value_19_times_in_20():
    race = Race(("random", "gambler", "follower"), head_start=(1, 0, 0, 0))
    now = race.standings[2]
    wins = {coins: race.final_wins(coins, 2) for coins in now}
    risks = np.array([race.risky_throws(number) for number in range(1, race.rounds + 1)])
    known = {
        "win_share": race.win_shares[0],
        "score": race.scores[2],
        "risky": risks.mean(),
        "lead": lead_wins(now, wins)[1],
    }
    n_runs, n_held = 400, dict.fromkeys(known, 0)
    for seed in range(n_runs):
        result = found(race, deals=320, seed=seed)
        told = {
            "win_share": result.seat_rows[0]["win_share"],
            "score": result.seat_rows[2]["score"],
            "risky": result.economy_rows["risky_share"][0]["value"],
            "lead": next(
                row["value"] for row in result.tension_rows["win_by_lead"] if (row["round"], row["lead"]) == ("2", 1)
            ),
        }
        for name, one in told.items():
            n_held[name] += one.low <= known[name] <= one.high
    strays = 4 * (n_runs * 0.95 * 0.05) ** 0.5
    assert {name: n for name, n in n_held.items() if abs(n - 0.95 * n_runs) > strays} == {}


# --- the same bits, other processes ------------------------------------------------------------------------


def test_one_job_and_two_give_the_same_bits():
    def all_of(jobs: int) -> tuple[Any, ...]:
        work = Work(jobs=jobs)
        one = run(NAME, seats=3, strategies=["random", "gambler", "follower"], deals=50_000, work=work)
        two = compare(NAME, ["random", "follower"], seats=2, deals=12_000, work=work)
        assert min(len(list(result.plan.parts())) for result in (one, two)) > 2
        counts = [result.part.tallies[name].tobytes() for result in (one, two) for name in sorted(result.part.tallies)]
        return one.as_dict(), two.as_dict(), one.part.moments, two.part.moments, counts

    assert all_of(1) == all_of(2)


def test_another_process_learns_of_the_game_from_what_it_is_sent(toy):
    sent = pickle.dumps([toy, strategies.load_once(NAME, "follower:margin=2")])
    GAMES.pop(NAME)
    game, strategy = pickle.loads(sent)
    assert game is toy
    assert GAMES[NAME] == PACKAGE
    assert (strategy.name, strategy.values) == ("follower:margin=2", (2.0,))


# --- the game itself, and the commands ---------------------------------------------------------------------


def games(deals: int) -> Iterator[dict[str, Any]]:
    for seats in (2, 3, 4):
        for deal in range(deals):
            chosen = [(*STRATEGIES, "follower:margin=2")[(deal + 3 * seat) % 5] for seat in range(seats)]
            changes = [f"head_start={deal % 3},0,1,0", f"rounds={1 + deal % 10}", f"risk_percent={7 * deal % 101}"]
            yield play(NAME, seats=seats, strategies=chosen, seed=2, deal=deal, changes=changes)


def test_the_referee_accepts_every_game_and_no_other(toy):
    for document in games(40):
        check(document)
        assert document["outcome"]["score"] == document["outcome"][f"after_{toy.rounds[-1]}"]
        words = toy.wording(document)
        assert words.count(" throws ") == document["seats"] * document["rules"]["rounds"]
    throw = next(event for event in document["events"] if event["kind"] == "thrown")
    for event, change in (
        (throw["data"], {"gained": throw["data"]["gained"] + 1}),
        (throw["data"], {"luck": "never"}),
        (throw, {"seat": 2}),
        (document["events"][0]["data"], {"coins": 5}),
        (document["events"][-1]["data"], {"rank": 9}),
        (document["outcome"], {"after_1": []}),
    ):
        before = dict(event)
        event.update(change)
        with pytest.raises(Foul):
            check(document)
        event.update(before)
    for events in (document["events"][:-1], document["events"] + document["events"][-1:]):
        with pytest.raises(Foul):
            check({**document, "events": events})
    check(document)


def test_strategies_throw_as_they_say():
    seen = defaultdict(set)
    for document in games(40):
        coins = [0] * document["seats"]
        for event in document["events"]:
            seat, data = (event["seat"] or 0) - 1, event["data"]
            name = document["strategies"][seat]
            if event["kind"] == "seat_ready":
                coins[seat] = data["coins"]
            elif event["kind"] == "thrown":
                behind = max(coins) - coins[seat]
                seen[name].add(data["throw"])
                if name.startswith("follower"):
                    assert (data["throw"] == "risky") == (behind >= (2 if "=2" in name else 1))
                coins[seat] += data["gained"]
    assert seen["baseline"] == {"safe"}
    assert seen["gambler"] == {"risky"}
    assert seen["random"] == seen["follower"] == seen["follower:margin=2"] == {"safe", "risky"}


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What a command prints; it must succeed and not complain."""
    assert main(argv) == 0
    words, complaint = capsys.readouterr()
    assert complaint == ""
    return words


def test_every_command_takes_the_game(toy, capsys, tmp_path):
    assert NAME in [row["name"] for row in json.loads(told(capsys, "games", "--json"))]
    assert toy.title in told(capsys, "games")
    rows = json.loads(told(capsys, "strategies", NAME, "--json"))
    assert {row["name"] for row in rows} == set(STRATEGIES)
    assert "margin=1" in told(capsys, "strategies", NAME)
    assert "* changed" in told(capsys, "rules", NAME, "--set", "head_start[2]=3")
    document = json.loads(told(capsys, "play", NAME, "--strategies", "random", "--json"))
    check(document)
    assert told(capsys, "play", NAME, "--strategies", "random").strip() == toy.wording(document).strip()
    few = ("--seats", "3", "--deals", "50")
    folder = tmp_path / "results"
    words = told(capsys, "run", NAME, "--strategies", "random,gambler,follower", *few, "--out", str(folder))
    assert "coins_risked" in words
    assert {path.stem for path in folder.glob("*.csv")} == {"by_seat", "economy", "tension"}
    rows = json.loads(told(capsys, "compare", NAME, *few, "--json"))["strategies"]
    assert {row["name"] for row in rows} == set(STRATEGIES)
    assert "fair share" in told(capsys, "compare", NAME, "gambler", "follower:margin=2", *few)
    study = tmp_path / "study.toml"
    study.write_text(f'game = "{NAME}"\nseats = 3\ndeals = 50\nstrategies = "random"\n[rules]\nrounds = 2\n')
    command = ("run", NAME, *few, "--strategies", "random", "--set", "rounds=2")
    assert told(capsys, "study", str(study)) == told(capsys, *command)


def test_a_report_tells_of_the_game(toy, capsys, tmp_path):
    folder = tmp_path / "report"
    words = told(capsys, "report", NAME, "--seats", "3", "--deals", "64", "--out", str(folder), "--set", "rounds=2")
    assert words.startswith(str(folder / "index.html"))
    text = (folder / "index.html").read_text(encoding="utf-8")
    assert toy.title in text
    assert all(name in text for name in STRATEGIES)
    assert all(text.count(about) for about in toy.measures.values())
