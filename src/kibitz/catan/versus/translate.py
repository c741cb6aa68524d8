"""catanatron's actions in our codes. What a player decides is one code; what chance adds to it are further ones.

The way back needs no second table: a decision is looked up among the codes of the actions that catanatron lists.
"""

from __future__ import annotations

from typing import Any

from kibitz.catan.core import actions as ours
from kibitz.catan.core.codes import STEAL, STOLEN, UNSEEN_DRAW, UNSEEN_STEAL, offer_code
from kibitz.catan.core.state import FREE_ROADS, SETUP_ROAD, SETUP_SETTLEMENT
from kibitz.catan.versus.window import RESOURCES, Places, Told

#: Kinds that need no value.
_PLAIN = {
    "ROLL": ours.roll_dice().code,
    "BUY_DEVELOPMENT_CARD": ours.buy_dev_card().code,
    "PLAY_KNIGHT_CARD": ours.play_knight().code,
    "PLAY_ROAD_BUILDING": ours.play_road_building().code,
    "ACCEPT_TRADE": ours.accept_offer().code,
    "REJECT_TRADE": ours.decline_offer().code,
    "CANCEL_TRADE": ours.cancel_offer().code,
    "END_TURN": ours.end_turn().code,
}


def code_of(places: Places, kind: str, value: Any, phase: int) -> int:
    """What somebody decides, in a phase of ours. Moving the robber is one step of ours, the steal (`victim_code`) another."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    match kind:
        case "BUILD_SETTLEMENT":
            place = ours.place_setup_settlement if phase == SETUP_SETTLEMENT else ours.build_settlement
            return place(places.corners[value]).code
        case "BUILD_CITY":
            return ours.build_city(places.corners[value]).code
        case "BUILD_ROAD":
            road = {SETUP_ROAD: ours.place_setup_road, FREE_ROADS: ours.place_free_road}.get(phase, ours.build_road)
            return road((places.corners[value[0]], places.corners[value[1]])).code
        case "DISCARD_RESOURCE":
            return ours.discard_resource(value.lower()).code
        case "MOVE_ROBBER":
            return ours.move_robber(places.hexes[value[0]]).code
        case "PLAY_YEAR_OF_PLENTY":
            return ours.play_year_of_plenty(*(resource.lower() for resource in value)).code
        case "PLAY_MONOPOLY":
            return ours.play_monopoly(value.lower()).code
        case "MARITIME_TRADE":
            *given, asked = (resource.lower() for resource in value if resource is not None)
            return ours.trade_bank(given[0], asked, len(given)).code
        case "OFFER_TRADE":
            return offer_code([give - want for give, want in zip(value[:5], value[5:10], strict=True)])
        case "CONFIRM_TRADE":
            return ours.confirm_trade(places.seats[value[10]]).code
        case _:
            raise ValueError(f"{kind}: no action that Kibitz knows")


def victim_code(places: Places, value: Any) -> int | None:
    """The steal in a move of the robber, if somebody is robbed."""
    return None if value[1] is None else STEAL + places.seats[value[1]]


def outcome_code(told: Told) -> int | None:
    """What chance did after an action, as the seat perceived it; None where chance has no part."""
    match told.kind:
        case "ROLL":
            return ours.rolled(sum(told.value if told.result is None else told.result)).code
        case "BUY_DEVELOPMENT_CARD":
            return UNSEEN_DRAW if told.result is None else ours.drawn(told.result.lower()).code
        case "MOVE_ROBBER" if told.value[1] is not None:
            return UNSEEN_STEAL if told.result is None else STOLEN + RESOURCES.index(told.result)
        case _:
            return None


def offer_value(code: int) -> tuple[int, ...]:
    """An offer of ours as catanatron writes it: five counts that are given, five that are wanted."""
    data = ours.Action.from_code(code).data
    return tuple(data[side].get(resource.lower(), 0) for side in ("give", "receive") for resource in RESOURCES)
