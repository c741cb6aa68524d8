"""``kibitz coup tree``: every format, positions in words, and what it refuses in one line."""

import json
import re
import shlex
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

TOLD = "players Ann Bob Cid; I am Ann; cards duke captain; coins 3 5 2; Bob lost contessa; Bob assassinates Ann"


@pytest.fixture
def kibitz(kibitz):
    return partial(kibitz, "coup", "tree")


def test_text(kibitz):
    code, out, err = kibitz("--cards", "duke,captain", "--depth", 2)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 14
    assert re.fullmatch(r"PrimaryAction P1  0\.\d\d", lines[0])
    assert re.fullmatch(r"├─ P1 income  PrimaryAction P2  0\.\d\d(  \*)?", lines[1])
    assert re.search(r"^│  ├─ P2 challenge  ChallengeResult P1  0\.\d\d", out, re.MULTILINE)
    assert re.search(r"^   └─ nobody  CounterActionPlayer P2  0\.\d\d", out, re.MULTILINE)
    assert sum(line.endswith("*") for line in lines if line[0] in "├└") == 1
    assert all(len(line) <= 80 for line in lines)


def test_probabilities_in_a_position_that_is_told(kibitz):
    code, out, _ = kibitz(TOLD, "--bluff", 1, "--depth", 2)
    assert code == 0
    assert out.startswith("Challenge P3 P1 ")  # Cid is asked first
    assert "│  ├─ P2 show assassin  25 %  RevealedCard P1" in out  # 3 of the 12 cards that Ann does not see
    assert "nobody  CounterActionPlayer P1" in out
    surely = kibitz(TOLD, "--bluff", 0, "--depth", 2)[1]
    assert "P2 show assassin  100 %" in surely


def test_whoever_decides_next_is_the_root(kibitz):
    """The roots of the first plan for this tree: another player's loss, block, challenge and turn."""
    three = "players 3; cards duke captain; coins 2 8 2;"
    for told, root in [
        ("2 coups 3", "RevealedCard"),
        ("2 assassinates 3; I allow", "CounterActionPlayer P3"),
        ("2 assassinates 3", "Challenge P3 P1"),
        ("2 assassinates 3; 1 to answer", "Challenge P1"),
        ("2 takes income", "PrimaryAction P3"),
        ("turn 2", "PrimaryAction P2"),
    ]:
        code, out, _ = kibitz(f"{three} {told}", "--depth", 0)
        assert (code, out.rpartition("  ")[0]) == (0, root)


def test_unseen_cards_are_counted_at_a_table_of_six(kibitz):
    told = "players 6; cards duke captain; coins 7 7 7 7 7 7; 1 coups 2; 2 to answer"
    out = kibitz(told, "--depth", 1)[1]
    assert re.findall(r"lose (\w+)  (\S+) %", out) == [
        ("duke", "15.4"), ("assassin", "23.1"), ("captain", "15.4"), ("ambassador", "23.1"), ("contessa", "23.1")
    ]  # fmt: skip
    assert "≈" not in out


def test_what_comes_from_drawn_worlds_says_so(kibitz):
    told = "players 6; cards duke captain; coins 7 7 7 7 7 7; 1 exchanges; 2 allows; 3 allows; 4 allows; 5 allows; 6 allows"
    out = kibitz(told, "--depth", 1)[1]
    assert re.search(r"^├─ drawn duke assassin  ≈\d", out, re.MULTILINE)
    assert out.endswith("\n≈ from 1,024 drawn worlds\n")
    root = json.loads(kibitz(told, "--depth", 1, "--format", "json")[1])
    assert "draws" not in root
    assert {child["draws"] for child in root["children"]} == {1024}
    four = told.replace("players 6", "players 4").replace("7 7 7 7 7 7", "7 7 7 7").replace("; 5 allows; 6 allows", "")
    assert "≈" not in kibitz(four, "--depth", 1)[1]


def test_json(kibitz):
    code, out, _ = kibitz("--cards", "duke,captain", "--depth", 3, "--format", "json")
    assert code == 0
    root = json.loads(out)
    assert (root["kind"], root["form"], root["deciders"]) == ("PrimaryAction", "decision", [0])
    assert sum(root["values"]) == pytest.approx(1)
    assert sum(child.get("best", False) for child in root["children"]) == 1
    exchange = next(child for child in root["children"] if child["action"] == "exchange")
    nobody = exchange["children"][-1]
    assert (nobody["seat"], nobody["action"], nobody["kind"]) == (None, "nobody", "Exchange")
    assert sum(child["probability"] for child in nobody["children"]) == pytest.approx(1)
    assert "probability" not in root["children"][0]


def test_dot(kibitz):
    code, out, _ = kibitz("--cards", "duke,captain", "--depth", 1, "--format", "dot")
    lines = out.strip().splitlines()
    assert code == 0
    assert (lines[0], lines[-1]) == ("digraph tree {", "}")
    nodes = re.findall(r'^  n(\d+) \[shape=\w+, label="[^"]*"\];$', out, re.MULTILINE)
    lines_drawn = re.findall(r'^  n(\d+) -> n(\d+) \[label="[^"]*"(?:, style=bold)?\];$', out, re.MULTILINE)
    assert len(nodes) == len(lines_drawn) + 1 == len(lines) - 5 - len(lines_drawn) == 6
    assert {a for a, _ in lines_drawn} == {"0"}


def test_svg_into_a_file(kibitz, tmp_path):
    target = tmp_path / "tree.svg"
    code, out, _ = kibitz("--cards", "duke,captain", "--depth", 2, "--format", "svg", "--out", target)
    assert (code, out) == (0, f"written: {target}, 14 nodes\n")
    root = ElementTree.parse(target).getroot()
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {"legend", *(f"node-{i}" for i in range(14)), *(f"line-{i}" for i in range(1, 14))} == set(ids)
    width = float(root.get("width"))
    boxes = [rect for rect in root.iter("{http://www.w3.org/2000/svg}rect") if rect.get("x")]
    assert all(float(box.get("x")) + float(box.get("width")) <= width for box in boxes)


def test_the_same_seed_draws_the_same_tree(kibitz):
    assert kibitz("--seats", 5, "--seed", 4)[1] == kibitz("--seats", 5, "--seed", 4)[1]
    assert kibitz("--seed", 4)[1] != kibitz("--seed", 5)[1]


def best_of(drawn):
    """What is best at the root, and everything that it is worth."""
    root = json.loads(drawn)
    return root["values"], [(child["action"], child["values"], child.get("best", False)) for child in root["children"]]


def test_what_is_best_does_not_depend_on_how_deep_the_drawing_is(kibitz):
    told = "cards duke captain; coins 2 3"
    whole = best_of(kibitz(told, "--format", "json")[1])
    assert sum(best for *_, best in whole[1]) == 1
    for depth in (1, 2, 3, 5):
        assert best_of(kibitz(told, "--depth", depth, "--format", "json")[1]) == whole


def test_whole_turns_are_drawn(kibitz):
    """Nothing is cut off within the turn, and nothing is drawn beyond it."""
    told = "players 2; cards contessa; coins 2 6; I lost duke; 2 lost duke; 2 assassinates 1"
    lines = kibitz(told)[1].splitlines()
    kinds = {re.search(r"(\w+)( P\d)*  \d\.\d\d(  \*)?$", line)[1] for line in lines}
    assert kinds == {"Challenge", "ChallengeResult", "CounterActionPlayer", "GameEnd", "PrimaryAction", "RevealedCard"}
    assert all("PrimaryAction P1" in line for line in lines if "PrimaryAction" in line)
    longer = kibitz(told, "--turns", 2, "--max-nodes", 100_000)[1].splitlines()
    assert len(longer) > 5 * len(lines)
    assert any("PrimaryAction P2" in line for line in longer)


def test_a_turn_that_is_too_large_is_drawn_as_far_as_it_fits(kibitz):
    lines = kibitz("--seats", 4)[1].splitlines()
    assert 500 < len(lines) <= 2001
    assert lines[-1] == "only 6 steps are drawn: all have more than 2,000 nodes; values look to the end of the turn"


def test_who_is_out_sees_a_node_of_its_own_kind(kibitz):
    out = kibitz("players 3; cards duke; coins 2 8 2; I lost contessa; 2 coups 1", "--depth", 1)[1]
    assert out.splitlines()[1] == "└─ P1 lose duke  ObserverOut  0.00  *"


def test_another_seat(kibitz):
    code, out, _ = kibitz("--seats", 3, "--seat", 2, "--cards", "duke,duke", "--depth", 1)
    assert code == 0
    assert out.startswith("PrimaryAction P1  0.3")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seats", 6, "--depth", 9], "more than 2,000 nodes at depth 6; use a smaller --depth or a larger --max-nodes"),
        (["--depth", 3, "--max-nodes", 5], "more than 5 nodes at depth 1"),
        (["--seats", 4, "--depth", 6, "--format", "svg"], "more than 400 nodes at depth 6; use a smaller --depth"),
        (["--cards", "duke"], "--cards duke: you hold one card, but have two left"),
        (["--cards", "duke,dragon"], "'dragon' is not a character"),
        (["--seat", 3], "--seat 3: the seats are 1 to 2"),
        ([TOLD, "--seats", 3], "the text says who plays"),
        (["--bluff", 0.5], "--bluff: nothing has been claimed yet"),
        ([TOLD, "--bluff", 2], "--bluff 2.0: expected a number from 0 to 1"),
        (["--format", "pdf"], "--format pdf: expected text, json, dot or svg"),
        (["players 3; cards duke duke; coins 2 2 2; 2 lost duke; 3 lost duke"], "there are only three"),
        (["--rule", "dragons"], "--rule"),
        (["--out", "nowhere/tree.txt"], "there is no folder nowhere"),
    ],
)
def test_refusals_are_one_line(kibitz, arguments, complaint):
    code, out, err = kibitz(*arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_the_docs_print_what_the_command_prints(kibitz):
    page = (Path(__file__).parents[2] / "docs" / "tree.md").read_text(encoding="utf-8")
    shown = re.findall(r"```console\n\$ kibitz coup tree (.*)\n((?:.*\n)*?)```", page)
    assert shown
    for command, output in shown:
        assert kibitz(*shlex.split(command))[1] == output


def test_the_picture_in_the_docs_is_what_the_command_draws(kibitz):
    picture = (Path(__file__).parents[2] / "docs" / "images" / "coup-tree.svg").read_text(encoding="utf-8")
    told = "players 2; cards duke contessa; coins 2 4; 2 assassinates 1"
    assert kibitz(told, "--depth", 3, "--format", "svg")[1] == picture
