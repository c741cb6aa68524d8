"""``kibitz coup advise``: what should I do, and what may the others hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, progress, rules_from, stops_on_interrupt
from kibitz.cli.coup import app
from kibitz.cli.coup_input import check_bluff, find_game, no_contradiction, read_told

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.belief.influence import InfluenceBelief
    from kibitz.play.coup_advise import Advice, Option
    from kibitz.play.coup_words import Words

    States = npt.NDArray[np.void]

#: For how many options the line is printed.
LINES = 3
#: What should be done more rarely than this is not worth a word.
LEAST = 0.005


@app.command()
def advise(
    situation: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|FILE|-", help="What has happened, in words: 'cards duke captain; coins 3 5'."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Who asks, from 1, if the text does not say so.", show_default="1", min=1, max=6)
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(help="How many games the search plays in its mind.", show_default="100,000", min=1)
    ] = None,
    time: Annotated[float | None, typer.Option(help="Seconds to think instead.")] = None,
    bluff: Annotated[
        float | None,
        typer.Option(help="How often a claim is made without the card, for one made with it: 0 to 1.", show_default="0.5"),
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Ask about a recorded game instead, for the player to move.", metavar="FILE")
    ] = None,
    game: Annotated[int | None, typer.Option(help="Which game of the record, from 0.", show_default="0", min=0)] = None,
    step: Annotated[int | None, typer.Option(help="Before which step of the record, from 0.", min=0)] = None,
    seed: Annotated[int, typer.Option(help="The same seed and iterations give the same advice.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Threads that search; all cores by default.", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Win chances of each option, the best line, and who may hold what."""
    if iterations is not None and time is not None:
        raise UserError("--iterations and --time: give one of the two")
    check_bluff(bluff)
    if (situation is None) == (record is None):
        raise UserError("say what has happened (kibitz coup advise 'cards duke captain; coins 3 5'), or name a --record FILE")
    if record is None and (game is not None or step is not None):
        raise UserError(f"--{'game' if step is None else 'step'} is about a record: name it with --record FILE")
    if record is not None and rule:
        raise UserError("--rule: a record has its own rules")
    with compile_notice():
        from kibitz import game as verbs
        from kibitz.coup.state import Rules
        from kibitz.play.coup_bots import BLUFF

        bluff = BLUFF if bluff is None else bluff
        if record is not None:
            states, belief, names = _recorded(record, game or 0, step, seat, bluff)
        else:
            told, belief = read_told(str(situation), seat, rules_from(Rules, rule or []), bluff)
            states, names = told.states, told.names
            if (actor := verbs.actor_at(states, 0)) != told.observer:
                you = told.observer + 1
                raise UserError(f"player {actor + 1} is to decide, and you are player {you}: there is nothing to advise")
        advice = _think(states, belief, iterations, time, seed, jobs)
    if as_json:
        print(json.dumps({"names": list(names)} | advice.to_json()))
    else:
        _print(advice, names)


def _recorded(
    record: Path, number: int, step: int | None, seat: int | None, bluff: float
) -> tuple[States, InfluenceBelief, tuple[str, ...]]:
    """A position of a recorded game, what its player could know of it, and what the players are called."""
    from kibitz.play.coup_advise import recorded

    if step is None:
        raise UserError("--record: say before which step with --step K (its lines are numbered)")
    found = find_game(record, number)
    try:
        with no_contradiction():
            states, belief = recorded(found, step, bluff)
    except ValueError as error:
        raise UserError(f"--{error}") from None
    if seat is not None and seat - 1 != belief.observer:
        raise UserError(f"--seat {seat}: player {(belief.observer or 0) + 1} is to decide at step {step}")
    return states, belief, tuple(str(player + 1) for player in range(belief.seats))


def _think(
    states: States, belief: InfluenceBelief, iterations: int | None, time: float | None, seed: int, jobs: int | None
) -> Advice:
    from dataclasses import replace

    from kibitz.compute.runtime import Info, Limit, Runtime
    from kibitz.compute.workers import Threads
    from kibitz.play.coup_advise import CONFIG, advise
    from kibitz.play.search_bot import ENDLESS

    try:
        limit = Limit(time=time)
    except ValueError as error:
        raise UserError(f"--time {str(error).partition('=')[2]}") from None
    config = replace(CONFIG, iterations=iterations or (ENDLESS if time else CONFIG.iterations), seed=seed)
    done = 0
    with progress("thinking", None if time else config.iterations, "iterations") as advance:

        def heard(info: Info) -> None:
            nonlocal done
            advance(info.done - done)
            done = info.done

        runtime = Runtime(limit, heard)
        with stops_on_interrupt(runtime.cancel, "stopping with what there is; press Ctrl-C again to end at once"):
            return advise(states, belief, config, runtime=runtime, workers=Threads(jobs))


# --- how it looks -------------------------------------------------------------------------------------------------


def _print(advice: Advice, names: tuple[str, ...]) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.coup.cards import CHARACTERS
    from kibitz.play.coup_words import Words, title

    out = Console(highlight=False)
    words = Words(advice.seat, names, names)
    early = {"time": ", until the time was up", "cancelled": ", then stopped"}.get(advice.stopped or "", "")
    advised = words.choice(advice.states, advice.best.action.code).text
    out.print(f"{words.situation(advice.states)} The search advises: {advised}\n")
    options = [_row(words, advice, option) for option in advice.options]
    out.print(fitted(options, tuple(options[0]), width=out.width, left=("option",), bold_first=True))
    out.print(f"{advice.iterations:,} iterations{early}; ±: 95 %, if they were independent\n")
    for option in advice.options[:LINES]:
        out.print(_line(words, option, out.width))
    if advice.equilibrium is not None:
        shares = sorted(advice.equilibrium.items(), key=lambda share: -share[1])
        mixed = ", ".join(f"{words.choice(advice.states, action.code).text} {p:.0%}" for action, p in shares if p >= LEAST)
        turns = "this turn" if advice.solved_turns == 1 else f"the next {advice.solved_turns} turns"
        out.print(f"solved for {turns}, without exchanges: {mixed}")
    sizes = advice.belief.sizes()
    holders = []
    for seat in [seat for seat, size in enumerate(sizes) if size and seat != advice.seat]:
        name = f"{words.name(seat)}, {sizes[seat]} {'card' if sizes[seat] == 1 else 'cards'}"
        holds = advice.belief.marginal(seat)
        holders.append({"who holds what": name} | {title(card): f"{holds[card]:.0%}" for card in CHARACTERS})
    out.print()
    out.print(fitted(holders, tuple(holders[0]), width=out.width, left=("who holds what",)))
    out.print(f"chance of at least one; bluff {advice.belief.bluff:g} (0: claims are true, 1: they tell nothing)")


def _row(words: Words, advice: Advice, option: Option) -> dict[str, str]:
    from kibitz.play.coup_words import chance

    text = words.choice(advice.states, option.action.code).text + (" (a bluff)" if option.bluffs else "")
    return {"option": text, "you win": chance(option.value, option.error), "tried": f"{option.visits:,}"}


def _line(words: Words, option: Option, width: int) -> str:
    """What the search expects, as many steps as a line of text takes."""
    line = "line:"
    for text in words.line(option.line):
        longer = f"{line}{'' if line[-1] == ':' else ';'} {text}"
        if len(longer) > width:
            break
        line = longer
    return line
