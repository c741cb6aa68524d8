"""Commands that are told a situation in words: ``kibitz coup advise`` (what should I do?) and ``kibitz coup tree``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli import common, options
from kibitz.cli.common import UserError
from kibitz.cli.positions import TREES, FormatOption, MaxNodesOption, drawn_tree, print_tree
from kibitz.cli.records import is_record, position_of
from kibitz.coup.profile import PROFILE
from kibitz.ground.folders import MOST_BYTES, text_in
from kibitz.play.profile import rules_typed

if TYPE_CHECKING:
    from kibitz.coup.advise import CoupAdvice, CoupOption
    from kibitz.coup.belief import InfluenceBelief
    from kibitz.coup.core.situation import Situation
    from kibitz.coup.core.state import Rules
    from kibitz.coup.words import Words
    from kibitz.game import States

#: A test compares them with the game.
CARDS = ("duke", "assassin", "captain", "ambassador", "contessa")

BluffOption = Annotated[
    float | None,
    options.number(
        "How often players claim a card without holding it, compared with holding it: 0 to 1.", "blueprint", "P", min=None
    ),
]
#: For how many options the line is printed.
LINES = 3
#: What should be done more rarely than this is not worth a word.
LEAST = 0.005


def check_bluff(bluff: float | None) -> None:
    """A likelihood of bluffing, if one was typed."""
    if bluff is not None and not 0 <= bluff <= 1:
        raise UserError(f"--bluff {bluff}: expected a number from 0 to 1")


def read_told(
    text: str, seat: int | None, rules: Rules, bluff: float | None, *, to_observer: bool = True
) -> tuple[Situation, InfluenceBelief]:
    """A situation as it was typed (text, the name of a file, or ``-``), and what its teller can know; `seat` counts from 1.

    Without `to_observer` the position is the one right after what is told, whoever decides there.
    """
    from kibitz.coup.advise import belief_of
    from kibitz.coup.core.situation import read_situation

    told = read_situation(_text(text), None if seat is None else seat - 1, rules, to_observer=to_observer)
    return told, belief_of(told, bluff)


def _text(situation: str) -> str:
    """What was typed, or what stands in a file."""
    if situation == "-":
        return sys.stdin.read(MOST_BYTES)
    if not situation.strip():
        raise UserError("the text is empty; one looks like 'cards duke captain; coins 3 5'")
    path = Path(situation)
    if "\n" in situation or len(situation) > common.LONGEST_NAME or not path.exists():
        if " " not in situation.strip():
            raise UserError(f"{situation}: no such file; a text looks like 'cards duke captain; coins 3 5'")
        return situation
    return text_in(common.readable(path))


def advise(
    situation: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|FILE|RECORD|-",
            help="What has happened, in words ('cards duke captain; coins 3 5'), or a game record.",
        ),
    ],
    seat: Annotated[int | None, options.seat_option("1, or as the text says; in a record, the seat to move")] = None,
    iterations: Annotated[int | None, options.iterations_option("100,000; with --time, as many as time allows")] = None,
    time: Annotated[float | None, options.time_option()] = None,
    bluff: BluffOption = None,
    turns: Annotated[
        int | None, options.number("How many turns ahead to solve an endgame between two single cards.", "3")
    ] = None,
    rule: Annotated[list[str] | None, options.rule_option(PROFILE)] = None,
    game: options.GameOption = None,
    at: Annotated[int | None, options.at_option("the last one")] = None,
    seed: options.SeedOption = 0,
    jobs: options.JobsOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show the chance to win with each option, the best line, and who may hold what.

    Ctrl-C ends it with the results so far.
    """
    check_bluff(bluff)
    record = _record(situation)
    other = {"--rule": rule} if record else {"--game": game, "--at": at}
    for option, value in other.items():
        if value is not None:
            raise UserError(f"{option}: only for {'texts; a record has its own' if record else 'game records'}")
    with common.compile_notice():
        from kibitz.compute.runtime import Threads
        from kibitz.coup.advise import CONFIG
        from kibitz.coup.advise import advise as think
        from kibitz.coup.core.state import Rules
        from kibitz.game import actor_at
        from kibitz.play.search_bot import ENDLESS

        names: tuple[str, ...] = ()
        if record is not None:
            states, belief, step = _recorded(record, game, at, seat, bluff)
        else:
            told, belief = read_told(situation, seat, rules_typed(Rules, rule), bluff)
            states, names, step = told.states, told.names, None
            if (actor := actor_at(states, 0)) != told.observer:
                you = told.observer + 1
                raise UserError(
                    f"player {actor + 1} decides now, and you are player {you}: say what they do, or use kibitz coup tree"
                )
        config = replace(CONFIG, iterations=iterations or (ENDLESS if time else CONFIG.iterations), seed=seed)
        with common.thinking(None if time else config.iterations, time) as runtime:
            advice = think(states, belief, config, names=names, step=step, turns=turns, runtime=runtime, workers=Threads(jobs))
    if as_json:
        common.print_json(advice.to_json())
    else:
        _print(advice, states)


def _record(situation: str) -> Path | None:
    """The file, if it holds recorded games."""
    if "\n" in situation or len(situation) > common.LONGEST_NAME:
        return None
    path = Path(situation)
    return path if path.suffix in (".jsonl", ".gz") or (path.is_file() and is_record(path)) else None


def _recorded(
    record: Path, game: int | None, at: int | None, seat: int | None, bluff: float | None
) -> tuple[States, InfluenceBelief, int]:
    """A position of a recorded game, what its player could know of it, and its step."""
    from kibitz.coup.advise import recorded
    from kibitz.coup.core.record import check
    from kibitz.game import actor_at
    from kibitz.play.advice import nobody_decides

    found, step = position_of(record, game, at, check)
    if reason := nobody_decides(actor := actor_at(found.before(step), 0)):
        raise UserError(f"--at {step}: {reason}")
    common.check_seat(seat, len(found.seats))
    if seat is not None and seat - 1 != actor:
        raise UserError(f"--at {step} and --seat {seat}: it is seat {actor + 1} to move, not seat {seat}")
    return *recorded(found, step, bluff), step


def _print(advice: CoupAdvice, states: States) -> None:
    from rich.console import Console

    from kibitz.cli.tables import fitted
    from kibitz.coup.advise import ONE_ACTION
    from kibitz.coup.core.actions import Action
    from kibitz.coup.core.state import CHARACTERS
    from kibitz.coup.words import Words, spoken
    from kibitz.ground.texts import chance_text, counted, percent, with_margin
    from kibitz.play.advice import IN_DOUBT

    out = Console(highlight=False)
    words = Words(advice.seat, advice.names)
    advised = "The search advises" if advice.equilibrium is None else "The solution plays"
    out.print(f"{words.situation(states)} {advised}: {advice.best.name}\n")
    rows = [
        {
            "option": option.name + (" (a bluff)" if option.bluffs else ""),
            "you win": with_margin(option.value, option.margin),
            "tried": f"{option.visits:,}",
        }
        for option in advice.options
    ]
    out.print(fitted(rows, tuple(rows[0]), width=out.width, left=("option",), bold_first=True))
    out.print(f"{counted(advice.games, 'iteration')}{advice.effort}; ± is a rough 95 % interval")
    out.print(f"{IN_DOUBT}.\n" if IN_DOUBT in advice.warnings else "")
    for option in advice.options[:LINES]:
        out.print(_line(words, option, out.width))
    if advice.equilibrium is not None:
        shares = sorted(advice.equilibrium.items(), key=lambda share: -share[1])
        mixed = ", ".join(f"{' '.join(spoken(Action.from_text(a).code))} {percent(p, 0)}" for a, p in shares if p >= LEAST)
        turns = "this turn" if advice.solved_turns == 1 else f"the next {advice.solved_turns} turns"
        out.print(f"solved for {turns}, without exchanges: {mixed}")
    elif ONE_ACTION in advice.warnings:
        out.print(ONE_ACTION)
    if advice.lost:
        left = ", ".join(" ".join(spoken(Action.from_text(action).code)) for action in advice.lost)
        out.print(f"not tried, because it loses by force or something else wins at once: {left}")
    holders = []
    for seat, held in enumerate(advice.belief):
        if held.cards and seat != advice.seat:
            name = f"{words.name(seat)}, {counted(held.cards, 'card')}"
            holders.append({"who holds what": name} | {card.title(): chance_text(held.holds[card]) for card in CHARACTERS})
    out.print()
    out.print(fitted(holders, tuple(holders[0]), width=out.width, left=("who holds what",)))
    out.print(f"chance of at least one; {_model(advice.bluff)}")


def _model(bluff: float | None) -> str:
    """How the claims of others are taken."""
    if bluff is None:
        return "others bluff as the blueprint does"
    return f"bluff {bluff:g} (0: claims are true, 1: they tell nothing)"


def _line(words: Words, option: CoupOption, width: int) -> str:
    """What the search expects, as many steps as a line of text takes."""
    line = "line:"
    for text in words.line(option.line):
        longer = f"{line}{'' if line[-1] == ':' else ';'} {text}"
        if len(longer) > width:
            break
        line = longer
    return line


def tree(
    situation: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|FILE|-", help="The position in words, as for advise; without it, the start of a game."),
    ] = None,
    seats: Annotated[int | None, options.number("How many play.", "2", min=2, max=6)] = None,
    cards: Annotated[str | None, options.listed(CARDS, "CARD,CARD", "The observer's cards.", "dealt by the seed")] = None,
    seat: Annotated[int | None, options.seat_option("1, or as the text says")] = None,
    turns: Annotated[int, options.number("How many turns to look ahead, including this one.", max=20)] = 1,
    depth: Annotated[
        int | None, options.number("Draw no more steps than this; values look to the end of the turn.", "all that fit", min=0)
    ] = None,
    form: FormatOption = "text",
    out: options.OutOption = None,
    max_nodes: MaxNodesOption = None,
    bluff: BluffOption = None,
    seed: options.SeedOption = 0,
    rule: Annotated[list[str] | None, options.rule_option(PROFILE)] = None,
    force: options.ForceOption = False,
) -> None:
    """Draw what may happen next: kinds of nodes, actions, probabilities and values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    if situation is not None and (seats is not None or cards is not None):
        raise UserError("--seats and --cards describe the start of a game; the text says who plays and what you hold")
    check_bluff(bluff)
    if bluff is not None and situation is None:
        raise UserError("--bluff: nothing has been claimed yet")
    with common.compile_notice():
        from kibitz.coup.advise import worlds_of
        from kibitz.coup.belief import InfluenceBelief
        from kibitz.coup.core.state import Rules
        from kibitz.search.tree import Tree

        common.check_writable(out, TREES.get(form), force, situation)
        rules = rules_typed(Rules, rule)
        if situation is None:
            common.check_seat(seat, seats or 2)
            observer = (seat or 1) - 1
            states = _start(seats or 2, cards, observer, seed, rules)
            believed = InfluenceBelief.at(states, observer)
        else:
            told, believed = read_told(situation, seat, rules, bluff, to_observer=False)
            states, observer = told.states, told.observer
        root = Tree(states, observer, worlds_of(believed, seed)).root
        hand = ", ".join(root.hand)
        title = f"Coup with {root.tree.seats} players, through the eyes of player {observer + 1} ({hand})"
        text, total = drawn_tree(root, depth, form, max_nodes, title, turns=turns)
    print_tree(text, total, out)


def _start(seats: int, cards: str | None, seat: int, seed: int, rules: Rules) -> States:
    """The first turn of a game in which one seat's cards are known."""
    from kibitz.coup.core.game_state import GameState
    from kibitz.coup.core.setup import SetupError, setup

    fresh = GameState.new(seats, rules, seed).resolve()
    if cards is None:
        return fresh.observe(seat).states
    try:
        hand = [name.strip().lower() for name in cards.split(",")]
        return setup([player.coins for player in fresh.players], hands={seat: hand}, rules=rules)
    except SetupError as error:
        raise UserError(f"--cards {cards}: {error}") from None
