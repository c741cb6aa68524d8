"""What the others may hold, beside the kibitzer: as the person could know it."""

from __future__ import annotations

from kibitz.catan.core.svg import TERRAIN_COLOURS
from kibitz.catan.pages.play.pieces import NAMES, NOTHING, thing
from kibitz.catan.pages.play.scene import Holding
from kibitz.ground.figures import chance_text
from kibitz.web.parts import box, seat_mark, text


def show_hands(holdings: tuple[Holding, ...], names: tuple[str, ...]) -> None:
    """A table of the expected cards of each player."""
    with box("k-table ct-holdings", "table"):
        with box("", "thead"), box("", "tr"):
            text("th", "Expected cards")
            for name in NAMES:
                with box("r", "th").props(f'title="{name}"'):
                    thing(name)
                    text("span", name, "hidden-visually")
            text("th", "VP").props('title="the chance of a hidden victory point card"')
        with box("", "tbody"):
            for held in holdings:
                with box("", "tr"):
                    with box("", "td"), box("line tight nowrap"):
                        seat_mark(held.seat)
                        text("span", f"{held.cards}", "num strong").props(f'title="{names[held.seat]}: {held.cards} cards"')
                    for name, expected, chances in zip(NAMES, held.expected, held.chances, strict=True):
                        _cell(name, expected, chances)
                    text("td", NOTHING if held.victory_point is None else chance_text(held.victory_point), "r num")


def _cell(name: str, expected: float, chances: dict[int, float]) -> None:
    some = 1 - chances.get(0, 0.0)
    certain = max(chances.values()) > 0.995
    said = ", ".join(f"{n}: {chance_text(p)}" for n, p in chances.items() if p >= 0.005)
    with box("r num", "td").props(f'title="{name}: {said}"') as cell:
        cell.classes("certain" if certain else "")
        text("span", f"{expected:.0f}" if certain else f"{expected:.1f}", "muted" if expected < 0.005 else "")
        with box("ct-chance").props('aria-hidden="true"'):
            box("", "i").style(f"width:{100 * some:.0f}%;background:{TERRAIN_COLOURS[name]}")
