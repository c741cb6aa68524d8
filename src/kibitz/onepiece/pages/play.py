"""The page where somebody plays the One Piece card game against a bot."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from nicegui import events, ui

from kibitz.ground.texts import capitalised, counted
from kibitz.onepiece.pages import drawing
from kibitz.onepiece.pages.matches import OnePieceMatch
from kibitz.onepiece.pages.moment import Moment, Side, look
from kibitz.onepiece.profile import PROFILE
from kibitz.web.games import Session
from kibitz.web.pages.newgame import Again, pace_select
from kibitz.web.pages.table import Kibitzer, LogLines, TableView
from kibitz.web.parts import box, button, card, text
from kibitz.web.services import Services

#: A card or a button of the list was pressed: which, and whether by a finger, which has no way to point without pressing.
_PRESSED = """(event) => {
  const found = event.target.closest("[data-code], [data-id]");
  if (found) emit({code: found.dataset.code ?? null, id: found.dataset.id ?? null, touch: event.pointerType === "touch"});
}"""
#: A card that had the focus has it again after a new drawing.
_REFOCUS = """if (document.activeElement === document.body && window.kibitzCard)
  document.querySelector(`.op-game [data-id="${CSS.escape(window.kibitzCard)}"]`)?.focus({preventScroll: true});"""
HOW = "Point at a card to read it. Click one of yours, then its target or a button; Esc lets go."


class OnePieceView(TableView[Moment]):
    """A game as one visitor sees it."""

    def __init__(self, services: Services, session: Session[OnePieceMatch], again: Again, query: dict[str, str]) -> None:
        self._choices: list[drawing.Choice] = []
        self._chosen = ""
        with box("op-game") as everything:
            with box("op-main"):
                self._table = ui.html("", sanitize=False).classes("op-table")
                self._hand = ui.html("", sanitize=False).classes("op-hand").props('role=group aria-label="Your hand"')
                self._kibitzer = Kibitzer(services.jobs, session, PROFILE, query.get("kibitz") == "1", self.note_address)
            with box("op-side-column"):
                box("card op-preview").props('aria-hidden="true"')
                with box("card op-ask", "section").props('aria-label="What you can do"') as self._ask:
                    self._question = text("h2", "").props("aria-live=assertive")
                    self._about = text("p", "", "small op-explain")
                    self._chosen_about = ui.html("", sanitize=False).classes("op-reading")
                    self._list = ui.html("", sanitize=False).classes("op-options")
                    self._end = box("line")
                with card("", "op-log-card"):
                    with box("line nowrap"):
                        text("h2", "What happened", "grow")
                        pace_select(session)
                    self._log = LogLines("Set-up")
        for element in (self._table, self._hand, self._list):
            element.on("click", self._clicked, js_handler=_PRESSED)
            element.on("mouseover", js_handler=drawing.READ)
            element.on("focusin", js_handler=drawing.READ)
        super().__init__(services, session, again, everything)

    def look(self) -> Moment:
        """The game as it is now."""
        return look(self.session)

    def address(self) -> dict[str, str]:
        """Whether the kibitzer is on."""
        return {"kibitz": "1"} if self._kibitzer.on else {}

    def complain(self, trouble: str) -> None:
        """Say it where the question stands."""
        self._question.set_text(trouble)

    def keys(self) -> Mapping[str, int]:
        """Those of the choices that are shown."""
        return {choice.key: choice.option.code for choice in self._choices if choice.key}

    def idle(self) -> None:
        """Show what the kibitzer thinks."""
        self._kibitzer.look()

    def leave_moment(self) -> None:
        """Let the kibitzer rest."""
        self._kibitzer.stop()

    async def pressed(self, key: str) -> None:
        """Let a card go."""
        if key == "escape":
            self._choose("")

    def show(self, moment: Moment) -> None:
        """Show a moment."""
        if not any(option.source == self._chosen for option in moment.options):
            self._chosen = ""
        self._log.show(moment.log)
        self._show(moment)
        labels = {option.code: option.label for option in moment.options}
        self._kibitzer.show(moment.version, labels, "The game is over." if moment.over else "Nothing to decide now.")

    def _show(self, moment: Moment) -> None:
        targets = {option.target for option in moment.options if option.source == self._chosen and option.target}
        legal = {option.source for option in moment.options}
        _set(self._table, drawing.draw_table(moment, self._chosen, targets))
        hand = drawing.draw_hand(moment.me.hand, legal, self._chosen)
        _set(self._hand, hand or '<p class="muted small">No card in your hand.</p>')
        self._show_question(moment)
        self._client.run_javascript(_REFOCUS)

    def _show_question(self, moment: Moment) -> None:
        self._choices = drawing.offered(moment, self._chosen)
        asked = bool(moment.options)
        for name, on in (("asked", asked), ("main", moment.main)):
            self._ask.classes(**{"add" if on else "remove": name})
        if moment.over:
            question, about = f"{capitalised(moment.result)}.", f"After {moment.turn} turns."
        elif asked:
            question, about = moment.question, moment.about
        else:
            question, about = (f"{moment.opponent.name} thinks…" if moment.thinks else "Cards are dealt…"), ""
        self._question.set_text(question)
        self._about.set_text(about if asked or moment.over else HOW)
        _set(self._chosen_about, _reading(moment, self._chosen))
        _set(self._list, drawing.draw_choices(moment, self._choices, self._chosen))
        self._end.clear()
        if moment.over:
            with self._end:
                self.end_buttons()

    # --- the person ---------------------------------------------------------------------------------------------------

    async def _clicked(self, event: events.GenericEventArguments) -> None:
        pressed = event.args if isinstance(event.args, dict) else {}
        code, id = pressed.get("code"), pressed.get("id")
        if isinstance(code, str) and code.isdigit() and len(code) < 6:
            await self.play(int(code))
        elif isinstance(id, str):
            await self.press(id, bool(pressed.get("touch")))

    async def press(self, id: str, touch: bool) -> None:
        """A card or a pile was pressed."""
        moment = self.moment
        if moment is None:
            return
        if id.startswith("trash-"):
            self._show_trash(moment.me if id == "trash-me" else moment.opponent)
            return
        if id.startswith("pick-"):
            found = [option for option in moment.options if option.card is not None and f"pick-{option.card.id}" == id]
        elif self._chosen and (aimed := [o for o in moment.options if o.source == self._chosen and o.target == id]):
            found = aimed
        else:
            found = [option for option in moment.options if option.source == id]
            again = id == self._chosen
            if len(found) != 1 or not (again or (not moment.main and not touch)):
                self._choose("" if again else id)
                return
        if len(found) == 1:
            await self.play(found[0].code)

    def _choose(self, id: str) -> None:
        self._chosen = id
        if self.moment is not None:
            self._show(self.moment)

    def _show_trash(self, side: Side) -> None:
        whose = "Your trash" if side.id == "me" else f"The trash of {side.name}"
        with self._all, ui.dialog() as dialog, ui.card().classes("stack op-trash"):
            text("h2", f"{whose}: {counted(len(side.trash), 'card')}")
            if not side.trash:
                text("p", "Nothing lies there yet.", "muted")
            for found in sorted(set(side.trash), key=lambda one: (one.kind, one.cost, one.id)):
                words = f"<span><b>{escape(found.name)}</b><br>{escape(found.text or 'No effect.')}</span>"
                face = drawing.draw_printed(f"listed-{escape(found.id)}", found, side.trash.count(found))
                ui.html(f"{face}{words}", sanitize=False).classes("op-listed")
            button("Close", dialog.close)
        dialog.on("hide", dialog.delete)
        dialog.open()


def _set(element: ui.html, content: str) -> None:
    """Show something, unless it is there already."""
    if element.content != content:
        element.set_content(content)


def _reading(moment: Moment, chosen: str) -> str:
    """What the chosen card says, where nothing can be pointed at."""
    for side in (moment.me, moment.opponent):
        for unit in side.units.values():
            if unit.id == chosen:
                return drawing.draw_about(unit.card, unit.power, unit.cost, unit.keywords)
        for held in side.hand:
            if held.card is not None and held.id == chosen:
                return drawing.draw_about(held.card, held.card.power, held.cost, drawing.keywords_of(held.card))
    return ""
