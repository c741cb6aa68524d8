"""Records of Coup: they replay to the same states, and whatever is wrong with one is named with its line."""

import gzip
import json
import re
from dataclasses import replace

import pytest

from kibitz import game
from kibitz.coup import Rules
from kibitz.coup.core.game_state import position
from kibitz.coup.core.record import Record, check, read, read_lines, simulate
from kibitz.game.files import RecordError, writing
from tests.coup.positions import cards_and_coins_add_up

BOTS = {"two": ["random"] * 2, "three": ["heuristic", "honest", "random"], "six": ["random"] * 6}


def text_of(record: Record, full: bool = True) -> list[str]:
    return list(record.lines(full))


@pytest.mark.plain
@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("full", [False, True])
def test_a_record_is_read_back_and_holds(name, full):
    record = simulate(BOTS[name], 4, Rules(max_turns=12), number=2)
    lines = text_of(record, full)
    assert list(read_lines(lines)) == list(check(lines)) == [record]
    assert len(lines) == len(record.codes) + 2
    header, end = json.loads(lines[0]), json.loads(lines[-1])
    assert (header["record"], header["version"], header["game"], header["seats"]) == ("coup", 1, 2, BOTS[name])
    assert (end["steps"], end["turns"]) == (len(record.codes), int(list(record.states())[-1]["turn"][0]))


@pytest.mark.plain
def test_every_state_of_a_full_record_is_the_one_of_the_game():
    record = simulate(BOTS["three"], 9, Rules(max_turns=10))
    entries = [json.loads(line) for line in text_of(record)][1:-1]
    for number, states in enumerate(record.states()):
        assert cards_and_coins_add_up(states)
        if number < len(entries):
            assert entries[number]["actor"] == position(states)["actor"]
            assert len(entries[number]["legal"]) == len(game.legal_actions(states))
        if number:
            assert entries[number - 1]["state"] == position(states)


@pytest.mark.plain
def test_a_game_that_was_broken_off_is_unfinished():
    record = replace(simulate(BOTS["two"], 4), codes=simulate(BOTS["two"], 4).codes[:6])
    lines = text_of(record)
    assert json.loads(lines[-1])["termination"] == "unfinished"
    assert list(check(lines)) == [record]
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"termination": "victory"})
    with pytest.raises(RecordError, match="line 8: the game ends here, but it is not over"):
        list(check(lines))


def changed(lines: list[str], line: int, **values: object) -> list[str]:
    entry = json.loads(lines[line - 1]) | values
    return [*lines[: line - 1], json.dumps({n: v for n, v in entry.items() if v is not ...}), *lines[line:]]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("line", "values", "words"),
    [
        (1, {"record": "catan"}, 'line 1: expected the header of a game, with "record": "coup"'),
        (1, {"version": 2}, "version 2 of the format is unknown"),
        (1, {"seats": ["random"]}, "seats: expected 2 to 6 names"),
        (1, {"rules": {"dragons": True}}, "rules: unknown rule 'dragons'"),
        (1, {"rules": {}}, "rules: target_may_block_after_failed_challenge is missing"),
        (1, {"seed": -1}, "game and seed"),
        (2, {"kind": "dance"}, "line 2: 'dance': no such action"),
        (2, {"data": {"cards": ["duke", "queen"]}}, "'queen': not a character"),
        (2, {"kind": ...}, "the field kind is missing"),
        (2, {"phase": "ACTION"}, "line 2: step 0: phase is 'ACTION' in the record, 'DEAL' by the rules"),
        (2, {"legal": []}, "step 0: legal has 0 entries in the record, 15 by the rules"),
        (4, {"kind": "coup", "data": {"target": 1}}, "line 4: step 2: player 1 cannot pay for it"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(line, values, words):
    lines = changed(text_of(simulate(BOTS["two"], 4)), line, **values)
    with pytest.raises(RecordError, match=re.escape(words)):
        list(check(lines))


@pytest.mark.plain
def test_a_changed_state_is_named():
    lines = text_of(simulate(BOTS["two"], 4))
    entry = json.loads(lines[3])
    entry["state"]["coins"][0] += 1
    with pytest.raises(RecordError, match=r"line 4: step 2: state.coins\[0\] is \d in the record, \d by the rules"):
        list(check([*lines[:3], json.dumps(entry), *lines[4:]]))


@pytest.mark.plain
def test_a_record_that_breaks_off_is_refused():
    lines = text_of(simulate(BOTS["two"], 4))
    with pytest.raises(RecordError, match="has no end line"):
        list(read_lines(lines[:-1]))
    with pytest.raises(RecordError, match="not JSON"):
        list(read_lines([lines[0], "{"]))


@pytest.mark.plain
def test_files(tmp_path):
    records = [simulate(BOTS["two"], seed, number=seed) for seed in range(3)]
    for name in ("games.jsonl", "games.jsonl.gz"):
        with writing(tmp_path / name) as write_line:
            for record in records:
                for line in record.lines():
                    write_line(line)
        assert list(read(tmp_path / name)) == records
    assert gzip.decompress((tmp_path / "games.jsonl.gz").read_bytes()) == (tmp_path / "games.jsonl").read_bytes()
