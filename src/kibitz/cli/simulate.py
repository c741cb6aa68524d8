"""``simulate``: games of any kind between bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kibitz.cli.common import UserError, check_writable, compile_notice, progress
from kibitz.cli.games import PerGame
from kibitz.cli.guards import read_guard
from kibitz.cli.options import (
    FullOption,
    GamesOption,
    JsonOption,
    RecordOption,
    SeedOption,
    bots_example,
    bots_option,
    device_option,
    guard_option,
    jobs_option,
    policy_option,
)
from kibitz.cli.players import read_seats
from kibitz.cli.record_files import check_full

if TYPE_CHECKING:
    from kibitz.play.bots import Bot
    from kibitz.play.profile import Profile, Typed

#: Options that are not the same for all games.
GuardOption = Annotated[str | None, PerGame(lambda game: (guard_option(game.usual_guard), None))]
JobsOption = Annotated[int | None, PerGame(lambda game: (jobs_option(), None) if game.compiled else None)]


def _players(game: Profile) -> tuple[object, str]:
    help = f"How many seats, or who sits there: {bots_example(game)}."
    return bots_option(game, help), str(game.usual_seats)


def _device(game: Profile) -> tuple[object, str] | None:
    return (device_option(game.devices), game.devices[0]) if len(game.devices) > 1 else None


def simulate(
    profile: Profile,
    games: GamesOption = 1,
    seed: SeedOption = 0,
    players: Annotated[str, PerGame(_players)] = "",
    policy: Annotated[str | None, PerGame(lambda game: (policy_option(game.bots, game.usual_bot), None))] = None,
    chosen: Typed = {},  # noqa: B006
    record: RecordOption = None,
    full: FullOption = False,
    jobs: JobsOption = None,
    device: Annotated[str, PerGame(_device)] = "cpu",
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between bots and sum them up.

    A search takes iterations or seconds: ismcts:200, ismcts:2s.
    """
    import time

    check_full(full, record)
    with compile_notice():
        bots = read_seats(profile, players, policy)
        setup = profile.typed(chosen, seed)
        rules = read_guard(guard or setup.guard)
        if device == "cuda":
            _require_gpu(bots, record, guarded=rules is not None)
        check_writable(record)
        from kibitz.cli.simulation import Simulation
        from kibitz.play.series import Plan, play_plan, warm_up

        warm_up(setup, len(bots))
        began = time.monotonic()
        with progress("playing" if record is None else "recording", games, "games") as advance:
            plan = Plan(setup, tuple(bots), seed, games, guard=rules)
            results = play_plan(plan, jobs=jobs, device=device, record=record, full=full, progress=advance)
        seconds = time.monotonic() - began
    facts = {"seed": seed, "seats": len(bots), **setup.facts()}
    Simulation(results, [bot.name for bot in bots], facts, setup.summary(results)).print(seconds, record, as_json)


def _require_gpu(bots: Sequence[Bot], record: Path | None, guarded: bool) -> None:
    from kibitz.compute.cuda import NoGpu, require_gpu

    if guarded:
        raise UserError("--device cuda: games there are played without a loop guard; use --device cpu with --guard")
    for bot in bots:
        if bot.policy is None:
            raise UserError(f"--device cuda: {bot.name} is not a compiled policy; it plays on the cpu")
    if record is not None:
        raise UserError("--device cuda plays whole games and keeps their ends; --record needs every step: use --device cpu")
    try:
        require_gpu()
    except NoGpu as error:
        raise UserError(f"--device cuda: {error}") from None
