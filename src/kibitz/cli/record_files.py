"""What the commands of every game do with record files; a game brings its own `check`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kibitz.cli.common import UserError, progress, readable

if TYPE_CHECKING:
    from kibitz.game_record import GameRecord

R = TypeVar("R", bound="GameRecord")


def replay_file(file: Path, check: Callable[[Iterable[str], Callable[[int], None]], Iterator[GameRecord]]) -> None:
    """Verify every step of all games of a file, and the verdicts of their loop guards; say how many there were."""
    from kibitz.play.guarded import check_guards
    from kibitz.records import RecordError, read_file

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
    print(f"{file}: {games:,} {'game' if games == 1 else 'games'}, {steps:,} steps, all by the rules")


def game_of_file(file: Path, game: int, check: Callable[[Iterable[str]], Iterator[R]]) -> R:
    """One game of a file, verified, with the verdict of its loop guard."""
    from kibitz.play.guarded import check_guards
    from kibitz.records import RecordError, read_file

    count = 0
    try:
        for found in check_guards(check(line for _, line in read_file(readable(file)))):
            if count == game:
                return found
            count += 1
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
    raise UserError(f"{file}: there is no game {game}; the file holds {count}")
