"""A tree down to some depth as a drawing sees it, and as text, JSON and Graphviz's DOT. Players count from 1 for people.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.tree import Tree
>>> queen = Tree(kuhn.GAME.new(2, 0), observer=0).root.children[1]
>>> print(as_text(draw(queen.children[0].children[1], depth=2)))  # the first player bets a queen
decision P2  0.50
├─ P2 pass  end  0.75
└─ P2 bet  end  0.50  *
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from kibitz.game import OVER, actor_at
from kibitz.search.maxn import Lookahead, Rollouts
from kibitz.search.tree import NOBODY, Node
from kibitz.search.tree_words import Form

#: What is possible in almost all worlds is certain: weights are not exact.
CERTAIN = 1 - 1e-9
#: Stands before what comes from drawn worlds.
ABOUT = "≈"


class TooLarge(ValueError):
    """A tree with more nodes than was asked for."""


@dataclass(frozen=True)
class Drawn:
    """One node with all that is shown of it."""

    kind: str
    form: Form
    deciders: tuple[int, ...]
    seat: int
    """Who led here: a seat, or -1."""
    action: str | None
    """What happened, in words; None at the root."""
    probability: float | None
    possibility: float | None
    """How likely it is that what happened can be done, where somebody decided (see `Node.possibility`)."""
    draws: int
    """From how many drawn worlds either comes; 0: it is counted."""
    values: tuple[float, ...]
    """What the node is worth to each seat by max^n down to the depth of the drawing."""
    observer: int
    out: bool
    """Whether the game goes on without the observer."""
    children: tuple[Drawn, ...]
    best: bool = False
    """Whether this is what max^n would do at the node above."""

    @property
    def label(self) -> str:
        """Who did what, as it stands beside a line: ``P2 challenge``."""
        return (f"P{self.seat + 1} " if self.seat >= 0 else "") + (self.action or "")

    @property
    def title(self) -> str:
        """The kind of the node and who decides: ``Challenge P2 P3``."""
        if self.out:
            return f"{self.kind} (out)"
        return " ".join([self.kind, *(f"P{seat + 1}" for seat in self.deciders)])

    @property
    def value(self) -> str:
        """What the node is worth to the observer; to a spectator what it is worth to everybody."""
        shown = self.values if self.observer < 0 else self.values[self.observer : self.observer + 1]
        return " ".join(f"{value:.2f}" for value in shown)

    @property
    def chance(self) -> str:
        """The probability in per cent; where somebody decides, how likely it is to be possible, unless that is certain."""
        about = ABOUT if self.draws else ""
        if self.probability is not None:
            return f"{about}{100 * self.probability:.3g} %"
        if self.possibility is not None and self.possibility < CERTAIN:
            return f"possible {about}{100 * self.possibility:.3g} %"
        return ""

    def walk(self) -> Iterator[Drawn]:
        """This node and all below, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_json(self) -> dict[str, Any]:
        """Plain values by name; seats from 0."""
        value: dict[str, Any] = {"kind": self.kind, "form": str(self.form), "deciders": list(self.deciders)}
        if self.action is not None:
            value |= {"seat": self.seat if self.seat >= 0 else None, "action": self.action}
        if self.probability is not None:
            value["probability"] = self.probability
        if self.possibility is not None and self.possibility < CERTAIN:
            value["possibility"] = self.possibility
        if self.draws:
            value["draws"] = self.draws
        value["values"] = list(self.values)
        if self.best:
            value["best"] = True
        if self.children:
            value["children"] = [child.to_json() for child in self.children]
        return value

    def _repr_svg_(self) -> str:
        from kibitz.search.tree_svg import as_svg

        return as_svg(self)


def draw(
    root: Node,
    depth: int,
    *,
    max_nodes: int | None = None,
    rollouts: Rollouts = Rollouts(),  # noqa: B008
    advance: Callable[[int], None] = lambda n: None,
) -> Drawn:
    """What there is to draw down to a depth. Raises `TooLarge` (before anything is evaluated) for more than `max_nodes`.

    `advance` hears of each node that is done.
    """
    if max_nodes is not None:
        count_nodes(root, depth, max_nodes)
    looked = Lookahead(root, depth, rollouts=rollouts)

    def drawn(node: Node, at: int) -> Drawn:
        children = [] if at == depth else [drawn(child, at + 1) for child in node.children]
        best = looked.best(node, at)
        if node.form is not Form.STOCHASTIC and best >= 0:
            children[best] = replace(children[best], best=True)
        probability, possibility = (None, None) if at == 0 else (node.probability, _possibility(node))
        uncertain = probability is not None or (possibility is not None and possibility < CERTAIN)
        advance(1)
        return Drawn(
            kind=str(node.kind),
            form=node.form,
            deciders=node.deciders,
            seat=NOBODY if at == 0 else node.seat,
            action=None if at == 0 else _action(node),
            probability=probability,
            possibility=possibility,
            draws=node.draws if uncertain else 0,
            values=looked.values(node, at),
            observer=node.tree.observer,
            out=node.is_end and actor_at(node.state.states, 0) != OVER,
            children=tuple(children),
        )

    return drawn(root, 0)


def _possibility(node: Node) -> float | None:
    """A game with words of its own tells by its stochastic nodes what depends on unseen cards: no belief is needed."""
    return None if node.tree.words else node.possibility


def _action(node: Node) -> str:
    in_window = node.parent is not None and node.parent.form is Form.WINDOW
    return "nobody" if in_window and node.seat < 0 else node.text


def count_nodes(root: Node, depth: int, max_nodes: int) -> int:
    """How many nodes there are down to a depth; raises `TooLarge` as soon as they are more than `max_nodes`."""
    layer, total = [root], 1
    for at in range(1, depth + 1):
        below: list[Node] = []
        for node in layer:
            below += node.children
            if total + len(below) > max_nodes:
                raise TooLarge(f"the tree has more than {max_nodes:,} nodes at depth {at}")
        layer = below
        total += len(layer)
    return total


def as_text(root: Drawn) -> str:
    """The tree as indented lines: what happened, how likely it was, the node, its value; ``*`` for the best choice.

    A last line says what ``≈`` means, where it stands.
    """
    lines: list[str] = []

    def write(node: Drawn, prefix: str, branch: str) -> None:
        parts = [node.label, node.chance, node.title, node.value, "*" if node.best else ""]
        lines.append(prefix + branch + "  ".join(part for part in parts if part))
        below = prefix + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for child in node.children:
            write(child, below, "└─ " if child is node.children[-1] else "├─ ")

    write(root, "", "")
    if draws := max(node.draws for node in root.walk()):
        lines.append(f"{ABOUT} from {draws:,} drawn worlds")
    return "\n".join(lines)


def as_json(root: Drawn) -> str:
    """The tree as nested objects."""
    return json.dumps(root.to_json(), indent=2, ensure_ascii=False)


_SHAPES = {Form.DECISION: "box", Form.WINDOW: "hexagon", Form.STOCHASTIC: "ellipse", Form.END: "plaintext"}


def as_dot(root: Drawn) -> str:
    """The tree in Graphviz's language."""
    lines = ["digraph tree {", "  rankdir=LR;", '  node [fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    numbers = {id(node): i for i, node in enumerate(root.walk())}
    for node in root.walk():
        lines.append(f"  n{numbers[id(node)]} [shape={_SHAPES[node.form]}, label={_quoted(node.title, node.value)}];")
        for child in node.children:
            labels = _quoted(*filter(None, (child.label, child.chance)))
            bold = ", style=bold" if child.best else ""
            lines.append(f"  n{numbers[id(node)]} -> n{numbers[id(child)]} [label={labels}{bold}];")
    return "\n".join([*lines, "}"])


def _quoted(*lines: str) -> str:
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'
