"""Games that people play against bots in the browser, of any kind: kept by the server, saved after every step.

A kind of game (`GameKind`) makes a `Match` from a setup; a `Session` lets people decide, drives bots and chance in a thread of
its own, and writes every step to the library before anybody sees it. A session that is no longer in memory (another day, a
server that was killed) is played again from its setup and the texts of its steps: the same dice fall.
"""

import logging
import secrets
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import quote

from kibitz.game import OVER, Game
from kibitz.play.faults import fault
from kibitz.play.match import IllegalDecision
from kibitz.play.profile import InvalidSetup
from kibitz.web.store import NotSaved, Store

#: Seconds between a bot's step and the next one, at the usual pace.
PAUSE = 0.7
#: Seconds that a bot has to come to an end when everything ends.
LAST_WAIT = 1.0
#: This many bots think at once, in all games together.
THINKERS = 2
#: How games are kept in the library; version 1 was that of libraries of version 3, which kept the codes of steps.
VERSION = 2
#: What is said of a mistake of ours.
AMISS = "something went wrong in Kibitz itself, and the game stops here; its log says what"

log = logging.getLogger(__name__)


class Match(Protocol):
    """A game under way, as `kibitz.play.match.Table` is: whose move it is, what was done, who decides what."""

    game: Game
    codes: list[int]

    @property
    def actor(self) -> int:
        """A seat, `kibitz.game.CHANCE` or `kibitz.game.OVER`."""

    @property
    def can_return_to(self) -> int | None:
        """How many steps stay when the person takes the last decision back; None where that cannot be."""

    def choose(self) -> int:
        """What chance or a bot does next. It may think for long, and changes nothing."""

    def step(self, code: int) -> None:
        """Do it. Raises `IllegalDecision` for what the rules forbid."""

    def replay(self, code: int) -> None:
        """Do what was done in the same game before, so that it goes on as it would have."""


M = TypeVar("M", bound=Match)
Setup = Mapping[str, Any]


class NotNow(ValueError):
    """Something that cannot be done now; the message is one line for people."""


class GameKind(ABC, Generic[M]):
    """What the sessions need to know of a game."""

    #: What the game is called in files.
    name: str
    #: Where a session is opened; the rest of the address is its id.
    page: str
    #: What the titles of all its games begin with.
    titled = ""

    @abstractmethod
    def match(self, setup: Setup) -> M:
        """A game at its beginning, from a JSON value with, at least, the person's ``seat``. Raises `InvalidSetup`."""

    @abstractmethod
    def title(self, setup: Setup, match: M) -> str:
        """A name for the library."""

    def address(self, id: str, setup: Setup) -> str:
        """Where a game of the library is opened."""
        return f"{self.page}{quote(id)}"

    def record(self, setup: Setup, moves: Sequence[str]) -> str:
        """The game as the text of a record file; empty for a game without records."""
        return ""

    def forced(self, match: M) -> int | None:
        """What the person need not be asked about, if it is that."""
        return None

    def doubts(self, match: M) -> bool:
        """Whether it takes some thought to say if the person need be asked."""
        return False

    def thought(self, match: M) -> Callable[[], None]:
        """That thought, where there are doubts, about what is so now: it is made under the lock and called without it."""
        raise NotImplementedError

    def adjust(self, match: M, setup: Setup) -> None:
        """Heed what was changed in the setup of a game under way."""

    def pause(self, match: M, code: int) -> float:
        """How long people need to see the step that was just done, before the next one; 1 is usual."""
        return 1.0


class Session(Generic[M]):
    """One game. Everything may be called from any thread; hold the `lock` while you look at the `match`.

    What is seen under the lock is saved.
    """

    def __init__(
        self, id: str, kind: GameKind[M], setup: Setup, match: M, store: Store, thinkers: threading.Semaphore, saved: int = 0
    ) -> None:
        """`saved` steps of the match are in the store already."""
        self.id, self.kind, self.setup, self.match = id, kind, setup, match
        self.seat: int | None = setup["seat"]
        self.lock = threading.RLock()
        self.pace = 1.0
        """How long people have to see what bots do; with 0 the next step follows at once."""
        self.trouble = ""
        """What went wrong in a bot or with the disk, for people; nothing goes on then."""
        self._store, self._thinkers, self._saved = store, thinkers, saved
        self._describe = cache(match.game.describe)
        self._taken_back = 0
        self._thoughts = 0
        self._driver: threading.Thread | None = None
        self._hurry = threading.Event()

    @property
    def moves(self) -> Sequence[str]:
        """The texts of all steps."""
        with self.lock:
            return [self._describe(code) for code in self.match.codes]

    @property
    def version(self) -> int:
        """A number that grows with every step that is done and saved or taken back, and every thought: what a page compares."""
        return self._saved + self._taken_back + self._thoughts

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.actor == OVER

    @property
    def asks(self) -> bool:
        """Whether the person is to decide."""
        with self.lock:
            if self.match.actor != self.seat or self.kind.doubts(self.match):
                return False
            return self.kind.forced(self.match) is None

    @property
    def moving(self) -> bool:
        """Whether bots or chance are to move."""
        return self._driver is not None

    def adjust(self, **changes: Any) -> None:
        """Change what the person may change in the setup of a game under way. Raises `NotNow` or `InvalidSetup`."""
        with self.lock:
            setup = {**self.setup, **changes}
            self.kind.adjust(self.match, setup)
            self.setup = setup
            self.save()
        self.go_on()

    def save(self) -> None:
        """Write everything to the library. Raises `NotNow` where the disk does not take it; nothing goes on then."""
        with self.lock:
            name, over, codes = self.kind.name, self.over, self.match.codes
            data = kept_game(name, self.setup, self.moves)
            try:
                self._store.save("game", self.kind.title(self.setup, self.match), data, self.id, game=name, over=over)
            except NotSaved as error:
                self.trouble = f"the game stops here, since {error}"
                raise NotNow(self.trouble) from None
            self._saved = len(codes)

    def play(self, codes: Sequence[int], at: int) -> None:
        """The person does something (one step, or several at once), having seen `at` steps. Raises `NotNow`."""
        try:
            with self.lock:
                if self.trouble:
                    raise NotNow(self.trouble)
                if at != self.version:
                    raise NotNow("the game has moved on in the meantime: look again")
                self._decide(codes)
        finally:
            self.go_on()

    def _decide(self, codes: Sequence[int]) -> None:
        """The steps of one decision; those before one that is impossible are done."""
        if self.match.actor == self.seat and not self.asks:
            raise NotNow("this is being decided for you")
        try:
            for code in codes:
                if self.match.actor != self.seat:
                    raise NotNow("it is not your move")
                self.match.step(code)
        except IllegalDecision as error:
            raise NotNow(str(error)) from None
        except Exception as error:
            if (told := fault(error)) is None:
                raise
            self.trouble = told
            raise NotNow(told) from error
        finally:
            if len(self.match.codes) > self._saved:
                self.save()

    @property
    def can_take_back(self) -> bool:
        """Whether the person may take the last decision back."""
        with self.lock:
            return (self.asks or self.over) and not self.trouble and self.match.can_return_to is not None

    def take_back(self, at: int) -> None:
        """The person takes the last decision back, having seen the version `at`. Raises `NotNow`."""
        with self.lock:
            if at != self.version:
                raise NotNow("the game has moved on in the meantime: look again")
            kept = self.match.can_return_to
            if kept is None or not self.can_take_back:
                raise NotNow("this cannot be taken back: something has been revealed since")
            before = len(self.match.codes)
            self.match = _played(self.kind, self.setup, self.moves[:kept])
            self.save()
            self._taken_back += before - kept + 1
        self.go_on()

    def go_on(self) -> None:
        """Let bots and chance move until the person is asked. Returns at once."""
        with self.lock:
            if self._driver is None and not self.over and not self.asks and not self.trouble:
                self._driver = threading.Thread(target=self._drive, name=f"game-{self.id}", daemon=True)
                self._driver.start()

    def stop(self) -> None:
        """Let no bot move, and write nothing more to the library."""
        with self.lock:
            self.trouble = "this game was put away: open it again"
        self._hurry.set()

    def wait(self, seconds: float) -> bool:
        """Wait until nobody but the person is to move, at most this long; whether it is so."""
        driver = self._driver
        if driver is not None:
            driver.join(seconds)
        return self._driver is None

    def _drive(self) -> None:
        try:
            while (code := self._next()) is not None:
                with self.lock:
                    if self.trouble:
                        return
                    self.match.step(code)
                    self.save()
                    pause = PAUSE * self.pace * self.kind.pause(self.match, code)
                if pause > 0:
                    self._hurry.wait(pause)
        except NotNow as error:
            log.warning("game %s: %s", self.id, error)
        except Exception as error:
            log.exception("game %s stops", self.id)
            self.trouble = self.trouble or fault(error) or AMISS
        finally:
            with self.lock:
                if self._driver is threading.current_thread():
                    self._driver = None

    def _next(self) -> int | None:
        """What is done next without the person; thought about without the lock, since nobody else may step meanwhile."""
        with self.lock:
            if self.trouble or self.over:
                return None
            asked = self.match.actor == self.seat
            if asked and not self.kind.doubts(self.match):
                code = self.kind.forced(self.match)
                if code is None:
                    self._driver = None  # under the lock, so that whoever decides now finds no driver
                return code
            think = self.kind.thought(self.match) if asked else None
        with self._thinkers:
            if think is None:
                return self.match.choose()
            think()
        with self.lock:
            self._thoughts += 1
        return self._next()


class Games:
    """The sessions of all visitors; the one that was not used for longest leaves the memory, not the library."""

    def __init__(self, store: Store, kinds: Sequence[GameKind[Any]] = (), most: int = 64) -> None:
        self._store, self._most = store, most
        self._kinds = {kind.name: kind for kind in kinds}
        self._sessions: OrderedDict[str, Session[Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._thinkers = threading.Semaphore(THINKERS)

    def add(self, kind: GameKind[Any]) -> None:
        """Make a kind of game known."""
        self._kinds[kind.name] = kind

    def kind(self, name: str) -> GameKind[Any] | None:
        """A kind of game by its name."""
        return self._kinds.get(name)

    def record(self, data: Any) -> str:
        """What the library keeps of a game, as the text of a record file; empty where there is no such thing.

        That of a game that is still played ends early, and tells what is hidden in it.
        """
        kind = self._kinds.get(str(data.get("game"))) if isinstance(data, dict) else None
        return "" if kind is None or "moves" not in data else kind.record(data["setup"], data["moves"])

    def new(self, name: str, setup: Setup, pace: float = 1.0, moves: Sequence[str] = ()) -> Session[Any]:
        """Begin a game, perhaps with steps that are done already; it is in the library when this returns.

        Raises `InvalidSetup`, or `NotNow` where it cannot be saved.
        """
        kind = self._kinds[name]
        session = self._session(secrets.token_urlsafe(9), kind, setup, _played(kind, setup, moves))
        session.pace = pace
        session.save()
        self._keep(session)
        session.go_on()
        return session

    def open(self, id: str) -> Session[Any] | None:
        """A game in memory, or else from the library; None if there is none that a person plays here.

        The first time takes a moment. Raises `InvalidSetup` for a game that cannot be played again as it was.
        """
        with self._lock:
            kept = self._sessions.pop(id, None)
            if kept is not None and not kept.trouble:  # else it is taken up again where it was saved
                self._sessions[id] = kept
                return kept
        found = self._store.load(id)
        data = found.data if found is not None and found.kind == "game" and isinstance(found.data, dict) else {}
        kind = self._kinds.get(data.get("game", ""))
        if kind is None or data["setup"]["seat"] is None:  # of a game from a file nobody asks for more
            return None
        if data["version"] != VERSION:
            raise InvalidSetup("this game was kept by another version of Kibitz, and cannot be opened")
        match = _played(kind, data["setup"], data["moves"])
        session = self._keep(self._session(id, kind, data["setup"], match, len(match.codes)))
        if self._store.changed(id) is None:  # deleted while it was read: nothing may write it again
            self._end(id)
            return None
        session.go_on()
        return session

    def delete(self, id: str) -> bool:
        """Delete something from the library, and if it is a game that is played, end it; whether it was there."""
        found = self._store.delete(id)
        if self._end(id):
            self._store.delete(id)  # what a bot has done meanwhile
        return found

    def _end(self, id: str) -> bool:
        """Stop a game; whether it was in memory."""
        with self._lock:
            session = self._sessions.pop(id, None)
        if session is not None:
            session.stop()
        return session is not None

    def _session(self, id: str, kind: GameKind[M], setup: Setup, match: M, saved: int = 0) -> Session[M]:
        return Session(id, kind, setup, match, self._store, self._thinkers, saved)

    def _keep(self, session: Session[Any]) -> Session[Any]:
        """Keep a session, unless another visit has opened the same meanwhile; the one that counts."""
        with self._lock:
            kept = self._sessions.setdefault(session.id, session)
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)[1].stop()
        return kept

    def close(self) -> None:
        """Stop all bots; nobody waits for one that thinks for long; what it decides is not done."""
        sessions = list(self._sessions.values())
        for session in sessions:
            session.stop()
        for session in sessions:
            session.wait(LAST_WAIT)


def kept_game(name: str, setup: Setup, moves: Sequence[str]) -> dict[str, Any]:
    """What the library keeps of a game: how it was set up, and every step of it in the game's own words."""
    return {"game": name, "version": VERSION, "setup": dict(setup), "moves": list(moves)}


def _played(kind: GameKind[M], setup: Setup, moves: Sequence[str]) -> M:
    """A game after some steps. Raises `InvalidSetup`."""
    match = kind.match(setup)
    try:
        for move in moves:
            match.replay(match.game.parse(move))
    except (ValueError, LookupError) as error:  # the `parse` of somebody's game may raise either
        raise InvalidSetup(f"the game does not follow the rules of this version: {error}") from None
    return match
