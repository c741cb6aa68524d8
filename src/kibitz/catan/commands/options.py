"""What several commands of Catan are given: names, which a test compares with the game, options, and recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.catan.profile import PROFILE
from kibitz.cli.options import choice
from kibitz.cli.records import game_of_file

if TYPE_CHECKING:
    from kibitz.catan.core.record import Record

#: The bots that simulated games can be played by, thousands a second.
POLICIES = ("random", "builder", "seed", "net", "builder-0.1")
MODES = ("static", "monte_carlo", "mcts", "full_game", "ismcts")
RANKINGS = ("score", "win_rate")
BOARDS = PROFILE.options[0].names
LOGS = (
    "kibitz", "colonist-replay", "colonist-frames", "catanatron", "jsettlers", "catanlog", "colonist-html", "colonist-text",
)  # fmt: skip
WRITTEN_LOGS = ("kibitz", "colonist-text")

MeOption = Annotated[str | None, typer.Option("--me", metavar="NAME", help="Whose point of view: the name of a player.")]
LogFormatOption = Annotated[str | None, choice(LOGS, "The format of the log.", "--format", default="by its content")]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at the first line that cannot be read or contradicts the log so far.")
]
LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A game log in any known format, also as .gz; the format is recognised.")
]


def find_game(file: Path, game: int | None) -> Record:
    """One game of a record file (the first by default), verified."""
    from kibitz.catan.core.record import check

    return game_of_file(file, game, check)
