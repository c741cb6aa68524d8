"""One Piece is plain Python with and without the compiler: what is tested in plain mode need not be tested twice."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE) and item.get_closest_marker("plain"):
            item.add_marker(pytest.mark.once)
