"""Settlers of Catan: exact rules at thousands of games a second.

>>> from kibitz import catan
>>> state = catan.GameState.new(catan.Board.beginner(), seed=7)
>>> len(state.legal_actions())
54
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.catan.core import *  # noqa: F403
else:  # the profile of the game is cheap to import, its rules are not

    def __getattr__(name: str) -> Any:
        core = import_module("kibitz.catan.core")
        if name not in core.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(core, name)
