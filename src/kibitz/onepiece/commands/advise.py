"""``kibitz onepiece advise``: how likely each option wins, in a position of a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from kibitz.cli.common import UserError, check_step, print_json, read_limit, stops_on_interrupt, thinking
from kibitz.cli.options import GameOption, JsonOption, RecordArgument, SeedOption, at_option, iterations_option, time_option
from kibitz.cli.record_files import end_of
from kibitz.onepiece.commands.given import app, find_game
from kibitz.onepiece.commands.options import CardsOption

if TYPE_CHECKING:
    from kibitz.onepiece.advise import OnePieceAdvice
    from kibitz.onepiece.core.engine import State


@app.command()
def advise(
    file: RecordArgument,
    at: Annotated[int | None, at_option("the last one")] = None,
    game: GameOption = None,
    iterations: Annotated[int | None, iterations_option("100; with --time as many as there is time for")] = None,
    time: Annotated[float | None, time_option()] = None,
    seed: SeedOption = 0,
    cards: CardsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Win chances of each option of who is to decide, from what that player sees.

    Ctrl-C ends it with what there is.
    """
    from kibitz.compute.runtime import Limit, Runtime
    from kibitz.onepiece import advise as onepiece_advise
    from kibitz.onepiece.bots import DEFAULT
    from kibitz.onepiece.setup import read_cards
    from kibitz.play.advice import nobody_decides

    found = find_game(file, game, read_cards(cards))
    step = end_of(found) if at is None else at
    check_step(step, len(found.codes))
    state: State = found.before(step)[0]
    if reason := nobody_decides(state.actor()):
        raise UserError(f"--at {step}: {reason}")
    limit = Limit(iterations=iterations or (None if time else DEFAULT.iterations))
    with thinking(limit.iterations) as hear:
        runtime = Runtime(read_limit(time), hear)
        with stops_on_interrupt(runtime.cancel):
            advice = onepiece_advise.advise(found.decks, state, limit, seed, runtime, step=step)
    if as_json:
        print_json(advice.to_json())
    else:
        _print(advice)


def _print(advice: OnePieceAdvice) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.ground.figures import counted, with_margin

    rows = [
        {
            "option": option.action,
            "wins": with_margin(option.value, option.margin),
            "tried": f"{option.visits:,}",
            "meaning": option.name,
        }
        for option in advice.options
    ]
    out = Console(highlight=False)
    out.print(f"Player {advice.seat + 1} in turn {advice.position['turn']}. The search advises: {advice.best.action}\n")
    out.print(fitted(rows, tuple(rows[0]), width=out.width, left=("option", "meaning"), wrapped=("meaning",), bold_first=True))
    out.print(f"{counted(advice.games, 'iteration')}{advice.early}; ±: 95 %, if they were independent")
