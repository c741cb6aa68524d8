"""The Review page: step through a game, see everybody's chances, and find the moves that cost most."""

import asyncio
from functools import partial
from typing import Any
from urllib.parse import urlencode

from nicegui import context, events, ui

from kibitz.catan.analysis.review import Review
from kibitz.catan.pages.files import unpacked
from kibitz.catan.pages.play.pieces import NOTHING, BankPanel, SeatsPanel
from kibitz.catan.pages.review.panel import SUFFIX, ReviewPanel, kept_review
from kibitz.catan.pages.review.story import NotYet, Story, keep, story_of
from kibitz.catan.pages.review.untold import Untold, log_of, read_game, tell
from kibitz.game import OVER, actor_at, to_dict
from kibitz.ground.texts import Mistake
from kibitz.web.layout import arrive, note_address, patiently
from kibitz.web.pages.house import offer
from kibitz.web.pages.work import Latest, PasteField, in_turn
from kibitz.web.parts import box, button, card, emptied, hint, note, patience, refuse, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: Lines of the log around the position.
AROUND = 14
#: Games that are offered.
OFFERED = 8


class ReviewPage:
    """One visitor's page: a place to drop a game, or a game."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._story: Story | None = None
        self.id, self.step = "", 0
        self.show = Latest(self._show)
        self._client = context.client
        self._root = box("rv-root")
        ui.keyboard(self._key, ignore=["input", "select", "textarea"])

    async def begin(self, query: dict[str, str]) -> None:
        """Open the game of the link, or ask for one."""
        id, problem = query.get("game", "").removesuffix(SUFFIX), ""
        if query.get("log"):
            await self._begin_log(query["log"])
            return
        if id:
            try:
                found = await asyncio.to_thread(self.services.store.load, id)
                if found is not None and found.kind == "game":
                    with self._root:
                        patience("The game is read.", compiled=True)
                    story = await patiently(self._client, asyncio.to_thread(lambda: _prepare(story_of(found.data))))
                    step = query.get("step", "")[:9]
                    await self.open(id, story, int(step) if step.isascii() and step.isdigit() else None)
                    return
                problem = "This game is no longer in the library."
            except NotYet as error:
                problem = str(error).capitalize()
            except Mistake as error:
                problem = str(error)
            self._root.clear()
        with self._root:
            self._ask(problem)
        await self._list()

    async def _begin_log(self, id: str) -> None:
        """Review a log of the library, or a game that is followed live: one click after it has ended."""
        with self._root:
            patience("The game is read.", compiled=True)
        try:
            found = await patiently(self._client, asyncio.to_thread(log_of, self.services, id))
            if isinstance(found, str):
                await self.open(found, await asyncio.to_thread(self._kept, found))
                return
            problem = "This game is no longer in the library." if found is None else ""
        except (Mistake, NotSaved) as error:
            found, problem = None, str(error)
        self._root.clear()
        with self._root:
            self._ask(problem)
            if isinstance(found, Untold):
                with self._said:
                    tell(found)
        await self._list()

    def _kept(self, id: str) -> Story:
        found = self.services.store.load(id)
        return _prepare(story_of(None if found is None else found.data))

    def _ask(self, problem: str) -> None:
        with box("stack narrow"):
            text("h1", "Review a game of Catan")
            text(
                "p", "Everybody's chances turn by turn, and the moves that cost most with what would have been better.", "muted"
            )
            self._said = box("stack")
            with self._said:
                if problem:
                    note(problem, "warn")
            self._games = box("stack")
            with card("A record or a log"):
                hint(
                    "A game record of Kibitz, or a log of another program that holds the board: messages that were captured, a "
                    "replay, or a game that was followed live."
                )
                field = PasteField(
                    "A record or a log", self.services.options.body, self._load, partial(refuse, self._said), rows=7
                )
                with box("line"):
                    field.read_button("Review it", "insights")
                    field.file_button()

    async def _list(self) -> None:
        over = await asyncio.to_thread(self.services.store.items, "game", OFFERED, game="catan", over=True)
        with self._games:
            if over:
                offer("Your games", over, "/review?game=", "Catan: ")
            else:
                with card("Your games"):
                    hint("None yet: games that you have played to their end are listed here.")
                    text("a", "Play a game", "q-btn k-btn").props('href="/play"')

    async def _load(self, data: bytes) -> None:
        found = await in_turn(self.services, lambda runtime: read_game(unpacked(data), runtime), self._said)
        if isinstance(found, Untold):
            with emptied(self._said):
                tell(await asyncio.to_thread(found.kept, self.services.store))
        elif found is not None and len(found) > 1:
            self._choose(found)
        elif found:
            await self._take(found[0])

    def _choose(self, stories: tuple[Story, ...]) -> None:
        """Let the visitor say which of several games it is about."""
        with emptied(self._said), card("Which game?"), box("offers"):
            for story in stories:
                with box("offer", "button").props("type=button") as made:
                    text("span", f"Game {story.record.game}: {', '.join(story.names)}")
                    text("span", f"{story.steps} steps", "muted small num")
                made.on("click", partial(self._take, story))

    async def _take(self, story: Story) -> None:
        """Keep a game and show it."""
        if await in_turn(self.services, lambda runtime: _prepare(story), self._said):
            try:
                id = await asyncio.to_thread(keep, self.services.store, story)
            except NotSaved as error:
                refuse(self._said, f"This game cannot be reviewed: {error}")
            else:
                await self.open(id, story)

    async def open(self, id: str, story: Story, step: int | None = None) -> None:
        """Show a game, with its review if there is one; else begin it."""
        self.id, self._story = id, story
        self.step = story.steps if step is None else min(step, story.steps)
        found = await asyncio.to_thread(kept_review, self.services.store, id)
        with emptied(self._root):
            self._build(story, found)
        arrive(self._client, f"{story.title.removeprefix('Catan: ')} · Review")
        await self.show()
        self._note_address()

    def _build(self, story: Story, found: Review | None) -> None:
        text("h1", "Review of a game of Catan", "hidden-visually")
        with box("ct-table rv-page"):
            with box("ct-boards stack"):
                with box("ct-status"):
                    self._turn = text("div", "", "ct-dice num").props('title="turn"')
                    with box("grow"):
                        self._said_now = text("div", "", "strong rv-two-lines").props("role=status aria-live=polite")
                        self._where = text("div", "", "muted small num")
                self._board = ui.html("", sanitize=False).classes("board").props('role=img aria-label="The board at this step"')
                self._stepper(story)
                with box("line"):
                    button("Analyse this position", partial(self._take_to, "/analyse"), "insights")
                    self._play_on = button("Play on from here", partial(self._take_to, "/play"), "extension")
                self._verdict = box("rv-verdict")
                text("p", "Keys: ← → one step, Shift one turn, Home, End", "muted small rv-keys")
            with box("ct-left stack"):
                with card("Players"):
                    self._seats = SeatsPanel(story.names, story.kinds, open_hands=True)
                with card("Bank"):
                    self._bank = BankPanel()
                button("Download the record", self._download, "download", "quiet")
            with box("ct-right stack"):
                self._panel = ReviewPanel(self, story, found)
                with card("Log", "ct-log-card"):
                    self._log = box("ct-log", "ol").props('aria-label="What happened around this step" tabindex=0')

    def _stepper(self, story: Story) -> None:
        with box("line nowrap rv-stepper-line").props('role=group aria-label="Step through the game"'):
            button("", lambda: self.go(0), "first_page", "quiet", name="To the beginning (Home)")
            button(
                "", lambda: self.turn(-1), "keyboard_double_arrow_left", "quiet", name="One turn back (Shift and left arrow)"
            )
            button("", lambda: self.go(self.step - 1), "chevron_left", "quiet", name="One step back (left arrow)")
            self._slider = ui.element("input").props(f"type=range min=0 max={story.steps} step=1").classes("grow rv-range")
            self._slider.props["aria-label"] = "Step of the game"
            slid = "(event) => emit(Number(event.target.value))"
            self._slider.on("input", lambda event: self.go(int(event.args)), js_handler=slid, throttle=0.08)
            button("", lambda: self.go(self.step + 1), "chevron_right", "quiet", name="One step on (right arrow)")
            button("", lambda: self.turn(1), "keyboard_double_arrow_right", "quiet", name="One turn on (Shift and right arrow)")
            button("", lambda: self.go(story.steps), "last_page", "quiet", name="To the end (End)")

    @property
    def story(self) -> Story:
        """The game that is shown."""
        assert self._story is not None
        return self._story

    async def go(self, step: int) -> None:
        """Show another position."""
        step = min(max(0, step), self.story.steps)
        if step != self.step:
            self.step = step
            await self.show()
            self._note_address()

    async def turn(self, by: int) -> None:
        """To the beginning of a turn."""
        await self.go(self.story.turn_start(self.step, by))

    async def _show(self) -> None:
        """Show the position; of whoever drags the slider, the last one."""
        story, step = self.story, self.step
        slip = self._panel.slip_at(step)
        drawing = await asyncio.to_thread(story.drawing, step, slip)
        self._board.set_content(drawing)
        row = to_dict(story.positions[step])
        over = step == story.steps and row["winner"] >= 0
        self._turn.set_text(str(row["turn"]) if row["turn"] else NOTHING)
        self._said_now.set_text(story.said(step))
        self._where.set_text(f"Step {step} of {story.steps}" + (f", turn {row['turn']}" if row["turn"] else ", set-up"))
        self._slider.props["value"] = step
        self._slider.props["aria-valuetext"] = f"Step {step}: {story.said(step)}"
        self._slider.update()
        self._seats.show(row, actor_at(story.positions[step], 0), over)
        self._bank.show(row["bank"], row["deck_size"])
        self._play_on.set_enabled(actor_at(story.positions[step], 0) != OVER)
        with emptied(self._verdict):
            if slip is not None:
                played, better = story.words_of(slip)
                won = f"{100 * slip.loss.mean:.0f} % of the games"
                words = f"{story.names[slip.seat]} played ✗ {played}. Better: ✓ {better}, which wins {won} more."
                with box("note"):
                    text("span", words)
        self._show_log()
        self._panel.show()

    def _show_log(self) -> None:
        lines = [line for line in self.story.log() if abs(line.step - self.step) <= 60]
        at = max((i for i, line in enumerate(lines) if line.step <= self.step), default=0)
        first = max(0, at - AROUND)
        with emptied(self._log):
            for line in reversed(lines[first : at + AROUND]):
                made = box("ct-log-line" + (" minor" if line.minor else ""), "li")
                if line.step == self.step:
                    made.props("aria-current=true")
                with made:
                    text("span", str((line.seat or 0) + 1), f"ct-dot-seat seat-{line.seat}").props('aria-hidden="true"')
                    text("a", line.text, "grow rv-log-link").props("href=#content").on(
                        "click", partial(self.go, line.step), js_handler="(e) => { e.preventDefault(); emit(); }"
                    )

    def _note_address(self) -> None:
        note_address(self._client, {"game": self.id, "step": str(self.step)})

    async def _key(self, event: events.KeyEventArguments) -> None:
        held = event.modifiers
        if self._story is None or not event.action.keydown or held.ctrl or held.alt or held.meta:
            return
        moves: dict[str, Any] = {
            "ArrowLeft": lambda: self.turn(-1) if held.shift else self.go(self.step - 1),
            "ArrowRight": lambda: self.turn(1) if held.shift else self.go(self.step + 1),
            "Home": lambda: self.go(0),
            "End": lambda: self.go(self.story.steps),
        }
        if (move := moves.get(event.key.name)) is not None:
            await move()

    def _take_to(self, page: str) -> None:
        """Take the position to another page."""
        ui.navigate.to(f"{page}?{urlencode(self.story.question(self.step).to_query())}")

    async def _download(self) -> None:
        lines = await asyncio.to_thread(lambda: "\n".join(self.story.record.lines()))
        ui.download.content(lines + "\n", f"kibitz-catan-{self.id}.jsonl", "application/x-ndjson")


def _prepare(story: Story) -> Story:
    """Work out the positions and words of a game. To be called in a thread."""
    _ = story.lines
    return story
