"""A game by name with all that an adapter needs: where games begin, who can play, ids, observations, beliefs.

>>> here = setting("coup", seats=3)
>>> here.seats, len(here.actions), here.layout.size
(3, 54, 64)
>>> setting("chess")
Traceback (most recent call last):
...
ValueError: 'chess': no such game; these are catan, coup, onepiece
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz import game as verbs
from kibitz.adapters.actions import ActionTable, action_table
from kibitz.adapters.observations import Layout, layout_of
from kibitz.catan import bots as catan_bots
from kibitz.catan.core import engine as catan
from kibitz.catan.core import state as catan_state
from kibitz.catan.core.board import Board
from kibitz.coup import bots as coup_bots
from kibitz.coup.core import engine as coup
from kibitz.coup.core import state as coup_state
from kibitz.game import Game, States
from kibitz.ground.rng import derive_seed
from kibitz.onepiece import bots as onepiece_bots
from kibitz.onepiece.core.decks import Deck, starter
from kibitz.onepiece.core.engine import game_with
from kibitz.play.bots import Bot
from kibitz.play.search_bot import AnyDeal, Belief

NAMES = ("catan", "coup", "onepiece")
#: The decks that One Piece is played with unless others are given.
DECKS = ("tide", "ember")


@dataclass(frozen=True, eq=False)
class Setting:
    """A game with a number of seats and rules."""

    game: Game
    seats: int
    start: Callable[[int], States]
    """Where the game with this seed begins: in Catan on a random board, unless one was given."""
    bot_named: Callable[[str], Bot]
    belief: Callable[[Game, int, States], Belief]
    """What a seat makes of all that it sees, from the start on."""
    actions: ActionTable
    layout: Layout

    def worth(self, states: States, seat: int, i: int = 0) -> float:
        """What the end of ``states[i]`` is worth to a seat, from 0 to 1."""
        return self.share(verbs.prize(states[i], seat))

    def share(self, prize: int) -> float:
        """What a prize is, from 0 to 1."""
        low, high = self.game.stakes
        return (prize - low) / (high - low)

    def table(self, seat: int, opponents: str | Sequence[str]) -> list[Bot]:
        """The bots of all seats but `seat`: one name for all of them, or one for each, in the order of the seats."""
        if not 0 <= seat < self.seats:
            raise ValueError(f"seat {seat}: expected 0 to {self.seats - 1}")
        names = [opponents] * (self.seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != self.seats - 1:
            raise ValueError(f"{len(names)} opponents: expected {self.seats - 1}, or one name for all")
        return [self.bot_named(name) for name in names]


def setting(
    name: str,
    seats: int | None = None,
    rules: Any = None,
    board: Board | None = None,
    decks: tuple[Deck, Deck] | None = None,
) -> Setting:
    """A game by name; by default Catan has 4 seats, the others 2. Raises a ValueError for what does not exist.

    `rules` are the game's `Rules`, `board` is for Catan alone (by default each game has a random one), `decks` for One Piece.
    """
    for given, what, owner in (
        (rules, "rules", ("catan", "coup")),
        (board, "board", ("catan",)),
        (decks, "decks", ("onepiece",)),
    ):
        if given is not None and name not in owner:
            raise ValueError(f"{name}: there is no {what} to choose")
    if name == "catan":
        options = rules or catan_state.Rules()
        players = _checked(catan.GAME, seats, 4)

        def island(seed: int) -> States:
            return catan_state.new_states(board or Board.random(derive_seed(seed, "board")), players, options)

        return _setting(catan.GAME, players, island, catan_bots.bot_named, catan_bots.Memory)
    if name == "coup":
        influence = rules or coup_state.Rules()
        players = _checked(coup.GAME, seats, 2)
        return _setting(
            coup.GAME, players, lambda seed: coup_state.new_states(players, influence), coup_bots.bot_named, coup_bots.Cards
        )
    if name == "onepiece":
        match = game_with(*(decks or (starter(DECKS[0]), starter(DECKS[1]))))
        players = _checked(match, seats, 2)
        return _setting(match, players, lambda seed: match.new(players, seed), onepiece_bots.bot_named, AnyDeal)
    raise ValueError(f"{name[:40]!r}: no such game; these are {', '.join(NAMES)}")


def _checked(game: Game, seats: int | None, usual: int) -> int:
    least, most = game.seats
    chosen = usual if seats is None else seats
    if not least <= chosen <= most:
        raise ValueError(f"{chosen} seats: {game.name} is for {least}{f' to {most}' if most > least else ''} players")
    return chosen


def _setting(
    game: Game,
    seats: int,
    start: Callable[[int], States],
    bot_named: Callable[[str], Bot],
    belief: Callable[[Game, int, States], Belief],
) -> Setting:
    return Setting(game, seats, start, bot_named, belief, action_table(game), layout_of(game))
