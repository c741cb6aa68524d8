"""The group of Catan's own commands, and what they are given: recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.record_files import game_of_file

if TYPE_CHECKING:
    from kibitz.catan.core.record import Record


def find_game(file: Path, game: int | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.catan.core.record import check

    return game_of_file(file, game, check)
