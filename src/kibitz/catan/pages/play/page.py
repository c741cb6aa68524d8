"""The Play page: the form for a new game of Catan, or a table with the person's decisions and bots that move by themselves."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from nicegui import background_tasks, ui

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.state import Rules
from kibitz.catan.core.svg import draw_board, draw_state
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.play.actions import TOOLS, ActionBar, HandPanel, Prompt, trade_dialog
from kibitz.catan.pages.play.game import CatanSetup, CatanTable
from kibitz.catan.pages.play.pieces import NOTHING, BankPanel, SeatsPanel, show_hands
from kibitz.catan.pages.play.scene import Choices, Scene, element_of
from kibitz.catan.profile import PROFILE
from kibitz.ground.rng import fresh_seed
from kibitz.ground.texts import Mistake, counted
from kibitz.web.games import Session
from kibitz.web.layout import patiently
from kibitz.web.pages.newgame import Again, Begin, Deal, GamePage, SeatChoice, pace_select, rule_options
from kibitz.web.pages.table import TAKE_BACK, Kibitzer, LogLines, TableView
from kibitz.web.parts import box, button, card, emptied, hint, text
from kibitz.web.services import Services
from kibitz.web.table import YOU

BOTS = {
    "random": ("Random", "any legal move"),
    "seed": ("Seed", "simple rules of thumb"),
    "builder": ("Builder", "plans its buildings"),
    "net": ("Net", "judges what its turn leads to"),
    "ismcts:300": ("Search, quick", "searches 300 times"),
    "ismcts:1000": ("Search", "searches 1,000 times"),
    "ismcts:5000": ("Search, strong", "searches 5,000 times"),
}


class PlayPage(GamePage):
    """One visitor's page: the form for a new game, perhaps from a position, or a table."""

    def __init__(self, services: Services) -> None:
        self._position: Question | None = None
        super().__init__(services, PROFILE.name, lambda services, begin: StartForm(services, begin, self._position), CatanView)

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the game of the link, or offer a new one, from the position of the link if it has one."""
        if "board" in query:
            try:
                self._position = await patiently(self._client, asyncio.to_thread(_position_of, query))
            except Mistake as error:
                await self.offer(f"This position cannot be played: {error}")
                return
        await super().begin(query)


def _position_of(query: dict[str, str]) -> Question:
    """The position of a link, as Analyse and Review write it. To be called in a thread; raises a `Mistake`."""
    question = Question.from_query(query)
    question.states()  # an illegal move is refused here
    return question


class StartForm:
    """The form for a new game."""

    def __init__(self, services: Services, begin: Begin, position: Question | None = None) -> None:
        """With a `position` to play on from."""
        players, seat = PROFILE.usual_seats, 0
        self.rules = Rules()
        self.moves: tuple[int, ...] = ()
        with box("ct-start"):
            with box("stack ct-boards"):
                self._view = BoardView(lambda element: None, "The board of the new game")
            with box("stack"):
                text("h1", "Play Catan against bots")
                self.unfinished = box("stack")
                with card("A new game"):
                    seats = box("")
                with card("Board"):
                    self._boards = box("stack")
                with ui.expansion("Rules").props("dense").classes("card ct-card-like"), box("stack"):
                    rules = box("stack")
                with box("ct-start-go"):
                    Deal(begin, self._setup, "Start the game", "play_arrow", lambda: [*map(describe, self.moves)])
        if position is None:
            self._choose_board(fresh_seed())
        else:
            players, self.rules, states = position.seats, position.rules, position.states()
            seat = position.seat if position.seat is not None else int(states["player"][0])
            self._show(position.board, "The board of your position", position.moves, draw_state(states, hands=False))
        with seats:
            self.seats = SeatChoice(PROFILE, players, BOTS, "medium", seat=seat, changed=self._clear)
        with rules:
            rule_options(self.rules, lambda chosen: setattr(self, "rules", chosen))

    def _setup(self) -> dict[str, Any]:
        seats = self.seats.bots[: self.seats.seats - 1]
        seats.insert(self.seats.seat, YOU)
        return CatanSetup(self.board, tuple(seats), fresh_seed(), self.rules).to_json()

    def _choose_board(self, seed: int | None) -> None:
        """A random board, or that for beginners."""
        board = Board.beginner() if seed is None else Board.random(seed)
        self._show(board, "Beginner board" if seed is None else f"Random board {seed}")

    def _clear(self) -> None:
        """With another number of players, what stands on the board no longer fits."""
        self._show(self.board, self.name)

    def _show(self, board: Board, name: str, moves: tuple[int, ...] = (), drawing: str = "") -> None:
        """Show a board, and what has been played on it."""
        self.board, self.name, self.moves = board, name, moves
        self._view.show(drawing or draw_board(board))
        with emptied(self._boards):
            text("div", name, "strong")
            if moves:
                after = counted(len(moves), "step")
                hint(f"The game goes on after {after}, with other dice.")
            with box("line"):
                button("Random", lambda: self._choose_board(fresh_seed()), "casino")
                button("Beginner", lambda: self._choose_board(None), "school")
            seed = ui.number("Board by its seed", min=0, precision=0, format="%d").props("outlined dense").classes("seed")
            seed.on("keydown.enter", lambda: self._choose_board(int(seed.value)) if seed.value is not None else None)


class CatanView(TableView[Scene]):
    """A game as one visitor sees it."""

    kibitzer: Kibitzer

    def __init__(self, services: Services, session: Session[CatanTable], again: Again, query: dict[str, str]) -> None:
        self.tool: str | None = None
        self._drawn = -1
        self._asking = False
        setup = CatanSetup.from_json(session.setup)
        text("h1", "A game of Catan", "hidden-visually")
        with box("ct-table") as everything:
            with box("ct-boards stack"):
                with box("ct-status"):
                    self._dice = text("div", "", "ct-dice num").props("role=img")
                    with box("grow"):
                        status = text("div", "", "strong").props("role=status aria-live=polite")
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
                with box("line tight ct-game-tools"):
                    pace_select(session).classes("ct-pace")
                    self._back = button("Take back", self.take_back, "undo", "quiet")
                    self._back.props["aria-keyshortcuts"] = TAKE_BACK.upper()
                    button("New game", partial(again, None, 1.0), "add", "quiet")
            with box("ct-right stack"):
                on = query.get("kibitz") == "1"
                self.kibitzer = Kibitzer(services.jobs, session, PROFILE, on, self._switched, element_of)
                with self.kibitzer.card:
                    self._holdings = box("stack")
                with card("Log", "ct-log-card"):
                    self._log = LogLines("Set-up")
        super().__init__(
            services, session, again, everything, status, lambda: Scene.of(session, with_holdings=self.kibitzer.on)
        )

    @property
    def choices(self) -> Choices:
        """What may be done now."""
        assert self.moment is not None
        return self.moment.choices

    def show(self, moment: Scene) -> None:
        """Show a moment."""
        row = moment.row
        self._question.set_text(moment.status)
        self._turn.set_text(f"Turn {row['turn']}, {moment.names[row['player']]}" if row["turn"] else "Set-up")
        self._dice.set_text(str(row["roll"] or NOTHING))
        self._dice.props["aria-label"] = f"rolled {row['roll']}" if row["roll"] else "not rolled yet"
        self._dice.classes(add="seven" if row["roll"] == 7 else "", remove="seven")
        self._seats.show(row, moment.actor, moment.over)
        self._bank.show(row["bank"], row["deck_size"])
        self._log.show(moment.log)
        self._prompt.show(moment)
        self._back.set_enabled(moment.can_take_back)
        self._hand.show(moment)
        self.kibitzer.show(moment, moment.labels)
        with emptied(self._holdings):
            if moment.holdings:
                text("h3", "What the others may hold")
                with box("scroll-x"):
                    show_hands(moment.holdings, moment.names)
        with emptied(self._end):
            if moment.over:
                button("Review this game", None, "insights", "primary").props(f'href="/review?game={self.session.id}" tag=a')
                self.end_buttons()
        with self._client:
            ui.page_title(f"{'Your move' if moment.choices.open else 'Game over' if moment.over else 'Play'} · Catan · Kibitz")
        if moment.version != self._drawn:
            self._drawn = moment.version
            self._hold(moment.choices.at_once)

    def _hold(self, tool: str | None) -> None:
        """Take a tool into the hand, or none, and draw the board with the places where it can be used."""
        self.tool = tool
        self._actions.show(self.choices, tool)
        background_tasks.create(self._draw())

    async def _draw(self) -> None:
        scene, tool = self.moment, self.tool
        assert scene is not None
        drawing = await asyncio.to_thread(scene.drawing, tool)
        if (scene.version, tool) == (self._drawn, self.tool) and not self._all.is_deleted:  # else another one is drawn by now
            self.board.show(drawing, scene.choices.places.get(tool or "", {}))

    def _switched(self) -> None:
        """The kibitzer was switched on or off: with it, what the others may hold is shown."""
        self.note_address()
        background_tasks.create(self.refresh(anew=True))

    async def _clicked(self, element: str) -> None:
        if self.moment is not None and (code := self.choices.places.get(self.tool or "", {}).get(element)) is not None:
            await self.play(code)

    async def press(self, kind: str) -> None:
        """Carry out what needs no more than a click, if it is possible now."""
        if self.moment is not None and kind in self.choices.buttons:
            await self.play(self.choices.buttons[kind])

    async def end(self) -> None:
        """End the turn, or the part of it."""
        if self.moment is not None and (kind := ActionBar.ending(self.choices)):
            await self.press(kind)

    def use(self, tool: str | None) -> None:
        """Take a tool into the hand, or put it away."""
        if self.moment is not None and self.choices.at_once is None:
            self._hold(None if tool == self.tool or tool not in self.choices.places else tool)

    async def trade(self) -> None:
        """Put a trade together."""
        if self.moment is not None and (self.choices.bank or self.choices.may_offer):
            with self._all:
                await trade_dialog(self)

    async def ask(self, dialog: ui.dialog) -> Any:
        """Wait for the answer of a dialog, which has the keys for itself; None if it was put away."""
        self._asking = True
        try:
            return await dialog
        finally:
            self._asking = False
            dialog.delete()

    def keys(self) -> Mapping[str, int]:
        """Those of the buttons that need no more than a click."""
        if self.moment is None or self._asking:
            return {}
        buttons = self.choices.buttons
        kinds = {"d": "roll_dice", "b": "buy_dev_card", "e": ActionBar.ending(self.choices) or ""}
        return {key: buttons[kind] for key, kind in kinds.items() if kind in buttons}

    async def pressed(self, key: str) -> None:
        """Choose a tool, trade, take back, or ask the kibitzer."""
        if self._asking:
            return
        tools = {"escape": None, **{name: tool for tool, (_, name) in TOOLS.items()}}
        if key in tools:
            self.use(tools[key])
        elif key == "t":
            await self.trade()
        else:
            await super().pressed(key)
