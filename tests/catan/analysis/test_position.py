"""Positions and who asks: anywhere in the draft, anywhere in a game; hidden cards are not in them."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz import game
from kibitz.catan import Action, Board, GameState, Rules
from kibitz.catan.analysis.position import InvalidPosition, Position
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import MAIN, SETUP_ROAD, SETUP_SETTLEMENT, TURN_START, new_states
from kibitz.game import CHANCE, OVER, actor_at
from tests.catan.analysis.drafts import partial_draft, still_places
from tests.catan.positions import Table

BEGINNER = Board.beginner()
plain = pytest.mark.plain


def same(a: Any, b: Any) -> bool:
    return np.asarray(a).tobytes() == np.asarray(b).tobytes()


# --- the draft ------------------------------------------------------------------------------------------------


@plain
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_seats_before_the_one_that_asks_have_placed(seats):
    for seat in range(seats):
        position = Position.opening(BEGINNER, seats, seat)
        assert (position.seat, position.seats, position.picks_made) == (seat, seats, seat)
        assert position.in_draft
        assert position.board == BEGINNER
        assert game.actor_at(position.states, 0) == seat
        assert len(position.assumed) == 2 * seat
        assert position.origin == {"phase": "SETUP_SETTLEMENT", "turn": 0}


@plain
def test_they_placed_as_the_bot_would():
    for policy in ("random", "builder", "seed"):  # to the others plain Python is too slow
        states = new_states(BEGINNER, 3)
        position = Position.opening(BEGINNER, 3, 2, policy=policy)
        for code in position.assumed:
            assert code in game.legal_actions(states)
            game.apply_at(states, 0, code)
        assert same(states, position.states)
    assert Position.opening(BEGINNER, 3, 2, policy="random").assumed != position.assumed


@plain
def test_a_board_is_an_opening_of_four():
    for seat in (None, 0, 3):
        assert same(Position.of(BEGINNER, seat).states, Position.opening(BEGINNER, 4, seat or 0).states)


@plain
def test_the_rules_are_kept():
    position = Position.opening(BEGINNER, 2, rules=Rules(victory_points=7, max_turns=90))
    assert (position.states["victory_points"][0], position.states["max_turns"][0]) == (7, 90)


@plain
@settings(derandomize=True, database=None, deadline=None, max_examples=60)
@given(st.integers(2, 4), st.integers(0, 15), st.integers(0, 3), st.integers(0, 2**32))
def test_any_point_of_the_draft(seats, steps, seat, seed):
    states = partial_draft(seats, min(steps, 4 * seats - 1), seed)
    before, seat = states.copy(), seat % seats
    if not still_places(states, seat):
        with pytest.raises(InvalidPosition, match=f"to move, not seat {seat + 1}$"):
            Position.of(states, seat)
        return
    position = Position.of(states, seat)
    assert same(states, before), "what is asked about is not changed"
    assert position.phase in (SETUP_SETTLEMENT, SETUP_ROAD)
    assert game.actor_at(position.states, 0) == seat
    for code in position.assumed:
        assert game.actor_at(before, 0) != seat
        game.apply_at(before, 0, code)
    assert same(position.states, before)
    assert Position.of(states, None).seat == game.actor_at(states, 0)


@plain
def test_in_the_draft_there_is_one_world_and_it_is_the_true_one():
    """Seats 4 and 3 hold the cards of their second settlements, which everybody has seen on the board."""
    for seed in range(10):
        states = partial_draft(4, 12, seed)
        position = Position.of(states)
        assert position.seat == 1
        worlds = position.worlds(50, seed=3)
        assert same(worlds, states)
        assert int(worlds["hand_size"][0, 2:4].min()) > 0


@plain
def test_a_road_of_the_draft_may_be_asked_about():
    position = Position.of(partial_draft(3, 3, seed=1))
    assert (position.seat, position.phase, position.in_draft) == (1, SETUP_ROAD, False)


# --- a running game ---------------------------------------------------------------------------------------------


@cache
def record() -> Record:
    return simulate(Board.random(1), ["builder"] * 4, 1)


def test_a_step_of_a_record_as_its_actor_sees_it():
    kinds = set()
    for step, states in enumerate(record().states()):
        actor = game.actor_at(states, 0)
        if step % 25 or actor in (CHANCE, OVER):
            continue
        position = Position.at(record(), step)
        hidden = states.copy()
        if states["turn"][0]:
            game.hide_at(hidden, 0, actor)
        assert position.seat == actor
        assert position.origin["step"] == step
        assert position.origin["turn"] == states["turn"][0]
        assert same(position.states, hidden)
        kinds.add(position.phase)
    assert {SETUP_SETTLEMENT, TURN_START, MAIN} <= kinds


def test_worlds_look_like_the_position_and_do_not_depend_on_their_number():
    step = next(n for n, s in enumerate(record().states()) if s["turn"][0] == 30 and s["phase"][0] == MAIN)
    position = Position.at(record(), step)
    assert position.tracker is not None
    worlds = position.worlds(40, seed=5)
    assert len(worlds) == 40
    assert same(position.worlds(7, seed=5), worlds[:7])
    assert not same(position.worlds(40, seed=6), worlds)
    for i in range(40):
        view = worlds[i : i + 1].copy()
        game.hide_at(view, 0, position.seat)
        assert same(view, position.states)


@plain
def test_without_a_history_every_deal_is_as_likely():
    """Seats 2 and 3 hold one wood and one ore between them."""
    state = Table(3).give(1, wood=1).give(2, ore=1).main(player=0)
    worlds = Position.of(state).worlds(400, seed=1)
    assert abs(worlds["hand"][:, 1, 0].mean() - 0.5) < 0.1


@plain
def test_hidden_cards_are_not_in_the_position():
    table = Table(3).give(0, brick=1).give(1, wood=1).give(2, ore=1).cards(1, knight=1).cards(0, monopoly=1)
    other = Table(3).give(0, brick=1).give(1, ore=1).give(2, wood=1).cards(1, victory_point=1).cards(0, monopoly=1)
    assert same(Position.of(table.main()).states, Position.of(other.main()).states)
    assert not same(Position.of(table.main()).states, Position.of(Table(3).main()).states)


@plain
def test_an_observation_may_be_asked_about_by_its_observer():
    state = Table(3).give(0, brick=1).give(1, wood=1).give(2, ore=1).main()
    whole, seen = Position.of(state), Position.of(state.observe(0))
    assert same(whole.states, seen.states)
    assert same(whole.worlds(9, seed=1), seen.worlds(9, seed=1))
    draft = GameState(partial_draft(4, 12, seed=1))
    dealt = Position.of(draft.observe(1)).worlds(1, seed=0)
    assert (dealt["hand"].sum(axis=2) == dealt["hand_size"]).all()
    with pytest.raises(InvalidPosition, match="the position is shown as seat 1 sees it: another seat cannot be asked"):
        Position.of(state.observe(0), seat=1)
    with pytest.raises(InvalidPosition, match="it is seat 1 to move, not seat 2"):
        Position.of(state.observe(1))
    with pytest.raises(InvalidPosition, match="a spectator has nothing to decide"):
        Position.of(state.observe(None))


# --- what cannot be asked ---------------------------------------------------------------------------------------


@plain
def test_a_seat_that_does_not_exist():
    for seat in (-1, 3, 4):
        with pytest.raises(InvalidPosition, match=f"^seat {seat + 1}: the seats are 1 to 3$"):
            Position.opening(BEGINNER, 3, seat)


@plain
def test_a_seat_that_is_not_to_move():
    with pytest.raises(InvalidPosition, match=r"^it is seat 1 to move, not seat 2$"):
        Position.of(Table(3).main(player=0), seat=1)


def test_chance_the_end_and_steps_that_do_not_exist():
    length = len(record().codes)
    roll = next(n for n, s in enumerate(record().states()) if game.actor_at(s, 0) == CHANCE)
    with pytest.raises(InvalidPosition, match=r"^it is chance to move here"):
        Position.at(record(), roll)
    with pytest.raises(InvalidPosition, match=r"^it is chance to move, not seat 1$"):
        Position.at(record(), roll, seat=0)
    with pytest.raises(InvalidPosition, match=r"^the game is over"):
        Position.at(record(), length)
    for step in (-1, length + 1):
        with pytest.raises(InvalidPosition, match=f"^step {step}: the game has steps 0 to {length}$"):
            Position.at(record(), step)


def test_a_game_played_from_its_beginning_is_judged_by_what_the_seat_saw():
    record = simulate(Board.beginner(), ["builder"] * 3, seed=2)
    state = GameState.new(record.board, 3, record.rules)
    for code in record.codes[:150]:
        state = state.apply(Action.from_code(code))
    step = next(n for n, states in enumerate(record.states()) if n >= 150 and actor_at(states, 0) >= 0)
    for code in record.codes[150:step]:
        state = state.apply(Action.from_code(code))
    position, recorded = Position.of(state), Position.at(record, step)
    assert position.tracker is not None
    assert recorded.tracker is not None
    assert position.tracker.sample(50) == recorded.tracker.sample(50)
    assert Position.of(state.states).tracker is None, "a struct has no history"


def test_a_bot_that_does_not_exist():
    with pytest.raises(InvalidPosition, match="policy 'nobody': no such bot; these are random, builder, seed"):
        Position.opening(Board.beginner(), policy="nobody")
