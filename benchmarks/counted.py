"""Games of Catan's matches, counted in a small file that is kept with the sources: a match adds up over runs and machines.

A line holds what one bot won alone against a table of another, from one seat: ``[first board, boards, games won, seconds]`` for
each stretch of boards. During a run, every batch is a line of its own, so that a kill loses nothing; in the end the lines are
put together. Another kind of line says how many iterations stand for a time a move.

Each line has the `version` of what played: a hash of the sources that decide, without comments and docstrings, and of the
weights. Lines of other versions stay, and are not counted.

>>> code_of('def f():  # why\\n    \"\"\"What.\"\"\"\\n\\n    return 1\\n')
'def f():\\n    return 1'
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tables import kept_lines

from kibitz.catan.core.evaluator import NETS
from kibitz.game.files import replacing
from kibitz.ground.jit import PACKAGE, compiled_sources

#: What decides beside compiled code: searches, what they believe, and where games begin.
BESIDE = (
    "belief", "catan/belief", "catan/bots.py", "catan/core/engine.py", "catan/setup.py", "play/search_bot.py",
    "search/forest.py", "search/ismcts.py",
)  # fmt: skip
#: Of the sources that compiled code depends on, those of these packages; and those that only read and write.
PARTS = ("catan", "game", "ground", "search")
WORDS = ("ground/code_cache.py", "ground/codec.py", "ground/texts.py", "game/files.py", "catan/core/notation.py")


@dataclass(frozen=True, order=True)
class Stretch:
    """Games on the boards `first` to ``first + games - 1``: how many `one` won, and the processor time of all."""

    one: str
    others: str
    seat: int
    first: int
    games: int
    won: int
    seconds: float


# --- the version ------------------------------------------------------------------------------------------------------


def code_of(text: str) -> str:
    """A source without comments, docstrings and blank lines: what is left after an edit of words."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def deciding() -> dict[str, Path]:
    """The sources that decide what Catan's bots do, by name."""
    compiled = {file.relative_to(PACKAGE).as_posix(): file for file in compiled_sources(PACKAGE, "search")}
    found = {name: file for name, file in compiled.items() if name.startswith(tuple(f"{part}/" for part in PARTS))}
    for name in BESIDE:
        path = PACKAGE / name
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        found |= {file.relative_to(PACKAGE).as_posix(): file for file in files}
    return {name: found[name] for name in sorted(found) if name not in WORDS}


def version_of(sources: Mapping[str, str], weights: Iterable[str]) -> str:
    """A short hash of sources by name, and of the checksums of networks.

    >>> version_of({"a.py": "x = 1"}, []) == version_of({"a.py": "x = 1  # one"}, []) != version_of({"a.py": "x = 2"}, [])
    True
    """
    digest = hashlib.blake2b(digest_size=6)
    for part in (*(f"{name}\0{code_of(text)}" for name, text in sources.items()), *weights):
        digest.update(f"{part}\0".encode())
    return digest.hexdigest()


@cache
def version(variant: str) -> str:
    """The version of what plays here, by rules for which there is this network."""
    sources = {name: file.read_text(encoding="utf-8") for name, file in deciding().items()}
    return version_of(sources, [NETS.book(0)[variant].checksum])


# --- the file ---------------------------------------------------------------------------------------------------------


def put_together(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same games in as few stretches as possible; of stretches with a game in common, only the first counts."""
    found: list[Stretch] = []
    for one in sorted(stretches, key=lambda one: (one.one, one.others, one.seat, one.first, -one.games)):
        last = found[-1] if found else None
        if last is None or (last.one, last.others, last.seat) != (one.one, one.others, one.seat):
            found.append(one)
        elif one.first == last.first + last.games:
            games, won, seconds = last.games + one.games, last.won + one.won, round(last.seconds + one.seconds, 3)
            found[-1] = Stretch(one.one, one.others, one.seat, last.first, games, won, seconds)
        elif one.first > last.first + last.games:
            found.append(one)
    return found


class Counted:
    """The games in a file that some version has played; without a file nothing is kept."""

    def __init__(self, file: Path | None, version: str) -> None:
        self.file, self.version = file, version
        self.iterations: dict[str, str] = {}
        """By bot with a time a move, the same bot with iterations."""
        self.other = 0
        """How many games of other versions there are."""
        self._lines: list[str] = []
        """Those of other versions, as they are."""
        self._found: list[Stretch] = []
        for line in kept_lines(file):
            with suppress(ValueError, TypeError, KeyError):  # cut off by a kill
                self._read(line)

    def _read(self, line: str) -> None:
        one = json.loads(line)
        found = list(_stretches(one)) if "played" in one else []
        if one["version"] != self.version:
            self.other += sum(stretch.games for stretch in found)
            self._lines.append(line)
        elif "played" in one:
            self._found += found
        else:
            self.iterations |= one["iterations"]

    @property
    def stretches(self) -> list[Stretch]:
        """All games of this version."""
        return put_together(self._found)

    def add(self, stretch: Stretch) -> None:
        """Count games."""
        self._found.append(stretch)
        self._append(_lines([stretch], self.version))

    def turn(self, name: str, iterations: str) -> None:
        """From now on, this one with iterations plays for a bot with a time a move."""
        self.iterations[name] = iterations
        self._append(_iterations({name: iterations}, self.version))

    def _append(self, lines: Sequence[str]) -> None:
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.writelines(f"{line}\n" for line in lines)

    def tidy(self, *, forget: bool = False) -> None:
        """Write the file anew with as few lines as possible; with `forget` without those of other versions.

        What another run has added meanwhile is kept.
        """
        if self.file is None or not self.file.exists():
            return
        now = Counted(self.file, self.version)
        lines = [] if forget else now._lines
        lines = [*lines, *_iterations(now.iterations, self.version), *_lines(now.stretches, self.version)]
        with replacing(self.file) as partial:
            partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _stretches(line: Mapping[str, Any]) -> Iterator[Stretch]:
    for first, games, won, seconds in line["played"]:
        yield Stretch(line["one"], line["others"], line["seat"], first, games, won, seconds)


def _lines(stretches: Iterable[Stretch], version: str) -> list[str]:
    together: defaultdict[tuple[str, str, int], list[list[float]]] = defaultdict(list)
    for one in stretches:
        together[one.one, one.others, one.seat].append([one.first, one.games, one.won, round(one.seconds, 2)])
    return [
        json.dumps({"version": version, "one": one, "others": others, "seat": seat, "played": played})
        for (one, others, seat), played in together.items()
    ]


def _iterations(known: Mapping[str, str], version: str) -> list[str]:
    return [json.dumps({"version": version, "iterations": dict(known)})] if known else []
