"""A position as named values: what the records hold after each step and what a stranger can check.

The fields are documented in ``docs/record.md``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from kibitz.catan.core.actions import CARDS
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.state import (
    ACCEPTED, DECLINED, GAME_OVER, KNIGHT, ROADS, SETUP_ROAD, STEALING, TRADE_ANSWER, TRADE_CHOICE, VICTORY_POINT,
)  # fmt: skip
from kibitz.catan.core.topology import EDGE_ENDS, HALF
from kibitz.game import States, actor_at, to_dict
from kibitz.game.definition import actor_name, seat_or_none


class GamePhase(StrEnum):
    """What the game waits for (see ``docs/record.md``)."""

    SETUP_SETTLEMENT = "SETUP_SETTLEMENT"
    SETUP_ROAD = "SETUP_ROAD"
    TURN_START = "TURN_START"
    ROLLING = "ROLLING"
    ROBBER_DISCARD = "ROBBER_DISCARD"
    ROBBER_MOVE = "ROBBER_MOVE"
    ROBBER_STEAL = "ROBBER_STEAL"
    STEALING = "STEALING"
    MAIN = "MAIN"
    TRADE = "TRADE"
    BUILD = "BUILD"
    DEV_PLAY = "DEV_PLAY"
    DRAWING = "DRAWING"
    FREE_ROADS = "FREE_ROADS"
    TRADE_ANSWER = "TRADE_ANSWER"
    TRADE_CHOICE = "TRADE_CHOICE"
    GAME_OVER = "GAME_OVER"


#: The names of the phases, by their numbers in `kibitz.catan.core.state`.
PHASES = tuple(phase.value for phase in GamePhase)
_EDGES = [list(ends) for ends in EDGE_ENDS]
_ANSWERS = {0: None, ACCEPTED: "accepted", DECLINED: "declined"}


def members(mask: int) -> list[int]:
    """The numbers in a bit mask, ascending."""
    numbers = []
    while mask:
        numbers.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return numbers


def edges_of(low: int, high: int) -> list[list[int]]:
    """The corner pairs in a set of edges."""
    return [_EDGES[e] for e in members(low | high << HALF)]


def by_resource(counts: list[int]) -> dict[str, int]:
    """Counts by the names of the resources."""
    return {resource.value: n for resource, n in zip(RESOURCES, counts, strict=True)}


def by_card(counts: list[int]) -> dict[str, int]:
    """Counts by the names of the development cards."""
    return {card.value: n for card, n in zip(CARDS, counts, strict=True)}


def points_of(row: Mapping[str, Any], seat: int) -> tuple[int, int]:
    """Visible and total victory points."""
    visible: int = (
        row["settlements"][seat].bit_count() + 2 * row["cities"][seat].bit_count() + row["played"][seat][VICTORY_POINT]
    )
    visible += 2 * (row["road_holder"] == seat) + 2 * (row["army_holder"] == seat)
    return visible, visible + row["dev"][seat][VICTORY_POINT]


def position(states: States, i: int = 0) -> dict[str, Any]:
    """Everything true in ``states[i]``, hidden or not, by the names of ``docs/record.md``."""
    row = to_dict(states, i)
    seats = range(row["seats"])
    phase = row["phase"]
    points = [points_of(row, seat) for seat in seats]
    return {
        "phase": PHASES[phase],
        "actor": actor_name(actor_at(states, i)),
        "player": row["player"],
        "turn": row["turn"],
        "roll": row["roll"] or None,
        "hands": [by_resource(row["hand"][seat]) for seat in seats],
        "bank": by_resource(row["bank"]),
        "dev_cards": [by_card(row["dev"][seat]) for seat in seats],
        "new_dev_cards": by_card(row["new_dev"]),
        "played_dev_cards": [by_card(row["played"][seat]) for seat in seats],
        "dev_deck": by_card(row["deck"]),
        "roads": [edges_of(*row["roads"][seat]) for seat in seats],
        "settlements": [members(row["settlements"][seat]) for seat in seats],
        "cities": [members(row["cities"][seat]) for seat in seats],
        "robber": row["robber"],
        "visible_points": [visible for visible, _ in points],
        "total_points": [total for _, total in points],
        "longest_road": {"holder": seat_or_none(row["road_holder"]), "lengths": row["road_length"][: len(seats)]},
        "largest_army": {"holder": seat_or_none(row["army_holder"]), "sizes": [row["played"][seat][KNIGHT] for seat in seats]},
        "dev_card_played": bool(row["dev_done"]),
        "free_roads": min(row["free_roads"], ROADS - len(edges_of(*row["roads"][row["player"]]))),
        "discards": row["discards"][: len(seats)],
        "victim": row["victim"] if phase == STEALING else None,
        "setup_corner": row["corner"] if phase == SETUP_ROAD else None,
        "offer": _offer(row) if phase in (TRADE_ANSWER, TRADE_CHOICE) else None,
        "offers_made": row["offers"],
        "winner": seat_or_none(row["winner"]) if phase == GAME_OVER else None,
    }


def _offer(row: dict[str, Any]) -> dict[str, Any]:
    give = [max(n, 0) for n in row["offer"]]
    receive = [max(-n, 0) for n in row["offer"]]
    return {
        "give": {r: n for r, n in by_resource(give).items() if n},
        "receive": {r: n for r, n in by_resource(receive).items() if n},
        "answers": [_ANSWERS[answer] for answer in row["answers"][: row["seats"]]],
    }
