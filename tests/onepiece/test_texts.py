"""What the built-in cards say is what they do: their texts, read by the importer, give the very effects that are encoded."""

import json
import re

import pytest

from kibitz.onepiece.core.decks import STARTERS
from kibitz.onepiece.core.importing.phrases import read_text
from kibitz.onepiece.core.schema import builtin_text

pytestmark = pytest.mark.plain

CARDS = [card for file in STARTERS.values() for card in json.loads(builtin_text(file))["cards"]]
LAB = json.loads(builtin_text("loop_lab.json"))["cards"]
DEFAULTS = {"max": 1, "for": "turn", "from": "characters", "optional": False}
TIMINGS = {
    "on play": "play", "when attacking": "attack", "on k.o.": "ko", "activate: main": "activate", "once per turn": "once",
    "your turn": "turn", "don!! x1": "don", "end of your turn": "turnEnd", "double attack": "doubleAttack",
}  # fmt: skip


def same(value, names):
    """A part of a card without defaults; a selection is named by its place in the effect, whatever its name."""
    if isinstance(value, list):
        return [same(part, names) for part in value]
    if not isinstance(value, dict):
        return value
    if "as" in value:
        names[value["as"]] = names["so far"] = names.get("so far", 0) + 1
    found = {k: same(v, names) for k, v in value.items() if DEFAULTS.get(k, ...) != v}
    return {k: names[v] if isinstance(v, str) and v in names else v for k, v in found.items()}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card["id"])
def test_the_text_of_a_card_says_its_effects(card):
    reading = read_text(card.get("text", ""))
    assert reading.unread == []
    assert sorted(reading.keywords) == sorted(card.get("keywords", []))
    assert [same(a, {}) for a in reading.abilities] == [same(a, {}) for a in card.get("abilities", [])]


@pytest.mark.parametrize("card", CARDS + LAB, ids=lambda card: card["id"])
def test_numbers_and_keywords_of_a_text_are_in_the_data(card):
    text = card.get("text", "")
    data = json.dumps([card.get("abilities", []), card.get("keywords", [])])
    for number in re.findall(r"\d{3,}", text):
        assert number in data
    for word in re.findall(r"\[([^\]]+)\]", text):
        assert f'"{TIMINGS.get(word.lower(), word.lower())}"' in data or f'"{word}"' in data
