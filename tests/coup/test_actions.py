"""Actions as objects, texts, JSON and codes."""

import pickle
import re

import pytest

from kibitz import coup
from kibitz.coup import Action, InvalidAction
from kibitz.coup.core.state import ALL_CODES, BASE

pytestmark = pytest.mark.plain


def test_every_code_survives_text_json_and_pickle():
    actions = [Action.from_code(code) for code in range(ALL_CODES)]
    assert len({action.to_text() for action in actions}) == ALL_CODES == 74
    for code, action in enumerate(actions):
        assert action.code == code
        assert Action.from_text(action.to_text()) == action
        assert Action.from_json(action.to_json()) == action
        assert pickle.loads(pickle.dumps(action)) == action
        assert hash(action) == hash(Action.from_text(action.to_text()))


@pytest.mark.parametrize(
    ("action", "text", "data"),
    [
        (coup.income(), "income", {}),
        (coup.foreign_aid(), "foreign_aid", {}),
        (coup.tax(), "tax", {}),
        (coup.exchange(), "exchange", {}),
        (coup.coup(5), "coup 6", {"target": 5}),
        (coup.assassinate(2), "assassinate 3", {"target": 2}),
        (coup.steal(0), "steal 1", {"target": 0}),
        (coup.allow(), "allow", {}),
        (coup.challenge(), "challenge", {}),
        (coup.block("contessa"), "block contessa", {"card": "contessa"}),
        (coup.show("duke"), "show duke", {"card": "duke"}),
        (coup.lose("captain"), "lose captain", {"card": "captain"}),
        (coup.return_cards("assassin", "duke"), "return_cards duke assassin", {"cards": ["duke", "assassin"]}),
        (coup.drawn("duke"), "drawn duke", {"cards": ["duke"]}),
        (coup.drawn("duke", "duke"), "drawn duke duke", {"cards": ["duke", "duke"]}),
    ],
)
def test_constructors(action, text, data):
    assert action.to_text() == text
    assert action.to_json() == {"kind": text.split()[0], "data": data}


def test_a_player_may_be_written_with_a_letter():
    assert Action.from_text("steal P3") == coup.steal(2)


def test_codes_stand_in_the_order_of_a_turn():
    assert list(BASE) == sorted(BASE, key=BASE.__getitem__)
    assert coup.income().code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'': no such action"),
        ("dance", "'dance': no such action; these are income"),
        ("drawn_two duke duke", "no such action"),
        ("steal", "expected a player from 1 to 6, as in 'steal 2'"),
        ("steal 0", "expected a player from 1 to 6"),
        ("steal 7", "expected a player from 1 to 6"),
        ("steal ²", "expected a player from 1 to 6"),
        ("steal 1 2", "expected a player from 1 to 6"),
        ("coup " + "9" * 5000, "expected a player from 1 to 6"),
        ("income duke", "expected 0 cards, found 1"),
        ("block", "expected 1 cards, found 0"),
        ("block queen", "'queen': not a character; these are duke"),
        ("return_cards duke", "expected 2 cards, found 1"),
        ("drawn duke duke duke", "expected 1 or 2 cards, found 3"),
    ],
)
def test_nonsense_in_text_is_refused(text, words):
    with pytest.raises(InvalidAction, match=re.escape(words)):
        Action.from_text(text)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"kind": "tax"},
        {"kind": "tax", "data": {"target": 1}},
        {"kind": "steal", "data": {}},
        {"kind": "steal", "data": {"target": "1"}},
        {"kind": "steal", "data": {"target": True}},
        {"kind": "steal", "data": {"target": None}},
        {"kind": "steal", "data": {"target": 6}},
        {"kind": "block", "data": {"cards": ["duke"]}},
        {"kind": "block", "data": {"card": 5}},
        {"kind": "block", "data": {"card": ["duke"]}},
        {"kind": "drawn", "data": {"cards": "duke"}},
        {"kind": "drawn", "data": {"cards": []}},
    ],
    ids=str,
)
def test_nonsense_in_json_is_refused(value):
    with pytest.raises(InvalidAction):
        Action.from_json(value)


@pytest.mark.parametrize("code", [-1, ALL_CODES])
def test_there_are_no_other_codes(code):
    with pytest.raises(InvalidAction, match="codes run from 0 to 73"):
        Action.from_code(code)


def test_what_an_action_claims():
    claims = {action.kind: action.claim for action in map(Action.from_code, range(ALL_CODES)) if action.kind != "block"}
    assert {kind: claim for kind, claim in claims.items() if claim} == {
        "tax": "duke", "exchange": "ambassador", "assassinate": "assassin", "steal": "captain",
    }  # fmt: skip
    assert coup.block("ambassador").claim == "ambassador"
