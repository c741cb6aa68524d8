"""The pages of Catan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pages() -> Sequence[Any]:
    """Analyse, Track, Play and Review."""
    from kibitz.catan.pages import analyse, play, review, track

    return analyse, track, play, review


def warm_up() -> None:
    """Load the rules and what follows games."""
    from kibitz.catan.setup import setup
    from kibitz.catan.tracking import session
    from kibitz.play import series

    session.warm_up()
    series.warm_up(setup(), 2)
