"""What a guard remembers: a value that is copied, saved and restored with the game.

`History` holds the latest states as fingerprints, at 30 to 70 bytes each, with the actions
that led to them. A full key is kept only for a state whose fingerprint has come up before.

>>> history = History(window=100)
>>> [history.record(fp, action=7, by=0, turn=1, key=lambda fp=fp: ("state", fp)).times for fp in (11, 22, 11, 22, 11)]
[1, 1, 2, 2, 3]
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from kibitz.loops.lap import Lap, LapStep, Streak
from kibitz.loops.protocol import key_from_json, key_to_json

#: Stands for "no action": the engine went on by itself.
NO_ACTION = -(1 << 63)
FIRST_CAPACITY = 64
#: The fields of a memory that are saved as they are.
NUMBERS = ("turn", "actor", "expected", "warned")
#: The arrays of a history: the type of each, and so its bytes.
COLUMNS = {"fingerprints": "Q", "actions": "q", "links": "i", "turns": "i", "by": "b", "known": "b"}


class Visit(NamedTuple):
    """One observation of a state."""

    times: int
    """How often the state has been seen, this time included; the first time may have been another state with the same
    fingerprint, unless `equal` is as large."""
    equal: int
    """How many of these times are known to have been exactly this state (1 for a state that is seen for the first time)."""
    previous: int | None
    """The number of the observation before."""


FIRST_VISIT = Visit(1, 1, None)


class Kept(NamedTuple):
    """What is known about a state whose full key is kept."""

    times: int
    equal: int
    last: int


class History:
    """The states seen lately, the newest first to be found.

    A state is forgotten when it has not been seen again for `window` observations or `max_age` turns. Observations are
    numbered from 1; number n lies at ``n & mask`` of the arrays. States whose fingerprints end alike are linked, newer to
    older; a link to a number that has left the window is the end of a chain, so that nothing ever has to be deleted.
    """

    __slots__ = (*COLUMNS, "_heads", "_mask", "_room", "kept", "max_age", "now", "window")
    fingerprints: array[int]
    actions: array[int]
    links: array[int]
    turns: array[int]
    by: array[int]
    known: array[int]
    _heads: array[int]
    _room: int

    def __init__(self, window: int | None = None, max_age: int | None = None) -> None:
        self.window = window
        self.max_age = max_age
        self.now = 0
        self.kept: dict[Hashable, Kept] = {}
        self._resize(FIRST_CAPACITY)

    def record(self, fingerprint: int, action: int, by: int, turn: int, key: Callable[[], Hashable]) -> Visit:
        """Remember the state that `action` of `by` led to; its `key` is asked for only where the fingerprint is not new."""
        now = self.now + 1
        if now >= self._room:
            if self._may_grow():
                self._resize(2 * self._room)
            else:
                self._room = 1 << 62
        before = self.find(fingerprint, turn)
        visit = self._keep(key(), before, turn) if before else FIRST_VISIT
        self.now = now
        mask, heads = self._mask, self._heads
        i = now & mask
        bucket = fingerprint & mask
        self.fingerprints[i] = fingerprint
        self.links[i] = heads[bucket]
        heads[bucket] = now
        self.actions[i] = action
        self.by[i] = by
        self.known[i] = before > 0
        if self.max_age is not None:
            self.turns[i] = turn
        return visit

    def find(self, fingerprint: int, turn: int) -> int:
        """The number of the latest observation with this fingerprint that is not forgotten; 0 if there is none."""
        mask = self._mask
        at = self._heads[fingerprint & mask]
        if at:
            forgotten = self.now - self.window if self.window is not None else 0
            while at > forgotten and at:
                if self.fingerprints[at & mask] == fingerprint:
                    return at if self._young(at, turn) else 0
                at = self.links[at & mask]
        return 0

    def count(self, fingerprint: int, turn: int, key: Callable[[], Hashable]) -> int:
        """How often a state has been seen and is remembered."""
        before = self.find(fingerprint, turn)
        if not before:
            return 0
        if not self.known[before & self._mask]:
            return 1
        kept = self.kept.get(key())
        return kept.times if kept and self._remembered(kept.last, turn) else 0

    def oldest(self) -> int:
        """The number of the oldest observation that the next one is compared with."""
        return 1 if self.window is None else max(1, self.now - self.window + 1)

    def earlier(self, number: int) -> int:
        """The number of the observation before this one that had the same fingerprint; 0 if none is remembered."""
        fingerprint, oldest = self.fingerprints[number & self._mask], self.oldest()
        at = self.links[number & self._mask]
        while at >= oldest and self.fingerprints[at & self._mask] != fingerprint:
            at = self.links[at & self._mask]
        return at if at >= oldest else 0

    def lap(self, first: int) -> Lap:
        """What was done since the observation with this number; the engine's own steps are not actions."""
        places = [number & self._mask for number in range(first + 1, self.now + 1)]
        return Lap(tuple(LapStep(self.by[i], self.actions[i]) for i in places if self.actions[i] != NO_ACTION))

    def action(self, number: int) -> int:
        """The action that led to the observation with this number (`NO_ACTION`: none)."""
        return self.actions[number & self._mask]

    def to_json(self) -> dict[str, Any]:
        """All that is remembered."""
        numbers = range(self.oldest(), self.now + 1)
        columns = {name: [getattr(self, name)[n & self._mask] for n in numbers] for name in COLUMNS if name != "links"}
        columns["actions"] = [None if action == NO_ACTION else action for action in columns["actions"]]
        kept = [[key_to_json(key), *values] for key, values in self.kept.items()]
        return {"now": self.now, "window": self.window, "max_age": self.max_age, **columns, "kept": kept}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The history that `to_json` described."""
        history = cls(data["window"], data["max_age"])
        columns = [data[name] for name in COLUMNS if name != "links"]
        while history._room <= data["now"] and history._may_grow():
            history._resize(2 * history._room)
        history.now = data["now"] - len(data["by"])
        for fingerprint, action, turn, by, known in zip(*columns, strict=True):
            history.now += 1
            i = history.now & history._mask
            history.fingerprints[i], history.turns[i], history.by[i], history.known[i] = fingerprint, turn, by, known
            history.actions[i] = NO_ACTION if action is None else action
            history._link(history.now)
        history.kept = {key_from_json(key): Kept(*values) for key, *values in data["kept"]}
        return history

    def _keep(self, key: Hashable, before: int, turn: int) -> Visit:
        """Count a state whose fingerprint was last seen at `before`, now by its full key."""
        kept = self.kept.pop(key, None)
        if kept and self._remembered(kept.last, turn):
            visit = Visit(kept.times + 1, kept.equal + 1, kept.last)
        elif self.known[before & self._mask]:  # the key is known there, and it is another one
            visit = FIRST_VISIT
        else:
            visit = Visit(2, 1, before)
        while self.kept:
            longest = next(iter(self.kept))  # not seen for longest: whoever is seen goes to the end
            if self._remembered(self.kept[longest].last, turn):
                break
            del self.kept[longest]
        self.kept[key] = Kept(visit.times, visit.equal, self.now + 1)
        return visit

    def _remembered(self, number: int, turn: int) -> bool:
        return number >= self.oldest() and self._young(number, turn)

    def _young(self, number: int, turn: int) -> bool:
        return self.max_age is None or self.turns[number & self._mask] >= turn - self.max_age

    def _may_grow(self) -> bool:
        """Whether there can be more states than there is room for; once there cannot, the arrays are rings."""
        return self.window is None or self._mask + 1 < self.window

    def _resize(self, capacity: int) -> None:
        """Room for so many observations, a power of two; none of those remembered has been overwritten yet."""
        for name, kind in COLUMNS.items():
            old = getattr(self, name) if self.now else array(kind)
            setattr(self, name, old + array(kind, bytes((capacity - len(old)) * old.itemsize)))
        self._mask = capacity - 1
        self._room = capacity
        self._heads = array("i", bytes(capacity * 4))
        for number in range(1, self.now + 1):
            self._link(number)

    def _link(self, number: int) -> None:
        i = number & self._mask
        bucket = self.fingerprints[i] & self._mask
        self.links[i], self._heads[bucket] = self._heads[bucket], number


@dataclass
class Memory:
    """Everything that a guard remembers of one game."""

    states: History
    public: History | None = None
    """What everybody sees, if that is watched."""
    bans: dict[Hashable, frozenset[Hashable]] = field(default_factory=dict)
    """By the key of a state: the keys of the states to which nobody may go from there, since the loop would start again."""
    banned: set[int] = field(default_factory=set)
    """The fingerprints of these states."""
    taken: dict[str, int] = field(default_factory=dict)
    """How often actions with a limit have been taken in this turn."""
    turn: int = 0
    """The latest turn."""
    actor: int = 0
    """Who was to act in the latest state."""
    visit: Visit = FIRST_VISIT
    """The latest state: how often it has been seen."""
    public_visit: Visit = FIRST_VISIT
    expected: int | None = None
    """What was done when the latest state was seen before."""
    streak: Streak = field(default_factory=Streak)
    """What the players repeat."""
    warned: int = 0
    """The number of the latest observation of a state that will be a loop when it is seen once more."""

    def copy(self) -> Memory:
        """An independent copy."""
        return deepcopy(self)

    def ban(self, fingerprint: int, key: Hashable, following: Iterable[Hashable]) -> None:
        """Forbid to go from a state to some others, besides those that are forbidden there already."""
        self.banned.add(fingerprint)
        self.bans[key] = self.bans.get(key, frozenset()).union(following)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values, for a file."""
        return {
            "states": self.states.to_json(),
            "public": self.public and self.public.to_json(),
            # The order of a set is not the same in every process.
            "bans": [[key_to_json(key), sorted(map(key_to_json, to), key=repr)] for key, to in self.bans.items()],
            "banned": sorted(self.banned),
            "taken": dict(self.taken),
            "visit": list(self.visit),
            "public_visit": list(self.public_visit),
            "streak": self.streak.to_json(),
            **{name: getattr(self, name) for name in NUMBERS},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The memory that `to_json` described."""
        return cls(
            History.from_json(data["states"]),
            History.from_json(data["public"]) if data["public"] else None,
            {key_from_json(key): frozenset(map(key_from_json, following)) for key, following in data["bans"]},
            set(data["banned"]),
            dict(data["taken"]),
            visit=Visit(*data["visit"]),
            public_visit=Visit(*data["public_visit"]),
            streak=Streak.from_json(data["streak"]),
            **{name: data[name] for name in NUMBERS},
        )
