"""A test for each statement about battles and the keywords that concern them."""

import pytest

from kibitz.game import OVER
from tests.onepiece.positions import PLAIN, Position, card, event, leader

pytestmark = pytest.mark.plain

BLOCKER = card("blocker", keywords=["blocker"], power=4000)


def test_the_attacker_is_rested_and_targets_are_the_leader_and_rested_characters():
    t = Position(mine=[PLAIN], theirs=[PLAIN, PLAIN])
    t.at("P2.C2").rested = True
    assert [a for a in t.legal() if a.startswith("attack C1")] == ["attack C1 L", "attack C1 C2"]
    assert t.why_not("attack C1 C1") == "TARGET_ACTIVE"
    t.do("attack C1 C2")
    assert t.at("P1.C1").rested
    assert t.why_not("attack C1 L") == "ATTACKER_RESTED"


def test_when_attacking_comes_before_on_your_opponents_attack():
    mine = card("A", {"on": "attack", "do": [{"draw": 1}]})
    theirs = card("B", {"on": "opponentAttack", "do": [{"draw": 1}]})
    t = Position(mine=[mine], theirs=[theirs])
    t.do("attack C1 L")
    assert t.waiting == "RESOLVE 1"
    t.do("resolve 1")
    assert t.waiting == "RESOLVE 2"
    assert (len(t.s.hand[0]), len(t.s.hand[1])) == (1, 0)
    t.do("resolve 1")
    assert t.waiting == "COUNTER 2"  # it drew a card, so it is asked


def test_one_blocker_takes_the_place_of_the_target():
    t = Position(mine=[card("A", power=7000)], theirs=[BLOCKER, BLOCKER])
    t.do("attack C1 L")
    assert t.waiting == "BLOCK 2"
    assert t.legal() == ["pass", "block C1", "block C2"]
    t.do("block C2")
    assert not t.there("P2.C2")
    assert t.there("P2.C1")
    assert len(t.s.life[1]) == 4
    assert t.waiting == "MAIN 1"


def test_a_blocker_that_is_rested_does_not_block():
    t = Position(mine=[PLAIN], theirs=[BLOCKER, BLOCKER])
    t.at("P2.C1").rested = True
    t.do("attack C1 L")
    assert t.legal() == ["pass", "block C2"]
    assert t.why_not("block C1") == "NO_BLOCKER"


def test_on_block_is_resolved_before_counters():
    guard = card("G", {"on": "block", "do": [{"addPower": 4000, "to": "self", "for": "battle"}]}, keywords=["blocker"])
    t = Position(mine=[card("A", power=7000)], theirs=[guard])
    t.do("attack C1 L", "block C1", "resolve 1")
    assert t.there("P2.C1")
    assert t.power("P2.C1") == 5000  # the battle is over


def test_printed_counters_are_discarded_for_power_in_this_battle():
    t = Position(mine=[card("A", power=6000)], their_hand=[PLAIN, PLAIN])
    t.do("attack C1 L")
    assert t.legal() == ["pass", "counter plain"]
    t.do("counter plain")
    assert t.power("P2.L") == 6000
    t.do("counter plain")
    t.draw()
    assert t.names("trash", 1) == ["plain", "plain"]
    assert t.power("P2.L") == 5000  # nothing left to discard: the battle is over
    assert len(t.s.life[1]) == 4


def test_counter_events_are_paid_for():
    shield = event(
        "E", cost=2, counter=[{"select": {"from": "field"}, "as": "x"}, {"addPower": 3000, "to": "x", "for": "battle"}]
    )
    t = Position(mine=[PLAIN], their_hand=[shield, PLAIN], their_don=2)
    t.do("attack C1 L", "play E", "choose P2.L")
    assert t.s.rested[1] == 2
    assert t.names("trash", 1) == ["E"]
    t.do("pass")
    assert len(t.s.life[1]) == 4
    poor = Position(mine=[PLAIN], their_hand=[shield, PLAIN], their_don=1)
    poor.do("attack C1 L")
    assert poor.why_not("play E") == "CANNOT_PAY"
    assert poor.why_not("play plain") == "NOT_AT_THIS_TIME"


def test_who_has_cards_is_always_asked_for_counters():
    t = Position(mine=[PLAIN], their_hand=[event("E", main=[{"draw": 1}])])
    t.do("attack C1 L")
    assert t.waiting == "COUNTER 2"
    assert t.legal() == ["pass"]


@pytest.mark.parametrize(("strength", "wins"), [(4000, False), (5000, True), (6000, True)])
def test_the_attacker_wins_on_equal_or_more_power(strength, wins):
    t = Position(mine=[card("A", power=strength)], theirs=[PLAIN])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1")
    assert t.there("P2.C1") != wins
    assert t.there("P1.C1")  # the attacker is never K.O.'d by the battle


def test_damage_takes_the_top_life_card_to_the_hand():
    top = card("T")
    t = Position(mine=[PLAIN], their_life=[None, None, top])
    t.do("attack C1 L")
    assert t.waiting == "LIFE_TRIGGER 2"
    assert t.legal() == ["no"]  # asked all the same: nobody learns that it has no [Trigger]
    t.do("no")
    assert t.names("hand", 1) == ["T"]
    assert len(t.s.life[1]) == 2


def test_if_the_target_moved_the_battle_ends():
    away = card("A", {"on": "attack", "do": [{"select": {"of": "opponent"}, "as": "x"}, {"returnToHand": "x"}]})
    t = Position(mine=[away], theirs=[PLAIN])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1", "resolve 1", "choose P2.C1")
    assert t.waiting == "MAIN 1"
    assert t.names("hand", 1) == ["plain"]
    assert (t.s.attacker, t.s.target) == (-1, -1)


def test_if_the_attacker_moved_the_battle_ends():
    trap = card("B", {"on": "opponentAttack", "do": [{"ko": "attacker"}]})
    t = Position(mine=[PLAIN], theirs=[trap], their_hand=[PLAIN])
    t.do("attack C1 L", "resolve 1")
    assert t.waiting == "MAIN 1"
    assert not t.there("P1.C1")
    assert len(t.s.life[1]) == 4


def test_if_a_fighter_moved_in_the_block_step_the_battle_ends():
    guard = card("G", {"on": "block", "do": [{"returnToHand": "self"}]}, keywords=["blocker"])
    t = Position(mine=[PLAIN], theirs=[guard], their_hand=[PLAIN])
    t.do("attack C1 L", "block C1", "resolve 1")
    assert t.waiting == "MAIN 1"  # no counters, no damage
    assert len(t.s.life[1]) == 4


def test_if_a_fighter_moved_in_the_counter_step_the_battle_ends():
    trap = event("E", counter=[{"returnToHand": "attacker"}])
    t = Position(mine=[PLAIN], their_hand=[trap, PLAIN])
    t.do("attack C1 L", "play E")
    assert t.waiting == "MAIN 1"
    assert (t.names("hand"), len(t.s.life[1])) == (["plain"], 4)


def test_when_attacking_can_take_away_on_your_opponents_attack():
    killer = card("A", {"on": "attack", "do": [{"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}]})
    watch = card("B", {"on": "opponentAttack", "do": [{"draw": 1}]})
    t = Position(mine=[killer], theirs=[watch]).do("attack C1 L", "resolve 1", "choose P2.C1")
    assert t.waiting == "LIFE_TRIGGER 2"  # the card had moved before its effect began


def test_what_when_attacking_activates_waits_for_on_your_opponents_attack():
    steps = [{"select": {"from": "hand"}, "as": "x"}, {"play": "x"}]
    caller = card("A", {"on": "attack", "do": steps})
    helper = card("H", {"on": "play", "do": [{"draw": 1}]})
    watch = card("B", {"on": "opponentAttack", "do": [{"draw": 1}]})
    t = Position(mine=[caller], theirs=[watch], hand=[helper]).do("attack C1 L", "resolve 1", "pick H")
    assert t.waiting == "RESOLVE 2"
    assert t.do("resolve 1").waiting == "RESOLVE 1"


def test_a_target_that_became_active_does_not_block_for_itself():
    wake = card("W", {"on": "opponentAttack", "do": [{"setActive": "target"}]})
    t = Position(mine=[PLAIN], theirs=[BLOCKER, wake])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1", "resolve 1")
    assert t.waiting == "MAIN 1"
    assert not t.there("P2.C1")


def test_a_blocker_takes_an_attack_on_a_character():
    t = Position(mine=[PLAIN], theirs=[PLAIN, BLOCKER])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1", "block C2")
    assert (t.there("P2.C1"), t.there("P2.C2")) == (True, False)


# --- keywords ---------------------------------------------------------------------------------------------------------


def test_a_character_cannot_attack_in_the_turn_it_is_played():
    t = Position(hand=[PLAIN])
    t.do("play plain")
    assert t.why_not("attack C1 L") == "FRESH"


def test_rush_attacks_at_once():
    t = Position(hand=[card("R", keywords=["rush"])])
    t.do("play R")
    assert t.why_not("attack C1 L") == ""


def test_rush_character_attacks_only_characters_at_once():
    t = Position(hand=[card("R", keywords=["rushCharacter"])], theirs=[PLAIN])
    t.at("P2.C1").rested = True
    t.do("play R")
    assert t.why_not("attack C1 L") == "RUSH_CHARACTER"
    assert t.why_not("attack C1 C1") == ""
    t.next_turn().next_turn()
    assert t.why_not("attack C1 L") == ""


def test_double_attack_deals_two_damage():
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[None] * 3)
    t.do("attack C1 L", "no", "no")
    assert (len(t.s.life[1]), len(t.s.hand[1])) == (1, 2)


def test_double_attack_on_the_last_life_card_does_not_win_yet():
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[None])
    t.do("attack C1 L", "no")
    assert (len(t.s.life[1]), t.waiting) == (0, "MAIN 1")


def test_the_second_point_of_a_double_attack_takes_what_a_trigger_added_to_life():
    gift = card("T", {"on": "trigger", "do": [{"deckToLife": 1}]})
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[gift])
    t.do("attack C1 L", "yes", "no")
    assert (len(t.s.life[1]), len(t.s.hand[1]), t.waiting) == (0, 1, "MAIN 1")


def test_a_double_attack_deals_both_points_even_if_the_attacker_leaves_meanwhile():
    trap = event("T", trigger=[{"ko": "attacker"}])
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[None, None, trap])
    t.do("attack C1 L", "yes")
    assert not t.there("P1.C1")
    t.do("no")
    assert (len(t.s.life[1]), t.waiting) == (1, "MAIN 1")


def test_banish_and_double_attack_trash_two_life_cards():
    t = Position(mine=[card("D", keywords=["doubleAttack", "banish"])], their_life=[None] * 3)
    t.do("attack C1 L")
    assert (len(t.s.life[1]), len(t.s.trash[1]), t.waiting) == (1, 2, "MAIN 1")


def test_banish_trashes_life_without_trigger():
    good = card("T", {"on": "trigger", "do": [{"draw": 1}]})
    t = Position(mine=[card("B", keywords=["banish"])], their_life=[None, good])
    t.do("attack C1 L")
    assert t.waiting == "MAIN 1"
    assert t.names("trash", 1) == ["T"]


def test_unblockable_skips_the_block_step():
    t = Position(mine=[card("U", keywords=["unblockable"])], theirs=[BLOCKER])
    t.do("attack C1 L")
    assert t.waiting == "LIFE_TRIGGER 2"


def test_trigger_is_activated_instead_of_taking_the_card():
    good = card("T", {"on": "trigger", "do": [{"draw": 2}]})
    t = Position(mine=[PLAIN], their_life=[None, good])
    t.do("attack C1 L")
    assert t.legal() == ["yes", "no"]
    t.do("yes")
    assert t.names("trash", 1) == ["T"]
    assert len(t.s.hand[1]) == 2


def test_trigger_can_play_the_card_itself():
    good = card("T", {"on": "trigger", "do": [{"playSelf": True}]}, {"on": "play", "do": [{"draw": 1}]})
    t = Position(mine=[PLAIN], their_life=[None, good])
    t.do("attack C1 L", "yes", "resolve 1")
    assert t.s.card(t.at("P2.C1")).id == "T"
    assert t.names("trash", 1) == []
    assert len(t.s.hand[1]) == 1


def test_triggers_met_during_damage_wait_until_all_damage_is_done():
    watcher = card("W", {"on": "when", "event": "lifeLost", "whose": "opponent", "do": [{"draw": 1}]})
    good = card("T", {"on": "trigger", "do": [{"draw": 1}]})
    t = Position(mine=[card("D", keywords=["doubleAttack"]), watcher], their_life=[None, None, good])
    t.do("attack C1 L", "yes")
    assert t.waiting == "LIFE_TRIGGER 2"  # the [Trigger] itself was resolved at once, the watcher waits
    assert len(t.s.hand[1]) == 1
    assert len(t.s.triggers) == 1
    t.do("no")
    assert t.waiting == "RESOLVE 1"
    assert len(t.s.triggers) == 2


def test_a_main_effect_that_a_trigger_activates_does_not_wait_for_the_damage():
    song = event("T", main=[{"draw": 1}], trigger=[{"reuse": "main"}])
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[None, None, song])
    t.do("attack C1 L", "yes")
    assert (t.waiting, len(t.s.hand[1]), t.names("trash", 1)) == ("LIFE_TRIGGER 2", 1, ["T"])


def test_the_on_play_of_a_card_that_a_trigger_played_waits_for_the_damage():
    good = card("T", {"on": "trigger", "do": [{"playSelf": True}]}, {"on": "play", "do": [{"draw": 1}]})
    t = Position(mine=[card("D", keywords=["doubleAttack"])], their_life=[None, None, good])
    t.do("attack C1 L", "yes")
    assert t.waiting == "LIFE_TRIGGER 2"
    assert t.do("no").waiting == "RESOLVE 2"


def test_bans_forbid_attacks_and_blocks():
    curse = event(
        "E",
        main=[
            {"select": {"of": "opponent"}, "as": "x"},
            {"setLegality": "block", "to": "x"},
            {"setLegality": "attack", "to": "x", "for": "opponentsNextEnd"},
        ],
    )
    t = Position(mine=[PLAIN], theirs=[BLOCKER], hand=[curse])
    t.do("play E", "choose P2.C1", "attack C1 L")
    assert t.waiting == "LIFE_TRIGGER 2"
    t.do("no").next_turn()
    assert t.why_not("attack C1 L") == "MAY_NOT_ATTACK"
    assert t.why_not("attack L L") == ""
    t.next_turn().next_turn()
    assert t.why_not("attack C1 L") == ""


def test_some_cards_cannot_be_kod_in_battle():
    tough = card("X", {"on": "permanent", "cannot": ["koInBattle"]})
    t = Position(mine=[PLAIN], theirs=[tough])
    t.at("P2.C1").rested = True
    t.do("attack C1 C1")
    assert t.there("P2.C1")


def test_a_win_in_the_middle_of_a_battle_ends_everything():
    killer = card("K", {"on": "attack", "do": [{"damage": 1, "who": "opponent"}]})
    t = Position(mine=[killer], leaders=(leader("L1"), leader("L2")), their_life=[None])
    t.s.life[1].clear()
    t.s.unknown[1] += 1
    t.do("attack C1 L", "resolve 1")
    assert t.s.actor() == OVER
    assert t.s.winner == 0
