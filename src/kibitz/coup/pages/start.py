"""The form that begins a game of Coup, and the games that were not finished."""

from __future__ import annotations

from functools import partial
from typing import Any

from nicegui import events, ui

from kibitz.coup.core.cards import CHARACTERS
from kibitz.coup.core.state import SEATS, Rules
from kibitz.coup.pages.pieces import picture, seat_disc
from kibitz.web.pages.newgame import Begin, Deal, SeedField, offer_unfinished, rule_options
from kibitz.web.pages.people import NAMES
from kibitz.web.parts import box, button, card, pressable, text
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


class StartForm:
    """Who plays, where you sit, by which rules."""

    def __init__(self, services: Services, begin: Begin) -> None:
        self._services = services
        self.seats = 4
        self.bots = ["heuristic"] * (SEATS - 1)
        self.seat = 0
        self.rules = Rules()
        with box("coup-start"):
            with card("A new game", "coup-new"):
                self._form = box("stack")
                with ui.expansion("Rules and seed").props("dense"), box("stack"):
                    rule_options(self.rules, self._set_rules)
                    self._seed = SeedField("Seed of the deal")
                Deal(begin, self._setup, "coup-pace")
            with box("stack"):
                self._saved = box("stack")
                with card("The court"):
                    _court()
        self._show()

    async def offer(self) -> None:
        """Show the games that were not finished."""
        with self._saved:
            await offer_unfinished(self._services, "coup", "/coup?game=", "Coup, ")

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

    def _set_rules(self, rules: Rules) -> None:
        self.rules = rules

    def _setup(self) -> dict[str, Any]:
        bots = self.bots[: self.seats - 1]
        return {"seat": self.seat, "bots": bots, "rules": self.rules.to_json(), "seed": self._seed.seed}


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
