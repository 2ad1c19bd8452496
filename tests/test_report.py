"""The report: the survey behind it, its numbers, words and figures, and the page as a browser shows it."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import imread

import strategies as shipped
from analyses.inputs import Work
from analyses.play import play
from analyses.robustness import redraw_changes, robustness_rows
from analyses.survey import MIXED_FIELD, Survey, main_seats, survey
from reports import advice, page
from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.page import write_report
from reports.tables import View
from simcore.errors import AssayError
from simcore.game import find_game

WIDTHS = (1280, 390)  # a desk, a phone
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
TEMPLATE_PAYLOAD = "{{ 7 * 7 }}"
PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    TEMPLATE_PAYLOAD,
    "</title></style><b>",
)
FILES = {
    "wary": '"""Passes when it can.\n\nOrigin: tests."""\n\n\ndef bid(v, r):\n    return 0\n',
    "<b>loud&": f'"""{PAYLOADS[0]} {PAYLOADS[1]} plan."""\n\n\ndef offer(v, r):\n    return 0\n',
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Arguments of a small survey: three and four seats, two shipped strategies and two from files."""
    folder = tmp_path_factory.mktemp("mine")
    names = ["baseline", "random"]
    for stem, source in FILES.items():
        file = folder / f"{stem}.py"
        file.write_text(source)
        names.append(str(file))
    return {"seats": [3, 4], "strategies": names, "deals": 400, "seed": 5}


@pytest.fixture(scope="module")
def small(given: dict[str, Any]) -> Survey:
    return survey("ostia", **given)


@pytest.fixture(scope="module")
def folder(small: Survey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    write_report(small, out)
    return out


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def view(small: Survey) -> View:
    return View(small)


# --- the survey ---------------------------------------------------------------------------------------------


def test_progress_counts_games_up_to_all(given: dict[str, Any]) -> None:
    told: list[tuple[int, int]] = []
    result = survey(
        "ostia", **{**given, "strategies": ["baseline", "random"]}, work=Work(1, progress=lambda *n: told.append(n))
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {result.games}
    assert told[-1][0] == result.games


def test_survey_has_a_mixed_field_where_strategies_suffice(small: Survey) -> None:
    assert small.sizes[3].mixed is not None
    assert "random" not in small.sizes[3].mixed.names, "random play would decide who wins"
    assert small.sizes[4].mixed is None, "three strategies, random apart, for four seats"


def test_a_mixed_field_tells_about_seats_only_if_every_table_is_rotated(small: Survey) -> None:
    size = small.sizes[3]
    assert size.mixed is not None
    for is_duplicate in (False, True):
        plan = SimpleNamespace(is_duplicate=is_duplicate)
        told = replace(size, mixed=SimpleNamespace(plan=plan)).seat_tables  # type: ignore[arg-type]
        assert (MIXED_FIELD in told) is is_duplicate


def test_the_round_robin_keeps_its_yardstick(small: Survey) -> None:
    assert small.comparison is not None
    assert "random" in small.comparison.names


def test_survey_takes_all_that_ship_by_default() -> None:
    game = find_game("ostia")
    result = survey("ostia", seats=3, deals=64, seed=0)
    assert list(result.names) == shipped.names(game)
    assert result.command == "assay report ostia --seats 3 --deals 64 --seed 0"
    assert list(survey("ostia", strategies=["random"], deals=64).sizes) == list(game.seats)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"deals": 10}, "at least 64 deals, not 10"),
        ({"tolerance": 0}, "tolerance must lie between"),
        ({"seats": 9}, "seats 3 to 5 players, not 9"),
        ({"seats": []}, "at least one number of seats"),
        ({"strategies": []}, "at least one strategy"),
        ({"strategies": ["random", "random"]}, "'random' is named twice"),
        ({"strategies": ["nobody"]}, "nobody"),
        ({"changes": ["no_rule=1"]}, "no_rule"),
    ],
)
def test_what_cannot_be_surveyed_is_told_in_a_line(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(AssayError, match=message):
        survey("ostia", **{"deals": 64, "seats": 3, "strategies": ["random"], **changed})


def test_main_seats_is_the_usual_table_or_the_next_smaller() -> None:
    assert [main_seats(seats) for seats in ([3, 4, 5], [5], [2, 3], [5, 6])] == [4, 5, 3, 5]


def test_command_names_files_without_their_folders(small: Survey, given: dict[str, Any]) -> None:
    assert "wary.py" in small.command
    assert str(Path(given["strategies"][-1]).parent) not in small.command
    assert "--seats 3 --seats 4" not in small.command or small.command.count("--seats") == 2
    assert small.command.endswith("--deals 400 --seed 5")


def test_every_extreme_game_is_what_it_is_said_to_be(small: Survey) -> None:
    rows = {row["what"]: row for row in small.extremes}
    closest = rows["closest finish: from first to last"]
    told = play("ostia", seats=4, seed=5, deal=closest["deal"])["outcome"]
    assert max(told["score"]) - min(told["score"]) == closest["value"]
    richest = rows["most money at the end"]
    assert max(play("ostia", seats=4, seed=5, deal=richest["deal"])["outcome"]["money"]) == richest["value"]
    assert closest["command"] == f"assay play ostia --seats 4 --seed 5 --deal {closest['deal']} --strategies baseline"


def test_a_study_against_itself_is_firm_throughout(small: Survey) -> None:
    table = small.sizes[3].alone["random"]
    rows = robustness_rows(table, table, 0.5)
    assert {row["value"].estimate for row in rows} == {0.0}
    shares = [row for row in rows if row["figure"] == "win_share"]
    assert [row["firmness"] for row in shares] == ["firm"] * 3


def test_components_of_ones_own_are_not_redrawn() -> None:
    game = find_game("ostia")
    own = game.rules.parse(["senate_cards=" + ",".join(["5,4,3,2,1,0"] * 6)])
    assert redraw_changes(game, own, [3]) == []
    assert redraw_changes(game, game.rules.defaults(), [3, 4]) == ["redraw_senate=1"]
    assert redraw_changes(game, game.rules.parse(["redraw_senate=1"]), [3]) == []


def test_quantiles_agree_with_the_counts(small: Survey) -> None:
    counts = small.frames["counts"].query("figure == 'money_by_round' and round == 2")
    money = np.repeat(counts["value"].to_numpy(int), counts["count"].to_numpy(int))
    quantiles = small.frames["quantiles"].query("figure == 'money_by_round' and round == 2")
    for quantile, estimate in zip(quantiles["quantile"], quantiles["estimate"], strict=True):
        assert estimate == np.quantile(money, quantile, method="inverted_cdf")


# --- numbers and words --------------------------------------------------------------------------------------


def row(estimate: float, low: float, high: float, **labels: Any) -> Any:
    return SimpleNamespace(estimate=estimate, low=low, high=high, n=100, **labels)


@pytest.mark.parametrize(
    ("one", "unit", "said"),
    [
        (row(0.27412, 0.2711, 0.2773), "share of games", "27.4 % (27.1 to 27.7)"),
        (row(0.27412, 0.25, 0.30), "share", "27 % (25 to 30)"),
        (row(0.0, 0.0, 0.0002), "share", "0.00 % (0.00 to 0.02)"),
        (row(0.5, 0.49999, 0.50001), "share", "50.0 % (50.0 to 50.0)"),
        (row(14.5348, 14.5198, 14.5498), "denarii", "14.53 denarii (14.52 to 14.55)"),
        (row(41.2, 40.8, 41.6), "denarii", "41.2 denarii (40.8 to 41.6)"),
        (row(1234.5, 1200.0, 1269.0), "denarii", "1,234 denarii (1,200 to 1,269)"),
        (row(-0.04, -0.3, 0.2), "points", "0.0 points (−0.3 to 0.2)"),
        (row(3.0, math.nan, math.nan), "points", "3.0 points"),
    ],
)
def test_numbers_have_the_decimals_that_their_interval_warrants(one: Any, unit: str, said: str) -> None:
    assert form.estimate(one, unit).replace(form.NBSP, " ") == said


def test_decimals_never_go_beyond_the_interval() -> None:
    for half_width in np.geomspace(1e-6, 1e3, 200):
        digits = form.decimals(half_width)
        assert digits == 0 or 10.0**-digits > half_width / 10
        assert digits == form.MOST_DECIMALS or 10.0**-digits <= 10 * half_width


def test_columns_are_as_precise_as_their_middle_row() -> None:
    rows = [row(0.2, 0.2 - w, 0.2 + w) for w in (0.0004, 0.02, 0.03)]
    assert form.column_decimals(rows, "share") == 0
    assert form.column_decimals([], "share") == form.UNKNOWN_DECIMALS


def test_small_words() -> None:
    assert form.listed([]) == ""
    assert form.listed(["a", "b", "c"]) == "a, b and c"
    assert form.words("olive_oil+wine") == "olive oil + wine"
    assert [form.about(n) for n in (3.2, 47, 1234, 98_765)] == ["3", "47", "1,200", "99,000"]
    assert form.count(1, "strategy", "strategies") == "one strategy"
    assert form.count(12, "game") == "12 games"


def test_an_evening_of_a_fair_game() -> None:
    # P(3 or more of 5) at 1/4 is 106/1024, four times over; two players: somebody always wins three of five
    assert say.evening(4) == pytest.approx(4 * 106 / 1024)
    assert say.evening(2) == pytest.approx(1)
    assert "41 of 100 evenings" in say.by_chance(4)


def test_games_to_notice_meets_its_power() -> None:
    games = say.games_to_notice(0.30, 0.25)
    error = math.sqrt(0.25 * 0.75 / games)
    z = (0.25 + 1.959964 * error - 0.30) / math.sqrt(0.3 * 0.7 / games)
    assert z == pytest.approx(-1.281552, abs=1e-4), "nine times in ten beyond the 5 % limit"
    assert math.isinf(say.games_to_notice(0.25, 0.25))


@pytest.mark.parametrize(
    ("estimate", "said"),
    [(0.50, "A regular group notices"), (0.31, "keeps records"), (0.26, "Nobody notices at the table")],
)
def test_who_notices(estimate: float, said: str) -> None:
    assert said in say.noticing(row(estimate, estimate - 0.005, estimate + 0.005), 0.25)


def test_what_chance_explains_is_not_noticed() -> None:
    assert say.noticing(row(0.26, 0.24, 0.28), 0.25) == "Nobody could tell it from chance."


def test_seat_verdicts_in_words() -> None:
    seat = row(0.274, 0.271, 0.277, seat=1)
    told = say.seat_verdict(seat, 4, "not fair", 0.01).replace(form.NBSP, " ")
    assert told == (
        "The seats are not fair within 1 point: seat 1 wins 27.4 % (27.1 to 27.7) of four-player games, "
        "2.4 points more than its fair share."
    )
    assert say.seat_verdict(seat, 4, "open", 0.005).startswith("Whether the seats are fair within 0.5 points is open")
    assert say.seat_counts({3: "fair", 4: "not fair", 5: "open"}, 0.01) == (
        "Within 1 point, the seats are fair with 3 and not fair with 4 players; with 5 it is open."
    )
    assert say.seat_counts({3: "open", 4: "open"}, 0.01).endswith("is open with 3 and 4 players.")


def test_dominance_in_words() -> None:
    assert "none of those tried is an answer" in say.dominance("a", ["b", "c"], [], [])
    assert (
        say.dominance("a", ["b"], ["c"], ["d"])
        == "a loses to d and cannot be told from c: it is no answer to everything."
    )
    assert say.dominance("a", ["b"], [], []) == "It beats b, the only other one."


def test_trends_are_told_only_where_intervals_part() -> None:
    low, high, middle = row(10, 9.9, 10.1, at=1), row(12, 11.9, 12.1, at=2), row(10.1, 10.0, 10.2, at=3)

    def told(*rows: Any) -> str:
        return say.trend(rows, "denarii", lambda row: f"in round {row.at}")

    assert (
        told(low, high) == "rises from 10.0 denarii (9.9 to 10.1) in round 1 to 12.0 denarii (11.9 to 12.1) in round 2"
    )
    assert told(high, low).startswith("falls from 12.0 denarii")
    assert told(low, middle).startswith("is much the same at both ends")
    assert told(low, high, middle).endswith("with a peak of 12.0 denarii (11.9 to 12.1) in round 2")
    assert told(high, low, high).endswith("with a low of 10.0 denarii (9.9 to 10.1) in round 1")
    assert told(low) == "is 10.0 denarii (9.9 to 10.1) in round 1"


def test_firmness_in_words() -> None:
    cards = ["senate cards"]
    assert say.firm_word({}, cards) == ""
    assert say.firm_word({"firm": 3}, cards) == "firm"
    assert say.firm_word({"firm": 3, "open": 1}, cards).startswith("may depend")
    assert say.firm_word({"firm": 3, "dependent": 1}, cards).startswith("depends")
    assert "1 of four numbers" in say.firmness({"firm": 3, "dependent": 1}, cards)


# --- figures: what is drawn, not how it looks ---------------------------------------------------------------


def marks(ax: Axes) -> list[tuple[float, float]]:
    """All points drawn with a marker."""
    return [
        (float(x), float(y))
        for line in ax.lines
        if line.get_marker() not in ("None", "", None)
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_figures_return_the_axes_they_are_given(view: View) -> None:
    money = view.economy("money_by_round")
    quantiles = view.rows("quantiles", figure="money_by_round")
    calls = {
        draw.plot_seats: (
            (view.rows("seats", players=3, measure="win_share"),),
            {"base": "baseline", "mixed": MIXED_FIELD},
        ),
        draw.plot_shares: ((view.rows("strategies", design="round robin"),), {"fair": 0.25}),
        draw.plot_who_beats_whom: ((view.frames["alone"],), {"names": list(view.survey.names), "fair": 0.25}),
        draw.plot_by: ((money,), {"x": "round", "unit": "denarii"}),
        draw.plot_names: ((view.economy("price_by_lot"),), {"name": "lot", "unit": "denarii"}),
        draw.plot_bands: ((quantiles,), {"x": "round", "unit": "denarii", "mean": money}),
        draw.plot_leaders: ((view.tension("lead_share"),), {}),
        draw.plot_win_by_place: ((view.tension("win_by_place"),), {"fair": 0.25}),
        draw.plot_lead_changes: ((view.tension("lead_lost"), view.tension("lead_shared")), {}),
    }
    for plot, (rows, options) in calls.items():
        ax = Figure().add_subplot()
        assert plot(*rows, ax, **options) is ax
        assert ax.get_xlabel() or plot is draw.plot_who_beats_whom, f"{plot.__name__}: the x axis has no name"
        assert isinstance(plot(*rows, **options), Axes)


def test_seats_are_drawn_as_points_from_the_fair_share(view: View) -> None:
    rows = view.rows("seats", players=3, measure="win_share")
    ax = draw.plot_seats(rows, base="baseline", mixed=MIXED_FIELD, tolerance=0.01)
    drawn = {round(y, 9) for _, y in marks(ax)}
    assert drawn == {round(100 * (share - 1 / 3), 9) for share in rows["estimate"]}
    assert 0.0 in [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    low, high = (ax.patches[0].get_y(), ax.patches[0].get_y() + ax.patches[0].get_height())
    assert (low, high) == (-1.0, 1.0)


def test_shares_stand_beside_their_names_and_the_fair_line(view: View) -> None:
    rows = view.rows("strategies", design="round robin")
    ax = draw.plot_shares(rows, fair=0.25)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(rows["name"])
    assert sorted(x for x, _ in marks(ax)) == pytest.approx(sorted(100 * rows["estimate"]))
    assert ax.lines[0].get_xdata()[0] == 25


def test_who_beats_whom_writes_every_number_in_its_cell(view: View) -> None:
    names = list(view.survey.names)
    ax = draw.plot_who_beats_whom(view.frames["alone"], names=names, fair=0.25)
    found = {tuple(text.get_position()): text.get_text() for text in ax.texts}
    for one in view.frames["alone"].itertuples():
        assert found[names.index(one.others), names.index(one.name)] == f"{100 * one.estimate:.0f}"
    assert len(found) == len(names) * (len(names) - 1)


def test_intervals_are_drawn(view: View) -> None:
    rows = view.economy("price_by_round")
    ax = draw.plot_by(rows, x="round", unit="denarii")
    bars = [segment[:, 1] for bar in ax.collections for segment in bar.get_segments()]
    np.testing.assert_allclose(bars, rows[["low", "high"]])


def test_the_forum_curve_is_cards_times_price(view: View) -> None:
    rows = view.economy("forum_revenue_by_cards")
    quantiles = view.rows("quantiles", figure="forum_revenue_by_cards")
    ax = draw.plot_forum(rows, quantiles=quantiles, prices=[15, 12, 10, 8, 6, 4, 3, 2, 1], unit="denarii")
    curve = next(line for line in ax.lines if line.get_linestyle() == "--")
    assert list(curve.get_ydata())[:9] == [15, 24, 30, 32, 30, 24, 21, 16, 9]


def test_stacked_shares_fill_the_bar(view: View) -> None:
    ax = draw.plot_stock(view.rows("counts", figure="storehouses_by_round"), x="round", of="storehouses")
    tops = Counter()
    for bar in ax.patches:
        tops[round(bar.get_x(), 6)] += bar.get_height()
    assert list(tops.values()) == pytest.approx([100] * 5)


def test_labels_beside_lines_keep_apart() -> None:
    placed = draw.spread([5.0, 5.0, 5.1, 9.9, 0.0], gap=1.0, low=0.0, high=10.0)
    ordered = sorted(placed)
    assert min(b - a for a, b in pairwise(ordered)) >= 1 - 1e-6
    assert min(placed) >= 0
    assert max(placed) <= 10
    assert draw.spread([1.0, 7.0], 1.0, 0.0, 10.0) == [1.0, 7.0], "what is apart stays"


def test_svg_has_no_date_and_escapes_text() -> None:
    panel = draw.Panel("<b>&", lambda axes: axes[0].set_xlabel("<i>"))
    document = draw.svg(draw.draw([panel]))
    assert document == draw.svg(draw.draw([panel]))
    assert "<b>" not in document
    assert "<i>" not in document
    assert "dc:date" not in document


# --- the page as text ---------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page holds: its tags with their attributes, and the text of headings, captions and cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, dict[str, str], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append((tag, self.tags[-1][1], ""))

    def handle_data(self, data: str) -> None:
        if self.texts:
            tag, attrs, text = self.texts[-1]
            self.texts[-1] = (tag, attrs, text + data)

    def of(self, *names: str) -> list[dict[str, str]]:
        return [attrs for tag, attrs in self.tags if tag in names]


@pytest.fixture(scope="module")
def parsed(text: str) -> Page:
    return Page(text)


def test_headings_are_in_order(parsed: Page) -> None:
    levels = [int(tag[1]) for tag, _ in parsed.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert max(b - a for a, b in pairwise(levels)) == 1


def test_every_table_has_caption_and_scopes(text: str) -> None:
    tables = re.findall(r"<table.*?</table>", text, re.DOTALL)
    assert len(tables) > 20
    for table in tables:
        assert re.search(r"<caption>[^<]{10,}</caption>", table)
        heads = re.findall(r"<th\b[^>]*>", table)
        assert heads
        assert all('scope="col"' in head or 'scope="row"' in head for head in heads)


def test_every_figure_has_a_text_alternative(text: str) -> None:
    drawings = re.findall(r"<svg\b[^>]*>.*?</svg>", text, re.DOTALL)
    assert len(drawings) > 15
    for drawing in drawings:
        head = drawing[: drawing.index(">")]
        assert 'role="img"' in head
        if "aria-label=" in head:  # the key's marks
            continue
        ids = re.search(r'aria-labelledby="(\S+) (\S+)"', head)
        assert ids is not None
        assert re.search(rf'<title id="{re.escape(ids[1])}">[^<]+</title>', drawing)
        assert re.search(rf'<desc id="{re.escape(ids[2])}">[^<]{{20,}}</desc>', drawing)
    assert text.count("<figcaption>") == text.count("<figure ")
    assert "<img" not in text


def test_ids_are_unique_and_links_lead_somewhere(parsed: Page, folder: Path) -> None:
    ids = [attrs["id"] for _, attrs in parsed.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for attrs in parsed.of("a"):
        target = attrs["href"]
        if target.startswith("#"):
            assert target[1:] in ids
        else:
            assert (folder / target).is_file()
    for reference in re.findall(r"url\(#([^)]+)\)", " ".join(a.get("clip-path", "") for _, a in parsed.tags)):
        assert reference in ids


def test_the_page_needs_no_network_and_no_script(text: str, parsed: Page) -> None:
    names = {tag for tag, _ in parsed.tags}
    assert not names & {"script", "iframe", "object", "embed", "link", "form", "base"}
    assert not [name for _, attrs in parsed.tags for name in attrs if name.startswith("on")]
    policy = next(a for a in parsed.of("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    for _, attrs in parsed.tags:
        for name in ("src", "href", "xlink:href", "action", "style", "data"):
            assert "//" not in attrs.get(name, "")
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)


def test_keyboard_reaches_what_scrolls(parsed: Page) -> None:
    scrolling = [attrs for attrs in parsed.of("div") if attrs.get("class") == "scroll"]
    assert scrolling
    assert all(a["tabindex"] == "0" and a["role"] == "region" and a["aria-label"] for a in scrolling)
    assert parsed.of("a")[0]["href"] == "#minute", "the skip link comes first"


def test_no_text_of_a_user_comes_through_as_markup(small: Survey, tmp_path: Path) -> None:
    title = " ".join(PAYLOADS)
    measures = {"score": "points", "money": PAYLOADS[1]}
    hostile = replace(small, game=replace(small.game, title=title, measures=measures), command=f"assay report {title}")
    written = write_report(hostile, tmp_path).read_text(encoding="utf-8")
    assert unescape(written).count(title) == 3, "heading, name of the page, command"
    for payload in PAYLOADS:
        assert payload not in written or payload == TEMPLATE_PAYLOAD
    assert not {tag for tag, _ in Page(written).tags} & {"script", "img"}
    assert not [name for _, attrs in Page(written).tags for name in attrs if name.startswith("on")]


def test_strategies_of_a_user_are_shown_and_escaped(text: str) -> None:
    assert "<b>loud" not in text
    assert escape("<b>loud&") in text
    assert PAYLOADS[0] not in text
    assert escape(PAYLOADS[0]) in text, "the plan of the strategy is shown"


# --- numbers of the page ------------------------------------------------------------------------------------


CELL = re.compile(
    r'<td class="number" data-row="(\d+)" data-column="(\w+)" data-value="([^"]*)">([^<]*)(?: <span class="interval">([^<]*)</span>)?'
)


def shown_cells(text: str) -> list[tuple[str, int, str, str, str, str]]:
    """Every number in a table: its file, row, column, exact value, text and interval."""
    return [
        (source, int(cell[1]), cell[2], cell[3], unescape(cell[4]), cell[5] or "")
        for source, table in re.findall(r'<table data-source="([\w-]+)">(.*?)</table>', text, re.DOTALL)
        for cell in CELL.finditer(table)
    ]


def number(said: str) -> float:
    return float(re.match(r"[−\d.,]+", said)[0].replace("−", "-").replace(",", ""))  # type: ignore[index]


def test_every_number_of_a_table_is_the_one_in_its_file(text: str, folder: Path) -> None:
    cells = shown_cells(text)
    assert len(cells) > 500
    files = {source: pd.read_parquet(folder / "data" / f"{source}.parquet") for source in {cell[0] for cell in cells}}
    for source, at, column, exact, said, interval in cells:
        row = files[source].loc[at]
        assert float(row[column]) == float(exact)
        decimals = len(said.split("%")[0].strip().split()[0].partition(".")[2])
        factor = 100 if "%" in said or (source == "pairs" and column == "estimate") else 1
        if column == "p_value" and said.startswith("below"):
            assert float(exact) < 0.001
            continue
        assert abs(number(said) - factor * float(exact)) <= 0.5 * 10.0**-decimals + 1e-9
        if interval and " to " in interval:
            low, high = (number(part) for part in interval.split(" to "))
            assert abs(low - factor * row["low"]) <= 0.5 * 10.0**-decimals + 1e-9
            assert abs(high - factor * row["high"]) <= 0.5 * 10.0**-decimals + 1e-9


def test_csv_and_parquet_hold_the_same(folder: Path) -> None:
    for file in (folder / "data").glob("*.parquet"):
        stored = pd.read_parquet(file)
        read = pd.read_csv(file.with_suffix(".csv"))
        assert list(read.columns) == list(stored.columns)
        assert len(read) == len(stored)
        if "estimate" in stored:
            np.testing.assert_allclose(read["estimate"], stored["estimate"], rtol=1e-15)


def test_every_figure_of_the_economy_is_on_the_page(text: str, small: Survey) -> None:
    shown = {at for source, at, *_ in shown_cells(text) if source == "economy"}
    economy = small.frames["economy"]
    for measure in small.game.economy:
        rows = economy[
            (economy["figure"] == measure.name) & (economy["players"] == 4) & (economy["table"] == "baseline")
        ]
        if measure.name != "premium_by_round":  # the sum of what is shown by round and worth
            assert shown & set(rows.index), measure.name


def test_the_page_says_how_it_was_made(text: str, small: Survey) -> None:
    plain = unescape(re.sub(r"<[^>]+>", "", text))
    assert small.command in plain
    assert "Seed\n5" in re.sub(r"\n+", "\n", plain) or "seed 5" in plain
    for word in ("printed", "photographed", "inferred", "reconstructed"):
        assert word in plain
    assert f"{small.games:,} games" in plain
    for name, value in page.versions(small):
        assert f"{name} {value}" in plain


def test_changed_rules_are_told(tmp_path: Path) -> None:
    changed = survey(
        "ostia", seats=3, strategies=["random"], deals=64, changes=["storehouse_cost=8", "rounds=2", "talon=3"]
    )
    plain = unescape(re.sub(r"<[^>]+>", " ", write_report(changed, tmp_path).read_text(encoding="utf-8")))
    assert "storehouse cost: 8 instead of 10" in plain
    assert "talon: 3 instead of 4, 2, 0" in plain
    assert "--set storehouse_cost=8" in changed.command
    assert changed.frames["rules"].query("rule == 'storehouse_cost'")["provenance"].item() == "changed"


def test_the_same_inputs_give_the_same_bytes(given: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    write_report(survey("ostia", **given, work=Work(jobs=1)), tmp_path)
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.*") if file.is_file())
    assert len(files) > 40
    assert files == sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.*") if file.is_file())
    for name in files:
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_no_file_tells_where_or_when_it_was_made(folder: Path, given: dict[str, Any]) -> None:
    places = {str(folder), str(Path(given["strategies"][-1]).parent), str(Path.home())} - {"/"}
    for file in folder.rglob("*.*"):
        if file.suffix in (".html", ".svg", ".csv"):
            content = file.read_text(encoding="utf-8")
            assert not [place for place in places if place in content], file.name
            assert not re.search(r"\b20\d\d-\d\d-\d\d\b", content), file.name


def test_a_game_without_words_of_its_own_is_told_all_the_same(
    small: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (page, advice):
        monkeypatch.setattr(module, "own_words", lambda game: None)
    written = write_report(small, tmp_path).read_text(encoding="utf-8")
    for measure in small.game.economy:
        assert escape(form.capital(measure.about), quote=False) in unescape(written)
    assert len(re.findall("<figure ", written)) > len(small.game.economy) / 2


def test_what_cannot_be_written_is_told_in_a_line(small: Survey, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(AssayError, match="taken"):
        write_report(small, taken)


# --- the page in a browser ----------------------------------------------------------------------------------

LOOK = """
onload = () => {
  const page = document.querySelector("iframe").contentDocument, root = page.documentElement;
  const found = {height: root.scrollHeight, overlaps: [], outside: [], figures: 0};
  for (const one of page.querySelectorAll("details")) one.open = true;
  found.width = root.scrollWidth;
  for (const svg of page.querySelectorAll(".panels > div > svg")) {
    found.figures += 1;
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent.trim(), t.getBoundingClientRect()]);
    for (const [text, a] of texts) {
      if (a.left < frame.left - 3 || a.right > frame.right + 3 || a.top < frame.top - 3 || a.bottom > frame.bottom + 3)
        found.outside.push(text);
      for (const [other, b] of texts) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (a !== b && x > 2 && y > 4) found.overlaps.push(text + " / " + other);
      }
    }
  }
  for (const one of page.querySelectorAll("h1, h2, h3, p, li, summary, caption, figcaption")) {
    const box = one.getBoundingClientRect();
    if (box.right > innerWidthOf(page) + 1 && !one.closest(".scroll")) found.outside.push(one.textContent.trim().slice(0, 60));
  }
  document.title = JSON.stringify(found);
};
const innerWidthOf = page => page.defaultView.innerWidth;
"""


@pytest.fixture(scope="module")
def chromium() -> str:
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser to look at the page with: none of {', '.join(CHROMIUM)} is installed")
    return found


def browse(chromium: str, page: Path, folder: Path, *options: str) -> str:
    command = [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def framed(text: str, width: int, height: int, script: str = "") -> str:
    """A page that shows the report as wide as asked for; a browser's window cannot be as narrow as a phone."""
    frame = (
        f'<iframe style="border:0;display:block" width="{width}" height="{height}" srcdoc="{escape(text)}"></iframe>'
    )
    return f'<!doctype html><meta charset="utf-8"><body style="margin:0">{frame}<script>{script}</script>'


@pytest.mark.page
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_and_nothing_overlaps(chromium: str, text: str, tmp_path: Path, width: int) -> None:
    wrapper = tmp_path / "look.html"
    wrapper.write_text(framed(text, width, 900, LOOK), encoding="utf-8")
    title = re.search(r"<title>(.*?)</title>", browse(chromium, wrapper, tmp_path, "--dump-dom"), re.DOTALL)
    assert title is not None
    found = json.loads(unescape(title[1]))
    assert found["figures"] > 15
    assert found["width"] <= width
    assert found["overlaps"] == []
    assert found["outside"] == []

    wrapper.write_text(framed(text, width, found["height"]), encoding="utf-8")
    picture = tmp_path / "page.png"
    browse(chromium, wrapper, tmp_path, f"--window-size={max(width, 500)},{found['height']}", f"--screenshot={picture}")
    pixels = imread(picture)[:, :width, :3]
    assert pixels.shape[0] > 5_000
    inked = (pixels.max(axis=2) < 0.6).any(axis=1)
    assert inked.mean() > 0.2, "most lines of the page show something"
    assert inked[-300:].any(), "down to its end"


@pytest.mark.page
def test_the_page_prints(chromium: str, folder: Path, tmp_path: Path) -> None:
    printed = tmp_path / "page.pdf"
    browse(chromium, folder / "index.html", tmp_path, f"--print-to-pdf={printed}")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))
    assert 5 < pages < 60
