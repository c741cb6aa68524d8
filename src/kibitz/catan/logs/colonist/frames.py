"""Games captured from colonist.io while they are played: the messages to one player or spectator.

They may come in many wrappings (`kibitz.catan.logs.colonist.wrapping`); only those with the id "130" are about the game. The
first of type 4 holds the full state, each of type 91 a merge patch; a full state that comes again (after a lost
connection) replaces the position, and its log goes on where the game was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from kibitz.catan.core.events import EventLog, seen_by
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, seat_of
from kibitz.catan.logs.colonist.log import Narrator, carried
from kibitz.catan.logs.colonist.state import Roster, read_board, rules_of
from kibitz.catan.logs.colonist.values import as_dict, as_int, as_list
from kibitz.catan.logs.colonist.wrapping import holds_messages, messages, values_of

__all__ = ["Capture", "carried", "read", "recognises"]

_GAME = "130"
_NO_STATE = "no full state of a game (type 4) is in it"
_IDS, _FULL_STATE, _MOVEMENT, _SETTINGS, _PATCH = 1, 4, 43, 44, 91


def recognises(text: str) -> bool:
    """A message about a game is in it."""
    return holds_messages(text)


@dataclass(frozen=True)
class _Message:
    line: int
    type: int | None
    payload: dict[str, Any]
    #: Why it cannot be unpacked.
    trouble: str = ""

    @property
    def state(self) -> dict[str, Any] | None:
        """The full state that it brings."""
        found = self.payload.get("gameState") if self.type == _FULL_STATE else None
        return found if isinstance(found, dict) else None


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read captured messages. `me` names the observer where the capture does not (a spectator's)."""
    values, broken = values_of(text)
    found = [_message(number, data) for number, data in enumerate(messages(values), start=1)]
    start = next((i for i, message in enumerate(found) if message.state is not None), None)
    if start is None:
        broken += [(message.line, message.trouble) for message in found if message.trouble]
        raise LogError(*(broken or [(1, _NO_STATE)])[0])
    first = found[start]
    state = first.payload["gameState"]
    roster = Roster.of(first.payload, state)
    notebook = Notebook(len(roster.players), strict)
    for line, reason in broken:
        notebook.problem(line, reason)
    observer = _observer(first.payload, roster, me)
    board = read_board(state, notebook)
    settings = [as_dict(first.payload.get("gameSettings"))]
    settings += [named for m in found if m.type == _SETTINGS for named in (m.payload, as_dict(m.payload.get("gameSettings")))]
    rules = rules_of(settings, notebook)
    narrator = Narrator(roster, notebook, observer)
    _narrate(_first_game(found[start:], notebook), narrator, notebook)
    events = tuple(seen_by(event, observer) for event in notebook.events)
    log = EventLog(roster.players, events, observer, rules.victory_points)
    lines, problems = tuple(notebook.lines), tuple(notebook.problems)
    return ImportedLog("colonist-frames", log, lines, problems, board, rules, incomplete=narrator.incomplete)


def _message(number: int, message: dict[str, Any]) -> _Message:
    data = as_dict(message["data"])
    sequence = as_int(data.get("sequence"))
    line = number if sequence is None or sequence < 0 else sequence
    trouble = message["data"] if isinstance(message["data"], str) else ""
    return _Message(line, as_int(data.get("type")), as_dict(data.get("payload")), trouble)


def _observer(payload: dict[str, Any], roster: Roster, me: str | None) -> int | None:
    seat = roster.seats.get(as_int(payload.get("playerColor")) or 0)
    if me is None:
        return seat
    named = seat_of(me, roster.players)
    if seat not in (None, named):
        raise LogError(1, f"these are the messages to {roster.players[seat or 0]}, not to {me}")
    return named


class _Game:
    """Which game messages are about; another one has other players or another number."""

    def __init__(self) -> None:
        self._players: list[int | None] = []
        self._number = ""

    def has(self, message: _Message) -> bool:
        """Whether a message is about this game too."""
        order = as_list(message.payload.get("playOrder")) if message.type == _FULL_STATE else []
        players = [as_int(colour) for colour in order]
        number = message.payload.get("databaseGameId") if message.type == _IDS else None
        number = number if isinstance(number, str) else ""
        if (players and self._players and players != self._players) or (number and self._number and number != self._number):
            return False
        self._players, self._number = self._players or players, self._number or number
        return True


def _first_game(found: list[_Message], notebook: Notebook) -> Iterator[_Message]:
    """The messages up to a second game."""
    game = _Game()
    for message in found:
        if not game.has(message):
            notebook.problem(message.line, "another game begins here: only the first is read")
            return
        yield message


def _narrate(found: Iterable[_Message], narrator: Narrator, notebook: Notebook) -> None:
    for message in found:
        if message.state is not None:
            narrator.start(message.state)
        elif message.type == _PATCH and isinstance(message.payload.get("diff"), dict):
            narrator.patch(message.payload["diff"])
        elif message.type == _MOVEMENT:
            narrator.movement(message.payload)
        elif message.type in (None, _FULL_STATE, _PATCH):
            notebook.problem(message.line, message.trouble or f"a message of type {message.type} that cannot be read")


class Capture:
    """Messages as they come, one after the other: `log` holds the events so far.

    What a message tells may complete an earlier event of the same turn (who paid for a monopoly, where a piece stands).
    """

    def __init__(self, me: str | None = None) -> None:
        self._me = me
        self._number = 0
        self._settings: list[dict[str, Any]] = []
        self._notebook: Notebook | None = None
        self._narrator: Narrator | None = None
        self._roster: Roster | None = None
        self._game = _Game()
        self._observer: int | None = None
        self._victory_points: int | None = None

    def add(self, value: Any) -> None:
        """A message, or anything that holds some. Raises `LogError` where another game begins, or one of an expansion."""
        for data in messages([value]):
            self._number += 1
            self._take(_message(self._number, data))

    def copy(self) -> Capture:
        """Another that has heard the same; events never change, and are shared."""
        events = self._notebook.events if self._notebook is not None else []
        return deepcopy(self, {id(event): event for event in events})

    def _take(self, message: _Message) -> None:
        if message.type == _SETTINGS:
            self._settings += [message.payload, as_dict(message.payload.get("gameSettings"))]
            if self._notebook is not None:
                self._victory_points = rules_of(self._settings, self._notebook).victory_points
        if self._narrator is None and message.state is not None:
            self._begin(message)
        if self._narrator is not None and self._notebook is not None:
            if not self._game.has(message):
                raise LogError(message.line, "another game begins here: follow it by itself")
            _narrate([message], self._narrator, self._notebook)

    def _begin(self, first: _Message) -> None:
        self._roster = Roster.of(first.payload, first.payload["gameState"])
        self._notebook = Notebook(len(self._roster.players))
        self._observer = _observer(first.payload, self._roster, self._me)
        self._settings.insert(0, as_dict(first.payload.get("gameSettings")))
        self._victory_points = rules_of(self._settings, self._notebook).victory_points
        self._narrator = Narrator(self._roster, self._notebook, self._observer)

    @property
    def log(self) -> EventLog:
        """The game so far. Raises `LogError` before the first full state."""
        if self._roster is None or self._notebook is None:
            raise LogError(1, _NO_STATE)
        events = tuple(seen_by(event, self._observer) for event in self._notebook.events)
        return EventLog(self._roster.players, events, self._observer, self._victory_points)
