"""The form that begins a game of Coup, and the games that were not finished."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from kibitz.coup.core.state import CHARACTERS, Rules
from kibitz.coup.pages.pieces import picture
from kibitz.coup.profile import PROFILE
from kibitz.web.pages.newgame import Begin, Deal, SeatChoice, SeedField, offer_unfinished, rule_options
from kibitz.web.parts import box, card, text
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

#: How many play, unless the person wants it otherwise: more than two bluff better.
USUAL_SEATS = 4


class StartForm:
    """Who plays, where you sit, by which rules."""

    def __init__(self, services: Services, begin: Begin) -> None:
        self._services = services
        self._rules = Rules()
        with box("coup-start"):
            with card("A new game", "coup-new"):
                self._seats = SeatChoice(PROFILE.seats, USUAL_SEATS, BOTS, "heuristic", "seat 1 begins")
                with ui.expansion("Rules and seed").props("dense"), box("stack"):
                    rule_options(self._rules, self._set_rules)
                    self._seed = SeedField("Seed of the deal")
                Deal(begin, self._setup)
            with box("stack"):
                self._saved = box("stack")
                with card("The court"):
                    _court()

    async def offer(self) -> None:
        """Show the games that were not finished."""
        with self._saved:
            await offer_unfinished(self._services, "coup", "Coup, ")

    def _set_rules(self, rules: Rules) -> None:
        self._rules = rules

    def _setup(self) -> dict[str, Any]:
        return {**self._seats.setup(), "rules": self._rules.to_json(), "seed": self._seed.seed}


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
