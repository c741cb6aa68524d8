"""Who plays, as it is typed, and under which loop rules: bots by name for every seat, for a tournament, or one for all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import LONGEST_NAME, UserError, is_number
from kibitz.ground.folders import text_in
from kibitz.ground.texts import Mistake, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.loops.config import Config
    from kibitz.loops.drive import Guarded
    from kibitz.loops.guard import EventKind, LoopResult
    from kibitz.loops.protocol import WatchedGame
    from kibitz.loops.words import Describe
    from kibitz.play.bots import Bot
    from kibitz.play.match import Loops
    from kibitz.play.profile import Profile

    Named = Callable[[str], Bot]
    """The `bot_named` of a game."""

FORBIDDEN = "The loop rule forbids that here: the game would go round in circles."


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
    """Who sits at a table with the person at the keyboard: ``--bots`` names them, or one for all of ``--seats``."""
    low, high = profile.seats
    found = read_bots(bots, "--bots", profile.bot_named)
    seats = seats or (len(found) + 1 if len(found) > 1 else profile.usual_seats)
    if not low <= seats <= high:
        what = f"--bots {bots}" if len(found) > 1 else f"--seats {seats}"
        raise UserError(f"{what}: {profile.for_players}")
    if len(found) == 1:
        found *= seats - 1
    if len(found) != seats - 1:
        raise UserError(f"--bots {bots}: {len(found)} bots and you do not make {seats} players")
    return found


def read_guard(guard: str | None) -> Config | None:
    """The rules that ``--guard`` names: those of a model, or of a file."""
    if guard is None or guard == "none":
        return None
    from kibitz.loops.config import Config, InvalidRules
    from kibitz.play.guarded import guards

    known = guards()
    if guard in known:
        return known[guard]
    if len(guard) > LONGEST_NAME or not Path(guard).is_file():
        raise UserError(f"--guard {guard[:40]!r}: no such model; choose from {', '.join(known)}, none, or a rules file")
    try:
        return Config.from_text(text_in(Path(guard)), known)
    except (InvalidRules, Mistake) as error:
        raise UserError(f"--guard {guard}: {str(error).removeprefix(f'{guard}: ')}") from None


def about_loops(loops: Loops | None) -> str:
    """What a guard found in some games, in a line; nothing without one."""
    if loops is None:
        return ""
    found, drawn, games = int(loops.found.sum()), int(loops.drawn.sum()), len(loops.found)
    if not found:
        return f"loops: none in {counted(games, 'game')}"
    return f"loops: in {found:,} of {counted(games, 'game')}, {drawn_games(drawn)}"


def drawn_games(drawn: int) -> str:
    """How many games were drawn.

    >>> drawn_games(1)
    '1 game drawn by the loop rule'
    """
    return f"{counted(drawn, 'game')} drawn by the loop rule"


def guarded(rules: Config | None, seat: int, describe: Describe | None = None) -> Guarded | None:
    """A guard for one game that tells the player at `seat` of loops, and of what is about to be one; none without rules.

    Of a loop that is let go on, not every lap is told anew.
    """
    if rules is None:
        return None
    from kibitz.loops.drive import Guarded
    from kibitz.loops.guard import EventKind, LoopGuard
    from kibitz.loops.words import told

    decided = ""

    def tell(kind: EventKind, result: LoopResult, position: WatchedGame) -> None:
        nonlocal decided
        if kind == EventKind.LOOP and result.words == decided:
            return
        if said := told(kind, result, position, seat, describe or (lambda position, action: position.describe(action))):
            decided = result.words
            print(f"loop guard: {said}")

    return Guarded(LoopGuard(rules, listener=tell))
