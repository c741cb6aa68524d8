r"""Texts for people: figures and names in one way everywhere, and what is said when something is wrong.

>>> percent(0.4834), percent(0.4834, 0), with_margin(0.645, 0.0137), counted(1, "game"), counted(8000, "game")
('48.3 %', '48 %', '64.5 % ± 1.4', '1 game', '8,000 games')
>>> shortened("short"), len(shortened("long" * 1000))
('short', 500)
>>> writable("half a letter: \ud83d")
'half a letter: ?'
"""

from collections.abc import Mapping

#: A chance that is closer than this to 0 or 1 is certain; the rest is rounding.
ROUNDING = 1e-9
#: Letters of a message.
LONGEST = 500


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return f"{100 * share:.{digits}f} %"


def with_margin(share: float, margin: float) -> str:
    """A share in per cent with what it may be off by."""
    return f"{percent(share)} ± {100 * margin:.1f}"


def chance_text(p: float) -> str:
    """A chance in whole per cent; one that is not certain is never shown as if it were.

    >>> chance_text(0.42), chance_text(0.001), chance_text(0.999), chance_text(0.0), chance_text(1.0)
    ('42 %', '<1 %', '>99 %', '0 %', '100 %')
    """
    if ROUNDING < p < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < p < 1 - ROUNDING else percent(p, 0)


def likeliest_text(odds: Mapping[str, float]) -> str:
    """What is most likely, with its chance where other things are possible.

    >>> likeliest_text({"wood": 0.75, "ore": 0.25}), likeliest_text({"ore": 1.0})
    ('wood 75 %', 'ore')
    """
    name = max(odds, key=lambda name: odds[name])
    return name if len(odds) == 1 else f"{name} {chance_text(odds[name])}"


def printable(text: str) -> str:
    r"""A text without control characters, which may reorder a line and which XML cannot hold.

    >>> printable("An\x1bn\u202e")
    'Ann'
    """
    return "".join(letter for letter in text if letter.isprintable())


def counted(n: int, thing: str) -> str:
    """So many things."""
    return f"{n:,} {thing}" if n == 1 else f"{n:,} {thing}s"


def capitalised(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


class Mistake(ValueError):
    """Something that cannot be as it was asked for; the message is one line for whoever asked."""


def shortened(message: str) -> str:
    """A message that fits into a page, whatever it quotes."""
    return message if len(message) <= LONGEST else f"{message[: LONGEST - 4]} ..."


def writable(text: str) -> str:
    """A text without halves of letters, which Python can hold and no file can."""
    return text.encode("utf-8", "replace").decode()
