"""A whole two-player game (or what is left of one) as arrays: what solvers work on.

`flatten` walks through every line of play with the verbs of the game and writes down each position once for each way
to get there:

>>> from kibitz.examples import kuhn
>>> flat = flatten(kuhn.GAME.new(2, 0))
>>> flat
<Flat: 58 nodes, 30 ends, 12 information sets>
>>> flat.path(flat.follow([2, 4, 1]))  # the jack, the king, a bet
[2, 4, 1]

What a seat knows is the sequence of what it has perceived (`seen` and `news`); nodes that it cannot tell apart are one
information set. No hashes stand for these sequences: each is numbered when it first occurs, as a prefix and one thing more.

`efg_lines` writes such a tree for other programs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import fsum
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, States, game_of, structs
from kibitz.ground.jit import jit, plain
from kibitz.ground.plain_states import PlainStates
from kibitz.search.shelf import views_of
from kibitz.search.walk import BASE, DEPTH, DONE, FULL, NODES, VIEWS, WRONG, Pruning, Stack, Views, Walked, prune, rehash, walk

Bytes: TypeAlias = npt.NDArray[np.int8]
Indices: TypeAlias = npt.NDArray[np.int32]
Offsets: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

#: Why two nodes of an information set ought to be told apart.
OTHER_ACTIONS, OTHER_PAST = 1, 2
#: The largest tree that `flatten` makes unless it is told otherwise; 3 GB while it is made, half of that when it is solved.
MAX_NODES = 20_000_000
#: The depths, nodes and views (a power of two) for which a tree first has room; all grow as it does.
FIRST_ROOM = 32, 1024, 4096
#: How many actions a game of plain Python may have in one position.
PLAIN_ACTIONS = 4096
#: Probabilities of chance are written as fractions where these have denominators up to this.
MAX_DENOMINATOR = 1_000_000


class NotSolvable(ValueError):
    """Not a two-player constant-sum game with perfect recall, or too large a one; the message says why."""


class PlainState(Protocol):
    """A game written in plain Python: the verbs of `kibitz.game` that a tree needs, as methods, and a copy."""

    def actor(self) -> int: ...  # noqa: D102
    def legal(self, x: Any) -> int: ...  # noqa: D102
    def weights(self, x: Any) -> int: ...  # noqa: D102
    def apply(self, a: int) -> None: ...  # noqa: D102
    def score(self, seat: int) -> int: ...  # noqa: D102
    def seen(self, a: int, seat: int) -> int: ...  # noqa: D102
    def copy(self) -> Self: ...  # noqa: D102


class Flat(NamedTuple):
    """A game tree as arrays. Nodes are ordered by depth, the children of a node stand side by side.

    A *slot* is one action of one information set: strategies, regrets and the like are arrays of shape [slots]. All nodes
    of an information set have the same depth, since everything that happens is at least noticed by everybody.
    """

    actor: Bytes
    """[nodes] whose move: 0 or 1, `CHANCE` or `OVER`."""
    first: Indices
    """[nodes] the first child (0 at an end)."""
    children: Indices
    """[nodes] how many children."""
    parent: Indices
    """[nodes] the node above (-1: none)."""
    action: Indices
    """[nodes] the action or outcome that leads here from the parent (-1: none)."""
    probability: Floats
    """[nodes] how likely chance is to choose this node (1 where it has no say)."""
    value: Floats
    """[nodes] at an end: what seat 0 wins and seat 1 loses (else 0)."""
    infoset: Indices
    """[nodes] the information set of the player who decides (-1 where nobody does)."""
    slot: Indices
    """[nodes] the first slot of that information set; child j belongs to slot + j."""
    level: Offsets
    """[depths + 1] where the nodes of each depth begin."""
    set_level: Offsets
    """[depths + 1] where the information sets of each depth begin."""
    set_seat: Bytes
    """[sets] who decides."""
    set_slot: Indices
    """[sets + 1] where the slots of each information set begin."""
    slot_action: Indices
    """[slots] the action."""

    def __repr__(self) -> str:
        ends = int(np.count_nonzero(self.actor == OVER))
        return f"<Flat: {len(self.actor):,} nodes, {ends:,} ends, {len(self.set_seat):,} information sets>"

    def follow(self, actions: Sequence[int]) -> int:
        """The node at which these actions and outcomes, from the beginning, arrive."""
        node = 0
        for action in actions:
            children = range(self.first[node], self.first[node] + self.children[node])
            found = [child for child in children if self.action[child] == action]
            if not found:
                raise KeyError(f"{action} is not among {[int(self.action[c]) for c in children]} after {self.path(node)}")
            node = found[0]
        return node

    def path(self, node: int) -> list[int]:
        """The actions and outcomes from the beginning to a node."""
        actions: list[int] = []
        while self.parent[node] >= 0:
            actions.append(int(self.action[node]))
            node = int(self.parent[node])
        return actions[::-1]

    def check(self) -> None:
        """Raise `NotSolvable` unless both seats have the same choice everywhere in an information set, and perfect recall."""
        last, speaker = np.full((len(self.actor), 2), -1, np.int32), np.full(len(self.set_seat), -1, np.int32)
        one, other, reason = (int(n) for n in find_forgetting(self, last, speaker))
        if reason:
            why = {OTHER_ACTIONS: "has other actions there", OTHER_PAST: "had decided otherwise before"}[reason]
            raise NotSolvable(f"player {self.actor[other] + 1} cannot tell {self.path(other)} from {self.path(one)}, but {why}")


@jit
def find_forgetting(flat: Flat, last: Indices, speaker: Indices) -> tuple[int, int, int]:
    """Two nodes of an information set that ought to be told apart, and why; (0, 0, 0) if there are none.

    `last` [nodes, 2], all -1, becomes the slot of the last decision of each seat; `speaker` [sets], all -1, the first node.
    """
    for node in range(len(flat.actor)):
        seat = flat.actor[node]
        if seat >= 0:
            this = flat.infoset[node]
            if speaker[this] < 0:
                speaker[this] = node
            one = speaker[this]
            if flat.children[one] != flat.children[node]:
                return one, node, OTHER_ACTIONS
            for j in range(flat.children[node]):
                if flat.action[flat.first[one] + j] != flat.action[flat.first[node] + j]:
                    return one, node, OTHER_ACTIONS
            if last[one, seat] != last[node, seat]:
                return one, node, OTHER_PAST
        for j in range(flat.children[node]):
            child = flat.first[node] + j
            last[child, 0], last[child, 1] = last[node, 0], last[node, 1]
            if seat >= 0:
                last[child, seat] = flat.slot[node] + j
    return 0, 0, 0


# --- from a game ------------------------------------------------------------------------------------------


def flatten(
    start: Any,
    weights: Sequence[float] | None = None,
    views: Sequence[tuple[int, ...]] | None = None,
    max_nodes: int = MAX_NODES,
    *,
    without: Sequence[int] = (),
    decisive: Sequence[int] = (),
    short: bool = False,
) -> Flat:
    """The tree of the game from `start`: an array of one state, or a `PlainState`.

    Several states (an array, or a list of `PlainState`) are a subgame: chance first picks one of them by its weight (all
    alike by default). ``views[i][seat]`` then names what `seat` knows at state i: it cannot tell states with equal numbers
    apart. By default that is what `hide` leaves of a state; a list has no such default.

    The tree can be made smaller. Nobody takes the actions in `without`: another game, then. Wherever one of those in
    `decisive` is legal, nothing else is looked at: that changes no value if they win wherever they are legal. A `short` tree
    ends where nobody has a choice any more.

    Raises `NotSolvable` for more than two players, for payoffs whose sum is not always the same, for a player who forgets,
    and for more than `max_nodes` nodes.
    """
    if isinstance(start, np.ndarray):
        roots: States = start
    else:
        roots = PlainStates(None, start if isinstance(start, list) else [start])
    if not len(roots):
        raise ValueError("no states: expected at least one")
    if len(roots) > 1 and views is None:
        if isinstance(start, list):
            raise TypeError("several plain states need `views`: what each seat knows at each of them")
        views = hidden_views(roots)
    tree = _Growing(roots, prune(without, decisive, short))
    tree.plant([1.0] * len(roots) if weights is None else weights, views)
    for i in range(len(roots)):
        tree.grow(i, max_nodes)
    flat = tree.sorted()
    flat.check()
    return flat


def hidden_views(states: States, seats: Iterable[int] = (0, 1)) -> list[tuple[int, ...]]:
    """Numbers for what each of these seats sees of each state: equal where `hide` leaves the same."""
    seen: list[list[int]] = []
    for seat in seats:
        numbers: dict[Any, int] = {}
        seen.append([numbers.setdefault(view, len(numbers)) for view in views_of(states, seat)])
    return list(zip(*seen, strict=True))


class _Growing:
    """The arrays of a tree while `kibitz.search.walk` fills them; they are made longer when it asks for that."""

    def __init__(self, roots: Any, pruning: Pruning) -> None:
        self.roots = roots
        self.pruning = pruning
        self.compiled = not isinstance(roots, PlainStates)
        self.cursor = np.zeros(6, np.int64)
        depth, nodes, views = FIRST_ROOM
        self.states: Any
        if self.compiled:
            self.walk, self.rehash = walk, rehash
            self.states = structs(roots.dtype, depth + 1)
            self.xs: Any = game_of(roots).scratches()
            self.room = len(self.xs["actions"][0])
        else:
            self.walk, self.rehash = plain(walk), plain(rehash)
            self.states = PlainStates(None, [None] * (depth + 1))
            self.xs = [SimpleNamespace(actions=[0] * PLAIN_ACTIONS, weights=[0] * PLAIN_ACTIONS)]
            self.room = PLAIN_ACTIONS
        self.stack = Stack(np.zeros(depth, np.int32), np.zeros(depth, np.int32), np.zeros((depth, 2), np.int64))
        kinds = [np.int8, *[np.int32] * 5, np.int64, np.float64, np.float64]
        self.nodes = Walked._make(np.zeros(nodes, kind) for kind in kinds)
        self.views = _no_views(views)

    def plant(self, weights: Sequence[float], views: Sequence[tuple[int, ...]] | None) -> None:
        """The root, and below it the states of a subgame; numbers for what the seats know there."""
        n = len(self.roots)
        if len(weights) != n or (views is not None and len(views) != n):
            raise ValueError(f"{n} states, {len(weights)} weights, {len(views or ())} views: expected as many of each")
        if min(weights) < 0 or max(weights) <= 0:
            raise ValueError("weights: expected numbers of at least 0, and one above 0")
        known = np.array(views if views is not None else [(0, 0)] * n)
        known = np.column_stack([np.unique(known[:, seat], return_inverse=True)[1] for seat in range(2)])
        known[:, 1] += known[:, 0].max() + 1
        self.known = known
        self.cursor[VIEWS] = known.max() + 1
        self.cursor[NODES] = 1
        self.nodes.parent[0] = self.nodes.action[0] = -1
        self.nodes.probability[0] = 1.0
        self.base = 0
        if n > 1:
            self.base = 1
            while len(self.nodes.actor) < n + 1:
                self._lengthen_nodes()
            below = slice(1, n + 1)
            self.nodes.actor[0], self.nodes.first[0], self.nodes.children[0] = CHANCE, 1, n
            self.nodes.depth[below] = 1
            self.nodes.action[below] = np.arange(n)
            self.nodes.probability[below] = np.array(weights) / fsum(weights)
            self.cursor[NODES] = n + 1

    def grow(self, i: int, max_nodes: int) -> None:
        """Everything below root `i`."""
        self.states[self.base] = self.roots[i]
        self.stack.node[self.base], self.stack.next[self.base] = self.base + i, -1
        self.stack.known[self.base] = self.known[i]
        self.cursor[DEPTH] = self.cursor[BASE] = self.base
        while True:
            if self.cursor[NODES] > max_nodes:
                raise NotSolvable(f"the game has more than {max_nodes:,} nodes")
            while self.cursor[NODES] + self.room > len(self.nodes.actor):
                self._lengthen_nodes()
            if 2 * (self.cursor[VIEWS] + 2) > len(self.views.number):
                self._lengthen_views()
            if self.cursor[DEPTH] + 2 > len(self.stack.node):
                self._lengthen_stack()
            arrays = self.cursor, self.stack, self.nodes, self.views
            status = self.walk(self.states, self.xs, *arrays, self.pruning, self.room)
            if status == DONE and self.cursor[NODES] <= max_nodes:
                return
            if status not in (DONE, FULL):
                raise NotSolvable(WRONG[status])

    def _lengthen_nodes(self) -> None:
        self.nodes = Walked._make(_twice_as_long(field) for field in self.nodes)

    def _lengthen_stack(self) -> None:
        self.stack = Stack._make(np.concatenate([field, np.zeros_like(field)]) for field in self.stack)
        room = len(self.stack.node) + 1
        states: Any = structs(self.states.dtype, room) if self.compiled else PlainStates(None, [None] * room)
        states[: len(self.states)] = self.states
        self.states = states

    def _lengthen_views(self) -> None:
        longer = _no_views(2 * len(self.views.number))
        self.rehash(self.views, longer)
        self.views = longer

    def sorted(self) -> Flat:
        """The finished tree."""
        n = int(self.cursor[NODES])
        return in_order(Walked._make(field[:n] for field in self.nodes))[0]


def in_order(nodes: Walked) -> tuple[Flat, Indices]:
    """The tree of these nodes, sorted by depth, and the place of each in it.

    Siblings must have been numbered together, after their parent; they stay together. Of nodes at which somebody decides, those
    with the same `known` are one information set.
    """
    n = len(nodes.actor)
    order = np.argsort(nodes.depth, kind="stable")
    place = np.empty(n, np.int32)
    place[order] = np.arange(n)
    actor, children, action = nodes.actor[order], nodes.children[order], nodes.action[order]
    first = np.where(children > 0, place[nodes.first[order]], 0).astype(np.int32)
    parent = place[nodes.parent[order]]
    parent[0] = -1
    level = np.searchsorted(nodes.depth[order], np.arange(nodes.depth.max() + 2)).astype(np.int64)
    # Information sets are numbered in the order of their first nodes.
    decides = np.flatnonzero(actor >= 0)
    _, opening, which = np.unique(nodes.known[order][decides], return_index=True, return_inverse=True)
    by_opening = np.argsort(opening)
    number = np.empty(len(opening), np.int32)
    number[by_opening] = np.arange(len(opening))
    leaders = decides[opening[by_opening]]
    set_slot = np.concatenate([[0], np.cumsum(children[leaders])]).astype(np.int32)
    infoset, slot = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    infoset[decides] = number[which]
    slot[decides] = set_slot[infoset[decides]]
    behind = np.repeat(first[leaders] - set_slot[:-1], children[leaders]) + np.arange(set_slot[-1])
    flat = Flat(
        actor=actor,
        first=first,
        children=children,
        parent=parent,
        action=action,
        probability=nodes.probability[order],
        value=nodes.value[order],
        infoset=infoset,
        slot=slot,
        level=level,
        set_level=np.searchsorted(leaders, level).astype(np.int64),
        set_seat=actor[leaders],
        set_slot=set_slot,
        slot_action=action[behind],
    )
    return flat, place


def _twice_as_long(field: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same and as many zeros, which take no memory before they are written to."""
    longer = np.zeros(2 * len(field), field.dtype)
    longer[: len(field)] = field
    return longer


def _no_views(room: int) -> Views:
    return Views(np.zeros(room, np.int64), np.zeros(room, np.int64), np.full(room, -1, np.int64))


# --- for other programs ------------------------------------------------------------------------------------


def efg_lines(flat: Flat, title: str = "", describe: Callable[[int], str] = str, unit: float = 1.0) -> Iterator[str]:
    r"""The lines of a file in the format of Gambit (``.efg``), which OpenSpiel reads, too: one node each, depth first.

    `describe` names the actions; payoffs are counted in `unit`. The information sets of each player are numbered from 1 in
    the order of the tree.

    >>> from kibitz.examples import kuhn
    >>> print(*list(efg_lines(flatten(kuhn.GAME.new(2, 0)), "Kuhn poker", kuhn.GAME.describe))[:4], sep="\n")
    EFG 2 R "Kuhn poker" { "player 1" "player 2" } ""
    <BLANKLINE>
    c "" 1 "" { "deal jack" 1/3 "deal queen" 1/3 "deal king" 1/3 } 0
    c "" 2 "" { "deal queen" 1/2 "deal king" 1/2 } 0
    """
    numbers = np.zeros(len(flat.set_seat), np.int64)
    for seat in range(2):
        own = flat.set_seat == seat
        numbers[own] = np.arange(1, np.count_nonzero(own) + 1)
    yield f'EFG 2 R {_quoted(title)} {{ "player 1" "player 2" }} ""'
    yield ""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        names = [_quoted(describe(int(flat.action[child]))) for child in children]
        actor = flat.actor[node]
        if actor == OVER:
            won = float(flat.value[node]) / unit
            yield f't "" {node + 1} "" {{ {won!r} {-won!r} }}'
        elif actor == CHANCE:
            odds = _odds([float(flat.probability[child]) for child in children])
            yield f'c "" {node + 1} "" {{ {" ".join(f"{name} {p}" for name, p in zip(names, odds, strict=True))} }} 0'
        else:
            yield f'p "" {actor + 1} {numbers[flat.infoset[node]]} "" {{ {" ".join(names)} }} 0'
        waiting.extend(reversed(children))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _odds(probabilities: Sequence[float]) -> list[str]:
    """The same as fractions if these sum to 1, as Gambit wants it."""
    fractions = [Fraction(p).limit_denominator(MAX_DENOMINATOR) for p in probabilities]
    close = all(abs(f - Fraction(p)) < 1e-12 for f, p in zip(fractions, probabilities, strict=True))
    return [str(f) for f in fractions] if close and sum(fractions) == 1 else [repr(p) for p in probabilities]
