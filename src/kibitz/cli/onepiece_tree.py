"""``kibitz onepiece tree``: what may happen from a position of a recorded game on, as one player sees it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError
from kibitz.cli.onepiece import CardsOption, FileArgument, _cards, _find_game, app
from kibitz.cli.trees import DepthOption, Format, FormatOption, MaxNodesOption, OutOption, drawn_tree, print_tree

if TYPE_CHECKING:
    from kibitz.onepiece.engine import State
    from kibitz.onepiece.record import Record


@app.command()
def tree(
    file: FileArgument,
    step: Annotated[int, typer.Option(help="The position before this step of the record, from 0.", min=0)],
    game: Annotated[int, typer.Option(help="Which game of the file, from 0.", min=0)] = 0,
    seat: Annotated[
        int | None, typer.Option(help="Through whose eyes, from 1.", show_default="who is to move", min=1, max=2)
    ] = None,
    depth: DepthOption = 1,
    form: FormatOption = Format.TEXT,
    out: OutOption = None,
    max_nodes: MaxNodesOption = None,
    worlds: Annotated[int, typer.Option(help="How many deals of the unseen cards are believed in at most.", min=1)] = 64,
    games: Annotated[int, typer.Option(help="How many greedy games a node at the horizon is valued by.", min=1)] = 16,
    seed: Annotated[int, typer.Option(help="What is dealt to the unseen hand, and how these games go.")] = 0,
    cards: CardsOption = None,
) -> None:
    """Draw what may happen next: actions, draws with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    from kibitz.onepiece.engine import POLICIES, game_with
    from kibitz.plain_states import PlainStates
    from kibitz.records import check_target
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree import Tree

    if out is not None:
        check_target(out)
    found = _find_game(file, game, _cards(cards))
    state = _before(found, step)
    observer = (state.actor() if state.actor() >= 0 else state.player) if seat is None else seat - 1
    states = PlainStates(game_with(*found.decks), [state])
    root = Tree(states, observer, max_worlds=worlds, seed=seed).root
    title = f"One Piece, turn {state.turn}, before step {step}, through the eyes of player {observer + 1}"
    rollouts = Rollouts(games, POLICIES["greedy"], seed)
    print_tree(*drawn_tree(root, depth, form, max_nodes, title, rollouts), out)


def _before(found: Record, step: int) -> State:
    """The position before a step of a record."""
    if step > len(found.codes):
        raise UserError(f"--step {step}: the game has {len(found.codes)} steps")
    state: State = next(islice(found.states(), step, None))[0]
    return state
