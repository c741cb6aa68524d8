"""The draft: who picks when, what is open to a pick, and how the rest of it will probably go.

>>> from kibitz.catan import Board
>>> [(pick.pick, pick.seat, pick.vertex_id) for pick in predict(Position.opening(Board.beginner(), seats=2), "builder")]
[(0, 0, 41), (1, 1, 35), (2, 1, 29), (3, 0, 13)]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.analysis.position import InvalidPosition, Position, bot_action
from kibitz.catan.analysis.types import DraftPick
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.scores import SCALE, score_vertex
from kibitz.catan.core.state import SETUP_SETTLEMENT
from kibitz.catan.core.topology import ALL_CORNERS, EDGE_ENDS, NEAR_MASK

#: What `score_vertex` counts for a static score of 1: ten pips of wheat.
POINTS = SCALE * 10


def corner_score(states: npt.NDArray[np.void], seat: int, corner: int) -> float:
    """The static score of a corner for a seat."""
    return score_vertex(states[0], seat, corner) / POINTS


def seat_of(pick: int, seats: int) -> int:
    """Whose pick it is: once around the table, then back.

    >>> [seat_of(pick, 3) for pick in range(6)]
    [0, 1, 2, 2, 1, 0]
    """
    return pick if pick < seats else 2 * seats - 1 - pick


def predict(position: Position, policy: str, first: int | None = None, road: int | None = None) -> tuple[DraftPick, ...]:
    """All picks from the first assumed one to the end of the draft; none outside the draft.

    The seat that asks takes the corner `first` with the edge `road`; what is not given, and what follows, `policy` chooses.
    """
    return predict_line(position, policy, () if first is None else (first,), road)


def predict_line(position: Position, policy: str, corners: Sequence[int], road: int | None = None) -> tuple[DraftPick, ...]:
    """As `predict`, where the next picks, of whatever seats, are these `corners`; `road` goes with the first."""
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


def setup_plan(position: Position, corner: int, road: int | None = None, policy: str = "builder") -> npt.NDArray[np.void]:
    """The state after the seat that asks has placed a settlement and its road (the road of `policy` if none is given)."""
    states = position.states.copy()
    place(states, corner, road, policy)
    return states


def roads_from(states: npt.NDArray[np.void], corner: int) -> list[int]:
    """The edges that the road of a settlement on `corner` can take, ascending.

    >>> from kibitz.catan import Board
    >>> [EDGE_ENDS[edge] for edge in roads_from(Position.opening(Board.beginner()).states, 41)]
    [(40, 41), (41, 42), (41, 49)]
    """
    after = states.copy()
    _settle(after, corner)
    return [action - PLACE_ROAD for action in game.legal_actions(after)]


def place(states: npt.NDArray[np.void], corner: int, road: int | None, policy: str) -> int:
    """Do a whole pick of the draft in ``states[0]``; its road (that of `policy` if none is given)."""
    _settle(states, corner)
    if road is None:
        road = bot_action(states, policy) - PLACE_ROAD
    elif PLACE_ROAD + road not in game.legal_actions(states):
        raise InvalidPosition(f"edge {road}: no free edge at V{corner}")
    game.apply_at(states, 0, PLACE_ROAD + road)
    return road


def _settle(states: npt.NDArray[np.void], corner: int) -> None:
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


def _lift(states: npt.NDArray[np.void], seat: int, corner: int) -> None:
    """Take a settlement off the board, as far as scores can tell."""
    states["settlements"][0, seat] &= ~(1 << corner)
    standing = int(np.bitwise_or.reduce(states["settlements"][0]))
    closed = 0
    for other in range(len(NEAR_MASK)):
        if standing >> other & 1:
            closed |= int(NEAR_MASK[other])
    states["open"][0] = ALL_CORNERS & ~closed
