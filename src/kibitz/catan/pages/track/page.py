"""The Track page itself: it loads a game in the background, shows one moment of it, and keeps what is changed."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from nicegui import background_tasks, context, events, ui

from kibitz.catan.core.events import Event
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.track.entry import EntryPanel
from kibitz.catan.pages.track.form import TrackedBoard
from kibitz.catan.pages.track.hands import HandsPanel, WorldsPanel
from kibitz.catan.pages.track.moments import KEYS, Bar, Chronicle
from kibitz.catan.pages.track.side import DevCards, Dice, Steals, Trust, Ways
from kibitz.catan.pages.track.start import StartPanel
from kibitz.catan.tracking.followed import ELSEWHERE, NEW, SECONDS, Followed, InvalidGame, Opened, Source, saved_as
from kibitz.catan.tracking.keeping import session_text
from kibitz.catan.tracking.live import tracking
from kibitz.catan.tracking.session import Moment
from kibitz.compute.runtime import Limit, Runtime
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.layout import arrive, note_address
from kibitz.web.parts import ProgressBar, box, button, card, lets_go, say, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: Seconds between two looks at a log that is being read, and how long a visitor waits for one, its place in the queue apart;
#: the very first time the rules are compiled.
LOOK, PATIENCE = 0.15, 6 * SECONDS
#: What its work is called in the queue.
TITLE = "following a game"
#: Seconds after which a visitor who has gone no longer comes back by a refresh.
GONE = 5.0
#: What is said while a game that made room for others is worked out again.
AGAIN = "other games needed the memory of this one: it is worked out again"

Work = Callable[[Runtime, "list[Followed]"], Opened]


class TrackPage:
    """One visitor's page."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.game: Followed | None = None
        self.at = 0
        self.moment: Moment | None = None
        self.table: TrackedBoard | None = None
        self._kept = NEW
        self._session = ""
        self._arrived: list[Followed] = []
        self._job: Job | None = None
        self._waited = 0.0
        self._target, self._stepping, self._edition = 0, False, 0
        self._built = False
        self._drawn: Any = None
        self._changing = asyncio.Lock()
        self._client = context.client
        self._client.on_disconnect(self._gone)
        self._client.on_delete(self._put_away)
        ui.add_head_html(KEYS)  # a script that comes later would not run
        self.start = StartPanel(self)
        with box("card tk-waiting", "section") as self._waiting:
            self._line = text("div", "", "num")
            self._progress = ProgressBar()
            button("Cancel", self._give_up, "stop")
        self._waiting.set_visibility(False)
        self._content = box("tk-page")
        self._content.set_visibility(False)
        self._timer = ui.timer(LOOK, self._look, active=False)

    def _build(self) -> None:
        with box("tk-main stack"):
            self.bar = Bar(self)
            self._trust = Trust(self)
            self._hands = HandsPanel(self)
            self._steals = Steals(self)
            self._worlds = WorldsPanel(self)
            self._cards = DevCards(self)
            self._dice = Dice()
        with box("tk-side stack"):
            with card(classes="tk-game"):
                self._name = text("h2", "")
                with box("line"):
                    self._eyes = lets_go(ui.select([], label="Point of view", on_change=self._look_as))
                    self._eyes.props("outlined dense").classes("grow")
                self._ways = Ways(self)
                with box("line tight"):
                    self._remove = button("Remove event", self.remove, "delete_outline", "quiet")
                    self._remove.props["title"] = "The event of this moment never happened; what comes after it stays"
                    self._undo = button("Undo", self.undo, "undo", "quiet")
                    self._undo.props["title"] = "Take back the last change by hand (U)"
                    button("Close", self.leave, "close", "quiet").props('title="Choose another game"')
            self.entry = EntryPanel(self)
            with card(classes="tk-board") as self._board_card:
                self._board = BoardView(self._clicked)
            self._chronicle = Chronicle(self)

    @property
    def followed(self) -> Followed:
        """The game that is shown."""
        assert self.game is not None
        return self.game

    # --- coming and going -----------------------------------------------------------------------------------------

    async def begin(self, query: dict[str, str]) -> None:
        """Take up what the link says: a game of the library, at a moment."""
        at = int(query["at"]) if query.get("at", "").isdecimal() and len(query["at"]) < 7 else None
        if query.get("saved"):
            self._open_saved(query["saved"], at)
        if query.get("session"):
            self._open_session(query["session"], at)
        job = self.services.jobs.get(query.get("job", ""))
        if job is not None and job.title == TITLE:
            self._follow(job)
        await self.start.refresh()

    def load(self, source: Source | str) -> None:
        """Follow a new game (or what a file holds)."""
        if isinstance(source, str):
            self._read(lambda runtime: Followed.from_file(source, runtime))
        else:
            self._read(lambda runtime: Followed.read(source, runtime=runtime))

    def _read(self, read: Callable[[Runtime], Followed], kept: Opened = NEW) -> None:
        """Follow what is read, and keep it in the library."""
        store = self.services.store

        def work(runtime: Runtime, arrived: list[Followed]) -> Opened:
            game = read(runtime)
            if runtime.stopped == "cancelled":
                raise InvalidGame("it was cancelled")
            arrived.append(game)
            return saved_as(store, game.title, game.to_json(), kept)

        self._submit(work)

    def _open_session(self, id: str, at: int | None) -> None:
        """A session as it is now, to step through; what is changed in it by hand becomes a game of its own."""
        sessions, self._session = self.services.one(tracking), id

        def work(runtime: Runtime, arrived: list[Followed]) -> Opened:
            arrived.append(Followed.from_file(session_text(sessions, id), runtime))
            return Opened("", False, at)

        self._submit(work)

    def _open_saved(self, id: str, at: int | None) -> None:
        store, sessions = self.services.store, self.services.one(tracking)

        def work(runtime: Runtime, arrived: list[Followed]) -> Opened:
            found = store.load(id)
            if found is None or found.kind not in ("log", "game"):
                raise InvalidGame("this game is no longer in the library")
            if isinstance(found.data, dict) and "session" in found.data:  # it is still followed
                self._session = id
                arrived.append(Followed.from_file(session_text(sessions, id), runtime))
                return Opened("", False, at)
            arrived.append(Followed.from_json(found.data, runtime))
            return Opened(id, found.kind == "log" and not isinstance(found.data, str), at, found.changed)

        self._submit(work)

    def _submit(self, work: Work) -> None:
        """Let a game be read in the queue. It does not stay there: after a refresh it is read again, from the library."""
        arrived: list[Followed] = []
        self._arrived = arrived
        try:
            job = self.services.jobs.submit(
                TITLE, lambda runtime: work(runtime, arrived), self._client.id, Limit(time=SECONDS), (InvalidGame, NotSaved)
            )
        except QueueFull as error:
            self.start.say(str(error))
            return
        self._follow(job)

    def _follow(self, job: Job) -> None:
        self.services.jobs.follow(job, self._client.id)
        self._job, self._waited = job, time.monotonic()
        self.start.said.clear()
        self._line.set_text("Reading the log…")
        self._progress.show(None)
        self._show_only(self._waiting)
        self._timer.activate()
        note_address(self._client, {"job": job.id})

    def _show_only(self, part: ui.element) -> None:
        for other in (self.start.root, self._waiting, self._content):
            other.set_visibility(other is part)

    def _give_up(self, message: str = "") -> None:
        """Back to the beginning."""
        if self._job is not None:
            self.services.jobs.cancel(self._job)
            self._job = None
        if self.game is not None:  # other eyes were asked for
            self._eyes.set_value(self.game.source.me or "")
            self._show_only(self._content)
            self._note_address()
            return
        self._show_only(self.start.root)
        note_address(self._client, {})
        if message:
            self.start.say(message)

    async def _look(self) -> None:
        job = self._job
        if job is None:
            self._timer.deactivate()
            return
        if place := self.services.jobs.place(job):
            self._waited = time.monotonic()
            self._line.set_text(f"Waiting: number {place} in the queue")
        elif job.info is not None:
            self._line.set_text(f"Following the game: event {job.info.done:,} of {job.info.total:,}")
            self._progress.show(job.info.done / max(1, job.info.total))
        if not job.over:
            if time.monotonic() - self._waited > PATIENCE:
                self._give_up(f"This log takes too long to read: more than {PATIENCE:.0f} seconds.")
            return
        self._timer.deactivate()
        if job.state is JobState.DONE and not self._arrived:
            self._open_saved(job.result.id, job.result.at)
        elif job.state is JobState.DONE:
            self._job = None
            await self._open(self._arrived.pop(), job.result)
        else:
            self._give_up(f"This cannot be followed: {job.error}" if job.error else "")

    async def _open(self, game: Followed, opened: Opened) -> None:
        if self.game is None:  # else it is the same game, seen by somebody else
            arrive(self._client, f"{game.title} · Track")
        if not self._built:  # a visitor without a game need not wait for the panels of one
            self._built = True
            with self._content:
                self._build()
        self.game, self._kept = game, opened
        self._name.set_text(game.title)
        told = "A spectator" if game.source.me is None and game.observer is None else "As in the log"
        self._eyes.set_options({"": told, **{name: name for name in game.players}}, value=game.source.me or "")
        self._board_card.set_visibility(game.board is not None)
        self._ways.open(game)
        self._drawn = None
        self._hands.reset()
        self.entry.set_open(not game.imported.log.events)
        self._show_only(self._content)
        self._changed()
        self._chronicle.saved(True)
        at = opened.at if opened.at is not None else len(game)
        await self.go(at, anew=True)

    async def leave(self) -> None:
        """Back to where a game is chosen."""
        self._put_away()
        self._show_only(self.start.root)
        note_address(self._client, {})
        arrive(self._client, "Track")
        await self.start.refresh()

    def _put_away(self) -> None:
        self.game = None
        self._edition += 1
        self.services.room.leave(self)

    async def _gone(self) -> None:
        """Stop what is read for a visitor who has gone; after a refresh it belongs to another page."""
        await asyncio.sleep(GONE)
        if self._job is not None and not self._client.has_socket_connection:
            self.services.jobs.leave(self._job, self._client.id)

    # --- moments --------------------------------------------------------------------------------------------------

    async def step(self, by: int) -> None:
        """This many events beyond where the last click led, or back."""
        await self.go(self._target + by)

    async def go_to(self, event: events.GenericEventArguments) -> None:
        """Show the moment that somebody chose in the browser."""
        if isinstance(event.args, int):
            await self.go(event.args)

    async def go(self, number: int, anew: bool = False) -> None:
        """Show the moment after this many events; if clicks come faster than answers, only the last one counts."""
        if self.game is None:
            return
        self._target = min(max(0, number), len(self.game))
        if anew:
            self.moment = None
            self._edition += 1
        if self._stepping:
            return
        self._stepping = True
        try:
            while self.game is not None and (self.moment is None or self.moment.number != self._target):
                edition = self._edition
                if self.game.rests:
                    self.say(AGAIN, "info")
                moment, table = await asyncio.to_thread(self._looked_at, self.game, self._target)
                if edition != self._edition:  # the game has changed meanwhile, or was closed
                    continue
                with self._content:  # what was clicked may be gone by now
                    self._show(moment, table)
                    await self.draw_board()
                    await self._worlds.refresh()
        finally:
            self._stepping = False
        background_tasks.create(self._prepare(self._target))

    def _looked_at(self, game: Followed, number: int) -> tuple[Moment, TrackedBoard | None]:
        """A moment, and the board then. To be called in a thread."""
        moment = game.moment(number)
        if self.game is game:  # else it was closed meanwhile
            self.services.room.take(self, game.nbytes, game.rest)
        return moment, None if game.board is None else TrackedBoard(game.board, game.players, game.events[:number])

    async def _prepare(self, number: int) -> None:
        """Have the moments beside this one ready."""
        for near in (number + 1, number - 1):
            if self.game is not None and self._target == number and 0 <= near <= len(self.game):
                await asyncio.to_thread(self.game.moment, near)

    def _show(self, moment: Moment, table: TrackedBoard | None) -> None:
        self.moment, self.at, self.table = moment, moment.number, table
        for panel in (self.bar, self._trust, self._hands, self._steals, self._cards, self._chronicle, self._dice, self.entry):
            panel.show(moment)
        self._remove.set_enabled(moment.number > 0)
        self._undo.set_enabled(bool(self.followed.edits))
        self._note_address()

    async def draw_board(self) -> None:
        """Show the board of the moment, if it has changed; for the form, while that is open."""
        self._content.classes(add="by-hand") if self.entry.is_open else self._content.classes(remove="by-hand")
        table = self.table
        if table is None:
            return
        choices = table.choices(self.entry.form.seat) if self.entry.is_open else []
        state = table.key(), choices
        if state != self._drawn:
            self._drawn = state
            drawing = await asyncio.to_thread(table.draw)
            if self._drawn is state:
                self._board.show(drawing, choices)

    def _note_address(self) -> None:
        where = {"saved": self._kept.id} if self._kept.id else {"session": self._session}
        note_address(self._client, {**where, "at": str(self.at)})

    # --- changes --------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self.bar.reset()
        self._chronicle.reset()

    async def _clicked(self, element: str) -> None:
        if self.table is None or not self.entry.is_open or element not in self.table.choices(self.entry.form.seat):
            return
        setup = self.moment is not None and self.moment.told["turn"] == 0
        await self.entry.put(self.table.events_of(element, self.entry.form.seat, setup))

    async def insert(self, said: list[Event]) -> None:
        """Put events behind the moment, and go behind them."""
        await self._change(lambda game, at: game.insert(at, said), len(said))

    async def remove(self) -> None:
        """Take out the event that led to the moment, if one did."""
        if self.at:
            await self._change(lambda game, at: game.remove(at - 1), -1)

    async def undo(self) -> None:
        """Take back the last change by hand."""
        await self._change(lambda game, at: game.take_back())

    async def resolve(self, steal: str, resource: str | None) -> None:
        """Say which card a steal took."""
        await self._change(lambda game, at: game.resolve(steal, resource))

    async def _change(self, change: Callable[[Followed, int], int | None], by: int = 0) -> None:
        """Change the game at this moment; once all is safe, show the moment that `change` gives, or the one `by` events on."""
        async with self._changing:  # one after the other, however fast the clicks come
            game, kept, problem = self.game, self._kept, ""
            if game is None:
                return
            try:
                found = await asyncio.to_thread(change, game, self.at)
            except InvalidGame as error:
                self.say(str(error))
                return
            try:
                saved = await asyncio.to_thread(saved_as, self.services.store, game.title, game.to_json(), kept)
                problem = ELSEWHERE if kept.mine and saved.id != kept.id else ""
            except NotSaved as error:
                saved, problem = kept, str(error)
            if problem:
                self.say(problem)
            if self.game is not game:  # it was closed meanwhile
                return
            self._kept = saved
            self._chronicle.saved(saved is not kept)
            self._changed()
            self.at = self.at + by if found is None else found
            await self.go(self.at, anew=True)

    def _look_as(self, event: Any) -> None:
        """Read the log with other eyes."""
        if self.game is None or (event.value or None) == self.game.source.me:
            return
        data = self.game.seen_by(event.value or None)
        self._read(lambda runtime: Followed.from_json(data, runtime), replace(self._kept, at=self.at))

    def say(self, message: str, look: Literal["info", "negative"] = "negative") -> None:
        """Say something at the edge of the page."""
        with self._content:  # what was clicked may be gone by now
            say(message, look)
