"""What is typed in a game of Coup in the terminal, as actions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.cli.common import is_number
from kibitz.cli.keyboard import NotUnderstood
from kibitz.coup.core.cards import CHARACTERS, Character
from kibitz.coup.core.codes import ALL_CODES, DRAWN
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
    if len(words) == 1 and is_number(words[0]):
        number = int(words[0])
        if not 1 <= number <= len(legal):
            raise NotUnderstood(f"There is no choice {number}: they are 1 to {len(legal)}.")
        return legal[number - 1]
    found = [code for code in legal if _fits(words, code)]
    if len(found) == 1 and words:
        return found[0]
    if found and words:
        raise NotUnderstood(f"Which one: {' or '.join(' '.join(spoken(code)) for code in found)}?")
    elsewhere = [code for code in range(ALL_CODES) if code < DRAWN and _fits(words, code)] if words else []
    if elsewhere:
        raise NotPossible(elsewhere[0])
    typed = f"{text.strip()[:40]!r} is none of the choices. " if words else ""
    raise NotUnderstood(f"{typed}Type a number or words; ? helps.")


class NotPossible(NotUnderstood):
    """An action of the game, but not one that is legal now; `code` is it."""

    def __init__(self, code: int) -> None:
        self.code = code
        text = " ".join(spoken(code))
        super().__init__(f"{text[0].upper()}{text[1:]} is not possible now.")


def _normal(text: str) -> list[str]:
    """The words that count, with the usual name of the action first and cards in their order."""
    words = [word for word in text.lower().replace("_", " ").replace(",", " ").split() if word not in _FILLERS]
    words = [word[1:] if word[0] == "p" and is_number(word[1:]) else word for word in words]
    if words:
        words[0] = _ALIASES.get(words[0], words[0])
    if len(words) == 3 and words[0] == "return":
        words[1:] = sorted(words[1:], key=_rank)
    return words


def _rank(word: str) -> int:
    return next((i for i, character in enumerate(Character) if character.startswith(word)), len(CHARACTERS))


def _fits(words: Sequence[str], code: int) -> bool:
    """Whether these words, each perhaps cut short, begin the words of an action."""
    whole_words = spoken(code)
    return len(words) <= len(whole_words) and all(
        whole.startswith(word) for word, whole in zip(words, whole_words, strict=False)
    )
