"""Games that are followed while they are played: a companion in the browser hands over the messages that it hears.

Each connection of a page has a name, and its messages have numbers. A message may come twice (after a lost answer, a restart on
either side): what was taken is known by its number, which is written together with what the message said. A game may come over
several connections, one after the other (the page was loaded again), and a connection may bring several games.

The companion passes bytes on as they came, so that all reading of messages is in one place, `kibitz.catan.logs.colonist`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import logging
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from kibitz.catan.core.events import Win
from kibitz.catan.logs import LogError
from kibitz.catan.logs.colonist.values import as_dict, as_int, as_list
from kibitz.catan.logs.colonist.wrapping import messages, unpack
from kibitz.catan.tracking.keeping import Kept, kept_at_end
from kibitz.catan.tracking.reading import CapturedSession
from kibitz.catan.tracking.sessions import Also, NoSession, TrackingSessions
from kibitz.ground.codec import parse_json
from kibitz.web.companions import Companions
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

log = logging.getLogger(__name__)

_IDS, _FULL_STATE = 1, 4
#: Messages that are kept before the full state of a game; those that matter are a handful.
_PRELUDE = 60
#: After so long without a message nobody is playing any more.
QUIET = timedelta(hours=2)
#: When advice is given in a game that is not over: the setting, and what it says.
ADVICE = {
    "never": "never while a game runs",
    "bots": "in games against bots alone",
    "always": "in every game (for games with friends who agree)",
}
_SCHEMA = """
CREATE TABLE IF NOT EXISTS live_connections (id TEXT PRIMARY KEY, changed TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS live_games (session TEXT PRIMARY KEY, changed TEXT NOT NULL, data TEXT NOT NULL)
"""
#: Connections and games that are remembered.
_MOST = 500


def tracking(services: Services) -> TrackingSessions:
    """The sessions that pages and API share: ``services.one(tracking)``."""
    return TrackingSessions(services.store, services.room)


def companions(services: Services) -> Companions:
    """Who may tell of live games: ``services.one(companions)``."""
    return Companions(services.options.data)


def live_games(services: Services) -> LiveGames:
    """The live games: ``services.one(live_games)``."""
    return LiveGames(services)


@dataclass
class Connection:
    """One connection of a page with its site."""

    id: str
    next: int = 0
    """The number of the message that is expected."""
    session: str | None = None
    """The game that it tells of."""
    number: str = ""
    """The site's number of that game, if it has told it."""
    prelude: list[Any] = field(default_factory=list)
    """Messages before the full state of a game."""
    trouble: str = ""
    """Why the game cannot be followed."""


@dataclass(frozen=True)
class LiveGame:
    """What is known of a live game beside its session."""

    session: str
    number: str
    """The site's number of it, if it told one."""
    table: str
    """A mark of the players, the board and whose eyes see it."""
    connection: str
    """The connection that tells of it now; what others still say of it is old."""
    players: tuple[str, ...]
    bots: bool
    """Whether all others are bots."""
    over: bool = False
    trouble: str = ""
    """Why it is no longer followed."""
    lost: int = 0
    """Messages that never arrived."""
    kept: Kept | None = None
    """Where it is in the library, once it is over."""
    changed: str = ""

    @property
    def title(self) -> str:
        """Who plays."""
        return ", ".join(self.players)

    @property
    def under_way(self) -> bool:
        """Whether it is still played, as far as anybody knows."""
        return not self.over and not self.trouble and datetime.now(UTC) - datetime.fromisoformat(self.changed) < QUIET


class LiveGames:
    """All games that companions have told of, those of former days too; for any thread."""

    def __init__(self, services: Services) -> None:
        self.sessions = services.one(tracking)
        self.companions = services.one(companions)
        self._store = services.store
        self._lock = threading.RLock()
        self._keeping: dict[str, threading.Thread] = {}
        with self._store.writing() as connection:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
        for game in self.games():  # what was over when somebody pulled the plug
            if game.over and game.kept is None and self.sessions.knows(game.session):
                self._keep_soon(game.session)

    # --- what a companion says ------------------------------------------------------------------------------------

    def take(self, name: str, first: int, raw: Sequence[str]) -> dict[str, Any]:
        """Messages of a connection from number `first` on; what is expected next, and the game as it is known now.

        Without messages it is only asked, and nothing changes.

        Raises `NotSaved`: then some of them may have been taken, and all may come again.
        """
        with self._lock:
            connection = self._connection(name)
            if not raw:
                return self._answer(connection)
            if first > connection.next:
                self._lose(connection, first - connection.next)
            hearing = _Hearing(self, connection)
            for number, message in enumerate(raw, start=first):
                if number >= connection.next:
                    hearing.hear(number, message)
            hearing.end()
            return self._answer(connection)

    def _answer(self, connection: Connection) -> dict[str, Any]:
        return {"next": connection.next, "trouble": connection.trouble, "game": self._told(connection.session)}

    def _lose(self, connection: Connection, count: int) -> None:
        """Note that messages never arrived, and that nobody waits for them: both at once, so that they count once."""
        connection.next += count
        if connection.session is not None and (game := self.game(connection.session)):
            self._save(replace(game, lost=game.lost + count), connection)

    def _told(self, session: str | None) -> dict[str, Any] | None:
        """All that a companion shows of a game."""
        game = None if session is None else self.game(session)
        if game is None:
            return None
        try:
            told = self.sessions.ask(game.session)
        except NoSession:  # it had to make room, or was deleted
            return None
        return {**told, **self.about(game), "approximate": told["approximate"] or game.lost > 0 or bool(game.trouble)}

    def about(self, game: LiveGame) -> dict[str, Any]:
        """What is said of a game beside its figures."""
        return {
            "title": game.title,
            "over": game.over,
            "trouble": game.trouble,
            "lost": game.lost,
            "advice": self.advises(game),
            "page": f"/track/{game.session}",
            "review": f"/review?log={game.session}" if game.over else None,
        }

    # --- games ----------------------------------------------------------------------------------------------------

    def game(self, session: str) -> LiveGame | None:
        """A live game by the id of its session."""
        with self._store.reading() as connection:
            row = connection.execute("SELECT changed, data FROM live_games WHERE session = ?", (session,)).fetchone()
        return None if row is None else _game(*row)

    def games(self, limit: int = 50) -> list[LiveGame]:
        """The latest games, the last one first."""
        with self._store.reading() as connection:
            rows = connection.execute("SELECT changed, data FROM live_games ORDER BY changed DESC LIMIT ?", (limit,)).fetchall()
        return [_game(*row) for row in rows]

    def under_way(self) -> list[LiveGame]:
        """Those that are played now."""
        return [game for game in self.games() if game.under_way and self.sessions.knows(game.session)]

    def advises(self, game: LiveGame) -> bool:
        """Whether advice may be given: after the end always, before it as the setting says."""
        setting = self.companions.setting("advice", "never")
        return game.over or setting == "always" or (setting == "bots" and game.bots)

    def frames(self, session: str) -> list[Any]:
        """All messages of a game."""
        return [frame for step in self.sessions.steps(session) for frame in step.get("frames", ())]

    def wait_for(self, session: str) -> LiveGame | None:
        """A game once it is kept, if its end is being kept just now."""
        if (thread := self._keeping.get(session)) is not None:
            thread.join()
        return self.game(session)

    # --- what is written ------------------------------------------------------------------------------------------

    def _connection(self, name: str) -> Connection:
        with self._store.reading() as connection:
            row = connection.execute("SELECT data FROM live_connections WHERE id = ?", (name,)).fetchone()
        return Connection(name) if row is None else Connection(**json.loads(row[0]))

    def _save(self, *things: LiveGame | Connection) -> None:
        with self._store.writing(flushed=False) as connection:
            written(*things)(connection)

    def _found(self, number: str, table: str) -> LiveGame | None:
        """The game that a full state is about, if it was begun here before."""
        for game in self.games():
            same = game.table == table and (game.number == number or not (game.number and number))
            if same and self.sessions.knows(game.session):
                return game
        return None

    def _after(self, told: Mapping[str, Any]) -> None:
        """What follows from what a game says now: when it is over, it goes into the library."""
        game = self.game(told["id"])
        if game is None or not told["over"]:
            return
        with self.sessions.using(game.session) as session:
            exact = isinstance(session, CapturedSession) and session.replay is not None
        if not game.over or (exact and game.kept is not None and not game.kept.exact):
            self._save(replace(game, over=True))
            self._keep_soon(game.session)

    def _keep_soon(self, id: str) -> None:
        thread = threading.Thread(target=self._keep, args=(id,), daemon=True)
        self._keeping[id] = thread
        thread.start()

    def _keep(self, id: str) -> None:
        """Put a game that is over into the library, ready for review."""
        try:
            with self.sessions.using(id) as session:
                assert isinstance(session, CapturedSession)
                wins = [session.players[event.player] for event in session.events if isinstance(event, Win)]
                answers, imported, replay = dict(session.answers), session.imported, session.replay
            kept = kept_at_end(self._store, id, self.frames(id), answers, imported, replay, wins[-1] if wins else "")
            with self._lock:
                if game := self.game(id):
                    self._save(replace(game, kept=kept))
            with self.sessions.using(id) as session:
                later = isinstance(session, CapturedSession) and session.replay is not None and replay is None
            if later:  # the site has sent its replay meanwhile
                self._keep(id)
        except (NotSaved, NoSession, LogError) as error:
            log.error("the live game %s could not be kept: %s", id, error)
        finally:
            if self._keeping.get(id) is threading.current_thread():
                self._keeping.pop(id, None)
            self.sessions.announce(id)


class _Hearing:
    """One batch of messages of a connection, as it is heard."""

    def __init__(self, games: LiveGames, connection: Connection) -> None:
        self._games, self._to = games, connection
        self._pending: list[Any] = []
        self._number = connection.next

    def hear(self, number: int, raw: str) -> None:
        """One message as it came: ``t`` and a text, or ``b`` and bytes in Base 64."""
        self._number = number
        for message in _opened(raw, self._to.session is not None):
            data = as_dict(message["data"])
            kind, payload = as_int(data.get("type")), as_dict(data.get("payload"))
            if kind == _IDS and isinstance(named := payload.get("databaseGameId"), str) and named != self._to.number:
                self._tell()
                self._to.session, self._to.number, self._to.prelude, self._to.trouble = None, named, [], ""
            if kind == _FULL_STATE and isinstance(payload.get("gameState"), dict):
                self._begin(message, payload)
            elif self._to.session is not None:
                self._pending.append(message)
            elif len(self._to.prelude) < _PRELUDE:
                self._to.prelude.append(message)
        self._to.next = number + 1

    def end(self) -> None:
        """Nothing more for now."""
        self._tell()
        self._games._save(self._to)

    def _begin(self, message: Any, payload: Mapping[str, Any]) -> None:
        """A full state: of the game that is under way, of one that came over another connection before, or of a new one."""
        to, games = self._to, self._games
        table, number = _mark(payload), to.number
        game = None if to.session is None else games.game(to.session)
        if game is None or game.table != table:
            self._tell()
            game = games._found(number, table)
        if game is not None:
            if game.connection != to.id or game.session != to.session:
                to.session = game.session
                games._save(replace(game, connection=to.id, number=number or game.number), to)
            self._pending += [*to.prelude, message]
            to.prelude = []
            return
        frames, to.prelude, to.trouble, to.next = [*to.prelude, message], [], "", self._number + 1

        def also(session: str) -> Also:
            to.session = session
            return written(LiveGame(session, number, table, to.id, _names(payload), _against_bots(payload)), to)

        try:
            games._after(games.sessions.open({"frames": frames, "me": None}, also))
        except ValueError as error:
            to.session, to.trouble = None, str(error)

    def _tell(self) -> None:
        """Tell the game what was heard so far; what an older connection still says of it is dropped."""
        to, games, frames = self._to, self._games, self._pending
        self._pending = []
        game = None if to.session is None else games.game(to.session)
        if not frames or game is None or game.connection != to.id or game.trouble:
            return
        try:
            games._after(games.sessions.tell(game.session, {"frames": frames}, written(game, to)))
        except NoSession:
            to.session = None
        except ValueError as error:
            games._save(replace(game, trouble=str(error)), to)


def written(*things: LiveGame | Connection) -> Also:
    """What writes them, in somebody's transaction."""

    def write(connection: sqlite3.Connection) -> None:
        now = datetime.now(UTC).isoformat()
        for thing in things:
            table, key = ("live_games", thing.session) if isinstance(thing, LiveGame) else ("live_connections", thing.id)
            data = json.dumps(asdict(thing))
            connection.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", (key, now, data))
            oldest = f"SELECT changed FROM {table} ORDER BY changed DESC LIMIT 1 OFFSET {_MOST}"
            connection.execute(f"DELETE FROM {table} WHERE changed <= ({oldest})")

    return write


def _game(changed: str, data: str) -> LiveGame:
    found = json.loads(data)
    kept = found.pop("kept")
    found |= {"changed": changed, "players": tuple(found["players"])}
    return LiveGame(**found, kept=None if kept is None else Kept(**kept))


def _opened(raw: str, in_game: bool) -> Iterable[dict[str, Any]]:
    """The messages about a game in what came over a connection; what cannot be unpacked is told where a game is under way."""
    try:
        value = unpack(base64.b64decode(raw[1:], validate=True)) if raw[:1] == "b" else parse_json(raw[1:])
    except (ValueError, binascii.Error) as error:
        return [{"id": "130", "data": f"not understood: {error}"}] if in_game and raw[:1] == "b" else []
    return list(messages([value]))


def _mark(payload: Mapping[str, Any]) -> str:
    """A mark by which the same game is known over another connection: who plays in which order, on which board, whose eyes."""
    tiles = as_dict(as_dict(as_dict(payload.get("gameState")).get("mapState")).get("tileHexStates"))
    told = [payload.get("playOrder"), _names(payload), payload.get("playerColor"), sorted(map(json.dumps, tiles.values()))]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=12).hexdigest()


def _names(payload: Mapping[str, Any]) -> tuple[str, ...]:
    users = {as_int(as_dict(user).get("selectedColor")): user for user in as_list(payload.get("playerUserStates"))}
    order = [as_int(colour) for colour in as_list(payload.get("playOrder"))]
    return tuple(str(as_dict(users.get(colour)).get("username", f"Player {n}"))[:100] for n, colour in enumerate(order, 1))


def _against_bots(payload: Mapping[str, Any]) -> bool:
    """Whether everybody but whose eyes see it is a bot."""
    me = as_int(payload.get("playerColor"))
    others = [as_dict(user) for user in as_list(payload.get("playerUserStates")) if as_dict(user).get("selectedColor") != me]
    return me is not None and bool(others) and all(user.get("isBot") is True for user in others)
