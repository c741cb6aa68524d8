"""Catan in words, as one seat hears of it: what happens as sentences without a full stop, cards as people name them.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.events import Award, Build
>>> from kibitz.catan.core.state import new_states
>>> states = new_states(Board.beginner(), 2)
>>> told(Award(0, "longest_road"), ("You", "Bob"), states), told(Build(1, "road", edge=(3, 4)), ("You", "Bob"), states, True)
('You have longest road', 'Bob built a road on 3-4')
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.events import Award, Build, Event, MoveRobber
from kibitz.game import States


def told(event: Event, names: Sequence[str], states: States, places: bool = False) -> str:
    """An event in words, with the names of the players (``You`` for who is told), and with what lies on a hex.

    With `places` for who has no picture: also where something is built, and the number of a hex.
    """
    words = event.text(names)
    if isinstance(event, MoveRobber) and event.hex is not None:
        where = hex_words(states, event.hex)
        words = words.replace(f"hex {event.hex}", f"h{event.hex} ({where})" if places else where)
    elif isinstance(event, Build) and places and (event.corner is not None or event.edge):
        words = words.removesuffix(" for free") + f" on {'-'.join(map(str, event.edge)) if event.edge else event.corner}"
    elif isinstance(event, Award):
        words = words.replace("You has", "You have")
    return words[:1] + re.sub(r"\bYou\b", "you", words[1:]).replace("the offer of you", "your offer")


def hex_words(states: States, hex: int) -> str:
    """What lies on a hex: ``wood 6``, ``the desert``."""
    terrain, number = int(states["terrain"][0, hex]), int(states["number"][0, hex])
    return "the desert" if terrain < 0 else f"{RESOURCES[terrain]} {number}"
