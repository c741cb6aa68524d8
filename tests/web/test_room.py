"""Memory that followed games share: who gives it up, and who does not."""

import threading

import pytest

from kibitz.catan.core.events import EndTurn, EventLog, Roll, Steal
from kibitz.catan.tracking.followed import Followed, Source
from kibitz.web.services import Room

pytestmark = pytest.mark.plain


class Holder:
    """Something that takes memory, and can be busy."""

    def __init__(self, room, busy=False):
        self._room, self.busy, self.rests = room, busy, True

    def look(self, nbytes=40):
        self.rests = False
        self._room.take(self, nbytes, self._rest)

    def _rest(self):
        self.rests = not self.busy
        return self.rests


def test_those_that_were_not_looked_at_for_longest_rest():
    room = Room(100)
    first, second, third = (Holder(room) for _ in range(3))
    for holder in (first, second, first, third):
        holder.look()
    assert [holder.rests for holder in (first, second, third)] == [False, True, False]
    assert room.taken == 80
    second.look(100)
    assert [holder.rests for holder in (first, second, third)] == [True, False, True]


def test_one_that_is_busy_or_looked_at_never_rests():
    room = Room(100)
    busy, idle, large = Holder(room, busy=True), Holder(room), Holder(room)
    busy.look()
    idle.look()
    large.look(500)
    assert [holder.rests for holder in (busy, idle, large)] == [False, True, False]
    room.leave(large)
    assert room.taken == 40


def test_a_game_that_has_rested_tells_the_same():
    events = [Roll(0, 8, {0: {"wood": 1, "ore": 1}, 1: {"sheep": 1}}), Steal(1, 0), EndTurn(0), Steal(0, 1)] * 8
    game = Followed.read(Source("\n".join(EventLog(("Ann", "Bob"), tuple(events)).lines())))
    told, marks, taken = [game.moment(n).told for n in range(len(game) + 1)], game.marks, game.nbytes
    assert game.rest()
    assert game.rests
    assert game.nbytes < taken
    assert (len(game), game.marks) == (32, marks)
    assert [game.moment(n).told for n in range(len(game) + 1)] == told
    assert not game.rests
    game.rest()
    game.insert(32, [EndTurn(1)])
    assert len(game) == 33


def test_a_game_that_is_being_asked_does_not_rest():
    game = Followed.read(Source("\n".join(EventLog(("Ann", "Bob"), (EndTurn(0),)).lines())))
    refused = []
    with game._lock:
        other = threading.Thread(target=lambda: refused.append(not game.rest()))
        other.start()
        other.join()
    assert refused == [True]
