"""The draft: who picks when, what is open to a pick, and how the rest of it will probably go.

>>> from kibitz.catan import Board
>>> [(pick.pick, pick.seat, pick.vertex_id) for pick in predict(Position.opening(Board.beginner(), seats=2), "builder")]
[(0, 0, 41), (1, 1, 35), (2, 1, 29), (3, 0, 43)]

A `Draft` holds settlements and roads, placed for any seat in any order, and puts them into the order of the rules:

>>> draft = Draft(seats=2).settle(1, 20).settle(0, 35)
>>> draft.free_edges()
[28, 29, 30, 36, 49, 51]
>>> draft = draft.pave(28).pave(49)
>>> [(pick.seat, pick.corner, pick.edge) for pick in draft.ordered()]
[(0, 35, 49), (1, 20, 28)]
>>> Draft.of(draft.codes(), 2) == draft.sorted()
True
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple, Self

import numpy as np

from kibitz import game
from kibitz.catan.analysis.position import InvalidPosition, Position, bot_action
from kibitz.catan.analysis.types import DraftPick
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT, ROLL_DICE
from kibitz.catan.core.scores import SCALE, score_vertex
from kibitz.catan.core.state import SETUP_SETTLEMENT
from kibitz.catan.core.topology import ALL_CORNERS, CORNERS, EDGE_ENDS, EDGES, NEAR_MASK
from kibitz.game import States

#: What `score_vertex` counts for a static score of 1: ten pips of wheat.
POINTS = SCALE * 10


def corner_score(states: States, seat: int, corner: int) -> float:
    """The static score of a corner for a seat."""
    return score_vertex(states[0], seat, corner) / POINTS


def seat_of(pick: int, seats: int) -> int:
    """Whose pick it is: once around the table, then back.

    >>> [seat_of(pick, 3) for pick in range(6)]
    [0, 1, 2, 2, 1, 0]
    """
    return pick if pick < seats else 2 * seats - 1 - pick


def predict(position: Position, policy: str, corners: Sequence[int] = (), road: int | None = None) -> tuple[DraftPick, ...]:
    """All picks from the first assumed one to the end of the draft; none outside the draft.

    The next picks, of whatever seats, are these `corners`, the first with the edge `road`; what is not given, and what follows,
    `policy` chooses.
    """
    if not position.in_draft:
        return ()
    states = position.states.copy()
    picks = _assumed_picks(position)
    while states["phase"][0] == SETUP_SETTLEMENT:
        before = states.copy()
        pick, seat = int(before["placed"][0]), game.actor_at(before, 0)
        at = pick - position.picks_made
        corner = corners[at] if at < len(corners) else bot_action(before, policy) - PLACE_SETTLEMENT
        chosen = place(states, corner, road if at == 0 else None, policy)
        picks.append(DraftPick(pick, seat, corner, chosen, corner_score(before, seat, corner)))
    return tuple(picks)


def roads_from(states: States, corner: int) -> list[int]:
    """The edges that the road of a settlement on `corner` can take, ascending.

    >>> from kibitz.catan import Board
    >>> [EDGE_ENDS[edge] for edge in roads_from(Position.opening(Board.beginner()).states, 41)]
    [(40, 41), (41, 42), (41, 49)]
    """
    after = states.copy()
    _settle(after, corner)
    return [action - PLACE_ROAD for action in game.legal_actions(after)]


def place(states: States, corner: int, road: int | None, policy: str) -> int:
    """Do a whole pick of the draft in ``states[0]``; its road (that of `policy` if none is given)."""
    _settle(states, corner)
    if road is None:
        road = bot_action(states, policy) - PLACE_ROAD
    elif PLACE_ROAD + road not in game.legal_actions(states):
        raise InvalidPosition(f"edge {road}: no free edge at V{corner}")
    game.apply_at(states, 0, PLACE_ROAD + road)
    return road


def _settle(states: States, corner: int) -> None:
    if PLACE_SETTLEMENT + corner not in game.legal_actions(states):
        raise InvalidPosition(f"V{corner}: no settlement of the draft can be placed there now")
    game.apply_at(states, 0, PLACE_SETTLEMENT + corner)


def _assumed_picks(position: Position) -> list[DraftPick]:
    """The picks that were assumed before the position, scored at their moments: backwards, for there each comes off the board.

    The first may be a road alone, whose settlement stood already.
    """
    roads = [action - PLACE_ROAD for action in position.assumed if action >= PLACE_ROAD]
    states = position.states.copy()
    picks = []
    for back, road in enumerate(reversed(roads), start=1):
        pick = position.picks_made - back
        seat = seat_of(pick, position.seats)
        (corner,) = (end for end in EDGE_ENDS[road] if int(states["settlements"][0, seat]) >> end & 1)
        _lift(states, seat, corner)
        picks.append(DraftPick(pick, seat, corner, road, corner_score(states, seat, corner)))
    return picks[::-1]


def _lift(states: States, seat: int, corner: int) -> None:
    """Take a settlement off the board, as far as scores can tell."""
    states["settlements"][0, seat] &= ~(1 << corner)
    standing = int(np.bitwise_or.reduce(states["settlements"][0]))
    states["open"][0] = _open_beside(at for at in range(CORNERS) if standing >> at & 1)


def _open_beside(settled: Iterable[int]) -> int:
    """The corners that the distance rule leaves open beside some settlements."""
    return reduce(lambda free, corner: free & ~int(NEAR_MASK[corner]), settled, ALL_CORNERS)


#: Settlements of a seat in the draft.
EACH = 2


class Pick(NamedTuple):
    """A settlement of a seat and its road, if it has one yet."""

    seat: int
    corner: int
    edge: int | None = None


@dataclass(frozen=True)
class Draft:
    """What has been placed so far; of one seat the earlier settlement counts as its first."""

    seats: int
    picks: tuple[Pick, ...] = ()

    @classmethod
    def of(cls, codes: Sequence[int], seats: int) -> Self:
        """The draft that some actions make; what comes after the draft is left aside."""
        picks: list[Pick] = []
        for code in codes:
            if PLACE_SETTLEMENT <= code < PLACE_ROAD:
                picks.append(Pick(seat_of(len(picks), seats), code - PLACE_SETTLEMENT))
            elif PLACE_ROAD <= code < ROLL_DICE and picks:
                picks[-1] = picks[-1]._replace(edge=code - PLACE_ROAD)
        return cls(seats, tuple(picks[: EACH * seats]))

    @property
    def complete(self) -> bool:
        """Whether everybody has placed everything."""
        return len(self.picks) == EACH * self.seats and all(pick.edge is not None for pick in self.picks)

    def next_seat(self) -> int:
        """Whose settlement comes next by the rules, counting those that stand; the last seat when all stand."""
        return seat_of(min(len(self._standing()), EACH * self.seats - 1), self.seats)

    def _standing(self) -> list[Pick]:
        """The picks in the order of the rules, as far as none is missing."""
        order: list[Pick] = []
        for number in range(EACH * self.seats):
            own = self._of(seat_of(number, self.seats))[number >= self.seats :]
            if not own:
                break
            order.append(own[0])
        return order

    def _of(self, seat: int) -> list[Pick]:
        return [pick for pick in self.picks if pick.seat == seat]

    def open_corners(self, seat: int) -> list[int]:
        """Where a seat may settle; nowhere once it has two settlements."""
        if seat >= self.seats or len(self._of(seat)) >= EACH:
            return []
        free = _open_beside(pick.corner for pick in self.picks)
        return [corner for corner in range(CORNERS) if free >> corner & 1]

    def free_edges(self) -> list[int]:
        """Where the road of a settlement that has none may lie."""
        taken = {pick.edge for pick in self.picks}
        bare = {pick.corner for pick in self.picks if pick.edge is None}
        return [edge for edge in range(EDGES) if edge not in taken and bare & {*EDGE_ENDS[edge]}]

    def settle(self, seat: int, corner: int) -> Self:
        """With one settlement more. Raises `InvalidPosition` where the rules do not allow it."""
        if corner not in self.open_corners(seat):
            full = len(self._of(seat)) >= EACH
            reason = "has both settlements" if full else f"cannot settle on V{corner}: too near to another settlement"
            raise InvalidPosition(f"seat {seat + 1} {reason}")
        return replace(self, picks=(*self.picks, Pick(seat, corner)))

    def pave(self, edge: int) -> Self:
        """With the road of the settlement beside it that has none. Raises `InvalidPosition` if there is none."""
        if edge not in self.free_edges():
            raise InvalidPosition(f"edge {edge}: no settlement beside it waits for a road")
        bare = next(pick for pick in self.picks if pick.edge is None and pick.corner in EDGE_ENDS[edge])
        return replace(self, picks=tuple(pick._replace(edge=edge) if pick == bare else pick for pick in self.picks))

    def without(self, corner: int) -> Self:
        """Without the settlement on a corner and its road."""
        return replace(self, picks=tuple(pick for pick in self.picks if pick.corner != corner))

    def without_road(self, edge: int) -> Self:
        """Without the road on an edge."""
        return replace(self, picks=tuple(pick._replace(edge=None) if pick.edge == edge else pick for pick in self.picks))

    def sorted(self) -> Self:
        """The same, in the order of the rules."""
        return replace(self, picks=tuple(self.ordered()))

    def ordered(self) -> list[Pick]:
        """The picks in the order of the rules. Raises `InvalidPosition` where one is missing before another."""
        order = self._standing()
        if len(order) < len(self.picks):
            late = next(pick for pick in self.picks if pick not in order)
            due = seat_of(len(order), self.seats)
            raise InvalidPosition(f"seat {due + 1} settles before V{late.corner} of seat {late.seat + 1}: place that first")
        bare = [pick for pick in order[:-1] if pick.edge is None]
        if bare:
            raise InvalidPosition(f"the settlement of seat {bare[0].seat + 1} on V{bare[0].corner} has no road yet")
        return order

    def codes(self) -> tuple[int, ...]:
        """The actions of the draft so far. Raises `InvalidPosition` as `ordered`."""
        pairs = ((PLACE_SETTLEMENT + corner, None if edge is None else PLACE_ROAD + edge) for _, corner, edge in self.ordered())
        return tuple(code for pair in pairs for code in pair if code is not None)
