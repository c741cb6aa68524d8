r"""What people are told when something is wrong: the base of all errors that are theirs to mend, and texts that fit.

>>> shortened("short"), len(shortened("long" * 1000))
('short', 500)
>>> writable("half a letter: \ud83d")
'half a letter: ?'
"""

from __future__ import annotations

#: Letters of a message.
LONGEST = 500


class Mistake(ValueError):
    """Something that cannot be as it was asked for; the message is one line for whoever asked."""


def shortened(message: str) -> str:
    """A message that fits into a page, whatever it quotes."""
    return message if len(message) <= LONGEST else f"{message[: LONGEST - 4]} ..."


def writable(text: str) -> str:
    """A text without halves of letters, which Python can hold and no file can."""
    return text.encode("utf-8", "replace").decode()
