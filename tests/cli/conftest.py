"""How the tests of the command line run it."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz import cli
from kibitz.game.record import GameRecord

#: Whether a test is the first to need some rules is no matter.
NOTICE = "kibitz: compiling what this needs, once\n"

Ran = tuple[int, str, str]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept without being asked for does not go into the user's folder, and nothing is found there."""
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))


@pytest.fixture
def kibitz(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command inside this process: (exit code, standard output, standard error)."""

    def run(*arguments: object, columns: int = 80, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "argv", ["kibitz", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capfd.readouterr()
        return int(left.value.code or 0), out, err.replace(NOTICE, "")

    return run


@pytest.fixture(scope="module")
def file(played: GameRecord, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of the game that a module has `played`."""
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in played.lines()), encoding="utf-8")
    return path
