"""The pages. Each module here is one: a `LINK` for the navigation (or None), and `register`, which is given the services."""

from __future__ import annotations

from typing import Protocol, cast

from kibitz.web.layout import Link
from kibitz.web.pages import analyse, coup, games, home, library, missing, onepiece, play, review, track
from kibitz.web.services import Services


class Page(Protocol):
    """What a module of this package offers."""

    LINK: Link | None

    def register(self, services: Services) -> None:
        """Make the page known to the app."""


#: All pages, in the order of the navigation.
PAGES = [cast("Page", module) for module in (home, analyse, track, play, review, coup, onepiece, games, library, missing)]
