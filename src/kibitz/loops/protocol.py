"""What the loop guard needs of a game, and the two kinds of game that offer it.

A `WatchedGame` is one game in progress. `PlainGame` makes one of a game in plain Python that brings its verbs as methods,
`StructGame` of a compiled game:

>>> from kibitz.examples import kuhn
>>> position = StructGame(kuhn.GAME.new(2, 0))
>>> position.actor() == CHANCE, position.actions()
(True, [2, 3, 4])
>>> before = position.copy()
>>> position.apply(3)
>>> position.key() == before.key()
False

A *key* is an exact form of everything true in a position, such that positions between which the rules make no difference
have equal keys. Left out are the number of the turn, the history, identifiers and the like; everything else is in it, also
what is pending. Keys are bytes, or made of tuples, strings, numbers and None, so that they can be hashed and saved. (No sets:
the order in them is not the same everywhere.) Actions are whole numbers of less than 60 bits.

A *fingerprint* is 64 bits that stand for a position, the same in every process. Nothing is ever decided by one alone (see
`kibitz.loops.guard`), so speed matters more than the last bit of quality. Keys, which decide, can be saved as plain values:
tuples become lists, bytes their hexadecimal digits.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any, Protocol, Self, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from kibitz.game import CHANCE, OVER, States, actor_at, apply_at, copied, game_of, score_at, seats_of, why_not_at
from kibitz.game.doors import hidden_from, legal_at, weights_at
from kibitz.ground.jit import integers, jit, uint64

#: Who looks: the referee, who sees everything, or somebody who sees only what all see. A seat sees what it may.
OMNISCIENT, PUBLIC = "omniscient", "public"
View: TypeAlias = int | str
#: How many actions a game of plain Python may have in one position.
PLAIN_ACTIONS = 4096


class WatchedGame(Protocol):
    """One game in progress, as the loop guard sees it."""

    def actor(self) -> int:
        """Whose move: a seat, `kibitz.game.CHANCE` or `kibitz.game.OVER`."""

    def number(self, name: str, default: int) -> int:
        """What the state holds under a name, if it holds anything there."""

    def turn(self) -> int:
        """The number of the turn, which only ever grows (0 in a game without turns)."""
        return self.number("turn", 0)

    def turn_player(self) -> int:
        """Whose turn it is; who is to act, where the game does not say."""
        return self.number("player", self.actor())

    def actions(self) -> list[int]:
        """The legal actions, or the possible outcomes of chance; none at the end."""

    def may(self, action: int) -> bool:
        """Whether an action is legal, also one that `actions` does not list because there are too many of its kind."""

    def apply(self, action: int) -> None:
        """Do it."""

    def copy(self) -> Self:
        """An independent copy."""

    def key(self, view: View = OMNISCIENT) -> Hashable:
        """The exact form of what `view` can see: `OMNISCIENT`, a seat, or `PUBLIC`."""

    def fingerprint(self) -> int:
        """64 bits that stand for ``key(OMNISCIENT)``."""
        return hash_key(self.key())

    @property
    def keeps_fingerprint(self) -> bool:
        """Whether the game keeps its fingerprint up to date, so that it costs less than a key."""
        return False

    def resources(self) -> Mapping[str, int]:
        """What can grow or drain, by name."""

    def core(self) -> Hashable:
        """The key without what can grow or drain; None if the game does not say."""

    def winner(self) -> int | None:
        """Who has won; None before the end, and where it is not one seat."""

    def describe(self, action: int) -> str:
        """An action as people read it; the first word says what kind of action it is."""

    def unchanged_since(self, before: Self) -> bool:
        """Whether nothing has changed that could ever matter, such as a count of turns in a game that ends after so many."""
        return self.key() == before.key()


class PlainGame(WatchedGame):
    """A game in plain Python as a `WatchedGame`.

    Its state brings as methods ``actor()``, ``legal(x)``, ``apply(action)``, ``copy()``, ``key(view)`` and, where there is
    chance, ``weights(x)``. It may also bring ``fingerprint()``, kept up to date with every change; ``resources()`` and
    ``core()``, which tell progress from loops; ``why_not(action)``, ``describe(action)``; and, as methods or as plain numbers,
    ``turn``, ``player`` (whose turn it is) and ``winner``.
    """

    __slots__ = ("_fingerprint", "_scratch", "state")

    def __init__(self, state: Any, scratch: Any = None) -> None:
        self.state = state
        self._fingerprint: Callable[[], int] | None = getattr(state, "fingerprint", None)
        self._scratch = scratch

    def actor(self) -> int:
        """Whose move it is."""
        return int(self.state.actor())

    def number(self, name: str, default: int) -> int:
        """What the state offers, as a method or as an attribute."""
        found = getattr(self.state, name, default)
        return int(found() if callable(found) else found)

    def actions(self) -> list[int]:
        """The legal actions or the outcomes of chance."""
        actor = self.state.actor()
        if actor == OVER:
            return []
        if self._scratch is None:
            self._scratch = SimpleNamespace(actions=[0] * PLAIN_ACTIONS, weights=[0] * PLAIN_ACTIONS)
        n = self.state.weights(self._scratch) if actor == CHANCE else self.state.legal(self._scratch)
        return list(self._scratch.actions[:n])

    def may(self, action: int) -> bool:
        """Whether an action is legal: by the game's ``why_not``, if it has one."""
        return not self.state.why_not(action) if hasattr(self.state, "why_not") else action in self.actions()

    def apply(self, action: int) -> None:
        """Do it."""
        self.state.apply(action)

    def copy(self) -> PlainGame:
        """An independent copy."""
        return PlainGame(self.state.copy(), self._scratch)

    def key(self, view: View = OMNISCIENT) -> Any:
        """The game's own key."""
        return self.state.key(view)

    def fingerprint(self) -> int:
        """The game's own, or that of its key."""
        own = self._fingerprint
        return own() if own else hash_key(self.state.key(OMNISCIENT))

    @property
    def keeps_fingerprint(self) -> bool:
        """Whether it is the game's own."""
        return self._fingerprint is not None

    def resources(self) -> Any:
        """The game's own, if it has any."""
        return self.state.resources() if hasattr(self.state, "resources") else {}

    def core(self) -> Any:
        """The game's own, if it has one."""
        return self.state.core() if hasattr(self.state, "core") else None

    def winner(self) -> int | None:
        """The seat that the game names."""
        seat = self.number("winner", OVER) if self.actor() == OVER else OVER
        return seat if seat >= 0 else None

    def describe(self, action: int) -> str:
        """The game's own words, or the number of the action."""
        return str(self.state.describe(action)) if hasattr(self.state, "describe") else f"action {action}"


class StructGame(WatchedGame):
    """A compiled game as a `WatchedGame`: an array of one state.

    The key is the state's bytes without the excluded fields; for a view, after `hide`.
    """

    __slots__ = ("_game", "_scratch", "states")

    def __init__(self, states: npt.NDArray[np.void], scratch: Any = None) -> None:
        self.states = states
        self._game = game_of(states)
        self._scratch = self._game.scratches() if scratch is None else scratch

    def actor(self) -> int:
        """Whose move it is."""
        return int(actor_at(self.states, 0))

    def number(self, name: str, default: int) -> int:
        """The field, if there is one."""
        return int(self.states[name][0]) if name in (self.states.dtype.names or ()) else default

    def actions(self) -> list[int]:
        """The legal actions or the outcomes of chance."""
        actor = self.actor()
        if actor == OVER:
            return []
        n = (weights_at if actor == CHANCE else legal_at)(self.states, 0, self._scratch, 0)
        return list(self._scratch["actions"][0, :n].tolist())

    def may(self, action: int) -> bool:
        """Whether an action is legal."""
        return not why_not_at(self.states, 0, action)

    def apply(self, action: int) -> None:
        """Do it."""
        apply_at(self.states, 0, action)

    def copy(self) -> StructGame:
        """An independent copy."""
        return StructGame(copied(self.states), self._scratch)

    def key(self, view: View = OMNISCIENT) -> bytes:
        """The bytes that a view sees."""
        states = self.states if view == OMNISCIENT else hidden_from(self.states, -1 if view == PUBLIC else int(view))
        return self._bytes(states, self._game.guarded.excluded)

    def _bytes(self, states: States, excluded: tuple[str, ...]) -> bytes:
        data = states.tobytes()
        return b"".join([data[part] for part in kept_parts(self._game.state, excluded)])

    def resources(self) -> Mapping[str, int]:
        """The fields that the game names, for each seat that plays."""
        row = np.asarray(self.states)[0]
        found: dict[str, int] = {}
        for name in self._game.guarded.resources:
            words = name.replace("_", " ")
            if row[name].ndim:
                found |= {f"{words} of player {seat + 1}": int(row[name][seat]) for seat in range(seats_of(self.states))}
            else:
                found[words] = int(row[name])
        return found

    def core(self) -> bytes:
        """The bytes of the key without the fields of the resources."""
        return self._bytes(self.states, self._game.guarded.excluded + self._game.guarded.resources)

    def winner(self) -> int | None:
        """The one seat with the highest score."""
        if self.actor() != OVER:
            return None
        scores = [score_at(self.states, 0, seat) for seat in range(seats_of(self.states))]
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        return best[0] if len(best) == 1 else None

    def describe(self, action: int) -> str:
        """The game's own words."""
        return self._game.describe(action)

    def unchanged_since(self, before: StructGame) -> bool:
        """Whether every byte is the same."""
        return self.states.tobytes() == before.states.tobytes()


@cache
def kept_parts(dtype: np.dtype[np.void], excluded: tuple[str, ...]) -> tuple[slice, ...]:
    """The parts of a struct's bytes that are left when some fields are taken out."""
    fields: Any = dtype.fields or {}
    cuts = sorted((fields[name][1], fields[name][0].itemsize) for name in excluded if name in fields)
    parts, at = [], 0
    for offset, size in cuts:
        parts.append(slice(at, offset))
        at = offset + size
    return (*parts, slice(at, dtype.itemsize))


# --- fingerprints -----------------------------------------------------------------------------------------

_MASK = 0xFFFFFFFFFFFFFFFF
_FACTOR = 0x9E3779B97F4A7C15
#: The format without references to earlier objects: what it writes depends on the values alone.
_MARSHAL = 2


def _hash_words_plain(words: Any, length: int) -> int:
    h = length
    for word in words:
        h = ((h ^ int(word)) * _FACTOR) & _MASK
        h ^= h >> 29
    h = (h * 0xBF58476D1CE4E5B9) & _MASK
    return h ^ (h >> 32)


@jit(twin=_hash_words_plain)
def _hash_words(words: Any, length: int) -> int:
    h = uint64(length)
    for i in range(len(words)):
        h = (h ^ words[i]) * uint64(0x9E3779B97F4A7C15)
        h ^= h >> uint64(29)
    h = h * uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> uint64(32))


def hash_bytes(data: bytes) -> int:
    """A fingerprint of some bytes.

    >>> hash_bytes(b"a position") == hash_bytes(b"a position")
    True
    >>> hash_bytes(b"") != hash_bytes(bytes(8))
    True
    """
    length = len(data)
    return int(_hash_words(integers(np.frombuffer(data + bytes(-length % 8), np.uint64)), length))


def hash_key(key: Hashable) -> int:
    """A fingerprint of a key: bytes, or any nesting of tuples, strings, bytes, numbers and None.

    >>> hash_key(("main", 0, (1, 2))) == hash_key(("main", 0, (1, 2)))
    True
    """
    if isinstance(key, bytes):
        return hash_bytes(key)
    try:
        return hash_bytes(marshal.dumps(cast("Any", key), _MARSHAL))
    except ValueError:  # a named tuple or an enumeration somewhere in it
        return hash_bytes(marshal.dumps(_bare(key), _MARSHAL))


def _bare(key: Any) -> Any:
    """A key with the plain types that its parts are made of."""
    if isinstance(key, tuple):
        return tuple(_bare(part) for part in key)
    if key is None or isinstance(key, bool | float | bytes):
        return key
    if isinstance(key, str):
        return str(key)
    if isinstance(key, int):
        return int(key)
    raise TypeError(f"a key holds {type(key).__name__}; it is made of tuples, strings, bytes, numbers and None")


# --- keys as plain values ---------------------------------------------------------------------------------


def key_to_json(key: Hashable) -> Any:
    """A key as plain values.

    >>> key_to_json(("main", 3, b"cards"))
    ['main', 3, {'bytes': '6361726473'}]
    """
    if isinstance(key, tuple):
        return [key_to_json(part) for part in key]
    if isinstance(key, bytes):
        return {"bytes": key.hex()}
    if key is None or isinstance(key, str | int | float):
        return key
    raise TypeError(f"a key holds {type(key).__name__}; it is made of tuples, strings, bytes, numbers and None")


def key_from_json(value: Any) -> Hashable:
    """The key that `key_to_json` described."""
    if isinstance(value, list):
        return tuple(key_from_json(part) for part in value)
    return bytes.fromhex(value["bytes"]) if isinstance(value, dict) else value
