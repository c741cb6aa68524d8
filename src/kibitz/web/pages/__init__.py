"""The pages. Each has a `LINK` for the navigation (or None), and `register`, which is given the services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from kibitz.play.registry import profiles
from kibitz.web.layout import Link
from kibitz.web.services import Services


class Page(Protocol):
    """What a page offers."""

    LINK: Link | None

    def register(self, services: Services) -> None:
        """Make the page known to the app."""


def pages() -> list[Page]:
    """All pages, in the order of the navigation."""
    from kibitz.web.pages import games, home, library, missing

    of_games: Sequence[object] = [page for game in profiles() for page in game.pages()]
    return [cast("Page", page) for page in (home, *of_games, games, library, missing)]
