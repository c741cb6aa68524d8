"""A player at the table: name, cards, coins, and what they may hold."""

from __future__ import annotations

from nicegui import ui

from kibitz.coup.pages.matches import Seat
from kibitz.coup.pages.pieces import coins, holdings, picture, seat_disc
from kibitz.web.parts import box, text


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
            with box("coup-hand"):
                for held in seat.cards:
                    picture(held)
                for lost in seat.lost:
                    picture(lost, lost=True)
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
