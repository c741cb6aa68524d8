"""A game in the terminal is on disk after every turn: nothing is lost when the window is closed or the power fails."""

from __future__ import annotations

import glob
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.game.files import lives, writing
from kibitz.ground.folders import data_folder

if TYPE_CHECKING:
    from kibitz.game.record import GameRecord

#: The folder beside the library for games whose players named no file.
UNDER_WAY = "under way"


class Kept:
    """A game under way: in the file that its player named, or in one of ours until it is over or left."""

    def __init__(self, begun: GameRecord, record: Path | None, game: str) -> None:
        self._begun, self._game = begun, game
        self._ours = record is None
        self._path: Path | None = record or data_folder() / UNDER_WAY / f"{Path(game).stem}-{os.getpid()}.jsonl"

    def keep(self, codes: Sequence[int]) -> None:
        """Write down what was done so far. Where our own file cannot be written, the game goes on without."""
        if self._path is None:
            return
        try:
            if self._ours:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            with writing(self._path) as write_line:
                for line in replace(self._begun, codes=tuple(codes)).lines():
                    write_line(line)
        except OSError as error:
            if not self._ours:
                raise
            print(f"kibitz: the game cannot be saved while you play ({self._path}: {error.strerror})", file=sys.stderr)
            self._path = None

    def stay(self, over: bool) -> None:
        """Nobody said what is to become of it: a game that is not over stays, and it is said where."""
        if over:
            self.forget()
        elif self._path is not None and self._path.exists():
            print(f"\nThe game is saved. To continue:\n  kibitz play {self._game} --resume {shlex.quote(str(self._path))}")

    def forget(self) -> None:
        """Remove our own file: the game is over, or its player has been asked where to write it."""
        if self._ours and self._path is not None:
            self._path.unlink(missing_ok=True)


def say_broken_off(game: str) -> None:
    """Name the games that broke off without a word, and how to go on with them."""
    for left in sorted((data_folder() / UNDER_WAY).glob(f"{glob.escape(Path(game).stem)}-*.jsonl")):
        player = left.stem.rpartition("-")[2]
        if player.isdecimal() and not lives(int(player)):
            print(f"You have an unfinished game. To continue: kibitz play {game} --resume {shlex.quote(str(left))}")
