"""Steps can be taken back as long as nothing has come to light since."""

import pytest

from examples.love_letter import GAME
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import game_with
from kibitz.play.bots import policy_bot
from kibitz.play.match import TakebackTable
from tests.catan.positions import Table as Position

pytestmark = pytest.mark.plain


def table_after(*names: str) -> TakebackTable:
    """A round of three, after these steps, in which player 1 may take back."""
    table = TakebackTable(GAME, GAME.new(3, 0), [policy_bot("random", 0)] * 3, seed=1, seat=0)
    for name in names:
        table.step(GAME.parse(name))
    return table


DEALT = ("draw 1 handmaid", "draw 2 prince", "draw 3 guard", "draw 1 priest")


def test_nothing_was_done_yet():
    assert table_after(*DEALT).can_return_to is None


def test_a_step_that_tells_nothing_can_be_taken_back_until_chance_goes_on():
    assert table_after(*DEALT, "handmaid").can_return_to == 4
    assert table_after(*DEALT, "handmaid", "draw 2 baron").can_return_to is None


def test_what_was_shown_cannot_be_forgotten():
    assert table_after(*DEALT, "priest 2").can_return_to == 4
    assert table_after(*DEALT, "priest 2", "show 2 prince").can_return_to is None


def test_that_nobody_has_a_card_is_something_to_learn():
    """A Monopoly that brings nothing: the table looks as before, and in most deals it would, too."""
    states = Position().cards(0, monopoly=1).main().states
    table = TakebackTable(CATAN, states, [policy_bot("random", 0)] * 4, seed=1, seat=0)
    table.step(CATAN.parse("play_monopoly ore"))
    assert table.can_return_to is None


def test_several_steps_are_taken_back_one_by_one():
    game = game_with(starter("tide"), starter("ember"))
    table = TakebackTable(game, game.new(2, 0), [policy_bot("random", 0)] * 2, seed=4, seat=0)
    while table.states[0].turn < 3 or table.actor != 0:
        table.step(
            game.parse("keep")
            if table.actor >= 0 and not table.states[0].turn
            else None
            if table.actor < 0
            else game.parse("end_turn")
        )
    first = len(table.codes)
    table.step(game.parse("give L"))
    assert table.can_return_to == first
    table.step(game.parse("give L"))
    assert table.can_return_to == first + 1
