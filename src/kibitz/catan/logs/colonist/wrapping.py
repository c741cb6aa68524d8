"""The messages of a captured game, in whatever they were saved.

That is a list, JSON Lines, what a browser saves of its network (HAR), or the notes of an extension; and the messages are
decoded, or as they went over the wire (MessagePack, as Base64).

>>> list(messages([[{"n": 1, "frame": {"id": 130, "data": {"type": 91}}}, {"id": "131", "data": {}}]]))
[{'id': 130, 'data': {'type': 91}}]
>>> list(messages([{"_webSocketMessages": [{"opcode": 2, "data": "gqJpZKMxMzCkZGF0YYGkdHlwZcxb"}]}]))
[{'id': '130', 'data': {'type': 91}}]
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

from kibitz.catan.logs.colonist.msgpack import unpack
from kibitz.ground.jsontext import parse_json

_GAME = "130"
_ID = re.compile(r'\\?"id\\?"\s*:\s*\\?"?130\b')
#: How a message begins that is JSON inside of a text.
_AS_TEXT = re.compile(r'\s*\{\s*"id"\s*:\s*"?130\b')
#: How the Base64 of a packed message about the game begins: an object with the id "130", and then its data.
_PACKED = re.compile(r"gqJpZKMxMzCkZGF0Y[A-Za-z0-9+/_-]*={0,2}")
#: Characters of a message inside of another text; a full state has a tenth of it.
_LONGEST = 1 << 21
#: Base64 as it is written in addresses, and elsewhere.
_TO_STANDARD = str.maketrans("-_", "+/")


def holds_messages(text: str) -> bool:
    """Whether a message about a game is in a text."""
    decoded = text.lstrip()[:1] in ("[", "{") and "payload" in text and _ID.search(text) is not None
    return decoded or _PACKED.search(text) is not None


def values_of(text: str) -> tuple[list[Any], list[tuple[int, str]]]:
    """The JSON values of a text (one, or one a line) and packed messages between other words; the lines that are neither."""
    try:
        return [parse_json(text)], []
    except ValueError as error:
        whole = str(error)
    values: list[Any] = []
    broken = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append(parse_json(line))
            except ValueError as error:
                packed = _PACKED.findall(line)
                values += packed
                if not packed:
                    broken.append((number, str(error)))
    readable = any(isinstance(value, (dict, list)) or _is_packed(value) for value in values)
    return (values, broken) if readable else ([], [(1, whole)])


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
