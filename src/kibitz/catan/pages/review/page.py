"""The Review page: step through a game, see everybody's chances, and find the moves that cost most."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any
from urllib.parse import urlencode

from nicegui import context, events, ui

from kibitz.catan.analysis.review import Review, Slip
from kibitz.catan.core.actions import Action
from kibitz.catan.pages.analyse.progress import duration
from kibitz.catan.pages.files import unpacked
from kibitz.catan.pages.play.choices import element_of, move_words
from kibitz.catan.pages.play.pieces import MINUS, NOTHING, BankPanel, SeatsPanel
from kibitz.catan.pages.review.chart import ChancesChart
from kibitz.catan.pages.review.desk import SUFFIX, Reviews, so_far
from kibitz.catan.pages.review.story import NotYet, Story, keep, read_stories, slip_at, story_of
from kibitz.game import OVER, actor_at, to_dict
from kibitz.ground.figures import percent
from kibitz.ground.messages import Mistake
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.layout import arrive, note_address, patiently
from kibitz.web.pages.library import offer
from kibitz.web.pages.paste import PasteField, in_turn
from kibitz.web.parts import ProgressBar, box, button, card, emptied, note, patience, refuse, say, seat_mark, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: Seconds between two looks at a review that runs.
LOOK = 0.5
#: Lines of the log around the position.
AROUND = 14
#: Games that are offered.
OFFERED = 8


class ReviewPage:
    """One visitor's page: a place to drop a game, or a game."""

    def __init__(self, services: Services) -> None:
        self.services, self._reviews = services, services.own(Reviews)
        self.story: Story | None = None
        self.id, self.step = "", 0
        self.review: Review | None = None
        self.job: Job | None = None
        self._busy = self._again = False
        self._seen: tuple[Any, ...] = ()
        self._client = context.client
        self._root = box("rv-root")
        self._timer = ui.timer(LOOK, self._look, active=False)
        ui.keyboard(self._key, ignore=["input", "select", "textarea"])

    async def begin(self, query: dict[str, str]) -> None:
        """Open the game of the link, or ask for one."""
        id, problem = query.get("game", "").removesuffix(SUFFIX), ""
        if id:
            try:
                found = await asyncio.to_thread(self.services.store.load, id)
                if found is not None and found.item.kind == "game":
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

    # --- choosing a game ------------------------------------------------------------------------------------------

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
                text("p", "A game record of Kibitz, or a log of another program that tells the whole game.", "muted small")
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
                    text("p", "None yet: games that you have played to their end are listed here.", "muted small")
                    text("a", "Play a game", "q-btn k-btn").props('href="/play"')

    async def _load(self, data: bytes) -> None:
        stories = await in_turn(self.services, lambda runtime: read_stories(unpacked(data), runtime), self._said)
        if stories is not None and len(stories) > 1:
            self._choose(stories)
        elif stories:
            await self._take(stories[0])

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

    # --- the game -------------------------------------------------------------------------------------------------

    async def open(self, id: str, story: Story, step: int | None = None) -> None:
        """Show a game, with its review if there is one; else begin it."""
        self.id, self.story = id, story
        self.step = story.steps if step is None else min(step, story.steps)
        self.review = await asyncio.to_thread(self._reviews.kept, id)
        with emptied(self._root):
            self._build(story)
        arrive(self._client, f"{story.title.removeprefix('Catan: ')} · Review")
        if self.review is None:
            self.start()
        await self.show()
        self._note_address()

    def _build(self, story: Story) -> None:
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
                with card("Chances to win"):
                    self._chart = ChancesChart(story.names, self.go)
                    self._progress = box("stack")
                    with self._progress:
                        self._state = text("div", "", "muted small num")
                        self._bar = ProgressBar()
                        button("Stop", self._stop, "stop")
                    self._redo = button("Review again", self.restart, "refresh", "quiet")
                with card("Moves that cost most"):
                    self._slips = box("rv-slips")
                with card("Log", "ct-log-card"):
                    self._log = box("ct-log", "ol").props('aria-label="What happened around this step" tabindex=0')

    def _stepper(self, story: Story) -> None:
        with box("line nowrap rv-stepper-line").props('role=group aria-label="Step through the game"'):
            for icon, said, jump in (
                ("first_page", "To the beginning (Home)", lambda: self.go(0)),
                ("keyboard_double_arrow_left", "One turn back (Shift and left arrow)", lambda: self.turn(-1)),
                ("chevron_left", "One step back (left arrow)", lambda: self.go(self.step - 1)),
            ):
                button("", jump, icon, "quiet").props(f'aria-label="{said}" title="{said}"')
            self._slider = ui.element("input").props(f"type=range min=0 max={story.steps} step=1").classes("grow rv-range")
            self._slider.props["aria-label"] = "Step of the game"
            self._slider.on(
                "input", lambda event: self.go(int(event.args)), js_handler="(e) => emit(e.target.value)", throttle=0.08
            )
            for icon, said, jump in (
                ("chevron_right", "One step on (right arrow)", lambda: self.go(self.step + 1)),
                ("keyboard_double_arrow_right", "One turn on (Shift and right arrow)", lambda: self.turn(1)),
                ("last_page", "To the end (End)", lambda: self.go(story.steps)),
            ):
                button("", jump, icon, "quiet").props(f'aria-label="{said}" title="{said}"')

    async def go(self, step: int) -> None:
        """Show another position."""
        assert self.story is not None
        step = min(max(0, step), self.story.steps)
        if step != self.step:
            self.step = step
            await self.show()
            self._note_address()

    async def turn(self, by: int) -> None:
        """To the beginning of a turn."""
        if self.story is not None:
            await self.go(self.story.turn_start(self.step, by))

    async def show(self) -> None:
        """Show the position, one drawing at a time: who drags the slider sees the last one."""
        if self._busy:
            self._again = True
            return
        self._busy = True
        try:
            self._again = True
            while self._again:
                self._again = False
                await self._show()
        finally:
            self._busy = False

    async def _show(self) -> None:
        story, step = self.story, self.step
        assert story is not None
        slip = slip_at(self.review, step)
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
        self._show_verdict(slip)
        self._show_log()
        self._show_review()

    def _show_verdict(self, slip: Slip | None) -> None:
        self._verdict.clear()
        if slip is None:
            return
        with self._verdict, box("note"):
            text("span", self._words(slip))

    def _words(self, slip: Slip) -> str:
        assert self.story is not None
        played, better = (move_words(move, self.story.record.board, self.story.names) for move in (slip.played, slip.better))
        won = f"{100 * slip.loss.mean:.0f} % of the games"
        return f"{self.story.names[slip.seat]} played ✗ {played}. Better: ✓ {better}, which wins {won} more."

    def _show_log(self) -> None:
        assert self.story is not None
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

    # --- the review -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the review in the background, or join one that runs."""
        assert self.story is not None
        try:
            self.job = self._reviews.start(self.id, self.story, self._client.id)
        except QueueFull as error:
            say(str(error), "negative")
            return
        self._timer.activate()

    async def restart(self) -> None:
        """Review once more what was stopped."""
        self.start()
        await self.show()

    def _stop(self) -> None:
        self._reviews.stop(self.id)

    async def _look(self) -> None:
        job = self.job
        if job is None:
            self._timer.deactivate()
            return
        found = so_far(job)
        changed = found is not self.review and found is not None
        self.review = found or self.review
        if job.over:
            self._timer.deactivate()
            self.job = None
            if job.state is JobState.FAILED:
                say(job.error, "negative")
            await self.show()
        elif changed:
            self._show_review()
        else:
            self._show_progress(job)

    def _show_review(self) -> None:
        self._chart.show(self.review, self.step)
        self._show_progress(self.job)
        slips = self.review.slips if self.review is not None else ()
        seen = (slips, self.step if any(slip.step == self.step for slip in slips) else -1, self.job is None)
        if self._seen == seen:
            return
        self._seen = seen
        with emptied(self._slips):
            for slip in slips:
                self._slip(slip)
            if not slips:
                whole = self.review is not None and self.review.partial is None
                found = "None that cost much." if whole else "The review was stopped: not all moves were judged."
                text("p", "Moves are judged after the chances." if self.job is not None else found, "muted small")
            elif self.review is not None and self.review.partial is None:
                text("p", f"Of {self.review.decisions} decisions. By what each player could know.", "muted small")

    def _slip(self, slip: Slip) -> None:
        assert self.story is not None
        played, better = (move_words(move, self.story.record.board, self.story.names) for move in (slip.played, slip.better))
        with box("rv-slip", "button").props("type=button") as made:
            seat_mark(slip.seat)
            with box("grow"):
                where = f"Turn {slip.turn}: " if slip.turn else "Set-up: "
                text("div", f"{where}{played}")
                text("div", f"better: {better}", "muted small")
            with box("rv-loss num"):
                text("div", f"{MINUS}{100 * slip.loss.mean:.0f} %", "strong")
                sure = "" if slip.loss.tells_apart else "?"
                text("div", f"± {100 * slip.loss.margin:.0f}{sure}", "muted small")
        if slip.step == self.step:
            made.props("aria-current=true")
        if place := element_of(Action.from_text(slip.better).code):
            made.props["data-spot"] = place
        made.on("click", partial(self.go, slip.step))

    def _show_progress(self, job: Job | None) -> None:
        self._progress.set_visibility(job is not None)
        unfinished = job is None and self.review is not None and self.review.partial is not None
        self._redo.set_visibility(unfinished or (job is None and self.review is None))
        if job is None:
            return
        info, share = job.info, 0.0
        if place := self.services.jobs.place(job):
            said = f"Waiting: number {place} in the queue"
        elif info is None:
            said = "Getting ready ..."
        else:
            share = info.done / max(1, info.total)
            left = "" if info.eta is None else f", {duration(info.eta)} left"
            chances = self.review is None or not self.review.decisions
            said = f"{'Estimating chances' if chances else 'Judging moves'}: {percent(share, 0)}{left}"
        self._state.set_text(said)
        self._bar.show(share)

    # --- and besides ----------------------------------------------------------------------------------------------

    def _note_address(self) -> None:
        note_address(self._client, {"game": self.id, "step": str(self.step)})

    async def _key(self, event: events.KeyEventArguments) -> None:
        if self.story is None or not event.action.keydown:
            return
        if event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta:
            return
        moves: dict[str, Any] = {
            "ArrowLeft": lambda: self.turn(-1) if event.modifiers.shift else self.go(self.step - 1),
            "ArrowRight": lambda: self.turn(1) if event.modifiers.shift else self.go(self.step + 1),
            "Home": lambda: self.go(0),
            "End": lambda: self.go(self.story.steps if self.story else 0),
        }
        if (move := moves.get(event.key.name)) is not None:
            await move()

    def _take_to(self, page: str) -> None:
        """Take the position to another page."""
        assert self.story is not None
        ui.navigate.to(f"{page}?{urlencode(self.story.question(self.step).to_query())}")

    async def _download(self) -> None:
        assert self.story is not None
        lines = await asyncio.to_thread(lambda: "\n".join(self.story.record.lines()) if self.story else "")
        ui.download.content(lines + "\n", f"kibitz-catan-{self.id}.jsonl", "application/x-ndjson")


def _prepare(story: Story) -> Story:
    """Work out the positions and words of a game. To be called in a thread."""
    _ = story.lines
    return story
