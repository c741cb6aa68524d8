r"""A session of the Track page: a log, and what people have changed in it by hand.

The text of the log stays as it came. What people add, remove or know better is kept beside it, so that all of it can be taken
back, and so that the same log can be read again with the eyes of another player.

>>> from kibitz.catan.core.events import Roll, Steal
>>> log = EventLog(("Ann", "Bob"), (Roll(0, 8, {0: {"wood": 1, "ore": 1}}), Steal(1, 0)))
>>> game = Followed.read(Source("\n".join(log.lines())))
>>> game.moment(2).told["players"][1]["hand"]["ore"]["expected"]
0.5
>>> game.resolve("s2", "ore")
>>> game.moment(2).told["players"][1]["hand"]["ore"]["expected"]
1.0
>>> game.insert(2, [EndTurn(0)])
>>> len(game), game.take_back(), len(game)
(3, 2, 2)
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

from kibitz.catan.belief.hands import Contradiction
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import EndTurn, Event, EventLog, InvalidEvent, check_seats
from kibitz.catan.logs import ImportedLog, LogError, read_bounded
from kibitz.catan.logs.base import Doubts
from kibitz.catan.tracking.session import MOST_EVENTS, TrackingSession, start_of, warm_up
from kibitz.compute.runtime import Limit, Runtime
from kibitz.ground.codec import parse_json
from kibitz.web.store import Store

#: Seconds that a log may take; what has been followed until then is shown.
SECONDS = 30.0
#: Bytes that the moments of one game may take.
KEPT = 1 << 27
#: Events between two reports.
_REPORT = 20
#: What people call the formats of `kibitz.catan.logs`.
KNOWN = {
    "kibitz": "Kibitz game",
    "colonist-text": "Colonist chat",
    "colonist-html": "Colonist page",
    "colonist-frames": "Colonist frames",
    "colonist-replay": "Colonist replay",
    "jsettlers": "JSettlers log",
    "catanatron": "catanatron game",
    "catanlog": "catanlog game",
}


class InvalidGame(ValueError):
    """Something that cannot be followed, or a change that does not fit; the message is for people."""


class Edit(NamedTuple):
    """An event that was put before number `at` by hand or, without one, the removal of that number."""

    at: int
    event: Event | None


@dataclass(frozen=True)
class Source:
    """Where a game comes from: the text of a log, whose eyes read it, a board that it does not hold itself."""

    text: str
    me: str | None = None
    """The name of a player, or None: as the log itself tells."""
    board: Board | None = None


class Followed(TrackingSession):
    """One game: a log, and what was changed in it by hand."""

    def __init__(self, source: Source, imported: ImportedLog, edits: Sequence[Edit] = ()) -> None:
        self.source, self.imported, self.edits = source, imported, list(edits)
        self.unread = 0
        """Events that were left out, because there was no time for them."""
        super().__init__(start_of(imported.log), KEPT)
        self.marks: dict[int, str] = {}
        """What is to be said about single events: why each was mended, by its number from 1."""

    # --- coming and going -----------------------------------------------------------------------------------------

    @classmethod
    def read(
        cls,
        source: Source,
        edits: Sequence[Edit] = (),
        answers: Mapping[int, str] | None = None,
        runtime: Runtime | None = None,
    ) -> Self:
        """Read a log and follow it. Raises `InvalidGame`."""
        try:
            imported = read_bounded(source.text, source.me, runtime)
        except LogError as error:
            raise InvalidGame(str(error)) from None
        events = _edited(imported.log.events, edits)
        runtime = runtime or Runtime(Limit(time=SECONDS))
        warm_up()
        runtime.begin()
        if len(events) > MOST_EVENTS:
            raise InvalidGame(f"the log holds {len(events):,} events; at most {MOST_EVENTS:,} can be followed")
        game = cls(source, imported, edits)
        game._follow(events, runtime)
        game.answers |= answers or {}
        return game

    def _follow(self, events: Sequence[Event], runtime: Runtime) -> None:
        """Take in events, as many as time allows."""
        for number, event in enumerate(events):
            if runtime.stopped:
                self.unread += len(events) - number
                break
            if number % _REPORT == 0:
                runtime.report(number, len(events))
            self._timeline.add(event)
        self.marks = {repair.event + 1: repair.reason for repair in self._timeline.end.repairs}

    def to_json(self) -> dict[str, Any]:
        """For the library."""
        return {
            "track": "catan",
            "version": 1,
            "text": self.source.text,
            "me": self.source.me,
            "board": None if self.source.board is None else self.source.board.to_text(),
            "edits": [[edit.at, None if edit.event is None else edit.event.to_json()] for edit in self.edits],
            "answers": [[event, resource] for event, resource in self.answers.items()],
        }

    @classmethod
    def from_json(cls, data: Any, runtime: Runtime | None = None) -> Self:
        """Read what `to_json` wrote, or the bare text of a log. Raises `InvalidGame`."""
        if isinstance(data, str):
            return cls.read(Source(data), runtime=runtime)
        if not isinstance(data, Mapping) or data.get("track") != "catan" or data.get("version") != 1:
            raise InvalidGame("this is not a game that was followed here")
        try:
            board = None if data["board"] is None else Board.from_text(data["board"])
            edits = [Edit(int(at), None if event is None else Event.from_json(event)) for at, event in data["edits"]]
            answers = {int(event): str(resource) for event, resource in data["answers"]}
            source = Source(str(data["text"]), data["me"], board)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InvalidGame(f"the saved game is damaged: {error}") from None
        if len(edits) > MOST_EVENTS or not isinstance(source.me, str | None):
            raise InvalidGame("the saved game is damaged")
        return cls.read(source, edits, answers, runtime)

    @classmethod
    def from_file(cls, text: str, runtime: Runtime | None = None) -> Self:
        """A log, or a game that was downloaded from the library. Raises `InvalidGame`."""
        if text.startswith("{") and '"track"' in text[:40]:
            try:
                return cls.from_json(parse_json(text), runtime)
            except ValueError as error:
                raise InvalidGame(str(error)) from None
        return cls.read(Source(text), runtime=runtime)

    def seen_by(self, me: str | None) -> dict[str, Any]:
        """What `from_json` makes the same game of, with other eyes."""
        return {**self.to_json(), "me": me}

    # --- what there is --------------------------------------------------------------------------------------------

    @property
    def players(self) -> tuple[str, ...]:
        """Their names in the order of the seats."""
        return self.imported.log.players

    @property
    def observer(self) -> int | None:
        """The seat whose eyes saw it."""
        return self.imported.log.observer

    @property
    def board(self) -> Board | None:
        """The board, if it is known and the four colours are enough for it."""
        found = self.imported.board or self.source.board
        return found if len(self.players) <= 4 else None

    @property
    def log(self) -> EventLog:
        """Everything, for a file."""
        return replace(self.imported.log, events=self.events)

    @property
    def title(self) -> str:
        """A name for the library."""
        kind = KNOWN[self.imported.format] if self.imported.log.events else "Game at the table"
        return f"{kind}: {', '.join(self.players)}"

    @property
    def doubts(self) -> Doubts:
        """What of the log was not understood, and what is missing."""
        return self.imported.doubts

    @property
    def gaps(self) -> bool:
        """Whether it is known that the log is not whole."""
        return bool(self.doubts) or self.unread > 0

    def turns(self) -> list[int]:
        """The moments at which a turn begins."""
        return [0, *(number for number, event in enumerate(self.events, 1) if isinstance(event, EndTurn))]

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return super().nbytes + len(self.source.text)

    # --- changes by hand ------------------------------------------------------------------------------------------

    def trouble(self, number: int, events: Sequence[Event]) -> str:
        """Why events are impossible after so many others; nothing if they are not."""
        with self._lock:
            tracker = self._timeline.at(number)
        tracker.config = replace(tracker.config, on_contradiction="raise")
        try:
            for event in events:
                tracker.process(event)
        except Contradiction as error:
            return f"{error.event.text(self.players)}: it needs {error.needed}; possible: {error.possible}"
        except ValueError as error:
            return str(error)
        return ""

    def insert(self, number: int, events: Sequence[Event]) -> None:
        """Put events after so many others. Raises `InvalidGame` where a seat does not exist."""
        with self._lock:
            if len(self) + len(events) > MOST_EVENTS:
                raise InvalidGame(f"at most {MOST_EVENTS:,} events can be followed")
            try:
                for event in events:
                    check_seats(event, len(self.players))
            except InvalidEvent as error:
                raise InvalidGame(str(error)) from None
            rest = self.events[number:]
            self._change(number, [*events, *rest], [Edit(number + n, event) for n, event in enumerate(events)])

    def remove(self, number: int) -> None:
        """Take out the event with this number (from 0)."""
        with self._lock:
            self._change(number, self.events[number + 1 :], [Edit(number, None)])

    def take_back(self) -> int:
        """Take the last change back; the moment to look at then: behind what has come back, or before what is gone."""
        with self._lock:
            if not self.edits:
                raise InvalidGame("nothing was changed by hand")
            edit = self.edits.pop()
            events = _edited(self.imported.log.events, self.edits)
            self._refollow(edit.at, events[edit.at : len(events) - self.unread])
            back = Edit(edit.at, None if edit.event is not None else events[edit.at])
            self.answers = _shifted(self.answers, back)
            return edit.at + (edit.event is None)

    def _change(self, number: int, rest: Sequence[Event], edits: Sequence[Edit]) -> None:
        self._refollow(number, rest)
        self.edits += edits
        for edit in edits:
            self.answers = _shifted(self.answers, edit)

    def _refollow(self, number: int, rest: Sequence[Event]) -> None:
        runtime = Runtime(Limit(time=SECONDS))
        runtime.begin()
        self._timeline.cut(number)
        self._follow(rest, runtime)
        self._ready = OrderedDict((n, moment) for n, moment in self._ready.items() if n <= number)

    def resolve(self, steal: str, resource: str | None) -> None:
        """Say what a steal took, or (None) take that back. Raises `InvalidGame`."""
        try:
            super().resolve(steal, resource)
        except ValueError as error:
            later = f"it cannot have been {resource}: what happens later in the log rules that out"
            raise InvalidGame(str(error) if resource is None else later) from None


def _edited(events: Sequence[Event], edits: Sequence[Edit]) -> list[Event]:
    """The events with all changes. Raises `InvalidGame` where one does not fit."""
    found = list(events)
    for edit in edits:
        if not 0 <= edit.at < len(found) + (edit.event is not None):
            raise InvalidGame(f"a change by hand is about event {edit.at + 1}, but there are only {len(found)}")
        if edit.event is None:
            del found[edit.at]
        else:
            found.insert(edit.at, edit.event)
    return found


def _shifted(answers: Mapping[int, str], edit: Edit) -> dict[int, str]:
    """The answers, after an event was put in or taken out."""
    if edit.event is not None:
        return {event + (event >= edit.at): resource for event, resource in answers.items()}
    return {event - (event > edit.at): resource for event, resource in answers.items() if event != edit.at}


def board_of(text: str) -> Board | None:
    """A board that somebody typed, or a link that holds one; None for nothing. Raises `InvalidGame`."""
    try:
        typed = parse_qs(urlsplit(text.strip()).query).get("board", [text.strip()])[0]
        return Board.from_text(typed) if typed else None
    except ValueError as error:  # of a link, or an `InvalidBoard`
        raise InvalidGame(f"not a board: {error}") from None


#: What is said where two windows have changed the same game.
ELSEWHERE = "this game was changed in another window: what you do here is kept as a game of its own"


@dataclass(frozen=True)
class Opened:
    """Where a game lies in the library, whether it is ours to change there, and the moment to show (None: the end)."""

    id: str
    mine: bool = True
    at: int | None = None
    seen: datetime | None = None
    """When it was changed last, as far as we know."""


#: A game that is nowhere yet.
NEW = Opened("", mine=False)


def saved_as(store: Store, title: str, data: Any, kept: Opened = NEW) -> Opened:
    """Keep a game in the library, where it was if nobody else has changed it there. Raises `NotSaved`."""
    id = store.save("log", title, data, kept.id if kept.mine else None, seen=kept.seen)
    return Opened(id, True, kept.at, store.changed(id))
