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
kibitz.onepiece.game_state.IllegalAction: pass is not possible now: the game waits for an action of the Main Phase
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from kibitz.game import CHANCE, OVER
from kibitz.onepiece import engine, reasons
from kibitz.onepiece.actions import PLACES, Action
from kibitz.onepiece.arena import NOBODY, UNKNOWN, CardInPlay, Wait
from kibitz.onepiece.codes import UNSEEN_DRAW, UNSEEN_PICK
from kibitz.onepiece.decks import Deck, starter
from kibitz.onepiece.engine import State, draw, scratch
from kibitz.onepiece.position import actor_name, position, unit_facts
from kibitz.rng import derive_seed

#: The observer who sits nowhere.
SPECTATOR = -1
_WAITS_FOR = {
    Wait.MULLIGAN: "to keep or redraw",
    Wait.MAIN: "in the Main Phase",
    Wait.BLOCK: "to block or not",
    Wait.COUNTER: "to counter or not",
    Wait.LIFE_TRIGGER: "to use a [Trigger] or not",
    Wait.RESOLVE: "to resolve an effect",
    Wait.CHOOSE: "to choose cards",
    Wait.CONFIRM: "to say yes or no",
    Wait.OPTION: "to choose an option",
    Wait.RETURN_DON: "to return DON!!",
    Wait.MAKE_ROOM: "to make room for a sixth Character",
    Wait.SETTLE: "while permanent effects settle",
}
#: What a seat saw of what it did not see.
UNSEEN = {UNSEEN_DRAW: "drawn (unseen)", UNSEEN_PICK: "pick (unseen)"}


class IllegalAction(ValueError):
    """An action that a rule forbids; `reason` is the name of the rule in `kibitz.onepiece.reasons`."""

    def __init__(self, action: str, reason: int, waiting: str, actor: int) -> None:
        self.action = action
        self.reason = next(name for name, number in reasons.NUMBERS.items() if number == reason)
        super().__init__(reasons.TEXTS[reason].format(action=action, phase=reasons.WAITS_FOR[waiting], actor=actor + 1))
        self._made_from = (action, reason, waiting, actor)

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Any, ...]]:
        return IllegalAction, self._made_from


class Outcome(NamedTuple):
    """How a game ended: by ``damage`` at 0 Life, by an empty ``deck``, or as a ``draw``."""

    termination: str
    winner: int | None


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


class _Past(NamedTuple):
    """What led here, as a linked list: later states share it."""

    before: _Past | None
    turn: int
    seat: int
    code: int
    seen: tuple[int, ...]


class GameState:
    """One game at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ("_observer", "_past", "_seed", "_state")

    def __init__(self, state: State, seed: int = 0, observer: int | None = None, past: _Past | None = None) -> None:
        self._state = state.copy()
        self._seed = derive_seed(seed)
        self._observer = observer
        self._past = past

    @classmethod
    def new(cls, first: Deck | str = "tide", second: Deck | str = "ember", seed: int = 0, starts: int = 0) -> GameState:
        """A game before the deal, which `resolve` does; decks are `Deck` objects or names of starter decks."""
        one, two = (starter(deck) if isinstance(deck, str) else deck for deck in (first, second))
        return cls(engine.new(one, two, starts), seed)

    # --- what there is to see -----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """A copy of the state with the verbs of `kibitz.game`."""
        return self._state.copy()

    @property
    def seed(self) -> int:
        """What decides the draws of `resolve`."""
        return self._seed

    @property
    def observer(self) -> int | None:
        """Through whose eyes this is: a seat or `SPECTATOR`; None sees everything."""
        return self._observer

    @property
    def waiting(self) -> str:
        """What the game waits for (see ``docs/onepiece.md``)."""
        return self._state.waiting.name

    @property
    def actor(self) -> int | str | None:
        """Whose action is next: a seat, ``"chance"``, or None when the game is over."""
        return actor_name(self._state)

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
        return UnitState(
            place=PLACES[unit.slot],
            card=facts["card"],
            name=self._state.card(unit).name,
            power=facts["power"],
            cost=facts["cost"],
            keywords=tuple(facts["keywords"]),
            rested=unit.rested,
            don=unit.don,
        )

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self._state.waiting != Wait.OVER:
            return None
        return Outcome(self._state.ending, None if self._state.winner == NOBODY else self._state.winner)

    # --- what can be done -----------------------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """What the actor may do (for chance: what can happen), in ascending order of the action codes."""
        self._must_see_choices()
        return [Action.from_code(a, self._state.table) for a in self._state.actions()]

    def _must_see_choices(self) -> None:
        if self.observer is not None and self.actor not in (self.observer, None):
            raise ValueError(f"seat {self.observer} does not see what others may do")

    def why_not(self, action: Action) -> str | None:
        """Why an action is illegal, in words; None if it is legal."""
        self._must_see_choices()
        reason = self._state.why_not(action.code(self._state.table))
        return str(self._illegal(action, reason)) if reason else None

    def _illegal(self, action: Action, reason: int) -> IllegalAction:
        return IllegalAction(action.to_text(), reason, self.waiting, self._state.actor())

    def is_legal(self, action: Action) -> bool:
        """Whether the rules allow an action now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> GameState:
        """The state after an action (or an outcome of chance), and after what chance decides before the next choice.

        Raises `IllegalAction`, which says which rule forbids it.
        """
        return self.step(action).resolve()

    def step(self, action: Action) -> GameState:
        """The same, but the next step may be chance's."""
        if self.observer is not None:
            raise ValueError("an observation cannot be played on: hidden cards are blank in it")
        s = self._state
        code = action.code(s.table)
        if reason := s.why_not(code):
            raise self._illegal(action, reason)
        seen = tuple(s.seen(code, seat) for seat in (0, 1, SPECTATOR))
        seat = s.drawing[0] if s.waiting == Wait.DRAWN else s.asked
        new = s.copy()
        new.apply(code)
        return GameState(new, self.seed, past=_Past(self._past, s.turn, seat, code, seen))

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """What chance can do now, with exact probabilities; empty when a player is to move."""
        self._must_see_choices()
        if self._state.actor() != CHANCE:
            return []
        x = scratch()
        n = self._state.weights(x)
        total = sum(x.weights[:n])
        return [(Action.from_code(x.actions[i], self._state.table), Fraction(x.weights[i], total)) for i in range(n)]

    def resolve(self) -> GameState:
        """Let chance decide until a player is to move, as the seed says."""
        state = self
        x = scratch(self.seed)
        while state._state.actor() == CHANCE:
            state = state.step(Action.from_code(draw(state._state, x), state._state.table))
        return state

    def observe(self, seat: int | None) -> GameState:
        """Exactly what a seat (None: a spectator) may know: hidden cards are blank, the event log is what it saw."""
        seat = SPECTATOR if seat is None else seat
        if seat not in (0, 1, SPECTATOR):
            raise ValueError(f"seat {seat}: expected 0 or 1")
        if self.observer is not None and self.observer != seat:
            raise ValueError(f"this is what seat {self.observer} knows; another view cannot be had from it")
        state = self._state.copy()
        state.hide(seat)
        past = None
        for step in self._history():
            past = step._replace(before=past, code=step.seen[seat], seen=(step.seen[seat],) * 3)
        return GameState(state, observer=seat, past=past)

    # --- how it came about, and how it looks ----------------------------------------------------------------------------

    def _history(self) -> Iterator[_Past]:
        entries, past = [], self._past
        while past is not None:
            entries.append(past)
            past = past.before
        return reversed(entries)

    @property
    def actions(self) -> list[Action]:
        """Every action and outcome that led here (not for an observer, who may not have seen all)."""
        if self.observer is not None:
            raise ValueError("an observer has an event_log, not the actions")
        return [Action.from_code(past.code, self._state.table) for past in self._history()]

    @property
    def event_log(self) -> list[str]:
        """One line per step, as the observer saw it (or, for the state itself, as it was)."""
        return [
            f"turn {past.turn} P{past.seat + 1} "
            + (UNSEEN.get(past.code) or Action.from_code(past.code, self._state.table).to_text())
            for past in self._history()
        ]

    def position(self) -> dict[str, Any]:
        """Everything by the names of ``docs/onepiece.md``."""
        return position(self._state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        return self.observer == other.observer and position(self._state) == position(other._state)

    def __hash__(self) -> int:
        return hash((self.observer, self._state.fingerprint()))

    def __repr__(self) -> str:
        s = self._state
        where = f"turn {s.turn}" if s.turn else "set-up"
        if s.actor() == OVER:
            return f"<GameState: over after {where}, " + ("a draw>" if s.winner == NOBODY else f"player {s.winner + 1} won>")
        doing = "chance" if s.actor() == CHANCE else f"player {s.asked + 1} {_WAITS_FOR[s.waiting]}"
        eyes = "a spectator" if self.observer == SPECTATOR else f"player {(self.observer or 0) + 1}"
        return f"<GameState: {where}, {doing}{'' if self.observer is None else f', as {eyes} sees it'}>"
