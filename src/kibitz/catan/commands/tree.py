"""``kibitz catan tree``: what may happen from a position of a recorded game on, as one player sees it."""

from __future__ import annotations

from typing import Annotated

from kibitz.catan.commands.given import app, find_game
from kibitz.cli.common import UserError, check_seat, check_step, check_writable, compile_notice
from kibitz.cli.options import GameOption, OutOption, RecordArgument, SeedOption, at_option, seat_option
from kibitz.cli.trees import DepthOption, FormatOption, MaxNodesOption, WorldsOption, drawn_tree, games_option, print_tree


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
    worlds: WorldsOption = 64,
    games: Annotated[int, games_option("games of builders")] = 256,
    seed: SeedOption = 0,
) -> None:
    """Draw what may happen next: actions, dice and cards with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    with compile_notice():
        from kibitz.catan.belief.deals import belief_at, deals
        from kibitz.catan.core.engine import GAME
        from kibitz.catan.core.game_state import GameState
        from kibitz.catan.core.policy import BOTS
        from kibitz.search.maxn import Rollouts
        from kibitz.search.tree import Tree
        from kibitz.search.worlds import Worlds

        check_writable(out)
        found = find_game(file, game)
        check_seat(seat, len(found.seats))
        check_step(at, len(found.codes))
        states = found.before(at)
        state = GameState(states)
        if state.actor is None:
            raise UserError(f"--at {at}: the game is over there")
        observer = state.concerns() if seat is None else seat - 1
        seen = state.observe(observer).states
        belief = Worlds(GAME, deals(belief_at(found, at, observer), seen, observer, worlds, seed), draws=worlds)
        root = Tree(states, observer, belief, max_worlds=worlds, seed=seed).root
        title = f"Catan, turn {state.turn_number}, before step {at}, through the eyes of player {observer + 1}"
        text, total = drawn_tree(root, depth, form, max_nodes, title, Rollouts(games, BOTS["builder"], seed))
    print_tree(text, total, out)
