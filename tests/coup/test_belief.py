"""Beliefs about influence: against exhaustive enumeration in fractions, and by hand."""

from fractions import Fraction

import numpy as np
import pytest

from kibitz import game
from kibitz.coup import GAME, GameState, Rules, challenge, drawn, tax
from kibitz.coup.belief import Contradiction, InfluenceBelief
from kibitz.coup.core.record import simulate
from kibitz.coup.core.setup import setup
from kibitz.coup.core.state import cards_of, new_states
from tests.coup.belief_brute import Brute

# --- against enumeration --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "observer", "bluff", "decline", "games", "steps"),
    [
        (["random"] * 2, 0, "1/3", "1/4", 25, 60),
        (["random"] * 2, 1, "1", "1", 10, 60),
        (["random"] * 2, None, "1/5", "1/2", 5, 40),
        (["heuristic"] * 2, 0, "0", "0", 25, 60),
        (["honest"] * 2, 1, "0", "0", 25, 60),
        (["random"] * 3, 1, "1/2", "1/3", 3, 24),
        (["heuristic", "random", "honest"], 0, "2/7", "1/10", 3, 24),
    ],
)
def test_every_probability_is_that_of_enumeration(bots, observer, bluff, decline, games, steps):
    compared = 0
    for number in range(games):
        record = simulate(bots, seed=number, number=number)
        states = record.start()
        belief = InfluenceBelief.at(states, observer, bluff=float(Fraction(bluff)), decline=float(Fraction(decline)))
        brute = Brute(states, observer, Fraction(bluff), Fraction(decline))
        for code in record.codes[:steps]:
            seen = game.seen_at(states, 0, code, brute.observer)
            view = states.copy()
            game.hide_at(view, 0, brute.observer)
            brute.see(seen)
            if not brute.worlds:
                with pytest.raises(Contradiction):
                    belief.see(view, 0, seen)
                break
            belief = belief.see(view, 0, seen)
            game.apply_at(states, 0, code)
            for seat in range(len(bots)):
                expected, found = brute.hands(seat), belief.hands(seat)
                assert found.keys() == expected.keys()
                assert all(found[hand] == pytest.approx(float(p), abs=1e-12) for hand, p in expected.items())
                compared += len(expected)
    assert compared > 500


def test_the_joint_probabilities_are_those_of_enumeration():
    record = simulate(["random"] * 3, seed=8)
    brute = Brute(record.start(), 2, Fraction(1, 3), Fraction(1, 5))
    for states, code in zip(record.states(), record.codes[:14], strict=False):
        brute.see(game.seen_at(states, 0, code, 2))
    belief = InfluenceBelief.following(record.start(), record.codes[:14], 2, bluff=1 / 3, decline=1 / 5)
    expected: dict[tuple[tuple[str, ...], ...], float] = {}
    for world, weight in brute.worlds.items():
        state = GameState(np.frombuffer(world, GAME.state).copy())
        expected[tuple(player.cards for player in state.players)] = float(weight)
    joint = belief.joint()
    assert dict(joint) == pytest.approx(expected, abs=1e-12)
    assert [p for _, p in joint] == sorted((p for _, p in joint), reverse=True)
    assert belief.joint(3) == joint[:3]


# --- by hand --------------------------------------------------------------------------------------------------------


def one_card_each(bluff: float = 0.0, **options: float) -> InfluenceBelief:
    """Player 1 holds a Captain, player 2 one of the other 14 cards."""
    return InfluenceBelief(2, 0, bluff=bluff, **options).drew(0, cards=["captain"]).drew(1, 1)


@pytest.mark.plain
def test_a_deal_counts_the_unseen_cards():
    belief = InfluenceBelief(3, 0).revealed(2, ["duke"]).drew(0, cards=["duke", "captain"]).drew(1, 2).drew(2, 1)
    # 12 cards are unseen: 1 Duke, 2 Captains, 3 of each other character.
    assert belief.marginal(1)["duke"] == pytest.approx(2 / 12)
    assert belief.marginal(1)["contessa"] == pytest.approx(1 - (9 * 8) / (12 * 11))
    assert belief.expected(1)["contessa"] == pytest.approx(2 * 3 / 12)
    assert belief.marginal(2)["captain"] == pytest.approx(2 / 12)
    assert belief.hands(0) == {("duke", "captain"): 1.0}
    assert belief.hands(1)["contessa", "contessa"] == pytest.approx(3 / 66)


@pytest.mark.plain
def test_a_claim_is_worth_what_the_bluffs_leave_of_it():
    assert one_card_each(bluff=0).claimed(1, "duke").marginal(1)["duke"] == 1
    assert one_card_each(bluff=1).claimed(1, "duke").marginal(1)["duke"] == pytest.approx(3 / 14)
    once = one_card_each(bluff=0.5).claimed(1, "duke")
    assert once.marginal(1)["duke"] == pytest.approx(3 / (3 + 11 * 0.5))
    assert once.claimed(1, "duke").marginal(1)["duke"] == pytest.approx(3 / (3 + 11 * 0.25))


@pytest.mark.plain
def test_own_claims_tell_the_observer_nothing():
    assert one_card_each(bluff=0.5).claimed(0, "duke").hands(1) == one_card_each(bluff=0.5).hands(1)


@pytest.mark.plain
def test_a_claim_before_a_replacement_counts_for_the_card_held_then():
    # The Duke goes back among 14 cards, 3 of them Dukes, and any one of them is drawn.
    belief = one_card_each().claimed(1, "duke").shown(1, "duke").replaced(1, "duke")
    assert belief.marginal(1)["duke"] == pytest.approx(3 / 14)


@pytest.mark.plain
def test_a_claim_before_an_exchange_counts_for_the_card_held_then():
    # One of three cards is kept: the Duke, or one of two from a deck of 13 with 2 Dukes.
    belief = one_card_each().claimed(1, "duke").exchanged(1)
    assert belief.marginal(1)["duke"] == pytest.approx(1 / 3 + 2 / 3 * 2 / 13)


@pytest.mark.plain
def test_a_lost_card_is_either_of_two():
    belief = InfluenceBelief(2, 0).drew(0, cards=["captain", "captain"]).drew(1, 2).lost(1, "duke")
    # Two Dukes: 3 pairs, always a Duke lost. A Duke and a Contessa: 9 pairs, half of the time.
    assert belief.hands(1)["duke",] / belief.hands(1)["contessa",] == pytest.approx(3 / 4.5)
    assert belief.sizes() == [2, 1]


@pytest.mark.plain
def test_who_does_not_show_does_not_hold_the_card_unless_some_decline():
    dealt = InfluenceBelief(2, 0).drew(0, cards=["captain", "captain"]).drew(1, 2)
    assert dealt.declined(1, "duke", "contessa").marginal(1)["duke"] == 0
    half = InfluenceBelief(2, 0, decline=0.5).drew(0, cards=["captain", "captain"]).drew(1, 2).declined(1, "duke", "contessa")
    # With a Duke beside the Contessa (9 pairs) half of them decline; with an Assassin (9 pairs) either card is lost.
    assert half.hands(1)["duke",] == pytest.approx(half.hands(1)["assassin",])
    with pytest.raises(ValueError, match="has shown it"):
        dealt.declined(1, "duke", "duke")


@pytest.mark.plain
def test_what_the_observer_returns_lies_in_the_deck():
    belief = one_card_each().exchanged(0, drawn=["duke", "duke"], returned=["duke", "duke"])
    assert belief.hands(0) == {("captain",): 1.0}
    assert belief.marginal(1)["duke"] == pytest.approx(1 / 12)  # one Duke among the 12 cards that were not seen
    # The card is kept in one case of three, else it is one of 13, with three Dukes less the one that may be in the hand.
    assert belief.exchanged(1).marginal(1)["duke"] == pytest.approx(1 / 3 * 1 / 12 + 2 / 3 * (3 - 1 / 12) / 13)


@pytest.mark.plain
def test_the_observer_may_keep_back_a_card_and_must_hold_what_it_shows():
    belief = InfluenceBelief(2, 0).drew(0, cards=["duke", "captain"]).drew(1, 2)
    assert belief.declined(0, "duke", "captain").hands(0) == pytest.approx({("duke",): 1.0})
    assert belief.shown(0, "duke").replaced(0, "duke", "contessa").hands(0) == pytest.approx({("captain", "contessa"): 1.0})
    with pytest.raises(Contradiction, match="player 1 can hold duke, captain"):
        belief.shown(0, "contessa")


@pytest.mark.plain
def test_six_players():
    belief = InfluenceBelief(6, 0).drew(0, cards=["duke", "captain"])
    for seat in range(1, 6):
        belief = belief.drew(seat, 2)
    belief = belief.claimed(1, "duke").shown(1, "duke").replaced(1, "duke").exchanged(2).declined(3, "duke", "contessa")
    assert belief.sizes() == [2, 2, 2, 1, 2, 2]
    for seat in range(6):
        assert sum(belief.hands(seat).values()) == pytest.approx(1)
    assert sum(belief.expected(4).values()) == pytest.approx(2)


# --- contradictions -------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_what_cannot_be_is_named():
    belief = one_card_each(bluff=0).claimed(1, "duke")
    with pytest.raises(Contradiction) as caught:
        belief.claimed(1, "captain")
    assert str(caught.value) == "player 2 claimed captain: that cannot be, player 2 can hold duke, if nobody bluffs"
    assert caught.value.index == 3
    with pytest.raises(Contradiction, match="player 1 revealed duke duke duke duke: that cannot be"):
        InfluenceBelief(2).revealed(0, ["duke"] * 4)


@pytest.mark.plain
def test_open_cards_may_be_told_of_before_or_after_the_deal():
    before = InfluenceBelief(2).revealed(0, ["duke", "duke"]).drew(0, 1).drew(1, 2)
    after = InfluenceBelief(2).drew(0, 1).drew(1, 2).revealed(0, ["duke", "duke"])
    assert before.hands(1) == pytest.approx(after.hands(1))
    assert ("duke", "duke") not in after.hands(1)
    with pytest.raises(Contradiction):
        InfluenceBelief(2).drew(1, cards=["duke", "duke"]).revealed(0, ["duke", "duke"])


@pytest.mark.plain
def test_a_forgiving_belief_forgets_the_claims_that_stand_against_what_happens():
    belief = one_card_each(bluff=0, forgiving=True).claimed(1, "duke")
    assert belief.claimed(1, "contessa").marginal(1)["contessa"] == 1
    assert belief.lost(1, "assassin").sizes() == [1, 0]
    three = InfluenceBelief(2, 0, bluff=0, forgiving=True).drew(0, cards=["duke"] * 2).revealed(0, ["duke"]).drew(1, 1)
    assert three.claimed(1, "duke") == three  # an impossible claim is passed over


@pytest.mark.plain
def test_a_forgiving_belief_accepts_that_a_certain_card_is_kept_back():
    dealt = InfluenceBelief(2, 0, forgiving=True).drew(0, cards=["captain", "captain"]).drew(1, 2)
    certain = dealt.shown(1, "duke")
    after = certain.declined(1, "duke", "contessa")
    assert after.hands(1) == {("duke",): 1.0}
    assert after.decline == 0


@pytest.mark.plain
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: InfluenceBelief(7), "2 to 6 players"),
        (lambda: InfluenceBelief(2, 2), "expected None or a seat from 0 to 1"),
        (lambda: InfluenceBelief(2, bluff=1.5), "bluff=1.5: expected a number from 0 to 1"),
        (lambda: InfluenceBelief(2, trust=1.5), "trust=1.5: expected a number from 0 to 1"),
        (lambda: InfluenceBelief(2, decline=-1), "decline=-1"),
        (lambda: InfluenceBelief(2, 0).drew(0, 2), "the observer knows their own cards"),
        (lambda: InfluenceBelief(2, 0).drew(1), "either a number of cards or the cards"),
        (lambda: InfluenceBelief(2, 0).drew(1, -1), "either a number of cards or the cards"),
        (lambda: InfluenceBelief(2, 0).claimed(5, "duke"), "seat 5: expected 0 to 1"),
        (lambda: InfluenceBelief(2, 0).claimed(1, "king"), "king"),
    ],
)
def test_nonsense_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


# --- games, draws ---------------------------------------------------------------------------------------------------


def test_a_belief_follows_a_game():
    state = GameState.new(seats=3, seed=7).resolve()
    belief = InfluenceBelief.of(state.apply(tax()), 1, bluff=0.25)
    assert [event.kind for event in belief.events] == ["drew", "drew", "drew", "claimed"]
    assert belief.hands(1) == {state.players[1].cards: 1.0}
    shown = InfluenceBelief.of(state.apply(tax()).apply(challenge()), 1, bluff=0.25)
    assert shown == belief
    assert hash(shown) == hash(belief)
    assert belief != InfluenceBelief.of(state, 1, bluff=0.25)
    with pytest.raises(ValueError, match="did not begin with a deal"):
        InfluenceBelief.of(GameState(state.states).apply(tax()), 1)


def test_a_belief_without_a_past_counts_what_lies_open():
    states = new_states(3, Rules())
    dealt = GameState(states).apply(drawn("duke", "duke")).apply(drawn("captain", "captain")).apply(drawn("duke", "contessa"))
    belief = InfluenceBelief.at(dealt.states, 0)
    assert belief.marginal(1)["duke"] == pytest.approx(2 / 13)
    proven = dealt.apply(tax()).apply(challenge())
    told = setup([2, 2, 2], hands={1: ["captain", "captain"]}, table=[(0, tax()), (1, challenge())])
    assert InfluenceBelief.at(proven.observe(1).states, 1) == InfluenceBelief.at(told, 1)


def test_the_public_sees_the_same_game_without_anybody_s_cards():
    record = simulate(["heuristic"] * 2, seed=3)
    for step in range(0, len(record.codes), 7):
        spectator = InfluenceBelief.following(record.start(), record.codes[:step], None, decline=0.1)
        player = InfluenceBelief.following(record.start(), record.codes[:step], 1, decline=0.1)
        assert player.public() == spectator
        own = {hand for hand, p in player.hands(1).items() if p}
        assert all(hand in spectator.hands(1) for hand in own)


def test_a_belief_of_somebody_else_s_cards_is_refused():
    states = new_states(2)
    with pytest.raises(ValueError, match="the observer does not see these cards"):
        InfluenceBelief(2, 1).see(states, 0, drawn("duke", "duke").code)


def test_draws_follow_the_belief_and_do_not_depend_on_their_number():
    record = simulate(["heuristic"] * 3, seed=5)
    step = 12
    belief = InfluenceBelief.following(record.start(), record.codes[:step], 0)
    states = next(states.copy() for number, states in enumerate(record.states()) if number == step)
    dealt = belief.deal(states, 20_000, seed=3)
    assert (belief.draw(50, seed=3)["hand"] == dealt["hand"][:50]).all()
    assert (dealt["hand"][:, 0] == states["hand"][0, 0]).all()
    assert (dealt["deck"] >= 0).all()
    for seat in (1, 2):
        for card, p in enumerate(belief.marginal(seat).values()):
            assert (dealt["hand"][:, seat, card] > 0).mean() == pytest.approx(p, abs=0.015)
    views = dealt.copy()
    seen = states.copy()
    game.hide_at(seen, 0, 0)
    for number in range(20):
        game.hide_at(views, number, 0)
        assert views[number : number + 1].tobytes() == seen.tobytes()


def test_fitted_worlds_are_few_and_every_hand_is_as_likely_as_it_is():
    belief = InfluenceBelief(6, observer=0, bluff=0.5).drew(0, cards=["duke", "captain"])
    for seat in range(1, 6):
        belief = belief.drew(seat, 2)
    for seat, card in ((1, "duke"), (2, "duke"), (3, "captain"), (3, "contessa"), (1, "assassin")):
        belief = belief.claimed(seat, card)
    for n in (1000, 300):
        worlds, weights, fitted = belief.fitted(n, seed=3)
        assert fitted
        assert len(worlds) < n + 5 * 15
        for seat in range(1, 6):
            found: dict[tuple[str, ...], float] = {}
            for cards, weight in zip(worlds["hand"][:, seat].tolist(), weights.tolist(), strict=True):
                held = tuple(cards_of(cards))
                found[held] = found.get(held, 0.0) + weight
            assert found == pytest.approx(belief.hands(seat), abs=1e-8)


def test_weights_that_cannot_be_found_are_not_claimed():
    belief = InfluenceBelief(3, observer=0).drew(0, cards=["duke", "captain"]).drew(1, 2).drew(2, 2)
    worlds, weights, fitted = belief.fitted(1, seed=3)
    assert not fitted
    assert len(worlds) == len(weights)


def test_a_belief_about_another_position_is_refused():
    record = simulate(["heuristic"] * 3, seed=5)
    belief = InfluenceBelief.following(record.start(), record.codes[:3], 0)
    with pytest.raises(ValueError, match="do not agree about the cards"):
        belief.deal(record.start(), 10, seed=1)
