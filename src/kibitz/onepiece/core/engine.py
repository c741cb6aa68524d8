"""`OnePieceState`: a game of plain Python with the verbs of `kibitz.game` as methods, so that generic code can play it.

>>> from kibitz.game import CHANCE
>>> from kibitz.onepiece.core.decks import starter
>>> s = new(starter("tide"), starter("ember"))
>>> s.actor() == CHANCE, s.kind()
(True, 1)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.game import RANDOM, Game, States, drivers, scratch_fields
from kibitz.ground import rng
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import OBJECT, PlainScratch, PlainStates
from kibitz.onepiece.core import hidden, keys
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import SLOTS, Arena, Wait
from kibitz.onepiece.core.codes import DRAWN, GIVE
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.hidden import OnePieceWorld
from kibitz.onepiece.core.keys import OMNISCIENT
from kibitz.onepiece.core.legal import apply_action, legal_actions, reason
from kibitz.onepiece.core.reasons import refuse
from kibitz.onepiece.core.table import table_of
from kibitz.onepiece.core.turn import advance

below, reseed = plain(rng.below), plain(rng.reseed)
draw, decide_for, play_out = plain(drivers.draw), plain(drivers.decide), plain(drivers.play_out)

#: Room for the actions that a position can have at most, and for the outcomes of chance.
SCRATCH = np.dtype(scratch_fields(seats=2, actions=1024, outcomes=64))
#: Bots by name, as the verb `choose` takes them.
POLICIES = {"random": RANDOM, "greedy": 1}


class OnePieceState(Arena):
    """One game at one moment. See `kibitz.game` for the verbs."""

    __slots__ = ()

    # --- who, what ------------------------------------------------------------------------------------------------

    def kind(self) -> int:
        """What the game waits for: a number of `Wait`."""
        return int(self.waiting)

    def actions(self) -> list[int]:
        """The legal actions (of chance: the outcomes) in ascending order."""
        if self.waiting != Wait.DRAWN:
            return legal_actions(self)
        seat = self.drawing[0]
        return [DRAWN + d for d, n in zip(self.table.kinds[seat], self.pool[seat], strict=True) if n]

    def legal(self, x: Any) -> int:
        """Write the legal actions to ``x.actions``; how many there are."""
        found = legal_actions(self)
        x.actions[: len(found)] = found
        return len(found)

    def sensible(self, x: Any) -> int:
        """The legal actions without those that do the same as another: of equal cards only the first is given DON!!."""
        found = legal_actions(self)
        if self.waiting == Wait.MAIN:
            found = self._without_twins(found)
        x.actions[: len(found)] = found
        return len(found)

    def _without_twins(self, found: list[int]) -> list[int]:
        met: set[Any] = set()
        kept = []
        for a in found:
            if GIVE <= a < GIVE + SLOTS:
                unit = self.field[self.player][a - GIVE]
                facts = unit and (unit.slot == 0, unit.facts())
                if facts in met:
                    continue
                met.add(facts)
            kept.append(a)
        return kept

    def why_not(self, a: int) -> int:
        """0 if `a` is legal, else the number of the reason in `kibitz.onepiece.core.reasons`."""
        return reason(self, a)

    def apply(self, a: int) -> None:
        """Do `a`, which must be legal."""
        apply_action(self, a)

    def describe(self, a: int) -> str:
        """An action as people write it."""
        return Action.from_code(a, self.table).to_text()

    # --- chance ---------------------------------------------------------------------------------------------------

    def weights(self, x: Any) -> int:
        """The cards that can lie in the place at hand, with the numbers of their copies as weights."""
        seat = self.drawing[0]
        actions, weights = x.actions, x.weights
        n = 0
        for design, count in zip(self.table.kinds[seat], self.pool[seat], strict=True):
            if count:
                actions[n], weights[n] = DRAWN + design, count
                n += 1
        return n

    def moment(self) -> int:
        """Which card it is that chance determines for this player, counted from the first."""
        seat = self.drawing[0]
        return 2 * self.drawn[seat] + seat

    # --- the end --------------------------------------------------------------------------------------------------

    def score(self, seat: int) -> int:
        """1 for the winner, -1 for the loser, 0 for a draw."""
        return 0 if self.winner < 0 else 1 if self.winner == seat else -1

    # --- hidden things ----------------------------------------------------------------------------------------------

    def seen(self, a: int, seat: int) -> int:
        """What `seat` perceives of `a`, before it is applied."""
        return hidden.seen(self, a, seat)

    def news(self, a: int, seat: int) -> int:
        """What `seat` learns at once from what `a` does: 0 for nothing."""
        return hidden.news(self, a, seat)

    def hide(self, seat: int) -> None:
        """Blank everything that `seat` (-1: a spectator) cannot know."""
        hidden.hide(self, seat)

    def peek(self, w: OnePieceWorld) -> None:
        """Write the hidden things into a world."""
        hidden.peek(self, w)

    def deal(self, w: OnePieceWorld) -> None:
        """Write a world back."""
        hidden.deal(self, w)

    def redeal(self, x: Any, seat: int) -> None:
        """Deal a random world that agrees with what `seat` sees."""
        hidden.redeal(self, x, seat)

    def exact(self) -> tuple[Any, ...]:
        """Everything in it as one hashable value, by which a tree tells positions apart."""
        return keys.exact(self)

    # --- policies ---------------------------------------------------------------------------------------------------

    def choose(self, x: Any, policy: int) -> int:
        """The action of a bot: 0 plays at random, 1 greedily."""
        from kibitz.onepiece.core.policy import greedy

        if policy == RANDOM:
            found = legal_actions(self)
            return found[below(x, len(found))]
        return greedy(self)

    # --- loops ------------------------------------------------------------------------------------------------------

    def key(self, view: int | str = OMNISCIENT) -> tuple[Any, ...]:
        """The position in canonical form: the referee's, a seat's or the public's."""
        return keys.key(self, view)

    def fingerprint(self) -> int:
        """64 bits of the omniscient key, mostly kept up to date."""
        return keys.fingerprint(self)

    def resources(self) -> dict[str, int]:
        """What a lap of a loop can raise or drain, by name."""
        return keys.resources(self)

    def core(self) -> tuple[Any, ...]:
        """The position without that: equal after every lap that only raises or drains."""
        return keys.core(self)


def new(first: Deck, second: Deck, starts: int = 0) -> OnePieceState:
    """A fresh game between the decks of seats 0 and 1, before the first card is dealt; `starts` plays first."""
    s = OnePieceState(table_of(first, second), starts)
    advance(s)
    return s


@lru_cache(maxsize=64)
def game_with(first: Deck, second: Deck) -> Game:
    """One Piece between two decks as one of Kibitz's games: a plain one, whose actions mean cards of these decks.

    ``new(2, seed)`` lets seat ``seed % 2`` begin.

    >>> from kibitz.onepiece.core.decks import starter
    >>> match = game_with(starter("tide"), starter("ember"))
    >>> states = match.new(2, 1)
    >>> states[0].first, match.describe(match.parse("end_turn"))
    (1, 'end_turn')
    """
    table = table_of(first, second)

    def begin(seats: int, seed: int) -> States:
        return PlainStates(match, [new(first, second, seed % 2)])

    match = Game(
        name="onepiece",
        seats=(2, 2),
        scores=(-1, 1),
        max_turns=1000,
        state=OBJECT,
        scratch=SCRATCH,
        world=OnePieceWorld,
        rules=OnePieceState,
        describe=lambda code: Action.from_code(code, table).to_text(),
        parse=lambda text: Action.from_text(text).code(table),
        new=begin,
        refuse=refuse,
        policies=POLICIES,
    )
    return match


def scratch(seed: int = 0) -> PlainScratch:
    """What the verbs write to, with the random streams of a game with this seed."""
    x = PlainScratch(SCRATCH)
    reseed(x, seed)
    return x


def decide(s: OnePieceState, x: Any) -> int:
    """What comes next at a table where each seat has its policy in ``x.policy``."""
    return decide_for(s, x, s.actor())
