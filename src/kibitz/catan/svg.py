"""Pictures of boards and games as SVG: pure functions to text, for notebooks, the command line, docs, web and tests.

Whatever can be clicked or looked up has an element id: ``hex-4``, ``token-4``, ``corner-23``, ``edge-12``,
``harbour-0``, ``robber``, ``settlement-23``, ``city-23``, ``road-12``, ``player-0``, ``mark-corner-23``, ``badge-23``,
``legend``. The hit areas of corners (class ``corner``) and edges (class ``edge``) are there even where nothing stands, and
lie on top. Equal input gives equal text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from math import dist
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.catan import topology
from kibitz.catan.board import RESOURCES, Board, PortType
from kibitz.catan.position import points_of
from kibitz.catan.sketch import Sketch
from kibitz.catan.state import CITIES, GAME_OVER, KNIGHT, NOBODY, ROADS, SETTLEMENTS, board_of
from kibitz.catan.topology import CORNERS, EDGE_ENDS, EDGES, HALF, HEX_OUTLINES, HEXES
from kibitz.game import to_dict

Point = tuple[float, float]
Fill = Mapping[int | str, str]
Marks = Mapping[int | str, str]
Badges = Mapping[int, tuple[str, int]]
Row = Mapping[str, Any]
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Legend(NamedTuple):
    """What the colours of `fill` mean: a bar of `colours` from `low` to `high`, and lines of text about the rest."""

    title: str
    low: str
    high: str
    colours: Sequence[str]
    lines: Sequence[str] = ()


# Lengths in units of the view box; the side of a hex is SIDE.
WIDTH, HEIGHT, PANEL, SIDE = 800, 720, 430, 72.0

#: Colour and ink of the four seats: safe for colour-blind eyes (after Okabe and Ito), and far apart in lightness.
SEAT_COLOURS = (("#D55E00", "#FFFFFF"), ("#0067A8", "#FFFFFF"), ("#FAFAF5", "#1F2A30"), ("#E9A3CB", "#1F2A30"))
TERRAIN_COLOURS = {
    "wood": "#4E8F58", "brick": "#C9734A", "sheep": "#A5CF6B", "wheat": "#EDC656", "ore": "#98A0AB", "desert": "#DFC48E",
}  # fmt: skip
_INK, _PAPER, _CARD, _RED, _GOLD, _BACK = "#1F2A30", "#F6F0E2", "#FFFDF7", "#B3261E", "#F2C230", "#6D5A8D"
_FONT = "'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif"

_DEV = (("knight", "Kn"), ("victory point", "VP"), ("road building", "RB"), ("year of plenty", "YP"), ("monopoly", "Mo"))
#: What the game waits for, in the order of the phases in `kibitz.catan.state`.
_PHASES = (
    "places a settlement", "places a road", "before the roll", "the dice are rolled", "hands over the limit discard",
    "moves the robber", "chooses whom to rob", "a card is stolen", "trades and builds", "trades", "builds",
    "may play a development card", "a development card is drawn", "builds free roads", "waits for answers to an offer",
    "chooses a partner for the trade", "game over",
)  # fmt: skip

_SHAPE = {"road": "M-11 2.5V-2.5H11V2.5Z", "settlement": "M-11 10V-3L0-13L11-3V10Z", "city": "M-18 12V-2H-3V-9L7-19L17-9V12Z"}
# Own drawings, one of each kind of thing; the origin is in the middle of the foot.
_THINGS = {
    "tree": '<path d="M-1.5-5h3v6h-3z" fill="#5A3D26"/><path d="M0-27L8-14H5L11-3H-11L-5-14H-8Z" fill="#2F6B40"/>'
    '<path d="M0-27L8-14H5L11-3H0Z" fill="#24573A"/>',
    "bricks": '<path d="M-13-8h12v8h-12zM0-8h12v8h-12zM-6.5-16h12v8h-12z" fill="#A94E2E" stroke="#F3D9C6"/>',
    "sheep": '<path d="M-5-5V0M4-5V0" stroke="#3B3A36" stroke-width="2"/><path d="M-9-5a5 5 0 0 1 1-8a6 6 0 0 1 10-2'
    'a5.5 5.5 0 0 1 8 5a4.5 4.5 0 0 1-3 6q-8 2-16-1z" fill="#FFFEF8" stroke="#CFCDBE" stroke-width=".8"/>'
    '<ellipse cx="-9.5" cy="-11" rx="3.6" ry="4.4" fill="#3B3A36"/>',
    "ear": '<path d="M0 0V-20" stroke="#A9761B" stroke-width="1.6"/><path d="M0-28q4 5 0 10q-4-5 0-10z'
    'M0-13q1-6 6.5-7q0 6-6.5 7zM0-13q-1-6-6.5-7q0 6 6.5 7zM0-7q1-6 6.5-7q0 6-6.5 7zM0-7q-1-6-6.5-7q0 6 6.5 7z" fill="#C92"/>',
    "rock": '<path d="M-13 0L-9-11L0-17L9-12L13 0Z" fill="#6B7480"/><path d="M0-17L9-12L13 0H3L-2-8Z" fill="#505964"/>'
    '<path d="M-9-11L0-17L-2-8Z" fill="#A9B2BC"/>',
    "peak": '<path d="M-24 0L-3-37L0-40L4-36L24 0Z" fill="#6F7883"/><path d="M0-40L4-36L24 0H4L-2-16L3-26Z" fill="#59626D"/>'
    '<path d="M-9-26.5L-3-37L0-40L4-36L9-27L4-29L1-24L-4-29Z" fill="#F7F9FA"/>',
    "hill": '<path d="M-26 0Q-20-26 0-27Q20-26 26 0Z" fill="#B25E38"/><path d="M0-27Q20-26 26 0H6Q10-18 0-27Z" fill="#943"/>',
    "tuft": '<path d="M-5-6Q-2-4-1 0M0-8V0M5-6Q2-4 1 0" stroke="#6FA23F" stroke-width="1.6" fill="none"/>',
    "dune": '<path d="M-20 0Q-6-13 4-8Q12-4 20 0" fill="#D0AE6E"/>',
    "cactus": '<path d="M0-1V-24M0-9H-8V-17M0-6H8V-13" stroke="#585" stroke-width="5" stroke-linecap="round" fill="none"/>',
    "boat": '<path d="M-11-5H11L7 0H-7Z" fill="#7A5234"/><path d="M1-7V-21L10-7ZM-1-7V-18L-8-7Z" fill="#EFF" stroke="#89A"/>',
    "wave": '<path d="M-18 0q4.5-6 9 0t9 0t9 0t9 0" fill="none" stroke="#FFF" stroke-opacity=".35" stroke-width="2.5"/>',
}  # fmt: skip
_ICON = {"wood": "tree", "brick": "bricks", "sheep": "sheep", "wheat": "ear", "ore": "rock", "3:1": "boat"}
# What stands around the token of a hex: thing, x and y of its foot, scale in percent; from back to front.
_MOTIFS = {
    "wood": "tree -12 -31 80, tree 11 -33 85, tree -34 -16 90, tree 33 -17 90, tree -1 -13 95, tree -19 -9 80, "
    "tree 19 -10 80, tree -44 14 85, tree 44 14 85, tree -34 38 90, tree 34 38 90, tree -13 55 85, tree 12 57 80",
    "brick": "hill -18 -17 80, hill 17 -21 95, hill 0 -12 75, hill -40 12 55, hill 42 10 50, bricks -34 38 75, "
    "bricks 34 36 75, bricks 0 54 80",
    "sheep": "tuft 0 -44 90, sheep -24 -22 95, sheep 22 -26 95, tuft -46 -4 100, tuft 3 -18 90, tuft 46 0 100, "
    "tuft 40 20 80, sheep -35 31 85, sheep 24 50 90, tuft -12 53 100",
    "wheat": "ear -13 -30 85, ear 0 -32 90, ear 13 -30 85, ear -36 -12 90, ear -23 -13 90, ear 23 -13 90, ear 36 -12 90, "
    "ear -48 12 85, ear -35 16 85, ear 35 16 85, ear 48 12 85, ear -36 42 85, ear -24 47 85, ear 24 47 85, "
    "ear 36 42 85, ear -7 58 85, ear 6 58 85",
    "ore": "peak 14 -14 95, peak -16 -11 85, peak 38 12 55, peak -42 14 50, rock -33 38 80, rock 32 40 85, rock 2 55 75",
    "desert": "dune -14 -14 120, dune 20 4 130, cactus -30 26 100, dune -16 30 120, dune 22 40 120, cactus 36 24 75",
    "sea": "wave 70 90 100, wave 128 132 100, wave 58 640 100, wave 120 590 100, wave 742 84 100, wave 690 60 100, "
    "wave 724 650 100, wave 670 690 100, wave 30 370 100",
}  # fmt: skip
_GRADIENTS = (
    '<radialGradient id="kibitz-sea"><stop offset=".55" stop-color="#6FB7D3"/><stop offset="1" stop-color="#3F8DB3"/>'
    '</radialGradient><linearGradient id="kibitz-light" x2="0" y2="1"><stop stop-color="#FFF" stop-opacity=".28"/>'
    '<stop offset=".5" stop-color="#FFF" stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>'
)


def draw_board(
    board: Board | Sketch, *, fill: Fill = _NOTHING, marks: Marks = _NOTHING, labels: bool = False, size: int = 800
) -> str:
    """The island with its harbours, the robber in the desert; `size` is the width in pixels. A sketch may be illegal.

    `fill` colours corners by number with a disc (or any ``corner-5``, ``edge-12``, ``hex-3`` by element id), `marks`
    writes short texts on them (a second line goes below), `labels` prints the numbers of corners and hexes.

    >>> picture = draw_board(Board.beginner(), fill={23: "gold"}, marks={23: "1"})
    >>> picture[:4], 'id="corner-53"' in picture, "hex 4: brick 6, 5 of 36" in picture
    ('<svg', True, True)
    """
    deserts = [h for h, hex in enumerate(board.hexes) if hex.resource is None]
    over = [*map(_robber, deserts[:1]), *_fills(fill), *_notes(fill, marks, labels, ())]
    parts = [*_island(board), _tag("g", *over, pointer_events="none"), *_hit_areas({})]
    return _document("Catan board " + board.to_text(), WIDTH, size, parts)


def draw_state(
    states: npt.NDArray[np.void], i: int = 0, *, names: Sequence[str] = (), hands: bool = True, observer: int | None = None,
    fill: Fill = _NOTHING, marks: Marks = _NOTHING, badges: Badges = _NOTHING, arrows: Sequence[tuple[int, int]] = (),
    lastmove: str | None = None, legend: Legend | None = None, labels: bool = False, size: int = 800,
) -> str:  # fmt: skip
    """Game `i` of an array of states: the board with all pieces and, with `hands`, a panel of the players beside it.

    A seat as `observer` sees only how many cards the others hold; `None` sees everything that the state holds.
    `arrows` join two corners, `badges` are small texts at corners in the colours of seats, `lastmove` is the element id of a
    corner, edge or hex to highlight; `fill`, `marks` and `labels` are those of `draw_board`. `size` is the width of the board
    in pixels; the panel adds about half of it.
    """
    s: Row = to_dict(states, i)
    called = [printable(names[k]) if k < len(names) else f"Player {k + 1}" for k in range(s["seats"])]
    pieces = _pieces(s)
    built = [n for kind, n, _ in pieces if kind != "road"]
    over = [_robber(s["robber"]), *_fills(fill), *([] if lastmove is None else _highlight(lastmove))]
    over += [_road(n, seat) if kind == "road" else _building(kind, n, seat) for kind, n, seat in pieces]
    over += [*_notes(fill, marks, labels, built), *(_arrow(a, b) for a, b in arrows)]
    taken = {*built, *(n for kind, n in map(_element, (*fill, *marks)) if kind == "corner")}
    over += [_badge(corner, *badge, beside=corner in taken) for corner, badge in badges.items()]
    over += [] if legend is None else [_legend(legend)]
    hits = _hit_areas({(kind == "road", n): f": {kind} of {called[seat]}" for kind, n, seat in pieces})
    panel = [_panel(s, called, observer)] if hands else []
    points = ", ".join(f"{name} {points_of(s, seat)[0]}" for seat, name in enumerate(called))
    parts = [*_island(board_of(states, i)), _tag("g", *over, pointer_events="none"), *hits, *panel]
    return _document(f"Catan, {_headline(s, called)}; points: {points}", WIDTH + (PANEL if hands else 0), size, parts)


def draw_thing(name: str) -> str:
    """A small picture: of a resource, or of a piece (``road``, ``settlement``, ``city``) in the colour of the text around it.

    >>> draw_thing("ore")[:4], "currentColor" in draw_thing("city")
    ('<svg', True)
    """
    if name in _SHAPE:
        picture = _tag("path", d=_SHAPE[name], fill="currentColor")
        view = "-20 -20 40 34"
    else:
        picture, view = _THINGS[_ICON[name]], "-16 -30 32 34"
    return _tag("svg", picture, xmlns="http://www.w3.org/2000/svg", viewBox=view, aria_hidden="true", class_=f"thing {name}")


# --- writing elements -------------------------------------------------------------------------------------


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _tag(name: str, *children: str, **attributes: object) -> str:
    """One element; underscores in the names of attributes become hyphens, their values are escaped."""
    values = {key.rstrip("_").replace("_", "-"): _number(v) if type(v) is float else str(v) for key, v in attributes.items()}
    text = "".join(f' {key}="{escape(printable(value))}"' for key, value in values.items())
    return f"<{name}{text}>{''.join(children)}</{name}>" if children else f"<{name}{text}/>"


def printable(text: str) -> str:
    """Without control characters, which XML cannot hold and which may reorder a line."""
    return "".join(c for c in str(text) if c.isprintable())


def _title(text: str) -> str:
    return _tag("title", escape(printable(text)))


def _text(x: float, y: float, content: str, size: float, **attributes: object) -> str:
    """Text around `x`, with its baseline where digits look centred on `y`."""
    look = {"text_anchor": "middle", "fill": _INK, "font_size": size, **attributes}
    return _tag("text", escape(printable(content)), x=x, y=y + 0.36 * size, **look)


def _clipped(x: float, y: float, width: float, content: str, size: float, **attributes: object) -> str:
    """A line of text from `x` on that no name makes longer than `width`."""
    line = _text(0, 0.9 * size, content, size, text_anchor="start", **attributes)
    return _tag("svg", line, x=x, y=y - 0.9 * size, width=width, height=2 * size)


def _at(x: float, y: float, scale: float = 1) -> str:
    return f"translate({_number(x)} {_number(y)})" + (f" scale({scale:g})" if scale != 1 else "")


def _use(thing: str, x: float, y: float, scale: float = 1) -> str:
    return _tag("use", href=f"#kibitz-{thing}", transform=_at(x, y, scale))


def _line(a: Point, b: Point, /, *children: str, **attributes: object) -> str:
    return _tag("line", *children, x1=a[0], y1=a[1], x2=b[0], y2=b[1], **attributes)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) + "Z"


def _document(title: str, width: int, size: int, parts: Sequence[str]) -> str:
    things = [_tag("g", drawing, id=f"kibitz-{name}") for name, drawing in _THINGS.items()]
    for name, motif in _MOTIFS.items():
        spots = [_use(thing, float(x), float(y), int(p) / 100) for thing, x, y, p in map(str.split, motif.split(", "))]
        things.append(_tag("g", *spots, id=f"kibitz-{name}-motif"))
    paper = _tag("rect", width=width, height=HEIGHT, rx=18, fill=_PAPER)
    sea = _tag("rect", width=WIDTH, height=HEIGHT, rx=18, fill="url(#kibitz-sea)")
    return _tag(
        "svg", _title(title), _tag("defs", _GRADIENTS, *things), paper, sea, *parts, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {HEIGHT}", width=size * width / WIDTH, height=size * HEIGHT / WIDTH, role="img",
        aria_label=title, font_family=_FONT, style="max-width:100%;height:auto",
    )  # fmt: skip


# --- the island -------------------------------------------------------------------------------------------


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


_CORNER = [(WIDTH / 2 + SIDE * x, HEIGHT / 2 + SIDE * y) for x, y in map(topology.corner_position, range(CORNERS))]
_HEX = [(WIDTH / 2 + SIDE * x, HEIGHT / 2 + SIDE * y) for x, y in map(topology.hex_position, range(HEXES))]
_EDGE = [(_CORNER[a], _CORNER[b]) for a, b in EDGE_ENDS]
_coast = [set(EDGE_ENDS[e]) for e in topology.COAST_EDGES.tolist()]
_COAST = _path([_CORNER[(pair & _coast[k - 1]).pop()] for k, pair in enumerate(_coast)])


def _hex_path(h: int, share: float) -> str:
    return _path([_between(_HEX[h], _CORNER[c], share) for c in HEX_OUTLINES[h]])


def _island(board: Board | Sketch) -> Iterator[str]:
    yield _use("sea-motif", 0, 0)
    for colour, width in (("#8CCBE0", 70), ("#A9DBE8", 50), ("#E2C98F", 34), ("#F3E3B8", 29)):  # shallows, then the beach
        yield _tag("path", d=_COAST, fill=colour, stroke=colour, stroke_width=width, stroke_linejoin="round")
    yield from (_harbour(k, edge, kind) for k, (edge, kind) in enumerate(board.harbours))
    yield from (_hex(h, "desert" if resource is None else resource.value, n) for h, (resource, n) in enumerate(board.hexes))
    yield _tag("g", *(_token(h, number) for h, (_, number) in enumerate(board.hexes)), pointer_events="none")


def _pips(number: int) -> int:
    return 6 - abs(7 - number)


def _hex(h: int, terrain: str, number: int | None) -> str:
    title = f"hex {h}: {terrain}" + (f" {number}, {_pips(number)} of 36" if number else "")
    colour = TERRAIN_COLOURS[terrain]
    ground = _tag("path", d=_hex_path(h, 0.9), fill=colour, stroke=colour, stroke_width=7, stroke_linejoin="round")
    light = _tag("path", d=_hex_path(h, 0.945), fill="url(#kibitz-light)")
    return _tag("g", _title(title), ground, light, _use(f"{terrain}-motif", *_HEX[h]), id=f"hex-{h}", class_="hex")


def _token(h: int, number: int | None) -> str:
    if number is None:
        return _tag("g", id=f"token-{h}")
    red, n, y = number in (6, 8), _pips(number), 11
    colour = _RED if red else _INK
    return _tag(
        "g",
        _tag("circle", cy=y + 1.5, r=22, fill="#000", fill_opacity=0.3),
        _tag("circle", cy=y, r=22, fill="#FBF3DD", stroke="#8A7444", stroke_width=1.2),
        _text(0, y - 4, str(number), 23 if red else 20, font_weight=800 if red else 600, fill=colour),
        *(_tag("circle", cx=5.6 * (k - (n - 1) / 2), cy=y + 12, r=2.1, fill=colour) for k in range(n)),
        id=f"token-{h}", transform=_at(*_HEX[h]),
    )  # fmt: skip


def _harbour(k: int, edge: int, kind: PortType) -> str:
    """A round sign in the sea with jetties to its two corners."""
    a, b = _EDGE[edge]
    inland = min(_HEX, key=lambda centre: dist(centre, _between(a, b, 0.5)))
    x, y = _between(inland, _between(a, b, 0.5), 1.82)
    jetties = [
        _line(_between((x, y), end, 0.3), _between((x, y), end, 0.94), stroke=colour, stroke_width=w, stroke_dasharray=dashes)
        for end in (a, b)
        for colour, w, dashes in (("#6B4A2E", 10, "none"), ("#B98A5A", 7, "4 1.5"))
    ]
    every = kind is PortType.ANY_3TO1
    rate, colour = ("3:1", _CARD) if every else ("2:1", TERRAIN_COLOURS[kind.value])
    sign = [
        _tag("circle", cx=x, cy=y, r=25, fill=colour, stroke=_CARD, stroke_width=4),
        _tag("circle", cx=x, cy=y, r=27, fill="none", stroke="#6B4A2E", stroke_width=1.5),
        _use(_ICON[kind.value], x, y + 2, 0.8),
        _tag("rect", x=x - 17, y=y + 4, width=34, height=15, rx=7, fill=_CARD),
        _text(x, y + 11.5, rate, 13, font_weight=700),
    ]
    title = f"harbour {k}: {rate}" + ("" if every else f" {kind.value}")
    return _tag("g", _title(title), *jetties, *sign, id=f"harbour-{k}", class_="harbour")


def _robber(h: int) -> str:
    """A dark figure that stands above the token."""
    body = "M-14 2Q-14-3-9-4Q-11-20-5-26A9 9 0 1 1 5-26Q11-20 9-4Q14-3 14 2Z"
    shadow = _tag("ellipse", cy=2, rx=17, ry=4.5, fill="#000", fill_opacity=0.3)
    figure = _tag("path", d=body, fill="#33363B", stroke=_CARD, stroke_width=2)
    shine = _tag("path", d="M-4-35Q-6-32-5-29M-5-20Q-7-14-6-6", fill="none", stroke="#8A9097", stroke_width=2)
    return _tag("g", shadow, figure, shine, id="robber", transform=_at(_HEX[h][0], _HEX[h][1] - 14))


# --- pieces and marks -------------------------------------------------------------------------------------


def _pieces(s: Row) -> list[tuple[str, int, int]]:
    """Kind, edge or corner, and seat of all pieces; roads first, so that buildings stand on them."""
    roads = [low | high << HALF for low, high in s["roads"]]
    kinds = ("road", roads), ("settlement", s["settlements"]), ("city", s["cities"])
    return [(kind, n, seat) for kind, sets in kinds for seat in range(s["seats"]) for n in range(EDGES) if sets[seat] >> n & 1]


def _road(edge: int, seat: int) -> str:
    """A thick line with as many dots as the seat's number, so that colour is not the only sign."""
    a, b = _EDGE[edge]
    colour, ink = SEAT_COLOURS[seat]
    coats = (("#FFF", 15), (_INK, 13), (colour, 9))
    ends = _between(a, b, 0.2), _between(a, b, 0.8)
    lines = [_line(*ends, stroke=stroke, stroke_width=width, stroke_linecap="round") for stroke, width in coats]
    spots = [_between(a, b, 0.5 + 0.08 * (k - seat / 2)) for k in range(seat + 1)]
    dots = [_tag("circle", cx=x, cy=y, r=1.7, fill=ink) for x, y in spots]
    return _tag("g", *lines, *dots, id=f"road-{edge}", class_=f"road seat-{seat}")


def _house(kind: str, seat: int, place: Point, **attributes: object) -> str:
    colour, ink = SEAT_COLOURS[seat]
    halo = _tag("path", d=_SHAPE[kind], fill="none", stroke="#FFF", stroke_width=6, stroke_linejoin="round")
    body = _tag("path", d=_SHAPE[kind], fill=colour, stroke=_INK, stroke_width=2.5, stroke_linejoin="round")
    number = _text(6.5 if kind == "city" else 0, 0.5, str(seat + 1), 14, font_weight=800, fill=ink)
    return _tag("g", halo, body, number, transform=_at(*place), **attributes)


def _building(kind: str, corner: int, seat: int) -> str:
    return _house(kind, seat, _CORNER[corner], id=f"{kind}-{corner}", class_=f"{kind} seat-{seat}")


def _element(name: int | str) -> tuple[str, int]:
    """Kind and number from an element id; a bare number is a corner."""
    kind, _, digits = name.partition("-") if isinstance(name, str) else ("corner", "", str(name))
    count = {"corner": CORNERS, "edge": EDGES, "hex": HEXES}.get(kind, 0)
    if not (digits.isascii() and digits.isdigit() and int(digits) < count):
        raise ValueError(f"{name!r} is no corner, edge or hex; expected an id such as corner-5, edge-12 or hex-3")
    return kind, int(digits)


def _fills(fill: Fill) -> Iterator[str]:
    for name, colour in fill.items():
        kind, n = _element(name)
        if kind == "corner":
            yield _disc(_CORNER[n], colour)
        elif kind == "edge":
            yield _line(*_EDGE[n], stroke=colour, stroke_width=13, stroke_linecap="round")
        else:
            yield _tag("path", d=_hex_path(n, 0.945), fill=colour, fill_opacity=0.5)


def _disc(place: Point, colour: str) -> str:
    return _tag("circle", cx=place[0], cy=place[1], r=15, fill=colour, stroke=_INK, stroke_width=1.5)


def _anchor(kind: str, n: int) -> Point:
    """Where the mark of an element stands; that of a hex above its token."""
    if kind == "hex":
        return _HEX[n][0], _HEX[n][1] - 42
    return _CORNER[n] if kind == "corner" else _between(*_EDGE[n], 0.5)


def _notes(fill: Fill, marks: Marks, labels: bool, built: Collection[int]) -> Iterator[str]:
    """Marks on their discs, or above a building; the numbers, below what is drawn on a corner, or above the token of a hex."""
    discs = {n for kind, n in map(_element, fill) if kind == "corner"}
    marked = set(map(_element, marks))
    look = {"font_weight": 700, "stroke": "#FFF", "stroke_width": 3, "stroke_linejoin": "round", "paint_order": "stroke"}
    for name, text in marks.items():
        kind, n = _element(name)
        on, _, below = text.partition("\n")
        x, y = _anchor(kind, n)
        standing = kind == "corner" and n in built
        if not standing and not (kind == "corner" and n in discs):
            yield _disc((x, y), fill.get(name, _CARD))
        lines = [_text(x, y - 24 if standing else y, on, 15, **look)]
        lines += [_text(x, y + 24, below, 13, **look)] if below else []
        yield _tag("g", *lines, id=f"mark-{kind}-{n}", class_="mark")
    for corner, (x, y) in enumerate(_CORNER if labels else ()):
        busy = corner in discs or ("corner", corner) in marked or corner in built
        yield _text(x, y + 22 if busy else y, str(corner), 12, class_="label", **look)
    for hex in range(HEXES if labels else 0):
        if ("hex", hex) not in marked:
            x, y = _anchor("hex", hex)
            yield _text(x, y, f"hex {hex}", 12, class_="hex-label", font_style="italic", **look)


def _badge(corner: int, text: str, seat: int, beside: bool) -> str:
    """A small disc on a corner, or beside what is drawn there, in the colours of a seat."""
    x, y = _CORNER[_element(corner)[1]]
    if beside:
        x, y = x + 17, y - 14
    colour, ink = SEAT_COLOURS[seat]
    disc = _tag("circle", cx=x, cy=y, r=9.5, fill=colour, stroke=_INK, stroke_width=1.5)
    word = _text(x, y, text, 12, fill=ink, font_weight=700)
    return _tag("g", disc, word, id=f"badge-{corner}", class_=f"badge seat-{seat}")


def _legend(legend: Legend) -> str:
    """A card in the corner of the sea."""
    left, width, height = 16.0, 158, 58 + 15 * len(legend.lines)
    top = HEIGHT - 16.0 - height
    last = len(legend.colours) - 1
    stops = [_tag("stop", offset=f"{k / last:.2f}", stop_color=colour) for k, colour in enumerate(legend.colours)]
    bar = {"x": left + 10, "y": top + 25, "width": width - 20, "height": 12, "stroke": _INK, "fill": "url(#kibitz-scale)"}
    return _tag(
        "g",
        _tag("linearGradient", *stops, id="kibitz-scale"),
        _tag("rect", x=left, y=top, width=width, height=height, rx=9, fill=_CARD, fill_opacity=0.92, stroke=_INK),
        _text(left + width / 2, top + 13, legend.title, 13, font_weight=700),
        _tag("rect", **bar),
        _text(left + 10, top + 48, legend.low, 13, text_anchor="start"),
        _text(left + width - 10, top + 48, legend.high, 13, text_anchor="end"),
        *(_text(left + 10, top + 63 + 15 * k, line, 12, text_anchor="start") for k, line in enumerate(legend.lines)),
        id="legend",
    )


def _highlight(name: str) -> Iterator[str]:
    """A yellow rim with a dark border, visible on every terrain."""
    kind, n = _element(name)
    for colour, wider in ((_INK, 4), ("#FFE94A", 0)):
        look = {"class_": "lastmove", "fill": "none", "stroke": colour, "stroke_linecap": "round"}
        if kind == "corner":
            yield _tag("circle", cx=_CORNER[n][0], cy=_CORNER[n][1], r=24, stroke_width=5 + wider, **look)
        elif kind == "edge":
            yield _line(*_EDGE[n], stroke_width=23 + wider, **look)
        else:
            yield _tag("path", d=_hex_path(n, 0.93), stroke_width=6 + wider, **look)


def _arrow(a: int, b: int) -> str:
    start, tip = _CORNER[_element(a)[1]], _CORNER[_element(b)[1]]
    length = dist(start, tip) or 1.0
    ux, uy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    # along the arrow and across it, seen from the tip
    outline = ((0, 0), (-25, 12), (-25, 3.5), (-length, 3.5), (-length, -3.5), (-25, -3.5), (-25, -12))
    d = _path([(tip[0] + along * ux + across * uy, tip[1] + along * uy - across * ux) for along, across in outline])
    return _tag("path", d=d, fill="#5B2A86", stroke="#FFF", stroke_width=2, opacity=0.8, class_="arrow")


def _hit_areas(pieces: Mapping[tuple[bool, int], str]) -> Iterator[str]:
    """Invisible, on top of everything; the tooltips add what stands there, by (whether it is an edge, its number)."""
    for n, (a, b) in enumerate(_EDGE):
        title, ends = _title(f"edge {n}" + pieces.get((True, n), "")), (_between(a, b, 0.2), _between(a, b, 0.8))
        yield _line(*ends, title, stroke="#FFF", stroke_opacity=0, stroke_width=20, id=f"edge-{n}", class_="edge")
    for n, (x, y) in enumerate(_CORNER):
        title = _title(f"corner {n}" + pieces.get((False, n), ""))
        yield _tag("circle", title, cx=x, cy=y, r=19, fill="#FFF", fill_opacity=0, id=f"corner-{n}", class_="corner")


# --- the panel --------------------------------------------------------------------------------------------


def _headline(s: Row, names: Sequence[str]) -> str:
    if s["phase"] == GAME_OVER:
        return "game over" if s["winner"] == NOBODY else f"{names[s['winner']]} won"
    return (f"turn {s['turn']}" if s["turn"] else "set-up") + f": {names[s['player']]}"


def _panel(s: Row, names: Sequence[str], observer: int | None) -> str:
    first = _headline(s, names)
    header = [_clipped(4, 28, 340, first[:1].upper() + first[1:], 22, font_weight=700)]
    header += [_text(4, 53, _PHASES[s["phase"]], 14, text_anchor="start")]
    die = [
        _title(f"rolled {s['roll']}" if s["roll"] else "not rolled yet"),
        _tag("rect", x=354, y=16, width=46, height=46, rx=9, fill=_CARD, stroke=_INK, stroke_width=2),
        _text(377, 39, str(s["roll"] or "?"), 24, font_weight=700, fill=_RED if s["roll"] == 7 else _INK),
    ]
    rows = [_player(s, seat, names[seat], observer in (None, seat), 74 + 140 * seat) for seat in range(s["seats"])]
    bank = [_text(4, 677, "Bank", 16, text_anchor="start", font_weight=700)]
    bank += [_resource(k, n, 62 + 41 * k, 654) for k, n in enumerate(s["bank"])]
    bank += [_card("development cards in the deck", _BACK, "Dev", s["deck_size"], 278, 654)]
    return _tag("g", *header, _tag("g", *die, id="dice"), *rows, _tag("g", *bank, id="bank"), transform=_at(WIDTH + 14, 0))


def _card(title: str, colour: str, picture: str, count: int, x: float, y: float, width: float = 37) -> str:
    """A small card with a drawing or a word on it, and how many of it there are."""
    middle = x + width / 2
    if not picture.startswith("<"):
        picture = _text(middle, y + 14, picture, 13, fill="#FFF", font_weight=700)
    frame = _tag("rect", x=x, y=y, width=width, height=46, rx=5, fill=colour, stroke=_INK, stroke_width=1.2)
    plate = _tag("rect", x=x + 4, y=y + 27, width=width - 8, height=16, rx=4, fill=_CARD)
    number = _text(middle, y + 35, str(count), 14, font_weight=700)
    return _tag("g", _title(f"{title}: {count}"), frame, picture, plate, number, opacity=1.0 if count else 0.4)


def _resource(k: int, count: int, x: float, y: float) -> str:
    name = RESOURCES[k].value
    return _card(name, TERRAIN_COLOURS[name], _use(_ICON[name], x + 18.5, y + 24, 0.8), count, x, y)


def _hand(s: Row, seat: int, shown: bool, y: float) -> Iterator[str]:
    """The cards of a seat; only their number for other observers, and where the state itself hides them."""
    cards, devs = s["hand_size"][seat], s["dev_size"][seat]
    if shown and sum(s["hand"][seat]) == cards:
        yield from (_resource(k, n, 18 + 41 * k, y) for k, n in enumerate(s["hand"][seat]))
    else:
        yield _card("cards", "#7A8790", "?", cards, 18, y)
        yield _text(64, y + 23, "1 card" if cards == 1 else f"{cards} cards", 15, text_anchor="start")
    if shown and sum(s["dev"][seat]) == devs:
        held = [(*_DEV[kind], n) for kind, n in enumerate(s["dev"][seat]) if n]
        yield from (_card(title, _BACK, word, n, 229 + 34 * k, y, 31) for k, (title, word, n) in enumerate(held))
    else:
        yield _card("development cards", _BACK, "Dev", devs, 229, y)


def _player(s: Row, seat: int, name: str, shown: bool, y: float) -> str:
    on_turn = s["winner"] == seat if s["phase"] == GAME_OVER else s["player"] == seat
    visible, total = points_of(s, seat)
    points = f"{visible} ({total})" if shown and total != visible else str(visible)
    stroke, width = (_INK, 3) if on_turn else ("#CFC6B0", 1)
    parts = [
        _tag("rect", y=y, width=402, height=132, rx=10, fill=SEAT_COLOURS[seat][0]),
        _tag("path", d=f"M9 {y}H392Q402 {y} 402 {y + 10}V{y + 122}Q402 {y + 132} 392 {y + 132}H9Z", fill=_CARD),
        _tag("rect", y=y, width=402, height=132, rx=10, fill="none", stroke=stroke, stroke_width=width),
        _house("settlement", seat, (31, y + 22)),
        _clipped(50, y + 22, 215, ("▶ " if on_turn else "") + name, 17, font_weight=700),
        _text(390, y + 22, points + (" point" if points == "1" else " points"), 16, text_anchor="end", font_weight=700),
    ]
    left = [
        ("road", 1.0, ROADS - sum(half.bit_count() for half in s["roads"][seat])),
        ("settlement", 0.6, SETTLEMENTS - s["settlements"][seat].bit_count()),
        ("city", 0.6, CITIES - s["cities"][seat].bit_count()),
    ]
    for k, (kind, scale, n) in enumerate(left):
        place = _at(31 + 56 * k, y + 114, scale)
        icon = _tag("path", d=_SHAPE[kind], fill=SEAT_COLOURS[seat][0], stroke=_INK, stroke_width=2, transform=place)
        count = _text(47 + 56 * k, y + 114, str(n), 14, text_anchor="start")
        parts.append(_tag("g", _title(f"{kind} pieces left: {n}"), icon, count))
    parts.append(_award("Road", "longest road", s["road_length"][seat], s["road_holder"] == seat, 204, y + 103))
    parts.append(_award("Army", "largest army", s["played"][seat][KNIGHT], s["army_holder"] == seat, 300, y + 103))
    return _tag("g", _title(name), *parts, *_hand(s, seat, shown, y + 45), id=f"player-{seat}", class_="player")


def _award(word: str, award: str, length: int, held: bool, x: float, y: float) -> str:
    """A pill, golden with a star for the holder of the award."""
    fill, stroke, weight, star = (_GOLD, _INK, 700, " ★") if held else ("#EAE4D5", "none", 400, "")
    pill = _tag("rect", x=x, y=y, width=90, height=22, rx=11, fill=fill, stroke=stroke, stroke_width=1.5)
    title = _title(f"{word.lower()} {length}" + (f", holds the {award}" if held else ""))
    return _tag("g", title, pill, _text(x + 45, y + 11, f"{word} {length}{star}", 13, font_weight=weight))
