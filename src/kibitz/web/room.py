"""Memory that all games share which are followed at once, in pages and through the API.

What a game knows can be worked out again from what it was told. So those that were not looked at for longest give it up
when all together take too much.

>>> rested = []
>>> room = Room(100)
>>> room.take("first", 60, lambda: not rested.append("first"))
>>> room.take("second", 60, lambda: not rested.append("second"))
>>> rested, room.taken
(['first'], 60)
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable


class Room:
    """So many bytes. Its methods may be called from any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._holders: OrderedDict[Hashable, tuple[int, Callable[[], bool]]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, holder: Hashable, nbytes: int, rest: Callable[[], bool]) -> None:
        """A holder was looked at, and takes so much now. `rest` makes it give that up, at once, or says that it cannot now."""
        with self._lock:
            self._holders[holder] = nbytes, rest
            self._holders.move_to_end(holder)
            taken = sum(size for size, _ in self._holders.values())
            for other, (size, rest_other) in [*self._holders.items()][:-1]:
                if taken <= self._most:
                    return
                if rest_other():
                    del self._holders[other]
                    taken -= size

    def leave(self, holder: Hashable) -> None:
        """A holder is no more."""
        with self._lock:
            self._holders.pop(holder, None)

    @property
    def taken(self) -> int:
        """What all together take, as far as they said."""
        with self._lock:
            return sum(size for size, _ in self._holders.values())
