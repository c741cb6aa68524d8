"""``tree``: what may happen next, as one player sees it, in any game; how trees are drawn and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, check_seat, check_writable, compile_notice, console, progress
from kibitz.cli.games import PerGame
from kibitz.cli.options import GameOption, OutOption, SeedOption, at_option, choice, number, seat_option
from kibitz.cli.records import position_of

if TYPE_CHECKING:
    from kibitz.game import States
    from kibitz.game.record import GameRecord
    from kibitz.play.profile import Profile, Typed
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree import Node
    from kibitz.search.worlds import BelievedWorlds

#: By how many games a node at the horizon is valued, in compiled games and in others.
GAMES, PLAIN_GAMES = 256, 16
#: How many nodes are drawn unless more are asked for; a picture cannot hold more than `kibitz.search.tree_draw` says.
MAX_NODES = 2000

DepthOption = Annotated[int, number("How many steps are drawn.", min=0)]
FormatOption = Annotated[str, choice(("text", "json", "dot", "svg"), "What is written.", "--format")]
MaxNodesOption = Annotated[int | None, number("Refuse a larger tree.", f"{MAX_NODES:,}, for svg 400")]


def _games(profile: Profile) -> tuple[Any, int]:
    option = number(f"How many games of the bot {profile.tournament.bots[0]} a node at the horizon is valued by.")
    return option, GAMES if profile.compiled else PLAIN_GAMES


def tree(
    profile: Profile,
    file: Annotated[
        Path | None, typer.Argument(metavar="[RECORD]", help="A game record (JSON Lines, .gz too); else the start of a game.")
    ] = None,
    at: Annotated[int | None, at_option("the last one")] = None,
    game: GameOption = None,
    seats: Annotated[int | None, number("Without a record: how many play.", min=2)] = None,
    seat: Annotated[int | None, seat_option("who is to move")] = None,
    depth: DepthOption = 1,
    form: FormatOption = "text",
    out: OutOption = None,
    max_nodes: MaxNodesOption = None,
    worlds: Annotated[int, number("How many deals of the unseen cards are believed in at most.")] = 64,
    games: Annotated[int, PerGame(_games)] = GAMES,
    seed: SeedOption = 0,
    chosen: Typed = {},  # noqa: B006
) -> None:
    """Draw what may happen next: actions and outcomes of chance with their probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    with compile_notice():
        from kibitz.game import OVER, actor_at, seats_of
        from kibitz.search.maxn import Rollouts
        from kibitz.search.tree import Tree

        check_writable(out)
        belief = None
        if file is None:
            if at is not None or game is not None:
                raise UserError(f"{'--at' if game is None else '--game'}: only for records; name one")
            states, when = _start(profile, chosen, seats, seed), "at the start"
        else:
            if seats is not None:
                raise UserError("--seats: the record says how many play")
            found, step = position_of(file, game, at, profile.records(chosen).check)
            states = found.before(step)
            when = ", ".join(filter(None, [profile.state(states).when, f"before step {step}"]))
        check_seat(seat, seats_of(states))
        observer = max(profile.state(states).concerns(), 0) if seat is None else seat - 1
        if file is not None and actor_at(states, 0) != OVER:
            belief = _believed(profile, found, step, observer, worlds, seed)
        root = Tree(states, observer, belief, max_worlds=worlds, seed=seed).root
        title = f"{profile.title}, {when}, through the eyes of player {observer + 1}"
        policy = profile.bot_named(profile.tournament.bots[0]).policy or 0
        text, total = drawn_tree(root, depth, form, max_nodes, title, Rollouts(games, policy, seed))
    print_tree(text, total, out)


def _start(profile: Profile, chosen: Typed, seats: int | None, seed: int) -> States:
    """The first decision of a game that the seed has dealt."""
    low, high = profile.seats
    seats = seats or profile.usual_seats
    if not low <= seats <= high:
        raise UserError(f"--seats {seats}: {profile.for_players}")
    return profile.state(profile.typed(chosen, seed).starts(seats, 0, 1)[:1], seed=seed).resolve().states


def _believed(profile: Profile, found: GameRecord, step: int, seat: int, worlds: int, seed: int) -> BelievedWorlds | None:
    """What a seat believes before a step of a recorded game; None for nothing in particular, as the tree does by itself."""
    from kibitz.game import game_of
    from kibitz.play.search_bot import AnyDeal, belief_at
    from kibitz.search.worlds import BelievedWorlds

    view, belief = belief_at(profile.belief, found, step, seat)
    if isinstance(belief, AnyDeal):
        return None
    return BelievedWorlds(game_of(view), belief.worlds(view, worlds, seed), draws=worlds)


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
