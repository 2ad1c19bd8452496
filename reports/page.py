"""The report as one HTML page that needs nothing else, with its figures and data beside it.

The same survey gives the same bytes: there is no time, no path and no machine in it.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
from markupsafe import Markup

from analyses.survey import YARDSTICK, Survey, rule_rows
from reports import figures as draw
from reports import format as form
from reports import sentences as say
from reports.advice import advice
from reports.content import Question, Section, Verdict, own_words
from reports.economy import other_figures
from reports.enough import enough_questions
from reports.figures import Picture
from reports.robust import marked, verdict_word
from reports.seats import seat_questions, seat_verdicts
from reports.strategies import strategy_questions, strategy_verdicts
from reports.tables import Cell, Table, View
from reports.tension import game_questions, tension_questions, tension_verdicts
from simcore import __version__
from simcore.errors import AssayError
from simcore.rules import PROVENANCES
from simcore.store import write_frames

TEMPLATE = "page.html.jinja"
PIXELS = 4 / 3  # to a point
PADDING = 48  # around panels and between them
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
LIBRARIES = ("numba", "numpy", "pandas", "matplotlib")
PROVENANCE_WORDS = {
    "printed": "stated in the rulebook",
    "photographed": "read off a photograph of the component",
    "inferred": "follows from an example or from the other components",
    "reconstructed": "filled in; another completion is as possible",
    "experiment": "no rule of the game: for experiments on what a card or an option is worth",
}


@dataclass(frozen=True)
class Drawn:
    """A picture ready for the page.

    Attributes
    ----------
    width : the widest it may be, in pixels
    panels : each as inline SVG, with the widest it may be and its part of a row in per cent
    """

    picture: Picture
    width: int
    panels: tuple[tuple[Markup, int, str], ...]


def write_report(survey: Survey, out: Path | str) -> Path:
    """Write the page, its figures and its data.

    Parameters
    ----------
    out : a folder, made if missing; gets `index.html`, `figures/<name>.svg` and `.png`, `data/<name>.parquet` and `.csv`

    Returns
    -------
    Path
        Of the page.

    Raises
    ------
    AssayError
        If something cannot be written.
    """
    folder = Path(out)
    view = View(survey)
    told = sections(view)
    pictures = [question.picture for section in told for question in section.questions if question.picture is not None]
    page = folder / "index.html"
    try:
        (folder / "figures").mkdir(parents=True, exist_ok=True)
        drawn = {picture.name: draw_picture(picture, folder / "figures") for picture in pictures}
        page.write_text(render(view, told, drawn), encoding="utf-8", newline="\n")
    except OSError as fault:
        raise AssayError(f"cannot write '{fault.filename or folder}': {fault.strerror or fault}") from None
    write_frames(folder / "data", {name: frame for name, frame in survey.frames.items() if len(frame)})
    return page


def sections(view: View) -> list[Section]:
    """All questions, by kind."""
    own = own_words(view.game.name)
    told: list[Question] = own.questions(view) if own else []
    found = [
        Section("games-played", "Is it enough?", tuple(enough_questions(view))),
        Section("seats", "Seats", tuple(seat_questions(view))),
        Section("strategies", "Strategies", (*strategy_questions(view), *_further(view, "metagame", "exploit"))),
        Section("rule-changes", "Rules", tuple(_further(view, "vary", "sensitivity", "tune"))),
        Section("economy", "Economy", (*told, *other_figures(view, told), *_further(view, "worth"))),
        Section("tension", "Pace and tension", (*tension_questions(view), *_further(view, "decided"))),
        Section("people", "Skill and neighbours", tuple(_further(view, "skill", "neighbours"))),
        Section("survival", "What survives", tuple(_further(view, "robust"))),
        Section("games", "Games worth reading", tuple(game_questions(view))),
    ]
    return [
        Section(section.id, section.title, tuple(marked(view, question) for question in section.questions))
        for section in found
        if section.questions
    ]


def _further(view: View, *names: str) -> list[Question]:
    """The questions of the deeper studies of these names that were made."""
    results = view.survey.further
    return [q for name in names if name in results for q in _module(name).questions(view, results[name])]


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"reports.{name}")


def verdicts(view: View, told: Sequence[Section] = ()) -> list[Verdict]:
    """The findings that a designer reads in one minute, in the order of the page; how firm, where `told` was marked."""
    own = own_words(view.game.name)
    questions = {question.id: question for section in told for question in section.questions}
    found = [
        *seat_verdicts(view),
        *strategy_verdicts(view),
        *_told(view, "tune"),
        *(own.verdicts(view) if own else []),
        *tension_verdicts(view),
        *_told(view, "robust"),
    ]
    return [replace(one, word=verdict_word(view, one, questions.get(one.question))) for one in found]


def more_verdicts(view: View) -> list[Verdict]:
    """The other findings of the deeper studies."""
    return _told(view, "metagame", "exploit", "vary", "sensitivity", "worth", "decided", "skill", "neighbours")


def _told(view: View, *names: str) -> list[Verdict]:
    """The findings of the deeper studies of these names that were made."""
    results = view.survey.further
    return [verdict for name in names if name in results for verdict in _module(name).verdicts(view, results[name])]


def draw_picture(picture: Picture, folder: Path) -> Drawn:
    """Save a picture as files and draw its panels for the page."""
    whole = draw.draw(picture.panels, picture.columns, picture.key)
    document = draw.svg(whole)
    (folder / f"{picture.name}.svg").write_text(document, encoding="utf-8", newline="\n")
    (folder / f"{picture.name}.png").write_bytes(draw.png(whole))
    row = sum(panel.width for panel in picture.panels[: picture.columns])
    panels = []
    for at, panel in enumerate(picture.panels):
        is_whole = len(picture.panels) == 1 and not picture.key
        single = document if is_whole else draw.svg(draw.draw([panel]))
        title = panel.title or picture.name.replace("-", " ").capitalize()
        about = (
            picture.alt
            if at == 0
            else f"{title}. Described with the first panel of this figure; the numbers are in the table below."
        )
        panels.append(
            (
                Markup(draw.inline(single, f"{picture.name}-{at + 1}", title, about)),
                round(panel.width * PIXELS),
                f"{100 * panel.width / row:.2f}",
            )
        )
    return Drawn(picture, round(row * PIXELS) + PADDING, tuple(panels))


def render(view: View, told: Sequence[Section], drawn: dict[str, Drawn]) -> str:
    """The page as text."""
    survey = view.survey
    return template(TEMPLATE).render(
        policy=POLICY,
        title=survey.game.title,
        facts=facts(survey),
        verdicts=verdicts(view, told),
        more_verdicts=more_verdicts(view),
        advice=advice(view),
        sections=told,
        drawn=drawn,
        methods=methods(view),
        changes=rule_changes(survey),
        rules=rules_table(survey),
        tables=component_tables(survey),
        provenances=[(word, PROVENANCE_WORDS[word]) for word in PROVENANCES if _has(survey, word)],
        versions=versions(survey),
        command=survey.command,
        data=[name for name, frame in survey.frames.items() if len(frame)],
        sans=draw.SANS,
    )


def template(name: str) -> jinja2.Template:
    """A template of this folder; whatever is put in is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def facts(survey: Survey) -> list[tuple[str, str]]:
    """Game, edition, players, what was simulated."""
    changes = survey.rules.changes()
    edition = (
        "rules as shipped"
        if not changes
        else f"{form.count(len(changes), 'changed rule')}: {form.listed([form.words(name) for name in changes])}"
    )
    sizes = list(survey.sizes)
    return [
        ("Edition", edition),
        ("Players", str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"),
        ("Simulated", f"{survey.games:,} games"),
        ("Strategies", f"{len(survey.names)}: {form.listed(survey.names)}"),
        ("Seed", str(survey.seed)),
    ]


def versions(survey: Survey) -> list[tuple[str, str]]:
    """What the bytes of the page depend on."""
    rules = (f"rules of {survey.game.name}", str(survey.game.version))
    return [("Assay", __version__), rules, *((name, version(name)) for name in LIBRARIES)]


def methods(view: View) -> list[str]:
    """The method in plain words."""
    survey = view.survey
    base = survey.base
    found = [
        "Every game is played out by a program that follows the rules, with scripted strategies at the seats. A deal fixes all its "
        "chance (shuffles, dice); the same deal can be played by any strategies in any seats.",
        f"Seats: {base} at every seat, so that only the order of play differs; then every other strategy against itself; then a "
        "mixed field, in which each strategy sits at each seat of each deal equally often.",
        "Strategies: a round robin in duplicate play. For every two strategies each deal is played with one of the first kind among "
        "the others and the other way round, in every rotation of the seats; luck of the deal and of the seat cancels out.",
        f"Economy and tension: {base} at every seat, with {form.count(view.main, 'player')} unless it says otherwise; the mixed field is shown beside it.",
        "Every interval is one of 95 %. It rests on the spread between deals, or between 32 groups of deals, never on lots or seats "
        "of one game as if they were independent. A win shared by several seats counts as that part of a win.",
        f"Fair is a verdict of equivalence: the whole interval lies within {say.tolerance_words(survey.tolerance)} of the fair share. "
        "Not fair: it lies wholly outside. Open: more games are needed.",
        "Strategies play by fixed plans: they do not learn, bluff or hold grudges. Read a finding as one about these strategies, and "
        "the more firmly the more different strategies show it.",
    ]
    if YARDSTICK in survey.names:
        found.insert(
            4,
            f"The strategy {YARDSTICK} takes any legal choice: it shows what skill is worth, and is left out of mixed tables.",
        )
    if len(survey.frames["redrawn"]):
        found.append(
            f"Firm or dependent: the games of {base} were played again with other values of the reconstructed {form.listed(view.reconstructed)} ({', '.join(view.game.redrawn)}). "
            f"A share of wins is firm if it moves by less than {say.tolerance_words(survey.tolerance)}, any other number if it moves by less than a twentieth "
            "of the largest of its kind; it depends on the reconstruction if it moves by more."
        )
    return found


# --- rules and components ----------------------------------------------------------------------------------


def _has(survey: Survey, word: str) -> bool:
    return any(word in rule.provenance.ravel().tolist() for rule in survey.game.rules.rules.values())


def rule_changes(survey: Survey) -> list[tuple[str, str, str]]:
    """Rules that differ from the shipped ones: name, value, default."""
    rules = survey.game.rules.rules
    return [
        (form.words(name), _values(value), _values(rules[name].default.tolist()))
        for name, value in survey.rules.changes().items()
    ]


def _values(value: Any) -> str:
    """A rule's value in a line; equal numbers are said once."""
    if not isinstance(value, list):
        return str(value)
    if isinstance(value[0], list):
        return "; ".join(_values(line) for line in value)
    return str(value[0]) if len(set(value)) == 1 else ", ".join(map(str, value))


def rules_table(survey: Survey) -> Table:
    """Every rule with its value and provenance."""
    changed = survey.rules.changes()
    body = []
    for rule in survey.game.rules.rules.values():
        value = _values(survey.rules.values[rule.name].tolist()) if len(rule.axes) < 2 else "see its table below"
        mark = " (changed)" if rule.name in changed else ""
        body.append((Cell(rule.name), Cell(rule.about), Cell(value + mark), Cell(rule.unit), Cell(rule.provenances)))
    return Table(
        "Every rule and component: what it is, its value here, and where the number comes from.",
        "rules",
        ("rule", "what it is", "value", "unit", "provenance"),
        tuple(body),
    )


def component_tables(survey: Survey) -> list[Table]:
    """Components whose numbers differ in provenance or fill a table, number by number."""
    numbered = list(enumerate(rule_rows(survey.game, survey.rules)))
    tables = []
    for rule in survey.game.rules.rules.values():
        if len(rule.axes) < 2:
            continue
        rows = [(at, row) for at, row in numbered if row["rule"] == rule.name]
        labels = survey.game.rules.labels
        across = labels[rule.axes[1]]
        body = []
        for line, name in enumerate(labels[rule.axes[0]]):
            some = rows[line * len(across) : (line + 1) * len(across)]
            cells = [
                Cell(str(row["value"]), row["provenance"], repr(float(row["value"])), at, "value") for at, row in some
            ]
            body.append((Cell(form.words(name)), *cells))
        heads = (form.words(rule.axes[0]), *(form.words(label) for label in across))
        tables.append(
            Table(
                f"{form.capital(rule.about)} ({form.words(rule.name)}), with the provenance of each number.",
                "rules",
                heads,
                tuple(body),
            )
        )
    return tables
