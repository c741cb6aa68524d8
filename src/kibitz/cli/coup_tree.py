"""``kibitz coup tree``: what may happen from a position on, as one player sees it, drawn as a tree."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, console, progress, rules_from
from kibitz.cli.coup import app
from kibitz.cli.coup_input import check_bluff, read_told

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.belief.influence import InfluenceBelief
    from kibitz.coup.state import Rules
    from kibitz.search.tree_draw import Drawn
    from kibitz.search.worlds import Worlds

    States = npt.NDArray[np.void]

#: How many nodes are drawn unless more are asked for; a picture cannot hold more than `kibitz.search.tree_svg` says.
MAX_NODES = 2000


class Format(StrEnum):
    """How a tree is written."""

    TEXT = "text"
    JSON = "json"
    DOT = "dot"
    SVG = "svg"


@app.command()
def tree(
    situation: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|FILE|-", help="The position in words, as for advise; else the start of a game."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many play.", show_default="2", min=2, max=6)] = None,
    cards: Annotated[
        str | None, typer.Option(help="The observer's cards; dealt by the seed if not given.", metavar="CARD,CARD")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Through whose eyes, from 1, if the text does not say so.", show_default="1", min=1, max=6),
    ] = None,
    depth: Annotated[int, typer.Option(help="How many steps are drawn.", min=0)] = 2,
    form: Annotated[Format, typer.Option("--format", help="What is written.")] = Format.TEXT,
    out: Annotated[Path | None, typer.Option(help="Write it to this file.", metavar="FILE")] = None,
    max_nodes: Annotated[
        int | None, typer.Option(help="Refuse a larger tree.", show_default=f"{MAX_NODES:,}, for svg 400", min=1)
    ] = None,
    bluff: Annotated[
        float | None,
        typer.Option(help="How often a claim is made without the card, for one made with it: 0 to 1.", show_default="0.5"),
    ] = None,
    seed: Annotated[int, typer.Option(help="What is dealt at the start, and drawn where deals are too many to count.")] = 0,
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
) -> None:
    """Draw what may happen next: kinds of nodes, actions, probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    if situation is not None and (players is not None or cards is not None):
        raise UserError("--players and --cards describe the start of a game; the text says who plays and what you hold")
    check_bluff(bluff)
    if bluff is not None and situation is None:
        raise UserError("--bluff: nothing was claimed yet")
    with compile_notice():
        from kibitz.coup.state import Rules
        from kibitz.play.coup_bots import BLUFF
        from kibitz.records import check_target, writing
        from kibitz.search.tree import Tree
        from kibitz.search.tree_draw import TooLarge, count_nodes, draw
        from kibitz.search.tree_svg import MAX_NODES as MAX_PICTURED

        if out is not None:
            check_target(out)
        rules = rules_from(Rules, rule or [])
        if situation is None:
            states, observer, belief = _start(players or 2, cards, (seat or 1) - 1, seed, rules), (seat or 1) - 1, None
        else:
            told, believed = read_told(situation, seat, rules, BLUFF if bluff is None else bluff)
            states, observer, belief = told.states, told.observer, _worlds(believed, seed)
        root = Tree(states, observer, belief, seed=seed).root
        limit = max_nodes or (MAX_PICTURED if form is Format.SVG else MAX_NODES)
        try:
            with console().status("counting the nodes"):
                total = count_nodes(root, depth, limit)
        except TooLarge as error:
            more = "" if form is Format.SVG else " or a larger --max-nodes"
            raise UserError(f"{error}; ask for a smaller --depth{more}") from None
        with progress("looking ahead", total, "nodes") as advance:
            drawn = draw(root, depth, advance=advance)
    written = _written(drawn, form, observer, root.hand)
    if out is None:
        print(written)
    else:
        with writing(out) as write_line:
            write_line(written)
        print(f"written: {out}, {total:,} nodes")


def _start(players: int, cards: str | None, seat: int, seed: int, rules: Rules) -> States:
    """The first turn of a game in which one seat's cards are known."""
    from kibitz.coup.game_state import GameState
    from kibitz.coup.setup import SetupError, setup

    if seat >= players:
        raise UserError(f"--seat {seat + 1}: there are only {players} players")
    fresh = GameState.new(players, rules, seed).resolve()
    if cards is None:
        return fresh.observe(seat).states
    try:
        return setup(
            [player.coins for player in fresh.players],
            hands={seat: [name.strip().lower() for name in cards.split(",")]},
            rules=rules,
        )
    except SetupError as error:
        raise UserError(f"--cards {cards}: {error}") from None


def _worlds(belief: InfluenceBelief, seed: int) -> Worlds:
    """All worlds of a belief with their probabilities or, if they are too many, some that are drawn from it."""
    from kibitz.coup.cards import CHARACTERS
    from kibitz.coup.engine import GAME
    from kibitz.game import structs
    from kibitz.search.tree import DRAWS, MAX_WORLDS
    from kibitz.search.worlds import Worlds

    joint = belief.joint(MAX_WORLDS + 1)
    if len(joint) > MAX_WORLDS:
        return Worlds(GAME, belief.draw(DRAWS, seed))
    worlds = structs(GAME.world, len(joint))
    for i, (hands, _) in enumerate(joint):
        worlds["hand"][i, : len(hands)] = [[hand.count(character.value) for character in CHARACTERS] for hand in hands]
    return Worlds(GAME, worlds, [probability for _, probability in joint])


def _written(drawn: Drawn, form: Format, observer: int, hand: tuple[str, ...]) -> str:
    from kibitz.search.tree_draw import as_dot, as_json, as_text
    from kibitz.search.tree_svg import as_svg

    if form is Format.SVG:
        title = f"Coup with {len(drawn.values)} players, through the eyes of player {observer + 1} ({', '.join(hand)})"
        return as_svg(drawn, title, max_nodes=sum(1 for _ in drawn.walk())).rstrip()
    return {Format.TEXT: as_text, Format.JSON: as_json, Format.DOT: as_dot}[form](drawn)
