"""``tournament``: bots of any game at every table, or one of them against the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import UserError, compile_notice, print_conduct, print_json, progress
from kibitz.cli.games import PerGame
from kibitz.cli.guards import read_guard
from kibitz.cli.options import JsonOption, SeedOption, bots_example, bots_option, games_in_all_option
from kibitz.cli.players import read_field
from kibitz.cli.simulate import GuardOption, JobsOption

if TYPE_CHECKING:
    from kibitz.play.conduct import Conducts
    from kibitz.play.match import Results
    from kibitz.play.profile import Profile, Setup, Typed
    from kibitz.play.share import Share
    from kibitz.play.tournament import Ends, Standings


def _players(game: Profile) -> tuple[object, str]:
    return bots_option(game, f"Who meets: {bots_example(game)}."), ",".join(game.tournament.bots)


def _seats(game: Profile) -> tuple[object, int] | None:
    low, high = game.seats
    option = typer.Option(metavar="N", help="How many sit at a table.", min=low, max=high)
    return (option, game.tournament.seats) if low < high else None


def tournament(
    profile: Profile,
    players: Annotated[str, PerGame(_players)] = "",
    games: Annotated[int, PerGame(lambda game: (games_in_all_option(), game.tournament.games))] = 0,
    seed: SeedOption = 0,
    seats: Annotated[int, PerGame(_seats)] = 0,
    one_against: Annotated[
        bool,
        typer.Option("--one-against", help="The first bot alone against the second on all other seats, from every seat."),
    ] = False,
    chosen: Typed = {},  # noqa: B006
    jobs: JobsOption = None,
    guard: GuardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots meet at every table, equally often on every seat, and rate them.

    A search takes iterations or seconds: ismcts:2000, ismcts:0.5s. A bot that plays by the clock plays other games each time.
    """
    with compile_notice():
        names = read_field(players, profile.bot_named)
        if one_against and len(names) != 2:
            raise UserError(f"--one-against is about two bots, not {len(names)}")
        setup = profile.typed(chosen, seed)
        rules = read_guard(guard or setup.guard)
        from kibitz.play.series import Plan, play_plan, warm_up
        from kibitz.play.tournament import duel, ends_of, tables
        from kibitz.play.tournament import tournament as meet

        seats = seats or profile.tournament.seats
        warm_up(setup, seats)
        count = seats if one_against else len(tables(names, seats))
        rounds = -(-games // count)
        bots = {name: profile.bot_named(name) for name in names}
        sides = _Sides(setup)
        with progress("playing", rounds * count, "games") as advance:

            def at(table: Sequence[str], seed: int, games: int) -> Ends:
                plan = Plan(setup, tuple(bots[name] for name in table), seed, games, guard=rules)
                results = play_plan(plan, jobs=jobs, progress=advance)
                sides.add(results)
                return ends_of(results)

            if one_against:
                share = duel(names[0], names[1], at, seed, rounds, seats)
            else:
                standings = meet(names, at, seed, rounds, seats)
    facts = {"seed": seed, "seats": seats, **setup.facts()}
    if one_against:
        _tell_duel(names, seats, share, sides.conduct, facts if as_json else None)
    elif as_json:
        print_json({**facts, **standings.to_json(), **sides.to_json(standings)})
    else:
        _print_standings(standings, seats)
        sides.print(standings)


def _print_standings(standings: Standings, seats: int) -> None:
    """The bots, the strongest first: ratings and win rates, and who finished above whom how often."""
    from rich.console import Console

    from kibitz.cli.guards import drawn_games
    from kibitz.cli.tables import fitted
    from kibitz.ground.figures import counted
    from kibitz.play.tournament import as_rows

    order = standings.order()
    headings = ("rating", "won", "of seats taken")
    rows = [dict(zip(("bot", *headings, *order), row, strict=True)) for row in as_rows(standings)]
    out = Console(highlight=False)
    out.print(f"{counted(standings.games, 'game')}, {counted(standings.tables, 'table')} of {seats}", style="bold")
    out.print(fitted(rows, ("bot", *headings), width=out.width, left=("bot",)))
    out.print("\nFinished above, of the times when one of the two did; ranges are 95 % intervals", style="bold")
    out.print(fitted(rows, ("bot", *order), width=out.width, left=("bot",)))
    if standings.drawn:
        out.print(drawn_games(standings.drawn))
    if standings.unfinished:
        out.print(f"{counted(standings.unfinished, 'game')} without a winner")
    print_conduct(standings.conduct)


def _tell_duel(names: Sequence[str], seats: int, share: Share, conduct: Conducts, facts: Mapping[str, Any] | None) -> None:
    """How one bot did against another on all other seats; as JSON after `facts`, if there are any."""
    from kibitz.ground.figures import percent
    from kibitz.play.tournament import with_interval

    one, others = names
    if facts is not None:
        known = {name: found.to_json() for name, found in conduct.items()}
        met = {"games": share.games, "bot": one, "against": others, "wins": share.to_json(), "parity": 1 / seats}
        print_json({**facts, **met, "conduct": known})
        return
    print(f"{one} against {seats - 1} {others}, {share.games // seats:,} games from each seat")
    print(f"won {share.won:,} of {share.games:,}: {with_interval(share)}; equals would win {percent(1 / seats)}")
    print_conduct(conduct)


class _Sides:
    """What a game has to say about its seats (their decks) and about who sits now here, now there, over all tables."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._words: Mapping[str, Sequence[str]] = {}
        self._shares: dict[str, tuple[int, int]] = {}
        self._conducts: list[Conducts] = []

    def add(self, results: Results) -> None:
        """The games of one table."""
        found = self._setup.summary(results)
        self._words = found.words
        for heading, (won, games) in found.shares.items():
            before = self._shares.get(heading, (0, 0))
            self._shares[heading] = before[0] + won, before[1] + games
        self._conducts.append(results.conduct)

    @property
    def conduct(self) -> Conducts:
        """How bots from outside behaved at all tables."""
        from kibitz.play.conduct import together

        return together(self._conducts)

    def to_json(self, standings: Standings) -> dict[str, Any]:
        """How often each seat won, by what it had; and the rest."""
        found: dict[str, Any] = {f"{heading}s": [] for heading in self._words}
        for heading, seat, word, share in self._seats(standings):
            found[f"{heading}s"].append({"seat": seat, heading: word, "wins": share.to_json()})
        return found | {heading: share.to_json() for heading, share in self._rest()}

    def print(self, standings: Standings) -> None:
        """The same in lines."""
        from kibitz.play.tournament import with_interval

        for heading, seat, word, share in self._seats(standings):
            print(f"{heading} {seat + 1} {word}: {with_interval(share)}")
        for heading, share in self._rest():
            print(f"{heading.replace('_', ' ')}: {with_interval(share)}")

    def _seats(self, standings: Standings) -> Iterator[tuple[str, int, str, Share]]:
        from kibitz.play.share import Share

        for heading, words in self._words.items():
            for seat, word in enumerate(words):
                won = sum(standings.seats[bot][seat].won for bot in standings.bots)
                yield heading, seat, word, Share(won, standings.games)

    def _rest(self) -> Iterator[tuple[str, Share]]:
        from kibitz.play.share import Share

        for heading, (won, games) in self._shares.items():
            yield heading, Share(won, games)
