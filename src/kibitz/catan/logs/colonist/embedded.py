r"""JSON among other words: in a script, in what a browser's console printed, in a file that breaks off.

>>> list(values_in('Replay.frames = [\n{"n": 1},\n{"n": 2},\n];'))
[{'n': 1}, {'n': 2}]
>>> list(values_in(as_json("12:01 page.js:7 {id: '130', data: {type: 4, on: !0, left: undefined,},}")))
[{'id': '130', 'data': {'type': 4, 'on': True, 'left': None}}]
>>> closed('{"log": [{"n": 1}, {"n": 2}, {"n": ')
'{"log": [{"n": 1}, {"n": 2}]}'
"""

import json
import re
from collections.abc import Iterator
from typing import Any

#: So many beginnings of values may turn out to be none; then the rest is not looked at.
_MOST_FAILURES = 20_000
#: No value is nested more deeply.
_DEEPEST = 200
_DECODER = json.JSONDecoder()
_BEGINNING = re.compile(r"[\[{]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
_CLOSERS = {"[": "]", "{": "}"}
#: A text in quotes of either kind, a comma before the end of a list, a word (a key, if a colon follows), "!0" or "!1".
_SCRIPT = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|,(?P<last>\s*[\]}])|(?P<word>[A-Za-z_$][\w$]*)(?P<key>\s*:)?"""
    r"""|(?P<flag>![01])|(?P<number>(?<=[\[{,])\s*[0-9]+(?=\s*:))"""
)
_WORDS = {"undefined": "null", "true": "true", "false": "false", "null": "null", "NaN": "null"}


def values_in(text: str) -> Iterator[Any]:
    """The JSON objects and lists in a text, in their order; of a list that cannot be read whole what is in it."""
    at, failures = 0, 0
    while failures < _MOST_FAILURES:
        beginning = _BEGINNING.search(text, at)
        if beginning is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, beginning.start())
        except (ValueError, RecursionError):
            failures += 1
            at = beginning.end()
        else:
            if value:
                yield value


def as_json(text: str) -> str:
    """A script's way to write values, as JSON: keys and words without quotes, single quotes, commas before an end."""
    return _SCRIPT.sub(_translated, text)


def _translated(match: re.Match[str]) -> str:
    if match["text"] is not None:
        inner = match["text"][1:-1]
        if match["text"][0] == "'":
            inner = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner.replace("\\'", "'"))
        return f'"{inner}"'
    if match["last"] is not None:
        return match["last"]
    if match["flag"] is not None:
        return "true" if match["flag"] == "!0" else "false"
    if match["number"] is not None:
        return f'"{match["number"].strip()}"'
    word = match["word"]
    return f'"{word}":' if match["key"] else _WORDS.get(word, word)


def closed(text: str) -> str:
    """A JSON text that breaks off, up to its last whole value, with what is open closed; nothing if there is none."""
    open_at: list[str] = []
    end, closers = 0, ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in _CLOSERS:
            open_at.append(_CLOSERS[mark])
            if len(open_at) > _DEEPEST:
                return ""
        elif mark in "]}":
            if not open_at or open_at.pop() != mark:
                break
            end, closers = token.end(), "".join(reversed(open_at))
        elif mark == ",":
            end, closers = token.start(), "".join(reversed(open_at))
    return text[:end] + closers
