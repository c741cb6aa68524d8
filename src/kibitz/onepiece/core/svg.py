"""Pictures for cards of the One Piece card game, drawn from what is printed on them: no two designs look alike.

>>> from kibitz.onepiece.core.decks import starter
>>> draw_art(starter("tide").leader)[:29]
'<svg viewBox="0 0 100 76" pre'
"""

from zlib import crc32

from kibitz.onepiece.core.cards import CHARACTER, EVENT, LEADER, Card

#: By the colour of a card: its sky, its light, and its ground from far to near.
PALETTES = {
    "red": ("#f6d9b8", "#fff3dc", ("#e08a52", "#b5452c", "#6d2013")),
    "green": ("#cfe8d8", "#f3fbef", ("#7dbb95", "#2f7d5b", "#12442f")),
    "blue": ("#cfe2f3", "#f2f8fd", ("#7fb0da", "#2f6ea8", "#143a60")),
    "purple": ("#e2d6f0", "#f8f3fd", ("#ab8dce", "#74519e", "#3b2459")),
    "black": ("#d5d9dd", "#f4f5f6", ("#8d959d", "#4a4f55", "#1f2327")),
    "yellow": ("#f6ebc4", "#fffbe9", ("#dcb548", "#b98a1d", "#664a07")),
}


def draw_art(card: Card) -> str:
    """A small landscape in the card's colour: waves or peaks, a sun, and who or what stands there."""
    number = crc32(card.id.encode())
    sky, light, grounds = PALETTES[card.colours[0] if card.colours and card.colours[0] in PALETTES else "black"]
    ridge = _peaks if card.colours and card.colours[0] in ("red", "black", "yellow") else _waves
    sun = f'<circle cx="{18 + number % 64}" cy="{14 + number // 64 % 14}" r="{7 + number // 1024 % 6}" fill="{light}"/>'
    far, middle, near = (
        ridge(number >> shift, 34 + 14 * i, fill) for i, (shift, fill) in enumerate(zip((3, 9, 15), grounds, strict=True))
    )
    return (
        '<svg viewBox="0 0 100 76" preserveAspectRatio="xMidYMid slice" aria-hidden="true">'
        f'<rect width="100" height="76" fill="{sky}"/>{sun}{far}{middle}{_emblem(card, number, grounds[2], light)}{near}</svg>'
    )


def _waves(number: int, y: int, fill: str) -> str:
    """A swell that begins anywhere."""
    start, height = -(number % 30), 4 + number // 30 % 6
    steps = "".join(f"q10 {-height} 20 0t20 0" for _ in range(4))
    return f'<path d="M{start} {y}{steps}V80H{start}Z" fill="{fill}"/>'


def _peaks(number: int, y: int, fill: str) -> str:
    """Mountains, or flames."""
    points = [f"{x} {y + (number >> (x + 10) // 6) % 15 - 9 + (10 if x % 20 else 0)}" for x in range(-10, 121, 10)]
    return f'<path d="M{"L".join(points)}V80H-10Z" fill="{fill}"/>'


def _emblem(card: Card, number: int, dark: str, light: str) -> str:
    if card.kind in (LEADER, CHARACTER):
        return _figure(number, dark, light, crowned=card.kind == LEADER)
    if card.kind == EVENT:
        turn = number % 40
        rays = "".join(f'<path d="M50 36L46 4L54 4Z" transform="rotate({turn + 45 * i} 50 36)"/>' for i in range(8))
        return f'<g fill="{light}" stroke="{dark}" stroke-width="1.5">{rays}<circle cx="50" cy="36" r="11"/></g>'
    roof = 14 + number % 10
    return (
        f'<g fill="{dark}"><path d="M28 {roof + 12}L50 {roof}L72 {roof + 12}V70H28Z"/></g>'
        f'<g fill="{light}"><path d="M44 70V50a6 6 0 0 1 12 0V70Z"/><rect x="34" y="{roof + 20}" width="7" height="8"/>'
        f'<rect x="59" y="{roof + 20}" width="7" height="8"/></g>'
    )


def _figure(number: int, dark: str, light: str, crowned: bool) -> str:
    """Somebody from the chest up, with one of some hats."""
    x, width = (38 if crowned else 44) + number % 12, 17 + number // 16 % 6
    hats = (
        f'<path d="M{x - 15} 22H{x + 15}L{x + 9} 18Q{x} 2 {x - 9} 18Z"/>',
        f'<path d="M{x - 11} 24Q{x - 13} 8 {x} 9Q{x + 13} 8 {x + 11} 24Z"/>',
        f'<path d="M{x - 10} 20L{x + 2} 4L{x + 11} 20Z"/>',
        f'<path d="M{x - 10} 22Q{x} 6 {x + 10} 22L{x + 16} 30L{x + 9} 26Z"/>',
        "",
    )
    hat = "" if crowned else hats[number // 7 % len(hats)]
    shoulders = f"M{x - width} 76Q{x - width} 42 {x} 40Q{x + width} 42 {x + width} 76Z"
    body = f'<g fill="{dark}"><path d="{shoulders}"/><circle cx="{x}" cy="28" r="10.5"/>{hat}</g>'
    if crowned:
        points = f"M{x - 10} 21L{x - 12} 8L{x - 5} 14L{x} 5L{x + 5} 14L{x + 12} 8L{x + 10} 21Z"
        body += f'<path d="{points}" fill="{light}" stroke="{dark}" stroke-width="1.5"/>'
    return f'<g transform="translate(0 {12 if crowned else 7})">{body}</g>'
