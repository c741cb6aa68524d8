"""The tools above the board: place pieces for a seat, or edit terrain, numbers and harbours. Below it: what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from kibitz.catan.core.board import PORT_TYPES, RESOURCES, TOKENS
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.svg import TERRAIN_COLOURS
from kibitz.catan.pages.analyse.desk import Tool
from kibitz.web.parts import box, button, emptied, note, pressable, text

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage

_NUMBERS = sorted(set(TOKENS))


class ToolBar:
    """Chooses what a click on the board does."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        self._bar = box("an-board-tools").props('role=toolbar aria-label="What a click on the board does"')
        self._above = box("stack")
        self._below: ui.element | None = None

    def below(self) -> None:
        """Make the place below the board."""
        self._below = box("stack")

    def refresh(self) -> None:
        """Show the tools, and what there is to say about the board."""
        with emptied(self._bar):
            self._groups()
        with emptied(self._above):
            self._trouble()
        if self._below is not None:
            with emptied(self._below):
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
                    name = f"Pieces of seat {seat + 1}"
                    pressable(str(seat + 1), lambda s=seat: self._use(Tool("place", s)), f"seat seat-{seat}", chosen, name)
            if desk.tool.value is not None:
                button("Draft order", lambda: self._use(Tool()), classes="quiet")
            if desk.draft.picks:
                button("Clear", self._clear, "backspace", "quiet")
        else:
            button("Leave the game", self._clear, "logout", "quiet")

    def _editors(self) -> None:
        tool = self._page.desk.tool
        with box("line tight").props('role=group aria-label="Terrain"'):
            for terrain, colour in TERRAIN_COLOURS.items():
                made = self._swatch("", Tool("terrain", terrain), terrain)
                made.style(f"background:{colour}")
        button("Swap", lambda: self._use(Tool("swap")), "swap_horiz", "chosen" if tool.kind == "swap" else "")
        with box("line tight").props('role=group aria-label="Number"'):
            for number in _NUMBERS:
                made = self._swatch(str(number), Tool("number", number), f"number {number}")
                made.classes("red" if number in (6, 8) else "")
        with box("line tight").props('role=group aria-label="Harbour"'):
            for kind in PORT_TYPES:
                label = "3:1" if kind not in [r.value for r in RESOURCES] else "2:1"
                made = self._swatch(label, Tool("harbour", kind.value), f"harbour {kind.value}")
                made.style(f"background:{TERRAIN_COLOURS.get(kind.value, '#FFFDF7')};border-radius:50%;font-size:.74rem")

    def _swatch(self, label: str, tool: Tool, name: str) -> ui.element:
        made = pressable(label, lambda: self._use(tool), "swatch", self._page.desk.tool == tool, name)
        made.props["title"] = name
        return made

    def _use(self, tool: Tool) -> None:
        self._page.desk.tool, self._page.desk.held = tool, None
        self._page.refresh()

    def _clear(self) -> None:
        self._page.guarded(self._page.desk.new_board, self._page.desk.sketch, self._page.desk.name)

    # --- above and below the board --------------------------------------------------------------------------------

    def _trouble(self) -> None:
        desk = self._page.desk
        if desk.flaws:
            note(f"Not a board of Catan yet. {'; '.join(flaw.text for flaw in desk.flaws)}.", "bad")
        elif trouble := desk.trouble():
            note(trouble, "warn")

    def _remarks(self) -> None:
        desk = self._page.desk
        if self._page.job is not None:
            text("div", "The board stays as it is while the analysis runs.", "muted small")
        elif desk.game:
            self._stepper()
        elif desk.tool.kind == "place" and not desk.draft.complete:
            bare = desk.draft.free_edges()
            text("div", "Click an edge beside the settlement for its road."
                 if bare else "Click a corner to settle there; click a piece to take it away.", "muted small")  # fmt: skip

    def _stepper(self) -> None:
        desk = self._page.desk
        with box("line nowrap"):
            button("", lambda: self._go(desk.step - 1), "chevron_left", "quiet", name="One step back")
            slider = ui.slider(min=0, max=len(desk.game), value=desk.step).classes("grow").props("label")
            slider.props["aria-label"] = "Step of the game"
            slider.on("change", lambda event: self._go(int(event.args)))
            button("", lambda: self._go(desk.step + 1), "chevron_right", "quiet", name="One step on")
        text("div", f"Before step {desk.step} of {len(desk.game)}: {GameState(desk.question().states()).title}", "muted small")

    def _go(self, step: int) -> None:
        def go() -> None:
            self._page.desk.step = min(max(0, step), len(self._page.desk.game))
            self._page.desk.seat = None

        self._page.guarded(go)
