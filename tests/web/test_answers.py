"""How the API tells of jobs: also of those that a page has asked for."""

from types import SimpleNamespace

import pytest

from kibitz.catan.review import Review
from kibitz.web.api import job_model
from kibitz.web.jobs import Jobs

SOON = 20.0


@pytest.mark.parametrize("ranking", [Review(4), [], ["V23"], object()])
def test_what_only_a_page_understands_is_left_out(ranking):
    jobs = Jobs(workers=1)
    services = SimpleNamespace(jobs=jobs)

    def work(runtime):
        runtime.begin()
        runtime.report(3, 10, ranking)
        return ranking

    job = jobs.submit("review", work)
    assert job.wait(SOON)
    answer = job_model(services, job)
    progress = answer.progress
    assert (progress.done, progress.total, progress.ranking) == (3, 10, [])
    assert (answer.state, answer.result) == ("done", None)
    jobs.close()
