"""What a seat may know of a game of catanatron. Nothing else in Kibitz reads that program's `Game`.

catanatron hands every player the whole game. The hands and the development cards of others are only counted here, of the deck
only its size is taken, and of its log no stolen and no drawn card that the seat did not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kibitz.catan.core.board import Board, Harbour, PortType
from kibitz.catan.core.events import Cards
from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.state import NOBODY, Rules
from kibitz.catan.core.topology import AXIAL
from kibitz.catan.logs import cube
from kibitz.catan.logs.island import Island

#: Their names of resources and development cards, in our order.
RESOURCES = [name.upper() for name in Cards._fields]
CARD_NAMES = [card.value.upper() for card in CARDS]


@dataclass(frozen=True)
class Told:
    """One action of catanatron's log, as a seat perceives it: `result` is what chance decided, None where it is not seen."""

    seat: int
    kind: str
    value: Any = None
    result: Any = None


@dataclass(frozen=True)
class Places:
    """Our corners, hexes and seats by their names, and the board."""

    board: Board
    corners: Mapping[int, int]
    hexes: Mapping[tuple[int, int, int], int]
    seats: Mapping[Any, int]


def places_of(board: Any, colours: Sequence[Any]) -> Places:
    """Where everything lies. Raises a ValueError for what is not the island of the base game."""
    tiles = {cube.axial(at): tile for at, tile in board.map.land_tiles.items()}
    if set(tiles) != set(AXIAL):
        raise ValueError("Kibitz plays on the whole island of the base game: 19 hexes")
    hexes = {AXIAL.index(at): (tile.resource.lower(), tile.number) for at, tile in tiles.items() if tile.resource is not None}
    desert = next(AXIAL.index(at) for at, tile in tiles.items() if tile.resource is None)
    harbours = []
    for at, tile in board.map.tiles.items():
        if hasattr(tile, "direction"):  # a harbour lies on a sea tile, at the side that it points to
            edge = cube.edge(cube.axial(at), tile.direction.value)
            kind = PortType.ANY_3TO1 if tile.resource is None else PortType(tile.resource.lower())
            harbours += [] if edge is None else [Harbour(edge, kind)]
    ours = Island(hexes, desert).board(harbours)
    if ours is None:
        raise ValueError("Kibitz plays on boards that the box of the base game can make")
    corners = {node: cube.corner(at, direction.value) for at, tile in tiles.items() for direction, node in tile.nodes.items()}
    return Places(
        board=ours,
        corners={node: corner for node, corner in corners.items() if corner is not None},
        hexes={at: AXIAL.index(cube.axial(at)) for at in board.map.land_tiles},
        seats={colour: seat for seat, colour in enumerate(colours)},
    )


class Window:
    """A game of catanatron, seen by the player of one colour."""

    def __init__(self, game: Any, colour: Any) -> None:
        self._game, self._state, self._colour = game, game.state, colour
        self.seat: int = list(self._state.colors).index(colour)
        self.seats = len(self._state.colors)

    def places(self) -> Places:
        """Where everything lies."""
        return places_of(self._state.board, self._state.colors)

    def rules(self, domestic_trade: bool) -> Rules:
        """Its rules as ours; a short supply pays nobody there."""
        return Rules(
            victory_points=self._game.vps_to_win,
            discard_limit=self._state.discard_limit,
            friendly_robber=bool(getattr(self._state, "friendly_robber", False)),
            domestic_trade=domestic_trade,
            all_or_nothing_bank=True,
        )

    # --- what happened --------------------------------------------------------------------------------------

    @property
    def game_id(self) -> Any:
        """Another one for another game."""
        return self._game.id

    def told(self, start: int) -> list[Told]:
        """What happened from action number `start` on."""
        state = self._state
        if hasattr(state, "action_records"):
            return [self._told(record.action, record.result) for record in state.action_records[start:]]
        return [self._told(action, None) for action in state.actions[start:]]  # release 3.2

    def _told(self, action: Any, result: Any) -> Told:
        seat, kind, value = list(self._state.colors).index(action.color), action.action_type.value, action.value
        if kind == "BUY_DEVELOPMENT_CARD":
            return Told(seat, kind, None, value if seat == self.seat else None)
        if kind == "MOVE_ROBBER":
            at, victim, *card = value
            seen = self._colour in (action.color, victim)
            return Told(seat, kind, (at, victim), (card[0] if card else result) if seen else None)
        return Told(seat, kind, value, result)

    # --- the position -----------------------------------------------------------------------------------------

    def _of(self, seat: int, name: str) -> Any:
        return self._state.player_state[f"P{seat}_{name}"]

    @cached_property
    def hand(self) -> list[int]:
        """The seat's own hand."""
        return [self._of(self.seat, f"{resource}_IN_HAND") for resource in RESOURCES]

    @cached_property
    def hand_sizes(self) -> list[int]:
        """How many resource cards everybody holds."""
        return [sum(self._of(seat, f"{resource}_IN_HAND") for resource in RESOURCES) for seat in range(self.seats)]

    @property
    def cards(self) -> list[int]:
        """The seat's own development cards."""
        return [self._of(self.seat, f"{card}_IN_HAND") for card in CARD_NAMES]

    @property
    def card_counts(self) -> list[int]:
        """How many development cards everybody holds."""
        return [sum(self._of(seat, f"{card}_IN_HAND") for card in CARD_NAMES) for seat in range(self.seats)]

    @property
    def played(self) -> list[list[int]]:
        """``[seat][card]`` the development cards on the table."""
        return [[self._of(seat, f"PLAYED_{card}") for card in CARD_NAMES] for seat in range(self.seats)]

    @property
    def bank(self) -> list[int]:
        """The supply."""
        return list(self._state.resource_freqdeck)

    @property
    def deck_size(self) -> int:
        """How many development cards nobody has bought."""
        return len(self._state.development_listdeck)

    @property
    def buildings(self) -> list[tuple[int, int, bool]]:
        """Seat, node and whether it is a city, of every building."""
        found = self._state.board.buildings.items()
        colours = list(self._state.colors)
        return [(colours.index(colour), node, kind == "CITY") for node, (colour, kind) in found]

    @property
    def roads(self) -> list[tuple[int, int, int]]:
        """Seat and both nodes of every road."""
        colours = list(self._state.colors)
        return [(colours.index(colour), a, b) for (a, b), colour in self._state.board.roads.items() if a < b]

    @property
    def last_settlement(self) -> int | None:
        """In the set-up: the node of the settlement at which the seat places its road."""
        nodes = self._state.buildings_by_color[self._colour]["SETTLEMENT"]
        return nodes[-1] if nodes else None

    @property
    def robber(self) -> tuple[int, int, int]:
        """The robber's tile."""
        at: tuple[int, int, int] = self._state.board.robber_coordinate
        return at

    def holder(self, award: str) -> int:
        """Who holds ``ROAD`` or ``ARMY``, or `NOBODY`."""
        return next((seat for seat in range(self.seats) if self._of(seat, f"HAS_{award}")), NOBODY)

    @property
    def road_lengths(self) -> list[int]:
        """The longest road of everybody, as catanatron measures it."""
        return [self._of(seat, "LONGEST_ROAD_LENGTH") for seat in range(self.seats)]

    @property
    def turn(self) -> int:
        """Whose turn it is."""
        return int(self._state.current_turn_index)

    @property
    def rolled(self) -> bool:
        """Whether they have rolled."""
        return bool(self._of(self.turn, "HAS_ROLLED"))

    @property
    def card_played(self) -> bool:
        """Whether they have played a development card in this turn."""
        return bool(self._of(self.turn, "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"))

    @property
    def free_roads(self) -> int:
        """The roads that Road Building still gives."""
        return int(self._state.free_roads_available) if self._state.is_road_building else 0

    @property
    def prompt(self) -> str:
        """What the game waits for, in its words."""
        return str(self._state.current_prompt.value)
