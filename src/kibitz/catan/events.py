"""What everybody at the table (or one observer) sees of a game: one vocabulary of events, written as JSON Lines.

Game logs of every format become these events (`kibitz.formats`), games of the engine too (`events_of` in
`kibitz.catan.transcript`), and `kibitz.belief.hands` works out from them what the players can hold.

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
kibitz.catan.events.InvalidEvent: roll: total 13: expected a whole number from 2 to 12

What an observer did not see is None: the card of a steal between others, a card that another bought, a discard of which
only the number was shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeAlias

from kibitz.catan.notation import CARDS
from kibitz.catan.topology import CORNERS, EDGE_BETWEEN, HEXES
from kibitz.jsontext import parse_json

VERSION = 1
#: The largest table that a log can come from (the extension for 5 and 6 players).
MOST_PLAYERS = 6
_MOST_CARDS = 200

PIECES = ("road", "settlement", "city")
AWARDS = ("longest_road", "largest_army")


class InvalidEvent(ValueError):
    """Not an event: the kind is unknown, or one of its fields makes no sense."""


class Cards(NamedTuple):
    """Numbers of cards by resource.

    >>> Cards(wood=2, ore=1)
    Cards(wood=2, ore=1)
    >>> Cards.of({"ore": 1}).size, Cards(1, 0, 2).text()
    (1, '1 wood, 2 sheep')
    """

    wood: int = 0
    brick: int = 0
    sheep: int = 0
    wheat: int = 0
    ore: int = 0

    @classmethod
    def of(cls, cards: Mapping[str, int] | Iterable[int] | Sequence[str]) -> Cards:
        """From counts by name, five counts in order, or the names of single cards."""
        if isinstance(cards, Cards):
            return cards
        if isinstance(cards, Mapping):
            unknown = [name for name in cards if name not in cls._fields]
            if unknown:
                raise InvalidEvent(f"{unknown[0]!r}: no resource; these are {', '.join(cls._fields)}")
            return cls(**{str(name): n for name, n in cards.items()})
        items: list[Any] = list(cards)
        if all(isinstance(name, str) for name in items) and not isinstance(cards, str):
            return cls.of(Counter(items))
        if len(items) != len(cls._fields) or not all(isinstance(n, int) for n in items):
            raise InvalidEvent(f"{cards!r}: expected cards by resource, as in {{'wood': 1}}")
        return cls(*items)

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self)

    def plus(self, other: Cards) -> Cards:
        """Both together."""
        return Cards(*(a + b for a, b in zip(self, other, strict=True)))

    def minus(self, other: Cards) -> Cards:
        """What is left without the others; negative where there are fewer."""
        return Cards(*(a - b for a, b in zip(self, other, strict=True)))

    def as_dict(self) -> dict[str, int]:
        """By name, without zeros."""
        return {name: n for name, n in zip(self._fields, self, strict=True) if n}

    def names(self) -> list[str]:
        """Each card by name."""
        return [name for name, n in zip(self._fields, self, strict=True) for _ in range(n)]

    def text(self) -> str:
        """As a person writes it."""
        return ", ".join(f"{n} {name}" for name, n in self.as_dict().items()) or "nothing"

    def __repr__(self) -> str:
        return f"Cards({', '.join(f'{name}={n}' for name, n in self.as_dict().items())})"


# --- how fields are checked and written -------------------------------------------------------------------

Seat: TypeAlias = int
Count: TypeAlias = int
Total: TypeAlias = int
Hex: TypeAlias = int
Corner: TypeAlias = int
Edge: TypeAlias = tuple[int, int]
Signed: TypeAlias = Cards
Piece: TypeAlias = str
AwardName: TypeAlias = str
Card: TypeAlias = str
Name: TypeAlias = str
Flag: TypeAlias = bool
BySeat: TypeAlias = Mapping[int, Cards]
LossBySeat: TypeAlias = Mapping[int, int]
ByName: TypeAlias = Mapping[str, int]


def _number(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise InvalidEvent(f"{value!r}: expected a whole number from {low} to {high}")
        return value

    return check


def _one_of(names: Sequence[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in names:
            raise InvalidEvent(f"{value!r}: expected one of {', '.join(names)}")
        return str(value)

    return check


_seat = _number(0, MOST_PLAYERS - 1)
_count = _number(0, _MOST_CARDS)


def _cards(value: Any, low: int = 0) -> Cards:
    if not isinstance(value, (Mapping, tuple, list)):
        raise InvalidEvent(f"{value!r}: expected cards by resource, as in {{'wood': 1}}")
    cards = Cards.of(value)
    for n in cards:
        if type(n) is not int or not low <= n <= _MOST_CARDS:
            raise InvalidEvent(f"{n!r}: expected a number of cards from {low} to {_MOST_CARDS}")
    return cards


def _edge(value: Any) -> tuple[int, int]:
    pair = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(pair) != 2 or not all(type(corner) is int for corner in pair) or pair not in EDGE_BETWEEN:
        raise InvalidEvent(f"{value!r}: no two neighbouring corners")
    return min(pair), max(pair)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidEvent(f"{value!r}: expected true or false")
    return value


def _by_seat(check: Callable[[Any], Any]) -> Callable[[Any], Mapping[int, Any]]:
    def check_all(value: Any) -> Mapping[int, Any]:
        if not isinstance(value, Mapping):
            raise InvalidEvent(f"{value!r}: expected an object by seat")
        found = {_seat(int(s) if isinstance(s, str) and s in _SEAT_NAMES else s): check(v) for s, v in value.items()}
        return {seat: found[seat] for seat in sorted(found) if found[seat] and found[seat] != Cards()}

    return check_all


_SEAT_NAMES = [str(seat) for seat in range(MOST_PLAYERS)]


def _by_name(value: Any) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise InvalidEvent(f"{value!r}: expected counts by resource, as in {{'wood': 19}}")
    for name in value:
        _one_of(Cards._fields)(name)
    return {name: _count(value[name]) for name in Cards._fields if name in value}


#: How the fields of each type are checked and put into their normal form.
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "Seat": _seat,
    "Count": _count,
    "Total": _number(2, 12),
    "Hex": _number(0, HEXES - 1),
    "Corner": _number(0, CORNERS - 1),
    "Edge": _edge,
    "Cards": _cards,
    "Signed": lambda value: _cards(value, -_MOST_CARDS),
    "Piece": _one_of(PIECES),
    "AwardName": _one_of(AWARDS),
    "Card": _one_of([card.value for card in CARDS]),
    "Name": _one_of(Cards._fields),
    "Flag": _flag,
    "BySeat": _by_seat(_cards),
    "LossBySeat": _by_seat(_count),
    "ByName": _by_name,
}


def _plain(value: Any) -> Any:
    if isinstance(value, Cards):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


# --- the events -------------------------------------------------------------------------------------------

EVENTS: dict[str, type[Event]] = {}


class _Field(NamedTuple):
    """How one field of an event is checked and written."""

    name: str
    check: Callable[[Any], Any]
    optional: bool
    default: Any


@dataclass(frozen=True)
class Event:
    """One line of the log: who did what. Seats count from 0. All fields are checked and put into normal form."""

    kind: ClassVar[str] = ""
    #: How `text` says it; `{names}` are the fields.
    words: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "", words: str = "") -> None:
        cls.kind, cls.words = kind, words
        if kind:
            EVENTS[kind] = cls

    def __post_init__(self) -> None:
        for name, check, optional, _ in _fields_of(self.kind):
            value = getattr(self, name)
            if value is None and optional:
                continue
            try:
                object.__setattr__(self, name, check(value))
            except InvalidEvent as error:
                raise InvalidEvent(f"{self.kind}: {name} {error}") from None

    def to_json(self) -> dict[str, Any]:
        """An object with the kind as `event`; fields that say nothing are left out."""
        data = {"event": self.kind}
        for name, _, _, default in _fields_of(self.kind):
            value = getattr(self, name)
            if default is MISSING or value != default:
                data[name] = _plain(value)
        return data

    @staticmethod
    def from_json(data: Any) -> Event:
        """Read what `to_json` wrote."""
        if not isinstance(data, Mapping) or not isinstance(data.get("event"), str):
            raise InvalidEvent("expected an object with the field event")
        cls = EVENTS.get(data["event"])
        if cls is None:
            raise InvalidEvent(f"{data['event']!r}: no such event; these are {', '.join(EVENTS)}")
        known = _fields_of(cls.kind)
        for name in data:
            if name != "event" and name not in [known_name for known_name, *_ in known]:
                raise InvalidEvent(f"{cls.kind}: {name} does not belong there")
        for name, _, _, default in known:
            if name not in data and default is MISSING:
                raise InvalidEvent(f"{cls.kind}: {name} is missing")
        return cls(**{name: value for name, value in data.items() if name != "event"})

    def text(self, names: Sequence[str] = ()) -> str:
        """One line for people, with the players' names (P1, P2 ... without them)."""
        values = {name: _spoken(self.kind, name, getattr(self, name), names) for name, *_ in _fields_of(self.kind)}
        return self.words.format(**values)


@cache
def _fields_of(kind: str) -> list[_Field]:
    found = []
    for f in fields(EVENTS[kind]):
        name, _, none = str(f.type).partition(" | ")
        default = f.default_factory() if f.default_factory is not MISSING else f.default
        found.append(_Field(f.name, _CHECKS[name], none == "None", default))
    return found


def name_of(seat: int, names: Sequence[str]) -> str:
    """A player's name, or P1, P2 ... without names."""
    return names[seat] if seat < len(names) else f"P{seat + 1}"


def _spoken(kind: str, field_name: str, value: Any, names: Sequence[str]) -> str:
    if field_name in ("player", "partner", "victim"):
        return "nobody" if value is None else name_of(value, names)
    if isinstance(value, Cards):
        return value.text()
    if isinstance(value, Mapping):
        if not value:
            return ""
        if field_name == "counts":
            return ", ".join(f"{n} {name}" for name, n in value.items())
        verb, cards = ("got", Cards.text) if field_name == "gains" else ("gave", str)
        return ": " + ", ".join(f"{name_of(seat, names)} {verb} {cards(held)}" for seat, held in value.items())
    if field_name == "count":
        return _number_of_cards(value)
    if field_name == "total" and isinstance(value, int):
        return str(value) if kind == "roll" else f", {_number_of_cards(value)}"
    if field_name == "hex" and value is not None:
        return f"hex {value}"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return _SPOKEN.get((field_name, value), str(value).replace("_", " "))


def _number_of_cards(n: int) -> str:
    return f"{n} card{'s' * (n != 1)}"


#: How missing values and flags are said.
_SPOKEN = {
    ("resource", None): "a card",
    ("card", None): "development card",
    ("cards", None): "",
    ("free", True): " for free",
    ("free", False): "",
    ("hex", None): "another hex",
    ("total", None): "",
    ("losses", None): "",
    ("corner", None): "",
    ("edge", None): "",
}


@dataclass(frozen=True)
class PlayerEvent(Event):
    """What one player did."""

    player: Seat


@dataclass(frozen=True)
class StartingResources(PlayerEvent, kind="starting_resources", words="{player} received {cards} to start with"):
    """The cards of the second settlement."""

    cards: Cards


@dataclass(frozen=True)
class Roll(PlayerEvent, kind="roll", words="{player} rolled {total}{gains}"):
    """The dice, and what everybody got."""

    total: Total
    gains: BySeat = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Gain(PlayerEvent, kind="gain", words="{player} got {cards}"):
    """Cards from the bank outside of a roll (or of a roll whose line is missing in the log)."""

    cards: Cards


@dataclass(frozen=True)
class Build(PlayerEvent, kind="build", words="{player} built a {piece}{free}"):
    """A road, a settlement or a city; free in the set-up and with Road Building. Where, if the log says it."""

    piece: Piece
    free: Flag = False
    corner: Corner | None = None
    edge: Edge | None = None


@dataclass(frozen=True)
class BuyDevCard(PlayerEvent, kind="buy_dev_card", words="{player} bought a {card}"):
    """A development card; which one, only its buyer sees."""

    card: Card | None = None


@dataclass(frozen=True)
class PlayDevCard(PlayerEvent, kind="play_dev_card", words="{player} played {card}"):
    """A development card is played (a victory point: shown). What it brings follows as an event of its own."""

    card: Card


@dataclass(frozen=True)
class YearOfPlenty(PlayerEvent, kind="year_of_plenty", words="{player} took {cards} from the bank"):
    """The cards that Year of Plenty brought."""

    cards: Cards


@dataclass(frozen=True)
class Monopoly(PlayerEvent, kind="monopoly", words="{player} took all {resource}{total}{losses}"):
    """Everybody gave all cards of a resource: the total, or what each victim gave, if the log says it."""

    resource: Name
    total: Count | None = None
    losses: LossBySeat | None = field(default=None, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.losses is not None:
            if self.player in self.losses:
                raise InvalidEvent(f"monopoly: losses {dict(self.losses)}: seat {self.player} takes them")
            if self.total not in (None, sum(self.losses.values())):
                raise InvalidEvent(f"monopoly: total {self.total} is not the sum of losses {dict(self.losses)}")


@dataclass(frozen=True)
class BankTrade(PlayerEvent, kind="bank_trade", words="{player} gave {give} to the bank for {receive}"):
    """A trade with the bank or over a harbour."""

    give: Cards
    receive: Cards


@dataclass(frozen=True)
class PlayerTrade(PlayerEvent, kind="player_trade", words="{player} gave {give} to {partner} for {receive}"):
    """A trade between two players."""

    partner: Seat
    give: Cards
    receive: Cards


@dataclass(frozen=True)
class Offer(PlayerEvent, kind="offer", words="{player} offered {give} for {receive}"):
    """An offer to all: who makes it holds what is given. A wanted card of any kind ("?") is not in `receive`."""

    give: Cards
    receive: Cards


@dataclass(frozen=True)
class CounterOffer(PlayerEvent, kind="counter_offer", words="{player} offered {partner} {give} for {receive} instead"):
    """An answer with other cards: who makes it holds what is given."""

    partner: Seat
    give: Cards
    receive: Cards


@dataclass(frozen=True)
class Accept(PlayerEvent, kind="accept", words="{player} would give {give} to {partner} for {receive}"):
    """An offer is accepted: who accepts holds what would be given. The trade itself is a `PlayerTrade`."""

    partner: Seat
    give: Cards
    receive: Cards


@dataclass(frozen=True)
class Decline(PlayerEvent, kind="decline", words="{player} declined the offer of {partner}"):
    """An offer is declined, which proves nothing."""

    partner: Seat


@dataclass(frozen=True)
class MoveRobber(PlayerEvent, kind="move_robber", words="{player} moved the robber to {hex}"):
    """The robber moves."""

    hex: Hex | None = None


@dataclass(frozen=True)
class Steal(PlayerEvent, kind="steal", words="{player} stole {resource} from {victim}"):
    """The robber's owner takes a card at random; which one, only thief and victim see."""

    victim: Seat
    resource: Name | None = None


@dataclass(frozen=True)
class Discard(PlayerEvent, kind="discard", words="{player} discarded {cards}"):
    """Half of a hand after a seven: card by card, or only how many.

    >>> Discard(0, {"wood": 3, "ore": 1}).count
    4
    """

    cards: Cards | None = None
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
        what = _number_of_cards(self.count or 0) if self.cards is None else self.cards.text()
        return f"{name_of(self.player, names)} discarded {what}"


@dataclass(frozen=True)
class HandCount(PlayerEvent, kind="hand_count", words="{player} holds {count}"):
    """The size of a hand, as the table shows it."""

    count: Count


@dataclass(frozen=True)
class HandSeen(PlayerEvent, kind="hand_seen", words="{player} holds {cards}"):
    """A whole hand, as its owner sees it."""

    cards: Cards


@dataclass(frozen=True)
class UnknownCards(PlayerEvent, kind="unknown_cards", words="{player} holds {count} that nobody saw"):
    """Cards that the log does not explain, because it begins in the middle of a game: any that the bank still had."""

    count: Count


@dataclass(frozen=True)
class BankCount(Event, kind="bank_count", words="the bank holds {counts}"):
    """What the bank holds, of some or of all resources."""

    counts: ByName = field(hash=False)


@dataclass(frozen=True)
class Correction(PlayerEvent, kind="correction", words="by hand: {change} for {player}"):
    """Cards added to (or, negative, taken from) a hand by whoever keeps the log."""

    change: Signed


@dataclass(frozen=True)
class Award(Event, kind="award", words="{player} has {award}"):
    """Longest Road or Largest Army changes hands; None: nobody has it any more."""

    player: Seat | None
    award: AwardName


@dataclass(frozen=True)
class EndTurn(PlayerEvent, kind="end_turn", words="{player} ended the turn"):
    """The dice are passed."""


@dataclass(frozen=True)
class Win(PlayerEvent, kind="win", words="{player} won"):
    """The end."""


# --- a log ------------------------------------------------------------------------------------------------


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
    if (
        not isinstance(players, list)
        or not 2 <= len(players) <= MOST_PLAYERS
        or not all(isinstance(name, str) and is_text(name) for name in players)
        or len(set(players)) < len(players)
    ):
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
