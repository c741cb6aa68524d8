"""The commands of the One Piece card game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def group() -> Any:
    """``kibitz onepiece``."""
    from kibitz.onepiece.commands.importing import app

    return app


def top() -> Mapping[str, Any]:
    """What stands at the top: ``kibitz loops``."""
    from kibitz.onepiece.commands.loops import app

    return {"loops": app}
