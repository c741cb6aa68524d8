"""Games as arrays: the right nodes, chances and information sets, from compiled games and from plain Python alike."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from kibitz import game
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import CHANCE, OVER
from kibitz.search.cfr import solve
from kibitz.search.flat import Flat, NotSolvable, flatten
from tests.search.plain_games import ASSASSINATE, DEAL, Confused, Forgetful, Generous, KuhnCoup, Rounds, Stuck, Wrapped

STARTS = {
    "kuhn": lambda: kuhn.new(2, 0),
    "leduc": lambda: leduc.new(2, 0),
    "dice": lambda: liars_dice.start(1, 3),
    "two dice": lambda: liars_dice.start(2, 2),
}


def same(a: Flat, b: Flat) -> bool:
    return all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in zip(a, b, strict=True))


# --- the arrays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.plain), "leduc", "dice", "two dice"])
def test_the_arrays_say_what_the_verbs_say(name):
    flat = flatten(STARTS[name]())
    views: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    nodes = 0

    def visit(states, node: int, seen: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        nonlocal nodes
        nodes += 1
        actor = game.actor_at(states, 0)
        assert flat.actor[node] == actor
        actions = game.legal_actions(states)
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        assert flat.action[children].tolist() == actions
        assert [flat.parent[child] for child in children] == [node] * len(actions)
        assert flat.follow(flat.path(node)) == node
        if actor == OVER:
            assert flat.value[node] == game.score_at(states, 0, 0) == -game.score_at(states, 0, 1)
        if actor == CHANCE:
            assert flat.probability[children].tolist() == [float(p) for _, p in game.outcomes(states)]
        if actor >= 0:
            infoset = flat.infoset[node]
            views[infoset].add(seen[actor])
            assert flat.set_seat[infoset] == actor
            assert flat.slot[node] == flat.set_slot[infoset]
            assert flat.slot_action[flat.set_slot[infoset] : flat.set_slot[infoset + 1]].tolist() == actions
        for child, action in zip(children, actions, strict=True):
            after = states.copy()
            game.apply_at(after, 0, action)
            one, two = ((*seen[seat], int(game.seen_at(states, 0, action, seat))) for seat in (0, 1))
            visit(after, child, (one, two))

    visit(STARTS[name](), 0, ((), ()))
    assert nodes == len(flat.actor)
    assert sorted(views) == list(range(len(flat.set_seat)))
    assert all(len(view) == 1 for view in views.values())
    assert len(set.union(*views.values())) == len(views)


@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.plain), "leduc", "dice"])
def test_nodes_and_information_sets_are_ordered_by_depth(name):
    flat = flatten(STARTS[name]())
    depths = [len(flat.path(node)) for node in range(len(flat.actor))]
    assert depths == sorted(depths)
    assert flat.level.tolist() == [sum(d < depth for d in depths) for depth in range(max(depths) + 2)]
    for depth in range(max(depths) + 1):
        sets = flat.infoset[flat.level[depth] : flat.level[depth + 1]]
        assert set(sets[sets >= 0].tolist()) == set(range(flat.set_level[depth], flat.set_level[depth + 1]))


@pytest.mark.parametrize(
    ("start", "nodes", "sets"),
    [
        (lambda: kuhn.new(2, 0), 1 + 3 + 6 * (1 + 8), 12),
        (lambda: leduc.new(2, 0), 1939, 288),
        (lambda: liars_dice.start(1, 2), 127, 2 * 2**4),
        (lambda: liars_dice.start(1, 6), 294_883, 6 * 2**12),
    ],
    ids=["kuhn", "leduc", "dice 2", "dice 6"],
)
def test_sizes(start, nodes, sets):
    flat = flatten(start())
    assert (len(flat.actor), len(flat.set_seat)) == (nodes, sets)


# --- plain Python ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.plain), "leduc", "dice", "two dice"])
def test_a_game_in_plain_python_gives_the_same_arrays(name):
    assert same(flatten(STARTS[name]()), flatten(Wrapped(STARTS[name]())))


@pytest.mark.plain
def test_kuhn_coup():
    flat = flatten(KuhnCoup())
    assert flat.probability[1:4].tolist() == [1 / 3] * 3
    node = flat.follow([DEAL, DEAL + 2, ASSASSINATE])
    other = flat.follow([DEAL + 1, DEAL + 2, ASSASSINATE])
    assert flat.actor[node] == 1
    assert flat.infoset[node] == flat.infoset[other] != flat.infoset[flat.follow([DEAL, DEAL + 1, ASSASSINATE])]


@pytest.mark.plain
def test_a_long_game_finds_room():
    flat = flatten(Rounds(order=(0, 1, CHANCE) * 3 + (1,)))
    assert len(flat.actor) == 2**11 - 1
    deep = flatten(Line(length=150))
    assert len(deep.actor) == 151
    assert deep.value[-1] == 150


class Line(Rounds):
    """One action at each step: a deep tree."""

    def __init__(self, length: int, done: tuple[int, ...] = ()) -> None:
        super().__init__(order=(0,) * length, done=done)

    def legal(self, x):
        x.actions[0] = 1
        return 1

    def copy(self):
        return Line(len(self.order), self.done)


@pytest.mark.parametrize(
    "wrap", [pytest.param(lambda states: states, marks=pytest.mark.plain), Wrapped], ids=["compiled", "plain"]
)
def test_a_tree_grows_from_the_smallest_room(monkeypatch, wrap):
    roomy = flatten(leduc.new(2, 0))
    monkeypatch.setattr("kibitz.search.flat.FIRST_ROOM", (2, 1, 4))
    assert same(roomy, flatten(wrap(leduc.new(2, 0))))
    assert len(flatten(dealt(ALL_DEALS)).actor) == 1 + 6 * 9


# --- subgames -------------------------------------------------------------------------------------------------


def dealt(deals: list[tuple[int, int]]):
    states = game.structs(kuhn.STATE, len(deals))
    for i, cards in enumerate(deals):
        states["card"][i] = cards
    return states


ALL_DEALS = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]


@pytest.mark.plain
def test_a_subgame_after_the_deal_is_the_game():
    flat = flatten(dealt(ALL_DEALS))
    assert (flat.actor[0], flat.children[0], len(flat.set_seat)) == (CHANCE, 6, 12)
    assert flat.probability[1:7].tolist() == [1 / 6] * 6
    plain = [Wrapped(dealt([cards])) for cards in ALL_DEALS]
    assert same(flat, flatten(plain, views=ALL_DEALS))


def test_a_subgame_after_the_deal_has_the_value_of_the_game():
    assert solve(flatten(dealt(ALL_DEALS)), "dcfr", 3000).value == pytest.approx(-1 / 18, abs=1e-6)


def test_the_weights_of_a_subgame_are_the_odds_of_its_states():
    # All know that the first player has the king in three of four games: nobody ever pays more than the ante.
    open_cards = flatten(dealt([(3, 1), (1, 3)]), weights=[3, 1])
    assert solve(open_cards, "cfr+", 1000).value == pytest.approx(3 / 4 - 1 / 4, abs=1e-3)


def test_views_say_who_knows_what():
    # The second player holds the queen and cannot tell; the first player holds the king or the jack, and knows which.
    hidden = flatten(dealt([(3, 2), (1, 2)]))
    # To bet with the king, and with the jack one time in three, wins 1/3: then a call and a fold lose the same.
    assert solve(hidden, "dcfr", 3000).value == pytest.approx(1 / 3, abs=1e-4)
    told = flatten(dealt([(3, 2), (1, 2)]), views=[(0, 0), (1, 1)])
    assert solve(told, "dcfr", 3000).value == pytest.approx(0, abs=1e-4)


@pytest.mark.plain
def test_a_subgame_needs_weights_and_views_for_all_states():
    states = dealt(ALL_DEALS)
    with pytest.raises(ValueError, match="6 states, 2 weights"):
        flatten(states, [1, 1])
    with pytest.raises(ValueError, match="one above 0"):
        flatten(states, [0] * 6)
    with pytest.raises(ValueError, match="no states"):
        flatten(states[:0])
    with pytest.raises(TypeError, match="need `views`"):
        flatten([Wrapped(states[:1]), Wrapped(states[1:2])])


# --- what cannot be solved ------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("start", "why"),
    [
        (Forgetful(), r"player 1 cannot tell \[1, 0\] from \[0, 0\], but had decided otherwise before"),
        (Confused(), r"player 2 cannot tell \[1\] from \[0\], but has other actions there"),
        (Generous(), "the sum of the two scores is not the same at every end"),
        (Rounds(order=(0, 1, 2)), "a third player is to move"),
        (Stuck(), "nobody can move, and the game is not over"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_other_games_are_refused_with_the_reason(start, why):
    with pytest.raises(NotSolvable, match=why):
        flatten(start)


@pytest.mark.plain
def test_a_game_that_is_too_large_is_refused():
    with pytest.raises(NotSolvable, match="more than 2,000 nodes"):
        flatten(liars_dice.start(5, 6), max_nodes=2_000)
    with pytest.raises(NotSolvable, match="more than 50 nodes"):
        flatten(kuhn.new(2, 0), max_nodes=50)


@pytest.mark.plain
def test_a_tree_says_its_size():
    assert repr(flatten(kuhn.new(2, 0))) == "<Flat: 58 nodes, 30 ends, 12 information sets>"


@pytest.mark.plain
def test_a_line_that_leads_nowhere_says_where_it_left_the_game():
    with pytest.raises(KeyError, match=r"7 is not among \[0, 1\] after \[2, 4\]"):
        flatten(kuhn.new(2, 0)).follow([2, 4, 7])


@pytest.mark.plain
def test_a_constant_sum_is_as_good_as_zero():
    class Shared(Rounds):
        def score(self, seat: int) -> int:
            return 10 + super().score(seat)

    flat = flatten(Shared())
    assert flat.value[flat.follow([1, 0, 1])] == 2
    assert Fraction(flat.value.max()) == 3
