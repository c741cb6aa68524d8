"""The generic code of `kibitz.game` and `kibitz.search` plays the game through its verbs, as it plays any other."""

import pytest

from kibitz import game
from kibitz.game import CHANCE, OVER
from kibitz.jit import plain
from kibitz.onepiece.decks import starter
from kibitz.onepiece.engine import new, play_out, scratch
from tests.onepiece.positions import Position, card

pytestmark = pytest.mark.plain


def test_the_generic_driver_plays_the_same_game():
    for policies in ([0, 0], [1, 1], [1, 0]):
        ours, theirs = new(starter("tide"), starter("ember")), new(starter("tide"), starter("ember"))
        x, y = scratch(6), scratch(6)
        x.policy = y.policy = policies
        assert play_out(ours, x) == plain(game.play_out)(theirs, y)
        assert ours.key() == theirs.key()
        assert game.score(ours, 0) == -game.score(ours, 1) != 0
        assert game.prize(ours, 0) == game.score(ours, 0)


def test_the_verbs_dispatch_to_the_methods():
    s = new(starter("tide"), starter("ember"))
    x = scratch()
    assert game.actor(s) == CHANCE
    assert game.kind(s) == 1
    n = game.weights(s, x)
    assert sum(x.weights[:n]) == 50
    assert game.moment(s) == 0
    game.apply(s, x.actions[0])
    states = [s, None]
    game.copy(states, 1, 0)
    assert states[1].key() == s.key()
    assert game.why_not(s, 0) != 0


def test_an_endgame_is_a_tree_like_any_other():
    """Player 2 has no Life and holds a card without counter: whatever it does, player 1 wins."""
    from kibitz.search.flat import flatten

    t = Position(their_hand=[card("S", counter=0, cost=9)], don=0, their_don=0)
    t.s.unknown[1] += len(t.s.life[1])
    t.s.life[1] = []
    flat = flatten(t.do("attack L L").s)
    assert flat.value[flat.actor == OVER].tolist() == [1.0]
