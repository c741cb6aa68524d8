"""The setup of an analysis: the board, who plays and who asks, the mode and its settings."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.analysis import AnalysisMode, InvalidConfig
from kibitz.catan.analysis.types import Setting, settings_of
from kibitz.catan.core.board import Board
from kibitz.catan.core.state import Rules
from kibitz.catan.pages.analyse.desk import with_setting
from kibitz.catan.pages.analyse.files import LoadDialog
from kibitz.catan.pages.analyses import MODES
from kibitz.ground.codec import docstrings
from kibitz.web.parts import box, button, card, pressable, say, text, tooltip

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage


class SetupPanel:
    """The left column."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        self._load = LoadDialog(page)
        with card("Position"):
            self._position = box("stack")
        with card("Analysis"):
            self._mode = ui.select(
                {mode.value: name for mode, name in MODES.items()},
                label="Mode",
                value=page.desk.mode.value,
                on_change=self._choose_mode,
            )
            self._mode.props("outlined dense options-dense").classes("mode")
            self._sentence = text("p", "", "muted small")
            with ui.expansion("Tuning").props("dense"):
                self._tuning = box("stack")
        self._shown: tuple[Any, ...] = ()

    def refresh(self) -> None:
        """Show the desk as it is."""
        desk = self._page.desk
        seen = (desk.name, desk.seats, desk.seat, desk.rules, desk.mode, desk.config, desk.time)
        if seen == self._shown:
            return
        self._shown = seen
        self._position.clear()
        with self._position:
            self._board()
            self._table()
        self._mode.set_value(desk.mode.value)
        self._sentence.set_text(desk.mode.describe)
        self._tuning.clear()
        with self._tuning:
            for setting in settings_of(desk.mode):
                self._setting(setting)
            if desk.mode is not AnalysisMode.STATIC:
                self._time()

    # --- the position ---------------------------------------------------------------------------------------------

    def _board(self) -> None:
        desk = self._page.desk
        text("div", desk.name, "strong")
        with box("thirds"):
            button("Random", lambda: self._page.guarded(lambda: self._random(None)))
            button("Beginner", lambda: self._page.guarded(self._beginner))
            button("Load", self._load.open)
        seed = ui.number("Board by its seed", format="%d", min=0, precision=0).props("outlined dense clearable").classes("seed")
        seed.on("keydown.enter", lambda: self._page.guarded(lambda: self._random(seed.value)))

    def _random(self, seed: float | None) -> None:
        self._page.desk.random_board(None if seed is None else int(seed))

    def _beginner(self) -> None:
        self._page.desk.new_board(Board.beginner(), "Beginner board")

    def _table(self) -> None:
        desk = self._page.desk
        with box("line"):
            text("span", "Players", "muted small")
            for n in (2, 3, 4):
                made = button(str(n), partial(self._seat, n), classes="chosen" if desk.seats == n else "")
                made.props(f'aria-pressed={str(desk.seats == n).lower()} aria-label="{n} players"')
        text("div", "Who asks", "muted small")
        with box("line").props('role=group aria-label="Who asks"'):
            made = button("Next", lambda: self._ask(None), classes="chosen" if desk.seat is None else "")
            made.props(f"aria-pressed={str(desk.seat is None).lower()}")
            tooltip(made, "Whoever is to place or to move next.")
            for seat in range(desk.seats):
                pressable(
                    str(seat + 1), lambda s=seat: self._ask(s), f"seat seat-{seat}", desk.seat == seat, f"Seat {seat + 1} asks"
                )
        with ui.expansion("Rules").props("dense"), box("stack"):
            for option in fields(Rules):
                self._rule(option.name, option.default)

    def _seat(self, seats: int) -> None:
        self._page.guarded(lambda: self._page.desk.set_seats(seats))

    def _ask(self, seat: int | None) -> None:
        def ask() -> None:
            self._page.desk.seat = seat

        self._page.guarded(ask)

    def _rule(self, name: str, default: Any) -> None:
        value = getattr(self._page.desk.rules, name)
        label = name.replace("_", " ").capitalize()

        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            self._page.guarded(lambda: self._set_rule(name, event.value))

        made: ui.element
        if isinstance(default, bool):
            made = ui.switch(label, value=value, on_change=change)
        else:
            low, high = Rules._BOUNDS[name]
            made = ui.number(label, value=value, min=low, max=high, precision=0, on_change=change).props(
                "outlined dense debounce=600"
            )
        tooltip(made, docstrings(Rules)[name])

    def _set_rule(self, name: str, value: Any) -> None:
        if value is not None:
            try:
                given: dict[str, Any] = {name: value if isinstance(value, bool) else int(value)}
                self._page.desk.rules = replace(self._page.desk.rules, **given)
            except ValueError as error:
                raise InvalidConfig(str(error)) from None

    # --- the analysis ---------------------------------------------------------------------------------------------

    def _choose_mode(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value != self._page.desk.mode.value:
            self._page.guarded(lambda: setattr(self._page.desk, "mode", AnalysisMode(event.value)))

    def _setting(self, setting: Setting) -> None:
        value = getattr(self._page.desk.config, setting.name)

        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            self._set(setting, event.value)

        made: ui.element
        if isinstance(setting.default, bool):
            made = ui.switch(setting.words, value=value, on_change=change)
        elif setting.choices:
            names = {**{choice: choice for choice in setting.choices}, **({"": "none"} if setting.default is None else {})}
            made = ui.select(names, label=setting.words, value=value or "", on_change=change).props("outlined dense")
        else:
            whole = isinstance(setting.default, int)
            made = ui.number(
                setting.words, value=value, min=setting.low, max=setting.high, precision=0 if whole else None, on_change=change
            ).props("outlined dense debounce=600")
        made.classes(f"setting-{setting.name}")
        tooltip(made, setting.meaning)

    def _set(self, setting: Setting, value: Any) -> None:
        if value == "":
            value = setting.default
        elif value is None:
            return
        if value == getattr(self._page.desk.config, setting.name):
            return
        try:
            with_setting(self._page.desk, setting.name, int(value) if type(setting.default) is int else value)
        except InvalidConfig as error:
            say(str(error), "negative")
            return
        self._shown = (*self._shown[:5], self._page.desk.config, self._shown[6])  # the field itself shows it already
        self._page.changed()

    def _time(self) -> None:
        def change(event: events.ValueChangeEventArguments[Any]) -> None:
            self._page.desk.time = event.value or None
            self._shown = (*self._shown[:6], self._page.desk.time)
            self._page.changed()

        made = ui.number("Seconds at most", value=self._page.desk.time, min=0.1, max=self._page.services.options.job_seconds)
        made.props("outlined dense clearable debounce=600").classes("setting-time").on_value_change(change)
        tooltip(made, "Stop after this long, with what there is. Another run by the clock may differ.")
