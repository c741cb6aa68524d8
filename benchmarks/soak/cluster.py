"""Analyses on a cluster of this machine, of which a worker is killed while it works: the answer stays the same."""

from __future__ import annotations

import re
import sys
import time
from functools import partial

from benchmarks.soak.work import Child, Work

CLUSTER = "analyses on a cluster"
WORKERS = 2
#: By mode: how much is asked for, at least and at most.
SIZES = {
    "full_game": ("--rollouts", 100, 400),
    "monte_carlo": ("--samples", 500, 2_000),
    "mcts": ("--iterations", 1_000, 4_000),
}


class Cluster:
    """A scheduler, and workers by number."""

    def __init__(self, work: Work) -> None:
        self._work = work
        scheduler = self._start("scheduler", "--port", "0", name="scheduler")
        scheduler.wait_for(lambda: "Scheduler at:" in scheduler.said)
        self.address = re.findall(r"Scheduler at: +(tcp://\S+)", scheduler.said)[0]
        self._workers: dict[int, Child] = {}
        self.keep_up()

    def keep_up(self) -> None:
        """Start the workers that are missing."""
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--local-directory", str(self._work.folder))
        new = {n: self._start(*words, name=f"worker-{n}") for n in range(WORKERS) if n not in self._workers}
        for worker in new.values():
            worker.wait_for(partial(_is_registered, worker))
        self._workers |= new

    def kill(self, number: int) -> None:
        """Kill a worker."""
        self._workers.pop(number).kill()

    def _start(self, *words: str, name: str) -> Child:
        return self._work.start(sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard", name=name)


def _is_registered(worker: Child) -> bool:
    return "Registered to" in worker.said


class Rounds:
    """The rounds of this part, which share a cluster."""

    def __init__(self) -> None:
        self._cluster: Cluster | None = None

    def __call__(self, work: Work, number: int) -> None:
        """One question, asked undisturbed in threads, and on the cluster while a worker is killed."""
        cluster = self._cluster = self._cluster or Cluster(work)
        chance = work.chance(number)
        mode = (*SIZES,)[number % len(SIZES)]
        option, least, most = SIZES[mode]
        words = ["analyze", "--seed", str(chance.randrange(10_000)), "--mode", mode, option, str(chance.randint(least, most))]
        began = time.monotonic()
        expected = work.kibitz(*words, "--json", "--jobs", "1").wait()
        span = time.monotonic() - began
        child = work.kibitz(*words, "--json", "--cluster", cluster.address)
        work.pause(span * (0.3 + chance.random()))
        cluster.kill(chance.randrange(WORKERS))
        work.ledger.killed(CLUSTER)
        cluster.keep_up()
        ended = child.wait()
        same = expected.fine and ended.fine and ended.out == expected.out
        work.ledger.check(CLUSTER, same, f"{words}, a worker killed: another answer: {ended.last_words}")
        work.ledger.did(CLUSTER)
