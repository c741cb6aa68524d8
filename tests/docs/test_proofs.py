"""The pages of the rules name a test for each rule: each of them exists, and no test of the rules is left out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)(\[.+?\])?`")
#: Each page with its folder of tests, and the files there that are about nothing but rules.
PAGES = {
    "rules": ("tests/catan", ["test_rules.py"]),
    "coup": ("tests/coup", ["test_rules.py"]),
    "onepiece": ("tests/onepiece", ["test_rules.py", "test_battle.py"]),
}


def named(page: str) -> list[tuple[str, str, str]]:
    """File, test and (or empty) the id of its parameters, from the rows of the table of rules."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    rows = [line.rpartition(" | ")[2] for line in text.splitlines() if line.startswith("| ")]
    return [found for row in rows for found in NAMED.findall(row)]


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """Every test of these files, with and without its parameters, as pytest finds them."""
    files = sorted({f"{folder}/{file}" for page, (folder, _) in PAGES.items() for file, _, _ in named(page)})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    tests = [line for line in done.stdout.splitlines() if "::" in line]
    return {*tests, *(test.partition("[")[0] for test in tests)}


@pytest.mark.parametrize("page", PAGES)
def test_every_named_test_exists(page: str, collected: set[str]) -> None:
    folder, _ = PAGES[page]
    rows = named(page)
    assert len(rows) > 40
    assert [row for row in rows if f"{folder}/{row[0]}::{row[1]}{row[2]}" not in collected] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_test_of_the_rules_is_named(page: str, collected: set[str]) -> None:
    folder, files = PAGES[page]
    paths = [f"{folder}/{file}" for file in files]
    about_rules = {test for test in collected if "[" not in test and test.partition("::")[0] in paths}
    assert about_rules - {f"{folder}/{file}::{test}" for file, test, _ in named(page)} == set()
