"""Actions as small numbers from 0 on, the same in every version: what learning code calls a discrete action space.

>>> from kibitz.coup.core.engine import GAME
>>> table = action_table(GAME)
>>> len(table), table.describe(2), table.number("assassinate 3")
(54, 'tax', 12)

The codes of the rules may move when a rule is added; these *ids* do not: a kind of action keeps its place in `CATAN` or
`COUP`, and a new one is appended. Seats in actions are absolute, and every number of players has the same table.

In Catan an offer is one of a menu of 60: one card for one, two alike for one, one for two alike. The rules know any offer, but
`legal` lists these, and so do the ids. In One Piece the ids depend on the two decks, since cards are part of actions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.catan import bots as catan_bots
from kibitz.catan.core import codes as catan
from kibitz.coup import bots as coup_bots
from kibitz.coup.core import codes as coup
from kibitz.game import Game, States, legal_actions
from kibitz.onepiece import bots as onepiece_bots
from kibitz.onepiece.core import codes as onepiece
from kibitz.onepiece.core.arena import SLOTS
from kibitz.onepiece.core.table import CardTable

#: The kinds of actions in the order of their ids.
CATAN = (
    "place_setup_settlement", "place_setup_road", "roll_dice", "discard_resource", "move_robber", "steal_resource",
    "skip_steal", "trade_bank", "accept_offer", "decline_offer", "confirm_trade", "cancel_offer", "end_trade_phase",
    "build_road", "build_settlement", "build_city", "buy_dev_card", "end_build_phase", "play_knight", "play_road_building",
    "place_free_road", "play_year_of_plenty", "play_monopoly", "reveal_vp", "end_turn", "offer_trade",
    "end_road_building",
)  # fmt: skip
COUP = (
    "income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal", "allow", "challenge", "block", "show", "lose",
    "return_cards",
)  # fmt: skip
#: What chance can do, likewise.
CATAN_OUTCOMES = ("rolled", "stolen", "drawn")
COUP_OUTCOMES = ("drawn", "drawn_two")

Mask = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class ActionTable:
    """The ids of a game's actions: ``codes[id]`` is what the rules call it."""

    codes: tuple[int, ...]
    outcomes: tuple[int, ...]
    """The same for what chance does, with ids of its own."""
    defaults: tuple[int, ...]
    """Actions that commit to nothing, in the order in which they are tried: those of `kibitz.play.outside.Friendly.quiet`."""
    text: Callable[[int], str]
    parse: Callable[[str], int]

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
        return self.text(self.codes[number])

    def number(self, text: str) -> int:
        """The id of an action that is written so."""
        return self.ids[self.parse(text)]

    def legal(self, states: States, i: int = 0) -> list[int]:
        """The ids of what the player to move in ``states[i]`` may do, ascending."""
        return sorted(self.ids[code] for code in legal_actions(states, i))

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

        >>> from kibitz.coup.core.engine import GAME
        >>> action_table(GAME).judged(2, [0, 1, 2]), action_table(GAME).judged(float("nan"), [0, 1, 2])
        ((2, False), (0, True))
        """
        wanted = self.wanted(action)
        return (wanted, False) if wanted in legal else (self.default(legal), True)

    def wanted(self, action: object) -> int:
        """The id that `action` is; -1 if it is none."""
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:  # no whole number
            return -1
        return number if 0 <= number < len(self.codes) else -1


def action_table(game: Game) -> ActionTable:
    """The table of a game. Raises a ValueError for one whose actions have no numbers here."""
    if game.name == "catan":
        codes = _of_kinds(catan.BASE, catan.RANGES, CATAN, {"offer_trade": catan.SMALL_OFFERS.tolist()})
        return _table(game, codes, _of_kinds(catan.BASE, catan.RANGES, CATAN_OUTCOMES), catan_bots.FRIENDLY.quiet)
    if game.name == "coup":
        codes = _of_kinds(coup.BASE, coup.RANGES, COUP)
        return _table(game, codes, _of_kinds(coup.BASE, coup.RANGES, COUP_OUTCOMES), coup_bots.FRIENDLY.quiet)
    if game.name == "onepiece":
        return _onepiece_table(game)
    raise ValueError(f"{game.name}: its actions have no numbers; catan, coup and onepiece have")


def _of_kinds(
    base: Mapping[str, int], ranges: Mapping[str, int], kinds: Sequence[str], menus: Mapping[str, Sequence[int]] | None = None
) -> tuple[int, ...]:
    """The codes of some kinds of actions, one kind after the other; of a kind with a menu, those that are on it."""
    menus = menus or {}
    return tuple(code for kind in kinds for code in menus.get(kind) or range(base[kind], base[kind] + ranges[kind]))


def _table(game: Game, codes: tuple[int, ...], outcomes: tuple[int, ...], defaults: Sequence[str]) -> ActionTable:
    tried = tuple(codes.index(game.parse(text)) for text in defaults)
    return ActionTable(codes, outcomes, tried, game.describe, game.parse)


def _onepiece_table(game: Game) -> ActionTable:
    """What needs no card comes first and is the same for all decks, then playing, countering with and picking each card."""
    table: CardTable = game.new(2, 0)[0].table
    designs = len(table.cards)
    codes = [*range(onepiece.RETURN_ACTIVE + 1)]
    for base, count in (
        (onepiece.OPTION, onepiece.OPTIONS),
        (onepiece.RESOLVE, onepiece.WAITING),
        (onepiece.DECLINE, onepiece.WAITING),
        (onepiece.GIVE, SLOTS),
        (onepiece.BLOCK, SLOTS),
        (onepiece.RETURN_GIVEN, SLOTS),
        (onepiece.TARGET, 2 * SLOTS),
        (onepiece.ATTACK, SLOTS * SLOTS),
        (onepiece.ACTIVATE, SLOTS * onepiece.ABILITIES),
        (onepiece.PLAY, designs),
        (onepiece.COUNTER, designs),
        (onepiece.PICK, designs),
    ):
        codes += range(base, base + count)
    return _table(game, tuple(codes), tuple(range(onepiece.DRAWN, onepiece.DRAWN + designs)), onepiece_bots.FRIENDLY.quiet)
