"""What commands share: errors for people, notices and progress on standard error, boards and rules as they are typed."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from rich.console import Console

    from kibitz.catan.board import Board
    from kibitz.catan.state import Rules
    from kibitz.options import RuleOptions

R = TypeVar("R", bound="RuleOptions")

#: No name of a file is longer.
LONGEST_NAME = 250


class UserError(Exception):
    """Something that the user can mend: printed as one line, exit code 2."""


def console() -> Console:
    """Where progress and notices go: standard error, so that standard output can be piped."""
    from rich.console import Console

    return Console(stderr=True)


@contextmanager
def compile_notice() -> Iterator[None]:
    """Say once, with a live spinner, when the rules have to be compiled."""
    from kibitz import jit

    text = "compiling the rules, only this first time"
    out = console()
    status = out.status(text)

    def start() -> None:
        if out.is_terminal:
            status.start()
        else:
            print(f"kibitz: {text}", file=sys.stderr, flush=True)

    with jit.on_compile(start):
        try:
            yield
        finally:
            status.stop()


@contextmanager
def progress(what: str, total: int | None, unit: str, known: int = 0) -> Iterator[Callable[[int], None]]:
    """A progress bar with speed and time left, shown only for what takes longer than a moment.

    So much as was `known` before counts as done, but not for the speed.
    """
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    bar = Progress(*columns, console=console(), transient=True)
    task = bar.add_task(what, total=total, speed="")
    began, done, shown = time.monotonic(), known, False

    def advance(n: int) -> None:
        nonlocal done, shown
        done += n
        passed = time.monotonic() - began
        if not shown and passed > 1 and bar.console.is_terminal:
            bar.start()
            shown = True
        if shown:
            bar.update(task, completed=done, speed=f"{max(0, done - known) / passed:,.0f} {unit}/s")

    try:
        yield advance
    finally:
        if shown:
            bar.stop()


def readable(file: Path) -> Path:
    """A file that is there."""
    if not file.exists() or file.is_dir():
        raise UserError(f"{file}: {'is a folder' if file.is_dir() else 'no such file'}")
    return file


def is_number(text: str) -> bool:
    """Whether a text is a plain whole number of a sensible length."""
    return text.isascii() and text.isdigit() and len(text) < 10


def read_rules(options: list[str]) -> Rules:
    """Rule options of Catan as they are typed."""
    from kibitz.catan.state import Rules

    return rules_from(Rules, options)


def rules_from(rules: type[R], options: list[str]) -> R:
    """Rule options of a game as they are typed: ``NAME`` or ``NAME=VALUE``."""
    switches = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    defaults = rules().to_json()
    values: dict[str, Any] = {}
    for option in options:
        name, given, value = option.partition("=")
        number = int(value) if is_number(value) else value
        if isinstance(defaults.get(name), bool) and number in (0, 1):
            number = bool(number)
        values[name] = switches.get(value.lower(), number) if given else True
    try:
        return rules.from_json(values)
    except ValueError as error:
        raise UserError(f"--rule {error}") from None


def read_board(board: str, name: str) -> Board:
    """The board that is meant by ``beginner``, a file or a text; an error begins with `name`."""
    from kibitz.catan.board import Board, InvalidBoard

    if board == "beginner":
        return Board.beginner()
    try:
        if is_board_text(board):
            text = board
        elif Path(board).is_file():
            text = Path(board).read_text(encoding="utf-8-sig").strip()
        else:
            missing = "is a folder" if board and Path(board).is_dir() else "no such file"
            raise UserError(f"{name}: {missing}; it can also be random, beginner, or the text of a board")
        return Board.from_json(text) if text.startswith("{") else Board.from_text(text)
    except (InvalidBoard, UnicodeDecodeError) as error:
        raise UserError(f"{name}: {error}") from None


def joined(names: Sequence[str]) -> str:
    """``a, b and c``."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def is_board_text(board: str) -> bool:
    """Whether a board is typed as text, not as the name of a file."""
    return board.count("/") == 4 and " " in board


def warm_up() -> None:
    """Compile or load the rules before the clock starts."""
    from kibitz.catan.board import Board
    from kibitz.catan.state import Rules
    from kibitz.play.catan import play

    play(lambda number: Board.beginner(), ["random"] * 2, 0, Rules(max_turns=1), games=1, jobs=1).scores()


@contextmanager
def stops_on_interrupt(stop: Callable[[], None], notice: str) -> Iterator[None]:
    """The first Ctrl-C calls `stop` and gives notice; the second ends the process. Where Ctrl-C is ignored it stays so."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        stop()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.write(2, f"\nkibitz: {notice}\n".encode())  # to print here could interrupt a print

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def check_writable(path: Path) -> None:
    """Raise an OSError where nobody could write to `path`; better now than after hours of work."""
    from kibitz.catan.record import check_target

    check_target(path)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "cannot be written", str(path))
