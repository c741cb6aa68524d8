"""Ctrl-C: one line and the exit code of an interrupted command, whenever it comes."""

import signal
import subprocess
import sys

import pytest

from kibitz import __main__ as start
from kibitz import cli

pytestmark = [pytest.mark.plain, pytest.mark.once]

#: A command during which Ctrl-C is pressed when a module is imported.
PRESSED = """
import os, signal, sys

class Pressed:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Pressed())
sys.argv = ["kibitz", "catan", "show", "nothing.jsonl"]
from kibitz.__main__ import main
main()
"""


def heard() -> None:
    """Tests that run in the background inherit that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("module", ["kibitz.cli", "typer", "kibitz.catan.profile", "rich.console"])
def test_while_modules_are_imported(module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PRESSED.format(module=module)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=heard,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "kibitz: interrupted\n")


def test_where_a_command_has_no_answer_of_its_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(cli, "main", interrupted)
    try:
        with pytest.raises(SystemExit) as left:
            start.main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert (left.value.code, capsys.readouterr().err) == (130, "kibitz: interrupted\n")
