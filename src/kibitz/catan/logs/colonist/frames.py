"""Games captured from colonist.io while they are played: the messages to one player or spectator.

They may come in many wrappings (`kibitz.catan.logs.colonist.wrapping`); only those with the id "130" are about the game. The
first of type 4 holds the full state, each of type 91 a merge patch; a full state that comes again (after a lost
connection) replaces the position, and its log goes on where the game was.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Self

from kibitz.catan.core.events import EventLog, seen_by
from kibitz.catan.logs.base import Doubts, ImportedLog, LogError, Notebook, Problem, distinct, seat_of
from kibitz.catan.logs.colonist.log import Narrator
from kibitz.catan.logs.colonist.state import Roster, read_board, rules_of
from kibitz.catan.logs.colonist.values import as_dict, as_int, as_list
from kibitz.catan.logs.colonist.wrapping import holds_messages, messages, values_of

_NO_STATE = "no full state of a game (type 4) is in it"
_JOINED_LATE = "the messages begin in the middle of the game: hands at that moment are guesses"
_LOST = "some of the game's messages are missing"
_IDS, _FULL_STATE, _MOVEMENT, _SETTINGS, _END, _PATCH = 1, 4, 43, 44, 45, 91
#: What somebody who keeps only what is told here would keep.
_OF_INTEREST = (None, _IDS, _FULL_STATE, _MOVEMENT, _SETTINGS, _END, _PATCH)
#: Messages that tell nothing of cards or pieces: where something may be placed, prompts, clocks, offers that close, the end.
_SILENT = {_IDS, _MOVEMENT, _SETTINGS, 2, 6, 13, 18, 20, 27, 28, 29, 30, 31, 32, 33, 40, _END, 59, 62, 63, 64, 70, 78, 80}
#: A message about a game is in it.
recognises = holds_messages


@dataclass(frozen=True)
class _Message:
    line: int
    type: int | None
    payload: dict[str, Any]
    #: Why it cannot be unpacked.
    trouble: str = ""
    #: The site counts its messages.
    sequence: int | None = None

    @property
    def state(self) -> dict[str, Any] | None:
        """The full state that it brings."""
        found = self.payload.get("gameState") if self.type == _FULL_STATE else None
        return found if isinstance(found, dict) else None

    @property
    def settings(self) -> list[dict[str, Any]]:
        """The settings of the game that it brings."""
        return [self.payload, as_dict(self.payload.get("gameSettings"))] if self.type == _SETTINGS else []


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read captured messages. `me` names the observer where the capture does not (a spectator's)."""
    values, broken = values_of(text)
    found = [_message(number, data) for number, data in enumerate(messages(values), start=1)]
    start = next((i for i, message in enumerate(found) if message.state is not None), None)
    if start is None:
        broken += [(message.line, message.trouble) for message in found if message.trouble]
        raise LogError(*(broken or [(1, _NO_STATE)])[0])
    game = SiteGame(found[start].payload, me, strict, [named for message in found[:start] for named in message.settings])
    for line, reason in broken:
        game.notebook.problem(line, reason)
    for message in found[start:]:
        if not game.hear(message):
            game.notebook.problem(message.line, "another game begins here: only the first is read")
            break
    return game.imported("colonist-frames")


def _message(number: int, message: dict[str, Any]) -> _Message:
    data = as_dict(message["data"])
    sequence = as_int(data.get("sequence"))
    line = number if sequence is None or sequence < 0 else sequence
    trouble = message["data"] if isinstance(message["data"], str) else ""
    return _Message(line, as_int(data.get("type")), as_dict(data.get("payload")), trouble, sequence)


class SiteGame:
    """A game from its first full state: who plays, by which rules, and what has been told so far."""

    def __init__(
        self,
        payload: dict[str, Any],
        me: str | None = None,
        strict: bool = False,
        settings: Iterable[dict[str, Any]] = (),
        all_seeing: bool = False,
    ) -> None:
        """`payload` holds the full state and what surrounds it; in a replay (`all_seeing`) nothing is hidden."""
        state = payload["gameState"]
        self.roster = Roster.of(payload, state)
        self.notebook = Notebook(len(self.roster.players), strict)
        self.observer = _observer(None if all_seeing else payload.get("playerColor"), self.roster, me)
        self.board = read_board(state, self.notebook)
        self._settings = [as_dict(payload.get("gameSettings")), *settings]
        self.rules = rules_of(self._settings, self.notebook)
        self.narrator = Narrator(self.roster, self.notebook, None if all_seeing else self.observer)
        #: By what another game is known: its players and its number.
        self._known: dict[str, Any] = {}
        self._sequence: int | None = None
        self._lost: list[tuple[int, int]] = []
        #: Whether messages of no interest were kept: else a number that is left out means nothing.
        self._unsifted = False

    def hear(self, message: _Message) -> bool:
        """One more message; False if it is about another game."""
        order = as_list(message.payload.get("playOrder")) if message.type == _FULL_STATE else []
        number = message.payload.get("databaseGameId") if message.type == _IDS else None
        told = {"players": [as_int(colour) for colour in order], "number": number if isinstance(number, str) else ""}
        if any(value and self._known.setdefault(name, value) != value for name, value in told.items()):
            return False
        self._count(message)
        if message.state is not None:
            self.narrator.start(message.state)
        elif message.type == _PATCH and isinstance(message.payload.get("diff"), dict):
            self.narrator.patch(message.payload["diff"])
        elif message.type == _MOVEMENT:
            self.narrator.movement(message.payload)
        elif message.settings:
            self._settings += message.settings
            self.rules = rules_of(self._settings, self.notebook)
        elif message.type not in _SILENT:
            what = f"a message of type {message.type} that cannot be read"
            if message.type not in (None, _FULL_STATE, _PATCH):
                what = f"not understood: a message of type {message.type}"
            self.notebook.problem(message.line, message.trouble or what)
        return True

    def _count(self, message: _Message) -> None:
        """Note which messages are missing before this one; after a full state nothing is that came before it."""
        self._unsifted = self._unsifted or message.type not in _OF_INTEREST
        number, before = message.sequence, self._sequence
        if number is None or number < 0:
            return
        if message.state is None and before is not None and number > before + 1:
            self._lost.append((before + 1, number - 1))
        self._sequence = number

    @property
    def log(self) -> EventLog:
        """The game so far."""
        events = tuple(seen_by(event, self.observer) for event in self.notebook.events)
        return EventLog(self.roster.players, events, self.observer, self.rules.victory_points)

    def imported(self, format: str, **extras: Any) -> ImportedLog:
        """The whole game, as a file of this format held it."""
        imported = self.notebook.imported(format, self.log, board=self.board, rules=self.rules, **extras)
        return replace(imported, problems=self.doubts.problems, missing=self.doubts.missing)

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Messages that are missing, by their numbers: the first and the last of each gap."""
        return self._lost if self._unsifted else []

    @property
    def doubts(self) -> Doubts:
        """Why the game so far may not be what it seems."""
        problems = [Problem(first, _gap(first, last), "") for first, last in self.gaps]
        missing = _JOINED_LATE if self.narrator.incomplete else _LOST if self.gaps else ""
        return Doubts(distinct([*self.notebook.problems, *problems], self.roster.players), missing)


def _gap(first: int, last: int) -> str:
    return f"message {first} is missing" if first == last else f"messages {first} to {last} are missing"


def _observer(colour: Any, roster: Roster, me: str | None) -> int | None:
    seat = roster.seats.get(as_int(colour) or 0)
    if me is None:
        return seat
    named = seat_of(me, roster.players)
    if seat not in (None, named):
        raise LogError(1, f"these are the messages to {roster.players[seat or 0]}, not to {me}")
    return named


class Capture:
    """Messages as they come, one after the other: `log` holds the events so far.

    What a message tells may complete an earlier event of the same turn (who paid for a monopoly, where a piece stands).
    """

    def __init__(self, me: str | None = None) -> None:
        self._me = me
        self._number = 0
        self._settings: list[dict[str, Any]] = []
        self._game: SiteGame | None = None
        self.replay: dict[str, Any] | None = None
        """The whole game with nothing hidden, which the site sends when it is over."""

    def add(self, value: Any) -> None:
        """A message, or anything that holds some. Raises `LogError` where another game begins, or one of an expansion."""
        for data in messages([value]):
            self._number += 1
            message = _message(self._number, data)
            if "initialState" in as_dict(message.payload.get("eventHistory")):
                self.replay = message.payload
            if self._game is None and message.state is not None:
                self._game = SiteGame(message.payload, self._me, settings=self._settings)
            if self._game is None:
                self._settings += message.settings
            elif not self._game.hear(message):
                raise LogError(message.line, "another game begins here: follow it by itself")

    def copy(self) -> Self:
        """Another that has heard the same; what never changes is shared."""
        shared: list[Any] = [self.replay, *(self._game.notebook.events if self._game is not None else ())]
        return deepcopy(self, {id(value): value for value in shared})

    @property
    def log(self) -> EventLog:
        """The game so far. Raises `LogError` before the first full state."""
        if self._game is None:
            raise LogError(1, _NO_STATE)
        return self._game.log

    @property
    def imported(self) -> ImportedLog:
        """The game so far, with all that its messages tell. Raises `LogError` before the first full state."""
        if self._game is None:
            raise LogError(1, _NO_STATE)
        return self._game.imported("colonist-frames")

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Messages that are missing, by their numbers: the first and the last of each gap."""
        return [] if self._game is None else self._game.gaps

    @property
    def doubts(self) -> Doubts:
        """Why the game so far may not be what it seems."""
        return Doubts() if self._game is None else self._game.doubts
