"""Who plays, as it is typed: bots by name for every seat, for a tournament, or one for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.common import UserError, is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.play.bots import Bot
    from kibitz.play.profile import Profile

    Named = Callable[[str], Bot]
    """The `bot_named` of a game."""

#: Who sits at a table unless something else is asked for.
USUAL_SEATS = 4


def read_bot(name: str, option: str, named: Named) -> Bot:
    """The bot of this name; `option` says where it was typed."""
    from kibitz.play.bots import UnknownBot

    try:
        return named(name.strip())
    except UnknownBot as error:
        raise UserError(f"{option} {error}") from None


def read_bots(names: str, option: str, named: Named) -> list[Bot]:
    """Bots by name, separated by commas."""
    return [read_bot(name, option, named) for name in names.split(",")]


def read_seats(profile: Profile, players: str, policy: str | None) -> list[Bot]:
    """Which bot sits where: ``--players`` names them, or says how many seats there are for the bot that ``--policy`` names."""
    low, high = profile.seats
    if is_number(players):
        bots = [read_bot(policy or profile.usual_bot, "--policy", profile.bot_named)] * min(int(players), high + 1)
    elif policy is not None:
        raise UserError("--policy is for all seats; --players names a bot for each: give one of the two")
    else:
        bots = read_bots(players, "--players", profile.bot_named)
    if not low <= len(bots) <= high:
        raise UserError(f"--players {players}: {profile.for_players}")
    return bots


def read_opponents(bots: str, seats: int | None, profile: Profile) -> list[Bot]:
    """Who sits at a table with the person at the keyboard: ``--bots`` names them, or one for all of ``--seats`` (else four)."""
    low, high = profile.seats
    found = read_bots(bots, "--bots", profile.bot_named)
    seats = seats or (len(found) + 1 if len(found) > 1 else min(max(low, USUAL_SEATS), high))
    if not low <= seats <= high:
        what = f"--bots {bots}" if len(found) > 1 else f"--seats {seats}"
        raise UserError(f"{what}: {profile.for_players}")
    if len(found) == 1:
        found *= seats - 1
    if len(found) != seats - 1:
        raise UserError(f"--bots {bots}: {len(found)} bots and you are not {seats} players")
    return found


def read_field(players: str, named: Named) -> list[str]:
    """The names of the bots that meet in a tournament."""
    bots = [bot.name for bot in read_bots(players, "--players", named)]
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise UserError(f"--players {players}: name at least two bots, each once")
    return bots
