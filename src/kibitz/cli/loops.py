"""``kibitz loops``: loops played out, judged and broken."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, is_number, joined, readable

if TYPE_CHECKING:
    from kibitz.loops.config import Config
    from kibitz.loops.drive import Guarded
    from kibitz.loops.guard import LoopResult
    from kibitz.loops.lab import LabRow
    from kibitz.loops.lap import Progress
    from kibitz.loops.protocol import Position
    from kibitz.loops.stopping import Stopping

app = typer.Typer(help="Loops: played out, judged by the rules, and broken.", no_args_is_help=True)


@app.callback()
def options() -> None:
    """Loops: played out, judged by the rules, and broken."""


@app.command()
def lab(
    name: Annotated[
        str | None, typer.Argument(metavar="[LOOP]", help="Which loop; all of them, in a table, by default.")
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="With the one change that flips the verdict.")] = False,
    model: Annotated[str | None, typer.Option(help="Whose rules: onepiece (the default), seed, draw or cap.")] = None,
    rules: Annotated[Path | None, typer.Option(help="A rules file with the key infiniteLoopRules.", metavar="FILE")] = None,
    declare: Annotated[
        str, typer.Option(help="How many laps a player declares who is asked: one number, or one for each player.")
    ] = "1",
) -> None:
    """Play a loop: its laps, the verdict, who can stop it and how."""
    with compile_notice():
        from dataclasses import replace

        from kibitz.loops.config import MODELS, Config, InvalidRules
        from kibitz.loops.lab import LAB

        if model is not None and rules is not None:
            raise UserError("--model and --rules both say whose rules: give one of the two")
        if model is not None and model not in MODELS:
            raise UserError(f"--model {model!r}: no such model; these are {', '.join(MODELS)}")
        if name is not None and name not in LAB:
            raise UserError(f"{name!r}: no such loop; these are {', '.join(LAB)}")
        numbers = _numbers(declare)
        try:
            config = replace(MODELS[model or "onepiece"] if rules is None else Config.read(readable(rules)), suspect=True)
        except InvalidRules as error:
            raise UserError(f"{rules}: {error}") from None
        if name is None:
            _print_all(LAB, config, numbers)
        else:
            _print_one(LAB[name], flip, config, numbers)


def _numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(is_number(word) for word in words):
        raise UserError(f"--declare {text}: expected a whole number, or one for each player, as in 3,5")
    return [int(word) for word in words]


def _play(row: LabRow, flipped: bool, config: Config, numbers: list[int]) -> tuple[Guarded, Position, str]:
    """A loop played out: what the guard found, where it began, and how it ended."""
    from kibitz.loops.drive import Guarded, play
    from kibitz.loops.guard import LoopGuard

    hook = Guarded(LoopGuard(config), lambda seat, lap, smallest: numbers[min(seat, len(numbers) - 1)])
    start = row.start(flipped)
    ending, steps = play(start.copy(), row.choose(flipped), hook, max_steps=10_000)
    how = {"over": "over", "draw": "a draw", "limit": "broken off"}[ending]
    return hook, start, f"{how} after {steps:,} steps"


def _print_all(rows: dict[str, LabRow], config: Config, numbers: list[int]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table("loop", "what goes round; with one change", "verdict", box=SIMPLE)
    for name, row in rows.items():
        table.add_row(name, row.title, _play(row, False, config, numbers)[0].verdict)
        table.add_row("", f"  {row.change}", _play(row, True, config, numbers)[0].verdict)
    Console().print(table)


def _print_one(row: LabRow, flipped: bool, config: Config, numbers: list[int]) -> None:
    from rich.console import Console
    from rich.text import Text

    hook, start, ending = _play(row, flipped, config, numbers)
    out = Console()
    title = f"{row.title}; but {row.change}" if flipped else row.title
    out.print(Text(title[:1].upper() + title[1:], style="bold"))
    loops = [result for result in hook.found if result.loop_detected]
    others = [result for result in hook.found if result.suspected or result.progress]
    for result in loops or others[:1]:
        for line in _about(result, start):
            out.print(Text(line))
    for settlement in hook.settled:
        banned = joined([repr(start.describe(action)) for action in settlement.banned])
        laps = f"{settlement.laps:,} {'lap' if settlement.laps == 1 else 'laps'}"
        out.print(Text(f"player {settlement.seat + 1} stops after {laps} more; there {banned} may not be chosen again"))
    out.print(Text(f"verdict: {hook.verdict}; the game is {ending}"))


def _about(result: LoopResult, position: Position) -> list[str]:
    """The lap, as a circle; where it leads, or who can stop it and how."""
    lines = []
    lap = result.lap
    if lap is not None:
        steps = [f"player {step.seat + 1}: {position.describe(step.action)}" for step in lap.steps]
        marks = ["┌─>", *["│  "] * (len(steps) - 2), "└──"] if len(steps) > 1 else ["─>"]
        lines = [f"  {mark} {number}. {step}" for number, (mark, step) in enumerate(zip(marks, steps, strict=True), start=1)]
    if result.progress:
        return [*lines, _progress(result.progress)]
    lines.append(f"this state has been seen {result.count} times")
    if result.suspected:
        lines[-1] = f"what is public has been the same {result.count} times; hidden cards may differ: nothing is judged"
    return lines + (_stopping(result.stopping) if result.stopping else [])


def _progress(progress: Progress) -> str:
    changes = joined([f"{name} {change:+}" for name, change in progress.changes.items()])
    text = f"each lap: {changes}"
    if progress.first:
        text += f"; {progress.first} comes to its threshold first"
    laps = f" after {progress.laps:,} more laps" if progress.laps is not None else ""
    return f"{text}; {progress.ending}{laps}"


def _stopping(stopping: Stopping) -> list[str]:
    answers = ", ".join(f"player {seat + 1} {answer}" for seat, answer in stopping.answers.items())
    if stopping.together:
        answers += f"; only together: players {joined([str(seat + 1) for seat in stopping.together])}"
    if stopping.by_chance:
        answers += "; chance can end it"
    looked = f"{stopping.nodes:,} positions looked at{', all there are' if stopping.exact else ''}"
    lines = [f"who can stop it: {answers or 'nobody knows'} ({looked})"]
    for one in stopping.breaks:
        sure = "" if one.sure else " (if others help)"
        lines.append(f"  instead of {one.step + 1}, player {one.seat + 1}: {one.text}{sure}")
    return lines
