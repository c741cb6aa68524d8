"""The One Piece card game: full rules, with effects as data.

>>> from kibitz import onepiece
>>> state = onepiece.GameState.new("tide", "ember", seed=3).resolve()
>>> [action.to_text() for action in state.legal_actions()]
['keep', 'redraw']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kibitz.onepiece.core import *  # noqa: F403
else:  # the profile of the game is cheap to import, its rules are not

    def __getattr__(name: str) -> Any:
        core = import_module("kibitz.onepiece.core")
        if name not in core.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(core, name)
