"""A board in the making: changed hex by hex, and told what keeps it from being a board.

>>> sketch = Sketch.of(Board.beginner()).with_resource(0, Resource.WOOD)
>>> [flaw.text for flaw in sketch.flaws()]
['5 wood hexes: the box holds 4', '2 ore hexes: one is missing']
>>> sketch.board()
Traceback (most recent call last):
...
kibitz.catan.core.board.InvalidBoard: hex 12: one wood too many, the box holds 4
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar, Self

from kibitz.catan.core.board import (
    BEGINNER_HARBOURS, TERRAIN, TOKENS, Board, Harbour, Hex, InvalidBoard, PortType, Resource, island_text, read_island,
)  # fmt: skip

from kibitz.catan.core.topology import HEXES, spiral

T = TypeVar("T")

#: How many harbours of each kind the box holds.
HARBOURS = {kind: 4 if kind is PortType.ANY_3TO1 else 1 for kind in PortType}


class Flaw(NamedTuple):
    """What is wrong with a sketch, for people, and the elements of its picture that it is about."""

    text: str
    elements: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sketch:
    """Nineteen hexes and nine harbours, of whatever kind."""

    hexes: tuple[Hex, ...]
    harbours: tuple[Harbour, ...]

    @classmethod
    def of(cls, board: Board) -> Self:
        """A board, to be changed."""
        return cls(board.hexes, board.harbours)

    @classmethod
    def blank(cls) -> Self:
        """Nothing but desert, and the harbours of the beginner board: something to paint on."""
        return cls((Hex(None, None),) * HEXES, Board.beginner().harbours)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote. Raises `InvalidBoard` for what is not even an island."""
        hexes, harbours = read_island(text)
        if len(harbours) != len(BEGINNER_HARBOURS):
            raise InvalidBoard(f"expected {len(BEGINNER_HARBOURS)} harbours, found {len(harbours)}")
        return cls(hexes, harbours)

    def to_text(self) -> str:
        """One line, as `Board.to_text`."""
        return island_text(self.hexes, self.harbours)

    def board(self) -> Board:
        """The board. Raises `InvalidBoard` where it is not one."""
        return Board(self.hexes, self.harbours)

    def with_resource(self, hex: int, resource: Resource | None) -> Self:
        """Another terrain (None: the desert, which has no number)."""
        return self._with_hex(hex, Hex(resource, None if resource is None else self.hexes[hex].number))

    def with_number(self, hex: int, number: int) -> Self:
        """Another token; the desert stays without."""
        found = self.hexes[hex]
        return self if found.resource is None else self._with_hex(hex, Hex(found.resource, number))

    def with_harbour(self, index: int, kind: PortType) -> Self:
        """Another kind of harbour in the same place."""
        edge = self.harbours[index].edge
        return replace(self, harbours=(*self.harbours[:index], Harbour(edge, kind), *self.harbours[index + 1 :]))

    def swapped(self, a: int, b: int) -> Self:
        """Two hexes changed for each other, with their tokens: a board stays one."""
        return self._with_hex(a, self.hexes[b])._with_hex(b, self.hexes[a])

    def with_spiral(self, start: int) -> Self:
        """Tokens as the rule book lays them: A to R along the spiral from a corner hex of the island, the desert left out."""
        path = [hex for hex in spiral(start) if self.hexes[hex].resource is not None]
        laid = dict(zip(path, TOKENS, strict=False))
        return replace(self, hexes=tuple(Hex(hex.resource, laid.get(n)) for n, hex in enumerate(self.hexes)))

    def with_tokens_swapped(self, a: int, b: int) -> Self:
        """The tokens of two hexes changed for each other; the desert stays without."""
        if None in (self.hexes[a].resource, self.hexes[b].resource):
            return self
        first, second = self.hexes[a], self.hexes[b]
        return self._with_hex(a, Hex(first.resource, second.number))._with_hex(b, Hex(second.resource, first.number))

    def _with_hex(self, index: int, hex: Hex) -> Self:
        return replace(self, hexes=(*self.hexes[:index], hex, *self.hexes[index + 1 :]))

    def flaws(self) -> list[Flaw]:
        """All that keeps it from being a board; nothing if it is one."""
        terrain = [hex.resource for hex in self.hexes]
        tokens = [hex.number for hex in self.hexes if hex.number is not None]
        numbered = [h for h, hex in enumerate(self.hexes) if hex.number is not None]
        found = list(_counted(terrain, range(len(terrain)), TERRAIN, "hex", lambda r: f"{r or 'desert'} hex"))
        bare = [h for h, hex in enumerate(self.hexes) if hex.resource is not None and hex.number is None]
        if bare:
            names = tuple(f"hex-{h}" for h in bare)
            found.append(Flaw(f"{_plural(len(bare), 'hex')} without a number", names))
        else:  # what is missing there would be told twice
            found += _counted(tokens, numbered, Counter(TOKENS), "hex", lambda n: f"token {n}")
        kinds = [harbour.kind for harbour in self.harbours]
        found += _counted(kinds, range(len(kinds)), HARBOURS, "harbour", lambda kind: f"{kind} harbour")
        if not found:
            try:
                self.board()
            except InvalidBoard as error:
                found.append(Flaw(str(error)))
        return found


def _counted(
    values: Sequence[T], places: Sequence[int], box: Mapping[T, int], element: str, name: Callable[[T], str]
) -> Iterator[Flaw]:
    """Where there are more or fewer than the box holds; those that are too many first."""
    counts = Counter(values)
    for value in sorted([*box, *(v for v in counts if v not in box)], key=lambda value: counts[value] <= box.get(value, 0)):
        n, held = counts[value], box.get(value, 0)
        if n > held:
            where = tuple(f"{element}-{place}" for place, found in zip(places, values, strict=True) if found == value)
            yield Flaw(f"{_plural(n, name(value))}: the box holds {held or 'none'}", where)
        elif n < held:
            missing = "one is missing" if held - n == 1 else f"{held - n} are missing"
            yield Flaw(f"{_plural(n, name(value))}: {missing}")


def _plural(n: int, name: str) -> str:
    kind, _, word = name.rpartition(" ")
    if word.isdigit():  # token 6
        return f"{n} {kind}s {word}" if n != 1 else f"1 {name}"
    return f"{n} {name}" if n == 1 else f"{n} {name}es" if name.endswith("x") else f"{n} {name}s"
