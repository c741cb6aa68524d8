"""What pages and API share: the games, the queue of jobs, the library, the games that are played, and memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kibitz import GAMES
from kibitz.play.profile import Profile
from kibitz.play.registry import known, profile
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.options import Options
from kibitz.web.store import Store

T = TypeVar("T")

#: The file of the library in the data folder.
LIBRARY = "library.sqlite3"


def served_games(others: Sequence[str]) -> tuple[Profile, ...]:
    """The games of this house and some others, named as `kibitz.play.registry.profile` takes them. Raises `UnknownGame`."""
    named = [profile(other) for other in others]
    return tuple(dict.fromkeys([*map(known, GAMES), *named]))


class Room:
    """So many bytes for all games that are followed at once, in pages and through the API; for any thread.

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
        """A holder was looked at, and takes so much now. `rest` makes it give that up, at once, or says that it cannot now."""
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
        """A holder is no more."""
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
    _own: dict[Callable[[Services], Any], Any] = field(default_factory=dict)

    @classmethod
    def start(cls, options: Options) -> Services:
        """Load the games, open the library and start the workers. Raises `kibitz.play.registry.UnknownGame`, `StoreError`."""
        served = served_games(options.games)
        jobs = Jobs(options.job_workers, seconds=options.job_seconds, quick=1)
        store = Store(options.data / LIBRARY)
        room = Room(options.memory)
        return cls(options, jobs, store, room, Games(store), served)

    def own(self, make: Callable[[Services], T]) -> T:
        """What a game keeps for itself as long as the app lives, made when it is first asked for."""
        if make not in self._own:
            self._own[make] = make(self)
        found: T = self._own[make]
        return found

    def stop(self) -> None:
        """End all work and close the library."""
        self.games.close()
        self.jobs.close()
        self.store.close()
