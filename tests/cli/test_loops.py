"""``kibitz loops``."""

from __future__ import annotations

import json
from dataclasses import replace
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


@pytest.mark.parametrize("words", [[], ["--machine"]])
def test_all_loops_in_a_table(words: list[str]) -> None:
    shown = run(*words)
    for name in LAB:
        assert name in shown
    assert "suspected only" in shown
    assert "every verdict is the one that the rules demand" in shown


def test_other_rules_than_those_of_the_table_expect_nothing() -> None:
    shown = run("--model", "draw")
    assert "expected" not in shown
    assert "declares" not in shown


def test_a_verdict_that_is_not_the_expected_one_makes_the_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.onepiece.lab import ROWS

    monkeypatch.setitem(ROWS, "growth", replace(ROWS["growth"], verdict="draw"))
    result = CliRunner().invoke(app, ["loops", "lab"], env={"COLUMNS": "80"})
    assert result.exit_code == 1
    shown = " ".join(result.stdout.split())
    assert "progress; expected: draw" in shown
    assert "some verdicts are not the expected ones" in shown


def test_one_loop_with_its_cards_its_lap_who_can_stop_it_and_how() -> None:
    shown = run("other", "--declare", "1000000")
    assert "player 1: Waking Bell: When another of your Characters becomes rested, set it active." in shown
    assert "1 player 1: attack with Test Dummy 2 player 1: resolve Waking Bell 3 player 2: resolve Worn Lullaby Post" in shown
    assert "! this state has been seen 4 times: once more, and it is a loop" in shown
    assert "┌─> 1. player 1: resolve Waking Bell └── 2. player 2: resolve Worn Lullaby Post" in shown
    assert "who can stop it: player 1 no, player 2 yes" in shown
    assert "instead of 2, player 2: decline Worn Lullaby Post" in shown
    assert "rule 11-1: who alone can stop it declares" in shown
    assert "player 2 stops after 1,000,000 more laps: 1 played, 999,999 skipped, since they change nothing" in shown
    assert "banned in that state from now on: 'resolve Worn Lullaby Post'" in shown
    assert shown.endswith("verdict: player 2 declares; the turn ends, and the game goes on")


def test_the_changed_one() -> None:
    shown = run("other", "--flip")
    assert "with one change: Lullaby Post instead of Worn Lullaby Post" in shown
    assert "rule 11-1: neither player can stop it, so the game is a draw" in shown
    assert shown.endswith("verdict: draw; the game is a draw")


def test_progress_a_supply_and_suspicion() -> None:
    shown = run("growth")
    assert "each lap: player 1 power +1000 player 2 life -1" in shown
    assert "reaches its threshold first: player 2 life after 0 more laps; then player 1 wins" in shown
    assert "player 1 deck after 34 more laps; then player 2 wins" in run("drain")
    assert "52 steps more of the same" in run("drain")
    assert "player 1 don pays for it: for 4 laps in all" in run("supply")
    assert "from there on it is a loop" in run("harmless")
    assert "nothing is judged" in run("hidden")


def test_other_rules(tmp_path: Path) -> None:
    shown = run("activate", "--model", "seed")
    assert "player 1 stops at once" in shown
    assert "verdict: player 1 must stop" in shown
    assert "11-1" not in shown
    assert "verdict: the game continues" in run("both", "--model", "seed")
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"infiniteLoopRules": {"maxRepeats": 2, "resolution": {"oneCanStop": "draw"}}}))
    shown = run("activate", "--rules", str(file))
    assert "seen 3 times" in shown
    assert "verdict: draw" in shown


def test_numbers_for_each_player() -> None:
    assert "player 2 stops after 3 more laps" in run("both", "--declare", "5,3")


def test_a_tiny_machine() -> None:
    shown = run("other", "--machine")
    assert "player 2, answer: set the card active" in shown
    assert "instead of 2, player 2: leave the card rested" in shown
    assert "4 positions looked at, all there are" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "'nothing': no such loop; these are mandatory"),
        (["supply", "--model", "magic"], "--model 'magic': no such model; these are onepiece, seed, draw, cap"),
        (["--flip"], "--flip: which loop?"),
        (["supply", "--declare", "-1"], "--declare -1: expected a whole number"),
        (["supply", "--declare", "1,2,3"], "--declare 1,2,3: expected a whole number"),
        (["supply", "--rules", "missing.json"], "missing.json: no such file"),
        (["supply", "--rules", "missing.json", "--model", "seed"], "give one of the two"),
    ],
)
def test_mistakes_are_one_line(words: list[str], message: str) -> None:
    assert message in refusal(*words)


def test_a_bad_rules_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text('{"infiniteLoopRules": {"maxRepeats": -1}}')
    assert refusal("supply", "--rules", str(file)).startswith(f"{file}: infiniteLoopRules.maxRepeats: -1: expected")
