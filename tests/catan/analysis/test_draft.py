"""The draft: snake order, picks that agree with the bots' own games, scores at the moment of each pick."""

from dataclasses import replace

import pytest

from kibitz import game
from kibitz.catan import Board, GameState, Rules, place_setup_road, place_setup_settlement
from kibitz.catan.analysis.draft import POINTS, corner_score, predict, roads_from, seat_of
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.record import simulate
from kibitz.catan.core.scores import score_vertex
from kibitz.catan.core.topology import CORNER_NEIGHBOURS, EDGE_BETWEEN, EDGE_ENDS
from tests.catan.analysis.drafts import setup_plan

pytestmark = pytest.mark.plain

BEGINNER = Board.beginner()


def corners(picks):
    return [pick.vertex_id for pick in picks]


def test_the_draft_goes_around_and_back():
    assert [seat_of(pick, 2) for pick in range(4)] == [0, 1, 1, 0]
    assert [seat_of(pick, 4) for pick in range(8)] == [0, 1, 2, 3, 3, 2, 1, 0]


@pytest.mark.parametrize(("policy", "seats"), [("builder", 3), ("seed", 2)])
def test_what_is_predicted_is_what_the_bots_do(policy, seats):
    board = Board.random(5)
    record = simulate(board, [policy] * seats, seed=1, rules=Rules(max_turns=1))
    settlements, roads = record.codes[0 : 4 * seats : 2], record.codes[1 : 4 * seats : 2]
    picks = predict(Position.opening(board, seats), policy)
    assert [(pick.pick, pick.seat) for pick in picks] == [(i, seat_of(i, seats)) for i in range(2 * seats)]
    assert corners(picks) == [code - PLACE_SETTLEMENT for code in settlements]
    assert [pick.road for pick in picks] == [code - PLACE_ROAD for code in roads]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_assumed_picks_are_predicted_picks(seat):
    """Whoever asks, the draft of the bots is the same, and each pick is scored as it was when it was made."""
    assert predict(Position.opening(BEGINNER, seat=seat), "builder") == predict(Position.opening(BEGINNER), "builder")


def test_scores_are_those_of_the_moment():
    """The first pick sees the empty board; the first seat's second settlement is judged together with its first."""
    position = Position.opening(BEGINNER, seats=2)
    picks = predict(position, "builder")
    assert picks[0].score == score_vertex(position.states[0], 0, picks[0].vertex_id) / POINTS
    states = position.states.copy()
    for pick in picks[:3]:
        game.apply_at(states, 0, PLACE_SETTLEMENT + pick.vertex_id)
        game.apply_at(states, 0, PLACE_ROAD + pick.road)
    assert picks[3].score == corner_score(states, 0, picks[3].vertex_id)
    assert picks[3].score != corner_score(position.states, 0, picks[3].vertex_id)


def test_a_given_corner_and_road_are_taken():
    position = Position.opening(BEGINNER, seat=1)
    road = EDGE_BETWEEN[20, 21]
    free = corners(predict(position, "builder"))
    picks = predict(position, "builder", [20], road)
    assert corners(picks)[0] == free[0]
    assert (picks[1].seat, picks[1].vertex_id, picks[1].road) == (1, 20, road)
    assert len(set(corners(picks))) == len(picks) == 8
    assert not any(b in CORNER_NEIGHBOURS[a].tolist() for a in corners(picks) for b in corners(picks))
    assert predict(position, "builder", [20])[1].road in roads_from(position.states, 20)
    assert predict(position, "builder", [free[1]]) == predict(position, "builder")


def test_a_line_binds_all_seats():
    position = Position.opening(BEGINNER, seats=2)
    picks = predict(position, "builder", [9, 41, 20])
    assert corners(picks)[:3] == [9, 41, 20]
    assert [pick.seat for pick in picks] == [0, 1, 1, 0]
    states = position.states.copy()
    for pick in picks:
        for action in (PLACE_SETTLEMENT + pick.vertex_id, PLACE_ROAD + pick.road):
            assert game.why_not_at(states, 0, action) == 0
            game.apply_at(states, 0, action)


def test_a_settlement_that_waits_for_its_road_is_a_pick():
    state = GameState.new(BEGINNER, seats=2).apply(place_setup_settlement(9))
    position = Position.of(state, seat=1)
    first, *rest = predict(position, "builder")
    opening = Position.opening(BEGINNER, seats=2)
    assert first == predict(opening, "builder", [9])[0]
    assert first.score == corner_score(opening.states, 0, 9)
    assert [(pick.pick, pick.seat) for pick in rest] == [(1, 1), (2, 1), (3, 0)]


def test_nothing_is_predicted_outside_the_draft():
    opening = Position.opening(BEGINNER, seats=2)
    state = GameState.new(BEGINNER, seats=2).apply(place_setup_settlement(9))
    assert predict(Position.of(state), "builder") == ()
    for pick in predict(opening, "builder", [9]):
        state = state if pick.pick == 0 else state.apply(place_setup_settlement(pick.vertex_id))
        state = state.apply(place_setup_road(EDGE_ENDS[pick.road]))
    assert predict(Position.of(state), "builder") == ()


def test_a_plan_is_the_state_after_settlement_and_road():
    position = Position.opening(BEGINNER, seat=1)
    road = EDGE_BETWEEN[20, 21]
    states = setup_plan(position, 20, road)
    assert int(states["settlements"][0, 1]) == 1 << 20
    assert game.actor_at(states, 0) == 2
    assert int(states["placed"][0]) == position.picks_made + 1 == 2
    own = setup_plan(position, 20)
    assert predict(position, "builder", [20])[2:] == predict(replace(position, states=own, seat=2, assumed=()), "builder")
    assert int(position.states["placed"][0]) == 1


def test_roads_leave_the_settlement():
    opening = Position.opening(BEGINNER)
    assert [EDGE_ENDS[edge] for edge in roads_from(opening.states, 20)] == [(19, 20), (20, 21), (20, 31)]
    assert [EDGE_ENDS[edge] for edge in roads_from(opening.states, 1)] == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("corner", "road", "message"),
    [(19, None, "V19: no settlement"), (54, None, "V54: no settlement"), (9, 0, "edge 0: no free edge at V9")],
)
def test_what_cannot_be_placed_is_refused(corner, road, message):
    position = Position.of(setup_plan(Position.opening(BEGINNER), 20), seat=1)
    with pytest.raises(InvalidPosition, match=message):
        predict(position, "builder", [corner], road)
    with pytest.raises(InvalidPosition, match=message):
        setup_plan(position, corner, road)
