"""The library: games, logs and analyses in one SQLite file. What was saved is on the disk when `save` returns.

>>> store = Store(Path(":memory:"))
>>> id = store.save("analysis", "Board 42", {"answer": 42})
>>> [item.title for item in store.items()], store.load(id).data
(['Board 42'], {'answer': 42})
>>> store.delete(id), store.items()
(True, [])
"""

import hashlib
import json
import logging
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

#: What kinds of things there are, as people call them.
KINDS = {"analysis": "Analysis", "game": "Game", "log": "Log", "review": "Review"}
VERSION = 4
#: The oldest version that is taken over: it differs in that it kept the codes of steps, not their texts.
OLDEST = 3
#: The longest title.
TITLE = 200

_SCHEMA = """
CREATE TABLE items (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    game TEXT,
    over INTEGER,
    parent TEXT
);
CREATE INDEX items_by_time ON items (changed);
CREATE INDEX items_by_parent ON items (parent);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    changed TEXT NOT NULL,
    size INTEGER NOT NULL
);
CREATE TABLE steps (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
"""
_COLUMNS = "id, kind, title, created, changed, size, game, over"

log = logging.getLogger(__name__)


class StoreError(Exception):
    """A file that is not a library of ours, or one of another version."""


class NotSaved(Exception):
    """The disk did not take a change, which is as if it had never been tried; the message is one line for people."""


@dataclass(frozen=True)
class Item:
    """One thing in the library. Times are in UTC."""

    id: str
    kind: str
    title: str
    created: datetime
    changed: datetime
    size: int
    """Characters of its content."""
    game: str | None = None
    """Of a game that is played here: which one, by its name."""
    over: bool | None = None
    """Of such a game, or of an analysis: whether it has ended."""
    data: Any = None
    """Its content, a JSON value, where it was loaded."""


class Store:
    """The library in a file. Every method may be called from any thread, and none from the event loop: a disk may be slow."""

    def __init__(self, path: Path) -> None:
        try:
            if str(path) != ":memory:":
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: the library cannot be kept there ({error})") from None
        self.path = path
        self._lock = threading.Lock()
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise StoreError(f"{path}: not a library of Kibitz ({error})") from None
        except StoreError:
            self._connection.close()
            raise

    def _open(self) -> None:
        run = self._connection.execute
        run("PRAGMA journal_mode=WAL")
        run("PRAGMA busy_timeout=5000")
        with self._changing():
            (version,) = run("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise StoreError(f"{self.path}: written by a later version of Kibitz")
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    run(statement)
            elif version < OLDEST:
                raise StoreError(
                    f"{self.path}: written by a version of Kibitz that is too old (version {version} of the library)"
                )
            elif version < VERSION:
                self._name_steps()
            run(f"PRAGMA user_version={VERSION}")

    def _name_steps(self) -> None:
        """Take over a library of version 3: what was kept of a game as codes is kept as texts."""
        run = self._connection.execute
        for id, text in run("SELECT id, data FROM items WHERE kind = 'game' AND game IS NOT NULL").fetchall():
            try:
                named = json.dumps(_named(json.loads(text)))
            except (KeyError, TypeError, ValueError) as error:  # it stays as it is, and says so when it is opened
                log.warning("game %s of the library cannot be taken over: %s", id, error)
            else:
                run("UPDATE items SET data = ?, size = ? WHERE id = ?", (named, len(named), id))

    @contextmanager
    def writing(self, flushed: bool = True) -> Iterator[sqlite3.Connection]:
        """One change that somebody asks for, whole or not at all. Raises `NotSaved`.

        One that is not `flushed` outlives a kill of the server, but perhaps no power failure; it takes a tenth of the time.
        """
        try:
            with self._changing(flushed) as connection:
                yield connection
        except sqlite3.Error as error:
            log.error("the library cannot be written: %s", error)
            raise NotSaved(f"it could not be saved: {error}") from None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Look at what there is."""
        with self._lock:
            yield self._connection

    @contextmanager
    def _changing(self, flushed: bool = True) -> Iterator[sqlite3.Connection]:
        with self._lock:
            # In this mode a full commit is on the disk, a normal one perhaps only in the system's memory.
            self._connection.execute(f"PRAGMA synchronous={'FULL' if flushed else 'NORMAL'}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk may have ended it already
                    self._connection.execute("ROLLBACK")
                raise

    def save(
        self,
        kind: str,
        title: str,
        data: Any,
        id: str | None = None,
        *,
        game: str | None = None,
        over: bool | None = None,
        parent: str | None = None,
        seen: datetime | None = None,
    ) -> str:
        """Write something new, or (with its `id`) something again; its id, once it is safe.

        What has a `parent` (the id of something else) is deleted together with it. What was changed by others since it was
        `seen` stays as they left it: this becomes something new, with another id. Raises `NotSaved`.
        """
        if kind not in KINDS:
            raise ValueError(f"{kind!r}: expected one of {', '.join(KINDS)}")
        id = id or secrets.token_urlsafe(9)
        now, text = datetime.now(UTC).isoformat(), json.dumps(data)
        values = {
            "id": id, "kind": kind, "title": _whole(title[:TITLE]), "now": now, "size": len(text), "data": text,
            "game": game, "over": over, "parent": parent,
        }  # fmt: skip
        with self.writing() as connection:
            if parent is not None and not connection.execute("SELECT 1 FROM items WHERE id = ?", (parent,)).fetchone():
                raise NotSaved("it could not be saved: what it belongs to was deleted")
            changed = connection.execute("SELECT changed FROM items WHERE id = ?", (id,)).fetchone()
            if seen is not None and changed is not None and datetime.fromisoformat(changed[0]) != seen:
                values["id"] = id = secrets.token_urlsafe(9)
            connection.execute(
                "INSERT INTO items VALUES (:id, :kind, :title, :now, :now, :size, :data, :game, :over, :parent)"
                " ON CONFLICT (id) DO UPDATE SET title = excluded.title, changed = excluded.changed, size = excluded.size,"
                " data = excluded.data, game = excluded.game, over = excluded.over, parent = excluded.parent",
                values,
            )
        return id

    def delete(self, id: str) -> bool:
        """Delete something, with all that belongs to it; whether it was there. Raises `NotSaved`."""
        with self.writing() as connection:
            found = connection.execute("DELETE FROM items WHERE id = ?", (id,)).rowcount > 0
            connection.execute("DELETE FROM items WHERE parent = ?", (id,))
            connection.execute("DELETE FROM steps WHERE session = ?", (id,))
            connection.execute("DELETE FROM sessions WHERE id = ?", (id,))
            return found

    def items(
        self,
        kind: str | None = None,
        limit: int = 500,
        offset: int = 0,
        *,
        game: str | None = None,
        over: bool | None = None,
        words: str = "",
    ) -> list[Item]:
        """What there is, the latest first; with `words`, only what has them in its title."""
        wanted = {"kind": kind, "game": game, "over": over}
        tests = [f"{name} = :{name}" for name, value in wanted.items() if value is not None]
        if words:
            tests.append("instr(lower(title), lower(:words)) > 0")
        where = f"WHERE {' AND '.join(tests)} " if tests else ""
        with self.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM items {where}ORDER BY changed DESC, id LIMIT :limit OFFSET :offset",
                {**wanted, "words": _whole(words), "limit": limit, "offset": offset},
            ).fetchall()
        return [_item(row) for row in rows]

    def end_all(self, kind: str, mark: str) -> int:
        """Say of all things of a kind that are not over that they are: their titles end in a mark; how many there were.

        For the start of a server: what the one before it worked on has ended with it. Raises `NotSaved`.
        """
        with self.writing() as connection:
            changed = "UPDATE items SET over = 1, title = substr(title, 1, :room) || :mark WHERE kind = :kind AND over = 0"
            return connection.execute(changed, {"kind": kind, "mark": mark, "room": TITLE - len(mark)}).rowcount

    def changed(self, id: str) -> datetime | None:
        """When something was changed last; None if there is no such thing."""
        with self.reading() as connection:
            row = connection.execute("SELECT changed FROM items WHERE id = ?", (id,)).fetchone()
        return None if row is None else datetime.fromisoformat(row[0])

    def load(self, id: str) -> Item | None:
        """Something with its content; None if there is no such thing."""
        with self.reading() as connection:
            row = connection.execute(f"SELECT {_COLUMNS}, data FROM items WHERE id = ?", (id,)).fetchone()
        return None if row is None else _item(row)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def content_id(data: Any) -> str:
    """An id that the same content always has: what comes twice from a file is kept once.

    >>> content_id({"game": "chess"}) == content_id({"game": "chess"}), len(content_id("a record"))
    (True, 24)
    """
    return hashlib.blake2b(json.dumps(data).encode(), digest_size=12).hexdigest()


def _named(data: dict[str, Any]) -> dict[str, Any]:
    """A game of version 1, with codes, as version 2 keeps it. Raises a ValueError where the codes mean nothing."""
    from kibitz.play.registry import known

    texts = known(data["game"]).old_moves
    if texts is None:
        raise ValueError(f"{data['game']} has never been kept as codes")
    return {"game": data["game"], "version": 2, "setup": data["setup"], "moves": texts(data["setup"], data["codes"])}


def _whole(text: str) -> str:
    """A text without halves of letters (from a hostile log), which SQLite does not take."""
    return text.encode("utf-8", "replace").decode()


def _item(row: tuple[Any, ...]) -> Item:
    """What a row of `_COLUMNS` says, perhaps with the content behind them."""
    id, kind, title, created, changed, size, game, over, *data = row
    times = datetime.fromisoformat(created), datetime.fromisoformat(changed)
    return Item(id, kind, title, *times, size, game, None if over is None else bool(over), *map(json.loads, data))
