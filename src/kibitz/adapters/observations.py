"""What a seat may know, as one array of fixed length: the view that `kibitz.game.hide` leaves, with bit masks spread out.

>>> from kibitz.coup.core.engine import GAME
>>> layout = layout_of(GAME)
>>> layout.size, [part.name for part in layout.parts][:4]
(64, ['seat', 'turn', 'max_turns', 'hand'])
>>> states = GAME.new(3, 0)
>>> layout.split(layout.observe(states, seat=1)[0])["coins"]
array([2, 2, 2, 0, 0, 0], dtype=int16)

The parts stand one after the other in the order of ``layout.parts``. Seats are absolute; the first number says who observes.
Nothing of the past is in it that the table does not show: what was seen earlier, a player has to remember.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.adapters.kernels import spread
from kibitz.adapters.parts import Observations, Part
from kibitz.catan.core.topology import CORNERS, HALF, HEXES
from kibitz.game import Game, States, copied, hide_at
from kibitz.ground.jit import integers
from kibitz.onepiece.observation import facts, onepiece_parts

#: How far each field of Catan can go, and as how many bits a mask is spread out (roads: in two halves). Left out is what
#: follows from the others.
CATAN: tuple[Part, ...] = (
    Part("turn", (), 0, 30000, "one player's turn; 0 during set-up"),
    Part("max_turns", (), 1, 30000, "the game ends here"),
    Part("terrain", (HEXES,), -1, 4, "[hex] wood, brick, sheep, wheat, ore; -1 is the desert"),
    Part("number", (HEXES,), 0, 12, "[hex] the token"),
    Part("harbours", (6, CORNERS), 0, 1, "[3:1 or 1 + resource, corner] whether it serves the corner", bits=CORNERS),
    Part("settlements", (4, CORNERS), 0, 1, "[seat, corner]", bits=CORNERS),
    Part("cities", (4, CORNERS), 0, 1, "[seat, corner]", bits=CORNERS),
    Part("roads", (4, 2 * HALF), 0, 1, "[seat, edge]", bits=HALF),
    Part("hand", (5,), 0, 19, "[resource] the own cards", own=True),
    Part("hand_size", (4,), 0, 95, "[seat]"),
    Part("bank", (5,), 0, 19, "[resource]"),
    Part("dev", (5,), 0, 14, "[card] the own knights, victory points, road building, plenty, monopoly", own=True),
    Part("new_dev", (5,), 0, 14, "[card] those bought this turn, in the own turn"),
    Part("dev_size", (4,), 0, 25, "[seat]"),
    Part("new_dev_size", (), 0, 25, "cards bought this turn"),
    Part("played", (4, 5), 0, 14, "[seat, card] played or revealed"),
    Part("deck_size", (), 0, 25, "development cards left"),
    Part("road_length", (4,), 0, 15, "[seat]"),
    Part("discards", (4,), 0, 95, "[seat] still to be discarded"),
    Part("offer", (5,), -19, 19, "[resource] offered, wanted below 0"),
    Part("answers", (4,), 0, 2, "[seat] to the offer: none yet, accepted, declined"),
    Part("seats", (), 2, 4, "how many play"),
    Part("phase", (), 0, 16, "what the game waits for"),
    Part("player", (), 0, 3, "whose turn it is"),
    Part("roll", (), 0, 12, "0 before the dice are rolled"),
    Part("robber", (), 0, 18, "its hex"),
    Part("road_holder", (), -1, 3, "a seat, or -1"),
    Part("army_holder", (), -1, 3, "a seat, or -1"),
    Part("winner", (), -1, 3, "a seat, or -1"),
    Part("placed", (), 0, 8, "set-up settlements"),
    Part("corner", (), -1, 53, "where the set-up road must begin, or -1"),
    Part("victim", (), -1, 3, "who is being robbed, or -1"),
    Part("dev_done", (), 0, 1, "whether a card was played this turn"),
    Part("free_roads", (), 0, 2, "still to be placed"),
    Part("offers", (), 0, 100, "made this turn"),
    Part("victory_points", (), 3, 20, "rule option: that win"),
    Part("discard_limit", (), 1, 95, "rule option"),
    Part("domestic_trade", (), 0, 1, "rule option"),
    Part("offer_limit", (), 0, 100, "rule option"),
    Part("friendly_robber", (), 0, 1, "rule option"),
    Part("all_or_nothing_bank", (), 0, 1, "rule option"),
    Part("phased_turns", (), 0, 1, "rule option"),
)
#: The same for Coup.
COUP: tuple[Part, ...] = (
    Part("turn", (), 0, 30000, "one player's turn; 0 during the deal"),
    Part("max_turns", (), 1, 30000, "the game ends here"),
    Part("hand", (5,), 0, 3, "[character] the own cards", own=True),
    Part("revealed", (6, 5), 0, 3, "[seat, character] cards lost"),
    Part("coins", (6,), 0, 50, "[seat]"),
    Part("influence", (6,), 0, 2, "[seat]"),
    Part("treasury", (), 0, 50, "coins that nobody has"),
    Part("seats", (), 2, 6, "how many play"),
    Part("phase", (), 0, 9, "what the game waits for"),
    Part("player", (), 0, 5, "whose turn it is"),
    Part("active", (), 0, 5, "who decides"),
    Part("action", (), -1, 6, "announced this turn, or -1"),
    Part("target", (), -1, 5, "a seat, or -1"),
    Part("claim", (), -1, 4, "the character claimed, or -1"),
    Part("blocker", (), -1, 5, "a seat, or -1"),
    Part("challenger", (), -1, 5, "a seat, or -1"),
    Part("winner", (), -1, 5, "a seat, or -1"),
    Part("target_may_block_after_failed_challenge", (), 0, 1, "rule option"),
    Part("refund_on_caught_bluff", (), 0, 1, "rule option"),
    Part("steal_from_zero", (), 0, 1, "rule option"),
)


@dataclass(frozen=True, eq=False)
class Layout:
    """Where things stand in an observation."""

    parts: tuple[Part, ...]
    fill: Callable[[Layout, States, int, Observations], None]
    """Writes what ``[n]`` views show to ``[n, size]``; all but the number of the observer, which comes first."""

    @cached_property
    def size(self) -> int:
        """How many numbers an observation is."""
        return sum(prod(part.shape) for part in self.parts)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part stands."""
        found, at = {}, 0
        for part in self.parts:
            found[part.name] = slice(at, at + prod(part.shape))
            at += prod(part.shape)
        return found

    def bounds(self) -> tuple[Observations, Observations]:
        """``[size]`` the least and the most that each number can be."""
        low, high = np.zeros(self.size, np.int16), np.zeros(self.size, np.int16)
        for part in self.parts:
            low[self.slices[part.name]], high[self.slices[part.name]] = part.low, part.high
        return low, high

    def read(self, views: States, seat: int, out: Observations) -> None:
        """Write the observations of a seat to ``out[n, size]``; `views` are states in which `hide` was applied for it."""
        out[:, 0] = seat
        self.fill(self, views, seat, out)

    def observe(self, states: States, seat: int) -> Observations:
        """``[n, size]`` what a seat may know of each state."""
        views = copied(states)
        for i in range(len(views)):
            hide_at(views, i, seat)
        out = np.zeros((len(views), self.size), np.int16)
        self.read(views, seat, out)
        return out

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of an observation by name, in their shapes."""
        return {part.name: observation[self.slices[part.name]].reshape(part.shape) for part in self.parts}


def layout_of(game: Game) -> Layout:
    """The layout of a game's observations. Raises a ValueError for a game that has none."""
    if game.name == "onepiece":
        table = game.new(2, 0)[0].table
        return Layout((_seat(2), *onepiece_parts(table)), _fill_onepiece)
    parts = {"catan": CATAN, "coup": COUP}.get(game.name)
    if parts is None:
        raise ValueError(f"{game.name}: no observations; catan, coup and onepiece have them")
    return Layout((_seat(game.seats[1]), *parts), _fill_from_fields)


def _seat(seats: int) -> Part:
    return Part("seat", (), 0, seats - 1, "who observes")


@lru_cache(maxsize=64)
def plan_of(layout: Layout, dtype: np.dtype[np.void], seat: int) -> npt.NDArray[np.int64]:
    """What `kibitz.adapters.kernels.spread` is told."""
    rows: list[tuple[int, ...]] = []
    fields: Any = dtype.fields
    for part in layout.parts[1:]:
        field, offset = fields[part.name][:2]
        width, numbers = field.base.itemsize, prod(part.shape)
        count = numbers // part.bits if part.bits else numbers
        rows.append((offset + part.own * seat * count * width, layout.slices[part.name].start, count, width, part.bits))
    return np.array(rows, np.int64)


def octets_of(states: States) -> npt.NDArray[np.uint8]:
    """``[n, byte]`` structs as the bytes that they are."""
    rows = np.asarray(states)
    return rows.view(np.uint8).reshape(len(rows), -1)


def _fill_from_fields(layout: Layout, views: States, seat: int, out: Observations) -> None:
    """The fields of structs; a mask's bits one by one."""
    spread(integers(octets_of(views)), integers(plan_of(layout, views.dtype, seat)), out)


def _fill_onepiece(layout: Layout, views: States, seat: int, out: Observations) -> None:
    for i in range(len(views)):
        out[i, 1:] = facts(views[i], seat)
