"""The rules of Catan, one test each, in the order of the table in docs/rules.md; expected values were worked out by hand.

Positions come from `Table` on the beginner board, whose hexes with their tokens are

            0 ore 10   1 sheep 2   2 wood 9
       3 wheat 12   4 brick 6   5 sheep 4   6 brick 10
    7 wheat 9   8 wood 11   9 desert   10 wood 3   11 ore 8
       12 wood 8   13 ore 3   14 wheat 4   15 sheep 5
            16 brick 5   17 wheat 6   18 sheep 11

Corners count row by row as well: 0-6 along the north coast, 7-15, 16-26, 27-37, 38-46, and 47-53 in the south.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from kibitz.catan import (
    Board,
    GameState,
    InvalidAction,
    Outcome,
    Rules,
    accept_offer,
    build_city,
    build_road,
    build_settlement,
    buy_dev_card,
    cancel_offer,
    confirm_trade,
    decline_offer,
    discard_resource,
    discard_resources,
    drawn,
    end_build_phase,
    end_road_building,
    end_trade_phase,
    end_turn,
    move_robber,
    offer_trade,
    place_free_road,
    place_setup_road,
    place_setup_settlement,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
    reveal_vp,
    roll_dice,
    rolled,
    skip_steal,
    steal_resource,
    stolen,
    trade_bank,
    trade_player,
)
from tests.catan.positions import Table, chain, hand, legal, play, refusal
from tests.catan.referee import DECK, RESOURCES, Edge

pytestmark = pytest.mark.plain

ROAD = {"wood": 1, "brick": 1}
SETTLEMENT = {"wood": 1, "brick": 1, "sheep": 1, "wheat": 1}
CITY = {"wheat": 2, "ore": 3}
DEV_CARD = {"sheep": 1, "wheat": 1, "ore": 1}

#: Roads along the coast: seven in the north, five in the south and in the west.
NORTH = chain(0, 1, 2, 3, 4, 5, 6, 14)
SOUTH = chain(47, 48, 49, 50, 51, 52)
WEST = chain(38, 28, 27, 16, 17, 7)


def roll(state: GameState, total: int) -> GameState:
    return play(state, roll_dice(), rolled(total))


def next_turn(state: GameState, total: int = 12) -> GameState:
    """The next player has rolled (a 12, on which nobody in these positions earns anything)."""
    return roll(play(state, end_turn()), total)


def points(state: GameState) -> list[int]:
    return [player.visible_victory_points for player in state.players]


def bank(state: GameState) -> dict[str, int]:
    return {str(resource): n for resource, n in state.bank.items()}


# --- the board and the box --------------------------------------------------------------------------------


def test_board_19_hexes_18_tokens_and_9_harbours() -> None:
    board = Board.beginner()
    terrain = Counter("desert" if h.resource is None else h.resource.value for h in board.hexes)
    assert terrain == {"wood": 4, "sheep": 4, "wheat": 4, "brick": 3, "ore": 3, "desert": 1}
    assert sorted(h.number for h in board.hexes if h.number) == [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12]
    assert Counter(h.kind.value for h in board.harbours) == {"3:1": 4, "wood": 1, "brick": 1, "sheep": 1, "wheat": 1, "ore": 1}


def test_board_robber_starts_on_the_desert() -> None:
    state = GameState.new(Board.beginner())
    assert state.robber_hex == 9
    assert state.board.hexes[9] == (None, None)


def test_supply_19_of_each_resource() -> None:
    state = GameState.new(Board.beginner())
    assert bank(state) == {"wood": 19, "brick": 19, "sheep": 19, "wheat": 19, "ore": 19}


def test_supply_deck_of_25_development_cards() -> None:
    state = GameState.new(Board.beginner())
    assert state.dev_deck == {"knight": 14, "victory_point": 5, "road_building": 2, "year_of_plenty": 2, "monopoly": 2}
    assert state.dev_deck_size == 25


def test_supply_drawn_card_is_any_of_those_left_in_the_deck() -> None:
    state = Table().give(0, **DEV_CARD).cards(1, knight=12, monopoly=2).main()
    state = play(state, buy_dev_card())
    assert state.actor == "chance"
    assert state.outcomes() == [
        (drawn("knight"), Fraction(2, 11)),
        (drawn("victory_point"), Fraction(5, 11)),
        (drawn("road_building"), Fraction(2, 11)),
        (drawn("year_of_plenty"), Fraction(2, 11)),
    ]
    assert refusal(state, drawn("monopoly")) == "drawn monopoly cannot happen here"


def test_supply_empty_deck_sells_nothing() -> None:
    state = Table().give(0, **DEV_CARD).cards(1, **DECK).main()
    assert refusal(state, buy_dev_card()) == "no development card is left"


def test_supply_payments_go_back_to_it() -> None:
    state = (
        Table().build(0, settlements=[20], roads=[(20, 21), (21, 22)]).give(0, wood=2, brick=2, sheep=2, wheat=4, ore=4).main()
    )
    assert bank(state) == {"wood": 17, "brick": 17, "sheep": 17, "wheat": 15, "ore": 15}
    state = play(state, build_road((22, 23)))
    assert hand(state, 0) == {"wood": 1, "brick": 1, "sheep": 2, "wheat": 4, "ore": 4}
    state = play(state, build_settlement(22))
    assert hand(state, 0) == {"sheep": 1, "wheat": 3, "ore": 4}
    state = play(state, build_city(22))
    assert hand(state, 0) == {"sheep": 1, "wheat": 1, "ore": 1}
    state = play(state, buy_dev_card())
    assert hand(state, 0) == {}
    assert bank(state) == {"wood": 19, "brick": 19, "sheep": 19, "wheat": 19, "ore": 19}


@pytest.mark.parametrize("missing", ["wood", "brick"])
def test_costs_a_road_is_wood_and_brick(missing: str) -> None:
    state = Table().build(0, settlements=[20]).give(0, **{**ROAD, missing: 0}, ore=5).main()
    assert refusal(state, build_road((20, 21))) == "you cannot pay for it"


@pytest.mark.parametrize("missing", ["wood", "brick", "sheep", "wheat"])
def test_costs_a_settlement_is_wood_brick_sheep_and_wheat(missing: str) -> None:
    state = Table().build(0, roads=[(20, 21)]).give(0, **{**SETTLEMENT, missing: 0}, ore=5).main()
    assert refusal(state, build_settlement(20)) == "you cannot pay for it"


@pytest.mark.parametrize("missing", ["wheat", "ore"])
def test_costs_a_city_is_two_wheat_and_three_ore(missing: str) -> None:
    state = Table().build(0, settlements=[20]).give(0, **{**CITY, missing: CITY[missing] - 1}, wood=5).main()
    assert refusal(state, build_city(20)) == "you cannot pay for it"


@pytest.mark.parametrize("missing", ["sheep", "wheat", "ore"])
def test_costs_a_development_card_is_sheep_wheat_and_ore(missing: str) -> None:
    state = Table().give(0, **{**DEV_CARD, missing: 0}, wood=5).main()
    assert refusal(state, buy_dev_card()) == "you cannot pay for it"


# --- pieces -----------------------------------------------------------------------------------------------


def test_pieces_15_roads() -> None:
    fourteen = chain(0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45)
    state = Table().build(0, settlements=[0], roads=fourteen).give(0, wood=2, brick=2).main()
    state = play(state, build_road((45, 53)))
    assert len(state.players[0].roads) == 15
    assert legal(state, "build_road") == []
    assert refusal(state, build_road((52, 53))) == "you have no road left (15 in all)"


def test_pieces_5_settlements() -> None:
    state = (
        Table()
        .build(0, settlements=[1, 3, 5, 14], roads=[(20, 21), (21, 22)])
        .give(0, wood=2, brick=2, sheep=2, wheat=2)
        .main()
    )
    state = play(state, build_settlement(20))
    assert state.players[0].settlements == {1, 3, 5, 14, 20}
    assert legal(state, "build_settlement") == []
    assert refusal(state, build_settlement(22)) == "you have no settlement left (5 in all)"


def test_pieces_4_cities() -> None:
    state = Table().build(0, settlements=[14, 20], cities=[1, 3, 5]).give(0, wheat=4, ore=6).main()
    state = play(state, build_city(14))
    assert state.players[0].cities == {1, 3, 5, 14}
    assert legal(state, "build_city") == []
    assert refusal(state, build_city(20)) == "you have no city left (4 in all)"


def test_pieces_a_city_returns_its_settlement() -> None:
    table = Table().build(0, settlements=[1, 3, 5, 14, 20], roads=[(21, 22)])
    state = table.give(0, wood=1, brick=1, sheep=1, wheat=3, ore=3).main()
    assert refusal(state, build_settlement(22)) == "you have no settlement left (5 in all)"
    state = play(state, build_city(1), build_settlement(22))
    assert state.players[0].cities == {1}
    assert state.players[0].settlements == {3, 5, 14, 20, 22}
    assert points(state)[0] == 7


# --- set-up -----------------------------------------------------------------------------------------------


def test_setup_snake_order() -> None:
    state = GameState.new(Board.beginner(), seats=3)
    assert state.setup_order == [0, 1, 2, 2, 1, 0]
    order = []
    for corner, road in ((1, (0, 1)), (3, (2, 3)), (5, (4, 5)), (20, (20, 21)), (22, (22, 23)), (24, (24, 25))):
        order.append(state.actor)
        state = play(state, place_setup_settlement(corner))
        assert state.actor == order[-1]
        state = play(state, place_setup_road(road))
    assert order == [0, 1, 2, 2, 1, 0]
    assert (state.phase, state.actor, state.turn_number) == ("TURN_START", 0, 1)
    assert [player.settlements for player in state.players] == [{1, 24}, {3, 22}, {5, 20}]
    assert points(state) == [2, 2, 2]


def _second_round() -> GameState:
    """Two players; P2 is about to place the second settlement, on a free island but for 1 and 53."""
    opening = (place_setup_settlement(1), place_setup_road((0, 1)), place_setup_settlement(53), place_setup_road((52, 53)))
    return play(GameState.new(Board.beginner(), seats=2), *opening)


def test_setup_first_settlement_yields_nothing() -> None:
    state = _second_round()
    assert [player.hand_size for player in state.players] == [0, 0]


@pytest.mark.parametrize(
    ("corner", "cards"),
    [
        (11, {"sheep": 2, "brick": 1}),  # between hexes 1, 4 and 5
        (18, {"wheat": 2, "wood": 1}),  # between hexes 3, 7 and 8
        (20, {"brick": 1, "wood": 1}),  # at the desert
        (14, {"wood": 1, "brick": 1}),  # on the coast, at two hexes
        (26, {"ore": 1}),  # on the coast, at one hex
    ],
)
def test_setup_second_settlement_yields_one_card_per_adjacent_hex(corner: int, cards: dict[str, int]) -> None:
    state = play(_second_round(), place_setup_settlement(corner))
    assert hand(state, 1) == cards
    assert bank(state) == {resource: 19 - cards.get(resource, 0) for resource in RESOURCES}


def test_setup_road_touches_the_settlement_just_placed() -> None:
    state = play(_second_round(), place_setup_settlement(20))
    assert state.setup_corner == 20
    assert legal(state) == ["place_setup_road 19-20", "place_setup_road 20-21", "place_setup_road 20-31"]
    at_the_first = refusal(state, place_setup_road((45, 53)))
    assert at_the_first == "road 45-53 does not touch the settlement just placed"


def test_setup_distance_rule() -> None:
    state = play(GameState.new(Board.beginner()), place_setup_settlement(20), place_setup_road((20, 21)))
    assert len(state.legal_actions()) == 54 - 4
    assert refusal(state, place_setup_settlement(20)) == "corner 20 is taken"
    for corner in (19, 21, 31):
        assert (
            refusal(state, place_setup_settlement(corner))
            == f"corner {corner} is next to another settlement or city (distance rule)"
        )
    assert state.is_legal(place_setup_settlement(22))


def test_setup_settlement_and_road_alternate() -> None:
    state = GameState.new(Board.beginner())
    waits = "place_setup_road 20-21 is not possible now: the game waits for SETUP_SETTLEMENT"
    assert refusal(state, place_setup_road((20, 21))) == waits
    state = play(state, place_setup_settlement(20))
    waits = "place_setup_settlement 1 is not possible now: the game waits for SETUP_ROAD"
    assert refusal(state, place_setup_settlement(1)) == waits


# --- the roll and production ------------------------------------------------------------------------------


def test_roll_is_the_sum_of_two_dice() -> None:
    state = play(Table().turn_start(), roll_dice())
    assert state.actor == "chance"
    ways = dict(zip(range(2, 13), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1), strict=True))
    assert state.outcomes() == [(rolled(total), Fraction(n, 36)) for total, n in ways.items()]


def test_roll_comes_first() -> None:
    table = Table().build(0, settlements=[20]).give(0, wood=4, brick=1)
    state = table.turn_start()
    assert legal(state) == ["roll_dice"]
    for action in (build_road((20, 21)), trade_bank("wood", "ore"), end_turn(), offer_trade({"wood": 1}, {"ore": 1})):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for TURN_START"
    assert refusal(state, rolled(6)) == "rolled 6 is not a player's choice: chance decides it"


def test_roll_only_once_a_turn() -> None:
    assert refusal(Table().main(), roll_dice()) == "roll_dice is not possible now: the game waits for MAIN"


def test_production_settlement_1_city_2() -> None:
    table = Table(seats=3).build(0, settlements=[25, 40]).build(1, cities=[37]).build(2, settlements=[20])
    state = roll(table.turn_start(), 8)
    assert hand(state, 0) == {"ore": 1, "wood": 1}
    assert hand(state, 1) == {"ore": 2}
    assert hand(state, 2) == {}
    assert bank(state) == {"wood": 18, "brick": 19, "sheep": 19, "wheat": 19, "ore": 16}
    assert (state.phase, state.dice_roll) == ("MAIN", 8)


def test_production_every_building_at_the_hex_counts() -> None:
    state = roll(Table().build(0, settlements=[25, 37], cities=[35]).turn_start(), 8)
    assert hand(state, 0) == {"ore": 4}


def test_production_none_on_the_robbers_hex() -> None:
    state = roll(Table().build(0, settlements=[25, 40]).robber(11).turn_start(), 8)
    assert hand(state, 0) == {"wood": 1}


def test_production_none_at_all_if_the_robber_stands_on_the_only_hex() -> None:
    state = roll(Table().build(0, settlements=[11]).robber(1).turn_start(), 2)
    assert (state.phase, hand(state, 0)) == ("MAIN", {})


def test_production_also_for_others_than_the_roller() -> None:
    state = roll(Table().build(3, settlements=[25]).turn_start(player=1), 8)
    assert hand(state, 3) == {"ore": 1}


# --- bank shortage ----------------------------------------------------------------------------------------


def test_bank_shortage_several_claimants_nobody_gets_it() -> None:
    table = Table().build(0, cities=[25]).build(1, settlements=[37, 40]).give(2, ore=17)
    state = roll(table.turn_start(), 8)
    assert hand(state, 0) == {}
    assert hand(state, 1) == {"wood": 1}, "other resources are not affected"
    assert bank(state)["ore"] == 2


def test_bank_shortage_exactly_enough_is_paid_to_all() -> None:
    table = Table().build(0, cities=[25]).build(1, settlements=[37]).give(2, ore=16)
    state = roll(table.turn_start(), 8)
    assert (hand(state, 0), hand(state, 1)) == ({"ore": 2}, {"ore": 1})
    assert bank(state)["ore"] == 0


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_bank_shortage_single_claimant_takes_what_is_left(left: int) -> None:
    table = Table().build(0, settlements=[37], cities=[25]).build(1, settlements=[20]).give(2, ore=19 - left)
    state = roll(table.turn_start(player=1), 8)
    assert hand(state, 0) == ({"ore": left} if left else {})
    assert bank(state)["ore"] == 0


def test_all_or_nothing_bank_blocks_a_single_claimant_too() -> None:
    table = Table(rules=Rules(all_or_nothing_bank=True)).build(0, settlements=[37], cities=[25]).give(2, ore=17)
    state = roll(table.turn_start(), 8)
    assert hand(state, 0) == {}
    assert bank(state)["ore"] == 2


def test_all_or_nothing_bank_pays_when_there_is_enough() -> None:
    table = Table(rules=Rules(all_or_nothing_bank=True)).build(0, settlements=[37], cities=[25]).give(2, ore=16)
    assert hand(roll(table.turn_start(), 8), 0) == {"ore": 3}


# --- a seven ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "discarded"), [(7, 0), (8, 4), (9, 4), (10, 5), (15, 7)])
def test_seven_more_than_7_cards_discard_half_rounded_down(cards: int, discarded: int) -> None:
    state = roll(Table().give(1, wood=cards).turn_start(), 7)
    assert state.position()["discards"] == [0, discarded, 0, 0]
    assert state.phase == ("ROBBER_DISCARD" if discarded else "ROBBER_MOVE")
    state = play(state, *[discard_resource("wood")] * discarded)
    assert hand(state, 1) == {"wood": cards - discarded}
    assert bank(state)["wood"] == 19 - cards + discarded
    assert (state.phase, state.actor) == ("ROBBER_MOVE", 0)


def test_seven_everyone_over_the_limit_discards_from_the_roller_clockwise() -> None:
    state = roll(Table().give(0, wood=8).give(1, ore=7).give(2, brick=9).give(3, sheep=10).turn_start(player=2), 7)
    order = []
    assert state.discard_queue == [2, 3, 0]
    while state.phase == "ROBBER_DISCARD":
        order.append(state.actor)
        state = play(state, state.legal_actions()[0])
    assert order == [2] * 4 + [3] * 5 + [0] * 4
    assert state.actor == 2


def test_seven_discards_by_own_choice() -> None:
    state = roll(Table().give(0, wood=5, sheep=1, ore=2).turn_start(), 7)
    assert legal(state) == ["discard_resource wood", "discard_resource sheep", "discard_resource ore"]
    assert refusal(state, discard_resource("brick")) == "these cards are not in the hand of player 1"
    state = play(state, discard_resource("sheep"))
    assert refusal(state, discard_resource("sheep")) == "these cards are not in the hand of player 1"
    state = play(state, discard_resource("ore"), discard_resource("wood"), discard_resource("ore"))
    assert hand(state, 0) == {"wood": 4}


def test_seven_yields_no_production_and_the_robber_moves_without_discards() -> None:
    state = roll(Table().build(0, settlements=[25]).turn_start(), 7)
    assert (state.phase, state.actor) == ("ROBBER_MOVE", 0)
    assert [player.hand_size for player in state.players] == [0, 0, 0, 0]


def test_discard_limit_sets_how_many_cards_are_safe() -> None:
    rules = Rules(discard_limit=9)
    assert roll(Table(rules=rules).give(1, wood=9).turn_start(), 7).discard_queue == []
    assert roll(Table(rules=rules).give(1, wood=10).turn_start(), 7).position()["discards"] == [0, 5, 0, 0]
    assert roll(Table(rules=Rules(discard_limit=1)).give(1, wood=3).turn_start(), 7).position()["discards"] == [0, 1, 0, 0]


# --- the robber -------------------------------------------------------------------------------------------


def test_robber_must_move_to_another_hex() -> None:
    state = roll(Table().robber(4).turn_start(), 7)
    assert legal(state) == [f"move_robber {h}" for h in range(19) if h != 4]
    assert refusal(state, move_robber(4)) == "the robber must move to another hex"


def test_robber_may_go_to_the_desert() -> None:
    state = play(roll(Table().robber(4).turn_start(), 7), move_robber(9))
    assert state.robber_hex == 9
    assert state.phase == "MAIN"


def test_robber_steals_one_random_card() -> None:
    table = Table().build(0, settlements=[11]).build(1, settlements=[19]).give(1, wood=2, ore=1)
    state = play(roll(table.turn_start(), 7), move_robber(4), steal_resource(1))
    assert state.actor == "chance"
    assert state.outcomes() == [(stolen("wood"), Fraction(2, 3)), (stolen("ore"), Fraction(1, 3))]
    assert refusal(state, stolen("brick")) == "stolen brick cannot happen here"
    state = play(state, stolen("ore"))
    assert (hand(state, 0), hand(state, 1)) == ({"ore": 1}, {"wood": 2})
    assert (state.phase, state.actor) == ("MAIN", 0)


def test_robber_steals_from_one_player_with_a_building_there() -> None:
    """At hex 4 stand the roller himself, P2 with a settlement and P3 with a city; P4 has built elsewhere."""
    table = Table().build(0, settlements=[11]).build(1, settlements=[20]).build(2, cities=[9]).build(3, settlements=[25])
    for seat in range(4):
        table.give(seat, wood=1)
    state = play(roll(table.turn_start(), 7), move_robber(4))
    assert (state.phase, state.actor) == ("ROBBER_STEAL", 0)
    assert state.pending_steal_target_ids == [1, 2]
    assert legal(state) == ["steal_resource P2", "steal_resource P3"]
    assert refusal(state, steal_resource(0)) == "player 1 cannot be robbed on this hex"
    assert refusal(state, steal_resource(3)) == "player 4 cannot be robbed on this hex"
    assert refusal(state, skip_steal()) == "there is somebody to rob"
    state = play(state, steal_resource(2), stolen("wood"))
    assert [player.hand_size for player in state.players] == [2, 1, 0, 1]


def test_robber_steals_nothing_where_nobody_else_has_built() -> None:
    table = Table().build(0, settlements=[11]).build(1, settlements=[25]).give(1, wood=1)
    state = play(roll(table.turn_start(), 7), move_robber(4))
    assert (state.phase, state.actor) == ("MAIN", 0)
    assert hand(state, 0) == {}


def test_robber_victim_without_cards_yields_nothing() -> None:
    table = Table().build(1, settlements=[19]).build(2, settlements=[11]).give(2, ore=2)
    state = play(roll(table.turn_start(), 7), move_robber(4))
    assert legal(state) == ["steal_resource P2", "steal_resource P3"]
    state = play(state, steal_resource(1))
    assert (state.phase, state.actor) == ("MAIN", 0)
    assert hand(state, 0) == {}
    assert hand(state, 2) == {"ore": 2}


def test_robber_moves_for_a_knight_without_discards() -> None:
    table = Table().cards(0, knight=1).give(0, wood=9).build(1, settlements=[20]).give(1, ore=9)
    state = play(table.main(), play_knight())
    assert (state.phase, state.actor) == ("ROBBER_MOVE", 0)
    assert refusal(state, move_robber(9)) == "the robber must move to another hex"
    state = play(state, move_robber(4), steal_resource(1), stolen("ore"))
    assert hand(state, 0) == {"wood": 9, "ore": 1}
    assert hand(state, 1) == {"ore": 8}
    assert (state.phase, state.robber_hex) == ("MAIN", 4)


def test_robber_moves_twice_for_a_knight_and_a_seven() -> None:
    table = Table().cards(0, knight=1).build(1, settlements=[20]).give(1, wood=1, ore=1)
    state = play(table.turn_start(), play_knight(4, victim=1), stolen("ore"))
    state = play(roll(state, 7), move_robber(8), steal_resource(1), stolen("wood"))
    assert (state.phase, hand(state, 0), hand(state, 1)) == ("MAIN", {"wood": 1, "ore": 1}, {})


def test_friendly_robber_keeps_away_from_players_with_fewer_than_3_visible_points() -> None:
    """P2 has 2 visible points (a hidden one does not count), P3 has 3."""
    rules = Rules(friendly_robber=True)
    table = (
        Table(seats=3, rules=rules)
        .build(0, cities=[1, 3])
        .build(1, settlements=[20, 45])
        .build(2, settlements=[35], cities=[40])
    )
    state = roll(table.cards(1, victory_point=1).turn_start(), 7)
    # P2's hexes: 4, 8, 9 around corner 20 and 15, 18 at corner 45
    assert legal(state) == [f"move_robber {h}" for h in range(19) if h not in (4, 8, 9, 15, 18)]
    assert refusal(state, move_robber(4)) == "hex 4 is next to a player with fewer than 3 visible points (friendly robber)"
    assert refusal(state, move_robber(15)) == "hex 15 is next to a player with fewer than 3 visible points (friendly robber)"
    state = play(state, move_robber(11))
    assert legal(state) == ["steal_resource P3"]


def test_friendly_robber_also_protects_the_player_who_moves_it() -> None:
    """P1, who moves it, has two points and stands at hexes 4, 8 and 9; the robber leaves 9, the desert."""
    table = Table(seats=2, rules=Rules(friendly_robber=True)).build(0, settlements=[20]).build(1, cities=[1, 3])
    state = roll(table.turn_start(), 7)
    assert legal(state) == [f"move_robber {h}" for h in range(19) if h not in (4, 8, 9)]


def test_friendly_robber_also_restrains_a_knight() -> None:
    table = (
        Table(seats=2, rules=Rules(friendly_robber=True)).build(0, cities=[1, 3]).build(1, settlements=[20]).cards(0, knight=1)
    )
    state = play(table.main(), play_knight())
    assert refusal(state, move_robber(4)) == "hex 4 is next to a player with fewer than 3 visible points (friendly robber)"


def test_friendly_robber_may_go_anywhere_else_if_no_hex_is_left() -> None:
    """Six settlements of players with 2 points touch all hexes but the robber's own, the desert."""
    table = Table(rules=Rules(friendly_robber=True)).build(0, cities=[0, 50])
    table.build(1, settlements=[10, 13]).build(2, settlements=[18, 35]).build(3, settlements=[40, 43])
    state = roll(table.turn_start(), 7)
    assert legal(state) == [f"move_robber {h}" for h in range(19) if h != 9]
    assert refusal(state, move_robber(9)) == "the robber must move to another hex"


def test_friendly_robber_is_off_by_default() -> None:
    state = roll(Table().build(1, settlements=[20]).turn_start(), 7)
    assert state.is_legal(move_robber(4))


# --- maritime trade ---------------------------------------------------------------------------------------


def test_maritime_trade_4_to_1_without_a_harbour() -> None:
    state = Table().build(0, settlements=[20]).give(0, wood=5).main()
    assert legal(state, "trade_bank") == [f"trade_bank 4 wood for {r}" for r in ("brick", "sheep", "wheat", "ore")]
    for rate in (2, 3):
        assert refusal(state, trade_bank("wood", "ore", rate)) == "you have no harbour with that rate"
    state = play(state, trade_bank("wood", "ore", 4))
    assert hand(state, 0) == {"wood": 1, "ore": 1}
    assert bank(state) == {"wood": 18, "brick": 19, "sheep": 19, "wheat": 19, "ore": 18}


@pytest.mark.parametrize("corner", [0, 1, 26, 37, 50, 51, 47, 48])
def test_maritime_trade_3_to_1_at_a_generic_harbour(corner: int) -> None:
    state = Table().build(0, settlements=[corner]).give(0, sheep=3).main()
    assert legal(state, "trade_bank") == [f"trade_bank 3 sheep for {r}" for r in ("wood", "brick", "wheat", "ore")]
    assert refusal(state, trade_bank("sheep", "ore", 2)) == "you have no harbour with that rate"
    assert hand(play(state, trade_bank("sheep", "ore", 3)), 0) == {"ore": 1}


@pytest.mark.parametrize(
    ("corner", "resource"), [(7, "wood"), (17, "wood"), (28, "brick"), (45, "sheep"), (3, "wheat"), (14, "ore")]
)
def test_maritime_trade_2_to_1_at_the_matching_harbour(corner: int, resource: str) -> None:
    other = "wood" if resource != "wood" else "ore"
    state = Table().build(0, settlements=[corner]).give(0, **{resource: 2, other: 3}).main()
    assert legal(state, "trade_bank") == [f"trade_bank 2 {resource} for {r}" for r in RESOURCES if r != resource]
    assert refusal(state, trade_bank(other, resource, 2)) == "you have no harbour with that rate"
    assert refusal(state, trade_bank(other, resource, 3)) == "you have no harbour with that rate"
    assert hand(play(state, trade_bank(resource, other, 2)), 0) == {other: 4}


def test_maritime_trade_at_any_rate_the_player_qualifies_for() -> None:
    state = Table().build(0, settlements=[0], cities=[17]).give(0, wood=4).main()
    assert state.players[0].ports == {"3:1", "wood"}
    for rate in (2, 3, 4):
        assert hand(play(state, trade_bank("wood", "ore", rate)), 0) == {"ore": 1} | ({"wood": 4 - rate} if rate < 4 else {})


def test_maritime_trade_needs_an_own_building_at_the_harbour() -> None:
    """P1 has a road to the wood harbour, P2 the settlement at it."""
    state = Table().build(0, settlements=[19], roads=chain(19, 18, 17)).build(1, settlements=[7]).give(0, wood=2).main()
    assert legal(state, "trade_bank") == []
    assert refusal(state, trade_bank("wood", "ore", 2)) == "you have no harbour with that rate"


def test_maritime_trade_needs_the_cards_on_both_sides() -> None:
    state = Table().give(0, wood=4, sheep=3).give(1, ore=19).main()
    assert refusal(state, trade_bank("wood", "ore")) == "the supply does not hold these cards"
    assert refusal(state, trade_bank("sheep", "wood")) == "you cannot pay for it"
    assert refusal(state, trade_bank("wood", "wood")) == "a resource cannot be traded for itself"


# --- domestic trade ---------------------------------------------------------------------------------------


def _market(**rules: int) -> Table:
    """P1 holds two wood, P2 two ore, P3 one ore and a sheep, P4 nothing."""
    return Table(rules=Rules(**rules)).give(0, wood=2).give(1, ore=2).give(2, ore=1, sheep=1)


def test_domestic_trade_only_after_the_roll() -> None:
    state = _market().turn_start()
    waits = "offer_trade 1 wood for 1 ore is not possible now: the game waits for TURN_START"
    assert refusal(state, offer_trade({"wood": 1}, {"ore": 1})) == waits
    assert _market().main().is_legal(offer_trade({"wood": 1}, {"ore": 1}))


def test_domestic_trade_all_others_answer_clockwise() -> None:
    state = play(Table().give(2, wood=1).main(player=2), offer_trade({"wood": 1}, {"ore": 1}))
    answering = []
    while state.phase == "TRADE_ANSWER":
        answering.append(state.actor)
        state = play(state, decline_offer())
    assert answering == [3, 0, 1]


def test_domestic_trade_offer_answers_choice_of_partner() -> None:
    state = play(_market().main(), offer_trade({"wood": 2}, {"ore": 1}))
    assert state.position()["offer"] == {"give": {"wood": 2}, "receive": {"ore": 1}, "answers": [None, None, None, None]}
    state = play(state, accept_offer(), accept_offer(), decline_offer())
    assert (state.phase, state.actor) == ("TRADE_CHOICE", 0)
    assert state.position()["offer"]["answers"] == [None, "accepted", "accepted", "declined"]
    assert legal(state) == ["confirm_trade P2", "confirm_trade P3", "cancel_offer"]
    assert refusal(state, confirm_trade(3)) == "player 4 has not accepted the offer"
    state = play(state, confirm_trade(2))
    assert [hand(state, seat) for seat in range(4)] == [{"ore": 1}, {"ore": 2}, {"wood": 2, "sheep": 1}, {}]
    assert (state.phase, state.actor) == ("MAIN", 0)
    assert state.position()["offer"] is None
    assert bank(state) == {"wood": 17, "brick": 19, "sheep": 18, "wheat": 19, "ore": 16}


def test_domestic_trade_others_may_only_accept_or_decline() -> None:
    """Only the player whose turn it is trades: no counter-offers, no trade among the others."""
    state = play(_market().main(), offer_trade({"wood": 1}, {"ore": 1}))
    assert state.actor == 1
    assert legal(state) == ["accept_offer", "decline_offer"]
    waits = "offer_trade 1 ore for 2 wood is not possible now: the game waits for TRADE_ANSWER"
    assert refusal(state, offer_trade({"ore": 1}, {"wood": 2})) == waits
    assert refusal(state, confirm_trade(1)) == "confirm_trade P2 is not possible now: the game waits for TRADE_ANSWER"


def test_domestic_trade_the_accepting_player_must_hold_the_cards() -> None:
    state = play(_market().main(), offer_trade({"wood": 1}, {"ore": 2}), accept_offer())
    assert state.actor == 2
    assert legal(state) == ["decline_offer"]
    assert refusal(state, accept_offer()) == "these cards are not in the hand of player 3"


def test_domestic_trade_the_offering_player_must_hold_the_cards() -> None:
    state = _market().main()
    assert refusal(state, offer_trade({"wood": 3}, {"ore": 1})) == "these cards are not in the hand of player 1"
    assert refusal(state, offer_trade({"wood": 1, "brick": 1}, {"ore": 1})) == "these cards are not in the hand of player 1"


def test_domestic_trade_no_gifts() -> None:
    state = _market().main()
    assert refusal(state, offer_trade({"wood": 1}, {})) == "both sides must give something"
    assert refusal(state, offer_trade({}, {"ore": 1})) == "both sides must give something"
    assert refusal(state, offer_trade({}, {})) == "both sides must give something"


def test_domestic_trade_no_resource_on_both_sides() -> None:
    with pytest.raises(InvalidAction, match="wood: a resource cannot be on both sides of a trade"):
        offer_trade({"wood": 2}, {"wood": 1, "ore": 1})


def test_domestic_trade_of_any_bundle() -> None:
    state = Table().give(0, wood=3, brick=2, wheat=1).give(3, ore=2, sheep=2).main()
    state = play(state, offer_trade({"wood": 3, "brick": 1}, {"ore": 2, "sheep": 1}))
    state = play(state, decline_offer(), decline_offer(), accept_offer(), confirm_trade(3))
    assert hand(state, 0) == {"brick": 1, "sheep": 1, "wheat": 1, "ore": 2}
    assert hand(state, 3) == {"wood": 3, "brick": 1, "sheep": 1}


def test_domestic_trade_nobody_accepts() -> None:
    state = play(_market().main(), offer_trade({"wood": 1}, {"ore": 1}), decline_offer(), decline_offer(), decline_offer())
    assert (state.phase, state.actor) == ("MAIN", 0)
    assert state.position()["offer"] is None
    assert hand(state, 0) == {"wood": 2}


def test_domestic_trade_may_be_cancelled() -> None:
    state = play(_market().main(), offer_trade({"wood": 1}, {"ore": 1}), accept_offer(), accept_offer(), decline_offer())
    state = play(state, cancel_offer())
    assert (state.phase, state.actor) == ("MAIN", 0)
    assert [hand(state, seat) for seat in range(4)] == [{"wood": 2}, {"ore": 2}, {"sheep": 1, "ore": 1}, {}]


def test_domestic_trade_four_offers_a_turn() -> None:
    no_deal = (offer_trade({"wood": 1}, {"ore": 1}), decline_offer(), decline_offer(), decline_offer())
    state = play(_market().main(), *no_deal, *no_deal, *no_deal)
    assert state.is_legal(no_deal[0])
    state = play(state, *no_deal)
    assert legal(state, "offer_trade") == []
    assert refusal(state, no_deal[0]) == "no more offers this turn"
    state = next_turn(state)
    assert state.is_legal(offer_trade({"ore": 1}, {"wood": 1})), "the next player has offers of his own"


def test_domestic_trade_made_counts_as_an_offer_too() -> None:
    state = play(_market(offer_limit=1).main(), trade_player(1, {"wood": 1}, {"ore": 1}))
    assert refusal(state, offer_trade({"wood": 1}, {"ore": 1})) == "no more offers this turn"


def test_offer_limit_0_leaves_no_offers() -> None:
    state = _market(offer_limit=0).main()
    assert legal(state) == ["end_turn"]
    assert refusal(state, offer_trade({"wood": 1}, {"ore": 1})) == "no more offers this turn"


def test_domestic_trade_can_be_switched_off() -> None:
    state = _market(domestic_trade=False).main()
    assert legal(state) == ["end_turn"]
    assert refusal(state, offer_trade({"wood": 1}, {"ore": 1})) == "trade between players is off in this game"


def test_domestic_trade_lists_small_offers() -> None:
    one = {f"offer_trade 1 wood for {n} {r}" for n in (1, 2) for r in ("brick", "sheep", "wheat", "ore")}
    two = {f"offer_trade 2 wood for 1 {r}" for r in ("brick", "sheep", "wheat", "ore")}
    assert set(legal(Table().give(0, wood=1).main(), "offer_trade")) == one
    assert set(legal(Table().give(0, wood=2).main(), "offer_trade")) == one | two


# --- building ---------------------------------------------------------------------------------------------


def test_roads_continue_the_own_network() -> None:
    state = (
        Table().build(0, settlements=[20], roads=[(20, 21)]).build(1, settlements=[1], roads=[(1, 2)]).give(0, **ROAD).main()
    )
    expected = ["11-21", "19-20", "20-31", "21-22"]
    assert legal(state, "build_road") == [f"build_road {edge}" for edge in expected]
    assert refusal(state, build_road((17, 18))) == "road 17-18 does not touch your network"
    assert refusal(state, build_road((2, 3))) == "road 2-3 does not touch your network"
    assert refusal(state, build_road((20, 21))) == "there is a road on 20-21 already"
    assert refusal(state, build_road((1, 2))) == "there is a road on 1-2 already"


def test_building_past_an_enemy_settlement_is_not_allowed() -> None:
    """P1's road 0-1-2 ends at P2's settlement on corner 2."""
    state = Table().build(0, settlements=[0], roads=chain(0, 1, 2)).build(1, settlements=[2]).give(0, **ROAD).main()
    assert legal(state, "build_road") == ["build_road 0-8"]
    assert refusal(state, build_road((2, 3))) == "road 2-3 cannot continue through another player's building"
    assert refusal(state, build_road((2, 10))) == "road 2-10 cannot continue through another player's building"


def test_building_past_an_enemy_city_is_not_allowed() -> None:
    state = Table().build(0, settlements=[0], roads=chain(0, 1, 2)).build(1, cities=[2]).give(0, **ROAD).main()
    assert legal(state, "build_road") == ["build_road 0-8"]


def test_building_past_an_enemy_settlement_is_not_allowed_for_free_roads_either() -> None:
    table = Table().build(0, settlements=[0], roads=chain(0, 1, 2)).build(1, settlements=[2]).cards(0, road_building=1)
    state = play(table.main(), play_road_building())
    assert legal(state) == ["place_free_road 0-8", "end_road_building"]
    assert refusal(state, place_free_road((2, 3))) == "road 2-3 cannot continue through another player's building"


def test_building_up_to_an_enemy_settlement_from_both_sides_is_allowed() -> None:
    table = Table().build(0, settlements=[0, 4], roads=[*chain(0, 1, 2), (3, 4)]).build(1, settlements=[2])
    state = table.give(0, **ROAD).main()
    assert "build_road 2-3" in legal(state)
    assert play(state, build_road((2, 3))).longest_road_length_for_player(0) == 2


def test_building_past_an_own_settlement_or_a_foreign_road_is_allowed() -> None:
    table = Table().build(0, settlements=[0, 2], roads=chain(0, 1, 2)).build(1, roads=[(2, 10)], settlements=[9])
    state = table.give(0, **ROAD).main()
    assert legal(state, "build_road") == ["build_road 0-8", "build_road 2-3"]


def test_settlements_need_an_own_road_and_distance() -> None:
    """P1's road runs 20-21-22-23; P2 sits on 24, next to its end."""
    table = Table().build(0, settlements=[20], roads=chain(20, 21, 22, 23)).build(1, settlements=[24], roads=chain(24, 25))
    state = table.give(0, **SETTLEMENT).main()
    assert legal(state, "build_settlement") == ["build_settlement 22"]
    assert refusal(state, build_settlement(23)) == "corner 23 is next to another settlement or city (distance rule)"
    assert refusal(state, build_settlement(21)) == "corner 21 is next to another settlement or city (distance rule)"
    assert refusal(state, build_settlement(20)) == "corner 20 is taken"
    assert refusal(state, build_settlement(24)) == "corner 24 is taken"
    assert refusal(state, build_settlement(13)) == "none of your roads leads to corner 13"
    state = play(state, build_settlement(22))
    assert state.players[0].settlements == {20, 22}
    assert points(state) == [2, 1, 0, 0]


def test_settlements_keep_their_distance_from_cities_too() -> None:
    table = Table().build(0, cities=[20], roads=chain(20, 21, 22)).build(1, cities=[23]).give(0, **SETTLEMENT)
    state = table.main()
    assert legal(state, "build_settlement") == []
    assert refusal(state, build_settlement(20)) == "corner 20 is taken"
    assert refusal(state, build_settlement(23)) == "corner 23 is taken"
    assert refusal(state, build_settlement(22)) == "corner 22 is next to another settlement or city (distance rule)"


def test_cities_replace_own_settlements() -> None:
    state = Table().build(0, settlements=[20], cities=[1]).build(1, settlements=[3]).give(0, wheat=4, ore=6).main()
    assert legal(state, "build_city") == ["build_city 20"]
    for corner in (1, 3, 40):
        assert refusal(state, build_city(corner)) == f"you have no settlement on corner {corner}"
    state = play(state, build_city(20))
    assert (state.players[0].settlements, state.players[0].cities) == (set(), {1, 20})
    assert points(state) == [4, 1, 0, 0]


def test_building_comes_after_the_roll() -> None:
    state = Table().build(0, settlements=[20]).give(0, wood=5, brick=5, sheep=5, wheat=5, ore=5).turn_start()
    for action in (build_road((20, 21)), build_city(20), buy_dev_card()):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for TURN_START"


def test_turn_passes_clockwise() -> None:
    state = Table(seats=3).main(player=1)
    assert legal(state) == ["end_turn"]
    state = play(state, end_turn())
    assert (state.actor, state.phase, state.turn_number, state.dice_roll) == (2, "TURN_START", 3, None)
    state = play(next_turn(roll(state, 12)), end_turn())
    assert state.actor == 1


def test_turn_waits_for_what_it_waits_for() -> None:
    state = Table().build(0, settlements=[20]).build(1, settlements=[1]).give(0, wood=8).give(1, ore=1).main()
    others = [place_setup_settlement(40), place_setup_road((20, 21)), discard_resource("wood"), move_robber(4)]
    others += [steal_resource(1), accept_offer(), decline_offer(), confirm_trade(1), cancel_offer(), place_free_road((20, 21))]
    for action in others:
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for MAIN"
    for outcome in (rolled(8), stolen("ore"), drawn("knight")):
        assert refusal(state, outcome) == f"{outcome.to_text()} is not a player's choice: chance decides it"


# --- longest road: its length -----------------------------------------------------------------------------

HEX_4, HEX_5, HEX_9 = chain(9, 10, 11, 21, 20, 19, 9), chain(11, 12, 13, 23, 22, 21, 11), chain(20, 21, 22, 33, 32, 31, 20)
HEX_0 = chain(1, 2, 10, 9, 8, 0, 1)

#: P1's settlements, P2's settlements, P1's roads, the length of the longest.
SHAPES: dict[str, tuple[list[int], list[int], list[Edge], int]] = {
    "a chain": ([0], [], chain(0, 1, 2, 3, 4), 4),
    "a fork counts two of its arms": ([10], [], chain(10, 2, 1) + chain(10, 9, 8) + chain(10, 11, 12), 4),
    "separate roads do not add up": ([1, 50], [], chain(1, 2, 3) + chain(50, 51, 52, 53), 3),
    "a ring": ([20], [], HEX_9, 6),
    "a ring with a tail": ([20], [], HEX_9 + chain(20, 19, 18), 8),
    "a ring with two tails counts one": ([20], [], [*HEX_9, (19, 20), (22, 23)], 7),
    "two rings with a common road": ([20], [], HEX_9 + HEX_4[:3] + HEX_4[4:], 11),
    "two rings joined by a road": ([10], [], [*HEX_0, (10, 11), *HEX_5], 13),
    "from one foreign settlement to another": ([4], [2, 14], chain(2, 3, 4, 5, 6, 14), 5),
    "never through a foreign settlement": ([1, 5], [3], chain(0, 1, 2, 3, 4, 5, 6, 14), 4),
    "around a ring, back to a foreign settlement": ([20], [22], HEX_9, 6),
    "a tail does not lead around past a foreign settlement": ([20], [22], [*HEX_9, (19, 20)], 6),
    "a foreign settlement in the crossing of two rings": ([1, 12], [10], [*HEX_0, (10, 11), *HEX_5], 7),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_longest_road_length(shape: str) -> None:
    """Built road by road, in several orders."""
    own, foreign, roads, length = SHAPES[shape]
    start = (
        Table(seats=2).build(0, settlements=own).build(1, settlements=foreign).give(0, wood=len(roads), brick=len(roads)).main()
    )
    for seed in range(6):
        state, left = start, random.Random(seed).sample(roads, len(roads))
        while left:
            road = next(edge for edge in left if state.is_legal(build_road(edge)))
            left.remove(road)
            state = play(state, build_road(road))
        assert state.longest_road_length_for_player(0) == length
        assert state.longest_road_owner == (0 if length >= 5 else None)


def test_longest_road_length_does_not_count_foreign_roads() -> None:
    table = Table().build(0, settlements=[0], roads=chain(0, 1, 2)).build(1, settlements=[6], roads=chain(3, 4, 5, 6))
    state = play(table.give(0, **ROAD).main(), build_road((2, 3)))
    assert state.position()["longest_road"] == {"holder": None, "lengths": [3, 3, 0, 0]}


def test_longest_road_length_after_a_cut_counts_from_the_foreign_settlement() -> None:
    """P2 builds on corner 22 of P1's ring around hex 9 with a tail of one: 7 becomes 6, from 22 around to 22."""
    table = (
        Table(seats=2).build(0, settlements=[20], roads=[*HEX_9, (19, 20)]).build(1, settlements=[13], roads=chain(13, 23, 22))
    )
    state = table.give(1, **SETTLEMENT).main(player=1)
    assert state.longest_road_length_for_player(0) == 7
    assert play(state, build_settlement(22)).longest_road_length_for_player(0) == 6


# --- longest road: its card -------------------------------------------------------------------------------


def test_longest_road_card_to_the_first_with_5() -> None:
    table = Table().build(0, settlements=[0], roads=NORTH[:3]).give(0, wood=2, brick=2)
    state = play(table.main(), build_road(NORTH[3]))
    assert (state.longest_road_owner, state.longest_road_length, points(state)[0]) == (None, 0, 1)
    state = play(state, build_road(NORTH[4]))
    assert (state.longest_road_owner, state.longest_road_length, points(state)[0]) == (0, 5, 3)


def test_longest_road_card_stays_on_a_tie_and_goes_to_the_longer() -> None:
    table = (
        Table().build(0, settlements=[0], roads=NORTH[:5]).build(1, settlements=[47], roads=SOUTH[:4]).give(1, wood=2, brick=2)
    )
    state = play(table.main(player=1), build_road(SOUTH[4]))
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [5, 5, 0, 0]}
    state = play(state, build_road((52, 53)))
    assert state.position()["longest_road"] == {"holder": 1, "lengths": [5, 6, 0, 0]}
    assert points(state) == [1, 3, 0, 0]


def test_longest_road_card_also_for_free_roads() -> None:
    table = Table().build(0, settlements=[0], roads=NORTH[:3]).cards(0, road_building=1)
    state = play(table.turn_start(), play_road_building(NORTH[3], NORTH[4]))
    assert (state.longest_road_owner, state.phase) == (0, "TURN_START")


def _cut(north: int, south: int = 0, west: int = 0, **more: int) -> Table:
    """P1 has `north` roads along the north coast, P3 `south` and P4 `west`; P2 can build on corner 2 and cut P1's in two."""
    table = Table().build(0, settlements=[0, 6], roads=NORTH[:north]).build(1, settlements=[9], roads=chain(9, 10, 2))
    table.build(2, settlements=[47], roads=SOUTH[:south]).build(3, settlements=[27], roads=WEST[:west])
    return table.give(1, **{resource: n + more.get(resource, 0) for resource, n in SETTLEMENT.items()})


def test_longest_road_cut_but_still_longest_keeps_the_card() -> None:
    state = _cut(north=7, south=4).main(player=1)
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [7, 2, 4, 0]}
    state = play(state, build_settlement(2))
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [5, 2, 4, 0]}


def test_longest_road_cut_but_still_tied_keeps_the_card() -> None:
    state = play(_cut(north=7, south=5, west=5).main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [5, 2, 5, 5]}
    assert points(state) == [4, 2, 1, 1]


def test_longest_road_cut_single_leader_takes_the_card() -> None:
    """Even though it is not the leader's turn."""
    state = play(_cut(north=6, south=5, west=4).main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": 2, "lengths": [4, 2, 5, 4]}
    assert points(state) == [2, 2, 3, 1]


def test_longest_road_cut_by_the_single_leader() -> None:
    table = _cut(north=6).build(1, roads=chain(9, 19, 18, 29))
    state = play(table.main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": 1, "lengths": [4, 5, 0, 0]}


def test_longest_road_cut_tie_of_others_sets_the_card_aside() -> None:
    state = play(_cut(north=6, south=5, west=5).main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": None, "lengths": [4, 2, 5, 5]}
    assert points(state) == [2, 2, 1, 1]


def test_longest_road_cut_none_with_5_sets_the_card_aside() -> None:
    table = _cut(north=6, south=4).give(2, **ROAD)
    state = play(table.main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": None, "lengths": [4, 2, 4, 0]}
    state = play(next_turn(state), build_road(SOUTH[4]))
    assert state.position()["longest_road"] == {"holder": 2, "lengths": [4, 2, 5, 0]}


def test_longest_road_set_aside_until_one_player_alone_leads() -> None:
    """P3 and P4 are tied; P1, who lost the card, draws level and gets nothing, then goes ahead and takes it."""
    table = _cut(north=6, south=5, west=5).give(0, wood=2, brick=2)
    state = play(table.main(player=1), build_settlement(2))
    state = next_turn(next_turn(next_turn(state)))
    assert (state.actor, state.longest_road_owner) == (0, None)
    state = play(state, build_road((6, 14)))
    assert state.position()["longest_road"] == {"holder": None, "lengths": [5, 2, 5, 5]}
    state = play(state, build_road((14, 15)))
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [6, 2, 5, 5]}


def test_longest_road_set_aside_goes_to_one_of_the_tied_who_extends() -> None:
    table = _cut(north=6, south=5, west=5).give(2, **ROAD)
    state = next_turn(play(table.main(player=1), build_settlement(2)))
    state = play(state, build_road((52, 53)))
    assert state.position()["longest_road"] == {"holder": 2, "lengths": [4, 2, 6, 5]}


def test_longest_road_set_aside_goes_to_the_one_left_when_another_cut_breaks_the_tie() -> None:
    """P2 cuts P4's road on corner 17 as well, so that P3 alone has 5."""
    table = _cut(north=6, south=5, west=5, wood=1, brick=1, sheep=1, wheat=1).build(
        1, settlements=[29], roads=chain(29, 18, 17)
    )
    state = play(table.main(player=1), build_settlement(2))
    assert state.longest_road_owner is None
    state = play(state, build_settlement(17))
    assert state.position()["longest_road"] == {"holder": 2, "lengths": [4, 2, 5, 4]}


def test_longest_road_is_not_cut_by_own_settlements() -> None:
    state = Table().build(0, settlements=[0], roads=NORTH).give(0, **SETTLEMENT).main()
    state = play(state, build_settlement(2))
    assert state.position()["longest_road"]["lengths"][0] == 7


def test_longest_road_is_not_cut_by_a_settlement_at_its_end() -> None:
    table = Table().build(0, settlements=[6], roads=chain(2, 3, 4, 5, 6, 14)).build(1, settlements=[9], roads=chain(9, 10, 2))
    state = play(table.give(1, **SETTLEMENT).main(player=1), build_settlement(2))
    assert state.position()["longest_road"] == {"holder": 0, "lengths": [5, 2, 0, 0]}


# --- largest army -----------------------------------------------------------------------------------------


def test_largest_army_to_the_first_with_3_knights() -> None:
    table = Table().played(0, knight=1).cards(0, knight=2)
    state = play(table.main(), play_knight(4))
    assert (state.largest_army_owner, state.largest_army_size, points(state)[0]) == (None, 0, 0)
    state = next_turn(next_turn(next_turn(next_turn(state))))
    state = play(state, play_knight())
    assert (state.largest_army_owner, state.largest_army_size, points(state)[0]) == (0, 3, 2)


def test_largest_army_stays_on_a_tie_and_goes_to_strictly_more() -> None:
    table = Table(seats=2).played(0, knight=3).played(1, knight=2).cards(1, knight=2)
    state = play(table.main(player=1), play_knight(4))
    assert state.position()["largest_army"] == {"holder": 0, "sizes": [3, 3]}
    state = play(next_turn(next_turn(state)), play_knight(3))
    assert state.position()["largest_army"] == {"holder": 1, "sizes": [3, 4]}
    assert points(state) == [0, 2]


def test_largest_army_counts_played_knights_only() -> None:
    state = Table().played(0, knight=2).cards(0, knight=5).main()
    assert (state.largest_army_owner, state.players[0].played_knights) == (None, 2)


# --- development cards ------------------------------------------------------------------------------------


def test_development_cards_may_be_played_before_the_roll() -> None:
    table = (
        Table().build(0, settlements=[20]).cards(0, knight=1, victory_point=1, road_building=1, year_of_plenty=1, monopoly=1)
    )
    state = table.turn_start()
    kinds = {action.kind for action in state.legal_actions()}
    assert kinds == {"roll_dice", "play_knight", "play_road_building", "play_year_of_plenty", "play_monopoly"}
    state = play(state, play_knight(4))
    assert (state.phase, state.dice_roll) == ("TURN_START", None)
    assert legal(state) == ["roll_dice"]


def test_development_cards_not_in_the_turn_in_which_they_were_bought() -> None:
    cards = {"knight": play_knight(), "road_building": play_road_building(), "monopoly": play_monopoly("ore")}
    cards["year_of_plenty"] = play_year_of_plenty("ore", "ore")
    for card, action in cards.items():
        state = play(Table(seats=2).build(0, settlements=[20]).give(0, **DEV_CARD).main(), buy_dev_card(), drawn(card))
        assert refusal(state, action) == "a development card cannot be played in the turn in which it was bought"
        state = play(next_turn(state), end_turn())
        assert state.is_legal(action), "in the next turn, before the roll"


def test_development_cards_an_older_copy_of_a_bought_card_may_be_played() -> None:
    state = Table().cards(0, knight=1).bought(0, knight=1).main()
    state = play(state, play_knight(4))
    assert state.players[0].dev_cards == {
        "knight": 1,
        "victory_point": 0,
        "road_building": 0,
        "year_of_plenty": 0,
        "monopoly": 0,
    }
    assert state.players[0].played_knights == 1


def test_development_cards_one_a_turn() -> None:
    state = play(Table().cards(0, knight=2, monopoly=1).main(), play_knight(4))
    assert legal(state) == ["end_turn"]
    for action in (play_knight(), play_monopoly("ore")):
        assert refusal(state, action) == "only one development card may be played a turn"


def test_development_cards_one_a_turn_before_and_after_the_roll() -> None:
    state = play(Table(seats=2).cards(0, knight=2).turn_start(), play_knight(4), roll_dice(), rolled(12))
    assert refusal(state, play_knight()) == "only one development card may be played a turn"
    state = play(next_turn(state), end_turn())
    assert state.is_legal(play_knight()), "in the next turn"


def test_development_cards_that_one_does_not_have() -> None:
    state = Table().cards(1, knight=1).main()
    assert refusal(state, play_knight()) == "you do not have that development card"
    assert refusal(state, play_monopoly("ore")) == "you do not have that development card"


def test_development_cards_only_in_the_own_turn() -> None:
    state = Table().cards(1, knight=1).main(player=0)
    assert legal(state) == ["end_turn"]
    state = play(Table().cards(0, knight=1).give(0, wood=1).main(), offer_trade({"wood": 1}, {"ore": 1}))
    assert refusal(state, play_knight()) == "play_knight is not possible now: the game waits for TRADE_ANSWER"


def test_development_cards_victory_points_count_hidden_and_are_not_played() -> None:
    state = Table().build(0, settlements=[20]).cards(0, victory_point=2).bought(0, victory_point=1).main()
    assert legal(state) == ["end_turn"]
    assert (state.visible_victory_points(0), state.total_victory_points(0)) == (1, 4)
    assert refusal(state, reveal_vp()) == "reveal_vp is not possible now: the game waits for MAIN"


# --- road building ----------------------------------------------------------------------------------------


def test_road_building_two_free_roads() -> None:
    state = play(Table().build(0, settlements=[20]).cards(0, road_building=1).give(0, wood=1).main(), play_road_building())
    assert (state.phase, state.position()["free_roads"]) == ("FREE_ROADS", 2)
    roads = ["place_free_road 19-20", "place_free_road 20-21", "place_free_road 20-31"]
    assert legal(state) == [*roads, "end_road_building"]
    assert refusal(state, end_turn()) == "end_turn is not possible now: the game waits for FREE_ROADS"
    state = play(state, place_free_road((20, 21)))
    assert "place_free_road 21-22" in legal(state), "the second may continue the first"
    assert refusal(state, place_free_road((20, 21))) == "there is a road on 20-21 already"
    state = play(state, place_free_road((21, 22)))
    assert (state.phase, state.players[0].roads) == ("MAIN", {(20, 21), (21, 22)})
    assert hand(state, 0) == {"wood": 1}, "the roads are free"
    assert state.players[0].played_dev_cards["road_building"] == 1


def test_road_building_the_second_road_may_be_declined() -> None:
    state = Table().build(0, settlements=[20]).cards(0, road_building=1).main()
    state = play(state, play_road_building((20, 21)), end_road_building())
    assert (state.phase, state.players[0].roads, state.position()["free_roads"]) == ("MAIN", {(20, 21)}, 0)
    assert refusal(state, end_road_building()) == "end_road_building is not possible now: the game waits for MAIN"


def test_road_building_both_roads_may_be_declined() -> None:
    state = Table().build(0, settlements=[20]).cards(0, road_building=1).turn_start()
    state = play(state, play_road_building(), end_road_building())
    assert (state.phase, state.players[0].roads) == ("TURN_START", frozenset())
    assert state.players[0].played_dev_cards["road_building"] == 1, "the card is gone all the same"


def test_road_building_before_the_roll() -> None:
    state = Table().build(0, settlements=[20]).cards(0, road_building=1).turn_start()
    state = play(state, play_road_building((20, 21), (21, 22)))
    assert (state.phase, legal(state)) == ("TURN_START", ["roll_dice"])


def test_road_building_with_one_piece_left_places_one() -> None:
    fourteen = chain(0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45)
    state = Table().build(0, settlements=[0], roads=fourteen).cards(0, road_building=1).main()
    state = play(state, play_road_building())
    assert state.position()["free_roads"] == 1
    state = play(state, place_free_road((45, 53)))
    assert (state.phase, len(state.players[0].roads)) == ("MAIN", 15)


def test_road_building_without_a_piece_left_is_not_playable() -> None:
    fifteen = chain(0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45, 53)
    state = Table().build(0, settlements=[0], roads=fifteen).cards(0, road_building=1).main()
    assert refusal(state, play_road_building()) == "there is no place for a free road"


def test_road_building_with_one_place_left_places_one() -> None:
    """P2's roads leave P1 on corner 0 only the edge 0-1."""
    table = Table().build(0, settlements=[0]).build(1, settlements=[9], roads=[(0, 8), (1, 2)]).cards(0, road_building=1)
    state = play(table.main(), play_road_building())
    assert legal(state) == ["place_free_road 0-1", "end_road_building"]
    state = play(state, place_free_road((0, 1)))
    assert (state.phase, state.position()["free_roads"]) == ("MAIN", 0)


def test_road_building_without_a_place_is_not_playable() -> None:
    state = Table().build(0, settlements=[0]).build(1, roads=[(0, 8), (0, 1)]).cards(0, road_building=1).main()
    assert legal(state) == ["end_turn"]
    assert refusal(state, play_road_building()) == "there is no place for a free road"


# --- year of plenty and monopoly --------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [("wood", "ore"), ("ore", "wood"), ("ore", "ore")])
def test_year_of_plenty_two_cards_same_or_different(cards: tuple[str, str]) -> None:
    state = play(Table().cards(0, year_of_plenty=1).main(), play_year_of_plenty(*cards))
    assert hand(state, 0) == Counter(cards)
    assert bank(state) == {resource: 19 - cards.count(resource) for resource in RESOURCES}
    assert (state.phase, state.players[0].dev_card_count) == ("MAIN", 0)


def test_year_of_plenty_lists_all_15_pairs() -> None:
    state = Table().cards(0, year_of_plenty=1).main()
    pairs = [f"play_year_of_plenty {a} {b}" for i, a in enumerate(RESOURCES) for b in RESOURCES[i:]]
    assert legal(state, "play_year_of_plenty") == pairs
    assert refusal(state, play_year_of_plenty("ore")) == "two cards must be taken while the supply holds two"


def test_year_of_plenty_both_cards_must_be_available() -> None:
    state = Table().cards(0, year_of_plenty=1).give(1, ore=18, wood=19).main()
    assert refusal(state, play_year_of_plenty("ore", "ore")) == "the supply does not hold these cards"
    assert refusal(state, play_year_of_plenty("ore", "wood")) == "the supply does not hold these cards"
    assert hand(play(state, play_year_of_plenty("ore", "brick")), 0) == {"brick": 1, "ore": 1}


def test_year_of_plenty_takes_one_card_only_if_the_whole_supply_holds_one() -> None:
    table = Table().cards(0, year_of_plenty=1).give(1, wood=19, brick=19, sheep=19).give(2, wheat=19, ore=18)
    state = table.main()
    assert legal(state, "play_year_of_plenty") == ["play_year_of_plenty ore"]
    assert refusal(state, play_year_of_plenty("wood")) == "the supply does not hold these cards"
    assert hand(play(state, play_year_of_plenty("ore")), 0) == {"ore": 1}


def test_year_of_plenty_takes_the_last_two_cards_of_the_supply() -> None:
    table = Table().cards(0, year_of_plenty=1).give(1, wood=18, brick=19, sheep=19).give(2, wheat=19, ore=18)
    state = table.main()
    assert legal(state, "play_year_of_plenty") == ["play_year_of_plenty wood ore"]
    assert refusal(state, play_year_of_plenty("ore")) == "two cards must be taken while the supply holds two"


def test_monopoly_takes_all_cards_of_one_resource_from_all_others() -> None:
    table = Table().cards(0, monopoly=1).give(0, ore=1).give(1, ore=3, wood=2).give(2, wood=4).give(3, ore=1)
    state = play(table.main(), play_monopoly("ore"))
    assert [hand(state, seat) for seat in range(4)] == [{"ore": 5}, {"wood": 2}, {"wood": 4}, {}]
    assert bank(state)["ore"] == 14
    assert state.phase == "MAIN"


def test_monopoly_may_take_nothing() -> None:
    state = Table().cards(0, monopoly=1).give(1, wood=1).main()
    assert legal(state, "play_monopoly") == [f"play_monopoly {resource}" for resource in RESOURCES]
    state = play(state, play_monopoly("ore"))
    assert [player.hand_size for player in state.players] == [0, 1, 0, 0]


# --- winning ----------------------------------------------------------------------------------------------


def _nine_points(rules: Rules = Rules(), player: int = 0) -> Table:  # noqa: B008
    """Four cities and a settlement, and a road to corner 37 for the tenth point."""
    return Table(rules=rules).build(player, cities=[1, 3, 5, 14], settlements=[25], roads=chain(25, 26, 37))


def test_winning_with_10_points_at_once() -> None:
    state = _nine_points().give(0, **SETTLEMENT).main()
    assert (points(state)[0], state.outcome) == (9, None)
    state = play(state, build_settlement(37))
    assert (state.phase, state.actor, state.winner_id) == ("GAME_OVER", None, 0)
    assert state.outcome == Outcome("victory", 0)
    assert state.legal_actions() == []
    assert refusal(state, end_turn()) == "the game is over"


def test_winning_hidden_victory_points_count() -> None:
    table = Table().build(0, cities=[1, 3, 5, 14], roads=chain(25, 26)).cards(0, victory_point=1).give(0, **SETTLEMENT)
    state = play(table.main(), build_settlement(25))
    assert (state.visible_victory_points(0), state.total_victory_points(0)) == (9, 10)
    assert state.outcome == Outcome("victory", 0)


def test_winning_with_a_victory_point_just_bought() -> None:
    state = play(_nine_points().give(0, **DEV_CARD).main(), buy_dev_card())
    assert state.outcome is None
    assert play(state, drawn("knight")).outcome is None
    assert play(state, drawn("victory_point")).outcome == Outcome("victory", 0)


def test_winning_with_the_largest_army_before_the_robber_moves() -> None:
    table = Table().build(0, cities=[1, 3, 5, 14]).played(0, knight=2).cards(0, knight=1)
    state = play(table.turn_start(), play_knight())
    assert state.outcome == Outcome("victory", 0)
    assert state.robber_hex == 9


def test_winning_with_the_first_of_two_free_roads() -> None:
    table = Table().build(0, cities=[1, 3, 5, 14], roads=NORTH[:4]).cards(0, road_building=1)
    state = play(table.main(), play_road_building(NORTH[4]))
    assert state.outcome == Outcome("victory", 0)
    assert state.position()["free_roads"] == 0


def _leader_elsewhere() -> Table:
    """P2 is to cut P1's road; P3, with 8 points and 5 roads, then has the longest and 10 points."""
    return _cut(north=6, south=5).build(2, settlements=[44], cities=[49, 51, 53])


def test_winning_only_in_the_own_turn() -> None:
    state = play(_leader_elsewhere().main(player=1), build_settlement(2))
    assert state.total_victory_points(2) == 10
    assert (state.outcome, state.phase, state.actor) == (None, "MAIN", 1)


def test_winning_when_the_own_turn_begins() -> None:
    state = play(_leader_elsewhere().main(player=1), build_settlement(2), end_turn())
    assert state.outcome == Outcome("victory", 2)
    assert (state.turn_number, state.dice_roll) == (3, None)


def test_winning_goes_to_the_player_whose_turn_it_is() -> None:
    """The cut brings P3 to 10 points, but P2, who builds the settlement, to 10 as well."""
    table = _leader_elsewhere().build(1, cities=[20, 22, 24, 32])
    state = play(table.main(player=1), build_settlement(2))
    assert [state.total_victory_points(seat) for seat in (1, 2)] == [10, 10]
    assert state.outcome == Outcome("victory", 1)


@pytest.mark.parametrize(("needed", "won"), [(9, True), (10, True), (11, False), (12, False)])
def test_victory_points_sets_what_wins(needed: int, won: bool) -> None:
    table = Table(rules=Rules(victory_points=needed)).build(0, cities=[1, 3, 5], settlements=[14, 25], roads=chain(25, 26, 37))
    state = play(table.cards(0, victory_point=1).give(0, **SETTLEMENT).main(), build_settlement(37))
    assert state.total_victory_points(0) == 10
    assert state.outcome == (Outcome("victory", 0) if won else None)


def test_max_turns_ends_the_game_without_a_winner() -> None:
    rules = Rules(max_turns=20)
    state = play(Table(rules=rules).main(player=2, turn=19), end_turn())
    assert (state.turn_number, state.outcome) == (20, None)
    state = roll(state, 12)
    assert state.outcome is None
    state = play(state, end_turn())
    assert (state.phase, state.turn_number) == ("GAME_OVER", 20)
    assert state.outcome == Outcome("turn limit", None)
    assert state.legal_actions() == []
    assert refusal(state, roll_dice()) == "the game is over"


def test_max_turns_a_win_in_the_last_turn_counts() -> None:
    state = _nine_points(Rules(max_turns=20)).give(0, **SETTLEMENT).main(turn=20)
    assert play(state, build_settlement(37)).outcome == Outcome("victory", 0)


def test_rule_options_default_to_the_official_game() -> None:
    options = {"victory_points": 10, "discard_limit": 7, "domestic_trade": True, "offer_limit": 4, "friendly_robber": False}
    options |= {"all_or_nothing_bank": False, "phased_turns": False, "max_turns": 1000}
    assert Rules().to_json() == options
    assert GameState.new(Board.beginner()).rules == Rules()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"victory_points": 2}, "victory_points=2: expected a whole number from 3 to 20"),
        ({"victory_points": 10.0}, "victory_points=10.0: expected a whole number from 3 to 20"),
        ({"discard_limit": 0}, "discard_limit=0: expected a whole number from 1 to 95"),
        ({"offer_limit": 101}, "offer_limit=101: expected a whole number from 0 to 100"),
        ({"max_turns": 0}, "max_turns=0: expected a whole number from 1 to 30000"),
        ({"friendly_robber": 1}, "friendly_robber=1: expected true or false"),
        ({"phased_turns": "yes"}, "phased_turns='yes': expected true or false"),
        ({"longest_road": 5}, "unknown rule 'longest_road'; the rules are victory_points, discard_limit, "),
    ],
)
def test_rule_options_refuse_nonsense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules.from_json(options)


# --- phased turns -----------------------------------------------------------------------------------------

PHASED = Rules(phased_turns=True)


def test_phased_turns_trade_then_build_then_cards() -> None:
    table = Table(rules=PHASED).build(0, settlements=[20]).give(0, wood=5, brick=1).cards(0, monopoly=1)
    state = roll(table.turn_start(), 12)
    assert state.phase == "TRADE"
    assert {action.kind for action in state.legal_actions()} == {"trade_bank", "offer_trade", "end_trade_phase"}
    for action in (build_road((20, 21)), play_monopoly("ore"), end_build_phase(), end_turn()):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for TRADE"
    state = play(state, trade_bank("wood", "ore"), end_trade_phase())
    assert state.phase == "BUILD"
    assert {action.kind for action in state.legal_actions()} == {"build_road", "end_build_phase"}
    for action in (trade_bank("wood", "ore"), offer_trade({"wood": 1}, {"sheep": 1}), play_monopoly("ore"), end_turn()):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for BUILD"
    state = play(state, build_road((20, 21)), end_build_phase())
    assert state.phase == "DEV_PLAY"
    assert {action.kind for action in state.legal_actions()} == {"play_monopoly", "end_turn"}
    for action in (trade_bank("wood", "ore"), build_road((21, 22)), buy_dev_card(), end_trade_phase()):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for DEV_PLAY"
    state = play(state, play_monopoly("ore"), end_turn())
    assert (state.phase, state.actor) == ("TURN_START", 1)


def test_phased_turns_no_card_before_the_roll() -> None:
    state = Table(rules=PHASED).cards(0, knight=1).turn_start()
    assert legal(state) == ["roll_dice"]
    assert refusal(state, play_knight()) == "play_knight is not possible now: the game waits for TURN_START"


def test_phased_turns_end_of_phase_actions_exist_only_there() -> None:
    state = Table().main()
    for action in (end_trade_phase(), end_build_phase(), skip_steal(), reveal_vp()):
        assert refusal(state, action) == f"{action.to_text()} is not possible now: the game waits for MAIN"


def test_phased_turns_trades_stay_in_the_trade_phase() -> None:
    table = Table(rules=PHASED).give(0, wood=1).give(2, ore=1)
    state = play(table.at("TRADE"), trade_player(2, {"wood": 1}, {"ore": 1}))
    assert (state.phase, hand(state, 0), hand(state, 2)) == ("TRADE", {"ore": 1}, {"wood": 1})


def test_phased_turns_buying_a_card_stays_in_the_build_phase() -> None:
    state = play(Table(rules=PHASED).give(0, **DEV_CARD).at("BUILD"), buy_dev_card(), drawn("knight"))
    assert state.phase == "BUILD"
    state = play(state, end_build_phase())
    assert refusal(state, play_knight()) == "a development card cannot be played in the turn in which it was bought"


def test_phased_turns_a_seven_leads_to_the_trade_phase() -> None:
    table = Table(rules=PHASED).build(1, settlements=[20]).give(1, ore=8)
    state = play(roll(table.turn_start(), 7), discard_resources({"ore": 4}), move_robber(4), steal_resource(1), stolen("ore"))
    assert (state.phase, hand(state, 0), hand(state, 1)) == ("TRADE", {"ore": 1}, {"ore": 3})


def test_phased_turns_skip_steal_if_nobody_can_be_robbed() -> None:
    """P2 has built at hex 4 but holds no cards."""
    state = roll(Table(rules=PHASED).build(1, settlements=[20]).turn_start(), 7)
    for hex in (4, 11):
        moved = play(state, move_robber(hex))
        assert (moved.phase, legal(moved)) == ("ROBBER_STEAL", ["skip_steal"])
        assert refusal(moved, steal_resource(1)) == "player 2 cannot be robbed on this hex"
        assert play(moved, skip_steal()).phase == "TRADE"


def test_phased_turns_no_skip_steal_if_somebody_can_be_robbed() -> None:
    table = Table(rules=PHASED).build(1, settlements=[20]).build(2, settlements=[11]).give(2, ore=1)
    state = play(roll(table.turn_start(), 7), move_robber(4))
    assert legal(state) == ["steal_resource P3"], "P2 holds no cards"
    assert refusal(state, skip_steal()) == "there is somebody to rob"


def test_phased_turns_a_knight_leads_back_to_the_cards() -> None:
    state = play(Table(rules=PHASED).cards(0, knight=2).at("DEV_PLAY"), play_knight(4), skip_steal())
    assert (state.phase, legal(state)) == ("DEV_PLAY", ["end_turn"])


def test_phased_turns_road_building_leads_back_to_the_cards() -> None:
    state = Table(rules=PHASED).build(0, settlements=[20]).cards(0, road_building=1).at("DEV_PLAY")
    assert play(state, play_road_building((20, 21), (21, 22))).phase == "DEV_PLAY"


def test_phased_turns_only_the_second_road_of_road_building_may_be_declined() -> None:
    fourteen = chain(0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45)
    for roads in ([], fourteen):
        state = Table(rules=PHASED).build(0, settlements=[0], roads=roads).cards(0, road_building=1).at("DEV_PLAY")
        state = play(state, play_road_building())
        assert "end_road_building" not in legal(state)
        assert refusal(state, end_road_building()) == "with phased turns the first road of Road Building must be placed"
    state = Table(rules=PHASED).build(0, settlements=[0]).cards(0, road_building=1).at("DEV_PLAY")
    assert play(state, play_road_building((0, 1)), end_road_building()).phase == "DEV_PLAY"


def test_phased_turns_trade_with_the_bank_at_the_best_rate_only() -> None:
    state = Table(rules=PHASED).build(0, settlements=[0], cities=[17]).give(0, wood=4, ore=4).at("TRADE")
    assert {text.split()[1] for text in legal(state, "trade_bank") if " wood for" in text} == {"2"}
    assert {text.split()[1] for text in legal(state, "trade_bank") if " ore for" in text} == {"3"}
    for rate in (3, 4):
        reason = "with phased turns only your best rate counts, and you have a better one"
        assert refusal(state, trade_bank("wood", "ore", rate)) == reason
    assert refusal(state, trade_bank("ore", "wood", 2)) == "you have no harbour with that rate"


def test_phased_turns_reveal_vp_shows_a_victory_point() -> None:
    table = Table(rules=PHASED).build(0, settlements=[20]).cards(0, knight=1, victory_point=1).bought(0, victory_point=1)
    state = table.at("DEV_PLAY")
    assert legal(state) == ["play_knight", "reveal_vp", "end_turn"]
    assert (state.visible_victory_points(0), state.total_victory_points(0)) == (1, 3)
    state = play(state, reveal_vp(), reveal_vp())
    assert (state.visible_victory_points(0), state.total_victory_points(0)) == (3, 3)
    assert state.players[0].revealed_vp_cards == 2
    assert state.position()["new_dev_cards"]["victory_point"] == 0
    assert refusal(state, reveal_vp()) == "you do not have that development card"
    assert state.is_legal(play_knight()), "a victory point is not the one card of the turn"


def test_phased_turns_hidden_victory_points_win_without_being_shown() -> None:
    state = _nine_points(PHASED).give(0, **DEV_CARD).at("BUILD")
    assert play(state, buy_dev_card(), drawn("victory_point")).outcome == Outcome("victory", 0)
