"""Results that survive a kill: a file to which every finished piece of work is appended at once.

The first line names the work; a file of other work is refused. A last line that a kill cut short is dropped. Results are
bytes under a key; equal keys hold equal results, so that writing one twice does no harm.
"""

import base64
import json
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO


class CheckpointError(ValueError):
    """The file is not a checkpoint, or belongs to other work."""


class Checkpoint(AbstractContextManager["Checkpoint"]):
    """The results of one piece of work: those of an earlier run are read from a file, new ones written to it.

    Without a file nothing is known and nothing is kept.
    """

    def __init__(self, path: Path | None, work: dict[str, Any]) -> None:
        """Open or create the file; `work` describes what is computed, and only an equal description fits."""
        self._results: dict[str, bytes] = {}
        self._file = None
        if path is None:
            return
        self._file = path.open("a+b")
        try:
            if not locked(self._file):
                raise CheckpointError(f"{path}: another run is writing to this checkpoint")
            good = self._read(path, json.loads(json.dumps(work)))
        except CheckpointError:
            self._file.close()
            raise
        self._file.truncate(good)
        self._file.seek(good)
        if good == 0:
            self._write({"checkpoint": work})

    def _read(self, path: Path, work: dict[str, Any]) -> int:
        """Take over what the file holds; how many bytes of it are whole lines."""
        good = 0
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    if number == 0 and not _line({"checkpoint": work}).startswith(line):
                        raise CheckpointError(f"{path}: line 1 is not that of a checkpoint")
                    break
                entry = _parse(path, number, line)
                if number == 0:
                    _check_work(path, entry.get("checkpoint"), work)
                else:
                    try:
                        self._results[entry["key"]] = base64.b64decode(entry["result"], validate=True)
                    except (KeyError, TypeError, ValueError):
                        raise CheckpointError(f"{path}: line {number + 1} does not hold a result") from None
                good += len(line)
        return good

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(_line(entry))
            self._file.flush()

    def __len__(self) -> int:
        return len(self._results)

    def get(self, key: str) -> bytes | None:
        """The result under a key, if it is known."""
        return self._results.get(key)

    def put(self, key: str, result: bytes) -> None:
        """Write a result; it is in the file when this returns."""
        if key not in self._results:
            self._write({"key": key, "result": base64.b64encode(result).decode()})

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def __exit__(self, *raised: object) -> None:
        self.close()


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"


def locked(file: BinaryIO) -> bool:
    """Whether an open file is now this process's alone: two runs that wrote to one would spoil it.

    The lock ends with the file or the process. Where files cannot be locked (on Windows) nobody is kept out.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict) or (number == 0 and "checkpoint" not in entry):
        raise CheckpointError(f"{path}: line {number + 1} is not that of a checkpoint")
    return entry


def _check_work(path: Path, found: Any, work: dict[str, Any]) -> None:
    if found == work:
        return
    names = [name for name in work if not isinstance(found, dict) or found.get(name) != work[name]]
    raise CheckpointError(f"{path}: the checkpoint of another analysis (different: {', '.join(names) or 'more fields'})")
