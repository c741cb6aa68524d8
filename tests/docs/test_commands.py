"""The page of the commands names every option as it is typed."""

import re
import sys
from importlib import import_module
from pathlib import Path

from kibitz.cli import create_app
from kibitz.cli.games import Later


def test_options_are_written_as_they_are_typed(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "_ext"))
    monkeypatch.delitem(sys.modules, "tables", raising=False)  # that of benchmarks/, if a test of those came before
    extension, app = import_module("commands"), create_app()
    typed = {option for _, command in real(app) for param in command.params for option in param.opts}
    for name, function in extension.walk(app, "kibitz"):
        written = [word for shown, _ in extension.options(function) for word in re.findall(r"``(-[-a-z]+)``", shown)]
        assert set(written) <= typed, name
        assert function.__name__ != "bots" or "--json" in written
    for module in ("commands", "tables"):
        sys.modules.pop(module, None)


def real(command, name="kibitz"):
    """Each command as Typer knows it."""
    found = command.real if isinstance(command, Later) else command
    if hasattr(found, "commands"):
        for below, one in found.commands.items():
            yield from real(one, f"{name} {below}")
    else:
        yield name, found
