"""The notebooks run, and hold what they show."""

from pathlib import Path

import pytest

from tests.docs.notebook import NOTEBOOKS, read, with_outputs

#: A notebook is read by people and kept in the repository.
MOST_BYTES = 400_000


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    stored = read(path)
    assert with_outputs(stored) == stored


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small_and_of_the_usual_format(path: Path) -> None:
    stored = read(path)
    assert path.stat().st_size < MOST_BYTES
    assert (stored["nbformat"], stored["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in stored["cells"]}) == len(stored["cells"])
    assert any("image/svg+xml" in output.get("data", {}) or "text/html" in output.get("data", {})
               for cell in stored["cells"] for output in cell.get("outputs", []))  # fmt: skip
