"""A position of Catan for a terminal: the board with its pieces, and what lies in front of everybody."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from kibitz.catan.core.chart import draw_chart
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.svg_parts import SEAT_COLOURS
from kibitz.game import States
from kibitz.ground.texts import printable

_STYLES = {
    "wood": "green", "brick": "red", "sheep": "bright_green", "wheat": "yellow", "ore": "cyan", "desert": "dim",
    "red": "bold red", "robber": "bold reverse", "place": "dim",
    **{f"seat {seat}": f"bold {ink} on {colour}" for seat, (colour, ink) in enumerate(SEAT_COLOURS, start=1)},
}  # fmt: skip


def board_text(states: States) -> Text:
    """The board, in colours."""
    lines = []
    for line in draw_chart(states):
        lines.append(Text())
        for run in line.runs:
            lines[-1].append(run.text, _STYLES.get(run.ink, ""))
    return Text("\n").join(lines)


def players_table(state: GameState, names: Sequence[str]) -> Table:
    """The players with their points, cards and pieces, and the bank; of hidden hands only their size."""
    table = Table(box=SIMPLE)
    for heading in ("player", "points", "hand", "cards", "army", "road", "built"):
        # Where the terminal is narrow, a name is cut and no figure.
        table.add_column(heading, justify="left" if heading in ("player", "hand") else "right", no_wrap=heading != "player")
    for player, name in zip(state.players, names, strict=True):
        total = "" if player.total_victory_points is None else f" ({player.total_victory_points})"
        table.add_row(
            Text(
                f"{player.seat + 1} {printable(name)[:20]}{' <' if player.seat == state.current_player_id else ''}",
                no_wrap=True,
                overflow="ellipsis",
            ),
            f"{player.visible_victory_points}{total}",
            f"{player.hand_size} hidden" if player.hand is None else _cards(player.hand),
            str(player.dev_card_count),
            f"{player.played_knights}{'*' if state.largest_army_owner == player.seat else ' '}",
            f"{player.longest_road_length}{'*' if state.longest_road_owner == player.seat else ' '}",
            f"{len(player.roads)}r {len(player.settlements)}s {len(player.cities)}c",
        )
    table.add_row("bank", "", _cards(state.bank), str(state.dev_deck_size))
    table.caption = f"robber on hex {state.robber_hex}; < whose turn it is; * holds the card; g is wheat"
    return table


def _cards(counts: Mapping[Any, int]) -> str:
    """A hand in the letters of the board's text: wood, brick, sheep, grain, ore."""
    return " ".join(f"{n:2}{letter}" for n, letter in zip(counts.values(), "wbsgo", strict=True))
