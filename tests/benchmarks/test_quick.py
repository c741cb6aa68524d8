"""Every script of benchmarks/ runs: a quick form of it, in a process of its own. A script cannot be forgotten here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
SCRIPTS = [
    *(
        f"benchmarks/{path.name}"
        for path in sorted(BENCHMARKS.glob("*.py"))
        if '"__main__"' in path.read_text(encoding="utf-8")
    ),
    *(f"-m benchmarks.{path.parent.name}" for path in sorted(BENCHMARKS.glob("*/__main__.py"))),
]
#: Its quick form has tests of its own (tests/test_soak.py).
SOAK = "-m benchmarks.soak"


def run(script, *words):
    command = [sys.executable, *script.split(), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def results():
    return {path.name: path.read_bytes() for path in (BENCHMARKS / "results").iterdir()}


@pytest.mark.skipif(os.name == "nt", reason="some scripts need the signals of Unix")
@pytest.mark.parametrize("script", [script for script in SCRIPTS if script != SOAK])
def test_a_script_runs_quickly_and_keeps_nothing(script):
    before = results()
    ended = run(script, "--quick")
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.strip()
    assert results() == before


def test_a_quick_table_is_not_kept():
    ended = run("benchmarks/onepiece.py", "--quick", "--write")
    assert ended.returncode == 2
    assert "--quick measures too little to be kept with --write" in ended.stderr


def test_make_runs_every_script():
    """One of `make bench`, `make prove` and `make soak` does."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [script for script in SCRIPTS if script not in makefile] == []
