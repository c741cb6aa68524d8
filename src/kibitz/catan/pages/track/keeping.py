"""Where a game that is followed lies in the library, and how it is kept there without a change in another window being lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kibitz.web.store import Store

#: What is said where two windows have changed the same game.
ELSEWHERE = "this game was changed in another window: what you do here is kept as a game of its own"


@dataclass(frozen=True)
class Opened:
    """Where a game lies in the library, whether it is ours to change there, and the moment to show (None: the end)."""

    id: str
    mine: bool = True
    at: int | None = None
    seen: datetime | None = None
    """When it was changed last, as far as we know."""


#: A game that is nowhere yet.
NEW = Opened("", mine=False)


def saved_as(store: Store, title: str, data: Any, kept: Opened = NEW) -> Opened:
    """Keep a game in the library, where it was if nobody else has changed it there. Raises `NotSaved`."""
    id = store.save("log", title, data, kept.id if kept.mine else None, seen=kept.seen)
    return Opened(id, True, kept.at, store.changed(id))
