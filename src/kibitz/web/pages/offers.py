"""What is in the library, offered to be opened: the same list on every page that has one."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.web.layout import opened_at
from kibitz.web.parts import box, card, text
from kibitz.web.store import Item


def when(item: Item) -> str:
    """When something was changed last, by the clock of this machine."""
    return item.changed.astimezone().strftime("%Y-%m-%d %H:%M")


def offer(title: str, items: Iterable[Item], page: str | None = None, prefix: str = "") -> None:
    """A card with links: `page` is the address up to the id (None: by the kind), `prefix` what nobody need read in a title."""
    with card(title), box("offers"):
        for item in items:
            with box("offer", "a") as made:
                text("span", item.title.removeprefix(prefix))
                text("span", when(item), "muted small num")
            made.props["href"] = f"{page or opened_at(item.kind)}{item.id}"
