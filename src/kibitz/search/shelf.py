"""How a tree keeps the states and worlds of a game: structs as bytes, the objects of a plain game as they are.

A plain game (see `kibitz.game`) has a method ``exact()`` for this, of its states and of its worlds: everything in it as one
value that can be hashed, equal for those alone between which no action and no observer can tell a difference. Worlds can be
sorted by it.
"""

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game import Game, States, structs
from kibitz.game.definition import as_structs, repeated
from kibitz.game.doors import deal_all, door
from kibitz.game.drivers import perceived
from kibitz.game.verbs import apply, hide, peek
from kibitz.ground.plain_states import PlainStates

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]


@door
def play_all(states: Any, codes: Numbers, labels: Numbers, observer: int, blank: bool) -> None:
    """Do ``codes[i]`` in ``states[i]``, for all; ``labels[i]`` is what `observer` sees of it.

    Then what is hidden from the observer can be made blank. (One function for all this, since every one that reaches the
    rules takes seconds to compile.)
    """
    for i in range(len(codes)):
        action = int(codes[i])
        labels[i] = perceived(states[i], action, observer)
        apply(states[i], action)
        if blank:
            hide(states[i], observer)


@door
def peek_all(states: Any, worlds: Any) -> None:
    """`peek` of ``states[i]`` into ``worlds[i]``, for all."""
    for i in range(len(states)):
        peek(states[i], worlds[i])


@door
def hide_all(states: Any, seat: int) -> None:
    """`hide` in all states."""
    for i in range(len(states)):
        hide(states[i], seat)


def views_of(states: States, seat: int) -> list[Any]:
    """What a seat sees of each state, as what it is known by."""
    views = states.copy()
    hide_all(views, seat)
    if isinstance(views, PlainStates):
        return [view.exact() for view in views]
    text, size = np.asarray(views).tobytes(), views.dtype.itemsize
    return [text[at : at + size] for at in range(0, len(text), size)]


class StructShelf:
    """For structs: what is kept are their bytes, which are also what they are known by."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def put(self, states: States, i: int = 0) -> bytes:
        """``states[i]`` as it is kept; nothing that happens to `states` changes it."""
        return np.asarray(states)[i].tobytes()  # type: ignore[no-any-return]

    def key(self, kept: bytes) -> Hashable:
        """What a kept state is known by: equal for equal states alone."""
        return kept

    def take(self, kept: bytes) -> States:
        """A copy of a kept state, as an array of one."""
        return as_structs(np.frombuffer(bytearray(kept), self.game.state))

    def after(self, kept: bytes, codes: list[int], observer: int) -> list[tuple[int, Any]]:
        """What `observer` sees of some actions, and what it sees after each of them, to be kept: all in one compiled call."""
        size, labels, desk = len(kept), np.empty(len(codes), np.int64), bytearray(kept * len(codes))
        play_all(as_structs(np.frombuffer(desk, self.game.state)), np.array(codes, np.int64), labels, observer, True)
        after = bytes(desk)
        return [(label, after[i * size : (i + 1) * size]) for i, label in enumerate(labels.tolist())]

    def picked(self, array: Any, places: Numbers) -> Any:
        """Some of an array's states or worlds, copied as bytes: field by field it would take ten times as long."""
        return as_structs(_as_bytes(array)[places].view(array.dtype))

    def worlds(self, given: Any) -> Any:
        """The worlds of some states; worlds, told from states by their dtype, are given back. `TypeError` for anything else."""
        if given.dtype == self.game.state:
            states, given = as_structs(np.asarray(given)), structs(self.game.world, len(given))
            peek_all(states, given)
        if given.dtype != self.game.world:
            raise TypeError(f"worlds of {self.game.name}: expected an array of its states or of its worlds")
        return given

    def merged(self, worlds: Any, weights: Floats) -> tuple[Any, Floats]:
        """Each world once, in the order of their bytes, with the sum of its weights, which together make 1."""
        _, first, which = np.unique(_as_bytes(worlds), return_index=True, return_inverse=True)
        sums = np.bincount(which, weights, minlength=len(first))
        return np.asarray(self.picked(worlds, first)), sums / sums.sum()

    def worlds_key(self, worlds: Any) -> Hashable:
        """What merged worlds are known by: the bytes of all of them."""
        return worlds.tobytes()  # type: ignore[no-any-return]

    def whole(self, view: States, worlds: Any) -> States:
        """What is seen, completed by each of the worlds."""
        states = repeated(view, len(worlds))
        deal_all(states, as_structs(worlds))
        return states


def _as_bytes(array: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    return np.ascontiguousarray(array).view(np.ndarray).view(np.dtype((np.void, array.dtype.itemsize)))


class PlainShelf:
    """The same for the objects of a plain game, which are known by what their method `exact` says.

    Worlds are never written to again.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def put(self, states: States, i: int = 0) -> Any:
        """A copy of the object."""
        return states[i].copy()

    def key(self, kept: Any) -> Hashable:
        """Everything in it."""
        return kept.exact()  # type: ignore[no-any-return]

    def take(self, kept: Any) -> States:
        """A copy of the object."""
        return PlainStates(self.game, [kept.copy()])

    def after(self, kept: Any, codes: list[int], observer: int) -> list[tuple[int, Any]]:
        """A copy for each action."""
        states, labels = PlainStates(self.game, [kept.copy() for _ in codes]), np.empty(len(codes), np.int64)
        play_all(states, np.array(codes, np.int64), labels, observer, True)
        return list(zip(labels.tolist(), states, strict=True))

    def picked(self, array: Any, places: Numbers) -> Any:
        """States are copied (see `PlainStates`), worlds are not."""
        return array[places]

    def worlds(self, given: Any) -> Any:
        """Worlds may come in any sequence."""
        if isinstance(given, PlainStates) and given.game is self.game:
            found = _objects(self.game.world() for _ in given)
            peek_all(given, found)
            return found
        if isinstance(given, PlainStates) or not all(isinstance(world, self.game.world) for world in given):
            raise TypeError(f"worlds of {self.game.name}: expected `PlainStates` of this game, or its worlds")
        return _objects(given)

    def merged(self, worlds: Any, weights: Floats) -> tuple[Any, Floats]:
        """In the order of what `exact` says."""
        first: dict[Any, Any] = {}
        sums: dict[Any, float] = {}
        for world, weight in zip(worlds, weights.tolist(), strict=True):
            key = world.exact()
            first.setdefault(key, world)
            sums[key] = sums.get(key, 0.0) + weight
        order = sorted(first)
        total = np.array([sums[key] for key in order], np.float64)
        return _objects(first[key] for key in order), total / total.sum()

    def worlds_key(self, worlds: Any) -> Hashable:
        """What `exact` says of each."""
        return tuple(world.exact() for world in worlds)

    def whole(self, view: States, worlds: Any) -> States:
        """The worlds as they are."""
        states = repeated(view, len(worlds))
        deal_all(states, worlds)
        return states


def _objects(given: Iterable[Any]) -> npt.NDArray[Any]:
    found = list(given)
    array = np.empty(len(found), object)
    for i, one in enumerate(found):
        array[i] = one
    return array


def shelf_of(game: Game) -> StructShelf | PlainShelf:
    """The shelf for a game of either kind."""
    return PlainShelf(game) if game.is_plain else StructShelf(game)
