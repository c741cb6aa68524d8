"""Actions as typed objects, texts, JSON and codes."""

import pytest

from kibitz.onepiece import InvalidAction, activate, attack, choose, give, pick, play, simple, starter
from kibitz.onepiece.core.actions import END, KINDS, Action
from kibitz.onepiece.core.cards import table_of

pytestmark = pytest.mark.plain

TABLE = table_of(starter("tide"), starter("ember"))


def all_actions():
    """Every action of a match, by code."""
    found = {}
    for code in range(END):
        try:
            found[code] = Action.from_code(code, TABLE)
        except InvalidAction:
            continue
    return found


def test_every_code_has_one_name_and_back():
    actions = all_actions()
    assert len({action.to_text() for action in actions.values()}) == len(actions) > 200
    assert {action.kind for action in actions.values()} == set(KINDS)
    for code, action in actions.items():
        assert action.code(TABLE) == code
        assert Action.from_text(action.to_text()) == action
        assert Action.from_json(action.to_json()) == action


def test_constructors():
    texts = [
        a.to_text() for a in (play("TW-002"), attack("C1", "L"), give("L"), activate("S"), choose(1, "C3"), pick("TW-002"))
    ]
    assert texts == ["play TW-002", "attack C1 L", "give L", "activate S 1", "choose P2.C3", "pick TW-002"]
    assert simple("pass") == Action.from_text("pass")
    assert repr(choose(1, "C3")) == "Action('choose', place='C3', player=1)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sing",
        "play",
        "pass now",
        "attack C1",
        "attack C9 L",
        "choose C1",
        "choose P3.C1",
        "activate C1 9",
        "option x",
        "give S S",
    ],
)
def test_texts_that_are_no_actions(text):
    with pytest.raises(InvalidAction):
        Action.from_text(text)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"kind": "pass"},
        {"kind": "sing", "data": {}},
        {"kind": "pass", "data": {"card": "TW-002"}},
        {"kind": "play", "data": {"card": 3}},
        {"kind": "activate", "data": {"place": "C1", "number": True}},
        {"kind": "choose", "data": {"player": 2, "place": "C1"}},
    ],
)
def test_json_that_is_no_action(value):
    with pytest.raises(InvalidAction):
        Action.from_json(value)


def test_cards_of_other_matches_are_refused():
    with pytest.raises(InvalidAction, match="no such card in this match"):
        play("LL-001").code(TABLE)
    with pytest.raises(InvalidAction, match="is not an action"):
        Action.from_code(19, TABLE)
