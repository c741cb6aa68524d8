"""The bots that a browser may ask for: a game's own, if they do not think for too long.

Never one from outside (`kibitz.play.outside`): its name is that of a file, and whoever reaches the server could start programs
of this machine. Those bots play on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kibitz.compute.runtime import Limit
from kibitz.play.bots import Bot, Player, UnknownBot, bot_of, effort
from kibitz.web.games import InvalidSetup


def own_bot(
    name: str,
    policies: Mapping[str, int],
    searches: Mapping[str, Callable[[Limit | None], Player]],
    most_iterations: int,
    most_seconds: float,
) -> Bot:
    """A bot by its name. Raises `InvalidSetup`.

    >>> own_bot("my_bot.py:MyBot", {"random": 0}, {}, 100, 1.0)
    Traceback (most recent call last):
    ...
    kibitz.web.games.InvalidSetup: 'my_bot.py:MyBot': no such bot; these are random
    """
    try:
        bot = bot_of(name, policies, searches)
    except UnknownBot as error:
        raise InvalidSetup(str(error)) from None
    _, colon, parameter = bot.name.partition(":")
    asked = effort(parameter) if colon else Limit()
    if asked.iterations is not None and asked.iterations > most_iterations:
        raise InvalidSetup(f"{bot.name}: a bot thinks for {most_iterations:,} iterations at most")
    if asked.time is not None and asked.time > most_seconds:
        raise InvalidSetup(f"{bot.name}: a bot thinks for {most_seconds:g} seconds at most")
    return bot
