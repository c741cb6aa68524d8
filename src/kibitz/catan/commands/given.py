"""What the commands of Catan are given: boards, rules, recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import UserError, rules_from
from kibitz.cli.record_files import game_of_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kibitz.catan.core.board import Board
    from kibitz.catan.core.record import Record
    from kibitz.catan.core.state import Rules


def read_rules(options: Sequence[str] | None) -> Rules:
    """Rule options of Catan as they are typed."""
    from kibitz.catan.core.state import Rules

    return rules_from(Rules, options)


def read_boards(board: str, seed: int) -> Callable[[int], Board]:
    """The board of each game of a series, as ``--board`` says."""
    from kibitz.catan.core.board import Board
    from kibitz.ground.rng import derive_seed

    if board == "random":
        return lambda number: Board.random(derive_seed(seed, "board", number))
    found = read_board(board, f"--board {board[:80]}")
    return lambda number: found


def read_board(board: str, name: str) -> Board:
    """The board that is meant by ``beginner``, a file or a text; an error begins with `name`."""
    from kibitz.catan.core.board import Board, InvalidBoard

    if board == "beginner":
        return Board.beginner()
    try:
        if is_board_text(board):
            text = board
        elif Path(board).is_file():
            text = Path(board).read_text(encoding="utf-8-sig").strip()
        else:
            missing = "is a folder" if board and Path(board).is_dir() else "no such file"
            raise UserError(f"{name}: {missing}; it can also be random, beginner, or the text of a board")
        return Board.from_json(text) if text.startswith("{") else Board.from_text(text)
    except (InvalidBoard, UnicodeDecodeError) as error:
        raise UserError(f"{name}: {error}") from None


def is_board_text(board: str) -> bool:
    """Whether a board is typed as text, not as the name of a file."""
    return board.count("/") == 4 and " " in board


def find_game(file: Path, game: int | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.catan.core.record import check

    return game_of_file(file, game, check)
