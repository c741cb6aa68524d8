"""``kibitz loops``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli import app
from kibitz.cli.common import UserError
from kibitz.loops.lab import LAB


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["loops", "lab", *words], env={"COLUMNS": "80"}, catch_exceptions=False)
    assert result.exit_code == 0
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return " ".join(result.stdout.split())


def refusal(*words: str) -> str:
    with pytest.raises(UserError) as refused:
        CliRunner().invoke(app, ["loops", "lab", *words], catch_exceptions=False)
    return str(refused.value)


def test_all_loops_in_a_table() -> None:
    shown = run()
    for name in LAB:
        assert name in shown
    assert "suspected only" in shown


def test_one_loop_with_its_lap_who_can_stop_it_and_how() -> None:
    shown = run("other-may", "--declare", "1000000")
    assert "┌─> 1. player 1: trigger of player 1: rest a card └── 2. player 2: set the card active" in shown
    assert "who can stop it: player 1 no, player 2 yes" in shown
    assert "instead of 2, player 2: leave the card rested" in shown
    assert "player 2 stops after 1,000,000 laps more; there 'set the card active' may not be chosen again" in shown
    assert "verdict: player 2 declares; the game is over" in shown


def test_the_changed_one() -> None:
    assert "but player 2 must, too" in run("other-may", "--flip")
    assert "verdict: draw; the game is a draw after 8 steps" in run("other-may", "--flip")


def test_progress_and_suspicion() -> None:
    shown = run("growth")
    assert "each lap: life of player 2 -1 and counters +1; life of player 2 comes to its threshold first" in shown
    assert "nothing is judged" in run("hidden")


def test_other_rules(tmp_path: Path) -> None:
    assert "verdict: player 1 must stop" in run("activate", "--model", "seed")
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"infiniteLoopRules": {"maxRepeats": 2, "resolution": {"oneCanStop": "draw"}}}))
    shown = run("activate", "--rules", str(file))
    assert "seen 3 times" in shown
    assert "verdict: draw" in shown


def test_numbers_for_each_player() -> None:
    assert "player 2 stops after 3 laps more" in run("give-and-remove", "--declare", "5,3")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "'nothing': no such loop; these are mandatory"),
        (["ring", "--model", "magic"], "--model 'magic': no such model; these are onepiece, seed, draw, cap"),
        (["ring", "--declare", "-1"], "--declare -1: expected a whole number"),
        (["ring", "--rules", "missing.json"], "missing.json: no such file"),
        (["ring", "--rules", "missing.json", "--model", "seed"], "give one of the two"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str) -> None:
    assert message in refusal(*words)


def test_a_bad_rules_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"infiniteLoopRules": {"maxRepeats": -1}}')
    assert refusal("ring", "--rules", str(file)).startswith(f"{file}: infiniteLoopRules.maxRepeats: -1: expected")
