"""Why an action is illegal: the numbers that `rules.why_not` returns, and what they tell a person, in words."""

from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import PHASES
from kibitz.game import States, actor_at
from kibitz.game.actions import IllegalAction, no_action, numbered

_TEXTS = {
    "MUST_COUP": "a player with 10 or more coins must coup",
    "CANNOT_PAY": "player {actor} cannot pay for it",
    "NO_SUCH_PLAYER": "there is no player {target} at this table",
    "OWN_TARGET": "nobody can be the target of their own action",
    "TARGET_IS_OUT": "player {target} is out of the game",
    "NOTHING_TO_STEAL": "player {target} has no coins",
    "DOES_NOT_BLOCK": "the {card} does not block that",
    "NOT_CLAIMED": "the {card} is not what player {actor} claimed",
    "NOT_HELD": "player {actor} does not hold these cards",
    "SHOW_OR_LOSE_ANOTHER": "the {card} was claimed: show it, or lose another card",
}

#: The number of each reason by name (0 means legal), and the sentence of each number.
NUMBERS, TEXTS = numbered(_TEXTS)
#: The name of each number.
NAMES = {number: name for name, number in NUMBERS.items()}

(
    UNKNOWN_ACTION, GAME_IS_OVER, WRONG_PHASE, CHANCE_DECIDES, NO_SUCH_OUTCOME, MUST_COUP, CANNOT_PAY, NO_SUCH_PLAYER,
    OWN_TARGET, TARGET_IS_OUT, NOTHING_TO_STEAL, DOES_NOT_BLOCK, NOT_CLAIMED, NOT_HELD, SHOW_OR_LOSE_ANOTHER,
) = NUMBERS.values()  # fmt: skip


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    if reason == UNKNOWN_ACTION:
        return no_action(code)
    action = Action.from_code(code)
    values = {
        "action": action.to_text(),
        "phase": PHASES[int(states["phase"][0])],
        "actor": actor_at(states, 0) + 1,
        "target": None if action.target is None else action.target + 1,
        "card": action.cards[0].title() if action.cards else None,
    }
    return IllegalAction(action, NAMES[reason], TEXTS[reason].format(**values))
