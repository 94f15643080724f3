# `make demo` and `make test` do everything, from set-up to result. PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
VENV ?= .venv
# Tests start hundreds of processes; without kept bytecode each would compile everything anew.
export PYTHONDONTWRITEBYTECODE :=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# The distribution was once called pcl; left in an old environment, it would offer everything a second time.
INSTALL = $(PIP) --quiet uninstall --yes pcl && PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(PIP) install

.PHONY: release-check demo test lint docs check-python campaign bench schema clean

demo: $(VENV)/.installed-demo
	@$(BIN)/pcl demo

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src tests examples benchmarks tools
	$(BIN)/lint-imports
	$(BIN)/pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.evaluation
	$(BIN)/python -m benchmarks.inference
	$(BIN)/python -m benchmarks.shapes
	$(BIN)/python -m benchmarks.elicitation
	$(BIN)/python -m benchmarks.experiments
	$(BIN)/python -m benchmarks.startup

# The documentation as a site that needs no network; it opens from the disk.
docs: $(VENV)/.installed-dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	@echo "open site/index.html in a browser"

# The release checklist: each point with what is still to do. It builds, and installs into a new environment.
release-check: $(VENV)/.installed-dev
	$(BIN)/python -m tools.release

# The committed JSON Schemas, the list of error codes, and the rooms and walks of the page on architecture; tests check that
# they are current.
schema: $(VENV)/.installed-dev
	$(BIN)/python -m docs.generate

# Long campaigns, beyond what `make test` runs: fuzzing the loader, all backends on 2,000 random problems with numbers
# of all sizes; the end shows how many each refused.
campaign: $(VENV)/.installed-dev
	PCL_CAMPAIGN=1 $(BIN)/pytest tests/core/authoring/test_fuzz.py tests/backends/test_campaign.py \
	  tests/core/analysis/test_certificate_campaign.py

# A stamp file makes the second run start at once; it is renewed when the requirements change.
$(VENV)/.installed-demo: pyproject.toml constraints.txt | check-python
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[cpsat,plot,experiments,studio]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | check-python
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.installed-demo

check-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pcl needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3.11 demo"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "this Python has no venv module; on Debian and Ubuntu: apt install python3-venv"; exit 1; }

clean:
	rm -rf $(VENV) site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
