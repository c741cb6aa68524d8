"""``advise``: how likely each option wins in a position of a recorded game, of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from kibitz.cli import options
from kibitz.cli.common import UserError, compile_notice, print_json, thinking
from kibitz.cli.records import position_of

if TYPE_CHECKING:
    from kibitz.play.advice import Advice
    from kibitz.play.profile import Profile, Typed


def advise(
    profile: Profile,
    file: options.RecordArgument,
    at: Annotated[int | None, options.at_option("the last one")] = None,
    game: options.GameOption = None,
    iterations: Annotated[
        int | None, options.iterations_option("as the bot ismcts; with --time as many as there is time for")
    ] = None,
    time: Annotated[float | None, options.time_option()] = None,
    seed: options.SeedOption = 0,
    reading: Typed = {},  # noqa: B006
    as_json: options.JsonOption = False,
) -> None:
    """Win chances of each option of who is to decide, from what that player sees.

    Ctrl-C ends it with what there is.
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
    from kibitz.ground.figures import counted, with_margin

    rows = [
        {"option": one.action, "wins": with_margin(one.value, one.margin), "tried": f"{one.visits:,}", "meaning": one.name}
        for one in advice.options
    ]
    headings = ("option", "wins", "tried", *(["meaning"] if any(one.name != one.action for one in advice.options) else []))
    out = Console(highlight=False)
    when = f" in turn {advice.position['turn']}" if advice.position["turn"] else ""  # not every game counts them
    out.print(f"Player {advice.seat + 1}{when}. The search advises: {advice.best.action}\n")
    out.print(fitted(rows, headings, width=out.width, left=("option", "meaning"), wrapped=("meaning",), bold_first=True))
    out.print(f"{counted(advice.games, 'iteration')}{advice.early}; ±: 95 %, if they were independent")
    steps = [step.action or "something unseen" for step in advice.best.line]
    if len(steps) > 1:
        out.print(folded("line:", "; ".join(steps), 5)[: 3 * WIDTH])
