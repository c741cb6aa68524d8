"""A position of the One Piece card game as text: what one player (or everybody) sees, within 80 columns.

Words about the One Piece card game in lines that fit a terminal.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.cli.tables import WIDTH
from kibitz.ground.figures import printable
from kibitz.onepiece.core.words import card_facts

if TYPE_CHECKING:
    from kibitz.onepiece.core.game_state import GameState, PlayerState, UnitState


def unit_line(unit: UnitState) -> str:
    """``C2 TW-004 Barge Hauler   6000  rested  1 DON!!  blocker``."""
    marks = ["rested"] * unit.rested + [f"{unit.don} DON!!"] * (unit.don > 0) + list(unit.keywords)
    strength = "" if unit.place == "S" else str(unit.power)
    return f"{unit.place:2} {unit.card:8} {unit.name[:30]:30} {strength:>6}  {'  '.join(marks)}".rstrip()


def player_lines(state: GameState, player: PlayerState, name: str, texts: bool) -> list[str]:
    """A player's side of the table: numbers, field, hand, trash; `texts` prints what the cards in hand say."""
    turn = " <" if player.seat == state.current_player_id else ""
    who = f"player {player.seat + 1}{f' ({name})' if name else ''}{turn}"
    don = f"DON!! {player.active_don} active, {player.rested_don} rested, {player.don_deck} left"
    units = [player.leader, *player.characters, *([player.stage] if player.stage else [])]
    return [
        f"{who}: Life {player.life}, deck {player.deck_size}, {don}",
        *(f"  {unit_line(unit)}" for unit in units),
        *hand_lines(state, player, texts),
        *_folded("  trash:", player.trash),
    ]


def hand_lines(state: GameState, player: PlayerState, texts: bool) -> list[str]:
    """The cards of a hand that are known, with their numbers, and how many are not."""
    from kibitz.onepiece.core.effects.power import cost_in_hand
    from kibitz.onepiece.core.words import card_facts

    s = state.state
    counts = Counter(card for card in player.hand if card is not None)
    lines = []
    for identity, n in sorted(counts.items()):
        design = s.table.number[identity]
        card, price = s.table.cards[design], cost_in_hand(s, player.seat, design)
        found = card_lines(card, price, " " * 7) if texts else [f"{' ' * 7}{identity} {card_facts(card, price)}"[:79]]
        lines += [f"    {n}x {found[0][7:]}" if n > 1 else found[0], *found[1:]]
    unseen = len(player.hand) - sum(counts.values())
    if not lines:
        return [f"  hand: {unseen} unseen" if unseen else "  hand: -"]
    return ["  hand:", *lines, *([f"{' ' * 7}{unseen} unseen"] if unseen else [])]


def _folded(label: str, cards: Sequence[str | None]) -> list[str]:
    """Cards by id with their numbers, in lines that fit; nothing if there are none."""
    counts = Counter("?" if card is None else card for card in cards)
    words = [f"{n}x {card}" if n > 1 else card for card, n in sorted(counts.items())]
    if not words:
        return []
    lines, line = [], label
    for word in words:
        if len(line) + len(word) + 1 > 78:
            lines.append(line)
            line = " " * len(label)
        line += f" {word}"
    return [*lines, line]


def position_text(state: GameState, names: Sequence[str] = ("", ""), texts: bool = False) -> str:
    """Both sides of the table; < marks whose turn it is. The observer's side comes last, next to what is typed."""
    order = [1, 0] if state.observer == 0 else [0, 1]
    lines = []
    for seat in order:
        lines += player_lines(state, state.players[seat], printable(names[seat])[:12], texts)
    return "\n".join(lines)


def print_position(state: GameState, title: str, names: Sequence[str]) -> None:
    """Print a position; < marks whose turn it is."""
    print(title)
    print(position_text(state, names))


# --- Cards ------------------------------------------------------------------------------------------------


if TYPE_CHECKING:
    from kibitz.onepiece.core.cards import Card


def card_lines(card: Card, price: int | None = None, indent: str = "") -> list[str]:
    """A card with its text, in lines that fit."""
    head = textwrap.wrap(f"{card.id} {card_facts(card, price)}", WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
    space = f"{indent}    "
    return head + textwrap.wrap(card.text, WIDTH, initial_indent=space, subsequent_indent=space)
