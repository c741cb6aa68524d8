"""A game of the One Piece card game against a bot, for the sessions of the app; and the decks that people bring for it.

Such a deck was pasted or dropped, as a deck or with the cards of it, and is kept with the game as it came.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.game import States
from kibitz.game.definition import Told
from kibitz.ground.codec import parse_json
from kibitz.ground.rng import derive_seed
from kibitz.loops.config import Config
from kibitz.loops.drive import Guarded
from kibitz.loops.guard import EventKind, LoopGuard, LoopResult
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.words import told
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.decks import STARTERS, Deck, read_deck, starter
from kibitz.onepiece.core.engine import OnePieceState, game_with
from kibitz.onepiece.core.importing.cards import read_any
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.record import Record
from kibitz.onepiece.core.words import Teller, short
from kibitz.onepiece.looplab import at_position
from kibitz.onepiece.profile import PROFILE
from kibitz.play.bots import Bot
from kibitz.play.guarded import guards
from kibitz.play.names import NAMES
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import Setup
from kibitz.web.table import PersonTable, TableKind, Witness

#: Played without a loop guard.
UNGUARDED = "none"
#: The loop guards that may watch, in a few words.
GUARDS = {
    "onepiece": "the rules of the game (11-1)",
    "seed": "who alone can stop must stop",
    "draw": "every loop is a draw",
    "cap": "a draw after a hundred laps",
    UNGUARDED: "nobody watches",
}


class OnePieceWitness(Witness):
    """The person at the table: tells the game in sentences, and hears the loop guard."""

    def __init__(self, teller: Teller) -> None:
        super().__init__(PROFILE)
        self.teller = teller

    def tell(self, before: States, code: int, after: States) -> Iterator[Told]:
        """What happened."""
        return self.teller.tell(before[0], code, after[0])

    def heard(self, said: str, turn: int) -> None:
        """Remember what the loop guard says, once each."""
        text = f"The loop guard: {said}."
        if not any(told.text == text for told in self.log):
            self.log.append(Told(turn, -1, text))


class OnePieceMatch(PersonTable[OnePieceWitness]):
    """A game against a bot, under a loop guard or not."""

    def __init__(self, decks: tuple[Deck, Deck], guard: str, seat: int, bot: Bot, seed: int) -> None:
        """`decks` are those of the person and of the bot."""
        self.bot, self.other = bot.name, NAMES[1 - seat]
        self.decks = decks if seat == 0 else decks[::-1]
        self.rules: Config | None = None if guard == UNGUARDED else guards()[guard]
        self.guard = Guarded(LoopGuard(self.rules, listener=self._heard)) if self.rules else None
        game = game_with(*self.decks)
        witness = OnePieceWitness(Teller(seat, self.other))
        super().__init__(game, game.new(2, 0), seat, witness, [bot], seed, self.guard)

    def _heard(self, kind: EventKind, result: LoopResult, position: WatchedGame) -> None:
        said = told(kind, result, position, self.seat, at_position)
        if said:
            self.witness.heard(said, position.turn())

    def allowed(self) -> list[int]:
        """What the rules and the loop guard let the person do now."""
        actions: list[int] = self.states[0].actions()
        return actions if self.guard is None else self.guard.allowed(self._position, actions)

    def stands(self) -> str:
        """How the game stands, in a few words."""
        state: OnePieceState = self.states[0]
        if self.drawn:
            return "a draw by the loop rule"
        if state.waiting != Wait.OVER:
            return f"turn {max(1, state.turn)}"
        if state.winner < 0:
            return "a draw"
        return "you won" if state.winner == self.seat else f"{self.other} won"

    def demanded(self) -> int | None:
        """What the loop rule demands of the person now."""
        return None if self.guard is None else self.guard.demanded(self._position)


class OnePieceKind(TableKind[OnePieceMatch]):
    """One Piece for the sessions.

    A setup has the person's `seat` (0 begins), the `decks` of the person and of the bot (by name, or as texts), the `bot`, the
    model of the loop `guard` (or ``none``), a `seed`.
    """

    most_iterations = 2_000
    titled = "One Piece, "

    def __init__(self) -> None:
        super().__init__(PROFILE, "/onepiece")

    def names(self, setup: Setup) -> list[Any]:
        """One bot."""
        return [setup["bot"]] if "bot" in setup else []

    def table(self, setup: Setup, seat: int, bots: Sequence[Bot], seed: int) -> OnePieceMatch:
        """A game before the deal."""
        decks, guard = setup.get("decks"), setup.get("guard")
        if not isinstance(decks, list) or len(decks) != 2:
            raise InvalidSetup("expected two decks")
        if guard not in (*guards(), UNGUARDED):
            raise InvalidSetup(f"expected a loop guard out of {', '.join(guards())}, {UNGUARDED}")
        return OnePieceMatch((deck_of(decks[0]), deck_of(decks[1])), guard, seat, bots[0], seed)

    def stands(self, match: OnePieceMatch) -> str:
        """Which turn it is, or who won."""
        return match.stands()

    def title(self, setup: Setup, match: OnePieceMatch) -> str:
        """Who plays, and how it stands."""
        mine, other = (short(match.decks[seat].leader) for seat in (match.seat, 1 - match.seat))
        return f"{self.titled}{mine} against {other} ({match.bot}): {match.stands()}"

    def recorded(self, setup: Setup, moves: Sequence[str]) -> Record:
        """The record of a game; whether the loop rule ended it is found out by playing it."""
        match = self.match(setup)
        for move in moves:
            match.step(match.game.parse(move))
        rules = match.rules.to_json() if match.rules else None
        return Record(
            match.decks,
            seats=match.bots,
            codes=tuple(match.codes),
            seed=derive_seed(match.seed),
            guard=rules,
            drawn=match.drawn,
        )

    def forced(self, match: OnePieceMatch) -> int | None:
        """What the loop rule demands; outside the Main Phase also the only thing that can be done."""
        demanded = match.demanded()
        if demanded is not None:
            return demanded
        legal = match.allowed()
        return legal[0] if len(legal) == 1 and match.states[0].waiting != Wait.MAIN else None


def old_moves(setup: Setup, codes: Sequence[int]) -> list[str]:
    """The texts of steps that were kept as codes, which have stayed the same; which cards they mean depends on the decks."""
    game = OnePieceKind().match(setup).game
    return [game.describe(code) for code in codes]


#: Bytes of a deck or of a card file.
LARGEST = 1 << 20
#: What such files are called where something is wrong in them.
DECK, CARDS = "deck", "cards"

#: A deck in a setup: the name of a starter deck, or the texts of a deck and of its cards.
Entry = str | dict[str, str]


@dataclass(frozen=True)
class Brought:
    """What a text holds: a deck, or (None) cards for decks that come after it."""

    deck: Deck | None
    entry: dict[str, str]
    """The texts of both, as a setup keeps them."""
    cards: int
    """How many cards are known besides those of the starter decks."""


def read_brought(data: bytes, cards: str = "") -> Brought:
    """A deck, or a card file; `cards` is the card file that was brought before. Raises `CardError`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CardError("this is not text in UTF-8") from None
    if _is_cards(text):
        return Brought(None, {DECK: "", CARDS: text}, len(_known(text)))
    known = _known(cards)
    return Brought(read_deck(text, DECK, known), {DECK: text, CARDS: cards}, len(known))


def deck_of(entry: Any) -> Deck:
    """The deck that a setup means. Raises `InvalidSetup`."""
    if isinstance(entry, str) and entry in STARTERS:
        return starter(entry)
    if not isinstance(entry, Mapping) or not all(isinstance(entry.get(name), str) for name in (DECK, CARDS)):
        raise InvalidSetup(f"expected a deck: {', '.join(STARTERS)}, or the texts of a deck and its cards")
    if len(entry[DECK]) + len(entry[CARDS]) > 2 * LARGEST:
        raise InvalidSetup(f"this deck is too large: at most {LARGEST >> 20} MB")
    try:
        return read_deck(entry[DECK], DECK, _known(entry[CARDS]))
    except CardError as error:
        raise InvalidSetup(str(error)) from None


def _known(cards: str) -> Mapping[str, Card]:
    return read_any(cards, CARDS, csv_file=not _is_json(cards)) if cards else {}


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _is_cards(text: str) -> bool:
    """Whether a text is a card file without a deck: a table with a heading line, or JSON that names no Leader of a deck.

    >>> _is_cards("id,name,kind"), _is_cards("4x TW-002"), _is_cards('{"leader": "TW-001", "cards": {}}')
    (True, False, False)
    """
    if not _is_json(text):
        return "," in text.lstrip().partition("\n")[0]
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CardError(f"this text: {error}") from None
    return not (isinstance(value, dict) and ("leader" in value or "decks" in value))
