"""The panel beside the board: whose turn it is, the dice, every player's cards, pieces and awards, the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.position import points_of
from kibitz.catan.core.state import CITIES, GAME_OVER, KNIGHT, NOBODY, ROADS, SETTLEMENTS
from kibitz.catan.core.svg_parts import (
    BACK,
    CARD,
    GOLD,
    ICON,
    INK,
    RED,
    SEAT_COLOURS,
    SHAPE,
    TERRAIN_COLOURS,
    WIDTH,
    Row,
    at,
    clipped,
    house,
    tag,
    text_tag,
    title_tag,
    use,
)

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
