"""The folder of a training: whose it is, and how far the generation under way has come."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kibitz.compute.checkpoint import locked
from kibitz.game.files import replacing
from kibitz.ground.texts import Mistake

#: What a training is, and the file that whoever trains there holds open.
OWNER, LOCK = "training.json", "training.lock"
#: Differences that are named; more are counted.
NAMED = 3


class InvalidTraining(Mistake):
    """A folder that holds another training, or something damaged; the message is one line for people."""


def write(path: Path, content: Any) -> None:
    """Keep something; the file appears only when it is complete."""
    with replacing(path) as partial:
        partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """What was kept. Raises `InvalidTraining` for what nobody could have written here."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidTraining(f"{path}: damaged; remove it, or name another folder")
    return found


def claim(folder: Path, own: Mapping[str, Any]) -> None:
    """Make the folder this training's, or see that it is already."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / OWNER
    if not path.exists():
        write(path, own)
        return
    known, wanted = _flat(read(path)), _flat(json.loads(json.dumps(own)))
    names = [name for name in {**wanted, **known} if known.get(name) != wanted.get(name)]
    if names:
        told = [f"{name} {known.get(name, 'unknown')} instead of {wanted.get(name, 'none')}" for name in names[:NAMED]]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        raise InvalidTraining(f"{folder}: holds a training with {', '.join(told)}{more}; name another folder")


def _flat(content: Mapping[str, Any]) -> dict[str, Any]:
    """Everything by its own name, whatever it is part of.

    >>> _flat({"game": "chess", "settings": {"seed": 3}})
    {'game': 'chess', 'seed': 3}
    """
    found: dict[str, Any] = {}
    for name, value in content.items():
        found.update(_flat(value) if isinstance(value, dict) else {name: value})
    return found


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Nobody else trains in the folder meanwhile."""
    with (folder / LOCK).open("ab") as file:
        if not locked(file):
            raise InvalidTraining(f"{folder}: another training is under way there")
        yield


class Steps:
    """How far a generation has come, and how long that took: written after every step, so that a kill costs one step at most.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "steps.json"
    >>> steps = Steps(path)
    >>> with steps.phase("match"):
    ...     steps.keep(wins=3)
    >>> Steps(path).get("wins"), sorted(Steps(path).seconds), Steps(path).get("losses", [])
    (3, ['match'], [])
    """

    def __init__(self, path: Path) -> None:
        """What an earlier run has kept in the file is known."""
        self._path = path
        self._known = read(path) if path.exists() else {"seconds": {}, "processor": {}}
        self._phase, self._began = "", _clocks()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What is done meanwhile counts for this phase."""
        self._phase, self._began = name, _clocks()
        yield
        self.keep()

    def keep(self, **found: Any) -> None:
        """Write what was found, and how long the phase has taken until now."""
        now = _clocks()
        for kind, clock in now.items():
            spent = self._known[kind]
            spent[self._phase] = spent.get(self._phase, 0.0) + clock - self._began[kind]
        self._began = now
        self._known.update(found)
        write(self._path, self._known)

    def get(self, name: str, otherwise: Any = None) -> Any:
        """What was found under a name."""
        return self._known.get(name, otherwise)

    @property
    def seconds(self) -> dict[str, float]:
        """How long each phase took, in all runs together."""
        return dict(self._known["seconds"])

    @property
    def processor(self) -> dict[str, float]:
        """The processor time of each phase, of all cores."""
        return dict(self._known["processor"])

    def forget(self) -> None:
        """Remove the file."""
        self._path.unlink(missing_ok=True)


def _clocks() -> dict[str, float]:
    return {"seconds": time.monotonic(), "processor": time.process_time()}
