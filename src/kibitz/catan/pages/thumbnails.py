"""Small pictures of what the library holds of Catan: the board as it stands, or stood at the end."""

from typing import Any

from kibitz.catan.analysis.question import Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.svg import draw_board, draw_state
from kibitz.catan.logs import LogError, read_bounded
from kibitz.catan.pages.files import games_of, question_of
from kibitz.catan.pages.play.game import CatanKind
from kibitz.ground.texts import Mistake

#: Longer logs are not read for a picture.
_LONGEST = 4 << 20


def thumbnail(kind: str, data: Any) -> str:
    """A picture of an analysis, a game, a log or a review; nothing for what holds no board of Catan."""
    try:
        found = _shown(kind, data)
        if isinstance(found, Board):
            return draw_board(found, size=320)
        return "" if found is None else draw_state(found.states(), hands=False, size=320)
    except (Mistake, LogError, KeyError, TypeError, ValueError):  # another game, or damaged: then it has no picture
        return ""


def _shown(kind: str, data: Any) -> Question | Board | None:
    if kind == "analysis":
        return Question.from_json(data["question"])
    if kind == "game" and isinstance(data, str):
        return question_of(games_of(data, None)[0])
    if kind == "game" and data["game"] == "catan":
        return question_of(CatanKind().recorded(data["setup"], data["moves"]))
    if kind == "log" and data["board"] is not None:
        return Board.from_text(data["board"])
    if kind == "log" and len(data["text"]) <= _LONGEST:
        return read_bounded(data["text"]).board
    return None
