"""What is wrong in somebody's file of a game, for its author: one line with the file, its line and the rule."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

from kibitz.game import doors
from kibitz.ground.folders import from_here
from kibitz.play import registry

#: Where Numba says that something cannot be compiled, and the verb or the rule that it speaks of.
_PLACE = re.compile(r'(?:File "|\bat )([^"\n]+?\.py)(?:", line | \()(\d+)')
_RULE = re.compile(r"<function (\w+) at 0x")
#: What it says is wrong, where that is not one of its own errors; else how such a text begins.
_CAUSE = re.compile(
    r"^ *((?!TypingError|LoweringError)\w+Error: .*|No implementation of function .*|Unknown attribute .*)", re.MULTILINE
)
#: What compiled code cannot tell, plain Python can.
PLAIN = "KIBITZ_JIT=0 names the line"
#: Letters of what Numba says, which may be pages.
LONGEST = 200


def fault(error: BaseException) -> str | None:
    """An error that arose in the file of a game, as one line; None if it arose elsewhere.

    Rules of plain Python have left their frames; what was compiled has not, and Numba tells in many words what it could not
    compile.
    """
    files = registry.files()
    if not files:
        return None
    frames = [*traceback.extract_tb(error.__traceback__)]
    own = [frame for frame in frames if Path(frame.filename) in files]
    if own:
        return f"{from_here(own[-1].filename)}, line {own[-1].lineno}, in {own[-1].name}: {_words(error)}"
    last = Path(frames[-1].filename) if frames else Path()
    if "numba" in last.parts:
        return _not_compiled(error, files)
    if last == Path(doors.__file__) and isinstance(error, ArithmeticError | ValueError | LookupError):
        return f"{_named(files)}: {_words(error)}, in its compiled rules ({PLAIN})"
    return None


def _named(files: frozenset[Path]) -> str:
    """The file; where several were loaded, any of them may be meant."""
    return " or ".join(sorted(map(from_here, files)))


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def _not_compiled(error: BaseException, files: frozenset[Path]) -> str:
    text = str(error)
    causes, rules, places = _CAUSE.findall(text), _RULE.findall(text), [*_places(text, files)]
    where = f"{from_here(places[-1][0])}, line {places[-1][1]}" if places else _named(files)
    rule = f", in {rules[0]}" if rules else ""
    cause = causes[-1].removesuffix(":") if causes else _words(error)[:LONGEST]
    return f"{where}{rule}: cannot be compiled: {cause}{'' if places else f' ({PLAIN})'}"


def _places(text: str, files: frozenset[Path]) -> Iterator[tuple[Path, str]]:
    for name, line in _PLACE.findall(text):
        if (file := Path(name).resolve()) in files:
            yield file, line
