"""Which Kibitz this is: only equal builds give equal results."""

from __future__ import annotations

from functools import cache

import kibitz
from kibitz.ground.jit import PACKAGE, hash_of


@cache
def build() -> str:
    """The version of Kibitz in this process and a hash of all its sources."""
    return f"{kibitz.__version__} ({hash_of([*PACKAGE.rglob('*.py')], PACKAGE)})"
