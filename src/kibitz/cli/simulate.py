"""``simulate``: games of any kind between bots, and what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from kibitz.cli import options
from kibitz.cli.common import (
    FINISHING,
    RECORD,
    UserError,
    check_writable,
    compile_notice,
    discard_left_behind,
    print_conduct,
    print_json,
    progress,
    say_stopped,
    stops_on_interrupt,
)
from kibitz.cli.games import PerGame
from kibitz.cli.players import about_loops, read_guard, read_seats

if TYPE_CHECKING:
    from kibitz.play.bots import Bot
    from kibitz.play.match import Results
    from kibitz.play.profile import Profile, Summary, Typed

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 100

#: Options that are not the same for all games.
GuardOption = Annotated[str | None, PerGame(lambda game: (options.guard_option(game.usual_guard), None))]
JobsOption = Annotated[int | None, PerGame(lambda game: (options.JOBS, None) if game.compiled else None)]


def _players(game: Profile) -> tuple[object, str]:
    help = f"The number of seats, or the players: {options.bots_example(game)}."
    return options.bots_option(game, help), str(game.usual_seats)


def device_of(game: Profile) -> tuple[object, str] | None:
    """The option --device, where a game can be played in several places."""
    return (options.device_option(game.devices), game.devices[0]) if len(game.devices) > 1 else None


def simulate(
    profile: Profile,
    games: options.GamesOption = 1,
    seed: options.SeedOption = 0,
    players: Annotated[str, PerGame(_players)] = "",
    policy: Annotated[str | None, PerGame(lambda game: (options.policy_option(game.bot_names, game.usual_bot), None))] = None,
    chosen: Typed = {},  # noqa: B006
    record: options.RecordOption = None,
    full: options.FullOption = False,
    jobs: JobsOption = None,
    device: Annotated[str, PerGame(device_of)] = "cpu",
    guard: GuardOption = None,
    force: options.ForceOption = False,
    as_json: options.JsonOption = False,
) -> None:
    """Play games between bots and summarise the results.

    A search takes iterations or seconds: ismcts:200, ismcts:2s. Ctrl-C keeps the games that are over. After a kill the same
    command takes up the record where it broke off.
    """
    import time
    from threading import Event

    if full and record is None:
        raise UserError("--full adds to what --record writes; name a file with --record FILE")
    with compile_notice():
        bots = read_seats(profile, players, policy)
        setup = profile.typed(chosen, seed)
        rules = read_guard(guard or setup.guard)
        if device == "cuda":
            _require_gpu(bots, record, guarded=rules is not None)
        check_writable(record, RECORD, force)
        from kibitz.play.series import Plan, play_plan, warm_up
        from kibitz.play.taken_over import LeftBehind

        warm_up(setup, len(bots))
        if record is not None and force:
            discard_left_behind(record)
        began, stop = time.monotonic(), Event()
        what = "playing" if record is None else "recording"
        with progress(what, games, "games") as advance, stops_on_interrupt(stop.set, FINISHING):
            plan = Plan(setup, tuple(bots), seed, games, guard=rules)
            how = partial(play_plan, jobs=jobs, device=device, record=record, full=full)
            try:
                results = how(plan, progress=advance, until=stop.is_set)
            except LeftBehind as error:
                raise UserError(str(error)) from None
        seconds = time.monotonic() - began
    say_stopped(len(results.states), games)
    names, summary = [bot.name for bot in bots], setup.summary(results)
    if as_json:
        print_json({"seed": seed, "seats": len(bots), **setup.facts(), **_as_json(results, names, summary)})
        return
    _print(results, names, summary, seconds)
    if record is not None:
        print(f"written: {record}")


def _require_gpu(bots: Sequence[Bot], record: Path | None, guarded: bool) -> None:
    from kibitz.compute.cuda import NoGpu, require_gpu

    if guarded:
        raise UserError("--device cuda: loop guards do not run on a GPU; use --device cpu with --guard")
    for bot in bots:
        if bot.policy is None:
            raise UserError(f"--device cuda: {bot.name} is not a compiled policy; use --device cpu")
    if record is not None:
        raise UserError("--device cuda keeps only the results of games; --record needs every step: use --device cpu")
    try:
        require_gpu()
    except NoGpu as error:
        raise UserError(f"--device cuda: {error}") from None


def _counts(results: Results, seats: int) -> tuple[list[int], int, int]:
    """How many games each seat won, how many the loop rule declared a draw, and how many had no winner for another reason."""
    counts = Counter(results.winners.tolist())
    won = [counts[seat] for seat in range(seats)]
    drawn = 0 if results.loops is None else int(results.loops.drawn.sum())
    return won, drawn, len(results.states) - sum(won) - drawn


def _of_seat(by_heading: Mapping[str, Sequence[Any]], seat: int) -> dict[str, Any]:
    return {heading: values[seat] for heading, values in by_heading.items()}


def _print(results: Results, bots: Sequence[str], summary: Summary, seconds: float) -> None:
    """The same for people; `seconds` is how long it took."""
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.ground.texts import counted, percent

    games, turns = len(results.states), results.turns
    won, _, unfinished = _counts(results, len(bots))
    rows = []
    for seat, bot in enumerate(bots):
        wins = {"won": f"{won[seat]:,}", "win rate": percent(won[seat] / games)}
        figures = {heading: f"{value:.1f}" for heading, value in _of_seat(summary.figures, seat).items()}
        rows.append({"player": str(seat + 1), "bot": bot, **_of_seat(summary.words, seat), **wins, **figures})
    spread = f"{turns.mean():.1f} on average, {turns.min()} to {turns.max()}" if games > 1 else f"{turns.max()}"
    length = f"turns: {spread}" if turns.any() else ""
    undecided = f"{unfinished:,} without a winner" if unfinished else ""
    facts = ", ".join(filter(None, [length, undecided]))
    endings = ", ".join(f"{n:,} by {ending}" for ending, n in sorted(Counter(summary.endings).items()))
    lines = [
        f"{facts}{'; ' if facts else ''}steps: {results.steps / games:,.0f}{' a game' if games > 1 else ''}",
        f"ends: {endings}" if endings else "",
        about_loops(results.loops),
        f"{games / seconds:,.0f} games/s" if games >= ENOUGH_FOR_A_SPEED else "",
    ]
    out = Console(highlight=False, markup=False)
    out.print(f"{counted(games, 'game')}, {len(bots)} players", style="bold")
    out.print(fitted(rows, tuple(rows[0]), width=out.width, names=2, left=("player", "bot", *summary.words)))
    for line in filter(None, lines):
        out.print(line)
    print_conduct(results.conduct)


def _as_json(results: Results, bots: Sequence[str], summary: Summary) -> dict[str, Any]:
    """Everything, by name; seats from 0."""
    from kibitz.play.share import Share

    games, turns, loops = len(results.states), results.turns, results.loops
    won, drawn, unfinished = _counts(results, len(bots))
    players = [
        {"seat": seat, "bot": bot, "wins": Share(won[seat], games).to_json()}
        | _of_seat(summary.words, seat)
        | _of_seat(summary.figures, seat)
        for seat, bot in enumerate(bots)
    ]
    lengths = {"mean": float(turns.mean()), "least": int(turns.min()), "most": int(turns.max())}
    return {
        "games": games,
        "unfinished": unfinished,
        "drawn": drawn,
        "players": players,
        "turns": lengths if turns.any() else None,  # not every game counts them
        "steps": results.steps,
        **({"endings": dict(Counter(summary.endings))} if summary.endings else {}),
        "loops": None if loops is None else int(loops.found.sum()),
        "conduct": {name: conduct.to_json() for name, conduct in results.conduct.items()},
    }
