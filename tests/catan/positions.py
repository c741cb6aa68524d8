"""Positions set by hand: pieces and cards on the beginner board, with everything that follows from them worked out.

    state = Table(seats=3).build(0, settlements=[20], roads=[(20, 21)]).give(0, wood=1, brick=1).main(player=0)

Set-up is over, resource cards come out of the supply and development cards out of the deck. What can be derived (the
reach of the roads, their lengths, the corners that the distance rule leaves open, the sizes of hands, the holders of
the special cards) is worked out here in plain Python, and a position that the box could not make is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from kibitz.catan import Action, Board, GameState, IllegalAction, Rules
from kibitz.catan.core.state import BUILD, DEV_PLAY, MAIN, NOBODY, SEATS, TRADE, TURN_START, new_states
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, EDGE_BETWEEN, NONE
from tests.catan.referee import DECK, RESOURCES, SUPPLY, Edge, largest_army_holder, longest_road_holder, longest_trail

Corners = Iterable[int]

CARDS = tuple(DECK)
PHASES = {"TURN_START": TURN_START, "MAIN": MAIN, "TRADE": TRADE, "BUILD": BUILD, "DEV_PLAY": DEV_PLAY}
PIECES = {"settlements": 5, "cities": 4, "roads": 15}


def chain(*corners: int) -> list[Edge]:
    """The roads along a row of corners: ``chain(0, 1, 2)`` is 0-1 and 1-2."""
    return [(min(pair), max(pair)) for pair in pairwise(corners)]


def play(state: GameState, *actions: Action) -> GameState:
    """The state after several actions."""
    for action in actions:
        state = state.apply(action)
    return state


def refusal(state: GameState, action: Action) -> str:
    """The sentence with which an action is refused; it must not be listed as legal, and nothing may have changed."""
    before, fingerprint = state.position(), hash(state)
    with pytest.raises(IllegalAction) as error:
        state.apply(action)
    assert state.position() == before
    assert hash(state) == fingerprint
    assert action not in state.legal_actions()
    assert state.why_not(action) == str(error.value)
    return str(error.value)


def legal(state: GameState, kind: str = "") -> list[str]:
    """The texts of the legal actions whose kind begins with `kind`."""
    return [action.to_text() for action in state.legal_actions() if action.kind.startswith(kind)]


def hand(state: GameState, seat: int) -> dict[str, int]:
    """The resource cards that a player holds, without the zeros."""
    cards = {str(resource): n for resource, n in (state.players[seat].hand or {}).items() if n}
    assert sum(cards.values()) == state.players[seat].hand_size
    return cards


@dataclass
class Seat:
    """What lies in front of one player."""

    settlements: set[int] = field(default_factory=set)
    cities: set[int] = field(default_factory=set)
    roads: set[Edge] = field(default_factory=set)
    hand: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    bought: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)

    @property
    def buildings(self) -> set[int]:
        return self.settlements | self.cities

    @property
    def drawn(self) -> Counter[str]:
        """The development cards that have left the deck."""
        return self.held + self.bought + self.played


class Table:
    """A game after set-up; the methods can be chained, the last one (`main`, `turn_start`, `at`) makes the `GameState`."""

    def __init__(self, seats: int = 4, rules: Rules = Rules(), board: Board | None = None, seed: int = 0) -> None:  # noqa: B008
        self.board = board or Board.beginner()
        self.rules = rules
        self.seed = seed
        self.seats = [Seat() for _ in range(seats)]
        self.robber_hex = self.board.desert
        self.holders: dict[str, int] = {}

    def build(self, seat: int, settlements: Corners = (), cities: Corners = (), roads: Iterable[Edge] = ()) -> Table:
        """Put pieces on the board."""
        self.seats[seat].settlements |= set(settlements)
        self.seats[seat].cities |= set(cities)
        self.seats[seat].roads |= {(min(road), max(road)) for road in roads}
        return self

    def give(self, seat: int, **cards: int) -> Table:
        """Resource cards from the supply: ``give(0, wood=2)``."""
        self.seats[seat].hand.update(cards)
        return self

    def cards(self, seat: int, **cards: int) -> Table:
        """Development cards from the deck, bought in an earlier turn: ``cards(0, knight=1)``."""
        self.seats[seat].held.update(cards)
        return self

    def bought(self, seat: int, **cards: int) -> Table:
        """Development cards from the deck, bought in this turn (by the player whose turn it is)."""
        self.seats[seat].bought.update(cards)
        return self

    def played(self, seat: int, **cards: int) -> Table:
        """Development cards that lie open on the table."""
        self.seats[seat].played.update(cards)
        return self

    def robber(self, hex: int) -> Table:
        """The robber stands here, not on the desert."""
        self.robber_hex = hex
        return self

    def holds(self, road: int | None = None, army: int | None = None) -> Table:
        """Who has the special cards, where the pieces alone do not tell (a tie)."""
        self.holders |= {name: seat for name, seat in (("road", road), ("army", army)) if seat is not None}
        return self

    def main(self, player: int = 0, roll: int = 12, turn: int | None = None) -> GameState:
        """The dice have been rolled: `player` may trade, build and play a card."""
        return self.at("MAIN", player, roll, turn)

    def turn_start(self, player: int = 0, turn: int | None = None) -> GameState:
        """`player` is about to roll."""
        return self.at("TURN_START", player, 0, turn)

    def at(self, phase: str, player: int = 0, roll: int = 12, turn: int | None = None) -> GameState:
        """The position in any phase of a turn; without `turn` it is the first round."""
        self._check(player)
        states = new_states(self.board, len(self.seats), self.rules)
        row = np.asarray(states)[0]
        row["phase"], row["player"], row["roll"] = PHASES[phase], player, roll
        row["turn"] = player + 1 if turn is None else turn
        row["placed"] = 2 * len(self.seats)
        row["robber"] = self.robber_hex
        for i, seat in enumerate(self.seats):
            self._write(row, i, seat)
        for i, resource in enumerate(RESOURCES):
            row["bank"][i] = SUPPLY - sum(seat.hand[resource] for seat in self.seats)
        for i, card in enumerate(CARDS):
            row["deck"][i] = DECK[card] - sum(seat.drawn[card] for seat in self.seats)
            row["new_dev"][i] = self.seats[player].bought[card]
        row["deck_size"] = row["deck"].sum()
        row["new_dev_size"] = row["new_dev"].sum()
        closed = {near for seat in self.seats for corner in seat.buildings for near in _around(corner)}
        row["open"] = _mask(set(range(54)) - closed)
        holder = longest_road_holder(self.holders.get("road"), row["road_length"][: len(self.seats)].tolist())
        row["road_holder"] = NOBODY if holder is None else holder
        holder = largest_army_holder(self.holders.get("army"), [seat.played["knight"] for seat in self.seats])
        row["army_holder"] = NOBODY if holder is None else holder
        return GameState(states, self.seed)

    def _write(self, row: np.void, i: int, seat: Seat) -> None:
        enemies = {corner for other in self.seats if other is not seat for corner in other.buildings}
        row["settlements"][i] = _mask(seat.settlements)
        row["cities"][i] = _mask(seat.cities)
        row["network"][i] = _mask({corner for road in seat.roads for corner in road})
        edges = {EDGE_BETWEEN[road] for road in seat.roads}
        row["roads"][i] = _mask({e for e in edges if e < 36}), _mask({e - 36 for e in edges if e >= 36})
        row["road_length"][i] = longest_trail(seat.roads, enemies)
        row["hand"][i] = [seat.hand[resource] for resource in RESOURCES]
        row["hand_size"][i] = seat.hand.total()
        row["dev"][i] = [seat.held[card] + seat.bought[card] for card in CARDS]
        row["dev_size"][i] = seat.held.total() + seat.bought.total()
        row["played"][i] = [seat.played[card] for card in CARDS]

    def _check(self, player: int) -> None:
        """Whether the box and the rules could have made this position."""
        assert 2 <= len(self.seats) <= SEATS
        buildings = [corner for seat in self.seats for corner in (*seat.settlements, *seat.cities)]
        assert all(near not in buildings for corner in buildings for near in _around(corner) - {corner}), "distance rule"
        assert len(buildings) == len(set(buildings)), "two buildings on a corner"
        roads = [road for seat in self.seats for road in seat.roads]
        assert len(roads) == len(set(roads)), "two roads on an edge"
        for seat in self.seats:
            assert all(len(getattr(seat, name)) <= limit for name, limit in PIECES.items()), "pieces"
            assert not seat.bought or seat is self.seats[player], "only the player whose turn it is buys"
        for resource in RESOURCES:
            assert sum(seat.hand[resource] for seat in self.seats) <= SUPPLY, f"more {resource} than there is"
        for card in CARDS:
            assert sum(seat.drawn[card] for seat in self.seats) <= DECK[card], f"more {card} than there is"
        names = {name for seat in self.seats for name in (*seat.hand, *seat.drawn)}
        assert names <= {*RESOURCES, *CARDS}, "no such card"


def _around(corner: int) -> set[int]:
    return {corner, *CORNER_NEIGHBOURS[corner].tolist()} - {NONE}


def _mask(numbers: set[int]) -> int:
    return sum(1 << n for n in numbers)
