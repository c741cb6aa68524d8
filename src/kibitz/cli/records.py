"""``replay`` and ``show``, and what every command does with files of recorded games: a game brings its own `check`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from kibitz.cli.common import (
    PICTURE,
    UserError,
    check_one,
    check_step,
    check_writable,
    compile_notice,
    print_json,
    progress,
    readable,
)
from kibitz.cli.games import PerGame
from kibitz.cli.options import SVG, ForceOption, GameOption, JsonOption, RecordArgument, SvgOption, TurnOption, at_option

if TYPE_CHECKING:
    from kibitz.game.record import GameRecord
    from kibitz.play.profile import Profile, Typed

R = TypeVar("R", bound="GameRecord")

#: How wide the column of events is, where there is more to say about them.
EVENT = 34


def replay(profile: Profile, file: RecordArgument, reading: Typed = {}) -> None:  # noqa: B006
    """Replay a record under the rules, check every step, and report the first difference."""
    from kibitz.ground.texts import counted

    with compile_notice(), progress("replaying", None, "steps") as advance:
        lengths = [len(game.codes) for game in games_in(file, lambda lines: profile.records(reading).check(lines, advance))]
    if not lengths:
        raise UserError(f"{file}: line 1: the file holds no game")
    print(f"{file}: {counted(len(lengths), 'game')}, {counted(sum(lengths), 'step')}, all according to the rules")


def show(
    profile: Profile,
    file: RecordArgument,
    game: GameOption = None,
    turn: TurnOption = None,
    at: Annotated[int | None, at_option("the end")] = None,
    svg: Annotated[SvgOption, PerGame(lambda game: game.svg and (SVG, None))] = None,
    reading: Typed = {},  # noqa: B006
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    with compile_notice():
        from kibitz.game.files import writing

        check_writable(svg, PICTURE, force, file)
        found = game_of_file(file, game, profile.records(reading).check)
        turns = [found.moment(states)[0] for states in found.states()]
        step, last = step_of(turns, turn, at)
        state = profile.state(found.before(step))
        if svg is not None and profile.svg is not None:
            with writing(svg) as write_line:
                write_line(profile.svg(state, [f"Player {i} ({bot})" for i, bot in enumerate(found.seats, start=1)]))
        if as_json:
            # what may be done, and everything that is true, as in a record with --full
            header = {"position": found.name, "version": found.VERSION, "game": found.game, "seats": list(found.seats)}
            print_json({**header, "step": step, **state.to_json(), "state": state.position()})
            return
        _show(profile, found, state, [number for number in range(step) if turns[number] == last])
        if svg is not None:
            print(f"drawn: {svg}")


def _show(profile: Profile, found: GameRecord, state: Any, events: list[int]) -> None:
    """A position, and what happened in some steps before it."""
    from rich.console import Console

    from kibitz.cli.tables import folded

    print(f"game {found.game}: {state.title}")
    if profile.screen is None:
        print(profile.text(state, found.seats))
    else:
        out = Console()
        for part in profile.screen(state, found.seats):
            out.print(part, soft_wrap=True, highlight=False)
    for number, states in enumerate(found.states()):
        if number in events:
            before, code = profile.state(states), found.codes[number]
            print(folded(f"step {number} {before.event(code)}", before.sentence(code), EVENT))


def step_of(turns: Sequence[int], turn: int | None, at: int | None) -> tuple[int, int]:
    """The step before which ``--turn`` or ``--at`` asks for a position (by default the end), and its turn.

    `turns` are those of all positions of a game.

    >>> step_of([0, 1, 1, 2], turn=1, at=None), step_of([0, 1, 1, 2], turn=None, at=1)
    ((3, 1), (1, 1))
    """
    check_one({"--turn": turn, "--at": at}, "one position is shown")
    if at is not None:
        check_step(at, len(turns) - 1)
        return at, turns[at]
    last = turns[-1] if turn is None else turn
    if last > turns[-1]:
        raise UserError(f"--turn {turn}: the game has turns 0 to {turns[-1]}")
    return next((step for step, then in enumerate(turns) if then > last), len(turns) - 1), last


def is_record(file: Path) -> bool:
    """Whether a file that is there holds games: its first line is the header of a record."""
    from kibitz.game.files import RecordError, read_file

    try:
        header = json.loads(next((line for _, line in read_file(file)), ""))
    except (RecordError, ValueError, RecursionError):  # something else, or damaged: whoever reads it will say so
        return False
    return isinstance(header, dict) and "record" in header


def games_in(file: Path, check: Callable[[Iterable[str]], Iterator[R]]) -> Iterator[R]:
    """The games of a file, each verified, with the verdict of its loop guard."""
    from kibitz.game.files import RecordError, read_file
    from kibitz.play.guarded import check_guards

    try:
        yield from check_guards(check(line for _, line in read_file(readable(file))))
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None


def game_of_file(file: Path, game: int | None, check: Callable[[Iterable[str]], Iterator[R]]) -> R:
    """One game of a file (the first by default), verified."""
    number, wanted = -1, game or 0
    for number, found in enumerate(games_in(file, check)):
        if number == wanted:
            return found
    raise UserError(f"{file}: there is no game {wanted}; the file holds {number + 1}")


def position_of(file: Path, game: int | None, at: int | None, check: Callable[[Iterable[str]], Iterator[R]]) -> tuple[R, int]:
    """One game of a file, verified, and the step that ``--at`` names: by default the last one of a game that goes on."""
    found = game_of_file(file, game, check)
    step = end_of(found) if at is None else at
    check_step(step, len(found.codes))
    return found, step


def end_of(found: GameRecord) -> int:
    """The last position of a game that goes on, for who asks what to do and names no step."""
    from kibitz.game import OVER, actor_at

    last = len(found.codes)
    if actor_at(found.before(last), 0) == OVER:
        raise UserError(f"the game is over: choose a position before its end with --at STEP (0 to {last - 1})")
    return last


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file and say so."""
    from kibitz.game.files import writing

    with writing(path) as write_line:
        for line in lines:
            write_line(line)
    print(f"written: {path}")
