"""Broken rules in words, with the names of the action filled in."""

from __future__ import annotations

from kibitz.coup.core import reasons
from kibitz.coup.core.actions import Action
from kibitz.coup.core.position import PHASES
from kibitz.game import States, actor_at
from kibitz.game.actions import IllegalAction
from kibitz.game.reasons import no_action


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    if reason == reasons.UNKNOWN_ACTION:
        return no_action(code)
    action = Action.from_code(code)
    values = {
        "action": action.to_text(),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_at(states, 0) + 1,
        "target": None if action.target is None else action.target + 1,
        "card": action.cards[0].title() if action.cards else None,
    }
    return IllegalAction(action, reasons.NAMES[reason], reasons.TEXTS[reason].format(**values))
