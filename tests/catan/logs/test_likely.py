"""A whole game from what one player saw of it: everything that was seen stays, and our engine plays what is filled in."""

import json

import pytest

from kibitz.catan import Board
from kibitz.catan.core.events import Monopoly, PlayDevCard, Roll, Win
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import LogError, read
from kibitz.catan.logs.likely import likely_game
from tests.catan.logs.writers import write


@pytest.mark.parametrize(("seats", "seed"), [(2, 0), (3, 1), (4, 2), (4, 3)])
def test_every_player_can_review_the_game_that_they_saw(seats, seed):
    rules = Rules.preset("colonist-1v1") if seats == 2 else Rules()
    played = simulate(Board.random(seed), ["builder"] * seats, seed, rules)
    for observer in range(seats):
        found = likely_game(read(write(played, "colonist-frames", observer)))
        before, after = (events_of(record, observer) for record in (played, found.record))
        for kind in (Roll, PlayDevCard, Monopoly, Win):
            assert [e for e in after.events if isinstance(e, kind)] == [e for e in before.events if isinstance(e, kind)]
        own = [[e.to_json() for e in log.events if observer in (getattr(e, "player", -1), getattr(e, "victim", -1))]
               for log in (before, after)]  # fmt: skip
        steals = [[e for e in log if e["event"] in ("steal", "buy_dev_card")] for log in own]
        assert steals[0] == steals[1]
        assert bool(found.assumed) == (found.steals + found.dev_cards > 0)


def test_the_more_is_hidden_the_more_is_assumed():
    played = simulate(Board.random(3), ["builder"] * 4, 3)
    frames = write(played, "colonist-frames", 0)
    whole = likely_game(read(write(played, "colonist-replay")))
    assert (whole.assumed, whole.steals, whole.dev_cards) == ("", 0, 0)
    assert likely_game(read(frames)).dev_cards > 0


def test_what_does_not_hold_the_game_is_refused():
    played = simulate(Board.random(3), ["builder"] * 4, 3)
    with pytest.raises(LogError, match="no board"):
        likely_game(read(write(played, "colonist-text", 0)))
    frames = json.loads(write(played, "colonist-frames", 0))
    frames[0]["data"]["payload"]["gameState"]["playerStates"]["2"]["resourceCards"]["cards"] = [0, 0, 0]
    with pytest.raises(LogError, match="a part of the game is missing"):
        likely_game(read(json.dumps(frames)))
