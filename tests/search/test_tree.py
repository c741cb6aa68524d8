"""The observer's tree of any game: the nodes, chances and values that the flattened game says, and parts that are shared."""

from collections import defaultdict

import numpy as np
import pytest

from kibitz import game
from kibitz.catan.core import engine as catan
from kibitz.coup.core.state import new_states
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import decide_at, peek_at, reseed_at
from kibitz.search.flat import Flat, flatten
from kibitz.search.tree import Node, Tree, horizon, leaves
from kibitz.search.tree_words import Form
from kibitz.search.worlds import BelievedWorlds
from tests.coup.positions import position

STARTS = {"kuhn": lambda: kuhn.new(2, 0), "leduc": lambda: leduc.new(2, 0), "dice": lambda: liars_dice.start(1, 3)}
CASES = [pytest.param(name, seat, marks=[pytest.mark.plain] if name == "kuhn" else []) for name in STARTS for seat in (0, 1)]
Path = tuple[int, ...]


class Seen:
    """What one seat can see of a flattened game: how likely chance alone makes each sequence, and what comes of it."""

    def __init__(self, flat: Flat, start, seat: int) -> None:
        self.reach: dict[Path, float] = defaultdict(float)
        self.payoff: dict[Path, float] = defaultdict(float)
        self.actor: dict[Path, int] = {}
        self.worlds: dict[Path, dict[bytes, float]] = defaultdict(lambda: defaultdict(float))
        self.flat, self.seat = flat, seat
        self._visit(start, 0, (), 1.0)

    def _visit(self, states, node: int, path: Path, reach: float) -> None:
        flat = self.flat
        self.reach[path] += reach
        self.actor[path] = int(flat.actor[node])
        self.payoff[path] += reach * (flat.value[node] if self.seat == 0 else -flat.value[node])
        world = game.structs(game.game_of(states).world)
        peek_at(states, 0, world, 0)
        self.worlds[path][world.tobytes()] += reach
        for child in range(flat.first[node], flat.first[node] + flat.children[node]):
            action = int(flat.action[child])
            after = states.copy()
            game.apply_at(after, 0, action)
            step = int(game.seen_at(states, 0, action, self.seat))
            chance = float(flat.probability[child]) if flat.actor[node] == CHANCE else 1.0
            self._visit(after, child, (*path, step), reach * chance)


def paths(node: Node, path: Path = ()) -> dict[Path, Node]:
    """All nodes by what was seen on the way to them."""
    found = {path: node}
    for child in node.children:
        assert child.action is not None
        found |= paths(child, (*path, child.action))
    return found


@pytest.mark.parametrize(("name", "seat"), CASES)
def test_the_tree_is_what_a_seat_sees_of_the_flattened_game(name, seat):
    flat = flatten(STARTS[name]())
    seen, nodes = Seen(flat, STARTS[name](), seat), paths(Tree(STARTS[name](), seat).root)
    low, high = game.game_of(STARTS[name]()).stakes
    assert nodes.keys() == seen.reach.keys()
    assert sum(n.deciders == (seat,) for n in nodes.values()) == (flat.set_seat == seat).sum()
    for path, node in nodes.items():
        actor = seen.actor[path]
        assert node.is_end == (actor == OVER)
        assert node.form is {OVER: Form.END, CHANCE: Form.STOCHASTIC}.get(actor, Form.DECISION)
        assert node.deciders == ((actor,) if actor >= 0 else ())
        assert node.kind == str(node.form)
        believed = dict(zip((w.tobytes() for w in node.belief.worlds), node.belief.weights, strict=True))
        assert believed == pytest.approx({w: p / seen.reach[path] for w, p in seen.worlds[path].items()})
        if path:
            expected = seen.reach[path] / seen.reach[path[:-1]] if seen.actor[path[:-1]] == CHANCE else None
            assert node.probability == (expected if expected is None else pytest.approx(expected))
        if node.is_end:
            mean = seen.payoff[path] / seen.reach[path]
            assert node.values[seat] == pytest.approx((mean - low) / (high - low))
            assert node.values[1 - seat] == pytest.approx((-mean - low) / (high - low))
        else:
            assert node.values is None


@pytest.mark.plain
def test_words_of_a_game_that_has_none():
    root = Tree(kuhn.new(2, 0), 1).root
    assert [child.text for child in root.children] == ["unseen"]
    assert [child.text for child in root.children[0].children] == ["deal jack", "deal queen", "deal king"]
    assert repr(root) == "<Node: root, stochastic>"
    assert root.hand is not root.children[0].children[0].hand


@pytest.mark.plain
def test_equal_views_are_one_object_and_others_are_not():
    tree = Tree(leduc.new(2, 0), 0)
    nodes = [node for node, _, _ in horizon(tree.root, depth=5)]
    objects: dict[bytes, object] = {}
    for node in nodes:
        assert objects.setdefault(node.state.data, node.state) is node.state
    assert len({id(view) for view in objects.values()}) == len(objects) < len(nodes)
    beliefs = {id(node.belief): node.belief for node in nodes}
    assert len(set(beliefs.values())) == len(beliefs) == tree.shared["beliefs"] < 20


@pytest.mark.plain
def test_nothing_is_made_before_it_is_looked_at():
    tree = Tree(leduc.new(2, 0), 0)
    assert tree.shared == {"views": 1, "hands": 0, "beliefs": 0}
    assert len(tree.root.children) == 3
    assert tree.shared["views"] == 4
    assert tree.root.children is tree.root.children


@pytest.mark.plain
def test_the_truth_makes_no_difference():
    def told(card: int):
        states = kuhn.new(2, 0)
        states["card"] = 2, card
        return [(n.text, n.probability, n.values) for n, _, _ in horizon(Tree(states, 0, seed=1).root)]

    assert told(1) == told(3)


@pytest.mark.plain
def test_a_belief_can_be_handed_in():
    """With a queen against a king for certain, showing down loses."""
    states = kuhn.new(2, 0)
    states["card"] = 2, 3
    tree = Tree(states, 0, BelievedWorlds(kuhn.GAME, states))
    passed = tree.root.children[0].children[0]
    assert passed.values == (0.25, 0.75)
    other = kuhn.new(2, 0)
    other["card"] = 1, 3
    with pytest.raises(ValueError, match="do not agree about what the observer sees"):
        Tree(states, 0, BelievedWorlds(kuhn.GAME, other)).root.belief  # noqa: B018


def test_catan_has_a_tree_too():
    """A roll of the dice, and what may be done after it."""
    states, xs = catan.GAME.new(3, 1), catan.GAME.scratches()
    reseed_at(xs, 0, 7)
    while not (game.actor_at(states, 0) == CHANCE and len(game.legal_actions(states)) == 11):
        game.apply_at(states, 0, decide_at(states, 0, xs, 0))
    player = int(states["player"][0])
    root = Tree(states, player, max_worlds=64).root
    assert root.form is Form.STOCHASTIC
    assert [child.probability for child in root.children] == pytest.approx([n / 36 for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)])
    two = root.children[0]
    assert two.deciders == (player,)
    game.apply_at(states, 0, two.action)
    assert [child.action for child in two.children] == game.legal_actions(states)


# --- horizons -------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_leaves_are_ends_and_what_is_cut_off():
    root = Tree(kuhn.new(2, 0), 0).root
    assert leaves(root) == 3 * 5
    assert leaves(root, depth=0) == 1
    assert leaves(root, depth=3) == 3 * 2
    assert [depth for _, depth, _ in horizon(root, depth=1)] == [0, 1, 1, 1]
    with pytest.raises(ValueError, match="kuhn has no turns"):
        leaves(root, turns=1)


@pytest.mark.plain
def test_what_a_tree_refuses():
    with pytest.raises(ValueError, match="2 states: a tree has one root"):
        Tree(np.concatenate([kuhn.new(2, 0)] * 2), 0)
    with pytest.raises(ValueError, match="max_worlds 0: expected at least 1"):
        Tree(kuhn.new(2, 0), 0, max_worlds=0)
    for observer in (-1, 2):
        with pytest.raises(ValueError, match=f"observer {observer}: expected a seat from 0 to 1$"):
            Tree(kuhn.new(2, 0), observer)
    for observer in (-2, 3):
        with pytest.raises(ValueError, match=f"observer {observer}: expected a seat from 0 to 2 or -1 for a spectator"):
            Tree(new_states(3), observer)


# --- worlds ---------------------------------------------------------------------------------------------------


def cards(*pairs: tuple[int, int]):
    worlds = game.structs(kuhn.WORLD, len(pairs))
    worlds["card"] = pairs
    return worlds


@pytest.mark.plain
def test_equal_worlds_are_put_together():
    worlds = BelievedWorlds(kuhn.GAME, cards((1, 2), (1, 3), (1, 2)), [1, 2, 3])
    assert len(worlds) == 2
    assert worlds.weights.tolist() == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert worlds == BelievedWorlds(kuhn.GAME, cards((1, 3), (1, 2)), [0.5, 1])
    assert worlds != BelievedWorlds(kuhn.GAME, cards((1, 3), (1, 2)))
    assert hash(worlds) == hash(BelievedWorlds(kuhn.GAME, cards((1, 3), (1, 2)), [0.5, 1]))
    assert len(BelievedWorlds(kuhn.GAME, cards((1, 3), (1, 2)), [0, 1])) == 1
    assert repr(worlds) == "<BelievedWorlds: 2 of kuhn>"


@pytest.mark.plain
def test_thinning_keeps_the_proportions():
    worlds = BelievedWorlds(kuhn.GAME, cards((1, 2), (1, 3), (2, 1), (2, 3), (3, 1)), [10, 10, 40, 30, 10])
    assert worlds.thinned(5) is worlds
    thin = worlds.thinned(4)
    assert len(thin) <= 4
    assert thin == worlds.thinned(4)
    large = BelievedWorlds(leduc.GAME, _many(leduc.GAME))
    assert large.thinned(len(large)) is large


def _many(of):
    worlds = game.structs(of.world, 9)
    worlds["card"] = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3)]
    return worlds


def test_a_node_tells_from_how_many_drawn_worlds_its_probability_comes():
    for hands, draws in ((("DC", "TT"), 0), (("DC", "TT", "AA", "TM", "MM", "CA"), 1024)):
        root = Tree(position(*hands, coins=[7] * len(hands)), 0).root
        coup = next(node for node in root.children if node.text == "coup 2")
        assert {node.draws for node in coup.children} == {draws}
        assert {node.draws for node in (root, *root.children)} == {0}  # what is announced needs no cards
    thinned = Tree(leduc.new(2, 0), 1, max_worlds=2).root  # after the first card there are three
    assert (thinned.children[0].draws, thinned.children[0].children[0].draws) == (0, 2)


@pytest.mark.plain
def test_drawn_worlds_depend_on_the_seed_alone():
    states = kuhn.new(2, 0)
    states["card"] = 2, 3
    one = BelievedWorlds.drawn(kuhn.GAME, states, 0, 200, seed=5)
    assert (
        one
        == BelievedWorlds.drawn(kuhn.GAME, states, 0, 200, seed=5)
        != BelievedWorlds.drawn(kuhn.GAME, states, 0, 200, seed=6)
    )
    assert one.worlds["card"].tolist() == [[2, 1], [2, 3]]
    assert one.weights[0] == pytest.approx(0.5, abs=0.15)


@pytest.mark.plain
def test_what_worlds_refuse():
    with pytest.raises(TypeError, match="worlds of kuhn: expected an array of its states or of its worlds"):
        BelievedWorlds(kuhn.GAME, leduc.new(2, 0))
    with pytest.raises(ValueError, match="1 worlds and 2 weights"):
        BelievedWorlds(kuhn.GAME, cards((1, 2)), [1, 1])
    for weights in ([-1.0, 2.0], [0.0, 0.0], [float("nan"), 1.0]):
        with pytest.raises(ValueError, match="expected numbers of at least 0"):
            BelievedWorlds(kuhn.GAME, cards((1, 2), (1, 3)), weights)
