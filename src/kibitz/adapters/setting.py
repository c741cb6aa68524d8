"""A game by name with all that an adapter needs: where games begin, who can play, ids, observations, beliefs.

>>> here = setting("coup", seats=3)
>>> here.seats, len(here.actions), here.layout.size
(3, 54, 64)
>>> setting("chess")
Traceback (most recent call last):
...
kibitz.play.registry.UnknownGame: 'chess': no such game; expected catan, coup, onepiece, kuhn, leduc, liars_dice, or FILE.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.adapters.actions import ActionTable, action_table
from kibitz.adapters.observations import Layout, layout_of
from kibitz.game import Game, States
from kibitz.game.verbs import prize
from kibitz.play.bots import Bot
from kibitz.play.profile import Profile, Setup, arguments_of
from kibitz.play.registry import profile


@dataclass(frozen=True, eq=False)
class Setting:
    """A game with a number of seats and rules."""

    profile: Profile
    setup: Setup
    seats: int
    actions: ActionTable
    layout: Layout

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game

    def start(self, seed: int) -> States:
        """Where the game with this seed begins (an array of one): each on a board of its own, say, unless one was given."""
        return self.setup.starts(self.seats, seed, 1)[:1]

    def worth(self, states: States, seat: int, i: int = 0) -> float:
        """What the end of ``states[i]`` is worth to a seat, from 0 to 1."""
        return self.share(prize(states[i], seat))

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
        return [self.profile.bot_named(name) for name in names]


def setting(name: str, seats: int | None = None, **options: Any) -> Setting:
    """A game by its name, or by the file that holds it; without `seats` as many play as usual.

    `options` are those of the game's `setup`: `rules`, `board`, `decks`. Raises a ValueError for what does not exist.
    """
    known = profile(name)
    taken = arguments_of(known.setup)
    if unknown := sorted(set(options) - set(taken)):
        raise ValueError(f"{known.name} has no option {unknown[0]!r}; expected {', '.join(taken)}")
    return setting_of(known, known.setup(**options), seats)


def setting_of(known: Profile, setup: Setup, seats: int | None = None) -> Setting:
    """The same for what has been set up."""
    least, most = known.seats
    chosen = known.usual_seats if seats is None else seats
    if not least <= chosen <= most:
        raise ValueError(f"{chosen} seats: {known.name} is for {least}{f' to {most}' if most > least else ''} players")
    return Setting(known, setup, chosen, action_table(known, setup.game), layout_of(known, setup.game))
