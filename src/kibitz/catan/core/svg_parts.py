"""What all drawings of Catan are made of: colours, shapes, small drawings of things, and how elements are written.

`draw_panel` draws what stands beside the board: whose turn it is, the dice, every player's cards, pieces and awards, the bank.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import points_of
from kibitz.catan.core.state import CITIES, GAME_OVER, KNIGHT, NOBODY, ROADS, SETTLEMENTS
from kibitz.ground.texts import printable

Point = tuple[float, float]
Row = Mapping[str, Any]

# Lengths in units of the view box; the side of a hex is SIDE.
WIDTH, HEIGHT, PANEL, SIDE = 800, 720, 430, 72.0

#: Colour and ink of the four seats: safe for colour-blind eyes (after Okabe and Ito), and far apart in lightness.
SEAT_COLOURS = (("#D55E00", "#FFFFFF"), ("#0067A8", "#FFFFFF"), ("#FAFAF5", "#1F2A30"), ("#E9A3CB", "#1F2A30"))
TERRAIN_COLOURS = {
    "wood": "#4E8F58", "brick": "#C9734A", "sheep": "#A5CF6B", "wheat": "#EDC656", "ore": "#98A0AB", "desert": "#DFC48E",
}  # fmt: skip
INK, PAPER, CARD, RED, GOLD, BACK = "#1F2A30", "#F6F0E2", "#FFFDF7", "#B3261E", "#F2C230", "#6D5A8D"
FONT = "'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif"

SHAPE = {"road": "M-11 2.5V-2.5H11V2.5Z", "settlement": "M-11 10V-3L0-13L11-3V10Z", "city": "M-18 12V-2H-3V-9L7-19L17-9V12Z"}
# Own drawings, one of each kind of thing; the origin is in the middle of the foot.
THINGS = {
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
ICON = {"wood": "tree", "brick": "bricks", "sheep": "sheep", "wheat": "ear", "ore": "rock", "3:1": "boat"}
# What stands around the token of a hex: thing, x and y of its foot, scale in percent; from back to front.
MOTIFS = {
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
GRADIENTS = (
    '<radialGradient id="kibitz-sea"><stop offset=".55" stop-color="#6FB7D3"/><stop offset="1" stop-color="#3F8DB3"/>'
    '</radialGradient><linearGradient id="kibitz-light" x2="0" y2="1"><stop stop-color="#FFF" stop-opacity=".28"/>'
    '<stop offset=".5" stop-color="#FFF" stop-opacity="0"/><stop offset="1" stop-opacity=".12"/></linearGradient>'
)


def short(value: float) -> str:
    """A number with one decimal at most."""
    return f"{round(value, 1):g}"


def tag(name: str, *children: str, **attributes: object) -> str:
    """One element; underscores in the names of attributes become hyphens, their values are escaped."""
    values = {key.rstrip("_").replace("_", "-"): short(v) if type(v) is float else str(v) for key, v in attributes.items()}
    text = "".join(f' {key}="{escape(printable(value))}"' for key, value in values.items())
    return f"<{name}{text}>{''.join(children)}</{name}>" if children else f"<{name}{text}/>"


def title_tag(text: str) -> str:
    """What a mouse over the element is told."""
    return tag("title", escape(printable(text)))


def text_tag(x: float, y: float, content: str, size: float, **attributes: object) -> str:
    """Text around `x`, with its baseline where digits look centred on `y`."""
    look = {"text_anchor": "middle", "fill": INK, "font_size": size, **attributes}
    return tag("text", escape(printable(content)), x=x, y=y + 0.36 * size, **look)


def clipped(x: float, y: float, width: float, content: str, size: float, **attributes: object) -> str:
    """A line of text that begins at `x` and is cut off at `width`, however long the name."""
    line = text_tag(0, 0.9 * size, content, size, text_anchor="start", **attributes)
    return tag("svg", line, x=x, y=y - 0.9 * size, width=width, height=2 * size)


def at(x: float, y: float, scale: float = 1) -> str:
    """A place, as a transformation."""
    return f"translate({short(x)} {short(y)})" + (f" scale({scale:g})" if scale != 1 else "")


def use(thing: str, x: float, y: float, scale: float = 1) -> str:
    """One of the `THINGS`."""
    return tag("use", href=f"#kibitz-{thing}", transform=at(x, y, scale))


def segment(a: Point, b: Point, /, *children: str, **attributes: object) -> str:
    """A line."""
    return tag("line", *children, x1=a[0], y1=a[1], x2=b[0], y2=b[1], **attributes)


def outline(points: Sequence[Point]) -> str:
    """A closed path."""
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points) + "Z"


def document(title: str, width: int, size: int, parts: Sequence[str]) -> str:
    """The whole picture, with everything that its parts refer to."""
    things = [tag("g", drawing, id=f"kibitz-{name}") for name, drawing in THINGS.items()]
    for name, motif in MOTIFS.items():
        spots = [use(thing, float(x), float(y), int(p) / 100) for thing, x, y, p in map(str.split, motif.split(", "))]
        things.append(tag("g", *spots, id=f"kibitz-{name}-motif"))
    paper = tag("rect", width=width, height=HEIGHT, rx=18, fill=PAPER)
    sea = tag("rect", width=WIDTH, height=HEIGHT, rx=18, fill="url(#kibitz-sea)")
    return tag(
        "svg", title_tag(title), tag("defs", GRADIENTS, *things), paper, sea, *parts, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {HEIGHT}", width=size * width / WIDTH, height=size * HEIGHT / WIDTH, role="img",
        aria_label=title, font_family=FONT, style="max-width:100%;height:auto",
    )  # fmt: skip


def house(kind: str, seat: int, place: Point, **attributes: object) -> str:
    """A settlement or a city of a seat."""
    colour, ink = SEAT_COLOURS[seat]
    halo = tag("path", d=SHAPE[kind], fill="none", stroke="#FFF", stroke_width=6, stroke_linejoin="round")
    body = tag("path", d=SHAPE[kind], fill=colour, stroke=INK, stroke_width=2.5, stroke_linejoin="round")
    number = text_tag(6.5 if kind == "city" else 0, 0.5, str(seat + 1), 14, font_weight=800, fill=ink)
    return tag("g", halo, body, number, transform=at(*place), **attributes)


_DEV = (("knight", "Kn"), ("victory point", "VP"), ("road building", "RB"), ("year of plenty", "YP"), ("monopoly", "Mo"))
#: What the game waits for, in the order of the phases in `kibitz.catan.core.state`.
_PHASES = (
    "places a settlement", "places a road", "before the roll", "the dice are rolled", "hands over the limit discard",
    "moves the robber", "chooses whom to rob", "a card is stolen", "trades and builds", "trades", "builds",
    "may play a development card", "a development card is drawn", "builds free roads", "waits for answers to an offer",
    "chooses a partner for the trade", "game over",
)  # fmt: skip


def headline(s: Row, names: Sequence[str]) -> str:
    """Whose turn it is, or who won."""
    if s["phase"] == GAME_OVER:
        return "game over" if s["winner"] == NOBODY else f"{names[s['winner']]} won"
    return (f"turn {s['turn']}" if s["turn"] else "set-up") + f": {names[s['player']]}"


def draw_panel(s: Row, names: Sequence[str], observer: int | None) -> str:
    """All of it, to the right of the board."""
    first = headline(s, names)
    header = [clipped(4, 28, 340, first[:1].upper() + first[1:], 22, font_weight=700)]
    header += [text_tag(4, 53, _PHASES[s["phase"]], 14, text_anchor="start")]
    die = [
        title_tag(f"rolled {s['roll']}" if s["roll"] else "not rolled yet"),
        tag("rect", x=354, y=16, width=46, height=46, rx=9, fill=CARD, stroke=INK, stroke_width=2),
        text_tag(377, 39, str(s["roll"] or "?"), 24, font_weight=700, fill=RED if s["roll"] == 7 else INK),
    ]
    rows = [_player(s, seat, names[seat], observer in (None, seat), 74 + 140 * seat) for seat in range(s["seats"])]
    bank = [text_tag(4, 677, "Bank", 16, text_anchor="start", font_weight=700)]
    bank += [_resource(k, n, 62 + 41 * k, 654) for k, n in enumerate(s["bank"])]
    bank += [_card("development cards in the deck", BACK, "Dev", s["deck_size"], 278, 654)]
    return tag("g", *header, tag("g", *die, id="dice"), *rows, tag("g", *bank, id="bank"), transform=at(WIDTH + 14, 0))


def _card(title: str, colour: str, picture: str, count: int, x: float, y: float, width: float = 37) -> str:
    """A small card with a drawing or a word on it, and how many of it there are."""
    middle = x + width / 2
    if not picture.startswith("<"):
        picture = text_tag(middle, y + 14, picture, 13, fill="#FFF", font_weight=700)
    frame = tag("rect", x=x, y=y, width=width, height=46, rx=5, fill=colour, stroke=INK, stroke_width=1.2)
    plate = tag("rect", x=x + 4, y=y + 27, width=width - 8, height=16, rx=4, fill=CARD)
    number = text_tag(middle, y + 35, str(count), 14, font_weight=700)
    return tag("g", title_tag(f"{title}: {count}"), frame, picture, plate, number, opacity=1.0 if count else 0.4)


def _resource(k: int, count: int, x: float, y: float) -> str:
    name = RESOURCES[k].value
    return _card(name, TERRAIN_COLOURS[name], use(ICON[name], x + 18.5, y + 24, 0.8), count, x, y)


def _hand(s: Row, seat: int, shown: bool, y: float) -> Iterator[str]:
    """The cards of a seat; only their number for other observers, and where the state itself hides them."""
    cards, devs = s["hand_size"][seat], s["dev_size"][seat]
    if shown and sum(s["hand"][seat]) == cards:
        yield from (_resource(k, n, 18 + 41 * k, y) for k, n in enumerate(s["hand"][seat]))
    else:
        yield _card("cards", "#7A8790", "?", cards, 18, y)
        yield text_tag(64, y + 23, "1 card" if cards == 1 else f"{cards} cards", 15, text_anchor="start")
    if shown and sum(s["dev"][seat]) == devs:
        held = [(*_DEV[kind], n) for kind, n in enumerate(s["dev"][seat]) if n]
        yield from (_card(title, BACK, word, n, 229 + 34 * k, y, 31) for k, (title, word, n) in enumerate(held))
    else:
        yield _card("development cards", BACK, "Dev", devs, 229, y)


def _player(s: Row, seat: int, name: str, shown: bool, y: float) -> str:
    on_turn = s["winner"] == seat if s["phase"] == GAME_OVER else s["player"] == seat
    visible, total = points_of(s, seat)
    points = f"{visible} ({total})" if shown and total != visible else str(visible)
    stroke, width = (INK, 3) if on_turn else ("#CFC6B0", 1)
    parts = [
        tag("rect", y=y, width=402, height=132, rx=10, fill=SEAT_COLOURS[seat][0]),
        tag("path", d=f"M9 {y}H392Q402 {y} 402 {y + 10}V{y + 122}Q402 {y + 132} 392 {y + 132}H9Z", fill=CARD),
        tag("rect", y=y, width=402, height=132, rx=10, fill="none", stroke=stroke, stroke_width=width),
        house("settlement", seat, (31, y + 22)),
        clipped(50, y + 22, 215, ("▶ " if on_turn else "") + name, 17, font_weight=700),
        text_tag(390, y + 22, points + (" point" if points == "1" else " points"), 16, text_anchor="end", font_weight=700),
    ]
    left = [
        ("road", 1.0, ROADS - sum(half.bit_count() for half in s["roads"][seat])),
        ("settlement", 0.6, SETTLEMENTS - s["settlements"][seat].bit_count()),
        ("city", 0.6, CITIES - s["cities"][seat].bit_count()),
    ]
    for k, (kind, scale, n) in enumerate(left):
        place = at(31 + 56 * k, y + 114, scale)
        icon = tag("path", d=SHAPE[kind], fill=SEAT_COLOURS[seat][0], stroke=INK, stroke_width=2, transform=place)
        count = text_tag(47 + 56 * k, y + 114, str(n), 14, text_anchor="start")
        parts.append(tag("g", title_tag(f"{kind} pieces left: {n}"), icon, count))
    parts.append(_award("Road", "longest road", s["road_length"][seat], s["road_holder"] == seat, 204, y + 103))
    parts.append(_award("Army", "largest army", s["played"][seat][KNIGHT], s["army_holder"] == seat, 300, y + 103))
    return tag("g", title_tag(name), *parts, *_hand(s, seat, shown, y + 45), id=f"player-{seat}", class_="player")


def _award(word: str, award: str, length: int, held: bool, x: float, y: float) -> str:
    """A pill, golden with a star for the holder of the award."""
    fill, stroke, weight, star = (GOLD, INK, 700, " ★") if held else ("#EAE4D5", "none", 400, "")
    pill = tag("rect", x=x, y=y, width=90, height=22, rx=11, fill=fill, stroke=stroke, stroke_width=1.5)
    title = title_tag(f"{word.lower()} {length}" + (f", holds the {award}" if held else ""))
    return tag("g", title, pill, text_tag(x + 45, y + 11, f"{word} {length}{star}", 13, font_weight=weight))
