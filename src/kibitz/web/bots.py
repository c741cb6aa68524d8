"""The bots that a browser may ask for: a game's own, if they do not think for too long.

Never one from outside (`kibitz.play.outside`): its name is that of a file, and whoever reaches the server could start programs
of this machine. Those bots play on the command line.
"""

from __future__ import annotations

from kibitz.compute.runtime import Limit
from kibitz.play.bots import Bot, UnknownBot, effort
from kibitz.play.profile import Profile
from kibitz.web.games import InvalidSetup


def own_bot(profile: Profile, name: str, most_iterations: int, most_seconds: float) -> Bot:
    """A bot of a game by its name. Raises `InvalidSetup`.

    >>> from kibitz.play.registry import profile
    >>> own_bot(profile("kuhn"), "my_bot.py:MyBot", 100, 1.0)
    Traceback (most recent call last):
    ...
    kibitz.web.games.InvalidSetup: 'my_bot.py:MyBot': no such bot; these are random, honest, ismcts
    """
    own, colon, parameter = name.partition(":")
    if own not in profile.bots:
        raise InvalidSetup(f"{name[:40]!r}: no such bot; these are {', '.join(profile.bots)}")
    try:
        asked = effort(parameter) if colon else Limit()
        bot = profile.bot_named(name)
    except UnknownBot as error:
        raise InvalidSetup(str(error)) from None
    if asked.iterations is not None and asked.iterations > most_iterations:
        raise InvalidSetup(f"{name}: a bot thinks for {most_iterations:,} iterations at most")
    if asked.time is not None and asked.time > most_seconds:
        raise InvalidSetup(f"{name}: a bot thinks for {most_seconds:g} seconds at most")
    return bot
