"""The generic code of `kibitz.game` and `kibitz.search` plays the game through its verbs, as it plays any other."""

from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import pytest

from kibitz.game import CHANCE, OVER, drivers, verbs
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import POLICIES, game_with, new, play_out, scratch
from kibitz.onepiece.core.hidden import count_pool
from kibitz.search.flat import flatten, hidden_views
from kibitz.search.maxn import Rollouts, maxn
from kibitz.search.tree import Tree, horizon
from kibitz.search.tree_draw import as_text, draw
from kibitz.search.worlds import BelievedWorlds
from tests.onepiece.positions import PLAIN, Position, card, event

pytestmark = pytest.mark.plain


def test_the_generic_driver_plays_the_same_game():
    for policies in ([0, 0], [1, 1], [1, 0]):
        ours, theirs = new(starter("tide"), starter("ember")), new(starter("tide"), starter("ember"))
        x, y = scratch(6), scratch(6)
        x.policy = y.policy = policies
        assert play_out(ours, x) == plain(drivers.play_out)(theirs, y)
        assert ours.key() == theirs.key()
        assert verbs.score(ours, 0) == -verbs.score(ours, 1) != 0
        assert verbs.prize(ours, 0) == verbs.score(ours, 0)


def test_the_verbs_dispatch_to_the_methods():
    s = new(starter("tide"), starter("ember"))
    x = scratch()
    assert verbs.actor(s) == CHANCE
    assert verbs.kind(s) == 1
    n = verbs.weights(s, x)
    assert sum(x.weights[:n]) == 50
    assert verbs.moment(s) == 0
    verbs.apply(s, x.actions[0])
    states = PlainStates(None, [s, None])
    verbs.copy(states, 1, 0)
    assert states[1].key() == s.key()
    assert verbs.why_not(s, 0) != 0


# --- trees ------------------------------------------------------------------------------------------------------------


def last_attack(**fields: Any) -> Position:
    """Nobody has Life left, nobody but player 2 a hand: player 1 attacks now, or player 2 does in its turn and wins."""
    t = Position(don=0, their_don=0, **fields)
    for seat in range(2):
        t.s.unknown[seat] += len(t.s.life[seat])
        t.s.life[seat] = []
    return t


def as_game(t: Position) -> Any:
    """The position as the generic code takes it."""
    return PlainStates(game_with(*t.s.table.decks), [t.s])


def all_hands(states: Any, size: int) -> BelievedWorlds:
    """What player 1 believes of player 2's hand when none of the 50 cards was seen: every hand, by the ways to draw it."""
    s = states[0]
    kinds, counts = s.table.kinds[1], s.table.counts[1]
    worlds, ways = [], []
    for places in combinations_with_replacement(range(len(kinds)), size):
        if all(places.count(i) <= counts[i] for i in places):
            world = s.copy()
            world.hand[1] = [kinds[i] for i in places]
            count_pool(world)
            worlds.append(world)
            ways.append(prod(comb(counts[i], places.count(i)) for i in set(places)))
    return BelievedWorlds(states.game, PlainStates(states.game, worlds), ways)


def test_an_endgame_is_a_tree_like_any_other():
    """Player 2 has no Life and holds a card without counter: whatever it does, player 1 wins."""
    t = last_attack(their_hand=[card("S", counter=0, cost=9)])
    flat = flatten(t.do("attack L L").s)
    assert flat.value[flat.actor == OVER].tolist() == [1.0]


def test_the_tree_of_an_attack_on_an_unseen_hand():
    """Two of 50 cards are counters, player 2 holds two cards: C(48, 2) / C(50, 2) hands have none."""
    saving = card("S", counter=1000, cost=9)
    states = as_game(last_attack(their_hand=[saving, saving]))
    belief = all_hands(states, 2)
    none, some = comb(48, 2) / comb(50, 2), 1 - comb(48, 2) / comb(50, 2)
    root = Tree(states, 0, belief).root
    assert [node.text for node in root.children] == ["end_turn", "attack L L"]
    countering = root.children[1]
    assert countering.deciders == (1,)
    passed, countered = countering.children
    assert [passed.text, countered.text] == ["pass", "counter S"]
    assert [passed.possibility, countered.possibility] == [pytest.approx(1), pytest.approx(some)]
    assert passed.is_end
    assert passed.values == pytest.approx((1, 0))
    assert passed.belief is countering.belief is root.belief
    # Of the hands with a counter, one in 97 has both.
    number = states[0].table.number["S"]
    both = [weight for world, weight in zip(countered.belief.worlds, countered.belief.weights, strict=True)
            if number in world.hand[1]]  # fmt: skip
    assert both == [pytest.approx(1 / (comb(50, 2) - comb(48, 2)))]
    again = countered.children
    assert [node.text for node in again] == ["pass", "counter S"]
    assert again[1].possibility == pytest.approx(1 / 97)
    # Who survives attacks in the next turn and wins: greedy players at the horizon see that.
    found = maxn(root, depth=2, rollouts=Rollouts(games=4, policy=POLICIES["greedy"]))
    assert found.values == pytest.approx((none, some))
    assert [node.text for node in found.line[:2]] == ["attack L L", "pass"]
    lines = as_text(draw(countering, 1, rollouts=Rollouts(games=1, policy=1))).splitlines()
    assert lines[1] == "├─ P2 pass  end  1.00  *"
    assert lines[2].startswith("└─ P2 counter S  possible 7.92 %  decision P2")


def test_a_tree_does_not_look_at_the_hidden_hand():
    saving, useless = card("S", counter=1000, cost=9), card("T", counter=0, cost=9)
    told = []
    for hidden in ("S", "T"):
        t = last_attack(theirs=[saving, useless], their_hand=[saving])
        t.s.hand[1] = [t.s.table.number[hidden]]
        count_pool(t.s)
        root = Tree(as_game(t), 0, max_worlds=40, seed=3).root
        told.append([(n.text, n.possibility, n.probability) for n, _, _ in horizon(root, depth=3)])
    assert told[0] == told[1]


def test_chance_in_a_tree_is_what_the_deck_holds():
    """49 cards are left: twelve Characters four times, one once. The opponent sees that a card was drawn."""
    states = as_game(Position(hand=[event("E", main=[{"draw": 1}])]).do("play E", chance=False))
    mine, theirs = (Tree(states, seat, max_worlds=8).root for seat in range(2))
    assert [node.text for node in mine.children] == [f"drawn z{i:02}" for i in range(13)]
    assert [node.probability for node in mine.children] == pytest.approx([4 / 49] * 12 + [1 / 49])
    assert [(node.text, node.probability) for node in theirs.children] == [("unseen", pytest.approx(1))]
    assert maxn(mine, depth=1, rollouts=Rollouts(games=1, policy=1)).best is mine.children[0]


def test_places_tell_views_apart_and_the_order_of_equal_steps_does_not():
    """What a position is to a loop is too little for a tree: its actions name places."""
    a, b = card("A"), card("B")
    states = as_game(Position(hand=[a, b], don=6))
    root = Tree(states, 0, max_worlds=4).root

    def at(*texts: str) -> Any:
        node = root
        for text in texts:
            node = next(child for child in node.children if child.text == text)
        return node

    one, other = at("play A", "play B"), at("play B", "play A")
    assert one.state.data.key() == other.state.data.key()
    assert one.state is not other.state
    both = PlainStates(states.game, [one.state.data, other.state.data, one.state.data])
    assert hidden_views(both) == [(0, 0), (1, 1), (0, 0)]
    assert at("give L", "play A").state is at("play A", "give L").state
    assert at("give L").belief is root.belief


def test_worlds_are_told_apart_by_what_is_in_them():
    states = as_game(Position(hand=[PLAIN, card("A")], their_hand=[card("B")]))
    turned = states.copy()
    turned[0].hand[0].reverse()
    assert turned[0].exact() == states[0].exact()
    pair = BelievedWorlds(states.game, PlainStates(states.game, [states[0], turned[0]]))
    assert len(pair) == 1
    drawn = BelievedWorlds.drawn(states.game, states, 0, 300, seed=1)
    assert len(drawn) == 14  # player 2 holds B or one of 13 others
    assert (
        drawn
        == BelievedWorlds.drawn(states.game, states, 0, 300, seed=1)
        != BelievedWorlds.drawn(states.game, states, 0, 300, seed=2)
    )
