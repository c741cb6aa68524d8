"""How the app is run, and what pages and API share: the games, the queue of jobs, the library, the games that are played."""

from __future__ import annotations

import ipaddress
import secrets
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kibitz import GAMES
from kibitz.ground.folders import data_folder
from kibitz.play.profile import Profile
from kibitz.play.registry import known, profile
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.store import NotSaved, Store

T = TypeVar("T")
#: The file of the library in the data folder.
LIBRARY = "library.sqlite3"
#: How the titles of analyses end that ended with the server which worked on them.
ENDED_EARLY = " · ended early"


def own_address(host: str) -> str:
    """This machine's address in its network, as far as it knows one; nothing is sent to find out."""
    family, far = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((far, 9))
        except OSError:  # it is in no network
            return "::1" if ":" in host else "127.0.0.1"
        return str(probe.getsockname()[0])


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.168.0.7")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Options:
    """The options of ``kibitz web``: where it listens, where it keeps things, and what one request may cost.

    >>> Options(host="127.0.0.1").token is None, Options(host="0.0.0.0").token is None
    (True, False)
    """

    host: str = "127.0.0.1"
    port: int = 8477
    data: Path = field(default_factory=data_folder)
    token: str | None = None
    """What a browser must show; made up where others can reach the app, none on this machine alone."""
    body: int = 64 << 20
    """The largest upload or request, in bytes: a captured game with all that its browser loaded is large."""
    job_workers: int = 2
    job_seconds: float = 600.0
    games: tuple[str, ...] = ()
    """Other games than those of this house: files, or examples. They are named here alone, never by a request."""
    memory: int = 1 << 30
    """Bytes for all that is known of the games that are followed at once, in pages and through the API."""

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            object.__setattr__(self, "token", secrets.token_urlsafe(24))

    @property
    def address(self) -> str:
        """Where it listens, as a browser on this machine is told."""
        return self._at({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host))

    def _at(self, host: str) -> str:
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.port}/"

    @property
    def url(self) -> str:
        """The address to open, with the token where one is needed."""
        return self._with_token(self.address)

    @property
    def shared_url(self) -> str:
        """The address that others on the network can open; this machine's own where it listens nowhere else."""
        return self._with_token(self._at(own_address(self.host) if self.host in ("0.0.0.0", "::") else self.host))

    def _with_token(self, address: str) -> str:
        return address + ("" if self.token is None else f"?token={self.token}")


def served_games(others: Sequence[str]) -> tuple[Profile, ...]:
    """The games of this house and some others, named as `kibitz.play.registry.profile` takes them. Raises `UnknownGame`."""
    named = [profile(other) for other in others]
    return tuple(dict.fromkeys([*map(known, GAMES), *named]))


class Room:
    """The memory for all games that are followed at once, in pages and through the API; for any thread.

    What is known of a game can be worked out again from what was said about it. So when all of them together take too much,
    those that nobody has looked at for longest give it up.

    >>> rested = []
    >>> room = Room(100)
    >>> room.take("first", 60, lambda: not rested.append("first"))
    >>> room.take("second", 60, lambda: not rested.append("second"))
    >>> rested, room.taken
    (['first'], 60)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._holders: OrderedDict[Hashable, tuple[int, Callable[[], bool]]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, holder: Hashable, nbytes: int, rest: Callable[[], bool]) -> None:
        """A holder was looked at, and takes this much now. `rest` makes it give that up at once, or says that it cannot."""
        with self._lock:
            self._holders[holder] = nbytes, rest
            self._holders.move_to_end(holder)
            taken = sum(size for size, _ in self._holders.values())
            for other, (size, rest_other) in [*self._holders.items()][:-1]:
                if taken <= self._most:
                    return
                if rest_other():
                    del self._holders[other]
                    taken -= size

    def leave(self, holder: Hashable) -> None:
        """A holder is gone."""
        with self._lock:
            self._holders.pop(holder, None)

    @property
    def taken(self) -> int:
        """What all together take, as far as they said."""
        with self._lock:
            return sum(size for size, _ in self._holders.values())


@dataclass(frozen=True)
class Services:
    """Everything that lives as long as the app does."""

    options: Options
    jobs: Jobs
    store: Store
    room: Room
    games: Games
    profiles: tuple[Profile, ...]
    """The games that can be played and asked about: those of this house, and the files given at the start."""
    _parts: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def one(self, kind: Callable[[Services], T]) -> T:
        """The one part of this kind that a game's pages and its routes share: `kind` makes it of the services, once."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        found: T = self._parts[kind]
        return found

    @classmethod
    def start(cls, options: Options) -> Services:
        """Load the games, open the library and start the workers. Raises `kibitz.play.registry.UnknownGame`, `StoreError`."""
        served = served_games(options.games)
        jobs = Jobs(options.job_workers, seconds=options.job_seconds, quick=1)
        store = Store(options.data / LIBRARY)
        with suppress(NotSaved):  # which the store has logged; they are not marked, then
            store.end_all("analysis", ENDED_EARLY)
        room = Room(options.memory)
        return cls(options, jobs, store, room, Games(store), served)

    def stop(self) -> None:
        """End all work and close the library."""
        self.games.close()
        self.jobs.close()
        self.store.close()
