"""Keys of positions as plain values, so that they can be saved: tuples become lists, bytes their hexadecimal digits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


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
