"""Coup: exact rules for two to six players.

>>> from kibitz import coup
>>> state = coup.GameState.new(seats=3, seed=7).resolve()
>>> [action.to_text() for action in state.legal_actions()]
['income', 'foreign_aid', 'tax', 'exchange', 'steal 2', 'steal 3']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.coup.core import *  # noqa: F403
else:  # the profile of the game is cheap to import, its rules are not

    def __getattr__(name: str) -> Any:
        core = import_module("kibitz.coup.core")
        if name not in core.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(core, name)
