"""The pages. Each has a `LINK` for the navigation (or None), and `register`, which is given the services."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, cast

from kibitz.play.profile import Profile
from kibitz.web.layout import Link
from kibitz.web.services import Services


class Page(Protocol):
    """What a page offers."""

    LINK: Link | None

    def register(self, services: Services) -> None:
        """Make the page known to the app."""


def pages(profiles: Sequence[Profile]) -> list[tuple[Page, Link | None]]:
    """All pages with their links, in the order of the navigation."""
    from kibitz.web.pages import games, home, library, missing
    from kibitz.web.pages.anygame import AnyPage

    found: list[tuple[Page, Link | None]] = [(cast("Page", home), None)]
    for game in profiles:
        own = game.pages() or [AnyPage(game)]
        found += [(page, page.LINK and replace(page.LINK, game=game.title)) for page in own]
    return found + [(page, page.LINK) for page in cast("list[Page]", [games, library, missing])]
