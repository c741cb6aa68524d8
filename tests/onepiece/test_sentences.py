"""Effect texts in the usual wording: what they become, that it plays, and that what cannot be encoded is never guessed."""

# ruff: noqa: E501, RUF001 (texts as they are printed, one a line)

import csv
import json

import pytest

from kibitz.game import OVER
from kibitz.onepiece.core.decks import Deck, check_deck
from kibitz.onepiece.core.engine import decide, new, scratch
from kibitz.onepiece.core.importing.cards import import_cards, import_text
from kibitz.onepiece.core.importing.clauses import read_cards, read_condition, read_costs
from kibitz.onepiece.core.importing.phrases import read_text
from kibitz.onepiece.core.record import records, simulate
from tests.onepiece.checks import is_consistent, is_vanilla
from tests.onepiece.positions import PLAIN, Position, card

pytestmark = pytest.mark.plain

#: Texts of Characters that are read.
CHARACTERS = """
[On Play] Draw 3 cards and trash 2 cards from your hand.
[On Play] K.O. up to 1 of your opponent's Characters with 3000 power or less and up to 1 of your opponent's Characters with a cost of 1.
[On Play] K.O. up to 1 of your opponent's rested Characters with a cost of 2 to 4.
[When Attacking] Give up to 2 of your opponent's Characters −1000 power during this turn.
[When Attacking] Give up to 1 of your opponent's Leader or Character cards -3000 power during this turn.
[On Play] Give up to 1 of your opponent's Characters −4 cost during this turn.
[Activate: Main] [Once Per Turn] Give up to 2 rested DON!! cards to your Leader or 1 of your Characters.
[Activate: Main] [Once Per Turn] Give this Leader or 1 of your Characters up to 1 rested DON!! card.
[On Play] Give up to 1 rested DON!! card to this Character.
[End of Your Turn] Set up to 1 of your {Dock Guild} type Characters with a cost of 5 or less as active.
[End of Your Turn] Set this Character as active and set up to 1 of your DON!! cards as active.
[On Play] Rest up to 1 of your opponent's DON!! cards.
[On Play] Rest up to 1 of your opponent's Leader or Character cards. Then, draw 1 card.
[On Play] Up to 1 of your opponent's rested Characters with a cost of 6 or less will not become active in your opponent's next Refresh Phase.
[On Play] Return up to 1 Character with a cost of 3 or less to the owner's hand.
[On Play] Place up to 1 of your opponent's Characters with a cost of 2 or less at the bottom of the owner's deck.
[On Play] Look at 5 cards from the top of your deck; reveal up to 1 {Dock Guild} type Character card with a cost of 3 or more and add it to your hand. Then, place the rest at the bottom of your deck in any order and trash 1 card from your hand.
[On Play] Look at 4 cards from the top of your deck; reveal up to 1 {Dock Guild} or {Lantern Row} type card other than [Clerk] and add it to your hand. Then, trash the rest.
[On Play] Look at 3 cards from the top of your deck; add up to 1 card to your hand. Then, place the rest at the bottom of your deck in any order.
[On Play] Look at 5 cards from the top of your deck; play up to 1 {Dock Guild} type Character card with a cost of 2 or less. Then, place the rest at the bottom of your deck in any order.
[Activate: Main] You may trash this Character: K.O. up to 1 of your opponent's Characters with a cost of 3 or less.
[Activate: Main] ➀ (You may rest the specified number of DON!! cards in your cost area.) You may rest this Character: Draw 1 card.
[On Play] DON!! −2 (You may return the specified number of DON!! cards from your field to your DON!! deck.): Rest up to 2 of your opponent's Characters with a cost of 5 or less.
[On Play] Add up to 1 DON!! card from your DON!! deck and set it as active.
[On Play] Add up to 1 card from the top of your deck to the top of your Life cards.
[On Play] You may add 1 card from the top of your Life cards to your hand: This Character gains [Rush] during this turn.
[On Play] You may trash 1 card from the top of your Life cards: Draw 2 cards.
[On Play] Trash up to 1 card from the top of your opponent's Life cards.
[On Play] Add up to 1 {Dock Guild} type card from your hand to the top of your Life cards face-up.
[Trigger] You may trash 1 card from your hand: Play this card.
[DON!! x1] This Character gains [Banish] and +1000 power.
[DON!! x2] [When Attacking] Your opponent cannot activate [Blocker] during this battle.
[DON!! x1] [When Attacking] If your opponent has 5 or more cards in their hand, this Character gains +2000 power during this turn.
[Your Turn] All of your {Dock Guild} type Characters gain +1000 power.
[Your Turn] Your {Dock Guild} type Characters other than this Character gain +1000 power.
[DON!! x1] [Opponent's Turn] Your Leader gains +1000 power.
If you have 7 or more cards in your trash, this Character gains +1000 power and [Blocker].
If you have a [Clerk] and your Leader has the {Dock Guild} type, this Character gains [Rush].
If your opponent has a Character with a cost of 0, this Character gains +2000 power.
If there is a Character with 9000 power or more, this Character gains [Unblockable].
If you have 3 or more rested Characters, this Character gains [Double Attack].
If you don't have a [Clerk], this Character cannot attack.
[Your Turn] Give all of your opponent's Characters -1 cost.
This Character cannot be K.O.'d in battle.
If this Character would be K.O.'d, you may trash 1 card from your hand instead.
[Once Per Turn] If this Character would be K.O.'d in battle, you may rest 1 of your Characters instead.
[Opponent's Turn] [Once Per Turn] If your {Dock Guild} type Character would be removed from the field by your opponent's effect, you may trash this Character instead.
[On Play] Play up to 1 {Dock Guild} type Character card with a cost of 4 or less other than [Clerk] from your hand.
[On K.O.] Play up to 1 black Character card with a cost of 3 or less from your trash rested.
[On Play] Add up to 1 black Event from your trash to your hand.
[On K.O.] Your opponent trashes 1 card from their hand.
[On Play] If your Leader is [Quill] and you have 6 or more DON!! cards on your field, draw 2 cards.
[On Play] Draw 1 card. Then, if you have 2 or less Life cards, K.O. up to 1 of your opponent's Characters with a cost of 2 or less.
[On Play] You may trash 2 cards from your hand. If you do, draw 3 cards.
[On Play] Choose one: • Draw 1 card. • Rest up to 1 of your opponent's Characters with a cost of 2 or less.
[When Attacking] [Once Per Turn] You may rest 1 of your {Dock Guild} type Characters: Draw 1 card.
[On Play] You may return 1 of your Characters with a cost of 2 or more other than this Character to the owner's hand: Draw 1 card.
[On Play] You may trash 1 {Dock Guild} type card from your hand and rest 1 of your DON!! cards: Draw 2 cards.
[Your Turn] [Once Per Turn] When a DON!! card on your field is returned to your DON!! deck, draw 1 card.
[Opponent's Turn] [Once Per Turn] When your opponent activates an Event, draw 1 card.
[On Play] This Character gains +2000 power until the start of your next turn.
[On Play] Up to 1 of your opponent's Characters cannot attack until the end of your opponent's next turn.
[On Play] Your opponent returns 1 DON!! card from their field to their DON!! deck.
[On Play] Trash 3 cards from the top of your deck.
[On Play] Select up to 1 of your opponent's Characters; that Character's base power becomes 0 during this turn.
[On Your Opponent's Attack] [Once Per Turn] DON!! -1: Up to 1 of your Leader or Character cards gains +2000 power during this battle.
[On Block] Draw 1 card, then trash 1 card from your hand.
[When Attacking] Deal 1 damage to your opponent.
[On Play] Your opponent places 1 card from their hand at the bottom of their deck.
At the end of your turn, draw 1 card.
""".strip().splitlines()
EVENTS = """
[Main] All of your Characters gain +1000 power during this turn.
[Main] K.O. all of your opponent's rested Characters with a cost of 3 or less.
[Counter] Up to 1 of your Leader or Character cards gains +4000 power during this battle. Then, if you have 2 or less Life cards, that card gains an additional +2000 power during this battle.
[Counter] Up to 1 of your {Dock Guild} type Leader or Character cards gains +3000 power during this battle.
[Trigger] Activate this card's [Main] effect.
[Trigger] Activate this card's [Counter] effect.
[Main] Shuffle your deck. Draw 1 card.
""".strip().splitlines()
#: Texts that are beyond the effect language, or beyond the reader: they are listed, whole.
UNREAD = """
[On Play] Draw 1 card. If your Leader has the {Dock Guild} type, draw 1 card instead.
[On Play] Look at up to 1 card from the top of your or your opponent's Life cards, and place it at the top or bottom of the Life cards.
[Activate: Main] You may place 3 cards from your trash at the bottom of your deck in any order: Draw 1 card.
[On Play] K.O. up to 1 of your opponent's Characters with a cost equal to or less than the number of your Life cards.
[On Play] K.O. up to 1 of your opponent's Characters with 3000 base power or less.
This Character can also attack your opponent's active Characters.
[Main] Play up to 1 Character card with a cost of 3 or less from your hand. That Character gains [Rush] during this turn.
[On Play] Set up to 2 of your DON!! cards as active at the end of this turn.
[On Play] Up to 1 of your opponent's Characters gains [Sleepy] during this turn.
[On Play] Draw 1 card or trash 1 card from your hand.
[Once Per Turn] This Character gains +1000 power.
Your Characters with a cost of 2 or less gain +1000 power.
[On Play] Draw cards equal to the number of your Characters.
[On Play] You may sing: Draw 1 card.
[On Play] If the moon is full, draw 1 card.
[Sometimes] Draw 1 card.
""".strip().splitlines()


def row(number, text, kind="CHARACTER"):
    return {"id": f"U-{number:03}", "name": f"Card {number}", "category": kind, "color": "Red", "cost": 1 + number % 4,
            "power": 1000 * (2 + number % 6), "counter": 1000, "types": "Dock Guild", "effect": text}  # fmt: skip


def imported(texts, kind="CHARACTER"):
    return import_text(json.dumps([row(i, text, kind) for i, text in enumerate(texts, start=1)]), "u.json")


@pytest.mark.parametrize("text", CHARACTERS)
def test_texts_of_characters_that_are_read(text):
    found = imported([text])
    assert found.unread == []
    assert not is_vanilla(found.cards["U-001"])


@pytest.mark.parametrize("text", EVENTS)
def test_texts_of_events_that_are_read(text):
    found = imported([text], "EVENT")
    assert found.unread == []
    assert found.cards["U-001"].abilities


@pytest.mark.parametrize("text", UNREAD)
def test_texts_that_cannot_be_encoded_are_listed_whole(text):
    found = imported([text], "EVENT" if "[Main]" in text else "CHARACTER")
    assert [part.text for part in found.unread] == [text]
    assert is_vanilla(found.cards["U-001"])


def test_one_part_is_lost_and_the_others_are_kept():
    found = imported(["[Blocker] [On Play] Dance.<br>[On K.O.] Draw 1 card."])
    assert [part.text for part in found.unread] == ["[On Play] Dance."]
    one = found.cards["U-001"]
    assert (one.on("ko"), one.abilities[0].text) == ((0,), "[On K.O.] Draw 1 card.")
    assert read_text("[Blocker] [On Play] Dance.\n[On K.O.] Draw 1 card.").keywords == ["blocker"]


def test_an_effect_on_the_wrong_kind_of_card_is_listed():
    assert len(imported(["[Main] Draw 1 card."]).unread) == 1
    assert len(imported(["[On Play] Draw 1 card."], "EVENT").unread) == 1
    assert [part.text for part in imported(["[Blocker]"], "EVENT").unread] == ["[blocker]"]


# --- clauses ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "select"),
    [
        ("up to 1 of your Characters", {"max": 1}),
        ("2 of your Characters", {"max": 2, "min": 2}),
        ("up to 1 Character", {"of": "both", "max": 1}),
        ("up to 3 of your red or blue Leader or Character cards", {"max": 3, "from": "field", "colours": ["red", "blue"]}),
        ("up to 1 of your opponent's Stages with a cost of 1", {"of": "opponent", "max": 1, "from": "stages", "cost": 1}),
        ("up to 1 [Clerk] from your hand", {"max": 1, "from": "hand", "name": "Clerk"}),
        ("up to 1 of your Characters with a [Trigger]", {"max": 1, "trigger": True}),
        ("up to 1 of your Characters with [Blocker] other than this Character", {"max": 1, "keyword": "blocker", "other": True}),
        ("up to 1 of your Characters with a cost of 3 or more and 5000 power or less",
         {"max": 1, "cost": {"min": 3}, "power": {"max": 5000}}),
    ],
)  # fmt: skip
def test_phrases_of_cards(text, select):
    assert read_cards(text).select == select


@pytest.mark.parametrize(
    "text", ["Characters", "up to 1 of your friends", "up to 1 of your Characters in love", "up to 1 card"]
)
def test_phrases_that_mean_no_cards(text):
    assert read_cards(text) is None


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("you have 1 Life card", {"life": {"min": 1, "max": 1}}),
        ("your opponent has 3 or less Life cards", {"life": {"max": 3, "who": "opponent"}}),
        ("you have 0 cards in your hand", {"hand": {"min": 0, "max": 0}}),
        ("your opponent has 7 or more DON!! cards on their field", {"don": {"min": 7, "who": "opponent"}}),
        ("your Leader is rested", {"leader": {"rested": True}}),
        ("this Character has 7000 power or more", {"self": {"power": {"min": 7000}}}),
        ("it is your opponent's turn", {"turn": "opponents"}),
        ("you have no other Characters", {"count": {"kinds": ["character"], "max": 0, "other": True}}),
        ("you have 2 or more {Dock Guild} type Characters", {"count": {"types": ["Dock Guild"], "kinds": ["character"], "min": 2}}),
        ("you have [Clerk]", {"count": {"name": "Clerk", "min": 1}}),
    ],
)  # fmt: skip
def test_conditions_in_words(text, condition):
    assert read_condition(text) == condition


def test_costs_in_words():
    assert read_costs("rest this Stage and DON!! -1") == [{"restSelf": True}, {"returnDon": 1}]
    assert read_costs("rest your Leader") == [{"restLeader": True}]
    assert read_costs("trash 1 of your {Crew} type Characters") == [{"trashCharacter": {"types": ["Crew"]}}]
    assert read_costs("trash 1 Event from your hand") == [{"discard": 1, "kinds": ["event"]}]
    assert read_costs("rest this Character and hum") is None


# --- what the effects do ------------------------------------------------------------------------------------------------


def character(text, name="A", **fields):
    """A Character with an effect text."""
    reading = read_text(text)
    assert reading.unread == []
    return card(name, *reading.abilities, keywords=reading.keywords, **fields)


def test_a_failed_if_in_a_text_blocks_what_follows_and_then_does_not():
    lucky = character("[On Play] If you have 9 or more Life cards, draw 1 card. Then, trash 1 card from the top of your deck.")
    assert len(Position(hand=[lucky]).do("play A", "resolve 1").s.trash[0]) == 0
    plain = character("[On Play] K.O. up to 1 of your opponent's Characters. Then, trash 1 card from the top of your deck.")
    assert len(Position(hand=[plain]).do("play A", "resolve 1").s.trash[0]) == 1


def test_a_limit_in_a_text_is_a_limit():
    hunter = character("[On Play] K.O. up to 1 of your opponent's Characters with a cost of 2 or less.")
    t = Position(hand=[hunter], theirs=[card("small", cost=2), PLAIN]).do("play A", "resolve 1")
    assert t.legal() == ["done", "choose P2.C1"]


def test_a_saved_character_costs_what_the_text_says():
    tough = character("If this Character would be K.O.'d in battle, you may trash 1 card from your hand instead.")
    t = Position(mine=[PLAIN], theirs=[tough], their_hand=[card("B")])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1", "pass", "yes", "pick B")
    assert (t.there("P2.C1"), t.names("trash", 1)) == (True, ["B"])


def test_you_may_governs_its_whole_sentence():
    assert read_text("[On Play] You may draw 1 card and trash 2 cards from your hand. Draw 3 cards.").abilities == [
        {"on": "play", "do": [{"may": [{"draw": 1}, {"discard": 2}]}, {"draw": 3}]}
    ]
    assert read_text("[On Play] You may K.O. 1 of your Characters. If you do, draw 1 card.").abilities[0]["do"] == [
        {"may": [{"select": {"max": 1, "min": 1}, "as": "x"}, {"ko": "x"}, {"ifYouDo": [{"draw": 1}]}]}
    ]


def test_no_blocker_in_this_battle():
    t = Position(
        mine=[character("[When Attacking] Your opponent cannot activate [Blocker] during this battle.")],
        theirs=[card("B", keywords=["blocker"])],
    )
    assert t.do("attack C1 L", "resolve 1").waiting == "LIFE_TRIGGER 2"


def test_that_character_is_the_one_that_was_selected():
    sleepy = (
        "Rest up to 1 of your opponent's Characters. That Character cannot attack until the end of your opponent's next turn."
    )
    t = Position(hand=[character(f"[On Play] {sleepy}")], theirs=[PLAIN, PLAIN]).do("play A", "resolve 1", "choose P2.C2")
    t.next_turn()
    assert t.why_not("attack C2 L") == "MAY_NOT_ATTACK"
    assert t.why_not("attack C1 L") == ""


# --- whole decks of imported cards ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """All texts above in one CSV file, with a Leader."""
    file = tmp_path_factory.mktemp("import") / "cards.csv"
    rows = [row(i, text) for i, text in enumerate(CHARACTERS, start=1)]
    rows += [row(i, text, "EVENT") for i, text in enumerate(EVENTS, start=200)]
    rows.append({**row(0, "", "LEADER"), "life": 4})
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, ["life", *rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return import_cards(file).cards


@pytest.mark.parametrize("number", range(8))
def test_imported_cards_play_whole_games(cards, number):
    designs = [c for c in cards.values() if c.kind != "leader"]
    decks = []
    for name in ("one", "two"):
        start = 13 * (2 * number + len(decks)) % len(designs)
        chosen = [*designs, *designs][start : start + 13]
        decks.append(check_deck(Deck(name, cards["U-000"], {c: 4 if i < 12 else 2 for i, c in enumerate(chosen)})))
    s, x = new(*decks, number % 2), scratch(number)
    x.policy = [0, 1]
    for _ in range(3000):
        if s.actor() == OVER:
            break
        s.apply(decide(s, x))
        assert is_consistent(s)
    assert s.actor() == OVER


def test_a_record_of_imported_cards_replays(cards):
    designs = [c for c in cards.values() if c.kind != "leader"][:13]
    deck = check_deck(Deck("mine", cards["U-000"], {c: 4 if i < 12 else 2 for i, c in enumerate(designs)}))
    record = simulate(["greedy", "random"], 3, (deck, deck))
    (again,) = records(cards).check(record.lines(full=True))
    assert again.codes == record.codes


@pytest.mark.parametrize(
    "text",
    [
        "You may " + " and ".join(["sing a song"] * 40) + ": Draw 1 card.",
        "If " + " and ".join(["you sing"] * 40) + ", draw 1 card.",
        "You may draw 1 card. " * 30 + "Sing.",
        "K.O. " + " and ".join(["up to 1 of your Characters"] * 25) + " and 1 song.",
        "Draw 1 card. " * 400 + "Sing.",
        "a gains b and " * 2000,
    ],
)
def test_a_long_text_that_cannot_be_read_is_given_up_soon(text):
    assert read_text(f"[On Play] {text}").abilities == []
