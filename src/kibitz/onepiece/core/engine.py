"""`OnePieceState`: a game of plain Python with the verbs of `kibitz.game` as methods, so that generic code can play it.

>>> from kibitz.game import CHANCE
>>> from kibitz.onepiece.core.decks import starter
>>> s = new(starter("tide"), starter("ember"))
>>> s.actor() == CHANCE, s.kind()
(True, 1)
"""

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.game import RANDOM, Game, States, drivers, scratch_fields
from kibitz.ground import rng
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import OBJECT, PlainScratches, PlainStates
from kibitz.onepiece.core import hidden, keys
from kibitz.onepiece.core.actions import DRAWN, GIVE, Action
from kibitz.onepiece.core.arena import SLOTS, Arena, Wait
from kibitz.onepiece.core.cards import table_of
from kibitz.onepiece.core.decks import Deck
from kibitz.onepiece.core.hidden import OnePieceWorld
from kibitz.onepiece.core.legal import apply_action, legal_actions, reason
from kibitz.onepiece.core.reasons import refuse
from kibitz.onepiece.core.turn import advance

below, reseed = plain(rng.below), plain(rng.reseed)
draw, decide_for, play_out = plain(drivers.draw), plain(drivers.decide), plain(drivers.play_out)

#: Room for the actions that a position can have at most, and for the outcomes of chance.
SCRATCH = np.dtype(scratch_fields(seats=2, actions=1024, outcomes=64))
#: Bots by name, as the verb `choose` takes them.
POLICIES = {"random": RANDOM, "greedy": 1}


class OnePieceState(Arena):
    """One game at one moment, with the verbs of `kibitz.game`: those that other modules hold stand here by name."""

    __slots__ = ()

    why_not, apply = reason, apply_action

    def kind(self) -> int:
        """What the game waits for: a number of `Wait`."""
        return int(self.waiting)

    def actions(self) -> list[int]:
        """The legal actions (of chance: the outcomes) in ascending order."""
        return [action for action, _ in self.outcomes()] if self.waiting == Wait.DRAWN else legal_actions(self)

    def legal(self, x: Any) -> int:
        """Write the legal actions to ``x.actions``; how many there are."""
        found = legal_actions(self)
        x.actions[: len(found)] = found
        return len(found)

    def sensible(self, x: Any) -> int:
        """The legal actions without those that do the same as another: of equal cards only the first is given DON!!."""
        found = legal_actions(self)
        if self.waiting == Wait.MAIN:
            given = {a: self.at(self.player, a - GIVE) for a in found if GIVE <= a < GIVE + SLOTS}
            first = {(unit.slot == 0, unit.facts()): a for a, unit in reversed(given.items())}
            found = [a for a in found if a not in given or a in first.values()]
        x.actions[: len(found)] = found
        return len(found)

    def describe(self, a: int) -> str:
        """An action as people write it."""
        return Action.from_code(a, self.table).to_text()

    def choose(self, x: Any, policy: int) -> int:
        """The action of a bot: 0 plays at random, 1 greedily."""
        from kibitz.onepiece.core.policy import greedy

        if policy == RANDOM:
            found = legal_actions(self)
            return found[below(x, len(found))]
        return greedy(self)

    def outcomes(self) -> list[tuple[int, int]]:
        """The cards that can lie in the place at hand, as actions, with the numbers of their copies."""
        seat = self.drawing[0]
        return [(DRAWN + d, n) for d, n in zip(self.table.kinds[seat], self.pool[seat], strict=True) if n]

    def weights(self, x: Any) -> int:
        """Write these to ``x.actions`` and ``x.weights``; how many there are."""
        found = self.outcomes()
        for i, outcome in enumerate(found):
            x.actions[i], x.weights[i] = outcome
        return len(found)

    def moment(self) -> int:
        """Which card it is that chance determines for this player, counted from the first."""
        seat = self.drawing[0]
        return 2 * self.drawn[seat] + seat

    def score(self, seat: int) -> int:
        """1 for the winner, -1 for the loser, 0 for a draw."""
        return 0 if self.winner < 0 else 1 if self.winner == seat else -1

    seen, news, hide = hidden.seen, hidden.news, hidden.hide
    peek, deal, redeal = hidden.peek, hidden.deal, hidden.redeal
    exact, key, fingerprint = keys.exact, keys.key, keys.fingerprint
    resources, core = keys.resources, keys.core


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


def scratch(seed: int = 0) -> Any:
    """What the verbs write to, with the random streams of a game with this seed."""
    x = PlainScratches(SCRATCH, 1)[0]
    reseed(x, seed)
    return x


def decide(s: OnePieceState, x: Any) -> int:
    """What comes next at a table where each seat has its policy in ``x.policy``."""
    return decide_for(s, x, s.actor())
