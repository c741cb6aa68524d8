"""The pages. Each has a `LINK` for the navigation (or None), and `register`, which is given the services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, cast

from kibitz.play.profile import Profile
from kibitz.web.games import GameKind
from kibitz.web.layout import Link, Visit, frame, visited
from kibitz.web.services import Services


class Page(Protocol):
    """What a page offers."""

    @property
    def LINK(self) -> Link | None:  # noqa: N802 - modules have it as a constant
        """For the navigation."""

    def register(self, services: Services) -> None:
        """Make the page known to the app."""


@dataclass(frozen=True)
class VisitedPage:
    """A page that is built anew for each visitor, and the kind of game that is played there, if one is."""

    LINK: Link
    make: Callable[[Services], Visit]
    kind: Callable[[], GameKind[Any]] | None = None

    def register(self, services: Services) -> None:
        """Make the page and its game known."""
        if self.kind is not None:
            services.games.add(self.kind())
        visited(self.LINK.path, partial(frame, self.LINK.name), partial(self.make, services))


def pages(profiles: Sequence[Profile]) -> list[tuple[Page, Link | None]]:
    """All pages with their links, in the order of the navigation."""
    from kibitz.web.pages import house
    from kibitz.web.pages.anygame import any_page

    found: list[tuple[Page, Link | None]] = []
    for game in profiles:
        own = game.pages() or [any_page(game)]
        found += [(page, page.LINK and replace(page.LINK, game=game.title)) for page in own]
    return [*found, (cast("Page", house), house.LINK)]
