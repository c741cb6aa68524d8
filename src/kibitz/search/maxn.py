"""Max^n on an observer's tree: look some steps ahead, and let every player choose what is best for them.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.tree import Tree
>>> king = Tree(kuhn.GAME.new(2, 0), observer=0).root.children[2]
>>> found = maxn(king, depth=9)
>>> found.values, [node.text for node in found.line]
((0.75, 0.25), ['unseen', 'pass', 'pass'])

Luckhardt and Irani, *An algorithmic solution of n-person games*, AAAI 1986: at a decision the player takes the child that
is worth most to itself, chance is averaged, and in a window each player in the order of asking takes its best act or lets
it pass. With two players and constant sums it is minimax with chance.

It is exact for what it looks at: the tree as one observer sees it, where everybody knows what the observer knows and
nothing more. That is not the game, and bluffs show the difference. The observer's own cards are in the tree, and so every
other player sees through a bluff and never doubts an honest claim. The cards of the others are only probable, to
themselves too: they decide as if they had not looked at them, though only what their cards allow. And a bluff is worth
something only because it is made some of the time, at random; here everybody does one thing for certain. The king of Kuhn
poker above wins the ante and no more, as if it lay open on the table. For values with bluffs see `kibitz.search.cfr`.
"""

from dataclasses import dataclass, field

import numpy as np

from kibitz.compute.local import play, series
from kibitz.game import RANDOM
from kibitz.search.tree import Node, expected_prizes
from kibitz.search.tree_words import Form

Values = tuple[float, ...]
#: Values that differ by less are equal: what the player would do first is then taken.
TIE = 1e-12


@dataclass(frozen=True)
class MaxN:
    """What max^n found."""

    values: Values
    """What the position is worth to each seat, from 0 to 1."""
    line: tuple[Node, ...]
    """What everybody does then, and what chance is most likely to; as far as was looked ahead."""

    @property
    def best(self) -> Node | None:
        """The first step of the line; None if there is none."""
        return self.line[0] if self.line else None


@dataclass(frozen=True)
class Rollouts:
    """How the value at the horizon is estimated where the game has no word for it: games from there to the end."""

    games: int = 64
    """How many, from each horizon."""
    policy: int = RANDOM
    """Who plays them, for all seats."""
    seed: int = 0
    """The same seed gives the same games."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"games {self.games}: expected at least 1")


def maxn(node: Node, depth: int | None = None, turns: int | None = None, rollouts: Rollouts = Rollouts()) -> MaxN:  # noqa: B008
    """Look ahead from a node by some steps (`depth`), or to the end of some turns.

    Without either it looks to the end of the game, which has to be a small one. At the horizon the game's own heuristic
    counts, or `rollouts` where it has none.
    """
    return Lookahead(node, depth, turns, rollouts).found(node)


@dataclass
class Lookahead:
    """Max^n from several nodes of one tree to the same horizon, below `root`: what was seen once is not computed again."""

    root: Node
    depth: int | None = None
    turns: int | None = None
    rollouts: Rollouts = Rollouts()
    _known: dict[tuple[int, int, int], tuple[Values, int]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 0:
            raise ValueError(f"depth {self.depth}: expected at least 0")
        if self.turns is not None and self.turns < 1:
            raise ValueError(f"turns {self.turns}: expected at least 1")
        self._last_turn = None if self.turns is None else self.root.turn + self.turns

    def found(self, node: Node, depth: int = 0) -> MaxN:
        """What it comes to from a node which is `depth` steps below the root."""
        line: list[Node] = []
        at = node
        while (best := self.best(at, depth + len(line))) >= 0:
            at = at.children[best]
            line.append(at)
        return MaxN(self.values(node, depth), tuple(line))

    def values(self, node: Node, depth: int) -> Values:
        """What a node which is `depth` steps below the root is worth to each seat."""
        return self._look(node, depth)[0]

    def best(self, node: Node, depth: int) -> int:
        """Which child of such a node is played, or most likely (-1: none, it is not looked beyond)."""
        return self._look(node, depth)[1]

    def is_cut(self, node: Node, depth: int) -> bool:
        """Whether it is not looked beyond a node: an end, or the horizon."""
        return node.is_end or depth == self.depth or (self._last_turn is not None and node.turn >= self._last_turn)

    def _look(self, node: Node, depth: int) -> tuple[Values, int]:
        """The values of a node, and which child is played (-1: none)."""
        cut = self.is_cut(node, depth)
        if not cut and node.form is Form.STOCHASTIC and len(node.children) == 1:
            return self.values(node.children[0], depth + 1), 0  # nothing is seen, so that no belief is needed
        # Below what cannot happen, nothing can be weighed.
        cut = cut or not len(node.belief)
        # The heuristic of a game looks at what is seen, not at what is believed: no belief is made for it.
        belief = 0 if cut and node.tree.words else id(node.belief)
        key = id(node.state), belief, -1 if cut or self.depth is None else depth
        if key not in self._known:
            self._known[key] = (self._at_horizon(node), -1) if cut else self._below(node, depth)
        return self._known[key]

    def _at_horizon(self, node: Node) -> Values:
        return node.values or played_values(node, self.rollouts)

    def _below(self, node: Node, depth: int) -> tuple[Values, int]:
        """From what the children are worth."""
        if node.form is Form.STOCHASTIC:
            return self._average(node, depth)
        # What cannot happen in any world that the observer believes in is nothing to choose.
        possible = [place for place, child in enumerate(node.children) if child.is_possible]
        looked = {place: self.values(node.children[place], depth + 1) for place in possible}
        if node.form is Form.DECISION:
            return self._decided(node, looked)
        # A window: who is asked last decides first what its silence would mean.
        best = len(node.children) - 1
        for seat in reversed(node.deciders):
            for place in possible:
                if node.children[place].seat == seat and looked[place][seat] > looked[best][seat] + TIE:
                    best = place
        return looked[best], best

    def _decided(self, node: Node, looked: dict[int, Values]) -> tuple[Values, int]:
        """The best for who decides: in each world of the observer's the best that can be done there."""
        seat, tree = node.deciders[0], node.tree
        best = _best(looked, seat)
        if tree.words or seat == tree.observer:
            return looked[best], best
        moves, weights, left = tree.moves(node), node.belief.weights, dict(looked)
        undecided, total, shares = np.ones(len(weights), bool), np.zeros(tree.seats), {}
        while undecided.any():
            best = _best(left, seat)
            here = undecided & moves.can(node.children[best].action)
            if here.all():
                return looked[best], best
            shares[best] = float(weights[here].sum())
            total += shares[best] * np.array(left.pop(best))
            undecided &= ~here
        return tuple(total.tolist()), max(shares, key=shares.__getitem__)

    def _average(self, node: Node, depth: int) -> tuple[Values, int]:
        chances = [child.probability or 0.0 for child in node.children]
        total = np.zeros(0)
        for child, chance in zip(node.children, chances, strict=True):
            if chance > 0:
                part = chance * np.array(self.values(child, depth + 1))
                total = part if len(total) == 0 else total + part
        return tuple(total.tolist()), int(np.argmax(chances))


def _best(looked: dict[int, Values], seat: int) -> int:
    """What is worth most to a seat; of several the first."""
    best = next(iter(looked))
    for place, values in looked.items():
        if values[seat] > looked[best][seat] + TIE:
            best = place
    return best


def played_values(node: Node, rollouts: Rollouts) -> Values:
    """What a node is worth by games played to the end from the worlds that the observer believes in."""
    tree, belief, n = node.tree, node.belief, rollouts.games
    # Worlds are taken at even distances along their weights, so that the same ones are taken every time.
    places = np.searchsorted(np.cumsum(belief.weights), (np.arange(n) + 0.5) / n)
    starts = tree.shelf.picked(belief.states(node.state.states), np.minimum(places, len(belief) - 1))
    played = play(series(tree.game, starts, n, rollouts.seed, [rollouts.policy] * tree.seats), jobs=1)
    return expected_prizes(tree, played.states, np.full(n, 1 / n))
