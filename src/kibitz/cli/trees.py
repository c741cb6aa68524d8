"""Trees on the command line, of any game: the options of ``tree``, how a tree is drawn, and where it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, console, progress
from kibitz.cli.options import choice

if TYPE_CHECKING:
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree import Node

#: How many nodes are drawn unless more are asked for; a picture cannot hold more than `kibitz.search.tree_draw` says.
MAX_NODES = 2000


DepthOption = Annotated[int, typer.Option(metavar="N", help="How many steps are drawn.", min=0)]
FormatOption = Annotated[str, choice(("text", "json", "dot", "svg"), "What is written.", "--format")]
MaxNodesOption = Annotated[
    int | None, typer.Option(metavar="N", help="Refuse a larger tree.", show_default=f"{MAX_NODES:,}, for svg 400", min=1)
]
WorldsOption = Annotated[
    int, typer.Option(metavar="N", help="How many deals of the unseen cards are believed in at most.", min=1)
]


def games_option(of: str) -> Any:
    """How many games of some bots value a node at the horizon."""
    return typer.Option(metavar="N", help=f"How many {of} a node at the horizon is valued by.", min=1)


def drawn_tree(
    root: Node, depth: int, form: str, max_nodes: int | None, title: str, rollouts: Rollouts | None = None
) -> tuple[str, int]:
    """A tree as it is written, and how many nodes it has; it is counted before anything is evaluated."""
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree_draw import MAX_NODES as MAX_PICTURED
    from kibitz.search.tree_draw import TooLarge, as_dot, as_json, as_svg, as_text, count_nodes, draw

    limit = max_nodes or (MAX_PICTURED if form == "svg" else MAX_NODES)
    try:
        with console().status("counting the nodes"):
            total = count_nodes(root, depth, limit)
    except TooLarge as error:
        more = "" if form == "svg" else " or a larger --max-nodes"
        raise UserError(f"{error}; ask for a smaller --depth{more}") from None
    with progress("looking ahead", total, "nodes") as advance:
        drawn = draw(root, depth, rollouts=rollouts or Rollouts(), advance=advance)
    if form == "svg":
        return as_svg(drawn, title, max_nodes=total).rstrip(), total
    return {"text": as_text, "json": as_json, "dot": as_dot}[form](drawn), total


def print_tree(text: str, total: int, out: Path | None) -> None:
    """Print a tree, or write it to a file and say so."""
    from kibitz.game.files import writing

    if out is None:
        print(text)
        return
    with writing(out) as write_line:
        write_line(text)
    print(f"written: {out}, {total:,} nodes")
