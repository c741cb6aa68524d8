"""``kibitz onepiece``: play, record, replay and show games of the One Piece card game; tournaments; import of cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import (
    UserError,
    check_writable,
    print_json,
    progress,
    readable,
)
from kibitz.cli.guards import read_guard
from kibitz.cli.names import BOTS
from kibitz.cli.options import (
    CardsOption,
    DecksOption,
    FullOption,
    GameOption,
    GamesInAllOption,
    GamesOption,
    JsonOption,
    RecordArgument,
    RecordOption,
    SeedOption,
    TurnOption,
    at_option,
    bots_option,
    group,
    guard_option,
    policy_option,
)
from kibitz.cli.players import read_field, read_seats
from kibitz.cli.record_files import check_full, moment_of, print_position, replay_file, write_lines
from kibitz.onepiece.commands.given import find_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.onepiece.core.record import Record
    from kibitz.play.tournament import Ends

app = group("The One Piece card game: play, record, replay and show games.")

GuardOption = Annotated[str | None, guard_option("none; onepiece for decks of your own")]


@app.command()
def simulate(
    games: GamesOption = 1,
    seed: SeedOption = 0,
    players: Annotated[str, bots_option("onepiece", "How many seats, or who sits there: greedy,my_bot.py:MyBot.")] = "2",
    policy: Annotated[str | None, policy_option(BOTS["onepiece"], "greedy")] = None,
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    record: RecordOption = None,
    full: FullOption = False,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between bots and sum them up. The seats begin in turn.

    A search takes iterations or seconds: ismcts:200, ismcts:2s.
    """
    import time

    from kibitz.cli.simulation import Simulation
    from kibitz.onepiece.bots import bot_named
    from kibitz.onepiece.setup import typed
    from kibitz.play.series import Plan, play_plan

    check_full(full, record)
    bots = read_seats(players, policy, "greedy", bot_named, "One Piece", (2, 2))
    setup = typed({"decks": decks, "cards": cards}, seed)
    loop_rules = read_guard(guard or setup.guard)
    check_writable(record)
    plan = Plan(setup, tuple(bot_named(bot) for bot in bots), seed, games, guard=loop_rules)
    began = time.monotonic()
    with progress("playing" if record is None else "recording", games, "games") as advance:
        results = play_plan(plan, record=record, full=full, progress=advance)
    seconds = time.monotonic() - began
    played = Simulation(
        results,
        bots,
        facts={"seed": seed, "seats": len(bots)},
        words=setup.summary(results).words,
        endings=setup.summary(results).endings,
    )
    played.print(seconds, record, as_json)


@app.command()
def replay(file: RecordArgument, cards: CardsOption = None) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    from kibitz.onepiece.setup import records

    replay_file(file, records({"cards": cards}).check)


@app.command()
def show(
    file: RecordArgument,
    game: GameOption = None,
    turn: TurnOption = None,
    at: Annotated[int | None, at_option("the end")] = None,
    cards: CardsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    from kibitz.onepiece.commands import table as onepiece_table
    from kibitz.onepiece.core.game_state import GameState
    from kibitz.onepiece.setup import read_cards

    found = find_game(file, game, read_cards(cards))
    step, events = moment_of(found, turn, at)
    state = GameState(found.before(step))
    if as_json:
        print_position(found, step, state)
        return
    onepiece_table.print_position(state, f"game {found.game}: {state.title}", found.seats)
    for line in _events(found, events):
        print(line)


@app.command()
def tournament(
    players: Annotated[str, bots_option("onepiece", "Who meets: ismcts:200,greedy,my_bot.py:MyBot.")] = "greedy,random",
    games: GamesInAllOption = 400,
    seed: SeedOption = 0,
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots meet with both decks, equally often, and rate them.

    A search takes iterations or seconds: ismcts:200, ismcts:2s.
    """
    from kibitz.cli.standings import print_standings
    from kibitz.onepiece.bots import bot_named
    from kibitz.onepiece.setup import typed
    from kibitz.play.series import Plan, play_plan
    from kibitz.play.share import Share
    from kibitz.play.tournament import ends_of, tables, with_interval
    from kibitz.play.tournament import tournament as meet

    bots = read_field(players, bot_named)
    setup = typed({"decks": decks, "cards": cards}, seed)
    loop_rules = read_guard(guard or setup.guard)
    pair = setup.decks
    count = len(tables(bots, 2))
    rounds = -(-games // count)
    began = [0, 0]
    with progress("playing", rounds * count, "games") as advance:

        def at(table: Sequence[str], seed: int, games: int) -> Ends:
            plan = Plan(setup, tuple(bot_named(bot) for bot in table), seed, games, guard=loop_rules)
            results = play_plan(plan, progress=advance)
            began[0] += sum(state.winner == state.first for state in results.states)
            began[1] += games
            return ends_of(results)

        standings = meet(bots, at, seed, rounds, 2)
    won = [sum(standings.seats[bot][seat].won for bot in bots) for seat in range(2)]
    shares = [Share(n, standings.games) for n in won]
    if as_json:
        decks_won = [{"seat": seat, "deck": pair[seat].name, "wins": share.to_json()} for seat, share in enumerate(shares)]
        print_json({"seed": seed, "seats": 2, **standings.to_json(), "decks": decks_won, "first": Share(*began).to_json()})
        return
    print_standings(standings, 2)
    for seat, share in enumerate(shares):
        print(f"deck {seat + 1} {pair[seat].name}: {with_interval(share)}")
    print(f"who began: {with_interval(Share(*began))}")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card file: JSON or CSV (see docs/onepiece_cards.md).")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the cards as a card file of Kibitz.")] = None,
) -> None:
    """Read a card file of your own: which effects can be played, and which texts could not be read."""
    import json

    from kibitz.ground.figures import counted
    from kibitz.onepiece.core.importing.cards import import_cards
    from kibitz.onepiece.core.reading import CardError

    try:
        found = import_cards(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(str(error)) from None
    lost = {part.card for part in found.unread}
    print(f"{counted(len(found.cards), 'card')}, {len(found.cards) - len(lost)} of them with all effects")
    print(f"fields: {', '.join(f'{name} = {meaning}' for name, meaning in found.fields.items())}")
    if found.ignored:
        print(f"ignored: {', '.join(found.ignored)}")
    if found.repeated:
        print(f"there more than once: {', '.join(found.repeated)}")
    for part in found.unread:
        print(f"  {part.card}: not read: {part.text}")
    if out is not None:
        write_lines(out, [json.dumps(found.to_json(file.stem), indent=1, ensure_ascii=False)])


def _events(found: Record, steps: list[int]) -> list[str]:
    """What happened in some steps, a line for each."""
    from kibitz.cli.tables import folded
    from kibitz.onepiece.core.words import action_words

    lines = []
    for number, (state,) in enumerate(found.states()):
        if number in steps:
            seat = state.drawing[0] if state.actor() < 0 else state.asked
            action = found.action(found.codes[number])
            lines.append(folded(f"turn {state.turn} P{seat + 1} {action.to_text()}", action_words(state, action), 25))
    return lines
