"""Pictures of boards and games as SVG: pure functions to text, for notebooks, the command line, docs, web and tests.

Whatever can be clicked or looked up has an element id: ``hex-4``, ``token-4``, ``corner-23``, ``edge-12``,
``harbour-0``, ``robber``, ``settlement-23``, ``city-23``, ``road-12``, ``player-0``, ``mark-corner-23``, ``badge-23``,
``legend``. The hit areas of corners (class ``corner``) and edges (class ``edge``) are there even where nothing stands, and
lie on top. Equal input gives equal text.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import dist
from types import MappingProxyType
from typing import Any, NamedTuple

from kibitz.catan.core import topology
from kibitz.catan.core.board import Board, PortType
from kibitz.catan.core.places import corner_words, edge_words
from kibitz.catan.core.position import points_of
from kibitz.catan.core.sketch import Sketch
from kibitz.catan.core.state import board_of
from kibitz.catan.core.svg_parts import (
    CARD, HEIGHT, ICON, INK, PANEL, RED, SEAT_COLOURS, SHAPE, SIDE, TERRAIN_COLOURS, THINGS, WIDTH, Point, Row, at,
    document, draw_panel, headline, house, outline, segment, tag, text_tag, title_tag, use,
)  # fmt: skip
from kibitz.catan.core.topology import CORNERS, EDGE_ENDS, EDGES, HALF, HEX_OUTLINES, HEXES
from kibitz.game import States, to_dict
from kibitz.ground.texts import printable

__all__ = ["SEAT_COLOURS", "TERRAIN_COLOURS", "Legend", "draw_board", "draw_state", "draw_thing"]

Fill = Mapping[int | str, str]
Marks = Mapping[int | str, str]
Badges = Mapping[int, tuple[str, int]]
_NOTHING: Mapping[Any, Any] = MappingProxyType({})
#: The radius of a number token, and how far below the middle of its hex it lies.
_TOKEN, _DOWN = 22, 11


class Legend(NamedTuple):
    """What the colours of `fill` mean: a bar of `colours` from `low` to `high`, and lines of text about the rest."""

    title: str
    low: str
    high: str
    colours: Sequence[str]
    lines: Sequence[str] = ()


def draw_board(
    board: Board | Sketch,
    *,
    fill: Fill = _NOTHING,
    marks: Marks = _NOTHING,
    labels: bool = False,
    size: int = 800,
    blank: Collection[int] = (),
) -> str:
    """The island with its harbours, the robber in the desert; `size` is the width in pixels. A sketch may be illegal.

    `fill` colours corners by number with a disc (or any ``corner-5``, ``edge-12``, ``hex-3`` by element id), `marks`
    writes short texts on them (a second line goes below), `labels` prints the numbers of corners and hexes. What is `blank`
    has no terrain yet.

    >>> picture = draw_board(Board.beginner(), fill={23: "gold"}, marks={23: "1"})
    >>> picture[:4], 'id="corner-53"' in picture, "hex 4: brick 6, 5 of 36" in picture
    ('<svg', True, True)
    """
    deserts = [h for h, hex in enumerate(board.hexes) if hex.resource is None and h not in blank]
    over = [*map(_robber, deserts[:1]), *_fills(fill, [hex.number for hex in board.hexes]), *_notes(fill, marks, labels, ())]
    parts = [*_island(board, blank), tag("g", *over, pointer_events="none"), *_hit_areas(board, {})]
    return document("Catan board " + board.to_text(), WIDTH, size, parts)


def draw_state(
    states: States, i: int = 0, *, names: Sequence[str] = (), hands: bool = True, observer: int | None = None,
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
    over = [_robber(s["robber"]), *_fills(fill, s["number"]), *([] if lastmove is None else _highlight(lastmove))]
    for kind, n, seat in pieces:
        name = {"id": f"{kind}-{n}", "class_": f"{kind} seat-{seat}"}
        over.append(_road(n, seat, **name) if kind == "road" else house(kind, seat, _CORNER[n], **name))
    over += [*_notes(fill, marks, labels, built), *(_arrow(a, b) for a, b in arrows)]
    taken = {*built, *(n for kind, n in map(_element, (*fill, *marks)) if kind == "corner")}
    over += [_badge(corner, *badge, beside=corner in taken) for corner, badge in badges.items()]
    over += [] if legend is None else [_legend(legend)]
    board = board_of(states, i)
    hits = _hit_areas(board, {(kind == "road", n): f": {kind} of {called[seat]}" for kind, n, seat in pieces})
    panel = [draw_panel(s, called, observer)] if hands else []
    points = ", ".join(f"{name} {points_of(s, seat)[0]}" for seat, name in enumerate(called))
    parts = [*_island(board), tag("g", *over, pointer_events="none"), *hits, *panel]
    return document(f"Catan, {headline(s, called)}; points: {points}", WIDTH + (PANEL if hands else 0), size, parts)


def draw_thing(name: str) -> str:
    """A small picture: of a resource, or of a piece (``road``, ``settlement``, ``city``) in the colour of the text around it.

    >>> draw_thing("ore")[:4], "currentColor" in draw_thing("city")
    ('<svg', True)
    """
    if name in SHAPE:
        picture = tag("path", d=SHAPE[name], fill="currentColor")
        view = "-20 -20 40 34"
    else:
        picture, view = THINGS[ICON[name]], "-16 -30 32 34"
    return tag("svg", picture, xmlns="http://www.w3.org/2000/svg", viewBox=view, aria_hidden="true", class_=f"thing {name}")


# --- the island -------------------------------------------------------------------------------------------


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


_CORNER = [(WIDTH / 2 + SIDE * x, HEIGHT / 2 + SIDE * y) for x, y in map(topology.corner_position, range(CORNERS))]
_HEX = [(WIDTH / 2 + SIDE * x, HEIGHT / 2 + SIDE * y) for x, y in map(topology.hex_position, range(HEXES))]
_EDGE = [(_CORNER[a], _CORNER[b]) for a, b in EDGE_ENDS]
_coast = [set(EDGE_ENDS[e]) for e in topology.COAST_EDGES.tolist()]
_COAST = outline([_CORNER[(pair & _coast[k - 1]).pop()] for k, pair in enumerate(_coast)])


def _hex_path(h: int, share: float) -> str:
    return outline([_between(_HEX[h], _CORNER[c], share) for c in HEX_OUTLINES[h]])


def _island(board: Board | Sketch, blank: Collection[int] = ()) -> Iterator[str]:
    yield use("sea-motif", 0, 0)
    for colour, width in (("#8CCBE0", 70), ("#A9DBE8", 50), ("#E2C98F", 34), ("#F3E3B8", 29)):  # shallows, then the beach
        yield tag("path", d=_COAST, fill=colour, stroke=colour, stroke_width=width, stroke_linejoin="round")
    yield from (_harbour(k, edge, kind) for k, (edge, kind) in enumerate(board.harbours))
    for h, (resource, n) in enumerate(board.hexes):
        yield _blank(h) if h in blank else _hex(h, "desert" if resource is None else resource.value, n)
    yield tag("g", *(_token(h, number) for h, (_, number) in enumerate(board.hexes)), pointer_events="none")


def _pips(number: int) -> int:
    return 6 - abs(7 - number)


def _blank(h: int) -> str:
    """A hex that waits for its terrain."""
    ground = tag("path", d=_hex_path(h, 0.9), fill="#F4EFE3", stroke="#B9AE95", stroke_width=3, stroke_dasharray="9 7")
    return tag("g", title_tag(f"hex {h}: nothing yet"), ground, id=f"hex-{h}", class_="hex")


def _hex(h: int, terrain: str, number: int | None) -> str:
    title = f"hex {h}: {terrain}" + (f" {number}, {_pips(number)} of 36" if number else "")
    colour = TERRAIN_COLOURS[terrain]
    ground = tag("path", d=_hex_path(h, 0.9), fill=colour, stroke=colour, stroke_width=7, stroke_linejoin="round")
    light = tag("path", d=_hex_path(h, 0.945), fill="url(#kibitz-light)")
    return tag("g", title_tag(title), ground, light, use(f"{terrain}-motif", *_HEX[h]), id=f"hex-{h}", class_="hex")


def _token(h: int, number: int | None) -> str:
    if number is None:
        return tag("g", id=f"token-{h}")
    red, n, y = number in (6, 8), _pips(number), _DOWN
    colour = RED if red else INK
    return tag(
        "g",
        tag("circle", cy=y + 1.5, r=_TOKEN, fill="#000", fill_opacity=0.3),
        tag("circle", cy=y, r=_TOKEN, fill="#FBF3DD", stroke="#8A7444", stroke_width=1.2),
        text_tag(0, y - 4, str(number), 23 if red else 20, font_weight=800 if red else 600, fill=colour),
        *(tag("circle", cx=5.6 * (k - (n - 1) / 2), cy=y + 12, r=2.1, fill=colour) for k in range(n)),
        id=f"token-{h}", transform=at(*_HEX[h]),
    )  # fmt: skip


def _harbour(k: int, edge: int, kind: PortType) -> str:
    """A round sign in the sea with jetties to its two corners."""
    a, b = _EDGE[edge]
    inland = min(_HEX, key=lambda centre: dist(centre, _between(a, b, 0.5)))
    x, y = _between(inland, _between(a, b, 0.5), 1.82)
    jetties = [
        segment(_between((x, y), end, 0.3), _between((x, y), end, 0.94), stroke=colour, stroke_width=w, stroke_dasharray=dashes)
        for end in (a, b)
        for colour, w, dashes in (("#6B4A2E", 10, "none"), ("#B98A5A", 7, "4 1.5"))
    ]
    every = kind is PortType.ANY_3TO1
    rate, colour = ("3:1", CARD) if every else ("2:1", TERRAIN_COLOURS[kind.value])
    sign = [
        tag("circle", cx=x, cy=y, r=25, fill=colour, stroke=CARD, stroke_width=4),
        tag("circle", cx=x, cy=y, r=27, fill="none", stroke="#6B4A2E", stroke_width=1.5),
        use(ICON[kind.value], x, y + 2, 0.8),
        tag("rect", x=x - 17, y=y + 4, width=34, height=15, rx=7, fill=CARD),
        text_tag(x, y + 11.5, rate, 13, font_weight=700),
    ]
    title = f"harbour {k}: {rate}" + ("" if every else f" {kind.value}")
    return tag("g", title_tag(title), *jetties, *sign, id=f"harbour-{k}", class_="harbour")


def _robber(h: int) -> str:
    """A dark figure that stands above the token."""
    body = "M-14 2Q-14-3-9-4Q-11-20-5-26A9 9 0 1 1 5-26Q11-20 9-4Q14-3 14 2Z"
    shadow = tag("ellipse", cy=2, rx=17, ry=4.5, fill="#000", fill_opacity=0.3)
    figure = tag("path", d=body, fill="#33363B", stroke=CARD, stroke_width=2)
    shine = tag("path", d="M-4-35Q-6-32-5-29M-5-20Q-7-14-6-6", fill="none", stroke="#8A9097", stroke_width=2)
    return tag("g", shadow, figure, shine, id="robber", transform=at(_HEX[h][0], _HEX[h][1] - 14))


# --- pieces and marks -------------------------------------------------------------------------------------


def _pieces(s: Row) -> list[tuple[str, int, int]]:
    """Kind, edge or corner, and seat of all pieces; roads first, so that buildings stand on them."""
    roads = [low | high << HALF for low, high in s["roads"]]
    kinds = ("road", roads), ("settlement", s["settlements"]), ("city", s["cities"])
    return [(kind, n, seat) for kind, sets in kinds for seat in range(s["seats"]) for n in range(EDGES) if sets[seat] >> n & 1]


def _road(edge: int, seat: int, **attributes: object) -> str:
    """A thick line with as many dots as the seat's number, so that colour is not the only sign."""
    a, b = _EDGE[edge]
    colour, ink = SEAT_COLOURS[seat]
    coats = (("#FFF", 15), (INK, 13), (colour, 9))
    ends = _between(a, b, 0.2), _between(a, b, 0.8)
    lines = [segment(*ends, stroke=stroke, stroke_width=width, stroke_linecap="round") for stroke, width in coats]
    spots = [_between(a, b, 0.5 + 0.08 * (k - seat / 2)) for k in range(seat + 1)]
    dots = [tag("circle", cx=x, cy=y, r=1.7, fill=ink) for x, y in spots]
    return tag("g", *lines, *dots, **attributes)


def _element(name: int | str) -> tuple[str, int]:
    """Kind and number from an element id; a bare number is a corner."""
    kind, _, digits = name.partition("-") if isinstance(name, str) else ("corner", "", str(name))
    count = {"corner": CORNERS, "edge": EDGES, "hex": HEXES}.get(kind, 0)
    if not (digits.isascii() and digits.isdigit() and int(digits) < count):
        raise ValueError(f"{name!r} is not a corner, edge or hex; expected an id such as corner-5, edge-12 or hex-3")
    return kind, int(digits)


def _fills(fill: Fill, numbers: Sequence[int | None]) -> Iterator[str]:
    """Colours over places; the number of a hex stays as it is."""
    for name, colour in fill.items():
        kind, n = _element(name)
        if kind == "corner":
            yield _disc(_CORNER[n], colour)
        elif kind == "edge":
            yield segment(*_EDGE[n], stroke=colour, stroke_width=13, stroke_linecap="round")
        else:
            (x, y), r = _HEX[n], _TOKEN
            hole = f"M{x - r:g} {y + _DOWN:g}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z" if numbers[n] else ""
            yield tag("path", d=_hex_path(n, 0.945) + hole, fill=colour, fill_opacity=0.5, fill_rule="evenodd")


def _disc(place: Point, colour: str) -> str:
    return tag("circle", cx=place[0], cy=place[1], r=15, fill=colour, stroke=INK, stroke_width=1.5)


def _plate(place: Point, text: str, colour: str, name: str) -> str:
    """A disc that holds a short text, large enough to be read on a phone."""
    (x, y), size = place, {1: 26, 2: 25, 3: 20, 4: 17}.get(len(text), 14)
    disc = tag("circle", cx=x, cy=y, r=23, fill=colour, stroke="#FFF", stroke_width=2)
    rim = tag("circle", cx=x, cy=y, r=24, fill="none", stroke=INK, stroke_width=1.5)
    return tag("g", disc, rim, text_tag(x, y, text, size, font_weight=700, fill=_legible(colour)), id=name, class_="mark")


def _legible(colour: str) -> str:
    """Ink or white, whichever can be read on a colour."""
    digits = colour.removeprefix("#")
    if len(digits) != 6 or not colour.startswith("#"):
        return INK
    shares = [part / 255 for part in bytes.fromhex(digits)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 else "#FFFFFF"  # the contrasts are alike there


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
        if not below:
            yield _plate((x, y - 30 if standing else y), on, fill.get(name, CARD), f"mark-{kind}-{n}")
            continue
        if not standing and not (kind == "corner" and n in discs):
            yield _disc((x, y), fill.get(name, CARD))
        lines = [text_tag(x, y - 24 if standing else y, on, 15, **look)]
        lines += [text_tag(x, y + 24, below, 13, **look)] if below else []
        yield tag("g", *lines, id=f"mark-{kind}-{n}", class_="mark")
    for corner, (x, y) in enumerate(_CORNER if labels else ()):
        busy = corner in discs or ("corner", corner) in marked or corner in built
        yield text_tag(x, y + 22 if busy else y, str(corner), 12, class_="label", **look)
    for hex in range(HEXES if labels else 0):
        if ("hex", hex) not in marked:
            x, y = _anchor("hex", hex)
            yield text_tag(x, y, f"hex {hex}", 12, class_="hex-label", font_style="italic", **look)


def _badge(corner: int, text: str, seat: int, beside: bool) -> str:
    """A small disc on a corner, or beside what is drawn there, in the colours of a seat."""
    x, y = _CORNER[_element(corner)[1]]
    if beside:
        x, y = x + 17, y - 14
    colour, ink = SEAT_COLOURS[seat]
    disc = tag("circle", cx=x, cy=y, r=9.5, fill=colour, stroke=INK, stroke_width=1.5)
    word = text_tag(x, y, text, 12, fill=ink, font_weight=700)
    return tag("g", disc, word, id=f"badge-{corner}", class_=f"badge seat-{seat}")


def _legend(legend: Legend) -> str:
    """A card in the corner of the sea."""
    left, width, height = 16.0, 158, 58 + 15 * len(legend.lines)
    top = HEIGHT - 16.0 - height
    last = len(legend.colours) - 1
    stops = [tag("stop", offset=f"{k / last:.2f}", stop_color=colour) for k, colour in enumerate(legend.colours)]
    bar = {"x": left + 10, "y": top + 25, "width": width - 20, "height": 12, "stroke": INK, "fill": "url(#kibitz-scale)"}
    return tag(
        "g",
        tag("linearGradient", *stops, id="kibitz-scale"),
        tag("rect", x=left, y=top, width=width, height=height, rx=9, fill=CARD, fill_opacity=0.92, stroke=INK),
        text_tag(left + width / 2, top + 13, legend.title, 13, font_weight=700),
        tag("rect", **bar),
        text_tag(left + 10, top + 48, legend.low, 13, text_anchor="start"),
        text_tag(left + width - 10, top + 48, legend.high, 13, text_anchor="end"),
        *(text_tag(left + 10, top + 63 + 15 * k, line, 12, text_anchor="start") for k, line in enumerate(legend.lines)),
        id="legend",
    )


def _highlight(name: str) -> Iterator[str]:
    """A yellow rim with a dark border, visible on every terrain."""
    kind, n = _element(name)
    for colour, wider in ((INK, 4), ("#FFE94A", 0)):
        look = {"class_": "lastmove", "fill": "none", "stroke": colour, "stroke_linecap": "round"}
        if kind == "corner":
            yield tag("circle", cx=_CORNER[n][0], cy=_CORNER[n][1], r=24, stroke_width=5 + wider, **look)
        elif kind == "edge":
            yield segment(*_EDGE[n], stroke_width=23 + wider, **look)
        else:
            yield tag("path", d=_hex_path(n, 0.93), stroke_width=6 + wider, **look)


def _arrow(a: int, b: int) -> str:
    start, tip = _CORNER[_element(a)[1]], _CORNER[_element(b)[1]]
    length = dist(start, tip) or 1.0
    ux, uy = (tip[0] - start[0]) / length, (tip[1] - start[1]) / length
    # along the arrow and across it, seen from the tip
    shape = ((0, 0), (-25, 12), (-25, 3.5), (-length, 3.5), (-length, -3.5), (-25, -3.5), (-25, -12))
    d = outline([(tip[0] + along * ux + across * uy, tip[1] + along * uy - across * ux) for along, across in shape])
    return tag("path", d=d, fill="#5B2A86", stroke="#FFF", stroke_width=2, opacity=0.8, class_="arrow")


def _hit_areas(board: Board | Sketch, pieces: Mapping[tuple[bool, int], str]) -> Iterator[str]:
    """Invisible, on top of everything; the tooltips name the place in words and by its number, and add what stands there."""
    for n, (a, b) in enumerate(_EDGE):
        title, ends = (
            title_tag(f"{edge_words(board, EDGE_ENDS[n])} (edge {n})" + pieces.get((True, n), "")),
            (_between(a, b, 0.2), _between(a, b, 0.8)),
        )
        yield segment(*ends, title, stroke="#FFF", stroke_opacity=0, stroke_width=20, id=f"edge-{n}", class_="edge")
    for n, (x, y) in enumerate(_CORNER):
        title = title_tag(f"{corner_words(board, n)} (V{n})" + pieces.get((False, n), ""))
        yield tag("circle", title, cx=x, cy=y, r=19, fill="#FFF", fill_opacity=0, id=f"corner-{n}", class_="corner")
