"""Sessions of the API that follow a game: how many there may be, and what they may take."""

import json

import pytest

from kibitz.belief.hands import HandTracker
from kibitz.catan import Board
from kibitz.catan.record import simulate
from kibitz.formats import write
from kibitz.web import tracking
from kibitz.web.tracking import EventSession, FrameSession, Tracks

ROLL = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 2, "sheep": 2}}}
STEAL = {"event": "steal", "player": 1, "victim": 0}


def session():
    return EventSession(HandTracker(["Ann", "Bob", "Cem"]))


def test_the_session_that_was_not_used_for_longest_makes_room():
    tracks = Tracks(most=2)
    first, second = tracks.open(session()), tracks.open(session())
    assert tracks.get(first.id) is first
    third = tracks.open(session())
    assert [tracks.get(one.id) is one for one in (first, second, third)] == [True, False, True]


def test_sessions_make_room_in_memory_too_but_never_the_one_in_use():
    tracks = Tracks(memory=1)
    first, second = tracks.open(session()), tracks.open(session())
    for one in (first, second):
        one.append([ROLL, STEAL])
        one.summary()
    assert tracks.get(second.id) is second
    assert tracks.get(first.id) is None
    assert tracks.get(second.id) is second


def test_what_cannot_be_leaves_the_session_as_it_was():
    one = session()
    one.append([ROLL])
    with pytest.raises(ValueError, match="city"):
        one.append([STEAL, {"event": "build", "player": 2, "piece": "city"}])
    assert one.summary()["events"] == 1
    one.undo(5)
    assert one.summary()["events"] == 0


def test_a_session_takes_so_many_messages_and_no_more(monkeypatch):
    game = simulate(Board.beginner(), ["builder"] * 3, seed=1)
    frames = json.loads(write(game, "colonist-frames", 0))
    one = FrameSession(frames[:20])
    before = one.summary()
    assert one.nbytes > tracking.CHARACTER * len(json.dumps(frames[:20]))
    monkeypatch.setattr(tracking, "MOST_CAPTURED", len(json.dumps(frames)))
    noise = {"id": "130", "data": {"type": 44, "payload": {"note": "x" * len(json.dumps(frames))}}}
    with pytest.raises(ValueError, match="at most 0 MB of messages"):
        one.append_frames([noise])
    assert one.summary() == before
    one.append_frames(frames[20:40])
    assert one.summary()["events"] > before["events"]


def test_of_messages_that_cannot_be_all_leave_the_session_as_it_was():
    game = simulate(Board.beginner(), ["builder"] * 3, seed=1)
    frames = json.loads(write(game, "colonist-frames", 0))
    one, other = FrameSession(frames[:20]), FrameSession(frames[:20])
    before = one.summary()
    another_game = json.loads(json.dumps(frames[0]))
    another_game["data"]["payload"]["playOrder"].reverse()
    knights = {"id": "130", "data": {"type": 91, "payload": {"diff": {"gameLogState": {"9999": {"text": {"type": 62}}}}}}}
    for bad, reason in ((another_game, "another game begins"), (knights, "Cities & Knights")):
        with pytest.raises(ValueError, match=reason):
            one.append_frames([*frames[20:60], bad, *frames[60:80]])
        assert one.summary() == before
    for session in (one, other):
        session.append_frames(frames[20:60])
    assert one.summary() == other.summary() != before


def test_a_session_that_grows_too_long_stays_as_it_was(monkeypatch):
    frames = json.loads(write(simulate(Board.beginner(), ["builder"] * 3, seed=1), "colonist-frames", 0))
    one = FrameSession(frames[:20])
    before = one.summary()
    monkeypatch.setattr(tracking, "MOST_EVENTS", before["events"] + 3)
    with pytest.raises(ValueError, match="at most"):
        one.append_frames(frames[20:80])
    assert one.summary() == before
