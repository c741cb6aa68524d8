"""A command loads what it uses, so that it is there in a moment."""

import subprocess
import sys

import pytest

#: Runs a command, and lists the modules of ours that were loaded.
PROGRAM = """
import atexit, sys
from kibitz.cli import main
atexit.register(lambda: print("LOADED", *sorted(name for name in sys.modules if name.startswith("kibitz."))))
main()
"""


def loaded(*arguments: str) -> list[str]:
    ended = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return ended.stdout.rpartition("LOADED ")[2].split()


def within(names: list[str], *packages: str) -> list[str]:
    return [name for name in names if name.startswith(packages)]


def test_games_of_policies_load_no_belief_no_search_and_no_guard() -> None:
    found = loaded("catan", "simulate")
    assert within(found, "kibitz.catan.core")
    assert not within(found, "kibitz.belief", "kibitz.loops", "kibitz.search", "kibitz.web", "kibitz.catan.belief")
    assert not within(found, "kibitz.catan.commands", "kibitz.catan.bots", "kibitz.coup.core", "kibitz.onepiece.core")


@pytest.mark.plain
@pytest.mark.parametrize("arguments", [["--help"], ["catan", "--help"], ["simulate", "--help"], ["show", "coup", "--help"]])
def test_help_loads_no_game(arguments: list[str]) -> None:
    found = loaded(*arguments)
    assert "kibitz.catan.profile" in found
    assert not within(found, "kibitz.catan.core", "kibitz.coup.core", "kibitz.onepiece.core", "kibitz.ground.jit", "kibitz.web")
