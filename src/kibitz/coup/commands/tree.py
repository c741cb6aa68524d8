"""``kibitz coup tree``: what may happen from a position on, as one player sees it, drawn as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import UserError, check_seat, check_writable, compile_notice
from kibitz.cli.options import OutOption, SeedOption, rule_option, seat_option, some_of
from kibitz.cli.tree import DepthOption, FormatOption, MaxNodesOption, drawn_tree, print_tree
from kibitz.coup.commands.given import CARDS, BluffOption, check_bluff, read_told
from kibitz.coup.profile import PROFILE
from kibitz.play.profile import rules_typed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.coup.core.state import Rules

    States = npt.NDArray[np.void]


def tree(
    situation: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|FILE|-", help="The position in words, as for advise; else the start of a game."),
    ] = None,
    seats: Annotated[int | None, typer.Option(metavar="N", help="How many play.", show_default="2", min=2, max=6)] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="CARD,CARD",
            help="The observer's cards.",
            show_default="dealt by the seed",
            autocompletion=some_of(CARDS),
        ),
    ] = None,
    seat: Annotated[int | None, seat_option("1, or as the text says")] = None,
    depth: DepthOption = 2,
    form: FormatOption = "text",
    out: OutOption = None,
    max_nodes: MaxNodesOption = None,
    bluff: BluffOption = None,
    seed: SeedOption = 0,
    rule: Annotated[list[str] | None, rule_option(PROFILE)] = None,
) -> None:
    """Draw what may happen next: kinds of nodes, actions, probabilities, values.

    Values are the observer's chances to win by max^n: everybody takes what is best, as if the observer's cards lay open.
    """
    if situation is not None and (seats is not None or cards is not None):
        raise UserError("--seats and --cards describe the start of a game; the text says who plays and what you hold")
    check_bluff(bluff)
    if bluff is not None and situation is None:
        raise UserError("--bluff: nothing was claimed yet")
    with compile_notice():
        from kibitz.coup.advise import worlds_of
        from kibitz.coup.belief import InfluenceBelief
        from kibitz.coup.bots import BLUFF
        from kibitz.coup.core.state import Rules
        from kibitz.search.tree import Tree

        check_writable(out)
        rules = rules_typed(Rules, rule)
        if situation is None:
            check_seat(seat, seats or 2)
            observer = (seat or 1) - 1
            states = _start(seats or 2, cards, observer, seed, rules)
            believed = InfluenceBelief.at(states, observer)
        else:
            told, believed = read_told(situation, seat, rules, BLUFF if bluff is None else bluff, to_observer=False)
            states, observer = told.states, told.observer
        root = Tree(states, observer, worlds_of(believed, seed)).root
        hand = ", ".join(root.hand)
        title = f"Coup with {root.tree.seats} players, through the eyes of player {observer + 1} ({hand})"
        text, total = drawn_tree(root, depth, form, max_nodes, title)
    print_tree(text, total, out)


def _start(seats: int, cards: str | None, seat: int, seed: int, rules: Rules) -> States:
    """The first turn of a game in which one seat's cards are known."""
    from kibitz.coup.core.game_state import GameState
    from kibitz.coup.core.setup import SetupError, setup

    fresh = GameState.new(seats, rules, seed).resolve()
    if cards is None:
        return fresh.observe(seat).states
    try:
        return setup(
            [player.coins for player in fresh.players],
            hands={seat: [name.strip().lower() for name in cards.split(",")]},
            rules=rules,
        )
    except SetupError as error:
        raise UserError(f"--cards {cards}: {error}") from None
