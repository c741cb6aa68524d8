"""Logs of the package catanlog (``.catan``): what a spectator writes down beside a table.

A header names players, terrain, tokens and ports; then follow sentences such as ``blue buys road, builds at (6 NW)``.
Tiles count from 1 in the north-west, counter-clockwise and inward; a corner or an edge is a tile and a direction (in
the oldest logs one number of the hexagonal grid of JSettlers). Logs of all versions are read: the wording has changed.

Nobody writes down what follows from the rest: production, starting resources and the number of cards that a seven costs
are derived from the board and the pieces. Stolen, bought and discarded cards are never named. What the spectator took
back stays in the file; it is recognised and left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event, EventLog, InvalidEvent
from kibitz.catan.core.state import SUPPLY, Rules
from kibitz.catan.core.topology import EDGE_ENDS
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook
from kibitz.catan.logs.catanlog.lines import (
    CORNERS, EDGES, HEXES, Sentence, bundle_of, find, harbours_of, island_of, kept, players_of, sentence_of,
)  # fmt: skip
from kibitz.catan.logs.island import Island, cards_moved
from kibitz.ground.texts import writable

_KINDS = len(Cards._fields)
_LIMIT = Rules().discard_limit
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


@dataclass
class _Hand:
    """What a hand holds, at least and at most: cards of each resource, and in all."""

    low: list[int] = field(default_factory=lambda: [0] * _KINDS)
    high: list[int] = field(default_factory=lambda: [0] * _KINDS)
    least: int = 0
    most: int = 0

    def change(self, counts: Iterable[int]) -> None:
        """Known cards come (or, negative, go)."""
        steps = list(counts)
        self.low = [max(n + k, 0) for n, k in zip(self.low, steps, strict=True)]
        self.high = [max(n + k, 0) for n, k in zip(self.high, steps, strict=True)]
        self.resize(sum(steps), sum(steps))

    def gain(self, n: int) -> None:
        """Unknown cards come."""
        self.high = [k + n for k in self.high]
        self.resize(n, n)

    def lose(self, n: int) -> None:
        """Unknown cards go."""
        self.low = [max(k - n, 0) for k in self.low]
        self.resize(-n, -n)

    def resize(self, least: int, most: int) -> None:
        """The number of cards changes by `least` to `most`; the bounds are kept as tight as they are known to be."""
        self.least = max(self.least + least, sum(self.low))
        self.most = max(min(self.most + most, sum(self.high)), self.least)
        self.high = [min(n, self.most) for n in self.high]

    def discard(self) -> int | None:
        """Half of the hand goes, if it is too large: how many cards. None: that is not known."""
        sizes = [n for n in {self.least, _LIMIT, _LIMIT + 1, self.most} if self.least <= n <= self.most]
        counts = {_to_discard(n) for n in sizes}
        if len(counts) == 1:
            count = counts.pop()
            self.lose(count)
            return count
        self.low = [max(n - max(counts), 0) for n in self.low]
        left = [n - _to_discard(n) for n in sizes]
        self.least, self.most = min(left), max(left)
        self.resize(0, 0)
        return None


def _to_discard(size: int) -> int:
    return size // 2 if size > _LIMIT else 0


class _Game:
    """Turns sentences into events, and adds what they leave out."""

    def __init__(self, island: Island, colours: Sequence[str], notebook: Notebook) -> None:
        self.island = island
        self.colours = colours
        self.notebook = notebook
        self.hands = [_Hand() for _ in colours]
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
            for seat, cards in cards_moved(event):  # first what goes: nobody pays with what comes
                self.hands[seat].change(min(n, 0) for n in cards)
                self.hands[seat].change(max(n, 0) for n in cards)

    def seat(self, colour: str) -> int:
        if colour.strip() not in self.colours:
            raise InvalidEvent(f"{colour}: no such player")
        return self.colours.index(colour.strip())

    def roll(self, seat: int, total: str) -> None:
        """What cannot be in the bank any more, nobody gets."""
        left = [SUPPLY - sum(held) for held in zip(*(hand.low for hand in self.hands), strict=True)]
        self.add(events.Roll(seat, int(total), self.island.produced(int(total), left)))
        self.begun = True
        if int(total) == 7:
            self.discards(seat)

    def discards(self, roller: int) -> None:
        """After a seven the sizes of the hands say how many cards go."""
        for i in range(len(self.hands)):
            seat = (roller + i) % len(self.hands)
            count = self.hands[seat].discard()
            if count is None:
                self.notebook.problem(self.line, f"how many cards {self.colours[seat]} discards does not follow from the log")
            elif count:
                self.add(events.Discard(seat, count=count))

    def robber(self, seat: int, tile: str, victim: str) -> None:
        hex = find(tile, HEXES)
        robbed = None if victim.strip() in ("nobody", "None") else self.seat(victim)
        self.add(events.MoveRobber(seat, hex))
        self.island.robber = hex
        if robbed is not None and self.hands[robbed].most > 0:
            self.add(events.Steal(seat, robbed))
            self.hands[robbed].lose(1)
            self.hands[seat].gain(1)

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
        r = Cards._fields.index(resource)
        thief, low, high = self.hands[seat], 0, 0
        for hand in self.hands:
            if hand is not thief:
                low, high = low + hand.low[r], high + hand.high[r]
                lost = -hand.high[r], -hand.low[r]
                hand.low[r] = hand.high[r] = 0
                hand.resize(*lost)
        thief.low[r], thief.high[r] = thief.low[r] + low, thief.high[r] + high
        thief.resize(low, high)

    def victory_point(self, seat: int) -> None:
        self.add(events.PlayDevCard(seat, "victory_point"))

    def robbed(self, seat: int) -> None:
        """The oldest logs name who had to discard, which says nothing more."""

    def end_turn(self, seat: int) -> None:
        if self.begun:
            self.add(events.EndTurn(seat))

    def win(self, seat: int) -> None:
        self.add(events.Win(seat))
