"""Who is next to whom, for whole sets of corners at once.

Corners are numbered row by row. So an edge leads from a corner either along its row, to the next number, or down to a number
that is 8, 10 or 11 higher, as long as the rows are; each corner has at most one edge of each kind to higher numbers. A set of
edges is thus two sets of corners, the *links* along rows and down, each edge standing at the lower number: all neighbours of a
set of corners are found by a few shifts.

>>> along, down = links(1 << 1, 0)  # the edge from corner 0 down to corner 8
>>> neighbours(along, down, 1 << 0) == 1 << 8, neighbours(along, down, 1 << 8) == 1 << 0
(True, True)
"""

import numpy as np

from kibitz.catan.core.topology import EDGE_ENDS, HALF
from kibitz.ground.jit import Grid, Vector, jit, table

#: Edges are looked up so many at a time.
CHUNK = 6
CHUNKS = HALF // CHUNK
ALL = (1 << CHUNK) - 1


def _of_chunk(chunk: int, down: bool) -> list[int]:
    """The corners at which the edges of a chunk stand, for each set of them, counted from the first of the chunk."""
    edges = EDGE_ENDS[chunk * CHUNK : (chunk + 1) * CHUNK]
    at = [1 << low - edges[0][0] if (high - low > 1) == down else 0 for low, high in edges]
    return [sum(at[i] for i in range(CHUNK) if some >> i & 1) for some in range(ALL + 1)]


def _standing(step: int) -> int:
    return sum(1 << low for low, high in EDGE_ENDS if high - low == step)


#: [chunk] the first corner; [chunk, edges of it] the links, counted from there. Small, since a GPU has little room for tables.
FIRST_OF: Vector = table([EDGE_ENDS[chunk * CHUNK][0] for chunk in range(2 * CHUNKS)], np.int8)
ALONG_OF: Grid = table([_of_chunk(chunk, False) for chunk in range(2 * CHUNKS)], np.int8)
DOWN_OF: Grid = table([_of_chunk(chunk, True) for chunk in range(2 * CHUNKS)], np.int8)
#: All links there are: along rows; down to a corner whose number is so much higher.
ALL_ALONG, DOWN_8, DOWN_10, DOWN_11 = _standing(1), _standing(8), _standing(10), _standing(11)
ALL_DOWN = DOWN_8 | DOWN_10 | DOWN_11


@jit
def links(low: int, high: int) -> tuple[int, int]:
    """The links of a set of edges, along rows and down."""
    along, down = 0, 0
    for chunk in range(2 * CHUNKS):
        some = (low if chunk < CHUNKS else high) >> CHUNK * (chunk % CHUNKS) & ALL
        along |= ALONG_OF[chunk, some] << FIRST_OF[chunk]
        down |= DOWN_OF[chunk, some] << FIRST_OF[chunk]
    return along, down


@jit
def below(corners: int) -> int:
    """The corners that the links down of these lead to."""
    return (corners & DOWN_8) << 8 | (corners & DOWN_10) << 10 | (corners & DOWN_11) << 11


@jit
def above(corners: int) -> int:
    """The corners whose links down lead to these."""
    return corners >> 8 & DOWN_8 | corners >> 10 & DOWN_10 | corners >> 11 & DOWN_11


@jit
def neighbours(along: int, down: int, corners: int) -> int:
    """The corners that links lead to from any of `corners`, either way."""
    return (corners & along) << 1 | corners >> 1 & along | below(corners & down) | above(corners) & down


@jit
def ends(along: int, down: int) -> int:
    """The corners with exactly one of these links."""
    back, up = along << 1, down | below(down)
    return (along ^ back ^ up) & ~(along & back & up)


@jit
def crossings(along: int, down: int) -> int:
    """The corners with two of these links or three."""
    back, up = along << 1, down | below(down)
    return along & back | along & up | back & up
