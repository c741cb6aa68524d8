"""What everybody at the table (or one observer) sees of a game: one vocabulary of events, written as JSON Lines.

Game logs of every format become these events (`kibitz.catan.logs`), games of the engine too (`events_of` in
`kibitz.catan.core.transcript`), and `kibitz.catan.belief.hands` works out from them what the players can hold.

>>> roll = Roll(0, 8, {1: {"wood": 2}, 2: {"ore": 1}})
>>> roll.gains[1]
Cards(wood=2)
>>> roll.to_json()
{'event': 'roll', 'player': 0, 'total': 8, 'gains': {'1': {'wood': 2}, '2': {'ore': 1}}}
>>> Event.from_json(roll.to_json()) == roll
True
>>> roll.text(["Ann", "Bob", "Cem"])
'Ann rolled 8: Bob got 2 wood, Cem got 1 ore'
>>> Roll(0, 13)
Traceback (most recent call last):
...
kibitz.catan.core.events.event.InvalidEvent: roll: total 13: expected a whole number from 2 to 12

What an observer did not see is None: the card of a steal between others, a card that another bought, a discard of which
only the number was shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.catan.core.events.event import (
    AWARDS, EVENTS, MOST_PLAYERS, PIECES, Cards, Event, InvalidEvent, PlayerEvent, name_of,
)  # fmt: skip
from kibitz.catan.core.events.kinds import (
    Accept, Award, BankCount, BankTrade, Build, BuyDevCard, Correction, CounterOffer, Decline, Discard, EndTurn, Gain,
    HandCount, HandSeen, Monopoly, MoveRobber, Offer, PlayDevCard, PlayerTrade, Roll, StartingResources, Steal,
    UnknownCards, Win, YearOfPlenty,
)  # fmt: skip
from kibitz.ground.codec import parse_json

__all__ = [
    "AWARDS", "EVENTS", "MOST_PLAYERS", "PIECES", "VERSION", "Accept", "Award", "BankCount", "BankTrade", "Build",
    "BuyDevCard", "Cards", "Correction", "CounterOffer", "Decline", "Discard", "EndTurn", "Event", "EventLog", "Gain",
    "HandCount", "HandSeen", "InvalidEvent", "Monopoly", "MoveRobber", "Offer", "PlayDevCard", "PlayerEvent", "PlayerTrade",
    "Roll", "StartingResources", "Steal", "UnknownCards", "Win", "YearOfPlenty", "are_names", "check_seats", "is_text",
    "name_of", "read_event", "read_header", "read_log", "seen_by",
]  # fmt: skip

VERSION = 1


@dataclass(frozen=True)
class EventLog:
    """All events of one game, with the players in seat order and whose eyes saw them (None: a spectator)."""

    players: tuple[str, ...]
    events: tuple[Event, ...]
    observer: int | None = None
    #: The points that win; None where the log does not tell.
    victory_points: int | None = 10

    def lines(self) -> Iterator[str]:
        """JSON Lines: a header, then one event a line."""
        header = {
            "events": "catan",
            "version": VERSION,
            "players": list(self.players),
            "observer": self.observer,
            "victory_points": self.victory_points,
        }
        yield json.dumps(header, ensure_ascii=False)
        for event in self.events:
            yield json.dumps(event.to_json())


def is_text(name: str) -> bool:
    """Whether a name can be written: JSON can hold halves of letters, files cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def are_names(players: Sequence[Any]) -> bool:
    """Whether these are different names for the players of a table."""
    different = all(isinstance(name, str) for name in players) and len(set(players)) == len(players)
    return different and 2 <= len(players) <= MOST_PLAYERS


def read_header(text: str) -> EventLog:
    """The log that a first line announces, still without events. Raises `InvalidEvent`."""
    try:
        header = parse_json(text)
    except ValueError as error:
        raise InvalidEvent(str(error)) from None
    if not isinstance(header, dict) or header.get("events") != "catan":
        raise InvalidEvent('expected a header with "events": "catan"')
    if header.get("version") != VERSION:
        raise InvalidEvent(f"version {header.get('version')!r} of the format is unknown; this is version {VERSION}")
    players = header.get("players")
    if not isinstance(players, list) or not are_names(players) or not all(map(is_text, players)):
        raise InvalidEvent(f"players: expected 2 to {MOST_PLAYERS} different names")
    observer, points = header.get("observer"), header.get("victory_points", 10)
    if observer is not None and (type(observer) is not int or not 0 <= observer < len(players)):
        raise InvalidEvent(f"observer {observer!r}: expected null or a seat from 0 to {len(players) - 1}")
    if points is not None and (type(points) is not int or not 3 <= points <= 20):
        raise InvalidEvent(f"victory_points {points!r}: expected null or a whole number from 3 to 20")
    return EventLog(tuple(players), (), observer, points)


def read_event(text: str, players: int) -> Event:
    """One line of an event file. Raises `InvalidEvent`."""
    try:
        data = parse_json(text)
    except ValueError as error:
        raise InvalidEvent(str(error)) from None
    event = Event.from_json(data)
    check_seats(event, players)
    return event


def check_seats(event: Event, players: int) -> None:
    """Refuse an event that names a seat which does not exist, or one player where there must be two."""
    player = getattr(event, "player", None)
    seats = [player, getattr(event, "partner", None), getattr(event, "victim", None)]
    seats += [*(getattr(event, "gains", None) or ()), *(getattr(event, "losses", None) or ())]
    for seat in seats:
        if seat is not None and seat >= players:
            raise InvalidEvent(f"{event.kind}: there is no seat {seat}, only 0 to {players - 1}")
    if player is not None and player in seats[1:3]:
        raise InvalidEvent(f"{event.kind}: seat {player} is named twice")


def read_log(lines: Iterable[str]) -> EventLog:
    """Read what `EventLog.lines` wrote. Raises `InvalidEvent`, whose message begins with the line.

    >>> log = EventLog(("Ann", "Bob"), (Roll(0, 7), Steal(0, 1)))
    >>> read_log(log.lines()) == log
    True
    """
    header: EventLog | None = None
    events = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if header is None:
                header = read_header(line)
            else:
                events.append(read_event(line, len(header.players)))
        except InvalidEvent as error:
            raise InvalidEvent(f"line {number}: {error}") from None
    if header is None:
        raise InvalidEvent("line 1: the file is empty")
    return EventLog(header.players, tuple(events), header.observer, header.victory_points)


def seen_by(event: Event, observer: int | None) -> Event:
    """An event of which everything is known as a seat (None: a spectator) saw it: cards and hands of others are secret."""
    if isinstance(event, HandSeen) and observer != event.player:
        return HandCount(event.player, event.cards.size)
    if isinstance(event, Steal) and observer not in (event.player, event.victim):
        return replace(event, resource=None)
    if isinstance(event, BuyDevCard) and observer != event.player:
        return replace(event, card=None)
    return event
