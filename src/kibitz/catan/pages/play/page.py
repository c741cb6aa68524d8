"""The Play page: a table of Catan, the person's decisions, and bots that move by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import context, events, ui

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.actions import describe
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.play.actions import TOOLS, ActionBar, HandPanel, Prompt, trade_dialog
from kibitz.catan.pages.play.choices import Choices, element_of
from kibitz.catan.pages.play.game import CatanSetup, CatanTable
from kibitz.catan.pages.play.hands import show_hands
from kibitz.catan.pages.play.pieces import NOTHING, BankPanel, LogPanel, SeatsPanel
from kibitz.catan.pages.play.scene import Scene, seats_of
from kibitz.catan.pages.play.start import StartPanel
from kibitz.catan.pages.play.words import move_words
from kibitz.catan.profile import PROFILE
from kibitz.game.doors import sensible_actions
from kibitz.ground.messages import Mistake
from kibitz.web.games import NotNow, Session
from kibitz.web.layout import arrive, patiently
from kibitz.web.pages.kibitzer import Kibitzer
from kibitz.web.pages.newgame import pace_select
from kibitz.web.parts import box, button, card, note, patience, say, text
from kibitz.web.services import Services

#: Seconds between two looks at the game.
LOOK = 0.2
#: Keys, and what they press.
_KEYS = {"d": "roll_dice", "b": "buy_dev_card"}


class PlayPage:
    """One visitor's page: the form for a new game, or a table."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.session: Session[CatanTable] | None = None
        self.scene: Scene | None = None
        self.tool: str | None = None
        self._kibitz = False
        self._busy = self._deciding = False
        self.asking = False
        """Whether a dialog is open, which has the keys for itself."""
        self._drawn: tuple[Any, ...] = ()
        self._root = box("ct-root")
        self._timer = ui.timer(LOOK, self._look, active=False)
        ui.keyboard(self._key, ignore=["input", "select", "textarea"])
        self._client = context.client  # what is clicked may be gone when its work is done
        self._client.on_disconnect(self._leave)

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the game of the link, or offer a new one."""
        self._kibitz = query.get("kibitz") == "1"
        problem = ""
        if id := query.get("game"):
            with self._root:
                patience("The game is taken up again.", compiled=True)
            try:
                session = await patiently(self._client, asyncio.to_thread(self.services.games.open, id))
            except ValueError as error:
                session, problem = None, f"This game cannot be opened: {error}"
            if session is not None and session.kind.name == "catan":
                await self.sit_down(session)
                return
            problem = problem or "This game is no longer in the library."
            self._root.clear()
        position = None
        if "board" in query:
            try:
                position = await patiently(self._client, asyncio.to_thread(_position_of, query))
            except Mistake as error:
                problem = f"This position cannot be played: {error}"
        with self._root:
            if problem:
                note(problem, "warn")
            start = StartPanel(self, position)
        await start.show_running()

    async def sit_down(self, session: Session[CatanTable]) -> None:
        """Show a game."""
        self.session = session
        self._root.clear()
        with self._root:
            waits = box("stack")
            with waits:
                patience("The table is laid.")
            with box("ct-game") as table:
                self._build(session)
        table.set_visibility(False)
        self._note_address()
        arrive(self._client, "Play")
        await self.refresh()
        waits.delete()
        table.set_visibility(True)
        self._timer.activate()

    def _build(self, session: Session[CatanTable]) -> None:
        setup = CatanSetup.from_json(session.setup)
        text("h1", "A game of Catan", "hidden-visually")
        with box("ct-table"):
            with box("ct-boards stack"):
                with box("ct-status"):
                    self._dice = text("div", "", "ct-dice num").props("role=img")
                    with box("grow"):
                        self._status = text("div", "", "strong").props("role=status aria-live=polite")
                        self._turn = text("div", "", "muted small num")
                self.board = BoardView(self._clicked)
                with box("ct-desk"):
                    self._end = box("line ct-end-of-game")
                    self._prompt = Prompt(self)
                    self._actions = ActionBar(self)
                    self._hand = HandPanel(self)
            with box("ct-left stack"):
                with card("Players"):
                    self._seats = SeatsPanel(setup.names, setup.kinds)
                with card("Bank"):
                    self._bank = BankPanel()
                self._tools(session)
            with box("ct-right stack"):
                self._kibitzer = Kibitzer(self.services.jobs, session, PROFILE, self._kibitz, lambda: None, element_of)
                with self._kibitzer.card:
                    self._holdings = box("stack")
                with card("Log", "ct-log-card"):
                    self._log = LogPanel()

    def _tools(self, session: Session[CatanTable]) -> None:
        with box("line tight ct-game-tools"):
            pace_select(session).classes("ct-pace")
            self._back = button("Take back", self.take_back, "undo", "quiet")
            self._back.props["aria-keyshortcuts"] = "U"
            button("New game", self.new_game, "add", "quiet")

    # --- what is shown --------------------------------------------------------------------------------------------

    @property
    def choices(self) -> Choices:
        """What may be done now."""
        assert self.scene is not None
        return self.scene.choices

    async def _look(self) -> None:
        session = self.session
        if session is None or self._busy:
            return
        if self.scene is None or session.version != self.scene.version or session.trouble != self.scene.trouble:
            await self.refresh()
        elif self._kibitz != self._kibitzer.on:  # it was switched
            self._kibitz = self._kibitzer.on
            self._note_address()
            await self.refresh()
        else:
            self._kibitzer.look()

    async def refresh(self) -> None:
        """Show the game as it is now."""
        session = self.session
        if session is None:
            return
        self._busy = True
        try:
            scene = await asyncio.to_thread(Scene.of, session, self._kibitzer.on)
            if self.scene is None or scene.version != self.scene.version:
                self.tool = scene.choices.at_once
            self.scene = scene
            labels = await asyncio.to_thread(move_labels, scene) if self._kibitzer.on and scene.choices.open else {}
            self._kibitzer.show(scene.version, labels, "The game is over." if scene.over else "Nothing to decide now.")
            await self._show(scene)
        finally:
            self._busy = False

    async def _show(self, scene: Scene) -> None:
        row = scene.row
        self._status.set_text(scene.trouble or scene.status)
        self._turn.set_text(f"Turn {row['turn']}, {scene.names[row['player']]}" if row["turn"] else "Set-up")
        self._dice.set_text(str(row["roll"] or NOTHING))
        self._dice.props["aria-label"] = f"rolled {row['roll']}" if row["roll"] else "not rolled yet"
        self._dice.classes(add="seven" if row["roll"] == 7 else "", remove="seven")
        self._seats.show(seats_of(row, scene.names), row["player"], scene.actor, scene.over, row["winner"])
        self._bank.show(row["bank"], row["deck_size"])
        self._log.show(scene.lines)
        self._prompt.show(scene)
        self._actions.show(scene.choices, self.tool)
        self._back.set_enabled(scene.can_take_back)
        self._hand.show(scene)
        self._holdings.clear()
        if scene.holdings:
            with self._holdings:
                text("h3", "What the others may hold")
                with box("scroll-x"):
                    show_hands(scene.holdings, scene.names)
        self._show_end(scene)
        with self._client:
            ui.page_title(f"{'Your move' if scene.choices.open else 'Game over' if scene.over else 'Play'} · Catan · Kibitz")
        await self._draw()

    async def _draw(self) -> None:
        scene = self.scene
        assert scene is not None
        tool = self.tool
        shown = (scene.version, tool)
        if self._drawn == shown:
            return
        self._drawn = shown
        drawing = await asyncio.to_thread(scene.drawing, tool)
        if self._drawn is shown:  # else another one is drawn by now
            self.board.show(drawing, scene.choices.places.get(tool or "", {}))

    def _show_end(self, scene: Scene) -> None:
        self._end.set_visibility(scene.over)
        if not scene.over or list(self._end):
            return
        assert self.session is not None
        with self._end:
            review = button("Review this game", None, "insights", "primary")
            review.props(f'href="/review?game={self.session.id}" tag=a')
            button("Download the record", self.download, "download")
            button("New game", self.new_game, "add")

    def _note_address(self) -> None:
        if self.session is not None and self._client.has_socket_connection:
            query = f"game={self.session.id}" + ("&kibitz=1" if self._kibitz else "")
            self._client.run_javascript(f"kibitz.address({query!r})")

    # --- what the person does -------------------------------------------------------------------------------------

    async def _clicked(self, element: str) -> None:
        if self.scene is None:
            return
        places = self.choices.places
        tool = self.tool if element in places.get(self.tool or "", {}) else None
        if tool is not None:
            await self.do([places[tool][element]])

    async def do(self, codes: Sequence[int]) -> None:
        """Carry out a decision; what is clicked twice is done once."""
        if codes:
            await self._decide(lambda session, version: session.play(codes, version))

    async def take_back(self) -> None:
        """Undo the last decision, if nothing was revealed since."""
        await self._decide(Session.take_back)

    async def _decide(self, act: Callable[[Session[CatanTable], int], None]) -> None:
        session, scene = self.session, self.scene
        if session is None or scene is None or self._deciding:
            return
        self._deciding = True
        self._kibitzer.stop()
        try:
            await asyncio.to_thread(act, session, scene.version)
        except NotNow as error:
            say(str(error), "negative")
        finally:
            self._deciding = False
        await self.refresh()

    async def press(self, kind: str) -> None:
        """Carry out what needs no more than a click, if it is possible now."""
        if self.scene is not None and kind in self.choices.buttons:
            await self.do([self.choices.buttons[kind]])

    async def end(self) -> None:
        """End the turn, or the part of it."""
        if self.scene is not None and (kind := ActionBar.ending(self.choices)):
            await self.press(kind)

    async def use(self, tool: str | None) -> None:
        """Take a tool into the hand, or put it away."""
        if self.scene is None or self.choices.at_once is not None:
            return
        self.tool = None if tool == self.tool or tool not in self.choices.places else tool
        self._actions.show(self.choices, self.tool)
        await self._draw()

    async def trade(self) -> None:
        """Put a trade together."""
        if self.scene is not None and (self.choices.bank or self.choices.may_offer):
            with self._root:
                await trade_dialog(self)

    async def ask(self, dialog: ui.dialog) -> Any:
        """Wait for the answer of a dialog; None if it was put away."""
        self.asking = True
        try:
            return await dialog
        finally:
            self.asking = False
            dialog.delete()

    async def _key(self, event: events.KeyEventArguments) -> None:
        if not event.action.keydown or event.action.repeat or self.session is None or self.scene is None:
            return
        if self.asking or event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta:
            return
        key = event.key.name.lower()
        tools = {name: tool for tool, (_, name) in TOOLS.items()}
        if key in tools:
            await self.use(tools[key])
        elif key in _KEYS:
            await self.press(_KEYS[key])
        elif key == "e":
            await self.end()
        elif key == "t":
            await self.trade()
        elif key == "k":
            self._kibitzer.flip()
        elif key == "u" and self.scene.can_take_back:
            await self.take_back()
        elif key == "escape":
            await self.use(None)

    # --- and besides ----------------------------------------------------------------------------------------------

    async def download(self) -> None:
        """The game as a record; it tells all hidden cards, and is offered when the game is over."""
        session = self.session
        if session is None or not session.over:
            return
        lines = await asyncio.to_thread(session.kind.record, session.setup, session.moves)
        ui.download.content(lines, f"kibitz-catan-{session.id}.jsonl", "application/x-ndjson")

    def new_game(self) -> None:
        """Leave this one in the library."""
        ui.navigate.to("/play")

    def _leave(self) -> None:
        """Nobody looks any more: nothing is thought about."""
        if self.session is not None:
            self._kibitzer.stop()


def move_labels(scene: Scene) -> dict[int, str]:
    """What the person may sensibly do now, in words. To be called in a thread."""
    return {code: move_words(describe(code), scene.board, scene.names) for code in sensible_actions(scene.view)}


def _position_of(query: dict[str, str]) -> Question:
    """The position of a link, as Analyse and Review write it. To be called in a thread; raises a `Mistake`."""
    question = Question.from_query(query)
    question.states()  # an illegal move is refused here
    return question
