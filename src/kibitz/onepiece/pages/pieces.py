"""What the pages of the One Piece card game share: the way between them, keys on buttons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui.elements.mixins.text_element import TextElement

from kibitz.web.layout import family
from kibitz.web.parts import text

#: What a card says is shown where the pointer or the focus is: a large copy of its face, and its hidden words.
READ = """(event) => {
  const found = event.target.closest(".op-card[data-id]"), shown = document.querySelector(".op-preview");
  if (!found || !shown) return;
  const large = document.createElement("span");
  const passing = ["can", "chosen", "target", "rested", "attacks", "attacked", "tiny"];
  large.className = [...found.classList].filter((name) => !passing.includes(name)).join(" ");
  large.append(found.querySelector(".op-face").cloneNode(true));
  shown.replaceChildren(large, found.querySelector(".op-words").cloneNode(true));
  if (event.type === "focusin") window.kibitzCard = found.dataset.id;
}"""
#: The pages: address, name, one sentence.
PAGES = {
    "/onepiece": ("Play", "A game with the starter decks against a bot, by the full rules."),
    "/onepiece/loops": ("Loop lab", "What goes round for ever, what the rules say about it, and the way out."),
}


@contextmanager
def onepiece_frame(path: str) -> Iterator[None]:
    """The frame of a page of the One Piece card game."""
    with family("One Piece", path, PAGES, "op-page"):
        yield


def key_cap(key: str) -> TextElement:
    """The key of a choice, as it is printed on the button."""
    return text("kbd", key.upper()).props('aria-hidden="true"')
