"""`GameState`: what it shows, what it refuses and why, and what an observer does not see."""

import pickle
from fractions import Fraction

import pytest

from kibitz import coup
from kibitz.coup import GamePhase, GameState, IllegalAction, Rules
from tests.coup.positions import position

pytestmark = pytest.mark.plain


def state_of(*hands, **options):
    return GameState(position(*hands, **options), seed=1)


def test_a_new_game_is_dealt_by_its_seed():
    state = GameState.new(3, Rules(max_turns=9), seed=5)
    assert (state.phase, state.actor, repr(state)) == (GamePhase.DEAL, "chance", "<GameState: the deal, chance>")
    assert sum(p for _, p in state.outcomes()) == 1
    dealt = state.resolve()
    assert dealt == state.resolve() != GameState.new(3, Rules(max_turns=9), seed=6).resolve()
    assert dealt.rules == Rules(max_turns=9)
    assert dealt.outcomes() == []


def test_apply_leaves_the_state_alone():
    state = state_of("DA", "CT")
    after = state.apply(coup.tax())
    assert (state.phase, state.announced, state.claim) == (GamePhase.ACTION, None, None)
    assert (after.phase, after.announced, after.claim) == (GamePhase.CHALLENGE, coup.tax(), "duke")
    assert [player.coins for player in after.apply(coup.allow()).players] == [5, 2]


def test_players_show_cards_coins_and_losses():
    first, second = state_of("DA", "T/C", coins=[3, 4]).players
    assert (first.cards, first.coins, first.influence, first.revealed, first.card_count) == (("duke", "assassin"), 3, 2, (), 2)
    assert (second.cards, second.influence, second.revealed, second.is_out) == (("contessa",), 1, ("captain",), False)


def test_a_window_says_who_may_respond():
    state = state_of("DA", "CT", "MM")
    assert state.may_respond == []
    asked = state.apply(coup.foreign_aid())
    assert asked.may_respond == [1, 2]
    blocked = asked.apply(coup.allow()).apply(coup.block("duke"))
    assert (blocked.may_respond, blocked.blocker) == ([0, 1], 2)
    doubted = blocked.apply(coup.challenge())
    assert (doubted.challenger, doubted.actor, doubted.may_respond) == (0, 2, [])


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (coup.challenge(), "challenge is not possible now: the game waits for ACTION"),
        (coup.coup(1), "player 1 cannot pay for it"),
        (coup.steal(0), "nobody can be the target of their own action"),
        (coup.steal(2), "there is no player 3 at this table"),
        (coup.drawn("duke"), "drawn duke is not a player's choice: chance decides it"),
    ],
)
def test_why_not_says_which_rule(action, words):
    state = state_of("DA", "CT")
    assert state.why_not(action) == words
    assert not state.is_legal(action)
    with pytest.raises(IllegalAction, match=words):
        state.apply(action)


def test_why_not_names_the_card():
    doubted = state_of("DD", "CT").apply(coup.tax()).apply(coup.challenge())
    assert doubted.why_not(coup.lose("duke")) == "the Duke was claimed: show it, or lose another card"
    assert doubted.why_not(coup.show("contessa")) == "the Contessa is not what player 1 claimed"
    assert doubted.why_not(coup.show("duke")) is None
    asked = state_of("DD", "CT").apply(coup.foreign_aid())
    assert asked.why_not(coup.block("captain")) == "the Captain does not block that"


def test_an_illegal_action_survives_pickling():
    with pytest.raises(IllegalAction) as error:
        state_of("DA", "CT").apply(coup.coup(1))
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.reason, again.action) == ("player 1 cannot pay for it", "CANNOT_PAY", coup.coup(1))


def exchanged() -> GameState:
    state = state_of("MD", "CT")
    for action in (coup.exchange(), coup.allow(), coup.drawn("duke", "contessa"), coup.return_cards("duke", "contessa")):
        state = state.apply(action)
    return state


def test_an_observer_sees_own_cards_and_what_happened_at_the_table():
    state = exchanged()
    mine, theirs, spectator = state.observe(0), state.observe(1), state.observe(None)
    assert [player.cards for player in mine.players] == [("duke", "ambassador"), None]
    assert [player.cards for player in theirs.players] == [None, ("captain", "contessa")]
    assert [player.cards for player in spectator.players] == [None, None]
    assert mine.deck is None
    assert mine.event_log[2:] == ["turn 1 P1 drawn duke contessa", "turn 1 P1 return_cards duke contessa"]
    assert theirs.event_log[2:] == ["turn 1 P1 drawn two cards", "turn 1 P1 return_cards (unseen)"]
    assert theirs.event_log == spectator.event_log
    assert state.event_log == mine.event_log
    assert repr(spectator) == "<GameState: turn 2, player 2 to act, as a spectator sees it>"


def test_observers_of_hands_that_differ_in_what_they_cannot_see_are_equal():
    assert state_of("DA", "CT").observe(0) == state_of("DA", "MM").observe(0)
    assert state_of("DA", "CT").observe(0) != state_of("DD", "CT").observe(0)
    assert state_of("DA", "CT").observe(0) != state_of("DA", "CT").observe(1)


def test_an_observer_chooses_but_cannot_play_on():
    view = state_of("DA", "CT").observe(0)
    assert coup.tax() in view.legal_actions()
    assert view.why_not(coup.coup(1)) == "player 1 cannot pay for it"
    with pytest.raises(ValueError, match="cannot be played on"):
        view.apply(coup.tax())
    with pytest.raises(ValueError, match="not the actions"):
        view.actions  # noqa: B018
    with pytest.raises(ValueError, match="whole position"):
        view.position()
    with pytest.raises(ValueError, match="another view"):
        view.observe(1)
    with pytest.raises(ValueError, match="does not see what others may do"):
        state_of("DA", "CT").observe(1).legal_actions()
    with pytest.raises(ValueError, match="seat 2: expected 0 to 1"):
        state_of("DA", "CT").observe(2)


def test_history_and_pickling():
    state = exchanged()
    assert [action.kind for action in state.actions] == ["exchange", "allow", "drawn", "return_cards"]
    again = pickle.loads(pickle.dumps(state))
    assert (again, again.event_log, again.seed, hash(again)) == (state, state.event_log, state.seed, hash(state))
    view = pickle.loads(pickle.dumps(state.observe(1)))
    assert (view, view.event_log) == (state.observe(1), state.observe(1).event_log)


def test_chance_is_explicit():
    replaced = (
        state_of("DA", "CT").apply(coup.tax()).apply(coup.challenge()).apply(coup.show("duke")).apply(coup.lose("captain"))
    )
    assert (replaced.phase, replaced.actor) == (GamePhase.REPLACE, "chance")
    assert dict(replaced.outcomes())[coup.drawn("duke")] == Fraction(1, 4)
    assert replaced.resolve().phase is GamePhase.ACTION
    assert [player.card_count for player in replaced.players] == [1, 1]


def test_the_end():
    over = state_of("AA", "T/C", coins=[7, 5]).apply(coup.coup(1)).apply(coup.lose("contessa"))
    assert over.outcome == ("victory", 0)
    assert (over.winner_id, over.actor, over.legal_actions(), over.players[1].is_out) == (0, None, [], True)
    assert repr(over) == "<GameState: over after turn 1, player 1 won>"
    limit = state_of("AA", "TT", rules=Rules(max_turns=1)).apply(coup.income())
    assert limit.outcome == ("turn limit", None)
    assert repr(limit) == "<GameState: over after turn 1, no winner>"


def test_states_are_copies():
    state = state_of("DA", "CT")
    state.states["coins"] = 9
    assert state.players[0].coins == 2
    assert state != "something else"


def test_a_notebook_shows_only_cards_that_the_observer_sees():
    state = GameState.new(seats=2, seed=3).resolve()
    (own, others) = (state.players[seat].cards for seat in (0, 1))
    shown = state.observe(0)._repr_html_()
    assert all(card.title() in shown for card in own)
    assert not any(card.title() in shown for card in set(others) - set(own))
    assert shown.count("a card, face down") == 2 * 2  # what it is called, and its title
