"""The court: five characters, three cards each, and what each of them lets a player do or block."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations_with_replacement

from kibitz.ground.jit import Vector, table


class Character(StrEnum):
    """The characters, in the order that is used everywhere."""

    DUKE = "duke"
    ASSASSIN = "assassin"
    CAPTAIN = "captain"
    AMBASSADOR = "ambassador"
    CONTESSA = "contessa"


CHARACTERS = tuple(Character)
KINDS = len(CHARACTERS)
DUKE, ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA = range(KINDS)
#: No character.
NONE = -1

COPIES = 3
CARDS = KINDS * COPIES

#: Two cards in no particular order, as the deck deals them and as an exchange returns them.
PAIRS = list(combinations_with_replacement(range(KINDS), 2))
PAIR_FIRST: Vector = table([a for a, _ in PAIRS])
PAIR_SECOND: Vector = table([b for _, b in PAIRS])
