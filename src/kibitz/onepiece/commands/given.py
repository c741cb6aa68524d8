"""The group of the One Piece card game's own commands, and what they are given: recorded games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.options import group
from kibitz.cli.record_files import game_of_file
from kibitz.onepiece.profile import PROFILE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kibitz.onepiece.core.cards import Card
    from kibitz.onepiece.core.record import Record

app = group(PROFILE.about)


def find_game(file: Path, game: int | None, cards: Mapping[str, Card] | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.onepiece.core.record import check

    return game_of_file(file, game, partial(check, cards=cards))
