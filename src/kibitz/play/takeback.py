"""A table at which somebody may take steps back, as long as they have learnt nothing since."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, Game, States
from kibitz.game.definition import repeated
from kibitz.game.doors import redeal_all
from kibitz.ground.jit import uint64
from kibitz.ground.plain_states import PlainStates
from kibitz.ground.rng import derive_seed
from kibitz.loops.drive import Guarded
from kibitz.play.bots import Bot
from kibitz.play.match import Table

#: In so many ways is dealt what somebody does not see, to find out whether a step has told something about it.
DEALS = 12


class TakebackTable(Table):
    """A game under way in which the player at `seat` may take steps back.

    Chance reveals something, and so does whatever others do while the player does not see everything.
    """

    def __init__(
        self, game: Game, start: States, bots: Sequence[Bot], seed: int, hook: Guarded | None = None, *, seat: int
    ) -> None:
        self.seat = seat
        self._back: list[int] = []
        super().__init__(game, start, bots, seed, hook)

    def step(self, code: int | None = None) -> None:
        """As `Table.step`, and note whether it can be taken back."""
        actor, before = self.actor, self.view(self.seat)
        sees_all = _same(before, self.states)
        super().step(code)
        if actor == CHANCE or not (sees_all or (actor == self.seat and self._told_nothing(before, self.codes[-1]))):
            self._back.clear()
        elif actor == self.seat and len(verbs.legal_actions(before)) > 1:
            self._back.append(len(self.codes) - 1)

    def _told_nothing(self, view: States, code: int) -> bool:
        """Whether what the player sees after a step of their own follows from what they saw before it.

        The end of a game tells everything.
        """
        if self.actor == OVER:
            return False
        deals = repeated(view, DEALS)
        redeal_all(deals, self.game.scratches(), self.seat, uint64(derive_seed(len(self.codes))))
        for number in range(DEALS):
            if verbs.why_not_at(deals, number, code):
                return False
            verbs.apply_at(deals, number, code)
            verbs.hide_at(deals, number, self.seat)
        now = self.view(self.seat)
        return all(_same(now, deals[number : number + 1]) for number in range(DEALS))

    @property
    def can_return_to(self) -> int | None:
        """How many steps stay when the player takes the last decision back; None where something was revealed since."""
        return self._back[-1] if self._back else None


def _same(a: States, b: States) -> bool:
    if isinstance(a, PlainStates):
        return bool(a[0].exact() == b[0].exact())
    return a.tobytes() == b.tobytes()
