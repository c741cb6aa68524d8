"""What a plain game has where others have arrays of structs: states that are objects, and scratch structs of lists."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

#: What stands in place of a struct where the states are objects.
OBJECT: Any = np.dtype(object)


class PlainStates(np.ndarray[Any, Any]):
    """States of a plain game, where other games have an array of structs: what is assigned is copied, as structs are.

    >>> class Coin:
    ...     def __init__(self, side): self.side = side
    ...     def copy(self): return Coin(self.side)
    >>> coins = PlainStates(None, [Coin("heads"), Coin("tails")])
    >>> coins[0] = coins[1]
    >>> coins[0].side, coins[0] is coins[1]
    ('tails', False)
    """

    game: Any
    """The `kibitz.game.Game` that they belong to."""

    def __new__(cls, game: Any, states: Iterable[Any]) -> Self:
        """These very states, not copied."""
        given = list(states)
        array = np.empty(len(given), object).view(cls)
        array.game = game
        for i, state in enumerate(given):
            np.ndarray.__setitem__(array, i, state)
        return array

    def __array_finalize__(self, source: Any) -> None:
        self.game = getattr(source, "game", None)

    def __reduce__(self) -> tuple[Any, ...]:
        return PlainStates, (self.game, list(self))

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        # As with structs: slices share the states, chosen ones are copies.
        return found.copy() if isinstance(index, list | np.ndarray) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            for i, state in zip(range(*index.indices(len(self))), value, strict=True):
                self[i] = state
        else:
            super().__setitem__(index, None if value is None else value.copy())

    def copy(self, order: Any = "C") -> PlainStates:
        """Independent copies of all states."""
        return PlainStates(self.game, [None if state is None else state.copy() for state in self])

    def tobytes(self, order: Any = "C") -> bytes:
        """Objects have no bytes that mean anything."""
        raise TypeError("states of a plain game have keys, not bytes")


class PlainScratches(list[Any]):
    """Scratch structs of a plain game, where other games have an array of them: numbers, and lists of them, by name.

    >>> xs = PlainScratches(np.dtype([("policy", np.int32, (2,))]), 1)
    >>> xs["policy"][0][:2] = [0, 1]
    >>> xs[0].policy
    [0, 1]
    """

    def __init__(self, dtype: np.dtype[np.void], n: int) -> None:
        shapes = {name: dtype[name].shape for name in dtype.names or ()}
        fields = ({name: [0] * shape[0] if shape else 0 for name, shape in shapes.items()} for _ in range(n))
        super().__init__(SimpleNamespace(**found) for found in fields)

    def __getitem__(self, index: Any) -> Any:
        return [getattr(x, index) for x in self] if isinstance(index, str) else super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        for x in self:
            setattr(x, index, int(value))
