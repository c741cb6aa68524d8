"""Words about the One Piece card game in lines that fit a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from kibitz.cli.tables import WIDTH
from kibitz.onepiece.core.words import card_facts

if TYPE_CHECKING:
    from kibitz.onepiece.core.cards import Card


def card_lines(card: Card, price: int | None = None, indent: str = "") -> list[str]:
    """A card with its text, in lines that fit."""
    head = textwrap.wrap(f"{card.id} {card_facts(card, price)}", WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
    space = f"{indent}    "
    return head + textwrap.wrap(card.text, WIDTH, initial_indent=space, subsequent_indent=space)
