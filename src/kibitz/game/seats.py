"""Who is meant: seats, and those who sit nowhere, as they stand in files and in sentences."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.game import CHANCE, OVER

#: The observer who sits nowhere.
SPECTATOR = -1


class Told(NamedTuple):
    """One sentence about a game: in which turn, and of which seat it tells (-1: of nobody)."""

    turn: int
    seat: int
    text: str


def actor_name(seat: int) -> int | str | None:
    """A seat, ``"chance"``, or None when the game is over.

    >>> [actor_name(seat) for seat in (1, CHANCE, OVER)]
    [1, 'chance', None]
    """
    return "chance" if seat == CHANCE else None if seat == OVER else seat


def seat_or_none(seat: int) -> int | None:
    """None for nobody, who is -1 in all states.

    >>> seat_or_none(-1), seat_or_none(0)
    (None, 0)
    """
    return None if seat < 0 else seat


def observer_name(observer: int) -> str:
    """A player, counted from 1, or a spectator.

    >>> observer_name(0), observer_name(SPECTATOR)
    ('player 1', 'a spectator')
    """
    return "a spectator" if observer == SPECTATOR else f"player {observer + 1}"
