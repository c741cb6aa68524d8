"""One session of the API that follows a game: what it takes in, and what it refuses."""

import json

import pytest

from kibitz.catan import Board
from kibitz.catan.record import simulate
from kibitz.formats import write
from kibitz.web import tracking
from kibitz.web.tracking import FrameSession, begun

ROLL = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 2, "sheep": 2}}}
STEAL = {"event": "steal", "player": 1, "victim": 0}


def test_what_cannot_be_leaves_the_session_as_it_was():
    one = begun({"players": ["Ann", "Bob", "Cem"]})
    one.append([ROLL])
    with pytest.raises(ValueError, match="city"):
        one.append([STEAL, {"event": "build", "player": 2, "piece": "city"}])
    assert one.summary()["events"] == 1
    one.undo(5)
    assert one.summary()["events"] == 0


def test_a_step_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no step of a session: dance"):
        begun({"players": ["Ann", "Bob"]}).take({"dance": 1})


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
