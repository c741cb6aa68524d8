"""What is typed in a game in the terminal: choices by number or in words, files, and that somebody has had enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import RECORD, UserError, check_writable, is_number, joined
from kibitz.ground.texts import capitalised

if TYPE_CHECKING:
    from kibitz.game import States

#: What the person is called among the bots.
YOU = "you"
#: So many choices are named where something may mean several.
FEW = 8


class Left(Exception):
    """The person at the keyboard has had enough."""


class TakeBack(Exception):
    """The person wants to take back the last step."""


class NotUnderstood(ValueError):
    """What was typed is not an action, or not one that is possible now; the message says why."""


def typed(prompt: str) -> str:
    """What is typed; who types no more has left."""
    try:
        return input(prompt).strip()
    except EOFError:
        raise Left from None


def answer() -> str:
    """What is typed in answer to a question of the game; who types q has left."""
    found = typed("> ")
    if found.lower() in ("q", "quit", "exit"):
        raise Left
    return found


def ask_for_file() -> Path | None:
    """Where to keep the record of a game, if anywhere. Raises `Left` where nobody answers."""
    print()
    while True:
        try:
            name = typed("Save the record to which file? (Enter: do not save) ")
            if name in ("", "q", "n", "no"):
                return None
            check_writable(Path(name), RECORD)
        except KeyboardInterrupt:
            raise Left from None
        except OSError as error:
            print(f"{name}: {error.strerror}.")
        except UserError as error:
            print(f"{str(error).partition(';')[0]}: name another file.")
        else:
            return Path(name)


def words_of(text: str) -> list[str]:
    """The words of what was typed, or of an action.

    >>> words_of(" Foreign_aid, P2 ")
    ['foreign', 'aid', 'p2']
    """
    return text.lower().replace("_", " ").replace(",", " ").split()


def pick(words: Sequence[str], legal: Sequence[int], spoken: Callable[[int], Sequence[str]]) -> int | None:
    """The choice that some words mean, the number of it or its words, each perhaps cut short; None where they mean nothing.

    Raises `NotUnderstood` where they mean several.

    >>> names = [["guard", "2", "king"], ["guard", "3", "king"], ["baron", "3"]]
    >>> [pick(typed.split(), range(3), names.__getitem__) for typed in ("2", "g 2", "bar", "sing")]
    [1, 0, 2, None]
    """
    if len(words) == 1 and is_number(words[0]):
        number = int(words[0])
        if not 1 <= number <= len(legal):
            raise NotUnderstood(f"There is no choice {number}; choose 1 to {len(legal)}.")
        return legal[number - 1]
    found = [code for code in legal if fits(words, spoken(code))]
    whole = [code for code in found if len(spoken(code)) == len(words)]
    found = whole if len(whole) == 1 else found
    if len(found) > 1 and words:
        few = [" ".join(spoken(code)) for code in found]
        raise NotUnderstood(f"Which one: {joined(few, 'or') if len(few) <= FEW else ', '.join([*few[:FEW], '...'])}?")
    return found[0] if found and words else None


def fits(words: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether these words, each perhaps cut short, begin the words of an action."""
    return len(words) <= len(whole) and all(one.startswith(word) for word, one in zip(words, whole, strict=False))


def none_of_them(text: str) -> NotUnderstood:
    """What is said of something that means nothing."""
    said = f"{text.strip()[:40]!r} is not one of the choices. " if text.strip() else ""
    return NotUnderstood(f"{said}Type a number or words, or ? for help.")


def choice_of(text: str, legal: Sequence[int], view: States) -> int:
    """The choice that somebody typed in any game, by the names of its actions. Raises `NotUnderstood`."""
    from kibitz.game import game_of, why_not_at

    game = game_of(view)
    found = pick(words_of(text), legal, lambda code: words_of(game.describe(code)))
    if found is not None:
        return found
    try:
        code = int(game.parse(" ".join(text.split())))
    except (ValueError, LookupError):
        raise none_of_them(text) from None
    if reason := int(why_not_at(view, 0, code)):
        raise NotUnderstood(f"{capitalised(str(game.refuse(view, code, reason)))}.")
    return code
