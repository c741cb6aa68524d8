"""What everybody at the table, or one observer, sees of a game: one vocabulary of events, written as JSON Lines.

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

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.catan.core.events.event import (
    AWARDS, EVENTS, MOST_PLAYERS, PIECES, AwardName, Cards, Change, Corner, Count, Counts, DevCard, Edge, Event, Flag,
    Gains, Held, Hex, InvalidEvent, Losses, Piece, PlayerEvent, Resource, Seat, Total, name_of,
)  # fmt: skip
from kibitz.ground.codec import parse_json
from kibitz.ground.texts import counted

__all__ = [
    "AWARDS", "EVENTS", "MOST_PLAYERS", "PIECES", "VERSION", "Accept", "Award", "BankCount", "BankTrade", "Build",
    "BuyDevCard", "Cards", "Correction", "CounterOffer", "Decline", "Discard", "EndTurn", "Event", "EventLog", "Gain",
    "HandCount", "HandSeen", "InvalidEvent", "Monopoly", "MoveRobber", "Offer", "PlayDevCard", "PlayerEvent", "PlayerTrade",
    "Roll", "StartingResources", "Steal", "UnknownCards", "Win", "YearOfPlenty", "are_names", "check_seats", "is_text",
    "name_of", "read_event", "read_header", "read_log", "seen_by",
]  # fmt: skip

# --- the kinds of events ----------------------------------------------------------------------------------


class StartingResources(PlayerEvent, kind="starting_resources", words="{player} received {cards} to start with"):
    """The cards of the second settlement."""

    cards: Held


class Roll(PlayerEvent, kind="roll", words="{player} rolled {total}{gains}"):
    """The dice, and what everybody got."""

    total: Total
    gains: Gains = field(default_factory=dict, hash=False)


class Gain(PlayerEvent, kind="gain", words="{player} got {cards}"):
    """Cards from the bank outside of a roll (or of a roll whose line is missing in the log)."""

    cards: Held


class Build(PlayerEvent, kind="build", words="{player} built a {piece}{free}"):
    """A road, a settlement or a city; free in the set-up and with Road Building. Where, if the log says it."""

    piece: Piece
    free: Flag = False
    corner: Corner | None = None
    edge: Edge | None = None


class BuyDevCard(PlayerEvent, kind="buy_dev_card", words="{player} bought a {card}"):
    """A development card; which one, only its buyer sees."""

    card: DevCard | None = None


class PlayDevCard(PlayerEvent, kind="play_dev_card", words="{player} played {card}"):
    """A development card is played (a victory point: shown). What it brings follows as an event of its own."""

    card: DevCard


class YearOfPlenty(PlayerEvent, kind="year_of_plenty", words="{player} took {cards} from the bank"):
    """The cards that Year of Plenty brought."""

    cards: Held


class Monopoly(PlayerEvent, kind="monopoly", words="{player} took all {resource}{total}{losses}"):
    """Everybody gave all cards of a resource: the total, or what each victim gave, if the log says it."""

    resource: Resource
    total: Count | None = None
    losses: Losses | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.losses is not None:
            if self.player in self.losses:
                raise InvalidEvent(f"monopoly: losses {dict(self.losses)}: seat {self.player} takes them")
            if self.total not in (None, sum(self.losses.values())):
                raise InvalidEvent(f"monopoly: total {self.total} is not the sum of losses {dict(self.losses)}")


class BankTrade(PlayerEvent, kind="bank_trade", words="{player} gave {give} to the bank for {receive}"):
    """A trade with the bank or over a harbour."""

    give: Held
    receive: Held


class PlayerTrade(PlayerEvent, kind="player_trade", words="{player} gave {give} to {partner} for {receive}"):
    """A trade between two players."""

    partner: Seat
    give: Held
    receive: Held


class Offer(PlayerEvent, kind="offer", words="{player} offered {give} for {receive}"):
    """An offer to all: who makes it holds what is given. A wanted card of any kind ("?") is not in `receive`."""

    give: Held
    receive: Held


class CounterOffer(PlayerEvent, kind="counter_offer", words="{player} offered {partner} {give} for {receive} instead"):
    """An answer with other cards: who makes it holds what is given."""

    partner: Seat
    give: Held
    receive: Held


class Accept(PlayerEvent, kind="accept", words="{player} would give {give} to {partner} for {receive}"):
    """An offer is accepted: who accepts holds what would be given. The trade itself is a `PlayerTrade`."""

    partner: Seat
    give: Held
    receive: Held


class Decline(PlayerEvent, kind="decline", words="{player} declined the offer of {partner}"):
    """An offer is declined, which proves nothing."""

    partner: Seat


class MoveRobber(PlayerEvent, kind="move_robber", words="{player} moved the robber to {hex}"):
    """The robber moves."""

    hex: Hex | None = None


class Steal(PlayerEvent, kind="steal", words="{player} stole {resource} from {victim}"):
    """The robber's owner takes a card at random; which one, only thief and victim see."""

    victim: Seat
    resource: Resource | None = None


class Discard(PlayerEvent, kind="discard", words="{player} discarded {cards}"):
    """Half of a hand after a seven: card by card, or only how many.

    >>> Discard(0, {"wood": 3, "ore": 1}).count
    4
    """

    cards: Held | None = None
    count: Count | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cards is None and self.count is None:
            raise InvalidEvent("discard: neither cards nor count is given")
        if self.cards is not None:
            if self.count not in (None, self.cards.size):
                raise InvalidEvent(f"discard: {self.cards.size} cards are given, but count is {self.count}")
            object.__setattr__(self, "count", self.cards.size)

    def text(self, names: Sequence[str] = ()) -> str:
        """One line for people."""
        what = counted(self.count or 0, "card") if self.cards is None else self.cards.text()
        return f"{name_of(self.player, names)} discarded {what}"


class HandCount(PlayerEvent, kind="hand_count", words="{player} holds {count}"):
    """The size of a hand, as the table shows it."""

    count: Count


class HandSeen(PlayerEvent, kind="hand_seen", words="{player} holds {cards}"):
    """A whole hand, as its owner sees it."""

    cards: Held


class UnknownCards(PlayerEvent, kind="unknown_cards", words="{player} holds {count}{most} that nobody saw"):
    """Cards that the log does not explain, because it begins in the middle of a game: any that the bank still had.

    Where it is not known how many: at least `count`, and up to `most`, each number as likely.
    """

    count: Count
    most: Count | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.most is not None and self.most < self.count:
            raise InvalidEvent(f"unknown_cards: most {self.most} is less than count {self.count}")


class BankCount(Event, kind="bank_count", words="the bank holds {counts}"):
    """What the bank holds, of some or of all resources."""

    counts: Counts = field(hash=False)


class Correction(PlayerEvent, kind="correction", words="by hand: {change} for {player}"):
    """Cards added to (or, negative, taken from) a hand by whoever keeps the log."""

    change: Change


class Award(Event, kind="award", words="{player} has {award}"):
    """Longest Road or Largest Army changes hands; None: nobody has it any more."""

    player: Seat | None
    award: AwardName


class EndTurn(PlayerEvent, kind="end_turn", words="{player} ended the turn"):
    """The dice are passed."""


class Win(PlayerEvent, kind="win", words="{player} won"):
    """The end."""


# --- the log ----------------------------------------------------------------------------------------------


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
    header = _parsed(text)
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
    event = Event.from_json(_parsed(text))
    check_seats(event, players)
    return event


def _parsed(line: str) -> Any:
    try:
        return parse_json(line)
    except ValueError as error:
        raise InvalidEvent(str(error)) from None


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
