"""What is around the board of the Analyse page: its tools, the button that starts an analysis, and what leaves the page."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui

from kibitz.catan.analysis import AnalysisMode
from kibitz.catan.analysis.types import AnalysisConfig
from kibitz.catan.core.board import PORT_TYPES, RESOURCES, TOKENS
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.svg import TERRAIN_COLOURS
from kibitz.catan.pages.analyse.desk import Tool
from kibitz.catan.pages.analyses import MOST
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.places import called, with_names
from kibitz.ground.texts import capitalised
from kibitz.web.jobs import Job
from kibitz.web.parts import ProgressBar, box, button, card, emptied, hint, note, pressable, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage

#: This much work means: as much as there is time for.
_ENDLESS = (AnalysisConfig.MOST_ITERATIONS, MOST["ismcts_iterations"])
_NUMBERS = sorted(set(TOKENS))
#: Seconds that a browser has to copy something.
COPYING = 10.0


class ToolBar:
    """The board, what a click on it does, and what is wrong with it."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        self._bar = box("an-board-tools").props('role=toolbar aria-label="What a click on the board does"')
        self.board = BoardView(page.clicked)
        self._below = box("stack")  # what is said about the board never moves it

    def refresh(self) -> None:
        """Show the tools, and what there is to say about the board."""
        desk = self._page.desk
        with emptied(self._bar):
            self._groups()
        with emptied(self._below):
            if desk.blank:
                note(f"{desk.flaws[0].text}. The numbers follow by themselves.")
            elif desk.flaws:
                note(f"This board isn't valid yet: {'; '.join(flaw.text for flaw in desk.flaws)}.", "bad")
            elif trouble := desk.trouble():
                note(capitalised(desk.said(trouble)), "warn")
            self._remarks()

    def _groups(self) -> None:
        desk = self._page.desk
        editing = desk.tool.kind != "place"
        button("Place pieces", lambda: self._use(Tool()), "home_work", "" if editing else "chosen")
        button("Edit board", lambda: self._use(Tool("terrain", "wood")), "edit", "chosen" if editing else "")
        if editing:
            self._editors()
        elif not desk.game:
            with box("line tight").props('role=group aria-label="Whose pieces"'):
                for seat in range(desk.seats):
                    chosen = desk.placing == seat
                    name = f"Pieces of {called(seat, desk.names)}"
                    pressable(str(seat + 1), lambda s=seat: self._use(Tool("place", s)), f"seat seat-{seat}", chosen, name)
            turns = button(
                "In draft order", lambda: self._use(Tool()), classes="quiet" if desk.tool.value is not None else "chosen"
            )
            turns.props["aria-pressed"] = str(desk.tool.value is None).lower()
            button("Clear", self._clear, "backspace", "quiet").set_enabled(bool(desk.draft.picks))
        else:
            button("Leave the game", self._clear, "logout", "quiet")

    def _editors(self) -> None:
        desk, tool = self._page.desk, self._page.desk.tool
        with box("line tight").props('role=group aria-label="Terrain"'):
            for terrain, colour in TERRAIN_COLOURS.items():
                left = desk.left(terrain)
                made = self._swatch(f"+{-left}" if left < 0 else str(left or ""), Tool("terrain", terrain), terrain)
                made.props["title"] = f"{terrain}: {f'{-left} too many' if left < 0 else f'{left} left'}"
                made.style(f"background:{colour}").classes("terrain" + " over" * (left < 0))
                made.props["disabled"] = bool(desk.blank) and left <= 0
        button("Swap hexes", lambda: self._use(Tool("swap")), "swap_horiz", "chosen" if tool.kind == "swap" else "")
        numbers = Tool("swap numbers")
        button("Swap numbers", lambda: self._use(numbers), "swap_horiz", "chosen" if tool == numbers else "")
        lay = button("Standard numbers", lambda: self._page.guarded(desk.lay_numbers, 1), "rotate_right")
        lay.props["title"] = "Lay the numbers in the rule book's spiral; press again to begin at the next corner of the island"
        with box("line tight").props('role=group aria-label="Number"'):
            for number in _NUMBERS:
                made = self._swatch(str(number), Tool("number", number), f"number {number}")
                made.classes("red" if number in (6, 8) else "")
        with box("line tight").props('role=group aria-label="Harbour"'):
            for kind in PORT_TYPES:
                label = "3:1" if kind not in [r.value for r in RESOURCES] else "2:1"
                made = self._swatch(label, Tool("harbour", kind.value), f"harbour {kind.value}")
                made.style(f"--t:{TERRAIN_COLOURS.get(kind.value, '#FFFDF7')}").classes("port")

    def _swatch(self, label: str, tool: Tool, name: str) -> ui.element:
        made = pressable(label, lambda: self._use(tool), "swatch", self._page.desk.tool == tool, name)
        made.props["title"] = name
        return made

    def _use(self, tool: Tool) -> None:
        self._page.desk.tool, self._page.desk.held = tool, None
        self._page.refresh()

    def _clear(self) -> None:
        self._page.guarded(self._page.desk.new_board, self._page.desk.sketch, self._page.desk.name)

    def _remarks(self) -> None:
        desk = self._page.desk
        if self._page.job is not None:
            text("div", "You can edit the board again when the analysis is done.", "muted small")
        elif desk.game:
            self._stepper()
        elif desk.tool.kind == "place" and not desk.draft.complete:
            bare = desk.draft.free_edges()
            text("div", "Click an edge beside the settlement for its road."
                 if bare else "Click a corner to settle there; click a piece to take it away.", "muted small")  # fmt: skip

    def _stepper(self) -> None:
        desk = self._page.desk
        with box("line nowrap"):
            button("", lambda: self._page.guarded(desk.go, desk.step - 1), "chevron_left", "quiet", name="One step back")
            slider = ui.slider(min=0, max=len(desk.game), value=desk.step).classes("grow").props("label")
            slider.props["aria-label"] = "Step of the game"
            slider.on("change", lambda event: self._page.guarded(desk.go, int(event.args)))
            button("", lambda: self._page.guarded(desk.go, desk.step + 1), "chevron_right", "quiet", name="One step forward")
        title = re.sub(r"player (\d)", r"seat \1", GameState(desk.question().states()).title)
        text("div", f"Step {desk.step} of {len(desk.game)}: {with_names(title, desk.names)}", "muted small")


class RunPanel:
    """The top of the right column: the button that starts an analysis, how far it is, and what can be taken away from here."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with card(classes="run"):
            self._start = button("Analyse", page.start, "play_arrow", "primary big")
            self._start.disable()  # until what the link asks for has been read
            with box("stack") as self._running:
                self._line = text("div", "", "num")
                self._bar = ProgressBar()
                button("Cancel", page.cancel, "stop")
            with box("line tight"):
                self._link = button("Copy link", self._copy, "link", "quiet")
                self._link.props["title"] = "A link to this position and these settings"
                button("SVG", self._svg, "image", "quiet")
                self._json = button("JSON", self._download, "data_object", "quiet")
            self._play = button("Play from here", self._play_on, "extension", "quiet")
            self._play.props["title"] = "Begin a game against bots on this board, with what stands on it"
            self._saved = hint("Saved to the library.")

    def refresh(self) -> None:
        """Show how far it is, what can be done now, and whether the answer is in the library."""
        job, answer, fine = self._page.job, self._page.answer, not self._page.desk.trouble()
        self._saved.set_visibility(answer is not None and bool(answer.id))
        for made in (self._start, self._play, self._link, self._json):
            made.set_enabled(fine)
        self._start.set_visibility(job is None)
        self._running.set_visibility(job is not None)
        if job is not None:
            line, share = self._standing(job)
            self._line.set_text(line)
            self._bar.show(share)

    def _standing(self, job: Job) -> tuple[str, float]:
        """How far a job is, in words and as a share."""
        if place := self._page.services.jobs.place(job):
            return f"Waiting: number {place} in the queue", 0.0
        info, time = job.info, self._page.desk.time
        if info is None:
            return "Getting ready. The very first time, this takes about a minute.", 0.0
        total, share, left = f" of {info.total:,}", info.done / max(1, info.total), info.eta
        if info.total in _ENDLESS or time is not None:
            seconds = time or self._page.services.options.job_seconds
            total, share, left = "", min(1.0, info.elapsed / seconds), seconds - info.elapsed
        unit = "dice sequences" if self._page.desk.mode is AnalysisMode.MONTE_CARLO else "games"
        until = "" if left is None else f", {duration(left)} left"
        return f"{info.done:,}{total} {unit}, {info.speed:,.0f}/s{until}", share

    def _play_on(self) -> None:
        ui.navigate.to(f"/play?{urlencode(self._page.desk.query())}")

    async def _copy(self) -> None:
        """The position and the settings, not the answer: whoever opens the link can run it."""
        query = urlencode(self._page.desk.query())
        copying = f"kibitz.copy(location.origin + '/analyse?' + {query!r}).then(() => true, () => false)"
        if await ui.run_javascript(copying, timeout=COPYING):
            say("Link copied", "positive")
        else:
            say("Your browser does not let Kibitz copy", "negative")

    async def _svg(self) -> None:
        drawing = await asyncio.to_thread(self._page.drawing())
        ui.download.content(drawing, "kibitz-board.svg", "image/svg+xml")

    def _download(self) -> None:
        page = self._page
        data = page.desk.question().to_json() if page.answer is None else page.answer.to_json()
        name = "kibitz-question.json" if page.answer is None else "kibitz-analysis.json"
        ui.download.content(json.dumps(data, indent=2), name, "application/json")


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.4), duration(75), duration(7300)
    ('1 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
