"""Records: they read back and replay, equal games are equal bytes, and the first thing that is wrong is named with its line."""

import copy
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz import game
from kibitz.catan import Action, Board, Rules
from kibitz.catan.core.codes import RANGES
from kibitz.catan.core.position import PHASES, position
from kibitz.catan.core.record import Record, RecordError, check, read, read_file, read_lines, simulate, writing

Lines = list[dict[str, Any]]
DOCS = Path(__file__).parents[2] / "docs" / "record.md"

RECORD = simulate(Board.random(3), ["builder", "random", "builder"], 5, Rules(max_turns=6))
PHASED = simulate(
    Board.beginner(), ["random", "builder"], 6, Rules(max_turns=4, phased_turns=True, friendly_robber=True), number=1
)


def parsed(record: Record = RECORD, full: bool = True) -> Lines:
    return [json.loads(line) for line in record.lines(full)]


def verify(lines: Lines) -> list[Record]:
    return list(check(json.dumps(line) for line in lines))


def complaint(lines: Lines) -> str:
    with pytest.raises(RecordError) as caught:
        verify(lines)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return str(caught.value)


def write(path: Path, *records: Record, full: bool = False) -> Path:
    with writing(path) as write_line:
        for record in records:
            for line in record.lines(full):
                write_line(line)
    return path


# --- there and back -------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("record", [RECORD, PHASED], ids=["default", "phased"])
def test_a_record_reads_back_and_replays(record, full):
    lines = list(record.lines(full))
    assert list(read_lines(lines)) == [record]
    steps = []
    assert list(check(lines, steps.append)) == [record]
    assert steps == [len(record.codes)]


@pytest.mark.plain
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_games_follow_one_another_in_a_file(name, tmp_path):
    file = write(tmp_path / name, RECORD, PHASED, RECORD)
    games = list(read(file))
    assert games == [RECORD, PHASED, RECORD]
    numbers = [number for number, _ in read_file(file)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.plain
def test_positions_are_those_of_the_game():
    states = [states.copy() for states in RECORD.states()]
    assert len(states) == len(RECORD.codes) + 1
    assert game.actor_at(states[-1], 0) == game.OVER


@pytest.mark.plain
def test_a_full_record_tells_everything():
    lines = parsed()
    states = [states.copy() for states in RECORD.states()]
    for before, line, after in zip(states[:-1], lines[1:-1], states[1:], strict=True):
        assert line["state"] == json.loads(json.dumps(position(after)))
        assert line["legal"] == sorted(set(line["legal"]))
        assert len(line["legal"]) == len(game.legal_actions(before))
    assert lines[-1]["points"] == lines[-2]["state"]["total_points"]


@pytest.mark.plain
def test_a_foreign_game_needs_no_seed():
    lines = parsed(full=False)
    lines[0]["seed"] = None
    (record,) = verify(lines)
    assert record.seed is None


# --- bytes ----------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_equal_games_are_equal_bytes(tmp_path):
    first, second = write(tmp_path / "a.jsonl.gz", RECORD), write(tmp_path / "b.jsonl.gz", RECORD)
    content = first.read_bytes()
    assert content == second.read_bytes()
    assert content[:2] == b"\x1f\x8b"
    assert content[3] & 0x08 == 0, "no file name inside"
    assert content[4:8] == bytes(4), "no time stamp inside"
    plain = write(tmp_path / "c.jsonl", RECORD)
    assert gzip.decompress(content) == plain.read_bytes()
    assert b"\r" not in plain.read_bytes()


def test_the_same_seed_gives_the_same_bytes_in_every_process(tmp_path):
    files = []
    for hash_seed in ("1", "2"):
        file = tmp_path / f"{hash_seed}.jsonl.gz"
        command = [
            sys.executable,
            "-m",
            "kibitz.cli",
            "catan",
            "simulate",
            "--games",
            "3",
            "--seed",
            "8",
            "--policy",
            "builder",
        ]
        command += ["--rule", "max_turns=20", "--record", str(file), "--full"]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, check=True)
        files.append(file.read_bytes())
    assert files[0] == files[1]
    assert len(gzip.decompress(files[0])) > 100_000


# --- nothing half-written -------------------------------------------------------------------------------------


def write_and_fail(path: Path, error: type[BaseException]) -> None:
    with writing(path) as write_line:
        for line in list(RECORD.lines())[:50]:
            write_line(line)
        raise error("midway")


@pytest.mark.plain
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_a_failure_midway_leaves_what_was_there(name, error, tmp_path):
    file = write(tmp_path / name, PHASED)
    before = file.read_bytes()
    with pytest.raises(error, match="midway"):
        write_and_fail(file, error)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.plain
def test_a_failure_midway_leaves_no_new_file(tmp_path):
    with pytest.raises(ValueError, match="midway"):
        write_and_fail(tmp_path / "new.jsonl", ValueError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.plain
def test_nothing_is_seen_before_the_end(tmp_path):
    file = tmp_path / "new.jsonl"
    with writing(file) as write_line:
        write_line("{}")
        assert not file.exists()
    assert file.read_text() == "{}\n"


# --- what is wrong is named -----------------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every single value inside a JSON value."""
    if isinstance(value, dict | list) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path


def change(value: Any, path: tuple[Any, ...]) -> None:
    """Make one single value another of the same sort."""
    *way, last = path
    for key in way:
        value = value[key]
    old = value[last]
    value[last] = (
        not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else "changed" if isinstance(old, str) else 0
    )


def name_of(path: tuple[Any, ...]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)


STEP = 60


def test_every_changed_value_of_a_state_is_named():
    lines = parsed()[: STEP + 2]
    paths = list(leaves(lines[STEP + 1]["state"]))
    assert len(paths) > 100
    for path in paths:
        wrong = copy.deepcopy(lines)
        change(wrong[STEP + 1]["state"], path)
        wrong.append({"end": True})
        assert complaint(wrong).startswith(f"line {STEP + 2}: step {STEP}: state{name_of(path)} is ")


@pytest.mark.plain
@pytest.mark.parametrize("name", ["step", "turn", "phase", "actor"])
def test_every_changed_value_of_a_step_is_named(name):
    lines = parsed()
    change(lines[STEP + 1], (name,))
    assert complaint(lines).startswith(f"line {STEP + 2}: step {STEP}: {name} is {lines[STEP + 1][name]!r} in the record")


@pytest.mark.plain
@pytest.mark.parametrize("name", ["termination", "winner", "turns", "steps", "points"])
def test_every_changed_value_of_the_end_is_named(name):
    lines = parsed()
    change(lines[-1], (name, 1) if name == "points" else (name,))
    assert complaint(lines).startswith(f"line {len(lines)}: end.{name}")
    del lines[-1][name]
    assert complaint(lines) == f"line {len(lines)}: end.{name} is missing"


@pytest.mark.plain
def test_a_changed_list_of_legal_actions_is_named():
    lines = parsed()
    lines[STEP + 1]["legal"].append("zzz")
    assert re.match(f"line {STEP + 2}: step {STEP}: legal has \\d+ entries in the record, \\d+ by the rules", complaint(lines))
    lines[STEP + 1]["legal"] = ["zzz"]
    assert complaint(lines).startswith(f"line {STEP + 2}: step {STEP}: legal[0] is 'zzz' in the record")


@pytest.mark.plain
@pytest.mark.parametrize("full", [False, True])
def test_an_illegal_action_is_named_with_its_rule(full):
    for step, line in enumerate(parsed()[1:-1]):
        if line["kind"] == "place_setup_settlement" and step:
            lines = parsed(full=full)
            lines[step + 1]["data"] = lines[1]["data"]
            corner = lines[1]["data"]["corner"]
            assert complaint(lines) == f"line {step + 2}: step {step}: corner {corner} is taken"
            return


@pytest.mark.plain
def test_another_legal_action_is_found_out_by_the_state():
    lines = parsed()
    at = next(i for i, line in enumerate(lines) if line.get("kind") == "place_setup_road")
    other = next(text for text in lines[at]["legal"] if text.split()[1] != "-".join(map(str, lines[at]["data"]["edge"])))
    lines[at]["data"]["edge"] = [int(corner) for corner in other.split()[1].split("-")]
    assert complaint(lines).startswith(f"line {at + 1}: step {at - 1}: state.roads[0][0][")


def test_every_action_can_be_replaced_only_by_itself():
    """Whatever other legal action stands in a full record, that very line is named."""
    lines = parsed()
    for at in range(1, len(lines) - 1, 7):
        others = [text for text in lines[at]["legal"] if text != text_of(lines[at])]
        if others:
            wrong = copy.deepcopy(lines[: at + 1])
            wrong[at].update(Action.from_text(others[len(others) // 2]).to_json())
            assert complaint([*wrong, {"end": True}]).startswith(f"line {at + 1}: step {at - 1}: state")


def text_of(line: dict[str, Any]) -> str:
    return Action.from_json(line).to_text()


@pytest.mark.plain
def test_a_record_that_breaks_off_is_reported_wherever_it_does():
    lines = parsed(full=False)
    for cut in range(1, len(lines)):
        assert complaint(lines[:cut]) == f"line {cut}: the record breaks off: the game of line 1 has no end line"
    assert verify([]) == []
    text = list(RECORD.lines())
    with pytest.raises(RecordError, match=r"^line 9: not JSON: .* column \d+"):
        list(check([*text[:8], text[8][: len(text[8]) // 2]]))


@pytest.mark.plain
def test_missing_and_extra_lines_are_reported():
    lines = parsed(full=False)
    assert complaint([*lines[:4], *lines[5:]]) == "line 5: step 3: step is 4 in the record, 3 by the rules"
    assert complaint([*lines[:5], *lines[4:]]) == "line 6: step 4: step is 3 in the record, 4 by the rules"
    assert complaint([*lines[:-1], *lines]) == f"line {len(lines)}: a new game begins, but the one of line 1 has no end line"
    early = [*lines[:5], lines[-1]]
    assert complaint(early) == "line 6: the game ends here, but it is not over: it waits for SETUP_SETTLEMENT"
    assert complaint([*lines, *lines[1:]]) == f'line {len(lines) + 1}: expected the header of a game, with "record": "catan"'
    assert complaint([*lines[:-1], lines[-2], lines[-1]]).startswith(f"line {len(lines)}: step {len(lines) - 2}: step is ")


def offer(**data: dict[str, int]) -> dict[str, Any]:
    return {"kind": "offer_trade", "data": data}


def header(change: Callable[[dict[str, Any]], Any]) -> Lines:
    lines = parsed(full=False)
    change(lines[0])
    return lines


@pytest.mark.plain
@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda h: h.update(record="chess"), 'expected the header of a game, with "record": "catan"'),
        (lambda h: h.pop("record"), 'expected the header of a game, with "record": "catan"'),
        (lambda h: h.update(version=2), "version 2 of the format is unknown; this is version 1"),
        (lambda h: h.pop("version"), "version None of the format is unknown; this is version 1"),
        (lambda h: h.pop("seats"), "the field seats is missing"),
        (lambda h: h.pop("board"), "the field board is missing"),
        (lambda h: h.pop("rules"), "the field rules is missing"),
        (lambda h: h.pop("seed"), "the field seed is missing"),
        (lambda h: h.pop("game"), "the field game is missing"),
        (lambda h: h.update(seed="5"), "seed: '5' is not what belongs there"),
        (lambda h: h.update(seats=["builder"]), "seats: expected 2 to 4 names"),
        (lambda h: h.update(seats=["builder"] * 5), "seats: expected 2 to 4 names"),
        (lambda h: h.update(seats=[1, 2]), "seats: expected 2 to 4 names"),
        (lambda h: h["rules"].update(victory_points=99), "rules: victory_points=99: expected a whole number from 3 to 20"),
        (lambda h: h["rules"].update(phased_turns=1), "rules: phased_turns=1: expected true or false"),
        (lambda h: h["rules"].update(dragons=True), "rules: unknown rule 'dragons'"),
        (lambda h: h["board"]["hexes"].pop(), "board: hex 18: missing; expected 19 hexes, found 18"),
        (lambda h: h["board"].pop("hexes"), "board: board: the field hexes is missing"),
        (lambda h: h["board"]["hexes"][4].pop("number"), "board: hex 4: the field number is missing"),
        (lambda h: h["board"]["hexes"][4].update(resource="gold"), "board: hex 4: unknown resource 'gold'"),
        (lambda h: h["board"]["harbours"].pop(), "board: expected 9 harbours, found 8"),
        (lambda h: h["board"]["edges"].reverse(), "board: edges: not the 72 edges of the island"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_header_is_named(edit, message):
    assert complaint(header(edit)).startswith(f"line 1: {message}")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda s: s.pop("kind"), "the field kind is missing"),
        (lambda s: s.pop("data"), "the field data is missing"),
        (lambda s: s.update(data=7), "data: 7 is not what belongs there"),
        (lambda s: s.update(kind="fly"), "'fly': no such action"),
        (lambda s: s.update(data={}), "place_setup_settlement: corner is missing"),
        (lambda s: s.update(data={"corner": 54}), "corner 54: expected a whole number from 0 to 53"),
        (lambda s: s.update(data={"corner": "3"}), "corner '3': expected a whole number from 0 to 53"),
        (lambda s: s.update(data={"corner": True}), "corner True: expected a whole number from 0 to 53"),
        (lambda s: s.update(data={"corner": 3, "edge": [0, 1]}), "place_setup_settlement: edge does not belong there"),
        (lambda s: s.update(kind="place_setup_road", data={"edge": [0, 53]}), "edge [0, 53]: not two neighbouring corners"),
        (lambda s: s.update(kind="stolen", data={"resource": "gold"}), "'gold': not a resource"),
        (lambda s: s.update(offer(give={"wood": 20}, receive={"ore": 1})), "wood 20: expected a number of cards from 0 to 19"),
        (lambda s: s.update(offer(give={"ore": 1}, receive={"ore": 1})), "ore: a resource cannot be on both sides of a trade"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_step_is_named(edit, message):
    lines = parsed(full=False)
    edit(lines[1])
    assert complaint(lines).startswith(f"line 2: {message}")


NO_JSON = ["", "{", "nan", "[" * 100_000, '{"record": ' + "9" * 5000 + "}"]


@pytest.mark.plain
@pytest.mark.parametrize("text", [*NO_JSON, "[]", "7", '"text"', "{}", "null"], ids=lambda text: text[:14])
def test_lines_that_are_no_header_are_refused(text):
    with pytest.raises(RecordError, match=r"^line 1: "):
        list(check([text]))


@pytest.mark.plain
@pytest.mark.parametrize("text", [*NO_JSON, "[]", "7", '"text"', "null"], ids=lambda text: text[:14])
def test_lines_that_are_no_step_are_refused(text):
    start = list(RECORD.lines())[:2]
    with pytest.raises(RecordError, match=r"^line 3: "):
        list(check([*start, text]))


# --- damaged files --------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_truncated_gzip_is_reported_wherever_it_ends(tmp_path):
    content = write(tmp_path / "whole.jsonl.gz", RECORD).read_bytes()
    file = tmp_path / "cut.jsonl.gz"
    for cut in (1, 5, 10, 11, 50, len(content) // 2, len(content) - 9, len(content) - 8, len(content) - 1):
        file.write_bytes(content[:cut])
        with pytest.raises(RecordError, match=r"^line \d+: the file is damaged here"):
            list(check(line for _, line in read_file(file)))


def test_a_damaged_gzip_is_reported_wherever_a_byte_is_wrong(tmp_path):
    content = write(tmp_path / "whole.jsonl.gz", RECORD, full=True).read_bytes()
    file = tmp_path / "wrong.jsonl.gz"
    for place in [0, 1, 2, *range(10, len(content), len(content) // 60)]:
        damaged = bytearray(content)
        damaged[place] ^= 0x41
        file.write_bytes(damaged)
        with pytest.raises(RecordError):
            list(check(line for _, line in read_file(file)))


@pytest.mark.plain
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_file_of_something_else_is_reported(name, tmp_path):
    (tmp_path / name).write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(RecordError, match=r"^line 1: "):
        list(read(tmp_path / name))


# --- the documentation ----------------------------------------------------------------------------------------


def documented(heading: str) -> list[str]:
    """The names in the first column of the table below a heading of docs/record.md."""
    section = re.split(r"(?m)^#+ ", DOCS.read_text().split(f"# {heading}\n", 1)[1])[0]
    cells = re.findall(r"(?m)^\| (`.*?) \|", section)
    return [name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)]


@pytest.mark.plain
def test_the_documentation_names_every_field():
    lines = parsed()
    assert set(documented("State")) == set(lines[1]["state"])
    assert set(documented("Step")) == set(lines[1])
    assert documented("End") == list(lines[-1])
    board = {f"board.{name}" for name in lines[0]["board"]}
    assert set(documented("Header")) == {*lines[0], *board, "guard"} - {"board"}  # the guard where there is one


@pytest.mark.plain
def test_the_documentation_names_every_action_and_phase():
    assert set(documented("Actions")) == set(RANGES)
    section = DOCS.read_text().split("### Phases\n", 1)[1].split("### State", 1)[0]
    assert set(re.findall(r"`([A-Z_]+)`", section)) == set(PHASES)
