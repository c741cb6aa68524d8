"""What is typed in a game of Coup in the terminal, as actions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.cli.common import is_number
from kibitz.cli.keyboard import NotUnderstood, fits, none_of_them, pick, words_of
from kibitz.coup.core.state import CHARACTERS, DRAWN, Character
from kibitz.coup.words import spoken

#: Words that people use for the first word of an action.
_ALIASES = {
    "aid": "foreign", "duke": "tax", "captain": "steal", "rob": "steal", "kill": "assassinate", "ambassador": "exchange",
    "swap": "exchange", "pass": "allow", "no": "allow", "ok": "allow", "accept": "allow", "doubt": "challenge",
    "call": "challenge", "discard": "lose", "give": "lose", "reveal": "lose", "put": "return",
}  # fmt: skip
#: Words that change nothing.
_FILLERS = {"a", "the", "with", "from", "against", "player", "card", "cards", "and", "my", "up", "back"}


def read_choice(text: str, legal: Sequence[int]) -> int:
    """The action that somebody typed: a number from the list, or words, which may be cut short.

    >>> from kibitz.coup import Action, foreign_aid, steal
    >>> legal = [foreign_aid().code, steal(1).code, steal(2).code]
    >>> [Action.from_code(read_choice(text, legal)).to_text() for text in ("1", "for", "steal from player 3", "st P2")]
    ['foreign_aid', 'foreign_aid', 'steal 3', 'steal 2']
    """
    words = _normal(text)
    found = pick(words, legal, spoken)
    if found is not None:
        return found
    elsewhere = [code for code in range(DRAWN) if fits(words, spoken(code))] if words else []
    raise NotPossible(elsewhere[0]) if elsewhere else none_of_them(text if words else "")


class NotPossible(NotUnderstood):
    """An action of the game, but not one that is legal now; `code` is it."""

    def __init__(self, code: int) -> None:
        self.code = code
        text = " ".join(spoken(code))
        super().__init__(f"{text[0].upper()}{text[1:]} is not possible now.")


def _normal(text: str) -> list[str]:
    """The words that count, with the usual name of the action first and cards in their order."""
    words = [word for word in words_of(text) if word not in _FILLERS]
    words = [word[1:] if word[0] == "p" and is_number(word[1:]) else word for word in words]
    if words:
        words[0] = _ALIASES.get(words[0], words[0])
    if len(words) == 3 and words[0] == "return":
        words[1:] = sorted(words[1:], key=_rank)
    return words


def _rank(word: str) -> int:
    return next((i for i, character in enumerate(Character) if character.startswith(word)), len(CHARACTERS))
