"""The list of events: where the game is, what came before, what comes next. A click goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events, ui

from kibitz.catan.tracking.session import Moment
from kibitz.web.parts import box, button, card, text

if TYPE_CHECKING:
    from nicegui.elements.mixins.text_element import TextElement

    from kibitz.catan.pages.track.page import TrackPage

#: Rows that are in the page at once; a longer game shows those around the moment.
ROWS = 240
_CLICKED = """(event) => {
  const row = event.target.closest("[data-event]");
  if (row) emit(Number(row.dataset.event));
}"""
#: Brings the row of now into view without moving the page itself.
_SCROLL = """
const list = document.querySelector(".tk-list"), row = list?.querySelector("[aria-current]");
if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2 + row.clientHeight / 2;
"""


class Chronicle:
    """All events, or as many as a page can hold."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self._first = 0
        self._rows: list[TextElement] = []
        self._now: TextElement | None = None
        with card("Events", "tk-log") as self._card:
            self._list = box("tk-list").props('tabindex=-1 aria-label="Events"')
            self._list.on("click", self._clicked, js_handler=_CLICKED)
            with box("line tight"):
                button("Download", self._download, "download", "quiet").props('title="The event list as a file"')
                self._saved = text("span", "", "muted small")

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        if isinstance(event.args, int):
            await self._page.go(event.args)

    def _download(self) -> None:
        ui.download.content("\n".join([*self._page.followed.log.lines(), ""]), "kibitz-events.jsonl", "application/x-ndjson")

    def reset(self) -> None:
        """The game is another, or has changed."""
        self._rows, self._now = [], None

    def saved(self, is_saved: bool) -> None:
        """Say whether the game is in the library."""
        self._saved.set_text("Saved to the library." if is_saved else "")

    def show(self, moment: Moment) -> None:
        """Show where the game is."""
        at = moment.number
        if not self._rows or not self._first <= at < self._first + len(self._rows):
            self._fill(at)
        if self._now is not None:
            self._now.props(remove="aria-current")
        self._now = self._rows[at - self._first]
        self._now.props("aria-current=true")
        ui.run_javascript(_SCROLL)

    def _fill(self, at: int) -> None:
        """Make the rows around a moment."""
        game = self._page.followed
        self._first = max(0, min(at - ROWS // 2, len(game) + 1 - ROWS))
        marks, names, events_ = game.marks(), game.players, game.events
        by_hand = {id(edit.event) for edit in game.edits}
        added = {number for number, event in enumerate(events_, 1) if id(event) in by_hand}
        self._list.clear()
        self._rows, self._now = [], None
        with self._list:
            for number in range(self._first, min(len(game) + 1, self._first + ROWS)):
                said = events_[number - 1].text(names) if number else "The game begins"
                seat = getattr(events_[number - 1], "player", None) if number else None
                look = "tk-row" + ("" if seat is None else f" of-{seat}") + (" mended" if number in marks else "")
                row = text("button", said, look + (" added" if number in added else ""))
                row.props(f"type=button tabindex=-1 data-event={number}")
                row.props["data-number"] = str(number or "")
                if number in marks:
                    row.props["title"] = marks[number]
                self._rows.append(row)
