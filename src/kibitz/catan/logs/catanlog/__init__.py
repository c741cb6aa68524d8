"""Logs of the package catanlog (``.catan``): what a spectator writes down beside a table.

A header names players, terrain, tokens and ports; then follow sentences such as ``blue buys road, builds at (6 NW)``.
Tiles count from 1 in the north-west, counter-clockwise and inward; a corner or an edge is a tile and a direction (in
the oldest logs one number of the hexagonal grid of JSettlers). Logs of all versions are read: the wording has changed.

Nobody writes down what follows from the rest: production, starting resources and the number of cards that a seven costs
are derived from the board and the pieces. Stolen, bought and discarded cards are never named. What the spectator took
back stays in the file; it is recognised and left out.
"""

import re
from collections.abc import Sequence

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event, EventLog, InvalidEvent
from kibitz.catan.core.state import Rules
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook
from kibitz.catan.logs.catanlog.hands import Hands
from kibitz.catan.logs.catanlog.lines import (
    CORNERS, EDGES, HEXES, Sentence, bundle_of, find, harbours_of, island_of, kept, players_of, sentence_of,
)  # fmt: skip
from kibitz.catan.logs.island import Island, cards_moved
from kibitz.ground.texts import writable

#: How a problem begins that a roll was perhaps not paid.
UNSURE = "whether the bank had enough"
_HEADER = re.compile(r"(catanlog|CatanGameRecord)\s+v?\d")


def recognises(text: str) -> bool:
    """The first line names the package."""
    return _HEADER.match(text.lstrip()[:40]) is not None


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log. It is always a spectator's: `me` (a name or a colour) must be there, but sees no more than others."""
    lines = [(number, line.strip()) for number, line in enumerate(writable(text).splitlines(), start=1)]
    end = next((i for i, (_, line) in enumerate(lines) if line == "...CATAN!"), None)
    if end is None:
        raise LogError(1, 'the header has no end: expected the line "...CATAN!"')
    header, body = lines[:end], [(number, line) for number, line in lines[end + 1 :] if line]
    players = players_of(header, body)
    colours, names = tuple(p.colour for p in players), tuple(p.name for p in players)
    if len(set(names)) < len(names) or "" in names:
        names = colours
    if me is not None and me not in (*names, *colours):
        raise LogError(1, f"there is no player {me!r}; the players are {', '.join(names)}")
    island = island_of(header)
    notebook = Notebook(len(names), strict)
    sentences = []
    for number, line in body:
        sentence = sentence_of(number, line, colours)
        if sentence is None:
            notebook.problem(number, "not a sentence of a catanlog", line)
        else:
            sentences.append(sentence)
    game = _Game(island, colours, notebook)
    for sentence in kept(sentences):
        game.follow(sentence)
    board = island.board(harbours_of(header))
    return notebook.imported("catanlog", EventLog(names, tuple(notebook.events)), board=board, rules=Rules())


class _Game:
    """Turns sentences into events, and adds what they leave out."""

    def __init__(self, island: Island, colours: Sequence[str], notebook: Notebook) -> None:
        self.island = island
        self.colours = colours
        self.notebook = notebook
        self.hands = Hands(len(colours))
        self.settlements = [0] * len(colours)
        self.begun = False
        self.line = 0

    def follow(self, sentence: Sentence) -> None:
        self.line = sentence.line
        try:
            getattr(self, sentence.verb)(sentence.seat, **sentence.values)
        except InvalidEvent as error:
            self.notebook.problem(sentence.line, str(error))

    def add(self, *told: Event) -> None:
        """Events, with the known cards that they move."""
        for event in told:
            self.notebook.add(self.line, event)
            for seat, cards in cards_moved(event):
                self.hands.change(seat, cards)

    def seat(self, colour: str) -> int:
        if colour.strip() not in self.colours:
            raise InvalidEvent(f"{colour}: no such player")
        return self.colours.index(colour.strip())

    def roll(self, seat: int, total: str) -> None:
        """What is not in the bank any more, nobody gets; where that is not known, everybody is taken to be paid."""
        least, most = (self.island.produced(int(total), left) for left in self.hands.in_bank())
        self.notebook.add(self.line, events.Roll(seat, int(total), most))
        for player, cards in least.items():
            self.hands.change(player, cards)
            self.hands.maybe(player, most[player].minus(cards))
        for r, name in enumerate(Cards._fields):
            if any(least[player][r] != most[player][r] for player in least):
                self.notebook.problem(self.line, f"{UNSURE} {name} does not follow from the log: read as if it had")
        self.begun = True
        if int(total) == 7:
            self.discards(seat)

    def discards(self, roller: int) -> None:
        """After a seven the sizes of the hands say how many cards go."""
        for i in range(len(self.colours)):
            seat = (roller + i) % len(self.colours)
            count = self.hands.discard(seat)
            if count is None:
                self.notebook.problem(self.line, f"how many cards {self.colours[seat]} discards does not follow from the log")
            elif count:
                self.notebook.add(self.line, events.Discard(seat, count=count))

    def robber(self, seat: int, tile: str, victim: str) -> None:
        hex = find(tile, HEXES)
        robbed = None if victim.strip() in ("nobody", "None") else self.seat(victim)
        self.add(events.MoveRobber(seat, hex))
        self.island.robber = hex
        if robbed is not None and self.hands.of[robbed].most > 0:
            self.add(events.Steal(seat, robbed))
            self.hands.steal(seat, robbed)

    def knight(self, seat: int, tile: str | None, victim: str | None) -> None:
        """Newer logs move the robber in a line of its own."""
        self.add(events.PlayDevCard(seat, "knight"))
        if tile is not None and victim is not None:
            self.robber(seat, tile, victim)

    def build(self, seat: int, piece: str, place: str) -> None:
        if piece == "road":
            self.add(events.Build(seat, piece, not self.begun, edge=EDGE_ENDS[find(place, EDGES)]))
        else:
            corner = find(place, CORNERS)
            self.add(events.Build(seat, piece, not self.begun, corner=corner))
            self.island.buildings[corner] = seat, 2 if piece == "city" else 1
            self.settlements[seat] += piece == "settlement"
            if not self.begun and self.settlements[seat] == 2:
                cards = self.island.around(corner)
                if cards.size:
                    self.add(events.StartingResources(seat, cards))

    def buy_card(self, seat: int) -> None:
        self.add(events.BuyDevCard(seat))

    def bank(self, seat: int, give: str, receive: str) -> None:
        self.add(events.BankTrade(seat, bundle_of(give), bundle_of(receive)))

    def trade(self, seat: int, give: str, partner: str, receive: str) -> None:
        self.add(events.PlayerTrade(seat, self.seat(partner), bundle_of(give), bundle_of(receive)))

    def road_builder(self, seat: int, first: str, second: str) -> None:
        edges = [EDGE_ENDS[find(place, EDGES)] for place in (first, second)]
        self.add(events.PlayDevCard(seat, "road_building"), *(events.Build(seat, "road", True, edge=edge) for edge in edges))

    def plenty(self, seat: int, first: str, second: str) -> None:
        self.add(events.PlayDevCard(seat, "year_of_plenty"), events.YearOfPlenty(seat, Cards.of([first, second])))

    def monopoly(self, seat: int, resource: str) -> None:
        """How many cards it brings is written nowhere."""
        self.add(events.PlayDevCard(seat, "monopoly"), events.Monopoly(seat, resource))
        self.hands.monopoly(seat, Cards._fields.index(resource))

    def victory_point(self, seat: int) -> None:
        self.add(events.PlayDevCard(seat, "victory_point"))

    def robbed(self, seat: int) -> None:
        """The oldest logs name who had to discard, which says nothing more."""

    def end_turn(self, seat: int) -> None:
        if self.begun:
            self.add(events.EndTurn(seat))

    def win(self, seat: int) -> None:
        self.add(events.Win(seat))
