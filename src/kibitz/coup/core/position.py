"""A position as named values: what the records hold after each step and what a stranger can check.

The fields are documented in ``docs/coup.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.cards import CHARACTERS
from kibitz.game import actor_at, to_dict
from kibitz.game.definition import actor_name, seat_or_none

#: The names of the phases, by their numbers in `kibitz.coup.core.state`.
PHASES = ("DEAL", "ACTION", "CHALLENGE", "SHOW", "REPLACE", "LOSE", "BLOCK", "DRAW", "RETURN", "GAME_OVER")
#: The names of the actions of a turn, likewise.
ACTIONS = ("income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal")


def cards_of(counts: list[int]) -> list[str]:
    """The names of cards that are counted by character."""
    return [character.value for character, n in zip(CHARACTERS, counts, strict=True) for _ in range(n)]


def position(states: npt.NDArray[np.void], i: int = 0) -> dict[str, Any]:
    """Everything true in ``states[i]``, hidden or not, by the names of ``docs/coup.md``."""
    row = to_dict(states, i)
    seats = range(row["seats"])
    return {
        "phase": PHASES[row["phase"]],
        "actor": actor_name(actor_at(states, i)),
        "player": row["player"],
        "turn": row["turn"],
        "hands": [cards_of(row["hand"][seat]) for seat in seats],
        "revealed": [cards_of(row["revealed"][seat]) for seat in seats],
        "deck": cards_of(row["deck"]),
        "coins": row["coins"][: len(seats)],
        "treasury": row["treasury"],
        "action": ACTIONS[row["action"]] if row["action"] >= 0 else None,
        "target": seat_or_none(row["target"]),
        "claim": CHARACTERS[row["claim"]].value if row["claim"] >= 0 else None,
        "blocker": seat_or_none(row["blocker"]),
        "challenger": seat_or_none(row["challenger"]),
        "winner": seat_or_none(row["winner"]),
    }
