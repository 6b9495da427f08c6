# make run   the main job: a board is played in the terminal
# make test  every check: format, lint, types, import contract, all tests
# Both set up .venv themselves; nothing is installed again while its inputs are unchanged.

PYTHON ?= python3
CXX ?= c++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NATIVE := $(wildcard src/mineproof/_native/*.pyx src/mineproof/_native/*.pxd src/mineproof/_native/*.hpp)
INPUTS := pyproject.toml setup.py constraints.txt $(NATIVE)
RUN ?= watch --agent best --level expert --first-click opening --seed 163

.PHONY: run test lint types unit debug-test bench bench-against fuzz sanitize clean set-up

run: $(VENV)/.core
	@$(BIN)/mineproof $(RUN)

test: lint types unit debug-test

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev
	$(BIN)/pytest -n auto

# The same compiled code with bounds checks and assertions, under the tests that drive it hardest.
debug-test: $(VENV)/.debug
	PYTHONPATH=$(VENV)/debug MINEPROOF_EXPECT_DEBUG=1 $(BIN)/pytest -n auto --ignore-glob='*logic*' \
		--ignore-glob='*experiments*' --ignore-glob='*records*' --ignore-glob='*outside*' --ignore-glob='*recorded*' \
		tests/unit tests/property tests/agreement tests/golden

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/board.py
	$(BIN)/python benchmarks/odds.py
	$(BIN)/python benchmarks/logic.py
	$(BIN)/python benchmarks/stopping.py
	$(BIN)/python benchmarks/agents.py
	$(BIN)/python benchmarks/arena.py
	$(BIN)/python benchmarks/generate.py
	$(BIN)/python benchmarks/explain.py

# The same work, by this version and by another commit in turns: make bench-against COMMIT=v0.1.0
bench-against: $(VENV)/.bench
	@$(BIN)/python benchmarks/commits.py $(COMMIT)

fuzz: $(VENV)/.core
	$(BIN)/python benchmarks/fuzz.py

# The compiled code under AddressSanitizer and UndefinedBehaviorSanitizer. The library of the first must be there before Python
# is, and the C++ library with it, whose exceptions it watches; Python's own memory comes from malloc, so that it is watched
# too; what Python keeps to its end is no leak.
POSITIONS ?= 300000
SEED ?= 1
ASAN = $(shell $(CXX) -print-file-name=libasan.so)
SANITIZED = LD_PRELOAD="$(ASAN) $(shell $(CXX) -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:strict_string_checks=1 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$(VENV)/sanitize

sanitize: $(VENV)/.sanitize
	@$(SANITIZED) $(BIN)/python tests/sanitize/self_check.py
	@$(SANITIZED) $(BIN)/python benchmarks/fuzz.py $(POSITIONS) $(SEED)

set-up: $(VENV)/.dev

$(VENV)/.base: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "mineproof needs Python 3.11 or later; name one with PYTHON=…" >&2; exit 1; }
	@command -v $(CXX) >/dev/null || { echo "mineproof has a compiled core: install a C++ compiler first (Debian: apt-get install g++)." >&2; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' || { echo "mineproof has a compiled core: install Python's headers first (Debian: apt-get install python3-dev)." >&2; exit 1; }
	@echo "setting up $(VENV) (a minute, once)"
	@$(PYTHON) -m venv $(VENV) || { echo "this Python cannot make virtual environments (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@$(PIP) install -c constraints.txt setuptools Cython
	@touch $@

$(VENV)/.core: $(VENV)/.base $(INPUTS)
	@$(PIP) install -c constraints.txt --no-build-isolation -e .
	@touch $@

# An extra, without building the package again.
$(VENV)/.dev $(VENV)/.bench: $(VENV)/.logic $(VENV)/.arena
$(VENV)/.dev: $(VENV)/.cluster $(VENV)/.replays
$(VENV)/.dev $(VENV)/.bench $(VENV)/.logic $(VENV)/.arena $(VENV)/.cluster $(VENV)/.replays: $(VENV)/.%: $(VENV)/.core
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$*"], sep="\n")' > $(VENV)/$*.txt
	@$(PIP) install -c constraints.txt -r $(VENV)/$*.txt
	@touch $@

$(VENV)/.debug: $(VENV)/.dev $(wildcard src/mineproof/*.py src/mineproof/*/*.py src/mineproof/*/*/*.py)
	@rm -rf $(VENV)/debug
	@MINEPROOF_DEBUG=1 $(PIP) install -c constraints.txt --no-build-isolation --no-deps --target $(VENV)/debug .
	@touch $@

$(VENV)/.sanitize: $(VENV)/.core $(wildcard tests/sanitize/*.pyx src/mineproof/*.py src/mineproof/*/*.py)
	@case "$(ASAN)" in /*) ;; *) echo "$(CXX) has no AddressSanitizer: name a GCC that has, with CXX=…" >&2; exit 1;; esac
	@rm -rf $(VENV)/sanitize
	@MINEPROOF_SANITIZE=1 $(PIP) install -c constraints.txt --no-build-isolation --no-deps --target $(VENV)/sanitize .
	@touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/mineproof/_native/*.so .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
