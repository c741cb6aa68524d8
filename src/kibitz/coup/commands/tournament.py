"""``kibitz coup tournament``: bots at every table, or one of them against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, print_json, progress
from kibitz.cli.conduct import print_conduct
from kibitz.cli.guards import read_guard
from kibitz.cli.options import GamesInAllOption, GuardOption, JobsOption, JsonOption, SeedOption, bots_option, rule_option
from kibitz.cli.players import read_field
from kibitz.cli.standings import print_standings
from kibitz.coup.commands.coup import app

if TYPE_CHECKING:
    from kibitz.play.conduct import Conducts
    from kibitz.play.share import Share
    from kibitz.play.tournament import Ends


@app.command()
def tournament(
    players: Annotated[
        str, bots_option("coup", "Who meets: ismcts:1000,heuristic,my_bot.py:MyBot.")
    ] = "heuristic,honest,random",
    games: GamesInAllOption = 4000,
    seed: SeedOption = 0,
    seats: Annotated[int, typer.Option(metavar="N", help="How many sit at a table.", min=2, max=6)] = 4,
    one_against: Annotated[
        bool,
        typer.Option("--one-against", help="The first bot alone against the second on all other seats, from every seat."),
    ] = False,
    rule: Annotated[list[str] | None, rule_option("coup")] = None,
    jobs: JobsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots meet at every table, equally often on every seat, and rate them.

    Searches take iterations or seconds: ismcts:2000, solver:0.5s. A bot that plays by the clock plays other games each time.
    """
    with compile_notice():
        from kibitz.coup.bots import bot_named
        from kibitz.coup.setup import typed
        from kibitz.play.conduct import together
        from kibitz.play.series import Plan, play_plan, warm_up
        from kibitz.play.tournament import duel, ends_of, tables
        from kibitz.play.tournament import tournament as meet

        names = read_field(players, bot_named)
        if one_against and len(names) != 2:
            raise UserError(f"--one-against is about two bots, not {len(names)}")
        setup, loop_rules = typed({"rule": rule}, seed), read_guard(guard)
        warm_up(setup, 2)
        count = seats if one_against else len(tables(names, seats))
        rounds = -(-games // count)
        conducts: list[Conducts] = []
        facts = {"seed": seed, "seats": seats, **setup.facts()}
        with progress("playing", rounds * count, "games") as advance:

            def at(table: Sequence[str], seed: int, games: int) -> Ends:
                plan = Plan(setup, tuple(bot_named(bot) for bot in table), seed, games, guard=loop_rules)
                played = ends_of(play_plan(plan, jobs=jobs, progress=advance))
                conducts.append(played.conduct)
                return played

            if one_against:
                share = duel(names[0], names[1], at, seed, rounds, seats)
            else:
                standings = meet(names, at, seed, rounds, seats)
    if one_against and as_json:
        known = {name: conduct.to_json() for name, conduct in together(conducts).items()}
        met = {"games": share.games, "bot": names[0], "against": names[1], "wins": share.to_json(), "parity": 1 / seats}
        print_json({**facts, **met, "conduct": known})
    elif one_against:
        _print_duel(names, seats, share)
        print_conduct(together(conducts))
    elif as_json:
        print_json({**facts, **standings.to_json()})
    else:
        print_standings(standings, seats)


def _print_duel(names: Sequence[str], seats: int, share: Share) -> None:
    from kibitz.ground.figures import percent
    from kibitz.play.tournament import with_interval

    one, others = names
    print(f"{one} against {seats - 1} {others}, {share.games // seats:,} games from each seat")
    print(f"won {share.won:,} of {share.games:,}: {with_interval(share)}; equals would win {percent(1 / seats)}")
