"""What is played in the One Piece card game: decks, as they are typed or as objects; its records; positions as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core import record
from kibitz.onepiece.core.decks import STARTERS, Deck, load_deck, starter
from kibitz.onepiece.core.engine import game_with, new
from kibitz.onepiece.core.reading import CardError
from kibitz.play import profile
from kibitz.play.profile import InvalidSetup, RecordFiles, Summary, Typed

if TYPE_CHECKING:
    from kibitz.game import Game, States
    from kibitz.game.state import FriendlyState
    from kibitz.onepiece.core.cards import Card
    from kibitz.onepiece.core.game_state import GameState
    from kibitz.play.match import Results


@dataclass(frozen=True, eq=False)
class Setup(profile.Setup):
    """Two decks; the seats begin in turn."""

    decks: tuple[Deck, Deck]

    @property
    def game(self) -> Game:
        """The game with these decks."""
        return game_with(*self.decks)

    @property
    def guard(self) -> str | None:
        """The game's own loop rules, for decks that may go in circles: all but the starter decks."""
        known = [starter(name) for name in STARTERS]
        return None if all(deck in known for deck in self.decks) else "onepiece"

    def starts(self, seats: int, first: int, n: int) -> States:
        """Two starts, one for each who may begin."""
        return PlainStates(self.game, [new(*self.decks, (first + i) % 2) for i in range(2)])

    def record(self, number: int, heading: Mapping[str, Any]) -> record.Record:
        """The record of a game, with its decks and who began."""
        return record.Record(self.decks, first=number % 2, **heading)

    def summary(self, results: Results) -> Summary:
        """The decks, how often who began has won, and how the games ended."""
        began = sum(state.winner == state.first for state in results.states)
        return Summary(
            words={"deck": [deck.name for deck in self.decks]},
            shares={"who_began": (began, len(results.states))},
            endings=[state.ending or "the loop rule" for state in results.states],
        )


def setup(seed: int = 0, decks: Sequence[Deck | str] = ("tide", "ember")) -> Setup:
    """Games between two decks, starter decks by their names; the seed makes no difference, since chance deals.

    >>> from kibitz.play.series import play
    >>> [state.winner for state in play("onepiece", ["greedy", "random"], seed=1, games=4).states]
    [0, 0, 0, 0]
    """
    one, two = (starter(deck) if isinstance(deck, str) else deck for deck in decks)
    return Setup((one, two))


def typed(options: Typed, seed: int) -> Setup:
    """The setup that ``--decks`` and ``--cards`` mean."""
    return Setup(read_decks(options.get("decks") or "tide,ember", read_cards(options.get("cards"))))


def read_decks(text: str, cards: Mapping[str, Card] | None = None) -> tuple[Deck, Deck]:
    """The decks that ``--decks`` names."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise InvalidSetup(f"--decks {text}: expected two decks, as in tide,ember")
    found = []
    for name in names:
        if name not in STARTERS and not Path(name).is_file():
            raise InvalidSetup(f"--decks {name!r}: no such deck; these are {', '.join(STARTERS)}, or the name of a deck file")
        try:
            found.append(starter(name) if name in STARTERS else load_deck(Path(name), cards))
        except (CardError, UnicodeDecodeError) as error:
            raise InvalidSetup(f"--decks: {error}") from None
    try:
        game_with(found[0], found[1])
    except CardError as error:
        raise InvalidSetup(f"--decks {text}: {error}") from None
    return found[0], found[1]


def read_cards(file: str | Path | None) -> Mapping[str, Card] | None:
    """The cards of the file that ``--cards`` names."""
    from kibitz.onepiece.core.importing.cards import load_any

    if file is None:
        return None
    path = Path(file)
    if not path.is_file():
        raise InvalidSetup(f"{file}: {'is a folder' if path.is_dir() else 'no such file'}")
    try:
        return load_any(path)
    except (CardError, UnicodeDecodeError) as error:
        raise InvalidSetup(f"--cards: {error}") from None


def records(options: Typed = {}) -> RecordFiles:  # noqa: B006
    """How records of the game are read, with the cards that ``--cards`` names."""
    cards = read_cards(options.get("cards"))
    return RecordFiles(partial(record.read_lines, cards=cards), partial(record.check, cards=cards))


def text(state: FriendlyState[Any], names: Sequence[str]) -> str:
    """Both sides of the table; < marks whose turn it is."""
    from kibitz.onepiece.commands.table import position_text

    return position_text(cast("GameState", state), names)
