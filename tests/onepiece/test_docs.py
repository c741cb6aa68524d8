"""The documentation names a test for each statement of the rules: each of them exists."""

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

HERE = Path(__file__).parent
ROWS = re.findall(
    r"^\| (.+?) \| `(test_\w+\.py)::(test_\w+)` \|$", (HERE.parents[1] / "docs" / "onepiece.md").read_text(), re.MULTILINE
)


def test_every_statement_has_a_test_that_exists():
    assert len(ROWS) > 100
    names = {file: {node.name for node in ast.parse((HERE / file).read_text()).body if isinstance(node, ast.FunctionDef)}
             for file in {row[1] for row in ROWS}}  # fmt: skip
    assert [(file, test) for _, file, test in ROWS if test not in names[file]] == []


def test_every_test_of_the_rules_is_named():
    named = {test for _, _, test in ROWS}
    for file in ("test_rules.py", "test_battle.py"):
        found = {node.name for node in ast.parse((HERE / file).read_text()).body if isinstance(node, ast.FunctionDef)}
        assert {name for name in found if name.startswith("test_")} - named == set()
