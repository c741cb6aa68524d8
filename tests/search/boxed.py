"""Games of structs behind the whole protocol of plain games: every tree of one must equal that of the other.

>>> from kibitz.examples import kuhn
>>> states = boxed(kuhn.GAME.new(2, 0))
>>> states.game.is_plain, states[0].actor()
(True, -1)
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.game import Game, game_of, seats_of
from kibitz.game.definition import as_structs
from kibitz.game.verbs import VERBS, uncompiled
from kibitz.ground.jit import rows
from kibitz.ground.plain_states import OBJECT, PlainStates
from kibitz.search.tree_words import TreeWords


class BoxedWorld:
    """A world of a game of structs, in a plain object."""

    def __init__(self, world: Any) -> None:
        self.row = rows(np.array(world))

    def exact(self) -> bytes:
        return self.row.tobytes()


class Boxed:
    """A state of a game of structs with the uncompiled verbs as methods. Each game has a subclass of its own."""

    twins: Any
    turn = 0

    def __init__(self, states: Any) -> None:
        self.row = rows(np.array(states))

    def copy(self) -> Any:
        return type(self)(self.row)

    def exact(self) -> bytes:
        return self.row.tobytes()

    def peek(self, w: BoxedWorld) -> None:
        self.twins.peek(self.row[0], w.row[0])

    def deal(self, w: BoxedWorld) -> None:
        self.twins.deal(self.row[0], w.row[0])


def _method(verb: str) -> Any:
    return lambda self, *arguments: getattr(self.twins, verb)(self.row[0], *arguments)


for _verb in VERBS:
    if not hasattr(Boxed, _verb):
        setattr(Boxed, _verb, _method(_verb))


def boxed(states: Any, named: Game | None = None) -> PlainStates:
    """The same position as a state of a plain game; `named` is the game that it was boxed as before."""
    original = game_of(states)

    class Rules(Boxed):
        twins = uncompiled(original)

    class World(BoxedWorld):
        def __init__(self, world: Any = None) -> None:
            super().__init__(np.zeros(1, original.world) if world is None else world)

    words = None if original.tree is None else BoxedWords(original.tree, World)
    game = named or Game(
        name=original.name,
        seats=(seats_of(states),) * 2,
        scores=original.scores,
        max_turns=original.max_turns,
        state=OBJECT,
        scratch=original.scratch,
        world=World,
        rules=Rules,
        describe=original.describe,
        parse=original.parse,
        new=lambda seats, seed: boxed(original.new(seats, seed), game),
        policies=original.policies,
        prizes=original.prizes,
        tree=words,
    )
    return PlainStates(game, [game.rules(states)])


def unboxed(states: PlainStates) -> Any:
    """The structs again."""
    return as_structs(np.concatenate([np.asarray(state.row) for state in states]))


class BoxedWords(SimpleNamespace):
    """What a game of structs says about its trees, said about boxed ones."""

    def __init__(self, words: TreeWords, world: Any) -> None:
        one = ("kind", "turn", "is_open", "is_out", "window", "options", "hand", "heuristic", "odds")
        super().__init__(
            nobody=words.nobody, out=words.out, describe=words.describe, **{name: self._about(words, name) for name in one}
        )
        self._words, self._world = words, world

    @staticmethod
    def _about(words: TreeWords, name: str) -> Any:
        return lambda states, *rest: getattr(words, name)(unboxed(states), *rest)

    def deals(self, states: PlainStates, observer: int, limit: int) -> Any:
        found = self._words.deals(unboxed(states), observer, limit)
        return found and ([self._world(np.asarray(found[0])[i : i + 1]) for i in range(len(found[0]))], found[1])
