"""What the `GameState` of every game can do: a friendly, immutable view of one game, with the past that led to it.

It has no rules of its own: it encodes, asks the rules, decodes. A game adds what there is to see in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.game import CHANCE, OVER, States, copied, structs
from kibitz.game.actions import AnyAction, IllegalAction
from kibitz.game.definition import SPECTATOR, actor_name, exact, observer_name, seat_or_none
from kibitz.game.doors import decide_at, hidden_from
from kibitz.ground.rng import derive_seed

A = TypeVar("A", bound=AnyAction)


class Outcome(NamedTuple):
    """How a game ended, and who won it, if anybody did."""

    termination: str
    winner: int | None


class PastStep(NamedTuple):
    """One step of the past."""

    turn: int
    seat: int
    """Who did it; of an outcome of chance, whom it concerns."""
    code: int
    seen: tuple[int, ...]
    """What each seat perceived of it, and last a spectator."""


class Past(NamedTuple):
    """All that led to a state, as a linked list: later states share it."""

    before: Past | None
    step: PastStep


class FriendlyState(ABC, Generic[A]):
    """One game at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ("_observer", "_past", "_seed", "_states")

    #: What a seat saw of what it did not see, by code.
    UNSEEN: ClassVar[Mapping[int, str]] = {}
    #: How a game ends without a winner.
    UNDECIDED: ClassVar[str] = "draw"
    #: What comes before the first turn.
    OPENING: ClassVar[str] = "set-up"

    def __init__(self, states: States, seed: int = 0, observer: int | None = None, past: Past | None = None) -> None:
        self._states = copied(states[:1])
        self._past = past
        self._seed = derive_seed(seed)  # 64 bits of it
        self._observer = observer

    # --- what a game says of itself --------------------------------------------------------------------------

    @property
    @abstractmethod
    def turn_number(self) -> int:
        """One player's turn; 0 before the first."""

    @property
    def counts_turns(self) -> bool:
        """Whether the game has turns."""
        return True

    @property
    @abstractmethod
    def phase(self) -> str:
        """What the game waits for."""

    @property
    @abstractmethod
    def winner_id(self) -> int | None:
        """The winner, if there is one."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: ``victory`` of a seat, or as `UNDECIDED` says without a winner; None while it goes on."""
        if self.actor is not None:
            return None
        return Outcome(self.UNDECIDED if self.winner_id is None else "victory", self.winner_id)

    @abstractmethod
    def action_of(self, code: int) -> A:
        """The action (or outcome of chance) of an integer code."""

    @abstractmethod
    def code_of(self, action: A) -> int:
        """The integer code of an action, which must not be a plan."""

    @abstractmethod
    def concerns(self) -> int:
        """Whose step comes next; of an outcome of chance, whom it concerns."""

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """Everything true in the position, by name."""

    @abstractmethod
    def _waits_for(self) -> str:
        """What the player who is to move has to do: ``to roll``."""

    def _steps(self, action: A) -> Sequence[A]:
        """The steps of a plan; most actions are one step."""
        return [action]

    @abstractmethod
    def _packed(self) -> Any:
        """The position as something that can be pickled."""

    @classmethod
    @abstractmethod
    def _unpacked(cls, packed: Any) -> Any:
        """The opposite of `_packed`."""

    # --- what there is to see -------------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        """What decides the draws of `resolve`."""
        return self._seed

    @property
    def states(self) -> States:
        """A copy of the position, as an array of one: what `kibitz.game`'s functions take."""
        return copied(self._states)

    @property
    def observer(self) -> int | None:
        """Through whose eyes this is: a seat or `SPECTATOR`; None sees everything."""
        return self._observer

    @property
    def actor(self) -> int | str | None:
        """Whose action is next: a seat, ``"chance"``, or None when the game is over."""
        return actor_name(game.actor_at(self._states, 0))

    # --- what can be done -----------------------------------------------------------------------------------

    def legal_actions(self) -> list[A]:
        """What the actor may do (for chance: what can happen), in ascending order of the action codes."""
        self._must_see_choices()
        return [self.action_of(code) for code in game.legal_actions(self._states)]

    def _must_see_choices(self) -> None:
        if self.observer is not None and self.actor not in (self.observer, None):
            raise ValueError(f"{observer_name(self.observer)} does not see what others may do")

    def why_not(self, action: A) -> str | None:
        """Why an action is illegal, in words; None if it is legal. On an observation only a plan's first step is judged."""
        self._must_see_choices()
        try:
            steps = self._steps(action)
            if len(steps) == 1 or self.observer is not None:
                _judge(self._states, self.code_of(steps[0]))
            else:
                self.apply(action)
        except IllegalAction as error:
            return str(error)
        return None

    def is_legal(self, action: A) -> bool:
        """Whether the rules allow an action now."""
        return self.why_not(action) is None

    def apply(self, action: A) -> Self:
        """The state after an action (or an outcome of chance). A plan is carried out whole or not at all.

        Raises `IllegalAction`, which says which rule forbids it, or `InvalidAction` for nonsense.
        """
        if self.observer is not None:
            raise ValueError("an observation cannot be played on: hidden cards are blank in it")
        state = self
        for step in self._steps(action):
            state = state._stepped(self.code_of(step))
            if state.actor is None:
                break  # a plan that wins need not be carried on
        return state

    def _stepped(self, code: int) -> Self:
        _judge(self._states, code)
        observers = (*range(game.seats_of(self._states)), SPECTATOR)
        seen = tuple(int(game.seen_at(self._states, 0, code, observer)) for observer in observers)
        states = copied(self._states)
        game.apply_at(states, 0, code)
        return type(self)(states, self.seed, past=Past(self._past, PastStep(self.turn_number, self.concerns(), code, seen)))

    def outcomes(self) -> list[tuple[A, Fraction]]:
        """What chance can do now, with exact probabilities; empty when a player is to move."""
        self._must_see_choices()
        if self.actor != "chance":
            return []
        return [(self.action_of(code), p) for code, p in game.outcomes(self._states)]

    def resolve(self) -> Self:
        """Let chance decide until a player is to move, as the seed says."""
        state = self
        xs = game.game_of(self._states).scratches()
        xs["seed"] = self.seed
        while game.actor_at(state._states, 0) == CHANCE:
            state = state._stepped(int(decide_at(state._states, 0, xs, 0)))
        return state

    def observe(self, seat: int | None) -> Self:
        """Exactly what a seat (None: a spectator) may know: hidden cards are blank, the event log is what it saw."""
        seats = game.seats_of(self._states)
        if seat is None:
            seat = SPECTATOR
        elif not 0 <= seat < seats:
            raise ValueError(f"seat {seat}: expected 0 to {seats - 1}")
        if self.observer is not None and self.observer != seat:
            raise ValueError(f"this is what {observer_name(self.observer)} knows; another view cannot be had from it")
        past = None
        for step in self._history():
            seen = step.seen[seat]
            past = Past(past, step._replace(code=seen, seen=(seen,) * len(step.seen)))
        return type(self)(hidden_from(self._states, seat), observer=seat, past=past)

    # --- how it came about, and how it looks ----------------------------------------------------------------

    def _history(self) -> Iterator[PastStep]:
        steps, past = [], self._past
        while past is not None:
            steps.append(past.step)
            past = past.before
        return reversed(steps)

    @property
    def actions(self) -> list[A]:
        """Every action and outcome that led here (not for an observer, who may not have seen all)."""
        if self.observer is not None:
            raise ValueError("an observer has an event_log, not the actions")
        return [self.action_of(step.code) for step in self._history()]

    def unseen(self, label: int) -> str | None:
        """What is said of something that was not seen; None for an action."""
        return self.UNSEEN.get(label)

    def words_of(self, code: int) -> str:
        """An action as people write it, also one that was not seen."""
        return self.unseen(code) or self.action_of(code).to_text()

    @property
    def event_log(self) -> list[str]:
        """One line per step, as the observer saw it (or, for the state itself, as it was)."""
        return [self._line(step.turn, step.seat, self.words_of(step.code)) for step in self._history()]

    def event(self, code: int) -> str:
        """The line of the event log for what comes next."""
        return self._line(self.turn_number, self.concerns(), self.words_of(code))

    def _line(self, turn: int, seat: int, words: str) -> str:
        """A line of the event log: ``turn 3 P2 pass``."""
        when = f"turn {turn} " if self.counts_turns else ""
        return f"{when}{'chance' if seat == SPECTATOR else f'P{seat + 1}'} {words}"

    def sentence(self, code: int) -> str:
        """What else there is to say about an action here, for people; most actions say it all."""
        return ""

    def position(self) -> dict[str, Any]:
        """Everything by the names that the records of the game use (with ``--full``)."""
        if self.observer is not None:
            raise ValueError("an observation does not hold the whole position")
        return self._facts()

    def to_json(self) -> dict[str, Any]:
        """What the game waits for, and all that may be done (or happen, with its probability)."""
        chances = {outcome: float(p) for outcome, p in self.outcomes()}
        legal = [] if self.actor is None else self.legal_actions()
        return {
            "phase": str(self.phase),
            "actor": self.actor,
            "turn": self.turn_number,
            "legal": [{"action": a.to_text(), **a.to_json(), "probability": chances.get(a)} for a in legal],
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._packed(), self.seed, self.observer, [*self._history()])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.observer == other.observer and bool(exact(self._states) == exact(other._states))

    def __hash__(self) -> int:
        return hash((self.observer, exact(self._states)))

    @property
    def title(self) -> str:
        """When it is, and who is to do what: ``turn 6, player 4 to move the robber``."""
        seat = game.actor_at(self._states, 0)
        if seat == OVER:
            end = "no winner" if self.winner_id is None else f"player {self.winner_id + 1} won"
            return f"over after {self.when}, {end}" if self.when else f"over, {end}"
        doing = "chance" if seat == CHANCE else f"player {seat + 1} {self._waits_for()}"
        seen = "" if self.observer is None else f", as {observer_name(self.observer)} sees it"
        return f"{self.when}, {doing}{seen}" if self.when else f"{doing}{seen}"

    @property
    def when(self) -> str:
        """Which turn it is, or that there was none yet; empty in a game that counts no turns."""
        return f"turn {self.turn_number}" if self.turn_number else self.OPENING if self.counts_turns else ""

    def __repr__(self) -> str:
        return f"<GameState: {self.title}>"


class StructState(FriendlyState[A]):
    """The same where the position is a struct, with fields for the player whose turn it is, the turn and the winner."""

    __slots__ = ("_row",)
    UNDECIDED = "turn limit"

    def __init__(self, states: States, seed: int = 0, observer: int | None = None, past: Past | None = None) -> None:
        super().__init__(states, seed, observer, past)
        self._row = game.to_dict(self._states)

    @property
    def current_player_id(self) -> int:
        """The seat whose turn it is."""
        return int(self._row["player"])

    @property
    def turn_number(self) -> int:
        """One player's turn; 0 before the first."""
        return int(self._row["turn"])

    @property
    def winner_id(self) -> int | None:
        """The winner, if there is one."""
        return seat_or_none(self._row["winner"])

    def _packed(self) -> npt.NDArray[np.void]:
        return np.asarray(self._states)

    @classmethod
    def _unpacked(cls, packed: Any) -> States:
        states = structs(packed.dtype)
        states[:] = packed
        return states


def _judge(states: States, code: int) -> None:
    if reason := int(game.why_not_at(states, 0, code)):
        raise game.game_of(states).refuse(states, code, reason)


def _restored(
    kind: type[FriendlyState[Any]], packed: Any, seed: int, observer: int | None, steps: Sequence[PastStep]
) -> FriendlyState[Any]:
    past = None
    for step in steps:
        past = Past(past, step)
    return kind(kind._unpacked(packed), seed, observer, past)
