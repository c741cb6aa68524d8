"""How a tournament of any game is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.play.tournament import Standings


def print_standings(standings: Standings, seats: int) -> None:
    """The bots, the strongest first: ratings and win rates, and who finished above whom how often."""
    from rich.console import Console

    from kibitz.cli.conduct import print_conduct
    from kibitz.cli.guards import drawn_games
    from kibitz.cli.tables import fitted
    from kibitz.ground.figures import counted
    from kibitz.play.tournament import as_rows

    order = standings.order()
    headings = ("rating", "won", "of seats taken")
    rows = [dict(zip(("bot", *headings, *order), row, strict=True)) for row in as_rows(standings)]
    out = Console(highlight=False)
    out.print(f"{counted(standings.games, 'game')}, {counted(standings.tables, 'table')} of {seats}", style="bold")
    out.print(fitted(rows, ("bot", *headings), width=out.width, left=("bot",)))
    out.print("\nFinished above, of the times when one of the two did; ranges are 95 % intervals", style="bold")
    out.print(fitted(rows, ("bot", *order), width=out.width, left=("bot",)))
    if standings.drawn:
        out.print(drawn_games(standings.drawn))
    if standings.unfinished:
        out.print(f"{counted(standings.unfinished, 'game')} without a winner")
    print_conduct(standings.conduct)
