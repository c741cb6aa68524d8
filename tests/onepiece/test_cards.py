"""Card files and decks: what is wrong is named by file, card and field, and by the rule of deck building."""

import json
import pickle

import pytest

from kibitz.onepiece.core.cards import LEADER
from kibitz.onepiece.core.decks import STARTERS, Deck, DeckError, builtin_cards, check_deck, deck_from_json, load_deck, starter
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.schema import builtin_text, load_cards, read_card, read_cards
from kibitz.onepiece.looplab import lab_cards
from tests.onepiece.checks import is_vanilla
from tests.onepiece.positions import card

pytestmark = pytest.mark.plain

GOOD = {"id": "X-1", "name": "Somebody", "kind": "character", "colours": ["red"], "cost": 3, "power": 5000}


def ability(**fields):
    return {**GOOD, "abilities": [{"on": "play", "do": [{"draw": 1}], **fields}]}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({**GOOD, "kind": "pirate"}, "kind: expected one of leader, character, event, stage, found 'pirate'"),
        ({**GOOD, "cost": "3"}, "cost: expected a whole number from 0 to 20, found '3'"),
        ({**GOOD, "cost": True}, "cost: expected a whole number"),
        ({k: v for k, v in GOOD.items() if k != "power"}, "power: expected a whole number from 0 to 20000, found nothing"),
        ({**GOOD, "colours": ["pink"]}, "colours: 'pink': expected one of red"),
        ({**GOOD, "colours": []}, "colours: expected one or two colours"),
        ({**GOOD, "name": ""}, "name: expected a text"),
        ({**GOOD, "wings": 2}, "wings: there is no such field here"),
        ({**GOOD, "keywords": ["fly"]}, "keywords: 'fly': expected one of rush"),
        ({**GOOD, "life": 3}, "life: there is no such field here"),
        ({**GOOD, "kind": "event", "power": 1}, "power: there is no such field here"),
        ({**GOOD, "kind": "leader", "life": 5, "keywords": ["rush"]}, "keywords: only Characters"),
        (ability(on="sleep"), "abilities[0]: on: expected one of play"),
        (ability(on="main"), "abilities[0]: on: main: not on a card of the kind character"),
        (ability(do=[]), "abilities[0]: do: expected at least one step"),
        (ability(do=[{"fly": 1}]), "abilities[0]: do[0]: step: no known primitive among fly"),
        (ability(do=[{"draw": 0}]), "abilities[0]: do[0]: draw: expected a whole number from 1 to 20, found 0"),
        (ability(do=[{"draw": 1, "whom": "you"}]), "do[0]: whom: there is no such field here"),
        (ability(do=[{"ko": "x"}]), "do[0]: ko: 'x': expected self"),
        (ability(do=[{"select": {"cost": {"most": 3}}, "as": "x"}]), "do[0]: select: cost: most: there is no such field here"),
        (ability(do=[{"select": {"from": "moon"}, "as": "x"}]), "do[0]: select: from: expected one of characters"),
        (ability(do=[{"select": {"from": "hand", "of": "opponent"}, "as": "x"}]), "select: by: who selects"),
        (ability(do=[{"select": {"max": 1, "min": 2}, "as": "x"}]), "select: min: expected a whole number from 0 to 1"),
        (ability(do=[{"addPower": 1000, "to": "self", "for": "ever"}]), "do[0]: for: expected one of battle"),
        (ability(do=[{"choice": [{"label": "a", "do": []}]}]), "do[0]: choice: expected 2 to 10 options"),
        (
            ability(do=[{"forEach": {}, "do": [{"forEach": {}, "do": []}]}]),
            "do[0]: do[0]: forEach: expected outside of another",
        ),
        (ability(cost=[{"restDon": 1}]), "abilities[0]: optional: an effect with a cost is optional"),
        (ability(cost=[{"smile": 1}], optional=True), "abilities[0]: cost[0]: cost: expected one of restDon"),
        (ability(**{"if": json.loads('{"not": ' * 60 + "{}" + "}" * 60)}), "if: not: not: "),
        (ability(do=[json.loads('{"may": [' * 400 + "{}" + "]}" * 400)]), "...: nested too deeply"),
        (ability(**{"if": {"mood": "good"}}), "abilities[0]: if: mood: there is no such field here"),
        (ability(**{"if": {"life": {"least": 1}}}), "if: life: least: there is no such field here"),
        (ability(on="when", event="sunrise"), "abilities[0]: event: expected one of played"),
        ({**GOOD, "abilities": [{"on": "permanent", "which": {"power": {"min": 1}}}]}, "which: power, cost and keywords"),
        ({**GOOD, "abilities": {}}, "abilities: expected a list"),
        ("card", "cards.json: expected an object, found 'card'"),
    ],
)
def test_a_wrong_card_names_file_card_and_field(value, words):
    with pytest.raises(CardError) as error:
        read_card(value, "cards.json")
    assert words in str(error.value)
    assert str(error.value).startswith("cards.json: X-1: " if isinstance(value, dict) else "cards.json: ")


def test_a_wrong_file_is_refused(tmp_path):
    for text, words in (
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ("{}", "cards: expected a list of cards"),
        (json.dumps({"cards": [GOOD, GOOD]}), "X-1: id: there is another card with this id"),
        (json.dumps({"cards": [], "cardz": []}), "cardz: there is no such field"),
    ):
        file = tmp_path / "cards.json"
        file.write_text(text)
        with pytest.raises(CardError, match=r"^cards\.json: ") as error:
            load_cards(file)
        assert words in str(error.value)


def test_the_starter_decks_are_legal_and_varied():
    for name in STARTERS:
        deck = check_deck(starter(name))
        assert deck.size == 50
        assert len(deck.cards) >= 17
        vanilla = sum(n for c, n in deck.cards.items() if is_vanilla(c))
        assert 10 <= vanilla <= 15
        assert all(c.text for c in deck.cards if not is_vanilla(c))
        assert {c.kind for c in deck.cards} == {"character", "event", "stage"}
    assert not set(starter("tide").leader.colours) & set(starter("ember").leader.colours)


def test_all_cards_have_ids_and_names_of_their_own():
    cards = builtin_cards().values()
    assert len({c.name for c in cards}) == len({c.id for c in cards}) == len(cards)


def test_the_loop_lab_is_a_set_of_legal_cards():
    assert len(read_cards(builtin_text("loop_lab.json"), "loop_lab.json")) == len(lab_cards())


# --- decks ------------------------------------------------------------------------------------------------------------


def changed(**cards):
    """The tide deck with other numbers of copies."""
    value = starter("tide").to_json()
    value["cards"] = {k: v for k, v in {**value["cards"], **{k.replace("_", "-"): v for k, v in cards.items()}}.items() if v}
    return value


@pytest.mark.parametrize(
    ("value", "rule", "words"),
    [
        (changed(TW_002=3), "exactly 50 cards", "49 cards"),
        (changed(TW_002=4, TW_005=4, TW_016=3), "exactly 50 cards", "51 cards"),
        (changed(TW_002=5, TW_016=1), "at most 4 cards of one number", "TW-002 Lock Apprentice: 5 copies"),
        (changed(TW_002=0, EM_002=4), "cards of the Leader's colours", "EM-002 Coal Boy is red, not green"),
        (changed(TW_002=3, TW_001=1), "one Leader", "is a second Leader"),
        (changed(TW_002=3, TW_999=1), "known cards only", "'TW-999': no such card"),
        ({**changed(), "leader": "TW-002"}, "one Leader", "TW-002 Lock Apprentice is not a Leader"),
        ({**changed(), "leader": "TW-000"}, "known cards only", "'TW-000': no such card"),
    ],
)
def test_decks_that_the_rules_refuse(value, rule, words):
    with pytest.raises(DeckError) as error:
        deck_from_json(value, builtin_cards())
    assert error.value.rule == rule
    assert words in str(error.value)
    assert rule in str(error.value)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_decks_of_wrong_form_are_refused():
    for value, words in (
        ({**changed(), "cards": []}, "cards: expected card ids"),
        ({**changed(), "cards": {"TW-002": "4"}}, "TW-002: expected a number of copies"),
        ({**changed(), "sideboard": {}}, "sideboard: there is no such field"),
        ([], "expected an object"),
    ):
        with pytest.raises(CardError, match=words):
            deck_from_json(value, builtin_cards())
    with pytest.raises(DeckError, match="no such deck; these are tide, ember"):
        starter("storm")


def test_a_deck_file_of_ones_own(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(builtin_text("emberline.json"))
    deck = load_deck(file)
    assert (deck.name, deck.to_json()["cards"]) == ("mine", starter("ember").to_json()["cards"])
    file.write_text(json.dumps({"cards": [GOOD]}))
    with pytest.raises(CardError, match=r"mine\.json: decks: expected a list with one deck"):
        load_deck(file)


def test_two_colours_fit_a_leader_of_either():
    both = card("both", colours=["red", "green"])
    tide = starter("tide")
    copies = dict(tide.cards)
    first = next(iter(copies))
    copies[both] = copies.pop(first)
    assert check_deck(Deck("mixed", tide.leader, copies)).size == 50


def test_cards_survive_pickling():
    deck = starter("ember")
    again = pickle.loads(pickle.dumps(deck))
    assert again.to_json() == deck.to_json()
    assert again.leader.kind == LEADER
