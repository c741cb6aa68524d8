"""What one thread of a GPU does for a place of `kibitz.adapters.gpu_table`, and for a row of what is shown.

Plain functions over arrays: a kernel calls them for every place at once, a test in a loop. What is legal is kept in bits,
``bits[word, place]``, so that neighbouring threads write neighbouring words; a second kernel spreads them, and the views, to
masks and observations, a block of threads a row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.adapters.observations import Layout, plan_of
from kibitz.adapters.places import ACTOR, CHANCES, Place, id_of, lay_out
from kibitz.adapters.setting import Setting
from kibitz.game import OVER, Scratch
from kibitz.game.verbs import apply, hide, legal, prize, value
from kibitz.ground.jit import int64, jit
from kibitz.ground.rng import below

#: Bits of a word of what is legal.
WORD = 32
#: In place of the number of a bit: a byte, two bytes, the seat that observes.
BYTE, TWO_BYTES, SEAT = 8, 9, 10
#: So many of the lowest bits of a source say how to read it; the offset is above them.
OFFSET = 4
Step = Callable[..., None]


class Told(NamedTuple):
    """``[place]`` what a step tells."""

    actors: Any
    rewards: Any
    """``[place, seat]``"""
    over: Any
    actions: Any
    illegal: Any


@jit
def is_legal(bits: Any, i: int, number: int) -> int:
    """Whether an id is legal in place i."""
    return int64(bits[number >> 5, i]) >> (number & 31) & 1


@jit
def default_legal(bits: Any, i: int, ids: Any) -> int:
    """What place i does instead of an illegal action: as `kibitz.adapters.places.default_id`."""
    for j in range(len(ids)):
        if ids[j].default < 0:
            break
        if is_legal(bits, i, ids[j].default):
            return ids[j].default  # type: ignore[no-any-return]
    a = 0
    while not is_legal(bits, i, a):
        a += 1
    return a


@jit
def take(states: Any, bits: Any, i: int, place: Place, ids: Any, x: Scratch) -> None:
    """Do what is wanted in place i, or the default."""
    place.illegal = False
    if place.id < 0 or place.id >= len(ids) or not is_legal(bits, i, place.id):
        place.illegal = True
        place.id = default_legal(bits, i, ids)
    x.seed = place.streams[CHANCES]
    apply(states[i], ids[place.id].code)


@jit
def note_legal(states: Any, bits: Any, i: int, ids: Any, x: Scratch) -> None:
    """Set the bits of what is legal in place i."""
    for w in range(len(bits)):
        bits[w, i] = 0
    for m in range(legal(states[i], x)):
        number = id_of(ids, x.actions[m])
        bits[number >> 5, i] |= 1 << (number & 31)


@jit
def note_views(states: Any, views: Any, i: int, place: Place, eyes: Any) -> None:
    """What each of the eyes sees in place i, as structs."""
    for e in range(len(eyes)):
        row = i * len(eyes) + e
        views[row] = states[i]
        hide(views[row], place.actor if eyes[e] == ACTOR else eyes[e])


@jit
def drawn_id(bits: Any, i: int, source: Any) -> int:
    """A random legal id in place i, from the stream of `source`."""
    n = 0
    for w in range(len(bits)):
        n += counted(bits[w, i])
    k = below(source, n)
    for w in range(len(bits)):
        here = counted(bits[w, i])
        if k < here:
            word = int64(bits[w, i])
            for _ in range(k):
                word &= word - 1
            return w * WORD + counted((word & -word) - 1)
        k -= here
    return 0


@jit
def counted(word: int) -> int:
    """How many of the lowest 32 bits are set."""
    n = int64(word)
    n -= n >> 1 & 0x55555555
    n = (n & 0x33333333) + (n >> 2 & 0x33333333)
    n = (n + (n >> 4)) & 0x0F0F0F0F
    return (n * 0x01010101 & 0xFFFFFFFF) >> 24


def stepper(play: Any) -> Step:
    """The function that does one step in place i; `play` lets chance, and the policies if there are any, play on.

    Where the game is over, the next one begins at once. With `fresh` nothing is done before: a game begins.
    """

    def step(
        states: Any, places: Any, bits: Any, views: Any, starts: Any, ids: Any, eyes: Any, wanted: Any, low: int, high: int,
        fresh: int, actors: Any, rewards: Any, over: Any, actions: Any, illegal: Any, i: int, x: Any,
    ) -> None:  # fmt: skip
        place = places[i]
        ended = fresh
        if not fresh:
            place.id = wanted[i]
            take(states, bits, i, place, ids, x)
            ended = 1 if play(states[i], x, place) == OVER else 0
            actions[i], illegal[i] = place.id, place.illegal
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = (prize(states[i], seat) - low) / (high - low) if ended else 0.0
        over[i] = ended and not fresh
        while ended:
            lay_out(states, i, place, starts, x)
            ended = 1 if play(states[i], x, place) == OVER else 0
        actors[i] = place.actor
        note_legal(states, bits, i, ids, x)
        note_views(states, views, i, place, eyes)

    return step


@jit
def shown(octets: Any, row: int, source: int, seat: int) -> int:
    """The number of an observation that a source names, in the view ``octets[row]``."""
    how, at = source & ((1 << OFFSET) - 1), source >> OFFSET
    if how == SEAT:
        return seat
    octet = int64(octets[row, at])
    if how < BYTE:
        return octet >> how & 1
    if how == BYTE:
        return octet - 256 * (octet >> 7)
    above = int64(octets[row, at + 1])
    return octet + 256 * (above - 256 * (above >> 7))


@jit
def judge_place(states: Any, i: int, x: Any, out: Any) -> None:
    """Write what the evaluator gives every seat in place i."""
    judged = value(states[i], x)
    for seat in range(out.shape[1]):
        out[i, seat] = x.values[seat] if judged else 0


def sources_of(here: Setting) -> npt.NDArray[np.int32]:
    """``[seat, number]`` where each number of an observation comes from: what `shown` is told."""
    return np.stack([_sources(here.layout, here.game.state, seat) for seat in range(here.seats)])


def _sources(layout: Layout, dtype: np.dtype[np.void], seat: int) -> npt.NDArray[np.int32]:
    found = np.zeros(layout.size, np.int32)
    found[0] = SEAT
    for offset, to, count, width, bits in plan_of(layout, dtype, seat).tolist():
        for k in range(count):
            first = offset + k * width
            if bits:
                for bit in range(bits):
                    found[to + k * bits + bit] = (first + bit // 8) << OFFSET | bit % 8
            else:
                found[to + k] = first << OFFSET | (BYTE if width == 1 else TWO_BYTES)
    return found


def words_for(numbers: int) -> int:
    """How many words so many bits take."""
    return -(-numbers // WORD)
