"""``kibitz catan tree``: what may happen from a position of a recorded game on, as one player sees it."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from kibitz.cli.catan import app
from kibitz.cli.catan_input import find_game
from kibitz.cli.common import UserError, check_seat, check_step, check_writable, compile_notice
from kibitz.cli.options import GameOption, OutOption, RecordArgument, SeedOption, at_option, seat_option
from kibitz.cli.trees import DepthOption, FormatOption, MaxNodesOption, drawn_tree, print_tree


@app.command()
def tree(
    file: RecordArgument,
    at: Annotated[int, at_option(default=True)],
    game: GameOption = None,
    seat: Annotated[int | None, seat_option("who is to move")] = None,
    depth: DepthOption = 1,
    form: FormatOption = "text",
    out: OutOption = None,
    max_nodes: MaxNodesOption = None,
    worlds: Annotated[
        int, typer.Option(metavar="N", help="How many deals of the unseen cards are believed in at most.", min=1)
    ] = 64,
    games: Annotated[
        int, typer.Option(metavar="N", help="How many games of builders a node at the horizon is valued by.", min=1)
    ] = 256,
    seed: SeedOption = 0,
) -> None:
    """Draw what may happen next: actions, dice and cards with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    with compile_notice():
        from kibitz.belief.deals import belief_at, deals
        from kibitz.catan.engine import GAME
        from kibitz.catan.game_state import GameState
        from kibitz.catan.policy import BOTS
        from kibitz.search.maxn import Rollouts
        from kibitz.search.tree import Tree
        from kibitz.search.worlds import Worlds

        check_writable(out)
        found = find_game(file, game)
        check_seat(seat, len(found.seats))
        check_step(at, len(found.codes))
        states = next(islice(found.states(), at, None))
        state = GameState(states)
        if state.actor is None:
            raise UserError(f"--at {at}: the game is over there")
        observer = state.concerns() if seat is None else seat - 1
        seen = state.observe(observer).states
        belief = Worlds(GAME, deals(belief_at(found, at, observer), seen, observer, worlds, seed))
        root = Tree(states, observer, belief, max_worlds=worlds, seed=seed).root
        title = f"Catan, turn {state.turn_number}, before step {at}, through the eyes of player {observer + 1}"
        text, total = drawn_tree(root, depth, form, max_nodes, title, Rollouts(games, BOTS["builder"], seed))
    print_tree(text, total, out)
