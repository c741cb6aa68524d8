"""The form that begins a game of the One Piece card game, and the games that were not finished."""

from __future__ import annotations

import json
import secrets
from functools import partial
from typing import Any

from nicegui import context, ui

from kibitz.compute.runtime import Runtime
from kibitz.onepiece.core.decks import STARTERS, Deck, starter
from kibitz.onepiece.core.words import short
from kibitz.onepiece.pages.drawing import READ, draw_large, draw_printed
from kibitz.onepiece.pages.matches import CARDS, GUARDS, LARGEST, Brought, Entry, read_brought
from kibitz.web.jobs import READING, JobState, QueueFull
from kibitz.web.pages.newgame import Begin, Deal, SeedField, offer_unfinished
from kibitz.web.pages.paste import PasteField
from kibitz.web.parts import box, button, card, note, text
from kibitz.web.services import Services

#: The bots that may be chosen, with one sentence for each.
BOTS = {
    "random": ("Random", "does anything that the rules allow"),
    "greedy": ("Greedy", "plays and attacks by rules of thumb, at once"),
    "ismcts:30": ("Search, quick", "plays the rest of the game 30 times in its mind: about a second for each decision"),
    "ismcts": ("Search", "plays the rest of the game 100 times in its mind: some seconds for each decision"),
    "ismcts:400": ("Search, patient", "plays the rest of the game 400 times in its mind: it takes its time"),
}
#: What somebody may bring.
OWN = (
    "Paste or drop a deck: a list with lines such as 4x TW-002 and the Leader among them, or JSON. Cards that do not come with "
    "Kibitz are read from a card file (JSON or CSV), which is brought first or holds the deck as well."
)
#: How a game is won, in a few sentences.
HOW = (
    "Bring the opponent's Leader to 0 Life and hit once more. Every turn brings a card and two DON!!, with which cards are "
    "paid for or made stronger: +1000 power each, this turn. Attack the Leader or a rested Character; with at least as much "
    "power the attack succeeds. The defender may block with a [Blocker] and discard cards with a counter."
)


class StartForm:
    """Which deck, who begins, against whom."""

    def __init__(self, services: Services, begin: Begin) -> None:
        self._services = services
        self.decks: dict[str, tuple[Entry, Deck]] = {name: (name, starter(name)) for name in STARTERS}
        """The decks that can be chosen, by a name for each."""
        self.deck, self.other = "tide", "ember"
        self._cards_text = ""
        self.first: int | None = 0
        self.bot = "greedy"
        with box("op-start"):
            with card("A new game"):
                self._form = box("stack")
                with ui.expansion("A deck of your own").props("dense"), box("stack"):
                    text("p", OWN, "muted small")
                    field = PasteField("A deck or a card file", LARGEST, self._bring, self._refuse)
                    with box("line"):
                        field.read_button("Read it", "style")
                        field.file_button()
                    self._said = box("stack")
                with ui.expansion("Loop guard and seed").props("dense"), box("stack"):
                    self._guard = ui.select(GUARDS, value="onepiece", label="Loop guard").props("outlined dense options-dense")
                    text("p", "What happens when the same position comes up again and again.", "muted small")
                    self._seed = SeedField("Seed of the draws")
                Deal(begin, self._setup)
            with box("stack"):
                self._saved = box("stack")
                with card("How it goes"):
                    text("p", HOW, "muted")
                self._list = box("stack")
        self._show()

    async def offer(self) -> None:
        """Show the games that were not finished."""
        with self._saved:
            await offer_unfinished(self._services, "onepiece", "One Piece, ")

    def _show(self) -> None:
        self._form.clear()
        with self._form:
            leaders = {name: ", ".join([short(deck.leader), *deck.leader.types[:1]]) for name, (_, deck) in self.decks.items()}
            self._choose("Your deck", leaders, "deck")
            self._choose("Its deck", leaders, "other")
            self._choose("Who begins", {0: "You", 1: "The bot", None: "Either"}, "first")
            self._choose("Against", {name: label for name, (label, _) in BOTS.items()}, "bot")
            text("p", f"{BOTS[self.bot][0]} {BOTS[self.bot][1]}.", "muted small op-bot")
        self._list.clear()
        with self._list, card(f"The cards of {short(self.decks[self.deck][1].leader)}"):
            self._cards()

    def _cards(self) -> None:
        """The chosen deck; a card is read where the pointer or the focus is."""
        deck = self.decks[self.deck][1]
        cards = [(deck.leader, 1), *sorted(deck.cards.items(), key=lambda one: (one[0].cost, one[0].id))]
        shown = [f'<span class="op-copies">{draw_printed(f"deck-{found.id}", found, n)}</span>' for found, n in cards]
        box("op-preview flat").props("aria-live=polite")
        made = ui.html(f'<div class="op-cards">{"".join(shown)}</div>', sanitize=False)
        for event in ("mouseover", "focusin", "click"):
            made.on(event, js_handler=READ)
        ui.run_javascript(f"document.querySelector('.op-preview.flat').innerHTML = {json.dumps(draw_large(deck.leader))}")

    def _choose(self, label: str, options: dict[Any, str], name: str) -> None:
        """A row of buttons, one for each value that the field of this `name` can have."""
        with box("op-row").props(f'role=group aria-label="{label}"'):
            text("span", label, "muted small op-label")
            with box("line"):
                for option, shown in options.items():
                    pressed = option == getattr(self, name)
                    made = button(shown, partial(self._set, name, option), classes="chosen" if pressed else "")
                    made.props(f"aria-pressed={str(pressed).lower()}")

    def _set(self, name: str, value: Any) -> None:
        setattr(self, name, value)
        self._show()

    async def _bring(self, data: bytes) -> None:
        """Read what was pasted or dropped, in the queue: what somebody brings must not hold up others."""
        cards = self._cards_text

        def work(runtime: Runtime) -> Brought:
            return read_brought(data, cards)

        try:
            job = self._services.jobs.submit("reading a deck", work, context.client.id, READING)
        except QueueFull as error:
            self._refuse(str(error))
            return
        await job.finished()
        if job.state is JobState.DONE:
            self._take(job.result)
        else:
            self._refuse(job.error)

    def _take(self, brought: Brought) -> None:
        if brought.deck is None:
            self._cards_text = brought.entry[CARDS]
            self._say(f"Cards known now: {brought.cards}. Bring a deck of them.", "")
            return
        name = f"own {len(self.decks)}"
        self.decks[name] = brought.entry, brought.deck
        self._say(f"{short(brought.deck.leader)} is among the decks now.", "")
        self._set("deck", name)

    def _refuse(self, problem: str) -> None:
        self._say(f"This cannot be played: {problem}", "bad")

    def _say(self, message: str, look: str) -> None:
        self._said.clear()
        with self._said:
            note(message, look)

    def _setup(self) -> dict[str, Any]:
        seat = secrets.randbelow(2) if self.first is None else self.first
        decks = [self.decks[name][0] for name in (self.deck, self.other)]
        return {"seat": seat, "decks": decks, "bot": self.bot, "guard": self._guard.value, "seed": self._seed.seed}
