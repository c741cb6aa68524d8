"""``tree``: what may happen from a position on, as one player sees it, in any game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, check_seat, check_step, check_writable, compile_notice
from kibitz.cli.games import PerGame
from kibitz.cli.options import GameOption, OutOption, SeedOption, at_option, seat_option
from kibitz.cli.record_files import end_of, game_of_file
from kibitz.cli.trees import DepthOption, FormatOption, MaxNodesOption, WorldsOption, drawn_tree, games_option, print_tree

if TYPE_CHECKING:
    from kibitz.game import States
    from kibitz.play.profile import Profile, Typed
    from kibitz.search.worlds import BelievedWorlds

#: By how many games a node at the horizon is valued, in compiled games and in others.
GAMES, PLAIN_GAMES = 256, 16


def _games(profile: Profile) -> tuple[Any, int]:
    return games_option(f"games of the bot {profile.tournament.bots[0]}"), GAMES if profile.compiled else PLAIN_GAMES


def tree(
    profile: Profile,
    file: Annotated[
        Path | None, typer.Argument(metavar="[RECORD]", help="A game record (JSON Lines, .gz too); else the start of a game.")
    ] = None,
    at: Annotated[int | None, at_option("the last one")] = None,
    game: GameOption = None,
    seats: Annotated[int | None, typer.Option(metavar="N", help="Without a record: how many play.", min=2)] = None,
    seat: Annotated[int | None, seat_option("who is to move")] = None,
    depth: DepthOption = 1,
    form: FormatOption = "text",
    out: OutOption = None,
    max_nodes: MaxNodesOption = None,
    worlds: WorldsOption = 64,
    games: Annotated[int, PerGame(_games)] = GAMES,
    seed: SeedOption = 0,
    chosen: Typed = {},  # noqa: B006
) -> None:
    """Draw what may happen next: actions and outcomes of chance with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    with compile_notice():
        from kibitz.search.maxn import Rollouts
        from kibitz.search.tree import Tree

        check_writable(out)
        if file is None:
            if at is not None or game is not None:
                raise UserError(f"{'--at' if game is None else '--game'}: only for records; name one")
            states, observer, belief = _start(profile, chosen, seats, seat, seed)
            when = "at the start"
        else:
            if seats is not None:
                raise UserError("--seats: the record says how many play")
            states, observer, belief, when = _recorded(profile, chosen, file, game, at, seat, worlds, seed)
        root = Tree(states, observer, belief, max_worlds=worlds, seed=seed).root
        title = f"{profile.title}, {when}, through the eyes of player {observer + 1}"
        policy = profile.bot_named(profile.tournament.bots[0]).policy or 0
        text, total = drawn_tree(root, depth, form, max_nodes, title, Rollouts(games, policy, seed))
    print_tree(text, total, out)


def _start(profile: Profile, chosen: Typed, seats: int | None, seat: int | None, seed: int) -> tuple[States, int, None]:
    """The first decision of a game that the seed has dealt, and whose eyes are meant."""
    low, high = profile.seats
    seats = seats or profile.usual_seats
    if not low <= seats <= high:
        raise UserError(f"--seats {seats}: {profile.for_players}")
    state = profile.state(profile.typed(chosen, seed).starts(seats, 0, 1)[:1], seed=seed).resolve()
    check_seat(seat, seats)
    return state.states, _observer(state, seat), None


def _recorded(
    profile: Profile,
    chosen: Typed,
    file: Path,
    game: int | None,
    at: int | None,
    seat: int | None,
    worlds: int,
    seed: int,
) -> tuple[States, int, BelievedWorlds | None, str]:
    """A position of a recorded game, whose eyes are meant, what they believe, and when it was."""
    from kibitz.game import OVER, actor_at, game_of
    from kibitz.play.search_bot import AnyDeal, belief_at
    from kibitz.search.worlds import BelievedWorlds

    found = game_of_file(file, game, profile.records(chosen).check)
    check_seat(seat, len(found.seats))
    step = end_of(found) if at is None else at
    check_step(step, len(found.codes))
    states = found.before(step)
    state = profile.state(states)
    observer, when = _observer(state, seat), f"turn {state.turn_number}, before step {step}"
    view, belief = belief_at(profile.belief, found, step, observer)
    if actor_at(states, 0) == OVER or isinstance(belief, AnyDeal):  # the tree itself believes in any deal
        return states, observer, None, when
    return states, observer, BelievedWorlds(game_of(states), belief.worlds(view, worlds, seed), draws=worlds), when


def _observer(state: Any, seat: int | None) -> int:
    return max(state.concerns(), 0) if seat is None else seat - 1
