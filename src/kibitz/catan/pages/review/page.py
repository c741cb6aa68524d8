"""The Review page: step through a game, see everybody's chances, and find the moves that cost most."""

import asyncio
from functools import partial
from typing import Any
from urllib.parse import urlencode

from nicegui import context, events, ui

from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.files import unpacked
from kibitz.catan.pages.play.pieces import NOTHING, BankPanel, SeatsPanel
from kibitz.catan.pages.review.chart import ReviewChart
from kibitz.catan.pages.review.panel import SUFFIX, ReviewPanel, keep_review, kept_review
from kibitz.catan.pages.review.retry import Retry
from kibitz.catan.pages.review.story import NotYet, Story, keep, story_of
from kibitz.catan.pages.review.untold import Untold, log_of, read_game, tell
from kibitz.catan.review import Entry, Review
from kibitz.catan.review.again import loss_of
from kibitz.catan.review.shared import SUFFIX as SHARED
from kibitz.catan.review.shared import is_shared, read_shared, shared_text
from kibitz.catan.review.types import Fortune
from kibitz.catan.review.words import fortune_words, in_points, move_words, reasons_in_words, times
from kibitz.game import OVER, actor_at, to_dict
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS
from kibitz.ground.texts import Mistake, capitalised
from kibitz.web.layout import arrive, note_address, patiently
from kibitz.web.pages.house import offer
from kibitz.web.pages.work import Latest, PasteField, in_turn
from kibitz.web.parts import box, button, card, emptied, hint, note, patience, refuse, say, seat_mark, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved, Store

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
        self._retry: Retry | None = None
        self._tries = asyncio.Lock()
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
                        patience("Reading the game.", compiled=True)
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
            patience("Reading the game.", compiled=True)
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
            about = "Your mistakes and why, everybody's chances and luck turn by turn, and how accurately each of you played."
            text("p", about, "muted")
            self._said = box("stack")
            with self._said:
                if problem:
                    note(problem, "warn")
            self._games = box("stack")
            with card("A record, a log or a review"):
                hint(
                    "A game record of Kibitz, a log from another program that includes the board (captured messages, a replay, "
                    "a game that was followed live), or a shared review."
                )
                most = self.services.options.body
                field = PasteField("A record, a log or a review", most, self._load, partial(refuse, self._said), rows=7)
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
                    hint("None yet: games that you finish are listed here.")
                    text("a", "Play a game", "q-btn k-btn").props('href="/play"')

    async def _load(self, data: bytes) -> None:
        if is_shared(data[:200].decode("utf-8", "replace")):
            shared = await in_turn(self.services, lambda runtime: read_shared(unpacked(data)), self._said)
            if shared is not None:
                await self._take(Story(shared[0]), shared[1])
            return
        found = await in_turn(self.services, lambda runtime: read_game(unpacked(data), runtime), self._said)
        if isinstance(found, Untold):
            try:
                untold = await asyncio.to_thread(found.kept, self.services.store)
            except NotSaved:
                untold = found  # all but the way to its hands
            with emptied(self._said):
                tell(untold)
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

    async def _take(self, story: Story, review: Review | None = None) -> None:
        """Keep a game, perhaps with a review that was shared, and show it."""
        if await in_turn(self.services, lambda runtime: _prepare(story), self._said):
            try:
                id = await asyncio.to_thread(keep, self.services.store, story)
            except NotSaved as error:
                refuse(self._said, f"This game cannot be reviewed: {error}")
            else:
                if review is not None and review.partial is None:
                    await asyncio.to_thread(_keep_shared, self.services.store, id, story, review)
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
        self._panel = ReviewPanel(self, story, found)
        with box("stack rv-all"):
            if story.assumed:
                note(f"{capitalised(story.assumed)}. All else is as the log tells it.")
            with box("rv-report"):
                self._panel.build_report()
            with box("ct-table rv-page k-stepped"):
                with box("ct-boards stack"):
                    with box("ct-status"):
                        self._turn = text("div", "", "ct-dice num").props('title="turn"')
                        with box("grow"):
                            self._said_now = text("div", "", "strong rv-two-lines").props("role=status aria-live=polite")
                            self._where = text("div", "", "muted small num")
                    self._board = BoardView(self._clicked, "The board at this step")
                    self._stepper(story)
                with card("", "rv-chart-card"):
                    self.chart = ReviewChart(story.names, self.go)
                    text("p", "Click anywhere to go there. Keys: ← → one step, Shift one turn, n and p mistakes, Home, End.",
                         "muted small rv-keys")  # fmt: skip
                with box("ct-left stack"):
                    with card("Players"):
                        self._seats = SeatsPanel(story.names, story.levels, open_hands=True)
                    with card("Bank"):
                        self._bank = BankPanel()
                with box("ct-right stack"):
                    self._verdict = box("card rv-verdict")
                    self._trying = box("stack")
                    self._panel.build_mistakes()
            with box("rv-below"):
                self._panel.build_account()
                with card("Log", "ct-log-card"):
                    self._log = box("ct-log", "ol").props('aria-label="What happened around this step" tabindex=0')
                with card("Share or play on", "rv-tools"):
                    button("Share this review", self._share, "share")
                    button("Download the record", self._download, "download", "quiet")
                    button("Analyse this position", partial(self._take_to, "/analyse"), "insights", "quiet")
                    self._play_on = button("Play on from here", partial(self._take_to, "/play"), "extension", "quiet")
                    hint("A shared review is a file that any Kibitz opens, here or with kibitz catan review.")
        self._panel.start()

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
            button("", lambda: self.go(self.step + 1), "chevron_right", "quiet", name="One step forward (right arrow)")
            button(
                "",
                lambda: self.turn(1),
                "keyboard_double_arrow_right",
                "quiet",
                name="One turn forward (Shift and right arrow)",
            )
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
        entry, retry = self._panel.entry_at(step), self._retry
        if retry is not None and retry.entry.verdict.step != step:
            retry = self._retry = None
        if retry is None:
            self._trying.clear()
        places = [] if retry is None or retry.solved else list(retry.places)
        shown = entry if retry is None or retry.solved else None
        drawing = await asyncio.to_thread(story.drawing, step, shown, places)
        self._board.show(drawing, places)
        row = to_dict(story.positions[step])
        over = step == story.steps and row["winner"] >= 0
        self._turn.set_text(str(row["turn"]) if row["turn"] else NOTHING)
        self._said_now.set_text(story.said(step))
        self._where.set_text(f"Step {step} of {story.steps}" + (f", turn {row['turn']}" if row["turn"] else ", draft"))
        self._slider.props["value"] = step
        self._slider.props["aria-valuetext"] = f"Step {step}: {story.said(step)}"
        self._slider.update()
        self._seats.show(row, actor_at(story.positions[step], 0), over)
        self._bank.show(row["bank"], row["deck_size"])
        self._play_on.set_enabled(actor_at(story.positions[step], 0) != OVER)
        fortune = self._panel.fortune_at(step)
        self._verdict.set_visibility(any(here is not None for here in (retry, entry, fortune)))
        with emptied(self._verdict):
            if retry is not None:
                retry.show(self._try, self._close_retry, partial(self._panel.next, 1))
            elif entry is not None:
                self._show_entry(entry)
            elif fortune is not None:
                self._show_fortune(fortune)
        self._show_log()
        self._panel.show()

    def _show_entry(self, entry: Entry) -> None:
        """A mistake: what was played, what is better, and why."""
        story, verdict = self.story, entry.verdict
        board, names = story.record.board, story.names
        with box("line tight"):
            text("span", capitalised(verdict.grade), f"rv-grade grade-{verdict.grade}")
            text("span", f"{MINUS}{100 * verdict.loss.mean:.0f} points ± {100 * verdict.loss.margin:.0f}", "strong num")
        if offer := story.offer_at(verdict.step):
            text("p", offer, "small")
        text("p", f"✗ {names[entry.seat]} played: {move_words(verdict.played, board, names)}.")
        text("p", f"✓ Better: {move_words(verdict.best, board, names)}.", "strong")
        for sentence in reasons_in_words(entry, board, names):
            text("p", sentence, "small")
        if len(entry.steps) > 1:
            with box("line tight small"):
                text("span", f"Missed {times(len(entry.steps))}:")
                for step in entry.steps:
                    turn = story.turn_of(step)
                    link = text("a", f"turn {turn}" if turn else "draft", "").props("href=#content")
                    link.on("click", partial(self.go, step), js_handler="(e) => { e.preventDefault(); emit(); }")
        button("Try it yourself", partial(self._open_retry, entry), "replay")

    def _show_fortune(self, fortune: Fortune) -> None:
        """What a roll or a card was worth to everybody."""
        names = self.story.names
        text("p", f"{fortune_words(fortune, names)}: luck, in points", "strong")
        with box("line"):
            for seat, worth in enumerate(fortune.worth):
                with box("line tight nowrap"):
                    seat_mark(seat)
                    text("span", in_points(worth / SURE, 1), "num")

    async def _open_retry(self, entry: Entry) -> None:
        self._retry = Retry(self.story, entry)
        await self.show()

    async def _close_retry(self) -> None:
        self._retry = None
        await self.show()

    async def _clicked(self, place: str) -> None:
        """Somebody plays on the board, while a mistake is tried again."""
        if self._retry is not None and not self._retry.solved and (move := self._retry.places.get(place)):
            await self._try(move)

    async def _try(self, move: str) -> None:
        """Answer somebody who plays a move where a mistake was made; of several, one after another."""
        retry = self._retry
        async with self._tries:
            if retry is None or retry is not self._retry or retry.solved or move in retry.tried:
                return
            self._trying.clear()
            record, verdict = self.story.record, retry.entry.verdict
            loss = await in_turn(
                self.services, lambda runtime: loss_of(record, verdict, move), self._trying, "Playing games with this move."
            )
            if loss is not None and retry is self._retry:
                retry.answer(move, loss)
                await self.show()

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
            "n": lambda: self._panel.next(1),
            "p": lambda: self._panel.next(-1),
        }
        if (move := moves.get(event.key.name)) is not None:
            await move()

    def _take_to(self, page: str) -> None:
        """Take the position to another page."""
        ui.navigate.to(f"{page}?{urlencode(self.story.question(self.step).to_query())}")

    async def _share(self) -> None:
        """The review as a file."""
        review = self._panel.review
        if review is None:
            say("There is nothing to share yet.")
            return
        content = await asyncio.to_thread(shared_text, self.story.record, review)
        ui.download.content(content, f"kibitz-catan-{self.id}{SHARED}", "application/json")

    async def _download(self) -> None:
        lines = await asyncio.to_thread(lambda: "\n".join(self.story.record.lines()))
        ui.download.content(lines + "\n", f"kibitz-catan-{self.id}.jsonl", "application/x-ndjson")


def _keep_shared(store: Store, id: str, story: Story, review: Review) -> None:
    """Keep a stranger's review, unless there is one of our own."""
    if kept_review(store, id) is None:
        keep_review(store, id, story, review)


def _prepare(story: Story) -> Story:
    """Work out the positions and words of a game. To be called in a thread."""
    _ = story.lines
    return story
