"""What the actions of all games share: how they are refused, and the form of their JSON.

Whatever Kibitz refuses is a `ValueError` whose message is one line for people. Two kinds of them belong to all games: what is
not an action at all, and what a rule forbids. The numbers that `why_not` returns follow from the order of the reasons: those of
all games come first, and a game's own `reasons` module adds its rules.

>>> names, texts = numbered({"CANNOT_PAY": "you cannot pay for it"})
>>> names["UNKNOWN_ACTION"], names["CANNOT_PAY"], texts[6]
(1, 6, 'you cannot pay for it')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

_COMMON = {
    "UNKNOWN_ACTION": "there is no such action",
    "GAME_IS_OVER": "the game is over",
    "WRONG_PHASE": "{action} is not possible now: the game waits for {phase}",
    "CHANCE_DECIDES": "{action} is not a player's choice: chance decides it",
    "NO_SUCH_OUTCOME": "{action} cannot happen here",
}
#: The number of what is not an action at all, in every game.
UNKNOWN_ACTION = 1


class AnyAction(Protocol):
    """An action of some game."""

    def to_text(self) -> str:
        """One line, as people write it."""

    def to_json(self) -> dict[str, Any]:
        """`kind` and `data`."""


class InvalidAction(ValueError):
    """Not an action at all: the kind is unknown, or its data make no sense (while `IllegalAction` breaks a rule)."""


class IllegalAction(ValueError):
    """An action that a rule forbids; `reason` is the name of the rule in the game's `reasons`.

    >>> raise IllegalAction("build_road 17-18", "NOT_CONNECTED", "road 17-18 does not touch your network")
    Traceback (most recent call last):
    ...
    kibitz.game.actions.IllegalAction: road 17-18 does not touch your network
    """

    def __init__(self, action: Any, reason: str, sentence: str) -> None:
        self.action = action
        self.reason = reason
        super().__init__(sentence)

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Any, str, str]]:
        return IllegalAction, (self.action, self.reason, str(self))


def kind_and_data(value: Any) -> tuple[str, Mapping[str, Any]]:
    """The two fields of an action in JSON. Raises `InvalidAction`.

    >>> kind_and_data({"kind": "roll_dice", "data": {}})
    ('roll_dice', {})
    """
    if isinstance(value, Mapping):
        kind, data = value.get("kind"), value.get("data")
        if isinstance(kind, str) and isinstance(data, Mapping):
            return kind, data
    raise InvalidAction("expected an object with the fields kind and data")


def numbered(texts: Mapping[str, str]) -> tuple[dict[str, int], dict[int, str]]:
    """The number of each reason by its name (0 means legal), and the sentence of each number."""
    sentences = {**_COMMON, **texts}
    names = {name: number for number, name in enumerate(sentences, start=1)}
    return names, {number: sentences[name] for name, number in names.items()}


def no_action(code: int) -> IllegalAction:
    """How a code is refused that is not an action at all."""
    return IllegalAction(code, "UNKNOWN_ACTION", f"{code} is not an action")
