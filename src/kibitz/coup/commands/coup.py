"""``kibitz coup``: simulate, replay and show games of Coup; the other commands have modules of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from kibitz.cli.common import (
    check_writable,
    compile_notice,
    progress,
)
from kibitz.cli.guards import read_guard
from kibitz.cli.names import BOTS
from kibitz.cli.options import (
    FullOption,
    GameOption,
    GamesOption,
    GuardOption,
    JobsOption,
    JsonOption,
    RecordArgument,
    RecordOption,
    SeedOption,
    TurnOption,
    at_option,
    bots_option,
    group,
    policy_option,
    rule_option,
)
from kibitz.cli.players import read_seats
from kibitz.cli.record_files import check_full, moment_of, print_position, replay_file
from kibitz.coup.commands.given import find_game

if TYPE_CHECKING:
    from kibitz.coup.core.game_state import GameState
    from kibitz.coup.core.record import Record

app = group("Coup: what should I do, solved endgames, games against bots and between them.")


@app.command()
def simulate(
    games: GamesOption = 1,
    seed: SeedOption = 0,
    players: Annotated[
        str, bots_option("coup", "How many seats, or who sits there: ismcts:500,heuristic,my_bot.py:MyBot.")
    ] = "2",
    policy: Annotated[str | None, policy_option(BOTS["coup"], "random")] = None,
    rule: Annotated[list[str] | None, rule_option("coup")] = None,
    record: RecordOption = None,
    full: FullOption = False,
    jobs: JobsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between bots and sum them up."""
    import time

    check_full(full, record)
    with compile_notice():
        from kibitz.cli.simulation import Simulation
        from kibitz.coup.bots import bot_named
        from kibitz.coup.core.state import SEATS
        from kibitz.coup.setup import typed
        from kibitz.play.series import Plan, play_plan, warm_up

        bots, loop_rules = read_seats(players, policy, "random", bot_named, "Coup", (2, SEATS)), read_guard(guard)
        setup = typed({"rule": rule}, seed)
        check_writable(record)
        warm_up(setup, 2)
        plan = Plan(setup, tuple(bot_named(bot) for bot in bots), seed, games, guard=loop_rules)
        began = time.monotonic()
        with progress("playing" if record is None else "recording", games, "games") as advance:
            results = play_plan(plan, jobs=jobs, record=record, full=full, progress=advance)
        seconds = time.monotonic() - began
    played = Simulation(
        results,
        bots,
        facts={"seed": seed, "seats": len(bots), **setup.facts()},
    )
    played.print(seconds, record, as_json)


@app.command()
def replay(file: RecordArgument) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    with compile_notice():
        from kibitz.coup.core.record import check

        replay_file(file, check)


@app.command()
def show(
    file: RecordArgument,
    game: GameOption = None,
    turn: TurnOption = None,
    at: Annotated[int | None, at_option("the end")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    with compile_notice():
        from kibitz.coup.core.game_state import GameState

        found = find_game(file, game)
        step, events = moment_of(found, turn, at)
        state = GameState(found.before(step))
        if as_json:
            print_position(found, step, state)
        else:
            _show(found, state, events)


def _show(found: Record, state: GameState, events: list[int]) -> None:
    """A position, and what happened in some steps before it."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from kibitz.coup.core.actions import describe
    from kibitz.ground.figures import printable

    table = Table(title=Text(f"game {found.game}: {state.title}"), box=SIMPLE)
    for heading in ("player", "coins", "cards", "lost"):
        table.add_column(heading, justify="right" if heading == "coins" else "left")
    for player, bot in zip(state.players, found.seats, strict=True):
        mark = " <" if player.seat == state.current_player_id else ""
        cards, lost = " ".join(player.cards or ()), " ".join(player.revealed)
        table.add_row(Text(f"{player.seat + 1} {printable(bot)[:20]}{mark}"), str(player.coins), cards or "-", lost or "-")
    table.caption = f"treasury {state.treasury}; deck {' '.join(state.deck or ())}; < whose turn it is"
    out = Console()
    out.print(table)
    for number, states in enumerate(found.states()):
        if number in events:
            when = f"step {number} turn {int(states['turn'][0])} P{int(states['active'][0]) + 1}"
            out.print(Text(f"{when} {describe(found.codes[number])}"))
