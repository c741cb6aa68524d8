"""Many machines: the processes of a Dask cluster as workers (extra ``cluster``).

A cluster is one scheduler and any number of workers, on machines where the same Kibitz is installed::

    dask scheduler --port 8786
    dask worker tcp://host:8786 --nthreads 8

Workers may come and go. What a lost one had in hand is done again by another, and since a piece of work is a pure
function of its value the result is the same. Each worker loads the compiled rules from its own cache at its first piece;
where it has none it compiles them, which takes a minute once.
"""

import asyncio
import logging
import time
import warnings
import weakref
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from typing import Any, TypeVar

from kibitz.compute.runtime import build

T = TypeVar("T")
R = TypeVar("R")

#: Seconds until we say that nobody answers at the address, or that a scheduler which fell silent is gone.
CONNECT_WITHIN = 5.0
#: Seconds without any worker, at the start or later, until we say so. A worker that died may be back by then.
WORKERS_WITHIN = 10.0
#: Seconds between two looks at how many workers there are.
LOOK_EVERY = 1.0
#: The most pieces in one task: a task costs the scheduler about a millisecond, a piece a worker some thirty.
GROUP = 8
#: Tasks of one `map` for each thread, at least, where there are enough pieces: the slowest thread holds up the end.
TASKS_A_THREAD = 4
#: Tasks that are sent ahead for each thread, so that it never waits for the next.
AHEAD = 2
#: How often a task is sent again after Dask gave it up, which it does when several workers died over it.
SENT_AGAIN = 10
#: Loggers that would fill the terminal when a worker is lost, which does not matter, or the scheduler, which we report.
TALKERS = ("distributed", "distributed.client", "tornado.application")


class NoCluster(RuntimeError):
    """The cluster cannot be used, or cannot any longer; the message says why."""


class Cluster(AbstractContextManager["Cluster"]):
    """The workers of the Dask scheduler at an address such as ``tcp://host:8786``; closed by ``with`` or `close`."""

    def __init__(self, address: str) -> None:
        """Connect, and make sure that there is a worker and that all run this version of Kibitz."""
        self.address = address
        self._client = _connect(address)
        self._leave = weakref.finalize(self, self._client.close)  # at the latest when Python ends: later it would wait for ever
        try:
            self._await_workers()
            self._check_builds()
        except BaseException:
            self.close()
            raise

    def map(self, function: Callable[[T], R], pieces: Sequence[T]) -> Generator[tuple[int, R], None, None]:
        """As `Workers.map`; function, pieces and results are pickled."""
        import cloudpickle
        from distributed import KilledWorker

        threads = self._await_workers()
        size = min(max(len(pieces) // (threads * TASKS_A_THREAD), 1), GROUP)
        to_send = deque(range(0, len(pieces), size))
        sent: dict[Future[bytes], int] = {}
        failures = Counter[int]()
        next_look = time.monotonic() + LOOK_EVERY
        executor = self._client.get_executor(pure=False)  # not pure: to Dask, which then gives every task a name of its own
        try:
            while to_send or sent:
                while to_send and len(sent) < threads * AHEAD:
                    first = to_send.popleft()
                    task = cloudpickle.dumps((function, pieces[first : first + size]))
                    sent[executor.submit(do_pieces, task, build())] = first
                done, _ = wait(sent, LOOK_EVERY, FIRST_COMPLETED)
                lost = False
                for future in done:
                    first = sent.pop(future)
                    try:
                        results = cloudpickle.loads(future.result())
                    except (KilledWorker, CancelledError) as error:
                        lost = True
                        failures[first] += 1
                        if failures[first] > SENT_AGAIN:
                            raise NoCluster(f"cluster {self.address}: workers keep dying on one piece of work") from error
                        to_send.append(first)
                    else:
                        yield from enumerate(results, first)
                if lost or time.monotonic() >= next_look:
                    threads = self._await_workers()
                    next_look = time.monotonic() + LOOK_EVERY
        finally:
            if self._client.status == "running":
                executor.shutdown(wait=False)  # cancels what has not begun

    def _await_workers(self) -> int:
        """How many threads all workers have together, as soon as there is one."""
        deadline = time.monotonic() + WORKERS_WITHIN
        while time.monotonic() < deadline and self._client.status != "closed":
            with suppress(OSError):  # the connection is lost: soon the client is back, or closed
                threads = sum(self._client.nthreads().values()) if self._client.status == "running" else 0
                if threads:
                    return int(threads)
            time.sleep(0.1)
        if self._client.status != "running":
            raise NoCluster(f"the Dask scheduler at {self.address} is gone")
        raise NoCluster(f"the cluster at {self.address} has no worker (start one with: dask worker {self.address})")

    def _check_builds(self) -> None:
        """All workers must run our version; the scheduler only passes tasks on, but must know the function they call."""
        try:
            self._client.run_on_scheduler(import_module, __name__)
        except ImportError as error:
            raise NoCluster(f"the scheduler at {self.address} cannot load kibitz {build()}: {error}") from error
        for worker, theirs in self._client.run(build, on_error="return").items():
            if isinstance(theirs, OSError):
                continue  # lost meanwhile
            if isinstance(theirs, Exception):
                raise NoCluster(f"worker {worker} cannot load kibitz {build()}: {theirs}") from theirs
            if theirs != build():
                raise NoCluster(f"worker {worker} runs kibitz {theirs}, not {build()} as this process does")

    @property
    def threads(self) -> int:
        """How many threads all workers have together."""
        return self._await_workers()

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        self._leave()

    def __exit__(self, *raised: object) -> None:
        self.close()


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster("the package distributed is not installed (pip install 'kibitz[cluster]')") from None
    for name in TALKERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        with ThreadPoolExecutor(1) as pool:  # in a notebook this thread has a running event loop already
            pool.submit(asyncio.run, asyncio.wait_for(_knock(address), CONNECT_WITHIN)).result()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other versions of NumPy and Python do no harm: results are integers
            return Client(address, timeout=CONNECT_WITHIN, set_as_default=False, asynchronous=False)
    except (ValueError, TypeError) as error:
        raise NoCluster(f"{address!r} is not the address of a Dask scheduler, such as tcp://host:8786: {error}") from error
    except (OSError, MemoryError) as error:  # of memory: another program answered, and its greeting was read as a length
        raise NoCluster(f"no Dask scheduler answers at {address}") from error


async def _knock(address: str) -> None:
    """Connect and hang up: Dask's own client would wait for ever at a port where nobody speaks its language."""
    from distributed.comm import connect
    from distributed.security import Security

    comm = await connect(address, timeout=CONNECT_WITHIN, **Security().get_connection_args("client"))
    comm.abort()


def do_pieces(task: bytes, expected: str) -> bytes:
    """Do the pieces of one task; this runs on a worker.

    Task and results are bytes that Dask does not look into: an array arrives as it was sent, and a worker of another
    version, which may have joined later, is found before it reads what it may not understand.
    """
    import cloudpickle

    if build() != expected:
        from distributed import get_worker

        raise NoCluster(f"worker {get_worker().address} runs kibitz {build()}, not {expected} as the caller does")
    function, pieces = cloudpickle.loads(task)
    return bytes(cloudpickle.dumps([function(piece) for piece in pieces]))
