"""The board of a game that is followed: what stands where after so many events, what a roll brings, how it looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Build, Cards, Event, MoveRobber, StartingResources
from kibitz.catan.core.state import new_states
from kibitz.catan.core.svg import draw_state
from kibitz.catan.core.topology import EDGE_BETWEEN, EDGE_ENDS, EDGES, HALF, HEXES
from kibitz.catan.logs.island import Island


class TrackedBoard:
    """A board with the pieces that the events so far have placed."""

    def __init__(self, board: Board, players: Sequence[str], events: Sequence[Event]) -> None:
        self._board, self._players = board, players
        hexes = {h: (str(hex.resource), hex.number) for h, hex in enumerate(board.hexes) if hex.resource and hex.number}
        self.island = Island(hexes, board.desert)
        self.roads: dict[int, int] = {}
        self.last = ""
        """The element that the last event is about."""
        for event in events:
            self._place(event)

    def _place(self, event: Event) -> None:
        self.last = ""
        if isinstance(event, Build) and event.corner is not None:
            self.island.buildings[event.corner] = event.player, 2 if event.piece == "city" else 1
            self.last = f"corner-{event.corner}"
        elif isinstance(event, Build) and event.edge is not None:
            edge = EDGE_BETWEEN[event.edge]
            self.roads[edge] = event.player
            self.last = f"edge-{edge}"
        elif isinstance(event, MoveRobber) and event.hex is not None:
            self.island.robber = event.hex
            self.last = f"hex-{event.hex}"

    def gains(self, total: int, bank: Mapping[str, Any]) -> dict[int, Cards]:
        """What a roll brings, where the bank can have it."""
        return self.island.produced(total, [bank[resource]["max"] for resource in Cards._fields])

    def key(self) -> tuple[Any, ...]:
        """Two boards with the same key look alike."""
        return tuple(self.island.buildings.items()), tuple(self.roads.items()), self.island.robber, self.last

    def draw(self) -> str:
        """The picture."""
        states = new_states(self._board, max(2, len(self._players)))
        for corner, (seat, worth) in self.island.buildings.items():
            states["cities" if worth == 2 else "settlements"][0, seat] |= 1 << corner
        for edge, seat in self.roads.items():
            states["roads"][0, seat, edge // HALF] |= 1 << edge % HALF
        states["robber"][0] = self.island.robber
        return draw_state(states, hands=False, names=self._players, lastmove=self.last or None)

    # --- clicks ---------------------------------------------------------------------------------------------------

    def choices(self, seat: int) -> list[str]:
        """The elements that a click can be about: free edges and corners, settlements of one's own, hexes."""
        corners = [c for c in range(len(_CORNERS)) if self.island.buildings.get(c, (seat, 1)) == (seat, 1)]
        edges = [e for e in range(EDGES) if e not in self.roads]
        return [*(f"corner-{c}" for c in corners), *(f"edge-{e}" for e in edges), *(f"hex-{h}" for h in range(HEXES))]

    def events_of(self, element: str, seat: int, setup: bool) -> list[Event]:
        """What a click on an element says that a seat did."""
        kind, _, number = element.partition("-")
        n = int(number)
        if kind == "hex":
            return [MoveRobber(seat, n)]
        if kind == "edge":
            a, b = (int(corner) for corner in EDGE_ENDS[n])
            return [Build(seat, "road", setup, edge=(a, b))]
        if n in self.island.buildings:
            return [Build(seat, "city", corner=n)]
        built: list[Event] = [Build(seat, "settlement", setup, corner=n)]
        mine = [corner for corner, (owner, _) in self.island.buildings.items() if owner == seat]
        cards = self.island.around(n)
        return [*built, StartingResources(seat, cards)] if setup and len(mine) == 1 and cards.size else built


_CORNERS = {int(corner) for ends in EDGE_ENDS for corner in ends}
