"""What somebody says happened: the form behind the clicks, and the board that can be clicked. No page in here.

>>> form = Form("steal", seat=1, other=0)
>>> [event.text(["Ann", "Bob"]) for event in form.events()]
['Bob stole a card from Ann']
>>> Form("trade", seat=1).events()
Traceback (most recent call last):
...
kibitz.catan.core.events.event.InvalidEvent: say with whom
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.catan.core import events as ev
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Build, Cards, EndTurn, Event, InvalidEvent, MoveRobber, Roll, StartingResources
from kibitz.catan.core.state import new_states
from kibitz.catan.core.svg import draw_state
from kibitz.catan.core.topology import EDGE_BETWEEN, EDGE_ENDS, EDGES, HALF, HEXES
from kibitz.catan.logs.island import Island

#: What can be said, with a sentence about it; the first ones are what a turn mostly consists of.
ACTIONS = {
    "roll": ("Roll", "The dice, and what everybody got."),
    "build": ("Build", "A road, a settlement or a city; free in the setup."),
    "trade": ("Trade", "Two players have traded."),
    "bank": ("Bank", "A trade with the bank or at a harbour."),
    "steal": ("Steal", "The robber's card: which one, if you saw it."),
    "discard": ("Discard", "After a seven: the cards, or only how many."),
    "buy": ("Buy card", "A development card; which one, if you saw it."),
    "play": ("Play card", "A development card is played."),
    "end": ("End turn", "The dice are passed on."),
    "gain": ("Gain", "Cards from the bank: the second settlement's, or some that no roll brought."),
    "offer": ("Offer", "Whoever offers cards holds them."),
    "count": ("Count", "How many cards a player holds, as the table shows it."),
    "bank_count": ("Bank count", "What the bank holds of each resource, as the table shows it."),
    "correct": ("Correct", "Put cards into a hand, or take them out: the log was wrong."),
    "award": ("Award", "Longest Road or Largest Army changes hands."),
    "win": ("Win", "The game is over."),
}


def nothing() -> list[int]:
    """No card of any resource."""
    return [0] * len(Cards._fields)


@dataclass
class Form:
    """One event in the making; which fields count depends on `kind`."""

    kind: str = "roll"
    seat: int = 0
    other: int | None = None
    """The victim or the partner."""
    total: int | None = None
    gains: dict[int, list[int]] = field(default_factory=dict)
    give: list[int] = field(default_factory=nothing)
    receive: list[int] = field(default_factory=nothing)
    resource: str | None = None
    piece: str = "road"
    free: bool = False
    card: str | None = None
    count: int | None = None
    award: str = "longest_road"

    def events(self, setup: bool = False) -> list[Event]:
        """What the form says. Raises `InvalidEvent` with what is still missing."""
        give, receive = Cards(*self.give), Cards(*self.receive)
        match self.kind:
            case "roll":
                gains = {seat: Cards(*cards) for seat, cards in self.gains.items() if any(cards)}
                return [Roll(self.seat, _needed(self.total, "say what was rolled"), gains)]
            case "build":
                return [Build(self.seat, self.piece, self.free)]
            case "trade":
                other = _needed(self.other, "say with whom")
                if not (give.size and receive.size):
                    raise InvalidEvent("say what each of them gave")
                return [ev.PlayerTrade(self.seat, other, give, receive)]
            case "bank":
                if not (give.size and receive.size):
                    raise InvalidEvent("say what was given, and for what")
                return [ev.BankTrade(self.seat, give, receive)]
            case "steal":
                return [ev.Steal(self.seat, _needed(self.other, "say from whom"), self.resource)]
            case "discard":
                if give.size:
                    return [ev.Discard(self.seat, give)]
                return [ev.Discard(self.seat, count=_needed(self.count, "say which cards, or how many"))]
            case "buy":
                return [ev.BuyDevCard(self.seat, self.card)]
            case "play":
                return self._played(receive)
            case "gain":
                if not receive.size:
                    raise InvalidEvent("say which cards")
                return [ev.StartingResources(self.seat, receive) if setup else ev.Gain(self.seat, receive)]
            case "offer":
                if not give.size:
                    raise InvalidEvent("say what was offered")
                return [ev.Offer(self.seat, give, receive)]
            case "count":
                return [ev.HandCount(self.seat, _needed(self.count, "say how many cards"))]
            case "bank_count":
                return [ev.BankCount(receive._asdict())]
            case "correct":
                if give == receive:
                    raise InvalidEvent("say which cards")
                return [ev.Correction(self.seat, receive.minus(give))]
            case "award":
                return [ev.Award(self.seat, self.award)]
            case "end":
                return [EndTurn(self.seat)]
            case "win":
                return [ev.Win(self.seat)]
        raise InvalidEvent("say what happened")

    def _played(self, cards: Cards) -> list[Event]:
        if self.card is None:
            raise InvalidEvent("say which card")
        played: list[Event] = [ev.PlayDevCard(self.seat, self.card)]
        if self.card == "year_of_plenty":
            if cards.size != 2:
                raise InvalidEvent("say which two cards came from the bank")
            played.append(ev.YearOfPlenty(self.seat, cards))
        elif self.card == "monopoly":
            if self.resource is None:
                raise InvalidEvent("say which resource")
            played.append(ev.Monopoly(self.seat, self.resource, self.count))
        return played


def _needed(value: int | None, message: str) -> int:
    if value is None:
        raise InvalidEvent(message)
    return value


def whose_turn(events: Sequence[Event], players: int) -> int:
    """Who acts next, most likely: whoever acted last, or the next one after the end of a turn.

    >>> whose_turn([Roll(1, 8), EndTurn(1)], 3), whose_turn([Roll(1, 7), ev.Discard(2, count=4)], 3)
    (2, 1)
    """
    for event in reversed(events):
        if isinstance(event, EndTurn):
            return (event.player + 1) % players
        if isinstance(event, (Roll, Build, ev.BuyDevCard, ev.PlayDevCard)):
            return event.player
    actor = next((event for event in reversed(events) if isinstance(event, ev.PlayerEvent)), None)
    return 0 if actor is None else actor.player


def next_form(events: Sequence[Event], players: int) -> Form:
    """What comes next in the set-up, which goes round there and back: settlement, road, and in the end a roll.

    >>> placed = [event for seat in (0, 1) for event in (Build(seat, "settlement", True), Build(seat, "road", True))]
    >>> [(form.seat, form.kind, form.piece) for n in (1, 2, 4) for form in [next_form(placed[:n], 2)]]
    [(0, 'build', 'road'), (1, 'build', 'settlement'), (1, 'build', 'settlement')]
    >>> next_form(placed * 2, 2).kind
    'roll'
    """
    settled = sum(isinstance(event, Build) and event.piece == "settlement" for event in events)
    last = next((event for event in reversed(events) if isinstance(event, Build)), None)
    if last is not None and last.piece == "settlement":
        return Form("build", last.player, piece="road", free=True)
    order = [*range(players), *reversed(range(players))]
    return Form("build", order[settled], piece="settlement", free=True) if settled < len(order) else Form()


class TrackedBoard:
    """The board of a game that is followed, with the pieces that the events so far have placed."""

    def __init__(self, board: Board, players: Sequence[str], events: Sequence[Event]) -> None:
        self._board, self._players = board, players
        hexes = {h: (str(hex.resource), hex.number) for h, hex in enumerate(board.hexes) if hex.resource and hex.number}
        self.island = Island(hexes, board.desert)
        self.roads: dict[int, int] = {}
        self.last = ""
        """The element that the last event is about."""
        for event in events:
            self._place(event)

    def _place(self, event: Event) -> None:
        self.last = ""
        if isinstance(event, Build) and event.corner is not None:
            self.island.buildings[event.corner] = event.player, 2 if event.piece == "city" else 1
            self.last = f"corner-{event.corner}"
        elif isinstance(event, Build) and event.edge is not None:
            edge = EDGE_BETWEEN[event.edge]
            self.roads[edge] = event.player
            self.last = f"edge-{edge}"
        elif isinstance(event, MoveRobber) and event.hex is not None:
            self.island.robber = event.hex
            self.last = f"hex-{event.hex}"

    def gains(self, total: int, bank: Mapping[str, Any]) -> dict[int, Cards]:
        """What a roll brings, where the bank can have it."""
        return self.island.produced(total, [bank[resource]["max"] for resource in Cards._fields])

    def key(self) -> tuple[Any, ...]:
        """Two boards with the same key look alike."""
        return tuple(self.island.buildings.items()), tuple(self.roads.items()), self.island.robber, self.last

    def draw(self) -> str:
        """The picture."""
        states = new_states(self._board, max(2, len(self._players)))
        for corner, (seat, worth) in self.island.buildings.items():
            states["cities" if worth == 2 else "settlements"][0, seat] |= 1 << corner
        for edge, seat in self.roads.items():
            states["roads"][0, seat, edge // HALF] |= 1 << edge % HALF
        states["robber"][0] = self.island.robber
        return draw_state(states, hands=False, names=self._players, lastmove=self.last or None)

    def choices(self, seat: int) -> list[str]:
        """The elements that a click can be about: free edges and corners, settlements of one's own, hexes."""
        corners = [c for c in range(len(_CORNERS)) if self.island.buildings.get(c, (seat, 1)) == (seat, 1)]
        edges = [e for e in range(EDGES) if e not in self.roads]
        return [*(f"corner-{c}" for c in corners), *(f"edge-{e}" for e in edges), *(f"hex-{h}" for h in range(HEXES))]

    def events_of(self, element: str, seat: int, setup: bool) -> list[Event]:
        """What a click on an element says that a seat did."""
        kind, _, number = element.partition("-")
        n = int(number)
        if kind == "hex":
            return [MoveRobber(seat, n)]
        if kind == "edge":
            a, b = (int(corner) for corner in EDGE_ENDS[n])
            return [Build(seat, "road", setup, edge=(a, b))]
        if n in self.island.buildings:
            return [Build(seat, "city", corner=n)]
        built: list[Event] = [Build(seat, "settlement", setup, corner=n)]
        mine = [corner for corner, (owner, _) in self.island.buildings.items() if owner == seat]
        cards = self.island.around(n)
        return [*built, StartingResources(seat, cards)] if setup and len(mine) == 1 and cards.size else built


_CORNERS = {int(corner) for ends in EDGE_ENDS for corner in ends}
