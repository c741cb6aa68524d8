"""Why an action is illegal: the numbers that `why_not` returns, and what they tell a person, in words."""

from kibitz.game import States
from kibitz.game.actions import IllegalAction, no_action, numbered
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import Arena

_TEXTS = {
    "NOT_OFFERED": "{action} is none of the choices: the game waits for {phase}",
    "NOT_IN_HAND": "player {actor} does not hold that card",
    "CANNOT_PAY": "the cost is more than the active DON!! of player {actor}; costs are paid whole or not at all",
    "CANNOT_PAY_EFFECT": "the cost of the effect cannot be paid; costs are paid whole or not at all",
    "NOT_AT_THIS_TIME": "the card has no effect for this step: [Main] and [Counter] say when an Event is played",
    "NO_COUNTER": "the card has no printed counter",
    "NO_BLOCKER": "only an active Character with [Blocker] can block",
    "NOTHING_TO_ACTIVATE": "there is no [Activate: Main] effect there",
    "ONCE_PER_TURN": "[Once Per Turn]: the effect was used this turn",
    "DON_NOT_GIVEN": "[DON!! xN]: not enough DON!! are given to the card",
    "NOT_THIS_TURN": "[Your Turn] and [Opponent's Turn]: the effect is for the other player's turn",
    "NO_ACTIVE_DON": "player {actor} has no active DON!! to give",
    "NOTHING_THERE": "there is no Leader or Character there",
    "FIRST_TURN": "neither player battles on their own first turn",
    "ATTACKER_RESTED": "a rested card cannot attack",
    "TARGET_ACTIVE": "only the Leader or a rested Character can be attacked",
    "FRESH": "a Character cannot attack in the turn in which it is played, unless it has [Rush]",
    "RUSH_CHARACTER": "[Rush: Character]: in the turn in which it is played, the Character attacks only Characters",
    "MAY_NOT_ATTACK": "an effect forbids this attack",
}

#: What the game waits for (the names of `Wait`), and what the player who is asked has to do.
WAITS_FOR = {
    "DRAWN": ("chance", ""),
    "MULLIGAN": ("keep or redraw", "to keep or redraw"),
    "MAIN": ("an action of the Main Phase", "in the Main Phase"),
    "BLOCK": ("a block or pass", "to block or not"),
    "COUNTER": ("a counter or pass", "to counter or not"),
    "LIFE_TRIGGER": ("yes or no to a [Trigger]", "to use a [Trigger] or not"),
    "RESOLVE": ("an effect to be resolved", "to resolve an effect"),
    "CHOOSE": ("cards to be chosen", "to choose cards"),
    "CONFIRM": ("yes or no", "to say yes or no"),
    "OPTION": ("an option", "to choose an option"),
    "RETURN_DON": ("DON!! to be returned", "to return DON!!"),
    "MAKE_ROOM": ("a Character that makes room for the sixth", "to make room for a sixth Character"),
    "SETTLE": ("permanent effects to settle", "while permanent effects settle"),
    "OVER": ("nothing", ""),
}

#: The number of each reason by name (0 means legal), and the sentence of each number.
NUMBERS, TEXTS = numbered(_TEXTS)
#: The name of each number.
NAMES = {number: name for name, number in NUMBERS.items()}

(
    UNKNOWN_ACTION, GAME_IS_OVER, WRONG_PHASE, CHANCE_DECIDES, NO_SUCH_OUTCOME, NOT_OFFERED, NOT_IN_HAND, CANNOT_PAY,
    CANNOT_PAY_EFFECT, NOT_AT_THIS_TIME, NO_COUNTER, NO_BLOCKER, NOTHING_TO_ACTIVATE, ONCE_PER_TURN, DON_NOT_GIVEN,
    NOT_THIS_TURN, NO_ACTIVE_DON, NOTHING_THERE, FIRST_TURN, ATTACKER_RESTED, TARGET_ACTIVE, FRESH, RUSH_CHARACTER,
    MAY_NOT_ATTACK,
) = NUMBERS.values()  # fmt: skip


def refuse(states: States, code: int, reason: int) -> IllegalAction:
    """Why the action of a code is illegal in ``states[0]``, from the number of the rule that it breaks."""
    if reason == UNKNOWN_ACTION:
        return no_action(code)
    s: Arena = states[0]
    action = Action.from_code(code, s.table)
    values = {"action": action.to_text(), "phase": WAITS_FOR[s.waiting.name][0], "actor": s.actor() + 1}
    return IllegalAction(action, NAMES[reason], TEXTS[reason].format(**values))
