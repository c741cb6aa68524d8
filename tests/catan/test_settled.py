"""Where a search may ask the evaluator: between two turns, not in the middle of one."""

import pytest

from kibitz.catan import Action
from kibitz.game import verbs
from tests.catan.positions import Table, play


@pytest.mark.plain
def test_a_turn_that_began_with_a_knight_is_not_settled_before_the_roll():
    """Otherwise a knight would be judged now, and a roll at the end of the turn: two questions, not one."""
    table = Table(3).build(0, settlements=[42, 20]).build(1, settlements=[40, 10]).build(2, settlements=[0, 46])
    start = table.cards(0, knight=1).turn_start()
    assert verbs.settled(start._states[0])
    moved = play(start, Action.from_text("play_knight"), Action.from_text("move_robber 3"))
    assert moved.phase == start.phase
    assert not verbs.settled(moved._states[0])
