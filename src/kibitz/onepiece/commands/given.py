"""What the commands of the One Piece card game are given: decks, cards, loop rules, recorded games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import UserError, readable
from kibitz.cli.guards import read_guard
from kibitz.cli.record_files import game_of_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kibitz.loops.config import Config
    from kibitz.onepiece.core.cards import Card
    from kibitz.onepiece.core.decks import Deck
    from kibitz.onepiece.core.record import Record


def read_decks(text: str, cards: Mapping[str, Card] | None = None) -> tuple[Deck, Deck]:
    """The decks that ``--decks`` names."""
    from kibitz.onepiece.core.decks import STARTERS, load_deck, starter
    from kibitz.onepiece.core.engine import game_with
    from kibitz.onepiece.core.reading import CardError

    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise UserError(f"--decks {text}: expected two decks, as in tide,ember")
    found = []
    for name in names:
        if name not in STARTERS and not Path(name).is_file():
            raise UserError(f"--decks {name!r}: no such deck; these are {', '.join(STARTERS)}, or the name of a deck file")
        try:
            found.append(starter(name) if name in STARTERS else load_deck(Path(name), cards))
        except (CardError, UnicodeDecodeError) as error:
            raise UserError(f"--decks: {error}") from None
    try:
        game_with(found[0], found[1])
    except CardError as error:
        raise UserError(f"--decks {text}: {error}") from None
    return found[0], found[1]


def read_loop_rules(guard: str | None, decks: tuple[Deck, Deck]) -> Config | None:
    """Under which loop rules a game is played: those of ``--guard``, else the game's own for decks that may go in circles."""
    from kibitz.onepiece.core.decks import STARTERS, starter

    known = [starter(name) for name in STARTERS]
    own = any(deck not in known for deck in decks)
    return read_guard("onepiece" if guard is None and own else guard)


def read_cards(file: Path | None) -> Mapping[str, Card] | None:
    """The cards of the file that ``--cards`` names."""
    from kibitz.onepiece.core.importing.cards import load_any
    from kibitz.onepiece.core.reading import CardError

    if file is None:
        return None
    try:
        return load_any(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(f"--cards: {error}") from None


def find_game(file: Path, game: int | None, cards: Mapping[str, Card] | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.onepiece.core.record import check

    return game_of_file(file, game, partial(check, cards=cards))
