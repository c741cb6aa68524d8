"""A tree as SVG, from left to right: a pure function of what there is to draw.

Nodes have the element ids ``node-0``, ``node-1`` ... in the order of `Drawn.walk`, the lines to them ``line-1`` ..., and there
is a ``legend``. Equal input gives equal text.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from kibitz.search.tree_draw import Drawn, TooLarge
from kibitz.search.tree_words import Form

#: More nodes than this cannot be read in one picture.
MAX_NODES = 400

_ROW, _BOX, _GAP, _EDGE, _HEAD = 30.0, 22.0, 16.0, 34.0, 52.0
#: How wide a letter is on the average, in text of 11 units.
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
_LEGEND_WIDTH = 2 * _GAP + sum(34 + _LETTER * len(text) for text, *_ in _LEGEND) + 23 + _LETTER * len(_BEST)


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
