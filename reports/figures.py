"""Figures: functions that take rows of a tidy frame and an Axes, draw, and return it; and the panels they make up.

matplotlib is imported only here, always through its objects and never through pyplot, so that nothing is kept
between figures. The same rows give the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.format import MINUS, fixed, is_share, scale, words

if TYPE_CHECKING:
    import pandas as pd

INK, SOFT, FAINT, GRID = "#1f2933", "#5b6673", "#a9b2bc", "#e6e9ed"
ACCENT, SECOND = "#0b5c9e", "#bf5700"  # the first strategy's own table; the mixed field
SEATS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#7a6a00", "#444444")  # Okabe & Ito, darkened for white paper
MARKS = ("o", "s", "^", "D", "v", "P")
DPI = 72  # a unit of a figure is a point of its SVG
PNG_DPI = 110
KEY_HEIGHT = 22
STYLE = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.5,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "axes.unicode_minus": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "assay",
    "path.simplify": True,
}
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"


# --- panels ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel:
    """A small figure of its own: one Axes, or several on top of each other that share x.

    Attributes
    ----------
    title : stands above it
    draw : takes the Axes, from the top
    width, height : in points
    margins : left, right, bottom, top, in points
    shares : relative heights of the Axes
    """

    title: str
    draw: Callable[[Sequence[Axes]], Any]
    width: float = 270
    height: float = 200
    margins: tuple[float, float, float, float] = (44, 12, 36, 26)
    shares: tuple[float, ...] = (1,)


@dataclass(frozen=True)
class Key:
    """One entry of a figure's key."""

    text: str
    colour: str
    mark: str = "o"
    is_open: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure of the report: panels side by side on a desk, below each other on a phone.

    Attributes
    ----------
    name : of its files
    caption : what to see, then n and seed
    alt : the same for who cannot see it
    columns : panels in a row of the files
    key : what marks mean where they cannot be labelled in place
    """

    name: str
    caption: str
    alt: str
    panels: tuple[Panel, ...]
    columns: int = 3
    key: tuple[Key, ...] = ()


def draw(panels: Sequence[Panel], columns: int = 1, key: Sequence[Key] = ()) -> Figure:
    """One Figure of panels in a grid, each of its own size, under the key."""
    rows = [panels[at : at + columns] for at in range(0, len(panels), columns)]
    width = max(sum(panel.width for panel in row) for row in rows)
    heights = [max(panel.height for panel in row) for row in rows]
    total = sum(heights) + (KEY_HEIGHT if key else 0)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width / DPI, total / DPI), dpi=DPI, facecolor="white")
        _draw_key(figure, key, width, total)
        top = sum(heights)
        for row, height in zip(rows, heights, strict=True):
            left = 0.0
            for panel in row:
                axes = _axes(figure, panel, left, top, width, total)
                axes[0].set_title(panel.title, pad=8)
                panel.draw(axes)
                left += panel.width
            top -= height
    return figure


def _draw_key(figure: Figure, key: Sequence[Key], width: float, height: float) -> None:
    x = 14.0
    y = (height - KEY_HEIGHT / 2) / height
    for entry in key:
        fill = "white" if entry.is_open else entry.colour
        figure.add_artist(
            Line2D(
                [x / width],
                [y],
                marker=entry.mark,
                color=entry.colour,
                markersize=5,
                markerfacecolor=fill,
                linestyle="none",
            )
        )
        figure.text((x + 9) / width, y, entry.text, va="center", color=SOFT)
        x += 30 + 5.4 * len(entry.text)


def _axes(figure: Figure, panel: Panel, x: float, top: float, width: float, height: float) -> list[Axes]:
    """The Axes of a panel whose upper left corner is at (x, top), from the top down."""
    left, right, bottom, upper = panel.margins
    gap = 12.0
    free = panel.height - bottom - upper - gap * (len(panel.shares) - 1)
    axes: list[Axes] = []
    y = top - upper
    for share in panel.shares:
        part = free * share / sum(panel.shares)
        box = (x + left, y - part, panel.width - left - right, part)
        place = (box[0] / width, box[1] / height, box[2] / width, box[3] / height)
        axes.append(figure.add_axes(place, sharex=axes[0] if axes else None))
        y -= part + gap
    for upper_axes in axes[:-1]:
        upper_axes.tick_params(labelbottom=False)
    return axes


def svg(figure: Figure) -> str:
    """A figure as a whole SVG document."""
    with matplotlib.rc_context(STYLE):
        FigureCanvasSVG(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def png(figure: Figure) -> bytes:
    """A figure as a PNG."""
    with matplotlib.rc_context(STYLE):
        FigureCanvasAgg(figure)
        out = io.BytesIO()
        figure.savefig(out, format="png", dpi=PNG_DPI, metadata={"Software": None})
    return out.getvalue()


def inline(document: str, prefix: str, title: str, about: str) -> str:
    """An SVG document made part of a page: ids of its own, a title, a description, no size but its proportions."""
    body = document[document.index("<svg") :]
    body = re.sub(
        r"<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>", "", body, flags=re.DOTALL
    )
    used = set(re.findall(r"(?:url\(#|href=\"#)([\w.-]+)", body))
    body = re.sub(r' id="([\w.-]+)"', lambda found: f' id="{prefix}-{found[1]}"' if found[1] in used else "", body)
    body = re.sub(r"(url\(#|href=\"#)", rf"\g<1>{prefix}-", body)
    body = re.sub(r"'DejaVu Sans'", "var(--sans)", body)
    box = re.search(r'viewBox="([\d. -]+)"', body)
    assert box is not None
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{box[1]}" '
        f'role="img" aria-labelledby="{prefix}-title {prefix}-desc">'
        f'<title id="{prefix}-title">{escape(title)}</title><desc id="{prefix}-desc">{escape(about)}</desc>'
    )
    body = re.sub(r"<svg[^>]*>", lambda _: head, body, count=1)
    return re.sub(r">\s+<", "><", re.sub(r"[ \t]*\n[ \t]*", " ", body)).strip()


# --- what figures share ------------------------------------------------------------------------------------


def plain_axes() -> Axes:
    """An Axes of its own, for drawing outside a report."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.8, 3.2), dpi=110)
        FigureCanvasAgg(figure)
        return figure.add_subplot()


def _start(ax: Axes | None, grid: str) -> Axes:
    ax = ax or plain_axes()
    ax.grid(visible=True, axis=grid, color=GRID, linewidth=0.8)  # type: ignore[arg-type]
    return ax


def _percent(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.4g}".replace("-", MINUS) + "\u2009%"))


def _signed(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"+{x:g}" if x > 0 else f"{x:g}".replace("-", MINUS)))


def _units(axis: Any, unit: str) -> None:
    if is_share(unit):
        _percent(axis)


def _whole_steps(ax: Axes, values: Sequence[Any]) -> None:
    """An x axis of a few whole numbers or labels, each with its tick."""
    ax.set_xticks(range(len(values)), [words(value) for value in values])
    ax.set_xlim(-0.5, len(values) - 0.5)


def _end_at(ax: Axes, steps: Sequence[Any]) -> None:
    """End the x axis at its last step, to leave room for labels."""
    ax.set_xlim(-0.4, len(steps) - 0.85)


def spread(positions: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions moved as little as needed to lie `gap` apart within [low, high], for labels beside lines."""
    order = sorted(range(len(positions)), key=lambda at: positions[at])
    placed = [min(max(positions[at], low), high) for at in order]
    for _ in range(60):
        for at in range(len(placed) - 1):
            overlap = gap - (placed[at + 1] - placed[at])
            if overlap > 1e-9:
                placed[at] -= overlap / 2
                placed[at + 1] += overlap / 2
        placed = [min(max(y, low + gap * at), high - gap * (len(placed) - 1 - at)) for at, y in enumerate(placed)]
    found = [0.0] * len(positions)
    for place, at in zip(placed, order, strict=True):
        found[at] = place
    return found


def _label_ends(ax: Axes, ends: Sequence[tuple[float, float, str, str]], size: float = 8.5) -> None:
    """Direct labels to the right of lines' ends: (x, y, text, colour)."""
    low, high = ax.get_ylim()
    points = ax.get_window_extent().height * 72 / ax.figure.dpi
    gap = (high - low) * (size + 2) / max(points, 1)
    for (x, _, text, colour), y in zip(ends, spread([end[1] for end in ends], gap, low, high), strict=True):
        ax.annotate(
            text,
            (x, y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=size,
            annotation_clip=False,
        )


def _dots(
    ax: Axes, x: Sequence[float], rows: pd.DataFrame, unit: str, colour: str, mark: str = "o", *, is_open: bool = False
) -> None:
    """Estimates with their intervals."""
    by = scale(unit)
    low, high, middle = by * rows["low"], by * rows["high"], by * rows["estimate"]
    ax.vlines(x, low, high, color=colour, linewidth=1.4)
    ax.plot(
        x,
        middle,
        mark,
        color=colour,
        markersize=4.6,
        markerfacecolor="white" if is_open else colour,
        markeredgewidth=1.2,
    )


def _bars(
    ax: Axes, y: Sequence[float], rows: pd.DataFrame, unit: str, colour: str, mark: str = "o", *, is_open: bool = False
) -> None:
    """Estimates with their intervals, lying down."""
    by = scale(unit)
    ax.hlines(y, by * rows["low"], by * rows["high"], color=colour, linewidth=1.4)
    ax.plot(
        by * rows["estimate"],
        y,
        mark,
        color=colour,
        markersize=4.6,
        markerfacecolor="white" if is_open else colour,
        markeredgewidth=1.2,
    )


def _curve(
    ax: Axes,
    rows: pd.DataFrame,
    x: Sequence[float],
    unit: str,
    colour: str,
    mark: str = "o",
    dash: str = "-",
    *,
    is_open: bool = False,
) -> None:
    """A line through estimates, with their intervals."""
    ax.plot(x, scale(unit) * rows["estimate"], dash, color=colour, linewidth=1.3)
    _dots(ax, x, rows, unit, colour, mark, is_open=is_open)


def _names(ax: Axes, names: Sequence[str]) -> None:
    """Names down the y axis, the first on top."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.spines["left"].set_visible(False)


def name_margin(names: Sequence[str]) -> float:
    """Room for names to the left of an Axes, in points."""
    return 12 + 5.4 * max((len(name) for name in names), default=0)


# --- seats and strategies ----------------------------------------------------------------------------------


def plot_seats(rows: pd.DataFrame, ax: Axes | None = None, *, base: str, mixed: str, tolerance: float = 0.01) -> Axes:
    """Share of wins by seat, in points above or below the fair share, of tables of one size.

    Parameters
    ----------
    rows : columns `table`, `seat`, `estimate`, `low`, `high`; a table a strategy, and the mixed field
    base, mixed : the tables that are dwelt on; the others are faint
    tolerance : half the width of the band that counts as fair
    """
    ax = _start(ax, "y")
    seats = sorted(rows["seat"].unique())
    fair = 1 / len(seats)
    shown = rows.assign(**{name: rows[name] - fair for name in ("estimate", "low", "high")})
    ax.axhspan(-100 * tolerance, 100 * tolerance, color="#eef3ea", linewidth=0, zorder=0)
    ax.axhline(0, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    tables = [name for name in shown["table"].unique() if name not in (base, mixed)]
    for at, name in enumerate(tables):
        some = shown[shown["table"] == name]
        shift = -0.05 + 0.3 * (at / max(len(tables) - 1, 1)) if len(tables) > 1 else 0.1
        x = [seat - 1 + shift for seat in some["seat"]]
        ax.vlines(x, 100 * some["low"], 100 * some["high"], color="#d0d6dc", linewidth=0.8, zorder=1)
        ax.plot(x, 100 * some["estimate"], ".", color=FAINT, markersize=3, zorder=1)
    for name, shift, colour, mark, is_open in ((base, -0.2, ACCENT, "o", False), (mixed, 0.36, SECOND, "s", True)):
        some = shown[shown["table"] == name]
        if len(some):
            _dots(ax, [seat - 1 + shift for seat in some["seat"]], some, "share", colour, mark, is_open=is_open)
    _whole_steps(ax, seats)
    ax.set_xlabel("seat")
    _signed(ax.yaxis)
    return ax


def plot_shares(rows: pd.DataFrame, ax: Axes | None = None, *, fair: float, accent: str = "") -> Axes:
    """Shares of wins by name, in the order given, with the fair share as a line."""
    ax = _start(ax, "x")
    names = list(rows["name"])
    ax.axvline(100 * fair, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    for at, row in enumerate(rows.itertuples()):
        one = rows.iloc[[at]]
        _bars(ax, [at], one, "share", ACCENT if row.name == accent else INK)
        ax.annotate(
            f"{fixed(100 * row.estimate, 0)}",
            (100 * row.high, at),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            color=SOFT,
            fontsize=8,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
        )
    _names(ax, names)
    ax.set_xlim(0, 100 * max(rows["high"].max(), fair) * 1.14)
    _percent(ax.xaxis)
    ax.set_xlabel(f"share of wins; dashed: fair, {fixed(100 * fair, 0 if (100 * fair).is_integer() else 1)} %")
    return ax


def plot_who_beats_whom(rows: pd.DataFrame, ax: Axes | None = None, *, names: Sequence[str], fair: float) -> Axes:
    """Share of wins of one strategy (row) alone among others of one kind (column), in per cent.

    Blue is above the fair share, orange below; bold where the interval is clear of it.
    """
    ax = ax or plain_axes()
    most = min(max(float((rows["estimate"] - fair).abs().max()), 1e-9), 0.4)
    size = 8.5 if len(names) <= 12 else 6.5
    for row in rows.itertuples():
        y, x = names.index(row.name), names.index(row.others)
        strength = min(abs(row.estimate - fair) / most, 1)
        colour = to_rgb(ACCENT if row.estimate >= fair else SECOND)
        shade = tuple(1 - (1 - part) * (0.06 + 0.82 * strength) for part in colour)
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=shade, edgecolor="white", linewidth=1))
        is_sure = row.low > fair or row.high < fair
        dark = strength > 0.55
        ax.text(
            x,
            y,
            fixed(100 * row.estimate, 0),
            ha="center",
            va="center",
            fontsize=size,
            color="white" if dark else INK,
            fontweight="bold" if is_sure else "normal",
        )
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [f"{name} {at + 1}" for at, name in enumerate(names)], fontsize=size)
    ax.set_xticks(range(len(names)), [str(at + 1) for at in range(len(names))], fontsize=size)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


# --- economy -----------------------------------------------------------------------------------------------


def plot_by(
    rows: pd.DataFrame,
    ax: Axes | None = None,
    *,
    x: str,
    unit: str,
    by: str | None = None,
    names: Sequence[Any] | None = None,
    is_from_zero: bool = False,
    is_labelled: bool = True,
    top: float | None = None,
    label: str | None = None,
    ylabel: str = "",
) -> Axes:
    """Estimates along a label, a line a value of another, each named at its end.

    Parameters
    ----------
    rows : columns `x`, `by`, `estimate`, `low`, `high`
    names : values of `by` in the order of their colours
    is_from_zero : where zero means something
    is_labelled : whether lines are named; a figure with a key need not
    top : of the y axis, to share it between figures
    label : of the x axis, in words
    """
    ax = _start(ax, "y")
    steps = list(dict.fromkeys(rows[x]))
    if not any(isinstance(step, str) for step in steps):
        steps.sort()
    groups = [None] if by is None else list(names if names is not None else dict.fromkeys(rows[by]))
    ends = []
    for at, group in enumerate(groups):
        some = rows if by is None else rows[rows[by] == group]
        if not len(some):
            continue
        colour = (ACCENT, SECOND, *SEATS[2:])[at % 6]
        places = [steps.index(value) for value in some[x]]
        _curve(ax, some, places, unit, colour, MARKS[at % 6], ("-", "--", ":", "-.")[at % 4], is_open=at % 2 == 1)
        ends.append(
            (
                places[-1],
                scale(unit) * float(some["estimate"].iloc[-1]),
                str(group) if by == "table" else words(group),
                colour,
            )
        )
    _whole_steps(ax, steps)
    if len(steps) > 12:
        ax.set_xticks(range(0, len(steps), 2), [words(step) for step in steps[::2]])
    if is_from_zero:
        ax.set_ylim(bottom=0)
        if ax.get_ylim()[1] < (1 if is_share(unit) else 0.1):
            ax.set_ylim(top=1 if is_share(unit) else 0.1)
    ax.yaxis.set_major_locator(MaxNLocator(5))
    _units(ax.yaxis, unit)
    ax.set_xlabel(words(x) if label is None else label)
    ax.set_ylabel(ylabel)
    if top is not None:
        ax.set_ylim(top=top)
    if by is not None and is_labelled:
        _end_at(ax, steps)
        _label_ends(ax, ends)
    return ax


def plot_names(rows: pd.DataFrame, ax: Axes | None = None, *, name: str, unit: str, label: str = "") -> Axes:
    """Estimates down a list of names."""
    ax = _start(ax, "x")
    _bars(ax, range(len(rows)), rows, unit, ACCENT)
    _names(ax, [words(label) for label in rows[name]])
    _units(ax.xaxis, unit)
    ax.xaxis.set_major_locator(MaxNLocator(6))
    ax.set_xlabel(label or unit)
    return ax


def plot_paths(
    rows: pd.DataFrame,
    ax: Axes | None = None,
    *,
    names: Sequence[str],
    x: str,
    y: str,
    label: str = "",
    ylabel: str = "",
) -> Axes:
    """Lines of shares without intervals, one a name, labelled at their ends."""
    ax = _start(ax, "y")
    ends = []
    for at, name in enumerate(names):
        some = rows[rows["name"] == name]
        colour = (ACCENT, SECOND, *SEATS[2:])[at % 6]
        ax.plot(some[x], 100 * some[y], color=colour, linestyle=("-", "--", ":", "-.")[at % 4])
        ends.append((float(some[x].iloc[-1]), 100 * float(some[y].iloc[-1]), name, colour))
    ax.set_ylim(0, 103)
    _percent(ax.yaxis)
    ax.set_xlabel(label)
    ax.set_ylabel(ylabel)
    _label_ends(ax, ends)
    return ax


def plot_lots(
    rows: pd.DataFrame, ax: Axes | None = None, *, quantiles: pd.DataFrame, least: dict[str, int], unit: str
) -> Axes:
    """Mean price of each lot in the order given, the middle 80 % of its prices, and its least bid.

    Parameters
    ----------
    rows : columns `lot`, `estimate`, `low`, `high`
    quantiles : columns `lot`, `quantile`, `estimate`
    least : the minimum price of each lot
    """
    ax = _start(ax, "x")
    lots = list(rows["lot"])
    found = {(row.lot, row.quantile): row.estimate for row in quantiles.itertuples()}
    ax.hlines(
        range(len(lots)),
        [found[lot, 0.1] for lot in lots],
        [found[lot, 0.9] for lot in lots],
        color="#c9dcec",
        linewidth=5,
    )
    ax.plot([least[lot] for lot in lots], range(len(lots)), "|", color=SECOND, markersize=8, markeredgewidth=1.6)
    _bars(ax, range(len(lots)), rows, unit, ACCENT)
    _names(ax, [words(lot) for lot in lots])
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{unit}; dot: mean, bar: middle 80 %, stroke: least bid")
    return ax


def plot_premium(rows: pd.DataFrame, ax: Axes | None = None, *, unit: str) -> Axes:
    """Price over the lot's minimum, by the lot's worth, with a line at the minimum."""
    ax = _start(ax, "y")
    ax.axhline(0, color=SOFT, linewidth=1)
    _curve(ax, rows, list(rows["worth"]), unit, ACCENT)
    _signed(ax.yaxis)
    return ax


def plot_lot_shares(rows: Sequence[tuple[str, pd.DataFrame, str]], ax: Axes | None = None, *, x: str = "worth") -> Axes:
    """Shares of lots along a label as lines: (name, rows, colour)."""
    ax = _start(ax, "y")
    for at, (_, some, colour) in enumerate(rows):
        _curve(ax, some, list(some[x]), "share", colour, MARKS[at], ("-", "--")[at % 2], is_open=at % 2 == 1)
    ax.set_ylim(bottom=0)
    _percent(ax.yaxis)
    return ax


def plot_forum(
    rows: pd.DataFrame, ax: Axes | None = None, *, quantiles: pd.DataFrame, prices: Sequence[int], unit: str
) -> Axes:
    """Revenue of one resource by the number of its cards on sale: what the table pays, and what the seats took.

    Parameters
    ----------
    rows : columns `cards`, `estimate`, `low`, `high`
    quantiles : columns `cards`, `quantile`, `estimate`
    prices : price a card by the number of cards, from 1 on; the last holds for all larger numbers
    """
    ax = _start(ax, "y")
    cards = [int(n) for n in rows["cards"]]
    wide = {q: quantiles[quantiles["quantile"] == q].set_index("cards")["estimate"] for q in (0.1, 0.9)}
    low, high = ([float(wide[q][n]) for n in cards] for q in (0.1, 0.9))
    ax.fill_between(cards, low, high, color="#d9e7f2", linewidth=0)
    whole = range(1, max([*cards, len(prices)]) + 1)
    curve = [n * prices[min(n, len(prices)) - 1] for n in whole]
    ax.plot(whole, curve, "--", color=SECOND, linewidth=1.3)
    ax.plot(whole, curve, "s", color=SECOND, markersize=3.6, markerfacecolor="white")
    _curve(ax, rows, cards, unit, ACCENT)
    top = max([*curve, *high])
    ax.set_ylim(0, top * 1.08)
    ax.set_xlim(0.5, max(whole) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("cards of the resource on sale")
    ax.set_ylabel(unit)
    return ax


def plot_counts(rows: pd.DataFrame, ax: Axes | None = None, *, x: str, label: str = "") -> Axes:
    """How often each value occurs, in per cent of all."""
    ax = _start(ax, "y")
    total = rows["n"].sum()
    ax.bar(list(rows[x]), 100 * rows["n"] / total, width=0.7, color=FAINT)
    _percent(ax.yaxis)
    ax.set_xlabel(label or words(x))
    return ax


def plot_bands(
    quantiles: pd.DataFrame, ax: Axes | None = None, *, x: str, unit: str, mean: pd.DataFrame | None = None
) -> Axes:
    """Quantile bands along a label: the middle half, the middle 80 %, the median; and the mean with its interval."""
    ax = _start(ax, "y")
    steps = list(dict.fromkeys(quantiles[x]))
    at = {q: list(quantiles[quantiles["quantile"] == q]["estimate"]) for q in quantiles["quantile"].unique()}
    places = range(len(steps))
    ax.fill_between(places, at[0.1], at[0.9], color="#d9e7f2", linewidth=0)
    ax.fill_between(places, at[0.25], at[0.75], color="#a9c8e2", linewidth=0)
    ax.plot(places, at[0.5], color=ACCENT, linewidth=1.8)
    _whole_steps(ax, steps)
    ax.set_ylim(bottom=min(0, min(at[0.1])))
    ends = [
        (places[-1], at[0.1][-1], "10 %", SOFT),
        (places[-1], at[0.5][-1], "median", ACCENT),
        (places[-1], at[0.9][-1], "90 %", SOFT),
    ]
    if mean is not None:
        _dots(ax, [p for p in places], mean, unit, SECOND, "D", is_open=True)
        ends.append((places[-1], float(mean["estimate"].iloc[-1]), "mean", SECOND))
    _end_at(ax, steps)
    _label_ends(ax, ends)
    ax.set_xlabel(words(x))
    return ax


def plot_stock(counts: pd.DataFrame, ax: Axes | None = None, *, x: str, of: str) -> Axes:
    """Share of each whole number along a label, stacked: how many seats have none, one, two.

    Parameters
    ----------
    counts : columns `x`, `value`, `count`
    of : what is counted, in words
    """
    ax = _start(ax, "y")
    steps = list(dict.fromkeys(counts[x]))
    values = sorted(counts["value"].unique())
    found = {(row[0], row[1]): row[2] for row in counts[[x, "value", "count"]].itertuples(index=False)}
    totals = [sum(found.get((step, value), 0) for value in values) for step in steps]
    base = [0.0] * len(steps)
    for at, value in enumerate(values):
        depth = (at + 1) / len(values)
        shade = tuple(1 - (1 - part) * (0.12 + 0.88 * depth) for part in to_rgb(ACCENT))
        heights = [100 * found.get((step, value), 0) / total for step, total in zip(steps, totals, strict=True)]
        ax.bar(range(len(steps)), heights, 0.74, bottom=base, color=shade, edgecolor="white", linewidth=0.6)
        for step, (low, height) in enumerate(zip(base, heights, strict=True)):
            if height >= 9:
                ax.text(
                    step,
                    low + height / 2,
                    str(value),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if depth > 0.45 else INK,
                )
        base = [low + height for low, height in zip(base, heights, strict=True)]
    _whole_steps(ax, steps)
    ax.set_ylim(0, 100)
    _percent(ax.yaxis)
    ax.set_xlabel(f"{words(x)}; number in the bar: {of}")
    return ax


def plot_dumbbells(
    rows: pd.DataFrame, ax: Axes | None = None, *, name: str, by: str, pair: tuple[str, str], unit: str
) -> Axes:
    """Two estimates for each name, the first open and the second filled, joined by a line and labelled with numbers."""
    ax = _start(ax, "x")
    names = list(dict.fromkeys(rows[name]))
    for at, one in enumerate(names):
        some = rows[rows[name] == one].set_index(by)
        found = [some.loc[[which]] for which in pair if which in some.index]
        values = [scale(unit) * float(row["estimate"].iloc[0]) for row in found]
        ax.hlines(at, min(values), max(values), color=FAINT, linewidth=1.6)
        for row, value, colour, mark, is_open in zip(
            found, values, (SECOND, ACCENT), ("s", "o"), (True, False), strict=False
        ):
            _bars(ax, [at], row, unit, colour, mark, is_open=is_open)
            is_right = value == max(values)
            ax.annotate(
                fixed(value, 1),
                (value, at),
                xytext=(7 if is_right else -7, 0),
                textcoords="offset points",
                va="center",
                ha="left" if is_right else "right",
                color=colour,
            )
    _names(ax, names)
    low, high = ax.get_xlim()
    ax.set_xlim(min(0, low) - 0.1 * (high - low), high + 0.12 * (high - low))
    ax.set_xlabel(f"{unit}; filled: {pair[1]}, open: {pair[0]}")
    return ax


# --- tension -----------------------------------------------------------------------------------------------


def plot_leaders(rows: pd.DataFrame, ax: Axes | None = None, *, label: str = "after round") -> Axes:
    """Share of games led by each seat at each standing, and the fair share."""
    ax = _start(ax, "y")
    rounds = list(dict.fromkeys(rows["round"]))
    seats = sorted(rows["seat"].unique())
    fair = 100 / len(seats)
    ax.axhline(fair, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    ends = []
    for at, seat in enumerate(seats):
        some = rows[rows["seat"] == seat]
        shift = 0.06 * (at - (len(seats) - 1) / 2)
        places = [rounds.index(label) + shift for label in some["round"]]
        _curve(ax, some, places, "share", SEATS[at], MARKS[at])
        ends.append((len(rounds) - 0.8, 100 * float(some["estimate"].iloc[-1]), f"seat {seat}", SEATS[at]))
    _whole_steps(ax, rounds)
    _end_at(ax, rounds)
    ax.set_xlabel(label)
    _percent(ax.yaxis)
    _label_ends(ax, ends)
    return ax


def plot_lead_changes(
    lost: pd.DataFrame, shared: pd.DataFrame, ax: Axes | None = None, *, label: str = "after round"
) -> Axes:
    """How often the lead is lost, or comes to be shared, between one standing and the next."""
    ax = _start(ax, "y")
    steps = list(lost["until"])
    _curve(ax, lost, range(len(steps)), "share", ACCENT)
    _curve(ax, shared, range(len(steps)), "share", SECOND, "s", "--", is_open=True)
    ax.set_xticks(range(len(steps)), [words(step) for step in steps])
    _end_at(ax, steps)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"until {label}")
    _percent(ax.yaxis)
    ends = [
        (len(steps) - 1, 100 * float(some["estimate"].iloc[-1]), text, colour)
        for some, text, colour in ((lost, "lost", ACCENT), (shared, "shared", SECOND))
    ]
    _label_ends(ax, ends)
    return ax


def plot_win_by_place(rows: pd.DataFrame, ax: Axes | None = None, *, fair: float, label: str = "after round") -> Axes:
    """Chance of winning by place at each standing."""
    ax = _start(ax, "y")
    rounds = list(dict.fromkeys(rows["round"]))
    places = sorted(rows["place"].unique())
    ax.axhline(100 * fair, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    ends = []
    for at, place in enumerate(places):
        some = rows[rows["place"] == place]
        depth = 1 - at / max(len(places), 1)
        shade = tuple(1 - (1 - part) * (0.25 + 0.75 * depth) for part in to_rgb(ACCENT))
        colour = SECOND if place == places[-1] else to_hex(shade)
        steps = [rounds.index(label) for label in some["round"]]
        _curve(ax, some, steps, "share", colour, MARKS[at])
        ordinal = {1: "first", 2: "second", 3: "third"}.get(int(place), f"{int(place)}th")
        ends.append(
            (steps[-1], 100 * float(some["estimate"].iloc[-1]), "last" if place == places[-1] else ordinal, colour)
        )
    _whole_steps(ax, rounds)
    ax.set_ylim(bottom=0)
    _end_at(ax, rounds)
    ax.set_xlabel(label)
    _percent(ax.yaxis)
    _label_ends(ax, ends)
    return ax


# --- rules -------------------------------------------------------------------------------------------------


def plot_tornado(rows: pd.DataFrame, ax: Axes | None = None, *, name: str, unit: str, floor: float) -> Axes:
    """Bars of effects with their intervals down a list of names, the strongest on top, and what chance alone does."""
    ax = _start(ax, "x")
    by = scale(unit)
    places = list(range(len(rows)))
    ax.barh(places, by * rows["estimate"], height=0.62, color=ACCENT, alpha=0.35)
    ax.hlines(places, by * rows["low"], by * rows["high"], color=ACCENT, linewidth=1.4)
    ax.axvline(by * floor, color=SECOND, linestyle=":", linewidth=1.4)
    _names(ax, [words(label) for label in rows[name]])
    _units(ax.xaxis, unit)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlim(left=0)
    ax.set_xlabel("moves it by" if is_share(unit) else f"moves it by, {unit}")
    return ax


# --- neighbours --------------------------------------------------------------------------------------------

PLACES = {  # a kind of neighbour: colour, mark, whether it is open, how far below its name's line
    "left": (ACCENT, "o", False, -0.24),
    "right": (SECOND, "s", True, 0.0),
    "others": (SOFT, "D", False, 0.24),
    "opponent": (ACCENT, "o", False, 0.0),
}


def plot_neighbours(
    rows: pd.DataFrame, ax: Axes | None = None, *, names: Sequence[str], unit: str, label: str = ""
) -> Axes:
    """What each guest gives or costs its neighbours, a dot a kind of neighbour, with a line at nothing.

    Parameters
    ----------
    rows : columns `guest`, `neighbour` (one of `PLACES`), `estimate`, `low`, `high`, of one measure
    names : the guests from the top down
    """
    ax = _start(ax, "x")
    ax.axvline(0, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    for place, (colour, mark, is_open, shift) in PLACES.items():
        some = rows[rows["neighbour"] == place]
        lines = [names.index(guest) + shift for guest in some["guest"]]
        if lines:
            _bars(ax, lines, some, unit, colour, mark, is_open=is_open)
    _names(ax, names)
    ax.xaxis.set_major_locator(MaxNLocator(6))
    _signed(ax.xaxis)
    ax.set_xlabel(label or unit)
    return ax


# --- settings ----------------------------------------------------------------------------------------------


def plot_front(
    rows: pd.DataFrame,
    ax: Axes | None = None,
    *,
    x: str,
    y: str,
    units: tuple[str, str],
    is_joined: bool = True,
) -> Axes:
    """A dot a setting, with those that no other beats joined by a line, and a cross for the rules in force.

    Parameters
    ----------
    rows : columns `x`, `y`, `is_front`, `is_now`
    units : of `x` and `y`
    """
    ax = _start(ax, "y")
    places = [scale(unit) * rows[name].astype(float) for name, unit in zip((x, y), units, strict=True)]
    is_front, is_now = rows["is_front"].astype(bool), rows["is_now"].astype(bool)
    ax.plot(places[0], places[1], "o", color=SOFT, markersize=3.5, alpha=0.7)
    front = sorted(zip(places[0][is_front], places[1][is_front], strict=True))
    ax.plot(*zip(*front, strict=True), "o-" if is_joined else "o", color=ACCENT, markersize=4.5, linewidth=1.2)
    ax.plot(places[0][is_now], places[1][is_now], "x", color=SECOND, markersize=8, markeredgewidth=2)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.yaxis.set_major_locator(MaxNLocator(5))
    for axis, unit in ((ax.xaxis, units[0]), (ax.yaxis, units[1])):
        _units(axis, unit)
    return ax
