"""Who can stop a loop: by hand, and against a reference that tries every strategy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.game import CHANCE
from kibitz.ground.codec import decode, encode_fields
from kibitz.loops.graph import explore
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.protocol import PlainGame
from kibitz.loops.stopping import Answer, Statistics, Stopping, break_loop, label, who_can_stop
from tests.loops.games import coarse, constant, good, walk

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None, max_examples=300)
YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN


def first_actions(game: PlainGame) -> Lap:
    """The lap of a walk in which everybody always takes the first action, from the start back to it."""
    position, steps = game.copy(), []
    while not steps or position.key() != game.key():
        steps.append(LapStep(position.actor(), 0))
        position.apply(0)
    return Lap(tuple(steps))


def answers(edges: list[list[int]], owners: list[int], **more: int) -> Stopping:
    game = walk(edges, owners)
    return who_can_stop(game, first_actions(game), **more)


# --- by hand: the lap is 0 -> 1 -> 0, node 2 and higher lie beside it ---------------------------------------


def test_nobody_has_a_choice() -> None:
    assert answers([[1], [0]], [0, 1]).answers == {0: NO, 1: NO}


def test_one_has_a_way_to_the_end() -> None:
    found = answers([[1], [0, 2], []], [0, 1, 0])
    assert found.answers == {0: NO, 1: YES}
    assert found.able == (1,)
    assert found.exact
    assert [(b.step, b.seat, b.action, b.sure) for b in found.breaks] == [(1, 1, 1, True)]


def test_both_have() -> None:
    assert answers([[1, 2], [0, 2], []], [0, 1, 0]).able == (0, 1)


def test_choices_that_all_lead_back_are_none() -> None:
    found = answers([[1, 2], [0], [3], [0]], [0, 1, 0, 0])
    assert found.answers == {0: NO, 1: NO}
    assert not found.breaks
    assert found.leading_back == ((0, 1),)


def test_another_circle_is_not_a_way_out() -> None:
    """From 0 one can go to 2, and from there round 2 -> 3 -> 2 for ever, or back."""
    assert answers([[1, 2], [0], [3, 0], [2]], [0, 1, 0, 0]).answers == {0: NO, 1: NO}


def test_who_leaves_and_is_brought_back_by_the_other_has_not_stopped_it() -> None:
    """At 2 the other one may go back or out: only together can they stop it."""
    found = answers([[1, 2], [0], [0, 3], []], [0, 1, 1, 0])
    assert found.answers == {0: NO, 1: NO}
    assert found.together == (0, 1)
    assert [(b.step, b.action, b.sure) for b in found.breaks] == [(0, 1, False)]


def test_a_circle_of_the_other_s_own_is_another_loop_and_theirs_to_stop() -> None:
    """At 2 the other one may go round for ever, or leave, but not back."""
    assert answers([[1, 2], [0], [2, 3], []], [0, 1, 1, 0]).answers == {0: YES, 1: NO}


def test_three_players_need_the_smallest_group() -> None:
    found = answers([[1, 3], [2], [0], [0, 4], []], [0, 1, 2, 2, 0])
    assert found.together == (0, 2)


def test_a_way_out_through_the_lap_itself_is_no_way_of_its_own() -> None:
    """Seat 0 can step aside to 2 and comes back to the lap at 1, where it can leave: only that move breaks the loop."""
    found = answers([[1, 2], [0, 3], [1], []], [0, 0, 1, 0])
    assert found.able == (0,)
    assert [(b.step, b.action) for b in found.breaks] == [(1, 1)]


def test_chance_can_end_it() -> None:
    found = answers([[1, 2], [0], []], [CHANCE, 0, 0])
    assert found.by_chance == YES
    assert found.answers == {0: NO}
    assert answers([[1], [0, 2], []], [CHANCE, 0, 0]).by_chance == NO


def test_what_chance_can_do_is_unknown_where_it_was_not_looked_at() -> None:
    """Chance leads on with the lap, or to one of 50 places, and from there to the end."""
    edges = [[1, *range(2, 52)], [0], *[[52]] * 50, []]
    owners = [CHANCE, 0, *[0] * 51]
    assert answers(edges, owners).by_chance == YES
    found = answers(edges, owners, max_nodes=10)
    assert (found.answers, found.by_chance, found.unknown) == ({0: NO}, UNKNOWN, True)


def test_where_chance_alone_goes_round_nobody_can_stop_it() -> None:
    found = answers([[1], [0]], [CHANCE, CHANCE])
    assert (found.answers, found.by_chance, found.unknown) == ({}, NO, False)


def test_whether_they_can_together_is_unknown_where_it_was_not_looked_at() -> None:
    """Seat 0 steps aside to 2, where seat 1 goes back or on to 3: what comes then is behind the last position looked at."""
    edges, owners = [[1, 2], [0], [0, 3], [4, 4], []], [0, 1, 1, 0, 0]
    assert answers(edges, owners, horizon=5).together == (0, 1)
    found = answers(edges, owners, max_nodes=4, horizon=5)
    assert (found.answers, found.together, found.unknown) == ({0: NO, 1: NO}, None, True)


def test_who_has_no_move_in_the_lap_cannot_stop_it_however_little_was_looked_at() -> None:
    found = answers([[1, 2], [0], [0, 3], []], [0, 0, 1, 0], max_nodes=3)
    assert found.answers == {0: UNKNOWN, 1: NO}


def test_a_way_out_by_chance_is_found_some_day() -> None:
    """Behind seat 0's move chance goes back or out: whoever can try again and again gets out."""
    assert answers([[1, 2], [0], [0, 3], []], [0, 1, CHANCE, 0]).able == (0,)


def long_way_back(length: int, forced: bool) -> list[list[int]]:
    """Seat 0 may step aside, and is back after `length` moves, forced or (with a useless choice) not."""
    aside = [[n + 3, n + 3] if not forced else [n + 3] for n in range(length)]
    aside[-1] = [0] if forced else [0, 0]
    return [[1, 2], [0], *aside]


def test_forced_moves_cost_nothing_of_the_horizon() -> None:
    edges = long_way_back(50, forced=True)
    assert answers(edges, [0] * len(edges), max_nodes=200).answers == {0: NO}


def test_far_enough_away_counts_as_out_where_not_everything_can_be_looked_at() -> None:
    edges = long_way_back(50, forced=False)
    owners = [0] * len(edges)
    assert answers(edges, owners, max_nodes=200).answers == {0: NO}
    assert answers(edges, owners, max_nodes=10, horizon=2).answers == {0: YES}
    assert answers(edges, owners, max_nodes=10, horizon=20).answers == {0: UNKNOWN}
    assert not answers(edges, owners, max_nodes=10, horizon=20).exact


def test_a_lap_that_does_not_lead_back_is_refused() -> None:
    with pytest.raises(ValueError, match="does not lead back"):
        who_can_stop(walk([[1], [0]]), Lap((LapStep(0, 0),)))


def test_bans_are_respected() -> None:
    game = walk([[1, 2], [0], []], [0, 1, 0])
    assert who_can_stop(game, first_actions(game), allowed=lambda position: position.actions()[:1]).answers == {0: NO, 1: NO}


# --- against every strategy -----------------------------------------------------------------------------------


@st.composite
def circles(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """A lap through the first nodes by first actions, and anything beside it."""
    nodes, lap = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    lap = min(lap, nodes)
    edges = [draw(st.lists(st.integers(0, nodes - 1), max_size=2)) for _ in range(nodes)]
    for node in range(lap):
        edges[node] = [(node + 1) % lap, *edges[node]]
    return edges, [draw(st.integers(0, 2)) for _ in range(nodes)]


def gets_out(edges: list[list[int]], owners: list[int], lap: int, seats: tuple[int, ...], start: int) -> bool:
    """Whether, with some fixed plan of `seats`, no play from `start` ever comes to the lap, and some play ends."""
    own = [node for node in range(lap, len(edges)) if owners[node] in seats and edges[node]]
    for plan in product(*(edges[node] for node in own)):
        chosen = dict(zip(own, plan, strict=True))
        reached, waiting = {start}, [start]
        while waiting:
            node = waiting.pop()
            fresh = {*([chosen[node]] if node in chosen else edges[node])} - reached
            reached |= fresh
            waiting += fresh
        if all(node >= lap for node in reached) and any(not edges[node] for node in reached):
            return True
    return False


@pytest.mark.untraced
@given(circles(), st.sampled_from([good, coarse, constant]))
@fixed
def test_against_every_strategy(game: tuple[list[list[int]], list[int]], hashed: Callable[[int], int]) -> None:
    """Also with fingerprints that are equal for many positions, or for all."""
    edges, owners = game
    start = walk(edges, owners, hashed=hashed)
    steps = first_actions(start)
    lap = len(steps)
    found = who_can_stop(start, steps)
    for seat, answer in found.answers.items():
        ways = [to for node in range(lap) if owners[node] == seat for to in edges[node][1:]]
        assert (answer == YES) == any(gets_out(edges, owners, lap, (seat,), to) for to in ways)
    for one in found.breaks:
        to = edges[one.step][one.action]
        assert one.sure == gets_out(edges, owners, lap, (one.seat,), to)
        assert gets_out(edges, owners, lap, tuple(found.answers), to)
    escape = break_loop(start, steps)
    assert (escape is None) == (not found.breaks)
    if escape:
        node = escape.step
        for seat, action in escape.line:
            assert owners[node] == seat
            node = edges[node][action]
            assert node >= lap
        assert not edges[node]


@pytest.mark.untraced
@given(circles(), st.integers(0, 2))
@fixed
def test_what_holds_of_a_lap_holds_from_every_step_of_it(game: tuple[list[list[int]], list[int]], at: int) -> None:
    edges, owners = game
    start = walk(edges, owners)
    lap = first_actions(start)
    at %= len(lap)
    there = (lap.follow(start) or [])[at]
    told = who_can_stop(start, lap).seen_from(at, len(lap))
    found = who_can_stop(there, Lap(lap.steps[at:] + lap.steps[:at]))
    assert (told.answers, told.together, told.nodes) == (found.answers, found.together, found.nodes)
    assert {*told.breaks} == {*found.breaks}
    assert {*told.leading_back} == {*found.leading_back}


# --- breaking it ------------------------------------------------------------------------------------------------


def test_the_latest_decision_is_tried_first_and_a_dead_end_is_left_again() -> None:
    """At node 2 the alternative only leads back; at node 1 the first leads round in a circle and back, the second out."""
    game = walk([[1], [2, 3, 5], [0, 4], [4, 0], [0], [6], []], [0, 1, 0, 1, 0, 1, 0])
    escape = break_loop(game, first_actions(game))
    assert escape is not None
    assert (escape.step, escape.line) == (1, (LapStep(1, 2), LapStep(1, 0)))


def test_only_some_may_turn_back() -> None:
    game = walk([[1, 2], [0, 2], []], [0, 1, 0])
    lap = first_actions(game)
    escape = break_loop(game, lap, seats=(0,))
    assert escape is not None
    assert escape.step == 0
    assert break_loop(game, lap).step == 1  # type: ignore[union-attr]
    assert break_loop(game, lap, seats=(2,)) is None


class Named(PlainGame):
    """Actions with names."""

    def describe(self, action: int) -> str:
        return ("round", "wait here", "leave now", "leave later")[action]

    def copy(self) -> Named:
        return Named(self.state.copy(), self._scratch)


def test_what_has_broken_laps_before_is_tried_and_suggested_first() -> None:
    game = Named(walk([[0, 1, 1, 1], []]).state)
    lap = first_actions(game)
    assert [one.action for one in who_can_stop(game, lap).breaks] == [1, 2, 3]
    learnt = Statistics().counted("leave", broke=True).counted("wait", broke=False)
    assert [one.action for one in who_can_stop(game, lap, statistics=learnt).breaks] == [2, 3, 1]
    assert break_loop(game, lap).line == (LapStep(0, 1),)  # type: ignore[union-attr]
    assert break_loop(game, lap, statistics=learnt).line == (LapStep(0, 2),)  # type: ignore[union-attr]


def test_statistics_as_json() -> None:
    learnt = Statistics().counted("leave", broke=True).counted("leave", broke=False)
    assert decode(Statistics, encode_fields(learnt)) == learnt
    assert learnt.rate("leave") == Statistics().rate("never seen") == 0.5
    assert label("leave the table") == "leave"


def test_a_node_that_turns_out_to_be_nearer_is_looked_into_in_time() -> None:
    """Node 4 is two decisions away by way of 2 and 3, and none at all by the forced way from 1."""
    graph = explore([walk([[1, 2], [4], [3, 3], [4, 4], [0, 5], []])], max_nodes=100)
    depths = {position.key(): depth for position, depth in zip(graph.positions, graph.depths, strict=True)}
    assert depths[4] == depths[1] == 1
    assert graph.closed()
