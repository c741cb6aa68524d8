"""How the figures of this folder are printed and kept."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"


def processor() -> str:
    """What the machine calls its processor."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", info.read_text(encoding="utf-8")) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()


def machine() -> str:
    """Where the figures were taken."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def show(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    table = Table(*headings, title=title)
    for row in rows:
        table.add_row(*row)
    Console(width=150).print(table)


def as_markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table as text for a results file."""
    lines = [" | ".join(row) for row in (headings, ["---"] * len(headings), *rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"
