"""Before a game: who plays, on which board, by which rules; and the games that are not over yet."""

from __future__ import annotations

from typing import Any

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
from kibitz.web.pages.newgame import Begin, Deal, SeatChoice, offer_unfinished, rule_options
from kibitz.web.parts import box, button, card, emptied, hint, text
from kibitz.web.services import Services
from kibitz.web.table import YOU

BOTS = {
    "random": ("Random", "any legal move"),
    "seed": ("Seed", "simple rules of thumb"),
    "builder": ("Builder", "plans its buildings"),
    "ismcts:300": ("Search, quick", "searches 300 times"),
    "ismcts:1000": ("Search", "searches 1,000 times"),
    "ismcts:5000": ("Search, strong", "searches 5,000 times"),
}


class StartForm:
    """The form for a new game."""

    def __init__(self, services: Services, begin: Begin, position: Question | None = None) -> None:
        """With a `position` to play on from."""
        self._services = services
        players, seat = PROFILE.usual_seats, 0
        self.rules = Rules()
        self.moves: tuple[int, ...] = ()
        with box("ct-start"):
            with box("stack ct-boards"):
                self._view = BoardView(lambda element: None, "The board of the new game")
            with box("stack"):
                text("h1", "Play Catan against bots")
                self._running = box("stack")
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
            self.seats = SeatChoice(PROFILE.seats, players, BOTS, "builder", seat=seat, changed=self._clear)
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
                hint(f"The game goes on after {after}; from then on other dice fall.")
            with box("line"):
                button("Random", lambda: self._choose_board(fresh_seed()), "casino")
                button("Beginner", lambda: self._choose_board(None), "school")
            seed = ui.number("Board by its seed", min=0, precision=0, format="%d").props("outlined dense").classes("seed")
            seed.on("keydown.enter", lambda: self._choose_board(int(seed.value)) if seed.value is not None else None)

    async def offer(self) -> None:
        """List the games that can go on."""
        with self._running:
            await offer_unfinished(self._services, PROFILE.name, "Catan: ", most=3)
