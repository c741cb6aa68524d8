"""``kibitz loops``."""

import json
from dataclasses import replace

import pytest

from kibitz.ground.signs import MINUS
from kibitz.loops.lab import LAB
from tests.cli.results import refused


@pytest.fixture
def lab(kibitz):
    """What the loop lab prints, as one line of words."""

    def shown(*words: object, code: int = 0) -> str:
        ran, out, err = kibitz("loops", "lab", *words)
        assert (ran, err) == (code, "")
        assert all(len(line) <= 80 for line in out.splitlines())
        return " ".join(out.split())

    return shown


@pytest.mark.parametrize("words", [[], ["--machine"]])
def test_all_loops_in_a_table(lab, words):
    shown = lab(*words)
    for name in LAB:
        assert name in shown
    assert "suspected only" in shown
    assert "every verdict is as the rules demand" in shown


def test_other_rules_than_those_of_the_table_expect_nothing(lab):
    shown = lab("--guard", "draw")
    assert "expected" not in shown
    assert "declares" not in shown


def test_a_verdict_that_is_not_the_expected_one_makes_the_exit_status_1(lab, monkeypatch):
    from kibitz.onepiece.looplab import CARD_LAB

    monkeypatch.setitem(CARD_LAB, "growth", replace(CARD_LAB["growth"], expected="draw"))
    shown = lab(code=1)
    assert "progress; expected: draw" in shown
    assert "some verdicts are not the expected ones" in shown


def test_one_loop_with_its_cards_its_lap_who_can_stop_it_and_how(lab):
    shown = lab("other", "--declare", "1000000")
    assert "player 1: Waking Bell: When another of your Characters becomes rested, set it active." in shown
    assert "1 player 1: attack with Test Dummy 2 player 1: resolve Waking Bell 3 player 2: resolve Worn Lullaby Post" in shown
    assert "! this state has been seen 4 times: once more, and it is a loop" in shown
    assert "┌─> 1. player 1: resolve Waking Bell └── 2. player 2: resolve Worn Lullaby Post" in shown
    assert "who can stop it: player 1 no, player 2 yes" in shown
    assert "instead of 2, player 2: decline Worn Lullaby Post" in shown
    assert "rule 11-1: the one who can stop it declares" in shown
    assert "player 2 stops after 1,000,000 more laps: 1 played, 999,999 skipped, since they change nothing" in shown
    assert "forbidden in that state from now on: 'resolve Worn Lullaby Post'" in shown
    assert shown.endswith("verdict: player 2 declares; the turn ends, and the game goes on")


def test_the_changed_one(lab):
    shown = lab("other", "--flip")
    assert "with one change: Lullaby Post instead of Worn Lullaby Post" in shown
    assert "rule 11-1: neither player can stop it, so the game is a draw" in shown
    assert shown.endswith("verdict: draw; the game is a draw")


def test_progress_a_supply_and_suspicion(lab):
    shown = lab("growth")
    assert f"each lap: player 1 power +1000 player 2 life {MINUS}1" in shown
    assert "reaches its threshold first: player 2 life after 0 more laps; then player 1 wins" in shown
    assert "player 1 deck after 34 more laps; then player 2 wins" in lab("drain")
    assert "52 more steps of the same" in lab("drain")
    assert "player 1 don pays for it: for 4 laps in all" in lab("supply")
    assert "from there on it is a loop" in lab("harmless")
    assert "nothing is judged" in lab("hidden")


def test_other_rules(lab, tmp_path):
    shown = lab("activate", "--guard", "seed")
    assert "player 1 stops at once" in shown
    assert "verdict: player 1 must stop" in shown
    assert "11-1" not in shown
    assert "verdict: the game continues" in lab("both", "--guard", "seed")
    file = tmp_path / "rules.json"
    file.write_text(json.dumps({"infiniteLoopRules": {"maxRepeats": 2, "resolution": {"oneCanStop": "draw"}}}))
    shown = lab("activate", "--guard", file)
    assert "seen 3 times" in shown
    assert "verdict: draw" in shown


def test_numbers_for_each_player(lab):
    assert "player 2 stops after 3 more laps" in lab("both", "--declare", "5,3")


def test_a_tiny_machine(lab):
    shown = lab("other", "--machine")
    assert "player 2, answer: set the card active" in shown
    assert "instead of 2, player 2: leave the card rested" in shown
    assert "4 positions looked at, all there are" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "'nothing': no such loop; these are mandatory"),
        (
            ["supply", "--guard", "magic"],
            "--guard 'magic': no such model; choose from onepiece, declare, seed",
        ),
        (["supply", "--guard", "missing.json"], "--guard 'missing.json': no such model"),
        (["supply", "--guard", "none"], "--guard none: without rules"),
        (["--flip"], "--flip: name a loop"),
        (["supply", "--declare", "-1"], "--declare -1: expected a whole number"),
        (["supply", "--declare", "1,2,3"], "--declare 1,2,3: expected a whole number"),
    ],
)
def test_mistakes_are_one_line(kibitz, words, message):
    assert message in refused(kibitz("loops", "lab", *words))


def test_a_bad_rules_file_is_named_with_its_key(kibitz, tmp_path):
    file = tmp_path / "rules.json"
    file.write_text('{"infiniteLoopRules": {"maxRepeats": -1}}')
    error = refused(kibitz("loops", "lab", "supply", "--guard", file))
    assert error.startswith(f"--guard {file}: infiniteLoopRules.maxRepeats: -1: expected")
