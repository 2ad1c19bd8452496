"""Options and fixtures that all tests share."""

from __future__ import annotations

import pytest

import tests.toy  # noqa: F401  makes the toy game known to all tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run what takes minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests unless asked for."""
    if config.getoption("--slow"):
        return
    kept = [item for item in items if "slow" not in item.keywords]
    config.hook.pytest_deselected(items=[item for item in items if "slow" in item.keywords])
    items[:] = kept
