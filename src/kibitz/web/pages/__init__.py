"""The pages. Each has a `LINK` for the navigation, and `register`, which is given the services."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol, cast

from kibitz.play.profile import Profile
from kibitz.web.games import GameKind
from kibitz.web.layout import Link, Visit, family, frame, visited
from kibitz.web.services import Services


class Page(Protocol):
    """What a page offers."""

    @property
    def LINK(self) -> Link:  # noqa: N802 - modules have it as a constant
        """For the navigation."""

    def register(self, services: Services) -> None:
        """Make the page known to the app."""


@dataclass(frozen=True)
class VisitedPage:
    """A page that is built anew for each visitor, and the kind of game that is played there, if one is."""

    LINK: Link
    make: Callable[[Services], Visit]
    kind: Callable[[], GameKind[Any]] | None = None
    below: Mapping[str, Callable[[Services], Visit]] = field(default_factory=dict)
    """Pages that share its link, by their addresses; ``{id}`` in one is handed to the page like a part of the query."""

    def register(self, services: Services) -> None:
        """Make the page and its game known."""
        if self.kind is not None:
            services.games.add(self.kind())
        for path, make in {self.LINK.path: self.make, **self.below}.items():
            visited(path, lambda _: frame(self.LINK.name, self.LINK.path), partial(make, services))


Visits = Mapping[str, tuple[str, str, Callable[[Services], Visit]]]
"""Pages by their addresses: the name, a sentence about it, and what builds it for a visitor."""


@dataclass(frozen=True)
class Family:
    """The pages of a game that share one link."""

    LINK: Link
    kind: Callable[[], GameKind[Any]]
    classes: str
    pages: Visits

    def register(self, services: Services) -> None:
        """Make the pages and their game known."""
        services.games.add(self.kind())
        told = {path: (name, about) for path, (name, about, _) in self.pages.items()}
        for path, (_, _, make) in self.pages.items():
            visited(path, partial(family, self.LINK.name, told, self.classes), partial(make, services))


def pages(profiles: Sequence[Profile]) -> list[tuple[Page, Link]]:
    """All pages with their links, in the order of the navigation."""
    from kibitz.web.pages import house
    from kibitz.web.pages.anygame import any_page

    found: list[tuple[Page, Link]] = []
    for game in profiles:
        own = game.pages() or [any_page(game)]
        found += [(page, replace(page.LINK, game=game.title)) for page in own]
    return [*found, (cast("Page", house), house.LINK)]
