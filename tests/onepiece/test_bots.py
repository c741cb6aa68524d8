"""The bots: greedy beats random, sees nothing hidden, and the starter decks make a good game."""

import pytest

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import POLICIES, decide, new, scratch
from kibitz.play.series import play
from tests.onepiece.positions import PLAIN, Position, card, event

DECKS = starter("tide"), starter("ember")


def test_greedy_beats_random():
    for seat, bots in enumerate((["greedy", "random"], ["random", "greedy"])):
        assert sum(state.winner == seat for state in play("onepiece", bots, 1, 40).states) >= 38


def test_the_starter_decks_make_a_good_game():
    ends = play("onepiece", ["greedy", "greedy"], 7, 100).states
    tide = sum(state.winner == 0 for state in ends) / 100
    first = sum(state.winner == state.first for state in ends) / 100
    assert 0.4 < tide < 0.65  # 52 % of 4,000
    assert 0.4 < first < 0.6
    assert 8 < sum(state.turn for state in ends) / 100 < 20


@pytest.mark.plain
def test_greedy_decides_by_what_its_seat_sees():
    s = new(*DECKS)
    x = scratch(2)
    x.policy = [POLICIES["greedy"]] * 2
    while s.actor() != OVER:
        code = decide(s, x)
        if s.actor() != CHANCE:
            view = s.copy()
            view.hide(s.actor())
            assert view.choose(x, POLICIES["greedy"]) == code
        s.apply(code)


def choice(t):
    """What greedy does, as text."""
    from kibitz.onepiece.core.actions import Action
    from kibitz.onepiece.core.policy import greedy

    return Action.from_code(greedy(t.s), t.s.table).to_text()


@pytest.mark.plain
def test_greedy_plays_the_dearest_card_first():
    assert choice(Position(hand=[PLAIN, card("A", cost=5)])) == "play A"
    assert choice(Position(hand=[PLAIN, card("A", cost=6)])) == "play plain"


@pytest.mark.plain
def test_greedy_gives_don_where_an_attack_lacks_it():
    t = Position(mine=[card("A", power=4000)], don=1)
    assert choice(t) == "attack L L"
    t.do("attack L L", "no")
    assert choice(t) == "give C1"
    t.do("give C1")
    assert choice(t) == "attack C1 L"


@pytest.mark.plain
def test_greedy_does_not_waste_counters_and_saves_itself():
    rich = [PLAIN] * 3
    t = Position(mine=[PLAIN], their_hand=rich).do("attack C1 L")
    assert choice(t) == "pass"  # 4 Life cards left
    t = Position(mine=[PLAIN], their_hand=rich, their_life=[None]).do("attack C1 L")
    assert choice(t) == "counter plain"
    t = Position(mine=[card("A", power=9000)], their_hand=rich, their_life=[None]).do("attack C1 L")
    assert choice(t) == "pass"  # three counters would not do


@pytest.mark.plain
def test_greedy_blocks_in_danger():
    wall = card("W", keywords=["blocker"], cost=1, power=1000)
    assert choice(Position(mine=[PLAIN], theirs=[wall]).do("attack C1 L")) == "pass"
    assert choice(Position(mine=[PLAIN], theirs=[wall], their_life=[None]).do("attack C1 L")) == "block C1"


@pytest.mark.plain
def test_greedy_chooses_the_best_of_theirs_and_the_worst_of_its_own():
    big = card("B", cost=7, power=8000)
    ko = event("E", main=[{"select": {"of": "opponent"}, "as": "x"}, {"ko": "x"}])
    assert choice(Position(theirs=[PLAIN, big], hand=[ko]).do("play E")) == "choose P2.C2"
    drop = event("E", main=[{"discard": 1}])
    assert choice(Position(hand=[drop, big, PLAIN]).do("play E")) == "pick plain"
    assert choice(Position(mine=[PLAIN] * 4 + [card("A", cost=1)], hand=[big], don=9).do("play B")) == "choose P1.C5"
