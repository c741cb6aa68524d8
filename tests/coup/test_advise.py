"""Advice in Coup: the obvious is found, nothing hidden is used, and a text and a record mean the same."""

import json
from dataclasses import replace

import pytest

from kibitz import game
from kibitz.compute.runtime import Runtime, Threads
from kibitz.coup import GameState, Rules, allow, drawn, exchange, return_cards, steal, tax
from kibitz.coup.advise import CONFIG, ONE_ACTION, advise, belief_of, recorded
from kibitz.coup.belief import Contradiction, InfluenceBelief
from kibitz.coup.core.record import Record, simulate
from kibitz.coup.core.situation import read_situation
from kibitz.coup.endgames.policy import TURNS

QUICK = replace(CONFIG, iterations=2000)


def advice_on(text, config=QUICK, **options):
    told = read_situation(text)
    return advise(told.states, belief_of(told), config, **options)


# --- what is advised ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("coins 7 5; cards duke; I lost duke; 2 lost captain", "coup 2"),
        # All Dukes are in sight.
        ("coins 2 2; cards duke duke; 2 lost duke; 2 taxes", "challenge"),
        # The last card is a Contessa.
        ("coins 3 3; cards contessa; I lost duke; 2 lost captain; 2 assassinates me; I allow", "block contessa"),
        ("coins 5 5; cards duke captain; I tax; 2 challenges", "show duke"),
    ],
)
def test_the_obvious_is_found(text, best):
    advice = advice_on(text)
    assert advice.best.action == best
    # Who lets the tax pass is the next to decide: that is searched, too.
    assert (advice.games, advice.searches) == ((4000, 2) if best == "challenge" else (2000, 1))
    assert sum(option.visits for option in advice.options) == 1000  # the other half is what the others take for possible
    for option in advice.options:
        assert 0 <= option.value <= 1
        assert sum(option.values) == pytest.approx(1)
        assert option.value == option.values[0]
        assert option.line[0].action == option.action
        assert option.interval[0] <= option.value <= option.interval[1]


def test_a_coup_against_the_last_card_wins_for_certain():
    advice = advice_on("coins 7 5; cards duke; I lost duke; 2 lost captain")
    assert advice.best.value == 1
    assert [option.action for option in advice.options] == ["coup 2"]  # and gets all the games
    assert set(advice.lost) == {"income", "foreign_aid", "tax", "exchange", "assassinate 2", "steal 2"}


def test_what_loses_by_force_is_not_shown_as_playable():
    advice = advice_on("coins 3 8; cards duke; I lost duke; 2 lost captain")
    assert {option.action for option in advice.options} == {"steal 2", "assassinate 2"}
    assert set(advice.lost) == {"income", "foreign_aid", "tax", "exchange"}


ATTACKS = [
    f"cards {cards}; coins {coins};{lost} 2 {attack} me"
    for cards, lost in (
        ("contessa", " I lost duke; 2 lost captain;"),
        ("duke captain", ""),
        ("ambassador assassin", " 2 lost duke;"),
    )
    for coins, attack in (("3 3", "assassinates"), ("3 5", "steals from"), ("6 4", "assassinates"))
]


@pytest.mark.parametrize("text", ATTACKS)
def test_to_let_it_pass_is_worth_what_the_best_next_step_is_worth(text):
    now, then = advice_on(text), advice_on(f"{text}; I allow")
    (passed,) = [option for option in now.options if option.action == "allow"]
    best = then.best if then.equilibrium is None else max(then.options, key=lambda option: option.value)
    assert passed.value == pytest.approx(best.value, abs=1e-9 if then.equilibrium is None else 0.02)
    if now.solved_values is not None:
        assert now.solved_values["allow"] == pytest.approx(max(then.solved_values.values()), abs=0.01)


def test_the_contessa_is_kept_for_the_assassin():
    """Solved from the decision on, with the opponent's cards as claims weigh them, the answer was to challenge."""
    advice = advice_on("cards contessa; coins 4 5; I lost duke; 2 lost captain; 2 assassinates me")
    assert advice.equilibrium["allow"] == pytest.approx(1, abs=0.01)
    assert advice.best.action == "allow"
    assert advice.solved_turns == TURNS
    longer = advice_on("cards contessa; coins 4 5; I lost duke; 2 lost captain; 2 assassinates me", turns=2)
    assert longer.solved_turns == 2


def test_an_endgame_of_one_influence_each_is_solved():
    text = "coins 7 5; cards duke; I lost duke; 2 lost captain"
    mixed = advice_on(text).equilibrium
    assert mixed is not None
    assert mixed["coup 2"] == pytest.approx(1, abs=1e-3)
    assert sum(mixed.values()) == pytest.approx(1)
    assert advice_on(text).solved_turns == TURNS
    challenged = advice_on("coins 4 5; cards captain; I lost duke; 2 lost captain; I steal from 2; 2 challenges").equilibrium
    assert challenged == {"show captain": pytest.approx(1)}
    whole = advice_on("coins 7 5; cards duke captain")
    assert (whole.equilibrium, whole.solved_turns) == (None, None)


def test_an_endgame_is_solved_although_own_claims_cannot_all_be_true():
    told = read_situation("coins 7 5; cards duke; I lost duke; 2 lost captain; claims: 1 captain, 1 contessa")
    advice = advise(told.states, belief_of(told, bluff=0), QUICK)
    assert advice.equilibrium == {"coup 2": pytest.approx(1)}


def test_what_a_search_cannot_know_is_said():
    searched, solved = (
        advice_on("coins 3 3; cards duke captain"),
        advice_on("coins 4 5; cards captain; I lost duke; 2 lost captain"),
    )
    assert ONE_ACTION in searched.warnings
    assert solved.equilibrium is not None
    assert ONE_ACTION not in solved.warnings
    assert ONE_ACTION not in advice_on("coins 7 5; cards duke; I lost duke; 2 lost captain").warnings  # it wins


def test_bluffs_are_marked():
    advice = advice_on("coins 3 3; cards duke captain")
    assert {option.action: option.bluffs for option in advice.options} == {
        "income": False, "foreign_aid": False, "tax": False, "steal 2": False, "exchange": True, "assassinate 2": True,
    }  # fmt: skip
    blocks = advice_on("coins 3 3; cards duke captain; 2 steals from me; I allow")
    assert {option.action: option.bluffs for option in blocks.options} == {
        "allow": False, "block captain": False, "block ambassador": True,
    }  # fmt: skip


def test_the_same_seed_gives_the_same_advice_on_any_number_of_threads():
    text = "coins 3 3 3; cards duke captain; 2 claimed duke"
    first = advice_on(text, workers=Threads(1)).to_json()
    assert advice_on(text, workers=Threads(2)).to_json() == first
    assert advice_on(text, replace(QUICK, seed=1)).to_json() != first


def test_advice_is_json():
    advice = advice_on("coins 3 3; cards duke captain; 2 claimed duke")
    data = json.loads(json.dumps(advice.to_json()))
    assert (data["advice"], data["version"], data["seat"], data["position"]) == ("coup", 1, 0, {"phase": "ACTION", "turn": 1})
    assert (data["games"], data["stopped"], data["config"]["iterations"]) == (2000, None, 2000)
    assert data["options"][0]["action"] == advice.best.action
    assert data["belief"][1]["cards"] == 2
    assert data["belief"][1]["holds"] == advice.belief[1].holds


def test_what_is_cancelled_gives_what_there_is():
    runtime = Runtime()
    runtime.on_info = lambda info: runtime.cancel()
    advice = advice_on("coins 3 3; cards duke captain", replace(CONFIG, iterations=10**6), runtime=runtime)
    assert advice.stopped == "cancelled"
    assert 0 < advice.games < 10**6


def test_only_who_is_to_decide_is_advised():
    told = read_situation("coins 3 3; cards duke captain; turn 2")
    with pytest.raises(ValueError, match="for the player who is to decide"):
        advise(told.states, belief_of(told), QUICK)


# --- what is believed -----------------------------------------------------------------------------------------------


def test_a_text_and_the_game_itself_give_the_same_belief():
    state = GameState.new(seats=3)
    for action in [
        *(drawn("duke", "captain"), drawn("contessa", "contessa"), drawn("duke", "assassin")),
        *(tax(), allow(), allow()),
        *(exchange(), allow(), allow(), drawn("duke", "captain"), return_cards("captain", "contessa")),
        *(steal(0), allow(), allow(), allow()),
    ]:
        state = state.apply(action)
    believed = InfluenceBelief.of(state, 0, bluff=0.3, decline=0.02)
    coins = " ".join(str(player.coins) for player in state.players)
    told = read_situation(f"coins {coins}; cards duke captain; 2 exchanged; 3 stole from me")
    assert told.states["turn"][0] == 1  # the number of the turn is not told
    for seat in range(3):
        assert belief_of(told, bluff=0.3).hands(seat) == pytest.approx(believed.hands(seat), abs=1e-12)


def test_every_kind_of_fact_reaches_the_belief():
    told = read_situation(
        "coins 3 3 3; cards duke; 2 claimed duke, showed duke; 3 did not show captain, lost contessa; I lost captain;"
        "I exchanged, drew ambassador assassin, returned assassin contessa; I showed ambassador, drew duke; 2 assassinates me"
    )
    assert sorted(told.dealt) == ["captain", "contessa"]
    belief = belief_of(told, bluff=0.25)
    by_hand = InfluenceBelief(3, 0, bluff=0.25, decline=0.02).drew(0, cards=told.dealt).drew(1, 2).drew(2, 2)
    by_hand = by_hand.claimed(1, "duke").shown(1, "duke").replaced(1, "duke").declined(2, "captain", "contessa")
    by_hand = (
        by_hand.lost(0, "captain").claimed(0, "ambassador").exchanged(0, ["ambassador", "assassin"], ["assassin", "contessa"])
    )
    by_hand = by_hand.shown(0, "ambassador").replaced(0, "ambassador", "duke").claimed(1, "assassin")
    assert belief == by_hand
    assert belief.sizes() == [1, 2, 1]


def test_claims_that_cannot_all_be_true_are_refused_where_nobody_bluffs():
    told = read_situation("coins 3 3; cards duke captain; claims: 2 duke, 2 captain, 2 contessa")
    with pytest.raises(Contradiction, match="player 2 claimed contessa"):
        belief_of(told, bluff=0)
    assert belief_of(told, bluff=0.1).marginal(1)["contessa"] > 0.4


# --- records --------------------------------------------------------------------------------------------------------


def test_a_recorded_position_is_seen_by_who_decides():
    record = simulate(["heuristic"] * 3, seed=2)
    step = 11
    whole = next(states.copy() for number, states in enumerate(record.states()) if number == step)
    seat = game.actor_at(whole, 0)
    view, belief = recorded(record, step)
    assert belief.observer == seat
    assert belief.events
    assert advise(view, belief, QUICK).to_json() == advise(whole, belief, QUICK).to_json()


def test_hidden_cards_do_not_change_the_advice():
    deals = ((("contessa", "contessa"), ("assassin", "assassin")), (("duke", "ambassador"), ("captain", "contessa")))
    games = [(drawn("duke", "captain"), *(drawn(*hand) for hand in hands), tax()) for hands in deals]
    records = [Record(Rules(), seats=("",) * 3, codes=tuple(action.code for action in actions)) for actions in games]
    advices = [advise(*recorded(record, 3), QUICK).to_json() for record in records]
    assert advices[0] == advices[1]
    assert advices[0]["seat"] == 0


def test_a_step_that_nobody_decides_is_refused():
    record = simulate(["heuristic"] * 3, seed=2)
    with pytest.raises(ValueError, match="step 0: nobody decides there"):
        recorded(record, 0)
    with pytest.raises(ValueError, match="step 9999: the game has steps 0 to"):
        recorded(record, 9999)
