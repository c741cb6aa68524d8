"""A game of the One Piece card game against a bot, for the sessions of the app."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.game import Game, States
from kibitz.ground.rng import derive_seed
from kibitz.loops.config import MODELS, Config
from kibitz.loops.drive import Guarded
from kibitz.loops.guard import EventKind, LoopGuard, LoopResult
from kibitz.loops.protocol import Position
from kibitz.loops.words import told
from kibitz.onepiece.bots import SEARCHES
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.engine import POLICIES, State, game_with
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.record import Record
from kibitz.onepiece.core.telling import Teller, Told
from kibitz.onepiece.core.words import short
from kibitz.onepiece.looplab.rows import at_position
from kibitz.onepiece.pages.own import deck_of
from kibitz.play.bots import Bot
from kibitz.play.match import Table
from kibitz.web.bots import own_bot
from kibitz.web.games import GameKind, InvalidSetup, Setup
from kibitz.web.pages.people import NAMES, YOU

#: How long a bot may think about a decision.
MOST_ITERATIONS, MOST_SECONDS = 2_000, 10.0
#: Played without a loop guard.
UNGUARDED = "none"


class Witness:
    """The person at the table as a player: remembers what happened, in sentences."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.log: list[Told] = []
        self.silent = False
        """Whether the last step is not worth a look."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""

    def saw(self, before: States, code: int, after: States) -> None:
        """Remember a step."""
        told = list(self.teller.tell(before[0], code, after[0]))
        self.log += told
        self.silent = not told

    def heard(self, said: str, turn: int) -> None:
        """Remember what the loop guard says, once each."""
        text = f"The loop guard: {said}."
        if not any(told.text == text for told in self.log):
            self.log.append(Told(turn, -1, text))

    def decide(self, view: States) -> int:
        """Nobody asks: the session waits for the person."""
        raise AssertionError("a person decides through the session")


class OnePieceMatch(Table):
    """A game against a bot, under a loop guard or not."""

    def __init__(self, setup: Setup) -> None:
        self.seat: int = setup["seat"]
        self.seed: int = setup["seed"]
        bot = own_bot(str(setup["bot"]), POLICIES, SEARCHES, MOST_ITERATIONS, MOST_SECONDS)
        self.bot = bot.name
        self.other = NAMES[1 - self.seat]
        decks = [deck_of(entry) for entry in setup["decks"]]
        self.decks = (decks[0], decks[1]) if self.seat == 0 else (decks[1], decks[0])
        self.rules: Config | None = None if setup["guard"] == UNGUARDED else MODELS[setup["guard"]]
        self.witness = Witness(Teller(self.seat, self.other))
        bots = [Bot(YOU, lambda: self.witness), bot]
        self.guard = Guarded(LoopGuard(self.rules, listener=self._heard)) if self.rules else None
        bots = bots if self.seat == 0 else bots[::-1]
        try:
            self.game = game_with(*self.decks)
        except CardError as error:
            raise InvalidSetup(str(error)) from None
        super().__init__(self.game, self.game.new(2, 0), bots, self.seed, self.guard)

    def _heard(self, kind: EventKind, result: LoopResult, position: Position) -> None:
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

    def record(self, codes: Sequence[int] | None = None) -> Record:
        """The game so far (or another game at this table), for a file."""
        names = (YOU, self.bot) if self.seat == 0 else (self.bot, YOU)
        header = self.rules.to_json() if self.rules else None
        played = tuple(self.codes if codes is None else codes)
        return Record(self.decks, names, played, 0, derive_seed(self.seed), guard=header, drawn=self.drawn)


class OnePieceKind(GameKind[OnePieceMatch]):
    """One Piece, as the sessions know it.

    A setup has the person's `seat` (0 begins), the `decks` of the person and of the bot (by name, or as texts), the `bot`, the
    model of the loop `guard` (or ``none``), a `seed`.
    """

    name = "onepiece"
    page = "/onepiece?game="

    def match(self, setup: Setup) -> OnePieceMatch:
        """A game before the deal."""
        decks, seat, seed = setup.get("decks"), setup.get("seat"), setup.get("seed")
        if not isinstance(decks, list) or len(decks) != 2:
            raise InvalidSetup("expected two decks")
        if type(seat) is not int or seat not in (0, 1) or type(seed) is not int:
            raise InvalidSetup("expected seat 0 or 1 and a seed")
        if setup.get("guard") not in (*MODELS, UNGUARDED):
            raise InvalidSetup(f"expected a loop guard out of {', '.join(MODELS)}, {UNGUARDED}")
        if "bot" not in setup:
            raise InvalidSetup("expected a bot")
        return OnePieceMatch(setup)

    def title(self, setup: Setup, match: OnePieceMatch) -> str:
        """Who plays, and how it stands."""
        mine, other = (short(match.decks[seat].leader) for seat in (match.seat, 1 - match.seat))
        return f"One Piece, {mine} against {other} ({match.bot}): {stands(match)}"

    def record(self, setup: Setup, moves: Sequence[str]) -> str:
        """The game as the text of a record file."""
        match = self.match(setup)
        for move in moves:
            match.step(match.game.parse(move))
        return "".join(f"{line}\n" for line in match.record().lines())

    def forced(self, match: OnePieceMatch) -> int | None:
        """What the loop rule demands; outside the Main Phase also the only thing that can be done."""
        demanded = match.demanded()
        if demanded is not None:
            return demanded
        legal = match.allowed()
        return legal[0] if len(legal) == 1 and match.states[0].waiting != Wait.MAIN else None

    def pause(self, match: OnePieceMatch, code: int) -> float:
        """Only what is told is worth a look."""
        return 0.0 if match.witness.silent else 1.0


def old_moves(setup: Setup, codes: Sequence[int]) -> list[str]:
    """The texts of steps that were kept as codes, which have stayed the same; which cards they mean depends on the decks."""
    game = OnePieceKind().match(setup).game
    return [game.describe(code) for code in codes]


def stands(match: OnePieceMatch) -> str:
    """How a game stands, in a few words."""
    state: State = match.states[0]
    if match.drawn:
        return "a draw by the loop rule"
    if state.waiting != Wait.OVER:
        return f"turn {max(1, state.turn)}"
    if state.winner < 0:
        return "a draw"
    return "you won" if state.winner == match.seat else f"{match.other} won"
