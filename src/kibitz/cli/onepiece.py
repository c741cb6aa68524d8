"""``kibitz onepiece``: play, record, replay and show games of the One Piece card game; tournaments; import of cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, progress, readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kibitz.onepiece.cards import Card
    from kibitz.onepiece.decks import Deck
    from kibitz.onepiece.record import Record
    from kibitz.play.onepiece import Result, Standings

app = typer.Typer(help="The One Piece card game: play, record, replay and show games.", no_args_is_help=True)

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 50
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A game record (JSON Lines, .gz too).")]
DecksOption = Annotated[str, typer.Option(help="The decks of both players: tide, ember, or a deck file for each.")]
CardsOption = Annotated[
    Path | None, typer.Option(help="A card file, for records of decks that do not come with Kibitz.", metavar="FILE")
]


@app.command()
def simulate(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games, byte for byte.")] = 0,
    players: Annotated[str, typer.Option(help="The bots of both seats.")] = "greedy,greedy",
    decks: DecksOption = "tide,ember",
    record: Annotated[Path | None, typer.Option(help="Write the games to this file (.jsonl or .jsonl.gz).")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Record the legal actions and the whole state of every step, too.")
    ] = False,
) -> None:
    """Play games between bots and sum them up. The seats begin in turn."""
    import time

    if full and record is None:
        raise UserError("--full describes what --record writes; name a file with --record FILE")
    bots = _bots(players, 2, 2)
    pair = _decks(decks)
    from kibitz.play.onepiece import play, write
    from kibitz.records import check_target

    if record is not None:
        check_target(record)
    began = time.monotonic()
    with progress("playing" if record is None else "recording", games, "games") as advance:
        if record is None:
            results = play(bots, pair, seed, games, advance)
        else:
            results = write(record, bots, pair, seed, games, full, advance)
    _print_results(results, bots, pair, time.monotonic() - began)
    if record:
        print(f"written: {record}")


@app.command()
def replay(file: FileArgument, cards: CardsOption = None) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    from kibitz.onepiece.record import check
    from kibitz.records import RecordError, read_file

    games = steps = 0
    try:
        with progress("replaying", None, "steps") as advance:
            for played in check((line for _, line in read_file(readable(file))), advance, _cards(cards)):
                games += 1
                steps += len(played.codes)
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
    if not games:
        raise UserError(f"{file}: line 1: the file holds no game")
    print(f"{file}: {games:,} {'game' if games == 1 else 'games'}, {steps:,} steps, all by the rules")


@app.command()
def show(
    file: FileArgument,
    game: Annotated[int, typer.Option(help="Which game of the file, from 0.", min=0)] = 0,
    turn: Annotated[
        int | None, typer.Option(help="The position after this turn (0: after set-up); the end by default.", min=0)
    ] = None,
    cards: CardsOption = None,
) -> None:
    """Show a position of a recorded game, and what happened in its turn."""
    from kibitz.cli.onepiece_table import print_position
    from kibitz.onepiece.game_state import GameState

    found = _find_game(file, game, _cards(cards))
    *_, last = found.states()
    if turn is not None and turn > last.turn:
        raise UserError(f"{file}: game {game} has only {last.turn} turns")
    at = last.turn if turn is None else turn
    state = GameState(found.after_turn(at))
    print_position(state, f"game {found.game}: {repr(state)[12:-1]}", found.seats)
    for line in _events(found, at):
        print(line)


@app.command()
def tournament(
    players: Annotated[str, typer.Option(help="The bots that meet, by name.")] = "greedy,random",
    games: Annotated[int, typer.Option(help="How many games in all (rounded up: every pairing plays as many).", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    decks: DecksOption = "tide,ember",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let bots meet with both decks, equally often, and count their wins."""
    bots = _bots(players, 2, 10)
    if len(set(bots)) != len(bots):
        raise UserError(f"--players {players}: name at least two bots, each once")
    pair = _decks(decks)
    from kibitz.play.onepiece import pairings
    from kibitz.play.onepiece import tournament as meet

    count = len(pairings(bots))
    rounds = -(-games // count)
    with progress("playing", rounds * count, "games") as advance:
        standings = meet(bots, pair, seed, rounds, advance)
    if as_json:
        _print_json(standings, seed)
    else:
        _print_standings(standings)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card file: JSON or CSV (see docs/onepiece_cards.md).")],
    out: Annotated[Path | None, typer.Option(help="Write the cards as a card file of Kibitz.")] = None,
) -> None:
    """Read a card file of your own: which effects can be played, and which texts could not be read."""
    import json

    from kibitz.onepiece.importer import import_cards
    from kibitz.onepiece.reading import CardError
    from kibitz.records import writing

    try:
        found = import_cards(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(str(error)) from None
    lost = {part.card for part in found.unread}
    print(f"{len(found.cards)} cards, {len(found.cards) - len(lost)} of them with all effects")
    for part in found.unread:
        print(f"  {part.card}: not read: {part.text}")
    if out is not None:
        with writing(out) as write_line:
            write_line(json.dumps(found.to_json(file.stem), indent=1, ensure_ascii=False))
        print(f"written: {out}")


# --- what is typed ----------------------------------------------------------------------------------------------------


def _bots(players: str, low: int, high: int, option: str = "--players") -> list[str]:
    from kibitz.onepiece.engine import POLICIES

    bots = [name.strip() for name in players.split(",")]
    for name in bots:
        if name not in POLICIES:
            raise UserError(f"{option} {name!r}: no such bot; these are {', '.join(POLICIES)}")
    if not low <= len(bots) <= high:
        wanted = {1: "one bot", 2: "two bots"}[high] if low == high else f"{low} to {high} bots"
        raise UserError(f"{option} {players}: expected {wanted}")
    return bots


def _decks(text: str) -> tuple[Deck, Deck]:
    from kibitz.onepiece.decks import STARTERS, load_deck, starter
    from kibitz.onepiece.reading import CardError

    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise UserError(f"--decks {text}: expected two decks, as in tide,ember")
    found = []
    for name in names:
        if name not in STARTERS and not Path(name).is_file():
            raise UserError(f"--decks {name!r}: no such deck; these are {', '.join(STARTERS)}, or the name of a deck file")
        try:
            found.append(starter(name) if name in STARTERS else load_deck(Path(name)))
        except (CardError, UnicodeDecodeError) as error:
            raise UserError(f"--decks: {error}") from None
    return found[0], found[1]


def _cards(file: Path | None) -> Mapping[str, Card] | None:
    from kibitz.onepiece.reading import CardError
    from kibitz.onepiece.schema import load_cards

    if file is None:
        return None
    try:
        return load_cards(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(f"--cards: {error}") from None


def _find_game(file: Path, game: int, cards: Mapping[str, Card] | None) -> Record:
    """One game of a record file, verified."""
    from kibitz.onepiece.record import check
    from kibitz.records import RecordError, read_file

    count = 0
    try:
        for found in check((line for _, line in read_file(readable(file))), cards=cards):
            if count == game:
                return found
            count += 1
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
    raise UserError(f"{file}: there is no game {game}; the file holds {count}")


# --- what is printed --------------------------------------------------------------------------------------------------


def _print_results(results: list[Result], bots: list[str], decks: tuple[Deck, Deck], seconds: float) -> None:
    from rich.console import Console
    from rich.table import Table

    games = len(results)
    table = Table(title=f"{games:,} {'game' if games == 1 else 'games'}")
    for heading in ("player", "bot", "deck", "won", "win rate"):
        table.add_column(heading, justify="right" if heading in ("won", "win rate") else "left")
    for seat, bot in enumerate(bots):
        won = sum(result.winner == seat for result in results)
        table.add_row(str(seat + 1), bot, decks[seat].name[:20], f"{won:,}", f"{won / games:.1%}")
    out = Console(highlight=False)
    out.print(table)
    turns = [result.turns for result in results]
    endings = ", ".join(f"{sum(r.ending == name for r in results):,} by {name}" for name in sorted({r.ending for r in results}))
    out.print(f"turns: {sum(turns) / games:.1f} on average, {min(turns)} to {max(turns)}; ends: {endings}")
    out.print(f"steps: {sum(result.steps for result in results) / games:,.0f} a game")
    if games >= ENOUGH_FOR_A_SPEED:
        out.print(f"{games / seconds:,.0f} games/s")


def _print_standings(standings: Standings) -> None:
    from rich.console import Console
    from rich.table import Table

    from kibitz.play.tournament import percent

    order = sorted(standings.bots, key=lambda bot: -standings.wins(bot).rate)
    table = Table(title=f"{standings.games:,} games; ranges are 95 % intervals")
    for heading in ("bot", "won", *(f"against {bot}" for bot in order)):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for bot in order:
        pairs = ("-" if other == bot else percent(standings.pairs[bot, other]) for other in order)
        table.add_row(bot, percent(standings.wins(bot)), *pairs)
    out = Console(highlight=False)
    out.print(table)
    for name, share in standings.decks.items():
        out.print(f"deck {name}: {percent(share)}")
    out.print(f"who began: {percent(standings.first)}")


def _print_json(standings: Standings, seed: int) -> None:
    import json

    value = {
        "seed": seed,
        "games": standings.games,
        "bots": {
            bot: {
                "wins": standings.wins(bot).to_json(),
                "against": {o: standings.pairs[bot, o].to_json() for o in standings.bots if o != bot},
            }
            for bot in standings.bots
        },
        "decks": {name: share.to_json() for name, share in standings.decks.items()},
        "first": standings.first.to_json(),
    }
    print(json.dumps(value, indent=2))


def _events(found: Record, turn: int) -> list[str]:
    """What happened in one turn, a line for each step."""
    steps = zip(found.states(), found.codes, strict=False)  # the last position has no step
    lines = []
    for state, code in steps:
        if state.turn == turn:
            seat = state.drawing[0] if state.actor() < 0 else state.asked
            lines.append(f"turn {turn} P{seat + 1} {found.action(code).to_text()}")
    return lines


from kibitz.cli import onepiece_play  # noqa: E402, F401 (registers its command)
