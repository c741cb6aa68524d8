"""Which plain tests add nothing to the coverage: `make coverage` does not trace those, since it makes them three times as slow.

    python -m tests.traced            runs the plain tests in one process, with a context for each (minutes)
    python -m tests.traced --write    and keeps the list, tests/untraced.txt

Of all test functions so many stay traced that together they reach every line and branch that all of them reach, the cheapest
for what they add first. The others are listed. A new test is in no list, and is traced; so are tests with Hypothesis, whose
lines coverage cannot tell apart.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "untraced.txt"
#: Seconds under which a test is not worth a line.
WORTH = 0.02
HEADING = "# Plain tests that add no line to the coverage; `python -m tests.traced --write` makes this list.\n"

Reached = dict[str, set[tuple[int, int, int]]]


def untraced() -> frozenset[str]:
    """The listed test functions, as ``tests/game/test_game.py::test_name``."""
    return frozenset(line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))


def measure(folder: Path) -> tuple[Reached, dict[str, float]]:
    """What each test function reaches, and how long it takes, traced."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["coverage"]["run"]
    (folder / "coverage.toml").write_text(
        f"[tool.coverage.run]\nsource = {settings['source']}\nomit = {settings['omit']}\nbranch = true\n"
        'dynamic_context = "test_function"\n',
        encoding="utf-8",
    )
    data = folder / "data"
    command = [
        sys.executable, "-m", "coverage", "run", f"--rcfile={folder / 'coverage.toml'}", f"--data-file={data}",
        "-m", "pytest", "-q", "-n", "0", "-m", "plain", "--durations=0", "--durations-min=0.001",
    ]  # fmt: skip
    everything = {**os.environ, "KIBITZ_JIT": "0", "KIBITZ_TRACE_ALL": "1"}
    done = subprocess.run(command, cwd=ROOT, env=everything, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout[-3000:])
    seconds: Counter[str] = Counter()
    for spent, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(\S+::\w+)", done.stdout, re.MULTILINE):
        seconds[test] += float(spent)
    return reached(data), dict(seconds)


def reached(data: Path) -> Reached:
    """The branches by test function, from the file of coverage."""
    with sqlite3.connect(data) as database:
        names = dict(database.execute("select id, context from context"))
        found: Reached = defaultdict(set)
        for file, context, start, end in database.execute("select file_id, context_id, fromno, tono from arc"):
            *package, function = names[context].split(".")
            found[f"{'/'.join(package)}.py::{function}" if package else ""].add((file, start, end))
    return found


def needed(reach: Reached, seconds: dict[str, float]) -> set[str]:
    """Tests that together reach all that all reach: always the one that adds most for its time (Chvatal 1979)."""
    left = set().union(*reach.values()) - reach.get("", set())
    chosen: set[str] = set()
    while left:
        best = max(seconds, key=lambda test: len(reach.get(test, set()) & left) / (seconds[test] + 0.005))
        if not reach.get(best, set()) & left:
            break  # the rest is reached by what is no test
        chosen.add(best)
        left -= reach[best]
    return chosen


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        reach, seconds = measure(Path(folder))
    kept = needed(reach, seconds)
    rest = sorted(test for test, spent in seconds.items() if test not in kept and spent >= WORTH and reach.get(test))
    spent = sum(seconds[test] for test in rest)
    print(f"{len(kept)} of {len(seconds)} test functions reach everything; {len(rest)} others take {spent:.0f} s")
    if "--write" in sys.argv:
        LIST.write_text(HEADING + "".join(f"{test}\n" for test in rest), encoding="utf-8")


if __name__ == "__main__":
    main()
