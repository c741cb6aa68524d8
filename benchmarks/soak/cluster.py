"""Analyses on a cluster of this machine, of which a worker is killed while it works: the answer stays the same."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field

from benchmarks.soak.work import Child, Work

CLUSTER = "analyses on a cluster"
WORKERS = 2
#: By mode: how much is asked for, at least and at most.
SIZES = {
    "full_game": ("--rollouts", 200, 600),
    "monte_carlo": ("--samples", 500, 2_000),
    "mcts": ("--iterations", 1_000, 4_000),
}


@dataclass
class Cluster:
    """A scheduler and its workers."""

    work: Work
    address: str = ""
    workers: list[Child] = field(default_factory=list)
    _started: int = 0

    def keep_up(self) -> None:
        """Start what is not there."""
        if not self.address:
            scheduler = self._start("scheduler", "--port", "0")
            scheduler.wait_for(lambda: "Scheduler at:" in scheduler.said)
            self.address = re.findall(r"Scheduler at: +(tcp://\S+)", scheduler.said)[0]
        new = [self._start("worker", self.address, "--nthreads", "1", "--no-nanny", "--local-directory", str(self.work.folder))
               for _ in range(WORKERS - len(self.workers))]  # fmt: skip
        for worker in new:
            worker.wait_for(lambda worker=worker: "Registered to" in worker.said)
        self.workers += new

    def _start(self, *words: str) -> Child:
        self._started = (self._started + 1) % (2 * WORKERS + 2)  # names are used again when their processes are long gone
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
        return self.work.start(*command, name=f"cluster-{'scheduler' if not self.address else self._started}")


class Rounds:
    """The rounds of this part, which share a cluster."""

    def __init__(self) -> None:
        self._cluster: Cluster | None = None

    def __call__(self, work: Work, number: int) -> None:
        """One question, asked undisturbed in threads, and on the cluster while a worker is killed."""
        cluster = self._cluster = self._cluster or Cluster(work)
        cluster.keep_up()
        chance = work.chance(number)
        mode = (*SIZES,)[number % len(SIZES)]
        option, least, most = SIZES[mode]
        words = ["analyze", "--seed", str(chance.randrange(10_000)), "--mode", mode, option, str(chance.randint(least, most))]
        began = work.now()
        expected = work.kibitz(*words, "--json", "--jobs", "1").wait()
        span = work.now() - began
        child = work.kibitz(*words, "--json", "--cluster", cluster.address)
        work.pause(span * (0.3 + chance.random()))
        victim = cluster.workers.pop(chance.randrange(WORKERS))
        victim.kill()
        work.ledger.killed(CLUSTER)
        cluster.keep_up()
        ended = child.wait()
        same = expected.fine and ended.fine and ended.out == expected.out
        work.ledger.check(CLUSTER, same, f"{words}, a worker killed: another answer: {ended.last_words}")
        work.ledger.did(CLUSTER)
