"""The action codes of Kibitz 0.1, in which links and libraries of that time name the steps of games.

Codes shift whenever a kind of action is added; nothing that is kept or sent names an action by its code any more.

>>> moves({}, [41, 112, 126])
['place_setup_settlement 41', 'place_setup_road 41-42', 'roll_dice']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import BASE
from kibitz.game.actions import InvalidAction

#: The ranges of that time in ascending order, each with the number of its codes.
RANGES = {
    "place_setup_settlement": 54, "place_setup_road": 72, "roll_dice": 1, "discard_resource": 5, "move_robber": 19,
    "steal_resource": 4, "skip_steal": 1, "trade_bank": 75, "accept_offer": 1, "decline_offer": 1, "confirm_trade": 4,
    "cancel_offer": 1, "end_trade_phase": 1, "build_road": 72, "build_settlement": 54, "build_city": 54, "buy_dev_card": 1,
    "end_build_phase": 1, "play_knight": 1, "play_road_building": 1, "place_free_road": 72, "play_year_of_plenty": 20,
    "play_monopoly": 5, "reveal_vp": 1, "end_turn": 1, "rolled": 11, "stolen": 5, "drawn": 5, "offer_trade": 39**5,
}  # fmt: skip


def moves(setup: Mapping[str, Any], codes: Iterable[int]) -> list[str]:
    """The texts of actions that were kept as codes, whatever the setup of their game. Raises `InvalidAction`."""
    return [describe(today(code)) for code in codes]


def today(code: int) -> int:
    """The code that an action of that time has now. Raises `InvalidAction`."""
    number = code
    for kind, count in RANGES.items():
        if 0 <= number < count:
            return BASE[kind] + number
        number -= count
    raise InvalidAction(f"{code}: no action had this number")
