"""A changed rule changes the golden games where it matters and nowhere else; CONTRIBUTING.md shows that this is so."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def changed(rule: str) -> str:
    """What the command prints, run as a reader of CONTRIBUTING.md would run it."""
    command = [sys.executable, "-m", "tests.changed_rule", rule]
    run = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def check_shown(rule: str, printed: str) -> None:
    """CONTRIBUTING.md shows what is printed, and that is not much."""
    total = re.search(rf"^(\d+) lines of the golden games change with {rule}$", printed, re.MULTILINE)
    assert total
    assert 0 < int(total[1]) <= 20
    shown = re.search(rf"^    python -m tests.changed_rule {rule}\n\n(.*?)\n\n(?=\S)", contributing(), re.MULTILINE | re.DOTALL)
    assert shown
    assert [line.removeprefix("    ") for line in shown[1].splitlines()] == printed.splitlines()


def contributing() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_a_changed_rule_changes_few_lines_and_contributing_shows_them():
    check_shown("ARMY_MINIMUM=4", changed("ARMY_MINIMUM=4"))


def test_an_action_that_a_rule_no_longer_allows_says_so_and_is_played_all_the_same():
    printed = changed("FRIENDLY_POINTS=4")
    check_shown("FRIENDLY_POINTS=4", printed)
    lines = printed.splitlines()
    illegal = [line for line in lines if "ILLEGAL" in line]
    assert "fewer than 4 visible points (friendly robber); robber h12" in illegal[0]
    assert not [line for line in lines if "stopped" in line]


def test_a_game_that_cannot_go_on_stops_and_says_how_much_is_left():
    assert re.search(
        r"\+ +\d+ over +0  \w+.* \| ILLEGAL: the game is over\n\+stopped: \d+ actions are left", changed("ROAD_MINIMUM=2")
    )


def test_an_unknown_constant_is_refused():
    command = [sys.executable, "-m", "tests.changed_rule", "ROADS_MINIMUM=4"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == "ROADS_MINIMUM: no module of kibitz.catan.core has a constant of this name\n"
