"""A tree down to some depth as a drawing sees it, and as text, JSON, Graphviz's DOT and SVG. Players count from 1 for people.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.tree import Tree
>>> queen = Tree(kuhn.GAME.new(2, 0), observer=0).root.children[1]
>>> print(as_text(draw(queen.children[0].children[1], depth=2)))  # the first player bets a queen
decision P2  0.50
├─ P2 pass  end  0.75
└─ P2 bet  end  0.50  *

The picture runs from left to right. Nodes have the element ids ``node-0``, ``node-1`` ... in the order of `Drawn.walk`, the
lines to them ``line-1`` ..., and there is a ``legend``. Equal input gives equal text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from math import fsum
from typing import Any, NamedTuple

from kibitz.search.maxn import Lookahead, Rollouts
from kibitz.search.tree import NOBODY, Node
from kibitz.search.tree_words import Form

#: What is possible in almost all worlds is certain: weights are not exact.
CERTAIN = 1 - 1e-9
#: Stands before what comes from drawn worlds.
ABOUT = "≈"


class TooLarge(ValueError):
    """A tree with more nodes than was asked for; down to the depth `fits` it has no more."""

    def __init__(self, message: str, fits: int = 0) -> None:
        super().__init__(message)
        self.fits = fits


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
    """From how many drawn worlds either comes; 0: it is counted, or the same in all."""
    values: tuple[float, ...]
    """What the node is worth to each seat by max^n down to the depth of the drawing."""
    observer: int
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
        always = {"kind": self.kind, "form": str(self.form), "deciders": list(self.deciders)}
        led = {} if self.action is None else {"seat": self.seat if self.seat >= 0 else None, "action": self.action}
        sometimes = {
            "probability": self.probability,
            "possibility": self.possibility if (self.possibility or 0.0) < CERTAIN else None,
            "draws": self.draws or None,
            "values": list(self.values),
            "best": self.best or None,
            "children": [child.to_json() for child in self.children] or None,
        }
        return always | led | {name: value for name, value in sometimes.items() if value is not None}

    def _repr_svg_(self) -> str:

        return as_svg(self)


def draw(
    root: Node,
    depth: int | None,
    *,
    turns: int | None = None,
    max_nodes: int | None = None,
    rollouts: Rollouts = Rollouts(),  # noqa: B008
    advance: Callable[[int], None] = lambda n: None,
) -> Drawn:
    """What there is to draw down to a depth. Raises `TooLarge` (before anything is evaluated) for more than `max_nodes`.

    With `turns` nothing beyond the end of so many turns is drawn, and values look just so far ahead, however deep the drawing
    is: what is best does not depend on a `depth` at which a turn is cut in two. `advance` hears of each node that is done.
    """
    if depth is None and turns is None:
        raise ValueError("expected a depth, a number of turns, or both")
    if max_nodes is not None:
        count_nodes(root, depth, max_nodes, turns)
    looked = Lookahead(root, depth if turns is None else None, turns, rollouts)

    def drawn(node: Node, at: int) -> Drawn:
        children = [] if at == depth or looked.is_cut(node, at) else [drawn(child, at + 1) for child in node.children]
        best = looked.best(node, at)
        if children and node.form is not Form.STOCHASTIC and best >= 0:
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
            children=tuple(children),
        )

    return drawn(root, 0)


def _possibility(node: Node) -> float | None:
    """A game with words of its own tells by its stochastic nodes what depends on unseen cards: no belief is needed."""
    return None if node.tree.words else node.possibility


def _action(node: Node) -> str:
    in_window = node.parent is not None and node.parent.form is Form.WINDOW
    return "nobody" if in_window and node.seat < 0 else node.text


def count_nodes(root: Node, depth: int | None, max_nodes: int, turns: int | None = None) -> int:
    """How many nodes there are down to a depth or the end of some turns; raises `TooLarge` where they exceed `max_nodes`."""
    last_turn = None if turns is None else root.turn + turns
    layer, total, at = [root], 1, 0
    while layer and at != depth:
        below: list[Node] = []
        at += 1
        for node in layer:
            if last_turn is None or node.turn < last_turn:
                below += node.children
            if total + len(below) > max_nodes:
                raise TooLarge(f"the tree has more than {max_nodes:,} nodes at depth {at}", at - 1)
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


# --- as SVG ------------------------------------------------------------------------------------------------

#: More nodes than this cannot be read in one picture.
MAX_NODES = 400

_ROW, _BOX, _GAP, _EDGE, _HEAD = 30.0, 22.0, 16.0, 34.0, 52.0
#: How wide a letter is on average, in text of 11 units.
_LETTER = 6.5
_INK, _PAPER, _LINE, _SOFT = "#1F2A30", "#F6F0E2", "#8A8578", "#5A625F"
#: Fill and outline of a node by its form; the observer's own decisions stand out.
_COLOURS = {
    Form.DECISION: ("#FFFDF7", "#5A625F"),
    Form.WINDOW: ("#DCE9F2", "#0067A8"),
    Form.STOCHASTIC: ("#F9E3B4", "#B07A00"),
    Form.END: ("#E2DED2", "#8A8578"),
}
_OWN = ("#F6D5C2", "#D55E00")
_FONT = "'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif"


class _Place(NamedTuple):
    """Where a node stands: its number, that of its parent (-1: none), its column, and the middle of its row."""

    node: Drawn
    parent: int
    column: int
    y: float


def as_svg(root: Drawn, title: str = "", max_nodes: int = MAX_NODES) -> str:
    """The picture. Raises `TooLarge` for more than `max_nodes` nodes."""
    count = sum(1 for _ in root.walk())
    if count > max_nodes:
        raise TooLarge(f"the tree has {count:,} nodes, and a picture holds {max_nodes:,} at most")
    places = _places(root)
    lefts, widths, right = _columns(places)
    height = max(place.y for place in places) + _ROW
    lines, boxes = [], []
    for number, place in enumerate(places):
        x = lefts[place.column]
        if place.parent >= 0:
            above = places[place.parent]
            lines.append(_line(number, place, lefts[above.column] + widths[above.column], above.y, x))
        boxes.append(_box(number, place, x, widths[place.column]))
    right = max(right, _LETTER * 1.3 * len(title) + 2 * _GAP, _LEGEND_WIDTH)
    head = f'<text x="{_GAP:g}" y="20" font-size="14" font-weight="600">{escape(title)}</text>' if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:g} {height:g}" width="{right:g}" height="{height:g}" '
        f'font-family="{_FONT}" font-size="11" fill="{_INK}">'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{head}{_legend()}{"".join(lines)}{"".join(boxes)}</svg>\n'
    )


def _places(root: Drawn) -> list[_Place]:
    """Leaves get a row each, from above; a node stands in the middle between its first and its last child."""
    places: list[_Place] = []
    rows = 0

    def put(node: Drawn, parent: int, column: int) -> float:
        nonlocal rows
        number = len(places)
        places.append(_Place(node, parent, column, 0.0))
        ys = [put(child, number, column + 1) for child in node.children]
        if ys:
            y = (ys[0] + ys[-1]) / 2
        else:
            y = _HEAD + _ROW * (rows + 0.5)
            rows += 1
        places[number] = places[number]._replace(y=y)
        return y

    put(root, -1, 0)
    return places


def _columns(places: list[_Place]) -> tuple[list[float], list[float], float]:
    """Where the nodes of each column begin, how wide they are, and where the picture ends."""
    columns = 1 + max(place.column for place in places)
    widths, labels = [0.0] * columns, [0.0] * columns
    for place in places:
        text = f"{place.node.title}  {place.node.value}"
        widths[place.column] = max(widths[place.column], _LETTER * len(text) + 18)
        labels[place.column] = max(labels[place.column], _LETTER * len(_label(place.node)))
    lefts, x = [], _GAP
    for column in range(columns):
        x += labels[column] + _EDGE if column else 0
        lefts.append(x)
        x += widths[column]
    return lefts, widths, x + _GAP


def _label(node: Drawn) -> str:
    return "  ".join(part for part in (node.label, node.chance) if part)


def _line(number: int, place: _Place, x1: float, y1: float, x2: float) -> str:
    """The line to a node, bent within the first few units so that labels stand on a level stretch."""
    bend, y2 = x1 + _EDGE - 8, place.y
    best = place.node.best
    colour, width = (_INK, 2.2) if best else (_LINE, 1.0)
    path = f"M{x1:g} {y1:g}C{x1 + 14:g} {y1:g} {bend - 14:g} {y2:g} {bend:g} {y2:g}H{x2:g}"
    weight = ' font-weight="600"' if best else ""
    text = f'<text x="{bend + 2:g}" y="{y2 - 4:g}"{weight}>{escape(_label(place.node))}</text>'
    return f'<g id="line-{number}"><path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>{text}</g>'


def _box(number: int, place: _Place, x: float, width: float) -> str:
    node = place.node
    own = node.form is Form.DECISION and node.deciders == (node.observer,)
    fill, outline = _OWN if own else _COLOURS[node.form]
    corner = {Form.STOCHASTIC: _BOX / 2, Form.WINDOW: 7.0}.get(node.form, 2.0)
    y = place.y
    values = ", ".join(f"P{seat + 1} {value:.3f}" for seat, value in enumerate(node.values))
    return (
        f'<g id="node-{number}"><title>{escape(node.title)}: {values}</title>'
        f'<rect x="{x:g}" y="{y - _BOX / 2:g}" width="{width:g}" height="{_BOX:g}" rx="{corner:g}" fill="{fill}" '
        f'stroke="{outline}"/>'
        f'<text x="{x + 9:g}" y="{y + 4:g}">{escape(node.title)}</text>'
        f'<text x="{x + width - 9:g}" y="{y + 4:g}" text-anchor="end" font-weight="600">{node.value}</text></g>'
    )


_LEGEND = (
    ("own decision", *_OWN, 2.0),
    ("another's decision", *_COLOURS[Form.DECISION], 2.0),
    ("window", *_COLOURS[Form.WINDOW], 7.0),
    ("chance, or unseen cards", *_COLOURS[Form.STOCHASTIC], 7.0),
    ("end", *_COLOURS[Form.END], 2.0),
)
_BEST = "best for who decides; numbers: worth to the observer"
_LEGEND_WIDTH = 2 * _GAP + fsum(34 + _LETTER * len(text) for text, *_ in _LEGEND) + 23 + _LETTER * len(_BEST)


def _legend() -> str:
    """What the colours mean."""
    parts, x = [], _GAP
    for text, fill, outline, corner in _LEGEND:
        parts.append(
            f'<rect x="{x:g}" y="30" width="16" height="14" rx="{corner:g}" fill="{fill}" stroke="{outline}"/>'
            f'<text x="{x + 21:g}" y="41" fill="{_SOFT}">{text}</text>'
        )
        x += 34 + _LETTER * len(text)
    parts.append(f'<path d="M{x:g} 37h18" stroke="{_INK}" stroke-width="2.2"/>')
    parts.append(f'<text x="{x + 23:g}" y="41" fill="{_SOFT}">{_BEST}</text>')
    return f'<g id="legend">{"".join(parts)}</g>'
