"""A table at which somebody may take steps back, as long as they have learnt nothing since."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.game import CHANCE, OVER, Game, States, copied, legal_actions
from kibitz.game.definition import exact
from kibitz.game.doors import perceived_at
from kibitz.loops.drive import Hook
from kibitz.play.bots import Bot
from kibitz.play.match import Table


class TakebackTable(Table):
    """A game under way in which the player at `seat` may take steps back.

    Chance reveals something, and so does whatever others do while the player does not see everything. A step of the player's
    own tells what `kibitz.game.verbs.news` says of it, and the end of a game everything.
    """

    def __init__(
        self, game: Game, start: States, bots: Sequence[Bot], seed: int, hook: Hook | None = None, *, seat: int
    ) -> None:
        self.seat = seat
        self._back: list[int] = []
        super().__init__(game, start, bots, seed, hook)

    def step(self, code: int | None = None) -> None:
        """As `Table.step`, and note whether it can be taken back."""
        actor, before, view = self.actor, copied(self.states), self.view(self.seat)
        super().step(code)
        done = self.codes[-1]
        own = actor == self.seat and self.actor != OVER and perceived_at(before, 0, done, self.seat) == done
        if actor == CHANCE or not (own or exact(view) == exact(before)):
            self._back.clear()
        elif actor == self.seat and len(legal_actions(view)) > 1:
            self._back.append(len(self.codes) - 1)

    @property
    def can_return_to(self) -> int | None:
        """How many steps stay when the player takes the last decision back; None where something was revealed since."""
        return self._back[-1] if self._back else None
