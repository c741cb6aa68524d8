"""A cluster, tested against a real one: a scheduler and two workers, each a process of its own."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kibitz import catan
from kibitz.catan.analysis.rollouts import play_units, split
from kibitz.catan.core.state import new_states
from kibitz.compute import cluster
from kibitz.compute.cluster import Cluster, NoCluster
from kibitz.compute.runtime import Threads, build
from kibitz.ground.jit import PACKAGE

SLOWEST_START = 60  # seconds


class Processes:
    """Dask processes that end with the test; each writes to a log of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.all = []

    def start(self, *words, path=None, **environment):
        """A process that takes modules from `path` first."""
        log = self.folder / f"{len(self.all)}.log"
        if path:
            environment["PYTHONPATH"] = os.pathsep.join([str(path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, cwd=self.folder, env=os.environ | environment)
        self.all.append(process)
        return process, log

    def scheduler(self, **options):
        process, log = self.start("scheduler", "--port", "0", **options)
        return process, says(process, log, r"Scheduler at: +(tcp://\S+)")

    def workers(self, address, n=1, **options):
        """Workers that have joined the scheduler, each with its address."""
        words = ["worker", address, "--nthreads", "1", "--no-nanny", "--local-directory"]
        started = [self.start(*words, str(self.folder / f"local{len(self.all)}"), **options) for _ in range(n)]
        for process, log in started:
            says(process, log, r"(Registered to)")
        return [(process, says(process, log, r"Start worker at: +(tcp://\S+)")) for process, log in started]

    def end(self):
        for process in self.all:
            process.kill()
        for process in self.all:
            process.wait()


def says(process, log, line):
    """What a process writes to its log, once it is there."""
    deadline = time.monotonic() + SLOWEST_START
    while process.poll() is None and time.monotonic() < deadline:
        if found := re.search(line, log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"the process did not start:\n{log.read_text()}")


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    started = Processes(tmp_path_factory.mktemp("cluster"))
    yield started
    started.end()


@pytest.fixture(scope="module")
def running(processes):
    """The address of a scheduler, and two workers, of which every test leaves two."""
    _, address = processes.scheduler()
    return address, [process for process, _ in processes.workers(address, 2)]


@pytest.fixture(scope="module")
def address(running):
    return running[0]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_WITHIN", 0.5)
    monkeypatch.setattr(cluster, "WORKERS_WITHIN", 1.0)
    monkeypatch.setattr(cluster, "LOOK_EVERY", 0.1)


def catan_units(games=300):
    starts = new_states([catan.Board.random(seed) for seed in range(3)], 4)
    return [*split(starts, 11, 0, games, (1, 1, 0, 2))]


def as_bytes(results):
    return {number: outcomes.tobytes() for number, outcomes in results}


# --- what is promised ---------------------------------------------------------------------------------------


def test_units_on_a_cluster_end_as_they_do_in_threads(address):
    units = catan_units()
    with Cluster(address) as workers:
        there = as_bytes(play_units(units, workers))
    assert there == as_bytes(play_units(units, Threads(2)))
    assert sorted(there) == [*range(len(units))]


@pytest.mark.plain
def test_every_piece_comes_back_once_with_its_number(address):
    with Cluster(address) as workers:
        for n in (0, 1, 2, 17, 100):
            assert sorted(workers.map(lambda piece: piece * piece, range(n))) == [(i, i * i) for i in range(n)]


def test_arrays_come_back_as_a_caller_may_change_them(address):
    with Cluster(address) as workers:
        (_, outcomes), *_ = play_units(catan_units(64), workers)
    outcomes["winner"] = 3
    assert set(outcomes["winner"].tolist()) == {3}


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(running, processes, capfd):
    units = catan_units(700)
    address, (victim, _) = running
    with Cluster(address) as workers:
        results = play_units(units, workers)
        found = [next(results)]
        victim.kill()
        found.extend(results)
    running[1][:] = [running[1][1], *(process for process, _ in processes.workers(address))]
    assert len(found) == len(units)
    assert as_bytes(found) == as_bytes(play_units(units, Threads(2)))
    assert capfd.readouterr().err == ""


def test_tasks_that_dask_gives_up_are_sent_again(processes, monkeypatch, capfd):
    """Dask gives a task up when several workers died over it; here one is enough."""
    _, address = processes.scheduler(DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    (victim, _), _ = processes.workers(address, 2)
    with Cluster(address) as workers:
        results = workers.map(time.sleep, [0.05] * 40)
        found = [next(results)]
        victim.kill()
        found.extend(results)
        assert sorted(found) == [(i, None) for i in range(40)]
        monkeypatch.setattr(cluster, "SENT_AGAIN", 0)
        with pytest.raises(NoCluster, match=f"^cluster {address}: workers keep dying on one piece of work$"):
            list(workers.map(lambda piece: os.kill(os.getpid(), piece), [signal.SIGKILL]))
    assert capfd.readouterr().err == ""


@pytest.mark.plain
def test_what_a_piece_raises_is_raised(address):
    def fails(piece):
        raise KeyError(f"piece {piece}")

    with Cluster(address) as workers, pytest.raises(KeyError, match="piece 0"):
        list(workers.map(fails, [0]))


@pytest.mark.plain
def test_closing_early_cancels_what_has_not_begun(address, tmp_path):
    def leaves_a_mark(piece):
        (tmp_path / str(piece)).touch()
        time.sleep(0.1)

    with Cluster(address) as workers:
        results = workers.map(leaves_a_mark, range(400))
        next(results)
        results.close()
        assert sorted(workers.map(abs, [-1, -2])) == [(0, 1), (1, 2)]  # no queue is left before the next work
    assert 1 <= len([*tmp_path.iterdir()]) < 100


@pytest.mark.plain
def test_two_analyses_at_once_do_not_meet(address):
    with Cluster(address) as one, Cluster(address) as other:
        pairs = zip(one.map(str, range(50)), other.map(str, range(50)), strict=True)
        here, there = zip(*pairs, strict=True)
    assert sorted(here) == sorted(there) == sorted((i, str(i)) for i in range(50))


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.plain
def test_without_the_package_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoCluster, match=r"^the package distributed is not installed \(pip install 'kibitz\[cluster\]'\)"):
        Cluster("tcp://127.0.0.1:8786")


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "nonsense", "tcp://127.0.0.1", "tcp://127.0.0.1:port", "foo://127.0.0.1:8786"])
def test_what_is_no_address_is_refused_at_once(text):
    with pytest.raises(NoCluster, match="is not the address of a Dask scheduler, such as tcp://host:8786"):
        Cluster(text)


@pytest.mark.plain
def test_where_nobody_listens_the_message_says_so(impatient, capfd):
    with socket.socket() as reserved:  # bound, but nobody listens
        reserved.bind(("127.0.0.1", 0))
        where = f"tcp://127.0.0.1:{reserved.getsockname()[1]}"
        with pytest.raises(NoCluster, match=f"^no Dask scheduler answers at {where}$"):
            Cluster(where)
    assert capfd.readouterr().err == ""


@pytest.mark.plain
@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6 and so on\r\n"], ids=["silent", "talkative"])
def test_another_program_at_the_address_is_no_scheduler(impatient, greeting):
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def greet():
            connection, _ = server.accept()
            with connection:
                connection.sendall(greeting)
                while connection.recv(1024):
                    pass  # until the caller hangs up

        greeted = pool.submit(greet)
        with pytest.raises(NoCluster, match="no Dask scheduler answers"):
            Cluster(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        greeted.result()


def test_a_cluster_that_has_or_keeps_no_worker_is_reported(processes, impatient, capfd):
    _, address = processes.scheduler()
    no_worker = f"^the cluster at {address} has no worker .start one with: dask worker {address}.$"
    with pytest.raises(NoCluster, match=no_worker):
        Cluster(address)
    [(worker, _)] = processes.workers(address)
    with Cluster(address) as workers:
        results = workers.map(time.sleep, [0.05] * 40)
        next(results)
        worker.kill()
        with pytest.raises(NoCluster, match=no_worker):
            list(results)
    assert capfd.readouterr().err == ""


def test_a_scheduler_that_dies_is_reported(processes, impatient, capfd):
    scheduler, address = processes.scheduler()
    processes.workers(address)
    with Cluster(address) as workers:
        results = workers.map(time.sleep, [0.05] * 40)
        next(results)
        scheduler.kill()
        with pytest.raises(NoCluster, match=f"^the Dask scheduler at {address} is gone$"):
            list(results)
        with pytest.raises(NoCluster, match=r"is gone$"):
            list(workers.map(abs, [1]))
    assert capfd.readouterr().err == ""


def test_a_worker_with_other_sources_is_named(address, processes, tmp_path):
    """One that joins later is found when it is given work."""
    shutil.copytree(PACKAGE, tmp_path / "kibitz")
    (tmp_path / "kibitz" / "another_rule.py").touch()
    with Cluster(address) as workers:
        [(worker, where)] = processes.workers(address, path=tmp_path)
        other = rf"^worker {where} runs kibitz \S+ \(\w+\), not {re.escape(build())}"
        with pytest.raises(NoCluster, match=other):
            list(workers.map(time.sleep, [0.05] * 100))
    with pytest.raises(NoCluster, match=other):
        Cluster(address)
    worker.kill()


def test_a_worker_without_kibitz_is_named(address, processes, tmp_path):
    (tmp_path / "kibitz.py").write_text("raise ModuleNotFoundError('no kibitz here')")
    [(worker, where)] = processes.workers(address, path=tmp_path)
    with pytest.raises(NoCluster, match=f"^worker {where} cannot load kibitz .*no kibitz here"):
        Cluster(address)
    worker.kill()


def test_a_scheduler_without_kibitz_is_named(processes, tmp_path):
    (tmp_path / "kibitz.py").write_text("raise ModuleNotFoundError('no kibitz here')")
    _, address = processes.scheduler(path=tmp_path)
    processes.workers(address)
    with pytest.raises(NoCluster, match=f"^the scheduler at {address} cannot load kibitz .*no kibitz here"):
        Cluster(address)
