"""Where catanatron's order is another than ours, and what its log does not say."""

import pytest

from kibitz.catan import Board, Rules
from kibitz.catan.core.state import (
    ACCEPTED,
    DECLINED,
    MAIN,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    TRADE_ANSWER,
    TRADE_CHOICE,
    TURN_START,
)
from kibitz.catan.versus.view import SeatView, Unclear
from kibitz.catan.versus.window import Told, places_of
from kibitz.game import actor_at
from tests.catan.versus.fake import COLOURS, map_of, tile

pytestmark = pytest.mark.plain
BOARD = Board.random(7)


class OnlyMap:
    map = map_of(BOARD)


def view(player, hands, *, seat, phase=TURN_START, roll=0):
    """A view of a turn in which everybody holds so many wood (the seat: those of each kind)."""
    found = SeatView(places_of(OnlyMap, COLOURS), Rules(domestic_trade=False), 4, seat)
    states = found.states
    states["player"], states["phase"], states["roll"], states["turn"] = player, phase, roll, 9
    for other, hand in enumerate(hands):
        cards = hand if isinstance(hand, list) else [hand, 0, 0, 0, 0]
        states["hand_size"][0, other] = sum(cards)
        states["bank"][0] -= cards
        if other == seat:
            states["hand"][0, seat] = cards
    return found


def sizes(found):
    return found.states["hand_size"][0].tolist()


def take_in(found, *told):
    return [step for one in told for step in found.take_in(one)]


def test_discards_come_in_the_order_of_seats():
    """Seat 2 rolls; we would ask 2, 3, 0, 1: there it is 0, 1, 3."""
    found = view(2, [8, [3, 3, 3, 0, 0], 2, 8], seat=1)
    take_in(found, Told(2, "ROLL", None, (3, 4)))
    assert actor_at(found.states, 0) == 3
    take_in(found, *[Told(0, "DISCARD_RESOURCE", "WOOD", "WOOD")] * 4)
    assert sizes(found) == [4, 9, 2, 8]
    found.ask_discard(1)
    assert (found.phase, actor_at(found.states, 0)) == (ROBBER_DISCARD, 1)
    take_in(found, *[Told(1, "DISCARD_RESOURCE", "BRICK", "BRICK")] * 3, Told(1, "DISCARD_RESOURCE", "WOOD", "WOOD"))
    assert found.states["hand"][0, 1].tolist() == [2, 0, 3, 0, 0]
    steps = take_in(found, *[Told(3, "DISCARD_RESOURCE", "WOOD", "WOOD")] * 4)
    assert [actor_at(before, 0) for before, _, _ in steps] == [3] * 4
    assert (found.phase, sizes(found)) == (ROBBER_MOVE, [4, 5, 2, 4])


def test_a_whole_discard_of_release_3_2():
    found = view(0, [9, 0, 0, 0], seat=2)
    take_in(found, Told(0, "ROLL", (1, 6)), Told(0, "DISCARD", ["WOOD"] * 4))
    assert (found.phase, sizes(found)) == (ROBBER_MOVE, [5, 0, 0, 0])


OFFER = (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_answers_come_in_the_order_of_seats():
    """Seat 1 offers; we would ask 2, 3, 0: there it is 0, (1,) 2, 3."""
    found = view(1, [3, 5, [0, 0, 0, 0, 2], 4], seat=2, phase=MAIN, roll=8)
    take_in(found, Told(1, "OFFER_TRADE", OFFER), Told(0, "ACCEPT_TRADE", OFFER), Told(1, "REJECT_TRADE", OFFER))
    found.ask_answer(2)
    assert (found.phase, actor_at(found.states, 0)) == (TRADE_ANSWER, 2)
    take_in(found, Told(2, "ACCEPT_TRADE", OFFER), Told(3, "REJECT_TRADE", OFFER))
    found.ask_choice()
    assert found.states["answers"][0].tolist() == [ACCEPTED, 0, ACCEPTED, DECLINED]
    assert (found.phase, actor_at(found.states, 0)) == (TRADE_CHOICE, 1)
    take_in(found, Told(1, "CONFIRM_TRADE", (*OFFER, COLOURS[2])))
    assert (found.phase, sizes(found)) == (MAIN, [3, 4, 3, 4])
    assert found.states["hand"][0, 2].tolist() == [2, 0, 0, 0, 1]


def test_nobody_accepts():
    found = view(3, [3, 5, 1, 4], seat=2, phase=MAIN, roll=8)
    take_in(found, Told(3, "OFFER_TRADE", OFFER), *(Told(seat, "REJECT_TRADE", OFFER) for seat in (0, 1, 2)))
    assert (found.phase, sizes(found)) == (MAIN, [3, 5, 1, 4])
    assert not found.states["offer"].any()
    take_in(found, Told(3, "OFFER_TRADE", OFFER), Told(0, "REJECT_TRADE", OFFER), Told(3, "END_TURN"))
    assert found.phase == TURN_START


def monopoly(found, seat, resource="WOOD"):
    found.states["dev_size"][0, seat] = 1
    return Told(seat, "PLAY_MONOPOLY", resource)


def test_what_a_monopoly_took_shows_in_the_sizes_of_hands():
    found = view(1, [4, 3, [2, 1, 0, 0, 0], 5], seat=2)
    told = [monopoly(found, 1), Told(1, "ROLL", None, (3, 4)), *[Told(1, "DISCARD_RESOURCE", "WOOD", "WOOD")] * 4]
    # of 4, 3, 3 and 5 cards it takes 3, 2 and 0
    steps = list(found.follow(told, [1, 4, 1, 5]))
    assert [step[2]["hand_size"][0].tolist() for step in steps[:1]] == [[1, 8, 1, 5]]
    assert (found.phase, sizes(found)) == (ROBBER_MOVE, [1, 4, 1, 5])
    assert found.states["hand"][0, 2].tolist() == [0, 1, 0, 0, 0]


def test_who_lives_on_a_monopoly_can_be_robbed():
    found = view(1, [4, 0, [2, 1, 0, 0, 0], 5], seat=2)
    told = [monopoly(found, 1), Told(1, "ROLL", None, (1, 1)), Told(1, "END_TURN"), Told(2, "PLAY_KNIGHT_CARD")]
    robbed = Told(2, "MOVE_ROBBER", (tile(9), COLOURS[1]), "WOOD")
    list(found.follow([*told, robbed], [1, 4, 2, 5]))
    assert sizes(found) == [1, 4, 2, 5]


def test_our_own_monopoly_brings_the_cards():
    found = view(2, [4, 3, [2, 1, 0, 0, 0], 5], seat=2)
    found.states["dev"][0, 2, 4] = 1
    list(found.follow([monopoly(found, 2)], [0, 3, 9, 3]))
    assert found.states["hand"][0, 2].tolist() == [8, 1, 0, 0, 0]


def test_two_monopolies_at_once_cannot_be_told_apart():
    found = view(0, [4, 3, [2, 1, 0, 0, 0], 5], seat=2)
    before = found.states.copy()
    told = [monopoly(found, 0), Told(0, "END_TURN"), monopoly(found, 1, "ORE")]
    before["dev_size"] = found.states["dev_size"]
    with pytest.raises(Unclear):
        next(found.follow(told, [1, 1, 1, 1]))
    assert before.tobytes() == found.states.tobytes()


def test_free_roads_last_as_long_as_catanatron_says():
    """It knows places for roads that we do not: the second road is free although we see no place for it."""
    found = view(0, [2, 3, [2, 1, 0, 0, 0], 5], seat=2, phase=MAIN, roll=5)
    found.states["dev_size"][0, 0] = 1
    edges = [tuple(OnlyMap.map.land_tiles[0, 0, 0].nodes.values())[i : i + 2] for i in (0, 1, 2)]
    take_in(found, Told(0, "PLAY_ROAD_BUILDING"), Told(0, "BUILD_ROAD", edges[0]))
    found.states["phase"], found.states["free_roads"] = MAIN, 0
    take_in(found, Told(0, "BUILD_ROAD", edges[1]))
    assert (found.phase, sizes(found)[0]) == (MAIN, 2)
    take_in(found, Told(0, "BUILD_ROAD", edges[2]))
    assert sizes(found)[0] == 0
