"""What neighbours give and cost each other: known exactly in Coin Race, where a follower looks at who threw before it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from analyses.frames import plain
from analyses.inputs import Work, find_rules, find_table, make_plan
from analyses.neighbours import GUEST, LEFT, ONLY, OTHERS, RIGHT, Neighbours, neighbours, places
from analyses.paired import WIN_SHARE, difference, p_value
from reports import figures as draw
from reports.neighbours import questions, verdicts, words
from reports.tables import View
from reports.terminal import WIDTH
from simcore.errors import AssayError
from simcore.game import GAMES, SIXTIETHS, WIN, find_game
from simcore.plan import play_part
from tests.test_toy import Race

NAME = "coin_race"
NEARLY_SURE = 1 - 1e-4
CHANGES = ["risk_percent=55", "rounds=2"]
DEALS = {2: 60_000, 3: 40_000, 4: 25_000}


def known(host: str, guest: str, seats: int, rounds: int = 2, risk_percent: int = 55) -> dict[tuple[str, str], float]:
    """What each neighbour has more than a host among hosts, by measure and neighbour, over all seats of the guest."""

    def race(table: list[str]) -> Race:
        return Race(tuple(table), rounds=rounds, risk_percent=risk_percent)

    def measures(one: Race) -> dict[str, list[float]]:
        risky = np.sum([one.risky_throws(number) for number in range(1, rounds + 1)], axis=0)
        return {WIN_SHARE: one.win_shares, "score": one.scores, "risky_throws": list(risky)}

    alone = measures(race([host] * seats))
    kinds = {GUEST: [0], **places(seats)}
    found: dict[tuple[str, str], float] = {}
    for at in range(seats):
        table = [guest if seat == at else host for seat in range(seats)]
        for measure, values in measures(race(table)).items():
            for place, steps in kinds.items():
                mean = float(np.mean([values[(at + step) % seats] for step in steps]))
                gap = mean - float(np.mean(alone[measure]))
                found[measure, place] = found.get((measure, place), 0.0) + gap / seats
    return found


# --- known answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", DEALS)
@pytest.mark.parametrize("host", ["follower", "baseline"])
def test_what_neighbours_give_and_cost_is_found(host: str, seats: int) -> None:
    result = neighbours(NAME, host=host, seats=seats, deals=DEALS[seats], changes=CHANGES)
    result = Neighbours(**{**vars_of(result), "confidence": NEARLY_SURE})
    true = {name: known(host, name, seats) for name in result.names}
    assert set(result.names) == {"baseline", "random", "gambler", "follower"} - {host}
    seen = set()
    for row in [*result.rows, *({**row, "neighbour": GUEST} for row in result.guest_rows)]:
        if row["measure"] == "coins_risked":
            continue
        value, one = row["value"], true[row["guest"]][row["measure"], row["neighbour"]]
        assert value.low - 1e-12 <= one <= value.high + 1e-12
        assert value.high - value.low < 0.06
        if abs(one) > 0.03:
            assert row["p_value"] < 1e-6
        if abs(one) < 1e-9:
            assert row["p_value"] > 1e-4
        seen.add((row["guest"], row["measure"], row["neighbour"]))
    assert len(seen) == len(result.names) * 3 * (1 + len(places(seats)))
    for row in result.side_rows:
        if row["measure"] == WIN_SHARE:
            one = true[row["guest"]][WIN_SHARE, LEFT] - true[row["guest"]][WIN_SHARE, RIGHT]
            assert row["value"].low - 1e-12 <= one <= row["value"].high + 1e-12


def vars_of(result: Neighbours) -> dict[str, Any]:
    names = ("host", "names", "alone", "alone_part", "plans", "parts")
    return {name: getattr(result, name) for name in names}


def test_the_side_matters_to_followers_and_not_to_others() -> None:
    """A follower throws after its right neighbour in the round, and answers to what it threw."""
    changes = ["risk_percent=30", "rounds=1"]
    true = known("follower", "gambler", 3, rounds=1, risk_percent=30)
    gap = true[WIN_SHARE, LEFT] - true[WIN_SHARE, RIGHT]
    assert gap == pytest.approx(0.28 / 3)
    found = neighbours(NAME, ["gambler"], host="follower", seats=3, deals=20_000, changes=changes)
    (side,) = [row for row in found.side_rows if row["measure"] == WIN_SHARE]
    assert side["value"].estimate == pytest.approx(gap, abs=0.01)
    assert side["p_value"] < 1e-6
    same = neighbours(NAME, ["gambler"], host="random", seats=3, deals=20_000, changes=changes)
    (side,) = [row for row in same.side_rows if row["measure"] == WIN_SHARE]
    assert side["value"].estimate == pytest.approx(0, abs=0.01)
    assert side["p_value"] > 1e-4


@pytest.mark.parametrize("seats", [3, 4])
def test_the_left_neighbour_sits_at_the_next_seat_in_every_rotation(seats: int) -> None:
    game = find_game(NAME)
    table = find_table(game, seats, ["gambler", *["follower"] * (seats - 1)])
    plan = make_plan(game, [table], find_rules(game), 40, 1, is_duplicate=True, has_rows=True)
    rows = play_part(plan, 0, 40).rows
    assert rows is not None
    risky = game.column("risky_throws")
    result = neighbours(NAME, ["gambler"], host="follower", seats=seats, deals=40)
    sums = dict.fromkeys((LEFT, RIGHT), 0)
    for rotation in range(seats):
        games = rows[0, :, rotation]
        (at,) = [
            seat for seat in range(seats) if (games[:, seat, risky] == 3).all()
        ]  # follower never risks at the start
        assert at == -rotation % seats
        sums[LEFT] += games[:, (at + 1) % seats, WIN].sum()
        sums[RIGHT] += games[:, (at - 1) % seats, WIN].sum()
    for place, total in sums.items():
        assert result.figure(0, place, WIN_SHARE).above.sum() == total


@pytest.mark.parametrize("seats", DEALS)
def test_what_the_guest_loses_the_others_win(seats: int) -> None:
    result = neighbours(NAME, host="random", seats=seats, deals=320)
    for at in range(len(result.names)):
        wins = sum(result.figure(at, place, WIN_SHARE).above for place in (GUEST, *places(seats)))
        assert (wins == SIXTIETHS * seats * result.plan.group_sizes()).all()
    gaps = {
        (row["guest"], row["neighbour"]): row["value"].estimate for row in result.rows if row["measure"] == WIN_SHARE
    }
    for row in result.guest_rows:
        if row["measure"] == WIN_SHARE:
            rest = sum(len(players) * gaps[row["guest"], place] for place, players in places(seats).items())
            assert row["value"].estimate + rest == pytest.approx(0, abs=1e-12)


def test_hosts_among_themselves_need_no_rotation() -> None:
    """One strategy in all seats plays the same game in every rotation."""
    game = find_game(NAME)
    table = find_table(game, 3, "follower")
    measures = ("win", *game.measures)
    plan = make_plan(game, [table], find_rules(game), 64, 1, is_duplicate=True, measures=measures)
    part = play_part(plan, 0, 64)
    alone = neighbours(NAME, ["random"], host="follower", seats=3, deals=64)
    for measure in alone.units:
        column = "win" if measure == WIN_SHARE else measure
        chosen = [(c.role, c.measure, c.index) == ("player", column, 1) for c in plan.columns]
        assert (part.tallies["sums"][:, chosen].ravel() == alone.host_figure(measure).above).all()


def test_a_host_by_another_name_changes_nothing(tmp_path: Any) -> None:
    twin = tmp_path / "twin.py"
    twin.write_bytes((find_game(NAME).strategy_folder / "follower.py").read_bytes())
    for seats in DEALS:
        result = neighbours(NAME, [str(twin)], host="follower", seats=seats, deals=100)
        for row in [*result.rows, *result.guest_rows]:
            assert (row["value"].estimate, row["p_value"]) == (0, 1)
        for row in result.side_rows:
            assert row["value"].low <= 0 <= row["value"].high
        assert "is sure to give or cost" in words(result)


def test_a_guest_that_never_wins_may_do_so_in_deals_unseen() -> None:
    """Throws that cannot succeed lose every game; an interval of no width would say that this is known."""
    result = neighbours(NAME, ["gambler"], seats=3, deals=64, changes=["risk_percent=0"])
    guest = result.guest_rows[0]["value"]
    assert guest.estimate == guest.low == pytest.approx(-1 / 3)
    assert guest.high == pytest.approx(-1 / 3 + 1 - 0.025 ** (1 / 64))
    assert result.guest_rows[0]["p_value"] < 1e-6
    (side,) = [row["value"] for row in result.side_rows if row["measure"] == WIN_SHARE]
    assert (side.low, side.high) == pytest.approx((-(1 - 0.025 ** (1 / 64)), 1 - 0.025 ** (1 / 64)))


def test_p_values_are_corrected_for_all_guests_and_neighbours() -> None:
    every = neighbours(NAME, host="random", seats=4, deals=320)
    one = neighbours(NAME, ["gambler"], host="random", seats=4, deals=320)
    raw = {row["neighbour"]: row for row in one.rows if row["measure"] == WIN_SHARE}
    for row in every.rows:
        if row["guest"] == "gambler" and row["measure"] == WIN_SHARE:
            assert row["p_value"] >= raw[row["neighbour"]]["p_value"]
            assert row["value"].high > raw[row["neighbour"]]["value"].high
            assert "9 intervals hold together" in row["value"].method


# --- the same bits, bad input ------------------------------------------------------------------------------


def test_the_same_bits_again_and_with_other_jobs() -> None:
    told: list[tuple[int, int]] = []
    first, again, spread = (
        neighbours(NAME, ["random"], seats=3, deals=14_000, work=work)
        for work in (Work(1, progress=lambda *n: told.append(n)), Work(1), Work(2))
    )
    assert len(list(first.plans[0].parts())) > 1
    assert first.as_dict() == again.as_dict() == spread.as_dict()
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    json.dumps(plain(first.as_dict()), allow_nan=False)


def test_a_folder_for_results_changes_nothing(tmp_path: Any) -> None:
    bare, kept, found_again = (
        neighbours(NAME, ["gambler"], seats=3, deals=64, work=Work(out=out)) for out in (None, tmp_path, tmp_path)
    )
    assert repr(bare.as_dict()) == repr(kept.as_dict()) == repr(found_again.as_dict())
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"names": ["baseline"]}, "the guest 'baseline' is the host"),
        ({"names": ["random", "random"]}, "the guest 'random' is named twice"),
        ({"names": []}, "1 to 40 guests, not 0"),
        ({"names": ["random"] * 41}, "1 to 40 guests, not 41"),
        ({"names": ["nobody"]}, "nobody"),
        ({"host": "nobody"}, "nobody"),
        ({"deals": 31}, "at least 32 deals, not 31"),
        ({"seats": 5}, "seats 2 to 4 players, not 5"),
        ({"seed": -1}, "seed"),
        ({"changes": ["nothing=1"]}, "nothing"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssayError, match=said) as fault:
        neighbours(NAME, **given)
    assert "\n" not in str(fault.value)


# --- in words and on the page ------------------------------------------------------------------------------


def view_of(result: Neighbours) -> View:
    """A view of these frames alone."""
    view = object.__new__(View)
    view.frames = result.frames
    return view


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_told(game: str) -> None:
    for seats in (min(find_game(game).seats), max(find_game(game).seats)):
        result = neighbours(game, ["random"], seats=seats, deals=32)
        text = words(result)
        assert max(len(line) for line in text.splitlines()) <= WIDTH
        assert text.count("random") >= len(result.units)
        view = view_of(result)
        (question,) = questions(view, result)
        (verdict,) = verdicts(view, result)
        assert verdict.question == question.id
        assert all("nan" not in line for line in (*question.answer, *question.sure, verdict.text, verdict.meaning))
        assert set(question.files) == set(result.frames)
        assert {table.source for table in question.tables} == set(result.frames)
        for table in question.tables:
            rows = result.frames[table.source]
            cells = [cell for line in table.rows for cell in line if cell.row is not None]
            assert len(cells) >= 1
            assert all(float(rows.loc[cell.row, cell.column]) == float(cell.value) for cell in cells)
        assert question.picture is not None
        assert len(question.picture.panels) == len(result.units)
        draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))


def test_the_figure_has_a_dot_for_each_neighbour() -> None:
    result = neighbours(NAME, host="follower", seats=4, deals=64)
    rows = result.frames["neighbours"]
    wins = rows[rows["measure"] == WIN_SHARE]
    ax = draw.plot_neighbours(wins, names=result.names, unit="share of wins")
    drawn = sorted(x for line in ax.lines[1:] for x in np.asarray(line.get_xdata(), float).tolist())
    assert drawn == pytest.approx(sorted(100 * wins["estimate"]))
    assert set(wins["neighbour"]) == {LEFT, RIGHT, OTHERS}
    assert set(neighbours(NAME, seats=2, deals=32).frames["neighbours"]["neighbour"]) == {ONLY}


def test_sentences_say_where_it_is_good_and_bad_to_sit() -> None:
    result = neighbours(NAME, ["gambler"], seats=3, deals=320, changes=["risk_percent=20"])
    text = " ".join(words(result).split())
    assert "The best place is right " in text
    assert "No place beside any of them is sure to cost wins." in text
    result = neighbours(NAME, ["gambler"], seats=2, deals=640, changes=["risk_percent=80"])
    assert "The worst place is against gambler: there a baseline wins" in " ".join(words(result).split())


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_a_p_value_is_small_just_when_the_interval_excludes_nothing(confidence: float) -> None:
    result = neighbours(NAME, host="random", seats=4, deals=64)
    for at in range(len(result.names)):
        for measure in result.units:
            pair = result.figure(at, LEFT, measure), result.host_figure(measure)
            one = difference(*pair, confidence)
            assert (p_value(*pair) < 1 - confidence) == (not one.low <= 0 <= one.high)
