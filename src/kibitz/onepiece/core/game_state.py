"""`GameState`: a friendly, immutable view of one game. It has no rules of its own: it encodes, asks the rules, decodes.

>>> from kibitz.onepiece import GameState, simple
>>> state = GameState.new("tide", "ember", seed=3).resolve()
>>> state
<GameState: set-up, player 1 to keep or redraw>
>>> len(state.players[0].hand), state.observe(1).players[0].hand
(5, (None, None, None, None, None))
>>> after = state.apply(simple("keep")).apply(simple("keep"))
>>> after
<GameState: turn 1, player 1 in the Main Phase>
>>> after.apply(simple("pass"))
Traceback (most recent call last):
...
kibitz.game.actions.IllegalAction: pass is not possible now: the game waits for an action of the Main Phase
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kibitz.game import States
from kibitz.game.definition import seat_or_none
from kibitz.game.state import FriendlyState, Outcome, Past
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core import engine
from kibitz.onepiece.core.actions import PLACES, UNSEEN_DRAW, UNSEEN_PICK, Action
from kibitz.onepiece.core.arena import UNKNOWN, CardInPlay, Wait
from kibitz.onepiece.core.decks import Deck, starter
from kibitz.onepiece.core.engine import OnePieceState, game_with
from kibitz.onepiece.core.keys import position, unit_facts
from kibitz.onepiece.core.reasons import WAITS_FOR
from kibitz.onepiece.core.words import action_words


@dataclass(frozen=True)
class UnitState:
    """A card on the field as it is now."""

    place: str
    card: str
    name: str
    power: int
    cost: int
    keywords: tuple[str, ...]
    rested: bool
    don: int


@dataclass(frozen=True)
class PlayerState:
    """One player, as the table (or one observer) sees it. A card that an observer cannot know is None."""

    seat: int
    leader: UnitState
    characters: tuple[UnitState, ...]
    stage: UnitState | None
    hand: tuple[str | None, ...]
    life: int
    deck_size: int
    trash: tuple[str, ...]
    active_don: int
    rested_don: int
    don_deck: int


class GameState(FriendlyState[Action]):
    """One game at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ()

    UNSEEN: ClassVar[Mapping[int, str]] = {UNSEEN_DRAW: "drawn (unseen)", UNSEEN_PICK: "pick (unseen)"}

    def __init__(
        self, state: OnePieceState | States, seed: int = 0, observer: int | None = None, past: Past | None = None
    ) -> None:
        """Of one state, or of an array whose first it is."""
        states = PlainStates(game_with(*state.table.decks), [state]) if isinstance(state, OnePieceState) else state
        super().__init__(states, seed, observer, past)

    @classmethod
    def new(cls, first: Deck | str = "tide", second: Deck | str = "ember", seed: int = 0, starts: int = 0) -> Self:
        """A game before the deal, which `resolve` does; decks are `Deck` objects or names of starter decks."""
        one, two = (starter(deck) if isinstance(deck, str) else deck for deck in (first, second))
        return cls(engine.new(one, two, starts), seed)

    def sentence(self, code: int) -> str:
        """What an action does, in words."""
        return "" if self.unseen(code) else action_words(self._state, self.action_of(code))

    @property
    def _state(self) -> OnePieceState:
        state: OnePieceState = self._states[0]
        return state

    @property
    def state(self) -> OnePieceState:
        """A copy of the state with the verbs of `kibitz.game`."""
        return self._state.copy()

    @property
    def phase(self) -> str:
        """What the game waits for (see ``docs/onepiece.md``)."""
        return self._state.waiting.name

    @property
    def current_player_id(self) -> int:
        """The seat whose turn it is."""
        return self._state.player

    @property
    def turn_number(self) -> int:
        """One player's turn; 0 during set-up."""
        return self._state.turn

    @property
    def players(self) -> tuple[PlayerState, PlayerState]:
        """Both players."""
        return self._player(0), self._player(1)

    def _player(self, seat: int) -> PlayerState:
        s = self._state
        stage = s.field[seat][-1]
        return PlayerState(
            seat=seat,
            leader=self._unit(s.leader(seat)),
            characters=tuple(self._unit(u) for u in s.characters(seat)),
            stage=None if stage is None else self._unit(stage),
            hand=tuple(None if d == UNKNOWN else s.table.cards[d].id for d in sorted(s.hand[seat])),
            life=len(s.life[seat]),
            deck_size=s.deck_size(seat),
            trash=tuple(s.table.cards[d].id for d in sorted(s.trash[seat])),
            active_don=s.active[seat],
            rested_don=s.rested[seat],
            don_deck=s.don_deck[seat],
        )

    def _unit(self, unit: CardInPlay) -> UnitState:
        facts = unit_facts(self._state, unit)
        shared = {name: facts[name] for name in ("card", "power", "cost", "rested", "don")}
        name, keywords = self._state.card(unit).name, tuple(facts["keywords"])
        return UnitState(place=PLACES[unit.slot], name=name, keywords=keywords, **shared)

    @property
    def winner_id(self) -> int | None:
        """The winner, if there is one."""
        return seat_or_none(self._state.winner)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by ``damage`` at 0 Life, by an empty ``deck``, or as a ``draw``; None while it goes on."""
        return Outcome(self._state.ending, self.winner_id) if self.actor is None else None

    def action_of(self, code: int) -> Action:
        """The action of a code in this match."""
        return Action.from_code(code, self._state.table)

    def code_of(self, action: Action) -> int:
        """The code of an action in this match."""
        return action.code(self._state.table)

    def concerns(self) -> int:
        """Whose step comes next; a draw concerns the player whose deck it is."""
        s = self._state
        return s.drawing[0] if s.waiting == Wait.DRAWN else s.asked

    def _waits_for(self) -> str:
        return WAITS_FOR[self._state.waiting.name][1]

    def _packed(self) -> OnePieceState:
        return self._state

    @classmethod
    def _unpacked(cls, packed: OnePieceState) -> OnePieceState:
        return packed

    def _facts(self) -> dict[str, Any]:
        return position(self._state)
