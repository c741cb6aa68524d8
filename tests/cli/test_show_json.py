"""``show --json``: a position of any game by the same names, which are those of its record and of the API."""

import json

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core import record as catan
from kibitz.coup.core import record as coup
from kibitz.onepiece.core import record as onepiece

RECORDS = {
    "catan": lambda: catan.simulate(Board.beginner(), ["builder"] * 3, seed=1, rules=Rules(max_turns=4)),
    "coup": lambda: coup.simulate(["heuristic"] * 3, seed=1),
    "onepiece": lambda: onepiece.simulate(["greedy"] * 2, seed=3),
}


@pytest.fixture(params=RECORDS)
def played(request, tmp_path):
    record = RECORDS[request.param]()
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in record.lines(full=True)), encoding="utf-8")
    return record, file


def shown(kibitz, record, file, *options):
    code, out, err = kibitz(record.NAME, "show", file, *options, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_position_is_told_by_the_names_of_its_record(kibitz, played):
    record, file = played
    step = 9
    before, line = [json.loads(text) for text in file.read_text().splitlines()][step : step + 2]
    found = shown(kibitz, record, file, "--at", step)
    assert (found["position"], found["version"], found["game"], found["step"]) == (record.NAME, 1, 0, step)
    assert found["seats"] == list(record.seats)
    assert {name: found[name] for name in ("turn", "phase", "actor")} == {n: line[n] for n in ("turn", "phase", "actor")}
    assert sorted(action["action"] for action in found["legal"]) == line["legal"]
    assert {(action["kind"], json.dumps(action["data"])) for action in found["legal"]} >= {
        (line["kind"], json.dumps(line["data"]))
    }
    assert found["state"] == before["state"]


def test_at_the_end_nothing_may_be_done(kibitz, played):
    record, file = played
    found = shown(kibitz, record, file)
    assert (found["step"], found["actor"], found["legal"]) == (len(record.codes), None, [])


def test_outcomes_of_chance_have_probabilities(kibitz, played):
    record, file = played
    step = next(n for n, line in enumerate(file.read_text().splitlines()[1:]) if json.loads(line)["actor"] == "chance")
    found = shown(kibitz, record, file, "--at", step)
    assert found["actor"] == "chance"
    assert sum(outcome["probability"] for outcome in found["legal"]) == pytest.approx(1)
