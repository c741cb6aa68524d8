"""Logs of JSettlers: the .soclog files of version 2.5 and later, and the older ones with dates.

A server's log holds what it sent to each player, so any seat can be the observer, and `everything` is what somebody who saw
all hands would tell. Without an observer a log is read as a spectator saw the game.

>>> log = read('''SOC game event log: type=F, version=2500, created_at=1, now=2, game_name=g
... all:SOCSitDown:game=g|nickname=Ann|playerNumber=0|robotFlag=false
... all:SOCSitDown:game=g|nickname=Bob|playerNumber=2|robotFlag=true
... all:SOCTurn:game=g|playerNumber=2|gameState=15
... all:SOCDiceResult:game=g|param=8
... all:SOCDiceResultResources:game=g|p=1|p=0|p=4|p=2|p=5''').log
>>> log.players
('Bob', 'Ann')
>>> [event.text(log.players) for event in log.events]
['Bob rolled 8: Ann got 2 wood', 'Ann holds 4 cards']
"""

import re
from collections.abc import Iterable, Mapping

from kibitz.catan.core.events import MOST_PLAYERS, BuyDevCard, Discard, Event, EventLog, Steal
from kibitz.catan.core.state import Rules
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook
from kibitz.catan.logs.jsettlers.game import Game
from kibitz.catan.logs.jsettlers.journal import ServerTable
from kibitz.catan.logs.jsettlers.messages import HEADER, SECRETS, Layout, Message, Unreadable, parse, read_layout, recognises
from kibitz.ground.texts import writable

__all__ = ["read", "recognises"]

#: Messages that only players of the game cause, and the fields that name them.
_ACTORS = {
    "Turn": ("playerNumber",),
    "PutPiece": ("playerNumber",),
    "MoveRobber": ("playerNumber",),
    "DevCardAction": ("playerNum",),
    "RobberyResult": ("perp", "victim"),
    "Discard": ("playerNum",),
    "BankTrade": ("pn",),
    "PickResources": ("pn",),
    "AcceptOffer": ("accepting", "offering"),
    "MakeOffer": ("from",),
}
#: Messages that old servers sent about every seat, even an empty one.
_ELEMENTS = {"PlayerElement": ("playerNum",), "PlayerElements": ("playerNum",), "ResourceCount": ("playerNum",)}
#: The name that old logs show before a player's own.
_NOBODY = "dummy"
_POINTS = re.compile(r"(?:^|[|,=])VP=t([0-9]{1,2})(?![0-9])")


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a log as a spectator saw the game, or as `me` did: a player's name, or p2 for the player with that number."""
    lines = writable(text).removeprefix("\ufeff").split("\n")
    told = [(number, line) for number, line in enumerate(lines, start=1) if not line.lstrip().startswith(("#", HEADER))]
    parsed = [(number, line, parse(line.rstrip("\r"), number)) for number, line in told if line.strip()]
    messages = [message for _, _, message in parsed if message is not None]
    if not messages:
        raise LogError(1, "the file holds no message of JSettlers")
    seating = _Seating(messages)
    table = ServerTable(seating.order(), seating.names(), _layout(messages))
    observer = seating.number_of(me) if me is not None else _only_client(messages, table)

    notebook = Notebook(len(table.numbers), strict)
    for number, line, message in parsed:
        if message is None:
            notebook.problem(number, "not a message of JSettlers", line.strip())
    Game(table, notebook, observer).read_all(messages, len(lines))
    points = _victory_points(messages)
    seat = None if observer is None else table.numbers.index(observer)
    log = EventLog(table.names, tuple(notebook.events), seat, points or Rules().victory_points)
    board = table.layout.board if table.layout else None
    rules = Rules(victory_points=points) if points else None
    whole = Notebook(len(table.numbers))
    Game(table, whole, None, all_seeing=True).read_all(messages, len(lines))
    complete = not whole.problems and not any(map(_hidden, whole.events))
    everything = {"everything": tuple(whole.events), "everything_lines": tuple(whole.lines)} if complete else {}
    return notebook.imported("jsettlers", log, board=board, rules=rules, **everything)


def _hidden(event: Event) -> bool:
    match event:
        case Steal(resource=None) | BuyDevCard(card=None) | Discard(cards=None):
            return True
    return False


def _layout(messages: Iterable[Message]) -> Layout | None:
    """The first board that is not empty."""
    layouts = (read_layout(message) for message in messages if message.kind in ("BoardLayout", "BoardLayout2"))
    return next((layout for layout in layouts if layout is not None), None)


def _victory_points(messages: Iterable[Message]) -> int | None:
    """The points that win, where an option of the game says it."""
    for message in messages:
        if message.kind == "NewGameWithOptions" and (found := _POINTS.search(message.body)):
            points = int(found[1])
            return points if 3 <= points <= 20 else None
    return None


def _only_client(messages: Iterable[Message], table: ServerTable) -> int | None:
    """Whose log it is, where it holds what one player alone was told of secrets, and not what the others were told."""
    secrets = [message for message in messages if message.kind in SECRETS and message.sent and message.audience != "all"]
    private = {message.audience for message in secrets if message.audience and message.audience[0] == "p"}
    if len(private) != 1:
        return None
    number = int(private.pop()[1:])
    excluded = {left_out for message in secrets for left_out in message.excluded()}
    return number if number in table.numbers and number not in excluded else None


class _Seating:
    """Who sits where: names by the players' numbers, and the turn order."""

    def __init__(self, messages: list[Message]) -> None:
        #: Everybody who sat on a seat, the last one last.
        self.sitters: dict[int, list[str]] = {}
        #: Players in the order in which they are first heard of; the first is the one who begins.
        self.seen: dict[int, None] = {}
        for message in messages:
            if message.sent or message.audience == "ob":
                self._note(message)
        if len(self.seen) < 2:
            self.seen.update(dict.fromkeys(n for message in messages if message.sent for n in _named(message, _ELEMENTS)))
        if len(self.order()) < 2:
            raise LogError(1, "the log names fewer than two players")

    def _note(self, message: Message) -> None:
        if message.kind == "SitDown":
            name, number = _nickname(message, "playerNumber")
            if re.fullmatch("[0-9]{1,2}", number):
                self._sit(name, int(number))
        elif message.kind == "LeaveGame" and not self.seen:
            self._leave(_nickname(message, "host")[0])
        elif message.sent:
            self.seen.update(dict.fromkeys(_named(message, _ACTORS)))

    def _sit(self, name: str, number: int) -> None:
        if number >= MOST_PLAYERS:
            return
        if name in ("", _NOBODY):
            self.sitters.setdefault(number, [])
            return
        if not self.seen:
            self._leave(name)
        sitters = self.sitters.setdefault(number, [])
        if name not in sitters[-1:]:
            sitters.append(name)

    def _leave(self, name: str) -> None:
        """Before the game, who leaves a seat leaves it empty."""
        for number in [number for number, sitters in self.sitters.items() if sitters[-1:] == [name]]:
            del self.sitters[number]

    def order(self) -> tuple[int, ...]:
        """The players' numbers in turn order: it runs in ascending order around the table, from whom the log names first."""
        numbers = [*self.seen, *(number for number in self.sitters if number not in self.seen)]
        return tuple(sorted(numbers, key=lambda number: (number - numbers[0]) % MOST_PLAYERS))

    def names(self) -> tuple[str, ...]:
        """The names in turn order, each once."""
        names: list[str] = []
        for number in self.order():
            name = (self.sitters.get(number) or [f"Player {number}"])[-1]
            variants = (name, *(f"{name} ({n})" for n in range(2, MOST_PLAYERS + 2)))
            names.append(next(unused for unused in variants if unused not in names))
        return tuple(names)

    def number_of(self, me: str) -> int:
        """The number of a player by name, or by p and the number. Raises `LogError`."""
        names = dict(zip(self.names(), self.order(), strict=True))
        earlier = {name: number for number, sitters in self.sitters.items() for name in sitters if number in self.order()}
        numbers = {f"p{number}": number for number in self.order()}
        for known in (names, earlier, numbers):
            if me in known:
                return known[me]
        raise LogError(1, f"there is no player {me!r}; the players are {', '.join(names)}")


def _nickname(message: Message, following: str) -> tuple[str, str]:
    """A name, which may hold any sign, and the field that follows it; both empty where either is missing."""
    rest = f"|{message.body}".partition("|nickname=")[2]
    name, followed, value = rest.rpartition(f"|{following}=")
    return (name.strip(), value.partition("|")[0]) if followed else ("", "")


def _named(message: Message, kinds: Mapping[str, tuple[str, ...]]) -> list[int]:
    """The players that a message names."""
    try:
        numbers = [message.maybe(name) for name in kinds.get(message.kind, ())]
        if message.kind == "DiceResultResources":
            numbers = [number for number, _, _ in message.gains()]
    except Unreadable:  # reading the game reports it
        return []
    return [number for number in numbers if number is not None and 0 <= number < MOST_PLAYERS]
