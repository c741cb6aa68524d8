"""Knock, a small card game for two on the bare verbs of `kibitz.game`, as a plain game without `kibitz.game.plain`.

Of five cards, 1 to 5, each player is dealt one face down, and a third lies open in the middle. In turn, a player either
*swaps*: the own card is laid open in the middle, and the one that lay there is taken, before everybody's eyes; or *knocks*:
both show, and the higher card wins. After so many turns without a knock the game is a draw.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.game import CHANCE, OVER, Game, scratch_fields
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import OBJECT, PlainStates
from kibitz.ground.rng import below

KNOCK, SWAP, DEAL = 0, 1, 2  # dealing card c is the outcome DEAL + c - 1
CARDS = (1, 2, 3, 4, 5)
NAMES = ("knock", "swap", *(f"deal {card}" for card in CARDS))
UNSEEN = -1
NOT_NOW, CARD_IS_GONE = 1, 2
MIDDLE = 2


class World(SimpleNamespace):
    """What is hidden: the cards of both players."""

    def __init__(self, cards: tuple[int, ...] = (0, 0)) -> None:
        super().__init__(cards=cards)

    def exact(self) -> tuple[int, ...]:
        """Everything in it."""
        return tuple(self.cards)


class State:
    """One game at one moment; the verbs of `kibitz.game` are its methods."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        """The game is a draw after so many."""
        self.places = [0, 0, 0]
        """The card of each player and the one in the middle; 0 before the deal, `UNSEEN` where it is hidden."""
        self.open = [False, False]
        """Whether everybody has seen what a player holds."""
        self.turn = 0
        self.knocked = False

    # --- who, what

    def actor(self) -> int:
        """Chance deals three cards; then the players move in turn."""
        if 0 in self.places:
            return CHANCE
        return OVER if self.knocked or self.turn == self.turns else self.turn % 2

    def kind(self) -> int:
        """What kind of step comes next."""
        return 0 if 0 in self.places else 1

    def why_not(self, a: int) -> int:
        """0 if `a` is legal, else the number of the broken rule."""
        if self.actor() == CHANCE:
            return 0 if a - DEAL + 1 in self._left() else CARD_IS_GONE
        return 0 if self.actor() != OVER and a in (KNOCK, SWAP) else NOT_NOW

    def legal(self, x: Any) -> int:
        """Both, always."""
        x.actions[:2] = [KNOCK, SWAP]
        return 2

    def apply(self, a: int) -> None:
        """Deal a card, knock, or swap."""
        if a >= DEAL:
            self.places[self.places.index(0)] = a - DEAL + 1
            return
        seat = self.turn % 2
        self.turn += 1
        if a == KNOCK:
            self.knocked = True
        else:
            self.places[seat], self.places[MIDDLE] = self.places[MIDDLE], self.places[seat]
            self.open[seat] = True

    # --- chance

    def _left(self) -> list[int]:
        return [card for card in CARDS if card not in self.places]

    def weights(self, x: Any) -> int:
        """Each card that is left is as likely as any other."""
        left = self._left()
        x.actions[: len(left)] = [DEAL + card - 1 for card in left]
        x.weights[: len(left)] = [1] * len(left)
        return len(left)

    def moment(self) -> int:
        """Which card is dealt: the first, the second or the third."""
        return self.places.index(0)

    # --- the end

    def score(self, seat: int) -> int:
        """1 for the higher card, -1 for the lower one, 0 if nobody knocked."""
        if not self.knocked:
            return 0
        return 1 if self.places[seat] > self.places[1 - seat] else -1

    # --- hidden things

    def seen(self, a: int, seat: int) -> int:
        """A dealt card is seen by its owner, the one in the middle by all; what players do, everybody sees."""
        return UNSEEN if a >= DEAL and self.moment() == 1 - seat else a

    def news(self, a: int, seat: int) -> int:
        """A swap lays a card open that the other player had not seen."""
        return self.places[self.turn % 2] if a == SWAP else 0

    def hide(self, seat: int) -> None:
        """Blank what `seat` cannot know; a seat of -1 is a spectator."""
        for other in {0, 1} - {seat}:
            if self.places[other] and not self.open[other]:
                self.places[other] = UNSEEN

    def peek(self, w: World) -> None:
        """The hidden cards, into a world."""
        w.cards = tuple(self.places[:2])

    def deal(self, w: World) -> None:
        """And back."""
        self.places[:2] = w.cards

    def redeal(self, x: Any, seat: int) -> None:
        """A random card for the other player, if `seat` does not know it."""
        other = 1 - seat
        if self.places[other] and not self.open[other]:
            self.places[other] = UNSEEN
            left = self._left()
            self.places[other] = left[plain(below)(x, len(left))]

    # --- policies, and what copies and searches need

    def choose(self, x: Any, policy: int) -> int:
        """The one policy of the game: knock with a card higher than the middle one, else swap."""
        return KNOCK if self.places[self.turn % 2] > self.places[MIDDLE] else SWAP

    def copy(self) -> State:
        """An independent copy."""
        twin = State(self.turns)
        twin.places, twin.open = list(self.places), list(self.open)
        twin.turn, twin.knocked = self.turn, self.knocked
        return twin

    def exact(self) -> tuple[Any, ...]:
        """Everything in it, to tell states apart in trees."""
        return (*self.places, *self.open, self.turn, self.turns, self.knocked)

    def key(self, view: int | str = "omniscient") -> tuple[Any, ...]:
        """The position for the loop guard: whose move it is matters, the number of the turn does not."""
        shown = self.copy()
        if view != "omniscient":
            shown.hide(view if isinstance(view, int) else -1)
        return (*shown.places, *shown.open, self.turn % 2, self.knocked)

    def describe(self, a: int) -> str:
        """An action as people write it."""
        return NAMES[a]


def game_of(turns: int) -> Game:
    """The game that is a draw after so many turns."""
    game = Game(
        name="knock",
        seats=(2, 2),
        scores=(-1, 1),
        max_turns=turns,
        state=OBJECT,
        scratch=np.dtype(scratch_fields(seats=2, actions=2, outcomes=len(CARDS))),
        world=World,
        rules=State,
        describe=NAMES.__getitem__,
        parse=NAMES.index,
        new=lambda seats, seed: PlainStates(game, [State(turns)]),
        policies={"cautious": 1},
        codes=((KNOCK, SWAP), range(DEAL, len(NAMES))),
    )
    return game


GAME = game_of(turns=20)
