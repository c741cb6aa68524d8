"""Whether something is being compiled now: what is asked for the first time on a machine takes about a minute longer.

>>> compiling()
False
"""

import threading
from pathlib import Path
from typing import Any

from kibitz.ground.jit import COMPILED, PACKAGE

#: What people are told while that goes on.
COMPILING = "Compiling for this machine: about a minute, the first time only."

_lock = threading.Lock()
_busy: list[str] = []


def compiling() -> bool:
    """Whether a function of Kibitz is being compiled, in whatever thread (not merely loaded)."""
    return bool(_busy)


def _listen() -> None:
    from numba.core import event

    def is_ours(compilation: Any) -> bool:
        return Path(compilation.data["dispatcher"].py_func.__code__.co_filename).is_relative_to(PACKAGE)

    class Listener(event.Listener):  # type: ignore[misc]
        """Keeps the names of what is being compiled."""

        def on_start(self, compilation: Any) -> None:
            if is_ours(compilation):
                with _lock:
                    _busy.append(compilation.data["dispatcher"].py_func.__name__)

        def on_end(self, compilation: Any) -> None:
            if is_ours(compilation):
                with _lock:
                    _busy.remove(compilation.data["dispatcher"].py_func.__name__)

    event.register("numba:compile", Listener())


if COMPILED:
    _listen()
