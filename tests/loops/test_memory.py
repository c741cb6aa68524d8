"""What a guard remembers, against a reference that keeps everything in plain lists."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.loops.memory import NO_ACTION, History, Memory, Visit, key_from_json, key_to_json
from tests.loops.games import array_bytes

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None)

SEQUENCES = st.lists(st.integers(0, 9), max_size=120)
WINDOWS = st.none() | st.integers(1, 40)


def expected_counts(states: list[int], window: int | None) -> list[int]:
    """A state that was not seen for a whole window starts at 1 again."""
    counts: list[int] = []
    for now, state in enumerate(states):
        before = [i for i in range(now) if states[i] == state]
        near = before and (window is None or now - before[-1] <= window)
        counts.append(counts[before[-1]] + 1 if near else 1)
    return counts


def spread(state: int) -> int:
    return (state + 1) * 0x9E3779B97F4A7C15 & (1 << 64) - 1


def fill(history: History, states: list[int], hashed=spread) -> list[Visit]:
    return [history.record(hashed(s), s, 0, n, lambda s=s: ("key", s)) for n, s in enumerate(states)]


@given(SEQUENCES, WINDOWS)
@fixed
def test_a_state_is_counted_until_it_has_not_been_seen_for_a_window(states: list[int], window: int | None) -> None:
    visits = fill(History(window), states)
    assert [visit.times for visit in visits] == expected_counts(states, window)


@given(SEQUENCES, WINDOWS)
@fixed
def test_the_previous_visit_is_the_latest_one_before(states: list[int], window: int | None) -> None:
    for now, visit in enumerate(fill(History(window), states)):
        if visit.previous:
            assert states[visit.previous - 1] == states[now]
            assert states[now] not in states[visit.previous : now]


@given(SEQUENCES, WINDOWS, st.sampled_from([lambda s: 5, lambda s: s % 2, lambda s: s << 40]))
@fixed
def test_with_bad_fingerprints_equal_states_are_never_overcounted(states: list[int], window: int | None, hashed) -> None:
    truth = expected_counts(states, window)
    for visit, true in zip(fill(History(window), states, hashed), truth, strict=True):
        assert visit.equal <= true
        assert visit.times <= visit.equal + 1


@given(st.lists(st.integers(0, 4), max_size=60), st.integers(1, 9))
@fixed
def test_states_of_old_turns_are_forgotten(states: list[int], age: int) -> None:
    """One observation a turn: an age in turns is then a window."""
    visits = fill(History(max_age=age), states)
    assert [visit.times for visit in visits] == expected_counts(states, age)


@given(SEQUENCES, SEQUENCES, WINDOWS)
@fixed
def test_saved_and_restored_it_goes_on_as_before(first: list[int], then: list[int], window: int | None) -> None:
    history = History(window)
    fill(history, first)
    restored = History.from_json(json.loads(json.dumps(history.to_json())))
    copied = deepcopy(history)
    assert restored.to_json() == copied.to_json() == history.to_json()
    assert fill(restored, then) == fill(copied, then) == fill(history, then)
    assert restored.to_json() == copied.to_json() == history.to_json()


def test_a_copy_is_independent() -> None:
    history = History(10)
    fill(history, [1, 2])
    copied = deepcopy(history)
    fill(copied, [1, 1, 1])
    assert history.now == 2
    assert fill(history, [1])[0].times == 2


@pytest.mark.parametrize("states", [50, 65, 1_000, 4_096, 4_097, 20_000])
@pytest.mark.parametrize("window", [4_096, 5_000, None])
def test_a_remembered_state_takes_less_than_100_bytes(states: int, window: int | None) -> None:
    memory = Memory(History(window))
    fill(memory.states, list(range(states)))
    for state in range(states):
        memory.streak.add(state)
    assert memory.states.now - memory.states.oldest() + 1 == min(states, window or states)
    assert array_bytes(memory.states, memory.streak) / max(128, min(states, window or states)) < 100


def test_full_keys_are_asked_for_only_when_a_fingerprint_comes_again_and_are_forgotten_too() -> None:
    asked: list[int] = []
    history = History(window=4)
    for state in (1, 2, 3, 1, 4, 5, 6, 7, 8, 8):
        history.record(spread(state), 0, 0, 0, lambda state=state: asked.append(state) or state)
    assert asked == [1, 8]
    assert list(history.kept) == [8]


@given(SEQUENCES, WINDOWS, st.sampled_from([spread, lambda s: s % 2]))
@fixed
def test_the_observations_before_one_that_had_the_same_fingerprint(states: list[int], window: int | None, hashed) -> None:
    history = History(window)
    fill(history, states, hashed)
    for number in range(history.oldest(), history.now + 1):
        same = [n for n in range(history.oldest(), number) if hashed(states[n - 1]) == hashed(states[number - 1])]
        assert history.earlier(number) == (same[-1] if same else 0)


def test_the_steps_across_the_end_of_the_ring() -> None:
    history = History(window=64)
    fill(history, list(range(100)))
    assert history.lap(98).steps == ((0, 98), (0, 99))
    assert history.lap(62).steps == tuple((0, state) for state in range(62, 100))


def test_a_whole_memory_as_json() -> None:
    memory = Memory(History(8), History(8), actor=1, visit=Visit(2, 1, 1), expected=3, warned=4)
    memory.states.record(5, NO_ACTION, 0, 1, lambda: 0)
    memory.ban(5, ("main", b"x"), [("end", 4), ("end", 2)])
    memory.ban(5, ("main", b"x"), [("end", 4)])
    memory.taken["offer"] = 2
    memory.streak.add(7)
    again = Memory.from_json(json.loads(json.dumps(memory.to_json())))
    assert again.to_json() == memory.to_json()
    assert again.bans == {("main", b"x"): {("end", 2), ("end", 4)}}
    copied = memory.copy()
    copied.ban(6, "other", ["end"])
    copied.streak.add(8)
    assert memory.banned == {5}
    assert memory.streak.now == 1


@pytest.mark.parametrize("key", [0, "text", None, b"\x00\xff", (1, ("a", None), b""), (), 1.5])
def test_keys_as_json(key: object) -> None:
    assert key_from_json(json.loads(json.dumps(key_to_json(key)))) == key


def test_a_key_of_anything_else_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="frozenset"):
        key_to_json((1, frozenset()))
