# make run   the main job: a board is played in the terminal
# make web   the web app, in a browser
# make test  every check: format, lint, types, import contract, all tests
# make soak  every answer about random positions, against brute force, until Ctrl-C
# make docs  the documentation site, in build/site
# Each sets up .venv itself; nothing is installed again while its inputs are unchanged.

PYTHON ?= python3
CXX ?= c++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Three processes for two cores, because many tests wait for something. Tests of one file stay in one of them, which then has
# its fixtures once; whoever is done takes over half of the rest.
PYTEST = $(BIN)/pytest -n $(shell $(PYTHON) -c 'import os; print(os.cpu_count() * 3 // 2)') --dist worksteal
NATIVE := $(wildcard src/mineproof/_native/*.pyx src/mineproof/_native/*.pxd src/mineproof/_native/*.hpp)
INPUTS := pyproject.toml setup.py constraints.txt $(NATIVE)
RUN ?= watch --agent best --level expert --first-click opening --seed 163

.PHONY: run web test lint lint-page types types-here types-win32 types-darwin headers unit debug-test bench bench-against fuzz soak sanitize clean set-up postgres browser shells puzzles docs man dist

run: $(VENV)/.core $(VENV)/.tui
	@$(BIN)/mineproof $(RUN)

web: $(VENV)/.web $(VENV)/.logic $(VENV)/.replays
	@$(BIN)/mineproof web $(WEB)

test: lint types unit debug-test

lint: $(VENV)/.dev lint-page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	@! test -x $(BIN)/hadolint || $(BIN)/hadolint Dockerfile

# The page's JavaScript. Node is a wheel of the dev extra, so that it is the same everywhere and needs no rights.
PAGE := tools/page
lint-page: $(PAGE)/node_modules/.package-lock.json
	$(BIN)/node $(PAGE)/node_modules/eslint/bin/eslint.js --config $(PAGE)/eslint.config.js src $(PAGE)
	$(BIN)/node $(PAGE)/node_modules/typescript/bin/tsc --project $(PAGE)
	$(BIN)/node $(PAGE)/node_modules/typescript/bin/tsc --project $(PAGE)/tsconfig.worker.json

$(PAGE)/node_modules/.package-lock.json: $(PAGE)/package-lock.json | $(VENV)/.dev
	@$(BIN)/npm ci --prefix $(PAGE) --ignore-scripts --no-audit --no-fund --silent --fetch-retries=1 || { echo "ESLint and TypeScript, which check the page, cannot be installed from the npm registry; try: $(BIN)/npm ci --prefix $(PAGE)" >&2; exit 1; }
	@touch $@

# For this system, and for the others, two at a time.
types: $(VENV)/.dev
	@$(MAKE) --no-print-directory -j2 --output-sync types-here types-win32 types-darwin

types-here:
	$(BIN)/mypy

types-win32 types-darwin: types-%:
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* src

# The C++ headers, as the compilers and libraries of other systems read them (Debian: apt-get install clang libc++-dev
# g++-mingw-w64-x86-64); Windows' own header comes first, for its macros.
headers:
	@for compiler in "clang++ -stdlib=libc++" "x86_64-w64-mingw32-g++ -include windows.h"; do \
		for way in "" -DMINEPROOF_PORTABLE; do echo "$$compiler $$way"; \
			printf '#include "%s"\n' $(sort $(notdir $(wildcard src/mineproof/_native/*.hpp))) | $$compiler $$way \
				-std=c++17 -Wall -Wextra -Werror -fsyntax-only -Isrc/mineproof/_native -x c++ - || exit 1; done; done

unit: $(VENV)/.dev $(VENV)/.wheels postgres browser shells puzzles
	$(PYTEST)

# What the tests need beside Python, from Debian's packages where it is missing: $(call debian,is it there?,packages,in words)
debian = { $(1); } >/dev/null 2>&1 || apt-get install -y -qq $(2) >/dev/null 2>&1 \
	|| { apt-get update -qq && apt-get install -y -qq $(2); } >/dev/null \
	|| { echo "the tests need $(3) (Debian: apt-get install $(2))" >&2; exit 1; }

# The web app's tests serve games from a real PostgreSQL, too.
postgres:
	@$(call debian,ls /usr/lib/postgresql/*/bin/initdb || command -v initdb,postgresql,PostgreSQL)

# The page is driven in a real browser.
browser:
	@$(call debian,command -v chromium || command -v chromium-browser,chromium,a browser)

# Tab is pressed in real shells, and the manual page is read.
shells:
	@$(call debian,command -v zsh && command -v fish && command -v man,zsh fish man-db,two shells and man)

# Ids of boards are exchanged with Simon Tatham's Mines.
puzzles:
	@$(call debian,ls /usr/games/sgt-mines || command -v sgt-mines,sgt-puzzles,Simon Tatham's puzzles)

docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html (its search needs a server: $(BIN)/python -m http.server --bind 127.0.0.1 -d build/site)"

# The manual page, again from the help.
man: $(VENV)/.core
	@$(BIN)/python tools/manual.py

# The source archive, and a wheel from it, with nothing at hand but what pyproject.toml asks for.
dist: $(VENV)/.dev
	@$(BIN)/python -m build --outdir dist

# The same compiled code with bounds checks and assertions, under the tests that drive it hardest: none of methods of logic,
# the arena, programs and soaking, which are Python.
PYTHON_ONLY := *logic* *unit/arena* *outside* *recorded* *soak* *matching* *saturation*
debug-test: $(VENV)/.debug
	PYTHONPATH=$(VENV)/debug MINEPROOF_EXPECT_DEBUG=1 HYPOTHESIS_PROFILE=brief $(PYTEST) \
		$(foreach pattern,$(PYTHON_ONLY),--ignore-glob='$(pattern)') \
		-k 'not (chaining or resolution or csp or asp or literal or answer_sets or (sampled_odds and 300))' \
		tests/unit tests/property tests/agreement tests/golden tests/apps/gym/test_vector.py

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/board.py
	$(BIN)/python benchmarks/odds.py
	$(BIN)/python benchmarks/logic.py
	$(BIN)/python benchmarks/stopping.py
	$(BIN)/python benchmarks/limits.py
	$(BIN)/python benchmarks/agents.py
	$(BIN)/python benchmarks/arena.py
	$(BIN)/python benchmarks/generate.py
	$(BIN)/python benchmarks/explain.py
	$(BIN)/python benchmarks/web.py
	$(BIN)/python benchmarks/gym.py

# The same work, by this version and by another commit in turns: make bench-against COMMIT=v0.1.0
bench-against: $(VENV)/.bench
	@$(BIN)/python benchmarks/commits.py $(COMMIT)

# What a run is limited to: make soak SECONDS=600, make fuzz POSITIONS=10000 SEED=7, make soak SEED=7 ONLY=123
LIMITS = $(foreach name,POSITIONS SECONDS SEED ONLY,$(if $($(name)),--$(shell echo $(name) | tr A-Z a-z) $($(name))))

fuzz: $(VENV)/.core
	@$(BIN)/python benchmarks/fuzz.py $(LIMITS)

soak: $(VENV)/.logic
	@$(BIN)/python benchmarks/soak.py $(LIMITS)

# The compiled code under AddressSanitizer and UndefinedBehaviorSanitizer. The library of the first must be there before Python
# is, and the C++ library with it, whose exceptions it watches; Python's own memory comes from malloc, so that it is watched
# too; what Python keeps to its end is no leak.
ASAN = $(shell $(CXX) -print-file-name=libasan.so)
SANITIZED = LD_PRELOAD="$(ASAN) $(shell $(CXX) -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:strict_string_checks=1 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$(VENV)/sanitize

sanitize: POSITIONS ?= 300000
sanitize: $(VENV)/.sanitize
	@$(SANITIZED) $(BIN)/python tests/sanitize/self_check.py
	@$(SANITIZED) $(BIN)/python benchmarks/fuzz.py $(LIMITS)

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

# An extra, without building the package again; some come with others, in one call of pip.
EXTRAS := logic arena cluster replays images web postgres tui notebook gym docs
$(VENV)/.dev: WITH := $(EXTRAS)
$(VENV)/.bench: WITH := logic arena web gym
$(patsubst %,$(VENV)/.%,$(EXTRAS) dev bench): $(VENV)/.%: $(VENV)/.core
	@$(BIN)/python -c 'import sys, tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
		print(*(one for name in sys.argv[1:] for one in extras[name]), sep="\n")' $(WITH) $* > $(VENV)/$*.txt
	@$(PIP) install -c constraints.txt -r $(VENV)/$*.txt
	@touch $(patsubst %,$(VENV)/.%,$(WITH)) $@

# What the package itself needs, kept as wheels: the tests install it into an empty environment, without a network.
$(VENV)/.wheels: $(VENV)/.core
	@rm -rf $(VENV)/wheels
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' > $(VENV)/wheels.txt
	@$(PIP) wheel -c constraints.txt --wheel-dir $(VENV)/wheels -r $(VENV)/wheels.txt
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
	rm -rf $(VENV) build dist src/*.egg-info src/mineproof/_native/*.so .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis $(PAGE)/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
