"""`replay` notices whatever changes the meaning of a line, and names the first difference in the file."""

import json
import random

import pytest

from kibitz.coup.core.record import RECORDS, simulate
from kibitz.game import files
from kibitz.game.files import RecordError, read_file

pytestmark = pytest.mark.plain

GAME = [*simulate(["random"] * 2, 2).lines(full=True)]
MUTATIONS = 1000


def refusal(lines: list[str]) -> RecordError | None:
    try:
        [*RECORDS.check(lines)]
    except RecordError as error:
        return error
    return None


def places(value: object, path: tuple = ()) -> list[tuple]:
    """Every value inside a value, by the way to it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(*path, key) for key, _ in inner] + [way for key, one in inner for way in places(one, (*path, key))]


def mutated(entry: dict, dice: random.Random) -> dict:
    """The same line with one thing changed."""
    entry = json.loads(json.dumps(entry))
    *way, last = dice.choice(places(entry))
    inner = entry
    for key in way:
        inner = inner[key]
    kind = dice.randrange(4)
    if kind == 0:
        del inner[last]
    elif kind == 1 and isinstance(inner, dict):
        inner[f"{last}_"] = inner[last]
    elif isinstance(inner[last], bool) or inner[last] is None:
        inner[last] = 0 if kind == 2 else "maybe"
    elif isinstance(inner[last], int):
        inner[last] = float(inner[last]) if kind == 2 else inner[last] + 1
    elif isinstance(inner[last], str):
        inner[last] += "x"
    else:
        inner[last] = [inner[last]]
    return entry


def test_every_mutation_of_a_step_or_an_end_is_refused_at_its_line():
    assert refusal(GAME) is None
    dice = random.Random(7)
    for _ in range(MUTATIONS):
        number = dice.randrange(1, len(GAME))
        line = json.dumps(mutated(json.loads(GAME[number]), dice))
        found = refusal([*GAME[:number], line, *GAME[number + 1 :]])
        assert found is not None, (number, line)
        assert found.line == number + 1 or '"end"' in GAME[number], (found, line)


def test_a_field_that_is_there_twice_is_refused_whichever_would_be_taken():
    """The second one counts in Python, the first one elsewhere."""
    for number, line in enumerate(GAME):
        for name, value in json.loads(line).items():
            twice = f"{{{json.dumps(name)}: {json.dumps(value)}, {line[1:]}"
            found = refusal([*GAME[:number], twice, *GAME[number + 1 :]])
            assert str(found) == f"line {number + 1}: the field {name} is there twice"


def test_what_is_quoted_fits_into_a_line():
    for value in ("x" * 5000, [0] * 5000, 10**400):
        found = refusal([*GAME[:5], json.dumps(json.loads(GAME[5]) | {"state": value}), *GAME[6:]])
        assert len(str(found)) < 350
        assert "\n" not in str(found)


def test_lines_that_are_swapped_doubled_or_left_out_are_refused():
    for number in range(1, len(GAME) - 1):
        before, line, after = GAME[:number], GAME[number], GAME[number + 1 :]
        assert refusal([*before, line, line, *after])
        assert refusal([*before, *after])
        assert refusal([*before, after[0], line, *after[1:]])


def test_the_first_difference_in_the_file_is_named_whether_of_form_or_of_rule():
    illegal = json.loads(GAME[4]) | {"turn": 99}
    assert refusal([*GAME[:4], json.dumps(illegal), "not JSON", *GAME[6:]]).line == 5
    assert str(refusal([*GAME[:4], "not JSON", *GAME[5:]])) == "line 5: not JSON: Expecting value at column 1"


def test_some_steps_with_and_some_without_what_full_records_hold_are_refused():
    bare = {name: value for name, value in json.loads(GAME[5]).items() if name not in ("legal", "state")}
    assert "legal is missing" in str(refusal([*GAME[:5], json.dumps(bare), *GAME[6:]]))
    short = [*simulate(["random"] * 2, 2).lines()]
    extra = json.dumps(json.loads(short[5]) | {"legal": []})
    assert "legal is unknown, which the steps before it do not have" in str(refusal([*short[:5], extra, *short[6:]]))


def test_a_line_without_an_end_and_bytes_that_are_not_text_are_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 10)
    (tmp_path / "long.jsonl").write_text("[" * 5000)
    with pytest.raises(RecordError, match="line 1: the line is longer"):
        [*read_file(tmp_path / "long.jsonl")]
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe{}")
    with pytest.raises(RecordError, match="line 1: the file is not UTF-8 text"):
        [*read_file(tmp_path / "bytes.jsonl")]
