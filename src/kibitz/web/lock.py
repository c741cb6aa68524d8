"""One server for each library: a lock that the system itself gives back when its holder ends, however that happens."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

#: The file in the data folder that is locked; it says where the server listens.
LOCK = "server.lock"


class AlreadyServed(Exception):
    """Another server has the library open; the message is one line for people."""


class ServerLock:
    """The right to serve a library, until `release` or the end of the process."""

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
