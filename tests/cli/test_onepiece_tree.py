"""``kibitz onepiece tree``: a position of a record as a tree, in every format, and what it refuses in one line."""

import json
import re
import sys
from functools import partial
from pathlib import Path

import pytest

from kibitz import cli
from kibitz.game import OVER
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.record import Record, simulate

FEW = ("--worlds", 8, "--games", 1)


@pytest.fixture(scope="module")
def played() -> Record:
    return simulate(["greedy", "greedy"], seed=3)


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "onepiece", "tree")


def step_of(played: Record, waiting: Wait, actions: int = 2) -> int:
    """The last step at which the game waits for this, with so many possibilities at least."""
    return [i for i, (s,) in enumerate(played.states()) if s.waiting is waiting and len(s.actions()) >= actions][-1]


def test_a_decision_has_a_line_for_every_legal_action(kibitz, file, played):
    step = step_of(played, Wait.MAIN)
    state = next(s for i, (s,) in enumerate(played.states()) if i == step)
    seat = state.asked + 1
    code, out, _ = kibitz(file, "--at", step, *FEW)
    assert code == 0
    lines = out.splitlines()
    assert re.fullmatch(rf"decision P{seat}  \d\.\d\d", lines[0])
    assert [line.split("  ")[0][3:] for line in lines[1:]] == [f"P{seat} {state.describe(a)}" for a in state.actions()]
    assert sum(line.endswith("*") for line in lines) == 1
    assert all(len(line) <= 80 for line in lines)
    assert kibitz(file, "--at", step, *FEW)[1] == out


def test_a_draw_is_seen_by_its_owner_alone(kibitz, file, played):
    step = step_of(played, Wait.DRAWN)
    drawing = next(s.drawing[0] for i, (s,) in enumerate(played.states()) if i == step)
    own = json.loads(kibitz(file, "--at", step, "--seat", drawing + 1, "--format", "json", *FEW)[1])
    assert len(own["children"]) > 2
    assert sum(child["probability"] for child in own["children"]) == pytest.approx(1)
    other = json.loads(kibitz(file, "--at", step, "--seat", 2 - drawing, "--format", "json", *FEW)[1])
    assert [(child["action"], child["probability"]) for child in other["children"]] == [("unseen", pytest.approx(1))]


def test_a_picture_in_a_file(kibitz, file, played, tmp_path):
    step, target = step_of(played, Wait.MAIN), tmp_path / "tree.svg"
    code, out, _ = kibitz(file, "--at", step, "--format", "svg", "--out", target, *FEW)
    assert code == 0
    assert out.startswith(f"written: {target}, ")
    assert f"The One Piece card game, turn {_turn(played, step)}, before step {step}, through" in target.read_text(
        encoding="utf-8"
    )


def _turn(played: Record, step: int) -> int:
    return next(s.turn for i, (s,) in enumerate(played.states()) if i == step)


def test_the_end_is_a_tree_of_one_node(kibitz, file, played):
    *_, (last,) = played.states()
    assert last.actor() == OVER
    values = "1.00" if last.winner == 0 else "0.00"
    assert kibitz(file, "--at", len(played.codes), "--seat", 1, *FEW)[1] == f"end  {values}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--at", 9999), r"--at 9999: the game has steps 0 to \d+"),
        (("--at", 0, "--game", 1), "there is no game 1; the file holds 1"),
        (("--at", 0, "--max-nodes", 3), "the tree has more than 3 nodes at depth 1; use a smaller --depth or"),
        (("--at", 0, "--seat", 3), "--seat"),
        ((), "the game is over: choose a position before its end with --at"),
    ],
)
def test_what_it_refuses(kibitz, file, arguments, message):
    code, out, err = kibitz(file, *arguments)
    assert code != 0
    assert out == ""
    assert re.search(message, err)


def test_the_docs_print_what_the_command_prints(kibitz, tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "tree.md").read_text(encoding="utf-8")
    shown = re.findall(r"\$ kibitz onepiece simulate (.*)\n\$ kibitz onepiece tree (.*)\n((?:.*\n)*?)```", page)
    assert shown
    monkeypatch.chdir(tmp_path)
    for recorded, drawn, output in shown:
        monkeypatch.setattr(sys, "argv", ["kibitz", "onepiece", "simulate", *recorded.split()])
        with pytest.raises(SystemExit):
            cli.main()
        assert kibitz(*drawn.split())[1].endswith(output)
