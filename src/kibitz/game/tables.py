"""Learned tables in files: arrays by name, behind a line of JSON that says what they are.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "two.table"
>>> TableFile("kuhn", "2-players", "v1", {"bet": np.array([0, 255, 80], np.uint8)}).save(path)
>>> TableFile.load(path, "kuhn", "v1").arrays["bet"].tolist()
[0, 255, 80]
>>> TableFile.load(path, "leduc", "v1")  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
kibitz.game.tables.InvalidTable: ...: a table for kuhn, not for leduc
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.game.files import check_target, replacing
from kibitz.ground.texts import Mistake

FORMAT, VERSION = "kibitz table", 1
#: The most that a file may hold.
LARGEST = 20_000_000
#: The kinds of numbers in a file.
KINDS: dict[str, np.dtype[Any]] = {"uint8": np.dtype(np.uint8), "int32": np.dtype("<i4")}


class InvalidTable(Mistake):
    """A file that holds no table of this game; the message is one line for people."""


@dataclass(frozen=True, eq=False)
class TableFile:
    """Arrays of bytes, or of 32-bit integers, and what they are for."""

    game: str
    variant: str
    """For which games, in the game's own words."""
    layout: str
    """A short hash of what the places in the arrays mean."""
    arrays: Mapping[str, npt.NDArray[Any]]
    about: Mapping[str, Any] = field(default_factory=dict)
    """How they were made."""

    @cached_property
    def checksum(self) -> str:
        """A short hash of all of it."""
        digest = hashlib.blake2b(f"{self.game}\0{self.variant}\0{self.layout}\0".encode(), digest_size=8)
        for name, array in self.arrays.items():
            digest.update(f"{name}\0".encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def save(self, path: Path) -> None:
        """Write it to a file, which appears only when it is complete."""
        arrays = {name: [array.dtype.name, len(array)] for name, array in self.arrays.items()}
        head = {
            "format": FORMAT, "version": VERSION, "game": self.game, "variant": self.variant, "layout": self.layout,
            "checksum": self.checksum, "arrays": arrays, "about": dict(self.about),
        }  # fmt: skip
        check_target(path)
        body = b"".join(np.ascontiguousarray(array).astype(KINDS[array.dtype.name]).tobytes() for array in self.arrays.values())
        with replacing(path) as partial:
            partial.write_bytes(json.dumps(head).encode() + b"\n" + body)

    @classmethod
    def load(cls, path: Path, game: str, layout: str) -> TableFile:
        """Read a file. Raises `InvalidTable` for what is none, is damaged, or is for something else."""
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise InvalidTable(f"{path}: {error.strerror}") from None
        line, _, body = data.partition(b"\n")
        try:
            head = json.loads(line)
            if head["format"] != FORMAT or len(data) > LARGEST:
                raise ValueError
            if head["version"] != VERSION:
                raise InvalidTable(f"{path}: a table of version {head['version']}; this Kibitz reads version {VERSION}")
            if head["game"] != game:
                raise InvalidTable(f"{path}: a table for {head['game']}, not for {game}")
            if head["layout"] != layout:
                raise InvalidTable(f"{path}: made for other information sets than this Kibitz has; train it again")
            kinds = {name: (KINDS[kind], int(n)) for name, (kind, n) in head["arrays"].items()}
            told = head["checksum"], head["variant"], head["about"]
        except InvalidTable:
            raise
        except (ValueError, KeyError, TypeError):
            raise InvalidTable(f"{path}: not a table of Kibitz") from None
        if sum(kind.itemsize * n for kind, n in kinds.values()) != len(body):
            raise InvalidTable(f"{path}: damaged (it has {len(body):,} bytes behind its head)")
        arrays, at = {}, 0
        for name, (kind, n) in kinds.items():
            arrays[name] = np.frombuffer(body, kind, n, at)
            at += kind.itemsize * n
        found = cls(game, told[1], layout, arrays, told[2])
        if found.checksum != told[0]:
            raise InvalidTable(f"{path}: damaged (its checksum is not {told[0]})")
        return found
