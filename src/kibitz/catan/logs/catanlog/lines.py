"""The lines of a catanlog: the header, the sentences, the places that they name, and what was taken back."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from kibitz.catan.core.board import Harbour, PortType
from kibitz.catan.core.events import MOST_PLAYERS, Cards, InvalidEvent
from kibitz.catan.core.topology import HEX_OUTLINES, spiral
from kibitz.catan.logs.base import LogError
from kibitz.catan.logs.island import CORNER_AT, EDGE_AT, HEX_AT, HEX_EDGES, Island

#: Lines with their numbers.
Lines: TypeAlias = Sequence[tuple[int, str]]

#: No sentence is longer.
_LONGEST = 500

#: Our hex for each tile, in the order of their numbers.
_TILES = spiral(0)
_CORNER_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
_SIDE_NAMES = ("NE", "E", "SE", "SW", "W", "NW")

_PLAYER = re.compile(r"name: (?P<name>.*), color: (?P<colour>.*), seat: (?P<seat>\d{1,3})")
_PORT = re.compile(r"(?P<kind>3:1|wood|brick|sheep|wheat|ore)(?P<place>\(\d{1,2} [NEWS]{1,2}\))")

_PLACE = r"(?:\(\d{1,2} [NEWS]{1,2}\)|\d{1,3})"
_BUNDLE = r"\[[^\[\]]*\]"
#: What can be said of a player, in the wordings of all versions.
SENTENCES = {
    "roll": re.compile(r"rolls (?P<total>\d{1,2})(?: ?\.\.\.DEUCES!)?"),
    "robber": re.compile(r"moves robber to (?P<tile>\d{1,3}), steals from (?P<victim>.+)"),
    "knight": re.compile(r"plays (?:dev card: )?knight(?:, moves robber to (?P<tile>\d{1,3}), steals from (?P<victim>.+))?"),
    "build": re.compile(rf"buys (?P<piece>road|settlement|city), builds at (?P<place>{_PLACE})"),
    "buy_card": re.compile(r"buys dev card"),
    "bank": re.compile(rf"trades (?P<give>{_BUNDLE}) to port \S+ for (?P<receive>{_BUNDLE})"),
    "trade": re.compile(rf"trades (?P<give>{_BUNDLE}) to player (?P<partner>.+) for (?P<receive>{_BUNDLE})"),
    "road_builder": re.compile(rf"plays (?:dev card: )?road builder, builds at (?P<first>{_PLACE}) and (?P<second>{_PLACE})"),
    "plenty": re.compile(r"plays (?:dev card: )?year of plenty, takes (?P<first>\w+) and (?P<second>\w+)"),
    "monopoly": re.compile(r"plays (?:dev card: )?monopoly on (?P<resource>\w+)"),
    "victory_point": re.compile(r"plays (?:dev card: )?victory point"),
    "robbed": re.compile(r"is robbed"),
    "end_turn": re.compile(r"ends turn(?: after -?\d{1,9}s)?"),
    "win": re.compile(r"wins"),
}


class Player(NamedTuple):
    """A player, as the header names them."""

    name: str
    colour: str
    seat: int


class Sentence(NamedTuple):
    """A line of the log: who did what."""

    line: int
    seat: int
    verb: str
    values: Mapping[str, str]


def players_of(header: Lines, body: Lines) -> list[Player]:
    """In turn order: whoever acts first, then around the table."""
    matches = [_PLAYER.fullmatch(line) for _, line in header if len(line) <= _LONGEST]
    found = [Player(match["name"], match["colour"].strip(), int(match["seat"])) for match in matches if match]
    colours = {player.colour for player in found}
    if not 2 <= len(found) <= MOST_PLAYERS or len(colours) < len(found) or "" in colours:
        raise LogError(1, f"expected 2 to {MOST_PLAYERS} players of different colours, as in 'name: ann, color: red, seat: 1'")
    found.sort(key=lambda player: player.seat)
    for _, line in body:
        for i, player in enumerate(found):
            if line.startswith(player.colour + " "):
                return found[i:] + found[:i]
    return found


def island_of(header: Lines) -> Island:
    """Terrain and tokens; the robber starts on the desert."""
    terrain, numbers = _words(header, "terrain:"), _words(header, "numbers:")
    if len(terrain) != len(_TILES) or len(numbers) != len(_TILES):
        raise LogError(1, f"terrain and numbers: expected {len(_TILES)} of each")
    hexes, desert = {}, None
    for hex, resource, number in zip(_TILES, terrain, numbers, strict=True):
        if resource in Cards._fields and re.fullmatch(r"[0-9]{1,2}", number):
            hexes[hex] = resource, int(number)
        elif resource == "desert":
            desert = hex
    return Island(hexes, desert)


def harbours_of(header: Lines) -> list[Harbour]:
    """The ports that have a place (those of the oldest logs have none)."""
    ports = " ".join(_words(header, "ports:"))[:_LONGEST]
    found = [_PORT.fullmatch(word) for word in re.findall(r"\S+\([^()\s]+ [^()\s]+\)", ports)]
    return [Harbour(EDGES[m["place"]], PortType(m["kind"])) for m in found if m is not None and m["place"] in EDGES]


def _words(header: Lines, name: str) -> list[str]:
    """What a line of the header lists."""
    return next((line.removeprefix(name).split() for _, line in header if line.startswith(name)), [])


def _places() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Our hexes, corners and edges by what the log calls them: tile and direction, or one number of the old grid."""
    hexes, corners, edges = ({str(at): place for at, place in grid.items()} for grid in (HEX_AT, CORNER_AT, EDGE_AT))
    for tile, hex in enumerate(_TILES, start=1):
        hexes[str(tile)] = hex
        corners |= {f"({tile} {name})": corner for name, corner in zip(_CORNER_NAMES, HEX_OUTLINES[hex], strict=True)}
        edges |= {f"({tile} {name})": edge for name, edge in zip(_SIDE_NAMES, HEX_EDGES[hex], strict=True)}
    return hexes, corners, edges


HEXES, CORNERS, EDGES = _places()


def find(place: str, places: Mapping[str, int]) -> int:
    """Our number of a place. Raises `InvalidEvent`."""
    if place not in places:
        raise InvalidEvent(f"{place}: no such place")
    return places[place]


def sentence_of(number: int, line: str, colours: Sequence[str]) -> Sentence | None:
    """What a line says, if it says anything."""
    for seat, colour in enumerate(colours):
        if len(line) <= _LONGEST and line.startswith(colour + " "):
            said = line[len(colour) + 1 :].strip()
            for verb, pattern in SENTENCES.items():
                if match := pattern.fullmatch(said):
                    return Sentence(number, seat, verb, match.groupdict())
    return None


def bundle_of(text: str) -> Cards:
    """Cards, as in ``[1 wood, 2 ore]``. Raises `InvalidEvent`."""
    counts = dict.fromkeys(Cards._fields, 0)
    for item in text.strip("[] ").split(",") if text.strip("[] ") else []:
        match = re.fullmatch(r"([0-9]{1,3}) (\w+)", item.strip())
        if match is None or match[2] not in counts:
            raise InvalidEvent(f"{item.strip()}: expected a number of cards, as in 2 wood")
        counts[match[2]] += int(match[1])
    return Cards.of(counts)


def kept(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that were not taken back.

    The file is never rewritten: after an undo it goes on from an earlier moment. That shows when somebody rolls twice in
    a turn, builds the same piece twice, or acts after the end of a turn and then ends it once more.
    """
    history = _History()
    for sentence, next_end in zip(sentences, _next_ends(sentences), strict=True):
        history.add(sentence, next_end)
    return history.said


def _next_ends(sentences: Sequence[Sentence]) -> list[int | None]:
    """For each sentence, whose turn is the next that ends."""
    ends: list[int | None] = []
    seat: int | None = None
    for sentence in reversed(sentences):
        if sentence.verb in ("end_turn", "win"):
            seat = sentence.seat
        ends.append(seat)
    return ends[::-1]


class _History:
    """What holds so far, and where to find it."""

    def __init__(self) -> None:
        self.said: list[Sentence] = []
        #: Where turns begin, and the first of them after the set-up, which the first roll ends.
        self.turns = [0]
        self.first: int | None = None
        #: Where something was said.
        self.places: dict[tuple[str, ...], list[int]] = {}

    def add(self, sentence: Sentence, next_end: int | None) -> None:
        """One more sentence, which may undo some before it."""
        if self.first is None and sentence.verb == "roll":
            self.first = self.turns[-1]
        back_to = self.placed_again(sentence) if self.first is None else self.resumed(sentence, next_end)
        if back_to is not None:
            self.take_back(back_to)
        for key in _keys(sentence):
            self.places.setdefault(key, []).append(len(self.said))
        self.said.append(sentence)
        if sentence.verb == "end_turn":
            self.turns.append(len(self.said))

    def take_back(self, back_to: int) -> None:
        """Forget everything after that."""
        for sentence in self.said[back_to:]:
            for key in _keys(sentence):
                self.places[key].pop()
        del self.said[back_to:]
        while self.turns[-1] > back_to:
            self.turns.pop()

    def find(self, *key: str) -> int | None:
        """Where this was said in this turn."""
        places = self.places.get(key)
        return places[-1] if places and places[-1] >= self.turns[-1] else None

    def resumed(self, sentence: Sentence, next_end: int | None) -> int | None:
        """A player goes on after the end of the turn, rolls again or builds again: that was undone."""
        turn = self.turns[-1]
        roll = self.find("roll")
        whose = None if roll is None else self.said[roll].seat
        if turn != self.first and sentence.seat == self.said[turn - 1].seat != whose:
            if sentence.verb == "roll":
                return next((i for i in range(self.turns[-2], turn) if self.said[i].verb == "roll"), None)
            if sentence.seat == next_end and sentence.verb != "win":
                return turn - 1
        return self.find(*_keys(sentence)[-1]) if sentence.verb in ("roll", "build") else None

    def placed_again(self, sentence: Sentence) -> int | None:
        """In set-up a turn is one settlement and one road: a second one, or a road after the end, replaces the first."""
        if sentence.verb != "build":
            return None
        again = self.find("placed", str(sentence.seat), sentence.values["piece"])
        turn = self.turns[-1]
        if again is None and sentence.values["piece"] == "road" and turn > 1 and turn == len(self.said):
            before = self.said[turn - 2]
            if before.seat == sentence.seat and before.values.get("piece") == "road":
                return turn - 2
        return again


def _keys(sentence: Sentence) -> list[tuple[str, ...]]:
    """What a sentence is looked up by; the last key names it in full."""
    seat = str(sentence.seat)
    if sentence.verb == "roll":
        return [("roll",), ("roll", seat)]
    if sentence.verb == "build":
        piece, place = sentence.values["piece"], sentence.values["place"]
        return [("placed", seat, piece), ("build", seat, piece, place)]
    return []
