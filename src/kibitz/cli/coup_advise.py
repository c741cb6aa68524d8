"""``kibitz coup advise``: what should I do, and what may the others hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, progress, readable, rules_from, stops_on_interrupt
from kibitz.cli.coup import _find_game, app

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.belief.influence import InfluenceBelief
    from kibitz.cli.coup_words import Words
    from kibitz.coup.state import Rules
    from kibitz.play.coup_advise import Advice, Option

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
    game: Annotated[int, typer.Option(help="Which game of the record, from 0.", min=0)] = 0,
    step: Annotated[int | None, typer.Option(help="Before which step of the record, from 0.", min=0)] = None,
    seed: Annotated[int, typer.Option(help="The same seed and iterations give the same advice.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Threads that search; all cores by default.", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Win chances of each option, the best line, and who may hold what."""
    if iterations is not None and time is not None:
        raise UserError("--iterations and --time: give one of the two")
    if bluff is not None and not 0 <= bluff <= 1:
        raise UserError(f"--bluff {bluff}: expected a number from 0 to 1")
    if (situation is None) == (record is None):
        raise UserError("say what has happened (kibitz coup advise 'cards duke captain; coins 3 5'), or name a --record FILE")
    with compile_notice():
        from kibitz.belief.influence import Contradiction
        from kibitz.coup.state import Rules
        from kibitz.play.coup_bots import BLUFF

        bluff = BLUFF if bluff is None else bluff
        try:
            if record is not None:
                if rule:
                    raise UserError("--rule: a record has its own rules")
                states, belief, names = _recorded(record, game, step, seat, bluff)
            else:
                states, belief, names = _told(_text(str(situation)), seat, rules_from(Rules, rule or []), bluff)
        except Contradiction as error:
            raise UserError(f"{error.event.text()}: that cannot be, {error.reason}") from None
        advice = _think(states, belief, iterations, time, seed, jobs)
    if as_json:
        print(json.dumps({"names": list(names)} | advice.to_json()))
    else:
        _print(advice, names)


def _text(situation: str) -> str:
    """What was typed, or what stands in a file."""
    if situation == "-":
        return sys.stdin.read()
    path = Path(situation)
    if "\n" in situation or len(situation) > 250 or not path.exists():  # longer than a file name can be
        if " " not in situation.strip():
            raise UserError(f"{situation}: no such file; a text looks like 'cards duke captain; coins 3 5'")
        return situation
    try:
        return readable(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{situation}: not a text in UTF-8") from None


def _told(text: str, seat: int | None, rules: Rules, bluff: float) -> tuple[States, InfluenceBelief, tuple[str, ...]]:
    """A position from a text, what can be known of it, and what the players are called."""
    from kibitz import game
    from kibitz.coup.setup import SetupError
    from kibitz.coup.situation import read_situation
    from kibitz.play.coup_advise import belief_of

    try:
        told = read_situation(text, None if seat is None else seat - 1, rules)
    except SetupError as error:
        raise UserError(str(error)) from None
    actor = game.actor_at(told.states, 0)
    if actor != told.observer:
        raise UserError(f"player {actor + 1} is to decide, and you are player {told.observer + 1}: there is nothing to advise")
    return told.states, belief_of(told, bluff), told.names


def _recorded(
    record: Path, number: int, step: int | None, seat: int | None, bluff: float
) -> tuple[States, InfluenceBelief, tuple[str, ...]]:
    """A position of a recorded game, what its player could know of it, and what the players are called."""
    from kibitz.play.coup_advise import recorded

    if step is None:
        raise UserError("--record: say before which step with --step K (its lines are numbered)")
    found = _find_game(record, number)
    try:
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
            advice = advise(states, belief, config, runtime=runtime, workers=Threads(jobs))
    if not advice.options:
        raise UserError("the search was stopped before it had tried anything")
    return advice


# --- how it looks -------------------------------------------------------------------------------------------------


def _print(advice: Advice, names: tuple[str, ...]) -> None:
    from rich.console import Console

    from kibitz.cli.coup_words import title
    from kibitz.cli.tables import fitted
    from kibitz.coup.cards import CHARACTERS

    out = Console(highlight=False)
    words = _named(advice.seat, names)
    early = {"time": ", until the time was up", "cancelled": ", then stopped"}.get(advice.stopped or "", "")
    out.print(f"{words.situation(advice.states)}\n")
    options = [_row(words, advice, option) for option in advice.options]
    out.print(fitted(options, tuple(options[0]), width=out.width, left=("option",), bold_first=True))
    out.print(f"{advice.iterations:,} iterations{early}; ±: 95 %, if they were independent\n")
    for option in advice.options[:LINES]:
        out.print(_line(words, option, out.width))
    if advice.equilibrium is not None:
        from kibitz.play.coup_bots import ENDGAME_TURNS

        shares = sorted(advice.equilibrium.items(), key=lambda share: -share[1])
        mixed = ", ".join(f"{words.choice(advice.states, action.code).text} {p:.0%}" for action, p in shares if p >= LEAST)
        out.print(f"solved for the next {ENDGAME_TURNS} turns, without exchanges: {mixed}")
    sizes = advice.belief.sizes()
    holders = []
    for seat in [seat for seat, size in enumerate(sizes) if size and seat != advice.seat]:
        name = f"{words.name(seat)}, {sizes[seat]} {'card' if sizes[seat] == 1 else 'cards'}"
        holds = advice.belief.marginal(seat)
        holders.append({"who holds what": name} | {title(card): f"{holds[card]:.0%}" for card in CHARACTERS})
    out.print()
    out.print(fitted(holders, tuple(holders[0]), width=out.width, left=("who holds what",)))
    out.print(f"chance of at least one; bluff {advice.belief.bluff:g} (0: claims are true, 1: they tell nothing)")


def _named(seat: int, names: tuple[str, ...]) -> Words:
    """How the players are called in sentences: by their names, where they have any."""
    from kibitz.cli.coup_words import Words

    class Named(Words):
        def name(self, seat: int) -> str:
            return super().name(seat) if seat == self.you or names[seat].isdigit() else names[seat]

    return Named(seat, names)


def _row(words: Words, advice: Advice, option: Option) -> dict[str, str]:
    text = words.choice(advice.states, option.action.code).text
    chance = f"{option.value:.1%} ± {1.96 * option.error:.1%}".replace("%", " %")
    return {"option": text + (" (a bluff)" if option.bluffs else ""), "you win": chance, "tried": f"{option.visits:,}"}


def _line(words: Words, option: Option, width: int) -> str:
    """What the search expects, as many steps as a line of text takes; to let something pass is not worth a word."""
    from kibitz.coup.actions import Action
    from kibitz.game import CHANCE

    line = "line:"
    for number, step in enumerate(option.line):
        action = None if step.label < 0 else Action.from_code(step.label)
        if step.seat == CHANCE or action is None or (number > 0 and action.kind == "allow"):
            continue
        target = [] if action.target is None else [words.name(action.target)]
        text = " ".join([action.kind.replace("_", " ").removesuffix(" cards"), *target, *action.cards])
        longer = f"{line}{'' if line[-1] == ':' else ';'} {text if number == 0 else f'{words.name(step.seat)}: {text}'}"
        if len(longer) > width:
            break
        line = longer
    return line
