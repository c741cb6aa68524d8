"""``kibitz loops``: loops played out, judged and broken; ``kibitz onepiece import``: card files of one's own."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, check_writable, compile_notice, is_number, joined, progress, readable
from kibitz.cli.options import ForceOption, group, guard_names, one_of
from kibitz.cli.players import read_guard
from kibitz.cli.records import write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kibitz.loops.config import Config
    from kibitz.loops.lab import LabRow, Note, Trial

#: The loops of the lab; a test compares them with it.
LOOPS = (
    "mandatory", "activate", "both", "other", "choices", "permanent", "once", "growth", "drain", "harmless", "supply", "hidden",
)  # fmt: skip

app = group("Loops: play them out, judge them by the rules, and break them.")

#: Of a long game only so many steps are shown before the others are left out, and so many of its end.
FIRST_STEPS, LAST_STEPS = 20, 6
#: A rule is told in lines of this width.
RULE_WIDTH = 79


@app.callback()
def options() -> None:
    """Loops: play them out, judge them by the rules, and break them."""


@app.command()
def lab(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[LOOP]", help="Which loop; by default, a table of all of them.", autocompletion=one_of(LOOPS)),
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Change the one card that changes the verdict.")] = False,
    machine: Annotated[
        bool, typer.Option("--machine", help="Play it as a tiny game of places and moves, without cards.")
    ] = False,
    guard: Annotated[
        str,
        typer.Option(
            metavar="MODEL|FILE",
            help=f"Whose rules: {', '.join(guard_names())}, or a rules file.",
            autocompletion=one_of(guard_names()),
        ),
    ] = "onepiece",
    declare: Annotated[
        str,
        typer.Option(metavar="N[,N]", help="How many laps a player declares when asked: one number, or one for each player."),
    ] = "1",
) -> None:
    """Play out a loop of the One Piece card game: its laps, the verdict, who can stop it and how.

    Without a name, play all of them, each also with one card changed; the exit status is 1 if a verdict is not as expected.
    """
    with compile_notice():
        from kibitz.loops.config import MODELS
        from kibitz.loops.lab import LAB
        from kibitz.onepiece.looplab import CARD_LAB

        if name is not None and name not in LAB:
            raise UserError(f"{name!r}: no such loop; these are {', '.join(LAB)}")
        if name is None and flip:
            raise UserError("--flip: name a loop; the table shows all of them both ways")
        numbers = _numbers(declare)
        config = read_guard(guard)
        if config is None:
            raise UserError("--guard none: without rules there is nothing to show")
        rows = LAB if machine else CARD_LAB
        official = config.resolution == MODELS["declare"].resolution
        if name is not None:
            _print_one(name, rows[name], flip, _try_out(rows[name], config, flip, numbers, escapes=True), official)
        elif not _print_all(rows, config, numbers, official):
            raise typer.Exit(1)


def _numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(is_number(word) for word in words) or len(words) > 2:
        raise UserError(f"--declare {text}: expected a whole number from 0, or one for each player, as in 3,5")
    return [int(word) for word in words]


def _try_out(row: LabRow, config: Config, flipped: bool, numbers: list[int], escapes: bool = False) -> Trial:
    from kibitz.loops.lab import try_out

    return try_out(row, config, flipped, lambda seat, lap, smallest: numbers[min(seat, len(numbers) - 1)], escapes)


def _print_all(rows: Mapping[str, LabRow], config: Config, numbers: list[int], official: bool) -> bool:
    """A table of all rows, as they are and changed; whether every verdict is the expected one, as far as one is expected."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table("loop", "what goes round; with one change", "verdict", box=SIMPLE)
    right = True
    with progress("loops", 2 * len(rows), "loops") as done:
        for number, (name, row) in enumerate(rows.items()):
            for flipped, text, expected in ((False, row.title, row.expected), (True, f"  {row.change}", row.flipped_to)):
                found = _try_out(row, config, flipped, numbers).verdict
                wrong = official and found != expected
                right = right and not wrong
                table.add_row("" if flipped else name, text, f"{found}; expected: {expected}" if wrong else found)
                done(2 * number + flipped + 1)
    Console().print(table)
    if official:
        print("every verdict is as the rules demand" if right else "some verdicts are not the expected ones")
    return right


def _print_one(name: str, row: LabRow, flipped: bool, trial: Trial, official: bool) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    out = Console()
    out.print(Text(f"{name}: {row.title}", style="bold"))
    if flipped:
        out.print(Text(f"with one change: {row.change}"))
    out.print()
    for text in row.texts(flipped):
        out.print(Padding(Text(text), (0, 0, 0, 2)))
    out.print()
    for line in _game(trial):
        out.print(Text(line))
    for note in trial.notes:
        if note.result.words:
            out.print()
            for line in _about(note, official):
                out.print(Text(line))
    out.print()
    out.print(Text(f"verdict: {trial.verdict}; {trial.ending}"))


def _game(trial: Trial) -> Iterator[str]:
    """The steps of a game with what the guard said in between; of a long one the middle is left out."""
    from kibitz.loops.lap import who
    from kibitz.loops.words import said

    steps, notes = trial.steps, {note.after: note for note in trial.notes}
    cut = len(steps) > FIRST_STEPS + LAST_STEPS
    for number, step in enumerate(steps, start=1):
        if cut and number == FIRST_STEPS + 1:
            yield f"     ... {len(steps) - FIRST_STEPS - LAST_STEPS} more steps of the same ..."
        if not cut or number <= FIRST_STEPS or number > len(steps) - LAST_STEPS:
            yield f"{number:4} {who(step.seat)}: {step.text}{' (by the verdict)' if step.demanded else ''}"
            if number in notes:
                yield f"     ! {said(notes[number])}"


def _about(note: Note, official: bool) -> list[str]:
    """The lap, as a circle; where it leads, or who can stop it and how; what was declared and what is banned."""
    from kibitz.loops.words import WAYS, changes, leads_to, rule, stops, ways_out, who_can

    result = note.result
    lines = [f"the lap ({result.words})", *_circle(note.lap)]
    if result.progress:
        return [*lines, "each lap:", *[f"  {change}" for change in changes(result.progress)], leads_to(result.progress)]
    if result.suspected:
        return [*lines, "hidden cards may differ from lap to lap: nothing is judged"]
    if result.stopping:
        lines += [f"who can stop it: {who_can(result.stopping)}", *[f"  {way}" for way in ways_out(note.ways)]]
    if note.escape:
        lines += ["a way out, from the latest decision that has one:", *[f"  {step}" for step in note.escape[:WAYS]]]
    if official and result.verdict:
        lines += wrap(rule(result.verdict), RULE_WIDTH, subsequent_indent="  ")
    if note.settlement:
        lines.append(stops(note.settlement))
        lines.append(f"forbidden in that state from now on: {joined([repr(text) for text in note.banned])}")
    return lines


def _circle(steps: Sequence[str]) -> list[str]:
    """The steps of a lap, the last of which leads back to the first."""
    marks = ["┌─>", *["│  "] * (len(steps) - 2), "└──"] if len(steps) > 1 else ["(→)"]
    return [f"  {mark} {number}. {step}" for number, (mark, step) in enumerate(zip(marks, steps, strict=True), start=1)]


def import_cards(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card file: JSON or CSV (see docs/onepiece_cards.md).")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the cards to a Kibitz card file.")] = None,
    force: ForceOption = False,
) -> None:
    """Read your own card file, and list which effects can be played and which texts could not be read."""
    import json

    from kibitz.ground.texts import counted
    from kibitz.onepiece.core.importing import cards
    from kibitz.onepiece.core.reading import CardError

    check_writable(out, '{\n "set": ', force, readable(file))
    try:
        found = cards.import_cards(file)
    except CardError as error:
        raise UserError(str(error)) from None
    lost = {part.card for part in found.unread}
    print(f"{counted(len(found.cards), 'card')}, {len(found.cards) - len(lost)} of them with all effects")
    print(f"fields: {', '.join(f'{name} = {meaning}' for name, meaning in found.fields.items())}")
    if found.ignored:
        print(f"ignored: {', '.join(found.ignored)}")
    if found.repeated:
        print(f"more than once: {', '.join(found.repeated)}")
    for part in found.unread:
        print(f"  {part.card}: not read: {part.text}")
    if out is not None:
        write_lines(out, [json.dumps(found.to_json(file.stem), indent=1, ensure_ascii=False)])
