"""Whatever the rules refuse is refused in one line that names the rule; a wrong card is refused with its field."""

import copy
import json

import pytest

from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.onepiece.core import reasons
from kibitz.onepiece.core.actions import END, Action
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.decks import STARTERS, DeckError, load_deck
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.importing.cards import load_any
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.schema import builtin_text, read_card
from tests.onepiece.positions import PLAIN, Position, card, event, stage

pytestmark = pytest.mark.plain

# --- actions ----------------------------------------------------------------------------------------------------------


def in_battle(**fields):
    """Player 1's Character has attacked the Leader of player 2."""
    return Position(mine=[PLAIN], **fields).do("attack C1 L")


def rested(t, *places):
    for place in places:
        t.at(place).rested = True
    return t


OPPONENTS = card("O", {"on": "activate", "turn": "opponents", "do": [{"draw": 1}]})
USED = card("U", {"on": "activate", "once": True, "do": [{"draw": 1}]})
HUNGRY = card("H", {"on": "activate", "don": 1, "do": [{"draw": 1}]})
DEAR = card("D", {"on": "activate", "cost": [{"discard": 1}], "do": [{"draw": 1}]})
LAME = card("X", {"on": "permanent", "cannot": ["attack"]})

#: The reason, a position in which it holds, the action, and words of the sentence.
CASES = {
    "GAME_IS_OVER": (lambda: Position(hand=[event("E", main=[{"mill": 9}])], deck_size=2).do("play E"), "end_turn", "over"),
    "WRONG_PHASE": (Position, "pass", "the game waits for an action of the Main Phase"),
    "CHANCE_DECIDES": (lambda: Position(hand=[PLAIN]), "drawn plain", "chance decides"),
    "NOT_OFFERED": (in_battle, "pass", "the game waits for yes or no to a [Trigger]"),
    "NOT_IN_HAND": (lambda: Position(theirs=[PLAIN]), "play plain", "player 1 does not hold that card"),
    "CANNOT_PAY": (lambda: Position(hand=[PLAIN], don=2), "play plain", "costs are paid whole or not at all"),
    "CANNOT_PAY_EFFECT": (lambda: Position(mine=[DEAR]), "activate C1 1", "costs are paid whole or not at all"),
    "NOT_AT_THIS_TIME": (lambda: Position(hand=[event("E", counter=[{"draw": 1}])]), "play E", "[Main] and [Counter]"),
    "NO_COUNTER": (lambda: in_battle(their_hand=[card("A")]), "counter A", "no printed counter"),
    "NO_BLOCKER": (lambda: in_battle(theirs=[card("B", keywords=["blocker"]), PLAIN]), "block C2", "[Blocker]"),
    "NOTHING_TO_ACTIVATE": (lambda: Position(mine=[PLAIN]), "activate C1 1", "[Activate: Main]"),
    "ONCE_PER_TURN": (lambda: Position(mine=[USED]).do("activate C1 1"), "activate C1 1", "[Once Per Turn]"),
    "DON_NOT_GIVEN": (lambda: Position(mine=[HUNGRY]), "activate C1 1", "[DON!! xN]"),
    "NOT_THIS_TURN": (lambda: Position(mine=[OPPONENTS]), "activate C1 1", "[Opponent's Turn]"),
    "NO_ACTIVE_DON": (lambda: Position(don=0), "give L", "no active DON!!"),
    "NOTHING_THERE": (lambda: Position(mine=[stage("S")]), "give S", "no Leader or Character there"),
    "FIRST_TURN": (lambda: Position(turn=2), "attack L L", "neither player battles on their own first turn"),
    "ATTACKER_RESTED": (lambda: rested(Position(), "P1.L"), "attack L L", "a rested card cannot attack"),
    "TARGET_ACTIVE": (lambda: Position(theirs=[PLAIN]), "attack L C1", "a rested Character can be attacked"),
    "FRESH": (lambda: Position(hand=[PLAIN]).do("play plain"), "attack C1 L", "unless it has [Rush]"),
    "RUSH_CHARACTER": (
        lambda: Position(hand=[card("R", keywords=["rushCharacter"])]).do("play R"), "attack C1 L", "[Rush: Character]",
    ),
    "MAY_NOT_ATTACK": (lambda: Position(mine=[LAME]), "attack C1 L", "an effect forbids"),
}  # fmt: skip


@pytest.mark.parametrize("reason", CASES)
def test_an_illegal_action_is_refused_with_its_rule(reason):
    make, text, words = CASES[reason]
    state = GameState(make().s)
    action = Action.from_text(text)
    said = state.why_not(action)
    assert words in said
    assert "\n" not in said
    with pytest.raises(IllegalAction) as error:
        state.apply(action)
    assert (error.value.reason, str(error.value)) == (reason, said)


def test_every_reason_and_every_question_has_words():
    t = Position()
    t.s.waiting = Wait.DRAWN
    assert t.s.why_not(END - 1) == reasons.NO_SUCH_OUTCOME
    assert t.s.why_not(END) == reasons.UNKNOWN_ACTION
    assert set(CASES) | {"NO_SUCH_OUTCOME", "UNKNOWN_ACTION"} == set(reasons.NUMBERS)
    assert set(reasons.WAITS_FOR) == {wait.name for wait in Wait if wait != Wait.NOTHING}


def test_a_card_of_another_match_is_no_action():
    with pytest.raises(InvalidAction, match="play: 'XX-1': no such card in this match"):
        GameState(Position().s).why_not(Action("play", card="XX-1"))


# --- cards ------------------------------------------------------------------------------------------------------------

CARDS = [c for file in (*STARTERS.values(), "loop_lab.json") for c in json.loads(builtin_text(file))["cards"]]
WRONG = {"null": None, "number": -7_000_000, "text": "\x1b[2J", "list": [[]], "object": {"nonsense": 1}}


def fields(value, at=()):
    """The ways to all fields of an object."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(key, str):
            yield (*at, key)
        yield from fields(part, (*at, key))


def changed(original, way, change):
    new = copy.deepcopy(original)
    box = new
    for key in way[:-1]:
        box = box[key]
    change(box, way[-1])
    return new


@pytest.mark.parametrize("original", CARDS, ids=lambda c: c["id"])
def test_a_field_of_the_wrong_kind_is_named(original):
    for way in fields(original):
        for wrong in WRONG.values():
            value = changed(original, way, lambda box, key, wrong=wrong: box.__setitem__(key, wrong))
            with pytest.raises(CardError) as error:
                read_card(value, "cards.json")
            message = str(error.value)
            assert message.startswith("cards.json: ")
            assert f": {way[-1]}: " in message or f": {way[-1]}[" in message, (way, wrong, message)
            assert "\n" not in message


@pytest.mark.parametrize("original", CARDS, ids=lambda c: c["id"])
def test_an_unknown_field_is_named(original):
    for way in fields(original):
        value = changed(original, way, lambda box, key: box.__setitem__(f"{key}z", box.pop(key)))
        with pytest.raises(CardError) as error:
            read_card(value, "cards.json")
        assert f"{way[-1]}z" in str(error.value) or f": {way[-1]}: " in str(error.value), (way, str(error.value))


@pytest.mark.parametrize("original", CARDS, ids=lambda c: c["id"])
def test_a_missing_field_is_named_if_it_is_needed(original):
    for name in ("id", "name", "kind", "colours", "cost", "power", "life"):
        value = {k: v for k, v in original.items() if k != name}
        if name in original:
            with pytest.raises(CardError, match=f": {name}: "):
                read_card(value, "cards.json")


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ([{"discard": 1}, {"discard": 1}], "cost[1]: discard: this cost is there already"),
        ([{"lifeToHand": 1}, {"lifeTrash": 1}], "cost[1]: lifeTrash: cannot be paid together with lifeToHand"),
        ([{"returnCharacter": {}}, {"trashCharacter": {}}], "trashCharacter: cannot be paid together with returnCharacter"),
        ([{"trashSelf": True}, {"returnCharacter": {}}], "returnCharacter: other: expected true"),
        ([{"trashSelf": True}, {"restSelf": True}], "restSelf: expected before trashSelf"),
        ([{"returnDon": 1}, {"restDon": 1}], "restDon: expected before returnDon"),
        ([{"restSelf": True}, {"restCharacter": {}}], "restCharacter: other: expected true"),
        ([{"trashCharacter": {}}, {"restSelf": True}], "trashCharacter: other: expected true"),
        ([{"restCharacter": {}}, {"trashCharacter": {}}], "trashCharacter: cannot be paid together with restCharacter"),
        ([{"smile": 1}], "cost[0]: cost: expected one of restDon"),
        ([{"restSelf": False}], "restSelf: expected true"),
        ([{"restLeader": False}], "restLeader: expected true"),
    ],
)
def test_costs_that_could_not_be_paid_whole_are_refused(cost, words):
    with pytest.raises(CardError) as error:
        card("A", {"on": "activate", "cost": cost, "do": [{"draw": 1}]})
    assert words in str(error.value)


def test_an_event_has_one_effect_of_each_timing():
    value = {"id": "E", "name": "E", "kind": "event", "colours": ["red"], "cost": 1}
    with pytest.raises(CardError, match=r"abilities\[1\]: on: main: the Event has such an effect already"):
        read_card({**value, "abilities": [{"on": "main", "do": [{"draw": 1}]}] * 2}, "cards.json")


def test_an_id_has_no_spaces():
    with pytest.raises(CardError, match="id: expected a text without spaces"):
        card("A B")


# --- deck files -------------------------------------------------------------------------------------------------------


def listed(tmp_path, change=lambda lines: lines):
    """The tide deck as a plain list."""
    deck = json.loads(builtin_text("tidewatch.json"))["decks"][0]
    file = tmp_path / "mine.txt"
    lines = ["# my deck", deck["leader"], *(f"{n}x {identity}" for identity, n in deck["cards"].items()), ""]
    file.write_text("\n".join(change(lines)))
    return file


def test_a_plain_list_and_a_deck_alone_are_decks(tmp_path):
    found = load_deck(listed(tmp_path, lambda lines: [line.replace("x ", " ") for line in lines]))
    assert (found.name, found.size, found.leader.id) == ("mine", 50, "TW-001")
    assert load_deck(listed(tmp_path, lambda lines: [line.replace("x ", "x") for line in lines])).size == 50
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps({"leader": "TW-001", "cards": found.to_json()["cards"]}))
    assert load_deck(alone).to_json()["cards"] == found.to_json()["cards"]


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        (lambda lines: lines[:-2], "exactly 50 cards", "mine: 47 cards"),
        (lambda lines: [*lines, "1x TW-002"], "at most 4 cards of one number", "TW-002 Lock Apprentice: 5 copies"),
        (lambda lines: [*lines, "EM-001"], "one Leader", "2 Leaders"),
        (lambda lines: [line for line in lines if line != "TW-001"], "one Leader", "0 Leaders"),
        (lambda lines: [*lines, "4x ZZ-1"], "known cards only", "line 21: '4x ZZ-1': no such card"),
        (lambda lines: [line.replace("TW-018", "EM-018") for line in lines], "cards of the Leader's colours", "is red"),
    ],
)
def test_plain_lists_that_the_rules_refuse(tmp_path, change, rule, words):
    with pytest.raises(DeckError) as error:
        load_deck(listed(tmp_path, change))
    assert error.value.rule == rule
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_any_card_file_can_be_given(tmp_path):
    file = tmp_path / "cards.json"
    file.write_text(builtin_text("emberline.json"))
    assert load_any(file)["EM-014"].on("counter")
    file.write_text(json.dumps([{"Card Number": "U-1", "Name": "A", "Category": "STAGE", "Color": "Red", "Cost": 1}]))
    assert load_any(file)["U-1"].kind == "stage"
