"""What pages and API share: the queue of jobs, the library, the sessions that track a game."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.web.jobs import Jobs
from kibitz.web.options import Options
from kibitz.web.store import Store
from kibitz.web.tracking import Tracks

#: The file of the library in the data folder.
LIBRARY = "library.sqlite3"


@dataclass(frozen=True)
class Services:
    """Everything that lives as long as the app does."""

    options: Options
    jobs: Jobs
    store: Store
    tracks: Tracks

    @classmethod
    def start(cls, options: Options) -> Services:
        """Open the library and start the workers."""
        jobs = Jobs(options.job_workers, seconds=options.job_seconds)
        return cls(options, jobs, Store(options.data / LIBRARY), Tracks())

    def stop(self) -> None:
        """End all work and close the library."""
        self.jobs.close()
        self.store.close()
