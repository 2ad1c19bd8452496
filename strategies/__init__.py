"""Scripted players: one folder a game, one file a strategy. A designer's own file works the same way.

A strategy is a file of plain functions named after the decisions of its game, each taking a view `v` and the rules
`r` and returning a whole number. What it leaves out is taken from the game's `baseline`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.errors import AssayError, unknown
from simcore.game import Game, find_game
from simcore.state import MAX_WEIGHTS

BASELINE = "baseline"
MAX_NAME = 64
MAX_SIBLINGS = 200  # files beside a user's that its digest covers


@dataclass(frozen=True)
class Weight:
    """A number in a strategy that may be tuned."""

    name: str
    default: float
    low: float
    high: float
    about: str


@dataclass(frozen=True)
class Strategy:
    """A compiled strategy.

    Attributes
    ----------
    name : as given, weights that were set included
    plan : the first paragraph of its file's docstring
    about : the whole docstring
    weights : what its functions read in `v.weights`, in that order
    values, baseline : the weights in force, its own and those of functions taken from the baseline
    hooks : a compiled function for each decision
    own : decisions that its file answers itself
    digest : of its folder's sources and of simcore's
    """

    name: str
    plan: str
    about: str
    weights: tuple[Weight, ...]
    values: tuple[float, ...]
    baseline: tuple[float, ...]
    hooks: Mapping[str, Callable] = field(repr=False)
    own: tuple[str, ...]
    digest: str
    path: Path
    game: str
    given: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Only names cross process borders; the other side compiles or loads what they stand for."""
        return _reload, (self.game, self.given, self.name)


def _reload(game: str, given: str, name: str) -> Strategy:
    return replace(load_once(game, given), name=name)


def load_once(game: str, given: str) -> Strategy:
    """`load`, the second time from memory; a user's file anew when it has changed."""
    stamp = 0
    if _is_path(given):
        path = Path(_split(given)[0])
        stamp = path.stat().st_mtime_ns if path.is_file() else 0
    base, settings = _split(given)
    return reweighted(_loaded(game, base, stamp), settings) if settings else _loaded(game, base, stamp)


@lru_cache(maxsize=256)
def _loaded(game: str, given: str, stamp: int) -> Strategy:
    return load(find_game(game), given)


def reweighted(strategy: Strategy, settings: str) -> Strategy:
    """The strategy with weights set, as `weight=value:weight=value`; nothing is compiled anew.

    Raises
    ------
    AssayError
        For an unknown weight, or a value out of its bounds.
    """
    values = _set_weights(strategy.name, strategy.weights, settings)
    own = replace(strategy, name=f"{strategy.name}:{settings}", given=f"{strategy.given}:{settings}", values=values)
    return replace(own, baseline=values) if strategy.name == BASELINE and not _is_path(strategy.given) else own


def names(game: Game) -> list[str]:
    """The strategies that ship with a game, `baseline` and `random` first."""
    found = sorted(f.stem for f in game.strategy_folder.glob("*.py") if not f.stem.startswith("_"))
    first = [name for name in (BASELINE, "random") if name in found]
    return first + [name for name in found if name not in first]


def describe(game: Game, name: str) -> tuple[str, tuple[Weight, ...]]:
    """A shipped strategy's docstring and weights, read off its source without compiling anything."""
    tree = ast.parse((game.strategy_folder / f"{name}.py").read_text(encoding="utf-8"))
    given: Any = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and [t.id for t in node.targets if isinstance(t, ast.Name)] == ["WEIGHTS"]:
            given = ast.literal_eval(node.value)
    return ast.get_docstring(tree) or "", _weights(given, name)


def load(game: Game, name: str) -> Strategy:
    """The strategy of that name, or in the file of that path; `name:weight=value` sets a weight.

    Raises
    ------
    AssayError
        For an unknown name or weight, or a file that cannot be used, in one line.
    """
    base, settings = _split(name)
    if settings:
        return reweighted(load(game, base), settings)
    is_path = _is_path(base)
    if not is_path and base not in names(game):
        raise unknown(f"strategy of {game.name}", base, names(game))
    path = Path(base) if is_path else game.strategy_folder / f"{base}.py"
    module, digest = _import(game, base, path, is_path)
    weights = _weights(getattr(module, "WEIGHTS", {}), base)
    values = tuple(weight.default for weight in weights)
    hooks, own = _hooks(game, module, base, digest, is_path)
    fallback, base_values = hooks, values
    if base != BASELINE:
        shipped = load(game, BASELINE)
        fallback = dict(shipped.hooks)
        base_values = _baseline_values(module, base, shipped)
    about = inspect.cleandoc(module.__doc__ or "")
    stem = path.stem if is_path else base
    return Strategy(
        name=stem,
        plan=" ".join(about.split("\n\n")[0].split()) or "(no docstring)",
        about=about,
        weights=weights,
        values=values,
        baseline=base_values,
        hooks={**fallback, **hooks},
        own=tuple(own),
        digest=digest,
        path=path,
        game=game.name,
        given=str(path.resolve()) if is_path else name,
    )


def seat_table(game: Game, seats: int, chosen: Sequence[str]) -> list[str]:
    """One strategy name per seat, from one for all or one for each.

    Raises
    ------
    AssayError
        If there are neither one nor `seats` names.
    """
    if len(chosen) == 1:
        return list(chosen) * seats
    if len(chosen) != seats:
        raise AssayError(f"{len(chosen)} strategies for {seats} seats: give one for all, or one for each seat")
    return list(chosen)


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or ".py" in name


def _split(name: str) -> tuple[str, str]:
    """A name or path, and the settings of weights behind it."""
    if not _is_path(name):
        base, _, settings = name.partition(":")
        return base, settings
    head, dot, tail = name.rpartition(".py")
    return (head + dot, tail[1:]) if tail.startswith(":") else (name, "")


def _import(game: Game, name: str, path: Path, is_path: bool) -> tuple[ModuleType, str]:
    """The module and the digest of its folder; what it compiles goes to a cache folder named by that digest."""
    from simcore import cache

    if is_path and not path.is_file():
        raise AssayError(f"no strategy file '{name}'")
    if not path.stem.isprintable() or len(path.stem) > MAX_NAME:
        raise AssayError(
            f"the name of a strategy file must be printable and at most {MAX_NAME} long, not {path.stem!r}"
        )
    siblings = sorted(f for f in path.parent.glob("*.py") if f != path)[:MAX_SIBLINGS]
    shipped = list(game.strategy_folder.glob("*.py"))  # what a file leaves out is taken from here
    digest = cache.digest_of([path, *siblings, *shipped], game.digest, game.name, path.stem)
    game.engine  # noqa: B018  the core is cached apart, so before the strategy that imports it
    with cache.cache_subfolder(digest):
        if not is_path:
            return importlib.import_module(f"{game.strategy_package}.{name}"), digest
        # a stable name, or the second run would not find its cache; the path's own, or two files' code could clash
        place = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:8]
        module_name = f"assay_strategy_{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}_{place}"
        spec = importlib.util.spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise AssayError(f"'{name}' is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        sys.path.insert(0, str(path.resolve().parent))
        try:
            spec.loader.exec_module(module)
        except Exception as fault:
            raise AssayError(f"strategy file '{name}' does not import: {_first_line(fault)}") from fault
        finally:
            sys.path.pop(0)
        return module, digest


def _hooks(
    game: Game, module: ModuleType, name: str, digest: str, is_path: bool
) -> tuple[dict[str, Callable], list[str]]:
    """Compile the decisions that a file answers."""
    from simcore import cache

    known = [decision.name for decision in game.decisions]
    own = [name for name in known if inspect.isfunction(getattr(module, name, None))]
    for other, value in vars(module).items():
        is_local = inspect.isfunction(value) and value.__module__ == module.__name__ and not hasattr(value, "is_kernel")
        if (
            is_local
            and not other.startswith("_")
            and other not in known
            and list(inspect.signature(value).parameters) == ["v", "r"]
        ):
            raise unknown(f"decision in strategy '{name}'", other, known)
    if is_path and not own:
        raise AssayError(f"strategy file '{name}' defines none of the decisions ({', '.join(known)})")
    compiled: dict[str, Callable] = {}
    with cache.cache_subfolder(digest):
        for decision in own:
            compiled[decision] = _compile(game, getattr(module, decision), name, decision, is_path)
    return compiled, own


def _compile(game: Game, function: Callable, name: str, decision: str, is_path: bool) -> Callable:
    from simcore import kernel

    if len(inspect.signature(function).parameters) != 2:
        raise AssayError(f"strategy '{name}': {decision} must take two arguments, the view v and the rules r")
    if not kernel.IS_JITTED:
        return function
    arguments = (kernel.record_type(game.engine.VIEW), kernel.record_type(game.rules.dtype))
    try:
        if is_path:  # a user's file: check the type it returns, and every index
            returned = kernel.return_type(function, arguments)
            if not kernel.is_integer(returned):
                raise AssayError(
                    f"strategy '{name}': {decision} returns {returned}, not a whole number; wrap it in int(...)"
                )
        options = {"boundscheck": True} if is_path else {}
        return kernel.compiled(function, kernel.types.int64(*arguments), **options)
    except AssayError:
        raise
    except Exception as fault:
        raise AssayError(f"strategy '{name}': {decision} does not compile: {_first_line(fault)}") from fault


def _first_line(fault: Exception) -> str:
    """What went wrong, in one line of bearable length; numba's messages run to pages."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(fault))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    skipped = ("Failed in nopython mode", "During:", "Use of unsupported")
    told = [line for line in lines if not line.startswith(skipped)] or lines or [""]
    where = next((line for line in lines if line.startswith("File ")), "")
    message = re.sub(r"Record\(.*", "the view", told[0])[:200]
    return f"{type(fault).__name__}: {message}" + (f" ({where.rstrip(':')})" if where else "")


def _weights(given: Any, name: str) -> tuple[Weight, ...]:
    try:
        weights = tuple(
            Weight(key, float(d), float(low), float(high), str(about)) for key, (d, low, high, about) in given.items()
        )
    except (AttributeError, TypeError, ValueError):
        raise AssayError(f"strategy '{name}': WEIGHTS must map a name to (default, low, high, about)") from None
    for weight in weights:
        if not weight.low <= weight.default <= weight.high:
            raise AssayError(f"strategy '{name}': the default of weight '{weight.name}' lies outside its bounds")
    if len(weights) > MAX_WEIGHTS:
        raise AssayError(f"strategy '{name}' has {len(weights)} weights; at most {MAX_WEIGHTS} fit")
    return weights


def _set_weights(name: str, weights: tuple[Weight, ...], settings: str) -> tuple[float, ...]:
    """The weights in force after `weight=value:weight=value`."""
    values = {weight.name: weight.default for weight in weights}
    for setting in filter(None, settings.split(":")):
        key, _, text = setting.partition("=")
        if key not in values:
            raise unknown(f"weight of strategy '{name}'", key, values)
        weight = next(w for w in weights if w.name == key)
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not weight.low <= value <= weight.high:
            raise AssayError(
                f"weight '{key}' of strategy '{name}' cannot be '{text}': {weight.low:g} to {weight.high:g}"
            )
        values[key] = value
    return tuple(values.values())


def _baseline_values(module: ModuleType, name: str, baseline: Strategy) -> tuple[float, ...]:
    """Weights of the functions a file takes from the baseline; its `BASELINE` may change some."""
    values = {weight.name: weight.default for weight in baseline.weights}
    for key, value in getattr(module, "BASELINE", {}).items():
        if key not in values:
            raise unknown(f"weight of the baseline in strategy '{name}'", key, values)
        values[key] = float(value)
    return tuple(values.values())
