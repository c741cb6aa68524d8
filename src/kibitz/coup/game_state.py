"""`GameState`: a friendly, immutable view of one game. It has no rules of its own: it encodes, asks the rules, decodes.

>>> from kibitz.coup import GameState, allow, challenge, tax
>>> state = GameState.new(seats=2, seed=4).resolve()
>>> state
<GameState: turn 1, player 1 to act>
>>> state.players[0].cards
('assassin', 'captain')
>>> after = state.apply(tax()).apply(allow())
>>> after.players[0].coins, state.players[0].coins
(4, 1)
>>> after.apply(challenge())
Traceback (most recent call last):
...
kibitz.coup.game_state.IllegalAction: challenge is not possible now: the game waits for ACTION
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.coup import reasons
from kibitz.coup.actions import Action
from kibitz.coup.cards import CHARACTERS, Character
from kibitz.coup.codes import UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN
from kibitz.coup.engine import GAME
from kibitz.coup.hidden import hand_size
from kibitz.coup.position import ACTIONS, PHASES, actor_name, cards_of, position, seat_or_none
from kibitz.coup.rules import window
from kibitz.coup.state import Rules, new_states, rules_of
from kibitz.game import CHANCE, OVER, structs
from kibitz.rng import derive_seed


class GamePhase(StrEnum):
    """What the game waits for (see ``docs/coup.md``)."""

    DEAL = "DEAL"
    ACTION = "ACTION"
    CHALLENGE = "CHALLENGE"
    SHOW = "SHOW"
    REPLACE = "REPLACE"
    LOSE = "LOSE"
    BLOCK = "BLOCK"
    DRAW = "DRAW"
    RETURN = "RETURN"
    GAME_OVER = "GAME_OVER"


#: The observer who sits nowhere.
SPECTATOR = -1

_WAITS_FOR = {
    "ACTION": "to act",
    "CHALLENGE": "to challenge or not",
    "SHOW": "to answer a challenge",
    "LOSE": "to lose an influence",
    "BLOCK": "to block or not",
    "RETURN": "to return two cards",
}
#: What a seat saw of what it did not see.
UNSEEN = {UNSEEN_CARD: "drawn a card", UNSEEN_CARDS: "drawn two cards", UNSEEN_RETURN: "return_cards (unseen)"}


class IllegalAction(ValueError):
    """An action that a rule forbids; `reason` is the name of the rule in `kibitz.coup.reasons`."""

    def __init__(self, action: Action, reason: int, states: npt.NDArray[np.void]) -> None:
        self.action = action
        self.reason = next(name for name, number in reasons.NUMBERS.items() if number == reason)
        super().__init__(explain(action, reason, PHASES[int(states["phase"][0])], game.actor_at(states, 0)))
        self._made_from = (action, reason, states)

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Any, ...]]:
        return IllegalAction, self._made_from


def explain(action: Action, reason: int, phase: str, actor: int) -> str:
    """The sentence for a broken rule, with the names of this action filled in."""
    values = {
        "action": action.to_text(),
        "phase": phase,
        "actor": actor + 1,
        "target": None if action.target is None else action.target + 1,
        "card": action.cards[0].title() if action.cards else None,
    }
    return reasons.TEXTS[reason].format(**values)


class Outcome(NamedTuple):
    """How a game ended: ``victory`` of a seat, or ``turn limit`` without a winner."""

    termination: str
    winner: int | None


@dataclass(frozen=True)
class PlayerState:
    """One player, as the table (or one observer) sees it. What an observer cannot know is None."""

    seat: int
    coins: int
    influence: int
    cards: tuple[str, ...] | None
    card_count: int
    revealed: tuple[str, ...]

    @property
    def is_out(self) -> bool:
        """Whether all influence is lost."""
        return self.influence == 0


class _Past(NamedTuple):
    """What led here, as a linked list: later states share it."""

    before: _Past | None
    turn: int
    seat: int
    code: int
    seen: tuple[int, ...]


class GameState:
    """One game of Coup at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ("_observer", "_past", "_row", "_seed", "_states")

    def __init__(
        self, states: npt.NDArray[np.void], seed: int = 0, observer: int | None = None, past: _Past | None = None
    ) -> None:
        self._states = states[:1].copy()
        self._row = game.to_dict(self._states)
        self._past = past
        self._seed = derive_seed(seed)  # 64 bits of it
        self._observer = observer

    @classmethod
    def new(cls, seats: int = 2, rules: Rules = Rules(), seed: int = 0) -> GameState:  # noqa: B008
        """A game before the deal, which `resolve` does. `seed` decides what it draws."""
        return cls(new_states(seats, rules), seed)

    # --- what there is to see -------------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        """What decides the draws of `resolve`."""
        return self._seed

    @property
    def states(self) -> npt.NDArray[np.void]:
        """A copy of the struct, as an array of one: what `kibitz.game`'s functions take."""
        return self._states.copy()

    @property
    def observer(self) -> int | None:
        """Through whose eyes this is: a seat or `SPECTATOR`; None sees everything."""
        return self._observer

    @property
    def rules(self) -> Rules:
        """The rule options of this game."""
        return rules_of(self._states)

    @property
    def phase(self) -> GamePhase:
        """What the game waits for."""
        return GamePhase(PHASES[self._row["phase"]])

    @property
    def actor(self) -> int | str | None:
        """Whose action is next: a seat, ``"chance"``, or None when the game is over."""
        return actor_name(game.actor_at(self._states, 0))

    @property
    def players(self) -> tuple[PlayerState, ...]:
        """All players in seat order."""
        return tuple(self._player(seat) for seat in range(self._row["seats"]))

    def _player(self, seat: int) -> PlayerState:
        row = self._row
        known = self.observer is None or self.observer == seat
        return PlayerState(
            seat=seat,
            coins=row["coins"][seat],
            influence=row["influence"][seat],
            cards=tuple(cards_of(row["hand"][seat])) if known else None,
            card_count=int(hand_size(self._states[0], seat)),
            revealed=tuple(cards_of(row["revealed"][seat])),
        )

    @property
    def current_player_id(self) -> int:
        """The seat whose turn it is."""
        return int(self._row["player"])

    @property
    def turn_number(self) -> int:
        """One player's turn; 0 during the deal."""
        return int(self._row["turn"])

    @property
    def treasury(self) -> int:
        """The coins that nobody has."""
        return int(self._row["treasury"])

    @property
    def deck(self) -> tuple[str, ...] | None:
        """What the deck holds, by character; None for an observer."""
        return tuple(cards_of(self._row["deck"])) if self.observer is None else None

    @property
    def announced(self) -> Action | None:
        """The action on the table, with its target."""
        if self._row["action"] < 0:
            return None
        return Action(ACTIONS[self._row["action"]], seat_or_none(self._row["target"]))

    @property
    def claim(self) -> Character | None:
        """The character that was claimed last: for the action, or for the block."""
        return CHARACTERS[self._row["claim"]] if self._row["claim"] >= 0 else None

    @property
    def blocker(self) -> int | None:
        """Who claims to block the action."""
        return seat_or_none(self._row["blocker"])

    @property
    def challenger(self) -> int | None:
        """Whose challenge is being answered."""
        return seat_or_none(self._row["challenger"])

    @property
    def may_respond(self) -> list[int]:
        """Who may still challenge or block in the open window, in seat order; the rules ask them one after another."""
        mask = int(window(self._states[0]))
        return [seat for seat in range(self._row["seats"]) if mask >> seat & 1]

    @property
    def winner_id(self) -> int | None:
        """The winner, if there is one."""
        return seat_or_none(self._row["winner"])

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.actor is not None:
            return None
        return Outcome("turn limit" if self.winner_id is None else "victory", self.winner_id)

    # --- what can be done -----------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """What the actor may do (for chance: what can happen), in ascending order of the action codes."""
        self._must_see_choices()
        return [Action.from_code(a) for a in game.legal_actions(self._states)]

    def _must_see_choices(self) -> None:
        if self.observer is not None and self.actor not in (self.observer, None):
            raise ValueError(f"seat {self.observer} does not see what others may do")

    def why_not(self, action: Action) -> str | None:
        """Why an action is illegal, in words; None if it is legal."""
        self._must_see_choices()
        reason = game.why_not_at(self._states, 0, action.code)
        return str(IllegalAction(action, reason, self._states)) if reason else None

    def is_legal(self, action: Action) -> bool:
        """Whether the rules allow an action now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> GameState:
        """The state after an action (or an outcome of chance). Raises `IllegalAction`, which says which rule forbids it."""
        if self.observer is not None:
            raise ValueError("an observation cannot be played on: hidden cards are blank in it")
        states = self._states.copy()
        if reason := game.why_not_at(states, 0, action.code):
            raise IllegalAction(action, reason, states)
        past = _remember(states, action.code, self._past)
        game.apply_at(states, 0, action.code)
        return GameState(states, self.seed, past=past)

    def outcomes(self) -> list[tuple[Action, Fraction]]:
        """What chance can do now, with exact probabilities; empty when a player is to move."""
        self._must_see_choices()
        if game.actor_at(self._states, 0) != CHANCE:
            return []
        return [(Action.from_code(a), p) for a, p in game.outcomes(self._states)]

    def resolve(self) -> GameState:
        """Let chance decide until a player is to move, as the seed says."""
        state = self
        xs = GAME.scratches()
        xs["seed"] = self.seed
        while game.actor_at(state._states, 0) == CHANCE:
            state = state.apply(Action.from_code(game.decide_at(state._states, 0, xs, 0)))
        return state

    def observe(self, seat: int | None) -> GameState:
        """Exactly what a seat (None: a spectator) may know: other hands and the deck are blank, the event log what it saw."""
        if seat is None:
            seat = SPECTATOR
        elif not 0 <= seat < self._row["seats"]:
            raise ValueError(f"seat {seat}: expected 0 to {self._row['seats'] - 1}")
        if self.observer is not None and self.observer != seat:
            raise ValueError(f"this is what seat {self.observer} knows; another view cannot be had from it")
        states = self._states.copy()
        game.hide_at(states, 0, seat)
        past = None
        for step in self._history():
            past = step._replace(before=past, code=step.seen[seat], seen=(step.seen[seat],) * len(step.seen))
        return GameState(states, observer=seat, past=past)

    # --- how it came about, and how it looks ----------------------------------------------------------------

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
        return [Action.from_code(past.code) for past in self._history()]

    @property
    def event_log(self) -> list[str]:
        """One line per step, as the observer saw it (or, for the state itself, as it was)."""
        return [
            f"turn {past.turn} P{past.seat + 1} {UNSEEN.get(past.code) or Action.from_code(past.code).to_text()}"
            for past in self._history()
        ]

    def position(self) -> dict[str, Any]:
        """Everything by the names of ``docs/coup.md``."""
        if self.observer is not None:
            raise ValueError("an observation does not hold the whole position")
        return position(self._states)

    def __reduce__(self) -> tuple[Any, ...]:
        past = [tuple(step)[1:] for step in self._history()]
        return _restore, (np.asarray(self._states), self.seed, self.observer, past)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        return self.observer == other.observer and self._states.tobytes() == other._states.tobytes()

    def __hash__(self) -> int:
        return hash((self.observer, self._states.tobytes()))

    def __repr__(self) -> str:
        where = f"turn {self.turn_number}" if self.turn_number else "the deal"
        seat = game.actor_at(self._states, 0)
        if seat == OVER:
            return f"<GameState: over after {where}, " + (
                "no winner>" if self.winner_id is None else f"player {self.winner_id + 1} won>"
            )
        doing = "chance" if seat == CHANCE else f"player {seat + 1} {_WAITS_FOR[self.phase.name]}"
        eyes = "a spectator" if self.observer == SPECTATOR else f"player {(self.observer or 0) + 1}"
        seen = "" if self.observer is None else f", as {eyes} sees it"
        return f"<GameState: {where}, {doing}{seen}>"

    def _repr_html_(self) -> str:
        from kibitz.coup.svg import draw_card, draw_coins

        rows = []
        for player in self.players:
            shown = player.cards if player.cards is not None else (None,) * player.card_count
            cards = "".join(map(draw_card, shown)) + "".join(draw_card(card, lost=True) for card in player.revealed)
            coins = f"{draw_coins(player.coins)} {player.coins}"
            rows.append(f"<tr><th>player {player.seat + 1}</th><td>{cards}</td><td>{coins}</td></tr>")
        return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _remember(states: npt.NDArray[np.void], code: int, past: _Past | None) -> _Past:
    seats = (*range(int(states["seats"][0])), SPECTATOR)  # so that seen[-1] is the spectator's
    seen = tuple(game.seen_at(states, 0, code, seat) for seat in seats)
    return _Past(past, int(states["turn"][0]), int(states["active"][0]), code, seen)


def _restore(states: npt.NDArray[np.void], seed: int, observer: int | None, steps: list[tuple[Any, ...]]) -> GameState:
    past = None
    for step in steps:
        past = _Past(past, *step)
    fresh = structs(GAME.state)
    fresh[:] = states
    return GameState(fresh, seed, observer, past)
