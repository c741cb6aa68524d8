"""The tree of Coup: the seed's nodes, its open questions, the leaves of a turn, and every probability against brute force."""

import gc
import pickle
import tracemalloc
from itertools import pairwise, product

import numpy as np
import pytest

from kibitz.coup import GAME
from kibitz.coup.core import tree as words
from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import ACTION, CHARACTERS, Rules, new_states
from kibitz.search.tree import Node, Tree, horizon, leaves
from kibitz.search.tree_words import Form, TreeWords
from kibitz.search.worlds import BelievedWorlds
from tests.coup import tree_brute as brute
from tests.coup.positions import do, position
from tests.coup.tree_paths import at

SPECTATOR = -1
TABLE = {2: 357, 3: 2210, 4: 6853, 5: 15576, 6: 29669}


def texts(node: Node) -> list[str]:
    return [child.text for child in node.children]


def opening(seats: int, influence: int = 2, coins: int = 7):
    """The first turn with nobody's cards known."""
    states = new_states(seats)
    states["influence"][0, :seats] = influence
    states["coins"][0, :seats] = coins
    states["turn"], states["phase"], states["deck"] = 1, ACTION, 0
    return states


# --- how many leaves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", TABLE)
def test_the_public_leaves_of_a_turn(seats):
    """With a third influence nobody runs out within the turn, as the table counts; with two it is a little less."""
    others = seats - 1
    assert leaves(Tree(opening(seats, influence=3), SPECTATOR).root, turns=1) == TABLE[seats]
    true = leaves(Tree(opening(seats), SPECTATOR).root, turns=1)
    assert true == TABLE[seats] - others * others * 5 * (4 * 5 - 4)


@pytest.mark.parametrize("coins", [7, 8, 9])
def test_the_table_is_for_seven_to_nine_coins(coins):
    assert leaves(Tree(opening(2, influence=3, coins=coins), SPECTATOR).root, turns=1) == TABLE[2]


# --- the names of the nodes -----------------------------------------------------------------------------------


@pytest.mark.plain
def test_the_kinds_of_nodes_of_a_turn():
    root = Tree(position("DA", "TT", "CM", coins=[3, 3, 3]), 0).root
    assert root.kind == "PrimaryAction"
    assert root.form is Form.DECISION
    assert root.deciders == (0,)
    claimed = at(root, "assassinate 2")
    assert claimed.kind == "Challenge"
    assert claimed.form is Form.WINDOW
    assert claimed.deciders == (1, 2)
    challenged = at(claimed, "P3 challenge")
    assert challenged.kind == "ChallengeResult"
    assert challenged.deciders == (0,)
    assert texts(challenged) == ["show assassin", "lose duke"]
    shown = at(challenged, "show assassin")
    assert shown.kind == "RevealedCard"
    assert shown.form is Form.STOCHASTIC
    replaced = at(shown, "lose captain")
    assert replaced.kind == "Replacement"
    assert texts(replaced) == [f"drawn {name}" for name in CHARACTERS]
    asked = at(replaced, "drawn duke")
    assert asked.kind == "CounterActionPlayer"
    assert asked.form is Form.WINDOW
    assert asked.deciders == (1,)
    blocked = at(asked, "P2 block contessa")
    assert blocked.kind == "Challenge"
    assert blocked.deciders == (0, 2)
    assert at(blocked, "nobody").kind == "PrimaryAction"
    killed = at(asked, "nobody")
    assert killed.kind == "RevealedCard"
    drawn = at(root, "exchange", "nobody")
    assert drawn.kind == "Exchange"
    assert drawn.form is Form.STOCHASTIC
    assert len(drawn.children) == 15
    returned = drawn.children[0]
    assert returned.kind == "Exchange"
    assert returned.form is Form.DECISION
    assert at(returned, "return_cards duke duke").kind == "PrimaryAction"


@pytest.mark.plain
def test_the_game_before_the_deal_and_at_its_end():
    root = Tree(new_states(2), 0).root
    assert root.kind == "Deal"
    assert len(root.children) == 15
    assert root.children[0].probability == pytest.approx(3 / 105)
    assert root.children[1].probability == pytest.approx(9 / 105)
    assert texts(root.children[0]) == ["draws two cards"]
    won = at(Tree(position("D/A", "T/C", coins=[7, 0]), 0).root, "coup 2", "lose assassin")
    assert won.kind == "GameEnd"
    assert won.is_end
    assert won.values == (1.0, 0.0)
    assert won.children == ()


@pytest.mark.plain
def test_who_blocks_and_with_which_card():
    """Only a theft can be blocked by two characters: there the card is chosen in a node of its own."""
    root = Tree(position("DC", "TT", "AM", coins=[3, 3, 3]), 0).root
    aided = at(root, "foreign_aid")
    assert aided.kind == "CounterActionPlayer"
    assert [(child.seat, child.text) for child in aided.children] == [(1, "block duke"), (2, "block duke"), (-1, "allow")]
    robbed = at(root, "steal 3", "nobody")
    assert [(child.seat, child.text) for child in robbed.children] == [(2, "block"), (-1, "allow")]
    choice = robbed.children[0]
    assert choice.kind == "CounterActionChoice"
    assert choice.form is Form.DECISION
    assert choice.deciders == (2,)
    assert texts(choice) == ["block captain", "block ambassador"]
    assert choice.state is not robbed.state
    assert choice.state.data == robbed.state.data


# --- the seed's open questions --------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_challenge_result_has_a_child_for_each_card_that_can_be_shown():
    """The chance that the other holds a Duke is hypergeometric: 13 unseen cards, 2 of them Dukes."""
    result = at(Tree(position("DC", "TT", player=1), 0).root, "tax", "P1 challenge")
    assert result.kind == "ChallengeResult"
    assert result.form is Form.STOCHASTIC
    assert texts(result) == ["show duke", "lose assassin", "lose captain", "lose ambassador", "lose contessa"]
    assert result.children[0].probability == pytest.approx(1 - (11 * 10) / (13 * 12))
    assert sum(child.probability for child in result.children) == pytest.approx(1)


@pytest.mark.plain
def test_the_odds_are_fixed_where_the_observer_knows_the_cards():
    """Two Dukes in hand and one on the table: the other has none. And the own hand is no matter of chance at all."""
    result = at(Tree(position("DD", "T/D", player=1), 0).root, "tax", "P1 challenge")
    assert texts(result) == ["lose assassin", "lose captain", "lose ambassador", "lose contessa"]
    own = at(Tree(position("DC", "TT"), 0).root, "tax", "P2 challenge")
    assert own.form is Form.DECISION
    assert [child.probability for child in own.children] == [None, None]
    assert texts(own) == ["show duke", "lose captain"]
    assert texts(at(Tree(position("D/C", "TT"), 0).root, "tax", "P2 challenge")) == ["show duke"]
    assert texts(at(Tree(position("AC", "TT"), 0).root, "tax", "P2 challenge")) == ["lose assassin", "lose captain"]


@pytest.mark.plain
def test_a_card_that_is_shown_is_seen():
    """The third Duke is in the hand that showed it, so that the challenger cannot lose one."""
    shown = at(Tree(position("CC", "T/DD", "AA", player=1), 0).root, "tax", "P3 challenge", "show duke")
    assert "lose duke" not in texts(shown)
    root = Tree(position("CC", "T/D", "AA", player=1), 0).root
    assert "lose duke" in texts(at(root, "tax", "P3 challenge", "show duke"))


def test_what_the_observer_put_back_into_the_deck_is_known_to_be_there():
    """All three Dukes go through the observer's hands: the public tree knows nothing of it, the belief does."""
    root = Tree(position("DC", "TT"), 0).root
    asked = at(root, "exchange", "nobody", "drawn duke duke", "return_cards duke duke", "tax", "P1 challenge")
    assert (asked.children[0].text, asked.children[0].probability) == ("show duke", 0.0)
    assert not asked.children[0].is_possible
    assert len(asked.children[0].belief) == 0


@pytest.mark.plain
def test_nothing_lies_below_a_node_where_the_observer_is_out():
    root = Tree(position("D/A", "TT", "CM", coins=[2, 7, 2], player=1), 0).root
    out = at(root, "coup 1", "lose duke")
    assert out.kind == "PrimaryAction"
    assert out.form is Form.END
    assert out.is_end
    assert out.children == ()
    assert out.deciders == ()
    assert out.values[0] == 0
    assert sum(out.values) == pytest.approx(1)
    assert at(root, "coup 3", "lose duke").children
    assert not at(Tree(position("D/A", "TT", "CM", coins=[2, 7, 2], player=1), SPECTATOR).root, "coup 1", "lose duke").is_end


# --- the heuristic at the horizon -----------------------------------------------------------------------------


COINS = list(product(range(0, 9, 2), repeat=2))
OBSERVERS = (0, 1, 2, SPECTATOR)


def grows(worse, better, observer):
    """Whether the first player is better off in the second position, and nobody else is."""
    a, b = words.heuristic(worse, observer), words.heuristic(better, observer)
    assert sum(a) == pytest.approx(1)
    assert sum(b) == pytest.approx(1)
    assert all(0 <= value <= 1 for value in a + b)
    return b[0] > a[0] and all(y < x for x, y in zip(a[1:], b[1:], strict=True))


def test_the_heuristic_grows_with_coins():
    for (one, two), hand, observer in product(COINS, ("DC", "D/C", "TT", "M/T"), OBSERVERS):
        coins = [one, two, 3]
        more = [one + 1, two, 3]
        assert grows(position(hand, "AA", "C/C", coins=coins), position(hand, "AA", "C/C", coins=more), observer)


def test_the_heuristic_grows_with_influence():
    for coins, observer in product(COINS, OBSERVERS):
        all_coins = [*coins, 3]
        worse, better = position("D/T", "AA", "CC", coins=all_coins), position("DT", "AA", "CC", coins=all_coins)
        assert words.heuristic(better, observer)[0] > words.heuristic(worse, observer)[0]
        weaker = position("DT", "A/A", "CC", coins=all_coins)
        assert words.heuristic(weaker, observer)[0] > words.heuristic(better, observer)[0]


def test_the_heuristic_grows_with_the_worth_of_the_own_cards():
    """A Duke is worth more than a Captain, then an Assassin, a Contessa, an Ambassador. Nobody else sees which it is."""
    for coins in COINS:
        hands = [position(f"M{card}", "AA", "CC", coins=[*coins, 3]) for card in "MTACD"]
        for worse, better in pairwise(hands):
            assert grows(worse, better, 0)
            assert words.heuristic(worse, 1) == words.heuristic(better, 1)


@pytest.mark.plain
def test_the_heuristic_counts_a_card_that_is_about_to_be_lost():
    before = position("DC", "TT", coins=[7, 2])
    after = do(before, "coup 2")
    assert words.heuristic(after, 0)[0] > words.heuristic(before, 0)[0]
    assert words.heuristic(do(position("D/C", "T/T", coins=[7, 2]), "coup 2"), 0) == (1.0, 0.0)


@pytest.mark.plain
def test_the_end_is_worth_what_it_is_worth():
    end = do(position("D/C", "T/T", coins=[7, 2]), "coup 2", "lose contessa")
    assert words.heuristic(end, 1) == (1.0, 0.0)
    drawn = do(position("DC", "TT", turn=5, rules=Rules(max_turns=5)), "income")
    assert words.heuristic(drawn, 0) == (0.5, 0.5)


# --- what is shared -------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_what_does_not_change_is_shared():
    root = Tree(position("DC", "TT", "AM"), 0).root
    taxed = at(root, "tax", "nobody")
    assert taxed.hand is root.hand == ("duke", "captain")
    assert taxed.belief is root.belief
    # Who claimed a Duke that nobody doubted is remembered.
    blocked = [at(root, "foreign_aid", f"P{player} block duke", "nobody").state for player in (2, 3)]
    assert blocked[0] is not blocked[1]


@pytest.mark.plain
def test_what_changes_is_never_shared():
    root = Tree(position("DC", "TT", "AM"), 0).root
    declined = at(root, "tax", "P2 challenge", "lose captain")
    assert declined.hand == ("duke",)
    assert root.hand == ("duke", "captain")
    assert declined.state is not root.state
    assert declined.belief is not root.belief
    caught = at(root, "income", "tax", "P1 challenge", "lose assassin")
    assert caught.belief is not root.belief
    assert caught.hand is root.hand
    # An equal view is the same object, another one never is: over all nodes of a turn.
    views: dict[bytes, object] = {}
    for node, _, _ in horizon(Tree(position("DC", "TT"), 0).root, depth=4):
        key = node.state.data + bytes([node.state.speaker + 1])
        assert views.setdefault(key, node.state) is node.state
    assert len({id(view) for view in views.values()}) == len(views)


@pytest.mark.plain
def test_a_parent_is_not_touched_by_its_children():
    tree = Tree(position("DC", "TT", coins=[7, 7]), 0)
    before = tree.root.state.data
    view = tree.root.state.states
    view["coins"] = 0
    assert leaves(tree.root, depth=2) > 10
    assert tree.root.state.data == before
    assert tree.root.state.states["coins"][0, 0] == 7


def test_a_node_takes_less_than_300_bytes():
    """All shared parts included, over a whole turn of six players."""
    gc.collect()
    tracemalloc.start()
    tree = Tree(opening(6), SPECTATOR)
    nodes = sum(1 for _ in horizon(tree.root, turns=1))
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert nodes > 40_000
    assert used / nodes < 300
    assert tree.shared["beliefs"] == 0  # nobody asked for one


def test_the_truth_makes_no_difference():
    """Two positions that look alike have the same tree, probabilities and all."""

    def told(states):
        return [(n.text, n.kind, n.probability) for n, _, _ in horizon(Tree(states, 0).root, depth=3)]

    assert told(position("DC", "TT", "AM")) == told(position("DC", "DA", "MM"))
    assert told(position("DC", "TT", "AM")) != told(position("DA", "TT", "AM"))


# --- everything against brute force ---------------------------------------------------------------------------


def compare(node: Node, possible: brute.Possible, observer: int, last_turn: int) -> int:
    """Check all probabilities and beliefs below a node; how many stochastic nodes there were."""
    believed = np.asarray(node.belief.states(node.state.states))
    assert {state.tobytes(): weight for state, weight in zip(believed, node.belief.weights, strict=True)} == pytest.approx(
        {key: float(weight) for key, (_, weight) in possible.items()}
    )
    if node.is_end or node.turn >= last_turn:
        return 0
    stochastic = node.form is Form.STOCHASTIC
    if node.form is Form.WINDOW:
        found = windowed(possible, observer, node)
    elif node.state.speaker >= 0:
        found = {key: after for key, after in brute.follow(possible, observer).items() if key != words.WORDS.nobody}
    else:
        found = brute.follow(possible, observer)
    checked = int(stochastic)
    for child in node.children:
        key = (child.seat, child.action) if node.form is Form.WINDOW else child.action
        after = found.pop(key, {})
        if stochastic:
            assert child.probability == pytest.approx(float(brute.share(after)), abs=1e-12)
        if after:
            checked += compare(child, brute.normal(after), observer, last_turn)
    assert not found
    return checked


def windowed(possible, observer, node):
    """What may come of a window whose seats are asked one after another."""
    found = {}
    for seat in node.deciders:
        followed = brute.follow(possible, observer)
        acts = [label for label in followed if label != words.WORDS.nobody]
        if len(acts) > 1:
            found[seat, None] = possible
        else:
            found |= {(seat, label): followed[label] for label in acts}
        possible = followed[words.WORDS.nobody]
    found[SPECTATOR, words.WORDS.nobody] = possible
    return found


@pytest.mark.parametrize(
    ("states", "observer", "turns"),
    [
        pytest.param(position("DC", "TA", coins=[3, 3]), 0, 1, id="own turn"),
        pytest.param(position("DC", "TA", coins=[3, 3]), 1, 1, id="the other's turn"),
        pytest.param(position("D/T", "C/T", coins=[7, 3]), 0, 2, id="one card each, two turns"),
        pytest.param(position("D/C", "A/M", "T/D", coins=[3, 1, 0], player=1), 0, 1, id="three players"),
    ],
)
def test_all_probabilities_and_beliefs_agree_with_brute_force(states, observer, turns):
    root = Tree(states, observer).root
    assert compare(root, brute.all_deals(states, observer), observer, 1 + turns) > 10


@pytest.mark.plain
def test_deals_are_counted_as_cards_told_apart():
    states = position("DC", "A/T", "MM")
    worlds, ways = words.deals(states, 0, 10_000)
    whole = {state.tobytes(): weight for state, weight in zip(*whole_states(states, worlds, ways), strict=True)}
    assert whole == pytest.approx({key: float(weight) for key, (_, weight) in brute.all_deals(states, 0).items()})
    assert words.deals(states, 0, 10) is None


def whole_states(states, worlds, ways):
    believed = BelievedWorlds(GAME, worlds, ways)
    return np.asarray(believed.states(states)), believed.weights


def test_too_many_deals_are_drawn_reproducibly():
    states = position("DC", "AT", "MM", "DT", "AC")
    one, two = Tree(states, 0, seed=3).root, Tree(states, 0, seed=3).root
    assert 900 < len(one.belief) <= 1024
    assert one.belief == two.belief != Tree(states, 0, seed=4).root.belief
    result = at(one, "income", "tax", "P1 challenge")
    assert result.children[0].probability == pytest.approx(1 - (11 * 10) / (13 * 12), abs=0.05)


def test_every_label_has_words():
    for node, _, _ in horizon(Tree(new_states(2), 0).root, depth=5):
        assert node.text
        assert "unseen" not in node.text
    assert words.describe(Action("tax").code) == "tax"


@pytest.mark.plain
def test_the_game_offers_all_words_of_a_tree():
    assert {name for name in vars(TreeWords) if not name.startswith("_")} == set(vars(GAME.tree))
    assert pickle.loads(pickle.dumps(GAME)).name == "coup"
