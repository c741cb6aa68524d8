"""Verbs: a new one is declared in one place, and the games that have it bring a function."""

import numpy as np
import pytest

from kibitz import game
from kibitz.examples import kuhn
from kibitz.game import verbs
from kibitz.game.doors import sensible_actions
from kibitz.game.verbs import VERBS, uncompiled
from kibitz.ground.jit import rows
from tests.game.courage import BRAVE, DTYPE, courage, courage_at
from tests.testing.peeking import Peek, peek_game


@pytest.mark.plain
def test_a_new_verb_touches_one_place_and_the_games_that_have_it():
    states, plain_states, others = game.structs(DTYPE), rows(np.zeros(1, DTYPE)), kuhn.new(2, 0)
    for some in (states, plain_states, others):
        for action in (kuhn.DEAL, kuhn.DEAL + 1, kuhn.PASS, kuhn.BET, kuhn.BET):
            verbs.apply(some[0], action)
    assert [courage_at(states, 0, seat) for seat in range(2)] == [1, 1]
    assert [courage(states[0], seat) for seat in range(2)] == [1, 1]
    assert [courage(plain_states[0], seat) for seat in range(2)] == [1, 1]
    assert (courage_at(others, 0, 0), courage(others[0], 0), courage(Peek(), 0)) == (0, 0, 0)


@pytest.mark.plain
def test_it_is_listed_with_all_others():
    assert (VERBS["courage"].arguments, VERBS["courage"].meaning) == (("s", "seat"), "How brave a seat has been.")
    assert uncompiled(BRAVE).courage(rows(np.zeros(1, DTYPE))[0], 0) == 0
    assert uncompiled(peek_game()).courage(Peek(), 1) == 0


@pytest.mark.plain
def test_a_game_may_leave_out_what_has_a_default():
    optional = {name for name, declared in VERBS.items() if declared.default is not None}
    asked = {"kind", "sensible", "prize", "news", "choose", "tally", "luck", "inputs", "value", "settled"}
    assert optional - {"courage"} == asked
    states = kuhn.new(2, 0)
    assert verbs.kind(states[0]) == game.CHANCE + 2
    for action in (kuhn.DEAL, kuhn.DEAL + 1):
        verbs.apply(states[0], action)
    assert sensible_actions(states) == game.legal_actions(states) == [kuhn.PASS, kuhn.BET]
    assert verbs.news(states[0], kuhn.BET, 1) == 0
    for action in (kuhn.BET, kuhn.BET):
        verbs.apply(states[0], action)
    assert [verbs.prize(states[0], seat) for seat in range(2)] == [verbs.score(states[0], seat) for seat in range(2)] == [-2, 2]


@pytest.mark.plain
def test_a_monopoly_tells_everybody_what_was_handed_over():
    from kibitz import catan
    from kibitz.catan.core.state import new_states

    states = new_states(catan.Board.beginner(), 3)
    states["hand"][0, 1, 0], states["hand"][0, 2, 0] = 3, 1
    monopoly = catan.play_monopoly("wood").code
    told = {verbs.news(states[0], monopoly, seat) for seat in range(3)}
    states["hand"][0, 2, 0] = 2
    assert len(told) == 1
    assert told != {0}
    assert verbs.news(states[0], monopoly, 0) not in told
    assert verbs.news(states[0], catan.play_monopoly("ore").code, 0) > 0  # that nobody has any is news, too
    assert verbs.news(states[0], catan.end_turn().code, 0) == 0
