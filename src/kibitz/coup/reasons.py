"""Why an action is illegal: the numbers that `rules.why_not` returns, and what they tell a person."""

from __future__ import annotations

_TEXTS = {
    "UNKNOWN_ACTION": "there is no such action",
    "GAME_IS_OVER": "the game is over",
    "WRONG_PHASE": "{action} is not possible now: the game waits for {phase}",
    "CHANCE_DECIDES": "{action} is not a player's choice: chance decides it",
    "NO_SUCH_OUTCOME": "{action} cannot happen here",
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

#: The number of each reason, by name; 0 means legal.
NUMBERS = {name: i for i, name in enumerate(_TEXTS, start=1)}
#: The sentence for each number.
TEXTS = {i: _TEXTS[name] for name, i in NUMBERS.items()}

(
    UNKNOWN_ACTION, GAME_IS_OVER, WRONG_PHASE, CHANCE_DECIDES, NO_SUCH_OUTCOME, MUST_COUP, CANNOT_PAY, NO_SUCH_PLAYER,
    OWN_TARGET, TARGET_IS_OUT, NOTHING_TO_STEAL, DOES_NOT_BLOCK, NOT_CLAIMED, NOT_HELD, SHOW_OR_LOSE_ANOTHER,
) = NUMBERS.values()  # fmt: skip
