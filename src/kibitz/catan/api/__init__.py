"""Catan in the JSON API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def routers(services: Any) -> Sequence[Any]:
    """What is analysed, and what is tracked."""
    from kibitz.catan.api import routes, track

    return routes.router(services), track.router(services)


def answer() -> type[Any]:
    """What advice on the game says."""
    from kibitz.catan.analysis import AnalysisResult

    return AnalysisResult
