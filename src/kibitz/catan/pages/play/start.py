"""Before a game: who plays, on which board, by which rules; and the games that are not over yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nicegui import ui

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.state import Rules
from kibitz.catan.core.svg import draw_board, draw_state
from kibitz.catan.pages.board import BoardView
from kibitz.catan.pages.play.game import CatanSetup
from kibitz.catan.profile import PROFILE
from kibitz.ground.figures import counted
from kibitz.ground.rng import fresh_seed
from kibitz.web.games import InvalidSetup, NotNow
from kibitz.web.pages.newgame import SeatChoice, offer_unfinished, rule_options
from kibitz.web.pages.people import YOU
from kibitz.web.parts import box, button, card, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.play.page import PlayPage

BOTS = {
    "random": ("Random", "any legal move"),
    "seed": ("Seed", "simple rules of thumb"),
    "builder": ("Builder", "plans its buildings"),
    "ismcts:300": ("Search, quick", "searches 300 times"),
    "ismcts:1000": ("Search", "searches 1,000 times"),
    "ismcts:5000": ("Search, strong", "searches 5,000 times"),
}


class StartPanel:
    """The form for a new game."""

    def __init__(self, page: PlayPage, position: Question | None = None) -> None:
        """With a `position` to play on from."""
        self._page = page
        players, seat = PROFILE.usual_seats, 0
        self.rules = Rules()
        self.board: Board
        self.moves: tuple[int, ...] = ()
        if position is None:
            self._choose_board(fresh_seed())
            drawing = draw_board(self.board)
        else:
            self.board, self.name, self.moves = position.board, "The board of your position", position.moves
            players, self.rules = position.seats, position.rules
            states = position.states()
            seat = position.seat if position.seat is not None else int(states["player"][0])
            drawing = draw_state(states, hands=False)
        with box("ct-start"):
            with box("stack ct-boards"):
                self._view = BoardView(lambda element: None, "The board of the new game")
            with box("stack"):
                text("h1", "Play Catan against bots")
                self._running = box("stack")
                with card("A new game"):
                    self.seats = SeatChoice(PROFILE.seats, players, BOTS, "builder", seat=seat, changed=self._clear)
                with card("Board"):
                    self._boards = box("stack")
                with ui.expansion("Rules").props("dense").classes("card ct-card-like"), box("stack"):
                    rule_options(self.rules, self._set_rules)
                self._go = button("Start the game", self._start, "play_arrow", "primary big ct-start-go")
        self._view.show(drawing)
        self._refresh()

    def _choose_board(self, seed: int | None) -> None:
        """A random board, or that for beginners; nothing stands on it."""
        self.board = Board.beginner() if seed is None else Board.random(seed)
        self.name, self.moves = "Beginner board" if seed is None else f"Random board {seed}", ()

    def setup(self) -> CatanSetup:
        """The game as chosen."""
        seats = self.seats.bots[: self.seats.seats - 1]
        seats.insert(self.seats.seat, YOU)
        return CatanSetup(self.board, tuple(seats), fresh_seed(), self.rules)

    def _refresh(self) -> None:
        self._boards.clear()
        with self._boards:
            text("div", self.name, "strong")
            if self.moves:
                text(
                    "p",
                    f"The game goes on after {counted(len(self.moves), 'step')}; from then on other dice fall.",
                    "muted small",
                )
            with box("line"):
                button("Random", lambda: self._set_board(fresh_seed()), "casino")
                button("Beginner", lambda: self._set_board(None), "school")
            seed = ui.number("Board by its seed", min=0, precision=0, format="%d").props("outlined dense").classes("seed")
            seed.on("keydown.enter", lambda: self._set_board(int(seed.value)) if seed.value is not None else None)

    def _clear(self) -> None:
        """With another number of players, what stands on the board no longer fits."""
        self.moves = ()
        self._view.show(draw_board(self.board))
        self._refresh()

    def _set_board(self, seed: int | None) -> None:
        self._choose_board(seed)
        self._view.show(draw_board(self.board))
        self._refresh()

    def _set_rules(self, rules: Rules) -> None:
        self.rules = rules

    async def _start(self) -> None:
        self._go.disable()  # so that a second click begins no second game
        try:
            setup = self.setup().to_json()
            session = await asyncio.to_thread(self._page.services.games.new, "catan", setup, 1.0, [*map(describe, self.moves)])
        except (InvalidSetup, NotNow) as error:
            say(str(error), "negative")
            self._go.enable()
            return
        await self._page.sit_down(session)

    async def show_running(self) -> None:
        """List the games that can go on."""
        with self._running:
            await offer_unfinished(self._page.services, "catan", "Catan: ", most=3)
