"""Trees of plain games: the same ones, node for node, as of the same games made of structs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz.coup.core.state import Rules
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.ground.plain_states import PlainStates
from kibitz.search.maxn import Rollouts, maxn
from kibitz.search.tree import Node, Tree, horizon, leaves
from kibitz.search.tree_draw import as_dot, as_json, as_svg, as_text, draw
from kibitz.search.worlds import BelievedWorlds
from tests.coup.positions import do, position
from tests.search.boxed import boxed

POSITIONS = {
    "kuhn": (kuhn.new(2, 0), None),
    "leduc": (leduc.new(2, 0), 7),
    "dice": (liars_dice.start(1, 3), 5),
    "coup": (position("DC", "TA", coins=[3, 3]), 3),
    "coup late": (position("A/C", "T/D", coins=[3, 4]), 4),
    "coup challenge": (do(position("TC", "A/M", "C/D", coins=[4, 4, 2], player=2), "tax"), 3),
    "coup rules": (position("T/C", "A/M", coins=[4, 4], rules=Rules(refund_on_caught_bluff=False)), 3),
}
CASES = [
    pytest.param(name, seat, marks=[pytest.mark.plain] if name in ("kuhn", "coup late") else [])
    for name in POSITIONS
    for seat in (0, 1)
]


def facts(node: Node, shared: dict[Any, int]) -> tuple[Any, ...]:
    """All that can be said of a node; equal objects get equal numbers, in the order in which they are met."""

    def number(one: object) -> int:
        return shared.setdefault(id(one), len(shared))

    belief = node.belief
    return (
        *(node.text, str(node.form), str(node.kind), node.seat, node.action, node.deciders, node.is_possible),
        *(node.probability, node.possibility, node.values),
        *(number(node.state), number(belief), len(belief), belief.weights.tolist()),
        [world.exact() if hasattr(world, "exact") else world.tobytes() for world in belief.worlds],
    )


@pytest.mark.parametrize(("name", "seat"), CASES)
def test_a_plain_game_has_the_same_tree(name, seat):
    states, depth = POSITIONS[name]
    compiled, plain = Tree(states, seat), Tree(boxed(states), seat)
    known: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    pairs = zip(horizon(compiled.root, depth), horizon(plain.root, depth), strict=True)
    for (one, at, cut), (other, *where) in pairs:
        assert [at, cut] == where
        assert facts(one, known[0]) == facts(other, known[1])
    assert plain.shared == compiled.shared
    for node in (compiled.root, plain.root):
        assert isinstance(hash(node.hand), int)


@pytest.mark.untraced
@pytest.mark.parametrize(("name", "seat"), CASES)
def test_a_plain_game_has_the_same_max_n_and_drawings(name, seat):
    states, depth = POSITIONS[name]
    depth = min(depth or 4, 4)
    rollouts = Rollouts(games=6, seed=2)
    one, other = (maxn(Tree(each, seat).root, depth, rollouts=rollouts) for each in (states, boxed(states)))
    assert one.values == other.values
    assert [(node.seat, node.text) for node in one.line] == [(node.seat, node.text) for node in other.line]
    drawn = [draw(Tree(each, seat).root, 2, rollouts=rollouts) for each in (states, boxed(states))]
    for written in (as_text, as_json, as_dot, as_svg):
        assert written(drawn[0]) == written(drawn[1])


@pytest.mark.plain
def test_beliefs_that_are_drawn_and_thinned_are_the_same():
    states = leduc.new(2, 0)
    for options in ({"max_worlds": 1}, {"max_worlds": 3, "seed": 4}):
        trees = [Tree(each, 1, **options).root for each in (states, boxed(states))]
        one, other = ([(n.text, n.probability, n.belief.weights.tolist()) for n, _, _ in horizon(t, 4)] for t in trees)
        assert one == other


@pytest.mark.plain
def test_a_tree_of_a_plain_game_leaves_the_position_alone():
    states = boxed(kuhn.new(2, 0))
    before = states[0].exact()
    tree = Tree(states, 0)
    assert leaves(tree.root) == 3 * 5
    assert states[0].exact() == before
    view = tree.root.children[0].state
    view.states[0].apply(kuhn.DEAL + 1)
    assert view.states[0].exact() == view.data.exact()
    assert repr(view) == f"<View: {view.data.exact()}>"
    assert repr(tree) == f"<Tree: kuhn, {1 + 3 + 3 + 3 * 8} views>"


@pytest.mark.plain
def test_what_worlds_of_a_plain_game_are_made_of():
    states = boxed(kuhn.new(2, 0))
    game = states.game
    whole = [kuhn.new(2, 0) for _ in range(3)]
    for state, cards in zip(whole, ((2, 3), (2, 1), (2, 3)), strict=True):
        state["card"] = cards
    of_states = BelievedWorlds(game, PlainStates(game, [game.rules(state) for state in whole]), [1, 1, 2])
    assert of_states.weights.tolist() == [0.25, 0.75]
    assert of_states == BelievedWorlds(game, list(of_states.worlds), [1, 3])
    assert hash(of_states) == hash(BelievedWorlds(game, list(of_states.worlds)))
    assert of_states != BelievedWorlds(game, list(of_states.worlds))
    assert len(BelievedWorlds(game, [])) == 0
    other = boxed(kuhn.new(2, 0))
    for wrong in (other, [1, 2]):
        with pytest.raises(TypeError, match="worlds of kuhn: expected `PlainStates` of this game, or its worlds"):
            BelievedWorlds(game, wrong)
    with pytest.raises(ValueError, match="do not agree about what the observer sees"):
        Tree(PlainStates(game, [game.rules(_dealt(1, 2))]), 0, of_states).root.belief  # noqa: B018
    with pytest.raises(ValueError, match="2 states: a tree has one root"):
        Tree(PlainStates(game, [states[0], states[0]]), 0)


def _dealt(*cards: int) -> Any:
    states = kuhn.new(2, 0)
    states["card"] = cards
    return states


# --- what takes an unseen card --------------------------------------------------------------------------------


class Guess:
    """Seat 0 attacks; seat 1, who holds a card from 0 to `CARDS` - 1 that seat 0 does not see, defends with it or yields.

    A defence is worth its card to seat 1, yielding -1.
    """

    CARDS, YIELD = 4, 9

    def __init__(self, card: int = -1, done: int = -1) -> None:
        self.card, self.done = card, done

    def copy(self) -> "Guess":
        return Guess(self.card, self.done)

    def exact(self) -> tuple[int, int]:
        return self.card, self.done

    def actor(self) -> int:
        return -2 if self.done >= 0 else 1

    def legal(self, x: Any) -> int:
        x.actions[:2] = [self.card, self.YIELD]
        return 2

    def apply(self, a: int) -> None:
        self.done = a

    def seen(self, a: int, seat: int) -> int:
        return a

    def hide(self, seat: int) -> None:
        if seat != 1:
            self.card = -1

    def prize(self, seat: int) -> int:
        worth = -1 if self.done == self.YIELD else self.done - 2
        return worth if seat == 1 else -worth

    score = prize

    def peek(self, w: "GuessWorld") -> None:
        w.card = self.card

    def deal(self, w: "GuessWorld") -> None:
        self.card = w.card


class GuessWorld:
    """The card."""

    card = -1

    def exact(self) -> int:
        return self.card


@pytest.mark.plain
def test_who_decides_takes_the_best_that_its_cards_allow():
    """Cards 0 and 1 are worth -2 and -1 to play, 2 and 3 are worth 0 and 1: with 0 or 1 seat 1 loses 1."""
    original = boxed(kuhn.new(2, 0)).game
    game = replace(original, name="guess", scores=(-2, 2), world=GuessWorld, rules=Guess, describe=str, tree=None)
    belief = BelievedWorlds(game, PlainStates(game, [Guess(card) for card in range(4)]), [1, 1, 2, 4])
    root = Tree(PlainStates(game, [Guess()]), 0, belief).root
    assert [child.text for child in root.children] == ["0", "1", "2", "3", "9"]
    assert [child.possibility for child in root.children] == pytest.approx([1 / 8, 1 / 8, 1 / 4, 1 / 2, 1.0])
    assert [child.probability for child in root.children] == [None] * 5
    found = maxn(root)
    worth = 1 / 4 * -1 + 1 / 4 * 0 + 1 / 2 * 1
    assert found.values == pytest.approx(((-worth + 2) / 4, (worth + 2) / 4))
    assert found.best.text == "3"  # what is most likely
    assert as_text(draw(root, 1)).splitlines() == [
        "decision P2  0.44",
        "├─ P2 0  possible 12.5 %  end  1.00",
        "├─ P2 1  possible 12.5 %  end  0.75",
        "├─ P2 2  possible 25 %  end  0.50",
        "├─ P2 3  possible 50 %  end  0.25  *",
        "└─ P2 9  end  0.75",
    ]
    assert np.isclose(draw(root, 1).to_json()["children"][0]["possibility"], 1 / 8)
