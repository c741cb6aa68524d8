"""Catan itself: rules, states, boards, events, records, drawing.

What is imported here is what `kibitz.catan` itself offers.
"""

from kibitz.catan.core.actions import (
    Action, DevCardType, accept_offer, build_city, build_road, build_settlement, buy_dev_card, cancel_offer, confirm_trade,
    decline_offer, discard_resource, discard_resources, drawn, end_build_phase, end_road_building, end_trade_phase,
    end_turn, move_robber, offer_trade, place_free_road, place_setup_road, place_setup_settlement, play_knight,
    play_monopoly, play_road_building, play_year_of_plenty, reveal_vp, roll_dice, rolled, skip_steal, steal_resource,
    stolen, trade_bank, trade_player,
)  # fmt: skip
from kibitz.catan.core.board import Board, Harbour, Hex, InvalidBoard, PortType, Resource
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.game_state import (
    GameState, PlayerState, apply_action, award_holder, initialize_game_state, list_legal_actions, longest_road,
    player_total_victory_points, player_visible_victory_points,
)  # fmt: skip
from kibitz.catan.core.position import GamePhase
from kibitz.catan.core.rules.awards import ARMY_MINIMUM, ROAD_MINIMUM
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST
from kibitz.catan.core.state import CITIES, DECK, ROADS, SETTLEMENTS, SUPPLY, Rules
from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.state import Outcome

__all__ = [
    "ARMY_MINIMUM", "CITIES", "CITY_COST", "DECK", "DEV_COST", "GAME", "ROADS", "ROAD_COST", "ROAD_MINIMUM", "SETTLEMENTS",
    "SETTLEMENT_COST", "SUPPLY", "Action", "Board", "DevCardType", "GamePhase", "GameState", "Harbour", "Hex", "IllegalAction",
    "InvalidAction", "InvalidBoard", "Outcome", "PlayerState", "PortType", "Resource", "Rules", "accept_offer", "apply_action",
    "award_holder", "build_city", "build_road", "build_settlement", "buy_dev_card", "cancel_offer", "confirm_trade",
    "decline_offer", "discard_resource", "discard_resources", "drawn", "end_build_phase", "end_road_building",
    "end_trade_phase", "end_turn",
    "initialize_game_state", "list_legal_actions", "longest_road", "move_robber", "offer_trade", "place_free_road",
    "place_setup_road", "place_setup_settlement", "play_knight", "play_monopoly", "play_road_building", "play_year_of_plenty",
    "player_total_victory_points", "player_visible_victory_points", "reveal_vp", "roll_dice", "rolled", "skip_steal",
    "steal_resource", "stolen", "trade_bank", "trade_player",
]  # fmt: skip
