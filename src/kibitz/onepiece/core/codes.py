"""Action codes: integers in ranges, one range for each kind of action.

A slot is a place on the field (0 the Leader, 1 to 5 the Characters, 6 the Stage); a design is the number of a card in the
match's `Table`. Codes of designs begin at multiples of `DESIGNS`.
"""

from __future__ import annotations

from kibitz.onepiece.core.arena import SLOTS

DESIGNS = 1000

PASS, END_TURN, KEEP, REDRAW, YES, NO, DONE, SETTLE, RETURN_RESTED, RETURN_ACTIVE = range(10)
#: So many abilities of a card, options of a choice and waiting effects can be told apart.
ABILITIES, OPTIONS, WAITING = 4, 10, 30
OPTION = 20
RESOLVE = 40
DECLINE = RESOLVE + WAITING
GIVE = 100
BLOCK = GIVE + SLOTS
RETURN_GIVEN = BLOCK + SLOTS
TARGET = RETURN_GIVEN + SLOTS
"""A card on the field is chosen: TARGET + seat * SLOTS + slot."""
ATTACK = TARGET + 2 * SLOTS
"""ATTACK + attacker's slot * SLOTS + target's slot."""
ACTIVATE = ATTACK + SLOTS * SLOTS
"""ACTIVATE + slot * ABILITIES + ability."""
PLAY = DESIGNS
COUNTER = 2 * DESIGNS
PICK = 3 * DESIGNS
DRAWN = 4 * DESIGNS
END = 5 * DESIGNS

#: What others perceive of a card that they do not see.
UNSEEN_DRAW, UNSEEN_PICK = -1, -2
