"""A test for each primitive, cost, condition and duration of the effect language."""

import pytest

from kibitz.onepiece.core.cards import KEYWORDS
from kibitz.onepiece.core.effects.power import bans, cost, keywords
from kibitz.onepiece.core.schema import read_card
from tests.onepiece.positions import PLAIN, Position, card, event, leader, stage

pytestmark = pytest.mark.plain


def main(*steps, **fields):
    """Play an Event with these steps in a position, before anything is chosen."""
    t = Position(hand=[event("E", main=list(steps)), *fields.pop("hand", [])], **fields)
    return t.do("play E")


# --- selecting --------------------------------------------------------------------------------------------------------


def test_select_up_to_asks_until_done():
    t = main({"select": {"of": "opponent", "max": 2}, "as": "x"}, {"rest": "x"}, theirs=[PLAIN, PLAIN, PLAIN])
    assert t.legal() == ["done", "choose P2.C1", "choose P2.C2", "choose P2.C3"]
    t.do("choose P2.C2")
    assert t.legal() == ["done", "choose P2.C1", "choose P2.C3"]
    t.do("done")
    assert [u.rested for u in t.s.characters(1)] == [False, True, False]


def test_select_exactly_has_no_done_and_takes_all_if_there_are_few():
    t = main({"select": {"of": "both", "min": 2, "max": 2}, "as": "x"}, {"rest": "x"}, mine=[PLAIN], theirs=[PLAIN, PLAIN])
    assert "done" not in t.legal()
    t = main({"select": {"of": "opponent", "min": 2, "max": 2}, "as": "x"}, {"rest": "x"}, theirs=[PLAIN])
    assert t.waiting == "MAIN 1"
    assert t.at("P2.C1").rested


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ({"cost": {"max": 2}}, ["C1"]),
        ({"power": {"min": 6000}}, ["C2"]),
        ({"types": ["Sailor"]}, ["C2"]),
        ({"keyword": "blocker"}, ["C1"]),
        ({"rested": True}, ["C3"]),
        ({"name": "plain"}, []),
        ({"name": "Plain"}, ["C3"]),
        ({"notName": "Plain"}, ["C1", "C2"]),
        ({"colours": ["blue"]}, ["C2"]),
        ({"trigger": True}, ["C1"]),
        ({"counter": True}, ["C3"]),
        ({"cost": 3}, ["C3"]),
    ],
)
def test_filters(which, found):
    small = card("A", {"on": "trigger", "do": [{"draw": 1}]}, cost=1, keywords=["blocker"])
    large = card("B", cost=7, power=8000, types=["Sailor"], colours=["red", "blue"])
    t = Position(theirs=[small, large, PLAIN], hand=[event("E", main=[{"select": {"of": "opponent", **which}, "as": "x"}])])
    t.at("P2.C3").rested = True
    t.do("play E")
    assert [text[-2:] for text in t.legal() if text.startswith("choose")] == found


def test_select_by_the_opponent():
    t = main({"select": {"of": "opponent", "by": "opponent", "min": 1}, "as": "x"}, {"ko": "x"}, theirs=[PLAIN, PLAIN])
    assert t.waiting == "CHOOSE 2"
    t.do("choose P2.C2")
    assert not t.there("P2.C2")


def test_who_has_nothing_to_choose_in_hand_is_asked_all_the_same():
    t = main({"select": {"from": "hand", "kinds": ["stage"]}, "as": "x"}, {"play": "x"}, hand=[PLAIN])
    assert t.legal() == ["done"]


def test_select_leaders_stages_and_self_excluded():
    t = main({"select": {"from": "leaders", "of": "both"}, "as": "x"}, {"rest": "x"}, mine=[stage("S")])
    assert t.legal() == ["done", "choose P1.L", "choose P2.L"]
    t.do("choose P2.L")
    assert t.at("P2.L").rested
    t = main({"select": {"from": "stages"}, "as": "x"}, {"trash": "x"}, mine=[stage("S")])
    t.do("choose P1.S")
    assert not t.there("P1.S")
    one = card("A", {"on": "activate", "once": True, "do": [{"select": {"other": True}, "as": "x"}, {"rest": "x"}]})
    t = Position(mine=[one, PLAIN]).do("activate C1 1")
    assert t.legal() == ["done", "choose P1.C2"]


# --- power, cost, keywords, bans ----------------------------------------------------------------------------------------


def test_add_power_and_set_base_power():
    t = main({"addPower": 2000, "to": "leader"}, {"setBasePower": 7000, "to": "leader"})
    assert t.power("P1.L") == 9000


def test_of_several_base_powers_the_highest_counts():
    t = main({"setBasePower": 7000, "to": "leader"}, {"setBasePower": 3000, "to": "leader"})
    assert t.power("P1.L") == 7000


def test_modify_cost_and_grant_keyword():
    t = main({"select": {}, "as": "x"}, {"modifyCost": 2, "to": "x"}, {"grantKeyword": "blocker", "to": "x"}, mine=[PLAIN])
    t.do("choose P1.C1")
    assert cost(t.s, t.at("P1.C1")) == 5
    assert keywords(t.s, t.at("P1.C1")) == KEYWORDS["blocker"]


def test_a_change_for_the_battle_ends_with_it():
    bold = card("A", {"on": "attack", "do": [{"addPower": 3000, "to": "self", "for": "battle"}]})
    t = Position(mine=[bold]).do("attack C1 L", "resolve 1", "no")
    assert t.power("P1.C1") == 5000


def test_a_change_for_the_turn_ends_with_it():
    t = main({"addPower": 2000, "to": "leader"})
    assert t.next_turn().power("P1.L") == 5000


def test_until_the_start_of_your_next_turn():
    t = main({"addPower": 2000, "to": "leader", "for": "yourNextStart"})
    assert t.next_turn().power("P1.L") == 7000
    assert t.next_turn().power("P1.L") == 5000


def test_until_the_end_of_the_opponents_next_turn():
    t = main({"addPower": -2000, "to": "opponentLeader", "for": "opponentsNextEnd"})
    assert t.next_turn().power("P2.L") == 3000
    assert t.next_turn().power("P2.L") == 5000


def test_the_opponents_next_turn_is_not_the_present_one():
    curse = card("C", {"on": "opponentAttack", "do": [{"addPower": -2000, "to": "opponentLeader", "for": "opponentsNextEnd"}]})
    t = Position(theirs=[curse]).do("attack L L", "resolve 1")
    assert t.next_turn().power("P1.L") == 3000
    assert t.next_turn().power("P1.L") == 3000
    assert t.next_turn().power("P1.L") == 5000


def test_set_legality_keeps_a_card_rested():
    t = main(
        {"select": {"of": "opponent"}, "as": "x"},
        {"rest": "x"},
        {"setLegality": "refresh", "to": "x", "for": "opponentsNextEnd"},
        theirs=[PLAIN],
    )
    t.do("choose P2.C1").next_turn()
    assert t.at("P2.C1").rested
    assert not t.next_turn().next_turn().at("P2.C1").rested


# --- movement -----------------------------------------------------------------------------------------------------------


def test_draw_and_discard():
    t = main({"draw": 2}, {"discard": 1}, hand=[PLAIN])
    assert len(t.s.hand[0]) == 3
    t.do("pick plain")
    assert t.names("trash") == ["E", "plain"]


def test_the_owner_of_the_hand_chooses_what_is_discarded():
    t = main({"discard": 1, "who": "opponent"}, their_hand=[PLAIN, card("A")])
    assert t.waiting == "CHOOSE 2"
    t.do("pick A")
    assert t.names("hand", 1) == ["plain"]


def test_ko_activates_on_ko_which_is_resolved_from_the_trash():
    phoenix = card("P", {"on": "ko", "do": [{"playSelf": True, "rested": True}]})
    t = main({"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}, theirs=[phoenix])
    t.do("choose P2.C1")
    assert t.names("trash", 1) == ["P"]
    assert t.waiting == "RESOLVE 2"
    t.do("resolve 1")
    assert t.names("trash", 1) == []
    assert t.at("P2.C1").rested


def test_trash_is_not_a_ko():
    phoenix = card("P", {"on": "ko", "do": [{"playSelf": True}]})
    t = main({"select": {"of": "opponent"}, "as": "x"}, {"trash": "x"}, theirs=[phoenix])
    t.do("choose P2.C1")
    assert t.waiting == "MAIN 1"
    assert t.names("trash", 1) == ["P"]


def test_ko_by_effect_can_be_forbidden():
    tough = card("X", {"on": "permanent", "cannot": ["koByEffect"]})
    t = main({"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}, {"ifYouDo": [{"draw": 1}]}, theirs=[tough])
    t.do("choose P2.C1")
    assert t.there("P2.C1")
    assert t.s.hand[0] == []


def test_rest_and_set_active():
    t = Position(mine=[PLAIN], hand=[event("E", main=[{"select": {}, "as": "x"}, {"setActive": "x"}])])
    t.do("attack C1 L", "no", "play E", "choose P1.C1")
    assert not t.at("P1.C1").rested
    assert t.why_not("attack C1 L") == ""


def test_return_to_hand_and_to_the_deck():
    t = main({"select": {"of": "opponent"}, "as": "x"}, {"returnToHand": "x"}, theirs=[PLAIN])
    t.do("choose P2.C1")
    assert t.names("hand", 1) == ["plain"]
    assert t.s.shown[1] == {t.s.table.number["plain"]: 1}  # everybody saw it go there
    for place in ("bottom", "top"):
        t = main({"select": {"of": "opponent"}, "as": "x"}, {"returnToDeck": "x", "at": place}, theirs=[PLAIN])
        size = t.s.deck_size(1)
        t.do("choose P2.C1")
        assert t.s.deck_size(1) == size + 1
        assert [e >> 2 for e in getattr(t.s, place)[1]] == [t.s.table.number["plain"]]


def test_play_from_hand_and_trash_without_paying():
    t = main({"select": {"from": "trash", "cost": {"max": 3}}, "as": "x"}, {"play": "x", "rested": True}, trash=[PLAIN])
    t.do("pick plain")
    assert t.at("P1.C1").rested
    assert t.names("trash") == ["E"]
    t = main({"select": {"from": "hand", "max": 2}, "as": "x"}, {"play": "x"}, hand=[PLAIN, PLAIN], don=1)
    t.do("pick plain", "pick plain")
    assert len(t.s.characters(0)) == 2


def test_look_at_the_top_take_one_and_order_the_rest():
    a, b, c = card("A", types=["Crew"]), card("B"), card("C")
    steps = (
        {"lookTop": 3},
        {"select": {"from": "top", "types": ["Crew"]}, "as": "x"},
        {"toHand": "x"},
        {"orderRest": "bottom"},
    )
    t = main(*steps, top=[b, a, c])
    assert t.legal() == ["done", "pick A"]
    t.do("pick A")
    assert t.legal() == ["pick B", "pick C"]
    t.do("pick C")
    number = t.s.table.number
    assert [e >> 2 for e in t.s.bottom[0]] == [number["C"], number["B"]]
    assert t.s.shown[0] == {number["A"]: 1}
    t = main(*steps[:-1], {"orderRest": "top"}, top=[b, a, c])
    t.do("done", "pick C", "pick A")
    assert [e >> 2 for e in reversed(t.s.top[0])] == [number["C"], number["A"], number["B"]]
    t = main(*steps[:-1], {"orderRest": "trash"}, top=[b, a, c])
    t.do("done")
    assert t.names("trash") == ["A", "B", "C", "E"]


def test_a_card_played_from_the_top_is_no_longer_among_the_rest():
    a, b = card("A"), card("B")
    t = main({"lookTop": 2}, {"select": {"from": "top"}, "as": "x"}, {"play": "x"}, {"orderRest": "bottom"}, top=[a, b])
    t.do("pick A")
    assert [e >> 2 for e in t.s.bottom[0]] == [t.s.table.number["B"]]
    assert t.s.top[0] == []


def test_play_self_means_this_very_card():
    copy = card("A", {"on": "activate", "once": True, "do": [{"playSelf": True}, {"ifYouDo": [{"draw": 1}]}]})
    t = Position(mine=[copy], hand=[copy], trash=[copy]).do("activate C1 1")
    assert len(t.s.characters(0)) == 1  # it is on the field; neither the copy in hand nor that in the trash is meant


def test_a_leader_never_leaves_its_place():
    t = main({"select": {"from": "field", "min": 1}, "as": "x"}, {"returnToHand": "x"}, {"ifYouDo": [{"draw": 1}]})
    assert (t.there("P1.L"), t.s.hand[0]) == (True, [])


def test_reveal_shows_the_card_to_everybody_and_leaves_it():
    t = main({"reveal": 1}, top=[PLAIN])
    assert t.s.top[0] == [t.s.table.number["plain"] << 2 | 3]
    t.next_turn().next_turn()
    assert t.names("hand") == ["plain"]


def test_shuffle_forgets_where_cards_lie():
    t = main({"lookTop": 2}, {"shuffle": True}, top=[PLAIN, card("A")])
    assert (t.s.top[0], t.s.bottom[0]) == ([], [])
    assert t.s.pool[0][t.s.table.index[0][t.s.table.number["A"]]] == 1


def test_mill():
    t = main({"mill": 2, "who": "opponent"})
    assert len(t.s.trash[1]) == 2


def test_reuse_activates_another_effect_of_the_card():
    bang = event("T", cost=4, main=[{"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}], trigger=[{"reuse": "main"}])
    t = Position(mine=[PLAIN], their_life=[None, bang])
    t.do("attack C1 L", "yes", "choose P1.C1")
    assert not t.there("P1.C1")
    again = card("A", {"on": "attack", "do": [{"reuse": "play"}]}, {"on": "play", "do": [{"draw": 1}]})
    t = Position(mine=[again]).do("attack C1 L", "resolve 1")
    assert t.waiting == "RESOLVE 1"  # it waits like any other effect
    assert len(t.do("resolve 1").s.hand[0]) == 1


def test_a_main_effect_that_cannot_be_paid_is_not_activated_by_a_trigger():
    effects = [
        {"on": "main", "cost": [{"discard": 1}], "do": [{"draw": 2}]},
        {"on": "trigger", "do": [{"reuse": "main"}]},
    ]
    facts = {"id": "T", "name": "T", "kind": "event", "colours": ["red"], "cost": 1}
    song = read_card({**facts, "abilities": effects}, "test")
    t = Position(mine=[PLAIN], their_life=[None, song]).do("attack C1 L", "yes")
    assert (t.waiting, t.s.hand[1], t.names("trash", 1)) == ("MAIN 1", [], ["T"])


# --- DON!! --------------------------------------------------------------------------------------------------------------


def test_give_add_and_orient_don():
    t = main({"giveDon": 2, "rested": True, "to": "leader"}, don=3)
    assert (t.at("P1.L").don, t.s.rested[0], t.s.active[0]) == (1, 0, 2)  # only one was rested
    t = main({"addDon": 2}, {"addDon": 1, "rested": True})
    assert (t.s.active[0], t.s.rested[0], t.s.don_deck[0]) == (6, 2, 2)
    t = main({"orientDon": 1})
    assert (t.s.active[0], t.s.rested[0]) == (5, 0)
    t = main({"orientDon": 3, "rested": True, "who": "opponent"})
    assert (t.s.active[1], t.s.rested[1]) == (2, 3)


def test_return_don_from_wherever_their_owner_chooses():
    t = Position(hand=[event("E", main=[{"returnDon": 2}])], don=5)
    t.do("give L", "play E")
    assert t.legal() == ["return_rested", "return_active", "return_given L"]
    t.do("return_given L", "return_rested")
    assert (t.at("P1.L").don, t.s.active[0], t.s.rested[0], t.s.don_deck[0]) == (0, 3, 0, 7)


# --- Life ---------------------------------------------------------------------------------------------------------------


def test_life_to_hand_and_trash_is_no_damage():
    good = card("T", {"on": "trigger", "do": [{"draw": 1}]})
    t = main({"lifeToHand": 1, "who": "opponent"}, {"lifeTrash": 1, "who": "opponent"}, their_life=[None, PLAIN, good])
    assert t.names("hand", 1) == ["T"]
    assert t.names("trash", 1) == ["plain"]
    assert t.waiting == "MAIN 1"


def test_life_cannot_be_taken_where_none_is():
    t = main({"lifeTrash": 2, "who": "opponent"}, {"ifYouDo": [{"draw": 1}]}, their_life=[None])
    assert (t.s.life[1], len(t.s.hand[0])) == ([], 1)
    assert t.s.winner == -1


def test_add_to_life():
    t = main({"select": {"from": "hand"}, "as": "x"}, {"addToLife": "x", "hidden": True}, hand=[PLAIN])
    t.do("pick plain")
    assert t.s.life[0][-1] == t.s.table.number["plain"] << 2 | 1
    t = main({"deckToLife": 1})
    assert t.s.life[0] == [-1] * 5
    t = main({"deckToLife": 1, "faceUp": True}, top=[PLAIN])
    assert t.s.life[0][-1] == t.s.table.number["plain"] << 2 | 3


def test_look_at_life():
    t = main({"lookTop": 1, "life": True, "of": "opponent"}, their_life=[None, PLAIN])
    assert t.s.life[1][-1] & 3 == 1


# --- control ------------------------------------------------------------------------------------------------------------


def test_if_else():
    for life, drawn in ((3, 1), (4, 2)):
        t = main({"if": {"life": {"max": 3}}, "then": [{"draw": 1}], "else": [{"draw": 2}]}, life=[None] * life)
        assert len(t.s.hand[0]) == drawn


def test_a_failed_if_blocks_what_follows():
    rich = card("A", {"on": "play", "if": {"don": {"min": 9}}, "do": [{"draw": 1}]})
    t = Position(hand=[rich]).do("play A", "resolve 1")
    assert t.s.hand[0] == []


def test_a_failed_then_does_not_block():
    t = main({"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}, {"draw": 1})
    assert len(t.s.hand[0]) == 1


def test_if_you_do():
    steps = ({"select": {"of": "opponent"}, "as": "x"}, {"rest": "x"}, {"ifYouDo": [{"draw": 1}]})
    assert len(main(*steps, theirs=[PLAIN]).do("choose P2.C1").s.hand[0]) == 1
    assert len(main(*steps, theirs=[PLAIN]).do("done").s.hand[0]) == 0


def test_may():
    assert len(main({"may": [{"draw": 1}]}).do("yes").s.hand[0]) == 1
    assert len(main({"may": [{"draw": 1}]}, {"mill": 1}).do("no").s.trash[0]) == 2


def test_choice():
    t = main({"choice": [{"label": "one", "do": [{"draw": 1}]}, {"label": "two", "do": [{"draw": 2}]}]}, {"mill": 1})
    assert t.legal() == ["option 1", "option 2"]
    t.do("option 2")
    assert (len(t.s.hand[0]), len(t.s.trash[0])) == (2, 2)


def test_for_each():
    t = main(
        {"forEach": {"of": "opponent", "cost": {"max": 3}}, "do": [{"rest": "it"}]}, theirs=[PLAIN, card("B", cost=4), PLAIN]
    )
    assert [u.rested for u in t.s.characters(1)] == [True, False, True]


def test_on_play_effects_wait_until_the_effect_that_played_the_card_is_done():
    helper = card("H", {"on": "play", "do": [{"draw": 1}]})
    t = main({"select": {"from": "hand"}, "as": "x"}, {"play": "x"}, {"mill": 1}, hand=[helper])
    t.do("pick H")
    assert t.waiting == "RESOLVE 1"
    assert len(t.s.trash[0]) == 2


# --- costs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "fields", "answers", "check"),
    [
        ({"restDon": 2}, {"don": 2}, [], lambda t: t.s.rested[0] == 2),
        ({"returnDon": 1}, {"don": 1}, [], lambda t: t.s.don_deck[0] == 10),
        ({"restSelf": True}, {}, [], lambda t: t.at("P1.C1").rested),
        ({"trashSelf": True}, {}, [], lambda t: t.names("trash") == ["A"]),
        ({"discard": 1}, {"hand": [PLAIN]}, ["pick plain"], lambda t: t.names("trash") == ["plain"]),
        ({"lifeToHand": 1}, {}, [], lambda t: len(t.s.life[0]) == 3),
        ({"lifeTrash": 1}, {}, [], lambda t: len(t.s.life[0]) == 3 and len(t.s.trash[0]) == 1),
        ({"restLeader": True}, {}, [], lambda t: t.at("P1.L").rested),
        ({"restCharacter": {"other": True}}, {"more": [PLAIN]}, [], lambda t: t.at("P1.C2").rested),
        ({"returnCharacter": {"other": True}}, {"more": [PLAIN]}, [], lambda t: "plain" in t.names("hand")),
        ({"trashCharacter": {"other": True}}, {"more": [PLAIN]}, [], lambda t: t.names("trash") == ["plain"]),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) and value else "",
)
def test_costs(price, fields, answers, check):
    payer = card("A", {"on": "activate", "cost": [price], "do": [{"draw": 1}]})
    fields = dict(fields)
    t = Position(mine=[payer, *fields.pop("more", [])], **fields)
    before = len(t.s.hand[0])
    t.do("activate C1 1", *answers)
    assert check(t)
    assert t.s.deck_size(0) == 50 - 4 - len(t.s.hand[0]) - len(t.s.characters(0)) - len(t.s.trash[0]) + (4 - len(t.s.life[0]))
    assert len(t.s.hand[0]) >= before or "discard" in price


@pytest.mark.parametrize(
    ("price", "fields"),
    [
        ({"restDon": 2}, {"don": 1}),
        ({"returnDon": 1}, {"don": 0}),
        ({"discard": 1}, {}),
        ({"discard": 1, "kinds": ["event"]}, {"hand": [PLAIN]}),
        ({"lifeToHand": 5}, {}),
        ({"lifeTrash": 5}, {}),
        ({"restCharacter": {"other": True}}, {}),
        ({"returnCharacter": {"other": True}}, {}),
    ],
)
def test_costs_that_cannot_be_paid(price, fields):
    payer = card("A", {"on": "activate", "cost": [price], "do": [{"draw": 1}]})
    assert Position(mine=[payer], **fields).why_not("activate C1 1") == "CANNOT_PAY_EFFECT"


# --- conditions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "fields", "holds"),
    [
        ({"turn": "yours"}, {}, True),
        ({"turn": "opponents"}, {}, False),
        ({"life": {"max": 3}}, {}, False),
        ({"life": {"who": "opponent", "min": 4}}, {}, True),
        ({"hand": {"max": 0}}, {}, True),
        ({"hand": {"who": "opponent", "min": 1}}, {"their_hand": [PLAIN]}, True),
        ({"don": 5}, {}, True),
        ({"activeDon": {"min": 5}}, {}, True),
        ({"trash": {"min": 1}}, {}, False),
        ({"deck": {"min": 30}}, {}, True),
        ({"count": {"who": "opponent", "min": 1}}, {}, True),  # the Leader is on the field, too
        ({"count": {"kinds": ["character"], "other": True, "min": 1}}, {}, False),
        ({"leader": {"name": "L1"}}, {}, True),
        ({"self": {"rested": False}}, {}, True),
        ({"donGiven": 1}, {}, False),
        ({"attacking": True}, {}, False),
        ({"not": {"life": 3}}, {}, True),
        ({"all": [{"turn": "yours"}, {"life": 4}]}, {}, True),
        ({"any": [{"turn": "opponents"}, {"life": 4}]}, {}, True),
        ({"turn": "yours", "life": 3}, {}, False),
    ],
)
def test_conditions(condition, fields, holds):
    asker = card("A", {"on": "activate", "once": True, "if": condition, "do": [{"draw": 1}]})
    t = Position(mine=[asker], **fields).do("activate C1 1")
    assert len(t.s.hand[0]) == holds


# --- permanent effects ------------------------------------------------------------------------------------------------------


def test_don_xn_and_your_turn():
    proud = card("A", {"on": "permanent", "don": 1, "if": {"turn": "yours"}, "power": 2000, "keywords": ["doubleAttack"]})
    t = Position(mine=[proud])
    assert t.power("P1.C1") == 5000
    t.do("give C1")
    assert (t.power("P1.C1"), keywords(t.s, t.at("P1.C1"))) == (8000, KEYWORDS["doubleAttack"])
    assert t.next_turn().power("P1.C1") == 5000


def test_permanent_effects_end_when_their_card_leaves():
    banner = card("B", {"on": "permanent", "whose": "both", "power": -1000, "cost": -1, "cannot": ["attackLeader"]})
    t = Position(mine=[banner, PLAIN], hand=[event("E", main=[{"select": {}, "as": "x"}, {"trash": "x"}])])
    assert t.power("P2.L") == 4000
    assert cost(t.s, t.at("P1.C2")) == 2
    assert bans(t.s, t.at("P1.C2"))
    assert t.why_not("attack C2 L") == "MAY_NOT_ATTACK"
    t.do("play E", "choose P1.C1")
    assert t.power("P2.L") == 5000
    assert t.why_not("attack C2 L") == ""


def test_permanent_effects_that_depend_on_power_follow_each_other():
    first = card("A", {"on": "permanent", "if": {"count": {"power": {"min": 7000}, "min": 1}}, "power": 2000})
    second = card("B", {"on": "permanent", "if": {"self": {"rested": True}}, "power": 2000})
    t = Position(mine=[first, second, leader_like()])
    assert t.power("P1.C1") == 5000
    t.do("attack C2 L", "no")
    assert (t.power("P1.C2"), t.power("P1.C1")) == (7000, 7000)


def leader_like():
    return card("plainer", power=1000)


# --- replacement ------------------------------------------------------------------------------------------------------------


def guard(**fields):
    return card(
        "G",
        {"on": "replace", "event": "ko", "other": True, "optional": True, "cost": [{"trashSelf": True}], "do": [], **fields},
    )


def test_a_replacement_takes_the_place_of_a_ko():
    t = Position(mine=[card("A", power=9000)], theirs=[PLAIN, guard()])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1")
    assert t.waiting == "CONFIRM 2"
    t.do("yes")
    assert t.there("P2.C1")
    assert t.names("trash", 1) == ["G"]


def test_a_replacement_can_be_declined():
    t = main({"select": {"of": "opponent", "max": 2}, "as": "x"}, {"ko": "x"}, theirs=[PLAIN, guard()])
    t.do("choose P2.C1", "choose P2.C2", "no")
    assert t.names("trash", 1) == ["G", "plain"]


@pytest.mark.parametrize(
    ("by", "saved"),
    [("any", ["battle", "mine", "theirs"]), ("battle", ["battle"]), ("effect", ["mine", "theirs"]),
     ("opponentsEffect", ["theirs"])],
)  # fmt: skip
def test_a_replacement_can_ask_what_threatens_the_card(by, saved):
    tough = card("T", {"on": "replace", "event": "ko", "whose": "self", "by": by, "do": []})
    kill = [{"select": {"of": "both", "name": "T", "min": 1}, "as": "x"}, {"ko": "x"}]
    found = []
    t = Position(mine=[PLAIN], theirs=[tough])
    t.at("P2.C1").rested = True
    found += ["battle"] * t.do("attack C1 C1").there("P2.C1")
    found += ["mine"] * Position(mine=[tough], hand=[event("E", main=kill)]).do("play E").there("P1.C1")
    found += ["theirs"] * Position(theirs=[tough], hand=[event("E", main=kill)]).do("play E").there("P2.C1")
    assert found == saved


def test_a_mandatory_replacement_once_per_turn():
    tough = card("T", {"on": "replace", "event": "left", "whose": "self", "once": True, "do": [{"draw": 1}]})
    steps = [{"select": {"of": "opponent"}, "as": "x"}, {"returnToHand": "x"}]
    t = Position(theirs=[tough], hand=[event("E", main=steps), event("F", main=steps)])
    t.do("play E", "choose P2.C1")
    assert t.there("P2.C1")
    assert len(t.s.hand[1]) == 1
    t.do("play F", "choose P2.C1")
    assert not t.there("P2.C1")


# --- auto effects -------------------------------------------------------------------------------------------------------------


def test_of_several_effects_the_player_chooses_the_order():
    helper = card("H", {"on": "turnEnd", "do": [{"draw": 1}]})
    miller = card("M", {"on": "turnEnd", "do": [{"mill": 1}]})
    t = Position(mine=[helper, miller]).do("end_turn")
    assert t.legal() == ["resolve 1", "resolve 2"]
    t.do("resolve 2")
    assert (len(t.s.trash[0]), len(t.s.hand[0])) == (1, 0)
    assert t.legal() == ["resolve 1"]


def test_the_turn_players_effects_come_first():
    mine = card("A", {"on": "turnEnd", "do": [{"draw": 1}]})
    theirs = card("B", {"on": "opponentTurnEnd", "do": [{"draw": 1}]})
    t = Position(mine=[mine], theirs=[theirs]).do("end_turn")
    assert t.waiting == "RESOLVE 1"
    assert t.do("resolve 1").waiting == "RESOLVE 2"


def test_a_card_that_moved_before_its_effect_began_has_no_effect():
    helper = card("H", {"on": "turnEnd", "do": [{"draw": 1}]})
    killer = card("K", {"on": "turnEnd", "do": [{"select": {"name": "H"}, "as": "x"}, {"trash": "x"}]})
    t = Position(mine=[helper, killer]).do("end_turn", "resolve 2", "choose P1.C1")
    assert (t.waiting, t.s.hand[0]) == ("MAIN 2", [])


def test_an_effect_that_waits_for_its_own_card_to_leave_is_resolved():
    ghost = card("G", {"on": "when", "event": "left", "whose": "self", "do": [{"draw": 1}]})
    t = main({"select": {"name": "G"}, "as": "x"}, {"returnToHand": "x"}, mine=[ghost]).do("choose P1.C1", "resolve 1")
    assert len(t.s.hand[0]) == 2


def test_what_an_effect_activates_waits_for_those_that_waited_with_it():
    mine = card("A", {"on": "turnEnd", "do": [{"draw": 1}]}, {"on": "when", "event": "drew", "do": [{"mill": 1}]})
    theirs = card("B", {"on": "opponentTurnEnd", "do": [{"draw": 1}]})
    t = Position(mine=[mine], theirs=[theirs]).do("end_turn", "resolve 1")
    assert t.waiting == "RESOLVE 2"  # the turn player's new effect is younger
    assert t.do("resolve 1").waiting == "RESOLVE 1"
    assert t.do("resolve 1").waiting == "MAIN 2"


def test_optional_effects_can_be_declined():
    helper = card("H", {"on": "play", "optional": True, "cost": [{"discard": 1}], "do": [{"draw": 2}]})
    t = Position(hand=[helper, PLAIN]).do("play H")
    assert t.legal() == ["resolve 1", "decline 1"]
    t.do("decline 1")
    assert t.names("hand") == ["plain"]


def test_an_optional_effect_that_cannot_be_paid_is_not_offered():
    helper = card("H", {"on": "play", "optional": True, "cost": [{"discard": 1}], "do": [{"draw": 2}]})
    assert Position(hand=[helper]).do("play H").waiting == "MAIN 1"


def test_once_per_turn_and_per_card():
    wheel = card("W", {"on": "activate", "once": True, "do": [{"mill": 1}]})
    t = Position(mine=[wheel, wheel]).do("activate C1 1")
    assert t.why_not("activate C1 1") == "ONCE_PER_TURN"
    t.do("activate C2 1").next_turn().next_turn()
    assert t.why_not("activate C1 1") == ""


def test_an_effect_that_waits_for_an_event_happens_once_per_turn():
    watcher = leader("W", {"on": "when", "event": "discarded", "whose": "you", "once": True, "do": [{"draw": 1}]})
    t = Position(hand=[event("E", main=[{"discard": 2}]), PLAIN, PLAIN], leaders=(watcher, leader("L2")))
    t.do("play E", "pick plain", "pick plain")
    assert len(t.s.triggers) == 2
    t.do("resolve 1")
    assert t.waiting == "MAIN 1"
    assert len(t.s.hand[0]) == 1


@pytest.mark.parametrize(
    ("name", "whose", "steps"),
    [
        ("drew", "you", [{"draw": 1}]),
        ("milled", "opponent", [{"mill": 1, "who": "opponent"}]),
        ("donReturned", "you", [{"returnDon": 1}]),
        ("donGiven", "you", [{"giveDon": 1, "to": "leader"}]),
        ("lifeLost", "opponent", [{"lifeTrash": 1, "who": "opponent"}]),
        ("lifeGained", "you", [{"deckToLife": 1}]),
        ("rested", "any", [{"rest": "leader"}]),
        ("left", "you", [{"select": {"name": "Plain", "min": 1}, "as": "x"}, {"trash": "x"}]),
        ("ko", "you", [{"select": {"name": "Plain", "min": 1}, "as": "x"}, {"ko": "x"}]),
        ("event", "you", [{"draw": 1}]),
    ],
)
def test_events_that_effects_wait_for(name, whose, steps):
    watcher = card("W", {"on": "when", "event": name, "whose": whose, "do": [{"addPower": 1000, "to": "self"}]})
    t = Position(mine=[watcher, PLAIN], hand=[event("E", main=steps)]).do("play E")
    if t.waiting == "RETURN_DON 1":
        t.do("return_rested")
    t.do("resolve 1")
    assert t.power("P1.C1") == 6000


def test_trigger_activation_asks_don_and_turn():
    picky = card("A", {"on": "attack", "don": 1, "turn": "yours", "do": [{"draw": 1}]})
    assert Position(mine=[picky]).do("attack C1 L").waiting == "LIFE_TRIGGER 2"
    assert Position(mine=[picky]).do("give C1", "attack C1 L").waiting == "RESOLVE 1"
    active = card("A", {"on": "activate", "don": 2, "do": [{"draw": 1}]})
    assert Position(mine=[active]).do("give C1").why_not("activate C1 1") == "DON_NOT_GIVEN"


# --- corners ------------------------------------------------------------------------------------------------------------


def test_replacements_that_threaten_each_other_come_to_an_end():
    def saved_by(name, other):
        steps = [{"select": {"name": other, "min": 1}, "as": "x"}, {"ko": "x"}]
        return card(name, {"on": "replace", "event": "ko", "whose": "self", "do": steps})

    ko = [{"select": {"name": "A", "min": 1}, "as": "x"}, {"ko": "x"}]
    t = main(*ko, mine=[saved_by("A", "B"), saved_by("B", "A")])
    assert (t.waiting, t.names("trash")) == ("MAIN 1", ["A", "E"])
    t = main(*ko, mine=[card("A", {"on": "replace", "event": "ko", "whose": "self", "do": [{"ko": "self"}]})])
    assert (t.waiting, t.names("trash")) == ("MAIN 1", ["A", "E"])


def test_an_event_is_not_played_to_the_field():
    other = event("F", main=[{"draw": 1}], trigger=[{"playSelf": True}])
    t = main({"select": {"from": "hand", "min": 1}, "as": "x"}, {"play": "x"}, hand=[other], mine=[PLAIN])
    t.do("pick F")
    assert (t.names("hand"), len(t.s.characters(0))) == (["F"], 1)
    t = Position(their_life=[None, other])
    t.do("attack L L", "yes")
    assert (t.names("trash", 1), t.s.characters(1)) == (["F"], [])


def test_more_effects_wait_than_can_be_told_apart():
    bell = {"on": "when", "event": "milled", "whose": "any", "do": [{"addPower": 1000, "to": "self"}]}
    mine = leader("L1", {"on": "when", "event": "drew", "do": [{"addPower": 1000, "to": "self"}]})
    t = main({"mill": 20}, {"draw": 1}, leaders=(mine, leader("L2", bell, bell)))
    assert (len(t.s.triggers), t.legal()) == (41, ["resolve 1"])
    t.do("resolve 1")
    assert (t.waiting, len(t.legal())) == ("RESOLVE 2", 30)
    t.do(*["resolve 1"] * 40)
    assert (t.waiting, t.power("P2.L")) == ("MAIN 1", 45000)


@pytest.mark.parametrize(
    ("steps", "legal"),
    [
        ([{"draw": 1}], ["pick B", "pick C"]),
        ([{"select": {"from": "top", "name": "B", "min": 1}, "as": "x"}, {"returnToDeck": "x"}], ["pick A", "pick C"]),
        (
            [{"select": {"from": "top", "name": "B", "min": 1}, "as": "x"}, {"returnToDeck": "x", "at": "top"}],
            ["pick A", "pick C"],
        ),
    ],
)
def test_the_rest_is_what_is_left_of_the_cards_looked_at(steps, legal):
    t = main({"lookTop": 3}, *steps, {"orderRest": "bottom"}, top=[card("A"), card("B"), card("C"), card("D")])
    if len(steps) > 1:
        t.do("pick B")
    assert t.legal() == legal
    t.do(legal[1])
    assert [t.s.table.cards[entry >> 2].id for entry in t.s.bottom[0]][-2:] == [text[5:] for text in legal[::-1]]
    assert t.s.table.cards[t.s.deck_top(0) >> 2].id == ("B" if {"returnToDeck": "x", "at": "top"} in steps else "D")


def test_after_a_shuffle_there_is_no_rest():
    t = main({"lookTop": 3}, {"shuffle": True}, {"orderRest": "bottom"})
    assert (t.waiting, t.s.bottom[0]) == ("MAIN 1", [])


def test_an_if_blocks_everything_however_long():
    long = card("A", {"on": "activate", "if": {"life": 9}, "do": [{"addPower": 1000, "to": "self"}] * 12_000})
    t = Position(mine=[long])
    t.do("activate C1 1")
    assert t.power("P1.C1") == 5000
