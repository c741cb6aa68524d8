"""What pages and API share: the games, the queue of jobs, the library, the games that are played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kibitz import GAMES
from kibitz.play.profile import Profile
from kibitz.play.registry import known, profile
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.options import Options
from kibitz.web.room import Room
from kibitz.web.store import Store

T = TypeVar("T")

#: The file of the library in the data folder.
LIBRARY = "library.sqlite3"


def served_games(others: Sequence[str]) -> tuple[Profile, ...]:
    """The games of this house and some others, named as `kibitz.play.registry.profile` takes them. Raises `UnknownGame`."""
    named = [profile(other) for other in others]
    return tuple(dict.fromkeys([*map(known, GAMES), *named]))


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
