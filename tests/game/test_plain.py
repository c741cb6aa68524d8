"""Games in one Python file: what `PlainState` makes of what an author writes."""

import pytest

from examples.love_letter import GAME, LoveLetter
from kibitz import game
from kibitz.game import CHANCE, OVER
from kibitz.game.actions import InvalidAction
from kibitz.game.plain import PlainState, plain_game
from kibitz.testing import check_game

pytestmark = pytest.mark.plain


class Nim(PlainState):
    """Take one, two or three of seven matches; who takes the last one wins. Nothing is hidden, nothing left to chance."""

    NAMES = ("take 1", "take 2", "take 3")
    BOTS = ("expert",)

    def __init__(self, seats: int) -> None:
        self.seats, self.player, self.turn, self.left = seats, 0, 1, [7]

    def actor(self) -> int:
        return self.player if self.left[0] else OVER

    def plays(self) -> list[str]:
        return [name for name in self.NAMES if int(name[-1]) <= self.left[0]]

    def do(self, name: str) -> None:
        self.left[0] -= int(name[-1])
        self.player, self.turn = 1 - self.player, self.turn + 1

    def score(self, seat: int) -> int:
        return 1 if seat != self.player else -1

    def expert(self) -> str:
        return f"take {self.left[0] % 4 or 1}"


NIM = plain_game(Nim, "nim", seats=(2, 2), scores=(-1, 1), max_turns=8)


def test_a_game_without_secrets_and_chance_needs_five_methods():
    assert check_game(NIM, 2, range(5)) > 15
    assert check_game(NIM, 2, range(2), [1, 1]) == 6


def test_a_bot_is_a_method():
    states = NIM.new(2, 0)
    assert NIM.policies == {"random": 0, "expert": 1}
    assert NIM.describe(states[0].choose(None, 1)) == "take 3"


def test_a_bot_is_shown_what_its_seat_sees():
    class Curious(LoveLetter):
        BOTS = ("peeping",)

        def peeping(self):
            assert self.held[1:] == ["?", "?"]
            return self.plays()[0]

    curious = plain_game(Curious, "curious", seats=(2, 4), scores=(0, 12), max_turns=13)
    states = curious.new(3, 0)
    for name in ("draw 1 king", "draw 2 guard", "draw 3 guard", "draw 1 guard"):
        game.apply_at(states, 0, curious.parse(name))
    assert states[0].choose(None, 1) in game.legal_actions(states)


def test_an_action_is_refused_in_words():
    states = NIM.new(2, 0)
    states[0].left[0] = 1
    assert states[0].why_not(2) == 1
    assert str(NIM.refuse(states, 2, 1)) == "take 3: not possible now"
    assert str(NIM.refuse(states, 99, 1)) == "action 99: not possible now"
    with pytest.raises(InvalidAction, match="'eat 1' is not an action"):
        NIM.parse("eat 1")


def test_copies_share_no_lists():
    one = Nim(2)
    two = one.copy()
    two.do("take 2")
    assert (one.left, two.left) == ([7], [5])
    assert one.exact() != two.exact()


def test_the_guard_leaves_the_history_out():
    one, two = Nim(2), Nim(2)
    two.turn, two.events = 9, 4
    assert one.key() == two.key()
    assert one.exact() != two.exact()


def test_the_winner_is_the_one_seat_with_the_highest_score():
    end = Nim(2)
    assert end.winner == -1
    for name in ("take 3", "take 3", "take 1"):
        end.do(name)
    assert (end.actor(), end.winner) == (OVER, 0)


def test_chance_events_are_counted():
    states = GAME.new(3, 0)
    assert (states[0].actor(), states[0].events) == (CHANCE, 0)
    states[0].apply(GAME.parse("draw 1 king"))
    assert states[0].events == 1


def test_the_state_says_how_many_play():
    assert [game.seats_of(GAME.new(seats, 0)) for seats in (2, 3, 4)] == [2, 3, 4]


def test_a_text_is_offered_where_the_game_has_one():
    assert NIM.text is None
    assert GAME.text is not None
    assert GAME.text(GAME.new(2, 0), None).startswith("deck: ")
