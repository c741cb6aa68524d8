"""``tournament``: bots of any game at every table, or one of them against the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import (
    FINISHING,
    UserError,
    compile_notice,
    print_conduct,
    print_json,
    progress,
    say_stopped,
    stops_on_interrupt,
)
from kibitz.cli.games import PerGame
from kibitz.cli.options import JsonOption, SeedOption, bots_example, bots_option, number
from kibitz.cli.players import drawn_games, read_bots, read_guard
from kibitz.cli.simulate import GuardOption, JobsOption

if TYPE_CHECKING:
    from kibitz.play.bots import Conducts
    from kibitz.play.profile import Profile, Summary, Typed
    from kibitz.play.share import Share
    from kibitz.play.tournament import Duel, Ends, Standings


ONE_AGAINST = (
    "The first bot alone against a table of the second, from every seat equally often; of more than two, each against each."
)


def _players(game: Profile) -> tuple[object, str]:
    return bots_option(game, f"The bots that meet: {bots_example(game)}."), ",".join(game.tournament.bots)


def _games(game: Profile) -> tuple[object, int]:
    said = "How many games in all, rounded up so that every table plays equally often."
    return number(said, max=10**9), game.tournament.games


def _seats(game: Profile) -> tuple[object, int] | None:
    low, high = game.seats
    return (number("How many players at a table.", min=low, max=high), game.tournament.seats) if low < high else None


def tournament(
    profile: Profile,
    players: Annotated[str, PerGame(_players)] = "",
    games: Annotated[int, PerGame(_games)] = 0,
    seed: SeedOption = 0,
    seats: Annotated[int, PerGame(_seats)] = 0,
    one_against: Annotated[bool, typer.Option("--one-against", help=ONE_AGAINST)] = False,
    chosen: Typed = {},  # noqa: B006
    jobs: JobsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hold a tournament between bots and rate them, or play one bot alone against a table of another.

    A search takes iterations or seconds: ismcts:2000, ismcts:0.5s. A bot that plays by the clock plays other games each time.
    Ctrl-C keeps the games that are over.
    """
    with compile_notice():
        bots = {bot.name: bot for bot in read_bots(players, "--players", profile.bot_named)}
        names = list(bots)
        if len(names) != len(players.split(",")) or len(names) < 2:
            raise UserError(f"--players {players}: name at least two bots, each once")
        setup = profile.typed(chosen, seed)
        rules = read_guard(guard or setup.guard)
        from threading import Event

        from kibitz.play.bots import together
        from kibitz.play.series import Plan, play_plan, warm_up
        from kibitz.play.tournament import duel, duels, ends_of, tables
        from kibitz.play.tournament import tournament as meet

        seats = seats or profile.tournament.seats
        warm_up(setup, seats)
        pairs = duels(names) if one_against else []
        count = seats * len(pairs) or len(tables(names, seats))
        rounds = -(-games // count)
        summaries: list[Summary] = []
        conduct: Conducts = {}
        stop = Event()
        with progress("playing", rounds * count, "games") as advance, stops_on_interrupt(stop.set, FINISHING):

            def at(table: Sequence[str], seed: int, games: int, first: int) -> Ends:
                nonlocal conduct
                plan = Plan(setup, tuple(bots[name] for name in table), seed, games, first, rules)
                results = play_plan(plan, jobs=jobs, progress=advance, until=stop.is_set)
                if len(results.states):
                    summaries.append(setup.summary(results))
                conduct = together([conduct, results.conduct])
                return ends_of(results)

            if one_against:
                met = [duel(one, others, at, seed, rounds, seats) for one, others in pairs if not stop.is_set()]
                met = [one for one in met if one.wins.games]
            else:
                standings = meet(names, at, seed, rounds, seats)
    say_stopped(sum(one.wins.games for one in met) if one_against else standings.games, rounds * count)
    facts = {"seed": seed, "seats": seats, **setup.facts()}
    if one_against and as_json:
        found = {"games": sum(one.wins.games for one in met), **(met[0].to_json() if len(met) == 1 else {})}
        found["duels"] = [one.to_json() for one in met]
        print_json({**facts, **found, "conduct": {name: conduct[name].to_json() for name in conduct}})
    elif one_against:
        _print_duels(met, names)
        print_conduct(conduct)
    else:
        sides = [*_sides(summaries, standings)]
        if as_json:
            print_json({**facts, **standings.to_json(), **_as_json(sides)})
        else:
            _print_standings(standings, seats)
            _print_sides(sides)


def _print_duels(met: Sequence[Duel], names: Sequence[str]) -> None:
    """How one bot did alone against another on all other seats; of more than two bots a table, one row for each."""
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.ground.texts import counted, percent
    from kibitz.play.tournament import with_interval

    seats = len(met[0].by_seat)
    counts = [seat.games for one in met for seat in one.by_seat]
    rounds = (
        f"{counted(counts[0], 'game')} from each seat"
        if len({*counts}) == 1
        else f"{min(counts):,} to {max(counts):,} games from each seat"
    )
    if len(met) == 1:
        (one,) = met
        print(f"{one.one} against {seats - 1} {one.others}, {rounds}")
        won = with_interval(one.wins)
        print(f"won {one.wins.won:,} of {one.wins.games:,}: {won}; an equal bot would win {percent(1 / seats)}")
        print(f"by seat: {', '.join(percent(seat.rate) if seat.games else '-' for seat in one.by_seat)}")
    else:
        found = {(one.one, one.others): with_interval(one.wins) for one in met}
        rows = [{"alone": bot, **{other: found.get((bot, other), "-") for other in names}} for bot in names]
        out = Console(highlight=False, markup=False)
        out.print(f"One against a table of {seats - 1} others, {rounds} of each pair", style="bold")
        out.print(fitted(rows, ("alone", *names), width=out.width, left=("alone",)))
        out.print(f"Won by the row alone against the column (95 %); an equal bot wins {percent(1 / seats)}.")
    if drawn := sum(one.drawn for one in met):
        print(drawn_games(drawn))
    if unfinished := sum(one.unfinished for one in met):
        print(f"{counted(unfinished, 'game')} without a winner")


def _print_standings(standings: Standings, seats: int) -> None:
    """The bots, the strongest first: ratings and win rates, and who finished above whom how often."""
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.ground.texts import counted
    from kibitz.play.tournament import as_rows

    order = standings.order()
    headings = ("rating", "won", "win rate")
    rows = [dict(zip(("bot", *headings, *order), row, strict=True)) for row in as_rows(standings)]
    out = Console(highlight=False)
    out.print(f"{counted(standings.games, 'game')}, {counted(standings.tables, 'table')} of {seats}", style="bold")
    out.print(fitted(rows, ("bot", *headings), width=out.width, left=("bot",)))
    out.print("\nHow often the row finished above the column, ties excluded; 95 % intervals", style="bold")
    out.print(fitted(rows, ("bot", *order), width=out.width, left=("bot",)))
    if standings.drawn:
        out.print(drawn_games(standings.drawn))
    if standings.unfinished:
        out.print(f"{counted(standings.unfinished, 'game')} without a winner")
    print_conduct(standings.conduct)


def _sides(tables: Sequence[Summary], standings: Standings) -> Iterator[tuple[str, int | None, str, Share]]:
    """What a game has to say about its seats (their decks), and about who sits now here, now there (None), over all tables.

    Each time the heading, the seat, what it had, and how often it won.
    """
    from kibitz.play.share import Share

    for heading, words in tables[0].words.items():
        for seat, word in enumerate(words):
            yield heading, seat, word, Share(sum(standings.seats[bot][seat].won for bot in standings.bots), standings.games)
    for heading in tables[0].shares:
        won, games = (sum(part) for part in zip(*(table.shares[heading] for table in tables), strict=True))
        yield heading, None, "", Share(won, games)


def _as_json(sides: Sequence[tuple[str, int | None, str, Share]]) -> dict[str, object]:
    found: dict[str, object] = {heading: share.to_json() for heading, seat, _, share in sides if seat is None}
    for heading in dict.fromkeys(heading for heading, seat, _, _ in sides if seat is not None):
        found[f"{heading}s"] = [
            {"seat": seat, heading: word, "wins": share.to_json()} for name, seat, word, share in sides if name == heading
        ]
    return found


def _print_sides(sides: Sequence[tuple[str, int | None, str, Share]]) -> None:
    from kibitz.play.tournament import with_interval

    for heading, seat, word, share in sides:
        whose = heading.replace("_", " ") if seat is None else f"{heading} {seat + 1} {word}"
        print(f"{whose}: {with_interval(share)}")
