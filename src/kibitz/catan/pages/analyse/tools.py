"""What is around the board of the Analyse page: its tools, the button that starts an analysis, and what leaves the page."""

from __future__ import annotations

import asyncio
import json
import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

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
from kibitz.web.parts import ProgressBar, box, button, card, emptied, hint, note, press, pressable, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage

#: This much work means: as much as there is time for.
_ENDLESS = (AnalysisConfig.MOST_ITERATIONS, MOST["ismcts_iterations"])
_NUMBERS = sorted(set(TOKENS))
#: Seconds that a browser has to copy something.
COPYING = 10.0
#: What is said below the board while an analysis runs.
BUSY = "You can edit the board again when the analysis is done."


class ToolBar:
    """The board, what a click on it does, and what is wrong with it.

    Whatever is chosen, the buttons stay the same, so that no click on one is lost.
    """

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        self._tools: dict[Tool, ui.element] = {}
        """What has a button of its own among the editors."""
        self._brushes: dict[str, TextElement] = {}
        with box("an-board-tools").props('role=toolbar aria-label="What a click on the board does"'):
            self._place = button("Place pieces", lambda: self._use(Tool()), "home_work")
            self._edit = button("Edit board", lambda: self._use(Tool("terrain", "wood")), "edit")
            self._editors = [self._terrains(), *self._numbers(), self._harbours()]
            self._pieces = [self._seats(), *self._drafting()]
            self._leave = button("Leave the game", self._clear, "logout", "quiet")
        self.board = BoardView(page.clicked)
        with box("stack"):  # what is said about the board never moves it
            self._said = box("stack")
            self._stepper = self._steps()
            self._hint = text("div", "", "muted small")

    def refresh(self) -> None:
        """Show the tools, and what there is to say about the board."""
        desk = self._page.desk
        editing = desk.tool.kind != "place"
        press(self._place, not editing)
        press(self._edit, editing)
        for made in self._editors:
            made.set_visibility(editing)
        for made in self._pieces:
            made.set_visibility(not editing and not desk.game)
        self._leave.set_visibility(not editing and bool(desk.game))
        for tool, made in self._tools.items():
            press(made, desk.tool == tool)
        self._show_terrains()
        if not editing and not desk.game:
            self._show_seats()
            self._clear_pieces.set_enabled(bool(desk.draft.picks))
        self._say()

    def _say(self) -> None:
        """What is wrong with the board, and what can be done with it."""
        desk, busy = self._page.desk, self._page.job is not None
        with emptied(self._said):
            if desk.blank:
                note(f"{desk.flaws[0].text}. The numbers follow by themselves.")
            elif desk.flaws:
                note(f"This board isn't valid yet: {'; '.join(flaw.text for flaw in desk.flaws)}.", "bad")
            elif trouble := desk.trouble():
                note(capitalised(desk.said(trouble)), "warn")
        stepping = bool(desk.game) and not busy
        self._stepper.set_visibility(stepping)
        if stepping:
            self._slider.props["max"] = len(desk.game)
            self._slider.set_value(desk.step)
            self._slider.update()
        self._hint.set_text(BUSY if busy else self._step_words() if stepping else self._place_words())
        self._hint.set_visibility(bool(self._hint.text))

    # --- the tools ----------------------------------------------------------------------------------------------------

    def _terrains(self) -> ui.element:
        with box("line tight").props('role=group aria-label="Terrain"') as group:
            for terrain, colour in TERRAIN_COLOURS.items():
                self._brushes[terrain] = self._swatch("", Tool("terrain", terrain), terrain)
                self._brushes[terrain].style(f"background:{colour}").classes("terrain")
        return group

    def _show_terrains(self) -> None:
        """How many hexes of each terrain the box still holds."""
        for terrain in TERRAIN_COLOURS:
            made, left = self._brushes[terrain], self._page.desk.left(terrain)
            made.set_text(f"+{-left}" if left < 0 else str(left or ""))
            made.props["title"] = f"{terrain}: {f'{-left} too many' if left < 0 else f'{left} left'}"
            made.props["disabled"] = bool(self._page.desk.blank) and left <= 0
            made.classes(add="over" if left < 0 else "", remove="" if left < 0 else "over")
            made.update()

    def _numbers(self) -> list[ui.element]:
        page = self._page
        made = []
        for tool, label in ((Tool("swap"), "Swap hexes"), (Tool("swap numbers"), "Swap numbers")):
            self._tools[tool] = button(label, partial(self._use, tool), "swap_horiz")
            made.append(self._tools[tool])
        made.append(button("Standard numbers", partial(page.guarded, page.desk.lay_numbers, 1), "rotate_right"))
        made[-1].props["title"] = (
            "Lay the numbers in the rule book's spiral; press again to begin at the next corner of the island"
        )
        with box("line tight").props('role=group aria-label="Number"') as group:
            for number in _NUMBERS:
                swatch = self._swatch(str(number), Tool("number", number), f"number {number}")
                swatch.classes("red" if number in (6, 8) else "")
        return [*made, group]

    def _harbours(self) -> ui.element:
        with box("line tight").props('role=group aria-label="Harbour"') as group:
            for kind in PORT_TYPES:
                label = "3:1" if kind not in [r.value for r in RESOURCES] else "2:1"
                made = self._swatch(label, Tool("harbour", kind.value), f"harbour {kind.value}")
                made.style(f"--t:{TERRAIN_COLOURS.get(kind.value, '#FFFDF7')}").classes("port")
        return group

    def _swatch(self, label: str, tool: Tool, name: str) -> TextElement:
        made = pressable(label, partial(self._use, tool), "swatch", False, name)
        made.props["title"] = name
        self._tools[tool] = made
        return made

    def _seats(self) -> ui.element:
        with box("line tight").props('role=group aria-label="Whose pieces"') as group:
            self._places = [
                pressable(str(seat + 1), partial(self._use, Tool("place", seat)), f"seat seat-{seat}", False)
                for seat in range(4)
            ]
        return group

    def _show_seats(self) -> None:
        """Whose pieces a click places."""
        desk = self._page.desk
        for seat, place in enumerate(self._places):
            place.set_visibility(seat < desk.seats)
            place.props["aria-label"] = f"Pieces of {called(seat, desk.names)}"
            press(place, desk.placing == seat)
        ordered = desk.tool.value is None
        press(self._turns, ordered)
        self._turns.classes(add="" if ordered else "quiet", remove="quiet" if ordered else "")

    def _drafting(self) -> list[ui.element]:
        self._turns = button("In draft order", lambda: self._use(Tool()))
        self._clear_pieces = button("Clear", self._clear, "backspace", "quiet")
        return [self._turns, self._clear_pieces]

    def _use(self, tool: Tool) -> None:
        self._page.desk.tool, self._page.desk.held = tool, None
        self._page.refresh()

    def _clear(self) -> None:
        self._page.guarded(self._page.desk.new_board, self._page.desk.sketch, self._page.desk.name)

    # --- what is below the board --------------------------------------------------------------------------------------

    def _steps(self) -> ui.element:
        desk = self._page.desk
        with box("line nowrap") as line:
            button("", lambda: self._page.guarded(desk.go, desk.step - 1), "chevron_left", "quiet", name="One step back")
            self._slider = ui.slider(min=0, max=1, value=0).classes("grow").props("label")
            self._slider.props["aria-label"] = "Step of the game"
            self._slider.on("change", lambda event: self._page.guarded(desk.go, int(event.args)))
            button("", lambda: self._page.guarded(desk.go, desk.step + 1), "chevron_right", "quiet", name="One step forward")
        return line

    def _step_words(self) -> str:
        desk = self._page.desk
        title = re.sub(r"player (\d)", r"seat \1", GameState(desk.question().states()).title)
        return f"Step {desk.step} of {len(desk.game)}: {with_names(title, desk.names)}"

    def _place_words(self) -> str:
        desk = self._page.desk
        if desk.tool.kind != "place" or desk.draft.complete:
            return ""
        if desk.draft.free_edges():
            return "Click an edge beside the settlement for its road."
        return "Click a corner to settle there; click a piece to take it away."


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
