# Needs python3 (3.11 or newer) and make. Everything else goes into .venv; `make PYTHON=python3.12` takes another Python.

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
WEB := .venv/.web
READY := .venv/.ready

# Where the time goes: `$(TIMED); ...; echo $$($(SECONDS_SINCE))`.
TIMED := began=$$(date +%s)
SECONDS_SINCE := expr $$(date +%s) - $$began

# The tests start hundreds of processes: whatever the environment says, each finds the bytecode that the first has written.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: analyze game web setup test test-train checked tested suite lint compiled collected coverage docs docs-checked screenshots prove versions bench soak clean

# Where to settle on a random board, from thousands of whole games. The first time most of it is compiling.
analyze: $(INSTALLED)
	@mkdir -p build
	@$(TIMED); $(BIN)/kibitz analyze --seed 42 --svg build/analysis.svg && echo "answered in $$($(SECONDS_SINCE)) s"

# One game, recorded, shown and drawn.
game: $(INSTALLED)
	@mkdir -p build
	$(BIN)/kibitz catan simulate --policy builder --seed 42 --record build/game.jsonl
	$(BIN)/kibitz catan show build/game.jsonl --svg build/game.svg

# Kibitz in the browser.
web: $(WEB)
	$(BIN)/kibitz web

setup: $(READY)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c "import sys; sys.version_info >= (3, 11) or sys.exit('Kibitz needs Python 3.11 or newer, not ' + sys.version.split()[0] + '; try: make PYTHON=python3.12')"
	@$(TIMED); set -e; test -x $(BIN)/python || $(PYTHON) -m venv .venv; \
	$(BIN)/python -m pip install --quiet --no-compile --upgrade 'pip>=25'; : a new one chooses among releases in half the time; \
	$(BIN)/python -m pip install --quiet --no-compile --editable .; \
	echo "set up in $$($(SECONDS_SINCE)) s: $$($(BIN)/python -m pip list --format freeze | wc -l) packages"
	@touch $@

# What the app in the browser needs besides.
$(WEB): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[web]'
	@touch $@

# The tools beside it. Kibitz itself is not installed again, so that it can compile its rules meanwhile.
$(READY): $(INSTALLED)
	@$(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb')); print(*p['project']['dependencies'], *p['dependency-groups']['dev'], sep='\n')" > .venv/tools.txt
	$(BIN)/python -m pip install --quiet --no-compile --requirement .venv/tools.txt
	@touch $@

test:
	$(MAKE) checked
	$(MAKE) tested

# The tests of training, which need PyTorch and Stable-Baselines3.
test-train: $(READY)
	$(BIN)/python -m pip install --quiet --no-compile 'torch>=2.4' 'stable-baselines3>=2.4' 'sb3-contrib>=2.4'
	$(BIN)/pytest -q tests/learn tests/adapters/test_sb3.py

# What needs no browser. Two things at a time; compiling begins while the tools are still being installed.
checked:
	$(MAKE) --jobs 2 --output-sync=target compiled docs-checked lint collected

# All tests; `make checked` has compiled what they load. Both runs at once, since tests often wait: for a browser, a server, a clock.
tested:
	$(MAKE) --jobs 2 --output-sync=target suite coverage WORKERS=1

suite: $(READY)
	$(BIN)/pytest -q -n 2 --dist worksteal -m "not once"

# Compiles everything once; the test processes then load it from the cache.
compiled: $(INSTALLED)
	$(BIN)/kibitz catan simulate --games 1
	$(BIN)/kibitz track examples/chat.txt
	$(BIN)/kibitz analyze beginner --rollouts 1
	$(BIN)/kibitz analyze beginner --mode ismcts --iterations 10
	$(BIN)/kibitz coup advise 'cards duke captain; coins 3 5' --iterations 10
	$(BIN)/kibitz coup simulate --games 1

# The bytecode of the tests, written once and not by every process that runs some of them.
collected: compiled $(READY)
	@mkdir -p build
	$(BIN)/pytest -q --collect-only > build/collected.txt || { cat build/collected.txt; exit 1; }

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# In plain Python, where every line of a rule can be seen: the tests marked `plain`.
WORKERS := 2
coverage: $(READY)
	@mkdir -p build
	$(BIN)/coverage erase
	KIBITZ_JIT=0 $(BIN)/coverage run -m pytest -q -n $(WORKERS) --dist worksteal -m plain
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going -b html docs build/docs

# Every page is read and every reference resolved; no page is written.
docs-checked: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going -b dummy docs build/docs-checked

# Pictures of every page: those that README and docs show in docs/images, the others in build/screenshots. They need Chromium.
screenshots: $(READY)
	$(BIN)/python -m tests.web.screenshots

# The proofs: about an hour on two cores. Each prints its tables; `make prove PROVE=--write` keeps them in benchmarks/results, and
# `make prove PROVE=--full` is the long form (hours).
prove: $(READY)
	$(BIN)/python benchmarks/prove.py $(PROVE)
	$(BIN)/python benchmarks/prove_tracker.py $(PROVE)
	$(BIN)/python benchmarks/prove_analysis.py $(PROVE)
	$(BIN)/python benchmarks/prove_review.py $(PROVE)
	$(BIN)/python -m tests.coup.test_referee_games 500
	$(BIN)/python -m tests.onepiece.test_games 500
	$(BIN)/python benchmarks/prove_advice.py $(PROVE)
	$(BIN)/python benchmarks/prove_resolving.py $(PROVE)
	$(BIN)/python benchmarks/prove_bots.py coup $(PROVE)
	$(BIN)/python benchmarks/prove_bots.py onepiece $(PROVE)
	$(BIN)/python benchmarks/prove_bots.py catan $(PROVE)
	$(BIN)/python benchmarks/prove_package.py
	$(BIN)/python -m benchmarks.mutants

# The same answers, byte for byte, from the oldest Python with the lowest versions of everything and from a new one.
OLDEST := python3.11
NEWEST := python3.13
versions: $(READY)
	@mkdir -p build
	$(OLDEST) -m venv build/oldest
	$(NEWEST) -m venv build/newest
	build/oldest/bin/pip install --quiet uv
	build/oldest/bin/uv pip compile --quiet pyproject.toml --resolution lowest-direct --extra web --extra adapters --extra cluster \
		--python build/oldest/bin/python --output-file build/lowest.txt
	build/oldest/bin/pip install --quiet --requirement build/lowest.txt .
	build/newest/bin/pip install --quiet '.[web,adapters,cluster]'
	$(BIN)/python benchmarks/prove_versions.py build/oldest/bin/python build/newest/bin/python

# The figures that docs/figures.md quotes; `make bench BENCH=--write` keeps the tables, `make bench BENCH=--quick` only runs them.
bench: $(READY)
	$(BIN)/python benchmarks/catan_speed.py $(BENCH)
	$(BIN)/python benchmarks/tracker.py $(BENCH)
	$(BIN)/python benchmarks/analysis.py $(BENCH)
	$(BIN)/python benchmarks/tournament.py $(BENCH)
	$(BIN)/python benchmarks/ladder.py $(BENCH)
	$(BIN)/python benchmarks/matches.py --most 600 $(BENCH)
	$(BIN)/python benchmarks/luck.py $(BENCH)
	$(BIN)/python benchmarks/advice.py $(BENCH)
	$(BIN)/python benchmarks/review.py $(BENCH)
	$(BIN)/python benchmarks/blueprint.py $(BENCH)
	$(BIN)/python benchmarks/resolver.py $(BENCH)
	$(BIN)/python benchmarks/exploiter.py --folder build/exploiter-of-a-few-rounds $(BENCH)
	$(BIN)/python benchmarks/coup_evaluator.py $(BENCH)
	$(BIN)/python benchmarks/offers.py $(BENCH)
	$(BIN)/python benchmarks/evaluator.py $(BENCH)
	$(BIN)/python benchmarks/versus_catanatron.py $(BENCH)
	$(BIN)/python benchmarks/coup.py $(BENCH)
	$(BIN)/python benchmarks/search.py $(BENCH)
	$(BIN)/python benchmarks/search_variants.py --games 8 $(BENCH)
	$(BIN)/python benchmarks/endgames.py $(BENCH)
	$(BIN)/python benchmarks/loops.py $(BENCH)
	$(BIN)/python benchmarks/onepiece.py $(BENCH)
	$(BIN)/python benchmarks/adapters.py $(BENCH)
	$(BIN)/python benchmarks/web.py $(BENCH)

# Ten minutes of everything at once, with kills at random; ends with a count of what was done and lost.
soak: $(READY)
	$(BIN)/python -m benchmarks.soak

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
