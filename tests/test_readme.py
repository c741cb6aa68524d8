"""The examples in the README run, and print what it says."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_example_prints_what_it_says(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    promised = re.findall(r"^(?:print\(.*\)|    print\(.*\)) +# (.+)$|^# (\[.+\])$", block, re.MULTILINE)
    for promise in (a or b for a, b in promised):
        assert promise in printed


def test_there_are_examples_with_promises() -> None:
    assert len(BLOCKS) == 2
    assert BLOCKS[0].count("#") > 5
