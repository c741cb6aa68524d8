"""``kibitz coup solve``: exact values and strategies of endgames."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli import common
from kibitz.cli.common import UserError
from kibitz.cli.options import ForceOption, JsonOption, file_option, listed, number, rule_option, time_option
from kibitz.coup.commands.situations import CARDS
from kibitz.coup.profile import PROFILE
from kibitz.ground.signs import signed
from kibitz.play.profile import rules_typed

if TYPE_CHECKING:
    from kibitz.compute.runtime import Limit
    from kibitz.coup.core.state import Rules
    from kibitz.coup.endgames.solve import Endgame, SolvedEndgame
    from kibitz.coup.endgames.strategy import Decision

#: How many decisions deep the strategies are printed, and how likely play must come there.
DEPTH, RARE = 2, 1e-3
#: The largest tree that is made unless a larger one is asked for.
MAX_NODES = 20_000_000
#: JSON of more bytes than this is announced before it is written.
LARGE = 100_000_000
#: So many decisions are written down to say how many bytes all of them will take.
SAMPLE = 200
#: Lines of text are not longer than this, however wide the terminal is.
WIDEST = 100


def solve_command(
    coins: Annotated[
        str | None, typer.Option(metavar="A,B", help="The coins of player 1, who moves first, and of player 2.")
    ] = None,
    turns: Annotated[int | None, number("The game is a draw after this many turns of both players together.")] = None,
    revealed: Annotated[str, listed(CARDS, "CARD,...", "The cards that are out of play: duke,contessa.", "none")] = "",
    exchange: Annotated[
        bool, typer.Option("--exchange", help="Include the Ambassador's exchange, which makes the tree far larger.")
    ] = False,
    influence: Annotated[str, typer.Option(help="How many cards each player is dealt.", metavar="A,B")] = "1,1",
    cards: Annotated[
        str | None, listed(CARDS, "CARD,CARD", "Show what player 1 does with the first of these, and player 2 with the second.")
    ] = None,
    depth: Annotated[int | None, number("How many decisions deep to show the strategies.", "2; all in JSON")] = None,
    open_hands: Annotated[
        bool, typer.Option("--open", help="Solve with open hands (--cards): who wins, and how fast.")
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="With --open: how many of 196 positions each card wins.")] = False,
    rule: Annotated[list[str] | None, rule_option(PROFILE, without=["max_turns"])] = None,
    max_nodes: Annotated[int, number("The largest tree allowed, in nodes; a million nodes need 155 MB.")] = MAX_NODES,
    time: Annotated[float | None, time_option()] = None,
    store: Annotated[Path | None, file_option("Save the solution in this file, or read it from there.")] = None,
    no_store: Annotated[bool, typer.Option("--no-store", help="Neither save the solution nor look for a saved one.")] = False,
    efg: Annotated[Path | None, file_option("Write the tree in Gambit's format.")] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Solve a two-player endgame exactly: its value, and how often to do what.

    Each is dealt hidden cards from the 15 less those revealed; player 1 moves first.
    """
    common.check_one({"--store": store, "--no-store": no_store or None}, "the solution is either saved or not")
    with common.compile_notice():
        limit = common.read_limit(time)
        from kibitz.coup.core.state import Rules
        from kibitz.coup.endgames.solve import Endgame

        rules = rules_typed(Rules, rule)
        if rules.max_turns != Rules.max_turns:
            raise UserError("--rule max_turns: use --turns T instead")
        if open_hands or table:
            asked = {"--turns": turns, "--revealed": revealed, "--exchange": exchange, "--influence": influence != "1,1"}
            _refuse(asked, "--open", "open hands are solved to the end, with one influence each and without exchange")
            work = {"--depth": depth, "--time": time, "--max-nodes": max_nodes != MAX_NODES}
            files = {"--efg": efg, "--store": store, "--no-store": no_store}
            _refuse(work | files, "--open", "nothing is mixed, large or kept there")
            if table:
                _refuse({"--cards": cards, "--coins": coins}, "--table", "it has all cards and coins")
                _print_table(rules, as_json)
            else:
                _solve_open(coins, cards, rules, as_json)
            return
        if turns is None:
            raise UserError("--turns T is missing: after how many turns is the game a draw?")
        endgame = Endgame(_pair(coins, "--coins"), turns, _names(revealed), _pair(influence, "--influence"), exchange, rules)
        held = _held(cards, endgame)
        common.check_writable(efg, "EFG 2 R", force)
        solved = _answer(endgame, max_nodes, limit, store, no_store, efg, quiet=as_json)
        if as_json:
            _print_json(solved, depth)
        else:
            _print(solved, held, depth or DEPTH)


def _refuse(given: dict[str, Any], beside: str, reason: str) -> None:
    for option, value in given.items():
        if value:
            raise UserError(f"{option} does not go with {beside}: {reason}")


def _pair(text: str | None, option: str) -> tuple[int, int]:
    if text is None:
        raise UserError(f"{option} A,B is missing, as in {option} 6,5")
    parts = text.split(",")
    if len(parts) != 2 or not all(common.is_number(part.strip()) for part in parts):
        raise UserError(f"{option} {text}: expected two numbers, as in {option} {'1,1' if option == '--influence' else '6,5'}")
    return int(parts[0]), int(parts[1])


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in text.split(",")) if text.strip() else ()


def _held(cards: str | None, endgame: Endgame) -> list[tuple[str, ...]] | None:
    """The hands that are asked for, in order, if any are."""
    from kibitz.coup.core.setup import SetupError, setup
    from kibitz.coup.core.state import COPIES

    if cards is None:
        return None
    names, mine = _names(cards), endgame.influence[0]
    if len(names) != sum(endgame.influence):
        raise UserError(f"--cards {cards}: expected {sum(endgame.influence)} cards, first those of player 1")
    hands = [names[:mine], names[mine:]]
    try:
        setup(endgame.coins, hands=dict(enumerate(hands)), influence=endgame.influence)
    except SetupError as error:
        raise UserError(f"--cards {cards}: {error}") from None
    for name in names:
        if (known := (names + endgame.revealed).count(name)) > COPIES:
            raise UserError(
                f"--cards {cards}: with the revealed cards, that makes {known} {name.title()}s: there are only three"
            )
    return hands


def _answer(
    endgame: Endgame, max_nodes: int, limit: Limit, store: Path | None, no_store: bool, efg: Path | None, quiet: bool
) -> SolvedEndgame:
    """The solution: from its file, or solved and kept."""
    from kibitz.coup.endgames.solve import TooLarge
    from kibitz.coup.endgames.store import load, save, store_path
    from kibitz.coup.endgames.strategy import question, wrapped

    def tell(line: str) -> None:
        if not quiet:
            print(line, flush=True)

    for line in wrapped(question(endgame), _width()):
        tell(line)
    path = store or store_path(endgame)
    common.check_writable(store, force=True)  # what is not a solution is refused when it is read
    solved = None if no_store else load(endgame, path)
    try:
        if solved is not None and solved.nodes > max_nodes:
            raise TooLarge(solved.nodes, max_nodes)
        with common.console().status("counting the nodes"):
            nodes = endgame.count(max_nodes) if solved is None else solved.nodes
    except TooLarge as error:
        raise UserError(f"{error}: lower --turns, or raise --max-nodes") from None
    tell(f"{nodes:,} nodes" + ("" if solved is None else f"; solved earlier: {path}"))
    if solved is None:
        solved = _solve(endgame, nodes, limit)
    if efg is not None:
        _write_efg(solved, efg)
    if not (solved.stored or no_store or solved.stopped):
        try:
            save(solved, path)
        except OSError as error:
            if store is not None:
                raise
            print(f"kibitz: the solution could not be saved: {error.filename}: {error.strerror}", file=sys.stderr)
    return solved


def _solve(endgame: Endgame, nodes: int, limit: Limit) -> SolvedEndgame:
    from rich.progress import TimeElapsedColumn

    from kibitz.compute.runtime import Runtime
    from kibitz.coup.endgames.solve import falling, solve_endgame

    with common.console().status(f"building a tree of {nodes:,} nodes"):
        flat = endgame.tree(nodes)
    told = falling()
    with common.late_bar("solving", 1.0, TimeElapsedColumn()) as show:
        runtime = Runtime(limit, lambda info: show(*told(info)))
        with common.stops_on_interrupt(runtime.cancel):
            return solve_endgame(endgame, flat=flat, runtime=runtime)


def _write_efg(solved: SolvedEndgame, path: Path) -> None:
    from kibitz.coup.core.actions import describe
    from kibitz.coup.endgames.solve import UNIT
    from kibitz.coup.endgames.strategy import question
    from kibitz.game.files import writing
    from kibitz.search.flat import efg_lines

    with writing(path) as write_line, common.progress("writing", solved.nodes, "nodes") as advance:
        for line in efg_lines(solved.flat, f"Coup: {question(solved.endgame)}", describe, UNIT):
            write_line(line)
            advance(1)


def _print(solved: SolvedEndgame, held: list[tuple[str, ...]] | None, depth: int) -> None:
    from kibitz.coup.endgames.strategy import decisions, strategy_lines, value_lines

    lines = list(value_lines(solved))
    found = list(decisions(solved, depth, RARE))
    if held is not None:
        mine, theirs = (" ".join(hand) for hand in held)
        lines.append(f"player 1 with {mine} against player 2 with {theirs}: {signed(solved.value_of_deal(*held), 6)}")
        found = [decision for decision in found if decision.cards == tuple(held[decision.seat])]
    print(*lines, *strategy_lines(found, _width()), sep="\n")


def _width() -> int:
    return min(common.console().width, WIDEST)


def _print_json(solved: SolvedEndgame, depth: int | None) -> None:
    from kibitz.coup.endgames.strategy import decisions

    with common.console().status("collecting the strategies"):
        found = list(decisions(solved, depth))
    _announce(found)
    figures = ("value", "low", "high", "exploitability", "iterations", "nodes", "stopped", "stored")
    told = {"question": solved.endgame.to_json(), **{name: getattr(solved, name) for name in figures}}
    fraction = None if solved.fraction is None else str(solved.fraction)
    proven = None if solved.proven is None else str(solved.proven)
    head = json.dumps({**told, "fraction": fraction, "proven": proven, "information_sets": solved.sets}, indent=2)
    print(head.removesuffix("\n}"), ',\n  "strategy": [', sep="")
    with common.progress("writing", len(found), "decisions") as advance:
        for number, decision in enumerate(found, 1):  # one by one: all of them can be more text than fits into memory
            print("    ", json.dumps(decision.to_json()), "," if number < len(found) else "", sep="")
            advance(1)
    print("  ]\n}")


def _announce(found: Sequence[Decision]) -> None:
    """Say beforehand that much is to be written, and how to have less."""
    some = found[:: max(1, len(found) // SAMPLE)]
    size = sum(len(json.dumps(decision.to_json())) for decision in some) * len(found) // len(some)
    if size > LARGE:
        much = f"{len(found):,} decisions, about {size / 1e6:,.0f} MB"
        print(f"kibitz: writing {much}; --depth D stops after the first D decisions", file=sys.stderr)


def _solve_open(coins: str | None, cards: str | None, rules: Rules, as_json: bool) -> None:
    from kibitz.coup.endgames.open_hands import open_lines, solve_open

    names = _names(cards or "")
    if len(names) != 2:
        raise UserError("--open: expected one card of each player, as in --cards duke,captain")
    position = solve_open(names, _pair(coins, "--coins"), rules)
    if as_json:
        common.print_json(position.to_json())
    else:
        print(*open_lines(position), sep="\n")


def _print_table(rules: Rules, as_json: bool) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.coup.endgames.open_hands import ROLES, TABLE_COINS, open_table

    with common.progress("solving", len(ROLES) ** 2, "pairs of cards") as advance:
        positions = open_table(rules=rules, progress=advance)
    won = {pair: sum(position.winner == 0 for position in found) for pair, found in positions.items()}
    draws = sum(position.winner is None for found in positions.values() for position in found)
    if as_json:
        rows = [{"mover": mine, "other": theirs, "won": n, "of": len(TABLE_COINS) ** 2} for (mine, theirs), n in won.items()]
        common.print_json({"pairs": rows, "draws": draws})
        return
    total = f"of {len(ROLES) * len(TABLE_COINS) ** 2}"
    table = [
        {"mover": mine} | {theirs: str(won[mine, theirs]) for theirs in ROLES} | {total: str(sum(won[mine, c] for c in ROLES))}
        for mine in ROLES
    ]
    out = Console()
    out.print(f"open hands, {TABLE_COINS[0]} to {TABLE_COINS[-1]} coins each: how often the player to move wins against\n")
    out.print(fitted(table, tuple(table[0]), width=out.width, left=("mover",)))
    out.print("no draws" if draws == 0 else f"{draws} draws")
