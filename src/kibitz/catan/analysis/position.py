"""A position to analyse, as one seat sees it. Hidden cards are never read from it; they are sampled from a belief.

The same board, seed and purpose give the same numbers, whatever else is analysed (`analysis_seed`).
"""

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from kibitz import game
from kibitz.catan.belief.deals import belief_at, deals, uniform_deals
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import PLACE_ROAD
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.position import PHASES
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import SETUP_ROAD, SETUP_SETTLEMENT, Rules, board_of, new_states
from kibitz.catan.core.svg import draw_state
from kibitz.game import States
from kibitz.game.definition import SPECTATOR
from kibitz.game.doors import decide_at
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake

#: The phases of the draft.
SETUP = (SETUP_SETTLEMENT, SETUP_ROAD)


class InvalidPosition(Mistake):
    """A position that cannot be analysed as asked; the message says why."""


@dataclass(frozen=True)
class Position:
    """One position and the seat that asks. Without a tracker, every world that agrees with its view is equally likely."""

    states: States
    """One state, as `seat` sees it. In the draft nothing is hidden: the cards of second settlements lie on the board."""
    seat: int
    tracker: HandTracker | None = None
    assumed: tuple[int, ...] = ()
    """In the draft: the actions (codes) that are assumed of the seats before the one that asks."""
    origin: dict[str, Any] = field(default_factory=dict)
    """Phase, turn, and the step of the record that it comes from, for the result."""

    @classmethod
    def opening(cls, board: Board, seats: int = 4, seat: int = 0, rules: Rules = Rules(), policy: str = "builder") -> Self:  # noqa: B008
        """The empty board; those who place before `seat` do so by `policy`.

        >>> Position.opening(Board.beginner(), seat=2).picks_made
        2
        """
        return cls.of(new_states(board, seats, rules), seat, policy)

    @classmethod
    def of(cls, position: Board | GameState | States, seat: int | None = None, policy: str = "builder") -> Self:
        """A board, a game or a struct; by default the seat to move asks.

        A game that was played from its beginning is judged by what the seat saw of it; of anything else nobody knows how
        it came about. In the draft, the seats before the one that asks place by `policy`.
        """
        if isinstance(position, Board):
            return cls.opening(position, seat=seat or 0, policy=policy)
        if isinstance(position, GameState) and (record := _record_of(position)):
            return cls.at(record, len(record.codes), seat, policy)
        if isinstance(position, GameState) and position.observer is not None:
            return cls.seen(position.states, _observer(position, seat), None, policy)
        states = position.states if isinstance(position, GameState) else position
        return cls._seen_by(states, seat, None, {}, policy)

    @classmethod
    def at(cls, record: Record, step: int, seat: int | None = None, policy: str = "builder") -> Self:
        """A recorded game before its step `step` (from 0), with what the seat knows from the log."""
        if not 0 <= step <= len(record.codes):
            raise InvalidPosition(f"step {step}: the game has steps 0 to {len(record.codes)}")
        states = record.before(step)
        who = _seat(states, seat)
        tracker = None if states["phase"][0] in SETUP else belief_at(record, step, who)
        return cls._seen_by(states, who, tracker, {"step": step}, policy)

    @classmethod
    def seen(cls, view: States, seat: int, tracker: HandTracker | None = None, policy: str = "builder") -> Self:
        """A position as `seat` sees it, with what it knows about the rest (by default nothing)."""
        if view["phase"][0] in SETUP:
            dealt = uniform_deals(view, seat, 1, seed=0) if tracker is None else deals(tracker, view, seat, 1, seed=0)
            view, tracker = dealt, None
        return cls._seen_by(view, seat, tracker, {}, policy)

    @classmethod
    def _seen_by(
        cls, states: States, seat: int | None, tracker: HandTracker | None, origin: dict[str, Any], policy: str
    ) -> Self:
        who = _seat(states, seat)
        own = states[:1].copy()
        if policy not in BOTS:
            raise InvalidPosition(f"policy {policy!r}: no such bot; these are {', '.join(BOTS)}")
        assumed = _place_others(own, who, policy)
        actor = game.actor_at(own, 0)
        if actor != who:
            mover = "chance" if actor == game.CHANCE else f"seat {actor + 1}"
            raise InvalidPosition(f"it is {mover} to move, not seat {who + 1}")
        if own["phase"][0] not in SETUP:
            game.hide_at(own, 0, who)
        return cls(own, who, tracker, assumed, {"phase": PHASES[own["phase"][0]], "turn": int(own["turn"][0]), **origin})

    @property
    def board(self) -> Board:
        """The board."""
        return board_of(self.states)

    @property
    def seats(self) -> int:
        """How many play."""
        return int(self.states["seats"][0])

    @property
    def phase(self) -> int:
        """What the game waits for."""
        return int(self.states["phase"][0])

    @property
    def turn(self) -> int:
        """Which turn it is; 0 during set-up."""
        return int(self.states["turn"][0])

    @property
    def in_draft(self) -> bool:
        """Whether a settlement of the draft is to be placed now."""
        return self.phase == SETUP_SETTLEMENT

    @property
    def picks_made(self) -> int:
        """How many settlements of the draft stand."""
        return int(self.states["placed"][0])

    def _repr_svg_(self) -> str:
        return draw_state(self.states, hands=not self.in_draft, observer=self.seat)

    def limited(self, turns: int, offers: int) -> Self:
        """The same position with limits on the remaining turns of the game and on the offers in a turn."""
        states = self.states.copy()
        states["max_turns"] = np.minimum(states["max_turns"], states["turn"].astype(np.int64) + turns)
        states["offer_limit"] = np.minimum(states["offer_limit"], offers)
        return replace(self, states=states)

    def worlds(self, n: int, seed: int) -> States:
        """States that agree with all that the seat knows, drawn from its belief; draw i does not depend on `n`.

        In the draft there is one world.
        """
        if self.phase in SETUP:
            return self.states.copy()
        if self.tracker is None:
            return uniform_deals(self.states, self.seat, n, seed)
        return deals(self.tracker, self.states, self.seat, n, seed)


def _record_of(state: GameState) -> Record | None:
    """The game so far, if the state knows all of it."""
    if state.observer is not None:
        return None
    codes = tuple(action.code for action in state.actions)
    settled = sum(code < PLACE_ROAD for code in codes)
    if not codes or settled != state.setup_index or settled == 0:
        return None
    seats = tuple(f"seat {seat + 1}" for seat in range(len(state.players)))
    return Record(state.board, state.rules, seats=seats, codes=codes)


def _seat(states: States, seat: int | None) -> int:
    actor = game.actor_at(states, 0)
    if actor == game.OVER:
        raise InvalidPosition("the game is over: there is nothing to decide")
    if seat is None:
        if actor == game.CHANCE:
            raise InvalidPosition("it is chance to move here (dice, a stolen or a drawn card): choose the step before or after")
        return actor
    if not 0 <= seat < int(states["seats"][0]):
        raise InvalidPosition(f"seat {seat + 1}: the seats are 1 to {int(states['seats'][0])}")
    return seat


def _observer(view: GameState, seat: int | None) -> int:
    """The seat through whose eyes a position is shown; nobody else can ask about it."""
    if view.observer == SPECTATOR:
        raise InvalidPosition("a spectator has nothing to decide")
    own = _seat(view.states, view.observer)
    if seat not in (None, own):
        raise InvalidPosition(f"the position is shown as seat {own + 1} sees it: another seat cannot be asked")
    return own


def bot_action(states: States, policy: str) -> int:
    """What a bot would do in ``states[0]``."""
    xs = GAME.scratches()
    xs["policy"][0] = BOTS[policy]
    return decide_at(states, 0, xs, 0)


def _place_others(states: States, seat: int, policy: str) -> tuple[int, ...]:
    """In the draft, let the others place until it is the turn of `seat`; what they did."""
    assumed = []
    while states["phase"][0] in SETUP and game.actor_at(states, 0) != seat:
        assumed.append(bot_action(states, policy))
        game.apply_at(states, 0, assumed[-1])
    return tuple(assumed)


def analysis_seed(board: Board, mc_seed: int, salt: str) -> int:
    """The seed of everything random in one analysis of a board; `salt` names the kind of analysis.

    >>> analysis_seed(Board.beginner(), 1, "monte_carlo") == analysis_seed(Board.beginner(), 1, "full_game_rollout")
    False
    """
    return derive_seed(mc_seed, board.to_text(), salt)
