"""Solved endgames in files, so that the same question is answered at once.

A file is one line of JSON that people can read (the question, the value and its bounds, which Kibitz solved it), and then the
strategies: 64-bit floating-point numbers in little-endian order, compressed with zlib; ``docs/endgames.md`` has the fields.
Files appear under their names only when they are complete, so that others may read meanwhile.
"""

import hashlib
import json
import os
import re
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from kibitz.compute.runtime import build
from kibitz.coup.endgames.solve import Endgame, SolvedEndgame
from kibitz.game.files import replacing
from kibitz.ground.codec import parse_json
from kibitz.ground.texts import Mistake

VERSION = 1
_FRACTION = re.compile(r"-?\d{1,40}(/[1-9]\d{0,39})?")
#: The fields of the header beside the question: their names in a file are those of `SolvedEndgame`.
FIGURES = {"value": float, "low": float, "high": float, "iterations": int, "nodes": int, "sets": int}


class StoreError(Mistake):
    """A file without a solution, or with that of another endgame; the message begins with its name."""


def store_folder() -> Path:
    """Where solutions are kept: the folder named by ``KIBITZ_ENDGAMES``, or one among the user's data."""
    named = os.environ.get("KIBITZ_ENDGAMES")
    return Path(named) if named else Path(platformdirs.user_data_dir("kibitz")) / "endgames"


def store_path(endgame: Endgame) -> Path:
    """The file of an endgame: its main facts, and a hash of all of them."""
    facts = json.dumps(endgame.to_json(), sort_keys=True)
    numbers = (*endgame.influence, *endgame.coins, endgame.turns)
    name = "coup-influence-{}-{}-coins-{}-{}-turns-{}".format(*numbers)
    return store_folder() / f"{name}-{hashlib.sha256(facts.encode()).hexdigest()[:12]}.endgame"


def load(endgame: Endgame, path: Path) -> SolvedEndgame | None:
    """The solution in a file; None if there is no file, or another build of Kibitz made it.

    Raises a `StoreError` for a file that is damaged, or holds the solution of another endgame.
    """
    if not path.exists():
        return None
    with path.open("rb") as file:
        header = _header(path, file.readline())
        if header.get("question") != endgame.to_json():
            raise StoreError(f"{path}: holds the solution of another endgame")
        if header.get("build") != build():
            return None
        payload = file.read()
    if hashlib.sha256(payload).hexdigest() != header.get("sha256"):
        raise StoreError(f"{path}: is damaged (the strategies do not match their checksum); remove it to solve again")
    figures: dict[str, Any] = {name: header.get(name) for name in FIGURES}
    if any(type(figures[name]) is not kind for name, kind in FIGURES.items()):
        raise StoreError(f"{path}: is damaged (the first line lacks figures); remove it to solve again")
    slots = np.frombuffer(zlib.decompress(payload), "<f8")
    proven = header.get("proven")
    if proven is not None and not (isinstance(proven, str) and _FRACTION.fullmatch(proven)):
        raise StoreError(f"{path}: is damaged (what is proven is not a fraction); remove it to solve again")
    solved = SolvedEndgame(endgame, **figures, slots=slots, stored=True)
    solved.__dict__["proven"] = None if proven is None else Fraction(proven)  # what the cached property would find again
    return solved


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = parse_json(line.decode())
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("endgame") != "coup":
        raise StoreError(f"{path}: is not the file of a solved endgame, or is damaged; remove it to solve again")
    if header.get("version") != VERSION:
        raise StoreError(f"{path}: version {header.get('version')!r} of the format is unknown; this is version {VERSION}")
    return header


def save(solved: SolvedEndgame, path: Path) -> None:
    """Write a solution; a file of that name is replaced."""
    payload = zlib.compress(solved.slots.astype("<f8").tobytes(), 6)
    header = {
        "endgame": "coup",
        "version": VERSION,
        "question": solved.endgame.to_json(),
        **{name: kind(getattr(solved, name)) for name, kind in FIGURES.items()},
        "proven": None if solved.proven is None else str(solved.proven),
        "build": build(),
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as partial:
        partial.write_bytes(json.dumps(header).encode() + b"\n" + payload)
