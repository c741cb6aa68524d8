"""What the pages of running games share: following a session, the log, deciding by click and key, taking back, the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from nicegui import context, events, ui

from kibitz.game.definition import Told
from kibitz.web.games import NotNow, Session
from kibitz.web.pages.newgame import Again
from kibitz.web.parts import box, button, say, seat_mark, text
from kibitz.web.services import Services

#: Seconds between two looks at the game.
LOOK = 0.2


@dataclass(frozen=True, kw_only=True)
class TableMoment:
    """What every page of a game shows; nothing that the person cannot know is in it until the end."""

    version: int
    turn: int
    log: tuple[Told, ...]
    over: bool
    result: str
    """How it ended."""


M = TypeVar("M", bound=TableMoment)
N = TypeVar("N")


class TableView(ABC, Generic[M]):
    """A game as one visitor sees it. A page builds its parts before it calls this constructor, and shows moments."""

    def __init__(self, services: Services, session: Session[Any], again: Again, all_of_it: ui.element) -> None:
        self.services, self.session = services, session
        self.moment: M | None = None
        self._again, self._all = again, all_of_it
        self._client = context.client
        self._playing = False
        self._typed = ""
        self._timer = ui.timer(LOOK, self._look)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"], repeating=False)
        self.note_address()

    # --- what a page says ------------------------------------------------------------------------------------------

    @abstractmethod
    def look(self) -> M:
        """The game as it is now. Called in a thread: it may take some milliseconds."""

    @abstractmethod
    def show(self, moment: M) -> None:
        """Show a moment."""

    @abstractmethod
    def complain(self, trouble: str) -> None:
        """Say why the game does not go on."""

    @abstractmethod
    def keys(self) -> Mapping[str, int]:
        """The keys of what may be done now; a key may be several letters, typed one after another."""

    def address(self) -> dict[str, str]:
        """What the address says besides the game."""
        return {}

    def idle(self) -> None:
        """Nothing has changed since the last look."""

    def leave_moment(self) -> None:
        """The person has decided: what was thought about this moment is of no use any more."""

    async def pressed(self, key: str) -> None:
        """A key that decides nothing."""

    # --- following the game ----------------------------------------------------------------------------------------

    def note_address(self) -> None:
        """Let the address lead back here."""
        query = urlencode({"game": self.session.id, **self.address()})
        self._client.run_javascript(f"kibitz.address({query!r})")

    async def _look(self) -> None:
        if self.moment is None or self.session.version != self.moment.version:
            await self.refresh()
        elif self.session.trouble and not self.moment.over:
            self._timer.deactivate()
            self.complain(self.session.trouble)
        else:
            self.idle()

    async def refresh(self) -> None:
        """Show the game as it is now."""
        moment = await asyncio.to_thread(self.look)
        if self._all.is_deleted:  # the visitor has gone on meanwhile
            return
        if self.moment is None or moment.version > self.moment.version:
            self.moment = moment
            self.show(moment)

    # --- what the person does --------------------------------------------------------------------------------------

    async def play(self, code: int) -> None:
        """Do something."""
        await self._decide(lambda version: self.session.play([code], version))

    async def take_back(self) -> None:
        """Undo the last decision, if nothing was revealed since."""
        await self._decide(self.session.take_back)

    async def _decide(self, act: Callable[[int], None]) -> None:
        """Do something once, however often it is clicked, or say why it cannot be done any more."""
        if self._playing or self.moment is None:
            return
        self._playing = True
        self.leave_moment()
        try:
            await asyncio.to_thread(act, self.moment.version)
        except NotNow as error:
            with self._all:
                say(str(error), "negative")
        finally:
            self._playing = False
        await self.refresh()

    async def _key(self, event: events.KeyEventArguments) -> None:
        key, held = str(event.key).lower(), event.modifiers
        if not event.action.keydown or held.ctrl or held.alt or held.meta or self.moment is None:
            return
        known = self.keys()
        typed = next((seen for seen in (self._typed + key, key) if any(one.startswith(seen) for one in known)), "")
        self._typed = "" if typed in known else typed
        if typed in known:
            await self.play(known[typed])
        elif not typed:
            await self.pressed(key)

    # --- the end ---------------------------------------------------------------------------------------------------

    def end_buttons(self) -> None:
        """What can be done when a game is over."""
        button("Play again", self._play_again, "replay", "primary")
        button("Another table", partial(self._again, None, 1.0), "tune")
        button("Download the record", self._download, "download")

    async def _play_again(self) -> None:
        """Another game with the same setup, and the next seed."""
        setup = dict(self.session.setup)
        await self._again({**setup, "seed": int(setup["seed"]) + 1}, self.session.pace)

    async def _download(self) -> None:
        """The game as a file."""
        session = self.session
        lines = await asyncio.to_thread(session.kind.record, session.setup, session.moves)
        ui.download.content(lines, f"{session.kind.name}-{session.id}.jsonl", "application/x-ndjson")


class LogLines:
    """What happened, in sentences, the last one in sight."""

    def __init__(self, opening: str) -> None:
        """`opening` is what comes before the first turn."""
        self._opening = opening
        self._shown: tuple[Told, ...] = ()
        with box("k-log").props('role=log tabindex=0 aria-label="What happened"'):
            self._lines = box("k-lines")

    def show(self, log: Sequence[Told]) -> None:
        """Add what is new; after something was taken back, begin anew."""
        if self._shown != tuple(log[: len(self._shown)]):
            self._lines.clear()
            self._shown = ()
        with self._lines:
            for number in range(len(self._shown), len(log)):
                self._line(log[number - 1] if number else None, log[number])
        self._shown = tuple(log)

    def _line(self, before: Told | None, told: Told) -> None:
        if before is None or before.turn != told.turn:
            text("div", f"Turn {told.turn}" if told.turn else self._opening, "k-turn muted small")
        with box("k-said"):
            if told.seat >= 0:
                seat_mark(told.seat).props('aria-hidden="true"')
            else:
                box("seat nobody", "span")
            text("span", told.text)
