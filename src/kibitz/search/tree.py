"""The tree of a game as one observer sees it: expanded where you look at it, with equal parts shared.

>>> from kibitz.examples import kuhn
>>> tree = Tree(kuhn.GAME.new(2, 0), observer=0)
>>> king = tree.root.children[2]
>>> king, king.probability
(<Node: deal king, stochastic>, 0.3333333333333333)
>>> dealt = king.children[0]  # the other's card, unseen
>>> [node.text for node in dealt.children], dealt.deciders
(['pass', 'bet'], (0,))
>>> called = dealt.children[1].children[1]
>>> called.is_end, called.values  # two won, of two at most
(True, (1.0, 0.0))

What lies below a node depends on what the observer can see, never on what is true. A game with words of its own for its
nodes (`kibitz.search.tree_words`) tells what others *could* do, so that the tree can be walked through without any belief;
in other games it is what they can do in some world that the observer holds possible.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from kibitz.game import CHANCE, OVER, States, actor_at, game_of, seats_of, to_dict
from kibitz.game.doors import door, hidden_from, legal_at
from kibitz.game.drivers import action_in
from kibitz.game.verbs import prize
from kibitz.search.shelf import Floats, shelf_of, views_of
from kibitz.search.tree_words import Form, TreeWords
from kibitz.search.worlds import BelievedWorlds, Moves, Seen

NOBODY = -1
#: The most worlds that a belief holds unless the tree is told otherwise, and how many are drawn where there are more.
MAX_WORLDS, DRAWS = 4096, 1024
#: For how many nodes a tree remembers what may be done there in each world: more than a look ahead is deep.
RECENT = 16


class View:
    """What the observer sees at a node. Within a tree equal views are one object, so that ``is`` compares them."""

    __slots__ = ("_form", "data", "speaker", "tree")

    def __init__(self, tree: Tree, data: Any, speaker: int) -> None:
        self.tree = tree
        self.data = data
        """The state without what is hidden, as `kibitz.search.shelf` keeps it."""
        self.speaker = speaker
        """Who acts in a window, but has not said how (-1: nobody)."""
        self._form: Form | None = None

    @property
    def states(self) -> States:
        """The state without what is hidden, as an array of one: what `kibitz.game`'s functions take."""
        return self.tree.shelf.take(self.data)

    @property
    def form(self) -> Form:
        """What a node with this view is."""
        if self._form is None:
            self._form = self.tree.form_of(self)
        return self._form

    def __repr__(self) -> str:
        states = self.states
        return f"<View: {states[0].exact() if self.tree.game.is_plain else to_dict(states)}>"


class Tree:
    """The tree below a position, through the eyes of a seat (or of a spectator, -1, where the game has words of its own).

    Nothing hidden in `states` is used. What the observer believes at the root is `belief`, or every deal that agrees with
    what it sees: all of them where they are at most `max_worlds`, else some that are drawn with `seed`.
    """

    def __init__(
        self,
        states: States,
        observer: int,
        belief: BelievedWorlds | None = None,
        *,
        max_worlds: int = MAX_WORLDS,
        seed: int = 0,
    ) -> None:
        if len(states) != 1:
            raise ValueError(f"{len(states)} states: a tree has one root; what is hidden there goes into `belief`")
        if max_worlds < 1:
            raise ValueError(f"max_worlds {max_worlds}: expected at least 1")
        self.game = game_of(states)
        self.shelf = shelf_of(self.game)
        self.words: TreeWords | None = self.game.tree
        self.seats = seats_of(states)
        """How many play."""
        if not (NOBODY if self.words else 0) <= observer < self.seats:
            spectator = " or -1 for a spectator" if self.words else ""
            raise ValueError(f"observer {observer}: expected a seat from 0 to {self.seats - 1}{spectator}")
        self.observer = observer
        self.max_worlds = max_worlds
        self._seed = seed
        self._first = belief
        self._views: dict[Hashable, View] = {}
        self._hands: dict[Any, Any] = {}
        self._beliefs: dict[BelievedWorlds, BelievedWorlds] = {}
        self._followed: dict[tuple[int, int], list[Seen]] = {}
        self._believed: dict[tuple[int, int, int | None], BelievedWorlds] = {}
        self._recent: dict[tuple[int, int], Moves] = {}
        self._xs = self.game.scratches()
        self.root = Node(None, self.view(self.shelf.put(hidden_from(states, observer))))

    # --- parts that are shared ------------------------------------------------------------------------------

    def view(self, data: Any, speaker: int = NOBODY) -> View:
        """The one object for a view; `data` is kept as `kibitz.search.shelf` does."""
        key = self.shelf.key(data)
        if speaker != NOBODY:
            key = key, speaker
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = View(self, data, speaker)
        return found

    def belief(self, worlds: BelievedWorlds) -> BelievedWorlds:
        """The one object for a belief."""
        return self._beliefs.setdefault(worlds, worlds)

    def first_belief(self) -> BelievedWorlds:
        """What the observer believes at the root."""
        view = self.root.state
        if self._first is None:
            deals = self.words.deals(view.states, self.observer, self.max_worlds) if self.words else None
            if deals is None:
                draws = min(DRAWS, self.max_worlds)
                self._first = BelievedWorlds.drawn(self.game, view.states, self.observer, draws, self._seed)
            else:
                self._first = BelievedWorlds(self.game, *deals)
        elif {*views_of(self._first.states(view.states), self.observer)} != {self.shelf.key(view.data)}:
            raise ValueError("the belief and the position do not agree about what the observer sees")
        return self.belief(self._first.thinned(self.max_worlds))

    def hand(self, view: View) -> Any:
        """The one object for what the observer holds: in the game's words, else what `peek` leaves of the view."""
        hand = self.words.hand(view.states, self.observer) if self.words else BelievedWorlds(self.game, view.states).key
        return self._hands.setdefault(hand, hand)

    def __repr__(self) -> str:
        return f"<Tree: {self.game.name}, {self.shared['views']:,} views>"

    @property
    def shared(self) -> dict[str, int]:
        """How many different views, hands and beliefs there are so far."""
        return {"views": len(self._views), "hands": len(self._hands), "beliefs": len(self._beliefs)}

    # --- what comes next ------------------------------------------------------------------------------------

    def form_of(self, view: View) -> Form:
        """What a node with this view is."""
        states = view.states
        seat = actor_at(states, 0)
        words = self.words
        if seat == OVER or (words and self.observer >= 0 and words.is_out(states, self.observer)):
            return Form.END
        if words and view.speaker == NOBODY and words.window(states):
            return Form.WINDOW
        if seat == CHANCE or (words and seat != self.observer and not words.is_open(states)):
            return Form.STOCHASTIC
        return Form.DECISION

    def expand(self, node: Node) -> tuple[Node, ...]:
        """Make the nodes below a node."""
        view, words = node.state, self.words
        if view.form is Form.END:
            return ()
        if words is None:
            return self._expand_believed(node)
        if view.form is Form.WINDOW:
            return self._expand_window(node, words)
        states = view.states
        if view.form is Form.STOCHASTIC:
            codes = words.options(states, self.observer)
        else:
            codes = [a for a in self._legal(states) if view.speaker == NOBODY or a != words.nobody]
        seat = actor_at(states, 0)
        return tuple(Node(node, after, seat, label) for label, after in self._after(view.data, codes))

    def _legal(self, states: States) -> list[int]:
        n = legal_at(states, 0, self._xs, 0)
        return np.asarray(self._xs["actions"][0][:n]).tolist()  # type: ignore[no-any-return]

    def _after(self, data: Any, codes: list[int]) -> list[tuple[int, View]]:
        """What the observer sees of some actions, and after them."""
        return [(label, self.view(after)) for label, after in self.shelf.after(data, codes, self.observer)]

    def _expand_window(self, node: Node, words: TreeWords) -> tuple[Node, ...]:
        """Who is asked first may act, then who is asked next; who has several ways to act names one in a further step."""
        nodes: list[Node] = []
        at = node.state
        for _ in range(words.window(at.states).bit_count()):
            states = at.states
            seat = actor_at(states, 0)
            codes = [a for a in self._legal(states) if a != words.nobody]
            *acts, (_, passed) = self._after(at.data, [*codes, words.nobody])
            if len(acts) > 1:
                nodes.append(Node(node, self.view(at.data, seat), seat, None))
            else:
                nodes += [Node(node, after, seat, label) for label, after in acts]
            at = passed
        return (*nodes, Node(node, at, NOBODY, words.nobody))

    def _expand_believed(self, node: Node) -> tuple[Node, ...]:
        """What may come next in a world that the observer holds possible."""
        states = node.state.states
        seat = actor_at(states, 0)
        whole = node.belief.states(states)
        nodes = []
        own = [found.code for found in self.follow(node)] if seat == self.observer else []
        for code in own:
            if own.count(code) > 1:
                raise ValueError(f"{self.game.describe(code)}: a tree cannot show what it would tell the player who does it")
        for found in self.follow(node):
            [(label, after)] = self._after(self.shelf.put(whole, found.world), [found.code])
            nodes.append(Node(node, after, seat, label))
        return tuple(nodes)

    def follow(self, node: Node) -> list[Seen]:
        """What the observer may see next, and how likely it is."""
        key = id(node.state), id(node.belief)
        if key not in self._followed:
            self._followed[key] = self.moves(node).seen()
        return self._followed[key]

    def belief_after(self, node: Node, label: int | None) -> BelievedWorlds:
        """What the observer believes after a node, when it has seen something."""
        key = id(node.state), id(node.belief), label
        if key not in self._believed:
            self._believed[key] = self.belief(self.moves(node).after(label).thinned(self.max_worlds))
        return self._believed[key]

    def moves(self, node: Node) -> Moves:
        """Everything that may be done at a node in the worlds that the observer believes in."""
        key = id(node.state), id(node.belief)
        if key not in self._recent:
            if len(self._recent) == RECENT:
                del self._recent[next(iter(self._recent))]
            view, words = node.state, self.words
            by_cards = words is not None and view.form is Form.STOCHASTIC and actor_at(view.states, 0) >= 0
            self._recent[key] = node.belief.moves(view.states, self.observer, words.odds if words and by_cards else None)
        return self._recent[key]


class Node:
    """A node of a tree: a view, and how it was reached. What lies below is made when `children` is first looked at."""

    __slots__ = ("_belief", "_children", "action", "parent", "seat", "state")

    def __init__(self, parent: Node | None, state: View, seat: int = NOBODY, action: int | None = None) -> None:
        self.parent = parent
        self.state = state
        """What the observer sees here."""
        self.seat = seat
        """Who led here: a seat, or -1 for chance and for nobody."""
        self.action = action
        """What the observer saw happen. None at the root, and where somebody acts in a window but has not said how."""
        self._children: tuple[Node, ...] | None = None
        self._belief: BelievedWorlds | None = None

    @property
    def tree(self) -> Tree:
        """The tree that the node is in."""
        return self.state.tree

    @property
    def hand(self) -> Any:
        """What the observer holds here; equal hands are one object."""
        return self.tree.hand(self.state)

    @property
    def belief(self) -> BelievedWorlds:
        """What the observer believes here; equal beliefs are one object. Empty if it would not believe its eyes."""
        if self._belief is None:
            if self.parent is None:
                self._belief = self.tree.first_belief()
            elif self._moves_nothing_hidden():
                self._belief = self.parent.belief
            else:
                self._belief = self.tree.belief_after(self.parent, self.action)
        return self._belief

    def _followed(self) -> Seen | None:
        """What the observer thinks of the step that leads here; None if it is impossible."""
        assert self.parent is not None
        return next((found for found in self.tree.follow(self.parent) if found.label == self.action), None)

    def _moves_nothing_hidden(self) -> bool:
        assert self.parent is not None
        words, before = self.tree.words, self.parent.state
        return words is not None and (before.form is Form.WINDOW or words.is_open(before.states))

    @property
    def text(self) -> str:
        """What the observer saw happen, in words."""
        if self.parent is None:
            return "root"
        if self.tree.words:
            return self.tree.words.describe(self.action)
        found = self._followed()
        return self.tree.game.describe(found.code) if found and found.code == action_in(self.action) else "unseen"

    @property
    def probability(self) -> float | None:
        """How likely it is to come here from the node above, where that is stochastic."""
        if self.parent is None or self.parent.form is not Form.STOCHASTIC:
            return None
        found = self._followed()
        return found.probability if found else 0.0

    @property
    def possibility(self) -> float | None:
        """How likely it is, where somebody decides above, that this can be done: less than 1 if it takes an unseen card."""
        if self.parent is None or self.parent.form is Form.STOCHASTIC:
            return None
        if self._moves_nothing_hidden():
            return 1.0
        found = self._followed()
        return min(found.probability, 1.0) if found else 0.0

    @property
    def draws(self) -> int:
        """From how many drawn worlds the probability (or possibility) comes; 0 where it is counted, or the same in all."""
        if self.parent is None or self._moves_nothing_hidden() or len(self.parent.children) == 1:
            return 0
        believed, found = self.parent.belief, self._followed()
        if found and found.in_all:
            return 0
        by_cards = self.tree.words is not None and actor_at(self.parent.state.states, 0) >= 0
        return 0 if believed.fitted and by_cards else believed.draws

    @property
    def is_possible(self) -> bool:
        """Whether the observer holds it possible to come here from the node above."""
        return self.parent is None or self._moves_nothing_hidden() or self._followed() is not None

    @property
    def form(self) -> Form:
        """What the node is to a search."""
        return self.state.form

    @property
    def kind(self) -> str:
        """What the game calls the node (its form, where the game has no names)."""
        words = self.tree.words
        if words is None:
            return str(self.form)
        return words.out if self.is_out else words.kind(self.state.states, self.state.speaker != NOBODY)

    @property
    def deciders(self) -> tuple[int, ...]:
        """Who decides: one seat, in a window all that may act, in the order in which they are asked; else nobody."""
        if self.form is Form.DECISION:
            return (actor_at(self.state.states, 0),)
        if self.form is Form.WINDOW:
            return tuple(dict.fromkeys(child.seat for child in self.children[:-1]))
        return ()

    @property
    def is_end(self) -> bool:
        """Whether nothing comes after this, or nothing that the observer has a part in."""
        return self.form is Form.END

    @property
    def is_out(self) -> bool:
        """Whether the observer has left a game that goes on without it."""
        return self.is_end and actor_at(self.state.states, 0) != OVER

    @property
    def children(self) -> tuple[Node, ...]:
        """What may come next."""
        if self._children is None:
            self._children = self.tree.expand(self)
        return self._children

    @property
    def turn(self) -> int:
        """A number that grows with every turn. Raises `ValueError` where the game counts none."""
        if self.tree.words is None:
            raise ValueError(f"{self.tree.game.name} has no turns that its tree could be cut off at")
        return self.tree.words.turn(self.state.states)

    @property
    def values(self) -> tuple[float, ...] | None:
        """What the position is worth to each seat, from 0 to 1: at an end truly, else as the game estimates (if it can)."""
        if self.tree.words:
            return self.tree.words.heuristic(self.state.states, self.tree.observer)
        return expected_prizes(self.tree, self.belief.states(self.state.states), self.belief.weights) if self.is_end else None

    def __repr__(self) -> str:
        return f"<Node: {self.text}, {self.kind}>"


@door
def prize_all(states: Any, prizes: Floats) -> None:
    """The `prize` of every seat in every state, into ``prizes[state, seat]``."""
    for i in range(prizes.shape[0]):
        for seat in range(prizes.shape[1]):
            prizes[i, seat] = prize(states[i], seat)


def expected_prizes(tree: Tree, states: States, weights: Floats) -> tuple[float, ...]:
    """What ends are worth to each seat on average, from 0 to 1."""
    low, high = tree.game.stakes
    prizes = np.zeros((len(states), tree.seats))
    prize_all(states, prizes)
    return tuple(((weights @ prizes - low) / (high - low)).tolist())


def horizon(node: Node, depth: int | None = None, turns: int | None = None) -> Iterator[tuple[Node, int, bool]]:
    """The nodes down to a number of steps, or to the end of a number of turns, each with its depth and whether it is cut off.

    Ends count as cut off. Parents come before their children.
    """
    last_turn = None if turns is None else node.turn + turns
    stack = [(node, 0)]
    while stack:
        at, below = stack.pop()
        cut = below == depth or (last_turn is not None and at.turn >= last_turn) or at.is_end
        yield at, below, cut
        if not cut:
            stack += [(child, below + 1) for child in reversed(at.children)]


def leaves(node: Node, depth: int | None = None, turns: int | None = None) -> int:
    """How many ways there are to the horizon: ends, and nodes that are cut off by `depth` or `turns`."""
    return sum(cut for _, _, cut in horizon(node, depth, turns))
