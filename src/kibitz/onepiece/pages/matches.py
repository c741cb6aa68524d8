"""A game of the One Piece card game against a bot, for the sessions of the app."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kibitz.game import States
from kibitz.game.definition import Told
from kibitz.ground.rng import derive_seed
from kibitz.loops.config import Config
from kibitz.loops.drive import Guarded
from kibitz.loops.guard import EventKind, LoopGuard, LoopResult
from kibitz.loops.protocol import WatchedGame
from kibitz.loops.words import told
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.engine import OnePieceState, game_with
from kibitz.onepiece.core.record import Record
from kibitz.onepiece.core.telling import Teller
from kibitz.onepiece.core.words import short
from kibitz.onepiece.looplab import at_position
from kibitz.onepiece.pages.own import deck_of
from kibitz.onepiece.profile import PROFILE
from kibitz.play.bots import Bot
from kibitz.play.guarded import guards
from kibitz.web.games import InvalidSetup, Setup
from kibitz.web.pages.people import NAMES
from kibitz.web.table import PersonTable, TableKind, Witness

#: Played without a loop guard.
UNGUARDED = "none"


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

    def demanded(self) -> int | None:
        """What the loop rule demands of the person now."""
        return None if self.guard is None else self.guard.demanded(self._position)


class OnePieceKind(TableKind[OnePieceMatch]):
    """One Piece for the sessions.

    A setup has the person's `seat` (0 begins), the `decks` of the person and of the bot (by name, or as texts), the `bot`, the
    model of the loop `guard` (or ``none``), a `seed`.
    """

    most_iterations = 2_000

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
        return stands(match)

    def title(self, setup: Setup, match: OnePieceMatch) -> str:
        """Who plays, and how it stands."""
        mine, other = (short(match.decks[seat].leader) for seat in (match.seat, 1 - match.seat))
        return f"One Piece, {mine} against {other} ({match.bot}): {stands(match)}"

    def recorded(self, setup: Setup, moves: Sequence[str]) -> Record:
        """The record of a game; whether the loop rule ended it is found out by playing it."""
        match = self.match(setup)
        for move in moves:
            match.step(match.game.parse(move))
        rules = match.rules.to_json() if match.rules else None
        return Record(match.decks, match.bots, tuple(match.codes), 0, derive_seed(match.seed), guard=rules, drawn=match.drawn)

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


def stands(match: OnePieceMatch) -> str:
    """How a game stands, in a few words."""
    state: OnePieceState = match.states[0]
    if match.drawn:
        return "a draw by the loop rule"
    if state.waiting != Wait.OVER:
        return f"turn {max(1, state.turn)}"
    if state.winner < 0:
        return "a draw"
    return "you won" if state.winner == match.seat else f"{match.other} won"
