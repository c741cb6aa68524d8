"""Sessions of the API that follow a game: how many there may be, and what they may take."""

import pytest

from kibitz.belief.hands import HandTracker
from kibitz.web.tracking import EventSession, Tracks

pytestmark = pytest.mark.plain

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
