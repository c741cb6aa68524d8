"""The settlements and roads of a draft, placed for any seat in any order, and put into the order of the rules.

>>> draft = Draft(seats=2).settle(1, 20).settle(0, 35)
>>> draft.free_edges()
[28, 29, 30, 36, 49, 51]
>>> draft = draft.pave(28).pave(49)
>>> [(pick.seat, pick.corner, pick.edge) for pick in draft.ordered()]
[(0, 35, 49), (1, 20, 28)]
>>> Draft.of(draft.codes(), 2) == draft.sorted()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kibitz.catan.analysis.draft import seat_of
from kibitz.catan.analysis.position import InvalidPosition
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT, ROLL_DICE
from kibitz.catan.core.topology import ALL_CORNERS, CORNERS, EDGE_ENDS, EDGES, NEAR_MASK

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
    def of(cls, codes: Sequence[int], seats: int) -> Draft:
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
        for number in range(EACH * self.seats):
            seat = seat_of(number, self.seats)
            if len(self._of(seat)) <= (number >= self.seats):
                return seat
        return 0

    def _of(self, seat: int) -> list[Pick]:
        return [pick for pick in self.picks if pick.seat == seat]

    def open_corners(self, seat: int) -> list[int]:
        """Where a seat may settle; nowhere once it has two settlements."""
        if seat >= self.seats or len(self._of(seat)) >= EACH:
            return []
        closed = 0
        for pick in self.picks:
            closed |= int(NEAR_MASK[pick.corner])
        return [corner for corner in range(CORNERS) if (ALL_CORNERS & ~closed) >> corner & 1]

    def free_edges(self) -> list[int]:
        """Where the road of a settlement that has none may lie."""
        taken = {pick.edge for pick in self.picks}
        bare = {pick.corner for pick in self.picks if pick.edge is None}
        return [edge for edge in range(EDGES) if edge not in taken and bare & {*EDGE_ENDS[edge]}]

    def settle(self, seat: int, corner: int) -> Draft:
        """With one settlement more. Raises `InvalidPosition` where the rules do not allow it."""
        if corner not in self.open_corners(seat):
            full = len(self._of(seat)) >= EACH
            reason = "has both settlements" if full else f"cannot settle on V{corner}: too near to another settlement"
            raise InvalidPosition(f"seat {seat + 1} {reason}")
        return replace(self, picks=(*self.picks, Pick(seat, corner)))

    def pave(self, edge: int) -> Draft:
        """With the road of the settlement beside it that has none. Raises `InvalidPosition` if there is none."""
        if edge not in self.free_edges():
            raise InvalidPosition(f"edge {edge}: no settlement beside it waits for a road")
        number = next(n for n, pick in enumerate(self.picks) if pick.edge is None and pick.corner in EDGE_ENDS[edge])
        return self._with(number, edge)

    def without(self, corner: int) -> Draft:
        """Without the settlement on a corner and its road."""
        return replace(self, picks=tuple(pick for pick in self.picks if pick.corner != corner))

    def without_road(self, edge: int) -> Draft:
        """Without the road on an edge."""
        number = next((n for n, pick in enumerate(self.picks) if pick.edge == edge), None)
        return self if number is None else self._with(number, None)

    def _with(self, number: int, edge: int | None) -> Draft:
        picks = (*self.picks[:number], self.picks[number]._replace(edge=edge), *self.picks[number + 1 :])
        return replace(self, picks=picks)

    def sorted(self) -> Draft:
        """The same, in the order of the rules."""
        return replace(self, picks=tuple(self.ordered()))

    def ordered(self) -> list[Pick]:
        """The picks in the order of the rules. Raises `InvalidPosition` where one is missing before another."""
        order: list[Pick] = []
        for number in range(EACH * self.seats):
            seat = seat_of(number, self.seats)
            own = self._of(seat)
            if len(own) <= (number >= self.seats):
                break
            order.append(own[number >= self.seats])
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
        found = []
        for pick in self.ordered():
            found.append(PLACE_SETTLEMENT + pick.corner)
            if pick.edge is not None:
                found.append(PLACE_ROAD + pick.edge)
        return tuple(found)
