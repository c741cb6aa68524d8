"""What the README shows of the loop lab is what the command prints."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli import app

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_shows_what_the_loop_lab_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    [(typed, shown)] = re.findall(r"\$ kibitz (loops lab .*)\n((?:.*\n)*?)```", README.read_text(encoding="utf-8"))
    printed = CliRunner().invoke(app, typed.split()).output
    lines = [line.rstrip() for line in printed.splitlines()]
    at = 0
    for line in shown.splitlines():
        if line != "...":
            at = lines.index(line, at) + 1
    assert at == len(lines)
