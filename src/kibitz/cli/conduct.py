"""What commands say about bots from outside that lost decisions."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.play.conduct import Conducts

WIDTH = 78


def about_conduct(conducts: Conducts) -> str:
    """How many decisions each bot lost, why, and what was wrong the first time; nothing where none was lost.

    >>> from kibitz.play.conduct import Conduct
    >>> print(about_conduct({"my_bot.py:MyBot": Conduct(420, {"raised": 3, "late": 1}, "turn 3: KeyError: 'ore' (line 12)")}))
    my_bot.py:MyBot lost 4 of 420 decisions (3 raised, 1 late)
      first: turn 3: KeyError: 'ore' (line 12)
    """
    lines = []
    for name, conduct in conducts.items():
        if conduct.lost:
            counts = ", ".join(f"{n:,} {why}" for why, n in conduct.lost.items())
            lines.append(f"{name} lost {sum(conduct.lost.values()):,} of {conduct.decisions:,} decisions ({counts})")
            lines += textwrap.wrap(f"first: {conduct.first}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def print_conduct(conducts: Conducts) -> None:
    """Print it, if there is anything to say."""
    if text := about_conduct(conducts):
        print("".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text))
