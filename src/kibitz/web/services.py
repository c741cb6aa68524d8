"""What pages and API share: the queue of jobs, the library, the sessions that track a game, the games that are played."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.catan.tracking.tracks import Tracks
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.options import Options
from kibitz.web.room import Room
from kibitz.web.store import Store

#: The file of the library in the data folder.
LIBRARY = "library.sqlite3"


@dataclass(frozen=True)
class Services:
    """Everything that lives as long as the app does."""

    options: Options
    jobs: Jobs
    store: Store
    room: Room
    tracks: Tracks
    games: Games

    @classmethod
    def start(cls, options: Options) -> Services:
        """Open the library and start the workers."""
        jobs = Jobs(options.job_workers, seconds=options.job_seconds, quick=1)
        store = Store(options.data / LIBRARY)
        room = Room(options.memory)
        return cls(options, jobs, store, room, Tracks(store, room), Games(store))

    def stop(self) -> None:
        """End all work and close the library."""
        self.games.close()
        self.jobs.close()
        self.store.close()
