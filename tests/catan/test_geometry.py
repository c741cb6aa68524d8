"""What lies next to what, as it is told on hexes, corners, edges and harbours: checked against each other."""

import pickle

import pytest

from kibitz.catan import Board, GameState, Hex, Resource

pytestmark = pytest.mark.plain
BOARD = Board.random(5)


def test_hexes_and_corners_agree():
    assert len(BOARD.corners) == 54
    for hex in BOARD.hexes:
        assert len(set(hex.corners)) == 6
        assert [hex.id in [near.id for near in BOARD.corners[corner].hexes] for corner in hex.corners] == [True] * 6
        assert all(hex.id in BOARD.hexes[other].neighbours for other in hex.neighbours)
        shared = [len(set(hex.corners) & set(BOARD.hexes[other].corners)) for other in hex.neighbours]
        assert shared == [2] * len(hex.neighbours)
    assert sum(len(corner.hexes) for corner in BOARD.corners) == 6 * 19


def test_corners_and_edges_agree():
    assert len(BOARD.edges) == 72
    for corner in BOARD.corners:
        assert [tuple(sorted((corner.id, other))) for other in corner.neighbours] == list(corner.edges)
        assert all(corner.id in BOARD.corners[other].neighbours for other in corner.neighbours)
        assert corner.pips == sum(6 - abs(7 - hex.number) for hex in corner.hexes if hex.number)
    for edge in BOARD.edges:
        a, b = edge.corners
        assert a < b
        assert BOARD.edge(b, a) is edge
        assert set(edge.neighbours) == {*BOARD.corners[a].edges, *BOARD.corners[b].edges} - {edge.corners}
        assert {hex.id for hex in edge.hexes} == {h.id for h in BOARD.corners[a].hexes} & {h.id for h in BOARD.corners[b].hexes}
    assert sum(len(edge.hexes) for edge in BOARD.edges) == 6 * 19
    for hex in BOARD.hexes:
        assert all(hex in BOARD.edge(*edge).hexes for edge in hex.edges)


def test_harbours_serve_two_corners_at_the_coast():
    for harbour in BOARD.harbours:
        assert [BOARD.corners[corner].harbour for corner in harbour.corners] == [harbour] * 2
        edge = BOARD.edge(*harbour.corners)
        assert (edge.harbour, len(edge.hexes)) == (harbour, 1)
    assert sum(corner.harbour is not None for corner in BOARD.corners) == 18


def test_a_hex_is_what_it_was_and_knows_its_place_on_a_board_alone():
    loose = Hex(Resource.ORE, 10)
    assert loose == Board.beginner().hexes[0]
    assert tuple(loose) == (Resource.ORE, 10)
    with pytest.raises(ValueError, match="lies on no board"):
        _ = loose.corners
    again = pickle.loads(pickle.dumps(BOARD))
    assert (again, again.hexes[7].corners) == (BOARD, BOARD.hexes[7].corners)
    with pytest.raises(ValueError, match="0-9: no edge of the island joins these corners"):
        BOARD.edge(0, 9)


def test_the_state_speaks_of_hexes_and_corners():
    state = GameState.new(BOARD, 2)
    assert state.robber_hex == state.robber_tile_id == BOARD.desert
    assert state.setup_corner is state.pending_setup_vertex_id is None
