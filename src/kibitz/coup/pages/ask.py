"""Advice about a situation that is told in words or clicked together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import context, events, ui

from kibitz.coup.bots import BLUFF
from kibitz.coup.core.state import CHARACTERS, SEATS
from kibitz.coup.pages.pieces import TITLE, Adviser, mark, picture, show_seat
from kibitz.coup.pages.situation import LONGEST, Sketch, Understood, understand
from kibitz.coup.pages.tree import TreePanel
from kibitz.ground.signs import MINUS
from kibitz.ground.texts import Mistake, capitalised
from kibitz.web.layout import note_address, patiently
from kibitz.web.pages.work import Latest
from kibitz.web.parts import box, button, card, choice, emptied, hint, patience, refuse, seat_mark, text, tooltip
from kibitz.web.services import Services

#: How long the search may think.
EFFORTS = {20_000: "20,000 games", 100_000: "100,000 games", 400_000: "400,000 games"}
#: What can be tried.
EXAMPLES = {
    "Your turn": "cards duke captain; coins 1 2",
    "An assassin": "players Ann Bob Cid; I am Ann, cards duke captain; coins 3 5 2\nBob lost contessa; Bob claimed duke; "
    "Cid exchanged; Bob claimed duke\nBob assassinates me",
    "An endgame": "cards captain; coins 4 5; I lost duke; 2 lost captain; 2 taxed; I taxed",
}
#: What may be written.
HELP = (
    "One fact a line, or between semicolons. Your cards and everybody's coins are needed: cards duke captain; coins 3 5 2. "
    "What happened before, in the past tense: Bob lost contessa, Bob claimed duke, Cid exchanged, 2 showed duke. "
    "What happens now, in the present tense: Bob assassinates me, Cid challenges, I block with contessa."
)


class AskPage:
    """One visitor's page. The text is what counts: clicks write it."""

    def __init__(self, services: Services) -> None:
        self._client = context.client
        self._jobs = services.jobs
        self.understood: Understood | None = None
        self._bluff = BLUFF
        self._read = Latest(self._understand)
        with box("coup-ask"):
            with box("coup-told stack"):
                with card("In words"):
                    self._words = ui.textarea(value="", on_change=self._read)
                    self._words.props(f'outlined autogrow debounce=350 maxlength={LONGEST} aria-label="The situation in words"')
                    self._words.props('spellcheck=false input-style="min-height:112px"')
                    self._trouble = box("").props("role=status aria-live=polite")
                    with box("line"):
                        text("span", "Examples", "muted small")
                        for name, example in EXAMPLES.items():
                            button(name, partial(self.say, example), classes="coup-example")
                    with box("", "details"):
                        text("summary", "What you can write", "small muted")
                        hint(HELP)
                with card("By clicks"):
                    self._clicks = box("stack")
            with box("stack"):
                self._seats = box("coup-others")
                with card():
                    self._question = text("h2", "", "coup-question").props("aria-live=polite")
                    with box("line"):
                        self._effort = ui.select(EFFORTS, value=100_000, label="Simulated games").props(
                            "outlined dense options-dense"
                        )
                        self._effort.classes("k-pace")
                        bluff = ui.number(
                            "Bluffs per true claim", value=BLUFF, min=0, max=1, step=0.05, on_change=self._believe
                        )
                        bluff.props("outlined dense debounce=400").classes("coup-bluffs")
                        tooltip(bluff, "Empty: as the blueprint bluffs. 0: every claim is true. 1: claims tell nothing.")
                        box("grow")
                        self._ask = button("What should I do?", self._advise, "tips_and_updates", "primary big")
                    self._adviser = Adviser(services.jobs)
                with card("The tree from here"):
                    self._tree = TreePanel()

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the text in the address, or an example."""
        asked = query.get("q", "")[:LONGEST]
        with self._clicks:
            patience("Reading the text.", compiled=True)
        self._words.set_value(asked or EXAMPLES["An assassin"])
        await self._read()
        job = self._jobs.get(query.get("job", ""))
        if self.understood is not None and job is not None and job.title == TITLE + self._about:
            self._adviser.words = self.understood.words
            self._adviser.follow(job)

    @property
    def _about(self) -> str:
        """What is asked about."""
        return f"about {self._words.value}"

    def say(self, words: str) -> None:
        """Put another text into the page."""
        if self._words.value != words:
            self._clicks.props("inert")  # its buttons change what was understood before this
            self._words.set_value(words)

    async def _believe(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._bluff = None if event.value is None else min(1.0, max(0.0, float(event.value)))
        await self._read()

    async def _understand(self) -> None:
        """Read the text, and show what it says unless another was typed meanwhile."""
        asked = (self._words.value or "", self._bluff)
        found, problem = None, ""
        try:
            found = await patiently(self._client, asyncio.to_thread(understand, *asked))
        except Mistake as error:
            problem = str(error)
        if asked == (self._words.value or "", self._bluff):
            self._show(found, problem)
            self._note_address()

    def _note_address(self) -> None:
        job = self._adviser.job
        note_address(self._client, {"q": self._words.value or ""} | ({"job": job.id} if job else {}))

    def _show(self, found: Understood | None, problem: str) -> None:
        self._clicks.props(remove="inert")
        self._trouble.clear()
        if found is None:
            refuse(self._trouble, capitalised(problem))
            self._question.set_text("Kibitz doesn't understand this yet.")
            if self.understood is None:
                with emptied(self._clicks):
                    button("Start with a fresh table", partial(self.say, Sketch.fresh(3).text()))
        self._ask.set_enabled(found is not None and bool(found.question))
        if found is None:
            return  # what was understood before stays in sight
        self.understood = found
        self._question.set_text(found.question or f"It's up to {found.waits}: say what they do.")
        self._adviser.say("The chances of each option, the lines that follow, and what to mix where an endgame can be solved.")
        self._tree.offer(found.states, found.belief, found.words)
        with emptied(self._seats):
            for seat in found.seats:
                show_seat(box("card coup-seat", "section"), seat)
        with emptied(self._clicks):
            Clicks(found.sketch, lambda sketch: self.say(sketch.text()))

    def _advise(self) -> None:
        found = self.understood
        if found is not None and found.question:
            self._adviser.ask(found.states, found.belief, found.words, int(self._effort.value), about=self._about)
            self._note_address()


class Clicks:
    """A situation to click together."""

    def __init__(self, sketch: Sketch, changed: Callable[[Sketch], Any]) -> None:
        self._sketch, self._changed = sketch, changed
        with box("line").props('role=group aria-label="Players"'):
            text("span", "Players", "muted small k-label")
            for n in range(2, SEATS + 1):
                self._button(str(n), sketch.seated(n), n == len(sketch.names), f"{n} players")
        self._cards()
        for seat in range(len(sketch.names)):
            self._player(seat)
        self._past()
        self._now()

    def _button(self, label: str, after: Sketch, chosen: bool = False, name: str = "") -> None:
        choice(label, partial(self._changed, after), chosen, name).classes("coup-mini")

    def _marks(self, label: str, after: Callable[[str], Sketch], who: str) -> None:
        """The five characters in a row, to be clicked."""
        text("span", label, "muted small")
        with box("line tight nowrap"):
            for character in CHARACTERS:
                with button("", partial(self._changed, after(character.value)), classes="coup-pick") as made:
                    mark(character.value)
                made.props["aria-label"] = f"{who} {label} {character.title()}"

    def _cards(self) -> None:
        sketch = self._sketch
        with box("coup-own-cards"):
            text("span", "You hold", "muted small k-label")
            for held in sketch.cards:
                picture(held)
            with box("coup-pairs"):
                self._marks("take", sketch.hold, "you")

    def _player(self, seat: int) -> None:
        sketch = self._sketch
        name, coins = sketch.names[seat], sketch.coins[seat]
        with box("coup-click").props(f'role=group aria-label="{name}"'):
            with box("line"):
                seat_mark(seat)
                text("span", name if not name.isdigit() else f"Player {name}", "strong")
                if seat == sketch.observer:
                    text("span", "you", "muted small")
                else:
                    self._button("This is me", sketch.who_asks(seat), name=f"I am {name}")
                box("grow")
                self._button(MINUS, sketch.purse(seat, coins - 1), name=f"{name}: a coin less")
                text("span", str(coins), "num strong coup-count")
                self._button("+", sketch.purse(seat, coins + 1), name=f"{name}: a coin more")
                text("span", "coins", "muted small")
            with box("coup-pairs"):
                self._marks("claimed", partial(sketch.claim, seat), name)
                self._marks("lost", partial(sketch.lose, seat), name)

    def _past(self) -> None:
        sketch = self._sketch
        if sketch.past:
            text("h3", "Before this turn")
            with box("line tight"):
                for number, fact in enumerate(sketch.past):
                    self._button(f"{fact} ✕", sketch.forget(number), name=f"Forget: {fact}")

    def _now(self) -> None:
        sketch = self._sketch
        text("h3", "This turn")
        with box("line tight").props('role=group aria-label="Whose turn"'):
            for seat, name in enumerate(sketch.names):
                mine = "your turn" if seat == sketch.observer else f"{name}'s turn"
                self._button(mine, sketch.turn_of(seat), seat == sketch.turn)
        for number, said in enumerate(sketch.now):
            with box("line tight"):
                text("span", said.text(sketch.names))
                if number == len(sketch.now) - 1:
                    self._button("✕", sketch.unsay(), name=f"Take back: {said.text(sketch.names)}")
        with box("line tight"):
            addressed = [*sketch.names[: sketch.observer], "you", *sketch.names[sketch.observer + 1 :]]
            for said in sketch.answers():
                words = "you let it pass" if said.seat == sketch.observer else said.text(addressed)
                self._button(words if sketch.now else words.partition(" ")[2], sketch.say(*said))
