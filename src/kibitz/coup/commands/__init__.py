"""The commands of Coup."""

from __future__ import annotations

from typing import Any


def group() -> Any:
    """``kibitz coup``."""
    from kibitz.coup.commands import advise, solve, tree  # noqa: F401 (they register their commands)
    from kibitz.coup.commands.given import app

    return app
