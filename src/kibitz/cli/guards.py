"""The option ``--guard``: under which loop rules games are played, and what came of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import LONGEST_NAME, UserError
from kibitz.ground.figures import counted

if TYPE_CHECKING:
    from kibitz.loops.config import Config
    from kibitz.loops.drive import Guarded
    from kibitz.loops.guard import EventKind, Listener, LoopResult
    from kibitz.loops.protocol import WatchedGame
    from kibitz.loops.words import Describe
    from kibitz.play.match import Loops

FORBIDDEN = "The loop rule forbids that here: it would only go on in circles."


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
        raise UserError(
            f"--guard {guard[:40]!r}: no such model; these are {', '.join(known)}, none, or the name of a rules file"
        )
    try:
        return Config.from_text(Path(guard).read_text(encoding="utf-8-sig"), known)
    except (InvalidRules, UnicodeDecodeError) as error:
        raise UserError(f"--guard {guard}: {error}") from None


def guard_setting(guard: str | None) -> str | None:
    """The rules that ``--guard`` names as a setting of an analysis: the name of a model, or the text of its file's rules."""
    import json

    from kibitz.play.guarded import guards

    rules = read_guard(guard)
    return guard if rules is None or guard in guards() else json.dumps(rules.to_json())


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
    """A guard for one game that tells the player at `seat` of loops, and of what is about to be one; none without rules."""
    from kibitz.loops.drive import Guarded
    from kibitz.loops.guard import LoopGuard

    return Guarded(LoopGuard(rules, listener=teller(seat, describe or _by_the_game))) if rules else None


def teller(seat: int, describe: Describe) -> Listener:
    """Somebody who tells a player what the guard says; of a loop that is let go on, not every lap anew."""
    from kibitz.loops.guard import EventKind
    from kibitz.loops.words import told

    decided = ""

    def tell(kind: EventKind, result: LoopResult, position: WatchedGame) -> None:
        nonlocal decided
        if kind == EventKind.LOOP and result.words == decided:
            return
        said = told(kind, result, position, seat, describe)
        if said:
            decided = result.words
            print(f"loop guard: {said}")

    return tell


def _by_the_game(position: WatchedGame, action: int) -> str:
    return position.describe(action)
