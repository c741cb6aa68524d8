"""A test for each statement about set-up, areas, the turn, costs and defeat."""

import pytest

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.arena import Phase
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.effects.power import cost, cost_in_hand, power
from kibitz.onepiece.core.engine import draw, new, scratch
from tests.onepiece.checks import is_consistent
from tests.onepiece.positions import PLAIN, Position, card, event, leader, stage

pytestmark = pytest.mark.plain


def fresh(seed=0, starts=0):
    """A real game, dealt, waiting for the first decision."""
    s = new(starter("tide"), starter("ember"), starts)
    deal(s, seed)
    return s


def deal(s, seed=0):
    while s.actor() == CHANCE:
        s.apply(draw(s, scratch(seed)))


def keep_both(s):
    for _ in range(2):
        s.apply(2)
        deal(s)


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_both_draw_five_cards():
    s = fresh()
    assert [len(hand) for hand in s.hand] == [5, 5]
    assert [s.deck_size(seat) for seat in range(2)] == [45, 45]
    assert s.don_deck == [10, 10]


def test_one_full_redraw_each_and_the_first_player_decides_first():
    s = fresh(starts=1)
    assert s.actor() == 1
    assert s.actions() == [2, 3]
    before = sorted(s.hand[1])
    s.apply(3)
    deal(s, seed=5)
    assert len(s.hand[1]) == 5
    assert sorted(s.hand[1]) != before
    assert s.actor() == 0
    s.apply(2)
    deal(s)
    assert s.kind() == 3  # the Main Phase: nobody redraws twice


def test_life_is_as_many_cards_as_the_leader_says_from_the_deck():
    s = fresh()
    keep_both(s)
    assert [len(life) for life in s.life] == [5, 5]
    assert s.deck_size(1) == 40


def test_nothing_tells_where_the_cards_of_life_lay_in_the_deck():
    s = fresh()
    keep_both(s)
    # The top card of the deck ends at the bottom of Life; nobody has seen either, so no card is determined yet.
    assert s.life == [[-1] * 5, [-1] * 5]


# --- areas ------------------------------------------------------------------------------------------------------------


def test_there_are_five_places_for_characters_and_one_for_a_stage():
    t = Position(hand=[PLAIN] * 4 + [stage("S")], don=10)
    for _ in range(3):
        t.do("play plain")
    t.do("play S")
    assert [place for place in ("C1", "C2", "C3", "C4", "C5", "S") if t.there(f"P1.{place}")] == ["C1", "C2", "C3", "S"]


def test_a_face_up_life_card_is_open_and_others_are_not():
    t = Position(hand=[event("E", main=[{"deckToLife": 1, "faceUp": True}])], top=[PLAIN], their_life=[None, PLAIN])
    t.do("play E")
    view = t.s.copy()
    view.hide(1)
    assert view.life[0][-1] >> 2 == t.s.table.number["plain"]
    assert view.life[0][:-1] == [-1] * 4
    assert view.life[1] == [-1, -1]  # not even its owner knows it


def test_a_stage_is_not_kod_by_its_successor():
    old = stage("S1", {"on": "when", "event": "ko", "whose": "any", "do": [{"draw": 1}]})
    assert Position(mine=[old], hand=[stage("S2")]).do("play S2").waiting == "MAIN 1"


def test_a_sixth_character_needs_room_and_that_is_not_a_ko():
    fallen = card("F", {"on": "ko", "do": [{"draw": 3}]})
    t = Position(mine=[fallen, PLAIN, PLAIN, PLAIN, PLAIN], hand=[PLAIN])
    t.do("play plain")
    assert t.waiting == "MAKE_ROOM 1"
    assert t.legal() == [f"choose P1.C{i}" for i in range(1, 6)]
    t.do("choose P1.C1")
    assert t.names("trash") == ["F"]
    assert t.s.hand[0] == []
    assert t.waiting == "MAIN 1"
    assert t.at("P1.C1").fresh


def test_who_is_trashed_for_a_sixth_character_loses_its_on_play():
    helper = card("H", {"on": "play", "do": [{"draw": 1}]})
    steps = [{"select": {"from": "hand", "max": 2}, "as": "x"}, {"play": "x"}]
    t = Position(mine=[PLAIN] * 4, hand=[helper, PLAIN, event("E", main=steps)])
    t.do("play E", "pick H", "pick plain", "choose P1.C5")
    assert t.waiting == "MAIN 1"  # it was gone before its effect began
    assert t.names("trash") == ["E", "H"]


def test_nothing_replaces_the_trashing_for_a_sixth_character():
    tough = card("T", {"on": "replace", "event": "left", "whose": "self", "do": [{"draw": 1}]})
    t = Position(mine=[tough, PLAIN, PLAIN, PLAIN, PLAIN], hand=[PLAIN]).do("play plain", "choose P1.C1")
    assert t.names("trash") == ["T"]


def test_a_second_stage_replaces_the_first():
    t = Position(mine=[stage("S1")], hand=[stage("S2")])
    t.do("play S2")
    assert t.names("trash") == ["S1"]
    assert t.s.card(t.at("P1.S")).id == "S2"


def test_a_card_that_leaves_the_field_becomes_a_new_card():
    door = card("D", {"on": "activate", "once": True, "do": [{"returnToHand": "self"}, {"playSelf": True}]})
    t = Position(mine=[door])
    t.do("give C1", "activate C1 1")
    again = t.at("P1.C1")
    assert (again.don, again.fresh, again.used) == (0, True, 0)
    assert t.s.rested[0] == 1
    assert "activate C1 1" in t.legal()  # once per turn belongs to the card that left


def test_sizes_are_public_and_cards_are_not():
    t = Position(hand=[PLAIN, PLAIN], their_hand=[PLAIN])
    view = t.s.copy()
    view.hide(1)
    assert view.hand[0] == [-1, -1]
    assert view.hand[1] == t.s.hand[1]
    assert len(view.life[0]) == 4
    assert view.deck_size(0) == t.s.deck_size(0)


# --- the turn ---------------------------------------------------------------------------------------------------------


def test_the_first_player_gets_one_don_and_no_card_then_everybody_two_and_one():
    s = fresh()
    keep_both(s)
    assert (s.turn, s.player, s.active[0], len(s.hand[0])) == (1, 0, 1, 5)
    s.apply(1)
    deal(s)
    assert (s.turn, s.player, s.active[1], len(s.hand[1])) == (2, 1, 2, 6)
    s.apply(1)
    deal(s)
    assert (s.turn, s.player, s.active[0], len(s.hand[0])) == (3, 0, 3, 6)


def test_the_don_deck_runs_dry_at_ten():
    t = Position(don=9, their_don=5)
    t.next_turn().next_turn()
    assert (t.s.active[0], t.s.don_deck[0]) == (10, 0)


def test_refresh_returns_given_don_and_sets_everything_active():
    t = Position(mine=[PLAIN], hand=[PLAIN])
    t.do("give C1", "give L", "attack C1 L", "no", "play plain").next_turn().next_turn()
    assert t.s.active[0] == 7
    assert t.s.rested[0] == 0
    assert [(u.rested, u.don, u.fresh) for u in t.s.units(0)] == [(False, 0, False)] * 3


def test_refresh_ends_changes_then_resolves_effects_of_the_start_then_returns_don_and_sets_active():
    # Its power counts the DON!! that are still given, and no longer what lasted until now.
    early = card("A", {"on": "turnStart", "if": {"self": {"power": {"min": 6000, "max": 6000}, "rested": True}},
                       "do": [{"draw": 1}]})  # fmt: skip
    boost = event("E", main=[{"select": {}, "as": "x"}, {"addPower": 3000, "to": "x", "for": "yourNextStart"}])
    t = Position(mine=[early], hand=[boost])
    t.do("play E", "choose P1.C1", "give C1", "attack C1 L", "no").next_turn()
    assert t.power("P1.C1") == 8000
    t.do("end_turn")
    assert t.waiting == "RESOLVE 1"
    assert (t.power("P1.C1"), t.at("P1.C1").don, t.at("P1.C1").rested) == (6000, 1, True)
    t.do("resolve 1")
    assert len(t.s.hand[0]) == 2  # that card, and the one of the Draw Phase
    assert (t.at("P1.C1").don, t.at("P1.C1").rested, t.s.rested[0]) == (0, False, 0)


def test_who_is_played_at_the_start_of_the_turn_cannot_attack_in_it():
    caller = card("A", {"on": "turnStart", "do": [{"select": {"from": "hand", "name": "Plain"}, "as": "x"}, {"play": "x"}]})
    t = Position(mine=[caller], hand=[PLAIN]).next_turn().do("end_turn", "resolve 1", "pick plain")
    assert t.why_not("attack C1 L") == ""
    assert t.why_not("attack C2 L") == "FRESH"


def test_refresh_happens_in_ones_own_turn_only():
    t = Position(mine=[PLAIN])
    t.do("give C1", "attack C1 L", "no").next_turn()
    assert (t.at("P1.C1").rested, t.at("P1.C1").don) == (True, 1)


def test_neither_player_battles_on_their_own_first_turn():
    for turn in (1, 2):
        t = Position(mine=[PLAIN], turn=turn)
        assert not any(text.startswith("attack") for text in t.legal())
        assert t.why_not("attack C1 L") == "FIRST_TURN"
    assert Position(mine=[PLAIN], turn=3).why_not("attack C1 L") == ""


def test_main_phase_allows_any_order():
    t = Position(mine=[PLAIN], hand=[PLAIN, event("E", main=[{"draw": 1}])], don=9)
    t.do("attack C1 L", "no", "play E", "give L", "attack L L", "pass", "no", "play plain", "give C2")
    assert t.waiting == "MAIN 1"


def test_end_of_turn_effects_come_before_what_lasts_a_turn_ends():
    late = card("A", {"on": "turnEnd", "if": {"count": {"power": {"min": 7000}, "min": 1}}, "do": [{"draw": 1}]})
    t = Position(mine=[late], hand=[event("E", main=[{"select": {}, "as": "x"}, {"addPower": 2000, "to": "x"}])])
    t.do("play E", "choose P1.C1", "end_turn", "resolve 1")
    assert len(t.s.hand[0]) == 1
    assert t.power("P1.C1") == 5000


# --- costs ------------------------------------------------------------------------------------------------------------


def test_a_cost_is_paid_with_active_don():
    t = Position(hand=[PLAIN], don=5)
    t.do("play plain")
    assert (t.s.active[0], t.s.rested[0]) == (2, 3)


def test_costs_are_paid_whole_or_not_at_all():
    t = Position(hand=[PLAIN], don=2)
    assert "play plain" not in t.legal()
    assert t.why_not("play plain") == "CANNOT_PAY"
    dear = card("D", {"on": "activate", "cost": [{"restDon": 1}, {"discard": 1}], "do": [{"draw": 1}]})
    t = Position(mine=[dear], don=3)
    assert t.why_not("activate C1 1") == "CANNOT_PAY_EFFECT"
    t = Position(mine=[dear], don=3, hand=[PLAIN])
    t.do("activate C1 1", "pick plain")
    assert (t.s.active[0], t.names("trash"), len(t.s.hand[0])) == (2, ["plain"], 1)


def test_a_declined_cost_is_not_paid_in_part():
    payer = card("A", {"on": "attack", "optional": True, "cost": [{"restDon": 1}, {"discard": 1}], "do": [{"draw": 1}]})
    t = Position(mine=[payer], hand=[PLAIN]).do("attack C1 L", "decline 1", "no")
    assert (t.s.active[0], t.names("hand")) == (5, ["plain"])


def test_an_event_cannot_pay_its_effect_with_itself():
    greedy = event("E", price=[{"discard": 1}], main=[{"draw": 1}])
    assert Position(hand=[greedy]).why_not("play E") == "CANNOT_PAY_EFFECT"
    assert Position(hand=[greedy, PLAIN]).why_not("play E") == ""


def test_given_don_are_worth_1000_each_in_ones_own_turn_only():
    t = Position(mine=[PLAIN])
    t.do("give C1", "give C1")
    assert t.power("P1.C1") == 7000
    t.next_turn()
    assert t.power("P1.C1") == 5000
    assert t.at("P1.C1").don == 2


def test_don_are_given_one_by_one_to_leader_or_characters_not_to_a_stage():
    t = Position(mine=[PLAIN, stage("S")], don=1)
    assert [text for text in t.legal() if text.startswith("give")] == ["give L", "give C1"]
    t.do("give L")
    assert t.why_not("give L") == "NO_ACTIVE_DON"


def test_power_may_go_negative_and_costs_floor_at_zero():
    weak = event(
        "E", main=[{"select": {"of": "opponent"}, "as": "x"}, {"addPower": -9000, "to": "x"}, {"modifyCost": -9, "to": "x"}]
    )
    t = Position(theirs=[PLAIN], hand=[weak])
    t.do("play E", "choose P2.C1")
    assert t.power("P2.C1") == -4000
    assert cost(t.s, t.at("P2.C1")) == 0
    cheap = leader("cheap", {"on": "permanent", "whose": "hand", "cost": -5})
    t = Position(hand=[PLAIN], leaders=(cheap, leader("L2")), don=0)
    assert cost_in_hand(t.s, 0, t.s.table.number["plain"]) == 0
    t.do("play plain")
    assert t.there("P1.C1")


# --- defeat -----------------------------------------------------------------------------------------------------------


def test_damage_at_zero_life_loses():
    t = Position(mine=[PLAIN], their_life=[None])
    t.do("attack C1 L", "no")
    assert len(t.s.life[1]) == 0
    assert t.waiting == "MAIN 1"
    t.do("attack L L")
    while t.s.actor() != OVER:
        t.do(t.legal()[0])
    assert (t.s.winner, t.s.ending, t.s.phase) == (0, "damage", Phase.OVER)
    assert [t.s.score(seat) for seat in range(2)] == [1, -1]


def test_an_empty_deck_loses_at_once():
    t = Position(hand=[event("E", main=[{"draw": 2}])], deck_size=2)
    t.do("play E")
    assert (t.s.winner, t.s.ending) == (1, "deck")
    assert is_consistent(t.s)


def test_an_empty_deck_is_checked_in_the_middle_of_an_effect():
    t = Position(
        mine=[card("M", {"on": "activate", "once": True, "do": [{"mill": 3, "who": "opponent"}, {"mill": 3}]})], deck_size=3
    )
    t.do("activate C1 1")
    assert (t.s.winner, t.s.ending) == (0, "deck")


def test_the_last_card_of_the_deck_can_be_lost_in_any_way():
    taking = [{"lookTop": 1}, {"select": {"from": "top"}, "as": "x"}, {"toHand": "x"}]
    for steps in ([{"deckToLife": 1}], [{"mill": 1}], taking):
        t = Position(hand=[event("E", main=steps)], deck_size=1).do("play E")
        if t.waiting == "CHOOSE 1":
            t.do(t.legal()[1])
        assert (t.s.winner, t.s.ending) == (1, "deck")
        assert is_consistent(t.s)


def test_looking_at_all_cards_of_the_deck_loses_nothing():
    t = Position(hand=[event("E", main=[{"lookTop": 5}, {"orderRest": "bottom"}])], deck_size=3).do("play E")
    while t.waiting == "CHOOSE 1":
        t.do(t.legal()[0])
    assert t.waiting == "MAIN 1"


def test_of_two_decks_that_run_out_the_first_decides():
    both = [{"mill": 1}, {"mill": 1, "who": "opponent"}]
    for steps, winner in ((both, 1), (both[::-1], 0)):
        t = Position(hand=[event("E", main=steps)], deck_size=1).do("play E")
        assert (t.s.winner, t.s.ending) == (winner, "deck")  # cards move one by one, and it is checked at once


def test_power_counts_print_don_changes_and_permanent_effects():
    banner = stage("S", {"on": "permanent", "whose": "you", "which": {"kinds": ["character"]}, "power": 1000})
    t = Position(mine=[PLAIN, banner], theirs=[PLAIN])
    t.do("give C1")
    assert [power(t.s, u) for u in t.s.units(0)][:2] == [5000, 7000]
    assert t.power("P2.C1") == 5000
