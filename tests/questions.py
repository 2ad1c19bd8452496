"""What every deeper question must keep to, whatever it asks: told as text, as a page, as data; the same bits again."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from analyses.frames import plain
from analyses.inputs import Work
from reports import figures as draw
from reports.tables import View
from reports.terminal import WIDTH
from simcore.errors import AssayError
from simcore.game import Game


def view_of(result: Any, game: Game) -> View:
    """A view of the frames of one question alone."""
    view = object.__new__(View)
    view.frames, view.game = result.frames, game
    return view


def assert_told(result: Any, module: ModuleType, game: Game, *, has_wide_lines: bool = False) -> str:
    """Words that fit a terminal, a page whose numbers are the frames', figures that draw, JSON; returns the words."""
    text: str = module.words(result)
    if not has_wide_lines:
        too_wide = [line for line in text.splitlines()[1:] if len(line) > WIDTH]
        assert not [line for line in too_wide if "  " in line]  # of tables; sentences break where the terminal does
    view = view_of(result, game)
    told = list(module.questions(view, result))
    assert {verdict.question for verdict in module.verdicts(view, result)} <= {question.id for question in told}
    for question in told:
        assert question.answer
        assert all("nan" not in line.split() for line in (*question.answer, *question.sure))
        assert set(question.files) <= set(result.frames)
        for table in question.tables:
            rows = result.frames[table.source]
            cells = [cell for line in table.rows for cell in line if cell.row is not None and cell.value]
            assert all(float(rows.loc[cell.row, cell.column]) == float(cell.value) for cell in cells)
        if question.picture is not None:
            assert draw.svg(draw.draw(question.picture.panels, question.picture.columns, question.picture.key))
    json.dumps(plain(result.as_dict()), allow_nan=False)
    return text


def assert_same_bits(ask: Callable[[Work], Any]) -> Any:
    """The same result again and with other jobs; progress never falls and ends with all games; returns the result."""
    told: list[tuple[int, int]] = []
    first = ask(Work(1, progress=lambda *n: told.append(n)))
    for work in (Work(1), Work(2), Work(3)):
        assert repr(ask(work).as_dict()) == repr(first.as_dict())
    assert told == sorted(told)
    assert told[-1] == (first.games, first.games)
    return first


def assert_refused(ask: Callable[..., Any], said: str, **given: Any) -> None:
    """One line that says this."""
    with pytest.raises(AssayError, match=said) as fault:
        ask(**given)
    assert "\n" not in str(fault.value)
