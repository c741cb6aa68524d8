"""What commands share: errors for people, notices and progress on standard error, and checks of what was typed."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from rich.console import Console
    from rich.progress import ProgressColumn

    from kibitz.compute.runtime import Info, Limit, Runtime
    from kibitz.play.bots import Conducts

#: How records and pictures begin.
RECORD, PICTURE = '{"record": "', "<svg"
#: No name of a file is longer.
LONGEST_NAME = 250
#: What is said when somebody has pressed Ctrl-C while bots play.
FINISHING = "finishing the games in progress; press Ctrl-C again to stop at once"
#: What is said when somebody has pressed Ctrl-C.
STOPPING = "stopping with the results so far; press Ctrl-C again to quit at once"


class UserError(Exception):
    """Something that the user can mend: printed as one line, exit code 2."""


def console() -> Console:
    """Where progress and notices go: standard error, so that standard output can be piped."""
    from rich.console import Console

    return Console(stderr=True)


@contextmanager
def compile_notice() -> Iterator[None]:
    """Say once, with a live spinner, when the rules have to be compiled."""
    from kibitz.ground import jit

    text = jit.NOTICE
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
    """A progress bar with speed and time left. What was `known` before counts as done, but not for the speed."""
    from rich.progress import MofNCompleteColumn, TimeRemainingColumn

    began, done = time.monotonic(), known
    with late_bar(what, total, MofNCompleteColumn(), TimeRemainingColumn()) as show:

        def advance(n: int) -> None:
            nonlocal done
            done += n
            show(done, f"{max(0, done - known) / (time.monotonic() - began):,.0f} {unit}/s")

        yield advance


@contextmanager
def late_bar(what: str, total: float | None, *columns: ProgressColumn) -> Iterator[Callable[[float, str], None]]:
    """A progress bar, shown only for what takes longer than a moment; it is told how far things are, and what to say."""
    from rich.progress import BarColumn, Progress, TextColumn

    said = TextColumn("{task.fields[said]}")
    bar = Progress(TextColumn(what), BarColumn(), *columns, said, console=console(), transient=True)
    task = bar.add_task(what, total=total, said="")
    began = time.monotonic()

    def show(done: float, said: str) -> None:
        if time.monotonic() - began > 1 and bar.console.is_terminal:
            bar.start()  # nothing happens where it runs already
            bar.update(task, completed=done, said=said)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def thinking(total: int | None, seconds: float | None) -> Iterator[Runtime]:
    """A search that shows its progress, and ends after some seconds (--time) or with Ctrl-C."""
    from kibitz.compute.runtime import Runtime

    done = 0
    with progress("thinking", total, "games") as advance:

        def hear(info: Info) -> None:
            nonlocal done
            advance(info.done - done)
            done = info.done

        runtime = Runtime(read_limit(seconds), hear)
        with stops_on_interrupt(runtime.cancel):
            yield runtime


@contextmanager
def stops_on_interrupt(stop: Callable[[], None], notice: str = STOPPING) -> Iterator[None]:
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


def print_conduct(conducts: Conducts) -> None:
    """How many decisions bots from outside have lost, if any."""
    from kibitz.play.bots import about_conduct

    if text := about_conduct(conducts):
        print(text)


def print_json(result: Any) -> None:
    """A result for other programs."""
    print(json.dumps(result, indent=2))


def readable(file: Path) -> Path:
    """A file that is there."""
    if not file.exists() or file.is_dir():
        raise UserError(f"{file}: {'is a folder' if file.is_dir() else 'no such file'}")
    return file


def check_writable(path: Path | None, begins: str | None = None, force: bool = False, reads: Path | str | None = None) -> None:
    """Raise an OSError where nobody could write to `path`, if one was named; better now than after hours of work.

    A file that is there already is replaced only by its like, something that `begins` as it does, or with `force`; a game that
    somebody left is never replaced without. What the command itself `reads` is never written over.
    """
    from kibitz.game.files import beginning_of, check_target, is_left

    if path is None:
        return
    check_target(path)
    if reads is not None and _is_same(path, reads):
        raise UserError(f"{path}: is the file being read; choose another one to write")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "cannot be written", str(path))
    if force or not path.exists() or not (found := beginning_of(path)).strip():
        return
    if begins is None or not found.lstrip().startswith(begins):
        raise UserError(f"{path}: exists and holds something else; use --force to replace it")
    if begins == RECORD and is_left(path):
        raise UserError(f"{path}: holds an unfinished game; continue it with --resume {path}, or replace it with --force")


def _is_same(path: Path, other: Path | str) -> bool:
    """Whether two names are those of one file; what is not the name of a file is not."""
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def discard_left_behind(path: Path) -> None:
    """Remove what killed writers of `path` have left."""
    from kibitz.game.files import left_behind

    for left in left_behind(path.resolve()):
        left.unlink(missing_ok=True)


def say_stopped(played: int, games: int) -> None:
    """Say so where fewer games were played than were asked for."""
    if not played:
        raise UserError("stopped before the first game was finished")
    if played < games:
        print(f"kibitz: stopped after {played:,} of {games:,} games; these are kept", file=sys.stderr)


def is_number(text: str) -> bool:
    """Whether a text is a plain whole number of a sensible length."""
    return text.isascii() and text.isdigit() and len(text) < 10


def joined(names: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end


def check_one(options: dict[str, Any], reason: str) -> None:
    """Refuse more than one of these options; `reason` says what they are two of."""
    if len(given := [option for option, value in options.items() if value is not None]) > 1:
        raise UserError(f"{joined(given)}: {reason}; give one of the two")


def check_seat(seat: int | None, seats: int) -> None:
    """Refuse a seat (from 1) that is not at the table."""
    if seat is not None and not 1 <= seat <= seats:
        raise UserError(f"--seat {seat}: the seats are 1 to {seats}")


def check_step(step: int, last: int) -> None:
    """Refuse a step that a recorded game does not have."""
    if not 0 <= step <= last:
        raise UserError(f"--at {step}: the game has steps 0 to {last}")


def read_limit(seconds: float | None) -> Limit:
    """The limit that --time sets."""
    from kibitz.compute.runtime import Limit

    try:
        return Limit(time=seconds)
    except ValueError as error:
        raise UserError(f"--time {str(error).partition('=')[2]}") from None
