"""What has happened in a game of JSettlers so far, as events: each thing once, however often the log tells it.

A log tells a robbery to the thief, to the victim and to the others; old logs also hold what a player asked for next to what
was done. The journal knows the last event, and what came before it that something may still follow from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from kibitz.catan.core import events
from kibitz.catan.core.events import Cards, Event
from kibitz.catan.logs.base import Notebook
from kibitz.catan.logs.island import cards_moved
from kibitz.catan.logs.jsettlers.board import Layout
from kibitz.catan.logs.jsettlers.messages import Message, Unreadable


@dataclass(frozen=True)
class ServerTable:
    """Who plays, and on what."""

    #: The players' numbers in turn order, and their names.
    numbers: tuple[int, ...]
    names: tuple[str, ...]
    layout: Layout | None = None


@dataclass
class OpenMonopoly:
    """What is known so far of a monopoly that was played."""

    resource: str | None = None
    total: int | None = None
    #: The victims' (and the thief's) hand sizes afterwards.
    counts: dict[int, int] = field(default_factory=dict)


@dataclass
class Journal:
    """The events of a game, as one player (by number), a spectator or somebody all-seeing saw them."""

    table: ServerTable
    notebook: Notebook
    observer: int | None
    all_seeing: bool = False
    current: int | None = None
    setup: bool = True
    over: bool = False
    #: Whether anything happened in this turn, and whether it is one of special building.
    acted: bool = False
    special: bool = False
    #: Where in the notebook the events are that are not evidence.
    places: list[int] = field(default_factory=list)
    #: The sizes of the hands, by seat.
    sizes: Counter[int] = field(default_factory=Counter)
    #: What a player paid for something that is not there yet.
    paid: dict[int, Cards] = field(default_factory=dict)
    free_roads: int = 0
    plenty: bool = False
    monopoly: OpenMonopoly | None = None
    holders: dict[str, int | None] = field(default_factory=dict)
    offers: dict[int, tuple[Cards, Cards]] = field(default_factory=dict)
    draw_audience: str | None = None
    bank_source: str = ""

    def add(self, line: int, event: Event) -> None:
        """One more event of the game."""
        before = len(self.notebook.events)
        self.notebook.add(line, event)
        if len(self.notebook.events) > before:
            self.places.append(before)
            self.acted = self.acted or not self.setup
            self._resize(event, 1)

    def evidence(self, line: int, event: events.HandCount | events.HandSeen) -> None:
        """What the table shows of a hand, once there are hands."""
        if not self.places:
            return
        self.sizes[event.player] = event.count if isinstance(event, events.HandCount) else event.cards.size
        if not self.all_seeing:
            self.notebook.add(line, event)

    def replace(self, event: Event) -> None:
        """The last event, now that more is known of it."""
        if self.places:
            self._resize(self.notebook.events[self.places[-1]], -1)
            self.notebook.events[self.places[-1]] = event
            self._resize(event, 1)

    def undo(self) -> None:
        """The last event is taken back."""
        if self.places:
            last = self.places.pop()
            self._resize(self.notebook.events[last], -1)
            del self.notebook.events[last], self.notebook.lines[last]

    @property
    def latest(self) -> Event | None:
        """The last event that is not evidence."""
        return self.notebook.events[self.places[-1]] if self.places else None

    def _resize(self, event: Event, sign: int) -> None:
        """Hands grow and shrink, also by cards that are hidden."""
        match event:
            case events.Discard(player, None, int(count)):
                changes = [(player, -count)]
            case events.Steal(player, victim, None):
                changes = [(player, 1), (victim, -1)]
            case events.Monopoly(player, _, int(total), None):
                changes = [(player, total)]
            case _:
                changes = [(seat, cards.size) for seat, cards in cards_moved(event)]
        for seat, change in changes:
            self.sizes[seat] += sign * change

    def seat(self, number: int) -> int:
        """Our seat of a player. Raises `Unreadable`."""
        if number not in self.table.numbers:
            raise Unreadable(f"there is no player {number}")
        return self.table.numbers.index(number)

    def shown(self, message: Message, *numbers: int) -> bool:
        """Whether a secret between players is open to the observer: an audience says it, else being one of them does."""
        return self.all_seeing or message.audience is not None or self.observer in numbers

    def win(self, line: int, number: int | None) -> None:
        """Somebody wins, once."""
        if number is not None and not self.over:
            self.add(line, events.Win(self.seat(number)))
            self.over = True

    def award(self, line: int, award: str, number: int) -> None:
        """An award changes hands."""
        holder = self.seat(number) if number >= 0 else None
        if self.places and holder != self.holders.get(award):
            self.add(line, events.Award(holder, award))
            self.holders[award] = holder

    def gain_by_roll(self, line: int, gains: dict[int, Cards]) -> None:
        """Cards that belong to the roll just made."""
        roll = self.latest
        if isinstance(roll, events.Roll):
            sums = {seat: cards.plus(roll.gains.get(seat, Cards())) for seat, cards in gains.items()}
            self.replace(replace(roll, gains={**roll.gains, **sums}))
        else:
            for seat, cards in gains.items():
                self.add(line, events.Gain(seat, cards))

    def write_off(self, line: int, number: int) -> None:
        """What a player paid for something that never came is gone."""
        cards = self.paid.pop(number, None)
        if cards is not None:
            self.add(line, events.Correction(self.seat(number), Cards().minus(cards)))

    def draw(self, message: Message, number: int, card: str | None) -> None:
        """A card is bought; what others see of it may follow as a message of its own."""
        seat, latest = self.seat(number), self.latest
        event = events.BuyDevCard(seat, card if self.shown(message, number) else None)
        again = message.audience is None or message.audience != self.draw_audience
        if number not in self.paid and again and isinstance(latest, events.BuyDevCard) and latest.player == seat:
            if latest.card is None:
                self.replace(event)
            return
        self.paid.pop(number, None)
        self.add(message.line, event)
        self.draw_audience = message.audience

    def play(self, line: int, seat: int, card: str) -> None:
        """A card is played; what it brings follows."""
        self.add(line, events.PlayDevCard(seat, card))
        self.plenty = card == "year_of_plenty"
        self.monopoly = OpenMonopoly() if card == "monopoly" else None
        self.free_roads = 2 if card == "road_building" else 0

    def end_monopoly(self, line: int) -> None:
        """All is said of a monopoly: what each victim lost is the difference of its hand's sizes."""
        monopoly, self.monopoly = self.monopoly, None
        if monopoly is None or self.current is None:
            return
        if monopoly.resource is None:
            raise Unreadable("a monopoly without its result")
        thief = self.seat(self.current)
        changes = {self.seat(number): n - self.sizes[self.seat(number)] for number, n in monopoly.counts.items()}
        taken = changes.pop(thief, None)
        losses = {seat: -change for seat, change in changes.items()}
        lost = sum(losses.values())
        total = monopoly.total if monopoly.total is not None else taken if taken is not None else lost
        exact = lost == total and all(n >= 0 for n in losses.values())
        self.add(line, events.Monopoly(thief, monopoly.resource, total, losses if exact else None))
        for number, n in monopoly.counts.items():
            self.evidence(line, events.HandCount(self.seat(number), n))

    def steal(self, line: int, perpetrator: int, victim: int, resource: str | None) -> None:
        """A card is stolen; thief, victim and the others may be told one after the other."""
        event, latest = events.Steal(self.seat(perpetrator), self.seat(victim), resource), self.latest
        if isinstance(latest, events.Steal) and (latest.player, latest.victim) == (event.player, event.victim):
            if latest.resource is None:
                self.replace(event)
        else:
            self.add(line, event)

    def throw(self, message: Message, number: int, cards: Cards, unknown: int) -> None:
        """A player discards; to the others only the number is shown."""
        seat, latest = self.seat(number), self.latest
        known = cards.size and self.shown(message, number)
        event = events.Discard(seat, cards) if known else events.Discard(seat, count=cards.size or unknown)
        if isinstance(latest, events.Discard) and latest.player == seat:
            if latest.cards is None and latest.count == event.count:
                self.replace(event)
        elif event.count:
            self.add(message.line, event)

    def bank(self, line: int, seat: int, give: Cards, receive: Cards, source: str) -> None:
        """A trade with the bank, of which old logs tell twice: as it was asked for, and by the cards that moved."""
        event = events.BankTrade(seat, give, receive)
        if self.latest == event and self.bank_source not in (source, ""):
            self.bank_source = ""
        else:
            self.add(line, event)
            self.bank_source = source

    def trade(self, line: int, offering: int, accepting: int, give: Cards, receive: Cards) -> None:
        """A trade between players, once."""
        event = events.PlayerTrade(self.seat(offering), self.seat(accepting), give, receive)
        if self.latest not in (event, events.PlayerTrade(event.partner, event.player, receive, give)):
            self.add(line, event)
        self.offers.clear()
