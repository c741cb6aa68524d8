"""``kibitz onepiece``: play, record, replay and show games of the One Piece card game; tournaments; import of cards."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, progress, readable
from kibitz.cli.conduct import print_conduct
from kibitz.cli.guards import HELP as GUARD_HELP
from kibitz.cli.guards import about_loops, read_guard
from kibitz.cli.record_files import game_of_file, replay_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kibitz.game import States
    from kibitz.loops.config import Config
    from kibitz.onepiece.cards import Card
    from kibitz.onepiece.decks import Deck
    from kibitz.onepiece.record import Record
    from kibitz.play.match import Results
    from kibitz.play.tournament import Ends

app = typer.Typer(help="The One Piece card game: play, record, replay and show games.", no_args_is_help=True)

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 50
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A game record (JSON Lines, .gz too).")]
DecksOption = Annotated[str, typer.Option(help="The decks of both players: tide, ember, or a deck file for each.")]
GuardOption = Annotated[
    str | None, typer.Option(metavar="MODEL|FILE", help=GUARD_HELP, show_default="none; onepiece for decks of your own")
]
CardsOption = Annotated[
    Path | None, typer.Option(help="A file with the cards of decks that do not come with Kibitz.", metavar="FILE")
]


@app.command()
def simulate(
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games, byte for byte.")] = 0,
    players: Annotated[str, typer.Option(help="The bots of both seats: greedy,my_bot.py:MyBot.")] = "greedy,greedy",
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    record: Annotated[Path | None, typer.Option(help="Write the games to this file (.jsonl or .jsonl.gz).")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Record the legal actions and the whole state of every step, too.")
    ] = False,
    guard: GuardOption = None,
) -> None:
    """Play games between bots and sum them up. The seats begin in turn.

    Bots: random, greedy, ismcts. The last one takes iterations or seconds: ismcts:200, ismcts:2s.
    """
    import time

    if full and record is None:
        raise UserError("--full describes what --record writes; name a file with --record FILE")
    bots = _bots(players, 2, 2)
    pair = _decks(decks, _cards(cards))
    loop_rules = _loop_rules(guard, pair)
    from kibitz.play.onepiece import play, write
    from kibitz.records import check_target

    if record is not None:
        check_target(record)
    began = time.monotonic()
    with progress("playing" if record is None else "recording", games, "games") as advance:
        if record is None:
            results = play(bots, pair, seed, games, advance, guard=loop_rules)
        else:
            results = write(record, bots, pair, seed, games, full, advance, loop_rules)
    _print_results(results, bots, pair, time.monotonic() - began)
    if record:
        print(f"written: {record}")


@app.command()
def replay(file: FileArgument, cards: CardsOption = None) -> None:
    """Replay a record under the rules and verify every step; the first difference is named."""
    from kibitz.onepiece.record import check

    known = _cards(cards)
    replay_file(file, lambda lines, advance: check(lines, advance, known))


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
    *_, (last,) = found.states()
    if turn is not None and turn > last.turn:
        raise UserError(f"{file}: game {game} has only {last.turn} turns")
    at = last.turn if turn is None else turn
    state = GameState(found.after_turn(at))
    print_position(state, f"game {found.game}: {repr(state)[12:-1]}", found.seats)
    for line in _events(found, at):
        print(line)


@app.command()
def tournament(
    players: Annotated[
        str, typer.Option(help="The bots that meet, by name: ismcts:200,greedy,my_bot.py:MyBot.")
    ] = "greedy,random",
    games: Annotated[int, typer.Option(help="How many games in all (rounded up: every pairing plays as many).", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    decks: DecksOption = "tide,ember",
    cards: CardsOption = None,
    guard: GuardOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Let bots meet with both decks, equally often, and rate them.

    Bots: random, greedy, ismcts. The last one takes iterations or seconds: ismcts:200, ismcts:2s.
    """
    import json

    from kibitz.cli.standings import print_standings
    from kibitz.play.onepiece import ends, play
    from kibitz.play.share import Share
    from kibitz.play.tournament import percent, tables
    from kibitz.play.tournament import tournament as meet

    bots = _bots(players, 2, 10)
    if len(set(bots)) != len(bots):
        raise UserError(f"--players {players}: name at least two bots, each once")
    pair = _decks(decks, _cards(cards))
    loop_rules = _loop_rules(guard, pair)
    count = len(tables(bots, 2))
    rounds = -(-games // count)
    began = [0, 0]
    with progress("playing", rounds * count, "games") as advance:

        def at(table: Sequence[str], seed: int, games: int) -> Ends:
            results = play(table, pair, seed, games, advance, guard=loop_rules)
            began[0] += sum(state.winner == state.first for state in results.states)
            began[1] += games
            return ends(results)

        standings = meet(bots, at, seed, rounds, 2)
    won = [sum(standings.seats[bot][seat].won for bot in bots) for seat in range(2)]
    shares = {f"{seat + 1} {pair[seat].name}": Share(won[seat], standings.games) for seat in range(2)}
    if as_json:
        more = {"decks": {name: share.to_json() for name, share in shares.items()}, "first": Share(*began).to_json()}
        print(json.dumps({"seed": seed, **standings.to_json(), **more}, indent=2))
        return
    print_standings(standings, 2)
    for name, share in shares.items():
        print(f"deck {name}: {percent(share)}")
    print(f"who began: {percent(Share(*began))}")


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
    print(f"fields: {', '.join(f'{name} = {meaning}' for name, meaning in found.fields.items())}")
    if found.ignored:
        print(f"ignored: {', '.join(found.ignored)}")
    if found.repeated:
        print(f"there more than once: {', '.join(found.repeated)}")
    for part in found.unread:
        print(f"  {part.card}: not read: {part.text}")
    if out is not None:
        with writing(out) as write_line:
            write_line(json.dumps(found.to_json(file.stem), indent=1, ensure_ascii=False))
        print(f"written: {out}")


# --- what is typed ----------------------------------------------------------------------------------------------------


def _bots(players: str, low: int, high: int, option: str = "--players") -> list[str]:
    from kibitz.play.bots import UnknownBot
    from kibitz.play.onepiece_bots import bot_named

    try:
        bots = [bot_named(name.strip()).name for name in players.split(",")]
    except UnknownBot as error:
        raise UserError(f"{option} {error}") from None
    if not low <= len(bots) <= high:
        wanted = {1: "one bot", 2: "two bots"}[high] if low == high else f"{low} to {high} bots"
        raise UserError(f"{option} {players}: expected {wanted}")
    return bots


def _decks(text: str, cards: Mapping[str, Card] | None = None) -> tuple[Deck, Deck]:
    from kibitz.onepiece.decks import STARTERS, load_deck, starter
    from kibitz.onepiece.engine import game_with
    from kibitz.onepiece.reading import CardError

    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise UserError(f"--decks {text}: expected two decks, as in tide,ember")
    found = []
    for name in names:
        if name not in STARTERS and not Path(name).is_file():
            raise UserError(f"--decks {name!r}: no such deck; these are {', '.join(STARTERS)}, or the name of a deck file")
        try:
            found.append(starter(name) if name in STARTERS else load_deck(Path(name), cards))
        except (CardError, UnicodeDecodeError) as error:
            raise UserError(f"--decks: {error}") from None
    try:
        game_with(found[0], found[1])
    except CardError as error:
        raise UserError(f"--decks {text}: {error}") from None
    return found[0], found[1]


def _loop_rules(guard: str | None, decks: tuple[Deck, Deck]) -> Config | None:
    """Under which loop rules a game is played: those of ``--guard``, else the game's own for decks that may go in circles."""
    from kibitz.onepiece.decks import STARTERS, starter

    known = [starter(name) for name in STARTERS]
    own = any(deck not in known for deck in decks)
    return read_guard("onepiece" if guard is None and own else guard)


def _cards(file: Path | None) -> Mapping[str, Card] | None:
    from kibitz.onepiece.importer import load_any
    from kibitz.onepiece.reading import CardError

    if file is None:
        return None
    try:
        return load_any(readable(file))
    except (CardError, UnicodeDecodeError) as error:
        raise UserError(f"--cards: {error}") from None


def _find_game(file: Path, game: int, cards: Mapping[str, Card] | None) -> Record:
    """One game of a record file, verified."""
    from kibitz.onepiece.record import check

    return game_of_file(file, game, partial(check, cards=cards))


# --- what is printed --------------------------------------------------------------------------------------------------


def _print_results(results: Results, bots: list[str], decks: tuple[Deck, Deck], seconds: float) -> None:
    from rich.console import Console
    from rich.table import Table

    states: States = results.states
    games = len(states)
    table = Table(title=f"{games:,} {'game' if games == 1 else 'games'}")
    for heading in ("player", "bot", "deck", "won", "win rate"):
        table.add_column(heading, justify="right" if heading in ("won", "win rate") else "left")
    for seat, bot in enumerate(bots):
        won = sum(state.winner == seat for state in states)
        table.add_row(str(seat + 1), bot, decks[seat].name[:20], f"{won:,}", f"{won / games:.1%}")
    out = Console(highlight=False)
    out.print(table)
    turns = [state.turn for state in states]
    names = [state.ending or "the loop rule" for state in states]
    endings = ", ".join(f"{names.count(name):,} by {name}" for name in sorted(set(names)))
    out.print(f"turns: {sum(turns) / games:.1f} on average, {min(turns)} to {max(turns)}; ends: {endings}")
    out.print(f"steps: {results.steps / games:,.0f} a game")
    if found := about_loops(results.loops):
        out.print(found)
    if games >= ENOUGH_FOR_A_SPEED:
        out.print(f"{games / seconds:,.0f} games/s")
    print_conduct(results.conduct)


def _events(found: Record, turn: int) -> list[str]:
    """What happened in one turn, a line for each step."""
    from kibitz.cli.onepiece_words import folded
    from kibitz.onepiece.words import action_words

    steps = zip(found.states(), found.codes, strict=False)  # the last position has no step
    lines = []
    for (state,), code in steps:
        if state.turn == turn:
            seat = state.drawing[0] if state.actor() < 0 else state.asked
            action = found.action(code)
            lines.append(folded(f"turn {turn} P{seat + 1} {action.to_text()}", action_words(state, action), 25))
    return lines


from kibitz.cli import onepiece_play, onepiece_tree  # noqa: E402, F401 (they register their commands)
