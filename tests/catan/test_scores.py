"""Every term of a corner's score on the beginner board, worked out by hand.

The island has 13 pips of wood, 12 of brick, 10 of sheep, 13 of wheat and 10 of ore, 58 in all. Corner 20 touches brick 6
(5 pips), wood 11 (2 pips) and the desert; corner 10 ore 10 (3), sheep 2 (1) and brick 6 (5); corner 40 wood 8 (5), ore 3
(2) and brick 5 (4); corner 1 only ore 10, at a 3:1 harbour; corner 7 only wheat 12 (1), at the wood harbour.
"""

from typing import Any

import numpy as np
import pytest

from kibitz.catan import Board, GameState
from kibitz.catan.core import scores as scoring
from kibitz.catan.core.scores import SCALE, WEIGHTS_BY_NAME
from kibitz.catan.core.state import BRICK, ORE, SHEEP, WHEAT, WOOD
from kibitz.ground.jit import plain, rows
from tests.catan.positions import Table

pytestmark = pytest.mark.plain

ROAD, SETTLEMENT, CITY, CARD = range(4)
EMPTY = Table().main()


def of(state: GameState, name: str, *arguments: int) -> int:
    """A function of the module, uncompiled, on a position."""
    function: Any = plain(getattr(scoring, name))
    return int(function(rows(np.asarray(state._states))[0], *arguments))


def test_pips_by_resource():
    assert [of(EMPTY, "resource_pips", 20, r) for r in (WOOD, BRICK, SHEEP, WHEAT, ORE)] == [2, 5, 0, 0, 0]
    assert of(EMPTY, "corner_pips", 40) == 5 + 2 + 4
    assert [of(EMPTY, "board_pips", r) for r in (WOOD, BRICK, SHEEP, WHEAT, ORE)] == [13, 12, 10, 13, 10]


def test_a_city_has_the_pips_of_two_settlements():
    state = Table().build(0, settlements=[40], cities=[20]).main()
    assert [of(state, "seat_pips", 0, r) for r in (WOOD, BRICK, SHEEP, WHEAT, ORE)] == [5 + 2 * 2, 4 + 2 * 5, 0, 0, 2]


def test_diversity_counts_what_is_new():
    assert of(EMPTY, "diversity", 0, 20) == 2 * SCALE
    assert of(Table().build(0, settlements=[20]).main(), "diversity", 0, 10) == 2 * SCALE  # ore and sheep, brick is there
    assert of(Table().build(1, settlements=[20]).main(), "diversity", 0, 10) == 3 * SCALE


def test_scarcity_is_relative_to_the_island():
    # average 58 / 5 = 11.6; wood 89 % of it per pip, brick 96 %, ore and sheep 116 %
    assert of(EMPTY, "scarcity", 20) == 2 * (89 - 100) + 5 * (96 - 100)
    assert of(EMPTY, "scarcity", 10) == 4 * (116 - 100) + 5 * (96 - 100)


@pytest.mark.parametrize(("item", "first", "second"), [(ROAD, 100, 0), (SETTLEMENT, 50, 25), (CITY, 0, 60), (CARD, 0, 66)])
def test_coverage_is_the_share_of_a_price_that_becomes_own_production(item, first, second):
    assert of(EMPTY, "coverage", 0, 20, item) == first
    assert of(Table().build(0, settlements=[20]).main(), "coverage", 0, 10, item) == second


def test_harbours_by_what_they_save():
    assert of(EMPTY, "harbour", 0, 20) == 0
    assert of(EMPTY, "harbour", 0, 1) == 25  # 3 pips of ore at 1/3 instead of 1/4
    producing = Table().build(0, settlements=[40]).main()
    assert of(producing, "harbour", 0, 1) == 41 + 33 + 41  # wood 5, brick 4, ore 2 + 3, each a twelfth
    assert of(producing, "harbour", 0, 7) == 125  # wood 5 at 1/2 instead of 1/4
    at_three_to_one = Table().build(0, settlements=[40, 1]).main()
    assert of(at_three_to_one, "harbour", 0, 7) == 83  # wood 5 at 1/2 instead of 1/3
    assert of(at_three_to_one, "harbour", 0, 26) == 0


def test_room_is_what_can_be_settled_two_roads_away():
    assert of(EMPTY, "room", 20) == (9 + 5 + 9 + 5 + 9 + 7) * SCALE  # corners 30, 32, 11, 22, 9, 18
    assert of(Table().build(1, settlements=[10]).main(), "room", 20) == (9 + 5 + 5 + 7) * SCALE  # 9 and 11 are closed


def test_exposure_is_the_best_hex():
    assert of(EMPTY, "exposure", 20) == 5 * SCALE
    assert of(EMPTY, "exposure", 1) == 3 * SCALE


def test_the_score_is_the_weighted_sum():
    w = WEIGHTS_BY_NAME
    by_hand = (
        w["pips: wood"] * 200 + w["pips: brick"] * 500 + w["diversity"] * 200 + w["scarcity"] * -42 + w["coverage: road"] * 100
        + w["coverage: settlement"] * 50 + w["room"] * 4400 + w["exposure"] * 500
    )  # fmt: skip
    assert of(EMPTY, "score_vertex", 0, 20) == by_hand // SCALE


def test_all_terms_by_name():
    function: Any = plain(scoring.term)
    s = rows(np.asarray(EMPTY._states))[0]
    named = {name: function(s, 0, 20, i) for i, name in enumerate(WEIGHTS_BY_NAME)}
    assert {name: value for name, value in named.items() if value} == {
        "pips: wood": 200, "pips: brick": 500, "diversity": 200, "scarcity": -42, "coverage: road": 100,
        "coverage: settlement": 50, "room": 4400, "exposure": 500,
    }  # fmt: skip


def test_the_best_corner_by_score_and_by_pips():
    everywhere = (1 << 54) - 1
    best = max(range(54), key=lambda corner: of(EMPTY, "score_vertex", 0, corner))
    assert of(EMPTY, "best_corner", 0, everywhere, scoring.SCORE, scoring.FIRST) == best == 41
    richest = max(range(54), key=lambda corner: of(EMPTY, "corner_pips", corner))
    assert of(EMPTY, "best_corner", 0, everywhere, scoring.YIELD, scoring.FIRST) == richest
    assert of(EMPTY, "best_corner", 0, 1 << 1 | 1 << 20, scoring.YIELD, scoring.FIRST) == 20
    assert Board.beginner().desert == 9
