"""Broken rules in words, with the names of the action filled in."""

from __future__ import annotations

from kibitz.catan.core import reasons
from kibitz.catan.core.actions import Action
from kibitz.catan.core.position import PHASES
from kibitz.catan.core.state import CITIES, FRIENDLY_POINTS, ROADS, SETTLEMENTS
from kibitz.game import States, actor_at
from kibitz.game.actions import IllegalAction
from kibitz.game.reasons import no_action


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    return no_action(code) if reason == reasons.UNKNOWN_ACTION else refuse_action(states, Action.from_code(code), reason)


def refuse_action(states: States, action: Action, reason: int) -> IllegalAction:
    """The same for any action, a plan too."""
    data = action.data
    values = {
        "action": action.to_text(),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_at(states, 0) + 1,
        "corner": data.get("corner"),
        "hex": data.get("hex"),
        "edge": "-".join(map(str, data.get("edge", ()))),
        "seat": data.get("victim", data.get("partner", -1)) + 1,
        "roads": ROADS,
        "settlements": SETTLEMENTS,
        "cities": CITIES,
        "friendly_points": FRIENDLY_POINTS,
    }
    return IllegalAction(action, reasons.NAMES[reason], reasons.TEXTS[reason].format(**values))
