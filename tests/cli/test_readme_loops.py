"""What the README shows of the loop lab is what the command prints."""

import re
from pathlib import Path

from tests.cli.results import done

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_shows_what_the_loop_lab_prints(kibitz):
    [(typed, shown)] = re.findall(r"\$ kibitz (loops lab .*)\n((?:.*\n)*?)```", README.read_text(encoding="utf-8"))
    lines = [line.rstrip() for line in done(kibitz(*typed.split())).splitlines()]
    at = 0
    for line in shown.splitlines():
        if line != "...":
            at = lines.index(line, at) + 1
    assert at == len(lines)
