"""The form that begins a game of Coup, and the games that were not finished."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

from nicegui import events, ui

from kibitz.analysis.settings import docstrings
from kibitz.coup.cards import CHARACTERS
from kibitz.coup.state import SEATS, Rules
from kibitz.web.pages.coup.pieces import picture, seat_disc
from kibitz.web.pages.offers import offer
from kibitz.web.pages.people import NAMES
from kibitz.web.parts import box, button, card, note, patience, pressable, say, text, tooltip
from kibitz.web.services import Services

#: The bots that may be chosen, with one sentence for each.
BOTS = {
    "random": ("Random", "does anything that the rules allow"),
    "honest": ("Honest", "never claims a card that it does not hold"),
    "heuristic": ("Heuristic", "bluffs and doubts by rules of thumb, at once"),
    "ismcts:500": ("Search, quick", "plays the rest of the game 500 times in its mind"),
    "ismcts": ("Search", "plays the rest of the game 2,000 times in its mind"),
    "ismcts:10000": ("Search, patient", "plays the rest of the game 10,000 times in its mind"),
    "solver": ("Solver", "searches, and draws from mixed strategies in solved endgames"),
}
#: How long bots' moves are looked at.
PACES = {1.6: "Slow", 1.0: "Usual", 0.4: "Fast", 0.0: "At once"}
#: A seed below this can be typed again.
FRESH_SEEDS = 1_000_000
#: How many unfinished games are offered.
OFFERED = 5


class StartForm:
    """Who plays, where you sit, by which rules."""

    def __init__(self, services: Services, begin: Callable[[dict[str, Any], float], Awaitable[str]]) -> None:
        """`begin` is handed a setup and a pace, and says what is wrong with them, if anything is."""
        self._services, self._begin = services, begin
        self.seats = 4
        self.bots = ["heuristic"] * (SEATS - 1)
        self.seat = 0
        self.rules = Rules()
        with box("coup-start"):
            with card("A new game", "coup-new"):
                self._form = box("stack")
                with ui.expansion("Rules and seed").props("dense"), box("stack"):
                    for option in fields(Rules):
                        self._rule(option.name, option.default)
                    self._seed = ui.number("Seed of the deal (a new one each time)", min=0, precision=0, format="%d")
                    self._seed.props("outlined dense clearable")
                with box("line"):
                    self._pace = ui.select(PACES, value=1.0, label="Pace of bots").props("outlined dense options-dense")
                    self._pace.classes("coup-pace")
                    box("grow")
                    self._deal = button("Deal the cards", self._start, "style", "primary big")
                self._waits = box("stack")
            with box("stack"):
                self._saved = box("stack")
                with card("The court"):
                    _court()
        self._show()

    async def offer(self) -> None:
        """Show the games that were not finished."""
        open_ones = await asyncio.to_thread(self._services.store.items, "game", OFFERED, game="coup", over=False)
        if open_ones:
            with self._saved:
                offer("Go on with a game", open_ones, "/coup?game=", "Coup, ")

    def _show(self) -> None:
        self._form.clear()
        with self._form:
            with box("line").props('role=group aria-label="Players"'):
                text("span", "Players", "muted small coup-label")
                for n in range(2, SEATS + 1):
                    button(str(n), partial(self._set_seats, n), classes="chosen" if n == self.seats else "").props(
                        f'aria-pressed={str(n == self.seats).lower()} aria-label="{n} players"'
                    )
            with box("line").props('role=group aria-label="Your seat"'):
                text("span", "Your seat", "muted small coup-label")
                for n in range(self.seats):
                    pressable(str(n + 1), partial(self._set_seat, n), f"seat seat-{n}", n == self.seat, f"Seat {n + 1}")
                text("span", "seat 1 begins", "muted small")
            others = [seat for seat in range(self.seats) if seat != self.seat]
            for number, seat in enumerate(others):
                self._opponent(number, seat)

    def _opponent(self, number: int, seat: int) -> None:
        with box("coup-opponent"):
            with box("line tight nowrap coup-label"):
                seat_disc(seat)
                text("span", NAMES[seat], "strong")
            chosen = ui.select({name: label for name, (label, _) in BOTS.items()}, value=self.bots[number])
            chosen.props(f'outlined dense options-dense aria-label="Who plays {NAMES[seat]}"').classes("coup-bot")
            about = text("span", BOTS[self.bots[number]][1], "muted small")

            def change(event: events.ValueChangeEventArguments[Any]) -> None:
                self.bots[number] = event.value
                about.set_text(BOTS[event.value][1])

            chosen.on_value_change(change)

    def _set_seats(self, seats: int) -> None:
        if seats != self.seats:
            self.seats, self.seat = seats, min(self.seat, seats - 1)
            self._show()

    def _set_seat(self, seat: int) -> None:
        self.seat = seat
        self._show()

    def _rule(self, name: str, default: Any) -> None:
        label = name.replace("_", " ").capitalize()

        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            if event.value is None:
                return
            given: dict[str, Any] = {name: event.value if isinstance(default, bool) else int(event.value)}
            try:
                self.rules = replace(self.rules, **given)
            except ValueError as error:
                say(str(error), "negative")

        made: ui.element
        if isinstance(default, bool):
            made = ui.switch(label, value=default, on_change=change)
        else:
            low, high = Rules._BOUNDS[name]
            made = ui.number(label, value=default, min=low, max=high, precision=0, on_change=change).props("outlined dense")
        tooltip(made, docstrings(Rules)[name])

    async def _start(self) -> None:
        seed = secrets.randbelow(FRESH_SEEDS) if self._seed.value is None else int(self._seed.value)
        setup = {
            "seat": self.seat, "bots": self.bots[: self.seats - 1], "rules": self.rules.to_json(), "seed": seed
        }  # fmt: skip
        self._deal.disable()
        self._waits.clear()
        with self._waits:
            patience("The cards are shuffled.", compiled=True)
        if problem := await self._begin(setup, self._pace.value):
            self._waits.clear()
            with self._waits:
                note(problem, "bad")
            self._deal.enable()


#: What each character does, and blocks.
COURT = {
    "duke": "Tax: 3 coins. Blocks foreign aid.",
    "assassin": "For 3 coins a player loses a card.",
    "captain": "Steals 2 coins. Blocks theft.",
    "ambassador": "Exchanges cards with the deck. Blocks theft.",
    "contessa": "Blocks the Assassin.",
}
#: The game in three sentences.
HOW = (
    "Three cards of each. Everybody holds two, face down; any character may be claimed, and any claim challenged. Who is "
    "caught, or challenges in vain, loses a card. A coup costs 7 coins and cannot be stopped; who has 10 must do it."
)


def _court() -> None:
    with box("coup-court"):
        for character in CHARACTERS:
            with box("coup-courtier"):
                picture(character.value)
                text("p", COURT[character], "small muted")
    text("p", HOW, "small muted")
