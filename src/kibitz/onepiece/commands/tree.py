"""``kibitz onepiece tree``: what may happen from a position of a recorded game on, as one player sees it."""

from __future__ import annotations

from typing import Annotated

from kibitz.cli.common import check_seat, check_step, check_writable
from kibitz.cli.options import GameOption, OutOption, RecordArgument, SeedOption, at_option, seat_option
from kibitz.cli.trees import DepthOption, FormatOption, MaxNodesOption, WorldsOption, drawn_tree, games_option, print_tree
from kibitz.onepiece.commands.given import app, find_game
from kibitz.onepiece.commands.options import CardsOption


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
    games: Annotated[int, games_option("greedy games")] = 16,
    seed: SeedOption = 0,
    cards: CardsOption = None,
) -> None:
    """Draw what may happen next: actions, draws with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    from kibitz.onepiece.core.engine import POLICIES, State
    from kibitz.onepiece.setup import read_cards
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree import Tree

    check_writable(out)
    check_seat(seat, 2)
    found = find_game(file, game, read_cards(cards))
    check_step(at, len(found.codes))
    states = found.before(at)
    state: State = states[0]
    observer = (state.actor() if state.actor() >= 0 else state.player) if seat is None else seat - 1
    root = Tree(states, observer, max_worlds=worlds, seed=seed).root
    title = f"One Piece, turn {state.turn}, before step {at}, through the eyes of player {observer + 1}"
    rollouts = Rollouts(games, POLICIES["greedy"], seed)
    print_tree(*drawn_tree(root, depth, form, max_nodes, title, rollouts), out)
