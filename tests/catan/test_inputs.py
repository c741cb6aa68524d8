"""What the evaluator is told, worked out by hand from the rule book in one small position.

The beginner board, robber on brick 6 (hex 4); beside each corner the hexes that it touches:

    seat 0   settlement on 10 (ore 10, sheep 2, brick 6), city on 40 (wood 8, ore 3, brick 5); roads 11-10-2-1 and 40-41
    seat 1   settlement on 13 (wood 9, sheep 4, brick 10); roads 13-12-11
    seat 2   settlements on 21 (brick 6, sheep 4, desert) and 7 (wheat 12); roads 21-11 and 7-8-0
"""

import pytest

from kibitz.catan import GAME
from kibitz.catan.core.layout import AT, INPUTS
from kibitz.game import verbs
from tests.catan.positions import CARDS, RESOURCES, Table, chain

pytestmark = pytest.mark.plain

#: The throws other than seven, in the order of the inputs.
THROWS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


@pytest.fixture(scope="module")
def told():
    """``told(seat, name, size)``: a part of what is told about a seat."""
    table = Table(seats=3).robber(4)
    table.build(0, settlements=[10], cities=[40], roads=[*chain(11, 10, 2, 1), *chain(40, 41)])
    table.build(1, settlements=[13], roads=chain(13, 12, 11))
    table.build(2, settlements=[21, 7], roads=[*chain(21, 11), *chain(7, 8, 0)])
    table.give(0, wood=1, brick=1, ore=5).played(0, knight=1).cards(0, monopoly=1).bought(0, victory_point=1).cards(1, knight=2)
    states, xs = table.main(player=0).states, GAME.scratches()
    assert verbs.inputs(states[0], xs[0]) == INPUTS
    numbers = xs["inputs"][0]
    return lambda seat, name, size: [int(n) for n in numbers[seat * INPUTS + AT[name] :][:size]]


@pytest.mark.parametrize(
    ("seat", "cards"),
    [
        (0, {2: 1, 3: 2, 5: 2, 8: 2, 10: 1}),  # a city brings two; nothing comes on a six from under the robber
        (1, {4: 1, 9: 1, 10: 1}),
        (2, {4: 1, 12: 1}),
    ],
)
def test_what_each_throw_brings(told, seat, cards):
    assert told(seat, "by number", 10) == [cards.get(throw, 0) for throw in THROWS]


def test_production_by_resource_and_what_the_robber_blocks(told):
    """In ways of 36 to throw the number, twice for a city: wood 2 x 5; brick 5 under the robber, and 2 x 4; ore 3 and 2 x 2."""
    assert dict(zip(RESOURCES, told(0, "income", 5), strict=True)) == {
        "wood": 10,
        "brick": 13,
        "sheep": 1,
        "wheat": 0,
        "ore": 7,
    }
    assert dict(zip(RESOURCES, told(0, "blocked", 5), strict=True)) == {"wood": 0, "brick": 5, "sheep": 0, "wheat": 0, "ore": 0}
    assert told(0, "all income", 1) == [10 + 8 + 1 + 7]
    assert told(0, "numbers", 1) == [1 + 2 + 4 + 5 + 3]  # 2, 3, 5, 8 and 10
    assert told(0, "kinds", 1) == [4]


def test_what_purchases_lack(told):
    """A road is at hand; for a settlement sheep and wheat are missing, for a city two wheat, for a card sheep and wheat."""
    assert told(0, "lacking", 4) == [0, 2, 2, 2]
    assert told(0, "owned", 4) == [1, 0, 0, 0]
    # at 4:1 the five ore bring one card for a settlement; of the five a city needs three, a card one
    assert told(0, "payable", 4) == [1, 0, 0, 0]


def test_the_cards_left_in_the_deck_are_told_to_everybody(told):
    """Of 14 knights one lies open and two are held; of the five points and two monopolies seat 0 has one each."""
    for seat in range(3):
        left = dict(zip(CARDS, told(seat, "deck cards", 5), strict=True))
        assert left == {"knight": 11, "victory_point": 4, "monopoly": 1, "road_building": 2, "year_of_plenty": 2}
        assert told(seat, "deck", 1) == [20]


@pytest.mark.parametrize(
    ("seat", "by_one_road", "by_two"),
    [
        # of the ends 11, 1, 40 and 41: at 11 both other edges are taken; from 1 a road leads to 0, where the other edge is
        # taken; 40 and 41 are free all around
        (0, 3, 2),
        (1, 1, 1),  # 13 is open, 11 is not
        (2, 3, 2),  # 21 and 7 are open, 11 is not; from 0 there is one edge, to 1, and none from there
    ],
)
def test_where_roads_can_go_on(told, seat, by_one_road, by_two):
    assert told(seat, "open ends", 2) == [by_one_road, by_two]
