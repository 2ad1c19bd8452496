# `make report` and `make test` need Python 3.11 to 3.13 and nothing else: each makes its own environment when there is none.
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3 python,$(if $(shell $(name) -c "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))" >/dev/null 2>&1 && echo ok),$(name))))
VENV ?= .venv
BIN = $(VENV)/bin
GAME ?= ostia

.PHONY: report test test-slow test-plain lint bench clean

report: $(VENV)/ready
	$(BIN)/assay report $(GAME) --out report/$(GAME)

test: $(VENV)/ready-dev
	$(BIN)/python -m pytest

test-slow: $(VENV)/ready-dev
	$(BIN)/python -m pytest --slow

# the engine as plain Python, with coverage; and with every index checked, from a fresh cache
test-plain: $(VENV)/ready-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest tests/test_ostia_rules.py tests/test_chance.py tests/test_conformance.py
	$(BIN)/python -m coverage report --include='simcore/*'
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest tests/test_conformance.py

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/ready
	$(BIN)/python benchmarks/speed.py

clean:
	rm -rf $(VENV) report build dist

$(VENV)/python:
	@test -n "$(PYTHON)" || { echo "Assay needs Python 3.11, 3.12 or 3.13 (name one with PYTHON=...)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/ready: $(VENV)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
