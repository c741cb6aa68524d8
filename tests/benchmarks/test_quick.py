"""Every script of benchmarks/ runs: a quick form of it. A script cannot be forgotten here."""

import os
import runpy
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
#: Run in processes of their own: they start others, or have a main module; and one of the rest. All others run in this process,
#: which has everything loaded.
ALONE = ["benchmarks/endgames.py", "benchmarks/onepiece.py", "benchmarks/prove_package.py", "benchmarks/web.py"]
ALONE += [script for script in SCRIPTS if script.startswith("-m")]


def run(script, *words):
    command = [sys.executable, *script.split(), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def results():
    return {path.name: path.read_bytes() for path in (BENCHMARKS / "results").iterdir()}


@pytest.mark.parametrize("script", [script for script in SCRIPTS if script not in ALONE])
def test_a_script_runs_quickly_and_keeps_nothing(script, monkeypatch, capsys):
    before = results()
    monkeypatch.setattr(sys, "argv", [str(ROOT / script), "--quick"])
    monkeypatch.syspath_prepend(BENCHMARKS)
    runpy.run_path(str(ROOT / script), run_name="__main__")  # a failure would be an exit
    assert capsys.readouterr().out.strip()
    assert results() == before


@pytest.mark.skipif(os.name == "nt", reason="some scripts need the signals of Unix")
@pytest.mark.parametrize("script", [script for script in ALONE if script != SOAK])
def test_a_script_runs_quickly_in_a_process_of_its_own_and_keeps_nothing(script):
    before = results()
    ended = run(script, "--quick")
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.strip()
    assert results() == before


def test_a_quick_table_is_not_kept():
    ended = run("benchmarks/onepiece.py", "--quick", "--write")
    assert ended.returncode == 2
    assert "--quick measures too little to be kept with --write" in ended.stderr


def test_scripts_that_run_alone_are_scripts():
    assert [script for script in ALONE if script not in SCRIPTS] == []


def test_make_runs_every_script():
    """One of `make bench`, `make prove` and `make soak` does."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [script for script in SCRIPTS if script not in makefile] == []
