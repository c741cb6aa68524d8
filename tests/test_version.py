"""The version stands in one place, and everything that tells it tells that one."""

import re
import subprocess
import sys
from pathlib import Path

import kibitz

ROOT = Path(__file__).parents[1]


def test_it_is_a_release():
    assert re.fullmatch(r"\d+\.\d+\.\d+", kibitz.__version__)


def test_it_stands_in_one_place():
    written = re.compile(re.escape(kibitz.__version__))
    sources = [*(ROOT / "src").rglob("*.py"), ROOT / "pyproject.toml", ROOT / "docs" / "conf.py"]
    assert [file for file in sources if written.search(file.read_text(encoding="utf-8"))] == [ROOT / "src/kibitz/__init__.py"]


def test_the_command_line_tells_it():
    done = subprocess.run([sys.executable, "-m", "kibitz", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"kibitz {kibitz.__version__}\n", "")


def test_the_changelog_tells_it():
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading is not None
    assert heading[1] in ("Unreleased", kibitz.__version__)
