"""A game of Coup for the sessions of the app, and a moment of it as the person at the table may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.bots import BLUFF, DECLINE, SEARCHES
from kibitz.coup.core.actions import Action
from kibitz.coup.core.cards import CARDS
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.policy import BOTS
from kibitz.coup.core.record import Record
from kibitz.coup.core.state import SEATS, Rules, new_states
from kibitz.coup.words import Words, title
from kibitz.game import Game, States, legal_actions
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot
from kibitz.play.match import Table
from kibitz.web.bots import own_bot
from kibitz.web.games import GameKind, InvalidSetup, Session, Setup
from kibitz.web.pages.people import NAMES

#: How long a bot may think about a decision.
MOST_ITERATIONS, MOST_SECONDS = 50_000, 10.0
#: The words on buttons.
LABELS = {
    "income": "Income",
    "foreign_aid": "Foreign aid",
    "tax": "Tax",
    "exchange": "Exchange",
    "coup": "Coup",
    "assassinate": "Assassinate",
    "steal": "Steal",
    "allow": "Let it pass",
    "challenge": "Challenge",
    "block": "Block with the",
    "show": "Show the",
    "lose": "Lose the",
    "return_cards": "Return",
}
#: The keys of choices; where there are several of a kind a number follows.
KEYS = {
    "income": "i", "foreign_aid": "f", "tax": "t", "exchange": "x", "coup": "c", "assassinate": "a", "steal": "s",
    "allow": "p", "challenge": "c", "block": "b", "show": "s", "lose": "l", "return_cards": "r",
}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """One sentence of the log."""

    turn: int
    seat: int
    """Of whom it tells; -1 for nobody."""
    text: str


class Witness:
    """The person at the table as a player: remembers the log in words, and what can be known of the others' cards."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.log: list[Told] = []
        self.silent = False
        """Whether the last step is not worth a look."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self.belief = InfluenceBelief.at(view, seat, bluff=BLUFF, decline=DECLINE)

    def saw(self, before: States, code: int, after: States) -> None:
        """Remember a step."""
        told = list(self.words.tell(before, code, after))
        self.log += [Told(int(before["turn"][0]), self._who(sentence), sentence) for sentence in told]
        self.silent = not told
        self.belief = self.belief.see(before, 0, code)

    def _who(self, sentence: str) -> int:
        """Of whom a sentence tells: its subject."""
        seats = range(len(self.words.bots))
        return next((seat for seat in seats if sentence.startswith(f"{self.words.subject(seat)} ")), -1)

    def decide(self, view: States) -> int:
        """Nobody asks: the session waits for the person."""
        raise AssertionError("a person decides through the session")


class CoupMatch(Table):
    """A game against bots."""

    def __init__(self, setup: Setup) -> None:
        seats = len(setup["bots"]) + 1
        self.seat: int = setup["seat"]
        self.rules = Rules.from_json(setup["rules"])
        self.seed: int = setup["seed"]
        bots = [own_bot(str(name), BOTS, SEARCHES, MOST_ITERATIONS, MOST_SECONDS) for name in setup["bots"]]
        bots.insert(self.seat, Bot("you", lambda: self.witness))
        self.bots = tuple(bot.name for bot in bots)
        self.names = NAMES[:seats]
        self.witness = Witness(Words(self.seat, self.bots, self.names))
        super().__init__(GAME, new_states(seats, self.rules), bots, self.seed)

    def record(self, codes: Sequence[int] | None = None) -> Record:
        """The game so far (or another game at this table), for a file."""
        return Record(self.rules, self.bots, tuple(self.codes if codes is None else codes), derive_seed(self.seed))


class CoupKind(GameKind[CoupMatch]):
    """Coup, as the sessions know it. A setup has the person's `seat`, the `bots` of the others in order, `rules`, a `seed`."""

    name = "coup"
    page = "/coup?game="

    def match(self, setup: Setup) -> CoupMatch:
        """A game before the deal."""
        bots, seat, seed = setup.get("bots"), setup.get("seat"), setup.get("seed")
        if not isinstance(bots, list) or not 1 <= len(bots) < SEATS:
            raise InvalidSetup(f"Coup is for 2 to {SEATS} players")
        if type(seat) is not int or not 0 <= seat <= len(bots) or type(seed) is not int:
            raise InvalidSetup("expected a seat at this table and a seed")
        try:
            return CoupMatch(setup)
        except InvalidSetup:
            raise
        except (KeyError, ValueError, TypeError) as error:
            raise InvalidSetup(str(error)) from None

    def title(self, setup: Setup, match: CoupMatch) -> str:
        """Who plays, and how it stands."""
        bots = ", ".join(dict.fromkeys(bot for bot in match.bots if bot != "you"))
        state = GameState(match.states)
        over = state.outcome is not None
        stands = result(state, match.witness.words) if over else f"turn {max(1, state.turn_number)}"
        return f"Coup, {len(match.bots)} players, against {bots}: {stands}"

    def record(self, setup: Setup, moves: Sequence[str]) -> str:
        """The game as the text of a record file."""
        return "".join(f"{line}\n" for line in self.match(setup).record([*map(GAME.parse, moves)]).lines())

    def forced(self, match: CoupMatch) -> int | None:
        """Where there is only one thing to do it is done."""
        legal = legal_actions(match.view(match.seat))
        return legal[0] if len(legal) == 1 else None

    def pause(self, match: CoupMatch, code: int) -> float:
        """To let something pass is not worth a look."""
        return 0.0 if match.witness.silent else 1.0


def old_moves(setup: Setup, codes: Sequence[int]) -> list[str]:
    """The texts of steps that were kept as codes, which have stayed the same since."""
    return [GAME.describe(code) for code in codes]


def result(state: GameState, words: Words) -> str:
    """How a game ended, in words."""
    if state.winner_id is None:
        return "nobody won before the turn limit"
    return "you won" if state.winner_id == words.you else f"{words.name(state.winner_id)} won"


# --- a moment -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """A player as the person sees it; a card that stays hidden is None."""

    seat: int
    name: str
    bot: str
    coins: int
    cards: tuple[str | None, ...]
    lost: tuple[str, ...]
    acts: bool
    """Whether it is this player's turn."""
    asked: bool
    """Whether the game waits for this player."""
    holds: Mapping[str, float]
    """By character: how likely the player holds at least one, as the person can know."""

    @property
    def out(self) -> bool:
        """Whether all influence is lost."""
        return not self.cards


@dataclass(frozen=True)
class Option:
    """Something that the person may do now."""

    code: int
    kind: str
    label: str
    target: str
    """The name of the player that it is aimed at."""
    claim: str | None
    bluff: bool
    meaning: str
    key: str


@dataclass(frozen=True)
class Moment:
    """All that the page shows of a game; nothing hidden is in it until the end."""

    version: int
    you: int
    seats: tuple[Seat, ...]
    turn: int
    treasury: int
    deck: int
    claim: str | None
    """The character that was claimed last, and may be doubted."""
    log: tuple[Told, ...]
    question: str
    options: tuple[Option, ...]
    over: bool
    result: str
    view: States
    belief: InfluenceBelief
    words: Words


def look(session: Session[CoupMatch]) -> Moment:
    """The game as it is now. Takes a few milliseconds: not for the event loop."""
    with session.lock:
        match, version = session.match, session.version
        witness, view, actor, over = match.witness, match.view(match.seat), match.actor, session.over
        asks, log, belief = session.asks, tuple(witness.log), witness.belief
        truth = GameState(match.states) if over else None
    state = GameState(view, observer=match.seat)
    shown = truth or state
    words = witness.words
    seats = []
    for player in shown.players:
        hidden = (None,) * player.card_count
        unknown = not over and player.seat != match.seat and not player.is_out and state.turn_number > 0
        seats.append(
            Seat(
                seat=player.seat,
                name="You" if player.seat == match.seat else match.names[player.seat],
                bot=match.bots[player.seat],
                coins=player.coins,
                cards=hidden if player.cards is None else player.cards,
                lost=player.revealed,
                acts=not over and state.turn_number > 0 and player.seat == state.current_player_id,
                asked=not over and player.seat == actor,
                holds=belief.marginal(player.seat) if unknown else {},
            )
        )
    return Moment(
        version=version,
        you=match.seat,
        seats=tuple(seats),
        turn=state.turn_number,
        treasury=state.treasury,
        deck=CARDS - sum(len(seat.cards) + len(seat.lost) for seat in seats),
        claim=None if over else state.claim and state.claim.value,
        log=log,
        question=words.situation(view) if asks else "",
        options=options(view, words) if asks else (),
        over=over,
        result=result(truth, words) if truth else "",
        view=view,
        belief=belief,
        words=words,
    )


def options(view: States, words: Words) -> tuple[Option, ...]:
    """What the person may do, with words for buttons and keys."""
    actions = [(code, Action.from_code(code)) for code in legal_actions(view)]
    kinds = [action.kind for _, action in actions]
    found = []
    for number, (code, action) in enumerate(actions):
        choice = words.choice(view, code)
        key = KEYS[action.kind]
        if kinds.count(action.kind) > 1:
            key += str(action.target + 1 if action.target is not None else kinds[:number].count(action.kind) + 1)
        label = " ".join([LABELS[action.kind], " and ".join(map(title, action.cards))]).strip()
        target = "" if action.target is None else words.name(action.target)
        found.append(Option(code, action.kind, label, target, action.claim, choice.bluff, choice.meaning, key))
    return tuple(found)
