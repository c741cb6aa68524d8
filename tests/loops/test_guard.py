"""The guard: what it detects, when, and what it never does."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.game import CHANCE, OVER
from kibitz.ground.rng import Stream
from kibitz.loops.config import MODELS, Config, Consequence, Resolution
from kibitz.loops.guard import EventKind, LoopGuard, LoopResult
from kibitz.loops.lap import LapStep
from kibitz.loops.memory import Memory
from kibitz.loops.protocol import OMNISCIENT, PUBLIC, PlainGame
from kibitz.loops.stopping import who_can_stop
from kibitz.loops.verdict import Case
from tests.loops.games import Cards, Walk, array_bytes, coarse, constant, good, run, walk

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None)
RING = [[1], [2], [0]]


# --- the seed's interface ---------------------------------------------------------------------------------------


def test_a_state_seen_more_than_max_repeats_times_is_a_loop() -> None:
    """Seen first at observation 1, then after every three actions: for the fifth time after twelve."""
    results = run(LoopGuard(), walk(RING), [0] * 12)
    assert [n for n, result in enumerate(results) if result.loop_detected] == [12]
    last = results[-1]
    assert (last.count, last.resolution, last.stopping_player) == (5, Consequence.DRAW, None)
    assert last.lap is not None
    assert last.lap.steps == (LapStep(0, 0),) * 3
    assert last.verdict is not None
    assert last.verdict.case == Case.NEITHER


@pytest.mark.parametrize("repeats", [1, 2, 3, 10])
def test_the_threshold_is_the_file_s(repeats: int) -> None:
    results = run(LoopGuard(Config(max_repeats=repeats)), walk(RING), [0] * 3 * repeats)
    assert [n for n, result in enumerate(results) if result.loop_detected] == [3 * repeats]


def test_recording_checking_and_counting_one_by_one() -> None:
    guard, position = LoopGuard(), walk([[0, 1], []])
    assert guard.repeat_count(position) == 0
    for seen in range(1, 6):
        fingerprint = guard.record_state(position, 0 if seen > 1 else None)
        assert fingerprint == position.fingerprint()
        assert guard.repeat_count(position) == seen
        assert guard.check_for_loop(position).loop_detected == (seen == 5)
        position.apply(0)
    assert guard.fresh().to_json() == LoopGuard().memory.to_json()


def test_there_is_one_warning_before_the_threshold() -> None:
    heard: list[tuple[EventKind, int]] = []
    guard = LoopGuard(listener=lambda kind, result, position: heard.append((kind, result.count)))
    results = run(guard, walk([[1], [0]]), [0] * 8)
    assert heard == [(EventKind.WARNING, 4), (EventKind.LOOP, 5)]
    assert [result.warning for result in results[6:]] == [True, True, False]
    assert results[6].lap is not None
    assert len(results[6].lap) == 2


def test_who_acted_is_known_without_being_told_and_can_be_told() -> None:
    told, untold = LoopGuard(), LoopGuard()
    one, other = walk([[1], [0]], [0, 1]), walk([[1], [0]], [0, 1])
    told.observe(one)
    untold.observe(other)
    for _ in range(8):
        by = one.actor()
        one.apply(0)
        other.apply(0)
        first, second = told.observe(one, 0, by), untold.observe(other, 0)
    assert first == second
    assert first.lap is not None
    assert first.lap.steps == (LapStep(0, 0), LapStep(1, 0))


def test_a_loop_that_starts_late_is_found_within_a_small_memory() -> None:
    way = 3_000
    edges = [[n + 1] for n in range(way)] + [[way + 1], [way + 2], [way]]
    guard = LoopGuard(Config(window=64))
    results = run(guard, walk(edges), [0] * (way + 12))
    assert [n for n, result in enumerate(results) if result.loop_detected] == [way + 12]
    assert array_bytes(guard.memory.states) < 100 * 64


def test_steps_of_the_engine_without_actions_are_counted_too() -> None:
    """A trigger resolves by itself in between: the lap has one action and two states."""
    guard, position = LoopGuard(), walk([[1], [0]])
    guard.observe(position)
    for _ in range(4):
        position.apply(0)
        guard.observe(position, 0)
        position.apply(0)
        result = guard.observe(position)
    assert result.loop_detected or result.count == 5
    assert result.lap is not None
    assert len(result.lap) == 1


def test_without_actions_the_next_lap_confirms_and_nobody_knows_who_can_stop_it() -> None:
    guard, position = LoopGuard(), walk([[1], [0]])
    results = [guard.observe(position)]
    for _ in range(10):
        position.apply(0)
        results.append(guard.observe(position))
    assert [result.loop_detected for result in results] == [False] * 10 + [True]
    assert (results[-1].resolution, results[-1].count) == (Consequence.CONTINUES, 6)
    assert results[-1].verdict is not None
    assert results[-1].verdict.case == Case.UNKNOWN


# --- fingerprints are never trusted -------------------------------------------------------------------------------


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    nodes = draw(st.integers(2, 6))
    edges = [draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=3)) for _ in range(nodes)]
    return edges, draw(st.lists(st.integers(0, 2), max_size=80))


def play(guard: LoopGuard, edges: list[list[int]], choices: list[int], **more: Any) -> tuple[list[int], list[LoopResult]]:
    """The nodes visited and what the guard said."""
    position = walk(edges, **more)
    nodes, results = [0], [guard.observe(position)]
    for choice in choices:
        action = choice % len(edges[nodes[-1]])
        position.apply(action)
        nodes.append(edges[nodes[-1]][action])
        results.append(guard.observe(position, action))
    return nodes, results


@given(walks())
@fixed
def test_it_finds_what_a_list_of_all_states_finds(game: tuple[list[list[int]], list[int]]) -> None:
    nodes, results = play(LoopGuard(Config(max_repeats=2)), *game)
    for now, result in enumerate(results):
        seen = nodes[: now + 1].count(nodes[now])
        assert result.count == seen
        assert result.loop_detected == (seen > 2)
        if result.loop_detected and result.lap:
            previous = max(n for n in range(now) if nodes[n] == nodes[now])
            assert len(result.lap) == now - previous
            assert result.lap.returns(walk(game[0], node=nodes[now]))


@given(walks(), st.sampled_from([constant, coarse]))
@fixed
def test_a_bad_fingerprint_never_makes_a_loop_of_what_is_none(game: tuple[list[list[int]], list[int]], hashed: Any) -> None:
    """Before a loop is judged, two states were equal in full, and the lap leads back. The count may lag by one lap."""
    nodes, results = play(LoopGuard(Config(max_repeats=2)), *game, hashed=hashed)
    for now, result in enumerate(results):
        seen = nodes[: now + 1].count(nodes[now])
        assert seen - 1 <= result.count <= seen + 1
        if result.loop_detected:
            assert seen >= 2
            assert result.lap is not None
            assert result.lap.returns(walk(game[0], node=nodes[now]))
        else:
            assert seen <= 3


def test_a_walk_without_any_repetition_is_no_loop_even_if_all_fingerprints_are_equal() -> None:
    results = run(LoopGuard(), walk([[n + 1] for n in range(50)] + [[]], hashed=constant), [0] * 50)
    assert not any(result.loop_detected or result.warning for result in results)


# --- numbers of actions are no part of a state ------------------------------------------------------------------------


@dataclass
class Doors:
    """One of two doors leads out and in again, the other home; whenever somebody comes in the doors change places.

    Nothing but their places tells the states before the doors apart, so these are no part of the key.
    """

    place: str = "hall"
    way: int = 0

    def actor(self) -> int:
        return OVER if self.place == "home" else 0

    def legal(self, x: Any) -> int:
        n = 2 if self.place == "hall" else 1
        x.actions[:n] = range(n)
        return n

    def apply(self, a: int) -> None:
        if self.place == "hall":
            self.place = "yard" if a == self.way else "home"
        else:
            self.place, self.way = "hall", 1 - self.way

    def copy(self) -> Doors:
        return replace(self)

    def key(self, view: int | str) -> str:
        return self.place


def go_round(guard: LoopGuard, position: PlainGame) -> LoopResult:
    result = guard.observe(position)
    while not result.loop_detected and result.count < 9:
        action = position.state.way if position.key() == "hall" else 0
        position.apply(action)
        result = guard.observe(position, action)
    return result


def test_a_lap_whose_actions_change_their_numbers_is_found_as_two_laps() -> None:
    guard, position = LoopGuard(MODELS["declare"]), PlainGame(Doors())
    result = go_round(guard, position)
    assert (result.count, result.words) == (5, "player 1 declares")
    assert result.lap is not None
    assert len(result.lap) == 4
    settlement = guard.settle(position, result, lambda seat, lap, smallest: 10)
    assert settlement is not None
    assert position.key() == "hall"


def test_a_ban_follows_the_action_whatever_its_number() -> None:
    guard = LoopGuard()
    guard.ban(PlainGame(Doors()), [0])
    assert guard.allowed(PlainGame(Doors())) == [1]
    assert guard.allowed(PlainGame(Doors(way=1))) == [0]


# --- windows --------------------------------------------------------------------------------------------------------


@given(walks(), st.integers(2, 12))
@fixed
def test_with_and_without_a_window_the_same_laps_are_found(game: tuple[list[list[int]], list[int]], window: int) -> None:
    nodes, results = play(LoopGuard(Config(max_repeats=2, window=window)), *game)
    _, unlimited = play(LoopGuard(Config(max_repeats=2, window=None)), *game)
    for now, (one, other) in enumerate(zip(results, unlimited, strict=True)):
        visits = [n for n in range(now + 1) if nodes[n] == nodes[now]]
        if all(later - earlier <= window for earlier, later in pairwise(visits)):
            assert one == other


def test_old_turns_expire() -> None:
    """Ten states a lap, five a turn: with an age of two turns a lap is still remembered, with one it is not."""
    ring = [[(n + 1) % 10] for n in range(10)]
    for age, found in ((2, True), (1, False)):
        position = walk(ring, turn_length=5)
        results = run(LoopGuard(Config(max_age=age)), position, [0] * 60)
        assert any(result.loop_detected for result in results) == found


# --- memory is a value ----------------------------------------------------------------------------------------------


@given(walks(), st.integers(0, 80))
@fixed
def test_saved_and_restored_in_the_middle_nothing_changes(game: tuple[list[list[int]], list[int]], at: int) -> None:
    edges, choices = game
    config = Config(max_repeats=2, window=20, suspect=True)
    _, through = play(LoopGuard(config), edges, choices)
    guard, position = LoopGuard(config), walk(edges)
    results = [guard.observe(position)]
    for number, choice in enumerate(choices):
        if number == at:
            guard = LoopGuard(config, Memory.from_json(json.loads(json.dumps(guard.memory.to_json()))))
        action = choice % len(position.actions())
        position.apply(action)
        results.append(guard.observe(position, action))
    assert [(r.loop_detected, r.count, r.lap, r.verdict) for r in results] == [
        (r.loop_detected, r.count, r.lap, r.verdict) for r in through
    ]


def test_two_futures_of_one_game_do_not_disturb_each_other() -> None:
    guard, position = LoopGuard(), walk(RING)
    run(guard, position, [0] * 11)
    other = LoopGuard(memory=guard.memory.copy())
    for one in (guard, other):
        future = position.copy()
        future.apply(0)
        assert one.observe(future, 0).loop_detected


# --- views ------------------------------------------------------------------------------------------------------------


def test_what_each_view_can_see() -> None:
    one, other = PlainGame(Cards()), PlainGame(Cards(deck=("f", "e", "g")))
    assert one.key(PUBLIC) == other.key(PUBLIC)
    assert one.key(0) == other.key(0)
    assert one.key(OMNISCIENT) != other.key(OMNISCIENT)
    swapped = PlainGame(Cards(hands=[("b", "a"), ("c", "d")]))
    assert swapped.key() == one.key()


@pytest.mark.parametrize("view", [PUBLIC, 0, 1])
def test_a_guard_that_does_not_see_everything_suspects_and_never_judges(view: int) -> None:
    results = run(LoopGuard(view=view), PlainGame(Cards()), [1] * 12)
    assert any(result.suspected for result in results)
    assert not any(result.loop_detected for result in results)


def test_public_repetition_is_suspected_and_true_repetition_judged() -> None:
    """Swapping with the deck of three: after 2 x 15 moves both hands and the deck are as before, in public after 2."""
    config = Config(suspect=True, window=None)
    results = run(LoopGuard(config), PlainGame(Cards()), [0] * 30)
    assert results[8].suspected
    assert not any(result.loop_detected for result in results)
    judged = run(LoopGuard(config), PlainGame(Cards()), [1] * 8)[-1]
    assert judged.loop_detected
    assert not judged.suspected


def test_a_seat_whose_own_cards_change_sees_no_repetition() -> None:
    """Seat 0 swaps, seat 1 does not: what seat 1 sees repeats, what seat 0 sees does not."""
    moves = [0, 1] * 4
    assert not any(result.suspected for result in run(LoopGuard(view=0), PlainGame(Cards()), moves))
    assert run(LoopGuard(view=1), PlainGame(Cards()), moves)[-1].suspected


# --- bans, limits, learning -------------------------------------------------------------------------------------------


def test_after_a_verdict_the_loop_cannot_be_started_again_from_the_same_state() -> None:
    guard, position = LoopGuard(MODELS["declare"]), walk([[1, 2], [0], [0, 3], []], [0, 1, 0, 0])
    result = run(guard, position, [0] * 8)[-1]
    assert (result.resolution, result.stopping_player) == (Consequence.DECLARES, 0)
    settlement = guard.settle(position, result, lambda seat, lap, smallest: 10**9)
    assert settlement is not None
    assert (settlement.seat, settlement.laps, settlement.banned) == (0, 10**9, (0,))
    assert position.key() == 0
    assert guard.allowed(position) == [1]
    position.apply(1)
    assert guard.allowed(position) == [0, 1]
    position.apply(0)
    assert guard.allowed(position) == [1]


def test_a_ban_yields_where_nothing_else_is_left() -> None:
    guard, position = LoopGuard(), walk([[0, 1], []])
    guard.ban(position, [1])
    assert guard.allowed(position) == [0]
    guard.ban(position, [0])
    assert guard.allowed(position) == [0, 1]


def test_whatever_leads_to_the_same_state_is_banned_too() -> None:
    guard, position = LoopGuard(), walk([[1, 1, 2], [0], []])
    guard.ban(position, [0])
    assert guard.allowed(position) == [2]
    restored = LoopGuard(memory=Memory.from_json(json.loads(json.dumps(guard.memory.to_json()))))
    assert restored.allowed(position) == [2]


def test_a_ban_holds_for_its_state_alone_even_if_fingerprints_collide() -> None:
    guard, position = LoopGuard(), walk([[0, 1], [0, 1]], hashed=constant)
    guard.ban(position, [0])
    assert guard.allowed(position) == [1]
    position.apply(1)
    assert guard.allowed(position) == [0, 1]


class Worded(PlainGame):
    def describe(self, action: int) -> str:
        return ("offer wood", "pass")[action]

    def copy(self) -> Worded:
        return Worded(self.state.copy(), self._scratch)


def test_actions_can_be_limited_to_so_many_in_a_turn() -> None:
    guard = LoopGuard(Config(action_limits={"offer": 2}))
    position = Worded(walk([[0, 0]], turn_length=4).state)
    guard.observe(position)
    taken = []
    for _ in range(8):
        action = guard.allowed(position)[0]
        position.apply(action)
        guard.observe(position, action)
        taken.append(action)
    assert taken == [0, 0, 1, 1, 0, 0, 1, 1]


def test_a_limit_can_name_one_action_of_a_kind() -> None:
    """Two offers of wood in a turn; the other offer is not counted with them."""

    class Offers(PlainGame):
        def describe(self, action: int) -> str:
            return ("offer wood", "offer ore", "offer woodwork")[action]

    guard = LoopGuard(Config(action_limits={"offer wood": 1}))
    position = Offers(walk([[0, 0, 0]], turn_length=9).state)
    run(guard, position, [1, 2])
    assert guard.allowed(position) == [0, 1, 2]
    run(guard, position, [0])
    assert guard.allowed(position) == [1, 2]


def test_once_per_loop_nobody_may_do_again_what_made_the_loop() -> None:
    """Two nodes, each with a way out: by the seed's rules the game goes on, and with the switch not along the same lap."""
    edges, owners = [[1, 2], [0, 2], []], [0, 1, 0]
    for switch, left in ((False, [0, 1]), (True, [1])):
        guard, position = LoopGuard(Config(once_per_loop=switch)), walk(edges, owners)
        results = run(guard, position, [0] * 8)
        assert results[-1].loop_detected
        assert results[-1].resolution == Consequence.CONTINUES
        assert guard.allowed(position) == left
        position.apply(0)
        assert guard.allowed(position) == left


def test_once_per_loop_does_not_forbid_the_only_move() -> None:
    rules = Config(once_per_loop=True, resolution=Resolution(neither_can_stop=Consequence.CONTINUES))
    guard, position = LoopGuard(rules), walk([[1], [0]])
    assert run(guard, position, [0] * 8)[-1].loop_detected
    assert guard.allowed(position) == [0]


def test_a_warning_says_how_the_lap_can_be_left_to_who_listens() -> None:
    heard: list[LoopResult] = []
    edges, owners = [[1], [0, 2], []], [0, 1, 0]
    run(LoopGuard(listener=lambda kind, result, position: heard.append(result)), walk(edges, owners), [0] * 6)
    (warning,) = heard
    assert warning.warning
    assert not warning.loop_detected
    assert warning.stopping is not None
    assert [(way.seat, way.action) for way in warning.stopping.breaks] == [(1, 1)]


def test_a_limit_holds_in_its_own_turn_only() -> None:
    """Also when the guard looks ahead to see who can stop a loop."""
    guard = LoopGuard(Config(action_limits={"offer": 1}))
    position = Worded(walk([[0, 0]], turn_length=4).state)
    run(guard, position, [0])
    assert guard.allowed(position) == [1]
    ahead = position.copy()
    for _ in range(4):
        ahead.apply(1)
    assert guard.allowed(ahead) == [0, 1]


def test_a_limit_yields_to_a_ban() -> None:
    """Passing is banned, and no offer is left: so one offer more, rather than to go round."""
    guard = LoopGuard(Config(action_limits={"offer": 1}))
    position = Worded(walk([[1, 0], [0, 0]], turn_length=4).state)
    run(guard, position, [0])
    position.apply(0)
    guard.ban(position, [1])
    assert guard.allowed(position) == [0]


def test_the_guard_learns_which_actions_break_laps() -> None:
    """At node 0, action 0 goes round, action 1 comes straight back, action 2 leaves."""
    guard, position = LoopGuard(), walk([[1, 0, 2], [0], [3], [3]])
    run(guard, position, [0, 0, 0, 0, 1, 2])
    assert guard.statistics.tried == {"action": 2}
    assert guard.statistics.broke == {"action": 1}


# --- progress -----------------------------------------------------------------------------------------------------------


class Paying(Walk):
    """A walk that pays a coin for every step."""

    def resources(self) -> dict[str, int]:
        return {"coins": 100 - self.clock}

    def core(self) -> int:
        return self.node

    def key(self, view: int | str) -> tuple[int, int]:
        return (self.node, self.clock)

    def fingerprint(self) -> int:
        return good(self.clock)


def said(game: Walk, actions: list[int], **more: Any) -> list[tuple[int, LoopResult]]:
    results = run(LoopGuard(**more), PlainGame(game), actions)
    return [(n, result) for n, result in enumerate(results) if result.progress or result.loop_detected or result.warning]


def test_a_lap_that_drains_something_is_noticed_after_four_laps_and_reported_once() -> None:
    ((n, result),) = said(Paying(((1,), (2,), (0,)), turn_length=1000), [0] * 60)
    assert n == 12
    assert result.progress is not None
    assert (result.progress.changes, result.progress.done) == ({"coins": -3}, 4)
    assert (result.words, result.resolution, result.verdict) == ("progress", Consequence.CONTINUES, None)


def test_the_same_action_of_two_players_is_not_the_same_move() -> None:
    ((_, result),) = said(Paying(((1,), (0,)), (0, 1), turn_length=1000), [0] * 40)
    assert result.lap is not None
    assert result.lap.steps == (LapStep(0, 0), LapStep(1, 0))


def test_a_lap_that_ends_turns_is_how_a_game_goes_on() -> None:
    assert said(Paying(((1,), (2,), (0,)), turn_length=3), [0] * 60) == []


def test_more_repetitions_can_be_asked_for() -> None:
    ((n, _),) = said(Paying(((1,), (2,), (0,)), turn_length=1000), [0] * 60, config=Config(max_repeats=6))
    assert n == 18


def test_who_does_not_see_everything_is_told_of_no_progress() -> None:
    assert said(Paying(((1,), (2,), (0,)), turn_length=1000), [0] * 60, view=PUBLIC) == []


class Countless(Walk):
    """The same without saying what is left when the coins are taken out."""

    def resources(self) -> dict[str, int]:
        return {"coins": 100 - self.clock}

    def key(self, view: int | str) -> tuple[int, int]:
        return (self.node, self.clock)

    def fingerprint(self) -> int:
        return good(self.clock)


def test_without_a_core_nobody_can_tell_progress() -> None:
    assert said(Countless(((1,), (2,), (0,)), turn_length=1000), [0] * 60) == []


def test_a_loop_that_is_let_go_on_is_searched_once_wherever_in_the_lap_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.loops import guard as module

    searches = []

    def counted(*args: Any) -> Any:
        searches.append(1)
        return who_can_stop(*args)

    monkeypatch.setattr(module, "who_can_stop", counted)
    results = run(LoopGuard(), walk([[1, 3], [2], [0, 3], []], [0, 1, 1, 0]), [0] * 30)
    judged = [result for result in results if result.loop_detected]
    assert len(judged) == 19
    assert len(searches) == 1
    for result in judged:
        assert result.stopping is not None
        assert result.lap is not None
        assert all(result.lap.steps[one.step].seat == one.seat for one in result.stopping.breaks)


def test_two_loops_that_take_turns_are_searched_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """From node 0 by node 1 or by node 2 and back; the guard knows both laps from then on, and a lap of both."""
    from kibitz.loops import guard as module

    laps = []

    def counted(start: Any, lap: Any, *args: Any) -> Any:
        laps.append(len(lap))
        return who_can_stop(start, lap, *args)

    monkeypatch.setattr(module, "who_can_stop", counted)
    results = run(LoopGuard(), walk([[1, 2, 3], [0, 3], [0, 3], []], [0, 1, 1, 0]), [0, 0, 1, 0] * 12)
    assert sum(result.loop_detected for result in results) > 30
    assert sorted(laps) == [2, 2, 4]


def test_a_long_lap_costs_little_memory() -> None:
    """One warning and one verdict, however many states the lap has."""
    ring = [[(n + 1) % 900] for n in range(900)]
    results = run(LoopGuard(), walk(ring), [0] * 3600)
    assert sum(result.lap is not None for result in results) == 2
    assert results[-1].resolution == Consequence.DRAW


# --- what is not judged -----------------------------------------------------------------------------------------------


def test_where_chance_can_end_it_the_game_goes_on() -> None:
    result = run(LoopGuard(MODELS["draw"]), walk([[1, 2], [0], []], [CHANCE, 0, 0]), [0] * 8)[-1]
    assert result.loop_detected
    assert (result.resolution, result.verdict and result.verdict.case) == (Consequence.CONTINUES, Case.CHANCE)


def test_a_cap_ends_what_the_rules_let_continue() -> None:
    config = replace(MODELS["cap"], cap=7)
    results = run(LoopGuard(config), walk([[1, 2], [0, 2], []], [0, 1, 0]), [0] * 14)
    assert [result.resolution for result in results if result.loop_detected] == [Consequence.CONTINUES] * 6 + [Consequence.DRAW]
    assert results[-1].count == 8


@pytest.mark.untraced
def test_random_walks_on_a_large_graph_are_no_loops() -> None:
    stream = Stream(7)
    edges = [[stream.below(100_000) for _ in range(3)] for _ in range(100_000)]
    _, results = play(LoopGuard(), edges, [stream.below(3) for _ in range(3_000)], hashed=good)
    assert not any(result.loop_detected or result.progress for result in results)
