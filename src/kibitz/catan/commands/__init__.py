"""The commands of Catan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def group() -> Any:
    """``kibitz catan``."""
    from kibitz.catan.commands import advise  # noqa: F401 (it registers its command)
    from kibitz.catan.commands.given import app

    return app


def top() -> Mapping[str, Any]:
    """What stands at the top: ``kibitz analyze``, ``track``, ``import``, ``export``."""
    from kibitz.catan.commands.analyze import analyze
    from kibitz.catan.commands.logs import export, import_log
    from kibitz.catan.commands.track import track

    return {"analyze": analyze, "track": track, "import": import_log, "export": export}
