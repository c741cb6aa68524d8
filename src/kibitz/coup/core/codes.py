"""The integer codes of actions and outcomes: one range per kind, in the order of a turn.

An action is ``base + parameter``; `kibitz.coup.core.actions` gives them names and types.
"""

from __future__ import annotations

from kibitz.coup.core.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, KINDS, NONE, PAIRS
from kibitz.coup.core.state import SEATS
from kibitz.ground.jit import Vector, table

#: The ranges in ascending order, each with the number of its codes.
RANGES: dict[str, int] = {
    "income": 1,
    "foreign_aid": 1,
    "tax": 1,
    "exchange": 1,
    "coup": SEATS,
    "assassinate": SEATS,
    "steal": SEATS,
    "allow": 1,
    "challenge": 1,
    "block": KINDS,
    "show": KINDS,
    "lose": KINDS,
    "return_cards": len(PAIRS),
    "drawn": KINDS,
    "drawn_two": len(PAIRS),
}
BASE: dict[str, int] = {kind: sum(list(RANGES.values())[:i]) for i, kind in enumerate(RANGES)}

DO_INCOME = BASE["income"]
DO_FOREIGN_AID = BASE["foreign_aid"]
DO_TAX = BASE["tax"]
DO_EXCHANGE = BASE["exchange"]
DO_COUP = BASE["coup"]
DO_ASSASSINATE = BASE["assassinate"]
DO_STEAL = BASE["steal"]
ALLOW = BASE["allow"]
DO_CHALLENGE = BASE["challenge"]
DO_BLOCK = BASE["block"]
DO_SHOW = BASE["show"]
DO_LOSE = BASE["lose"]
DO_RETURN = BASE["return_cards"]
DRAWN = BASE["drawn"]
DRAWN_TWO = BASE["drawn_two"]
ALL_CODES = DRAWN_TWO + RANGES["drawn_two"]

#: What others perceive of drawn cards (one, two) and of those that an exchange returns.
UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN = -1, -2, -3

# By action: income, foreign aid, tax, exchange, coup, assassinate, steal.
COST: Vector = table([0, 0, 0, 0, 7, 3, 0])
#: What it brings: out of the treasury, and for a theft out of the target's coins.
GAIN: Vector = table([1, 2, 3, 0, 0, 0, 2])
CLAIMS: Vector = table([NONE, NONE, DUKE, AMBASSADOR, NONE, ASSASSIN, CAPTAIN])
#: The characters that block an action: one, and for a theft a second.
BLOCKED_BY: Vector = table([NONE, DUKE, NONE, NONE, NONE, CONTESSA, CAPTAIN])
BLOCKED_BY_TOO: Vector = table([NONE, NONE, NONE, NONE, NONE, NONE, AMBASSADOR])
