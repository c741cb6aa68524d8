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
kibitz.catan.core.events.fields.InvalidEvent: roll: total 13: expected a whole number from 2 to 12

What an observer did not see is None: the card of a steal between others, a card that another bought, a discard of which
only the number was shown.
"""

from __future__ import annotations

from kibitz.catan.core.events.event import EVENTS, Event, PlayerEvent, name_of
from kibitz.catan.core.events.fields import AWARDS, MOST_PLAYERS, PIECES, Cards, InvalidEvent
from kibitz.catan.core.events.kinds import (
    Accept, Award, BankCount, BankTrade, Build, BuyDevCard, Correction, CounterOffer, Decline, Discard, EndTurn, Gain,
    HandCount, HandSeen, Monopoly, MoveRobber, Offer, PlayDevCard, PlayerTrade, Roll, StartingResources, Steal,
    UnknownCards, Win, YearOfPlenty,
)  # fmt: skip
from kibitz.catan.core.events.log import VERSION, EventLog, check_seats, is_text, read_event, read_header, read_log, seen_by

__all__ = [
    "AWARDS", "EVENTS", "MOST_PLAYERS", "PIECES", "VERSION", "Accept", "Award", "BankCount", "BankTrade", "Build",
    "BuyDevCard", "Cards", "Correction", "CounterOffer", "Decline", "Discard", "EndTurn", "Event", "EventLog", "Gain",
    "HandCount", "HandSeen", "InvalidEvent", "Monopoly", "MoveRobber", "Offer", "PlayDevCard", "PlayerEvent", "PlayerTrade",
    "Roll", "StartingResources", "Steal", "UnknownCards", "Win", "YearOfPlenty", "check_seats", "is_text", "name_of",
    "read_event", "read_header", "read_log", "seen_by",
]  # fmt: skip
