"""The names and options that several commands of Catan have; a test compares the names with the game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.catan.profile import PROFILE
from kibitz.cli.options import choice

#: The bots that simulated games can be played by, thousands a second.
POLICIES = ("random", "builder", "seed")
MODES = ("static", "monte_carlo", "mcts", "full_game", "ismcts")
RANKINGS = ("score", "win_rate")
BOARDS = PROFILE.options[0].names
LOGS = (
    "kibitz", "colonist-replay", "colonist-frames", "catanatron", "jsettlers", "catanlog", "colonist-html", "colonist-text",
)  # fmt: skip
WRITTEN_LOGS = ("kibitz", "colonist-text")

MeOption = Annotated[str | None, typer.Option("--me", metavar="NAME", help="Whose eyes: the name of a player in the log.")]
LogFormatOption = Annotated[str | None, choice(LOGS, "The format of the log.", "--format", show_default="its content tells")]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at the first line that cannot be read or contradicts what came before.")
]
LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A game log of any known format (.gz too); its content tells which.")
]
