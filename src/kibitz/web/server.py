"""The app as a server of this machine, and the lock that keeps a second one from the same library."""

from __future__ import annotations

import gc
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from kibitz.ground.extras import missing

try:
    import uvicorn
except ImportError as error:
    raise missing(error, "web") from None

from kibitz.web.jobs import step_back
from kibitz.web.patience import PatientProtocol
from kibitz.web.services import Options, Services, served_games
from kibitz.web.store import StoreError

if TYPE_CHECKING:
    from kibitz.play.profile import Profile

#: Seconds after which a thread that works in the background gives way to those that answer clicks.
SWITCH = 0.001
#: Seconds that requests under way have when the server ends.
LAST_WAIT = 3
#: Connections that wait to be taken.
BACKLOG = 2048
#: The file in the data folder that is locked; it says where the server listens.
LOCK = "server.lock"


class CannotListen(Exception):
    """An address at which nothing can be served; the message is one line for people."""


class AlreadyServed(Exception):
    """Another server has the library open; the message is one line for people."""


def serve(options: Options, open_browser: bool, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve until Ctrl-C; `on_ready` is called when all is well.

    Raises `AlreadyServed`, `CannotListen`, `StoreError`, or `kibitz.play.registry.UnknownGame` for a file without a game.
    """
    served_games(options.games)
    with served_once(options), listening(options.host, options.port) as sock:
        on_ready()
        _serve(options, open_browser, sock)


class ServerLock:
    """The right to serve a library, until `release` or the end of the process, however it ends: the system gives it back."""

    def __init__(self, folder: Path, url: str) -> None:
        """Raises `AlreadyServed`, or an `OSError` where nothing can be written. `url` is what others are told."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / LOCK
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
        try:
            _lock(self._file)
        except OSError:
            where = self._file.read().strip()
            self._file.close()
            at = f" at {where}" if where else ""
            raise AlreadyServed(f"kibitz web is running already{at}, with the library in {folder}") from None
        self._file.truncate()
        self._file.write(url)
        self._file.flush()

    def release(self) -> None:
        """Let others serve it."""
        self._file.truncate(0)
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    #: Far behind the address: what is locked there cannot be read by others.
    _FAR = 1 << 20

    def _lock(file: IO[str]) -> None:
        os.lseek(file.fileno(), _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file.fileno(), 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def served_once(options: Options) -> Iterator[None]:
    """Keep other servers from the same library. Raises `AlreadyServed` or, where nothing can be written, `StoreError`."""
    try:
        lock = ServerLock(options.data, options.address)
    except OSError as error:
        raise StoreError(f"{options.data}: the library cannot be kept there ({error})") from None
    try:
        yield
    finally:
        lock.release()


def _serve(options: Options, open_browser: bool, sock: socket.socket) -> None:
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(options.data / "nicegui"))
    from kibitz.web.app import create_app

    sys.setswitchinterval(SWITCH)
    services = Services.start(options)
    app = create_app(services)
    config = uvicorn.Config(
        app, http=PatientProtocol, log_level="warning", access_log=False, ws_max_size=options.body,
        limit_concurrency=2000, timeout_keep_alive=30, timeout_graceful_shutdown=LAST_WAIT, server_header=False,
    )  # fmt: skip
    threading.Thread(target=_load_rules, args=(services.profiles,), daemon=True).start()
    if open_browser:
        threading.Thread(target=_open_when_ready, args=(options,), daemon=True).start()
    _Server(config, services).run(sockets=[sock])


class _Server(uvicorn.Server):
    """A server that stops all work when it is told to end, so that no request waits for it."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self._services = services

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        threading.Thread(target=self._services.jobs.close, daemon=True).start()
        super().handle_exit(sig, frame)


def _load_rules(profiles: Sequence[Profile]) -> None:
    """Load the rules before somebody needs them; the first time they are compiled."""
    step_back()
    for profile in profiles:
        profile.warm_up()
    # What is loaded stays: the garbage collector need not look through it, which takes a quarter of a second.
    gc.collect()
    gc.freeze()


def listening(host: str, port: int) -> socket.socket:
    """A socket that visitors reach. Raises `CannotListen`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let two programs share a port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        raise CannotListen(f"--host {host} --port {port}: cannot listen there ({error.strerror or error})") from None
    return sock


def _open_when_ready(options: Options) -> None:
    address = urlsplit(options.url).hostname, options.port
    for _ in range(100):
        time.sleep(0.1)
        try:
            socket.create_connection(address, timeout=1).close()
        except OSError:  # not yet
            continue
        webbrowser.open(options.url)
        return
