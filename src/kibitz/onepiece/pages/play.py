"""The page where somebody plays the One Piece card game against a bot."""

from __future__ import annotations

import asyncio
from functools import partial
from html import escape

from nicegui import context, events, ui

from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.pages.advice import AdvicePanel
from kibitz.onepiece.pages.choices import Choice, draw_choices, offered
from kibitz.onepiece.pages.drawing import draw_about, draw_hand, draw_held, draw_table, keywords_of
from kibitz.onepiece.pages.matches import OnePieceMatch
from kibitz.onepiece.pages.moment import Held, Moment, Side, look
from kibitz.onepiece.pages.pieces import READ
from kibitz.web.games import Session
from kibitz.web.pages.newgame import Again, pace_select
from kibitz.web.pages.playing import decide, download_record, play_again, typed
from kibitz.web.parts import box, button, card, seat_mark, text
from kibitz.web.services import Services

#: Seconds between two looks at the game.
LOOK = 0.2
#: A card or a button of the list was pressed: which, and whether by a finger, which has no way to point without pressing.
_PRESSED = """(event) => {
  const found = event.target.closest("[data-code], [data-id]");
  if (found) emit({code: found.dataset.code ?? null, id: found.dataset.id ?? null, touch: event.pointerType === "touch"});
}"""
#: A card that had the focus has it again after a new drawing.
_REFOCUS = """if (document.activeElement === document.body && window.kibitzCard)
  document.querySelector(`.op-game [data-id="${CSS.escape(window.kibitzCard)}"]`)?.focus({preventScroll: true});"""
HOW = "Point at a card to read it. Click one of yours, then its target or a button; Esc lets go."


class TableView:
    """A game as one visitor sees it."""

    def __init__(self, services: Services, session: Session[OnePieceMatch], again: Again, query: dict[str, str]) -> None:
        self._session, self._again = session, again
        self._client = context.client
        self.moment: Moment | None = None
        self._choices: list[Choice] = []
        self._chosen = ""
        self._told, self._turn = 0, -1
        self._playing = False
        with box("op-game") as self._all:
            with box("op-main"):
                self._table = ui.html("", sanitize=False).classes("op-table")
                self._hand = ui.html("", sanitize=False).classes("op-hand").props('role=group aria-label="Your hand"')
                self._advice = AdvicePanel(services.jobs, session, query.get("kibitz") == "1", self._note_address)
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
                        pace_select(session).classes("op-pace")
                    with box("op-log").props('role=log tabindex=0 aria-label="What happened"'):
                        self._log = box("op-lines")
        for element in (self._table, self._hand, self._list):
            element.on("click", self._pressed, js_handler=_PRESSED)
            element.on("mouseover", js_handler=READ)
            element.on("focusin", js_handler=READ)
        self._timer = ui.timer(LOOK, self._look)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"], repeating=False)
        self._note_address()

    def _note_address(self) -> None:
        query = f"game={self._session.id}" + ("&kibitz=1" if self._advice.on else "")
        self._client.run_javascript(f"kibitz.address({query!r})")

    # --- following the game -------------------------------------------------------------------------------------------

    async def _look(self) -> None:
        if self.moment is None or self._session.version != self.moment.version:
            await self.refresh()
        elif self._session.trouble and not self.moment.over:
            self._timer.deactivate()
            self._question.set_text(self._session.trouble)
        else:
            self._advice.look()

    async def refresh(self) -> None:
        """Show the game as it is now."""
        moment = await asyncio.to_thread(look, self._session)
        if self.moment is not None and moment.version <= self.moment.version:
            return
        if not any(option.source == self._chosen for option in moment.options):
            self._chosen = ""
        self.moment = moment
        self._show_log(moment)
        self._show(moment)
        self._advice.show(moment)

    def _show(self, moment: Moment) -> None:
        targets = {option.target for option in moment.options if option.source == self._chosen and option.target}
        legal = {option.source for option in moment.options}
        _set(self._table, draw_table(moment, self._chosen, targets))
        _set(self._hand, draw_hand(moment.me.hand, legal, self._chosen) or '<p class="muted small">No card in your hand.</p>')
        self._show_question(moment)
        self._client.run_javascript(_REFOCUS)

    def _show_log(self, moment: Moment) -> None:
        with self._log:
            for told in moment.log[self._told :]:
                if told.turn != self._turn:
                    self._turn = told.turn
                    text("div", f"Turn {told.turn}" if told.turn else "Set-up", "op-log-turn muted small")
                with box("op-said"):
                    if told.seat >= 0:
                        seat_mark(told.seat).props('aria-hidden="true"')
                    else:
                        text("span", "!", "seat op-guard").props('aria-hidden="true"')
                    text("span", told.text)
        self._told = len(moment.log)

    def _show_question(self, moment: Moment) -> None:
        self._choices = offered(moment, self._chosen)
        asked = bool(moment.options)
        looks = {"asked": asked, "main": moment.main}
        self._ask.classes(
            add=" ".join(n for n, on in looks.items() if on), remove=" ".join(n for n, on in looks.items() if not on)
        )
        if moment.over:
            result = f"{moment.result[0].upper()}{moment.result[1:]}"
            question, about = f"{result}.", f"After {moment.turn} turns."
        elif asked:
            question, about = moment.question, moment.about
        else:
            question, about = (f"{moment.opponent.name} thinks…" if moment.thinks else "Cards are dealt…"), ""
        self._question.set_text(question)
        self._about.set_text(about if asked or moment.over else HOW)
        _set(self._chosen_about, _reading(moment, self._chosen))
        _set(self._list, draw_choices(moment, self._choices, self._chosen))
        self._end.clear()
        if moment.over:
            with self._end:
                button("Play again", partial(play_again, self._session, self._again), "replay", "primary")
                button("Another game", self._other_game, "tune")
                button("Record", partial(download_record, self._session, "onepiece"), "download")

    async def _other_game(self) -> None:
        await self._again(None, 1.0)

    # --- the person ---------------------------------------------------------------------------------------------------

    async def _pressed(self, event: events.GenericEventArguments) -> None:
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
            text("h2", f"{whose}: {len(side.trash)} {'card' if len(side.trash) == 1 else 'cards'}")
            if not side.trash:
                text("p", "Nothing lies there yet.", "muted")
            for found in sorted(set(side.trash), key=lambda one: (one.kind, one.cost, one.id)):
                ui.html(_listed(found, side.trash.count(found)), sanitize=False).classes("op-listed")
            button("Close", dialog.close)
        dialog.on("hide", dialog.delete)
        dialog.open()

    async def play(self, code: int) -> None:
        """Do something."""
        if self._playing or self.moment is None or not any(option.code == code for option in self.moment.options):
            return
        self._playing = True
        self._advice.stop()
        try:
            await decide(self._session, code, self.moment.version, self._all)
        finally:
            self._playing = False
        await self.refresh()

    async def _key(self, event: events.KeyEventArguments) -> None:
        key = typed(event)
        if not key or self.moment is None:
            return
        if event.key.escape:
            self._choose("")
            return
        found = next((choice for choice in self._choices if choice.key == key), None)
        if found is not None:
            await self.play(found.option.code)


def _set(element: ui.html, content: str) -> None:
    """Show something, unless it is there already."""
    if element.content != content:
        element.set_content(content)


def _reading(moment: Moment, chosen: str) -> str:
    """What the chosen card says, where nothing can be pointed at."""
    for side in (moment.me, moment.opponent):
        for unit in side.units.values():
            if unit.id == chosen:
                return draw_about(unit.card, unit.power, unit.cost, unit.keywords)
        for held in side.hand:
            if held.card is not None and held.id == chosen:
                return draw_about(held.card, held.card.power, held.cost, keywords_of(held.card))
    return ""


def _listed(found: Card, copies: int) -> str:
    """A card of a pile."""
    times = f'<span class="op-times">{copies}x</span>' if copies > 1 else ""
    facts = draw_held(Held(f"listed-{escape(found.id)}", found, found.cost), False, False)
    return f"{facts}{times}<span><b>{escape(found.name)}</b><br>{escape(found.text or 'No effect.')}</span>"
