"""``advise``: how likely each option wins in a position of a recorded game, of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from kibitz.cli.common import (
    UserError,
    check_step,
    compile_notice,
    print_json,
    read_limit,
    stops_on_interrupt,
    thinking,
)
from kibitz.cli.options import (
    GameOption,
    JsonOption,
    RecordArgument,
    SeedOption,
    at_option,
    iterations_option,
    time_option,
)
from kibitz.cli.record_files import end_of, game_of_file

if TYPE_CHECKING:
    from kibitz.play.advice import Advice
    from kibitz.play.profile import Profile, Typed


def advise(
    profile: Profile,
    file: RecordArgument,
    at: Annotated[int | None, at_option("the last one")] = None,
    game: GameOption = None,
    iterations: Annotated[int | None, iterations_option("as the bot ismcts; with --time as many as there is time for")] = None,
    time: Annotated[float | None, time_option()] = None,
    seed: SeedOption = 0,
    reading: Typed = {},  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """Win chances of each option of who is to decide, from what that player sees.

    Ctrl-C ends it with what there is.
    """
    with compile_notice():
        from kibitz.compute.runtime import Limit, Runtime
        from kibitz.game import actor_at
        from kibitz.play.advice import advise_at, nobody_decides

        found = game_of_file(file, game, profile.records(reading).check)
        step = end_of(found) if at is None else at
        check_step(step, len(found.codes))
        if reason := nobody_decides(actor_at(found.before(step), 0)):
            raise UserError(f"--at {step}: {reason}")
        limit = None if iterations is None and time is None else Limit(iterations=iterations)
        with thinking(iterations) as hear:
            runtime = Runtime(read_limit(time), hear)
            with stops_on_interrupt(runtime.cancel):
                advice = advise_at(profile, found, step, limit, seed, runtime)
    if as_json:
        print_json(advice.to_json())
    else:
        print_advice(advice)


def print_advice(advice: Advice) -> None:
    """The options, the best first, and what is expected after the best."""
    from rich.console import Console

    from kibitz.cli.tables import WIDTH, fitted, folded
    from kibitz.ground.figures import counted, with_margin

    rows = [
        {
            "option": option.action,
            "wins": with_margin(option.value, option.margin),
            "tried": f"{option.visits:,}",
            **({"meaning": option.name} if option.name != option.action else {}),
        }
        for option in advice.options
    ]
    out = Console(highlight=False)
    out.print(f"Player {advice.seat + 1} in turn {advice.position['turn']}. The search advises: {advice.best.action}\n")
    out.print(fitted(rows, tuple(rows[0]), width=out.width, left=("option", "meaning"), wrapped=("meaning",), bold_first=True))
    out.print(f"{counted(advice.games, 'iteration')}{advice.early}; ±: 95 %, if they were independent")
    steps = [step.action or "something unseen" for step in advice.best.line]
    if len(steps) > 1:
        out.print(folded("line:", "; ".join(steps), 5)[: 3 * WIDTH])
