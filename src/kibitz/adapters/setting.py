"""A game by name with all that an adapter needs: where games begin, who can play, ids of actions, observations.

>>> here = setting("coup", seats=3)
>>> here.seats, len(here.actions), here.layout.size
(3, 54, 64)
>>> here.actions.describe(2), here.actions.number("assassinate 3")
('tax', 12)
>>> setting("chess")
Traceback (most recent call last):
...
kibitz.play.registry.UnknownGame: 'chess': no such game; expected catan, coup, onepiece, kuhn, leduc, liars_dice, or FILE.py

Actions are small numbers from 0, the same in every version: what learning code calls a discrete action space. The codes of the
rules may move when a rule is added; these *ids* do not, where a game says in which order they stand
(`kibitz.play.profile.Profile.ids`). A game that says nothing has the codes that it declares (`kibitz.game.Game.codes`), in
ascending order. Seats in actions are absolute, and every number of players has the same table.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.adapters.observations import Layout, layout_of
from kibitz.game import Game, States, legal_actions
from kibitz.game.verbs import prize
from kibitz.play.bots import Bot
from kibitz.play.profile import Profile, Setup, arguments_of
from kibitz.play.registry import profile

Mask = npt.NDArray[np.int8]


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


class Codes(NamedTuple):
    """What the rules call the actions, in the order of their ids."""

    actions: tuple[int, ...]
    outcomes: tuple[int, ...]
    """The same for what chance does, with ids of its own."""


@dataclass(frozen=True, eq=False)
class ActionTable:
    """The ids of a game's actions: ``codes[id]`` is what the rules call it."""

    game: Game
    codes: tuple[int, ...]
    outcomes: tuple[int, ...]
    """The same for what chance does, with ids of its own."""
    defaults: tuple[int, ...]
    """The ids of actions that commit to nothing, in the order in which they are tried (`kibitz.play.profile.Profile.quiet`)."""

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def ids(self) -> dict[int, int]:
        """The id of each code."""
        return {code: number for number, code in enumerate(self.codes)}

    @cached_property
    def outcome_ids(self) -> dict[int, int]:
        """The id of each outcome's code."""
        return {code: number for number, code in enumerate(self.outcomes)}

    def describe(self, number: int) -> str:
        """An action as people write it."""
        return self.game.describe(self.codes[number])

    def number(self, text: str) -> int:
        """The id of an action that is written so."""
        return self.ids[self.game.parse(text)]

    def legal(self, states: States, i: int = 0) -> list[int]:
        """The ids of what the player to move in ``states[i]`` may do, ascending."""
        try:
            return sorted(self.ids[code] for code in legal_actions(states, i))
        except KeyError as error:
            raise ValueError(f"{self.game.name}: {error} is legal, but is not among the codes that the game declares") from None

    def mask(self, legal: Sequence[int]) -> Mask:
        """``[id]`` 1 for these ids, else 0."""
        mask = np.zeros(len(self.codes), np.int8)
        mask[legal] = 1
        return mask

    def default(self, legal: Sequence[int]) -> int:
        """What is done in the place of an illegal action, where these ids are legal: the first default, else the lowest."""
        return next((number for number in self.defaults if number in legal), legal[0])

    def judged(self, action: object, legal: Sequence[int]) -> tuple[int, bool]:
        """The id that is done where these are legal and `action` is wanted, whatever it is; and whether that was illegal.

        >>> table = setting("coup").actions
        >>> table.judged(2, [0, 1, 2]), table.judged(float("nan"), [0, 1, 2])
        ((2, False), (0, True))
        """
        wanted = self.wanted(action)
        return (wanted, False) if wanted in legal else (self.default(legal), True)

    def wanted(self, action: object) -> int:
        """The id that `action` is; -1 if it is not one."""
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:  # not a whole number
            return -1
        return number if 0 <= number < len(self.codes) else -1


def action_table(profile: Profile, game: Game) -> ActionTable:
    """The table of a game. Raises a ValueError where neither the profile nor the game says which actions there are."""
    if profile.ids is not None:
        actions, outcomes = profile.ids(game)
    elif game.codes is not None:
        actions, outcomes = (tuple(sorted(codes)) for codes in game.codes)
    else:
        raise ValueError(f"{game.name}: its actions have no numbers; declare them: Game(..., codes=(of players, of chance))")
    defaults = tuple(actions.index(game.parse(text)) for text in profile.quiet)
    return ActionTable(game, tuple(actions), tuple(outcomes), defaults)


def codes_of(
    base: Mapping[str, int], ranges: Mapping[str, int], kinds: Sequence[str], menus: Mapping[str, Sequence[int]] | None = None
) -> tuple[int, ...]:
    """The codes of some kinds of actions, one kind after the other; of a kind with a menu, those that are on it.

    >>> codes_of({"roll": 0, "build": 1}, {"roll": 1, "build": 3}, ("build", "roll"))
    (1, 2, 3, 0)
    """
    menus = menus or {}
    return tuple(code for kind in kinds for code in menus.get(kind) or range(base[kind], base[kind] + ranges[kind]))
