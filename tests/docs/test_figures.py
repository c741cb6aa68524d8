"""Which quoted figures are in the tables that they come from."""

import pytest

from tests.docs.figures import is_among, main, strangers

pytestmark = [pytest.mark.plain, pytest.mark.once]

TABLES = {
    "speed": "| games | 937,313 games/s | 9,187 |",
    "speed_gpu": "| on a GPU | 71.26 million |",
    "other": "| wins | 40.3 % (38.8-41.8) of 4,000 |",
}


@pytest.mark.parametrize(
    ("written", "measured", "same"),
    [
        ("937,000", 937_313, True),
        ("938,000", 937_313, False),
        ("0.94", 937_313, True),  # million
        ("9,200", 9_187, True),
        ("9,300", 9_187, False),
        ("40.3", 40.25, True),
        ("40.3", 40.36, False),
        ("3e-14", 3.1e-14, True),
        ("3e-14", 3.6e-14, False),
        ("0", 0.3, True),
    ],
)
def test_a_figure_is_rounded_as_it_is_written(written, measured, same):
    assert is_among(written, [measured]) is same


def test_what_is_in_no_table_of_its_section_is_found():
    page = """# Figures of 2026
## Speed
`python benchmarks/speed.py`: 937,000 games/s, on a GPU 71 million; published: 12,345.
9,187 of them | published: 77,777 | 40.3
## Wins
`other.py`: 41 % and 40.3 % of 4,000
"""
    assert [(line, written) for line, written, _ in strangers(page, TABLES)] == [(4, "40.3"), (6, "41")]


def test_the_page_quotes_its_tables(capsys):
    assert main() == 0, capsys.readouterr().out
