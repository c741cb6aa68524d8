"""What somebody says that happened: the form behind the clicks. No page in here.

>>> form = Form("steal", seat=1, other=0)
>>> [event.text(["Ann", "Bob"]) for event in form.events()]
['Bob stole a card from Ann']
>>> Form("trade", seat=1).events()
Traceback (most recent call last):
...
kibitz.catan.core.events.event.InvalidEvent: say with whom
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.catan.core import events as ev
from kibitz.catan.core.events import Build, Cards, EndTurn, Event, InvalidEvent, Roll

#: What can be said, with a sentence about it; the first ones are what a turn mostly consists of.
ACTIONS = {
    "roll": ("Roll", "The dice, and what everybody got."),
    "build": ("Build", "A road, a settlement or a city; free in the set-up."),
    "trade": ("Trade", "Two players have traded."),
    "bank": ("Bank", "A trade with the bank or over a harbour."),
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
