"""Going through a game that is followed: the bar below the hands, and the list of all events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events, ui

from kibitz.catan.tracking.session import Moment
from kibitz.ground.texts import counted
from kibitz.web.parts import box, button, card, text

if TYPE_CHECKING:
    from nicegui.elements.mixins.text_element import TextElement

    from kibitz.catan.pages.track.page import TrackPage


#: Seconds between two events while the game plays.
PACE = 0.45
#: Keys that belong to what has the focus are left to it.
KEYS = """<script>
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !document.querySelector(".tk-bar")) return;
  if (event.target.closest?.("input, textarea, select, .board, .q-dialog, .q-menu")) return;
  const keys = ["ArrowLeft", "ArrowRight", "Home", "End", "p", "u"];
  if (!keys.includes(event.key)) return;
  event.preventDefault();
  emitEvent("track-key", (event.shiftKey ? "Shift+" : "") + event.key);
});
</script>"""


class Bar:
    """The line above everything else."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self._playing = False
        ui.on("track-key", self._key)
        with box("card tk-bar", "section").props('aria-label="Moment of the game"'):
            with box("tk-now"):
                self._seat = text("span", "", "seat")
                self._event = text("div", "", "tk-event").props("aria-live=polite")
            with box("tk-steps"):
                button("", lambda: page.go(0), "first_page", "quiet", name="To the beginning (Home)")
                button("", lambda: page.step(-1), "chevron_left", "quiet", name="One event back (left arrow)")
                self._play = button("", self.toggle, "play_arrow", "quiet", name="Play to the end (P)")
                button("", lambda: page.step(1), "chevron_right", "quiet", name="One event on (right arrow)")
                button("", lambda: page.go(len(page.followed)), "last_page", "quiet", name="To the end (End)")
                with box("tk-slide"):
                    self._slider = ui.element("input").props("type=range min=0 step=1 value=0 class=tk-range")
                    self._slider.props["aria-label"] = "Event of the game"
                    self._ticks = ui.html("", sanitize=False).classes("tk-ticks").props("aria-hidden=true")
            self._slider.on("input", page.go_to, js_handler="(event) => emit(Number(event.target.value))", throttle=0.06)
            with box("tk-where"):
                self._where = text("span", "", "num")
                text("span", "Keys: ← → one event, Shift one turn, Home, End, P plays, U undoes", "muted small tk-keys")
        self._timer = ui.timer(PACE, self._tick, active=False)

    def reset(self) -> None:
        """Another game is shown, or this one has changed."""
        game = self._page.followed
        self._slider.props["max"] = len(game)
        self._slider.update()
        at = "".join(f'<i style="left:{100 * n / max(1, len(game)):.2f}%"></i>' for n in list(game.marks)[:200])
        self._ticks.set_content(at)

    def show(self, moment: Moment) -> None:
        """Show the moment."""
        game = self._page.followed
        names = game.players
        seat = getattr(moment.event, "player", None)
        self._seat.set_text("·" if seat is None else str(seat + 1))
        self._seat.classes(replace="seat" if seat is None else f"seat seat-{seat}")
        said = "Before the first event" if moment.event is None else moment.event.text(names)
        self._event.set_text(said)
        worlds = counted(moment.told["worlds"], "possible world")
        turn = f"turn {moment.told['turn']}" if moment.told["turn"] else "set-up"
        self._where.set_text(f"Event {moment.number} of {len(game)} · {turn} · {worlds}")
        if self._slider.props.get("value") != moment.number:
            self._slider.props["value"] = moment.number
            self._slider.update()

    async def _key(self, event: events.GenericEventArguments) -> None:
        page = self._page
        if page.game is None:
            return
        turns, last = page.game.turns(), len(page.game)
        moves = {
            "ArrowLeft": lambda: page.step(-1),
            "ArrowRight": lambda: page.step(1),
            "Shift+ArrowLeft": lambda: page.go(max((turn for turn in turns if turn < page.at), default=0)),
            "Shift+ArrowRight": lambda: page.go(min((turn for turn in turns if turn > page.at), default=last)),
            "Home": lambda: page.go(0),
            "End": lambda: page.go(last),
            "p": self.toggle,
            "u": page.undo,
        }
        if (move := moves.get(str(event.args))) is not None:
            await move()

    async def toggle(self) -> None:
        """Play, or stop."""
        self._set_playing(not self._playing)
        if self._playing and self._page.at >= len(self._page.followed):
            await self._page.go(0)

    def _set_playing(self, playing: bool) -> None:
        self._playing = playing
        self._play.props(f"icon={'pause' if playing else 'play_arrow'}")
        self._play.props["aria-label"] = self._play.props["title"] = "Stop (P)" if playing else "Play to the end (P)"
        self._timer.activate() if playing else self._timer.deactivate()

    async def _tick(self) -> None:
        if self._page.game is None or self._page.at >= len(self._page.followed):
            self._set_playing(False)
            return
        await self._page.step(1)


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
            self._list = box("tk-list").props('tabindex=0 role=group aria-label="Events"')
            self._list.on("click", page.go_to, js_handler=_CLICKED)
            with box("line tight"):
                button("Download", self._download, "download", "quiet").props('title="The event list as a file"')
                self._saved = text("span", "", "muted small")

    def _download(self) -> None:
        ui.download.content("\n".join([*self._page.followed.log.lines(), ""]), "kibitz-events.jsonl", "application/x-ndjson")

    def reset(self) -> None:
        """Another game is shown, or this one has changed."""
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
        marks, names, events_ = game.marks, game.players, game.events
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
