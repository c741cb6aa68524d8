"""What comes to the Analyse page and leaves it: boards, questions, analyses and games, as files, texts, links and pictures."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nicegui import ui

from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.logs.base import decoded
from kibitz.compute.runtime import Runtime
from kibitz.ground.codec import parse_json
from kibitz.ground.messages import Mistake
from kibitz.web.jobs import QueueFull
from kibitz.web.pages.paste import PasteField
from kibitz.web.pages.turns import in_turn
from kibitz.web.parts import box, button, note, say, text
from kibitz.web.store import NotSaved, content_id

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage
    from kibitz.web.services import Services


#: Bytes of an unpacked file.
MOST_BYTES = 32 << 20
#: Games of one file that can be chosen from.
MOST_GAMES = 100


@dataclass(frozen=True)
class Found:
    """What a file holds: one of these."""

    board: Board | None = None
    question: Question | None = None
    analysis: Any = None
    games: tuple[Record, ...] = ()


def unpacked(data: bytes) -> str:
    """The text of a file, which may be packed. Raises `InvalidQuestion`."""
    try:
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InvalidQuestion(f"the file is too large: at most {MOST_BYTES >> 20} MB")
        return decoded(data).strip()
    except (EOFError, OSError, zlib.error, UnicodeDecodeError):
        raise InvalidQuestion("the file is damaged, or is not text in UTF-8") from None


def read_any(content: str, runtime: Runtime | None = None) -> Found:
    """A board, a question, an analysis or a game record, by its content. Raises a `Mistake`."""
    if not content.startswith(("{", "[")):
        return Found(board=Board.from_text(content))
    try:
        data = parse_json(content)
    except ValueError as error:
        if "\n" not in content:
            raise InvalidQuestion(str(error)) from None
        return Found(games=games_of(content, runtime))
    if not isinstance(data, dict):
        raise InvalidQuestion("expected a board, a question, an analysis or a game record")
    if "record" in data:
        return Found(games=games_of(content, runtime))
    if "analysis" in data:
        return Found(analysis=data)
    if "question" not in data:
        return Found(board=Board.from_json(data))
    question = Question.from_json(data)
    question.states()  # an illegal move is refused here
    return Found(question=question)


def question_of(record: Record) -> Question:
    """The position at the end of a recorded game."""
    return Question(record.board, len(record.seats), record.rules, record.codes)


def games_of(content: str, runtime: Runtime | None) -> tuple[Record, ...]:
    """The games of a record file; of very many the first. Raises `InvalidQuestion`."""
    games = []
    try:
        for record in check(content.splitlines()):
            games.append(record)
            if len(games) == MOST_GAMES or (runtime is not None and runtime.stopped):
                break
    except RecordError as error:
        raise InvalidQuestion(f"not a game record: {error}") from None
    if not games:
        raise InvalidQuestion("there is no game in it")
    return tuple(games)


async def read_in_turn(services: Services, data: bytes, said: ui.element) -> Found:
    """The same, read in the queue; `said` tells of it. Raises `QueueFull`, too."""

    def work(runtime: Runtime) -> Found:
        runtime.begin()
        return read_any(unpacked(data), runtime)

    return await in_turn(services, work, said)


class LoadDialog:
    """Asks for a file or a text."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with ui.dialog() as self._dialog, ui.card().classes("stack").style("width:min(560px,92vw)"):
            text("h2", "Load a board, an analysis or a game")
            text("p", "The text or JSON of a board, a file that was downloaded here, or a game record.", "muted small")
            field = PasteField("A board, an analysis or a game", page.services.options.body, self._load, self._refuse)
            self._said = box("stack")
            with box("line"):
                field.read_button("Load", "download_done")
                field.file_button()
                button("Close", self._dialog.close, classes="quiet")

    def open(self) -> None:
        """Show the dialog."""
        self._said.clear()
        self._dialog.open()

    def _refuse(self, problem: str) -> None:
        self._said.clear()
        with self._said:
            note(problem, "bad")

    async def _load(self, data: bytes) -> None:
        try:
            found = await read_in_turn(self._page.services, data, self._said)
        except (Mistake, QueueFull) as error:
            self._refuse(str(error))
            return
        if len(found.games) > 1:
            self._choose(found.games)
        else:
            await self._take(found, found.games[0] if found.games else None)

    def _choose(self, games: tuple[Record, ...]) -> None:
        self._said.clear()
        with self._said, box("line"):
            for record in games:

                async def take(record: Record = record) -> None:
                    await self._take(Found(), record)

                button(f"Game {record.game}", take)

    async def _take(self, found: Found, record: Record | None) -> None:
        page = self._page
        if found.analysis is not None:
            await page.open_answer("", found.analysis)
        elif record is not None:
            page.guarded(lambda: page.desk.take_game(question_of(record), f"Game {record.game}"))
            lines = "\n".join(record.lines())
            title = f"Game {record.game}, {', '.join(record.seats)}"
            try:
                await asyncio.to_thread(page.services.store.save, "game", title, lines, content_id(lines))
            except NotSaved as error:
                say(str(error), "negative")
        elif found.question is not None:
            question = found.question
            page.guarded(lambda: page.desk.take(question, "Loaded"))
        elif found.board is not None:
            board = found.board
            page.guarded(lambda: page.desk.new_board(board, "Loaded board"))
        page.refresh()
        self._dialog.close()


class SharePanel:
    """The line below the button that starts an analysis."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with box("line tight"):
            self._link = button("Copy link", self._copy, "link", "quiet")
            button("SVG", self._svg, "image", "quiet")
            self._json = button("JSON", self._download, "data_object", "quiet")
        self._play = button("Play from here", self._play_on, "extension", "quiet")
        self._play.props["title"] = "Begin a game against bots on this board, with what stands on it"
        self._saved = text("p", "", "muted small")

    def refresh(self) -> None:
        """Say whether the answer is in the library."""
        answer = self._page.answer
        saved = answer is not None and bool(answer.id)
        self._saved.set_text("Saved to the library." if saved else "")
        self._saved.set_visibility(saved)
        for made in (self._play, self._link, self._json):
            made.set_enabled(not self._page.desk.trouble())

    def _play_on(self) -> None:
        ui.navigate.to(f"/play?{urlencode(self._page.desk.query())}")

    def _copy(self) -> None:
        """The position and the settings, not the answer: whoever opens the link can run it."""
        query = urlencode(self._page.desk.query())
        ui.run_javascript(f"kibitz.copy(location.origin + '/analyse?' + {query!r})")
        say("link copied", "positive")

    async def _svg(self) -> None:
        drawing = await asyncio.to_thread(self._page.drawing())
        ui.download.content(drawing, "kibitz-board.svg", "image/svg+xml")

    def _download(self) -> None:
        page = self._page
        data = page.desk.question().to_json() if page.answer is None else page.answer.to_json()
        name = "kibitz-question.json" if page.answer is None else "kibitz-analysis.json"
        ui.download.content(json.dumps(data, indent=2), name, "application/json")
