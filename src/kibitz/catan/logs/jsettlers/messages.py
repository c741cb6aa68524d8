"""The lines of a JSettlers log: who a message went to, what it is called, its fields, and the board that it lays out.

>>> message = parse("0:31.165:!p[3, 2]:SOCRobberyResult:game=g|perp=3|victim=2|resType=6|amount=1|isGainLose=true", 7)
>>> message.kind, message.audience, message.number("perp")
('RobberyResult', '!p[3, 2]', 3)
>>> message.reaches(1), message.reaches(2)
(True, False)
>>> parse("all:SOCDiscard:playerNum=2|resources=clay=1|ore=0|sheep=0|wheat=0|wood=2|unknown=0", 8).cards("resources")
(Cards(wood=2, brick=1), 0)

The classic board has the grid of `kibitz.catan.logs.island`. The board of the sea expansion uses rows and columns instead
(0x0305 is row 3, column 5).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from kibitz.catan.core.board import Board, Harbour, PortType
from kibitz.catan.core.events import Cards
from kibitz.catan.logs.island import HEX_AT, HEX_EDGES, LAND, TO_CORNERS, Island

#: The resources by their numbers, from 1, and as JSettlers spells them.
RESOURCES = ("brick", "ore", "sheep", "wheat", "wood")
WORDS = {"clay": "brick", "ore": "ore", "sheep": "sheep", "wheat": "wheat", "wood": "wood"}
#: The number of a card that is not shown.
UNKNOWN = 6

#: Messages that do not tell the same to everybody.
SECRETS = ("RobberyResult", "Discard", "DevCardAction")

HEADER = "SOC game event log:"
#: Some versions say it with another word.
_SYNONYMS = {"ReportRobbery": "RobberyResult", "DevCard": "DevCardAction"}

_STAMP = r"[\d:.+-]{1,40}:"
_AUDIENCE = r"all|ob|un|fo|[fp]\d{1,2}|!p\d{1,2}|!p\[[\d, ]{1,40}\]"
_LINE = re.compile(rf"\s*(?:{_STAMP})?(?:({_AUDIENCE}):)?SOC([A-Z]\w{{0,60}})(?::(.*))?", re.DOTALL | re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_HEX_NUMBER = re.compile(r"-?(?:0x)?[0-9a-fA-F]{1,8}")
_ELEMENT = re.compile(r"e([0-9]{1,3})=(-?[0-9]{1,9})")


class Unreadable(ValueError):
    """A message that lacks a field, or holds something else there."""


@dataclass(frozen=True)
class Message:
    """One message of the log."""

    line: int
    #: all, ob (an observer), un (one that asked), p3, !p3, !p[3, 2], f3 (from the client of player 3) or fo; None where
    #: the log does not say it (the old form).
    audience: str | None
    kind: str
    body: str
    #: Whether the message had its name of the first versions, whose numbers for development cards differ.
    early: bool = False

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """The fields by name; the last of a name counts."""
        return {name: value for name, _, value in (part.partition("=") for part in self.body.split("|"))}

    @property
    def sent(self) -> bool:
        """Whether the server sent this to the players (or the log does not tell)."""
        return self.audience is None or self.audience[0] in "ap!"

    def get(self, *names: str) -> str | None:
        """A field by the first of its names that is there."""
        return next((self.fields[name] for name in names if name in self.fields), None)

    def number(self, *names: str) -> int:
        """A whole number."""
        value = self.maybe(*names)
        if value is None:
            raise Unreadable(f"{names[0]} is missing")
        return value

    def maybe(self, *names: str) -> int | None:
        """A whole number, if it is there."""
        text = self.get(*names)
        if text is None:
            return None
        if not _NUMBER.fullmatch(text):
            raise Unreadable(f"{names[0]} {text[:20]!r} is not a whole number")
        return int(text)

    def coordinate(self) -> int:
        """Where on the board: a number in hexadecimal digits."""
        text = self.get("coord") or ""
        if not _HEX_NUMBER.fullmatch(text):
            raise Unreadable(f"coord {text[:20]!r} is not a place")
        return int(text, 16)

    def numbers(self) -> list[int]:
        """The nameless numbers of a list (p=1|p=2)."""
        words = [part[2:] for part in self.body.split("|") if part.startswith("p=")]
        if not all(_NUMBER.fullmatch(word) for word in words):
            raise Unreadable("expected whole numbers")
        return [int(word) for word in words]

    def gains(self) -> Iterator[tuple[int, int, Cards]]:
        """What the dice brought (p=2|p=0|p=4|p=2|p=5|p=0|p=3 ...): players, how many cards each holds now, and the new ones.

        The list begins with the number of players; amounts and resources follow in pairs, and a 0 ends those of a player.
        """
        numbers = iter(self.numbers())
        for _ in range(next(numbers, 0)):
            player, total = next(numbers, None), next(numbers, None)
            if player is None or total is None:
                raise Unreadable("the list of cards breaks off")
            cards = Cards()
            while amount := next(numbers, 0):
                cards = cards.plus(Cards.of({resource_name(next(numbers, 0)): amount}))
            yield player, total, cards

    def elements(self) -> dict[int, int]:
        """The numbered elements of a list (e1=2,e5=1)."""
        parts = [part for part in self.body.split("|") if re.match("e[0-9]", part)]
        items = [_ELEMENT.fullmatch(item) for part in parts for item in part.split(",")]
        if not items or None in items:
            raise Unreadable("expected elements, as in e1=2,e5=1")
        return {int(item[1]): int(item[2]) for item in items if item is not None}

    def cards(self, name: str) -> tuple[Cards, int]:
        """A set of resources: those that are known, and how many are not."""
        found: dict[str, int] = {}
        parts = iter(self.body.split("|"))
        for part in parts:
            outer, _, inner = part.partition("=")
            if outer == name:
                for word in (inner, *parts):
                    kind, _, value = word.partition("=")
                    if kind not in (*WORDS, "unknown"):
                        break
                    if not _NUMBER.fullmatch(value) or kind in found:
                        raise Unreadable(f"{name} {word[:20]!r} is not a number of cards")
                    found[kind] = int(value)
                break
        if not found:
            raise Unreadable(f"{name} is missing")
        return Cards.of({WORDS[kind]: n for kind, n in found.items() if kind in WORDS}), found.get("unknown", 0)

    def reaches(self, player: int | None) -> bool:
        """Whether a player received this, or (None) everybody who only watched; what came from a client reached nobody."""
        if self.audience in (None, "all"):
            return True
        if self.audience == "ob":
            # who joins is shown what happened before; only these tell of something new
            return player is None and self.kind in SECRETS
        if self.audience[0] == "p":
            return player is not None and player == int(self.audience[1:])
        return self.audience[0] == "!" and player not in self.excluded()

    def excluded(self) -> set[int]:
        """The players who were left out."""
        named = self.audience if self.audience and self.audience[0] == "!" else ""
        return {int(digits) for digits in re.findall(r"\d{1,9}", named)}


def resource_name(kind: int) -> str:
    """A known resource by its number. Raises `Unreadable`."""
    if not 1 <= kind < UNKNOWN:
        raise Unreadable(f"there is no resource {kind}")
    return RESOURCES[kind - 1]


def parse(text: str, line: int) -> Message | None:
    """The message of a line; None if it is not one."""
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    audience, kind, body = found.groups()
    return Message(line, audience, _SYNONYMS.get(kind, kind), body or "", kind == "DevCard")


def recognises(text: str) -> bool:
    """Whether one of the first lines is a header or a message of JSettlers."""
    lines = [line for line in text[:20_000].split("\n") if line.strip()]
    return any(line.strip("\ufeff \t").startswith(HEADER) or parse(line, 0) is not None for line in lines[:40])


#: The 37 hexes of the classic board with the sea around it, row by row from the top left.
_ROWS = ((0x17, 4), (0x15, 5), (0x13, 6), (0x11, 7), (0x31, 6), (0x51, 5), (0x71, 4))
GRID = tuple(first + 0x22 * i for first, width in _ROWS for i in range(width))
#: From a hex to its neighbours, clockwise from the north-east.
TO_NEIGHBOURS = (0x02, 0x22, 0x20, -0x02, -0x22, -0x20)

#: What the numbers of a layout mean. Desert and water are 0 and 6; a 3:1 harbour is 6 and the side to which it faces
#: (1 to 6, clockwise from the north-east); another harbour has its side in the upper four bits and the resource below.
DESERT, WATER = 0, 6
TOKENS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
#: On the board of the sea expansion water is 0 and the desert 6.
_LAND_TYPES = range(1, 6)


@dataclass(frozen=True)
class Layout:
    """The terrain that a log shows: enough to know what a settlement brings, and our board where it is one."""

    #: Resources by coordinate (hexes under fog are not among them: what they bring is told when they are revealed).
    terrain: dict[int, str]
    classic: bool
    board: Board | None = None

    def resources_at(self, coordinate: int) -> Cards:
        """One card from each hex at a corner."""
        if self.classic:
            around = [coordinate - step for step in TO_CORNERS]
        else:
            around = [coordinate + row + column for row in (-0x100, 0x100) for column in (-1, 0, 1)]
        return Cards.of([self.terrain[hex] for hex in around if hex in self.terrain])


def read_layout(message: Message) -> Layout | None:
    """The layout that a message holds; None where it is empty (before the game) or of a kind that we do not know."""
    hexes = _numbers(message, "hexLayout", "HL")
    tokens = _numbers(message, "numberLayout", "NL")
    if len(hexes) == len(GRID):
        terrain = {at: RESOURCES[kind - 1] for at, kind in zip(GRID, hexes, strict=True) if kind in _LAND_TYPES}
        return Layout(terrain, True, _board(hexes, tokens)) if terrain else None
    land = _numbers(message, "LH", base=16)
    triples = zip(land[::3], land[1::3], strict=False)
    terrain = {at: RESOURCES[kind - 1] for at, kind in triples if kind in _LAND_TYPES}
    return Layout(terrain, False) if terrain else None


def _numbers(message: Message, *names: str, base: int = 10) -> list[int]:
    """The numbers of a list such as `{ 6 51 -1 }`."""
    text = message.get(*names) or ""
    digits = "0-9a-fA-F" if base == 16 else "0-9"
    return [int(word, base) for word in text.strip("{} ").split() if re.fullmatch(rf"-?[{digits}]{{1,8}}", word)]


def _board(hexes: list[int], tokens: list[int]) -> Board | None:
    """Our board, if the layout is one: the box holds no other, as when a game is played with house rules."""
    kinds = dict(zip(GRID, hexes, strict=True))
    numbers = dict(zip(GRID, tokens, strict=False))
    harbours = []
    for at, kind in kinds.items():
        side, goods = (kind - WATER, 0) if kind < 16 else divmod(kind, 16)
        if kind > WATER and 1 <= side <= 6 and goods <= 5:
            land = HEX_AT.get(at + TO_NEIGHBOURS[side - 1])
            if land is None:
                return None
            edge = HEX_EDGES[land][(side + 2) % 6]
            harbours.append(Harbour(edge, PortType(RESOURCES[goods - 1]) if goods else PortType.ANY_3TO1))
    hexes_of_land = {
        h: (RESOURCES[kinds[at] - 1], TOKENS[number])
        for h, at in enumerate(LAND)
        if kinds[at] in _LAND_TYPES and 0 <= (number := numbers.get(at, -1)) < len(TOKENS)
    }
    return Island(hexes_of_land, None).board(harbours)
