"""Games by name, and what is said about those that do not exist."""

import pytest

from kibitz.adapters.setting import setting
from kibitz.catan import Board
from kibitz.coup.core.state import Rules
from kibitz.onepiece.core.decks import starter

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "go"}, "no such game"),
        ({"name": "coup", "seats": 7}, "7 seats: coup is for 2 to 6 players"),
        ({"name": "onepiece", "seats": 3}, "3 seats: onepiece is for 2 players"),
        ({"name": "coup", "board": Board.beginner()}, "coup has no option 'board'; expected seed, rules"),
        ({"name": "onepiece", "rules": Rules()}, "onepiece has no option 'rules'; expected seed, decks"),
    ],
)
def test_what_cannot_be_played(arguments, message):
    with pytest.raises(ValueError, match=message):
        setting(**arguments)


def test_a_board_and_decks_can_be_chosen():
    island = setting("catan", 2, board=Board.beginner())
    assert island.start(1).tobytes() == island.start(2).tobytes()
    assert setting("catan", 2).start(1).tobytes() != setting("catan", 2).start(2).tobytes()
    twins = setting("onepiece", decks=(starter("tide"), starter("tide")))
    assert len(twins.actions) < len(setting("onepiece").actions)


def test_opponents_sit_in_the_order_of_the_seats():
    here = setting("coup", 3)
    assert [bot.name for bot in here.table(1, ["random", "honest"])] == ["random", "honest"]
    assert [bot.name for bot in here.table(0, "heuristic")] == ["heuristic"] * 2
    with pytest.raises(ValueError, match="1 opponents: expected 2"):
        here.table(0, ["random"])
    with pytest.raises(ValueError, match="seat 3: expected 0 to 2"):
        here.table(3, "random")
