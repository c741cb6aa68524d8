"""The only source of randomness: splitmix64 (Steele, Lea, Flood 2014) and the derivation of seeds.

Two kinds of draw, and a struct ``x`` that carries both (see `kibitz.game.scratch_fields`):

* `below` draws from a *stream* (``x.random``): a policy that flips a coin.
* `chance` is a pure function of the game's seed and the name of the moment (``turn 12, the dice``): games that
  share a seed keep the same dice after they have diverged, so that they stay comparable.

>>> derive_seed(42, "game", 0) == derive_seed(42, "game", 0)
True
>>> derive_seed(42, "game", 0) == derive_seed(42, "game", 1)
False
"""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from kibitz.ground.jit import int64, jit, uint64

T = TypeVar("T")

#: A seed below this can be read out and typed again.
TYPEABLE = 1_000_000
_MASK = 0xFFFFFFFFFFFFFFFF
_STEP = 0x9E3779B97F4A7C15


class Source(Protocol):
    """The two fields of a scratch struct that belong to this module."""

    seed: int
    random: int


def _mix_plain(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


@jit(twin=_mix_plain)
def _mix(z: int) -> int:
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


def _child_plain(seed: int, number: int) -> int:
    return _mix_plain((seed + _STEP * (number + 1)) & _MASK)


@jit(twin=_child_plain)
def child(seed: int, number: int) -> int:
    """The seed of the `number`-th thing that hangs on `seed`."""
    return _mix(uint64(seed) + uint64(0x9E3779B97F4A7C15) * uint64(number + 1))


def _scale_plain(word: int, n: int) -> int:
    return ((word >> 32) * n) >> 32


@jit(twin=_scale_plain)
def _scale(word: int, n: int) -> int:
    return (int64(word >> uint64(32)) * int64(n)) >> int64(32)


def _below_plain(x: Source, n: int) -> int:
    x.random = (x.random + _STEP) & _MASK
    return _scale_plain(_mix_plain(x.random), n)


@jit(twin=_below_plain)
def below(x: Source, n: int) -> int:
    """A number from 0 to n - 1, all equally likely (to within 2^-32), from the stream of `x`."""
    x.random += uint64(0x9E3779B97F4A7C15)
    return _scale(_mix(x.random), n)


@jit
def chance(x: Source, moment: int, n: int) -> int:
    """A number from 0 to n - 1 that depends only on the seed of `x` and on `moment`."""
    return _scale(child(x.seed, moment), n)


@jit
def reseed(x: Source, seed: int) -> None:
    """Start the game with this seed: chance follows it directly, the stream of the policies is split off."""
    x.seed = seed
    x.random = child(seed, -2)


class Stream:
    """Random numbers for Python code, the same on every machine and in every version of Python.

    >>> Stream(1).shuffled("abcde")
    ['c', 'a', 'b', 'e', 'd']
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed & _MASK
        self._drawn = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        self._drawn += 1
        return _scale_plain(_child_plain(self._seed, self._drawn), n)

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order (Fisher and Yates)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result


def fresh_seed() -> int:
    """A seed that nobody asked for; whoever uses it shows it, so that the same can be had again."""
    return secrets.randbelow(TYPEABLE)


def derive_seed(base: int, *parts: int | str) -> int:
    """A 64-bit seed for the thing that `parts` name, the same in every process and on every machine."""
    seed = base & _MASK
    for part in parts:
        seed = _child_plain(seed, part if isinstance(part, int) else word_number(part))
    return seed


def word_number(word: str) -> int:
    """The number of a word among the things that hang on a seed, for `child`.

    >>> derive_seed(7, "player") == child(uint64(7), word_number("player"))
    True
    """
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), signed=True)
