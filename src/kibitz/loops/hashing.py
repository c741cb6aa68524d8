"""Fingerprints: 64 bits that stand for a position, the same in every process.

Nothing is ever decided by a fingerprint alone (see `kibitz.loops.guard`), so that speed matters more than the last bit of
quality here. Keys of positions, which decide, can be saved as plain values: tuples become lists, bytes their hexadecimal
digits.
"""

from __future__ import annotations

import marshal
from collections.abc import Hashable
from typing import Any, cast

import numpy as np

from kibitz.ground.jit import integers, jit, uint64

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
