"""What is kept of a run: the tables, with the command and the commit that made them."""

import subprocess
import sys

import pytest

from benchmarks import tables
from benchmarks.tables import Bench, Figures
from kibitz.ground.signs import MINUS

ROWS = [("a step", 87, 0.5), ("a pipe", 1234, "x[y]")]


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Where results go in these tests."""
    monkeypatch.setattr(tables, "RESULTS", tmp_path)
    return tmp_path


def bench(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", [str(tables.ROOT / "benchmarks" / "coup.py"), *words])
    return Bench("What it does.", "coup.md", lambda parser: parser.add_argument("--games", type=int, default=10))


def test_nothing_is_written_unless_asked(kept, monkeypatch, capsys):
    bench(monkeypatch).publish("Coup", [Figures("Speed", ("what", "n", "share"), ROWS)])
    assert "a step" in capsys.readouterr().out
    assert not [*kept.iterdir()]


def test_a_kept_table_names_its_command_and_its_commit(kept, monkeypatch):
    bench(monkeypatch, "--games", "7", "--write").publish("Coup", [Figures("Speed", ("what", "n", "share"), ROWS)])
    text = (kept / "coup.md").read_text(encoding="utf-8")
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=tables.ROOT, capture_output=True, text=True, check=False)
    assert "`python benchmarks/coup.py --games 7 --write`" in text
    assert f"at commit {head.stdout.strip() or 'unknown'}" in text
    assert "| a step | 87 | 0.500 |\n| a pipe | 1,234 | x[y] |" in text


def test_square_brackets_are_printed_as_they_are(monkeypatch, capsys):
    bench(monkeypatch).publish("Coup", [Figures("Speed", ("what", "n", "share"), ROWS)])
    assert "x[y]" in capsys.readouterr().out


def test_a_failure_is_told_and_ends_with_exit_code_1(monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        bench(monkeypatch).publish("Coup", [], failures=["row 3: 2 of 4"])
    assert ended.value.code == 1
    assert "FAILURE: row 3: 2 of 4" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "many"), [((), 500), (("--quick",), 3)])
def test_a_quick_run_does_less(words, many, monkeypatch):
    assert bench(monkeypatch, *words).many(500, 3) == many


@pytest.mark.parametrize("jobs", [1, 2])
def test_work_is_spread_over_processes(jobs, monkeypatch):
    assert sorted(bench(monkeypatch).spread(abs, [-3, 1, -2], jobs, "counting")) == [1, 2, 3]


def test_negative_numbers_have_a_true_minus_sign_and_ranges_keep_their_hyphen():
    cells = [-0.25, -1200, "+8 ± 3", "-12 ± 36", "95 % (-0.1-0.3)", "P1-2", "-", "`--seed -1`"]
    assert [tables.shown(cell).replace(MINUS, "m") for cell in cells] == [
        "m0.250", "m1,200", "+8 ± 3", "m12 ± 36", "95 % (m0.1-0.3)", "P1-2", "-", "`--seed -1`",
    ]  # fmt: skip
