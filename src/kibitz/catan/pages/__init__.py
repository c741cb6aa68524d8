"""The pages of Catan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pages() -> Sequence[Any]:
    """Analyse, Track, Play and Review."""
    from kibitz.catan.pages import analyse, play, review, track

    return analyse, track, play, review
