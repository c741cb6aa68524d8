"""``tree`` and ``advise``: what may happen next in a position of any game, and how likely each option wins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import options
from kibitz.cli.common import (
    PICTURE,
    UserError,
    check_seat,
    check_writable,
    compile_notice,
    console,
    print_json,
    progress,
    thinking,
)
from kibitz.cli.games import PerGame
from kibitz.cli.records import position_of

if TYPE_CHECKING:
    from kibitz.game import States
    from kibitz.game.record import GameRecord
    from kibitz.play.advice import Advice
    from kibitz.play.profile import Profile, Typed
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree import Node
    from kibitz.search.worlds import BelievedWorlds

#: By how many games a node at the horizon is valued, in compiled games and in others.
GAMES, PLAIN_GAMES = 256, 16
#: How many nodes are drawn unless more are asked for; a picture cannot hold more than `kibitz.search.tree_draw` says.
MAX_NODES = 2000

#: How drawn trees begin, where that can be told.
TREES = {"dot": "digraph", "svg": PICTURE}

DepthOption = Annotated[int, options.number("How many steps to draw.", min=0)]
FormatOption = Annotated[str, options.choice(("text", "json", "dot", "svg"), "The output format.", "--format")]
MaxNodesOption = Annotated[int | None, options.number("The largest tree allowed, in nodes.", f"{MAX_NODES:,}, for svg 400")]


def _games(profile: Profile) -> tuple[Any, int]:
    option = options.number(
        f"How many games of the bot {profile.tournament.bots[0]} decide the value of a node at the edge of the tree."
    )
    return option, GAMES if profile.compiled else PLAIN_GAMES


def tree(
    profile: Profile,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[RECORD]", help="A game record (.jsonl or .jsonl.gz); without one, the start of a game."),
    ] = None,
    at: Annotated[int | None, options.at_option("the last one")] = None,
    game: options.GameOption = None,
    seats: Annotated[int | None, options.number("Without a record: how many players.", min=2)] = None,
    seat: Annotated[int | None, options.seat_option("who is to move")] = None,
    depth: DepthOption = 1,
    form: FormatOption = "text",
    out: options.OutOption = None,
    max_nodes: MaxNodesOption = None,
    worlds: Annotated[int, options.number("At most how many deals of the unseen cards to consider.")] = 64,
    games: Annotated[int, PerGame(_games)] = GAMES,
    seed: options.SeedOption = 0,
    chosen: Typed = {},  # noqa: B006
    force: options.ForceOption = False,
) -> None:
    """Draw what may happen next: actions, chance outcomes with their probabilities, and values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    with compile_notice():
        from kibitz.game import OVER, actor_at, seats_of
        from kibitz.search.maxn import Rollouts
        from kibitz.search.tree import Tree

        check_writable(out, TREES.get(form), force, file)
        belief = None
        if file is None:
            if at is not None or game is not None:
                raise UserError(f"{'--at' if game is None else '--game'}: needs a game record; name one")
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
    from kibitz.play.search_bot import AnyDeal, belief_after
    from kibitz.search.worlds import BelievedWorlds

    view, belief = belief_after(profile.belief, found.start(), found.codes[:step], seat)
    if isinstance(belief, AnyDeal):
        return None
    return BelievedWorlds(game_of(view), belief.worlds(view, worlds, seed), draws=worlds)


def drawn_tree(
    root: Node,
    depth: int | None,
    form: str,
    max_nodes: int | None,
    title: str,
    rollouts: Rollouts | None = None,
    turns: int | None = None,
) -> tuple[str, int]:
    """A tree as it is written, and how many nodes it has; it is counted before anything is evaluated.

    Without a `depth`, of some `turns` as many steps are drawn as fit; a last line of a text says so.
    """
    from kibitz.search.maxn import Rollouts
    from kibitz.search.tree_draw import MAX_NODES as MAX_PICTURED
    from kibitz.search.tree_draw import TooLarge, as_dot, as_json, as_svg, as_text, count_nodes, draw

    limit = max_nodes or (MAX_PICTURED if form == "svg" else MAX_NODES)
    note = ""
    try:
        with console().status("counting the nodes"):
            try:
                total = count_nodes(root, depth, limit, turns)
            except TooLarge as error:
                if depth is not None or max_nodes is not None or error.fits == 0:
                    raise
                depth = error.fits
                total = count_nodes(root, depth, limit, turns)
                note = f"\nonly {depth} steps are drawn: all have more than {limit:,} nodes; values look to the end of the turn"
    except TooLarge as error:
        more = "" if form == "svg" else " or a larger --max-nodes"
        raise UserError(f"{error}; use a smaller --depth{more}") from None
    with progress("looking ahead", total, "nodes") as advance:
        drawn = draw(root, depth, turns=turns, rollouts=rollouts or Rollouts(), advance=advance)
    if form == "svg":
        return as_svg(drawn, title, max_nodes=total).rstrip(), total
    return {"text": as_text, "json": as_json, "dot": as_dot}[form](drawn) + (note if form == "text" else ""), total


def print_tree(text: str, total: int, out: Path | None) -> None:
    """Print a tree, or write it to a file and say so."""
    from kibitz.game.files import writing

    if out is None:
        print(text)
        return
    with writing(out) as write_line:
        write_line(text)
    print(f"written: {out}, {total:,} nodes")


def advise(
    profile: Profile,
    file: options.RecordArgument,
    at: Annotated[int | None, options.at_option("the last one")] = None,
    game: options.GameOption = None,
    iterations: Annotated[
        int | None, options.iterations_option("as the bot ismcts; with --time as many as time allows")
    ] = None,
    time: Annotated[float | None, options.time_option()] = None,
    seed: options.SeedOption = 0,
    reading: Typed = {},  # noqa: B006
    as_json: options.JsonOption = False,
) -> None:
    """Show the chance to win with each option, from what the player to move can see.

    Ctrl-C ends it with the results so far.
    """
    with compile_notice():
        from kibitz.compute.runtime import Limit
        from kibitz.game import actor_at
        from kibitz.play.advice import advise_at, nobody_decides

        found, step = position_of(file, game, at, profile.records(reading).check)
        if reason := nobody_decides(actor_at(found.before(step), 0)):
            raise UserError(f"--at {step}: {reason}")
        limit = None if iterations is None and time is None else Limit(iterations=iterations)
        with thinking(iterations, time) as runtime:
            advice = advise_at(profile, found, step, limit, seed, runtime)
    if as_json:
        print_json(advice.to_json())
    else:
        print_advice(advice)


def print_advice(advice: Advice) -> None:
    """The options, the best first, and what is expected after the best."""
    from rich.console import Console

    from kibitz.cli.tables import WIDTH, fitted, folded
    from kibitz.ground.texts import counted, with_margin
    from kibitz.play.advice import IN_DOUBT

    rows = [
        {"option": one.action, "wins": with_margin(one.value, one.margin), "tried": f"{one.visits:,}", "meaning": one.name}
        for one in advice.options
    ]
    headings = ("option", "wins", "tried", *(["meaning"] if any(one.name != one.action for one in advice.options) else []))
    out = Console(highlight=False)
    when = f" in turn {advice.position['turn']}" if advice.position["turn"] else ""  # not every game counts them
    out.print(f"Player {advice.seat + 1}{when}. The search advises: {advice.best.action}\n")
    out.print(fitted(rows, headings, width=out.width, left=("option", "meaning"), wrapped=("meaning",), bold_first=True))
    out.print(f"{counted(advice.games, 'iteration')}{advice.early}; ± is a rough 95 % interval")
    if IN_DOUBT in advice.warnings:
        out.print(f"{IN_DOUBT}.")
    steps = [step.action or "something unseen" for step in advice.best.line]
    if len(steps) > 1:
        out.print(folded("line:", "; ".join(steps), 5)[: 3 * WIDTH])
