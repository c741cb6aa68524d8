"""Reviews as jobs: one for each game at a time, whoever looks at it, and kept in the library when it is complete."""

from __future__ import annotations

import threading
from contextlib import suppress

from kibitz.catan.analysis.review import Review, ReviewConfig, review
from kibitz.catan.pages.review.story import Story
from kibitz.compute.runtime import Runtime
from kibitz.web.jobs import Job, JobState
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

#: What the review of a game is called in the library, after the id of the game.
SUFFIX = ".review"


class Reviews:
    """The reviews that run or have run."""

    def __init__(self, services: Services, config: ReviewConfig = ReviewConfig()) -> None:  # noqa: B008
        self._services, self._config = services, config
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def kept(self, id: str) -> Review | None:
        """A complete review from the library. To be called in a thread."""
        found = self._services.store.load(id + SUFFIX)
        return Review.from_json(found.data["review"]) if found is not None and found.item.kind == "review" else None

    def running(self, id: str) -> Job | None:
        """The review of a game, if one runs or waits."""
        job = self._jobs.get(id)
        return None if job is None or job.over else job

    def start(self, id: str, story: Story, owner: str) -> Job:
        """Review a game, or join those who wait for its review. Raises `QueueFull`."""
        with self._lock:
            if (job := self.running(id)) is not None:
                return job

            def work(runtime: Runtime) -> Review:
                found = review(story.record, self._config, runtime)
                if found.partial is None:
                    data = {"game": id, "review": found.to_json()}
                    with suppress(NotSaved):  # it is shown all the same
                        self._services.store.save("review", f"Review of {story.title}", data, id + SUFFIX, parent=id)
                return found

            job = self._services.jobs.submit("review", work, owner)
            self._jobs = {key: other for key, other in self._jobs.items() if not other.over} | {id: job}
            return job

    def stop(self, id: str) -> None:
        """End a review, with what there is."""
        if (job := self.running(id)) is not None:
            self._services.jobs.cancel(job)


def so_far(job: Job) -> Review | None:
    """What a review has found by now."""
    if job.state is JobState.DONE and isinstance(job.result, Review):
        return job.result
    return job.info.ranking if job.info is not None and isinstance(job.info.ranking, Review) else None
