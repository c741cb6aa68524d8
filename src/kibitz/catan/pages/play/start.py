"""The Play page before a game: the form for a new one, perhaps from a position of a link."""

import asyncio
from typing import Any

from nicegui import ui

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.state import Rules
from kibitz.catan.core.svg import draw_board, draw_state
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.play.clock import clock_select
from kibitz.catan.pages.play.game import ALL, OFFERS, CatanSetup
from kibitz.catan.pages.play.page import CatanView
from kibitz.catan.profile import PROFILE
from kibitz.ground.rng import fresh_seed
from kibitz.ground.texts import Mistake, counted
from kibitz.play.names import YOU
from kibitz.web.layout import patiently
from kibitz.web.pages.newgame import Begin, Deal, GamePage, RuleFields, SeatChoice
from kibitz.web.parts import box, button, card, emptied, hint, text
from kibitz.web.services import Services

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
                with card("At the table"), box("line ct-manners"):
                    self._offers = ui.select(OFFERS, value=ALL, label="Offers")
                    self._offers.props("outlined dense options-dense").classes("ct-offers")
                    self._clock = clock_select(0)
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
            RuleFields(self.rules, lambda chosen: setattr(self, "rules", chosen))

    def _setup(self) -> dict[str, Any]:
        seats = self.seats.bots[: self.seats.seats - 1]
        seats.insert(self.seats.seat, YOU)
        setup = CatanSetup(self.board, tuple(seats), fresh_seed(), self.rules, str(self._offers.value)).to_json()
        return {**setup, "clock": int(self._clock.value)} if self._clock.value else setup

    def _choose_board(self, seed: int | None) -> None:
        """A random board, or that for beginners."""
        board = Board.beginner() if seed is None else Board.random(seed)
        self._show(board, "Beginner board" if seed is None else f"Board {seed}")

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
                hint(f"The game continues after {after}, with new dice.")
            with box("line"):
                button("Random", lambda: self._choose_board(fresh_seed()), "casino")
                button("Beginner", lambda: self._choose_board(None), "school")
            seed = ui.number("Board number", min=0, precision=0, format="%d").props("outlined dense").classes("seed")
            seed.on("keydown.enter", lambda: self._choose_board(int(seed.value)) if seed.value is not None else None)
