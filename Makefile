# make check   lint and score the bundled submissions (the main job; needs Python 3.11, nothing else)
# make test    style, types and every test, the browser's included
# make lint    style and types only
# make bench   speed and memory, beside eslint + stylelint + html-validate and the browser
# make validity   static verdicts against expected and measured ones, over every fixture and mutant; hours the first time
# make variants   make the submissions under fixtures/ that derive from the reference
# make lock    renew constraints.txt within the ranges of pyproject.toml
# make clean   remove everything that the above made

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := check
.PHONY: check test lint bench validity variants lock clean browser

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
FIXTURES := $(patsubst %/index.html,%,$(sort $(wildcard fixtures/*/index.html)))
SOURCES := husky_lint rules tests bench validity scripts
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt

# The exit status says what the submissions are worth (1: something at error level), and fixtures/broken is
# bad on purpose: 1 is right there. fixtures/reference has to come out without an error.
check: $(VENV)/.runtime
	@echo "check     husky-lint check $(FIXTURES)"
	@status=0; $(BIN)/husky-lint check $(FIXTURES) || status=$$?; test $$status -le 1
	@$(BIN)/husky-lint check fixtures/reference --format concise

test: lint browser
	@echo "pytest"
	@$(BIN)/python -m pytest -n auto

lint: $(VENV)/.dev
	@echo "ruff      check, format"
	@$(BIN)/ruff check --quiet $(SOURCES)
	@$(BIN)/ruff format --quiet --check $(SOURCES)
	@echo "mypy      --strict"
	@$(BIN)/mypy $(SOURCES)

# MINUTES=20 bounds the time in the browser; what was judged or measured before is read from build/validity.
validity: $(VENV)/.dev browser
	@$(BIN)/python -m validity --write --minutes $${MINUTES:-240}

bench: $(VENV)/.dev bench/node_modules/.installed
	@$(BIN)/python -m bench

variants: $(VENV)/.dev
	@$(BIN)/python -m scripts.make_variants

# Chromium judges the evaluator, node judges the reading of scripts. Without them those tests are skipped,
# or fail where CI is set.
browser:
	@test -n "$${HUSKY_LINT_CHROMIUM:-}" || command -v chromium chromium-browser google-chrome >/dev/null || .ci/apt chromium || true
	@command -v node >/dev/null || .ci/apt nodejs || true

$(BIN)/python:
	@echo "venv      $(VENV)"
	@command -v $(PYTHON) >/dev/null || .ci/apt python3
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("husky-lint needs Python 3.11 or newer; set PYTHON=…")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || .ci/apt python3-venv
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: pyproject.toml constraints.txt | $(BIN)/python
	@echo "install   husky-lint"
	@$(PIP) --editable . >$(VENV)/install.log 2>&1 || { cat $(VENV)/install.log >&2; exit 1; }
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "install   husky-lint[dev]"
	@$(PIP) --editable '.[dev]' >$(VENV)/install.log 2>&1 || { cat $(VENV)/install.log >&2; exit 1; }
	@touch $@

bench/node_modules/.installed: bench/package.json bench/package-lock.json
	@command -v npm >/dev/null || .ci/apt nodejs npm || true
	@if command -v npm >/dev/null; then \
	  echo "npm       eslint stylelint html-validate"; \
	  npm --prefix bench ci --silent --no-audit --no-fund && touch $@; \
	else echo "no npm: the bench leaves out the three linters"; fi

lock:
	@rm -rf build/lock && $(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip install --disable-pip-version-check --quiet --editable '.[dev]' wheel
	@{ head -n 1 constraints.txt; build/lock/bin/python -m pip freeze --all --exclude-editable | grep -v '^pip=='; } >build/constraints.txt
	@mv build/constraints.txt constraints.txt && rm -rf build/lock

clean:
	@rm -rf $(VENV) build dist *.egg-info bench/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
