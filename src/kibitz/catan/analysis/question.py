"""A complete question for an analysis: a position, who asks, how, and how long. It fits into a link or a file.

>>> moves = tuple(map(parse, ["place_setup_settlement 41", "place_setup_road 40-41"]))
>>> question = Question(Board.beginner(), moves=moves, mode=AnalysisMode.STATIC)
>>> question.to_query()["moves"]
'place_setup_settlement 41.place_setup_road 40-41'
>>> Question.from_query(question.to_query()) == question == Question.from_json(question.to_json())
True
>>> question.position().seat
1
"""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Self

from kibitz import game
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode
from kibitz.catan.core.actions import describe, parse, today
from kibitz.catan.core.board import Board, InvalidBoard
from kibitz.catan.core.codes import BASE, RANGES
from kibitz.catan.core.reasons import refuse
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import Rules, new_states
from kibitz.compute.runtime import Limit
from kibitz.game.actions import InvalidAction
from kibitz.ground.codec import parse_json
from kibitz.ground.texts import Mistake

#: No game is longer.
MOST_MOVES = 20_000
_CODES = BASE["offer_trade"] + RANGES["offer_trade"]
_LONGEST_NUMBER = 20
#: A link whose moves have more characters than this is packed, and begins with this mark; unpacked, it has at most so many.
_LONG, _MARK, _LONGEST = 4_000, "~", 64 * MOST_MOVES


class InvalidQuestion(Mistake):
    """A question that cannot be read; the message names the part."""


@dataclass(frozen=True)
class Question:
    """A position (a board and what has been played on it), the seat that asks, the mode and its settings.

    Without a seat the one to move asks. `time` ends the analysis after so many seconds, with the results so far.
    """

    board: Board
    seats: int = 4
    rules: Rules = field(default_factory=Rules)
    moves: tuple[int, ...] = ()
    seat: int | None = None
    mode: AnalysisMode = AnalysisMode.FULL_GAME
    config: AnalysisConfig = field(default_factory=AnalysisConfig)
    time: float | None = None

    def __post_init__(self) -> None:
        if type(self.seats) is not int or not 2 <= self.seats <= 4:
            raise InvalidQuestion(f"seats={self.seats!r}: Catan is for 2 to 4 players")
        if self.seat is not None and (type(self.seat) is not int or not 0 <= self.seat < self.seats):
            raise InvalidQuestion(f"seat={self.seat!r}: expected 0 to {self.seats - 1}")
        if len(self.moves) > MOST_MOVES:
            raise InvalidQuestion(f"{len(self.moves)} moves: no game is longer than {MOST_MOVES}")
        for code in self.moves:
            if type(code) is not int or not 0 <= code < _CODES:
                raise InvalidQuestion(f"move {code!r}: there is no such action")
        try:
            Limit(time=self.time)
        except (TypeError, ValueError):
            raise InvalidQuestion(f"time={self.time!r}: expected a number of seconds greater than 0") from None

    def states(self) -> Any:
        """The position as an array of one state. Raises `InvalidPosition` with the rule that a move breaks."""
        states = new_states(self.board, self.seats, self.rules)
        for number, code in enumerate(self.moves):
            if game.actor_at(states, 0) == game.OVER:
                raise InvalidPosition(f"move {number + 1}: the game is over")
            if reason := game.why_not_at(states, 0, code):
                raise InvalidPosition(f"move {number + 1}: {refuse(states, code, reason)}")
            game.apply_at(states, 0, code)
        return states

    def record(self) -> Record:
        """The game so far."""
        seats = tuple(f"seat {seat + 1}" for seat in range(self.seats))
        return Record(self.board, self.rules, seats=seats, codes=self.moves)

    def position(self) -> Position:
        """The position, seen by the seat that asks. Raises `InvalidPosition`.

        In a running game it takes the time to follow what the seat has seen.
        """
        states = self.states()
        if int(states["turn"][0]) == 0:
            return Position.of(states, self.seat, self.config.policy)
        return Position.at(self.record(), len(self.moves), self.seat, self.config.policy)

    def to_query(self) -> dict[str, str]:
        """The parameters of a link: all that differs from the defaults, and the board. Seats count from 1."""
        found = {"board": self.board.to_text(), "mode": self.mode.value}
        if self.seats != 4:
            found["seats"] = str(self.seats)
        if self.seat is not None:
            found["seat"] = str(self.seat + 1)
        if self.moves:
            found["moves"] = _packed(".".join(map(describe, self.moves)))
        if self.time is not None:
            found["time"] = f"{self.time:g}"
        for options in (self.rules, self.config):
            found |= {f.name: _text(getattr(options, f.name)) for f in fields(options) if getattr(options, f.name) != f.default}
        return found

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read the parameters of a link; others are left aside. Raises `InvalidQuestion`, or what its parts raise."""
        rules = {f.name: _value(query[f.name], f.default) for f in fields(Rules) if f.name in query}
        config = {f.name: _value(query[f.name], f.default) for f in fields(AnalysisConfig) if f.name in query}
        if "policy" in query:
            config["policy"] = query["policy"]
        seat = _number(query["seat"], "seat") - 1 if "seat" in query else None
        moves = _unpacked(query.get("moves", "")).split(".")
        time = query.get("time")
        return cls(
            _board(query.get("board", "beginner")),
            _number(query.get("seats", "4"), "seats"),
            _rules(rules),
            tuple(_linked(move, number) for number, move in enumerate(moves) if move),
            seat,
            AnalysisMode.named(query.get("mode", "full_game")),
            AnalysisConfig(**config),
            None if time is None else _value(time, 0.0),
        )

    def to_json(self) -> dict[str, Any]:
        """Everything, by name; moves as texts."""
        return {
            "question": "catan",
            "version": 1,
            "board": self.board.to_text(),
            "seats": self.seats,
            "rules": self.rules.to_json(),
            "moves": [*map(describe, self.moves)],
            "seat": self.seat,
            "mode": self.mode.value,
            "config": self.config.to_json(),
            "time": self.time,
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read what `to_json` wrote; all but the board may be left out."""
        if not isinstance(data, Mapping):
            raise InvalidQuestion("expected an object with a board")
        moves, config = data.get("moves", []), data.get("config", {})
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise InvalidQuestion(f"moves: expected a list of at most {MOST_MOVES} actions")
        if not isinstance(config, Mapping):
            raise InvalidQuestion("config: expected an object")
        return cls(
            _board(data.get("board")),
            data.get("seats", 4),
            _rules(data.get("rules", {})),
            tuple(move_code(move, number) for number, move in enumerate(moves)),
            data.get("seat"),
            AnalysisMode.named(data.get("mode", "full_game")),
            AnalysisConfig.from_json(dict(config)),
            data.get("time"),
        )


def move_code(move: Any, number: int) -> int:
    """The code of an action that is written as text."""
    if not isinstance(move, str):
        raise InvalidQuestion(f"move {number + 1}: expected the text of an action")
    try:
        return _code(move)
    except InvalidAction as error:
        raise InvalidQuestion(f"move {number + 1}: {error}") from None


def _packed(moves: str) -> str:
    """The moves of a link: servers take no address of more than 64 kB, and a long game has more than that."""
    if len(moves) <= _LONG:
        return moves
    return _MARK + urlsafe_b64encode(zlib.compress(moves.encode(), 9)).decode().rstrip("=")


def _unpacked(moves: str) -> str:
    """The moves that `_packed` wrote, or others."""
    if not moves.startswith(_MARK):
        return moves
    packed, unpacking = moves.removeprefix(_MARK), zlib.decompressobj()
    try:
        found = unpacking.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), _LONGEST).decode()
    except (ValueError, zlib.error):
        found = ""
    if not found or not unpacking.eof:
        raise InvalidQuestion("moves: this link is damaged")
    return found


def _linked(move: str, number: int) -> int:
    """The code of an action in a link: its text or, in a link of Kibitz 0.1, the code that it had then."""
    if not move[:1].isdigit():
        return move_code(move, number)
    try:
        return today(_number(move, "moves"))
    except InvalidAction as error:
        raise InvalidQuestion(f"move {number + 1}: {error}") from None


@lru_cache(maxsize=4096)  # programs send the same moves again with each question
def _code(text: str) -> int:
    return parse(text)


def _board(board: Any) -> Board:
    if isinstance(board, Mapping):
        return Board.from_json(board)
    if not isinstance(board, str):
        raise InvalidBoard("expected the text of a board, or beginner")
    return Board.beginner() if board == "beginner" else Board.from_text(board)


def _rules(rules: Any) -> Rules:
    try:
        return Rules.preset(rules) if isinstance(rules, str) else Rules.from_json(dict(rules))
    except (TypeError, ValueError) as error:
        raise InvalidQuestion(f"rules: {error}") from None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else json.dumps(value)


def _value(text: str, default: Any) -> Any:
    """A number or a switch, where the default is one; anything else is left as it is, for the class to refuse."""
    if not isinstance(default, int | float):
        return text
    try:
        return parse_json(text)
    except ValueError:
        return text


def _number(text: str, name: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < _LONGEST_NUMBER):
        raise InvalidQuestion(f"{name}={text[:_LONGEST_NUMBER]!r}: expected a whole number")
    return int(text)
