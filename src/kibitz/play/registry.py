"""Where games are found: those of this house by their names, those of somebody else by the names of their files.

>>> profile("coup").title
'Coup'
>>> profile("chess")
Traceback (most recent call last):
...
kibitz.play.registry.UnknownGame: 'chess': no such game; these are catan, coup, onepiece, or a file: my_game.py
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import kibitz

if TYPE_CHECKING:
    from kibitz.play.profile import Profile


class UnknownGame(ValueError):
    """A name that no game has; the message is one line for people."""


@cache
def profile(name: str) -> Profile:
    """The profile of a game of this house. Raises `UnknownGame`."""
    if name not in kibitz.GAMES:
        raise UnknownGame(f"{name[:40]!r}: no such game; these are {', '.join(kibitz.GAMES)}, or a file: my_game.py")
    found: Profile = import_module(f"kibitz.{name}.profile").PROFILE
    return found


def profiles() -> list[Profile]:
    """All games of this house, in their order."""
    return [profile(name) for name in kibitz.GAMES]
