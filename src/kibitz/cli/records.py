"""``replay`` and ``show``: recorded games of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from kibitz.cli.common import check_writable, compile_notice
from kibitz.cli.games import PerGame
from kibitz.cli.options import GameOption, JsonOption, RecordArgument, SvgOption, TurnOption, at_option, svg_option
from kibitz.cli.record_files import game_of_file, moment_of, print_position, replay_file

if TYPE_CHECKING:
    from kibitz.game.record import GameRecord
    from kibitz.play.profile import Profile, Typed

#: How wide the column of events is, where there is more to say about them.
EVENT = 34


def replay(profile: Profile, file: RecordArgument, reading: Typed = {}) -> None:  # noqa: B006
    """Replay a record under the rules and verify every step; the first difference is named."""
    with compile_notice():
        replay_file(file, profile.records(reading).check)


def show(
    profile: Profile,
    file: RecordArgument,
    game: GameOption = None,
    turn: TurnOption = None,
    at: Annotated[int | None, at_option("the end")] = None,
    svg: Annotated[SvgOption, PerGame(lambda game: game.svg and (svg_option(), None))] = None,
    reading: Typed = {},  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    with compile_notice():
        from kibitz.game.files import writing

        check_writable(svg)
        found = game_of_file(file, game, profile.records(reading).check)
        step, events = moment_of(found, turn, at)
        state = profile.state(found.before(step))
        if svg is not None and profile.svg is not None:
            with writing(svg) as write_line:
                write_line(profile.svg(state, [f"Player {i} ({bot})" for i, bot in enumerate(found.seats, start=1)]))
        if as_json:
            print_position(found, step, state)
            return
        _show(profile, found, state, events)
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
            before = profile.state(states)
            code = found.codes[number]
            print(folded(f"step {number} {before.event(code)}", before.sentence(code), EVENT))
