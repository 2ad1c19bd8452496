"""The errors a user can cause, each told in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class AssayError(Exception):
    """Bad input: one line that names the thing and what is allowed. The command line exits with 2."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.splitlines()))  # what a user wrote may hold line breaks


class StoreError(AssayError):
    """A results folder cannot be used."""


class IllegalAnswerError(AssayError):
    """A strategy answered a decision with something the rules do not allow, or crashed while answering.

    `state` is the STATE record at that moment, `document` the transcript so far where one was asked for.
    """

    state: Any = None
    document: dict[str, Any] | None = None


def unknown(kind: str, name: object, known: Iterable[str]) -> AssayError:
    """An error for a name that is not one of `known`, with the nearest one."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return AssayError(f"unknown {kind} '{name}'{hint} (known: {', '.join(known)})")
