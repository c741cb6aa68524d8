"""What games against bots in the terminal share: who has had enough, what is typed, and a table that plays on."""

from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.cli.common import console
from kibitz.cli.conduct import print_conduct

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kibitz.game import Game, States
    from kibitz.play.bots import Bot
    from kibitz.play.match import Table

#: What the person is called among the bots.
YOU = "you"


class Left(Exception):
    """The person at the keyboard has had enough."""


class NotUnderstood(ValueError):
    """What was typed is no action, or not one that is possible now; the message says why."""


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
    """Where to keep the record of a game, if anywhere."""
    from kibitz.game.files import check_target

    print()
    while True:
        try:
            name = typed("Write the record to which file? (Enter: none) ")
            if name in ("", "q", "n", "no"):
                return None
            check_target(Path(name))
        except (Left, KeyboardInterrupt):
            return None
        except OSError as error:
            print(f"{name}: {error.strerror}.")
        else:
            return Path(name)


def rehearse(game: Game, start: States) -> None:
    """Compile or load what every step needs, before somebody is asked: nothing may move on the screen while a person types."""
    from kibitz.game import legal_actions
    from kibitz.play.bots import policy_bot
    from kibitz.play.match import play_game

    short = start.copy()
    short["max_turns"] = 1
    play_game(game, short, [policy_bot("random", game.policies["random"])] * int(start["seats"][0]), seed=0)
    legal_actions(start)


def take_up(table: Table, codes: Sequence[int]) -> None:
    """Take the steps of a game that was left; nobody is told again what everybody has seen."""
    with redirect_stdout(StringIO()):
        for code in codes:
            table.step(code)


def play_at(table: Table, bots: Sequence[Bot], farewell: Callable[[], None]) -> bool:
    """Play to the end and say farewell, or until the person leaves; whether it is over. Outside bots' conduct is told."""
    over = True
    try:
        _play_on(table, bots)
        farewell()
    except (Left, KeyboardInterrupt):
        over = False
        print("\nYou leave the table.")
    print_conduct(table.conduct)
    return over


def _play_on(table: Table, bots: Sequence[Bot]) -> None:
    """Play to the end; a bot that searches is seen to think."""
    from kibitz.game import OVER

    out = console()
    while (seat := table.actor) != OVER:
        if seat >= 0 and bots[seat].policy is None and bots[seat].name != YOU:
            with out.status(f"player {seat + 1} thinks"):
                table.step()
        else:
            table.step()
