# Tasks of the project; `make help` lists them.  Everything is installed into .venv, nothing else is touched.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
FOLDERS := lawspeaker model properties scenarios solver conformance reports tests

# A PYTHONPATH of the caller must not decide what is imported here.
unexport PYTHONPATH
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help verify test lint types layers protocol deep bench peers clients clean

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

verify: $(STAMP) ## verify every game there is and write reports/out/index.html
	$(BIN)/lawspeaker verify

test: lint types layers $(STAMP) ## lint, types, layers and all quick tests
	$(BIN)/pytest -n 2

lint: $(STAMP) ## style and the common mistakes (ruff)
	$(BIN)/ruff check $(FOLDERS)

types: $(STAMP) ## types, strictly (mypy)
	$(BIN)/mypy

layers: $(STAMP) ## who may import whom (import-linter)
	$(BIN)/lint-imports

protocol: $(STAMP) ## write the JSON Schemas of protocol and reports, and the golden transcripts, anew
	$(BIN)/python -m lawspeaker.conformance.golden
	$(BIN)/python -m lawspeaker.reports.schema

deep: $(STAMP) ## long searches, all cores; for the night
	LAWSPEAKER_PROFILE=deep $(BIN)/pytest -n auto --ignore=tests/benchmarks

bench: $(STAMP) ## measure speed; `make peers` first to measure other libraries beside it
	LAWSPEAKER_PROFILE=deep $(BIN)/pytest tests/benchmarks --benchmark-enable --benchmark-sort=name -q -s

peers: $(STAMP) ## install the libraries that benchmarks compare with
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[test,peers]'

clients: ## install what the examples in JavaScript need, into their own folders; needs Node.js
	cd conformance/examples/fjords-boardgameio && npm ci
	cd conformance/examples/chess/chessjs && npm ci

clean: ## remove .venv, reports/out and caches
	rm -rf $(VENV) reports/out build dist *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	find $(FOLDERS) -name __pycache__ -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is missing or older than Python 3.11; install one, or name it: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: Python's venv module is missing; on Debian: apt-get install python3-venv" \
	    "(for $(PYTHON): $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'))" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt setuptools
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[test]'
	@touch $@
