"""Card files that a user supplies: texts become effects as far as phrases are known, the rest is listed."""

import json

import pytest

from kibitz.onepiece.core.importing.cards import import_cards, import_text
from kibitz.onepiece.core.importing.phrases import read_text
from kibitz.onepiece.core.reading import CardError

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("text", "abilities"),
    [
        ("[On Play] Draw 1 card.", [{"on": "play", "do": [{"draw": 1}]}]),
        (
            "[When Attacking] You may trash 1 card from your hand: This Character gains +2000 power during this battle.",
            [
                {
                    "on": "attack",
                    "cost": [{"discard": 1}],
                    "optional": True,
                    "do": [{"addPower": 2000, "to": "self", "for": "battle"}],
                }
            ],
        ),
        (
            "[Activate: Main] [Once Per Turn] DON!! −1: Rest up to 1 of your opponent's Characters with a cost of 4 or less.",  # noqa: RUF001
            [
                {
                    "on": "activate",
                    "once": True,
                    "cost": [{"returnDon": 1}],
                    "do": [{"select": {"of": "opponent", "max": 1, "cost": {"max": 4}}, "as": "x"}, {"rest": "x"}],
                }
            ],
        ),
        (
            "[DON!! x2] [Your Turn] This Character gains +1000 power.",
            [{"on": "permanent", "don": 2, "if": {"turn": "yours"}, "power": 1000}],
        ),
        ("[DON!! x1] This Character gains [Double Attack].", [{"on": "permanent", "don": 1, "keywords": ["doubleAttack"]}]),
        (
            "[Counter] Up to 1 of your Leader or Character cards gains +4000 power during this battle. Then, draw 1 card.",
            [
                {
                    "on": "counter",
                    "do": [
                        {"select": {"from": "field", "max": 1}, "as": "x"},
                        {"addPower": 4000, "to": "x", "for": "battle"},
                        {"draw": 1},
                    ],
                }
            ],
        ),
        (
            "[On K.O.] If you have 2 or less Life cards, K.O. up to 1 of your opponent's rested Characters with 5000 "
            "power or less.",
            [
                {
                    "on": "ko",
                    "if": {"life": {"max": 2}},
                    "do": [
                        {"select": {"of": "opponent", "max": 1, "rested": True, "power": {"max": 5000}}, "as": "x"},
                        {"ko": "x"},
                    ],
                }
            ],
        ),
        ("[Trigger] Play this card.", [{"on": "trigger", "do": [{"playSelf": True}]}]),
        (
            "[On Play]/[When Attacking] Give up to 1 rested DON!! card to your Leader or 1 of your Characters.",
            [
                {
                    "on": timing,
                    "do": [{"select": {"from": "field", "max": 1}, "as": "x"}, {"giveDon": 1, "rested": True, "to": "x"}],
                }
                for timing in ("play", "attack")
            ],
        ),
        (
            "[On Play] Look at 5 cards from the top of your deck; reveal up to 1 {Crew} type card other than [Scout] and add "
            "it to your hand. Then, place the rest at the bottom of your deck in any order.",
            [
                {
                    "on": "play",
                    "do": [
                        {"lookTop": 5},
                        {"select": {"from": "top", "max": 1, "types": ["Crew"], "notName": "Scout"}, "as": "y"},
                        {"toHand": "y"},
                        {"orderRest": "bottom"},
                    ],
                }
            ],
        ),
        (
            "[Activate: Main] ② You may rest this Character: Add up to 1 DON!! card from your DON!! deck and rest it.",
            [{"on": "activate", "cost": [{"restDon": 2}, {"restSelf": True}], "do": [{"addDon": 1, "rested": True}]}],
        ),
    ],
)
def test_phrases(text, abilities):
    reading = read_text(text)
    assert (reading.abilities, reading.unread) == (abilities, [])


def test_keywords_and_what_cannot_be_read():
    reading = read_text(
        "[Blocker] (After your opponent declares an attack, you may rest this card.) [Rush] [On Play] Dance. Draw 1 card."
    )
    assert reading.keywords == ["blocker", "rush"]
    assert reading.abilities == []
    assert reading.unread == ["[On Play] Dance. Draw 1 card."]
    assert read_text("").abilities == []


ROWS = [
    {"id": "U-1", "name": "Chief", "category": "LEADER", "color": "Red", "power": 5000, "life": 5, "effect": "-"},
    {
        "id": "U-2", "name": "Hand", "category": "CHARACTER", "color": "Red/Green", "cost": 2, "power": "3000",
        "counter": "+1000", "types": "Crew/Cook", "effect": "[On Play] Draw 1 card.", "trigger": "[Trigger] Play this card.",
        "rarity": "C",
    },
    {
        "id": "U-3", "name": "Song", "category": "EVENT", "color": "Red", "cost": 1,
        "effect": "[Main] Sing loudly. [Trigger] Draw 1 card.",
    },
    {"id": "U-4", "name": "Deck", "category": "STAGE", "color": "Red", "cost": 1, "effect": ""},
]  # fmt: skip


def test_json_and_csv_files_give_the_same_cards(tmp_path):
    as_json, as_csv = tmp_path / "cards.json", tmp_path / "cards.csv"
    as_json.write_text(json.dumps({"cards": ROWS}))
    names = ["id", "name", "category", "color", "cost", "power", "counter", "life", "types", "effect", "trigger"]
    lines = [",".join(names), *(",".join(str(row.get(name, "")) for name in names) for row in ROWS)]
    as_csv.write_text("\n".join(lines) + "\n")
    found = import_cards(as_json)
    assert import_cards(as_csv).data == found.data
    hand = found.cards["U-2"]
    assert (hand.cost, hand.power, hand.counter, hand.colours, hand.types) == (
        2,
        3000,
        1000,
        ("red", "green"),
        ("Crew", "Cook"),
    )
    assert (hand.on("play"), hand.on("trigger")) == ((0,), (1,))
    assert [(part.card, part.text) for part in found.unread] == [("U-3", "[Main] Sing loudly.")]
    assert found.cards["U-3"].on("trigger") == (0,)
    assert found.cards["U-1"].life == 5
    assert found.to_json("mine")["set"] == "mine"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"category": "DON"}, "card 1: kind: expected one of leader"),
        ({"color": "pink"}, "card 1: colours: 'pink'"),
        ({"power": "lots"}, "card 1: power: expected a whole number, found 'lots'"),
        ({"id": ""}, "id: expected a text"),
        ({"cost": 99}, "cost: expected a whole number from 0 to 20"),
    ],
)
def test_wrong_rows_are_named(row, words):
    with pytest.raises(CardError) as error:
        import_text(json.dumps([{**ROWS[1], **row}]), "u.json")
    assert words in str(error.value)
    assert str(error.value).startswith("u.json")


def test_wrong_files_are_refused():
    for text in ("{", "{}", "[1]", '{"cards": 1}'):
        with pytest.raises(CardError, match=r"u\.json"):
            import_text(text, "u.json")
    with pytest.raises(CardError, match="another card with this id"):
        import_text(json.dumps([ROWS[0], {**ROWS[0], "power": 6000}]), "u.json")
