"""The form that begins a game of the One Piece card game, and the games that were not finished."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from nicegui import ui

from kibitz.onepiece.cards import Card
from kibitz.onepiece.decks import STARTERS, starter
from kibitz.onepiece.words import short
from kibitz.web.pages.onepiece.drawing import draw_held, draw_large
from kibitz.web.pages.onepiece.matches import UNGUARDED
from kibitz.web.pages.onepiece.moment import Held
from kibitz.web.pages.onepiece.pieces import READ, patience
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
#: The loop guards that may watch.
GUARDS = {
    "onepiece": "the rules of the game (11-1)",
    "seed": "who alone can stop must stop",
    "draw": "every loop is a draw",
    "cap": "a draw after a hundred laps",
    UNGUARDED: "nobody watches",
}
#: How long bots' moves are looked at.
PACES = {1.6: "Calm", 1.0: "Usual", 0.4: "Quick", 0.0: "At once"}
#: A seed below this can be typed again.
FRESH_SEEDS = 1_000_000
#: How many unfinished games are offered.
OFFERED = 5
#: How a game is won, in a few sentences.
HOW = (
    "Bring the opponent's Leader to 0 Life and hit once more. Every turn brings a card and two DON!!, with which cards are "
    "paid for or made stronger: +1000 power each, this turn. Attack the Leader or a rested Character; with at least as much "
    "power the attack succeeds. The defender may block with a [Blocker] and discard cards with a counter."
)


class StartForm:
    """Which deck, who begins, against whom."""

    def __init__(self, services: Services, begin: Callable[[dict[str, Any], float], Awaitable[str]]) -> None:
        """`begin` is handed a setup and a pace, and says what is wrong with them, if anything is."""
        self._services, self._begin = services, begin
        self.deck, self.other = "tide", "ember"
        self.first: int | None = 0
        self.bot = "greedy"
        with box("op-start"):
            with card("A new game"):
                self._form = box("stack")
                with ui.expansion("Loop guard and seed").props("dense"), box("stack"):
                    self._guard = ui.select(GUARDS, value="onepiece", label="Loop guard").props("outlined dense options-dense")
                    text("p", "What happens when the same position comes up again and again.", "muted small")
                    self._seed = ui.number("Seed of the draws (a new one each time)", min=0, precision=0, format="%d")
                    self._seed.props("outlined dense clearable")
                with box("line"):
                    self._pace = ui.select(PACES, value=1.0, label="Pace of the bot").props("outlined dense options-dense")
                    self._pace.classes("op-pace")
                    box("grow")
                    self._deal = button("Deal the cards", self._start, "style", "primary big")
                self._waits = box("stack")
            with box("stack"):
                self._saved = box("stack")
                with card("How it goes"):
                    text("p", HOW, "muted")
                self._list = box("stack")
        self._show()

    async def offer(self) -> None:
        """Show the games that were not finished."""
        open_ones = await asyncio.to_thread(self._services.store.items, "game", OFFERED, game="onepiece", over=False)
        if not open_ones:
            return
        with self._saved, card("Go on with"):
            for item in open_ones:
                with box("op-offer", "a").props(f'href="/onepiece?game={item.id}"'):
                    text("span", item.title.removeprefix("One Piece, "))
                    text("span", item.changed.astimezone().strftime("%Y-%m-%d %H:%M"), "muted small num")

    def _show(self) -> None:
        self._form.clear()
        with self._form:
            self._choose_deck("Your deck", self.deck, "deck")
            self._choose_deck("Its deck", self.other, "other")
            begins = {0: "You", 1: "The bot", None: "Either"}
            self._choose("Who begins", begins, self.first, "first")
            with box("op-row").props('role=group aria-label="Against"'):
                text("span", "Against", "muted small op-label")
                with box("line"):
                    for name, (label, _) in BOTS.items():
                        self._chip(label, name == self.bot, partial(self._set, "bot", name))
            text("p", f"{BOTS[self.bot][0]} {BOTS[self.bot][1]}.", "muted small op-bot")
        self._list.clear()
        with self._list, card(f"The cards of {short(starter(self.deck).leader)}"):
            self._cards()

    def _cards(self) -> None:
        """The chosen deck; a card is read where the pointer or the focus is."""
        deck = starter(self.deck)
        cards = sorted(deck.cards, key=lambda one: (one.cost, one.id))
        shown = "".join(_copies(found, deck.cards[found]) for found in cards)
        box("op-preview flat").props("aria-live=polite")
        made = ui.html(f'<div class="op-cards">{_copies(deck.leader, 1)}{shown}</div>', sanitize=False)
        for event in ("mouseover", "focusin", "click"):
            made.on(event, js_handler=READ)
        ui.run_javascript(f"document.querySelector('.op-preview.flat').innerHTML = {json.dumps(draw_large(deck.leader))}")

    def _choose_deck(self, label: str, value: str, name: str) -> None:
        leaders = {deck: f"{short(starter(deck).leader)}, {starter(deck).leader.types[0]}" for deck in STARTERS}
        self._choose(label, leaders, value, name)

    def _choose(self, label: str, options: dict[Any, str], value: Any, name: str) -> None:
        with box("op-row").props(f'role=group aria-label="{label}"'):
            text("span", label, "muted small op-label")
            with box("line"):
                for option, shown in options.items():
                    self._chip(shown, option == value, partial(self._set, name, option))

    def _chip(self, label: str, pressed: bool, on_click: Callable[[], None]) -> None:
        made = button(label, on_click, classes="chosen" if pressed else "")
        made.props(f"aria-pressed={str(pressed).lower()}")

    def _set(self, name: str, value: Any) -> None:
        setattr(self, name, value)
        self._show()

    async def _start(self) -> None:
        seed = secrets.randbelow(FRESH_SEEDS) if self._seed.value is None else int(self._seed.value)
        seat = secrets.randbelow(2) if self.first is None else self.first
        decks = [self.deck, self.other]
        setup = {"seat": seat, "decks": decks, "bot": self.bot, "guard": self._guard.value, "seed": seed}
        self._deal.disable()
        self._waits.clear()
        with self._waits:
            patience("The cards are shuffled.")
        if problem := await self._begin(setup, self._pace.value):
            self._waits.clear()
            with self._waits:
                note(problem, "bad")
            self._deal.enable()


def _copies(found: Card, copies: int) -> str:
    times = f'<span class="op-times">{copies}x</span>' if copies > 1 else ""
    return f'<span class="op-copies">{draw_held(Held(f"deck-{found.id}", found, found.cost), False, False)}{times}</span>'
