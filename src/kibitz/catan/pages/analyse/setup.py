"""The setup of an analysis: the board, who plays and who asks, the mode and its settings; and what is loaded from elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.analysis import AnalysisMode, InvalidConfig
from kibitz.catan.analysis.question import Question
from kibitz.catan.analysis.types import Setting, settings_of
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import Record
from kibitz.catan.logs import ImportedLog
from kibitz.catan.pages.analyses import MODES
from kibitz.catan.pages.files import Analysis, question_of, read_any
from kibitz.catan.pages.places import called
from kibitz.web.pages.newgame import RuleFields
from kibitz.web.pages.work import PasteField, in_turn
from kibitz.web.parts import box, button, card, choice, emptied, hint, press, pressable, refuse, say, text, tooltip
from kibitz.web.store import NotSaved, content_id

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage


class SetupPanel:
    """The left column. Whatever is chosen, its buttons and fields stay the same, so that no click on one is lost."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        self._load = LoadDialog(page)
        with card("Position"), box("stack"):
            self._board()
            self._table()
        with card("Analysis"):
            self._mode = ui.select(
                {mode.value: name for mode, name in MODES.items()},
                label="Method",
                value=page.desk.mode.value,
                on_change=self._choose_mode,
            )
            self._mode.props("outlined dense options-dense").classes("mode")
            self._sentence = hint("")
            with ui.expansion("More settings").props("dense"):
                self._tuning = box("stack")
        self._tuned: AnalysisMode | None = None
        self._settings: dict[str, ui.switch | ui.select | ui.number] = {}
        self._time: ui.number | None = None

    def refresh(self) -> None:
        """Show the desk as it is."""
        desk = self._page.desk
        if self._name.text != desk.name:
            self._name.set_text(desk.name)
            self._seed.set_value(None)
        self._show_table()
        self._rules.show(desk.rules)
        self._mode.set_value(desk.mode.value)
        self._sentence.set_text(desk.mode.describe)
        if self._tuned is not desk.mode:
            self._tuned = desk.mode
            with emptied(self._tuning):
                self._settings = {setting.name: self._setting(setting) for setting in settings_of(desk.mode)}
                self._time = None if desk.mode is AnalysisMode.STATIC else self._time_limit()
        for name, made in self._settings.items():
            made.set_value(_shown(made, getattr(desk.config, name)))
        if self._time is not None:
            self._time.set_value(desk.time)

    def _board(self) -> None:
        page, desk = self._page, self._page.desk
        self._name = text("div", desk.name, "strong")
        with box("halves"):
            button("Random", partial(page.guarded, desk.random_board))
            button("Beginner", partial(page.guarded, desk.new_board, Board.beginner(), "Beginner board"))
            button("Blank", partial(page.guarded, desk.blank_board)).props["title"] = "Paint your own board, hex by hex"
            button("Load", self._load.open).props["title"] = "A board, a game, a replay or captured messages"
        self._seed = ui.number("Board number", format="%d", min=0, precision=0)
        self._seed.props("outlined dense clearable").classes("seed").on("keydown.enter", self._numbered)

    def _numbered(self) -> None:
        seed = self._seed.value
        self._page.guarded(self._page.desk.random_board, None if seed is None else int(seed))

    def _table(self) -> None:
        page, desk = self._page, self._page.desk
        with box("line").props('role=group aria-label="Players"'):
            text("span", "Players", "muted small")
            self._counts = {
                n: choice(str(n), partial(page.guarded, desk.set_seats, n), desk.seats == n, f"{n} players") for n in (2, 3, 4)
            }
        with box("line").props('role=group aria-label="Advice for"'):
            text("span", "Advice for", "muted small")
            self._mover = choice("Player to move", partial(page.guarded, setattr, desk, "seat", None), desk.seat is None)
            with box("line tight nowrap"):
                self._places = [
                    pressable(str(seat + 1), partial(page.guarded, setattr, desk, "seat", seat), f"seat seat-{seat}", False)
                    for seat in range(4)
                ]
        with ui.expansion("Rules").props("dense"), box("stack"):
            self._rules = RuleFields(desk.rules, partial(page.guarded, setattr, desk, "rules"))

    def _show_table(self) -> None:
        """How many play, and whose advice it is."""
        desk = self._page.desk
        for n, made in self._counts.items():
            press(made, desk.seats == n)
        press(self._mover, desk.seat is None)
        for seat, place in enumerate(self._places):
            place.set_visibility(seat < desk.seats)
            name = called(seat, desk.names)
            place.props["title"], place.props["aria-label"] = name, f"Advice for {name}"
            press(place, desk.seat == seat)

    def _choose_mode(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value != self._page.desk.mode.value:
            self._page.guarded(setattr, self._page.desk, "mode", AnalysisMode(event.value))

    def _setting(self, setting: Setting) -> ui.switch | ui.select | ui.number:
        value = getattr(self._page.desk.config, setting.name)

        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            self._set(setting, event.value)

        made: ui.switch | ui.select | ui.number
        if isinstance(setting.default, bool):
            made = ui.switch(setting.words, value=value, on_change=change)
        elif setting.choices:
            names = {
                **{choice: choice.replace("_", " ") for choice in setting.choices},
                **({"": "none"} if setting.default is None else {}),
            }
            made = ui.select(names, label=setting.words, value=value or "", on_change=change).props("outlined dense")
        else:
            whole = isinstance(setting.default, int)
            made = ui.number(
                setting.words, value=value, min=setting.low, max=setting.high, precision=0 if whole else None, on_change=change
            ).props("outlined dense debounce=600")
        made.classes(f"setting-{setting.name}")
        tooltip(made, setting.meaning)
        return made

    def _set(self, setting: Setting, value: Any) -> None:
        desk = self._page.desk
        if value == "":
            value = setting.default
        elif value is None:
            return
        if value == getattr(desk.config, setting.name):
            return
        given: dict[str, Any] = {setting.name: int(value) if type(setting.default) is int else value}
        try:
            desk.config = replace(desk.config, **given)
        except InvalidConfig as error:
            say(str(error), "negative")
            return
        self._page.changed()

    def _time_limit(self) -> ui.number:
        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            if (event.value or None) != self._page.desk.time:
                self._page.desk.time = event.value or None
                self._page.changed()

        made = ui.number(
            "Time limit in seconds", value=self._page.desk.time, min=0.1, max=self._page.services.options.job_seconds
        )
        made.props("outlined dense clearable debounce=600").classes("setting-time").on_value_change(change)
        tooltip(made, "Stop after this time, with the results so far. Another run by the clock may differ.")
        return made


def _shown(made: ui.element, value: Any) -> Any:
    """A setting as its field shows it: a list of choices has an empty one for none."""
    return value or "" if isinstance(made, ui.select) else value


class LoadDialog:
    """Asks for a file or a text."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with ui.dialog() as self._dialog, ui.card().classes("stack").style("width:min(560px,92vw)"):
            text("h2", "Load a board or a game")
            hint("A board as text or JSON, an analysis or a game from here, or a game from another site: its replay, or the "
                 "messages that its page received. You get its board, and its moves if all of them are known.")  # fmt: skip
            self._said = box("stack")
            field = PasteField(
                "A board, a game, a replay or captured messages",
                page.services.options.body,
                self._load,
                partial(refuse, self._said),
            )
            with box("line"):
                field.read_button("Load", "download_done")
                field.file_button()
                button("Close", self._dialog.close, classes="quiet")

    def open(self) -> None:
        """Show the dialog."""
        self._said.clear()
        self._dialog.open()

    async def _load(self, data: bytes) -> None:
        found = await in_turn(self._page.services, partial(read_any, data), self._said)
        if isinstance(found, tuple) and len(found) > 1:
            with emptied(self._said), box("line"):
                for record in found:
                    button(f"Game {record.game}", partial(self._take, record))
        elif found is not None:
            await self._take(found[0] if isinstance(found, tuple) else found)

    async def _take(self, found: Board | Question | Analysis | Record | ImportedLog) -> None:
        page, desk = self._page, self._page.desk
        if isinstance(found, dict):
            await page.open_answer("", found)
        elif isinstance(found, Record):
            page.guarded(desk.take_game, question_of(found), f"Game {found.game}", found.seats)
            lines, title = "\n".join(found.lines()), f"Game {found.game}, {', '.join(found.seats)}"
            try:
                await asyncio.to_thread(page.services.store.save, "game", title, lines, content_id(lines))
            except NotSaved as error:
                say(str(error), "negative")
        elif isinstance(found, ImportedLog):
            page.guarded(desk.take_log, found)
        elif isinstance(found, Question):
            page.guarded(desk.take, found, "Loaded")
        else:
            page.guarded(desk.new_board, found, "Loaded board")
        page.refresh()
        self._dialog.close()
