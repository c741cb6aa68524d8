"""What the pages of running games share: following a session, deciding by click and key, the log, the kibitzer, the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from nicegui import context, events, ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.game.definition import Told
from kibitz.web.compiling import COMPILING, compiling
from kibitz.web.games import NotNow, Session
from kibitz.web.layout import note_address
from kibitz.web.pages.kibitzer import Kibitzer
from kibitz.web.pages.newgame import Again
from kibitz.web.parts import box, button, say, seat_mark, text
from kibitz.web.services import Services

#: Seconds between two looks at the game.
LOOK = 0.2
#: Seconds after which people are told why nothing happens, if something is being compiled.
LONG = 1.5
#: Lines of the log that are shown.
LINES = 200
#: The keys that mean the same at every table.
KIBITZ, TAKE_BACK = "k", "u"


@dataclass(frozen=True, kw_only=True)
class TableMoment:
    """What every page of a game shows; nothing that the person cannot know is in it until the end."""

    version: int
    turn: int
    log: tuple[Told, ...]
    over: bool
    result: str
    """How it ended."""
    can_take_back: bool = False


M = TypeVar("M", bound=TableMoment)


class TableView(ABC, Generic[M]):
    """A game as one visitor sees it. A page builds its parts before it calls this constructor, and shows moments."""

    kibitzer: Kibitzer | None = None

    def __init__(
        self,
        services: Services,
        session: Session[Any],
        again: Again,
        all_of_it: ui.element,
        question: TextElement,
        look: Callable[[], M],
    ) -> None:
        """`question` is where it is said why a game does not go on; `look` is called in a thread, since it takes a moment."""
        self.services, self.session = services, session
        self._question, self._now = question, look
        self.moment: M | None = None
        self._again, self._all = again, all_of_it
        self._client = context.client
        self._playing = False
        self._since = monotonic()
        self._typed = ""
        self._timer = ui.timer(LOOK, self._look)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"], repeating=False)
        self.note_address()

    # --- what a page says ------------------------------------------------------------------------------------------

    @abstractmethod
    def show(self, moment: M) -> None:
        """Show a moment."""

    @abstractmethod
    def keys(self) -> Mapping[str, int]:
        """The keys of what may be done now; a key may be several letters, typed one after another."""

    def address(self) -> dict[str, str]:
        """What the address says besides the game: whether the kibitzer is on."""
        return {"kibitz": "1"} if self.kibitzer and self.kibitzer.on else {}

    def idle(self) -> None:
        """Nothing has changed since the last look, but perhaps what the kibitzer thinks."""
        if self.kibitzer:
            self.kibitzer.look()

    def leave_moment(self) -> None:
        """The person has decided: thoughts about this moment are of no use now."""
        if self.kibitzer:
            self.kibitzer.stop()

    async def pressed(self, key: str) -> None:
        """A key that decides nothing."""
        if key == TAKE_BACK and self.moment and self.moment.can_take_back:
            await self.take_back()
        elif key == KIBITZ and self.kibitzer:
            self.kibitzer.flip()

    # --- following the game ----------------------------------------------------------------------------------------

    def note_address(self) -> None:
        """Let the address lead back here."""
        note_address(self._client, {"game": self.session.id, **self.address()})

    async def _look(self) -> None:
        if compiling() and monotonic() - self._since > LONG and (self._playing or self.session.moving):
            self._question.set_text(COMPILING)
        if self._playing:  # what comes of it is shown then, and not before the next decision is heeded
            return
        if self.moment is None or self.session.version != self.moment.version:
            await self.refresh()
        elif self.session.trouble and not self.moment.over:
            self._timer.deactivate()
            self._question.set_text(self.session.trouble)
        else:
            self.idle()

    async def refresh(self, anew: bool = False) -> None:
        """Show the game as it is now; with `anew` even if nothing has happened in it."""
        moment = await asyncio.to_thread(self._now)
        if self._all.is_deleted:  # the visitor has gone on meanwhile
            return
        if self.moment is None or moment.version > self.moment.version or (anew and moment.version == self.moment.version):
            self.moment, self._since = moment, monotonic()
            self.show(moment)

    # --- what the person does --------------------------------------------------------------------------------------

    async def play(self, *codes: int) -> None:
        """Do something, in one step or several."""
        if codes:
            await self._decide(lambda version: self.session.play(codes, version))

    async def take_back(self) -> None:
        """Undo the last decision, if nothing was revealed since."""
        await self._decide(self.session.take_back)

    async def _decide(self, act: Callable[[int], None]) -> None:
        """Do something once, however often it is clicked, or say why it can no longer be done."""
        if self._playing or self.moment is None:
            return
        self._playing, self._since = True, monotonic()
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
        button("New game", partial(self._again, None, 1.0), "tune")
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
    """What happened, in sentences, the last one in sight; older ones are in the record."""

    def __init__(self, opening: str) -> None:
        """`opening` is what comes before the first turn; nothing in a game that counts no turns."""
        self._opening = opening
        self._shown: tuple[Told, ...] = ()
        self._rows: dict[int, ui.element] = {}
        with box("k-log").props('role=log tabindex=0 aria-label="What happened"'):
            self._lines = box("k-lines")

    def show(self, log: Sequence[Told]) -> None:
        """Add what is new, and take away what was taken back."""
        both = zip(self._shown, log, strict=False)
        same = next((n for n, (shown, told) in enumerate(both) if shown != told), min(len(self._shown), len(log)))
        first = max(0, len(log) - LINES)
        for number in [n for n in self._rows if not first <= n < same]:
            self._rows.pop(number).delete()
        with self._lines:
            for number in range(max(first, same), len(log)):
                self._rows[number] = self._line(log[number - 1] if number > first else None, log[number])
        self._shown = tuple(log)

    def _line(self, before: Told | None, told: Told) -> ui.element:
        with box("k-line") as row:
            turn = f"Turn {told.turn}" if told.turn else self._opening
            if turn and (before is None or before.turn != told.turn):
                text("div", turn, "k-turn muted small")
            with box("k-said"):
                if told.seat >= 0:
                    seat_mark(told.seat).props('aria-hidden="true"')
                else:
                    box("seat nobody", "span")
                text("span", told.text)
        return row
