"""The view rebuilt from what catanatron shows now: a tracked view is compared with it, and replaced by it where they differ.

They differ where the two programs have different rules (``docs/howto/versus_catanatron.md`` lists them), and they would where
either has a fault: the game goes on with what catanatron says, and the difference is counted.
"""

from __future__ import annotations

import numpy as np

from kibitz.catan.core.state import (
    FREE_ROADS,
    MAIN,
    NOBODY,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    SETUP_ROAD,
    SETUP_SETTLEMENT,
    TRADE_ANSWER,
    TRADE_CHOICE,
    TURN_START,
)
from kibitz.catan.core.topology import ALL_CORNERS, EDGE_BETWEEN, EDGE_MASK, HALF, NEAR_MASK
from kibitz.catan.versus.window import Places, Window
from kibitz.game import States, copied

_PHASES = {
    "BUILD_INITIAL_SETTLEMENT": SETUP_SETTLEMENT,
    "BUILD_INITIAL_ROAD": SETUP_ROAD,
    "DISCARD": ROBBER_DISCARD,
    "MOVE_ROBBER": ROBBER_MOVE,
    "DECIDE_TRADE": TRADE_ANSWER,
    "DECIDE_ACCEPTEES": TRADE_CHOICE,
}
#: Some roll, where it is not known.
_SOME_ROLL = 2


def phase_of(window: Window) -> int:
    """What the game waits for, in our words."""
    if window.prompt in _PHASES:
        return _PHASES[window.prompt]
    if window.free_roads:
        return FREE_ROADS
    return MAIN if window.rolled else TURN_START


def rebuilt(view: States, window: Window, places: Places) -> States:
    """The view as catanatron shows the game; what it does not show is taken from `view`."""
    fresh = copied(view)
    _pieces(fresh, window, places)
    _cards(fresh, window)
    _turn(fresh, window, places)
    if fresh["road_holder"][0] != view["road_holder"][0]:
        fresh["road_length"][0, : window.seats] = window.road_lengths
    return fresh


def drift(view: States, fresh: States) -> list[str]:
    """The fields in which two views differ; with its holder the lengths of roads are adopted, too."""
    names = [name for name in view.dtype.names or () if name != "road_length"]
    return [name for name in names if not np.array_equal(view[name], fresh[name])]


def _pieces(fresh: States, window: Window, places: Places) -> None:
    """Everything on the board."""
    settlements, cities, network = ([0] * window.seats for _ in range(3))
    roads = [[0, 0] for _ in range(window.seats)]
    free = ALL_CORNERS
    for seat, node, is_city in window.buildings:
        corner = places.corners[node]
        (cities if is_city else settlements)[seat] |= 1 << corner
        free &= ~int(NEAR_MASK[corner])
    for seat, a, b in window.roads:
        edge = EDGE_BETWEEN[places.corners[a], places.corners[b]]
        roads[seat][edge // HALF] |= 1 << edge % HALF
        network[seat] |= int(EDGE_MASK[edge])
    for name, column in (("settlements", settlements), ("cities", cities), ("roads", roads), ("network", network)):
        fresh[name][0, : window.seats] = column
    fresh["open"] = free
    fresh["robber"] = places.hexes[window.robber]
    fresh["road_holder"] = window.holder("ROAD")
    fresh["army_holder"] = window.holder("ARMY")


def _cards(fresh: States, window: Window) -> None:
    """The seat's own cards, the sizes of the other hands, the supply."""
    fresh["hand"][0, window.seat] = window.hand
    fresh["hand_size"][0, : window.seats] = window.hand_sizes
    fresh["bank"][0] = window.bank
    fresh["dev"][0, window.seat] = window.cards
    fresh["dev_size"][0, : window.seats] = window.card_counts
    fresh["played"][0, : window.seats] = window.played
    fresh["deck_size"] = window.deck_size


def _turn(fresh: States, window: Window, places: Places) -> None:
    """Whose turn it is, and what they may do."""
    phase = phase_of(window)
    if fresh["player"][0] != window.turn:
        fresh["new_dev"] = fresh["new_dev_size"] = 0
    fresh["player"] = window.turn
    fresh["phase"] = phase
    fresh["placed"] = min(len(window.buildings), 2 * window.seats)
    last = window.last_settlement
    fresh["corner"] = places.corners[last] if phase == SETUP_ROAD and last is not None else NOBODY
    fresh["turn"] = 0 if phase in (SETUP_SETTLEMENT, SETUP_ROAD) else max(1, int(fresh["turn"][0]))
    fresh["roll"] = (int(fresh["roll"][0]) or _SOME_ROLL) if window.rolled else 0
    fresh["dev_done"] = window.card_played
    fresh["free_roads"] = window.free_roads
    fresh["winner"] = fresh["victim"] = NOBODY
    if phase != ROBBER_DISCARD:
        fresh["discards"] = 0
    if phase not in (TRADE_ANSWER, TRADE_CHOICE):
        fresh["offer"] = fresh["answers"] = 0
