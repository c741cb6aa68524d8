"""Texts and files that visitors bring: boards, questions, analyses and games, told apart by what is in them."""

import gzip
import io
import zlib
from typing import Any

from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.logs import MOST_BYTES, ImportedLog, LogError, read_bounded
from kibitz.catan.logs.base import decoded
from kibitz.compute.runtime import Runtime
from kibitz.ground.codec import parse_json

Analysis = dict[str, Any]
"""An analysis as it was kept, not yet opened."""
Games = tuple[Record, ...]
#: Games of one file that can be chosen from.
MOST_GAMES = 100


def unpacked(data: bytes) -> str:
    """The text of a file, which may be packed. Raises `InvalidQuestion`."""
    try:
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InvalidQuestion(f"the file is too large: at most {MOST_BYTES >> 20} MB")
        return decoded(data).strip()
    except (EOFError, OSError, zlib.error, UnicodeDecodeError):
        raise InvalidQuestion("the file is damaged, or is not text in UTF-8") from None


def read_any(data: bytes, runtime: Runtime) -> Board | Question | Analysis | Games | ImportedLog:
    """A board, a question, an analysis, a game record, or the log of another program, by its content. Raises a `Mistake`."""
    content = unpacked(data)
    if not content.startswith(("{", "[")):
        return Board.from_text(content) if content.count("/") == 4 and "\n" not in content else _log(content, runtime)
    try:
        found = parse_json(content)
    except ValueError as error:
        if "\n" not in content:
            raise InvalidQuestion(str(error)) from None
        return games_of(content, runtime) if '"record"' in content.partition("\n")[0] else _log(content, runtime)
    if not isinstance(found, dict) or not {"record", "analysis", "question", "board", "hexes"} & {*found}:
        return _log(content, runtime)
    if "record" in found:
        return games_of(content, runtime)
    if "analysis" in found:
        return found
    if "question" not in found:
        return Board.from_json(found)
    question = Question.from_json(found)
    question.states()  # an illegal move is refused here
    return question


def _log(content: str, runtime: Runtime) -> ImportedLog:
    """What another program tells of a game."""
    try:
        return read_bounded(content, runtime=runtime)
    except LogError as error:
        raise InvalidQuestion(
            f"this is no board, game or analysis of Kibitz, and as a game log it cannot be read: {error}"
        ) from None


def question_of(record: Record) -> Question:
    """The position at the end of a recorded game."""
    return Question(record.board, len(record.seats), record.rules, record.codes)


def games_of(content: str, runtime: Runtime | None) -> Games:
    """The games of a record file; of very many the first. Raises `InvalidQuestion`."""
    games = []
    try:
        for record in check(content.splitlines()):
            games.append(record)
            if len(games) == MOST_GAMES or (runtime is not None and runtime.stopped):
                break
    except RecordError as error:
        raise InvalidQuestion(f"not a game record: {error}") from None
    if not games:
        raise InvalidQuestion("there is no game in it")
    return tuple(games)
