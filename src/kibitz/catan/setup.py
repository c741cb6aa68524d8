"""What is played in Catan: rules and boards, as they are typed or as objects; its records; positions as text and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kibitz.catan.core import record
from kibitz.catan.core.board import Board, InvalidBoard
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import Rules, new_states
from kibitz.ground.folders import text_in
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake
from kibitz.play import profile
from kibitz.play.profile import InvalidSetup, Summary, Typed, rules_typed

if TYPE_CHECKING:
    from kibitz.catan.core.game_state import GameState
    from kibitz.game import Game, States
    from kibitz.game.record import RecordFiles
    from kibitz.game.state import FriendlyState
    from kibitz.play.match import Results


@dataclass(frozen=True, eq=False)
class BoardSetup(profile.Setup):
    """Rules, and the board of each game of a series; `name` is what JSON calls the board."""

    rules: Rules
    board: Board | Callable[[int], Board]
    name: str

    @property
    def game(self) -> Game:
        """Catan."""
        return GAME

    def board_of(self, number: int) -> Board:
        """The board of a game of the series."""
        return self.board if isinstance(self.board, Board) else self.board(number)

    def starts(self, seats: int, first: int, n: int) -> States:
        """One start for all games on one board, else one for each."""
        boards = [self.board] if isinstance(self.board, Board) else [self.board(first + i) for i in range(n)]
        return new_states(boards, seats, self.rules)

    def record(self, number: int, heading: Mapping[str, Any]) -> record.Record:
        """The record of a game, with its board."""
        return record.Record(self.board_of(number), self.rules, **heading)

    def facts(self) -> dict[str, Any]:
        """The rules, and what the board is called."""
        return {"rules": self.rules.to_json(), "board": self.name}

    def summary(self, results: Results) -> Summary:
        """The points of each seat on average."""
        return Summary(figures={"points": results.scores().mean(axis=0).tolist()})


def setup(seed: int = 0, rules: Rules = Rules(), board: Board | Callable[[int], Board] | None = None) -> BoardSetup:  # noqa: B008
    """One board for all games, one by the number of each game, or by default a random one for each.

    >>> from kibitz.play.series import play
    >>> results = play("catan", ["builder", "random"], games=2, rules=Rules(victory_points=5), board=Board.beginner())
    >>> len(results.states)
    2
    """
    if board is None:
        return BoardSetup(rules, lambda number: Board.random(derive_seed(seed, "board", number)), "random")
    return BoardSetup(rules, board, board.to_text() if isinstance(board, Board) else "by number")


def numbered(max_turns: int, board: int) -> BoardSetup:
    """Games with a limit of turns, all on the random board of a seed."""
    return setup(rules=Rules(max_turns=max_turns), board=Board.random(board))


def typed(options: Typed, seed: int) -> BoardSetup:
    """The setup that ``--board`` and ``--rule`` mean."""
    rules, board = rules_typed(Rules, options.get("rule")), options.get("board", "random")
    found = None if board == "random" else read_board(board, f"--board {board[:80]}")
    return BoardSetup(rules, setup(seed, rules, found).board, board)


def read_board(board: str, name: str) -> Board:
    """The board that is meant by ``beginner``, a file or a text; an error begins with `name`."""
    if board == "beginner":
        return Board.beginner()
    try:
        if is_board_text(board):
            text = board
        elif Path(board).is_file():
            text = text_in(Path(board)).strip()
        else:
            missing = "is a folder" if board and Path(board).is_dir() else "no such file"
            raise InvalidSetup(f"{name}: {missing}; it can also be random, beginner, or the text of a board")
        return Board.from_json(text) if text.startswith("{") else Board.from_text(text)
    except (InvalidBoard, Mistake) as error:
        raise InvalidSetup(f"{name}: {str(error).removeprefix(f'{board}: ')}") from None


def is_board_text(board: str) -> bool:
    """Whether a board is typed as text, not as the name of a file."""
    return board.count("/") == 4 and " " in board


def records(options: Typed = {}) -> RecordFiles[record.Record]:  # noqa: B006
    """How records of Catan are read."""
    return record.RECORDS


def screen(state: FriendlyState[Any], names: Sequence[str]) -> Iterable[Any]:
    """The players with their points, cards and pieces; the board, in colours and as the text that can be typed."""
    from kibitz.catan.commands.table import board_text, players_table

    shown = cast("GameState", state)
    yield players_table(shown, names)
    yield ""
    yield board_text(shown.states)
    yield f"board: {shown.board.to_text()}"


def text(state: FriendlyState[Any], names: Sequence[str]) -> str:
    """The same without colours."""
    from kibitz.cli.tables import as_text

    return as_text(screen(state, names))


def svg(state: FriendlyState[Any], names: Sequence[str]) -> str:
    """The board with its pieces, and what lies in front of everybody."""
    from kibitz.catan.core.svg import draw_state

    return draw_state(state.states, names=names, observer=state.observer)
