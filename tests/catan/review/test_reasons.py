"""Why a move is better: what differs when both are played on with the same dice."""

import numpy as np
import pytest

from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules, new_states
from kibitz.catan.core.topology import CORNER_HEXES, NONE
from kibitz.catan.review import reasons as module
from kibitz.catan.review.decisions import cases_of
from kibitz.catan.review.reasons import income, reasons
from kibitz.catan.review.types import Award
from kibitz.game import apply_at

pytestmark = pytest.mark.plain
RECORD = simulate(Board.beginner(), ["builder"] * 2, 3, Rules(victory_points=3))


def test_income_is_what_36_throws_bring_but_for_the_robber():
    """Corner 41 of the beginners' board lies at wheat 6, brick 5 and ore 3."""
    states = new_states(Board.beginner(), 2)
    apply_at(states, 0, Action.from_text("place_setup_settlement 41").code)
    assert income(np.asarray(states))[0].tolist() == [[0, 4, 0, 5, 2], [0] * 5]
    states["cities"][0, 0], states["settlements"][0, 0] = states["settlements"][0, 0], 0
    assert income(np.asarray(states))[0, 0].tolist() == [0, 8, 0, 10, 4]
    hexes = Board.beginner().hexes
    states["robber"][0] = next(h for h, hex in enumerate(hexes) if (str(hex.resource), hex.number) == ("wheat", 6))
    assert income(np.asarray(states))[0, 0].tolist() == [0, 8, 0, 0, 4]


@pytest.mark.parametrize("seat", [0, 1])
def test_who_holds_an_award_is_told_where_it_makes_a_difference(seat):
    """What was played leaves the Longest Road to player 2 in three games of four; the best move keeps it for player 1."""
    good, bad = (np.repeat(new_states(Board.beginner(), 2), 12).reshape(4, 3) for _ in range(2))
    assert module._award(good, bad, seat) is None
    good["road_holder"][:, 2], bad["road_holder"][:, 2] = 0, [0, 1, 1, 1]
    assert module._award(good, bad, 0) == Award("road", 0, 1.0, 0.25)
    assert module._award(bad, good, 1) == Award("road", 1, 0.75, 0.0)
    good["road_holder"][:, 2] = NONE
    assert module._award(good, bad, 0) == Award("road", 1, 0.0, 0.75)  # nobody holds it then


def test_a_city_that_wins_brings_its_point_at_once_and_the_line_begins_with_it(monkeypatch):
    """Whoever builds it instead of ending the turn has won; the game stands still then."""
    monkeypatch.setattr(module, "GAMES", 2)
    monkeypatch.setattr(module, "ROUNDS", (1, 2))
    monkeypatch.setattr(module, "LINES", 1)
    case = list(cases_of(RECORD, 1))[-1]
    won = case.played
    assert describe(won) == "build_city 35"
    case.played = Action.from_text("end_turn").code
    why = reasons(case, won)
    assert why.line == ("build_city 35",)
    assert all(good == 3.0 for _, good, _ in why.points)
    board, robber = Board.beginner(), int(case.worlds["robber"][0])
    around = [hex for hex in CORNER_HEXES.tolist()[35] if hex not in (NONE, robber)]
    pips = sum(6 - abs(7 - board.hexes[hex].number) for hex in around if board.hexes[hex].number)
    assert sum(why.income) == pips  # a second card from each of its hexes
    assert why.blocked == (0.0, 0.0)
    assert why.lost is None
