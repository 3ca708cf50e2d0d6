# Every target sets up what it needs by itself, once: an environment in .venv with the versions in constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test lint bench format clean

demo: $(READY)
	$(BIN)/b3 demo

test: $(READY)
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/b3 bench env
	$(BIN)/b3 bench validity

format: $(READY)
	$(BIN)/ruff check --fix src tests
	$(BIN)/ruff format src tests

# PyTorch first and by itself: its pinned release is the one that was tested.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with: make PYTHON=python3.11") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --editable '.[kit,learn,meshes,dev]'
	@touch $@

clean:
	rm -rf $(VENV) out build dist
