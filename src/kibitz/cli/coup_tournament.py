"""``kibitz coup tournament``: bots at every table, or one of them against the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, compile_notice, progress, rules_from
from kibitz.cli.conduct import print_conduct
from kibitz.cli.coup import app
from kibitz.cli.coup_input import known_bot
from kibitz.cli.guards import GuardOption, read_guard
from kibitz.cli.standings import print_standings

if TYPE_CHECKING:
    from kibitz.play.conduct import Conducts
    from kibitz.play.share import Share
    from kibitz.play.tournament import Ends


@app.command()
def tournament(
    players: Annotated[
        str, typer.Option(help="The bots that meet, by name: ismcts:1000,heuristic,my_bot.py:MyBot.")
    ] = "heuristic,honest,random",
    games: Annotated[int, typer.Option(help="How many games in all (rounded up: every table plays as many).", min=1)] = 4000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games (unless a bot plays by the clock).")] = 0,
    seats: Annotated[int, typer.Option(help="How many sit at a table.", min=2, max=6)] = 4,
    one_against: Annotated[
        bool,
        typer.Option("--one-against", help="The first bot alone against the second on all other seats, from every seat."),
    ] = False,
    rule: Annotated[
        list[str] | None, typer.Option(help="A rule option: NAME or NAME=VALUE. May be repeated.", metavar="NAME[=VALUE]")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads that play; all cores by default.", min=1)] = None,
    guard: GuardOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let bots meet at every table, equally often on every seat, and rate them.

    Bots: random, honest, heuristic, ismcts, solver. The last two take iterations or seconds: ismcts:2000, solver:0.5s.
    """
    with compile_notice():
        from kibitz.coup.state import Rules
        from kibitz.play.conduct import together
        from kibitz.play.coup import ends, play
        from kibitz.play.tournament import duel, tables
        from kibitz.play.tournament import tournament as meet

        names = [known_bot(name.strip(), "--players").name for name in players.split(",")]
        if len(set(names)) != len(names) or len(names) < 2:
            raise UserError(f"--players {players}: name at least two bots, each once")
        if one_against and len(names) != 2:
            raise UserError(f"--one-against is about two bots, not {len(names)}")
        rules, loop_rules = rules_from(Rules, rule or []), read_guard(guard)
        play(names, seed, Rules(max_turns=1), games=1, jobs=1)  # compile or load everything before the bar starts
        count = seats if one_against else len(tables(names, seats))
        rounds = -(-games // count)
        conducts: list[Conducts] = []
        facts = {"seed": seed, "seats": seats, "rules": rules.to_json()}
        with progress("playing", rounds * count, "games") as advance:

            def at(table: Sequence[str], seed: int, games: int) -> Ends:
                played = ends(table, seed, rules, games, jobs, advance, loop_rules)
                conducts.append(played.conduct)
                return played

            if one_against:
                share = duel(names[0], names[1], at, seed, rounds, seats)
            else:
                standings = meet(names, at, seed, rounds, seats)
    if one_against and as_json:
        known = {name: conduct.to_json() for name, conduct in together(conducts).items()}
        duel_facts = {"bot": names[0], "against": names[1], "parity": 1 / seats, "conduct": known}
        print(json.dumps({**facts, **duel_facts, **share.to_json()}, indent=2))
    elif one_against:
        _print_duel(names, seats, share)
        print_conduct(together(conducts))
    elif as_json:
        print(json.dumps({**facts, **standings.to_json()}, indent=2))
    else:
        print_standings(standings, seats)


def _print_duel(names: Sequence[str], seats: int, share: Share) -> None:
    from kibitz.play.tournament import percent

    one, others = names
    print(f"{one} against {seats - 1} {others}, {share.games // seats:,} games from each seat")
    print(f"won {share.won:,} of {share.games:,}: {percent(share)}; equals would win {100 / seats:.1f} %")
