"""Learned tables in files: arrays by name, packed, behind a line of JSON that says what they are.

An array is packed by zlib, and before that laid out so that like stands beside like: of ascending numbers only the steps, and
of rows of equal width (which one packs best is found by trying) first all first bytes, then all second ones, and so on.

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
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.game.files import check_target, replacing
from kibitz.ground.texts import Mistake

FORMAT, VERSION = "kibitz table", 2
#: The version in which arrays stood as they are.
UNPACKED = 1
#: The most that a file may hold, and that may come out of it.
LARGEST = 40_000_000
#: How hard to pack, and how many bytes are tried to find the width of rows, of which none is wider than this.
LEVEL, SAMPLE, WIDEST = 6, 1 << 16, 32
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
        packed = [_packed(array) for array in self.arrays.values()]
        arrays = {
            name: [array.dtype.name, len(array), width, steps, len(body)]
            for (name, array), (width, steps, body) in zip(self.arrays.items(), packed, strict=True)
        }
        head = {
            "format": FORMAT, "version": VERSION, "game": self.game, "variant": self.variant, "layout": self.layout,
            "checksum": self.checksum, "arrays": arrays, "about": dict(self.about),
        }  # fmt: skip
        check_target(path)
        with replacing(path) as partial:
            partial.write_bytes(b"".join([json.dumps(head).encode() + b"\n", *(body for *_, body in packed)]))

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
            if head["version"] not in (UNPACKED, VERSION):
                raise InvalidTable(f"{path}: a table of version {head['version']}; this Kibitz reads version {VERSION}")
            if head["game"] != game:
                raise InvalidTable(f"{path}: a table for {head['game']}, not for {game}")
            if head["layout"] != layout:
                raise InvalidTable(f"{path}: made for other information sets than this Kibitz has; train it again")
            parts = {name: _Part.told(*facts) for name, facts in head["arrays"].items()}
            told = head["checksum"], head["variant"], head["about"]
            if sum(part.kind.itemsize * part.numbers for part in parts.values()) > LARGEST:
                raise ValueError
        except InvalidTable:
            raise
        except (ValueError, KeyError, TypeError):
            raise InvalidTable(f"{path}: not a table of Kibitz") from None
        if sum(part.size for part in parts.values()) != len(body):
            raise InvalidTable(f"{path}: damaged (it has {len(body):,} bytes behind its head)")
        arrays, at = {}, 0
        for name, part in parts.items():
            try:
                arrays[name] = part.unpacked(body[at : at + part.size])
            except (ValueError, zlib.error):
                raise InvalidTable(f"{path}: damaged ({name} cannot be unpacked)") from None
            at += part.size
        found = cls(game, told[1], layout, arrays, told[2])
        if found.checksum != told[0]:
            raise InvalidTable(f"{path}: damaged (its checksum is not {told[0]})")
        return found


class _Part(NamedTuple):
    """Where and how an array stands in a file."""

    kind: np.dtype[Any]
    numbers: int
    width: int
    """Of its rows in bytes; 0 where it stands as it is."""
    steps: bool
    size: int

    @classmethod
    def told(cls, kind: str, count: int, width: int = 0, steps: bool = False, size: int | None = None) -> _Part:
        """As the head of a file tells it; in the old version there are only a kind and a number."""
        found = KINDS[kind]
        if int(count) < 0 or int(width) < 0 or (width and found.itemsize * int(count) % int(width)):
            raise ValueError
        return cls(found, int(count), int(width), bool(steps), found.itemsize * int(count) if size is None else int(size))

    def unpacked(self, body: bytes) -> npt.NDArray[Any]:
        """The array. Raises a ValueError, or one of zlib's, where `body` is not what was packed."""
        if self.width == 0:
            return np.frombuffer(body, self.kind, self.numbers)
        size, opened = self.kind.itemsize * self.numbers, zlib.decompressobj()
        planes = np.frombuffer(opened.decompress(body, size) if size else b"", np.uint8)
        if len(planes) != size or opened.unconsumed_tail:
            raise ValueError
        array = np.ascontiguousarray(planes.reshape(self.width, -1).T).reshape(-1).view(self.kind)
        return array.cumsum(dtype=self.kind) if self.steps else array


def _packed(array: npt.NDArray[Any]) -> tuple[int, bool, bytes]:
    """The width of the rows, whether steps are kept instead of numbers, and the packed bytes."""
    numbers = np.ascontiguousarray(array).astype(KINDS[array.dtype.name])
    steps = numbers.itemsize > 1 and bool((np.diff(numbers) >= 0).all())
    if steps:
        numbers = np.diff(numbers, prepend=numbers.dtype.type(0))
    octets = numbers.view(np.uint8)
    widths = [width for width in range(1, WIDEST + 1) if len(octets) % width == 0]
    best = min(widths, key=lambda width: len(_planes(octets[: SAMPLE // width * width], width)))
    return best, steps, _planes(octets, best)


def _planes(octets: npt.NDArray[np.uint8], width: int) -> bytes:
    """Rows of so many bytes, column by column, packed."""
    return zlib.compress(np.ascontiguousarray(octets.reshape(-1, width).T).tobytes(), LEVEL)


def repack(path: Path) -> None:
    """Write a table of any version anew, as this Kibitz writes it; what it holds stays the same."""
    with path.open("rb") as file:
        head = json.loads(file.readline())
    TableFile.load(path, head["game"], head["layout"]).save(path)
