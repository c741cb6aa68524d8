"""The island without terrain: counts, who is next to whom, directions, the coast and the spiral of the tokens."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from kibitz.catan.core.topology import (
    AXIAL,
    COAST_EDGES,
    CORNER_EDGES,
    CORNER_HEXES,
    CORNER_NEIGHBOURS,
    EDGE_BETWEEN,
    EDGE_CORNERS,
    EDGE_MASK,
    EDGES_AT,
    HEX_CORNERS,
    HEX_MASK,
    HEX_NEIGHBOURS,
    ISLAND_CORNERS,
    NEAR_MASK,
    NONE,
    corner_position,
    hex_position,
    spiral,
)

pytestmark = pytest.mark.plain

HEXES = HEX_CORNERS.tolist()
EDGES = [tuple(pair) for pair in EDGE_CORNERS.tolist()]
#: Worked out from the edges alone.
NEIGHBOURS = {c: {sum(edge) - c for edge in EDGES if c in edge} for c in range(54)}


def members(mask: int) -> set[int]:
    return {n for n in range(64) if mask >> n & 1}


def without_none(row: list[int]) -> list[int]:
    return [n for n in row if n != NONE]


def test_counts() -> None:
    assert (len(HEXES), len({c for corners in HEXES for c in corners}), len(set(EDGES)), len(COAST_EDGES)) == (19, 54, 72, 30)
    assert len(AXIAL) == 19
    assert {c for corners in HEXES for c in corners} == set(range(54))


def test_corners_of_a_hex_clockwise_from_the_north() -> None:
    assert HEXES[0] == [1, 2, 10, 9, 8, 0]
    assert HEXES[2] == [5, 6, 14, 13, 12, 4]
    assert HEXES[7] == [17, 18, 29, 28, 27, 16]
    assert HEXES[9] == [21, 22, 33, 32, 31, 20]
    assert HEXES[18] == [44, 45, 53, 52, 51, 43]


def test_edges_ascend_and_are_the_sides_of_the_hexes() -> None:
    sides = {(min(a, b), max(a, b)) for corners in HEXES for a, b in pairwise([*corners, corners[0]])}
    assert sorted(sides) == EDGES
    assert EDGES[0] == (0, 1)
    assert EDGES[71] == (52, 53)


def test_edge_between_two_corners_in_either_order() -> None:
    assert EDGE_BETWEEN[0, 1] == EDGE_BETWEEN[1, 0] == 0
    assert EDGE_BETWEEN[52, 53] == EDGE_BETWEEN[53, 52] == 71
    assert len(EDGE_BETWEEN) == 144
    assert (0, 2) not in EDGE_BETWEEN


def test_degrees() -> None:
    assert Counter(len(near) for near in NEIGHBOURS.values()) == {2: 18, 3: 36}
    assert Counter(len(without_none(row)) for row in CORNER_HEXES.tolist()) == {1: 18, 2: 12, 3: 24}
    assert Counter(len(without_none(row)) for row in HEX_NEIGHBOURS.tolist()) == {3: 6, 4: 6, 6: 7}


def test_hexes_around_a_corner() -> None:
    for corner, row in enumerate(CORNER_HEXES.tolist()):
        assert without_none(row) == [h for h in range(19) if corner in HEXES[h]]
        assert row == without_none(row) + [NONE] * row.count(NONE), "blanks at the end"
    assert CORNER_HEXES[20].tolist() == [4, 8, 9]
    assert CORNER_HEXES[0].tolist() == [0, NONE, NONE]


def test_neighbouring_hexes_share_a_side_and_see_each_other() -> None:
    for h, row in enumerate(HEX_NEIGHBOURS.tolist()):
        for side, other in enumerate(row):
            if other != NONE:
                assert HEX_NEIGHBOURS[other, (side + 3) % 6] == h
                assert set(HEXES[h]) & set(HEXES[other]) == {HEXES[h][side], HEXES[h][(side + 1) % 6]}
    for a, b in combinations(range(19), 2):
        assert (b in HEX_NEIGHBOURS[a].tolist()) == (len(set(HEXES[a]) & set(HEXES[b])) == 2)


def test_slots_of_a_corner_lead_back() -> None:
    for corner in range(54):
        assert set(without_none(CORNER_NEIGHBOURS[corner].tolist())) == NEIGHBOURS[corner]
        for slot in range(3):
            other, edge = int(CORNER_NEIGHBOURS[corner, slot]), int(CORNER_EDGES[corner, slot])
            assert (other == NONE) == (edge == NONE)
            if other != NONE:
                assert CORNER_NEIGHBOURS[other, slot] == corner
                assert CORNER_EDGES[other, slot] == edge == EDGE_BETWEEN[corner, other]


def test_every_edge_runs_in_one_of_three_directions() -> None:
    assert Counter(slot for row in CORNER_EDGES.tolist() for slot in range(3) if row[slot] != NONE) == {0: 48, 1: 48, 2: 48}


def test_masks_say_the_same_as_the_lists() -> None:
    for h in range(19):
        assert members(int(HEX_MASK[h])) == set(HEXES[h])
    for corner in range(54):
        assert members(int(NEAR_MASK[corner])) == {corner, *NEIGHBOURS[corner]}
        low, high = (members(int(half)) for half in EDGES_AT[corner])
        assert {EDGES[e] for e in low} | {EDGES[36 + e] for e in high} == {edge for edge in EDGES if corner in edge}
    for e, pair in enumerate(EDGES):
        assert members(int(EDGE_MASK[e])) == set(pair)


def test_coast_runs_clockwise_around_the_island() -> None:
    coast = [EDGES[e] for e in COAST_EDGES.tolist()]
    assert coast[:7] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 14)]
    assert coast[-3:] == [(7, 17), (7, 8), (0, 8)]
    assert all(len(set(a) & set(b)) == 1 for a, b in pairwise([*coast, coast[0]]))
    assert set(coast) == {edge for edge in EDGES if sum(set(edge) <= set(corners) for corners in HEXES) == 1}


def test_corners_count_row_by_row_from_the_left() -> None:
    rows = [range(7), range(7, 16), range(16, 27), range(27, 38), range(38, 47), range(47, 54)]
    assert [c for row in rows for c in row] == list(range(54))
    for row in rows:
        xs = [corner_position(c)[0] for c in row]
        assert xs == sorted(xs)
        assert all(b - a == pytest.approx(3**0.5 / 2) for a, b in pairwise(xs))
    for above, below in pairwise(rows):
        assert max(corner_position(c)[1] for c in above) < min(corner_position(c)[1] for c in below)


def test_positions_have_sides_of_length_1_around_the_centre() -> None:
    assert hex_position(9) == (0, 0)
    points = {c: complex(*corner_position(c)) for c in range(54)}
    assert all(abs(points[a] - points[b]) == pytest.approx(1) for a, b in EDGES)
    for h, corners in enumerate(HEXES):
        assert all(abs(points[c] - complex(*hex_position(h))) == pytest.approx(1) for c in corners)
    assert corner_position(21) == (0, -1)


def test_island_has_six_corners_clockwise() -> None:
    assert ISLAND_CORNERS == [0, 2, 11, 18, 16, 7]


def test_spiral_from_the_north_west_and_the_north_east() -> None:
    assert spiral(0) == (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1, 4, 8, 13, 14, 10, 5, 9)
    assert spiral(2) == (2, 1, 0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 5, 4, 8, 13, 14, 10, 9)


@pytest.mark.parametrize("start", [0, 2, 7, 11, 16, 18])
def test_spiral_visits_all_19_hexes_step_by_step_inward(start: int) -> None:
    path = spiral(start)
    assert path[0] == start
    assert sorted(path) == list(range(19))
    assert all(b in HEX_NEIGHBOURS[a].tolist() for a, b in pairwise(path))
    assert set(path[:12]) == {0, 1, 2, 3, 6, 7, 11, 12, 15, 16, 17, 18}
    assert path[18] == 9


def test_spiral_begins_at_a_corner_of_the_island() -> None:
    with pytest.raises(ValueError, match=re.escape("hex 1 is not a corner of the island; these are [0, 2, 7, 11, 16, 18]")):
        spiral(1)
