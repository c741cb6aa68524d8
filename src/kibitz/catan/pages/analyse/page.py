"""The Analyse page itself: it puts setup, board and answer side by side and follows the analysis."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import background_tasks, context, ui

from kibitz.catan.analysis.report import draw_result, draw_standings
from kibitz.catan.pages import analyses
from kibitz.catan.pages.analyse.answer import RUNNING, show_answer, show_hint
from kibitz.catan.pages.analyse.desk import Desk
from kibitz.catan.pages.analyse.setup import SetupPanel
from kibitz.catan.pages.analyse.tools import RunPanel, ToolBar
from kibitz.catan.pages.analyse.unfinished import show_unfinished
from kibitz.catan.pages.analyses import Answer
from kibitz.catan.pages.diary import Unfinished, is_unfinished
from kibitz.catan.pages.files import games_of, question_of
from kibitz.ground.texts import Mistake
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.layout import note_address, patiently
from kibitz.web.pages.work import in_turn
from kibitz.web.parts import box, emptied, hint, note, say, text
from kibitz.web.services import Services

#: Seconds between two looks at a running analysis.
LOOK = 0.3


class AnalysePage:
    """One visitor's page."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.desk = Desk()
        self.job: Job | None = None
        self.answer: Answer | None = None
        self._stood: Unfinished | None = None  # an analysis that ended early, with its server
        self._starting = False
        self._client = context.client  # what is clicked may be gone when its work is done
        self.owner = self._client.id
        self._shown: Any = None
        self._drawings = 0
        text("h1", "Analyse a board of Catan", "hidden-visually")
        with box("an-page"):
            with box("an-boards stack"):
                self.tools = ToolBar(self)
            with box("an-setup stack") as self._settings:
                self.setup = SetupPanel(self)
            with box("an-result stack"):
                self.run = RunPanel(self)
                self.results = box("stack")
                with self.results:
                    show_hint()
        self._timer = ui.timer(LOOK, self._look, active=False)

    async def begin(self, query: dict[str, str]) -> None:
        """Take up what the link says: a position, a running analysis, or one from the library."""
        problem = ""
        if "board" in query:
            try:
                await patiently(self._client, asyncio.to_thread(self.desk.read_query, query))
            except Mistake as error:
                problem = f"This link cannot be read: {error}"
        job = self.services.jobs.get(query.get("job", ""))
        if job is not None and isinstance(job.result, Answer | None):
            self.follow(job)
        self._refresh_parts()
        await patiently(self._client, self.draw())  # so that the page does not come without a board
        if problem:
            self._note(problem)
        if query.get("saved") or query.get("game"):
            await context.client.connected()  # what is to be read may take longer than the page may
            await self._open(query)
            self.refresh()

    def clicked(self, element: str) -> None:
        """A click on the board."""
        if self.job is not None or element not in self.desk.legal():
            return
        self.desk.click(element)
        self.changed()

    def changed(self) -> None:
        """Something on the desk has changed: an answer to the old question is put away."""
        if self.answer is not None or self._stood is not None:
            self.answer = self._stood = None
            with emptied(self.results):
                show_hint()
        self.refresh()

    def refresh(self) -> None:
        """Show the desk as it is now; while an analysis runs, what it was asked stays as it is."""
        self._refresh_parts()
        background_tasks.create(self.draw())

    def _refresh_parts(self) -> None:
        self._settings.props["inert"] = self.job is not None
        self.tools.refresh()
        self.setup.refresh()
        self.run.refresh()
        query = self.desk.query()
        if self.answer is not None and self.answer.id:
            query = {"saved": self.answer.id}
        elif self.job is not None:
            query["job"] = self.job.id
        note_address(self._client, query)

    async def draw(self) -> None:
        """Show the board: with the answer, if there is one. It is drawn in a thread; only the last one asked for is shown."""
        if self.answer is None and self.job is not None and self.job.info is not None:
            return  # the standings are on the board
        self._drawings += 1
        number, legal = self._drawings, self.desk.legal()
        drawing = await asyncio.to_thread(self.drawing())
        if number == self._drawings:
            self.tools.board.show(drawing, legal)

    def drawing(self) -> Callable[[], str]:
        """What draws the board as it is now; to be called in a thread."""
        answer = self.answer
        if answer is not None:
            return lambda: draw_result(answer.result, answer.position, discs=True, names=answer.names)
        return replace(self.desk).drawing if self._stood is None or not self._stood.standings else self._stood.drawing

    async def start(self) -> None:
        """Put the question into the queue."""
        if self._starting or self.job is not None:  # a second click
            return
        self._starting = True
        try:
            job = await asyncio.to_thread(
                analyses.submit, self.services, self.desk.question(), self.owner, names=self.desk.names
            )
        except (Mistake, QueueFull) as error:
            say(str(error), "negative")
            return
        finally:
            self._starting = False
        self.answer = None
        self.follow(job)
        self.refresh()

    def follow(self, job: Job) -> None:
        """Show a job until it is over."""
        self.job, self._shown, self._stood = job, None, None
        with emptied(self.results):
            hint(RUNNING)
        self._timer.activate()

    def cancel(self) -> None:
        """Stop: what there is is shown."""
        if self.job is not None:
            self.services.jobs.cancel(self.job)

    async def _look(self) -> None:
        job = self.job
        if job is None:
            self._timer.deactivate()
            return
        self.run.refresh()
        if job.over:
            self._timer.deactivate()
            self.job = None
            self._ended(job)
        elif job.info is not None and job.info is not self._shown and job.info.ranking:
            self._shown = info = job.info
            drawing = await asyncio.to_thread(lambda: draw_standings(info.ranking, self.desk.question().states()))
            if self.job is job and drawing:
                self._drawings += 1
                self.tools.board.show(drawing)

    def _ended(self, job: Job) -> None:
        if job.state is JobState.DONE and isinstance(job.result, Answer):  # else the address named other work
            self.show(job.result)
        else:
            with emptied(self.results):
                if job.state is JobState.FAILED:
                    note(job.error, "bad")
                show_hint()
        self.refresh()

    def show(self, answer: Answer) -> None:
        """Show an answer."""
        self.answer = answer
        with emptied(self.results):
            show_answer(answer)

    async def _open(self, query: dict[str, str]) -> None:
        """Take up an analysis or a game from the library."""
        saved = query.get("saved", "")
        found = await asyncio.to_thread(self.services.store.load, saved or query["game"])
        if found is not None and saved and found.kind == "analysis":
            await self.open_answer(saved, found.data)
        elif found is not None and not saved and isinstance(found.data, str):
            with self.results:
                said = box("stack")
            if games := await in_turn(self.services, partial(games_of, found.data), said):
                self.desk.take_game(question_of(games[0]), found.title, games[0].seats)
        else:
            self._note(f"This {'analysis' if saved else 'game'} is no longer in the library.", "warn")

    async def open_answer(self, id: str, data: Any) -> None:
        """Show an analysis that was kept in a file or in the library."""
        if is_unfinished(data):
            await self._open_unfinished(id, data)
            return
        try:
            answer = await asyncio.to_thread(analyses.reopened, id, data)
        except Mistake as error:
            self._note(str(error))
            return
        self.desk.take(answer.question, "Saved analysis")
        self.desk.names = answer.names
        self.show(answer)

    async def _open_unfinished(self, id: str, data: Any) -> None:
        """Follow an analysis that still runs, or show what one had that ended with the server."""
        job = self.services.one(analyses.under_way).get(id)
        try:
            found = await asyncio.to_thread(Unfinished.of, data)
        except Mistake as error:
            self._note(str(error))
            return
        self.desk.take(found.question, "Saved analysis")
        if job is not None and not job.over:
            self.follow(job)
            return
        self._stood = found
        with emptied(self.results):
            show_unfinished(found)
        self.refresh()

    def _note(self, problem: str, look: str = "bad") -> None:
        with self.results:
            note(problem, look)

    def guarded(self, change: Callable[..., Any], *given: Any) -> None:
        """Change something on the desk, unless an analysis runs; what is wrong with it is said."""
        if self.job is not None:
            say("An analysis is running. Cancel it first.", "negative")
            return
        try:
            change(*given)
        except Mistake as error:
            say(str(error), "negative")
        self.changed()
