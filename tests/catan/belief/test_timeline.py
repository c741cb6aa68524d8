"""Every moment of a log is what a tracker knows that followed it until there."""

import pytest

from kibitz.catan.belief.hands import Contradiction, HandTracker
from kibitz.catan.belief.summary import summary
from kibitz.catan.belief.timeline import EVERY, Timeline
from kibitz.catan.core.events import Build, Discard, EndTurn, EventLog, Roll, Steal

pytestmark = pytest.mark.plain

PLAYERS = ("Ann", "Bob", "Cem")
ROUND = (
    Roll(0, 8, {0: {"wood": 1, "ore": 1}, 1: {"sheep": 2}, 2: {"brick": 1}}),
    Steal(1, 0),
    EndTurn(0),
    Roll(1, 7),
    Discard(1, count=1),
    Steal(1, 2, "brick"),
    EndTurn(1),
)
LOG = EventLog(PLAYERS, ROUND * 5)


def followed(kept=1 << 28):
    timeline = Timeline(HandTracker(PLAYERS), kept=kept)
    for event in LOG.events:
        timeline.add(event)
    return timeline


def known(events):
    return summary(HandTracker.of(EventLog(PLAYERS, tuple(events))))


@pytest.mark.parametrize("kept", [1 << 28, 1])
def test_every_moment_is_that_of_a_tracker_which_went_there(kept):
    timeline = followed(kept)
    assert len(timeline) == len(LOG.events) > 2 * EVERY
    for number in [0, 1, 2, 5, EVERY, EVERY + 3, len(timeline) - 1, len(timeline)]:
        assert summary(timeline.at(number)) == known(LOG.events[:number])


def test_what_is_done_with_a_moment_changes_no_other():
    timeline = followed()
    moment = timeline.at(3)
    moment.resolve(moment.steals[0].id, "ore")
    moment.process(Roll(2, 5, {2: {"wheat": 3}}))
    assert summary(timeline.at(3)) == known(LOG.events[:3])
    timeline.at(len(timeline)).process(EndTurn(0))
    assert len(timeline) == len(LOG.events)


def test_the_end_can_be_another():
    timeline = followed()
    timeline.cut(4)
    timeline.add(Roll(2, 9, {2: {"wheat": 1}}))
    assert timeline.events == (*LOG.events[:4], Roll(2, 9, {2: {"wheat": 1}}))
    assert summary(timeline.end) == known(timeline.events)
    assert summary(timeline.at(2)) == known(LOG.events[:2])


def test_an_impossible_event_changes_nothing():
    timeline = followed()
    with pytest.raises(Contradiction):
        timeline.add(Build(0, "city"))
    assert timeline.events == LOG.events
