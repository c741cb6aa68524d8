"""The One Piece card game against a bot: the form that begins a game; the table, what may be done, the log, the kibitzer."""

import json
import secrets
from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Any

from nicegui import events, ui

from kibitz.ground.texts import capitalised, counted
from kibitz.onepiece.core.decks import STARTERS, Deck, starter
from kibitz.onepiece.core.words import short
from kibitz.onepiece.pages import drawing
from kibitz.onepiece.pages.matches import CARDS, GUARDS, LARGEST, Entry, OnePieceMatch, read_brought
from kibitz.onepiece.pages.moment import Moment, Side, look
from kibitz.onepiece.profile import PROFILE
from kibitz.web.games import Session
from kibitz.web.pages.kibitzer import Kibitzer
from kibitz.web.pages.newgame import Again, Begin, Deal, LevelChoice, SeedField, pace_select
from kibitz.web.pages.table import LogLines, TableView
from kibitz.web.pages.work import PasteField, in_turn
from kibitz.web.parts import box, button, card, choice, emptied, hint, note, press, refuse, text
from kibitz.web.services import Services

#: The bots that may be chosen, with one sentence for each.
BOTS = {
    "random": ("Random", "does anything that the rules allow"),
    "greedy": ("Greedy", "plays and attacks by rules of thumb, at once"),
    "ismcts:30": ("Search, quick", "plays the rest of the game 30 times in its mind: about a second for each decision"),
    "ismcts": ("Search", "plays the rest of the game 100 times in its mind: some seconds for each decision"),
    "ismcts:400": ("Search, patient", "plays the rest of the game 400 times in its mind: it takes its time"),
}
#: What somebody may bring.
OWN = (
    "Paste or drop a deck: a list with lines such as 4x TW-002 and the Leader among them, or JSON. Cards that do not come with "
    "Kibitz are read from a card file (JSON or CSV), which is brought first or holds the deck as well."
)
#: How a game is won, in a few sentences.
HOW = (
    "Bring the opponent's Leader to 0 Life and hit once more. Every turn brings a card and two DON!!, with which cards are "
    "paid for or made stronger: +1000 power each, this turn. Attack the Leader or a rested Character; with at least as much "
    "power the attack succeeds. The defender may block with a [Blocker] and discard cards with a counter."
)


class StartForm:
    """Which deck, who begins, against whom."""

    def __init__(self, services: Services, begin: Begin) -> None:
        self._services = services
        self.decks: dict[str, tuple[Entry, Deck]] = {name: (name, starter(name)) for name in STARTERS}
        """The decks that can be chosen, by a name for each."""
        self.deck, self.other = "tide", "ember"
        self._cards_text = ""
        self.first: int | None = 0
        self.bot = "medium"
        self._lines: dict[str, ui.element] = {}
        self._rows: dict[str, dict[Any, ui.element]] = {}
        """The buttons, by the field that they set and the value that they give it."""
        self._listed = ""
        """The deck whose cards are shown."""
        with box("op-start"):
            with card("A new game"):
                self._form = box("stack")
                with ui.expansion("A deck of your own").props("dense"), box("stack"):
                    hint(OWN)
                    self._said = box("stack")
                    field = PasteField("A deck or a card file", LARGEST, self._bring, partial(refuse, self._said))
                    with box("line"):
                        field.read_button("Read it", "style")
                        field.file_button()
                with ui.expansion("Loop guard and seed").props("dense"), box("stack"):
                    self._guard = ui.select(GUARDS, value="onepiece", label="Loop guard").props("outlined dense options-dense")
                    hint("What happens when the same position comes up again and again.")
                    self._seed = SeedField("Seed of the draws")
                Deal(begin, self._setup)
            with box("stack"):
                self.unfinished = box("stack")
                with card("How to play"):
                    text("p", HOW, "muted")
                self._list = box("stack")
        self._build()
        self._show()

    def _build(self) -> None:
        """Everything that stays, whatever is chosen."""
        with self._form:
            leaders = {name: self._leader(name) for name in self.decks}
            self._choose("Your deck", leaders, "deck")
            self._choose("The bot's deck", leaders, "other")
            self._choose("Who goes first", {0: "You", 1: "The bot", None: "Either"}, "first")
            text("span", "Opponent", "muted small op-label")
            self._levels = LevelChoice(PROFILE, partial(self._set, "bot"))
            with ui.expansion("More: other bots").props("dense").classes("k-more"), box("stack"):
                self._choose("Bot", {name: label for name, (label, _) in BOTS.items()}, "bot")
                self._about = text("p", "", "muted small op-bot")

    def _show(self) -> None:
        """Show what is chosen. The buttons stay the same, so no click on one is lost."""
        for name, row in self._rows.items():
            for value, made in row.items():
                press(made, value == getattr(self, name))
        self._levels.show([self.bot])
        self._about.set_text(f"{BOTS[self.bot][0]} {BOTS[self.bot][1]}." if self.bot in BOTS else "")
        self._about.set_visibility(self.bot in BOTS)
        if self._listed != self.deck:
            self._listed = self.deck
            with emptied(self._list), card(f"The cards of {short(self.decks[self.deck][1].leader)}"):
                self._cards()

    def _leader(self, name: str) -> str:
        """What a deck is called: its Leader, and what that is."""
        leader = self.decks[name][1].leader
        return ", ".join([short(leader), *leader.types[:1]])

    def _cards(self) -> None:
        """The chosen deck; a card is read where the pointer or the focus is."""
        deck = self.decks[self.deck][1]
        cards = [(deck.leader, 1), *sorted(deck.cards.items(), key=lambda one: (one[0].cost, one[0].id))]
        shown = [f'<span class="op-copies">{drawing.draw_printed(f"deck-{found.id}", found, n)}</span>' for found, n in cards]
        box("op-preview flat").props("aria-live=polite")
        made = ui.html(f'<div class="op-cards">{"".join(shown)}</div>', sanitize=False)
        for event in ("mouseover", "focusin", "click"):
            made.on(event, js_handler=drawing.READ)
        ui.run_javascript(
            f"document.querySelector('.op-preview.flat').innerHTML = {json.dumps(drawing.draw_large(deck.leader))}"
        )

    def _choose(self, label: str, options: dict[Any, str], name: str) -> None:
        """A row of buttons, one for each value that the field of this `name` can have."""
        with box("op-row").props(f'role=group aria-label="{label}"'):
            text("span", label, "muted small op-label")
            self._lines[name] = box("line")
        for option, shown in options.items():
            self._offer(name, option, shown)

    def _offer(self, name: str, option: Any, shown: str) -> None:
        """One more button in a row."""
        with self._lines[name]:
            made = choice(shown, partial(self._set, name, option), False)
        self._rows.setdefault(name, {})[option] = made

    def _set(self, name: str, value: Any) -> None:
        setattr(self, name, value)
        self._show()

    async def _bring(self, data: bytes) -> None:
        """Take what was pasted or dropped: a deck, or cards for decks."""
        cards = self._cards_text
        brought = await in_turn(self._services, lambda runtime: read_brought(data, cards), self._said)
        if brought is None:
            return
        with emptied(self._said):
            if brought.deck is None:
                self._cards_text = brought.entry[CARDS]
                note(f"Cards known now: {brought.cards}. Now bring a deck that uses them.")
                return
            note(f"{short(brought.deck.leader)} is among the decks now.")
        name = f"own {len(self.decks)}"
        self.decks[name] = brought.entry, brought.deck
        for row in ("deck", "other"):
            self._offer(row, name, self._leader(name))
        self._set("deck", name)

    def _setup(self) -> dict[str, Any]:
        seat = secrets.randbelow(2) if self.first is None else self.first
        decks = [self.decks[name][0] for name in (self.deck, self.other)]
        return {"seat": seat, "decks": decks, "bot": self.bot, "guard": self._guard.value, "seed": self._seed.seed}


#: A card or a button of the list was pressed: which, and whether by a finger, which has no way to point without pressing.
_PRESSED = """(event) => {
  const found = event.target.closest("[data-code], [data-id]");
  if (found) emit({code: found.dataset.code ?? null, id: found.dataset.id ?? null, touch: event.pointerType === "touch"});
}"""
#: A card that had the focus has it again after a new drawing.
_REFOCUS = """if (document.activeElement === document.body && window.kibitzCard)
  document.querySelector(`.op-game [data-id="${CSS.escape(window.kibitzCard)}"]`)?.focus({preventScroll: true});"""
POINT = "Point at a card to read it. Click one of yours, then its target or a button; Esc lets go."


class OnePieceView(TableView[Moment]):
    """A game as one visitor sees it."""

    kibitzer: Kibitzer

    def __init__(self, services: Services, session: Session[OnePieceMatch], again: Again, query: dict[str, str]) -> None:
        self._choices: list[drawing.Choice] = []
        self._chosen = ""
        with box("op-game") as everything:
            with box("op-main"):
                self._table = ui.html("", sanitize=False).classes("op-table")
                self._hand = ui.html("", sanitize=False).classes("op-hand").props('role=group aria-label="Your hand"')
                self.kibitzer = Kibitzer(services.jobs, session, PROFILE, query.get("kibitz") == "1", self.note_address)
            with box("op-side-column"):
                box("card op-preview").props('aria-hidden="true"')
                with box("card op-ask", "section").props('aria-label="What you can do"') as self._ask:
                    question = text("h2", "").props("aria-live=assertive")
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
        super().__init__(services, session, again, everything, question, partial(look, session))

    def keys(self) -> Mapping[str, int]:
        """Those of the choices that are shown."""
        return {choice.key: choice.option.code for choice in self._choices if choice.key}

    async def pressed(self, key: str) -> None:
        """Let a card go, or ask the kibitzer."""
        if key == "escape":
            self._choose("")
        else:
            await super().pressed(key)

    def leave_moment(self) -> None:
        """Let the chosen card go, too: something was done with it."""
        self._chosen = ""
        super().leave_moment()

    def show(self, moment: Moment) -> None:
        """Show a moment."""
        if not any(option.source == self._chosen for option in moment.options):
            self._chosen = ""
        self._log.show(moment.log)
        self._show(moment)
        self.kibitzer.show(moment, {option.code: option.label for option in moment.options})

    def _show(self, moment: Moment) -> None:
        targets = {option.target for option in moment.options if option.source == self._chosen and option.target}
        legal = {option.source for option in moment.options}
        _set(self._table, drawing.draw_table(moment, self._chosen, targets))
        hand = drawing.draw_hand(moment.me.hand, legal, self._chosen)
        _set(self._hand, hand or '<p class="muted small">No cards in your hand.</p>')
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
            question, about = (f"{moment.opponent.name} is thinking…" if moment.thinks else "Dealing the cards…"), ""
        self._question.set_text(question)
        self._about.set_text(about if asked or moment.over else POINT)
        _set(self._chosen_about, _reading(moment, self._chosen))
        _set(self._list, drawing.draw_choices(moment, self._choices, self._chosen))
        with emptied(self._end):
            if moment.over:
                self.end_buttons()

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
                text("p", "Nothing there yet.", "muted")
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
