"""The examples in the README and in the docs run, and print what they say."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    (page.name, number, block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.mark.parametrize(("page", "block"), [(p, b) for p, _, b in BLOCKS], ids=[f"{p}-{n}" for p, n, _ in BLOCKS])
def test_example_prints_what_it_says(
    page: str, block: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("gymnasium", "pettingzoo", "pyspiel"):
        if re.search(rf"^(import|from) {library}\b", block, re.MULTILINE):
            pytest.importorskip(library, reason=f"{library} is not installed")
    monkeypatch.chdir(ROOT)
    exec(compile(block, page, "exec"), {})
    printed = capsys.readouterr().out
    for promise in promises(block):
        assert promise in printed


def promises(block: str) -> list[str]:
    """What stands behind a print, or below it as a list."""
    return [a or b for a, b in re.findall(r"^ *print\(.*\) +# (.+)$|^# (\[.+\])$", block, re.MULTILINE)]


def test_there_are_examples_with_promises() -> None:
    pages = [page for page, _, block in BLOCKS if promises(block)]
    assert {"README.md", "tracking.md", "formats.md"} <= set(pages)
