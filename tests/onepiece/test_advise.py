"""Advice in One Piece: nothing hidden is used, and nobody is advised who is not asked."""

import pytest

from kibitz.compute.runtime import Limit
from kibitz.game.doors import redeal_all
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.bots import advise
from kibitz.onepiece.core.engine import game_with
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.record import simulate

QUICK = Limit(iterations=20)


@pytest.fixture(scope="module")
def record():
    return simulate(["greedy", "greedy"], seed=3)


def moment(record, wanted):
    return next(state.copy() for (state,) in record.states() if state.actor() >= 0 and wanted(state))


def test_what_the_seat_cannot_see_does_not_matter(record):
    state = moment(record, lambda s: s.turn == 6 and s.waiting.name == "MAIN")
    game = game_with(*record.decks)
    other = PlainStates(game, [state.copy()])
    redeal_all(other, game.scratches(), state.actor(), 5)
    assert other[0].exact() != state.exact()
    assert advise(GameState(state), QUICK, seed=1) == advise(GameState(other), QUICK, seed=1)


def test_it_is_told_by_names(record):
    state = moment(record, lambda s: s.turn == 6 and s.waiting.name == "MAIN")
    told = advise(GameState(state), QUICK).to_json()
    assert (told["advice"], told["version"], told["seat"]) == ("onepiece", 1, state.actor())
    assert (told["position"], told["games"]) == ({"phase": "MAIN", "turn": 6}, 20)
    assert sum(option["visits"] for option in told["options"]) == 20
    for option in told["options"]:
        assert option["interval"][0] <= option["value"] <= option["interval"][1]
        assert option["line"][0] == {"seat": told["seat"], "action": option["action"], "visits": option["visits"]}
        assert option["name"].lower() in option["reason"].lower()


def test_nobody_is_advised_when_chance_decides_or_the_game_is_over(record):
    with pytest.raises(ValueError, match="for the player who is to decide"):
        advise(GameState(record.start()), QUICK)
    *_, (end,) = record.states()
    with pytest.raises(ValueError, match="for the player who is to decide"):
        advise(GameState(end), QUICK)
