"""What the commands of every game do with files of lines: records, logs; a game brings its own `check`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kibitz.cli.common import UserError, check_one, check_step, check_turn, print_json, progress, readable

if TYPE_CHECKING:
    from kibitz.game.record import GameRecord
    from kibitz.game.state import FriendlyState

R = TypeVar("R", bound="GameRecord")


def is_record(file: Path) -> bool:
    """Whether a file that is there holds games: its first line is the header of a record."""
    from kibitz.game.files import RecordError, read_file

    try:
        header = json.loads(next((line for _, line in read_file(file)), ""))
    except (RecordError, ValueError, RecursionError):  # something else, or damaged: whoever reads it will say so
        return False
    return isinstance(header, dict) and "record" in header


def replay_file(file: Path, check: Callable[[Iterable[str], Callable[[int], None]], Iterator[GameRecord]]) -> None:
    """Verify every step of all games of a file, and the verdicts of their loop guards; say how many there were."""
    from kibitz.game.files import RecordError, read_file
    from kibitz.ground.figures import counted
    from kibitz.play.guarded import check_guards

    games = steps = 0
    try:
        with progress("replaying", None, "steps") as advance:
            for played in check_guards(check((line for _, line in read_file(readable(file))), advance)):
                games += 1
                steps += len(played.codes)
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
    if not games:
        raise UserError(f"{file}: line 1: the file holds no game")
    print(f"{file}: {counted(games, 'game')}, {counted(steps, 'step')}, all by the rules")


def game_of_file(file: Path, game: int | None, check: Callable[[Iterable[str]], Iterator[R]]) -> R:
    """One game of a file (the first by default), verified, with the verdict of its loop guard."""
    from kibitz.game.files import RecordError, read_file
    from kibitz.play.guarded import check_guards

    count, wanted = 0, game or 0
    try:
        for found in check_guards(check(line for _, line in read_file(readable(file)))):
            if count == wanted:
                return found
            count += 1
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
    raise UserError(f"{file}: there is no game {wanted}; the file holds {count}")


def check_full(full: bool, record: Path | None) -> None:
    """Refuse ``--full`` where nothing is recorded."""
    if full and record is None:
        raise UserError("--full describes what --record writes; name a file with --record FILE")


def moment_of(found: GameRecord, turn: int | None, at: int | None) -> tuple[int, list[int]]:
    """The step before which ``--turn`` or ``--at`` asks for a position (by default the end), and the steps of its turn."""
    turns = [found.moment(states)[0] for states in found.states()]
    step, last = step_of(turns, turn, at)
    return step, [number for number in range(step) if turns[number] == last]


def step_of(turns: Sequence[int], turn: int | None, at: int | None) -> tuple[int, int]:
    """The same, and its turn; `turns` are those of all positions of a game.

    >>> step_of([0, 1, 1, 2], turn=1, at=None), step_of([0, 1, 1, 2], turn=None, at=1)
    ((3, 1), (1, 1))
    """
    check_one({"--turn": turn, "--at": at}, "one position is shown")
    if at is not None:
        check_step(at, len(turns) - 1)
        return at, turns[at]
    check_turn(turn, turns[-1])
    last = turns[-1] if turn is None else turn
    return next((step for step, then in enumerate(turns) if then > last), len(turns) - 1), last


def end_of(found: GameRecord) -> int:
    """The last position of a game that goes on, for who asks what to do and names no step."""
    from kibitz.game import OVER, actor_at

    last = len(found.codes)
    if actor_at(found.before(last), 0) == OVER:
        raise UserError(f"the game is over: choose a position before its end with --at STEP (0 to {last - 1})")
    return last


def print_position(found: GameRecord, step: int, state: FriendlyState[Any]) -> None:
    """A position of a recorded game as JSON: what may be done, and everything that is true, as in a record with --full."""
    header = {"position": found.name, "version": found.VERSION, "game": found.game, "seats": list(found.seats), "step": step}
    print_json({**header, **state.to_json(), "state": state.position()})


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file and say so."""
    from kibitz.game.files import writing

    with writing(path) as write_line:
        for line in lines:
            write_line(line)
    print(f"written: {path}")
