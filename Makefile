# Everything runs in an environment of its own, made on first use and again when setup.py changes.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: serve test sample lint bench dist clean

serve: $(VENV)/.installed
	$(BIN)/svc serve

test: $(VENV)/.tested
	$(BIN)/python tests/recordings.py
	$(BIN)/pytest

sample: $(VENV)/.installed
	$(BIN)/python tests/recordings.py two_cities.wav

lint: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.tested
	$(BIN)/python bench/run.py

dist: $(VENV)/.tested
	rm -rf build dist
	$(BIN)/pip wheel --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist *.egg-info

$(VENV)/.installed: setup.py pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable ".[test]"
	touch $@
