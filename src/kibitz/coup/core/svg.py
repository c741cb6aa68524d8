"""Pictures of the cards and coins of Coup as SVG: pure functions to text.

Every character has a drawing, a short name and a colour.

>>> draw_card("duke").startswith('<svg class="coup-card"'), "Duke" in draw_card("duke")
(True, True)
>>> draw_card(None) == draw_card(None), "face down" in draw_card(None)
(True, True)
"""

from html import escape

from kibitz.coup.core.state import Character

#: Colour and ink of the characters: safe for colour-blind eyes (after Okabe and Ito), and apart in lightness.
COLOURS = {
    "duke": ("#6B4590", "#FFFFFF"),
    "assassin": ("#2B3338", "#FFFFFF"),
    "captain": ("#0067A8", "#FFFFFF"),
    "ambassador": ("#E2B63C", "#1F2A30"),
    "contessa": ("#C4501B", "#FFFFFF"),
}
#: The first letters of the characters: no two are alike.
SHORT = {character.value: character.value[:2].title() for character in Character}
#: A crown, a dagger, an anchor, two arrows, a shield: in a square of 48, drawn with `currentColor`.
_DRAWINGS = {
    "duke": '<path d="M6 34V13l10 9 8-14 8 14 10-9v21Z" fill="currentColor"/><path d="M6 38h36v4H6Z" fill="currentColor"/>',
    "assassin": (
        '<path d="M24 3l5.5 8v18h-11V11Z" fill="currentColor"/><path d="M13 30h22v4H13Z" fill="currentColor"/>'
        '<path d="M21 35h6v8a3 3 0 0 1-6 0Z" fill="currentColor"/>'
    ),
    "captain": (
        '<g fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">'
        '<circle cx="24" cy="9" r="4.5"/><path d="M24 14v28M15 21h18M7 28c1.5 9 8.5 14 17 14s15.5-5 17-14"/></g>'
    ),
    "ambassador": (
        '<g fill="none" stroke="currentColor" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round">'
        '<path d="M7 17h30M29 8l9 9-9 9M41 33H11M19 24l-9 9 9 9"/></g>'
    ),
    "contessa": (
        '<path fill-rule="evenodd" d="M24 3l17 6v13c0 11-7 19-17 23C14 41 7 33 7 22V9ZM24 9v29c7-3 11-9 11-16V13Z" '
        'fill="currentColor"/>'
    ),
}
_PAPER, _INK, _GOLD, _RIM, _BACK = "#FFFDF7", "#1F2A30", "#F2C230", "#8A6A00", "#41525E"
_FONT = "Roboto,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
WIDTH, HEIGHT = 100, 140


def draw_card(character: str | None, *, lost: bool = False, title: str = "") -> str:
    """A card: a character face up (`lost`: crossed out), or None face down. `title` is what a screen reader says."""
    if character is None:
        return _svg("coup-card", WIDTH, HEIGHT, title or "a card, face down", _back())
    name = Character(character).value
    colour, ink = COLOURS[name]
    face = (
        f'<rect x="2" y="2" width="96" height="136" rx="10" fill="{_PAPER}" stroke="{_INK}" stroke-width="2"/>'
        f'<path d="M2 98V12a10 10 0 0 1 10-10h76a10 10 0 0 1 10 10v86Z" fill="{colour}"/>'
        f'<text x="10" y="21" font-size="15" font-weight="700" fill="{ink}">{SHORT[name]}</text>'
        f'<g transform="translate(21 27) scale(1.21)" color="{ink}">{_DRAWINGS[name]}</g>'
        f'<text x="50" y="125" font-size="{16 if len(name) < 10 else 14.5}" font-weight="700" text-anchor="middle" '
        f'fill="{_INK}">{name.title()}</text>'
    )
    if lost:
        cross = "".join(f'<path d="M10 130L90 10" stroke="{c}" stroke-width="{w}"/>' for c, w in ((_PAPER, 9), (_INK, 4)))
        face = f'<g class="lost" opacity=".55">{face}</g>{cross}'
    return _svg("coup-card", WIDTH, HEIGHT, title or f"{name.title()}{', lost' if lost else ''}", face)


def _back() -> str:
    lines = "".join(f'<path d="M12 {y}L50 {y - 22}L88 {y}"/>' for y in range(40, 128, 18))
    return (
        f'<rect x="2" y="2" width="96" height="136" rx="10" fill="{_BACK}" stroke="{_INK}" stroke-width="2"/>'
        '<rect x="9" y="9" width="82" height="122" rx="6" fill="none" stroke="#FFFFFF" stroke-opacity=".5"/>'
        f'<g fill="none" stroke="#FFFFFF" stroke-opacity=".16" stroke-width="3">{lines}</g>'
        '<text x="50" y="88" font-size="50" font-weight="700" text-anchor="middle" fill="#FFFFFF" fill-opacity=".9">?</text>'
    )


def draw_mark(character: str) -> str:
    """A small square with the drawing of a character, to stand beside its name."""
    name = Character(character).value
    colour, ink = COLOURS[name]
    inner = (
        f'<rect x="1" y="1" width="46" height="46" rx="9" fill="{colour}" stroke="#FFF" stroke-opacity=".4" stroke-width="2"/>'
        f'<g transform="translate(7.2 7.2) scale(.7)" color="{ink}">{_DRAWINGS[name]}</g>'
    )
    return _svg("coup-mark", 48, 48, name.title(), inner)


def draw_coins(count: int) -> str:
    """A row of coins; the number is for the text beside it."""
    step, most = 8, 12
    shown = min(count, most)
    discs = "".join(
        f'<circle cx="{9 + step * i}" cy="9" r="7.5" fill="{_GOLD}" stroke="{_RIM}" stroke-width="1.5"/>' for i in range(shown)
    )
    inner = discs or f'<circle cx="9" cy="9" r="7" fill="none" stroke="{_RIM}" stroke-dasharray="3 3"/>'
    return _svg("coup-coins", 18 + step * max(0, shown - 1), 18, f"{count} {'coin' if count == 1 else 'coins'}", inner)


def _svg(kind: str, width: int, height: int, title: str, inner: str) -> str:
    said, font = escape(title, quote=True), escape(_FONT, quote=True)
    return (
        f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{said}" font-family="{font}">'
        f"<title>{said}</title>{inner}</svg>"
    )
