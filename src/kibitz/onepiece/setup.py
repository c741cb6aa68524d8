"""What is played in the One Piece card game: decks, as they are typed or as objects; its records; positions as text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from kibitz.ground.plain_states import PlainStates
from kibitz.ground.texts import Mistake, printable
from kibitz.onepiece.core import record
from kibitz.onepiece.core.decks import STARTERS, Deck, load_deck, starter
from kibitz.onepiece.core.effects.power import cost_in_hand
from kibitz.onepiece.core.engine import game_with, new
from kibitz.onepiece.core.reading import CardError
from kibitz.play import profile
from kibitz.play.profile import InvalidSetup, Summary, Typed

if TYPE_CHECKING:
    from kibitz.game import Game, States
    from kibitz.game.record import RecordFiles
    from kibitz.game.state import FriendlyState
    from kibitz.onepiece.core.cards import Card
    from kibitz.onepiece.core.game_state import GameState, PlayerState, UnitState
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
        except Mistake as error:
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
    except Mistake as error:
        raise InvalidSetup(f"--cards: {error}") from None


def records(options: Typed = {}) -> RecordFiles[record.Record]:  # noqa: B006
    """How records of the game are read, with the cards that ``--cards`` names."""
    return record.records(read_cards(options.get("cards")))


def text(state: FriendlyState[Any], names: Sequence[str] = ("", ""), texts: bool = False) -> str:
    """Both sides of the table, within 80 columns; < marks whose turn it is. The observer's side comes last."""
    seen = cast("GameState", state)
    order = [1, 0] if seen.observer == 0 else [0, 1]
    return "\n".join(line for seat in order for line in _player_lines(seen, seat, printable(names[seat])[:12], texts))


def _player_lines(state: GameState, seat: int, name: str, texts: bool) -> list[str]:
    """A player's side of the table: numbers, field, hand, trash; `texts` prints what the cards in hand say."""
    player = state.players[seat]
    who = f"player {seat + 1}{f' ({name})' if name else ''}{' <' if seat == state.current_player_id else ''}"
    don = f"DON!! {player.active_don} active, {player.rested_don} rested, {player.don_deck} left"
    units = [player.leader, *player.characters, *([player.stage] if player.stage else [])]
    trash = " ".join(f"{n}x\xa0{card}" if n > 1 else card for card, n in sorted(Counter(player.trash).items()))
    folded = textwrap.wrap(f"  trash: {trash}", 78, subsequent_indent=" " * 9, break_on_hyphens=False) if trash else []
    return [
        f"{who}: Life {player.life}, deck {player.deck_size}, {don}",
        *(f"  {_unit_line(unit)}" for unit in units),
        *_hand_lines(state, player, texts),
        *(line.replace("\xa0", " ") for line in folded),
    ]


def _unit_line(unit: UnitState) -> str:
    """``C2 TW-004 Barge Hauler   6000  rested  1 DON!!  blocker``."""
    marks = ["rested"] * unit.rested + [f"{unit.don} DON!!"] * (unit.don > 0) + list(unit.keywords)
    strength = "" if unit.place == "S" else str(unit.power)
    return f"{unit.place:2} {unit.card:8} {unit.name[:30]:30} {strength:>6}  {'  '.join(marks)}".rstrip()


def _hand_lines(state: GameState, player: PlayerState, texts: bool) -> list[str]:
    """The cards of a hand that are known, with their numbers, and how many are not."""
    from kibitz.onepiece.core.words import card_facts, card_lines

    s = state.state
    counts = Counter(card for card in player.hand if card is not None)
    lines = []
    for identity, n in sorted(counts.items()):
        design = s.table.number[identity]
        card, price = s.table.cards[design], cost_in_hand(s, player.seat, design)
        found = card_lines(card, price, " " * 7) if texts else [f"{' ' * 7}{identity} {card_facts(card, price)}"[:79]]
        lines += [f"    {n}x {found[0][7:]}" if n > 1 else found[0], *found[1:]]
    unseen = len(player.hand) - sum(counts.values())
    if not lines:
        return [f"  hand: {unseen} unseen" if unseen else "  hand: -"]
    return ["  hand:", *lines, *([f"{' ' * 7}{unseen} unseen"] if unseen else [])]
