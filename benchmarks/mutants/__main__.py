"""Makes 200 small mistakes in rules, belief and search, one at a time, and counts how many the tests notice.

python -m benchmarks.mutants                  every mutant against the tests of its package (half an hour on one core)
python -m benchmarks.mutants --jobs 8         eight at once
python -m benchmarks.mutants --quick          finds all mutants in the sources and tries a handful (less than a minute)
python -m benchmarks.mutants --write          keeps the outcomes in benchmarks/results/mutants.md
python -m benchmarks.mutants --tree ../other --as before    the same mutants in another checkout with the same files

The mutants are those of ``mutants.json``, chosen once (``--choose``, with a seed) and spread over the functions of
each group. They are told by what is written and not by where (`mutation.py`), so the same ones are tried before and
after files move. One whose statement is written differently now is *gone*, and is listed as such; if its function only has
another name, `RENAMED` says so.

Everything happens in a copy of the checkout under ``build/mutants``, in plain Python (``KIBITZ_JIT=0``, the tests marked
`plain`). The tests of a mutant stop at the first failure. A mutant is caught if a test fails, or if the tests take much longer
than without it. Every outcome is a line of ``build/mutants/after.jsonl`` at once: a run that was broken off goes on where
it was; ``--fresh`` begins again. The exit code is 1 if a mutant survives that was caught before.
"""

from __future__ import annotations

import argparse
import difflib
import json
import math
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from benchmarks.mutants.mutation import Edit, Spot, canonical, functions, spots
from benchmarks.tables import RESULTS, ROOT, Figures

LIST = Path(__file__).parent / "mutants.json"
TARGET = RESULTS / "mutants.md"
WORK = ROOT / "build" / "mutants"
SEED = 1
RUNS = ("before", "after")
HEADINGS = ("group", "mutants", *RUNS)
#: A mutant is given so many times the processor time of the sound tests, and at least so many seconds; so much memory, in KiB;
#: and so many seconds by the clock, should it wait for something.
PATIENCE, LEAST_LIMIT = 4, 30
MEMORY = 8 * 2**20
LONGEST_WAIT = 900.0
#: What of a checkout is not copied.
LEFT_OUT = (".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".*_cache", "*.egg-info")


@dataclass(frozen=True)
class Group:
    """Sources that go wrong, and what should notice."""

    mutants: int
    sources: tuple[str, ...]
    """Patterns under src/kibitz; one with a ``-`` before it leaves out what it names."""
    tests: tuple[str, ...]
    """What pytest is given."""
    quick: int = 0
    """How many are tried in a hurry."""


#: To be changed when files move. Pictures and wordings are left out.
GROUPS = {
    "rules of Catan": Group(
        40,
        ("catan/core/rules/*.py", "catan/core/verbs.py", "catan/core/hidden.py"),
        ("tests/catan", "--ignore=tests/catan/analysis", "--ignore=tests/catan/belief", "--ignore=tests/catan/logs"),
    ),
    "rules of Coup": Group(
        20,
        ("coup/core/rules.py", "coup/core/cards.py"),
        (
            "tests/coup",
            "--ignore=tests/coup/endgames",
            "--ignore=tests/coup/test_advise.py",
            "--ignore=tests/coup/test_belief.py",
        ),
    ),
    "rules of One Piece": Group(
        20,
        tuple(f"onepiece/core/{name}.py" for name in ("battle", "turn", "legal", "moves", "effects/*")),
        ("tests/onepiece", "--ignore=tests/onepiece/test_advise.py"),
    ),
    "belief, Catan": Group(
        50,
        ("belief/*.py", "catan/belief/*.py", "-belief/hand_deals.py"),
        ("tests/belief", "tests/catan/belief"),
    ),
    "belief, Coup": Group(10, ("coup/belief.py", "belief/hand_deals.py"), ("tests/coup/test_belief.py",), quick=1),
    "search": Group(60, ("search/*.py", "-search/tree_words.py"), ("tests/search",)),
}
#: Functions that have another name since the mutants were chosen: the old name and the new one.
RENAMED = {
    **{
        f"Worlds.{method}": f"WeightedWorlds.{method}"
        for method in (
            "unanswer", "_renumber", "probabilities", "weigh", "prune", "_keep", "forget_answers", "find", "copy",
            "check", "_fold",
        )
    },
    "wake": "turn",
    "_read_removal.read": "read_removal",
    "_views_of": "views_of",
    **{f"Worlds.{name}": f"BelievedWorlds.{name}" for name in ("__eq__", "__len__", "drawn", "thinned")},
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One mistake. The file is where it was when the mutant was chosen; it tells functions of the same name apart."""

    group: str
    file: str
    spot: Spot

    @property
    def key(self) -> str:
        return f"{self.file}: {self.spot}"


@dataclass(frozen=True)
class Outcome:
    """What came of a mutant: caught, timed out, survived or gone; and the test that failed, or why it is gone."""

    what: str
    why: str = ""
    seconds: float = 0.0

    @property
    def caught(self) -> bool:
        return self.what in ("caught", "timed out")


#: By the key of the mutant; and all that is known, by run.
Outcomes = dict[str, Outcome]
Known = dict[str, Outcomes]


class Gone(Exception):
    """A mutant whose statement is not there any more."""


# --- the mutants ------------------------------------------------------------------------------------------------------


@cache
def sources(tree: Path, group: str) -> dict[str, dict[Spot, Edit]]:
    """All mistakes that the files of a group offer."""
    package = tree / "src" / "kibitz"
    found: set[Path] = set()
    for pattern in GROUPS[group].sources:
        files = set(package.glob(pattern.removeprefix("-")))
        if not files:
            sys.exit(f"{group}: there is no {pattern}; GROUPS in {Path(__file__).name} says where the sources are")
        found = found - files if pattern.startswith("-") else found | files
    return {file.relative_to(package).as_posix(): spots(file.read_bytes()) for file in sorted(found)}


def choose(tree: Path) -> list[Mutant]:
    """Mutants for all groups: from every function one of some kind, before any function has two."""
    chosen = []
    for name, group in GROUPS.items():
        rng = random.Random(f"{SEED} {name}")
        of: dict[tuple[str, str], list[Spot]] = defaultdict(list)
        for file, offered in sources(tree, name).items():
            for spot in offered:
                of[file, spot.function].append(spot)
        places = sorted(of)
        rng.shuffle(places)
        for i in range(group.mutants):
            place = places[i % len(places)]
            change = rng.choice(sorted({spot.change for spot in of[place]}))
            spot = rng.choice([spot for spot in of[place] if spot.change == change])
            of[place].remove(spot)
            chosen.append(Mutant(name, place[0], spot))
    return sorted(chosen, key=lambda mutant: [*GROUPS].index(mutant.group))


def find(mutant: Mutant, tree: Path) -> tuple[Path, Edit]:
    """Where a mutant is to be written."""
    old = mutant.spot
    function = RENAMED.get(old.function, old.function)
    spot = Spot(function, canonical(old.statement), old.nth, old.change, old.place)
    files = [file for file, offered in sources(tree, mutant.group).items() if spot in offered]
    if not files:
        raise Gone(why_gone(mutant, spot, tree))
    alike = sorted((likeness(file, mutant.file) for file in files), reverse=True)
    if len(files) > 1 and alike[0] == alike[1]:
        raise Gone(f"could be any of {', '.join(files)}")
    file = max(files, key=lambda file: likeness(file, mutant.file))
    return Path("src", "kibitz", file), sources(tree, mutant.group)[file][spot]


def likeness(file: str, other: str) -> int:
    """How many parts of two paths are the same, from the end."""
    pairs = zip(reversed(PurePosixPath(file).parts), reversed(PurePosixPath(other).parts), strict=False)
    same = [a == b for a, b in pairs]
    return same.index(False) if False in same else len(same)


def why_gone(mutant: Mutant, spot: Spot, tree: Path) -> str:
    statements = []
    for file in sources(tree, mutant.group):
        statements += functions((tree / "src" / "kibitz" / file).read_bytes()).get(spot.function, [])
    if not statements:
        return "no such function"
    near = difflib.get_close_matches(spot.statement, statements, 1, 0.5)
    return f"no such statement; nearest: {near[0]}" if near else "no such statement"


def read_list() -> tuple[list[Mutant], Known]:
    """The chosen mutants, and what is known of them: outcomes by run and by mutant."""
    mutants, known = [], {run: Outcomes() for run in RUNS}
    for entry in json.loads(LIST.read_text(encoding="utf-8")):
        spot = Spot(entry["function"], entry["statement"], entry["nth"], entry["change"], entry["place"])
        mutant = Mutant(entry["group"], entry["file"], spot)
        mutants.append(mutant)
        for run in RUNS:
            if run in entry:
                known[run][mutant.key] = Outcome(**entry[run])
    return mutants, known


def write_list(mutants: list[Mutant], known: Known) -> None:
    """One line for each mutant."""
    lines = []
    for mutant in mutants:
        entry: dict[str, Any] = {"group": mutant.group, "file": mutant.file, **vars(mutant.spot)}
        for run in RUNS:
            if outcome := known[run].get(mutant.key):
                entry[run] = {"what": outcome.what, "why": outcome.why}
        lines.append(json.dumps(entry, ensure_ascii=False))
    LIST.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


# --- running the tests ------------------------------------------------------------------------------------------------


class Copy:
    """A copy of the checkout in which things go wrong."""

    def __init__(self, tree: Path, name: str) -> None:
        self.root = WORK / name
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(tree, self.root, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(self.root / "src"),
            "PYTHONHASHSEED": "0",
            "CI": "true",  # Hypothesis then chooses the same examples every time, and has no clock
            "KIBITZ_JIT": "0",
            "KIBITZ_CACHE": str(self.root / "build" / "cache"),
            "KIBITZ_DATA": str(self.root / "build" / "data"),
        }
        where = self.python("-c", "import kibitz; print(kibitz.__file__)").strip()
        if not Path(where).is_relative_to(self.root):
            sys.exit(f"the tests would import {where}")
        # Bytecode that is used where its source has the same content; a mutant may well have the same size and second.
        self.python("-m", "compileall", "-q", "-f", "--invalidation-mode", "checked-hash", "src")

    def python(self, *arguments: str) -> str:
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=True).stdout

    def test(self, group: Group, limit: int | None) -> Outcome:
        """Run the tests of a group until one fails, for at most so many seconds of the processor."""
        options = ["-q", "-x", "--tb=no", "-rfE", "-p", "no:cacheprovider", "-m", "plain"]
        bounds = f'ulimit -v {MEMORY}; ulimit -S -t {limit or "unlimited"}; exec "$@"'
        command = ["sh", "-c", bounds, "sh", sys.executable, "-m", "pytest", *options, *group.tests]
        began = time.monotonic()
        log = self.root / "build" / "tests.log"
        log.parent.mkdir(exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=self.root, env=self.environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                code = process.wait(LONGEST_WAIT)
            except subprocess.TimeoutExpired:
                code = -signal.SIGXCPU
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        seconds = round(time.monotonic() - began, 1)
        text = log.read_text(encoding="utf-8", errors="replace")
        if code == 5:
            sys.exit(f"{group.tests} holds no such tests")
        if code == 0:
            return Outcome("survived", "", seconds)
        failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", text, re.MULTILINE)
        if code == -signal.SIGXCPU:
            return Outcome("timed out", "", seconds)
        return Outcome("caught", failed[0] if failed else f"exit code {code}", seconds)

    def try_out(self, mutant: Mutant, file: Path, edit: Edit, limit: int) -> Outcome:
        """The tests with a mutant in place; it is taken back in any case."""
        target = self.root / file
        sound = target.read_bytes()
        target.write_bytes(edit.apply(sound))
        try:
            return self.test(GROUPS[mutant.group], limit)
        finally:
            target.write_bytes(sound)


def check_sound(copy: Copy, groups: list[str]) -> dict[str, int]:
    """How long the tests of each group may take, from a run without any mutant, which must pass."""
    limits = {}
    for name in groups:
        before = getrusage(RUSAGE_CHILDREN).ru_utime
        outcome = copy.test(GROUPS[name], None)
        if outcome.what != "survived":
            sys.exit(f"{name}: {outcome.why} fails without any mutant")
        seconds = getrusage(RUSAGE_CHILDREN).ru_utime - before
        limits[name] = max(LEAST_LIMIT, math.ceil(PATIENCE * seconds))
        print(f"{name}: the tests take {seconds:.0f} s of the processor, {outcome.seconds:.0f} s by the clock", flush=True)
    return limits


def run(mutants: list[Mutant], tree: Path, jobs: int, name: str = "copy") -> Iterator[tuple[Mutant, Outcome]]:
    """The outcomes, as they come."""
    todo = []
    for mutant in mutants:
        try:
            todo.append((mutant, *find(mutant, tree)))
        except Gone as gone:
            yield mutant, Outcome("gone", str(gone))
    if not todo:
        return
    copies = [Copy(tree, f"{name}-{i}") for i in range(jobs)]
    groups = [name for name in GROUPS if any(mutant.group == name for mutant, _, _ in todo)]
    limits = check_sound(copies[0], groups)
    free: queue.Queue[Copy] = queue.Queue()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant, file: Path, edit: Edit) -> tuple[Mutant, Outcome]:
        copy = free.get()
        try:
            return mutant, copy.try_out(mutant, file, edit, limits[mutant.group])
        finally:
            free.put(copy)

    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(one, *job) for job in todo]):
            yield done.result()


# --- what is kept and shown -------------------------------------------------------------------------------------------


def try_all(mutants: list[Mutant], tree: Path, lines: Path, jobs: int) -> Outcomes:
    """The outcomes of all mutants. Those that `lines` holds already are taken from there; every other one is added to it."""
    outcomes: Outcomes = {}
    if lines.exists():
        for line in lines.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            outcomes[entry["mutant"]] = Outcome(entry["what"], entry["why"], entry["seconds"])
    left = [mutant for mutant in mutants if mutant.key not in outcomes]
    with lines.open("a", encoding="utf-8") as file:
        for number, (mutant, outcome) in enumerate(run(left, tree, jobs), 1):
            outcomes[mutant.key] = outcome
            print(json.dumps({"mutant": mutant.key, **vars(outcome)}, ensure_ascii=False), file=file, flush=True)
            tell(f"{number}/{len(left)}", mutant, outcome)
    return outcomes


def try_handful(mutants: list[Mutant], tree: Path, jobs: int) -> None:
    """Say which mutants are gone, and try a few of the others."""
    some: list[Mutant] = []
    missing = 0
    for mutant in mutants:
        try:
            find(mutant, tree)
        except Gone as gone:
            missing += 1
            tell("", mutant, Outcome("gone", str(gone)))
        else:
            if sum(other.group == mutant.group for other in some) < GROUPS[mutant.group].quick:
                some.append(mutant)
    print(f"{len(mutants) - missing} of {len(mutants)} mutants found", flush=True)
    for mutant, outcome in run(some, tree, jobs, "quick"):  # a long run may be under way in its own copies
        tell("", mutant, outcome)


def tell(number: str, mutant: Mutant, outcome: Outcome) -> None:
    why = f" ({outcome.why})" if outcome.why else ""
    print(f"{number} {outcome.what} in {outcome.seconds} s{why}: {mutant.key}".strip(), flush=True)


def rows(mutants: list[Mutant], known: Known) -> list[list[str]]:
    """Caught of total, by group and run."""
    names = [*GROUPS, "all"]
    of = {name: [mutant.key for mutant in mutants if name in (mutant.group, "all")] for name in names}
    return [[name, str(len(of[name])), *(share([known[run].get(key) for key in of[name]]) for run in RUNS)] for name in names]


def share(outcomes: list[Outcome | None]) -> str:
    count = Counter(outcome.what for outcome in outcomes if outcome)
    if not count:
        return "not run"
    found = count.total() - count["gone"]
    text = f"{count['caught'] + count['timed out']} of {found}"
    return text + "".join(f", {count[what]} {what}" for what in ("timed out", "gone") if count[what])


def lost(mutants: list[Mutant], known: Known) -> list[Mutant]:
    """Mutants that were caught before and survive now."""
    before, after = (known[run] for run in RUNS)
    caught = [mutant for mutant in mutants if mutant.key in before and before[mutant.key].caught]
    return [mutant for mutant in caught if mutant.key in after and after[mutant.key].what == "survived"]


def report(mutants: list[Mutant], known: Known) -> str:
    """The tables, as Markdown."""
    text = f"""# Mutants

{len(mutants)} small mistakes, chosen once with a seed (`benchmarks/mutants/mutants.json`), made one at a time. Against each
run the tests of its package, in plain Python, until one fails. The table says how many were caught of those found, before and
after the sources were rearranged; a time-out counts as caught. What is gone is written differently now. Not every survivor is
a gap: some mistakes change nothing.

{Figures("Caught", HEADINGS, rows(mutants, known)).markdown()}"""
    if all(known[run] for run in RUNS):
        text += section("Caught before and not any more", lost(mutants, known), known)
    for run in RUNS:
        survivors = [mutant for mutant in mutants if mutant.key in known[run] and known[run][mutant.key].what == "survived"]
        text += section(f"Survived {run}", survivors, known) if known[run] else ""
    gone = [mutant for mutant in mutants if mutant.key in known["after"] and known["after"][mutant.key].what == "gone"]
    return text + (section("Gone", gone, known) if gone else "")


def section(title: str, mutants: list[Mutant], known: Known) -> str:
    lines = []
    for mutant in mutants:
        after = known["after"].get(mutant.key)
        why = f" ({after.why})" if after and after.what == "gone" else ""
        spot = mutant.spot
        lines.append(f"- {mutant.group}: `{mutant.file}`, `{spot.function}`: {code(spot.statement)}: {spot.change}{why}")
    return f"\n## {title}\n\n" + ("\n".join(lines) or "None.") + "\n"


def code(statement: str) -> str:
    short = statement if len(statement) <= 100 else f"{statement[:97]}..."
    return f"``{short.replace(chr(10), ' ')}``"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to make mistakes in (it is copied)")
    parser.add_argument("--as", dest="name", choices=RUNS, default="after", help="which column the outcomes belong to")
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants at once")
    parser.add_argument("--quick", action="store_true", help="find all, try a handful, keep nothing")
    parser.add_argument("--fresh", action="store_true", help="try again what was tried already")
    parser.add_argument("--write", action="store_true", help=f"keep the outcomes in {TARGET.name} and {LIST.name}")
    parser.add_argument("--choose", action="store_true", help=f"choose mutants anew and write {LIST.name}; nothing is tried")
    options = parser.parse_args()
    tree: Path = options.tree.resolve()
    if options.choose:
        write_list(choose(tree), {run: {} for run in RUNS})
        return
    WORK.mkdir(parents=True, exist_ok=True)
    mutants, known = read_list()
    if options.quick:
        try_handful(mutants, tree, options.jobs)
        return
    lines = WORK / f"{options.name}.jsonl"
    if options.fresh:
        lines.unlink(missing_ok=True)
    known[options.name] = try_all(mutants, tree, lines, options.jobs)
    Figures("Mutants", HEADINGS, rows(mutants, known)).show()
    for mutant in lost(mutants, known):
        print(f"caught before and not any more: {mutant.key}")
    if options.write:
        write_list(mutants, known)
        TARGET.write_text(report(mutants, known), encoding="utf-8")
    sys.exit(1 if lost(mutants, known) else 0)


if __name__ == "__main__":
    main()
