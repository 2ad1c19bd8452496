"""The page that compares the reports of several games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyses.frames import frame
from analyses.sensitivity import leader_key
from analyses.statistics import Estimate
from analyses.survey import Survey
from analyses.tallied import Rows
from reports import figures as draw
from reports import format as form
from reports.figures import Panel, Picture
from reports.page import POLICY, draw_picture, template, verdicts
from reports.tables import Cell, Table, View, number_cell
from simcore.errors import AssayError
from simcore.store import write_frames

if TYPE_CHECKING:
    import pandas as pd

TEMPLATE = "index.html.jinja"
MOST_FINDINGS = 3


@dataclass(frozen=True)
class Listed:
    """A game on the index: its name, title and first findings."""

    name: str
    title: str
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """A figure that games are compared by: a short head, what it is, its unit, and how a survey tells it."""

    head: str
    about: str
    unit: str
    of: Callable[[Survey], Estimate | None]


# --- the figures -------------------------------------------------------------------------------------------


def _farthest_seat(survey: Survey) -> Estimate | None:
    rows = survey.sizes[survey.main].alone[survey.base].seat_rows
    fair = 1 / survey.main
    far: Estimate = max((row["win_share"] for row in rows), key=lambda share: abs(share.estimate - fair))
    ends = sorted((abs(far.low - fair), abs(far.high - fair)))
    low = 0.0 if far.low <= fair <= far.high else ends[0]
    return Estimate(abs(far.estimate - fair), low, ends[1], far.n, far.n_effective, far.method)


def _best_strategy(survey: Survey) -> Estimate | None:
    if survey.comparison is None:
        return None
    return max((row["win_share"] for row in survey.comparison.strategy_rows), key=lambda share: share.estimate)


def _leader(survey: Survey) -> Estimate | None:
    table = survey.sizes[survey.main].alone[survey.base]
    labels = dict(leader_key(survey.game, survey.rules)[1])
    for row in table.tension_rows["win_by_place"]:
        if all(str(row[name]) == label for name, label in labels.items()):
            found: Estimate = row["value"]
            return found
    return None


def _decided(survey: Survey) -> Estimate | None:
    result = survey.further.get("decided")
    return None if result is None else result.single["decided_at"]


def _skill(survey: Survey) -> Estimate | None:
    result = survey.further.get("skill")
    rows = [] if result is None else [row for row in result.component_rows if row["result"] == "win_share"]
    planned = [row["value"] for row in rows if row["source"] == "strategy"]
    return planned[-1] if planned else None


COMPARED = (
    Compared(
        "farthest seat", "how far the farthest seat is from its fair share of wins", "share of wins", _farthest_seat
    ),
    Compared(
        "best strategy",
        "what the best strategy wins of the seats it takes, one kind at a time",
        "share",
        _best_strategy,
    ),
    Compared("half-time leader", "what whoever leads half-way wins", "share of wins", _leader),
    Compared("decided after", "part of the game after which the winner leads for good", "share", _decided),
    Compared("how one plays", "part of who wins that is how one plays, among strategies with a plan", "share", _skill),
)


def rows(surveys: Sequence[Survey]) -> Rows:
    """A row a game and figure: `game`, `players`, `games`, `figure`, `about`, `unit`, `value`."""
    found = []
    for survey in surveys:
        for one in COMPARED:
            value = one.of(survey)
            if value is not None:
                named = {"game": survey.game.name, "players": survey.main, "games": survey.games}
                found.append({**named, "figure": one.head, "about": one.about, "unit": one.unit, "value": value})
    return found


# --- the page ----------------------------------------------------------------------------------------------


def write_index(surveys: Sequence[Survey], out: Path | str, command: str) -> Path:
    """Write the page that compares reports, each in a folder of its game's name beside it.

    Parameters
    ----------
    out : a folder; gets `index.html`, `figures/games.svg` and `.png`, `data/games.parquet` and `.csv`
    command : remakes it all

    Raises
    ------
    AssayError
        If something cannot be written.
    """
    folder = Path(out)
    table = frame(rows(surveys))
    titles = {survey.game.name: survey.game.title for survey in surveys}
    page = folder / "index.html"
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
        drawn = draw_picture(_picture(table, titles), folder / "figures")
        text = template(TEMPLATE).render(
            policy=POLICY,
            games=[_listed(survey) for survey in surveys],
            total=f"{sum(survey.games for survey in surveys):,}",
            drawn=drawn,
            numbers=_table(table, titles),
            sure=_sure(surveys),
            command=command,
            sans=draw.SANS,
        )
        page.write_text(text, encoding="utf-8", newline="\n")
    except OSError as fault:
        raise AssayError(f"cannot write '{fault.filename or folder}': {fault.strerror or fault}") from None
    write_frames(folder / "data", {"games": table})
    return page


def _listed(survey: Survey) -> Listed:
    found = [verdict.text for verdict in verdicts(View(survey))]
    return Listed(survey.game.name, survey.game.title, tuple(found[:MOST_FINDINGS]))


def _sure(surveys: Sequence[Survey]) -> str:
    seats = form.listed(list(dict.fromkeys(form.count(survey.main, "player") for survey in surveys)))
    return (
        f"At tables of {seats}; seats, leaders and when it is decided with the first strategy at every seat. Intervals of 95 %; the "
        "best strategy is the best of several, which leans upwards. Games measured with other strategies or other components would differ."
    )


def _picture(table: pd.DataFrame, titles: Mapping[str, str]) -> Picture:
    panels = []
    for one in COMPARED:
        some = table[table["figure"] == one.head]
        if len(some):
            panels.append(_panel(some.assign(game=[titles[name] for name in some["game"]]), one))
    return Picture(
        "games",
        "Each panel: one figure, a dot a game with its interval of 95 %.",
        "Dots with intervals by game; the numbers are in the table below.",
        tuple(panels),
        2,
    )


def _panel(some: pd.DataFrame, one: Compared) -> Panel:
    def paint(axes: Sequence[Any]) -> None:
        draw.plot_names(some, axes[0], name="game", unit=one.unit, label=one.unit)

    margin = draw.name_margin(list(some["game"]))
    return Panel(form.capital(one.head), paint, 220 + margin, 66 + 20 * len(some), (margin, 14, 36, 26))


def _table(table: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    heads = [one.head for one in COMPARED if (table["figure"] == one.head).any()]
    found = {(row.game, row.figure): row for row in table.itertuples()}
    body = []
    for name, title in titles.items():
        cells = [
            number_cell(found[name, head], found[name, head].unit) if (name, head) in found else Cell("–", note="none")
            for head in heads
        ]
        body.append((Cell(title), *cells))
    told = "; ".join(f"{one.head}: {one.about}" for one in COMPARED if one.head in heads)
    return Table(f"The games side by side ({told}).", "games", ("game", *heads), tuple(body))
