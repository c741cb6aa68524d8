"""The series against catanatron: what is kept of it, and what it does where catanatron is not installed."""

import json
import runpy
import sys
from pathlib import Path

import pytest

from kibitz.catan.bots import bot_named

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "versus_catanatron.py"
OUTCOME = {
    "asked": "ismcts:0.5s", "bot": "ismcts:4321", "opponent": "value", "number": 5, "seed": 1, "seat": 1, "won": True,
    "over": True, "turns": 70, "seconds": 1.5, "thought": 0.5, "decisions": 60, "resynchronisations": {"road_holder": 1},
    "differences": {}, "refused": 0,
}  # fmt: skip


def run(monkeypatch, *words, name="__main__"):
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "--quick", *words])
    monkeypatch.syspath_prepend(SCRIPT.parent)
    return runpy.run_path(str(SCRIPT), run_name=name)


def test_without_catanatron_it_says_so(monkeypatch, capsys):
    for module in [name for name in sys.modules if name.partition(".")[0] == "catanatron"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "catanatron", None)
    run(monkeypatch)
    assert capsys.readouterr().out.startswith("catanatron is not installed: pip install 'kibitz[bench]'")


def test_games_are_not_played_twice(monkeypatch, capsys, tmp_path):
    pytest.importorskip("catanatron")
    file = tmp_path / "games.jsonl"
    run(monkeypatch, "--outcomes", str(file), "--bot", "random")
    (line,) = file.read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert (found["bot"], found["opponent"], found["seat"], found["refused"]) == ("random", "weighted", 0, 0)
    first = capsys.readouterr().out
    run(monkeypatch, "--outcomes", str(file), "--bot", "random")
    assert file.read_text(encoding="utf-8").splitlines() == [line]
    assert capsys.readouterr().out == first


def test_an_unknown_opponent(monkeypatch):
    pytest.importorskip("catanatron")
    with pytest.raises(SystemExit, match="no such player"):
        run(monkeypatch, "--opponent", "nobody")
    with pytest.raises(SystemExit, match="no checkout of catanatron"):
        run(monkeypatch, "--sources", "nowhere")


def test_what_was_cut_off_is_passed_over(monkeypatch, tmp_path):
    script = run(monkeypatch, name="versus")
    file = tmp_path / "games.jsonl"
    line = json.dumps(OUTCOME)
    file.write_text(f"{line}\n{line[:50]}", encoding="utf-8")
    (outcome,) = script["kept"](file)
    assert outcome.job == script["Job"]("ismcts:0.5s", "ismcts:4321", "value", 5, 1, "elsewhere")
    script["keep"](file, outcome)
    assert script["kept"](file) == [outcome, outcome]
    assert script["kept"](tmp_path / "none") == script["kept"](None) == []
    assert script["row"]("ismcts:4321", "value", [outcome])[2] == "100.0 % (20.7-100.0)"


def test_a_time_a_move_becomes_iterations_once(monkeypatch, capsys):
    script = run(monkeypatch, name="versus")
    in_iterations = script["in_iterations"]
    assert in_iterations("builder", []) == "builder"
    assert in_iterations("ismcts:50", []) == "ismcts:50"
    counted = in_iterations("ismcts:0.01s", [])
    assert bot_named(counted).player().thinking.limit.iterations > 0
    assert capsys.readouterr().out == f"ismcts:0.01s is {counted} on this machine\n"
    assert in_iterations("ismcts:0.5s", [script["Outcome"](**OUTCOME)]) == "ismcts:4321"
