"""Every line of the rules and every option, from positions made by hand.

Hands are letters: Duke, Assassin, Captain, aMbassador, conTessa; after a slash what was lost.
"""

from fractions import Fraction

import pytest

from kibitz import game
from kibitz.coup import Action, GameState, Rules
from kibitz.coup.core.game_state import position as named
from kibitz.coup.core.reasons import NUMBERS
from kibitz.coup.core.rules import window
from kibitz.coup.core.state import new_states
from kibitz.game import CHANCE, OVER
from kibitz.game.verbs import moment
from tests.coup.positions import cards_and_coins_add_up, do, lost, options, position

pytestmark = pytest.mark.plain


def coins(states):
    return named(states)["coins"]


def waits(states):
    """The phase, and who acts."""
    here = named(states)
    return here["phase"], here["actor"]


def next_turn(states, player, turn=2):
    """Whether a new turn begins with nothing on the table."""
    here = named(states)
    clear = [here[name] for name in ("action", "target", "claim", "blocker", "challenger", "winner")] == [None] * 6
    return clear and (here["phase"], here["actor"], here["player"], here["turn"]) == ("ACTION", player, player, turn)


def refused(states, text, reason):
    return game.why_not_at(states, 0, Action.from_text(text).code) == NUMBERS[reason]


# --- the set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_is_dealt_two_cards_and_has_two_coins(seats):
    state = GameState.new(seats, seed=5).resolve()
    assert [len(player.cards) for player in state.players] == [2] * seats
    assert [player.coins for player in state.players] == ([1, 2] if seats == 2 else [2] * seats)
    assert len(state.deck) == 15 - 2 * seats
    assert state.treasury == 50 - sum(player.coins for player in state.players)
    assert cards_and_coins_add_up(state.states)
    assert (state.turn_number, state.actor) == (1, 0)


@pytest.mark.parametrize("seats", [1, 7])
def test_coup_is_for_two_to_six(seats):
    with pytest.raises(ValueError, match="2 to 6 players"):
        new_states(seats)


def test_a_pair_is_dealt_by_the_ways_to_pick_it():
    odds = {Action.from_code(a).to_text(): p for a, p in game.outcomes(new_states(2))}
    assert len(odds) == 15
    assert odds["drawn duke duke"] == Fraction(3, 105)
    assert odds["drawn duke contessa"] == Fraction(9, 105)
    second = do(new_states(2), "drawn duke duke")
    odds = {Action.from_code(a).to_text(): p for a, p in game.outcomes(second)}
    assert "drawn duke duke" not in odds
    assert odds["drawn duke contessa"] == Fraction(3, 78)


def test_an_endgame_is_dealt_one_card_to_each_of_those_who_are_left():
    states = new_states(3)
    states["influence"][0, :3] = [1, 0, 2]
    assert {Action.from_code(a).to_text(): p for a, p in game.outcomes(states)}["drawn duke"] == Fraction(1, 5)
    after = do(states, "drawn duke", "drawn duke duke")
    assert named(after)["hands"] == [["duke"], [], ["duke", "duke"]]
    assert waits(after) == ("ACTION", 0)


# --- actions --------------------------------------------------------------------------------------------------


def test_income_takes_one_coin_and_nobody_can_object():
    after = do(position("DA", "CT"), "income")
    assert coins(after) == [3, 2]
    assert next_turn(after, 1)


def test_foreign_aid_takes_two_coins_and_cannot_be_challenged():
    asked = do(position("DA", "CT"), "foreign_aid")
    assert waits(asked) == ("BLOCK", 1)
    assert options(asked) == ["allow", "block duke"]
    assert coins(do(asked, "allow")) == [4, 2]


def test_any_player_may_block_foreign_aid_with_a_duke():
    asked = do(position("AA", "CT", "DM", coins=[2, 2, 2]), "foreign_aid", "allow")
    assert waits(asked) == ("BLOCK", 2)
    blocked = do(asked, "block duke")
    assert waits(blocked) == ("CHALLENGE", 0)
    after = do(blocked, "allow", "allow")
    assert coins(after) == [2, 2, 2]
    assert next_turn(after, 1)


def test_a_caught_duke_lets_foreign_aid_through():
    after = do(position("AA", "CT"), "foreign_aid", "block duke", "challenge", "lose captain")
    assert coins(after) == [4, 2]
    assert lost(after, 1) == ["captain"]
    assert next_turn(after, 1)


def test_a_shown_duke_keeps_foreign_aid_blocked():
    after = do(position("AA", "DT"), "foreign_aid", "block duke", "challenge", "show duke", "lose assassin", "drawn duke")
    assert coins(after) == [2, 2]
    assert lost(after, 0) == ["assassin"]
    assert next_turn(after, 1)


def test_a_coup_costs_seven_and_cannot_be_stopped():
    struck = do(position("AA", "DT", "CC", coins=[7, 2, 2]), "coup 3")
    assert coins(struck) == [0, 2, 2]
    assert waits(struck) == ("LOSE", 2)
    after = do(struck, "lose captain")
    assert lost(after, 2) == ["captain"]
    assert next_turn(after, 1)


def test_a_coup_needs_seven_coins():
    states = position("AA", "DT", coins=[6, 2])
    assert refused(states, "coup 2", "CANNOT_PAY")
    assert "coup 2" not in options(states)


def test_with_ten_coins_a_coup_is_forced():
    states = position("AA", "DT", "CC", coins=[10, 2, 2])
    assert options(states) == ["coup 2", "coup 3"]
    for text in ("income", "tax", "assassinate 2", "steal 2"):
        assert refused(states, text, "MUST_COUP")
    assert "income" in options(position("AA", "DT", coins=[9, 2]))


def test_tax_takes_three_coins_claiming_the_duke():
    claimed = do(position("AA", "DT"), "tax")
    assert named(claimed)["claim"] == "duke"
    assert options(claimed) == ["allow", "challenge"]
    assert coins(do(claimed, "allow")) == [5, 2]


def test_assassination_costs_three_and_takes_an_influence():
    after = do(position("AD", "DT", coins=[3, 2]), "assassinate 2", "allow", "allow")
    assert waits(after) == ("LOSE", 1)
    assert options(after) == ["lose duke", "lose contessa"]
    after = do(after, "lose duke")
    assert coins(after) == [0, 2]
    assert lost(after, 1) == ["duke"]


def test_assassination_needs_three_coins():
    assert refused(position("AA", "DT"), "assassinate 2", "CANNOT_PAY")


def test_only_the_target_may_block_an_assassination_with_a_contessa():
    asked = do(position("AD", "DM", "CT", coins=[3, 2, 2]), "assassinate 2", "allow", "allow")
    assert waits(asked) == ("BLOCK", 1)
    assert options(asked) == ["allow", "block contessa"]


def test_a_block_leaves_the_cost_spent():
    after = do(position("AD", "DT", coins=[3, 2]), "assassinate 2", "allow", "block contessa", "allow")
    assert coins(after) == [0, 2]
    assert lost(after, 1) == []
    assert next_turn(after, 1)


def test_steal_takes_two_coins_or_what_is_there():
    assert coins(do(position("CD", "DT", coins=[2, 5]), "steal 2", "allow", "allow")) == [4, 3]
    assert coins(do(position("CD", "DT", coins=[2, 1]), "steal 2", "allow", "allow")) == [3, 0]


def test_only_the_target_may_block_a_theft_naming_captain_or_ambassador():
    asked = do(position("CD", "MT", "CC"), "steal 2", "allow", "allow")
    assert waits(asked) == ("BLOCK", 1)
    assert options(asked) == ["allow", "block captain", "block ambassador"]
    blocked = do(asked, "block ambassador")
    assert named(blocked)["claim"] == "ambassador"
    after = do(blocked, "challenge", "show ambassador", "lose duke", "drawn duke")
    assert coins(after) == [2, 2, 2]
    assert lost(after, 0) == ["duke"]


def test_exchange_draws_two_and_returns_two():
    drawn = do(position("MD", "CT"), "exchange", "allow", "drawn duke contessa")
    assert waits(drawn) == ("RETURN", 0)
    assert options(drawn) == [
        "return_cards duke duke",
        "return_cards duke ambassador",
        "return_cards duke contessa",
        "return_cards ambassador contessa",
    ]
    assert [game.why_not_at(drawn, 0, Action.from_text(text).code) for text in options(drawn)] == [0] * 4
    after = do(drawn, "return_cards ambassador contessa")
    assert named(after)["hands"][0] == ["duke", "duke"]
    assert cards_and_coins_add_up(after)
    assert next_turn(after, 1)


def test_with_one_influence_an_exchange_keeps_one_card():
    drawn = do(position("M/D", "CT"), "exchange", "allow", "drawn duke contessa")
    assert options(drawn) == ["return_cards duke ambassador", "return_cards duke contessa", "return_cards ambassador contessa"]
    assert named(do(drawn, "return_cards duke ambassador"))["hands"][0] == ["contessa"]


def test_the_treasury_pays_what_it_has():
    states = position("DD", "CT", "AA", "MM", "TT", "CC", coins=[8, 9, 9, 9, 9, 5])
    assert coins(do(states, "tax", *["allow"] * 5))[0] == 9
    empty = position("DD", "CT", "AA", "MM", "TT", "CC", coins=[9, 9, 9, 9, 9, 5])
    assert coins(do(empty, "income"))[0] == 9


# --- targets --------------------------------------------------------------------------------------------------


def test_nobody_is_their_own_target():
    states = position("AA", "DT", coins=[7, 2])
    for text in ("coup 1", "assassinate 1", "steal 1"):
        assert refused(states, text, "OWN_TARGET")


def test_who_is_out_or_absent_is_no_target():
    states = position("AA", "DT", "/CC", coins=[7, 2, 0])
    for text in ("coup 3", "assassinate 3", "steal 3"):
        assert refused(states, text, "TARGET_IS_OUT")
        assert text not in options(states)
    assert refused(states, "coup 5", "NO_SUCH_PLAYER")


# --- challenges -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["tax", "exchange", "assassinate 2", "steal 2"])
def test_any_other_player_may_challenge_a_claim_one_after_another(text):
    claimed = do(position("AA", "DT", "CM", "TT", coins=[3, 2, 2, 2]), text)
    assert waits(claimed) == ("CHALLENGE", 1)
    assert window(claimed[0]) == 0b1110
    second = do(claimed, "allow")
    assert waits(second) == ("CHALLENGE", 2)
    assert window(second[0]) == 0b1100
    doubted = do(second, "challenge")
    assert waits(doubted) == ("SHOW", 0)
    assert named(doubted)["challenger"] == 2
    assert window(doubted[0]) == 0


def test_who_is_out_is_not_asked():
    claimed = do(position("AA", "/DT", "CM", coins=[3, 0, 2]), "tax")
    assert waits(claimed) == ("CHALLENGE", 2)
    assert next_turn(do(claimed, "allow"), 2)


def test_the_player_is_asked_first_about_a_block_and_the_blocker_not_at_all():
    blocked = do(position("AA", "DT", "CM"), "foreign_aid", "allow", "block duke")
    assert waits(blocked) == ("CHALLENGE", 0)
    assert window(blocked[0]) == 0b011
    assert waits(do(blocked, "allow")) == ("CHALLENGE", 1)


def test_foreign_aid_is_a_window_for_all_and_a_theft_for_its_target():
    assert window(do(position("AA", "DT", "CM"), "foreign_aid")[0]) == 0b110
    assert window(do(position("AA", "DT", "CM"), "steal 3", "allow", "allow")[0]) == 0b100


def test_a_shown_card_costs_the_challenger_an_influence_of_own_choice():
    doubted = do(position("DA", "CT"), "tax", "challenge")
    assert options(doubted) == ["show duke", "lose assassin"]
    shown = do(doubted, "show duke")
    assert waits(shown) == ("LOSE", 1)
    assert options(shown) == ["lose captain", "lose contessa"]


def test_a_shown_card_is_shuffled_back_and_a_new_one_drawn():
    replaced = do(position("DA", "CT"), "tax", "challenge", "show duke", "lose captain")
    assert waits(replaced) == ("REPLACE", "chance")
    assert named(replaced)["hands"] == [["assassin"], ["contessa"]]
    odds = {Action.from_code(a).to_text(): p for a, p in game.outcomes(replaced)}
    assert odds == {
        "drawn duke": Fraction(3, 12),
        "drawn assassin": Fraction(2, 12),
        "drawn captain": Fraction(2, 12),
        "drawn ambassador": Fraction(3, 12),
        "drawn contessa": Fraction(2, 12),
    }
    after = do(replaced, "drawn ambassador")
    assert named(after)["hands"][0] == ["assassin", "ambassador"]
    assert coins(after) == [5, 2]
    assert next_turn(after, 1)


def test_a_caught_claimant_loses_an_influence_of_own_choice_and_the_action_fails():
    doubted = do(position("AC", "CT"), "tax", "challenge")
    assert options(doubted) == ["lose assassin", "lose captain"]
    after = do(doubted, "lose captain")
    assert coins(after) == [2, 2]
    assert lost(after, 0) == ["captain"]
    assert next_turn(after, 1)


def test_who_holds_the_card_may_decline_to_show_it():
    after = do(position("DA", "CT"), "tax", "challenge", "lose assassin")
    assert lost(after, 0) == ["assassin"]
    assert named(after)["hands"][0] == ["duke"]
    assert coins(after) == [2, 2]


def test_who_holds_nothing_else_must_show():
    doubted = do(position("DD", "CT"), "tax", "challenge")
    assert options(doubted) == ["show duke"]
    assert refused(doubted, "lose duke", "SHOW_OR_LOSE_ANOTHER")


def test_only_the_claimed_card_proves_a_claim():
    doubted = do(position("AC", "CT"), "tax", "challenge")
    assert refused(doubted, "show captain", "NOT_CLAIMED")
    assert refused(doubted, "show duke", "NOT_HELD")
    assert refused(doubted, "lose contessa", "NOT_HELD")


# --- assassinations that go wrong -----------------------------------------------------------------------------


def test_an_assassination_costs_two_influences_after_a_failed_challenge():
    after = do(
        position("AD", "CT", "DM", coins=[3, 2, 2]),
        *("assassinate 2", "challenge", "show assassin", "lose captain", "drawn duke", "allow", "lose contessa"),
    )
    assert lost(after, 1) == ["captain", "contessa"]
    assert named(after)["coins"] == [0, 0, 2]
    assert next_turn(after, 2)


def test_an_assassination_costs_two_influences_after_a_false_contessa():
    after = do(
        position("AD", "CM", "DM", coins=[3, 2, 2]),
        *("assassinate 2", "allow", "allow", "block contessa", "challenge", "lose captain"),
    )
    assert waits(after) == ("LOSE", 1)
    after = do(after, "lose ambassador")
    assert lost(after, 1) == ["captain", "ambassador"]
    assert next_turn(after, 2)


def test_a_target_that_is_out_loses_nothing_more():
    after = do(
        position("AD", "C/T", "DM", coins=[3, 2, 2]),
        *("assassinate 2", "challenge", "show assassin", "lose captain", "drawn duke"),
    )
    assert next_turn(after, 2)
    after = do(
        position("AD", "C/T", "DM", coins=[3, 2, 2]),
        *("assassinate 2", "allow", "allow", "block contessa", "challenge", "lose captain"),
    )
    assert next_turn(after, 2)


def test_a_target_that_is_out_has_nothing_to_steal():
    after = do(
        position("CD", "C/T", "DM", coins=[3, 2, 2]),
        *("steal 2", "challenge", "show captain", "lose captain", "drawn duke"),
    )
    assert coins(after) == [3, 0, 2]
    assert next_turn(after, 2)


# --- elimination and the end ----------------------------------------------------------------------------------


def test_the_coins_of_who_is_out_go_back():
    after = do(position("AA", "T/C", "DD", coins=[7, 5, 2]), "coup 2", "lose contessa")
    assert coins(after) == [0, 0, 2]
    assert named(after)["treasury"] == 48
    assert next_turn(after, 2)


def test_the_last_one_wins():
    after = do(position("AA", "T/C", coins=[7, 5]), "coup 2", "lose contessa")
    assert game.actor_at(after, 0) == OVER
    assert named(after)["winner"] == 0
    assert [game.score_at(after, 0, seat) for seat in range(2)] == [60, 0]
    assert refused(after, "income", "GAME_IS_OVER")


def test_two_cards_that_are_replaced_in_one_turn_are_drawn_apart():
    action = do(position("CD", "MA"), "steal 2", "challenge", "show captain", "lose assassin")
    block = do(action, "drawn duke", "block ambassador", "challenge", "show ambassador", "lose duke")
    assert waits(action) == waits(block) == ("REPLACE", "chance")
    assert moment(action[0]) != moment(block[0])


def test_a_challenge_can_end_the_game_before_the_shown_card_is_replaced():
    after = do(position("DA", "T/C"), "tax", "challenge", "show duke", "lose contessa")
    assert named(after)["winner"] == 0
    assert named(after)["hands"][0] == ["duke", "assassin"]


def test_a_player_who_is_caught_and_out_passes_the_turn_on():
    after = do(position("M/C", "TT", "DD", coins=[3, 2, 2]), "assassinate 2", "challenge", "lose ambassador")
    assert coins(after) == [0, 2, 2]
    assert next_turn(after, 1)


def test_the_turn_limit_shares_the_prize_among_those_who_are_left():
    rules = Rules(max_turns=3)
    states = position("AA", "TT", "/DD", "CC", coins=[2, 2, 0, 2], turn=3, rules=rules)
    after = do(states, "income")
    assert game.actor_at(after, 0) == OVER
    assert named(after)["winner"] is None
    assert [game.score_at(after, 0, seat) for seat in range(4)] == [20, 20, 0, 20]


# --- options --------------------------------------------------------------------------------------------------

CHALLENGED_IN_VAIN = ("assassinate 2", "allow", "challenge", "show assassin", "lose duke", "drawn duke")


def test_target_may_block_after_failed_challenge():
    states = position("AD", "CT", "DM", coins=[3, 2, 2])
    assert waits(do(states, *CHALLENGED_IN_VAIN)) == ("BLOCK", 1)


def test_target_may_not_block_after_failed_challenge():
    states = position("AD", "CT", "DM", coins=[3, 2, 2], rules=Rules(target_may_block_after_failed_challenge=False))
    assert waits(do(states, *CHALLENGED_IN_VAIN)) == ("LOSE", 1)
    assert waits(do(states, "assassinate 2", "allow", "allow")) == ("BLOCK", 1)


def test_refund_on_caught_bluff():
    assert coins(do(position("DD", "CT", coins=[4, 2]), "assassinate 2", "challenge", "lose duke")) == [4, 2]


def test_no_refund_on_caught_bluff():
    states = position("DD", "CT", coins=[4, 2], rules=Rules(refund_on_caught_bluff=False))
    after = do(states, "assassinate 2", "challenge", "lose duke")
    assert coins(after) == [1, 2]
    assert cards_and_coins_add_up(after)


def test_no_steal_from_zero():
    states = position("CD", "CT", coins=[2, 0])
    assert refused(states, "steal 2", "NOTHING_TO_STEAL")
    assert "steal 2" not in options(states)


def test_steal_from_zero():
    states = position("CD", "CT", coins=[2, 0], rules=Rules(steal_from_zero=True))
    assert "steal 2" in options(states)
    assert coins(do(states, "steal 2", "allow", "allow")) == [2, 0]


# --- reasons --------------------------------------------------------------------------------------------------


def test_the_other_reasons():
    start = position("CD", "CT")
    assert game.why_not_at(start, 0, -1) == game.why_not_at(start, 0, 74) == NUMBERS["UNKNOWN_ACTION"]
    assert refused(start, "challenge", "WRONG_PHASE")
    assert refused(start, "drawn duke", "CHANCE_DECIDES")
    assert refused(new_states(2), "income", "WRONG_PHASE")
    assert refused(new_states(2), "drawn duke", "NO_SUCH_OUTCOME")
    assert refused(do(new_states(2), "drawn duke duke"), "drawn duke duke", "NO_SUCH_OUTCOME")
    asked = do(start, "foreign_aid")
    assert refused(asked, "block contessa", "DOES_NOT_BLOCK")
    assert refused(asked, "challenge", "WRONG_PHASE")
    assert refused(do(start, "exchange", "allow", "drawn duke duke"), "return_cards contessa contessa", "NOT_HELD")
    replaced = do(start, "tax", "challenge", "show duke", "lose captain")
    assert game.actor_at(replaced, 0) == CHANCE
    assert refused(replaced, "drawn duke duke", "NO_SUCH_OUTCOME")
