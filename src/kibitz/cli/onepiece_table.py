"""A position of the One Piece card game as text: what one player (or everybody) sees, within 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.onepiece.game_state import GameState, PlayerState, UnitState


def unit_line(unit: UnitState) -> str:
    """``C2 TW-004 Barge Hauler   6000  rested  1 DON!!  blocker``."""
    marks = ["rested"] * unit.rested + [f"{unit.don} DON!!"] * (unit.don > 0) + list(unit.keywords)
    return f"{unit.place:2} {unit.card:7} {unit.name[:32]:32} {unit.power:6}  {'  '.join(marks)}".rstrip()


def player_lines(player: PlayerState, name: str, turn: bool) -> list[str]:
    """A player's side of the table."""
    don = f"DON!! {player.active_don} active, {player.rested_don} rested, {player.don_deck} left"
    head = f"player {player.seat + 1} {name}{' <' if turn else ''}: Life {player.life}, deck {player.deck_size}, {don}"
    units = [player.leader, *player.characters, *([player.stage] if player.stage else [])]
    return [
        head,
        *(f"  {unit_line(unit)}" for unit in units),
        *_folded("  hand:", player.hand),
        *_folded("  trash:", player.trash),
    ]


def _folded(label: str, cards: Sequence[str | None]) -> list[str]:
    """Cards by id with their numbers, in lines that fit."""
    counts = Counter("?" if card is None else card for card in cards)
    words = [f"{n}x {card}" if n > 1 else card for card, n in sorted(counts.items())]
    lines, line = [], label
    for word in words or ["-"]:
        if len(line) + len(word) + 1 > 78:
            lines.append(line)
            line = " " * len(label)
        line += f" {word}"
    return [*lines, line]


def position_text(state: GameState, names: Sequence[str] = ("", "")) -> str:
    """Both sides of the table."""
    lines = []
    for player, name in zip(state.players, names, strict=True):
        plain = "".join(letter for letter in name if letter.isprintable())[:20]
        lines += player_lines(player, plain, player.seat == state.current_player_id)
    return "\n".join(lines)


def print_position(state: GameState, title: str, names: Sequence[str]) -> None:
    """Print a position; < marks whose turn it is."""
    print(title)
    print(position_text(state, names))
