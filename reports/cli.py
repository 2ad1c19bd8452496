"""The `assay` command. Each command is one call of `analyses` or `reports`; heavy libraries load only where used."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from simcore import __version__
from simcore.errors import AssayError, unknown

if TYPE_CHECKING:
    from analyses.inputs import Work

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
ALL = "all"
SHOW_PROGRESS_AFTER = 2.0  # seconds
FIELD_HELP = "also play a mixed field: comma-separated, or 'all' but random"


class Parser(argparse.ArgumentParser):
    """Errors in one line, exit code 2, the nearest name for a mistyped command."""

    def error(self, message: str) -> NoReturn:
        raise AssayError(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise unknown(action.dest, value, list(action.choices))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        arguments = _read(_parser(), argv)
        if arguments.handler is None:
            _parser().print_help()
            return DONE
        arguments.handler(arguments)
        sys.stdout.flush()
    except AssayError as fault:
        print(f"assay: {' '.join(str(fault).split())}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("assay: stopped; the same command goes on from the last finished part", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # `assay ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        print("assay: out of memory; fewer --jobs take less", file=sys.stderr)
        return BAD_INPUT
    except OSError as fault:
        print(f"assay: {fault.filename or 'output'}: {fault.strerror or fault}", file=sys.stderr)
        return BAD_INPUT
    return DONE


def _parser() -> Parser:
    parser = Parser(
        prog="assay",
        description="Monte Carlo balance analysis of tabletop games.",
        epilog="Start with: assay report ostia",
    )
    parser.add_argument("--version", action="version", version=f"assay {__version__}")
    parser.set_defaults(handler=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def add(name: str, handler: Callable[[Any], None], about: str) -> Parser:
        command = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        command.set_defaults(handler=handler)
        return command

    games = add("games", _games, "list the games")
    games.add_argument("--json", action="store_true", help="print one JSON document")

    for name, handler, about in (
        ("strategies", _strategies, "list a game's strategies, their plans and weights"),
        ("rules", _rules, "list a game's rules, what they allow and where they come from"),
    ):
        command = add(name, handler, about)
        command.add_argument("game", metavar="GAME")
        command.add_argument("--json", action="store_true", help="print one JSON document")
        if name == "rules":
            _add_rules(command)

    play = add("play", _play, "tell one game move by move")
    _add_game(play, strategies="baseline")
    play.add_argument("--deal", type=_whole, default=0, metavar="N", help="which deal of the seed (default 0)")

    run = add("run", _run, "play one table on many deals")
    _add_game(run, strategies="baseline")
    run.add_argument(
        "--precision", type=float, metavar="SHARE",
        help="play until every seat's share of wins is known to within this (0.002: 0.2 points in 100); --deals is then the most",
    )  # fmt: skip
    _add_work(run, deals=None, shown="20,000; with --precision as many as it takes")

    compare = add("compare", _compare, "play strategies against each other, each deal in every seating")
    compare.add_argument("game", metavar="GAME")
    compare.add_argument(
        "names", metavar="NAME", nargs="*", help="strategies, or paths of strategy files (default: all)"
    )
    _add_table(compare)
    compare.add_argument("--sprt", action="store_true", help="play two strategies until it is decided which is better")
    compare.add_argument(
        "--gap", type=float, default=1.0, metavar="POINTS",
        help="with --sprt: the lead worth finding, in points of wins in 100 (default 1)",
    )  # fmt: skip
    _add_work(compare, deals=None, shown="1,000; with --sprt as many as it takes")

    meta = add("meta", _meta, "find what nobody gains by leaving, if everybody may choose a strategy")
    meta.add_argument("game", metavar="GAME")
    meta.add_argument(
        "names", metavar="NAME", nargs="*", help="strategies, or paths of strategy files (default: all but random)"
    )
    _add_table(meta)
    _add_work(meta, deals=64)

    vary = add("vary", _vary, "play the same deals under other values of a rule")
    vary.add_argument("game", metavar="GAME")
    vary.add_argument(
        "knobs",
        metavar="RULE=VALUES",
        nargs="*",
        help="rule=6:14:2 (from, to, step) or rule=45,55,65; several make a grid",
    )
    _add_strategies(vary)
    vary.add_argument("--field", metavar="NAMES", help=FIELD_HELP)
    _add_table(vary)
    _add_work(vary, deals=10_000)

    sensitivity = add("sensitivity", _sensitivity, "turn all rules together and see which matter")
    sensitivity.add_argument("game", metavar="GAME")
    sensitivity.add_argument(
        "knobs",
        metavar="RULE",
        nargs="*",
        help="rule, rule[entry] or rule=low:high (default: all rules, by three tenths)",
    )
    sensitivity.add_argument(
        "--method", default="morris", metavar="NAME", help="morris (screening) or sobol (default morris)"
    )
    sensitivity.add_argument(
        "--points",
        type=_whole,
        default=10,
        metavar="N",
        help="trajectories, or base points of Sobol's design (default 10)",
    )
    _add_one(sensitivity)
    sensitivity.add_argument("--field", metavar="NAMES", help=FIELD_HELP)
    _add_table(sensitivity)
    _add_work(sensitivity, deals=400)

    tune = add("tune", _tune, "turn rules towards a goal, and measure on fresh deals what is best")
    tune.add_argument("game", metavar="GAME")
    tune.add_argument(
        "--knob", dest="knobs", action="append", default=[], metavar="RULE",
        help="rule, rule[entry] or rule[*] (every seat), each with =low:high or not; may be given again",
    )  # fmt: skip
    tune.add_argument(
        "--goal", dest="goals", action="append", default=[], metavar="GOAL",
        help="seats, strategies, or figure=number such as length=60; may be given again (default seats)",
    )  # fmt: skip
    tune.add_argument("--evaluations", type=_whole, default=60, metavar="N", help="settings to look at (default 60)")
    _add_one(tune)
    tune.add_argument("--field", metavar="NAMES", help=FIELD_HELP)
    _add_table(tune)
    _add_work(tune, deals=20_000)

    exploit = add("exploit", _exploit, "tune a rival's weights against each strategy")
    exploit.add_argument("game", metavar="GAME")
    exploit.add_argument(
        "names", metavar="NAME", nargs="*", help="strategies, or paths of strategy files (default: all)"
    )
    exploit.add_argument(
        "--rival", default="baseline", metavar="NAME", help="whose weights are tuned (default baseline)"
    )
    exploit.add_argument(
        "--evaluations", type=_whole, default=200, metavar="N", help="settings to look at (default 200)"
    )
    _add_table(exploit)
    _add_work(exploit, deals=1_000)

    decided = add("decided", _decided, "follow whole games: when are they decided, and by whom?")
    decided.add_argument("game", metavar="GAME")
    _add_strategies(decided)
    decided.add_argument(
        "--rival", metavar="NAME", help="plays instead of each seat, to see whether losers choose the winner"
    )
    _add_table(decided)
    _add_work(decided, deals=5_000)

    skill = add("skill", _skill, "tell skill from luck: a ladder of strategies, and where results come from")
    skill.add_argument("game", metavar="GAME")
    skill.add_argument("names", metavar="NAME", nargs="*", help="strategies, or paths of strategy files (default: all)")
    _add_table(skill)
    _add_work(skill, deals=500)

    neighbours = add("neighbours", _neighbours, "see what each strategy costs or gives the seats beside it")
    neighbours.add_argument("game", metavar="GAME")
    neighbours.add_argument("names", metavar="NAME", nargs="*", help="the guests, strategies or paths (default: all)")
    neighbours.add_argument("--host", default="baseline", metavar="NAME", help="at all other seats (default baseline)")
    _add_table(neighbours)
    _add_work(neighbours, deals=1_000)

    worth = add("worth", _worth, "give a seat each card, forbid it each option, and see what it wins")
    worth.add_argument("game", metavar="GAME")
    worth.add_argument("items", metavar="ITEM", nargs="*", help="cards and options (default: all)")
    _add_one(worth)
    _add_tolerance(worth)
    _add_table(worth)
    _add_work(worth, deals=2_000)

    robust = add("robust", _robust, "look for the findings again under other reconstructed components")
    robust.add_argument("game", metavar="GAME")
    _add_one(robust)
    robust.add_argument(
        "--field", metavar="NAMES", help="of the mixed field (default: all but random, where they fill the seats)"
    )
    robust.add_argument(
        "--draws", type=_whole, default=20, metavar="N", help="draws of what is reconstructed (default 20)"
    )
    _add_tolerance(robust)
    _add_table(robust)
    _add_work(robust, deals=2_000)

    report = add("report", _report, "write a report as one HTML page with its figures and data")
    report.add_argument("game", metavar="GAME", help=f"a game, or '{ALL}' for every game and a page that compares them")
    _add_tolerance(report)
    report.add_argument("--thorough", action="store_true", help="ten times as many deals; says first how long it takes")
    report.add_argument("--strategies", metavar="NAMES", help="comma-separated (default: all)")
    _add_table(report, seats=None)
    _add_work(report, deals=None)

    study = add("study", _study, "run the study that a TOML file describes")
    study.add_argument("file", metavar="FILE.toml")
    study.add_argument(
        "--strategies", metavar="NAMES", help="comma-separated; the only way to name a strategy file here"
    )
    study.add_argument("--json", action="store_true", help="print one JSON document")
    _add_work(study, deals=None)
    return parser


def _read(parser: Parser, argv: Sequence[str] | None) -> Any:
    """The arguments; names may also stand behind options, where argparse does not look for them."""
    arguments, rest = parser.parse_known_args(argv)
    names = next(
        (name for name in ("names", "knobs", "items") if isinstance(getattr(arguments, name, None), list)), None
    )
    if rest and (names is None or any(text.startswith("-") for text in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest and names is not None:
        setattr(arguments, names, [*getattr(arguments, names), *rest])
    return arguments


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a whole number") from None


def _add_rules(command: Parser) -> None:
    command.add_argument(
        "--set", dest="changes", action="append", default=[], metavar="RULE=VALUE", help="change a rule"
    )
    command.add_argument("--rules", metavar="FILE.toml", help="change the rules that a TOML file names")


def _add_table(command: Parser, seats: int | None = 4) -> None:
    shown = f"(default {seats})" if seats else "(default: all the game allows)"
    command.add_argument("--seats", type=_whole, default=seats, metavar="N", help=f"number of players {shown}")
    command.add_argument("--seed", type=_whole, default=1, metavar="N", help="seed of the study (default 1)")
    _add_rules(command)
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _add_one(command: Parser) -> None:
    command.add_argument("--strategy", default="baseline", metavar="NAME", help="at every seat (default baseline)")


def _add_tolerance(command: Parser) -> None:
    command.add_argument(
        "--tolerance", type=float, default=1.0, metavar="POINTS", help="what counts as none (default 1 point in 100)"
    )


def _add_strategies(command: Parser, default: str = "baseline") -> None:
    command.add_argument(
        "--strategies", default=default, metavar="NAMES",
        help=f"one for all seats, or comma-separated seat by seat; names or paths (default {default})",
    )  # fmt: skip


def _add_game(command: Parser, strategies: str) -> None:
    command.add_argument("game", metavar="GAME")
    _add_strategies(command, strategies)
    _add_table(command)


def _add_work(command: Parser, deals: int | None, shown: str = "enough for a first answer") -> None:
    shown = f"{deals:,}" if deals else shown
    command.add_argument("--deals", type=_whole, default=deals, metavar="N", help=f"deals to play (default: {shown})")
    command.add_argument(
        "--jobs", type=_whole, default=0, metavar="N", help="parts played at a time (default: one a processor)"
    )
    command.add_argument("--backend", default="threading", metavar="NAME", help="joblib backend (default threading)")
    command.add_argument("--out", metavar="FOLDER", help="keep results here; the same command continues there")


# --- commands ----------------------------------------------------------------------------------------------


def _games(arguments: Any) -> None:
    from analyses import catalogue
    from reports import terminal

    rows = catalogue.games()
    _print(arguments, rows, lambda: terminal.games(rows))


def _strategies(arguments: Any) -> None:
    from analyses import catalogue
    from reports import terminal

    rows = catalogue.strategies(arguments.game)
    _print(arguments, rows, lambda: terminal.strategies(rows))


def _rules(arguments: Any) -> None:
    from analyses import catalogue
    from reports import terminal

    rows = catalogue.rules(arguments.game, arguments.changes, arguments.rules)
    _print(arguments, rows, lambda: terminal.rules(rows))


def _play(arguments: Any) -> None:
    from analyses.play import play
    from simcore.errors import IllegalAnswerError
    from simcore.game import find_game

    fault = None
    try:
        document = play(
            arguments.game,
            seats=arguments.seats,
            strategies=arguments.strategies,
            seed=arguments.seed,
            deal=arguments.deal,
            changes=arguments.changes,
            rules=arguments.rules,
        )
    except IllegalAnswerError as illegal:  # tell the game up to there, then what was wrong
        if illegal.document is None:
            raise
        fault, document = illegal, illegal.document
    _print(arguments, document, lambda: find_game(arguments.game).wording(document))
    if fault is not None:
        sys.stdout.flush()
        raise fault


def _run(arguments: Any) -> None:
    from analyses.run import run
    from reports import terminal

    with _work(arguments) as work:
        result = run(
            arguments.game,
            seats=arguments.seats,
            strategies=arguments.strategies,
            deals=arguments.deals,
            seed=arguments.seed,
            changes=arguments.changes,
            rules=arguments.rules,
            precision=arguments.precision,
            work=work,
        )
    _keep(arguments, lambda: {"by_seat": result.by_seat, "economy": result.economy, "tension": result.tension})
    _print(arguments, result.as_dict(), lambda: terminal.run(result))


def _compare(arguments: Any) -> None:
    from analyses.comparison import compare
    from reports import terminal

    with _work(arguments) as work:
        result = compare(
            arguments.game,
            arguments.names or _all_strategies(arguments.game),
            seats=arguments.seats,
            deals=arguments.deals,
            seed=arguments.seed,
            changes=arguments.changes,
            rules=arguments.rules,
            gap=arguments.gap / 100 if arguments.sprt else None,
            work=work,
        )
    _keep(arguments, lambda: {"strategies": result.strategies, "pairs": result.differences, "alone": result.alone})
    _print(arguments, result.as_dict(), lambda: terminal.compare(result))


def _meta(arguments: Any) -> None:
    from analyses.metagame import metagame
    from reports.metagame import words

    names = arguments.names or [name for name in _all_strategies(arguments.game) if name != "random"]
    _ask(arguments, metagame, words, names)


def _vary(arguments: Any) -> None:
    from analyses.vary import vary
    from reports.vary import words

    _ask(arguments, vary, words, arguments.knobs, strategies=arguments.strategies, names=_field(arguments))


def _sensitivity(arguments: Any) -> None:
    from analyses.sensitivity import sensitivity
    from reports.sensitivity import words

    given = {"method": arguments.method, "points": arguments.points}
    _ask(
        arguments,
        sensitivity,
        words,
        arguments.knobs,
        strategy=arguments.strategy,
        names=_field(arguments),
        **given,
    )


def _tune(arguments: Any) -> None:
    from analyses.tune import SEATS, STRATEGIES, tune
    from reports.tune import words

    goals = arguments.goals or [SEATS]
    _ask(
        arguments,
        tune,
        words,
        arguments.knobs,
        goals=goals,
        strategy=arguments.strategy,
        names=_field(arguments, "all" if STRATEGIES in goals else None),
        evaluations=arguments.evaluations,
    )


def _exploit(arguments: Any) -> None:
    from analyses.exploit import exploit
    from reports.exploit import words

    _ask(
        arguments,
        exploit,
        words,
        arguments.names or None,
        rival=arguments.rival,
        evaluations=arguments.evaluations,
    )


def _decided(arguments: Any) -> None:
    from analyses.decided import decided
    from reports.decided import words

    _ask(arguments, decided, words, strategies=arguments.strategies, rival=arguments.rival)


def _skill(arguments: Any) -> None:
    from analyses.skill import skill
    from reports.skill import words

    _ask(arguments, skill, words, arguments.names or None)


def _neighbours(arguments: Any) -> None:
    from analyses.neighbours import neighbours
    from reports.neighbours import words

    _ask(arguments, neighbours, words, arguments.names or None, host=arguments.host)


def _worth(arguments: Any) -> None:
    from analyses.worth import worth
    from reports.worth import words

    given = {"strategy": arguments.strategy, "tolerance": arguments.tolerance / 100}
    _ask(arguments, worth, words, arguments.items, **given)


def _robust(arguments: Any) -> None:
    from analyses.robust import robust
    from reports.robust import words

    given = {"strategy": arguments.strategy, "tolerance": arguments.tolerance / 100, "draws": arguments.draws}
    names = _field(arguments) if arguments.field else _filling(arguments)
    _ask(arguments, robust, words, names=names, **given)


def _ask(
    arguments: Any, question: Callable[..., Any], words: Callable[[Any], str], *things: Any, **options: Any
) -> None:
    """Ask one question of a game, keep its frames, and print the answer."""
    common = {name: getattr(arguments, name) for name in ("seats", "deals", "seed", "changes", "rules")}
    with _work(arguments, unit=" games") as work:
        result = question(arguments.game, *things, **options, **common, work=work)
    _keep(arguments, lambda: result.frames)
    _print(arguments, result.as_dict(), lambda: words(result))


def _field(arguments: Any, default: str | None = None) -> list[str]:
    """The strategies of a mixed field, none unless asked for."""
    told = arguments.field or default
    if told == "all":
        return [name for name in _all_strategies(arguments.game) if name != "random"]
    return [name.strip() for name in told.split(",")] if told else []


def _filling(arguments: Any) -> list[str]:
    """All strategies but random, if they fill the seats."""
    names = [name for name in _all_strategies(arguments.game) if name != "random"]
    return names if len(names) >= arguments.seats else []


def _report(arguments: Any) -> None:
    from simcore.game import GAMES

    if arguments.game == ALL:
        _report_all(arguments, sorted(GAMES))
        return
    result, page = _one_report(arguments, arguments.game, Path(arguments.out or f"report-{arguments.game}"))
    _print(arguments, {"page": str(page), "games": result.games}, lambda: f"{page}  ({result.games:,} games)")


def _report_all(arguments: Any, games: Sequence[str]) -> None:
    """A report of every game, and a page that compares them."""
    for option, given in (
        ("--set", arguments.changes),
        ("--rules", arguments.rules),
        ("--strategies", arguments.strategies),
    ):
        if given:
            raise AssayError(f"'{option}' belongs to one game: name it instead of '{ALL}'")
    from reports.index import write_index

    folder = Path(arguments.out or "report-all")
    found = [_one_report(arguments, game, folder / game) for game in games]
    results = [result for result, _ in found]
    index = write_index(results, folder, " ".join(["assay report all", *_all_options(arguments)]))
    total = sum(result.games for result in results)
    pages = {result.game.name: str(page) for result, page in found}
    _print(arguments, {"page": str(index), "games": total, "pages": pages}, lambda: f"{index}  ({total:,} games)")


def _all_options(arguments: Any) -> list[str]:
    """The options of `report all` that are not the defaults."""
    told = [f"--seats {arguments.seats}"] if arguments.seats is not None else []
    told += [f"--deals {arguments.deals}"] if arguments.deals is not None else []
    told += [f"--tolerance {arguments.tolerance:g}"] if arguments.tolerance != 1 else []
    return [*told, *(["--thorough"] if arguments.thorough else []), f"--seed {arguments.seed}"]


def _one_report(arguments: Any, game: str, folder: Path) -> tuple[Any, Path]:
    """Play what a report shows, and write it."""
    from analyses.survey import survey
    from reports.page import write_report

    with _work(arguments, keeps=False, unit=" games") as work:
        result = survey(
            game,
            seats=arguments.seats,
            strategies=arguments.strategies.split(",") if arguments.strategies else None,
            deals=arguments.deals,
            seed=arguments.seed,
            changes=arguments.changes,
            rules=arguments.rules,
            tolerance=arguments.tolerance / 100,
            is_thorough=arguments.thorough,
            work=work,
        )
    return result, write_report(result, folder)


def _study(arguments: Any) -> None:
    from analyses.study import read_study

    study = read_study(arguments.file)
    given = argparse.Namespace(**study)
    for name in ("strategies", "deals", "out", "jobs", "json"):  # the command line goes before the file
        if getattr(arguments, name):
            setattr(given, name, getattr(arguments, name))
    given.names = given.strategies.split(",")
    given.precision, given.sprt, given.gap = None, False, 1.0
    {"run": _run, "compare": _compare}[study["question"]](given)


def _all_strategies(game: str) -> list[str]:
    import strategies
    from simcore.game import find_game

    return strategies.names(find_game(game))


# --- what the commands share -------------------------------------------------------------------------------


def _print(arguments: Any, data: Any, words: Callable[[], str]) -> None:
    """One JSON document and nothing else, or words."""
    if arguments.json:
        from analyses.frames import plain

        print(json.dumps(plain(data), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        print(words())


def _keep(arguments: Any, frames: Callable[[], dict[str, Any]]) -> None:
    """Tidy frames into the results folder, where one is given."""
    if arguments.out:
        from simcore.store import write_frames

        write_frames(Path(arguments.out), frames())


@contextlib.contextmanager
def _work(arguments: Any, keeps: bool = True, unit: str = " deals") -> Iterator[Work]:
    """How to do the work, with a progress bar on a terminal."""
    from analyses.inputs import Work

    out = Path(arguments.out) if keeps and arguments.out else None
    bar = _Bar(unit) if sys.stderr.isatty() else None
    try:
        yield Work(arguments.jobs, arguments.backend, out, bar, _note)
    finally:
        if bar is not None:
            bar.close()


def _note(text: str) -> None:
    print(f"assay: {text}", file=sys.stderr)


class _Bar:
    """A progress bar with the time left, shown when the work takes more than a moment."""

    def __init__(self, unit: str) -> None:
        self.bar: Any = None
        self.unit = unit

    def __call__(self, done: int, total: int) -> None:
        if self.bar is None:
            from tqdm import tqdm

            self.bar = tqdm(total=total, unit=self.unit, delay=SHOW_PROGRESS_AFTER, leave=False, unit_scale=True)
        self.bar.total = total
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


if __name__ == "__main__":
    sys.exit(main())
