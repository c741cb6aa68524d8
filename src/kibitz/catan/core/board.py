"""Boards: terrain, number tokens and harbours on the island; random by the official rules, or typed in.

>>> board = Board.beginner()
>>> board.to_text()
'o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw'
>>> Board.from_text(board.to_text()) == board
True
>>> board.hexes[0]
Hex(resource=<Resource.ORE: 'ore'>, number=10)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

from kibitz.catan.core.geometry import Corner, Edge, corners_of, edges_of, hex_edges, hex_neighbours
from kibitz.catan.core.topology import (
    COAST_EDGES, EDGE_BETWEEN, EDGE_ENDS, HEX_NEIGHBOURS, HEX_OUTLINES, HEXES, ISLAND_CORNERS, NONE, spiral,
)  # fmt: skip
from kibitz.ground.codec import parse_json
from kibitz.ground.rng import Stream, derive_seed
from kibitz.ground.texts import Mistake


class Resource(StrEnum):
    """The five resources, in the order that is used everywhere."""

    WOOD = "wood"
    BRICK = "brick"
    SHEEP = "sheep"
    WHEAT = "wheat"
    ORE = "ore"


RESOURCES = tuple(Resource)


class PortType(StrEnum):
    """What a harbour trades: three of anything for one, or two of one resource."""

    ANY_3TO1 = "3:1"
    WOOD = "wood"
    BRICK = "brick"
    SHEEP = "sheep"
    WHEAT = "wheat"
    ORE = "ore"


PORT_TYPES = tuple(PortType)


class _Terrain(NamedTuple):
    resource: Resource | None
    number: int | None


class Hex(_Terrain):
    """Terrain and number token; the desert has neither. On a board it also knows where it lies."""

    id: int = NONE
    """Its number on a board."""

    @property
    def pips(self) -> int:
        """In how many of 36 rolls it yields something.

        >>> Hex(Resource.ORE, 6).pips, Hex(None, None).pips
        (5, 0)
        """
        return 0 if self.number is None else 6 - abs(7 - self.number)

    @property
    def corners(self) -> tuple[int, ...]:
        """Its six corners, clockwise from the north."""
        return tuple(HEX_OUTLINES[self._place])

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Its six sides, clockwise from the north-east, each as its two corners."""
        return hex_edges(self._place)

    @property
    def neighbours(self) -> tuple[int, ...]:
        """The hexes around it, clockwise from the north-east; the sea is left out."""
        return hex_neighbours(self._place)

    @property
    def _place(self) -> int:
        if self.id == NONE:
            raise ValueError(f"{self!r} lies on no board")
        return self.id

    def at(self, place: int) -> Hex:
        """The same hex at a place of a board."""
        placed = Hex(*self)
        placed.id = place
        return placed


class Harbour(NamedTuple):
    """A harbour serves the two corners of one edge of the coast."""

    edge: int
    kind: PortType

    @property
    def corners(self) -> tuple[int, int]:
        """The two corners that it serves."""
        return EDGE_ENDS[self.edge]


#: How many hexes of each terrain the box holds.
TERRAIN = {Resource.WOOD: 4, Resource.BRICK: 3, Resource.SHEEP: 4, Resource.WHEAT: 4, Resource.ORE: 3, None: 1}
#: The tokens A to R, in the order in which the spiral lays them.
TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
#: The places of the nine harbours on the printed frame, as positions in `COAST_EDGES`.
HARBOUR_SPOTS = (0, 3, 7, 10, 13, 17, 20, 23, 27)
#: The harbours in the rule book's picture for beginners, clockwise from the north-west.
BEGINNER_HARBOURS = "?go?s??bw"

_LETTERS = {"w": Resource.WOOD, "b": Resource.BRICK, "s": Resource.SHEEP, "g": Resource.WHEAT, "o": Resource.ORE, "d": None}
_HARBOUR_LETTERS = {"?": PortType.ANY_3TO1, **{letter: PortType(r) for letter, r in _LETTERS.items() if r is not None}}
_LETTER_OF = {resource: letter for letter, resource in _LETTERS.items()}
_ROWS = (3, 4, 5, 4, 3)


class InvalidBoard(Mistake):
    """A board that the box could not make; the message names the hex or harbour."""


@dataclass(frozen=True)
class Board:
    """Nineteen hexes (numbered as in `kibitz.catan.core.topology`) and nine harbours in clockwise order."""

    hexes: tuple[Hex, ...]
    harbours: tuple[Harbour, ...]

    def __post_init__(self) -> None:
        _check_hexes(self.hexes)
        _check_harbours(self.harbours)
        object.__setattr__(self, "hexes", tuple(hex.at(place) for place, hex in enumerate(self.hexes)))

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """All corners, with what is around them."""
        return corners_of(self)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, likewise."""
        return edges_of(self)

    def edge(self, corner: int, other: int) -> Edge:
        """The edge between two corners, in either order."""
        if (corner, other) not in EDGE_BETWEEN:
            raise ValueError(f"{corner}-{other}: no edge of the island joins these corners")
        return self.edges[EDGE_BETWEEN[corner, other]]

    @property
    def desert(self) -> int:
        """The hex on which the robber starts."""
        return next(h for h, hex in enumerate(self.hexes) if hex.resource is None)

    @classmethod
    def beginner(cls) -> Self:
        """The board that the rule book shows for the first game."""
        return cls.from_text(f"o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 {BEGINNER_HARBOURS}")

    @classmethod
    def random(
        cls,
        seed: int,
        tokens: Literal["spiral", "random"] = "spiral",
        harbours: Literal["fixed", "shuffled"] = "shuffled",
        start: int | None = None,
    ) -> Self:
        """A random board: shuffled terrain, tokens by the official spiral or at random with no two of 6 and 8 adjacent.

        `start` is the corner hex at which the spiral begins (any of six, by default a random one).
        """
        rng = Stream(derive_seed(seed, "board", tokens, harbours))
        terrain = rng.shuffled(resource for resource, count in TERRAIN.items() for _ in range(count))
        kinds = [_HARBOUR_LETTERS[k] for k in BEGINNER_HARBOURS]
        if harbours == "shuffled":
            kinds = rng.shuffled(kinds)
        elif harbours != "fixed":
            raise ValueError(f"harbours={harbours!r}: expected 'fixed' or 'shuffled'")
        if tokens == "spiral":
            path = spiral(rng.choice(ISLAND_CORNERS) if start is None else start)
            numbers = _lay(terrain, path, TOKENS)
        elif tokens == "random":
            numbers = _lay(terrain, range(HEXES), rng.shuffled(TOKENS))
            while red_neighbours(numbers):
                numbers = _lay(terrain, range(HEXES), rng.shuffled(TOKENS))
        else:
            raise ValueError(f"tokens={tokens!r}: expected 'spiral' or 'random'")
        return cls(
            tuple(Hex(r, numbers[h]) for h, r in enumerate(terrain)),
            tuple(Harbour(int(COAST_EDGES[spot]), kind) for spot, kind in zip(HARBOUR_SPOTS, kinds, strict=True)),
        )

    def to_text(self) -> str:
        """One line: the rows of hexes (w wood, b brick, s sheep, g wheat, o ore, d desert), then the harbours.

        Harbours on the printed spots are one letter each, clockwise (? is 3:1); others carry their place on the coast.
        """
        return island_text(self.hexes, self.harbours)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote."""
        return cls(*read_island(text))

    def to_json(self) -> dict[str, Any]:
        """The board with all it takes to use it without this package: corners of each hex, ends of each edge."""
        return {
            "hexes": [
                {"resource": hex.resource.value if hex.resource else "desert", "number": hex.number, "corners": HEX_OUTLINES[h]}
                for h, hex in enumerate(self.hexes)
            ],
            "edges": [list(ends) for ends in EDGE_ENDS],
            "harbours": [{"kind": harbour.kind.value, "corners": list(EDGE_ENDS[harbour.edge])} for harbour in self.harbours],
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read what `to_json` wrote (a dict or its JSON text); corners and edges may be left out, not contradicted."""
        if isinstance(data, str):
            try:
                data = parse_json(data)
            except ValueError as error:
                raise InvalidBoard(str(error)) from None
        if not isinstance(data, Mapping):
            raise InvalidBoard("expected an object with the fields hexes and harbours")
        hexes = _field(data, "hexes", "board")
        harbours = _field(data, "harbours", "board")
        if "edges" in data and data["edges"] != [list(ends) for ends in EDGE_ENDS]:
            raise InvalidBoard("edges: not the 72 edges of the island, in ascending order of their corners")
        _check_number_of_hexes(len(hexes))
        return cls(
            tuple(_hex_from_json(h, value) for h, value in enumerate(hexes)),
            tuple(_harbour_from_json(i, value) for i, value in enumerate(harbours)),
        )

    def _repr_svg_(self) -> str:
        from kibitz.catan.core.svg import draw_board

        return draw_board(self)


def island_text(hexes: Sequence[Hex], harbours: Sequence[Harbour]) -> str:
    """What `Board.to_text` writes; also for an island that is not a board."""
    names = [_LETTER_OF[hex.resource] + (str(hex.number) if hex.number else "") for hex in hexes]
    lines, at = [], 0
    for width in _ROWS:
        lines.append(".".join(names[at : at + width]))
        at += width
    coast = COAST_EDGES.tolist()
    spots = [coast.index(h.edge) for h in harbours]
    letters = ["?" if h.kind is PortType.ANY_3TO1 else _LETTER_OF[Resource(h.kind.value)] for h in harbours]
    if tuple(spots) == HARBOUR_SPOTS:
        return "/".join(lines) + " " + "".join(letters)
    return "/".join(lines) + " " + ",".join(f"{spot}{letter}" for spot, letter in zip(spots, letters, strict=True))


def read_island(text: str) -> tuple[tuple[Hex, ...], tuple[Harbour, ...]]:
    """Hexes and harbours as `island_text` writes them; whether they make a board is not asked."""
    parts = text.split()
    if len(parts) != 2:
        raise InvalidBoard(f"expected the hexes, a blank and the harbours, as in {Board.beginner().to_text()!r}")
    lines = [row.split(".") for row in parts[0].split("/")]
    if [len(line) for line in lines] != list(_ROWS):
        raise InvalidBoard(f"expected rows of 3, 4, 5, 4 and 3 hexes, found {', '.join(str(len(line)) for line in lines)}")
    hexes = [_hex_from_text(h, name) for h, name in enumerate(name for line in lines for name in line)]
    return tuple(hexes), _harbours_from_text(parts[1])


def red_neighbours(numbers: Sequence[int | None]) -> bool:
    """Whether two of the red tokens 6 and 8 lie on neighbouring hexes."""
    red = [h for h in range(HEXES) if numbers[h] in (6, 8)]
    return any(n in red for h in red for n in HEX_NEIGHBOURS.tolist()[h])


def _lay(terrain: Sequence[Resource | None], path: Sequence[int], tokens: Sequence[int]) -> list[int | None]:
    """Put the tokens on the hexes along `path`; the desert is passed over."""
    numbers: list[int | None] = [None] * HEXES
    stack = iter(tokens)
    for h in path:
        if terrain[h] is not None:
            numbers[h] = next(stack)
    return numbers


# --- checks -----------------------------------------------------------------------------------------------


def _check_number_of_hexes(found: int) -> None:
    if found != HEXES:
        problem = "missing" if found < HEXES else "one hex too many"
        raise InvalidBoard(f"hex {min(found, HEXES)}: {problem}; expected {HEXES} hexes, found {found}")


def _check_hexes(hexes: Sequence[Hex]) -> None:
    _check_number_of_hexes(len(hexes))
    terrain: Counter[Resource | None] = Counter()
    tokens: Counter[int] = Counter()
    for h, (resource, number) in enumerate(hexes):
        if resource not in TERRAIN:
            raise InvalidBoard(f"hex {h}: unknown resource {resource!r}")
        terrain[resource] += 1
        if terrain[resource] > TERRAIN[resource]:
            raise InvalidBoard(f"hex {h}: one {resource or 'desert'} too many, the box holds {TERRAIN[resource]}")
        if resource is None:
            if number is not None:
                raise InvalidBoard(f"hex {h}: the desert has no number, found {number}")
            continue
        if number is None:
            raise InvalidBoard(f"hex {h}: {resource} without a number")
        tokens[number] += 1
        if tokens[number] > TOKENS.count(number):
            problem = f"one token {number} too many, the box holds {TOKENS.count(number)}"
            raise InvalidBoard(f"hex {h}: {problem if number in TOKENS else f'there is no token {number}'}")


def _check_harbours(harbours: Sequence[Harbour]) -> None:
    coast = COAST_EDGES.tolist()
    kinds: Counter[PortType] = Counter()
    for i, (edge, kind) in enumerate(harbours):
        if edge not in coast:
            raise InvalidBoard(f"harbour {i}: edge {edge} is not on the coast")
        kinds[kind] += 1
        if kinds[kind] > (4 if kind is PortType.ANY_3TO1 else 1):
            raise InvalidBoard(f"harbour {i}: one {kind} harbour too many")
    if len(harbours) != len(HARBOUR_SPOTS):
        raise InvalidBoard(f"expected {len(HARBOUR_SPOTS)} harbours, found {len(harbours)}")
    if (places := [coast.index(h.edge) for h in harbours]) != sorted(places):
        raise InvalidBoard("harbours: expected in clockwise order from the north-west")
    for i, (place, following) in enumerate(zip(places, [*places[1:], places[0] + len(coast)], strict=True)):
        if following - place < 3:
            raise InvalidBoard(f"harbour {i}: at least two edges of the coast lie between two harbours")


def _hex_from_text(h: int, name: str) -> Hex:
    if name[:1] not in _LETTERS or not (name[1:] == "" or (name[1:].isascii() and name[1:].isdigit() and len(name) < 4)):
        raise InvalidBoard(f"hex {h}: cannot read {name!r}; expected a letter of {''.join(_LETTERS)} and a number, as in o10")
    return Hex(_LETTERS[name[0]], int(name[1:]) if name[1:] else None)


def _harbours_from_text(text: str) -> tuple[Harbour, ...]:
    entries: list[tuple[str, str]]
    if "," in text:
        entries = [(entry[:-1], entry[-1:]) for entry in text.split(",")]
    else:
        if len(text) != len(HARBOUR_SPOTS):
            raise InvalidBoard(f"expected {len(HARBOUR_SPOTS)} harbours, found {len(text)} in {text!r}")
        entries = [(str(spot), letter) for spot, letter in zip(HARBOUR_SPOTS, text, strict=True)]
    harbours = []
    for i, (spot, letter) in enumerate(entries):
        if letter not in "?wbsgo" or not letter:
            raise InvalidBoard(f"harbour {i}: unknown kind {letter!r}; expected one of ? w b s g o")
        if not (spot.isascii() and spot.isdigit() and len(spot) < 3 and int(spot) < len(COAST_EDGES)):
            raise InvalidBoard(f"harbour {i}: no place {spot!r} on the coast; expected 0 to {len(COAST_EDGES) - 1}")
        kind = _HARBOUR_LETTERS[letter]
        harbours.append(Harbour(int(COAST_EDGES[int(spot)]), kind))
    return tuple(harbours)


def _field(data: Any, name: str, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise InvalidBoard(f"{where}: expected an object, found {type(data).__name__}")
    if name not in data:
        raise InvalidBoard(f"{where}: the field {name} is missing")
    value = data[name]
    if name in ("hexes", "harbours") and not isinstance(value, list):
        raise InvalidBoard(f"{name}: expected a list, found {type(value).__name__}")
    return value


def _hex_from_json(h: int, data: Any) -> Hex:
    name, number = _field(data, "resource", f"hex {h}"), _field(data, "number", f"hex {h}")
    if name != "desert" and name not in [r.value for r in RESOURCES]:
        raise InvalidBoard(f"hex {h}: unknown resource {name!r}")
    if number is not None and (type(number) is not int):
        raise InvalidBoard(f"hex {h}: the number {number!r} is not a whole number")
    if h < HEXES and "corners" in data and data["corners"] != HEX_OUTLINES[h]:
        raise InvalidBoard(f"hex {h}: its corners are {HEX_OUTLINES[h]}, found {data['corners']!r}")
    return Hex(None if name == "desert" else Resource(name), number)


def _harbour_from_json(i: int, data: Any) -> Harbour:
    kind, corners = _field(data, "kind", f"harbour {i}"), _field(data, "corners", f"harbour {i}")
    if kind not in [p.value for p in PORT_TYPES]:
        raise InvalidBoard(f"harbour {i}: unknown kind {kind!r}")
    ends = tuple(corners) if isinstance(corners, list) and all(type(c) is int for c in corners) else ()
    if ends not in EDGE_BETWEEN:
        raise InvalidBoard(f"harbour {i}: {corners!r} are not the two corners of an edge")
    return Harbour(EDGE_BETWEEN[ends], PortType(kind))
