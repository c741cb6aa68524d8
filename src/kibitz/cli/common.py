"""What every command shares: errors for people, notices and progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console


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
def progress(what: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """A progress bar with speed and time left, shown only for what takes longer than a moment."""
    import time

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn())
    bar = Progress(*columns, console=console(), transient=True)
    task = bar.add_task(what, total=total, speed="")
    began, done, shown = time.monotonic(), 0, False

    def advance(n: int) -> None:
        nonlocal done, shown
        done += n
        passed = time.monotonic() - began
        if not shown and passed > 1:
            bar.start()
            shown = True
        if shown:
            bar.update(task, completed=done, speed=f"{done / passed:,.0f} {unit}/s")

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
