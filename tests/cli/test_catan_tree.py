"""``kibitz catan tree``: a position of a record as a tree, with dice and their probabilities, as one player sees it."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

from kibitz.catan import Board
from kibitz.catan.core.position import PHASES
from kibitz.catan.core.record import Record, simulate
from kibitz.game import legal_actions

FEW = ("--worlds", 4, "--games", 1)


@pytest.fixture(scope="module")
def played() -> Record:
    return simulate(Board.beginner(), ["builder"] * 3, seed=2)


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "catan", "tree")


def steps(played: Record) -> dict[str, int]:
    """The last step of each phase."""
    return {PHASES[int(states["phase"][0])]: step for step, states in enumerate(played.states())}


def test_a_decision_has_a_line_for_every_legal_action(kibitz, file, played):
    step = steps(played)["MAIN"]
    states = next(s.copy() for i, s in enumerate(played.states()) if i == step)
    seat = int(states["player"][0]) + 1
    code, out, err = kibitz(file, "--at", step, *FEW)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert re.fullmatch(rf"decision P{seat}  \d\.\d\d", lines[0])
    assert [line.split("  ")[0][3:] for line in lines[1:]] == [
        f"P{seat} {played.action_text(a)}" for a in legal_actions(states)
    ]
    assert sum(line.endswith("*") for line in lines) == 1
    assert kibitz(file, "--at", step, *FEW)[1] == out


def test_the_dice_have_their_probabilities(kibitz, file, played):
    rolled = json.loads(kibitz(file, "--at", steps(played)["ROLLING"], "--format", "json", *FEW)[1])
    assert [child["action"] for child in rolled["children"]] == [f"rolled {total}" for total in range(2, 13)]
    assert [round(36 * child["probability"]) for child in rolled["children"]] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert not any("draws" in child for child in rolled["children"])


def test_what_hangs_on_drawn_cards_is_marked(kibitz, file, played):
    drawn: dict[str, set[int]] = {"player": set(), "victim": set()}
    for step, states in enumerate(played.states()):
        if PHASES[int(states["phase"][0])] == "STEALING":
            for who, found in drawn.items():
                out = kibitz(file, "--at", step, "--seat", int(states[who][0]) + 1, "--format", "json", *FEW)[1]
                found |= {child.get("draws", 0) for child in json.loads(out)["children"]}
    assert drawn == {"player": {0, 4}, "victim": {0}}  # who robs may know all cards of a hand, who is robbed always does


def test_who_did_not_see_a_card_sees_one_way_only(kibitz, file, played):
    step = steps(played)["STEALING"]
    states = next(s.copy() for i, s in enumerate(played.states()) if i == step)
    thief, victim = int(states["player"][0]), int(states["victim"][0])
    (other,) = {0, 1, 2} - {thief, victim}
    unseen = json.loads(kibitz(file, "--at", step, "--seat", other + 1, "--format", "json", *FEW)[1])
    assert [child["probability"] for child in unseen["children"]] == [1.0]


def test_every_phase_can_be_drawn(kibitz, file, played):
    last = steps(played)
    over = last.pop("GAME_OVER")
    for step in last.values():
        code, out, err = kibitz(file, "--at", step, *FEW, "--max-nodes", 400)
        assert (code, err) == (0, "")
        assert out.strip()
    assert kibitz(file, "--at", over)[1].startswith("end  ")


def test_the_page_shows_what_is_printed(kibitz):
    root = Path(__file__).parents[2]
    page = (root / "docs" / "tree.md").read_text(encoding="utf-8")
    shown = re.search(r"^\$ kibitz catan tree examples/game.jsonl.gz --at 444\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert shown
    assert kibitz(root / "examples" / "game.jsonl.gz", "--at", 444)[1] == shown[1]
