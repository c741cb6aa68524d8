"""The file of a game: JSON Lines, as described field by field in ``docs/record.md``.

>>> from kibitz.catan import Board, Rules
>>> record = simulate(Board.beginner(), ["random"] * 4, seed=3, rules=Rules(domestic_trade=False))
>>> lines = list(record.lines())
>>> len(lines) == len(record.codes) + 2
True
>>> read = next(read_lines(lines))
>>> read == record
True
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kibitz import game
from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import Board, InvalidBoard
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.position import PHASES, points_of
from kibitz.catan.core.state import Rules, new_states
from kibitz.game import States
from kibitz.game.files import RecordError, check_target, get, read_file, writing
from kibitz.game.record import GameRecord, RecordFiles, play_line, rules_in
from kibitz.ground.rng import derive_seed

__all__ = ["Record", "RecordError", "check", "check_target", "read", "read_file", "read_lines", "simulate", "writing"]


@dataclass(frozen=True)
class Record(GameRecord):
    """One game: how it was set up, and every action and outcome as a code."""

    NAME = "catan"
    STATE = GameState

    board: Board
    rules: Rules

    def start(self) -> States:
        """The position before the first step."""
        return new_states(self.board, len(self.seats), self.rules)

    def setting(self) -> dict[str, Any]:
        """The rules and the board."""
        return {"rules": self.rules.to_json(), "board": self.board.to_json()}

    def action(self, code: int) -> Action:
        """The action of a code."""
        return Action.from_code(code)

    def code_of(self, kind: str, data: dict[str, Any]) -> int:
        """The code of an action."""
        return _code_of(kind, json.dumps(data))

    def action_json(self, code: int) -> str:
        """The part of a step's line that names the action."""
        return _action_json(code)

    def action_text(self, code: int) -> str:
        """An action as people write it."""
        return _action_text(code)

    def moment(self, states: States) -> tuple[int, str]:
        """The turn and the phase."""
        return int(states["turn"][0]), PHASES[int(states["phase"][0])]

    def result(self, states: States) -> dict[str, Any]:
        """How the game ended, and everybody's points."""
        row = game.to_dict(states)
        return {**super().result(states), "points": [points_of(row, seat)[1] for seat in range(row["seats"])]}


# A game repeats a few hundred different actions.


@lru_cache(4096)
def _action_json(code: int) -> str:
    return json.dumps(Action.from_code(code).to_json())[1:-1]


@lru_cache(4096)
def _action_text(code: int) -> str:
    return Action.from_code(code).to_text()


@lru_cache(4096)
def _code_of(kind: str, data: str) -> int:
    return Action(kind, json.loads(data)).code


def simulate(board: Board, bots: Sequence[str], seed: int, rules: Rules = Rules(), number: int = 0) -> Record:  # noqa: B008
    """Play one game between policies and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    codes, _ = play_line(new_states(board, len(bots), rules), [GAME.policies[bot] for bot in bots], seed)
    return Record(board, rules, seats=tuple(bots), codes=codes, seed=seed, game=number)


def _begun(line: int, header: dict[str, Any], common: dict[str, Any]) -> Record:
    try:
        board = Board.from_json(get(line, header, "board", dict))
    except InvalidBoard as error:
        raise RecordError(line, f"board: {error}") from None
    return Record(board, rules_in(line, header, Rules), **common)


RECORDS = RecordFiles(Record.NAME, GAME.seats, _begun)
read, read_lines, check = RECORDS.read, RECORDS.read_lines, RECORDS.check
