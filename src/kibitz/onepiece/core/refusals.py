"""Broken rules in words, with the names of the action filled in."""

from __future__ import annotations

from kibitz.game import States
from kibitz.game.actions import IllegalAction
from kibitz.game.reasons import no_action
from kibitz.onepiece.core import reasons
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import Arena


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    if reason == reasons.UNKNOWN_ACTION:
        return no_action(code)
    s: Arena = states[0]
    action = Action.from_code(code, s.table)
    values = {"action": action.to_text(), "phase": reasons.WAITS_FOR[s.waiting.name], "actor": s.actor() + 1}
    return IllegalAction(action, reasons.NAMES[reason], reasons.TEXTS[reason].format(**values))
