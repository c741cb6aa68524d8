"""`GameState`: a friendly, immutable view of one game. It has no rules of its own: it encodes, asks the rules, decodes.

>>> from kibitz.catan import GameState, Board, place_setup_settlement
>>> state = GameState.new(Board.beginner(), seats=3, seed=1)
>>> state
<GameState: set-up, player 1 to place a settlement>
>>> after = state.apply(place_setup_settlement(20))
>>> after.players[0].settlements, state.players[0].settlements
({20}, set())
>>> after.apply(place_setup_settlement(21))
Traceback (most recent call last):
...
kibitz.catan.game_state.IllegalAction: place_setup_settlement 21 is not possible now: the game waits for SETUP_ROAD
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
from kibitz.catan import reasons
from kibitz.catan.actions import CARDS, Action, DevCardType, steps_of
from kibitz.catan.board import PORT_TYPES, RESOURCES, Board, PortType, Resource
from kibitz.catan.codes import UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.engine import GAME
from kibitz.catan.position import PHASES, actor_name, edges_of, members, points_of, position, seat_or_none
from kibitz.catan.state import KNIGHT, Rules, board_of, new_states, rules_of
from kibitz.game import CHANCE, OVER, structs
from kibitz.rng import derive_seed


class GamePhase(StrEnum):
    """What the game waits for (see ``docs/record.md``)."""

    SETUP_SETTLEMENT = "SETUP_SETTLEMENT"
    SETUP_ROAD = "SETUP_ROAD"
    TURN_START = "TURN_START"
    ROLLING = "ROLLING"
    ROBBER_DISCARD = "ROBBER_DISCARD"
    ROBBER_MOVE = "ROBBER_MOVE"
    ROBBER_STEAL = "ROBBER_STEAL"
    STEALING = "STEALING"
    MAIN = "MAIN"
    TRADE = "TRADE"
    BUILD = "BUILD"
    DEV_PLAY = "DEV_PLAY"
    DRAWING = "DRAWING"
    FREE_ROADS = "FREE_ROADS"
    TRADE_ANSWER = "TRADE_ANSWER"
    TRADE_CHOICE = "TRADE_CHOICE"
    GAME_OVER = "GAME_OVER"


#: The observer who sits nowhere.
SPECTATOR = -1
#: What a seat saw of what it did not see.
UNSEEN = {UNSEEN_STEAL: "stolen a card", UNSEEN_DRAW: "drawn a card"}

_WAITS_FOR = {
    "SETUP_SETTLEMENT": "to place a settlement",
    "SETUP_ROAD": "to place a road",
    "TURN_START": "to roll",
    "ROBBER_DISCARD": "to discard",
    "ROBBER_MOVE": "to move the robber",
    "ROBBER_STEAL": "to choose whom to rob",
    "MAIN": "to trade, build or play a card",
    "TRADE": "to trade",
    "BUILD": "to build",
    "DEV_PLAY": "to play a card",
    "FREE_ROADS": "to place a free road",
    "TRADE_ANSWER": "to answer the offer",
    "TRADE_CHOICE": "to choose a partner",
}


class IllegalAction(ValueError):
    """An action that a rule forbids; `reason` is the name of the rule in `kibitz.catan.reasons`."""

    def __init__(self, action: Action, reason: int, states: npt.NDArray[np.void]) -> None:
        self.action = action
        self.reason = next(name for name, number in reasons.NUMBERS.items() if number == reason)
        super().__init__(explain(action, reason, PHASES[int(states["phase"][0])], game.actor_at(states, 0)))
        self._made_from = (action, reason, states)

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Any, ...]]:
        return IllegalAction, self._made_from


def explain(action: Action, reason: int, phase: str, actor: int) -> str:
    """The sentence for a broken rule, with the names of this action filled in."""
    data = action.data
    values = {
        "action": action.to_text(),
        "phase": phase,
        "actor": actor + 1,
        "corner": data.get("corner"),
        "hex": data.get("hex"),
        "edge": "-".join(map(str, data.get("edge", ()))),
        "seat": data.get("victim", data.get("partner", -1)) + 1,
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
    hand: dict[Resource, int] | None
    hand_size: int
    settlements: set[int]
    cities: set[int]
    roads: set[tuple[int, int]]
    ports: set[PortType]
    dev_cards: dict[DevCardType, int] | None
    dev_card_count: int
    new_dev_cards: dict[DevCardType, int] | None
    played_dev_cards: dict[DevCardType, int]
    played_knights: int
    revealed_vp_cards: int
    played_non_vp_dev_this_turn: bool
    longest_road_length: int
    visible_victory_points: int
    total_victory_points: int | None


class _Past(NamedTuple):
    """What led here, as a linked list: later states share it."""

    before: _Past | None
    turn: int
    actor: int
    player: int
    code: int
    seen: tuple[int, ...]


class GameState:
    """One game of Catan at one moment. `apply` returns a new state; nothing changes this one."""

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
    def new(cls, board: Board | None = None, seats: int = 4, rules: Rules = Rules(), seed: int = 0) -> GameState:  # noqa: B008
        """A game before the first settlement; without a board on a random one. `seed` decides what `resolve` draws."""
        return cls(new_states(board or Board.random(seed), seats, rules), seed)

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
    def board(self) -> Board:
        """Hexes, tokens and harbours."""
        return board_of(self._states)

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
        buildings = row["settlements"][seat] | row["cities"][seat]
        visible, total = points_of(row, seat)
        new = row["new_dev"] if seat == row["player"] else [0] * len(CARDS)
        return PlayerState(
            seat=seat,
            hand=dict(zip(RESOURCES, row["hand"][seat], strict=True)) if known else None,
            hand_size=row["hand_size"][seat],
            settlements=set(members(row["settlements"][seat])),
            cities=set(members(row["cities"][seat])),
            roads={(a, b) for a, b in edges_of(*row["roads"][seat])},
            ports={kind for kind, mask in zip(PORT_TYPES, row["harbours"], strict=True) if mask & buildings},
            dev_cards=dict(zip(CARDS, row["dev"][seat], strict=True)) if known else None,
            dev_card_count=row["dev_size"][seat],
            new_dev_cards=dict(zip(CARDS, new, strict=True)) if known else None,
            played_dev_cards=dict(zip(CARDS, row["played"][seat], strict=True)),
            played_knights=row["played"][seat][KNIGHT],
            revealed_vp_cards=row["played"][seat][CARDS.index(DevCardType.VICTORY_POINT)],
            played_non_vp_dev_this_turn=bool(row["dev_done"]) and seat == row["player"],
            longest_road_length=row["road_length"][seat],
            visible_victory_points=visible,
            total_victory_points=total if known else None,
        )

    @property
    def current_player_id(self) -> int:
        """The seat whose turn it is."""
        return int(self._row["player"])

    @property
    def turn_number(self) -> int:
        """One player's turn; 0 during set-up."""
        return int(self._row["turn"])

    @property
    def dice_roll(self) -> int | None:
        """The roll of this turn."""
        return self._row["roll"] or None

    @property
    def robber_tile_id(self) -> int:
        """The robber's hex."""
        return int(self._row["robber"])

    @property
    def bank(self) -> dict[Resource, int]:
        """The supply."""
        return dict(zip(RESOURCES, self._row["bank"], strict=True))

    @property
    def dev_deck(self) -> dict[DevCardType, int] | None:
        """What the deck still holds, by type; None for an observer."""
        return dict(zip(CARDS, self._row["deck"], strict=True)) if self.observer is None else None

    @property
    def dev_deck_size(self) -> int:
        """How many development cards are left."""
        return int(self._row["deck_size"])

    @property
    def setup_order(self) -> list[int]:
        """The seats in the order in which they place: around the table and back."""
        around = list(range(self._row["seats"]))
        return around + around[::-1]

    @property
    def setup_index(self) -> int:
        """How many set-up settlements stand."""
        return int(self._row["placed"])

    @property
    def pending_setup_vertex_id(self) -> int | None:
        """The settlement that the next set-up road must touch."""
        return seat_or_none(self._row["corner"])

    @property
    def discard_queue(self) -> list[int]:
        """Who still has to discard, in order."""
        order = [(self._row["player"] + i) % self._row["seats"] for i in range(self._row["seats"])]
        return [seat for seat in order if self._row["discards"][seat]]

    @property
    def pending_steal_target_ids(self) -> list[int]:
        """Who can be robbed now (which everybody sees)."""
        actions = (
            [Action.from_code(a) for a in game.legal_actions(self._states)] if self.phase is GamePhase.ROBBER_STEAL else []
        )
        return [a.data["victim"] for a in actions if a.kind == "steal_resource"]

    @property
    def longest_road_owner(self) -> int | None:
        """Who holds Longest Road."""
        return seat_or_none(self._row["road_holder"])

    @property
    def longest_road_length(self) -> int:
        """The length of the holder's road, 0 if nobody holds the card."""
        return 0 if self.longest_road_owner is None else int(self._row["road_length"][self.longest_road_owner])

    @property
    def largest_army_owner(self) -> int | None:
        """Who holds Largest Army."""
        return seat_or_none(self._row["army_holder"])

    @property
    def largest_army_size(self) -> int:
        """The knights of the holder, 0 if nobody holds the card."""
        return 0 if self.largest_army_owner is None else int(self._row["played"][self.largest_army_owner][KNIGHT])

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

    def visible_victory_points(self, seat: int) -> int:
        """Points that everybody sees."""
        return self.players[seat].visible_victory_points

    def total_victory_points(self, seat: int) -> int | None:
        """Hidden victory point cards included; None where the observer cannot know."""
        return self.players[seat].total_victory_points

    def longest_road_length_for_player(self, seat: int) -> int:
        """The length of a player's longest road."""
        return int(self._row["road_length"][seat])

    # --- what can be done -----------------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """What the actor may do (for chance: what can happen), in ascending order of the action codes.

        Of the offers of domestic trade only the small ones are listed; `why_not` judges any.
        """
        self._must_see_choices()
        return [Action.from_code(a) for a in game.legal_actions(self._states)]

    def _must_see_choices(self) -> None:
        if self.observer is not None and self.actor not in (self.observer, None):
            raise ValueError(f"seat {self.observer} does not see what others may do")

    def why_not(self, action: Action) -> str | None:
        """Why an action is illegal, in words; None if it is legal. On an observation only a plan's first step is judged."""
        self._must_see_choices()
        try:
            if self.observer is None:
                self.apply(action)
            else:
                first = steps_of(action, self._row["seats"], self._row["player"])[0]
                if reason := game.why_not_at(self._states, 0, first.code):
                    raise IllegalAction(first, reason, self._states)
        except IllegalAction as error:
            return str(error)
        return None

    def is_legal(self, action: Action) -> bool:
        """Whether the rules allow an action now."""
        return self.why_not(action) is None

    def apply(self, action: Action) -> GameState:
        """The state after an action (or an outcome of chance). A plan is carried out whole or not at all.

        Raises `IllegalAction`, which says which rule forbids it, or `InvalidAction` for nonsense.
        """
        if self.observer is not None:
            raise ValueError("an observation cannot be played on: hidden cards are blank in it")
        states = self._states.copy()
        past = self._past
        if action.kind == "discard_resources" and self.discard_queue:
            if sum(action.data["resources"].values()) != self._row["discards"][self.discard_queue[0]]:
                raise IllegalAction(action, reasons.DISCARD_HALF, states)
        for step in steps_of(action, self._row["seats"], self._row["player"]):
            code = step.code
            reason = game.why_not_at(states, 0, code)
            if reason:
                raise IllegalAction(step, reason, states)
            past = _remember(states, code, past)
            game.apply_at(states, 0, code)
            if game.actor_at(states, 0) == OVER:
                break  # a plan that wins need not be carried on
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
        """Exactly what a seat (None: a spectator) may know: other hands and cards are blank, the event log what it saw."""
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
        lines = []
        for past in self._history():
            what = UNSEEN.get(past.code) or Action.from_code(past.code).to_text()
            lines.append(f"turn {past.turn} P{past.player + 1 if past.actor == CHANCE else past.actor + 1} {what}")
        return lines

    def position(self) -> dict[str, Any]:
        """Everything by the names of ``docs/record.md``."""
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
        where = f"turn {self.turn_number}" if self.turn_number else "set-up"
        seat = game.actor_at(self._states, 0)
        if seat == OVER:
            return f"<GameState: over after {where}, " + (
                "no winner>" if self.winner_id is None else f"player {self.winner_id + 1} won>"
            )
        doing = "chance" if seat == CHANCE else f"player {seat + 1} {_WAITS_FOR[self.phase.name]}"
        eyes = "a spectator" if self.observer == SPECTATOR else f"player {(self.observer or 0) + 1}"
        seen = "" if self.observer is None else f", as {eyes} sees it"
        return f"<GameState: {where}, {doing}{seen}>"

    def _repr_svg_(self) -> str:
        from kibitz.catan.svg import draw_state

        return draw_state(self._states, observer=self.observer)


def _remember(states: npt.NDArray[np.void], code: int, past: _Past | None) -> _Past:
    seats = int(states["seats"][0])
    seen = tuple(
        game.seen_at(states, 0, code, seat) for seat in (*range(seats), SPECTATOR)
    )  # so that seen[-1] is the spectator's
    return _Past(past, int(states["turn"][0]), game.actor_at(states, 0), int(states["player"][0]), code, seen)


def _restore(states: npt.NDArray[np.void], seed: int, observer: int | None, steps: list[tuple[Any, ...]]) -> GameState:
    past = None
    for step in steps:
        past = _Past(past, *step)
    fresh = structs(GAME.state)
    fresh[:] = states
    return GameState(fresh, seed, observer, past)


def initialize_game_state(board: Board | None = None, seats: int = 4, rules: Rules = Rules(), seed: int = 0) -> GameState:  # noqa: B008
    """A game before the first settlement."""
    return GameState.new(board, seats, rules, seed)


def list_legal_actions(state: GameState) -> list[Action]:
    """What the actor may do."""
    return state.legal_actions()


def apply_action(state: GameState, action: Action) -> GameState:
    """The state after an action."""
    return state.apply(action)


def player_visible_victory_points(state: GameState, seat: int) -> int:
    """Points that everybody sees."""
    return state.visible_victory_points(seat)


def player_total_victory_points(state: GameState, seat: int) -> int | None:
    """Hidden victory point cards included."""
    return state.total_victory_points(seat)
