"""What a seat may know, as one array of fixed length: the view that the verb `hide` leaves, with bit masks spread out.

>>> from kibitz.play.registry import profile
>>> coup = profile("coup")
>>> game = coup.setup().game
>>> layout = layout_of(coup, game)
>>> layout.size, [part.name for part in layout.parts][:4]
(64, ['seat', 'turn', 'max_turns', 'hand'])
>>> layout.split(layout.observe(game.new(3, 0), seat=1)[0])["coins"]
array([2, 2, 2, 0, 0, 0], dtype=int16)

The parts stand one after the other in the order of ``layout.parts``. Seats are absolute; the first number says who observes.
Nothing of the past is in it that the table does not show: what was seen earlier, a player has to remember.

A game that says nothing about it (`kibitz.play.profile.Profile.observation`) has a layout all the same. Of a struct these are
all fields of the view, each in words of 16 bits (`every_field`). Of a plain game these are the entries of ``exact()``, flat: a
tuple is its length and what is in it, a text is a number made of its letters, None is -1. Each entry has as much room as it
needs in some random games and half as much again; what is longer is cut off (`every_entry`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from kibitz.game import OVER, Game, States, actor_at, apply_at, seats_of
from kibitz.game.doors import decide_at, door, hidden_from, reseed_at
from kibitz.ground.jit import field_names, int64, integers, jit, uint64
from kibitz.play.profile import Profile

Observations: TypeAlias = npt.NDArray[np.int16]
#: Reads the numbers of a plain game's view, for the seat that sees it.
Reader = Callable[[Any, int], Sequence[int]]

LOWEST, HIGHEST = -(1 << 15), (1 << 15) - 1
#: How many random games show how much room the entries of a plain game need, and so many steps of each at most.
GAMES_TRIED, STEPS_TRIED = 8, 400


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together: their shape, and the least and the most that they can be."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    bits: int = 0
    """If not 0, the field holds masks, each of so many bits."""
    own: bool = False
    """Whether only the observer's row of the field is shown."""
    words: bool = False
    """Whether the numbers of the field are too wide, and are shown in words of 16 bits, the lowest first."""
    choice: bool = False
    """Whether a number is a name (a phase, a seat) and not an amount."""


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
        views = hidden_from(states, seat)
        out = np.zeros((len(views), self.size), np.int16)
        self.read(views, seat, out)
        return out

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of an observation by name, in their shapes."""
        return {part.name: observation[self.slices[part.name]].reshape(part.shape) for part in self.parts}


def layout_of(profile: Profile, game: Game) -> Layout:
    """The layout of a game's observations: its own, or all that there is in its views."""
    if profile.observation is not None:
        found: Layout = profile.observation(game)
        return found
    return every_entry(game) if game.is_plain else struct_layout(game, every_field(game))


def _with_seat(game: Game, parts: Sequence[Part]) -> tuple[Part, ...]:
    return Part("seat", (), 0, game.seats[1] - 1, "who observes", choice=True), *parts


def struct_layout(game: Game, parts: Sequence[Part]) -> Layout:
    """Fields of a struct, which the parts name."""
    return Layout(_with_seat(game, parts), _fill_from_fields)


def every_field(game: Game) -> tuple[Part, ...]:
    """All fields of a game's struct; the bounds are those of the bytes.

    >>> from kibitz.examples.liars_dice import GAME
    >>> [(part.name, part.shape, part.low, part.high) for part in every_field(GAME)][:2]
    [('roll', (2, 2), -32768, 32767), ('dice', (), -128, 127)]
    """
    parts = []
    fields: Any = game.state.fields
    for name in field_names(game.state):
        kind, width = fields[name][0], fields[name][0].base.itemsize
        shape = (*kind.shape, width // 2) if width > 2 else kind.shape
        half = 1 << (8 * min(width, 2) - 1)
        parts.append(Part(name, shape, -half, half - 1, "a field of the state", words=width > 2))
    return tuple(parts)


@lru_cache(maxsize=64)
def plan_of(layout: Layout, dtype: np.dtype[np.void], seat: int) -> npt.NDArray[np.int64]:
    """What `spread_one` is told of a seat."""
    rows: list[tuple[int, ...]] = []
    fields: Any = dtype.fields
    for part in layout.parts[1:]:
        field, offset = fields[part.name][:2]
        width, numbers = 2 if part.words else field.base.itemsize, prod(part.shape)
        count = numbers // part.bits if part.bits else numbers
        rows.append((offset + part.own * seat * count * width, layout.slices[part.name].start, count, width, part.bits))
    return np.array(rows, np.int64)


def octets_of(states: States) -> npt.NDArray[np.uint8]:
    """``[n, byte]`` structs as the bytes that they are."""
    rows = np.asarray(states)
    return rows.view(np.uint8).reshape(len(rows), -1)


def _fill_from_fields(layout: Layout, views: States, seat: int, out: Observations) -> None:
    """The fields of structs; a mask's bits one by one."""
    spread(integers(octets_of(views)), integers(plan_of(layout, views.dtype, seat)[None]), out)


@jit
def spread_one(octets: Any, i: int, plans: Any, seat: int, out: Any, k: int) -> None:
    """Write the fields of struct i, given as ``octets[i, byte]``, to ``out[k]``, as the seat's plan says.

    ``plans[seat, field]`` says where a field begins and in `out` goes to, how many numbers it has, of how many bytes, and, if
    they are masks, of how many bits.
    """
    for f in range(plans.shape[1]):
        spread_field(octets, i, plans, seat, f, out, k)


@jit
def spread_field(octets: Any, i: int, plans: Any, seat: int, f: int, out: Any, k: int) -> None:
    """The same of one field."""
    offset, at, count = plans[seat, f, 0], plans[seat, f, 1], plans[seat, f, 2]
    width, bits = plans[seat, f, 3], plans[seat, f, 4]
    for _ in range(count):
        value = int64(octets[i, offset + width - 1])
        value -= 256 * (value >> 7)
        for byte in range(width - 1):
            value = 256 * value + octets[i, offset + width - 2 - byte]
        if bits:
            for bit in range(bits):
                out[k, uint64(at) + uint64(bit)] = value >> bit & 1  # unsigned: no check for an index below 0
            at += bits
        else:
            out[k, at] = value
            at += 1
        offset += width


@jit
def spread_difference(octets: Any, i: int, plans: Any, seat: int, other: int, out: Any, k: int, row: int) -> None:
    """Write to ``out[row]`` what `other` sees, struct ``i + 1``, where ``out[k]`` is what `seat` sees of struct i.

    Most of it is the same: only fields that differ are spread again.
    """
    for j in range(out.shape[1]):
        out[uint64(row), uint64(j)] = out[uint64(k), uint64(j)]
    for f in range(plans.shape[1]):
        mine, theirs = plans[seat, f, 0], plans[other, f, 0]
        same = 1
        for byte in range(plans[seat, f, 2] * plans[seat, f, 3]):
            if octets[i, uint64(mine) + uint64(byte)] != octets[i + 1, uint64(theirs) + uint64(byte)]:
                same = 0
        if not same:
            spread_field(octets, i + 1, plans, other, f, out, row)


@door
def spread(octets: Any, plans: Any, out: Any) -> None:
    """`spread_one` of each struct into the same row, by the first plan."""
    for i in range(len(octets)):
        spread_one(octets, i, plans, 0, out, i)


def plain_layout(game: Game, parts: Sequence[Part], reader: Reader) -> Layout:
    """What `reader` makes of a view, in the order of the parts."""

    def fill(layout: Layout, views: States, seat: int, out: Observations) -> None:
        for i in range(len(views)):
            out[i, 1:] = reader(views[i], seat)

    return Layout(_with_seat(game, parts), fill)


def every_entry(game: Game) -> Layout:
    """Everything that ``exact()`` says of a view, one part for each entry, named where an entry is a name with a value."""
    longest: dict[str, int] = {}
    for view in _views_tried(game):
        for name, numbers in _entries(view).items():
            longest[name] = max(longest.get(name, 1), len(numbers))
    room = {name: length + length // 2 if length > 1 else 1 for name, length in longest.items()}
    parts = [Part(name, (size,) if size > 1 else (), LOWEST, HIGHEST, "an entry of the view") for name, size in room.items()]

    def read(view: Any, seat: int) -> list[int]:
        found = _entries(view)
        return [number for name, size in room.items() for number in ([*found.get(name, ()), *[0] * size])[:size]]

    return plain_layout(game, parts, read)


def _entries(view: Any) -> dict[str, list[int]]:
    """The entries of a view by their names, else by their places, each as flat numbers."""
    found = {}
    for place, entry in enumerate(view.exact()):
        named = isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str)
        found[entry[0] if named else f"entry {place}"] = list(_flat(entry[1] if named else entry))
    return found


def _flat(value: Any) -> Iterator[int]:
    if isinstance(value, tuple | list):
        yield len(value)
        for part in value:
            yield from _flat(part)
    elif isinstance(value, str | bytes):
        yield crc32(value.encode() if isinstance(value, str) else value) & HIGHEST
    else:
        yield -1 if value is None else max(LOWEST, min(HIGHEST, int(value)))


def _views_tried(game: Game) -> Iterator[Any]:
    """What the seats see in some random games."""
    for seed in range(GAMES_TRIED):
        states, xs = game.new(game.seats[seed % 2], seed), game.scratches()
        reseed_at(xs, 0, uint64(seed))
        for _ in range(STEPS_TRIED):
            for seat in range(seats_of(states)):
                yield hidden_from(states, seat)[0]
            if actor_at(states, 0) == OVER:
                break
            apply_at(states, 0, int(decide_at(states, 0, xs, 0)))
