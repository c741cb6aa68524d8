"""One session of the API that follows a game: what it takes in, and what it refuses."""

import json

import pytest

from kibitz.catan import Board
from kibitz.catan.core.events import EndTurn, Steal
from kibitz.catan.core.record import simulate
from kibitz.catan.logs.colonist.frames import Capture
from kibitz.catan.tracking import reading
from kibitz.catan.tracking import session as tracking
from kibitz.catan.tracking.reading import CapturedSession, begun
from tests.catan.logs.writers import write

ROLL = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 2, "sheep": 2}}}
STEAL = {"event": "steal", "player": 1, "victim": 0}


def test_what_cannot_be_leaves_the_session_as_it_was():
    one = begun({"players": ["Ann", "Bob", "Cem"]})
    one.take({"events": [ROLL]})
    with pytest.raises(ValueError, match="city"):
        one.take({"events": [STEAL, {"event": "build", "player": 2, "piece": "city"}]})
    assert one.summary()["events"] == 1
    one.take({"undo": 5})
    assert one.summary()["events"] == 0


def test_what_was_said_about_a_steal_outlives_that_later_events_are_taken_back():
    one = begun({"players": ["Ann", "Bob", "Cem"]})
    one.take({"events": [ROLL, STEAL, {"event": "end_turn", "player": 1}]})
    steal = one.summary()["steals"][0]["id"]
    one.resolve(steal, "ore")
    one.take({"undo": 1})
    assert one.summary()["steals"][0]["resolved"] == "ore"
    one.take({"undo": 1})
    assert one.summary()["steals"] == []


def log_first(frame):
    """A message as two: what the log says, and then what has changed on the board."""
    payload = frame["data"]["payload"]
    if "gameLogState" not in payload.get("diff", {}):
        return [frame]
    said = {"gameLogState": payload["diff"]["gameLogState"]}
    shown = {name: value for name, value in payload["diff"].items() if name not in said}
    return [{**frame, "data": {**frame["data"], "payload": {**payload, "diff": diff}}} for diff in (said, shown)]


def first_that_completes_an_event_after_a_steal(frames):
    """The number of a message that changes what was heard before, in a turn in which a card was stolen unseen."""
    capture, before = Capture(), ()
    for number, frame in enumerate(frames):
        capture.add(frame)
        events = capture.log.events
        turn = events[max((at for at, event in enumerate(events) if isinstance(event, EndTurn)), default=0) :]
        unseen = any(isinstance(event, Steal) and event.resource is None for event in turn)
        if unseen and events[: len(before)] != before:
            return number
        before = events
    raise AssertionError("there is none")


def test_what_was_said_about_a_steal_outlives_a_message_that_completes_an_event():
    written = json.loads(write(simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1), "colonist-frames", 0))
    frames = [part for frame in written for part in log_first(frame)]
    at = first_that_completes_an_event_after_a_steal(frames)
    one, other = CapturedSession(frames[:at]), CapturedSession(frames[:at])
    steal = one.summary()["steals"][-1]
    assert len(steal["odds"]) > 1
    card = next(iter(steal["odds"]))
    for session in (one, other):
        session.resolve(steal["id"], card)
    other.resolve(steal["id"], None)
    for session, resolved in ((one, card), (other, None)):
        session.take({"frames": frames[at : at + 1]})
        assert session.summary()["steals"][-1]["resolved"] == resolved


def test_a_step_that_is_none_is_refused():
    with pytest.raises(ValueError, match="not a step of a session: dance"):
        begun({"players": ["Ann", "Bob"]}).take({"dance": 1})


def test_a_session_takes_so_many_messages_and_no_more(monkeypatch):
    game = simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1)
    frames = json.loads(write(game, "colonist-frames", 0))
    one = CapturedSession(frames[:20])
    before = one.summary()
    assert one.nbytes > tracking.CHARACTER * len(json.dumps(frames[:20]))
    monkeypatch.setattr(reading, "MOST_CAPTURED", len(json.dumps(frames)))
    noise = {"id": "130", "data": {"type": 44, "payload": {"note": "x" * len(json.dumps(frames))}}}
    with pytest.raises(ValueError, match="at most 0 MB of messages"):
        one.take({"frames": [noise]})
    assert one.summary() == before
    one.take({"frames": frames[20:40]})
    assert one.summary()["events"] > before["events"]


def settings(**named):
    """A message about how the game is played."""
    return {"id": "130", "data": {"type": 44, "payload": named}}


def test_of_messages_that_cannot_be_all_leave_the_session_as_it_was():
    game = simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1)
    frames = json.loads(write(game, "colonist-frames", 0))
    one, other = CapturedSession(frames[:20]), CapturedSession(frames[:20])
    before = one.summary()
    another_game = json.loads(json.dumps(frames[0]))
    another_game["data"]["payload"]["playOrder"].reverse()
    first, second = ({"id": "130", "data": {"type": 1, "payload": {"databaseGameId": number}}} for number in "12")
    knights = {"id": "130", "data": {"type": 91, "payload": {"diff": {"gameLogState": {"9999": {"text": {"type": 62}}}}}}}
    for bad, reason in (
        ([another_game], "another game begins"),
        ([first, second], "another game begins"),
        ([knights], "Cities & Knights"),
        ([settings(modeSetting=4)], "Seafarers"),
    ):
        with pytest.raises(ValueError, match=reason):
            one.take({"frames": [*frames[20:60], *bad, *frames[60:80]]})
        assert one.summary() == before
    for session in (one, other):
        session.take({"frames": frames[20:60]})
    assert one.summary() == other.summary() != before


def test_settings_that_come_late_count_from_the_beginning():
    frames = json.loads(write(simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1), "colonist-frames", 0))[:250]
    frames[0]["data"]["payload"].pop("gameSettings", None)
    early, late = CapturedSession([settings(victoryPointsToWin=7), *frames]), CapturedSession(frames)
    assert late.summary() != early.summary()
    late.take({"frames": [settings(victoryPointsToWin=7)]})
    assert late.summary() == early.summary()


def test_a_session_that_grows_too_long_stays_as_it_was(monkeypatch):
    frames = json.loads(write(simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1), "colonist-frames", 0))
    one = CapturedSession(frames[:20])
    before = one.summary()
    monkeypatch.setattr(tracking, "MOST_EVENTS", before["events"] + 3)
    with pytest.raises(ValueError, match="at most"):
        one.take({"frames": frames[20:80]})
    assert one.summary() == before


def test_an_answer_by_hand_that_later_messages_contradict_does_not_stop_the_game():
    frames = json.loads(write(simulate(Board.beginner(), ["builder-0.1"] * 3, seed=1), "colonist-frames", 0))
    end, misfits = len(CapturedSession(frames)), 0
    at = next(
        n
        for n in range(40, len(frames), 7)
        if any(s["resolved"] is None for s in CapturedSession(frames[:n]).summary()["steals"])
    )
    (steal,) = (s for s in CapturedSession(frames[:at]).summary()["steals"] if s["resolved"] is None)
    for card in steal["odds"]:
        session = CapturedSession(frames[:at])
        session.resolve(steal["id"], card)
        session.take({"frames": frames[at:]})
        assert len(session) == end
        misfits += len(session.moment(end).misfits)
    assert misfits
