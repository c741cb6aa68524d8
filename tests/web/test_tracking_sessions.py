"""The sessions of the API together: they outlive the server, and share its memory and its disk."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from kibitz.catan import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.tracking import sessions
from kibitz.catan.tracking.sessions import Journal, NoSession, TrackingSessions
from kibitz.web.services import Room
from kibitz.web.store import NotSaved, Store
from tests.catan.logs.writers import write

TABLE = {"players": ["Ann", "Bob", "Cem"]}
ROLL = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 2, "sheep": 2}}}
STEAL = {"event": "steal", "player": 1, "victim": 0}
END = {"event": "end_turn", "player": 0}


@pytest.fixture
def store():
    made = Store(Path(":memory:"))
    yield made
    made.close()


@pytest.fixture
def tracks(store):
    return TrackingSessions(store, Room(1 << 30))


@pytest.fixture(scope="module")
def game():
    return simulate(Board.beginner(), ["builder"] * 3, seed=1)


def restarted(store):
    """The sessions of a server that was started anew."""
    return TrackingSessions(store, Room(1 << 30))


def test_a_session_outlives_the_server(store, tracks):
    id = tracks.open(TABLE)["id"]
    steal = tracks.tell(id, {"events": [ROLL, STEAL]})["steals"][0]["id"]
    for step in ({"steal": steal, "resource": "ore"}, {"events": [END]}, {"events": [ROLL, STEAL]}):
        told = tracks.tell(id, step)
        assert restarted(store).ask(id) == told
    back = restarted(store).tell(id, {"undo": 4})
    assert (back["events"], back["steals"]) == (1, [])
    assert restarted(store).ask(id) == back


def test_worlds_and_settings_outlive_the_server(store, tracks):
    id = tracks.open({**TABLE, "max_worlds": 2})["id"]
    tracks.tell(id, {"events": [ROLL, STEAL]})
    found = tracks.worlds(id, 5)
    assert (found["id"], found["worlds"], len(found["likeliest"])) == (id, 2, 2)
    assert restarted(store).worlds(id, 5) == found
    tracks.tell(id, {"undo": 1})
    assert restarted(store).tell(id, {"events": [STEAL]})["worlds"] == 2


def test_what_was_taken_back_stays_so_after_a_restart(store, tracks):
    id = tracks.open(TABLE)["id"]
    steal = tracks.tell(id, {"events": [ROLL, STEAL]})["steals"][0]["id"]
    tracks.tell(id, {"steal": steal, "resource": "ore"})
    tracks.tell(id, {"events": [END]})
    tracks.tell(id, {"steal": steal, "resource": None})
    told = tracks.tell(id, {"undo": 1})
    assert told["steals"][0]["resolved"] is None
    assert restarted(store).ask(id) == told


def test_captured_messages_outlive_the_server(store, tracks, game):
    frames = json.loads(write(game, "colonist-frames", 0))[:120]
    id = tracks.open({"frames": frames[:5], "me": None})["id"]
    for frame in frames[5:]:
        told = tracks.tell(id, {"frames": [frame]})
    assert told["events"] > 20
    assert restarted(store).ask(id) == told


def test_messages_that_are_refused_leave_the_session_as_it_was(tracks, game):
    frames = json.loads(write(game, "colonist-frames", 0))[:60]
    told = tracks.open({"frames": frames[:40], "me": None})
    other = json.loads(json.dumps(frames[0]))
    other["data"]["payload"]["playOrder"].reverse()
    with pytest.raises(ValueError, match="another game"):
        tracks.tell(told["id"], {"frames": [*frames[40:], other]})
    assert tracks.ask(told["id"]) == told


def test_what_the_disk_does_not_take_is_not_done(store, tracks, monkeypatch):
    told = tracks.open(TABLE)

    def full(*_):
        raise NotSaved("it could not be saved: the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "_write", full)
        with pytest.raises(NotSaved):
            tracks.tell(told["id"], {"events": [ROLL]})
    assert tracks.ask(told["id"]) == told


def test_a_session_that_rests_tells_the_same_again(store, game):
    tracks = TrackingSessions(store, Room(1))
    events = [event.to_json() for event in events_of(game, None).events[:100]]
    first, second = tracks.open(TABLE)["id"], tracks.open(TABLE)["id"]
    for event in events:
        told = [tracks.tell(id, {"events": [event]}) for id in (first, second)]
    assert [tracks.ask(id) for id in (first, second)] == told


def test_the_session_that_was_not_changed_for_longest_makes_room_on_the_disk(store):
    kept = Journal(store, most=2)
    first, second = kept.open(TABLE), kept.open(TABLE)
    kept.add(first, {"events": [ROLL]})
    third = kept.open(TABLE)
    assert [kept.knows(id) for id in (first, second, third)] == [True, False, True]
    small = Journal(store, most_in_all=100)
    small.add(first, {"events": [ROLL]})
    assert [small.knows(id) for id in (first, third)] == [True, False]


def test_a_session_that_made_room_is_gone(store, tracks):
    id = tracks.open(TABLE)["id"]
    Journal(store, most=1).open(TABLE)
    for ask in (lambda: tracks.ask(id), lambda: tracks.tell(id, {"events": []})):
        with pytest.raises(NoSession):
            ask()
    assert not tracks.close(id)


def test_a_session_that_makes_room_while_a_step_is_written_leaves_nothing_behind(store, monkeypatch):
    kept = Journal(store)
    id = kept.open(TABLE)
    looked = store.reading

    @contextmanager
    def then_gone():
        with looked() as connection:
            yield connection
        monkeypatch.undo()
        Journal(store, most=1).open(TABLE)

    monkeypatch.setattr(store, "reading", then_gone)
    with pytest.raises(NoSession):
        kept.add(id, {"events": [ROLL]})
    assert kept.steps(id) == []


def test_a_session_takes_so_many_steps_and_no_more(tracks, monkeypatch):
    monkeypatch.setattr(sessions, "MOST_STEPS", 3)
    id = tracks.open(TABLE)["id"]
    tracks.tell(id, {"events": [ROLL]})
    told = tracks.tell(id, {"events": [END]})
    with pytest.raises(ValueError, match="at most 3 requests"):
        tracks.tell(id, {"events": [ROLL]})
    assert tracks.ask(id) == told
    assert tracks.tell(id, {"undo": 1})["events"] == 1
    assert tracks.tell(id, {"events": [END]}) == told
