"""Rules as data: read from a game's component file, changed by `name=value` or a TOML file, handed on as a record."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from simcore.errors import AssayError, unknown
from simcore.records import record

PROVENANCES = ("printed", "photographed", "inferred", "reconstructed", "experiment")
ASSIGNMENT = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:\[([^\]]*)\])?\s*=\s*(.*?)\s*", re.DOTALL)
MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True)
class Rule:
    """One number or table of a game that a designer may change.

    Attributes
    ----------
    default : int32 array, shape () or one length per axis
    axes : names of the axes, each with labels in the rule book
    provenance : str array of the same shape
    """

    name: str
    about: str
    default: np.ndarray
    unit: str
    low: int
    high: int
    axes: tuple[str, ...]
    provenance: np.ndarray

    @property
    def is_switch(self) -> bool:
        return self.unit == "switch"

    @property
    def allowed(self) -> str:
        """What a value may be, in words."""
        return "0 or 1" if self.is_switch else f"a whole number from {self.low} to {self.high}"

    @property
    def provenances(self) -> str:
        """The words of provenance that occur, the surest first."""
        return ", ".join(word for word in PROVENANCES if word in self.provenance.ravel().tolist())


@dataclass(frozen=True)
class RuleBook:
    """All rules of a game, as its component file states them."""

    game: str
    title: str
    labels: Mapping[str, tuple[str, ...]]
    rules: Mapping[str, Rule]
    extra_fields: tuple[tuple, ...] = ()

    @classmethod
    def load(cls, game: str, path: Path, extra_fields: Iterable[tuple] = ()) -> RuleBook:
        """Read a component file; `extra_fields` are derived fields that the game adds to the record."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        labels = {name: tuple(values) for name, values in data["labels"].items()}
        rules = {name: _read_rule(name, entry, labels) for name, entry in data["rules"].items()}
        return cls(game, data["title"], labels, rules, tuple(extra_fields))

    @cached_property
    def dtype(self) -> np.dtype:
        """The RULES record: every rule as int32, then the game's derived fields."""
        fields = [
            (rule.name, "i4", rule.default.shape) if rule.axes else (rule.name, "i4") for rule in self.rules.values()
        ]
        return record([*fields, *self.extra_fields])

    def defaults(self) -> RuleSet:
        """The rules as shipped."""
        return RuleSet(self, {name: rule.default for name, rule in self.rules.items()})

    def parse(self, assignments: Iterable[str] = (), file: str | Path | None = None) -> RuleSet:
        """The shipped rules with a file's changes, then the assignments' in order.

        Parameters
        ----------
        assignments : `name=value` strings; a value is a whole number or comma-separated ones; `name[label]=value`
            changes one entry of a table, labels or positions from 1
        file : a TOML file of `name = value` lines

        Raises
        ------
        AssayError
            For an unknown name, a wrong shape or an impossible value, naming the rule and what it allows.
        """
        chosen = self.defaults()
        if file is not None:
            for name, value in read_toml(file).items():
                chosen = chosen.replaced(name, value, where=f" in {file}")
        for text in assignments:
            chosen = self._assign(chosen, text)
        return chosen

    def _assign(self, chosen: RuleSet, text: str) -> RuleSet:
        match = ASSIGNMENT.fullmatch(text)
        if match is None:
            raise AssayError(f"cannot read '{text}': write name=value, for example {next(iter(self.rules))}=50")
        name, index, value = match.groups()
        rule = self.rule(name)
        new = _numbers(rule, value)
        if index is None:
            return chosen.replaced(name, new)
        cells = np.array(chosen.values[name], dtype=object)
        position = tuple(_position(rule, self.labels, axis, part) for axis, part in _axis_parts(rule, index))
        target = cells[position]
        if np.shape(target) and np.shape(new) != np.shape(target):
            raise AssayError(f"rule '{name}[{index}]' takes {np.size(target)} values, got {np.size(new)}")
        if not np.shape(target) and np.shape(new):
            raise AssayError(f"rule '{name}[{index}]' takes one value, got {np.size(new)}")
        cells[position] = new
        return chosen.replaced(name, cells.tolist())

    def rule(self, name: str) -> Rule:
        """The rule of that name."""
        if name not in self.rules:
            raise unknown(f"rule of {self.game}", name, self.rules)
        return self.rules[name]

    def cells(self, rule: Rule) -> list[tuple[str, ...]]:
        """Labels of a rule's cells, in order."""
        return list(product(*(self.labels[axis] for axis in rule.axes)))


@dataclass(frozen=True)
class RuleSet:
    """One value for every rule of a game."""

    book: RuleBook
    values: Mapping[str, np.ndarray] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        value = self.values[self.book.rule(name).name]
        return int(value) if value.shape == () else value

    def replaced(self, name: str, value: Any, where: str = "") -> RuleSet:
        """The same rules with one changed; a single number fills a rule that is given per seat."""
        rule = self.book.rule(name)
        return RuleSet(self.book, {**self.values, name: _checked(rule, value, where)})

    def changes(self) -> dict[str, Any]:
        """The rules that differ from the shipped ones, as plain values."""
        rules = self.book.rules
        return {n: v.tolist() for n, v in self.values.items() if not np.array_equal(v, rules[n].default)}

    def as_dict(self) -> dict[str, Any]:
        """Every rule as plain numbers and lists."""
        return {name: value.tolist() for name, value in self.values.items()}

    def fill(self) -> np.ndarray:
        """The RULES record, shape (1,); derived fields are zero."""
        filled = np.zeros(1, self.book.dtype)
        for name, value in self.values.items():
            filled[name][0] = value
        return filled

    def key(self) -> str:
        """The rules as one canonical line, for comparing and digesting."""
        return json.dumps(self.as_dict(), sort_keys=True)


def read_toml(file: str | Path) -> dict[str, Any]:
    """A TOML file as a dict, with one clear line for whatever is wrong with it."""
    path = Path(file)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise AssayError(f"'{file}' is larger than {MAX_FILE_BYTES} bytes; this is not a file of rules or a study")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise AssayError(f"cannot read '{file}': {fault.strerror or fault}") from None
    except (ValueError, RecursionError) as fault:  # also a number of more digits than Python reads
        raise AssayError(f"'{file}' is not valid TOML: {str(fault).splitlines()[0]}") from None


def _read_rule(name: str, entry: Mapping[str, Any], labels: Mapping[str, tuple[str, ...]]) -> Rule:
    axes = tuple(entry.get("per", ()))
    shape = tuple(len(labels[axis]) for axis in axes)
    default = np.broadcast_to(np.array(entry["default"], dtype=np.int32), shape).copy()
    provenance = np.broadcast_to(np.array(entry["provenance"]), shape).copy()
    if not set(provenance.ravel().tolist()) <= set(PROVENANCES):
        raise ValueError(f"rule {name}: provenance must be one of {PROVENANCES}")
    if default.min() < entry["low"] or default.max() > entry["high"]:
        raise ValueError(f"rule {name}: the default lies outside its bounds")
    return Rule(name, entry["about"], default, entry["unit"], entry["low"], entry["high"], axes, provenance)


def _numbers(rule: Rule, text: str) -> Any:
    """`8` or `8,9,10` or `true` as numbers; anything else stays text for the one error there is."""
    words = {"true": 1, "on": 1, "yes": 1, "false": 0, "off": 0, "no": 0} if rule.is_switch else {}
    if text.lower() in words:
        return words[text.lower()]
    parts = [part.strip() for part in text.strip().strip("[]").split(",")]
    numbers = [int(part) if re.fullmatch(r"[+-]?\d{1,18}", part) else part for part in parts]
    return numbers[0] if len(numbers) == 1 else numbers


def _checked(rule: Rule, value: Any, where: str) -> np.ndarray:
    """`value` as the rule's array, or one line that says what the rule allows."""
    shape = rule.default.shape
    cells = np.array(_plain(value), dtype=object)
    if cells.shape == () and rule.axes and rule.axes[0] in ("seat", "seats"):
        cells = np.broadcast_to(cells, shape)
    if cells.ndim == 1 and len(shape) == 2 and cells.size == shape[0] * shape[1]:
        cells = cells.reshape(shape)
    if rule.axes == ("seat",) and cells.ndim == 1 and 2 <= cells.size < shape[0]:
        cells = np.concatenate([cells, np.full(shape[0] - cells.size, cells[-1], dtype=object)])
    if cells.shape != shape:
        want = " x ".join(f"{n} ({axis})" for n, axis in zip(shape, rule.axes, strict=True)) or "one value"
        raise AssayError(f"rule '{rule.name}'{where} has the wrong shape {cells.shape}: it takes {want}")
    for cell in cells.ravel().tolist():
        is_whole = isinstance(cell, int) and (not isinstance(cell, bool) or rule.is_switch)
        if not is_whole or not rule.low <= cell <= rule.high:
            raise AssayError(f"rule '{rule.name}'{where} cannot be {cell}: it allows {rule.allowed} ({rule.unit})")
    return cells.astype(np.int32)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list) and len({len(v) if isinstance(v, list) else -1 for v in value}) > 1:
        return ["ragged"]  # no rule has this shape
    return value


def _axis_parts(rule: Rule, index: str) -> list[tuple[str, str]]:
    parts = [part.strip() for part in index.split(",")]
    if len(parts) > len(rule.axes):
        what = f"takes at most {len(rule.axes)} labels" if rule.axes else "is a single number without labels"
        raise AssayError(f"rule '{rule.name}' {what}, got '[{index}]'")
    return list(zip(rule.axes, parts, strict=False))


def _position(rule: Rule, labels: Mapping[str, tuple[str, ...]], axis: str, part: str) -> int:
    names = labels[axis]
    if part in names:
        return names.index(part)
    if part.isdecimal() and len(part) < 10 and 1 <= int(part) <= len(names):
        return int(part) - 1
    raise unknown(f"{axis} of rule '{rule.name}'", part, names)
