"""Records: they survive reading, replay under the rules, and whatever was changed in them is named."""

import json
from dataclasses import replace

import pytest

from kibitz.game.files import RecordError, writing
from kibitz.onepiece.core.decks import Deck, starter
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.record import check, read, read_lines, records, simulate
from kibitz.onepiece.looplab import lab_cards, lab_deck
from tests.onepiece.positions import PLAIN, deck, leader

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def record():
    return simulate(["greedy", "random"], seed=9, first=1, number=4)


def test_a_record_is_read_back(record, tmp_path):
    file = tmp_path / "games.jsonl.gz"
    with writing(file) as write_line:
        for line in record.lines():
            write_line(line)
    (found,) = read(file)
    assert found == record
    assert found.decks[0] is starter("tide")


def test_a_full_record_holds_legal_actions_and_positions(record):
    lines = list(record.lines(full=True))
    assert len(lines) == len(record.codes) + 2
    step = json.loads(lines[20])
    assert {"step", "turn", "phase", "actor", "kind", "data", "legal", "state"} == set(step)
    assert list(check(lines)) == [record]
    end = json.loads(lines[-1])
    assert end["termination"] in ("damage", "deck")
    assert end["winner"] in (0, 1)


@pytest.mark.parametrize(
    ("at", "change", "words"),
    [
        (0, {"version": 2}, "version 2 of the format is unknown"),
        (0, {"first": 2}, "first: expected seat 0 or 1"),
        (0, {"seats": ["a"]}, "seats: expected 2 names"),
        (0, {"decks": []}, "decks: expected 2 decks"),
        (0, {"seed": -1}, "game and seed"),
        (
            0,
            {"decks": [{"name": "x", "leader": "TW-001", "cards": {"TW-002": 5}}] * 2},
            "decks: TW-002 Lock Apprentice: 5 copies",
        ),
        (5, {"kind": "sing"}, "'sing': no such action"),
        (5, {"data": {"card": "XX-1"}}, "'XX-1': no such card in this match"),
        (5, {"turn": 7}, "step 4: turn is 7 in the record, 0 by the rules"),
        (5, {"kind": "pass", "data": {}}, "step 4: pass is not possible now: the game waits for chance"),
        (-1, {"winner": None}, "end.winner is None in the record"),
    ],
)
def test_what_was_changed_is_named(record, at, change, words):
    lines = list(record.lines())
    lines[at] = json.dumps({**json.loads(lines[at]), **change})
    with pytest.raises(RecordError) as error:
        list(check(lines))
    assert words in str(error.value)
    number = at + 1 if at >= 0 else len(lines)
    assert str(error.value).startswith(f"line {number}: ")


def test_a_game_that_breaks_off_is_named_or_marked(record):
    short = replace(record, codes=record.codes[:30])
    lines = list(short.lines())
    assert [found.codes for found in check(lines)] == [short.codes]
    lines[-1] = json.dumps({**json.loads(lines[-1]), "termination": "damage"})
    with pytest.raises(RecordError, match="it is not over: it waits for"):
        list(check(lines))


def test_decks_of_the_loop_lab_are_known_and_own_cards_can_be_given():
    bench = lab_deck(["LL-105"], lab_cards())
    record = simulate(["random", "greedy"], 1, (starter("tide"), bench))
    assert len(list(check(record.lines()))) == 1
    own = Deck("own", leader("own-leader"), deck(leader("own-leader"), [PLAIN]).cards)
    record = simulate(["random", "greedy"], 1, (own, starter("tide")))
    with pytest.raises(RecordError, match="'own-leader': no such card"):
        list(read_lines(record.lines()))
    cards = {c.id: c for c in (own.leader, *own.cards)}
    assert len(list(records(cards).check(record.lines()))) == 1


def test_errors_are_values():
    assert issubclass(CardError, ValueError)
