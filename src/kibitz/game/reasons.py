"""Why an action is illegal: what the numbers that `why_not` returns mean, in every game alike.

A game's own `reasons` module adds its rules to those that all games have. The numbers follow from the order.

>>> names, texts = numbered({"CANNOT_PAY": "you cannot pay for it"})
>>> names["UNKNOWN_ACTION"], names["CANNOT_PAY"], texts[6]
(1, 6, 'you cannot pay for it')
"""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.game.actions import IllegalAction

_COMMON = {
    "UNKNOWN_ACTION": "there is no such action",
    "GAME_IS_OVER": "the game is over",
    "WRONG_PHASE": "{action} is not possible now: the game waits for {phase}",
    "CHANCE_DECIDES": "{action} is not a player's choice: chance decides it",
    "NO_SUCH_OUTCOME": "{action} cannot happen here",
}
#: The number of what is not an action at all, in every game.
UNKNOWN_ACTION = 1


def numbered(texts: Mapping[str, str]) -> tuple[dict[str, int], dict[int, str]]:
    """The number of each reason by its name (0 means legal), and the sentence of each number."""
    sentences = {**_COMMON, **texts}
    names = {name: number for number, name in enumerate(sentences, start=1)}
    return names, {number: sentences[name] for name, number in names.items()}


def no_action(code: int) -> IllegalAction:
    """How a code is refused that is not an action at all."""
    return IllegalAction(code, "UNKNOWN_ACTION", f"{code} is not an action")
