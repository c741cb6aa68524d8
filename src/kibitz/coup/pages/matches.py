"""A game of Coup for the sessions of the app, and a moment of it as the person at the table may see it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.bots import Cards
from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.record import Record
from kibitz.coup.core.state import CARDS, Rules, new_states
from kibitz.coup.profile import PROFILE
from kibitz.coup.words import Words
from kibitz.game import States, legal_actions
from kibitz.game.definition import Told
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot
from kibitz.play.names import NAMES
from kibitz.web.games import Session, Setup
from kibitz.web.pages.table import TableMoment
from kibitz.web.table import PersonTable, TableKind, Witness

#: By kind: the key of a choice (where there are several of a kind a number follows), and the words on its button.
BUTTONS = {
    "income": ("i", "Income"),
    "foreign_aid": ("f", "Foreign aid"),
    "tax": ("t", "Tax"),
    "exchange": ("x", "Exchange"),
    "coup": ("c", "Coup"),
    "assassinate": ("a", "Assassinate"),
    "steal": ("s", "Steal"),
    "allow": ("p", "Let it pass"),
    "challenge": ("c", "Challenge"),
    "block": ("b", "Block with the"),
    "show": ("s", "Show the"),
    "lose": ("l", "Lose the"),
    "return_cards": ("r", "Return"),
}
#: The kinds of choices that are aimed at somebody, in the order in which they are shown.
AIMED = ("steal", "assassinate", "coup")


class CoupWitness(Witness):
    """The person at the table: tells the game in words, and knows what can be known of the others' cards."""

    def __init__(self, words: Words) -> None:
        super().__init__(PROFILE)
        self.words = words

    @property
    def influence(self) -> InfluenceBelief:
        """What the others may hold."""
        assert isinstance(self.belief, Cards)
        return self.belief.influence

    def tell(self, before: States, code: int, after: States) -> Iterator[Told]:
        """Each sentence with its subject."""
        seats = range(len(self.words.names))
        for sentence in self.words.tell(before, code, after):
            who = next((seat for seat in seats if sentence.startswith(f"{self.words.subject(seat)} ")), -1)
            yield Told(int(before["turn"][0]), who, sentence)


class CoupMatch(PersonTable[CoupWitness]):
    """A game against bots."""

    def __init__(self, rules: Rules, seat: int, bots: Sequence[Bot], seed: int) -> None:
        seats = len(bots) + 1
        self.rules, self.names = rules, NAMES[:seats]
        witness = CoupWitness(Words(seat, self.names))
        super().__init__(GAME, new_states(seats, rules), seat, witness, bots, seed)


class CoupKind(TableKind[CoupMatch]):
    """Coup for the sessions. Its setup has `rules`, too."""

    def __init__(self) -> None:
        super().__init__(PROFILE, "/coup")

    def table(self, setup: Setup, seat: int, bots: Sequence[Bot], seed: int) -> CoupMatch:
        """A game before the deal."""
        return CoupMatch(Rules.from_json(setup["rules"]), seat, bots, seed)

    def stands(self, match: CoupMatch) -> str:
        """Which turn it is, or who won."""
        state = GameState(match.states)
        return result(state, match.witness.words) if state.outcome is not None else f"turn {max(1, state.turn_number)}"

    def recorded(self, setup: Setup, moves: Sequence[str]) -> Record:
        """The record of a game."""
        match = self.match(setup)
        return Record(match.rules, seats=match.bots, codes=tuple(map(GAME.parse, moves)), seed=derive_seed(match.seed))


def old_moves(setup: Setup, codes: Sequence[int]) -> list[str]:
    """The texts of steps that were kept as codes, which have stayed the same since."""
    return [GAME.describe(code) for code in codes]


def result(state: GameState, words: Words) -> str:
    """How a game ended, in words."""
    if state.winner_id is None:
        return "nobody won before the turn limit"
    return f"{words.name(state.winner_id)} won"


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

    action: Action
    label: str
    target: str
    """The name of the player that it is aimed at."""
    bluff: bool
    meaning: str
    key: str


@dataclass(frozen=True, kw_only=True)
class Moment(TableMoment):
    """All that the page shows of a game; nothing hidden is in it until the end."""

    you: int
    seats: tuple[Seat, ...]
    treasury: int
    deck: int
    claim: str | None
    """The character that was claimed last, and may be doubted."""
    question: str
    options: tuple[Option, ...]
    view: States
    belief: InfluenceBelief
    words: Words


def look(session: Session[CoupMatch]) -> Moment:
    """The game as it is now. Takes a few milliseconds: not for the event loop."""
    with session.lock:
        match, version = session.match, session.version
        witness, view, actor, over = match.witness, match.view(match.seat), match.actor, session.over
        asks, log, belief = session.asks, tuple(witness.log), witness.influence
        truth = GameState(match.states) if over else None
    state = truth or GameState(view, observer=match.seat)
    words = witness.words
    names = ["You" if seat == match.seat else name for seat, name in enumerate(match.names)]
    seats = seats_of(state, names, match.bots, belief, None if over else actor)
    return Moment(
        version=version,
        you=match.seat,
        seats=seats,
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


def seats_of(
    state: GameState, names: Sequence[str], bots: Sequence[str], belief: InfluenceBelief, asked: int | None
) -> tuple[Seat, ...]:
    """All players; `asked` is who decides, or None when the game is over."""
    begun = asked is not None and state.turn_number > 0
    return tuple(
        Seat(
            seat=player.seat,
            name=names[player.seat],
            bot=bots[player.seat],
            coins=player.coins,
            cards=(None,) * player.card_count if player.cards is None else player.cards,
            lost=player.revealed,
            acts=begun and player.seat == state.current_player_id,
            asked=player.seat == asked,
            holds=belief.marginal(player.seat) if begun and player.cards is None and not player.is_out else {},
        )
        for player in state.players
    )


def options(view: States, words: Words) -> tuple[Option, ...]:
    """What the person may do, with words for buttons and keys."""
    actions = [Action.from_code(code) for code in legal_actions(view)]
    kinds = [action.kind for action in actions]
    found = []
    for number, action in enumerate(actions):
        _, bluff, meaning = words.choice(view, action.code)
        key, label = BUTTONS[action.kind]
        if kinds.count(action.kind) > 1:
            key += str(action.target + 1 if action.target is not None else kinds[:number].count(action.kind) + 1)
        label = f"{label} {' and '.join(map(str.title, action.cards))}".strip()
        target = "" if action.target is None else words.name(action.target)
        found.append(Option(action, label, target, bluff, meaning, key))
    return tuple(found)
