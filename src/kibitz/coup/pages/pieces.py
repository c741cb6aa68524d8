"""The pieces that the pages of Coup share: cards, coins, what somebody may hold, a player, the way between the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlencode

from nicegui import Client, ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.coup.core.state import CHARACTERS
from kibitz.coup.core.svg import SHORT, draw_card, draw_coins, draw_mark
from kibitz.coup.pages.matches import Seat
from kibitz.ground.texts import chance_text
from kibitz.web.layout import family
from kibitz.web.parts import box, text

#: The pages of Coup: address, name, one sentence.
PAGES = {
    "/coup": ("Play", "Play against bots, with a kibitzer at your shoulder."),
    "/coup/advise": ("Advice", "Describe a situation in words or by clicks, and ask what to do."),
    "/coup/endgames": ("Endgames", "The last two players, solved exactly: what to do with which probability."),
}


@contextmanager
def coup_frame(path: str) -> Iterator[None]:
    """The frame of a page of Coup."""
    with family("Coup", path, PAGES, "coup-page"):
        yield


def picture(card: str | None, *, lost: bool = False, classes: str = "") -> ui.html:
    """A card, face up or (None) face down."""
    return ui.html(draw_card(card, lost=lost), sanitize=False).classes(f"coup-face {classes}")


def mark(character: str) -> ui.html:
    """A small drawing of a character, to stand beside words."""
    return ui.html(draw_mark(character), sanitize=False, tag="span").classes("coup-marked")


def coins(count: int) -> None:
    """A pile of coins and their number."""
    with box("coup-purse"):
        text("span", str(count), "num strong").props(f'aria-label="{count} {"coin" if count == 1 else "coins"}"')
        ui.html(draw_coins(count), sanitize=False, tag="span").props('aria-hidden="true"')


def holdings(holds: Mapping[str, float]) -> ui.html:
    """Bars: how likely somebody holds at least one card of each character."""
    rows = "".join(_row(str(character), holds[character]) for character in CHARACTERS)
    said = ", ".join(f"{character.title()} {chance_text(holds[character])}" for character in CHARACTERS)
    return ui.html(rows, sanitize=False).classes("coup-holds").props(f'role=img aria-label="{said}"')


def _row(character: str, chance: float) -> str:
    return (
        f'<span class="who" title="{character.title()}">{SHORT[character]}</span>'
        f'<span class="rail"><i style="width:{100 * chance:.1f}%;background:var(--c-{character})"></i></span>'
        f'<span class="num">{chance_text(chance)}</span>'
    )


def key_cap(key: str) -> TextElement:
    """The key of a choice, as it is printed on the button."""
    return text("kbd", " ".join(key.upper())).props('aria-hidden="true"')


def seat_disc(seat: int) -> TextElement:
    """A disc with the number of a seat."""
    return text("span", str(seat + 1), f"seat seat-{seat}").props('aria-hidden="true"')


def note_address(client: Client, query: Mapping[str, str]) -> None:
    """Let the address lead back to what is shown."""
    if client.has_socket_connection:
        client.run_javascript(f"kibitz.address({urlencode(query)!r})")


def hand(seat: Seat, classes: str = "") -> None:
    """The cards of a player, and those that were lost."""
    with box(f"coup-hand {classes}"):
        for held in seat.cards:
            picture(held)
        for lost in seat.lost:
            picture(lost, lost=True)


def show_seat(panel: ui.element, seat: Seat) -> None:
    """Fill the panel of a player anew."""
    panel.clear()
    panel.classes(remove="acts out asked")
    panel.classes(" ".join(name for name in ("acts", "out", "asked") if getattr(seat, name)))
    with panel:
        with box("coup-name"):
            seat_disc(seat.seat)
            with box("coup-who"):
                text("span", seat.name, "strong")
                if seat.bot:
                    text("span", seat.bot, "muted small")
            text("span", _state(seat), "coup-state small")
        with box("coup-holding"):
            hand(seat)
            coins(seat.coins)
        if seat.holds:
            holdings(seat.holds)


def _state(seat: Seat) -> str:
    """What a player is about, in two words."""
    if seat.out:
        return "out"
    you = seat.bot == "you"
    if seat.asked:
        return "you decide" if you else "thinks…"
    return "" if not seat.acts else "your turn" if you else "their turn"
