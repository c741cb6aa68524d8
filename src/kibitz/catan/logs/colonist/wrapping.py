r"""The messages of a captured game, in whatever they were saved.

That is a list, JSON Lines, what a browser saves of its network (HAR) or prints in its console, a script, or the notes of an
extension; and the messages are decoded, or as they went over the wire (MessagePack, as Base64).

>>> list(messages([[{"n": 1, "frame": {"id": 130, "data": {"type": 91}}}, {"id": "131", "data": {}}]]))
[{'id': 130, 'data': {'type': 91}}]
>>> list(messages([{"_webSocketMessages": [{"opcode": 2, "data": "gqJpZKMxMzCkZGF0YYGkdHlwZcxb"}]}]))
[{'id': '130', 'data': {'type': 91}}]

MessagePack as far as JSON goes: colonist.io packs its messages so, and what browsers save of them is Base64 of it.

>>> unpack(bytes.fromhex("82a26964a3313330a46461746181a474797065cc5b"))
{'id': '130', 'data': {'type': 91}}
>>> unpack(b"\x92\x01")
Traceback (most recent call last):
    ...
ValueError: the packed message breaks off
"""

import base64
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kibitz.catan.logs.colonist.embedded import as_json, closed, values_in
from kibitz.ground.codec import parse_json

_GAME = "130"
_ID = re.compile(r"""\bid\\?["']?\s*:\s*\\?["']?130\b""")
#: How a message begins that is JSON inside of a text.
_AS_TEXT = re.compile(r'\s*\{\s*"id"\s*:\s*"?130\b')
#: How the Base64 of a packed message about the game begins: an object with the id "130", and then its data.
_PACKED = re.compile(r"gqJpZKMxMzCkZGF0Y[A-Za-z0-9+/_-]*={0,2}")
#: How a script begins: with a comment, a word, or what is to be done if something is so.
_SCRIPT = re.compile(r"\s*(?:/[/*]|[A-Za-z_$(])")
#: Characters of a message inside of another text; a full state has a tenth of it.
_LONGEST = 1 << 21
#: Base64 as it is written in addresses, and elsewhere.
_TO_STANDARD = str.maketrans("-_", "+/")


def holds_messages(text: str) -> bool:
    """Whether a message about a game is in a text."""
    decoded = "payload" in text and _ID.search(text) is not None
    return decoded or _PACKED.search(text) is not None


def values_of(text: str) -> tuple[list[Any], list[tuple[int, str]]]:
    """The JSON values of a text, however they stand in it, and packed messages between other words; and the lines that are not.

    A text that is not one JSON value is read in several ways, of which the one counts that finds most messages.
    """
    try:
        return [parse_json(text)], []
    except ValueError as error:
        whole = (1, str(error))
    by_line = _lines(text)
    best, most = by_line, _count(by_line[0])
    if most and not by_line[1]:
        return best
    for values, broken in _other_ways(text, bool(most)):
        if (found := _count(values)) > most:
            best, most = (values, broken), found
            break
    if best is by_line and _SCRIPT.match(text) and not _PACKED.search(text):  # its other lines are the script's own
        best = by_line[0], [(number, why) for number, why in by_line[1] if '{"' in text.split("\n", number)[number - 1]]
    return best if most or _is_readable(best[0]) else ([], [whole])


def _is_readable(values: list[Any]) -> bool:
    return any(isinstance(value, (dict, list)) or _is_packed(value) for value in values)


def _lines(text: str) -> tuple[list[Any], list[tuple[int, str]]]:
    """One value a line, or packed messages in it."""
    values: list[Any] = []
    broken = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append(parse_json(line.rstrip().removesuffix(",")))
            except ValueError as error:
                packed = _PACKED.findall(line)
                values += packed
                if not packed:
                    broken.append((number, str(error)))
    return values, broken


def _other_ways(text: str, readable: bool) -> Iterator[tuple[list[Any], list[tuple[int, str]]]]:
    """As a text that breaks off, as values among other words and, where nothing else is `readable`, as values in a script."""
    broken_off = [(text.count("\n") + 1, "the file breaks off here: it is read as far as it goes")]
    whole = text.rstrip()[-1:] in ("]", "}", ";", ")")
    if text.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):
            yield [parse_json(closed(text))], broken_off
    yield list(values_in(text)), [] if whole else broken_off
    if not readable:
        yield list(values_in(as_json(text))), [] if whole else broken_off


def _count(values: list[Any]) -> int:
    return sum(1 for _ in messages(values))


def messages(values: list[Any]) -> Iterator[dict[str, Any]]:
    """The messages about the game, however deep they are wrapped, in their order.

    One that cannot be unpacked has the reason in the place of its data.
    """
    todo = values[::-1]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            if value.get("id") in (_GAME, int(_GAME)) and "data" in value and not _is_wrapped(value["data"]):
                yield value  # else the id may be the number of a note
            else:
                todo += reversed(value.values())
        elif isinstance(value, list):
            todo += reversed(value)
        elif _is_wrapped(value):
            todo.append(_opened(value))


def _is_packed(value: Any) -> bool:
    return isinstance(value, str) and _PACKED.fullmatch(value.strip()) is not None


def _is_wrapped(value: Any) -> bool:
    return _is_packed(value) or (isinstance(value, str) and _AS_TEXT.match(value) is not None)


def _opened(text: str) -> Any:
    """What a text holds, packed or as JSON."""
    try:
        if len(text) > _LONGEST:
            raise ValueError("the message is too long")
        if not _is_packed(text):
            return parse_json(text)
        bare = text.strip().rstrip("=").translate(_TO_STANDARD)
        return unpack(base64.b64decode(bare + "=" * (-len(bare) % 4)))
    except ValueError as error:
        return {"id": _GAME, "data": str(error)}


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
