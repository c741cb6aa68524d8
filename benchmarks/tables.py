"""What the scripts of this folder share: their arguments, how they measure, and how their tables are printed and kept.

Every script takes ``--quick`` (tiny counts, a few seconds: a test runs it, and its figures mean nothing) and, where it has a
table to keep, ``--write``: into ``benchmarks/results``, with the command and the commit that made it. Nothing is kept unasked.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
# `python benchmarks/x.py` finds what lies beside it; the references of the proofs are in tests/.
sys.path.append(str(ROOT))

REPEATS = 5
#: The sign of a negative number, unlike the hyphen of 0.3-0.5 or of a name.
NEGATIVE = re.compile(r"(?<![\w.)%])-(?=\d)")
Job = TypeVar("Job")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Figures:
    """One table, with what is said above it."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    text: str = ""

    def show(self) -> None:
        """Print it."""
        table = Table(*self.headings, title=self.title)
        for row in self.rows:
            table.add_row(*(escape(shown(cell)) for cell in row))
        Console(width=150).print(table)

    def markdown(self) -> str:
        """The same for a results file."""
        cells = [self.headings, ["---"] * len(self.headings), *([shown(cell) for cell in row] for row in self.rows)]
        lines = [f"| {' | '.join(row)} |" for row in cells]
        return "\n".join([f"## {self.title}", "", *([self.text, ""] if self.text else []), *lines, ""])


def shown(cell: object) -> str:
    """A cell as text. Negative numbers have a true minus sign, but not within code."""
    text = f"{cell:.3f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)
    return text if "`" in text else NEGATIVE.sub("\N{MINUS SIGN}", text)


class Bench:
    """One run of a script: what it was asked, how it measures, what it prints and keeps.

    `doc` is the script's docstring, `target` the file of results that ``--write`` makes; `options` adds further arguments.
    """

    def __init__(
        self, doc: str, target: str | None = None, options: Callable[[argparse.ArgumentParser], object] | None = None
    ) -> None:
        parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--quick", action="store_true", help="tiny counts, to see that everything runs")
        if target:
            parser.add_argument("--write", action="store_true", help=f"keep the tables in benchmarks/results/{target}")
        if options:
            options(parser)
        self.options = parser.parse_args()
        self.quick: bool = self.options.quick
        self.target = target
        self.repeats = 1 if self.quick else REPEATS
        if self.quick and target and self.options.write:
            parser.error("--quick measures too little to be kept with --write")

    def many(self, usual: int, quick: int = 1, full: int | None = None) -> int:
        """How many of something: `usual`, or `quick` in a quick run, or `full` in a full one (`add_full`)."""
        if self.quick:
            return quick
        return full if full is not None and self.options.full else usual

    def seconds(self, work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
        """How long something takes: the median of five; a first time, which may compile, does not count.

        Processor time, so that other work on the machine counts little, unless another clock is asked for.
        """
        if not self.quick:
            work()
        return median(timed(work, clock) for _ in range(self.repeats))

    def spread(self, do: Callable[[Job], Found], work: Sequence[Job], jobs: int, name: str) -> Iterator[Found]:
        """What `do` finds for each piece of work, in any order, from so many processes; a bar shows how far it is."""
        columns = TextColumn(name), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=self.quick) as bar:
            task = bar.add_task(name, total=len(work))
            if jobs == 1 or self.quick:
                for piece in work:
                    yield do(piece)
                    bar.advance(task)
                return
            with multiprocessing.get_context("spawn").Pool(jobs) as pool:
                for found in pool.imap_unordered(do, work):
                    yield found
                    bar.advance(task)

    def publish(self, title: str, tables: Sequence[Figures], note: str = "", failures: Sequence[str] = ()) -> None:
        """Print the tables, keep them if asked, and end with exit code 1 if something failed."""
        for figures in tables:
            figures.show()
        if note:
            print(note)
        if self.target and self.options.write:
            made = f"Made by `{command()}` at commit {commit()} on: {machine()}."
            parts = [f"# {title}", "", made, *(["", note] if note else []), "", *(figures.markdown() for figures in tables)]
            (RESULTS / self.target).write_text("\n".join(parts), encoding="utf-8")
            print(f"written: benchmarks/results/{self.target}")
        for failure in failures:
            print(f"FAILURE: {failure}", file=sys.stderr)
        if failures:
            sys.exit(1)


def kept_lines(file: Path | None) -> list[str]:
    """The lines of a file to which a run adds; what was cut off by a kill becomes a line of its own."""
    if file is None or not file.exists():
        return []
    text = file.read_text(encoding="utf-8")
    if text and not text.endswith("\n"):
        file.write_text(f"{text}\n", encoding="utf-8")
    return text.splitlines()


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes, in seconds."""
    began = clock()
    work()
    return clock() - began


def add_jobs(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """The argument of scripts that spread their work over processes."""
    parser.add_argument("--jobs", type=int, default=default or os.cpu_count() or 1, help="how many processes")


def add_full(parser: argparse.ArgumentParser) -> None:
    """The argument of proofs that can be made larger."""
    parser.add_argument("--full", action="store_true", help="the long form: up to hours")


def gpu_name() -> str:
    """What the GPU is called."""
    from numba import cuda

    name: Any = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def command() -> str:
    """How this run was started."""
    script = Path(sys.argv[0]).resolve().relative_to(ROOT).as_posix()
    return shlex.join(["python", script, *sys.argv[1:]])


def commit() -> str:
    """The commit whose sources ran, and whether they had been changed since; results themselves do not count."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    name = git("rev-parse", "--short", "HEAD") or "unknown"
    return f"{name}, with changes" if git("status", "--porcelain", "--", ".", ":!benchmarks/results") else name


def machine() -> str:
    """Where the figures were taken."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def processor() -> str:
    """What the machine calls its processor."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", info.read_text(encoding="utf-8")) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()
