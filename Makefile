# Every target sets up what it needs by itself, once: an environment in .venv with the versions in constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
CLIENTS := $(VENV)/clients
RLLIB := $(VENV)/rllib
APT := -qq -y -o Acquire::Retries=1 -o Acquire::http::Timeout=20
export DEBIAN_FRONTEND = noninteractive
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test test-clients dist test-dist tools smoke page docs lint bench examples format clean

demo: $(READY) page
	$(BIN)/b3 demo

# Python's tests drive the page in Chromium; the page has unit tests of its own.
test: $(READY) tools page
	@$(BIN)/python web/build.py test
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadgroup

# The examples, with the libraries that the other tests do without; these have an environment of their own, and RLlib one
# with the older Gymnasium that it asks for, on which the environments are tested too.
test-clients: $(CLIENTS)/ready $(RLLIB)/ready
	$(CLIENTS)/bin/python -m pytest tests/test_examples.py tests/envs/test_stable_baselines.py tests/envs/test_torchrl.py
	$(RLLIB)/bin/python -m pytest 'tests/test_examples.py::test_an_example_runs[rllib_masks]' tests/envs

# LeoCAD judges exported models and Chromium shows the page. Each is fetched where it is missing and may be; elsewhere
# the tests go on without it.
tools:
	@have() { command -v $$1 >/dev/null; }; updated=; \
	get() { \
		[ "$$(id -u)" = 0 ] && have apt-get || return 1; \
		[ -n "$$updated" ] || apt-get $(APT) update; updated=1; \
		apt-get $(APT) install "$$@"; \
	}; \
	judge() { have leocad && have xvfb-run; }; browser() { have chromium || have chromium-browser; }; \
	judge || { get leocad xvfb xauth >/dev/null 2>&1 && judge; } || \
	echo "LeoCAD is not installed, so its tests are skipped; to install it: sudo apt-get install leocad xvfb"; \
	browser || { get chromium >/dev/null 2>&1 && browser; } || \
	echo "Chromium is not installed, so the page's tests are skipped; to install it: sudo apt-get install chromium"

# The whole chain of the reproduction at a tiny scale: jobs, figures, galleries, report.
smoke: $(READY)
	rm -rf out/smoke
	$(BIN)/b3 reproduce --preset smoke

# The studio's page and the replay page, from web/ into the package, unless they are there and newer than their source.
page: $(READY)
	@$(BIN)/python web/build.py

# The docs as a site, with search; `.venv/bin/mkdocs serve` shows it. MkDocs 2 would not read mkdocs.yml, so the pinned one
# need not warn of it.
docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the docs: out/site"

# The wheel and the source archive, with the page inside and the version in their names.
dist: $(READY) page
	rm -rf dist
	$(BIN)/python -m hatchling build

# A newcomer with the wheel alone, in an environment of its own, who types the lines of docs/quickstart.md.
test-dist: dist
	B3_WHEELS=dist $(BIN)/python -m pytest tests/test_quickstart.py

lint: $(READY)
	$(BIN)/ruff check src tests examples web docs docs_build.py hatch_build.py
	$(BIN)/ruff format --check src tests examples web docs docs_build.py hatch_build.py
	$(BIN)/mypy
	@$(BIN)/python web/build.py lint

bench: $(READY)
	$(BIN)/b3 bench env
	$(BIN)/b3 bench validity

# The fixed examples, which the tests draw, in colour: the table of docs/building.md and the README's picture.
examples: $(READY)
	@$(BIN)/python tests/targets/examples.py out/examples
	$(BIN)/b3 bench colour out/examples --picture docs/examples.png

format: $(READY)
	$(BIN)/ruff check --fix src tests examples web docs docs_build.py hatch_build.py
	$(BIN)/ruff format src tests examples web docs docs_build.py hatch_build.py

# PyTorch first and by itself: its pinned release is the one that was tested. Compiling comes last, so that the first
# b3 build need not.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with: make PYTHON=python3.11") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --editable '.[docs,kit,learn,mcp,meshes,report,runs,search,studio,dev]'
	@echo "compiling what b3 build needs, once: up to a minute"
	@$(BIN)/python -m brickbybrick.commands.prepare
	@touch $@

$(CLIENTS)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(CLIENTS)
	$(CLIENTS)/bin/pip install --quiet --constraint constraints.txt torch
	PIP_CONSTRAINT=constraints.txt $(CLIENTS)/bin/pip install --quiet --editable '.[learn,sb3,torchrl]' \
		pytest pytest-xdist torch-geometric
	@touch $@

# RLlib names the one release of Gymnasium that it goes with, so that ours must not be asked for.
$(RLLIB)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(RLLIB)
	grep -v '^gymnasium==' constraints.txt > $(RLLIB)/constraints.txt
	$(RLLIB)/bin/pip install --quiet --constraint $(RLLIB)/constraints.txt torch
	PIP_CONSTRAINT=$(RLLIB)/constraints.txt $(RLLIB)/bin/pip install --quiet --editable . \
		hypothesis pytest pytest-xdist 'ray[rllib]'
	@touch $@

clean:
	rm -rf $(VENV) out build dist web/node_modules src/brickbybrick/studio/page
