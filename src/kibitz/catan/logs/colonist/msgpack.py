r"""MessagePack as far as JSON goes: colonist.io packs its messages so, and what browsers save of them is Base64 of it.

>>> unpack(bytes.fromhex("82a26964a3313330a46461746181a474797065cc5b"))
{'id': '130', 'data': {'type': 91}}
>>> unpack(b"\x92\x01")
Traceback (most recent call last):
    ...
ValueError: the packed message breaks off
"""

from __future__ import annotations

import struct
from typing import Any

_DEEPEST = 100
#: Numbers of a fixed length, by their first byte.
_NUMBERS = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_WORDS = {0xC0: None, 0xC2: False, 0xC3: True}
#: What begins with its length, by the first byte: the form of the length, and what follows it.
_LENGTHS = {
    0xC4: (">B", "raw"), 0xC5: (">H", "raw"), 0xC6: (">I", "raw"), 0xC7: (">B", "other"), 0xC8: (">H", "other"),
    0xC9: (">I", "other"), 0xD9: (">B", "text"), 0xDA: (">H", "text"), 0xDB: (">I", "text"), 0xDC: (">H", "list"),
    0xDD: (">I", "list"), 0xDE: (">H", "map"), 0xDF: (">I", "map"),
}  # fmt: skip


def unpack(data: bytes) -> Any:
    """The value that some bytes hold; keys become texts, and what JSON cannot hold becomes None. Raises ValueError."""
    reader = _Reader(data)
    value = reader.value(_DEEPEST)
    if reader.at < len(data):
        raise ValueError("the packed message goes on after its end")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, length: int) -> bytes:
        taken = self.data[self.at : self.at + length]
        if len(taken) < length:
            raise ValueError("the packed message breaks off")
        self.at += length
        return taken

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def value(self, depth: int) -> Any:
        if not depth:
            raise ValueError("the packed message is nested too deeply")
        first = self.take(1)[0]
        if first < 0x80:
            return first
        if first >= 0xE0:
            return first - 0x100
        if first < 0xC0:
            if first >= 0xA0:
                return self.many("text", first - 0xA0, depth)
            return self.many("map" if first < 0x90 else "list", first & 0x0F, depth)
        if first in _NUMBERS:
            return self.number(_NUMBERS[first])
        if first in _WORDS:
            return _WORDS[first]
        if 0xD4 <= first <= 0xD8:
            return self.many("other", 1 << (first - 0xD4), depth)
        if first not in _LENGTHS:
            raise ValueError(f"the packed message holds a byte that means nothing (0x{first:02x})")
        form, kind = _LENGTHS[first]
        return self.many(kind, self.number(form), depth)

    def many(self, kind: str, length: int, depth: int) -> Any:
        """A text, a list, a map, or (None) bytes that JSON has no word for."""
        match kind:
            case "text":
                return self.take(length).decode("utf-8", "replace")
            case "list":
                return [self.value(depth - 1) for _ in range(length)]
            case "map":
                return {str(self.value(depth - 1)): self.value(depth - 1) for _ in range(length)}
            case _:
                self.take(length + (kind == "other"))
                return None
